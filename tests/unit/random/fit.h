/* Tests of fit whose false-alarm rates are bounds, without tables. */
#ifndef TESTS_UNIT_RANDOM_FIT_H
#define TESTS_UNIT_RANDOM_FIT_H

#include <stddef.h>
#include <stdint.h>

/* Pearson's statistic of counts against probabilities, and what it exceeds with probability below alarm: the
 * chi-squared law with d degrees of freedom is above d + 2 sqrt(d x) + 2x with probability at most e^-x (Laurent and
 * Massart 2000, Lemma 1). */
double fit_pearson(const uint64_t *count, const double *probability, size_t bins, double n);
double fit_pearson_limit(size_t bins, double alarm);

/* The largest difference of the two cumulated, and what it exceeds with probability below alarm: by Massart 1990 at
 * most 2 exp(-2 n t^2) for the largest difference anywhere, so also at the edges of bins. */
double fit_kolmogorov(const uint64_t *count, const double *probability, size_t bins, double n);
double fit_kolmogorov_limit(double n, double alarm);

#endif
