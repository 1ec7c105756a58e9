/* Expressions of a query in the words of an engine. */
#ifndef DPN_PUSH_PUSH_H
#define DPN_PUSH_PUSH_H

#include "release/push/dialect.h"
#include "release/tally/reader.h"

typedef struct dpn_push {
    const dpn_query *query;
    const dpn_dialect_row *dialect;
    const dpn_sql_options *options;
    dpn_reader reader;
    dpn_error *why;
} dpn_push;

static inline dpn_sql_type dpn_push_type(const dpn_push *push, size_t column) {
    return push->options->type[column];
}

/* Whether a type is one of numbers. */
static inline bool dpn_push_is_number(dpn_sql_type type) {
    return type != DPN_SQL_TEXT && type != DPN_SQL_UNKNOWN;
}

/* ---- Of a column as it stands in the table, "dpn_t" (column.c) ---- */

/* Its name; its value as a number of 64 bits; its text, NULL where a word says that it is missing. */
void dpn_push_column(dpn_text *out, const dpn_push *push, size_t column);
void dpn_push_value(dpn_text *out, const dpn_push *push, size_t column);
void dpn_push_field(dpn_text *out, const dpn_push *push, size_t column);

/* Whether it can be read as a number, or is unknown where it is NULL; whether a text is neither NULL nor blank. */
void dpn_push_usable(dpn_text *out, const dpn_push *push, size_t column);
void dpn_push_said(dpn_text *out, const dpn_push *push, size_t column);

/* Whether the engine has what is needed to read a column as a number, and as a text.
 * Errors   DPN_EUNSUPPORTED. */
dpn_status dpn_push_check_number(const dpn_push *push, size_t column);
dpn_status dpn_push_check_text(const dpn_push *push, size_t column);

/* ---- Of a number that is usable, by the name it has in a query around the table (number.c) ---- */

/* Whether it is at least a decimal; `above` it. */
void dpn_push_reaches(dpn_text *out, const dpn_push *push, size_t column, const char *name, const dpn_numeral *bound,
                      bool above);

/* Its step above the lower bound of a measure, from 0 on.
 * Errors   DPN_EUNSUPPORTED. */
dpn_status dpn_push_step(dpn_text *out, const dpn_push *push, const dpn_measure *measure, const char *name);

/* Whether it is in a bin. */
void dpn_push_in_bin(dpn_text *out, const dpn_push *push, size_t set, size_t bin, const char *name);

/* ---- Parts of the query (rows.c, sums.c) ---- */

/* Whether a number that is missing takes a declared value. */
static inline bool dpn_push_takes_value(const dpn_push *push) {
    return push->query->declaration.missing == DPN_MISSING_VALUE;
}

/* A name with a number. */
void dpn_push_number(dpn_text *out, const char *form, size_t number);

/* What stands after FROM; the rows that are asked for, "dpn_a": dpn_k0 ... keys, dpn_p the person, dpn_u whether the row is used where others are
 * counted, dpn_n0 ... the numbers that are read.
 * Errors   DPN_EUNSUPPORTED. */
void dpn_push_source(dpn_text *out, const dpn_push *push);
dpn_status dpn_push_rows(dpn_text *out, const dpn_push *push);

/* For persons, the beginning of a query around these: dpn_m0 ... steps and dpn_b0 ... bins, as the lottery numbers them. All sums, each after a comma.
 * Errors   DPN_EUNSUPPORTED. */
dpn_status dpn_push_records(dpn_text *out, const dpn_push *push);
dpn_status dpn_push_sums(dpn_text *out, const dpn_push *push);

#endif
