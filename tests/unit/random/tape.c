/* The pool of a tape never holds more than one word, so that the words come in order and are counted. */
#include "unit/random/tape.h"

#include <string.h>

static bool refill(dpn_rng *rng) {
    tape *self = (tape *)rng;
    if (self->next == self->count) {
        rng->failed = DPN_EENTROPY;
        rng->reason = "the tape has ended";
        return false;
    }
    self->pool.word[0] = self->word[self->next++];
    self->pool.left = 1;
    return true;
}

void tape_begin(tape *self, const uint64_t *word, size_t count) {
    memset(self, 0, sizeof *self);
    self->rng.pool = &self->pool;
    self->rng.refill = refill;
    self->word = word;
    self->count = count;
}

size_t tape_taken(const tape *self) {
    return self->next - (size_t)self->pool.left;
}
