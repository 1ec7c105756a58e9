/* A model as text: the reader. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "base/error.h"
#include "base/text/json.h"

#include <dpnoise/learn.h>
#include <dpnoise/privacy.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    dpn_json json;
    dpn_error *why;
} reader;

static dpn_status refuse(const reader *r, const char *what) {
    return dpn_fail(r->why, DPN_EPARSE, "the text of the model: %s", what);
}

/* ---- Members ---- */

static dpn_status find(const dpn_json_value **out, const reader *r, const dpn_json_value *object, const char *name) {
    bool twice = false;
    *out = object->kind == DPN_JSON_OBJECT ? dpn_json_member(&r->json, object, name, &twice) : NULL;
    if (*out && !twice) return DPN_OK;
    return dpn_fail(r->why, DPN_EPARSE, "the text of the model: '%s' is missing or repeated", name);
}

/* Strings never grow when their escapes are undone. */
static dpn_status read_word(char **out, const reader *r, const dpn_json_value *object, const char *name) {
    const dpn_json_value *value = NULL;
    dpn_status status = find(&value, r, object, name);
    if (status) return status;
    size_t size = (size_t)value->length + 1;
    *out = malloc(size);
    if (!*out) return dpn_fail(r->why, DPN_ENOMEM, "out of memory");
    return dpn_json_string(*out, size, &r->json, value, r->why);
}

static dpn_status read_number(double *out, const reader *r, const dpn_json_value *object, const char *name) {
    const dpn_json_value *value = NULL;
    dpn_status status = find(&value, r, object, name);
    if (status) return status;
    *out = NAN;
    return value->kind == DPN_JSON_NULL ? DPN_OK : dpn_json_number(out, &r->json, value, r->why);
}

static dpn_status read_flag(bool *out, const reader *r, const dpn_json_value *object, const char *name) {
    const dpn_json_value *value = NULL;
    dpn_status status = find(&value, r, object, name);
    if (status) return status;
    *out = value->kind == DPN_JSON_TRUE;
    return *out || value->kind == DPN_JSON_FALSE ? DPN_OK : refuse(r, "true or false is expected");
}

/* Which of some names a word is. */
static dpn_status read_choice(size_t *out, const reader *r, const char *word, const char *const *names, size_t count) {
    for (*out = 0; *out < count; ++*out)
        if (strcmp(word, names[*out]) == 0) return DPN_OK;
    return refuse(r, "a word is not one of those that are known");
}

/* ---- Parts ---- */

static dpn_status read_feature(dpn_feature *out, const reader *r, const dpn_json_value *object) {
    bool twice = false;
    dpn_status status = read_word(&out->column, r, object, "column");
    if (status) return status;
    out->upper = 1;
    if (dpn_json_member(&r->json, object, "level", &twice)) return read_word(&out->level, r, object, "level");
    status = read_number(&out->lower, r, object, "lower");
    if (!status) status = read_number(&out->upper, r, object, "upper");
    if (!status && !(out->lower < out->upper)) status = refuse(r, "a lower bound is not below its upper one");
    return status;
}

static dpn_status read_coefficient(dpn_coefficient *out, const reader *r, const dpn_json_value *object) {
    dpn_status status = read_word(&out->name, r, object, "name");
    if (!status) status = read_number(&out->value, r, object, "value");
    if (!status) status = read_number(&out->low, r, object, "low");
    return status ? status : read_number(&out->high, r, object, "high");
}

static dpn_status read_parts(dpn_model *out, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *features = NULL, *coefficients = NULL;
    dpn_status status = find(&features, r, object, "features");
    if (!status) status = find(&coefficients, r, object, "coefficients");
    if (status) return status;
    bool lists = features->kind == DPN_JSON_ARRAY && coefficients->kind == DPN_JSON_ARRAY;
    if (!lists || features->count == 0 || coefficients->count != features->count + out->intercept)
        return refuse(r, "a model has features, and a coefficient for each");
    out->feature = calloc(features->count, sizeof *out->feature);
    out->coefficient = calloc(coefficients->count, sizeof *out->coefficient);
    if (!out->feature || !out->coefficient) return dpn_fail(r->why, DPN_ENOMEM, "out of memory");
    out->features = features->count;
    out->coefficients = coefficients->count;
    const dpn_json_value *at = dpn_json_first(features);
    for (size_t i = 0; i < out->features && !status; i++, at = dpn_json_next(&r->json, at))
        status = read_feature(&out->feature[i], r, at);
    at = dpn_json_first(coefficients);
    for (size_t i = 0; i < out->coefficients && !status; i++, at = dpn_json_next(&r->json, at))
        status = read_coefficient(&out->coefficient[i], r, at);
    return status;
}

static dpn_status read_releases(dpn_model *out, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *releases = NULL;
    dpn_status status = find(&releases, r, object, "releases");
    if (status) return status;
    if (releases->kind != DPN_JSON_ARRAY) return refuse(r, "releases are a list");
    out->releases = malloc((size_t)releases->length + 1);
    if (!out->releases) return dpn_fail(r->why, DPN_ENOMEM, "out of memory");
    memcpy(out->releases, r->json.text + releases->start, releases->length);
    out->releases[releases->length] = '\0';
    return DPN_OK;
}

static dpn_status read_kind(dpn_model *out, const reader *r, const dpn_json_value *object) {
    const char *kinds[] = {dpn_fit_kind_name(DPN_FIT_LINEAR), dpn_fit_kind_name(DPN_FIT_LOGISTIC),
                           dpn_fit_kind_name(DPN_FIT_QUANTILE)};
    const char *relations[] = {dpn_relation_name(DPN_ADD_REMOVE), dpn_relation_name(DPN_REPLACE)};
    char *fit = NULL, *relation = NULL;
    size_t kind = 0, which = 0;
    dpn_status status = read_word(&fit, r, object, "fit");
    if (!status) status = read_word(&relation, r, object, "relation");
    if (!status) status = read_choice(&kind, r, fit, kinds, 3);
    if (!status) status = read_choice(&which, r, relation, relations, 2);
    out->kind = (dpn_fit_kind)kind;
    /* Models that were written before quantiles were told do not say which it is. */
    out->quantile = out->kind == DPN_FIT_QUANTILE ? NAN : 0;
    if (!status && out->kind == DPN_FIT_QUANTILE && dpn_json_member(&r->json, object, "quantile", &(bool){false}))
        status = read_number(&out->quantile, r, object, "quantile");
    out->relation = (dpn_relation)which;
    free(fit);
    free(relation);
    return status;
}

/* Models without a guarantee that were written before they told none have the numbers of a declaration. Those of before `max_rows` do not say it. */
static dpn_status read_guarantee(dpn_model *out, const reader *r, const dpn_json_value *object) {
    double rows = 0;
    dpn_status status = DPN_OK;
    if (out->is_private) {
        status = read_word(&out->epsilon, r, object, "epsilon");
        if (!status) status = read_word(&out->delta, r, object, "delta");
    } else if (!(out->epsilon = strdup("")) || !(out->delta = strdup(""))) {
        status = dpn_fail(r->why, DPN_ENOMEM, "out of memory");
    }
    if (status || !dpn_json_member(&r->json, object, "max_rows", &(bool){false})) return status;
    status = read_number(&rows, r, object, "max_rows");
    if (status) return status;
    if (!(rows >= 1 && rows <= 0x1p53 && rows == floor(rows))) return refuse(r, "max_rows is a whole number above 0");
    out->max_rows = (uint64_t)rows;
    return DPN_OK;
}

static dpn_status read_model(dpn_model *out, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *target = NULL;
    dpn_status status = read_kind(out, r, object);
    if (!status) status = read_word(&out->method, r, object, "method");
    if (!status) status = read_flag(&out->is_private, r, object, "private");
    if (!status) status = read_flag(&out->intercept, r, object, "intercept");
    if (!status) status = find(&target, r, object, "target");
    if (!status) status = read_word(&out->target, r, target, "column");
    if (!status) status = read_number(&out->lower, r, target, "lower");
    if (!status) status = read_number(&out->upper, r, target, "upper");
    if (!status) status = read_word(&out->interval, r, object, "interval");
    if (!status) status = read_guarantee(out, r, object);
    if (!status) status = read_parts(out, r, object);
    return status ? status : read_releases(out, r, object);
}

dpn_status dpn_model_read(dpn_model **out, const char *text, size_t length, dpn_error *why) {
    reader r = {.why = why};
    bool twice = false;
    dpn_status status = dpn_json_read(&r.json, text, length, why);
    if (status) return status;
    dpn_model *model = calloc(1, sizeof *model);
    const dpn_json_value *object = r.json.value, *inner = NULL;
    if (object->kind == DPN_JSON_OBJECT) inner = dpn_json_member(&r.json, object, "model", &twice);
    status = model ? read_model(model, &r, inner ? inner : object) : dpn_fail(why, DPN_ENOMEM, "out of memory");
    dpn_json_free(&r.json);
    if (status)
        dpn_model_free(model);
    else
        *out = model;
    return status;
}
