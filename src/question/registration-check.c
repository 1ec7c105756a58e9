/* Whether a registration makes sense by itself. */
#include "question/registration.h"

#include "base/error.h"
#include "base/text/excerpt.h"
#include "release/declare/declaration.h"
#include "release/declare/repeats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- The source ---- */

static dpn_status check_part(const dpn_place_part *part, dpn_error *why) {
    dpn_error reason;
    const char *text = *part->text;
    if (!text && part->has && part->needs) return dpn_fail(why, DPN_EDOMAIN, "source: %s is missing", part->name);
    if (text && !part->has) return dpn_fail(why, DPN_EDOMAIN, "source: this kind has no %s; leave it out", part->name);
    if (!text) return DPN_OK;
    if (dpn_text_check(text, part->name, DPN_PLACE_SIZE, false, &reason))
        return dpn_fail(why, reason.status, "source: %s", reason.sentence);
    if (strcmp(part->name, "path") == 0 && text[0] != '/')
        return dpn_fail(why, DPN_EDOMAIN, "source: path must be absolute, for a ledger is used from many places");
    return DPN_OK;
}

dpn_status dpn_place_check(const dpn_place *source, dpn_error *why) {
    dpn_place copy = *source; /* the parts point into it */
    dpn_place_part part[DPN_PLACE_PARTS];
    dpn_status status = DPN_OK;
    if (!dpn_place_kind_name(source->kind)) return dpn_fail(why, DPN_EDOMAIN, "source: there is no such kind");
    dpn_place_parts(part, &copy);
    for (size_t i = 0; i < DPN_PLACE_PARTS && !status; i++) status = check_part(&part[i], why);
    return status;
}

/* ---- Columns ---- */

static dpn_status check_number(const dpn_registered_column *column, const char *shown, dpn_error *why) {
    dpn_signed lower, upper;
    dpn_error reason;
    if (!column->lower || !column->upper)
        return dpn_fail(why, DPN_EDOMAIN,
                        "column '%s': a number needs lower and upper; they are public, never from the data", shown);
    dpn_status status = dpn_signed_read(&lower, column->lower, &reason);
    if (!status) status = dpn_signed_read(&upper, column->upper, &reason);
    if (status) return dpn_fail(why, status, "column '%s': %s", shown, reason.sentence);
    if (dpn_signed_compare(&lower, &upper) >= 0)
        return dpn_fail(why, DPN_EDOMAIN, "column '%s': lower must be less than upper", shown);
    return DPN_OK;
}

static dpn_status check_levels(const dpn_registered_column *column, const char *shown, dpn_error *why) {
    size_t repeated = SIZE_MAX;
    char level[DPN_SHOWN_SIZE];
    dpn_error reason;
    if (column->levels > DPN_DECLARATION_GROUPS)
        return dpn_fail(why, DPN_EDOMAIN, "column '%s': there are more than %d levels", shown, DPN_DECLARATION_GROUPS);
    for (size_t i = 0; i < column->levels; i++)
        if (dpn_name_check(column->level[i], "a level", &reason))
            return dpn_fail(why, reason.status, "column '%s': %s", shown, reason.sentence);
    dpn_status status = dpn_repeated_text(&repeated, column->level, column->levels, why);
    if (status || repeated == SIZE_MAX) return status;
    return dpn_fail(why, DPN_EDOMAIN, "column '%s': the level '%s' is given twice", shown,
                    dpn_show(level, column->level[repeated]));
}

static dpn_status check_column(const dpn_registered_column *column, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    dpn_error reason;
    dpn_status status = dpn_name_check(column->name, "columns: a column's name", why);
    if (status) return status;
    dpn_show(shown, column->name);
    bool number = column->type == DPN_COLUMN_NUMBER, category = column->type == DPN_COLUMN_CATEGORY;
    if (!dpn_column_type_name(column->type))
        return dpn_fail(why, DPN_EDOMAIN, "column '%s': there is no such type", shown);
    if (!number && (column->lower || column->upper || column->unit))
        return dpn_fail(why, DPN_EDOMAIN, "column '%s': lower, upper and unit are those of a number; leave them out",
                        shown);
    if (!category && column->level)
        return dpn_fail(why, DPN_EDOMAIN, "column '%s': levels are those of a category; leave them out", shown);
    if (column->unit && dpn_name_check(column->unit, "its unit", &reason))
        return dpn_fail(why, reason.status, "column '%s': %s", shown, reason.sentence);
    if (number) return check_number(column, shown, why);
    return column->level ? check_levels(column, shown, why) : DPN_OK;
}

static dpn_status check_columns(const dpn_registration *registration, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    for (size_t i = 0; i < registration->columns; i++) {
        const dpn_registered_column *column = &registration->column[i];
        dpn_status status = check_column(column, why);
        if (status) return status;
        if (dpn_registration_column(registration, column->name) != column)
            return dpn_fail(why, DPN_EDOMAIN, "columns: '%s' is given twice", dpn_show(shown, column->name));
    }
    return DPN_OK;
}

static dpn_status check_wheres(const dpn_registration *registration, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    size_t repeated = SIZE_MAX;
    for (size_t i = 0; i < registration->wheres; i++) {
        dpn_status status = dpn_name_check(registration->where[i], "where: a column's name", why);
        if (status) return status;
        if (!dpn_registration_column(registration, registration->where[i]))
            return dpn_fail(why, DPN_EDOMAIN, "where: '%s' is not among the columns; add it there, as text if need be",
                            dpn_show(shown, registration->where[i]));
    }
    dpn_status status = dpn_repeated_text(&repeated, registration->where, registration->wheres, why);
    if (status || repeated == SIZE_MAX) return status;
    return dpn_fail(why, DPN_EDOMAIN, "where: '%s' is given twice", dpn_show(shown, registration->where[repeated]));
}

/* ---- The unit ---- */

static dpn_status check_most(const char *name, uint64_t most, bool person, dpn_error *why) {
    if (most < 1 || most > 1000000000)
        return dpn_fail(why, DPN_EDOMAIN, "%s must be from 1 to 1000000000, not %" PRIu64, name, most);
    if (most > 1 && !person)
        return dpn_fail(why, DPN_EDOMAIN, "%s %" PRIu64 " needs person, the column that tells persons apart", name,
                        most);
    return DPN_OK;
}

/* The rule for fields that cannot be used, and the words that stand for missing ones. */
static dpn_status check_missing(const dpn_registration *registration, dpn_error *why) {
    dpn_missing rule;
    char *value = NULL, word[DPN_SHOWN_SIZE];
    size_t repeated = SIZE_MAX;
    dpn_error reason;
    if (!registration->missing) return dpn_fail(why, DPN_EDOMAIN, "missing: this is not a rule for missing values");
    if (dpn_missing_read(&rule, &value, registration->missing, &reason))
        return dpn_fail(why, reason.status, "missing: %s", reason.sentence);
    free(value);
    if (rule == DPN_MISSING_REFUSE)
        return dpn_fail(
            why, DPN_EDOMAIN,
            "missing: refuse does not exist any more, because a release that fails tells about a row; write skip");
    if (registration->nas > DPN_DECLARATION_NAS)
        return dpn_fail(why, DPN_EDOMAIN, "na: there are more than %d words", DPN_DECLARATION_NAS);
    for (size_t i = 0; i < registration->nas; i++)
        if (dpn_name_check(registration->na[i], "a word", &reason))
            return dpn_fail(why, reason.status, "na: %s", reason.sentence);
    dpn_status status = dpn_repeated_text(&repeated, registration->na, registration->nas, why);
    if (status || repeated == SIZE_MAX) return status;
    return dpn_fail(why, DPN_EDOMAIN, "na: '%s' is given twice", dpn_show(word, registration->na[repeated]));
}

static dpn_status check_unit(const dpn_registration *registration, dpn_error *why) {
    const char *person = registration->person;
    dpn_error reason;
    dpn_status status = person ? dpn_name_check(person, "person: the column's name", why) : DPN_OK;
    if (!status) status = check_most("max_rows", registration->max_rows, person, why);
    if (!status) status = check_most("max_groups", registration->max_groups, person, why);
    if (status) return status;
    if (!dpn_relation_name(registration->relation))
        return dpn_fail(why, DPN_EDOMAIN, "relation: there is no such relation");
    status = check_missing(registration, why);
    if (status) return status;
    if (registration->population > DPN_POPULATION_MOST)
        return dpn_fail(why, DPN_EDOMAIN, "population must be at most %" PRIu64, DPN_POPULATION_MOST);
    if (registration->log && dpn_text_check(registration->log, "it", DPN_PLACE_SIZE, false, &reason))
        return dpn_fail(why, reason.status, "log: %s", reason.sentence);
    if (registration->log && registration->log[0] != '/')
        return dpn_fail(why, DPN_EDOMAIN, "log: its path must be absolute");
    return DPN_OK;
}

/* ---- Limits of one question ---- */

static dpn_status read_limit(dpn_decimal *out, const char *name, const char *text, const char *usual, dpn_error *why) {
    dpn_error reason;
    dpn_status status = dpn_decimal_parse(out, text ? text : usual, &reason);
    return status ? dpn_fail(why, status, "%s: %s", name, reason.sentence) : DPN_OK;
}

static dpn_status check_limits(const dpn_registration *registration, dpn_error *why) {
    dpn_decimal least, most, delta, one;
    dpn_status status = read_limit(&least, "least_epsilon", registration->least_epsilon, "1e-300", why);
    if (!status) status = read_limit(&most, "most_epsilon", registration->most_epsilon, "1e44", why);
    if (!status) status = read_limit(&delta, "most_delta", registration->most_delta, "0", why);
    if (!status) status = dpn_decimal_parse(&one, "1", why);
    if (status) return status;
    if (dpn_decimal_is_zero(&least)) return dpn_fail(why, DPN_EDOMAIN, "least_epsilon must be above 0");
    if (dpn_decimal_compare(&least, &most) > 0)
        return dpn_fail(why, DPN_EDOMAIN, "least_epsilon must not be above most_epsilon");
    if (dpn_decimal_compare(&delta, &one) >= 0) return dpn_fail(why, DPN_EDOMAIN, "most_delta must be below 1");
    return DPN_OK;
}

dpn_status dpn_registration_check(const dpn_registration *registration, dpn_error *why) {
    dpn_status status = dpn_place_check(&registration->source, why);
    if (!status) status = check_columns(registration, why);
    if (!status) status = check_wheres(registration, why);
    if (!status) status = check_unit(registration, why);
    return status ? status : check_limits(registration, why);
}
