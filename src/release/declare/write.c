/* Declarations as JSON: the writer. Equal questions get equal texts. */
#include "release/declare/declaration.h"

#include "base/error.h"
#include "release/statistic/statistic.h"
#include "base/text/excerpt.h"
#include "base/text/json-write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts and numbers ---- */

static void put_text(dpn_text *out, const char *name, const char *text) {
    dpn_text_member(out, name);
    dpn_text_quote(out, text);
}

/* A number in its one form. What is not a number, as the infinite edges, stays as it is. */
static void put_number(dpn_text *out, const char *text) {
    dpn_signed number;
    char normal[DPN_SIGNED_TEXT_SIZE];
    dpn_text_quote(out, dpn_signed_read(&number, text, NULL) ? text : dpn_signed_print(normal, &number));
}

static void put_texts(dpn_text *out, const char *name, char *const *text, size_t count,
                      void put_one(dpn_text *, const char *)) {
    dpn_text_member(out, name);
    dpn_text_put(out, "[");
    for (size_t i = 0; i < count; i++) {
        dpn_text_comma(out);
        put_one(out, text[i]);
    }
    dpn_text_put(out, "]");
}

/* ---- parts ---- */

static void put_bounds(dpn_text *out, const char *name, char *const *bound, const dpn_statistic *statistic) {
    if (dpn_statistic_shape_of(statistic->kind) & DPN_HAS_COLUMNS) {
        put_texts(out, name, bound, statistic->columns, put_number);
    } else {
        dpn_text_member(out, name);
        put_number(out, bound[0]);
    }
}

static void put_statistic(dpn_text *out, const dpn_statistic *statistic) {
    unsigned shape = dpn_statistic_shape_of(statistic->kind);
    dpn_text_comma(out);
    dpn_text_put(out, "{");
    put_text(out, "kind", dpn_statistic_kind_name(statistic->kind));
    if (shape & DPN_HAS_COLUMN) put_text(out, "column", statistic->column[0]);
    if (shape & DPN_HAS_COLUMNS) put_texts(out, "columns", statistic->column, statistic->columns, dpn_text_quote);
    if (shape & DPN_HAS_QUANTILE) {
        dpn_text_member(out, "quantile");
        put_number(out, statistic->quantile);
    }
    if (statistic->edge) {
        put_texts(out, "edges", statistic->edge, statistic->edges, put_number);
    } else if (shape & DPN_HAS_BOUNDS && statistic->lower && statistic->upper) {
        put_bounds(out, "lower", statistic->lower, statistic);
        put_bounds(out, "upper", statistic->upper, statistic);
    }
    if (statistic->step) {
        dpn_text_member(out, "step");
        put_number(out, statistic->step);
    }
    dpn_text_put(out, "}");
}

static void put_grouping(dpn_text *out, const dpn_grouping *grouping) {
    dpn_text_comma(out);
    dpn_text_put(out, "{");
    put_text(out, "column", grouping->column);
    if (grouping->level) put_texts(out, "levels", grouping->level, grouping->levels, dpn_text_quote);
    dpn_text_put(out, "}");
}

/* ---- predicates: a set ---- */

static int compare_predicates(const void *left, const void *right) {
    const dpn_predicate *a = left, *b = right;
    int order = strcmp(a->column, b->column);
    if (order == 0) order = (a->is > b->is) - (a->is < b->is);
    return order ? order : strcmp(a->value, b->value);
}

static void put_predicate(dpn_text *out, const dpn_predicate *predicate) {
    dpn_text_comma(out);
    dpn_text_put(out, "{");
    put_text(out, "column", predicate->column);
    put_text(out, "is", dpn_predicate_is_name(predicate->is));
    put_text(out, "value", predicate->value);
    dpn_text_put(out, "}");
}

/* The predicates with their values in normal form; only these are owned. */
static dpn_status put_predicates(dpn_text *out, const dpn_declaration *declaration, dpn_error *why) {
    size_t count = declaration->wheres, made = 0;
    if (count == 0) return DPN_OK;
    dpn_predicate *sorted = calloc(count, sizeof *sorted);
    if (!sorted) return dpn_fail(why, DPN_ENOMEM, "no memory for the text of the declaration");
    dpn_status status = DPN_OK;
    for (; made < count && !status; made++) {
        sorted[made] = declaration->where[made];
        sorted[made].value = NULL;
        status = dpn_value_copy(&sorted[made].value, declaration->where[made].value, why);
    }
    if (!status) {
        qsort(sorted, count, sizeof *sorted, compare_predicates);
        dpn_text_member(out, "where");
        dpn_text_put(out, "[");
        for (size_t i = 0; i < count; i++)
            if (i == 0 || compare_predicates(&sorted[i - 1], &sorted[i]) != 0) put_predicate(out, &sorted[i]);
        dpn_text_put(out, "]");
    }
    for (size_t i = 0; i < made; i++) free(sorted[i].value);
    free(sorted);
    return status;
}

/* ---- the declaration ---- */

static void put_lists(dpn_text *out, const dpn_declaration *declaration) {
    if (declaration->statistics > 0) {
        dpn_text_member(out, "statistics");
        dpn_text_put(out, "[");
        for (size_t i = 0; i < declaration->statistics; i++) put_statistic(out, &declaration->statistic[i]);
        dpn_text_put(out, "]");
    }
    if (declaration->bys > 0) {
        dpn_text_member(out, "by");
        dpn_text_put(out, "[");
        for (size_t i = 0; i < declaration->bys; i++) put_grouping(out, &declaration->by[i]);
        dpn_text_put(out, "]");
    }
}

static void put_count(dpn_text *out, const char *name, uint64_t count) {
    char digits[24];
    if (count == 1) return;
    snprintf(digits, sizeof digits, "%" PRIu64, count);
    put_text(out, name, digits);
}

/* A number that is left out if it is the default; NULL is left out too. */
static void put_unless(dpn_text *out, const char *name, const char *text, const char *usual) {
    dpn_signed number, other;
    if (!text) return;
    if (usual && !dpn_signed_read(&number, text, NULL) && !dpn_signed_read(&other, usual, NULL) &&
        dpn_signed_compare(&number, &other) == 0)
        return;
    dpn_text_member(out, name);
    put_number(out, text);
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The words for missing fields, in order: theirs does not matter. */
static void put_na(dpn_text *out, const dpn_declaration *declaration) {
    if (declaration->nas == 0) return;
    char **sorted = malloc(declaration->nas * sizeof *sorted);
    if (!sorted) {
        out->failed = true;
        return;
    }
    memcpy(sorted, declaration->na, declaration->nas * sizeof *sorted);
    qsort(sorted, declaration->nas, sizeof *sorted, compare_texts);
    dpn_text_member(out, "na");
    dpn_text_put(out, "[");
    for (size_t i = 0; i < declaration->nas; i++) {
        dpn_text_comma(out);
        dpn_text_quote(out, sorted[i]);
    }
    dpn_text_put(out, "]");
    free(sorted);
}

static void put_missing(dpn_text *out, const dpn_declaration *declaration) {
    char rule[sizeof "value:" + DPN_SIGNED_TEXT_SIZE];
    dpn_signed number;
    if (declaration->missing == DPN_MISSING_REFUSE) put_text(out, "missing", "refuse");
    if (declaration->missing == DPN_MISSING_VALUE) {
        char normal[DPN_SIGNED_TEXT_SIZE] = "";
        if (!dpn_signed_read(&number, declaration->missing_value, NULL)) dpn_signed_print(normal, &number);
        snprintf(rule, sizeof rule, "value:%s", normal);
        put_text(out, "missing", rule);
    }
    put_na(out, declaration);
    if (declaration->count_left_out) {
        dpn_text_member(out, "count_left_out");
        dpn_text_put(out, "true");
    }
}

static void put_rest(dpn_text *out, const dpn_declaration *declaration) {
    if (declaration->person) put_text(out, "person", declaration->person);
    put_count(out, "max_rows", declaration->max_rows);
    put_count(out, "max_groups", declaration->max_groups);
    if (declaration->per_person != DPN_PER_PERSON_ROWS)
        put_text(out, "per_person", dpn_per_person_name(declaration->per_person));
    if (declaration->relation != DPN_ADD_REMOVE) put_text(out, "relation", dpn_relation_name(declaration->relation));
    put_unless(out, "epsilon", declaration->epsilon, NULL);
    put_unless(out, "delta", declaration->delta, "0");
    put_missing(out, declaration);
    if (declaration->noise) put_text(out, "noise", declaration->noise);
    if (declaration->nonnegative) {
        dpn_text_member(out, "nonnegative");
        dpn_text_put(out, "true");
    }
    if (declaration->consistent) {
        dpn_text_member(out, "consistent");
        dpn_text_put(out, "true");
    }
}

dpn_status dpn_declaration_write(char **text, size_t *length, const dpn_declaration *declaration, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    for (size_t i = 0; i < declaration->bys; i++)
        if (declaration->by[i].levels_only)
            return dpn_fail(why, DPN_EDOMAIN, "levels: there are some for '%s', which is not in by",
                            dpn_show(shown, declaration->by[i].column));
    dpn_text out = {0};
    dpn_text_put(&out, "{");
    put_lists(&out, declaration);
    dpn_status status = put_predicates(&out, declaration, why);
    put_rest(&out, declaration);
    dpn_text_put(&out, "}");
    if (!status && out.failed) status = dpn_fail(why, DPN_ENOMEM, "no memory for the text of the declaration");
    if (status) {
        free(out.at);
        return status;
    }
    *text = out.at;
    if (length) *length = out.length;
    return DPN_OK;
}
