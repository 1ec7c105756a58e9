/* Points whose hull holds all that one row does to the cells. docs/proofs/learn/fit.md, F12 */
#include "learn/cells.h"
#include "learn/reach.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 6, MOST_MOVES = 700, MOST_PIECES = 8 };

/* A row in place of all: of each number a corner (x, 2 x^2) of the polygon that its tangents make around the parabola, of each group a level or none,
 * and the target at an end. */
typedef struct corner_row {
    double x[MOST_CELLS + 2], square[MOST_CELLS + 2]; /* by column: the number or indicator, and twice its square */
} corner_row;

/* Corner c of 0 .. pieces + 1: the ends of the parabola, and where the tangents of the ends of a piece meet. */
static void set_number(corner_row *row, size_t column, size_t c, size_t pieces) {
    double width = 2 / (double)pieces, left = -1 + width * ((double)c - 1), right = left + width;
    bool end = c == 0 || c == pieces + 1;
    row->x[column] = c == 0 ? -1 : c == pieces + 1 ? 1 : (left + right) / 2;
    row->square[column] = end ? 2 : 2 * left * right;
}

/* How many choices the column, or the group that begins there, has; 1 for the other levels of a group. */
static size_t choices_at(const dpn_fit *fit, size_t column, size_t pieces) {
    if (column == 0) return 1;
    if (column == dpn_target_column(fit)) return 2;
    const dpn_variable *own = &fit->variable[column - 1];
    if (!own->is_level) return pieces + 2;
    if (column > 1 && own[-1].is_level && own[-1].grouping == own->grouping) return 1;
    size_t levels = own->level > 0; /* none of them, unless the group is full */
    for (size_t j = column - 1; j < fit->features && fit->variable[j].is_level; j++)
        levels += fit->variable[j].grouping == own->grouping;
    return levels;
}

static void choose(corner_row *row, const dpn_fit *fit, size_t column, size_t c, size_t pieces) {
    if (column == 0 || column == dpn_target_column(fit)) {
        row->x[column] = column == 0 || c == 1 ? 1 : -1;
        return;
    }
    const dpn_variable *own = &fit->variable[column - 1];
    if (!own->is_level) {
        set_number(row, column, c, pieces);
        return;
    }
    size_t first = own->level == 0 ? 0 : 1; /* choice 0 is no level, unless the group is full */
    for (size_t j = column - 1; j < fit->features && fit->variable[j].is_level; j++)
        if (fit->variable[j].grouping == own->grouping) row->x[j + 1] = c == j - (column - 1) + first;
}

/* Row number `index` of all; false past the end. */
static bool make_row(corner_row *row, const dpn_fit *fit, size_t index, size_t pieces) {
    memset(row, 0, sizeof *row);
    for (size_t column = 0; column < dpn_fit_width(fit); column++) {
        size_t choices = choices_at(fit, column, pieces);
        bool begins = column == 0 || column == dpn_target_column(fit) || !fit->variable[column - 1].is_level ||
                      choices > 1 || !dpn_is_indicator(fit, column - 1) ||
                      fit->variable[column - 1].grouping != fit->variable[column - 2].grouping;
        if (begins) choose(row, fit, column, index % choices, pieces);
        index /= choices;
    }
    return index == 0;
}

static void cells_of(double *out, const dpn_cells *cells, const corner_row *row, const dpn_fit *fit) {
    for (size_t k = 0; k < cells->count; k++) {
        const dpn_cell *cell = &cells->cell[k];
        bool number = cell->i == cell->j && cell->i > 0 && !dpn_is_indicator(fit, cell->i);
        double product = number ? row->square[cell->i] / 2 : row->x[cell->i] * row->x[cell->j];
        out[k] = cell->doubled ? 2 * product - 1 : product;
    }
}

/* How many rows there are with so many pieces. */
static double count_rows(const dpn_fit *fit, size_t pieces) {
    double count = 1;
    for (size_t column = 0; column < dpn_fit_width(fit); column++) count *= (double)choices_at(fit, column, pieces);
    return count;
}

static double count_moves(const dpn_fit *fit, const dpn_cells *cells, size_t pieces) {
    double rows = count_rows(fit, pieces);
    if (fit->relation != DPN_REPLACE) return rows;
    return rows * (rows - 1) / 2 + (cells->bound[0] > 0 ? rows : 0);
}

static void list_moves(double *out, const dpn_cells *cells, const dpn_fit *fit, size_t pieces, size_t rows) {
    size_t d = cells->count;
    bool replaced = fit->relation == DPN_REPLACE, alone = !replaced || cells->bound[0] > 0;
    double one[MOST_CELLS + 1], other[MOST_CELLS + 1];
    corner_row row;
    for (size_t i = 0; i < rows; i++) {
        make_row(&row, fit, i, pieces);
        cells_of(one, cells, &row, fit);
        if (alone) {
            memcpy(out, one, d * sizeof *out);
            out += d;
        }
        for (size_t j = i + 1; j < rows && replaced; j++, out += d) {
            make_row(&row, fit, j, pieces);
            cells_of(other, cells, &row, fit);
            for (size_t k = 0; k < d; k++) out[k] = one[k] - other[k];
        }
    }
}

dpn_status dpn_cells_moves(double **out, size_t *count, const dpn_cells *cells, const dpn_fit *fit, dpn_error *why) {
    size_t moving = cells->count - (cells->bound[0] == 0), pieces = MOST_PIECES;
    if (moving > MOST_CELLS)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "the hull is worked out for at most %d sums, one feature with an intercept, and there are %zu: "
                        "take the ball kt or linf",
                        MOST_CELLS, moving);
    while (pieces > 1 && count_moves(fit, cells, pieces) > MOST_MOVES) pieces /= 2;
    double moves = count_moves(fit, cells, pieces);
    if (moves > MOST_MOVES)
        return dpn_fail(why, DPN_EUNSUPPORTED, "the hull of %.0f moves is not worked out: take the ball linf", moves);
    double *made = malloc((size_t)moves * cells->count * sizeof *made);
    if (!made) return dpn_fail(why, DPN_ENOMEM, "no memory for the moves of a row");
    list_moves(made, cells, fit, pieces, (size_t)count_rows(fit, pieces));
    *out = made;
    *count = (size_t)moves;
    return DPN_OK;
}
