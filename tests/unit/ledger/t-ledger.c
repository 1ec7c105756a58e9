/* The ledger as its header describes it. */
#define _POSIX_C_SOURCE 200809L
#include "ledger/ledger.h"
#include "place.h"
#include "privacy/filter/filter.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void ten_tenths_fit_and_the_eleventh_does_not(void **state) {
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "1e-6", wal);
        dpn_error why;
        dpn_head head[11];
        for (int i = 0; i < 10; i++) {
            expect(DPN_OK, charge(&head[i], ledger, "0.1", &why), &why);
            assert_int_equal(head[i].number, 3 + i);
        }
        expect(DPN_EBUDGET, charge(&head[10], ledger, "0.1", &why), &why);
        expect(DPN_EBUDGET, charge(&head[10], ledger, "1e-300", &why), &why);
        dpn_ledger_close(ledger);
        struct standing after = standing(place.ledger, head, 10);
        expect(DPN_OK, after.status, &after.why);
        dpn_decimal one = decimal("1");
        assert_int_equal(after.charges, 10);
        assert_int_equal(dpn_decimal_compare(&after.spent, &one), 0);
        place_remove(&place);
    }
}

/* More names than any room that is made at first: each has its own budget, in any order. */
static void many_names(void **state) {
    (void)state;
    enum { NAMES = 120 };
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "1e-6", false);
    dpn_error why;
    for (int opened = 0; opened < 2; opened++) {
        for (int i = 0; i < NAMES; i++) {
            char name[40], epsilon[20], found[DPN_DECIMAL_TEXT_SIZE];
            dpn_account account;
            snprintf(name, sizeof name, "set %d", i * 37 % NAMES);
            snprintf(epsilon, sizeof epsilon, "0.%d1", 100 + i);
            dpn_ledger_budget budget = {.name = name, .relation = DPN_ADD_REMOVE};
            if (!opened) expect(DPN_OK, add_budget(ledger, budget, epsilon, "0", &why), &why);
            expect(DPN_OK, dpn_ledger_account(&account, ledger, name, &why), &why);
            assert_string_equal(account.name, name);
            assert_string_equal(dpn_decimal_print(found, &account.filter->plan.epsilon), epsilon);
            dpn_account_free(&account);
        }
        dpn_ledger_close(ledger);
        ledger = NULL;
        if (!opened) expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    }
    place_remove(&place);
}

/* A charge for "people", with a specification or without. Returns its number. */
static uint64_t charge_for(dpn_ledger *ledger, const char *specification, const dpn_ledger_source *source) {
    static const dpn_decimal none = {{0}};
    dpn_decimal amount = decimal("0.01");
    dpn_account account;
    dpn_receipt receipt;
    dpn_error why;
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    dpn_ledger_charge asked = {.name = "people",
                               .charge = dpn_charge_pure(account.filter, &amount, &none),
                               .relation = account.relation,
                               .unit = account.unit,
                               .specification = specification,
                               .specification_length = specification ? strlen(specification) : 0,
                               .source = source};
    dpn_account_free(&account);
    expect(DPN_OK, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    return receipt.head.number;
}

/* Who has no specification has none, and not that of an empty text. */
static void charges_without_a_specification(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "1e-6", false);
    dpn_error why;
    dpn_entry entry;
    uint64_t found = 7, number = charge_for(ledger, NULL, NULL);
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, number, &why), &why);
    assert_string_equal(entry.specification, "");
    dpn_entry_free(&entry);
    expect(DPN_OK, dpn_ledger_find_charge(&found, ledger, "people", "", 0, &why), &why);
    assert_int_equal(found, 0);
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, number, "41", 2, &why), &why);
    number = charge_for(ledger, "", NULL);
    expect(DPN_OK, dpn_ledger_find_charge(&found, ledger, "people", "", 0, &why), &why);
    assert_int_equal(found, number);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* Whatever is asked of a handle, it knows what another one has written since it was asked last. */
static void every_question_sees_the_latest(void **state) {
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger *writer = place_ledger(&place, "1", "1e-6", wal), *reader;
        dpn_error why;
        dpn_account account;
        dpn_entry entry;
        dpn_head head, last;
        dpn_known_source source;
        char alias[DPN_LEDGER_NAME_SIZE] = "", *text;
        size_t count, length;
        uint64_t number, other;
        expect(DPN_OK, dpn_ledger_open(&reader, place.ledger, NULL, &why), &why);
        number = charge_for(writer, "first", NULL);
        expect(DPN_OK, dpn_ledger_find_charge(&other, reader, "people", "first", 5, &why), &why);
        assert_int_equal(other, number);
        expect(DPN_OK, dpn_ledger_store_result(writer, number, "41", 2, &why), &why);
        charge_for(writer, "second", NULL);
        expect(DPN_OK, dpn_ledger_find_result(&text, &length, &other, reader, "people", "first", 5, &why), &why);
        assert_string_equal(text, "41");
        free(text);
        number = charge_for(writer, NULL, NULL);
        expect(DPN_OK, dpn_ledger_entry(&entry, reader, number, &why), &why);
        dpn_entry_free(&entry);
        expect(DPN_OK, charge(&head, writer, "0.125", &why), &why);
        expect(DPN_OK, dpn_ledger_account(&account, reader, "people", &why), &why);
        assert_int_equal(account.filter->sums.charges, 4);
        dpn_account_free(&account);
        expect(DPN_OK, charge(&head, writer, "0.125", &why), &why);
        expect(DPN_OK, dpn_ledger_account_at(&account, reader, 0, &why), &why);
        assert_int_equal(account.filter->sums.charges, 5);
        dpn_account_free(&account);
        dpn_ledger_budget budget = {.name = "visits", .relation = DPN_ADD_REMOVE};
        expect(DPN_OK, add_budget(writer, budget, "1", "0", &why), &why);
        expect(DPN_OK, dpn_ledger_count(&count, &last, reader, &why), &why);
        assert_int_equal(count, 2);
        expect(DPN_OK, dpn_ledger_add_alias(&head, writer, "staff", "people", "ana", &why), &why);
        expect(DPN_OK, dpn_ledger_next_alias(alias, reader, "people", NULL, &why), &why);
        assert_string_equal(alias, "staff");
        dpn_ledger_source noted = {.text = "{\"a\": 1}"};
        number = charge_for(writer, NULL, &noted);
        expect(DPN_OK, dpn_ledger_next_source(&source, reader, 0, &why), &why);
        assert_true(source.text && source.number > head.number);
        free(source.text);
        dpn_ledger_registration registration = {.name = "visits", .text = "{}", .version = 1};
        expect(DPN_OK, dpn_ledger_register(&head, writer, NULL, &registration, &why), &why);
        expect(DPN_OK, dpn_ledger_find_registration(&text, &length, &number, &other, reader, "visits", &why), &why);
        assert_true(text && number == 1 && other == head.number);
        free(text);
        expect(DPN_OK, charge(&head, writer, "0.125", &why), &why);
        expect(DPN_OK, dpn_ledger_verify(&last, reader, &head, 1, &why), &why);
        assert_int_equal(last.number, head.number);
        expect(DPN_OK, charge(&head, writer, "0.0625", &why), &why);
        expect(DPN_OK, dpn_ledger_export(&text, &length, reader, &why), &why);
        assert_non_null(strstr(text, "0.0625"));
        free(text);
        dpn_ledger_close(reader);
        dpn_ledger_close(writer);
        place_remove(&place);
    }
}

/* An entry tells the second in which it was written, in the form of ISO 8601, by UTC. */
static void entries_tell_their_time(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "1e-6", false);
    dpn_error why;
    dpn_head head;
    dpn_entry entry;
    char text[40];
    time_t before = time(NULL), at;
    bool told = false;
    expect(DPN_OK, charge(&head, ledger, "0.1", &why), &why);
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, head.number, &why), &why);
    for (at = before; at <= time(NULL); at++) {
        struct tm utc;
        assert_non_null(gmtime_r(&at, &utc));
        assert_true(strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) == 20);
        told = told || strcmp(text, entry.time) == 0;
    }
    if (!told) fail_msg("%s, not %s", entry.time, text);
    dpn_entry_free(&entry);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* The text of an entry is the one that is chained: what SQLite has in its row, to the last byte, and no more. */
static void entries_tell_their_text(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "1e-6", false);
    dpn_error why;
    dpn_head last;
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    expect(DPN_OK, dpn_ledger_add_alias(&last, ledger, "folk", "people", "ada", &why),
           &why); /* of a user, and of none */
    expect(DPN_OK, charge(&last, ledger, "0.1", &why), &why);
    assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT text FROM entry ORDER BY number", -1, &row, NULL), SQLITE_OK);
    for (uint64_t number = 1; number <= last.number; number++) {
        dpn_entry entry;
        assert_int_equal(sqlite3_step(row), SQLITE_ROW);
        expect(DPN_OK, dpn_ledger_entry(&entry, ledger, number, &why), &why);
        assert_string_equal(entry.text, (const char *)sqlite3_column_text(row, 0));
        dpn_entry_free(&entry);
    }
    assert_int_equal(sqlite3_step(row), SQLITE_DONE);
    sqlite3_finalize(row);
    sqlite3_close(db);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* What the reopened ledger says is what a filter says that was fed by hand. */
static void reopening_gives_the_same_filter(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "2", "1e-5", false);
    dpn_account before, after;
    dpn_receipt receipt;
    dpn_error why;
    dpn_filter by_hand;
    dpn_decimal delta = decimal("1e-7"), none = {{0}}, epsilon = decimal("0.03");
    expect(DPN_OK, dpn_ledger_account(&before, ledger, "people", &why), &why);
    expect(DPN_OK, dpn_filter_begin(&by_hand, &before.filter->plan, &why), &why);
    dpn_account_free(&before);
    for (int i = 0; i < 20; i++) {
        dpn_ledger_charge asked = {.name = "people", .relation = DPN_ADD_REMOVE};
        if (i % 3 == 0)
            asked.charge = dpn_charge_pure(&by_hand, &epsilon, i ? &none : &delta);
        else
            expect(DPN_OK, dpn_charge_zcdp(&asked.charge, &by_hand, 1e-5 * i, 1e-4 / (1 + i), &none, &why), &why);
        expect(DPN_OK, dpn_filter_admit(&by_hand, &asked.charge, &why), &why);
        expect(DPN_OK, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
        expect(DPN_OK, dpn_ledger_account(&after, ledger, "people", &why), &why);
        assert_memory_equal(&after.filter->sums, &by_hand.sums, sizeof by_hand.sums);
        dpn_account_free(&after);
    }
    dpn_ledger_close(ledger);
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    expect(DPN_OK, dpn_ledger_account(&after, ledger, "people", &why), &why);
    assert_memory_equal(&after.filter->sums, &by_hand.sums, sizeof by_hand.sums);
    assert_memory_equal(&after.filter->limit, &by_hand.limit, sizeof by_hand.limit);
    dpn_account_free(&after);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

static void amounts_that_are_none_are_refused(void **state) {
    (void)state;
    static const char *const epsilons[] = {"0", "0.000", "1e-310", "4e-324", "2e-308"};
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "1e-6", false);
    dpn_error why;
    dpn_account account;
    dpn_receipt receipt;
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++)
        expect(DPN_EDOMAIN, charge(NULL, ledger, epsilons[i], &why), &why);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    dpn_ledger_charge asked = {.name = "people", .relation = DPN_ADD_REMOVE};
    expect(DPN_EDOMAIN, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why); /* divergences of 0 */
    asked.charge.divergence[3] = 0.0 / 0.0;
    expect(DPN_EDOMAIN, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    asked.charge.divergence[3] = -1;
    expect(DPN_EDOMAIN, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    dpn_decimal epsilon = decimal("0.1"), one = decimal("1"), little = decimal("1e-309");
    asked.charge = dpn_charge_pure(account.filter, &epsilon, &one);
    expect(DPN_EDOMAIN, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    asked.charge = dpn_charge_pure(account.filter, &epsilon, &little);
    expect(DPN_EDOMAIN, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
    assert_int_equal(standing(place.ledger, NULL, 0).charges, 0);
    place_remove(&place);
}

static dpn_status add(dpn_ledger *ledger, const char *name, dpn_relation relation, dpn_unit unit, dpn_error *why) {
    dpn_ledger_budget budget = {.name = name, .relation = relation, .unit = unit, .user = "ana"};
    return add_budget(ledger, budget, "1", "1e-3", why);
}

static void relations_are_converted_or_refused(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "1e-3", false);
    dpn_error why;
    dpn_account account;
    dpn_receipt receipt;
    dpn_entry entry;
    dpn_decimal tenth = decimal("0.1"), fifth = decimal("0.2"), delta = decimal("1e-6"), none = {{0}};
    expect(DPN_OK, add(ledger, "replaced", DPN_REPLACE, DPN_ROW, &why), &why);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "replaced", &why), &why);
    dpn_ledger_charge asked = {.name = "people", .relation = DPN_REPLACE};
    asked.charge = dpn_charge_pure(account.filter, &tenth, &delta);
    expect(DPN_EDOMAIN, dpn_ledger_spend(&receipt, ledger, &asked, &why),
           &why); /* replace says nothing of add-remove */
    asked.relation = DPN_ADD_REMOVE;
    asked.unit = DPN_PERSON;
    expect(DPN_EDOMAIN, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    asked.unit = DPN_ROW;
    expect(DPN_OK, add(ledger, "of persons", DPN_ADD_REMOVE, DPN_PERSON, &why), &why);
    asked.name = "of persons"; /* who have many rows */
    expect(DPN_EDOMAIN, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    asked.name = "replaced";
    expect(DPN_OK, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    assert_true(receipt.converted);
    assert_int_equal(dpn_decimal_compare(&receipt.charge.epsilon, &fifth), 0);
    /* (1 + e^0.1) 1e-6 = 2.105170918...e-6, from above */
    dpn_decimal low = decimal("2.10517091807564762e-6"), high = decimal("2.105170919e-6");
    assert_true(dpn_decimal_compare(&receipt.charge.delta, &low) >= 0);
    assert_true(dpn_decimal_compare(&receipt.charge.delta, &high) <= 0);
    dpn_charge fresh = dpn_charge_pure(account.filter, &fifth, &none);
    assert_memory_equal(receipt.charge.divergence, fresh.divergence,
                        dpn_filter_plan_of(account.filter).orders * sizeof(double));
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, receipt.head.number, &why), &why);
    assert_true(entry.converted &&
                strstr(entry.text, "\"asked\": {\"relation\": \"add-remove\", \"epsilon\": \"0.1\""));
    dpn_entry_free(&entry);
    expect(DPN_OK, dpn_charge_zcdp(&asked.charge, account.filter, 0, 1e-4, &none, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why); /* not pure */
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

static void aliases_share_a_budget(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_account account;
    dpn_receipt receipt;
    char alias[DPN_LEDGER_NAME_SIZE];
    dpn_decimal half = decimal("0.5"), none = {{0}};
    expect(DPN_OK, dpn_ledger_add_alias(NULL, ledger, "staff", "people", NULL, &why), &why);
    expect(DPN_OK, dpn_ledger_add_alias(NULL, ledger, "everybody", "staff", "ana", &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_add_alias(NULL, ledger, "staff", "people", NULL, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_add_alias(NULL, ledger, "x", "nobody", NULL, &why), &why);
    expect(DPN_EDOMAIN, add(ledger, "everybody", DPN_REPLACE, DPN_ROW, &why), &why);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "everybody", &why), &why);
    assert_string_equal(account.name, "people");
    dpn_ledger_charge asked = {.relation = DPN_ADD_REMOVE, .charge = dpn_charge_pure(account.filter, &half, &none)};
    static const char *const names[] = {"people", "everybody", "staff"};
    for (int i = 0; i < 3; i++) {
        asked.name = names[i];
        expect(i < 2 ? DPN_OK : DPN_EBUDGET, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    }
    expect(DPN_OK, dpn_ledger_next_alias(alias, ledger, "people", NULL, &why), &why);
    assert_string_equal(alias, "everybody");
    expect(DPN_OK, dpn_ledger_next_alias(alias, ledger, "people", alias, &why), &why);
    assert_string_equal(alias, "staff");
    expect(DPN_OK, dpn_ledger_next_alias(alias, ledger, "people", alias, &why), &why);
    assert_string_equal(alias, "");
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

static void texts_that_would_deceive_are_refused(void **state) {
    (void)state;
    static const char *const names[] = {"",
                                        "a\nb",
                                        "\x1b[2J",
                                        "\x7f",
                                        "\xc2\x85",
                                        "\xff",
                                        "\xc0\xaf",
                                        "\xed\xa0\x80",
                                        " ",
                                        "people ",
                                        " people",
                                        "a\xe2\x80\xae"
                                        "b",
                                        "\xe2\x81\xa6"
                                        "b",
                                        "\xe2\x80"};
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_account account;
    dpn_receipt receipt;
    char long_name[200];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect(DPN_EDOMAIN, add(ledger, names[i], DPN_REPLACE, DPN_ROW, &why), &why);
    expect(DPN_EDOMAIN, add(ledger, long_name, DPN_REPLACE, DPN_ROW, &why), &why);
    expect(DPN_OK, add(ledger, "\xe2\x82\xac\xe2\x80\x94 \xe2\x81\xa5", DPN_REPLACE, DPN_ROW, &why), &why);
    expect(DPN_OK, add(ledger, "Zo\xc3\xab \"quoted\" \\ {}", DPN_REPLACE, DPN_ROW, &why), &why);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "Zo\xc3\xab \"quoted\" \\ {}", &why), &why);
    dpn_decimal tenth = decimal("0.1"), none = {{0}};
    dpn_ledger_charge asked = {.name = account.name, .charge = dpn_charge_pure(account.filter, &tenth, &none)};
    static const char *const plans[] = {"", "[", "null, \"note\": \"x\"", "{\"a\": 1} ", "[1,\n 2]", "\"text\""};
    static const bool good[] = {false, false, false, true, true, true};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        asked.plan = plans[i];
        expect(good[i] ? DPN_OK : DPN_EPARSE, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
        if (!good[i]) continue;
        dpn_entry entry;
        expect(DPN_OK, dpn_ledger_entry(&entry, ledger, receipt.head.number, &why), &why);
        assert_true(entry.plan && entry.plan_length >= 6 && !strchr(entry.text, '\n'));
        assert_int_equal(entry.plan[0], plans[i][0]);
        assert_int_equal(entry.plan[entry.plan_length - 1], plans[i][0] == '[' ? ']' : plans[i][0] == '{' ? '}' : '"');
        dpn_entry_free(&entry);
    }
    asked.note = "a\tb";
    expect(DPN_EDOMAIN, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* ---- Results ---- */

/* A plan has at most so many bytes as a refusal says. */
static void a_refusal_says_how_long_a_plan_may_be(void **state) {
    (void)state;
    char *text = malloc(DPN_LEDGER_PLAN_SIZE + 1), *line, *end;
    dpn_error why = {0};
    assert_non_null(text);
    memset(text, ' ', DPN_LEDGER_PLAN_SIZE);
    memcpy(text, "{}", 2);
    text[DPN_LEDGER_PLAN_SIZE] = '\0';
    assert_int_equal(dpn_json_line(&line, text, "plan", true, &why), DPN_EDOMAIN);
    assert_non_null(strstr(why.sentence, "the plan has more than "));
    unsigned long most = strtoul(strstr(why.sentence, "than ") + 5, &end, 10);
    assert_string_equal(end, " bytes");
    for (unsigned long length = most; length <= most + 1; length++) {
        memset(text, ' ', DPN_LEDGER_PLAN_SIZE);
        memcpy(text, "{}", 2);
        text[length] = '\0';
        assert_int_equal(dpn_json_line(&line, text, "plan", true, &why), length == most ? DPN_OK : DPN_EDOMAIN);
        if (length == most) free(line);
    }
    free(text);
}

static void results_are_found_again(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_account account;
    dpn_receipt receipt, other;
    char *text;
    size_t length;
    uint64_t number;
    expect(DPN_OK, add(ledger, "others", DPN_ADD_REMOVE, DPN_ROW, &why), &why);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    dpn_decimal tenth = decimal("0.1"), none = {{0}};
    dpn_ledger_charge asked = {.name = "people",
                               .relation = DPN_ADD_REMOVE,
                               .charge = dpn_charge_pure(account.filter, &tenth, &none),
                               .specification = "mean of age",
                               .specification_length = 11};
    expect(DPN_OK, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    asked.name = "others";
    dpn_account_free(&account);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "others", &why), &why);
    asked.charge = dpn_charge_pure(account.filter, &tenth, &none);
    expect(DPN_OK, dpn_ledger_spend(&other, ledger, &asked, &why), &why);
    expect(DPN_OK, dpn_ledger_find_result(&text, &length, &number, ledger, "people", "mean of age", 11, &why), &why);
    assert_null(text);
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, receipt.head.number, "a\0b", 3, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, receipt.head.number, "\xc3", 1, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, receipt.head.number, "\xed\xa0\x80", 3, &why), &why);
    expect(DPN_OK, dpn_ledger_store_result(ledger, receipt.head.number, "41.5", 4, &why), &why);
    expect(DPN_OK, dpn_ledger_store_result(ledger, other.head.number, "39", 2, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, 1, "39", 2, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, 99, "39", 2, &why), &why);
    expect(DPN_OK, dpn_ledger_find_result(&text, &length, &number, ledger, "people", "mean of age", 11, &why), &why);
    assert_string_equal(text, "41.5");
    assert_int_equal(number, receipt.head.number);
    free(text);
    expect(DPN_OK, dpn_ledger_find_result(&text, &length, &number, ledger, "people", "mean of aga", 11, &why), &why);
    assert_null(text);
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
    /* A changed result is noticed, and so is one that was moved to another charge. */
    sqlite3 *db;
    assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE result SET text = '42.5' WHERE text = '41.5'", NULL, NULL, NULL), 0);
    sqlite3_close(db);
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    expect(DPN_EIO, dpn_ledger_find_result(&text, &length, &number, ledger, "people", "mean of age", 11, &why), &why);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* Results come in any order and of any size, so that SQLite takes its pages apart: the ledger verifies all the same. */
static void many_results_in_any_order(void **state) {
    (void)state;
    enum { MANY = 160 };
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1000", "0", wal);
        dpn_error why;
        dpn_account account;
        dpn_receipt receipt;
        dpn_head last;
        dpn_decimal tenth = decimal("0.1"), none = {{0}};
        static char answer[9000], specification[32];
        memset(answer, 'x', sizeof answer);
        expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
        for (int i = 0; i < MANY; i++) {
            int length = snprintf(specification, sizeof specification, "question %d", i);
            dpn_ledger_charge asked = {.name = "people",
                                       .relation = DPN_ADD_REMOVE,
                                       .charge = dpn_charge_pure(account.filter, &tenth, &none),
                                       .specification = specification,
                                       .specification_length = (size_t)length};
            expect(DPN_OK, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
        }
        for (int i = 0; i < MANY; i++) {
            uint64_t number = 3 + (uint64_t)(i * 67 % MANY);
            size_t length = i % 10 ? (size_t)(i * 7 % 300) : (size_t)(i * 53 % 9000);
            expect(DPN_OK, dpn_ledger_store_result(ledger, number, answer, length, &why), &why);
            if (i % 20 == 0) expect(DPN_OK, dpn_ledger_verify(&last, ledger, NULL, 0, &why), &why);
        }
        expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, 3, "again", 5, &why), &why);
        expect(DPN_OK, dpn_ledger_verify(&last, ledger, &receipt.head, 1, &why), &why);
        dpn_account_free(&account);
        dpn_ledger_close(ledger);
        struct standing now = standing(place.ledger, NULL, 0);
        expect(DPN_OK, now.status, &now.why);
        place_remove(&place);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_tenths_fit_and_the_eleventh_does_not),
        cmocka_unit_test(entries_tell_their_time),
        cmocka_unit_test(entries_tell_their_text),
        cmocka_unit_test(many_names),
        cmocka_unit_test(charges_without_a_specification),
        cmocka_unit_test(every_question_sees_the_latest),
        cmocka_unit_test(reopening_gives_the_same_filter),
        cmocka_unit_test(amounts_that_are_none_are_refused),
        cmocka_unit_test(relations_are_converted_or_refused),
        cmocka_unit_test(aliases_share_a_budget),
        cmocka_unit_test(texts_that_would_deceive_are_refused),
        cmocka_unit_test(a_refusal_says_how_long_a_plan_may_be),
        cmocka_unit_test(results_are_found_again),
        cmocka_unit_test(many_results_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
