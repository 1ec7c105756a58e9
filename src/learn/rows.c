/* The rows of a fit. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/rows.h"

#include "base/error.h"
#include "learn/kit.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS_KEPT = 16 }; /* of rows that are folded: what one needs and no more */

static size_t block_size(const dpn_rows *rows) {
    return rows->columns * DPN_ROWS_A_BLOCK * sizeof(int32_t);
}

static dpn_status add_block(dpn_rows *rows, size_t block, dpn_error *why) {
    if (block == rows->room) {
        size_t room = rows->room ? 2 * rows->room : 16;
        int32_t **longer = realloc(rows->block, room * sizeof(int32_t *));
        if (!longer) return dpn_fail(why, DPN_ENOMEM, "no memory for the rows");
        rows->block = longer;
        rows->room = room;
    }
    rows->block[block] = malloc(block_size(rows));
    return rows->block[block] ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the rows");
}

dpn_status dpn_rows_fold(dpn_rows *rows, dpn_error *why) {
    rows->folded = calloc(rows->columns * rows->columns, sizeof *rows->folded);
    return rows->folded ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the moments");
}

static void forget(dpn_rows *rows) {
    for (size_t b = 0; b < dpn_rows_blocks(rows); b++) {
        explicit_bzero(rows->block[b], block_size(rows));
        free(rows->block[b]);
    }
    rows->count = 0;
}

dpn_status dpn_rows_moments(int64_t *out, const dpn_rows *rows, dpn_error *why) {
    dpn_status status = dpn_fit_kit_here.moments(out, rows, why);
    for (size_t i = 0; i < rows->columns * rows->columns && rows->folded && !status; i++) out[i] += rows->folded[i];
    return status;
}

static dpn_status fold(dpn_rows *rows, dpn_error *why) {
    size_t cells = rows->columns * rows->columns;
    int64_t *sum = malloc(cells * sizeof *sum);
    if (!sum) return dpn_fail(why, DPN_ENOMEM, "no memory for the moments");
    dpn_status status = dpn_rows_moments(sum, rows, why);
    if (!status) memcpy(rows->folded, sum, cells * sizeof *sum);
    if (!status) rows->before += rows->count;
    if (!status) forget(rows);
    explicit_bzero(sum, cells * sizeof *sum);
    free(sum);
    return status;
}

dpn_status dpn_rows_add(dpn_rows *rows, const int32_t *step, dpn_error *why) {
    if (rows->before + rows->count >= DPN_MOST_ROWS) return dpn_fail(why, DPN_EDOMAIN, "a fit takes at most 2^27 rows");
    dpn_status status = rows->folded && rows->count == BLOCKS_KEPT * DPN_ROWS_A_BLOCK ? fold(rows, why) : DPN_OK;
    size_t block = rows->count / DPN_ROWS_A_BLOCK, row = rows->count % DPN_ROWS_A_BLOCK;
    if (!status && row == 0) status = add_block(rows, block, why);
    if (status) return status;
    for (size_t c = 0; c < rows->columns; c++) rows->block[block][c * DPN_ROWS_A_BLOCK + row] = step[c];
    rows->count++;
    return DPN_OK;
}

void dpn_rows_free(dpn_rows *rows) {
    forget(rows);
    free(rows->block);
    if (rows->folded) explicit_bzero(rows->folded, rows->columns * rows->columns * sizeof *rows->folded);
    free(rows->folded);
    *rows = (dpn_rows){0};
}
