/* The kernel: random bytes, and memory that a child does not inherit. It reads errno, as src/table/file.c does. */
#define _DEFAULT_SOURCE /* getrandom, madvise, explicit_bzero */
#include "random/kernel.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/types.h>

/* Signals may interrupt the wait for a kernel that has just booted. That often in a row is not an accident: give up. */
enum { INTERRUPTIONS = 10000 };

int dpn_kernel_random(void *out, size_t count) {
    unsigned char *next = out;
    size_t missing = count;
    int interruptions = 0, error = 0;
    while (missing > 0 && !error) {
        ssize_t got = getrandom(next, missing, 0);
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

/* Emulators are known to say yes to all advice and heed none; one that also accepts the advice -1 is not believed. */
static int wipe_on_fork(void *map, size_t count) {
    return madvise(map, count, -1) != 0 && madvise(map, count, MADV_WIPEONFORK) == 0;
}

void *dpn_kernel_private_map(size_t count, const char **reason) {
    void *map = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *reason = NULL;
    if (map == MAP_FAILED) return NULL;
    if (!wipe_on_fork(map, count)) {
        munmap(map, count);
        *reason = "the kernel does not empty memory on fork (MADV_WIPEONFORK, Linux 4.14)";
        return NULL;
    }
    (void)madvise(map, count, MADV_DONTDUMP); /* a courtesy: nothing is claimed about core dumps */
    return map;
}

void dpn_kernel_private_unmap(void *map, size_t count) {
    if (!map) return;
    explicit_bzero(map, count);
    munmap(map, count);
}
