/* The fit without noise, as everybody else makes it: to compare with, never to publish. */
#include "learn/plain.h"

static dpn_status run(dpn_fit_estimate *out, dpn_fit *fit, const void *state, dpn_rng *rng, dpn_error *why) {
    (void)state;
    (void)rng;
    return dpn_plain_fit(out, fit, fit->exact, fit->rows.count, why);
}

const struct dpn_fit_method dpn_fit_non_private = {
    .name = "non-private",
    .about = "no noise at all and no guarantee, with standard errors: to compare with, never to publish",
    .linear = true,
    .logistic = true,
    .is_not_private = true,
    .uses = DPN_USES_PENALTIES,
    .run = run,
};
