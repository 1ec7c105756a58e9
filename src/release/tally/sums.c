/* Sums that grow with the groups. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/sums.h"

#include <stdlib.h>
#include <string.h>

/* `old` grown from M numbers to N, zero where they are new. What is left behind is wiped: these are exact sums. */
static int64_t *grown(int64_t *old, size_t before, size_t after) {
    int64_t *made = calloc(after > 0 ? after : 1, sizeof *made);
    if (made && old) memcpy(made, old, before * sizeof *made);
    return made;
}

static void discard(int64_t *numbers, size_t count) {
    if (numbers) explicit_bzero(numbers, count * sizeof *numbers);
    free(numbers);
}

bool dpn_sums_reserve(dpn_sums *sums, size_t groups) {
    if (sums->sum && groups <= sums->room) return true;
    size_t room = sums->room > 0 && groups < 2 * sums->room ? 2 * sums->room : groups;
    size_t widest = sums->moments > sums->counts ? sums->moments : sums->counts;
    if (widest > 0 && room > SIZE_MAX / sizeof(int64_t) / widest) return false;
    dpn_sums larger = *sums;
    larger.room = room;
    larger.sum = grown(sums->sum, sums->room * sums->moments, room * sums->moments);
    larger.count = grown(sums->count, sums->room * sums->counts, room * sums->counts);
    if (!larger.sum || !larger.count) {
        free(larger.sum);
        free(larger.count);
        return false;
    }
    if (sums->memory) dpn_memory_grow(sums->memory, dpn_sums_size(sums, room));
    dpn_sums_free(sums);
    *sums = larger;
    return true;
}

void dpn_sums_free(dpn_sums *sums) {
    discard(sums->sum, sums->room * sums->moments);
    discard(sums->count, sums->room * sums->counts);
    if (sums->memory) dpn_memory_shrink(sums->memory, dpn_sums_size(sums, sums->room));
    *sums = (dpn_sums){.moments = sums->moments, .counts = sums->counts, .memory = sums->memory};
}

static void add_all(int64_t *into, const int64_t *from, size_t count) {
    for (size_t i = 0; i < count; i++) into[i] += from[i];
}

void dpn_sums_add(dpn_sums *into, size_t ours, const dpn_sums *from, size_t theirs) {
    add_all(dpn_sums_of(into, ours), dpn_sums_of(from, theirs), into->moments);
    add_all(dpn_counts_of(into, ours), dpn_counts_of(from, theirs), into->counts);
}
