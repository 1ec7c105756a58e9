/* Rows in blocks, column after column, against row after row: the same bytes, whatever the fields hold. */
#include "release/tally/inside.h"
#include "release/tally/row-block.h"
#include "unit/release/random-table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Hostile fields ---- */

static const char *const hostile[] = {"",
                                      " ",
                                      "\t",
                                      "NaN",
                                      "nan",
                                      "inf",
                                      "-Infinity",
                                      "1e308",
                                      "-1e308",
                                      "1e999999999999999999999",
                                      "+5",
                                      "+",
                                      "-",
                                      "-0",
                                      "-0.0",
                                      "0x1F",
                                      "0x1p3",
                                      " 7 ",
                                      "\t7",
                                      "7\t",
                                      "1 2",
                                      "1,5",
                                      "1.5.2",
                                      ".",
                                      ".5",
                                      "5.",
                                      "-.5",
                                      "e5",
                                      "1e",
                                      "1e+",
                                      "1e5",
                                      "12345678",
                                      "1234567.8",
                                      "123456789012345678",
                                      "1234567890123456789",
                                      "99999999999999999999999999999999",
                                      "0.000000000000000000000000000001",
                                      "0.49999999999999994",
                                      "1000000000000000000000.5",
                                      "00000000000000000000000018",
                                      "17.4999999999999999999999999",
                                      "17.5",
                                      "65",
                                      "1e-400",
                                      "4.9e-324",
                                      "\xff\xfe",
                                      "\xef\xbc\x95",
                                      "7\r",
                                      "\"7\"",
                                      "7'",
                                      "/7",
                                      ":7",
                                      "7/7.",
                                      "123:",
                                      "1234:",
                                      "12345678:",
                                      "the far north of the country",
                                      "p1",
                                      "north",
                                      "nort",
                                      "northh"};

/* Some fields are others: of that list, NULL, or with a NUL byte. */
static void spoil_fields(random_table *table, draw_source *source) {
    enum { COUNT = sizeof hostile / sizeof *hostile };
    for (size_t i = 0; i < table->rows * TABLE_COLUMNS; i++) {
        if (!draw_chance(source, 0.3)) continue;
        size_t which = draw_bits(source) % (COUNT + 2);
        if (which < COUNT)
            table->field[i] = (dpn_field){hostile[which], strlen(hostile[which])};
        else
            table->field[i] = which == COUNT ? (dpn_field){NULL, 0} : (dpn_field){"1\0002", 3};
    }
}

/* ---- Row after row ---- */

static const dpn_field *row_of(void *context, size_t row) {
    static dpn_field copy[TABLE_COLUMNS]; /* good until the next one, as promised, and no longer */
    memcpy(copy, (const dpn_field *)context + row * TABLE_COLUMNS, sizeof copy);
    return copy;
}

static void assert_same(dpn_tally *a, dpn_tally *b) {
    unsigned char *x, *y;
    size_t x_length, y_length;
    assert_int_equal(dpn_tally_write(&x, &x_length, a, NULL), DPN_OK);
    assert_int_equal(dpn_tally_write(&y, &y_length, b, NULL), DPN_OK);
    assert_int_equal(x_length, y_length);
    assert_memory_equal(x, y, x_length);
    dpn_tally_state_free(x, x_length);
    dpn_tally_state_free(y, y_length);
}

/* What is left of the persons after the cut is the same too. */
static void assert_settle_alike(const dpn_query *query, dpn_tally *a, dpn_tally *b) {
    size_t groups, again;
    const dpn_group *x = table_settle(&groups, a), *y = table_settle(&again, b);
    assert_int_equal(groups, again);
    for (size_t i = 0; i < groups; i++) assert_memory_equal(x[i].sum, y[i].sum, query->moments * sizeof *x[i].sum);
}

static void blocks_are_rows(void **state) {
    (void)state;
    enum { QUERIES = 400 };
    draw_source source = {1};
    size_t served = 0;
    for (uint64_t i = 0; i < QUERIES; i++) {
        table_query query;
        random_table table;
        dpn_tally_secret secret = {{(unsigned char)i}};
        table_random_query(&query, &source,
                           (table_options){.persons = i & 1, .unknown_keys = i & 2, .skip = i & 4, .value = i & 8});
        if (i % 5 > 0) query.query.declaration.wheres = query.query.declaration.nas = 0;
        served += dpn_row_block_serves(&query.query);
        size_t rows = i % 7 == 0 ? draw_bits(&source) % 3 : draw_bits(&source) % (4 * DPN_ROW_BLOCK);
        table_random(&table, &source, &query, rows, 1 + draw_bits(&source) % 20);
        spoil_fields(&table, &source);
        dpn_tally *blocks = table_open_with(&query, &secret, 1), *single = table_open_with(&query, &secret, 2);
        for (size_t at = 0, some; at < rows; at += some) { /* in batches of any size */
            some = 1 + draw_bits(&source) % (rows - at);
            table_add(blocks, table.field + at * TABLE_COLUMNS, some);
        }
        assert_int_equal(dpn_tally_add_rows(single, rows, row_of, table.field, NULL), DPN_OK);
        assert_same(blocks, single);
        assert_settle_alike(&query.query, blocks, single);
        dpn_tally_free(blocks);
        dpn_tally_free(single);
        table_free(&table);
    }
    assert_true(served > QUERIES / 2);
}

/* Each hostile text, and each of its beginnings, as the number of a row among others: alone in its block or not, the sums are the same. */
static void each_field_is_read_alike(void **state) {
    (void)state;
    draw_source source = {2};
    table_query query;
    dpn_tally_secret secret = {{7}};
    do table_random_query(&query, &source, (table_options){.skip = true});
    while (query.query.declaration.bys == 0);
    query.query.declaration.wheres = query.query.declaration.nas = 0;
    assert_true(dpn_row_block_serves(&query.query));
    random_table table;
    table_random(&table, &source, &query, DPN_ROW_BLOCK, 1);
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
        for (size_t length = 0; length <= strlen(hostile[i]); length++) {
            char *exact = malloc(length + (length == 0)); /* nothing around it may be read */
            assert_non_null(exact);
            memcpy(exact, hostile[i], length);
            size_t row = draw_bits(&source) % DPN_ROW_BLOCK,
                   column = draw_chance(&source, 0.8) ? TABLE_INCOME : TABLE_REGION;
            dpn_field before = table.field[row * TABLE_COLUMNS + column];
            table.field[row * TABLE_COLUMNS + column] = (dpn_field){exact, length};
            dpn_tally *blocks = table_open_with(&query, &secret, 1), *single = table_open_with(&query, &secret, 2);
            table_add(blocks, table.field, table.rows);
            assert_int_equal(dpn_tally_add_rows(single, table.rows, row_of, table.field, NULL), DPN_OK);
            assert_same(blocks, single);
            dpn_tally_free(blocks);
            dpn_tally_free(single);
            table.field[row * TABLE_COLUMNS + column] = before;
            free(exact);
        }
    table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_are_rows), cmocka_unit_test(each_field_is_read_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
