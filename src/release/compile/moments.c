/* The columns that a query reads and the sums that it forms, each once. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "release/compile/moments.h"

#include "base/error.h"
#include "release/compile/measure.h"

#include <stdlib.h>
#include <string.h>

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the query");
}

/* Room for one more in an array; NULL, and the array as before, if there is none. */
static void *one_more(void *array, size_t count, size_t size) {
    return realloc(array, (count + 1) * size);
}

/* ---- Columns and measures ---- */

dpn_status dpn_find_column(size_t *out, dpn_query *query, const char *name, dpn_error *why) {
    for (*out = 0; *out < query->columns; ++*out)
        if (strcmp(query->column[*out], name) == 0) return DPN_OK;
    char **column = one_more(query->column, query->columns, sizeof *column);
    if (!column) return no_memory(why);
    query->column = column;
    if (!(column[query->columns] = strdup(name))) return no_memory(why);
    query->columns++;
    return DPN_OK;
}

static bool same(const dpn_measure *a, const dpn_measure *b) {
    return a->column == b->column && a->exponent == b->exponent && a->lower == b->lower && a->upper == b->upper;
}

dpn_status dpn_find_measure(size_t *out, dpn_query *query, const dpn_statistic *statistic, size_t i, bool from_zero,
                            dpn_error *why) {
    size_t column = 0;
    dpn_measure made;
    dpn_error own;
    dpn_status status = dpn_find_column(&column, query, statistic->column[i], why);
    if (status) return status;
    from_zero |= query->declaration.per_person != DPN_PER_PERSON_ROWS; /* so that totals have room, see totals.h */
    status = dpn_measure_make(&made, column, statistic->lower[i], statistic->upper[i], from_zero, &own);
    if (status) return dpn_fail(why, status, "column '%.60s': %s", statistic->column[i], own.sentence);
    for (*out = 0; *out < query->measures; ++*out)
        if (same(&query->measure[*out], &made)) return DPN_OK;
    dpn_measure *measure = one_more(query->measure, query->measures, sizeof *measure);
    if (!measure) return no_memory(why);
    query->measure = measure;
    measure[query->measures++] = made;
    return DPN_OK;
}

/* ---- Moments ---- */

dpn_status dpn_find_moment(size_t *out, dpn_query *query, dpn_moment made, dpn_error *why) {
    for (*out = 0; *out < query->moments; ++*out) {
        const dpn_moment *has = &query->moment[*out];
        if (has->kind == made.kind && has->a == made.a && has->b == made.b && has->offset == made.offset) return DPN_OK;
    }
    dpn_moment *moment = one_more(query->moment, query->moments, sizeof *moment);
    if (!moment) return no_memory(why);
    query->moment = moment;
    moment[query->moments++] = made;
    return DPN_OK;
}

dpn_status dpn_find_rows(size_t *out, dpn_query *query, dpn_error *why) {
    return dpn_find_moment(out, query, (dpn_moment){.kind = DPN_MOMENT_ROWS, .bound = 1}, why);
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

dpn_status dpn_find_value(size_t *out, dpn_query *query, size_t index, bool centred, dpn_error *why) {
    const dpn_measure *measure = &query->measure[index];
    dpn_moment made = {.kind = DPN_MOMENT_VALUE,
                       .a = index,
                       .exponent = measure->exponent,
                       .offset = centred ? measure->middle : 0,
                       .bound = centred ? measure->upper - measure->middle
                                        : larger(llabs(measure->lower), llabs(measure->upper))};
    return dpn_find_moment(out, query, made, why);
}

/* The product of two centred values, in steps so coarse that at most 2^25 lie on each side. A square is not negative: half of
 * its largest value is taken off, and comes back as so much for each row. */
dpn_status dpn_find_product(size_t *out, dpn_query *query, size_t a, size_t b, dpn_error *why) {
    const dpn_measure *one = &query->measure[a], *other = &query->measure[b];
    int64_t most = (one->upper - one->middle) * (other->upper - other->middle);
    int shift = 0;
    while (most >> shift >= (int64_t)1 << 25) shift++;
    int64_t top = (most >> shift) + 1; /* rounding does not exceed it */
    if (shift == 0) top = most;
    dpn_moment made = {.kind = DPN_MOMENT_PRODUCT,
                       .a = a,
                       .b = b,
                       .shift = shift,
                       .exponent = one->exponent + other->exponent + shift,
                       .offset = a == b ? (top + 1) / 2 : 0};
    made.bound = a == b ? made.offset : top;
    return dpn_find_moment(out, query, made, why);
}
