/* Multiples of a power of two, from decimal text and back, exactly. */
#ifndef DPN_BASE_DYADIC_H
#define DPN_BASE_DYADIC_H

#include <dpnoise/decimal.h>

__extension__ typedef __int128 dpn_int128;

/* The exponents for which every multiple of 2^exponent below the limit has a text. */
enum { DPN_DYADIC_LEAST = -400, DPN_DYADIC_MOST = 60 };

/* dpn_dyadic_nearest gives at most this number of steps of 2^exponent: 2^120, for exponents above 7 as many as make 2^127, and so
 * never less than 2^67. In the texts of dpn_dyadic_print there is room for as many more. */
dpn_int128 dpn_dyadic_limit(int exponent);

/* The whole number nearest to text/2^exponent; half way between two, the upper one. So x + n 2^exponent is n steps from x
 * for every x, and numbers that differ by at most n 2^exponent lie at most n steps apart: no other rule for ties does
 * that, neither to even nor away from zero.
 * Domain   an optional sign and what dpn_decimal_parse reads; DPN_DYADIC_LEAST <= exponent <= DPN_DYADIC_MOST.
 * Result   *exact (if not NULL) tells whether nothing was rounded.
 * Errors   DPN_EPARSE; DPN_EDOMAIN for a number beyond the limit or with more digits than a dpn_decimal holds, whatever
 *          its exponent, before anything is expanded. On error *out is not written. */
dpn_status dpn_dyadic_nearest(dpn_int128 *out, bool *exact, const char *text, int exponent, dpn_error *why);

/* All the digits of steps times 2^exponent, in the form of dpn_decimal_print. Returns text.
 * Domain   |steps| <= 2 dpn_dyadic_limit(exponent). */
enum { DPN_DYADIC_TEXT_SIZE = DPN_STEPS_TEXT_SIZE };
char *dpn_dyadic_print(char text[DPN_DYADIC_TEXT_SIZE], dpn_int128 steps, int exponent);

#endif
