/* SQLite files: names that need quotes, views, every kind of value, and files that are none. */
#define _POSIX_C_SOURCE 200809L
#include "place.h"

#include <dpnoise/number.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A database in the place, made by these statements. */
static void make(struct place *place, const char *sql) {
    sqlite3 *db;
    snprintf(place->file, sizeof place->file, "%.60s/t.db", place->directory);
    unlink(place->file);
    assert_int_equal(sqlite3_open(place->file, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL)) fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void reads(const char *source, const char *table, const char *right) {
    char *rows = NULL;
    dpn_error why;
    if (read_source(&rows, source, &(dpn_table_options){.size = sizeof(dpn_table_options), .table = table}, &why))
        fail_msg("%s", why.sentence);
    assert_string_equal(rows, right);
    free(rows);
}

static void fails(const char *source, const char *table, dpn_status status, const char *words) {
    char *rows = NULL;
    dpn_error why = {DPN_OK, ""};
    assert_int_equal(
        read_source(&rows, source, &(dpn_table_options){.size = sizeof(dpn_table_options), .table = table}, &why),
        status);
    if (why.status != status || !strstr(why.sentence, words)) fail_msg("%s", why.sentence);
    free(rows);
}

static void values(void **state) {
    (void)state;
    struct place place = place_make();
    make(&place,
         "CREATE TABLE t (a, \"b \"\"c\"); INSERT INTO t VALUES (1, 0.1), (-9223372036854775808, 1e300), (NULL, ''), "
         "('x', 'a|b'), (9007199254740993, 3.0), (1e999, -1e999), (0.30000000000000004, 5e-324)");
    static const char right[] =
        "1|0.1\n-9223372036854775808|1e+300\n~|\nx|a|b\n9007199254740993|3\ninf|-inf\n0.30000000000000004|5e-324\n";
    char source[100];
    reads(place.file, NULL, right);
    snprintf(source, sizeof source, "sqlite:%s", place.file);
    reads(source, "t", right);
    reads(source, "T", right);
    place_remove(&place);
}

static void names_and_views(void **state) {
    (void)state;
    struct place place = place_make();
    make(&place, "CREATE TABLE \"my \"\"table\"\"; --\" (\"select\" INT, \"from\"); INSERT INTO \"my \"\"table\"\"; "
                 "--\" VALUES (1, 2), (3, 4); "
                 "CREATE VIEW v AS SELECT \"from\" + 1 AS x, 'lit' FROM \"my \"\"table\"\"; --\" WHERE \"select\" > 1");
    reads(place.file, "my \"table\"; --", "1|2\n3|4\n");
    reads(place.file, "v", "5|lit\n");
    fails(place.file, NULL, DPN_EDOMAIN, "several tables");
    fails(place.file, "w", DPN_EDOMAIN, "no table or view 'w'");
    fails(place.file, "sqlite_nothing", DPN_EDOMAIN, "no table or view");
    make(&place, "CREATE TABLE t (a); DROP TABLE t");
    fails(place.file, NULL, DPN_EPARSE, "no tables");
    make(&place, "CREATE TABLE t (\"\"); INSERT INTO t VALUES (1)");
    fails(place.file, NULL, DPN_EPARSE, "column 1 has no name");
    make(&place, "CREATE TABLE t (a); CREATE VIEW v AS SELECT * FROM t; DROP TABLE t");
    fails(place.file, "v", DPN_EPARSE, "cannot be read by itself");
    place_remove(&place);
}

/* Rows of a table that cannot be used are not delivered, and counted. */
static void leaves_out(const struct place *place, size_t row_limit, const char *right, uint64_t unusable,
                       const char *words) {
    dpn_table_options options = {.size = sizeof(dpn_table_options), .row_limit = row_limit};
    dpn_table *table;
    char *rows = NULL;
    dpn_error why = {DPN_OK, ""};
    assert_int_equal(dpn_table_open(&table, place->file, &options, &why), DPN_OK);
    if (read_all(&rows, table, &why)) fail_msg("%s", why.sentence);
    assert_string_equal(rows, right);
    assert_int_equal(dpn_table_unusable(table, &why), unusable);
    if (!strstr(why.sentence, words)) fail_msg("%s", why.sentence);
    free(rows);
    dpn_table_close(table);
}

static void values_that_cannot_be_used(void **state) {
    (void)state;
    struct place place = place_make();
    make(&place, "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2), (3, x'00ff'), (x'', 4), (5, 6)");
    leaves_out(&place, 0, "1|2\n5|6\n", 2, "row 2 holds bytes");
    make(&place, "CREATE TABLE t (a); INSERT INTO t VALUES ('x' || char(0) || 'y'), (1)");
    leaves_out(&place, 0, "1\n", 1, "row 1 holds a NUL byte");
    make(&place, "CREATE TABLE t (a); INSERT INTO t VALUES (hex(zeroblob(600000))), (1)");
    leaves_out(&place, 0, "1\n", 1, "row 1 holds a value that is longer than the limit");
    make(&place, "CREATE TABLE t (a); INSERT INTO t VALUES (hex(zeroblob(8)))");
    leaves_out(&place, 16, "0000000000000000\n", 0, "");
    make(&place, "CREATE TABLE t (a); INSERT INTO t VALUES (hex(zeroblob(9)))");
    leaves_out(&place, 16, "", 1, "row 1");
    place_remove(&place);
}

/* A column of bytes that nobody wants is no trouble; columns come in the order asked for, also twice. */
static void wants(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_table *table;
    dpn_error why;
    const dpn_field *field;
    size_t rows, total = 0;
    make(&place, "CREATE TABLE t (a, b, c); WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < "
                 "9999) INSERT INTO t "
                 "SELECT i, x'00', i * 2 FROM n");
    assert_int_equal(dpn_table_open(&table, place.file, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_want(table, (size_t[]){2, 0, 2}, 3, &why), DPN_OK);
    do {
        assert_int_equal(dpn_table_next(&field, &rows, table, &why), DPN_OK);
        for (size_t i = 0; i < rows; i++, total++) {
            char text[3][20];
            for (size_t j = 0; j < 3; j++)
                snprintf(text[j], 20, "%.*s", (int)field[3 * i + j].length, field[3 * i + j].text);
            assert_int_equal(atol(text[0]), 2 * (long)total);
            assert_int_equal(atol(text[1]), (long)total);
            assert_string_equal(text[0], text[2]);
        }
    } while (rows);
    assert_int_equal(total, 10000);
    assert_int_equal(dpn_table_rows(table), 10000);
    assert_int_equal(dpn_table_next(&field, &rows, table, &why), DPN_OK);
    assert_int_equal(rows, 0);
    dpn_table_close(table);
    assert_int_equal(dpn_table_open(&table, place.file, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_want(table, NULL, 0, &why), DPN_OK);
    for (total = 0; !dpn_table_next(&field, &rows, table, &why) && rows;) total += rows;
    assert_int_equal(total, 10000);
    dpn_table_close(table);
    place_remove(&place);
}

/* Nothing is written, and a file that is damaged is refused. */
static void the_file_stays(void **state) {
    (void)state;
    struct place place = place_make();
    static char bytes[1 << 16];
    make(&place, "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)");
    assert_int_equal(chmod(place.file, 0400), 0);
    reads(place.file, NULL, "1\n2\n");
    FILE *file = fopen(place.file, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t at = 100; at < size; at += 37) { /* behind the header */
        char *rows = NULL;
        dpn_error why = {DPN_OK, ""};
        bytes[at] = (char)~bytes[at];
        place_write(&place, "damaged.db", bytes, size);
        dpn_status status = read_source(&rows, place.file, NULL, &why);
        if (status) assert_true(why.status == status && why.sentence[0]);
        free(rows);
        bytes[at] = (char)~bytes[at];
    }
    place_write(&place, "damaged.db", bytes, 3000); /* cut off */
    fails(place.file, NULL, DPN_EPARSE, "damaged");
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values), cmocka_unit_test(names_and_views), cmocka_unit_test(values_that_cannot_be_used),
        cmocka_unit_test(wants),  cmocka_unit_test(the_file_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
