/* Plans of spherical noise: errors against integrals over the length and the angle, certified deltas at both ends, the gain over both ends of the family, and what is
 * refused. */
#include "calibrate/noise/kind.h"
#include "calibrate/spherical-noise.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- errors ---- */

/* E of r^power, by Simpson's rule over the length; and P(|X_1| > t) with the share of the sphere beyond t/r. */
static double beyond(double m, double u) {
    enum { STEPS = 400 };
    double part = 0, all = 0;
    if (u >= 1) return 0;
    for (int i = 0; i < STEPS; i++) {
        double angle = acos(u) * (i + 0.5) / STEPS, whole = 1.5707963267948966 * (i + 0.5) / STEPS;
        part += acos(u) * pow(sin(angle), m - 2);
        all += 1.5707963267948966 * pow(sin(whole), m - 2);
    }
    return part / all;
}

static double by_length(double m, double alpha, double beta, double power, double t) {
    int steps = t > 0 ? 800 : 20000;
    double mode = 2 * (m - 1) / (alpha + sqrt(alpha * alpha + 4 * beta * (m - 1))), sum = 0, all = 0,
           end = mode + 30 / sqrt((m - 1) / (mode * mode) + beta) + 20 / (alpha + beta * mode);
    for (int i = 1; i < steps; i++) {
        double r = end * i / steps, weight = (i % 2 ? 4 : 2) * exp((m - 1) * log(r / mode) - alpha * (r - mode) -
                                                                   0.5 * beta * (r * r - mode * mode));
        all += weight;
        sum += weight * (t > 0 ? beyond(m, t / r) : pow(r, power));
    }
    return sum / all;
}

static void errors_are_integrals(void **state) {
    (void)state;
    const double subject[][3] = {{4, 1, 0.5}, {5, 0.99, 0.095}, {20, 1.5, 0.03}, {12, 0.01, 2}};
    for (size_t i = 0; i < sizeof subject / sizeof *subject; i++) {
        double m = subject[i][0], alpha = subject[i][1], beta = subject[i][2];
        double size = exp(lgamma(0.5 * m) - lgamma(0.5 * (m + 1))) / 1.7724538509055160; /* E |U_1| */
        double wide = dpn_spherical_error(m, alpha, beta, DPN_OBJECTIVE_INTERVAL95);
        double mse = dpn_spherical_error(m, alpha, beta, DPN_OBJECTIVE_MSE),
               by_hand = by_length(m, alpha, beta, 2, 0) / m;
        if (!(fabs(mse / by_hand - 1) < 1e-9)) fail_msg("mse %.15g, not %.15g", mse, by_hand);
        assert_true(
            fabs(dpn_spherical_error(m, alpha, beta, DPN_OBJECTIVE_MAE) / (by_length(m, alpha, beta, 1, 0) * size) -
                 1) < 1e-9);
        assert_true(fabs(by_length(m, alpha, beta, 0, wide) - 0.05) < 1e-5);
        assert_true(fabs(2 * dpn_spherical_sf(m, alpha, beta, wide) - 0.05) < 1e-11);
    }
}

/* ---- plans ---- */

static dpn_plan plan_of(const char *family, double epsilon, double delta, const dpn_sensitivity *set) {
    dpn_plan plan = {0};
    dpn_error why;
    if (dpn_calibrate(&plan, family, epsilon, delta, set, NULL, &why)) fail_msg("%s: %s", family, why.sentence);
    return plan;
}

/* The variance of each answer as another program has it (bench/spherical.c), and less than K-norm and Gaussian noise have. */
static void they_gain(void **state) {
    (void)state;
    const struct {
        double epsilon, delta;
        size_t m;
        double variance, gain;
    } row[] = {{0.3, 0.01, 5, 19.856, 0.043},
               {1, 0.01, 5, 2.9902, 0.058},
               {1, 0.001, 20, 5.9642, 0.0114},
               {3, 0.001, 20, 0.90048, 0.0059},
               {1, 1e-6, 5, 5.8233, 0.0025}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_sensitivity set = {.dimension = row[i].m, .l2 = 1};
        dpn_plan plan = plan_of("spherical", row[i].epsilon, row[i].delta, &set);
        dpn_plan norm = plan_of("k-norm", row[i].epsilon, row[i].delta, &set),
                 gaussian = plan_of("gaussian", row[i].epsilon, row[i].delta, &set);
        if (fabs(plan.variance[0] / row[i].variance - 1) > 1e-4)
            fail_msg("variance %.8g, not %g", plan.variance[0], row[i].variance);
        assert_true(plan.mse < (1 - row[i].gain) * fmin(norm.mse, gaussian.mse));
        assert_true(plan.delta.upper <= row[i].delta && plan.delta.lower >= row[i].delta * (1 - 1e-7));
        assert_true(!plan.pure && isinf(plan.pure_epsilon));
        dpn_plan_free(&plan);
        dpn_plan_free(&norm);
        dpn_plan_free(&gaussian);
    }
}

/* The text of a plan reads back to the same guarantee; on a smaller ball it holds, on a larger one it is refused. */
static void plans_read_back(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 6, .l2 = 3}, smaller = {.dimension = 6, .l2 = 2.9},
                    larger = {.dimension = 6, .l2 = 3.1};
    dpn_plan plan = plan_of("spherical", 1, 0.01, &set), again = {0};
    char *text;
    size_t length;
    dpn_delta delta;
    assert_int_equal(dpn_plan_write(&text, &length, &plan, NULL), DPN_OK);
    assert_int_equal(dpn_plan_read(&again, text, length, NULL), DPN_OK);
    assert_true(again.block[0].kind == DPN_BLOCK_SPHERICAL && again.block[0].epsilon == plan.block[0].epsilon &&
                again.block[0].beta == plan.block[0].beta);
    assert_true(fabs(dpn_plan_error(&again, &again.block[0], 2, DPN_OBJECTIVE_MSE) / plan.variance[2] - 1) < 1e-14);
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &again, &set, 1, 1, NULL, NULL), DPN_OK);
    assert_true(delta.upper == plan.delta.upper && delta.lower == plan.delta.lower);
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &again, &smaller, 1, 1, NULL, NULL), DPN_OK);
    assert_true(delta.upper == plan.delta.upper && delta.lower == 0);
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &again, &larger, 1, 1, NULL, NULL), DPN_EUNSUPPORTED);
    dpn_plan_free(&plan);
    dpn_plan_free(&again);
    free(text);
}

/* Around a box with unequal sides, and beside coordinates that do not move. */
static void other_sets(void **state) {
    (void)state;
    const double bound[] = {0, 1, 2, 2, 0, 4};
    dpn_sensitivity box = {.dimension = 6, .bound = bound};
    dpn_plan plan = plan_of("spherical", 1, 0.01, &box);
    assert_int_equal(plan.blocks, 2);
    assert_int_equal(plan.block[0].kind, DPN_BLOCK_NONE);
    assert_int_equal(plan.block[1].count, 4);
    assert_true(plan.variance[0] == 0 && plan.variance[4] == 0 && plan.variance[5] > plan.variance[1]);
    dpn_plan norm = {0};
    dpn_calibration_options l2 = dpn_calibration_options_init();
    l2.has_ball = true;
    l2.ball = DPN_BALL_L2;
    assert_int_equal(dpn_calibrate(&norm, "k-norm", 1, 0.01, &box, &l2, NULL), DPN_OK);
    assert_true(plan.mse < norm.mse);
    dpn_plan_free(&norm);
    dpn_plan_free(&plan);
}

static void refusals(void **state) {
    (void)state;
    dpn_sensitivity ball = {.dimension = 4, .l2 = 1}, one = {.dimension = 1, .l2 = 1},
                    many = {.dimension = 600, .l2 = 1};
    dpn_plan plan;
    dpn_calibration_options twice = dpn_calibration_options_init();
    twice.times = 2;
    assert_int_equal(dpn_calibrate(&plan, "spherical", 1, 0, &ball, NULL, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_calibrate(&plan, "spherical", 1, 1e-3, &one, NULL, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_calibrate(&plan, "spherical", 1, 1e-3, &many, NULL, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_calibrate(&plan, "spherical", 1, 1e-3, &ball, &twice, NULL), DPN_EUNSUPPORTED);
    const char *const bad[] = {"spherical(alpha=1)", "spherical(alpha=0,beta=1)", "spherical(alpha=1,beta=-1)",
                               "spherical(alpha=1,beta=1", "spherical(alpha=1,beta=x)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_block block = {0};
        assert_int_not_equal(dpn_noise_parse(&block, bad[i], NULL), DPN_OK);
    }
}

/* Next to a limit the family has it, nearly; its tails are Gaussian; epsilon 0 has an answer. Gaussian noise: delta(0) = erf(1/(sqrt 8 sigma)). */
static void test_ends(void **state) {
    (void)state;
    dpn_plan spherical, gaussian;
    dpn_sensitivity set = {.dimension = 2, .l2 = 1};
    const struct { double epsilon, delta; } all[] = {{0.01, 0.01}, {0.1, 0.05}, {0, 1e-5}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        dpn_error why;
        if (dpn_calibrate(&spherical, "spherical", all[i].epsilon, all[i].delta, &set, NULL, &why))
            fail_msg("%s", why.sentence);
        assert_int_equal(dpn_calibrate(&gaussian, "gaussian", all[i].epsilon, all[i].delta, &set, NULL, NULL), DPN_OK);
        assert_true(spherical.mse <= gaussian.mse * 1.0005 && spherical.delta.upper <= all[i].delta);
        assert_true(spherical.sub_gaussian);
        if (all[i].epsilon == 0) assert_true(fabs(erf(1 / sqrt(8 * gaussian.mse / 2)) / all[i].delta - 1) < 1e-6);
        dpn_plan_free(&spherical);
        dpn_plan_free(&gaussian);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),       cmocka_unit_test(errors_are_integrals), cmocka_unit_test(they_gain),
        cmocka_unit_test(plans_read_back), cmocka_unit_test(other_sets),           cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
