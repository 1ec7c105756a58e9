/* Integrals over the loss of noise with the density proportional to exp(-alpha |x| - beta |x|^2/2) in m >= 2 dimensions, |.| the l2 norm, moved by 1.
 *
 * Around the two centres points are told by the sum s >= 1 and the difference t of their distances. The loss is L = t (alpha + beta s/2), and what
 * is integrated is
 *
 *     (s^2 - t^2) ((s^2 - 1)(1 - t^2))^((m-3)/2) exp(-alpha s/2 - beta (s^2 + t^2)/8) Phi(L)   over L > epsilon >= 0,
 *
 * Phi a factor below (docs/proofs/privacy/spherical.md).
 */
#ifndef DPN_PRIVACY_LOSS_SPHERICAL_INTEGRAL_H
#define DPN_PRIVACY_LOSS_SPHERICAL_INTEGRAL_H

#include <stdbool.h>

typedef enum dpn_spherical_factor {
    DPN_SPHERICAL_ALL,     /* e^(L/2) + e^(-L/2): both signs of the loss, with epsilon = 0 */
    DPN_SPHERICAL_EXCESS,  /* e^(L/2) (1 - e^(epsilon - L)): the profile */
    DPN_SPHERICAL_ABOVE,   /* e^(L/2): P(L > epsilon) */
    DPN_SPHERICAL_BEYOND,  /* e^(-L/2): Q(L > epsilon) */
    DPN_SPHERICAL_TILTED,  /* e^(L/2) (e^(theta L) - 1) (1 - e^(-(1 + theta) L)), with epsilon = 0: E e^(theta L) - 1 */
    DPN_SPHERICAL_FORWARD, /* L e^(L/2) (1 - e^-L), with epsilon = 0: E L */
} dpn_spherical_factor;

typedef struct dpn_spherical {
    double alpha, beta, dimension; /* alpha >= 0, beta > 0, dimension >= 2 */
    dpn_spherical_factor factor;
    double epsilon, theta;
} dpn_spherical;

/* The logarithm of the integral, and a bound of its error. False if that exceeds 10^-4: parameters of very different sizes. */
bool dpn_spherical_integral(double *log_value, double *error, const dpn_spherical *what);

#endif
