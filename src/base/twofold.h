/* Numbers of twice the precision: the unevaluated sum hi + lo of two doubles, |lo| <= ulp(hi)/2 or a little more.
 *
 * The noise laws are exponentials of arguments up to 745, so an argument rounded to one double would lose ten bits of
 * the value. Arguments are therefore kept as twofold numbers until exp, with a relative error of a few 2^-104.
 * All functions need round-to-nearest and an unfused compiler (-ffp-contract=off); fma is called by name.
 * An overflow of hi leaves lo = 0 so that infinities behave.
 */
#ifndef DPN_BASE_TWOFOLD_H
#define DPN_BASE_TWOFOLD_H

#include <math.h>

typedef struct dpn_twofold {
    double hi, lo;
} dpn_twofold;

static inline dpn_twofold dpn_two(double x) {
    return (dpn_twofold){x, 0};
}

/* a + b exactly (Knuth). */
static inline dpn_twofold dpn_two_sum(double a, double b) {
    double s = a + b, bb = s - a;
    double lo = (a - (s - bb)) + (b - bb);
    return (dpn_twofold){s, isfinite(s) ? lo : 0};
}

/* a * b exactly, unless the low part underflows. */
static inline dpn_twofold dpn_two_product(double a, double b) {
    double p = a * b;
    return (dpn_twofold){p, isfinite(p) ? fma(a, b, -p) : 0};
}

/* a / b, b not zero. */
static inline dpn_twofold dpn_two_quotient(double a, double b) {
    double q = a / b;
    return (dpn_twofold){q, isfinite(q) && isfinite(b) ? fma(-q, b, a) / b : 0};
}

static inline dpn_twofold dpn_two_add(dpn_twofold a, dpn_twofold b) {
    dpn_twofold s = dpn_two_sum(a.hi, b.hi);
    if (!isfinite(s.hi)) return s;
    return dpn_two_sum(s.hi, s.lo + (a.lo + b.lo));
}

static inline dpn_twofold dpn_two_negate(dpn_twofold a) {
    return (dpn_twofold){-a.hi, -a.lo};
}

static inline dpn_twofold dpn_two_subtract(dpn_twofold a, dpn_twofold b) {
    return dpn_two_add(a, dpn_two_negate(b));
}

static inline dpn_twofold dpn_two_multiply(dpn_twofold a, dpn_twofold b) {
    dpn_twofold p = dpn_two_product(a.hi, b.hi);
    if (!isfinite(p.hi)) return p;
    p.lo += a.hi * b.lo + a.lo * b.hi;
    return p;
}

/* a * b for a twofold a and a double b. */
static inline dpn_twofold dpn_two_times(dpn_twofold a, double b) {
    dpn_twofold p = dpn_two_product(a.hi, b);
    if (isfinite(p.hi)) p.lo += a.lo * b;
    return p;
}

/* a / b for a twofold a and a double b. */
static inline dpn_twofold dpn_two_divide(dpn_twofold a, double b) {
    dpn_twofold q = dpn_two_quotient(a.hi, b);
    if (isfinite(q.hi)) q.lo += a.lo / b;
    return q;
}

/* a^2/2, which overflows only where it must. */
static inline dpn_twofold dpn_two_square_half(dpn_twofold a) {
    return dpn_two_multiply(a, (dpn_twofold){0.5 * a.hi, 0.5 * a.lo});
}

/* a times a power of two: exact. */
static inline dpn_twofold dpn_two_scale(dpn_twofold a, double power_of_two) {
    return (dpn_twofold){a.hi * power_of_two, a.lo * power_of_two};
}

static inline double dpn_two_value(dpn_twofold a) {
    return a.hi + a.lo;
}

/* The least double that is not below x^2, |x| >= 1e-150. A small x is scaled first, lest the low part underflow. */
static inline double dpn_square_upper(double x) {
    double scale = fabs(x) < 1 ? 0x1p400 : 1;
    dpn_twofold square = dpn_two_product(scale * x, scale * x);
    double near = square.hi / scale / scale;
    return square.lo > 0 ? nextafter(near, INFINITY) : near;
}

/* x^2 s - y, with its digits also where it nearly vanishes: the products are exact, and leading parts cancel first.
 * 1e-150 <= x <= 1e150. For small x a power of two moves from s to x, lest the low part of x^2 underflow; s may then
 * underflow itself, below 1e-60, where x^2 s is below 1e-210. */
static inline double dpn_square_excess(double x, double s, double y) {
    double scale = x < 1e-75 ? 0x1p400 : 1;
    dpn_twofold square = dpn_two_product(scale * x, scale * x);
    s = s / scale / scale;
    dpn_twofold large = dpn_two_product(square.hi, s), small = dpn_two_product(square.lo, s);
    if (!isfinite(large.hi)) return large.hi;
    dpn_twofold leading = dpn_two_add(dpn_two_sum(large.hi, -y), dpn_two_sum(large.lo, small.hi));
    return leading.hi + (leading.lo + small.lo);
}

/* A twofold number in an array: two doubles, hi first. */
static inline dpn_twofold dpn_two_load(const double *pair) {
    return (dpn_twofold){pair[0], pair[1]};
}

static inline void dpn_two_store(double *pair, dpn_twofold a) {
    pair[0] = a.hi;
    pair[1] = a.lo;
}

/* exp(-a), with the error of one exp and one product. */
static inline double dpn_two_exp_minus(dpn_twofold a) {
    double e = exp(-a.hi);
    return e - e * a.lo;
}

/* factor exp(-a), also where exp(-a) underflows and the product does not. */
static inline double dpn_two_exp_scaled(double factor, dpn_twofold a) {
    if (a.hi < 700) return factor * dpn_two_exp_minus(a);
    double root = exp(-0.5 * a.hi);
    return factor * root * (root - root * a.lo);
}

#endif
