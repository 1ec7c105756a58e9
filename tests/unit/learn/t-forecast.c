/* Forecasts: against fits of another generator's rows through the public calls, against what a tenth of epsilon has to cost, and that
 * a fit without rows is wanted. */
#include "unit/learn/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 4000, RUNS = 5 };

static dpn_fit_options by(const char *method, dpn_fit_kind kind) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = method;
    options.kind = kind;
    return options;
}

static double forecast(const dpn_fit_options *options, const dpn_declaration *declared) {
    seeded random;
    double error = NAN;
    seeded_begin(&random, 5);
    dpn_fit *fit = data_planned(options, declared);
    assert_int_equal(dpn_fit_forecast(&error, fit, ROWS, &random.rng, NULL), DPN_OK);
    dpn_fit_free(fit);
    return error;
}

static double said(const dpn_model *model, const double *row) {
    double sum = model->coefficient[0].value;
    for (size_t j = 1; j < DATA_WIDTH; j++) sum += model->coefficient[j].value * row[j];
    return model->kind == DPN_FIT_LINEAR ? sum : 1 / (1 + exp(-sum));
}

/* The median of what predictions for these rows differ by. */
static double measured(dpn_fit_options options, const dpn_declaration *declared, const double *value) {
    double found[RUNS];
    for (uint64_t run = 0; run < RUNS; run++) {
        dpn_fit_options without = options;
        without.method = "non-private";
        dpn_model *model = data_fitted(&options, declared, value, ROWS, run);
        dpn_model *plain = data_fitted(&without, declared, value, ROWS, run);
        double squares = 0;
        for (size_t r = 0; r < ROWS; r++) {
            double by = said(model, value + r * DATA_WIDTH) - said(plain, value + r * DATA_WIDTH);
            squares += by * by / ROWS;
        }
        found[run] = sqrt(squares);
        dpn_model_free(model);
        dpn_model_free(plain);
    }
    return data_median(found, RUNS);
}

/* Features of both are uniform, targets differ: a factor of 3 is between them at most. */
static void expect_like_fits(const char *method, dpn_fit_kind kind) {
    dpn_declaration declared = data_declared(DATA_FEATURES, kind, "1", NULL);
    dpn_fit_options options = by(method, kind);
    double *value = kind == DPN_FIT_LINEAR ? data_linear(ROWS, 7) : data_logistic(ROWS, 7);
    double told = forecast(&options, &declared), seen = measured(options, &declared, value);
    printf("# %s: forecast %.4g, measured %.4g\n", method, told, seen);
    assert_true(told > seen / 3 && told < seen * 3);
    dpn_declaration_free(&declared);
    free(value);
}

static void test_like_fits(void **state) {
    (void)state;
    expect_like_fits("moments", DPN_FIT_LINEAR);
    expect_like_fits("functional", DPN_FIT_LINEAR);
    expect_like_fits("objective", DPN_FIT_LOGISTIC);
}

/* Raw estimates have errors in proportion to the noise where that is small; a large epsilon leaves none. */
static void test_epsilon(void **state) {
    (void)state;
    dpn_fit_options options = by("moments", DPN_FIT_LINEAR);
    options.raw = true;
    double error[3];
    static const char *const epsilon[] = {"5", "50", "100000"};
    for (size_t e = 0; e < 3; e++) {
        dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, epsilon[e], NULL);
        error[e] = forecast(&options, &declared);
        dpn_declaration_free(&declared);
    }
    assert_true(error[0] > 7 * error[1] && error[0] < 14 * error[1]);
    assert_true(error[2] < 1e-5);
}

/* Descent tells more of itself after each run; rows that came before, no rows and a second time are refused. */
static void test_used_up(void **state) {
    (void)state;
    const double row[] = {1, 1};
    double error = 7;
    dpn_declaration declared = data_declared(1, DPN_FIT_LOGISTIC, "1", "0.001");
    dpn_fit_options options = by("cd", DPN_FIT_LOGISTIC);
    seeded random;
    seeded_begin(&random, 1);
    dpn_fit *fit = data_planned(&options, &declared);
    assert_int_equal(dpn_fit_forecast(&error, fit, 0, &random.rng, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_fit_forecast(&error, fit, DPN_FIT_FORECAST_ROWS + 1, &random.rng, NULL), DPN_EDOMAIN);
    assert_true(error == 7);
    assert_int_equal(dpn_fit_forecast(&error, fit, 100, &random.rng, NULL), DPN_OK);
    assert_true(error > 0 && error < 1);
    assert_int_equal(dpn_fit_forecast(&error, fit, 100, &random.rng, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    fit = data_planned(&options, &declared);
    assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_OK);
    assert_int_equal(dpn_fit_forecast(&error, fit, 100, &random.rng, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_like_fits), cmocka_unit_test(test_epsilon),
                                       cmocka_unit_test(test_used_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
