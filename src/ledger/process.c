/* Which process has ledgers open: the only variable of the library that changes. */
#define _POSIX_C_SOURCE 200809L /* getpid */
#include "ledger/process.h"

#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

/* The number of the process above, how many files SQLite has open in it below. A file is counted before it is opened, so
 * that whatever SQLite holds at the moment of a fork is counted then. */
static _Atomic uint64_t owner;

dpn_status dpn_process_enter(dpn_error *why) {
    uint64_t self = (uint64_t)getpid() << 32, before = atomic_load(&owner), after;
    do {
        bool any = before << 32 != 0;
        if (any && before >> 32 << 32 != self)
            return dpn_fail(why, DPN_EIO,
                            "a ledger was open when this process was forked, and its locks are not ours: open ledgers "
                            "after a fork, not before");
        after = any ? before + 1 : self + 1;
    } while (!atomic_compare_exchange_weak(&owner, &before, after));
    return DPN_OK;
}

void dpn_process_leave(void) {
    atomic_fetch_sub(&owner, 1);
}
