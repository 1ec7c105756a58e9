/* Plans of K-norm noise: one block of any ball, or several of boxes.
 *
 * To the accountant a block is Laplace noise with sensitivity/scale = its epsilon (T10), so that the split of a guarantee over
 * blocks is the calibration of Laplace noise on as many coordinates. docs/proofs/calibrate/blocks.md.
 */
#ifndef DPN_CALIBRATE_BLOCKS_H
#define DPN_CALIBRATE_BLOCKS_H

#include "calibrate/problem.h"

/* The plan with the least error: one block, or as many as are best. The problem is one for Laplace noise.
 * Errors   DPN_EUNSUPPORTED for conditions other than the exact one; those of dpn_calibrate for Laplace noise.
 */
dpn_status dpn_blocks_plan(dpn_plan *out, const dpn_problem *problem, bool several, dpn_error *why);

#endif
