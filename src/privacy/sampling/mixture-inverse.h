/* epsilon of sampled steps for one delta, with one choice of windows. */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_INVERSE_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_INVERSE_H

#include "privacy/sampling/mixture-attempt.h"

/* Sets the line to where the estimate of delta is the given one: theta, and *epsilon = K'(theta) - 1/theta - 1/(1 + theta). Errors:
 * DPN_EACCURACY, DPN_ENOMEM. */
dpn_status dpn_attempt_guess(double *epsilon, dpn_attempt *attempt, double log_delta, dpn_error *why);

/* The interval of the least epsilon with this delta: from `epsilon` on, or if that is 0 from a guess. Errors: as above. */
dpn_status dpn_attempt_epsilon(dpn_epsilon *out, dpn_attempt *attempt, double delta, double epsilon, dpn_error *why);

#endif
