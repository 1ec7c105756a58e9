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
 * operations. If epsilon >= 0 and delta is found to be below `enough`, the lower end may be any; with
 * 1 the upper end is the best Chernoff bound.
 * Errors   DPN_EACCURACY, soon, where the accuracy takes more than that: mostly because the atoms of the losses carry
 *          too much mass. DPN_EUNSUPPORTED for losses without a shape, DPN_ENOMEM.
 */
dpn_status dpn_contour_delta(dpn_delta *out, const dpn_part *part, size_t parts, double epsilon, double accuracy,
                             double enough, double work, dpn_error *why);

/* What is not known of an explicit loss: each value v may err by relative |v| + absolute, each probability by a share `mass`. */
typedef struct dpn_doubt {
    double relative, absolute, mass;
} dpn_doubt;

/* The same also for atoms alone on no lattice, which dpn_contour_delta refuses: see contour-smooth.h. doubt has an entry for each part,
 * all of them explicit losses, and 0 <= epsilon < the largest loss, beyond doubt; or it is NULL. */
dpn_status dpn_contour_smooth_delta(dpn_delta *out, const dpn_part *part, const dpn_doubt *doubt, size_t parts,
                                    double epsilon, double accuracy, double enough, double work, dpn_error *why);

#endif
