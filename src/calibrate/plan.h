/* Plans: from the results of a search, and the moves that decide what they guarantee. */
#ifndef DPN_CALIBRATE_PLAN_H
#define DPN_CALIBRATE_PLAN_H

#include "calibrate/problem.h"

/* A plan for the problem with one law for each group (stride 1) or law[0] for all (stride 0), all zero on failure.
 * What the search knows, and the note, are the caller's to fill in. */
dpn_status dpn_plan_make(dpn_plan *out, const dpn_problem *problem, const dpn_law *law, size_t stride, dpn_error *why);

/* A plan without blocks for the problem, with its sensitivities, all zero on failure: what a maker of joint noise starts with. The blocks, what is
 * certified, and the rest of the set where that matters, are the caller's to fill in. */
dpn_status dpn_plan_begin(dpn_plan *out, const dpn_problem *problem, const char *family, dpn_error *why);

/* Fill in what the laws of the blocks tell: the variances, mse, sub_gaussian, integer and bounded. */
void dpn_plan_measure(dpn_plan *plan);

/* Whether all coordinates of a set may reach their bounds at once. */
bool dpn_plan_box(const dpn_sensitivity *set);

/* What is refused of a plan, a set and a number of releases, whatever is asked about them. Errors: as dpn_plan_delta. */
dpn_status dpn_plan_check(const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times, dpn_error *why);

/* The laws of a plan without other noise, to be freed: one that all coordinates share, or one for each; a coordinate
 * without noise has any. NULL if there is no memory. */
dpn_law *dpn_plan_laws(const dpn_plan *plan, size_t *laws);

/* The moves of a set that decide the profile of a plan which is released `times` times. Free them with dpn_moves_free,
 * also after an error. If plain, losses have closed forms; else those of start boxes may be lists of atoms, which are nearer to the
 * truth and not taken by everyone.
 * Errors   as dpn_plan_delta. */
dpn_status dpn_plan_moves(dpn_moves *moves, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                          bool plain, dpn_error *why);

/* Whether some loss of the moves is a list of atoms, which the caller of dpn_plan_moves can do without by asking for plain ones. */
bool dpn_plan_moves_listed(const dpn_moves *moves);

/* The largest loss of a block whose coordinates move by their sensitivities, rounded up; NaN if these are not known. */
double dpn_block_largest_loss(const dpn_plan *plan, const dpn_block *block);

#endif
