/* Counting the events of an audit. */
#include "audit/tally.h"

#include "base/error.h"

#include <dpnoise/privacy.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_CELLS = 4096 };

/* ---- Tables ---- */

/* The loss of answer y in steps, of the input 0 against the input move; where neither has noise, it does not matter. */
static double loss_at(const dpn_law *law, int exponent, double move, double y) {
    double loss = dpn_privacy_loss(law, -ldexp(move, exponent), ldexp(y, exponent));
    return isnan(loss) ? 0 : loss;
}

static dpn_status make_table(dpn_loss_table *out, const dpn_law *law, int exponent, int64_t move, double rare,
                             dpn_error *why) {
    double tail = ceil(ldexp(fmin(dpn_law_isf(law, rare), dpn_law_support(law)), -exponent)) + 1;
    tail = fmin(tail, 0x1p60);
    int64_t first = (int64_t)-tail + (move < 0 ? move : 0), last = (int64_t)tail + (move > 0 ? move : 0);
    int shift = 0;
    while ((last - first) >> shift >= MOST_CELLS) shift++;
    size_t cells = (size_t)((last - first) >> shift) + 1;
    double *loss = malloc(cells * sizeof *loss);
    if (!loss) return dpn_fail(why, DPN_ENOMEM, "no memory for the losses");
    for (size_t i = 0; i < cells; i++) {
        int64_t middle = first + ((int64_t)i << shift) + (shift ? (int64_t)1 << (shift - 1) : 0);
        loss[i] = loss_at(law, exponent, (double)move, (double)middle);
    }
    *out = (dpn_loss_table){first, shift, cells, loss};
    return DPN_OK;
}

dpn_status dpn_scorer_make(dpn_scorer *out, const dpn_law *law, size_t laws, const int *exponent, size_t dimension,
                           const int64_t *move, size_t first, double top, double rare, dpn_error *why) {
    *out = (dpn_scorer){.dimension = dimension, .first = first, .move = move, .per_loss = DPN_LOSS_STEPS / top};
    out->table = calloc(dimension, sizeof *out->table);
    if (!out->table) return dpn_fail(why, DPN_ENOMEM, "no memory for the losses");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < dimension && !status; i++) {
        const dpn_law *own = laws == 1 ? law : &law[i];
        if (move[i] != 0 && own->family) status = make_table(&out->table[i], own, exponent[i], move[i], rare, why);
    }
    return status;
}

void dpn_scorer_free(dpn_scorer *scorer) {
    for (size_t i = 0; scorer->table && i < scorer->dimension; i++) free(scorer->table[i].loss);
    free(scorer->table);
    *scorer = (dpn_scorer){0};
}

/* ---- Counting ---- */

static inline double look_up(const dpn_loss_table *table, int64_t y) {
    if (table->cells == 0) return 0;
    if (y < table->first) return table->loss[0];
    uint64_t cell = ((uint64_t)y - (uint64_t)table->first) >> table->shift;
    return table->loss[cell < table->cells ? cell : table->cells - 1];
}

/* How many of the thresholds -top, ..., top a loss reaches. A loss that is a threshold but for rounding reaches it; NaN,
 * from coordinates of infinite losses of both signs, reaches none. */
static inline size_t thresholds_reached(double loss, double per_loss) {
    static const double close = 1e-9;
    double at = loss * per_loss + DPN_LOSS_STEPS + 1 + close;
    return at >= DPN_LOSS_EVENTS ? DPN_LOSS_EVENTS : at >= 0 ? (size_t)at : 0;
}

static inline void count_first(dpn_audit_tally *tally, int64_t y, int64_t move) {
    tally->side[DPN_SIDE_AT_ZERO] += y == 0;
    tally->side[DPN_SIDE_AT_MOVE] += y == move;
    tally->zeros[__builtin_ctzll((uint64_t)y | 1u << DPN_LOW_BITS)]++;
}

static void count_equals(dpn_audit_tally *tally, const int64_t *output, size_t dimension) {
    bool equal = false, equal_size = false;
    for (size_t i = 1; i < dimension; i++) {
        equal |= output[i] == output[i - 1];
        equal_size |= (uint64_t)output[i] == -(uint64_t)output[i - 1];
    }
    tally->side[DPN_SIDE_EQUAL] += equal;
    tally->side[DPN_SIDE_EQUAL_SIZE] += equal | equal_size;
}

/* How many of the corner's events an output is in. */
static size_t corners_reached(const dpn_scorer *scorer, const int64_t *output) {
    double least = DPN_CORNER_EVENTS;
    for (size_t i = 0; i < scorer->dimension && least >= 0; i++)
        if (scorer->move[i] != 0) least = fmin(least, -(double)output[i] / (double)scorer->move[i]);
    return least < 0 ? 0 : least >= DPN_CORNER_EVENTS ? DPN_CORNER_EVENTS : (size_t)least + 1;
}

void dpn_audit_tally_add(dpn_audit_tally *tally, const dpn_scorer *scorer, const int64_t *output, size_t count) {
    size_t dimension = scorer->dimension, first = scorer->first;
    for (size_t n = 0; n < count; n++, output += dimension) {
        double loss = 0;
        for (size_t i = 0; i < dimension; i++) loss += look_up(&scorer->table[i], output[i]);
        for (size_t i = 0; i < scorer->joints; i++) loss += dpn_joint_loss(&scorer->joint[i], output, scorer->move);
        tally->bin[output[first] & 1][thresholds_reached(loss, scorer->per_loss)]++;
        count_first(tally, output[first], scorer->move[first]);
        tally->corner[corners_reached(scorer, output)]++;
        if (dimension > 1) count_equals(tally, output, dimension);
    }
}

static uint64_t loss_reaches(const uint64_t bin[DPN_LOSS_EVENTS + 1], size_t threshold) {
    uint64_t count = 0;
    for (size_t i = threshold + 1; i <= DPN_LOSS_EVENTS; i++) count += bin[i];
    return count;
}

static uint64_t low_bits_zero(const dpn_audit_tally *tally, size_t bits) {
    uint64_t count = 0;
    for (size_t i = bits; i <= DPN_LOW_BITS; i++) count += tally->zeros[i];
    return count;
}

static uint64_t corner_reaches(const dpn_audit_tally *tally, size_t moves) {
    uint64_t count = 0;
    for (size_t i = moves + 1; i <= DPN_CORNER_EVENTS; i++) count += tally->corner[i];
    return count;
}

uint64_t dpn_audit_tally_count(const dpn_audit_tally *tally, size_t event) {
    if (event < DPN_LOSS_EVENTS) return loss_reaches(tally->bin[0], event) + loss_reaches(tally->bin[1], event);
    event -= DPN_LOSS_EVENTS;
    if (event < DPN_LOSS_EVENTS) return loss_reaches(tally->bin[0], event);
    event -= DPN_LOSS_EVENTS;
    if (event < DPN_LOW_BITS) return low_bits_zero(tally, event + 1);
    event -= DPN_LOW_BITS;
    return event < DPN_SIDE_EVENTS ? tally->side[event] : corner_reaches(tally, event - DPN_SIDE_EVENTS);
}
