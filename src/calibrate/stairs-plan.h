/* Plans of staircases that end, for one answer that moves. docs/proofs/calibrate/staircase-pair.md */
#ifndef DPN_CALIBRATE_STAIRS_PLAN_H
#define DPN_CALIBRATE_STAIRS_PLAN_H

#include "calibrate/problem.h"

/* The plan with the least error found: of all staircases of the problem's epsilon that end, the two between whose deltas that of the problem lies and whose mixture has the
 * least error. On the integers and with delta 0 the best staircase without an end.
 * Errors   DPN_EUNSUPPORTED if several answers move at once or by different sensitivities, for several releases, conditions other than the exact one, on the line
 *          without a delta, on the integers for a sensitivity of 1, where there is better noise, and for epsilons that are too small or too large; DPN_EDOMAIN; those of
 *          dpn_plan_delta. */
dpn_status dpn_stairs_plan(dpn_plan *out, const dpn_problem *problem, bool whole, dpn_error *why);

#endif
