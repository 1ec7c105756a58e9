/* Plans of start boxes: one block of joint noise for all coordinates that move. docs/proofs/calibrate/start-box.md */
#ifndef DPN_CALIBRATE_START_BOX_H
#define DPN_CALIBRATE_START_BOX_H

#include "calibrate/problem.h"

/* The plan with the least error found. The problem is one for Laplace noise. Coordinates that are to be alone get Laplace noise
 * of their own.
 * Errors   DPN_EUNSUPPORTED for conditions other than the exact one, for the staircase of an epsilon so small that the box is as
 *          good; DPN_EDOMAIN; those of dpn_plan_delta. */
dpn_status dpn_start_plan(dpn_plan *out, const dpn_problem *problem, bool stairs, dpn_error *why);

#endif
