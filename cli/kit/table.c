/* A table of short texts in aligned columns. */
#include "kit/table.h"

#include "kit/fail.h"
#include "kit/look.h"
#include "kit/wrap.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

dpn_status table_make(struct table *out, size_t rows, size_t columns, dpn_error *why) {
    struct table table = {rows, columns, calloc(rows * columns + 1, sizeof *table.cell), 0, 0, false};
    if (!table.cell) return refuse(why, DPN_ENOMEM, "out of memory");
    *out = table;
    return DPN_OK;
}

void table_free(struct table *table) {
    free(table->cell);
}

void table_set(struct table *table, size_t row, size_t column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(table->cell[row * table->columns + column], sizeof *table->cell, format, arguments);
    va_end(arguments);
}

void table_set_number(struct table *table, size_t row, size_t column, double value) {
    if (isnan(value))
        table_set(table, row, column, "undefined");
    else if (isinf(value))
        table_set(table, row, column, value > 0 ? "infinity" : "-infinity");
    else
        table_set(table, row, column, "%.10g", value);
}

static int width(const struct table *table, size_t column) {
    size_t widest = 0;
    for (size_t row = 0; row < table->rows; row++) {
        size_t length = strlen(table->cell[row * table->columns + column]);
        if (length > widest) widest = length;
    }
    return (int)widest;
}

/* The end of the columns of a row, of those before `end`, that are not empty: no blanks at the end of a line. */
static size_t used_columns(const struct table *table, size_t row, size_t end) {
    while (end > 0 && !table->cell[row * table->columns + end - 1][0]) end--;
    return end;
}

/* Where a column begins. */
static size_t column_start(const struct table *table, int indent, size_t end) {
    size_t all = (size_t)indent;
    for (size_t column = 0; column < end; column++) all += (size_t)width(table, column) + 3;
    return all;
}

/* The first column of a row, and those from `begin` to before `end`. */
static void print_part(FILE *out, const struct table *table, size_t row, int indent, size_t begin, size_t end) {
    size_t used = used_columns(table, row, end);
    bool head = table->head && row == 0;
    if (head) fputs(look_bold(out), out);
    for (size_t column = 0; column < used; column = column ? column + 1 : begin) {
        const char *cell = table->cell[row * table->columns + column];
        int wide = width(table, column);
        size_t start = column_start(table, indent, column);
        if (column > 0 && column == table->fold && start + strlen(cell) > WRAP_WIDTH) {
            fputs("   ", out);
            wrap_words(out, cell, start, start);
            return;
        }
        if (column > 0 && (table->left >> column & 1))
            fprintf(out, "   %-*s", column + 1 < used ? wide : 0, cell);
        else if (column > 0)
            fprintf(out, "   %*s", wide, cell);
        else
            fprintf(out, "%*s%-*s", indent, "", used > begin ? wide : 0, cell);
    }
    if (head) fputs(look_plain(out), out);
    putc('\n', out);
}

void table_print_row(FILE *out, const struct table *table, size_t row, int indent) {
    print_part(out, table, row, indent, 1, table->columns);
}

/* Where the columns end that fit a line beside the first, from `begin` on: one at least. */
static size_t part_end(const struct table *table, int indent, size_t begin, size_t room) {
    size_t used = (size_t)(indent + width(table, 0)), end = begin;
    while (end < table->columns && (end == begin || used + 3 + (size_t)width(table, end) <= room))
        used += 3 + (size_t)width(table, end++);
    return end;
}

void table_print(FILE *out, const struct table *table, int indent) {
    size_t room = look_width(out), begin = 1;
    do {
        size_t end = part_end(table, indent, begin, room);
        if (begin > 1) putc('\n', out);
        for (size_t row = 0; row < table->rows; row++) print_part(out, table, row, indent, begin, end);
        begin = end;
    } while (begin < table->columns);
}
