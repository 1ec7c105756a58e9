/* Gamma variables with a whole shape, by rejection. docs/proofs/random/vector-sampler.md
 *
 * f(r) = (r/M)^M e^(M-r), M = shape - 1, is 1 at its largest, at M, and log-concave. With a width s = 2^k such that
 * f(M + s) <= 1/2, also f(M - s) <= 1/2, and f is at most 2^-j on the pieces [M + j s, M + (j+1) s) and
 * [M - (j+1) s, M - j s): a staircase whose pieces j have the share 2^-(j+1). As s is a power of two the bits of a
 * uniform number within a piece are bits of r.
 */
#include "random/gamma.h"

#include <math.h>

#include "random/source.h"

/* log f at r = M + d. Its error is below 2^-30 where f is not too small to matter: |d| 2^-50 around M, and 2^-50 of the
 * logarithm far below M, where r itself is known better than d. */
static double log_f(double mode, double r, double d) {
    if (mode == 0) return -r;
    return 2 * r < mode ? mode * log(r / mode) - d : mode * (log1p(d / mode) - d / mode);
}

/* log f(M + s) >= -s^2/2M, so that widths up to sqrt(M) are too small. */
static int width_log2(double mode) {
    int k = mode > 0 ? ilogb(mode) / 2 : 0;
    while (log_f(mode, mode + ldexp(1, k), ldexp(1, k)) > -0.7) k++; /* -log 2 = -0.693 */
    return k;
}

/* y < f(r)? y lies in [0.part, 0.part + 2^-64 words] 2^-drop. */
static dpn_verdict decide_wide(const dpn_lazy *r, const dpn_fraction *y, uint64_t mode, int drop) {
    static const uint64_t nothing[2] = {0, 0};
    int limbs = dpn_lazy_limbs(y->words);
    dpn_wide exponential[2], power[2], height[2], left, right; /* from below, from above */
    bool beyond = r->whole[0] >= mode, bounded = true;
    for (int up = 0; up < 2; up++) {
        dpn_rounding how = {limbs, up};
        dpn_wide bound = dpn_lazy_bound(how, r), at = dpn_wide_integer(how, mode);
        dpn_rounding other = {limbs, !up};
        dpn_wide opposite = dpn_lazy_bound(other, r);
        dpn_wide distance = beyond ? dpn_wide_subtract(how, &bound, &at) : dpn_wide_subtract(how, &at, &opposite);
        bounded = dpn_wide_exp(&exponential[up], how, &distance) && bounded;
        power[up] = dpn_wide_integer(how, 1);
        if (mode > 0) {
            dpn_wide ratio = dpn_wide_divide_small(how, &bound, mode);
            power[up] = dpn_wide_power(how, &ratio, (double)mode);
        }
        height[up] = dpn_fraction_bound(how, nothing, y, -drop);
    }
    dpn_rounding down = {limbs, false}, up = {limbs, true};
    if (beyond) { /* y e^(r-M) against (r/M)^M */
        left = dpn_wide_multiply(down, &height[0], &exponential[0]);
        if (dpn_wide_compare(down, &left, &power[1]) >= 0) return DPN_OVER;
        left = dpn_wide_multiply(up, &height[1], &exponential[1]);
        if (bounded && dpn_wide_compare(up, &left, &power[0]) <= 0) return DPN_UNDER;
    } else { /* y against (r/M)^M e^(M-r) */
        right = dpn_wide_multiply(up, &power[1], &exponential[1]);
        if (bounded && dpn_wide_compare(up, &height[0], &right) >= 0) return DPN_OVER;
        right = dpn_wide_multiply(down, &power[0], &exponential[0]);
        if (dpn_wide_compare(down, &height[1], &right) <= 0) return DPN_UNDER;
    }
    return DPN_UNDECIDED;
}

/* ---- bins ---- */

/* The bin of r = M + d, which counts from the left end of the first; BINS and more if there is none. A d that is rounded to the edge of a bin may lie
 * beyond it by 2^-50 of itself: f changes by less than the guard of the bins on the way. */
static inline unsigned bin_of(const dpn_gamma *gamma, double d) {
    double place = (d * gamma->bins_per_unit) + DPN_GAMMA_BINS / 2;
    return place >= 0 && place < DPN_GAMMA_BINS ? (unsigned)place : DPN_GAMMA_BINS;
}

/* Bounds of f on a bin, from its values at both ends, between which it has no minimum; the mode is an end. The guard is twice that of single points. */
static void fill_bin(dpn_gamma *gamma, int bin) {
    double mode = (double)gamma->mode, guard = 0x1p-19, f[2];
    for (int side = 0; side < 2; side++) {
        double d = (bin + side - DPN_GAMMA_BINS / 2) / gamma->bins_per_unit;
        if (2 * (mode + d) < mode || mode + d <= 0.25) { /* where f is steep */
            gamma->low[bin] = 0;
            gamma->high[bin] = INFINITY;
            return;
        }
        f[side] = exp(log_f(mode, mode + d, d));
    }
    gamma->low[bin] = fmin(f[0], f[1]) * (1 - guard);
    gamma->high[bin] = fmax(f[0], f[1]) * (1 + guard);
}

void dpn_gamma_make(dpn_gamma *out, uint64_t shape) {
    out->mode = shape - 1;
    out->width_log2 = width_log2((double)out->mode);
    out->bins_per_unit = ldexp(DPN_GAMMA_BINS_PER_WIDTH, -out->width_log2);
    for (int bin = 0; bin < DPN_GAMMA_BINS; bin++) fill_bin(out, bin);
}

/* ---- drawing ---- */

static dpn_try decide(dpn_lazy *r, const dpn_gamma *bins, uint64_t mode, int drop, dpn_rng *rng) {
    dpn_fraction y;
    if (!dpn_rng_word(rng, &y.word[0]) || !dpn_rng_word(rng, &r->part.word[0])) return DPN_FAILED;
    y.words = r->part.words = 1;
    double rest = dpn_word_fraction(r->part.word[0]), at = (double)r->whole[0] + rest;
    double guard = 0x1p-20;          /* of f: 2^16 times what doubles may err, as in decide.c */
    if (drop < 64 && at > 0x1p-20) { /* so that 64 bits of a small r are enough */
        double d = (double)(int64_t)(r->whole[0] - mode) + rest;
        double unit = dpn_two_to(-drop), low = dpn_word_fraction(y.word[0]) * unit, high = low + 0x1p-50 * unit;
        unsigned bin = bins ? bin_of(bins, d) : DPN_GAMMA_BINS;
        if (bin < DPN_GAMMA_BINS && high < bins->low[bin]) return DPN_DRAWN;
        if (bin < DPN_GAMMA_BINS && low > bins->high[bin]) return DPN_AGAIN;
        double f = exp(log_f((double)mode, at, d));
        if (high < f * (1 - guard)) return DPN_DRAWN;
        if (low > f * (1 + guard)) return DPN_AGAIN;
    }
    for (;;) {
        dpn_verdict verdict = decide_wide(r, &y, mode, drop);
        if (verdict == DPN_UNDER) return DPN_DRAWN;
        if (verdict == DPN_OVER) return DPN_AGAIN;
        if (y.words == DPN_FRACTION_WORDS) return DPN_GIVEN_UP;
        if (!dpn_fraction_refine(&y, rng)) return DPN_FAILED;
        if (r->part.words < y.words && !dpn_fraction_refine(&r->part, rng)) return DPN_FAILED;
    }
}

/* A point of the staircase: its piece, its side, and the whole part of r. DPN_AGAIN for r < 0. */
static dpn_try place(dpn_lazy *r, uint64_t mode, int k, int *piece, dpn_rng *rng) {
    uint64_t word; /* its lowest bit is the side, its k highest are those of r, k < 20 */
    dpn_try result = dpn_draw_piece(piece, rng);
    if (result != DPN_DRAWN) return result;
    if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
    bool left = mode > 0 && (word & 1);
    int64_t start = left ? -(int64_t)*piece - 1 : *piece, inside = (int64_t)((word >> 1) >> (63 - k));
    int64_t whole = (int64_t)mode + start * ((int64_t)1 << k) + inside;
    if (whole < 0) return DPN_AGAIN;
    r->negative = false;
    r->exponent = 0;
    r->whole[0] = (uint64_t)whole;
    r->whole[1] = 0;
    r->part.words = 0;
    return DPN_DRAWN;
}

static dpn_try draw(dpn_lazy *r, const dpn_gamma *bins, uint64_t mode, int k, dpn_rng *rng) {
    for (;;) {
        int drop;
        dpn_try result = place(r, mode, k, &drop, rng);
        if (result == DPN_DRAWN) result = decide(r, bins, mode, drop, rng);
        if (result != DPN_AGAIN) return result;
    }
}

dpn_try dpn_gamma_draw(dpn_lazy *r, const dpn_gamma *gamma, dpn_rng *rng) {
    return draw(r, gamma, gamma->mode, gamma->width_log2, rng);
}

dpn_try dpn_lazy_gamma(dpn_lazy *r, uint64_t shape, dpn_rng *rng) {
    return draw(r, NULL, shape - 1, width_log2((double)shape - 1), rng);
}
