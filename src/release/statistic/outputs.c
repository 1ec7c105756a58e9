/* The columns of an answer. */
#include "release/statistic/outputs.h"

#include "base/error.h"
#include "release/compile/interval.h"
#include "release/compile/moments.h"
#include "release/compile/products.h"
#include "release/compile/selection.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

dpn_output dpn_output_of(const dpn_query *query, size_t statistic) {
    dpn_output made = dpn_output_apart(dpn_statistic_row_of(query->declaration.statistic[statistic].kind));
    made.statistic = statistic;
    return made;
}

dpn_output dpn_output_apart(const struct dpn_statistic_row *row) {
    return (dpn_output){
        .row = row, .statistic = NONE, .rows = NONE, .first = NONE, .second = NONE, .product = NONE, .bins = NONE};
}

static char *print_name(const char *format, va_list list) {
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    char *name = length < 0 ? NULL : malloc((size_t)length + 1);
    if (name) vsnprintf(name, (size_t)length + 1, format, again);
    va_end(again);
    return name;
}

dpn_status dpn_add_output(dpn_query *query, dpn_output made, dpn_error *why, const char *format, ...) {
    dpn_output *output = realloc(query->outputs_of, (query->outputs + 1) * sizeof *output);
    if (output) query->outputs_of = output;
    char **name = realloc(query->output, (query->outputs + 1) * sizeof *name);
    if (name) query->output = name;
    if (!output || !name) return dpn_fail(why, DPN_ENOMEM, "no memory for the query");
    va_list list;
    va_start(list, format);
    name[query->outputs] = print_name(format, list);
    va_end(list);
    if (!name[query->outputs]) return dpn_fail(why, DPN_ENOMEM, "no memory for the query");
    output[query->outputs++] = made;
    return DPN_OK;
}

const char *dpn_name_before(const dpn_query *query) {
    return query->declaration.per_person == DPN_PER_PERSON_MEAN ? "mean " : "";
}

const char *dpn_name_after(const dpn_query *query) {
    return query->declaration.per_person == DPN_PER_PERSON_ROWS ? "" : " per person";
}

dpn_status dpn_find_mean(dpn_output *output, size_t *measure, dpn_query *query, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[output->statistic];
    dpn_status status = dpn_find_measure(measure, query, statistic, 0, false, why);
    if (!status) status = dpn_find_rows(&output->rows, query, why);
    return status ? status : dpn_find_value(&output->first, query, *measure, true, why);
}

/* Texts of a compiled query are in their one form. */
static bool same_candidates(const dpn_statistic *a, const dpn_statistic *b) {
    return a->step && b->step && strcmp(a->column[0], b->column[0]) == 0 && strcmp(a->lower[0], b->lower[0]) == 0 &&
           strcmp(a->upper[0], b->upper[0]) == 0 && strcmp(a->step, b->step) == 0;
}

size_t dpn_bins_of(const dpn_query *query, size_t statistic) {
    const dpn_statistic *all = query->declaration.statistic;
    for (size_t i = 0; i < dpn_bin_sets(query); i++)
        if (query->bins[i].statistic == statistic || same_candidates(&all[query->bins[i].statistic], &all[statistic]))
            return i;
    return NONE;
}

double dpn_middle_of(const dpn_query *query, size_t moment) {
    const dpn_measure *measure = &query->measure[query->moment[moment].a];
    return ldexp((double)measure->middle, measure->exponent);
}

dpn_answer_cell dpn_answer_around(double value, double half) {
    return (dpn_answer_cell){
        .value = value, .low = value - half, .high = value + half, .rank95 = NAN, .kind = DPN_INTERVAL_EXACT};
}

dpn_status dpn_prepare_count(const dpn_query *query, dpn_output *output, double *room, dpn_error *why) {
    (void)room;
    (void)why;
    output->half = dpn_release_interval95(query->release, output->rows);
    return DPN_OK;
}

void dpn_answer_product(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output,
                        const dpn_noisy *noisy) {
    const double *sum = noisy->moment;
    *out = (dpn_answer_cell){.value = dpn_covariance(query, output, sum[output->rows], sum[output->first],
                                                     sum[output->second], sum[output->product]),
                             .rank95 = NAN};
    dpn_products_interval(&out->low, &out->high, query, output, sum);
    out->low = fmin(out->low, out->value); /* it holds what is shown */
    out->high = fmax(out->high, out->value);
    out->kind = dpn_is_selected(query, output) ? DPN_INTERVAL_CONDITIONAL : DPN_INTERVAL_CONSERVATIVE;
}
