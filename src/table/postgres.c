/* A table or view of a PostgreSQL server: finding it and its columns, in a transaction that can only read. */
#include "table/postgres.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void close_source(void *state) {
    dpn_server *source = state;
    if (!source) return;
    if (source->row) source->pq.PQfreemem(source->row);
    if (source->server) source->pq.PQfinish(source->server); /* ends the transaction with the connection */
    free(source->name);
    free(source->types);
    free(source->pushed);
    dpn_batch_free(&source->batch);
    free(source);
}

/* ---- Trouble ---- */

dpn_status dpn_server_fails(const dpn_server *source, const char *doing, dpn_error *why) {
    char line[160];
    const char *message = source->pq.PQerrorMessage(source->server);
    if (strstr(message, "out of memory") || strstr(message, "cannot allocate memory"))
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    snprintf(line, sizeof line, "%s", message);
    line[strcspn(line, "\n")] = '\0';
    return dpn_fail(why, DPN_EIO, "%s: %s", doing, line[0] ? line : "the server says nothing");
}

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "out of memory");
}

/* A view may tell its rows by RAISE NOTICE: libpq would print that to standard error. */
static void ignore_notice(void *nobody, const PGresult *notice) {
    (void)nobody;
    (void)notice;
}

/* Whether an error is about the question and the right to ask it. Others (a value that is no number, an exception of a
 * function) may repeat what stands in a row. */
static bool is_about_the_question(const char *code) {
    static const char *const classes[] = {"08", "25", "28", "3D", "3F", "42", "53", "55", "57"};
    for (size_t i = 0; code && i < sizeof classes / sizeof *classes; i++)
        if (strncmp(code, classes[i], 2) == 0) return true;
    return code == NULL; /* there is none while there is no connection */
}

/* ---- Asking ---- */

PGresult *dpn_server_ask(const dpn_server *source, const char *sql, ExecStatusType expected, const char *doing,
                         dpn_error *why) {
    PGresult *result = source->pq.PQexec(source->server, sql);
    if (source->pq.PQresultStatus(result) == expected) return result;
    const char *code = source->pq.PQresultErrorField(result, PG_DIAG_SQLSTATE);
    bool absent = code && (strcmp(code, "42P01") == 0 || strcmp(code, "3F000") == 0);
    if (absent)
        dpn_fail(why, DPN_EDOMAIN, "the database has no such table or view");
    else if (is_about_the_question(code))
        dpn_server_fails(source, doing, why);
    else
        dpn_fail(why, DPN_EIO, "%s: the server fails with the code %.5s", doing, code);
    source->pq.PQclear(result);
    return NULL;
}

static dpn_status run(const dpn_server *source, const char *sql, dpn_error *why) {
    dpn_error reason = {DPN_EIO, ""};
    PGresult *result =
        dpn_server_ask(source, sql, PGRES_COMMAND_OK, "the server refuses a transaction that can only read", &reason);
    source->pq.PQclear(result);
    return result ? DPN_OK : dpn_fail(why, reason.status, "%s", reason.sentence);
}

/* One snapshot of the database; numbers that read back to the same number; dates that do not depend on the server. */
static dpn_status begin(const dpn_server *source, dpn_error *why) {
    static const char *const statements[] = {"BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
                                             "SET LOCAL extra_float_digits = 3", "SET LOCAL datestyle = 'ISO, YMD'",
                                             "SET LOCAL intervalstyle = 'iso_8601'", "SET LOCAL row_security = on"};
    if (source->pq.PQsetClientEncoding(source->server, "UTF8") != 0)
        return dpn_server_fails(source, "the server does not speak UTF-8", why);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < sizeof statements / sizeof *statements && !status; i++)
        status = run(source, statements[i], why);
    return status;
}

/* ---- The table ---- */

dpn_status dpn_server_quote(char **out, const dpn_server *source, const char *name, size_t length, dpn_error *why) {
    *out = source->pq.PQescapeIdentifier(source->server, name, length);
    return *out ? DPN_OK : dpn_server_fails(source, "a name cannot be quoted", why);
}

/* "schema"."table" or "table". */
static dpn_status set_name(dpn_server *source, const char *schema, size_t schema_length, const char *table,
                           dpn_error *why) {
    char *first = NULL, *second = NULL;
    dpn_status status = schema ? dpn_server_quote(&first, source, schema, schema_length, why) : DPN_OK;
    if (!status) status = dpn_server_quote(&second, source, table, strlen(table), why);
    size_t size = status ? 0 : (first ? strlen(first) + 1 : 0) + strlen(second) + 1;
    source->name = size ? malloc(size) : NULL;
    if (source->name) snprintf(source->name, size, "%s%s%s", first ? first : "", first ? "." : "", second);
    if (!status && !source->name) status = no_memory(why);
    source->pq.PQfreemem(first);
    source->pq.PQfreemem(second);
    return status;
}

static dpn_status the_only_table(dpn_server *source, dpn_error *why) {
    PGresult *found = dpn_server_ask(
        source,
        "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid " EQUALS
        " c.relnamespace WHERE c.relkind " EQUALS
        " ANY ('{r,v,m,f,p}'::pg_catalog.\"char\"[]) AND NOT c.relispartition "
        "AND n.nspname OPERATOR(pg_catalog.<>) 'information_schema' "
        "AND pg_catalog.left(n.nspname::pg_catalog.text, 3) OPERATOR(pg_catalog.<>) 'pg_' LIMIT 2",
        PGRES_TUPLES_OK, "the server does not list its tables", why);
    if (!found) return why ? why->status : DPN_EIO;
    dpn_status status = DPN_OK;
    if (source->pq.PQntuples(found) == 0)
        status = dpn_fail(why, DPN_EPARSE, "the database has no tables");
    else if (source->pq.PQntuples(found) > 1)
        status = dpn_fail(why, DPN_EDOMAIN, "the database has several tables and views; one must be named");
    else
        status = set_name(source, source->pq.PQgetvalue(found, 0, 0), strlen(source->pq.PQgetvalue(found, 0, 0)),
                          source->pq.PQgetvalue(found, 0, 1), why);
    source->pq.PQclear(found);
    return status;
}

static dpn_status find_table(dpn_server *source, const dpn_table_options *options, dpn_error *why) {
    const char *wanted = options->table;
    if (!wanted) return the_only_table(source, why);
    if (options->schema) return set_name(source, options->schema, strlen(options->schema), wanted, why);
    const char *dot = strchr(wanted, '.');
    return set_name(source, dot ? wanted : NULL, dot ? (size_t)(dot - wanted) : 0, dot ? dot + 1 : wanted, why);
}

static dpn_status take_columns(dpn_table *table, dpn_server *source, const PGresult *schema, dpn_error *why) {
    size_t count = (size_t)source->pq.PQnfields(schema);
    dpn_field *names = calloc(count + 1, sizeof *names);
    source->types = calloc(count + 1, sizeof *source->types);
    dpn_status status = names && source->types ? DPN_OK : no_memory(why);
    for (size_t i = 0; i < count && !status; i++) {
        names[i] = (dpn_field){source->pq.PQfname(schema, (int)i), strlen(source->pq.PQfname(schema, (int)i))};
        source->types[i] = source->pq.PQftype(schema, (int)i);
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
    PGresult *schema = dpn_server_ask(source, sql, PGRES_TUPLES_OK, "the table cannot be read", why);
    free(sql);
    if (!schema) return why ? why->status : DPN_EIO;
    dpn_status status = take_columns(table, source, schema, why);
    source->pq.PQclear(schema);
    return status;
}

/* ---- Opening ---- */

/* What libpq says of a URL that it does not understand repeats all of it, a password too: so it is not repeated here. */
static dpn_status check_url(const dpn_server *source, const char *url, dpn_error *why) {
    char *message = NULL;
    PQconninfoOption *options = source->pq.PQconninfoParse(url, &message);
    bool memory = !options && (!message || strstr(message, "out of memory"));
    bool understood = options != NULL;
    source->pq.PQconninfoFree(options);
    source->pq.PQfreemem(message);
    if (understood) return DPN_OK;
    if (memory) return no_memory(why);
    return dpn_fail(why, DPN_EDOMAIN,
                    "the address of the server is not of the form postgresql://user@host/database?option=value");
}

static const char *engine(const char **from, const dpn_table *table) {
    (void)table;
    *from = NULL;
    return "postgresql";
}

/* By the numbers that PostgreSQL's types have for good; a domain is its base type here. */
static dpn_column_kind type_of(const dpn_table *table, size_t column) {
    enum { INT8 = 20, INT2 = 21, INT4 = 23, TEXT = 25, FLOAT4 = 700, FLOAT8 = 701, VARCHAR = 1043, NUMERIC = 1700 };
    const dpn_server *source = table->state;
    switch (source->types[column]) {
    case INT8:
    case INT2:
    case INT4:
        return DPN_TABLE_INTEGER;
    case FLOAT4:
        return DPN_TABLE_SINGLE;
    case FLOAT8:
        return DPN_TABLE_REAL;
    case NUMERIC:
        return DPN_TABLE_DECIMAL;
    case TEXT:
    case VARCHAR:
        return DPN_TABLE_TEXT;
    default:
        return DPN_TABLE_UNKNOWN;
    }
}

static const dpn_table_kind kind = {.want = dpn_server_want,
                                    .next = dpn_server_next,
                                    .identify = dpn_server_identify,
                                    .type = type_of,
                                    .push = dpn_server_push,
                                    .engine = engine,
                                    .close = close_source};

dpn_status dpn_table_open_postgres(dpn_table *table, const char *url, const dpn_table_options *options,
                                   dpn_error *why) {
    dpn_server *source = calloc(1, sizeof *source);
    if (!source) return no_memory(why);
    table->kind = &kind;
    table->state = source;
    dpn_status status = dpn_libpq_load(&source->pq, why);
    if (!status) status = check_url(source, url, why);
    if (status) return status;
    source->server = source->pq.PQconnectdb(url);
    if (!source->server) return no_memory(why);
    source->pq.PQsetNoticeReceiver(source->server, ignore_notice, NULL);
    if (source->pq.PQstatus(source->server) != CONNECTION_OK)
        return dpn_server_fails(source, "the server cannot be reached", why);
    status = begin(source, why);
    if (!status) status = find_table(source, options, why);
    if (!status) status = name_columns(table, source, why);
    return status;
}
