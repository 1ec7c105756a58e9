/* Checks that the tests of the four laws on the integers share. The second computation is a plain sum of the weights
 * exp(-psi(k)) in long double, from the smallest to the largest.
 */
#ifndef DPN_TESTS_INTEGER_LAW_H
#define DPN_TESTS_INTEGER_LAW_H

#include <dpnoise/law.h>

/* psi(k) of the law with these parameters for k >= 0, as its definition has it. */
typedef long double integer_psi(const double *parameter, long double k);

/* The law of a text; the test fails if it is refused. */
dpn_law integer_law(const char *text);

/* Every member against plain sums: pdf, cdf, sf and their logarithms, variance, mean_abs, entropy, and log_mgf at a
 * few s below the bound. The weights must have vanished below exp(-11000) before k = 10^4. */
void check_plain_sums(const char *text, integer_psi *psi);

/* quantile and isf by their definitions at every jump of the distribution function from 1e-300 to 1 - 1e-12, and
 * beside it. */
void check_jumps(const char *text);

/* Values at NaN, at infinities, between the integers and at whole numbers beyond 2^53; members that laws on the
 * integers do not have. */
void check_edges(const char *text);

/* psi(k) where k^2 would overflow or be far from the scale. */
void check_far_psi(const char *text, double k, double psi);

/* log_mgf at and beside those s where two neighbours have the largest term. */
void check_ties(const char *text, integer_psi *psi);

/* Both laws agree at quantiles of the second, which is continuous: pdf at k, and sf at k with that at k + 1/2. */
void check_continuous_limit(const char *text, const char *continuous);

/* The text is refused as outside the domain, by a sentence that names the parameter. */
void check_refused(const char *text, const char *parameter);

#endif
