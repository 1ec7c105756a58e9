/* Sums that an engine made. */
#include "input/sums.h"

#include "kit/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dpn_status read_number(int64_t *out, dpn_field field, dpn_error *why) {
    char text[24], *end;
    if (!field.text || field.length == 0 || field.length >= sizeof text)
        return refuse(why, DPN_EPARSE, "a sum is not a whole number");
    memcpy(text, field.text, field.length);
    text[field.length] = '\0';
    long long number = strtoll(text, &end, 10);
    if (*end || text[strspn(text, "-0123456789")] || number == INT64_MAX || number == INT64_MIN)
        return refuse(why, DPN_EPARSE, "a sum is not a whole number");
    *out = number;
    return DPN_OK;
}

/* keys, rows, sums, and for SQLite the rows with values of other types. */
static dpn_status add_row(dpn_tally *tally, const dpn_field *field, size_t keys, size_t sums, bool other, int64_t *sum,
                          dpn_error *why) {
    int64_t rows = 0, others = 0;
    dpn_status status = read_number(&rows, field[keys], why);
    for (size_t i = 0; i < sums && !status; i++) status = read_number(&sum[i], field[keys + 1 + i], why);
    if (!status && other) status = read_number(&others, field[keys + 1 + sums], why);
    if (!status && others != 0)
        status = refuse(why, DPN_EPARSE,
                        "the table holds values of other types than the query was made for, which it cannot count: "
                        "tally the file itself");
    if (!status && rows < 0) status = refuse(why, DPN_EPARSE, "a number of rows is below 0");
    return status ? status : dpn_tally_add_sums(tally, field, (uint64_t)rows, sum, why);
}

static dpn_status add_all(dpn_tally *tally, size_t keys, size_t sums, bool other, dpn_table *table, dpn_error *why) {
    int64_t *sum = calloc(sums + 1, sizeof *sum);
    const dpn_field *field;
    size_t rows = 1, columns = keys + 1 + sums + other;
    dpn_status status = sum ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    while (!status && rows > 0) {
        status = dpn_table_next(&field, &rows, table, why);
        for (size_t i = 0; i < rows && !status; i++)
            status = add_row(tally, field + i * columns, keys, sums, other, sum, why);
    }
    if (!status && dpn_table_unusable(table, NULL) > 0)
        status = refuse(why, DPN_EPARSE, "some rows of the sums cannot be read");
    free(sum);
    return status;
}

static dpn_status want(size_t *wanted, const dpn_table *table, const char *name, dpn_error *why) {
    dpn_error unused;
    if (!dpn_table_find(wanted, table, name, &unused)) return DPN_OK;
    return refuse(why, DPN_EPARSE, "these are not the sums of this question: there is no column '%.80s'", name);
}

dpn_status sums_add(dpn_tally *tally, const dpn_query *query, size_t groupings, const char *const *key,
                    dpn_table *table, dpn_error *why) {
    size_t sums = dpn_query_sums(query), extra;
    dpn_error unused;
    bool other = !dpn_table_find(&extra, table, "dpn_other", &unused);
    size_t *wanted = calloc(groupings + sums + 2, sizeof *wanted), expected = groupings + 1 + sums + other;
    dpn_status status = wanted ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < groupings && !status; i++) status = want(&wanted[i], table, key[i], why);
    if (!status) status = want(&wanted[groupings], table, "dpn_rows", why);
    for (size_t i = 0; i < sums && !status; i++) {
        char name[32];
        snprintf(name, sizeof name, "dpn_%zu", i);
        status = want(&wanted[groupings + 1 + i], table, name, why);
    }
    if (other && !status) wanted[groupings + 1 + sums] = extra;
    if (!status && dpn_table_columns(table) != expected)
        status =
            refuse(why, DPN_EPARSE, "these are not the sums of this question: there are %zu columns, and it has %zu",
                   dpn_table_columns(table), expected);
    if (!status) status = dpn_table_want(table, wanted, expected, why);
    if (!status) status = add_all(tally, groupings, sums, other, table, why);
    free(wanted);
    return status;
}

dpn_status sums_add_result(dpn_tally *tally, const dpn_query *query, size_t groupings, dpn_table *table,
                           dpn_error *why) {
    return add_all(tally, groupings, dpn_query_sums(query), false, table, why);
}

dpn_status sums_read(dpn_tally *tally, const dpn_query *query, const dpn_declaration *declaration, const char *name,
                     dpn_error *why) {
    dpn_table *table = NULL;
    const char **key = calloc(declaration->bys + 1, sizeof *key);
    dpn_table_options options = dpn_table_options_init();
    options.multiline = true; /* engines close their quotes, and keys may hold line ends */
    dpn_status status = key ? dpn_table_open(&table, name, &options, why) : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < declaration->bys && !status; i++) key[i] = declaration->by[i].column;
    if (!status) status = sums_add(tally, query, declaration->bys, key, table, why);
    dpn_table_close(table);
    free(key);
    return status;
}

dpn_sql_type sums_type(const dpn_table *table, const char *column) {
    size_t found;
    dpn_error unused;
    if (dpn_table_find(&found, table, column, &unused)) return DPN_SQL_UNKNOWN;
    switch (dpn_table_type(table, found)) {
    case DPN_TABLE_INTEGER:
        return DPN_SQL_INTEGER;
    case DPN_TABLE_REAL:
        return DPN_SQL_REAL;
    case DPN_TABLE_SINGLE:
        return DPN_SQL_SINGLE;
    case DPN_TABLE_DECIMAL:
        return DPN_SQL_DECIMAL;
    case DPN_TABLE_TEXT:
        return DPN_SQL_TEXT;
    case DPN_TABLE_UNKNOWN:
        break;
    }
    return DPN_SQL_UNKNOWN;
}
