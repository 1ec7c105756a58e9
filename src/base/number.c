/* Numbers as text, in the C locale whatever the locale of the process. */
#define _GNU_SOURCE /* strtod_l */
#include <dpnoise/number.h>

#include "base/digits.h"
#include "base/error.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The locale "C". glibc returns a static object here: nothing is allocated, nothing needs to be freed. */
static locale_t c_locale(void) {
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* The least number of significant digits whose decimal reads back to x; text holds it in scientific form. */
static int shortest_digits(char text[DPN_NUMBER_SIZE], double x, locale_t c) {
    /* More digits are never further off. Unless x is a power of two, with neighbours at unequal distances, fewer than
     * 16 do not read back to it if 15 do not: computed numbers mostly need 16 or 17, and need not try the others. */
    int exponent, digits = 1;
    snprintf(text, DPN_NUMBER_SIZE, "%.14e", x);
    if (fabs(frexp(x, &exponent)) != 0.5 && strtod_l(text, NULL, c) != x) digits = 16;
    for (; digits < 17; digits++) {
        snprintf(text, DPN_NUMBER_SIZE, "%.*e", digits - 1, x);
        if (strtod_l(text, NULL, c) == x) return digits;
    }
    snprintf(text, DPN_NUMBER_SIZE, "%.16e", x);
    return digits;
}

/* people read 0.00001 and 1000000 more easily than powers of ten */
static bool is_written_out(long exponent) {
    return exponent >= -5 && exponent < 16;
}

static char *put_zeros(char *at, int count) {
    for (; count > 0; count--) *at++ = '0';
    return at;
}

/* Digits with a point after `before` of them, or after so many zeros that there are. Returns the end. */
static char *put_digits(char *at, const char *digits, int count, int before) {
    int whole = before < 0 ? 0 : before < count ? before : count;
    if (before <= 0) *at++ = '0';
    memcpy(at, digits, (size_t)whole);
    at = put_zeros(at + whole, before - whole);
    if (whole == count) return at;
    *at++ = '.';
    at = put_zeros(at, -before);
    memcpy(at, digits + whole, (size_t)(count - whole));
    return at + (count - whole);
}

/* The texts of numbers whose digits were found without printf are the ones that it would write. */
static void put_shortest(char text[DPN_NUMBER_SIZE], const dpn_shortest *number, bool negative) {
    char digits[20], *at = text;
    uint64_t rest = number->digits;
    for (int i = number->count; i-- > 0; rest /= 10) digits[i] = (char)('0' + rest % 10);
    if (negative) *at++ = '-';
    if (is_written_out(number->exponent)) {
        *put_digits(at, digits, number->count, number->exponent + 1) = '\0';
        return;
    }
    at = put_digits(at, digits, number->count, 1);
    int size = number->exponent < 0 ? -number->exponent : number->exponent; /* below 100 */
    *at++ = 'e';
    *at++ = number->exponent < 0 ? '-' : '+';
    *at++ = (char)('0' + size / 10);
    *at++ = (char)('0' + size % 10);
    *at = '\0';
}

char *dpn_number_print(char text[DPN_NUMBER_SIZE], double x) {
    dpn_shortest found;
    if (isnan(x)) return strcpy(text, "nan");
    if (isinf(x)) return strcpy(text, x > 0 ? "inf" : "-inf");
    if (dpn_shortest_find(&found, fabs(x))) {
        put_shortest(text, &found, x < 0);
        return text;
    }
    locale_t c = c_locale();
    locale_t before = uselocale(c);
    int digits = shortest_digits(text, x, c);
    long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);
    if (is_written_out(exponent))
        snprintf(text, DPN_NUMBER_SIZE, "%.*f", digits - 1 > exponent ? digits - 1 - (int)exponent : 0, x);
    uselocale(before);
    return text;
}

static const char *skip_digits(const char *s) {
    while (*s >= '0' && *s <= '9') s++;
    return s;
}

bool dpn_number_is_decimal(const char *s, bool *zero) {
    if (*s == '+' || *s == '-') s++;
    const char *start = s, *end = skip_digits(s);
    size_t digits = (size_t)(end - s);
    if (*end == '.') {
        s = end + 1;
        end = skip_digits(s);
        digits += (size_t)(end - s);
    }
    if (digits == 0) return false;
    *zero = strspn(start, "0.") == (size_t)(end - start);
    if (*end == 'e' || *end == 'E') {
        s = end + 1;
        if (*s == '+' || *s == '-') s++;
        end = skip_digits(s);
        if (end == s) return false;
    }
    return *end == '\0';
}

/* Most texts: a decimal of few digits, with a double of no special kind beside it. */
static bool read_few(double *out, const char *text) {
    double x;
    bool negative;
    dpn_shortest few;
    if (!dpn_number_few(&few, &negative, text) || !dpn_shortest_read(&x, &few)) return false;
    *out = negative ? -x : x;
    return true;
}

double dpn_number_nearest(const char *text) {
    double x;
    return read_few(&x, text) ? x : strtod_l(text, NULL, c_locale());
}

/* x = m 2^(exponent - 53) has up to 53 - exponent digits after the point, and up to exponent / 3 + 1 before it. */
void dpn_number_expand(char text[DPN_EXPANSION_SIZE], double x) {
    int exponent;
    frexp(x, &exponent);
    int after = exponent < 53 ? 53 - exponent : 0, digits = after + (exponent > 0 ? exponent / 3 + 1 : 0);
    locale_t before = uselocale(c_locale());
    snprintf(text, DPN_EXPANSION_SIZE, "%.*e", digits < 770 ? digits : 770, x);
    uselocale(before);
}

dpn_status dpn_number_parse(double *out, const char *text, dpn_error *why) {
    bool zero = false;
    if (!text || !*text) return dpn_fail(why, DPN_EPARSE, "a number is missing");
    if (read_few(out, text)) return DPN_OK;
    if (!dpn_number_is_decimal(text, &zero)) return dpn_fail(why, DPN_EPARSE, "'%.40s' is not a decimal number", text);
    double x = strtod_l(text, NULL, c_locale());
    if (isinf(x)) return dpn_fail(why, DPN_EDOMAIN, "%.40s is too large for a double", text);
    if (x == 0 && !zero) return dpn_fail(why, DPN_EDOMAIN, "%.40s is too small for a double", text);
    *out = x;
    return DPN_OK;
}

/* "%.*g" */
static void print_digits(char text[DPN_NUMBER_SIZE], double x, int digits) {
    locale_t before = uselocale(c_locale());
    snprintf(text, DPN_NUMBER_SIZE, "%.*g", digits, x);
    uselocale(before);
}

/* Half a unit in the last place at a time, until rounding has gone the right way: twice at most, or ten times as often just
 * above a power of ten, where the unit is that below it. Where units are below the smallest double all the digits are
 * written. */
static char *print_toward(char text[DPN_NUMBER_SIZE], double x, int digits, int direction) {
    double half_unit = x != 0 ? 0.5 * pow(10, floor(log10(fabs(x)) - 1e-9) + 1 - digits) : 0;
    for (int i = 0; i <= 20 && isfinite(x); i++) {
        double read;
        print_digits(text, x + direction * i * half_unit, digits);
        if (!dpn_number_parse(&read, text, NULL) && direction * (read - x) >= 0) return text;
    }
    return dpn_number_print(text, x);
}

char *dpn_number_print_up(char text[DPN_NUMBER_SIZE], double x, int digits) {
    return print_toward(text, x, digits, 1);
}

char *dpn_number_print_down(char text[DPN_NUMBER_SIZE], double x, int digits) {
    return print_toward(text, x, digits, -1);
}
