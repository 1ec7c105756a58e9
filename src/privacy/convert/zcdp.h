/* From (xi, rho)-zCDP, rho > 0, to (epsilon, delta). docs/proofs/privacy/convert.md */
#ifndef DPN_PRIVACY_CONVERT_ZCDP_H
#define DPN_PRIVACY_CONVERT_ZCDP_H

#include <dpnoise/convert.h>

/* The epsilon >= 0, rounded up, for l = log(1/delta) or more, by one of the three rules. *order (if not NULL) is the
 * one that gave it, 0 for Bun and Steinke. */
double dpn_zcdp_epsilon_upper(double xi, double rho, double l, dpn_rule rule, double *order);

/* The logarithm of delta, rounded up, at most 0. */
double dpn_zcdp_log_delta_upper(double xi, double rho, double epsilon, dpn_rule rule, double *order);

#endif
