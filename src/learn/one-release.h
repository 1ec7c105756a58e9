/* Methods that release all sums of products at once and fit them: what they share. */
#ifndef DPN_LEARN_ONE_RELEASE_H
#define DPN_LEARN_ONE_RELEASE_H

#include "learn/cells.h"
#include "learn/method.h"

#include <dpnoise/calibrate.h>

/* The rows of plan, run and free of such a method (method.h). The noise is that of dpn_noisy_announce. */
dpn_status dpn_one_release_plan(void **state, dpn_fit *fit, const dpn_ball_kind *ball, dpn_error *why);
/* The same with a release that `make` makes of the cells. */
dpn_status dpn_one_release_plan_made(void **state, dpn_fit *fit,
                                     dpn_status (*make)(dpn_release **out, const dpn_fit *fit, const dpn_cells *cells,
                                                        double epsilon, dpn_error *why),
                                     dpn_error *why);
dpn_status dpn_one_release_run(dpn_fit_estimate *out, dpn_fit *fit, const void *state, dpn_rng *rng, dpn_error *why);
void dpn_one_release_free(void *state);

#endif
