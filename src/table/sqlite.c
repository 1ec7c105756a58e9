/* A table or view of an SQLite file. */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "table/batch.h"
#include "table/table.h"

#include "base/error.h"

#include <dpnoise/number.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WAIT = 10000 }; /* milliseconds, while others write */

typedef struct dpn_database {
    sqlite3 *db;
    sqlite3_stmt *rows;
    char *name;             /* of the table, quoted */
    char *plain;            /* the same, as the database has it */
    uint64_t device, inode; /* of the file */
    bool waiting;           /* a row has been read that the last batch had no room for */
    bool done;              /* there are no more rows; another step would begin anew */
    dpn_batch batch;
} dpn_database;

static void close_source(void *state) {
    dpn_database *source = state;
    if (!source) return;
    sqlite3_finalize(source->rows);
    sqlite3_close(source->db);
    sqlite3_free(source->name);
    sqlite3_free(source->plain);
    dpn_batch_free(&source->batch);
    free(source);
}

static dpn_status trouble(int code, dpn_error *why) {
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    case SQLITE_CANTOPEN:
        return dpn_fail(why, DPN_EIO, "the database cannot be opened: is there such a file, and may it be read");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return dpn_fail(why, DPN_EIO, "the database is busy: another program writes to it");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return dpn_fail(why, DPN_EPARSE, "the file is damaged or is not a database (%s)", sqlite3_errstr(code));
    case SQLITE_TOOBIG:
        return dpn_fail(why, DPN_EPARSE, "the database holds a value that is longer than the limit");
    default:
        return dpn_fail(why, DPN_EIO, "the database cannot be read (%s)", sqlite3_errstr(code));
    }
}

/* ---- Opening ---- */

/* The schema comes with the file and may be hostile: it gets no functions with side effects, and names in double quotes
 * are never taken for texts. SQLite gives a meaning to ":memory:" and "file:...", which is another file than the one of that name;
 * a name that starts with ./ or / has none. */
static dpn_status open_file(dpn_database *source, const char *path, dpn_error *why) {
    char *plain = sqlite3_mprintf("%s%s", path[0] == '/' ? "" : "./", path);
    if (!plain) return trouble(SQLITE_NOMEM, why);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    /* SQLite does not say which file it has opened: it is the one that is there before and after. */
    struct stat before, after;
    bool found = stat(plain, &before) == 0;
    int code = sqlite3_open_v2(plain, &source->db, flags, NULL);
    found = found && stat(plain, &after) == 0 && before.st_dev == after.st_dev && before.st_ino == after.st_ino;
    sqlite3_free(plain);
    if (code) return trouble(code, why);
    if (!found) return dpn_fail(why, DPN_EIO, "'%.100s' was replaced while it was opened; try again", path);
    source->device = (uint64_t)before.st_dev;
    source->inode = (uint64_t)before.st_ino;
    sqlite3_busy_timeout(source->db, WAIT);
    sqlite3_db_config(source->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(source->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(source->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    return DPN_OK;
}

/* The first value of a statement as text, from sqlite3_malloc, or NULL if there is no row; *more says that there is a
 * second row. */
static dpn_status ask(char **value, bool *more, sqlite3 *db, const char *sql, const char *argument, dpn_error *why) {
    sqlite3_stmt *statement = NULL;
    *value = NULL;
    *more = false;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (!code && argument) code = sqlite3_bind_text(statement, 1, argument, -1, SQLITE_STATIC);
    if (!code) code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        *value = sqlite3_mprintf("%s", (const char *)sqlite3_column_text(statement, 0));
        code = *value ? sqlite3_step(statement) : SQLITE_NOMEM;
        *more = code == SQLITE_ROW;
    }
    sqlite3_finalize(statement);
    if (code == SQLITE_DONE || code == SQLITE_ROW) return DPN_OK;
    sqlite3_free(*value);
    *value = NULL;
    return trouble(code, why);
}

static dpn_status find_table(dpn_database *source, const char *wanted, dpn_error *why) {
    char *name;
    bool more;
    dpn_status status =
        ask(&name, &more, source->db,
            wanted ? "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE"
                   : "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
                     "ESCAPE '\\'",
            wanted, why);
    if (status) return status;
    if (!name && wanted) return dpn_fail(why, DPN_EDOMAIN, "the database has no table or view '%.100s'", wanted);
    if (!name) return dpn_fail(why, DPN_EPARSE, "the database has no tables");
    if (!more) source->name = sqlite3_mprintf("\"%w\"", name);
    source->plain = name;
    if (more) return dpn_fail(why, DPN_EDOMAIN, "the database has several tables and views; one must be named");
    return source->name ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "out of memory");
}

static dpn_status name_columns(dpn_table *table, dpn_database *source, dpn_error *why) {
    sqlite3_stmt *statement = NULL;
    char *sql = sqlite3_mprintf("SELECT * FROM %s", source->name);
    if (!sql) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    int code = sqlite3_prepare_v2(source->db, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    if (code == SQLITE_ERROR) return dpn_fail(why, DPN_EPARSE, "the table or view cannot be read by itself");
    if (code) return trouble(code, why);
    size_t count = (size_t)sqlite3_column_count(statement);
    dpn_field *names = calloc(count + 1, sizeof *names);
    dpn_status status = names ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < count && !status; i++) {
        const char *name = sqlite3_column_name(statement, (int)i);
        if (name)
            names[i] = (dpn_field){name, strlen(name)};
        else
            status = dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    if (!status) status = dpn_table_name(table, names, count, why);
    free(names);
    sqlite3_finalize(statement);
    return status;
}

/* ---- Rows ---- */

static dpn_status want(dpn_table *table, dpn_error *why) {
    dpn_database *source = table->state;
    dpn_status status = dpn_batch_make(&source->batch, table, why);
    if (status) return status;
    sqlite3_str *text = sqlite3_str_new(source->db);
    sqlite3_str_appendall(text, table->wants ? "SELECT " : "SELECT NULL");
    for (size_t i = 0; i < table->wants; i++)
        sqlite3_str_appendf(text, "%s\"%w\"", i ? ", " : "", table->names[table->wanted[i]]);
    sqlite3_str_appendf(text, " FROM %s", source->name);
    char *sql = sqlite3_str_finish(text);
    if (!sql) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    sqlite3_stmt *rows = NULL;
    int code = sqlite3_prepare_v2(source->db, sql, -1, &rows, NULL);
    sqlite3_free(sql);
    if (code) return trouble(code, why);
    sqlite3_finalize(source->rows);
    source->rows = rows;
    return DPN_OK;
}

/* How many bytes the texts of the row need at most. *why_not says why it cannot be used, with %llu for its number; NULL if it
 * can. */
static dpn_status measure(size_t *bytes, const char **why_not, const dpn_table *table, const dpn_database *source,
                          dpn_error *why) {
    sqlite3_stmt *rows = source->rows;
    *bytes = 0;
    *why_not = NULL;
    for (size_t i = 0; i < table->wants; i++) {
        int type = sqlite3_column_type(rows, (int)i);
        if (type == SQLITE_BLOB) *why_not = "row %llu holds bytes (a BLOB) where text or a number is wanted";
        if (type != SQLITE_TEXT) {
            *bytes += DPN_NUMBER_SIZE;
            continue;
        }
        const unsigned char *text = sqlite3_column_text(rows, (int)i);
        if (!text) return dpn_fail(why, DPN_ENOMEM, "out of memory");
        size_t length = (size_t)sqlite3_column_bytes(rows, (int)i);
        if (memchr(text, '\0', length)) *why_not = "row %llu holds a NUL byte";
        if (length > table->row_limit) *why_not = "row %llu holds a value that is longer than the limit";
        *bytes += length;
    }
    return DPN_OK;
}

static void take(dpn_field *field, dpn_batch *batch, sqlite3_stmt *rows, int column) {
    char *text = dpn_batch_text(batch);
    switch (sqlite3_column_type(rows, column)) {
    case SQLITE_INTEGER:
        dpn_batch_put(batch, field,
                      (size_t)snprintf(text, DPN_NUMBER_SIZE, "%lld", (long long)sqlite3_column_int64(rows, column)));
        break;
    case SQLITE_FLOAT:
        dpn_batch_put(batch, field, strlen(dpn_number_print(text, sqlite3_column_double(rows, column))));
        break;
    case SQLITE_TEXT: {
        size_t length = (size_t)sqlite3_column_bytes(rows, column);
        if (length) memcpy(text, sqlite3_column_text(rows, column), length);
        dpn_batch_put(batch, field, length);
        break;
    }
    default:
        *field = (dpn_field){NULL, 0};
    }
}

/* Read one row into the batch. */
static dpn_status gather(bool *full, dpn_table *table, dpn_database *source, dpn_error *why) {
    size_t bytes;
    const char *why_not;
    dpn_status status = measure(&bytes, &why_not, table, source, why);
    if (!status && why_not) {
        unsigned long long row = table->rows + table->unusable + source->batch.rows + 1;
        if (table->unusable++ == 0) (void)dpn_fail(&table->first_unusable, DPN_EPARSE, why_not, row);
        return DPN_OK;
    }
    if (!status) status = dpn_batch_row(full, &source->batch, bytes, why);
    if (status || *full) return status;
    dpn_field *field = source->batch.fields + source->batch.rows * table->wants;
    for (size_t i = 0; i < table->wants; i++) take(&field[i], &source->batch, source->rows, (int)i);
    source->batch.rows++;
    return DPN_OK;
}

static dpn_status next(const dpn_field **fields, size_t *rows, dpn_table *table, dpn_error *why) {
    dpn_database *source = table->state;
    dpn_batch_clear(&source->batch);
    for (bool full = false; !full && !source->done;) {
        int code = source->waiting ? SQLITE_ROW : sqlite3_step(source->rows);
        source->done = code == SQLITE_DONE;
        if (source->done) break;
        if (code != SQLITE_ROW) return trouble(code, why);
        dpn_status status = gather(&full, table, source, why);
        if (status) return status;
        source->waiting = full;
    }
    *fields = source->batch.fields;
    *rows = source->batch.rows;
    return DPN_OK;
}

/* ---- Which table ---- */

static dpn_status identify(dpn_table_identity *identity, const dpn_table *table, dpn_error *why) {
    const dpn_database *source = table->state;
    char *type = NULL;
    bool more;
    /* The file that SQLite has opened, its links followed then: a link that was turned since leads elsewhere. */
    dpn_status status = dpn_table_identify_opened(identity, sqlite3_db_filename(source->db, "main"), source->device,
                                                  source->inode, why);
    if (status) return status;
    status = ask(&type, &more, source->db,
                 "SELECT CASE WHEN type = 'view' THEN 'v' WHEN sql LIKE 'CREATE VIRTUAL %' THEN 'm' ELSE 't' END "
                 "FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?1",
                 source->plain, why);
    if (!status && !type) status = dpn_fail(why, DPN_EIO, "the table is gone");
    if (!status && type[0] != 't') identity->derived = type[0] == 'v' ? "view" : "virtual table";
    sqlite3_free(type);
    identity->origin = DPN_TABLE_SQLITE;
    return status ? status : dpn_table_copy(&identity->table, source->plain, why);
}

static const dpn_table_kind kind = {.want = want, .next = next, .identify = identify, .close = close_source};

dpn_status dpn_table_open_sqlite(dpn_table *table, const char *path, const dpn_table_options *options, dpn_error *why) {
    dpn_database *source = calloc(1, sizeof *source);
    if (!source) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    table->kind = &kind;
    table->state = source;
    dpn_status status = open_file(source, path, why);
    if (!status) status = find_table(source, options->table, why);
    if (!status) status = name_columns(table, source, why);
    return status;
}
