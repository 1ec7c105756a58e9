#include "geometry/span.h"

#include <math.h>

/* ---- Numbers with a sign, rounded down or up ---- */

static dpn_rounding rounding_of(int limbs, bool up, bool negative) {
    return (dpn_rounding){limbs, up != negative};
}

static int compare(int limbs, const dpn_signed_wide *a, const dpn_signed_wide *b) {
    dpn_rounding any = {limbs, false};
    bool zero_a = dpn_wide_is_zero(any, &a->size), zero_b = dpn_wide_is_zero(any, &b->size);
    int sign_a = zero_a ? 0 : a->negative ? -1 : 1, sign_b = zero_b ? 0 : b->negative ? -1 : 1;
    if (sign_a != sign_b) return sign_a < sign_b ? -1 : 1;
    return sign_a * dpn_wide_compare(any, &a->size, &b->size);
}

static dpn_signed_wide add(int limbs, const dpn_signed_wide *a, const dpn_signed_wide *b, bool up) {
    if (a->negative == b->negative)
        return (dpn_signed_wide){a->negative, dpn_wide_add(rounding_of(limbs, up, a->negative), &a->size, &b->size)};
    bool first = dpn_wide_compare((dpn_rounding){limbs, false}, &a->size, &b->size) >= 0;
    const dpn_signed_wide *more = first ? a : b, *less = first ? b : a;
    return (dpn_signed_wide){more->negative,
                             dpn_wide_subtract(rounding_of(limbs, up, more->negative), &more->size, &less->size)};
}

static dpn_signed_wide multiply(int limbs, const dpn_signed_wide *a, const dpn_signed_wide *b, bool up) {
    bool negative = a->negative != b->negative;
    return (dpn_signed_wide){negative, dpn_wide_multiply(rounding_of(limbs, up, negative), &a->size, &b->size)};
}

static dpn_signed_wide divide(int limbs, const dpn_signed_wide *a, const dpn_signed_wide *b, bool up) {
    bool negative = a->negative != b->negative;
    return (dpn_signed_wide){negative, dpn_wide_divide(rounding_of(limbs, up, negative), &a->size, &b->size)};
}

/* ---- Spans ---- */

dpn_span dpn_span_double(int limbs, double x) {
    dpn_rounding any = {limbs, false}; /* exact: two limbs hold a double */
    dpn_signed_wide exact = {x < 0, dpn_wide_double(any, fabs(x))};
    return (dpn_span){exact, exact};
}

dpn_span dpn_span_integer(int limbs, const dpn_integer *x) {
    dpn_span out;
    bool negative = x->sign < 0;
    out.low =
        (dpn_signed_wide){negative, dpn_wide_pack(rounding_of(limbs, false, negative), x->limb, x->length, 0, false)};
    out.high =
        (dpn_signed_wide){negative, dpn_wide_pack(rounding_of(limbs, true, negative), x->limb, x->length, 0, false)};
    return out;
}

dpn_span dpn_span_lazy(int limbs, const dpn_lazy *x) {
    dpn_signed_wide small = {x->negative, dpn_lazy_bound((dpn_rounding){limbs, false}, x)};
    dpn_signed_wide large = {x->negative, dpn_lazy_bound((dpn_rounding){limbs, true}, x)};
    return x->negative ? (dpn_span){large, small} : (dpn_span){small, large};
}

dpn_span dpn_span_add(int limbs, const dpn_span *a, const dpn_span *b) {
    return (dpn_span){add(limbs, &a->low, &b->low, false), add(limbs, &a->high, &b->high, true)};
}

dpn_span dpn_span_minus(const dpn_span *a) {
    dpn_span out = {a->high, a->low};
    out.low.negative = !out.low.negative;
    out.high.negative = !out.high.negative;
    return out;
}

/* The least and the largest of what the four pairs of ends give. */
static dpn_span of_ends(int limbs, const dpn_span *a, const dpn_span *b,
                        dpn_signed_wide (*operation)(int, const dpn_signed_wide *, const dpn_signed_wide *, bool)) {
    const dpn_signed_wide *left[2] = {&a->low, &a->high}, *right[2] = {&b->low, &b->high};
    dpn_span out = {operation(limbs, left[0], right[0], false), operation(limbs, left[0], right[0], true)};
    for (int k = 1; k < 4; k++) {
        dpn_signed_wide down = operation(limbs, left[k / 2], right[k % 2], false);
        dpn_signed_wide up = operation(limbs, left[k / 2], right[k % 2], true);
        if (compare(limbs, &down, &out.low) < 0) out.low = down;
        if (compare(limbs, &up, &out.high) > 0) out.high = up;
    }
    return out;
}

dpn_span dpn_span_multiply(int limbs, const dpn_span *a, const dpn_span *b) {
    return of_ends(limbs, a, b, multiply);
}

bool dpn_span_divide(dpn_span *out, int limbs, const dpn_span *a, const dpn_span *b) {
    dpn_signed_wide zero = dpn_span_double(limbs, 0).low;
    if (compare(limbs, &b->low, &zero) <= 0 && compare(limbs, &b->high, &zero) >= 0) return false;
    *out = of_ends(limbs, a, b, divide);
    return true;
}

dpn_span dpn_span_scale(const dpn_span *a, int64_t power_of_two) {
    dpn_span out = *a;
    out.low.size = dpn_wide_scale(out.low.size, power_of_two);
    out.high.size = dpn_wide_scale(out.high.size, power_of_two);
    return out;
}

dpn_span dpn_span_size(int limbs, const dpn_span *a) {
    dpn_span zero = dpn_span_double(limbs, 0), other = dpn_span_minus(a);
    if (compare(limbs, &a->low, &zero.low) >= 0) return *a;
    if (compare(limbs, &a->high, &zero.low) <= 0) return other;
    return (dpn_span){zero.low, compare(limbs, &a->high, &other.high) > 0 ? a->high : other.high};
}

dpn_span dpn_span_larger(int limbs, const dpn_span *a, const dpn_span *b) {
    return (dpn_span){compare(limbs, &a->low, &b->low) > 0 ? a->low : b->low,
                      compare(limbs, &a->high, &b->high) > 0 ? a->high : b->high};
}

int dpn_span_compare(int limbs, const dpn_span *a, const dpn_span *b) {
    if (compare(limbs, &a->high, &b->low) <= 0) return -1;
    return compare(limbs, &a->low, &b->high) >= 0 ? 1 : 0;
}

/* ---- Powers and roots ---- */

static dpn_span cut_off(int limbs, const dpn_span *a) {
    dpn_span zero = dpn_span_double(limbs, 0);
    return dpn_span_larger(limbs, a, &zero);
}

dpn_span dpn_span_power(int limbs, const dpn_span *a, double p) {
    dpn_span x = cut_off(limbs, a);
    x.low.size = dpn_wide_power((dpn_rounding){limbs, false}, &x.low.size, p);
    x.high.size = dpn_wide_power((dpn_rounding){limbs, true}, &x.high.size, p);
    return x;
}

/* A double near a^(1/p). */
static double guess(int limbs, const dpn_wide *a, double p) {
    double logarithm = log2((double)a->limb[limbs - 1]) + (double)(a->exponent + 64 * (int64_t)(limbs - 1));
    return exp2(logarithm / p);
}

/* x with x^p <= a, or >= a if up: bisection, every step of which is certain, until the numbers cannot tell. */
static dpn_wide root(dpn_rounding how, const dpn_wide *a, double p) {
    dpn_rounding down = {how.limbs, false}, up = {how.limbs, true};
    if (dpn_wide_is_zero(how, a)) return *a;
    if (p == 2) return dpn_wide_root(how, a);
    double near = guess(how.limbs, a, p), width = 0x1p-30;
    dpn_wide low, high, power;
    for (;; width *= 2) { /* at once, unless the C library errs by far more than it should */
        low = dpn_wide_double(down, fmax(0, near * (1 - width)));
        high = dpn_wide_double(up, near * (1 + width));
        power = dpn_wide_power(up, &low, p);
        bool below = dpn_wide_compare(up, &power, a) <= 0;
        power = dpn_wide_power(down, &high, p);
        if (below && dpn_wide_compare(down, &power, a) >= 0) break;
    }
    for (int step = 0; step < 64 * how.limbs; step++) {
        dpn_wide middle = dpn_wide_add(down, &low, &high);
        middle = dpn_wide_scale(middle, -1);
        power = dpn_wide_power(up, &middle, p);
        if (dpn_wide_compare(up, &power, a) <= 0) {
            low = middle;
            continue;
        }
        power = dpn_wide_power(down, &middle, p);
        if (dpn_wide_compare(down, &power, a) < 0) break;
        high = middle;
    }
    return how.up ? high : low;
}

dpn_span dpn_span_root(int limbs, const dpn_span *a, double p) {
    dpn_span x = cut_off(limbs, a);
    if (p == 1) return x;
    x.low.size = root((dpn_rounding){limbs, false}, &x.low.size, p);
    x.high.size = root((dpn_rounding){limbs, true}, &x.high.size, p);
    return x;
}
