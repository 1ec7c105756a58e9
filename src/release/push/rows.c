/* The rows that are asked for, with their keys and numbers. */
#include "release/push/push.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_LEVELS = 100000 };

/* ---- Which rows ---- */

/* Conditions between which AND stands. */
static void put_and(dpn_text *out, bool *first) {
    dpn_text_put(out, *first ? "\n   WHERE " : "\n     AND ");
    *first = false;
}

/* Whether a number that is usable satisfies a predicate. */
static void put_comparison(dpn_text *out, const dpn_push *push, const dpn_condition *condition) {
    dpn_text value = {0};
    dpn_push_value(&value, push, condition->column);
    if (value.failed) {
        out->failed = true;
        return;
    }
    bool equal = condition->is == DPN_IS_EQUAL || condition->is == DPN_IS_NOT_EQUAL;
    bool negated =
        condition->is == DPN_IS_LESS || condition->is == DPN_IS_LESS_OR_EQUAL || condition->is == DPN_IS_NOT_EQUAL;
    bool above = condition->is == DPN_IS_GREATER || condition->is == DPN_IS_LESS_OR_EQUAL;
    dpn_text_put(out, negated ? "NOT (" : "(");
    dpn_push_reaches(out, push, condition->column, value.at, &condition->value, above);
    if (equal) {
        dpn_text_put(out, " AND NOT (");
        dpn_push_reaches(out, push, condition->column, value.at, &condition->value, true);
        dpn_text_put(out, ")");
    }
    dpn_text_put(out, ")");
    free(value.at);
}

static bool orders(const dpn_condition *condition) {
    return condition->is != DPN_IS_EQUAL && condition->is != DPN_IS_NOT_EQUAL;
}

/* A predicate that orders leaves a row without a number out; if such rows are counted they are let through here. */
static void put_number_predicate(dpn_text *out, const dpn_push *push, const dpn_condition *condition) {
    bool through = orders(condition) ? push->query->declaration.count_left_out : condition->is == DPN_IS_NOT_EQUAL;
    if (!through) {
        dpn_push_usable(out, push, condition->column);
        dpn_text_put(out, " AND ");
        put_comparison(out, push, condition);
        return;
    }
    dpn_text_put(out, "CASE WHEN ");
    dpn_push_usable(out, push, condition->column);
    dpn_text_put(out, " THEN CASE WHEN ");
    put_comparison(out, push, condition);
    dpn_text_put(out, " THEN 1 ELSE 0 END WHEN ");
    if (orders(condition))
        dpn_text_put(out, "1 = 1");
    else
        dpn_push_said(out, push, condition->column);
    dpn_text_put(out, " THEN 1 ELSE 0 END = 1");
}

static void put_text_predicate(dpn_text *out, const dpn_push *push, const dpn_condition *condition) {
    dpn_text field = {0}, value = {0};
    dpn_push_said(out, push, condition->column);
    dpn_text_put(out, " AND ");
    dpn_push_field(&field, push, condition->column);
    dpn_sql_text(&value, push->dialect, condition->text);
    if (field.failed || value.failed) {
        out->failed = true;
    } else {
        dpn_sql_put(out, push->dialect->bytes, field.at, NULL);
        dpn_text_put(out, condition->is == DPN_IS_EQUAL ? " = " : " <> ");
        dpn_text_put(out, value.at);
    }
    free(field.at);
    free(value.at);
}

static void put_predicates(dpn_text *out, const dpn_push *push, bool *first) {
    for (size_t i = 0; i < push->query->declaration.wheres; i++) {
        const dpn_condition *condition = &push->reader.condition[i];
        put_and(out, first);
        if (condition->number)
            put_number_predicate(out, push, condition);
        else
            put_text_predicate(out, push, condition);
    }
}

/* The text of a key: a NULL is "". */
static void put_key(dpn_text *out, const dpn_push *push, size_t grouping) {
    dpn_text field = {0}, key = {0};
    dpn_push_field(&field, push, push->query->by[grouping]);
    dpn_text_put(&key, "COALESCE(");
    if (!field.failed) dpn_text_put(&key, field.at);
    dpn_text_put(&key, ", '')");
    if (field.failed || key.failed)
        out->failed = true;
    else
        dpn_sql_put(out, push->dialect->bytes, key.at, NULL);
    free(field.at);
    free(key.at);
}

static dpn_status put_levels(dpn_text *out, const dpn_push *push, bool *first) {
    for (size_t i = 0; i < push->query->declaration.bys; i++) {
        const dpn_grouping *by = &push->query->declaration.by[i];
        if (!by->level) continue;
        if (by->levels > MOST_LEVELS)
            return dpn_fail(push->why, DPN_EUNSUPPORTED, "column %.60s has too many levels for a query", by->column);
        put_and(out, first);
        put_key(out, push, i);
        for (size_t j = 0; j < by->levels; j++) {
            dpn_text_put(out, j ? ", " : " IN (");
            dpn_sql_text(out, push->dialect, by->level[j]);
        }
        dpn_text_put(out, ")");
    }
    return DPN_OK;
}

/* ---- The rows around the table ---- */

/* Whether a row is used; else it is left out, and counted. */
static void put_used(dpn_text *out, const dpn_push *push) {
    dpn_text_put(out, "CASE WHEN 1 = 1");
    for (size_t i = 0; i < push->reader.numerics && !dpn_push_takes_value(push); i++) {
        dpn_text_put(out, " AND ");
        dpn_push_usable(out, push, push->reader.numeric[i]);
    }
    for (size_t i = 0; i < push->query->declaration.wheres; i++) {
        if (!orders(&push->reader.condition[i])) continue;
        dpn_text_put(out, " AND ");
        dpn_push_usable(out, push, push->reader.condition[i].column);
    }
    dpn_text_put(out, " THEN 1 ELSE 0 END");
}

static void put_numbers(dpn_text *out, const dpn_push *push) {
    bool all_usable = !dpn_push_takes_value(push) && !push->query->declaration.count_left_out;
    for (size_t i = 0; i < push->reader.numerics; i++) {
        char name[32];
        snprintf(name, sizeof name, " AS dpn_n%zu", i);
        dpn_text_put(out, ", ");
        if (!all_usable) {
            dpn_text_put(out, "CASE WHEN ");
            dpn_push_usable(out, push, push->reader.numeric[i]);
            dpn_text_put(out, " THEN ");
        }
        dpn_push_value(out, push, push->reader.numeric[i]);
        if (!all_usable) dpn_text_put(out, " END");
        dpn_text_put(out, name);
    }
}

void dpn_push_source(dpn_text *out, const dpn_push *push) {
    const dpn_sql_options *options = push->options;
    if (options->from) {
        dpn_text_put(out, options->from);
        return;
    }
    if (options->schema) {
        dpn_sql_name(out, push->dialect, options->schema);
        dpn_text_put(out, ".");
    }
    dpn_sql_name(out, push->dialect, options->table);
}

dpn_status dpn_push_rows(dpn_text *out, const dpn_push *push) {
    const dpn_query *query = push->query;
    bool first = true, left_out = query->declaration.count_left_out;
    dpn_text_put(out, "(SELECT 1 AS dpn_one");
    for (size_t i = 0; i < query->declaration.bys; i++) {
        char name[32];
        snprintf(name, sizeof name, " AS dpn_k%zu", i);
        dpn_text_put(out, ", ");
        put_key(out, push, i);
        dpn_text_put(out, name);
    }
    if (query->person != SIZE_MAX) {
        dpn_text person = {0};
        dpn_push_field(&person, push, query->person);
        dpn_text_put(out, ", ");
        if (person.failed)
            out->failed = true;
        else
            dpn_sql_put(out, push->dialect->bytes, person.at, NULL);
        free(person.at);
        dpn_text_put(out, " AS dpn_p");
    }
    if (left_out) {
        dpn_text_put(out, ", ");
        put_used(out, push);
        dpn_text_put(out, " AS dpn_u");
    }
    put_numbers(out, push);
    dpn_text_put(out, "\n    FROM ");
    dpn_push_source(out, push);
    dpn_text_put(out, " dpn_t");
    put_predicates(out, push, &first);
    dpn_status status = put_levels(out, push, &first);
    if (query->person != SIZE_MAX) {
        put_and(out, &first);
        dpn_push_said(out, push, query->person);
    }
    for (size_t i = 0; i < push->reader.numerics && !dpn_push_takes_value(push) && !left_out; i++) {
        put_and(out, &first);
        dpn_push_usable(out, push, push->reader.numeric[i]);
    }
    dpn_text_put(out, ") dpn_a");
    return status;
}
