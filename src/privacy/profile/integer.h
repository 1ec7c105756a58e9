/* Thresholds of losses on the integers. */
#ifndef DPN_PRIVACY_INTEGER_H
#define DPN_PRIVACY_INTEGER_H

#include "privacy/profile/profile.h"

/* The least whole k with loss log p(k)/p(k + D) > nu, by bisection; +inf if there is none below 2^53, -inf if the
 * loss always exceeds nu. */
double dpn_integer_threshold(const dpn_profile *profile, double nu);

#endif
