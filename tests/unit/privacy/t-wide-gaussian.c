/* Wide Gaussian noise on the integers between two Gaussians: against sums over all pairs of integers, and against the FFT. */
#include "privacy/compose/wide-gaussian.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { REACH = 160 };

static dpn_part part_of(const char *family, double sigma, double sensitivity, uint64_t times) {
    dpn_law law;
    dpn_part part = {.times = times};
    assert_int_equal(dpn_law_make(&law, family, &sigma, 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&part.loss, &law, sensitivity, NULL), DPN_OK);
    return part;
}

/* P(k), |k| <= REACH; what is beyond weighs less than e^-200. */
static void fill(long double *p, double sigma) {
    long double sum = 0;
    for (int k = -REACH; k <= REACH; k++) sum += p[k + REACH] = expl(-0.5L * k * k / sigma / sigma);
    for (int k = 0; k <= 2 * REACH; k++) p[k] /= sum;
}

static long double loss_at(int k, double sigma, double move) {
    return ((k + move) * (k + move) - (long double)k * k) / (2 * sigma * sigma);
}

static long double truth_of_two(double sigma, double move, double other, double moved, double epsilon) {
    static long double p[2 * REACH + 1], q[2 * REACH + 1];
    long double sum = 0;
    fill(p, sigma);
    fill(q, other);
    for (int k = -REACH; k <= REACH; k++)
        for (int j = -REACH; j <= REACH; j++) {
            long double loss = loss_at(k, sigma, move) + loss_at(j, other, moved);
            if (loss > epsilon) sum += p[k + REACH] * q[j + REACH] * -expm1l(epsilon - loss);
        }
    return sum;
}

static const struct point {
    double sigma, move, other, moved, epsilon;
} points[] = {{4, 1, 5, 2, 0.5}, {4, 3, 4, 1, 2}, {7, 2, 4.5, 1, 0.1},
              {8, 1, 6, 5, 3},   {6, 6, 8, 1, 4}, {5, 1, 7, 2, -0.3}};

/* Where log delta is linear in sigma the bounds are 1.5/sigma^2 of the slope apart; three times that is no accident. */
static double widest(const struct point *x) {
    double least = fmin(x->sigma, x->other);
    long double more = truth_of_two(x->sigma * 0.999, x->move, x->other * 0.999, x->moved, x->epsilon),
                less = truth_of_two(x->sigma * 1.001, x->move, x->other * 1.001, x->moved, x->epsilon);
    return 3 * (double)(logl(more / less) / 0.002L) * 1.5 / (least * least);
}

static void around_the_sum(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const struct point *x = &points[i];
        dpn_part part[] = {part_of("discrete-gaussian", x->sigma, x->move, 1),
                           part_of("discrete-gaussian", x->other, x->moved, 1)};
        dpn_delta bounds;
        long double truth = truth_of_two(x->sigma, x->move, x->other, x->moved, x->epsilon);
        assert_true(dpn_wide_gaussian_delta(&bounds, part, 2, x->epsilon));
        if (!(bounds.lower < truth && truth < bounds.upper && bounds.log_upper - bounds.log_lower < widest(x)))
            fail_msg("point %zu: %.9Lg is not in %.9g .. %.9g, or these are %g apart", i, truth, bounds.lower,
                     bounds.upper, bounds.log_upper - bounds.log_lower);
    }
}

/* One answer with noise of the reals: its profile at what the other leaves of epsilon. */
static void around_a_mixed_sum(void **state) {
    (void)state;
    static long double p[2 * REACH + 1];
    dpn_part part[] = {part_of("discrete-gaussian", 5, 2, 1), part_of("gaussian", 3, 1.5, 1)};
    long double least = 0, most = 0;
    dpn_delta bounds;
    fill(p, 5);
    for (int k = -REACH; k <= REACH; k++) {
        dpn_delta rest;
        assert_int_equal(dpn_profile_delta(&rest, &part[1].loss.law, 1.5, (double)(1 - loss_at(k, 5, 2)), NULL),
                         DPN_OK);
        least += p[k + REACH] * rest.lower;
        most += p[k + REACH] * rest.upper;
    }
    assert_true(dpn_wide_gaussian_delta(&bounds, part, 2, 1));
    assert_true(bounds.lower < least && most < bounds.upper);
    assert_true(bounds.log_upper - bounds.log_lower < 0.4);
}

/* Many releases of three answers: another engine. */
static void around_the_fft(void **state) {
    (void)state;
    dpn_part part[] = {part_of("discrete-gaussian", 40, 1, 3), part_of("discrete-gaussian", 60, 7, 2),
                       part_of("discrete-gaussian", 90, 30, 1)};
    dpn_workspace *workspace;
    dpn_accounting_options options = {.size = sizeof options, .method = DPN_METHOD_FFT};
    dpn_delta bounds, other;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_compose_delta(&other, workspace, part, 3, 1, &options, NULL), DPN_OK);
    dpn_workspace_free(workspace);
    assert_true(dpn_wide_gaussian_delta(&bounds, part, 3, 1));
    assert_true(bounds.lower < other.upper && other.lower < bounds.upper);
    assert_true(bounds.log_upper - bounds.log_lower < 0.02);
}

/* Wider noise: the bounds are what a composition returns, whatever the sensitivities. */
static void any_width(void **state) {
    (void)state;
    dpn_part part[] = {part_of("discrete-gaussian", 4e5, 1e5, 1), part_of("discrete-gaussian", 1e9, 7, 2),
                       part_of("discrete-gaussian", 2e4, 301, 1000)};
    dpn_delta delta;
    assert_int_equal(dpn_compose_delta(&delta, NULL, part, 3, 1, NULL, NULL), DPN_OK);
    assert_true(delta.lower > 0 && delta.log_upper - delta.log_lower < 1e-6);
}

static void refused(void **state) {
    (void)state;
    dpn_delta bounds;
    dpn_part narrow = part_of("discrete-gaussian", 3.9, 1, 1), other = part_of("discrete-laplace", 50, 1, 1),
             real = part_of("gaussian", 50, 1, 1), many = part_of("discrete-gaussian", 50, 1, 1000000001);
    assert_false(dpn_wide_gaussian_delta(&bounds, &narrow, 1, 1));
    assert_false(dpn_wide_gaussian_delta(&bounds, &other, 1, 1));
    assert_false(dpn_wide_gaussian_delta(&bounds, &real, 1, 1));
    assert_false(dpn_wide_gaussian_delta(&bounds, &many, 1, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(around_the_sum), cmocka_unit_test(around_a_mixed_sum),
                                       cmocka_unit_test(around_the_fft), cmocka_unit_test(any_width),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
