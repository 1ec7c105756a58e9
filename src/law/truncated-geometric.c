/* truncated-geometric(epsilon,n,theta): with T_m(k) proportional to exp(-epsilon |k|) on |k| <= m, the mixture theta T_n +
 * (1-theta) T_(n-1). With q = e^-epsilon and Z_m = 1 + 2 (q + ... + q^m) its probabilities are proportional to q^|k| for
 * |k| < n and to q^n/(1+u) at |k| = n, where u = (1-theta)/theta Z_n/Z_(n-1) >= 0: it is log-concave.
 * docs/proofs/law/truncated-geometric.md
 */
#include "law/geometric-sum.h"
#include "law/integer.h"
#include "law/log-mgf.h"

#define EPSILON law->parameter[0]
#define N law->parameter[1]
#define THETA law->parameter[2]

enum { LEFT = DPN_FIRST_CONSTANT, DROP }; /* 1/(1+u) and log(1+u) */
#define END_SHARE law->constant[LEFT]
#define END_DROP law->constant[DROP]

static const char *refuse(const double *parameter) {
    if (!(parameter[0] >= 1e-12 && parameter[0] <= 300)) return "epsilon must lie in [1e-12, 300]";
    if (!(parameter[1] >= 1 && parameter[1] <= 1e15 && parameter[1] == floor(parameter[1])))
        return "n must be a whole number from 1 to 1e15";
    if (!(parameter[0] * parameter[1] <= 1e6)) return "epsilon n must be at most 1e6";
    return parameter[2] >= 1e-9 && parameter[2] <= 1 ? NULL : "theta must lie in [1e-9, 1]";
}

/* sum of q^j over 0 <= j < count. */
static double geometric(const dpn_law *law, double count) {
    return expm1(-count * EPSILON) / expm1(-EPSILON);
}

/* q^k, k whole. */
static double power(const dpn_law *law, double k) {
    return dpn_two_exp_minus(dpn_two_product(k, EPSILON));
}

/* Z_n/Z_(n-1) = 1 + 2 q^n/Z_(n-1), and Z_(n-1) = 2 (1 + ... + q^(n-1)) - 1. */
static void prepare(dpn_law *law) {
    double inner = geometric(law, N), growth = 1 + 2 * power(law, N) / (2 * inner - 1);
    double u = (1 - THETA) / THETA * growth;
    END_SHARE = 1 / (1 + u);
    END_DROP = log1p(u);
    dpn_integer_prepare(law, power(law, 1) * geometric(law, N - 1) + power(law, N) * END_SHARE);
}

/* Draws ask between whole numbers too, where any increasing function serves. */
static dpn_twofold psi(const dpn_law *law, double k) {
    if (k >= N + 0.5) return dpn_two(INFINITY);
    dpn_twofold straight = dpn_two_product(k, EPSILON);
    return k > N - 0.5 ? dpn_two_add(straight, dpn_two(END_DROP)) : straight;
}

/* q^(k+1) (1 + q + ... + q^(n-k-2) + q^(n-k-1)/(1+u)) pdf(0). */
static dpn_tail tail(const dpn_law *law, double k) {
    if (k >= N) return (dpn_tail){0, dpn_two(0)};
    double before_end = N - 1 - k, sum = geometric(law, before_end) + power(law, before_end) * END_SHARE;
    return (dpn_tail){law->constant[DPN_PDF0] * sum, dpn_two_product(k + 1, EPSILON)};
}

static bool is_below(const dpn_law *law, double k, double p) {
    dpn_tail at = tail(law, k);
    return dpn_two_exp_scaled(at.mantissa, at.exponent) <= p;
}

/* By bisection, from a bracket around where the tail without an end has the value: q^(k+1)/(1-q) pdf(0) = p + what is cut off. */
static double tail_inverse(const dpn_law *law, double p) {
    double cut = power(law, N) * (1 / -expm1(-EPSILON) - END_SHARE) * law->constant[DPN_PDF0];
    double guess = floor(-log((p + cut) * -expm1(-EPSILON) / law->constant[DPN_PDF0]) / EPSILON) - 1;
    double low = -1, high = N; /* not below at low */
    if (guess > 1 && guess < N && !is_below(law, guess - 2, p)) low = guess - 2;
    if (guess > -2 && guess + 2 < N && is_below(law, fmax(0, guess + 2), p)) high = fmax(0, guess + 2);
    while (high - low > 1) {
        double middle = floor(low + 0.5 * (high - low));
        *(is_below(law, middle, p) ? &high : &low) = middle;
    }
    return high;
}

/* 2 pdf(0) times a sum over 0 <= j < n and what the end has. */
static double mean(const dpn_law *law, double sum, double at_end) {
    return 2 * law->constant[DPN_PDF0] * (sum + at_end * power(law, N) * END_SHARE);
}

static double variance(const dpn_law *law) {
    return mean(law, dpn_geometric_powers(EPSILON, N).second, N * N);
}

static double mean_abs(const dpn_law *law) {
    return mean(law, dpn_geometric_powers(EPSILON, N).first, N);
}

/* -log pdf(0) + E psi(X). */
static double entropy(const dpn_law *law) {
    return EPSILON * mean_abs(law) + mean(law, 0, END_DROP) - law->constant[DPN_LOG_PDF0];
}

static double log_mgf(const dpn_law *law, double s) {
    if (dpn_log_mgf_is_steep(law, s)) return dpn_log_mgf_steep(law, s);
    if (dpn_log_mgf_is_flat(law, s)) return 0.5 * s * (s * variance(law));
    dpn_twofold up = dpn_two_sum(EPSILON, -s), down = dpn_two_sum(EPSILON, s);
    dpn_tail term[] = {
        {1, dpn_two(0)},
        dpn_geometric_tilted(up, N - 1),
        dpn_geometric_tilted(down, N - 1),
        {END_SHARE, dpn_two_multiply(up, dpn_two(N))},
        {END_SHARE, dpn_two_multiply(down, dpn_two(N))},
    };
    return dpn_log_mgf_sum(law, term, 5, s * N);
}

/* With a uniform number from [-1/2, 1/2] added the law has a symmetric unimodal density on |t| <= n + 1/2: it is a mixture
 * of uniform laws on [-a, a], each with proxy a^2/3. E exp(sX) is no larger, by Jensen's inequality. */
static double sub_gaussian(const dpn_law *law) {
    return nextafter(dpn_square_upper(N + 0.5) / 3, INFINITY);
}

static double support(const dpn_law *law) {
    return N;
}

static double straight(const dpn_law *law) {
    return THETA == 1 ? N : N - 1;
}

/* A bound of Z_n/Z_(n-1) - 1 = 2 (e - 1)/((e + 1) e^n - 2 e), e = exp(epsilon): what divides is rounded the other way. */
static bool growth_bound(const dpn_law *law, dpn_rounding how, dpn_wide *out) {
    dpn_rounding against = {how.limbs, !how.up};
    dpn_wide rate = dpn_wide_double(how, EPSILON), end = dpn_wide_double(how, N); /* both exact */
    dpn_wide whole = dpn_wide_multiply(against, &rate, &end), one = dpn_wide_integer(how, 1), e, e_against, e_n;
    if (!dpn_wide_exp(&e, how, &rate) || !dpn_wide_exp(&e_against, against, &rate) ||
        !dpn_wide_exp(&e_n, against, &whole))
        return false;
    dpn_wide more = dpn_wide_add(against, &e_against, &one), less = dpn_wide_scale(e, 1);
    more = dpn_wide_multiply(against, &more, &e_n);
    if (dpn_wide_compare(how, &more, &less) <= 0) return false; /* too few digits to tell: as for what is unbounded */
    dpn_wide divisor = dpn_wide_subtract(against, &more, &less), rise = dpn_wide_subtract(how, &e, &one);
    rise = dpn_wide_scale(rise, 1);
    *out = dpn_wide_divide(how, &rise, &divisor);
    return true;
}

/* e^psi(k): exp(epsilon k), times 1 + u at the end. */
static bool inverse(const dpn_law *law, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    dpn_wide rate = dpn_wide_double(how, EPSILON), end = dpn_wide_double(how, N), growth, value;
    dpn_wide exponent = dpn_wide_multiply(how, &rate, x);
    if (!dpn_wide_exp(&value, how, &exponent)) return false;
    if (dpn_wide_compare(how, x, &end) >= 0 && THETA < 1) {
        dpn_wide one = dpn_wide_integer(how, 1), theta = dpn_wide_double(how, THETA);
        dpn_wide odds = dpn_wide_subtract(how, &one, &theta);
        if (!growth_bound(law, how, &growth)) {
            if (how.up) return false;
            growth = dpn_wide_integer(how, 0);
        }
        growth = dpn_wide_add(how, &growth, &one);
        odds = dpn_wide_divide(how, &odds, &theta);
        growth = dpn_wide_multiply(how, &growth, &odds);
        growth = dpn_wide_add(how, &growth, &one);
        value = dpn_wide_multiply(how, &value, &growth);
    }
    *out = value;
    return true;
}

/* n - 1 + theta, the place of the end, in units of the scale 1/epsilon. */
static void parameters(double *parameter, double shape, double scale, double period) {
    (void)period;
    double end = fmax(shape * scale, 1e-9);
    parameter[0] = 1 / scale;
    parameter[1] = ceil(end);
    parameter[2] = fmax(end - (parameter[1] - 1), 1e-9);
}

static const dpn_shape_fact shape = {
    .name = "epsilon (n-1+theta)",
    .least = 1e-6,
    .most = 400,
    .above = &dpn_discrete_laplace,
    .scan = 20,
    .parameters = parameters,
};

const struct dpn_family dpn_truncated_geometric = {
    .name = "truncated-geometric",
    .parameter = {"epsilon", "n", "theta"},
    .formula = "theta T(n) + (1-theta) T(n-1), T(m) = exp(-epsilon x) for x <= m, 0 beyond, divided by its sum",
    .integer = true,
    .straight = straight,
    .inverse = inverse,
    .shape = &shape,
    .refuse = refuse,
    .prepare = prepare,
    .psi = psi,
    .support = support,
    .tail = tail,
    .tail_inverse = tail_inverse,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .sub_gaussian = sub_gaussian,
};
