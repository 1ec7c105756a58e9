/* The spread of noise over coordinates of different sensitivity that is best by the saddle-point approximation.
 *
 * delta of a composition is not a sum over its coordinates, but its saddle-point approximation is a function of three
 * sums, those of K, K' and K'', the cumulants of the losses at one tilt theta. So at given theta the least error with
 * given delta is a problem for each coordinate by itself, coupled by one multiplier. Nothing here is certified: the
 * caller scales all noise on the accountant's bound.
 */
#ifndef DPN_CALIBRATE_SPREAD_H
#define DPN_CALIBRATE_SPREAD_H

#include "calibrate/boundary.h"

/* Fill in shape and scale (of size problem->groups; the scales are about right in themselves) for noise of the family
 * on a box, with the logarithm of the shape in [from, to].
 * Errors   DPN_EACCURACY if the approximation has no solution; those of the law and the losses.
 */
dpn_status dpn_spread_find(dpn_spread *out, const dpn_problem *problem, const struct dpn_family *family, double from,
                           double to, dpn_error *why);

#endif
