/* Where the contour runs and at which nodes, and what that choice costs. */
#ifndef DPN_PRIVACY_CONTOUR_PLAN_H
#define DPN_PRIVACY_CONTOUR_PLAN_H

#include "privacy/compose/contour-nodes.h"
#include "privacy/compose/contour.h"

/* Sizes are in the unit e^scale, scale = K(theta) - theta epsilon, which is that of the integrand. */
typedef struct dpn_contour_plan {
    double epsilon, accuracy, work; /* as asked */
    double enough;                  /* a delta below this is only bounded */
    double log_infinite;            /* log P(the sum of the losses is infinite) */
    dpn_lattice lattice;
    dpn_lattice_decay *decay; /* of the terms, if there is a lattice */

    dpn_line line;
    double theta, scale;
    double doubt;     /* of scale, which is a rough one */
    double width;     /* in omega, of the integrand at the saddle point */
    double estimate;  /* of the integral */
    double most;      /* and what it is at most */
    double tolerance; /* the error that the answer bears, in all */

    double step, alias; /* of the trapezoid rule: the alias is a bound of what it adds, always >= 0 */
    double omega, tail; /* where it is truncated, and a bound of what that leaves out */
    bool without_atoms; /* the atoms' product is taken out of M, and their part of delta added */

    const dpn_doubt *unsure; /* of the terms, or NULL */
    double smooth;           /* not 0: the variance of a Gaussian loss that was added to atoms, see contour-smooth.h */
    double density_tail;     /* then a bound of what the truncation leaves out of the density */
} dpn_contour_plan;

/* K(theta) - theta epsilon at the tilt of the sum. */
double dpn_contour_scale(const dpn_sum *sum, double epsilon);

/* Choose the line, its saddle point, and what follows from them up to `tolerance`. */
dpn_status dpn_plan_line(dpn_contour_plan *plan, dpn_sum *sum, dpn_error *why);

/* Choose the step and the number of nodes for the tolerance.
 * Errors   DPN_EACCURACY if it takes too much work.
 */
dpn_status dpn_plan_nodes(dpn_contour_plan *plan, dpn_sum *sum, dpn_error *why);

#endif
