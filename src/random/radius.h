/* The length of spherical noise, drawn exactly. docs/proofs/random/vector-sampler.md, step 16 */
#ifndef DPN_RANDOM_RADIUS_H
#define DPN_RANDOM_RADIUS_H

#include "random/lazy.h"

/* A radius r of the weight r^power e^(-alpha r - beta r^2/2), in units of 2^exponent. */
typedef struct dpn_radius {
    double power, alpha, beta; /* exact */
    int exponent;
    uint64_t top;   /* where the weight is next to its largest */
    int width_log2; /* how far from there it is half of that, or less */
} dpn_radius;

/* Find where the weight is largest and how wide it is.
 * Domain   power whole, from 1 to 2^20; alpha and beta from 2^-60 to 2^60. */
dpn_radius dpn_radius_make(double power, double alpha, double beta);

/* Larger radii have a probability below 2^-200. */
double dpn_radius_most(const dpn_radius *radius);

/* A radius; it has a word of fraction at least. */
dpn_try dpn_radius_draw(dpn_lazy *r, const dpn_radius *radius, dpn_rng *rng);

#endif
