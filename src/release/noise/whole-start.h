/* Start staircases on answers that are whole numbers of steps. docs/proofs/calibrate/start-box.md, claim 8 */
#ifndef DPN_NOISE_WHOLE_START_H
#define DPN_NOISE_WHOLE_START_H

#include "release/noise/grid.h"

/* Move the offsets of the plan's start staircase, if it has one and the answers move by few steps of the grid, to where its sides are half an odd number of steps: noise
 * that is rounded to whole steps is then uniform on whole steps, and rounding costs nothing. Any offsets are private. The least weighted error that a descent finds;
 * weight may be NULL for all 1.
 * Errors   DPN_ENOMEM. On error the plan is as it was or has other offsets that are as private. */
dpn_status dpn_whole_start(dpn_plan *plan, const dpn_grid *grid, const double *weight, dpn_error *why);

#endif
