/* The noisy numbers of one group: all that an answer is made of. */
#ifndef DPN_ANSWER_NOISY_H
#define DPN_ANSWER_NOISY_H

#include "release/compile/query.h"

typedef struct dpn_noisy {
    double *moment; /* in units */
    double *bin;    /* of all histograms, one after the other */
    double *prefix; /* of all trees, one after the other: see dpn_tree_prefixes */
    size_t *edge;   /* chosen, of each quantile */
    int64_t *value, *drawn;
} dpn_noisy;

/* Where the bins of a histogram begin, and what there is of a tree. */
size_t dpn_noisy_first_bin(const dpn_query *query, size_t bins);
size_t dpn_noisy_first_prefix(const dpn_query *query, size_t bins);

#endif
