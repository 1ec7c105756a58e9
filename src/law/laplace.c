/* laplace(scale): density exp(-|t|/scale)/(2 scale). */
#include "law/family.h"

#define SCALE law->parameter[0]

static const char *refuse(const double *parameter) {
    return dpn_scale_ok(parameter[0]) ? NULL : "scale must lie in [1e-150, 1e150]";
}

static void prepare(dpn_law *law) {
    law->constant[DPN_PDF0] = 0.5 / SCALE;
    law->constant[DPN_LOG_PDF0] = -log(2 * SCALE);
}

static dpn_twofold psi(const dpn_law *law, double t) {
    return dpn_two_quotient(t, SCALE);
}

static dpn_tail tail(const dpn_law *law, double t) {
    return (dpn_tail){0.5, psi(law, t)};
}

/* -log(2p), near the centre by the exact 1/2 - p. */
static double tail_inverse(const dpn_law *law, double p) {
    return -SCALE * (p >= 0.25 ? log1p(-2 * (0.5 - p)) : log(2 * p));
}

static double variance(const dpn_law *law) {
    return 2 * SCALE * SCALE;
}

static double mean_abs(const dpn_law *law) {
    return SCALE;
}

static double fisher(const dpn_law *law) {
    return 1 / SCALE / SCALE;
}

static double entropy(const dpn_law *law) {
    return log(SCALE) + log(2) + 1;
}

static double mgf_bound(const dpn_law *law) {
    return 1 / SCALE;
}

/* -log(1 - v^2), v = s scale: 1 - v keeps its digits near the pole because v is twofold. */
static double log_mgf(const dpn_law *law, double s) {
    dpn_twofold v = dpn_two_product(s, SCALE);
    if (v.hi < 0.5) return -log1p(-v.hi * v.hi);
    double gap = dpn_two_value(dpn_two_subtract(dpn_two(1), v));
    return gap > 0 ? -log(gap * (1 + v.hi)) : INFINITY;
}

static bool pieces(const dpn_law *law, dpn_pieces *out) {
    *out = (dpn_pieces){{SCALE, 1}, 1, {{0, 1, 0}}};
    return true;
}

const struct dpn_family dpn_laplace = {
    .name = "laplace",
    .parameter = {"scale"},
    .formula = "exp(-x/scale)",
    .pieces = pieces,
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
