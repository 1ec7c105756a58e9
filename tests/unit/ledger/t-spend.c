/* Charges as they are asked for: each that is refused, in which words, with nothing recorded; several in one commit, in their order. */
#include "ledger/ledger.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_charge amount_of(dpn_ledger *ledger, const char *name, const char *epsilon, const char *delta) {
    dpn_account account;
    dpn_error why;
    dpn_decimal e = decimal(epsilon), d = decimal(delta);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, name, &why), &why);
    dpn_charge out = dpn_charge_pure(account.filter, &e, &d);
    dpn_account_free(&account);
    return out;
}

static uint64_t last_of(dpn_ledger *ledger) {
    dpn_head head;
    dpn_error why;
    expect(DPN_OK, dpn_ledger_count(NULL, &head, ledger, &why), &why);
    return head.number;
}

static void refused(dpn_ledger *ledger, const dpn_ledger_charge *charge, size_t charges, dpn_status status,
                    const char *sentence) {
    dpn_receipt out[4] = {{.converted = true}};
    dpn_error why = {DPN_OK, ""};
    uint64_t before = last_of(ledger);
    dpn_status got = dpn_ledger_spend_all(out, ledger, charge, charges, &why);
    if (got != status || strcmp(why.sentence, sentence) != 0)
        fail_msg("%d: '%s', not '%s'", (int)got, why.sentence, sentence);
    assert_true(out[0].converted && out[0].head.number == 0 && last_of(ledger) == before);
}

/* people, by add-remove, with two quotas and an alias; persons of whom each is replaced; replaced rows. */
static dpn_ledger *make(const struct place *place) {
    dpn_ledger *ledger = place_ledger(place, "1", "1e-6", false);
    dpn_error why;
    const dpn_ledger_budget more[] = {{.name = "ana", .relation = DPN_ADD_REMOVE, .of = "people"},
                                      {.name = "bob", .relation = DPN_ADD_REMOVE, .of = "people"},
                                      {.name = "persons", .relation = DPN_ADD_REMOVE, .unit = DPN_PERSON},
                                      {.name = "replaced", .relation = DPN_REPLACE}};
    for (int i = 0; i < 4; i++)
        expect(DPN_OK, add_budget(ledger, more[i], i < 2 ? "0.5" : "1", i < 2 ? "0" : "1e-6", &why), &why);
    expect(DPN_OK, dpn_ledger_add_alias(NULL, ledger, "folk", "people", NULL, &why), &why);
    return ledger;
}

static void refusals_in_words(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = make(&place);
    dpn_error why;
    dpn_ledger_charge one = {
        .name = "people", .charge = amount_of(ledger, "people", "0.1", "0"), .relation = DPN_ADD_REMOVE};
    refused(ledger, &one, 0, DPN_EDOMAIN, "there is nothing to charge");
    dpn_ledger_charge other = one;
    other.name = "nobody";
    refused(ledger, &other, 1, DPN_EDOMAIN, "there is no data set 'nobody' in the ledger");
    other.name = NULL;
    refused(ledger, &other, 1, DPN_EDOMAIN, "the name of a data set is missing");
    other = one;
    other.unit = DPN_PERSON;
    refused(ledger, &other, 1, DPN_EDOMAIN,
            "the charge protects a person and the budget of 'people' a row; that is not converted");
    other.name = "persons";
    other.unit = DPN_ROW;
    refused(ledger, &other, 1, DPN_EDOMAIN,
            "the charge protects a row and the budget of 'persons' a person; that is not converted");
    other = one;
    other.relation = DPN_REPLACE;
    refused(ledger, &other, 1, DPN_EDOMAIN,
            "the charge holds for replace and the budget of 'people' for add-remove; the one does not give the other");
    other = one;
    other.name = "replaced";
    other.charge.pure = false;
    refused(ledger, &other, 1, DPN_EDOMAIN,
            "the charge holds for add-remove, the budget of 'replaced' for replace, and only charges that are pure are "
            "converted");
    other = one;
    const char *nan = "the Renyi divergences of a charge must not be negative or NaN";
    other.charge.divergence[0] = -1e-300;
    refused(ledger, &other, 1, DPN_EDOMAIN, nan);
    other = one;
    dpn_account account;
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    size_t orders = dpn_filter_plan_of(account.filter).orders;
    dpn_account_free(&account);
    other.charge.divergence[orders - 1] = 0.0 / 0.0;
    refused(ledger, &other, 1, DPN_EDOMAIN, nan);
    other = one;
    other.plan = "[";
    assert_int_equal(dpn_ledger_spend(&(dpn_receipt){0}, ledger, &other, &why), DPN_EPARSE);
    /* quotas */
    dpn_ledger_charge ana = one, bob = one;
    ana.name = "ana";
    bob.name = "bob";
    const char *alone = "'ana' is a quota of 'people': it is charged together with it (dpn_ledger_spend_all)";
    refused(ledger, &ana, 1, DPN_EDOMAIN, alone);
    const char *only = "only a quota that is charged without its cap takes an answer of another charge";
    other = one;
    other.reuse = 3;
    refused(ledger, &other, 1, DPN_EDOMAIN, only);
    ana.reuse = 3;
    dpn_ledger_charge both[] = {one, ana, bob, one};
    refused(ledger, both, 2, DPN_EDOMAIN, only);
    ana.specification = "q", ana.specification_length = 1;
    refused(ledger, &ana, 1, DPN_EDOMAIN, "entry 3 is not a charge to 'people' for the same specification");
    ana = one;
    ana.name = "ana";
    both[1] = ana;
    const dpn_ledger_charge twice[] = {one, ana, ana},
                            alias[] = {one, {.name = "folk", .charge = one.charge, .relation = DPN_ADD_REMOVE}};
    refused(ledger, twice, 3, DPN_EDOMAIN, "two of the charges are to 'ana'");
    refused(ledger, alias, 2, DPN_EDOMAIN, "two of the charges are to 'people'");
    dpn_ledger_source source = {.text = "{}"}, none = {.text = NULL}, list = {.text = "[]"};
    both[1].source = &source;
    refused(ledger, both, 2, DPN_EDOMAIN, "a quota has no source: 'people', its data set, has");
    both[1].source = &none;
    refused(ledger, both, 2, DPN_EDOMAIN, "a source needs a text");
    both[1].source = &list;
    refused(ledger, both, 2, DPN_EPARSE, "the source must be a JSON object");
    /* of several it is said which one does not fit */
    both[1] = ana;
    both[1].charge = amount_of(ledger, "ana", "0.6", "0");
    assert_int_equal(dpn_ledger_spend_all(&(dpn_receipt){0}, ledger, both, 2, &why), DPN_EBUDGET);
    assert_ptr_equal(strstr(why.sentence, "the quota 'ana': "), why.sentence);
    both[1].charge = amount_of(ledger, "ana", "0", "0");
    refused(ledger, both, 2, DPN_EDOMAIN, "the quota 'ana': epsilon must be more than 0");
    both[1] = ana;
    both[0].charge = amount_of(ledger, "people", "1.5", "0");
    assert_int_equal(dpn_ledger_spend_all(&(dpn_receipt){0}, ledger, both, 2, &why), DPN_EBUDGET);
    assert_ptr_equal(strstr(why.sentence, "the budget 'people': "), why.sentence);
    assert_int_equal(dpn_ledger_spend(&(dpn_receipt){0}, ledger, both, &why), DPN_EBUDGET);
    assert_null(strstr(why.sentence, "the budget 'people': "));
    assert_int_equal(last_of(ledger), 7);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* In whatever order they are asked for: the source first, a cap, its quotas, what stands alone; receipts stay with who asked. */
static void several_in_one_commit(void **state) {
    (void)state;
    static const int orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}, {2, 0, 3, 1}};
    for (size_t k = 0; k < 4; k++) {
        struct place place = place_make();
        dpn_ledger *ledger = make(&place);
        dpn_error why;
        dpn_ledger_source source = {.text = "{\"a\": 1}"};
        static const char *const names[] = {"folk", "ana", "bob", "replaced"}, *const own[] = {"people", "ana", "bob",
                                                                                               "replaced"};
        dpn_ledger_charge charge[4];
        dpn_receipt receipt[4];
        for (int i = 0; i < 4; i++) {
            int which = orders[k][i];
            charge[i] = (dpn_ledger_charge){
                .name = names[which],
                .charge = amount_of(ledger, own[which], which == 3 ? "0.2" : "0.1", which == 3 ? "1e-9" : "0"),
                .relation = DPN_ADD_REMOVE,
                .user = "ada",
                .note = own[which],
                .specification = "q",
                .specification_length = 1,
                .source = which == 0 ? &source : NULL};
        }
        expect(DPN_OK, dpn_ledger_spend_all(receipt, ledger, charge, 4, &why), &why);
        assert_int_equal(last_of(ledger), 7 + 5);
        uint64_t cap = 0;
        for (int i = 0; i < 4; i++)
            if (orders[k][i] == 0) cap = receipt[i].head.number;
        for (int i = 0; i < 4; i++) {
            dpn_entry entry;
            int which = orders[k][i];
            expect(DPN_OK, dpn_ledger_entry(&entry, ledger, receipt[i].head.number, &why), &why);
            assert_memory_equal(&entry.head, &receipt[i].head, sizeof entry.head);
            assert_string_equal(entry.name, names[which]);
            assert_string_equal(entry.of, own[which]);
            assert_string_equal(entry.note, own[which]);
            assert_true(entry.with == (which == 1 || which == 2 ? cap : 0) && entry.reuse == 0);
            assert_true(receipt[i].converted == (which == 3) && entry.converted == (which == 3));
            dpn_decimal wanted = decimal(which == 3 ? "0.4" : "0.1");
            assert_true(dpn_decimal_compare(&entry.charge.epsilon, &wanted) == 0 &&
                        dpn_decimal_compare(&receipt[i].charge.epsilon, &wanted) == 0);
            if (which == 1 || which == 2)
                assert_true(receipt[i].head.number > cap && receipt[i].head.number <= cap + 2);
            if (which == 3) { /* (1 + e^0.2) 1e-9, rounded up */
                dpn_decimal low = decimal("2.2214027581601698e-9"), high = decimal("2.22140275817e-9");
                assert_true(dpn_decimal_compare(&entry.charge.delta, &low) >= 0 &&
                            dpn_decimal_compare(&entry.charge.delta, &high) <= 0);
            }
            dpn_entry_free(&entry);
        }
        dpn_entry entry;
        expect(DPN_OK, dpn_ledger_entry(&entry, ledger, 8, &why),
               &why); /* the source, under the name of the budget itself */
        assert_true(entry.kind == DPN_ENTRY_SOURCE && strcmp(entry.name, "people") == 0 &&
                    strcmp(entry.user, "ada") == 0);
        dpn_entry_free(&entry);
        /* an answer that was kept is given again, for the quota's charge alone */
        expect(DPN_OK, dpn_ledger_renew(NULL, ledger, "ana", NULL, "a year", &why), &why);
        dpn_ledger_charge again = {.name = "ana",
                                   .charge = amount_of(ledger, "ana", "0.3", "0"),
                                   .relation = DPN_ADD_REMOVE,
                                   .reuse = cap,
                                   .specification = "q",
                                   .specification_length = 1};
        char sentence[100];
        snprintf(sentence, sizeof sentence, "entry %d has no stored result to give again", (int)cap);
        refused(ledger, &again, 1, DPN_EDOMAIN, sentence);
        expect(DPN_OK, dpn_ledger_store_result(ledger, cap, "41", 2, &why), &why);
        snprintf(sentence, sizeof sentence,
                 "entry %d is a quota's: the result belongs to the charge of its cap, entry %d", (int)cap + 1,
                 (int)cap);
        assert_int_equal(dpn_ledger_store_result(ledger, cap + 1, "41", 2, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, sentence);
        expect(DPN_OK, dpn_ledger_spend(receipt, ledger, &again, &why), &why);
        expect(DPN_OK, dpn_ledger_entry(&entry, ledger, receipt->head.number, &why), &why);
        assert_true(entry.reuse == cap && entry.with == 0);
        dpn_entry_free(&entry);
        dpn_head last;
        expect(DPN_OK, dpn_ledger_verify(&last, ledger, NULL, 0, &why), &why);
        dpn_ledger_close(ledger);
        place_remove(&place);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(refusals_in_words), cmocka_unit_test(several_in_one_commit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
