/* Numbers on a grid: in integers of 128 bits if these decide, else by comparing digits with the points half way. */
#include "release/tally/step.h"

#include "base/dyadic.h"

#include <string.h>

__extension__ typedef unsigned __int128 uint128;

enum { MOST_TENS = DPN_NUMERAL_DIGITS, MOST_TWOS = 60, MOST_BITS = 124 };
static int64_t clamped(const dpn_measure *measure, int64_t steps) {
    return steps < measure->lower ? measure->lower : steps > measure->upper ? measure->upper : steps;
}

static int64_t signed_and_clamped(const dpn_measure *measure, bool negative, uint128 size) {
    if (size >> 62) return negative ? measure->lower : measure->upper;
    return clamped(measure, negative ? -(int64_t)size : (int64_t)size);
}

static int bits(uint128 x) {
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* With |value| = n/d the number of steps is floor((2n + d)/2d), and for a negative value, where half way up is down in size,
 * -ceil((2n - d)/2d) = -floor((2n + d - 1)/2d). False if 128 bits are too few. */
static bool round_ratio(int64_t *out, const dpn_measure *measure, bool negative, uint64_t lead, int64_t exponent) {
    if (exponent > MOST_TENS || measure->exponent < -MOST_TWOS || measure->exponent > MOST_TWOS) return false;
    uint128 n = (uint128)lead * dpn_tens[exponent > 0 ? exponent : 0];
    uint128 d = dpn_tens[exponent < 0 ? -exponent : 0];
    if (measure->exponent < 0) {
        if (bits(n) - measure->exponent > MOST_BITS) return false;
        n <<= -measure->exponent;
    } else {
        d <<= measure->exponent; /* 10^18 2^60 has 120 bits */
    }
    *out = signed_and_clamped(measure, negative, (2 * n + d - negative) / (2 * d));
    return true;
}

/* The whole part of (2^64 - 1)/(2 10^i), which is at least 2^64/(2 10^i) - 1. */
#define INVERSE(tens) (UINT64_MAX / (2 * UINT64_C(tens)))
static const uint64_t inverse[MOST_TENS + 1] = {
    INVERSE(1),
    INVERSE(10),
    INVERSE(100),
    INVERSE(1000),
    INVERSE(10000),
    INVERSE(100000),
    INVERSE(1000000),
    INVERSE(10000000),
    INVERSE(100000000),
    INVERSE(1000000000),
    INVERSE(10000000000),
    INVERSE(100000000000),
    INVERSE(1000000000000),
    INVERSE(10000000000000),
    INVERSE(100000000000000),
    INVERSE(1000000000000000),
    INVERSE(10000000000000000),
    INVERSE(100000000000000000),
    INVERSE(1000000000000000000),
};

/* n/(2 10^places) rounded down. The product with the inverse is too small by n/2^64 < 1 at most, and so is its whole part by 1. */
static inline uint64_t divide(uint64_t n, uint64_t places) {
    uint64_t d = 2 * dpn_tens[places], quotient = (uint64_t)((uint128)n * inverse[places] >> 64);
    return quotient + (n - quotient * d >= d);
}

/* The same in 64 bits, for grids not coarser than 1 and numbers without a positive exponent: these are most. */
static inline bool round_short(int64_t *out, const dpn_measure *measure, const dpn_numeral *value) {
    uint64_t places = -(uint64_t)value->exponent;
    unsigned shift = -(unsigned)measure->exponent;
    if (value->more || places > MOST_TENS || shift > MOST_TWOS || value->lead >> (62 - shift)) return false;
    uint64_t size = divide((value->lead << (shift + 1)) + dpn_tens[places] - value->negative, places);
    int64_t steps = value->negative ? -(int64_t)size : (int64_t)size; /* below 2^63: half of a sum below 2^64 */
    *out = clamped(measure, steps);
    return true;
}

/* Rounding never swaps two numbers: where both ends of an interval become the same step, everything between them does. */
static bool round_interval(int64_t *out, const dpn_measure *measure, const dpn_numeral *value) {
    uint64_t lead = value->lead;
    int64_t exponent = value->exponent, other;
    bool more = value->more;
    if (exponent < -MOST_TENS) { /* further digits are left to the interval */
        uint64_t unit = exponent < -2 * MOST_TENS ? dpn_tens[MOST_TENS] : dpn_tens[-exponent - MOST_TENS];
        more |= lead % unit > 0;
        lead /= unit;
        exponent = -MOST_TENS;
    }
    if (!round_ratio(out, measure, value->negative, lead, exponent)) return false;
    return !more || (round_ratio(&other, measure, value->negative, lead + 1, exponent) && other == *out);
}

/* The sign of value - (step - 1/2) 2^exponent. */
static int compare_with_half_way(const dpn_numeral *value, int64_t step, int exponent) {
    char text[DPN_DYADIC_TEXT_SIZE];
    dpn_dyadic_print(text, 2 * (dpn_int128)step - 1, exponent - 1);
    dpn_numeral half_way;
    dpn_numeral_read_any(&half_way, (dpn_field){text, strlen(text)});
    return dpn_numeral_compare(value, &half_way);
}

/* The last step whose lower half-way point is not above the value; none is below the lower bound. */
static int64_t search(const dpn_measure *measure, const dpn_numeral *value) {
    int64_t low = measure->lower, high = measure->upper;
    while (low < high) {
        int64_t middle = high - (high - low) / 2;
        if (compare_with_half_way(value, middle, measure->exponent) >= 0)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static inline int64_t nearest(const dpn_measure *measure, const dpn_numeral *value) {
    int64_t out;
    if (round_short(&out, measure, value)) return out;
    return round_interval(&out, measure, value) ? out : search(measure, value);
}

int64_t dpn_step_nearest(const dpn_measure *measure, const dpn_numeral *value) {
    return nearest(measure, value);
}

void dpn_step_nearest_all(int64_t *out, size_t stride, const dpn_measure *measure, const dpn_numeral *value,
                          size_t count) {
    const dpn_measure own = *measure; /* which no number that is written can change */
    for (size_t i = 0; i < count; i++) out[i * stride] = nearest(&own, &value[i]);
}
