/* Memory that fails at the k-th request, for every k: no crash, no leak, no charge that is acknowledged and not there,
 * and a ledger that works afterwards.
 *
 * This program has its own malloc, which the linker takes for all libraries; sanitizers have theirs, and then only the
 * session itself is tried. */
#define _POSIX_C_SOURCE 200809L
#include "unit/failing-memory.h"

#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Everything from opening to closing. */
static dpn_status session(const char *path, uint64_t *acknowledged, dpn_error *why) {
    dpn_ledger *ledger = NULL;
    dpn_account account;
    dpn_receipt receipt;
    dpn_entry entry;
    dpn_head last;
    char *text = NULL;
    size_t length;
    static const dpn_decimal none = {{0}};
    dpn_decimal epsilon;
    *acknowledged = 0;
    dpn_status status = dpn_decimal_parse(&epsilon, "0.00001", why);
    if (!status) status = dpn_ledger_open(&ledger, path, NULL, why);
    if (!status) status = dpn_ledger_account(&account, ledger, "people", why);
    if (!status) {
        dpn_ledger_charge asked = {.name = "people",
                                   .charge = dpn_charge_pure(&account.filter, &epsilon, &none),
                                   .relation = account.relation,
                                   .plan = "[\"a plan\"]",
                                   .note = "a note",
                                   .specification = "a question",
                                   .specification_length = 10};
        status = dpn_ledger_spend(&receipt, ledger, &asked, why);
        *acknowledged = !status;
    }
    if (!status) status = dpn_ledger_store_result(ledger, receipt.head.number, "an answer", 9, why);
    if (!status) status = dpn_ledger_find_result(&text, &length, NULL, ledger, "people", "a question", 10, why);
    if (!status) free(text);
    if (!status) status = dpn_ledger_entry(&entry, ledger, receipt.head.number, why);
    if (!status) dpn_entry_free(&entry);
    if (!status) status = dpn_ledger_verify(&last, ledger, &receipt.head, 1, why);
    if (!status) status = dpn_ledger_export(&text, &length, ledger, why);
    if (!status) free(text);
    dpn_ledger_close(ledger);
    return status;
}

static void with_memory_it_works(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_error why;
    uint64_t acknowledged;
    dpn_ledger_close(place_ledger(&place, "1", "1e-6", false));
    for (int i = 0; i < 3; i++)
        if (session(place.ledger, &acknowledged, &why)) fail_msg("%s", why.sentence);
    place_remove(&place);
}

#ifndef SANITIZED

/* A round that is not strict comes first: libraries keep what they make when something fails for the first time. */
static void fail_everywhere(bool wal, bool on, long step, bool strict) {
    struct place place = place_make();
    uint64_t there = 0, acknowledged;
    dpn_error why;
    dpn_ledger_close(place_ledger(&place, "1", "1e-6", wal));
    if (session(place.ledger, &acknowledged, &why))
        fail_msg("%s", why.sentence); /* what is made once a process is made */
    there = 1;
    long k = 0;
    for (;; k += step) {
        long before = memory.live;
        memory.requests = 0;
        memory.fail_at = k;
        memory.on = on;
        memory.armed = true;
        dpn_status status = session(place.ledger, &acknowledged, &why);
        memory.armed = false;
        if (memory.requests <= k) break; /* nothing failed */
        if (status && status != DPN_ENOMEM && status != DPN_EIO) fail_msg("request %ld: %s", k, why.sentence);
        if (status) assert_true(why.status == status && why.sentence[0]);
        if (strict && memory.live != before) fail_msg("request %ld leaks %ld", k, memory.live - before);
        struct standing now = standing(place.ledger, NULL, 0);
        if (now.status) fail_msg("after request %ld: %s", k, now.why.sentence);
        assert_in_range(now.charges, there + acknowledged, there + 1);
        there = now.charges;
        if (there < 20) continue;
        place_clear(&place);
        dpn_ledger_close(place_ledger(&place, "1", "1e-6", wal));
        there = 0;
    }
    assert_true(k > 200);
    place_remove(&place);
}

static void every_request_fails_once(void **state) {
    (void)state;
    fail_everywhere(false, false, 1, false);
    fail_everywhere(false, false, place_count(2, 1), true);
    fail_everywhere(true, false, place_count(5, 1), true);
}

static void from_a_request_on_all_fail(void **state) {
    (void)state;
    fail_everywhere(false, true, place_count(3, 1), true);
    fail_everywhere(true, true, place_count(7, 1), true);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_it_works),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails_once),
        cmocka_unit_test(from_a_request_on_all_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
