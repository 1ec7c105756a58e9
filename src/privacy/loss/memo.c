/* A table with one place for each key; what is kept later takes the place of what was there. */
#include "privacy/loss/memo.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_LOG2 = 16 };

typedef struct entry {
    dpn_memo_key key; /* what is 0 where nothing is kept */
    double lower, upper;
} entry;

struct dpn_memo {
    entry place[1 << PLACES_LOG2];
};

dpn_memo *dpn_memo_new(void) {
    return calloc(1, sizeof(dpn_memo));
}

void dpn_memo_free(dpn_memo *memo) {
    free(memo);
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Multiplication by an odd number carries every bit to the highest ones (Knuth, volume 3, 6.4). */
static size_t place_of(const dpn_memo_key *key) {
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = bits_of(key->at) * odd + bits_of(key->epsilon);
    mixed = (mixed ^ mixed >> 32) * odd + bits_of(key->sensitivity);
    mixed = (mixed ^ mixed >> 32) * odd + key->count * 4 + (uint64_t)key->what;
    return (size_t)((mixed ^ mixed >> 32) * odd >> (64 - PLACES_LOG2));
}

static bool same(const dpn_memo_key *a, const dpn_memo_key *b) {
    return a->what == b->what && a->kind == b->kind && a->count == b->count && a->at == b->at &&
           a->epsilon == b->epsilon && a->sensitivity == b->sensitivity;
}

bool dpn_memo_find(double *lower, double *upper, const dpn_memo *memo, const dpn_memo_key *key) {
    const entry *kept = &memo->place[place_of(key)];
    if (!same(&kept->key, key)) return false;
    *lower = kept->lower;
    *upper = kept->upper;
    return true;
}

void dpn_memo_keep(dpn_memo *memo, const dpn_memo_key *key, double lower, double upper) {
    memo->place[place_of(key)] = (entry){*key, lower, upper};
}
