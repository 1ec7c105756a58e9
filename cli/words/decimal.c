/* Doubles for people, rounded in a known direction. */
#include "words/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Half a unit in the last place at a time, until rounding has gone the right way: twice at most, or ten times as
 * often just above a power of ten, where the unit is that below it. Where units are below the smallest double all
 * the digits are written. */
static char *print_toward(char text[DPN_NUMBER_SIZE], double x, int digits, int direction) {
    if (isinf(x)) return strcpy(text, "infinity");
    double half_unit = x > 0 ? 0.5 * pow(10, floor(log10(x) - 1e-9) + 1 - digits) : 0;
    for (int i = 0; i <= 20; i++) {
        snprintf(text, DPN_NUMBER_SIZE, "%.*g", digits, x + direction * i * half_unit);
        double read;
        if (!dpn_number_parse(&read, text, NULL) && direction * (read - x) >= 0) return text;
    }
    return dpn_number_print(text, x);
}

char *decimal_print_up(char text[DPN_NUMBER_SIZE], double x, int digits) {
    return print_toward(text, x, digits, 1);
}

char *decimal_print_down(char text[DPN_NUMBER_SIZE], double x, int digits) {
    return print_toward(text, x, digits, -1);
}
