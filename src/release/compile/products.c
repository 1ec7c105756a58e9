/* Intervals of variances and covariances.
 *
 * Let x and y be measured from their middles and in halves of their bounds, X, Y, P the noisy sums of x, y and x y, N the noisy
 * number of rows. If s and t are the means of x and y and c their covariance, then exactly
 *
 *     P - s Y - t X + N s t - (N - 1) c  =  v_P - s v_Y - t v_X + (s t - c) v_N  =: L,     X - s N  =  v_X - s v_N  =: A,
 *
 * and B for y in the same way: what is left of the sums is noise whose law is known. (s, t, c) is refuted if |L| is above
 * width(s, t, c) (1 - (A/a)^2 - (B/b)^2), of a width that noise exceeds as seldom as the level says. The interval holds all c
 * that some s and t within the bounds leave unrefuted. docs/proofs/release/intervals.md has the argument. */
#include "release/compile/products.h"

#include "release/compile/interval.h"
#include "release/compile/product-widths.h"
#include "release/compile/selection.h"

#include <math.h>

enum { SQUARE_CELLS = 48, PRODUCT_CELLS = 10, KNOWN_CELLS = 12, HALVINGS = 40 };

/* Sums about the middles, in halves of the bounds. */
typedef struct noisy_sums {
    double rows, x, y, product;
    double offset; /* taken off each product */
} noisy_sums;

/* ---- A box of means, all numbers of rows in [fewest, most] ---- */

typedef struct range {
    double low, high;
} range;

typedef struct mean_box {
    range s, t;
    bool square;
} mean_box;

static void include(range *into, double x) {
    into->low = fmin(into->low, x);
    into->high = fmax(into->high, x);
}

static double least_size(range of) {
    return of.low <= 0 && of.high >= 0 ? 0 : fmin(fabs(of.low), fabs(of.high));
}

static double most_size(range of) {
    return fmax(fabs(of.low), fabs(of.high));
}

static range products_of(const mean_box *box) {
    if (box->square) return (range){least_size(box->s) * least_size(box->s), most_size(box->s) * most_size(box->s)};
    range made = {INFINITY, -INFINITY};
    include(&made, box->s.low * box->t.low);
    include(&made, box->s.low * box->t.high);
    include(&made, box->s.high * box->t.low);
    include(&made, box->s.high * box->t.high);
    return made;
}

static double centred(const noisy_sums *sums, double rows, double s, double t) {
    return sums->product + rows * sums->offset - s * sums->y - t * sums->x + rows * s * t;
}

/* P - s Y - t X + N s t over a box: of squares it is a parabola in s, else linear in s and in t. */
static range centred_over(const noisy_sums *sums, double rows, const mean_box *box) {
    range made = {INFINITY, -INFINITY};
    if (box->square) {
        double turn = fmin(fmax(sums->x / rows, box->s.low), box->s.high);
        include(&made, centred(sums, rows, box->s.low, box->s.low));
        include(&made, centred(sums, rows, box->s.high, box->s.high));
        if (!isnan(turn)) include(&made, centred(sums, rows, turn, turn));
        return made;
    }
    include(&made, centred(sums, rows, box->s.low, box->t.low));
    include(&made, centred(sums, rows, box->s.low, box->t.high));
    include(&made, centred(sums, rows, box->s.high, box->t.low));
    include(&made, centred(sums, rows, box->s.high, box->t.high));
    return made;
}

/* The least that |sum - mean rows| can be in a range of means and of rows. */
static double least_off(double sum, range mean, range rows) {
    range made = {INFINITY, -INFINITY};
    include(&made, sum - mean.low * rows.low);
    include(&made, sum - mean.low * rows.high);
    include(&made, sum - mean.high * rows.low);
    include(&made, sum - mean.high * rows.high);
    return least_size(made);
}

/* 1 - (A/a)^2 - (B/b)^2 where it is largest. */
static double left_of(const dpn_widths *of, const noisy_sums *sums, range rows, const mean_box *box) {
    double a = fmax(dpn_far_at(of, 0, box->s.low), dpn_far_at(of, 0, box->s.high));
    double b = fmax(dpn_far_at(of, 1, box->t.low), dpn_far_at(of, 1, box->t.high));
    a = dpn_part_of(least_off(sums->x, box->s, rows), a);
    b = dpn_part_of(least_off(sums->y, box->t, rows), b);
    return 1 - a * a - (box->square ? 0 : b * b);
}

/* No covariance is larger: by Bhatia and Davis 2000 a variance with n below is at most (1 - s)(1 + s). */
static range possible(double fewest, const mean_box *box) {
    double s = least_size(box->s), t = least_size(box->t);
    double most = fewest / (fewest - 1) * sqrt((1 - s * s) * (1 - t * t));
    return (range){box->square ? 0 : -most, most};
}

/* ---- The number of rows is noisy ---- */

typedef struct pivot {
    const dpn_widths *of;
    const mean_box *box;
    range centred, products;
    double rows, offset, left;
} pivot;

/* Above 0 if c is refuted as too large (sign 1) or too small (sign -1) for the whole box. A linear function less a convex one of c, so
 * that it is positive in an interval. */
static double refutes(const pivot *p, double c, double sign) {
    double factor = fmax(fabs(p->products.low - c + p->offset), fabs(p->products.high - c + p->offset));
    double width = p->left * dpn_product_width(p->of, most_size(p->box->s), most_size(p->box->t), factor);
    return (sign > 0 ? (p->rows - 1) * c - p->centred.high : p->centred.low - (p->rows - 1) * c) - width;
}

/* The end of what is left of the possible values on one side, or `so_far` if that is farther out. False if nothing is left. */
static bool find_end(double *out, const pivot *p, range all, double so_far, double sign) {
    double end = sign > 0 ? all.high : all.low, other = sign > 0 ? all.low : all.high;
    if (!(refutes(p, end, sign) > 0)) {
        *out = end;
        return true;
    }
    if (refutes(p, other, sign) > 0) return false;
    if (so_far > all.low && so_far < all.high && refutes(p, so_far, sign) > 0) {
        *out = so_far;
        return true;
    }
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

static void add_noisy(range *out, const dpn_widths *of, const noisy_sums *sums, double fewest, const mean_box *box) {
    range rows = {sums->rows, sums->rows}, found;
    pivot p = {of,         box,          centred_over(sums, sums->rows, box), products_of(box),
               sums->rows, sums->offset, left_of(of, sums, rows, box)};
    range all = possible(fewest, box);
    if (!(p.left > 0) || !find_end(&found.low, &p, all, out->low, -1) || !find_end(&found.high, &p, all, out->high, 1))
        return;
    if (found.low > found.high) return;
    include(out, found.low);
    include(out, found.high);
}

/* ---- The number of rows is within a range, apart from the noise of the sums ---- */

static void add_known(range *out, const dpn_widths *of, const noisy_sums *sums, range rows, const mean_box *box) {
    double left = left_of(of, sums, rows, box);
    if (!(left > 0)) return;
    double width = left * dpn_product_width(of, most_size(box->s), most_size(box->t), 0);
    range few = centred_over(sums, rows.low, box), many = centred_over(sums, rows.high, box);
    range whole = {fmin(few.low, many.low) - width, fmax(few.high, many.high) + width}, all = possible(rows.low, box);
    double low = whole.low / ((whole.low < 0 ? rows.low : rows.high) - 1);
    double high = whole.high / ((whole.high < 0 ? rows.high : rows.low) - 1);
    if (low > all.high || high < all.low) return;
    include(out, fmax(low, all.low));
    include(out, fmin(high, all.high));
}

/* ---- All boxes ---- */

/* The means that |sum - mean rows| <= far leaves, and all of them where there may be no rows. */
static range means_for(double sum, double far, range rows) {
    range made = {INFINITY, -INFINITY};
    if (!(rows.low > 0)) return (range){-1, 1};
    include(&made, (sum - far) / rows.low);
    include(&made, (sum + far) / rows.low);
    include(&made, (sum - far) / rows.high);
    include(&made, (sum + far) / rows.high);
    return (range){fmax(made.low, -1), fmin(made.high, 1)};
}

static range cell_of(range of, int i, int count) {
    double step = (of.high - of.low) / count;
    return (range){i == 0 ? of.low : of.low + i * step, i + 1 == count ? of.high : of.low + (i + 1) * step};
}

/* fewest > 0: the rows are noisy, and at least that many. */
static void add_boxes(range *out, const dpn_widths *of, const noisy_sums *sums, range rows, double fewest) {
    bool square = of->others == 1;
    range s = means_for(sums->x, of->far[0][of->means - 1], rows),
          t = means_for(sums->y, of->far[1][of->means - 1], rows);
    if (s.low > s.high || t.low > t.high) return;
    int cells = !square ? PRODUCT_CELLS : fewest > 0 ? SQUARE_CELLS : KNOWN_CELLS;
    for (int i = 0; i < cells; i++)
        for (int j = 0; j < (square ? 1 : cells); j++) {
            range part = cell_of(s, i, cells);
            mean_box box = {part, square ? part : cell_of(t, j, cells), square};
            if (fewest > 0)
                add_noisy(out, of, sums, fewest, &box);
            else
                add_known(out, of, sums, rows, &box);
        }
}

/* Numbers of rows from `rows.low` to `rows.high`, in parts of which each is a twelfth more than the one before. */
static void add_known_rows(range *out, const dpn_widths *of, const noisy_sums *sums, range rows) {
    range part = {fmax(rows.low, 2), 0}, end = {part.low, fmax(rows.high, part.low)};
    do {
        part.high = fmin(floor(part.low + part.low / 12 + 1), end.high);
        if (part.low == end.high) part.high = part.low;
        add_boxes(out, of, sums, part, 0);
        part.low = part.high + 1;
    } while (part.low <= end.high);
}

/* ---- The interval ---- */

static noisy_sums sums_of(const dpn_query *query, const dpn_output *output, const double *sum) {
    const dpn_moment *moment = &query->moment[output->product];
    double x = dpn_half_width(query, output->first), y = dpn_half_width(query, output->second);
    return (noisy_sums){sum[output->rows], sum[output->first] / x, sum[output->second] / y,
                        sum[output->product] / (x * y), ldexp((double)moment->offset, moment->exponent) / (x * y)};
}

static double within(double x, double most) {
    return fmin(fmax(x, -most), most);
}

/* Nothing fits: the noise was larger than the level allows for. Then the possible value that is nearest, with the width it has there. */
static range nearest(const dpn_widths *of, const noisy_sums *sums, double fewest) {
    double most = fewest / (fewest - 1), least = of->others == 1 ? 0 : -most, rows = sums->rows;
    if (!(rows > 1)) return (range){least, most};
    double s = within(sums->x / rows, 1), t = within(sums->y / rows, 1);
    double c = fmin(fmax(centred(sums, rows, s, t) / (rows - 1), least), most);
    double width = dpn_product_width(of, s, t, s * t - c + sums->offset) / (rows - 1);
    return (range){fmax(c - width, least), fmin(c + width, most)};
}

void dpn_products_interval(double *low, double *high, const dpn_query *query, const dpn_output *output,
                           const double *sum) {
    const struct dpn_products *of = output->products;
    noisy_sums sums = sums_of(query, output, sum);
    range made = {INFINITY, -INFINITY}, rows = {sums.rows, sums.rows};
    bool silent = query->cell[output->rows].sensitivity == 0;
    double fewest = silent ? fmax(sums.rows, 2) : fmax(ceil(sums.rows - of->rows), 2);
    if (silent)
        add_known_rows(&made, &of->known, &sums, rows);
    else
        add_boxes(&made, &of->noisy, &sums, rows, fewest);
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
