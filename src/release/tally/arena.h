/* Memory for many small things that are freed together. */
#ifndef DPN_TALLY_ARENA_H
#define DPN_TALLY_ARENA_H

#include "release/tally/memory.h"

typedef struct dpn_chunk dpn_chunk;
typedef struct dpn_arena { /* all zero but the memory: empty */
    dpn_chunk *chunk;      /* the newest */
    char *next;
    size_t left, size;  /* of the newest chunk */
    size_t bytes;       /* of all */
    dpn_memory *memory; /* from which they are taken */
} dpn_arena;

/* Memory, aligned for words and pointers; NULL if there is none. */
void *dpn_arena_take(dpn_arena *arena, size_t size);

/* Everything of `from` belongs to `into`; `from` is empty. */
void dpn_arena_absorb(dpn_arena *into, dpn_arena *from);

/* Wipe and free. */
void dpn_arena_free(dpn_arena *arena);

#endif
