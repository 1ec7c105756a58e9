/* What the laws on the integers share: weights exp(-psi(k)) with psi(0) = 0, symmetric, divided by their sum. */
#ifndef DPN_LAW_INTEGER_H
#define DPN_LAW_INTEGER_H

#include "law/family.h"

/* Scales stay below 1e12, so that every k with a probability above the smallest double is below 2^53, where k + 1 is
 * exact. The lower limit, and the limit of 1e50 for offsets, keep every psi of interest from overflowing. */
#define DPN_INTEGER_SCALE "must lie in [1e-50, 1e12]"
#define DPN_INTEGER_OFFSET "must lie in [0, 1e50]"
static inline bool dpn_integer_scale_ok(double x) {
    return x >= 1e-50 && x <= 1e12;
}
static inline bool dpn_integer_offset_ok(double x) {
    return x >= 0 && x <= 1e50;
}

/* Beyond this k products of twofold numbers could overflow; psi is above 1e270 and needs only one double. */
#define DPN_INTEGER_FAR 1e150

/* The constants of the law whose weights at k >= 1 sum to positive. */
static inline void dpn_integer_prepare(dpn_law *law, double positive) {
    law->constant[DPN_PDF0] = 1 / (1 + 2 * positive);
    law->constant[DPN_LOG_PDF0] = -log1p(2 * positive);
}

/* The expectation of a function of |k| that vanishes at 0, whose sum with the weights at k >= 1 is exp(-first) sum. */
static inline double dpn_integer_mean(const dpn_law *law, dpn_twofold first, double sum) {
    return dpn_two_exp_scaled(2 * law->constant[DPN_PDF0] * sum, first);
}

#endif
