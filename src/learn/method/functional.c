/* The functional mechanism (Awan and Slavkovic 2021, section 5): noisy sums of products with K-norm noise around all of them. Squares are
 * doubled, indicators have their smaller space (Remark 5.1). Under add-remove a corner x in {-1, 1}^p moves every cell by exactly 1, so
 * that Delta_1 = d, Delta_2 = d^(1/2) and Delta_inf = 1 are exact; under replace the box of twice that is what the paper has too. */
#include "learn/cells.h"
#include "learn/noisy.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
    dpn_cells cells;
    size_t release;
} state;

static void free_state(void *context) {
    state *of = context;
    dpn_cells_free(&of->cells);
    free(of);
}

static dpn_status find_ball(dpn_ball_kind *out, const char *name, dpn_error *why) {
    static const dpn_ball_kind balls[] = {DPN_BALL_LINF, DPN_BALL_L1, DPN_BALL_L2};
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++)
        if (!name || strcmp(name, dpn_ball_kind_name(balls[i])) == 0) {
            *out = balls[i];
            return DPN_OK;
        }
    return dpn_fail(why, DPN_EPARSE, "the ball of a fit is linf, l1 or l2, not '%.40s'", name);
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    dpn_ball_kind ball = DPN_BALL_LINF;
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    dpn_status status = dpn_cells_make(&of->cells, fit, why);
    if (!status) status = find_ball(&ball, fit->ball, why);
    if (!status && fit->noise) status = dpn_fail(why, DPN_EDOMAIN, "the functional mechanism has K-norm noise alone");
    if (status) return status;
    return dpn_noisy_announce(&of->release, fit, &of->cells, "moments", fit->epsilon, fit->delta, &ball, why);
}

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    dpn_noisy_moments noisy;
    dpn_status status = dpn_noisy_draw(&noisy, fit, &of->cells, of->release, rng, why);
    if (!status && !fit->options.raw) dpn_noisy_expect(&noisy, fit, &of->cells);
    if (!status) status = dpn_noisy_estimate(out, fit, &of->cells, &noisy, why);
    dpn_noisy_free(&noisy);
    return status;
}

const struct dpn_fit_method dpn_fit_functional = {
    .name = "functional",
    .about =
        "the functional mechanism: noisy sums of products with K-norm noise of one ball, and least squares of them",
    .linear = true,
    .plan = plan,
    .run = run,
    .free = free_state,
};
