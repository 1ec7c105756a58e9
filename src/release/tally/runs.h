/* Sorted runs of records on the disk, and all of them together in one order.
 *
 * A record is a key, any bytes, and as many numbers as all have. Records of a run come in the order of their keys (of their bytes,
 * shorter ones first among equals). Where runs are merged, the numbers of records with equal keys are added: so it does not matter into how many
 * runs the records were cut, nor in which of them each one stood. */
#ifndef DPN_TALLY_RUNS_H
#define DPN_TALLY_RUNS_H

#include "release/tally/overflow.h"

typedef struct dpn_run {
    uint64_t first; /* block; each ends with the offset of the next */
    uint64_t bytes; /* without these offsets */
    size_t longest; /* key */
} dpn_run;

typedef struct dpn_runs {
    dpn_overflow *file; /* NULL: there can be none */
    void *cipher;
    size_t numbers;
    dpn_run *run;
    size_t count, room;
    unsigned char *block; /* of the run that is written */
    uint64_t at;          /* its offset */
    size_t used;          /* bytes in it */
    dpn_run open;
} dpn_runs;

/* All that is needed to write runs is taken now, so that it is there when memory is scarce.
 * Errors   DPN_ENOMEM, DPN_EENTROPY. dpn_runs_free accepts what a failure left, and zeros. */
dpn_status dpn_runs_make(dpn_runs *out, dpn_overflow *file, size_t numbers, dpn_error *why);
void dpn_runs_free(dpn_runs *runs);

/* Write one run: begin, then its records in order, then end.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_runs_begin(dpn_runs *runs, dpn_error *why);
dpn_status dpn_runs_put(dpn_runs *runs, const unsigned char *key, size_t length, const int64_t *number, dpn_error *why);
dpn_status dpn_runs_end(dpn_runs *runs, dpn_error *why);

/* The runs of `from`, which has the same file, too; `from` has none any more. False without memory. */
bool dpn_runs_absorb(dpn_runs *into, dpn_runs *from);

/* All records in order, each key once. The runs stay, if there are so many that the blocks of all would not fit in this much memory some of them
 * as one. A record is good until the next one is asked for; *key is NULL after the last.
 * Errors   DPN_EIO, DPN_ENOMEM. On error *out is not written. */
typedef struct dpn_merge dpn_merge;
typedef struct dpn_run_record {
    const unsigned char *key;
    size_t length;
    int64_t *number;
} dpn_run_record;
dpn_status dpn_merge_begin(dpn_merge **out, dpn_runs *runs, size_t memory, dpn_error *why);
dpn_status dpn_merge_next(dpn_run_record *out, dpn_merge *merge, dpn_error *why);
void dpn_merge_free(dpn_merge *merge); /* wipes; accepts NULL */

#endif
