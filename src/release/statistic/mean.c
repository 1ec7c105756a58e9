/* The mean of a column. */
#include "release/compile/interval.h"
#include "release/compile/selection.h"
#include "release/statistic/outputs.h"

#include <math.h>

static dpn_status compile(dpn_query *query, size_t s, dpn_error *why) {
    dpn_output output = dpn_output_of(query, s);
    size_t measure = 0;
    dpn_status status = dpn_find_mean(&output, &measure, query, why);
    return status ? status
                  : dpn_add_output(query, output, why, "mean(%s%s%s)", dpn_name_before(query),
                                   query->declaration.statistic[s].column[0], dpn_name_after(query));
}

static double quotient(double rows, double sum, double middle) {
    (void)middle;
    return sum / rows;
}

static void answer(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output, const dpn_noisy *noisy) {
    double rows = noisy->moment[output->rows], sum = noisy->moment[output->first];
    double half = dpn_half_width(query, output->first), middle = dpn_middle_of(query, output->first);
    dpn_interval_mean(&out->low, &out->high, query, output, rows, sum);
    out->kind = DPN_INTERVAL_CONSERVATIVE; /* where it reaches a bound it holds more means than the noise asks for */
    if (dpn_is_selected(query, output)) {
        dpn_interval_selected(&out->low, &out->high, query, output, rows, sum, quotient, 0);
        out->low = fmax(out->low, -half);
        out->high = fmin(out->high, half);
        out->kind = DPN_INTERVAL_CONDITIONAL;
    }
    /* The quotient, or the possible mean nearest to it: a noisy count near 0 makes quotients that the noise rules out. */
    out->value = middle + fmin(fmax(sum / fmax(rows, 1), out->low), out->high);
    out->low += middle;
    out->high += middle;
    out->rank95 = NAN;
}

static double half_at(const dpn_query *query, const dpn_output *output, double rows) {
    enum { MEANS = 33 };
    double half = dpn_half_width(query, output->first), most = 0;
    for (int i = 0; i < MEANS; i++) {
        double low, high, mean = half * (2.0 * i / (MEANS - 1) - 1);
        dpn_interval_mean(&low, &high, query, output, rows, mean * rows);
        most = fmax(most, fmax(high - mean, mean - low));
    }
    return most;
}

const struct dpn_statistic_row dpn_statistic_mean = {
    .name = "mean",
    .shape = DPN_HAS_COLUMN | DPN_HAS_BOUNDS,
    .form = "COLUMN:LOWER:UPPER is expected, as income:0:200000; repeat the option for more columns",
    .counts = true,
    .compile = compile,
    .prepare = dpn_interval_mean_prepare,
    .answer = answer,
    .half_at = half_at,
};
