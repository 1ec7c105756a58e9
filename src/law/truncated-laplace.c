/* truncated-laplace(scale,bound): density proportional to exp(-|t|/scale) on [-bound, bound]. With a = bound/scale its
 * integral over t >= 0 is scale (1 - e^-a). */
#include "law/family.h"
#include "law/special.h"

#define SCALE law->parameter[0]
#define BOUND law->parameter[1]

enum { RATIO = DPN_FIRST_CONSTANT, MASS }; /* a and 1 - e^-a */
#define A law->constant[RATIO]
#define ONE_MINUS_EXP law->constant[MASS]

static const char *refuse(const double *parameter) {
    if (!dpn_scale_ok(parameter[0])) return "scale must lie in [1e-150, 1e150]";
    if (!dpn_scale_ok(parameter[1])) return "bound must lie in [1e-150, 1e150]";
    return parameter[1] >= 1e-9 * parameter[0] ? NULL : "bound must be at least 1e-9 scale";
}

static void prepare(dpn_law *law) {
    A = BOUND / SCALE;
    ONE_MINUS_EXP = -expm1(-A);
    law->constant[DPN_PDF0] = 0.5 / (SCALE * ONE_MINUS_EXP);
    law->constant[DPN_LOG_PDF0] = -log(2 * SCALE * ONE_MINUS_EXP);
}

static dpn_twofold psi(const dpn_law *law, double t) {
    return t <= BOUND ? dpn_two_quotient(t, SCALE) : dpn_two(INFINITY);
}

/* e^(-t/scale) (1 - e^(-(bound-t)/scale)) / 2(1 - e^-a). */
static dpn_tail tail(const dpn_law *law, double t) {
    if (t >= BOUND) return (dpn_tail){0, dpn_two(0)};
    return (dpn_tail){-0.5 * expm1(-(BOUND - t) / SCALE) / ONE_MINUS_EXP, dpn_two_quotient(t, SCALE)};
}

/* e^(-t/scale) = 1 - (1-2p)(1 - e^-a) = e^-a + 2p (1 - e^-a) = e^-a (1 + 2p (e^a - 1)): the first near the centre, the last for
 * small a, where t is of the size of the bound. */
static double tail_inverse(const dpn_law *law, double p) {
    double t;
    if (p >= 0.25)
        t = -SCALE * log1p(-2 * (0.5 - p) * ONE_MINUS_EXP);
    else if (A > 1)
        t = -SCALE * log(exp(-A) + 2 * p * ONE_MINUS_EXP);
    else
        t = BOUND - SCALE * log1p(2 * p * expm1(A));
    return fmin(t, BOUND);
}

static double variance(const dpn_law *law) {
    return 2 * SCALE * SCALE * dpn_gamma_p3(A) / ONE_MINUS_EXP;
}

static double mean_abs(const dpn_law *law) {
    return SCALE * dpn_gamma_p2(A) / ONE_MINUS_EXP;
}

static double entropy(const dpn_law *law) {
    return log(2 * SCALE * ONE_MINUS_EXP) + dpn_gamma_p2(A) / ONE_MINUS_EXP;
}

/* log (1 - e^-x)/x for any x; for large negative x that is |x| - log|x|. */
static double log_exprel_minus(double x) {
    if (x == -INFINITY) return INFINITY;
    return x > -500 ? log(dpn_exprel_minus(x)) : -x - log(-x);
}

/* The integral of a/(2(1 - e^-a)) (exp(-(a - sb) y) + exp(-(a + sb) y)) over 0 <= y <= 1, b the bound. */
static double log_mgf(const dpn_law *law, double s) {
    dpn_twofold a = dpn_two_quotient(BOUND, SCALE), sb = dpn_two_product(s, BOUND);
    double near = log_exprel_minus(dpn_two_value(dpn_two_subtract(a, sb)));
    double far = log_exprel_minus(dpn_two_value(dpn_two_add(a, sb)));
    return log(0.5 * A / ONE_MINUS_EXP) + near + log1p(exp(far - near));
}

/* A symmetric unimodal law on [-bound, bound] is a mixture of uniform laws on [-u, u], each with proxy u^2/3. */
static double sub_gaussian(const dpn_law *law) {
    return nextafter(dpn_square_upper(BOUND) / 3, INFINITY);
}

static double support(const dpn_law *law) {
    return BOUND;
}

static bool pieces(const dpn_law *law, dpn_pieces *out) {
    *out = (dpn_pieces){{SCALE, 1}, 1, {{0, 1, 0}}};
    return true;
}

static void parameters(double *parameter, double shape, double scale, double period) {
    (void)period;
    parameter[0] = scale;
    parameter[1] = shape * scale;
}

static const dpn_shape_fact shape = {
    .name = "bound/scale",
    .least = 1e-6,
    .most = 400,
    .above = &dpn_laplace,
    .scan = 20,
    .parameters = parameters,
};

const struct dpn_family dpn_truncated_laplace = {
    .name = "truncated-laplace",
    .parameter = {"scale", "bound"},
    .formula = "exp(-x/scale) for x <= bound, 0 beyond",
    .pieces = pieces,
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
    .sub_gaussian = sub_gaussian,
    .support = support,
};
