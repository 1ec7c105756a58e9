/* The files of a ledger: as text, the key, what is not ours, moves, children, locks, settings; and heads. */
#define _POSIX_C_SOURCE 200809L
#include "ledger/key.h"
#include "ledger/store.h"
#include "place.h"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A charge with a specification, and its answer. */
static dpn_head charge_and_keep(dpn_ledger *ledger, const char *question, const char *answer) {
    static const dpn_decimal none = {{0}};
    dpn_decimal quarter = decimal("0.25");
    dpn_account account;
    dpn_receipt receipt = {.converted = false};
    dpn_error why;
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    dpn_ledger_charge asked = {.name = "people",
                               .charge = dpn_charge_pure(account.filter, &quarter, &none),
                               .relation = account.relation,
                               .specification = question,
                               .specification_length = strlen(question)};
    expect(DPN_OK, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    expect(DPN_OK, dpn_ledger_store_result(ledger, receipt.head.number, answer, strlen(answer), &why), &why);
    dpn_account_free(&account);
    return receipt.head;
}

/* The mode of a ledger's file with a suffix; 0 if there is none. */
static unsigned mode_of(const struct place *place, const char *suffix) {
    char name[300];
    struct stat stat_of;
    snprintf(name, sizeof name, "%s%s", place->ledger, suffix);
    return stat(name, &stat_of) == 0 ? stat_of.st_mode & 07777u : 0;
}

static void a_new_ledger_is_its_owners_alone(void **state) {
    (void)state;
    mode_t mask = umask(0); /* which takes nothing */
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "0", wal);
        dpn_error why;
        char journal[300];
        expect(DPN_OK, charge(NULL, ledger, "0.25", &why), &why);
        assert_int_equal(mode_of(&place, ""), 0600);
        assert_int_equal(mode_of(&place, ".key"), 0600);
        assert_int_equal(mode_of(&place, "-wal"), wal ? 0600 : 0);
        assert_int_equal(mode_of(&place, "-shm"), wal ? 0600 : 0);
        assert_int_equal(mode_of(&place, "-journal"), wal ? 0 : 0600);
        dpn_ledger_close(ledger);
        /* What the curator opens to a group stays open to it, the files beside it included. */
        assert_int_equal(chmod(place.ledger, 0640), 0);
        snprintf(journal, sizeof journal, "%s-journal", place.ledger);
        unlink(journal);
        expect(DPN_OK, dpn_ledger_create(&ledger, place.ledger, NULL, &why), &why);
        expect(DPN_OK, charge(NULL, ledger, "0.25", &why), &why);
        assert_int_equal(mode_of(&place, ""), 0640);
        assert_int_equal(mode_of(&place, wal ? "-wal" : "-journal"), 0640);
        assert_int_equal(mode_of(&place, "-shm"), wal ? 0640 : 0);
        dpn_ledger_close(ledger);
        place_remove(&place);
    }
    umask(0377);
    struct place place = place_make();
    dpn_ledger *ledger;
    dpn_error why;
    assert_int_equal(chmod(place.directory, 0700), 0);
    if (geteuid() == 0) { /* who may write it all the same */
        expect(DPN_OK, dpn_ledger_create(&ledger, place.ledger, NULL, &why), &why);
        assert_int_equal(mode_of(&place, ""), 0400);
        dpn_ledger_close(ledger);
    }
    umask(mask);
    place_clear(&place);
    unlink(place.key);
    char target[300];
    snprintf(target, sizeof target, "%s/%%20?#", place.directory);
    assert_int_equal(symlink(target, place.ledger), 0);
    expect(DPN_OK, dpn_ledger_create(&ledger, place.ledger, NULL, &why), &why);
    dpn_ledger_close(ledger);
    assert_int_equal(mode_of(&place, ""), 0600);
    unlink(target);
    unlink(place.ledger);
    place_remove(&place);
}

static void a_ledger_survives_as_text(void **state) {
    (void)state;
    static const char answer[] = "{\"mean\": 41.5}\n\ttab, \x7f, \xc3\xa4 and \xf0\x9f\x8c\x8d";
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "1e-6", false), *copy;
    dpn_error why;
    dpn_head head, last;
    char *text, *again, other[300];
    size_t length, length_again;
    for (int i = 0; i < 2; i++) expect(DPN_OK, charge(&head, ledger, "0.25", &why), &why);
    head = charge_and_keep(ledger, "mean", answer);
    expect(DPN_OK, dpn_ledger_export(&text, NULL, ledger, &why), &why);
    free(text);
    expect(DPN_OK, dpn_ledger_export(&text, &length, ledger, &why), &why);
    assert_int_equal(length, strlen(text));
    snprintf(other, sizeof other, "%s-2", place.ledger);
    dpn_ledger_options options = {.size = sizeof(dpn_ledger_options), .key = place.key, .wal = true};
    expect(DPN_OK, dpn_ledger_import(&copy, other, &options, text, length, &why), &why);
    expect(DPN_OK, dpn_ledger_verify(&last, copy, &head, 1, &why), &why);
    assert_int_equal(last.number, head.number);
    expect(DPN_OK, dpn_ledger_export(&again, &length_again, copy, &why), &why);
    assert_string_equal(text, again);
    free(again);
    expect(DPN_OK, dpn_ledger_find_result(&again, &length_again, NULL, copy, "people", "mean", 4, &why), &why);
    assert_string_equal(again, answer);
    expect(DPN_OK, charge(NULL, copy, "0.25", &why), &why);
    expect(DPN_EBUDGET, charge(NULL, copy, "0.25", &why), &why);
    dpn_ledger_close(copy);
    expect(DPN_EIO, dpn_ledger_import(&copy, other, &options, text, length, &why), &why); /* there is one */
    snprintf(other, sizeof other, "%s-3", place.ledger);
    for (size_t i = 0; i < length; i += 23) { /* every change is noticed, or is none */
        char kept = text[i];
        text[i] ^= 1;
        dpn_status status = dpn_ledger_import(&copy, other, &options, text, length, &why);
        if (status) {
            assert_true((status == DPN_EIO || status == DPN_EPARSE) && why.sentence[0]);
        } else {
            free(again);
            expect(DPN_OK, dpn_ledger_export(&again, &length_again, copy, &why), &why);
            text[i] = kept;
            assert_string_equal(text, again);
            dpn_ledger_close(copy);
            unlink(other);
        }
        text[i] = kept;
    }
    free(text);
    free(again);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* Each line of an export has its members once: which of two would count is nobody's to guess. */
static void a_line_has_each_member_once(void **state) {
    (void)state;
    static const char *const names[] = {
        "\"number\": ", "\"tag\": ", "\"entry\": ", "\"result_of\": ", "\"specification\": ", "\"text\": "};
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "1e-6", false), *copy;
    dpn_error why;
    char *text, other[300];
    size_t length;
    charge_and_keep(ledger, "mean", "41");
    expect(DPN_OK, dpn_ledger_export(&text, &length, ledger, &why), &why);
    dpn_ledger_close(ledger);
    snprintf(other, sizeof other, "%s-2", place.ledger);
    dpn_ledger_options options = {.size = sizeof(dpn_ledger_options), .key = place.key};
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        /* The same value again, at the end of the line or at its start. */
        char *line = strstr(text, i / 2 < 3 ? "{\"number\"" : "{\"result_of\""), *end = strchr(line, '\n') - 1;
        const char *at = strstr(line, names[i / 2]) + strlen(names[i / 2]);
        size_t size = strcspn(at, at[0] == '{' ? "}" : at[0] == '"' ? "," : ",}") + (at[0] == '{');
        if (at + size > end) size = (size_t)(end - at);
        char *twice = malloc(2 * length);
        assert_non_null(twice);
        size_t before = (size_t)((i % 2 ? line + 1 : end) - text);
        int made = sprintf(twice, "%.*s%s%s%.*s%s%s", (int)before, text, i % 2 ? "" : ", ", names[i / 2], (int)size, at,
                           i % 2 ? ", " : "", text + before);
        expect(DPN_EPARSE, dpn_ledger_import(&copy, other, &options, twice, (size_t)made, &why), &why);
        if (!strstr(why.sentence, "once")) fail_msg("%s: %s", names[i / 2], why.sentence);
        free(twice);
    }
    /* Numbers are whole, and those of their place. */
    static const char *const wrong[] = {"1.5", "0.5", "-1", "2", "1e300", "\"1\"", "null"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *start = "{\"number\": 1,";
        char *other_number = malloc(length + 20);
        assert_true(other_number && strncmp(text, start, strlen(start)) == 0);
        int made = sprintf(other_number, "{\"number\": %s,%s", wrong[i], text + strlen(start));
        expect(DPN_EPARSE, dpn_ledger_import(&copy, other, &options, other_number, (size_t)made, &why), &why);
        free(other_number);
    }
    free(text);
    place_remove(&place);
}

static void keys_are_guarded(void **state) {
    (void)state;
    struct place place = place_make();
    struct stat mode;
    dpn_error why;
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_ledger_close(ledger);
    assert_int_equal(stat(place.key, &mode), 0);
    assert_int_equal(mode.st_mode & 0777, 0600);
    chmod(place.key, 0640);
    expect(DPN_EIO, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    chmod(place.key, 0604);
    expect(DPN_EIO, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    chmod(place.key, 0600);
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    dpn_ledger_close(ledger);
    size_t length;
    char *key = read_whole(place.key, &length);
    assert_int_equal(length, 65);
    for (size_t i = 0; i < length; i += 7) { /* another key is not this ledger's */
        char kept = key[i];
        key[i] = kept == '0' ? '1' : '0';
        write_whole(place.key, key, length);
        expect(DPN_EIO, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
        key[i] = kept;
    }
    write_whole(place.key, key, length - 1);
    expect(DPN_EIO, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    unlink(place.key);
    expect(DPN_EIO, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    expect(DPN_EIO, dpn_ledger_create(&ledger, place.ledger, NULL, &why), &why); /* no new key for old entries */
    assert_int_not_equal(access(place.key, F_OK), 0);
    free(key);
    place_remove(&place);
}

/* A libcrypto that has no HMAC, as one that is set up otherwise may not, is a reason and no crash. */
static void without_an_hmac_nothing_is_opened(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_ledger_close(ledger);
    assert_int_equal(EVP_set_default_properties(NULL, "provider=none"), 1);
    dpn_status status = dpn_ledger_open(&ledger, place.ledger, NULL, &why);
    assert_int_equal(EVP_set_default_properties(NULL, ""), 1);
    expect(DPN_ENOMEM, status, &why);
    assert_non_null(strstr(why.sentence, "libcrypto"));
    assert_int_equal(ERR_peek_error(), 0); /* the queue of the thread is the caller's */
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* A program may have closed its standard input: descriptor 0 is then as good as any, and is given back. */
static void no_descriptor_is_kept(void **state) {
    (void)state;
    struct place place = place_make();
    int input = dup(0);
    assert_true(input > 0);
    close(0);
    dpn_ledger *ledger = NULL;
    dpn_error why = {0};
    bool done = dpn_sync_directory(place.key);
    bool free_again = fcntl(0, F_GETFD) == -1;
    dpn_status status = dpn_ledger_create(&ledger, place.ledger, NULL, &why);
    assert_int_equal(dup2(input, 0), 0);
    close(input);
    assert_true(done);
    assert_true(free_again);
    expect(DPN_OK, status, &why);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* A ledger that was removed, or emptied, while its key lies there is not made anew by itself: that would be a new budget. */
static void a_key_without_its_ledger_is_refused(void **state) {
    (void)state;
    dpn_ledger_options anew = {.size = sizeof anew, .with_existing_key = 1};
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "0", wal);
        dpn_error why;
        dpn_account account;
        expect(DPN_OK, charge(NULL, ledger, "1", &why), &why);
        dpn_ledger_close(ledger);
        place_clear(&place);
        expect(DPN_EIO, dpn_ledger_create(&ledger, place.ledger, NULL, &why), &why);
        assert_non_null(strstr(why.sentence, "--new-ledger"));
        assert_int_not_equal(access(place.ledger, F_OK), 0); /* and nothing was made */
        write_whole(place.ledger, "", 0);
        for (int i = 0; i < 2; i++) expect(DPN_EIO, dpn_ledger_create(&ledger, place.ledger, NULL, &why), &why);
        expect(DPN_OK, dpn_ledger_create(&ledger, place.ledger, &anew, &why), &why);
        expect(DPN_EDOMAIN, dpn_ledger_account(&account, ledger, "people", &why), &why);
        dpn_ledger_close(ledger);
        expect(DPN_OK, dpn_ledger_create(&ledger, place.ledger, NULL, &why), &why); /* it is there */
        dpn_ledger_close(ledger);
        place_remove(&place);
    }
}

static void files_that_are_not_ours_are_refused(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger;
    dpn_error why;
    char other[300];
    expect(DPN_EIO, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    expect(DPN_EIO, dpn_ledger_open(&ledger, "", NULL, &why), &why);
    expect(DPN_EIO, dpn_ledger_open(&ledger, ":memory:", NULL, &why), &why);
    expect(DPN_EIO, dpn_ledger_open(&ledger, place.directory, NULL, &why), &why);
    assert_int_equal(mkfifo(place.ledger, 0600), 0);
    expect(DPN_EIO, dpn_ledger_create(&ledger, place.ledger, NULL, &why), &why);
    assert_int_not_equal(access(place.key, F_OK), 0); /* no key for what cannot be a ledger */
    unlink(place.ledger);
    ledger = place_ledger(&place, "1", "0", false);
    snprintf(other, sizeof other, "%s-2", place.ledger);
    assert_int_equal(link(place.ledger, other), 0);
    dpn_ledger *second;
    expect(DPN_EIO,
           dpn_ledger_open(&second, other, &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .key = place.key},
                           &why),
           &why);
    unlink(other);
    dpn_ledger_close(ledger);
    write_whole(other, "a,b\n1,2\n", 8);
    expect(DPN_EIO,
           dpn_ledger_open(&ledger, other, &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .key = place.key},
                           &why),
           &why);
    place_remove(&place);
}

/* A byte that is of no entry is found on inner pages too, in a ledger of up to 200 pages. */
static void inner_pages_hold_nothing_else(void **state) {
    (void)state;
    enum { PAGE = 4096, PAGES = 200, CHARGES = 14 };
    static char note[DPN_LEDGER_NOTE_SIZE], answer[PAGES * PAGE];
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_account account;
    dpn_receipt receipt = {.converted = false};
    dpn_head last;
    size_t length;
    static const dpn_decimal none = {{0}};
    dpn_decimal little = decimal("0.01");
    memset(note, 'n', sizeof note - 1);
    memset(answer, 'a', sizeof answer);
    expect(DPN_OK, dpn_ledger_account(&account, ledger, "people", &why), &why);
    for (int i = 0; i < CHARGES; i++) {
        dpn_ledger_charge asked = {.name = "people",
                                   .charge = dpn_charge_pure(account.filter, &little, &none),
                                   .relation = account.relation,
                                   .note = note,
                                   .specification = "mean",
                                   .specification_length = 4};
        expect(DPN_OK, dpn_ledger_spend(&receipt, ledger, &asked, &why), &why);
    }
    dpn_account_free(&account);
    free(read_whole(place.ledger, &length)); /* an overflow page has 4092 bytes of an answer */
    assert_int_equal(length % PAGE, 0);
    size_t size = (PAGES - length / PAGE) * (PAGE - 4) + 100;
    expect(DPN_OK, dpn_ledger_store_result(ledger, receipt.head.number, answer, size, &why), &why);
    expect(DPN_OK, dpn_ledger_verify(&last, ledger, NULL, 0, &why), &why);
    dpn_ledger_close(ledger);
    char *file = read_whole(place.ledger, &length);
    assert_int_equal(length, PAGES * PAGE);
    size_t inner = 1;
    while (inner < PAGES && file[inner * PAGE] != 0x05) inner++;
    assert_true(inner < PAGES);
    file[inner * PAGE + PAGE / 2] ^= 1; /* between a short list of cells and the few cells */
    write_whole(place.ledger, file, length);
    free(file);
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
    expect(DPN_EIO, dpn_ledger_verify(&last, ledger, NULL, 0, &why), &why);
    assert_non_null(strstr(why.sentence, "of no entry"));
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* Moved away while it is open: a charge there would be missed by everybody else. */
static void a_file_that_was_moved_is_not_charged(void **state) {
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "0", wal);
        dpn_error why;
        char other[300];
        snprintf(other, sizeof other, "%s-2", place.ledger);
        assert_int_equal(rename(place.ledger, other), 0);
        expect(DPN_EIO, charge(NULL, ledger, "0.1", &why), &why);
        assert_int_equal(rename(other, place.ledger), 0);
        expect(DPN_OK, charge(NULL, ledger, "0.1", &why), &why);
        dpn_ledger_close(ledger);
        assert_int_equal(standing(place.ledger, NULL, 0).charges, 1);
        place_remove(&place);
    }
}

static void change_rows(const char *path, const char *sql) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* The tables are as they were made, to the last letter: another type of a column could round a number. */
static void tables_that_are_not_ours_are_refused(void **state) {
    (void)state;
    static const char *const changes[] = {
        "UPDATE sqlite_schema SET sql = replace(sql, 'text TEXT', 'text BLOB') WHERE name = 'entry'",
        "UPDATE sqlite_schema SET sql = replace(sql, 'text TEXT', 'text BLOB') WHERE name = 'result'",
        "UPDATE sqlite_schema SET sql = sql || ' ' WHERE name = 'result'",
        "ALTER TABLE result RENAME TO results",
        "UPDATE sqlite_schema SET type = 'TABLE' WHERE name = 'result'",
        "DROP TABLE result",
        "CREATE TABLE results (number INTEGER)"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
        dpn_error why;
        char sql[200];
        dpn_ledger_close(ledger);
        snprintf(sql, sizeof sql, "PRAGMA writable_schema = 1; %s", changes[i]);
        change_rows(place.ledger, sql);
        expect(DPN_EIO, dpn_ledger_open(&ledger, place.ledger, NULL, &why), &why);
        if (!strstr(why.sentence, "not a ledger's")) fail_msg("%s: %s", changes[i], why.sentence);
        place_remove(&place);
    }
}

/* A tag that is longer or shorter than a tag is none, whatever its first bytes are. */
static void tags_have_one_length(void **state) {
    (void)state;
    static const struct {
        const char *sql;
        bool opens;
    } changes[] = {{"UPDATE result SET tag = CAST(tag || x'00' AS BLOB)", true},
                   {"UPDATE result SET tag = CAST(substr(tag, 1, 31) AS BLOB)", true},
                   {"UPDATE result SET specification = specification || '0'", true},
                   {"UPDATE result SET specification = substr(specification, 1, 63)", true},
                   {"UPDATE entry SET tag = CAST(tag || x'00' AS BLOB) WHERE number = 3", false},
                   {"UPDATE entry SET tag = CAST(substr(tag, 1, 31) AS BLOB) WHERE number = 3", false}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
        dpn_error why;
        dpn_head last;
        charge_and_keep(ledger, "mean", "41");
        dpn_ledger_close(ledger);
        change_rows(place.ledger, changes[i].sql);
        dpn_status status = dpn_ledger_open(&ledger, place.ledger, NULL, &why);
        expect(changes[i].opens ? DPN_OK : DPN_EIO, status, &why);
        if (!status) {
            expect(DPN_EIO, dpn_ledger_verify(&last, ledger, NULL, 0, &why), &why);
            dpn_ledger_close(ledger);
        }
        place_remove(&place);
    }
}

/* Entries that go while the ledger is open are missed each time anew: the handle does not take the shorter file for the truth. */
static void a_file_that_goes_back_is_refused_for_good(void **state) {
    (void)state;
    static const struct {
        const char *sql, *word;
    } changes[] = {
        {"DELETE FROM entry WHERE number = 4", "entry 4 of the ledger is missing"},
        {"UPDATE entry SET number = 5 WHERE number = 4", "entry 4 of the ledger is missing"},
        {"UPDATE entry SET tag = 'no tag' WHERE number = 4", "entry 4 of the ledger is missing"},
        {"UPDATE entry SET tag = CAST(tag || x'00' AS BLOB) WHERE number = 4", "entry 4 of the ledger is missing"},
        {"UPDATE entry SET tag = (SELECT tag FROM entry WHERE number = 3) WHERE number = 4", "not the one"}};
    for (size_t i = 0; i < 2 * sizeof changes / sizeof *changes; i++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "0", i % 2);
        dpn_error why;
        expect(DPN_OK, charge(NULL, ledger, "0.1", &why), &why);
        expect(DPN_OK, charge(NULL, ledger, "0.1", &why), &why);
        change_rows(place.ledger, changes[i / 2].sql);
        for (int again = 0; again < 3; again++) {
            expect(DPN_EIO, charge(NULL, ledger, "0.1", &why), &why);
            assert_non_null(strstr(why.sentence, changes[i / 2].word));
        }
        dpn_ledger_close(ledger);
        place_remove(&place);
    }
}

/* Who only reads sees what others committed since, as who writes does: charges, answers, and that entries are gone. */
static void what_others_did_is_read(void **state) {
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger *reader = place_ledger(&place, "2", "0", wal), *writer;
        dpn_account account;
        dpn_entry entry;
        dpn_head last;
        dpn_error why;
        char *text = NULL;
        size_t length = 0, budgets = 0;
        uint64_t number = 0;
        expect(DPN_OK, dpn_ledger_open(&writer, place.ledger, NULL, &why), &why);
        for (uint64_t charges = 1; charges <= 2; charges++) {
            char question[] = {(char)('a' + charges), '\0'};
            dpn_head head = charge_and_keep(writer, question, "7");
            expect(DPN_OK, dpn_ledger_find_result(&text, &length, &number, reader, "people", question, 1, &why), &why);
            assert_true(text && number == head.number);
            free(text);
            head = charge_and_keep(writer, "another", "8");
            expect(DPN_OK, dpn_ledger_account(&account, reader, "people", &why), &why);
            assert_int_equal(dpn_filter_spent(account.filter).charges, 4 * charges - 2);
            dpn_account_free(&account);
            expect(DPN_OK, charge(&head, writer, "1e-9", &why), &why);
            expect(DPN_OK, dpn_ledger_count(&budgets, &last, reader, &why), &why);
            assert_memory_equal(&last, &head, sizeof head);
            expect(DPN_OK, charge(&head, writer, "1e-9", &why), &why);
            expect(DPN_OK, dpn_ledger_entry(&entry, reader, head.number, &why), &why);
            dpn_entry_free(&entry);
        }
        dpn_ledger_close(writer);
        change_rows(place.ledger, "DELETE FROM entry WHERE number > 4");
        expect(DPN_EIO, dpn_ledger_account(&account, reader, "people", &why), &why);
        dpn_ledger_close(reader);
        place_remove(&place);
    }
}

/* A child must not use its parent's handle, and does no harm by closing it. */
static void children_are_kept_out(void **state) {
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger *ledger = place_ledger(&place, "1", "0", wal);
        dpn_error why;
        expect(DPN_OK, charge(NULL, ledger, "0.1", &why), &why);
        pid_t child = fork();
        if (child == 0) {
            bool refused = charge(NULL, ledger, "0.1", &why) == DPN_EIO;
            dpn_ledger_close(ledger);
            _exit(refused ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        for (int i = 0; i < 9; i++) expect(DPN_OK, charge(NULL, ledger, "0.1", &why), &why);
        expect(DPN_EBUDGET, charge(NULL, ledger, "0.1", &why), &why);
        assert_int_equal(standing(place.ledger, NULL, 0).charges, 10);
        dpn_ledger_close(ledger);
        assert_int_equal(standing(place.ledger, NULL, 0).charges, 10);
        place_remove(&place);
    }
}

/* SQLite believes, in a child, to hold the locks of its parent: a charge to a ledger that the child opened would be lost
 * when the parent closes its own. A child opens ledgers if its parent had none open. */
static void children_open_none_that_would_be_unlocked(void **state) {
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_error why;
        for (int open_before = 0; open_before < 2; open_before++) {
            dpn_ledger *ledger = place_ledger(&place, "1", "0", wal), *own;
            if (!open_before) dpn_ledger_close(ledger);
            pid_t child = fork();
            if (child == 0) {
                if (open_before) dpn_ledger_close(ledger); /* which changes nothing */
                dpn_status status = dpn_ledger_open(&own, place.ledger, NULL, &why);
                if (open_before) _exit(status == DPN_EIO && strstr(why.sentence, "forked") ? 0 : 1);
                bool charged = !status && !charge(NULL, own, "0.1", &why);
                if (charged) dpn_ledger_close(own);
                _exit(charged ? 0 : 1);
            }
            int status;
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_int_equal(status, 0);
            if (open_before) dpn_ledger_close(ledger);
            assert_int_equal(standing(place.ledger, NULL, 0).charges, open_before ? 0 : 1);
            place_clear(&place);
        }
        place_remove(&place);
    }
}

/* Somebody else holds the lock: the wait is bounded and the sentence says what it was. */
static void busy_is_a_refusal(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_ledger_close(ledger);
    dpn_error why;
    expect(DPN_OK,
           dpn_ledger_open(&ledger, place.ledger, &(dpn_ledger_options){.size = sizeof(dpn_ledger_options), .wait = 50},
                           &why),
           &why);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    expect(DPN_EIO, charge(NULL, ledger, "0.1", &why), &why);
    assert_non_null(strstr(why.sentence, "busy"));
    assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    /* A reader that does not let go stops the commit, not the charge before it; nothing is recorded. */
    assert_int_equal(sqlite3_exec(db, "BEGIN; SELECT * FROM entry", NULL, NULL, NULL), SQLITE_OK);
    expect(DPN_EIO, charge(NULL, ledger, "0.1", &why), &why);
    sqlite3_close(db);
    for (int i = 0; i < 10; i++) expect(DPN_OK, charge(NULL, ledger, "0.1", &why), &why);
    expect(DPN_EBUDGET, charge(NULL, ledger, "0.1", &why), &why);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

static bool third_time(void *context) {
    int *asked = context;
    return ++*asked >= 3;
}

/* The caller ends the wait, which would have been an hour, and the next one is its own. */
static void a_wait_can_be_cancelled(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_ledger_close(ledger);
    dpn_ledger_options options = dpn_ledger_options_init();
    dpn_error why;
    int asked = 0;
    options.wait = 3600000;
    options.cancelled = third_time;
    options.context = &asked;
    expect(DPN_OK, dpn_ledger_open(&ledger, place.ledger, &options, &why), &why);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    expect(DPN_ECANCELLED, charge(NULL, ledger, "0.1", &why), &why);
    assert_int_equal(asked, 3);
    sqlite3_close(db);
    for (int i = 0; i < 10; i++) expect(DPN_OK, charge(NULL, ledger, "0.1", &why), &why);
    expect(DPN_EBUDGET, charge(NULL, ledger, "0.1", &why), &why);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

/* A charge takes the lock before it reads what was charged: nobody comes between. */
static void who_writes_locks_first(void **state) {
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_ledger_close(place_ledger(&place, "1", "0", wal));
        dpn_store store;
        dpn_error why;
        sqlite3 *db;
        expect(DPN_OK, dpn_store_open(&store, place.ledger, false, NULL, &why), &why);
        expect(DPN_OK, dpn_store_run(&store, DPN_SQL_BEGIN_NOW, &why), &why);
        assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_BUSY);
        dpn_store_abandon(&store);
        assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        dpn_store_close(&store);
        place_remove(&place);
    }
}

static void weak_settings_are_refused(void **state) {
    (void)state;
    assert_true(dpn_store_durable("wal", 2) && dpn_store_durable("wal", 3));
    assert_false(dpn_store_durable("wal", 1) || dpn_store_durable("wal", 0));
    assert_true(dpn_store_durable("delete", 3) && dpn_store_durable("truncate", 3) && dpn_store_durable("persist", 3));
    assert_false(dpn_store_durable("delete", 2) || dpn_store_durable("truncate", 1) || dpn_store_durable("", 3));
    assert_false(dpn_store_durable("memory", 3) || dpn_store_durable("off", 3) || dpn_store_durable("delete", -1));
}

static void heads_have_one_spelling(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      ":",
                                      "1:",
                                      ":0123456789abcdef",
                                      "0:0123456789abcdef",
                                      "01:0123456789abcdef",
                                      "1:0123456789ABCDEF",
                                      "1:0123456789abcde",
                                      "1:0123456789abcdef0",
                                      "-1:0123456789abcdef",
                                      "1:0123456789abcdeg",
                                      "99999999999999999999:0123456789abcdef",
                                      "1 :0123456789abcdef"};
    dpn_error why;
    dpn_head head;
    char text[DPN_HEAD_TEXT_SIZE];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect(DPN_EPARSE, dpn_head_parse(&head, bad[i], &why), &why);
    expect(DPN_OK, dpn_head_parse(&head, "12:0123456789abcdef", &why), &why);
    assert_int_equal(head.number, 12);
    assert_int_equal(head.tag[7], 0xef);
    assert_string_equal(dpn_head_print(text, &head), "12:0123456789abcdef");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_ledger_is_its_owners_alone),
        cmocka_unit_test(a_ledger_survives_as_text),
        cmocka_unit_test(a_line_has_each_member_once),
        cmocka_unit_test(keys_are_guarded),
        cmocka_unit_test(without_an_hmac_nothing_is_opened),
        cmocka_unit_test(no_descriptor_is_kept),
        cmocka_unit_test(a_key_without_its_ledger_is_refused),
        cmocka_unit_test(files_that_are_not_ours_are_refused),
        cmocka_unit_test(inner_pages_hold_nothing_else),
        cmocka_unit_test(a_file_that_was_moved_is_not_charged),
        cmocka_unit_test(tables_that_are_not_ours_are_refused),
        cmocka_unit_test(tags_have_one_length),
        cmocka_unit_test(a_file_that_goes_back_is_refused_for_good),
        cmocka_unit_test(what_others_did_is_read),
        cmocka_unit_test(children_are_kept_out),
        cmocka_unit_test(children_open_none_that_would_be_unlocked),
        cmocka_unit_test(busy_is_a_refusal),
        cmocka_unit_test(a_wait_can_be_cancelled),
        cmocka_unit_test(who_writes_locks_first),
        cmocka_unit_test(weak_settings_are_refused),
        cmocka_unit_test(heads_have_one_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
