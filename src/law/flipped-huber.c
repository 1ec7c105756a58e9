/* flipped-huber(alpha,gamma): with u = |t|/gamma and b = alpha/gamma the density is exp(-psi)/(gamma w),
 * psi = b u for u <= b and (u^2 + b^2)/2 beyond, w = 2 [(1 - e^(-b^2))/b + M(b) e^(-b^2)].
 *
 * alpha = 0 is the Gaussian law, b -> inf with gamma^2/alpha = s the Laplace law of scale s. No formula below divides
 * by b where b may vanish or subtracts terms that cancel.
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
    W = HALF_B2 + 2,
    CORNER, /* M(b)/w: the mantissa of the tail at alpha */
    BEFORE, /* (1 - b M(b))/(b w): what it gains from there to the centre */
    END
};
_Static_assert((int)END <= (int)DPN_LAW_CONSTANTS, "the constants fit");

static const char *refuse(const double *parameter) {
    double alpha = parameter[0], gamma = parameter[1];
    if (!dpn_scale_ok(gamma)) return "gamma must lie in [1e-150, 1e150]";
    if (!(alpha >= 0 && alpha <= DPN_SCALE_MAX)) return "alpha must lie in [0, 1e150]";
    if (alpha / gamma / gamma > DPN_SCALE_MAX) return "alpha must be at most 1e150 gamma^2";
    return NULL;
}

/* b^2 and exp(-b^2). */
static dpn_twofold b_squared(const dpn_law *law) {
    return dpn_two_scale(dpn_two_load(&law->constant[HALF_B2]), 2);
}

static double corner_density(const dpn_law *law) {
    return dpn_two_exp_minus(b_squared(law));
}

static void prepare(dpn_law *law) {
    dpn_twofold b = dpn_two_quotient(ALPHA, GAMMA);
    law->constant[B] = b.hi;
    dpn_two_store(&law->constant[INVERSE], dpn_two_quotient(1, GAMMA));
    dpn_two_store(&law->constant[RATE], dpn_two_divide(b, GAMMA));
    dpn_two_store(&law->constant[HALF_B2], dpn_two_square_half(b));

    double mills = dpn_mills(b.hi);
    double w = 2 * (b.hi * dpn_exprel_minus(b_squared(law).hi) + mills * corner_density(law));
    law->constant[W] = w;
    /* BEFORE is multiplied by at most b^2: for the smallest b, where it could overflow, it does not matter. */
    law->constant[BEFORE] = b.hi > 1e-300 ? dpn_mills_gap(b.hi) / (b.hi * w) : 0;
    law->constant[CORNER] = 0.5 + law->constant[BEFORE] * expm1(-ALPHA * law->constant[RATE]); /* tail(0) = 1/2 */
    law->constant[DPN_PDF0] = 1 / (GAMMA * w);
    law->constant[DPN_LOG_PDF0] = -log(GAMMA * w);
}

static dpn_twofold psi_beyond(const dpn_law *law, dpn_twofold u) {
    return dpn_two_add(dpn_two_square_half(u), dpn_two_load(&law->constant[HALF_B2]));
}

static dpn_twofold psi(const dpn_law *law, double t) {
    if (t <= ALPHA) return dpn_two_times(dpn_two_load(&law->constant[RATE]), t);
    return psi_beyond(law, dpn_two_times(dpn_two_load(&law->constant[INVERSE]), t));
}

/* Up to alpha the tail is e^(-b u) [(1 - e^-v)/b + M(b) e^-v]/w with v = b (b - u), and the bracket is
 * M(b) + (1 - e^-v)(1/b - M(b)). Beyond alpha it is e^-psi M(u)/w. */
static dpn_tail tail(const dpn_law *law, double t) {
    if (t <= ALPHA) {
        double v = (ALPHA - t) * law->constant[RATE];
        double mantissa = law->constant[CORNER] - law->constant[BEFORE] * expm1(-v);
        return (dpn_tail){mantissa, dpn_two_times(dpn_two_load(&law->constant[RATE]), t)};
    }
    dpn_twofold u = dpn_two_times(dpn_two_load(&law->constant[INVERSE]), t);
    return (dpn_tail){dpn_mills(u.hi) / law->constant[W], psi_beyond(law, u)};
}

/* The t <= alpha with tail(t) = p: e^(-b u) = 1 - x, x = (1/2 - p) b w, which is also p b w + (1 - b M(b)) e^(-b^2). */
static double inverse_before(const dpn_law *law, double p) {
    double b = law->constant[B], w = law->constant[W];
    double x = (0.5 - p) * b * w;
    if (x < 0.5) return GAMMA * w * (0.5 - p) * (x > 0 ? -log1p(-x) / x : 1);
    return -log(b * w * (p + law->constant[BEFORE] * corner_density(law))) / law->constant[RATE];
}

/* The t > alpha with tail(t) = p: Q(u) = p w e^(b^2/2)/sqrt(2 pi). Near the centre the mass of the normal law on (0, u)
 * is known better: on (0, b) it is an erf, on (b, u) proportional to 1/2 - p less the law's own mass on (0, alpha). */
static double inverse_beyond(const dpn_law *law, double p) {
    double b = law->constant[B], w = law->constant[W], half_b2 = law->constant[HALF_B2];
    if (p < 0.25) return GAMMA * dpn_log_q_inverse(log(p * w / DPN_SQRT_2PI) + half_b2);
    double deviation = DPN_SQRT_PI_2 * erf(b * DPN_SQRT_1_2) - exp(half_b2) * b * dpn_exprel_minus(2 * half_b2);
    double mass = (exp(half_b2) * w * (0.5 - p) + deviation) / DPN_SQRT_2PI;
    return GAMMA * dpn_q_central_inverse(mass);
}

static double tail_inverse(const dpn_law *law, double p) {
    double beyond = law->constant[CORNER] * corner_density(law);
    return p >= beyond ? inverse_before(law, p) : inverse_beyond(law, p);
}

/* P(2,y)/y for y = b^2, without the division where y is small. */
static double gamma_p2_over(double y) {
    return y > 1 ? dpn_gamma_p2(y) / y : y * (dpn_exprel_minus(y) - dpn_exprel2_minus(y));
}

/* gamma^2 (2/w) [M(b) e^(-b^2) + 2 P(2,b^2)/b^3]. */
static double variance(const dpn_law *law) {
    double b = law->constant[B], w = law->constant[W], y = b_squared(law).hi;
    double beyond = dpn_mills(b) * corner_density(law);
    double moment = b > 1 ? 2 / (b * w) * (b * beyond + 2 * gamma_p2_over(y))
                          : 2 / w * (beyond + 2 * b * (dpn_exprel_minus(y) - dpn_exprel2_minus(y)));
    return GAMMA * GAMMA * moment;
}

/* gamma (2/w) [P(2,b^2)/b^2 + e^(-b^2)]. */
static double mean_abs(const dpn_law *law) {
    return GAMMA * (2 / law->constant[W] * (gamma_p2_over(b_squared(law).hi) + corner_density(law)));
}

/* [1 + 2 (b^2 - 1 + e^(-b^2))/(b w)]/gamma^2. */
static double fisher(const dpn_law *law) {
    double b = law->constant[B], y = b_squared(law).hi;
    return (1 + 2 * b * (y * dpn_exprel2_minus(y)) / law->constant[W]) / GAMMA / GAMMA;
}

/* -log pdf(0) + E psi, E psi = (2/w) {P(2,b^2)/b + e^(-b^2) [b + (1 + b^2) M(b)]/2}. */
static double entropy(const dpn_law *law) {
    double b = law->constant[B], y = b_squared(law).hi;
    double before = b * gamma_p2_over(y), beyond = corner_density(law) * (b + (1 + y) * dpn_mills(b)) / 2;
    return 2 / law->constant[W] * (before + beyond) - law->constant[DPN_LOG_PDF0];
}

/* int_0^inf e^(-psi) e^(+-tau u) du for m = b -+ tau >= 0. */
static double one_side(double b, double m) {
    return b * dpn_exprel_minus(b * m) + dpn_mills(m) * exp(-b * m);
}

/* With tau = gamma s the sum of both sides over w. Where n = tau - b > 0 the growing side is e^peak times
 * sqrt(2 pi) Q(-n) + e^(-n^2/2) (1 - e^(-b n))/n, peak = n (tau + b)/2. */
static double log_mgf(const dpn_law *law, double s) {
    double square = s * (s * variance(law));
    if (square < 1e-7) return 0.5 * square; /* the next term is below 2e-15, and the sum below would round to 1 */
    double b = law->constant[B], w = law->constant[W];
    double tau = s * GAMMA, n = dpn_square_excess(GAMMA, s, ALPHA) / GAMMA;
    double other = one_side(b, b + tau);
    if (n <= 0) return log((one_side(b, -n) + other) / w);
    double peak = 0.5 * n * (tau + b);
    if (peak == INFINITY) return peak;
    double growing = DPN_SQRT_2PI * dpn_q(-n) + exp(-0.5 * n * n) * b * dpn_exprel_minus(b * n);
    return peak + log((growing + exp(-peak) * other) / w);
}

static double sub_gaussian(const dpn_law *law) {
    return dpn_square_upper(GAMMA);
}

static bool pieces(const dpn_law *law, dpn_pieces *out) {
    if (ALPHA == 0)
        *out = (dpn_pieces){{GAMMA, GAMMA}, 1, {{0, 0, 1}}};
    else
        *out = (dpn_pieces){{GAMMA, GAMMA}, 2, {{0, ALPHA, 0}, {ALPHA, ALPHA, 1}}};
    return true;
}

static const dpn_shape_fact shape = {
    .name = "alpha/gamma",
    .ratio = true,
    .least = 0.02,
    .most = 40,
    .below = &dpn_gaussian,
    .above = &dpn_laplace,
    .below_is_member = true,
    .scan = 22,
};

const struct dpn_family dpn_flipped_huber = {
    .name = "flipped-huber",
    .parameter = {"alpha", "gamma"},
    .formula = "exp(-alpha x/gamma^2) for x <= alpha, exp(-(x^2+alpha^2)/2gamma^2) beyond",
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
