/* Every byte that vouches for something, changed alone: of the key, of a head, of its text, of each entry and its tag, of a
 * stored result, its tag and its specification; and what is of no entry, the header of the file and the room between. Each is noticed. */
#define _GNU_SOURCE /* memmem */
#include "place.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* A budget, a charge and its result. Returns the last head. */
static dpn_head history(const struct place *place) {
    static const dpn_decimal none = {{0}};
    dpn_ledger *ledger = place_ledger(place, "1", "0", false);
    dpn_account account;
    dpn_receipt receipt;
    dpn_error why;
    dpn_decimal amount = decimal("0.1");
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    dpn_ledger_charge asked = {.name = "people",
                               .charge = dpn_charge_pure(account.filter, &amount, &none),
                               .relation = account.relation,
                               .unit = account.unit,
                               .plan = "[1, 2]",
                               .specification = "question",
                               .specification_length = 8};
    dpn_account_free(&account);
    expect(DPN_OK, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    expect(DPN_OK, dpn_ledger_store_result(ledger, receipt.head.number, "answer 42", 9, &why), &why);
    dpn_ledger_close(ledger);
    return receipt.head;
}

/* ---- Key ---- */

/* Another digit in each place, and another byte at the end: no such key opens the ledger. */
static void every_byte_of_the_key(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_head head = history(&place);
    size_t length;
    char *key = read_whole(place.key, &length);
    assert_int_equal(standing(place.ledger, &head, 1).status, DPN_OK);
    for (size_t i = 0; i < length; i++) {
        char was = key[i];
        key[i] = was == '\n' ? ' ' : was == '0' ? '8' : was == '9' ? 'a' : was == 'f' ? '7' : (char)(was + 1);
        write_whole(place.key, key, length);
        assert_int_equal(chmod(place.key, 0600), 0);
        if (standing(place.ledger, NULL, 0).verified != DPN_EIO) fail_msg("byte %zu of the key went unnoticed", i);
        key[i] = was;
    }
    write_whole(place.key, key, length);
    assert_int_equal(standing(place.ledger, &head, 1).status, DPN_OK);
    free(key);
    place_remove(&place);
}

/* ---- Head ---- */

/* That a ledger refuses a head. */
static void refuses(dpn_ledger *ledger, const dpn_head *head, const char *what, size_t at) {
    dpn_head last;
    dpn_error why;
    if (dpn_ledger_verify(&last, ledger, head, 1, &why) != DPN_EIO) fail_msg("%s %zu went unnoticed", what, at);
}

static void every_byte_of_a_head(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_head head = history(&place), last;
    dpn_ledger *ledger;
    dpn_error why;
    char text[DPN_HEAD_TEXT_SIZE];
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    expect(DPN_OK, dpn_ledger_verify(&last, ledger, &head, 1, &why), &why);
    for (size_t bit = 0; bit < 8 * sizeof head.tag; bit++) {
        dpn_head other = head;
        other.tag[bit / 8] = (unsigned char)(other.tag[bit / 8] ^ 1 << bit % 8);
        refuses(ledger, &other, "bit of the tag", bit);
    }
    for (size_t bit = 0; bit < 64; bit++) {
        dpn_head other = head;
        other.number ^= UINT64_C(1) << bit;
        refuses(ledger, &other, "bit of the number", bit);
    }
    /* In its text: no longer a head, or another one. */
    dpn_head_print(text, &head);
    for (size_t i = 0; text[i]; i++)
        for (int bit = 0; bit < 8; bit++) {
            dpn_head other;
            text[i] = (char)(text[i] ^ 1 << bit);
            dpn_status status = dpn_head_parse(&other, text, &why);
            if (status)
                assert_int_equal(status, DPN_EPARSE);
            else
                refuses(ledger, &other, "letter of the head", i);
            text[i] = (char)(text[i] ^ 1 << bit);
        }
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* ---- Rows ---- */

/* All rows of a query of one column, as bytes. */
enum { ROWS = 12, LARGEST = 4000 };
typedef struct bytes {
    unsigned char at[LARGEST];
    size_t length;
} bytes;

static size_t ask(const char *path, const char *sql, bytes *out) {
    sqlite3 *db;
    sqlite3_stmt *row;
    size_t count = 0;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW) {
        assert_true(count < ROWS);
        const void *found = sqlite3_column_blob(row, 0);
        out[count].length = (size_t)sqlite3_column_bytes(row, 0);
        assert_true(out[count].length > 0 && out[count].length <= LARGEST);
        memcpy(out[count].at, found, out[count].length);
        count++;
    }
    sqlite3_finalize(row);
    sqlite3_close(db);
    return count;
}

/* Every byte of every row of a column, where it lies in the file. Returns how many there are. */
static size_t every_byte_of(const char *sql) {
    static bytes row[ROWS];
    struct place place = place_make();
    dpn_head head = history(&place);
    size_t length, rows = ask(place.ledger, sql, row), tried = 0;
    char *file = read_whole(place.ledger, &length);
    for (size_t k = 0; k < rows; k++) {
        char *at = memmem(file, length, row[k].at, row[k].length);
        if (!at) fail_msg("%s: row %zu does not lie in one piece", sql, k);
        for (size_t i = 0; i < row[k].length; i++, tried++) {
            at[i] = (char)(at[i] ^ 1 << (i + k) % 7);
            write_whole(place.ledger, file, length);
            at[i] = (char)row[k].at[i];
            if (standing(place.ledger, &head, 1).verified != DPN_EIO)
                fail_msg("%s: byte %zu of row %zu went unnoticed", sql, i, k);
        }
    }
    write_whole(place.ledger, file, length);
    assert_int_equal(standing(place.ledger, &head, 1).status, DPN_OK);
    free(file);
    place_remove(&place);
    return tried;
}

/* A head is the beginning of the last tag, all of it. */
static void a_head_is_the_last_tag(void **state) {
    (void)state;
    static bytes row[ROWS];
    struct place place = place_make();
    dpn_head head = history(&place);
    assert_int_equal(ask(place.ledger, "SELECT tag FROM entry ORDER BY number DESC LIMIT 1", row), 1);
    assert_memory_equal(head.tag, row[0].at, sizeof head.tag);
    assert_true(row[0].length > sizeof head.tag);
    place_remove(&place);
}

static void every_byte_of_tags(void **state) {
    (void)state;
    assert_true(every_byte_of("SELECT tag FROM entry") >= 3 * 32);
    assert_int_equal(every_byte_of("SELECT tag FROM result"), 32);
}

static void every_byte_of_texts(void **state) {
    (void)state;
    assert_true(every_byte_of("SELECT text FROM entry") > 100);
    assert_int_equal(every_byte_of("SELECT text FROM result"), 9);
    assert_int_equal(every_byte_of("SELECT specification FROM result"), 64);
}

/* ---- What is of no entry ---- */

/* One byte changed in the file, with every bit of it. */
static void try_byte(const struct place *place, const dpn_head *head, char *file, size_t length, size_t at) {
    for (int change = 1; change < 256; change = 2 * change + 1) {
        file[at] = (char)(file[at] ^ change);
        write_whole(place->ledger, file, length);
        if (!standing(place->ledger, head, 1).verified)
            fail_msg("byte %zu of the file, by %d, went unnoticed", at, change);
        file[at] = (char)(file[at] ^ change);
    }
}

/* Of the header SQLite keeps the schema cookie and its own version for itself (src/ledger/slack.c): all other bytes are looked at. */
static void every_byte_of_the_header(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_head head = history(&place);
    size_t length;
    char *file = read_whole(place.ledger, &length);
    for (size_t at = 0; at < 100; at++)
        if (!(at >= 40 && at < 44) && !(at >= 96)) try_byte(&place, &head, file, length, at);
    free(file);
    place_remove(&place);
}

/* The gap of each page between the places of its cells and the cells: both of its ends and some between. */
static void bytes_of_every_gap(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_head head = history(&place);
    size_t length, gaps = 0;
    char *file = read_whole(place.ledger, &length);
    for (size_t page = 0; page < length; page += 4096) {
        const unsigned char *at = (const unsigned char *)file + page + (page == 0 ? 100 : 0);
        size_t cells = 256 * (size_t)at[3] + at[4], first = 256 * (size_t)at[5] + at[6];
        if (at[0] != 10 && at[0] != 13) continue;
        size_t start = (size_t)(at - (const unsigned char *)file) + 8 + 2 * cells, end = page + first;
        assert_true(start < end);
        const size_t tried[] = {start, start + 1, (start + end) / 2, end - 2, end - 1};
        for (size_t i = 0; i < 5; i++) try_byte(&place, &head, file, length, tried[i]);
        gaps++;
    }
    assert_true(gaps >= 3);
    free(file);
    place_remove(&place);
}

/* The same in an export: what is imported is what was exported, or it is refused. */
static void every_byte_of_an_export(void **state) {
    (void)state;
    struct place place = place_make(), other = place_make();
    dpn_head head = history(&place);
    dpn_ledger *ledger;
    dpn_error why;
    size_t length, key_length, refused = 0;
    char *text, *key = read_whole(place.key, &key_length);
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    expect(DPN_OK, dpn_ledger_export(&text, &length, ledger, &why), &why);
    dpn_ledger_close(ledger);
    write_whole(other.key, key, key_length);
    assert_int_equal(chmod(other.key, 0600), 0);
    for (size_t i = 0; i < length; i++) {
        dpn_ledger *copy = NULL;
        dpn_head last;
        char was = text[i];
        text[i] = (char)(was ^ 1);
        dpn_status status = dpn_ledger_import(&copy, other.ledger, NULL, text, length, &why);
        if (!status) { /* a blank between two words of JSON, say: then nothing has changed */
            char *again;
            size_t size;
            expect(DPN_OK, dpn_ledger_verify(&last, copy, &head, 1, &why), &why);
            expect(DPN_OK, dpn_ledger_export(&again, &size, copy, &why), &why);
            text[i] = was;
            if (size != length || memcmp(again, text, length) != 0) fail_msg("byte %zu of an export was believed", i);
            free(again);
        }
        refused += status != DPN_OK;
        text[i] = was;
        dpn_ledger_close(copy);
        place_clear(&other);
    }
    assert_true(refused > 50);
    free(text);
    free(key);
    place_remove(&place);
    place_remove(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_of_the_key),    cmocka_unit_test(every_byte_of_a_head),
        cmocka_unit_test(a_head_is_the_last_tag),   cmocka_unit_test(every_byte_of_tags),
        cmocka_unit_test(every_byte_of_texts),      cmocka_unit_test(every_byte_of_an_export),
        cmocka_unit_test(every_byte_of_the_header), cmocka_unit_test(bytes_of_every_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
