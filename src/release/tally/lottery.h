/* Which rows of a person are kept, where there are too many: those with the least lots.
 *
 * The lot of a group, for a person, and that of a row are the first 128 bits of
 *
 *     SHA-256("group", secret, person, keys)
 *     SHA-256("row", secret, person, keys, numbers, copy)
 *
 * where each field has its length before it, as 8 bytes with the lowest first; keys are the texts of the groupings, a field
 * each; numbers are what the row adds, 8 bytes each; and copy tells equal rows of a person in a group apart: it is 0, 1, 2, ...
 * (8 bytes). So whatever the secret is, what is kept of a person is a function of that person's rows alone, not of their order
 * nor of the process that reads them; and to who does not know the secret all choices are equally likely. */
#ifndef DPN_TALLY_LOTTERY_H
#define DPN_TALLY_LOTTERY_H

#include "release/tally/names.h"

#include "random/digest.h"

#include <dpnoise/field.h>
#include <dpnoise/statistics.h>

/* The secret, and the limits. `name` is the key for tables of names; it has no part in the lots. */
typedef struct dpn_lottery {
    dpn_tally_secret secret;
    dpn_hash_key name;
    uint64_t max_groups, max_rows;
    size_t groupings;
    size_t record; /* numbers that are kept of a row */
    bool totals;   /* records of a person in a group are added to one, and none is cut */
} dpn_lottery;

/* Two different lots are never equal, but with the probability 2^-128. */
typedef struct dpn_lot {
    uint64_t high, low;
} dpn_lot;

static inline bool dpn_lot_less(dpn_lot a, dpn_lot b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* The text of a group's key in one grouping. */
typedef dpn_field dpn_group_text(const void *context, size_t group, size_t grouping);

/* Of whom a lot is drawn. */
typedef struct dpn_ticket {
    const dpn_lottery *lottery;
    const char *person;
    size_t length;
    size_t group;
    dpn_group_text *text;
    const void *context;
} dpn_ticket;

/* Where lots are drawn one after the other: the lots of one person begin with the same bytes. All zero: none was drawn yet. It holds the secret until
 * its end. */
typedef struct dpn_drum {
    dpn_digest_series group, row;
} dpn_drum;

void dpn_drum_end(dpn_drum *drum);

dpn_lot dpn_lot_of_group(dpn_drum *drum, const dpn_ticket *ticket);
dpn_lot dpn_lot_of_row(dpn_drum *drum, const dpn_ticket *ticket, const int64_t *record, uint64_t copy);

#endif
