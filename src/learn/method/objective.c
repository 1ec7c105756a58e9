/* Objective perturbation: Awan and Slavkovic 2021, Algorithms 1 and 2.
 *
 * Minimised is the sum of the losses + rows (l1 |b|_1 + (l2/2)|b|^2) + (gamma/2)|b|^2 + V.b, with V of K-norm noise for the most that
 * neighbouring tables move the gradient, and gamma for what one row does to the Hessian. A computer finds the minimum to within
 * eta/gamma; noise for twice that distance is added to what it found. docs/proofs/learn/objective.md. */
#include "learn/perturbed.h"

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    return dpn_perturbed_plan(out, fit, 0, why);
}

const struct dpn_fit_method dpn_fit_objective = {
    .name = "objective",
    .about =
        "the minimum of a loss with noise in it, for logistic fits, and for linear ones within a box or a ball; pure",
    .linear = true,
    .logistic = true,
    .uses = DPN_USES_BALL | DPN_USES_PENALTIES | DPN_USES_ROWS | DPN_USES_SET | DPN_USES_SHARE,
    .plan = plan,
    .run = dpn_perturbed_run,
    .free = dpn_perturbed_free,
};
