/* The least scale with which noise of a given shape satisfies the guarantee. */
#ifndef DPN_CALIBRATE_BOUNDARY_H
#define DPN_CALIBRATE_BOUNDARY_H

#include "calibrate/problem.h"

/* A shape, and a scale in units of the candidate's, for each group of coordinates. */
typedef struct dpn_spread {
    double *shape, *scale;
} dpn_spread;

/* How the noise is spread over the coordinates: the law of group g has the scale `scale` times a power of its
 * sensitivity over the largest. mix is 0: one common law; 1: the powers that are best for pure Laplace noise; 2: for
 * Gaussian noise. A spread, if there is one, takes the place of the shape, and mix is a power of the sensitivity over the
 * largest by which its scales are changed. */
typedef struct dpn_candidate {
    const struct dpn_family *family;
    double shape, mix, scale;
    double width;             /* of steps, in sensitivities; 0 counts as 1 */
    const dpn_spread *spread; /* or NULL; the caller's */
    double error;             /* of the objective, once the scale is found */
    double slope;             /* d log delta/d log scale there, as an estimate saw it; 0 if none has */
    dpn_delta delta;          /* at the scale, if the condition is the exact one, */
    dpn_argument argument;    /* and what it rests on */
    bool certified;           /* delta is a certificate at this scale, and the search need not look for a smaller one */
} dpn_candidate;

/* The laws of a candidate: one for each group, or law[0] for all if mix is 0. */
dpn_status dpn_candidate_laws(dpn_law *law, const dpn_problem *problem, const dpn_candidate *candidate, dpn_error *why);
size_t dpn_candidate_stride(const dpn_candidate *candidate);

/* The logarithm of the scale at which the largest atom of the summed loss passes epsilon, NAN if there is none of weight. Below
 * that scale delta is at least about the mass of the atom times its distance from epsilon; above it the tails decide,
 * and they may be far smaller. law is room for the groups' laws. */
double dpn_candidate_log_kink(dpn_candidate candidate, dpn_law *law, const dpn_problem *problem);

/* The same for the scale below which that atom alone is more than delta: no candidate has a smaller one, but for what the mass of the atom is
 * known less exactly. */
double dpn_candidate_log_least(dpn_candidate candidate, dpn_law *law, const dpn_problem *problem);

/* By how much the logarithm of the bound of delta exceeds what is asked for: > 0 unless the scale is certified. */
dpn_status dpn_candidate_excess(double *excess, dpn_candidate *candidate, dpn_law *law, const dpn_problem *problem,
                                dpn_effort effort, dpn_error *why);

/* Set candidate->scale and ->error: the scale is feasible, and less by a relative `tolerance` it is not. A scale > 0
 * in the candidate is where the search starts. law is room for the groups' laws and holds the result.
 * Errors   DPN_EUNSUPPORTED if no scale will do; those of the accountant.
 */
dpn_status dpn_boundary(dpn_candidate *candidate, dpn_law *law, const dpn_problem *problem, double tolerance,
                        dpn_effort effort, dpn_error *why);

/* About the same scale and error by few looks at delta, for searches: nothing is certified. */
dpn_status dpn_boundary_estimate(dpn_candidate *candidate, dpn_law *law, const dpn_problem *problem, dpn_effort effort,
                                 dpn_error *why);

#endif
