/* gaussian(sigma) */
#include "reference/reference.h"
#include "reference/special.h"

#define SIGMA law->parameter[0]

static void prepare(ref_law *law) {
    law->constant[REF_LOG_MASS] = r_log(r_mul(SIGMA, r_sqrt(r_times(r_pi(), 2))));
}

static real psi(const ref_law *law, real t) {
    return r_over(r_square(r_div(t, SIGMA)), 2);
}

static real log_tail(const ref_law *law, real t) {
    real scaled = r_sub(r_log_mills(r_div(t, SIGMA)), psi(law, t));
    return r_sub(scaled, r_over(r_log(r_times(r_pi(), 2)), 2));
}

static real variance(const ref_law *law) {
    return r_square(SIGMA);
}

static real mean_abs(const ref_law *law) {
    return r_mul(SIGMA, r_sqrt(r_div(r_num(2), r_pi())));
}

static real fisher(const ref_law *law) {
    return r_div(r_num(1), r_square(SIGMA));
}

static real entropy(const ref_law *law) {
    return r_plus(law->constant[REF_LOG_MASS], 0.5);
}

static real log_mgf(const ref_law *law, real s) {
    return r_over(r_square(r_mul(s, SIGMA)), 2);
}

static bool draw(draw_source *source, double *parameter) {
    parameter[0] = draw_scale(source);
    return true;
}

const struct ref_family ref_gaussian = {
    .name = "gaussian",
    .parameters = 1,
    .prepare = prepare,
    .psi = psi,
    .log_tail = log_tail,
    .variance = variance,
    .mean_abs = mean_abs,
    .fisher = fisher,
    .entropy = entropy,
    .log_mgf = log_mgf,
    .draw = draw,
};
