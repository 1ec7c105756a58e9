/* Renyi divergences of noise on the integers. */
#include "privacy/renyi/integers.h"

#include "law/facts.h"
#include "privacy/interval.h"
#include "privacy/profile/smooth-sum.h"
#include "privacy/renyi/terms.h"

#include <float.h>
#include <math.h>

/* The most atoms of discrete Laplace noise that are added one by one. */
enum { FEW_ATOMS = 1 << 13 };

/* ---- discrete Gaussian: theta functions ----
 * With x = theta d and N(a) = sum over k of exp(-(k-a)^2/2 sigma^2) the divergence is (1+theta) d^2/2 sigma^2 +
 * log(N(x)/N(0))/theta. N has period 1; let x = n + f, n whole, |f| <= 1/2.
 */

/* log N(f)/N(0) by Poisson's formula, which converges fast for sigma >= 1/2. */
static double log_ratio_dual(double sigma, double f) {
    double below = 0, total = 1;
    for (int n = 1; n < 40; n++) {
        double e = exp(-2 * DPN_PI * DPN_PI * sigma * sigma * n * n), half = sin(DPN_PI * n * f);
        below += 4 * e * half * half;
        total += 2 * e;
        if (e < 1e-20) break;
    }
    return log1p(-below / total);
}

/* log N(f)/N(0) + f^2/2 sigma^2 >= 0, term by term. */
static double log_ratio_direct(double sigma, double f) {
    double above = 0, total = 1, h = 0.5 / (sigma * sigma);
    for (int k = 1; k < 40; k++) {
        double e = exp(-h * k * k), x = 2 * h * k * fabs(f), rise = -expm1(-x);
        above += exp(x - h * k * k) * rise * rise; /* e (2 cosh x - 2) */
        total += 2 * e;
        if (x - h * k * k < -50) break;
    }
    return log1p(above / total);
}

static dpn_growth gaussian(double sigma, double d, double theta) {
    dpn_twofold x = dpn_two_product(theta, d);
    double n = round(x.hi), f = dpn_two_value(dpn_two_subtract(x, dpn_two(n)));
    double a = d / sigma, half_square = 0.5 * a * a;
    if (theta == 0) return (dpn_growth){half_square, 8 * DBL_EPSILON};
    if (sigma >= 0.5) {
        double below = log_ratio_dual(sigma, f) / theta, value = (1 + theta) * half_square + below;
        return (dpn_growth){value, 16 * DBL_EPSILON * ((1 + theta) * half_square - below) / value};
    }
    /* ((1+theta) theta d^2 - f^2)/theta = d^2 + n (x + f)/theta: nothing cancels. */
    double b = 1 / sigma, crossed = 0.5 * b * b * (n * (dpn_two_value(x) + f)) / theta;
    double rest = log_ratio_direct(sigma, f) / theta, value = half_square + crossed + rest;
    return (dpn_growth){value, 64 * DBL_EPSILON * (1 + b * b * rest / value)}; /* exponents of the size b^2 */
}

/* ---- discrete Laplace: a geometric series ----
 * With r = 1/scale the loss is r d on k >= 0, r (d - 2j) at k = -j, 0 < j < d, and -r d beyond.
 */
typedef struct ladder {
    double rate, shift, theta;
} ladder;

static double gain_at(const void *context, double j) {
    const ladder *at = context;
    double half = 2 * j == at->shift ? 0.5 : 1;
    return half * exp(-at->rate * j) * dpn_tilted_gain(at->theta, at->rate * (at->shift - 2 * j));
}

/* Where M is near 1: the gains of 0 < j <= d/2 and of the atom at r d. */
static dpn_growth weak_laplace(double r, double d, double theta) {
    double fall = -expm1(-r), atom = dpn_tilted_gain(theta, r * d) / fall, last = floor(0.5 * d);
    ladder at = {r, d, theta};
    dpn_summand summand = {gain_at, &at, true};
    dpn_smooth_total total = {0, 0, 4000};
    bool few = last < FEW_ATOMS;
    for (double j = 1; few && j <= last; j++) total.sum += gain_at(&at, j);
    double piece = ceil(fmax(1, 1 / (r * (1 + theta)))); /* over which the summand changes little */
    for (double j = 1; !few && j <= last && total.budget > 0; j += piece)
        dpn_smooth_add(&total, &summand, j, fmin(j + piece, last + 1), 0);
    if (total.budget <= 0) return (dpn_growth){INFINITY, INFINITY};
    double sum = atom + total.sum, error = few ? 1e-12 : DPN_SMOOTH_ERROR + 10 * total.error / sum;
    return (dpn_growth){dpn_tilted_of_gain(theta, sum * fall / (1 + exp(-r))), error};
}

/* M = e^(theta r d) (1 + e^(-(1+2 theta) r d) + (1 - e^-r) sum over 0 < j < d of e^(-(1+2 theta) r j))/(1 + e^-r). */
static dpn_growth laplace(double scale, double d, double theta) {
    double r = 1 / scale, largest = r * d, rest = (1 + 2 * theta) * r;
    double inner = d > 1 ? exp(-rest) * expm1(-rest * (d - 1)) / expm1(-rest) : 0;
    double log_mass = log((1 + exp(-rest * d) - expm1(-r) * inner) / (1 + exp(-r)));
    double cumulant = theta * largest + log_mass;
    if (cumulant >= DPN_WEAK)
        return (dpn_growth){cumulant / theta, 1e-12 + 64 * DBL_EPSILON * (theta * largest - log_mass) / cumulant};
    return weak_laplace(r, d, theta);
}

dpn_growth dpn_integers_divergence(const dpn_law *law, double shift, double theta) {
    double sigma = dpn_psi_gaussian(law), scale = dpn_psi_laplace(law);
    if (sigma > 0) return gaussian(sigma, shift, theta);
    if (scale > 0) return laplace(scale, shift, theta);
    return dpn_terms_divergence(law, shift, theta);
}
