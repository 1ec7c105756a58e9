/* The length of spherical noise, by rejection, as in start-size.c. docs/proofs/random/vector-sampler.md, step 16
 *
 * f(r) = (r/T)^power e^(-(alpha + beta (r + T)/2)(r - T)) is log-concave and at most 5/4 for a T next to its mode. T is a whole number of units, powers of two that are
 * short beside the width of f. With a width s = 2^k of units such that f(T + s) and f(T - s) are at most 1/2, f is at most 2^-j from T + js on, and up to
 * T - js: a staircase of the heights 5/4 2^-j. */
#include "random/radius.h"

#include <math.h>

/* ---- making ---- */

/* log f at r = T + d, d in units. Its error is below 2^-30 where f is not too small to matter, for powers up to 2^20. */
static double log_f(const dpn_radius *radius, double d) {
    double top = (double)radius->top, unit = ldexp(1, radius->exponent);
    return radius->power * log1p(d / top) - d * unit * (radius->alpha + radius->beta * unit * (top + 0.5 * d));
}

/* f is at most e^-0.7 there; log 2 is 0.693. */
static bool is_wide_enough(const dpn_radius *radius) {
    double s = ldexp(1, radius->width_log2);
    return log_f(radius, s) <= -0.7 && ((double)radius->top <= s || log_f(radius, -s) <= -0.7);
}

dpn_radius dpn_radius_make(double power, double alpha, double beta) {
    dpn_radius out = {.power = power, .alpha = alpha, .beta = beta};
    /* power/r = alpha + beta r, and the curvature there is power/r^2 + beta. */
    double mode = 2 * power / (alpha + sqrt(alpha * alpha + 4 * beta * power));
    double width = 1 / sqrt(power / (mode * mode) + beta);
    out.exponent = ilogb(width) - 8;
    out.top = (uint64_t)nearbyint(ldexp(mode, -out.exponent));
    while (!is_wide_enough(&out)) out.width_log2++;
    return out;
}

double dpn_radius_most(const dpn_radius *radius) {
    return ldexp((double)radius->top + ldexp(210, radius->width_log2), radius->exponent);
}

/* ---- drawing ---- */

/* y < f(r)? y lies in [0.part, 0.part + 2^-64 words] 5/4 2^-drop. */
static dpn_verdict decide_wide(const dpn_radius *radius, const dpn_lazy *r, const dpn_fraction *y, int drop) {
    static const uint64_t nothing[2] = {0, 0};
    int limbs = dpn_lazy_limbs(y->words);
    dpn_wide low[2], high[2]; /* what is compared, each from below and from above: y times that of T, and that of r */
    bool beyond = r->whole[0] >= radius->top;
    for (int up = 0; up < 2; up++) {
        dpn_rounding how = {limbs, up}, other = {limbs, !up};
        dpn_wide at = dpn_lazy_bound(how, r),
                 top = dpn_wide_scale(dpn_wide_integer(how, radius->top), radius->exponent);
        dpn_wide opposite = dpn_lazy_bound(other, r), alpha = dpn_wide_double(how, radius->alpha),
                 beta = dpn_wide_double(how, 0.5 * radius->beta), exponential;
        /* (alpha + beta (r + T)/2) |r - T|. For r < T it is the difference of alpha T + beta T^2/2, and falls with r. */
        dpn_wide near = beyond ? at : opposite, square = dpn_wide_multiply(beyond ? how : other, &near, &near);
        dpn_wide whole = dpn_wide_multiply(beyond ? other : how, &top, &top);
        dpn_wide apart = beyond ? dpn_wide_subtract(how, &near, &top) : dpn_wide_subtract(how, &top, &near);
        dpn_wide more = beyond ? dpn_wide_subtract(how, &square, &whole) : dpn_wide_subtract(how, &whole, &square);
        apart = dpn_wide_multiply(how, &apart, &alpha);
        more = dpn_wide_multiply(how, &more, &beta);
        more = dpn_wide_add(how, &more, &apart);
        if (!dpn_wide_exp(&exponential, how, &more) && up) return DPN_UNDECIDED;
        dpn_wide five = dpn_wide_integer(how, 5), height = dpn_fraction_bound(how, nothing, y, -(int64_t)drop - 2);
        dpn_wide ours = dpn_wide_power(how, &top, radius->power);
        height = dpn_wide_multiply(how, &height, &five);
        low[up] = dpn_wide_multiply(how, &height, &ours);
        high[up] = dpn_wide_power(how, &at, radius->power);
        dpn_wide *grows = beyond ? &low[up] : &high[up];
        *grows = dpn_wide_multiply(how, grows, &exponential);
    }
    dpn_rounding any = {limbs, false};
    if (dpn_wide_compare(any, &low[0], &high[1]) >= 0) return DPN_OVER;
    return dpn_wide_compare(any, &low[1], &high[0]) <= 0 ? DPN_UNDER : DPN_UNDECIDED;
}

static dpn_try decide(const dpn_radius *radius, dpn_lazy *r, int drop, dpn_rng *rng) {
    dpn_fraction y = {.words = 0};
    if (!dpn_fraction_refine(&y, rng) || !dpn_fraction_refine(&r->part, rng)) return DPN_FAILED;
    double rest = 0x1p-64 * (double)r->part.word[0], d = (double)(int64_t)(r->whole[0] - radius->top) + rest;
    if (drop < 64 && r->whole[0] > 0) { /* so that 64 bits of a small r are enough */
        double f = exp(log_f(radius, d));
        double low = 1.25 * ldexp((double)y.word[0], -64 - drop), high = low + 1.25 * ldexp(1, -50 - drop);
        double guard = 0x1p-20; /* of f: 2^10 times what doubles may err */
        if (high < f * (1 - guard)) return DPN_DRAWN;
        if (low > f * (1 + guard)) return DPN_AGAIN;
    }
    for (;;) {
        dpn_verdict verdict = decide_wide(radius, r, &y, drop);
        if (verdict == DPN_UNDER) return DPN_DRAWN;
        if (verdict == DPN_OVER) return DPN_AGAIN;
        if (y.words == DPN_FRACTION_WORDS) return DPN_GIVEN_UP;
        if (!dpn_fraction_refine(&y, rng)) return DPN_FAILED;
        if (r->part.words < y.words && !dpn_fraction_refine(&r->part, rng)) return DPN_FAILED;
    }
}

/* A point of the staircase: its piece, its side, and the whole part of r. DPN_AGAIN for r < 0. */
static dpn_try place(dpn_lazy *r, const dpn_radius *radius, int *piece, dpn_rng *rng) {
    uint64_t word; /* its lowest bit is the side, its k highest are those of r */
    int k = radius->width_log2;
    dpn_try result = dpn_draw_piece(piece, rng);
    if (result != DPN_DRAWN) return result;
    if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
    int64_t start = word & 1 ? -(int64_t)*piece - 1 : *piece, inside = (int64_t)((word >> 1) >> (63 - k));
    int64_t whole = (int64_t)radius->top + start * ((int64_t)1 << k) + inside;
    if (whole < 0) return DPN_AGAIN;
    *r = (dpn_lazy){.exponent = radius->exponent, .whole = {(uint64_t)whole, 0}};
    return DPN_DRAWN;
}

dpn_try dpn_radius_draw(dpn_lazy *r, const dpn_radius *radius, dpn_rng *rng) {
    for (;;) {
        int drop;
        dpn_try result = place(r, radius, &drop, rng);
        if (result == DPN_DRAWN) result = decide(radius, r, drop, rng);
        if (result != DPN_AGAIN) return result;
    }
}
