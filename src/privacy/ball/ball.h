/* What equal noise on all coordinates guarantees over an l2 ball, where no move is the worst for every epsilon
 * (docs/proofs/privacy/ball.md). */
#ifndef DPN_PRIVACY_BALL_BALL_H
#define DPN_PRIVACY_BALL_BALL_H

#include "privacy/sensitivity/moves.h"
#include "privacy/sensitivity/norms.h"

#include <dpnoise/renyi.h>

typedef struct dpn_ball {
    const dpn_law *law;
    dpn_norms norms; /* of all releases together */
    bool whole;      /* every direction of the ball is a move of the set */
    dpn_zcdp zcdp;   /* of all releases together; rho = +inf if there is none */
    double order;    /* where the last search over the orders ended; 0: there was none */
} dpn_ball;

/* Whether the bounds below say anything of a set whose moves have this argument: an l2 bound binds, and the noise is the same
 * on all coordinates. Then *ball is made for so many releases; law has to stay. */
bool dpn_ball_make(dpn_ball *ball, dpn_argument argument, const dpn_law *law, size_t laws, const dpn_sensitivity *set,
                   uint64_t times);

/* log delta(epsilon), rounded up, by the least of FH Theorem 8, zCDP and Renyi divergences, and which it was; 0 if none says
 * anything. epsilon is not negative. */
double dpn_ball_log_delta_upper(dpn_ball *ball, double epsilon, dpn_argument *argument);

/* Lower the upper end of what the moves say, if the ball says more, and tell the argument then. With a workspace, and for few
 * coordinates, directions are searched too, which may raise the lower end. */
void dpn_ball_improve_delta(dpn_delta *delta, dpn_argument *argument, dpn_ball *ball, dpn_workspace *workspace,
                            double epsilon, const dpn_accounting_options *options);
void dpn_ball_improve_epsilon(dpn_epsilon *epsilon, dpn_argument *argument, dpn_ball *ball, dpn_workspace *workspace,
                              double delta, const dpn_accounting_options *options);

#endif
