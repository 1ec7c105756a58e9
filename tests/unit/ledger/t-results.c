/* How long a stored result may be: what an export and an import can carry, and no more. */
#define _POSIX_C_SOURCE 200809L
#include "ledger/ledger.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static uint64_t pay(dpn_ledger *ledger, const char *specification) {
    static const dpn_decimal none = {{0}};
    dpn_account account;
    dpn_receipt receipt;
    dpn_error why;
    dpn_decimal amount = decimal("0.1");
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    dpn_ledger_charge asked = {.name = "people",
                               .charge = dpn_charge_pure(account.filter, &amount, &none),
                               .relation = account.relation,
                               .unit = account.unit,
                               .specification = specification,
                               .specification_length = strlen(specification)};
    dpn_account_free(&account);
    expect(DPN_OK, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    return receipt.head.number;
}

static void long_results_are_kept_and_carried(void **state) {
    (void)state;
    enum { LONG = 40 << 20, TOO_MANY = 12 << 20 };
    struct place place = place_make(), other = place_make();
    char *text = malloc(LONG), *found, *exported, *key;
    size_t length, key_length;
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false), *copy;
    dpn_error why;
    assert_non_null(text);
    uint64_t number = pay(ledger, "long");
    memset(text, '\001', TOO_MANY); /* six bytes each in an export */
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, number, text, TOO_MANY, &why), &why);
    memset(text, 'a', LONG);
    text[5] = '"';
    expect(DPN_OK, dpn_ledger_store_result(ledger, number, text, LONG, &why), &why);
    expect(DPN_OK, dpn_ledger_export(&exported, &length, ledger, &why), &why);
    dpn_ledger_close(ledger);
    key = read_whole(place.key, &key_length);
    write_whole(other.key, key, key_length);
    assert_int_equal(chmod(other.key, 0600), 0);
    expect(DPN_OK, dpn_ledger_import(&copy, other.ledger, NULL, exported, length, &why), &why);
    expect(DPN_OK, dpn_ledger_find_result(&found, &length, NULL, copy, "people", "long", 4, &why), &why);
    assert_true(length == LONG && memcmp(found, text, LONG) == 0);
    dpn_ledger_close(copy);
    free(found);
    free(exported);
    free(key);
    free(text);
    place_remove(&place);
    place_remove(&other);
}

/* A result is at most 2^26 - 4096 bytes as JSON, where a quote or a backslash has two bytes and a control character six. */
static void the_longest_result_is_told_by_its_json(void **state) {
    (void)state;
    static const struct {
        char letter;
        size_t bytes;
    } row[] = {{'a', 1}, {' ', 1}, {'"', 2}, {'\\', 2}, {'\n', 6}, {'\x1f', 6}, {'\x7f', 6}};
    const size_t most = (1 << 26) - 4096;
    char *text = malloc(most + 1);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        size_t length = most / row[i].bytes;
        memset(text, row[i].letter, length + 1);
        assert_int_equal(dpn_result_check(text, length, NULL), DPN_OK);
        assert_int_equal(dpn_result_check(text, length + 1, NULL), DPN_EDOMAIN);
    }
    free(text);
}

/* An import refuses what could not be exported again: a control character has one byte here, and six in an export. */
static void an_import_takes_no_longer_ones(void **state) {
    (void)state;
    static const char form[] = "%.*s{\"result_of\": %d, \"tag\": \"%064d\", \"specification\": \"%064d\", \"text\": \"";
    const size_t most = ((1 << 26) - 4096) / 6;
    struct place place = place_make(), other = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false), *copy;
    dpn_error why;
    char *exported;
    size_t length;
    int number = (int)pay(ledger, "long");
    expect(DPN_OK, dpn_ledger_export(&exported, &length, ledger, &why), &why);
    dpn_ledger_close(ledger);
    char *text = malloc(length + sizeof form + 200 + most);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, form, (int)length, exported, number, 0, 0);
    memset(text + used, '\x7f', most + 1);
    memcpy(text + used + most + 1, "\"}\n", 3);
    dpn_ledger_options options = {.size = sizeof options, .key = place.key};
    expect(DPN_EPARSE, dpn_ledger_import(&copy, other.ledger, &options, text, used + most + 4, &why), &why);
    assert_non_null(strstr(why.sentence, "a result must be"));
    free(text);
    free(exported);
    place_remove(&place);
    place_remove(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_longest_result_is_told_by_its_json),
                                       cmocka_unit_test(long_results_are_kept_and_carried),
                                       cmocka_unit_test(an_import_takes_no_longer_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
