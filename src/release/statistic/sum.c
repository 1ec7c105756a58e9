/* The sum of a column. */
#include "release/compile/interval.h"
#include "release/compile/moments.h"
#include "release/compile/selection.h"
#include "release/statistic/outputs.h"

/* A sum is made of centred values where the number of rows is there anyway, or public: the noise is that of half the
 * width, and the middle comes back with the noise of the count. The same holds of its column's mean. */
static bool is_centred(const dpn_query *query) {
    const dpn_declaration *declaration = &query->declaration;
    bool threshold_on_rows = !query->known_keys && declaration->max_rows <= 1;
    if (threshold_on_rows || dpn_count_is_public(query)) return true;
    for (size_t s = 0; s < declaration->statistics; s++)
        if (dpn_statistic_row_of(declaration->statistic[s].kind)->counts) return true;
    return false;
}

static dpn_status compile(dpn_query *query, size_t s, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_output output = dpn_output_of(query, s);
    bool centred = is_centred(query);
    size_t measure = 0;
    dpn_status status = dpn_find_measure(&measure, query, statistic, 0, !centred, why);
    if (!status && centred) status = dpn_find_rows(&output.rows, query, why);
    if (!status) status = dpn_find_value(&output.first, query, measure, centred, why);
    return status ? status
                  : dpn_add_output(query, output, why, "sum(%s%s%s)", dpn_name_before(query), statistic->column[0],
                                   dpn_name_after(query));
}

static bool is_moved(const dpn_output *output) {
    return output->rows != SIZE_MAX;
}

static dpn_status prepare(const dpn_query *query, dpn_output *output, double *room, dpn_error *why) {
    (void)why;
    output->half = is_moved(output) ? dpn_width_at(query, output, -dpn_middle_of(query, output->first), 0.95, room)
                                    : dpn_release_interval95(query->release, output->first);
    if (dpn_is_selected(query, output)) output->alone = dpn_width_at(query, output, 0, DPN_LEVEL_SELECTED, room);
    return DPN_OK;
}

static double moved_back(double rows, double sum, double middle) {
    return sum + middle * rows;
}

static void answer(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output, const dpn_noisy *noisy) {
    double sum = noisy->moment[output->first], middle = dpn_middle_of(query, output->first);
    double rows = is_moved(output) ? noisy->moment[output->rows] : 0;
    *out = dpn_answer_around(moved_back(rows, sum, middle), output->half);
    if (!dpn_is_selected(query, output)) return;
    dpn_interval_selected(&out->low, &out->high, query, output, rows, sum, moved_back, middle);
    out->kind = DPN_INTERVAL_CONDITIONAL;
}

static bool nonnegative(const dpn_query *query, const dpn_output *output) {
    return query->measure[query->moment[output->first].a].lower >= 0;
}

const struct dpn_statistic_row dpn_statistic_sum = {
    .name = "sum",
    .shape = DPN_HAS_COLUMN | DPN_HAS_BOUNDS,
    .form = "COLUMN:LOWER:UPPER is expected, as income:0:200000; repeat the option for more columns",
    .compile = compile,
    .prepare = prepare,
    .answer = answer,
    .nonnegative = nonnegative,
};
