/* Intervals of variances and covariances: all values that some mean within the bounds makes likely enough, jointly. */
#ifndef DPN_COMPILE_PRODUCTS_H
#define DPN_COMPILE_PRODUCTS_H

#include "release/compile/compile.h"

/* What the intervals of an output need of the noise: `products` of the output. room has a place for each draw.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_products_prepare(const dpn_query *query, dpn_output *output, double *room, dpn_error *why);

/* The interval of a variance or covariance with n - 1 below, of n >= 2 rows; `sum` are the noisy moments. Given that the key is
 * shown, where keys are unknown. */
void dpn_products_interval(double *low, double *high, const dpn_query *query, const dpn_output *output,
                           const double *sum);

#endif
