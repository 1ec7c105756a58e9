/* The rows of a fit: whole numbers of steps, in blocks of rows, column by column within each. */
#ifndef DPN_LEARN_ROWS_H
#define DPN_LEARN_ROWS_H

#include <dpnoise/status.h>
#include <stddef.h>
#include <stdint.h>

/* A value in [-1, 1] is a whole number of steps of 2^-DPN_UNIT_LOG, so that products are whole numbers of 2^-34, sums of
 * DPN_MOST_ROWS of them fit 2^61, and those of 2^7 blocks are exact in doubles, in any order. */
enum { DPN_UNIT_LOG = 17, DPN_UNIT = 1 << DPN_UNIT_LOG, DPN_ROWS_A_BLOCK = 1 << 12, DPN_MOST_ROWS = 1 << 27 };

/* Column 0 is the constant 1, then the features, the target last. Steps of row r of block b in column c:
 * dpn_rows_column(rows, b, c)[r]. */
typedef struct dpn_rows {
    size_t columns, count; /* count: of rows that are kept */
    int32_t **block;
    size_t room; /* for blocks */
    /* Z'Z of the rows before those that are kept, and how many they are; NULL: all are kept (dpn_rows_fold). */
    int64_t *folded;
    size_t before;
} dpn_rows;

static inline size_t dpn_rows_blocks(const dpn_rows *rows) {
    return (rows->count + DPN_ROWS_A_BLOCK - 1) / DPN_ROWS_A_BLOCK;
}

/* Of a block: all but the last are full. */
static inline size_t dpn_rows_in(const dpn_rows *rows, size_t block) {
    size_t before = block * DPN_ROWS_A_BLOCK;
    return rows->count - before < DPN_ROWS_A_BLOCK ? rows->count - before : DPN_ROWS_A_BLOCK;
}

static inline const int32_t *dpn_rows_column(const dpn_rows *rows, size_t block, size_t column) {
    return rows->block[block] + column * DPN_ROWS_A_BLOCK;
}

/* One row more, `columns` steps each at most DPN_UNIT in size.
 * Errors   DPN_ENOMEM; DPN_EDOMAIN beyond DPN_MOST_ROWS. */
dpn_status dpn_rows_add(dpn_rows *rows, const int32_t *step, dpn_error *why);

/* From now on rows become moments as they come, and next to none is kept: for fits that need nothing else. To be asked before the first row.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_rows_fold(dpn_rows *rows, dpn_error *why);

/* Wipe and free. */
void dpn_rows_free(dpn_rows *rows);

/* Z'Z of the columns of all rows, exactly: columns times columns numbers in steps of 2^-34, symmetric.
 * Errors   DPN_ENOMEM. On error nothing is written. */
dpn_status dpn_rows_moments(int64_t *out, const dpn_rows *rows, dpn_error *why);

#endif
