/* Quotients and square roots of twofold numbers (base/twofold.h), for the thresholds of the closed forms. */
#ifndef DPN_PRIVACY_TWOFOLD_ROOT_H
#define DPN_PRIVACY_TWOFOLD_ROOT_H

#include "base/twofold.h"

/* a / b, b not zero. */
static inline dpn_twofold dpn_two_ratio(dpn_twofold a, dpn_twofold b) {
    dpn_twofold q = dpn_two_divide(a, b.hi);
    return isfinite(q.hi) && isfinite(b.hi) ? dpn_two_subtract(q, dpn_two_times(q, b.lo / b.hi)) : q;
}

/* The square root of a, 0 where a is negative by rounding. */
static inline dpn_twofold dpn_two_sqrt(dpn_twofold a) {
    double r = sqrt(fmax(a.hi, 0));
    if (r == 0 || !isfinite(r)) return dpn_two(r);
    return dpn_two_sum(r, (fma(-r, r, a.hi) + a.lo) / (2 * r));
}

static inline dpn_twofold dpn_two_half_square(dpn_twofold a) {
    return dpn_two_scale(dpn_two_multiply(a, a), 0.5);
}

/* a - b where the difference is known to be at least 0 but for rounding. */
static inline dpn_twofold dpn_two_gap(dpn_twofold a, dpn_twofold b) {
    dpn_twofold d = dpn_two_subtract(a, b);
    return d.hi > 0 ? d : dpn_two(0);
}

#endif
