/* Vectors of noise: the law of the norm, its independence of the direction, single coordinates on coarse grids, fast
 * against slow decisions, and sources that fail. Seeded: a run is repeatable; the rate of false alarms over all seeds
 * is 1e-6 for all tests together. */
#include "random/vector.h"
#include "unit/random/fit.h"
#include "unit/random/gamma-law.h"
#include "unit/random/laws.h"
#include "unit/random/seeded.h"
#include "unit/random/tape.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 150, BINS = 50, TESTS = 100 };
static const double alarm = 1e-6 / TESTS;

static dpn_vector_sampler *sampler_of(size_t dimension, double p, double scale_step, double rate, int grid) {
    double scale[MOST];
    int exponent[MOST];
    for (size_t i = 0; i < dimension; i++) {
        scale[i] = 1 + scale_step * (double)i;
        exponent[i] = grid;
    }
    dpn_vector_sampler *out;
    assert_int_equal(dpn_vector_sampler_lp(&out, dimension, p, scale, rate, exponent, NULL), DPN_OK);
    return out;
}

static double norm_of(const dpn_vector_sampler *sampler, const int64_t *steps, double p) {
    double sum = 0, largest = 0;
    for (size_t i = 0; i < sampler->dimension; i++) {
        double x = ldexp(fabs((double)steps[i]), sampler->grid[i]) / sampler->scale[i];
        largest = fmax(largest, x);
        if (!isinf(p)) sum += pow(x, p);
    }
    return isinf(p) ? largest : pow(sum, 1 / p);
}

/* A seeded source is its own place in memory; so is one with its draws. */
static void check_fit(const uint64_t *count, const double *probability, size_t bins, double n, const char *what) {
    double found = fit_pearson(count, probability, bins, n), limit = fit_pearson_limit(bins, alarm);
    if (found > limit) fail_msg("%s: chi-squared %g, limit %g", what, found, limit);
}

/* ---- Gamma ---- */

static void test_gamma(void **state) {
    (void)state;
    static const int shapes[] = {1, 2, 3, 7, 20, 101, 1000};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        seeded source;
        int n = shapes[s] > 100 ? points(10000, 100000) : points(50000, 500000);
        seeded_begin(&source, 100 + s);
        uint64_t count[BINS] = {0};
        double probability[BINS];
        for (int i = 0; i < BINS; i++) probability[i] = 1.0 / BINS;
        for (int i = 0; i < n; i++) {
            dpn_lazy r;
            assert_int_equal(dpn_lazy_gamma(&r, (uint64_t)shapes[s], &source.rng), DPN_DRAWN);
            int bin = (int)(BINS * gamma_sf(shapes[s], dpn_lazy_double(&r)));
            count[bin < BINS ? bin : BINS - 1]++;
        }
        check_fit(count, probability, BINS, n, "gamma");
    }
}

/* All points decided by wide numbers make the same variable: two words of zeros at the start of y cannot be told from f
 * by doubles, so that a tape of them leads there; here a large shape where a last place of r matters. */
static void test_gamma_of_large_shape(void **state) {
    (void)state;
    seeded source;
    seeded_begin(&source, 5);
    const uint64_t shape = 1000001;
    int n = points(20000, 200000);
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        dpn_lazy r;
        assert_int_equal(dpn_lazy_gamma(&r, shape, &source.rng), DPN_DRAWN);
        double z = (dpn_lazy_double(&r) - (double)shape) / sqrt((double)shape);
        sum += z;
        squares += z * z;
    }
    assert_true(fabs(sum / sqrt(n)) < 6);
    assert_true(fabs((squares - n) / sqrt(2.0 * n)) < 6.5);
}

/* ---- Lazy numbers ---- */

/* The bits of x that decided an acceptance belong to the number: they are the last word taken, after that of y. And the
 * number is the one that the sampler of the law makes of the same words. */
static void test_lazy_bits_are_kept(void **state) {
    (void)state;
    static dpn_sampler sampler;
    dpn_law law = law_of("gaussian(sigma=1)");
    assert_int_equal(dpn_lazy_sampler(&sampler, &law, NULL), DPN_OK);
    draw_source random = {.state = 8};
    int kept = 0, n = points(5000, 50000);
    for (int i = 0; i < n; i++) {
        uint64_t word[100];
        tape one, two;
        dpn_lazy x;
        int64_t steps;
        for (int k = 0; k < 100; k++) word[k] = draw_bits(&random);
        tape_begin(&one, word, 100);
        tape_begin(&two, word, 100);
        assert_int_equal(dpn_lazy_draw(&x, &sampler, &one.rng), DPN_DRAWN);
        assert_int_equal(dpn_sampler_draw(&steps, &sampler, &two.rng, 1, NULL), DPN_OK);
        assert_int_equal(tape_taken(&one), tape_taken(&two));
        assert_int_equal((x.whole[0] + 1) / 2, (uint64_t)llabs(steps)); /* cells are half steps */
        assert_true(steps == 0 || x.negative == (steps < 0));
        assert_true(x.part.words <= 1);
        if (x.part.words == 1) {
            assert_true(x.part.word[0] == word[tape_taken(&one) - 1]);
            kept++;
        }
    }
    assert_true(kept > n / 200);
}

/* ---- The norm, and its independence of the direction ---- */

static void check_norm(size_t dimension, double p, double step, double rate, int grid, int n, uint64_t seed) {
    dpn_vector_sampler *sampler = sampler_of(dimension, p, step, rate, grid);
    seeded source;
    seeded_begin(&source, seed);
    uint64_t count[BINS] = {0}, pair[8 * 2 * 4] = {0}, share[8] = {0};
    double probability[BINS], joint[8 * 2 * 4];
    int64_t steps[MOST];
    for (int i = 0; i < BINS; i++) probability[i] = 1.0 / BINS;
    for (int k = 0; k < n; k++) {
        assert_int_equal(dpn_vector_sampler_draw(steps, sampler, &source.rng, NULL), DPN_OK);
        double norm = norm_of(sampler, steps, p), tail = gamma_sf((int)dimension, norm * rate);
        int bin = (int)(BINS * tail), octile = (int)(8 * tail);
        count[bin < BINS ? bin : BINS - 1]++;
        octile = octile < 8 ? octile : 7;
        /* The direction: two signs, and whether the first coordinate is a large part of the norm. */
        double first = ldexp(fabs((double)steps[0]), grid) / norm;
        int side = first > 0.5, signs = (steps[0] > 0) + 2 * (steps[dimension - 1] > 0);
        pair[(octile * 2 + side) * 4 + signs]++;
        share[side]++;
    }
    check_fit(count, probability, BINS, n, "norm");
    if (dimension > 1 && share[0] > 0 && share[1] > 0) { /* sides in their own share: a degree of freedom less */
        for (int i = 0; i < 8 * 2 * 4; i++) joint[i] = (double)share[i / 4 % 2] / n / 8 / 4;
        check_fit(pair, joint, 8 * 2 * 4, n, "norm and direction");
    }
    dpn_vector_sampler_free(sampler);
}

static void test_norm(void **state) {
    (void)state;
    static const double p[] = {1, 1.5, 2, 3, INFINITY};
    static const size_t dimension[] = {1, 2, 5, 50};
    for (size_t k = 0; k < 5; k++)
        for (size_t d = 0; d < 4; d++) {
            bool slow = p[k] == 1.5 || p[k] == 3;
            int n = dimension[d] > 5 ? points(2000, 20000) : slow ? points(5000, 50000) : points(20000, 200000);
            check_norm(dimension[d], p[k], 0.75, 0.7, slow ? -14 : -20, n, 10 * k + d + 1000);
        }
}

/* On a grid so fine that doubles decide nothing. */
static void test_norm_the_slow_way(void **state) {
    (void)state;
    check_norm(3, INFINITY, 0.5, 1, -50, points(4000, 40000), 1);
    check_norm(3, 2, 0.5, 1, -50, points(1500, 15000), 2);
    check_norm(3, 1, 0.5, 1, -50, points(3000, 30000), 3);
    check_norm(2, 1.25, 0.5, 1, -50, points(300, 3000), 4);
}

/* ---- One coordinate on a grid of a few steps ---- */

static void check_coordinate(size_t dimension, double p, int law_dimension, int grid, uint64_t seed) {
    enum { CELLS = 10 };
    dpn_vector_sampler *sampler = sampler_of(dimension, p, 0, 1, grid);
    seeded source;
    seeded_begin(&source, seed);
    int n = points(50000, 500000);
    uint64_t count[CELLS] = {0};
    double probability[CELLS], above = 1, g = ldexp(1, grid);
    int64_t steps[MOST];
    for (int k = 0; k < CELLS; k++) {
        double edge = (k + 0.5) * g;
        double next = k == CELLS - 1 ? 0 : law_dimension > 0 ? box_coordinate_sf(law_dimension, edge) : exp(-edge);
        probability[k] = above - next;
        above = next;
    }
    for (int i = 0; i < n; i++) {
        assert_int_equal(dpn_vector_sampler_draw(steps, sampler, &source.rng, NULL), DPN_OK);
        int64_t size = llabs(steps[(size_t)i % dimension]);
        count[size < CELLS ? size : CELLS - 1]++;
    }
    check_fit(count, probability, CELLS, n, "coordinate");
    dpn_vector_sampler_free(sampler);
}

static void test_coordinates(void **state) {
    (void)state;
    check_coordinate(1, INFINITY, 1, 0, 1);
    check_coordinate(2, INFINITY, 2, 0, 2);
    check_coordinate(6, INFINITY, 6, 1, 3);
    check_coordinate(3, 2, 2, 0, 4);
    check_coordinate(4, 1, 0, -1, 5);
}

/* E V_i^2 = (m+1)(m+2) E U_i^2 (scale/rate)^2, U uniform in the l_p ball. */
static void test_variances(void **state) {
    (void)state;
    static const double p[] = {1, 1.5, 2, 4, INFINITY};
    for (size_t k = 0; k < 5; k++) {
        double m = 5, q = p[k], sum = 0, fourth = 0;
        double u2 =
            isinf(q) ? 1.0 / 3 : exp(lgamma(3 / q) - lgamma(1 / q) + lgamma(m / q + 1) - lgamma((m + 2) / q + 1));
        double variance = (m + 1) * (m + 2) * u2 * 4;
        dpn_vector_sampler *sampler = sampler_of(5, q, 0, 0.5, -12);
        seeded source;
        seeded_begin(&source, 77 + k);
        int n = points(10000, 100000);
        for (int i = 0; i < n; i++) {
            int64_t steps[5];
            assert_int_equal(dpn_vector_sampler_draw(steps, sampler, &source.rng, NULL), DPN_OK);
            double x = ldexp((double)steps[2], -12);
            sum += x * x;
            fourth += x * x * x * x;
        }
        double error = sqrt((fourth / n - sum / n * sum / n) / n);
        if (fabs(sum / n - variance) > 6 * error) fail_msg("p = %g: %g, not %g", q, sum / n, variance);
        dpn_vector_sampler_free(sampler);
    }
}

/* ---- The same words, decided by doubles and by wide numbers ---- */

static void test_fast_and_slow_agree(void **state) {
    (void)state;
    static const double p[] = {1, 1.5, 2, 3, INFINITY};
    int n = points(100, 1000);
    for (size_t k = 0; k < 5; k++) {
        /* For the box and l1 the second coordinate would already see other words. */
        size_t dimension = isinf(p[k]) || p[k] == 1 ? 1 : 3;
        dpn_vector_sampler *fast = sampler_of(dimension, p[k], 1, 0.25, -12);
        dpn_vector_sampler *slow = sampler_of(dimension, p[k], 1, 0.25, -48);
        for (int seed = 0; seed < n; seed++) {
            seeded one, two;
            int64_t coarse[3], fine[3];
            seeded_begin(&one, (uint64_t)seed + 1);
            seeded_begin(&two, (uint64_t)seed + 1);
            assert_int_equal(dpn_vector_sampler_draw(coarse, fast, &one.rng, NULL), DPN_OK);
            assert_int_equal(dpn_vector_sampler_draw(fine, slow, &two.rng, NULL), DPN_OK);
            for (size_t i = 0; i < dimension; i++)
                assert_true(fabs(ldexp((double)fine[i], -36) - (double)coarse[i]) <= 0.5 + 0x1p-36);
        }
        dpn_vector_sampler_free(fast);
        dpn_vector_sampler_free(slow);
    }
}

/* So many coordinates that a draw has memory of its own; the words of them all are looked at again where doubles decide nothing. */
static void test_fast_and_slow_agree_on_many(void **state) {
    (void)state;
    static const size_t dimensions[] = {126, 127, 128, 129, MOST};
    for (size_t d = 0; d < sizeof dimensions / sizeof *dimensions; d++) {
        dpn_vector_sampler *fast = sampler_of(dimensions[d], 2, 0, 0.25, -8),
                           *slow = sampler_of(dimensions[d], 2, 0, 0.25, -46);
        for (int seed = 0; seed < points(4, 40); seed++) {
            seeded one, two;
            int64_t coarse[MOST + 1], fine[MOST + 1];
            seeded_begin(&one, (uint64_t)seed + 1);
            seeded_begin(&two, (uint64_t)seed + 1);
            coarse[dimensions[d]] = fine[dimensions[d]] = 7;
            assert_int_equal(dpn_vector_sampler_draw(coarse, fast, &one.rng, NULL), DPN_OK);
            assert_int_equal(dpn_vector_sampler_draw(fine, slow, &two.rng, NULL), DPN_OK);
            for (size_t i = 0; i < dimensions[d]; i++)
                assert_true(fabs(ldexp((double)fine[i], -38) - (double)coarse[i]) <= 0.5 + 0x1p-38);
            assert_true(coarse[dimensions[d]] == 7 && fine[dimensions[d]] == 7);
        }
        dpn_vector_sampler_free(fast);
        dpn_vector_sampler_free(slow);
    }
}

/* ---- Failures ---- */

static void test_source_that_ends(void **state) {
    (void)state;
    static const double p[] = {1, 1.5, 2, INFINITY};
    uint64_t word[400];
    draw_source random = {.state = 9};
    for (int i = 0; i < 400; i++) word[i] = draw_bits(&random);
    for (size_t k = 0; k < 4; k++) {
        dpn_vector_sampler *sampler = sampler_of(4, p[k], 1, 1, -50);
        for (size_t length = 0;; length++) {
            tape end;
            int64_t steps[4] = {1, 1, 1, 1};
            dpn_error why;
            tape_begin(&end, word, length);
            dpn_status status = dpn_vector_sampler_draw(steps, sampler, &end.rng, &why);
            if (status == DPN_OK) {
                assert_true(length >= 4);
                break;
            }
            assert_int_equal(status, DPN_EENTROPY);
            for (int i = 0; i < 4; i++) assert_int_equal(steps[i], 0);
            assert_true(length < 400);
        }
        dpn_vector_sampler_free(sampler);
    }
}

static void test_refusals(void **state) {
    (void)state;
    const double one = 1, zero = 0, nan = NAN;
    const int grid = 0, fine = -62, beyond = 2000;
    dpn_vector_sampler *out = NULL;
    assert_int_equal(dpn_vector_sampler_lp(&out, 0, 1, &one, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_lp(&out, (size_t)1 << 40, 1, &one, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_lp(&out, 1, 0.5, &one, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_lp(&out, 1, NAN, &one, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_lp(&out, 1, 1, &zero, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_lp(&out, 1, 1, &nan, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_lp(&out, 1, 1, &one, 0, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_lp(&out, 1, 1, &one, INFINITY, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_lp(&out, 1, 1, &one, 1, &fine, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_lp(&out, 1, 1, &one, 1, &beyond, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_lp(&out, 1, 1, NULL, 1, &grid, NULL), DPN_EDOMAIN);
    assert_null(out);
    dpn_vector_sampler_free(NULL);
    assert_int_equal(dpn_vector_sampler_dimension(NULL), 0);
}

/* Ends of the domain, and a little beyond: p, scales, rates and grids, and grids that are just coarse enough for (2 dimension + 400) scale/rate to be 2^61 steps. */
static void test_ends_of_the_domain(void **state) {
    (void)state;
    static const struct {
        double p, scale, rate;
        int grid;
        bool right;
    } rows[] = {{1000, 1, 1, -10, true},
                {1000.5, 1, 1, -10, false},
                {1, 1, 1, -10, true},
                {1 - 0x1p-50, 1, 1, -10, false},
                {2, 0x1p1000, 1, 1000, true},
                {2, 0x1.01p1000, 1, 1000, false},
                {2, 0x1p-1000, 1, -1000, true},
                {2, 0x1.ffp-1001, 1, -1000, false},
                {2, 1, 0x1p1000, -1000, true},
                {2, 1, 0x1.01p1000, -1000, false},
                {2, 1, 0x1p-1000, 1000, true},
                {2, 1, 0x1.ffp-1001, 1000, false},
                {2, 0x1p500, 0x1p-500, 1000, true},
                {2, 0x1p501, 0x1p-500, 1000, false},
                {2, 0x1p-500, 0x1p500, -1000, true},
                {2, 0x1p-501, 0x1p500, -1000, false},
                {2, 1, 1, 1000, true},
                {2, 1, 1, 1001, false},
                {2, 0x1p-999, 1, -1001, false},
                {2, 1, 402, -61, true}, /* 402 of one coordinate */
                {2, 1, 401.9, -61, false},
                {INFINITY, 1, 402, -61, true},
                {INFINITY, 1, 401.9, -61, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_vector_sampler *out = NULL;
        dpn_status status =
            dpn_vector_sampler_lp(&out, 1, rows[i].p, &rows[i].scale, rows[i].rate, &rows[i].grid, NULL);
        if (status != (rows[i].right ? DPN_OK : DPN_EDOMAIN))
            fail_msg("row %zu is %s", i, status ? "refused" : "taken");
        assert_true((out != NULL) == rows[i].right);
        if (out) assert_int_equal(dpn_vector_sampler_dimension(out), 1);
        dpn_vector_sampler_free(out);
    }
}

/* What bounds of many bits decide is the nearest number, as round of libm has it, and what they leave open they leave open. */
static void test_nearest(void **state) {
    (void)state;
    uint64_t seed = 91;
    for (int trial = 0; trial < 2000; trial++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double x = ldexp((double)(seed >> 20), -(int)(seed >> 8 & 63)), size = round(x), off = fabs(x - size);
        int limbs = trial % 2 ? dpn_lazy_limbs(1) : dpn_lazy_limbs(4);
        dpn_rounding down = {limbs, false}, up = {limbs, true};
        dpn_wide low = dpn_wide_double(down, x), high = dpn_wide_double(up, x);
        int64_t steps = 7;
        bool negative = trial % 3 == 0;
        assert_true(dpn_vector_nearest(limbs, &low, &high, negative, &steps));
        if (steps != (negative ? -(int64_t)size : (int64_t)size)) fail_msg("%.17g becomes %lld", x, (long long)steps);
        double wide = 0.5 - off + 0x1p-8, narrow = 0.5 - off - 0x1p-8; /* to the next number, and not quite */
        if (x < 1 || x > 0x1p40) continue;
        low = dpn_wide_double(down, x - wide), high = dpn_wide_double(up, x + wide);
        assert_false(dpn_vector_nearest(limbs, &low, &high, negative, &steps));
        if (narrow < 0) continue;
        low = dpn_wide_double(down, x - narrow), high = dpn_wide_double(up, x + narrow);
        assert_true(dpn_vector_nearest(limbs, &low, &high, negative, &steps));
        assert_true(fabs((double)steps) == size);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_gamma),
        cmocka_unit_test(test_gamma_of_large_shape),
        cmocka_unit_test(test_lazy_bits_are_kept),
        cmocka_unit_test(test_norm),
        cmocka_unit_test(test_norm_the_slow_way),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_variances),
        cmocka_unit_test(test_fast_and_slow_agree),
        cmocka_unit_test(test_fast_and_slow_agree_on_many),
        cmocka_unit_test(test_source_that_ends),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_ends_of_the_domain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
