/* The profile of noise on the integers at epsilons that fall, each found from the one before.
 *
 * With L(k) the loss at k, f the first k whose loss exceeds epsilon, and d = epsilon' - epsilon >= 0,
 *   delta(epsilon) = e^-d delta(epsilon') + (1 - e^-d) P(X >= f') + sum over f <= k < f' of P(k) (1 - e^(epsilon - L(k))).
 * No term is negative, so that nothing cancels, and no sum is longer than the points between two thresholds. A grid
 * of many epsilons costs about one tail each, where dpn_profile_at costs a sum. docs/proofs/privacy/one-dimension.md, section 4.
 */
#ifndef DPN_PRIVACY_FALLING_H
#define DPN_PRIVACY_FALLING_H

#include "privacy/profile/profile.h"

/* Begins as {.profile = ...}. */
typedef struct dpn_falling {
    const dpn_profile *profile;
    int left; /* steps until dpn_profile_at is asked again; 0 at first */
    double epsilon, first;
    dpn_twofold below;        /* the loss at first - 1 */
    dpn_estimate delta, tail; /* delta(epsilon), without the rounding of losses; P(X >= first) */
} dpn_falling;

/* Whether it gains anything: a law on all the integers whose psi has pieces and whose delta has no closed form. */
bool dpn_falling_serves(const dpn_profile *profile);

/* As dpn_profile_at, for a finite epsilon that is not above the one of the last call. */
dpn_estimate dpn_falling_at(dpn_falling *falling, double epsilon);

#endif
