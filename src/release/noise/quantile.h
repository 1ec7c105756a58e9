/* The scores of the edges. */
#ifndef DPN_NOISE_QUANTILE_H
#define DPN_NOISE_QUANTILE_H

#include <dpnoise/quantile.h>

/* score[k] = |denominator B_k - numerator n| for the intervals + 1 edges, 2^64 - 1 if that is less. */
void dpn_quantile_scores(uint64_t *score, const dpn_quantile *quantile, const uint64_t *count);

#endif
