/* Totals that add up, as post-processing. */
#include "release/answer/consistent.h"

#include "base/error.h"
#include "release/statistic/statistic.h"

#include <math.h>
#include <string.h>

static bool holds_every_row(const dpn_query *query, const dpn_output *output) {
    if (output->row->bins != DPN_BINS_COUNTED) return false;
    const dpn_bins *bins = &query->bins[output->bins];
    return strcmp(bins->edge[0], "-inf") == 0 && strcmp(bins->edge[bins->edges - 1], "inf") == 0;
}

/* The outputs of a histogram follow one another: whether this is the first of them. */
static bool begins_histogram(const dpn_query *query, size_t i) {
    return holds_every_row(query, &query->outputs_of[i]) && query->outputs_of[i].bin == 0;
}

dpn_status dpn_check_consistent(const dpn_query *query, dpn_error *why) {
    size_t totals = 0;
    for (size_t i = 0; i < query->outputs; i++) totals += query->outputs_of[i].row->total || begins_histogram(query, i);
    if (!query->declaration.consistent || totals >= 2) return DPN_OK;
    return dpn_fail(
        why, DPN_EDOMAIN,
        "there are no totals to make consistent: it takes a count and a histogram with edges from -inf to inf");
}

/* ---- One histogram ---- */

static double sum_of(const dpn_answer_cell *cell, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += cell[i].value;
    return sum;
}

/* Bins of which none is below 0, for a total that is not: a bin at 0 stays there. Each round puts at least one more to 0. */
static void divide_nonnegative(dpn_answer_cell *cell, size_t count, double total) {
    for (size_t round = 0; round <= count; round++) {
        size_t positive = 0;
        for (size_t i = 0; i < count; i++) positive += cell[i].value > 0;
        double lacking = total - sum_of(cell, count);
        bool negative = false;
        for (size_t i = 0; i < count; i++) {
            if (positive > 0 && !(cell[i].value > 0)) continue;
            cell[i].value += lacking / (double)(positive > 0 ? positive : count);
            negative |= cell[i].value < 0;
        }
        if (!negative) return;
        for (size_t i = 0; i < count; i++)
            if (cell[i].value < 0) cell[i].value = 0;
    }
}

/* Whole numbers with a whole sum: all rounded down, then the largest remainders up. */
static void make_whole(dpn_answer_cell *cell, size_t count, double total) {
    double remainder_of_all = total;
    for (size_t i = 0; i < count; i++) remainder_of_all -= floor(cell[i].value);
    for (double left = round(remainder_of_all); left > 0; left--) {
        size_t best = count;
        for (size_t i = 0; i < count; i++)
            if (cell[i].value != floor(cell[i].value) &&
                (best == count || cell[i].value - floor(cell[i].value) > cell[best].value - floor(cell[best].value)))
                best = i;
        if (best == count) break;
        cell[best].value = floor(cell[best].value) + 1;
    }
    for (size_t i = 0; i < count; i++) cell[i].value = floor(cell[i].value);
}

static void settle(dpn_answer_cell *cell, size_t count, double total, bool nonnegative) {
    if (nonnegative)
        for (size_t i = 0; i < count; i++)
            if (cell[i].value < 0) cell[i].value = 0;
    double lacking = (total - sum_of(cell, count)) / (double)count;
    if (nonnegative)
        divide_nonnegative(cell, count, total);
    else
        for (size_t i = 0; i < count; i++) cell[i].value += lacking;
    make_whole(cell, count, total);
}

/* The interval stays where the noise put it, for there it holds the exact value with 95%, however far the value was moved:
 * many bins that noise lifted above 0 are paid for by the large ones. It is only made wider, to hold what is shown. */
static void hold(dpn_answer_cell *cell) {
    cell->low = fmin(cell->low, cell->value);
    cell->high = fmax(cell->high, cell->value);
    if (cell->kind == DPN_INTERVAL_EXACT) cell->kind = DPN_INTERVAL_CONSERVATIVE;
}

/* ---- All of them ---- */

static size_t bins_at(const dpn_query *query, size_t i) {
    return query->bins[query->outputs_of[i].bins].edges - 1;
}

static double best_total(const dpn_answer_cell *cell, const dpn_query *query) {
    double weights = 0, sum = 0;
    for (size_t i = 0; i < query->outputs; i++) {
        bool count = query->outputs_of[i].row->total;
        if (!count && !begins_histogram(query, i)) continue;
        double variance = query->cell[query->outputs_of[i].rows].variance * (count ? 1 : (double)bins_at(query, i));
        if (variance == 0) return cell[i].value; /* a public count */
        weights += 1 / variance;
        sum += (count ? cell[i].value : sum_of(cell + i, bins_at(query, i))) / variance;
    }
    return round(sum / weights);
}

void dpn_make_consistent(dpn_answer_cell *cell, const dpn_query *query) {
    double total = best_total(cell, query);
    if (query->declaration.nonnegative) total = fmax(total, 0);
    for (size_t i = 0; i < query->outputs; i++) {
        if (query->outputs_of[i].row->total) cell[i].value = total;
        if (begins_histogram(query, i)) settle(cell + i, bins_at(query, i), total, query->declaration.nonnegative);
    }
    for (size_t i = 0; i < query->outputs; i++)
        if (query->outputs_of[i].row->total || holds_every_row(query, &query->outputs_of[i])) hold(&cell[i]);
}
