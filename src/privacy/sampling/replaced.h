/* The loss of a release from a random sample if one person's record is replaced by another: a profile D that no pair of records exceeds.
 *
 * The record is in the sample with probability q, with x = e^epsilon >= 1 and a = 1 + (x-1)/q. K is the profile of the release if the
 * record in the sample is replaced, H that of the record in the sample against nobody in its place.
 *
 *     any release, Poisson samples    D(x) = q (b K(a) + (1-b) H(a)), b = x/a;
 *     any release, fixed batches      D(x) = q K(a), the same with H = K;
 *     log-concave noise, Poisson      D(x) = q sup_t (S(t) - x S(t + r) - (a-x) S(t + p)), S the tail of the law, r and p the
 *                                     sensitivities to replacing and to removing: the worst records, and never more than the first.
 *
 * For x < 1 it is 1 - x + x D(1/x). D is convex, so it is the profile of a pair, and that pair composes
 * (docs/proofs/privacy/replace.md).
 */
#ifndef DPN_PRIVACY_REPLACED_H
#define DPN_PRIVACY_REPLACED_H

#include "privacy/sampling/base.h"

/* present is `replaced` for a batch of fixed size. With a law its two sensitivities are set, and where its tail ends, else law is NULL. */
typedef struct dpn_replaced {
    const dpn_base *replaced, *present;
    double rate;
    const dpn_law *law;
    double replace, remove, far;
} dpn_replaced;

/* The view refers to *replaced, 0 < rate <= 1. */
dpn_loss_view dpn_replaced_view(const dpn_replaced *replaced);

/* D for nu = log x >= 0, or +inf: bounds of log D, a number that is at least minus its slope to the right, one that is at most minus its
 * slope to the left; of log-concave noise, in replaced-noise.c. */
dpn_status dpn_replaced_noise_log_delta(double *lower, double *upper, const dpn_replaced *r, double nu, dpn_error *why);
double dpn_replaced_noise_above(const dpn_replaced *r, double nu);
double dpn_replaced_noise_at_least(const dpn_replaced *r, double nu);

/* Where the tail of a law ends: it is below e^-1000 from there on. */
double dpn_replaced_noise_far(const dpn_law *law);

#endif
