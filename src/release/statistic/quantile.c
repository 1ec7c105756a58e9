/* The value that a share of all values lies below. */
#include "release/compile/tree-interval.h"
#include "release/statistic/outputs.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 15 };

static dpn_status compile(dpn_query *query, size_t s, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_output output = dpn_output_of(query, s);
    output.bins = dpn_bins_of(query, s);
    return dpn_add_output(query, output, why, "quantile(%s,%s)", statistic->column[0], statistic->quantile);
}

static double edge_of(const dpn_query *query, const dpn_output *output, size_t edge) {
    double value;
    return dpn_number_parse(&value, query->bins[output->bins].edge[edge], NULL) ? NAN : value;
}

/* After the point, of "0.25", "25e-2" or "1e3". */
static int decimals(const char *number) {
    const char *point = strchr(number, '.'), *power = strchr(number, 'e');
    int written = point ? (int)strspn(point + 1, "0123456789") : 0, by = power ? atoi(power + 1) : 0;
    return written > by ? written - by : 0;
}

/* Candidates have no more decimals than the numbers that they are made of. */
static int digits_of(const dpn_statistic *statistic) {
    int lower = decimals(statistic->lower[0]), step = decimals(statistic->step), digits = lower > step ? lower : step;
    return digits < DIGITS ? digits : DIGITS;
}

/* Edge 0 of a tree is "-inf", which stands before all candidates. */
static void answer_from_tree(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output,
                             const dpn_noisy *noisy) {
    const dpn_statistic *statistic = &query->declaration.statistic[output->statistic];
    const double *prefix = noisy->prefix + dpn_noisy_first_prefix(query, output->bins);
    double q;
    if (dpn_number_parse(&q, statistic->quantile, NULL)) q = NAN;
    dpn_tree_quantile at = dpn_tree_invert(&query->bins[output->bins].tree, prefix, q, output->width);
    *out = (dpn_answer_cell){.value = edge_of(query, output, at.value + 1),
                             .low = edge_of(query, output, at.low + 1),
                             .high = edge_of(query, output, at.high + 1),
                             .rank95 = NAN,
                             .digits = digits_of(statistic),
                             .kind = DPN_INTERVAL_CONSERVATIVE};
}

/* One of the candidates: with a step from the tree, else a declared edge whose error is told in ranks. */
static void answer(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output, const dpn_noisy *noisy) {
    if (query->bins[output->bins].upward) {
        answer_from_tree(out, query, output, noisy);
        return;
    }
    size_t quantile = output->bins - query->histograms - query->trees;
    *out = (dpn_answer_cell){.value = edge_of(query, output, noisy->edge[quantile]),
                             .low = NAN,
                             .high = NAN,
                             .rank95 = query->quantile[quantile].error95_upper,
                             .digits = DIGITS};
}

const struct dpn_statistic_row dpn_statistic_quantile = {
    .name = "quantile",
    .shape = DPN_HAS_COLUMN | DPN_HAS_BOUNDS | DPN_MAY_HAVE_EDGES | DPN_HAS_QUANTILE,
    .form = "COLUMN:QUANTILE:LOWER:UPPER:STEP is expected, as age:0.5:0:120:1, or COLUMN:QUANTILE:LOWER:UPPER, or "
            "COLUMN:QUANTILE:EDGE,EDGE,EDGE",
    .bins = DPN_BINS_RANKED,
    .chosen = true,
    .compile = compile,
    .answer = answer,
};
