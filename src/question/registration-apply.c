/* A question under a registration: what it may not say, and what it need not say. */
#include "question/registration.h"

#include "base/error.h"
#include "base/text/excerpt.h"
#include "release/declare/declaration.h"
#include "release/statistic/statistic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Statistics ---- */

static dpn_status find_column(const dpn_registered_column **out, const dpn_registration *registration, const char *part,
                              const char *name, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    if (!name) return dpn_fail(why, DPN_EDOMAIN, "%s: a column's name is missing", part);
    *out = dpn_registration_column(registration, name);
    if (*out) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN, "%s: there is no column '%s' in this data set", part, dpn_show(shown, name));
}

/* Refuse a bound or an edge that lies outside; the infinite ones do. */
static dpn_status check_inside(const char *text, const dpn_registered_column *column, const char *kind,
                               dpn_error *why) {
    dpn_signed number, lower, upper;
    dpn_error reason;
    char shown[DPN_SHOWN_SIZE], at[DPN_SHOWN_SIZE], low[DPN_SHOWN_SIZE], high[DPN_SHOWN_SIZE];
    dpn_show(shown, column->name);
    bool infinite = text && dpn_infinity_sign(text);
    dpn_status status = infinite ? DPN_OK : dpn_signed_read(&number, text, &reason);
    if (!status) status = dpn_signed_read(&lower, column->lower, &reason);
    if (!status) status = dpn_signed_read(&upper, column->upper, &reason);
    if (status) return dpn_fail(why, status, "%s of '%s': %s", kind, shown, reason.sentence);
    if (!infinite && dpn_signed_compare(&number, &lower) >= 0 && dpn_signed_compare(&number, &upper) <= 0)
        return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN, "%s of '%s': %s is outside of the bounds %s and %s that are registered", kind,
                    shown, dpn_show(at, text), dpn_show(low, column->lower), dpn_show(high, column->upper));
}

static dpn_status check_statistic(const dpn_statistic *statistic, const dpn_registration *registration,
                                  dpn_error *why) {
    const char *kind = dpn_statistic_kind_name(statistic->kind);
    const dpn_registered_column *column = NULL;
    char shown[DPN_SHOWN_SIZE];
    dpn_status status = DPN_OK;
    if (!kind) return dpn_fail(why, DPN_EDOMAIN, "a statistic has no known kind");
    if (!statistic->lower != !statistic->upper)
        return dpn_fail(why, DPN_EDOMAIN, "%s: lower and upper are given together, or not at all", kind);
    for (size_t i = 0; statistic->column && i < statistic->columns; i++) {
        status = find_column(&column, registration, kind, statistic->column[i], why);
        if (status) return status;
        if (column->type != DPN_COLUMN_NUMBER)
            return dpn_fail(why, DPN_EDOMAIN, "%s of '%s': this column is registered as %s, not as a number", kind,
                            dpn_show(shown, column->name), dpn_column_type_name(column->type));
        if (statistic->lower) status = check_inside(statistic->lower[i], column, kind, why);
        if (!status && statistic->upper) status = check_inside(statistic->upper[i], column, kind, why);
        if (status) return status;
    }
    for (size_t i = 0; i < statistic->edges && column && !status; i++)
        status = check_inside(statistic->edge[i], column, kind, why);
    return status;
}

/* ---- Groups and predicates ---- */

static int compare_names(const void *left, const void *right) {
    const char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

/* Both lists may be long: the registered one is sorted once. */
static dpn_status check_levels(const dpn_grouping *grouping, const dpn_registered_column *column, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE], level[DPN_SHOWN_SIZE];
    dpn_status status = DPN_OK;
    if (!grouping->level || !column->level) return DPN_OK;
    char **sorted = malloc((column->levels + 1) * sizeof *sorted);
    if (!sorted) return dpn_fail(why, DPN_ENOMEM, "no memory to check the levels");
    memcpy(sorted, column->level, column->levels * sizeof *sorted);
    qsort(sorted, column->levels, sizeof *sorted, compare_names);
    for (size_t i = 0; i < grouping->levels && !status; i++)
        if (!grouping->level[i] || !bsearch(&grouping->level[i], sorted, column->levels, sizeof *sorted, compare_names))
            status = dpn_fail(why, DPN_EDOMAIN, "levels of '%s': '%s' is not registered", dpn_show(shown, column->name),
                              dpn_show(level, grouping->level[i] ? grouping->level[i] : ""));
    free(sorted);
    return status;
}

static dpn_status check_groups(const dpn_declaration *declaration, const dpn_registration *registration,
                               dpn_error *why) {
    const dpn_registered_column *column = NULL;
    char shown[DPN_SHOWN_SIZE];
    for (size_t i = 0; i < declaration->bys; i++) {
        const dpn_grouping *grouping = &declaration->by[i];
        dpn_status status = find_column(&column, registration, "by", grouping->column, why);
        if (!status && column->type != DPN_COLUMN_CATEGORY)
            status = dpn_fail(why, DPN_EDOMAIN, "by: '%s' is registered as %s%s, and only a category forms groups",
                              dpn_show(shown, column->name), column->type == DPN_COLUMN_NUMBER ? "a " : "",
                              dpn_column_type_name(column->type));
        if (!status) status = check_levels(grouping, column, why);
        if (status) return status;
    }
    return DPN_OK;
}

static bool may_be_compared(const dpn_registration *registration, const char *name) {
    for (size_t i = 0; i < registration->wheres; i++)
        if (strcmp(registration->where[i], name) == 0) return true;
    return false;
}

static dpn_status check_wheres(const dpn_declaration *declaration, const dpn_registration *registration,
                               dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    for (size_t i = 0; i < declaration->wheres; i++) {
        const char *name = declaration->where[i].column;
        if (name && may_be_compared(registration, name)) continue;
        return dpn_fail(why, DPN_EDOMAIN, "where: predicates on '%s' are not among those that are registered",
                        dpn_show(shown, name ? name : ""));
    }
    return DPN_OK;
}

/* ---- The unit and the guarantee ---- */

static dpn_status check_most(const char *name, bool unsaid, uint64_t most, uint64_t registered, dpn_error *why) {
    if (unsaid || most <= registered) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN, "%s %" PRIu64 " is more than %" PRIu64 ", which is registered", name, most,
                    registered);
}

static bool is_same_number(const char *a, const char *b) {
    dpn_signed first, second;
    if (!a || !b) return !a && !b;
    return !dpn_signed_read(&first, a, NULL) && !dpn_signed_read(&second, b, NULL) &&
           dpn_signed_compare(&first, &second) == 0;
}

static bool are_same_words(const dpn_declaration *declaration, const dpn_registration *registration) {
    bool same = declaration->nas == registration->nas; /* no word is there twice */
    for (size_t i = 0; i < declaration->nas && same; i++) {
        same = false;
        for (size_t k = 0; k < registration->nas && !same; k++)
            same = declaration->na[i] && strcmp(declaration->na[i], registration->na[k]) == 0;
    }
    return same;
}

/* The rule is the curator's, one for all questions. */
static dpn_status check_missing(const dpn_declaration *declaration, const dpn_registration *registration,
                                dpn_error *why) {
    dpn_missing rule;
    char *value = NULL, shown[DPN_SHOWN_SIZE];
    dpn_status status = dpn_missing_read(&rule, &value, registration->missing, why);
    if (status) return status;
    bool same = declaration->unsaid & DPN_UNSAID_MISSING ||
                (declaration->missing == rule && is_same_number(declaration->missing_value, value));
    free(value);
    if (!same)
        return dpn_fail(why, DPN_EDOMAIN, "missing: this data set is registered with %s; leave it out",
                        dpn_show(shown, registration->missing));
    if (declaration->nas > 0 && !are_same_words(declaration, registration))
        return dpn_fail(why, DPN_EDOMAIN, "na: other words are registered; leave it out");
    return DPN_OK;
}

static dpn_status check_unit(const dpn_declaration *declaration, const dpn_registration *registration, dpn_error *why) {
    const char *person = registration->person;
    char shown[DPN_SHOWN_SIZE];
    unsigned unsaid = declaration->unsaid;
    if (declaration->person && !person)
        return dpn_fail(why, DPN_EDOMAIN,
                        "person: this data set is registered by rows, so no column tells persons apart");
    if (declaration->person && strcmp(declaration->person, person) != 0)
        return dpn_fail(why, DPN_EDOMAIN,
                        "person: '%s' is registered as the column that tells persons apart, and no other",
                        dpn_show(shown, person));
    dpn_status status =
        check_most("max_rows", unsaid & DPN_UNSAID_MAX_ROWS, declaration->max_rows, registration->max_rows, why);
    if (!status)
        status = check_most("max_groups", unsaid & DPN_UNSAID_MAX_GROUPS, declaration->max_groups,
                            registration->max_groups, why);
    if (status) return status;
    if (!(unsaid & DPN_UNSAID_RELATION) && declaration->relation != registration->relation)
        return dpn_fail(why, DPN_EDOMAIN, "relation: this data set is registered for %s",
                        dpn_relation_name(registration->relation));
    return check_missing(declaration, registration, why);
}

/* The sign of a number, if there is one, less a limit; without a limit `usual`. */
static dpn_status compare_limit(int *out, const char *name, const dpn_signed *number, const char *limit, int usual,
                                dpn_error *why) {
    dpn_signed most;
    dpn_error reason;
    *out = usual;
    if (!number || !limit) return DPN_OK;
    dpn_status status = dpn_signed_read(&most, limit, &reason);
    if (status) return dpn_fail(why, status, "%s: %s", name, reason.sentence);
    *out = dpn_signed_compare(number, &most);
    return DPN_OK;
}

/* What was asked for, if it was. */
static dpn_status read_asked(dpn_signed *out, const char *name, const char *text, dpn_error *why) {
    dpn_error reason;
    dpn_status status = text ? dpn_signed_read(out, text, &reason) : DPN_OK;
    return status ? dpn_fail(why, status, "%s: %s", name, reason.sentence) : DPN_OK;
}

static dpn_status check_limits(const dpn_declaration *declaration, const dpn_registration *registration,
                               dpn_error *why) {
    char shown[DPN_SHOWN_SIZE], limit[DPN_SHOWN_SIZE];
    int least = 0, most = 0, delta = 0;
    dpn_signed epsilon = {.negative = false}, part = {.negative = false};
    dpn_status status = read_asked(&epsilon, "epsilon", declaration->epsilon, why);
    if (!status) status = read_asked(&part, "delta", declaration->delta, why);
    const dpn_signed *asked = declaration->epsilon ? &epsilon : NULL, *asked_delta = declaration->delta ? &part : NULL;
    if (!status) status = compare_limit(&least, "epsilon", asked, registration->least_epsilon, 1, why);
    if (!status) status = compare_limit(&most, "epsilon", asked, registration->most_epsilon, -1, why);
    if (!status) status = compare_limit(&delta, "delta", asked_delta, registration->most_delta, -1, why);
    if (status) return status;
    if (least < 0)
        return dpn_fail(why, DPN_EDOMAIN, "epsilon %s is below %s, the least of one question",
                        dpn_show(shown, declaration->epsilon), dpn_show(limit, registration->least_epsilon));
    if (most > 0)
        return dpn_fail(why, DPN_EDOMAIN, "epsilon %s is above %s, the most of one question",
                        dpn_show(shown, declaration->epsilon), dpn_show(limit, registration->most_epsilon));
    if (delta > 0)
        return dpn_fail(why, DPN_EDOMAIN, "delta %s is above %s, the most of one question",
                        dpn_show(shown, declaration->delta), dpn_show(limit, registration->most_delta));
    return DPN_OK;
}

/* ---- What is filled in ---- */

static dpn_status fill_bounds(dpn_statistic *statistic, const dpn_registration *registration, dpn_error *why) {
    size_t columns = statistic->columns;
    if (!(dpn_statistic_shape_of(statistic->kind) & DPN_HAS_BOUNDS) || statistic->lower || columns == 0) return DPN_OK;
    char **lower = calloc(columns, sizeof *lower), **upper = calloc(columns, sizeof *upper);
    dpn_status status = lower && upper ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the declaration");
    for (size_t i = 0; i < columns && !status; i++) {
        const dpn_registered_column *column = dpn_registration_column(registration, statistic->column[i]);
        status = dpn_number_copy(&lower[i], column->lower, false, why);
        if (!status) status = dpn_number_copy(&upper[i], column->upper, false, why);
    }
    if (status) {
        dpn_texts_free(lower, columns);
        dpn_texts_free(upper, columns);
        return status;
    }
    statistic->lower = lower;
    statistic->upper = upper;
    return DPN_OK;
}

static dpn_status fill_levels(dpn_grouping *grouping, const dpn_registration *registration, dpn_error *why) {
    const dpn_registered_column *column = dpn_registration_column(registration, grouping->column);
    if (grouping->level || !column->level) return DPN_OK;
    char **level = calloc(column->levels, sizeof *level);
    dpn_status status = level ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the declaration");
    for (size_t i = 0; i < column->levels && !status; i++) status = dpn_text_copy(&level[i], column->level[i], why);
    if (status) {
        dpn_texts_free(level, column->levels);
        return status;
    }
    grouping->level = level;
    grouping->levels = column->levels;
    return DPN_OK;
}

static bool keys_are_unknown(const dpn_declaration *declaration) {
    for (size_t i = 0; i < declaration->bys; i++)
        if (!declaration->by[i].level) return true;
    return false;
}

/* The usual delta, where one is needed and was not said. */
static dpn_status fill_delta(dpn_declaration *declaration, const dpn_registration *registration, dpn_error *why) {
    char text[DPN_USUAL_DELTA_SIZE], *delta = NULL;
    int order = 0, none = 1;
    bool unsaid = !declaration->delta || declaration->unsaid & DPN_UNSAID_DELTA;
    if (!unsaid || !keys_are_unknown(declaration)) return DPN_OK;
    dpn_signed usual, zero = {.negative = false};
    dpn_usual_delta(text, registration->population);
    dpn_status status = dpn_signed_read(&usual, text, why);
    if (!status) status = compare_limit(&order, "delta", &usual, registration->most_delta, -1, why);
    if (!status && order > 0) status = compare_limit(&none, "delta", &zero, registration->most_delta, 1, why);
    if (!status && none == 0)
        status =
            dpn_fail(why, DPN_EDOMAIN,
                     "by: a column has no levels, and finding them takes a delta, of which the data set has none; its "
                     "curator can register levels");
    if (!status) status = dpn_number_copy(&delta, order > 0 ? registration->most_delta : text, false, why);
    if (status) return status;
    free(declaration->delta);
    declaration->delta = delta;
    return DPN_OK;
}

static dpn_status fill_missing(dpn_declaration *declaration, const dpn_registration *registration, dpn_error *why) {
    dpn_missing rule;
    char *value = NULL, **word = NULL;
    dpn_status status = DPN_OK;
    if (declaration->nas == 0 && registration->nas > 0) {
        word = calloc(registration->nas, sizeof *word);
        if (!word) return dpn_fail(why, DPN_ENOMEM, "no memory for the declaration");
        for (size_t i = 0; i < registration->nas && !status; i++)
            status = dpn_text_copy(&word[i], registration->na[i], why);
    }
    if (!status) status = dpn_missing_read(&rule, &value, registration->missing, why);
    if (status) {
        dpn_texts_free(word, registration->nas);
        return status;
    }
    free(declaration->missing_value);
    declaration->missing = rule;
    declaration->missing_value = value;
    if (word) {
        dpn_texts_free(declaration->na, declaration->nas);
        declaration->na = word;
        declaration->nas = registration->nas;
    }
    return DPN_OK;
}

static dpn_status fill_unit(dpn_declaration *declaration, const dpn_registration *registration, dpn_error *why) {
    unsigned unsaid = declaration->unsaid;
    if (!declaration->person && registration->person) {
        dpn_status status = dpn_text_copy(&declaration->person, registration->person, why);
        if (status) return status;
    }
    if (unsaid & DPN_UNSAID_MAX_ROWS && declaration->per_person == DPN_PER_PERSON_ROWS)
        declaration->max_rows = registration->max_rows;
    /* Without groups there is one, of which a person has one. */
    if (unsaid & DPN_UNSAID_MAX_GROUPS) declaration->max_groups = declaration->bys > 0 ? registration->max_groups : 1;
    declaration->relation = registration->relation;
    return fill_missing(declaration, registration, why);
}

dpn_status dpn_registration_apply(dpn_declaration *declaration, const dpn_registration *registration, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < declaration->statistics && !status; i++)
        status = check_statistic(&declaration->statistic[i], registration, why);
    if (!status) status = check_groups(declaration, registration, why);
    if (!status) status = check_wheres(declaration, registration, why);
    if (!status) status = check_unit(declaration, registration, why);
    if (!status) status = check_limits(declaration, registration, why);
    for (size_t i = 0; i < declaration->statistics && !status; i++)
        status = fill_bounds(&declaration->statistic[i], registration, why);
    for (size_t i = 0; i < declaration->bys && !status; i++)
        status = fill_levels(&declaration->by[i], registration, why);
    if (!status) status = fill_delta(declaration, registration, why);
    if (!status) status = fill_unit(declaration, registration, why);
    if (!status) declaration->unsaid = 0;
    return status;
}
