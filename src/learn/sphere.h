/* Points of a ball of l2, in steps, and what holds them on its sphere.
 *
 * Whole numbers of steps do not lie on a sphere. A point that is `on` stands for the point of the sphere in its direction, which is at most half
 * a step in each coordinate away; other points stand for themselves. docs/proofs/learn/objective.md, O10. */
#ifndef DPN_LEARN_SPHERE_H
#define DPN_LEARN_SPHERE_H

#include "base/twofold.h"
#include "learn/minimum.h"

#include <stdbool.h>

/* A coordinate in twice the precision: exact. */
static inline dpn_twofold dpn_point_twofold(dpn_int128 b) {
    double near = (double)b;
    return dpn_two_sum(ldexp(near, -DPN_POINT_LOG), ldexp((double)(b - (dpn_int128)near), -DPN_POINT_LOG));
}

/* Put x into the ball of a radius: itself if it lies inside by more than a step in each coordinate, else the point of the sphere in its direction, and
 * true. `forced` asks for the sphere; 0, which has no direction, stays where it is. */
bool dpn_sphere_place(dpn_int128 *out, const dpn_twofold *x, size_t m, double radius, bool forced);

/* The multiplier l >= 0 at which g + l b is shortest, in the coordinates where b is not 0; g in twice the precision. */
dpn_twofold dpn_sphere_pull(const dpn_twofold *g, const dpn_int128 *b, size_t m);

#endif
