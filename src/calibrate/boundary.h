/* The least scale with which noise of a given shape satisfies the guarantee. */
#ifndef DPN_CALIBRATE_BOUNDARY_H
#define DPN_CALIBRATE_BOUNDARY_H

#include "calibrate/problem.h"

/* How the noise is spread over the coordinates: the law of group g has the scale `scale` times a power of its
 * sensitivity over the largest. mix is 0: one common law; 1: the powers that are best for pure Laplace noise; 2: for
 * Gaussian noise. */
typedef struct dpn_candidate {
    const dpn_tuning *family;
    double shape, mix, scale;
    double error; /* of the objective, once the scale is found */
} dpn_candidate;

/* The laws of a candidate: one for each group, or law[0] for all if mix is 0. */
dpn_status dpn_candidate_laws(dpn_law *law, const dpn_problem *problem, const dpn_candidate *candidate, dpn_error *why);
size_t dpn_candidate_stride(const dpn_candidate *candidate);

/* Set candidate->scale and ->error: the scale is feasible, and less by a relative `tolerance` it is not. A scale > 0
 * in the candidate is where the search starts. law is room for the groups' laws and holds the result.
 * Errors   DPN_EUNSUPPORTED if no scale will do; those of the accountant.
 */
dpn_status dpn_boundary(dpn_candidate *candidate, dpn_law *law, const dpn_problem *problem, double tolerance,
                        double accuracy, dpn_error *why);

#endif
