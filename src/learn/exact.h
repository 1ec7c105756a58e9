/* Rows as they are, for fits without noise, which are compared with those of other programs: numbers in the scaled unit that were clamped and never put on
 * a grid, dpn_fit_width of them a row (fit->exact, as many as fit->rows has). */
#ifndef DPN_LEARN_EXACT_H
#define DPN_LEARN_EXACT_H

#include "learn/fit.h"

/* Make room for the bounds. To be asked when planning, and before the first row.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_exact_begin(dpn_fit *fit, dpn_error *why);

/* One row more, whose steps are encoded already: of numbers in the order of the measures, or of the numerals that were read, if `number` is NULL.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_exact_add(dpn_fit *fit, const double *number, dpn_error *why);

/* Wipe and free. */
void dpn_exact_free(dpn_fit *fit);

#endif
