/* Rounding outwards, after a few operations and calls of libm.
 *
 * The functions used (exp, log, log1p, expm1, sinh, cosh, sqrt) have errors below one ulp, 2^-52, and a formula here makes at
 * most some twenty of them without cancellation. A margin of 2^-38 is a thousand times that. */
#ifndef DPN_PRIVACY_UPPER_H
#define DPN_PRIVACY_UPPER_H

#include <float.h>
#include <math.h>

#define DPN_MARGIN 0x1p-38

/* Not below (above) the true value of x >= 0, which was computed without cancellation. 0 and infinity stay. */
static inline double dpn_upper(double x) {
    return x == 0 ? 0 : x * (1 + DPN_MARGIN) + DBL_TRUE_MIN;
}

static inline double dpn_lower(double x) {
    return isinf(x) ? x : x * (1 - DPN_MARGIN) > DBL_MIN ? x * (1 - DPN_MARGIN) : 0;
}

/* x moved up or down by the margin of `size`, the sum of the sizes of the terms that x is made of. */
static inline double dpn_above(double x, double size) {
    return nextafter(x + DPN_MARGIN * size, INFINITY);
}

static inline double dpn_below(double x, double size) {
    return nextafter(x - DPN_MARGIN * size, -INFINITY);
}

#endif
