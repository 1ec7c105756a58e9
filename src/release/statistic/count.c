/* How many rows there are. */
#include "release/compile/moments.h"
#include "release/statistic/outputs.h"

static dpn_status compile(dpn_query *query, size_t s, dpn_error *why) {
    dpn_output output = dpn_output_of(query, s);
    dpn_status status = dpn_find_rows(&output.rows, query, why);
    return status ? status : dpn_add_output(query, output, why, "count");
}

static void answer(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output, const dpn_noisy *noisy) {
    (void)query;
    *out = dpn_answer_around(noisy->moment[output->rows], output->half);
}

const struct dpn_statistic_row dpn_statistic_count = {
    .name = "count",
    .form = "nothing follows a count",
    .counts = true,
    .total = true,
    .whole = true,
    .compile = compile,
    .prepare = dpn_prepare_count,
    .answer = answer,
};
