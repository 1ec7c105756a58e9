/* osgt(m,sigma): with u = |t|/sigma and b = m/sigma the density is exp(-psi)/(2 sigma M(b)), psi = u^2/2 + b u: the two
 * tails of the Gaussian law beyond -m and m, moved together.
 *
 * m = 0 is the Gaussian law, b -> inf with sigma^2/m = s the Laplace law of scale s.
 */
#include "law/family.h"
#include "law/special.h"

#define M_PARAMETER law->parameter[0]
#define SIGMA law->parameter[1]

/* The constants; RATE and HALF are twofold numbers. */
enum {
    B = DPN_FIRST_CONSTANT, /* m/sigma */
    RATE = B + 1,           /* m/sigma^2 */
    HALF = RATE + 2,        /* 1/(2 sigma^2) */
    MILLS = HALF + 2,       /* M(b) */
    END
};
_Static_assert((int)END <= (int)DPN_LAW_CONSTANTS, "the constants fit");

static const char *refuse(const double *parameter) {
    double m = parameter[0], sigma = parameter[1];
    if (!dpn_scale_ok(sigma)) return "sigma must lie in [1e-150, 1e150]";
    if (!(m >= 0 && m <= DPN_SCALE_MAX)) return "m must lie in [0, 1e150]";
    if (m / sigma / sigma > DPN_SCALE_MAX) return "m must be at most 1e150 sigma^2";
    return NULL;
}

static void prepare(dpn_law *law) {
    dpn_twofold b = dpn_two_quotient(M_PARAMETER, SIGMA);
    law->constant[B] = b.hi;
    dpn_two_store(&law->constant[RATE], dpn_two_divide(b, SIGMA));
    dpn_two_store(&law->constant[HALF], dpn_two_divide(dpn_two_quotient(0.5, SIGMA), SIGMA));

    double mills = dpn_mills(b.hi);
    law->constant[MILLS] = mills;
    law->constant[DPN_PDF0] = 0.5 / (SIGMA * mills);
    law->constant[DPN_LOG_PDF0] = -log(2 * SIGMA * mills);
}

/* t (t/2 + m)/sigma^2. */
static dpn_twofold psi(const dpn_law *law, double t) {
    dpn_twofold slope = dpn_two_times(dpn_two_load(&law->constant[HALF]), t);
    return dpn_two_times(dpn_two_add(slope, dpn_two_load(&law->constant[RATE])), t);
}

/* Q(b + u)/2Q(b) = e^-psi M(b + u)/2M(b). */
static dpn_tail tail(const dpn_law *law, double t) {
    return (dpn_tail){0.5 * dpn_mills(law->constant[B] + t / SIGMA) / law->constant[MILLS], psi(law, t)};
}

/* int_0^u e^(-s^2/2 - b s) ds for an exponent of at most 1, by the Taylor series of the integrand, whose terms c_n u^n
 * follow from f' = -(s + b) f. */
static double central_integral(double b, double u) {
    double before = 0, term = 1, sum = 0;
    for (int n = 1; n < 60 && (fabs(term) > 1e-18 || fabs(before) > 1e-18); n++) {
        sum += term / n;
        double next = -(b * u * term + u * u * before) / n;
        before = term;
        term = next;
    }
    return u * sum;
}

/* -log(2 tail) at u. The logarithm of M(b)/M(b + u) would lose the digits of a small answer. */
static double minus_log_tail(double b, double mills, double u, bool central) {
    if (central) return -log1p(-central_integral(b, u) / mills);
    return u * (0.5 * u + b) + log(mills / dpn_mills(b + u));
}

/* Newton's method on y = -log(2 tail), which is convex and increasing with slope 1/M(b + u). The start, where the
 * exponent alone is y, lies to the right of the root, and so do all iterates. */
static double tail_inverse(const dpn_law *law, double p) {
    double b = law->constant[B], mills = law->constant[MILLS];
    bool central = p >= 0.25;
    double y = central ? -log1p(-2 * (0.5 - p)) : -log(2 * p);
    double u = 2 * y / (b + sqrt(b * b + 2 * y));
    if (!(u > 0)) return 0;
    for (int i = 0; i < 50; i++) {
        double step = (minus_log_tail(b, mills, u, central) - y) * dpn_mills(b + u);
        u -= step;
        if (fabs(step) <= 1e-9 * u) break; /* the next step would be of the order of the square */
    }
    return SIGMA * u;
}

static double variance(const dpn_law *law) {
    return SIGMA * SIGMA * dpn_mills_square(law->constant[B]);
}

static double mean_abs(const dpn_law *law) {
    return SIGMA * dpn_mills_mean(law->constant[B]);
}

static double fisher(const dpn_law *law) {
    return (1 + law->constant[B] / law->constant[MILLS]) / SIGMA / SIGMA;
}

/* -log pdf(0) + E psi, and 2 E psi = 1 + b E u. */
static double entropy(const dpn_law *law) {
    double b = law->constant[B];
    return 0.5 * (1 + b * dpn_mills_mean(b)) - law->constant[DPN_LOG_PDF0];
}

/* log [M(b - tau) + M(b + tau)]/2M(b), tau = sigma s; where n = tau - b > 0, M(-n) = e^(n^2/2) sqrt(2 pi) Q(-n). */
static double log_mgf(const dpn_law *law, double s) {
    double square = s * (s * variance(law));
    if (square < 1e-7) return 0.5 * square; /* the next term is below 2e-15, and the sum below would round to 1 */
    double n = dpn_square_excess(SIGMA, s, M_PARAMETER) / SIGMA;
    double falling = dpn_mills(law->constant[B] + s * SIGMA), twice = 2 * law->constant[MILLS];
    if (n <= 0) return log((dpn_mills(-n) + falling) / twice);
    double peak = 0.5 * n * n;
    return peak + log((DPN_SQRT_2PI * dpn_q(-n) + falling * exp(-peak)) / twice);
}

static double sub_gaussian(const dpn_law *law) {
    return dpn_square_upper(SIGMA);
}

static bool pieces(const dpn_law *law, dpn_pieces *out) {
    *out = (dpn_pieces){{SIGMA, SIGMA}, 1, {{0, M_PARAMETER, 1}}};
    return true;
}

static const dpn_shape_fact shape = {
    .name = "m/sigma",
    .ratio = true,
    .least = 0.01,
    .most = 1000,
    .below = &dpn_gaussian,
    .above = &dpn_laplace,
    .below_is_member = true,
    .scan = 22,
};

const struct dpn_family dpn_osgt = {
    .name = "osgt",
    .parameter = {"m", "sigma"},
    .formula = "exp(-(x^2/2 + m x)/sigma^2)",
    .pieces = pieces,
    .shape = &shape,
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
