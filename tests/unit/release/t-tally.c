/* The tally of rows against a slow second computation, and what a tally promises about errors. */
#include "unit/random/seeded.h"
#include "unit/release/random-table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const table_options plain = {0}, skipping = {.skip = true}, unknown = {.skip = true, .unknown_keys = true};
static const table_options kinds[] = {
    {0}, {.skip = true}, {.unknown_keys = true}, {.skip = true, .unknown_keys = true}};

/* ---- Sums ---- */

static void sums_are_those_of_the_slow_tally(void **state) {
    (void)state;
    draw_source source = {1};
    seeded rng;
    seeded_begin(&rng, 1);
    for (int i = 0; i < 400; i++) {
        table_query query;
        table_random_query(&query, &source, kinds[i % 4]);
        random_table table;
        table_random(&table, &source, &query, draw_bits(&source) % 60, 10);
        slow_tally slow = table_tally(&table, &query, NULL);
        assert_false(slow.bad);
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
        table_random_query(&query, &source, kinds[i % 4]);
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

/* ---- Bad fields ---- */

static const char *const bad_numbers[] = {"inf", "nan", "0x10", "1,5", "1 2", "abc", "", " ", "--1", "1e"};

/* A table of one good row and one that is bad, without predicates. */
static dpn_status try_bad(dpn_missing missing, size_t column, dpn_field field, size_t *bad_row, dpn_error *why) {
    draw_source source = {4};
    seeded rng;
    seeded_begin(&rng, 4);
    table_query query;
    table_random_query(&query, &source, plain);
    query.query.declaration.wheres = 0;
    query.query.declaration.bys = 0;
    query.query.groups = 1;
    query.query.declaration.missing = missing;
    random_table table;
    table_random(&table, &source, &query, 3, 10);
    table.field[2 * TABLE_COLUMNS + column] = field;
    dpn_tally *tally = table_open_tally(&query, &rng);
    dpn_status status = dpn_tally_rows(tally, table.field, table.rows, bad_row, why);
    if (status) { /* nothing leaves a tally that failed */
        const dpn_group *group = NULL;
        size_t groups;
        dpn_tally *part;
        assert_int_equal(dpn_tally_settle(&group, &groups, tally, NULL), DPN_EDOMAIN);
        assert_null(group);
        assert_int_equal(dpn_tally_rows(tally, table.field, 1, NULL, NULL), DPN_EDOMAIN);
        assert_int_equal(dpn_tally_split(&part, tally, NULL), DPN_OK);
        assert_int_equal(dpn_tally_merge(part, tally, NULL), DPN_EDOMAIN);
        assert_int_equal(dpn_tally_merge(tally, part, NULL), DPN_EDOMAIN);
        dpn_tally_free(part);
    }
    dpn_tally_free(tally);
    table_free(&table);
    return status;
}

static void bad_fields_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_numbers / sizeof *bad_numbers; i++) {
        dpn_error why = {DPN_OK, ""};
        size_t row = 77;
        dpn_field field = {bad_numbers[i], strlen(bad_numbers[i])};
        bool missing = strspn(bad_numbers[i], " ") == field.length;
        assert_int_equal(try_bad(DPN_MISSING_REFUSE, TABLE_INCOME, field, &row, &why), DPN_EPARSE);
        assert_int_equal(row, 2);
        assert_int_equal(why.status, DPN_EPARSE);
        assert_non_null(strstr(why.sentence, "income"));
        if (!missing) assert_null(strstr(why.sentence, bad_numbers[i]));
        assert_null(strchr(why.sentence, '2')); /* not the row either */
        assert_int_equal(try_bad(DPN_MISSING_SKIP, TABLE_AGE, field, NULL, NULL), missing ? DPN_OK : DPN_EPARSE);
    }
    assert_int_equal(try_bad(DPN_MISSING_REFUSE, TABLE_AGE, (dpn_field){NULL, 0}, NULL, NULL), DPN_EPARSE);
    assert_int_equal(try_bad(DPN_MISSING_REFUSE, TABLE_FLAG, (dpn_field){"nan", 3}, NULL, NULL),
                     DPN_OK); /* not needed */
}

/* What leaves a row out is looked at first, and the rest of such a row is not. */
static void rows_that_are_out_are_not_read(void **state) {
    (void)state;
    draw_source source = {5};
    seeded rng;
    seeded_begin(&rng, 5);
    table_query query;
    do table_random_query(&query, &source, plain);
    while (query.query.declaration.bys != 1);
    query.query.declaration.wheres = 1;
    query.where[0] = (dpn_predicate){"flag", DPN_IS_EQUAL, "yes"};
    query.where_column[0] = TABLE_FLAG;
    random_table table;
    table_random(&table, &source, &query, 1, 1);
    table.field[TABLE_REGION] = (dpn_field){"north", 5};
    table.field[TABLE_INCOME] = (dpn_field){"bad", 3};
    table.field[TABLE_FLAG] = (dpn_field){"no", 2};
    dpn_tally *tally = table_open_tally(&query, &rng);
    table_add(tally, table.field, 1);
    table.field[TABLE_FLAG] = (dpn_field){"yes", 3};
    table.field[TABLE_REGION] = (dpn_field){"North", 5};
    table_add(tally, table.field, 1);
    table.field[TABLE_REGION] = (dpn_field){"north", 5};
    assert_int_equal(dpn_tally_rows(tally, table.field, 1, NULL, NULL), DPN_EPARSE);
    dpn_tally_free(tally);
    /* An order needs a number; a missing one satisfies nothing. */
    query.where[0] = (dpn_predicate){"flag", DPN_IS_LESS, "1"};
    tally = table_open_tally(&query, &rng);
    table.field[TABLE_FLAG] = (dpn_field){" ", 1};
    table_add(tally, table.field, 1);
    table.field[TABLE_FLAG] = (dpn_field){"yes", 3};
    assert_int_equal(dpn_tally_rows(tally, table.field, 1, NULL, NULL), DPN_EPARSE);
    dpn_tally_free(tally);
    table_free(&table);
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
    assert_int_equal(dpn_tally_rows(tally, table.field, (size_t)1 << 37, NULL, NULL), DPN_EDOMAIN);
    dpn_tally_free(tally);
    table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_the_slow_tally), cmocka_unit_test(the_order_of_rows_does_not_matter),
        cmocka_unit_test(parts_are_merged_into_the_whole),  cmocka_unit_test(bad_fields_are_refused),
        cmocka_unit_test(rows_that_are_out_are_not_read),   cmocka_unit_test(queries_without_numbers_are_refused),
        cmocka_unit_test(too_many_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
