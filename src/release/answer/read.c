/* An answer as text: the reader. */
#include "base/error.h"
#include "base/text/json.h"

#include <dpnoise/answer.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    dpn_json json;
    dpn_error *why;
} reader;

static dpn_status refuse(const reader *r, const char *what) {
    return dpn_fail(r->why, DPN_EPARSE, "the text of the answer: %s", what);
}

/* The only member of that name, of that kind. */
static dpn_status find(const dpn_json_value **out, const reader *r, const dpn_json_value *object, const char *name,
                       dpn_json_kind kind) {
    bool twice = false;
    *out = object->kind == DPN_JSON_OBJECT ? dpn_json_member(&r->json, object, name, &twice) : NULL;
    if (!*out || twice || (*out)->kind != kind) return refuse(r, "a member is missing, repeated or of another kind");
    return DPN_OK;
}

/* Strings never grow when their escapes are undone. */
static dpn_status read_strings(char **out, const reader *r, const dpn_json_value *array, size_t count) {
    dpn_status status = array->count == count ? DPN_OK : refuse(r, "a key has another number of parts");
    const dpn_json_value *at = dpn_json_first(array);
    for (size_t i = 0; i < count && !status; i++, at = dpn_json_next(&r->json, at)) {
        size_t size = (size_t)at->length + 1;
        out[i] = malloc(size);
        if (!out[i]) return dpn_fail(r->why, DPN_ENOMEM, "out of memory");
        status = dpn_json_string(out[i], size, &r->json, at, r->why);
    }
    return status;
}

/* The word after the numbers, which answers of before had not. */
static dpn_status read_kind(dpn_interval_kind *out, const reader *r, const dpn_json_value *at) {
    char word[16];
    dpn_status status = dpn_json_string(word, sizeof word, &r->json, at, r->why);
    if (status) return status;
    for (int k = DPN_INTERVAL_EXACT; dpn_interval_kind_name((dpn_interval_kind)k); k++)
        if (strcmp(word, dpn_interval_kind_name((dpn_interval_kind)k)) == 0) {
            *out = (dpn_interval_kind)k;
            return DPN_OK;
        }
    return refuse(r, "an interval is exact, conservative or conditional");
}

static dpn_status read_cell(dpn_answer_cell *out, const reader *r, const dpn_json_value *array) {
    double number[5];
    enum { NUMBERS = sizeof number / sizeof *number };
    if (array->kind != DPN_JSON_ARRAY || (array->count != NUMBERS && array->count != NUMBERS + 1))
        return refuse(r, "a cell has five numbers and a word");
    const dpn_json_value *at = dpn_json_first(array);
    for (size_t i = 0; i < NUMBERS; i++, at = dpn_json_next(&r->json, at)) {
        number[i] = NAN;
        if (at->kind == DPN_JSON_NULL) continue;
        dpn_status status = dpn_json_number(&number[i], &r->json, at, r->why);
        if (status) return status;
    }
    if (!(fabs(number[4]) <= 400) || number[4] != floor(number[4])) return refuse(r, "digits are a small whole number");
    dpn_interval_kind kind = DPN_INTERVAL_UNSTATED;
    dpn_status status = array->count > NUMBERS ? read_kind(&kind, r, at) : DPN_OK;
    if (status) return status;
    *out = (dpn_answer_cell){number[0], number[1], number[2], number[3], (int)number[4], kind};
    return DPN_OK;
}

static dpn_status read_group(dpn_answer *answer, size_t group, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *key = NULL, *cells = NULL;
    dpn_status status = find(&key, r, object, "key", DPN_JSON_ARRAY);
    if (!status) status = find(&cells, r, object, "cells", DPN_JSON_ARRAY);
    if (!status) status = read_strings(answer->key + group * answer->bys, r, key, answer->bys);
    if (!status && cells->count != answer->outputs) status = refuse(r, "a group has another number of cells");
    if (status) return status;
    const dpn_json_value *at = dpn_json_first(cells);
    for (size_t i = 0; i < answer->outputs && !status; i++, at = dpn_json_next(&r->json, at))
        status = read_cell(&answer->cell[group * answer->outputs + i], r, at);
    return status;
}

static dpn_status read_answer(dpn_answer *out, const reader *r) {
    const dpn_json_value *by = NULL, *outputs = NULL, *groups = NULL;
    double bys = 0;
    dpn_status status = find(&by, r, r->json.value, "by", DPN_JSON_NUMBER);
    if (!status) status = find(&outputs, r, r->json.value, "outputs", DPN_JSON_ARRAY);
    if (!status) status = find(&groups, r, r->json.value, "groups", DPN_JSON_ARRAY);
    if (!status) status = dpn_json_number(&bys, &r->json, by, r->why);
    if (!status && !(bys >= 0 && bys <= 1e6 && bys == floor(bys))) status = refuse(r, "by is a small whole number");
    if (!status && groups->count > 0 && bys > DPN_JSON_VALUES / (double)groups->count)
        status = refuse(r, "there are too many keys");
    if (status) return status;
    out->bys = (size_t)bys;
    out->outputs = outputs->count;
    out->groups = groups->count;
    out->output = calloc(out->outputs + 1, sizeof *out->output);
    out->key = calloc(out->groups * out->bys + 1, sizeof *out->key);
    /* Groups times outputs is bounded by the values that the text must hold. */
    size_t cells = out->groups && out->outputs > DPN_JSON_VALUES / out->groups ? 0 : out->groups * out->outputs;
    if (cells == 0 && out->groups && out->outputs) return refuse(r, "there are too many cells");
    out->cell = calloc(cells + 1, sizeof *out->cell);
    if (!out->output || !out->key || !out->cell) return dpn_fail(r->why, DPN_ENOMEM, "out of memory");
    status = read_strings(out->output, r, outputs, out->outputs);
    const dpn_json_value *at = dpn_json_first(groups);
    for (size_t g = 0; g < out->groups && !status; g++, at = dpn_json_next(&r->json, at))
        status = read_group(out, g, r, at);
    return status;
}

dpn_status dpn_answer_read(dpn_answer **out, const char *text, size_t length, dpn_error *why) {
    reader r = {.why = why};
    dpn_status status = dpn_json_read(&r.json, text, length, why);
    if (status) return status;
    dpn_answer *answer = calloc(1, sizeof *answer);
    status = answer ? read_answer(answer, &r) : dpn_fail(why, DPN_ENOMEM, "out of memory");
    dpn_json_free(&r.json);
    if (status)
        dpn_answer_free(answer);
    else
        *out = answer;
    return status;
}
