/* logistic(scale): density 1/(4 scale cosh^2(t/2scale)), tail 1/(1 + exp(t/scale)), MGF pi v/sin(pi v), v = s scale. */
#include "reference/reference.h"

#define SCALE law->parameter[0]

static void prepare(ref_law *law) {
    law->constant[REF_LOG_MASS] = r_log(r_times(SCALE, 4));
}

/* cosh(2x) = 1 + 2 sinh^2 x keeps small arguments; log(2 cosh x) = x + log(1 + e^-2x) serves large ones. */
static real psi(const ref_law *law, real t) {
    real u = r_div(t, SCALE);
    if (r_exponent(u) > 6) {
        return r_sub(r_add(u, r_times(r_log1p(r_exp(r_neg(u))), 2)), r_times(r_log(r_num(2)), 2));
    }
    return r_times(r_log1p(r_times(r_square(r_sinh(r_over(u, 4))), 2)), 2);
}

static real log_tail(const ref_law *law, real t) {
    real u = r_div(t, SCALE);
    return r_neg(r_add(u, r_log1p(r_exp(r_neg(u)))));
}

static real variance(const ref_law *law) {
    return r_over(r_square(r_mul(SCALE, r_pi())), 3);
}

static real mean_abs(const ref_law *law) {
    return r_times(r_mul(SCALE, r_log(r_num(2))), 2);
}

static real fisher(const ref_law *law) {
    return r_div(r_num(1), r_times(r_square(SCALE), 3));
}

static real entropy(const ref_law *law) {
    return r_plus(r_log(SCALE), 2);
}

static real mgf_bound(const ref_law *law) {
    return r_div(r_num(1), SCALE);
}

/* sin(pi v) = sin(pi (1-v)): 1 - v is exact, so the pole keeps its digits. */
static real log_mgf(const ref_law *law, real s) {
    real v = r_mul(s, SCALE), gap = r_sub(r_num(1), v);
    real angle = r_mul(r_pi(), r_less(v, r_num(0.5)) ? v : gap);
    return r_log(r_div(r_mul(r_pi(), v), r_sin(angle)));
}

static bool draw(draw_source *source, double *parameter) {
    parameter[0] = draw_scale(source);
    return true;
}

const struct ref_family ref_logistic = {
    .name = "logistic",
    .parameters = 1,
    .prepare = prepare,
    .psi = psi,
    .log_tail = log_tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .fisher = fisher,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .mgf_bound = mgf_bound,
    .draw = draw,
};
