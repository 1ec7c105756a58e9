/* From a Renyi divergence to (epsilon, delta). docs/proofs/privacy/convert.md */
#ifndef DPN_PRIVACY_CONVERT_RENYI_H
#define DPN_PRIVACY_CONVERT_RENYI_H

#include <dpnoise/convert.h>

/* The epsilon >= 0 that a divergence of this finite order implies, rounded up; l is log(1/delta) or more, finite. The
 * rule is Canonne, Kamath and Steinke's or the optimal one. */
double dpn_renyi_epsilon_upper(double order, double divergence, double l, dpn_rule rule);

/* The logarithm of the delta that it implies, rounded up, at most 0; -inf if it is 0. */
double dpn_renyi_log_delta_upper(double order, double divergence, double epsilon, dpn_rule rule);

#endif
