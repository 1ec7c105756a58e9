/* The columns of an answer, as the kinds of statistics add them to a query. */
#ifndef DPN_STATISTIC_OUTPUTS_H
#define DPN_STATISTIC_OUTPUTS_H

#include "release/statistic/statistic.h"

/* An output of a statistic of the declaration that is made of no moment yet. */
dpn_output dpn_output_of(const dpn_query *query, size_t statistic);

/* The same of what is no statistic of the declaration. */
dpn_output dpn_output_apart(const struct dpn_statistic_row *row);

/* Add an output under a name.
 * Errors   DPN_ENOMEM. */
__attribute__((format(printf, 4, 5))) dpn_status dpn_add_output(dpn_query *query, dpn_output made, dpn_error *why,
                                                                const char *format, ...);

/* What stands before and after a column in the name of an output: what a person adds of it, where persons are bounded as a whole. */
const char *dpn_name_before(const dpn_query *query);
const char *dpn_name_after(const dpn_query *query);

/* What a mean is made of: the number of values of the statistic's column, and their sum about the middle of the bounds. The measure
 * that they share is *measure. */
dpn_status dpn_find_mean(dpn_output *output, size_t *measure, dpn_query *query, dpn_error *why);

/* Which of the query's bins are those of a statistic; a tree is that of all quantiles with its candidates. SIZE_MAX: none yet. */
size_t dpn_bins_of(const dpn_query *query, size_t statistic);

/* The middle between the bounds of a moment's measure, in its unit. */
double dpn_middle_of(const dpn_query *query, size_t moment);

/* An answer with the same half-width on both sides. */
dpn_answer_cell dpn_answer_around(double value, double half);

/* The half-width of a count: that of the noise on its moment. */
dpn_status dpn_prepare_count(const dpn_query *query, dpn_output *output, double *room, dpn_error *why);

/* What is answered for a variance or covariance. */
void dpn_answer_product(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output, const dpn_noisy *noisy);

#endif
