/* Numbers that are asked one after the other, each question depending on the noisy answers before it. */
#ifndef DPN_LEARN_ADAPTIVE_H
#define DPN_LEARN_ADAPTIVE_H

#include "learn/fit.h"

/* Whether the noise of a plan for a box of bounds serves such questions, when the bounds are fixed in advance: independent
 * noise on each coordinate does, at every (epsilon, delta); joint noise if it is pure. docs/proofs/learn/fit.md, F5. */
bool dpn_plan_serves_adaptively(const dpn_plan *plan);

/* Noise of one family, unless the options name one. */
void dpn_fit_ask_for(dpn_release_options *options, const char *family);

/* Announce a box of such numbers, drawn once: the noise with the least error that serves. options->delta may be positive:
 * independent noise is then compared with joint noise that is pure. A condition other than the exact one has no joint noise.
 * Errors   those of dpn_release_new. */
dpn_status dpn_fit_announce_adaptive(size_t *index, dpn_fit *fit, const char *what, const dpn_release_options *options,
                                     dpn_error *why);

#endif
