/* Whole numbers by their weight: uniform numbers on the edge of every boundary, to nine words, against exact sums. */
#include "random/boundaries.h"
#include "unit/base/wide-real.h"
#include "unit/points.h"
#include "unit/random/tape.h"
#include "unit/random/tie.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 300 };

/* 1/(j+1), and of a cut table 2^-j. */
static dpn_wide harmonic(dpn_rounding how, const void *of, size_t j) {
    (void)of;
    dpn_wide one = dpn_wide_integer(how, 1);
    return dpn_wide_divide_small(how, &one, j + 1);
}

static dpn_wide halves(dpn_rounding how, const void *of, size_t j) {
    (void)of;
    return dpn_wide_scale(dpn_wide_integer(how, 1), -(int64_t)j);
}

static dpn_boundaries make(size_t count, bool cut) {
    dpn_boundaries out;
    double *weight = malloc(count * sizeof *weight);
    assert_non_null(weight);
    for (size_t j = 0; j < count; j++) weight[j] = cut ? ldexp(1, -(int)j) : 1 / ((double)j + 1);
    dpn_boundaries_make(&out, weight, count, cut, 0x1p-53);
    return out;
}

/* The first j+1 weights over all of them; the halves go on for ever. */
static real boundary(size_t count, bool cut, size_t j) {
    if (cut) return r_sub(r_num(1), r_num(ldexp(1, -(int)j - 1)));
    real sum = r_num(0), total = sum;
    for (size_t i = 0; i < count; i++) {
        total = r_add(total, r_div(r_num(1), r_num((double)i + 1)));
        if (i == j) sum = total;
    }
    return r_div(sum, total);
}

static void try_tie(const dpn_boundaries *table, size_t j, int depth, draw_source *random) {
    static tie_tape bits;
    size_t mark = r_mark(), got = MOST;
    tie_number u = {.head = 0};
    real at = boundary(table->count, table->cut, j);
    tie_aim(&u, at, depth, 40, random);
    bits.laid = 0;
    for (int i = 0; i < TIE_WORDS; i++) tie_put(&bits, u.word[i]);
    tape words;
    tape_begin(&words, bits.word, bits.laid);
    assert_int_equal(dpn_boundaries_draw(&got, table, table->cut ? halves : harmonic, NULL, &words.rng), DPN_DRAWN);
    size_t expected = r_less(tie_value(&u), at) ? j : j + 1;
    if (got != expected)
        fail_msg("%zu weights, tie to %d words at boundary %zu: %zu, not %zu", table->count, depth, j, got, expected);
    assert_true((int)tape_taken(&words) > depth);
    r_release(mark);
}

static void test_ties(void **state) {
    (void)state;
    static const size_t count[] = {2, 3, 17, MOST};
    draw_source random = {.state = 7};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++) {
        dpn_boundaries table = make(count[k], false);
        for (int n = 0; n < points(60, 600); n++)
            try_tie(&table, draw_bits(&random) % (count[k] - 1), (int)(draw_bits(&random) % 9), &random);
        dpn_boundaries_free(&table);
    }
    dpn_boundaries table = make(210, true); /* more than 128 bits are not known of its boundaries */
    for (int n = 0; n < points(60, 600); n++)
        try_tie(&table, draw_bits(&random) % 12, (int)(draw_bits(&random) % 2), &random);
    dpn_boundaries_free(&table);
}

/* The place of every word is that of a search through all boundaries, whatever the guides say. */
static void test_guides(void **state) {
    (void)state;
    draw_source random = {.state = 8};
    for (size_t count = 1; count <= MOST; count += 23) {
        dpn_boundaries table = make(count, false);
        for (int n = 0; n < 2000; n++) {
            uint64_t word = n < 257   ? (uint64_t)n << 56
                            : n < 514 ? ((uint64_t)(n - 257) << 56) - 1
                                      : draw_bits(&random);
            size_t got = MOST, expected = 0;
            tape words;
            const uint64_t two[2] = {word, 1};
            tape_begin(&words, two, 2);
            assert_int_equal(dpn_boundaries_draw(&got, &table, harmonic, NULL, &words.rng), DPN_DRAWN);
            while (expected + 1 < count && table.upper[expected] <= 0x1p-64 * (double)word) expected++;
            assert_int_equal(got, expected);
        }
        dpn_boundaries_free(&table);
    }
}

/* Behind a cut nothing is drawn. */
static void test_behind_a_cut(void **state) {
    (void)state;
    dpn_boundaries table = make(210, true);
    uint64_t word[DPN_FRACTION_WORDS];
    for (int i = 0; i < DPN_FRACTION_WORDS; i++) word[i] = UINT64_MAX;
    tape words;
    size_t got = 5;
    tape_begin(&words, word, DPN_FRACTION_WORDS);
    assert_int_equal(dpn_boundaries_draw(&got, &table, halves, NULL, &words.rng), DPN_GIVEN_UP);
    tape_begin(&words, word, 2);
    assert_int_equal(dpn_boundaries_draw(&got, &table, halves, NULL, &words.rng), DPN_FAILED);
    dpn_boundaries_free(&table);
}

int main(void) {
    r_precision(TIE_BITS);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ties), cmocka_unit_test(test_guides),
                                       cmocka_unit_test(test_behind_a_cut)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
