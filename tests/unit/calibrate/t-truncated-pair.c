/* Truncated geometric noise on one answer that moves by 1 is the best noise on the integers: a certificate. The multipliers of
 * docs/proofs/law/truncated-geometric.md, section 3, bound the error of every noise from below, and the plan has it. */
#include <dpnoise/calibrate.h>

#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static dpn_plan plan_of(const char *family, double epsilon, double delta, double sensitivity, dpn_objective objective) {
    dpn_sensitivity set = {.dimension = 1, .linf = sensitivity};
    dpn_calibration_options options = {.size = sizeof options, .objective = objective};
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, family, epsilon, delta, &set, &options, &why)) fail_msg("%s", why.sentence);
    return plan;
}

static void known_values(void **state) {
    (void)state;
    static const struct {
        double epsilon, delta, variance;
    } row[] = {{0.1, 0.01, 66.201}, {0.3, 0.01, 12.983}, {1, 0.01, 1.5163}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_plan plan = plan_of("truncated-geometric", row[i].epsilon, row[i].delta, 1, DPN_OBJECTIVE_MSE);
        assert_true(fabs(plan.mse / row[i].variance - 1) < 5e-5);
        assert_true(plan.delta.upper <= row[i].delta && plan.delta.lower >= row[i].delta * (1 - 1e-9));
        assert_true(plan.bounded && plan.integer && !plan.limit);
        dpn_plan_free(&plan);
    }
}

static long double cost(dpn_objective objective, long double k) {
    return objective == DPN_OBJECTIVE_MAE ? k : k * k;
}

/* With y_k = q^-k sum over |j| <= k of q^|j| (mu - g(j))/lambda, 0 <= y <= 1, the error of any noise is at least mu - lambda
 * delta: each of the conditions is looked at here. */
static long double lower_bound(double epsilon, double delta, int n, dpn_objective objective) {
    long double q = expl(-(long double)epsilon), mu = 0, lambda = 0, power = 1;
    for (int j = 1; j <= n; j++) {
        power *= q;
        mu += 2 * power * (cost(objective, j) - cost(objective, j - 1)) / (1 + q);
    }
    for (int j = 1 - n; j < n; j++)
        lambda += 2 * q / (1 + q) * powl(q, j < 0 ? -j : j) * (cost(objective, n) - cost(objective, j < 0 ? -j : j));
    long double y = 0;
    for (int k = 0; k <= n + 3; k++) {
        long double weight = (k > 0 ? 2 : 1) * (mu - cost(objective, k)) / lambda, next = y / q + weight;
        if (k <= n) {
            assert_true(next >= 0 && next <= 1 + 1e-9L); /* the recursion loses digits */
            if (k >= n - 1) assert_true(fabsl(next - 1) < 1e-9L);
            y = k >= n - 1 ? 1 : next;
        } else {
            assert_true(next <= 1 + 1e-12L); /* from here on y = 1 leaves something over */
        }
    }
    return mu - lambda * delta;
}

static void nothing_is_better(void **state) {
    (void)state;
    draw_source source = {11};
    for (int i = 0; i < 60; i++) {
        double epsilon = draw_log_uniform(&source, 0.02, 4), delta = draw_log_uniform(&source, 1e-6, 0.3);
        dpn_objective objective = i % 2 ? DPN_OBJECTIVE_MAE : DPN_OBJECTIVE_MSE;
        dpn_plan plan = plan_of("truncated-geometric", epsilon, delta, 1, objective);
        const dpn_law *law = &plan.block[0].law;
        assert_string_equal(dpn_law_family(law), "truncated-geometric");
        assert_true(law->parameter[0] == epsilon);
        long double least = lower_bound(epsilon, delta, (int)law->parameter[1], objective);
        if (!(fabsl(plan.error / least - 1) < 1e-8L))
            fail_msg("%g, %g: %.12g and %.12Lg", epsilon, delta, plan.error, least);
        dpn_plan_free(&plan);
    }
}

/* For larger moves it is one of several, and certified all the same; no other noise on the integers here is better. */
static void larger_moves(void **state) {
    (void)state;
    static const double move[] = {2, 3, 8};
    for (size_t i = 0; i < 3; i++) {
        dpn_plan plan = plan_of("truncated-geometric", 0.5, 1e-4, move[i], DPN_OBJECTIVE_MSE);
        dpn_plan other = plan_of("discrete-laplace", 0.5, 1e-4, move[i], DPN_OBJECTIVE_MSE);
        dpn_delta delta;
        assert_int_equal(dpn_profile_delta(&delta, &plan.block[0].law, move[i], 0.5, NULL), DPN_OK);
        assert_true(delta.upper <= 1e-4 && plan.error < other.error);
        dpn_plan_free(&plan);
        dpn_plan_free(&other);
    }
}

/* The rate is the largest double whose product with the move is at most epsilon, exactly: the quotient may round to one more. */
static void rate_stays_below_epsilon(void **state) {
    (void)state;
    draw_source source = {12};
    int above = 0;
    for (int i = 0; i < 12; i++) {
        double epsilon = draw_log_uniform(&source, 0.2, 3), move = i % 2 ? 3 : 7;
        dpn_plan plan = plan_of("truncated-geometric", epsilon, 0.01, move, DPN_OBJECTIVE_MSE);
        double rate = plan.block[0].law.parameter[0];
        assert_true(fma(rate, move, -epsilon) <= 0 && fma(nextafter(rate, 9), move, -epsilon) > 0);
        above += fma(epsilon / move, move, -epsilon) > 0;
        dpn_plan_free(&plan);
    }
    assert_true(above > 0); /* or nothing was tried */
}

static void several_answers(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 3, .linf = 1};
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, "truncated-geometric", 1, 1e-3, &set, NULL, &why)) fail_msg("%s", why.sentence);
    assert_true(plan.delta.upper <= 1e-3);
    dpn_plan_free(&plan);
    dpn_sensitivity one_of_many = {.dimension = 100, .linf = 1, .max_changed = 1};
    if (dpn_calibrate(&plan, "truncated-geometric", 0.1, 0.01, &one_of_many, NULL, &why)) fail_msg("%s", why.sentence);
    assert_true(fabs(plan.mse / 6620.1145 - 1) < 1e-7);
    dpn_plan_free(&plan);
}

static void refusals(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 1, .linf = 1};
    dpn_plan plan;
    dpn_error why;
    assert_int_equal(dpn_calibrate(&plan, "truncated-geometric", 1, 0, &set, NULL, &why), DPN_EUNSUPPORTED);
    assert_non_null(strstr(why.sentence, "delta above 0"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),    cmocka_unit_test(nothing_is_better),        cmocka_unit_test(larger_moves),
        cmocka_unit_test(several_answers), cmocka_unit_test(rate_stays_below_epsilon), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
