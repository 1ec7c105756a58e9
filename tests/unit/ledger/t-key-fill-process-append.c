/* The small parts: files of keys of every length and mode, words that become entries, who may open a ledger after a fork, and the hour. */
#define fsync sync_or_not
#include "ledger/key.c" /* first, for what it asks of the system; to see each piece */
#undef fsync

#include "ledger/append.c"
#include "ledger/fill.c"
#include "ledger/process.c"
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* ---- Keys ---- */

/* A disk that fails at the k-th time. */
static int syncs, broken_at;

int sync_or_not(int file) {
    (void)file;
    return ++syncs == broken_at ? -1 : 0;
}

/* Neither a key nor its name is told to be there before the disk says so; and no file stays open. */
static void keys_on_a_failing_disk(void **state) {
    (void)state;
    struct place place = place_make();
    char sentence[300];
    dpn_error why;
    int free_before = dup(0);
    assert_int_equal(close(free_before), 0);
    snprintf(sentence, sizeof sentence, "the key '%.80s' cannot be written", place.key);
    for (broken_at = 1; broken_at <= 3; broken_at++) {
        syncs = 0;
        expect(broken_at < 3 ? DPN_EIO : DPN_OK, dpn_key_make(place.key, &why), &why);
        if (broken_at < 3) assert_string_equal(why.sentence, sentence);
        assert_int_equal(syncs,
                         broken_at < 3 ? broken_at : 1); /* the key is there by then, and its name is made durable */
        if (broken_at == 1) assert_int_equal(access(place.key, F_OK), -1);
    }
    syncs = 0, broken_at = 1;
    assert_true(!dpn_sync_directory(place.key) && dpn_sync_directory(place.key));
    broken_at = 0;
    int free_after = dup(0);
    assert_int_equal(free_after, free_before);
    assert_int_equal(close(free_after), 0);
    place_remove(&place);
}

static void keys_have_one_form(void **state) {
    (void)state;
    struct place place = place_make();
    unsigned char key[DPN_KEY_SIZE + 1], zeros[DPN_KEY_SIZE] = {0};
    char text[80], sentence[300];
    dpn_error why;
    for (int length = 0; length < 70; length++)
        for (int ending = 0; ending < 3; ending++) {
            memset(text, 'a', sizeof text);
            if (length > 0 && ending) text[length - 1] = ending == 1 ? '\n' : 'g';
            write_whole(place.key, text, (size_t)length);
            assert_int_equal(chmod(place.key, 0600), 0);
            memset(key, 0x5a, sizeof key);
            bool good = length == 65 && ending == 1;
            dpn_status status = dpn_key_read(key, place.key, &why);
            if (status != (good ? DPN_OK : DPN_EIO)) fail_msg("%d bytes, ending %d: %d", length, ending, (int)status);
            assert_int_equal(key[DPN_KEY_SIZE], 0x5a);
            if (good) {
                for (int i = 0; i < DPN_KEY_SIZE; i++) assert_int_equal(key[i], 0xaa);
            } else {
                assert_memory_equal(key, zeros, DPN_KEY_SIZE);
                snprintf(sentence, sizeof sentence, "'%.80s' is not the key of a ledger", place.key);
                assert_string_equal(why.sentence, sentence);
            }
        }
    for (int at = 0; at < 65; at += 8) { /* one letter that is none */
        memset(text, '0', 64);
        text[64] = '\n';
        text[at] = 'G';
        write_whole(place.key, text, 65);
        assert_int_equal(dpn_key_read(key, place.key, NULL), DPN_EIO);
    }
    /* only the owner may read it, and nobody but the owner may do anything with it */
    text[64] = '\n', text[0] = '0';
    memset(text, '0', 64);
    for (int mode = 0; mode < 0100; mode++) {
        write_whole(place.key, text, 65);
        assert_int_equal(chmod(place.key, (mode_t)(0600 | mode)), 0);
        assert_int_equal(dpn_key_read(key, place.key, &why), mode ? DPN_EIO : DPN_OK);
        snprintf(sentence, sizeof sentence,
                 "the key '%.80s' is open to others than its owner; chmod 600 it, or make another", place.key);
        if (mode) assert_string_equal(why.sentence, sentence);
        assert_int_equal(chmod(place.key, 0600), 0);
    }
    assert_int_equal(dpn_key_read(key, place.directory, &why), DPN_EIO);
    snprintf(sentence, sizeof sentence, "the key '%.80s' is not a regular file", place.directory);
    assert_string_equal(why.sentence, sentence);
    assert_int_equal(dpn_key_read(key, place.ledger, &why), DPN_EIO);
    snprintf(sentence, sizeof sentence, "the key '%.80s' cannot be read", place.ledger);
    assert_string_equal(why.sentence, sentence);
    place_remove(&place);
}

static void keys_are_made_once(void **state) {
    (void)state;
    struct place place = place_make();
    unsigned char key[2][DPN_KEY_SIZE];
    char path[300], sentence[400];
    dpn_error why;
    struct stat stat;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dpn_key_make(place.key, &why), DPN_OK);
        assert_int_equal(dpn_key_read(key[i], place.key, &why), DPN_OK);
    }
    assert_memory_equal(key[0], key[1], DPN_KEY_SIZE);
    assert_true(lstat(place.key, &stat) == 0 && (stat.st_mode & 07777) == 0600 && stat.st_size == 65 &&
                stat.st_nlink == 1);
    snprintf(path, sizeof path, "%s/other", place.directory);
    assert_int_equal(dpn_key_make(path, NULL), DPN_OK);
    assert_int_equal(dpn_key_read(key[1], path, NULL), DPN_OK);
    assert_memory_not_equal(key[0], key[1], DPN_KEY_SIZE);
    snprintf(path, sizeof path, "%s/none/key", place.directory);
    assert_int_equal(dpn_key_make(path, &why), DPN_EIO);
    snprintf(sentence, sizeof sentence, "the key '%.80s' cannot be written", path);
    assert_string_equal(why.sentence, sentence);
    assert_true(dpn_sync_directory(place.key) && !dpn_sync_directory(path) && dpn_sync_directory("no-slash"));
    snprintf(path, sizeof path, "%s/", place.directory);
    assert_true(dpn_sync_directory(path) && dpn_sync_directory("/none"));
    place_remove(&place); /* nothing else may be left in it */
    assert_int_equal(access(place.directory, F_OK), -1);
}

/* ---- Words ---- */

static void words_become_entries(void **state) {
    (void)state;
    dpn_entry_fields entry = {.version = 7};
    dpn_error why;
    char text[DPN_LEDGER_NOTE_SIZE + 1];
    const struct {
        char *out;
        size_t size;
        const char *what;
    } field[] = {{entry.name, sizeof entry.name, "the name of a data set"},
                 {entry.user, sizeof entry.user, "the name of the user"},
                 {entry.note, sizeof entry.note, "the note"}};
    for (int f = 0; f < 3; f++)
        for (size_t length = 0; length <= field[f].size; length++) {
            char sentence[200];
            memset(text, 'x', sizeof text);
            text[length] = '\0';
            memset(field[f].out, 0x55, field[f].size);
            dpn_status status =
                dpn_entry_fill(&entry, f == 0 ? text : "a", f == 1 ? text : NULL, f == 2 ? text : NULL, &why);
            bool good = length < field[f].size && (length > 0 || f > 0);
            assert_int_equal(status, good ? DPN_OK : DPN_EDOMAIN);
            if (good) {
                assert_string_equal(field[f].out, text);
                if (length + 1 < field[f].size)
                    assert_int_equal(field[f].out[length + 1], 0x55); /* and no more is read */
            } else {
                assert_int_equal(field[f].out[0], 0x55);
                if (length)
                    snprintf(sentence, sizeof sentence, "%s has more than %zu bytes", field[f].what, field[f].size - 1);
                if (length) assert_string_equal(why.sentence, sentence);
            }
        }
    assert_int_equal(dpn_entry_fill(&entry, NULL, "a", "b", &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "the name of a data set is missing");
    assert_int_equal(entry.version, 7);
    memcpy(entry.user, "kept", 5);
    assert_int_equal(dpn_entry_fill(&entry, "a", NULL, NULL, &why), DPN_OK);
    assert_string_equal(entry.user, "kept");
}

static void json_on_one_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *line; /* NULL: refused */
        bool object;
    } row[] = {{"{}", "{}", true},     {"{\"a\":\n\r\n[1,\t2]}\n", "{\"a\":   [1,\t2]} ", true},
               {"[1]", "[1]", false},  {"[1]", NULL, true},
               {"\"a\"", NULL, true},  {"null", "null", false},
               {"", NULL, false},      {"{", NULL, true},
               {"{} {}", NULL, false}, {"\"a\nb\"", NULL, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *out = NULL;
        dpn_error why;
        dpn_status status = dpn_json_line(&out, row[i].text, "plan", row[i].object, &why);
        assert_int_equal(status, row[i].line ? DPN_OK : DPN_EPARSE);
        if (row[i].line) assert_string_equal(out, row[i].line);
        if (!row[i].line) assert_null(out);
        if (i == 3 || i == 4) assert_string_equal(why.sentence, "the plan must be a JSON object");
        free(out);
    }
}

/* ---- Processes ---- */

static void a_fork_has_the_parents_locks(void **state) {
    (void)state;
    uint64_t self = (uint64_t)getpid(), kept = atomic_load(&owner);
    dpn_error why;
    atomic_store(&owner, 0);
    for (uint64_t open = 1; open < 5; open++) {
        assert_int_equal(dpn_process_enter(&why), DPN_OK);
        assert_true(atomic_load(&owner) == (self << 32 | open));
    }
    for (uint64_t open = 4; open-- > 0;) {
        dpn_process_leave();
        assert_true(atomic_load(&owner) == (self << 32 | open));
    }
    /* of another process: nothing if none was open, and a refusal if one was */
    atomic_store(&owner, (self + 1) << 32);
    assert_int_equal(dpn_process_enter(&why), DPN_OK);
    assert_true(atomic_load(&owner) == (self << 32 | 1));
    for (uint64_t open = 1; open < 4; open++) {
        atomic_store(&owner, (self + 1) << 32 | open);
        assert_int_equal(dpn_process_enter(&why), DPN_EIO);
        assert_string_equal(why.sentence, "a ledger was open when this process was forked, and its locks are not ours: "
                                          "open ledgers after a fork, not before");
        assert_true(atomic_load(&owner) == ((self + 1) << 32 | open));
    }
    atomic_store(&owner, kept);
}

/* ---- The hour ---- */

static void numbers_of_two_digits(void **state) {
    (void)state;
    for (int number = 0; number < 10000; number += 7) {
        char out[8], wanted[8];
        memset(out, '?', sizeof out);
        assert_ptr_equal(put(out, number, 4, '-'), out + 5);
        snprintf(wanted, sizeof wanted, "%04d-??", number);
        assert_memory_equal(out, wanted, 7);
        assert_ptr_equal(put(out, number, 2, 'T'), out + 3);
        snprintf(wanted, sizeof wanted, "%02dT", number % 100);
        assert_memory_equal(out, wanted, 3);
    }
    dpn_entry_fields entry;
    bool told = false;
    time_t before = time(NULL);
    fill_in_time(&entry);
    for (time_t at = before; at <= time(NULL); at++) {
        char text[40];
        struct tm utc;
        assert_non_null(gmtime_r(&at, &utc));
        assert_int_equal(strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc), 20);
        told = told || strcmp(text, entry.time) == 0;
    }
    assert_true(told);
}

/* Several entries in one commit, of which nobody wants to know the heads; and one that does not follow, which takes the others with it. */
static void entries_of_one_commit(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_ledger *ledger = place_ledger(&place, "1", "0", false);
    dpn_error why;
    dpn_head head[2], last;
    dpn_record *record = calloc(2, sizeof *record), *read = calloc(2, sizeof *read);
    assert_true(record && read);
    for (int i = 0; i < 2; i++) {
        record[i].entry =
            (dpn_entry_fields){.kind = DPN_ENTRY_RENEWAL, .name = "people", .of = "people", .note = "a year"};
        memset(&read[i], 0x5a, sizeof read[i]);
    }
    dpn_record *const both[] = {&record[0], &record[1]};
    assert_int_equal(dpn_ledger_begin(ledger, true, &why), DPN_OK);
    assert_int_equal(dpn_ledger_append_all(NULL, ledger, both, NULL, 2, &why), DPN_OK);
    assert_int_equal(ledger->last, 4);
    assert_int_equal(dpn_ledger_begin(ledger, true, &why), DPN_OK);
    assert_int_equal(dpn_ledger_append_all(head, ledger, both, read, 2, &why), DPN_OK);
    for (int i = 0; i < 2; i++) {
        assert_true(head[i].number == 5 + (uint64_t)i && strcmp(read[i].entry.note, "a year") == 0);
        assert_string_equal(read[i].entry.time, record[i].entry.time);
    }
    record[1].entry.note[0] = '\0'; /* which says why no longer */
    assert_int_equal(dpn_ledger_begin(ledger, true, &why), DPN_OK);
    assert_int_equal(dpn_ledger_append_all(head, ledger, both, NULL, 2, &why), DPN_EDOMAIN);
    assert_true(ledger->stale && sqlite3_get_autocommit(ledger->store.db));
    expect(DPN_OK, dpn_ledger_count(NULL, &last, ledger, &why), &why);
    assert_int_equal(last.number, 6);
    assert_int_equal(dpn_ledger_begin(ledger, true, &why), DPN_OK);
    assert_int_equal(dpn_ledger_append(NULL, ledger, &record[0], NULL, &why), DPN_OK);
    expect(DPN_OK, dpn_ledger_verify(&last, ledger, NULL, 0, &why), &why);
    assert_int_equal(last.number, 7);
    free(record);
    free(read);
    dpn_ledger_close(ledger);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_on_a_failing_disk), cmocka_unit_test(keys_have_one_form),
        cmocka_unit_test(keys_are_made_once),     cmocka_unit_test(words_become_entries),
        cmocka_unit_test(json_on_one_line),       cmocka_unit_test(a_fork_has_the_parents_locks),
        cmocka_unit_test(numbers_of_two_digits),  cmocka_unit_test(entries_of_one_commit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
