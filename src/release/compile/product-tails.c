/* How many widths the pivot of a variance or covariance may be off.
 *
 * The pivot of a true table with n rows, means s and t and covariance c is a function of n, s, t, c and the noise alone, so its law
 * can be simulated for each of them. Divided by the width at the means that are told, it hardly depends on them any more, and few
 * nodes are enough. */
#include "release/compile/product-tails.h"

#include "release/compile/interval.h"

/* Numbers of rows above 2, in scales of the noise. */
static const double sizes[DPN_TAIL_SIZES] = {0, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30};

enum { VARIANCES = 3 };

typedef struct table {
    double rows, s, t, covariance;
} table;

static double part_of(double part, double whole) {
    return whole > 0 ? part / whole : part == 0 ? 0 : copysign(INFINITY, part);
}

/* The pivot of a table in widths, for one draw of the noise. */
static double pivot_of(const table *of, const dpn_widths *widths, const dpn_noisy_sums *noise) {
    double n = of->rows, offset = noise->offset;
    dpn_noisy_sums sums = {n + noise->rows, n * of->s + noise->x, n * of->t + noise->y,
                           (n - 1) * of->covariance + n * (of->s * of->t - offset) + noise->product, offset};
    double s = dpn_mean_told(sums.x, sums.rows), t = dpn_mean_told(sums.y, sums.rows);
    double left = dpn_centred(&sums, s, t) - (sums.rows - 1) * of->covariance;
    return part_of(left, dpn_product_width(widths, s, t, s * t - of->covariance + offset));
}

/* A share of so many draws is known to a standard deviation; two of them are added, less what the levels of products.c leave
 * over where rows are many. */
static double raised(double share, size_t count) {
    return share + fmax(2 * sqrt(share * (1 - share) / (double)count) - 0.003, 0);
}

static void add_table(double *low, double *high, const table *of, const dpn_widths *widths, const dpn_noisy_sums *noise,
                      size_t count, double tail, double *room) {
    for (size_t d = 0; d < count; d++) room[d] = pivot_of(of, widths, &noise[d]);
    double share = raised(1 - tail, count);
    *high = fmax(*high, dpn_share_of(room, count, share));
    *low = fmax(*low, -dpn_share_of(room, count, 1 - share));
}

/* All variances that rows with such means can have. */
static void fill_node(dpn_tails *out, size_t size, size_t i, size_t j, const dpn_widths *widths,
                      const dpn_noisy_sums *noise, size_t count, double tail, double *room) {
    double n = 2 + sizes[size] * out->scale, s = (double)i / (double)(out->means - 1);
    double t = out->others > 1 ? (double)j / (double)(out->others - 1) : s;
    double most = n / (n - 1) * sqrt((1 - s * s) * (1 - t * t)), least = out->others > 1 ? -most : 0;
    double *low = &out->low[size][i * out->others + j], *high = &out->high[size][i * out->others + j];
    *low = *high = 0;
    for (int k = 0; k < (most > 0 ? VARIANCES : 1); k++) {
        table of = {n, s, t, least + (most - least) * k / (VARIANCES - 1)};
        add_table(low, high, &of, widths, noise, count, tail, room);
    }
    /* x and -x: what is below for the one is above for the other */
    if (out->others > 1) *low = *high = fmax(*low, *high);
}

void dpn_tails_fill(dpn_tails *out, const dpn_widths *widths, const dpn_noisy_sums *noise, size_t count, double scale,
                    double tail, double *room) {
    bool square = widths->others == 1;
    out->means = square ? DPN_TAIL_MEANS : 3;
    out->others = square ? 1 : 3;
    out->scale = scale;
    for (size_t size = DPN_TAIL_SIZES; size-- > 0;)
        for (size_t i = 0; i < out->means; i++)
            for (size_t j = 0; j < out->others; j++) {
                size_t at = i * out->others + j;
                fill_node(out, size, i, j, widths, noise, count, tail, room);
                if (size + 1 == DPN_TAIL_SIZES) continue;
                /* more rows may be the truth where fewer are not refuted */
                out->low[size][at] = fmax(out->low[size][at], out->low[size + 1][at]);
                out->high[size][at] = fmax(out->high[size][at], out->high[size + 1][at]);
            }
}

/* ---- Between the nodes ---- */

typedef struct place {
    size_t at;
    double part;
} place;

static place size_place(const dpn_tails *of, double rows) {
    double size = of->scale > 0 ? (rows - 2) / of->scale : sizes[DPN_TAIL_SIZES - 1];
    size_t i = 0;
    while (i + 2 < DPN_TAIL_SIZES && sizes[i + 1] <= size) i++;
    return (place){i, fmin(fmax((size - sizes[i]) / (sizes[i + 1] - sizes[i]), 0), 1)};
}

static place mean_place(double size, size_t count) {
    if (count == 1) return (place){0, 0};
    double steps = size * (double)(count - 1), whole = fmin(floor(steps), (double)(count - 2));
    return (place){(size_t)whole, steps - whole};
}

static double at_means(const double *of, size_t others, place i, place j) {
    double made = 0;
    for (size_t a = 0; a < 2; a++)
        for (size_t b = 0; b < (others > 1 ? 2 : 1); b++) {
            double weight = (a ? i.part : 1 - i.part) * (others > 1 ? (b ? j.part : 1 - j.part) : 1);
            made += weight > 0 ? weight * of[(i.at + a) * others + j.at + b] : 0;
        }
    return made;
}

static double between(const double of[DPN_TAIL_SIZES][DPN_TAIL_MEANS * DPN_TAIL_MEANS], size_t others, place rows,
                      place i, place j) {
    double few = at_means(of[rows.at], others, i, j), many = at_means(of[rows.at + 1], others, i, j);
    return few + rows.part * (many - few);
}

/* The k-th of the ends of a range and the nodes within: between them everything is linear. */
static double stop(const double range[2], size_t k, size_t nodes) {
    double at = k == 0 ? range[0] : k == 1 ? range[1] : (double)(k - 2) / (double)(nodes - 1);
    return fmin(fmax(at, range[0]), range[1]);
}

dpn_reach dpn_tails_of(const dpn_tails *of, double fewest, const double s[2], const double t[2]) {
    dpn_reach made = {0, 0};
    place rows = size_place(of, fewest);
    for (size_t a = 0; a < of->means + 2; a++)
        for (size_t b = 0; b < (of->others > 1 ? of->others + 2 : 1); b++) {
            place i = mean_place(stop(s, a, of->means), of->means);
            place j = of->others > 1 ? mean_place(stop(t, b, of->others), of->others) : (place){0, 0};
            made.low = fmax(made.low, between(of->low, of->others, rows, i, j));
            made.high = fmax(made.high, between(of->high, of->others, rows, i, j));
        }
    return made;
}
