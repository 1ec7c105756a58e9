/* Which data a budget is charged for: noted with the charge or not at all, and nobody comes between the question and the commit. */
#define _POSIX_C_SOURCE 200809L
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_status spend(dpn_ledger *ledger, const char *name, const char *epsilon, const dpn_ledger_source *source,
                        dpn_error *why) {
    dpn_account account;
    dpn_receipt receipt;
    dpn_decimal amount = decimal(epsilon), none = {{0}};
    expect(DPN_OK, dpn_ledger_account(&account, ledger, name, why), why);
    dpn_ledger_charge charge = {.name = name,
                                .charge = dpn_charge_pure(account.filter, &amount, &none),
                                .relation = account.relation,
                                .unit = account.unit,
                                .user = "ana",
                                .source = source};
    dpn_status status = dpn_ledger_spend(&receipt, ledger, &charge, why);
    dpn_account_free(&account);
    return status;
}

/* All that the ledger knows, as "name version text" with blanks between. */
static char *all_known(dpn_ledger *ledger) {
    static char out[1000];
    dpn_known_source known = {.number = 0};
    dpn_error why;
    out[0] = '\0';
    for (;;) {
        expect(DPN_OK, dpn_ledger_next_source(&known, ledger, known.number, &why), &why);
        if (!known.text) return out;
        assert_int_equal(known.length, strlen(known.text));
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s%llu %s %llu %s", out[0] ? "; " : "",
                 (unsigned long long)known.number, known.name, (unsigned long long)known.version, known.text);
        free(known.text);
    }
}

static uint64_t last(dpn_ledger *ledger) {
    dpn_head head;
    dpn_error why;
    expect(DPN_OK, dpn_ledger_count(NULL, &head, ledger, &why), &why);
    return head.number;
}

/* Refuses what it is told to refuse, and counts. */
struct guard {
    const char *text;
    int asked;
};

static dpn_status admit(void *context, const dpn_known_source *other, dpn_error *why) {
    struct guard *guard = context;
    guard->asked++;
    if (strcmp(other->text, guard->text) != 0) return DPN_OK;
    snprintf(why->sentence, sizeof why->sentence, "it is %s's", other->name);
    return why->status = DPN_EDOMAIN;
}

static void a_source_comes_with_its_charge(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false), *copy;
    dpn_error why;
    dpn_entry entry;
    struct guard guard = {"{\"a\": 1}", 0};
    dpn_ledger_source source = {.text = "{\"a\":\n1}"}, other = {"{\"b\": 2}", admit, &guard, 0};
    expect(DPN_OK, dpn_ledger_add_alias(NULL, ledger, "staff", "people", NULL, &why), &why);
    expect(DPN_OK,
           add_budget(ledger, (dpn_ledger_budget){.name = "visits", .relation = DPN_ADD_REMOVE}, "1", "0", &why), &why);
    expect(DPN_OK,
           add_budget(ledger, (dpn_ledger_budget){.name = "people/a", .relation = DPN_ADD_REMOVE, .of = "people"}, "1",
                      "0", &why),
           &why);
    assert_string_equal(all_known(ledger), "");
    uint64_t before = last(ledger);
    /* What does not fit notes nothing, nor does what is no source. */
    expect(DPN_EBUDGET, spend(ledger, "people", "2", &source, &why), &why);
    assert_null(strstr(why.sentence, "people")); /* the sentence is that of a charge without a source */
    expect(DPN_EPARSE, spend(ledger, "people", "0.25", &(dpn_ledger_source){.text = "[]"}, &why), &why);
    expect(DPN_EDOMAIN, spend(ledger, "people", "0.25", &(dpn_ledger_source){.text = NULL}, &why), &why);
    expect(DPN_EDOMAIN, spend(ledger, "people/a", "0.25", &source, &why), &why);
    assert_int_equal(last(ledger), before);
    assert_string_equal(all_known(ledger), "");
    /* By an alias it is the budget's. */
    expect(DPN_OK, spend(ledger, "staff", "0.25", &source, &why), &why);
    assert_int_equal(last(ledger), before + 2);
    assert_string_equal(all_known(ledger), "6 people 0 {\"a\": 1}");
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, before + 1, &why), &why);
    assert_int_equal(entry.kind, DPN_ENTRY_SOURCE);
    assert_string_equal(entry.name, "people");
    assert_string_equal(entry.user, "ana");
    assert_memory_equal(entry.plan, "{\"a\": 1}", entry.plan_length);
    dpn_entry_free(&entry);
    /* Who is in the way refuses all of it. */
    expect(DPN_EDOMAIN, spend(ledger, "visits", "0.25", &other, &why), &why);
    assert_string_equal(why.sentence, "it is people's");
    assert_int_equal(last(ledger), before + 2);
    guard = (struct guard){"nothing", 0};
    expect(DPN_OK, spend(ledger, "visits", "0.25", &other, &why), &why);
    assert_int_equal(guard.asked, 1);
    assert_string_equal(all_known(ledger), "6 people 0 {\"a\": 1}; 8 visits 0 {\"b\": 2}");
    /* A registration is asked about the same, and from then on no source is noted. */
    dpn_ledger_registration registration = {
        .name = "visits", .text = "{\"c\": 3}", .version = 1, .admit = admit, .context = &guard};
    guard = (struct guard){"{\"b\": 2}", 0};
    expect(DPN_EDOMAIN, dpn_ledger_register(NULL, ledger, NULL, &registration, &why), &why);
    assert_string_equal(why.sentence, "it is visits's");
    guard.text = "nothing";
    expect(DPN_OK, dpn_ledger_register(NULL, ledger, NULL, &registration, &why), &why);
    static const char all[] = "6 people 0 {\"a\": 1}; 8 visits 0 {\"b\": 2}; 10 visits 1 {\"c\": 3}";
    assert_string_equal(all_known(ledger), all);
    expect(DPN_EDOMAIN, spend(ledger, "visits", "0.25", &source, &why), &why);
    assert_int_equal(last(ledger), 10);
    expect(DPN_OK, spend(ledger, "visits", "0.25", NULL, &why), &why);
    /* But for what was made of its data elsewhere, beside the version in force and no other. */
    dpn_ledger_source made = {"{\"d\": 4}", admit, &guard, 2};
    expect(DPN_EDOMAIN, spend(ledger, "visits", "0.125", &made, &why), &why);
    expect(DPN_EDOMAIN, spend(ledger, "people", "0.125", &made, &why), &why);
    made.version = 1;
    expect(DPN_EDOMAIN, spend(ledger, "people", "0.125", &made, &why), &why);
    assert_int_equal(last(ledger), 11);
    expect(DPN_OK, spend(ledger, "visits", "0.125", &made, &why), &why);
    registration.version = 2;
    expect(DPN_OK, dpn_ledger_register(NULL, ledger, NULL, &registration, &why), &why);
    expect(DPN_EDOMAIN, spend(ledger, "visits", "0.125", &made, &why), &why);
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, 12, &why), &why);
    assert_int_equal(entry.kind, DPN_ENTRY_SOURCE);
    assert_int_equal(entry.version, 1);
    assert_non_null(strstr(entry.text, "\"version\": 1, \"source\": {\"d\": 4}"));
    dpn_entry_free(&entry);
    static const char beside[] =
        "6 people 0 {\"a\": 1}; 8 visits 0 {\"b\": 2}; 12 visits 0 {\"d\": 4}; 14 visits 2 {\"c\": 3}";
    assert_string_equal(all_known(ledger), beside);
    /* With several charges too, and read again from the file and from its text. */
    char *text, path[300];
    size_t length;
    snprintf(path, sizeof path, "%s-2", place.ledger);
    expect(DPN_OK, dpn_ledger_export(&text, &length, ledger, &why), &why);
    dpn_ledger_close(ledger);
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    assert_string_equal(all_known(ledger), beside);
    dpn_ledger_options options = {.size = sizeof(dpn_ledger_options), .key = place.key};
    expect(DPN_OK, dpn_ledger_import(&copy, path, &options, text, length, &why), &why);
    assert_string_equal(all_known(copy), beside);
    free(text);
    dpn_ledger_close(copy);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* A cap, its quota and the source, in one commit: the quota names the number of the cap's charge. */
static void a_source_comes_before_all_charges(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_entry entry;
    dpn_receipt receipt[2];
    dpn_account account;
    dpn_decimal amount = decimal("0.5"), none = {{0}};
    dpn_ledger_source source = {.text = "{}"};
    expect(DPN_OK,
           add_budget(ledger, (dpn_ledger_budget){.name = "people/a", .relation = DPN_ADD_REMOVE, .of = "people"},
                      "0.75", "0", &why),
           &why);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    dpn_ledger_charge charge[2] = {
        {.name = "people/a", .charge = dpn_charge_pure(account.filter, &amount, &none), .relation = account.relation},
        {.name = "people",
         .charge = dpn_charge_pure(account.filter, &amount, &none),
         .relation = account.relation,
         .source = &source}};
    expect(DPN_OK, dpn_ledger_spend_all(receipt, ledger, charge, 2, &why), &why);
    assert_int_equal(receipt[1].head.number, 5);
    assert_int_equal(receipt[0].head.number, 6);
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, 6, &why), &why);
    assert_int_equal(entry.with, 5);
    dpn_entry_free(&entry);
    /* The quota refuses: no source, no charge to the cap. */
    source.text = "{\"d\": 4}";
    expect(DPN_EBUDGET, dpn_ledger_spend_all(receipt, ledger, charge, 2, &why), &why);
    assert_non_null(strstr(why.sentence, "people/a"));
    assert_string_equal(all_known(ledger), "4 people 0 {}");
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
    struct standing now = standing(place.ledger, NULL, 0);
    expect(DPN_OK, now.status, &now.why);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_comes_with_its_charge),
        cmocka_unit_test(a_source_comes_before_all_charges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
