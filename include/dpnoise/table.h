/* dpnoise/table.h - rows of text from a file or a database. It knows nothing of privacy.
 *
 * In libdpnoise alone: libdpnoise-core reads no tables.
 *
 * Example
 *     dpn_table *table;
 *     const dpn_field *field;
 *     size_t rows, income;
 *     dpn_error why;
 *     if (dpn_table_open(&table, "people.csv", NULL, &why) || // the schema, no row
 *         dpn_table_find(&income, table, "income", &why) || dpn_table_want(table, &income, 1, &why))
 *         return puts(why.sentence);
 *     do {
 *         if (dpn_table_next(&field, &rows, table, &why)) return puts(why.sentence); // the disk failed
 *         for (size_t i = 0; i < rows; i++)
 *             if (field[i].text) printf("%.*s\n", (int)field[i].length, field[i].text);
 *     } while (rows > 0);
 *     dpn_table_close(table);
 *
 * Sources
 *   PATH, "-"          comma- or tab-separated text: a file, a pipe or standard input; gzip and zstd, which are known
 *                      by their first bytes, are unpacked on the way
 *   PATH, sqlite:PATH  an SQLite database, known by its first bytes; opened for reading alone
 *   PATH               a Parquet file, known by its first bytes; DuckDB reads it, whose library (libduckdb.so) is loaded then
 *   postgresql://...,  a table or view of a PostgreSQL server, read in one transaction that can only read and sees one
 *   postgres://...     state of the table
 *
 * Text follows RFC 4180: the first row names the columns; a field may stand in double quotes and may then hold
 * delimiters and doubled quotes; rows end in LF or CRLF, the last one may end with the file. A UTF-8 byte
 * order mark is skipped. A first row that could be read in two ways is refused: a quote within a field that does not begin with one,
 * text after a closing quote, a quote that is not closed, columns without a name or with the same name, NUL bytes, UTF-16, no
 * first row at all.
 *
 * A row of data is one line, and each line is judged by itself: nothing that it holds is an error, and nothing changes how others are
 * read. A line that is longer or shorter than the first row, longer than row_limit, or has such quotes or a NUL byte is unusable: it
 * is not delivered, and counted (dpn_table_unusable). So is a row of a database with bytes (a BLOB) in a wanted column, a NUL byte, or a value
 * longer than row_limit. With `multiline` quotes may hold line ends, and one that is not closed changes how all that follows is read.
 *
 * Memory is constant in the number of rows: some buffers, and one row, which row_limit bounds. (The PostgreSQL client
 * library itself holds a row of any size before its length can be judged.)
 *
 * A failure before the first row repeats nothing that stands in rows, and notices that functions of a PostgreSQL view raise
 * go nowhere. What an error of dpn_table_next says is for the curator of the table: it may name a line. dpn_table_conceal turns it
 * into what others may hear.
 *
 * A table must not be used by two threads at once; distinct tables, the parts of one file among them, are independent.
 */
#ifndef DPNOISE_TABLE_H
#define DPNOISE_TABLE_H

#include <dpnoise/field.h>
#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dpn_table dpn_table;

/* ---- Opening ---- */

/* How to read. NULL stands for the defaults. */
typedef struct dpn_table_options {
    size_t size;       /* set by the initialiser below */
    const char *table; /* the table or view of a database, schema.table in PostgreSQL; NULL: the only one there is */
    char delimiter;    /* of text; 0: a tab if the name of the file ends in .tsv or .tab (before .gz, .zst),
                            * else the most frequent of comma, tab, semicolon and bar in the first row; a comma wins if
                            * the name ends in .csv and there is one */
    const char *null_text; /* a field of a file that is this text, and not in quotes, is NULL; NULL: no field is */
    bool literal_quotes;   /* quotes are characters like others, as in most tab-separated files */
    bool multiline;        /* line ends may stand in quotes: a promise of the curator that all quotes are closed */
    size_t row_limit;      /* bytes of the longest row of text, its end included, and of the longest value of a
                            * database; 0: 1 MiB; at most 1 GiB */
    size_t buffer;         /* bytes that are read at once; 0: 128 KiB; at most row_limit counts */
    const char *schema;    /* of PostgreSQL: where `table` is, which then names no schema; NULL: as `table` says */
    bool
        in_order; /* of text: unusable rows that a call of dpn_table_next counts stand before those that it delivers, so that
                            * their places are known; slower where they are many */
} dpn_table_options;

static inline dpn_table_options dpn_table_options_init(void) {
    dpn_table_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* Open a source and read its schema: the first row of a file, the columns of a table. No row of data is looked at,
 * though bytes of some may have been fetched.
 * Errors   DPN_EIO for a source that cannot be read or reached; DPN_EPARSE for a first row as refused above and a
 *          database that is damaged or has no table; DPN_EDOMAIN for options or an address that make no sense, a
 *          table that is not there, and a database with several tables where none is named; DPN_EUNSUPPORTED for a
 *          database on standard input; DPN_ENOMEM. The sentence never holds a password of the source. On error *out
 *          is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_table_open(dpn_table **out, const char *source, const dpn_table_options *options,
                                                 dpn_error *why);

/* Accepts NULL. */
DPN_API void dpn_table_close(dpn_table *table);

/* ---- Columns ---- */

/* How many columns there are; the name of one, or NULL past the end; the number of the column of that name.
 * Errors   DPN_EDOMAIN if no column has that name. On error *column is not written. */
DPN_API size_t dpn_table_columns(const dpn_table *table);
DPN_API const char *dpn_table_column(const dpn_table *table, size_t column);
DPN_API DPN_MUST_CHECK dpn_status dpn_table_find(size_t *column, const dpn_table *table, const char *name,
                                                 dpn_error *why);

/* What a database says that it keeps in a column: whole numbers of up to 64 bits, double precision, single precision, exact numbers, texts
 * of any length; UNKNOWN for anything else, for files, and for SQLite, where any column may hold anything. */
typedef enum dpn_column_kind {
    DPN_TABLE_UNKNOWN,
    DPN_TABLE_INTEGER,
    DPN_TABLE_REAL,
    DPN_TABLE_SINGLE,
    DPN_TABLE_DECIMAL,
    DPN_TABLE_TEXT,
} dpn_column_kind;
DPN_API dpn_column_kind dpn_table_type(const dpn_table *table, size_t column);

/* The engine that dpn_table_push asks, by the name of its dialect of SQL, and what stands after FROM for this table, NULL if it has a name of its own;
 * NULL for a source without an engine. */
DPN_API const char *dpn_table_engine(const char **from, const dpn_table *table);

/* Deliver the rows of a query that the database makes, instead of those of the table: `columns` fields each, read in the same transaction. The
 * query is planned now, and run with the first dpn_table_next. On error those of the table are delivered, as before.
 * Errors   DPN_EUNSUPPORTED for anything but PostgreSQL and DuckDB, and for a table of PostgreSQL that has partitions on other servers, columns that are
 *          computed when they are read or a policy for its rows, or is not in UTF-8, where a query could fail at a row; DPN_EDOMAIN after the first dpn_table_next; DPN_EIO, DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_table_push(dpn_table *table, const char *sql, size_t columns, dpn_error *why);

/* Which columns dpn_table_next delivers, in this order; the others are skipped, which is cheap. A column may come twice,
 * and count may be 0 if rows are only counted. Without this call all columns are delivered.
 * Errors   DPN_EDOMAIN for a column that is not there, or after the first dpn_table_next; DPN_EUNSUPPORTED for a column of
 *          bytes in PostgreSQL (type bytea); DPN_EIO, DPN_ENOMEM. On error the wants are as before. */
DPN_API DPN_MUST_CHECK dpn_status dpn_table_want(dpn_table *table, const size_t *columns, size_t count, dpn_error *why);

/* ---- Which data these are ---- */

typedef enum dpn_table_origin {
    DPN_TABLE_STREAM, /* a pipe, standard input that is no file or one without a name: bytes without a place */
    DPN_TABLE_FILE,
    DPN_TABLE_SQLITE,
    DPN_TABLE_POSTGRESQL,
    DPN_TABLE_DUCKDB,
} dpn_table_origin;

/* "stream", "file", "sqlite", "postgresql", "duckdb"; NULL past the end. */
DPN_API const char *dpn_table_origin_name(dpn_table_origin origin);

/* Where rows come from, however it was spelled. Texts that do not belong to the origin are NULL; all are owned. */
typedef struct dpn_table_identity {
    dpn_table_origin origin;
    char *path;                       /* of a file, also of SQLite or DuckDB: absolute, without symbolic links */
    char *system, *database, *schema; /* of PostgreSQL: the server's system identifier, and where the table is */
    char *table;                      /* of a database: its name as the database has it */
    const char *derived; /* NULL, or what shows rows that are kept under another name: "view", "materialized view",
                          * "foreign table", "partition", "child table", "virtual table"; a constant */
    bool linked;         /* the file has several names (hard links) */
    bool password;       /* the address of the server holds a password */
    uint64_t from; /* standard input that is a file: how many bytes of it were read before; 0: it is at its start */
    /* Which file it is, on this machine and while it is there: of an open table the one that is open, whatever has become of
     * its name since. `here` says that they are known. */
    bool here;
    uint64_t device, inode;
} dpn_table_identity;

/* The identity of an open table (not of a part). A PostgreSQL server is known by pg_control_system(), which every role
 * may call unless somebody took that right away: then it is refused, because an address has many spellings.
 * Errors   DPN_EIO for a server that fails or does not say which one it is; DPN_EDOMAIN for a part; DPN_ENOMEM. On error
 *          *out is not written. Release with dpn_table_identity_free, which accepts NULL and what it has freed. */
DPN_API DPN_MUST_CHECK dpn_status dpn_table_identify(dpn_table_identity *out, const dpn_table *table, dpn_error *why);

/* The identity of a file by its path, also of one that is gone (its directory must be there): then as a file of text. "-" is
 * standard input: a file with a name is that file, anything else is a stream.
 * Errors   DPN_EIO, DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_table_identify_path(dpn_table_identity *out, const char *path, dpn_error *why);
DPN_API void dpn_table_identity_free(dpn_table_identity *identity);

/* Whether both mean the same rows: files with the same path, or with the same device and inode (those of the identity, else of what
 * its path leads to at this moment); names of tables in SQLite without regard to ASCII case. Two streams are never the same; one that is an
 * open file whose name was removed is that file by any name left. Copies are other data. */
DPN_API bool dpn_table_identity_same(const dpn_table_identity *one, const dpn_table_identity *other);

/* ---- Rows ---- */

/* The next batch: *rows rows with one field for each wanted column, row after row, valid until the next call.
 * Result   *rows is 0 at the end of the table, and only there. Numbers of a database are printed so that they read
 *          back to the same number.
 * Errors   DPN_EIO if the source fails or packed bytes are damaged; DPN_EPARSE for a database that is damaged; DPN_ENOMEM: never for
 *          what a row holds. On error nothing is written, and every further call fails the same way. */
DPN_API DPN_MUST_CHECK dpn_status dpn_table_next(const dpn_field **fields, size_t *rows, dpn_table *table,
                                                 dpn_error *why);

/* How many rows dpn_table_next has delivered. */
DPN_API uint64_t dpn_table_rows(const dpn_table *table);

/* How many rows dpn_table_next has met that are unusable and were not delivered. `first`, if not NULL and there are some, gets a
 * sentence about the first one, for the curator; parts have none. */
DPN_API uint64_t dpn_table_unusable(const dpn_table *table, dpn_error *first);

/* Which share of the source has been read, from 0 to 1; NaN if that is unknown (a pipe, a database). */
DPN_API double dpn_table_progress(const dpn_table *table);

/* Turn an error of dpn_table_next into what anyone but the curator may hear: the status is DPN_EIO and the sentence is
 * always the same, whatever is wrong with the data and wherever. */
DPN_API void dpn_table_conceal(dpn_error *why);

/* ---- Parts, for several threads ---- */

/* Into how many parts it makes sense to cut this table: 1 for anything but a file of plain text, and for small ones. */
DPN_API size_t dpn_table_parts(const dpn_table *table);

/* Open part number `part` (from 0) of `parts` of a file of plain text. It has the columns and the wants of the whole,
 * begins and ends between two rows, and lives on when the whole is closed. The whole must not have been read from.
 * Guarantee  all parts together deliver the rows of the whole, in order and each once, and have its unusable ones.
 * Errors   DPN_EDOMAIN for a part past the end, or a whole that was read from; DPN_EUNSUPPORTED for a source that
 *          cannot be cut, text with `multiline` among them; DPN_EIO, DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_table_part(dpn_table **out, dpn_table *whole, size_t part, size_t parts,
                                                 dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
