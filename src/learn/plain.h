/* Fits without noise: what the private ones are measured against, and what they do with noisy numbers. */
#ifndef DPN_LEARN_PLAIN_H
#define DPN_LEARN_PLAIN_H

#include "learn/method.h"

/* Z'Z in doubles, as numbers in the scaled unit: width^2 of them, the columns of dpn_rows.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_plain_moments(double *out, const dpn_fit *fit, dpn_error *why);

/* Least squares of moments Z'Z, with the penalties of the options: b has the intercept first, 0 if there is none.
 * Errors   those of dpn_quadratic_minimise. */
dpn_status dpn_least_squares(double *b, const double *moments, const dpn_fit *fit, dpn_error *why);

/* The logistic fit of the rows, by Newton's method with the penalties of the options. Where the classes can be separated and nothing is
 * penalised there is no minimum, and the last step is given. hessian (of the mean loss at b, (features + 1)^2 numbers) may be
 * NULL. */
dpn_status dpn_plain_logistic(double *b, double *hessian, const dpn_fit *fit, dpn_error *why);

#endif
