/* A delta for people. */
#include "words/delta.h"

#include "words/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static char *print(char text[DELTA_SIZE], double value, double log_value, int digits, bool up) {
    char number[DPN_NUMBER_SIZE];
    double power = log_value / log(10), hundredths = up ? ceil(100 * power) : floor(100 * power);
    if (log_value == -INFINITY)
        snprintf(text, DELTA_SIZE, "0");
    else if (power > -290)
        snprintf(text, DELTA_SIZE, "%s",
                 up ? decimal_print_up(number, value, digits) : decimal_print_down(number, value, digits));
    else
        snprintf(text, DELTA_SIZE, "10^%.2f", hundredths / 100);
    return text;
}

char *delta_print_upper(char text[DELTA_SIZE], const dpn_delta *delta, int digits) {
    return print(text, delta->upper, delta->log_upper, digits, true);
}

char *delta_print_lower(char text[DELTA_SIZE], const dpn_delta *delta, int digits) {
    return print(text, delta->lower, delta->log_lower, digits, false);
}
