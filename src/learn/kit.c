/* The kit of libdpnoise. */
#include "learn/kit.h"

#include "learn/algebra.h"
#include "learn/method.h"
#include "learn/tune.h"

#include <dpnoise/geometry.h>

#define METHOD(name) extern const struct dpn_fit_method dpn_fit_##name;
#include "learn/methods.def"
#undef METHOD

static const struct dpn_fit_method *const methods[] = {
#define METHOD(name) &dpn_fit_##name,
#include "learn/methods.def"
#undef METHOD
};

static dpn_status ready(dpn_error *why) {
    dpn_algebra needed;
    return dpn_algebra_load(&needed, why);
}

const dpn_fit_kit dpn_fit_kit_here = {
    .method = methods,
    .methods = sizeof methods / sizeof *methods,
    .tuned = &dpn_fit_tuned,
    .most_features = DPN_FIT_FEATURES,
    .hulls = dpn_exact_hulls,
    .ready = ready,
    .moments = dpn_algebra_moments,
    .multiply = dpn_algebra_multiply,
    .eigen = dpn_algebra_eigen,
    .solve = dpn_algebra_solve,
};
