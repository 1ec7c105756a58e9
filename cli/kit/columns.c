/* Texts in aligned columns. */
#define _POSIX_C_SOURCE 200809L
#include "kit/columns.h"

#include "base/text/utf8.h"
#include "kit/plain.h"

#include <stdlib.h>

/* How many columns of a terminal a text takes: its UTF-8 letters. */
size_t columns_letters(const char *text) {
    size_t count = 0;
    for (; *text; text++) count += !dpn_utf8_goes_on(*text);
    return count;
}

struct columns columns_make(size_t rows, size_t columns) {
    struct columns grid = {rows,
                           columns,
                           calloc(rows * columns + 1, sizeof *grid.cell),
                           calloc(columns + 1, sizeof *grid.left),
                           calloc(columns + 1, sizeof *grid.near),
                           calloc(columns + 1, sizeof *grid.width),
                           false};
    grid.failed = !grid.cell || !grid.left || !grid.near || !grid.width;
    return grid;
}

void columns_free(struct columns *grid) {
    for (size_t i = 0; grid->cell && i < grid->rows * grid->columns; i++) free(grid->cell[i]);
    free(grid->cell);
    free(grid->left);
    free(grid->near);
    free(grid->width);
}

/* A copy without what a terminal would obey. */
void columns_set(struct columns *grid, size_t row, size_t column, const char *text) {
    if (grid->failed) return;
    char *made = NULL;
    size_t length;
    FILE *out = open_memstream(&made, &length);
    if (out) print_plain(out, text);
    if (!out || fclose(out) != 0 || !made) {
        free(made);
        grid->failed = true;
        return;
    }
    grid->cell[row * grid->columns + column] = made;
    if (columns_letters(made) > grid->width[column]) grid->width[column] = columns_letters(made);
}

size_t columns_width(const struct columns *grid) {
    size_t width = 0;
    for (size_t c = 0; c < grid->columns && !grid->failed; c++)
        width += grid->width[c] + (c == 0 ? 0 : grid->near[c] ? 1 : COLUMNS_GAP);
    return width;
}

void columns_print(FILE *out, const struct columns *grid, size_t first) {
    for (size_t row = first; row < grid->rows; row++) {
        size_t blanks = 0; /* those at the end of a line are not printed */
        for (size_t c = 0; c < grid->columns; c++) {
            const char *text = grid->cell[row * grid->columns + c];
            size_t used = text ? columns_letters(text) : 0, pad = grid->width[c] - used;
            blanks += c == 0 ? 0 : grid->near[c] ? 1 : COLUMNS_GAP;
            if (!grid->left[c]) blanks += pad;
            if (used) fprintf(out, "%*s%s", (int)blanks, "", text);
            if (used) blanks = 0;
            if (grid->left[c]) blanks += pad;
        }
        putc('\n', out);
    }
}
