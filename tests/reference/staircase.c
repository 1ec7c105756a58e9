/* staircase(epsilon,sensitivity,gamma): with D the sensitivity and q = exp(-epsilon), the steps k = 0, 1, 2, ... of
 * length D have the height q^k up to gamma D and q^(k+1) beyond. Sums over k come from
 *     s0 = sum q^k = 1/(1-q),  s1 = sum k q^k = q/(1-q)^2,  s2 = sum k^2 q^k = q(1+q)/(1-q)^3. */
#include "reference/reference.h"
#include "reference/special.h"

#include <math.h>

#define EPSILON law->parameter[0]
#define STEP law->parameter[1]
#define GAMMA law->parameter[2]

enum { Q = REF_OWN, REST, HALF, HIGH }; /* HIGH = 1 - gamma; REST = 1 - q */
#define OWN(name) law->constant[name]

static void prepare(ref_law *law) {
    OWN(Q) = r_exp(r_neg(EPSILON));
    OWN(REST) = r_neg(r_expm1(r_neg(EPSILON)));
    OWN(HIGH) = r_sub(r_num(1), GAMMA);
    OWN(HALF) = r_div(r_mul(STEP, r_add(GAMMA, r_mul(OWN(HIGH), OWN(Q)))), OWN(REST));
    real log_top = r_log(r_times(OWN(HALF), 2));
    law->constant[REF_LOG_MASS] = r_sign(GAMMA) > 0 ? log_top : r_add(log_top, EPSILON);
}

/* The step k = floor(t/D) and t - kD, both exact: the precision grows with k meanwhile. */
static void locate(const ref_law *law, real t, real *k, real *offset) {
    long size = r_sign(t) ? r_exponent(t) - r_exponent(STEP) : 0;
    mpfr_prec_t before = r_precision(r_bits() + (size > 0 ? size : 0));
    *k = r_floor(r_div(t, STEP));
    *offset = r_sub(t, r_mul(*k, STEP));
    r_precision(before);
}

static bool in_low_part(const ref_law *law, real offset) {
    return r_less(offset, r_mul(GAMMA, STEP));
}

static real psi(const ref_law *law, real t) {
    real level, offset;
    locate(law, t, &level, &offset);
    if (!in_low_part(law, offset) && r_sign(GAMMA) > 0) level = r_plus(level, 1);
    return r_mul(level, EPSILON);
}

static real log_tail(const ref_law *law, real t) {
    real k, offset, rest;
    locate(law, t, &k, &offset);
    if (in_low_part(law, offset)) {
        real beyond = r_add(r_mul(OWN(HIGH), STEP), OWN(HALF));
        rest = r_add(r_sub(r_mul(GAMMA, STEP), offset), r_mul(OWN(Q), beyond));
    } else {
        rest = r_mul(OWN(Q), r_add(r_sub(STEP, offset), OWN(HALF)));
    }
    return r_sub(r_log(r_div(rest, r_times(OWN(HALF), 2))), r_mul(k, EPSILON));
}

static real s0(const ref_law *law) {
    return r_div(r_num(1), OWN(REST));
}

static real s1(const ref_law *law) {
    return r_div(OWN(Q), r_square(OWN(REST)));
}

static real s2(const ref_law *law) {
    return r_div(r_mul(s1(law), r_plus(OWN(Q), 1)), OWN(REST));
}

/* a s2 + b s1 + c s0 */
static real mix(const ref_law *law, real a, real b, real c) {
    return r_add(r_mul(a, s2(law)), r_add(r_mul(b, s1(law)), r_mul(c, s0(law))));
}

/* sum of q^k (((k+g)^2 - k^2) + q ((k+1)^2 - (k+g)^2)), g = gamma */
static real mean_abs(const ref_law *law) {
    real none = r_num(0), square = r_square(GAMMA);
    real low = mix(law, none, r_times(GAMMA, 2), square);
    real high = mix(law, none, r_times(OWN(HIGH), 2), r_sub(r_num(1), square));
    real sum = r_add(low, r_mul(OWN(Q), high));
    return r_div(r_over(r_mul(r_square(STEP), sum), 2), OWN(HALF));
}

/* the same with cubes: (k+g)^3 - k^3 = 3g k^2 + 3g^2 k + g^3, and (k+1)^3 - (k+g)^3 the rest of 3k^2 + 3k + 1 */
static real variance(const ref_law *law) {
    real square = r_square(GAMMA), cube = r_mul(square, GAMMA), one = r_num(1);
    real low = mix(law, r_times(GAMMA, 3), r_times(square, 3), cube);
    real high = mix(law, r_times(OWN(HIGH), 3), r_times(r_sub(one, square), 3), r_sub(one, cube));
    real sum = r_add(low, r_mul(OWN(Q), high));
    return r_div(r_over(r_mul(r_mul(r_square(STEP), STEP), sum), 3), OWN(HALF));
}

/* log of the top height plus epsilon times the mean level. */
static real entropy(const ref_law *law) {
    real none = r_num(0), low = mix(law, none, GAMMA, none), high = mix(law, none, OWN(HIGH), OWN(HIGH));
    real mean_level = r_div(r_mul(STEP, r_add(low, r_mul(OWN(Q), high))), OWN(HALF));
    return r_add(r_log(r_times(OWN(HALF), 2)), r_mul(EPSILON, mean_level));
}

static real mgf_bound(const ref_law *law) {
    return r_div(EPSILON, STEP);
}

/* Integral over t > 0 of exp(ut - level epsilon): a geometric series of the integral over one step. */
static real side(const ref_law *law, real u) {
    real width = r_mul(u, STEP), low = r_mul(width, GAMMA), high = r_mul(width, OWN(HIGH));
    real step = r_add(r_expm1(low), r_mul(OWN(Q), r_mul(r_exp(low), r_expm1(high))));
    return r_div(step, r_neg(r_mul(u, r_expm1(r_sub(width, EPSILON)))));
}

static real log_mgf(const ref_law *law, real s) {
    real sum = r_add(side(law, s), side(law, r_neg(s)));
    return r_log(r_div(sum, r_times(OWN(HALF), 2)));
}

static bool draw(draw_source *source, double *parameter) {
    bool small = draw_chance(source, 0.4);
    double epsilon = draw_log_uniform(source, small ? 1e-9 : 0.05, small ? 0.05 : 300);
    double kind = draw_uniform(source, 0, 1), gamma = draw_uniform(source, 0, 1);
    if (kind < 0.1)
        gamma = 0;
    else if (kind < 0.2)
        gamma = 1;
    else if (kind < 0.4)
        gamma = 1 / (1 + exp(epsilon / 2));
    else if (kind < 0.5)
        gamma = draw_log_uniform(source, 1e-15, 1);
    else if (kind < 0.6)
        gamma = 1 - draw_log_uniform(source, 1e-15, 1);
    parameter[0] = epsilon;
    parameter[1] = draw_scale(source);
    parameter[2] = gamma;
    bool sensible = epsilon <= 300 && (gamma == 0 || gamma >= 1e-100);
    return sensible && parameter[1] > 1e-100 && parameter[1] < 1e100;
}

static double breakpoint(draw_source *source, const double *parameter) {
    double k = floor(draw_log_uniform(source, 1, 2 + 800 / parameter[0])) - 1;
    return draw_chance(source, 0.5) ? k * parameter[1] : (k + parameter[2]) * parameter[1];
}

const struct ref_family ref_staircase = {
    .name = "staircase",
    .parameters = 3,
    .prepare = prepare,
    .psi = psi,
    .log_tail = log_tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .mgf_bound = mgf_bound,
    .draw = draw,
    .breakpoint = breakpoint,
};
