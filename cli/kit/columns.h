/* Texts of any length in aligned columns, in letters of UTF-8: the answer of a release. */
#ifndef DPNOISE_CLI_KIT_COLUMNS_H
#define DPNOISE_CLI_KIT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { COLUMNS_GAP = 3 }; /* blanks between two columns */

struct columns {
    size_t rows, columns;
    char **cell;
    bool *left;    /* of each column: aligned to the left */
    bool *near;    /* of each column: one blank from the column before it */
    size_t *width; /* of each column, in letters */
    bool failed;   /* there was no memory */
};

/* An empty grid; columns_free must follow, also if it failed. */
struct columns columns_make(size_t rows, size_t columns);
void columns_free(struct columns *columns);

/* Set a cell to a copy without what a terminal would obey. */
void columns_set(struct columns *columns, size_t row, size_t column, const char *text);

/* How wide a text, and a line, is. */
size_t columns_letters(const char *text);
size_t columns_width(const struct columns *columns);

/* Print the lines from `first` on, without blanks at their ends. */
void columns_print(FILE *out, const struct columns *columns, size_t first);

#endif
