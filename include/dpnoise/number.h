/* dpnoise/number.h - numbers as text.
 *
 * Reading and writing never depend on the locale of the process, and every finite double survives the round trip.
 */
#ifndef DPNOISE_NUMBER_H
#define DPNOISE_NUMBER_H

#include <dpnoise/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Room for the longest text that dpn_number_print writes, with its terminating zero. */
enum { DPN_NUMBER_SIZE = 32 };

/* Write the fewest significant digits that read back to the same double: "0.1", "1000000", "1e-300", "-0"; powers of
 * ten from 1e-5 to 1e15 are written out; "inf", "-inf", "nan".
 * Returns  text. */
DPN_API char *dpn_number_print(char text[DPN_NUMBER_SIZE], double x);

/* The same with at most N significant digits, 1 to 17, rounded in a known direction: a text that reads as a double not below x
 * (up), or not above it (down). All digits are written where N are too few to tell neighbouring doubles apart.
 * Returns  text.
 */
DPN_API char *dpn_number_print_up(char text[DPN_NUMBER_SIZE], double x, int digits);
DPN_API char *dpn_number_print_down(char text[DPN_NUMBER_SIZE], double x, int digits);

/* Read one finite decimal number: an optional sign, digits with an optional point, an optional exponent; nothing before
 * or after it. Hexadecimal, "inf" and "nan" are refused, and so is a number too large for a double (1e400) or one
 * that is not zero and rounds to zero (1e-400).
 * Result   the double nearest to the text.
 * Errors   DPN_EPARSE for text that is not a number, DPN_EDOMAIN for one that no double holds. On error *out is not
 *          written, and why (if not NULL) says what is wrong. */
DPN_API DPN_MUST_CHECK dpn_status dpn_number_parse(double *out, const char *text, dpn_error *why);

/* The same, rounded in a known direction: few decimals are doubles, and a guarantee must know on which side its double
 * lies.
 * Result   the largest double not above the text (down), the smallest not below it (up): exact.
 * Errors   as dpn_number_parse. */
DPN_API DPN_MUST_CHECK dpn_status dpn_number_parse_down(double *out, const char *text, dpn_error *why);
DPN_API DPN_MUST_CHECK dpn_status dpn_number_parse_up(double *out, const char *text, dpn_error *why);

/* The sign of text - x, exactly.
 * Domain   text that dpn_number_parse understands, of any size and length; x not NaN. */
DPN_API int dpn_number_compare(const char *text, double x);

#ifdef __cplusplus
}
#endif

#endif
