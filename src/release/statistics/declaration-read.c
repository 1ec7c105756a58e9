/* Declarations as JSON: the reader. Parts are read into a declaration that is freed as a whole if one of them is wrong. */
#include "release/statistics/declaration.h"

#include "base/error.h"
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is read, with the place of the object at hand for the sentences: "" or "statistics[2]". */
typedef struct reader {
    dpn_json json;
    char place[40];
    dpn_error *why;
} reader;

static dpn_status refuse(const reader *r, dpn_status status, const char *member, const char *reason) {
    return dpn_fail(r->why, status, "%s%s%s: %s", r->place, *r->place && *member ? "." : "", member, reason);
}

static dpn_status no_memory(const reader *r) {
    return dpn_fail(r->why, DPN_ENOMEM, "no memory for the declaration");
}

/* ---- members ---- */

/* A member; NULL if it is absent or null. */
static dpn_status find(const dpn_json_value **out, const reader *r, const dpn_json_value *object, const char *name) {
    bool twice = false;
    *out = dpn_json_member(&r->json, object, name, &twice);
    if (twice) return refuse(r, DPN_EPARSE, name, "it is given twice");
    if (*out && (*out)->kind == DPN_JSON_NULL) *out = NULL;
    return DPN_OK;
}

/* A member that has to be there. */
static dpn_status need(const dpn_json_value **out, const reader *r, const dpn_json_value *object, const char *name) {
    dpn_status status = find(out, r, object, name);
    return !status && !*out ? refuse(r, DPN_EPARSE, name, "it is missing") : status;
}

/* Refuse members other than those of these names, which are separated by blanks. */
static dpn_status know(const reader *r, const dpn_json_value *object, const char *names) {
    if (object->kind != DPN_JSON_OBJECT) return refuse(r, DPN_EPARSE, "", "an object in braces is expected");
    const dpn_json_value *at = object + 1;
    for (uint32_t i = 0; i < object->count; i++) {
        char name[DPN_SHOWN_SIZE] = "", words[400], shown[DPN_SHOWN_SIZE];
        bool known = false;
        dpn_status status = dpn_json_string(name, sizeof name, &r->json, at, NULL);
        for (const char *word = names; !status && !known && *word; word += strspn(word, " ")) {
            size_t length = strcspn(word, " ");
            known = strlen(name) == length && memcmp(name, word, length) == 0 && at->length == length;
            word += length;
        }
        if (!known) {
            snprintf(words, sizeof words, "there is no such member, but %s", names);
            return refuse(r, DPN_EPARSE, status ? "a member" : dpn_show(shown, name), words);
        }
        at = dpn_json_next(&r->json, dpn_json_next(&r->json, at));
    }
    return DPN_OK;
}

/* ---- texts and numbers ---- */

/* The text of a string, or of a number as it is written. */
static dpn_status read_words(char *out, size_t size, const reader *r, const dpn_json_value *value, const char *member) {
    dpn_error reason = {DPN_EPARSE, "text or a number is expected"};
    if (value->kind == DPN_JSON_NUMBER && value->length < size) {
        memcpy(out, r->json.text + value->start, value->length);
        out[value->length] = '\0';
        return DPN_OK;
    }
    if (value->kind == DPN_JSON_NUMBER) reason = (dpn_error){DPN_EDOMAIN, "the number has too many digits"};
    if (value->kind == DPN_JSON_STRING && !dpn_json_string(out, size, &r->json, value, &reason)) return DPN_OK;
    return refuse(r, reason.status, member, reason.sentence);
}

typedef dpn_status read_text(char **out, const reader *r, const dpn_json_value *value, const char *member);

/* A name, a level, or a value. */
static dpn_status read_name(char **out, const reader *r, const dpn_json_value *value, const char *member) {
    char name[DPN_DECLARATION_NAME_SIZE];
    dpn_error reason;
    dpn_status status = read_words(name, sizeof name, r, value, member);
    if (!status && dpn_name_check(name, "it", &reason)) return refuse(r, DPN_EPARSE, member, reason.sentence);
    return status ? status : dpn_text_copy(out, name, r->why);
}

static dpn_status read_decimal(char **out, const reader *r, const dpn_json_value *value, const char *member,
                               bool infinite) {
    char text[2 * DPN_SIGNED_TEXT_SIZE];
    dpn_error reason;
    dpn_status status = read_words(text, sizeof text, r, value, member);
    if (status) return status;
    status = dpn_number_copy(out, text, infinite, &reason);
    return status == DPN_ENOMEM ? no_memory(r) : status ? refuse(r, status, member, reason.sentence) : DPN_OK;
}

static dpn_status read_number(char **out, const reader *r, const dpn_json_value *value, const char *member) {
    return read_decimal(out, r, value, member, false);
}

static dpn_status read_edge(char **out, const reader *r, const dpn_json_value *value, const char *member) {
    return read_decimal(out, r, value, member, true);
}

/* As many texts as an array has elements. *count is set at once, so that what was read can be freed. */
static dpn_status read_list(char ***out, size_t *count, const reader *r, const dpn_json_value *value,
                            const char *member, read_text *read_one) {
    if (value->kind != DPN_JSON_ARRAY) return refuse(r, DPN_EPARSE, member, "a list in brackets is expected");
    if (value->count == 0) return refuse(r, DPN_EPARSE, member, "the list is empty");
    *out = calloc(value->count, sizeof **out);
    if (!*out) return no_memory(r);
    *count = value->count;
    dpn_status status = DPN_OK;
    const dpn_json_value *element = dpn_json_first(value);
    for (size_t i = 0; i < *count && !status; i++) {
        char place[64];
        snprintf(place, sizeof place, "%s[%zu]", member, i);
        status = read_one(&(*out)[i], r, element, place);
        element = dpn_json_next(&r->json, element);
    }
    return status;
}

/* One text as a list of one. */
static dpn_status read_single(char ***out, const reader *r, const dpn_json_value *value, const char *member,
                              read_text *read_one) {
    *out = calloc(1, sizeof **out);
    return *out ? read_one(&(*out)[0], r, value, member) : no_memory(r);
}

/* ---- words ---- */

/* One of the words that `word` gives for 0, 1, ...; *out stays as it is if the member is absent. */
static dpn_status read_choice(size_t *out, const reader *r, const dpn_json_value *object, const char *name,
                              const char *(*word)(size_t)) {
    const dpn_json_value *value;
    char text[32] = "", expected[160] = "one of these is expected:";
    dpn_status status = find(&value, r, object, name);
    if (status || !value) return status;
    bool is_text = dpn_json_string(text, sizeof text, &r->json, value, NULL) == DPN_OK;
    for (size_t i = 0; word(i); i++) {
        if (is_text && strcmp(text, word(i)) == 0) {
            *out = i;
            return DPN_OK;
        }
        size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, " %s", word(i));
    }
    return refuse(r, DPN_EPARSE, name, expected);
}

static const char *kind_word(size_t i) {
    return dpn_statistic_kind_name((dpn_statistic_kind)i);
}

static const char *comparison_word(size_t i) {
    return dpn_predicate_is_name((dpn_predicate_is)i);
}

static const char *relation_word(size_t i) {
    return dpn_relation_name((dpn_relation)i);
}

static const char *missing_word(size_t i) {
    return dpn_missing_word((dpn_missing)i);
}

static dpn_status read_bool(bool *out, const reader *r, const dpn_json_value *object, const char *name) {
    const dpn_json_value *value;
    dpn_status status = find(&value, r, object, name);
    if (status || !value) return status;
    if (value->kind != DPN_JSON_TRUE && value->kind != DPN_JSON_FALSE)
        return refuse(r, DPN_EPARSE, name, "true or false is expected");
    *out = value->kind == DPN_JSON_TRUE;
    return DPN_OK;
}

/* A whole number in digits. */
static dpn_status read_count(uint64_t *out, const reader *r, const dpn_json_value *object, const char *name) {
    enum { DIGITS = 18 };
    const dpn_json_value *value;
    char text[DIGITS + 1];
    dpn_status status = find(&value, r, object, name);
    if (status || !value) return status;
    uint64_t count = 0;
    bool whole = read_words(text, sizeof text, r, value, name) == DPN_OK && *text;
    for (const char *digit = text; whole && *digit; digit++) {
        whole = *digit >= '0' && *digit <= '9';
        count = 10 * count + (uint64_t)(*digit - '0');
    }
    if (!whole) return refuse(r, DPN_EPARSE, name, "a whole number in digits is expected, at most 18 of them");
    *out = count;
    return DPN_OK;
}

/* ---- statistics ---- */

static const char *members_of(unsigned shape) {
    if (shape & DPN_HAS_COLUMNS) return "kind columns lower upper";
    if (shape & DPN_HAS_QUANTILE) return "kind column quantile lower upper edges";
    if (shape & DPN_HAS_EDGES) return "kind column edges";
    if (shape & DPN_HAS_BOUNDS) return "kind column lower upper";
    return "kind";
}

static dpn_status read_columns(dpn_statistic *out, const reader *r, const dpn_json_value *object, unsigned shape) {
    const dpn_json_value *value;
    bool list = shape & DPN_HAS_COLUMNS;
    if (!list && !(shape & DPN_HAS_COLUMN)) return DPN_OK;
    const char *member = list ? "columns" : "column";
    dpn_status status = need(&value, r, object, member);
    if (status) return status;
    if (list) return read_list(&out->column, &out->columns, r, value, member, read_name);
    out->columns = 1;
    return read_single(&out->column, r, value, member, read_name);
}

/* One bound, or a list with one for each column. */
static dpn_status read_bounds(char ***out, const dpn_statistic *of, const reader *r, const dpn_json_value *object,
                              const char *member) {
    const dpn_json_value *value;
    dpn_status status = need(&value, r, object, member);
    if (status) return status;
    if (of->kind != DPN_STATISTIC_COVARIANCE) return read_single(out, r, value, member, read_number);
    size_t count = of->columns;
    if (value->kind == DPN_JSON_ARRAY && value->count != count)
        return refuse(r, DPN_EPARSE, member, "there must be one for each column");
    return read_list(out, &count, r, value, member, read_number);
}

/* Where the candidates of a quantile are listed, its bounds are the first and the last, and are not said again. */
static dpn_status copy_ends(dpn_statistic *out, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *lower, *upper;
    dpn_status status = find(&lower, r, object, "lower");
    if (!status) status = find(&upper, r, object, "upper");
    if (status) return status;
    if (lower || upper)
        return refuse(r, DPN_EPARSE, lower ? "lower" : "upper", "the edges say it already; leave one of both out");
    out->lower = calloc(1, sizeof *out->lower);
    out->upper = calloc(1, sizeof *out->upper);
    if (!out->lower || !out->upper) return no_memory(r);
    status = dpn_text_copy(out->lower, out->edge[0], r->why);
    return status ? status : dpn_text_copy(out->upper, out->edge[out->edges - 1], r->why);
}

static dpn_status read_edges_and_bounds(dpn_statistic *out, const reader *r, const dpn_json_value *object,
                                        unsigned shape) {
    const dpn_json_value *edges = NULL;
    dpn_status status = DPN_OK;
    if (shape & DPN_HAS_EDGES) status = need(&edges, r, object, "edges");
    if (shape & DPN_MAY_HAVE_EDGES) status = find(&edges, r, object, "edges");
    if (!status && edges) status = read_list(&out->edge, &out->edges, r, edges, "edges", read_edge);
    if (status || !(shape & DPN_HAS_BOUNDS)) return status;
    if (edges) return copy_ends(out, r, object);
    status = read_bounds(&out->lower, out, r, object, "lower");
    return status ? status : read_bounds(&out->upper, out, r, object, "upper");
}

static dpn_status read_statistic(dpn_statistic *out, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *value;
    size_t kind = 0;
    if (object->kind != DPN_JSON_OBJECT) return know(r, object, "");
    dpn_status status = need(&value, r, object, "kind");
    if (!status) status = read_choice(&kind, r, object, "kind", kind_word);
    if (status) return status;
    out->kind = (dpn_statistic_kind)kind;
    unsigned shape = dpn_statistic_shape_of(out->kind);
    status = know(r, object, members_of(shape));
    if (!status) status = read_columns(out, r, object, shape);
    if (!status) status = read_edges_and_bounds(out, r, object, shape);
    if (status || !(shape & DPN_HAS_QUANTILE)) return status;
    status = need(&value, r, object, "quantile");
    return status ? status : read_number(&out->quantile, r, value, "quantile");
}

/* ---- groups and predicates ---- */

static dpn_status read_grouping(dpn_grouping *out, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *value;
    dpn_status status = know(r, object, "column levels");
    if (!status) status = need(&value, r, object, "column");
    if (!status) status = read_name(&out->column, r, value, "column");
    if (!status) status = find(&value, r, object, "levels");
    if (status || !value) return status;
    return read_list(&out->level, &out->levels, r, value, "levels", read_name);
}

static dpn_status read_predicate(dpn_predicate *out, const reader *r, const dpn_json_value *object) {
    const dpn_json_value *value;
    size_t is = 0;
    char *text = NULL;
    dpn_status status = know(r, object, "column is value");
    if (!status) status = need(&value, r, object, "column");
    if (!status) status = read_name(&out->column, r, value, "column");
    if (!status) status = need(&value, r, object, "is");
    if (!status) status = read_choice(&is, r, object, "is", comparison_word);
    if (!status) status = need(&value, r, object, "value");
    if (!status) status = read_name(&text, r, value, "value");
    out->is = (dpn_predicate_is)is;
    if (!status) status = dpn_value_copy(&out->value, text, r->why);
    free(text);
    return status;
}

/* ---- the declaration ---- */

/* The list of a member, NULL if it is absent; its elements will be read with the place "name[i]". */
static dpn_status find_list(const dpn_json_value **out, const reader *r, const dpn_json_value *object, const char *name,
                            size_t most) {
    char words[64];
    dpn_status status = find(out, r, object, name);
    if (status || !*out) return status;
    if ((*out)->kind != DPN_JSON_ARRAY) return refuse(r, DPN_EPARSE, name, "a list in brackets is expected");
    if ((*out)->count > most) {
        snprintf(words, sizeof words, "it has more than %zu elements", most);
        return refuse(r, DPN_EPARSE, name, words);
    }
    if ((*out)->count == 0) *out = NULL;
    return DPN_OK;
}

static void enter(reader *r, const char *name, size_t index) {
    snprintf(r->place, sizeof r->place, "%s[%zu]", name, index);
}

static dpn_status read_statistics(dpn_declaration *out, reader *r, const dpn_json_value *object) {
    const dpn_json_value *list;
    dpn_status status = find_list(&list, r, object, "statistics", DPN_DECLARATION_CELLS);
    if (status || !list) return status;
    out->statistic = calloc(list->count, sizeof *out->statistic);
    if (!out->statistic) return no_memory(r);
    const dpn_json_value *element = dpn_json_first(list);
    while (out->statistics < list->count && !status) {
        enter(r, "statistics", out->statistics);
        status = read_statistic(&out->statistic[out->statistics++], r, element);
        element = dpn_json_next(&r->json, element);
    }
    return status;
}

static dpn_status read_bys(dpn_declaration *out, reader *r, const dpn_json_value *object) {
    const dpn_json_value *list;
    r->place[0] = '\0';
    dpn_status status = find_list(&list, r, object, "by", DPN_DECLARATION_BYS);
    if (status || !list) return status;
    out->by = calloc(list->count, sizeof *out->by);
    if (!out->by) return no_memory(r);
    const dpn_json_value *element = dpn_json_first(list);
    while (out->bys < list->count && !status) {
        enter(r, "by", out->bys);
        status = read_grouping(&out->by[out->bys++], r, element);
        element = dpn_json_next(&r->json, element);
    }
    return status;
}

static dpn_status read_wheres(dpn_declaration *out, reader *r, const dpn_json_value *object) {
    const dpn_json_value *list;
    r->place[0] = '\0';
    dpn_status status = find_list(&list, r, object, "where", DPN_DECLARATION_WHERES);
    if (status || !list) return status;
    out->where = calloc(list->count, sizeof *out->where);
    if (!out->where) return no_memory(r);
    const dpn_json_value *element = dpn_json_first(list);
    while (out->wheres < list->count && !status) {
        enter(r, "where", out->wheres);
        status = read_predicate(&out->where[out->wheres++], r, element);
        element = dpn_json_next(&r->json, element);
    }
    return status;
}

/* A member that is one text; NULL stays if it is absent. */
static dpn_status read_member(char **out, const reader *r, const dpn_json_value *object, const char *name,
                              read_text *read_one) {
    const dpn_json_value *value;
    dpn_status status = find(&value, r, object, name);
    return status || !value ? status : read_one(out, r, value, name);
}

static dpn_status read_unit(dpn_declaration *out, const reader *r, const dpn_json_value *object) {
    size_t relation = DPN_ADD_REMOVE, missing = DPN_MISSING_REFUSE;
    out->max_rows = out->max_groups = 1;
    dpn_status status = read_member(&out->person, r, object, "person", read_name);
    if (!status) status = read_count(&out->max_rows, r, object, "max_rows");
    if (!status) status = read_count(&out->max_groups, r, object, "max_groups");
    if (!status) status = read_choice(&relation, r, object, "relation", relation_word);
    if (!status) status = read_choice(&missing, r, object, "missing", missing_word);
    out->relation = (dpn_relation)relation;
    out->missing = (dpn_missing)missing;
    return status;
}

static dpn_status read_guarantee(dpn_declaration *out, const reader *r, const dpn_json_value *object) {
    dpn_status status = read_member(&out->epsilon, r, object, "epsilon", read_number);
    if (!status) status = read_member(&out->delta, r, object, "delta", read_number);
    if (!status && !out->delta) status = dpn_text_copy(&out->delta, "0", r->why);
    if (!status) status = read_member(&out->noise, r, object, "noise", read_name);
    if (!status) status = read_bool(&out->nonnegative, r, object, "nonnegative");
    if (!status) status = read_bool(&out->consistent, r, object, "consistent");
    return status;
}

static dpn_status read_all(dpn_declaration *out, reader *r, const dpn_json_value *object) {
    if (object->kind != DPN_JSON_OBJECT)
        return dpn_fail(r->why, DPN_EPARSE, "a declaration is a JSON object in braces");
    dpn_status status = know(r, object,
                             "statistics by where person max_rows max_groups relation epsilon delta missing noise "
                             "nonnegative consistent");
    if (!status) status = read_statistics(out, r, object);
    if (!status) status = read_bys(out, r, object);
    if (!status) status = read_wheres(out, r, object);
    r->place[0] = '\0';
    if (!status) status = read_unit(out, r, object);
    if (!status) status = read_guarantee(out, r, object);
    return status;
}

dpn_status dpn_declaration_read(dpn_declaration *out, const char *text, size_t length, dpn_error *why) {
    reader r = {.why = why};
    dpn_declaration read = {0};
    dpn_status status = dpn_json_read(&r.json, text, length, why);
    if (status) return status;
    status = read_all(&read, &r, &r.json.value[0]);
    dpn_json_free(&r.json);
    if (status)
        dpn_declaration_free(&read);
    else
        *out = read;
    return status;
}
