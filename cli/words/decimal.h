/* Doubles for people: fewer digits than it takes to write them out, rounded in a known direction. */
#ifndef DPNOISE_CLI_WORDS_DECIMAL_H
#define DPNOISE_CLI_WORDS_DECIMAL_H

#include <dpnoise/number.h>

/* Write x >= 0 with that many significant digits, at most 15, as by %g, but never rounded down (up): the double that
 * is read back is at least (at most) x. Infinity is written infinity.
 * Returns  text. */
char *decimal_print_up(char text[DPN_NUMBER_SIZE], double x, int digits);
char *decimal_print_down(char text[DPN_NUMBER_SIZE], double x, int digits);

#endif
