/* The exact sums of groups, one group after the other. */
#ifndef DPN_TALLY_SUMS_H
#define DPN_TALLY_SUMS_H

#include "release/tally/memory.h"
#include "release/tally/reader.h"

/* Group i has sum[i moments ...] and count[i counts ...]. */
typedef struct dpn_sums {
    int64_t *sum, *count;
    size_t room; /* groups */
    size_t moments, counts;
    dpn_memory *memory; /* that they are taken from; NULL where the number of groups is public */
} dpn_sums;

/* No groups yet. */
static inline dpn_sums dpn_sums_empty(const dpn_reader *reader, dpn_memory *memory) {
    return (dpn_sums){.moments = reader->query->moments,
                      .counts = reader->counts,
                      .memory = reader->query->known_keys ? NULL : memory};
}

/* Bytes of N groups. */
static inline size_t dpn_sums_size(const dpn_sums *sums, size_t groups) {
    return groups * (sums->moments + sums->counts) * sizeof(int64_t);
}

/* Room for N groups, new ones with sums of 0. False without memory; the sums are then as before. */
bool dpn_sums_reserve(dpn_sums *sums, size_t groups);
void dpn_sums_free(dpn_sums *sums); /* wipes */

static inline int64_t *dpn_sums_of(const dpn_sums *sums, size_t group) {
    return sums->sum + group * sums->moments;
}

static inline int64_t *dpn_counts_of(const dpn_sums *sums, size_t group) {
    return sums->count + group * sums->counts;
}

/* Add group `theirs` of `from` to group `ours`. */
void dpn_sums_add(dpn_sums *into, size_t ours, const dpn_sums *from, size_t theirs);

#endif
