/* Noise in an objective: how epsilon is shared, and the noise. All of it is public. docs/proofs/learn/objective.md. */
#ifndef DPN_LEARN_PERTURBATION_H
#define DPN_LEARN_PERTURBATION_H

#include <dpnoise/release.h>

/* What is known of the objective: the most that neighbouring tables can move the gradient of the sum, in the norm of the ball, and the
 * largest eigenvalue and the rank of what one row adds to its Hessian. */
typedef struct dpn_perturbation_ask {
    size_t m;
    dpn_ball_kind ball; /* l1, l2 or linf; of Gaussian noise l2 */
    double move, lambda, rank;
    double epsilon, delta; /* delta > 0: Gaussian noise */
    dpn_relation relation;
    double share; /* of epsilon, for the noise; 0: chosen */
    double rows;  /* about how many, if that is public; 0: not known */
    double eta;   /* the length of the gradient at what will be found, at most */
} dpn_perturbation_ask;

/* Shares of epsilon: for the noise in the objective, for what it does to determinants, and for the distance to the minimum. */
typedef struct dpn_perturbation {
    double q, gamma;
    double in_noise, in_determinant, in_output;
} dpn_perturbation;

/* V is rounded to steps of this. */
enum { DPN_PERTURBATION_V_EXPONENT = -34 };

/* Errors   DPN_EDOMAIN for numbers that are not positive or a share that is not below 1. */
dpn_status dpn_perturbation_choose(dpn_perturbation *out, const dpn_perturbation_ask *ask, dpn_error *why);

/* The noise V, and that for the distance to the minimum on either table. Gaussian noise has `delta`, at in_noise.
 * Errors   those of dpn_release_new. */
dpn_status dpn_perturbation_noise(dpn_release **out, const dpn_perturbation_ask *ask, const dpn_perturbation *chosen,
                                  double delta, dpn_error *why);
dpn_status dpn_perturbation_output(dpn_release **out, const dpn_perturbation_ask *ask, const dpn_perturbation *chosen,
                                   dpn_error *why);

#endif
