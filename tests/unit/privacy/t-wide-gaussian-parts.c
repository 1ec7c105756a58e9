/* The sums and margins of wide Gaussian noise, each against its definition (docs/proofs/privacy/wide-gaussian.md). */
#include "privacy/compose/wide-gaussian.h"
#include "privacy/compose/wide-gaussian.c" /* to see each piece */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static dpn_part part_of(const char *family, double sigma, double shift, uint64_t times) {
    char text[80];
    snprintf(text, sizeof text, "%s(sigma=%.17g)", family, sigma);
    dpn_law law = case_law(text);
    dpn_part part = {.times = times};
    if (dpn_loss_law(&part.loss, &law, shift, NULL)) fail();
    return part;
}

static void squares_of_parts(void **state) {
    (void)state;
    for (double sigma = 4; sigma < 1e4; sigma *= 3) {
        squares sum = {1, 2, 3};
        dpn_part part = part_of("discrete-gaussian", sigma, 3, 7);
        assert_true(add(&sum, &part));
        double narrow = sigma * sigma - 1.5, wide = sigma * sigma + 1.5 / (1 - 1.5 / (sigma * sigma));
        assert_true(fabs(sum.most - 2 - 63 / narrow) <= 1e-14 && fabs(sum.least - 1 - 63 / wide) <= 1e-14 &&
                    sum.discrete == 10);
        sum = (squares){0};
        part = part_of("gaussian", sigma, 3, 7);
        assert_true(add(&sum, &part));
        assert_true(fabs(sum.most * sigma * sigma - 63) < 1e-12 && sum.least == sum.most && sum.discrete == 0);
    }
    squares sum = {0};
    dpn_part small = part_of("discrete-gaussian", 3.99, 3, 7), thin = part_of("gaussian", 1e-3, 3, 7), other = thin;
    assert_false(add(&sum, &small));
    assert_true(add(&sum, &thin)); /* continuous noise of any width */
    if (dpn_loss_pure(&other.loss, 1, NULL)) fail();
    assert_false(add(&sum, &other));
}

/* log delta of one Gaussian move, and its slope. */
static double at(double root, double epsilon, double *slope) {
    dpn_delta low, high;
    if (!gaussian(&low, root, epsilon - 1e-3) || !gaussian(&high, root, epsilon + 1e-3)) fail();
    *slope = (high.log_upper - low.log_upper) / 2e-3;
    if (!gaussian(&low, root, epsilon)) fail();
    return 0.5 * (low.log_lower + low.log_upper);
}

/* Rounding at random is off by a factor each time: in the masses on either side, twice that in epsilon, and once in delta. */
static void margins_of_many_releases(void **state) {
    (void)state;
    for (double n = 1e4; n < 1e9; n *= 30) {
        double sigma = 4 * sqrt(n);
        dpn_part part = part_of("discrete-gaussian", sigma, 2, (uint64_t)n);
        for (double epsilon = 0.1; epsilon < 5; epsilon += 0.9) {
            dpn_delta delta;
            double slope, times = (double)part.times, factor = 6e-13 * times;
            assert_true(dpn_wide_gaussian_delta(&delta, &part, 1, epsilon));
            double most = at(2 * sqrt(times / (sigma * sigma - 1.5)), epsilon, &slope), above = delta.log_upper - most;
            double wanted = factor * (1 - 2 * slope);
            assert_true(slope < 0 && fabs(above - wanted) <= 1e-3 * wanted + 1e-12);
            double least = at(2 * sqrt(times / (sigma * sigma + 1.5 / (1 - 1.5 / sigma / sigma))), epsilon, &slope);
            assert_true(fabs(least - delta.log_lower - factor * (1 - 2 * slope)) <= 1e-3 * wanted + 1e-12);
        }
    }
    /* Few releases: the rounding of the root, which log delta feels as often as its slope says. */
    dpn_part part = part_of("discrete-gaussian", 1e6, 2e6, 1);
    dpn_delta delta;
    double slope;
    assert_true(dpn_wide_gaussian_delta(&delta, &part, 1, 60));
    double exact = at(2 / sqrt(1 - 1.5e-12), 60, &slope),
           rooted = 2 * (at(2 * (1 + 1e-6), 60, &slope) - at(2, 60, &slope)) / 2e-6;
    assert_true(delta.log_upper - exact >= 17 * DBL_EPSILON * rooted && delta.log_lower < exact);
}

static void what_is_out_of_range(void **state) {
    (void)state;
    dpn_delta delta = {7, 7, 7, 7};
    dpn_part part[2] = {part_of("discrete-gaussian", 1e6, 1, 999999999), part_of("gaussian", 1, 1e-3, 1)};
    assert_true(dpn_wide_gaussian_delta(&delta, part, 1, 1));
    assert_true(dpn_wide_gaussian_delta(&delta, part, 2, 1));
    part[0].times = 1000000000; /* as many as 10^9 */
    delta = (dpn_delta){7, 7, 7, 7};
    assert_false(dpn_wide_gaussian_delta(&delta, part, 1, 1));
    assert_false(dpn_wide_gaussian_delta(&delta, part + 1, 1, 1)); /* none on the integers */
    assert_false(dpn_wide_gaussian_delta(&delta, part, 0, 1));
    part[0] = part_of("discrete-gaussian", 4, 0, 3); /* which does not move */
    assert_false(dpn_wide_gaussian_delta(&delta, part, 1, 1));
    part[1] = part_of("gaussian", 1e-100, 1, 1);
    part[0].loss.sensitivity = 1;
    assert_false(dpn_wide_gaussian_delta(&delta, part, 2, 1));
    assert_true(delta.lower == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(squares_of_parts), cmocka_unit_test(margins_of_many_releases),
                                       cmocka_unit_test(what_is_out_of_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
