/* Sums of many doubles, rounded up: a twofold number that is never below the sum. */
#ifndef DPN_PRIVACY_FILTER_SUM_H
#define DPN_PRIVACY_FILTER_SUM_H

#include "base/twofold.h"

/* Not below sum + x, and above it by at most 2^-100 of it. The two exact sums leave one rounding, that of the low
 * parts, of relative error 2^-53; what is added after it is at least twice as much. (Additions do not underflow.) */
static inline dpn_twofold dpn_sum_upper(dpn_twofold sum, double x) {
    dpn_twofold high = dpn_two_sum(sum.hi, x);
    double low = sum.lo + high.lo;
    low += fabs(low) * 0x1p-51;
    return dpn_two_sum(high.hi, low);
}

/* The least double known not to be below it. */
static inline double dpn_sum_value(dpn_twofold sum) {
    return sum.lo > 0 ? nextafter(sum.hi, INFINITY) : sum.hi;
}

#endif
