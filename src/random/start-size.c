/* The hidden size of a start box, by rejection, as in gamma.c. docs/proofs/random/vector-sampler.md, step 12
 *
 * f(r) = e^(-speed (r - T)) prod (a_i + r)/(a_i + T) is log-concave and at most 5/4 for a whole T next to its mode. With a width s =
 * 2^k such that f(T + s) and f(T - s) are at most 1/2, f is at most 2^-j from T + js on, and up to T - js: a staircase of the
 * heights 5/4 2^-j. */
#include "random/start-size.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

enum { MOST_WIDTH = 40 };

static double speed(const dpn_start_size *size) {
    return size->stairs ? size->rate : 1;
}

/* log f. Each factor errs by less than 2^-50, so that f errs by less than 2^-30 for a million of them. */
static double log_f(const dpn_start_size *size, double r, double d) {
    double sum = -speed(size) * d, product = 1;
    for (size_t i = 0; i < size->count; i++) {
        product *= (size->near[i] + r) * size->inverse[i];
        if (product > 0x1p500 || product < 0x1p-500) {
            sum += log(product);
            product = 1;
        }
    }
    return sum + log(product);
}

/* ---- making ---- */

/* Of the logarithm of the weight: its slope on the line, its step from r to r + 1 on the whole numbers. */
static double slope(const dpn_start_size *size, double r) {
    double sum = -speed(size);
    for (size_t i = 0; i < size->count; i++)
        sum += size->stairs ? log1p(1 / (size->near[i] + r)) : 1 / (size->near[i] + r);
    return sum;
}

/* The slope falls and crosses 0 at most at count/speed. On the line T is the whole number next to that place; of the whole numbers the
 * first from which the weight does not rise. */
static double find_top(const dpn_start_size *size) {
    double low = 0, high = ceil((double)size->count / speed(size)) + 1;
    if (!(slope(size, 0) > 0)) return 0;
    if (size->stairs) {
        while (high - low > 1) { /* it rises from low */
            double middle = floor(0.5 * (low + high));
            *(slope(size, middle) > 0 ? &low : &high) = middle;
        }
        return high;
    }
    for (int i = 0; i < 100 && high - low > 1e-4; i++) {
        double middle = 0.5 * (low + high);
        *(slope(size, middle) > 0 ? &low : &high) = middle;
    }
    return nearbyint(0.5 * (low + high));
}

/* f is at most e^-0.7 there; log 2 is 0.693. */
static bool is_wide_enough(const dpn_start_size *size, int k) {
    double top = (double)size->top, s = ldexp(1, k);
    return log_f(size, top + s, s) <= -0.7 && (top < s || log_f(size, top - s, -s) <= -0.7);
}

dpn_status dpn_start_size_make(dpn_start_size *out, bool stairs, double rate, const double *offset, size_t count,
                               dpn_error *why) {
    *out = (dpn_start_size){.stairs = stairs, .count = count, .rate = rate, .offset = offset};
    out->near = malloc(count * sizeof *out->near);
    out->inverse = malloc(count * sizeof *out->inverse);
    if (!out->near || !out->inverse) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors");
    for (size_t i = 0; i < count; i++) out->near[i] = stairs ? offset[i] : rate * offset[i];
    double top = find_top(out);
    if (!(top < ldexp(1, MOST_WIDTH)))
        return dpn_fail(why, DPN_EDOMAIN, "the noise of a start box of so small an epsilon is too wide");
    out->top = (uint64_t)top;
    for (size_t i = 0; i < count; i++) out->inverse[i] = 1 / (out->near[i] + top);
    while (out->width_log2 < MOST_WIDTH && !is_wide_enough(out, out->width_log2)) out->width_log2++;
    if (out->width_log2 == MOST_WIDTH)
        return dpn_fail(why, DPN_EDOMAIN, "the noise of a start box of so small an epsilon is too wide");
    return DPN_OK;
}

void dpn_start_size_free(dpn_start_size *size) {
    free(size->near);
    free(size->inverse);
    *size = (dpn_start_size){0};
}

/* ---- drawing ---- */

dpn_wide dpn_start_size_offset(dpn_rounding how, const dpn_start_size *size, size_t i) {
    dpn_wide offset = dpn_wide_double(how, size->offset[i]);
    if (size->stairs) return offset;
    dpn_wide rate = dpn_wide_double(how, size->rate);
    return dpn_wide_multiply(how, &offset, &rate);
}

dpn_wide dpn_start_size_bound(dpn_rounding how, const dpn_start_size *size, const dpn_lazy *r) {
    return size->stairs ? dpn_wide_integer(how, r->whole[0]) : dpn_lazy_bound(how, r);
}

/* prod (a_i + r). */
static dpn_wide product(dpn_rounding how, const dpn_start_size *size, const dpn_wide *r) {
    dpn_wide all = dpn_wide_integer(how, 1);
    for (size_t i = 0; i < size->count; i++) {
        dpn_wide a = dpn_start_size_offset(how, size, i), side = dpn_wide_add(how, &a, r);
        all = dpn_wide_multiply(how, &all, &side);
    }
    return all;
}

/* speed |r - T|. */
static dpn_wide distance(dpn_rounding how, const dpn_start_size *size, const dpn_lazy *r, bool beyond) {
    dpn_rounding other = {how.limbs, !how.up};
    dpn_wide top = dpn_wide_integer(how, size->top), near = dpn_start_size_bound(how, size, r),
             far = dpn_start_size_bound(other, size, r);
    dpn_wide apart = beyond ? dpn_wide_subtract(how, &near, &top) : dpn_wide_subtract(how, &top, &far);
    if (!size->stairs) return apart;
    dpn_wide rate = dpn_wide_double(how, size->rate);
    return dpn_wide_multiply(how, &apart, &rate);
}

/* y < f(r)? y lies in [0.part, 0.part + 2^-64 words] 5/4 2^-drop. */
static dpn_verdict decide_wide(const dpn_start_size *size, const dpn_lazy *r, const dpn_fraction *y, int drop) {
    static const uint64_t nothing[2] = {0, 0};
    int limbs = dpn_lazy_limbs(y->words);
    dpn_wide low[2], high[2]; /* what is compared, each from below and from above: y times that of T, and that of r */
    bool beyond = r->whole[0] >= size->top, bounded = true;
    for (int up = 0; up < 2; up++) {
        dpn_rounding how = {limbs, up};
        dpn_wide at = dpn_start_size_bound(how, size, r), top = dpn_wide_integer(how, size->top), exponential;
        dpn_wide apart = distance(how, size, r, beyond);
        bounded = dpn_wide_exp(&exponential, how, &apart) && bounded;
        if (!bounded && up) return DPN_UNDECIDED;
        dpn_wide five = dpn_wide_integer(how, 5), height = dpn_fraction_bound(how, nothing, y, -(int64_t)drop - 2);
        dpn_wide ours = product(how, size, &top), theirs = product(how, size, &at);
        height = dpn_wide_multiply(how, &height, &five);
        low[up] = dpn_wide_multiply(how, &height, &ours);
        high[up] = theirs;
        dpn_wide *grows = beyond ? &low[up] : &high[up];
        *grows = dpn_wide_multiply(how, grows, &exponential);
    }
    dpn_rounding any = {limbs, false};
    if (dpn_wide_compare(any, &low[0], &high[1]) >= 0) return DPN_OVER;
    return dpn_wide_compare(any, &low[1], &high[0]) <= 0 ? DPN_UNDER : DPN_UNDECIDED;
}

static dpn_try decide(const dpn_start_size *size, dpn_lazy *r, int drop, dpn_rng *rng) {
    dpn_fraction y;
    y.words = 0;
    if (!dpn_fraction_refine(&y, rng)) return DPN_FAILED;
    if (!size->stairs && !dpn_fraction_refine(&r->part, rng)) return DPN_FAILED;
    double rest = size->stairs ? 0 : 0x1p-64 * (double)r->part.word[0], at = (double)r->whole[0] + rest;
    if (drop < 64 && (size->stairs || at > 0x1p-20)) { /* so that 64 bits of a small r are enough */
        double d = (double)(int64_t)(r->whole[0] - size->top) + rest, f = exp(log_f(size, at, d));
        double unit = 1.25 / (double)(UINT64_C(1) << drop), low = 0x1p-64 * (double)y.word[0] * unit,
               high = low + 0x1p-50 * unit;
        double guard = 0x1p-20; /* of f: 2^10 times what doubles may err */
        if (high < f * (1 - guard)) return DPN_DRAWN;
        if (low > f * (1 + guard)) return DPN_AGAIN;
    }
    for (;;) {
        dpn_verdict verdict = decide_wide(size, r, &y, drop);
        if (verdict == DPN_UNDER) return DPN_DRAWN;
        if (verdict == DPN_OVER) return DPN_AGAIN;
        if (y.words == DPN_FRACTION_WORDS) return DPN_GIVEN_UP;
        if (!dpn_fraction_refine(&y, rng)) return DPN_FAILED;
        if (!size->stairs && r->part.words < y.words && !dpn_fraction_refine(&r->part, rng)) return DPN_FAILED;
    }
}

/* A point of the staircase: its piece, its side, and the whole part of r. DPN_AGAIN for r < 0. */
static dpn_try place(dpn_lazy *r, const dpn_start_size *size, int *piece, dpn_rng *rng) {
    uint64_t word; /* its lowest bit is the side, its k highest are those of r, k <= MOST_WIDTH */
    int k = size->width_log2;
    dpn_try result = dpn_draw_piece(piece, rng);
    if (result != DPN_DRAWN) return result;
    if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
    bool left = size->top > 0 && (word & 1);
    int64_t start = left ? -(int64_t)*piece - 1 : *piece, inside = (int64_t)((word >> 1) >> (63 - k));
    int64_t whole = (int64_t)size->top + start * ((int64_t)1 << k) + inside;
    if (whole < 0) return DPN_AGAIN;
    *r = (dpn_lazy){.whole = {(uint64_t)whole, 0}};
    return DPN_DRAWN;
}

dpn_try dpn_start_size_draw(dpn_lazy *r, const dpn_start_size *size, dpn_rng *rng) {
    for (;;) {
        int drop;
        dpn_try result = place(r, size, &drop, rng);
        if (result == DPN_DRAWN) result = decide(size, r, drop, rng);
        if (result != DPN_AGAIN) return result;
    }
}
