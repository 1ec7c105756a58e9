/* K-norm noise of a box: what one coordinate gets. */
#include "calibrate/box-noise.h"

#include <float.h>
#include <math.h>

/* log P(N = k), N Poisson of mean t > 0. Few factors are multiplied; else Stirling's series, whose next term is below
 * 1e-16 from there on, in the form that does not cancel where k is near t (Loader 2000). lgamma is not used, because it
 * writes a global. */
static double log_poisson(double k, double t) {
    const double two_pi = 6.283185307179586;
    if (k < 24) {
        double factorial = 1;
        for (double i = 2; i <= k; i++) factorial *= i;
        return k * log(t) - t - log(factorial);
    }
    double square = k * k,
           stirling = (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1 / (1680 * square)) / square) / square) / k;
    double x = (t - k) / k; /* k log(k/t) + t - k = k (x - log(1 + x)) */
    return -k * (x - log1p(x)) - 0.5 * log(two_pi * k) - stirling;
}

/* P(R U > t) = E max(0, 1 - t/R)/2 = sum over k = 0 .. m of (1 - k/m) P(N = k)/2 with N Poisson of mean t, because
 * P(R > t) = P(N <= m) and E(t/R; R > t) = t P(N <= m - 1)/m. No term is negative; the sum begins at the largest
 * probability and goes both ways until the terms do not count. */
double dpn_box_noise_sf(double m, double t) {
    if (!(t > 0)) return 0.5;
    double start = fmin(floor(t), m), log_top = log_poisson(start, t), sum = 0, p = 1;
    for (double k = start; k >= 0; k--) {
        sum += (1 - k / m) * p;
        p *= k / t;
        if (p < DBL_EPSILON * sum / (k + 2)) break;
    }
    p = 1;
    for (double k = start + 1; k < m; k++) {
        p *= t / k;
        sum += (1 - k / m) * p;
        if (p < DBL_EPSILON * sum / (m - k)) break;
    }
    return 0.5 * exp(log_top) * sum;
}

static double half_width(double m) {
    double low = 0, high = 4 * (m + 4); /* E |X| = (m+1)/2, and Markov would do with 20 of that */
    while (high - low > 4 * DBL_EPSILON * high) {
        double t = 0.5 * (low + high);
        if (!(t > low && t < high)) break;
        *(dpn_box_noise_sf(m, t) > 0.025 ? &low : &high) = t;
    }
    return high;
}

double dpn_box_noise_error(double m, dpn_objective objective) {
    switch (objective) {
    case DPN_OBJECTIVE_MAE:
        return 0.5 * (m + 1);
    case DPN_OBJECTIVE_INTERVAL95:
        return half_width(m);
    default:
        return (m + 1) * (m + 2) / 3;
    }
}
