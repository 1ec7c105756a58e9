/* A release with noise of a law that somebody else has calibrated. */
#ifndef DPN_NOISE_LAW_RELEASE_H
#define DPN_NOISE_LAW_RELEASE_H

#include <dpnoise/release.h>

/* Independent noise of one law on `dimension` numbers, whole numbers of steps of 2^grid_exponent, which move by at most l2 together. The plan says what one draw of it is at
 * this epsilon; what many draws are, or draws on samples, is for the caller to say.
 * Domain   dimension >= 1; l2 > 0; the law and the grid as in dpn_sampler_new; epsilon >= 0.
 * Errors   those of dpn_sampler_new and dpn_plan_delta; DPN_ENOMEM. On error *out is not written. */
dpn_status dpn_release_of_law(dpn_release **out, const dpn_law *law, size_t dimension, double l2, int grid_exponent,
                              dpn_relation relation, double epsilon, dpn_error *why);

#endif
