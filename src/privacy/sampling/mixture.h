/* The loss of Gaussian noise on a Poisson sample, and its transform by the trapezoid rule over the noise.
 *
 * In units of sigma, with c = sensitivity/sigma and q the rate, the noise t is N(0, 1) if the person is absent and with probability
 * q it is N(c, 1) if present. The loss of present against absent is L(t) = log(1 - q + q e^u), u = c t - c^2/2, that of absent against
 * present -L(t). With the standard normal density n(t)
 *
 *     G(s) = integral of n(t) V(t) e^(s L(t)) dt
 *
 * is, for V = 1, the transform of both: E e^(zL) = G(1 + z) for the person present, E e^(-zL) = G(-z) for absent. The integrand is analytic
 * for |Im t| < pi/c, so the trapezoid rule converges exponentially, on the real line and on lines above it, where e^(i omega L) decays.
 *
 * Windows. V(t) = exp(-e^(steep (t - cut))) leaves out what lies far right, V(t) S(t)/V(t) with S(t) = exp(-e^(steep (t - split))), split <
 * cut, is the part of small losses, the rest of V that of big ones. They are analytic for |Im t| < pi/(2 steep).
 * docs/proofs/privacy/near-atoms.md proves the bounds.
 */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>

enum { DPN_MIXTURE_POINTS = 1 << 15, DPN_MIXTURE_SHIFTS = 10 };

/* c, known up to a relative error `doubt`, and q: 0 < ratio < inf, 0 < rate <= 1. No windows if steep is 0; cut may be +inf. */
typedef struct dpn_mixture {
    double ratio, rate, doubt;
    double steep, cut, split;
} dpn_mixture;

/* Points t_j with loss and tilted mass, those of the density n V e^(xL)/G(x); and the same at t_j + i height. */
typedef struct dpn_mixture_rule {
    double x;
    size_t count, capacity;
    double effort; /* points and panels that were computed last */
    double *t, *loss, *mass;
    double step;

    double cumulant, error; /* log G(x), and a bound of its error */
    double mean, variance;  /* of L under the tilt, to a few digits */
    double big, big_error;  /* the share of the big losses */
    double small_mean, small_variance;
    double mass_relative; /* the mean relative error of the masses */

    /* On the line above: Re L and Im L >= 0, masses, and masses of the big losses. */
    double height, strip;
    double *re, *im, *mass_re, *mass_im, *big_re, *big_im;
    double log_strip; /* log of a bound of the integral of |n V e^(xL)| along Im t = strip, over G(x) */

    /* Bounds of the errors of E e^(i omega L), omega >= 0, by the sum on that line: of quadrature; and sums over the sizes of the masses of
     * their relative error, of that times |L|, of the error of L, of |L|. Then for the big losses the sums of sizes, and of these times
     * the errors. */
    double flat, relative, relative_loss, loss_error, size;
    double big_size, big_relative, big_loss_error;
} dpn_mixture_rule;

/* Make the rule for the exponent x; a rule that is all zero, or was made before, provides the memory. goal is the error of quadrature that
 * is aimed at, relative to G(x). Only if `turned` the line above is made.
 * Errors   DPN_ENOMEM; DPN_EACCURACY if it takes more than DPN_MIXTURE_POINTS points. */
dpn_status dpn_mixture_rule_make(dpn_mixture_rule *rule, const dpn_mixture *mixture, double x, double goal,
                                 bool turned);
void dpn_mixture_rule_free(dpn_mixture_rule *rule);

/* How |E e^(i omega L)| falls, at the points of a turned rule. Along the line t + ia it is at most e^(a^2/2) times a mean of
 * e^(-omega Im L(t + ia)): for each of several a the imaginary parts and what the real part and the window add to the exponent. Along a
 * curve that rises with w, the slope of L over c, it is at most a mean of e^(-lambda w^2). */
typedef struct dpn_mixture_decay {
    dpn_mixture mixture;
    double x;
    size_t shifts, count, best;     /* best: the line that served last */
    bool ready[DPN_MIXTURE_SHIFTS]; /* lines are computed when they are first asked for */
    double shift[DPN_MIXTURE_SHIFTS], error[DPN_MIXTURE_SHIFTS];
    double *imaginary, *real;
    double *big;                    /* what of each mass is big, along each line */
    double *square, *lifted;        /* w^2, and what the window adds along the highest curve */
    double curve_error, curve_sine; /* the largest S */
} dpn_mixture_decay;

dpn_status dpn_mixture_decay_make(dpn_mixture_decay *decay, const dpn_mixture *mixture, const dpn_mixture_rule *rule);
void dpn_mixture_decay_free(dpn_mixture_decay *decay);

/* The logarithm of a bound of |E e^(i omega L)| from omega on, at most 0; and of the part of it that the big losses have. */
double dpn_mixture_log_bound(dpn_mixture_decay *decay, const dpn_mixture_rule *rule, double omega);
double dpn_mixture_log_bound_big(dpn_mixture_decay *decay, const dpn_mixture_rule *rule, double omega);

/* L(t), and q e^u/(1 - q + q e^u), its slope divided by c. */
double dpn_mixture_loss(const dpn_mixture *mixture, double t, double *share);

#endif
