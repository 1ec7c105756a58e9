/* The rows of each person that are kept.
 *
 * A person is cut to max_groups groups and max_rows rows in each of them, by lot: a group has a number for each person, which
 * depends on nothing but both of them and a secret, and the max_groups least are kept; a row has a number that depends on the
 * person, the group, and how many rows of that person this tally has put into that group before, and the max_rows least are
 * kept. So whatever the secret is, the rows that a tally keeps of a person are a function of that person's rows alone; and to
 * who does not know the secret all choices of groups and of rows are equally likely. The rows of one person may come in several
 * tallies: the least numbers of all are the least of the least of each.
 */
#ifndef DPN_TALLY_PERSONS_H
#define DPN_TALLY_PERSONS_H

#include "release/tally/names.h"

/* The secret, and the limits. `name` is the key for the hash of names, the others are for the lots. */
typedef struct dpn_lottery {
    dpn_hash_key name, group, row;
    uint64_t max_groups, max_rows;
    size_t record; /* numbers that are kept of a row */
} dpn_lottery;

typedef struct dpn_kept_row dpn_kept_row;
typedef struct dpn_share dpn_share;

typedef struct dpn_persons {
    const dpn_lottery *lottery;
    uint64_t stream; /* another one for each tally of the same lottery */
    dpn_names names;
    dpn_arena arena;
    dpn_kept_row *free_row; /* to be used again */
    dpn_share *free_share;
} dpn_persons;

void dpn_persons_begin(dpn_persons *out, const dpn_lottery *lottery, uint64_t stream);
void dpn_persons_free(dpn_persons *persons);

/* A row of a person, any bytes, in a group, which is a number and a hash that is the same in all tallies. False without memory.
 * Cost     proportional to the groups of that person that are kept. */
bool dpn_persons_add(dpn_persons *persons, const char *person, size_t length, size_t group, uint64_t group_hash,
                     const int64_t *record);

/* The rows of `from` too; `from` is left empty. Its group i is group[i] here, or i if that is NULL. False without memory. */
bool dpn_persons_absorb(dpn_persons *into, dpn_persons *from, const size_t *group);

/* Give out every row that is kept, once: `first` is true for one row of each person in each group. */
typedef void dpn_kept_use(void *context, size_t group, const int64_t *record, bool first);
void dpn_persons_empty(dpn_persons *persons, dpn_kept_use *use, void *context);

#endif
