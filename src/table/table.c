/* Tables of any kind. */
#include "table/table.h"

#include "base/error.h"
#include "base/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Opening ---- */

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

bool dpn_table_is_server(const char *source) {
    return begins(source, "postgresql://") || begins(source, "postgres://");
}

dpn_status dpn_table_copy(char **out, const char *text, dpn_error *why) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    memcpy(copy, text, size);
    *out = copy;
    return DPN_OK;
}

static dpn_status set_limits(dpn_table *table, const dpn_table_options *options, dpn_error *why) {
    table->in_order = options->in_order;
    table->row_limit = options->row_limit ? options->row_limit : DPN_TABLE_ROW_LIMIT;
    table->buffer = options->buffer ? options->buffer : DPN_TABLE_BUFFER;
    if (table->row_limit < 16 || table->row_limit > DPN_TABLE_ROW_MOST)
        return dpn_fail(why, DPN_EDOMAIN, "row_limit must be 16 bytes to 1 GiB");
    if (table->buffer < 16) table->buffer = 16;
    if (table->buffer > table->row_limit) table->buffer = table->row_limit;
    return DPN_OK;
}

static dpn_status open_source(dpn_table *table, const char *source, const dpn_table_options *options, dpn_error *why) {
    if (dpn_table_is_server(source)) return dpn_table_open_postgres(table, source, options, why);
    if (begins(source, "sqlite:")) return dpn_table_open_sqlite(table, source + strlen("sqlite:"), options, why);
    return dpn_table_open_text(table, source, options, why);
}

dpn_status dpn_table_open(dpn_table **out, const char *source, const dpn_table_options *options, dpn_error *why) {
    dpn_table_options own;
    if (!out || !source || !source[0]) return dpn_fail(why, DPN_EDOMAIN, "a table needs a source");
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (status) return status;
    dpn_table *table = calloc(1, sizeof *table);
    if (!table) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    status = set_limits(table, &own, why);
    if (!status) status = dpn_table_copy(&table->source, source, why);
    if (!status) status = open_source(table, source, &own, why);
    if (status)
        dpn_table_close(table);
    else
        *out = table;
    return status;
}

void dpn_table_close(dpn_table *table) {
    if (!table) return;
    if (table->kind) table->kind->close(table->state);
    free(table->names);
    free(table->wanted);
    free(table->source);
    free(table);
}

/* ---- Columns ---- */

size_t dpn_table_columns(const dpn_table *table) {
    return table->columns;
}

const char *dpn_table_column(const dpn_table *table, size_t column) {
    return column < table->columns ? table->names[column] : NULL;
}

dpn_status dpn_table_find(size_t *column, const dpn_table *table, const char *name, dpn_error *why) {
    for (size_t i = 0; i < table->columns; i++) {
        if (strcmp(table->names[i], name) != 0) continue;
        *column = i;
        return DPN_OK;
    }
    return dpn_fail(why, DPN_EDOMAIN, "the table has no column '%.100s'", name);
}

dpn_status dpn_table_want(dpn_table *table, const size_t *columns, size_t count, dpn_error *why) {
    if (table->begun) return dpn_fail(why, DPN_EDOMAIN, "columns are chosen before the first row is read");
    for (size_t i = 0; i < count; i++)
        if (columns[i] >= table->columns)
            return dpn_fail(why, DPN_EDOMAIN, "there is no column number %zu", columns[i]);
    size_t *wanted = calloc(count + 1, sizeof *wanted), *before = table->wanted, wants = table->wants;
    if (!wanted) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    if (count) memcpy(wanted, columns, count * sizeof *wanted);
    table->wanted = wanted;
    table->wants = count;
    dpn_status status = table->kind->want(table, why);
    if (status) table->wanted = before, table->wants = wants;
    free(status ? wanted : before);
    return status;
}

dpn_column_kind dpn_table_type(const dpn_table *table, size_t column) {
    return column < table->columns && table->kind->type ? table->kind->type(table, column) : DPN_TABLE_UNKNOWN;
}

const char *dpn_table_engine(const char **from, const dpn_table *table) {
    *from = NULL;
    return table->kind->engine ? table->kind->engine(from, table) : NULL;
}

dpn_status dpn_table_push(dpn_table *table, const char *sql, size_t columns, dpn_error *why) {
    if (table->begun) return dpn_fail(why, DPN_EDOMAIN, "a query is given before the first row is read");
    if (!table->kind->push || columns == 0) return dpn_fail(why, DPN_EUNSUPPORTED, "only a database makes queries");
    size_t *wanted = calloc(columns, sizeof *wanted), *before = table->wanted, wants = table->wants;
    if (!wanted) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    table->wanted = wanted;
    table->wants = columns;
    dpn_status status = table->kind->push(table, sql, why);
    if (status) table->wanted = before, table->wants = wants;
    free(status ? wanted : before);
    /* Whoever is refused may read the rows instead, in as many columns as before. */
    if (status && before) (void)table->kind->want(table, &table->failed);
    return status;
}

static dpn_status want_all(dpn_table *table, dpn_error *why) {
    size_t *all = calloc(table->columns + 1, sizeof *all);
    if (!all) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < table->columns; i++) all[i] = i;
    dpn_status status = dpn_table_want(table, all, table->columns, why);
    free(all);
    return status;
}

/* ---- Rows ---- */

dpn_status dpn_table_next(const dpn_field **fields, size_t *rows, dpn_table *table, dpn_error *why) {
    const dpn_field *delivered;
    size_t count;
    dpn_error *failed = &table->failed;
    if (!failed->status && !table->wanted) failed->status = want_all(table, failed);
    table->begun = true;
    if (!failed->status && !table->ended) failed->status = table->kind->next(&delivered, &count, table, failed);
    if (failed->status) {
        if (why) *why = *failed;
        return failed->status;
    }
    if (table->ended || count == 0) {
        table->ended = true;
        *rows = 0;
        return DPN_OK;
    }
    table->rows += count;
    *fields = delivered;
    *rows = count;
    return DPN_OK;
}

uint64_t dpn_table_rows(const dpn_table *table) {
    return table->rows;
}

uint64_t dpn_table_unusable(const dpn_table *table, dpn_error *first) {
    if (first && table->unusable > 0) *first = table->first_unusable;
    return table->unusable;
}

double dpn_table_progress(const dpn_table *table) {
    if (table->ended) return 1;
    return table->kind->progress ? table->kind->progress(table) : (double)NAN;
}

void dpn_table_conceal(dpn_error *why) {
    dpn_fail(why, DPN_EIO, "the table cannot be read to its end; its curator can learn why by checking it");
}

/* ---- Parts ---- */

size_t dpn_table_parts(const dpn_table *table) {
    return table->kind->parts ? table->kind->parts(table) : 1;
}

static dpn_status same_columns(dpn_table *part, const dpn_table *whole, dpn_error *why) {
    dpn_field *names = calloc(whole->columns + 1, sizeof *names);
    if (!names) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < whole->columns; i++) names[i] = (dpn_field){whole->names[i], strlen(whole->names[i])};
    dpn_status status = dpn_table_name(part, names, whole->columns, why);
    free(names);
    if (!status && whole->wanted) status = dpn_table_want(part, whole->wanted, whole->wants, why);
    return status;
}

dpn_status dpn_table_part(dpn_table **out, dpn_table *whole, size_t part, size_t parts, dpn_error *why) {
    if (part >= parts) return dpn_fail(why, DPN_EDOMAIN, "there is no part %zu of %zu", part, parts);
    if (whole->begun) return dpn_fail(why, DPN_EDOMAIN, "a table is cut into parts before its first row is read");
    if (!whole->kind->part) return dpn_fail(why, DPN_EUNSUPPORTED, "only a file of plain text can be cut into parts");
    dpn_table *table = calloc(1, sizeof *table);
    if (!table) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    table->row_limit = whole->row_limit;
    table->buffer = whole->buffer;
    dpn_status status = whole->kind->part(table, whole, part, parts, why);
    if (!status) status = same_columns(table, whole, why);
    if (status)
        dpn_table_close(table);
    else
        *out = table;
    return status;
}
