/* dpnoise/loss.h - what papers say about the privacy loss of noise: affine bounds, and the functions they are made of.
 *
 * The loss itself, its centred form and the inverse of that are in dpnoise/privacy.h. FH (docs/references.md) bounds the
 * loss of flipped-huber noise by an affine function, and builds its conditions for several answers on it. This header has
 * that bound for every law that has one, and the functions of FH by name:
 *
 *   affine bound        FH (18), (25)       R_D(alpha)    FH (18)      its inverse   FH (21)
 *   omega               FH (9)              theta         FH (22)      cases         FH (13), Table I
 *   Orlicz function     E exp(s X^2/2 gamma^2)
 *
 * docs/proofs/privacy/affine-loss.md
 */
#ifndef DPNOISE_LOSS_H
#define DPNOISE_LOSS_H

#include <dpnoise/law.h>
#include <dpnoise/privacy.h>
#include <dpnoise/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The centred loss at t is at most slope t + offset for every t. */
typedef struct dpn_affine {
    double slope;  /* to the nearest double; the bound is that of the exact slope */
    double offset; /* rounded up */
    bool touches;  /* whether the bound is attained at t = shift/2 */
} dpn_affine;

/* The affine bound of the loss for a shift of either sign. With psi = log pdf(0)/pdf it is the least with the slope of
 * Gaussian tails, shift/gamma^2 for psi ~ t^2/2 gamma^2, and a constant where the slope of psi is bounded:
 *   gaussian        shift t/sigma^2
 *   flipped-huber   shift t/gamma^2 + R_|shift|(alpha)/2 gamma^2
 *   osgt            shift t/sigma^2 + m |shift|/sigma^2
 *   laplace, huber  the largest loss
 * and those on the integers that have the same psi. The loss that is not centred, dpn_privacy_loss, is at most
 * slope (t + shift/2) + offset.
 * Domain   shift finite.
 * Errors   DPN_EDOMAIN; DPN_EUNSUPPORTED for a law whose psi does not consist of quadratic pieces, or whose loss has no
 *          such bound. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_privacy_loss_affine(dpn_affine *out, const dpn_law *law, double shift,
                                                          dpn_error *why);

/* E exp(s X^2/2 v) for a law with the tails of a Gaussian law of the variance v (gamma^2 of flipped-huber, sigma^2 of osgt):
 * at most 1/sqrt(1 - s), which the Gaussian law has. A law is sub-Gaussian with the proxy v if it is below that.
 * Domain   0 <= s < 1, a law on the reals.
 * Accuracy measured: relative error below 2e-14 for alpha/gamma and m/sigma from 0 to 1000 (tests/unit/privacy/t-orlicz.c).
 * Errors   DPN_EDOMAIN; DPN_EUNSUPPORTED for a law with other tails. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_law_orlicz(double *out, const dpn_law *law, double s, dpn_error *why);

/* ---- The functions of FH ---- */

/* R_D(alpha) = alpha^2 - [alpha - D]_+^2, increasing in both; and the alpha with R_D(alpha) = nu.
 * Domain   sensitivity > 0, alpha and nu >= 0, all finite; else NaN. */
DPN_API double dpn_flipped_huber_r(double sensitivity, double alpha);
DPN_API double dpn_flipped_huber_r_inverse(double sensitivity, double nu);

/* omega = 2 [sqrt(2 pi) Q(b) + (2/b) sinh(b^2/2)], b = alpha/gamma, and its logarithm: omega overflows beyond b = 37.
 * theta = gamma Q^-1(sqrt(pi/2)/omega) >= 0: flipped-huber noise is stochastically below N(theta, gamma^2). */
typedef struct dpn_flipped_huber_terms {
    double omega, log_omega, theta;
} dpn_flipped_huber_terms;

/* Accuracy measured: relative error of theta below 1e-12, of the others below 1e-14 (log_omega: absolute below 1 too).
 * Errors   DPN_EUNSUPPORTED for another law. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_flipped_huber_terms_of(dpn_flipped_huber_terms *out, const dpn_law *law,
                                                             dpn_error *why);

/* Which of the five cases of Theorem 3, that is (13) and Table I, epsilon is in: 1 to 5.
 * Domain   sensitivity > 0, epsilon >= 0, both finite.
 * Errors   DPN_EDOMAIN, DPN_EUNSUPPORTED for another law. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_flipped_huber_case(int *out, const dpn_law *law, double sensitivity,
                                                         double epsilon, dpn_error *why);

/* FH Algorithm 2 at epsilon, for K answers that all move by the sensitivity: delta_1 is the profile of one answer, and
 * delta_k(nu) the mean of delta_(k-1)(nu - loss). As printed the recursion has epsilon in place of nu: then delta_2 does not
 * depend on nu, and delta_K is delta_2 for every K >= 2, far too small. `corrected` is the profile, and backs a guarantee;
 * `printed` shows the slip and backs none. (The printed profile of one answer is for nu >= 0 only; here both use the whole of it.)
 * Domain   sensitivity > 0 and finite, K >= 1, epsilon >= 0 and finite. workspace may be NULL.
 * Errors   DPN_EDOMAIN, DPN_EUNSUPPORTED for another law, those of dpn_compose_delta. On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_flipped_huber_algorithm_2(dpn_delta *corrected, dpn_delta *printed,
                                                                dpn_workspace *workspace, const dpn_law *law,
                                                                double sensitivity, uint64_t dimension, double epsilon,
                                                                dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
