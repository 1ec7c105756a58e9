/* A column of numbers on its grid. */
#include "release/compile/measure.h"

#include "base/dyadic.h"
#include "base/error.h"

#include <dpnoise/number.h>
#include <math.h>

enum { FEWEST = 18, MOST = 24 }; /* logarithms of steps */

/* Whole numbers stay what they are on a grid of 1 or finer. */
static int exponent_for(double size) {
    int top = ilogb(size);
    if (top > MOST) return top - MOST;
    return top < FEWEST ? top - FEWEST : 0;
}

/* A bound moved outwards to the grid: by less than two steps. */
static dpn_status outwards(int64_t *out, const char *text, int exponent, int direction, dpn_error *why) {
    dpn_int128 steps;
    bool exact;
    dpn_status status = dpn_dyadic_nearest(&steps, &exact, text, exponent, why);
    if (status) return status;
    if (!exact) steps += direction;
    const dpn_int128 most = (dpn_int128)1 << 60;
    if (steps > most || steps < -most)
        return dpn_fail(why, DPN_EDOMAIN, "the bounds are too close together for their size: %.40s has 2^60 steps",
                        text);
    *out = (int64_t)steps;
    return DPN_OK;
}

dpn_status dpn_measure_make(dpn_measure *out, size_t column, const char *lower, const char *upper, bool from_zero,
                            dpn_error *why) {
    double low, high;
    dpn_status status = dpn_number_parse(&low, lower, why);
    if (!status) status = dpn_number_parse(&high, upper, why);
    if (status) return status;
    double size = from_zero ? fmax(fmax(fabs(low), fabs(high)), high - low) : high - low;
    if (!(size > 0)) return dpn_fail(why, DPN_EDOMAIN, "the bound %.40s is not below %.40s", lower, upper);
    dpn_measure made = {.column = column, .exponent = exponent_for(size)};
    if (made.exponent < DPN_DYADIC_LEAST / 4 || made.exponent > DPN_DYADIC_MOST / 4)
        return dpn_fail(why, DPN_EDOMAIN, "bounds %.40s and %.40s: release in another unit", lower, upper);
    status = outwards(&made.lower, lower, made.exponent, -1, why);
    if (!status) status = outwards(&made.upper, upper, made.exponent, +1, why);
    if (status) return status;
    made.upper += (made.upper - made.lower) & 1; /* so that the middle is a step */
    made.middle = made.lower + (made.upper - made.lower) / 2;
    *out = made;
    return DPN_OK;
}
