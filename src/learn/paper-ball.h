/* K_T, the ball of the functional mechanism's paper. */
#ifndef DPN_LEARN_PAPER_BALL_H
#define DPN_LEARN_PAPER_BALL_H

#include "learn/cells.h"

/* A release of the cells with K-norm noise of K_T at Delta = 1 (dpn_ball_regression). It is known for one row in place of another, all rows used, an intercept and
 * features that are numbers.
 * Errors   DPN_EUNSUPPORTED for other fits, and where too few points of the box lie in K_T to draw from it (beyond some 20 features); DPN_ENOMEM. */
dpn_status dpn_paper_ball_release(dpn_release **out, const dpn_fit *fit, const dpn_cells *cells, double epsilon,
                                  dpn_error *why);

#endif
