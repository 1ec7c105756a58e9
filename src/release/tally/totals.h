/* What a person adds in a group where persons are bounded as a whole (per_person): one number for each measure, made of the sum of all
 * rows.
 *
 * A value is put on a grid 2^26 times finer than that of its measure, clamped to 2^26 steps of the measure on either side of 0, which is at
 * least twice the larger bound, and held as two numbers: whole steps, rounded down, and the rest in finer steps. Both are summed
 * over the rows by themselves: with 2^36 rows neither leaves 63 bits, so that the order of rows and parts does not matter. */
#ifndef DPN_TALLY_TOTALS_H
#define DPN_TALLY_TOTALS_H

#include "release/compile/query.h"
#include "release/tally/numeral.h"

enum { DPN_TOTAL_NUMBERS = 2, DPN_TOTAL_BITS = 26 };

/* The two numbers of a value. */
void dpn_total_read(int64_t out[DPN_TOTAL_NUMBERS], const dpn_measure *measure, const dpn_numeral *value);

/* What a person with that many rows, 1 or more, and these sums adds: their sum, or their mean, to the nearest step, half way up, clamped to
 * the bounds of the measure. */
int64_t dpn_total_step(const dpn_measure *measure, dpn_per_person per_person, const int64_t total[DPN_TOTAL_NUMBERS],
                       uint64_t rows);

/* Whether that many rows can have these sums. */
bool dpn_total_possible(const int64_t total[DPN_TOTAL_NUMBERS], uint64_t rows);

#endif
