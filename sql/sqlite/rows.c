/* The rows of a registered table: as the command reads them. */
#include "sqlite/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAIT = 5000 };

struct dpn_rows {
    sqlite3 *db;
    sqlite3_stmt *statement;
    int columns;
    dpn_value *value; /* of one row */
};

static dpn_status refuse(dpn_error *why, dpn_status status, const char *sentence) {
    why->status = status;
    snprintf(why->sentence, sizeof why->sentence, "%s", sentence);
    return status;
}

void rows_close(dpn_rows *rows) {
    if (!rows) return;
    sqlite3_finalize(rows->statement);
    sqlite3_close(rows->db);
    free(rows->value);
    free(rows);
}

/* A table that has its rows itself: a view can fail row by row. */
static dpn_status check_table(sqlite3 *db, const char *table, dpn_error *why) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(
        db, "SELECT type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %' FROM sqlite_schema WHERE name = ?1", -1,
        &statement, NULL);
    if (!code) code = sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    if (!code) code = sqlite3_step(statement);
    int plain = code == SQLITE_ROW ? sqlite3_column_int(statement, 0) : -1;
    sqlite3_finalize(statement);
    if (plain == 1) return DPN_OK;
    if (plain == 0)
        return refuse(why, DPN_EDOMAIN, "the registered relation is a view: register the table that has the rows");
    return refuse(why, DPN_EIO,
                  code == SQLITE_DONE ? "the registered table is gone" : "the registered data cannot be read");
}

static dpn_status prepare(dpn_rows *rows, const char *table, const dpn_query *query, dpn_error *why) {
    sqlite3_str *text = sqlite3_str_new(rows->db);
    for (; dpn_query_column(query, (size_t)rows->columns); rows->columns++)
        sqlite3_str_appendf(text, "%s\"%w\"", rows->columns ? ", " : "SELECT ",
                            dpn_query_column(query, (size_t)rows->columns));
    sqlite3_str_appendf(text, "%s FROM \"%w\"", rows->columns ? "" : "SELECT NULL", table);
    char *sql = sqlite3_str_finish(text);
    if (!sql) return refuse(why, DPN_ENOMEM, "out of memory");
    int code = sqlite3_prepare_v2(rows->db, sql, -1, &rows->statement, NULL);
    sqlite3_free(sql);
    if (code) return refuse(why, DPN_EDOMAIN, "the registered table has not all of these columns");
    rows->value = calloc((size_t)rows->columns + 1, sizeof *rows->value);
    return rows->value ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
}

dpn_status rows_open(dpn_rows **out, const dpn_registration *registration, const dpn_query *query, dpn_error *why) {
    const dpn_place *place = &registration->source;
    if (place->kind != DPN_PLACE_SQLITE)
        return refuse(why, DPN_EDOMAIN, "the data set is registered for data that are not in SQLite");
    dpn_rows *rows = calloc(1, sizeof *rows);
    if (!rows) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    if (sqlite3_open_v2(place->path, &rows->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL))
        status = refuse(why, DPN_EIO, "the registered data cannot be opened");
    if (!status) {
        sqlite3_busy_timeout(rows->db, WAIT);
        sqlite3_db_config(rows->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        sqlite3_db_config(rows->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* "column" is a column, and never a text */
        if (sqlite3_exec(rows->db, "BEGIN", NULL, NULL, NULL))
            status = refuse(why, DPN_EIO, "the registered data cannot be read");
    }
    if (!status)
        status = check_table(rows->db, place->table, why); /* which takes the lock: nobody is in the way afterwards */
    if (!status) status = prepare(rows, place->table, query, why);
    if (status)
        rows_close(rows);
    else
        *out = rows;
    return status;
}

/* Whether the row can be used: bytes that are no text, and texts with a zero in them, make it unusable. */
static bool take(dpn_rows *rows) {
    for (int i = 0; i < rows->columns; i++) {
        dpn_value *value = &rows->value[i];
        *value = (dpn_value){.kind = DPN_VALUE_MISSING};
        switch (sqlite3_column_type(rows->statement, i)) {
        case SQLITE_INTEGER:
            value->kind = DPN_VALUE_INTEGER;
            value->as.integer = sqlite3_column_int64(rows->statement, i);
            break;
        case SQLITE_FLOAT:
            value->kind = DPN_VALUE_REAL;
            value->as.real = sqlite3_column_double(rows->statement, i);
            break;
        case SQLITE_TEXT:
            value->kind = DPN_VALUE_TEXT;
            value->as.text.text = (const char *)sqlite3_column_text(rows->statement, i);
            value->as.text.length = (size_t)sqlite3_column_bytes(rows->statement, i);
            if (!value->as.text.text || memchr(value->as.text.text, '\0', value->as.text.length)) return false;
            break;
        case SQLITE_BLOB:
            return false;
        default:
            break;
        }
    }
    return true;
}

dpn_status rows_read(dpn_rows *rows, dpn_tally *tally, dpn_error *why) {
    int code;
    dpn_status status = DPN_OK;
    while (!status && (code = sqlite3_step(rows->statement)) == SQLITE_ROW)
        status = take(rows) ? dpn_tally_values(tally, rows->value, 1, why) : dpn_tally_unusable(tally, 1, why);
    if (!status && code != SQLITE_DONE) status = refuse(why, DPN_EIO, sqlite3_errmsg(rows->db));
    return status;
}
