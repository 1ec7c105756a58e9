/* Quotas under one cap when many charge at once, and when processes die: what two quotas take together is what the cap
 * records, never more than it has; a charge is in both or in neither. */
#define _DEFAULT_SOURCE
#include "place.h"
#include "privacy/filter/filter.h"
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

static const char *const quotas[] = {"people/a", "people/b"};

/* people with delta = 0, so that sums alone count, and two quotas of it. */
static void make(const struct place *place, const char *cap, const char *quota, bool wal) {
    dpn_ledger *ledger = place_ledger(place, cap, "0", wal);
    dpn_error why;
    for (int i = 0; i < 2; i++) {
        dpn_ledger_budget budget = {.name = quotas[i], .relation = DPN_ADD_REMOVE, .of = "people"};
        if (add_budget(ledger, budget, quota, "0", &why)) fail_msg("%s", why.sentence);
    }
    dpn_ledger_close(ledger);
}

/* Without orders a charge is its epsilon. */
static dpn_status spend_both(dpn_ledger *ledger, const char *quota, const char *epsilon, dpn_error *why) {
    dpn_charge pure = {.pure = true, .epsilon = decimal(epsilon)};
    dpn_ledger_charge charge[2] = {{.name = quota, .charge = pure, .relation = DPN_ADD_REMOVE},
                                   {.name = "people", .charge = pure, .relation = DPN_ADD_REMOVE}};
    dpn_receipt receipt[2];
    return dpn_ledger_spend_all(receipt, ledger, charge, 2, why);
}

static dpn_decimal spent(dpn_ledger *ledger, const char *name, uint64_t *charges) {
    dpn_account account;
    dpn_error why;
    if (dpn_ledger_account(&account, ledger, name, &why)) fail_msg("%s", why.sentence);
    dpn_decimal sum = account.filter->sums.epsilon;
    *charges = account.filter->sums.charges;
    dpn_account_free(&account);
    return sum;
}

/* The cap has what its quotas have together. Returns how many charges it has. */
static uint64_t check_together(const struct place *place, const char *total) {
    dpn_ledger *ledger;
    dpn_head last;
    dpn_error why;
    uint64_t charges, a_charges, b_charges;
    expect(DPN_OK, dpn_ledger_open(&ledger, place->ledger, NULL, &why), &why);
    expect(DPN_OK, dpn_ledger_verify(&last, ledger, NULL, 0, &why), &why);
    dpn_decimal cap = spent(ledger, "people", &charges), most = decimal(total);
    dpn_decimal a = spent(ledger, quotas[0], &a_charges), b = spent(ledger, quotas[1], &b_charges);
    assert_int_equal(dpn_decimal_add(&a, &a, &b, NULL), DPN_OK);
    assert_int_equal(dpn_decimal_compare(&cap, &a), 0);
    assert_true(dpn_decimal_compare(&cap, &most) <= 0);
    assert_int_equal(charges, a_charges + b_charges);
    dpn_ledger_close(ledger);
    return charges;
}

/* ---- Many at once ---- */

/* The number of charges that fitted, or -1 if something but the budget refused. */
static int spend_often(const char *path, const char *quota, int times) {
    dpn_ledger *ledger;
    dpn_error why;
    int accepted = 0;
    if (dpn_ledger_open(&ledger, path, &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .wait = 300000}, &why))
        return -1;
    for (int i = 0; i < times && accepted >= 0; i++) {
        dpn_status status = spend_both(ledger, quota, "0.001", &why);
        if (status && status != DPN_EBUDGET) accepted = -1;
        if (!status) accepted++;
    }
    dpn_ledger_close(ledger);
    return accepted;
}

/* The quotas promise 0.08 each, the cap has 0.1: all of it is spent, and no more. */
static void many_processes_on_two_quotas(void **state) {
    (void)state;
    enum { PROCESSES = 8 };
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        make(&place, "0.1", "0.08", wal);
        int tell[2];
        assert_int_equal(pipe(tell), 0);
        for (int p = 0; p < PROCESSES; p++) {
            pid_t child = fork();
            assert_true(child >= 0);
            if (child > 0) continue;
            int accepted = spend_often(place.ledger, quotas[p % 2], 30);
            _exit(write(tell[1], &accepted, sizeof accepted) == sizeof accepted ? 0 : 1);
        }
        long all = 0;
        for (int p = 0; p < PROCESSES; p++) {
            int accepted, status;
            assert_int_equal(read(tell[0], &accepted, sizeof accepted), sizeof accepted);
            if (accepted < 0) fail_msg("a process was refused for another reason than the budget");
            all += accepted;
            assert_true(wait(&status) > 0 && status == 0);
        }
        close(tell[0]);
        close(tell[1]);
        assert_int_equal(all, 100);
        assert_int_equal(check_together(&place, "0.1"), 100);
        place_remove(&place);
    }
}

/* ---- Death ---- */

/* What a child tells before it dies, in memory that outlives it. */
struct told {
    volatile long calls, begun, acknowledged;
};

static void child_charges(const struct place *place, struct told *told, enum shim_act act, long at) {
    dpn_ledger *ledger;
    dpn_error why;
    shim_arm(act, at, false);
    if (dpn_ledger_open(&ledger, place->ledger, NULL, &why)) _exit(1);
    for (int i = 0; i < 2; i++) {
        told->begun++;
        if (spend_both(ledger, quotas[i], "0.001", &why)) _exit(1);
        told->acknowledged++;
    }
    dpn_ledger_close(ledger);
    told->calls = shim_disarm();
    _exit(0);
}

static void kill_at_every_call(bool wal) {
    struct place place = place_make();
    struct told *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED) fail_msg("no shared memory");
    long calls = 1, kills = 0, step = place_forks(1, 1, 7);
    uint64_t charges = 0;
    make(&place, "1", "1", wal);
    for (long at = 0; at <= calls; at += at ? step : 1) { /* the first child counts, and lives */
        int status;
        memset((void *)told, 0, sizeof *told);
        pid_t child = fork();
        if (child == 0) child_charges(&place, told, at ? SHIM_KILL_BEFORE : SHIM_COUNT, at);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
        kills += WIFSIGNALED(status) != 0;
        if (at == 0) calls = told->calls;
        uint64_t now = check_together(&place, "1");
        assert_in_range(now, charges + (uint64_t)told->acknowledged, charges + (uint64_t)told->begun);
        charges = now;
        if (charges < 16) continue;
        place_clear(&place); /* a short ledger is opened sooner */
        make(&place, "1", "1", wal);
        charges = 0;
    }
    if (SHIM_WORKS && (calls < 40 || kills < calls / step - 4)) fail_msg("%ld calls, only %ld deaths", calls, kills);
    munmap(told, sizeof *told);
    place_remove(&place);
}

static void both_or_neither_with_a_rollback_journal(void **state) {
    (void)state;
    kill_at_every_call(false);
}

static void both_or_neither_with_a_write_ahead_log(void **state) {
    (void)state;
    kill_at_every_call(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_processes_on_two_quotas),
        cmocka_unit_test(both_or_neither_with_a_rollback_journal),
        cmocka_unit_test(both_or_neither_with_a_write_ahead_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
