/* Losses on a lattice: offset + integer * step. Their M(z) is periodic along the contour, so the integral over one
 * period replaces that over the line, with the kernel summed over all periods, and atoms are no obstacle:
 *
 *     delta(eps) = (step/2 pi) integral over one period of M(z) e^(-z eps) S(z) d omega,
 *     S(z) = sum over the lattice points l > eps of e^(-z (l - eps)) (1 - e^(eps - l)).
 *
 * The trapezoid rule with N nodes in a period is again the sum over k of e^(theta k T) delta(eps + k T), T = N step.
 */
#ifndef DPN_PRIVACY_CONTOUR_LATTICE_H
#define DPN_PRIVACY_CONTOUR_LATTICE_H

#include "privacy/compose/saddle.h"

#include <complex.h>

typedef struct dpn_lattice {
    double step; /* 0 if the sum of the losses is on no lattice */
    double gap;  /* from epsilon to the next lattice point, in [0, step] */
} dpn_lattice;

/* The lattice of the sum. */
dpn_lattice dpn_lattice_find(const dpn_sum *sum, double epsilon);

/* Take the terms of discrete Gaussian noise with sigma >= 8 and the step of the lattice out of the sum and add them to
 * its Gaussian part: by Poisson's formula their M(z) is the Gaussian one times a factor that differs from 1 by less
 * than 1e-137 wherever M matters. Their |phi| from omega on, within the half period, is at most the Gaussian one at the
 * lesser of omega and dpn_lattice_smooth. */
void dpn_lattice_fold(dpn_sum *sum, const dpn_lattice *lattice);
double dpn_lattice_smooth(const dpn_lattice *lattice);

/* step times S(z). */
double complex dpn_lattice_kernel(const dpn_lattice *lattice, double complex z);

/* |step S(z)| <= this/(omega^2 + near^2) within the half period, near the distance of z to 0 or -1 on the real axis. */
double dpn_lattice_kernel_bound(const dpn_lattice *lattice, double theta);

/* Bounds of |phi| of the terms at their tilt, within the half period pi/step; one for each term. */
typedef struct dpn_lattice_decay {
    double variation; /* |phi| <= variation/sin(omega step/2) */
    double last, far; /* |phi| <= far from `last` on; before that the bound of the moments holds */
} dpn_lattice_decay;
void dpn_lattice_decays(dpn_lattice_decay *out, const dpn_sum *sum, const dpn_lattice *lattice);

/* The logarithm of a bound of |phi| from omega to the end of the half period. */
double dpn_lattice_log_bound(const dpn_lattice_decay *decay, const dpn_term *term, const dpn_lattice *lattice,
                             double omega);

#endif
