/* The value that a share of all values lies below. */
#include "release/statistic/outputs.h"

#include <dpnoise/number.h>
#include <math.h>

static dpn_status compile(dpn_query *query, size_t s, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_output output = dpn_output_of(query, s);
    output.bins = dpn_bins_of(query, s);
    return dpn_add_output(query, output, why, "quantile(%s,%s)", statistic->column[0], statistic->quantile);
}

/* One of the declared edges; its error is told in ranks. */
static void answer(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output, const dpn_noisy *noisy) {
    size_t quantile = output->bins - query->histograms;
    double value;
    if (dpn_number_parse(&value, query->bins[output->bins].edge[noisy->edge[quantile]], NULL)) value = NAN;
    *out =
        (dpn_answer_cell){.value = value, .low = NAN, .high = NAN, .rank95 = query->quantile[quantile].error95_upper};
}

const struct dpn_statistic_row dpn_statistic_quantile = {
    .name = "quantile",
    .shape = DPN_HAS_COLUMN | DPN_HAS_BOUNDS | DPN_MAY_HAVE_EDGES | DPN_HAS_QUANTILE,
    .form = "COLUMN:QUANTILE:LOWER:UPPER is expected, as age:0.5:0:120, or COLUMN:QUANTILE:EDGE,EDGE,EDGE",
    .bins = DPN_BINS_RANKED,
    .compile = compile,
    .answer = answer,
};
