/* The best partition of sorted coordinates into contiguous blocks, by dynamic programming. */
#ifndef DPN_CALIBRATE_PARTITION_H
#define DPN_CALIBRATE_PARTITION_H

#include <dpnoise/status.h>
#include <stddef.h>

/* Blocks of `count` items with falling keys; rest[i] is the sum of the keys from item i on, which keeps the digits of the small
 * ones, and rest[count] = 0. The block of the items i .. j-1 costs (unit[j-i] (rest[i] - rest[j]))^power, unit[m] for
 * m = 1 .. count. */
typedef struct dpn_partition_task {
    size_t count;
    const double *rest, *unit;
    double power;
} dpn_partition_task;

/* end[0] < end[1] < ... < end[blocks-1] = count. */
typedef struct dpn_partition {
    size_t *end;
    size_t blocks;
} dpn_partition;

/* The partition with the least total cost, of any number of blocks (blocks = 0) or of exactly N. Above some
 * thousands of items only some of the places between them are tried. out->end is to be freed.
 * Errors   DPN_ENOMEM.
 */
dpn_status dpn_partition_find(dpn_partition *out, const dpn_partition_task *task, size_t blocks, dpn_error *why);

#endif
