/* Descent with noisy sums of clipped derivatives: Muthukrishnan and Kalyani 2023, Algorithm 3, and its rival.
 *
 * For each of L passes and each coefficient i: the sum of the rows' derivatives by b_i, each clipped to C_i, with noise, and
 * b_i <- prox(b_i - tau_i sum/N) with tau_i = tau/M_i; at once (coordinate descent), or for all i together at the end of the
 * pass (gradient descent), with tau_i = tau/(m M_i) for m coefficients. Besides the L passes N and the sums of squares that M_i is
 * made of are bought, once. All of it is one release of a box, whose coordinates are asked one after the other (adaptive.h). Each
 * coordinate has a unit in which its bound is at most 1; where one law serves all coordinates, the units make it the noise
 * that the accounting asks for. */
#ifndef DPN_LEARN_DESCENT_H
#define DPN_LEARN_DESCENT_H

#include "learn/method.h"

/* The plan and the run of a method (method.h). */
dpn_status dpn_descent_plan(void **out, dpn_fit *fit, bool together, dpn_error *why);
dpn_status dpn_descent_run(dpn_fit_estimate *out, dpn_fit *fit, const void *state, dpn_rng *rng, dpn_error *why);

#endif
