/* How many values are in each bin. */
#include "release/compile/moments.h"
#include "release/statistic/outputs.h"

static dpn_status compile(dpn_query *query, size_t s, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_output output = dpn_output_of(query, s);
    output.bins = dpn_bins_of(query, s);
    dpn_moment made = {.kind = DPN_MOMENT_BINS, .a = output.bins, .bound = 1};
    dpn_status status = dpn_find_moment(&output.rows, query, made, why);
    for (; !status && output.bin + 1 < statistic->edges; output.bin++)
        status = dpn_add_output(query, output, why, "histogram(%s)[%s,%s%c", statistic->column[0],
                                statistic->edge[output.bin], statistic->edge[output.bin + 1],
                                output.bin + 2 < statistic->edges ? ')' : ']');
    return status;
}

static void answer(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output, const dpn_noisy *noisy) {
    *out = dpn_answer_around(noisy->bin[dpn_noisy_first_bin(query, output->bins) + output->bin], output->half);
}

const struct dpn_statistic_row dpn_statistic_histogram = {
    .name = "histogram",
    .shape = DPN_HAS_COLUMN | DPN_HAS_EDGES,
    .form = "COLUMN:EDGE,EDGE,... is expected, as age:0,18,65,120, or COLUMN:LOWER:UPPER:BINS, as age:0:100:10",
    .bins = DPN_BINS_COUNTED,
    .whole = true,
    .compile = compile,
    .prepare = dpn_prepare_count,
    .answer = answer,
};
