/* The profile of start boxes: points by quadrature of its definition, lists of atoms that bound it, and their composition. */
#include "calibrate/start-law.h"
#include "calibrate/start-profile.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double uniform(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-53;
}

enum { MOST = 5 };

static dpn_plan plan_of(double epsilon, const double *c, size_t count) {
    char text[400];
    int used = snprintf(
        text, sizeof text,
        "[{\"coordinates\": \"0-%zu\", \"noise\": \"start-box(epsilon=%.17g)\", \"sensitivities\": 1, \"c\": [",
        count - 1, epsilon);
    for (size_t i = 0; i < count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%.17g", i ? ", " : "", c[i]);
    snprintf(text + used, sizeof text - (size_t)used, "]}]");
    dpn_plan plan;
    dpn_error why;
    if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s: %s", text, why.sentence);
    return plan;
}

/* Claim 4 word for word, by Simpson's rule from where the integrand begins; it ends 60/epsilon further. */
static double delta_by_definition(double epsilon, double at, const double *c, size_t count) {
    enum { STEPS = 60000 };
    double s = at / epsilon, least = c[0], part[2] = {0};
    for (size_t i = 1; i < count; i++) least = fmin(least, c[i]);
    for (int all = 0; all < 2; all++) {
        double from = all ? 0 : fmax(fmax(0, -s), 0.5 * (1 - s) - least),
               h = (60 + 4 * (double)count) / epsilon / STEPS;
        for (int k = 0; k <= STEPS; k++) {
            double r = from + k * h, product = exp(-epsilon * r);
            for (size_t i = 0; i < count; i++) product *= all ? 2 * (c[i] + r) : fmax(0, 2 * (c[i] + r) - (1 - s));
            part[all] += h / 3 * product * (k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2);
        }
    }
    return 1 - part[0] / part[1];
}

static void points_agree(void **state) {
    (void)state;
    uint64_t seed = 1979;
    for (int trial = 0; trial < 40; trial++) {
        size_t count = 1 + (size_t)(uniform(&seed) * MOST);
        double epsilon = exp(3 * uniform(&seed) - 1.5), c[MOST];
        for (size_t i = 0; i < count; i++) c[i] = trial % 7 == 0 && i == 0 ? 0 : exp(5 * uniform(&seed) - 2);
        dpn_plan plan = plan_of(epsilon, c, count);
        epsilon = plan.block[0].epsilon; /* the text rounds up */
        for (int k = -4; k <= 4; k++) {
            double at = 0.24 * k * epsilon, upper = dpn_start_delta_upper(&plan.block[0], at);
            double truth = delta_by_definition(epsilon, at, c, count);
            if (!(fabs(upper - truth) < 2e-9)) fail_msg("trial %d: %.12g, not %.12g", trial, upper, truth);
        }
        assert_true(dpn_start_delta_upper(&plan.block[0], epsilon) == 0);
        dpn_plan_free(&plan);
    }
}

/* delta of the list at a value. */
static double delta_of_list(const double *numbers, size_t count, double at) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] > at) sum += numbers[count + i] * -expm1(at - numbers[i]);
    return sum;
}

/* The list is a pair of probability laws, and its profile is above the exact one, not by much, everywhere. */
static void lists_bound_the_profile(void **state) {
    (void)state;
    uint64_t seed = 1987;
    int lists = 0;
    for (int trial = 0; trial < 60; trial++) {
        size_t count = 1 + (size_t)(uniform(&seed) * MOST), atoms;
        double epsilon = exp(4 * uniform(&seed) - 2), c[MOST], *numbers, sum = 0, other = 0;
        for (size_t i = 0; i < count; i++) c[i] = exp(4 * uniform(&seed) - 1);
        dpn_plan plan = plan_of(epsilon, c, count);
        epsilon = plan.block[0].epsilon; /* the text rounds up */
        assert_int_equal(dpn_start_loss(&numbers, &atoms, &plan.block[0], NULL), DPN_OK);
        for (size_t i = 0; numbers && i < atoms; i++) {
            sum += numbers[atoms + i];
            other += numbers[atoms + i] * exp(-numbers[i]);
        }
        for (int k = 0; numbers && k <= 1000; k++) {
            double at = epsilon * (2.0 * k / 1000 - 1), exact = dpn_start_delta_upper(&plan.block[0], at),
                   list = delta_of_list(numbers, atoms, at);
            if (!(list >= exact - 1e-13 && list <= exact + 1e-5 * (1 + epsilon * epsilon)))
                fail_msg("trial %d: %.12g for %.12g", trial, list, exact);
        }
        if (numbers) {
            assert_true(fabs(sum - 1) < 1e-12 && fabs(other - 1) < 1e-12 && numbers[atoms - 1] == epsilon);
            lists++;
        }
        free(numbers);
        dpn_plan_free(&plan);
    }
    assert_true(lists > 20);
}

/* What plans tell: the profile, several releases by convolution of the list with itself, divergences by their definition, and no more
 * than the bound by Laplace noise anywhere. */
static void plans_know_it(void **state) {
    (void)state;
    const double c[] = {0.45, 2.6}, order[] = {2, 5};
    dpn_plan plan = plan_of(1, c, 2);
    dpn_sensitivity set = {.dimension = 2, .bound = plan.sensitivity};
    dpn_delta delta;
    dpn_divergence divergence[2];
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &set, 1, 0, NULL, NULL), DPN_OK);
    assert_true(fabs(delta.upper - 0.36533728) < 1e-7 && delta.upper < -expm1(-0.5));
    double *numbers, sum = 0, power[2] = {0};
    size_t n;
    assert_int_equal(dpn_start_loss(&numbers, &n, &plan.block[0], NULL), DPN_OK);
    assert_non_null(numbers);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double both = numbers[i] + numbers[j];
            if (both > 0.7) sum += numbers[n + i] * numbers[n + j] * -expm1(0.7 - both);
        }
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &set, 2, 0.7, NULL, NULL), DPN_OK);
    assert_true(fabs(delta.upper - sum) < 1e-5 * sum && delta.upper >= sum * (1 - 1e-12));
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) power[k] += numbers[n + i] * exp((order[k] - 1) * numbers[i]);
    assert_int_equal(dpn_plan_renyi(divergence, NULL, &plan, &set, 1, order, 2, NULL), DPN_OK);
    for (int k = 0; k < 2; k++) assert_true(fabs(divergence[k].upper - log(power[k]) / (order[k] - 1)) < 1e-9);
    for (uint64_t times = 1; times <= 1000; times *= 10)
        for (double at = 0.1; at < 10; at *= 2) {
            dpn_loss laplace;
            dpn_delta bound;
            assert_int_equal(dpn_loss_block(&laplace, 1, NULL), DPN_OK);
            dpn_part part = {laplace, times};
            assert_int_equal(dpn_compose_delta(&bound, NULL, &part, 1, at, NULL, NULL), DPN_OK);
            assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &set, times, at, NULL, NULL), DPN_OK);
            assert_true(delta.upper <= bound.upper);
        }
    free(numbers);
    dpn_plan_free(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_agree),
        cmocka_unit_test(lists_bound_the_profile),
        cmocka_unit_test(plans_know_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
