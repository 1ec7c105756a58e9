/* gaussian(sigma): density exp(-t^2/2sigma^2)/(sigma sqrt(2 pi)). */
#include "law/family.h"
#include "law/special.h"

#define SIGMA law->parameter[0]

enum { INVERSE = DPN_FIRST_CONSTANT }; /* 1/sigma, a twofold number */

static const char *refuse(const double *parameter) {
    return dpn_scale_ok(parameter[0]) ? NULL : "sigma must lie in [1e-150, 1e150]";
}

static void prepare(dpn_law *law) {
    law->constant[DPN_PDF0] = 1 / (SIGMA * DPN_SQRT_2PI);
    law->constant[DPN_LOG_PDF0] = -log(SIGMA * DPN_SQRT_2PI);
    dpn_two_store(&law->constant[INVERSE], dpn_two_quotient(1, SIGMA));
}

static dpn_twofold scaled(const dpn_law *law, double t) {
    return dpn_two_times(dpn_two_load(&law->constant[INVERSE]), t);
}

static dpn_twofold psi(const dpn_law *law, double t) {
    return dpn_two_square_half(scaled(law, t));
}

/* Q(u) = phi(u) M(u). */
static dpn_tail tail(const dpn_law *law, double t) {
    dpn_twofold u = scaled(law, t);
    return (dpn_tail){dpn_mills(u.hi) / DPN_SQRT_2PI, dpn_two_square_half(u)};
}

static double tail_inverse(const dpn_law *law, double p) {
    return SIGMA * dpn_q_inverse(p);
}

static double variance(const dpn_law *law) {
    return SIGMA * SIGMA;
}

static double mean_abs(const dpn_law *law) {
    return SIGMA * 2 / DPN_SQRT_2PI;
}

static double fisher(const dpn_law *law) {
    return 1 / SIGMA / SIGMA;
}

static double entropy(const dpn_law *law) {
    return log(SIGMA) + DPN_LOG_SQRT_2PI + 0.5;
}

static double log_mgf(const dpn_law *law, double s) {
    double tau = s * SIGMA;
    return 0.5 * tau * tau;
}

static double sub_gaussian(const dpn_law *law) {
    return dpn_square_upper(SIGMA);
}

static bool pieces(const dpn_law *law, dpn_pieces *out) {
    *out = (dpn_pieces){{SIGMA, SIGMA}, 1, {{0, 0, 1}}};
    return true;
}

const struct dpn_family dpn_gaussian = {
    .name = "gaussian",
    .parameter = {"sigma"},
    .formula = "exp(-x^2/2sigma^2)",
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
    .sub_gaussian = sub_gaussian,
};
