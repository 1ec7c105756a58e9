/* About the epsilon and the delta of sampled steps, to begin a search with. No bound rests on it. */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_GUESS_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_GUESS_H

#include "privacy/sampling/mixture-attempt.h"

/* log of about the delta of the largest single loss, to begin with: n q P(noise beyond where the loss is epsilon). */
double dpn_mixture_log_single(const dpn_mixtures *all, double epsilon);

/* The same to first order in n q: q [Q(t - c) - e^u Q(t)] at the noise t whose loss makes up for that of the other steps; Q is the
 * normal tail. */
double dpn_mixture_log_rare(const dpn_mixtures *all, double epsilon);

/* How often the person is seen: about what the losses log(1 - q) of the other steps take from that of one. */
double dpn_mixture_times_seen(const dpn_mixtures *all);

/* Whether the person is seen so rarely that epsilon is the loss of one step: losses are next to atoms, and their whole sum
 * takes too many nodes. */
bool dpn_mixture_is_rare(const dpn_mixtures *all, double epsilon);

/* Whether delta is so small, for a person who is seen rarely, that no sum tells it from rounding. */
bool dpn_mixture_is_far(const dpn_mixtures *all, double epsilon);

/* About the epsilon and the rate at which log delta falls there, to begin with: those of the largest single loss, or as if the sum were
 * Gaussian, with delta about s n(z)/z^2 at mean + z s. The larger one counts. */
void dpn_attempt_begin(dpn_attempt *attempt, double log_delta);

#endif
