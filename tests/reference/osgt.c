/* osgt(m,sigma): with b = m/sigma and Mills' ratio M, the integral over t > 0 of exp(-psi) is sigma M(b), E|X| is
 * sigma (1/M - b), E X^2 is sigma^2 (1 + b^2 - b/M), and psi' = (t+m)/sigma^2. */
#include "reference/reference.h"
#include "reference/special.h"

#define M law->parameter[0]
#define SIGMA law->parameter[1]

enum { RATIO = REF_OWN, INVERSE_MILLS };
#define OWN(name) law->constant[name]

static double ratio(const double *parameter) {
    return parameter[0] / parameter[1];
}

static void prepare(ref_law *law) {
    OWN(RATIO) = r_div(M, SIGMA);
    real mills = r_mills(OWN(RATIO));
    OWN(INVERSE_MILLS) = r_div(r_num(1), mills);
    law->constant[REF_LOG_MASS] = r_log(r_times(r_mul(SIGMA, mills), 2));
}

static real psi(const ref_law *law, real t) {
    return r_div(r_mul(t, r_add(r_over(t, 2), M)), r_square(SIGMA));
}

static real log_tail(const ref_law *law, real t) {
    real rest = r_over(r_mul(r_mills(r_div(r_add(M, t), SIGMA)), OWN(INVERSE_MILLS)), 2);
    return r_sub(r_log(rest), psi(law, t));
}

static real mean_abs(const ref_law *law) {
    return r_mul(SIGMA, r_sub(OWN(INVERSE_MILLS), OWN(RATIO)));
}

static real variance(const ref_law *law) {
    real b = OWN(RATIO);
    return r_mul(r_square(SIGMA), r_plus(r_mul(b, r_sub(b, OWN(INVERSE_MILLS))), 1));
}

static real fisher(const ref_law *law) {
    return r_div(r_plus(r_mul(OWN(RATIO), OWN(INVERSE_MILLS)), 1), r_square(SIGMA));
}

static real entropy(const ref_law *law) {
    real mean_psi = r_div(r_add(r_over(variance(law), 2), r_mul(M, mean_abs(law))), r_square(SIGMA));
    return r_add(law->constant[REF_LOG_MASS], mean_psi);
}

static real log_mgf(const ref_law *law, real s) {
    r_sum sum = {0};
    real tau = r_mul(s, SIGMA);
    r_sum_term(&sum, SIGMA, r_log_mills(r_sub(OWN(RATIO), tau)));
    r_sum_term(&sum, SIGMA, r_log_mills(r_add(OWN(RATIO), tau)));
    return r_sub(r_sum_log(&sum), law->constant[REF_LOG_MASS]);
}

static bool draw(draw_source *source, double *parameter) {
    bool ordinary;
    double b = draw_ratio(source, &ordinary), sigma = draw_scale(source);
    parameter[0] = draw_chance(source, 0.05) ? 0 : b * sigma;
    parameter[1] = sigma;
    return ordinary && sigma > 1e-100 && sigma < 1e100;
}

static double breakpoint(draw_source *source, const double *parameter) {
    (void)source;
    return parameter[0]; /* not a bend: where the linear part and half the square are alike */
}

const struct ref_family ref_osgt = {
    .name = "osgt",
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
