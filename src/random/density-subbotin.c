/* subbotin(p,scale): (x/scale)^p/p. */
#include "random/density.h"

#include <math.h>

static void prepare(dpn_density *density) {
    density->number[0] = 1 / ldexp(density->parameter[1], -density->unit_exponent);
}

static double exponent(const dpn_density *density, double x) {
    return pow(density->number[0] * x, density->parameter[0]) / density->parameter[0];
}

static bool inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide p = dpn_wide_double(how, density->parameter[0]), scale = dpn_wide_double(how, density->parameter[1]);
    dpn_wide ratio = dpn_wide_divide(how, x, &scale), power = dpn_wide_power(how, &ratio, density->parameter[0]);
    dpn_wide quotient = dpn_wide_divide(how, &power, &p);
    return dpn_wide_exp(out, how, &quotient);
}

const dpn_density_kind dpn_density_subbotin = {
    .family = "subbotin", .prepare = prepare, .exponent = exponent, .inverse = inverse};
