/* Sums of clipped derivatives of the loss, at coefficients that move one by one.
 *
 * The loss of a row is (t - y)^2/2, or log(1 + e^t) - y t, with t = b.z; its derivative by b_i is e z_i with e = t - y, or
 * 1/(1 + e^-t) - y; of a quantile q, whose loss is (1 - q)(t - y) above y and q(y - t) below it, e is 1 - q or -q. Each row's derivative is divided by a public unit, clipped, rounded to a whole number of steps of
 * 2^-DPN_DERIVATIVE_LOG, and added up in integers: no row moves the sum by more than the clip, whatever it holds and
 * whatever rounding did to e, because clip and rounding come last. */
#ifndef DPN_LEARN_DERIVATIVES_H
#define DPN_LEARN_DERIVATIVES_H

#include "learn/fit.h"

/* Clips of up to 1 unit: 2^27 rows then add up to at most 2^45. */
enum { DPN_DERIVATIVE_LOG = 18, DPN_DERIVATIVE_UNIT = 1 << DPN_DERIVATIVE_LOG };

typedef struct dpn_derivatives {
    const dpn_fit *fit;
    double *t; /* of each row */
} dpn_derivatives;

/* At b = 0. Errors   DPN_ENOMEM. */
dpn_status dpn_derivatives_begin(dpn_derivatives *out, const dpn_fit *fit, dpn_error *why);
void dpn_derivatives_end(dpn_derivatives *at); /* wiped and freed */

/* The coefficient of a column of dpn_rows changes. */
void dpn_derivatives_move(dpn_derivatives *at, size_t column, double by);

/* The sum over the rows of the derivative by the coefficient of a column, in steps of the unit, each clipped to +-clip steps.
 * Domain   unit > 0, 0 <= clip <= DPN_DERIVATIVE_UNIT. */
int64_t dpn_derivatives_sum(const dpn_derivatives *at, size_t column, double unit, int32_t clip);

/* The sum over the rows of their losses, each in units and clipped to 0 .. 1 of them, in steps.
 * Domain   unit > 0. */
int64_t dpn_derivatives_loss(const dpn_derivatives *at, double unit);

/* The sum over the rows of 2 z^2 - 1 in units of `one` steps, z^2 rounded down: at most `one` steps a row, either way.
 * Domain   0 <= one <= DPN_DERIVATIVE_UNIT. */
int64_t dpn_derivatives_squares(const dpn_fit *fit, size_t column, int32_t one);

#endif
