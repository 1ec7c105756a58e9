/* System calls that fail: input/output errors, a full disk, interruptions, short reads and writes, failing
 * synchronisation, at the k-th call for every k, once and from then on. A charge is refused with a reason or
 * acknowledged; what is acknowledged is there, and when the fault is gone the ledger works. */
#define _POSIX_C_SOURCE 200809L
#include "place.h"
#include "shim.h"
#include "unit/skip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct {
    enum shim_act act;
    const char *name;
} acts[] = {
    {SHIM_EIO, "EIO"}, {SHIM_FULL, "ENOSPC"}, {SHIM_EINTR, "EINTR"}, {SHIM_SHORT, "short"}, {SHIM_SYNC, "fsync"}};

/* Open, charge, close under a fault. The number of charges that were acknowledged. */
static uint64_t session(const char *path, int *refusals) {
    dpn_ledger *ledger;
    dpn_error why = {DPN_OK, ""};
    uint64_t acknowledged = 0;
    /* A lock that cannot be had looks like one that somebody holds. */
    if (dpn_ledger_open(&ledger, path, &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .wait = 2}, &why)) {
        assert_true(why.status && why.sentence[0]);
        ++*refusals;
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        dpn_status status = charge(NULL, ledger, "0.00001", &why);
        assert_int_not_equal(status, DPN_EBUDGET);
        if (status) assert_true(why.status == status && why.sentence[0]);
        acknowledged += !status;
        *refusals += status != DPN_OK;
    }
    dpn_ledger_close(ledger);
    return acknowledged;
}

static void try_all(bool wal, bool forever) {
    struct place place = place_make();
    dpn_ledger_close(place_ledger(&place, "1", "0", wal));
    uint64_t before = 0;
    for (size_t a = 0; a < sizeof acts / sizeof *acts; a++) {
        int refusals = 0;
        long calls = 1;
        for (long at = 0; at <= calls; at++) { /* the first session counts, and nothing befalls it */
            shim_arm(acts[a].act, at, at && forever);
            uint64_t acknowledged = session(place.ledger, &refusals);
            long counted = shim_disarm();
            if (at == 0) calls = counted;
            struct standing after = standing(place.ledger, NULL, 0);
            if (after.status) fail_msg("%s at call %ld: %s", acts[a].name, at, after.why.sentence);
            if (after.charges < before + acknowledged || after.charges > before + 2)
                fail_msg("%s at call %ld: %d charges acknowledged, %d found", acts[a].name, at, (int)acknowledged,
                         (int)(after.charges - before));
            before = after.charges;
            if (before < 12) continue;
            place_clear(&place); /* a short ledger is opened sooner */
            dpn_ledger_close(place_ledger(&place, "1", "0", wal));
            before = 0;
        }
        bool harmless = acts[a].act == SHIM_EINTR || acts[a].act == SHIM_SHORT;
        if (!harmless) assert_true(refusals > 0);
        assert_true(calls > 1);
    }
    place_remove(&place);
}

static void once_with_a_rollback_journal(void **state) {
    (void)state;
    try_all(false, false);
}

static void forever_with_a_rollback_journal(void **state) {
    (void)state;
    try_all(false, true);
}

static void once_with_a_write_ahead_log(void **state) {
    (void)state;
    try_all(true, false);
}

static void forever_with_a_write_ahead_log(void **state) {
    (void)state;
    try_all(true, true);
}

/* A key is written whole or not at all, and a ledger is made in the end. */
static void while_a_ledger_is_made(void **state) {
    (void)state;
    for (size_t a = 0; a < sizeof acts / sizeof *acts; a++) {
        long calls = 1;
        for (long at = 1; at <= calls; at++) {
            struct place place = place_make();
            dpn_ledger *ledger = NULL;
            dpn_error why;
            shim_arm(acts[a].act, at, false);
            dpn_status status = dpn_ledger_create(
                &ledger, place.ledger, &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .wait = 2}, &why);
            calls = shim_disarm();
            if (!status) dpn_ledger_close(ledger);
            if (status && status != DPN_EIO && status != DPN_ENOMEM) fail_msg("%s", why.sentence);
            if (dpn_ledger_create(&ledger, place.ledger,
                                  &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .with_existing_key = 1},
                                  &why))
                fail_msg("%s at call %ld, then: %s", acts[a].name, at, why.sentence);
            dpn_ledger_close(ledger);
            place_remove(&place);
        }
    }
}

int main(void) {
    if (!SHIM_WORKS) return skip_program("the system calls cannot be taken over here");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(once_with_a_rollback_journal), cmocka_unit_test(forever_with_a_rollback_journal),
        cmocka_unit_test(once_with_a_write_ahead_log),  cmocka_unit_test(forever_with_a_write_ahead_log),
        cmocka_unit_test(while_a_ledger_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
