/* Tables for the tests of fits. */
#include "unit/learn/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Generators ---- */

static double uniform(draw_source *source) {
    return ((double)(draw_bits(source) >> 11) + 0.5) * 0x1p-53;
}

static double normal(draw_source *source) {
    double radius = sqrt(-2 * log(uniform(source)));
    return radius * cos(2 * 3.14159265358979323846 * uniform(source));
}

static double dot(const double *slope, const double *x) {
    double sum = 0;
    for (size_t j = 0; j < DATA_FEATURES; j++) sum += slope[j] * x[j];
    return sum;
}

static double *features(size_t rows, draw_source *source) {
    double *value = malloc(rows * DATA_WIDTH * sizeof *value);
    assert_non_null(value);
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 1; j < DATA_WIDTH; j++) value[r * DATA_WIDTH + j] = 2 * uniform(source) - 1;
    return value;
}

double *data_linear(size_t rows, uint64_t seed) {
    static const double slope[] = {.3, -.2, .1, .2, -.1};
    draw_source source = {seed};
    double *value = features(rows, &source);
    for (size_t r = 0; r < rows; r++) {
        double *row = value + r * DATA_WIDTH, y = dot(slope, row + 1) + 0.1 * normal(&source);
        row[0] = fmin(fmax(y, -1), 1);
    }
    return value;
}

double *data_logistic(size_t rows, uint64_t seed) {
    static const double slope[] = {3, -2, 1, 2, -1};
    draw_source source = {seed};
    double *value = features(rows, &source);
    for (size_t r = 0; r < rows; r++) {
        double *row = value + r * DATA_WIDTH, u = uniform(&source);
        row[0] = dot(slope, row + 1) + log(u / (1 - u)) > 0;
    }
    return value;
}

/* ---- Fits ---- */

dpn_declaration data_declared(size_t count, dpn_fit_kind kind, const char *epsilon, const char *delta) {
    dpn_declaration out;
    char text[64];
    dpn_error why;
    assert_int_equal(dpn_declaration_read(&out, "{}", 2, &why), DPN_OK);
    const char *target = kind != DPN_FIT_LOGISTIC ? "y:-1:1" : "y:0:1";
    if (dpn_declare_statistic(&out, DPN_STATISTIC_MEAN, target, &why)) fail_msg("%s", why.sentence);
    for (size_t j = 1; j <= count; j++) {
        snprintf(text, sizeof text, "x%zu:-1:1", j);
        if (dpn_declare_statistic(&out, DPN_STATISTIC_MEAN, text, &why)) fail_msg("%s", why.sentence);
    }
    free(out.epsilon);
    out.epsilon = malloc(strlen(epsilon) + 1);
    strcpy(out.epsilon, epsilon);
    if (delta) {
        free(out.delta);
        out.delta = malloc(strlen(delta) + 1);
        strcpy(out.delta, delta);
    }
    return out;
}

dpn_fit *data_planned(const dpn_fit_options *options, const dpn_declaration *declaration) {
    dpn_fit *fit = NULL;
    dpn_error why;
    if (dpn_fit_new(&fit, options, &why)) fail_msg("%s", why.sentence);
    if (dpn_fit_plan(fit, declaration, &why)) fail_msg("%s", why.sentence);
    return fit;
}

dpn_model *data_fitted(const dpn_fit_options *options, const dpn_declaration *declaration, const double *value,
                       size_t rows, uint64_t seed) {
    dpn_model *model = NULL;
    dpn_error why;
    seeded random;
    seeded_begin(&random, seed);
    dpn_fit *fit = data_planned(options, declaration);
    if (dpn_fit_numbers(fit, value, rows, &why)) fail_msg("%s", why.sentence);
    if (dpn_fit_run(&model, fit, &random.rng, &why)) fail_msg("%s", why.sentence);
    dpn_fit_free(fit);
    return model;
}

/* ---- Measures ---- */

static double linear_part(const dpn_model *model, const double *row) {
    double sum = model->intercept ? model->coefficient[0].value : 0;
    for (size_t j = 0; j < model->features; j++) sum += model->coefficient[j + model->intercept].value * row[j + 1];
    return sum;
}

double data_r2(const dpn_model *model, const double *value, size_t rows) {
    size_t width = model->features + 1;
    double mean = 0, residual = 0, total = 0;
    for (size_t r = 0; r < rows; r++) mean += value[r * width] / (double)rows;
    for (size_t r = 0; r < rows; r++) {
        const double *row = value + r * width;
        double guess = fmin(fmax(linear_part(model, row), model->lower), model->upper);
        residual += (row[0] - guess) * (row[0] - guess);
        total += (row[0] - mean) * (row[0] - mean);
    }
    return 1 - residual / total;
}

double data_accuracy(const dpn_model *model, const double *value, size_t rows) {
    size_t width = model->features + 1;
    double right = 0;
    for (size_t r = 0; r < rows; r++) right += (linear_part(model, value + r * width) > 0) == (value[r * width] > 0.5);
    return right / (double)rows;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double data_median(double *x, size_t count) {
    qsort(x, count, sizeof *x, compare);
    return count % 2 ? x[count / 2] : (x[count / 2 - 1] + x[count / 2]) / 2;
}

double data_median_r2(const dpn_fit_options *options, const char *epsilon) {
    enum { RUNS = 21, ROWS = 20000, TRAIN = 16000 };
    double r2[RUNS];
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, epsilon, NULL);
    for (uint64_t run = 0; run < RUNS; run++) {
        double *value = data_linear(ROWS, 100 + run);
        dpn_model *model = data_fitted(options, &declared, value, TRAIN, 200 + run);
        r2[run] = data_r2(model, value + TRAIN * DATA_WIDTH, ROWS - TRAIN);
        dpn_model_free(model);
        free(value);
    }
    dpn_declaration_free(&declared);
    return data_median(r2, RUNS);
}
