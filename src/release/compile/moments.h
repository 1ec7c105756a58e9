/* The columns that a query reads and the sums that it forms, each once: the index of one that is there already, or of a new one. */
#ifndef DPN_COMPILE_MOMENTS_H
#define DPN_COMPILE_MOMENTS_H

#include "release/compile/query.h"

dpn_status dpn_find_column(size_t *out, dpn_query *query, const char *name, dpn_error *why);

/* The measure of the i-th column of a statistic. from_zero: see dpn_measure_make. */
dpn_status dpn_find_measure(size_t *out, dpn_query *query, const dpn_statistic *statistic, size_t i, bool from_zero,
                            dpn_error *why);

dpn_status dpn_find_moment(size_t *out, dpn_query *query, dpn_moment made, dpn_error *why);
dpn_status dpn_find_rows(size_t *out, dpn_query *query, dpn_error *why);

/* The sum of values, as they are or about their middle; of products of two measures about their middles, a <= b. */
dpn_status dpn_find_value(size_t *out, dpn_query *query, size_t index, bool centred, dpn_error *why);
dpn_status dpn_find_product(size_t *out, dpn_query *query, size_t a, size_t b, dpn_error *why);

#endif
