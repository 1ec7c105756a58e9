/* The system calls of this process, in our hands: the functions of libc through which SQLite and the ledger reach files
 * are defined here, and the linker takes them for all libraries. They pass everything on, unless something is planned:
 * to die before or after the k-th call, to fail there, once or from then on, or to note everything for a power cut.
 *
 * SHIM_WORKS is 0 where that cannot be (not Linux, or a sanitizer that has its own). */
#ifndef DPN_TEST_LEDGER_SHIM_H
#define DPN_TEST_LEDGER_SHIM_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__linux__) && defined(__x86_64__)
#define SHIM_WORKS 1
#else
#define SHIM_WORKS 0
#endif

enum shim_act {
    SHIM_COUNT,       /* count only */
    SHIM_KILL_BEFORE, /* SIGKILL to ourselves */
    SHIM_KILL_AFTER,
    SHIM_EIO,   /* reading, writing, synchronising, truncating, opening, removing, locking fail */
    SHIM_FULL,  /* ENOSPC from what takes space */
    SHIM_EINTR, /* interrupted; at most three times in a row, for SQLite tries again for ever */
    SHIM_SHORT, /* half of the bytes are written, or read */
    SHIM_SYNC,  /* EIO from fsync and fdatasync alone */
};

/* From now on; the calls that the act could befall are counted from 1, and something happens at call `at`. */
void shim_arm(enum shim_act act, long at, bool forever);

/* Nothing more happens. Returns how many calls were counted. */
long shim_disarm(void);

/* ---- For disk.c ---- */

/* What happened to a file. Paths are as opened; a directory is synchronised by its path. */
enum shim_event { SHIM_OPENED, SHIM_WRITTEN, SHIM_TRUNCATED, SHIM_SYNCED, SHIM_UNLINKED };
typedef void shim_listener(enum shim_event event, const char *path, long offset, const char *bytes, size_t count);

/* Tell a listener of every event, and do not really synchronise (it would be slow, and a test cannot see it). NULL:
 * stop. */
void shim_listen(shim_listener *listener);

#endif
