/* A model in the data's units.
 *
 * With x = (X - c)/h and, of a linear fit, y = (Y - C)/H: Y = C + H (b_0 + sum_j b_j (X_j - c_j)/h_j), so that the coefficient of
 * X_j is H b_j/h_j and the constant C + H b_0 - sum_j (H b_j/h_j) c_j. Log odds have no unit: H = 1 and C = 0. Both are linear
 * in b, and their variances follow from its covariance. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "learn/model.h"

#include "base/error.h"
#include "learn/prior.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NORMAL_95 1.959963984540054   /* the 0.975 quantile of the normal law */
#define LAPLACE_95 2.1183026052494203 /* that of the Laplace law of variance 1, log(20)/sqrt(2) */

/* ---- Coefficients ---- */

/* Coefficient k of the data's units is constant_k + sum_j row_j b_j. */
static double transform(double *row, const dpn_fit *fit, size_t k) {
    const dpn_variable *target = &fit->variable[fit->features];
    bool linear = fit->options.kind != DPN_FIT_LOGISTIC;
    double height = linear ? target->half : 1;
    for (size_t j = 0; j <= fit->features; j++) row[j] = 0;
    if (k > 0) {
        row[k] = height / fit->variable[k - 1].half;
        return 0;
    }
    row[0] = height;
    for (size_t j = 0; j < fit->features; j++) row[j + 1] = -height * fit->variable[j].centre / fit->variable[j].half;
    return linear ? target->centre : 0;
}

static double quadratic(const double *row, const double *matrix, size_t width) {
    double sum = 0;
    for (size_t i = 0; i < width; i++)
        for (size_t j = 0; j < width; j++) sum += row[i] * row[j] * matrix[i * width + j];
    return fmax(sum, 0);
}

/* Whether the rows tell what a row of coefficients adds up to, whose parts in directions that they say nothing about cancel. */
static bool is_told(const double *row, const double *null, size_t width) {
    double sum = 0, size = 0;
    for (size_t i = 0; i < width && null; i++)
        for (size_t j = 0; j < width; j++) {
            double term = row[i] * row[j] * null[i * width + j];
            sum += term;
            size += fabs(term);
        }
    return sum <= 1e-10 * size;
}

/* How many standard deviations hold 95%. Noise of the l1 ball is independent Laplace noise, of which one number may rule a coefficient; sums of several have lighter tails. */
static double reach(const dpn_fit *fit, const dpn_fit_estimate *estimate) {
    bool laplace = fit->ball && strcmp(fit->ball, "l1") == 0;
    return laplace && strcmp(estimate->interval, "noise") == 0 ? LAPLACE_95 : NORMAL_95;
}

/* How far the prior (prior.h) has moved a row of coefficients: of those that it shrinks the posterior mean leaves out C T^-1 times
 * them. Little is left out where an interval is told, so that the mean stands for them. */
static double pull(const double *row, const dpn_fit *fit, const dpn_fit_estimate *estimate) {
    size_t width = fit->features + 1;
    double sum = 0;
    for (size_t j = 0; j < width; j++) {
        double prior = dpn_prior_variance(fit, j), moved = 0;
        for (size_t i = 0; i < width; i++) moved += row[i] * estimate->covariance[i * width + j];
        if (prior > 0) sum += moved * estimate->b[j] / prior;
    }
    return fabs(sum);
}

static double half_of(const double *row, const dpn_fit *fit, const dpn_fit_estimate *estimate) {
    size_t width = fit->features + 1;
    if (!estimate->interval[0] || !is_told(row, estimate->null, width)) return NAN;
    double half = reach(fit, estimate) * sqrt(quadratic(row, estimate->covariance, width));
    bool shrunk = strcmp(estimate->interval, "noise") == 0 && !fit->options.raw;
    return shrunk ? half + pull(row, fit, estimate) : half;
}

static void fill(dpn_coefficient *out, const dpn_fit *fit, const dpn_fit_estimate *estimate, size_t k, double *row) {
    double value = transform(row, fit, k);
    for (size_t j = 0; j <= fit->features; j++) value += row[j] * estimate->b[j];
    double half = half_of(row, fit, estimate);
    out->value = value;
    out->low = value - half;
    out->high = value + half;
}

/* ---- Names ---- */

static const char *column_of(const dpn_fit *fit, const dpn_variable *variable) {
    const dpn_query *query = fit->query;
    return variable->is_level ? query->declaration.by[variable->grouping].column
                              : query->column[query->measure[variable->measure].column];
}

static const char *level_of(const dpn_fit *fit, const dpn_variable *variable) {
    return variable->is_level ? fit->query->declaration.by[variable->grouping].level[variable->level] : NULL;
}

static char *name_of(const dpn_fit *fit, const dpn_variable *variable) {
    const char *column = column_of(fit, variable), *level = level_of(fit, variable);
    size_t size = strlen(column) + (level ? strlen(level) : 0) + 2;
    char *name = malloc(size);
    if (name) snprintf(name, size, "%s%s%s", column, level ? "=" : "", level ? level : "");
    return name;
}

/* The declared bounds, moved outwards to the grid, are what values are clamped to. */
static void bounds_of(double *lower, double *upper, const dpn_fit *fit, const dpn_variable *variable) {
    const dpn_measure *measure = variable->is_level ? NULL : &fit->query->measure[variable->measure];
    *lower = measure ? ldexp((double)measure->lower, measure->exponent) : 0;
    *upper = measure ? ldexp((double)measure->upper, measure->exponent) : 1;
}

static bool name_parts(dpn_model *model, const dpn_fit *fit, const char *method) {
    const dpn_variable *target = &fit->variable[fit->features];
    const dpn_declaration *declaration = &fit->query->declaration;
    const char *epsilon = model->is_private ? declaration->epsilon : "";
    const char *delta = !model->is_private ? "" : declaration->delta ? declaration->delta : "0";
    bool all = (model->target = strdup(column_of(fit, target))) && (model->method = strdup(method)) &&
               (model->epsilon = strdup(epsilon)) && (model->delta = strdup(delta));
    bounds_of(&model->lower, &model->upper, fit, target);
    for (size_t j = 0; j < fit->features && all; j++) {
        const dpn_variable *variable = &fit->variable[j];
        dpn_feature *feature = &model->feature[j];
        const char *level = level_of(fit, variable);
        bounds_of(&feature->lower, &feature->upper, fit, variable);
        all = (feature->column = strdup(column_of(fit, variable))) && (!level || (feature->level = strdup(level))) &&
              (model->coefficient[j + model->intercept].name = name_of(fit, variable));
    }
    if (all && model->intercept) all = (model->coefficient[0].name = strdup("(intercept)"));
    return all;
}

/* ---- The model ---- */

static dpn_status build(dpn_model *model, const dpn_fit *fit, const dpn_fit_estimate *estimate, dpn_error *why) {
    model->kind = fit->options.kind;
    model->quantile = fit->settled.quantile;
    model->is_private = !fit->method->is_not_private;
    model->intercept = !fit->options.no_intercept;
    model->relation = fit->relation;
    if (model->is_private && fit->query->declaration.person) model->max_rows = fit->query->declaration.max_rows;
    model->features = fit->features;
    model->coefficients = fit->features + model->intercept;
    model->coefficient = calloc(model->coefficients, sizeof *model->coefficient);
    model->feature = calloc(model->features, sizeof *model->feature);
    double *row = calloc(fit->features + 1, sizeof *row);
    bool all = model->coefficient && model->feature && row && (model->interval = strdup(estimate->interval)) &&
               name_parts(model, fit, estimate->method ? estimate->method : fit->method->name);
    for (size_t k = 0; k < model->coefficients && all; k++)
        fill(&model->coefficient[k], fit, estimate, k + !model->intercept, row);
    free(row);
    if (!all) return dpn_fail(why, DPN_ENOMEM, "no memory for the model");
    return dpn_fit_releases_write(&model->releases, NULL, fit, why);
}

dpn_status dpn_model_make(dpn_model **out, const dpn_fit *fit, const dpn_fit_estimate *estimate, dpn_error *why) {
    dpn_model *model = calloc(1, sizeof *model);
    if (!model) return dpn_fail(why, DPN_ENOMEM, "no memory for the model");
    dpn_status status = build(model, fit, estimate, why);
    if (status)
        dpn_model_free(model);
    else
        *out = model;
    return status;
}

void dpn_model_free(dpn_model *model) {
    if (!model) return;
    for (size_t i = 0; model->coefficient && i < model->coefficients; i++) free(model->coefficient[i].name);
    for (size_t i = 0; model->feature && i < model->features; i++) {
        free(model->feature[i].column);
        free(model->feature[i].level);
    }
    free(model->coefficient);
    free(model->feature);
    free(model->method);
    free(model->target);
    free(model->interval);
    free(model->epsilon);
    free(model->delta);
    free(model->releases);
    free(model);
}

/* ---- Predictions ---- */

static double value_of(const dpn_feature *feature, dpn_field field) {
    dpn_numeral number;
    if (feature->level)
        return field.text && field.length == strlen(feature->level) &&
               memcmp(field.text, feature->level, field.length) == 0;
    if (dpn_numeral_read(&number, field) != DPN_CONTENT_NUMBER) return NAN;
    double size = (double)number.lead * pow(10, (double)number.exponent);
    return fmin(fmax(number.negative ? -size : size, feature->lower), feature->upper);
}

double dpn_model_predict(const dpn_model *model, const dpn_field *field) {
    double sum = model->intercept ? model->coefficient[0].value : 0;
    for (size_t j = 0; j < model->features; j++)
        sum += model->coefficient[j + model->intercept].value * value_of(&model->feature[j], field[j]);
    if (isnan(sum)) return NAN;
    if (model->kind == DPN_FIT_LOGISTIC) return 1 / (1 + exp(-sum));
    return fmin(fmax(sum, model->lower), model->upper);
}
