/* huber(alpha,gamma): with u = |t|/gamma and b = alpha/gamma the density is exp(-psi)/(gamma z), psi = u^2/2 for u <= b
 * and b u - b^2/2 beyond, z = sqrt(2 pi) + 2 e^(-b^2/2) r/b with r = 1 - b M(b).
 *
 * b -> 0 with gamma^2/alpha = s is the Laplace law of scale s, b -> inf the Gaussian law of scale gamma. Moments are
 * sums of positive terms; those that grow like 1/b are multiplied by b where b is small.
 */
#include "law/family.h"
#include "law/special.h"

#define ALPHA law->parameter[0]
#define GAMMA law->parameter[1]

/* The constants; INVERSE, RATE and HALF_B2 are twofold numbers. */
enum {
    B = DPN_FIRST_CONSTANT, /* alpha/gamma */
    INVERSE = B + 1,        /* 1/gamma */
    RATE = INVERSE + 2,     /* alpha/gamma^2 */
    HALF_B2 = RATE + 2,     /* b^2/2 */
    Z = HALF_B2 + 2,
    CORNER_DENSITY, /* e^(-b^2/2) */
    EXCESS,         /* r/b: the tail at alpha is that of the Gaussian law and this much more */
    BEYOND,         /* 1/(b z): the mantissa of the tail beyond alpha */
    END
};
_Static_assert((int)END <= (int)DPN_LAW_CONSTANTS, "the constants fit");

static const char *refuse(const double *parameter) {
    double alpha = parameter[0], gamma = parameter[1];
    if (!dpn_scale_ok(gamma)) return "gamma must lie in [1e-150, 1e150]";
    if (!dpn_scale_ok(alpha)) return "alpha must lie in [1e-150, 1e150]";
    if (gamma / alpha * gamma > DPN_SCALE_MAX) return "alpha must be at least 1e-150 gamma^2";
    return NULL;
}

static void prepare(dpn_law *law) {
    dpn_twofold b = dpn_two_quotient(ALPHA, GAMMA);
    law->constant[B] = b.hi;
    dpn_two_store(&law->constant[INVERSE], dpn_two_quotient(1, GAMMA));
    dpn_two_store(&law->constant[RATE], dpn_two_divide(b, GAMMA));
    dpn_twofold half_b2 = dpn_two_square_half(b);
    /* Where b^2 overflows so does all of psi beyond alpha, and inf - inf must not come of it. */
    dpn_two_store(&law->constant[HALF_B2], half_b2.hi < INFINITY ? half_b2 : dpn_two(0));

    double corner = dpn_two_exp_minus(half_b2);
    double excess = dpn_mills_gap(b.hi) / b.hi;
    double z = DPN_SQRT_2PI + 2 * corner * excess;
    law->constant[Z] = z;
    law->constant[CORNER_DENSITY] = corner;
    law->constant[EXCESS] = excess;
    law->constant[BEYOND] = 1 / (b.hi * z);
    law->constant[DPN_PDF0] = 1 / (GAMMA * z);
    law->constant[DPN_LOG_PDF0] = -log(GAMMA * z);
}

static dpn_twofold scaled(const dpn_law *law, double t) {
    return dpn_two_times(dpn_two_load(&law->constant[INVERSE]), t);
}

/* b u - b^2/2. The linear part is taken from t: u may overflow where b u does not. */
static dpn_twofold psi_beyond(const dpn_law *law, double t) {
    dpn_twofold linear = dpn_two_times(dpn_two_load(&law->constant[RATE]), t);
    return dpn_two_subtract(linear, dpn_two_load(&law->constant[HALF_B2]));
}

static dpn_twofold psi(const dpn_law *law, double t) {
    if (t > ALPHA) return psi_beyond(law, t);
    return dpn_two_square_half(scaled(law, t));
}

/* Up to alpha e^(-u^2/2) [M(u) + e^(-(b^2 - u^2)/2) r/b]/z, beyond it e^-psi/(b z). */
static dpn_tail tail(const dpn_law *law, double t) {
    if (t > ALPHA) return (dpn_tail){law->constant[BEYOND], psi_beyond(law, t)};
    dpn_twofold u = scaled(law, t);
    double fall = 0.5 * (law->constant[B] + u.hi) * ((ALPHA - t) * law->constant[INVERSE]);
    double mantissa = (dpn_mills(u.hi) + exp(-fall) * law->constant[EXCESS]) / law->constant[Z];
    return (dpn_tail){mantissa, dpn_two_square_half(u)};
}

/* int_0^b e^(-s^2/2) ds. */
static double half_centre(double b) {
    return DPN_SQRT_PI_2 * erf(b * DPN_SQRT_1_2);
}

/* The t > alpha with tail(t) = p: b u = b^2/2 - log(2p) - log(b z/2). For small b the last logarithm is near 0, and
 * b z/2 - 1 is a difference of two small terms, the first about twice the second. */
static double inverse_beyond(const dpn_law *law, double p) {
    double b = law->constant[B];
    double y = p >= 0.25 ? -log1p(-2 * (0.5 - p)) : -log(2 * p);
    double scale = b < 1 ? log1p(b * half_centre(b) + expm1(-0.5 * b * b)) : -log(2 * law->constant[BEYOND]);
    return GAMMA * (0.5 * b + (y - scale) / b);
}

/* The t <= alpha with tail(t) = p: the normal law has the mass (1/2 - p) z/sqrt(2 pi) on (0, u). */
static double inverse_before(const dpn_law *law, double p) {
    double z = law->constant[Z];
    double mass = (0.5 - p) * z / DPN_SQRT_2PI;
    if (mass < 0.25) return GAMMA * dpn_q_central_inverse(mass);
    double excess = law->constant[CORNER_DENSITY] * law->constant[EXCESS];
    return GAMMA * dpn_q_inverse((p * z - excess) / DPN_SQRT_2PI);
}

/* Near the centre the mass on (0, alpha) decides, which may be far smaller than an ulp of p. */
static double tail_inverse(const dpn_law *law, double p) {
    bool before = p >= 0.25 ? (0.5 - p) * law->constant[Z] <= half_centre(law->constant[B])
                            : p >= law->constant[CORNER_DENSITY] * law->constant[BEYOND];
    return before ? inverse_before(law, p) : inverse_beyond(law, p);
}

/* gamma^2 [2 int_0^b e^(-s^2/2) ds + 4 e^(-b^2/2) (1/b + 1/b^3)]/z. */
static double variance(const dpn_law *law) {
    double b = law->constant[B], z = law->constant[Z], corner = law->constant[CORNER_DENSITY], centre = half_centre(b);
    if (b > 1) return GAMMA * GAMMA * (2 * centre + 4 * corner * (1 + 1 / b / b) / b) / z;
    double scale = GAMMA / b;
    return scale * scale * (2 * b * b * b * centre + 4 * corner * (b * b + 1)) / (b * z);
}

/* 2 gamma [1 + e^(-b^2/2)/b^2]/z. */
static double mean_abs(const dpn_law *law) {
    double b = law->constant[B], z = law->constant[Z], corner = law->constant[CORNER_DENSITY];
    if (b > 1) return GAMMA * 2 * (1 + corner / b / b) / z;
    return GAMMA / b * 2 * (b * b + corner) / (b * z);
}

static double fisher(const dpn_law *law) {
    return 2 * half_centre(law->constant[B]) / law->constant[Z] / GAMMA / GAMMA;
}

/* -log pdf(0) + E psi, E psi = [int_0^b e^(-s^2/2) ds + 2 e^(-b^2/2)/b]/z. */
static double entropy(const dpn_law *law) {
    double b = law->constant[B];
    double mean_psi = (half_centre(b) + 2 * law->constant[CORNER_DENSITY] / b) / law->constant[Z];
    return mean_psi - law->constant[DPN_LOG_PDF0];
}

static double mgf_bound(const dpn_law *law) {
    return dpn_two_value(dpn_two_load(&law->constant[RATE]));
}

/* e^(-m^2/2) (1 - m M(m))/m for m > 0. */
static double one_side(double m) {
    return exp(-0.5 * m * m) * dpn_mills_gap(m) / m;
}

/* With tau = gamma s: e^(tau^2/2) times [sqrt(2 pi) + one_side(b - tau) + one_side(b + tau)]/z. */
static double log_mgf(const dpn_law *law, double s) {
    double square = s * (s * variance(law));
    if (square < 1e-7) return 0.5 * square; /* the next term is below 2e-15, and the sum below would round to 1 */
    double tau = s * GAMMA, m = -dpn_square_excess(GAMMA, s, ALPHA) / GAMMA;
    if (m <= 0) return INFINITY;
    double sides = one_side(m) + one_side(law->constant[B] + tau);
    return 0.5 * tau * tau + log((DPN_SQRT_2PI + sides) / law->constant[Z]);
}

static bool pieces(const dpn_law *law, dpn_pieces *out) {
    *out = (dpn_pieces){{GAMMA, GAMMA}, 2, {{0, 0, 1}, {ALPHA, ALPHA, 0}}};
    return true;
}

static const dpn_shape_fact shape = {
    .name = "alpha/gamma",
    .ratio = true,
    .least = 0.05,
    .most = 8,
    .below = &dpn_laplace,
    .above = &dpn_gaussian,
    .scan = 10,
};

const struct dpn_family dpn_huber = {
    .name = "huber",
    .parameter = {"alpha", "gamma"},
    .formula = "exp(-x^2/2gamma^2) for x <= alpha, exp(-(alpha x - alpha^2/2)/gamma^2) beyond",
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
    .mgf_bound = mgf_bound,
};
