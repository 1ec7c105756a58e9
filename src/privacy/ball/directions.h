/* The worst direction of a move in an l2 ball of few dimensions (docs/proofs/privacy/ball.md, section 3). */
#ifndef DPN_PRIVACY_BALL_DIRECTIONS_H
#define DPN_PRIVACY_BALL_DIRECTIONS_H

#include <dpnoise/status.h>
#include <stddef.h>

enum { DPN_DIRECTIONS_MOST = 4 }; /* dimensions */

/* Bounds of a quantity at a move. It does not depend on signs or on the order of the coordinates, does not fall as they
 * grow, and is quasi-convex: log delta and epsilon of equal log-concave noise are such. */
typedef dpn_status dpn_direction_value(double *lower, double *upper, const double *move, size_t dimension,
                                       void *context, dpn_error *why);

/* Bounds of its supremum over the ball of this radius: within `close` of each other if so many looks are enough.
 * Errors   those of value. */
dpn_status dpn_directions(double *lower, double *upper, size_t dimension, double radius, dpn_direction_value *value,
                          void *context, double close, int looks, dpn_error *why);

#endif
