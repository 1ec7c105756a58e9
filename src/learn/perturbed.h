/* Fits by noise in the objective: what the methods with pure and with Gaussian noise share. */
#ifndef DPN_LEARN_PERTURBED_H
#define DPN_LEARN_PERTURBED_H

#include "base/dyadic.h"
#include "learn/method.h"

struct dpn_row_loss;

/* The rows of plan, run and free of such a method (method.h). delta > 0: Gaussian noise that spends it. */
dpn_status dpn_perturbed_plan(void **state, dpn_fit *fit, double delta, dpn_error *why);
dpn_status dpn_perturbed_run(dpn_fit_estimate *out, dpn_fit *fit, const void *state, dpn_rng *rng, dpn_error *why);
void dpn_perturbed_free(void *state);

/* What these methods and others that minimise refuse: penalties whose weight is not public or too large to be sure of a minimum. */
dpn_status dpn_perturbed_check(const dpn_fit *fit, dpn_error *why);

/* The length of the gradient at what is found, at most, all rounding included: in boxes, and in balls. */
#define DPN_PERTURBED_ETA 1e-7
#define DPN_PERTURBED_BALL_ETA 1e-6
double dpn_perturbed_eta(const struct dpn_row_loss *loss);

/* Find the minimum of the fit's loss, l1 penalty, (gamma/2)|b|^2, ridge/2 times the squares of all but the constant, and V.b, V NULL: 0.
 * b has loss->m points, all 0.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_perturbed_minimum(dpn_int128 *b, struct dpn_row_loss *loss, double gamma, double ridge, const int64_t *v,
                                 dpn_error *why);

/* Points with the noise of an announced release: coefficients from .. from + m - 1. */
dpn_status dpn_perturbed_show(dpn_fit_estimate *out, dpn_fit *fit, size_t release, size_t from, size_t m,
                              const dpn_int128 *b, dpn_rng *rng, dpn_error *why);

#endif
