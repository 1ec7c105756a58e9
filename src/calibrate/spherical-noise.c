/* Spherical noise: what one coordinate gets. */
#include "calibrate/spherical-noise.h"

#include "law/special.h"

#include <float.h>
#include <math.h>

/* exp(-alpha r) is proportional to the integral of v^(-1/2) exp(-r^2/2v - alpha^2 v/2) over v > 0, so that the noise is normal of the variance
 * 1/(1/v + beta), v = e^u having the weight below; its logarithm is concave in u. */
typedef struct mixture {
    double m, alpha, beta;
} mixture;

static double log_weight(const mixture *x, double u) {
    double v = exp(u);
    return 0.5 * x->m * (u - log1p(x->beta * v)) + 0.5 * u - 0.5 * x->alpha * x->alpha * v;
}

static double variance_at(const mixture *x, double u) {
    double v = exp(u);
    return v / (1 + x->beta * v);
}

/* Where the weight is largest: m/(1 + beta v) + 1 = alpha^2 v. */
static double mode_of(const mixture *x) {
    double low = -2 * log(x->alpha), high = low + log(1 + x->m);
    for (int i = 0; i < 60; i++) {
        double u = 0.5 * (low + high), v = exp(u);
        *(x->m / (1 + x->beta * v) + 1 > x->alpha * x->alpha * v ? &low : &high) = u;
    }
    return 0.5 * (low + high);
}

/* How far from the mode the weight has fallen to e^-60, on one side. */
static double reach(const mixture *x, double mode, double side) {
    double far = 0.01, top = log_weight(x, mode);
    while (log_weight(x, mode + side * far) > top - 60 && far < 1e4) far *= 1.25;
    return far;
}

/* E h, by trapezoid sums, which converge faster than any power of the step. */
static double mean_of(const mixture *x, double (*h)(double variance, double t), double t) {
    enum { STEPS = 600 };
    double mode = mode_of(x), left = reach(x, mode, -1), right = reach(x, mode, 1), step = (left + right) / STEPS,
           top = log_weight(x, mode), sum = 0, weights = 0;
    for (int i = 0; i <= STEPS; i++) {
        double u = mode - left + i * step, weight = exp(log_weight(x, u) - top);
        weights += weight;
        sum += weight * h(variance_at(x, u), t);
    }
    return sum / weights;
}

static double tail(double variance, double t) {
    return exp(dpn_log_q(t / sqrt(variance)));
}

static double root(double variance, double t) {
    (void)t;
    return sqrt(variance);
}

static double itself(double variance, double t) {
    (void)t;
    return variance;
}

double dpn_spherical_sf(double m, double alpha, double beta, double t) {
    mixture x = {m, alpha, beta};
    return mean_of(&x, tail, t);
}

double dpn_spherical_error(double m, double alpha, double beta, dpn_objective objective) {
    mixture x = {m, alpha, beta};
    double mse = mean_of(&x, itself, 0);
    if (objective == DPN_OBJECTIVE_MSE) return mse;
    if (objective == DPN_OBJECTIVE_MAE) return 0.7978845608028654 * mean_of(&x, root, 0); /* sqrt(2/pi) */
    double low = 0, high = 20 * sqrt(mse);                                                /* Chebyshev */
    while (high - low > 1e-14 * high) {
        double t = 0.5 * (low + high);
        *(mean_of(&x, tail, t) > 0.025 ? &low : &high) = t;
    }
    return high;
}
