/* A fit as a member of a question. */
#include "base/error.h"
#include "base/text/json-blank.h"

#include <dpnoise/learn.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, MOST_NUMBERS = DPN_FIT_FEATURES + 1 };

typedef struct reader {
    const dpn_json *json;
    dpn_fit_options options;
    char method[WORD], noise[WORD], ball[WORD];
    double *start, *smoothness;
    dpn_error *why;
} reader;

/* ---- Values ---- */

static dpn_status read_word(char out[WORD], const reader *r, const dpn_json_value *value, const char *name) {
    if (!dpn_json_string(out, WORD, r->json, value, NULL)) return DPN_OK;
    return dpn_fail(r->why, DPN_EPARSE, "fit: %s must be a word", name);
}

static dpn_status read_flag(bool *out, const reader *r, const dpn_json_value *value, const char *name) {
    if (value->kind != DPN_JSON_TRUE && value->kind != DPN_JSON_FALSE)
        return dpn_fail(r->why, DPN_EPARSE, "fit: %s must be true or false", name);
    *out = value->kind == DPN_JSON_TRUE;
    return DPN_OK;
}

/* 0 stands for the default in the options, and who writes it means something else. */
static dpn_status read_number(double *out, const reader *r, const dpn_json_value *value, const char *name) {
    if (value->kind != DPN_JSON_NUMBER || dpn_json_number(out, r->json, value, NULL) || !(*out > 0))
        return dpn_fail(r->why, DPN_EDOMAIN, "fit: %s must be a number above 0", name);
    return DPN_OK;
}

static dpn_status read_count(uint64_t *out, const reader *r, const dpn_json_value *value, const char *name) {
    double number = 0;
    dpn_status status = read_number(&number, r, value, name);
    if (status) return status;
    if (!(number >= 1 && number <= 0x1p53) || number != (double)(uint64_t)number)
        return dpn_fail(r->why, DPN_EDOMAIN, "fit: %s must be a whole number", name);
    *out = (uint64_t)number;
    return DPN_OK;
}

static dpn_status read_numbers(double **out, size_t *count, const reader *r, const dpn_json_value *value,
                               const char *name) {
    if (value->kind != DPN_JSON_ARRAY || value->count > MOST_NUMBERS)
        return dpn_fail(r->why, DPN_EPARSE, "fit: %s must be a list of at most %d numbers", name, (int)MOST_NUMBERS);
    *out = calloc((size_t)value->count + 1, sizeof **out);
    if (!*out) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the fit");
    *count = value->count;
    const dpn_json_value *at = dpn_json_first(value);
    for (size_t i = 0; i < *count; i++, at = dpn_json_next(r->json, at))
        if (at->kind != DPN_JSON_NUMBER || dpn_json_number(&(*out)[i], r->json, at, NULL))
            return dpn_fail(r->why, DPN_EPARSE, "fit: %s must be a list of numbers", name);
    return DPN_OK;
}

/* ---- Members ---- */

static dpn_status read_kind(reader *r, const dpn_json_value *value) {
    char word[WORD] = "";
    dpn_status status = read_word(word, r, value, "kind");
    if (status) return status;
    for (unsigned i = 0; dpn_fit_kind_name((dpn_fit_kind)i); i++)
        if (strcmp(word, dpn_fit_kind_name((dpn_fit_kind)i)) == 0) {
            r->options.kind = (dpn_fit_kind)i;
            return DPN_OK;
        }
    return dpn_fail(r->why, DPN_EDOMAIN, "fit: kind is linear, logistic or quantile");
}

static dpn_status read_accounting(reader *r, const dpn_json_value *value) {
    char word[WORD] = "";
    dpn_status status = read_word(word, r, value, "accounting");
    if (status) return status;
    for (unsigned i = 0; dpn_fit_accounting_name((dpn_fit_accounting)i); i++)
        if (strcmp(word, dpn_fit_accounting_name((dpn_fit_accounting)i)) == 0) {
            r->options.accounting = (dpn_fit_accounting)i;
            return DPN_OK;
        }
    return dpn_fail(r->why, DPN_EDOMAIN, "fit: accounting is exact, zcdp or paper");
}

/* A member with a value of its own form; *known is whether there is such a one. */
static dpn_status read_special(bool *known, reader *r, const char *name, const dpn_json_value *value) {
    dpn_fit_options *of = &r->options;
    *known = true;
    if (strcmp(name, "kind") == 0) return read_kind(r, value);
    if (strcmp(name, "accounting") == 0) return read_accounting(r, value);
    if (strcmp(name, "start") == 0) return read_numbers(&r->start, &of->starts, r, value, name);
    if (strcmp(name, "smoothness") == 0) return read_numbers(&r->smoothness, &of->smoothnesses, r, value, name);
    *known = false;
    return DPN_OK;
}

static dpn_status read_member(reader *r, const char *name, const dpn_json_value *value) {
    dpn_fit_options *of = &r->options;
    const struct {
        const char *name;
        char *word;
        bool *flag;
        double *number;
        uint64_t *count;
    } members[] = {{"method", .word = r->method},
                   {"noise", .word = r->noise},
                   {"ball", .word = r->ball},
                   {"no_intercept", .flag = &of->no_intercept},
                   {"raw", .flag = &of->raw},
                   {"identical", .flag = &of->identical},
                   {"tune", .flag = &of->tune},
                   {"within_l2", .flag = &of->within_l2},
                   {"l1", .number = &of->l1},
                   {"l2", .number = &of->l2},
                   {"rows", .number = &of->rows},
                   {"clip", .number = &of->clip},
                   {"step", .number = &of->step},
                   {"within", .number = &of->within},
                   {"share", .number = &of->share},
                   {"quantile", .number = &of->quantile},
                   {"sample_rate", .number = &of->sample_rate},
                   {"passes", .count = &of->passes},
                   {"points", .count = &of->points},
                   {"blocks", .count = &of->blocks}};
    bool known = false;
    dpn_status status = read_special(&known, r, name, value);
    if (known) return status;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (strcmp(members[i].name, name) != 0) continue;
        if (members[i].word) return read_word(members[i].word, r, value, name);
        if (members[i].flag) return read_flag(members[i].flag, r, value, name);
        if (members[i].number) return read_number(members[i].number, r, value, name);
        return read_count(members[i].count, r, value, name);
    }
    return dpn_fail(r->why, DPN_EPARSE, "fit: there is no setting '%.40s'", name);
}

static dpn_status read_members(reader *r, const dpn_json_value *object) {
    dpn_status status = DPN_OK;
    bool twice = false;
    if (object->kind != DPN_JSON_OBJECT)
        return dpn_fail(r->why, DPN_EPARSE, "fit must be an object: {\"kind\": \"linear\"}");
    if (!dpn_json_member(r->json, object, "kind", &twice) && !twice)
        return dpn_fail(r->why, DPN_EPARSE, "fit: kind is missing: linear, logistic or quantile");
    const dpn_json_value *at = object + 1;
    for (size_t i = 0; i < object->count && !status; i++) {
        char name[WORD] = "";
        if (dpn_json_string(name, sizeof name, r->json, at, NULL))
            return dpn_fail(r->why, DPN_EPARSE, "fit: a name is too long for a setting");
        const dpn_json_value *value = dpn_json_member(r->json, object, name, &twice);
        if (twice) return dpn_fail(r->why, DPN_EPARSE, "fit: %.40s is given twice", name);
        if (value != at + 1) return dpn_fail(r->why, DPN_EPARSE, "fit: names of settings are plain letters");
        status = read_member(r, name, value);
        at = dpn_json_next(r->json, value);
    }
    return status;
}

/* ---- The fit ---- */

static dpn_status read_fit(dpn_fit **out, const dpn_json *json, const dpn_json_value *object, dpn_error *why) {
    reader r = {.json = json, .options = dpn_fit_options_init(), .why = why};
    dpn_error reason;
    dpn_status status = read_members(&r, object);
    r.options.method = r.method[0] ? r.method : NULL;
    r.options.noise = r.noise[0] ? r.noise : NULL;
    r.options.ball = r.ball[0] ? r.ball : NULL;
    r.options.start = r.start;
    r.options.smoothness = r.smoothness;
    if (!status && (status = dpn_fit_new(out, &r.options, &reason))) /* which copies them */
        dpn_fail(why, status, "fit: %s", reason.sentence);
    free(r.start);
    free(r.smoothness);
    return status;
}

dpn_status dpn_fit_split(dpn_fit **out, char **text, size_t *length, const char *question, size_t question_length,
                         dpn_error *why) {
    dpn_json json;
    dpn_fit *fit = NULL;
    bool twice = false;
    dpn_status status = dpn_json_read(&json, question, question_length, why);
    if (status) return status;
    char *copy = malloc(question_length + 1);
    if (!copy) status = dpn_fail(why, DPN_ENOMEM, "no memory for the question");
    const dpn_json_value *member =
        json.value[0].kind == DPN_JSON_OBJECT ? dpn_json_member(&json, &json.value[0], "fit", &twice) : NULL;
    if (!status && twice) status = dpn_fail(why, DPN_EPARSE, "fit is given twice");
    if (!status && member) status = read_fit(&fit, &json, member, why);
    if (!status) {
        memcpy(copy, question, question_length);
        copy[question_length] = '\0';
        if (member) dpn_json_blank(copy, member);
        *out = fit;
        *text = copy;
        if (length) *length = question_length;
    } else
        free(copy);
    dpn_json_free(&json);
    return status;
}
