/* dpnoise/law.h - noise laws: what a random variable looks like, with no word about privacy or random bits.
 *
 * A dpn_law is a small value: copy it, compare it, put it in arrays; it owns nothing. Make one from text or by a
 * checked constructor, then ask.
 *
 * Example
 *     dpn_law law;
 *     dpn_error why;
 *     if (dpn_law_parse(&law, "flipped-huber(alpha=3,gamma=1)", &why)) return puts(why.sentence);
 *     printf("%g\n", dpn_law_sf(&law, 0.5));
 *
 * Every law here is symmetric about zero. Continuous laws (x = |t|):
 *
 *   gaussian(sigma)                       exp(-x^2/2sigma^2)
 *   laplace(scale)                        exp(-x/scale)
 *   flipped-huber(alpha,gamma)            exp(-alpha x/gamma^2) for x <= alpha, exp(-(x^2+alpha^2)/2gamma^2) beyond;
 *                                         alpha = 0 is gaussian(sigma=gamma)
 *   osgt(m,sigma)                         exp(-(x^2/2 + m x)/sigma^2)
 *   huber(alpha,gamma)                    exp(-x^2/2gamma^2) for x <= alpha, exp(-(alpha x - alpha^2/2)/gamma^2) beyond
 *   staircase(epsilon,sensitivity,gamma)  with k = floor(x/sensitivity): exp(-k epsilon) if x < (k+gamma) sensitivity,
 *                                         exp(-(k+1) epsilon) otherwise; 0 <= gamma <= 1
 *   truncated-laplace(scale,bound)        exp(-x/scale) for x <= bound, 0 beyond
 *   subbotin(p,scale)                     exp(-x^p/(p scale^p)), p >= 1
 *   logistic(scale)                       1/cosh^2(x/2scale)
 *
 * each divided by its integral; and on the integers, each divided by its sum,
 *
 *   discrete-gaussian(sigma), discrete-laplace(scale), discrete-flipped-huber(alpha,gamma), discrete-osgt(m,sigma)
 *
 * with the formula of the continuous law of that name, and
 *
 *   truncated-geometric(epsilon,n,theta)  with probability theta exp(-epsilon x) for x <= n, 0 beyond, divided by its sum,
 *                                         else the same with n-1 for n; 0 < theta <= 1
 *
 * Domains of the parameters: docs/laws.md; every parameter
 * outside its domain is refused with a sentence.
 *
 * Accuracy of all members: measured against a 200-bit reference, docs/accuracy.md. The functions are pure: any number of
 * threads may ask the same law.
 */
#ifndef DPNOISE_LAW_H
#define DPNOISE_LAW_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DPN_LAW_PARAMETERS = 3, DPN_LAW_CONSTANTS = 16 };

/* A noise law. The members are private: read them through the functions below. */
typedef struct dpn_law {
    const struct dpn_family *family;
    double parameter[DPN_LAW_PARAMETERS];
    double constant[DPN_LAW_CONSTANTS]; /* what the family computes once from the parameters */
} dpn_law;

/* ---- Making and printing ---- */

/* The law of a family with these parameters, in the order of the table above.
 * Errors   DPN_EPARSE for an unknown family or a wrong count, DPN_EDOMAIN for a parameter outside its domain. On error
 *          *law is not written, and why (if not NULL) holds the reason. */
DPN_API DPN_MUST_CHECK dpn_status dpn_law_make(dpn_law *law, const char *family, const double *parameter, size_t count,
                                               dpn_error *why);

/* The law written as family(name=value,...). Parameters come in any order, each once; blanks are allowed around
 * names, values and signs; numbers as in dpn_number_parse.
 * Errors   as dpn_law_make, and DPN_EPARSE for text that is not of this form. */
DPN_API DPN_MUST_CHECK dpn_status dpn_law_parse(dpn_law *law, const char *text, dpn_error *why);

/* Room for the longest law text, with its terminating zero. */
enum { DPN_LAW_TEXT_SIZE = 192 };

/* Write the law as text that dpn_law_parse reads back to the same law, to the last bit.
 * Returns  text. */
DPN_API char *dpn_law_print(char text[DPN_LAW_TEXT_SIZE], const dpn_law *law);

/* The families: names in the order of the table above, NULL past the end; likewise the names of a family's parameters. */
DPN_API const char *dpn_family_name(size_t index);
DPN_API const char *dpn_family_parameter(size_t index, size_t parameter);

/* What the density of a family is proportional to, as text in its parameters and x = |t|; NULL past the end. */
DPN_API const char *dpn_family_formula(size_t index);

/* The name of the law's family, its parameter of that name (NaN if it has none). */
DPN_API const char *dpn_law_family(const dpn_law *law);
DPN_API double dpn_law_parameter(const dpn_law *law, const char *name);

/* Whether the law lives on the integers. */
DPN_API bool dpn_law_is_integer(const dpn_law *law);

/* Whether the density (probability function) is log-concave: all laws but staircase are. */
DPN_API bool dpn_law_is_log_concave(const dpn_law *law);

/* Whether the law is a Gaussian law on the reals, as gaussian(sigma) and members of other families are: flipped-huber
 * with alpha = 0, osgt with m = 0, subbotin with p = 2. */
DPN_API bool dpn_law_is_gaussian(const dpn_law *law);

/* The largest value that the law takes, +inf if there is none; the smallest is its negative. */
DPN_API double dpn_law_support(const dpn_law *law);

/* ---- At a point ----
 * Defn     pdf(t) is the density, on the integers the probability of t, which is 0 between them;
 *          cdf(t) = P(X <= t), sf(t) = P(X > t); log_* are their natural logarithms;
 *          psi(t) = log pdf(0) - log pdf(t).
 * Domain   any t; -inf and +inf give the limits; NaN gives NaN.
 * Accuracy docs/accuracy.md. Below the smallest normal double use the logarithms. */
DPN_API double dpn_law_pdf(const dpn_law *law, double t);
DPN_API double dpn_law_log_pdf(const dpn_law *law, double t);
DPN_API double dpn_law_cdf(const dpn_law *law, double t);
DPN_API double dpn_law_sf(const dpn_law *law, double t);
DPN_API double dpn_law_log_cdf(const dpn_law *law, double t);
DPN_API double dpn_law_log_sf(const dpn_law *law, double t);
DPN_API double dpn_law_psi(const dpn_law *law, double t);

/* Quantiles.
 * Defn     quantile(p) is the least t with cdf(t) >= p, isf(p) the least t with sf(t) <= p.
 * Domain   0 <= p <= 1, else NaN; 0 and 1 give the ends of the support.
 * Accuracy docs/accuracy.md, for p down to 1e-300. On the integers the smaller of the two tails decides, as computed: for
 *          p > 1/2 that is sf(t) <= 1 - p (1 - p is exact), because cdf(t) near 1 is a rounded number. So quantile(cdf(t)) is
 *          t in the lower half and may be a neighbour of t in the upper one; isf(sf(t)) is t in the upper half. */
DPN_API double dpn_law_quantile(const dpn_law *law, double p);
DPN_API double dpn_law_isf(const dpn_law *law, double p);

/* The same for n points at once: out[i] = f(t[i]); out may be t. */
DPN_API void dpn_law_pdf_many(double *out, const dpn_law *law, const double *t, size_t n);
DPN_API void dpn_law_log_pdf_many(double *out, const dpn_law *law, const double *t, size_t n);
DPN_API void dpn_law_cdf_many(double *out, const dpn_law *law, const double *t, size_t n);
DPN_API void dpn_law_sf_many(double *out, const dpn_law *law, const double *t, size_t n);
DPN_API void dpn_law_log_cdf_many(double *out, const dpn_law *law, const double *t, size_t n);
DPN_API void dpn_law_log_sf_many(double *out, const dpn_law *law, const double *t, size_t n);
DPN_API void dpn_law_psi_many(double *out, const dpn_law *law, const double *t, size_t n);
DPN_API void dpn_law_quantile_many(double *out, const dpn_law *law, const double *p, size_t n);
DPN_API void dpn_law_isf_many(double *out, const dpn_law *law, const double *p, size_t n);

/* ---- Of the whole law ---- */

/* The variance E X^2. */
DPN_API double dpn_law_variance(const dpn_law *law);

/* The mean absolute value E|X|. */
DPN_API double dpn_law_mean_abs(const dpn_law *law);

/* The Fisher information of location E psi'(X)^2: +inf for staircase and truncated-laplace, whose densities jump. Laws on
 * the integers have no location derivative: NaN. */
DPN_API double dpn_law_fisher(const dpn_law *law);

/* Normalised Fisher information: fisher times variance; 1 for the Gaussian, which is the least, and 2 for Laplace.
 * +inf or NaN where fisher is. */
DPN_API double dpn_law_nfi(const dpn_law *law);

/* The entropy -E log pdf(X) in nats: differential entropy, on the integers Shannon's. */
DPN_API double dpn_law_entropy(const dpn_law *law);

/* log E exp(sX): +inf for |s| at or beyond dpn_law_mgf_bound (and where the value exceeds the largest double), NaN for
 * NaN. Near s = 0, where it vanishes, the accuracy is absolute. */
DPN_API double dpn_law_log_mgf(const dpn_law *law, double s);

/* The supremum of the s with E exp(sX) finite: +inf if all are. */
DPN_API double dpn_law_mgf_bound(const dpn_law *law);

/* A v with E exp(sX) <= exp(v s^2/2) for all s (a sub-Gaussian proxy variance; docs/proofs/law/sub-gaussian.md), +inf if
 * there is none. */
DPN_API double dpn_law_sub_gaussian_upper(const dpn_law *law);

#ifdef __cplusplus
}
#endif

#endif
