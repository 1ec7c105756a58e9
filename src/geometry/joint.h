/* What plans of joint noise ask of a hull. */
#ifndef DPN_GEOMETRY_JOINT_H
#define DPN_GEOMETRY_JOINT_H

#include <dpnoise/geometry.h>

/* One coordinate of the noise with density proportional to exp(-|v|_K), K a hull. The nodes and weights are those of an integral
 * along a curve that gives its tail. */
enum { DPN_MARGINAL_NODES = 56 };
typedef struct dpn_marginal {
    double reach; /* of the hull along the coordinate, the unit of the nodes */
    double variance, absolute;
    double node[DPN_MARGINAL_NODES][2], weight[DPN_MARGINAL_NODES][2];
} dpn_marginal;

/* The ball is a hull of dpn_ball_hull. */
void dpn_marginal_make(dpn_marginal *out, const dpn_norm_ball *hull, size_t coordinate);

/* P(X > t) for t >= 2 reach. Accuracy: measured, 1e-12 absolute (tests/unit/geometry/t-marginal.c). */
double dpn_marginal_sf(const dpn_marginal *marginal, double t);

/* The t with P(X > t) = 0.025. */
double dpn_marginal_interval95(const dpn_marginal *marginal);

/* Exact draws, as dpn_ball_sampler_new makes them for a hull. */
dpn_status dpn_hull_vector_sampler(dpn_vector_sampler **out, const dpn_norm_ball *hull, double rate, const int *grid,
                                   dpn_error *why);

#endif
