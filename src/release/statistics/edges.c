/* The candidates of a quantile for which none are declared. */
#include "release/statistics/edges.h"

#include "base/dyadic.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 30, TEXT_SIZE = 64 };

/* mantissa times 10^exponent. */
struct scaled {
    dpn_int128 mantissa;
    long exponent;
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static dpn_status parse(struct scaled *out, const char *text, dpn_error *why) {
    dpn_decimal checked; /* the one judge of what a decimal is */
    bool negative = text[0] == '-';
    dpn_status status = dpn_decimal_parse(&checked, negative ? text + 1 : text, why);
    if (status) return status;
    struct scaled made = {0, 0};
    bool point = false;
    const char *at = text + (negative || text[0] == '+');
    int digits = 0;
    for (; is_digit(*at) || *at == '.'; at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        digits += digits > 0 || *at != '0';
        if (digits > DIGITS) return dpn_fail(why, DPN_EDOMAIN, "'%.40s' has too many digits: give edges", text);
        made.mantissa = made.mantissa * 10 + (*at - '0');
        made.exponent -= point;
    }
    if (*at) made.exponent += strtol(at + 1, NULL, 10);
    if (negative) made.mantissa = -made.mantissa;
    *out = made;
    return DPN_OK;
}

/* Bring a number to a smaller exponent. */
static dpn_status lower_exponent(struct scaled *number, long exponent, dpn_error *why) {
    const dpn_int128 most = (dpn_int128)1 << 100;
    for (; number->exponent > exponent; number->exponent--) {
        if (number->mantissa > most / 10 || number->mantissa < -most / 10)
            return dpn_fail(why, DPN_EDOMAIN, "the bounds of the quantile have too many digits: give edges");
        number->mantissa *= 10;
    }
    return DPN_OK;
}

/* mantissa times 10^exponent without superfluous zeros. */
static char *print(dpn_int128 mantissa, long exponent) {
    char digits[TEXT_SIZE], *at = digits + sizeof digits - 1, *text;
    bool negative = mantissa < 0;
    while (mantissa != 0 && mantissa % 10 == 0) {
        mantissa /= 10;
        exponent++;
    }
    if (mantissa == 0) exponent = 0;
    *at = '\0';
    do {
        int digit = (int)(mantissa % 10);
        *--at = (char)('0' + (digit < 0 ? -digit : digit));
        mantissa /= 10;
    } while (mantissa != 0);
    size_t length = strlen(at), size = length + 32 + (size_t)(exponent > -40 && exponent < 40 ? labs(exponent) : 0);
    if (!(text = malloc(size))) return NULL;
    const char *sign = negative ? "-" : "";
    if (exponent == 0)
        snprintf(text, size, "%s%s", sign, at);
    else if (exponent > 0 && exponent < 16)
        snprintf(text, size, "%s%s%0*d", sign, at, (int)exponent, 0);
    else if (exponent < 0 && (size_t)-exponent < length)
        snprintf(text, size, "%s%.*s.%s", sign, (int)(length - (size_t)-exponent), at, at + length - (size_t)-exponent);
    else if (exponent < 0 && -exponent < 30)
        snprintf(text, size, "%s0.%.*s%s", sign, (int)(-exponent - (long)length), "000000000000000000000000000000", at);
    else
        snprintf(text, size, "%s%se%ld", sign, at, exponent);
    return text;
}

dpn_status dpn_edges_make(char ***edge, size_t *edges, const char *lower, const char *upper, dpn_error *why) {
    struct scaled low, high;
    dpn_status status = parse(&low, lower, why);
    if (!status) status = parse(&high, upper, why);
    if (status) return status;
    long least = low.exponent < high.exponent ? low.exponent : high.exponent;
    status = lower_exponent(&low, least, why);
    if (!status) status = lower_exponent(&high, least, why);
    if (status) return status;
    if (low.mantissa >= high.mantissa)
        return dpn_fail(why, DPN_EDOMAIN, "the bound %.40s is not below %.40s", lower, upper);
    char **made = calloc(DPN_EDGES_STEPS + 2, sizeof *made);
    bool whole = made != NULL;
    for (int i = 0; i <= DPN_EDGES_STEPS && whole; i++) {
        dpn_int128 at = low.mantissa * DPN_EDGES_STEPS + i * (high.mantissa - low.mantissa);
        whole = (made[i] = print(at, least - 3)) != NULL;
    }
    if (!whole) {
        for (int i = 0; made && i <= DPN_EDGES_STEPS; i++) free(made[i]);
        free(made);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the edges");
    }
    *edge = made;
    *edges = DPN_EDGES_STEPS + 1;
    return DPN_OK;
}
