/* Where the polygons of a part have corners. */
#ifndef DPN_PRIVACY_FFT_NODES_H
#define DPN_PRIVACY_FFT_NODES_H

#include "privacy/compose/fft-step.h"

/* How far apart the corners of each part may be, from the coarse dots above that dpn_fft_look left. Errors: DPN_ENOMEM. */
dpn_status dpn_fft_spread(dpn_fft_plan *plan, const dpn_fft_atoms *atoms, dpn_workspace *workspace, dpn_error *why);

/* Corners at every grid point again; returns whether that is a change. */
bool dpn_fft_gather(dpn_fft_plan *plan);

/* The grid points of dots[DPN_ABOVE] that are to be corners, into node[0 .. grid.count - 1]; returns how many. */
size_t dpn_fft_choose_nodes(size_t *node, const dpn_fft_part *p);

/* By how much the distance of the bounds on a grid of this step grows because corners are apart: a mean of squares. */
double dpn_fft_coarseness(const dpn_fft_plan *plan, double step);

#endif
