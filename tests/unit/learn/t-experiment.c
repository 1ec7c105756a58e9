/* Experiments: with next to no noise they end at the fit without noise, whatever the columns' units; tuning takes the best of what it tries;
 * exact accounting does no worse than the paper's; and what is not for them is refused. */
#include "unit/learn/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 1000 };

static dpn_status tried(dpn_experiment *out, const dpn_fit_options *fit_options, const char *epsilon,
                        const dpn_experiment_options *options, double unit) {
    seeded random;
    seeded_begin(&random, 3);
    dpn_declaration declared = data_declared(DATA_FEATURES, fit_options->kind, epsilon, "1e-6");
    bool linear = fit_options->kind == DPN_FIT_LINEAR;
    double *value = linear ? data_linear(ROWS, 5) : data_logistic(ROWS, 5);
    for (size_t i = 0; i < ROWS; i++) value[i * DATA_WIDTH + 2] *= unit; /* one column in another unit */
    dpn_fit *fit = data_planned(fit_options, &declared);
    assert_int_equal(dpn_fit_numbers(fit, value, ROWS, NULL), DPN_OK);
    dpn_status status = dpn_fit_experiment(out, fit, options, &random.rng, NULL);
    dpn_experiment again;
    if (!status) assert_int_equal(dpn_fit_experiment(&again, fit, options, &random.rng, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    free(value);
    return status;
}

static dpn_fit_options by_descent(dpn_fit_kind kind) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "cd";
    options.kind = kind;
    options.raw = true;
    return options;
}

/* Standardised columns do not depend on their unit; 200 passes reach the minimum. */
static void test_minimum(void **state) {
    (void)state;
    const uint64_t passes[] = {1, 200};
    const double step[] = {1}, clip[] = {50};
    dpn_experiment_options options = dpn_experiment_options_init();
    options.passes = passes;
    options.passes_count = 2;
    options.step = step;
    options.clip = clip;
    options.steps = options.clips = 1;
    options.tuning = 1;
    options.trials = 2;
    for (int kind = DPN_FIT_LINEAR; kind <= DPN_FIT_LOGISTIC; kind++) {
        dpn_fit_options fit = by_descent((dpn_fit_kind)kind);
        dpn_experiment found, other;
        fit.l2 = 0.05;
        assert_int_equal(tried(&found, &fit, "1000000000", &options, 1), DPN_OK);
        assert_int_equal(tried(&other, &fit, "1000000000", &options, 0.125), DPN_OK);
        assert_int_equal(found.passes, 200);
        assert_int_equal(found.rows, ROWS * 8 / 10);
        assert_true(found.nmse.mean < 1e-6 && found.tuned < 1e-6 && other.nmse.mean < 1e-6);
        assert_true(fabs(found.test.mean - found.plain_test) < 0.01);
        assert_true(fabs(other.plain_test - found.plain_test) < 0.01);
        assert_true(found.plain_test > 0 && found.plain_test < 0.3);
    }
}

/* The settings that are tried include a clip that is of no use; it is not chosen. */
static void test_noise(void **state) {
    (void)state;
    const uint64_t passes[] = {3};
    const double step[] = {1}, clip[] = {1e-6, 1};
    dpn_experiment_options options = dpn_experiment_options_init();
    dpn_fit_options fit = by_descent(DPN_FIT_LINEAR);
    dpn_experiment exact, paper;
    options.passes = passes;
    options.step = step;
    options.clip = clip;
    options.passes_count = options.steps = 1;
    options.clips = 2;
    fit.noise = "gaussian";
    assert_int_equal(tried(&exact, &fit, "1", &options, 1), DPN_OK);
    fit.accounting = DPN_FIT_PAPER;
    assert_int_equal(tried(&paper, &fit, "1", &options, 1), DPN_OK);
    printf("# NMSE %.3g +- %.1g by exact, %.3g +- %.1g by the paper's accounting\n", exact.nmse.mean, exact.nmse.error,
           paper.nmse.mean, paper.nmse.error);
    assert_true(exact.clip == 1 && exact.noise < paper.noise);
    assert_true(exact.nmse.mean > 0 && exact.nmse.mean < 1 && exact.nmse.error > 0);
    assert_true(exact.distance.mean > 0);
}

static void test_refused(void **state) {
    (void)state;
    dpn_experiment_options options = dpn_experiment_options_init();
    dpn_fit_options fit = by_descent(DPN_FIT_LINEAR);
    dpn_experiment found;
    const double step[] = {0};
    options.step = step;
    options.steps = 1;
    assert_int_equal(tried(&found, &fit, "1", &options, 1), DPN_EDOMAIN);
    fit.method = "moments";
    assert_int_equal(tried(&found, &fit, "1", NULL, 1), DPN_EUNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_minimum), cmocka_unit_test(test_noise),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
