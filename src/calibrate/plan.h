/* Plans from the results of a search. */
#ifndef DPN_CALIBRATE_PLAN_H
#define DPN_CALIBRATE_PLAN_H

#include "calibrate/problem.h"

/* A plan for the problem with one law for each group (stride 1) or law[0] for all (stride 0), all zero on failure.
 * What the search knows, and the note, are the caller's to fill in. */
dpn_status dpn_plan_make(dpn_plan *out, const dpn_problem *problem, const dpn_law *law, size_t stride, dpn_error *why);

#endif
