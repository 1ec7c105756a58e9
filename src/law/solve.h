/* Inverting a tail that has no closed inverse. */
#ifndef DPN_LAW_SOLVE_H
#define DPN_LAW_SOLVE_H

#include "law/family.h"

/* P(X > t) and its logarithm for t >= 0. */
double dpn_tail_value(const dpn_law *law, double t);
double dpn_tail_log(const dpn_law *law, double t);

/* The least whole t >= 0 with P(X > t) <= p as computed, 0 < p <= 1/2, by Newton's method within a bracket; about ten
 * evaluations of the tail, up to a hundred for subnormal p. */
double dpn_solve_integer_tail(const dpn_law *law, double p);

#endif
