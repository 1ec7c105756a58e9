/* The rows of each person, and which of them are kept.
 *
 * A person is cut to max_groups groups and max_rows rows in each of them by lots (lottery.h). A group that is not among the least
 * is dropped at once: nothing that comes later brings it back. Rows are cut at the end. Until then each different row is held with
 * its number of copies, because the lot of a copy depends on how many there are in all. Lots are drawn where there is something
 * to choose, and nowhere else. Where totals are formed (lottery.h) a group has one record, the sum of all, and all of its rows are kept. */
#ifndef DPN_TALLY_PERSONS_H
#define DPN_TALLY_PERSONS_H

#include "release/tally/lottery.h"

/* N equal rows, or with totals N rows and the sums of their numbers. */
typedef struct dpn_held_row {
    struct dpn_held_row *next;
    uint64_t copies;
    int64_t record[];
} dpn_held_row;

/* A person's rows in a group. */
typedef struct dpn_share {
    struct dpn_share *next;
    size_t group;
    dpn_held_row *row;
    uint64_t rows; /* with all copies */
    dpn_lot lot;   /* if the lots of this person's groups are drawn */
    uint64_t listed,
        limit; /* entries in the list, equal ones perhaps twice; they are sorted out when the list is that long */
} dpn_share;

typedef struct dpn_person {
    dpn_name name;
    dpn_share *share; /* in no order; the largest lot first if lots are drawn */
    uint64_t shares : 63, drawn : 1;
    uint64_t dropped; /* bit g: group g was, and its next row needs no lot; of the first 64 groups */
} dpn_person;

static inline const char *dpn_person_name(const dpn_person *who) {
    return (const char *)(who + 1);
}

typedef struct dpn_persons {
    const dpn_lottery *lottery;
    dpn_group_text *text;
    const void *context;
    dpn_names names;
    dpn_arena arena;
    dpn_held_row *free_row; /* to be used again */
    dpn_share *free_share;
    dpn_drum drum;
    uint64_t most_rows; /* that somebody had in a group, at least */
} dpn_persons;

/* `text` gives the keys of groups. */
void dpn_persons_begin(dpn_persons *out, const dpn_lottery *lottery, dpn_group_text *text, const void *context,
                       dpn_memory *memory);
void dpn_persons_free(dpn_persons *persons);

/* N equal rows of a person, any bytes, in a group. False without memory; all is then as before, but that the person may have got a share
 * without rows, and may have lost one that could not have been kept.
 * Cost     proportional to the groups of that person that are kept; amortised, the logarithm of the rows there. */
bool dpn_persons_add(dpn_persons *persons, const char *person, size_t length, size_t group, const int64_t *record,
                     uint64_t copies);

/* The same, with the hash of the name by the lottery's key for names. */
bool dpn_persons_add_hashed(dpn_persons *persons, uint64_t hash, const char *person, size_t length, size_t group,
                            const int64_t *record, uint64_t copies);

/* The rows of `from` too; `from` is left empty. Its group i is group[i] here, or i if that is NULL. False without memory. */
bool dpn_persons_absorb(dpn_persons *into, dpn_persons *from, const size_t *group);

/* Bring the shares of a person into the order of their lots, the least first; or, where all groups are kept anyway, into that of their
 * groups, whose numbers then stand for lots. Nothing can be added any more. */
void dpn_person_order(dpn_persons *persons, dpn_person *who, bool by_lots);

/* Sort the rows of a share, in the order of their numbers, and put equal ones together. */
void dpn_share_sort(dpn_persons *persons, dpn_share *share);

/* Give out every row that is kept, with its copies that are (with totals the sums of each group, and their rows): `first` is true for one entry of each person in each group. The
 * persons are then empty. False without memory, before any row is given out. */
typedef void dpn_kept_use(void *context, size_t group, const int64_t *record, uint64_t copies, bool first);
bool dpn_persons_empty(dpn_persons *persons, dpn_kept_use *use, void *context);

#endif
