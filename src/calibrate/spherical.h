/* Plans of spherical noise. docs/proofs/privacy/spherical.md */
#ifndef DPN_CALIBRATE_SPHERICAL_H
#define DPN_CALIBRATE_SPHERICAL_H

#include "calibrate/problem.h"

/* The spherical noise with the least error that was found, on an l2 ball around the moves of the set.
 * Errors   DPN_EUNSUPPORTED for delta 0, other conditions, several releases, or fewer than 2 or more than DPN_SPHERICAL_CALIBRATED coordinates that move. */
enum { DPN_SPHERICAL_CALIBRATED = 512 };
dpn_status dpn_spherical_plan(dpn_plan *out, const dpn_problem *problem, dpn_error *why);

#endif
