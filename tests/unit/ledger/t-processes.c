/* Many at once: processes and threads charge one budget until it is empty. The accepted sum is the recorded sum,
 * exactly the budget, in every round. */
#define _DEFAULT_SOURCE
#include "place.h"

#include "unit/points.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Charge `times` times; the number that fitted, or -1 if something other than the budget refused. */
static int spend_all(const char *path, int times, const char *epsilon) {
    dpn_ledger *ledger;
    dpn_error why;
    int accepted = 0;
    if (dpn_ledger_open(&ledger, path, &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .wait = 300000}, &why))
        return -1;
    for (int i = 0; i < times && accepted >= 0; i++) {
        dpn_status status = charge(NULL, ledger, epsilon, &why);
        if (status && status != DPN_EBUDGET) accepted = -1;
        if (!status) accepted++;
    }
    dpn_ledger_close(ledger);
    return accepted;
}

static void check(const struct place *place, long accepted, long expected, const char *total) {
    struct standing now = standing(place->ledger, NULL, 0);
    if (now.status) fail_msg("%s", now.why.sentence);
    dpn_decimal sum = decimal(total);
    assert_int_equal(accepted, expected);
    assert_int_equal(now.charges, accepted);
    assert_int_equal(dpn_decimal_compare(&now.spent, &sum), 0);
}

/* delta = 0: only sums of pure charges count, and all but the last charge of each process fit. */
static void by_processes(bool wal, int processes, int times) {
    struct place place = place_make();
    char total[32];
    long fits = (long)processes * (times - 1);
    snprintf(total, sizeof total, "%ld.%03ld", fits / 1000, fits % 1000);
    dpn_ledger_close(place_ledger(&place, total, "0", wal));
    int tell[2];
    assert_int_equal(pipe(tell), 0);
    for (int p = 0; p < processes; p++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child > 0) continue;
        int accepted = spend_all(place.ledger, times, "0.001");
        _exit(write(tell[1], &accepted, sizeof accepted) == sizeof accepted ? 0 : 1);
    }
    long all = 0;
    for (int p = 0; p < processes; p++) {
        int accepted, status;
        assert_int_equal(read(tell[0], &accepted, sizeof accepted), sizeof accepted);
        if (accepted < 0) fail_msg("a process was refused for another reason than the budget");
        all += accepted;
        assert_true(wait(&status) > 0 && status == 0);
    }
    close(tell[0]);
    close(tell[1]);
    check(&place, all, fits, total);
    place_remove(&place);
}

static void processes_with_a_rollback_journal(void **state) {
    (void)state;
    for (long round = 0; round < points_needed(1, 2); round++)
        by_processes(false, points(8, 16), points_needed(25, 100));
}

static void processes_with_a_write_ahead_log(void **state) {
    (void)state;
    for (long round = 0; round < points_needed(1, 2); round++)
        by_processes(true, points(16, 32), points_needed(25, 100));
}

/* ---- Threads, each with a handle of its own ---- */

struct worker {
    const char *path;
    int accepted;
};

static void *work(void *context) {
    struct worker *worker = context;
    worker->accepted = spend_all(worker->path, 20, "0.001");
    return NULL;
}

static void threads(void **state) {
    (void)state;
    enum { THREADS = 8 };
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger_close(place_ledger(&place, "0.152", "0", wal));
        pthread_t thread[THREADS];
        struct worker worker[THREADS];
        for (int t = 0; t < THREADS; t++) {
            worker[t] = (struct worker){place.ledger, 0};
            assert_int_equal(pthread_create(&thread[t], NULL, work, &worker[t]), 0);
        }
        long all = 0;
        for (int t = 0; t < THREADS; t++) {
            assert_int_equal(pthread_join(thread[t], NULL), 0);
            assert_true(worker[t].accepted >= 0);
            all += worker[t].accepted;
        }
        check(&place, all, 152, "0.152");
        place_remove(&place);
    }
}

/* Processes that make the same ledger at once, some with a log and some with a journal, agree on one key and one ledger, and
 * charge it: also those that come while the last one leaves. */
static void making_it_at_once(void **state) {
    (void)state;
    enum { MAKERS = 6 };
    for (long round = 0; round < place_forks(40, 400, 6); round++) {
        struct place place = place_make();
        pid_t child[MAKERS];
        for (int p = 0; p < MAKERS; p++) {
            child[p] = fork();
            if (child[p] > 0) continue;
            for (int time = 0; time < 3; time++) {
                dpn_ledger *ledger;
                dpn_error why;
                dpn_ledger_budget budget = {.name = "people"};
                dpn_ledger_options options = {
                    .size = sizeof(dpn_ledger_options), .wal = (round + p / 2) % 2, .wait = 300000};
                if (dpn_ledger_create(&ledger, place.ledger, &options, &why)) _exit(2);
                dpn_status taken = add_budget(ledger, budget, "1", "0", &why);
                if (taken && taken != DPN_EDOMAIN) _exit(3);
                if (charge(NULL, ledger, "0.01", &why)) _exit(4);
                dpn_ledger_close(ledger);
            }
            _exit(0);
        }
        for (int p = 0; p < MAKERS; p++) {
            int status;
            assert_int_equal(waitpid(child[p], &status, 0), child[p]);
            assert_int_equal(status, 0);
        }
        struct standing now = standing(place.ledger, NULL, 0);
        assert_int_equal(now.status, DPN_OK);
        assert_int_equal(now.charges, 3 * MAKERS);
        place_remove(&place);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_with_a_rollback_journal),
        cmocka_unit_test(processes_with_a_write_ahead_log),
        cmocka_unit_test(threads),
        cmocka_unit_test(making_it_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
