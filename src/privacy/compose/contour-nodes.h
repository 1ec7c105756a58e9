/* The integrand at the nodes of the contour. */
#ifndef DPN_PRIVACY_CONTOUR_NODES_H
#define DPN_PRIVACY_CONTOUR_NODES_H

#include "privacy/compose/contour-lattice.h"

/* The nodes z = theta + i j step, |j| <= count. The kernel is 1/(z (z+1)), on a lattice that of contour-lattice.h;
 * there, if the nodes fill a period with an even number, the last two coincide. */
typedef struct dpn_nodes {
    double theta, epsilon, step;
    size_t count;
    dpn_lattice lattice;
    bool last_once;
    bool density; /* the density is asked for too */
} dpn_nodes;

/* value is the trapezoid sum (step/2 pi) sum over all j of M(z) e^(-z eps) kernel in the unit M(theta) e^(-theta
 * eps), with the sign that makes the first term positive; error bounds its rounding. The rules of the sum must have
 * been made at theta, for frequencies up to count * step. With without_atoms set, M is replaced by M minus the
 * product of the atoms' parts. density, if it is asked for, is at least the same sum with the kernel 1.
 * Errors   DPN_ENOMEM.
 */
typedef struct dpn_node_sum {
    double value, error, density;
} dpn_node_sum;
dpn_status dpn_nodes_sum(dpn_node_sum *out, const dpn_sum *sum, const dpn_nodes *nodes, bool without_atoms,
                         dpn_error *why);

#endif
