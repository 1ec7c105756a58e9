/* The SQLite file: what each of SQLite's troubles is told as, how long is waited, which settings are in force once it is open, and which files
 * are refused, each in its words. */
#include "ledger/store.c" /* to see each piece */

#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void troubles_are_told(void **state) {
    (void)state;
    static const struct {
        int code;
        dpn_status status;
        const char *sentence;
    } row[] = {{SQLITE_NOMEM, DPN_ENOMEM, "out of memory"},
               {SQLITE_IOERR_NOMEM & 0xff, DPN_EIO, "the ledger cannot be read or written (disk I/O error)"},
               {SQLITE_BUSY, DPN_EIO,
                "the ledger is busy: other processes kept it for 77 ms; nothing was recorded, try again"},
               {SQLITE_BUSY_SNAPSHOT, DPN_EIO,
                "the ledger is busy: other processes kept it for 77 ms; nothing was recorded, try again"},
               {SQLITE_LOCKED, DPN_EIO,
                "the ledger is busy: other processes kept it for 77 ms; nothing was recorded, try again"},
               {SQLITE_PROTOCOL, DPN_EIO,
                "the ledger is busy: other processes kept it for 77 ms; nothing was recorded, try again"},
               {SQLITE_READONLY, DPN_EIO, "the ledger cannot be written: it, or its directory, is read-only"},
               {SQLITE_READONLY_DIRECTORY, DPN_EIO, "the ledger cannot be written: it, or its directory, is read-only"},
               {SQLITE_FULL, DPN_EIO, "the ledger cannot be written: the disk is full"},
               {SQLITE_CORRUPT, DPN_EIO, "the file is damaged or no ledger (database disk image is malformed)"},
               {SQLITE_NOTADB, DPN_EIO, "the file is damaged or no ledger (file is not a database)"},
               {SQLITE_CANTOPEN, DPN_EIO, "the ledger cannot be opened"},
               {SQLITE_IOERR, DPN_EIO, "the ledger cannot be read or written (disk I/O error)"}};
    dpn_store store = {.wait = 77};
    dpn_error why;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_int_equal(dpn_store_fail(&store, row[i].code, &why), row[i].status);
        assert_string_equal(why.sentence, row[i].sentence);
    }
    store.gave_up = true;
    for (int i = 0; i < 3; i++) {
        static const int busy[] = {SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL};
        assert_int_equal(dpn_store_fail(&store, busy[i], &why), DPN_ECANCELLED);
        assert_string_equal(why.sentence, "the ledger was busy, and the wait was cancelled; nothing was recorded");
    }
    assert_int_equal(dpn_store_fail(&store, SQLITE_FULL, &why), DPN_EIO);
}

/* ---- Waiting ---- */

static bool yes(void *context) {
    ++*(int *)context;
    return true;
}

static bool no(void *context) {
    ++*(int *)context;
    return false;
}

/* A pause lasts between a half and three halves of 0.2 ms for each try, of up to twenty; there is none after the end of the wait. */
static void waits_have_an_end(void **state) {
    (void)state;
    dpn_store store = {.wait = 500, .gave_up = true};
    int asked = 0;
    int64_t before = now();
    start_clock(&store);
    assert_true(!store.gave_up && store.deadline >= before + INT64_C(500000000) &&
                store.deadline <= now() + INT64_C(500000000));
    static const int counts[] = {0, 1, 4, 19, 20, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int64_t least = 100000 * (int64_t)(counts[i] < 20 ? counts[i] + 1 : 20), shortest = INT64_MAX;
        for (int k = 0; k < 4; k++) {
            int64_t start = now();
            start_clock(&store);
            unsigned jitter = store.jitter;
            assert_int_equal(wait_a_little(&store, counts[i]), 1);
            int64_t took = now() - start;
            assert_true(took >= least && store.jitter != jitter);
            shortest = took < shortest ? took : shortest;
        }
        if (shortest > 3 * least + 300000000) fail_msg("try %d: %lld ns at least", counts[i], (long long)shortest);
    }
    store.deadline = now() - 1;
    assert_int_equal(wait_a_little(&store, 0), 0);
    assert_false(store.gave_up);
    store.cancelled = no;
    store.context = &asked;
    start_clock(&store);
    assert_int_equal(wait_a_little(&store, 0), 1);
    assert_true(asked == 1 && !store.gave_up);
    store.cancelled = yes;
    assert_int_equal(wait_a_little(&store, 0), 0);
    assert_true(asked == 2 && store.gave_up);
    store.cancelled = NULL; /* given up is given up, until another statement begins */
    assert_int_equal(wait_a_little(&store, 0), 0);
    start_clock(&store);
    assert_int_equal(wait_a_little(&store, 0), 1);
}

/* ---- Names ---- */

static void names_have_no_meaning(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {":memory:", "./:memory:"}, {"file:a?mode=ro", "./file:a?mode=ro"}, {"/tmp/a", "/tmp/a"}, {"a", "./a"}};
    for (size_t i = 0; i < 4; i++) {
        char *name = plain_name(names[i][0]);
        assert_string_equal(name, names[i][1]);
        free(name);
    }
    char out[40];
    *put_encoded(out, "a/\xff\x01 ?") = '\0';
    assert_string_equal(out, "%61%2f%ff%01%20%3f");
    *put_encoded(out, "") = '\0';
    assert_string_equal(out, "");
}

static void files_are_looked_at(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_error why;
    char text[400], second[300];
    assert_int_equal(dpn_store_check_file("", true, &why), DPN_EIO);
    assert_string_equal(why.sentence, "the name of the ledger is empty");
    assert_int_equal(dpn_store_check_file(place.ledger, true, &why), DPN_OK);
    assert_int_equal(dpn_store_check_file(place.ledger, false, &why), DPN_EIO);
    snprintf(text, sizeof text, "there is no ledger '%.80s'; dpnoise budget init makes one", place.ledger);
    assert_string_equal(why.sentence, text);
    assert_int_equal(dpn_store_check_file(place.directory, true, &why), DPN_EIO);
    snprintf(text, sizeof text, "'%.80s' is not a file", place.directory);
    assert_string_equal(why.sentence, text);
    write_whole(place.ledger, "", 0);
    assert_int_equal(dpn_store_check_file(place.ledger, false, &why), DPN_OK);
    snprintf(second, sizeof second, "%s/second", place.directory);
    assert_int_equal(link(place.ledger, second), 0);
    assert_int_equal(dpn_store_check_file(place.ledger, true, &why), DPN_EIO);
    snprintf(text, sizeof text, "the ledger '%.80s' has a second name (a hard link); remove one", place.ledger);
    assert_string_equal(why.sentence, text);
    dpn_store store; /* what is wrong is the place, not the memory */
    snprintf(second, sizeof second, "%s/none/ledger.db", place.directory);
    assert_int_equal(dpn_store_open(&store, second, true, NULL, &why), DPN_EIO);
    assert_string_equal(why.sentence, "the ledger cannot be opened");
    dpn_store_close(&store);
    place_remove(&place);
}

/* ---- Once it is open ---- */

static void says(dpn_store *store, const char *sql, const char *wanted) {
    char out[100];
    dpn_error why;
    if (ask(out, sizeof out, store, sql, &why)) fail_msg("%s: %s", sql, why.sentence);
    if (strcmp(out, wanted) != 0) fail_msg("%s: '%s', not '%s'", sql, out, wanted);
}

static void settings_are_in_force(void **state) {
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_store store;
        dpn_error why;
        dpn_ledger_options options = {.size = sizeof options, .wal = wal, .wait = wal ? 321 : 0};
        bool empty = false;
        if (dpn_store_open(&store, place.ledger, true, &options, &why)) fail_msg("%s", why.sentence);
        assert_int_equal(store.wait, wal ? 321 : 10000);
        says(&store, "PRAGMA synchronous", "3");
        says(&store, "PRAGMA journal_mode", wal ? "wal" : "truncate");
        says(&store, "PRAGMA secure_delete", "1");
        says(&store, "PRAGMA cell_size_check", "1");
        says(&store, "PRAGMA trusted_schema", "0");
        says(&store, "PRAGMA fullfsync", "1");
        says(&store, "PRAGMA checkpoint_fullfsync", "1");
        says(&store, "PRAGMA temp_store", "2");
        says(&store, "PRAGMA locking_mode", "normal");
        assert_int_equal(sqlite3_limit(store.db, SQLITE_LIMIT_LENGTH, -1), 1 << 26);
        assert_int_equal(sqlite3_limit(store.db, SQLITE_LIMIT_ATTACHED, -1), 0);
        static const int off[] = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                                  SQLITE_DBCONFIG_ENABLE_VIEW};
        int value = 7;
        for (int i = 0; i < 3; i++) {
            assert_int_equal(sqlite3_db_config(store.db, off[i], -1, &value), SQLITE_OK);
            assert_int_equal(value, 0);
        }
        assert_int_equal(sqlite3_db_config(store.db, SQLITE_DBCONFIG_DEFENSIVE, -1, &value), SQLITE_OK);
        assert_int_equal(value, 1);
        assert_non_null(store.statement[DPN_SQL_ROLLBACK]);
        char text[8] = "x";
        assert_int_equal(ask(text, sizeof text, &store, "SELECT 1 FROM nothing", &why), DPN_EIO);
        assert_string_equal(text, "");
        assert_int_equal(ask_again(text, sizeof text, &store, "SELECT NULL", &why), DPN_OK);
        assert_string_equal(text, "");
        assert_int_equal(ask_again(text, sizeof text, &store, "SELECT 1 WHERE 0", &why), DPN_OK);
        assert_string_equal(text, "");
        assert_int_equal(do_all(&store, "SELECT 1; SELECT x", &why), DPN_EIO);
        /* the schema, and one that is another's */
        assert_int_equal(dpn_store_empty(&empty, &store, &why), DPN_OK);
        assert_true(empty);
        assert_int_equal(dpn_store_make_schema(&store, &why), DPN_OK);
        assert_int_equal(dpn_store_empty(&empty, &store, &why), DPN_OK);
        assert_false(empty);
        assert_int_equal(dpn_store_check_schema(&store, &why), DPN_OK);
        assert_int_equal(dpn_store_integrity(&store, &why), DPN_OK);
        says(&store, "PRAGMA application_id", "1685089868");
        says(&store, "PRAGMA user_version", "1");
        for (int sql = 0; sql <= DPN_SQL_TWICE; sql++)
            assert_non_null(dpn_store_statement(&store, (enum dpn_sql)sql, &why));
        /* a statement that is there is made ready anew, with all of the wait */
        sqlite3_stmt *same = store.statement[DPN_SQL_SELECT];
        store.deadline = 0;
        assert_ptr_equal(dpn_store_statement(&store, DPN_SQL_SELECT, &why), same);
        assert_true(store.deadline > now());
        assert_int_equal(dpn_store_run(&store, DPN_SQL_BEGIN_NOW, &why), DPN_OK);
        assert_false(sqlite3_get_autocommit(store.db));
        assert_int_equal(dpn_store_run(&store, DPN_SQL_BEGIN, &why), DPN_EIO); /* within another */
        dpn_store_abandon(&store);
        assert_true(sqlite3_get_autocommit(store.db));
        dpn_store_abandon(&store); /* nothing to end */
        uint32_t version = dpn_store_version(&store);
        assert_true(version != 0 && dpn_store_version(&store) == version && !dpn_store_moved(&store));
        assert_int_equal(unlink(place.ledger), 0);
        assert_true(dpn_store_moved(&store));
        dpn_store_close(&store);
        assert_true(!store.db && store.wait == 0);
        place_remove(&place);
    }
}

static void schemas_of_others(void **state) {
    (void)state;
    static const char *const entry =
        "CREATE TABLE entry (number INTEGER PRIMARY KEY, text TEXT NOT NULL, tag BLOB NOT NULL)";
    static const struct {
        const char *sql, *sentence;
    } row[] = {{"PRAGMA application_id=5", "the file is not a ledger of dpnoise"},
               {"PRAGMA user_version=2", "the ledger has version 2, this program knows version 1"},
               {"PRAGMA user_version=0", "the ledger has version 0, this program knows version 1"},
               {"CREATE TABLE more (a)", "the file is not a ledger: its tables are not a ledger's"},
               {"CREATE INDEX more ON entry (text)", "the file is not a ledger: its tables are not a ledger's"},
               {"DROP TABLE result", "the file is not a ledger: its tables are not a ledger's"},
               {"DROP TABLE result; DROP TABLE entry", "the file is not a ledger: its tables are not a ledger's"},
               {"ALTER TABLE entry ADD COLUMN more TEXT", "the file is not a ledger: its tables are not a ledger's"},
               {"ALTER TABLE result RENAME TO results", "the file is not a ledger: its tables are not a ledger's"},
               {"CREATE VIEW more AS SELECT 1", "the file is not a ledger: its tables are not a ledger's"}};
    assert_string_equal(schema[0][1], entry);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct place place = place_make();
        dpn_store store;
        dpn_error why;
        sqlite3 *db;
        assert_int_equal(dpn_store_open(&store, place.ledger, true, NULL, &why), DPN_OK);
        assert_int_equal(store.wait, 10000);
        assert_int_equal(dpn_store_make_schema(&store, &why), DPN_OK);
        dpn_store_close(&store);
        assert_int_equal(sqlite3_open(place.ledger, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, row[i].sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        assert_int_equal(dpn_store_open(&store, place.ledger, false, NULL, &why), DPN_OK);
        assert_int_equal(dpn_store_check_schema(&store, &why), DPN_EIO);
        if (strcmp(why.sentence, row[i].sentence) != 0) fail_msg("%s: %s", row[i].sql, why.sentence);
        dpn_store_close(&store);
        place_remove(&place);
    }
    /* no database at all */
    struct place place = place_make();
    dpn_store store;
    dpn_error why;
    char text[5000];
    memset(text, 'x', sizeof text);
    write_whole(place.ledger, text, sizeof text);
    assert_int_equal(dpn_store_open(&store, place.ledger, false, NULL, &why), DPN_EIO);
    assert_string_equal(why.sentence, "the file is damaged or no ledger (file is not a database)");
    dpn_store_close(&store);
    place_remove(&place);
}

/* While another handle writes, a statement waits as long as it was told, and then says so; one handle has both journals' modes. */
static void a_file_that_is_kept(void **state) {
    (void)state;
    for (int wal = 0; wal < 2; wal++) {
        struct place place = place_make();
        dpn_store one, two;
        dpn_error why;
        dpn_ledger_options options = {.size = sizeof options, .wal = wal, .wait = 60};
        assert_int_equal(dpn_store_open(&one, place.ledger, true, &options, &why), DPN_OK);
        assert_int_equal(dpn_store_make_schema(&one, &why), DPN_OK);
        assert_int_equal(dpn_store_open(&two, place.ledger, false, &options, &why),
                         DPN_OK); /* keeps the journal that is there */
        says(&two, "PRAGMA journal_mode", wal ? "wal" : "truncate");
        assert_int_equal(dpn_store_run(&one, DPN_SQL_BEGIN_NOW, &why), DPN_OK);
        int64_t before = now();
        assert_int_equal(dpn_store_run(&two, DPN_SQL_BEGIN_NOW, &why), DPN_EIO);
        assert_string_equal(why.sentence,
                            "the ledger is busy: other processes kept it for 60 ms; nothing was recorded, try again");
        int64_t took = now() - before;
        assert_true(took >= INT64_C(58000000));
        dpn_store_abandon(&one);
        assert_int_equal(dpn_store_run(&two, DPN_SQL_BEGIN_NOW, &why), DPN_OK);
        dpn_store_abandon(&two);
        dpn_store_close(&two);
        dpn_store_close(&one);
        place_remove(&place);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(troubles_are_told),     cmocka_unit_test(waits_have_an_end),
        cmocka_unit_test(names_have_no_meaning), cmocka_unit_test(files_are_looked_at),
        cmocka_unit_test(settings_are_in_force), cmocka_unit_test(schemas_of_others),
        cmocka_unit_test(a_file_that_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
