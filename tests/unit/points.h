/* How many points a test tries. */
#ifndef DPN_TESTS_POINTS_H
#define DPN_TESTS_POINTS_H

#include <stdbool.h>
#include <stdlib.h>

/* What sanitizers look for shows at a few points as well as at many, and they take five times as long over each. */
static inline bool points_are_few(void) {
    return getenv("DPN_FEW") && !getenv("DPN_LONG");
}

/* `quick`; `when_long` with DPN_LONG in the environment; a quarter of quick with DPN_FEW, for sanitizers. */
static inline int points(int quick, int when_long) {
    if (getenv("DPN_LONG")) return when_long;
    return points_are_few() ? (quick + 3) / 4 : quick;
}

#endif
