/* The part of delta that comes from the event that every loss takes the value of an atom. */
#ifndef DPN_PRIVACY_CONTOUR_ATOMS_H
#define DPN_PRIVACY_CONTOUR_ATOMS_H

#include "privacy/compose/contour-nodes.h"

/* Whether every term has exactly one pair of atoms, and the number of values that their sum takes is small. */
bool dpn_atoms_few(const dpn_sum *sum);

/* That part of delta in the unit M(theta) e^(-theta eps), theta > 0, by enumeration; the rules of the sum must have
 * been made at theta.
 */
dpn_node_sum dpn_atoms_sum(const dpn_sum *sum, double theta, double epsilon);

#endif
