/* A column of numbers on its grid. */
#ifndef DPN_COMPILE_MEASURE_H
#define DPN_COMPILE_MEASURE_H

#include "release/compile/query.h"

/* The grid of a column whose values are clamped to [lower, upper], decimal texts. It is 1 where whole numbers can be kept, and
 * has 2^18 to 2^25 steps between the bounds; with `from_zero` also between 0 and the farther bound, for sums of values as
 * they are. Only public numbers enter.
 * Errors   DPN_EPARSE, DPN_EDOMAIN for bounds that no grid serves. On error *out is not written. */
dpn_status dpn_measure_make(dpn_measure *out, size_t column, const char *lower, const char *upper, bool from_zero,
                            dpn_error *why);

#endif
