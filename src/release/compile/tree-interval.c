/* Quantiles and their intervals from a noisy tree. */
#include "release/compile/tree-interval.h"

#include "base/error.h"
#include "release/compile/interval.h"

#include <dpnoise/number.h>
#include <dpnoise/plan.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS = 20000, MOST_NUMBERS = 4000000 };

/* ---- Simulated noise ---- */

/* Simulated sums of the noise of 0, 1, ..., `beside` nodes, and room for what is made of one of them. */
typedef struct simulation {
    size_t draws, beside;
    double *sum; /* draws times beside + 1 */
    double *room;
} simulation;

/* Whether a moment is the level of a tree that has the most noise. All have the same bound and weight, and so the same law; were one of
 * them larger, it would serve for all: sums of symmetric unimodal noise spread with each of their terms (Birnbaum 1948). */
static bool is_largest(const dpn_query *query, size_t tree, size_t moment) {
    const dpn_moment *all = query->moment;
    if (all[moment].kind != DPN_MOMENT_BINS || all[moment].a != tree) return false;
    for (size_t i = 0; i < query->moments; i++)
        if (all[i].kind == DPN_MOMENT_BINS && all[i].a == tree &&
            query->cell[i].variance > query->cell[moment].variance)
            return false;
    return true;
}

/* One draw of the plan gives independent noise for each level. */
static dpn_status simulate(simulation *out, const dpn_query *query, size_t tree, dpn_rng *rng, int64_t *zero,
                           int64_t *steps, dpn_error *why) {
    size_t total = out->draws * (out->beside + 1), at = 0;
    while (at < total) {
        dpn_status status = dpn_release_draw(steps, query->release, rng, zero, why);
        if (status) return status;
        for (size_t i = 0; i < query->moments && at < total; i++) {
            if (!is_largest(query, tree, i)) continue;
            if (at % (out->beside + 1) == 0) out->sum[at++] = 0;
            double noise = ldexp((double)steps[i], dpn_release_grid_exponent(query->release, i));
            out->sum[at] = out->sum[at - 1] + noise;
            at++;
        }
    }
    return DPN_OK;
}

/* 95%, and three standard deviations of what so many draws tell of it. */
static double share_upper(size_t draws) {
    return 0.95 + 3 * sqrt(0.95 * 0.05 / (double)draws);
}

static dpn_status fill_width(const simulation *from, dpn_output *output, double q, dpn_error *why) {
    size_t beside = from->beside;
    if (!(output->width = malloc((beside + 1) * sizeof *output->width)))
        return dpn_fail(why, DPN_ENOMEM, "no memory for the intervals");
    for (size_t lefts = 0; lefts <= beside; lefts++) {
        for (size_t d = 0; d < from->draws; d++) {
            const double *sum = from->sum + d * (beside + 1);
            from->room[d] = fabs(sum[lefts] - q * sum[beside]);
        }
        output->width[lefts] = dpn_share_of(from->room, from->draws, share_upper(from->draws));
    }
    return DPN_OK;
}

static double quantile_of(const dpn_query *query, const dpn_output *output) {
    double q;
    return dpn_number_parse(&q, query->declaration.statistic[output->statistic].quantile, NULL) ? NAN : q;
}

static dpn_status tree_widths(dpn_query *query, size_t tree, dpn_error *why) {
    size_t beside = dpn_tree_beside(&query->bins[tree].tree), most = MOST_NUMBERS / (beside + 1);
    simulation all = {.draws = most < DRAWS ? most : DRAWS, .beside = beside};
    if (all.draws < 1000) return dpn_fail(why, DPN_EDOMAIN, "a tree with %zu nodes beside a way is too large", beside);
    all.sum = malloc(all.draws * (beside + 1) * sizeof *all.sum);
    all.room = malloc(all.draws * sizeof *all.room);
    int64_t *zero = calloc(query->moments, sizeof *zero), *steps = calloc(query->moments, sizeof *steps);
    dpn_rng *rng = NULL;
    bool room = all.sum && all.room && zero && steps;
    dpn_status status = room ? dpn_rng_new(&rng, why) : dpn_fail(why, DPN_ENOMEM, "no memory for the intervals");
    if (!status) status = simulate(&all, query, tree, rng, zero, steps, why);
    for (size_t i = 0; i < query->outputs && !status; i++) {
        dpn_output *output = &query->outputs_of[i];
        if (output->bins == tree) status = fill_width(&all, output, quantile_of(query, output), why);
    }
    dpn_rng_free(rng);
    free(all.sum);
    free(all.room);
    free(zero);
    free(steps);
    return status;
}

dpn_status dpn_tree_widths(dpn_query *query, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t t = query->histograms; t < query->histograms + query->trees && !status; t++)
        status = tree_widths(query, t, why);
    return status;
}

/* ---- Inversion ---- */

/* The isotonic fit turns positive where the sums of D from the left are least. There the number of values is taken to be no less than 0, so
 * that of two quantiles the larger one is not below the other. The slack is for rounding: noise and widths lie on one lattice. */
dpn_tree_quantile dpn_tree_invert(const dpn_tree *tree, const double *prefix, double q, const double *width) {
    dpn_tree_quantile out = {0, tree->bins - 1, 0};
    double sum = 0, least = 0;
    for (size_t k = 0; k + 1 < tree->bins; k++) {
        dpn_tree_place place = dpn_tree_look(tree, prefix, k);
        double all = place.left + place.right, d = place.left - q * all;
        double w = width[place.lefts] + 1e-9 * (1 + fabs(place.left) + fabs(place.right));
        if (d >= -w && k < out.low) out.low = k;
        if (d < w) out.high = k + 1;
        sum += place.left - q * fmax(all, 0);
        if (sum < least) {
            least = sum;
            out.value = k + 1;
        }
    }
    if (out.low > out.value) out.low = out.value;
    if (out.high < out.value) out.high = out.value;
    return out;
}
