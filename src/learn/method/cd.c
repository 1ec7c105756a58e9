/* Private coordinate descent: one coefficient after the other. */
#include "learn/descent.h"

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    return dpn_descent_plan(out, fit, false, why);
}

const struct dpn_fit_method dpn_fit_cd = {
    .name = "cd",
    .about = "coordinate descent with noisy sums of clipped derivatives, their exact composition fixed in advance",
    .linear = true,
    .logistic = true,
    .uses = DPN_USES_DESCENT,
    .plan = plan,
    .run = dpn_descent_run,
    .free = dpn_descent_free,
};
