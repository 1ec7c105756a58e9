/* The minimum of a smooth convex sum with penalties on a box or a ball, to a distance that is certified. */
#ifndef DPN_LEARN_MINIMUM_H
#define DPN_LEARN_MINIMUM_H

#include "base/dyadic.h"

#include <dpnoise/status.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Points are whole numbers of steps of 2^-DPN_POINT_LOG. */
enum { DPN_POINT_LOG = 68 };

static inline double dpn_point_value(dpn_int128 b) {
    return ldexp((double)b, -DPN_POINT_LOG);
}

/* A convex sum. `differentiate` gives its gradient at b, each entry as high + low, and its Hessian unless that is NULL. The
 * gradient is off by at most `error` in length, wherever b is in the set. The Hessian's eigenvalues are from 0 to `curvature`; what is told of it only
 * makes the search quick. On a ball the gradient is at most `longest` in length. */
typedef struct dpn_smooth {
    dpn_status (*differentiate)(double *high, double *low, double *hessian, void *context, const dpn_int128 *b,
                                dpn_error *why);
    void *context;
    double curvature, error, longest;
} dpn_smooth;

/* Minimise  sum(b) + V.b + sum_j weight_j b_j^2/2 + l1_j |b_j|  over |b_j| <= box, in steps, and if `radius` is above 0 over the b of at most
 * that length, which is below the box and from 2^-40 to 2^27. V is a whole number of steps of 2^v_exponent; NULL: 0. */
typedef struct dpn_minimum_problem {
    size_t m;
    dpn_smooth sum;
    const int64_t *v;
    int v_exponent;
    const double *weight, *l1;
    dpn_int128 box;
    double radius;
    double eta;
} dpn_minimum_problem;

/* How small eta can be: twelve times what the gradient is off by, with the rounding of points. docs/proofs/learn/objective.md, O5 and O10. */
double dpn_minimum_least_eta(const dpn_minimum_problem *problem);

/* A point b at which the objective has a subgradient of at most eta in length, so that it is within eta/min(weight) of the
 * minimum. b is where the search begins, too.
 * Domain   weights > 0, eta >= dpn_minimum_least_eta. Then there is an answer, whatever the sum is made of.
 * Errors   DPN_ENOMEM, DPN_EDOMAIN for derivatives that are not finite; those of `differentiate`. */
dpn_status dpn_minimum_find(dpn_int128 *b, const dpn_minimum_problem *problem, dpn_error *why);

#endif
