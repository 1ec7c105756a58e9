/* How much memory the keys and persons of a tally may take, and when they have to leave for the disk.
 *
 * The limit is for a tally and all that are split from it, in equal parts. Half of it is for tables of names; what is left is for sorting
 * out what was written to the disk, the rows of one person, and what a single row can add at once. Nothing is refused here: a tally
 * that is full says so, and is emptied to the disk after the row that filled it. */
#ifndef DPN_TALLY_MEMORY_H
#define DPN_TALLY_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dpn_memory_limit {
    size_t bytes;          /* 0: there is no limit */
    atomic_size_t holders; /* tallies that hold something */
} dpn_memory_limit;

typedef struct dpn_memory {
    dpn_memory_limit *limit;
    size_t used;
    bool full;
} dpn_memory;

/* What tables may take, in one of several tallies; what the merge of runs may; what the rows of one person may. */
static inline size_t dpn_memory_tables(const dpn_memory_limit *limit) {
    return limit->bytes / 2 / atomic_load_explicit(&limit->holders, memory_order_relaxed);
}
static inline size_t dpn_memory_merge(const dpn_memory_limit *limit) {
    return limit->bytes / 4;
}
static inline size_t dpn_memory_rows(const dpn_memory_limit *limit) {
    return limit->bytes / 8;
}

/* So many bytes are about to be needed at once. */
static inline void dpn_memory_expect(dpn_memory *memory, size_t bytes) {
    if (!memory->limit->bytes) return;
    size_t most = dpn_memory_tables(memory->limit);
    if (memory->used > most || bytes > most - memory->used) memory->full = true;
}

static inline void dpn_memory_grow(dpn_memory *memory, size_t bytes) {
    memory->used += bytes;
    dpn_memory_expect(memory, 0);
}

static inline void dpn_memory_shrink(dpn_memory *memory, size_t bytes) {
    memory->used -= bytes;
}

#endif
