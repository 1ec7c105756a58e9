/* Choices of a fit: one of many public candidates, by scores of the rows. */
#ifndef DPN_LEARN_CHOICE_H
#define DPN_LEARN_CHOICE_H

#include "learn/fit.h"

/* Announce choices, `times` of them, each epsilon-private (pure) if neighbouring tables move no two scores by amounts that differ by more than 2 `move`: if each
 * moves by at most `move` either way, or all of them to the same side, by at most twice that. In the plan they are blocks known by their epsilon. *index is to choose with.
 * Domain   epsilon > 0; move >= 1, a whole number.
 * Errors   those of dpn_release_given. */
dpn_status dpn_fit_announce_choice(size_t *index, dpn_fit *fit, const char *what, uint64_t times, double epsilon,
                                   double move, dpn_error *why);

/* Choose a candidate with probability proportional to exp(-epsilon score/(2 move)), exactly: the rate is the largest double that is not above
 * epsilon/(2 move). As often as was announced.
 * Errors   DPN_EDOMAIN for one choice more; those of dpn_choose_exponential. On error *out is not written. */
dpn_status dpn_fit_choose(size_t *out, dpn_fit *fit, size_t index, dpn_rng *rng, const uint64_t *score, size_t count,
                          dpn_error *why);

#endif
