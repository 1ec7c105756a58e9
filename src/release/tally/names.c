/* Names in a hash table with linear probing. */
#include "release/tally/names.h"

#include <stdlib.h>
#include <string.h>

/* The slot of a name, or the free one where it belongs. */
static dpn_name_slot *find(const dpn_names *names, uint64_t hash, const char *bytes, size_t length) {
    size_t at = (size_t)hash & (names->slots - 1);
    for (;; at = (at + 1) & (names->slots - 1)) {
        dpn_name_slot *slot = &names->slot[at];
        if (!slot->item) return slot;
        if (slot->hash == hash && slot->item->length == length &&
            (length == 0 || memcmp(slot->item->bytes, bytes, length) == 0))
            return slot;
    }
}

/* Room for one more. */
static bool grow(dpn_names *names) {
    enum { LEAST = 16 };
    if (names->slots > 0 && names->count < names->slots / 4 * 3) return true;
    dpn_names larger = *names;
    larger.slots = names->slots > 0 ? 2 * names->slots : LEAST;
    larger.slot = calloc(larger.slots, sizeof *larger.slot);
    if (!larger.slot) return false;
    for (size_t i = 0; i < names->slots; i++) {
        if (!names->slot[i].item) continue;
        size_t at = (size_t)names->slot[i].hash & (larger.slots - 1);
        while (larger.slot[at].item) at = (at + 1) & (larger.slots - 1);
        larger.slot[at] = names->slot[i];
    }
    free(names->slot);
    *names = larger;
    return true;
}

/* The bytes stand behind the item. */
static dpn_name *make(const dpn_names *names, dpn_arena *arena, uint64_t hash, const char *bytes, size_t length) {
    if (length > SIZE_MAX - names->item_size) return NULL;
    dpn_name *item = dpn_arena_take(arena, names->item_size + length);
    if (!item) return NULL;
    char *copy = (char *)item + names->item_size;
    if (length > 0) memcpy(copy, bytes, length);
    *item = (dpn_name){hash, length, copy};
    return item;
}

dpn_name *dpn_names_get(dpn_names *names, dpn_arena *arena, uint64_t hash, const char *bytes, size_t length,
                        bool *fresh) {
    if (!grow(names)) return NULL;
    dpn_name_slot *slot = find(names, hash, bytes, length);
    *fresh = !slot->item;
    if (slot->item) return slot->item;
    dpn_name *item = make(names, arena, hash, bytes, length);
    if (!item) return NULL;
    *slot = (dpn_name_slot){hash, item};
    names->count++;
    return item;
}

void dpn_names_free(dpn_names *names) {
    free(names->slot);
    *names = (dpn_names){0};
}
