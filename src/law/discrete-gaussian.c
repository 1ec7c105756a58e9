/* discrete-gaussian(sigma): probabilities proportional to exp(-k^2/2sigma^2). */
#include "law/gaussian-sum.h"
#include "law/integer.h"
#include "law/log-mgf.h"

#define SIGMA law->parameter[0]
#define STEP law->constant[DPN_STEP]

/* From here on sums over all integers equal the integrals, to 1e-30 (Poisson). */
#define SMOOTH_SIGMA 2

static const char *refuse(const double *parameter) {
    return dpn_integer_scale_ok(parameter[0]) ? NULL : "sigma " DPN_INTEGER_SCALE;
}

static dpn_twofold psi(const dpn_law *law, double k) {
    if (k > DPN_INTEGER_FAR) return dpn_two(0.5 * (k * STEP) * (k * STEP));
    return dpn_two_multiply(dpn_two_product(k, 0.5 * k), dpn_rate(law)); /* halved first: twice psi may overflow */
}

static void prepare(dpn_law *law) {
    dpn_half_sum_prepare(law, SIGMA);
    dpn_integer_prepare(law, dpn_two_exp_minus(psi(law, 1)) * dpn_half_sum(law, STEP));
}

static dpn_tail tail(const dpn_law *law, double k) {
    double next = k + 1;
    return (dpn_tail){law->constant[DPN_PDF0] * dpn_half_sum(law, next * STEP), psi(law, next)};
}

/* sum k^n exp(-psi(k)) over k >= 1, divided by exp(-psi(1)). */
static dpn_power_sums positive_powers(const dpn_law *law) {
    return dpn_power_shift(dpn_half_sum_powers(law, STEP), 1);
}

/* At most sigma^2, also after rounding. */
static double variance(const dpn_law *law) {
    if (SIGMA >= SMOOTH_SIGMA) return SIGMA * SIGMA;
    return fmin(SIGMA * SIGMA, dpn_integer_mean(law, psi(law, 1), positive_powers(law).second));
}

static double mean_abs(const dpn_law *law) {
    return dpn_integer_mean(law, psi(law, 1), positive_powers(law).first);
}

/* -log pdf(0) + E psi(X). */
static double entropy(const dpn_law *law) {
    if (SIGMA >= SMOOTH_SIGMA) return 0.5 - law->constant[DPN_LOG_PDF0];
    double sum = 0.5 * dpn_rate(law).hi * positive_powers(law).second;
    return dpn_integer_mean(law, psi(law, 1), sum) - law->constant[DPN_LOG_PDF0];
}

/* The terms k >= 0 and k < 0 of sum exp(s k - psi(k)). */
static double log_mgf(const dpn_law *law, double s) {
    if (SIGMA >= SMOOTH_SIGMA) return 0.5 * (s * SIGMA) * (s * SIGMA);
    if (dpn_log_mgf_is_steep(law, s)) return dpn_log_mgf_steep(law, s);
    if (dpn_log_mgf_is_flat(law, s)) return 0.5 * variance(law) * s * s;
    dpn_tail term[] = {
        dpn_half_sum_tilted(law, SIGMA, dpn_two(-s)),
        {dpn_half_sum(law, s * SIGMA) - 1, dpn_two(0)},
    };
    return dpn_log_mgf_sum(law, term, 2, 0.5 * (s * SIGMA) * (s * SIGMA));
}

/* Canonne, Kamath, Steinke 2020: E exp(sX) <= exp(sigma^2 s^2/2). */
static double sub_gaussian(const dpn_law *law) {
    return dpn_square_upper(SIGMA);
}

const struct dpn_family dpn_discrete_gaussian = {
    .name = "discrete-gaussian",
    .parameter = {"sigma"},
    .formula = "exp(-x^2/2sigma^2)",
    .integer = true,
    .continuous = &dpn_gaussian,
    .refuse = refuse,
    .prepare = prepare,
    .psi = psi,
    .tail = tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .sub_gaussian = sub_gaussian,
};
