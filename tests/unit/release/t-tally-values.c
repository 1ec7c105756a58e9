/* Rows as texts, as values and as columns: the same sums. */
#include "unit/release/random-table.h"

#include <dpnoise/number.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Three ways ---- */

/* A field that cannot be used where a number is needed. */
static bool is_blank(dpn_field field) {
    char *end;
    if (!field.text || strspn(field.text, "0123456789+-.eE \t") < field.length || strcmp(field.text, "-9") == 0)
        return true;
    (void)strtod(field.text, &end);
    return end == field.text || end[strspn(end, " \t")] != '\0';
}

/* A value that stands for a text of a random table: of the same number, or the same bytes. */
static dpn_value typed(dpn_field field, size_t column, draw_source *source) {
    bool number = column == TABLE_INCOME || column == TABLE_AGE;
    char *end;
    if (!field.text) return (dpn_value){.kind = DPN_VALUE_MISSING};
    if (number && is_blank(field) && draw_chance(source, 0.5))
        return (dpn_value){.kind = DPN_VALUE_REAL, .as = {.real = NAN}};
    long long whole = strtoll(field.text, &end, 10);
    bool digits = end != field.text && end[strspn(end, " ")] == '\0' && field.length < 18;
    if (digits && (number || strcmp(field.text, "1") == 0) && draw_chance(source, 0.5))
        return (dpn_value){.kind = DPN_VALUE_INTEGER, .as = {.integer = whole}};
    if (number && !is_blank(field) && draw_chance(source, 0.8))
        return (dpn_value){.kind = DPN_VALUE_REAL, .as = {.real = strtod(field.text, NULL)}};
    return (dpn_value){.kind = DPN_VALUE_TEXT, .as = {.text = field}};
}

static void add_values(dpn_tally *tally, const random_table *table, draw_source *source) {
    dpn_value *value = calloc(table->rows * TABLE_COLUMNS + 1, sizeof *value);
    dpn_error why;
    assert_non_null(value);
    for (size_t i = 0; i < table->rows * TABLE_COLUMNS; i++)
        value[i] = typed(table->field[i], i % TABLE_COLUMNS, source);
    if (dpn_tally_values(tally, value, table->rows, &why)) fail_msg("%s", why.sentence);
    free(value);
}

/* Numbers as doubles in records of 12 bytes that begin anywhere, texts as they are; what is missing by its bit or as NaN. */
enum { STRIDE = 12, SKIPPED = 3 };

static void add_columns(dpn_tally *tally, const random_table *table, draw_source *source) {
    size_t rows = table->rows + SKIPPED;
    unsigned char *numbers = calloc(2 * rows, STRIDE), *valid = calloc(TABLE_COLUMNS, rows / 8 + 1);
    dpn_column column[TABLE_COLUMNS];
    dpn_error why;
    assert_true(numbers && valid);
    for (size_t j = 0; j < TABLE_COLUMNS; j++) {
        unsigned char *bits = valid + j * (rows / 8 + 1);
        bool number = j == TABLE_INCOME || j == TABLE_AGE;
        unsigned char *data = numbers + (j == TABLE_AGE ? rows * STRIDE : 0) + 1;
        for (size_t i = 0; i < table->rows; i++) {
            dpn_field field = table->field[i * TABLE_COLUMNS + j];
            bool is_nan = number && is_blank(field) && draw_chance(source, 0.5);
            if (number ? !is_blank(field) || is_nan : field.text != NULL)
                bits[(i + SKIPPED) / 8] |= (unsigned char)(1 << (i + SKIPPED) % 8);
            double real = is_nan || is_blank(field) ? NAN : strtod(field.text, NULL);
            if (number) memcpy(data + (i + SKIPPED) * STRIDE, &real, sizeof real);
        }
        if (number)
            column[j] = (dpn_column){DPN_VALUE_REAL, data, STRIDE, bits, SKIPPED};
        else /* the first row of a table of fields, as the row SKIPPED */
            column[j] = (dpn_column){DPN_VALUE_TEXT, table->field + j, TABLE_COLUMNS * sizeof(dpn_field), NULL, 0};
    }
    if (dpn_tally_columns(tally, column, table->rows, &why)) fail_msg("%s", why.sentence);
    free(numbers);
    free(valid);
}

static void three_ways_have_the_same_sums(void **state) {
    (void)state;
    draw_source source = {1};
    seeded rng;
    seeded_begin(&rng, 1);
    for (int i = 0; i < 300; i++) {
        table_query query;
        random_table table;
        table_random_query(&query, &source,
                           (table_options){.persons = i % 3 == 0, .unknown_keys = i % 2, .skip = i % 4 < 2});
        query.query.declaration.max_rows = query.query.declaration.max_groups = 100;
        table_random(&table, &source, &query, draw_bits(&source) % 50, 5);
        slow_tally slow = table_tally(&table, &query, NULL);
        for (int way = 0; way < 3; way++) {
            dpn_tally *tally = table_open_tally(&query, &rng);
            if (way == 0) table_add(tally, table.field, table.rows);
            if (way == 1) add_values(tally, &table, &source);
            if (way == 2) add_columns(tally, &table, &source);
            table_assert_settles_to(&query, tally, &slow);
            dpn_tally_free(tally);
        }
        slow_free(&slow);
        table_free(&table);
    }
}

/* ---- Texts of numbers ---- */

/* A query by one unknown key, with neither numbers nor predicates. */
static void key_query(table_query *out) {
    draw_source source = {2};
    table_random_query(out, &source, (table_options){.unknown_keys = true});
    out->query.declaration.bys = 1;
    out->query.declaration.wheres = 0;
    out->by[0] = (dpn_grouping){.column = "region"};
    out->query.measures = out->query.histograms = out->query.trees = out->query.quantiles = 0;
    out->query.moments = out->query.columns = 1;
}

static void assert_key(dpn_value value, const char *text) {
    table_query query;
    seeded rng;
    dpn_error why;
    seeded_begin(&rng, 2);
    key_query(&query);
    dpn_tally *tally = table_open_tally(&query, &rng);
    if (dpn_tally_values(tally, &value, 1, &why)) fail_msg("%s", why.sentence);
    size_t groups;
    const dpn_group *group = table_settle(&groups, tally);
    assert_int_equal(groups, 1);
    assert_string_equal(group[0].key[0], text);
    dpn_tally_free(tally);
}

static void numbers_are_their_shortest_texts(void **state) {
    (void)state;
    draw_source source = {3};
    char text[DPN_NUMBER_SIZE];
    for (int i = 0; i < 3000; i++) {
        uint64_t bits = draw_bits(&source);
        double x = (double)(int64_t)(bits % 2000000 - 1000000) / pow(10, (double)(i % 7));
        if (i % 5 == 0) memcpy(&x, &bits, sizeof x);
        if (i % 5 == 1) x = ldexp(x, (int)(bits % 60) - 30);
        if (i % 5 == 2) x = rint(ldexp((double)(bits >> 11), (int)(bits % 12) - 6)); /* about 10^15 */
        if (!isfinite(x) || x == 0) continue;
        assert_key((dpn_value){.kind = DPN_VALUE_REAL, .as = {.real = x}}, dpn_number_print(text, x));
    }
    static const struct {
        int64_t integer;
        const char *text;
    } whole[] = {
        {0, "0"}, {7, "7"}, {-10, "-10"}, {INT64_MAX, "9223372036854775807"}, {INT64_MIN, "-9223372036854775808"}};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        assert_key((dpn_value){.kind = DPN_VALUE_INTEGER, .as = {.integer = whole[i].integer}}, whole[i].text);
    assert_key((dpn_value){.kind = DPN_VALUE_REAL, .as = {.real = -0.0}}, "0");
    assert_key((dpn_value){.kind = DPN_VALUE_REAL, .as = {.real = 0.05}}, "0.05");
    assert_key((dpn_value){.kind = DPN_VALUE_REAL, .as = {.real = -1e-4}}, "-0.0001");
    assert_key((dpn_value){.kind = DPN_VALUE_REAL, .as = {.real = NAN}}, ""); /* as a NULL */
    assert_key((dpn_value){.kind = DPN_VALUE_MISSING}, "");
}

/* ---- Nothing ---- */

/* A column of nothing needs no data, whatever its stride. (A sanitizer sees an offset from NULL.) */
static void a_missing_column_needs_no_data(void **state) {
    (void)state;
    table_query query;
    seeded rng;
    draw_source source = {5};
    seeded_begin(&rng, 5);
    table_random_query(&query, &source, (table_options){.skip = true});
    query.query.declaration.wheres = query.query.declaration.bys = 0;
    query.query.groups = 1;
    dpn_field field[3 * TABLE_COLUMNS] = {{NULL, 0}};
    dpn_column column[TABLE_COLUMNS];
    for (size_t i = 0; i < TABLE_COLUMNS; i++) column[i] = (dpn_column){DPN_VALUE_MISSING, NULL, 8, NULL, 1};
    random_table table = {.field = field, .rows = 3};
    slow_tally slow = table_tally(&table, &query, NULL);
    dpn_tally *tally = table_open_tally(&query, &rng);
    assert_int_equal(dpn_tally_columns(tally, column, 3, NULL), DPN_OK);
    table_assert_settles_to(&query, tally, &slow);
    dpn_tally_free(tally);
    slow_free(&slow);
}

/* ---- Refusals ---- */

static void what_is_no_value_is_refused(void **state) {
    (void)state;
    table_query query;
    seeded rng;
    draw_source source = {4};
    seeded_begin(&rng, 4);
    table_random_query(&query, &source, (table_options){0});
    query.query.declaration.wheres = query.query.declaration.bys = 0;
    query.query.groups = 1;
    dpn_value row[2 * TABLE_COLUMNS];
    for (size_t i = 0; i < 2 * TABLE_COLUMNS; i++)
        row[i] = (dpn_value){.kind = DPN_VALUE_INTEGER, .as = {.integer = 1}};
    dpn_tally *tally = table_open_tally(&query, &rng);
    row[3].kind = (dpn_value_kind)17;
    assert_int_equal(dpn_tally_values(tally, row, 2, NULL), DPN_EDOMAIN);
    row[3].kind = DPN_VALUE_INTEGER;
    assert_int_equal(dpn_tally_values(tally, NULL, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_values(NULL, row, 1, NULL), DPN_EDOMAIN);
    dpn_column column[TABLE_COLUMNS] = {{.kind = DPN_VALUE_MISSING}};
    assert_int_equal(dpn_tally_columns(tally, NULL, 1, NULL), DPN_EDOMAIN);
    column[2].kind = (dpn_value_kind)17;
    assert_int_equal(dpn_tally_columns(tally, column, 1, NULL), DPN_EDOMAIN);
    column[2].kind = DPN_VALUE_REAL; /* without data */
    assert_int_equal(dpn_tally_columns(tally, column, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_values(tally, row, 2, NULL), DPN_OK); /* the tally is as it was */
    row[TABLE_COLUMNS + TABLE_INCOME] = (dpn_value){.kind = DPN_VALUE_REAL, .as = {.real = INFINITY}};
    assert_int_equal(dpn_tally_values(tally, row, 2, NULL), DPN_OK); /* as "inf": the second row is left out */
    size_t groups;
    assert_int_equal(table_settle(&groups, tally)->sum[0], 3);
    dpn_tally_free(tally);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_ways_have_the_same_sums),
        cmocka_unit_test(numbers_are_their_shortest_texts),
        cmocka_unit_test(a_missing_column_needs_no_data),
        cmocka_unit_test(what_is_no_value_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
