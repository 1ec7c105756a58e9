#include "random/density.h"

#include <float.h>
#include <math.h>

static double exponent(const dpn_density *density, double x) {
    return x < density->end ? density->kind->exponent(density, x) : INFINITY;
}

/* Whether E is so steep somewhere above the deepest level that a step of 2^-40 x changes it by more than 2^-22. Let E be
 * DPN_DENSITY_DEEPEST at X or before. Since E is convex, from x <= X to x (1 + 2^-40) it rises by at most 2^-40 times what
 * it rises from x to 2x, which is at most 2^-40 E(2X). */
static bool is_steep(const dpn_density *density) {
    if (density->kind->halves || isfinite(density->end)) return true;
    double low = 0, high = 1;
    while (exponent(density, high) < DPN_DENSITY_DEEPEST && high < 0x1p60) high *= 2;
    for (int i = 0; i < 8; i++) {
        double middle = 0.5 * (low + high);
        *(exponent(density, middle) < DPN_DENSITY_DEEPEST ? &low : &high) = middle;
    }
    return !(exponent(density, 2 * high) <= 0x1p18);
}

/* Where the density ends: on the integers the end of the support still has one, and is a point of the lattice. */
static double end_of(const dpn_law *law) {
    return dpn_law_support(law) + dpn_law_is_integer(law);
}

bool dpn_density_make(dpn_density *density, const dpn_law *law, int unit_exponent) {
    static const dpn_density_kind *const kinds[] = {&dpn_density_pieces, &dpn_density_stairs, &dpn_density_psi};
    *density = (dpn_density){.law = *law, .unit_exponent = unit_exponent, .guard = DPN_DENSITY_GUARD};
    density->end = ldexp(end_of(law), -unit_exponent);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        density->kind = kinds[i];
        if (!kinds[i]->prepare(density)) continue;
        density->steep = is_steep(density);
        return true;
    }
    return false;
}

dpn_bounds dpn_density_exponent(const dpn_density *density, double x) {
    double before = exponent(density, density->steep ? fmax(0, x * (1 - 0x1p-40) - 0x1p-60) : x);
    double after = density->steep ? exponent(density, x * (1 + 0x1p-40) + 0x1p-60) : before;
    if (isinf(density->end)) before = fmin(before, DBL_MAX); /* f is positive everywhere */
    return (dpn_bounds){before * (1 - 0x1p-36) - 0x1p-1000, after * (1 + 0x1p-36) + 0x1p-1000}; /* and underflow */
}

/* Where E is not steep one exponential serves both bounds: the guard is wider than what E may be off. */
static dpn_bounds smooth_value(const dpn_density *density, double x) {
    double exponent = density->kind->exponent(density, x);
    if (!(exponent <= DPN_DENSITY_DEEPEST)) return (dpn_bounds){0, exp(-DPN_DENSITY_DEEPEST) * (1 + density->guard)};
    double value = exp(-exponent);
    return (dpn_bounds){value * (1 - density->guard), value * (1 + density->guard)};
}

/* e^-E for E beyond the deepest is only known to be less. */
dpn_bounds dpn_density_value(const dpn_density *density, double x) {
    if (!density->steep) return smooth_value(density, x);
    dpn_bounds exponent = dpn_density_exponent(density, x);
    double upper = exponent.lower == INFINITY ? 0 : exp(-fmin(exponent.lower, DPN_DENSITY_DEEPEST));
    double lower = exponent.upper > DPN_DENSITY_DEEPEST ? 0 : exp(-exponent.upper);
    return (dpn_bounds){lower * (1 - density->guard), upper * (1 + density->guard)};
}

/* Upwards x is a bound that is not reached, so that the end of the support is still inside; on the integers x is exact, and the
 * end belongs to the support. */
bool dpn_density_inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    double support = dpn_law_support(&density->law);
    if (isfinite(support)) {
        dpn_wide end = dpn_wide_double(how, support);
        bool is_inside = dpn_law_is_integer(&density->law) || how.up;
        if (dpn_wide_compare(how, x, &end) >= is_inside) return false;
    }
    return density->kind->inverse(density, how, x, out);
}

/* Log-concave laws: the ratio f(x + step)/f(x) decreases, so that x = from decides. */
static bool halves(const dpn_density *density, double from, double step) {
    if (density->kind->halves) return density->kind->halves(density, from, step);
    double here = dpn_density_exponent(density, from).upper * (1 + DPN_DENSITY_GUARD);
    return dpn_density_exponent(density, from + step).lower * (1 - DPN_DENSITY_GUARD) >= here + 0.6932;
}

int dpn_density_halving(const dpn_density *density, double from) {
    for (int k = 0; k <= 50; k++)
        if (halves(density, from, ldexp(1, k))) return k;
    return -1;
}
