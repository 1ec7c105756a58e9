/* laplace(scale) */
#include "reference/reference.h"

#define SCALE law->parameter[0]

static void prepare(ref_law *law) {
    law->constant[REF_LOG_MASS] = r_log(r_times(SCALE, 2));
}

static real psi(const ref_law *law, real t) {
    return r_div(t, SCALE);
}

static real log_tail(const ref_law *law, real t) {
    return r_neg(r_add(r_div(t, SCALE), r_log(r_num(2))));
}

static real variance(const ref_law *law) {
    return r_times(r_square(SCALE), 2);
}

static real mean_abs(const ref_law *law) {
    return SCALE;
}

static real fisher(const ref_law *law) {
    return r_div(r_num(1), r_square(SCALE));
}

static real entropy(const ref_law *law) {
    return r_plus(law->constant[REF_LOG_MASS], 1);
}

static real log_mgf(const ref_law *law, real s) {
    return r_neg(r_log1p(r_neg(r_square(r_mul(s, SCALE)))));
}

static real mgf_bound(const ref_law *law) {
    return r_div(r_num(1), SCALE);
}

static bool draw(draw_source *source, double *parameter) {
    parameter[0] = draw_scale(source);
    return true;
}

const struct ref_family ref_laplace = {
    .name = "laplace",
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
