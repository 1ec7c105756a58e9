/* How many rows there are, bought: a number that one row moves by 1. */
#ifndef DPN_LEARN_ROW_COUNT_H
#define DPN_LEARN_ROW_COUNT_H

#include "learn/fit.h"

/* The share of epsilon that it is bought for: at epsilon 1 its noise has then a standard deviation of 47 rows, and methods that choose by it are as good with
 * two and with six percent (docs/regression-methods.md). */
#define DPN_ROW_COUNT_SHARE 0.03

/* Announce the noisy number of rows, for that share, pure. *index is to draw it with.
 * Errors   those of dpn_fit_announce. */
dpn_status dpn_row_count_announce(size_t *index, dpn_fit *fit, dpn_error *why);

/* Draw it: any number, also below 0. Errors   those of dpn_fit_draw. */
dpn_status dpn_row_count_draw(double *out, dpn_fit *fit, size_t index, dpn_rng *rng, dpn_error *why);

#endif
