/* A tally inside. */
#ifndef DPN_STATISTICS_TALLY_INSIDE_H
#define DPN_STATISTICS_TALLY_INSIDE_H

#include "release/statistics/reader.h"
#include "release/statistics/tally.h"

#include <stdatomic.h>

/* What a tally and those that are split from it share. */
typedef struct dpn_tally_shared {
    atomic_size_t owners;
    dpn_reader reader;
} dpn_tally_shared;

/* The sums and counts of group i begin at sum[i moments] and count[i counts]. */
typedef struct dpn_sums {
    int64_t *sum, *count;
    size_t groups;
} dpn_sums;

struct dpn_tally {
    dpn_tally_shared *shared;
    uint64_t rows;
    bool spoiled; /* an error came up: nothing leaves any more */
    dpn_sums sums;
    dpn_numeral *number; /* scratch for one row */
    int64_t *record;

    bool settled;
    dpn_group *group;
    char **key; /* of all groups */
};

#endif
