/* Comma-separated text: what is accepted and how it reads, and each refusal with its sentence. */
#define _POSIX_C_SOURCE 200809L
#include "place.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- What reads how ---- */

static const struct {
    const char *text, *rows;
} good[] = {
    {"a,b\n1,2\n", "1|2\n"},
    {"a,b\n1,2", "1|2\n"},
    {"a,b\r\n1,2\r\n3,4", "1|2\n3|4\n"},
    {"a,b\r\n1,2\n3,4\r", "1|2\n3|4\n"},
    {"a,b", ""},
    {"a,b\n", ""},
    {"a,b\r\n", ""},
    {"a\n\n\nx\n", "\n\nx\n"},
    {"\xef\xbb\xbf\"a\",b\n1,2\n", "1|2\n"},
    {"a,b\n\"1\",\"\"\n", "1|\n"},
    {"a,b\n\"x \"\"y\"\" z\",2\n", "x \"y\" z|2\n"},
    {"a,b\n\"\"\"\",\"\"\"\"\"\"\n", "\"|\"\"\n"},
    {"a,b\n 1 ,\t2\n", " 1 |\t2\n"},
    {"a,b\n,\n,\n", "|\n|\n"},
    {"a,b\n1,x\ry\n", "1|x\ry\n"},
    {"a,b\n1,2\r\r\n", "1|2\r\n"},
    {"a,\xc3\xa9\n1,\xe2\x82\xac\n", "1|\xe2\x82\xac\n"},
    {"a;b\n1,5;2\n", "1,5|2\n"},
    {"a\tb\n1\t2\n", "1|2\n"},
    {"a|b|c\n1|2|3\n", "1|2|3\n"},
    {"\"a;b;c\",d\n1,2\n", "1|2\n"}, /* delimiters in quotes do not count */
    {"a b\n1\n", "1\n"},
};

static void good_tables(void **state) {
    (void)state;
    struct place place = place_make();
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char *rows = NULL;
        dpn_error why;
        place_write(&place, "t", good[i].text, strlen(good[i].text));
        if (read_source(&rows, place.file, NULL, &why)) fail_msg("%s: %s", good[i].text, why.sentence);
        assert_string_equal(rows, good[i].rows);
        free(rows);
    }
    place_remove(&place);
}

/* ---- What is refused ---- */

#define TEXT(text) text, sizeof text - 1

static const struct {
    const char *text;
    size_t length;
    const char *words; /* of the sentence */
} bad[] = {
    {TEXT(""), "the table is empty"},
    {TEXT("\xef\xbb\xbf"), "the table is empty"},
    {TEXT("\n1\n"), "column 1 has no name"},
    {TEXT("a,,c\n1,2,3\n"), "column 2 has no name"},
    {TEXT("a,b,\n1,2,3\n"), "column 3 has no name"},
    {TEXT("a,\"\"\n1,2\n"), "column 2 has no name"},
    {TEXT("a,b,a\n1,2,3\n"), "two columns are named 'a'"},
    {TEXT("a,\"a\"\n1,2\n"), "two columns are named 'a'"},
    {TEXT("a\x1b[2J,a\x1b[2J\n"), "two columns are named 'a?[2J'"},
    {TEXT("a,\"b\n1,2\n"), "the quote that opens on line 1 is not closed"},
    {TEXT("\"a\";\"b\n1;2\n"), "the quote that opens on line 1 is not closed"},
    {TEXT("a,b\"\n1,2\n"), "line 1 has a quote within a field"},
    {TEXT("a\0,b\n1,2\n"), "the first row has a NUL byte"},
    {TEXT("a,b\r1,2\r"), "the first row has a CR within"},
    {TEXT("\xff\xfe\x61\0"), "written in UTF-16"},
    {TEXT("\xfe\xff\0\x61"), "written in UTF-16"},
    {TEXT("a\0,\0b\0\n\0"), "if the table is written in UTF-16"},
};

static void bad_tables(void **state) {
    (void)state;
    struct place place = place_make();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *rows = NULL;
        dpn_error why = {DPN_OK, ""};
        place_write(&place, "t", bad[i].text, bad[i].length);
        dpn_status status = read_source(&rows, place.file, NULL, &why);
        if (status != DPN_EPARSE || why.status != status) fail_msg("%s: %s", bad[i].text, dpn_status_name(status));
        if (!strstr(why.sentence, bad[i].words)) fail_msg("%s: %s", bad[i].text, why.sentence);
        free(rows);
    }
    place_remove(&place);
}

/* ---- Rows that cannot be used ---- */

static const struct {
    const char *text;
    size_t length;
    const char *words; /* about the first of them */
} unusable[] = {
    {TEXT("a,b\n1\n"), "the row on line 2 has 1 field, the first row has 2"},
    {TEXT("a,b\n1,2\n1,2,3\n"), "the row on line 3 has 3 fields, the first row has 2"},
    {TEXT("a,b\n1,2\n\n"), "the row on line 3 has 1 field"},
    {TEXT("a,b\n1,2\n3"), "the row on line 3 has 1 field"},
    {TEXT("a,b\n1,2,\n,\n3\n"), "the row on line 2 has 3 fields"},
    {TEXT("a,b\n1\n2,3,4\n"), "the row on line 2 has 1 field"},
    {TEXT("a,b\n1,x\"y\"\n"), "line 2 has a quote within a field that does not begin with one"},
    {TEXT("a,b\n1,5\"\n"), "line 2 has a quote within a field"},
    {TEXT("a,b\n1, \"x\"\n"), "line 2 has a quote within a field"},
    {TEXT("a,b\n1,\"x\"y\n"), "line 2 has text between a closing quote and the end of the field"},
    {TEXT("a,b\n1,\"x\" \n"), "line 2 has text between a closing quote"},
    {TEXT("a,b\n1,\"x\"\ry\n"), "line 2 has text between a closing quote"},
    {TEXT("a,b\n1,\"x\n2,3\n"), "the quote that opens on line 2 is not closed"},
    {TEXT("a,b\n1,2\n\"x,\"\"\n2,3\n"), "the quote that opens on line 3 is not closed"},
    {TEXT("a,b\n1,\0\n"), "line 2 has a NUL byte"},
    {TEXT("a,b\n\0"), "line 2 has a NUL byte"},
};

/* None is an error, none is delivered, and the good row behind them is read as ever. */
static void unusable_rows(void **state) {
    (void)state;
    struct place place = place_make();
    for (size_t i = 0; i < sizeof unusable / sizeof *unusable; i++) {
        char text[100], *rows = NULL;
        size_t length = unusable[i].length;
        memcpy(text, unusable[i].text, length);
        if (text[length - 1] != '\n') text[length++] = '\n';
        memcpy(text + length, "7,8\n", 4);
        place_write(&place, "t", text, length + 4);
        dpn_table *table;
        dpn_error why = {DPN_OK, ""};
        assert_int_equal(dpn_table_open(&table, place.file, NULL, &why), DPN_OK);
        assert_int_equal(dpn_table_unusable(table, &why), 0);
        if (read_all(&rows, table, &why)) fail_msg("%s: %s", unusable[i].text, why.sentence);
        assert_true(dpn_table_unusable(table, &why) > 0);
        if (!strstr(why.sentence, unusable[i].words)) fail_msg("%s: %s", unusable[i].text, why.sentence);
        size_t read = strlen(rows);
        assert_true(read >= 4 && strcmp(rows + read - 4, "7|8\n") == 0);
        free(rows);
        dpn_table_close(table);
    }
    place_remove(&place);
}

/* Line ends in quotes: a promise that all quotes are closed. Without it they make two rows that cannot be used. */
static void line_ends_in_quotes(void **state) {
    (void)state;
    struct place place = place_make();
    static const char text[] = "a,b\n\"1,5\",\"line\none\"\n\"1\r\n2\",\"3\"\r\n5,6\n";
    static const char *const right[] = {"5|6\n", "1,5|line\none\n1\r\n2|3\n5|6\n"};
    for (int multiline = 0; multiline < 2; multiline++) {
        dpn_table_options options = {.size = sizeof(dpn_table_options), .multiline = multiline};
        dpn_table *table, *part = NULL;
        dpn_error why = {DPN_OK, ""};
        char *rows = NULL;
        place_write(&place, "t.csv", text, sizeof text - 1);
        assert_int_equal(dpn_table_open(&table, place.file, &options, &why), DPN_OK);
        if (multiline) assert_int_equal(dpn_table_part(&part, table, 0, 2, &why), DPN_EUNSUPPORTED);
        if (read_all(&rows, table, &why)) fail_msg("%s", why.sentence);
        assert_string_equal(rows, right[multiline]);
        assert_int_equal(dpn_table_unusable(table, &why), multiline ? 0 : 4);
        if (!multiline) assert_non_null(strstr(why.sentence, "--multiline"));
        free(rows);
        dpn_table_close(table);
    }
    place_remove(&place);
}

/* ---- Options ---- */

static void reads(struct place *place, const char *name, const char *text, const dpn_table_options *options,
                  const char *right) {
    char *rows = NULL;
    dpn_error why;
    place_write(place, name, text, strlen(text));
    if (read_source(&rows, place->file, options, &why)) fail_msg("%s: %s", text, why.sentence);
    assert_string_equal(rows, right);
    free(rows);
}

static void delimiters(void **state) {
    (void)state;
    struct place place = place_make();
    reads(&place, "t.tsv", "a,b\tc\n1,2\t3\n", NULL, "1,2|3\n");
    reads(&place, "t.TAB", "a,b,c\td\n1\t3\n", NULL, "1|3\n");
    reads(&place, "t.csv", "a;b;c,d\n1,3\n", NULL, "1|3\n");
    reads(&place, "t.csv", "a;b;c\n1,3;2;4\n", NULL, "1,3|2|4\n");
    reads(&place, "t", "a;b;c,d\n1;3;2\n", NULL, "1|3|2\n");
    reads(&place, "t.csv", "a b\n1 2\n", &(dpn_table_options){.size = sizeof(dpn_table_options), .delimiter = ' '},
          "1|2\n");
    reads(&place, "t.csv", "a:b,c\n1:2\n", &(dpn_table_options){.size = sizeof(dpn_table_options), .delimiter = ':'},
          "1|2\n");
    static const char refused[] = {'"', '\r', '\n', (char)0xc3};
    for (size_t i = 0; i < sizeof refused; i++) {
        char *rows;
        dpn_error why;
        assert_int_equal(read_source(&rows, place.file,
                                     &(dpn_table_options){.size = sizeof(dpn_table_options), .delimiter = refused[i]},
                                     &why),
                         DPN_EDOMAIN);
    }
    place_remove(&place);
}

static void quotes_and_null(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_table_options literal = {.size = sizeof(dpn_table_options), .literal_quotes = true},
                      null = {.size = sizeof(dpn_table_options), .null_text = "NA"},
                      empty = {.size = sizeof(dpn_table_options), .null_text = ""};
    reads(&place, "t.tsv", "a\tb\n5\" pipe\t\"x\n", &literal, "5\" pipe|\"x\n");
    reads(&place, "t.csv", "a,b,c\nNA,\"NA\",NAN\nN,,NA\n", &null, "~|NA|NAN\nN||~\n");
    reads(&place, "t.csv", "a,b,c\n,\"\",x\r\n,,\r\n", &empty, "~||x\n~|~|~\n");
    place_remove(&place);
}

/* ---- Wants ---- */

static void wanted_columns(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_table *table;
    dpn_error why;
    const dpn_field *field;
    size_t rows, column;
    place_text(&place, "a,b,c\n1,\"x\"\"yy\"\"z\",3\r\n4,5,6\r\n");
    assert_int_equal(dpn_table_open(&table, place.file, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_columns(table), 3);
    assert_string_equal(dpn_table_column(table, 2), "c");
    assert_null(dpn_table_column(table, 3));
    assert_int_equal(dpn_table_find(&column, table, "b", &why), DPN_OK);
    assert_int_equal(column, 1);
    assert_int_equal(dpn_table_find(&column, table, "B", &why), DPN_EDOMAIN);
    assert_int_equal(dpn_table_want(table, (size_t[]){3}, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_table_want(table, (size_t[]){2, 1, 1, 0, 1}, 5, &why), DPN_OK);
    assert_int_equal(dpn_table_next(&field, &rows, table, &why), DPN_OK);
    assert_int_equal(rows, 2);
    static const char *const right[] = {"3", "x\"yy\"z", "x\"yy\"z", "1", "x\"yy\"z", "6", "5", "5", "4", "5"};
    for (size_t i = 0; i < 10; i++) {
        assert_int_equal(field[i].length, strlen(right[i]));
        assert_memory_equal(field[i].text, right[i], field[i].length);
    }
    assert_int_equal(dpn_table_want(table, (size_t[]){0}, 1, &why), DPN_EDOMAIN); /* too late */
    assert_int_equal(dpn_table_rows(table), 2);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dpn_table_next(&field, &rows, table, &why), DPN_OK);
        assert_int_equal(rows, 0);
    }
    dpn_table_close(table);
    place_remove(&place);
}

static void rows_without_columns(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_table *table;
    dpn_error why;
    const dpn_field *field;
    size_t rows;
    static char text[60000] = "a,b\n";
    for (size_t i = 4; i < sizeof text - 8; i += 4) memcpy(text + i, "1,2\n", 5);
    place_text(&place, text);
    assert_int_equal(dpn_table_open(&table, place.file, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_want(table, NULL, 0, &why), DPN_OK);
    do {
        assert_int_equal(dpn_table_next(&field, &rows, table, &why), DPN_OK);
    } while (rows);
    assert_int_equal(dpn_table_rows(table), strlen(text) / 4 - 1);
    dpn_table_close(table);
    place_remove(&place);
}

/* ---- Failures ---- */

static void failures_are_told_in_one_way(void **state) {
    (void)state;
    dpn_error why = {DPN_EPARSE, "the database is damaged at line 7"}, io = {DPN_EIO, "the packed file is cut off"};
    dpn_table_conceal(&why);
    dpn_table_conceal(&io);
    assert_int_equal(why.status, DPN_EIO);
    assert_int_equal(io.status, why.status);
    assert_string_equal(why.sentence, io.sentence);
    assert_null(strpbrk(why.sentence, "0123456789"));
}

/* ---- Sources that are none ---- */

static void no_sources(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_table *table = NULL;
    dpn_error why;
    static const struct {
        const char *source;
        dpn_status status;
        const char *words;
    } none[] = {{"/nowhere/t.csv", DPN_EIO, "there is no such file"},
                {"/tmp", DPN_EIO, "it is a directory"},
                {"sqlite:/nowhere/t.db", DPN_EIO, "cannot be opened"},
                {"", DPN_EDOMAIN, "needs a source"},
                {NULL, DPN_EDOMAIN, "needs a source"}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(dpn_table_open(&table, none[i].source, NULL, &why), none[i].status);
        if (!strstr(why.sentence, none[i].words)) fail_msg("%s", why.sentence);
    }
    place_text(&place, "a,b\n1,2\n");
    assert_int_equal(
        dpn_table_open(&table, place.file, &(dpn_table_options){.size = sizeof(dpn_table_options), .table = "t"}, &why),
        DPN_EDOMAIN);
    assert_int_equal(dpn_table_open(&table, place.file,
                                    &(dpn_table_options){.size = sizeof(dpn_table_options), .row_limit = 15}, &why),
                     DPN_EDOMAIN);
    assert_int_equal(dpn_table_open(&table, place.file,
                                    &(dpn_table_options){.size = sizeof(dpn_table_options), .row_limit = SIZE_MAX},
                                    &why),
                     DPN_EDOMAIN);
    assert_null(table);
    dpn_table_close(NULL);
    place_remove(&place);
}

/* Standard input is a pipe, or a file that somebody has already read from. */
static void standard_input(void **state) {
    (void)state;
    struct place place = place_make();
    int before = dup(0), ends[2];
    char *rows, line[4];
    dpn_error why;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "a,b\n1,2\n", 8), 8);
    close(ends[1]);
    dup2(ends[0], 0);
    close(ends[0]);
    if (read_source(&rows, "-", NULL, &why)) fail_msg("%s", why.sentence);
    assert_string_equal(rows, "1|2\n");
    free(rows);
    place_text(&place, "xyz\na,b\n3,4\n");
    assert_non_null(freopen(place.file, "r", stdin));
    assert_int_equal(read(0, line, 4), 4);
    if (read_source(&rows, "-", NULL, &why)) fail_msg("%s", why.sentence);
    assert_string_equal(rows, "3|4\n");
    free(rows);
    place_write(&place, "t.db", "SQLite format 3\0", 16);
    assert_non_null(freopen(place.file, "r", stdin));
    assert_int_equal(read_source(&rows, "-", NULL, &why), DPN_EUNSUPPORTED);
    close(0);
    assert_int_equal(read_source(&rows, "-", NULL, &why), DPN_EIO);
    assert_string_equal(why.sentence, "'standard input' cannot be opened: it is closed");
    dup2(before, 0);
    close(before);
    place_remove(&place);
}

static void parts_that_are_none(void **state) {
    (void)state;
    struct place place = place_make();
    dpn_table *table, *part = NULL;
    dpn_error why;
    const dpn_field *field;
    size_t rows;
    int ends[2];
    char path[40];
    place_text(&place, "a,b\n1,2\n");
    assert_int_equal(dpn_table_open(&table, place.file, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_parts(table), 1);
    assert_int_equal(dpn_table_part(&part, table, 2, 2, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_table_part(&part, table, 0, 0, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_table_next(&field, &rows, table, &why), DPN_OK);
    assert_int_equal(dpn_table_part(&part, table, 0, 2, &why), DPN_EDOMAIN);
    dpn_table_close(table);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "a,b\n", 4), 4);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(dpn_table_open(&table, path, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_part(&part, table, 0, 2, &why), DPN_EUNSUPPORTED);
    assert_true(isnan(dpn_table_progress(table)));
    dpn_table_close(table);
    close(ends[0]);
    assert_null(part);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_tables),
        cmocka_unit_test(bad_tables),
        cmocka_unit_test(unusable_rows),
        cmocka_unit_test(line_ends_in_quotes),
        cmocka_unit_test(delimiters),
        cmocka_unit_test(quotes_and_null),
        cmocka_unit_test(wanted_columns),
        cmocka_unit_test(rows_without_columns),
        cmocka_unit_test(failures_are_told_in_one_way),
        cmocka_unit_test(no_sources),
        cmocka_unit_test(parts_that_are_none),
        cmocka_unit_test(standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
