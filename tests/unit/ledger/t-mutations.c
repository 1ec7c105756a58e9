/* Changes to the file by somebody without the key: bits, rows and tails. Each is found by verifying with a head, but
 * for the few bytes that SQLite passes over, and then every entry is as it was; none crashes anything. */
#define _POSIX_C_SOURCE 200809L
#include "place.h"

#include "unit/points.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t draw(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state ^ *state >> 33;
    return (x * UINT64_C(0xff51afd7ed558ccd)) >> 16;
}

/* A ledger with some history: two budgets, an alias, charges of both kinds, a result. Returns its last head. */
static dpn_head history(const struct place *place) {
    dpn_ledger *ledger = place_ledger(place, "1", "1e-6", false);
    dpn_error why;
    dpn_account account;
    dpn_receipt receipt;
    dpn_head head;
    dpn_decimal none = {{0}};
    if (dpn_ledger_add_alias(NULL, ledger, "staff", "people", "ana", &why)) fail_msg("%s", why.sentence);
    for (int i = 0; i < 12; i++)
        if (charge(&head, ledger, "0.01", &why)) fail_msg("%s", why.sentence);
    if (dpn_ledger_account(&account, ledger, "people", &why)) fail_msg("%s", why.sentence);
    dpn_ledger_charge asked = {.name = "staff",
                               .relation = DPN_ADD_REMOVE,
                               .plan = "[1, 2, 3]",
                               .note = "noise",
                               .specification = "question",
                               .specification_length = 8};
    if (dpn_charge_zcdp(&asked.charge, account.filter, 0, 1e-4, &none, &why) ||
        dpn_ledger_spend(&receipt, ledger, &asked, &why) ||
        dpn_ledger_store_result(ledger, receipt.head.number, "42", 2, &why))
        fail_msg("%s", why.sentence);
    dpn_account_free(&account);
    dpn_ledger_close(ledger);
    return receipt.head;
}

static char *dump(const char *path) {
    dpn_ledger *ledger;
    dpn_error why;
    char *text = NULL;
    size_t length;
    if (dpn_ledger_open(&ledger, path, NULL, &why)) return NULL;
    if (dpn_ledger_export(&text, &length, ledger, &why)) text = NULL;
    dpn_ledger_close(ledger);
    return text;
}

/* ---- Bytes ---- */

/* One mutation of the file: a bit, a byte, a run of bytes, a page moved, the tail cut. */
static size_t mutate(char *bytes, size_t length, uint64_t *chance) {
    size_t at = (size_t)(draw(chance) % length);
    switch (draw(chance) % 8) {
    case 0: {
        size_t run = 1 + (size_t)(draw(chance) % 64);
        if (at + run > length) run = length - at;
        memset(bytes + at, (int)(draw(chance) & 255), run);
        break;
    }
    case 1: {
        size_t pages = length / 4096, a = (size_t)(draw(chance) % pages), b = (size_t)(draw(chance) % pages);
        memmove(bytes + 4096 * a, bytes + 4096 * b, 4096);
        break;
    }
    case 2:
        return at;
    case 3:
        bytes[at] = (char)draw(chance);
        break;
    default:
        bytes[at] = (char)(bytes[at] ^ (1 << (draw(chance) % 8)));
        break;
    }
    return length;
}

static void bytes_that_change_are_noticed(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_head head = history(&place);
    char *truth = dump(place.ledger);
    size_t length;
    char *file = read_whole(place.ledger, &length);
    assert_non_null(truth);
    long found = 0, harmless = 0, mutations = points(1000, 10000);
    uint64_t chance = 2026;
    for (long m = 0; m < mutations; m++) {
        char *copy = malloc(length);
        assert_non_null(copy);
        memcpy(copy, file, length);
        size_t left = length;
        do left = mutate(copy, length, &chance);
        while (left == length && memcmp(copy, file, length) == 0);
        place_clear(&place);
        write_whole(place.ledger, copy, left);
        free(copy);
        struct standing now = standing(place.ledger, &head, 1);
        if (now.status) {
            assert_true(now.status == DPN_EIO || now.status == DPN_ENOMEM);
            assert_true(now.why.sentence[0]);
            if (!now.verified) fail_msg("mutation %ld was noticed only on reading: %s", m, now.why.sentence);
            found++;
            continue;
        }
        /* It verifies: then it says what it said before, to the last byte. */
        char *said = dump(place.ledger);
        if (!said || strcmp(said, truth) != 0) fail_msg("mutation %ld went unnoticed", m);
        free(said);
        harmless++;
    }
    /* Of each entry SQLite passes over one byte, the type of its number, and of the file's header over the schema
     * cookie and its own version. */
    if (harmless > mutations / 100) fail_msg("%ld of %ld mutations were not refused", harmless, mutations);
    print_message("# %ld of %ld mutations refused, %ld changed bytes that SQLite passes over\n", found, mutations,
                  harmless);
    free(file);
    free(truth);
    place_remove(&place);
}

/* ---- Rows ---- */

static void rows_that_change_are_noticed(void **state) {
    (void)state;
    static const char *const changes[] = {
        "DELETE FROM entry WHERE number = %d",
        "DELETE FROM entry WHERE number >= %d",
        "UPDATE entry SET text = replace(text, '0.01', '0.02') WHERE number = %d AND text LIKE '%%0.01%%'",
        "UPDATE entry SET text = text || ' ' WHERE number = %d",
        "UPDATE entry SET text = CAST(text AS BLOB) WHERE number = %d",
        "UPDATE entry SET tag = randomblob(32) WHERE number = %d",
        "UPDATE entry SET tag = substr(tag, 1, 31) WHERE number = %d",
        "UPDATE entry SET number = 1000 WHERE number = %d",
        "INSERT INTO entry SELECT 1 + (SELECT max(number) FROM entry), text, tag FROM entry WHERE number = %d",
        "UPDATE entry SET text = (SELECT text FROM entry WHERE number = 4), tag = (SELECT tag FROM entry WHERE number "
        "= 4)"
        " WHERE number = %d AND number <> 4",
        "CREATE TRIGGER t%d AFTER INSERT ON entry BEGIN DELETE FROM entry WHERE number = new.number; END",
        "CREATE TABLE other%d (x)",
        "DROP TABLE IF EXISTS result; CREATE VIEW result AS SELECT %d",
        "PRAGMA user_version = 1%d",
        "INSERT INTO result SELECT place + 1, number, specification, text, tag FROM result WHERE number >= %d",
        "UPDATE result SET number = %d, text = '43'",
        "UPDATE result SET place = place + %d",
    };
    struct place place = place_make();
    dpn_head head = history(&place);
    size_t length;
    char *file = read_whole(place.ledger, &length), sql[400];
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        for (int number = 1; number <= (int)head.number; number++) {
            sqlite3 *db;
            write_whole(place.ledger, file, length);
            assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
            snprintf(sql, sizeof sql, changes[c], number);
            assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
            int changed = sqlite3_changes(db) > 0 || c >= 10;
            sqlite3_close(db);
            struct standing now = standing(place.ledger, &head, 1);
            if (changed && !now.verified) fail_msg("unnoticed: %s", sql);
            if (!changed && now.status) fail_msg("%s: %s", sql, now.why.sentence);
        }
    }
    /* Two neighbours change places. */
    for (int number = 1; number < (int)head.number; number++) {
        sqlite3 *db;
        write_whole(place.ledger, file, length);
        assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
        snprintf(sql, sizeof sql,
                 "UPDATE entry SET number = 0 WHERE number = %d; UPDATE entry SET number = %d WHERE number = %d; "
                 "UPDATE entry SET number = %d WHERE number = 0",
                 number, number, number + 1, number + 1);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        if (!standing(place.ledger, &head, 1).verified) fail_msg("unnoticed: %s", sql);
    }
    free(file);
    place_remove(&place);
}

/* Before anything is asked of it: a file with other tables, or of another program or version, does not open, so that no trigger sees a
 * charge. */
static void files_of_another_schema_do_not_open(void **state) {
    static const struct {
        const char *sql, *words;
    } change[] = {
        {"PRAGMA application_id = 7", "not a ledger of dpnoise"},
        {"PRAGMA user_version = 77", "version 77"},
        {"CREATE TABLE other (x)", "its tables"},
        {"CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry WHERE number = new.number; END", "its tables"},
        {"CREATE INDEX i ON entry (text)", "its tables"},
        {"DROP TABLE result", "its tables"},
    };
    struct place place = place_make();
    history(&place);
    size_t length;
    char *file = read_whole(place.ledger, &length);
    (void)state;
    for (size_t c = 0; c < sizeof change / sizeof *change; c++) {
        sqlite3 *db;
        dpn_ledger *ledger = NULL;
        dpn_error why;
        write_whole(place.ledger, file, length);
        assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, change[c].sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        if (dpn_ledger_open(&ledger, place.ledger, NULL, &why) != DPN_EIO) fail_msg("opened after %s", change[c].sql);
        if (!strstr(why.sentence, change[c].words)) fail_msg("%s: %s", change[c].sql, why.sentence);
    }
    free(file);
    place_remove(&place);
}

/* Two ledgers with one key: an entry of the other, genuine there and of the same number, is not one here. */
static void entries_of_another_ledger_do_not_fit(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_head head = history(&place);
    size_t length;
    char *first = read_whole(place.ledger, &length), other[300], sql[700];
    snprintf(other, sizeof other, "%s-2", place.ledger);
    place_clear(&place); /* the key stays, and is taken for the second */
    history(&place);
    size_t second_length;
    char *second = read_whole(place.ledger, &second_length);
    write_whole(other, second, second_length);
    for (int number = 1; number <= (int)head.number; number++) {
        sqlite3 *db;
        write_whole(place.ledger, first, length);
        assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
        snprintf(sql, sizeof sql,
                 "ATTACH '%s' AS other; UPDATE entry SET text = (SELECT text FROM other.entry WHERE number = %d), "
                 "tag = (SELECT tag FROM other.entry WHERE number = %d) WHERE number = %d",
                 other, number, number, number);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        if (!standing(place.ledger, NULL, 0).verified) fail_msg("entry %d of another ledger went unnoticed", number);
    }
    free(first);
    free(second);
    place_remove(&place);
}

/* An old copy verifies without a head: that is what heads are for. */
static void an_old_copy_needs_a_head(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_head first, second;
    if (charge(&first, ledger, "0.5", &why)) fail_msg("%s", why.sentence);
    size_t length;
    char *old = read_whole(place.ledger, &length);
    if (charge(&second, ledger, "0.5", &why)) fail_msg("%s", why.sentence);
    write_whole(place.ledger, old, length);
    free(old);
    /* Who has it open notices at once. */
    assert_int_equal(charge(NULL, ledger, "0.5", &why), DPN_EIO);
    dpn_ledger_close(ledger);
    assert_int_equal(standing(place.ledger, NULL, 0).status, DPN_OK);
    assert_int_equal(standing(place.ledger, &first, 1).status, DPN_OK);
    struct standing now = standing(place.ledger, &second, 1);
    assert_int_equal(now.status, DPN_EIO);
    assert_non_null(strstr(now.why.sentence, "cut off"));
    first.tag[0] ^= 1;
    assert_int_equal(standing(place.ledger, &first, 1).status, DPN_EIO);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_that_change_are_noticed),
        cmocka_unit_test(rows_that_change_are_noticed),
        cmocka_unit_test(files_of_another_schema_do_not_open),
        cmocka_unit_test(entries_of_another_ledger_do_not_fit),
        cmocka_unit_test(an_old_copy_needs_a_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
