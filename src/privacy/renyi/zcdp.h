/* Concentrated differential privacy of the moves of a sensitivity set. */
#ifndef DPN_PRIVACY_RENYI_ZCDP_H
#define DPN_PRIVACY_RENYI_ZCDP_H

#include "privacy/sensitivity/moves.h"

#include <dpnoise/renyi.h>

/* As dpn_zcdp_sensitivity, the moves being those of the set. */
dpn_status dpn_zcdp_of_moves(dpn_zcdp *out, const dpn_moves *moves, const dpn_law *law, size_t laws,
                             const dpn_sensitivity *set, dpn_error *why);

#endif
