#include "learn/one-release.h"

#include "base/error.h"
#include "learn/cells.h"
#include "learn/noisy.h"

#include <stdlib.h>

typedef struct state {
    dpn_cells cells;
    size_t release;
} state;

void dpn_one_release_free(void *context) {
    state *of = context;
    dpn_cells_free(&of->cells);
    free(of);
}

dpn_status dpn_one_release_plan(void **out, dpn_fit *fit, const dpn_ball_kind *ball, dpn_error *why) {
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    dpn_status status = dpn_cells_make(&of->cells, fit, why);
    if (status) return status;
    return dpn_noisy_announce(&of->release, fit, &of->cells, "moments", fit->epsilon, fit->delta, ball, why);
}

dpn_status dpn_one_release_plan_made(void **out, dpn_fit *fit,
                                     dpn_status (*make)(dpn_release **, const dpn_fit *, const dpn_cells *, double,
                                                        dpn_error *),
                                     dpn_error *why) {
    state *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    *out = of;
    dpn_release *release = NULL;
    dpn_status status = dpn_cells_make(&of->cells, fit, why);
    if (!status) status = make(&release, fit, &of->cells, fit->epsilon, why);
    return status ? status : dpn_fit_announce_made(&of->release, fit, "moments", 1, release, why);
}

dpn_status dpn_one_release_run(dpn_fit_estimate *out, dpn_fit *fit, const void *context, dpn_rng *rng, dpn_error *why) {
    const state *of = context;
    dpn_noisy_moments noisy = {0};
    dpn_status status = dpn_noisy_draw(&noisy, fit, &of->cells, of->release, rng, why);
    if (!status && !fit->options.raw) dpn_noisy_expect(&noisy, fit, &of->cells);
    if (!status) status = dpn_noisy_estimate(out, fit, &of->cells, &noisy, why);
    dpn_noisy_free(&noisy);
    return status;
}
