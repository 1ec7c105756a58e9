/* The loss of Gaussian noise on a Poisson sample, and its transform by the trapezoid rule over the noise.
 *
 * In units of sigma, with c = sensitivity/sigma and q the rate, the noise t is N(0, 1) if the person is absent and with probability
 * q it is N(c, 1) if present. The loss of present against absent is L(t) = log(1 - q + q e^u), u = c t - c^2/2, that of absent against
 * present -L(t). With the standard normal density n(t)
 *
 *     G(s) = integral of n(t) e^(s L(t)) dt
 *
 * is the transform of both: E e^(zL) = G(1 + z) for the person present, E e^(-zL) = G(-z) for absent. The integrand is analytic for
 * |Im t| < pi/c, so the trapezoid rule converges exponentially. docs/proofs/privacy/sampling.md, section 4, proves the bounds.
 */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_H

#include <dpnoise/status.h>
#include <stddef.h>

enum { DPN_MIXTURE_POINTS = 1 << 16, DPN_MIXTURE_SHIFTS = 12 };

/* c, known up to a relative error `doubt`, and q: 0 < ratio < inf, 0 < rate <= 1. */
typedef struct dpn_mixture {
    double ratio, rate, doubt;
} dpn_mixture;

/* Points t_j = first + j step with loss and tilted mass, those of the density n(t) e^(xL)/G(x). */
typedef struct dpn_mixture_rule {
    double x, omega;
    size_t count, capacity;
    double *t, *loss, *mass;
    double step;

    double cumulant, error; /* log G(x), and a bound of its error */
    double mean, variance;  /* of L under the tilt, to a few digits */
    double mean_size;       /* of |L| */

    /* Bounds of the errors of E e^(i omega L) under the tilt: of quadrature; and averages over the masses of their relative error, of
     * that times |L|, and of the error of L. */
    double flat, relative, relative_loss, loss_error;
} dpn_mixture_rule;

/* Make the rule for the exponent x and frequencies up to omega; a rule that is all zero, or was made before, provides the memory.
 * goal is the error of quadrature that is aimed at, relative to G(x).
 * Errors   DPN_ENOMEM; DPN_EACCURACY if it takes more than DPN_MIXTURE_POINTS points. */
dpn_status dpn_mixture_rule_make(dpn_mixture_rule *rule, const dpn_mixture *mixture, double x, double omega,
                                 double goal);
void dpn_mixture_rule_free(dpn_mixture_rule *rule);

/* How |E e^(i omega L)| falls, at the points of a rule made for omega = 0. Along the line t + ia it is at most e^(a^2/2) times a mean of
 * e^(-omega Im L(t + ia)): for each of several a the imaginary parts and what the real part adds to the exponent. Along a curve that
 * rises with w, the slope of L over c, it is at most a mean of e^(-lambda w^2). */
typedef struct dpn_mixture_decay {
    double ratio, x;
    size_t shifts, count;
    double shift[DPN_MIXTURE_SHIFTS], error[DPN_MIXTURE_SHIFTS];
    double *imaginary, *real;
    double *square, curve_error; /* w^2 */
} dpn_mixture_decay;

dpn_status dpn_mixture_decay_make(dpn_mixture_decay *decay, const dpn_mixture *mixture, const dpn_mixture_rule *rule);
void dpn_mixture_decay_free(dpn_mixture_decay *decay);

/* The logarithm of a bound of |E e^(i omega L)| from omega on, at most 0. */
double dpn_mixture_log_bound(const dpn_mixture_decay *decay, const dpn_mixture_rule *rule, double omega);

/* L(t), and q e^u/(1 - q + q e^u), its slope divided by c. */
double dpn_mixture_loss(const dpn_mixture *mixture, double t, double *share);

#endif
