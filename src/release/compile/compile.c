/* From a declaration to columns, sums and outputs. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "release/compile/compile.h"

#include "base/error.h"
#include "release/compile/edges.h"
#include "release/compile/moments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the query");
}

/* Room for one more in an array; NULL, and the array as before, if there is none. */
static void *one_more(void *array, size_t count, size_t size) {
    return realloc(array, (count + 1) * size);
}

/* ---- Bins ---- */

static void free_texts(char **text, size_t count) {
    for (size_t i = 0; text && i < count; i++) free(text[i]);
    free(text);
}

static char **copy_texts(char *const *text, size_t count) {
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        if (!(copy[i] = strdup(text[i]))) {
            free_texts(copy, count);
            return NULL;
        }
    return copy;
}

static dpn_status add_bins(dpn_query *query, size_t statistic, dpn_error *why) {
    const dpn_statistic *of = &query->declaration.statistic[statistic];
    dpn_bins made = {.edges = of->edges, .statistic = statistic, .clamp = of->kind == DPN_STATISTIC_QUANTILE};
    dpn_status status = dpn_find_column(&made.column, query, of->column[0], why);
    if (status) return status;
    dpn_bins *bins = one_more(query->bins, query->histograms + query->quantiles, sizeof *bins);
    if (!bins) return no_memory(why);
    query->bins = bins;
    made.edge = of->edge ? copy_texts(of->edge, of->edges) : NULL;
    if (of->edge && !made.edge) return no_memory(why);
    if (!of->edge) status = dpn_edges_make(&made.edge, &made.edges, of->lower[0], of->upper[0], why);
    if (status) return status;
    bins[query->histograms + query->quantiles] = made;
    if (made.clamp)
        query->quantiles++;
    else
        query->histograms++;
    return DPN_OK;
}

/* The bins of histograms stand before those of quantiles. */
static dpn_status compile_bins(dpn_query *query, dpn_error *why) {
    static const dpn_statistic_kind kinds[] = {DPN_STATISTIC_HISTOGRAM, DPN_STATISTIC_QUANTILE};
    dpn_status status = DPN_OK;
    for (size_t k = 0; k < 2; k++)
        for (size_t s = 0; s < query->declaration.statistics && !status; s++)
            if (query->declaration.statistic[s].kind == kinds[k]) status = add_bins(query, s, why);
    return status;
}

static size_t bins_of(const dpn_query *query, size_t statistic) {
    size_t i = 0;
    while (query->bins[i].statistic != statistic) i++;
    return i;
}

/* ---- Outputs ---- */

__attribute__((format(printf, 4, 5))) static dpn_status add_output(dpn_query *query, dpn_output made, dpn_error *why,
                                                                   const char *format, ...) {
    dpn_output *output = one_more(query->outputs_of, query->outputs, sizeof *output);
    if (!output) return no_memory(why);
    query->outputs_of = output;
    char **name = one_more(query->output, query->outputs, sizeof *name);
    if (!name) return no_memory(why);
    query->output = name;
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    name[query->outputs] = length < 0 ? NULL : malloc((size_t)length + 1);
    if (name[query->outputs]) vsnprintf(name[query->outputs], (size_t)length + 1, format, again);
    va_end(again);
    if (!name[query->outputs]) return no_memory(why);
    output[query->outputs++] = made;
    return DPN_OK;
}

static dpn_output blank(dpn_statistic_kind kind, size_t statistic) {
    return (dpn_output){.kind = kind,
                        .statistic = statistic,
                        .rows = NONE,
                        .first = NONE,
                        .second = NONE,
                        .product = NONE,
                        .bins = NONE};
}

/* ---- Statistics ---- */

/* A sum is made of centred values where the number of rows is there anyway, or public: the noise is that of half the width, and
 * the middle comes back with the noise of the count. The same holds of its column's mean. */
static bool sum_is_centred(const dpn_query *query, const char *column) {
    bool threshold_on_rows = !query->known_keys && query->declaration.max_rows <= 1;
    if (threshold_on_rows && query->declaration.missing == DPN_MISSING_REFUSE) return true;
    if (dpn_count_is_public(query) && query->declaration.missing == DPN_MISSING_REFUSE) return true;
    for (size_t s = 0; s < query->declaration.statistics; s++) {
        const dpn_statistic *other = &query->declaration.statistic[s];
        bool mean = other->kind == DPN_STATISTIC_MEAN || other->kind == DPN_STATISTIC_VARIANCE;
        bool rows = mean || other->kind == DPN_STATISTIC_COUNT || other->kind == DPN_STATISTIC_COVARIANCE;
        if (query->declaration.missing == DPN_MISSING_REFUSE ? rows : mean && strcmp(other->column[0], column) == 0)
            return true;
    }
    return false;
}

static dpn_status compile_sum(dpn_query *query, size_t s, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_output output = blank(statistic->kind, s);
    bool centred = sum_is_centred(query, statistic->column[0]);
    size_t measure = 0;
    dpn_status status = dpn_find_measure(&measure, query, statistic, 0, !centred, why);
    if (!status && centred) status = dpn_find_number(&output.rows, query, measure, why);
    if (!status) status = dpn_find_value(&output.first, query, measure, centred, why);
    return status ? status : add_output(query, output, why, "sum(%s)", statistic->column[0]);
}

static dpn_status compile_mean(dpn_query *query, size_t s, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_output output = blank(statistic->kind, s);
    size_t measure = 0;
    dpn_status status = dpn_find_measure(&measure, query, statistic, 0, false, why);
    if (!status) status = dpn_find_number(&output.rows, query, measure, why);
    if (!status) status = dpn_find_value(&output.first, query, measure, true, why);
    bool variance = statistic->kind == DPN_STATISTIC_VARIANCE;
    if (variance) output.second = output.first;
    if (!status && variance) status = dpn_find_product(&output.product, query, measure, measure, why);
    const char *name = dpn_statistic_kind_name(statistic->kind);
    return status ? status : add_output(query, output, why, "%s(%s)", name, statistic->column[0]);
}

static dpn_status compile_pair(dpn_query *query, size_t s, size_t i, size_t j, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_output output = blank(statistic->kind, s);
    size_t a = 0, b = 0;
    dpn_status status = dpn_find_rows(&output.rows, query, why);
    if (!status) status = dpn_find_measure(&a, query, statistic, i, false, why);
    if (!status) status = dpn_find_measure(&b, query, statistic, j, false, why);
    if (!status) status = dpn_find_value(&output.first, query, a, true, why);
    if (!status) status = dpn_find_value(&output.second, query, b, true, why);
    if (!status) status = dpn_find_product(&output.product, query, a < b ? a : b, a < b ? b : a, why);
    const char *one = statistic->column[i], *other = statistic->column[j];
    return status ? status : add_output(query, output, why, "covariance(%s,%s)", one, other);
}

static dpn_status compile_covariance(dpn_query *query, size_t s, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    if (query->declaration.missing == DPN_MISSING_SKIP)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "a covariance needs rows without missing fields: it cannot be had with 'missing' set to skip");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < statistic->columns; i++)
        for (size_t j = i; j < statistic->columns && !status; j++) status = compile_pair(query, s, i, j, why);
    return status;
}

static dpn_status compile_histogram(dpn_query *query, size_t s, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_output output = blank(statistic->kind, s);
    output.bins = bins_of(query, s);
    dpn_moment made = {.kind = DPN_MOMENT_BINS, .a = output.bins, .bound = 1};
    dpn_status status = dpn_find_moment(&output.rows, query, made, why);
    for (; !status && output.bin + 1 < statistic->edges; output.bin++)
        status =
            add_output(query, output, why, "histogram(%s)[%s,%s%c", statistic->column[0], statistic->edge[output.bin],
                       statistic->edge[output.bin + 1], output.bin + 2 < statistic->edges ? ')' : ']');
    return status;
}

static dpn_status compile_quantile(dpn_query *query, size_t s, dpn_error *why) {
    const dpn_statistic *statistic = &query->declaration.statistic[s];
    dpn_output output = blank(statistic->kind, s);
    output.bins = bins_of(query, s);
    return add_output(query, output, why, "quantile(%s,%s)", statistic->column[0], statistic->quantile);
}

static dpn_status compile_count(dpn_query *query, size_t s, dpn_error *why) {
    dpn_output output = blank(DPN_STATISTIC_COUNT, s);
    dpn_status status = dpn_find_rows(&output.rows, query, why);
    return status ? status : add_output(query, output, why, "count");
}

static dpn_status compile_statistic(dpn_query *query, size_t s, dpn_error *why) {
    switch (query->declaration.statistic[s].kind) {
    case DPN_STATISTIC_COUNT:
        return compile_count(query, s, why);
    case DPN_STATISTIC_SUM:
        return compile_sum(query, s, why);
    case DPN_STATISTIC_MEAN:
    case DPN_STATISTIC_VARIANCE:
        return compile_mean(query, s, why);
    case DPN_STATISTIC_HISTOGRAM:
        return compile_histogram(query, s, why);
    case DPN_STATISTIC_QUANTILE:
        return compile_quantile(query, s, why);
    case DPN_STATISTIC_COVARIANCE:
        return compile_covariance(query, s, why);
    }
    return dpn_fail(why, DPN_EDOMAIN, "there is no statistic of that kind");
}

/* ---- Groups, predicates, persons ---- */

static dpn_status compile_groups(dpn_query *query, dpn_error *why) {
    const dpn_declaration *declaration = &query->declaration;
    query->by = calloc(declaration->bys + 1, sizeof *query->by);
    query->where = calloc(declaration->wheres + 1, sizeof *query->where);
    if (!query->by || !query->where) return no_memory(why);
    dpn_status status = DPN_OK;
    query->known_keys = true;
    query->groups = 1;
    for (size_t i = 0; i < declaration->bys && !status; i++) {
        status = dpn_find_column(&query->by[i], query, declaration->by[i].column, why);
        if (!declaration->by[i].level)
            query->known_keys = false;
        else if (query->groups > SIZE_MAX / 2 / (declaration->by[i].levels + 1))
            status = dpn_fail(why, DPN_EDOMAIN, "there are too many groups");
        else
            query->groups *= declaration->by[i].levels;
    }
    if (!query->known_keys) query->groups = 0;
    for (size_t i = 0; i < declaration->wheres && !status; i++)
        status = dpn_find_column(&query->where[i], query, declaration->where[i].column, why);
    query->person = NONE;
    if (!status && declaration->person) status = dpn_find_column(&query->person, query, declaration->person, why);
    return status;
}

/* What is held against the threshold: the persons of a group, who are its rows if each has at most one there. */
static dpn_status compile_persons(dpn_query *query, dpn_error *why) {
    query->persons = NONE;
    if (query->known_keys) return DPN_OK;
    if (query->declaration.max_rows <= 1) return dpn_find_rows(&query->persons, query, why);
    return dpn_find_moment(&query->persons, query, (dpn_moment){.kind = DPN_MOMENT_PERSONS, .bound = 1}, why);
}

dpn_status dpn_query_compile(dpn_query *query, dpn_error *why) {
    dpn_status status = compile_groups(query, why);
    if (!status) status = compile_bins(query, why);
    for (size_t s = 0; s < query->declaration.statistics && !status; s++) status = compile_statistic(query, s, why);
    return status ? status : compile_persons(query, why);
}
