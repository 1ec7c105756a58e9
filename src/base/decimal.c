/* Exact decimals: fixed point, nine digits a limb, the most significant first. */
#include "base/decimal.h"

#include "base/digits.h"
#include "base/error.h"

#include <dpnoise/number.h>
#include <math.h>
#include <string.h>

enum { DIGITS = 9, PLACES = DIGITS * DPN_DECIMAL_LIMBS, UNITS = DPN_DECIMAL_WHOLE - 1 };
static const uint32_t base = 1000000000;
static const uint32_t power[DIGITS] = {100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};

/* ---- Arithmetic ---- */

int dpn_decimal_compare(const dpn_decimal *a, const dpn_decimal *b) {
    for (int i = 0; i < DPN_DECIMAL_LIMBS; i++)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

bool dpn_decimal_is_zero(const dpn_decimal *a) {
    static const dpn_decimal zero = {{0}};
    return dpn_decimal_compare(a, &zero) == 0;
}

dpn_status dpn_decimal_add(dpn_decimal *out, const dpn_decimal *a, const dpn_decimal *b, dpn_error *why) {
    dpn_decimal sum;
    uint32_t carry = 0;
    for (int i = DPN_DECIMAL_LIMBS - 1; i >= 0; i--) {
        uint32_t limb = a->limb[i] + b->limb[i] + carry; /* below 2^31 */
        carry = limb >= base;
        sum.limb[i] = limb - carry * base;
    }
    if (carry) return dpn_fail(why, DPN_EDOMAIN, "the sum is too large: a decimal is below 1e%d", DPN_DECIMAL_WHOLE);
    *out = sum;
    return DPN_OK;
}

dpn_status dpn_decimal_subtract(dpn_decimal *out, const dpn_decimal *a, const dpn_decimal *b, dpn_error *why) {
    dpn_decimal difference;
    uint32_t borrow = 0;
    for (int i = DPN_DECIMAL_LIMBS - 1; i >= 0; i--) {
        uint32_t limb = base + a->limb[i] - b->limb[i] - borrow;
        borrow = limb < base;
        difference.limb[i] = borrow ? limb : limb - base;
    }
    if (borrow) return dpn_fail(why, DPN_EDOMAIN, "the difference is negative, which no decimal here is");
    *out = difference;
    return DPN_OK;
}

bool dpn_decimal_reaches(const dpn_decimal *a, int places) {
    int place = UNITS + places;
    for (int i = 0; i < place / DIGITS; i++)
        if (a->limb[i] != 0) return true;
    return a->limb[place / DIGITS] >= power[place % DIGITS];
}

dpn_decimal dpn_decimal_hundredths_down(const dpn_decimal *a, uint32_t hundredths) {
    dpn_decimal out;
    uint64_t rest = 0;
    for (int i = 0; i < DPN_DECIMAL_LIMBS; i++) { /* long division of hundredths a by 100; the quotient is at most a */
        uint64_t limb = rest * base + (uint64_t)hundredths * a->limb[i];
        out.limb[i] = (uint32_t)(limb / 100);
        rest = limb % 100;
    }
    for (int i = DPN_DECIMAL_LIMBS - 1; i > 0; i--) {
        out.limb[i - 1] += out.limb[i] / base;
        out.limb[i] %= base;
    }
    return out;
}

bool dpn_decimal_billionths(uint64_t *out, const dpn_decimal *a) {
    enum { UNIT = UNITS / DIGITS }; /* the limb of the nine digits before the point */
    for (int i = 0; i < DPN_DECIMAL_LIMBS; i++)
        if (i != UNIT && i != UNIT + 1 && a->limb[i] != 0) return false;
    *out = (uint64_t)a->limb[UNIT] * base + a->limb[UNIT + 1];
    return true;
}

bool dpn_decimal_divide(dpn_decimal *out, const dpn_decimal *a, uint32_t parts) {
    dpn_decimal quotient;
    uint64_t rest = 0; /* below parts, so that each limb of the quotient is below the base */
    for (int i = 0; i < DPN_DECIMAL_LIMBS; i++) {
        uint64_t limb = rest * base + a->limb[i];
        quotient.limb[i] = (uint32_t)(limb / parts);
        rest = limb % parts;
    }
    if (rest) return false;
    *out = quotient;
    return true;
}

/* ---- Text ---- */

static uint32_t digit_at(const dpn_decimal *a, int place) {
    return a->limb[place / DIGITS] / power[place % DIGITS] % 10;
}

dpn_status dpn_decimal_parse(dpn_decimal *out, const char *text, dpn_error *why) {
    bool zero;
    if (!text || !*text) return dpn_fail(why, DPN_EPARSE, "a number is missing");
    if (!dpn_number_is_decimal(text, &zero)) return dpn_fail(why, DPN_EPARSE, "'%.40s' is not a decimal number", text);
    if (*text == '-') return dpn_fail(why, DPN_EDOMAIN, "%.40s must not be negative", text);
    dpn_digits digits = dpn_digits_read(text);
    dpn_decimal read = {{0}};
    long place = DPN_DECIMAL_WHOLE - digits.exponent;
    if (!zero && place < 0)
        return dpn_fail(why, DPN_EDOMAIN, "%.40s is too large: 1e%d is the limit", text, DPN_DECIMAL_WHOLE);
    for (char digit; (digit = dpn_digits_take(&digits)); place++) {
        if (digit == '0') continue;
        if (place >= PLACES)
            return dpn_fail(why, DPN_EDOMAIN, "%.40s has more than %d digits after the point", text,
                            DPN_DECIMAL_FRACTION);
        read.limb[place / DIGITS] += (uint32_t)(digit - '0') * power[place % DIGITS];
    }
    *out = read;
    return DPN_OK;
}

static char *write_exponent(char *text, int exponent) {
    uint32_t size = (uint32_t)(exponent < 0 ? -exponent : exponent); /* below 1000 */
    *text++ = 'e';
    if (exponent < 0) *text++ = '-';
    if (size >= 100) *text++ = (char)('0' + size / 100);
    if (size >= 10) *text++ = (char)('0' + size / 10 % 10);
    *text++ = (char)('0' + size % 10);
    *text = '\0';
    return text;
}

/* Write the digits from `first` to `last`, with a point after the place `units`. Returns the end. */
static char *write_digits(char *text, const dpn_decimal *a, int first, int last, int units) {
    for (int place = first; place <= last; place++) {
        if (place == units + 1) *text++ = '.';
        *text++ = (char)('0' + digit_at(a, place));
    }
    *text = '\0';
    return text;
}

char *dpn_decimal_print(char text[DPN_DECIMAL_TEXT_SIZE], const dpn_decimal *a) {
    if (dpn_decimal_is_zero(a)) return strcpy(text, "0");
    int first = 0, last = DPN_DECIMAL_LIMBS - 1; /* limbs, and then places */
    while (a->limb[first] == 0) first++;
    while (a->limb[last] == 0) last--;
    first *= DIGITS;
    last = last * DIGITS + DIGITS - 1;
    while (digit_at(a, first) == 0) first++;
    while (digit_at(a, last) == 0) last--;
    int exponent = UNITS - first;
    if (exponent < -5 || exponent > 15) {
        write_exponent(write_digits(text, a, first, last, first), exponent);
    } else {
        write_digits(text, a, first < UNITS ? first : UNITS, last > UNITS ? last : UNITS, UNITS);
    }
    return text;
}

/* ---- Doubles ---- */

double dpn_decimal_lower(const dpn_decimal *a) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    double x = dpn_number_nearest(dpn_decimal_print(text, a));
    return dpn_number_compare(text, x) < 0 ? nextafter(x, -INFINITY) : x;
}

double dpn_decimal_upper(const dpn_decimal *a) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    double x = dpn_number_nearest(dpn_decimal_print(text, a));
    return dpn_number_compare(text, x) > 0 ? nextafter(x, INFINITY) : x;
}

dpn_status dpn_decimal_from_upper(dpn_decimal *out, double x, dpn_error *why) {
    enum { KEPT = 17 };
    if (!(x >= 0 && x < 1e45)) return dpn_fail(why, DPN_EDOMAIN, "%g is not a number from 0 to 1e45", x);
    char expansion[DPN_EXPANSION_SIZE];
    dpn_number_expand(expansion, x);
    dpn_digits digits = dpn_digits_read(expansion);
    dpn_decimal kept = {{0}}, unit = {{0}};
    long place = DPN_DECIMAL_WHOLE - digits.exponent;
    bool more = false;
    for (int i = 0; i < KEPT; i++, place++) {
        char digit = dpn_digits_take(&digits);
        if (digit) kept.limb[place / DIGITS] += (uint32_t)(digit - '0') * power[place % DIGITS];
    }
    for (char digit; (digit = dpn_digits_take(&digits));) more |= digit != '0';
    if (more) unit.limb[(place - 1) / DIGITS] = power[(place - 1) % DIGITS];
    return dpn_decimal_add(out, &kept, &unit, why);
}
