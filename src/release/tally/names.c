/* Names in a hash table with linear probing. */
#include "release/tally/names.h"

#include "release/tally/pages.h"

#include <stdlib.h>
#include <string.h>

static const char *bytes_of(const dpn_names *names, const dpn_name *item) {
    return (const char *)item + names->item_size;
}

/* Most names are a few bytes long. */
static inline bool equal(const char *a, const char *b, size_t length) {
    for (; length >= sizeof(uint64_t); a += sizeof(uint64_t), b += sizeof(uint64_t), length -= sizeof(uint64_t)) {
        uint64_t x, y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        if (x != y) return false;
    }
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* The slot of a name, or the free one where it belongs. */
static dpn_name_slot *find(const dpn_names *names, uint64_t hash, const char *bytes, size_t length) {
    size_t at = (size_t)hash & (names->slots - 1);
    for (;; at = (at + 1) & (names->slots - 1)) {
        dpn_name_slot *slot = &names->slot[at];
        if (!slot->item) return slot;
        if (slot->hash == hash && slot->item->length == length && equal(bytes_of(names, slot->item), bytes, length))
            return slot;
    }
}

enum { LEAST = 16 };

static bool is_full(const dpn_names *names) {
    return names->count >= names->slots / 4 * 3;
}

/* Room for one more. */
static bool grow(dpn_names *names) {
    if (!is_full(names)) return true;
    dpn_names larger = *names;
    larger.slots = names->slots > 0 ? 2 * names->slots : LEAST;
    if (larger.slots > SIZE_MAX / sizeof *larger.slot) return false;
    larger.slot = dpn_pages_zeros(larger.slots * sizeof *larger.slot);
    if (!larger.slot) return false;
    dpn_memory_grow(names->memory, larger.slots * sizeof *larger.slot);
    for (size_t i = 0; i < names->slots; i++) {
        if (!names->slot[i].item) continue;
        size_t at = (size_t)names->slot[i].hash & (larger.slots - 1);
        while (larger.slot[at].item) at = (at + 1) & (larger.slots - 1);
        larger.slot[at] = names->slot[i];
    }
    dpn_memory_shrink(names->memory, names->slots * sizeof *names->slot);
    free(names->slot);
    *names = larger;
    return true;
}

/* The bytes stand behind the item. */
static dpn_name *make(const dpn_names *names, dpn_arena *arena, uint64_t hash, const char *bytes, size_t length) {
    if (length > SIZE_MAX - names->item_size) return NULL;
    dpn_name *item = dpn_arena_take(arena, names->item_size + length);
    if (!item) return NULL;
    memset(item, 0, names->item_size);
    if (length > 0) memcpy((char *)item + names->item_size, bytes, length);
    *item = (dpn_name){hash, length};
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
    if (is_full(names)) dpn_memory_expect(names->memory, 2 * names->slots * sizeof *slot);
    return item;
}

void dpn_names_free(dpn_names *names) {
    if (names->slot) dpn_memory_shrink(names->memory, names->slots * sizeof *names->slot);
    free(names->slot);
    *names = (dpn_names){.item_size = names->item_size, .memory = names->memory};
}

size_t dpn_names_size(size_t count) {
    size_t slots = LEAST;
    while (slots / 4 * 3 < count && slots <= SIZE_MAX / 2 / sizeof(dpn_name_slot)) slots *= 2;
    return slots * sizeof(dpn_name_slot);
}

/* ---- Order ---- */

static bool less(const dpn_names *names, const dpn_name_slot *a, const dpn_name_slot *b) {
    if (a->hash != b->hash) return a->hash < b->hash;
    if (a->item->length != b->item->length) return a->item->length < b->item->length;
    return memcmp(bytes_of(names, a->item), bytes_of(names, b->item), a->item->length) < 0;
}

/* The largest first, below `at`. */
static void sink(const dpn_names *names, size_t count, size_t at) {
    dpn_name_slot *slot = names->slot, in = slot[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && less(names, &slot[child], &slot[child + 1])) child++;
        if (!less(names, &in, &slot[child])) break;
        slot[at] = slot[child];
    }
    slot[at] = in;
}

/* By a heap, which needs no memory: there is none when names are sorted. */
void dpn_names_sort(dpn_names *names) {
    dpn_name_slot *slot = names->slot;
    size_t count = 0;
    for (size_t i = 0; i < names->slots; i++)
        if (slot[i].item) slot[count++] = slot[i];
    for (size_t i = count / 2; i-- > 0;) sink(names, count, i);
    while (count > 1) {
        dpn_name_slot largest = slot[0];
        slot[0] = slot[--count];
        slot[count] = largest;
        sink(names, count, 0);
    }
}
