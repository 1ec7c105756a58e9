/* The parts of a registration: their names, their memory, and what is filled in. */
#include "question/registration.h"

#include "base/decimal.h"
#include "base/error.h"
#include "release/declare/declaration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *dpn_place_kind_name(dpn_place_kind kind) {
    static const char *const names[] = {"file", "sqlite", "postgresql", "declared", "duckdb"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

const char *dpn_column_type_name(dpn_column_type type) {
    static const char *const names[] = {"number", "category", "text"};
    return (size_t)type < sizeof names / sizeof *names ? names[type] : NULL;
}

void dpn_place_parts(dpn_place_part out[DPN_PLACE_PARTS], dpn_place *place) {
    bool file = place->kind == DPN_PLACE_FILE,
         base = place->kind == DPN_PLACE_SQLITE || place->kind == DPN_PLACE_DUCKDB,
         server = place->kind == DPN_PLACE_POSTGRESQL, declared = place->kind == DPN_PLACE_DECLARED;
    out[0] = (dpn_place_part){"path", &place->path, file || base, true};
    out[1] = (dpn_place_part){"system", &place->system, server, true};
    out[2] = (dpn_place_part){"database", &place->database, server, true};
    out[3] = (dpn_place_part){"schema", &place->schema, server, true};
    out[4] = (dpn_place_part){"table", &place->table, base || server, true};
    out[5] = (dpn_place_part){"connect", &place->connect, server, false};
    out[6] = (dpn_place_part){"what", &place->what, declared, true};
}

/* ---- memory ---- */

void dpn_registration_free(dpn_registration *registration) {
    dpn_place_part part[DPN_PLACE_PARTS];
    if (!registration) return;
    dpn_place_parts(part, &registration->source);
    for (size_t i = 0; i < DPN_PLACE_PARTS; i++) free(*part[i].text);
    for (size_t i = 0; i < registration->columns; i++) {
        dpn_registered_column *column = &registration->column[i];
        free(column->name);
        free(column->lower);
        free(column->upper);
        free(column->unit);
        dpn_texts_free(column->level, column->levels);
    }
    free(registration->column);
    dpn_texts_free(registration->where, registration->wheres);
    dpn_texts_free(registration->na, registration->nas);
    free(registration->person);
    free(registration->missing);
    free(registration->least_epsilon);
    free(registration->most_epsilon);
    free(registration->most_delta);
    free(registration->log);
    *registration = (dpn_registration){0};
}

const dpn_registered_column *dpn_registration_column(const dpn_registration *registration, const char *name) {
    for (size_t i = 0; i < registration->columns; i++)
        if (strcmp(registration->column[i].name, name) == 0) return &registration->column[i];
    return NULL;
}

/* ---- limits that were left out ---- */

/* A thousandth of the budget, at most 0.01 and the most of one question. A budget with too many digits to be divided has the
 * thousandth of its first ones. */
static dpn_status find_least(dpn_decimal *out, const dpn_decimal *total, const char *limit, dpn_error *why) {
    dpn_decimal most, own;
    dpn_status status = dpn_decimal_parse(&most, "0.01", why);
    if (!status && limit) status = dpn_decimal_parse(&own, limit, why);
    if (!status && limit && dpn_decimal_compare(&own, &most) < 0) most = own;
    if (status) return status;
    *out = *total;
    for (int i = 0; i < 3; i++) *out = dpn_decimal_tenths_down(out, 1);
    if (dpn_decimal_compare(out, &most) > 0) *out = most;
    return DPN_OK;
}

static dpn_status find_most(dpn_decimal *out, const dpn_decimal *least, dpn_error *why) {
    dpn_status status = dpn_decimal_parse(out, "10", why);
    if (!status && dpn_decimal_compare(out, least) < 0) *out = *least;
    return status;
}

dpn_status dpn_registration_settle(dpn_registration *registration, const dpn_decimal *total, dpn_error *why) {
    dpn_decimal least, most;
    char text[DPN_DECIMAL_TEXT_SIZE], *made_least = NULL, *made_most = NULL;
    dpn_status status = registration->least_epsilon ? dpn_decimal_parse(&least, registration->least_epsilon, why)
                                                    : find_least(&least, total, registration->most_epsilon, why);
    if (!status) status = find_most(&most, &least, why);
    if (!status && !registration->least_epsilon && !dpn_decimal_is_zero(&least))
        status = dpn_text_copy(&made_least, dpn_decimal_print(text, &least), why);
    if (!status && !registration->most_epsilon) status = dpn_text_copy(&made_most, dpn_decimal_print(text, &most), why);
    if (status) {
        free(made_least);
        return status;
    }
    if (made_least) registration->least_epsilon = made_least;
    if (made_most) registration->most_epsilon = made_most;
    return DPN_OK;
}

/* m 10^-k <= 1/(10 n^2) is m (10 n^2) <= 10^k, in integers below 10^34. */
char *dpn_usual_delta(char out[DPN_USUAL_DELTA_SIZE], uint64_t population) {
    __extension__ typedef unsigned __int128 uint128;
    uint128 divisor = (uint128)10 * population * population, power = 1000000;
    int exponent = 6;
    if (divisor <= power) return strcpy(out, "1e-6");
    for (; divisor * 10 > power; power *= 10) exponent++;
    unsigned digits = (unsigned)(power / divisor); /* 10 to 99 */
    snprintf(out, DPN_USUAL_DELTA_SIZE, "%ue-%d", digits, exponent);
    return out;
}
