/* A tally inside. */
#ifndef DPN_TALLY_INSIDE_H
#define DPN_TALLY_INSIDE_H

#include "release/tally/keys.h"
#include "release/tally/person-runs.h"
#include "release/tally/sums.h"
#include "release/tally/tally.h"

#include <stdatomic.h>

/* What a tally and those that are split from it share. */
typedef struct dpn_tally_shared {
    atomic_size_t owners;
    atomic_bool answered; /* an answer has left: the charge is used up */
    dpn_lottery lottery;
    dpn_reader reader;
    dpn_memory_limit limit;
    dpn_overflow *overflow; /* for what is beyond the limit; NULL if there is none */
} dpn_tally_shared;

/* Without persons rows are added to the sums at once; with them they wait in `persons`. Groups are known by their number; if
 * keys are unknown, that of their key. */
struct dpn_tally {
    dpn_tally_shared *shared;
    uint64_t rows;
    bool spoiled; /* an error came up: nothing leaves any more */
    dpn_sums sums;
    dpn_keys keys;
    dpn_persons persons;
    dpn_memory memory;              /* of the two */
    bool left;                      /* it takes no part of the limit any more */
    dpn_runs person_runs, key_runs; /* what was there before and is on the disk */
    dpn_numeral *number;            /* scratch for one row */
    int64_t *record;                /* of one row or of a block */
    dpn_field *marked;              /* the row with its missing fields marked */

    bool settled;
    bool on_disk; /* the groups are, in the runs of keys: there is no list of them */
    dpn_group *group;
    size_t groups;
    char **key; /* of all groups, with their lengths */
    size_t *length;
};

/* Rows of fields, one after the other: what it gives for a row has to stay until the next one is asked for. What
 * dpn_tally_rows says of errors holds. */
typedef const dpn_field *dpn_row_source(void *context, size_t row);
dpn_status dpn_tally_add_rows(dpn_tally *tally, size_t rows, dpn_row_source *source, void *context, dpn_error *why);

/* What becomes of a row, with its group, and its record in the tally if it is used. *why_not says, if the row cannot be used, for
 * what reason, with %s for the name of *column. */
dpn_row_verdict dpn_tally_examine(size_t *group, const char **why_not, size_t *column, dpn_tally *tally,
                                  const dpn_field *row);

/* DPN_EDOMAIN if nothing can be added. */
dpn_status dpn_tally_check_open(const dpn_tally *tally, dpn_error *why);

/* N rows more, which is DPN_EDOMAIN beyond 2^36; the tally is then of no more use. */
dpn_status dpn_tally_count_rows(dpn_tally *tally, uint64_t rows, dpn_error *why);

/* The text of a group's key in one grouping: a dpn_group_text whose context is the tally. */
dpn_field dpn_tally_group_text(const void *tally, size_t group, size_t grouping);

static inline bool dpn_tally_has_persons(const dpn_query *query) {
    return query->person != SIZE_MAX;
}

/* Room for the sums of a group that is the latest key. */
static inline bool dpn_tally_reserve_sums(dpn_tally *tally, size_t group) {
    if (group >= tally->sums.room && !dpn_sums_reserve(&tally->sums, group + 1)) return false;
    if (group + 1 == tally->sums.room) /* the next key will need more */
        dpn_memory_expect(&tally->memory, 2 * dpn_sums_size(&tally->sums, tally->sums.room));
    return true;
}

#endif
