/* The sum of all losses of a composition: its cumulants at a tilt, and the tilt at which the contour crosses the real
 * axis. */
#ifndef DPN_PRIVACY_SADDLE_H
#define DPN_PRIVACY_SADDLE_H

#include "base/twofold.h"
#include "privacy/loss/rule.h"

/* One loss and how often it occurs; the rule is that of the last tilt. At frequencies other than 0 it is not used if
 * the closed form (loss/mgf.h) is. */
typedef struct dpn_term {
    const dpn_loss *loss;
    double times;
    dpn_shape shape;
    dpn_tilt_rule rule;
    bool closed;
} dpn_term;

/* K, K' and K'' of the sum, and a bound of the error of K. */
typedef struct dpn_cumulants {
    dpn_twofold value;
    double mean, variance, error;
} dpn_cumulants;

typedef struct dpn_sum {
    bool reversed; /* P and Q are exchanged */
    size_t terms;
    dpn_term *term;     /* without the Gaussian ones */
    double gaussian;    /* sum of times (sensitivity/sigma)^2 over those: their K(z) is z (z + 1)/2 times this */
    double times;       /* how many losses in all */
    double log_finite;  /* log P(the sum is finite), at most 0 */
    double log_surplus; /* what explicit losses, reversed, have more than the mass 1 by their rounding */

    double theta, omega, goal; /* what the rules were last made for; goal is 0 before */
    dpn_cumulants cumulants;
} dpn_sum;

/* Take the parts apart. Parts that occur 0 times or have no loss at all are left out.
 * Errors   DPN_ENOMEM, those of dpn_shape_make, DPN_EACCURACY beyond 2^53 occurrences.
 */
dpn_status dpn_sum_make(dpn_sum *out, const dpn_part *part, size_t parts, bool reversed, dpn_error *why);
void dpn_sum_free(dpn_sum *sum);

/* Set the rules and the cumulants of the sum to the tilt theta >= -1, for frequencies up to omega; the quadrature
 * adds at most about goal to the error of K. K includes log_finite. */
dpn_status dpn_sum_tilt(dpn_sum *sum, double theta, double omega, double goal, dpn_error *why);

/* The line Re z = theta right of 0, where the integral is delta, or between -1 and 0, where it is delta - 1. */
typedef enum dpn_line { DPN_LINE_RIGHT, DPN_LINE_MIDDLE } dpn_line;

/* The least point of K(x) - x epsilon - log|x (1 + x)| on the line's half of the axis, to a tenth of its width;
 * epsilon below the largest loss. The function is convex there and infinite at the ends. The sum is left tilted
 * there. Right of 0 the search ends before that where K(x) - x epsilon falls below log_enough, or has no digits left. */
dpn_status dpn_sum_saddle(double *theta, dpn_sum *sum, dpn_line line, double epsilon, double log_enough, double goal,
                          dpn_error *why);

#endif
