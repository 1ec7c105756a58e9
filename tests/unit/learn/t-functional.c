/* The functional mechanism: the recorded noise is that of the ball that was asked for and enough for one row, and KN's finding
 * that the l-infinity ball needs about half the noise of l1. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "unit/learn/data.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS = 1 + 5 + 1 + 15 + 5 };

/* The mean square of a coordinate of V with density proportional to exp(-epsilon |v|_p/Delta_p), Delta_p = d^(1/p): V is R U, where R is a
 * Gamma(d + 1) variable times Delta/epsilon, of mean square (d+1)(d+2), and U uniform in the unit ball, whose coordinates have the mean square
 * 2/((d+1)(d+2)) for l1, 1/(d+2) for l2 and 1/3 for the cube. */
static double variance_of(const char *ball, double epsilon) {
    double d = CELLS, radius = (d + 1) * (d + 2) / (epsilon * epsilon);
    if (strcmp(ball, "l1") == 0) return radius * d * d * 2 / ((d + 1) * (d + 2));
    return strcmp(ball, "l2") == 0 ? radius * d / (d + 2) : radius / 3;
}

static double expect_ball(const char *ball, double epsilon, const char *text) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "functional";
    options.ball = ball;
    dpn_declaration declared = data_declared(5, DPN_FIT_LINEAR, text, NULL);
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_fit_release release = dpn_fit_release_at(fit, 0);
    double one[CELLS], mse = release.plan->variance[3];
    for (size_t i = 0; i < CELLS; i++) one[i] = 1;
    dpn_sensitivity set = {.dimension = CELLS, .bound = one};
    dpn_delta delta;
    dpn_error why;
    assert_null(dpn_fit_release_at(fit, 1).plan);
    assert_int_equal(release.times, 1);
    assert_int_equal(release.plan->dimension, CELLS);
    if (dpn_plan_delta(&delta, NULL, NULL, release.plan, &set, 1, epsilon, NULL, &why)) fail_msg("%s", why.sentence);
    assert_true(delta.upper == 0);
    for (size_t i = 0; i < CELLS; i++)
        assert_true(fabs(release.plan->variance[i] / variance_of(ball, epsilon) - 1) < 1e-6);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return mse;
}

static void test_balls(void **state) {
    (void)state;
    double l1 = expect_ball("l1", 0.5, "0.5"), linf = expect_ball("linf", 0.5, "0.5"),
           l2 = expect_ball("l2", 0.5, "0.5");
    assert_true(linf < l2 && l2 < l1);
    assert_true(sqrt(l1 / linf) > 2 && sqrt(l1 / linf) < 2.5); /* about half the epsilon for the same error */
}

/* One row in place of another: the exact Delta_1 of five features is 7^2/2 + 15/2 = 32, not the 52 of a box, and Delta_2 is the root of less than the
 * 104 of a box; Delta_inf is 2. The number of rows is public. */
static void test_replaced(void **state) {
    (void)state;
    const char *const balls[] = {"l1", "l2", "linf"};
    double variance[3];
    for (int i = 0; i < 3; i++) {
        dpn_fit_options options = dpn_fit_options_init();
        options.method = "functional";
        options.ball = balls[i];
        dpn_declaration declared = data_declared(5, DPN_FIT_LINEAR, "1", NULL);
        declared.relation = DPN_REPLACE;
        free(declared.missing_value);
        declared.missing_value = strdup("0");
        declared.missing = DPN_MISSING_VALUE;
        dpn_fit *fit = data_planned(&options, &declared);
        const dpn_plan *plan = dpn_fit_release_at(fit, 0).plan;
        assert_true(plan->variance[0] == 0);
        variance[i] = plan->variance[3];
        dpn_fit_free(fit);
        dpn_declaration_free(&declared);
    }
    double d = CELLS - 1;
    assert_true(fabs(variance[0] / (2 * 32 * 32) - 1) < 1e-9);
    assert_true(variance[1] > 48 * (d + 1) && variance[1] < 60 * (d + 1)); /* Delta_2^2 (d + 1) */
    assert_true(fabs(variance[2] / (4 * (d + 1) * (d + 2) / 3) - 1) < 1e-9);
}

static void test_unknown_ball(void **state) {
    (void)state;
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "functional";
    options.ball = "l3";
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", NULL);
    dpn_fit *fit;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EPARSE);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_balls), cmocka_unit_test(test_replaced),
                                       cmocka_unit_test(test_unknown_ball)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
