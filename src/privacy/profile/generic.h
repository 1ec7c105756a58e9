/* The profile of any symmetric log-concave law, continuous or on the integers, from its psi and its tail alone. */
#ifndef DPN_PRIVACY_GENERIC_H
#define DPN_PRIVACY_GENERIC_H

#include "privacy/profile/profile.h"

/* delta(epsilon) for epsilon >= 0 and finite, sensitivity > 0; for a law that is not log-concave the bound 1. */
dpn_estimate dpn_generic_delta(const dpn_profile *profile, double epsilon);

/* delta(+inf): what the law puts beyond the support of its moved self. */
dpn_estimate dpn_generic_at_infinity(const dpn_profile *profile);

/* P(X > t) of the profile's law: of a continuous one at a twofold t, of one on the integers at a whole t.hi. */
dpn_estimate dpn_tail_estimate(const dpn_profile *profile, dpn_twofold t);

/* The integral (sum) of g(t) (1 - e^(epsilon - L(t))) over t >= first, L the loss at t and first its threshold, whole
 * on the integers: the form of delta in which nothing cancels. */
dpn_estimate dpn_positive_sum(const dpn_profile *profile, double epsilon, double first);

#endif
