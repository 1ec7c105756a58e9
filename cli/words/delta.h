/* A delta for people: its upper end is never rounded down, its lower end never up. */
#ifndef DPNOISE_CLI_WORDS_DELTA_H
#define DPNOISE_CLI_WORDS_DELTA_H

#include <dpnoise/privacy.h>

enum { DELTA_SIZE = 64 };

/* With that many digits, or where the digits of a double end as a power of ten.
 * Returns  text. */
char *delta_print_upper(char text[DELTA_SIZE], const dpn_delta *delta, int digits);
char *delta_print_lower(char text[DELTA_SIZE], const dpn_delta *delta, int digits);

#endif
