/* The hidden size of a start box, drawn exactly. docs/proofs/random/vector-sampler.md, step 12 */
#ifndef DPN_RANDOM_START_SIZE_H
#define DPN_RANDOM_START_SIZE_H

#include "random/lazy.h"

/* A size r of the weight e^(-speed r) prod (a_i + r): on the line, with speed 1 and a_i = rate offset_i, or on the whole numbers, with
 * speed = rate and a_i = offset_i. */
typedef struct dpn_start_size {
    bool stairs;
    size_t count;
    double rate;
    const double *offset; /* exact, and not its own */
    double *near;         /* a_i within 2^-52 */
    double *inverse;      /* 1/(a_i + top) within 2^-51 */
    uint64_t top;         /* where the weight is near its largest */
    int width_log2;       /* how far from there it is half of that, or less */
} dpn_start_size;

/* Find where the weight is largest and how wide it is. Free with dpn_start_size_free, also after an error.
 * Errors   DPN_ENOMEM; DPN_EDOMAIN for a weight that is too wide, beyond 2^40. */
dpn_status dpn_start_size_make(dpn_start_size *out, bool stairs, double rate, const double *offset, size_t count,
                               dpn_error *why);
void dpn_start_size_free(dpn_start_size *size);

/* A size; on the line it has a word of fraction at least, of a staircase it is the whole number. */
dpn_try dpn_start_size_draw(dpn_lazy *r, const dpn_start_size *size, dpn_rng *rng);

/* a_i, from below or above. */
dpn_wide dpn_start_size_offset(dpn_rounding how, const dpn_start_size *size, size_t i);

/* r, from below or above. */
dpn_wide dpn_start_size_bound(dpn_rounding how, const dpn_start_size *size, const dpn_lazy *r);

#endif
