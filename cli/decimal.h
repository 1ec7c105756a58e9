/* Decimal text and doubles, compared exactly: few decimals are doubles, and a guarantee must know on which side the
 * double lies. Text is what dpn_number_parse reads. */
#ifndef DPNOISE_CLI_DECIMAL_H
#define DPNOISE_CLI_DECIMAL_H

#include <dpnoise/number.h>

/* The sign of text - x, for finite x. */
int decimal_compare(const char *text, double x);

/* The largest double not above the text, the smallest not below it, given the double nearest to it. */
double decimal_not_above(const char *text, double nearest);
double decimal_not_below(const char *text, double nearest);

/* Write x >= 0 with that many significant digits, at most 15, as by %g, but never rounded down (up): the double that
 * is read back is at least (at most) x. Infinity is written infinity.
 * Returns  text. */
char *decimal_print_up(char text[DPN_NUMBER_SIZE], double x, int digits);
char *decimal_print_down(char text[DPN_NUMBER_SIZE], double x, int digits);

#endif
