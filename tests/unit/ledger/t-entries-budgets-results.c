/* A ledger with a bit of everything, read back word by word, in memory that notices a byte too many; and what each question says when it is
 * refused. */
#include "unit/guarded-memory.h"

#include "ledger/ledger.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static dpn_status pay(dpn_receipt *out, dpn_ledger *ledger, const char *name, const char *specification,
                      const char *note, const char *plan, dpn_error *why) {
    static const dpn_decimal none = {{0}};
    dpn_account account;
    dpn_decimal amount = decimal("0.01");
    dpn_status status = dpn_ledger_account(&account, ledger, name, why);
    if (status) return status;
    dpn_ledger_charge asked = {.name = name,
                               .charge = dpn_charge_pure(account.filter, &amount, &none),
                               .relation = account.relation,
                               .unit = account.unit,
                               .user = "ada",
                               .note = note,
                               .plan = plan,
                               .specification = specification,
                               .specification_length = specification ? strlen(specification) : 0};
    dpn_account_free(&account);
    return dpn_ledger_spend(out, ledger, &asked, why);
}

static void refuses(dpn_status got, dpn_status wanted, const dpn_error *why, const char *sentence) {
    if (got != wanted || strcmp(why->sentence, sentence) != 0)
        fail_msg("%d: '%s', not '%s'", (int)got, why->sentence, sentence);
}

/* Words of every length up to the longest, in one entry each. */
static void entries_hold_their_words(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_receipt receipt;
    dpn_entry entry = {.with = 7};
    char note[DPN_LEDGER_NOTE_SIZE], hash[65];
    static const int lengths[] = {0, 1, 2, 7, 8, 15, 16, 100, DPN_LEDGER_NOTE_SIZE - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memset(note, 'n', sizeof note);
        note[lengths[i]] = '\0';
        const char *plan = i % 2 ? "{\"a\":\r\n [1, 2]}" : NULL;
        expect(DPN_OK, pay(&receipt, ledger, "people", i % 3 ? "question" : NULL, note, plan, &why), &why);
        assert_true(receipt.head.number == 3 + i && !receipt.converted);
        expect(DPN_OK, dpn_ledger_entry(&entry, ledger, receipt.head.number, &why), &why);
        const char *const words[] = {entry.user, entry.name, entry.of, entry.note};
        uintptr_t start = (uintptr_t)entry.text, length = strlen(entry.text); /* all of it is one piece of memory */
        for (int k = 0; k < 4; k++)
            assert_true((uintptr_t)words[k] > start + length &&
                        (uintptr_t)words[k] < start + length + 2 * DPN_LEDGER_NOTE_SIZE);
        assert_string_equal(entry.user, "ada");
        assert_string_equal(entry.name, "people");
        assert_string_equal(entry.of, "people");
        assert_string_equal(entry.note, note);
        assert_memory_equal(&entry.head, &receipt.head, sizeof entry.head);
        assert_true(entry.kind == DPN_ENTRY_CHARGE && entry.with == 0 && entry.reuse == 0 && entry.version == 0);
        assert_true(entry.relation == DPN_ADD_REMOVE && entry.unit == DPN_ROW && !entry.converted);
        assert_int_equal(dpn_hash(hash, "question", 8, NULL), DPN_OK);
        assert_string_equal(entry.specification, i % 3 ? hash : "");
        if (plan) {
            assert_int_equal(entry.plan_length, strlen(plan));
            assert_memory_equal(entry.plan, "{\"a\":   [1, 2]}", entry.plan_length);
        } else {
            assert_true(!entry.plan && entry.plan_length == 0);
        }
        dpn_entry_free(&entry);
        assert_true(!entry.text && !entry.user && !entry.name && !entry.of && !entry.note && !entry.plan);
        dpn_entry_free(&entry); /* once more */
    }
    entry.with = 7;
    refuses(dpn_ledger_entry(&entry, ledger, 0, &why), DPN_EDOMAIN, &why, "there is no entry 0");
    refuses(dpn_ledger_entry(&entry, ledger, 12, &why), DPN_EDOMAIN, &why, "there is no entry 12");
    assert_true(entry.with == 7);
    expect(DPN_OK, dpn_ledger_entry(&entry, ledger, 11, &why), &why);
    dpn_entry_free(&entry);
    /* heads that were seen, and that were not */
    dpn_head last, seen = receipt.head;
    expect(DPN_OK, dpn_ledger_verify(&last, ledger, &seen, 1, &why), &why);
    assert_memory_equal(&last, &seen, sizeof last);
    expect(DPN_OK, dpn_ledger_verify(NULL, ledger, NULL, 0, &why), &why);
    char text[DPN_HEAD_TEXT_SIZE], sentence[200];
    seen.number = 12;
    snprintf(sentence, sizeof sentence, "the ledger ends at entry 11: what the head %s has seen was cut off",
             dpn_head_print(text, &seen));
    refuses(dpn_ledger_verify(&last, ledger, &seen, 1, &why), DPN_EIO, &why, sentence);
    for (uint64_t number = 0; number < 11; number += 10) {
        seen.number = number;
        snprintf(sentence, sizeof sentence, "the head %s is not of this ledger: what it has seen was replaced",
                 dpn_head_print(text, &seen));
        const dpn_head both[] = {receipt.head, seen};
        const dpn_head turned[] = {seen, receipt.head};
        refuses(dpn_ledger_verify(&last, ledger, turned, 2, &why), DPN_EIO, &why, sentence);
        refuses(dpn_ledger_verify(&last, ledger, both, 2, &why), DPN_EIO, &why, sentence);
    }
    memset(seen.tag, 0, sizeof seen.tag);
    seen.number = 0; /* which all zeros would be the tag of */
    assert_int_equal(dpn_ledger_verify(&last, ledger, &seen, 1, &why), DPN_EIO);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

static void budgets_stand_in_order(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_head head, last;
    dpn_account account = {.periods = 77};
    char alias[DPN_LEDGER_NAME_SIZE];
    size_t count;
    static const char *const aliases[] = {"folk", "a", "z", "m"}, *const sorted[] = {"a", "folk", "m", "z"};
    for (int i = 0; i < 4; i++)
        expect(DPN_OK, dpn_ledger_add_alias(&head, ledger, aliases[i], i == 2 ? "folk" : "people", "ada", &why), &why);
    expect(DPN_OK,
           add_budget(ledger, (dpn_ledger_budget){.name = "visits", .relation = DPN_REPLACE, .unit = DPN_PERSON}, "2",
                      "0", &why),
           &why);
    expect(DPN_OK, dpn_ledger_add_alias(&head, ledger, "b", "visits", NULL, &why), &why);
    expect(DPN_OK,
           add_budget(ledger,
                      (dpn_ledger_budget){.name = "b/q", .relation = DPN_REPLACE, .unit = DPN_PERSON, .of = "b"}, "1",
                      "0", &why),
           &why);
    const char *after = NULL;
    for (int i = 0; i < 4; i++) {
        expect(DPN_OK, dpn_ledger_next_alias(alias, ledger, i % 2 ? "people" : "z", after, &why), &why);
        assert_string_equal(alias, sorted[i]);
        after = sorted[i];
    }
    expect(DPN_OK, dpn_ledger_next_alias(alias, ledger, "people", after, &why), &why);
    assert_string_equal(alias, "");
    expect(DPN_OK, dpn_ledger_next_alias(alias, ledger, "people", "b", &why), &why); /* after a name that is none */
    assert_string_equal(alias, "folk");
    expect(DPN_OK, dpn_ledger_count(&count, &last, ledger, &why), &why);
    assert_true(count == 3 && last.number == 9);
    expect(DPN_OK, dpn_ledger_count(NULL, NULL, ledger, &why), &why);
    static const char *const places[] = {"b/q", "people", "visits"};
    for (size_t i = 0; i < 3; i++) {
        expect(DPN_OK, dpn_ledger_account_at(&account, ledger, i, &why), &why);
        assert_string_equal(account.name, places[i]);
        assert_string_equal(account.of, i == 0 ? "visits" : "");
        assert_true(account.periods == 1 && account.version == 0 && account.unit == (i == 1 ? DPN_ROW : DPN_PERSON));
        assert_true(account.relation == (i == 1 ? DPN_ADD_REMOVE : DPN_REPLACE));
        dpn_account_free(&account);
        assert_null(account.filter);
    }
    dpn_account_free(&account);
    dpn_account_free(NULL);
    account.periods = 77;
    refuses(dpn_ledger_account_at(&account, ledger, 3, &why), DPN_EDOMAIN, &why, "there are not so many data sets");
    const char *nobody = "there is no data set 'nobody' in the ledger";
    refuses(dpn_ledger_account(&account, ledger, "nobody", &why), DPN_EDOMAIN, &why, nobody);
    refuses(dpn_ledger_next_alias(alias, ledger, "nobody", NULL, &why), DPN_EDOMAIN, &why, nobody);
    assert_true(account.periods == 77);
    /* a registration is told of the quota too, and a renewal counts */
    dpn_ledger_registration registration = {.name = "visits", .text = "{\"x\": 1}", .version = 1};
    expect(DPN_OK, dpn_ledger_register(&head, ledger, NULL, &registration, &why), &why);
    expect(DPN_OK, dpn_ledger_renew(&head, ledger, "b", "ada", "a year", &why), &why);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "b/q", &why), &why);
    assert_true(account.version == 1 && account.periods == 1);
    dpn_account_free(&account);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "b", &why), &why);
    assert_true(account.version == 1 && account.periods == 2);
    assert_string_equal(account.name, "visits");
    dpn_account_free(&account);
    char *text;
    size_t length;
    uint64_t version, number;
    expect(DPN_OK, dpn_ledger_find_registration(&text, &length, &version, &number, ledger, "b/q", &why), &why);
    assert_true(version == 1 && number == 10 && length == 8 && text[length] == '\0');
    assert_string_equal(text, "{\"x\": 1}");
    free(text);
    expect(DPN_OK, dpn_ledger_find_registration(&text, &length, NULL, NULL, ledger, "people", &why), &why);
    assert_true(!text && length == 0);
    refuses(dpn_ledger_find_registration(&text, &length, NULL, NULL, ledger, "nobody", &why), DPN_EDOMAIN, &why,
            nobody);
    /* words that are refused before the book is asked, and after */
    const char *unknown = "there is no data set 'nobody'";
    refuses(dpn_ledger_renew(&head, ledger, "nobody", NULL, "a", &why), DPN_EDOMAIN, &why, unknown);
    refuses(dpn_ledger_renew(&head, ledger, "people", NULL, "", &why), DPN_EDOMAIN, &why,
            "a renewal needs a note that says why");
    refuses(dpn_ledger_renew(&head, ledger, "people", NULL, NULL, &why), DPN_EDOMAIN, &why,
            "a renewal needs a note that says why");
    refuses(dpn_ledger_renew(&head, ledger, "", NULL, "a", &why), DPN_EDOMAIN, &why, "the name of a data set is empty");
    refuses(dpn_ledger_add_alias(&head, ledger, "more", "", NULL, &why), DPN_EDOMAIN, &why,
            "the name of a data set is empty");
    refuses(dpn_ledger_add_alias(&head, ledger, NULL, "people", NULL, &why), DPN_EDOMAIN, &why,
            "the name of a data set is missing");
    refuses(dpn_ledger_add_alias(&head, ledger, "more", "nobody", NULL, &why), DPN_EDOMAIN, &why, unknown);
    refuses(dpn_ledger_add_alias(&head, ledger, "more", "people", "a\nb", &why), DPN_EDOMAIN, &why,
            "the name of the user holds a control character or is not UTF-8");
    dpn_ledger_budget bad = {.name = "more", .of = "nobody", .relation = DPN_ADD_REMOVE};
    refuses(add_budget(ledger, bad, "1", "0", &why), DPN_EDOMAIN, &why, unknown);
    bad.of = " ";
    refuses(add_budget(ledger, bad, "1", "0", &why), DPN_EDOMAIN, &why,
            "the name of a data set begins or ends with a blank");
    bad.of = NULL;
    bad.name = NULL;
    refuses(add_budget(ledger, bad, "1", "0", &why), DPN_EDOMAIN, &why, "the name of a data set is missing");
    registration.text = NULL;
    refuses(dpn_ledger_register(&head, ledger, NULL, &registration, &why), DPN_EDOMAIN, &why,
            "a registration needs a text");
    registration.text = "[]";
    refuses(dpn_ledger_register(&head, ledger, NULL, &registration, &why), DPN_EPARSE, &why,
            "the registration must be a JSON object");
    registration.version = 0;
    refuses(dpn_ledger_register(&head, ledger, NULL, &registration, &why), DPN_EDOMAIN, &why,
            "the version of a registration is at least 1");
    registration.version = 1;
    bad.name = "people";
    registration.text = "{}";
    refuses(dpn_ledger_register(&head, ledger, &bad, &registration, &why), DPN_EDOMAIN, &why,
            "the budget and the registration must have the same name");
    bad.of = "people";
    refuses(dpn_ledger_register(&head, ledger, &bad, &registration, &why), DPN_EDOMAIN, &why,
            "a quota is not registered: its data set is");
    expect(DPN_OK, dpn_ledger_count(NULL, &last, ledger, &why), &why);
    assert_int_equal(last.number, 11); /* nothing of all that was entered */
    dpn_ledger_close(ledger);
    place_remove(&place);
}

static void results_are_told_apart(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_receipt first, second, plain;
    dpn_head head;
    char *text = NULL;
    size_t length = 9;
    uint64_t number = 9;
    expect(DPN_OK,
           add_budget(ledger, (dpn_ledger_budget){.name = "visits", .relation = DPN_ADD_REMOVE}, "1", "0", &why), &why);
    expect(DPN_OK, dpn_ledger_add_alias(&head, ledger, "folk", "people", NULL, &why), &why);
    expect(DPN_OK, dpn_ledger_find_result(&text, &length, &number, ledger, "people", "q", 1, &why), &why);
    assert_true(!text && length == 0 && number == 0);
    expect(DPN_OK, pay(&first, ledger, "folk", "q", NULL, NULL, &why), &why);
    expect(DPN_OK, pay(&second, ledger, "visits", "q", NULL, NULL, &why), &why);
    expect(DPN_OK, pay(&plain, ledger, "people", NULL, NULL, NULL, &why), &why);
    for (int i = 0; i < 2; i++) {
        expect(DPN_OK,
               dpn_ledger_store_result(ledger, i ? second.head.number : first.head.number, i ? "" : "forty-one",
                                       i ? 0 : 9, &why),
               &why);
        char sentence[100];
        snprintf(sentence, sizeof sentence, "there is a result of entry %d already",
                 (int)(i ? second.head.number : first.head.number));
        refuses(dpn_ledger_store_result(ledger, i ? second.head.number : first.head.number, "x", 1, &why), DPN_EDOMAIN,
                &why, sentence);
    }
    static const struct {
        const char *name, *text;
    } row[] = {{"people", "forty-one"}, {"folk", "forty-one"}, {"visits", ""}};
    for (int i = 0; i < 3; i++) {
        expect(DPN_OK, dpn_ledger_find_result(&text, &length, i ? &number : NULL, ledger, row[i].name, "q", 1, &why),
               &why);
        assert_string_equal(text, row[i].text);
        assert_int_equal(length, strlen(row[i].text));
        if (i) assert_int_equal(number, i == 2 ? second.head.number : first.head.number);
        free(text);
    }
    char sentence[100];
    snprintf(sentence, sizeof sentence, "entry %d is not a charge with a specification", (int)plain.head.number);
    refuses(dpn_ledger_store_result(ledger, plain.head.number, "x", 1, &why), DPN_EDOMAIN, &why, sentence);
    refuses(dpn_ledger_store_result(ledger, 2, "x", 1, &why), DPN_EDOMAIN, &why,
            "entry 2 is not a charge with a specification");
    refuses(dpn_ledger_store_result(ledger, 0, "x", 1, &why), DPN_EDOMAIN, &why, "there is no entry 0");
    refuses(dpn_ledger_store_result(ledger, plain.head.number + 1, "x", 1, &why), DPN_EDOMAIN, &why,
            "there is no entry 8");
    static const char *const bad[] = {"a\0b", "\xff-b", "\xc3"};
    static const size_t lengths[] = {3, 3, 1};
    for (int i = 0; i < 3; i++)
        refuses(dpn_ledger_store_result(ledger, first.head.number, bad[i], lengths[i], &why), DPN_EDOMAIN, &why,
                "a result must be UTF-8 text of at most 67104768 bytes as JSON");
    refuses(dpn_ledger_find_result(&text, &length, &number, ledger, "nobody", "q", 1, &why), DPN_EDOMAIN, &why,
            "there is no data set 'nobody' in the ledger");
    /* sizes as JSON */
    assert_true(dpn_result_size("", 0) == 0 && dpn_result_size("abc", 3) == 3 &&
                dpn_result_size("a\"\\\n\x1f\x7f", 6) == 6 + 2 + 15);
    assert_true(dpn_result_size(" \x80\xff~", 4) == 4);
    /* charges by their specification */
    expect(DPN_OK, dpn_ledger_find_charge(&number, ledger, "folk", "q", 1, &why), &why);
    assert_int_equal(number, first.head.number);
    expect(DPN_OK, dpn_ledger_find_charge(&number, ledger, "people", "r", 1, &why), &why);
    assert_int_equal(number, 0);
    refuses(dpn_ledger_find_charge(&number, ledger, "nobody", "q", 1, &why), DPN_EDOMAIN, &why,
            "there is no data set 'nobody' in the ledger");
    /* there and back as text */
    char other[300];
    snprintf(other, sizeof other, "%s-2", place.ledger);
    expect(DPN_OK, dpn_ledger_export(&text, &length, ledger, &why), &why);
    dpn_ledger *copy;
    dpn_ledger_options options = {.size = sizeof options, .key = place.key};
    expect(DPN_OK, dpn_ledger_import(&copy, other, &options, text, length, &why), &why);
    char *again;
    size_t size;
    expect(DPN_OK, dpn_ledger_export(&again, &size, copy, &why), &why);
    assert_true(size == length && strcmp(text, again) == 0 && strlen(text) == length);
    dpn_ledger_close(copy);
    refuses(dpn_ledger_import(&copy, other, &options, text, length, &why), DPN_EIO, &why,
            "there is a ledger of that name already");
    free(again);
    /* without its last newline it is the same; lines that are none are named */
    static const struct {
        const char *text, *sentence;
    } line[] = {
        {"[]\n", "line 1 is not a line of an exported ledger: it must hold number, once"},
        {"{}", "line 1 is not a line of an exported ledger: it must hold number, once"},
        {"{\"number\": 1.5, \"tag\": \"\", \"entry\": {}}",
         "line 1 is not a line of an exported ledger: number must be a whole number"},
        {"{\"number\": 2, \"tag\": \"\", \"entry\": {}}",
         "line 1 is not a line of an exported ledger: its number is not what it must be"},
        {"{\"number\": 1, \"tag\": \"ab\", \"entry\": {}}",
         "line 1 is not a line of an exported ledger: its tag is not a tag"},
        {"{\"number\": 1, \"entry\": {}}", "line 1 is not a line of an exported ledger: it must hold tag, once"},
        {"{\"result_of\": 0, \"tag\": \"\"}",
         "line 1 is not a line of an exported ledger: result_of must be a whole number"},
        {"{\"number\": 1, \"tag\": \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\", \"entry\": "
         "[]}",
         "line 1 is not a line of an exported ledger: its entry is not an object"},
        {"{\"number\": 1, \"tag\": \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\", \"entry\": "
         "{}}",
         "the key is not that of this ledger, or entry 1 was changed"},
        {"", "the ledger is empty: its entries were removed"}};
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        char third[300];
        snprintf(third, sizeof third, "%s-%zu", place.ledger, i + 3);
        dpn_status status = dpn_ledger_import(&copy, third, &options, line[i].text, strlen(line[i].text), &why);
        assert_true(status == (i < 8 ? DPN_EPARSE : DPN_EIO));
        assert_string_equal(why.sentence, line[i].sentence);
    }
    snprintf(other, sizeof other, "%s-99", place.ledger);
    expect(DPN_OK, dpn_ledger_import(&copy, other, &options, text, length - 1, &why), &why);
    dpn_ledger_close(copy);
    free(text);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

static void nothing_was_written_past_its_end(void **state) {
    (void)state;
    assert_int_equal(guarded_overruns, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_hold_their_words),
        cmocka_unit_test(budgets_stand_in_order),
        cmocka_unit_test(results_are_told_apart),
        cmocka_unit_test(nothing_was_written_past_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
