/* The ball of one block of K-norm noise: to the accountant all are the same, so that the one with the least error is best.
 * docs/proofs/calibrate/ball.md */
#ifndef DPN_CALIBRATE_BALL_H
#define DPN_CALIBRATE_BALL_H

#include "calibrate/problem.h"

/* The error for sensitivity 1 at epsilon 1 in m dimensions of the balls whose coordinates differ in scale alone; NaN for hulls. */
double dpn_ball_unit_error(dpn_ball_kind ball, double m, dpn_objective objective);

/* A ball that holds all moves of the problem's set. Free it with dpn_ball_choice_free. */
typedef struct dpn_ball_choice {
    dpn_ball_kind ball;
    double *side;       /* as in dpn_block; NULL for boxes and hulls */
    double *hull_error; /* likewise */
    double error;       /* the objective in the unit of a ball known by its epsilon alone, at epsilon 1 */
    double epsilon;     /* that the ball takes for the guarantee, if it is known by more than its epsilon; else 0 */
    dpn_error hull;     /* why there is no hull, if that was not to be had */
} dpn_ball_choice;

/* Choose for these coordinates, which are all that move.
 * Errors   DPN_EDOMAIN, DPN_EUNSUPPORTED if the ball that is asked for is not to be had; DPN_ENOMEM.
 */
dpn_status dpn_ball_choose(dpn_ball_choice *out, const dpn_problem *problem, const size_t *coordinate, size_t count,
                           double epsilon, dpn_error *why);
void dpn_ball_choice_free(dpn_ball_choice *choice);

#endif
