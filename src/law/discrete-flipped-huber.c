/* discrete-flipped-huber(alpha,gamma): probabilities proportional to exp(-alpha|k|/gamma^2) for |k| <= alpha and to
 * exp(-(k^2+alpha^2)/2gamma^2) beyond.
 *
 * The terms 1 <= k <= n = floor(alpha) form a geometric sum with ratio exp(-a), a = alpha/gamma^2; those from n + 1
 * on are a half sum of a Gaussian.
 */
#include "law/gaussian-sum.h"
#include "law/geometric-sum.h"
#include "law/integer.h"
#include "law/log-mgf.h"

#define ALPHA law->parameter[0]
#define GAMMA law->parameter[1]
#define STEP law->constant[DPN_STEP]

/* The whole geometric series 1/(1 - exp(-a)), and the Gaussian terms divided by exp(-a (n+1)). */
enum { GEOMETRIC = DPN_AFTER_HALF_SUM, BEYOND };

static const char *refuse(const double *parameter) {
    if (!dpn_integer_offset_ok(parameter[0])) return "alpha " DPN_INTEGER_OFFSET;
    return dpn_integer_scale_ok(parameter[1]) ? NULL : "gamma " DPN_INTEGER_SCALE;
}

static dpn_twofold psi(const dpn_law *law, double k) {
    if (k <= ALPHA) return dpn_two_multiply(dpn_two_product(ALPHA, k), dpn_rate(law));
    if (k > DPN_INTEGER_FAR) return dpn_two(0.5 * (k * STEP) * (k * STEP));
    dpn_twofold squares = dpn_two_add(dpn_two_product(k, k), dpn_two_product(ALPHA, ALPHA));
    return dpn_two_multiply(dpn_two_scale(squares, 0.5), dpn_rate(law)); /* halved first: twice psi may overflow */
}

/* The sum of exp(-psi(j)) over j > k, divided by exp(-psi(k+1)). */
static double relative_tail(const dpn_law *law, double k) {
    double n = floor(ALPHA);
    if (k >= n) return dpn_half_sum(law, (k + 1) * STEP);
    double fall = expm1(-(n - k) * (ALPHA * dpn_rate(law).hi));
    return (1 + fall) * law->constant[BEYOND] - fall * law->constant[GEOMETRIC];
}

static void prepare(dpn_law *law) {
    dpn_half_sum_prepare(law, GAMMA);
    double rate = dpn_rate(law).hi, n = floor(ALPHA), step = 1 - (ALPHA - n);
    law->constant[GEOMETRIC] = n == 0 ? 0 : -1 / expm1(-ALPHA * rate);
    law->constant[BEYOND] = exp(-0.5 * step * step * rate) * dpn_half_sum(law, (n + 1) * STEP);
    dpn_integer_prepare(law, dpn_two_exp_minus(psi(law, 1)) * relative_tail(law, 0));
}

static dpn_tail tail(const dpn_law *law, double k) {
    return (dpn_tail){law->constant[DPN_PDF0] * relative_tail(law, k), psi(law, k + 1)};
}

/* sum k^i exp(-psi(k)) over 1 <= k <= n, divided by exp(-psi(1)). */
static dpn_power_sums inner_powers(const dpn_law *law) {
    if (ALPHA < 1) return (dpn_power_sums){0, 0, 0};
    return dpn_power_shift(dpn_geometric_powers(ALPHA * dpn_rate(law).hi, floor(ALPHA)), 1);
}

/* sum k^i exp(-psi(k)) over k > n, divided by exp(-psi(n+1)). */
static dpn_power_sums outer_powers(const dpn_law *law) {
    double first = floor(ALPHA) + 1;
    return dpn_power_shift(dpn_half_sum_powers(law, first * STEP), first);
}

/* The expectation of a function whose two sums, divided as above, are inner and outer. */
static double mean(const dpn_law *law, double inner, double outer) {
    return dpn_integer_mean(law, psi(law, 1), inner) + dpn_integer_mean(law, psi(law, floor(ALPHA) + 1), outer);
}

/* At most gamma^2, also after rounding. */
static double variance(const dpn_law *law) {
    return fmin(GAMMA * GAMMA, mean(law, inner_powers(law).second, outer_powers(law).second));
}

static double mean_abs(const dpn_law *law) {
    return mean(law, inner_powers(law).first, outer_powers(law).first);
}

/* -log pdf(0) + E psi(X). */
static double entropy(const dpn_law *law) {
    double rate = dpn_rate(law).hi;
    dpn_power_sums outer = outer_powers(law);
    double outer_psi = 0.5 * (outer.second + ALPHA * ALPHA * outer.zeroth) * rate;
    return mean(law, ALPHA * inner_powers(law).first * rate, outer_psi) - law->constant[DPN_LOG_PDF0];
}

/* sum exp(s k - psi(k)) over k > n, for s of either sign. */
static dpn_tail outer_tilted(const dpn_law *law, double s) {
    double first = floor(ALPHA) + 1;
    dpn_twofold slope = dpn_two_subtract(dpn_two_multiply(dpn_two(first), dpn_rate(law)), dpn_two(s));
    dpn_tail sum = dpn_half_sum_tilted(law, GAMMA, slope);
    dpn_twofold exponent = dpn_two_subtract(psi(law, first), dpn_two_product(first, s));
    return (dpn_tail){sum.mantissa, dpn_two_add(sum.exponent, exponent)};
}

static double log_mgf(const dpn_law *law, double s) {
    if (dpn_log_mgf_is_steep(law, s)) return dpn_log_mgf_steep(law, s);
    if (dpn_log_mgf_is_flat(law, s)) return 0.5 * variance(law) * s * s;
    dpn_twofold a = dpn_two_multiply(dpn_two(ALPHA), dpn_rate(law));
    dpn_tail term[] = {
        {1, dpn_two(0)},
        outer_tilted(law, s),
        outer_tilted(law, -s),
        dpn_geometric_tilted(dpn_two_subtract(a, dpn_two(s)), floor(ALPHA)),
        dpn_geometric_tilted(dpn_two_add(a, dpn_two(s)), floor(ALPHA)),
    };
    return dpn_log_mgf_sum(law, term, 5, 0.5 * (s * GAMMA) * (s * GAMMA));
}

/* The ratio to the discrete Gaussian's probabilities does not increase in |k| (docs/proofs/law/discrete-sums.md). */
static double sub_gaussian(const dpn_law *law) {
    return dpn_square_upper(GAMMA);
}

static const dpn_shape_fact shape = {
    .name = "alpha",
    .least = 1,
    .most = 1e4,
    .step = 1,
    .below = &dpn_discrete_gaussian,
    .above = &dpn_discrete_laplace,
    .below_is_member = true,
    .scan = 14,
};

const struct dpn_family dpn_discrete_flipped_huber = {
    .name = "discrete-flipped-huber",
    .parameter = {"alpha", "gamma"},
    .formula = "exp(-alpha x/gamma^2) for x <= alpha, exp(-(x^2+alpha^2)/2gamma^2) beyond",
    .integer = true,
    .continuous = &dpn_flipped_huber,
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
