/* A bound of staircases by their steps (docs/proofs/privacy/sensitivity.md, "Staircases"). */
#ifndef DPN_PRIVACY_SENSITIVITY_STEPS_H
#define DPN_PRIVACY_SENSITIVITY_STEPS_H

#include "privacy/sensitivity/moves.h"

/* Where the moves of equal staircase noise are only bounded, add the pure loss of the most steps that any of them takes: whoever reads the
 * losses of moves must know those that are no law's. Errors: those of dpn_norms_of, DPN_ENOMEM. */
dpn_status dpn_moves_by_steps(dpn_moves *moves, const dpn_law *law, size_t laws, const dpn_sensitivity *set,
                              dpn_error *why);

#endif
