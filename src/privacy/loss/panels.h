/* Gauss-Legendre panels on a segment, fine enough for a proven error:
 * loss/ellipse.h bounds the error on a panel; a panel whose bound exceeds the goal is cut in two.
 */
#ifndef DPN_PRIVACY_LOSS_PANELS_H
#define DPN_PRIVACY_LOSS_PANELS_H

#include "privacy/loss/rule.h"

/* What is integrated over a segment: exp(log_density + kappa loss) for kappa = theta and -1 - theta, theta >= -1, and times
 * e^(i omega loss); and for kappa = 0 and -1. None of these is above high. */
typedef struct dpn_panels {
    double theta, high, omega;
    double top;       /* logarithm of the unit of the tilted masses */
    double log_goal;  /* of the error allowed on a panel, in that unit and, for kappa = 0 and -1, in the unit 1 */
    double lost;      /* sum of the bounds, in that unit */
    double lost_base; /* the same for kappa = 0 and -1, in the unit 1 */
} dpn_panels;

/* Add the points of a segment to the rule. */
dpn_status dpn_panels_add(dpn_panels *panels, dpn_tilt_rule *rule, const dpn_segment *segment);

/* The largest value of log_density + kappa loss on the segment. */
double dpn_panels_top(const dpn_segment *segment, double kappa);

#endif
