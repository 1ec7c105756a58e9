/* Persons on the disk: their rows as records of runs, and the cut of persons made of these, one after the other.
 *
 * The key of a record is
 *
 *     hash     of the person, 8 bytes
 *     person   length (8 bytes) and bytes
 *     lot      of the group, 16 bytes; where all groups are kept anyway, the number of the group
 *     group    the texts of its key, each with a zero byte after it
 *     numbers  what the row adds, 8 bytes each; with totals none
 *
 * with numbers highest byte first, signed ones with their highest bit turned over, so that the order of bytes is that of numbers. Its numbers are
 * the copies, then with totals the sums. So in the order of keys a person's records stand together, a group's in it, the groups with
 * the least lots first, and equal rows have one key: which is all that the cut asks. */
#ifndef DPN_TALLY_PERSON_RUNS_H
#define DPN_TALLY_PERSON_RUNS_H

#include "release/tally/persons.h"
#include "release/tally/runs.h"

/* How many numbers a record has. */
static inline size_t dpn_person_runs_numbers(const dpn_lottery *lottery) {
    return lottery->totals ? 1 + lottery->record : 1;
}

/* Whether groups are told apart by their lots, because a person may be in too many. */
static inline bool dpn_person_runs_by_lots(const dpn_lottery *lottery, bool known_keys, size_t groups) {
    return !known_keys || groups > lottery->max_groups;
}

/* Memory that the cut takes, at most, for the rows of one person in a group; 0 if no one can have too many among this many. */
size_t dpn_person_runs_memory(const dpn_lottery *lottery, uint64_t most_rows);

/* All persons as one run; they are then empty.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_persons_spill(dpn_persons *persons, dpn_runs *runs, bool by_lots, dpn_error *why);

/* Of every record, in order: person, texts of the group, numbers of the row and its copies. */
typedef struct dpn_person_record {
    dpn_field person;
    dpn_field *text;
    int64_t *number; /* with totals their sums */
    uint64_t copies;
    bool first; /* of the person in the group */
} dpn_person_record;
typedef dpn_status dpn_person_use(void *context, const dpn_person_record *record, dpn_error *why);

/* All records as they are; or those that are kept of each person, with the copies that are.
 * Errors   DPN_EIO, DPN_ENOMEM, and what `use` gives. */
dpn_status dpn_person_runs_each(dpn_runs *runs, const dpn_lottery *lottery, size_t memory, dpn_person_use *use,
                                void *context, dpn_error *why);
dpn_status dpn_person_runs_kept(dpn_runs *runs, const dpn_lottery *lottery, uint64_t most_rows, size_t memory,
                                dpn_person_use *use, void *context, dpn_error *why);

#endif
