/* Approximate objective perturbation: Gaussian noise in the objective, under (epsilon, delta). Redberg, Koskela and Wang 2023, with their
 * factor of two where the sign of a derivative is not known. docs/proofs/learn/objective.md, O7. */
#include "learn/perturbed.h"

#include "base/error.h"

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    if (!(fit->delta > 0))
        return dpn_fail(why, DPN_EDOMAIN, "Gaussian noise needs a delta: --method objective is pure");
    return dpn_perturbed_plan(out, fit, fit->delta, why);
}

const struct dpn_fit_method dpn_fit_objective_gaussian = {
    .name = "objective-gaussian",
    .about = "the same with Gaussian noise, which spends delta",
    .linear = true,
    .logistic = true,
    .uses = DPN_USES_PENALTIES | DPN_USES_ROWS | DPN_USES_SET | DPN_USES_SHARE,
    .needs_delta = true,
    .plan = plan,
    .run = dpn_perturbed_run,
    .free = dpn_perturbed_free,
};
