/* logistic(scale): density 1/(4 scale cosh^2(t/2scale)). */
#include "law/family.h"

#include <float.h>

#define SCALE law->parameter[0]
#define LOG_2 0.693147180559945309417232121458176568
#define PI 3.14159265358979323846264338327950288

static const char *refuse(const double *parameter) {
    return dpn_scale_ok(parameter[0]) ? NULL : "scale must lie in [1e-150, 1e150]";
}

static void prepare(dpn_law *law) {
    law->constant[DPN_PDF0] = 0.25 / SCALE;
    law->constant[DPN_LOG_PDF0] = -log(SCALE) - 2 * LOG_2;
}

/* 2 log cosh(x/2), x = t/scale: near 0 by cosh(x/2) = 1 + 2 sinh^2(x/4), beyond as x + 2 log(1 + e^-x) - 2 log 2. */
static dpn_twofold psi(const dpn_law *law, double t) {
    dpn_twofold x = dpn_two_quotient(t, SCALE);
    if (x.hi < 2) {
        double s = sinh(0.25 * x.hi);
        return dpn_two(2 * log1p(2 * s * s));
    }
    return dpn_two_add(x, dpn_two(2 * (log1p(exp(-x.hi)) - LOG_2)));
}

/* 1/(1 + e^x) = e^-x/(1 + e^-x). */
static dpn_tail tail(const dpn_law *law, double t) {
    dpn_twofold x = dpn_two_quotient(t, SCALE);
    return (dpn_tail){1 / (1 + exp(-x.hi)), x};
}

/* log((1-p)/p), near the centre 2 atanh(1 - 2p) by the exact 1/2 - p. */
static double tail_inverse(const dpn_law *law, double p) {
    return SCALE * (p >= 0.25 ? 2 * atanh(2 * (0.5 - p)) : log1p(-p) - log(p));
}

static double variance(const dpn_law *law) {
    return PI * PI / 3 * SCALE * SCALE;
}

static double mean_abs(const dpn_law *law) {
    return 2 * LOG_2 * SCALE;
}

static double fisher(const dpn_law *law) {
    return 1 / SCALE / SCALE / 3;
}

static double entropy(const dpn_law *law) {
    return log(SCALE) + 2;
}

static double mgf_bound(const dpn_law *law) {
    return 1 / SCALE;
}

/* log(pi v/sin(pi v)), v = s scale: beyond 1/2 by the sine of pi (1 - v), which keeps its digits because v is twofold. */
static double log_mgf(const dpn_law *law, double s) {
    dpn_twofold v = dpn_two_product(s, SCALE);
    double gap = dpn_two_value(dpn_two_subtract(dpn_two(1), v));
    if (gap <= 0) return INFINITY;
    if (v.hi < DBL_MIN) return 0;
    return log(PI * v.hi / sin(PI * (v.hi < 0.5 ? v.hi : gap)));
}

/* psi' = tanh(t/2scale)/scale. */
static dpn_slope slope(const dpn_law *law) {
    return (dpn_slope){1, {SCALE, 1}};
}

/* cosh^2(t/2scale) = (e + 2 + 1/e)/4 with e = exp(t/scale), which increases for e >= 1. A bound of e gives one of e + 1/e,
 * if 1/e is rounded the same way. */
static bool inverse(const dpn_law *law, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide scale = dpn_wide_double(how, SCALE), t = dpn_wide_divide(how, x, &scale), e;
    if (!dpn_wide_exp(&e, how, &t)) return false;
    dpn_wide one = dpn_wide_integer(how, 1), two = dpn_wide_integer(how, 2);
    dpn_wide back = dpn_wide_divide(how, &one, &e), sum = dpn_wide_add(how, &e, &back);
    sum = dpn_wide_add(how, &sum, &two);
    *out = dpn_wide_scale(sum, -2);
    return true;
}

const struct dpn_family dpn_logistic = {
    .name = "logistic",
    .parameter = {"scale"},
    .formula = "1/cosh^2(x/2scale)",
    .slope = slope,
    .inverse = inverse,
    .refuse = refuse,
    .prepare = prepare,
    .psi = psi,
    .tail = tail,
    .tail_inverse = tail_inverse,
    .variance = variance,
    .mean_abs = mean_abs,
    .fisher = fisher,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .mgf_bound = mgf_bound,
};
