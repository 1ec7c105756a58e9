/* dpnoise/decimal.h - exact decimals: what a privacy budget is counted in.
 *
 * epsilon and delta are decimal numbers to the people who write them, and few decimals are doubles: ten charges of the
 * double nearest to 0.1 do not sum to 1. A dpn_decimal is a non-negative decimal with up to 45 digits before the point
 * and 405 after it, stored digit by digit, so that sums, differences and comparisons are exact. It is a plain value:
 * copy it, put it in arrays; it owns nothing, and zero-initialised it is 0.
 *
 * Example
 *     dpn_decimal charge, total = {{0}};
 *     char text[DPN_DECIMAL_TEXT_SIZE];
 *     dpn_error why;
 *     if (dpn_decimal_parse(&charge, "0.1", &why)) return puts(why.sentence);
 *     for (int i = 0; i < 10; i++)
 *         if (dpn_decimal_add(&total, &total, &charge, &why)) return puts(why.sentence);
 *     puts(dpn_decimal_print(text, &total)); // 1
 */
#ifndef DPNOISE_DECIMAL_H
#define DPNOISE_DECIMAL_H

#include <dpnoise/status.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DPN_DECIMAL_WHOLE = 45, DPN_DECIMAL_FRACTION = 405, DPN_DECIMAL_LIMBS = 50 };

/* Nine digits a limb, the most significant first; the point is after the fifth limb. The member is private. */
typedef struct dpn_decimal {
    uint32_t limb[DPN_DECIMAL_LIMBS];
} dpn_decimal;

/* Read a decimal: digits with an optional point, an optional exponent, an optional plus sign; nothing before or after.
 * Result   exactly the number written: 0.10 is 1e-1.
 * Errors   DPN_EPARSE for text that is not a decimal number (empty, hexadecimal, inf, nan); DPN_EDOMAIN for a minus sign,
 *          and for a number with more digits than there is room for (1e45, 1e-406, 1e999999999): nothing is rounded. On
 *          error *out is not written, and why (if not NULL) says what is wrong. */
DPN_API DPN_MUST_CHECK dpn_status dpn_decimal_parse(dpn_decimal *out, const char *text, dpn_error *why);

/* Room for the longest text of a decimal, with its terminating zero. */
enum { DPN_DECIMAL_TEXT_SIZE = 464 };

/* Write the one text of this number: no superfluous zeros; 1e-5 to 1e15 written out, 1e-300 and 1.5e20 with an
 * exponent. Equal numbers have equal texts, and dpn_decimal_parse reads them back.
 * Returns  text. */
DPN_API char *dpn_decimal_print(char text[DPN_DECIMAL_TEXT_SIZE], const dpn_decimal *a);

/* Write all the digits of steps times 2^exponent, in the form above: how a number on a dyadic grid leaves.
 * Domain   -400 <= exponent <= 60.
 * Returns  text; NULL outside the domain. */
enum { DPN_STEPS_TEXT_SIZE = DPN_DECIMAL_TEXT_SIZE + 1 };
DPN_API char *dpn_steps_print(char text[DPN_STEPS_TEXT_SIZE], int64_t steps, int exponent);

/* The sign of a - b; whether a is 0. */
DPN_API int dpn_decimal_compare(const dpn_decimal *a, const dpn_decimal *b);
DPN_API bool dpn_decimal_is_zero(const dpn_decimal *a);

/* a + b and a - b, exactly; out may be a or b.
 * Errors   DPN_EDOMAIN if the sum reaches 1e45, if the difference is negative. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_decimal_add(dpn_decimal *out, const dpn_decimal *a, const dpn_decimal *b,
                                                  dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_decimal_subtract(dpn_decimal *out, const dpn_decimal *a, const dpn_decimal *b,
                                                       dpn_error *why);

/* The largest double not above a, the smallest not below it: exact. A budget that enters a calculation is rounded down,
 * a charge up. Below the smallest positive double lower is 0 and upper that double. */
DPN_API double dpn_decimal_lower(const dpn_decimal *a);
DPN_API double dpn_decimal_upper(const dpn_decimal *a);

/* The least decimal of 17 significant digits that is not below x: how a computed upper bound becomes a charge.
 * Domain   0 <= x < 1e45.
 * Errors   DPN_EDOMAIN. */
DPN_API DPN_MUST_CHECK dpn_status dpn_decimal_from_upper(dpn_decimal *out, double x, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
