/* flipped-huber(alpha,gamma): the integral over t > 0 of exp(-psi) falls into an inner piece, t < alpha, where it is
 * exponential of length L = gamma^2/alpha, and an outer Gaussian piece. With b = alpha/gamma and y = b^2 = alpha/L, the
 * pieces of the moments of order 0, 1, 2 are
 *     inner  L (1 - e^-y),  L^2 (1 - e^-y (1+y)),  L^3 (2 - e^-y (2+2y+y^2))
 *     outer  G = gamma e^-y M(b),  gamma^2 e^-y,  gamma^2 (alpha e^-y + G),   M = Mills' ratio. */
#include "reference/reference.h"
#include "reference/special.h"

#include <math.h>

#define ALPHA law->parameter[0]
#define GAMMA law->parameter[1]

enum { RATE = REF_OWN, LENGTH, RATIO, DEPTH, INNER, OUTER, HALF, MILLS };
#define OWN(name) law->constant[name]

static double ratio(const double *parameter) {
    return parameter[0] / parameter[1];
}

static bool gaussian(const ref_law *law) {
    return r_sign(ALPHA) == 0;
}

static void prepare(ref_law *law) {
    OWN(RATE) = r_div(ALPHA, r_square(GAMMA));
    OWN(LENGTH) = gaussian(law) ? r_num(0) : r_div(r_square(GAMMA), ALPHA);
    OWN(RATIO) = r_div(ALPHA, GAMMA);
    OWN(DEPTH) = r_square(OWN(RATIO));
    OWN(INNER) = r_mul(OWN(LENGTH), r_neg(r_expm1(r_neg(OWN(DEPTH)))));
    OWN(MILLS) = r_mills(OWN(RATIO));
    OWN(OUTER) = r_mul(r_mul(GAMMA, r_exp(r_neg(OWN(DEPTH)))), OWN(MILLS));
    OWN(HALF) = r_add(OWN(INNER), OWN(OUTER));
    law->constant[REF_LOG_MASS] = r_log(r_times(OWN(HALF), 2));
}

static real psi(const ref_law *law, real t) {
    if (!r_less(ALPHA, t)) return r_mul(OWN(RATE), t);
    return r_over(r_div(r_add(r_square(t), r_square(ALPHA)), r_square(GAMMA)), 2);
}

static real log_tail(const ref_law *law, real t) {
    real rest;
    if (r_less(ALPHA, t) || gaussian(law)) {
        rest = r_mul(GAMMA, r_mills(r_div(t, GAMMA)));
    } else {
        real gap = r_neg(r_mul(r_sub(ALPHA, t), OWN(RATE)));
        rest = r_sub(r_mul(r_mul(GAMMA, r_exp(gap)), OWN(MILLS)), r_mul(OWN(LENGTH), r_expm1(gap)));
    }
    return r_sub(r_log(rest), r_add(psi(law, t), law->constant[REF_LOG_MASS]));
}

static real inner_first(const ref_law *law) {
    real kept = r_sub(r_num(1), r_mul(r_exp(r_neg(OWN(DEPTH))), r_plus(OWN(DEPTH), 1)));
    return r_mul(r_square(OWN(LENGTH)), kept);
}

static real inner_second(const ref_law *law) {
    real y = OWN(DEPTH), polynomial = r_plus(r_mul(r_plus(y, 2), y), 2);
    real kept = r_sub(r_num(2), r_mul(r_exp(r_neg(y)), polynomial));
    return r_mul(r_mul(r_square(OWN(LENGTH)), OWN(LENGTH)), kept);
}

static real outer_second(const ref_law *law) {
    return r_mul(r_square(GAMMA), r_add(r_mul(ALPHA, r_exp(r_neg(OWN(DEPTH)))), OWN(OUTER)));
}

static real variance(const ref_law *law) {
    return r_div(r_add(inner_second(law), outer_second(law)), OWN(HALF));
}

static real mean_abs(const ref_law *law) {
    real outer = r_mul(r_square(GAMMA), r_exp(r_neg(OWN(DEPTH))));
    return r_div(r_add(inner_first(law), outer), OWN(HALF));
}

/* The mean of psi'^2: the inner slope is 1/L, the outer one t/gamma^2. */
static real fisher(const ref_law *law) {
    real inner = r_mul(OWN(INNER), r_square(OWN(RATE)));
    real outer = r_div(outer_second(law), r_square(r_square(GAMMA)));
    return r_div(r_add(inner, outer), OWN(HALF));
}

static real entropy(const ref_law *law) {
    real inner = r_mul(inner_first(law), OWN(RATE));
    real outer = r_over(r_add(r_div(outer_second(law), r_square(GAMMA)), r_mul(OWN(DEPTH), OWN(OUTER))), 2);
    return r_add(law->constant[REF_LOG_MASS], r_div(r_add(inner, outer), OWN(HALF)));
}

/* The integrals over t > 0 of exp(ut - psi), u = s and -s. */
static void add_side(r_sum *sum, const ref_law *law, real u) {
    real slope = r_sub(u, OWN(RATE)), rise = r_mul(slope, ALPHA);
    if (r_sign(slope) > 0) r_sum_term(sum, r_div(r_expm1(r_neg(rise)), r_neg(slope)), rise);
    if (r_sign(slope) < 0) r_sum_term(sum, r_div(r_expm1(rise), slope), r_num(0));
    if (r_sign(slope) == 0) r_sum_term(sum, ALPHA, r_num(0));
    r_sum_term(sum, GAMMA, r_add(rise, r_log_mills(r_sub(OWN(RATIO), r_mul(GAMMA, u)))));
}

static real log_mgf(const ref_law *law, real s) {
    r_sum sum = {0};
    add_side(&sum, law, s);
    add_side(&sum, law, r_neg(s));
    return r_sub(r_sum_log(&sum), law->constant[REF_LOG_MASS]);
}

static bool draw(draw_source *source, double *parameter) {
    bool ordinary;
    double b = draw_ratio(source, &ordinary), gamma = draw_scale(source), alpha = b * gamma;
    if (draw_chance(source, 0.05)) alpha = 0;
    parameter[0] = alpha;
    parameter[1] = gamma;
    return ordinary && gamma > 1e-100 && gamma < 1e100;
}

static double breakpoint(draw_source *source, const double *parameter) {
    (void)source;
    return parameter[0];
}

const struct ref_family ref_flipped_huber = {
    .name = "flipped-huber",
    .parameters = 2,
    .ratio = ratio,
    .prepare = prepare,
    .psi = psi,
    .log_tail = log_tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .fisher = fisher,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .draw = draw,
    .breakpoint = breakpoint,
};
