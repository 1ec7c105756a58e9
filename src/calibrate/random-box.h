/* Plans of random boxes. docs/proofs/privacy/random-box.md */
#ifndef DPN_CALIBRATE_RANDOM_BOX_H
#define DPN_CALIBRATE_RANDOM_BOX_H

#include "calibrate/problem.h"

/* The random box with the least mean squared error that was found, for answers that may all move at once.
 * Errors   DPN_EUNSUPPORTED for delta 0, other sets, conditions, or more than DPN_RANDOM_BOX_MOST coordinates. */
enum { DPN_RANDOM_BOX_MOST = 512 };
dpn_status dpn_random_box_plan(dpn_plan *out, const dpn_problem *problem, dpn_error *why);

/* Fill in what the errors of a block are made of, once. Errors: DPN_EACCURACY if its sizes are too many; DPN_ENOMEM. */
dpn_status dpn_box_block_measure(dpn_block *block, dpn_error *why);

#endif
