/* A table of short texts in aligned columns: the first to the left, the others to the right unless they are marked. */
#ifndef DPNOISE_CLI_KIT_TABLE_H
#define DPNOISE_CLI_KIT_TABLE_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stdio.h>

struct table {
    size_t rows, columns;
    char (*cell)[128]; /* row by row */
    unsigned left;     /* bit i: column i is to the left too */
    size_t fold;       /* a last column whose texts go on below where they begin; 0: none */
    bool head;         /* the first row is a heading, which stands out on a terminal */
};

/* Errors   DPN_ENOMEM. Release with table_free. */
dpn_status table_make(struct table *out, size_t rows, size_t columns, dpn_error *why);
void table_free(struct table *table);

/* Set a cell as by printf. */
void table_set(struct table *table, size_t row, size_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Set a cell to a number for people: ten significant digits, or the words infinity, -infinity, undefined. */
void table_set_number(struct table *table, size_t row, size_t column, double value);

/* Print a row, each line after the same indent; only so does a column fold. */
void table_print_row(FILE *out, const struct table *table, size_t row, int indent);

/* Print all of it. What is wider than a line has room for comes in several tables, one below the other, each of which begins with
 * the first column. */
void table_print(FILE *out, const struct table *table, int indent);

#endif
