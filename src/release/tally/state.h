/* A tally as bytes, version 2. Numbers are 8 bytes with the lowest first; signed ones in two's complement; a text is its length
 * and its bytes.
 *
 *     "dpntally"   8 bytes
 *     version      1
 *     shape        6 times 32 bytes: SHA-256 of each part (shape.h)
 *     secret       32 bytes: SHA-256 of the lottery's secret, zeros without persons
 *     rows         all rows that were given to the tally
 *     held         of these, rows of persons that stand below, with their copies
 *     groups       how many follow, in the order of dpn_tally_settle; with declared levels all
 *       key        only if keys are unknown: a text for each grouping
 *       summed     1 if sums follow, else 0
 *       sums       one for each moment, then one for each bin
 *     persons      how many follow, in the order of their bytes, shorter first among equals
 *       name       a text
 *       shares     how many groups follow, in the order of their numbers
 *         group    a number of a group above
 *         entries  how many different rows follow, in the order of their numbers
 *           copies, and what such a row adds (dpn_reader_record numbers); with totals one entry: the rows, and the sums of what they add
 *     check        32 bytes: SHA-256 of all bytes before it
 *
 * Tallies that hold the same have the same bytes. */
#ifndef DPN_TALLY_STATE_H
#define DPN_TALLY_STATE_H

#include "release/tally/inside.h"
#include "release/tally/shape.h"

#define DPN_STATE_MAGIC "dpntally"
enum { DPN_STATE_VERSION = 2, DPN_STATE_MAGIC_SIZE = 8 };

/* Names in the order of a state: by their bytes, shorter ones first among equals. */
int dpn_state_compare_names(const char *a, size_t a_length, const char *b, size_t b_length);

/* SHA-256 of the secret, zeros if the query has no persons. */
void dpn_state_secret(unsigned char out[DPN_DIGEST_SIZE], const dpn_tally *tally);

#endif
