/* Gradient descent on secret random batches (Abadi et al. 2016): each step has a fresh Poisson sample, the sum of its rows' clipped gradients in whole numbers, and
 * Gaussian noise on it. All steps together are one training run, whose exact profile is known. docs/proofs/learn/fit.md, F15 */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/gradient-batch.h"
#include "learn/descent.h"
#include "learn/row-count.h"
#include "release/noise/law-release.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For what sums of shares are rounded by. */
#define DOWN (1 - 1e-12)

enum { MOST_STEPS = 100000 };

typedef struct state {
    size_t count, noise; /* releases */
    bool buys_rows;
    dpn_gradient_batch batch;
    uint64_t steps;
} state;

/* ---- Planning ---- */

static dpn_status check(const dpn_fit *fit, dpn_error *why) {
    if (!(fit->delta > 0)) return dpn_fail(why, DPN_EUNSUPPORTED, "sgd has Gaussian noise, which needs a delta");
    if (fit->noise) return dpn_fail(why, DPN_EUNSUPPORTED, "sgd has Gaussian noise alone: leave --noise out");
    if (fit->ball && strcmp(fit->ball, "l2") != 0 && strcmp(fit->ball, "linf") != 0)
        return dpn_fail(why, DPN_EPARSE, "gradients are clipped in l2 or linf, not in '%.40s'", fit->ball);
    return DPN_OK;
}

/* Steps in units of the inverse of this: the curvature of the loss times about the mean square of a row. */
static double smoothness(const dpn_fit *fit) {
    double from = fit->options.no_intercept;
    return dpn_descent_curvature(fit) * (1 - from + (double)fit->features / 3);
}

/* A vector whose coordinates are each at most C is at most C m^(1/2) long. */
static dpn_status announce_noise(state *of, dpn_fit *fit, double epsilon, dpn_error *why) {
    double present = of->batch.each ? nextafter(sqrt((double)of->batch.m), INFINITY) : 1;
    double l2 = fit->relation == DPN_REPLACE ? 2 * present : present;
    dpn_training training = dpn_training_init();
    dpn_release *release;
    dpn_delta certified;
    dpn_law law;
    training.sensitivity = l2;
    training.rate = ldexp(of->batch.rate, -DPN_BATCH_RATE_LOG);
    training.steps = of->steps;
    training.vector = true;
    training.relation = fit->relation;
    training.present = fit->relation == DPN_REPLACE ? present : 0;
    training.cancelled = fit->cancelled;
    training.context = fit->context;
    dpn_workspace *workspace;
    dpn_status status = dpn_workspace_new(&workspace);
    if (status) return dpn_fail(why, status, "no memory for the fit");
    status = dpn_calibrate_training(&law, &certified, "gaussian", epsilon, fit->delta, &training, workspace, why);
    dpn_workspace_free(workspace);
    if (!status)
        status = dpn_release_of_law(&release, &law, of->batch.m, l2, -DPN_BATCH_CLIP_LOG, fit->relation, epsilon, why);
    if (!status) status = dpn_fit_announce_made(&of->noise, fit, "gradients of batches", of->steps, release, why);
    if (status) return status;
    fit->announced[of->noise].rate = training.rate;
    fit->announced[of->noise].present = present;
    fit->announced[of->noise].delta_times = 1; /* a pure release beside it adds its epsilon */
    return DPN_OK;
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    const dpn_fit_options *options = &fit->options;
    dpn_status status = check(fit, why);
    if (status) return status;
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    double rate = rint((options->sample_rate > 0 ? options->sample_rate : 0.0625) * DPN_BATCH_RATE_UNIT);
    of->batch = (dpn_gradient_batch){.fit = fit, .from = options->no_intercept, .rate = (uint32_t)fmax(rate, 1)};
    of->batch.m = fit->features + 1 - of->batch.from;
    of->batch.each = fit->ball && strcmp(fit->ball, "linf") == 0;
    double usual = options->kind == DPN_FIT_LINEAR ? 0.5 : 1;
    of->batch.clip = options->clip > 0 ? options->clip : usual * (of->batch.each ? 1 : sqrt((double)of->batch.m));
    double passes = options->passes > 0 ? (double)options->passes : 10;
    double steps = ceil(passes * DPN_BATCH_RATE_UNIT / of->batch.rate);
    if (!(steps <= MOST_STEPS))
        return dpn_fail(why, DPN_EDOMAIN, "passes over the sample rate must be at most %d steps", MOST_STEPS);
    of->steps = (uint64_t)steps;
    fit->settled.passes = (uint64_t)passes;
    fit->settled.clip = of->batch.clip;
    fit->settled.sample_rate = ldexp(of->batch.rate, -DPN_BATCH_RATE_LOG);
    if (options->step == 0) fit->settled.step = 1;
    if (!fit->ball) fit->settled.ball = "l2";
    of->buys_rows = options->rows == 0 && !dpn_count_is_public(fit->query);
    double epsilon = of->buys_rows ? (1 - DPN_ROW_COUNT_SHARE) * fit->epsilon * DOWN : fit->epsilon;
    if (of->buys_rows) status = dpn_row_count_announce(&of->count, fit, why);
    return status ? status : announce_noise(of, fit, epsilon, why);
}

/* ---- The run ---- */

static dpn_status count_rows(double *out, dpn_fit *fit, const state *of, dpn_rng *rng, dpn_error *why) {
    dpn_status status = DPN_OK;
    *out = fit->options.rows > 0 ? fit->options.rows : (double)fit->rows.count;
    if (of->buys_rows) status = dpn_row_count_draw(out, fit, of->count, rng, why);
    *out = fmax(*out, 1);
    return status;
}

/* No coefficient is larger: sums stay finite whatever the noise does. */
static double kept_finite(double b) {
    const double farthest = 1024;
    return fmin(fmax(b, -farthest), farthest);
}

static dpn_status descend(double *mean, double *b, int64_t *sum, dpn_fit *fit, const state *of, double rows,
                          dpn_rng *rng, dpn_error *why) {
    const dpn_gradient_batch *batch = &of->batch;
    dpn_gradient_batch own = *batch; /* the rows of this run */
    double share = ldexp(batch->rate, -DPN_BATCH_RATE_LOG), tau = fit->options.step > 0 ? fit->options.step : 1;
    uint64_t first = fit->options.raw ? of->steps - 1 : of->steps / 2;
    dpn_status status = DPN_OK;
    own.fit = fit;
    tau /= smoothness(fit);
    for (uint64_t step = 0; step < of->steps && !status; step++) {
        status = dpn_gradient_batch_sum(sum, &own, b, rng, why);
        if (!status) status = dpn_fit_draw(sum, fit, of->noise, rng, sum, why);
        for (size_t j = 0; j < batch->m && !status; j++) {
            size_t column = batch->from + j;
            double slope = ldexp((double)sum[j], -DPN_BATCH_CLIP_LOG) * batch->clip / (share * rows);
            b[column] = kept_finite(dpn_descent_prox(fit, column, b[column] - tau * slope, tau));
            if (step >= first) mean[column] += b[column] / (double)(of->steps - first);
        }
        if (!status) status = dpn_fit_done(fit, (double)(step + 1) / (double)of->steps, why);
    }
    return status;
}

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    double *b = calloc(fit->features + 1, sizeof *b), rows = 0;
    int64_t *sum = calloc(of->batch.m, sizeof *sum);
    dpn_status status = b && sum ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the descent");
    if (!status) status = count_rows(&rows, fit, of, rng, why);
    if (!status) status = descend(out->b, b, sum, fit, of, rows, rng, why);
    if (sum) explicit_bzero(sum, of->batch.m * sizeof *sum);
    free(b);
    free(sum);
    return status;
}

const struct dpn_fit_method dpn_fit_sgd = {
    .name = "sgd",
    .about = "gradient descent on secret random batches with Gaussian noise, counted exactly; needs a delta",
    .linear = true,
    .logistic = true,
    .uses = DPN_USES_RAW | DPN_USES_BALL | DPN_USES_PENALTIES | DPN_USES_PASSES | DPN_USES_ROWS | DPN_USES_CLIP |
            DPN_USES_STEP | DPN_USES_SAMPLE_RATE,
    .needs_delta = true,
    .plan = plan,
    .run = run,
};
