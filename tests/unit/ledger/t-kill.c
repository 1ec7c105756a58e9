/* Death at any moment: SIGKILL before and after every system call of a charge, in both journal modes, and at random
 * moments under load. Afterwards the ledger opens and verifies, and every charge that was acknowledged is there. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, usleep */
#include "place.h"
#include "shim.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What a child tells before it dies, in memory that outlives it. */
struct told {
    volatile long calls, begun, acknowledged;
};

static struct told *shared(void) {
    struct told *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED) fail_msg("no shared memory");
    return told;
}

/* Open, charge twice, close, with something planned. */
static void child_charges(const struct place *place, struct told *told, enum shim_act act, long at) {
    dpn_ledger *ledger;
    dpn_error why;
    shim_arm(act, at, false);
    if (dpn_ledger_open(&ledger, place->ledger, NULL, &why)) _exit(1);
    for (int i = 0; i < 2; i++) {
        told->begun++;
        if (charge(NULL, ledger, "0.0001", &why)) _exit(1);
        told->acknowledged++;
    }
    dpn_ledger_close(ledger);
    told->calls = shim_disarm();
    _exit(0);
}

static bool died(pid_t child) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) {
        assert_int_equal(WEXITSTATUS(status), 0);
        return false;
    }
    assert_int_equal(WTERMSIG(status), SIGKILL);
    return true;
}

/* Returns how many charges there are. */
static uint64_t check(const struct place *place, const struct told *told, uint64_t before, const char *when, long at) {
    struct standing now = standing(place->ledger, NULL, 0);
    if (now.status) fail_msg("killed %s call %ld: %s", when, at, now.why.sentence);
    if (now.charges < before + (uint64_t)told->acknowledged)
        fail_msg("killed %s call %ld: an acknowledged charge is gone", when, at);
    if (now.charges > before + (uint64_t)told->begun) fail_msg("killed %s call %ld: a charge from nowhere", when, at);
    return now.charges;
}

static void at_every_call(bool wal) {
    struct place place = place_make();
    struct told *told = shared();
    uint64_t charges = 0;
    long calls = 1, kills = 0, step = place_forks(1, 1, 5);
    dpn_ledger_close(place_ledger(&place, "1", "0", wal));
    for (long at = 0; at <= calls; at += at ? step : 1) { /* the first child counts, and lives */
        for (int after = 0; after < (at ? 2 : 1); after++) {
            memset((void *)told, 0, sizeof *told);
            pid_t child = fork();
            if (child == 0)
                child_charges(&place, told, at ? after ? SHIM_KILL_AFTER : SHIM_KILL_BEFORE : SHIM_COUNT, at);
            kills += died(child);
            if (at == 0) calls = told->calls;
            charges = check(&place, told, charges, after ? "after" : "before", at);
        }
        if (charges < 16) continue;
        place_clear(&place); /* a short ledger is opened sooner */
        dpn_ledger_close(place_ledger(&place, "1", "0", wal));
        charges = 0;
    }
    if (SHIM_WORKS && (calls < 40 || kills < 2 * calls / step - 8))
        fail_msg("%ld calls, only %ld deaths", calls, kills);
    munmap(told, sizeof *told);
    place_remove(&place);
}

static void at_every_call_of_a_rollback_journal(void **state) {
    (void)state;
    at_every_call(false);
}

static void at_every_call_of_a_write_ahead_log(void **state) {
    (void)state;
    at_every_call(true);
}

/* Making a ledger, with its key: afterwards it can be made again and used, whatever was left. */
static void while_a_ledger_is_made(void **state) {
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        bool alive = false;
        for (long at = 1; !alive; at += place_forks(wal ? 3 : 2, 1, 11)) {
            struct place place = place_make();
            pid_t child = fork();
            if (child == 0) {
                shim_arm(at % 2 ? SHIM_KILL_AFTER : SHIM_KILL_BEFORE, at, false);
                dpn_ledger_close(place_ledger(&place, "1", "0", wal));
                _exit(0);
            }
            alive = !died(child);
            dpn_ledger *ledger;
            dpn_error why;
            if (dpn_ledger_create(&ledger, place.ledger,
                                  &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .with_existing_key = 1},
                                  &why))
                fail_msg("killed at call %ld: %s", at, why.sentence);
            dpn_account account;
            bool known = !dpn_ledger_account(&account, ledger, "people", &why);
            if (known) dpn_account_free(&account);
            dpn_ledger_close(ledger);
            if (!known) ledger = place_ledger(&place, "1", "0", wal);
            if (!known) dpn_ledger_close(ledger);
            assert_int_equal(standing(place.ledger, NULL, 0).status, DPN_OK);
            place_remove(&place);
        }
    }
}

/* ---- At random ---- */

enum { WORKERS = 4, MOST = 12, GROUPS = 5 };

/* Charge a few times, and wait for the end. */
static pid_t start_worker(const struct place *place, struct told *told) {
    pid_t child = fork();
    if (child != 0) return child;
    dpn_ledger *ledger;
    dpn_error why;
    if (dpn_ledger_open(&ledger, place->ledger,
                        &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .wait = 3600000}, &why))
        _exit(1);
    for (int i = 0; i < MOST; i++) {
        told->begun++;
        if (charge(NULL, ledger, "0.0000001", &why)) _exit(1);
        told->acknowledged++;
    }
    for (;;) pause();
}

static uint64_t sum_of(struct told *const told[WORKERS], bool acknowledged) {
    uint64_t sum = 0;
    for (int w = 0; w < WORKERS; w++) sum += (uint64_t)(acknowledged ? told[w]->acknowledged : told[w]->begun);
    return sum;
}

static unsigned draw(unsigned *state, unsigned below) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* Several processes charge at once, and all die at one moment: after so many charges of anybody and a little longer, so
 * that it falls into their work whatever the machine does besides. */
static void group_dies(const struct place *place, struct told *const told[WORKERS], unsigned *chance) {
    pid_t child[WORKERS];
    uint64_t goal = sum_of(told, true) + draw(chance, WORKERS * MOST / 2);
    for (int w = 0; w < WORKERS; w++) child[w] = start_worker(place, told[w]);
    while (sum_of(told, true) < goal) {
        if (waitpid(-1, NULL, WNOHANG) > 0) fail_msg("a worker was refused");
        usleep(20);
    }
    unsigned turns = draw(chance, 30000);
    for (volatile unsigned i = 0; i < turns; i++) continue;
    for (int w = 0; w < WORKERS; w++) kill(child[w], SIGKILL);
    for (int w = 0; w < WORKERS; w++)
        if (!died(child[w])) fail_msg("a worker ended by itself");
}

static void at_random_moments_under_load(void **state) {
    (void)state;
    long deaths = place_forks(1000, 10000, 40);
    struct told *told[WORKERS];
    unsigned chance = 8;
    for (int w = 0; w < WORKERS; w++) told[w] = shared();
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        for (long done = 0; done < deaths / 2; done += GROUPS * WORKERS) {
            place_clear(&place); /* a short ledger is opened sooner */
            dpn_ledger_close(place_ledger(&place, "1", "0", wal));
            for (int w = 0; w < WORKERS; w++) memset((void *)told[w], 0, sizeof *told[w]);
            for (int group = 0; group < GROUPS; group++) {
                group_dies(&place, told, &chance);
                struct standing now = standing(place.ledger, NULL, 0);
                if (now.status) fail_msg("%s", now.why.sentence);
                assert_in_range(now.charges, sum_of(told, true), sum_of(told, false));
            }
        }
        place_remove(&place);
    }
    for (int w = 0; w < WORKERS; w++) munmap(told[w], sizeof *told[w]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_every_call_of_a_rollback_journal),
        cmocka_unit_test(at_every_call_of_a_write_ahead_log),
        cmocka_unit_test(while_a_ledger_is_made),
        cmocka_unit_test(at_random_moments_under_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
