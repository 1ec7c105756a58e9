/* Totals that add up, as post-processing. */
#ifndef DPN_ANSWER_CONSISTENT_H
#define DPN_ANSWER_CONSISTENT_H

#include "release/compile/compile.h"

/* Whether a count and histograms that hold every row that is used (from -inf to inf), or two such histograms, are there to be
 * made consistent.
 * Errors   DPN_EDOMAIN. */
dpn_status dpn_check_consistent(const dpn_query *query, dpn_error *why);

/* Make the bins of each such histogram add up to the count, and to whole numbers: the total is the mean of all estimates of it,
 * each weighed by its variance; what a histogram lacks is divided equally among its bins (the least-squares solution), with
 * `nonnegative` among those that stay above 0. Intervals stay, and are
 * widened where they would not hold the value that is shown. */
void dpn_make_consistent(dpn_answer_cell *cell, const dpn_query *query);

#endif
