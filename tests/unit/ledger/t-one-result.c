/* One result a charge: whoever comes second is refused, in another process, in a child, in an import; and a second one that
 * somebody put into the file is found. */
#define _DEFAULT_SOURCE
#include "base/text/hex.h"
#include "ledger/chain.h"
#include "place.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A charge that can have a result: its number. */
static uint64_t charge_question(dpn_ledger *ledger) {
    dpn_charge pure = {.pure = true, .epsilon = decimal("0.01")};
    dpn_ledger_charge asked = {.name = "people",
                               .charge = pure,
                               .relation = DPN_ADD_REMOVE,
                               .specification = "mean",
                               .specification_length = 4};
    dpn_receipt receipt = {.converted = false};
    dpn_error why;
    expect(DPN_OK, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    return receipt.head.number;
}

/* Many processes have an answer for each charge: one of them stores its own, and that is what all find. */
static void of_many_processes_one_wins(void **state) {
    (void)state;
    enum { PROCESSES = 6, CHARGES = 8 };
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "0", wal);
        dpn_error why;
        uint64_t number[CHARGES];
        for (int c = 0; c < CHARGES; c++) number[c] = charge_question(ledger);
        dpn_ledger_close(ledger);
        for (int p = 0; p < PROCESSES; p++) {
            pid_t child = fork();
            assert_true(child >= 0);
            if (child > 0) continue;
            char answer[16];
            int stored = 0, length = snprintf(answer, sizeof answer, "answer %d", p);
            dpn_ledger_options options = {.size = sizeof options, .wait = 300000};
            if (dpn_ledger_open(&ledger, place.ledger, &options, &why)) _exit(99);
            for (int c = 0; c < CHARGES; c++) {
                dpn_status status = dpn_ledger_store_result(ledger, number[c], answer, (size_t)length, &why);
                if (status && status != DPN_EDOMAIN) _exit(98);
                stored += !status;
            }
            dpn_ledger_close(ledger);
            _exit(stored);
        }
        int all = 0;
        for (int p = 0; p < PROCESSES; p++) {
            int status;
            assert_true(wait(&status) > 0 && WIFEXITED(status));
            assert_in_range(WEXITSTATUS(status), 0, CHARGES);
            all += WEXITSTATUS(status);
        }
        assert_int_equal(all, CHARGES);
        struct standing now = standing(place.ledger, NULL, 0);
        expect(DPN_OK, now.status, &now.why);
        place_remove(&place);
    }
}

/* The child of a fork has the parent's handle, and cannot answer with it. */
static void a_child_stores_nothing(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", true);
    dpn_error why;
    uint64_t number = charge_question(ledger);
    pid_t child = fork();
    if (child == 0) _exit(dpn_ledger_store_result(ledger, number, "1", 1, &why) == DPN_EIO ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    expect(DPN_OK, dpn_ledger_store_result(ledger, number, "2", 1, &why), &why);
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, number, "2", 1, &why), &why);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

static void an_import_has_one(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false), *copy;
    dpn_error why;
    char *text, other[300];
    size_t length;
    expect(DPN_OK, dpn_ledger_store_result(ledger, charge_question(ledger), "41", 2, &why), &why);
    expect(DPN_OK, dpn_ledger_export(&text, &length, ledger, &why), &why);
    dpn_ledger_close(ledger);
    const char *line = strstr(text, "{\"result_of\"");
    assert_non_null(line);
    char *twice = malloc(length + strlen(line) + 1);
    assert_non_null(twice);
    memcpy(twice, text, length);
    memcpy(twice + length, line, strlen(line) + 1);
    snprintf(other, sizeof other, "%s-2", place.ledger);
    dpn_ledger_options options = {.size = sizeof options, .key = place.key};
    expect(DPN_EIO, dpn_ledger_import(&copy, other, &options, twice, strlen(twice), &why), &why);
    assert_non_null(strstr(why.sentence, "two results"));
    free(twice);
    free(text);
    place_remove(&place);
}

/* Whoever has the key can tag a second answer. Verifying finds it. */
static void a_planted_one_is_found(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    unsigned char key[32], tag[DPN_TAG_SIZE];
    dpn_chain *chain;
    dpn_head last;
    sqlite3 *db;
    sqlite3_stmt *row;
    size_t length;
    uint64_t number = charge_question(ledger);
    expect(DPN_OK, dpn_ledger_store_result(ledger, number, "41", 2, &why), &why);
    dpn_ledger_close(ledger);
    char *hex = read_whole(place.key, &length);
    assert_true(dpn_hex_read(key, sizeof key, hex, 64));
    free(hex);
    assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT tag FROM entry ORDER BY number DESC", -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    memcpy(tag, sqlite3_column_blob(row, 0), sizeof tag);
    sqlite3_finalize(row);
    expect(DPN_OK, dpn_chain_new(&chain, key, sizeof key, &why), &why);
    expect(DPN_OK, dpn_chain_result(tag, chain, tag, number, "42", 2, &why), &why);
    dpn_chain_free(chain);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "INSERT INTO result (number, specification, text, tag) "
                                        "SELECT number, specification, '42', ?1 FROM result",
                                        -1, &row, NULL),
                     SQLITE_OK);
    sqlite3_bind_blob(row, 1, tag, sizeof tag, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(row), SQLITE_DONE);
    sqlite3_finalize(row);
    sqlite3_close(db);
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    expect(DPN_EIO, dpn_ledger_verify(&last, ledger, NULL, 0, &why), &why);
    char words[60];
    snprintf(words, sizeof words, "two results of entry %llu", (unsigned long long)number);
    assert_non_null(strstr(why.sentence, words));
    expect(DPN_EDOMAIN, dpn_ledger_store_result(ledger, number, "43", 2, &why), &why);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_many_processes_one_wins),
        cmocka_unit_test(a_child_stores_nothing),
        cmocka_unit_test(an_import_has_one),
        cmocka_unit_test(a_planted_one_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
