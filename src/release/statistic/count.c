/* How many rows there are. */
#include "release/compile/moments.h"
#include "release/compile/selection.h"
#include "release/statistic/outputs.h"

static dpn_status compile(dpn_query *query, size_t s, dpn_error *why) {
    dpn_output output = dpn_output_of(query, s);
    dpn_status status = dpn_find_rows(&output.rows, query, why);
    return status ? status
                  : dpn_add_output(query, output, why, query->declaration.per_person ? "count(persons)" : "count");
}

static void answer(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output, const dpn_noisy *noisy) {
    double rows = noisy->moment[output->rows];
    *out = dpn_answer_around(rows, output->half);
    if (!dpn_is_selected(query, output)) return;
    dpn_selection_interval(&out->low, &out->high, query, rows, 0.95);
    out->kind = DPN_INTERVAL_CONDITIONAL;
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
