/* Counts that are known only because they exceeded the threshold. */
#ifndef DPN_COMPILE_SELECTION_H
#define DPN_COMPILE_SELECTION_H

#include "release/compile/compile.h"

/* Whether an output is made of the very count that is held against the threshold: the key is then shown because its noise was
 * large, and the noise of a shown key has another law. Other noise is independent of that count's. */
bool dpn_is_selected(const dpn_query *query, const dpn_output *output);

/* The numbers n >= 1 that a shown count does not refute: those for which the noisy count x is among the likeliest of all that
 * exceed the threshold, `level` of them. Of the keys with n that are shown, this holds n for at least that share.
 * Domain   x above the threshold, 0 < level < 1. docs/proofs/release/intervals.md has the argument. */
void dpn_selection_interval(double *low, double *high, const dpn_query *query, double x, double level);

/* Whether a shown count is so near to the threshold that its noise may have been selected to matter. Far from it, the key has
 * n >= n*, which are shown with 98%, or something happened that has 1% given that the key is shown. */
bool dpn_selection_is_near(const dpn_query *query, double x);

#endif
