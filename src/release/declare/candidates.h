/* The candidates of a quantile with a step: lower, lower + step, ..., upper. */
#ifndef DPN_DECLARE_CANDIDATES_H
#define DPN_DECLARE_CANDIDATES_H

#include <dpnoise/declaration.h>

/* How many steps lead from lower to upper, from 1 to DPN_DECLARATION_CELLS.
 * Errors   DPN_EPARSE, DPN_EDOMAIN for bounds that are not in order, a step that is not above 0 or does not divide upper - lower,
 *          or too many steps; the sentence is to follow the name of the statistic. On error *out is not written. */
dpn_status dpn_candidates_steps(uint32_t *out, const char *lower, const char *upper, const char *step, dpn_error *why);

#endif
