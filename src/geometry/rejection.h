/* Noise of a ball from uniform points: V = R U/rate, R ~ Gamma(dimension + 1). docs/proofs/geometry/draws.md */
#ifndef DPN_GEOMETRY_REJECTION_H
#define DPN_GEOMETRY_REJECTION_H

#include "geometry/interior.h"

typedef struct dpn_rejection {
    dpn_interior *interior;
    double rate;
    int *grid; /* exponents */
} dpn_rejection;

/* Errors   those of dpn_interior_new; DPN_EDOMAIN as in dpn_vector_sampler_lp. */
dpn_status dpn_rejection_new(dpn_rejection **out, const dpn_norm_ball *ball, double rate, const int *grid,
                             dpn_error *why);
void dpn_rejection_free(dpn_rejection *rejection);

/* One vector in grid steps. Errors   DPN_EENTROPY, DPN_EACCURACY, DPN_ENOMEM. */
dpn_status dpn_rejection_draw(const dpn_rejection *rejection, dpn_rng *rng, int64_t *steps, dpn_error *why);

#endif
