#include "privacy/profile/excess.h"

#include <float.h>
#include <stdbool.h>

/* The products that make up epsilon g h - x y are sums of six doubles, which an expansion adds without error
 * (Shewchuk 1997). */
enum { TERMS = 6 };

/* Add x to the expansion sum[0..count-1] of non-overlapping doubles, smallest first: it has one more afterwards. */
static void grow(double *sum, int count, double x) {
    for (int i = 0; i < count; i++) {
        dpn_twofold s = dpn_two_sum(x, sum[i]);
        sum[i] = s.lo;
        x = s.hi;
    }
    sum[count] = x;
}

static dpn_twofold exact_sum(const double *term) {
    double sum[TERMS];
    for (int i = 0; i < TERMS; i++) grow(sum, i, term[i]);
    dpn_twofold total = dpn_two(0);
    for (int i = TERMS - 1; i >= 0; i--) total = dpn_two_add(total, dpn_two(sum[i]));
    return total;
}

/* The same with all factors scaled to the neighbourhood of 1, so that nothing overflows or underflows. */
static dpn_twofold exact(double epsilon, double x, double g, double y, double h) {
    int ex, eg, ey, eh;
    dpn_twofold xy = dpn_two_product(frexp(x, &ex), frexp(y, &ey));
    dpn_twofold gh = dpn_two_product(frexp(g, &eg), frexp(h, &eh));
    int shift = ex + ey - eg - eh;
    double scaled = ldexp(epsilon, -shift);
    if (isinf(scaled)) return dpn_two(epsilon); /* beside it the quotient is nothing */
    dpn_twofold high = dpn_two_product(scaled, gh.hi), low = dpn_two_product(scaled, gh.lo);
    dpn_twofold excess = exact_sum((double[TERMS]){low.lo, low.hi, high.lo, high.hi, -xy.lo, -xy.hi});
    /* (a + a') / (b + b') to twice the precision, by one step of correction. */
    dpn_twofold quotient = dpn_two_divide(excess, gh.hi);
    quotient = dpn_two_subtract(quotient, dpn_two_times(quotient, gh.lo / gh.hi));
    dpn_twofold result = {ldexp(quotient.hi, shift), ldexp(quotient.lo, shift)};
    if (isinf(result.hi)) return dpn_two(result.hi);
    return result.hi == 0 && quotient.hi != 0 ? dpn_two(copysign(DBL_TRUE_MIN, quotient.hi)) : result;
}

/* Whether the low part of a quotient, and products of two of them, neither underflow nor overflow. */
static bool ordinary(double quotient) {
    return quotient > 1e-120 && quotient < 1e120;
}

dpn_twofold dpn_excess(double epsilon, double x, double g, double y, double h) {
    if (ordinary(x / g) && ordinary(y / h)) {
        dpn_twofold boundary = dpn_two_multiply(dpn_two_quotient(x, g), dpn_two_quotient(y, h));
        dpn_twofold excess = dpn_two_subtract(dpn_two(epsilon), boundary);
        if (fabs(excess.hi) > 1e-9 * epsilon) return excess;
    }
    return exact(epsilon, x, g, y, h);
}

void dpn_quotient_bounds(double *lower, double *upper, double x, double g, double y, double h) {
    double near = -dpn_excess(0, x, g, y, h).hi; /* within two ulp */
    if (isinf(near)) {
        *lower = DBL_MAX;
        *upper = near;
        return;
    }
    while (dpn_excess(near, x, g, y, h).hi > 0) near = nextafter(near, 0);
    while (dpn_excess(nextafter(near, INFINITY), x, g, y, h).hi <= 0) near = nextafter(near, INFINITY);
    *lower = near;
    *upper = dpn_excess(near, x, g, y, h).hi == 0 ? near : nextafter(near, INFINITY);
}
