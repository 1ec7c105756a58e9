/* Z'Z of whole numbers, by the linear algebra of doubles.
 *
 * A product of two steps is at most 2^34, so that the partial sums of 2^12 rows are whole numbers of at most 2^46, and those
 * of 2^7 blocks at most 2^53: doubles hold all of them, and no order of additions, nor a fused one, rounds anything. Every 2^6 blocks
 * they move to integers. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/algebra.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS_AT_ONCE = 64 };

static void widen(double *out, const dpn_rows *rows, size_t block) {
    size_t count = dpn_rows_in(rows, block);
    for (size_t c = 0; c < rows->columns; c++) {
        const int32_t *step = dpn_rows_column(rows, block, c);
        for (size_t r = 0; r < count; r++) out[c * DPN_ROWS_A_BLOCK + r] = step[r];
    }
}

/* The upper triangle, column by column, as dsyrk leaves it. */
static void collect(int64_t *out, double *sum, size_t columns) {
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i <= j; i++) out[i * columns + j] += (int64_t)sum[j * columns + i];
    memset(sum, 0, columns * columns * sizeof *sum);
}

static void mirror(int64_t *out, size_t columns) {
    for (size_t i = 0; i < columns; i++)
        for (size_t j = 0; j < i; j++) out[i * columns + j] = out[j * columns + i];
}

dpn_status dpn_algebra_moments(int64_t *out, const dpn_rows *rows, dpn_error *why) {
    size_t columns = rows->columns, wide = columns * DPN_ROWS_A_BLOCK, cells = columns * columns;
    dpn_algebra algebra;
    dpn_status status = dpn_algebra_load(&algebra, why);
    if (status) return status;
    double *block = malloc(wide * sizeof *block), *sum = calloc(cells, sizeof *sum);
    if (!block || !sum) {
        free(block);
        free(sum);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the moments");
    }
    memset(out, 0, cells * sizeof *out);
    for (size_t b = 0; b < dpn_rows_blocks(rows); b++) {
        widen(block, rows, b);
        algebra.dsyrk(CblasColMajor, CblasUpper, CblasTrans, (int)columns, (int)dpn_rows_in(rows, b), 1, block,
                      DPN_ROWS_A_BLOCK, 1, sum, (int)columns);
        if (b % BLOCKS_AT_ONCE == BLOCKS_AT_ONCE - 1) collect(out, sum, columns);
    }
    collect(out, sum, columns);
    mirror(out, columns);
    explicit_bzero(block, wide * sizeof *block);
    free(block);
    free(sum);
    return DPN_OK;
}
