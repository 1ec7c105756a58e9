/* Moments of rows are exact: the same as sums of products in 128-bit integers. */
#include "learn/rows.h"

#include "base/dyadic.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Steps of all sizes, many of them the largest ones, so that sums are as large as they can be. */
static int32_t some_step(draw_source *source) {
    uint64_t word = draw_bits(source);
    if (word % 3 == 0) return DPN_UNIT;
    if (word % 3 == 1) return -DPN_UNIT;
    return (int32_t)(word >> 32) % (DPN_UNIT + 1);
}

static void expect_exact(size_t columns, size_t count, uint64_t seed) {
    dpn_rows rows = {.columns = columns};
    draw_source source = {seed};
    dpn_int128 *sum = calloc(columns * columns, sizeof *sum);
    int64_t *moments = malloc(columns * columns * sizeof *moments);
    int32_t *step = malloc(columns * sizeof *step);
    dpn_error why;
    for (size_t r = 0; r < count; r++) {
        for (size_t c = 0; c < columns; c++) step[c] = c == 0 ? DPN_UNIT : some_step(&source);
        assert_int_equal(dpn_rows_add(&rows, step, &why), DPN_OK);
        for (size_t i = 0; i < columns; i++)
            for (size_t j = 0; j < columns; j++) sum[i * columns + j] += (dpn_int128)step[i] * step[j];
    }
    assert_int_equal(rows.count, count);
    assert_int_equal(dpn_rows_moments(moments, &rows, &why), DPN_OK);
    for (size_t i = 0; i < columns * columns; i++) assert_true(moments[i] == sum[i]);
    dpn_rows_free(&rows);
    free(sum);
    free(moments);
    free(step);
}

static void test_moments_are_exact(void **state) {
    (void)state;
    expect_exact(2, 0, 1);
    expect_exact(2, 1, 2);
    expect_exact(7, DPN_ROWS_A_BLOCK - 1, 3);
    expect_exact(7, DPN_ROWS_A_BLOCK, 4);
    expect_exact(7, DPN_ROWS_A_BLOCK + 1, 5);
    expect_exact(3, 65 * DPN_ROWS_A_BLOCK + 17, 6); /* past the blocks whose sums are doubles */
    expect_exact(41, 9000, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moments_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
