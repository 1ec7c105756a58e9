/* Files and SQLite tables are known by where they are, not by how they are spelled. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "place.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static dpn_table_identity identity_of(const char *source, const char *name) {
    dpn_table *table;
    dpn_error why;
    dpn_table_identity identity = {0};
    if (dpn_table_open(&table, source, &(dpn_table_options){.size = sizeof(dpn_table_options), .table = name}, &why) ||
        dpn_table_identify(&identity, table, &why))
        fail_msg("%s", why.sentence);
    dpn_table_close(table);
    return identity;
}

static void same(const char *one, const char *one_table, const char *other, const char *other_table, bool right) {
    dpn_table_identity a = identity_of(one, one_table), b = identity_of(other, other_table);
    assert_int_equal(dpn_table_identity_same(&a, &b), right);
    assert_int_equal(dpn_table_identity_same(&b, &a), right);
    dpn_table_identity_free(&a), dpn_table_identity_free(&b);
}

static void files(void **state) {
    (void)state;
    struct place place = place_make();
    char soft[100], hard[100], copy[100], spelled[200], base[80], *real = realpath(place.directory, NULL);
    snprintf(soft, sizeof soft, "%s/soft.csv", place.directory);
    snprintf(hard, sizeof hard, "%s/hard.csv", place.directory);
    snprintf(spelled, sizeof spelled, "%s/./../%s/table.csv", place.directory, strrchr(place.directory, '/') + 1);
    place_write(&place, "copy.csv", "a\n1\n", 4);
    strcpy(copy, place.file);
    place_text(&place, "a\n1\n");
    strcpy(base, place.file);
    dpn_table_identity alone = identity_of(base, NULL);
    assert_false(alone.linked);
    assert_int_equal(alone.origin, DPN_TABLE_FILE);
    assert_true(strncmp(alone.path, real, strlen(real)) == 0);
    assert_string_equal(alone.path + strlen(real), "/table.csv");
    assert_int_equal(symlink("table.csv", soft), 0);
    dpn_table_identity link_soft = identity_of(soft, NULL);
    assert_string_equal(link_soft.path, alone.path);
    assert_int_equal(link(base, hard), 0);
    dpn_table_identity link_hard = identity_of(hard, NULL);
    assert_true(link_hard.linked);
    assert_string_not_equal(link_hard.path, alone.path);
    same(base, NULL, soft, NULL, true);
    same(base, NULL, hard, NULL, true);
    same(base, NULL, spelled, NULL, true);
    same(base, NULL, copy, NULL, false); /* a copy is out of reach */

    /* Another working directory. */
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(place.directory), 0);
    same(base, NULL, "table.csv", NULL, true);
    dpn_table_identity gone, kept;
    dpn_error why;
    assert_int_equal(dpn_table_identify_path(&kept, "table.csv", &why), DPN_OK);
    unlink("hard.csv"), unlink("table.csv");
    assert_int_equal(dpn_table_identify_path(&gone, "table.csv", &why), DPN_OK);
    assert_string_equal(gone.path, kept.path);
    assert_int_equal(dpn_table_identify_path(&gone, "/nowhere/at all/x.csv", &why), DPN_EIO);
    assert_int_equal(dpn_table_identify_path(&kept, "", &why), DPN_EIO);
    dpn_table_identity_free(&gone);
    assert_int_equal(dpn_table_identify_path(&gone, "/no-such-file", &why), DPN_OK);
    assert_string_equal(gone.path, "/no-such-file");
    assert_int_equal(chdir(before), 0);
    dpn_table_identity_free(&gone), dpn_table_identity_free(&kept), dpn_table_identity_free(&alone);
    dpn_table_identity_free(&link_soft), dpn_table_identity_free(&link_hard);
    free(real);
    place_remove(&place);
}

/* A link that is turned between the opening and the question gives the rows of the one file no place of the other. */
static void a_name_that_is_turned(void **state) {
    (void)state;
    struct place place = place_make();
    char one[100], other[100], soft[100];
    dpn_table *table;
    dpn_error why;
    dpn_table_identity identity = {0};
    snprintf(soft, sizeof soft, "%s/soft.csv", place.directory);
    place_write(&place, "one.csv", "a\n1\n", 4);
    strcpy(one, place.file);
    place_write(&place, "other.csv", "a\n1\n", 4);
    strcpy(other, place.file);
    assert_int_equal(symlink(one, soft), 0);
    assert_int_equal(dpn_table_open(&table, soft, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_identify(&identity, table, &why), DPN_OK);
    dpn_table_identity_free(&identity);
    assert_int_equal(unlink(soft), 0);
    assert_int_equal(symlink(other, soft), 0);
    assert_int_equal(dpn_table_identify(&identity, table, &why), DPN_EIO);
    assert_int_equal(unlink(soft), 0); /* nor has it any place when nothing is there */
    assert_int_equal(dpn_table_identify(&identity, table, &why), DPN_EIO);
    assert_null(identity.path);
    dpn_table_close(table);
    place_remove(&place);
}

/* Whose name is removed, or led to another file, while it is open stays the file that it is. */
static void a_name_that_is_gone(void **state) {
    (void)state;
    static const char *const name[] = {"table.csv", "table.db"};
    for (size_t i = 0; i < 2; i++) {
        struct place place = place_make();
        char kept[100], hard[100], other[100];
        dpn_table *table;
        dpn_error why;
        dpn_table_identity identity = {0}, known;
        snprintf(hard, sizeof hard, "%s/hard", place.directory);
        place_write(&place, "other.csv", "a\n1\n", 4);
        strcpy(other, place.file);
        place_write(&place, name[i], "a\n1\n", 4);
        strcpy(kept, place.file);
        if (i == 1) {
            sqlite3 *db;
            assert_int_equal(unlink(kept), 0);
            assert_int_equal(sqlite3_open(kept, &db), SQLITE_OK);
            assert_int_equal(sqlite3_exec(db, "CREATE TABLE t (a)", NULL, NULL, NULL), SQLITE_OK);
            sqlite3_close(db);
        }
        assert_int_equal(link(kept, hard), 0);
        assert_int_equal(dpn_table_open(&table, hard, NULL, &why), DPN_OK);
        assert_int_equal(dpn_table_identify(&identity, table, &why), DPN_OK);
        known = (dpn_table_identity){.origin = identity.origin, .path = kept, .table = identity.table};
        assert_true(dpn_table_identity_same(&known, &identity));
        assert_int_equal(unlink(hard), 0);
        assert_true(dpn_table_identity_same(&known, &identity) && dpn_table_identity_same(&identity, &known));
        assert_int_equal(link(other, hard), 0); /* another file that took its name */
        assert_true(dpn_table_identity_same(&known, &identity) && dpn_table_identity_same(&identity, &known));
        known.path = other;
        assert_false(dpn_table_identity_same(&known, &identity));
        dpn_table_identity_free(&identity);
        assert_int_equal(dpn_table_identify(&identity, table, &why), DPN_EIO); /* and it has no place any more */
        dpn_table_close(table);
        place_remove(&place);
    }
}

/* In how many of the two orders an identity is that of a path. */
static int is_input(const dpn_table_identity *input, const char *path) {
    dpn_error why;
    dpn_table_identity file;
    assert_int_equal(dpn_table_identify_path(&file, path, &why), DPN_OK);
    int ways = dpn_table_identity_same(input, &file) + dpn_table_identity_same(&file, input);
    dpn_table_identity_free(&file);
    return ways;
}

/* Standard input that is a file is that file; a pipe is nothing but bytes. */
static void standard_input(void **state) {
    (void)state;
    struct place place = place_make();
    int kept = dup(STDIN_FILENO), ends[2];
    char byte, other[200];
    dpn_error why;
    dpn_table_identity input;
    place_text(&place, "a\n1\n");
    assert_non_null(freopen(place.file, "r", stdin));
    same("-", NULL, place.file, NULL, true);
    assert_int_equal(dpn_table_identify_path(&input, "-", &why), DPN_OK);
    assert_int_equal(input.from, 0);
    dpn_table_identity_free(&input);
    assert_int_equal(read(STDIN_FILENO, &byte, 1), 1);
    assert_int_equal(read(STDIN_FILENO, &byte, 1), 1);
    assert_int_equal(dpn_table_identify_path(&input, "-", &why), DPN_OK);
    assert_int_equal(input.from, 2);
    dpn_table_identity_free(&input);
    snprintf(other, sizeof other, "%s-other", place.file);
    assert_int_equal(link(place.file, other), 0);
    unlink(place.file); /* what has no name any more is no place */
    assert_int_equal(dpn_table_identify_path(&input, "-", &why), DPN_OK);
    assert_int_equal(input.origin, DPN_TABLE_STREAM);
    assert_null(input.path);
    place_text(&place, "a\n1\n"); /* nor is another file that took the name */
    assert_int_equal(dpn_table_identify_path(&input, "-", &why), DPN_OK);
    assert_int_equal(input.origin, DPN_TABLE_STREAM);
    assert_int_equal(is_input(&input, place.file), 0);
    assert_int_equal(is_input(&input, other), 2); /* but it is the same file by a name that is left */
    unlink(other);
    assert_int_equal(is_input(&input, other), 0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(dpn_table_identify_path(&input, "-", &why), DPN_OK);
    assert_int_equal(input.origin, DPN_TABLE_STREAM);
    assert_int_equal(is_input(&input, place.file), 0);
    close(ends[0]), close(ends[1]);
    dup2(kept, STDIN_FILENO);
    close(kept);
    place_remove(&place);
}

static void databases(void **state) {
    (void)state;
    struct place place = place_make();
    char path[100], source[120], soft[100];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/p.db", place.directory);
    snprintf(soft, sizeof soft, "%s/q.db", place.directory);
    snprintf(source, sizeof source, "sqlite:%s", path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TABLE People (a); CREATE TABLE other (a); CREATE VIEW v AS SELECT * FROM "
                                  "People",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(symlink("p.db", soft), 0);
    same(path, "People", source, "PEOPLE", true);
    same(path, "People", soft, "people", true);
    same(path, "People", path, "other", false);
    same(path, "People", path, "v", false);
    dpn_table_identity people = identity_of(path, "people"), view = identity_of(path, "v");
    assert_int_equal(people.origin, DPN_TABLE_SQLITE);
    assert_string_equal(people.table, "People");
    assert_null(people.derived);
    assert_string_equal(view.derived, "view");
    dpn_table_identity_free(&people), dpn_table_identity_free(&view);
    place_remove(&place);
}

/* What a module makes of other tables, or of files, is no table of its own: a budget for it would be another one for their rows. */
static void virtual_tables_are_derived(void **state) {
    static const char *const made[] = {"create  virtual table w using rtree(id, a, b)",
                                       "CREATE VIRTUAL TABLE w USING fts5(a)", "Create Virtual Table w Using fts4(a)",
                                       "CREATE VIRTUAL TABLE w USING dbstat"};
    (void)state;
    struct place place = place_make();
    size_t tried = 0;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        char path[100];
        sqlite3 *db;
        snprintf(path, sizeof path, "%s/%zu.db", place.directory, i);
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, "CREATE TABLE virtual_people (a)", NULL, NULL, NULL), SQLITE_OK);
        bool has = sqlite3_exec(db, made[i], NULL, NULL, NULL) == SQLITE_OK; /* not every SQLite has each module */
        sqlite3_close(db);
        dpn_table_identity plain = identity_of(path, "virtual_people");
        assert_null(plain.derived);
        dpn_table_identity_free(&plain);
        if (!has) continue;
        dpn_table_identity virtual = identity_of(path, "w");
        assert_non_null(virtual.derived);
        assert_string_equal(virtual.derived, "virtual table");
        dpn_table_identity_free(&virtual);
        tried++;
    }
    place_remove(&place);
    if (tried == 0) skip();
}

/* SQLite would follow "file:p.db" to p.db, whose rows then had the place of a file that is not there. */
static void databases_are_named_plainly(void **state) {
    (void)state;
    struct place place = place_make();
    char before[4096];
    sqlite3 *db;
    dpn_table *table;
    dpn_error why;
    dpn_table_identity opened = {0}, turned = {0};
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(place.directory), 0);
    assert_int_equal(sqlite3_open("./p.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE people (a)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(dpn_table_open(&table, "sqlite:file:p.db", NULL, &why), DPN_EIO);
    assert_int_equal(dpn_table_open(&table, "sqlite:file:p.db?mode=ro", NULL, &why), DPN_EIO);
    assert_int_equal(dpn_table_open(&table, "sqlite::memory:", NULL, &why), DPN_EIO);
    assert_int_equal(link("p.db", "file:p.db"), 0);
    same("sqlite:file:p.db", NULL, "p.db", NULL, true);
    unlink("file:p.db");
    /* Where there is a file of such a name, its own table is read and not that of p.db, or of no file. */
    static const char *const names[] = {"file:p.db", ":memory:"};
    for (int i = 0; i < 2; i++) {
        char plain[20], source[30];
        snprintf(plain, sizeof plain, "./%s", names[i]);
        snprintf(source, sizeof source, "sqlite:%s", names[i]);
        assert_int_equal(sqlite3_open(plain, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, "CREATE TABLE other (a)", NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        dpn_table_identity own = identity_of(source, NULL);
        assert_string_equal(own.table, "other");
        dpn_table_identity_free(&own);
        assert_int_equal(unlink(plain), 0);
    }

    /* A link that is turned since leads elsewhere; the rows are those of the file that was opened. */
    assert_int_equal(symlink("p.db", "soft.db"), 0);
    assert_int_equal(dpn_table_open(&table, "sqlite:soft.db", NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_identify(&opened, table, &why), DPN_OK);
    assert_int_equal(unlink("soft.db"), 0);
    assert_int_equal(symlink("elsewhere.db", "soft.db"), 0);
    assert_int_equal(dpn_table_identify(&turned, table, &why), DPN_OK);
    assert_string_equal(opened.path, turned.path);
    assert_string_equal(strrchr(turned.path, '/'), "/p.db");
    dpn_table_identity_free(&opened), dpn_table_identity_free(&turned);
    dpn_table_close(table);
    assert_int_equal(chdir(before), 0);
    place_remove(&place);
}

static void streams_and_parts(void **state) {
    (void)state;
    struct place place = place_make();
    char name[40];
    int end[2];
    assert_int_equal(pipe(end), 0);
    assert_int_equal(write(end[1], "a,b\n1,2\n", 8), 8);
    close(end[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", end[0]);
    dpn_table_identity stream = identity_of(name, NULL);
    assert_int_equal(stream.origin, DPN_TABLE_STREAM);
    assert_null(stream.path);
    assert_false(dpn_table_identity_same(&stream, &stream));
    close(end[0]);
    dpn_table *whole, *part;
    dpn_error why;
    place_text(&place, "a\n1\n2\n");
    assert_int_equal(dpn_table_open(&whole, place.file, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_part(&part, whole, 0, 1, &why), DPN_OK);
    assert_int_equal(dpn_table_identify(&stream, part, &why), DPN_EDOMAIN);
    dpn_table_close(part);
    dpn_table_close(whole);
    for (unsigned i = 0; i <= DPN_TABLE_DUCKDB; i++) assert_non_null(dpn_table_origin_name((dpn_table_origin)i));
    assert_null(dpn_table_origin_name((dpn_table_origin)(DPN_TABLE_DUCKDB + 1)));
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),
        cmocka_unit_test(a_name_that_is_turned),
        cmocka_unit_test(a_name_that_is_gone),
        cmocka_unit_test(standard_input),
        cmocka_unit_test(databases),
        cmocka_unit_test(virtual_tables_are_derived),
        cmocka_unit_test(databases_are_named_plainly),
        cmocka_unit_test(streams_and_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
