/* The moment generating function of the Subbotin law.
 *
 * In units of the scale, with tau > 0 and u > 0, the exponent is tau u - u^p/p. It is largest at peak = tau^(1/(p-1)),
 * where it is top = tau peak (p-1)/p. The other half of cosh is the same with -tau, and smaller.
 */
#include "law/subbotin-mgf.h"
#include "law/tanh-sinh.h"

#define SERIES_TO 0.5 /* the terms fall at least as fast as SERIES_TO^2k */
#define CUT 45.0      /* what lies beyond a fall of the exponent by this much is e^-CUT of the integral, by convexity */
#define ALONE 1e18 /* the logarithm of the integral is at most about a thousand: a top beyond this leaves it no digit */

/* p^(n/p) Gamma((n+1)/p)/Gamma(1/p)/n!. */
double dpn_subbotin_moment(double p, int n) {
    return pow(p, n / p) * tgamma(1 + (n + 1) / p) / tgamma(1 + 1 / p) / tgamma(n + 2);
}

/* The sum over k >= 1 of tau^2k E u^2k/(2k)!. */
static double series(double p, double tau) {
    double power = 1, sum = 0, term;
    int n = 0;
    do {
        n += 2;
        power *= tau * tau;
        term = power * dpn_subbotin_moment(p, n);
        sum += term;
    } while (term > 1e-17 * sum);
    return sum;
}

/* Both functions below are of the distance x from the point where the integration starts. */
typedef struct tilted {
    double p, rise; /* rise = p - 1, which is exact */
    double gap;     /* 1 - tau */
    double top;
    double side; /* 1 to the right of the peak, -1 to the left */
} tilted;

/* u^p/p - tau u: near p = 1 both terms are nearly u, so 1 is taken out of u^(p-1)/p and of tau. */
static double fall_from_zero(const tilted *f, double u) {
    return u * ((expm1(f->rise * log(u)) - f->rise) / f->p + f->gap);
}

static double from_zero(const void *context, double u) {
    return exp(-fall_from_zero(context, u));
}

/* What the exponent lacks to the top at u = peak (1 + y), y = side x. */
static double fall_from_peak(const tilted *f, double x) {
    double y = f->side * x;
    return y <= -1 ? f->top : f->top * ((1 + y) * expm1(f->rise * log1p(y)) / f->rise - y);
}

static double from_peak(const void *context, double x) {
    return exp(-fall_from_peak(context, x));
}

/* A point where the fall is between CUT and 2 CUT. It is convex and ends above CUT. */
static double cut(double (*fall)(const tilted *f, double x), const tilted *f) {
    double near = 0, far = 1;
    while (fall(f, far) < CUT) far *= 2;
    while (fall(f, far) > 2 * CUT) {
        double middle = 0.5 * (near + far);
        if (fall(f, middle) < CUT)
            near = middle;
        else
            far = middle;
    }
    return far;
}

/* int_0^inf exp(tau u - u^p/p) du for tau = 1 - gap < 1, where the top is below 1. */
static double integral_from_zero(double p, double gap) {
    tilted f = {.p = p, .rise = p - 1, .gap = gap};
    return dpn_integrate(from_zero, &f, cut(fall_from_zero, &f));
}

/* The same integral divided by e^top and by the peak. */
static double integral_from_peak(double p, double top) {
    tilted right = {.p = p, .rise = p - 1, .top = top, .side = 1}, left = right;
    left.side = -1;
    return dpn_integrate(from_peak, &right, cut(fall_from_peak, &right)) +
           dpn_integrate(from_peak, &left, top < 2 * CUT ? 1 : cut(fall_from_peak, &left));
}

/* For tau >= 1, so that the peak is not below 1. It may overflow where the top does not, so its root is taken. */
static double log_mgf_from_one(double p, double centre, dpn_twofold tau) {
    dpn_twofold inverse = dpn_two_quotient(1, p - 1);
    double correction = inverse.hi * (tau.lo / tau.hi) + inverse.lo * log(tau.hi);
    double root = pow(tau.hi, 0.5 * inverse.hi) * exp(0.5 * correction);
    double top = root * ((p - 1) / p) * root * tau.hi;
    if (!(top < ALONE)) return top;
    double other = top < CUT ? exp(-top) * integral_from_zero(p, 1 + tau.hi) / root / root : 0;
    return top + (2 * log(root) + log(centre * (integral_from_peak(p, top) + other)));
}

double dpn_subbotin_log_mgf(double p, dpn_twofold tau) {
    if (tau.hi <= SERIES_TO) return log1p(series(p, tau.hi));
    double centre = 0.5 / (pow(p, 1 / p) * tgamma(1 + 1 / p));
    double gap = dpn_two_value(dpn_two_subtract(dpn_two(1), tau));
    if (gap <= 0) return log_mgf_from_one(p, centre, tau);
    return log(centre * (integral_from_zero(p, gap) + integral_from_zero(p, 1 + tau.hi)));
}
