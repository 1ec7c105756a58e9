/* A table of names, which are any bytes: group keys and persons. */
#ifndef DPN_TALLY_NAMES_H
#define DPN_TALLY_NAMES_H

#include "release/tally/arena.h"
#include "release/tally/keyed-hash.h"

#include <stdbool.h>

/* What is known by its name begins with this, and its bytes stand behind it. */
typedef struct dpn_name {
    uint64_t hash; /* of the bytes, with a key that the data do not know */
    size_t length;
} dpn_name;

typedef struct dpn_name_slot {
    uint64_t hash;
    dpn_name *item; /* NULL: free */
} dpn_name_slot;

/* A name belongs to the slot that the highest bits of its hash say, so that items stand almost in the order of hashes. Whoever puts the names of one table into
 * another goes through them in this order, and asks for room for all of them first: the table would fill from one end else, and searches be long. */
typedef struct dpn_names {
    dpn_name_slot *slot; /* a power of two, at most three quarters taken */
    size_t slots, count;
    int shift;        /* of hashes, that leaves the number of a slot */
    size_t item_size; /* of what begins with a name */
    dpn_memory *memory;
} dpn_names;

/* The item of that name; if there is none, a new one in the arena, zero but for its name. NULL without memory. */
dpn_name *dpn_names_get(dpn_names *names, dpn_arena *arena, uint64_t hash, const char *bytes, size_t length,
                        bool *fresh);

/* The item of that name; if there is none, this one, which begins with its name and has its bytes behind it. NULL without memory. */
dpn_name *dpn_names_adopt(dpn_names *names, dpn_name *item);

/* Room for that many names. False without memory. */
bool dpn_names_reserve(dpn_names *names, size_t count);

/* Where a name with this hash belongs. */
static inline size_t dpn_names_home(const dpn_names *names, uint64_t hash) {
    return (size_t)(hash >> names->shift);
}

/* Have the processor fetch the slot where a name with this hash belongs; and, when that is there, the first item with that hash, which is
 * returned. NULL if there is none. */
static inline void dpn_names_fetch_slot(const dpn_names *names, uint64_t hash) {
    if (names->slots > 0) __builtin_prefetch(&names->slot[dpn_names_home(names, hash)]);
}
static inline const dpn_name *dpn_names_fetch_item(const dpn_names *names, uint64_t hash) {
    if (names->slots == 0) return NULL;
    size_t at = dpn_names_home(names, hash);
    while (names->slot[at].item && names->slot[at].hash != hash) at = (at + 1) & (names->slots - 1);
    const char *item = (const char *)names->slot[at].item;
    if (!item) return NULL;
    __builtin_prefetch(item);
    __builtin_prefetch(item + names->item_size); /* its name, which may be in the next line */
    return names->slot[at].item;
}

/* The items, in no order: those with item != NULL among slot[0 .. slots-1]. */
void dpn_names_free(dpn_names *names);

/* Bring the items to slot[0 .. count-1], in the order of their hashes, then of their lengths, then of their bytes. No name can be
 * looked up any more: the table is only to be read and freed. */
void dpn_names_sort(dpn_names *names);

/* Bytes of the table if it had room for that many names. */
size_t dpn_names_size(size_t count);

#endif
