/* The kernel: random bytes, and memory that a child does not inherit. It reads errno, as src/table/file.c does.
 * Linux has getrandom and MADV_WIPEONFORK; the BSDs have getentropy and INHERIT_ZERO, which
 * tests/unit/random/t-kernel-portable.c tries on Linux. */
#define _DEFAULT_SOURCE /* getrandom, getentropy, madvise, explicit_bzero */
#include "random/kernel.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>
#if defined __linux__ || defined __APPLE__
#include <sys/random.h>
#endif

/* Signals may interrupt the wait for a kernel that has just booted. That often in a row is not an accident: give up. */
enum { INTERRUPTIONS = 10000 };

/* Some bytes, at least one; -1 and errno on failure. */
static ssize_t some_random(void *out, size_t count) {
#if defined __linux__ && !defined DPN_PORTABLE
    return getrandom(out, count, 0);
#else
    size_t some = count < 256 ? count : 256; /* no more at once, says POSIX */
    return getentropy(out, some) == 0 ? (ssize_t)some : -1;
#endif
}

int dpn_kernel_random(void *out, size_t count) {
    unsigned char *next = out;
    size_t missing = count;
    int interruptions = 0, error = 0;
    while (missing > 0 && !error) {
        ssize_t got = some_random(next, missing);
        if (got > 0 && (size_t)got <= missing) {
            next += got;
            missing -= (size_t)got;
        } else if (got >= 0) {
            error = -1; /* nothing, or more than was asked for */
        } else if (errno != EINTR || ++interruptions == INTERRUPTIONS) {
            error = errno ? errno : -1;
        }
    }
    if (error) explicit_bzero(out, count);
    return error;
}

#if defined MADV_WIPEONFORK && !defined DPN_PORTABLE
#define WIPING "MADV_WIPEONFORK, Linux 4.14"
/* Emulators are known to say yes to all advice and heed none; one that also accepts the advice -1 is not believed. */
static bool wipe_on_fork(void *map, size_t count) {
    return madvise(map, count, -1) != 0 && madvise(map, count, MADV_WIPEONFORK) == 0;
}
#elif defined INHERIT_ZERO
#define WIPING "INHERIT_ZERO"
static bool wipe_on_fork(void *map, size_t count) {
    return minherit(map, count, INHERIT_ZERO) == 0;
}
#else
#define WIPING "MADV_WIPEONFORK or INHERIT_ZERO"
static bool wipe_on_fork(const void *map, size_t count) {
    (void)map, (void)count;
    return false;
}
#endif

void *dpn_kernel_private_map(size_t count, const char **reason) {
    void *map = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *reason = NULL;
    if (map == MAP_FAILED) return NULL;
    if (!wipe_on_fork(map, count)) {
        munmap(map, count);
        *reason = "the kernel does not empty memory on fork (" WIPING ")";
        return NULL;
    }
#ifdef MADV_DONTDUMP
    (void)madvise(map, count, MADV_DONTDUMP); /* a courtesy: nothing is claimed about core dumps */
#endif
    return map;
}

void dpn_kernel_private_unmap(void *map, size_t count) {
    if (!map) return;
    explicit_bzero(map, count);
    munmap(map, count);
}
