/* The digits of a decimal text and of a double, for exact comparison. */
#ifndef DPN_BASE_DIGITS_H
#define DPN_BASE_DIGITS_H

#include "base/shortest.h"

/* A decimal number 0.d1d2d3... times 10^exponent with d1 > 0; zero has no digits. */
typedef struct dpn_digits {
    bool negative;
    const char *next; /* the next digit; a point between digits is passed over */
    long exponent;    /* at most 10^9 in size beyond what the digits themselves are long */
} dpn_digits;

/* Read a text that dpn_number_is_decimal accepts. */
dpn_digits dpn_digits_read(const char *text);

/* Take the next digit; a zero byte after the last one. */
char dpn_digits_take(dpn_digits *digits);

/* All the digits of a text, which may be no decimal at all, as one whole number: [-] digits [. digits] [e [+-] up to 3 digits], at most 17
 * digits from the first that is not 0, which there is. Else nothing is written.
 * Returns  whether it is one. */
bool dpn_number_few(dpn_shortest *out, bool *negative, const char *text);

/* [+-] digits [. digits] [e [+-] digits], with at least one digit before the exponent and nothing around it; *zero
 * tells whether all the digits of the significand are 0. */
bool dpn_number_is_decimal(const char *text, bool *zero);

/* The double nearest to a text of that form, 0 or infinity beyond their range; all the digits of a finite double as
 * such a text. Both whatever the locale of the process. */
double dpn_number_nearest(const char *text);
enum { DPN_EXPANSION_SIZE = 800 }; /* 767 digits write out every double */
void dpn_number_expand(char text[DPN_EXPANSION_SIZE], double x);

#endif
