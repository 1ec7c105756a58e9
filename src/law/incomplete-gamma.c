/* The incomplete gamma functions of order 0 < a <= 1. */
#include "law/incomplete-gamma.h"

#include <math.h>

/* Enough terms that the first one left out, which is below z^n/n!, is below 2^-53 e^z at z = DPN_GAMMA_SERIES_TO. */
#define SERIES_TERMS 22

/* The nested sum 1 + z/(a+1) (1 + z/(a+2) (1 + ...)) as one fraction, two terms at a time: all terms are positive, and
 * the only division is the last one. */
double dpn_gamma_lower_scaled(double a, double z) {
    double square = z * z, numerator = 1, denominator = 1;
    for (int n = SERIES_TERMS - 1; n > 0; n -= 2) {
        double near = a + n, far = near + 1;
        numerator = far * (near + z) * denominator + square * numerator;
        denominator *= near * far;
    }
    return numerator / denominator;
}

/* The depth n from which the continued fraction below gives 1e-15, found by trial. It takes few values, so that
 * processors can predict the length of the loop. */
static double depth(double z) {
    if (z < 2.25) return 42;
    if (z < 4) return 22;
    if (z < 8) return 16;
    return z < 20 ? 10 : 6;
}

/* r_n of r_n = z + 2n+1 - a - (n+1)(n+1-a)/r_(n+1): the first terms of its expansion in powers of 1/sqrt(n). */
static double remainder_at(double a, double z, double n) {
    double m = n + 1 - 0.5 * a;
    double square = (m - 0.5) * z + 0.25 * (z * z + a * a) - 0.0625;
    return m - 0.75 + 0.5 * z + sqrt(square) + (z * z - a * a + 0.25) / (16 * square);
}

/* 1/r_0: Legendre's continued fraction, two of its terms taken together. Backwards from the depth r_n = y_n/y_(n+1)
 * with y_(n-1) = (z + 2n-1 - a) y_n - n(n-a) y_(n+1), which needs no division. */
double dpn_gamma_upper_scaled(double a, double z) {
    double n = depth(z), here = remainder_at(a, z, n), after = 1;
    for (; n > 0; n--) {
        double before = (z - a + (2 * n - 1)) * here - n * (n - a) * after;
        after = here;
        here = before;
    }
    return after / here;
}

/* The sum over n >= 1 of (-z)^n/(n! (a+n)) for z <= 1. */
static double alternating(double a, double z) {
    double power = 1, sum = 0;
    for (int n = 1; power > 1e-18; n++) {
        power *= z / n;
        sum += (n % 2 ? -power : power) / (a + n);
    }
    return sum;
}

/* What is left of upper(a,1) = Gamma(a) - 1/a - alternating(a,1): no digit is lost for small a. */
double dpn_gamma_excess(double a) {
    return exp(-1) * dpn_gamma_upper_scaled(a, 1) + alternating(a, 1);
}

/* upper(a,z) = Gamma(a) - z^a (1/a + alternating(a,z)). */
double dpn_gamma_upper_below_one(double a, double z, double log_power, double excess) {
    return excess - expm1(log_power) / a - exp(log_power) * alternating(a, z);
}
