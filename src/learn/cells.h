/* The sums that moments are released as: each entry of Z'Z that a row can move and that no other one tells.
 *
 * One row adds a number in [-1, 1] to each: x_j, x_j x_k, y, x_j y as they are, and 2u - 1 where u lies in [0, 1] (squares, indicators and
 * products of these), because its sum with a sign has half the range: the sum of u is (cell + n)/2. So every cell moves by at
 * most 1 under add-remove, and by at most 2 under replace; n by 1, or not at all where it is public. An indicator is its own square,
 * and two levels of one column never meet. y^2 is not needed. Without an intercept nor are sums of x_j and y (Awan and
 * Slavkovic 2021, section 5 and Remark 5.1). */
#ifndef DPN_LEARN_CELLS_H
#define DPN_LEARN_CELLS_H

#include "learn/fit.h"

typedef struct dpn_cell {
    size_t i, j;  /* columns of dpn_rows, i <= j; cell 0 is n, (0, 0) */
    bool doubled; /* 2 sum - n */
} dpn_cell;

typedef struct dpn_cells {
    dpn_cell *cell;
    size_t count;
    double *bound; /* how far one row moves each */
} dpn_cells;

/* Whether a column of dpn_rows is an indicator. */
bool dpn_is_indicator(const dpn_fit *fit, size_t column);

/* Errors   DPN_ENOMEM. To be freed. */
dpn_status dpn_cells_make(dpn_cells *out, const dpn_fit *fit, dpn_error *why);
void dpn_cells_free(dpn_cells *cells);

/* Moves of the cells, row by row, to be freed, whose hull holds all that one row can do: exact but for the parabolas of squares, around which
 * there are tangents.
 * Errors   DPN_EUNSUPPORTED for more than six cells that move or too many moves; DPN_ENOMEM. */
dpn_status dpn_cells_moves(double **out, size_t *count, const dpn_cells *cells, const dpn_fit *fit, dpn_error *why);

/* The cells of Z'Z, in steps of 2^-34. */
void dpn_cells_sum(int64_t *out, const dpn_cells *cells, const int64_t *moments, size_t width);

/* Z'Z of cells, as numbers; what cells do not tell is 0. */
void dpn_cells_restore(double *moments, const dpn_cells *cells, const dpn_fit *fit, const double *cell);

/* With Z'Z in parts A (of constant and features) and c (with the target): how much c - A b changes with cell k, features + 1
 * numbers. The first one is 0 if there is no intercept. */
void dpn_cells_effect(double *out, const dpn_cells *cells, const dpn_fit *fit, size_t k, const double *b);

#endif
