#include "random/strips.h"

#include <math.h>

/* The median of |X| has 2^(bits/2-2) to twice as many strips: where unsure slots, about one in (strips within the
 * scale) for the slope of f and one for each strip because heights are whole numbers, are fewest. */
int dpn_strips_width(const dpn_law *law, int bits) {
    double median = dpn_law_isf(law, 0.25);
    int exponent = median > 0 ? ilogb(median) - (bits / 2 - 2) : -1;
    return dpn_law_is_integer(law) && exponent < 0 ? 0 : exponent;
}

/* What a height v makes of the strips. */
typedef struct plan {
    double height;
    int strips, tail_log2, tail_drop;
    double slots; /* in all */
} plan;

static double slots_of_strip(const dpn_bounds *value, double height) {
    return floor(value->upper / height) + 1;
}

/* The tail after the last strip, where f is at most top: the lowest c that its area allows in whole slots. */
static void plan_tail(plan *out, const dpn_density *density, double top) {
    out->tail_log2 = 0;
    out->tail_drop = 0;
    if (top == 0) return; /* the law ends before */
    int halving = dpn_density_halving(density, out->strips);
    if (halving < 0) {
        out->slots = INFINITY;
        return;
    }
    int drop = 0;
    while (drop <= halving && ldexp(out->height, -drop - 1) >= top) drop++;
    out->tail_log2 = halving;
    out->tail_drop = drop;
    out->slots += ldexp(1, halving + 1 - drop);
}

/* The strips end where f is at most one slot high. */
static plan plan_strips(const dpn_density *density, const dpn_bounds *value, double height) {
    plan out = {.height = height};
    while (out.strips <= DPN_STRIPS_MOST && value[out.strips].upper > height)
        out.slots += slots_of_strip(&value[out.strips++], height);
    if (out.strips > DPN_STRIPS_MOST)
        out.slots = INFINITY;
    else
        plan_tail(&out, density, value[out.strips].upper);
    return out;
}

/* The lowest height that fits, to a ten-thousandth or so. */
static plan best_plan(const dpn_density *density, const dpn_bounds *value, double room) {
    double low = 0x1p-20, high = 0.25;
    plan best = plan_strips(density, value, high);
    for (int i = 0; i < 18; i++) {
        double middle = sqrt(low * high);
        plan next = plan_strips(density, value, middle);
        if (next.slots <= room) {
            high = middle;
            best = next;
        } else {
            low = middle;
        }
    }
    return best;
}

static int fill(dpn_strips *strips, int at, double count, unsigned entry) {
    for (double n = 0; n < count; n++) strips->slot[at++] = (uint16_t)entry;
    return at;
}

/* The last point of a strip is its right end; on the integers the last one before. */
static double last_point(const dpn_strips *strips, const dpn_law *law) {
    return dpn_law_is_integer(law) ? 1 - ldexp(1, -strips->density.unit_exponent) : 1;
}

static void fill_table(dpn_strips *strips, const plan *with, const dpn_bounds *value, double last) {
    int at = 0;
    for (int i = 0; i < with->strips; i++) {
        double count = slots_of_strip(&value[i], with->height), share = i == 0 && strips->halves_zero ? 0.5 : 1;
        double sure = fmax(0, floor(share * dpn_density_value(&strips->density, i + last).lower / with->height));
        strips->first[i] = (uint16_t)at;
        at = fill(strips, at, sure, (unsigned)i);
        at = fill(strips, at, count - sure, (unsigned)i | DPN_STRIPS_UNSURE);
    }
    double tail = value[with->strips].upper > 0 ? ldexp(1, with->tail_log2 + 1 - with->tail_drop) : 0;
    at = fill(strips, at, tail, (unsigned)with->strips | DPN_STRIPS_UNSURE);
    fill(strips, at, (1 << strips->bits) - at, (unsigned)(with->strips + 1) | DPN_STRIPS_UNSURE);
}

/* At least one point in 64 under the staircase must be a draw. The area under f is 1/2pdf(0) in the law's unit, and
 * on the integers about as much; a staircase whose first part is empty has less at 0 than beside it, and is as good as
 * one whose first part is whole. */
static bool wasteful(const dpn_strips *strips, const dpn_law *law) {
    double peak = dpn_law_pdf(law, 0), unit = ldexp(1, strips->density.unit_exponent);
    dpn_stairs stairs;
    if (dpn_law_stairs(&stairs, law) && stairs.part == 0) return false;
    return 0.5 / peak < ldexp(strips->height, strips->bits) * unit / 64;
}

bool dpn_strips_make(dpn_strips *strips, const dpn_law *law, int bits) {
    if (!dpn_density_make(&strips->density, law, dpn_strips_width(law, bits))) return false;
    dpn_bounds value[DPN_STRIPS_MOST + 1];
    for (int i = 0; i <= DPN_STRIPS_MOST; i++) value[i] = dpn_density_value(&strips->density, i);
    strips->halves_zero = dpn_law_is_integer(law) && strips->density.unit_exponent == 0;
    if (strips->halves_zero) value[0].upper *= 0.5;
    plan with = best_plan(&strips->density, value, ldexp(1, bits));
    if (!(with.slots <= ldexp(1, bits))) return false;
    strips->bits = bits;
    strips->strips = with.strips;
    strips->height = with.height;
    strips->tail_log2 = with.tail_log2;
    strips->tail_drop = with.tail_drop;
    fill_table(strips, &with, value, last_point(strips, law));
    return !wasteful(strips, law);
}
