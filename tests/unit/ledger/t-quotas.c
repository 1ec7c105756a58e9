/* Quotas under a cap, charged together; renewals; and a ledger from before there were any. */
#define _POSIX_C_SOURCE 200809L
#include "base/text/hex.h"
#include "ledger/chain.h"
#include "old-ledger.h"
#include "place.h"
#include "privacy/filter/filter.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* people (1, 1e-6) with the quotas a and b of 0.6 each. */
static dpn_ledger *ledger_with_quotas(const struct place *place) {
    dpn_ledger *ledger = place_ledger(place, "1", "1e-6", false);
    dpn_error why;
    dpn_ledger_budget a = {.name = "people/a", .relation = DPN_ADD_REMOVE, .of = "people"};
    dpn_ledger_budget b = {.name = "people/b", .relation = DPN_ADD_REMOVE, .of = "people"};
    expect(DPN_OK, add_budget(ledger, a, "0.6", "1e-6", &why), &why);
    expect(DPN_OK, add_budget(ledger, b, "0.6", "0", &why), &why);
    return ledger;
}

/* A pure charge at the orders of the budget of that name. */
static dpn_ledger_charge pure(dpn_ledger *ledger, const char *name, const char *epsilon) {
    static const dpn_decimal none = {{0}};
    dpn_decimal amount = decimal(epsilon);
    dpn_account account;
    dpn_error why;
    expect(DPN_OK, dpn_ledger_account(&account, ledger, name, &why), &why);
    dpn_ledger_charge charge = {.name = name,
                                .charge = dpn_charge_pure(account.filter, &amount, &none),
                                .relation = account.relation,
                                .unit = account.unit,
                                .specification = "mean",
                                .specification_length = 4};
    dpn_account_free(&account);
    return charge;
}

static dpn_status both(dpn_receipt out[2], dpn_ledger *ledger, const char *quota, const char *epsilon, dpn_error *why) {
    dpn_ledger_charge charge[2] = {pure(ledger, quota, epsilon), pure(ledger, "people", epsilon)};
    return dpn_ledger_spend_all(out, ledger, charge, 2, why);
}

static void check_spent(dpn_ledger *ledger, const char *name, const char *epsilon, uint64_t charges) {
    dpn_account account;
    dpn_error why;
    dpn_decimal wanted = decimal(epsilon);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, name, &why), &why);
    assert_int_equal(dpn_decimal_compare(&account.filter->sums.epsilon, &wanted), 0);
    assert_int_equal(dpn_filter_spent(account.filter).charges, charges);
    dpn_account_free(&account);
}

static uint64_t last_number(dpn_ledger *ledger) {
    dpn_head head;
    dpn_error why;
    expect(DPN_OK, dpn_ledger_count(NULL, &head, ledger, &why), &why);
    return head.number;
}

static void all_or_none(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = ledger_with_quotas(&place);
    dpn_receipt receipt[2];
    dpn_account account;
    dpn_entry entry;
    dpn_head last;
    dpn_error why;
    expect(DPN_OK, both(receipt, ledger, "people/a", "0.5", &why), &why);
    /* The receipts are in the order of the charges; the cap comes first in the chain. */
    assert_int_equal(receipt[0].head.number, receipt[1].head.number + 1);
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, receipt[0].head.number, &why), &why);
    assert_string_equal(entry.of, "people/a");
    assert_int_equal(entry.with, receipt[1].head.number);
    dpn_entry_free(&entry);
    uint64_t before = last_number(ledger);
    /* The quota refuses; then the cap does. Nothing is recorded. */
    expect(DPN_EBUDGET, both(receipt, ledger, "people/a", "0.2", &why), &why);
    assert_non_null(strstr(why.sentence, "the quota 'people/a'"));
    expect(DPN_EBUDGET, both(receipt, ledger, "people/b", "0.55", &why), &why);
    assert_non_null(strstr(why.sentence, "the budget 'people'"));
    assert_int_equal(last_number(ledger), before);
    check_spent(ledger, "people", "0.5", 1);
    check_spent(ledger, "people/a", "0.5", 1);
    check_spent(ledger, "people/b", "0", 0);
    expect(DPN_OK, both(receipt, ledger, "people/b", "0.4", &why), &why);
    /* Two quotas may share one charge to their cap. */
    dpn_ledger_charge three[3] = {pure(ledger, "people/a", "0.1"), pure(ledger, "people", "0.1"),
                                  pure(ledger, "people/b", "0.1")};
    dpn_receipt receipts[3];
    expect(DPN_OK, dpn_ledger_spend_all(receipts, ledger, three, 3, &why), &why);
    check_spent(ledger, "people/a", "0.6", 2);
    receipt[0] = receipts[0];
    expect(DPN_EBUDGET, both(receipt, ledger, "people/b", "0.1", &why), &why);
    expect(DPN_OK, dpn_ledger_verify(&last, ledger, &receipt[0].head, 1, &why), &why);
    dpn_ledger_close(ledger);
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    check_spent(ledger, "people", "1", 3);
    check_spent(ledger, "people/b", "0.5", 2);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people/a", &why), &why);
    assert_string_equal(account.of, "people");
    assert_int_equal(account.periods, 1);
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* Of several charges a refusal names what is set aside: in full if it fits twelve characters, else rounded down, never cut. Half of delta is
 * set aside by default, from the first charge on. */
static void refusals_say_what_is_set_aside(void **state) {
    (void)state;
    static const struct {
        const char *delta, *said;
    } cases[] = {{"2.4691356e-7", "; delta 1.2345678e-7 is set"},
                 {"2.46913578e-7", "; delta 1.23456e-07 is set"},
                 {"2e-7", "; delta 1e-7 is set"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "1e-6", false);
        dpn_ledger_budget quota = {.name = "people/a", .relation = DPN_ADD_REMOVE, .of = "people"};
        dpn_receipt receipt[2];
        dpn_error why;
        expect(DPN_OK, add_budget(ledger, quota, "0.6", cases[i].delta, &why), &why);
        expect(DPN_EBUDGET, both(receipt, ledger, "people/a", "0.7", &why), &why);
        assert_null(strstr(why.sentence, "set aside")); /* not before the first charge */
        expect(DPN_OK, both(receipt, ledger, "people/a", "0.5", &why), &why);
        expect(DPN_EBUDGET, both(receipt, ledger, "people/a", "0.2", &why), &why);
        if (!strstr(why.sentence, cases[i].said)) fail_msg("%s, not '%s'", why.sentence, cases[i].said);
        dpn_ledger_close(ledger);
        place_remove(&place);
    }
}

static void a_quota_is_not_charged_alone(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = ledger_with_quotas(&place);
    dpn_receipt receipt[3];
    dpn_error why;
    dpn_ledger_budget other = {.name = "others", .relation = DPN_ADD_REMOVE};
    expect(DPN_OK, add_budget(ledger, other, "1", "0", &why), &why);
    uint64_t before = last_number(ledger);
    dpn_ledger_charge a = pure(ledger, "people/a", "0.1"), cap = pure(ledger, "people", "0.1"),
                      others = pure(ledger, "others", "0.1");
    expect(DPN_EDOMAIN, dpn_ledger_spend(receipt, ledger, &a, &why), &why);
    assert_non_null(strstr(why.sentence, "dpn_ledger_spend_all"));
    expect(DPN_EDOMAIN, dpn_ledger_spend_all(receipt, ledger, (dpn_ledger_charge[]){a, others}, 2, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_spend_all(receipt, ledger, (dpn_ledger_charge[]){cap, a, a}, 3, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_spend_all(receipt, ledger, (dpn_ledger_charge[]){cap, cap, a}, 3, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_spend_all(receipt, ledger, &a, 0, &why), &why);
    assert_int_equal(last_number(ledger), before);
    /* Two data sets, one of them with a quota, are one commit. */
    expect(DPN_OK, dpn_ledger_spend_all(receipt, ledger, (dpn_ledger_charge[]){a, others, cap}, 3, &why), &why);
    assert_int_equal(receipt[0].head.number, receipt[2].head.number + 1);
    assert_int_equal(last_number(ledger), before + 3);
    /* A cap can be charged alone. */
    expect(DPN_OK, dpn_ledger_spend(receipt, ledger, &cap, &why), &why);
    dpn_ledger_close(ledger);
    struct standing now = standing(place.ledger, NULL, 0);
    expect(DPN_OK, now.status, &now.why);
    place_remove(&place);
}

static void a_quota_fits_its_cap(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = ledger_with_quotas(&place);
    dpn_error why;
    dpn_ledger_budget budget = {.name = "x", .relation = DPN_ADD_REMOVE, .of = "people/a"};
    expect(DPN_EDOMAIN, add_budget(ledger, budget, "1", "0", &why), &why);
    budget.of = "nobody";
    expect(DPN_EDOMAIN, add_budget(ledger, budget, "1", "0", &why), &why);
    budget.of = "people";
    budget.relation = DPN_REPLACE;
    expect(DPN_EDOMAIN, add_budget(ledger, budget, "1", "0", &why), &why);
    budget.relation = DPN_ADD_REMOVE;
    budget.unit = DPN_PERSON;
    expect(DPN_EDOMAIN, add_budget(ledger, budget, "1", "0", &why), &why);
    budget.unit = DPN_ROW;
    expect(DPN_OK, dpn_ledger_add_alias(NULL, ledger, "staff", "people", NULL, &why), &why);
    budget.of = "staff"; /* which is people */
    expect(DPN_OK, add_budget(ledger, budget, "1", "0", &why), &why);
    dpn_account account;
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "x", &why), &why);
    assert_string_equal(account.of, "people");
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* Another analyst's stored answer costs the asker's quota alone, and there is one result for both. */
static void a_stored_answer_is_given_again(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = ledger_with_quotas(&place);
    dpn_receipt receipt[2], again;
    dpn_error why;
    uint64_t number;
    char *text;
    size_t length;
    expect(DPN_OK, both(receipt, ledger, "people/a", "0.5", &why), &why);
    uint64_t cap = receipt[1].head.number;
    dpn_ledger_charge b = pure(ledger, "people/b", "0.5");
    b.reuse = cap;
    expect(DPN_EDOMAIN, dpn_ledger_spend(&again, ledger, &b, &why), &why); /* there is no answer yet */
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, receipt[0].head.number, "41", 2, &why), &why);
    expect(DPN_OK, dpn_ledger_store_result(ledger, cap, "41", 2, &why), &why);
    expect(DPN_OK, dpn_ledger_find_result(&text, &length, &number, ledger, "people/b", "mean", 4, &why), &why);
    assert_string_equal(text, "41");
    assert_int_equal(number, cap);
    free(text);
    expect(DPN_OK, dpn_ledger_find_charge(&number, ledger, "people/b", "mean", 4, &why), &why);
    assert_int_equal(number, 0);
    expect(DPN_OK, dpn_ledger_find_charge(&number, ledger, "people/a", "mean", 4, &why), &why);
    assert_int_equal(number, receipt[0].head.number);
    b.specification = "meat";
    expect(DPN_EDOMAIN, dpn_ledger_spend(&again, ledger, &b, &why), &why);
    b.specification = "mean";
    b.reuse = receipt[0].head.number;
    expect(DPN_EDOMAIN, dpn_ledger_spend(&again, ledger, &b, &why), &why);
    b.reuse = cap;
    expect(DPN_OK, dpn_ledger_spend(&again, ledger, &b, &why), &why);
    check_spent(ledger, "people/b", "0.5", 1);
    check_spent(ledger, "people", "0.5", 1);
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, again.head.number, "42", 2, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, cap, "42", 2, &why), &why);
    expect(DPN_OK, dpn_ledger_find_charge(&number, ledger, "people/b", "mean", 4, &why), &why);
    assert_int_equal(number, again.head.number);
    dpn_ledger_charge c = pure(ledger, "people", "0.1");
    c.reuse = cap;
    expect(DPN_EDOMAIN, dpn_ledger_spend(&again, ledger, &c, &why), &why);
    dpn_ledger_close(ledger);
    struct standing now = standing(place.ledger, &again.head, 1);
    expect(DPN_OK, now.status, &now.why);
    place_remove(&place);
}

static void renewals_begin_a_period(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = ledger_with_quotas(&place);
    dpn_receipt receipt[2];
    dpn_account account;
    dpn_head head;
    dpn_entry entry;
    dpn_error why;
    expect(DPN_OK, both(receipt, ledger, "people/a", "0.6", &why), &why);
    expect(DPN_EBUDGET, both(receipt, ledger, "people/a", "0.1", &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_renew(&head, ledger, "people", "ana", NULL, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_renew(&head, ledger, "people", "ana", "", &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_renew(&head, ledger, "nobody", "ana", "2027", &why), &why);
    expect(DPN_OK, dpn_ledger_renew(&head, ledger, "people/a", "ana", "a second study", &why), &why);
    expect(DPN_EBUDGET, both(receipt, ledger, "people/a", "0.5", &why), &why); /* the cap has 0.4 */
    expect(DPN_OK, dpn_ledger_renew(&head, ledger, "people", "ana", "2027", &why), &why);
    expect(DPN_OK, both(receipt, ledger, "people/a", "0.5", &why), &why);
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, head.number, &why), &why);
    assert_int_equal(entry.kind, DPN_ENTRY_RENEWAL);
    assert_string_equal(entry.note, "2027");
    assert_string_equal(entry.user, "ana");
    assert_string_equal(entry.of, "people");
    dpn_entry_free(&entry);
    dpn_ledger_close(ledger);
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    assert_int_equal(account.periods, 2);
    dpn_account_free(&account);
    check_spent(ledger, "people", "0.5", 1);
    check_spent(ledger, "people/a", "0.5", 1);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

static void expect_same_plan(const dpn_filter *a, const dpn_filter *b) {
    const dpn_filter_terms *one = &a->plan, *two = &b->plan;
    assert_int_equal(dpn_decimal_compare(&one->epsilon, &two->epsilon), 0);
    assert_int_equal(dpn_decimal_compare(&one->delta, &two->delta), 0);
    assert_int_equal(dpn_decimal_compare(&one->delta_renyi, &two->delta_renyi), 0);
    assert_int_equal(dpn_decimal_compare(&one->delta_first, &two->delta_first), 0);
    assert_int_equal(one->orders, two->orders);
    for (size_t i = 0; i < one->orders; i++) {
        assert_true(one->order[i] == two->order[i]);
        assert_int_equal(dpn_decimal_compare(&one->weight[i], &two->weight[i]), 0);
    }
}

/* Whichever budget is renewed, a cap or a quota, has what it had at first, all of it and no more; the others stay as they are. */
static void a_renewal_gives_back_the_same_plan(void **state) {
    static const char *const name[] = {"people", "people/a", "people/b"};
    (void)state;
    for (size_t renewed = 0; renewed < 3; renewed++) {
        struct place place = place_make();
        dpn_ledger *ledger = ledger_with_quotas(&place);
        dpn_account before[3], after;
        dpn_receipt receipt[2];
        dpn_head head;
        dpn_error why;
        for (size_t i = 0; i < 3; i++) expect(DPN_OK, dpn_ledger_account(&before[i], ledger, name[i], &why), &why);
        expect(DPN_OK, both(receipt, ledger, "people/a", "0.2", &why), &why);
        expect(DPN_OK, both(receipt, ledger, "people/b", "0.3", &why), &why);
        expect(DPN_OK, dpn_ledger_renew(&head, ledger, name[renewed], "ada", "a year", &why), &why);
        for (size_t i = 0; i < 3; i++) {
            expect(DPN_OK, dpn_ledger_account(&after, ledger, name[i], &why), &why);
            expect_same_plan(before[i].filter, after.filter);
            dpn_account_free(&after);
            dpn_account_free(&before[i]);
        }
        check_spent(ledger, "people", renewed == 0 ? "0" : "0.5", renewed == 0 ? 0 : 2);
        check_spent(ledger, "people/a", renewed == 1 ? "0" : "0.2", renewed != 1);
        check_spent(ledger, "people/b", renewed == 2 ? "0" : "0.3", renewed != 2);
        dpn_ledger_close(ledger);
        place_remove(&place);
    }
}

/* Chain a copy of an entry, with a change, as the next: what a holder of the key could do. */
static void chain_changed(const struct place *place, uint64_t number, const char *from, const char *to) {
    unsigned char key[32], tag[DPN_TAG_SIZE];
    size_t length;
    char *hex = read_whole(place->key, &length), text[8000];
    dpn_ledger *ledger;
    dpn_error why;
    dpn_entry entry;
    dpn_chain *chain;
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_true(dpn_hex_read(key, sizeof key, hex, 64));
    free(hex);
    expect(DPN_OK, dpn_ledger_open(&ledger, place->ledger, NULL, &why), &why);
    uint64_t last = last_number(ledger);
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, number, &why), &why);
    const char *at = strstr(entry.text, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - entry.text), entry.text, to, at + strlen(from));
    dpn_entry_free(&entry);
    dpn_ledger_close(ledger);
    assert_int_equal(sqlite3_open(place->ledger, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT tag FROM entry ORDER BY number DESC", -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    memcpy(tag, sqlite3_column_blob(row, 0), sizeof tag);
    sqlite3_finalize(row);
    expect(DPN_OK, dpn_chain_new(&chain, key, sizeof key, &why), &why);
    expect(DPN_OK, dpn_chain_entry(tag, chain, tag, last + 1, text, strlen(text), &why), &why);
    dpn_chain_free(chain);
    assert_int_equal(sqlite3_prepare_v2(db, "INSERT INTO entry VALUES (?1, ?2, ?3)", -1, &row, NULL), SQLITE_OK);
    sqlite3_bind_int64(row, 1, (sqlite3_int64)last + 1);
    sqlite3_bind_text(row, 2, text, -1, SQLITE_STATIC);
    sqlite3_bind_blob(row, 3, tag, sizeof tag, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(row), SQLITE_DONE);
    sqlite3_finalize(row);
    sqlite3_close(db);
}

/* A quota's charge without one to its cap is no entry, whoever wrote it. */
static void openings_check_the_caps(void **state) {
    (void)state;
    static const char *const changes[][2] = {
        {"\"with\": 5", "\"with\": 6"},  {"\"with\": 5", "\"with\": 5"}, {"\"with\": 5", "\"reuse\": 6"},
        {"\"with\": 5", "\"reuse\": 3"}, {"\"with\": 5, ", ""},          {"\"with\": 5", "\"with\": 0"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct place place = place_make();
        dpn_ledger *ledger = ledger_with_quotas(&place);
        dpn_receipt receipt[2];
        dpn_error why;
        expect(DPN_OK, both(receipt, ledger, "people/a", "0.1", &why), &why);
        dpn_ledger_charge cap = pure(ledger, "people", "0.1");
        expect(DPN_OK, dpn_ledger_spend(receipt, ledger, &cap, &why), &why);
        expect(DPN_OK, dpn_ledger_renew(NULL, ledger, "people", NULL, "why not", &why), &why);
        dpn_ledger_close(ledger);
        assert_int_equal(standing(place.ledger, NULL, 0).status, DPN_OK);
        chain_changed(&place, 6, changes[i][0], changes[i][1]);
        struct standing now = standing(place.ledger, NULL, 0);
        assert_int_equal(now.status, DPN_EIO);
        assert_non_null(strstr(now.why.sentence, "entry 9 "));
        place_remove(&place);
    }
}

/* A ledger from before there were quotas opens, says what it said, and takes them. */
static void old_ledgers_work(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger;
    dpn_account account;
    dpn_receipt receipt[2];
    dpn_head head, last;
    dpn_error why;
    char *text;
    write_whole(place.key, old_key, strlen(old_key));
    assert_int_equal(chmod(place.key, 0600), 0);
    expect(DPN_OK, dpn_ledger_import(&ledger, place.ledger, NULL, old_ledger, strlen(old_ledger), &why), &why);
    expect(DPN_OK, dpn_head_parse(&head, old_head, &why), &why);
    expect(DPN_OK, dpn_ledger_verify(&last, ledger, &head, 1, &why), &why);
    expect(DPN_OK, dpn_ledger_export(&text, NULL, ledger, &why), &why);
    assert_string_equal(text, old_ledger);
    free(text);
    check_spent(ledger, "staff", "0.25", 1);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    dpn_decimal planned = decimal("9e-7"); /* what it had by default then, it keeps */
    assert_int_equal(dpn_decimal_compare(&account.filter->plan.delta_renyi, &planned), 0);
    assert_int_equal(account.periods, 1);
    dpn_account_free(&account);
    dpn_ledger_budget quota = {.name = "people/a", .relation = DPN_ADD_REMOVE, .of = "people"};
    expect(DPN_OK, add_budget(ledger, quota, "1", "0", &why), &why);
    expect(DPN_OK, both(receipt, ledger, "people/a", "0.75", &why), &why);
    expect(DPN_EBUDGET, both(receipt, ledger, "people/a", "0.1", &why), &why);
    expect(DPN_OK, dpn_ledger_verify(&last, ledger, &head, 1, &why), &why);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_or_none),
        cmocka_unit_test(refusals_say_what_is_set_aside),
        cmocka_unit_test(a_quota_is_not_charged_alone),
        cmocka_unit_test(a_quota_fits_its_cap),
        cmocka_unit_test(a_stored_answer_is_given_again),
        cmocka_unit_test(renewals_begin_a_period),
        cmocka_unit_test(a_renewal_gives_back_the_same_plan),
        cmocka_unit_test(openings_check_the_caps),
        cmocka_unit_test(old_ledgers_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
