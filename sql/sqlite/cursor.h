/* Table-valued functions: arguments are hidden columns, and all rows are there once xFilter has returned. */
#ifndef DPN_SQLITE_CURSOR_H
#define DPN_SQLITE_CURSOR_H

#include "sqlite/front.h"

/* The first member of a cursor. */
typedef struct front_cursor {
    sqlite3_vtab_cursor base;
    size_t place, rows;
} front_cursor;

/* xBestIndex: which hidden columns, from `first` on, are given, as bits of idxNum; xFilter gets their values in the order of the columns. At most 31. One that is
 * given twice is refused: SQLite would compare the second with a hidden column, which has no value, after all was done. */
int front_arguments(sqlite3_vtab *table, sqlite3_index_info *plan, int first);

/* Zeros for a table or a cursor of so many bytes, which begins with SQLite's part; xDisconnect. NULL without memory. */
void *front_zeros(size_t size);
int front_disconnect(sqlite3_vtab *table);

/* xNext, xEof, xRowid. */
int front_next(sqlite3_vtab_cursor *base);
int front_eof(sqlite3_vtab_cursor *base);
int front_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out);

/* The sentence for the statement, and SQLITE_ERROR. */
int front_fail(sqlite3_vtab_cursor *base, const char *sentence);

/* A number as a column: NaN is NULL. */
void front_put_number(sqlite3_context *call, double x);

#endif
