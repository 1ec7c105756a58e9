/* A Parquet file, read by DuckDB, which is loaded when the first of them is asked for. */
#define _POSIX_C_SOURCE 200809L
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
    int file; /* held open: what is read is this one, whatever its name leads to later */
    uint64_t device, inode;
    char from[64];
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
    return dpn_fail(why, DPN_EIO, "DuckDB cannot read the file: it is damaged, or no Parquet");
}

static dpn_status run(dpn_duck *source, const char *sql, dpn_error *why) {
    dpn_duckdb_result result;
    dpn_status status = ask(&result, source, sql, why);
    if (!status) source->call.duckdb_destroy_result(&result);
    return status;
}

/* ---- Opening ---- */

static dpn_status open_file(dpn_duck *source, const char *path, dpn_error *why) {
    struct stat opened;
    source->file = open(path, O_RDONLY | O_CLOEXEC);
    if (source->file < 0 || fstat(source->file, &opened) != 0)
        return dpn_fail(why, DPN_EIO, "'%.100s' cannot be opened", path);
    source->device = (uint64_t)opened.st_dev;
    source->inode = (uint64_t)opened.st_ino;
    snprintf(source->from, sizeof source->from, "read_parquet('/proc/self/fd/%d')", source->file);
    return DPN_OK;
}

static dpn_status open_engine(dpn_duck *source, dpn_error *why) {
    if (source->call.duckdb_open(NULL, &source->base) != 0 ||
        source->call.duckdb_connect(source->base, &source->connection) != 0)
        return dpn_fail(why, DPN_EIO, "DuckDB does not start");
    dpn_status status = run(source, "SET autoinstall_known_extensions = false", why);
    return status ? status : run(source, "SET preserve_insertion_order = false", why);
}

static dpn_status name_columns(dpn_table *table, dpn_duck *source, dpn_error *why) {
    char sql[128];
    dpn_duckdb_result schema;
    snprintf(sql, sizeof sql, "SELECT * FROM %s LIMIT 0", source->from);
    dpn_status status = ask(&schema, source, sql, why);
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
    free(source->pushed);
    source->pushed = text;
    void *statement = NULL;
    bool planned = source->call.duckdb_prepare(source->connection, text, &statement) == 0;
    if (statement) source->call.duckdb_destroy_prepare(&statement);
    if (!planned) return dpn_fail(why, DPN_EIO, "DuckDB does not take the query");
    return dpn_batch_make(&source->batch, table, why);
}

static const char *engine(const char **from, const dpn_table *table) {
    const dpn_duck *source = table->state;
    *from = source->from;
    return "duckdb";
}

/* Every wanted column as text: of reals the shortest that reads back. */
static char *write_statement(const dpn_table *table, const dpn_duck *source) {
    size_t size = 128;
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

/* A text of DuckDB: its length, and up to 12 bytes beside it or a pointer behind the first four. */
static dpn_field text_at(const dpn_duck *source, uint64_t column) {
    void *vector = source->call.duckdb_data_chunk_get_vector(source->chunk, column);
    const uint64_t *valid = source->call.duckdb_vector_get_validity(vector);
    if (valid && !(valid[source->at / 64] >> source->at % 64 & 1)) return (dpn_field){NULL, 0};
    const char *value = (const char *)source->call.duckdb_vector_get_data(vector) + 16 * source->at;
    uint32_t length;
    const char *text = value + 4;
    memcpy(&length, value, sizeof length);
    if (length > 12) memcpy(&text, value + 8, sizeof text);
    return (dpn_field){text, length};
}

/* Take the row at hand into the batch. */
static dpn_status gather(bool *full, dpn_table *table, dpn_duck *source, dpn_error *why) {
    size_t bytes = 0;
    bool usable = true;
    for (size_t i = 0; i < table->wants; i++) {
        dpn_field text = text_at(source, i);
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
        dpn_field text = text_at(source, i);
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
    return dpn_table_identify_opened(identity, table->source, source->device, source->inode, why);
}

static const dpn_table_kind kind = {.want = want,
                                    .type = type_of,
                                    .push = push,
                                    .engine = engine,
                                    .next = next,
                                    .identify = identify,
                                    .close = close_source};

dpn_status dpn_table_open_parquet(dpn_table *table, const char *path, dpn_error *why) {
    dpn_duck *source = calloc(1, sizeof *source);
    if (!source) return no_memory(why);
    source->file = -1;
    table->kind = &kind;
    table->state = source;
    dpn_status status = dpn_duckdb_load(&source->call, why);
    if (!status) status = open_file(source, path, why);
    if (!status) status = open_engine(source, why);
    return status ? status : name_columns(table, source, why);
}
