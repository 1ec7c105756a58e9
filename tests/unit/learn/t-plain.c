/* Fits without noise are minima: the derivatives that their definition asks for vanish, worked out anew from the rows in long
 * double; their standard errors are those of the textbook. */
#include "unit/learn/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 600 };

static dpn_model *plain(dpn_fit_kind kind, double l1, double l2, bool no_intercept, const double *value) {
    dpn_fit_options options = dpn_fit_options_init();
    options.kind = kind;
    options.method = "non-private";
    options.l1 = l1;
    options.l2 = l2;
    options.no_intercept = no_intercept;
    dpn_declaration declared = data_declared(DATA_FEATURES, kind, "1", NULL);
    dpn_model *model = data_fitted(&options, &declared, value, ROWS, 1);
    dpn_declaration_free(&declared);
    assert_false(model->is_private);
    assert_string_equal(model->releases, "[]");
    return model;
}

/* The derivative of the mean loss in coefficient k; the unit of the data is the scaled one. */
static long double slope(const dpn_model *model, const double *value, size_t k) {
    long double sum = 0;
    for (size_t r = 0; r < ROWS; r++) {
        const double *row = value + r * DATA_WIDTH;
        long double t = model->intercept ? model->coefficient[0].value : 0;
        for (size_t j = 0; j < model->features; j++)
            t += (long double)model->coefficient[j + model->intercept].value * row[j + 1];
        long double guess = model->kind == DPN_FIT_LINEAR ? t : 1 / (1 + expl(-t));
        sum += (guess - row[0]) * (k == 0 ? 1 : row[k]);
    }
    return sum / ROWS;
}

/* 0 lies in the derivative of loss and penalties. Returns how many coefficients are 0. */
static size_t expect_minimum(const dpn_model *model, const double *value, double l1, double l2) {
    size_t zeros = 0;
    for (size_t k = !model->intercept; k <= DATA_FEATURES; k++) {
        double b = model->coefficient[k - !model->intercept].value;
        long double g = slope(model, value, k);
        if (k > 0) g += l2 * b;
        if (k > 0 && l1 > 0 && b == 0) {
            assert_true(fabsl(g) <= l1 * (1 + 1e-9));
            zeros++;
        } else {
            if (k > 0 && l1 > 0) g += b > 0 ? l1 : -l1;
            assert_true(fabsl(g) < 1e-10L);
        }
    }
    return zeros;
}

static void test_minima(void **state) {
    static const double penalty[][2] = {{0, 0}, {0.05, 0}, {0, 0.1}, {0.05, 0.1}};
    (void)state;
    for (int kind = DPN_FIT_LINEAR; kind <= DPN_FIT_LOGISTIC; kind++)
        for (size_t i = 0; i < sizeof penalty / sizeof *penalty; i++)
            for (int no_intercept = 0; no_intercept < 2; no_intercept++) {
                double *value = kind == DPN_FIT_LINEAR ? data_linear(ROWS, 5) : data_logistic(ROWS, 6);
                dpn_model *model = plain((dpn_fit_kind)kind, penalty[i][0], penalty[i][1], no_intercept, value);
                size_t zeros = expect_minimum(model, value, penalty[i][0], penalty[i][1]);
                if (kind == DPN_FIT_LINEAR && penalty[i][0] > 0) assert_in_range(zeros, 1, DATA_FEATURES);
                bool penalised = penalty[i][0] > 0 || penalty[i][1] > 0;
                assert_string_equal(model->interval, penalised ? "" : "sampling");
                assert_int_equal(isnan(model->coefficient[0].low), penalised);
                dpn_model_free(model);
                free(value);
            }
}

/* Gauss and Jordan. */
static void invert(long double *a, size_t m) {
    long double *b = calloc(m * m, sizeof *b);
    for (size_t i = 0; i < m; i++) b[i * m + i] = 1;
    for (size_t k = 0; k < m; k++) {
        long double pivot = a[k * m + k];
        for (size_t j = 0; j < m; j++) a[k * m + j] /= pivot, b[k * m + j] /= pivot;
        for (size_t i = 0; i < m; i++) {
            long double factor = a[i * m + k];
            if (i == k) continue;
            for (size_t j = 0; j < m; j++) a[i * m + j] -= factor * a[k * m + j], b[i * m + j] -= factor * b[k * m + j];
        }
    }
    memcpy(a, b, m * m * sizeof *a);
    free(b);
}

/* Covariance s^2 (Z'Z)^-1, of a logistic fit (sum p(1-p) z z')^-1. */
static void expect_errors(const dpn_model *model, const double *value) {
    enum { M = DATA_FEATURES + 1 };
    long double a[M * M] = {0}, square = 0;
    for (size_t r = 0; r < ROWS; r++) {
        double z[M] = {1};
        memcpy(z + 1, value + r * DATA_WIDTH + 1, DATA_FEATURES * sizeof *z);
        long double t = 0;
        for (size_t j = 0; j < M; j++) t += (long double)model->coefficient[j].value * z[j];
        long double p = 1 / (1 + expl(-t)), weight = model->kind == DPN_FIT_LINEAR ? 1 : p * (1 - p);
        square += (value[r * DATA_WIDTH] - t) * (value[r * DATA_WIDTH] - t);
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < M; j++) a[i * M + j] += weight * z[i] * z[j];
    }
    invert(a, M);
    long double scale = model->kind == DPN_FIT_LINEAR ? square / (ROWS - M) : 1;
    for (size_t k = 0; k < M; k++) {
        double half = (model->coefficient[k].high - model->coefficient[k].low) / 2;
        long double expected = 1.959963984540054L * sqrtl(scale * a[k * M + k]);
        assert_true(fabsl(half / expected - 1) < 1e-8L);
        assert_true(fabs((model->coefficient[k].high + model->coefficient[k].low) / 2 - model->coefficient[k].value) <
                    1e-12);
    }
}

static void test_standard_errors(void **state) {
    (void)state;
    for (int kind = DPN_FIT_LINEAR; kind <= DPN_FIT_LOGISTIC; kind++) {
        double *value = kind == DPN_FIT_LINEAR ? data_linear(ROWS, 7) : data_logistic(ROWS, 8);
        dpn_model *model = plain((dpn_fit_kind)kind, 0, 0, false, value);
        expect_errors(model, value);
        dpn_model_free(model);
        free(value);
    }
}

/* Bad data have a fit all the same: no rows, fewer than coefficients, a constant column, one label, numbers that are none. */
static void test_bad_data(void **state) {
    (void)state;
    for (int kind = DPN_FIT_LINEAR; kind <= DPN_FIT_LOGISTIC; kind++)
        for (size_t rows = 0; rows <= 20; rows += 4)
            for (int fault = 0; fault < 3; fault++) {
                double *value = kind == DPN_FIT_LINEAR ? data_linear(rows + 1, 9) : data_logistic(rows + 1, 9);
                for (size_t r = 0; r < rows; r++) {
                    if (fault == 0) value[r * DATA_WIDTH] = 1;
                    if (fault == 1) value[r * DATA_WIDTH + 2] = 0.5;
                    if (fault == 2 && r % 2) value[r * DATA_WIDTH + 3] = r % 3 ? NAN : INFINITY;
                }
                dpn_fit_options options = dpn_fit_options_init();
                options.kind = (dpn_fit_kind)kind;
                options.method = "non-private";
                options.l2 = kind == DPN_FIT_LOGISTIC ? 0.01 : 0;
                dpn_declaration declared = data_declared(DATA_FEATURES, options.kind, "1", NULL);
                dpn_model *model = data_fitted(&options, &declared, value, rows, 1);
                for (size_t k = 0; k < model->coefficients; k++) assert_true(isfinite(model->coefficient[k].value));
                dpn_model_free(model);
                dpn_declaration_free(&declared);
                free(value);
            }
}

/* ---- Another solver ---- */

enum { SAMPLE = 200, FEATURES = 3, COLUMNS = FEATURES + 1 };

/* Columns of different units, of which one fills little of its bounds and one goes beyond them; none lies on a grid. */
static const char *const declared_as[] = {"y:-0.3:900.1", "a:18.1:90.7", "b:0.1:0.7", "c:0:1000000000"};
static const double bounds[][2] = {{-0.3, 900.1}, {18.1, 90.7}, {0.1, 0.7}, {0, 1e9}};

static void invent(double row[COLUMNS], draw_source *source, bool logistic) {
    row[1] = draw_uniform(source, 18, 98);
    row[2] = draw_uniform(source, 0.1, 0.7);
    row[3] = draw_uniform(source, 5000, 90000);
    row[0] = 3 * row[1] + 100 * row[2] + row[3] / 1000 + draw_uniform(source, -60, 60);
    if (logistic) row[0] = row[0] > 260 ? 900.1 : -0.3;
}

/* Rows of text go the way of a file. */
static dpn_model *fitted_texts(dpn_fit_kind kind, const double *row) {
    dpn_fit_options options = dpn_fit_options_init();
    dpn_declaration declared;
    dpn_fit *fit;
    dpn_model *model;
    dpn_error why;
    options.kind = kind;
    options.method = "non-private";
    assert_int_equal(dpn_declaration_read(&declared, "{\"epsilon\": \"1\"}", 16, &why), DPN_OK);
    for (size_t i = 0; i < COLUMNS; i++)
        assert_int_equal(dpn_declare_statistic(&declared, DPN_STATISTIC_MEAN, declared_as[i], &why), DPN_OK);
    if (dpn_fit_new(&fit, &options, &why) || dpn_fit_plan(fit, &declared, &why)) fail_msg("%s", why.sentence);
    for (size_t r = 0; r < SAMPLE; r++) {
        char text[COLUMNS][32];
        dpn_field field[COLUMNS];
        for (size_t i = 0; i < COLUMNS; i++) {
            int length = snprintf(text[i], sizeof text[i], i % 2 ? "%.17g" : "%.16e", row[r * COLUMNS + i]);
            field[i] = (dpn_field){text[i], (size_t)length};
        }
        assert_int_equal(dpn_fit_rows(fit, field, 1, NULL), DPN_OK);
    }
    if (dpn_fit_run(&model, fit, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return model;
}

/* Newton's method in long double, in the units of the data: z is the clamped row with a 1 in front. Least squares are one step of it. */
static void solve(long double *b, dpn_fit_kind kind, const double *row) {
    for (int step = 0; step < (kind == DPN_FIT_LINEAR ? 3 : 40); step++) {
        long double a[COLUMNS * COLUMNS] = {0}, g[COLUMNS] = {0};
        for (size_t r = 0; r < SAMPLE; r++) {
            long double z[COLUMNS] = {1}, t = b[0];
            for (size_t i = 1; i < COLUMNS; i++) {
                z[i] = fmin(fmax(row[r * COLUMNS + i], bounds[i][0]), bounds[i][1]);
                t += b[i] * z[i];
            }
            double y = fmin(fmax(row[r * COLUMNS], bounds[0][0]), bounds[0][1]);
            long double p = 1 / (1 + expl(-t)), w = kind == DPN_FIT_LINEAR ? 1 : p * (1 - p);
            long double e = kind == DPN_FIT_LINEAR ? y - t : (y > 450) - p;
            for (size_t i = 0; i < COLUMNS; i++) {
                g[i] += e * z[i];
                for (size_t j = 0; j < COLUMNS; j++) a[i * COLUMNS + j] += w * z[i] * z[j];
            }
        }
        invert(a, COLUMNS);
        for (size_t i = 0; i < COLUMNS; i++)
            for (size_t j = 0; j < COLUMNS; j++) b[i] += a[i * COLUMNS + j] * g[j];
    }
}

static void test_other_solver(void **state) {
    (void)state;
    double row[SAMPLE * COLUMNS];
    for (int kind = DPN_FIT_LINEAR; kind <= DPN_FIT_LOGISTIC; kind++) {
        draw_source source = {31};
        for (size_t r = 0; r < SAMPLE; r++) invent(row + r * COLUMNS, &source, kind == DPN_FIT_LOGISTIC);
        long double b[COLUMNS] = {0};
        solve(b, (dpn_fit_kind)kind, row);
        dpn_model *model = fitted_texts((dpn_fit_kind)kind, row);
        for (size_t i = 0; i < COLUMNS; i++) {
            double relative = fabs((double)(model->coefficient[i].value / b[i] - 1));
            if (!(relative < 1e-8))
                fail_msg("%s: coefficient %zu is off by %g", dpn_fit_kind_name((dpn_fit_kind)kind), i, relative);
        }
        dpn_model_free(model);
    }
}

/* ---- What rows do not tell ---- */

/* A column that is constant goes with the intercept; one that is twice another, with that one, and the intercept is told. */
static void test_undetermined(void **state) {
    (void)state;
    for (int kind = DPN_FIT_LINEAR; kind <= DPN_FIT_LOGISTIC; kind++)
        for (int fault = 0; fault < 3; fault++) {
            double *value = kind == DPN_FIT_LINEAR ? data_linear(ROWS, 9) : data_logistic(ROWS, 9);
            for (size_t r = 0; r < ROWS; r++) {
                double *row = value + r * DATA_WIDTH;
                row[2] = fault == 0 ? 0.3 : fault == 1 ? 0.5 * row[1] : row[2];
            }
            dpn_model *model = plain((dpn_fit_kind)kind, 0, 0, false, value);
            assert_string_equal(model->interval, "sampling");
            for (size_t k = 0; k < model->coefficients; k++) {
                bool unknown = fault == 0 ? k == 0 || k == 2 : fault == 1 && (k == 1 || k == 2);
                assert_true(isfinite(model->coefficient[k].value));
                assert_int_equal(isnan(model->coefficient[k].low), unknown);
                assert_int_equal(isnan(model->coefficient[k].high), unknown);
            }
            dpn_model_free(model);
            free(value);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_minima), cmocka_unit_test(test_standard_errors),
                                       cmocka_unit_test(test_bad_data), cmocka_unit_test(test_other_solver),
                                       cmocka_unit_test(test_undetermined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
