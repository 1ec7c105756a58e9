/* How far one row moves all cells together. Each alone moves by its bound, but no row moves all of them that far at once. */
#ifndef DPN_LEARN_REACH_H
#define DPN_LEARN_REACH_H

#include "learn/cells.h"

/* What the rows of a fit can be: numbers in [-1, 1], the target another one, and groups of indicators of which at most one is 1. */
typedef struct dpn_row_shape {
    size_t numbers; /* without the target */
    size_t groups;  /* without a full one, below */
    size_t many;    /* how many of them have two indicators or more */
    bool intercept; /* sums of the numbers themselves are cells */
    bool full;      /* one more group, of which always one indicator is 1 */
    bool full_many; /* it has two or more */
} dpn_row_shape;

dpn_row_shape dpn_row_shape_of(const dpn_fit *fit);

/* The largest l1 norm and the largest square of the l2 norm of the difference of two rows' cells, the number of rows left out; exact but for
 * a factor of at most 1 + 1e-11, by which both are too large. docs/proofs/learn/fit.md, F11.
 * Infinite where the cases to look at are too many: more than some dozens of groups. */
typedef struct dpn_row_reach {
    double l1, square;
} dpn_row_reach;
dpn_row_reach dpn_row_reach_replaced(const dpn_row_shape *shape);

/* The l1 norm and the square of the l2 norm of the moves of a fit's cells under its relation. */
dpn_row_reach dpn_cells_reach(const dpn_cells *cells, const dpn_fit *fit);

#endif
