/* discrete-laplace(scale): probabilities proportional to exp(-|k|/scale); with q = exp(-1/scale) they are
 * q^|k| (1-q)/(1+q). */
#include "law/integer.h"

#define SCALE law->parameter[0]

/* q, 1 - q, and 1/scale as a twofold number. */
enum { RATIO = DPN_FIRST_CONSTANT, GAP, RATE_HI, RATE_LO };
#define GAP_VALUE law->constant[GAP]
#define RATIO_VALUE law->constant[RATIO]

static const char *refuse(const double *parameter) {
    return dpn_integer_scale_ok(parameter[0]) ? NULL : "scale " DPN_INTEGER_SCALE;
}

static dpn_twofold rate(const dpn_law *law) {
    return (dpn_twofold){law->constant[RATE_HI], law->constant[RATE_LO]};
}

static void prepare(dpn_law *law) {
    dpn_twofold inverse = dpn_two_quotient(1, SCALE);
    law->constant[RATE_HI] = inverse.hi;
    law->constant[RATE_LO] = inverse.lo;
    law->constant[RATIO] = dpn_two_exp_minus(inverse);
    law->constant[GAP] = -expm1(-inverse.hi);
    dpn_integer_prepare(law, RATIO_VALUE / GAP_VALUE);
}

static dpn_twofold psi(const dpn_law *law, double k) {
    return dpn_two_multiply(dpn_two(k), rate(law));
}

/* q^(k+1)/(1+q). */
static dpn_tail tail(const dpn_law *law, double k) {
    return (dpn_tail){1 / (1 + RATIO_VALUE), psi(law, k + 1)};
}

/* 2q/(1-q)^2. */
static double variance(const dpn_law *law) {
    return 2 * RATIO_VALUE / GAP_VALUE / GAP_VALUE;
}

/* 2q/(1-q^2). */
static double mean_abs(const dpn_law *law) {
    return 2 * RATIO_VALUE / (GAP_VALUE * (1 + RATIO_VALUE));
}

/* -log pdf(0) + E|X|/scale. */
static double entropy(const dpn_law *law) {
    double sum = rate(law).hi / GAP_VALUE / GAP_VALUE;
    return dpn_integer_mean(law, rate(law), sum) - law->constant[DPN_LOG_PDF0];
}

static double mgf_bound(const dpn_law *law) {
    return rate(law).hi;
}

/* (1-q)^2/((1 - q e^s)(1 - q e^-s)) = 1/(1 - x) with x = (sinh(s/2)/sinh(r/2))^2, r = 1/scale: the second form keeps
 * the digits of small values, the first those near the pole, since the distance r - s to it is twofold. */
static double log_mgf(const dpn_law *law, double s) {
    dpn_twofold distance = dpn_two_subtract(rate(law), dpn_two(s));
    if (dpn_two_value(distance) <= 0) return INFINITY;
    double ratio = expm1(-s) / GAP_VALUE, x = dpn_two_exp_minus(distance) * ratio * ratio;
    if (x < 0.5) return -log1p(-x);
    double up = expm1(-dpn_two_value(distance)), down = expm1(-(rate(law).hi + s));
    return -log(up / GAP_VALUE * (down / GAP_VALUE));
}

const struct dpn_family dpn_discrete_laplace = {
    .name = "discrete-laplace",
    .parameter = {"scale"},
    .formula = "exp(-x/scale)",
    .integer = true,
    .continuous = &dpn_laplace,
    .refuse = refuse,
    .prepare = prepare,
    .psi = psi,
    .tail = tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .mgf_bound = mgf_bound,
};
