/* How many rows are left out because they cannot be used. */
#include "release/compile/moments.h"
#include "release/statistic/outputs.h"

static dpn_status compile(dpn_query *query, size_t s, dpn_error *why) {
    (void)s;
    dpn_output output = dpn_output_apart(&dpn_statistic_left_out);
    dpn_status status =
        dpn_find_moment(&output.rows, query, (dpn_moment){.kind = DPN_MOMENT_LEFT_OUT, .bound = 1}, why);
    return status ? status : dpn_add_output(query, output, why, "left out");
}

static void answer(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output, const dpn_noisy *noisy) {
    (void)query;
    *out = dpn_answer_around(noisy->moment[output->rows], output->half);
}

const struct dpn_statistic_row dpn_statistic_left_out = {
    .name = "left out",
    .form = "nothing follows it",
    .whole = true,
    .compile = compile,
    .prepare = dpn_prepare_count,
    .answer = answer,
};
