/* The kit of libdpnoise-core. */
#include "learn/dense.h"
#include "learn/kit.h"
#include "learn/method.h"

extern const struct dpn_fit_method dpn_fit_moments;

static const struct dpn_fit_method *const methods[] = {&dpn_fit_moments};

/* Rotations need about 50 m^3 operations, sixteen times a fit: a second for so many features. */
enum { MOST_FEATURES = 100 };

const dpn_fit_kit dpn_fit_kit_here = {
    .method = methods,
    .methods = 1,
    .most_features = MOST_FEATURES,
    .moments = dpn_dense_moments,
    .multiply = dpn_dense_multiply,
    .eigen = dpn_dense_eigen,
    .solve = dpn_dense_solve,
};
