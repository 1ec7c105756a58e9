/* huber(alpha,gamma): an inner Gaussian piece, t < alpha, and an outer exponential piece of length L = gamma^2/alpha. With
 * b = alpha/gamma, e = exp(-b^2/2) and G = gamma sqrt(pi/2) erf(b/sqrt 2), the moments of order 0, 1, 2 have the pieces
 *     inner  G,  gamma^2 (1 - e),  gamma^2 (G - alpha e)
 *     outer  L e,  L e (alpha + L),  L e (alpha^2 + 2 alpha L + 2 L^2). */
#include "reference/reference.h"
#include "reference/special.h"

#define ALPHA law->parameter[0]
#define GAMMA law->parameter[1]

enum { RATE = REF_OWN, LENGTH, RATIO, EDGE, INNER, OUTER, HALF, MILLS };
#define OWN(name) law->constant[name]

static double ratio(const double *parameter) {
    return parameter[0] / parameter[1];
}

static real root2(void) {
    return r_sqrt(r_num(2));
}

static real root_half_pi(void) {
    return r_sqrt(r_over(r_pi(), 2));
}

static void prepare(ref_law *law) {
    OWN(RATE) = r_div(ALPHA, r_square(GAMMA));
    OWN(LENGTH) = r_div(r_square(GAMMA), ALPHA);
    OWN(RATIO) = r_div(ALPHA, GAMMA);
    OWN(EDGE) = r_exp(r_over(r_square(OWN(RATIO)), -2));
    OWN(INNER) = r_mul(r_mul(GAMMA, root_half_pi()), r_erf(r_div(OWN(RATIO), root2())));
    OWN(OUTER) = r_mul(OWN(LENGTH), OWN(EDGE));
    OWN(MILLS) = r_mills(OWN(RATIO));
    OWN(HALF) = r_add(OWN(INNER), OWN(OUTER));
    law->constant[REF_LOG_MASS] = r_log(r_times(OWN(HALF), 2));
}

static real psi(const ref_law *law, real t) {
    if (r_less(ALPHA, t)) return r_mul(OWN(RATE), r_sub(t, r_over(ALPHA, 2)));
    return r_over(r_square(r_div(t, GAMMA)), 2);
}

static real log_tail(const ref_law *law, real t) {
    real rest = OWN(LENGTH);
    if (r_less(t, ALPHA)) {
        /* Divided by exp(-psi(t)): gamma (M(t/gamma) - drop M(b)) + L drop, drop = exp(psi(t) - psi(alpha)). */
        real gap = r_mul(r_sub(ALPHA, t), r_add(ALPHA, t));
        real drop = r_exp(r_over(r_div(gap, r_square(GAMMA)), -2));
        real inner = r_sub(r_mills(r_div(t, GAMMA)), r_mul(drop, OWN(MILLS)));
        rest = r_add(r_mul(GAMMA, inner), r_mul(OWN(LENGTH), drop));
    }
    return r_sub(r_log(rest), r_add(psi(law, t), law->constant[REF_LOG_MASS]));
}

static real inner_second(const ref_law *law) {
    return r_mul(r_square(GAMMA), r_sub(OWN(INNER), r_mul(ALPHA, OWN(EDGE))));
}

static real variance(const ref_law *law) {
    real sum = r_add(r_square(r_add(ALPHA, OWN(LENGTH))), r_square(OWN(LENGTH)));
    return r_div(r_add(inner_second(law), r_mul(OWN(OUTER), sum)), OWN(HALF));
}

static real mean_abs(const ref_law *law) {
    real inner = r_mul(r_square(GAMMA), r_sub(r_num(1), OWN(EDGE)));
    return r_div(r_add(inner, r_mul(OWN(OUTER), r_add(ALPHA, OWN(LENGTH)))), OWN(HALF));
}

static real fisher(const ref_law *law) {
    real inner = r_div(inner_second(law), r_square(r_square(GAMMA)));
    return r_div(r_add(inner, r_mul(OWN(OUTER), r_square(OWN(RATE)))), OWN(HALF));
}

static real entropy(const ref_law *law) {
    real inner = r_over(r_div(inner_second(law), r_square(GAMMA)), 2);
    real outer = r_mul(OWN(OUTER), r_plus(r_over(r_square(OWN(RATIO)), 2), 1));
    return r_add(law->constant[REF_LOG_MASS], r_div(r_add(inner, outer), OWN(HALF)));
}

static real mgf_bound(const ref_law *law) {
    return OWN(RATE);
}

/* With tau = gamma s all four pieces have the factor exp(tau^2/2):
 *     gamma sqrt(pi/2) (erf((b-tau)/sqrt 2) + erf(tau/sqrt 2)),  exp(-(b-tau)^2/2)/(1/L - s)  and the same for -tau. */
static real side(const ref_law *law, real tau, real s) {
    real b = OWN(RATIO), inner, start = r_sub(b, tau);
    if (r_sign(tau) > 0) {
        inner = r_add(r_erf(r_div(start, root2())), r_erf(r_div(tau, root2())));
    } else {
        inner = r_sub(r_erfc(r_neg(r_div(tau, root2()))), r_erfc(r_div(start, root2())));
    }
    real outer = r_div(r_exp(r_over(r_square(start), -2)), r_sub(OWN(RATE), s));
    return r_add(r_mul(r_mul(GAMMA, root_half_pi()), inner), outer);
}

static real log_mgf(const ref_law *law, real s) {
    real tau = r_mul(GAMMA, s);
    real sum = r_add(side(law, tau, s), side(law, r_neg(tau), r_neg(s)));
    return r_add(r_over(r_square(tau), 2), r_sub(r_log(sum), law->constant[REF_LOG_MASS]));
}

static bool draw(draw_source *source, double *parameter) {
    bool ordinary;
    double b = draw_ratio(source, &ordinary), gamma = draw_scale(source);
    parameter[0] = b * gamma;
    parameter[1] = gamma;
    return ordinary && gamma > 1e-100 && gamma < 1e100;
}

static double breakpoint(draw_source *source, const double *parameter) {
    (void)source;
    return parameter[0];
}

const struct ref_family ref_huber = {
    .name = "huber",
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
    .mgf_bound = mgf_bound,
    .draw = draw,
    .breakpoint = breakpoint,
};
