/* Sufficient statistics: noisy sums of products with the least noise for the guarantee, and least squares of them. */
#include "learn/one-release.h"

#include "base/error.h"

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    if (fit->ball)
        return dpn_fail(why, DPN_EDOMAIN, "balls belong to the method 'functional', which has no other noise");
    return dpn_one_release_plan(out, fit, NULL, why);
}

const struct dpn_fit_method dpn_fit_moments = {
    .name = "moments",
    .about = "noisy sums of products with the least noise for the guarantee, and least squares of them",
    .linear = true,
    .sums_alone = true,
    .uses = DPN_USES_RAW | DPN_USES_NOISE | DPN_USES_PENALTIES,
    .plan = plan,
    .run = dpn_one_release_run,
    .free = dpn_one_release_free,
};
