/* The plain fit of some rows: a function of these rows alone.
 *
 * Whoever adds up fits of parts of a table, of which one row moves one part, needs every other fit to come out the same to the last bit. So nothing here calls a library
 * that could look at addresses or threads: plain loops in a fixed order. */
#ifndef DPN_LEARN_BLOCK_FIT_H
#define DPN_LEARN_BLOCK_FIT_H

#include "learn/fit.h"

/* The coefficients of the columns from .. from + m - 1 that fit the given rows best, with a ridge of the fit's l2 and of one row: m numbers, all 0 if there are no rows or no
 * finite solution. `row` has `count` numbers of rows, `work` room for dpn_block_fit_work(m) doubles. */
size_t dpn_block_fit_work(size_t m);
void dpn_block_fit(double *b, const dpn_fit *fit, size_t from, size_t m, const size_t *row, size_t count, double *work);

#endif
