/* From a declaration to columns, sums and outputs. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "release/compile/compile.h"

#include "base/error.h"
#include "release/compile/edges.h"
#include "release/compile/moments.h"
#include "release/statistic/outputs.h"

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
    dpn_bins made = {.edges = of->edges,
                     .statistic = statistic,
                     .clamp = dpn_statistic_row_of(of->kind)->bins == DPN_BINS_RANKED,
                     .upward = of->step};
    dpn_status status = dpn_find_column(&made.column, query, of->column[0], why);
    if (status) return status;
    dpn_bins *bins = one_more(query->bins, dpn_bin_sets(query), sizeof *bins);
    if (!bins) return no_memory(why);
    query->bins = bins;
    made.edge = of->edge ? copy_texts(of->edge, of->edges) : NULL;
    if (of->edge && !made.edge) return no_memory(why);
    if (made.upward)
        status = dpn_edges_step(&made.edge, &made.edges, of->lower[0], of->upper[0], of->step, why);
    else if (!of->edge)
        status = dpn_edges_make(&made.edge, &made.edges, of->lower[0], of->upper[0], why);
    if (status) return status;
    bins[dpn_bin_sets(query)] = made;
    if (made.upward)
        query->trees++;
    else if (made.clamp)
        query->quantiles++;
    else
        query->histograms++;
    return DPN_OK;
}

/* The bins of histograms stand first, then the trees, which quantiles with the same candidates share, then those of other quantiles. */
static dpn_status compile_bins(dpn_query *query, dpn_error *why) {
    static const struct {
        dpn_statistic_bins bins;
        bool step;
    } order[] = {{DPN_BINS_COUNTED, false}, {DPN_BINS_RANKED, true}, {DPN_BINS_RANKED, false}};
    dpn_status status = DPN_OK;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t s = 0; s < query->declaration.statistics && !status; s++) {
            const dpn_statistic *of = &query->declaration.statistic[s];
            if (dpn_statistic_row_of(of->kind)->bins != order[k].bins || (of->step != NULL) != order[k].step) continue;
            if (!of->step || dpn_bins_of(query, s) == NONE) status = add_bins(query, s, why);
        }
    return status;
}

/* Each level of a tree is a sum to get noise. They come last, when it is known how many others there are. */
static dpn_status compile_trees(dpn_query *query, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t t = query->histograms; t < query->histograms + query->trees; t++) {
        dpn_tree *tree = &query->bins[t].tree;
        size_t moment;
        *tree = dpn_tree_make(query->bins[t].edges - 1, query->moments);
        for (size_t level = 0; level < tree->levels && !status; level++)
            status = dpn_find_moment(&moment, query,
                                     (dpn_moment){.kind = DPN_MOMENT_BINS, .a = t, .b = level, .bound = 1}, why);
    }
    return status;
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
    for (size_t s = 0; s < query->declaration.statistics && !status; s++)
        status = dpn_statistic_row_of(query->declaration.statistic[s].kind)->compile(query, s, why);
    if (!status && query->declaration.count_left_out) status = dpn_statistic_left_out.compile(query, NONE, why);
    if (!status) status = compile_persons(query, why);
    return status ? status : compile_trees(query, why);
}
