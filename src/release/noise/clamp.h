/* The sum of a value and noise. */
#ifndef DPN_NOISE_CLAMP_H
#define DPN_NOISE_CLAMP_H

#include "base/dyadic.h"

#include <dpnoise/release.h>

static inline bool dpn_steps_in_range(dpn_int128 steps) {
    return steps >= -DPN_RELEASE_MOST_STEPS && steps <= DPN_RELEASE_MOST_STEPS;
}

/* value + noise, clamped. Noise at an end of its range, 2^63 - 1 or -2^63, stands for all noise beyond; a value in range is
 * below 2^62, so that the sum is 2^62 or more in size and clamped, whatever the noise was. */
static inline int64_t dpn_steps_add(int64_t value, int64_t noise) {
    dpn_int128 sum = (dpn_int128)value + noise;
    return dpn_steps_in_range(sum) ? (int64_t)sum : sum < 0 ? -DPN_RELEASE_MOST_STEPS : DPN_RELEASE_MOST_STEPS;
}

#endif
