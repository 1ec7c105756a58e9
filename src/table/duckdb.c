/* A Parquet file, or a table of a DuckDB database, read by DuckDB, which is loaded when the first of them is asked for. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "table/batch.h"
#include "table/duckdb.h"

#include "base/error.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct dpn_duck {
    dpn_duckdb call;
    void *base, *connection;
    int file; /* of Parquet, held open: what is read is this one, whatever its name leads to later */
    uint64_t device, inode;
    char *path, *name; /* of a database: where it is, and the table as it has it; NULL: Parquet */
    char *from;        /* what stands after FROM */
    dpn_duckdb_result result;
    bool running, done;
    int *types;   /* of the columns, as DuckDB numbers them */
    char *pushed; /* the query whose rows are delivered instead; NULL: none */
    void *chunk;  /* of the result, or NULL */
    uint64_t at, size;
    dpn_batch batch;
} dpn_duck;

static void close_source(void *state) {
    dpn_duck *source = state;
    if (!source) return;
    if (source->chunk) source->call.duckdb_destroy_data_chunk(&source->chunk);
    if (source->running) source->call.duckdb_destroy_result(&source->result);
    if (source->connection) source->call.duckdb_disconnect(&source->connection);
    if (source->base) source->call.duckdb_close(&source->base);
    if (source->file >= 0) close(source->file);
    dpn_batch_free(&source->batch);
    free(source->types);
    free(source->pushed);
    free(source->path);
    free(source->name);
    free(source->from);
    free(source);
}

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "out of memory");
}

/* ---- Asking ---- */

/* What DuckDB says may repeat a value: it is not repeated. */
static dpn_status ask(dpn_duckdb_result *out, dpn_duck *source, const char *sql, dpn_error *why) {
    dpn_duckdb_result result = {{0}}; /* to be destroyed in any case */
    if (source->call.duckdb_query(source->connection, sql, &result) == 0) {
        *out = result;
        return DPN_OK;
    }
    source->call.duckdb_destroy_result(&result);
    return dpn_fail(why, DPN_EIO, "DuckDB cannot read the file: it is damaged, or no %s",
                    source->path ? "database of its own" : "Parquet");
}

static dpn_status run(dpn_duck *source, const char *sql, dpn_error *why) {
    dpn_duckdb_result result;
    dpn_status status = ask(&result, source, sql, why);
    if (!status) source->call.duckdb_destroy_result(&result);
    return status;
}

/* A text of DuckDB: its length, and up to 12 bytes beside it or a pointer behind the first four. */
static dpn_field text_in(const dpn_duck *source, void *chunk, uint64_t column, uint64_t row) {
    void *vector = source->call.duckdb_data_chunk_get_vector(chunk, column);
    const uint64_t *valid = source->call.duckdb_vector_get_validity(vector);
    if (valid && !(valid[row / 64] >> row % 64 & 1)) return (dpn_field){NULL, 0};
    const char *value = (const char *)source->call.duckdb_vector_get_data(vector) + 16 * row;
    uint32_t length;
    const char *text = value + 4;
    memcpy(&length, value, sizeof length);
    if (length > 12) memcpy(&text, value + 8, sizeof text);
    return (dpn_field){text, length};
}

/* ---- Opening ---- */

static dpn_status open_file(dpn_duck *source, const char *path, dpn_error *why) {
    struct stat opened;
    source->file = open(path, O_RDONLY | O_CLOEXEC);
    if (source->file < 0 || fstat(source->file, &opened) != 0)
        return dpn_fail(why, DPN_EIO, "'%.100s' cannot be opened", path);
    source->device = (uint64_t)opened.st_dev;
    source->inode = (uint64_t)opened.st_ino;
    source->from = malloc(64);
    if (!source->from) return no_memory(why);
    snprintf(source->from, 64, "read_parquet('/proc/self/fd/%d')", source->file);
    return DPN_OK;
}

static dpn_status open_engine(dpn_duck *source, dpn_error *why) {
    if (source->call.duckdb_open(NULL, &source->base) != 0 ||
        source->call.duckdb_connect(source->base, &source->connection) != 0)
        return dpn_fail(why, DPN_EIO, "DuckDB does not start");
    dpn_status status = run(source, "SET autoinstall_known_extensions = false", why);
    if (!status) status = run(source, "SET preserve_insertion_order = false", why);
    /* DuckDB fails at a text of Parquet that is no UTF-8. If it left out parts of the file that no row of the question is in, whether it fails would
     * tell which rows those are: it reads them all. */
    return status ? status : run(source, "SET disabled_optimizers = 'filter_pushdown,statistics_propagation'", why);
}

/* ---- A table of a database ---- */

/* Text with each quote doubled, between `before` and `after`. To be freed; NULL without memory. */
static char *quoted(const char *before, const char *text, char quote, const char *after) {
    char *out = malloc(strlen(before) + 2 * strlen(text) + strlen(after) + 1), *at = out;
    if (!out) return NULL;
    at += sprintf(at, "%s", before);
    for (; *text; text++) {
        if (*text == quote) *at++ = quote;
        *at++ = *text;
    }
    sprintf(at, "%s", after);
    return out;
}

/* Changes that a writer did not finish lie in a log beside the file. DuckDB takes them from there up to the first that is damaged, and says nothing of
 * the rest: how many rows there are would depend on it. Whoever has the file open for reading keeps writers away, so that none comes later. */
static dpn_status check_log(const dpn_duck *source, const char *path, dpn_error *why) {
    static const char *const suffixes[] = {".wal", ".wal.checkpoint", ".wal.recovery"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        struct stat log;
        char *name = quoted(source->path, suffixes[i], '\0', "");
        if (!name) return no_memory(why);
        bool there = stat(name, &log) == 0 && log.st_size > 0;
        free(name);
        if (there)
            return dpn_fail(
                why, DPN_EIO,
                "'%.100s' has changes that are not in it yet, in a write-ahead log: open it in DuckDB, look "
                "whether they are all there, and CHECKPOINT",
                path);
    }
    return DPN_OK;
}

/* For reading alone. DuckDB does not say which file it has opened: it is the one that is there before and after. */
static dpn_status attach(dpn_duck *source, const char *path, dpn_error *why) {
    struct stat before, after;
    source->path = realpath(path, NULL);
    if (!source->path || stat(source->path, &before) != 0)
        return dpn_fail(why, DPN_EIO, "'%.100s' cannot be opened", path);
    char *sql = quoted("ATTACH '", source->path, '\'', "' AS dpn_data (READ_ONLY)");
    if (!sql) return no_memory(why);
    dpn_duckdb_result result = {{0}};
    bool attached = source->call.duckdb_query(source->connection, sql, &result) == 0;
    source->call.duckdb_destroy_result(&result);
    free(sql);
    if (!attached)
        return dpn_fail(why, DPN_EIO, "DuckDB cannot open '%.100s': another program writes to it, or it is damaged",
                        path);
    if (stat(source->path, &after) != 0 || before.st_dev != after.st_dev || before.st_ino != after.st_ino)
        return dpn_fail(why, DPN_EIO, "'%.100s' was replaced while it was opened; try again", path);
    source->device = (uint64_t)before.st_dev;
    source->inode = (uint64_t)before.st_ino;
    dpn_status status = check_log(source, path, why);
    /* What comes with the file gets to no other. */
    if (!status) status = run(source, "SET enable_external_access = false", why);
    return status ? status : run(source, "SET lock_configuration = true", why);
}

/* The text in the first column of the first row, NULL if there is none; and whether there are more rows. */
static dpn_status ask_text(char **out, bool *more, dpn_duck *source, const char *sql, dpn_error *why) {
    dpn_duckdb_result result;
    dpn_status status = ask(&result, source, sql, why);
    if (status) return status;
    *out = NULL;
    void *chunk = source->call.duckdb_fetch_chunk(result);
    uint64_t rows = chunk ? source->call.duckdb_data_chunk_get_size(chunk) : 0;
    *more = rows > 1;
    if (rows > 0) {
        dpn_field text = text_in(source, chunk, 0, 0);
        *out = text.text ? malloc(text.length + 1) : NULL;
        if (!*out) status = no_memory(why);
        if (*out) memcpy(*out, text.text, text.length), (*out)[text.length] = '\0';
    }
    if (chunk) source->call.duckdb_destroy_data_chunk(&chunk);
    source->call.duckdb_destroy_result(&result);
    return status;
}

/* A plain table: a view may show other tables, and it and a column that is computed may fail at a row, which would tell something of it. */
static dpn_status find_table(dpn_duck *source, const char *wanted, dpn_error *why) {
    static const char all[] =
        "SELECT CASE WHEN sql ILIKE '%GENERATED ALWAYS%' THEN '!' ELSE ' ' END || table_name FROM "
        "duckdb_tables() WHERE database_name = 'dpn_data' AND schema_name = 'main'";
    bool more = false;
    char *name = NULL, *one = wanted ? quoted(" AND lower(table_name) = lower('", wanted, '\'', "')") : NULL;
    char *sql = quoted(all, one ? one : "", '\0', "");
    dpn_status status = sql && (one || !wanted) ? ask_text(&name, &more, source, sql, why) : no_memory(why);
    free(one);
    free(sql);
    if (status) return status;
    if (!name && wanted)
        return dpn_fail(why, DPN_EDOMAIN, "the database has no table '%.100s' in its schema main; views are not read",
                        wanted);
    if (!name) return dpn_fail(why, DPN_EPARSE, "the database has no tables in its schema main");
    source->name = name;
    if (more) return dpn_fail(why, DPN_EDOMAIN, "the database has several tables; one must be named");
    bool computed = name[0] == '!';
    memmove(name, name + 1, strlen(name)); /* with the zero */
    if (computed)
        return dpn_fail(why, DPN_EUNSUPPORTED, "'%.100s' has columns that are computed, and those can fail", name);
    source->from = quoted("dpn_data.main.\"", name, '"', "\"");
    return source->from ? DPN_OK : no_memory(why);
}

/* ---- Columns ---- */

static dpn_status name_columns(dpn_table *table, dpn_duck *source, dpn_error *why) {
    dpn_duckdb_result schema;
    char *sql = quoted("SELECT * FROM ", source->from, '\0', " LIMIT 0");
    if (!sql) return no_memory(why);
    dpn_status status = ask(&schema, source, sql, why);
    free(sql);
    if (status) return status;
    size_t count = (size_t)source->call.duckdb_column_count(&schema);
    dpn_field *names = calloc(count + 1, sizeof *names);
    source->types = calloc(count + 1, sizeof *source->types);
    if (!names || !source->types) status = no_memory(why);
    for (size_t i = 0; i < count && !status; i++) {
        const char *name = source->call.duckdb_column_name(&schema, i);
        names[i] = (dpn_field){name, name ? strlen(name) : 0};
        source->types[i] = source->call.duckdb_column_type(&schema, i);
    }
    if (!status) status = dpn_table_name(table, names, count, why);
    free(names);
    source->call.duckdb_destroy_result(&schema);
    return status;
}

/* ---- Rows ---- */

static dpn_status want(dpn_table *table, dpn_error *why) {
    dpn_duck *source = table->state;
    return dpn_batch_make(&source->batch, table, why);
}

/* By the numbers of DuckDB's C interface, which stay. Whole numbers of 64 bits without a sign, and longer ones, are none of these. */
static dpn_column_kind type_of(const dpn_table *table, size_t column) {
    enum { TINYINT = 2, BIGINT = 5, UTINYINT = 6, UINTEGER = 8, FLOAT = 10, DOUBLE = 11, VARCHAR = 17 };
    const dpn_duck *source = table->state;
    int type = source->types[column];
    if ((type >= TINYINT && type <= BIGINT) || (type >= UTINYINT && type <= UINTEGER)) return DPN_TABLE_INTEGER;
    if (type == FLOAT) return DPN_TABLE_SINGLE;
    if (type == DOUBLE) return DPN_TABLE_REAL;
    return type == VARCHAR ? DPN_TABLE_TEXT : DPN_TABLE_UNKNOWN;
}

/* The rows of a query as texts. */
static dpn_status push(dpn_table *table, const char *sql, dpn_error *why) {
    dpn_duck *source = table->state;
    static const char before[] = "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (", after[] = ")";
    char *text = malloc(sizeof before + strlen(sql) + sizeof after);
    if (!text) return no_memory(why);
    sprintf(text, "%s%s%s", before, sql, after);
    void *statement = NULL;
    bool planned = source->call.duckdb_prepare(source->connection, text, &statement) == 0;
    if (statement) source->call.duckdb_destroy_prepare(&statement);
    dpn_status status =
        planned ? dpn_batch_make(&source->batch, table, why) : dpn_fail(why, DPN_EIO, "DuckDB does not take the query");
    char *unused = status ? text : source->pushed;
    if (!status) source->pushed = text;
    free(unused);
    return status;
}

static const char *engine(const char **from, const dpn_table *table) {
    const dpn_duck *source = table->state;
    *from = source->from;
    return "duckdb";
}

/* Every wanted column as text: of reals the shortest that reads back. */
static char *write_statement(const dpn_table *table, const dpn_duck *source) {
    size_t size = 128 + strlen(source->from);
    for (size_t i = 0; i < table->wants; i++) size += 2 * strlen(table->names[table->wanted[i]]) + 32;
    char *sql = malloc(size), *at = sql;
    if (!sql) return NULL;
    at += sprintf(at, "SELECT %s", table->wants ? "" : "NULL");
    for (size_t i = 0; i < table->wants; i++) {
        at += sprintf(at, "%sCAST(\"", i ? ", " : "");
        for (const char *name = table->names[table->wanted[i]]; *name; name++) {
            if (*name == '"') *at++ = '"';
            *at++ = *name;
        }
        at += sprintf(at, "\" AS VARCHAR)");
    }
    sprintf(at, " FROM %s", source->from);
    return sql;
}

static dpn_status begin(dpn_table *table, dpn_duck *source, dpn_error *why) {
    char *sql = source->pushed ? source->pushed : write_statement(table, source);
    source->pushed = NULL;
    if (!sql) return no_memory(why);
    void *statement = NULL, *pending = NULL;
    bool begun = source->call.duckdb_prepare(source->connection, sql, &statement) == 0 &&
                 source->call.duckdb_pending_prepared_streaming(statement, &pending) == 0 &&
                 source->call.duckdb_execute_pending(pending, &source->result) == 0;
    if (pending) source->call.duckdb_destroy_pending(&pending);
    if (statement) source->call.duckdb_destroy_prepare(&statement);
    free(sql);
    source->running = begun;
    return begun ? DPN_OK : dpn_fail(why, DPN_EIO, "DuckDB cannot read the rows");
}

/* The next row of the result; false after the last. */
static dpn_status advance(bool *more, dpn_duck *source, dpn_error *why) {
    while (!source->done && source->at == source->size) {
        if (source->chunk) source->call.duckdb_destroy_data_chunk(&source->chunk);
        source->chunk = source->call.duckdb_fetch_chunk(source->result);
        source->at = 0;
        source->size = source->chunk ? source->call.duckdb_data_chunk_get_size(source->chunk) : 0;
        source->done = !source->chunk;
        const char *trouble = source->done ? source->call.duckdb_result_error(&source->result) : NULL;
        if (trouble && trouble[0]) return dpn_fail(why, DPN_EIO, "DuckDB cannot read the file to its end");
    }
    *more = !source->done;
    return DPN_OK;
}

/* Take the row at hand into the batch. */
static dpn_status gather(bool *full, dpn_table *table, dpn_duck *source, dpn_error *why) {
    size_t bytes = 0;
    bool usable = true;
    for (size_t i = 0; i < table->wants; i++) {
        dpn_field text = text_in(source, source->chunk, i, source->at);
        usable &= text.length <= table->row_limit && !(text.text && memchr(text.text, '\0', text.length));
        bytes += text.length;
    }
    if (!usable) {
        if (table->unusable++ == 0)
            (void)dpn_fail(&table->first_unusable, DPN_EPARSE,
                           "a row has a NUL byte or a value that is longer than the limit");
        source->at++;
        return DPN_OK;
    }
    dpn_status status = dpn_batch_row(full, &source->batch, bytes, why);
    if (status || *full) return status;
    dpn_field *field = source->batch.fields + source->batch.rows * table->wants;
    for (size_t i = 0; i < table->wants; i++) {
        dpn_field text = text_in(source, source->chunk, i, source->at);
        field[i] = text;
        if (!text.text) continue;
        memcpy(dpn_batch_text(&source->batch), text.text, text.length);
        dpn_batch_put(&source->batch, &field[i], text.length);
    }
    source->batch.rows++;
    source->at++;
    return DPN_OK;
}

static dpn_status next(const dpn_field **fields, size_t *rows, dpn_table *table, dpn_error *why) {
    dpn_duck *source = table->state;
    bool more = true;
    dpn_status status = source->running ? DPN_OK : begin(table, source, why);
    dpn_batch_clear(&source->batch);
    for (bool full = false; !status && !full;) {
        status = advance(&more, source, why);
        if (status || !more) break;
        status = gather(&full, table, source, why);
    }
    if (status) return status;
    *fields = source->batch.fields;
    *rows = source->batch.rows;
    return DPN_OK;
}

static dpn_status identify(dpn_table_identity *identity, const dpn_table *table, dpn_error *why) {
    const dpn_duck *source = table->state;
    dpn_status status = dpn_table_identify_opened(identity, source->path ? source->path : table->source, source->device,
                                                  source->inode, why);
    if (status || !source->path) return status;
    identity->origin = DPN_TABLE_DUCKDB;
    return dpn_table_copy(&identity->table, source->name, why);
}

static const dpn_table_kind kind = {.want = want,
                                    .type = type_of,
                                    .push = push,
                                    .engine = engine,
                                    .next = next,
                                    .identify = identify,
                                    .close = close_source};

dpn_status dpn_table_open_duckdb(dpn_table *table, const char *path, const dpn_table_options *options, dpn_error *why) {
    dpn_duck *source = calloc(1, sizeof *source);
    if (!source) return no_memory(why);
    source->file = -1;
    table->kind = &kind;
    table->state = source;
    dpn_status status = dpn_duckdb_load(&source->call, why);
    if (!status && !options) status = open_file(source, path, why);
    if (!status) status = open_engine(source, why);
    if (!status && options) status = attach(source, path, why);
    if (!status && options) status = find_table(source, options->table, why);
    return status ? status : name_columns(table, source, why);
}
