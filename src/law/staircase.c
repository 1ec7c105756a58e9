/* staircase(epsilon,sensitivity,gamma): with D = sensitivity, q = e^-epsilon and k = floor(|t|/D) the density is h q^k on the
 * first part [kD, (k+gamma)D) of the k-th step and h q^(k+1) on the rest; h D = (1-q)/2(gamma + q(1-gamma)).
 * The k-th step holds the mass (1-q) q^k, both signs together. */
#include "law/family.h"
#include "law/special.h"

#define EPSILON law->parameter[0]
#define D law->parameter[1]
#define GAMMA law->parameter[2]

enum { DECAY = DPN_FIRST_CONSTANT, RISE, HEIGHT, WIDTH };
#define Q law->constant[DECAY]          /* q */
#define ONE_MINUS_Q law->constant[RISE] /* 1 - q */
#define HD law->constant[HEIGHT]        /* h D */
#define MEAN_LEVEL law->constant[WIDTH] /* gamma + q (1 - gamma) */

static const char *refuse(const double *parameter) {
    if (!(parameter[0] >= 1e-9 && parameter[0] <= 300)) return "epsilon must lie in [1e-9, 300]"; /* h stays finite */
    if (!dpn_scale_ok(parameter[1])) return "sensitivity must lie in [1e-150, 1e150]";
    if (parameter[1] / parameter[0] > DPN_SCALE_MAX) return "sensitivity must be at most 1e150 epsilon";
    bool gamma_ok = parameter[2] == 0 || (parameter[2] >= 1e-100 && parameter[2] <= 1); /* gamma D must not underflow */
    return gamma_ok ? NULL : "gamma must be 0 or lie in [1e-100, 1]";
}

/* With gamma = 0 the first part is empty and the density at 0 is h q. */
static double steps_at_zero(const dpn_law *law) {
    return GAMMA == 0;
}

static void prepare(dpn_law *law) {
    Q = exp(-EPSILON);
    ONE_MINUS_Q = -expm1(-EPSILON);
    MEAN_LEVEL = GAMMA + Q * (1 - GAMMA);
    HD = 0.5 * ONE_MINUS_Q / MEAN_LEVEL;
    law->constant[DPN_PDF0] = HD / D * (GAMMA == 0 ? Q : 1);
    law->constant[DPN_LOG_PDF0] = log(HD) - log(D) - steps_at_zero(law) * EPSILON;
}

/* The step k of t and the exact rest t - kD, 0 <= rest < D. Beyond 2^53 steps the rest is not known and taken as 0. */
static double step_of(const dpn_law *law, double t, double *rest) {
    double k = floor(t / D);
    *rest = 0;
    if (k >= 0x1p53) return k;
    *rest = fma(-k, D, t);
    if (*rest < 0) { /* t/D was rounded up to k */
        k--;
        *rest = fma(-k, D, t);
    }
    return k;
}

/* k epsilon; where t/D overflows, k is as good as t/D and the product may still be finite. */
static dpn_twofold fall(const dpn_law *law, double k, double t) {
    return isfinite(k) ? dpn_two_product(k, EPSILON) : dpn_two(t * (EPSILON / D));
}

/* gamma D - rest: positive on the first part of a step. */
static double first_part_left(const dpn_law *law, double rest) {
    return dpn_two_value(dpn_two_subtract(dpn_two_product(GAMMA, D), dpn_two(rest)));
}

static dpn_twofold psi(const dpn_law *law, double t) {
    double rest, k = step_of(law, t, &rest);
    if (first_part_left(law, rest) <= 0) k++;
    return fall(law, k - steps_at_zero(law), t);
}

/* q^k times what is left of step k in units of q^k, plus q^(k+1)/2 for the steps behind it. */
static dpn_tail tail(const dpn_law *law, double t) {
    double rest, k = step_of(law, t, &rest);
    double left = first_part_left(law, rest);
    double mantissa = left > 0 ? HD * (left / D + (1 - GAMMA) * Q) + 0.5 * Q : Q * (HD * ((D - rest) / D) + 0.5);
    return (dpn_tail){mantissa, fall(law, k, t)};
}

/* Near the centre by the mass y = 1 - 2p of [-t, t]: step k is reached at 1 - q^k, and *part is the share of step k's range. */
static double inverse_of_centre(const dpn_law *law, double y) {
    double k = floor(-log1p(-y) / EPSILON), inside;
    for (;; k--) { /* the floor may be one too high */
        inside = (y + expm1(-k * EPSILON)) * exp(k * EPSILON);
        if (inside >= 0 || k == 0) break;
    }
    double first = 2 * HD * GAMMA; /* mass of the first part, in units of q^k */
    double part = inside <= first ? inside / (2 * HD) : GAMMA + (inside - first) / (2 * HD * Q);
    return (k + fmin(part, 1)) * D;
}

/* In the tail by P = p q^-k, which lies in (q/2, 1/2] on step k. */
static double inverse_of_tail(const dpn_law *law, double p) {
    double k = fmax(0, floor(-log(2 * p) / EPSILON));
    double scaled = p / dpn_two_exp_minus(dpn_two_product(k, EPSILON));
    if (scaled > 0.5 && k > 0) scaled = p / dpn_two_exp_minus(dpn_two_product(--k, EPSILON));
    if (scaled <= 0.5 * Q) scaled = p / dpn_two_exp_minus(dpn_two_product(++k, EPSILON));
    double at_second = HD * (1 - GAMMA) + 0.5; /* the tail where the second part starts, in units of q^(k+1) */
    double part = scaled / Q >= at_second ? (0.5 - scaled) / HD : GAMMA + (at_second - scaled / Q) / HD;
    return (k + fmin(fmax(part, 0), 1)) * D;
}

static double tail_inverse(const dpn_law *law, double p) {
    return p >= 0.25 ? inverse_of_centre(law, 2 * (0.5 - p)) : inverse_of_tail(law, p);
}

/* The moments of the step k, P(k) = (1-q) q^k, and of the place within it. */
static double variance(const dpn_law *law) {
    double g = GAMMA, r = ONE_MINUS_Q;
    double bracket = Q * (1 + 4 * Q + Q * Q) / (r * r) + 3 * g * Q * (1 + Q) / r + 3 * g * g * Q + g * g * g * r;
    return D * (D * (bracket / (3 * MEAN_LEVEL))); /* D^2 alone may underflow */
}

static double mean_abs(const dpn_law *law) {
    double g2 = GAMMA * GAMMA;
    return D * (Q / ONE_MINUS_Q + 0.5 * (g2 + Q * (1 - g2)) / MEAN_LEVEL);
}

static double entropy(const dpn_law *law) {
    double mean_steps = Q / ONE_MINUS_Q + Q * (1 - GAMMA) / MEAN_LEVEL;
    return log(D) - log(HD) + EPSILON * mean_steps;
}

static double mgf_bound(const dpn_law *law) {
    return EPSILON / D;
}

/* (e^x - 1)/x; beyond 1 the low part of x matters as much as in e^x. */
static double exprel(dpn_twofold x) {
    double value = dpn_exprel_minus(-x.hi);
    return x.hi > 1 ? value + value * x.lo : value;
}

/* The integral of e^(v y) over one step, y = t/D, in units of its height and width. */
static double step_mgf(const dpn_law *law, dpn_twofold v) {
    dpn_twofold first = dpn_two_times(v, GAMMA), second = dpn_two_multiply(v, dpn_two_sum(1, -GAMMA));
    return GAMMA * exprel(first) + Q * (1 - GAMMA) * dpn_two_exp_minus(dpn_two_negate(first)) * exprel(second);
}

/* The steps form geometric series with ratios e^(v - epsilon) and e^(-v - epsilon), v = s D. */
static double log_mgf(const dpn_law *law, double s) {
    dpn_twofold v = dpn_two_product(s, D);
    double gap = dpn_two_value(dpn_two_subtract(dpn_two(EPSILON), v));
    if (gap <= 0) return INFINITY;
    double up = step_mgf(law, v) / -expm1(-gap);
    double down = step_mgf(law, dpn_two_negate(v)) / -expm1(-(EPSILON + v.hi));
    return log(HD * (up + down));
}

static dpn_stairs stairs(const dpn_law *law) {
    return (dpn_stairs){EPSILON, D, GAMMA};
}

/* epsilon = period/scale. */
static void parameters(double *parameter, double shape, double scale, double period) {
    parameter[0] = period / scale;
    parameter[1] = period;
    parameter[2] = shape;
}

static const dpn_shape_fact shape = {
    .name = "gamma",
    .least = 1e-4,
    .most = 1,
    .scan = 12,
    .parameters = parameters,
};

const struct dpn_family dpn_staircase = {
    .name = "staircase",
    .parameter = {"epsilon", "sensitivity", "gamma"},
    .formula = "exp(-k epsilon) for x < (k+gamma) sensitivity, exp(-(k+1) epsilon) beyond, k = floor(x/sensitivity)",
    .not_log_concave = true,
    .stairs = stairs,
    .shape = &shape,
    .refuse = refuse,
    .prepare = prepare,
    .psi = psi,
    .tail = tail,
    .tail_inverse = tail_inverse,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .mgf_bound = mgf_bound,
};
