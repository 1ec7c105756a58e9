#include "random/decide.h"

#include <string.h>

#include "random/source.h"

dpn_wide dpn_fraction_bound(dpn_rounding how, const uint64_t whole[2], const dpn_fraction *part, int64_t exponent) {
    uint64_t limb[DPN_FRACTION_WORDS + 3] = {0};
    int words = part->words;
    for (int i = 0; i < words; i++) limb[words - 1 - i] = part->word[i];
    limb[words] = whole[0];
    limb[words + 1] = whole[1];
    if (how.up)
        for (int i = 0; i <= words + 2 && ++limb[i] == 0; i++) continue;
    return dpn_wide_pack(how, limb, words + 3, exponent - 64 * (int64_t)words, false);
}

bool dpn_fraction_refine(dpn_fraction *part, dpn_rng *rng) {
    if (!dpn_rng_word(rng, &part->word[part->words])) return false;
    part->words++;
    return true;
}

/* A bound of y/f(x), in the direction of rounding; false as for the density's inverse. */
static bool ratio(const dpn_point *point, const dpn_density *density, dpn_rounding how, const dpn_fraction *x,
                  const dpn_fraction *y, dpn_wide *out) {
    const uint64_t cell[2] = {point->cell, point->cell_high}, level_of_y[2] = {point->level, 0};
    int64_t exponent = (int64_t)density->unit_exponent - point->cell_log2;
    dpn_wide at =
        point->exact ? dpn_wide_pack(how, cell, 2, exponent, false) : dpn_fraction_bound(how, cell, x, exponent);
    dpn_wide height = dpn_wide_double(how, point->height), inverse;
    dpn_wide level = dpn_fraction_bound(how, level_of_y, y, -point->drop);
    if (!dpn_density_inverse(density, how, &at, &inverse)) return false;
    level = dpn_wide_multiply(how, &level, &height);
    *out = dpn_wide_multiply(how, &level, &inverse);
    return true;
}

static dpn_verdict decide_wide(const dpn_point *point, const dpn_density *density, dpn_fraction *x, dpn_fraction *y,
                               dpn_rng *rng) {
    for (;;) {
        dpn_rounding down = {y->words + 3, false}, up = {y->words + 3, true};
        dpn_wide one = dpn_wide_integer(down, 1), lower, upper;
        if (!ratio(point, density, down, x, y, &lower) || dpn_wide_compare(down, &lower, &one) >= 0) return DPN_OVER;
        if (ratio(point, density, up, x, y, &upper) && dpn_wide_compare(up, &upper, &one) <= 0) return DPN_UNDER;
        if (y->words == DPN_FRACTION_WORDS) return DPN_UNDECIDED;
        if (!dpn_fraction_refine(y, rng) || (!point->exact && !dpn_fraction_refine(x, rng))) return DPN_NO_ENTROPY;
    }
}

/* 2^exponent, 0 below the normal doubles; ldexp would cost as much as all the rest. */
static inline double power_of_two(int exponent) {
    uint64_t bits = exponent < -1022 ? 0 : (uint64_t)(exponent + 1023) << 52;
    double out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

dpn_verdict dpn_point_draw_keep(const dpn_point *point, const dpn_density *density, dpn_rng *rng, dpn_fraction *x) {
    dpn_fraction y;
    y.words = x->words = 0;
    x->word[0] = 0;
    if (!dpn_fraction_refine(&y, rng) || (!point->exact && !dpn_fraction_refine(x, rng))) return DPN_NO_ENTROPY;
    double cell = 0x1p64 * (double)point->cell_high + (double)point->cell;
    double at = (cell + 0x1p-64 * (double)x->word[0]) * power_of_two(-point->cell_log2);
    double height = point->height * power_of_two(-point->drop);
    double low = ((double)point->level + 0x1p-64 * (double)y.word[0]) * height, high = low + 0x1p-50 * height;
    dpn_bounds f = dpn_density_value(density, at);
    if (high < f.lower) return DPN_UNDER;
    if (low > f.upper) return DPN_OVER;
    return decide_wide(point, density, x, &y, rng);
}

dpn_verdict dpn_point_draw(const dpn_point *point, const dpn_density *density, dpn_rng *rng) {
    dpn_fraction x;
    return dpn_point_draw_keep(point, density, rng, &x);
}
