/* discrete-laplace(scale): geometric sums of a = exp(-1/scale). */
#include "reference/reference.h"

#define SCALE law->parameter[0]

enum { A = REF_OWN, REST }; /* a, 1 - a */
#define OWN(name) law->constant[name]

static void prepare(ref_law *law) {
    real rate = r_div(r_num(-1), SCALE);
    OWN(A) = r_exp(rate);
    OWN(REST) = r_neg(r_expm1(rate));
    law->constant[REF_LOG_MASS] = r_sub(r_log1p(OWN(A)), r_log1p(r_neg(OWN(A))));
}

static real psi(const ref_law *law, real t) {
    return r_div(t, SCALE);
}

static real log_tail(const ref_law *law, real t) {
    return r_neg(r_add(r_div(r_plus(t, 1), SCALE), r_log1p(OWN(A))));
}

static real variance(const ref_law *law) {
    return r_div(r_times(OWN(A), 2), r_square(OWN(REST)));
}

static real mean_abs(const ref_law *law) {
    return r_div(r_times(OWN(A), 2), r_mul(OWN(REST), r_plus(OWN(A), 1)));
}

static real entropy(const ref_law *law) {
    return r_add(law->constant[REF_LOG_MASS], r_div(mean_abs(law), SCALE));
}

static real mgf_bound(const ref_law *law) {
    return r_div(r_num(1), SCALE);
}

/* (1-a)^2/((1 - a e^s)(1 - a e^-s)) */
static real log_mgf(const ref_law *law, real s) {
    real rate = r_div(r_num(1), SCALE);
    real near = r_expm1(r_sub(s, rate)), far = r_expm1(r_neg(r_add(s, rate)));
    return r_log(r_div(r_square(OWN(REST)), r_mul(near, far)));
}

static bool draw(draw_source *source, double *parameter) {
    parameter[0] = draw_integer_scale(source);
    return true;
}

const struct ref_family ref_discrete_laplace = {
    .name = "discrete-laplace",
    .parameters = 1,
    .integer = true,
    .prepare = prepare,
    .psi = psi,
    .log_tail = log_tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .mgf_bound = mgf_bound,
    .draw = draw,
};
