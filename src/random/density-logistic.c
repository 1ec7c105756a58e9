/* logistic(scale): 1/f = cosh^2(x/2scale) = (e + 2 + 1/e)/4 with e = exp(x/scale), which increases for e >= 1. */
#include "random/density.h"

#include <math.h>

static void prepare(dpn_density *density) {
    density->number[0] = 1 / ldexp(density->parameter[0], -density->unit_exponent);
}

/* 2 log cosh(t/2) = 2 log(1 + 2 sinh^2(t/4)), beyond 2 as t + 2 log(1 + e^-t) - 2 log 2. */
static double exponent(const dpn_density *density, double x) {
    double t = density->number[0] * x;
    if (t < 2) {
        double s = sinh(0.25 * t);
        return 2 * log1p(2 * s * s);
    }
    return t + 2 * (log1p(exp(-t)) - 0.693147180559945309);
}

/* A bound of e gives one of e + 1/e, if 1/e is rounded the same way. */
static bool inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide scale = dpn_wide_double(how, density->parameter[0]), t = dpn_wide_divide(how, x, &scale), e;
    if (!dpn_wide_exp(&e, how, &t)) return false;
    dpn_wide one = dpn_wide_integer(how, 1), two = dpn_wide_integer(how, 2);
    dpn_wide back = dpn_wide_divide(how, &one, &e), sum = dpn_wide_add(how, &e, &back);
    sum = dpn_wide_add(how, &sum, &two);
    *out = dpn_wide_scale(sum, -2);
    return true;
}

const dpn_density_kind dpn_density_logistic = {
    .family = "logistic", .prepare = prepare, .exponent = exponent, .inverse = inverse};
