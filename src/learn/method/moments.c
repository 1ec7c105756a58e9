/* Sufficient statistics: noisy sums of products with the least noise for the guarantee, and least squares of them. */
#include "learn/cells.h"
#include "learn/noisy.h"

#include "base/error.h"

#include <stdlib.h>

typedef struct state {
    dpn_cells cells;
    size_t release;
} state;

static void free_state(void *context) {
    state *of = context;
    dpn_cells_free(&of->cells);
    free(of);
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    dpn_status status = dpn_cells_make(&of->cells, fit, why);
    if (!status && fit->ball)
        status = dpn_fail(why, DPN_EDOMAIN, "balls belong to the method 'functional', which has no other noise");
    if (status) return status;
    return dpn_noisy_announce(&of->release, fit, &of->cells, "moments", fit->epsilon, fit->delta, NULL, why);
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

const struct dpn_fit_method dpn_fit_moments = {
    .name = "moments",
    .about = "noisy sums of products with the least noise for the guarantee, and least squares of them",
    .linear = true,
    .plan = plan,
    .run = run,
    .free = free_state,
};
