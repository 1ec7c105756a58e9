/* Power cuts: in every state in which the disk may be left, the ledger opens and verifies, no acknowledged charge is
 * missing, and the next charge works. */
#define _POSIX_C_SOURCE 200809L
#include "disk.h"
#include "place.h"
#include "shim.h"
#include "unit/skip.h"
#include "unit/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The key was durable before the ledger was begun: it is copied. */
static struct place twin_of(const struct place *place) {
    struct place twin = place_make();
    size_t length;
    char *key = read_whole(place->key, &length);
    write_whole(twin.key, key, length);
    assert_int_equal(chmod(twin.key, 0600), 0);
    free(key);
    return twin;
}

static void cut_power(const struct place *twin, size_t moments, long states, bool made, uint64_t seed) {
    uint64_t lost = 0;
    for (long s = 0; s < states; s++) {
        uint64_t begun, acknowledged, chance = seed + (uint64_t)s * 1000003;
        size_t moment = (size_t)((uint64_t)s * 2654435761u % moments);
        char shm[300];
        dpn_error why;
        dpn_ledger *ledger;
        snprintf(shm, sizeof shm, "%s-shm", twin->ledger);
        unlink(shm);
        disk_state(twin->directory, moment, chance, &begun, &acknowledged);
        if (!made && acknowledged == 0) { /* cut while the ledger was made: it is made now */
            if (dpn_ledger_create(&ledger, twin->ledger,
                                  &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .with_existing_key = 1},
                                  &why))
                fail_msg("state %ld at moment %zu: %s", s, moment, why.sentence);
            dpn_ledger_close(ledger);
            continue;
        }
        struct standing now = standing(twin->ledger, NULL, 0);
        if (now.status) fail_msg("state %ld at moment %zu: %s", s, moment, now.why.sentence);
        if (now.charges + 1 < acknowledged)
            fail_msg("state %ld at moment %zu: %d acknowledged, %d there", s, moment, (int)acknowledged - 1,
                     (int)now.charges);
        if (now.charges + 1 > begun) fail_msg("state %ld at moment %zu: a charge from nowhere", s, moment);
        lost += begun > now.charges + 1;
        if (s % 4) continue;
        if (dpn_ledger_open(&ledger, twin->ledger, NULL, &why) || charge(NULL, ledger, "0.0001", &why))
            fail_msg("state %ld at moment %zu: %s", s, moment, why.sentence);
        dpn_ledger_close(ledger);
        assert_int_equal(standing(twin->ledger, NULL, 0).charges, now.charges + 1);
    }
    assert_true(lost > 0); /* the disk does lose what was not synchronised */
}

/* Several openings, so that logs are checkpointed and journals begun anew. `begun` and `acknowledged` count the making
 * of the ledger as one. */
static void session(bool wal, bool from_nothing, long states) {
    struct place place = place_make();
    dpn_ledger *ledger;
    dpn_error why;
    uint64_t done = 0;
    if (!from_nothing) dpn_ledger_close(place_ledger(&place, "1", "0", wal));
    disk_begin(place.directory);
    disk_mark(1, !from_nothing);
    if (from_nothing) dpn_ledger_close(place_ledger(&place, "1", "0", wal));
    disk_mark(1, 1);
    done = 1;
    for (int opening = 0; opening < 4; opening++) {
        if (dpn_ledger_open(&ledger, place.ledger, NULL, &why)) fail_msg("%s", why.sentence);
        for (int i = 0; i < 5; i++) {
            disk_mark(done + 1, done);
            if (charge(NULL, ledger, "0.001", &why)) fail_msg("%s", why.sentence);
            done++;
            disk_mark(done, done);
        }
        dpn_ledger_close(ledger);
    }
    size_t moments = disk_end();
    assert_true(moments > 100);
    struct place twin = twin_of(&place);
    cut_power(&twin, moments, states, !from_nothing, wal ? 77 : 99);
    disk_free();
    place_remove(&twin);
    place_remove(&place);
}

static void a_rollback_journal_survives(void **state) {
    (void)state;
    session(false, false, points(250, 2000));
}

static void a_write_ahead_log_survives(void **state) {
    (void)state;
    session(true, false, points(250, 2000));
}

static void so_does_the_making_of_a_ledger(void **state) {
    (void)state;
    session(false, true, points(150, 1000));
    session(true, true, points(150, 1000));
}

int main(void) {
    if (!SHIM_WORKS) return skip_program("the system calls cannot be taken over here");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rollback_journal_survives),
        cmocka_unit_test(a_write_ahead_log_survives),
        cmocka_unit_test(so_does_the_making_of_a_ledger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
