/* K-norm noise of an l2 ball: what one coordinate gets. */
#include "calibrate/l2-noise.h"

#include "law/special.h"
#include "privacy/loss/loss.h"

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

/* ---- with a delta ---- */

/* log delta over the one asked for, of `times` releases. */
static double height(const dpn_problem *p, size_t m, double epsilon) {
    dpn_loss loss;
    dpn_delta delta;
    if (dpn_loss_l2(&loss, epsilon, m, NULL)) return NAN;
    dpn_part part = {loss, p->times};
    if (dpn_compose_delta(&delta, p->options.workspace, &part, 1, p->epsilon, NULL, NULL)) return NAN;
    return delta.upper > 0 ? delta.log_upper - log(p->delta) : -INFINITY;
}

/* Whether moments of the loss show that the guarantee holds: (1 - e^(e-L))_+ <= e^(theta (L - e)) theta^theta/(1 + theta)^(1 + theta). */
static bool moments_hold(const dpn_problem *p, size_t m, double epsilon) {
    dpn_loss loss;
    if (dpn_loss_l2(&loss, epsilon, m, NULL) || !loss.kind->cumulant) return false;
    for (double theta = 0.25; theta < 1e5; theta *= 1.3) {
        double lower, upper;
        if (loss.kind->cumulant(&lower, &upper, &loss, theta, NULL)) return false;
        double bound = (double)p->times * upper - theta * p->epsilon + theta * log(theta) - (1 + theta) * log1p(theta);
        if (bound <= log(p->delta)) return true;
    }
    return false;
}

/* Next to the largest loss a composition is slow: begin where moments are enough. */
static double enough(const dpn_problem *p, size_t m, double least) {
    double low = log(least), step = 0.5;
    for (int i = 0; i < 24 && p->times > 1; i++)
        if (moments_hold(p, m, exp(low + step)))
            low += step;
        else
            step *= 0.5;
    return exp(low);
}

/* delta grows with epsilon: a bracket, and then chords of log delta in log epsilon, or halves. */
double dpn_l2_noise_epsilon(const dpn_problem *p, size_t m, double least) {
    enum { DOUBLINGS = 60, STEPS = 60 };
    if (p->delta == 0 || m < 2) return 0;
    double start = enough(p, m, least), low = log(start), high = low, below = height(p, m, start), above = below;
    for (int i = 0; i < DOUBLINGS && above <= 0; i++) {
        low = high;
        below = above;
        high += p->times > 1 ? 0.1 : 0.7;
        above = height(p, m, exp(high));
    }
    if (!(below <= 0 && above > 0)) return 0;
    /* Just below: as near as the interval of delta is narrow. */
    double near = p->times > 1 ? 2e-5 : 1e-9;
    for (int i = 0; i < STEPS && below < -near && high - low > 1e-13; i++) {
        double chord = low + (high - low) * (-0.5 * near - below) / (above - below), x = 0.5 * (low + high);
        if (i % 4 < 3 && isfinite(below) && chord > low && chord < high) x = chord;
        double here = height(p, m, exp(x));
        if (isnan(here)) break;
        *(here <= 0 ? &low : &high) = x;
        *(here <= 0 ? &below : &above) = here;
    }
    return exp(low) > least ? exp(low) : 0;
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
