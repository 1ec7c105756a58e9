/* The members of a law for any argument, from what its family provides for t >= 0. */
#include "law/facts.h"
#include "law/generic.h"
#include "law/solve.h"

#include <math.h>

/* On the integers P(X > t) = P(X > floor(t)). */
static double whole(const dpn_law *law, double t) {
    return law->family->integer ? floor(t) : t;
}

static dpn_twofold psi_at(const dpn_law *law, double t) {
    double x = fabs(t);
    if (isinf(x) || (law->family->integer && x != floor(x))) return dpn_two(INFINITY);
    return law->family->psi(law, x);
}

double dpn_law_psi(const dpn_law *law, double t) {
    return isnan(t) ? t : dpn_two_value(psi_at(law, t));
}

double dpn_law_pdf(const dpn_law *law, double t) {
    return isnan(t) ? t : dpn_two_exp_scaled(law->constant[DPN_PDF0], psi_at(law, t));
}

double dpn_law_log_pdf(const dpn_law *law, double t) {
    if (isnan(t)) return t;
    dpn_twofold psi = psi_at(law, t);
    return (law->constant[DPN_LOG_PDF0] - psi.hi) - psi.lo + 0.0; /* no negative zero */
}

dpn_tail dpn_law_tail(const dpn_law *law, double t) {
    return law->family->tail ? law->family->tail(law, t) : dpn_generic_tail(law, t);
}

double dpn_law_tail_error(const dpn_law *law) {
    return law->family->tail ? 0 : 1e-10;
}

double dpn_tail_value(const dpn_law *law, double t) {
    dpn_tail tail = dpn_law_tail(law, t);
    return dpn_two_exp_scaled(tail.mantissa, tail.exponent);
}

double dpn_tail_log(const dpn_law *law, double t) {
    dpn_tail tail = dpn_law_tail(law, t);
    return (log(tail.mantissa) - tail.exponent.hi) - tail.exponent.lo;
}

/* The argument s >= 0 with P(X > t) = 1 - P(X > s) for a negative t: by symmetry -t, on the integers -t-1. */
static double reflected(const dpn_law *law, double t) {
    return law->family->integer ? -t - 1 : -t;
}

double dpn_law_sf(const dpn_law *law, double t) {
    if (isnan(t)) return t;
    if (isinf(t)) return t > 0 ? 0 : 1;
    t = whole(law, t);
    return t >= 0 ? dpn_tail_value(law, t) : 1 - dpn_tail_value(law, reflected(law, t));
}

double dpn_law_log_sf(const dpn_law *law, double t) {
    if (isnan(t)) return t;
    if (isinf(t)) return t > 0 ? -INFINITY : 0;
    t = whole(law, t);
    return t >= 0 ? dpn_tail_log(law, t) : log1p(-dpn_tail_value(law, reflected(law, t))) + 0.0;
}

double dpn_law_cdf(const dpn_law *law, double t) {
    return dpn_law_sf(law, reflected(law, whole(law, t)));
}

double dpn_law_log_cdf(const dpn_law *law, double t) {
    return dpn_law_log_sf(law, reflected(law, whole(law, t)));
}

static double tail_inverse(const dpn_law *law, double p) {
    if (law->family->tail_inverse) return law->family->tail_inverse(law, p);
    return law->family->integer ? dpn_solve_integer_tail(law, p) : dpn_generic_tail_inverse(law, p);
}

/* The least t <= 0 with P(X <= t) >= p, 0 < p <= 1/2. */
static double lower_quantile(const dpn_law *law, double p) {
    double t = tail_inverse(law, p);
    if (!law->family->integer) return 0 - t;
    /* P(X <= -j-1) = tail(j), and t is the least with tail(t) <= p: j = t if they are equal, t - 1 otherwise. */
    return dpn_tail_value(law, t) == p ? -t - 1 : 0 - t;
}

double dpn_law_quantile(const dpn_law *law, double p) {
    if (!(p >= 0 && p <= 1)) return NAN;
    if (p == 0) return -dpn_law_support(law);
    if (p == 1) return dpn_law_support(law);
    return p < 0.5 ? lower_quantile(law, p) : tail_inverse(law, 1 - p); /* 1 - p is exact */
}

double dpn_law_isf(const dpn_law *law, double p) {
    if (!(p >= 0 && p <= 1)) return NAN;
    if (p == 0) return dpn_law_support(law);
    if (p == 1) return -dpn_law_support(law);
    return p <= 0.5 ? tail_inverse(law, p) : lower_quantile(law, 1 - p);
}

#define MANY(member)                                                                           \
    void dpn_law_##member##_many(double *out, const dpn_law *law, const double *t, size_t n) { \
        for (size_t i = 0; i < n; i++) out[i] = dpn_law_##member(law, t[i]);                   \
    }
MANY(pdf)
MANY(log_pdf)
MANY(cdf)
MANY(sf)
MANY(log_cdf)
MANY(log_sf)
MANY(psi)
MANY(quantile)
MANY(isf)

double dpn_law_variance(const dpn_law *law) {
    return law->family->variance ? law->family->variance(law) : dpn_generic_variance(law);
}

double dpn_law_mean_abs(const dpn_law *law) {
    return law->family->mean_abs ? law->family->mean_abs(law) : dpn_generic_mean_abs(law);
}

double dpn_law_fisher(const dpn_law *law) {
    return law->family->fisher ? law->family->fisher(law) : dpn_generic_fisher(law);
}

double dpn_law_nfi(const dpn_law *law) {
    double fisher = dpn_law_fisher(law);
    return isinf(fisher) ? fisher : fisher * dpn_law_variance(law); /* the variance may underflow to 0 */
}

double dpn_law_entropy(const dpn_law *law) {
    return law->family->entropy ? law->family->entropy(law) : dpn_generic_entropy(law);
}

double dpn_law_mgf_bound(const dpn_law *law) {
    if (law->family->mgf_bound) return law->family->mgf_bound(law);
    return law->family->log_mgf ? INFINITY : dpn_generic_mgf_bound(law);
}

double dpn_law_log_mgf(const dpn_law *law, double s) {
    if (isnan(s)) return s;
    s = fabs(s);
    if (s == 0) return 0;
    if (isinf(s)) return s;
    if (!(s <= dpn_law_mgf_bound(law))) return INFINITY;
    double value = law->family->log_mgf ? law->family->log_mgf(law, s) : dpn_generic_log_mgf(law, s);
    return value < 0 ? 0 : value; /* E exp(sX) >= 1, whatever rounding says near s = 0 */
}

double dpn_law_sub_gaussian_upper(const dpn_law *law) {
    return law->family->sub_gaussian ? law->family->sub_gaussian(law) : INFINITY;
}

double dpn_law_support(const dpn_law *law) {
    return law->family->support ? law->family->support(law) : INFINITY;
}

bool dpn_law_is_integer(const dpn_law *law) {
    return law->family->integer;
}

bool dpn_law_is_gaussian(const dpn_law *law) {
    return dpn_law_gaussian(law) > 0;
}

bool dpn_law_is_log_concave(const dpn_law *law) {
    return !law->family->not_log_concave;
}
