/* The papers' conditions, the other objectives and noise on the integers, each against a computation written here. */
#include "settings.h"

#include <dpnoise/calibrate.h>
#include <dpnoise/loss.h>
#include <dpnoise/renyi.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_plan plan_of(const char *family, double epsilon, double delta, size_t dimension,
                        const dpn_calibration_options *options) {
    dpn_sensitivity set = {.dimension = dimension, .linf = 1};
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, family, epsilon, delta, &set, options, &why) != DPN_OK)
        fail_msg("%s (%g, %g): %s", family, epsilon, delta, why.sentence);
    return plan;
}

static double variance_of(dpn_law *law, const char *family, double first, double second) {
    assert_int_equal(dpn_law_make(law, family, (const double[]){first, second}, 2, NULL), DPN_OK);
    return dpn_law_variance(law);
}

/* ---- zCDP ---- */

/* FH Theorem 9 at D = 1: gamma = sqrt(K/2 eta), R(alpha) = xi/eta, and Bun and Steinke's epsilon = xi + eta + 2 sqrt(eta
 * log(1/delta)). What is left to choose is eta: 4000 of them. */
static double least_by_theorem_9(double epsilon, double delta, size_t dimension) {
    double term = log(1 / delta), most = sqrt(term + epsilon) - sqrt(term), least = INFINITY;
    for (int i = 1; i <= 4000; i++) {
        double root = most * i / 4000 * (1 - 1e-12), eta = root * root;
        double nu = (epsilon - eta - 2 * root * sqrt(term)) / eta, alpha = nu < 1 ? sqrt(fmax(nu, 0)) : (nu + 1) / 2;
        dpn_law law;
        least = fmin(least, variance_of(&law, "flipped-huber", alpha, sqrt((double)dimension / (2 * eta))));
    }
    return least;
}

static void flipped_huber_by_theorem_9(void **state) {
    (void)state;
    dpn_calibration_options zcdp = {.size = sizeof(dpn_calibration_options), .condition = DPN_CONDITION_ZCDP};
    static const size_t dimensions[] = {1, 3, 20};
    uint64_t seed = 4;
    for (int i = 0; i < 12; i++) {
        size_t k = dimensions[i % 3];
        double epsilon = 0.1 + 3 * uniform(&seed), delta = pow(10, -2 - 8 * uniform(&seed));
        dpn_plan plan = plan_of("flipped-huber", epsilon, delta, k, &zcdp);
        double least = least_by_theorem_9(epsilon, delta, k);
        bool own = !strcmp(dpn_law_family(dpn_plan_law(&plan, 0)), "flipped-huber");
        if (!(plan.variance[0] <= least * (1 + 1e-6)) || (own && plan.variance[0] < least * (1 - 1e-4)))
            fail_msg("K = %zu (%g, %g): %.10g, by hand %.10g", k, epsilon, delta, plan.variance[0], least);
        assert_true(plan.delta.upper <= delta);
        dpn_plan_free(&plan);
    }
}

/* ---- FH Theorem 8 ---- */

/* Q(gamma eps/D2 - D2/2 gamma - K R/2 gamma D2) - e^eps Q(gamma eps/D2 + D2/2 gamma + K R/2 gamma D2 + theta D1/gamma D2), on a box of K answers that
 * move by D. */
static double by_theorem_8(const dpn_law *law, double dimension, double far, double epsilon) {
    double alpha = dpn_law_parameter(law, "alpha"), gamma = dpn_law_parameter(law, "gamma"),
           beyond = fmax(alpha - far, 0);
    double r = dimension * (alpha * alpha - beyond * beyond), d1 = dimension * far, d2 = sqrt(dimension) * far;
    dpn_flipped_huber_terms terms;
    assert_int_equal(dpn_flipped_huber_terms_of(&terms, law, NULL), DPN_OK);
    if (r > 2 * gamma * gamma * epsilon - d2 * d2) return 1;
    double x = gamma * epsilon / d2 - d2 / (2 * gamma) - r / (2 * gamma * d2);
    double y = gamma * epsilon / d2 + d2 / (2 * gamma) + r / (2 * gamma * d2) + terms.theta * d1 / (gamma * d2);
    return 0.5 * erfc(x * sqrt(0.5)) - 0.5 * exp(epsilon) * erfc(y * sqrt(0.5));
}

/* With a shape that is given the noise is the least one that the theorem knows to be private: no less does. */
static void flipped_huber_by_theorem_8(void **state) {
    (void)state;
    static const double shapes[] = {0.2, 1, 3};
    static const size_t dimensions[] = {1, 3, 20};
    uint64_t seed = 8;
    for (int i = 0; i < 27; i++) {
        double shape = shapes[i % 3], epsilon = 0.1 + 2 * uniform(&seed), delta = pow(10, -2 - 8 * uniform(&seed)),
               far = 0.3 + 2 * uniform(&seed);
        size_t k = dimensions[i / 3 % 3];
        dpn_calibration_options options = {
            .size = sizeof options, .condition = DPN_CONDITION_SUFFICIENT, .shape_min = shape, .shape_max = shape};
        dpn_sensitivity set = {.dimension = k, .linf = far};
        dpn_plan plan;
        dpn_error why;
        if (dpn_calibrate(&plan, "flipped-huber", epsilon, delta, &set, &options, &why)) fail_msg("%s", why.sentence);
        const dpn_law *law = dpn_plan_law(&plan, 0);
        if (!strcmp(dpn_law_family(law), "flipped-huber")) {
            double gamma = dpn_law_parameter(law, "gamma"), at = by_theorem_8(law, (double)k, far, epsilon);
            dpn_law less;
            variance_of(&less, "flipped-huber", shape * gamma * (1 - 1e-6), gamma * (1 - 1e-6));
            double below = by_theorem_8(&less, (double)k, far, epsilon);
            if (!(at <= delta * (1 + 1e-9) && below > delta))
                fail_msg("K = %zu (%g, %g), %g: %.10g, with less noise %.10g", k, epsilon, delta, shape, at, below);
        }
        assert_true(plan.delta.upper <= delta);
        dpn_plan_free(&plan);
    }
}

/* Canonne, Kamath and Steinke's delta at the best of many orders, of K coordinates of one law. */
static double delta_by_renyi(const dpn_law *law, size_t dimension, double epsilon) {
    double least = 0;
    for (int i = 0; i <= 1000; i++) {
        double order = 1 + exp(log(0.02) + (log(1e5) - log(0.02)) * i / 1000);
        dpn_divergence one;
        assert_int_equal(dpn_renyi(&one, law, 1, order, NULL), DPN_OK);
        least = fmin(least, (order - 1) * ((double)dimension * one.upper - epsilon + log1p(-1 / order)) - log(order));
    }
    return exp(least);
}

static void osgt_by_renyi(void **state) {
    (void)state;
    dpn_calibration_options zcdp = {.size = sizeof(dpn_calibration_options), .condition = DPN_CONDITION_ZCDP};
    static const size_t dimensions[] = {20, 50};
    dpn_plan pure =
        plan_of("osgt", 1, 1e-6, 1, &zcdp); /* one coordinate: the limit is pure, and no divergence is less */
    assert_true(pure.limit && fabs(pure.variance[0] / 2 - 1) < 1e-8);
    dpn_plan_free(&pure);
    for (int i = 0; i < 2; i++) {
        dpn_plan plan = plan_of("osgt", 1, 1e-6, dimensions[i], &zcdp);
        const dpn_law *law = dpn_plan_law(&plan, 0);
        assert_string_equal(dpn_law_family(law), "osgt");
        double m = dpn_law_parameter(law, "m"), sigma = dpn_law_parameter(law, "sigma");
        assert_true(delta_by_renyi(law, dimensions[i], 1) <= 1e-6 * (1 + 1e-3)); /* the orders here are a grid */
        dpn_law narrower;
        variance_of(&narrower, "osgt", m * (1 - 1e-3), sigma * (1 - 1e-3));
        assert_true(delta_by_renyi(&narrower, dimensions[i], 1) > 1e-6);
        for (int j = 0; j < 24; j++) { /* no other shape is better by more than 1e-4 */
            double ratio = 0.02 * pow(1e4, j / 23.0);
            double scale = sqrt(plan.variance[0] * (1 - 1e-4) / variance_of(&narrower, "osgt", ratio, 1));
            variance_of(&narrower, "osgt", ratio * scale, scale);
            assert_true(delta_by_renyi(&narrower, dimensions[i], 1) > 1e-6);
        }
        dpn_plan_free(&plan);
    }
}

/* ---- objectives ---- */

static void errors_have_closed_forms(void **state) {
    (void)state;
    dpn_calibration_options mae = {.size = sizeof(dpn_calibration_options), .objective = DPN_OBJECTIVE_MAE},
                            interval = {.size = sizeof(dpn_calibration_options), .objective = DPN_OBJECTIVE_INTERVAL95};
    for (size_t k = 1; k <= 8; k *= 8) {
        double n = (double)k;
        dpn_plan laplace = plan_of("laplace", 1, 1e-6, k, NULL), gaussian = plan_of("gaussian", 1, 1e-6, k, NULL);
        double scale = dpn_law_parameter(dpn_plan_law(&laplace, 0), "scale");
        double sigma = dpn_law_parameter(dpn_plan_law(&gaussian, 0), "sigma");
        dpn_plan plan[4] = {plan_of("laplace", 1, 1e-6, k, &mae), plan_of("laplace", 1, 1e-6, k, &interval),
                            plan_of("gaussian", 1, 1e-6, k, &mae), plan_of("gaussian", 1, 1e-6, k, &interval)};
        double error[4] = {n * scale, n * scale * log(20), n * sigma * sqrt(2 / 3.141592653589793),
                           n * sigma * 1.959963984540054};
        for (int i = 0; i < 4; i++) {
            if (fabs(plan[i].error / error[i] - 1) > 3e-9)
                fail_msg("%d: %.12g is not %.12g", i, plan[i].error, error[i]);
            dpn_plan_free(&plan[i]);
        }
        dpn_plan_free(&laplace);
        dpn_plan_free(&gaussian);
    }
}

/* Pure Laplace noise of its own on each coordinate with the error sum w s: s^2 ~ lambda/w, so the error is
 * (sum sqrt(w lambda))^2/epsilon for the mean absolute error. */
static void absolute_errors_are_spread_as_lagrange_says(void **state) {
    (void)state;
    const double bound[] = {1, 4, 9, 0}, weight[] = {1, 1, 4, 2};
    dpn_sensitivity set = {.dimension = 4, .bound = bound};
    dpn_calibration_options mae = {
        .size = sizeof(dpn_calibration_options), .objective = DPN_OBJECTIVE_MAE, .weight = weight};
    dpn_plan plan;
    assert_int_equal(dpn_calibrate(&plan, "laplace", 0.5, 0, &set, &mae, NULL), DPN_OK);
    if (fabs(plan.error / (81 / 0.5) - 1) > 1e-13) fail_msg("%.17g", plan.error);
    dpn_plan_free(&plan);
}

/* ---- the integers ---- */

/* delta of one or two coordinates that move by 1, summed over all points. */
static double delta_by_sums(const dpn_law *law, size_t dimension, double epsilon) {
    enum { REACH = 300 };
    static double p[2 * REACH + 2];
    double e = exp(epsilon), delta = 0;
    for (int i = 0; i < 2 * REACH + 2; i++) p[i] = dpn_law_pdf(law, i - REACH);
    for (int i = 0; i <= 2 * REACH; i++) {
        if (dimension == 1) delta += fmax(0, p[i + 1] - e * p[i]);
        for (int j = 0; dimension == 2 && j <= 2 * REACH; j++) delta += fmax(0, p[i + 1] * p[j + 1] - e * p[i] * p[j]);
    }
    return delta;
}

/* Every alpha or 2m up to 60, each with the least scale by bisection on the sums, has no less variance. */
static void integers_by_sums(void **state) {
    (void)state;
    static const char *const families[] = {"discrete-flipped-huber", "discrete-osgt"};
    static const double settings[][3] = {{1, 1, 1e-4}, {1, 0.4, 1e-2}, {2, 1.5, 1e-3}};
    for (int f = 0; f < 2; f++)
        for (int s = 0; s < 3; s++) {
            size_t k = (size_t)settings[s][0];
            double epsilon = settings[s][1], delta = settings[s][2];
            dpn_plan plan = plan_of(families[f], epsilon, delta, k, NULL);
            assert_true(delta_by_sums(dpn_plan_law(&plan, 0), k, epsilon) <= delta * (1 + 1e-9));
            for (int step = 1; step <= (k == 1 ? 60 : 8); step++) {
                double shape = f ? 0.5 * step : step, low = log(0.2), high = log(60);
                dpn_law law;
                while (high - low > (k == 1 ? 1e-7 : 1e-4)) {
                    variance_of(&law, families[f], shape, exp(0.5 * (low + high)));
                    *(delta_by_sums(&law, k, epsilon) <= delta ? &high : &low) = 0.5 * (low + high);
                }
                double variance = variance_of(&law, families[f], shape, exp(high));
                if (variance < plan.variance[0] * (1 - 1e-4))
                    fail_msg("%s, K = %zu (%g, %g): shape %g has the variance %.8g, found was %.8g", families[f], k,
                             epsilon, delta, shape, variance, plan.variance[0]);
            }
            dpn_plan_free(&plan);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flipped_huber_by_theorem_8),
        cmocka_unit_test(flipped_huber_by_theorem_9),
        cmocka_unit_test(osgt_by_renyi),
        cmocka_unit_test(errors_have_closed_forms),
        cmocka_unit_test(absolute_errors_are_spread_as_lagrange_says),
        cmocka_unit_test(integers_by_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
