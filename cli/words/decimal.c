/* Doubles for people, rounded in a known direction. */
#include "words/decimal.h"

#include <math.h>
#include <string.h>

char *decimal_print_up(char text[DPN_NUMBER_SIZE], double x, int digits) {
    return isinf(x) ? strcpy(text, "infinity") : dpn_number_print_up(text, x, digits);
}

char *decimal_print_down(char text[DPN_NUMBER_SIZE], double x, int digits) {
    return isinf(x) ? strcpy(text, "infinity") : dpn_number_print_down(text, x, digits);
}
