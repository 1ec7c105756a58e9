/* How far noise takes the pivot of a variance or covariance: at each node for the tables that the node is about, with the sums of
 * these tables written down from their rows' means and covariance, and between the nodes by interpolation done once more here. */
#include "release/compile/product-tails.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DRAWS = 600, VARIANCES = 3 };
static const double sizes[DPN_TAIL_SIZES] = {0, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30};
static const double tail = 0.05;

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 12) + 0.5) / 4503599627370496.0;
}

static double laplace(uint64_t *state, double scale) {
    double size = -scale * log(uniform(state));
    return uniform(state) < 0.5 ? -size : size;
}

/* Rows and products are tied, as a hull ties them. */
static void draw(dpn_noisy_sums *out, size_t count, bool square, uint64_t seed) {
    for (size_t d = 0; d < count; d++) {
        out[d].rows = laplace(&seed, 3);
        out[d].x = laplace(&seed, 4);
        out[d].y = square ? out[d].x : laplace(&seed, 5);
        out[d].product = laplace(&seed, 6) + (square ? out[d].rows : 0);
        out[d].offset = square ? 0.5 : 0;
    }
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- Widths ---- */

/* The 95% range at a node: at least 95% of the draws are within it, and fewer within anything less. */
static void check_width(const dpn_noisy_sums *noise, double s, double t, double factor, double width) {
    size_t within = 0, below = 0;
    for (size_t d = 0; d < DRAWS; d++) {
        double size = fabs(noise[d].product - s * noise[d].y - t * noise[d].x + factor * noise[d].rows);
        within += size <= width * (1 + 1e-12);
        below += size < width * (1 - 1e-12);
    }
    if (!((double)within >= 0.95 * DRAWS && (double)below < 0.95 * DRAWS))
        fail_msg("at %g, %g, %g: %zu of %d within %g", s, t, factor, within, DRAWS, width);
}

/* Between two nodes of one argument the width lies on the line through its values there. */
static void widths(void **state) {
    (void)state;
    static dpn_noisy_sums noise[DRAWS];
    static double room[DRAWS];
    for (int square = 0; square < 2; square++)
        for (int known = 0; known < 2; known++) {
            dpn_widths of;
            size_t nodes = square ? 9 : 5;
            double last = square ? 1.5 : 2, step = 1 / (double)(nodes - 1), rise = known ? 0 : last * step;
            draw(noise, DRAWS, square, 7);
            dpn_widths_fill(&of, square, known, noise, DRAWS, room);
            for (size_t i = 0; i < nodes; i++)
                for (size_t j = 0; j < nodes; j++)
                    for (size_t k = 0; k < 2 * nodes - 1; k++) {
                        double s = (double)i * step, t = square ? s : (double)j * step;
                        double f = ((double)k - (double)nodes + 1) * rise;
                        double at = dpn_product_width(&of, s, t, f);
                        check_width(noise, s, t, f, at);
                        /* Where x changes its sign, so do its sums and products. */
                        if (i > 0 && (square || j > 0)) {
                            assert_true(dpn_product_width(&of, -s, -t, f) == at);
                            assert_true(dpn_product_width(&of, -s, t, -f) == at);
                        }
                        if (i + 1 == nodes || k + 1 == 2 * nodes - 1) continue;
                        double next = s + step, beside = square ? next : t;
                        double half = dpn_product_width(&of, s + step / 4, square ? s + step / 4 : t, f);
                        double line = at + (dpn_product_width(&of, next, beside, f) - at) / 4;
                        assert_true(fabs(half - line) <= 1e-9 * line);
                        half = dpn_product_width(&of, s, t, f + rise / 4);
                        line = at + (dpn_product_width(&of, s, t, f + rise) - at) / 4;
                        assert_true(fabs(half - line) <= 1e-9 * line);
                        if (square || j + 1 == nodes) continue;
                        half = dpn_product_width(&of, s, t + step / 4, f);
                        line = at + (dpn_product_width(&of, s, t + step, f) - at) / 4;
                        assert_true(fabs(half - line) <= 1e-9 * line);
                    }
        }
}

/* ---- Tails ---- */

/* The pivots of a table in widths, sorted: (x - s)(y - t) summed at the means that the noisy sums tell, less what so many
 * rows as are told would have. */
static void pivots(double *out, const dpn_widths *width, const dpn_noisy_sums *noise, double n, double s, double t,
                   double covariance) {
    for (size_t d = 0; d < DRAWS; d++) {
        double offset = noise[d].offset, rows = n + noise[d].rows, x = n * s + noise[d].x, y = n * t + noise[d].y;
        double products = (n - 1) * covariance + n * s * t + noise[d].product + noise[d].rows * offset;
        double at_s = rows > 0 ? fmin(fmax(x / rows, -1), 1) : copysign(1, x);
        double at_t = rows > 0 ? fmin(fmax(y / rows, -1), 1) : copysign(1, y);
        double left = products - at_s * y - at_t * x + rows * at_s * at_t - (rows - 1) * covariance;
        out[d] = left / dpn_product_width(width, at_s, at_t, at_s * at_t - covariance + offset);
    }
    qsort(out, DRAWS, sizeof *out, by_size);
}

static double largest(double a, double b) {
    return a > b ? a : b;
}

/* At each node: the largest, over its tables and those with more rows, of what a share of the draws does not exceed. */
static void tails(void **state) {
    (void)state;
    static dpn_noisy_sums noise[DRAWS];
    static double room[DRAWS];
    static dpn_tails of;
    for (int square = 0; square < 2; square++) {
        dpn_widths width;
        size_t means = square ? 5 : 3, others = square ? 1 : 3;
        double scale = 10, share = 1 - tail + fmax(2 * sqrt(tail * (1 - tail) / DRAWS) - 0.003, 0);
        draw(noise, DRAWS, square, 7);
        dpn_widths_fill(&width, square, false, noise, DRAWS, room);
        draw(noise, DRAWS, square, 8);
        dpn_tails_fill(&of, &width, noise, DRAWS, scale, tail, room);
        assert_true(of.means == means && of.others == others && of.scale == scale);
        for (size_t i = 0; i < means; i++)
            for (size_t j = 0; j < others; j++) {
                double s = (double)i / (double)(means - 1), t = square ? s : (double)j / (double)(others - 1);
                double low = 0, high = 0;
                for (size_t size = DPN_TAIL_SIZES; size-- > 0;) {
                    double n = 2 + sizes[size] * scale, most = n / (n - 1) * sqrt((1 - s * s) * (1 - t * t));
                    for (int k = 0; k < VARIANCES; k++) {
                        double part = (double)k / (VARIANCES - 1);
                        pivots(room, &width, noise, n, s, t, square ? part * most : (2 * part - 1) * most);
                        size_t above = (size_t)ceil(share * DRAWS) - 1, below = (size_t)ceil((1 - share) * DRAWS) - 1;
                        high = largest(high, room[above]);
                        low = largest(low, -room[below]);
                        if (!square) low = high = largest(low, high);
                    }
                    double got_low = of.low[size][i * others + j], got_high = of.high[size][i * others + j];
                    if (!(fabs(got_low - low) <= 1e-9 * low && fabs(got_high - high) <= 1e-9 * high))
                        fail_msg("%s, %g rows, %g, %g: -%g to %g, not -%g to %g", square ? "square" : "product", n, s,
                                 t, got_low, got_high, low, high);
                }
            }
    }
}

/* Of one draw all of it is the width, and its pivots are the tails, whatever the room held before. */
static void one_draw_is_all(void **state) {
    (void)state;
    static dpn_noisy_sums noise[2] = {{.rows = 2, .x = -3, .y = 5, .product = 11}, {.rows = 1e6, .x = 1e7, .y = -1e6}};
    static dpn_widths width;
    static dpn_tails of;
    for (int square = 0; square < 2; square++) {
        double room[2] = {1e300, 1e300}, many[1];
        if (square) noise[0].y = noise[0].x;
        dpn_widths_fill(&width, square, false, noise, 1, room);
        size_t nodes = square ? 9 : 5;
        for (size_t i = 0; i < nodes; i++)
            for (size_t j = 0; j < (square ? 1 : nodes); j++)
                for (size_t k = 0; k < 2 * nodes - 1; k++) {
                    double s = (double)i / (double)(nodes - 1), t = square ? s : (double)j / (double)(nodes - 1);
                    double f = ((double)k - (double)nodes + 1) / (double)(nodes - 1) * (square ? 1.5 : 2);
                    double expected = fabs(noise[0].product - s * noise[0].y - t * noise[0].x + f * noise[0].rows);
                    assert_true(fabs(dpn_product_width(&width, s, t, f) - expected) < 1e-12 * (1 + expected));
                }
        assert_true(room[1] == 1e300);
        double wide = 0; /* that of every node */
        for (size_t k = 0; k < width.means * width.others * width.factors; k++) wide = largest(wide, width.at[k] = 1);
        room[0] = 1e300;
        dpn_tails_fill(&of, &width, noise, 1, 10, tail, room);
        assert_true(room[1] == 1e300 && wide == 1);
        double high = -1e300, low = -1e300; /* at means of 1, where there is but one table */
        for (size_t size = 0; size < DPN_TAIL_SIZES; size++) {
            double n = 2 + sizes[size] * 10, x = fmin((n + noise[0].x) / (n + 2), 1),
                   y = fmin((n + noise[0].y) / (n + 2), 1);
            many[0] = n + 11 - x * (n + noise[0].y) - y * (n + noise[0].x) + (n + 2) * x * y;
            high = largest(high, many[0]);
            low = largest(low, -many[0]);
        }
        size_t last = of.means * of.others - 1;
        high = largest(high, 0), low = largest(low, 0);
        if (!square) high = low = largest(high, low);
        if (!(fabs(of.high[0][last] - high) < 1e-9 * (1 + high) && fabs(of.low[0][last] - low) < 1e-9 * (1 + low)))
            fail_msg("%d: %g and %g, not %g and %g", square, of.low[0][last], of.high[0][last], low, high);
    }
}

/* ---- Between the nodes ---- */

static double at_node(const double of[DPN_TAIL_SIZES][DPN_TAIL_MEANS * DPN_TAIL_MEANS], size_t others, size_t size,
                      double i, double j) {
    return of[size][(size_t)i * others + (size_t)j];
}

/* Linear in each of rows, s and t. */
static double inside(const double of[DPN_TAIL_SIZES][DPN_TAIL_MEANS * DPN_TAIL_MEANS], size_t means, size_t others,
                     double rows, double s, double t) {
    size_t size = 0;
    while (size + 2 < DPN_TAIL_SIZES && sizes[size + 1] < rows) size++;
    double r = fmin((rows - sizes[size]) / (sizes[size + 1] - sizes[size]), 1), sum = 0;
    double x = s * (double)(means - 1), y = others > 1 ? t * (double)(others - 1) : 0;
    for (int c = 0; c < 8; c++) {
        double i = c & 1 ? ceil(x) : floor(x), j = c & 2 ? ceil(y) : floor(y);
        double p = i == floor(x) && (c & 1) ? 0 : c & 1 ? x - floor(x) : 1 - (x - floor(x));
        double q = j == floor(y) && (c & 2) ? 0 : c & 2 ? y - floor(y) : 1 - (y - floor(y));
        sum += p * q * (c & 4 ? r : 1 - r) * at_node(of, others, size + (c & 4 ? 1 : 0), i, j);
    }
    return sum;
}

/* The largest over a range is that over the fortieths in it: its ends and all nodes are such. */
static void ranges(void **state) {
    (void)state;
    static dpn_tails of;
    uint64_t seed = 3;
    for (int trial = 0; trial < 60; trial++) {
        bool square = trial % 2;
        of.means = square ? 5 : 3;
        of.others = square ? 1 : 3;
        of.scale = 10;
        for (size_t size = 0; size < DPN_TAIL_SIZES; size++)
            for (size_t at = 0; at < DPN_TAIL_MEANS * DPN_TAIL_MEANS; at++) {
                of.low[size][at] = (trial % 3 == 0 ? 0 : 1) + uniform(&seed);
                of.high[size][at] = (trial % 3 == 1 ? 0 : 2) + uniform(&seed);
            }
        double s[2] = {floor(40 * uniform(&seed)) / 40}, t[2] = {floor(40 * uniform(&seed)) / 40};
        s[1] = s[0] + floor((41 - 40 * s[0]) * uniform(&seed)) / 40;
        t[1] = t[0] + floor((41 - 40 * t[0]) * uniform(&seed)) / 40;
        double rows = trial % 5 == 0 ? sizes[trial / 5] : 35 * uniform(&seed), low = 0, high = 0;
        for (int a = 0; a <= 40; a++)
            for (int b = 0; b <= 40; b++) {
                double x = a / 40.0, y = b / 40.0;
                if (x < s[0] - 1e-9 || x > s[1] + 1e-9 || y < t[0] - 1e-9 || y > t[1] + 1e-9) continue;
                low = fmax(low, inside(of.low, of.means, of.others, rows, x, y));
                high = fmax(high, inside(of.high, of.means, of.others, rows, x, y));
            }
        dpn_reach got = dpn_tails_of(&of, 2 + 10 * rows, s, t);
        if (!(fabs(got.low - low) <= 1e-9 && fabs(got.high - high) <= 1e-9))
            fail_msg("%g rows, [%g, %g], [%g, %g]: %.12g and %.12g, not %.12g and %.12g", rows, s[0], s[1], t[0], t[1],
                     got.low, got.high, low, high);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(widths), cmocka_unit_test(tails),
                                       cmocka_unit_test(one_draw_is_all), cmocka_unit_test(ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
