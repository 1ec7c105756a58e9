/* One line of the contour sum for Gaussian noise on Poisson samples: the transform at its nodes, from which delta follows at every epsilon
 * nearby. The work does not grow with the number of steps. docs/proofs/privacy/sampling.md, section 4, and near-atoms.md.
 */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_LINE_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_LINE_H

#include "base/twofold.h"
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

/* All steps, seen from one side: the person present against absent, or absent against present. The measure is the law of the sum of all
 * losses, with the windows of the mixtures; if `rest`, without the part of it in which all losses are small. */
typedef struct dpn_mixtures {
    dpn_mixture_term *term; /* terms of them */
    size_t terms;
    bool absent, rest;
    double spent; /* points that were computed for the present question, at most DPN_MIXTURE_PATIENCE */
} dpn_mixtures;

/* Points that one question may take: some tenths of a second. */
#define DPN_MIXTURE_PATIENCE 2e6

/* log of the transform of the measure at theta, a bound of its error, mean and variance under the tilt to a few digits. */
typedef struct dpn_mixture_cumulants {
    dpn_twofold value;
    double error, mean, variance;
} dpn_mixture_cumulants;

/* Cumulants that only guide a choice are computed with this error. */
#define DPN_MIXTURE_ROUGH 1e-4

/* To a relative error of about `goal`. Errors: DPN_EACCURACY, DPN_ENOMEM. */
dpn_status dpn_mixture_tilt(dpn_mixture_cumulants *out, dpn_mixtures *all, double theta, double goal, dpn_error *why);

/* c(rho) with delta(x) <= c(rho) e^(K(rho) - rho x); on the middle line the same for 1 - delta(x). */
double dpn_mixture_chernoff_factor(bool middle, double rho);

/* The terms k T on one side of epsilon sum to at most exp(first - rate T)/(1 - exp(-rate T)), rate = |rho - theta|, first = log_size - rho
 * epsilon in the unit of the line. */
typedef struct dpn_mixture_side {
    double log_size, rho;
} dpn_mixture_side;

typedef struct dpn_mixture_line {
    bool middle; /* -1 < theta < 0, where the sum is delta - 1 */
    double theta, width, estimate;
    dpn_mixture_cumulants k;
    double tolerance; /* of the sum, in the unit e^(K(theta) - theta epsilon) */
    double step, omega, tail;
    double work; /* that the nodes take, +inf if it is more than anybody would wait for */
    dpn_mixture_side lower, upper;
    size_t count;
    double *re, *im, *error,
        *size; /* of the transform at the nodes, over that at 0, times 1/(z(1 + z)): value, error, size */
} dpn_mixture_line;

/* The work of a line is estimated up to this, or up to what it may be. */
#define DPN_MIXTURE_WORK 1e8

/* The line through theta: its unit, the width of the integrand, and an estimate of the answer in that unit, as if the sum were Gaussian. */
void dpn_mixture_line_set(dpn_mixture_line *line, const dpn_mixture_cumulants *k, bool middle, double theta);

/* The nodes for about this epsilon, with line->tolerance. At most about `work` operations. Errors: DPN_EACCURACY, DPN_ENOMEM. */
dpn_status dpn_mixture_line_make(dpn_mixture_line *line, dpn_mixtures *all, double epsilon, double work,
                                 dpn_error *why);
void dpn_mixture_line_free(dpn_mixture_line *line);

/* log of bounds of delta(epsilon) of the measure. */
void dpn_mixture_line_delta(double *log_lower, double *log_upper, const dpn_mixture_line *line, double epsilon);

#endif
