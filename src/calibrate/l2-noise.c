/* K-norm noise of an l2 ball: what one coordinate gets. */
#include "calibrate/l2-noise.h"

#include "law/special.h"

#include <float.h>
#include <math.h>

/* E h(Y), Y of the law Gamma(a): in s = log y - log a the density is proportional to exp(a (s - e^s + 1)), whose trapezoid
 * sums converge faster than any power of the step. The reach is where it has fallen to about e^-60; to the left it may be
 * a line of slope a. */
static double mean_of(double a, double (*h)(double y, double t), double t) {
    enum { STEPS = 400 };
    double right = fmin(12 / sqrt(a), log(1 + 80 / a) + sqrt(120 / a)), left = fmax(12 / sqrt(a), a < 20 ? 70 / a : 0);
    double step = (left + right) / STEPS, sum = 0, weights = 0;
    for (int i = 0; i <= STEPS; i++) {
        double s = -left + i * step, weight = exp(a * (s - expm1(s)));
        weights += weight;
        sum += weight * h(a * exp(s), t);
    }
    return sum / weights;
}

static double tail(double y, double t) {
    return exp(dpn_log_q(t / sqrt(2 * y)));
}

static double root(double y, double t) {
    (void)t;
    return sqrt(y);
}

double dpn_l2_noise_sf(double m, double t) {
    return mean_of(0.5 * (m + 1), tail, t);
}

static double half_width(double m) {
    double low = 0, high = 20 * sqrt(m + 1); /* Chebyshev */
    while (high - low > 4 * DBL_EPSILON * high) {
        double t = 0.5 * (low + high);
        if (!(t > low && t < high)) break;
        *(dpn_l2_noise_sf(m, t) > 0.025 ? &low : &high) = t;
    }
    return high;
}

double dpn_l2_noise_error(double m, dpn_objective objective) {
    switch (objective) {
    case DPN_OBJECTIVE_MAE:
        return 1.1283791670955126 * mean_of(0.5 * (m + 1), root, 0); /* 2/sqrt(pi) */
    case DPN_OBJECTIVE_INTERVAL95:
        return half_width(m);
    default:
        return m + 1;
    }
}
