/* Intervals for what is computed from noisy sums, by simulating noise whose law is public. */
#ifndef DPN_COMPILE_INTERVAL_H
#define DPN_COMPILE_INTERVAL_H

#include "release/compile/compile.h"

/* The number that a share `level` of others does not exceed; x is reordered. A number like them is within
 * with `level` in 97 of 100 queries, and with level - 0.01 but for 1e-10. */
double dpn_range_of(double *x, size_t count, double level);

/* The range of |noise of the sum - t noise of the rows| of an output; room has a place for each draw. */
double dpn_width_at(const dpn_query *query, const dpn_output *output, double t, double level, double *room);

/* The least of these numbers that a share of them does not exceed; they are reordered. */
double dpn_share_of(double *x, size_t count, double share);

/* Draw noise as often as the intervals need it and fill in `half` and `width` of the outputs. The draws are the query's own: they
 * have nothing to do with the noise of an answer. */
dpn_status dpn_intervals_prepare(dpn_query *query, dpn_error *why);

/* What dpn_interval_mean needs: `width` of a mean's output.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_interval_mean_prepare(const dpn_query *query, dpn_output *output, double *room, dpn_error *why);

/* The interval of a mean, in units of its column and about its middle: all t in [-h, h] for which sum - t rows is within the
 * 95% range of its own noise (Fieller's), h being half the width of the bounds. */
void dpn_interval_mean(double *low, double *high, const dpn_query *query, const dpn_output *output, double rows,
                       double sum);

/* Near the threshold the law of a shown count's noise is not known, only that its number of rows is not refuted (selection.h), and that
 * the noise of the sum is independent of it: each with this level. Widens an interval by what `of` makes of all such rows and sums. */
#define DPN_LEVEL_SELECTED 0.98
void dpn_interval_selected(double *low, double *high, const dpn_query *query, const dpn_output *output, double rows,
                           double sum, double (*of)(double rows, double sum, double middle), double middle);

/* Half the width of the bounds of a moment's measure, in its unit; the covariance from rows and sums. */
double dpn_half_width(const dpn_query *query, size_t moment);
double dpn_covariance(const dpn_query *query, const dpn_output *output, double rows, double first, double second,
                      double product);

#endif
