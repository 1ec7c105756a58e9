/* Rounding outwards, after a few operations and calls of libm.
 *
 * The functions used are exp, log, log1p, expm1, sinh, cosh, tanh and sqrt, for which the manual of the GNU C library
 * lists errors of at most 2 ulps, 2^-51, on every machine of ours. A term of a formula passes a handful of them without
 * cancellation; the margin is 64 ulps of the sum of the sizes of all terms. The tests see no bound fail against MPFR,
 * and see them fail without the margin. */
#ifndef DPN_PRIVACY_UPPER_H
#define DPN_PRIVACY_UPPER_H

#include <float.h>
#include <math.h>

#define DPN_MARGIN 0x1p-46

/* Not below (above) the true value of x >= 0, which was computed without cancellation, but perhaps with underflow: an
 * upper bound is never 0. Infinity stays. */
static inline double dpn_upper(double x) {
    return x * (1 + DPN_MARGIN) + DBL_MIN;
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

/* log(1 - 1/a) for a > 1, with its digits also next to 1. (a - 1 is exact up to 2.) */
static inline double dpn_log_less_over(double a) {
    return a < 2 ? log(a - 1) - log1p(a - 1) : log1p(-1 / a);
}

#endif
