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

/* The logistic fit of the rows on their grid, with the penalties of the options.
 * Errors   those of dpn_plain_fit. */
dpn_status dpn_plain_logistic(double *b, const dpn_fit *fit, dpn_error *why);

/* The linear or logistic fit of rows of numbers, dpn_fit_width each, with the penalties of the options, by Newton's method; the rows are lost. Without penalties
 * also the covariance, the interval and what the rows do not determine: columns are standardised first, so that a fit loses no digits where the data fill little
 * of their bounds, and directions in which their correlations vary by less than 1e-12 of the largest are called undetermined: of the fits that do
 * equally well, the shortest in these units is given. Where classes can be separated and nothing is penalised there is no minimum, and the last step is given.
 * Domain   out->covariance and out->null may be NULL.
 * Errors   those of dpn_quadratic_minimise. */
dpn_status dpn_plain_fit(dpn_fit_estimate *out, const dpn_fit *fit, double *row, size_t rows, dpn_error *why);

#endif
