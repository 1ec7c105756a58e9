/* Sample and aggregate: that a block's fit is the plain one, by other code; that it depends on its rows alone, to the last bit; that one row moves the sum of all fits by no more than
 * the plan says; and that it fits. */
#include "learn/block-fit.h"
#include "learn/plain.h"
#include "unit/learn/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_fit_options by_aggregate(dpn_fit_kind kind) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "aggregate";
    options.kind = kind;
    return options;
}

static dpn_fit *with_rows(dpn_fit_options options, const double *row, size_t rows) {
    dpn_declaration declared = data_declared(DATA_FEATURES, options.kind, "1", NULL);
    dpn_fit *fit = data_planned(&options, &declared);
    assert_int_equal(dpn_fit_numbers(fit, row, rows, NULL), DPN_OK);
    dpn_declaration_free(&declared);
    return fit;
}

/* ---- Fits of blocks ---- */

/* The plain fit with the same ridge, by Newton's method and LAPACK. The ridge of one row on the constant is not part of that, so there is none. */
static void expect_plain(dpn_fit_kind kind) {
    enum { ROWS = 400, M = DATA_FEATURES };
    double *row = kind == DPN_FIT_LINEAR ? data_linear(ROWS, 5) : data_logistic(ROWS, 5);
    dpn_fit_options options = dpn_fit_options_init();
    options.kind = kind;
    options.method = "non-private";
    options.no_intercept = true;
    options.l2 = 0.25;
    dpn_fit *fit = with_rows(options, row, ROWS);
    size_t own[ROWS];
    double b[M], other[M + 1], work[M * (M + 3)];
    double moments[(M + 2) * (M + 2)];
    for (size_t r = 0; r < ROWS; r++) own[r] = r;
    assert_int_equal(dpn_block_fit_work(M), M * (M + 2));
    dpn_block_fit(b, fit, 1, M, own, ROWS, work);
    fit->options.l2 += 1.0 / ROWS;
    if (kind == DPN_FIT_LINEAR) {
        assert_int_equal(dpn_plain_moments(moments, fit, NULL), DPN_OK);
        assert_int_equal(dpn_least_squares(other, moments, fit, NULL), DPN_OK);
    } else
        assert_int_equal(dpn_plain_logistic(other, fit, NULL), DPN_OK);
    for (size_t j = 0; j < M; j++) assert_true(fabs(b[j] - other[j + 1]) < 1e-9 && fabs(b[j]) > 1e-3);
    dpn_fit_free(fit);
    free(row);
}

static void test_plain(void **state) {
    (void)state;
    expect_plain(DPN_FIT_LINEAR);
    expect_plain(DPN_FIT_LOGISTIC);
}

/* The same rows at other places among others, and other memory: the same bits. No rows, and rows that leave no solution: 0 or finite. */
static void test_alone(void **state) {
    (void)state;
    enum { ROWS = 60, M = DATA_FEATURES + 1 };
    double *row = data_logistic(2 * ROWS, 8), *moved = malloc(2 * ROWS * DATA_WIDTH * sizeof *moved);
    size_t first[ROWS], second[ROWS];
    dpn_fit_options options = dpn_fit_options_init();
    options.kind = DPN_FIT_LOGISTIC;
    options.method = "non-private";
    for (size_t r = 0; r < ROWS; r++) {
        first[r] = r;
        second[r] = 2 * r + 1;
        memcpy(moved + 2 * r * DATA_WIDTH, row + (ROWS + r) * DATA_WIDTH, DATA_WIDTH * sizeof *row);
        memcpy(moved + (2 * r + 1) * DATA_WIDTH, row + r * DATA_WIDTH, DATA_WIDTH * sizeof *row);
    }
    dpn_fit *fit = with_rows(options, row, 2 * ROWS), *other = with_rows(options, moved, 2 * ROWS);
    double b[M], c[M], *work = malloc((1 + dpn_block_fit_work(M)) * sizeof *work);
    dpn_block_fit(b, fit, 0, M, first, ROWS, work);
    dpn_block_fit(c, other, 0, M, second, ROWS, work + 1);
    assert_memory_equal(b, c, sizeof b);
    dpn_block_fit(b, fit, 0, M, first, 0, work);
    for (size_t j = 0; j < M; j++) assert_true(b[j] == 0);
    dpn_block_fit(b, fit, 0, M, first, 1, work);
    for (size_t j = 0; j < M; j++) assert_true(isfinite(b[j]));
    dpn_fit_free(fit);
    dpn_fit_free(other);
    free(row);
    free(moved);
    free(work);
}

/* ---- The guarantee ---- */

/* With an epsilon of 10^6 there is hardly noise: runs with the same random words deal the same rows to the same blocks, and the sum moves by what one row does. */
static void test_moves(void **state) {
    (void)state;
    enum { ROWS = 30 };
    dpn_fit_options options = by_aggregate(DPN_FIT_LINEAR);
    options.blocks = 10;
    options.within = 0.125;
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "1e6", NULL);
    double *row = data_linear(ROWS + 1, 21), most = 0;
    dpn_fit *planned = data_planned(&options, &declared);
    dpn_fit_release one = dpn_fit_release_at(planned, 0);
    assert_null(dpn_fit_release_at(planned, 1).plan);
    assert_int_equal(one.times, 1);
    for (size_t j = 0; j <= DATA_FEATURES; j++) assert_true(one.set->bound[j] == 0.25);
    for (uint64_t i = 0; i < 200; i++) {
        for (size_t k = 0; k < DATA_WIDTH; k++) row[ROWS * DATA_WIDTH + k] = (i >> k) & 1 ? 1 : -1;
        dpn_model *model = data_fitted(&options, &declared, row, ROWS, i);
        dpn_model *more = data_fitted(&options, &declared, row, ROWS + 1, i);
        for (size_t j = 0; j <= DATA_FEATURES; j++)
            most = fmax(most, 10 * fabs(model->coefficient[j].value - more->coefficient[j].value));
        dpn_model_free(model);
        dpn_model_free(more);
    }
    printf("# one row moved the sum by up to %.4f of 0.25\n", most);
    assert_true(most < 0.2501 && most > 0.15);
    dpn_fit_free(planned);
    dpn_declaration_free(&declared);
    free(row);
}

static void test_refused(void **state) {
    (void)state;
    dpn_fit_options options = by_aggregate(DPN_FIT_LINEAR);
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", NULL);
    dpn_fit *fit;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    options.blocks = 5;
    options.l1 = 1;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EUNSUPPORTED);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

/* ---- What it is worth ---- */

static void test_fits(void **state) {
    (void)state;
    enum { ROWS = 16000, RUNS = 3 };
    double *line = data_linear(ROWS, 3), *label = data_logistic(ROWS, 3), r2[RUNS], right[RUNS];
    dpn_fit_options linear = by_aggregate(DPN_FIT_LINEAR), logistic = by_aggregate(DPN_FIT_LOGISTIC);
    linear.rows = logistic.rows = ROWS;
    dpn_declaration of_line = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "10", "1e-6"),
                    of_label = data_declared(DATA_FEATURES, DPN_FIT_LOGISTIC, "10", "1e-6");
    for (uint64_t i = 0; i < RUNS; i++) {
        dpn_model *model = data_fitted(&linear, &of_line, line, ROWS, i);
        r2[i] = data_r2(model, line, ROWS);
        dpn_model_free(model);
        model = data_fitted(&logistic, &of_label, label, ROWS, i);
        right[i] = data_accuracy(model, label, ROWS);
        dpn_model_free(model);
    }
    printf("# epsilon 10: R^2 %.4f, accuracy %.4f\n", data_median(r2, RUNS), data_median(right, RUNS));
    assert_true(r2[RUNS / 2] > 0.8 && right[RUNS / 2] > 0.8);
    dpn_declaration_free(&of_line);
    dpn_declaration_free(&of_label);
    free(line);
    free(label);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_alone),
                                       cmocka_unit_test(test_moves), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
