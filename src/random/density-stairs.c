/* Laws whose psi is a staircase: its height times the number of steps up to x. They lie at (k + part) period, k = 0, 1,
 * ..., so that with k = floor(x/period) there are k of them, and one more from (k + part) period on. */
#include "random/density.h"

#include <math.h>

/* part = 0 and part = 1 are the same law; with 1 its density is largest at 0, as a sampler needs it. */
static bool prepare(dpn_density *density) {
    if (!dpn_law_stairs(&density->stairs, &density->law)) return false;
    if (density->stairs.part == 0) density->stairs.part = 1;
    density->period = ldexp(density->stairs.period, -density->unit_exponent);
    return true;
}

/* Where rounding takes x to the other side of a step the caller's bounds hold both sides. */
static double exponent(const dpn_density *density, double x) {
    double periods = x / density->period, k = floor(periods);
    return density->stairs.height * (k + (periods >= k + density->stairs.part));
}

/* The number of steps is an increasing function of x/period and is computed without error from a bound of it. Upwards x
 * itself is not reached, but a step at x is counted: the bound stays one. */
static bool inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide height = dpn_wide_double(how, density->stairs.height);
    dpn_wide period = dpn_wide_double(how, density->stairs.period);
    dpn_wide part = dpn_wide_double(how, density->stairs.part);
    dpn_wide periods = dpn_wide_divide(how, x, &period), k = dpn_wide_floor(how, &periods);
    dpn_wide one = dpn_wide_integer(how, 1), rest = dpn_wide_subtract(how, &periods, &k);
    if (dpn_wide_compare(how, &rest, &part) >= 0) k = dpn_wide_add(how, &k, &one);
    dpn_wide product = dpn_wide_multiply(how, &height, &k);
    return dpn_wide_exp(out, how, &product);
}

/* A number of whole periods that lets f fall to a half. */
static bool halves(const dpn_density *density, double from, double step) {
    (void)from;
    return step >= density->period * ceil(0.6932 / density->stairs.height) * (1 + DPN_DENSITY_GUARD);
}

const dpn_density_kind dpn_density_stairs = {prepare, exponent, inverse, halves};
