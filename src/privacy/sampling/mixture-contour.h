/* delta(epsilon) of many steps with Gaussian noise on Poisson samples, by a sum along a contour: that of compose/contour.h with the
 * transforms of mixture.h. The work does not grow with the number of steps. docs/proofs/privacy/sampling.md, section 4.
 */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_CONTOUR_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_CONTOUR_H

#include "privacy/sampling/mixture.h"

#include <dpnoise/privacy.h>
#include <stdbool.h>

/* Steps of one kind and what was last computed of them. */
typedef struct dpn_mixture_term {
    dpn_mixture mixture;
    double times;
    dpn_mixture_rule rule;
    dpn_mixture_decay decay;
} dpn_mixture_term;

/* All steps, seen from one side: the person present against absent, or absent against present. */
typedef struct dpn_mixtures {
    dpn_mixture_term *term; /* terms of them */
    size_t terms;
    bool absent;
} dpn_mixtures;

/* An interval of delta(epsilon), epsilon >= 0, with upper/lower - 1 <= accuracy, in at most about `work` times ten operations. If
 * delta is for certain at most e^log_enough, an interval with such an upper end and the lower end 0 will do.
 * Errors   DPN_EACCURACY where the accuracy takes more work than that; DPN_ENOMEM. */
dpn_status dpn_mixture_delta(dpn_delta *out, dpn_mixtures *mixtures, double epsilon, double accuracy, double log_enough,
                             double work, dpn_error *why);

/* The least Chernoff bound: log delta(epsilon) <= *log_upper, epsilon >= 0. */
dpn_status dpn_mixture_chernoff(double *log_upper, dpn_mixtures *mixtures, double epsilon, dpn_error *why);

void dpn_mixtures_free(dpn_mixtures *mixtures);

#endif
