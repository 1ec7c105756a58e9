/* Levels in a hash table that is four times as large as they are many. */
#include "release/statistics/levels.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

/* The two halves of a product, folded. */
static uint64_t fold(uint64_t a, uint64_t b) {
    uint128 product = (uint128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash_of(uint64_t seed, const char *text, size_t length) {
    uint64_t hash = seed ^ length;
    for (; length > 0;) {
        uint64_t word = 0;
        size_t part = length < sizeof word ? length : sizeof word;
        memcpy(&word, text, part);
        hash = fold(hash ^ word, UINT64_C(0x9e3779b97f4a7c15)) + seed;
        text += part;
        length -= part;
    }
    return fold(hash, UINT64_C(0xd6e8feb86659fd93));
}

/* Put all levels into the empty table. Returns the length of the longest search. */
static size_t fill(dpn_levels *levels, char *const *text, size_t count) {
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(text[i]), probes = 0;
        size_t at = (size_t)hash_of(levels->seed, text[i], length) & levels->mask;
        for (; levels->slot[at].text; at = (at + 1) & levels->mask) probes++;
        levels->slot[at] = (dpn_level){text[i], length, i};
        if (probes > longest) longest = probes;
    }
    return longest;
}

/* Seeds are tried until every level of a short list has the slot that it wants, and in a longer one no search is long. */
bool dpn_levels_make(dpn_levels *out, char *const *text, size_t count) {
    enum { TRIES = 64 };
    size_t size = 4;
    while (size < 4 * count) {
        if (size > SIZE_MAX / 2 / sizeof(dpn_level)) return false;
        size *= 2;
    }
    dpn_levels levels = {calloc(size, sizeof(dpn_level)), size - 1, 0};
    if (!levels.slot) return false;
    size_t best = SIZE_MAX;
    uint64_t best_seed = 0;
    size_t tries = count < 1000 ? TRIES : 1;
    for (uint64_t try = 0; try < tries && best > 0; try++) {
        memset(levels.slot, 0, size * sizeof *levels.slot);
        levels.seed = (try + 1) * UINT64_C(0xbf58476d1ce4e5b9);
        size_t longest = fill(&levels, text, count);
        if (longest < best) best = longest, best_seed = levels.seed;
    }
    if (levels.seed != best_seed) {
        memset(levels.slot, 0, size * sizeof *levels.slot);
        levels.seed = best_seed;
        fill(&levels, text, count);
    }
    *out = levels;
    return true;
}

void dpn_levels_free(dpn_levels *levels) {
    free(levels->slot);
}

size_t dpn_levels_find(const dpn_levels *levels, dpn_field field) {
    size_t length = field.text ? field.length : 0;
    size_t at = (size_t)hash_of(levels->seed, field.text, length) & levels->mask;
    for (; levels->slot[at].text; at = (at + 1) & levels->mask) {
        const dpn_level *level = &levels->slot[at];
        if (level->length == length && (length == 0 || memcmp(level->text, field.text, length) == 0))
            return level->index;
    }
    return SIZE_MAX;
}
