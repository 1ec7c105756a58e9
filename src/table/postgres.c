/* A table or view of a PostgreSQL server, by COPY: the server sends rows as fast as they are taken, and none is kept. */
#include "table/batch.h"
#include "table/table.h"

#include "base/error.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTEA = 17 }; /* the type of byte strings, fixed in PostgreSQL's catalogue */

typedef struct dpn_server {
    PGconn *server;
    char *name;   /* of the table, quoted */
    Oid *types;   /* of the columns */
    bool copying; /* the server sends rows */
    char *row;    /* one that the last batch had no room for, from libpq, or NULL */
    size_t length;
    dpn_batch batch;
} dpn_server;

static void close_source(void *state) {
    dpn_server *source = state;
    if (!source) return;
    if (source->row) PQfreemem(source->row);
    PQfinish(source->server); /* ends the transaction with the connection */
    free(source->name);
    free(source->types);
    dpn_batch_free(&source->batch);
    free(source);
}

/* ---- Trouble ---- */

/* A message of the server in one line. */
static dpn_status server_fails(const dpn_server *source, const char *doing, dpn_error *why) {
    char line[160];
    const char *message = PQerrorMessage(source->server);
    if (strstr(message, "out of memory") || strstr(message, "cannot allocate memory"))
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    snprintf(line, sizeof line, "%s", message);
    line[strcspn(line, "\n")] = '\0';
    return dpn_fail(why, DPN_EIO, "%s: %s", doing, line[0] ? line : "the server says nothing");
}

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "out of memory");
}

/* ---- Asking ---- */

/* The result of a statement, to be cleared; NULL if it failed. */
static PGresult *ask(const dpn_server *source, const char *sql, ExecStatusType expected, const char *doing,
                     dpn_error *why) {
    PGresult *result = PQexec(source->server, sql);
    if (PQresultStatus(result) == expected) return result;
    server_fails(source, doing, why);
    PQclear(result);
    return NULL;
}

static dpn_status run(const dpn_server *source, const char *sql, dpn_error *why) {
    dpn_error reason = {DPN_EIO, ""};
    PGresult *result =
        ask(source, sql, PGRES_COMMAND_OK, "the server refuses a transaction that can only read", &reason);
    PQclear(result);
    return result ? DPN_OK : dpn_fail(why, reason.status, "%s", reason.sentence);
}

/* One snapshot of the database; numbers that read back to the same number; dates that do not depend on the server. */
static dpn_status begin(const dpn_server *source, dpn_error *why) {
    static const char *const statements[] = {"BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
                                             "SET LOCAL extra_float_digits = 3", "SET LOCAL datestyle = 'ISO, YMD'",
                                             "SET LOCAL intervalstyle = 'iso_8601'", "SET LOCAL row_security = on"};
    if (PQsetClientEncoding(source->server, "UTF8") != 0)
        return server_fails(source, "the server does not speak UTF-8", why);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < sizeof statements / sizeof *statements && !status; i++)
        status = run(source, statements[i], why);
    return status;
}

/* ---- The table ---- */

/* PostgreSQL's quoting of one name. */
static dpn_status quote(char **out, const dpn_server *source, const char *name, size_t length, dpn_error *why) {
    *out = PQescapeIdentifier(source->server, name, length);
    return *out ? DPN_OK : server_fails(source, "a name cannot be quoted", why);
}

/* "schema"."table" or "table". */
static dpn_status set_name(dpn_server *source, const char *schema, size_t schema_length, const char *table,
                           dpn_error *why) {
    char *first = NULL, *second = NULL;
    dpn_status status = schema ? quote(&first, source, schema, schema_length, why) : DPN_OK;
    if (!status) status = quote(&second, source, table, strlen(table), why);
    size_t size = status ? 0 : (first ? strlen(first) + 1 : 0) + strlen(second) + 1;
    source->name = size ? malloc(size) : NULL;
    if (source->name) snprintf(source->name, size, "%s%s%s", first ? first : "", first ? "." : "", second);
    if (!status && !source->name) status = no_memory(why);
    PQfreemem(first);
    PQfreemem(second);
    return status;
}

static dpn_status the_only_table(dpn_server *source, dpn_error *why) {
    PGresult *found =
        ask(source,
            "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = "
            "c.relnamespace WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition AND n.nspname "
            "NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%' LIMIT 2",
            PGRES_TUPLES_OK, "the server does not list its tables", why);
    if (!found) return why ? why->status : DPN_EIO;
    dpn_status status = DPN_OK;
    if (PQntuples(found) == 0)
        status = dpn_fail(why, DPN_EPARSE, "the database has no tables");
    else if (PQntuples(found) > 1)
        status = dpn_fail(why, DPN_EDOMAIN, "the database has several tables and views; one must be named");
    else
        status =
            set_name(source, PQgetvalue(found, 0, 0), strlen(PQgetvalue(found, 0, 0)), PQgetvalue(found, 0, 1), why);
    PQclear(found);
    return status;
}

static dpn_status find_table(dpn_server *source, const char *wanted, dpn_error *why) {
    if (!wanted) return the_only_table(source, why);
    const char *dot = strchr(wanted, '.');
    return set_name(source, dot ? wanted : NULL, dot ? (size_t)(dot - wanted) : 0, dot ? dot + 1 : wanted, why);
}

static dpn_status take_columns(dpn_table *table, dpn_server *source, const PGresult *schema, dpn_error *why) {
    size_t count = (size_t)PQnfields(schema);
    dpn_field *names = calloc(count + 1, sizeof *names);
    source->types = calloc(count + 1, sizeof *source->types);
    dpn_status status = names && source->types ? DPN_OK : no_memory(why);
    for (size_t i = 0; i < count && !status; i++) {
        names[i] = (dpn_field){PQfname(schema, (int)i), strlen(PQfname(schema, (int)i))};
        source->types[i] = PQftype(schema, (int)i);
    }
    if (!status) status = dpn_table_name(table, names, count, why);
    free(names);
    return status;
}

static dpn_status name_columns(dpn_table *table, dpn_server *source, dpn_error *why) {
    static const char select[] = "SELECT * FROM %s LIMIT 0";
    size_t size = sizeof select + strlen(source->name);
    char *sql = malloc(size);
    if (!sql) return no_memory(why);
    snprintf(sql, size, select, source->name);
    PGresult *schema = ask(source, sql, PGRES_TUPLES_OK, "the table cannot be read", why);
    free(sql);
    if (!schema) return why ? why->status : DPN_EIO;
    dpn_status status = take_columns(table, source, schema, why);
    PQclear(schema);
    return status;
}

/* ---- Rows ---- */

static dpn_status want(dpn_table *table, dpn_error *why) {
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
        status = quote(&name, source, column, strlen(column), why);
        if (!status) used += (size_t)snprintf(sql + used, size - used, "%s%s", i ? ", " : "", name);
        PQfreemem(name);
    }
    snprintf(sql + used, size - used, " FROM %s) TO STDOUT", source->name);
    if (status)
        free(sql);
    else
        *out = sql;
    return status;
}

static dpn_status start_copying(dpn_table *table, dpn_server *source, dpn_error *why) {
    char *sql = NULL;
    dpn_status status = copy_statement(&sql, table, source, why);
    if (status) return status;
    PGresult *result = ask(source, sql, PGRES_COPY_OUT, "the table cannot be read", why);
    free(sql);
    if (!result) return why ? why->status : DPN_EIO;
    PQclear(result);
    source->copying = true;
    return DPN_OK;
}

/* The next row into source->row, which stays NULL after the last one. */
static dpn_status fetch(dpn_server *source, size_t limit, dpn_error *why) {
    if (source->row || !source->copying) return DPN_OK;
    int length = PQgetCopyData(source->server, &source->row, 0);
    if (length > 0) {
        source->length = (size_t)length;
        if (source->length <= limit) return DPN_OK;
        return dpn_fail(why, DPN_EPARSE, "the table holds a row that is longer than the limit of %zu bytes", limit);
    }
    if (length == -2) return server_fails(source, "the table cannot be read to its end", why);
    source->copying = false;
    PGresult *end = PQgetResult(source->server);
    dpn_status status = DPN_OK;
    if (PQresultStatus(end) != PGRES_COMMAND_OK)
        status = server_fails(source, "the table cannot be read to its end", why);
    PQclear(end);
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
    PQfreemem(source->row);
    source->row = NULL;
    return DPN_OK;
}

static dpn_status next(const dpn_field **fields, size_t *rows, dpn_table *table, dpn_error *why) {
    dpn_server *source = table->state;
    dpn_status status = table->rows == 0 && !source->copying ? start_copying(table, source, why) : DPN_OK;
    dpn_batch_clear(&source->batch);
    for (bool full = false; !status && !full;) {
        status = fetch(source, table->row_limit, why);
        if (status || !source->row) break;
        status = gather(&full, table, source, why);
    }
    if (status) return status;
    *fields = source->batch.fields;
    *rows = source->batch.rows;
    return DPN_OK;
}

/* What libpq says of a URL that it does not understand repeats all of it, a password too: so it is not repeated here. */
static dpn_status check_url(const char *url, dpn_error *why) {
    char *message = NULL;
    PQconninfoOption *options = PQconninfoParse(url, &message);
    bool memory = !options && (!message || strstr(message, "out of memory"));
    bool understood = options != NULL;
    PQconninfoFree(options);
    PQfreemem(message);
    if (understood) return DPN_OK;
    if (memory) return no_memory(why);
    return dpn_fail(why, DPN_EDOMAIN,
                    "the address of the server is not of the form postgresql://user@host/database?option=value");
}

static const dpn_table_kind kind = {.want = want, .next = next, .close = close_source};

dpn_status dpn_table_open_postgres(dpn_table *table, const char *url, const dpn_table_options *options,
                                   dpn_error *why) {
    dpn_server *source = calloc(1, sizeof *source);
    if (!source) return no_memory(why);
    table->kind = &kind;
    table->state = source;
    dpn_status understood = check_url(url, why);
    if (understood) return understood;
    source->server = PQconnectdb(url);
    if (!source->server) return no_memory(why);
    if (PQstatus(source->server) != CONNECTION_OK) return server_fails(source, "the server cannot be reached", why);
    dpn_status status = begin(source, why);
    if (!status) status = find_table(source, options->table, why);
    if (!status) status = name_columns(table, source, why);
    return status;
}
