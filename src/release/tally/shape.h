/* The shape of a tally: everything that decides which sums are formed, and nothing of the noise. */
#ifndef DPN_TALLY_SHAPE_H
#define DPN_TALLY_SHAPE_H

#include "random/digest.h"
#include "release/compile/query.h"

/* SHA-256 of each part. Queries with the same shape have the same sums of the same rows. */
enum { DPN_SHAPE_PARTS = 6 };
typedef struct dpn_tally_shape {
    unsigned char part[DPN_SHAPE_PARTS][DPN_DIGEST_SIZE];
} dpn_tally_shape;

void dpn_tally_shape_of(dpn_tally_shape *out, const dpn_query *query);

/* What a part is, in a word or two for a sentence: "groups". */
const char *dpn_tally_shape_word(size_t part);

#endif
