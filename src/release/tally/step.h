/* A number on the grid of a measure. */
#ifndef DPN_TALLY_STEP_H
#define DPN_TALLY_STEP_H

#include "release/tally/numeral.h"
#include "release/compile/query.h"

/* The value clamped to [lower, upper] and rounded to the nearest step of 2^exponent, half way up: exactly. The bounds are steps
 * themselves, so that it is the same to round first and clamp then.
 * Domain   DPN_DYADIC_LEAST <= exponent <= DPN_DYADIC_MOST, bounds within 2^62. */
int64_t dpn_step_nearest(const dpn_measure *measure, const dpn_numeral *value);

/* The same of several values: those of value[i] into out[0], out[stride], ... */
void dpn_step_nearest_all(int64_t *out, size_t stride, const dpn_measure *measure, const dpn_numeral *value,
                          size_t count);

#endif
