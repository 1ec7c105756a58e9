/* Hulls for the plans of joint noise: what calibrations and releases ask of them. */
#include <dpnoise/calibrate.h>
#include <dpnoise/geometry.h>

#include "geometry/joint.h"

static dpn_status errors(double *error, size_t dimension, const double *vertex, size_t vertices, dpn_error *why) {
    dpn_norm_ball *hull;
    dpn_status status = dpn_ball_hull(&hull, dimension, vertex, vertices, why);
    if (status) return status;
    for (size_t i = 0; i < dimension; i++) {
        dpn_marginal one;
        dpn_marginal_make(&one, hull, i);
        error[DPN_OBJECTIVES * i + DPN_OBJECTIVE_MSE] = one.variance;
        error[DPN_OBJECTIVES * i + DPN_OBJECTIVE_MAE] = one.absolute;
        error[DPN_OBJECTIVES * i + DPN_OBJECTIVE_INTERVAL95] = dpn_marginal_interval95(&one);
    }
    dpn_ball_free(hull);
    return DPN_OK;
}

static dpn_status sampler(dpn_vector_sampler **out, size_t dimension, const double *vertex, size_t vertices,
                          double rate, const int *grid_exponent, dpn_error *why) {
    dpn_norm_ball *hull;
    dpn_status status = dpn_ball_hull(&hull, dimension, vertex, vertices, why);
    if (status) return status;
    status = dpn_hull_vector_sampler(out, hull, rate, grid_exponent, why);
    dpn_ball_free(hull);
    return status;
}

const dpn_hulls *dpn_exact_hulls(void) {
    static const dpn_hulls exact = {errors, sampler};
    return &exact;
}
