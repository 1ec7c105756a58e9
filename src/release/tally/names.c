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
    size_t at = dpn_names_home(names, hash);
    for (;; at = (at + 1) & (names->slots - 1)) {
        dpn_name_slot *slot = &names->slot[at];
        if (!slot->item) return slot;
        if (slot->hash == hash && slot->item->length == length && equal(bytes_of(names, slot->item), bytes, length))
            return slot;
    }
}

enum { LEAST_BITS = 4 };

/* How many names that many slots take. */
static size_t most_of(size_t slots) {
    return slots / 4 * 3;
}

static bool is_full(const dpn_names *names) {
    return names->count >= most_of(names->slots);
}

/* The table with 2^bits slots, more than it has. */
static bool enlarge(dpn_names *names, int bits) {
    dpn_names larger = *names;
    larger.slots = (size_t)1 << bits;
    larger.shift = 64 - bits;
    if (larger.slots > SIZE_MAX / sizeof *larger.slot) return false;
    larger.slot = dpn_pages_zeros(larger.slots * sizeof *larger.slot);
    if (!larger.slot) return false;
    dpn_memory_grow(names->memory, larger.slots * sizeof *larger.slot);
    for (size_t i = 0; i < names->slots; i++) {
        if (!names->slot[i].item) continue;
        size_t at = dpn_names_home(&larger, names->slot[i].hash);
        while (larger.slot[at].item) at = (at + 1) & (larger.slots - 1);
        larger.slot[at] = names->slot[i];
    }
    dpn_memory_shrink(names->memory, names->slots * sizeof *names->slot);
    free(names->slot);
    *names = larger;
    return true;
}

bool dpn_names_reserve(dpn_names *names, size_t count) {
    int bits = names->slots > 0 ? 64 - names->shift : LEAST_BITS;
    if (count <= most_of(names->slots)) return true;
    while (most_of((size_t)1 << bits) < count)
        if (++bits >= (int)(8 * sizeof(size_t))) return false;
    return enlarge(names, bits);
}

/* Room for one more. */
static bool grow(dpn_names *names) {
    return !is_full(names) || dpn_names_reserve(names, names->count + 1);
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

static void put(dpn_names *names, dpn_name_slot *slot, dpn_name *item) {
    *slot = (dpn_name_slot){item->hash, item};
    names->count++;
    if (is_full(names)) dpn_memory_expect(names->memory, 2 * names->slots * sizeof *slot);
}

dpn_name *dpn_names_get(dpn_names *names, dpn_arena *arena, uint64_t hash, const char *bytes, size_t length,
                        bool *fresh) {
    if (!grow(names)) return NULL;
    dpn_name_slot *slot = find(names, hash, bytes, length);
    *fresh = !slot->item;
    if (slot->item) return slot->item;
    dpn_name *item = make(names, arena, hash, bytes, length);
    if (item) put(names, slot, item);
    return item;
}

dpn_name *dpn_names_adopt(dpn_names *names, dpn_name *item) {
    if (!grow(names)) return NULL;
    dpn_name_slot *slot = find(names, item->hash, bytes_of(names, item), item->length);
    if (!slot->item) put(names, slot, item);
    return slot->item;
}

void dpn_names_free(dpn_names *names) {
    if (names->slot) dpn_memory_shrink(names->memory, names->slots * sizeof *names->slot);
    free(names->slot);
    *names = (dpn_names){.item_size = names->item_size, .memory = names->memory};
}

size_t dpn_names_size(size_t count) {
    size_t slots = (size_t)1 << LEAST_BITS;
    while (most_of(slots) < count && slots <= SIZE_MAX / 2 / sizeof(dpn_name_slot)) slots *= 2;
    return slots * sizeof(dpn_name_slot);
}

/* ---- Order ---- */

static bool less(const dpn_names *names, const dpn_name_slot *a, const dpn_name_slot *b) {
    if (a->hash != b->hash) return a->hash < b->hash;
    if (a->item->length != b->item->length) return a->item->length < b->item->length;
    return memcmp(bytes_of(names, a->item), bytes_of(names, b->item), a->item->length) < 0;
}

/* Each goes back to its place, which is near: a table is in this order but for names that found their slot taken, and for the few of the last
 * slots that went on at the first. So it takes time proportional to the names, but for a chance that the key of hashes makes small. */
void dpn_names_sort(dpn_names *names) {
    dpn_name_slot *slot = names->slot;
    size_t count = 0;
    for (size_t i = 0; i < names->slots; i++) {
        if (!slot[i].item) continue;
        dpn_name_slot in = slot[i];
        size_t at = count++;
        for (; at > 0 && less(names, &in, &slot[at - 1]); at--) slot[at] = slot[at - 1];
        slot[at] = in;
    }
}
