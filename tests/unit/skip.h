/* A test program that cannot run here. cmocka's own skip() prints "not ok", which meson takes for a failure. */
#ifndef DPN_TESTS_SKIP_H
#define DPN_TESTS_SKIP_H

#include <stdio.h>

/* Say in TAP that the program has nothing to test, and why; what main returns then. */
static inline int skip_program(const char *why) {
    printf("1..0 # SKIP %s\n", why);
    return 0;
}

#endif
