/* Whether numbers that were made elsewhere can be those of rows. */
#ifndef DPN_TALLY_BOUNDS_H
#define DPN_TALLY_BOUNDS_H

#include "release/tally/reader.h"

/* Whether sums and counts of a group can be those of at most N rows; if not, `what` gets a word for the first that cannot.
 * Domain   rows <= most_rows of the reader. */
bool dpn_sums_possible(const char **what, const dpn_reader *reader, uint64_t rows, const int64_t *sum,
                       const int64_t *count);

/* Whether a record can be that of a row; where persons are bounded as a whole, the totals of that many rows. */
bool dpn_record_possible(const dpn_reader *reader, const int64_t *record, uint64_t copies);

#endif
