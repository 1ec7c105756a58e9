/* Sums that an engine made with a query of `dpnoise sql`. */
#ifndef DPNOISE_CLI_INPUT_SUMS_H
#define DPNOISE_CLI_INPUT_SUMS_H

#include <dpnoise/push.h>
#include <dpnoise/table.h>

/* Read the rows of its result, a table with the columns that the query has, into a tally.
 * Errors   DPN_EPARSE for a column that is missing, a number that is none, or rows that SQLite kept with values of other types; those of
 *          dpn_tally_add_sums and of the table. */
dpn_status sums_add(dpn_tally *tally, const dpn_query *query, size_t groupings, const char *const *key,
                    dpn_table *table, dpn_error *why);

/* The same of a table that delivers the result of the query itself (dpn_table_push). */
dpn_status sums_add_result(dpn_tally *tally, const dpn_query *query, size_t groupings, dpn_table *table,
                           dpn_error *why);

/* The same with a declaration and a file: all rows of it. */
dpn_status sums_read(dpn_tally *tally, const dpn_query *query, const dpn_declaration *declaration, const char *name,
                     dpn_error *why);

/* What an engine keeps in a column of a table. */
dpn_sql_type sums_type(const dpn_table *table, const char *column);

#endif
