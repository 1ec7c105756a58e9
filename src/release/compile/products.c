/* Intervals of variances and covariances.
 *
 * Let x and y be measured from their middles and in halves of their bounds, X, Y, P the noisy sums of x, y and x y, N the noisy
 * number of rows, s and t the means that they tell, X/N and Y/N or the ends of the bounds. The pivot of a covariance c,
 *
 *     P - s Y - t X + N s t - (N - 1) c,
 *
 * is a function of the noise and of n rows, their means and c, whose law is simulated. In widths that the noise has at s, t and c it
 * hardly depends on the table (product-tails.h). The interval holds all c whose pivot is not too many widths off. How many that
 * are depends on n and the means, of which only those are asked that the sums do not refute. docs/proofs/release/intervals.md. */
#include "release/compile/products.h"

#include "base/error.h"
#include "release/compile/interval.h"
#include "release/compile/product-tails.h"
#include "release/compile/selection.h"

#include <stdlib.h>

/* The shares of noise that are beyond: the pivot's, on each side; the rows', above; the means', both sides. Together 5%, and 2% where the
 * rows were selected, beside as much for the rows. */
static const double tail_noisy = 0.022, tail_rows = 0.005, tail_means = 0.001, tail_known = 0.0245,
                    tail_selected = (1 - DPN_LEVEL_SELECTED) / 2 - 0.0005;

/* The scale is made of other draws than the tails: of a tail's, it would know what it is held against. */
enum { WIDTH_DRAWS = 4000, TAIL_DRAWS = 8000, HALVINGS = 40 };

typedef struct law_of_pivot {
    dpn_widths widths;
    dpn_tails tails;
    double far[2][2]; /* what |X - s N| and |Y - t N| do not exceed, for a mean of 0 and for one of 1 or -1 */
} law_of_pivot;

struct dpn_products {
    bool square;
    double rows; /* the noise of the rows is rarely above this */
    law_of_pivot noisy, known;
};

typedef struct range {
    double low, high;
} range;

static void include(range *into, double x) {
    into->low = fmin(into->low, x);
    into->high = fmax(into->high, x);
}

/* ---- The law ---- */

static double offset_of(const dpn_query *query, const dpn_output *output) {
    const dpn_moment *moment = &query->moment[output->product];
    double unit = dpn_half_width(query, output->first) * dpn_half_width(query, output->second);
    return ldexp((double)moment->offset, moment->exponent) / unit;
}

static dpn_noisy_sums sums_of(const dpn_query *query, const dpn_output *output, const double *sum) {
    double x = dpn_half_width(query, output->first), y = dpn_half_width(query, output->second);
    return (dpn_noisy_sums){sum[output->rows], sum[output->first] / x, sum[output->second] / y,
                            sum[output->product] / (x * y), offset_of(query, output)};
}

/* Between, it is a convex function of the mean. */
static void fill_far(law_of_pivot *out, const dpn_noisy_sums *noise, size_t count, double *room) {
    for (int side = 0; side < 2; side++)
        for (int mean = 0; mean < 2; mean++) {
            for (size_t d = 0; d < count; d++) room[d] = fabs((side ? noise[d].y : noise[d].x) - mean * noise[d].rows);
            out->far[side][mean] = dpn_range_of(room, count, 1 - tail_means);
        }
}

static void fill(law_of_pivot *out, bool square, bool known, double rows, const dpn_noisy_sums *noise, size_t count,
                 double tail, double *room) {
    size_t before = count / 3 < WIDTH_DRAWS ? count / 3 : WIDTH_DRAWS;
    size_t after = count - before < TAIL_DRAWS ? count - before : TAIL_DRAWS;
    fill_far(out, noise, count, room);
    dpn_widths_fill(&out->widths, square, known, noise, before, room);
    double scale = fmax(rows, fmax(out->far[0][1], out->far[1][1]) / 2);
    dpn_tails_fill(&out->tails, &out->widths, noise + before, after, scale, tail, room);
}

static void make(struct dpn_products *made, const dpn_query *query, const dpn_output *output, dpn_noisy_sums *noise,
                 double *room) {
    bool silent = query->cell[output->rows].sensitivity == 0, selected = dpn_is_selected(query, output);
    for (size_t d = 0; d < query->draws; d++) {
        noise[d] = sums_of(query, output, query->noise + d * query->moments);
        room[d] = noise[d].rows;
    }
    if (!silent) {
        made->rows = dpn_range_of(room, query->draws, 1 - tail_rows);
        fill(&made->noisy, made->square, false, made->rows, noise, query->draws, tail_noisy, room);
    }
    if (!silent && !selected) return;
    for (size_t d = 0; d < query->draws; d++) noise[d].rows = 0;
    fill(&made->known, made->square, true, 0, noise, query->draws, selected ? tail_selected : tail_known, room);
}

dpn_status dpn_products_prepare(const dpn_query *query, dpn_output *output, double *room, dpn_error *why) {
    struct dpn_products *made = calloc(1, sizeof *made);
    dpn_noisy_sums *noise = malloc((query->draws + 1) * sizeof *noise);
    if (!made || !noise) {
        free(made);
        free(noise);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the intervals");
    }
    made->square = output->first == output->second;
    make(made, query, output, noise, room);
    free(noise);
    output->products = made;
    return DPN_OK;
}

/* ---- What else is known of a table ---- */

/* Sizes s of the means that |sum - s rows| <= far[0] + s (far[1] - far[0]) leaves. */
static void sizes_of(double out[2], double sum, const double far[2], double rows) {
    double more = fmax(far[1] - far[0], 0), least = fabs(sum) - far[0], most = fabs(sum) + far[0];
    out[0] = rows + more > 0 && least > 0 ? fmin(least / (rows + more), 1) : 0;
    out[1] = rows > more && most < rows - more ? most / (rows - more) : 1;
}

typedef struct facts {
    range covariance; /* what is possible */
    dpn_reach reach;  /* of the pivot, in widths */
} facts;

/* No covariance is larger: by Bhatia and Davis 2000 a variance with n below is at most (1 - s)(1 + s). */
static facts facts_of(const law_of_pivot *of, const dpn_noisy_sums *sums, double fewest) {
    bool square = of->widths.others == 1;
    double s[2], t[2];
    sizes_of(s, sums->x, of->far[0], sums->rows);
    sizes_of(t, sums->y, of->far[1], sums->rows);
    double most = fewest / (fewest - 1) * sqrt((1 - s[0] * s[0]) * (1 - t[0] * t[0]));
    return (facts){{square ? 0 : -most, most}, dpn_tails_of(&of->tails, fewest, s, t)};
}

/* ---- The number of rows is noisy ---- */

typedef struct pivot {
    const dpn_widths *widths;
    double rows, centred, s, t, offset;
    dpn_reach reach;
} pivot;

static pivot pivot_of(const law_of_pivot *of, const dpn_noisy_sums *sums, dpn_reach reach) {
    double s = dpn_mean_told(sums->x, sums->rows), t = dpn_mean_told(sums->y, sums->rows);
    return (pivot){&of->widths, sums->rows, dpn_centred(sums, s, t), s, t, sums->offset, reach};
}

/* Above 0 if c is refuted as too large (sign 1) or too small (sign -1). A linear function less a convex one of c, so that it is
 * positive in an interval. */
static double refutes(const pivot *p, double c, double sign) {
    double width = dpn_product_width(p->widths, p->s, p->t, p->s * p->t - c + p->offset);
    double above = (p->rows - 1) * c - p->centred;
    return sign > 0 ? above - p->reach.low * width : -above - p->reach.high * width;
}

/* The end of what is left of the possible values on one side. False if nothing is left. */
static bool find_end(double *out, const pivot *p, range all, double sign) {
    double end = sign > 0 ? all.high : all.low, other = sign > 0 ? all.low : all.high;
    *out = end;
    if (!(refutes(p, end, sign) > 0)) return true;
    if (refutes(p, other, sign) > 0) return false;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (end + other) / 2;
        if (refutes(p, middle, sign) > 0)
            end = middle;
        else
            other = middle;
    }
    *out = end;
    return true;
}

static void add_noisy(range *out, const law_of_pivot *of, const dpn_noisy_sums *sums, double fewest) {
    facts known = facts_of(of, sums, fewest);
    pivot p = pivot_of(of, sums, known.reach);
    range found;
    if (!find_end(&found.low, &p, known.covariance, -1) || !find_end(&found.high, &p, known.covariance, 1)) return;
    if (found.low > found.high) return;
    include(out, found.low);
    include(out, found.high);
}

/* ---- The number of rows is within a range, apart from the noise of the sums ---- */

/* Few rows make means and widths large. The centred sum grows or falls with the number of rows, so that it is between its ends. */
static void add_known(range *out, const law_of_pivot *of, const dpn_noisy_sums *sums, range rows) {
    dpn_noisy_sums few = *sums, many = *sums;
    few.rows = rows.low;
    many.rows = rows.high;
    facts known = facts_of(of, &few, rows.low), other = facts_of(of, &many, rows.high);
    pivot a = pivot_of(of, &few, known.reach), b = pivot_of(of, &many, known.reach);
    double width = dpn_product_width(a.widths, a.s, a.t, 0);
    range whole = {fmin(a.centred, b.centred) - fmax(known.reach.high, other.reach.high) * width,
                   fmax(a.centred, b.centred) + fmax(known.reach.low, other.reach.low) * width};
    range all = {fmin(known.covariance.low, other.covariance.low), fmax(known.covariance.high, other.covariance.high)};
    double low = whole.low / ((whole.low < 0 ? rows.low : rows.high) - 1);
    double high = whole.high / ((whole.high < 0 ? rows.high : rows.low) - 1);
    if (low > all.high || high < all.low) return;
    include(out, fmax(low, all.low));
    include(out, fmin(high, all.high));
}

/* Numbers of rows from `rows.low` to `rows.high`, in parts of which each is a twelfth more than the one before. */
static void add_known_rows(range *out, const law_of_pivot *of, const dpn_noisy_sums *sums, range rows) {
    range part = {fmax(rows.low, 2), 0}, end = {part.low, fmax(rows.high, part.low)};
    do {
        part.high = fmin(floor(part.low + part.low / 12 + 1), end.high);
        if (part.low == end.high) part.high = part.low;
        add_known(out, of, sums, part);
        part.low = part.high + 1;
    } while (part.low <= end.high);
}

/* ---- The interval ---- */

/* Nothing fits: the noise was larger than the level allows for. Then the possible value that is nearest, with the width it has there. */
static range nearest(const law_of_pivot *of, const dpn_noisy_sums *sums, double fewest) {
    double most = fewest / (fewest - 1), least = of->widths.others == 1 ? 0 : -most, rows = sums->rows;
    if (!(rows > 1)) return (range){least, most};
    pivot p = pivot_of(of, sums, (dpn_reach){1, 1});
    double c = fmin(fmax(p.centred / (rows - 1), least), most);
    double width = dpn_product_width(p.widths, p.s, p.t, p.s * p.t - c + p.offset) / (rows - 1);
    return (range){fmax(c - width, least), fmin(c + width, most)};
}

void dpn_products_interval(double *low, double *high, const dpn_query *query, const dpn_output *output,
                           const double *sum) {
    const struct dpn_products *of = output->products;
    dpn_noisy_sums sums = sums_of(query, output, sum);
    range made = {INFINITY, -INFINITY}, rows = {sums.rows, sums.rows};
    bool silent = query->cell[output->rows].sensitivity == 0;
    double fewest = silent ? fmax(sums.rows, 2) : fmax(ceil(sums.rows - of->rows), 2);
    if (silent)
        add_known_rows(&made, &of->known, &sums, rows);
    else
        add_noisy(&made, &of->noisy, &sums, fewest);
    if (dpn_is_selected(query, output) && dpn_selection_is_near(query, sums.rows)) {
        dpn_selection_interval(&rows.low, &rows.high, query, sums.rows, DPN_LEVEL_SELECTED);
        add_known_rows(&made, &of->known, &sums, rows);
        fewest = fmin(fewest, fmax(rows.low, 2));
    }
    if (made.low > made.high) made = nearest(silent ? &of->known : &of->noisy, &sums, fewest);
    /* Products are rounded to half a step, n of them to as many; doubles err by far less than 2^-40. */
    const dpn_moment *moment = &query->moment[output->product];
    double unit = dpn_half_width(query, output->first) * dpn_half_width(query, output->second);
    double slack = (moment->shift > 0 ? ldexp(1, moment->exponent) : 0) + unit * 0x1p-40;
    *low = made.low * unit - slack;
    *high = made.high * unit + slack;
    if (of->square) *low = fmax(*low, 0);
}
