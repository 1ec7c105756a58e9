/* How many points a test tries: those of every day; with DPN_LONG=1 in the environment many; with DPN_FEW=1 few. */
#ifndef DPN_TESTS_POINTS_H
#define DPN_TESTS_POINTS_H

#include <stdbool.h>
#include <stdlib.h>

/* A long run, which is a search for faults: it takes some five times as long as that of every day. */
static inline bool points_are_many(void) {
    return getenv("DPN_LONG") != NULL;
}

/* What sanitizers look for shows at a few points as well as at many, and they take five times as long over each. */
static inline bool points_are_few(void) {
    return getenv("DPN_FEW") && !points_are_many();
}

/* `quick`; `when_long` in a long run; a quarter of quick under sanitizers. */
static inline int points(int quick, int when_long) {
    if (points_are_many()) return when_long;
    return points_are_few() ? (quick + 3) / 4 : quick;
}

/* The same where fewer than `quick` would not do, as for what shows only in so many draws. */
static inline int points_needed(int quick, int when_long) {
    return points_are_many() ? when_long : quick;
}

#endif
