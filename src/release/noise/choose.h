/* The plan of a release. */
#ifndef DPN_NOISE_CHOOSE_H
#define DPN_NOISE_CHOOSE_H

#include "release/noise/grid.h"

/* The grid and the plan for one family, or the best of several as the header tells. Both are freed by the caller on
 * success, and neither is written on error. */
dpn_status dpn_release_choose(dpn_grid *grid, dpn_plan *plan, const dpn_release_options *options, dpn_error *why);

#endif
