/* Rows of a PostgreSQL table, by COPY: the server sends them as fast as they are taken, and none is kept. */
#include "table/postgres.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTEA = 17 }; /* the type of byte strings, fixed in PostgreSQL's catalogue */

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "out of memory");
}

dpn_status dpn_server_want(dpn_table *table, dpn_error *why) {
    dpn_server *source = table->state;
    for (size_t i = 0; i < table->wants; i++)
        if (source->types[table->wanted[i]] == BYTEA)
            return dpn_fail(why, DPN_EUNSUPPORTED, "the column '%.60s' holds bytes (bytea), not text or numbers",
                            table->names[table->wanted[i]]);
    return dpn_batch_make(&source->batch, table, why);
}

/* "COPY (SELECT ...) TO STDOUT", to be freed. A quoted name is at most twice as long as the name, and two quotes. */
static dpn_status copy_statement(char **out, const dpn_table *table, const dpn_server *source, dpn_error *why) {
    size_t size = 64 + strlen(source->name);
    for (size_t i = 0; i < table->wants; i++) size += 2 * strlen(table->names[table->wanted[i]]) + 4;
    char *sql = malloc(size);
    if (!sql) return no_memory(why);
    size_t used = (size_t)snprintf(sql, size, "COPY (SELECT %s", table->wants ? "" : "NULL");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < table->wants && !status; i++) {
        char *name = NULL;
        const char *column = table->names[table->wanted[i]];
        status = dpn_server_quote(&name, source, column, strlen(column), why);
        if (!status) used += (size_t)snprintf(sql + used, size - used, "%s%s", i ? ", " : "", name);
        source->pq.PQfreemem(name);
    }
    snprintf(sql + used, size - used, " FROM %s) TO STDOUT", source->name);
    if (status)
        free(sql);
    else
        *out = sql;
    return status;
}

/* A statement around another. */
static dpn_status around(char **out, const char *form, const char *sql, dpn_error *why) {
    size_t size = strlen(form) + strlen(sql) + 1;
    char *made = malloc(size);
    if (!made) return no_memory(why);
    snprintf(made, size, form, sql);
    *out = made;
    return DPN_OK;
}

/* The query names the table's schema; all else that it names is PostgreSQL's own: functions and operators that others have put into a schema
 * of the search path would run with the rights of whoever reads. From here on a table without its schema is not found: it is not read any more. */
static dpn_status close_path(const dpn_server *source, dpn_error *why) {
    static const char sql[] = "SELECT pg_catalog.set_config('search_path', 'pg_catalog', true)";
    PGresult *set = dpn_server_ask(source, sql, PGRES_TUPLES_OK, "the server refuses its own names", why);
    if (!set) return why ? why->status : DPN_EIO;
    source->pq.PQclear(set);
    return DPN_OK;
}

/* Planned now, so that what the server refuses is refused before it is run. */
dpn_status dpn_server_push(dpn_table *table, const char *sql, dpn_error *why) {
    dpn_server *source = table->state;
    char *planned = NULL;
    dpn_status status = dpn_server_check_plain(source, why);
    if (!status) status = close_path(source, why);
    if (!status) status = dpn_batch_make(&source->batch, table, why);
    if (!status) status = around(&planned, "EXPLAIN %s", sql, why);
    if (status) return status;
    PGresult *plan = dpn_server_ask(source, planned, PGRES_TUPLES_OK, "the server refuses the query of the sums", why);
    free(planned);
    if (!plan) return why ? why->status : DPN_EIO;
    source->pq.PQclear(plan);
    return around(&source->pushed, "%s", sql, why);
}

static dpn_status start_copying(dpn_table *table, dpn_server *source, dpn_error *why) {
    char *sql = NULL;
    dpn_status status = source->pushed ? around(&sql, "COPY (%s) TO STDOUT", source->pushed, why)
                                       : copy_statement(&sql, table, source, why);
    if (status) return status;
    PGresult *result = dpn_server_ask(source, sql, PGRES_COPY_OUT, "the table cannot be read", why);
    free(sql);
    if (!result) return why ? why->status : DPN_EIO;
    source->pq.PQclear(result);
    source->copying = true;
    return DPN_OK;
}

/* The next row into source->row, which stays NULL after the last one. */
static dpn_status fetch(dpn_table *table, dpn_server *source, dpn_error *why) {
    if (source->row || !source->copying) return DPN_OK;
    int length = source->pq.PQgetCopyData(source->server, &source->row, 0);
    while (length > 0 && (size_t)length > table->row_limit) {
        if (table->unusable++ == 0)
            (void)dpn_fail(&table->first_unusable, DPN_EPARSE, "a row is longer than the limit of %zu bytes",
                           table->row_limit);
        source->pq.PQfreemem(source->row);
        source->row = NULL;
        length = source->pq.PQgetCopyData(source->server, &source->row, 0);
    }
    if (length > 0) {
        source->length = (size_t)length;
        return DPN_OK;
    }
    if (length == -2) return dpn_server_fails(source, "the table cannot be read to its end", why);
    source->copying = false;
    PGresult *end = source->pq.PQgetResult(source->server);
    dpn_status status = DPN_OK;
    if (source->pq.PQresultStatus(end) != PGRES_COMMAND_OK)
        status = dpn_server_fails(source, "the table cannot be read to its end", why);
    source->pq.PQclear(end);
    return status;
}

/* What a character after a backslash stands for, in the text format of COPY. */
static char unescaped(char code) {
    switch (code) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'v':
        return '\v';
    default:
        return code;
    }
}

/* One field of a row that ends in a newline: from *at to the next tab or the end. */
static void take(dpn_field *field, dpn_batch *batch, const char **at, const char *end) {
    const char *from = *at;
    char *text = dpn_batch_text(batch);
    size_t length = 0;
    if (end - from >= 2 && from[0] == '\\' && from[1] == 'N') {
        *field = (dpn_field){NULL, 0};
        from += 2;
    } else {
        for (; from < end && *from != '\t' && *from != '\n'; from++) {
            if (*from == '\\' && from + 1 < end)
                from++, text[length++] = unescaped(*from);
            else
                text[length++] = *from;
        }
        dpn_batch_put(batch, field, length);
    }
    *at = from < end ? from + 1 : from;
}

static dpn_status gather(bool *full, dpn_table *table, dpn_server *source, dpn_error *why) {
    dpn_status status = dpn_batch_row(full, &source->batch, source->length, why);
    if (status || *full) return status;
    dpn_field *field = source->batch.fields + source->batch.rows * table->wants;
    const char *at = source->row, *end = source->row + source->length;
    for (size_t i = 0; i < table->wants; i++) take(&field[i], &source->batch, &at, end);
    if (table->wants > 0 && at != end) return dpn_fail(why, DPN_EIO, "the server sent a row that cannot be understood");
    source->batch.rows++;
    source->pq.PQfreemem(source->row);
    source->row = NULL;
    return DPN_OK;
}

dpn_status dpn_server_next(const dpn_field **fields, size_t *rows, dpn_table *table, dpn_error *why) {
    dpn_server *source = table->state;
    dpn_status status = table->rows == 0 && !source->copying ? start_copying(table, source, why) : DPN_OK;
    dpn_batch_clear(&source->batch);
    for (bool full = false; !status && !full;) {
        status = fetch(table, source, why);
        if (status || !source->row) break;
        status = gather(&full, table, source, why);
    }
    if (status) return status;
    *fields = source->batch.fields;
    *rows = source->batch.rows;
    return DPN_OK;
}
