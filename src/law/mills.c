/* The Mills ratio M(x) and the moments that belong to it. */
#include "law/special.h"

/* M(x) (x + 0.8) as a polynomial in q = (x - 4)/(x + 4), which maps [0, inf] to [-1, 1]: the Chebyshev series of 26
 * terms, computed with 40 digits from 120 nodes and written in powers. The magnitudes of the coefficients sum to 1.6,
 * so that powers lose nothing against Chebyshev polynomials (Shepherd, Laframboise 1981 treat erfcx in this way). */
static const double coefficient[] = {
    1.1359314379850913,     -0.15697492116859568,   -0.027262631407441337,   0.10763924414801021,
    -0.09618132781181868,   0.04921643440874069,    -0.012793557510140673,   -0.0010362047122705411,
    0.0018356890508992344,  -0.0002138636460033106, -0.00023457772979150723, 5.094368648632564e-05,
    3.6316308812533816e-05, -8.185965103013986e-06, -6.884993647910951e-06,  9.066139363703229e-07,
    1.4379493296394334e-06, 3.749579598155308e-08,  -2.91542532940821e-07,   -6.478439898748613e-08,
    5.0582934794769204e-08, 2.344593634168753e-08,  -6.376513556421283e-09,  -4.955489589228303e-09,
    4.2101930168884116e-10, 5.067550797326891e-10,
};

/* Four interleaved Horner schemes in q^4 keep the processor busy. */
static double mills_positive(double x) {
    const double *c = coefficient;
    double q = x < INFINITY ? (x - 4) / (x + 4) : 1;
    double q2 = q * q, q4 = q2 * q2;
    double a0 = c[24], a1 = c[25], a2 = c[22], a3 = c[23];
    for (int i = 20; i >= 4; i -= 4) {
        a0 = a0 * q4 + c[i];
        a1 = a1 * q4 + c[i + 1];
        a2 = a2 * q4 + c[i - 2];
        a3 = a3 * q4 + c[i - 1];
    }
    a0 = a0 * q4 + c[0];
    a1 = a1 * q4 + c[1];
    return ((a0 + q2 * a2) + q * (a1 + q2 * a3)) / (x + 0.8);
}

/* Below zero M(x) = sqrt(2 pi) e^(x^2/2) - M(-x). */
double dpn_mills(double x) {
    if (!(x < 0)) return mills_positive(x);
    dpn_twofold y = dpn_two_product(x, 0.5 * x);
    double e = exp(y.hi);
    if (e == INFINITY) return e;
    return DPN_SQRT_2PI * (e + e * y.lo) - mills_positive(-x);
}

/* From here on 1 - x M(x) is taken from the continued fraction; below it cancels less than two bits. */
#define FRACTION_FROM 1.25

/* I_2/I_1 = 2/(x + 3/(x + 4/(x + ...))), started deep inside at the fixed point of r -> x + n/r. The depth is what
 * 2^-55 takes, found by trial between 1 and 1000, and a little more. */
static double fraction(double x) {
    int depth = 12 + (int)((30 + 280 / x) / x);
    double rest = 0.5 * (x + sqrt(x * x + 4 * depth));
    for (int n = depth; n >= 3; n--) rest = x + n / rest;
    return 2 / rest;
}

double dpn_mills_gap(double x) {
    return x >= FRACTION_FROM ? dpn_mills(x) / (x + fraction(x)) : 1 - x * dpn_mills(x);
}

double dpn_mills_mean(double x) {
    return x >= FRACTION_FROM ? 1 / (x + fraction(x)) : 1 / dpn_mills(x) - x;
}

double dpn_mills_square(double x) {
    if (!(x >= FRACTION_FROM)) return 1 - x * dpn_mills_mean(x);
    double next = fraction(x);
    return next / (x + next);
}
