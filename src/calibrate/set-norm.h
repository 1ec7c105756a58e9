/* How long the moves of a sensitivity set are in a weighted norm. */
#ifndef DPN_CALIBRATE_SET_NORM_H
#define DPN_CALIBRATE_SET_NORM_H

#include <dpnoise/calibrate.h>

/* How far coordinate i can move: the least of the bounds on it alone; +inf if there is none. */
double dpn_set_reach(const dpn_sensitivity *set, size_t i);

/* An upper bound of |(d_c/side_k)_k| over the moves d of the set, c the k-th of the coordinates; the other coordinates do not
 * count. The norm is that of DPN_BALL_L1, DPN_BALL_L2, or DPN_BALL_LINF and DPN_BALL_BOX. At most 1, as it rounds, only
 * if the ball of these sides holds all moves; as a number within an ulp or above. The least of what each bound of the set gives; +inf for a set without bounds. Negative if
 * there is no memory. */
double dpn_set_norm_upper(const dpn_sensitivity *set, dpn_ball_kind ball, const size_t *coordinate, size_t count,
                          const double *side);

#endif
