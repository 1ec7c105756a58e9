/* How fast the characteristic function phi(omega) of a tilted loss decays: a bound that is valid for every omega from
 * a given one on. docs/proofs/privacy/contour.md, section 5, proves it.
 */
#ifndef DPN_PRIVACY_LOSS_DECAY_H
#define DPN_PRIVACY_LOSS_DECAY_H

#include "privacy/loss/shape.h"

enum { DPN_MAX_EDGES = 2 * DPN_SHAPE_SEGMENTS, DPN_MAX_CUTS = 32 };

/* The masses and moments come from a rule. If its quadrature errs by at most DPN_DECAY_GOAL, they are right up to
 * this relative error, which the bounds allow for: the losses that matter lie within a few tens of deviations. */
#define DPN_DECAY_GOAL 1e-14
#define DPN_DECAY_MARGIN 1e-7

/* A piece on which the density of the loss decreases from a point where the loss, as a function of the noise, may be
 * stationary: at the distance y from that point it is at most amplitude/(curvature y), 0 <= from <= y <= to. */
typedef struct dpn_edge {
    double amplitude, curvature, from, to;
} dpn_edge;

/* A density that may be cut at some height: of what is left the largest values sum to peaks, and what is cut off has at
 * most the mass `excess`. */
typedef struct dpn_cut {
    double excess, peaks;
} dpn_cut;

typedef struct dpn_decay {
    double variance, fourth; /* central moments of the tilted loss */
    double atoms, rest;      /* mass of its atoms and of its segments, which sum to 1 */
    double pair;             /* if the atoms are one pair, its distance from 0 (and the lesser of its masses), else 0 */
    double lesser;
    double peaks; /* sum of the largest densities over all its unimodal pieces but the edges */
    size_t edges;
    dpn_edge edge[DPN_MAX_EDGES];
    size_t cuts; /* if not 0, there are no edges, and any of these may be chosen in the place of peaks */
    dpn_cut cut[DPN_MAX_CUTS];
    double scanned; /* up to here |phi| was looked at, from where its moments bound it, and it is at most this */
    double scan_bound;
} dpn_decay;

/* Add the pieces of all segments and of their mirror images: their masses are exp(log_density + kappa loss - top)/total
 * with kappa = theta and -(1 + theta). */
void dpn_decay_add(dpn_decay *decay, const dpn_shape *shape, double theta, double top, double total);

/* The same for a shape made of powers. */
void dpn_decay_add_powers(dpn_decay *decay, const dpn_shape *shape, double theta, double top, double total);

/* Look at |phi| itself, where the bounds above leave a gap between small and large frequencies. The shape has
 * segments, quadratic ones; its masses are as above. */
void dpn_decay_scan(dpn_decay *decay, const dpn_shape *shape, double theta, double top, double total);

/* The logarithm of a bound of |phi| from omega on, at most 0. */
double dpn_decay_log_bound(const dpn_decay *decay, double omega);

/* A bound of the part of phi that the segments contribute, from omega on. */
double dpn_decay_rest(const dpn_decay *decay, double omega);

#endif
