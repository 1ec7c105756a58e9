/* Counting the events of an audit. An event is a set of outputs that is fixed before the first draw. */
#ifndef DPN_AUDIT_TALLY_H
#define DPN_AUDIT_TALLY_H

#include <dpnoise/law.h>
#include <dpnoise/status.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/joint.h"

/* The loss reaches the threshold k of -16 to 16 (in units of top/16); it does and the lowest bit of the first answer is 0,
 * which tells of a bit that was used twice; and the others below. */
enum { DPN_LOSS_STEPS = 16, DPN_LOSS_EVENTS = 2 * DPN_LOSS_STEPS + 1 };

typedef enum dpn_side_event {
    DPN_SIDE_AT_ZERO,    /* the first answer is exactly that of one input ... */
    DPN_SIDE_AT_MOVE,    /* ... or of the other */
    DPN_SIDE_EQUAL,      /* two answers in a row are equal */
    DPN_SIDE_EQUAL_SIZE, /* or equal but for the sign */
    DPN_SIDE_EVENTS,
} dpn_side_event;

/* Every answer that moves lies away from the other input by at least 0, 1, 2, ... moves of its own: what answers that should share a draw do
 * too often if each has its own. */
enum { DPN_CORNER_EVENTS = 7 };

/* The lowest 1, 2, 3 or 4 bits of the first answer are 0. */
enum { DPN_LOW_BITS = 4, DPN_AUDIT_EVENTS = 2 * DPN_LOSS_EVENTS + DPN_LOW_BITS + DPN_SIDE_EVENTS + DPN_CORNER_EVENTS };

/* The privacy loss of one answer, tabulated: whatever the table holds, the events are fixed; the closer it is to the true
 * loss, the more the audit sees. */
typedef struct dpn_loss_table {
    int64_t first; /* step of the first cell */
    int shift;     /* a cell has 2^shift steps */
    size_t cells;
    double *loss;
} dpn_loss_table;

/* What tells a pair of inputs apart: 0 and a move. */
typedef struct dpn_scorer {
    size_t dimension, first;
    const int64_t *move;
    dpn_loss_table *table;  /* one for each coordinate; without cells where it does not move or has no law */
    const dpn_joint *joint; /* what else has a part in the loss; none unless the caller sets it */
    size_t joints;
    double per_loss; /* thresholds in a loss of 1 */
} dpn_scorer;

/* law[i] on the grid exponent[i] (law[0] for all if laws is 1), thresholds from -top to top > 0; tails beyond a
 * probability of rare are lumped together. Free with dpn_scorer_free, also after an error.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_scorer_make(dpn_scorer *out, const dpn_law *law, size_t laws, const int *exponent, size_t dimension,
                           const int64_t *move, size_t first, double top, double rare, dpn_error *why);
void dpn_scorer_free(dpn_scorer *scorer);

typedef struct dpn_audit_tally {
    uint64_t bin[2][DPN_LOSS_EVENTS + 1]; /* outputs by that lowest bit and the number of thresholds reached */
    uint64_t zeros[DPN_LOW_BITS + 1];     /* outputs by the number of its lowest bits that are 0 */
    uint64_t side[DPN_SIDE_EVENTS];
    uint64_t corner[DPN_CORNER_EVENTS + 1]; /* outputs by the number of whole moves that all are away */
} dpn_audit_tally;

/* Count outputs, `dimension` numbers each. */
void dpn_audit_tally_add(dpn_audit_tally *tally, const dpn_scorer *scorer, const int64_t *output, size_t count);

/* In how many outputs an event occurred. */
uint64_t dpn_audit_tally_count(const dpn_audit_tally *tally, size_t event);

#endif
