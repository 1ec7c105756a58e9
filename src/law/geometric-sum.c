/* Finite geometric sums. */
#include "law/geometric-sum.h"

#include "law/bernoulli.h"

#include <math.h>

/* beta(x) and its derivative for |x| <= 1/2, to 2^-53 of the derivative. */
static void bernoulli_series(double x, double *value, double *slope) {
    double sum = 0, derivative = 0;
    for (int p = DPN_BERNOULLI_TERMS - 1; p >= 0; p--) {
        sum = sum * x * x + dpn_bernoulli[p];
        derivative = derivative * x * x + (2 * p + 1) * dpn_bernoulli[p];
    }
    *value = sum * x;
    *slope = derivative;
}

/* sum over 0 <= j < n of exp(-a j). */
static double geometric(double a, double n) {
    return a == 0 ? n : expm1(-n * a) / expm1(-a);
}

/* Under these weights j has mean 1/(e^a - 1) - n/(e^(na) - 1) and, minus its derivative by a, variance. For small n a
 * the poles at 0 cancel: 1/(e^x - 1) = 1/x - 1/2 + beta(x) leaves them out. */
dpn_power_sums dpn_geometric_powers(double a, double n) {
    enum { FEW = 16 }; /* of few terms the differences below leave little */
    double mean, variance;
    if (n <= FEW) {
        dpn_power_sums few = {0, 0, 0};
        for (double j = n - 1; j >= 0; j--) { /* the smallest first */
            double weight = exp(-a * j);
            few.zeroth += weight;
            few.first += j * weight;
            few.second += j * j * weight;
        }
        return few;
    }
    if (n * a < 0.5) {
        double whole, whole_slope, one, one_slope;
        bernoulli_series(n * a, &whole, &whole_slope);
        bernoulli_series(a, &one, &one_slope);
        mean = 0.5 * (n - 1) - (n * whole - one);
        variance = n * n * whole_slope - one_slope;
    } else {
        double one = -expm1(-a), whole = -expm1(-n * a);
        double first = n * exp(-n * a) / whole;
        mean = exp(-a) / one - first;
        variance = exp(-a) / one / one - first * (n / whole);
    }
    double sum = geometric(a, n);
    return (dpn_power_sums){sum, sum * mean, sum * (mean * mean + variance)};
}

dpn_tail dpn_geometric_tilted(dpn_twofold d, double n) {
    dpn_twofold first = d.hi >= 0 ? d : dpn_two_multiply(d, dpn_two(n)); /* the exponent of the largest term */
    return (dpn_tail){geometric(fabs(dpn_two_value(d)), n), first};
}
