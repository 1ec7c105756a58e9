/* Concentration sets and depth of K-norm noise: the norm of the noise is a Gamma variable (Awan and Slavkovic, Lemma 3.4).
 * docs/proofs/geometry/depth.md */
#include "geometry/ball.h"

#include <math.h>

/* Both tails of Gamma(m, 1) at x >= 0: sums of Poisson probabilities, P(Gamma(m) > x) = P(Poisson(x) < m). Each is summed from
 * its largest term, and what is above 1/2 is taken from the other. */
typedef struct tails {
    double lower, upper;
} tails;

static double log_poisson(double x, double k) {
    return k * log(x) - x - dpn_log_gamma(k + 1);
}

static tails gamma_tails(double m, double x) {
    if (!(x > 0)) return (tails){0, 1};
    if (isinf(x)) return (tails){1, 0};
    double sum = 0, term = 1;
    if (x < m) { /* terms k = m, m + 1, ... fall by x/(k + 1) */
        for (double k = m; term > 1e-18 * sum; k++) {
            sum += term;
            term *= x / (k + 1);
        }
        sum = fmin(sum * exp(log_poisson(x, m)), 1);
        return (tails){sum, 1 - sum};
    }
    for (double k = m - 1; k >= 0 && term > 1e-18 * sum; k--) { /* k = m - 1, m - 2, ... fall by k/x */
        sum += term;
        term *= k / x;
    }
    sum = fmin(sum * exp(log_poisson(x, m - 1)), 1);
    return (tails){1 - sum, sum};
}

double dpn_knorm_depth(const dpn_norm_ball *ball, double scale, const double *x) {
    double norm = dpn_ball_norm(ball, x);
    if (!(scale > 0) || isnan(norm)) return NAN;
    return gamma_tails((double)dpn_ball_dimension(ball), norm / scale).upper;
}

/* Whether the ball of radius t has the probability, in the tail that is the smaller one: 1 - probability is exact from 1/2 on. */
static bool holds(double m, double t, double probability) {
    tails at = gamma_tails(m, t);
    return probability < 0.5 ? at.lower >= probability : at.upper <= 1 - probability;
}

double dpn_knorm_radius(size_t dimension, double scale, double probability) {
    double m = (double)dimension, low = 0, high = m;
    if (dimension == 0 || !(scale > 0) || !(probability >= 0 && probability <= 1)) return NAN;
    if (probability == 0) return 0;
    if (probability == 1) return INFINITY;
    while (!holds(m, high, probability)) {
        low = high;
        high *= 2;
    }
    while (high > 1e-300) {
        double middle = low > 0 ? low + 0.5 * (high - low) : 0.5 * high;
        if (!(middle > low && middle < high)) break;
        if (holds(m, middle, probability))
            high = middle;
        else
            low = middle;
    }
    return scale * high;
}

dpn_test_power dpn_knorm_power(double epsilon, double level) {
    if (!(epsilon >= 0) || !(level >= 0 && level <= 1)) return (dpn_test_power){NAN, NAN};
    double printed = fmin(level * exp(epsilon), 1);
    return (dpn_test_power){printed, fmin(printed, 1 - exp(-epsilon) * (1 - level))};
}
