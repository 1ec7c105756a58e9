/* What a count says about a probability: the bounds of Clopper and Pearson, never rounded to the wrong side.
 *
 * X is binomial: how many of n independent trials succeed, each with probability p. For a count k that was seen,
 *
 *   lower(k) = the p with P(X >= k) = alpha,   upper(k) = the p with P(X <= k) = alpha
 *
 * and the probability that the lower bound of what is seen exceeds the true p is at most alpha, whatever p is.
 */
#ifndef DPN_AUDIT_PROPORTION_H
#define DPN_AUDIT_PROPORTION_H

#include <stdint.h>

/* Counts are exact as doubles. */
#define DPN_MOST_TRIALS ((uint64_t)1 << 50)

/* log P(X >= k), log P(X <= k).
 * Domain   0 <= k <= n <= DPN_MOST_TRIALS, 0 < p < 1.
 * Accuracy measured: the probability errs by less than 1e-10 of itself where it is at most one half
 *          (tests/unit/audit/t-proportion.c). */
double dpn_binomial_log_above(uint64_t k, uint64_t n, double p);
double dpn_binomial_log_below(uint64_t k, uint64_t n, double p);

/* The bounds at level alpha, 1e-300 < alpha < 1/2, rounded outwards by about 1e-9 of the width: 0 and 1 at the ends. */
double dpn_proportion_lower(uint64_t k, uint64_t n, double alpha);
double dpn_proportion_upper(uint64_t k, uint64_t n, double alpha);

/* The number of counts c = 0, 1, ... with P(X <= c) <= alpha: the next one, c itself, is reached or exceeded with
 * probability 1 - alpha or more. */
uint64_t dpn_binomial_rare(uint64_t n, double p, double alpha);

#endif
