/* As many equal rows of one person as a state can claim: what is kept of them is max_rows rows, in memory and from the disk, and takes no
 * longer than these. The cut drew a lot for each, which were hours; a test that takes as long has failed. */
#include "release/tally/spill.h"

#include "unit/release/random-table.h"

#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_tally *open_with_limit(const table_query *query, bool limited) {
    dpn_tally_secret secret = {{1, 2, 3}};
    dpn_error why;
    dpn_tally *tally = table_open_with(query, &secret, 4);
    if (limited && dpn_tally_set_limit(tally, 9000, "/tmp", &why)) fail_msg("%s", why.sentence);
    return tally;
}

static void set_number(unsigned char *at, uint64_t number) {
    for (int i = 0; i < 8; i++) at[i] = number >> 8 * i & 255;
}

/* The state of one row, as that of many: its places are those of state.h. */
static void claim(unsigned char *state, size_t length, size_t numbers, uint64_t rows) {
    enum { CHECK = 32, ROWS = 8 + 8 + 6 * 32 + 32, HELD = ROWS + 8 };
    set_number(state + ROWS, rows);
    set_number(state + HELD, rows);
    set_number(state + length - CHECK - 8 * (numbers + 1), rows);
    assert_int_equal(EVP_Digest(state, length - CHECK, state + length - CHECK, NULL, EVP_sha256(), NULL), 1);
}

/* Two states, which together have as many rows as there can be; on the disk, one after the other. */
static dpn_tally *add_claims(const table_query *query, const dpn_field *row, bool limited) {
    dpn_tally *one = open_with_limit(query, false), *all = open_with_limit(query, limited);
    const dpn_reader *reader = &all->shared->reader;
    unsigned char *state;
    size_t length;
    dpn_error why;
    table_add(one, row, 1);
    if (dpn_tally_write(&state, &length, one, &why)) fail_msg("%s", why.sentence);
    for (int part = 0; part < 2; part++) {
        uint64_t half = reader->most_rows / 2;
        claim(state, length, dpn_reader_record(reader), part ? reader->most_rows - half : half);
        if (dpn_tally_add_state(all, state, length, &why)) fail_msg("%s", why.sentence);
        if (limited && dpn_tally_spill(all, &why)) fail_msg("%s", why.sentence);
    }
    dpn_tally_state_free(state, length);
    dpn_tally_free(one);
    return all;
}

static void assert_same(const dpn_query *query, dpn_tally *a, dpn_tally *b) {
    size_t groups, others, counts = 0;
    const dpn_group *group = table_settle(&groups, a), *other = table_settle(&others, b);
    assert_int_equal(groups, others);
    for (size_t i = 0; i < dpn_bin_sets(query); i++) counts += query->bins[i].edges - 1;
    for (size_t i = 0; i < groups; i++) {
        assert_memory_equal(group[i].sum, other[i].sum, query->moments * sizeof *group[i].sum);
        if (counts > 0) assert_memory_equal(group[i].count, other[i].count, counts * sizeof *group[i].count);
    }
}

static void equal_rows_are_cut_at_once(void **state) {
    (void)state;
    draw_source source = {1};
    for (uint64_t i = 0; i < 40; i++) {
        table_query query;
        random_table table;
        table_random_query(
            &query, &source,
            (table_options){.persons = true, .unknown_keys = i % 2, .skip = i % 4 < 2, .left_out = i % 8 < 4});
        query.query.declaration.wheres = 0;
        for (size_t j = 0; j < query.query.moments; j++)
            query.moment[j].bound = 1; /* few rows are kept: their sums are small, however many there are */
        do table_random(&table, &source, &query, 1, 1);
        while (!table_admits(&table, &query, 0) && (table_free(&table), true));
        dpn_tally *kept = open_with_limit(&query, false), *in_memory = add_claims(&query, table.field, false),
                  *on_disk = add_claims(&query, table.field, true);
        for (uint64_t j = 0; j < query.query.declaration.max_rows; j++) table_add(kept, table.field, 1);
        assert_int_equal(in_memory->rows, UINT64_C(1) << 36);
        assert_true(dpn_tally_has_spilled(on_disk));
        assert_same(&query.query, in_memory, kept);
        assert_same(&query.query, on_disk, kept);
        dpn_tally_free(kept);
        dpn_tally_free(in_memory);
        dpn_tally_free(on_disk);
        table_free(&table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_rows_are_cut_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
