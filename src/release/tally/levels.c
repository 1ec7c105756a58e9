/* Levels in a hash table that is four times as large as they are many. */
#include "release/tally/levels.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

/* The two halves of a product, folded. */
static uint64_t fold(uint64_t a, uint64_t b) {
    uint128 product = (uint128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

enum { SHORT = 16 };

static uint64_t load(const char *p, size_t count) {
    uint64_t word = 0;
    memcpy(&word, p, count);
    return word;
}

/* A text of up to 16 bytes as two words, by loads of fixed sizes that overlap: texts of one length that differ have words that
 * differ. */
static inline void words_of(uint64_t *low, uint64_t *high, const char *text, size_t length) {
    const char *end = text + length;
    if (length >= 8) {
        *low = load(text, 8);
        *high = load(end - 8, 8);
    } else if (length >= 4) {
        *low = load(text, 4);
        *high = load(end - 4, 4);
    } else {
        *low = length > 0 ? (unsigned char)text[0] | (uint64_t)(unsigned char)text[length / 2] << 8 : 0;
        *high = length > 0 ? (unsigned char)end[-1] : 0;
    }
}

/* The first and the last words of longer texts, and those between. */
static uint64_t hash_long(uint64_t hash, const char *text, size_t length) {
    for (; length > 8; text += 8, length -= 8) hash = fold(hash ^ load(text, 8), UINT64_C(0x9e3779b97f4a7c15)) + length;
    return fold(hash ^ load(text + length - 8, 8), UINT64_C(0x9e3779b97f4a7c15));
}

/* What is looked for: a text with its words and its hash. */
static inline dpn_level level_of(const char *text, size_t length, uint64_t seed, size_t *hash) {
    dpn_level level = {.text = text, .length = length};
    if (length <= SHORT) {
        words_of(&level.low, &level.high, text, length);
        *hash = (size_t)fold(level.low ^ seed, level.high ^ (seed + length));
    } else {
        *hash = (size_t)hash_long(seed, text, length);
    }
    return level;
}

/* Put all levels into the empty table. Returns the length of the longest search. */
static size_t fill(dpn_levels *levels, char *const *text, size_t count) {
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at, probes = 0;
        dpn_level level = level_of(text[i], strlen(text[i]), levels->seed, &at);
        level.index = i;
        for (at &= levels->mask; levels->slot[at].text; at = (at + 1) & levels->mask) probes++;
        levels->slot[at] = level;
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

static inline size_t find(const dpn_levels *levels, dpn_field field) {
    size_t at;
    dpn_level wanted = level_of(field.text ? field.text : "", field.text ? field.length : 0, levels->seed, &at);
    for (at &= levels->mask; levels->slot[at].text; at = (at + 1) & levels->mask) {
        const dpn_level *level = &levels->slot[at];
        if (level->length == wanted.length && level->low == wanted.low && level->high == wanted.high &&
            (wanted.length <= SHORT || memcmp(level->text, wanted.text, wanted.length) == 0))
            return level->index;
    }
    return SIZE_MAX;
}

size_t dpn_levels_find(const dpn_levels *levels, dpn_field field) {
    return find(levels, field);
}

void dpn_levels_find_all(size_t *group, const dpn_levels *levels, size_t count, const dpn_field *field, size_t columns,
                         size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        size_t level = find(levels, field[i * columns]);
        group[i] = level == SIZE_MAX || group[i] == SIZE_MAX ? SIZE_MAX : group[i] * count + level;
    }
}
