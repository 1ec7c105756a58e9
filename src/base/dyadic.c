/* Multiples of a power of two, from decimal text and back, exactly.
 *
 * A decimal times two is a decimal, and so is its half: the scaling is done there, digit by digit. */
#include "base/dyadic.h"

#include "base/error.h"

#include <stddef.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

enum { BASE = 1000000000, UNITS_LIMB = DPN_DECIMAL_WHOLE / 9 - 1 };

enum { WHOLE_BITS = 127, STEPS_BITS = 120 };

dpn_int128 dpn_dyadic_limit(int exponent) {
    return (dpn_int128)1 << (exponent > WHOLE_BITS - STEPS_BITS ? WHOLE_BITS - exponent : STEPS_BITS);
}

/* The whole part; false if it is not safely below 2^127. */
static bool whole_part(uint128 *whole, const dpn_decimal *a) {
    *whole = 0;
    for (int i = 0; i <= UNITS_LIMB; i++) {
        if (*whole >= ((uint128)1 << WHOLE_BITS) / BASE) return false;
        *whole = *whole * BASE + a->limb[i];
    }
    return true;
}

/* The sign of the fraction - 1/2; *zero, whether there is no fraction. */
static int compare_with_half(const dpn_decimal *a, bool *zero) {
    dpn_decimal fraction = *a, half = {{0}};
    for (int i = 0; i <= UNITS_LIMB; i++) fraction.limb[i] = 0;
    half.limb[UNITS_LIMB + 1] = BASE / 2;
    *zero = dpn_decimal_is_zero(&fraction);
    return dpn_decimal_compare(&fraction, &half);
}

/* a/2^exponent = *whole + fraction; the sign of the fraction - 1/2 is returned, as above. False if *whole is beyond the
 * limit. */
static bool split(uint128 *whole, int *half, bool *zero, dpn_decimal a, int exponent) {
    for (; exponent < 0; exponent++)
        if (dpn_decimal_add(&a, &a, &a, NULL)) return false;
    uint128 units;
    if (!whole_part(&units, &a)) return false;
    *half = compare_with_half(&a, zero);
    *whole = units;
    if (exponent > 0) { /* the fraction is now what is shifted out, with the decimal fraction below it */
        uint128 rest = units & (((uint128)1 << exponent) - 1), middle = (uint128)1 << (exponent - 1);
        *whole = units >> exponent;
        *half = rest != middle ? (rest < middle ? -1 : 1) : !*zero;
        *zero = *zero && rest == 0;
    }
    return true;
}

dpn_status dpn_dyadic_nearest(dpn_int128 *out, bool *exact, const char *text, int exponent, dpn_error *why) {
    bool negative = text && *text == '-';
    if (negative && (text[1] == '-' || text[1] == '+'))
        return dpn_fail(why, DPN_EPARSE, "'%.40s' is not a decimal number", text);
    dpn_decimal size;
    dpn_status status = dpn_decimal_parse(&size, negative ? text + 1 : text, why);
    if (status) return status;
    uint128 whole;
    int half;
    bool zero;
    if (!split(&whole, &half, &zero, size, exponent) || whole >= (uint128)dpn_dyadic_limit(exponent))
        return dpn_fail(why, DPN_EDOMAIN, "%.40s is too large for a grid of step 2^%d", text, exponent);
    bool up = negative ? half > 0 : half >= 0; /* in size */
    dpn_int128 steps = (dpn_int128)(whole + up);
    *out = negative ? -steps : steps;
    if (exact) *exact = zero;
    return DPN_OK;
}

/* Half of a, of which the last digit is even. */
static dpn_decimal half_of(const dpn_decimal *a) {
    dpn_decimal out;
    uint32_t carry = 0;
    for (int i = 0; i < DPN_DECIMAL_LIMBS; i++) {
        uint32_t limb = a->limb[i] + carry * BASE; /* below 2^31 */
        out.limb[i] = limb / 2;
        carry = limb % 2;
    }
    return out;
}

/* Numbers from 1e-5 to 1e16 on grids of 2^-60 to 1, which are most of them, need no decimal of 450 digits: below the point a
 * digit is what a multiplication by 10 pushes over it. Returns false for the others. */
static bool print_short(char *text, uint128 size, int places) {
    enum { MOST_PLACES = 60 };
    if (places < 0 || places > MOST_PLACES || size >> places >= 10000000000000000u) return false;
    uint64_t whole = (uint64_t)(size >> places), rest = (uint64_t)(size & (((uint64_t)1 << places) - 1));
    if (whole == 0 && rest > 0 && (uint128)rest * 100000 < (uint128)1 << places) return false;
    char digits[20], *first = digits + sizeof digits;
    do *--first = (char)('0' + whole % 10);
    while ((whole /= 10) > 0);
    size_t length = (size_t)(digits + sizeof digits - first);
    memcpy(text, first, length);
    text += length;
    if (rest > 0) *text++ = '.';
    for (; rest > 0; rest &= ((uint64_t)1 << places) - 1) {
        rest *= 10;
        *text++ = (char)('0' + (rest >> places));
    }
    *text = '\0';
    return true;
}

static void print_long(char *text, uint128 size, int exponent) {
    dpn_decimal a = {{0}};
    for (int i = UNITS_LIMB; i >= 0; i--) {
        a.limb[i] = (uint32_t)(size % BASE);
        size /= BASE;
    }
    for (; exponent > 0; exponent--)
        if (dpn_decimal_add(&a, &a, &a, NULL)) break; /* not within the domain */
    for (; exponent < 0; exponent++) a = half_of(&a);
    dpn_decimal_print(text, &a);
}

char *dpn_dyadic_print(char text[DPN_DYADIC_TEXT_SIZE], dpn_int128 steps, int exponent) {
    uint128 size = steps < 0 ? -(uint128)steps : (uint128)steps;
    char *start = text;
    if (steps < 0) *start++ = '-';
    if (!print_short(start, size, -exponent)) print_long(start, size, exponent);
    return text;
}

char *dpn_steps_print(char text[DPN_STEPS_TEXT_SIZE], int64_t steps, int exponent) {
    if (exponent < DPN_DYADIC_LEAST || exponent > DPN_DYADIC_MOST) return NULL;
    return dpn_dyadic_print(text, steps, exponent);
}
