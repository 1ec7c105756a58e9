/* Spherical noise: V_i = R X_i/|X|_2 scale_i, R its radius (radius.c) and X_i normal, since X/|X|_2 is uniform on the sphere. Drawn as vectors of
 * l_p balls are (vector-lp.c). */
#include "random/vector.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

static dpn_status check(size_t dimension, double alpha, double beta, dpn_error *why) {
    if (dimension < 2 || dimension > 1 << 20)
        return dpn_fail(why, DPN_EDOMAIN, "spherical noise has 2 to 2^20 coordinates, not %zu", dimension);
    if (!(alpha >= 0x1p-60 && alpha <= 0x1p60 && beta >= 0x1p-60 && beta <= 0x1p60))
        return dpn_fail(why, DPN_EDOMAIN, "alpha and beta of spherical noise must lie between 2^-60 and 2^60");
    return DPN_OK;
}

dpn_status dpn_vector_sampler_spherical(dpn_vector_sampler **out, size_t dimension, const double *scale, double alpha,
                                        double beta, const int *grid_exponent, dpn_error *why) {
    if (out == NULL) return dpn_fail(why, DPN_EDOMAIN, "a sampler of vectors needs a place to put it");
    dpn_vector_sampler *made;
    dpn_status status = check(dimension, alpha, beta, why);
    if (!status) status = dpn_vector_sampler_begin(&made, DPN_VECTOR_LP, dimension, scale, 1, grid_exponent, why);
    if (status) return status;
    made->p = 2;
    made->radius = malloc(sizeof *made->radius);
    status = made->radius ? dpn_vector_sampler_table(made, 2, why)
                          : dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors");
    if (!status) *made->radius = dpn_radius_make((double)dimension - 1, alpha, beta);
    for (size_t i = 0; i < dimension && !status; i++)
        if (!(ldexp(scale[i] * dpn_radius_most(made->radius), -grid_exponent[i]) <= 0x1p61))
            status = dpn_fail(why, DPN_EDOMAIN,
                              "the grid 2^%d of coordinate %zu is too fine for its noise: draws would not fit 64 bits",
                              grid_exponent[i], i);
    if (status)
        dpn_vector_sampler_free(made);
    else
        *out = made;
    return status;
}
