/* Sample and aggregate (Nissim, Raskhodnikova, Smith 2007; Smith 2011): the rows are dealt out to blocks at random, every block is fitted by itself, without noise, and the mean of the
 * fits, each clamped to public bounds, is released with the best noise. One row moves one fit. docs/proofs/learn/fit.md, F16 */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/block-fit.h"
#include "learn/method.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRID_LOG = 20, MOST_BLOCKS = 1000000, MOST_WITHIN = 1024 };

typedef struct state {
    size_t release, from, m;
    uint64_t blocks;
    int64_t most; /* what a coefficient of a block is clamped to, in steps of 2^-GRID_LOG */
} state;

/* ---- Planning ---- */

/* Blocks of 25 rows for each coefficient: their fits are seldom far out, and there are still many of them. */
static uint64_t choose_blocks(const dpn_fit *fit, size_t m) {
    if (fit->options.blocks > 0) return fit->options.blocks;
    return (uint64_t)fmin(fmax(floor(fit->options.rows / (25 * (double)m)), 1), MOST_BLOCKS);
}

static dpn_status check(const dpn_fit *fit, dpn_error *why) {
    const dpn_fit_options *options = &fit->options;
    if (options->blocks == 0 && options->rows == 0)
        return dpn_fail(why, DPN_EDOMAIN,
                        "into how many blocks? Declare that (--blocks), or about how many rows there are (--rows)");
    if (options->blocks > MOST_BLOCKS) return dpn_fail(why, DPN_EDOMAIN, "there are at most %d blocks", MOST_BLOCKS);
    if (options->within > MOST_WITHIN)
        return dpn_fail(why, DPN_EDOMAIN, "coefficients of blocks are within at most %d", MOST_WITHIN);
    if (options->l1 > 0 || fit->ball)
        return dpn_fail(why, DPN_EUNSUPPORTED, "fits of blocks have no l1 penalty, and their noise no ball");
    return DPN_OK;
}

/* A fit of a block may go from one end to the other. */
static dpn_status announce(state *of, dpn_fit *fit, dpn_error *why) {
    double *bound = malloc(of->m * sizeof *bound);
    int *exponent = malloc(of->m * sizeof *exponent);
    dpn_status status = bound && exponent ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    if (!status) {
        for (size_t j = 0; j < of->m; j++) {
            bound[j] = ldexp((double)(2 * of->most), -GRID_LOG);
            exponent[j] = -GRID_LOG;
        }
        dpn_sensitivity set = {.dimension = of->m, .bound = bound, .relation = fit->relation};
        dpn_release_options options = dpn_release_options_init();
        options.epsilon = fit->epsilon;
        options.delta = fit->delta;
        options.family = fit->noise;
        options.set = &set;
        options.whole = true;
        options.grid_exponents = exponent;
        options.exclude = DPN_EXCLUDE_INTEGER | DPN_EXCLUDE_SLOW;
        status = dpn_fit_announce(&of->release, fit, "sum of the fits of blocks", 1, &options, why);
    }
    free(bound);
    free(exponent);
    return status;
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    dpn_status status = check(fit, why);
    if (status) return status;
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    double within = fit->options.within > 0 ? fit->options.within : fit->options.kind == DPN_FIT_LINEAR ? 1 : 4;
    of->from = fit->options.no_intercept;
    of->m = fit->features + 1 - of->from;
    of->blocks = choose_blocks(fit, of->m);
    fit->settled.blocks = of->blocks;
    fit->settled.within = within;
    of->most = (int64_t)fmax(rint(ldexp(within, GRID_LOG)), 1);
    return announce(of, fit, why);
}

/* ---- The run ---- */

/* Each row's block is drawn by itself: words beyond the last whole multiple are drawn again. */
static dpn_status deal(size_t *block, size_t rows, uint64_t blocks, dpn_rng *rng, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t r = 0; r < rows && !status; r++) {
        uint64_t word = 0, most = UINT64_MAX - UINT64_MAX % blocks;
        do status = dpn_rng_words(&word, rng, 1, why);
        while (!status && word >= most);
        block[r] = (size_t)(word % blocks);
    }
    return status;
}

/* The rows of each block, block after block: those of block k end before end[k]. */
static void sort(size_t *row, size_t *end, const size_t *block, size_t rows, size_t blocks) {
    memset(end, 0, (blocks + 1) * sizeof *end);
    for (size_t r = 0; r < rows; r++) end[block[r] + 1]++;
    for (size_t k = 0; k < blocks; k++) end[k + 1] += end[k];
    for (size_t r = 0; r < rows; r++) row[end[block[r]]++] = r;
}

static void add_fits(int64_t *sum, const dpn_fit *fit, const state *of, const size_t *row, const size_t *end, double *b,
                     double *work) {
    for (size_t k = 0; k < of->blocks; k++) {
        size_t begin = k > 0 ? end[k - 1] : 0;
        dpn_block_fit(b, fit, of->from, of->m, row + begin, end[k] - begin, work);
        for (size_t j = 0; j < of->m; j++)
            sum[j] += (int64_t)rint(fmin(fmax(ldexp(b[j], GRID_LOG), -(double)of->most), (double)of->most));
    }
}

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    size_t rows = fit->rows.count, places = 2 * rows + (size_t)of->blocks + 1;
    size_t *place = malloc(places * sizeof *place), *row = place + rows, *end = row + rows;
    size_t doubles = of->m + dpn_block_fit_work(of->m);
    double *work = malloc(doubles * sizeof *work);
    int64_t *sum = calloc(of->m, sizeof *sum);
    dpn_status status = place && work && sum ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the blocks");
    if (!status) status = deal(place, rows, of->blocks, rng, why);
    if (!status) {
        sort(row, end, place, rows, (size_t)of->blocks);
        add_fits(sum, fit, of, row, end, work, work + of->m);
        status = dpn_fit_draw(sum, fit, of->release, rng, sum, why);
    }
    for (size_t j = 0; j < of->m && !status; j++)
        out->b[of->from + j] =
            ldexp((double)sum[j], dpn_release_grid_exponent(fit->announced[of->release].release, j)) /
            (double)of->blocks;
    if (place) explicit_bzero(place, places * sizeof *place);
    if (work) explicit_bzero(work, doubles * sizeof *work);
    if (sum) explicit_bzero(sum, of->m * sizeof *sum);
    free(place);
    free(work);
    free(sum);
    return status;
}

const struct dpn_fit_method dpn_fit_aggregate = {
    .name = "aggregate",
    .about = "the noisy mean of fits of blocks of rows, each clamped to public bounds",
    .linear = true,
    .logistic = true,
    .uses = DPN_USES_NOISE | DPN_USES_L2 | DPN_USES_WITHIN | DPN_USES_BLOCKS,
    .plan = plan,
    .run = run,
};
