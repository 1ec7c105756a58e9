/* Memory that fails at the k-th request, for every k: no crash, no leak, no charge that is acknowledged and not there,
 * and a ledger that works afterwards.
 *
 * This program has its own malloc, which the linker takes for all libraries; sanitizers have theirs, and then only the
 * session itself is tried. */
#define _POSIX_C_SOURCE 200809L
#include "unit/failing-memory.h"
#include "unit/points.h"

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
    dpn_account account = {.filter = NULL};
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
                                   .charge = dpn_charge_pure(account.filter, &epsilon, &none),
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
    dpn_account_free(&account);
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

/* The session with the k-th request failing, or with all from the k-th on; false if there were no k requests. What a
 * library keeps of its first failure is no leak: only what is lost once more, the second time, is. */
static bool fail_at(const struct place *place, long k, bool on, uint64_t *begun, uint64_t *acknowledged) {
    long leaked = 0;
    for (int again = 0; again < 2; again++) {
        long before = memory.live;
        uint64_t now;
        dpn_error why;
        memory.requests = 0;
        memory.fail_at = k;
        memory.on = on;
        memory.armed = true;
        dpn_status status = session(place->ledger, &now, &why);
        memory.armed = false;
        leaked = memory.live - before;
        ++*begun;
        *acknowledged += now;
        if (memory.requests <= k) return false;
        if (status && status != DPN_ENOMEM && status != DPN_EIO) fail_msg("request %ld: %s", k, why.sentence);
        if (status) assert_true(why.status == status && why.sentence[0]);
        if (status && (strstr(why.sentence, "changed") || strstr(why.sentence, "missing"))) /* it is as it was */
            fail_msg("request %ld: %s", k, why.sentence);
        if (leaked == 0) return true;
    }
    fail_msg("request %ld leaks %ld", k, leaked);
    return false;
}

/* A few sessions on one ledger, then it is looked at. */
static void fail_everywhere(bool wal, bool on, const char *delta) {
    struct place place = place_make();
    bool more = true;
    long k = 0;
    while (more) {
        uint64_t begun = 1, acknowledged;
        dpn_error why;
        place_clear(&place);
        dpn_ledger_close(place_ledger(&place, "1", delta, wal));
        /* What is made once a process is made now. */
        if (session(place.ledger, &acknowledged, &why)) fail_msg("%s", why.sentence);
        for (long i = 0; i < points_needed(8, 1) && more; i++) more = fail_at(&place, k++, on, &begun, &acknowledged);
        struct standing now = standing(place.ledger, NULL, 0);
        if (now.status) fail_msg("after request %ld: %s", k - 1, now.why.sentence);
        if (now.charges < acknowledged || now.charges > begun)
            fail_msg("after request %ld: %d begun, %d acknowledged, %d there", k - 1, (int)begun, (int)acknowledged,
                     (int)now.charges);
    }
    assert_true(k > 200);
    place_remove(&place);
}

static void every_request_fails_once(void **state) {
    (void)state;
    fail_everywhere(false, false, "1e-6");
    fail_everywhere(true, false, "0");
}

static void from_a_request_on_all_fail(void **state) {
    (void)state;
    fail_everywhere(false, true, "0");
    fail_everywhere(true, true, "0");
}

/* A ledger that is made without memory: the k-th request fails, for each of the first, which are ours, and for some or all of SQLite's. */
static void a_new_ledger_asks_for_memory(void **state) {
    (void)state;
    static const dpn_ledger_options anew = {.size = sizeof anew, .with_existing_key = 1};
    struct place place = place_make();
    bool more = true;
    long k;
    for (k = 0; more; k += k < 40 ? 1 : points_needed(23, 1)) {
        dpn_ledger *ledger = NULL;
        dpn_error why;
        place_clear(&place);
        memory.requests = 0;
        memory.fail_at = k;
        memory.on = false;
        memory.armed = true;
        dpn_status status = dpn_ledger_create(&ledger, place.ledger, &anew, &why);
        memory.armed = false;
        more = memory.requests > k;
        if (status && status != DPN_ENOMEM && status != DPN_EIO) fail_msg("request %ld: %s", k, why.sentence);
        if (status) assert_null(ledger);
        dpn_ledger_close(ledger);
        expect(DPN_OK, dpn_ledger_create(&ledger, place.ledger, &anew, &why),
               &why); /* what is there does not stand in the way */
        dpn_ledger_close(ledger);
    }
    assert_true(k > 200);
    place_remove(&place);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_it_works),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails_once),
        cmocka_unit_test(from_a_request_on_all_fail),
        cmocka_unit_test(a_new_ledger_asks_for_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
