/* The tally of rows against a slow second computation, and what a tally promises about errors. */
#include "unit/random/seeded.h"
#include "unit/release/random-table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const table_options plain = {0}, skipping = {.skip = true}, unknown = {.skip = true, .unknown_keys = true};
static const table_options kinds[] = {{0},
                                      {.skip = true},
                                      {.unknown_keys = true},
                                      {.skip = true, .unknown_keys = true},
                                      {.skip = true, .value = true},
                                      {.skip = true, .left_out = true},
                                      {.skip = true, .unknown_keys = true, .left_out = true},
                                      {.skip = true, .value = true, .left_out = true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- Sums ---- */

static void sums_are_those_of_the_slow_tally(void **state) {
    (void)state;
    draw_source source = {1};
    seeded rng;
    seeded_begin(&rng, 1);
    for (int i = 0; i < 400; i++) {
        table_query query;
        table_random_query(&query, &source, kinds[i % KINDS]);
        random_table table;
        table_random(&table, &source, &query, draw_bits(&source) % 60, 10);
        slow_tally slow = table_tally(&table, &query, NULL);
        dpn_tally *tally = table_open_tally(&query, &rng);
        size_t half = table.rows / 2, groups;
        table_add(tally, table.field, half);
        table_add(tally, table.field + half * TABLE_COLUMNS, table.rows - half);
        const dpn_group *group = table_settle(&groups, tally);
        table_assert_same(&query.query, group, groups, &slow);
        assert_ptr_equal(table_settle(&groups, tally), group); /* a second look is the same */
        dpn_tally_free(tally);
        slow_free(&slow);
        table_free(&table);
    }
}

static void shuffle(dpn_field *field, size_t rows, draw_source *source) {
    for (size_t i = rows; i > 1; i--) {
        size_t j = draw_bits(source) % i;
        dpn_field row[TABLE_COLUMNS];
        memcpy(row, field + j * TABLE_COLUMNS, sizeof row);
        memcpy(field + j * TABLE_COLUMNS, field + (i - 1) * TABLE_COLUMNS, sizeof row);
        memcpy(field + (i - 1) * TABLE_COLUMNS, row, sizeof row);
    }
}

static void try_permutations(table_options options, int count) {
    draw_source source = {2};
    seeded rng;
    seeded_begin(&rng, 2);
    table_query query;
    table_random_query(&query, &source, options);
    query.query.declaration.max_rows = query.query.declaration.max_groups = 300; /* nobody is cut */
    random_table table;
    table_random(&table, &source, &query, 300, 10);
    slow_tally slow = table_tally(&table, &query, NULL);
    for (int i = 0; i < count; i++) {
        shuffle(table.field, table.rows, &source);
        dpn_tally *tally = table_open_tally(&query, &rng);
        table_add(tally, table.field, table.rows);
        table_assert_settles_to(&query, tally, &slow);
        dpn_tally_free(tally);
    }
    slow_free(&slow);
    table_free(&table);
}

static void the_order_of_rows_does_not_matter(void **state) {
    (void)state;
    try_permutations(skipping, 1000);
    try_permutations(unknown, 1000);
    try_permutations((table_options){.persons = true}, 1000);
}

static void parts_are_merged_into_the_whole(void **state) {
    (void)state;
    draw_source source = {3};
    seeded rng;
    seeded_begin(&rng, 3);
    dpn_error why;
    for (int i = 0; i < 100; i++) {
        table_query query;
        table_random_query(&query, &source, kinds[i % KINDS]);
        random_table table;
        table_random(&table, &source, &query, 90, 10);
        slow_tally slow = table_tally(&table, &query, NULL);
        dpn_tally *part[3] = {table_open_tally(&query, &rng)};
        for (int j = 1; j < 3; j++)
            if (dpn_tally_split(&part[j], part[0], &why)) fail_msg("%s", why.sentence);
        for (size_t j = 0; j < table.rows; j++)
            table_add(part[draw_bits(&source) % 3], table.field + j * TABLE_COLUMNS, 1);
        size_t groups;
        const dpn_group *group;
        if (dpn_tally_merge(part[2], part[1], &why) || dpn_tally_merge(part[0], part[2], &why))
            fail_msg("%s", why.sentence);
        table_assert_settles_to(&query, part[0], &slow);
        for (int j = 1; j < 3; j++) assert_int_equal(dpn_tally_settle(&group, &groups, part[j], &why), DPN_EDOMAIN);
        for (int j = 0; j < 3; j++) dpn_tally_free(part[(j + i) % 3]); /* in any order */
        slow_free(&slow);
        table_free(&table);
    }
}

/* ---- Rows that cannot be used ---- */

static void simple_query(table_query *query, table_options options) {
    draw_source source = {4};
    table_random_query(query, &source, options);
    query->query.declaration.wheres = 0;
    query->query.declaration.bys = 0;
    query->query.groups = 1;
    query->query.known_keys = true;
}

/* How many rows a tally of one group has used, and left out. */
static void assert_rows(dpn_tally *tally, const table_query *query, int64_t used, int64_t left_out) {
    size_t groups;
    const dpn_group *group = table_settle(&groups, tally);
    assert_int_equal(groups, 1);
    assert_int_equal(group->sum[0], used);
    assert_int_equal(query->query.moment[query->query.moments - 1].kind, DPN_MOMENT_LEFT_OUT);
    assert_int_equal(group->sum[query->query.moments - 1], left_out);
}

static const char *const bad_numbers[] = {"inf", "nan", "0x10", "1,5", "1 2",  "abc",
                                          "",    " ",   "--1",  "1e",  "\xff", "-9"};

/* Two good rows and one that has a bad field are two rows, or three if such a field takes a value; nothing fails. */
static void bad_fields_leave_their_row_out(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_numbers / sizeof *bad_numbers; i++)
        for (int value = 0; value < 2; value++) {
            table_query query;
            draw_source source = {5};
            seeded rng;
            seeded_begin(&rng, 4);
            simple_query(&query, (table_options){.left_out = true, .value = value});
            random_table table;
            table_random(&table, &source, &query, 3, 10);
            query.query.declaration.nas = 2;
            dpn_field *row = table.field + 2 * TABLE_COLUMNS;
            row[TABLE_INCOME] = (dpn_field){bad_numbers[i], strlen(bad_numbers[i])};
            dpn_tally *tally = table_open_tally(&query, &rng);
            dpn_error why = {DPN_OK, ""};
            assert_int_equal(dpn_tally_explain(tally, row, &why), value ? DPN_OK : DPN_EPARSE);
            if (!value) assert_non_null(strstr(why.sentence, "income"));
            if (!value && strspn(bad_numbers[i], " ") < strlen(bad_numbers[i]))
                assert_null(strstr(why.sentence, bad_numbers[i]));
            assert_int_equal(dpn_tally_explain(tally, table.field, &why), DPN_OK);
            row[TABLE_FLAG] = (dpn_field){"nan", 3}; /* not needed */
            table_add(tally, table.field, 3);
            assert_rows(tally, &query, value ? 3 : 2, !value);
            dpn_tally_free(tally);
            table_free(&table);
        }
}

/* Rows of which a source could make no fields take the value in each column, or are left out. With predicates, groups or persons they
 * can only be left out, and with the last two they are not counted. */
static void rows_without_fields(void **state) {
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        table_query query;
        seeded rng;
        seeded_begin(&rng, 4);
        simple_query(&query, (table_options){.left_out = true, .value = kind != 1, .persons = kind == 3});
        if (kind == 2) {
            query.query.declaration.wheres = 1;
            query.where[0] = (dpn_predicate){"flag", DPN_IS_EQUAL, "yes"};
            query.where_column[0] = TABLE_FLAG;
        }
        if (kind == 4) { /* the one group is that of a declared level */
            query.by[0].levels = 1;
            query.query.declaration.bys = 1;
        }
        dpn_tally *tally = table_open_tally(&query, &rng);
        assert_int_equal(dpn_tally_unusable(tally, 5, NULL), DPN_OK);
        assert_int_equal(dpn_tally_unusable(tally, UINT64_C(1) << 37, NULL), DPN_EDOMAIN);
        dpn_tally_free(tally);
        tally = table_open_tally(&query, &rng);
        assert_int_equal(dpn_tally_unusable(tally, 5, NULL), DPN_OK);
        assert_rows(tally, &query, kind == 0 ? 5 : 0, kind == 1 || kind == 2 ? 5 : 0);
        if (kind == 0) { /* 20.25, clamped to the bounds and on the grid */
            size_t groups;
            const dpn_group *group = table_settle(&groups, tally);
            dpn_field row[TABLE_COLUMNS] = {{NULL, 0}};
            row[TABLE_INCOME] = row[TABLE_AGE] = (dpn_field){"20.25", 5};
            dpn_tally *other = table_open_tally(&query, &rng);
            for (int i = 0; i < 5; i++) table_add(other, row, 1);
            const dpn_group *same = table_settle(&groups, other);
            assert_memory_equal(group->sum, same->sum, query.query.moments * sizeof *same->sum);
            dpn_tally_free(other);
        }
        dpn_tally_free(tally);
    }
}

/* A row for which a predicate says no is not asked for, whatever else it holds; one that is compared by size needs a number. */
static void predicates_come_first(void **state) {
    (void)state;
    seeded rng;
    seeded_begin(&rng, 5);
    table_query query;
    draw_source source = {5};
    simple_query(&query, (table_options){.left_out = true});
    query.query.declaration.wheres = 2;
    query.where[0] = (dpn_predicate){"age", DPN_IS_LESS, "50"};
    query.where[1] = (dpn_predicate){"flag", DPN_IS_EQUAL, "yes"};
    query.where_column[0] = TABLE_AGE;
    query.where_column[1] = TABLE_FLAG;
    random_table table;
    table_random(&table, &source, &query, 1, 1);
    static const struct {
        const char *age, *flag, *income;
        int64_t used, left_out;
    } cases[] = {{"1", "yes", "1", 1, 0}, {"1", "no", "bad", 0, 0},  {"60", "yes", "bad", 0, 0},
                 {"x", "no", "1", 0, 0},  {"x", "yes", "1", 0, 1},   {"", "yes", "1", 0, 1},
                 {"1", "", "1", 0, 0},    {"1", "yes", "bad", 0, 1}, {"", "yes", "bad", 0, 1},
                 {"x", "", "bad", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_tally *tally = table_open_tally(&query, &rng);
        table.field[TABLE_AGE] = (dpn_field){cases[i].age, strlen(cases[i].age)};
        table.field[TABLE_FLAG] = (dpn_field){cases[i].flag, strlen(cases[i].flag)};
        table.field[TABLE_INCOME] = (dpn_field){cases[i].income, strlen(cases[i].income)};
        assert_int_equal(dpn_tally_explain(tally, table.field, NULL), cases[i].left_out ? DPN_EPARSE : DPN_OK);
        table_add(tally, table.field, 1);
        assert_rows(tally, &query, cases[i].used, cases[i].left_out);
        dpn_tally_free(tally);
    }
    table_free(&table);
}

/* Keys that are no texts are not groups, and not counted as left out: they have no group. */
static void keys_are_texts(void **state) {
    (void)state;
    static const dpn_field keys[] = {{"north", 5}, {"\xff", 1}, {"a\0b", 3}, {"\xc3\xa4", 2}, {NULL, 0}};
    seeded rng;
    seeded_begin(&rng, 6);
    for (int persons = 0; persons < 2; persons++) {
        table_query query;
        draw_source source = {7};
        table_random_query(&query, &source,
                           (table_options){.left_out = true, .persons = persons, .unknown_keys = true});
        query.query.declaration.wheres = 0;
        query.query.declaration.bys = 1;
        query.by[0].level = NULL;
        query.by[0].levels = 0;
        random_table table;
        table_random(&table, &source, &query, 5, 1000);
        dpn_tally *tally = table_open_tally(&query, &rng);
        for (size_t i = 0; i < 5; i++) {
            table.field[i * TABLE_COLUMNS + TABLE_REGION] = keys[i];
            dpn_status told = i == 1 || i == 2 ? DPN_EPARSE : DPN_OK;
            assert_int_equal(dpn_tally_explain(tally, table.field + i * TABLE_COLUMNS, NULL), told);
        }
        table_add(tally, table.field, 5);
        size_t groups;
        const dpn_group *group = table_settle(&groups, tally);
        assert_int_equal(groups, 3);
        assert_string_equal(group[0].key[0], "");
        assert_string_equal(group[1].key[0], "north");
        assert_string_equal(group[2].key[0], "\xc3\xa4");
        dpn_tally_free(tally);
        table_free(&table);
    }
}

static void queries_without_numbers_are_refused(void **state) {
    (void)state;
    draw_source source = {6};
    seeded rng;
    seeded_begin(&rng, 6);
    dpn_tally *tally = NULL;
    static const char *const values[] = {"abc", "", "1e9999999999"};
    for (size_t i = 0; i < 3; i++) {
        table_query query;
        table_random_query(&query, &source, plain);
        query.query.declaration.wheres = 1;
        query.where[0] = (dpn_predicate){"age", DPN_IS_LESS, (char *)values[i]};
        assert_int_equal(dpn_tally_new(&tally, &query.query, &rng.rng, NULL), DPN_EDOMAIN);
        query.query.declaration.wheres = 0;
        char *edges[] = {"0", (char *)values[i], "3"};
        query.bins[0].edge = edges;
        query.bins[0].edges = 3;
        assert_int_equal(dpn_tally_new(&tally, &query.query, &rng.rng, NULL), DPN_EDOMAIN);
        edges[1] = "0.0"; /* no further than the first */
        assert_int_equal(dpn_tally_new(&tally, &query.query, &rng.rng, NULL), DPN_EDOMAIN);
        assert_null(tally);
    }
    assert_int_equal(dpn_tally_new(&tally, NULL, &rng.rng, NULL), DPN_EDOMAIN);
}

/* So many rows that a sum could leave an int64_t are refused before one of them is looked at. */
static void too_many_rows_are_refused(void **state) {
    (void)state;
    draw_source source = {7};
    seeded rng;
    seeded_begin(&rng, 7);
    table_query query;
    table_random_query(&query, &source, plain);
    random_table table;
    table_random(&table, &source, &query, 1, 1);
    query.moment[2].bound = INT64_MAX / 3;
    dpn_tally *tally = table_open_tally(&query, &rng), *part = NULL;
    assert_int_equal(dpn_tally_split(&part, tally, NULL), DPN_OK);
    for (int i = 0; i < 3; i++) table_add(tally, table.field, 1);
    table_add(part, table.field, 1);
    assert_int_equal(dpn_tally_merge(tally, part, NULL), DPN_EDOMAIN);
    dpn_tally_free(tally);
    dpn_tally_free(part);
    query.moment[2].bound = 1;
    tally = table_open_tally(&query, &rng);
    assert_int_equal(dpn_tally_rows(tally, table.field, (size_t)1 << 37, NULL), DPN_EDOMAIN);
    /* What has failed counts no further row and has no sums. */
    const dpn_group *group = NULL;
    size_t groups = 0;
    assert_int_equal(dpn_tally_rows(tally, table.field, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_settle(&group, &groups, tally, NULL), DPN_EDOMAIN);
    assert_true(group == NULL && groups == 0);
    dpn_tally_free(tally);
    table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_the_slow_tally),
        cmocka_unit_test(the_order_of_rows_does_not_matter),
        cmocka_unit_test(parts_are_merged_into_the_whole),
        cmocka_unit_test(bad_fields_leave_their_row_out),
        cmocka_unit_test(rows_without_fields),
        cmocka_unit_test(predicates_come_first),
        cmocka_unit_test(keys_are_texts),
        cmocka_unit_test(queries_without_numbers_are_refused),
        cmocka_unit_test(too_many_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
