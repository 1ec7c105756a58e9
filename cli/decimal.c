/* Decimal text and doubles, compared exactly. */
#include "decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A decimal number 0.d1d2d3... times 10^exponent with d1 > 0; zero has no digits. */
struct decimal {
    bool negative;
    const char *digit; /* the next one; a point between digits is passed over */
    long exponent;
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static struct decimal read_decimal(const char *text) {
    struct decimal out = {.negative = *text == '-'};
    const char *s = text + (*text == '-' || *text == '+');
    bool after_point = false;
    for (; is_digit(*s) || *s == '.'; s++) {
        if (*s == '.') {
            after_point = true;
            continue;
        }
        if (!out.digit && *s != '0') out.digit = s;
        if (out.digit && !after_point) out.exponent++;
        if (!out.digit && after_point) out.exponent--;
    }
    if (!out.digit) return (struct decimal){.digit = ""};
    /* The number fits a double, so its exponent is at most as long as its digits are many: it fits a long. */
    if (*s == 'e' || *s == 'E') out.exponent += strtol(s + 1, NULL, 10);
    return out;
}

static char next_digit(struct decimal *decimal) {
    if (*decimal->digit == '.') decimal->digit++;
    return is_digit(*decimal->digit) ? *decimal->digit++ : '\0';
}

static bool is_zero(const struct decimal *decimal) {
    return !is_digit(*decimal->digit);
}

static int compare_size(struct decimal a, struct decimal b) {
    if (is_zero(&a) || is_zero(&b)) return !is_zero(&a) - !is_zero(&b);
    if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
    for (;;) {
        char x = next_digit(&a), y = next_digit(&b);
        if (!x && !y) return 0;
        /* A number that has ended goes on with zeros. */
        int difference = (x ? x : '0') - (y ? y : '0');
        if (difference) return difference < 0 ? -1 : 1;
    }
}

int decimal_compare(const char *text, double x) {
    char expansion[800]; /* 767 digits write out every double */
    snprintf(expansion, sizeof expansion, "%.770e", x);
    struct decimal a = read_decimal(text), b = read_decimal(expansion);
    if (a.negative != b.negative && !is_zero(&a) && !is_zero(&b)) return a.negative ? -1 : 1;
    int size = compare_size(a, b);
    return a.negative || b.negative ? -size : size;
}

double decimal_not_above(const char *text, double nearest) {
    return decimal_compare(text, nearest) < 0 ? nextafter(nearest, -INFINITY) : nearest;
}

double decimal_not_below(const char *text, double nearest) {
    return decimal_compare(text, nearest) > 0 ? nextafter(nearest, INFINITY) : nearest;
}

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
