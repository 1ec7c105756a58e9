/* The members of a law for any argument, by symmetry from what its row gives for t >= 0. */
#include "reference/reference.h"

#include <math.h>

enum { BASE_BITS = 320 };

void ref_make(ref_law *law, const struct ref_family *family, const double *parameter, mpfr_prec_t more) {
    double stretch = family->ratio ? fabs(log2(family->ratio(parameter))) : 0;
    r_precision(BASE_BITS + more + (isfinite(stretch) ? (mpfr_prec_t)(8 * stretch) : 0));
    *law = (ref_law){.family = family};
    for (int i = 0; i < family->parameters; i++) law->parameter[i] = r_num(parameter[i]);
    family->prepare(law);
}

static bool whole(real t) {
    return mpfr_integer_p(t) != 0;
}

real ref_psi(const ref_law *law, real t) {
    if (mpfr_nan_p(t)) return t;
    if (mpfr_inf_p(t) || (law->family->integer && !whole(t))) return r_num(INFINITY);
    return law->family->psi(law, r_abs(t));
}

real ref_log_pdf(const ref_law *law, real t) {
    return r_neg(r_add(law->constant[REF_LOG_MASS], ref_psi(law, t)));
}

real ref_pdf(const ref_law *law, real t) {
    return r_exp(ref_log_pdf(law, t));
}

/* By symmetry both tails follow from one: P(X <= t) for t < 0 is P(X > -t), on the integers P(X > -t-1), and the rest is
 * the complement. */
ref_tails ref_tails_at(const ref_law *law, real t) {
    if (mpfr_nan_p(t)) return (ref_tails){t, t, t, t};
    if (law->family->integer && mpfr_number_p(t)) t = r_floor(t);
    real log_near = r_num(-INFINITY), x = r_abs(t);
    if (law->family->integer && r_sign(t) < 0) x = r_plus(x, -1);
    if (mpfr_number_p(t)) log_near = law->family->log_tail(law, x);
    real near = r_exp(log_near), log_far = r_log1p(r_neg(near)), far = r_sub(r_num(1), near);
    if (r_sign(t) >= 0) return (ref_tails){.sf = near, .log_sf = log_near, .cdf = far, .log_cdf = log_far};
    return (ref_tails){.sf = far, .log_sf = log_far, .cdf = near, .log_cdf = log_near};
}

real ref_log_sf(const ref_law *law, real t) {
    return ref_tails_at(law, t).log_sf;
}

real ref_sf(const ref_law *law, real t) {
    return ref_tails_at(law, t).sf;
}

real ref_log_cdf(const ref_law *law, real t) {
    return ref_tails_at(law, t).log_cdf;
}

real ref_cdf(const ref_law *law, real t) {
    return ref_tails_at(law, t).cdf;
}

real ref_variance(const ref_law *law) {
    return law->family->variance(law);
}

real ref_mean_abs(const ref_law *law) {
    return law->family->mean_abs(law);
}

real ref_fisher(const ref_law *law) {
    if (law->family->fisher) return law->family->fisher(law);
    return r_num(law->family->integer ? NAN : INFINITY);
}

real ref_nfi(const ref_law *law) {
    return r_mul(ref_fisher(law), ref_variance(law));
}

real ref_entropy(const ref_law *law) {
    return law->family->entropy(law);
}

real ref_mgf_bound(const ref_law *law) {
    return law->family->mgf_bound ? law->family->mgf_bound(law) : r_num(INFINITY);
}

real ref_log_mgf(const ref_law *law, real s) {
    if (mpfr_nan_p(s)) return s;
    s = r_abs(s);
    if (r_sign(s) == 0) return r_num(0);
    if (mpfr_inf_p(s) || !r_less(s, ref_mgf_bound(law))) return r_num(INFINITY);
    return law->family->log_mgf(law, s);
}

real ref_support(const ref_law *law) {
    return law->family->support ? law->family->support(law) : r_num(INFINITY);
}
