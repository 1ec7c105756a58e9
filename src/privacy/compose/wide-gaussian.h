/* Noise of the discrete Gaussian on the integers, wide against their distance, between two Gaussians of the reals. */
#ifndef DPN_PRIVACY_COMPOSE_WIDE_GAUSSIAN_H
#define DPN_PRIVACY_COMPOSE_WIDE_GAUSSIAN_H

#include <dpnoise/privacy.h>

/* Bounds of delta(epsilon) for Gaussian losses of which some are those of discrete Gaussian noise with sigma at least 4, in any
 * number and with any sensitivities, in constant time for each part. The bounds of log delta differ by about
 * |d log delta/d log sigma| times 1.5/sigma^2. False if some part is another loss, if no part is discrete, or if there are more than
 * 10^9 releases in all. docs/proofs/privacy/wide-gaussian.md */
bool dpn_wide_gaussian_delta(dpn_delta *out, const dpn_part *part, size_t parts, double epsilon);

#endif
