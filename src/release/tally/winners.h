/* The copies of rows with the least lots so far: a heap with the largest lot at its top. */
#ifndef DPN_TALLY_WINNERS_H
#define DPN_TALLY_WINNERS_H

#include "release/tally/persons.h"

typedef struct dpn_winner {
    dpn_lot lot;
    dpn_held_row *row;
} dpn_winner;

/* Put one in for the winner at `at`, which is as large or larger. */
static inline void dpn_winners_sink(dpn_winner *heap, size_t count, size_t at, dpn_winner in) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && dpn_lot_less(heap[child].lot, heap[child + 1].lot)) child++;
        if (!dpn_lot_less(in.lot, heap[child].lot)) break;
        heap[at] = heap[child];
    }
    heap[at] = in;
}

/* Put one more in, at the end `at`. */
static inline void dpn_winners_rise(dpn_winner *heap, size_t at, dpn_winner in) {
    for (; at > 0 && dpn_lot_less(heap[(at - 1) / 2].lot, in.lot); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = in;
}

#endif
