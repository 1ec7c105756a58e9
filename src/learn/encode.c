/* Rows of text or numbers into steps. What a row holds never makes it fail. */
#include "learn/fit.h"

#include "base/error.h"
#include "learn/exact.h"
#include "learn/method.h"
#include "release/tally/inside.h"
#include "release/tally/step.h"

#include <math.h>

/* ---- One row whose numbers are read ---- */

static void encode(dpn_fit *fit, const size_t *level) {
    fit->step[0] = DPN_UNIT;
    for (size_t i = 0; i <= fit->features; i++) {
        const dpn_variable *variable = &fit->variable[i];
        fit->step[i + 1] = variable->is_level ? (level[variable->grouping] == variable->level ? DPN_UNIT : 0)
                                              : dpn_variable_step(variable, fit->record);
    }
    /* The target of a logistic fit is 1 or 0: what is above the middle of the bounds, and what is not. */
    if (fit->options.kind != DPN_FIT_LOGISTIC) return;
    const dpn_variable *target = &fit->variable[fit->features];
    fit->step[dpn_target_column(fit)] =
        fit->record[target->measure] > fit->query->measure[target->measure].middle ? DPN_UNIT : 0;
}

/* Fits without noise also keep the numbers: given, or those that were read. */
static dpn_status keep(dpn_fit *fit, const double *number, dpn_error *why) {
    dpn_status status = dpn_rows_add(&fit->rows, fit->step, why);
    return !status && fit->method->is_not_private ? dpn_exact_add(fit, number, why) : status;
}

/* Which level of each grouping a row has; false if one is not declared. */
static bool find_levels(size_t *level, const dpn_fit *fit, const dpn_field *row) {
    for (size_t g = 0; g < fit->query->declaration.bys; g++) {
        level[g] = dpn_levels_find(&fit->reader.levels[g], row[fit->query->by[g]]);
        if (level[g] == SIZE_MAX) return false;
    }
    return true;
}

static dpn_status add_row(dpn_fit *fit, const dpn_field *row, dpn_error *why) {
    size_t level[DPN_DECLARATION_BYS], column;
    const dpn_reader *reader = &fit->reader;
    if (fit->query->declaration.nas > 0) {
        dpn_reader_mark_missing(reader, row, fit->marked);
        row = fit->marked;
    }
    const dpn_field *person = fit->query->declaration.person ? &row[fit->query->person] : NULL;
    if (person && dpn_field_blank(*person)) return DPN_OK; /* nobody's: nothing bounds how many of them one has */
    bool used = dpn_reader_admits(reader, row, &column) == DPN_ROW_USED && find_levels(level, fit, row) &&
                dpn_reader_read(reader, row, fit->number, fit->record) == SIZE_MAX;
    if (!used) return DPN_OK;
    encode(fit, level);
    dpn_status status = keep(fit, NULL, why);
    return status || !person ? status : dpn_person_ids_add(&fit->persons, *person, why);
}

static dpn_status check_open(const dpn_fit *fit, dpn_error *why) {
    if (fit->planned && !fit->ran) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN,
                    fit->ran ? "the fit has run and takes no more rows"
                             : "a fit is to be planned before rows are read");
}

dpn_status dpn_fit_rows(dpn_fit *fit, const dpn_field *field, size_t rows, dpn_error *why) {
    dpn_status status = check_open(fit, why);
    for (size_t r = 0; r < rows && !status; r++) status = add_row(fit, field + r * fit->query->columns, why);
    return status;
}

/* A row that could not be split is one of missing fields. */
dpn_status dpn_fit_unusable(dpn_fit *fit, uint64_t rows, dpn_error *why) {
    dpn_status status = check_open(fit, why);
    if (status || fit->query->declaration.missing != DPN_MISSING_VALUE) return status; /* they are left out */
    for (size_t c = 0; c < fit->query->columns; c++) fit->missing[c] = (dpn_field){NULL, 0};
    for (uint64_t r = 0; r < rows && !status; r++) status = add_row(fit, fit->missing, why);
    return status;
}

/* ---- Numbers ---- */

/* The nearest step of a number, half way up, within the bounds; a sum that is rounded is beyond them. */
static int64_t nearest(const dpn_measure *measure, double x) {
    double steps = floor(ldexp(x, -measure->exponent) + 0.5);
    if (!(steps > (double)measure->lower)) return measure->lower;
    return steps < (double)measure->upper ? (int64_t)steps : measure->upper;
}

/* False if the row is to be left out. */
static bool read_numbers(dpn_fit *fit, const double *value) {
    const dpn_query *query = fit->query;
    for (size_t c = 0; c < query->columns; c++) {
        const dpn_measure *measure = &query->measure[c];
        if (isfinite(value[c]))
            fit->record[c] = nearest(measure, value[c]);
        else if (query->declaration.missing == DPN_MISSING_VALUE)
            fit->record[c] = dpn_step_nearest(measure, &fit->reader.instead);
        else
            return false;
    }
    return true;
}

/* Whether rows are asked for their fields, be it those of measures: by levels, persons and predicates, and by words for missing ones that are
 * numbers. */
static bool asks_for_fields(const dpn_fit *fit) {
    const dpn_query *query = fit->query;
    bool asks = query->columns != query->measures || query->declaration.wheres > 0;
    for (size_t i = 0; i < query->declaration.nas; i++) {
        dpn_numeral unused;
        asks |= dpn_numeral_read(&unused, fit->reader.na[i]) == DPN_CONTENT_NUMBER;
    }
    return asks;
}

dpn_status dpn_fit_numbers(dpn_fit *fit, const double *value, size_t rows, dpn_error *why) {
    static const size_t no_level[1];
    dpn_status status = check_open(fit, why);
    if (status) return status;
    if (asks_for_fields(fit))
        return dpn_fail(why, DPN_EDOMAIN,
                        "levels, predicates, persons and numbers that stand for missing fields need rows of text");
    for (size_t r = 0; r < rows && !status; r++) {
        if (!read_numbers(fit, value + r * fit->query->columns)) continue;
        encode(fit, no_level);
        status = keep(fit, value + r * fit->query->columns, why);
    }
    return status;
}
