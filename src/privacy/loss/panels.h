/* Gauss-Legendre panels on a segment, fine enough for a proven error.
 *
 * On a panel the integrands are exponentials of quadratics, hence entire. The rule with N points errs by at most
 * (64/15) B rho^(-2N)/(1 - rho^-2) times half the panel's length if |integrand| <= B on the ellipse with foci at the
 * ends and semi-axes (rho + 1/rho)/2, (rho - 1/rho)/2, for every rho > 1; the least over a few rho is taken.
 */
#ifndef DPN_PRIVACY_LOSS_PANELS_H
#define DPN_PRIVACY_LOSS_PANELS_H

#include "privacy/loss/rule.h"

/* What is integrated over a segment: exp(log_density + kappa loss) for kappa in [low, high], and times e^(i omega
 * loss). */
typedef struct dpn_panels {
    double low, high, omega;
    double top; /* logarithm of the unit of the tilted masses */
    double
        log_goal; /* logarithm of the error allowed on a panel, in that unit and, for kappa in [-1, 0], in the unit 1 */
    double lost;  /* sum of the bounds, in that unit */
    double lost_base; /* the same for kappa in [-1, 0], in the unit 1 */
} dpn_panels;

/* Add the points of a segment to the rule. */
dpn_status dpn_panels_add(dpn_panels *panels, dpn_rule *rule, const dpn_segment *segment);

/* The largest value of log_density + kappa loss on the segment. */
double dpn_panels_top(const dpn_segment *segment, double kappa);

#endif
