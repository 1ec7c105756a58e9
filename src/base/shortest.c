/* The fewest digits that read back to a double.
 *
 * x = m 2^e is scaled to v = x 10^k, which has 17 digits before its point: v = m 5^k / 2^r with r = -(e + k). For k up to 52
 * the numerator has less than 53 + 121 bits and nothing is rounded, so that the whole part of v and its fraction in units of
 * 2^-r are known exactly. A decimal reads back to x if it is not further from x than half the distance of the neighbours,
 * which is 5^k / 2^(r+1) after the scaling, and if a tie goes to the even m. */
#include "base/shortest.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

enum { BITS = 53, PLACES = 17 };
static const uint64_t least = 10000000000000000; /* of 17 digits */

typedef struct scaled {
    uint64_t whole;
    uint128 fraction; /* in units of 2^-r, below 2^r; and 2^r is below 5^k, since v is larger than m */
    uint128 power;    /* 5^k */
    int r;
    bool even; /* m */
} scaled;

static uint128 low_bits(uint128 a, int bits) {
    return a & (((uint128)1 << bits) - 1);
}

/* m 5^k / 2^r, for 0 <= r <= 120 */
static scaled scale(uint64_t m, uint128 power, int r) {
    uint128 low = (uint128)m * (uint64_t)power, high = (uint128)m * (uint64_t)(power >> 64) + (low >> 64);
    scaled v = {.power = power, .r = r, .even = m % 2 == 0};
    if (r < 64) {
        uint128 end = high << 64 | (uint64_t)low; /* v < 10^18, so that nothing is shifted out above */
        v.whole = (uint64_t)(end >> r);
        v.fraction = low_bits(end, r);
    } else {
        v.whole = (uint64_t)(high >> (r - 64));
        v.fraction = low_bits(high, r - 64) << 64 | (uint64_t)low;
    }
    return v;
}

/* v in units of 1, 10 or 100, rounded to the nearest, a tie to the even. */
static inline uint64_t rounded(const scaled *v, uint64_t unit) {
    uint64_t kept = v->whole / unit, rest = v->whole % unit;
    uint128 half = v->r ? (uint128)1 << (v->r - 1) : 1;
    int side = unit > 1 ? (rest > unit / 2) - (rest < unit / 2) : (v->fraction > half) - (v->fraction < half);
    if (unit > 1 && side == 0 && v->fraction) side = 1;
    return kept + (side > 0 || (side == 0 && kept % 2));
}

/* Whether a whole number near v reads back. What is 13 off does not: half the distance is v / 2m < 10^17 / 2^53 < 12. */
static bool reads_back(const scaled *v, uint64_t decimal) {
    int64_t apart = (int64_t)decimal - (int64_t)v->whole;
    if (apart < -12 || apart > 12) return false;
    int128 twice = apart * ((int128)1 << (v->r + 1)) - (int128)(2 * v->fraction);
    uint128 distance = (uint128)(twice < 0 ? -twice : twice);
    return distance < v->power || (distance == v->power && v->even);
}

/* Two decimals of up to 15 digits never read as one double: if one of them does, it is the shortest. 17 digits always do. */
static dpn_shortest find(const scaled *v, int k) {
    dpn_shortest out = {.digits = rounded(v, 100), .count = PLACES - 2, .exponent = PLACES - 1 - k};
    uint64_t most = least / 10; /* rounding up to a power of ten makes one more digit */
    if (!reads_back(v, out.digits * 100)) {
        out = (dpn_shortest){rounded(v, 10), PLACES - 1, out.exponent};
        most = least;
        if (!reads_back(v, out.digits * 10)) {
            out = (dpn_shortest){rounded(v, 1), PLACES, out.exponent};
            most = 10 * least;
        }
    }
    if (out.digits == most) out = (dpn_shortest){1, 1, out.exponent + 1};
    for (; out.digits % 10 == 0; out.count--) out.digits /= 10;
    return out;
}

/* 5^k for k up to 54: the product of two powers that 64 bits hold. */
static uint128 power_of_five(int k) {
    static const uint64_t power[] = {
        UINT64_C(1),
        UINT64_C(5),
        UINT64_C(25),
        UINT64_C(125),
        UINT64_C(625),
        UINT64_C(3125),
        UINT64_C(15625),
        UINT64_C(78125),
        UINT64_C(390625),
        UINT64_C(1953125),
        UINT64_C(9765625),
        UINT64_C(48828125),
        UINT64_C(244140625),
        UINT64_C(1220703125),
        UINT64_C(6103515625),
        UINT64_C(30517578125),
        UINT64_C(152587890625),
        UINT64_C(762939453125),
        UINT64_C(3814697265625),
        UINT64_C(19073486328125),
        UINT64_C(95367431640625),
        UINT64_C(476837158203125),
        UINT64_C(2384185791015625),
        UINT64_C(11920928955078125),
        UINT64_C(59604644775390625),
        UINT64_C(298023223876953125),
        UINT64_C(1490116119384765625),
        UINT64_C(7450580596923828125),
    };
    int first = k < 27 ? k : 27;
    return (uint128)power[first] * power[k - first];
}

/* A normal double from its sign, which is 0 here, down: the exponent plus 1023, and the bits of m below its first. */
static const uint64_t below_first = (UINT64_C(1) << (BITS - 1)) - 1;

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool is_power_of_two(double x) {
    return (bits_of(x) & below_first) == 0;
}

/* x 10^k; false where that is not exact. */
static bool scale_up(scaled *v, int *k, double x) {
    if (!(x >= 1e-35 && x < 0x1p51)) return false;
    uint64_t bits = bits_of(x), m = (bits & below_first) + below_first + 1;
    int binary = (int)(bits >> (BITS - 1)) - 1022;
    /* 2^(binary - 1) <= x < 2^binary tells k up to one too many. It is from 1 to 52, and r not negative. */
    *k = PLACES - 1 - (int)floor((binary - 1) * 0.30102999566398120);
    *v = scale(m, power_of_five(*k), BITS - binary - *k);
    if (v->whole < 10 * least) return true;
    --*k;
    *v = scale(m, power_of_five(*k), BITS - binary - *k);
    return true;
}

bool dpn_shortest_find(dpn_shortest *out, double x) {
    int k;
    scaled v;
    if (is_power_of_two(x) || !scale_up(&v, &k, x)) return false; /* it has unequal neighbours */
    *out = find(&v, k);
    return true;
}

/* All the digits as a whole number of 17 places. */
static uint64_t places_of(const dpn_shortest *decimal) {
    uint64_t digits = decimal->digits;
    for (int i = decimal->count; i < PLACES; i++) digits *= 10;
    return digits;
}

bool dpn_shortest_compare(int *sign, const dpn_shortest *decimal, double x) {
    int k;
    scaled v;
    if (!scale_up(&v, &k, x)) return false;
    uint64_t digits = places_of(decimal);
    int exponent = PLACES - 1 - k;
    if (decimal->exponent != exponent)
        *sign = decimal->exponent < exponent ? -1 : 1;
    else if (digits != v.whole)
        *sign = digits < v.whole ? -1 : 1;
    else
        *sign = v.fraction ? -1 : 0;
    return true;
}

/* A double near a decimal: powers of ten up to 10^22 are doubles, so that three roundings at most enter. */
static double near(const dpn_shortest *decimal) {
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { MOST = 22 };
    double x = (double)decimal->digits;
    int ten = decimal->exponent - decimal->count + 1;
    if (ten >= 0) return ten <= MOST ? x * power[ten] : 0;
    if (ten < -2 * MOST) x /= power[MOST], ten += MOST;
    if (ten < -MOST) x /= power[MOST], ten += MOST;
    return ten >= -MOST ? x / power[-ten] : 0;
}

bool dpn_shortest_read(double *out, const dpn_shortest *decimal) {
    enum { TRIES = 5 };
    double x = near(decimal);
    uint64_t places = places_of(decimal);
    for (int i = 0; i < TRIES; i++) {
        int k;
        scaled v;
        if (is_power_of_two(x) || !scale_up(&v, &k, x)) return false;
        int more =
            decimal->exponent - (PLACES - 1 - k); /* 1 if x is just below a power of ten and the decimal is not */
        if (more < 0 || more > 1) return false;
        uint64_t digits = more ? 10 * places : places; /* below 10^18 */
        if (reads_back(&v, digits)) {
            *out = x;
            return true;
        }
        x = nextafter(x, digits > v.whole ? INFINITY : 0);
    }
    return false;
}
