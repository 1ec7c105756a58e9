/* The profile of a start box as a loss that composes. docs/proofs/calibrate/start-box.md, claims 4 and 7 */
#ifndef DPN_CALIBRATE_START_PROFILE_H
#define DPN_CALIBRATE_START_PROFILE_H

#include <dpnoise/calibrate.h>

/* delta(epsilon) of a block of kind start-box whose law is known, at a corner of its box, rounded up by a relative 1e-9 of what it is
 * below that of Laplace noise; that of Laplace noise where the law is not known. Any real epsilon. */
double dpn_start_delta_upper(const dpn_block *block, double epsilon);

/* An explicit loss whose profile is at least that of the block, at most a chord between points of it above: numbers[0 .. count-1] are
 * its values and the next count numbers their probabilities, to be freed; *numbers is NULL if the profile is Laplace noise's, but for
 * what is not worth composing.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_start_loss(double **numbers, size_t *count, const dpn_block *block, dpn_error *why);

#endif
