/* Output perturbation: the minimum of a strongly convex objective, with noise. Chaudhuri, Monteleoni and Sarwate 2011; to compare with.
 *
 * The objective is the sum of the losses + (w/2)|b|^2, w = rows l2, the constant included: a row moves its minimum by at most the length of its
 * gradient over w. docs/proofs/learn/objective.md, O8. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/perturbed.h"

#include "base/error.h"
#include "learn/row-loss.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
    size_t release;
} state;

/* Noise for how far neighbouring tables move what is found, which is within eta/w of the minimum on both. */
static dpn_status announce(state *of, dpn_fit *fit, const dpn_row_loss *loss, dpn_error *why) {
    double both = fit->relation == DPN_REPLACE ? 2 : 1;
    double move = both * dpn_row_loss_gradient(loss, DPN_BALL_L2) + 2 * dpn_perturbed_eta(loss);
    dpn_sensitivity set = {.dimension = loss->m, .relation = fit->relation};
    set.l2 = move / (fit->options.rows * fit->options.l2) * (1 + 0x1p-50);
    dpn_calibration_options calibration = dpn_calibration_options_init();
    dpn_release_options options = dpn_release_options_init();
    calibration.has_ball = fit->delta == 0;
    calibration.ball = DPN_BALL_L2;
    options.epsilon = fit->epsilon;
    options.delta = fit->delta;
    options.set = &set;
    options.exclude = DPN_EXCLUDE_INTEGER | DPN_EXCLUDE_SLOW;
    options.calibration = &calibration;
    options.family = fit->delta == 0 ? "k-norm" : NULL;
    return dpn_fit_announce(&of->release, fit, "minimum", 1, &options, why);
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    dpn_status status = dpn_perturbed_check(fit, why);
    if (status) return status;
    if (!(fit->options.l2 > 0))
        return dpn_fail(why, DPN_EDOMAIN, "output perturbation needs an l2 penalty, and the number of rows");
    if (!(fit->options.rows * fit->options.l2 >= 0x1p-10))
        return dpn_fail(why, DPN_EDOMAIN, "the penalty times the number of rows must be at least 2^-10");
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    dpn_row_loss loss = {0};
    status = dpn_row_loss_make(&loss, fit, why);
    if (!status) status = announce(of, fit, &loss, why);
    dpn_row_loss_free(&loss);
    return status;
}

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    dpn_row_loss loss = {0};
    dpn_status status = dpn_row_loss_make(&loss, fit, why);
    dpn_int128 *b = calloc(loss.m + 1, sizeof *b);
    if (!status && !b) status = dpn_fail(why, DPN_ENOMEM, "no memory for the minimum");
    if (!status) status = dpn_perturbed_minimum(b, &loss, fit->options.rows * fit->options.l2, 0, NULL, why);
    if (!status) status = dpn_perturbed_show(out, fit, of->release, loss.from, loss.m, b, rng, why);
    if (b) explicit_bzero(b, loss.m * sizeof *b);
    free(b);
    dpn_row_loss_free(&loss);
    return status;
}

const struct dpn_fit_method dpn_fit_output = {
    .name = "output",
    .about = "the minimum of a loss with an l2 penalty, with noise on it: to compare with",
    .linear = true,
    .logistic = true,
    .uses = DPN_USES_L2 | DPN_USES_ROWS | DPN_USES_SET,
    .plan = plan,
    .run = run,
};
