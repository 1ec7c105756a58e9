/* The papers' conditions: FH Theorem 8, and zCDP. */
#include "calibrate/condition.h"

#include "base/error.h"
#include "calibrate/tuning.h"
#include "law/facts.h"
#include "law/special.h"
#include "privacy/renyi/flipped-huber.h"

#include <dpnoise/renyi.h>
#include <float.h>
#include <math.h>

const char *dpn_calibration_condition_name(dpn_calibration_condition condition) {
    static const char *const names[] = {"exact", "sufficient", "zcdp"};
    return (unsigned)condition < sizeof names / sizeof *names ? names[condition] : NULL;
}

/* log(Q(x) - e^eps Q(y)) for y > x, rounded up by more than the rounding of the two logarithms can do. */
static double log_difference(double x, double y, double epsilon) {
    double first = dpn_log_q(x), gap = epsilon + dpn_log_q(y) - first;
    if (!(gap < 0)) return -INFINITY;
    double rest = -expm1(gap);
    return first + log(rest) + 1e-14 * (1 + fabs(first) + epsilon) / rest;
}

/* FH Theorem 8 with the loss bounded by an affine function of the noise. It is proved for boxes, and for other sets
 * where gamma eps - K R/2gamma >= D2 (the bound then increases with the l2 norm of the move). */
static double theorem_8(const dpn_problem *p, double alpha, double gamma) {
    double shift = alpha > 0 ? p->most * dpn_fh_r(p->largest, alpha) / (2 * gamma) : 0;
    double reach = gamma * p->epsilon - shift, half = p->l2 / (2 * gamma);
    if (reach < p->l2 * half || (!p->box && reach < p->l2)) return 0;
    double theta = alpha > 0 ? dpn_fh_theta(alpha, gamma) : 0;
    double x = reach / p->l2 - half;
    double y = (gamma * p->epsilon + shift + theta * p->l1 / gamma) / p->l2 + half;
    return fmin(0, log_difference(x, y, p->epsilon));
}

static dpn_status sufficient(double *out, const dpn_problem *p, const dpn_law *law, dpn_error *why) {
    if (dpn_law_gaussian(law) > 0) {
        dpn_delta delta;
        dpn_status status = dpn_problem_delta(&delta, NULL, p, law, 0, (dpn_effort){0}, why);
        if (!status) *out = delta.log_upper; /* alpha = 0, where the theorem is the exact condition */
        return status;
    }
    if (dpn_law_laplace(law) > 0) { /* alpha to infinity: pure, or nothing */
        *out = dpn_problem_largest_loss(p, law, 0) <= p->epsilon ? -INFINITY : 0;
        return DPN_OK;
    }
    if (!dpn_family_known(law->family).sufficient)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "the sufficient condition is about flipped-huber, gaussian and laplace noise, not %s",
                        law->family->name);
    *out = theorem_8(p, dpn_law_parameter(law, "alpha"), dpn_law_parameter(law, "gamma"));
    return DPN_OK;
}

/* Bun and Steinke: delta = exp(-(eps - xi - eta)^2/4 eta). */
static double bun_steinke(dpn_zcdp z, double epsilon) {
    double rest = epsilon - z.xi - z.rho;
    if (z.rho == 0) return rest >= 0 ? -INFINITY : 0;
    return rest > 0 ? -rest * rest / (4 * z.rho) * (1 - 8 * DBL_EPSILON) : 0;
}

/* Canonne, Kamath and Steinke, Proposition 12, at one order. */
static dpn_status at_order(double *out, const dpn_problem *p, const dpn_law *law, double order, dpn_error *why) {
    dpn_divergence divergence;
    dpn_status status = dpn_renyi_sensitivity(&divergence, NULL, law, 1, p->set, &order, 1, why);
    if (status) return status;
    double total = divergence.upper * (double)p->times, excess = (order - 1) * (total - p->epsilon);
    *out = excess + (order - 1) * log1p(-1 / order) - log(order) + 1e-14 * (1 + fabs(excess) + order);
    return DPN_OK;
}

/* The least over the orders, which is unimodal: golden section over log(order - 1). Any order gives a valid bound. */
static dpn_status by_renyi(double *out, const dpn_problem *p, const dpn_law *law, dpn_error *why) {
    const double golden = 0.6180339887498949;
    double low = log(0.02), high = log(1e5), least = INFINITY, value[2];
    double x[2] = {high - golden * (high - low), low + golden * (high - low)};
    dpn_status status = DPN_OK;
    for (int i = 0; i < 2 && !status; i++) status = at_order(&value[i], p, law, 1 + exp(x[i]), why);
    for (int round = 0; round < 34 && !status; round++) {
        int worse = value[0] < value[1];
        least = fmin(least, fmin(value[0], value[1]));
        if (worse)
            high = x[1];
        else
            low = x[0];
        x[worse] = x[!worse];
        value[worse] = value[!worse];
        x[!worse] = worse ? high - golden * (high - low) : low + golden * (high - low);
        status = at_order(&value[!worse], p, law, 1 + exp(x[!worse]), why);
    }
    if (!status) *out = fmin(0, least);
    return status;
}

static dpn_status concentrated(double *out, const dpn_problem *p, const dpn_law *law, dpn_error *why) {
    if (dpn_family_known(law->family).by_renyi) return by_renyi(out, p, law, why);
    if (dpn_problem_largest_loss(p, law, 0) <= p->epsilon) { /* (epsilon, 0)-zCDP, which is epsilon-DP */
        *out = -INFINITY;
        return DPN_OK;
    }
    dpn_zcdp z;
    dpn_status status = dpn_zcdp_sensitivity(&z, NULL, law, 1, p->set, why);
    if (status) return status;
    double n = (double)p->times * (1 + 2 * DBL_EPSILON);
    *out = bun_steinke((dpn_zcdp){z.xi * n, z.rho * n}, p->epsilon);
    return DPN_OK;
}

dpn_status dpn_condition_log_delta(double *out, const dpn_problem *p, const dpn_law *law, dpn_error *why) {
    return p->options.condition == DPN_CONDITION_SUFFICIENT ? sufficient(out, p, law, why)
                                                            : concentrated(out, p, law, why);
}
