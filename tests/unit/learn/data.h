/* Tables for the tests of fits: rows of numbers, the target first, as dpn_fit_numbers takes them. */
#ifndef TESTS_UNIT_LEARN_DATA_H
#define TESTS_UNIT_LEARN_DATA_H

#include "unit/random/seeded.h"

#include <dpnoise/learn.h>

/* The generators of the acceptance numbers: five features uniform on [-1, 1], and the target clip((.3,-.2,.1,.2,-.1).x + 0.1 N(0,1), +-1), or
 * 1[(3,-2,1,2,-1).x + logistic noise > 0]. rows times 6 numbers, to be freed. */
enum { DATA_FEATURES = 5, DATA_WIDTH = 6 };
double *data_linear(size_t rows, uint64_t seed);
double *data_logistic(size_t rows, uint64_t seed);

/* A declaration of so many features x1, x2, ... and the target y, all within +-1 but the logistic target, which is in [0, 1]. To
 * be freed. */
dpn_declaration data_declared(size_t features, dpn_fit_kind kind, const char *epsilon, const char *delta);

/* Plan, give the rows, run; a failure fails the test. */
dpn_fit *data_planned(const dpn_fit_options *options, const dpn_declaration *declaration);
dpn_model *data_fitted(const dpn_fit_options *options, const dpn_declaration *declaration, const double *value,
                       size_t rows, uint64_t seed);

/* 1 - sum of squares of residuals/sum of squares about the mean; and the share of labels that are told right. */
double data_r2(const dpn_model *model, const double *value, size_t rows);
double data_accuracy(const dpn_model *model, const double *value, size_t rows);

double data_median(double *x, size_t count);

/* The median R^2 of 21 splits of 20000 rows of data_linear, 80 to 20. */
double data_median_r2(const dpn_fit_options *options, const char *epsilon);

#endif
