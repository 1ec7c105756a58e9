/* A whole number drawn by its weight: a uniform number U against the boundaries w_0 + ... + w_j of a table.
 * docs/proofs/random/vector-sampler.md, step 14
 */
#ifndef DPN_RANDOM_BOUNDARIES_H
#define DPN_RANDOM_BOUNDARIES_H

#include <dpnoise/random.h>

#include "random/decide.h"
#include "random/sampler.h"

enum { DPN_BOUNDARY_GUIDES_LOG2 = 8, DPN_BOUNDARY_GUIDES = 1 << DPN_BOUNDARY_GUIDES_LOG2 };

typedef struct dpn_boundaries {
    size_t count;
    bool cut;      /* weights go on behind the table, and have less than 2^-200 of the total */
    double *upper; /* upper[j] is (w_0 + ... + w_j)/total, as doubles know it */
    uint32_t guide[DPN_BOUNDARY_GUIDES + 1]; /* guide[k] of them are at most k/GUIDES */
    double guard;                            /* what doubles leave undecided */
} dpn_boundaries;

/* A weight from below or above, for the draws that doubles do not decide. */
typedef dpn_wide (*dpn_weight)(dpn_rounding how, const void *of, size_t j);

/* Take over an array of count > 0 weights, at most 2^20, which a malloc gave: each within `error` of itself, but for what is too small to be a
 * double. Free with dpn_boundaries_free. */
void dpn_boundaries_make(dpn_boundaries *out, double *weight, size_t count, bool cut, double error);
void dpn_boundaries_free(dpn_boundaries *boundaries);

/* j with the probability w_j over the total. DPN_GIVEN_UP beyond a cut, as for draws that all bits leave undecided. */
dpn_try dpn_boundaries_draw(size_t *j, const dpn_boundaries *boundaries, dpn_weight weight, const void *of,
                            dpn_rng *rng);

#endif
