/* Noise on the tally, and what follows from the noisy sums alone. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "release/answer/consistent.h"
#include "release/compile/interval.h"
#include "release/statistic/statistic.h"
#include "release/tally/tally.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Drawing ---- */

static size_t bin_count(const dpn_query *query, size_t bins) {
    return query->bins[bins].edges - 1;
}

/* A sum in steps of the grid that the release has, which may be finer than the moment's. Clamped: the distance between two sums
 * does not grow by that. */
static int64_t on_grid(const dpn_query *query, size_t moment, int64_t sum) {
    int finer = query->moment[moment].exponent - dpn_release_grid_exponent(query->release, moment);
    int64_t most = DPN_RELEASE_MOST_STEPS >> finer;
    return (sum > most ? most : sum < -most ? -most : sum) * ((int64_t)1 << finer);
}

static dpn_status draw_bins(dpn_noisy *out, const dpn_query *query, size_t moment, const int64_t *count, double *bin,
                            dpn_rng *rng, dpn_error *why) {
    int exponent = dpn_release_grid_exponent(query->release, moment);
    memset(out->value, 0, query->moments * sizeof *out->value);
    for (size_t i = 0; i < bin_count(query, query->moment[moment].a); i++) {
        out->value[moment] = on_grid(query, moment, count[i]);
        dpn_status status = dpn_release_draw(out->drawn, query->release, rng, out->value, why);
        if (status) return status;
        bin[i] = ldexp((double)out->drawn[moment], exponent);
    }
    return DPN_OK;
}

/* The nodes of one level of a tree, whose counts are those of its bins together. */
static dpn_status draw_level(dpn_noisy *out, const dpn_query *query, size_t moment, const int64_t *count,
                             double *prefix, dpn_rng *rng, dpn_error *why) {
    const dpn_tree *tree = &query->bins[query->moment[moment].a].tree;
    size_t level = query->moment[moment].b, stride = dpn_tree_stride(tree, level);
    int exponent = dpn_release_grid_exponent(query->release, moment);
    memset(out->value, 0, query->moments * sizeof *out->value);
    prefix[0] = 0;
    for (size_t i = 0; i < dpn_tree_nodes(tree, level); i++) {
        int64_t exact = 0;
        for (size_t bin = i * stride; bin < (i + 1) * stride && bin < tree->bins; bin++) exact += count[bin];
        out->value[moment] = on_grid(query, moment, exact);
        dpn_status status = dpn_release_draw(out->drawn, query->release, rng, out->value, why);
        if (status) return status;
        prefix[i + 1] = prefix[i] + ldexp((double)out->drawn[moment], exponent);
    }
    return DPN_OK;
}

static size_t moment_of(const dpn_query *query, size_t bins, size_t level) {
    size_t moment = 0;
    while (query->moment[moment].kind != DPN_MOMENT_BINS || query->moment[moment].a != bins ||
           query->moment[moment].b != level)
        moment++;
    return moment;
}

static dpn_status draw_tree(dpn_noisy *out, const dpn_query *query, size_t bins, const int64_t *count, double *prefix,
                            dpn_rng *rng, dpn_error *why) {
    const dpn_tree *tree = &query->bins[bins].tree;
    dpn_status status = DPN_OK;
    for (size_t level = 0; level < tree->levels && !status; level++) {
        status = draw_level(out, query, moment_of(query, bins, level), count, prefix, rng, why);
        prefix += dpn_tree_nodes(tree, level) + 1;
    }
    return status;
}

/* The sums of a group get one draw of the plan; each bin or node one of its own, of which only its coordinate is used. */
static dpn_status draw_group(dpn_noisy *out, const dpn_query *query, const dpn_group *group, dpn_rng *rng,
                             dpn_error *why) {
    dpn_status status = DPN_OK;
    if (query->release) {
        for (size_t i = 0; i < query->moments; i++) out->value[i] = on_grid(query, i, group->sum[i]);
        status = dpn_release_draw(out->drawn, query->release, rng, out->value, why);
        for (size_t i = 0; i < query->moments && !status; i++)
            out->moment[i] = ldexp((double)out->drawn[i], dpn_release_grid_exponent(query->release, i));
    }
    size_t start = 0;
    for (size_t b = 0; b < query->histograms && !status; b++) {
        status = draw_bins(out, query, moment_of(query, b, 0), group->count + start, out->bin + start, rng, why);
        start += bin_count(query, b);
    }
    for (size_t b = query->histograms; b < query->histograms + query->trees && !status; b++) {
        double *prefix = out->prefix + dpn_noisy_first_prefix(query, b);
        status = draw_tree(out, query, b, group->count + start, prefix, rng, why);
        start += bin_count(query, b);
    }
    for (size_t q = 0; q < query->quantiles && !status; q++) {
        const uint64_t *count = (const uint64_t *)group->count + start;
        status = dpn_quantile_draw(&out->edge[q], &query->quantile[q], rng, count, why);
        start += bin_count(query, query->histograms + query->trees + q);
    }
    return status;
}

size_t dpn_noisy_first_bin(const dpn_query *query, size_t bins) {
    size_t start = 0;
    for (size_t b = 0; b < bins; b++) start += bin_count(query, b);
    return start;
}

size_t dpn_noisy_first_prefix(const dpn_query *query, size_t bins) {
    size_t start = 0;
    for (size_t b = query->histograms; b < bins; b++) start += dpn_tree_prefixes(&query->bins[b].tree);
    return start;
}

/* ---- Digits ---- */

/* A unit of between a thirtieth and a three-hundredth of the half-width is the last that is worth telling. */
static void round_cell(dpn_answer_cell *cell, bool whole, bool consistent) {
    double half = (cell->high - cell->low) / 2;
    cell->digits = half > 0 ? 1 - (int)floor(log10(half / 3)) : whole ? 0 : 15;
    if (whole && (consistent || cell->digits > 0)) cell->digits = 0; /* what adds up is not rounded any more */
    if (cell->digits > 15) return;
    double unit = pow(10, abs(cell->digits)), scale = cell->digits < 0 ? 1 / unit : unit;
    cell->value = cell->digits < 0 ? round(cell->value / unit) * unit : round(cell->value * unit) / unit;
    cell->low = floor(cell->low * scale) / scale;
    cell->high = ceil(cell->high * scale) / scale;
}

/* Counts, and sums of values that are not negative. */
static bool cannot_be_negative(const dpn_query *query, const dpn_output *output) {
    return output->row->whole || (output->row->nonnegative && output->row->nonnegative(query, output));
}

static void finish_group(dpn_answer_cell *cell, const dpn_query *query) {
    if (query->declaration.consistent) dpn_make_consistent(cell, query);
    for (size_t i = 0; i < query->outputs; i++) {
        if (!query->outputs_of[i].row->chosen)
            round_cell(&cell[i], query->outputs_of[i].row->whole, query->declaration.consistent);
        if (!query->declaration.nonnegative || !cannot_be_negative(query, &query->outputs_of[i])) continue;
        cell[i].value = fmax(cell[i].value, 0);
        cell[i].low = fmax(cell[i].low, 0);
        cell[i].high = fmax(cell[i].high, 0);
    }
}

/* ---- Words ---- */

const char *dpn_interval_kind_name(dpn_interval_kind kind) {
    static const char *const names[] = {NULL, "exact", "conservative", "conditional"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

/* ---- The table ---- */

static bool noisy_make(dpn_noisy *out, const dpn_query *query) {
    size_t bins = dpn_noisy_first_bin(query, query->histograms);
    size_t prefixes = dpn_noisy_first_prefix(query, query->histograms + query->trees);
    *out = (dpn_noisy){.moment = calloc(query->moments + 1, sizeof *out->moment),
                       .bin = calloc(bins + 1, sizeof *out->bin),
                       .prefix = calloc(prefixes + 1, sizeof *out->prefix),
                       .edge = calloc(query->quantiles + 1, sizeof *out->edge),
                       .value = calloc(query->moments + 1, sizeof *out->value),
                       .drawn = calloc(query->moments + 1, sizeof *out->drawn)};
    return out->moment && out->bin && out->prefix && out->edge && out->value && out->drawn;
}

static void noisy_free(dpn_noisy *noisy) {
    free(noisy->moment);
    free(noisy->bin);
    free(noisy->prefix);
    free(noisy->edge);
    free(noisy->value);
    free(noisy->drawn);
}

/* Room for N groups, where there are some already or not. */
static bool answer_reserve(dpn_answer *answer, size_t groups) {
    size_t widest = answer->bys > answer->outputs ? answer->bys : answer->outputs;
    if (widest > 0 && groups > SIZE_MAX / sizeof(dpn_answer_cell) / (widest + 1)) return false;
    char **key = realloc(answer->key, (groups * answer->bys + 1) * sizeof *key);
    if (!key) return false;
    answer->key = key;
    dpn_answer_cell *cell = realloc(answer->cell, (groups * answer->outputs + 1) * sizeof *cell);
    if (!cell) return false;
    answer->cell = cell;
    return true;
}

static dpn_answer *answer_make(const dpn_query *query) {
    dpn_answer *answer = calloc(1, sizeof *answer);
    if (!answer) return NULL;
    answer->bys = query->declaration.bys;
    answer->outputs = query->outputs;
    answer->output = calloc(answer->outputs + 1, sizeof *answer->output);
    bool whole = answer->output && answer_reserve(answer, query->known_keys ? query->groups : 0);
    for (size_t i = 0; i < answer->outputs && whole; i++)
        whole = (answer->output[i] = strdup(query->output[i])) != NULL;
    if (whole) return answer;
    dpn_answer_free(answer);
    return NULL;
}

static bool is_shown(const dpn_query *query, const dpn_noisy *noisy) {
    return query->known_keys || noisy->moment[query->persons] > (double)query->threshold;
}

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the answer");
}

static dpn_status add_group(dpn_answer *answer, const dpn_query *query, const dpn_group *group, dpn_noisy *noisy,
                            dpn_rng *rng, dpn_error *why) {
    dpn_status status = draw_group(noisy, query, group, rng, why);
    if (status || !is_shown(query, noisy)) return status;
    size_t at = answer->groups;
    /* Of keys that are not declared those that are shown take memory, and no others: their number is private. */
    bool grows = !query->known_keys && (at & (at - 1)) == 0;
    if (grows && !answer_reserve(answer, at > 0 ? 2 * at : 1)) return no_memory(why);
    memset(answer->key + at * answer->bys, 0, answer->bys * sizeof *answer->key);
    answer->groups++;
    for (size_t i = 0; i < answer->bys; i++)
        if (!(answer->key[at * answer->bys + i] = strdup(group->key[i]))) return no_memory(why);
    dpn_answer_cell *cell = answer->cell + at * answer->outputs;
    memset(cell, 0, answer->outputs * sizeof *cell);
    for (size_t i = 0; i < answer->outputs; i++)
        query->outputs_of[i].row->answer(&cell[i], query, &query->outputs_of[i], noisy);
    finish_group(cell, query);
    return DPN_OK;
}

dpn_status dpn_answer_draw(dpn_answer **out, const dpn_query *query, dpn_tally *tally, dpn_rng *rng, dpn_error *why) {
    dpn_walk *walk;
    const dpn_group *group = NULL;
    dpn_status status = dpn_walk_begin(&walk, tally, why);
    if (status) return status;
    dpn_noisy noisy;
    bool room = noisy_make(&noisy, query);
    dpn_answer *answer = room ? answer_make(query) : NULL;
    if (!answer) status = no_memory(why);
    do {
        if (!status) status = dpn_walk_next(&group, walk, why);
        if (!status && group) status = add_group(answer, query, group, &noisy, rng, why);
    } while (!status && group);
    noisy_free(&noisy);
    dpn_walk_free(walk);
    if (status)
        dpn_answer_free(answer);
    else
        *out = answer;
    return status;
}

dpn_status dpn_query_answer(dpn_answer **out, const dpn_query *query, dpn_tally *tally, dpn_rng *rng, dpn_error *why) {
    if (!out || !rng) return dpn_fail(why, DPN_EDOMAIN, "an answer needs a random source");
    dpn_status status = dpn_tally_check_answer(tally, query, why);
    dpn_answer *answer = NULL;
    if (!status) status = dpn_answer_draw(&answer, query, tally, rng, why);
    if (!status && !dpn_tally_mark_answered(tally)) {
        dpn_answer_free(answer);
        status = dpn_tally_check_answer(tally, query, why);
    }
    if (!status) *out = answer;
    return status;
}

void dpn_answer_free(dpn_answer *answer) {
    if (!answer) return;
    for (size_t i = 0; answer->key && i < answer->groups * answer->bys; i++) free(answer->key[i]);
    for (size_t i = 0; answer->output && i < answer->outputs; i++) free(answer->output[i]);
    free(answer->key);
    free(answer->output);
    free(answer->cell);
    free(answer);
}
