/* A model as text: the writer. */
#include "base/error.h"
#include "base/text/json-write.h"

#include <dpnoise/learn.h>
#include <dpnoise/privacy.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* NULL: null. */
static void put_word(dpn_text *out, const char *name, const char *value) {
    dpn_text_member(out, name);
    if (value)
        dpn_text_quote(out, value);
    else
        dpn_text_put(out, "null");
}

static void put_number(dpn_text *out, const char *name, double value) {
    dpn_text_member(out, name);
    dpn_text_number(out, value);
}

static void put_flag(dpn_text *out, const char *name, bool value) {
    dpn_text_member(out, name);
    dpn_text_put(out, value ? "true" : "false");
}

static void put_bounds(dpn_text *out, const char *column, double lower, double upper) {
    dpn_text_put(out, "{");
    put_word(out, "column", column);
    put_number(out, "lower", lower);
    put_number(out, "upper", upper);
    dpn_text_put(out, "}");
}

static void put_features(dpn_text *out, const dpn_model *model) {
    dpn_text_member(out, "features");
    dpn_text_put(out, "[");
    for (size_t j = 0; j < model->features; j++) {
        const dpn_feature *feature = &model->feature[j];
        dpn_text_comma(out);
        if (!feature->level) {
            put_bounds(out, feature->column, feature->lower, feature->upper);
            continue;
        }
        dpn_text_put(out, "{");
        put_word(out, "column", feature->column);
        put_word(out, "level", feature->level);
        dpn_text_put(out, "}");
    }
    dpn_text_put(out, "]");
}

static void put_coefficients(dpn_text *out, const dpn_model *model) {
    dpn_text_member(out, "coefficients");
    dpn_text_put(out, "[");
    for (size_t k = 0; k < model->coefficients; k++) {
        const dpn_coefficient *coefficient = &model->coefficient[k];
        dpn_text_comma(out);
        dpn_text_put(out, "{");
        put_word(out, "name", coefficient->name);
        put_number(out, "value", coefficient->value);
        put_number(out, "low", coefficient->low);
        put_number(out, "high", coefficient->high);
        dpn_text_put(out, "}");
    }
    dpn_text_put(out, "]");
}

static void put_persons(dpn_text *out, const dpn_model *model) {
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, model->max_rows);
    put_word(out, "unit", dpn_unit_name(DPN_PERSON));
    dpn_text_member(out, "max_rows");
    dpn_text_put(out, digits);
}

dpn_status dpn_model_write(char **text, size_t *length, const dpn_model *model, dpn_error *why) {
    dpn_text out = {0};
    dpn_text_put(&out, "{");
    put_word(&out, "fit", dpn_fit_kind_name(model->kind));
    if (model->kind == DPN_FIT_QUANTILE) put_number(&out, "quantile", model->quantile);
    put_word(&out, "method", model->method);
    put_flag(&out, "private", model->is_private);
    put_flag(&out, "intercept", model->intercept);
    dpn_text_member(&out, "target");
    put_bounds(&out, model->target, model->lower, model->upper);
    put_features(&out, model);
    put_coefficients(&out, model);
    put_word(&out, "interval", model->interval);
    put_word(&out, "epsilon", model->is_private ? model->epsilon : NULL);
    put_word(&out, "delta", model->is_private ? model->delta : NULL);
    put_word(&out, "relation", dpn_relation_name(model->relation));
    if (model->max_rows > 0) put_persons(&out, model);
    dpn_text_member(&out, "releases");
    dpn_text_put(&out, model->releases);
    dpn_text_put(&out, "}");
    if (out.failed) {
        free(out.at);
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    *text = out.at;
    if (length) *length = out.length;
    return DPN_OK;
}
