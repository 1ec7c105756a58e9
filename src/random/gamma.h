/* Gamma variables of one shape, many of them: what doubles have to say about f is tabulated (gamma.c). */
#ifndef DPN_RANDOM_GAMMA_H
#define DPN_RANDOM_GAMMA_H

#include "random/lazy.h"

/* Bins divide the four widths on either side of the mode; beyond lies one point of sixteen. */
enum { DPN_GAMMA_BINS_PER_WIDTH = 16, DPN_GAMMA_BINS = 8 * DPN_GAMMA_BINS_PER_WIDTH };

typedef struct dpn_gamma {
    uint64_t mode;
    int width_log2;
    double bins_per_unit;
    double low[DPN_GAMMA_BINS], high[DPN_GAMMA_BINS]; /* bounds of f; 0 and +inf where they would not pay */
} dpn_gamma;

/* 1 <= shape <= 2^30. */
void dpn_gamma_make(dpn_gamma *out, uint64_t shape);

/* The same number from the same words as dpn_lazy_gamma. */
dpn_try dpn_gamma_draw(dpn_lazy *r, const dpn_gamma *gamma, dpn_rng *rng);

#endif
