/* The noisy numbers of one group: all that an answer is made of. */
#ifndef DPN_ANSWER_NOISY_H
#define DPN_ANSWER_NOISY_H

#include "release/compile/query.h"

typedef struct dpn_noisy {
    double *moment; /* in units */
    double *bin;    /* of all histograms, one after the other */
    size_t *edge;   /* chosen, of each quantile */
    double *room;   /* DPN_INTERVAL_DRAWS places for who makes an interval */
    int64_t *value, *drawn;
} dpn_noisy;

/* Where the bins of a histogram begin. */
size_t dpn_noisy_first_bin(const dpn_query *query, size_t bins);

#endif
