/* Renyi divergences of noise on the integers. */
#include "privacy/renyi/integers.h"

#include "privacy/interval.h"
#include "privacy/renyi/segments.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const dpn_growth unknown = {INFINITY, INFINITY};

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
static dpn_growth laplace(double scale, double d, double theta) {
    double r = 1 / scale, largest = r * d, fall = -expm1(-r), rest = (1 + 2 * theta) * r;
    if (theta * largest > 1) {
        double inner = d > 1 ? exp(-rest) * expm1(-rest * (d - 1)) / expm1(-rest) : 0;
        double log_mass = log((1 + exp(-rest * d) + fall * inner) / (1 + exp(-r)));
        double cumulant = theta * largest + log_mass;
        if (cumulant >= DPN_WEAK)
            return (dpn_growth){cumulant / theta, 1e-12 + 64 * DBL_EPSILON * (theta * largest - log_mass) / cumulant};
    }
    if (d > 2.0 * DPN_MOST_INTEGERS) return unknown;
    dpn_tilt tilt = dpn_tilt_begin(theta, true);
    dpn_tilt_add(&tilt, largest, 0, 1 / fall, 1);
    for (double j = 1; 2 * j <= d; j++)
        dpn_tilt_add(&tilt, r * (d - 2 * j), -r * j, 2 * j == d ? 0.5 : 1, r * j);
    return dpn_tilt_divergence(&tilt, (1 + exp(-r)) / fall, 1e-14);
}

/* ---- discrete flipped Huber and OSGT: term by term ----
 * Past the corner (alpha, or 0) psi(k) and psi(k + d) are one quadratic, and the tilted masses e^(theta L - psi) those of
 * a Gaussian of the law's width around a peak. From 0 to alpha - d the loss of flipped Huber noise is constant and
 * the masses fall. Stretches whose masses are below e^-42 of the largest, and rise or fall throughout, are jumped over.
 */
typedef struct stretch {
    double flat_end, corner, peak, width;
} stretch;

static const double drop = 42, reach = 9.5; /* e^(-reach^2/2) is below e^-drop */

/* The next k to be added after k, whose tilted mass is e^exponent; +inf at the end. */
static double next_term(const stretch *at, double k, double exponent, double top) {
    bool negligible = exponent < top - drop;
    if (k >= at->corner && k + 1 < at->peak - reach * at->width) return floor(at->peak - reach * at->width);
    if (k >= fmax(at->corner, at->peak) && negligible) return INFINITY;
    if (k >= 0 && k + 1 < at->flat_end && negligible) return floor(at->flat_end);
    return k + 1;
}

static dpn_growth sum_of_terms(const dpn_law *law, double d, double theta, stretch at) {
    const struct dpn_family *family = law->family;
    dpn_tilt tilt = dpn_tilt_begin(theta, true);
    double exponent, top = -INFINITY;
    int count = 0;
    for (double k = ceil(-0.5 * d); k < INFINITY; k = next_term(&at, k, exponent, top)) {
        if (++count > DPN_MOST_INTEGERS || fabs(k) + d > 0x1p53) return unknown;
        dpn_twofold here = family->psi(law, fabs(k));
        double loss = dpn_two_value(dpn_two_subtract(family->psi(law, k + d), here)), mass = -dpn_two_value(here);
        dpn_tilt_add(&tilt, loss, mass, 2 * k == -d ? 0.5 : 1, -mass);
        exponent = mass + theta * loss;
        top = fmax(top, exponent);
    }
    /* What was left out is below (4 + width) e^-drop of the whole: geometric series and tails of Gaussians. */
    return dpn_tilt_divergence(&tilt, 1 / law->constant[DPN_PDF0], DPN_PLAIN_ERROR + 1e-17 * (4 + at.width));
}

dpn_growth dpn_integers_divergence(const dpn_law *law, double shift, double theta) {
    const char *family = law->family->name;
    double first = law->parameter[0], second = law->parameter[1], centre = theta * shift;
    if (!strcmp(family, "discrete-gaussian")) return gaussian(first, shift, theta);
    if (!strcmp(family, "discrete-laplace")) return laplace(first, shift, theta);
    if (!strcmp(family, "discrete-osgt"))
        return sum_of_terms(law, shift, theta, (stretch){0, 0, centre - first, second});
    if (!strcmp(family, "discrete-flipped-huber"))
        return sum_of_terms(law, shift, theta, (stretch){first - shift, first, centre, second});
    return unknown;
}
