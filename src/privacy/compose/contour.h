/* delta(epsilon) of a composition by a sum along a contour through the saddle point.
 *
 *     delta(eps) = (1/2 pi i) integral over Re z = theta of M(z) e^(-z eps)/(z (z + 1)) dz,  theta > 0,
 *
 * M(z) = E e^(zL) of the sum L of all losses. The trapezoid rule with step w on that line is exactly the sum over all
 * integers k of e^(theta k T) delta(eps + k T), T = 2 pi/w; every term is >= 0, so what it adds to delta has a sign
 * and simple bounds. The number of nodes does not depend on how often a loss occurs. docs/proofs/privacy/contour.md
 * proves all bounds.
 */
#ifndef DPN_PRIVACY_CONTOUR_H
#define DPN_PRIVACY_CONTOUR_H

#include <dpnoise/privacy.h>

/* As dpn_compose_delta for a finite epsilon, with upper/lower - 1 <= accuracy, in at most about `work` times ten
 * operations.
 * Errors   DPN_EACCURACY, soon, where the accuracy takes more than that: mostly because the atoms of the losses carry
 *          too much mass. DPN_EUNSUPPORTED for losses without a shape, DPN_ENOMEM.
 */
dpn_status dpn_contour_delta(dpn_delta *out, const dpn_part *part, size_t parts, double epsilon, double accuracy,
                             double work, dpn_error *why);

#endif
