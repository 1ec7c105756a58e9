/* Comma-separated text.
 *
 * The text is read in chunks: a buffer is filled, its separators are found, and its whole rows are checked before the
 * first of them is delivered. Rows that cannot be used are cut out of the buffer and counted. The row that the end of the buffer
 * cuts is moved to its front and read again. */
#ifndef DPN_TABLE_CSV_H
#define DPN_TABLE_CSV_H

#include "table/input.h"
#include "table/scan.h"
#include "table/table.h"

typedef struct dpn_csv {
    dpn_input input;
    dpn_grammar grammar;
    dpn_scanner *scan;
    char *null_text; /* NULL: no field is */
    size_t null_length;

    char *text; /* begins where a row begins, and has room for one newline more */
    size_t capacity, filled;
    bool ended;        /* the input has no more than what is in text */
    bool multiline;    /* line ends may stand in quotes */
    bool skipping;     /* the rest of a row that is too long is still to come */
    uint64_t lines;    /* that end before the text, within this part */
    uint64_t begin;    /* where the rows begin in a plain file, those of this part */
    uint32_t *at;      /* UINT32_MAX, which is the separator before byte 0, and then all separators of the text */
    size_t rows;       /* whole rows in the text */
    size_t given;      /* those delivered */
    size_t consumed;   /* bytes of the whole rows */
    uint64_t newlines; /* within them, those in quotes too */
    bool quoted;       /* some field has quotes */

    dpn_field *fields;
    size_t batch;  /* rows that fit */
    bool repeated; /* a column is wanted twice */
} dpn_csv;

/* Have the buffer hold up to `capacity` bytes and as many separators. */
dpn_status dpn_csv_room(dpn_csv *csv, size_t capacity, dpn_error *why);

/* Fill the buffer as far as it goes; a newline that the last row lacks is added. */
dpn_status dpn_csv_fill(dpn_csv *csv, dpn_error *why);

/* Make the buffer larger because a row does not fit, up to the limit. */
dpn_status dpn_csv_grow(dpn_csv *csv, const dpn_table *table, dpn_error *why);

/* Forget the first bytes of the text. */
void dpn_csv_drop(dpn_csv *csv, size_t bytes);

/* Read the first row: find the delimiter if it is not given, and name the columns. */
dpn_status dpn_csv_header(dpn_csv *csv, dpn_table *table, const char *path, const dpn_table_options *options,
                          dpn_error *why);

/* The next chunk, with at least one row unless the table is at its end. */
dpn_status dpn_csv_chunk(dpn_csv *csv, dpn_table *table, dpn_error *why);

/* The text between two separators as a field: without the CR of the row's end, if it is its last, and without its quotes,
 * which changes the text in place. */
void dpn_csv_field(dpn_field *out, char *text, size_t begin, size_t end, bool last, bool quoted);

/* Deliver rows of the chunk. */
dpn_status dpn_csv_next(const dpn_field **fields, size_t *rows, dpn_table *table, dpn_error *why);
dpn_status dpn_csv_want(dpn_table *table, dpn_error *why);

/* Say what is wrong with a text that begins on a line, from 1, of which something is: byte after byte, for people. columns is 0 while
 * the number of columns is unknown. */
dpn_status dpn_csv_explain(const dpn_csv *csv, const char *text, size_t length, uint64_t line, size_t columns,
                           dpn_error *why);

/* How many newlines there are, in quotes or not. */
static inline uint64_t dpn_csv_newlines(const char *text, size_t length) {
    uint64_t count = 0;
    for (size_t i = 0; i < length; i++) count += text[i] == '\n';
    return count;
}

/* Cutting a plain file between rows. */
size_t dpn_csv_parts(const dpn_table *table);
dpn_status dpn_csv_part(dpn_table *part, const dpn_table *whole, size_t number, size_t parts, dpn_error *why);

/* Everything but the input: what a part has of its own. */
dpn_status dpn_csv_new(dpn_csv **out, const dpn_table *table, const char *null_text, dpn_error *why);
extern const dpn_table_kind dpn_csv_kind;

#endif
