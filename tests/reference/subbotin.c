/* subbotin(p,scale): y = (t/scale)^p/p turns the moments into gamma functions: with w = p^(1/p) scale,
 * the integral over t > 0 of exp(-psi) is w Gamma(1/p)/p, E|X|^n = w^n Gamma((n+1)/p)/Gamma(1/p), and
 * E psi'^2 = (p/w)^2 Gamma(2-1/p)/Gamma(1/p). */
#include "reference/quadrature.h"
#include "reference/reference.h"
#include "reference/special.h"

#include <math.h>

#define P law->parameter[0]
#define SCALE law->parameter[1]

enum { ORDER = REF_OWN, WIDTH, GAMMA }; /* 1/p, w, Gamma(1/p) */
#define OWN(name) law->constant[name]

static void prepare(ref_law *law) {
    OWN(ORDER) = r_div(r_num(1), P);
    OWN(WIDTH) = r_mul(SCALE, r_pow(P, OWN(ORDER)));
    OWN(GAMMA) = r_gamma(OWN(ORDER));
    law->constant[REF_LOG_MASS] = r_log(r_div(r_times(r_mul(OWN(WIDTH), OWN(GAMMA)), 2), P));
}

static real psi(const ref_law *law, real t) {
    if (r_sign(t) == 0) return r_num(0);
    return r_div(r_pow(r_div(t, SCALE), P), P);
}

static real log_tail(const ref_law *law, real t) {
    real upper = r_log_upper_gamma(OWN(ORDER), psi(law, t));
    return r_sub(upper, r_log(r_times(OWN(GAMMA), 2)));
}

static real moment(const ref_law *law, double n) {
    return r_div(r_gamma(r_times(OWN(ORDER), n + 1)), OWN(GAMMA));
}

static real mean_abs(const ref_law *law) {
    return r_mul(OWN(WIDTH), moment(law, 1));
}

static real variance(const ref_law *law) {
    return r_mul(r_square(OWN(WIDTH)), moment(law, 2));
}

static real fisher(const ref_law *law) {
    real gamma = r_gamma(r_sub(r_num(2), OWN(ORDER)));
    return r_div(r_mul(r_square(r_div(P, OWN(WIDTH))), gamma), OWN(GAMMA));
}

static real entropy(const ref_law *law) {
    return r_add(law->constant[REF_LOG_MASS], OWN(ORDER));
}

static real mgf_bound(const ref_law *law) {
    return r_sign(r_plus(P, -1)) == 0 ? r_div(r_num(1), SCALE) : r_num(INFINITY);
}

/* With t = scale x and tau = s scale, the integral over x > 0 of exp(tau x - x^p/p) + exp(-tau x - x^p/p). */
struct tilted {
    real p, tau, top; /* top: the greatest exponent, which is taken out */
};

static real exponent(const struct tilted *tilted, real x) {
    return r_sub(r_mul(tilted->tau, x), r_div(r_pow(x, tilted->p), tilted->p));
}

static real integrand(const void *context, real x) {
    const struct tilted *tilted = context;
    real side = r_exp(r_sub(exponent(tilted, x), tilted->top)), back = r_times(r_mul(tilted->tau, x), -2);
    if (r_exponent(back) > 9) return side; /* the other side is below exp(-512) of this one */
    return r_mul(side, r_plus(r_exp(back), 1));
}

/* How far, in nats, the integrand must have fallen at a cut. */
static bool fallen(const struct tilted *tilted, real x) {
    size_t mark = r_mark();
    bool low = r_double(r_sub(tilted->top, exponent(tilted, x))) > 180;
    r_release(mark);
    return low;
}

/* A point beyond which, seen from the peak, the integrand has fallen, and not much farther away than need be. */
static real cut(const struct tilted *tilted, real peak, real out) {
    real in = peak;
    while (r_less(r_abs(r_sub(out, peak)), r_times(r_abs(r_sub(out, in)), 8))) {
        real middle = r_over(r_add(in, out), 2);
        if (fallen(tilted, middle))
            out = middle;
        else
            in = middle;
    }
    return out;
}

static real log_mgf(const ref_law *law, real s) {
    if (r_sign(r_plus(P, -1)) == 0) return r_neg(r_log1p(r_neg(r_square(r_mul(s, SCALE)))));
    struct tilted tilted = {.p = P, .tau = r_mul(s, SCALE)};
    real zero = r_num(0), peak = r_pow(tilted.tau, r_div(r_num(1), r_plus(P, -1)));
    if (mpfr_inf_p(peak)) return peak;
    if (r_sign(peak) == 0) peak = zero;
    tilted.top = r_sign(peak) > 0 ? exponent(&tilted, peak) : zero;
    if (r_exponent(tilted.top) > 250) return tilted.top; /* the rest is a logarithm of a few hundred at most */
    real low = r_double(tilted.top) > 180 ? cut(&tilted, peak, zero) : zero;
    real knee = r_pow(P, OWN(ORDER)), far = r_add(r_add(peak, knee), r_num(1));
    while (!fallen(&tilted, far)) far = r_times(far, 2);
    real high = cut(&tilted, peak, far), corner[4] = {low, peak, knee, high}, sum = zero;
    if (r_less(knee, peak)) corner[1] = knee, corner[2] = peak;
    real start = low;
    for (int i = 1; i < 4; i++) {
        if (!r_less(start, corner[i]) || r_less(high, corner[i])) continue;
        sum = r_add(sum, r_integrate(integrand, &tilted, start, corner[i], 110));
        start = corner[i];
    }
    return r_sub(r_add(tilted.top, r_log(r_mul(sum, SCALE))), law->constant[REF_LOG_MASS]);
}

static bool draw(draw_source *source, double *parameter) {
    double kind = draw_uniform(source, 0, 1), p;
    if (kind < 0.1)
        p = 1;
    else if (kind < 0.2)
        p = 2;
    else if (kind < 0.3)
        p = 1 + draw_log_uniform(source, 1e-15, 0.1);
    else if (kind < 0.4)
        p = 2 + draw_log_uniform(source, 1e-12, 0.1) * (draw_chance(source, 0.5) ? 1 : -1);
    else if (kind < 0.8)
        p = draw_uniform(source, 1, 4);
    else
        p = draw_log_uniform(source, 4, draw_chance(source, 0.5) ? 40 : 1000);
    parameter[0] = p;
    parameter[1] = draw_scale(source);
    return parameter[1] > 1e-100 && parameter[1] < 1e100;
}

static double breakpoint(draw_source *source, const double *parameter) {
    (void)source;
    return parameter[1]; /* not a bend: the point that every p shares */
}

const struct ref_family ref_subbotin = {
    .name = "subbotin",
    .parameters = 2,
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
