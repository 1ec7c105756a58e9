/* Hulls of points, whose norms are linear programs. */
#ifndef DPN_GEOMETRY_POINTS_H
#define DPN_GEOMETRY_POINTS_H

#include "geometry/ball.h"

enum { DPN_POINTS_DIMENSION = 256 };

static inline const double *dpn_point_of(const dpn_norm_ball *ball, size_t number) {
    return ball->vertex + number * ball->dimension;
}

/* Choose a basis (ball->vertex_of), invert it (ball->inverse) and bound the norms of the unit vectors (column_norms).
 * Errors   DPN_EDOMAIN for points that do not span, DPN_ENOMEM. */
dpn_status dpn_points_prepare(dpn_norm_ball *ball, dpn_error *why);

#endif
