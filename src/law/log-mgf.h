/* Moment generating functions of laws on the integers, as sums of numbers that may be too large or too small for a
 * double.
 */
#ifndef DPN_LAW_LOG_MGF_H
#define DPN_LAW_LOG_MGF_H

#include "law/family.h"

/* log(pdf(0) sum mantissa_i exp(-exponent_i)) over count >= 1 terms, mantissas >= 0 and not all zero, where it is
 * known to lie between 0 and most; +inf for an exponent of -inf. Near 0 its error is absolute. */
static inline double dpn_log_mgf_sum(const dpn_law *law, const dpn_tail *term, int count, double most) {
    dpn_twofold least = term[0].exponent;
    for (int i = 1; i < count; i++)
        if (dpn_two_subtract(term[i].exponent, least).hi < 0) least = term[i].exponent;
    if (isinf(least.hi)) return INFINITY;
    double sum = term[0].mantissa * dpn_two_exp_minus(dpn_two_subtract(term[0].exponent, least));
    for (int i = 1; i < count; i++)
        sum += term[i].mantissa * dpn_two_exp_minus(dpn_two_subtract(term[i].exponent, least));
    double value = ((log(sum) + law->constant[DPN_LOG_PDF0]) - least.lo) - least.hi;
    return value < 0 ? 0 : value > most ? most : value;
}

/* Whether log E exp(sX) is s^2 variance/2 to 1e-8 of itself, which is then closer than the sum comes; 1/pdf(0) is a
 * width of a log-concave law (docs/proofs/law/discrete-sums.md). */
static inline bool dpn_log_mgf_is_flat(const dpn_law *law, double s) {
    return s < 1e-4 * law->constant[DPN_PDF0];
}

/* Whether exp(s k - psi(k)) falls at least like exp(-k/4) from k = 0 on; psi is convex. */
static inline bool dpn_log_mgf_is_steep(const dpn_law *law, double s) {
    return dpn_two_subtract(law->family->psi(law, 1), dpn_two(s)).hi >= 0.25;
}

/* log E exp(sX) where it is steep: log(1 + E(2 cosh(sX) - 2)/2) has no term that is not positive, so that it keeps its
 * digits however small it is. */
static inline double dpn_log_mgf_steep(const dpn_law *law, double s) {
    double sum = 0, term = 1;
    for (double k = 1; term > 0x1p-57 * sum; k++) {
        dpn_twofold exponent = dpn_two_subtract(law->family->psi(law, k), dpn_two_product(s, k));
        double growth = expm1(-s * k); /* 2 cosh(sk) - 2 = exp(sk) (1 - exp(-sk))^2 */
        term = dpn_two_exp_scaled(growth * growth, exponent);
        sum += term;
    }
    return log1p(law->constant[DPN_PDF0] * sum);
}

#endif
