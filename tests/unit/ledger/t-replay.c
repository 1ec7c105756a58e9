/* Rows that others changed, while the ledger is closed and while it is open: each is named, with what is wrong about it. */
#include "ledger/ledger.h"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void change(const char *path, const char *sql) {
    sqlite3 *db;
    char *error = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &error)) fail_msg("%s: %s", sql, error);
    sqlite3_close(db);
}

/* Entries 1 and 2, and charges 3 to 5. */
static dpn_ledger *history(const struct place *place) {
    dpn_ledger *ledger = place_ledger(place, "1", "0", false);
    dpn_error why;
    for (int i = 0; i < 3; i++) expect(DPN_OK, charge(NULL, ledger, "0.1", &why), &why);
    return ledger;
}

static const struct {
    const char *sql, *closed,
        *open; /* what is said of it on opening, and by a handle that had read all; NULL: it does not look there */
} row[] = {
    {"DELETE FROM entry WHERE number = 3",
     "entry 3 of the ledger is missing: it was removed, or others were put in its place", NULL},
    {"DELETE FROM entry WHERE number = 5", NULL, "entry 5 of the ledger is missing or was changed"},
    {"DELETE FROM entry", "the ledger is empty: its entries were removed",
     "entry 5 of the ledger is missing or was changed"},
    {"UPDATE entry SET number = 9 WHERE number = 5",
     "entry 5 of the ledger is missing: it was removed, or others were put in its place",
     "entry 5 of the ledger is missing or was changed"},
    {"UPDATE entry SET number = -1 WHERE number = 1",
     "entry 1 of the ledger is missing: it was removed, or others were put in its place", NULL},
    {"UPDATE entry SET text = CAST(text AS BLOB) WHERE number = 4", "entry 4 of the ledger was changed", NULL},
    {"UPDATE entry SET tag = CAST(tag AS TEXT) WHERE number = 4", "entry 4 of the ledger was changed", NULL},
    {"UPDATE entry SET tag = substr(tag, 1, 31) WHERE number = 5", "entry 5 of the ledger was changed",
     "entry 5 of the ledger is missing or was changed"},
    {"UPDATE entry SET tag = zeroblob(32) WHERE number = 5",
     "entry 5 of the ledger was changed, moved or put there without the key",
     "entry 5 of the ledger is not the one that was there before"},
    {"UPDATE entry SET text = replace(text, '0.1', '0.0') WHERE number = 4",
     "entry 4 of the ledger was changed, moved or put there without the key", NULL},
    {"UPDATE entry SET text = text || ' ' WHERE number = 1",
     "the key is not that of this ledger, or entry 1 was changed", NULL},
    {"INSERT INTO entry SELECT 6, text, tag FROM entry WHERE number = 5",
     "entry 6 of the ledger was changed, moved or put there without the key",
     "entry 6 of the ledger was changed, moved or put there without the key"},
    {"INSERT INTO entry SELECT 7, text, tag FROM entry WHERE number = 5",
     "entry 6 of the ledger is missing: it was removed, or others were put in its place",
     "entry 6 of the ledger is missing: it was removed, or others were put in its place"},
};

static void rows_that_others_changed(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct place place = place_make();
        dpn_ledger *ledger = history(&place), *again;
        dpn_account account = {.periods = 77};
        dpn_error why;
        change(place.ledger, row[i].sql);
        dpn_status status = dpn_ledger_account(&account, ledger, "people", &why);
        if (row[i].open) {
            assert_int_equal(status, DPN_EIO);
            if (strcmp(why.sentence, row[i].open) != 0) fail_msg("%s: '%s'", row[i].sql, why.sentence);
            assert_true(account.periods == 77);
            assert_int_equal(charge(NULL, ledger, "0.1", &why), DPN_EIO); /* and it stays so */
        } else {
            if (status) fail_msg("%s: '%s'", row[i].sql, why.sentence);
            dpn_account_free(&account);
        }
        dpn_head last;
        status = dpn_ledger_verify(&last, ledger, NULL, 0, &why);
        if (row[i].closed) assert_int_equal(status, DPN_EIO); /* else the room that it leaves tells, if anything */
        dpn_ledger_close(ledger);
        status = dpn_ledger_open(&again, place.ledger, NULL, &why);
        assert_int_equal(status, row[i].closed ? DPN_EIO : DPN_OK);
        if (row[i].closed && strcmp(why.sentence, row[i].closed) != 0) fail_msg("%s: '%s'", row[i].sql, why.sentence);
        if (!status) dpn_ledger_close(again);
        place_remove(&place);
    }
}

/* Entries that are genuine and do not follow, as only somebody with the key could write them. */
static void entries_that_do_not_follow(void **state) {
    (void)state;
    static const struct {
        const char *text, *sentence;
    } entry[] = {{"{}", "entry 3 of the ledger does not follow: the entry has no member 'kind'"},
                 {"{", NULL},
                 {"{\"kind\": \"alias\", \"time\": \"now\", \"user\": null, \"name\": \"a\", \"of\": \"nobody\"}",
                  "entry 3 of the ledger does not follow: there is no data set 'nobody'"},
                 {"{\"kind\": \"ledger\", \"time\": \"now\", \"user\": null, \"identity\": \"0\"}",
                  "entry 3 of the ledger does not follow: a ledger begins with the entry 'ledger', once"}};
    for (size_t i = 0; i < sizeof entry / sizeof *entry; i++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
        dpn_error why;
        unsigned char tag[DPN_TAG_SIZE];
        assert_int_equal(dpn_ledger_begin(ledger, true, &why), DPN_OK);
        assert_int_equal(
            dpn_chain_entry(tag, ledger->chain, ledger->tag, 3, entry[i].text, strlen(entry[i].text), &why), DPN_OK);
        assert_int_equal(dpn_ledger_insert(ledger, 3, entry[i].text, strlen(entry[i].text), tag, &why), DPN_OK);
        assert_int_equal(dpn_store_run(&ledger->store, DPN_SQL_COMMIT, &why), DPN_OK);
        dpn_ledger_close(ledger);
        assert_int_equal(dpn_ledger_open(&ledger, place.ledger, NULL, &why), DPN_EIO);
        if (entry[i].sentence) assert_string_equal(why.sentence, entry[i].sentence);
        assert_ptr_equal(strstr(why.sentence, "entry 3 of the ledger does not follow: "), why.sentence);
        place_remove(&place);
    }
}

/* Tags by number, and a handle that reads nothing anew where nothing has changed. */
static void what_is_known_is_not_read_again(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = history(&place), *other;
    dpn_error why;
    unsigned char tag[DPN_TAG_SIZE], zeros[DPN_TAG_SIZE] = {0};
    assert_int_equal(dpn_ledger_begin(ledger, true, &why), DPN_OK);
    assert_int_equal(dpn_ledger_tag_of(tag, ledger, 0, &why), DPN_OK);
    assert_memory_equal(tag, zeros, sizeof tag);
    assert_int_equal(dpn_ledger_tag_of(tag, ledger, 5, &why), DPN_OK);
    assert_memory_equal(tag, ledger->tag, sizeof tag);
    assert_int_equal(dpn_ledger_tag_of(tag, ledger, 6, &why), DPN_EIO);
    assert_string_equal(why.sentence, "entry 6 of the ledger is missing or was changed");
    dpn_ledger_end(ledger);
    assert_true(ledger->last == 5 && !ledger->stale && ledger->version != 0);
    /* with the lock, and nothing new: the book is as it was, to the last pointer */
    const dpn_set *set = dpn_book_find(&ledger->book, "people");
    assert_int_equal(dpn_ledger_begin(ledger, true, &why), DPN_OK);
    assert_true(dpn_book_find(&ledger->book, "people") == set && set->filter.sums.charges == 3);
    dpn_ledger_end(ledger);
    expect(DPN_OK, dpn_ledger_open(&other, place.ledger, NULL, &why), &why);
    expect(DPN_OK, charge(NULL, other, "0.1", &why), &why);
    dpn_ledger_close(other);
    for (int write = 1; write >= 0; write--) {
        assert_int_equal(dpn_ledger_begin(ledger, write, &why), DPN_OK);
        assert_true(dpn_book_find(&ledger->book, "people") == set && set->filter.sums.charges == 4 &&
                    ledger->last == 6);
        dpn_ledger_end(ledger);
    }
    /* what is stale is made anew */
    ledger->stale = true;
    assert_int_equal(dpn_ledger_begin(ledger, false, &why), DPN_OK);
    assert_true(!ledger->stale && ledger->last == 6 &&
                dpn_book_find(&ledger->book, "people")->filter.sums.charges == 4);
    dpn_ledger_end(ledger);
    ledger->process++;
    assert_int_equal(dpn_ledger_begin(ledger, false, &why), DPN_EIO);
    assert_string_equal(why.sentence, "a ledger must not be used by the child of the process that opened it");
    ledger->process--;
    assert_int_equal(unlink(place.ledger), 0);
    assert_int_equal(dpn_ledger_begin(ledger, true, &why), DPN_EIO);
    assert_string_equal(why.sentence, "the file of the ledger was moved or removed while it was open");
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* Which files are made and opened, and what is said where one of the two is missing. */
static void files_and_their_keys(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = history(&place), *other = NULL;
    dpn_error why;
    char text[500], elsewhere[300];
    size_t length;
    char *key = read_whole(place.key, &length);
    char *directory = dpn_ledger_directory(ledger);
    assert_string_equal(directory, place.directory);
    free(directory);
    dpn_ledger_close(ledger);
    snprintf(elsewhere, sizeof elsewhere, "%s/key", place.directory);
    assert_int_equal(rename(place.key, elsewhere), 0);
    assert_int_equal(dpn_ledger_open(&other, place.ledger, NULL, &why), DPN_EIO);
    snprintf(text, sizeof text, "the key '%.80s' cannot be read", place.key);
    assert_string_equal(why.sentence, text);
    assert_int_equal(dpn_ledger_create(&other, place.ledger, NULL, &why),
                     DPN_EIO); /* a ledger with entries gets no new key */
    assert_string_equal(why.sentence, text);
    assert_int_equal(access(place.key, F_OK), -1);
    dpn_ledger_options options = {.size = sizeof options, .key = elsewhere};
    expect(DPN_OK, dpn_ledger_open(&other, place.ledger, &options, &why), &why);
    dpn_ledger_close(other);
    expect(DPN_OK, dpn_ledger_create(&other, place.ledger, &options, &why), &why); /* one that is there is opened */
    dpn_head head;
    expect(DPN_OK, dpn_ledger_count(NULL, &head, other, &why), &why);
    assert_int_equal(head.number, 5);
    dpn_ledger_close(other);
    place_clear(&place);
    for (int empty = 0; empty < 2; empty++) { /* no file, and one of no bytes */
        if (empty) write_whole(place.ledger, "", 0);
        assert_int_equal(dpn_ledger_create(&other, place.ledger, &options, &why), DPN_EIO);
        snprintf(text, sizeof text,
                 "the key '%.60s' is there but its ledger is not: put the ledger back, or ask for a new one with that "
                 "key (dpnoise budget init --new-ledger)",
                 elsewhere);
        assert_string_equal(why.sentence, text);
        assert_int_equal(access(place.ledger, F_OK), empty ? 0 : -1);
    }
    options.with_existing_key = 1;
    expect(DPN_OK, dpn_ledger_create(&other, place.ledger, &options, &why), &why);
    expect(DPN_OK, dpn_ledger_count(NULL, &head, other, &why), &why);
    assert_int_equal(head.number, 1);
    dpn_ledger_close(other);
    char *after = read_whole(elsewhere, &length);
    assert_memory_equal(after, key, length);
    free(after);
    free(key);
    dpn_ledger_close(NULL);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_others_changed), cmocka_unit_test(entries_that_do_not_follow),
        cmocka_unit_test(what_is_known_is_not_read_again), cmocka_unit_test(files_and_their_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
