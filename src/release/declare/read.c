/* Declarations as JSON: the reader. Parts are read into a declaration that is freed as a whole if one is wrong. */
#include "release/declare/members.h"

#include "base/error.h"
#include "release/statistic/statistic.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- words ---- */

static const char *kind_word(size_t i) {
    return dpn_statistic_kind_name((dpn_statistic_kind)i);
}

static const char *comparison_word(size_t i) {
    return dpn_predicate_is_name((dpn_predicate_is)i);
}

static const char *relation_word(size_t i) {
    return dpn_relation_name((dpn_relation)i);
}

static const char *per_person_word(size_t i) {
    return dpn_per_person_name((dpn_per_person)i);
}

/* ---- statistics ---- */

static const char *members_of(unsigned shape) {
    if (shape & DPN_HAS_COLUMNS) return "kind columns lower upper";
    if (shape & DPN_HAS_QUANTILE) return "kind column quantile lower upper step edges";
    if (shape & DPN_HAS_EDGES) return "kind column edges";
    if (shape & DPN_HAS_BOUNDS) return "kind column lower upper";
    return "kind";
}

static dpn_status read_columns(dpn_statistic *out, const dpn_members *r, const dpn_json_value *object, unsigned shape) {
    const dpn_json_value *value;
    bool list = shape & DPN_HAS_COLUMNS;
    if (!list && !(shape & DPN_HAS_COLUMN)) return DPN_OK;
    const char *member = list ? "columns" : "column";
    dpn_status status = dpn_member_need(&value, r, object, member);
    if (status) return status;
    if (list) return dpn_member_list(&out->column, &out->columns, r, value, member, dpn_member_name);
    out->columns = 1;
    return dpn_member_single(&out->column, r, value, member, dpn_member_name);
}

/* Whether neither bound is there, so that a registration has to supply both. */
static dpn_status lacks_bounds(bool *out, const dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *lower, *upper;
    dpn_status status = dpn_member_find(&lower, r, object, "lower");
    if (!status) status = dpn_member_find(&upper, r, object, "upper");
    if (!status) *out = !lower && !upper;
    return status;
}

/* One bound, or a list with one for each column. */
static dpn_status read_bounds(char ***out, const dpn_statistic *of, const dpn_members *r, const dpn_json_value *object,
                              const char *member) {
    const dpn_json_value *value;
    dpn_status status = dpn_member_need(&value, r, object, member);
    if (status) return status;
    if (!(dpn_statistic_shape_of(of->kind) & DPN_HAS_COLUMNS))
        return dpn_member_single(out, r, value, member, dpn_member_number);
    size_t count = of->columns;
    if (value->kind == DPN_JSON_ARRAY && value->count != count)
        return dpn_member_refuse(r, DPN_EPARSE, member, "there must be one for each column");
    return dpn_member_list(out, &count, r, value, member, dpn_member_number);
}

/* Where the candidates of a quantile are listed, its bounds are the first and the last, and are not said again. */
static dpn_status copy_ends(dpn_statistic *out, const dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *lower, *upper, *step;
    dpn_status status = dpn_member_find(&lower, r, object, "lower");
    if (!status) status = dpn_member_find(&upper, r, object, "upper");
    if (!status) status = dpn_member_find(&step, r, object, "step");
    if (status) return status;
    if (step) return dpn_member_refuse(r, DPN_EPARSE, "step", "edges are candidates already; leave one of both out");
    if (lower || upper)
        return dpn_member_refuse(r, DPN_EPARSE, lower ? "lower" : "upper",
                                 "the edges say it already; leave one of both out");
    out->lower = calloc(1, sizeof *out->lower);
    out->upper = calloc(1, sizeof *out->upper);
    if (!out->lower || !out->upper) return dpn_member_no_memory(r);
    status = dpn_text_copy(out->lower, out->edge[0], r->why);
    return status ? status : dpn_text_copy(out->upper, out->edge[out->edges - 1], r->why);
}

static dpn_status read_edges_and_bounds(dpn_statistic *out, const dpn_members *r, const dpn_json_value *object,
                                        unsigned shape) {
    const dpn_json_value *edges = NULL;
    dpn_status status = DPN_OK;
    if (shape & DPN_HAS_EDGES) status = dpn_member_need(&edges, r, object, "edges");
    if (shape & DPN_MAY_HAVE_EDGES) status = dpn_member_find(&edges, r, object, "edges");
    if (!status && edges) status = dpn_member_list(&out->edge, &out->edges, r, edges, "edges", dpn_member_edge);
    if (status || !(shape & DPN_HAS_BOUNDS)) return status;
    if (edges) return copy_ends(out, r, object);
    bool unbounded = false;
    status = lacks_bounds(&unbounded, r, object);
    if (status || unbounded) return status;
    status = read_bounds(&out->lower, out, r, object, "lower");
    return status ? status : read_bounds(&out->upper, out, r, object, "upper");
}

static dpn_status read_statistic(dpn_statistic *out, const dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *value;
    size_t kind = 0;
    if (object->kind != DPN_JSON_OBJECT) return dpn_members_know(r, object, "");
    dpn_status status = dpn_member_need(&value, r, object, "kind");
    if (!status) status = dpn_member_choice(&kind, r, object, "kind", kind_word);
    if (status) return status;
    out->kind = (dpn_statistic_kind)kind;
    unsigned shape = dpn_statistic_shape_of(out->kind);
    status = dpn_members_know(r, object, members_of(shape));
    if (!status) status = read_columns(out, r, object, shape);
    if (!status) status = read_edges_and_bounds(out, r, object, shape);
    if (status || !(shape & DPN_HAS_QUANTILE)) return status;
    status = dpn_member_need(&value, r, object, "quantile");
    if (!status) status = dpn_member_number(&out->quantile, r, value, "quantile");
    return status ? status : dpn_member_text(&out->step, r, object, "step", dpn_member_number);
}

/* ---- groups and predicates ---- */

static dpn_status read_grouping(dpn_grouping *out, const dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *value;
    if (object->kind == DPN_JSON_STRING) return dpn_member_name(&out->column, r, object, "");
    dpn_status status = dpn_members_know(r, object, "column levels");
    if (!status) status = dpn_member_need(&value, r, object, "column");
    if (!status) status = dpn_member_name(&out->column, r, value, "column");
    if (!status) status = dpn_member_find(&value, r, object, "levels");
    if (status || !value) return status;
    return dpn_member_list(&out->level, &out->levels, r, value, "levels", dpn_member_name);
}

static dpn_status read_predicate(dpn_predicate *out, const dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *value;
    size_t is = 0;
    char *text = NULL;
    if (object->kind == DPN_JSON_STRING) return dpn_brief_predicate(out, r, object);
    dpn_status status = dpn_members_know(r, object, "column is value");
    if (!status) status = dpn_member_need(&value, r, object, "column");
    if (!status) status = dpn_member_name(&out->column, r, value, "column");
    if (!status) status = dpn_member_need(&value, r, object, "is");
    if (!status) status = dpn_member_choice(&is, r, object, "is", comparison_word);
    if (!status) status = dpn_member_need(&value, r, object, "value");
    if (!status) status = dpn_member_name(&text, r, value, "value");
    out->is = (dpn_predicate_is)is;
    if (!status) status = dpn_value_copy(&out->value, text, r->why);
    free(text);
    return status;
}

/* ---- the declaration ---- */

/* Which members are not there. */
static dpn_status find_unsaid(unsigned *out, const dpn_members *r, const dpn_json_value *object) {
    static const char *const names[] = {"max_rows", "max_groups", "relation", "delta", "missing"}; /* as dpn_unsaid */
    const dpn_json_value *value;
    dpn_status status = DPN_OK;
    *out = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names && !status; i++) {
        status = dpn_member_find(&value, r, object, names[i]);
        if (!status && !value) *out |= 1U << i;
    }
    return status;
}

/* The list of a member, NULL if it is absent; its elements will be read with the place "name[i]". */
static dpn_status find_list(const dpn_json_value **out, const dpn_members *r, const dpn_json_value *object,
                            const char *name, size_t most) {
    char words[64];
    dpn_status status = dpn_member_find(out, r, object, name);
    if (status || !*out) return status;
    if ((*out)->kind != DPN_JSON_ARRAY) return dpn_member_refuse(r, DPN_EPARSE, name, "a list in brackets is expected");
    if ((*out)->count > most) {
        snprintf(words, sizeof words, "it has more than %zu elements", most);
        return dpn_member_refuse(r, DPN_EPARSE, name, words);
    }
    if ((*out)->count == 0) *out = NULL;
    return DPN_OK;
}

static void enter(dpn_members *r, const char *name, size_t index) {
    snprintf(r->place, sizeof r->place, "%s[%zu]", name, index);
}

static dpn_status read_statistics(dpn_declaration *out, dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *list;
    dpn_status status = find_list(&list, r, object, "statistics", DPN_DECLARATION_CELLS);
    if (status || !list) return status;
    out->statistic = calloc(list->count, sizeof *out->statistic);
    if (!out->statistic) return dpn_member_no_memory(r);
    const dpn_json_value *element = dpn_json_first(list);
    while (out->statistics < list->count && !status) {
        enter(r, "statistics", out->statistics);
        status = read_statistic(&out->statistic[out->statistics++], r, element);
        element = dpn_json_next(&r->json, element);
    }
    return status;
}

static dpn_status read_bys(dpn_declaration *out, dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *list;
    r->place[0] = '\0';
    dpn_status status = find_list(&list, r, object, "by", DPN_DECLARATION_BYS);
    if (status || !list) return status;
    out->by = calloc(list->count, sizeof *out->by);
    if (!out->by) return dpn_member_no_memory(r);
    const dpn_json_value *element = dpn_json_first(list);
    while (out->bys < list->count && !status) {
        enter(r, "by", out->bys);
        status = read_grouping(&out->by[out->bys++], r, element);
        element = dpn_json_next(&r->json, element);
    }
    return status;
}

static dpn_status read_wheres(dpn_declaration *out, dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *list;
    r->place[0] = '\0';
    dpn_status status = find_list(&list, r, object, "where", DPN_DECLARATION_WHERES);
    if (status || !list) return status;
    out->where = calloc(list->count, sizeof *out->where);
    if (!out->where) return dpn_member_no_memory(r);
    const dpn_json_value *element = dpn_json_first(list);
    while (out->wheres < list->count && !status) {
        enter(r, "where", out->wheres);
        status = read_predicate(&out->where[out->wheres++], r, element);
        element = dpn_json_next(&r->json, element);
    }
    return status;
}

static dpn_status read_unit(dpn_declaration *out, const dpn_members *r, const dpn_json_value *object) {
    size_t relation = DPN_ADD_REMOVE;
    size_t per_person = DPN_PER_PERSON_ROWS;
    out->max_rows = out->max_groups = 1;
    dpn_status status = dpn_member_text(&out->person, r, object, "person", dpn_member_name);
    if (!status) status = dpn_member_count(&out->max_rows, r, object, "max_rows");
    if (!status) status = dpn_member_count(&out->max_groups, r, object, "max_groups");
    if (!status) status = dpn_member_choice(&per_person, r, object, "per_person", per_person_word);
    if (!status) status = dpn_member_choice(&relation, r, object, "relation", relation_word);
    out->per_person = (dpn_per_person)per_person;
    out->relation = (dpn_relation)relation;
    return status;
}

static dpn_status read_missing(dpn_declaration *out, const dpn_members *r, const dpn_json_value *object) {
    const dpn_json_value *words = NULL;
    char *rule = NULL;
    dpn_error reason;
    out->missing = DPN_MISSING_SKIP;
    dpn_status status = dpn_member_text(&rule, r, object, "missing", dpn_member_name);
    if (!status && rule && dpn_missing_read(&out->missing, &out->missing_value, rule, &reason))
        status = dpn_member_refuse(r, reason.status, "missing", reason.sentence);
    free(rule);
    if (!status) status = dpn_member_find(&words, r, object, "na");
    if (!status && words) status = dpn_member_list(&out->na, &out->nas, r, words, "na", dpn_member_name);
    return status ? status : dpn_member_bool(&out->count_left_out, r, object, "count_left_out");
}

static dpn_status read_guarantee(dpn_declaration *out, const dpn_members *r, const dpn_json_value *object) {
    dpn_status status = dpn_member_text(&out->epsilon, r, object, "epsilon", dpn_member_number);
    if (!status) status = dpn_member_text(&out->delta, r, object, "delta", dpn_member_number);
    if (!status && !out->delta) status = dpn_text_copy(&out->delta, "0", r->why);
    if (!status) status = dpn_member_text(&out->noise, r, object, "noise", dpn_member_name);
    if (!status) status = dpn_member_bool(&out->nonnegative, r, object, "nonnegative");
    if (!status) status = dpn_member_bool(&out->consistent, r, object, "consistent");
    return status;
}

static dpn_status read_all(dpn_declaration *out, dpn_members *r, const dpn_json_value *object) {
    if (object->kind != DPN_JSON_OBJECT)
        return dpn_fail(r->why, DPN_EPARSE, "a declaration is a JSON object in braces");
    dpn_status status =
        dpn_members_know(r, object,
                         "statistics by where person max_rows max_groups per_person relation epsilon delta missing na "
                         "count_left_out noise nonnegative consistent "
                         "count sum mean variance histogram quantile covariance");
    if (!status) status = read_statistics(out, r, object);
    r->place[0] = '\0';
    if (!status) status = dpn_brief_statistics(out, r, object);
    if (!status) status = read_bys(out, r, object);
    if (!status) status = read_wheres(out, r, object);
    r->place[0] = '\0';
    if (!status) status = read_unit(out, r, object);
    if (!status) status = read_missing(out, r, object);
    if (!status) status = read_guarantee(out, r, object);
    return status ? status : find_unsaid(&out->unsaid, r, object);
}

dpn_status dpn_declaration_read(dpn_declaration *out, const char *text, size_t length, dpn_error *why) {
    dpn_members r = {.why = why};
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
