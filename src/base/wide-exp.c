/* Exponential and powers of wide numbers: sums, products and roots of numbers >= 0 alone, so that the direction of
 * every rounding is that of the result. */
#include "base/wide.h"

#include <math.h>

enum { LARGEST = 40, REDUCED = 16 }; /* e^a is for a below 2^40; the series for a below 2^-16 */

/* The binary exponent: a < 2^magnitude. */
static int64_t magnitude(dpn_rounding how, const dpn_wide *a) {
    return a->exponent + 64 * (int64_t)how.limbs;
}

/* e^a for 0 < a < 2^-REDUCED: the series, and upwards twice the first term left out, which exceeds all that are. */
static dpn_wide series(dpn_rounding how, const dpn_wide *a) {
    dpn_wide sum = dpn_wide_integer(how, 1), term = sum;
    for (uint64_t n = 1;; n++) {
        term = dpn_wide_multiply(how, &term, a);
        term = dpn_wide_divide_small(how, &term, n);
        bool last = dpn_wide_is_zero(how, &term) || magnitude(how, &term) < -64 * (int64_t)how.limbs;
        if (last && how.up) term = dpn_wide_scale(term, 1);
        if (!last || how.up) sum = dpn_wide_add(how, &sum, &term);
        if (last) return sum;
    }
}

bool dpn_wide_exp(dpn_wide *out, dpn_rounding how, const dpn_wide *a) {
    if (dpn_wide_is_zero(how, a)) {
        *out = dpn_wide_integer(how, 1);
        return true;
    }
    dpn_wide largest = dpn_wide_scale(dpn_wide_integer(how, 1), LARGEST);
    bool beyond = dpn_wide_compare(how, a, &largest) >= 0;
    if (beyond && how.up) return false;
    const dpn_wide *argument = beyond ? &largest : a;
    int64_t halvings = magnitude(how, argument) + REDUCED;
    if (halvings < 0) halvings = 0;
    dpn_wide reduced = dpn_wide_scale(*argument, -halvings);
    dpn_wide power = series(how, &reduced);
    for (int64_t i = 0; i < halvings; i++) power = dpn_wide_multiply(how, &power, &power);
    *out = power;
    return true;
}

/* a to the integer part by squaring, to the fraction by square roots: the fraction of a double ends. */
dpn_wide dpn_wide_power(dpn_rounding how, const dpn_wide *a, double power) {
    uint64_t whole = (uint64_t)power;
    double fraction = power - (double)whole;
    dpn_wide result = dpn_wide_integer(how, 1), factor = *a;
    for (; whole; whole >>= 1) {
        if (whole & 1) result = dpn_wide_multiply(how, &result, &factor);
        factor = dpn_wide_multiply(how, &factor, &factor);
    }
    factor = *a;
    while (fraction > 0) {
        factor = dpn_wide_root(how, &factor);
        fraction *= 2;
        if (fraction >= 1) {
            result = dpn_wide_multiply(how, &result, &factor);
            fraction -= 1;
        }
    }
    return result;
}
