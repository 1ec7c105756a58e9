/* Registrations: a text for each data set, in the chain, with a version. */
#define _POSIX_C_SOURCE 200809L
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_text(dpn_ledger *ledger, const char *name, const char *wanted, uint64_t version) {
    char *text = NULL;
    size_t length = 99;
    uint64_t found = 99, number = 99;
    dpn_error why;
    expect(DPN_OK, dpn_ledger_find_registration(&text, &length, &found, &number, ledger, name, &why), &why);
    assert_int_equal(found, version);
    assert_int_equal(number != 0, version != 0);
    if (wanted)
        assert_string_equal(text, wanted);
    else
        assert_null(text);
    assert_int_equal(length, wanted ? strlen(wanted) : 0);
    free(text);
}

static dpn_status amend(dpn_ledger *ledger, const char *name, const char *text, uint64_t version, dpn_error *why) {
    dpn_ledger_registration registration = {.name = name, .user = "ana", .text = text, .version = version};
    return dpn_ledger_register(NULL, ledger, NULL, &registration, why);
}

static void the_last_one_is_in_force(void **state) {
    (void)state;
    static const char first[] = "{\"source\": {\"kind\": \"file\"}, \"columns\": [\"\xc3\xa4\", \"\\n\"]}";
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "1e-6", false), *copy;
    dpn_error why;
    dpn_account account;
    dpn_entry entry;
    dpn_head last;
    check_text(ledger, "people", NULL, 0);
    expect(DPN_EDOMAIN, amend(ledger, "people", first, 2, &why), &why);
    expect(DPN_EDOMAIN, amend(ledger, "people", first, 0, &why), &why);
    expect(DPN_EDOMAIN, amend(ledger, "nobody", first, 1, &why), &why);
    expect(DPN_EPARSE, amend(ledger, "people", "[]", 1, &why), &why);
    expect(DPN_EPARSE, amend(ledger, "people", "{}, \"version\": 3", 1, &why), &why);
    expect(DPN_EDOMAIN, amend(ledger, "people", NULL, 1, &why), &why);
    expect(DPN_OK, amend(ledger, "people", first, 1, &why), &why);
    check_text(ledger, "people", first, 1);
    expect(DPN_OK, amend(ledger, "people", "{\"a\":\n1}", 1, &why), &why);
    check_text(ledger, "people", "{\"a\": 1}", 1);
    expect(DPN_EDOMAIN, amend(ledger, "people", "{}", 3, &why), &why);
    expect(DPN_OK, amend(ledger, "people", "{\"b\": 2}", 2, &why), &why);
    expect(DPN_EDOMAIN, amend(ledger, "people", "{}", 1, &why), &why);
    /* An alias and a quota have that of their data set, and none of their own. */
    dpn_ledger_budget quota = {.name = "people/a", .relation = DPN_ADD_REMOVE, .of = "people"};
    expect(DPN_OK, add_budget(ledger, quota, "1", "0", &why), &why);
    expect(DPN_OK, dpn_ledger_add_alias(NULL, ledger, "staff", "people", NULL, &why), &why);
    check_text(ledger, "people/a", "{\"b\": 2}", 2);
    check_text(ledger, "staff", "{\"b\": 2}", 2);
    expect(DPN_EDOMAIN, amend(ledger, "people/a", "{}", 3, &why), &why);
    expect(DPN_EDOMAIN, amend(ledger, "staff", "{}", 3, &why), &why);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people/a", &why), &why);
    assert_int_equal(account.version, 2);
    dpn_account_free(&account);
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, 3, &why), &why);
    assert_int_equal(entry.kind, DPN_ENTRY_REGISTRATION);
    assert_int_equal(entry.version, 1);
    assert_int_equal(entry.plan_length, strlen(first));
    assert_memory_equal(entry.plan, first, strlen(first));
    dpn_entry_free(&entry);
    /* As text and back. */
    char *text, other[300];
    size_t length;
    snprintf(other, sizeof other, "%s-2", place.ledger);
    expect(DPN_OK, dpn_ledger_export(&text, &length, ledger, &why), &why);
    dpn_ledger_options options = {.size = sizeof(dpn_ledger_options), .key = place.key};
    expect(DPN_OK, dpn_ledger_import(&copy, other, &options, text, length, &why), &why);
    check_text(copy, "people", "{\"b\": 2}", 2);
    expect(DPN_OK, dpn_ledger_verify(&last, copy, NULL, 0, &why), &why);
    free(text);
    dpn_ledger_close(copy);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* The budget and the registration are there, or neither is. */
static void both_in_one_commit(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", true);
    dpn_error why;
    dpn_account account;
    dpn_head head;
    dpn_filter *filter;
    dpn_decimal one = decimal("1"), none = {{0}};
    expect(DPN_OK, dpn_filter_new_default(&filter, &one, &none, &why), &why);
    dpn_ledger_budget budget = {.name = "visits", .plan = dpn_filter_plan_of(filter), .unit = DPN_PERSON};
    dpn_ledger_registration registration = {.name = "visits", .text = "{}", .version = 2, .note = "from the clinic"};
    expect(DPN_EDOMAIN, dpn_ledger_register(&head, ledger, &budget, &registration, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_account(&account, ledger, "visits", &why), &why);
    registration.version = 1;
    registration.name = "people";
    expect(DPN_EDOMAIN, dpn_ledger_register(&head, ledger, &budget, &registration, &why), &why);
    registration.name = "visits";
    budget.of = "people";
    expect(DPN_EDOMAIN, dpn_ledger_register(&head, ledger, &budget, &registration, &why), &why);
    budget.of = NULL;
    expect(DPN_OK, dpn_ledger_register(&head, ledger, &budget, &registration, &why), &why);
    assert_int_equal(head.number, 4);
    check_text(ledger, "visits", "{}", 1);
    expect(DPN_EDOMAIN, dpn_ledger_register(&head, ledger, &budget, &registration, &why), &why);
    dpn_filter_free(filter);
    dpn_ledger_close(ledger);
    struct standing now = standing(place.ledger, &head, 1);
    expect(DPN_OK, now.status, &now.why);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_one_is_in_force),
        cmocka_unit_test(both_in_one_commit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
