#include "base/wide.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 twice;

enum { ROOM = 2 * DPN_WIDE_LIMBS + 2 };

/* a <<= bits in count limbs; what leaves the top is lost. */
static void shift_left(uint64_t *a, int count, int bits) {
    int limbs = bits / 64, rest = bits % 64;
    for (int i = count - 1; i >= 0; i--) {
        uint64_t high = i - limbs >= 0 ? a[i - limbs] : 0, low = i - limbs >= 1 ? a[i - limbs - 1] : 0;
        a[i] = rest ? high << rest | low >> (64 - rest) : high;
    }
}

/* The same for 0 < bits < 64, which the bitwise loops below are made of. */
static inline void push_left(uint64_t *a, int count, int bits) {
    for (int i = count - 1; i > 0; i--) a[i] = a[i] << bits | a[i - 1] >> (64 - bits);
    a[0] <<= bits;
}

/* a -= b in count limbs, a >= b. */
static void subtract(uint64_t *a, const uint64_t *b, int count) {
    bool borrow = false;
    for (int i = 0; i < count; i++) {
        uint64_t old = a[i];
        a[i] = old - b[i] - borrow;
        borrow = borrow ? old <= b[i] : old < b[i];
    }
}

static int compare(const uint64_t *a, const uint64_t *b, int count) {
    for (int i = count - 1; i >= 0; i--)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

static bool is_zero(const uint64_t *a, int count) {
    for (int i = 0; i < count; i++)
        if (a[i]) return false;
    return true;
}

/* One more in the last place; from all ones to the next power of two. */
static void step_up(dpn_wide *a, int limbs) {
    for (int i = 0; i < limbs; i++)
        if (++a->limb[i]) return;
    a->limb[limbs - 1] = UINT64_C(1) << 63;
    a->exponent++;
}

dpn_wide dpn_wide_pack(dpn_rounding how, const uint64_t *limb, int count, int64_t exponent, bool more) {
    dpn_wide out = {{0}, 0};
    uint64_t room[ROOM + DPN_WIDE_LIMBS] = {0}; /* how.limbs zeros below, so that short numbers can move up */
    memcpy(room + how.limbs, limb, (size_t)count * sizeof *limb);
    int length = count + how.limbs;
    exponent -= 64 * (int64_t)how.limbs;
    while (length > how.limbs && room[length - 1] == 0) length--;
    if (length == how.limbs) { /* nothing but what is more: the next number above 0 stands for it */
        if (!more || !how.up) return out;
        out.limb[how.limbs - 1] = UINT64_C(1) << 63;
        out.exponent = exponent + 1;
        return out;
    }
    int lead = __builtin_clzll(room[length - 1]);
    shift_left(room, length, lead);
    int below = length - how.limbs;
    memcpy(out.limb, room + below, (size_t)how.limbs * sizeof *limb);
    out.exponent = exponent + 64 * (int64_t)below - lead;
    if (how.up && (more || !is_zero(room, below))) step_up(&out, how.limbs);
    return out;
}

dpn_wide dpn_wide_integer(dpn_rounding how, uint64_t value) {
    return dpn_wide_pack(how, &value, 1, 0, false);
}

dpn_wide dpn_wide_double(dpn_rounding how, double value) {
    int exponent;
    uint64_t significand = (uint64_t)ldexp(frexp(value, &exponent), 53);
    return dpn_wide_pack(how, &significand, 1, exponent - 53, false);
}

bool dpn_wide_is_zero(dpn_rounding how, const dpn_wide *a) {
    return a->limb[how.limbs - 1] == 0;
}

int dpn_wide_compare(dpn_rounding how, const dpn_wide *a, const dpn_wide *b) {
    bool a_zero = dpn_wide_is_zero(how, a), b_zero = dpn_wide_is_zero(how, b);
    if (a_zero || b_zero) return b_zero - a_zero;
    if (a->exponent != b->exponent) return a->exponent < b->exponent ? -1 : 1;
    return compare(a->limb, b->limb, how.limbs);
}

dpn_wide dpn_wide_scale(dpn_wide a, int64_t power_of_two) {
    a.exponent += power_of_two;
    return a;
}

/* a moved up so that its last place is that of b, which is at most 64 limbs + 64 bits lower. */
static void align(uint64_t *room, const dpn_wide *a, int limbs, int64_t distance) {
    memcpy(room, a->limb, (size_t)limbs * sizeof *room);
    shift_left(room, ROOM, (int)distance);
}

dpn_wide dpn_wide_add(dpn_rounding how, const dpn_wide *a, const dpn_wide *b) {
    if (dpn_wide_compare(how, a, b) < 0) return dpn_wide_add(how, b, a);
    if (dpn_wide_is_zero(how, b)) return *a;
    int64_t distance = a->exponent - b->exponent;
    if (distance > 64 * how.limbs) return dpn_wide_pack(how, a->limb, how.limbs, a->exponent, true);
    uint64_t room[ROOM] = {0};
    align(room, a, how.limbs, distance);
    bool carry = false;
    for (int i = 0; i < 2 * how.limbs + 2; i++) {
        twice sum = (twice)room[i] + (i < how.limbs ? b->limb[i] : 0) + carry;
        room[i] = (uint64_t)sum;
        carry = (bool)(sum >> 64);
    }
    return dpn_wide_pack(how, room, 2 * how.limbs + 2, b->exponent, false);
}

dpn_wide dpn_wide_subtract(dpn_rounding how, const dpn_wide *a, const dpn_wide *b) {
    if (dpn_wide_is_zero(how, b)) return *a;
    int64_t distance = a->exponent - b->exponent;
    uint64_t room[ROOM] = {0}, other[ROOM] = {1};
    if (distance > 64 * how.limbs + 64) { /* a - b lies within one of 2^-64 last places below a */
        align(room, a, how.limbs, 64);
        subtract(room, other, ROOM);
        return dpn_wide_pack(how, room, 2 * how.limbs + 2, a->exponent - 64, true);
    }
    align(room, a, how.limbs, distance);
    memcpy(other, b->limb, (size_t)how.limbs * sizeof *other);
    subtract(room, other, ROOM);
    return dpn_wide_pack(how, room, 2 * how.limbs + 2, b->exponent, false);
}

dpn_wide dpn_wide_multiply(dpn_rounding how, const dpn_wide *a, const dpn_wide *b) {
    uint64_t product[ROOM] = {0};
    for (int i = 0; i < how.limbs; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < how.limbs; j++) {
            twice sum = (twice)a->limb[i] * b->limb[j] + product[i + j] + carry;
            product[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        product[i + how.limbs] = carry;
    }
    return dpn_wide_pack(how, product, 2 * how.limbs, a->exponent + b->exponent, false);
}

dpn_wide dpn_wide_divide_small(dpn_rounding how, const dpn_wide *a, uint64_t b) {
    uint64_t quotient[DPN_WIDE_LIMBS + 1] = {0}, rest = 0;
    for (int i = how.limbs; i >= 0; i--) { /* a has one more limb, of zeros, below the others */
        twice part = (twice)rest << 64 | (i > 0 ? a->limb[i - 1] : 0);
        quotient[i] = (uint64_t)(part / b);
        rest = (uint64_t)(part % b);
    }
    return dpn_wide_pack(how, quotient, how.limbs + 1, a->exponent - 64, rest != 0);
}

/* Long division, one bit after the other: rest < 2b always, since a < 2b. */
dpn_wide dpn_wide_divide(dpn_rounding how, const dpn_wide *a, const dpn_wide *b) {
    int size = how.limbs + 1, bits = 64 * how.limbs + 1;
    uint64_t quotient[DPN_WIDE_LIMBS + 1] = {0}, rest[DPN_WIDE_LIMBS + 1] = {0}, divisor[DPN_WIDE_LIMBS + 1] = {0};
    memcpy(rest, a->limb, (size_t)how.limbs * sizeof *rest);
    memcpy(divisor, b->limb, (size_t)how.limbs * sizeof *divisor);
    for (int i = 0; i < bits; i++) {
        push_left(quotient, size, 1);
        if (compare(rest, divisor, size) >= 0) {
            subtract(rest, divisor, size);
            quotient[0] |= 1;
        }
        push_left(rest, size, 1);
    }
    return dpn_wide_pack(how, quotient, size, a->exponent - b->exponent - (bits - 1), !is_zero(rest, size));
}

/* The square root of the significand times a power of four, one bit after the other: rest = radicand so far - root^2,
 * which is at most 2 root. */
dpn_wide dpn_wide_root(dpn_rounding how, const dpn_wide *a) {
    int size = how.limbs + 1;
    uint64_t radicand[ROOM] = {0}, root[DPN_WIDE_LIMBS + 1] = {0}, rest[DPN_WIDE_LIMBS + 1] = {0};
    int odd = (int)(a->exponent & 1);
    memcpy(radicand + how.limbs, a->limb, (size_t)how.limbs * sizeof *radicand);
    shift_left(radicand, 2 * how.limbs + 1, odd);
    for (int pair = 64 * how.limbs; pair >= 0; pair--) {
        uint64_t trial[DPN_WIDE_LIMBS + 1];
        push_left(rest, size, 2);
        rest[0] |= radicand[pair / 32] >> (2 * (pair % 32)) & 3;
        memcpy(trial, root, sizeof trial);
        push_left(trial, size, 2);
        trial[0] |= 1;
        push_left(root, size, 1);
        if (compare(rest, trial, size) >= 0) {
            subtract(rest, trial, size);
            root[0] |= 1;
        }
    }
    int64_t exponent = (a->exponent - odd - 64 * (int64_t)how.limbs) / 2; /* even: no rounding */
    return dpn_wide_pack(how, root, size, exponent, !is_zero(rest, size));
}

dpn_wide dpn_wide_floor(dpn_rounding how, const dpn_wide *a) {
    dpn_wide out = *a;
    int64_t places = -a->exponent; /* after the point */
    if (places <= 0) return out;
    if (places >= 64 * how.limbs) return dpn_wide_integer(how, 0);
    for (int i = 0; i < how.limbs; i++) {
        if (places >= 64 * (i + 1))
            out.limb[i] = 0;
        else if (places > 64 * i)
            out.limb[i] &= ~UINT64_C(0) << (places - 64 * i);
    }
    return out;
}
