#include "random/decide.h"

#include <string.h>

#include "random/source.h"

/* Words of x and y; a bound needs three limbs more than there are words, for the cell and for rounding. */
enum { MOST_WORDS = DPN_WIDE_LIMBS - 3 };

/* Random bits after the point, most significant word first in time, last in memory. */
typedef struct fraction {
    uint64_t word[MOST_WORDS];
} fraction;

/* (whole + fraction) 2^exponent from below, or from above: a last place more. The words and the two halves of the whole
 * are the limbs of one integer. */
static dpn_wide bound(dpn_rounding how, const uint64_t whole[2], const fraction *part, int words, int64_t exponent) {
    uint64_t limb[MOST_WORDS + 3] = {0};
    for (int i = 0; i < words; i++) limb[words - 1 - i] = part->word[i];
    limb[words] = whole[0];
    limb[words + 1] = whole[1];
    if (how.up)
        for (int i = 0; i <= words + 2 && ++limb[i] == 0; i++) continue;
    return dpn_wide_pack(how, limb, words + 3, exponent - 64 * (int64_t)words, false);
}

/* A bound of y/f(x), in the direction of rounding; false as for the density's inverse. */
static bool ratio(const dpn_point *point, const dpn_density *density, dpn_rounding how, const fraction *x,
                  const fraction *y, int words, dpn_wide *out) {
    const uint64_t cell[2] = {point->cell, point->cell_high}, level_of_y[2] = {point->level, 0};
    int64_t exponent = (int64_t)density->unit_exponent - point->cell_log2;
    dpn_wide at = point->exact ? dpn_wide_pack(how, cell, 2, exponent, false) : bound(how, cell, x, words, exponent);
    dpn_wide height = dpn_wide_double(how, point->height), inverse;
    dpn_wide level = bound(how, level_of_y, y, words, -point->drop);
    if (!density->kind->inverse(density, how, &at, &inverse)) return false;
    level = dpn_wide_multiply(how, &level, &height);
    *out = dpn_wide_multiply(how, &level, &inverse);
    return true;
}

static bool more_bits(fraction *part, int words, dpn_rng *rng) {
    return dpn_rng_word(rng, &part->word[words]);
}

static dpn_verdict decide_wide(const dpn_point *point, const dpn_density *density, fraction *x, fraction *y,
                               dpn_rng *rng) {
    for (int words = 1;; words++) {
        dpn_rounding down = {words + 3, false}, up = {words + 3, true};
        dpn_wide one = dpn_wide_integer(down, 1), lower, upper;
        if (!ratio(point, density, down, x, y, words, &lower) || dpn_wide_compare(down, &lower, &one) >= 0)
            return DPN_ABOVE;
        if (ratio(point, density, up, x, y, words, &upper) && dpn_wide_compare(up, &upper, &one) <= 0) return DPN_UNDER;
        if (words == MOST_WORDS) return DPN_UNDECIDED;
        if (!more_bits(y, words, rng) || (!point->exact && !more_bits(x, words, rng))) return DPN_NO_ENTROPY;
    }
}

/* 2^exponent, 0 below the normal doubles; ldexp would cost as much as all the rest. */
static inline double power_of_two(int exponent) {
    uint64_t bits = exponent < -1022 ? 0 : (uint64_t)(exponent + 1023) << 52;
    double out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

dpn_verdict dpn_point_draw(const dpn_point *point, const dpn_density *density, dpn_rng *rng) {
    fraction x, y;
    x.word[0] = 0;
    if (!more_bits(&y, 0, rng) || (!point->exact && !more_bits(&x, 0, rng))) return DPN_NO_ENTROPY;
    double cell = 0x1p64 * (double)point->cell_high + (double)point->cell;
    double at = (cell + 0x1p-64 * (double)x.word[0]) * power_of_two(-point->cell_log2);
    double height = point->height * power_of_two(-point->drop);
    double low = ((double)point->level + 0x1p-64 * (double)y.word[0]) * height, high = low + 0x1p-50 * height;
    dpn_bounds f = dpn_density_value(density, at);
    if (high < f.lower) return DPN_UNDER;
    if (low > f.upper) return DPN_ABOVE;
    return decide_wide(point, density, &x, &y, rng);
}
