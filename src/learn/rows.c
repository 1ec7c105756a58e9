/* The rows of a fit. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/rows.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

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

dpn_status dpn_rows_add(dpn_rows *rows, const int32_t *step, dpn_error *why) {
    size_t block = rows->count / DPN_ROWS_A_BLOCK, row = rows->count % DPN_ROWS_A_BLOCK;
    if (rows->count >= DPN_MOST_ROWS) return dpn_fail(why, DPN_EDOMAIN, "a fit takes at most 2^27 rows");
    dpn_status status = row == 0 ? add_block(rows, block, why) : DPN_OK;
    if (status) return status;
    for (size_t c = 0; c < rows->columns; c++) rows->block[block][c * DPN_ROWS_A_BLOCK + row] = step[c];
    rows->count++;
    return DPN_OK;
}

void dpn_rows_free(dpn_rows *rows) {
    for (size_t b = 0; b < dpn_rows_blocks(rows); b++) {
        explicit_bzero(rows->block[b], block_size(rows));
        free(rows->block[b]);
    }
    free(rows->block);
    *rows = (dpn_rows){0};
}
