/* discrete-osgt(m,sigma): probabilities proportional to exp(-(k^2/2 + m|k|)/sigma^2). */
#include "law/gaussian-sum.h"
#include "law/integer.h"
#include "law/log-mgf.h"

#define M law->parameter[0]
#define SIGMA law->parameter[1]
#define STEP law->constant[DPN_STEP]

static const char *refuse(const double *parameter) {
    if (!dpn_integer_offset_ok(parameter[0])) return "m " DPN_INTEGER_OFFSET;
    return dpn_integer_scale_ok(parameter[1]) ? NULL : "sigma " DPN_INTEGER_SCALE;
}

/* k (k/2 + m)/sigma^2. */
static dpn_twofold psi(const dpn_law *law, double k) {
    if (k > DPN_INTEGER_FAR) return dpn_two((k * STEP) * (0.5 * k * STEP));
    return dpn_two_multiply(dpn_two_multiply(dpn_two_sum(0.5 * k, M), dpn_two(k)), dpn_rate(law));
}

static void prepare(dpn_law *law) {
    dpn_half_sum_prepare(law, SIGMA);
    dpn_integer_prepare(law, dpn_two_exp_minus(psi(law, 1)) * dpn_half_sum(law, (1 + M) * STEP));
}

static dpn_tail tail(const dpn_law *law, double k) {
    double next = k + 1;
    return (dpn_tail){law->constant[DPN_PDF0] * dpn_half_sum(law, (next + M) * STEP), psi(law, next)};
}

/* sum k^n exp(-psi(k)) over k >= 1, divided by exp(-psi(1)). */
static dpn_power_sums positive_powers(const dpn_law *law) {
    return dpn_power_shift(dpn_half_sum_powers(law, (1 + M) * STEP), 1);
}

/* At most sigma^2, also after rounding. */
static double variance(const dpn_law *law) {
    return fmin(SIGMA * SIGMA, dpn_integer_mean(law, psi(law, 1), positive_powers(law).second));
}

static double mean_abs(const dpn_law *law) {
    return dpn_integer_mean(law, psi(law, 1), positive_powers(law).first);
}

/* -log pdf(0) + E psi(X). */
static double entropy(const dpn_law *law) {
    dpn_power_sums sums = positive_powers(law);
    double sum = (0.5 * sums.second + M * sums.first) * dpn_rate(law).hi;
    return dpn_integer_mean(law, psi(law, 1), sum) - law->constant[DPN_LOG_PDF0];
}

/* The terms k >= 0 and k < 0 of sum exp(s k - psi(k)). */
static double log_mgf(const dpn_law *law, double s) {
    if (dpn_log_mgf_is_steep(law, s)) return dpn_log_mgf_steep(law, s);
    if (dpn_log_mgf_is_flat(law, s)) return 0.5 * variance(law) * s * s;
    dpn_twofold slope = dpn_two_multiply(dpn_two(M), dpn_rate(law));
    dpn_tail term[] = {
        dpn_half_sum_tilted(law, SIGMA, dpn_two_subtract(slope, dpn_two(s))),
        {dpn_half_sum(law, (slope.hi + s) * SIGMA) - 1, dpn_two(0)},
    };
    return dpn_log_mgf_sum(law, term, 2, 0.5 * (s * SIGMA) * (s * SIGMA));
}

/* The ratio to the discrete Gaussian's probabilities decreases in |k| (docs/proofs/law/discrete-sums.md). */
static double sub_gaussian(const dpn_law *law) {
    return dpn_square_upper(SIGMA);
}

static const dpn_shape_fact shape = {
    .name = "m",
    .least = 0.5,
    .most = 1e4,
    .step = 0.5,
    .below = &dpn_discrete_gaussian,
    .above = &dpn_discrete_laplace,
    .below_is_member = true,
    .scan = 14,
};

const struct dpn_family dpn_discrete_osgt = {
    .name = "discrete-osgt",
    .parameter = {"m", "sigma"},
    .formula = "exp(-(x^2/2 + m x)/sigma^2)",
    .integer = true,
    .continuous = &dpn_osgt,
    .shape = &shape,
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
