/* Small dense problems in doubles: what a fit solves in the end. */
#ifndef DPN_LEARN_QUADRATIC_H
#define DPN_LEARN_QUADRATIC_H

#include <dpnoise/status.h>
#include <stddef.h>

/* min over b of b'Ab/2 - c'b + l1 sum |b_j| + (l2/2) sum b_j^2, sums from j = first on (0 or 1: an intercept is not penalised).
 * Domain   A symmetric and positive semidefinite, m times m. Where it is singular and nothing is penalised: the shortest b.
 * Accuracy with l1 by coordinate descent to a relative 1e-12.
 * Errors   DPN_EDOMAIN for numbers that are not finite; DPN_EACCURACY if the descent does not end, b being as near as it came; DPN_ENOMEM. */
dpn_status dpn_quadratic_minimise(double *b, const double *a, const double *c, size_t m, size_t first, double l1,
                                  double l2, dpn_error *why);

/* The pseudo-inverse of a symmetric matrix, with eigenvalues below `least` times the largest left out; and the nearest positive
 * semidefinite matrix, with those below `floor` raised to it. out may be a. *smallest (if not NULL) is the least eigenvalue.
 * Errors   DPN_EDOMAIN for numbers that are not finite; DPN_EACCURACY; DPN_ENOMEM. */
dpn_status dpn_symmetric_inverse(double *out, const double *a, size_t m, double least, dpn_error *why);
dpn_status dpn_symmetric_raise(double *out, double *smallest, const double *a, size_t m, double floor, dpn_error *why);

#endif
