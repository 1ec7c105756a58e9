/* Private gradient descent: all coefficients of a pass together, to compare coordinate descent with. */
#include "learn/descent.h"

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    return dpn_descent_plan(out, fit, true, why);
}

const struct dpn_fit_method dpn_fit_gd = {
    .name = "gd",
    .about = "gradient descent with noisy sums of clipped derivatives, to compare coordinate descent with",
    .linear = true,
    .logistic = true,
    .uses = DPN_USES_DESCENT,
    .plan = plan,
    .run = dpn_descent_run,
    .free = dpn_descent_free,
};
