/* The exact sums of each group. */
#ifndef DPN_TALLY_TALLY_H
#define DPN_TALLY_TALLY_H

#include "release/compile/query.h"

/* The sums of one group: a number for each moment (0 for those of kind BINS), then the counts of the bins of all histograms and
 * quantiles, one after the other in the order of query->bins (edges - 1 counts each). */
typedef struct dpn_group {
    char **key; /* one text for each grouping; those of known keys are the declaration's, others owned by the tally */
    int64_t *sum;
    int64_t *count;
    size_t *length; /* of the texts, which are any bytes: a zero byte may stand within one, and one stands after it */
} dpn_group;

/* How many rows of a person are kept is settled here: afterwards the groups can be looked at, and no row added.
 * Result   with known keys all groups in the order of the levels, the last column's fastest; else those of which a row is
 *          kept, in the order of the bytes of their keys, column by column. */
dpn_status dpn_tally_settle(const dpn_group **group, size_t *groups, dpn_tally *tally, dpn_error *why);

/* The same groups, one after the other, within the memory that the tally has: a list of all may need more. A group is good until the
 * next one is asked for; *group is NULL after the last. The same tally can be walked through again. */
typedef struct dpn_walk dpn_walk;
dpn_status dpn_walk_begin(dpn_walk **out, dpn_tally *tally, dpn_error *why);
dpn_status dpn_walk_next(const dpn_group **group, dpn_walk *walk, dpn_error *why);
void dpn_walk_free(dpn_walk *walk); /* accepts NULL */

/* Whether an answer may leave: the tally is of this query, and neither it nor one that was split from it has given an answer.
 * Errors   DPN_EDOMAIN. */
dpn_status dpn_tally_check_answer(const dpn_tally *tally, const dpn_query *query, dpn_error *why);

/* An answer has left. False if another was faster. */
bool dpn_tally_mark_answered(dpn_tally *tally);

/* What dpn_query_answer gives, as often as one likes: for tests of the noise, which nobody is shown. */
dpn_status dpn_answer_draw(dpn_answer **out, const dpn_query *query, dpn_tally *tally, dpn_rng *rng, dpn_error *why);

#endif
