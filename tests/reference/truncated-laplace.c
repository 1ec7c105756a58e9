/* truncated-laplace(scale,bound): with a = bound/scale, the integral over t > 0 of exp(-psi) is scale (1 - e^-a), and
 * the first and second moments are scale^2 (1 - e^-a (1+a)) and scale^3 (2 - e^-a (2+2a+a^2)). */
#include "reference/reference.h"
#include "reference/special.h"

#include <math.h>

#define SCALE law->parameter[0]
#define BOUND law->parameter[1]

enum { RATIO = REF_OWN, MASS }; /* MASS = 1 - e^-a */
#define OWN(name) law->constant[name]

static double ratio(const double *parameter) {
    return parameter[1] / parameter[0];
}

static void prepare(ref_law *law) {
    OWN(RATIO) = r_div(BOUND, SCALE);
    OWN(MASS) = r_neg(r_expm1(r_neg(OWN(RATIO))));
    law->constant[REF_LOG_MASS] = r_log(r_times(r_mul(SCALE, OWN(MASS)), 2));
}

static real psi(const ref_law *law, real t) {
    return r_less(BOUND, t) ? r_num(INFINITY) : r_div(t, SCALE);
}

static real log_tail(const ref_law *law, real t) {
    if (!r_less(t, BOUND)) return r_num(-INFINITY);
    real rest = r_neg(r_expm1(r_div(r_sub(t, BOUND), SCALE)));
    return r_sub(r_log(r_div(rest, r_times(OWN(MASS), 2))), r_div(t, SCALE));
}

/* (n! - e^-a times the polynomial of order n)/(1 - e^-a) */
static real moment(const ref_law *law, double factorial, real polynomial) {
    real cut = r_mul(r_exp(r_neg(OWN(RATIO))), polynomial);
    return r_div(r_sub(r_num(factorial), cut), OWN(MASS));
}

static real mean_abs(const ref_law *law) {
    return r_mul(SCALE, moment(law, 1, r_plus(OWN(RATIO), 1)));
}

static real variance(const ref_law *law) {
    real a = OWN(RATIO);
    return r_mul(r_square(SCALE), moment(law, 2, r_plus(r_mul(a, r_plus(a, 2)), 2)));
}

static real entropy(const ref_law *law) {
    return r_add(law->constant[REF_LOG_MASS], r_div(mean_abs(law), SCALE));
}

/* Integral over 0 < t < bound of exp((u - 1/scale) t). */
static void add_side(r_sum *sum, const ref_law *law, real u) {
    real slope = r_sub(u, r_div(r_num(1), SCALE)), rise = r_mul(slope, BOUND);
    if (r_sign(slope) > 0) r_sum_term(sum, r_div(r_expm1(r_neg(rise)), r_neg(slope)), rise);
    if (r_sign(slope) < 0) r_sum_term(sum, r_div(r_expm1(rise), slope), r_num(0));
    if (r_sign(slope) == 0) r_sum_term(sum, BOUND, r_num(0));
}

static real log_mgf(const ref_law *law, real s) {
    r_sum sum = {0};
    add_side(&sum, law, s);
    add_side(&sum, law, r_neg(s));
    return r_sub(r_sum_log(&sum), law->constant[REF_LOG_MASS]);
}

static real support(const ref_law *law) {
    return BOUND;
}

static bool draw(draw_source *source, double *parameter) {
    bool ordinary;
    double a = draw_ratio(source, &ordinary), scale = draw_scale(source);
    parameter[0] = scale;
    parameter[1] = a * scale;
    return ordinary && a >= 1e-9 && scale > 1e-100 && scale < 1e100;
}

static double breakpoint(draw_source *source, const double *parameter) {
    (void)source;
    return parameter[1];
}

const struct ref_family ref_truncated_laplace = {
    .name = "truncated-laplace",
    .parameters = 2,
    .ratio = ratio,
    .prepare = prepare,
    .psi = psi,
    .log_tail = log_tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .support = support,
    .draw = draw,
    .breakpoint = breakpoint,
};
