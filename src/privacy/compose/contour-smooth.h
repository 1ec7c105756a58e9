/* Atoms on no lattice. Their characteristic function comes back to 1 for ever, so that the contour sum never ends; it does once the loss of
 * a weak Gaussian mechanism is added to the sum. That raises delta by at most a multiple of the density of the losses at epsilon,
 * which the same nodes give: the sum with the weak loss is the upper end, and less that multiple the lower one.
 * docs/proofs/privacy/contour.md, section 9, has the proof.
 */
#ifndef DPN_PRIVACY_CONTOUR_SMOOTH_H
#define DPN_PRIVACY_CONTOUR_SMOOTH_H

#include "privacy/compose/contour-plan.h"

/* Whether the sum has atoms alone, many of them, and on no lattice. */
bool dpn_smooth_needed(const dpn_sum *sum, const dpn_lattice *lattice);

/* Add a Gaussian loss, so weak that it costs about half of the plan's accuracy, to a sum that dpn_plan_line has seen; and one that is
 * `weaker` times (< 1) as strong as the one before, in variance, where that was too much. The line is planned anew. */
dpn_status dpn_smooth_line(dpn_contour_plan *plan, dpn_sum *sum, double weaker, dpn_error *why);

/* By how much the Gaussian loss may have raised delta, given what the nodes say. */
double dpn_smooth_rise(const dpn_contour_plan *plan, const dpn_node_sum *nodes);

#endif
