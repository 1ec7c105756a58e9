/* Distributions that K-norm noise is tested against. */
#ifndef TESTS_UNIT_RANDOM_GAMMA_LAW_H
#define TESTS_UNIT_RANDOM_GAMMA_LAW_H

/* P(R > x) for R ~ Gamma(shape, 1), shape a whole number up to some thousands. */
double gamma_sf(int shape, double x);

/* P(|R U| > t) for R ~ Gamma(dimension + 1, 1) and U uniform on (-1, 1): a coordinate of the box, and for dimension 2
 * of the l2 ball in three dimensions, whose coordinate on the sphere is uniform. It is E(1 - t/R)+. */
double box_coordinate_sf(int dimension, double t);

#endif
