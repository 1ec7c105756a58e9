/* The laws whose -log f is made of pieces of first and second degree. */
#include "random/density.h"

#include <math.h>

static double in_units(const dpn_density *density, double length) {
    return ldexp(length, -density->unit_exponent);
}

static dpn_wide parameter(const dpn_density *density, dpn_rounding how, int index) {
    return dpn_wide_double(how, density->parameter[index]);
}

/* e^(top/bottom); the bottom is exact. */
static bool exp_quotient(dpn_rounding how, const dpn_wide *top, const dpn_wide *bottom, dpn_wide *out) {
    dpn_wide quotient = dpn_wide_divide(how, top, bottom);
    return dpn_wide_exp(out, how, &quotient);
}

/* 2 s^2 for a parameter s: 107 bits, exact. */
static dpn_wide twice_square(const dpn_density *density, dpn_rounding how, int index) {
    dpn_wide s = parameter(density, how, index);
    return dpn_wide_scale(dpn_wide_multiply(how, &s, &s), 1);
}

/* ---- gaussian(sigma): x^2/2sigma^2 ---- */

static void gaussian_prepare(dpn_density *density) {
    double unit = 1 / in_units(density, density->parameter[0]);
    density->number[0] = 0.5 * unit * unit;
}

static double gaussian_exponent(const dpn_density *density, double x) {
    return density->number[0] * x * x;
}

static bool gaussian_inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide top = dpn_wide_multiply(how, x, x), bottom = twice_square(density, how, 0);
    return exp_quotient(how, &top, &bottom, out);
}

const dpn_density_kind dpn_density_gaussian = {
    .family = "gaussian", .prepare = gaussian_prepare, .exponent = gaussian_exponent, .inverse = gaussian_inverse};

/* ---- laplace(scale): x/scale ---- */

static void laplace_prepare(dpn_density *density) {
    density->number[0] = 1 / in_units(density, density->parameter[0]);
}

static double laplace_exponent(const dpn_density *density, double x) {
    return density->number[0] * x;
}

static bool laplace_inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide bottom = parameter(density, how, 0);
    return exp_quotient(how, x, &bottom, out);
}

const dpn_density_kind dpn_density_laplace = {
    .family = "laplace", .prepare = laplace_prepare, .exponent = laplace_exponent, .inverse = laplace_inverse};

/* ---- truncated-laplace(scale,bound): x/scale up to the bound ---- */

static void truncated_prepare(dpn_density *density) {
    density->number[0] = 1 / in_units(density, density->parameter[0]);
    density->number[1] = in_units(density, density->parameter[1]);
}

static double truncated_exponent(const dpn_density *density, double x) {
    return x < density->number[1] ? density->number[0] * x : INFINITY;
}

/* Upwards x is a bound that is not reached, so that the bound of the law itself is still inside. */
static bool truncated_inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide bound = parameter(density, how, 1);
    if (dpn_wide_compare(how, x, &bound) >= how.up) return false;
    return laplace_inverse(density, how, x, out);
}

const dpn_density_kind dpn_density_truncated_laplace = {.family = "truncated-laplace",
                                                        .prepare = truncated_prepare,
                                                        .exponent = truncated_exponent,
                                                        .inverse = truncated_inverse,
                                                        .jumps = true};

/* ---- flipped-huber(alpha,gamma): 2 alpha x/2gamma^2 for x <= alpha, (x^2 + alpha^2)/2gamma^2 beyond ---- */

enum { KNEE, LINEAR, SQUARE, CONSTANT };

static void knee_prepare(dpn_density *density) {
    double unit = 1 / in_units(density, density->parameter[1]);
    double ratio = density->parameter[0] / density->parameter[1];
    density->number[KNEE] = in_units(density, density->parameter[0]);
    density->number[LINEAR] = ratio * unit;
    density->number[SQUARE] = 0.5 * unit * unit;
    density->number[CONSTANT] = 0.5 * ratio * ratio;
}

static double flipped_exponent(const dpn_density *density, double x) {
    const double *number = density->number;
    return x <= number[KNEE] ? number[LINEAR] * x : number[SQUARE] * x * x + number[CONSTANT];
}

static bool flipped_inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide alpha = parameter(density, how, 0), bottom = twice_square(density, how, 1), top;
    if (dpn_wide_compare(how, x, &alpha) <= 0) {
        top = dpn_wide_scale(dpn_wide_multiply(how, &alpha, x), 1);
    } else {
        dpn_wide x2 = dpn_wide_multiply(how, x, x), alpha2 = dpn_wide_multiply(how, &alpha, &alpha);
        top = dpn_wide_add(how, &x2, &alpha2);
    }
    return exp_quotient(how, &top, &bottom, out);
}

const dpn_density_kind dpn_density_flipped_huber = {
    .family = "flipped-huber", .prepare = knee_prepare, .exponent = flipped_exponent, .inverse = flipped_inverse};

/* ---- huber(alpha,gamma): x^2/2gamma^2 for x <= alpha, alpha (2x - alpha)/2gamma^2 beyond ---- */

static double huber_exponent(const dpn_density *density, double x) {
    const double *number = density->number;
    return x <= number[KNEE] ? number[SQUARE] * x * x : number[LINEAR] * x - number[CONSTANT];
}

static bool huber_inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide alpha = parameter(density, how, 0), bottom = twice_square(density, how, 1), top;
    if (dpn_wide_compare(how, x, &alpha) <= 0) {
        top = dpn_wide_multiply(how, x, x);
    } else {
        dpn_wide twice_x = dpn_wide_scale(*x, 1), difference = dpn_wide_subtract(how, &twice_x, &alpha);
        top = dpn_wide_multiply(how, &alpha, &difference);
    }
    return exp_quotient(how, &top, &bottom, out);
}

const dpn_density_kind dpn_density_huber = {
    .family = "huber", .prepare = knee_prepare, .exponent = huber_exponent, .inverse = huber_inverse};

/* ---- osgt(m,sigma): x (x + 2m)/2sigma^2 ---- */

static double osgt_exponent(const dpn_density *density, double x) {
    return (density->number[SQUARE] * x + density->number[LINEAR]) * x;
}

static bool osgt_inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide twice_m = dpn_wide_scale(parameter(density, how, 0), 1), bottom = twice_square(density, how, 1);
    dpn_wide sum = dpn_wide_add(how, x, &twice_m), top = dpn_wide_multiply(how, x, &sum);
    return exp_quotient(how, &top, &bottom, out);
}

const dpn_density_kind dpn_density_osgt = {
    .family = "osgt", .prepare = knee_prepare, .exponent = osgt_exponent, .inverse = osgt_inverse};
