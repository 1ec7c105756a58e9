/* staircase(epsilon,sensitivity,gamma): epsilon times the number of falls up to x. They lie at (k + gamma) D, k = 0,
 * 1, ..., so that with k = floor(x/D) there are k of them, and one more from (k + gamma) D on. */
#include "random/density.h"

#include <math.h>

enum { PERIOD };

/* gamma = 0 and gamma = 1 are the same law; with 1 its density is largest at 0, as a sampler needs it. */
static void prepare(dpn_density *density) {
    if (density->parameter[2] == 0) density->parameter[2] = 1;
    density->number[PERIOD] = ldexp(density->parameter[1], -density->unit_exponent);
}

/* Where rounding takes x to the other side of a fall the caller's bounds hold both sides. */
static double exponent(const dpn_density *density, double x) {
    double periods = x / density->number[PERIOD], k = floor(periods);
    return density->parameter[0] * (k + (periods >= k + density->parameter[2]));
}

/* The number of falls is an increasing function of x/D and is computed without error from a bound of it. Upwards x
 * itself is not reached, but a fall at x is counted: the bound stays one. */
static bool inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide epsilon = dpn_wide_double(how, density->parameter[0]);
    dpn_wide period = dpn_wide_double(how, density->parameter[1]);
    dpn_wide gamma = dpn_wide_double(how, density->parameter[2]);
    dpn_wide periods = dpn_wide_divide(how, x, &period), k = dpn_wide_floor(how, &periods);
    dpn_wide one = dpn_wide_integer(how, 1), rest = dpn_wide_subtract(how, &periods, &k);
    if (dpn_wide_compare(how, &rest, &gamma) >= 0) k = dpn_wide_add(how, &k, &one);
    dpn_wide product = dpn_wide_multiply(how, &epsilon, &k);
    return dpn_wide_exp(out, how, &product);
}

const dpn_density_kind dpn_density_staircase = {
    .family = "staircase", .prepare = prepare, .exponent = exponent, .inverse = inverse, .jumps = true};
