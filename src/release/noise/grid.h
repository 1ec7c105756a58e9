/* The grid of a release, and how far the gridded answers can move: from public facts alone. docs/proofs/release/release.md */
#ifndef DPN_NOISE_GRID_H
#define DPN_NOISE_GRID_H

#include <dpnoise/release.h>

typedef struct dpn_grid {
    int *exponent;       /* of each coordinate */
    dpn_sensitivity set; /* of the gridded answers; it refers to the arrays below */
    double *bound, *vertex;
} dpn_grid;

/* Choose the grid. `integer`, the noise lives on the integers, so that the grid is 1. Free with dpn_grid_free, also after
 * an error.
 * Errors   DPN_EDOMAIN, DPN_EUNSUPPORTED, DPN_ENOMEM. */
dpn_status dpn_grid_make(dpn_grid *out, const dpn_release_options *options, bool integer, dpn_error *why);
void dpn_grid_free(dpn_grid *grid);

#endif
