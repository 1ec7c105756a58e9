/* A decimal number as it stands in a field: nothing is rounded. */
#ifndef DPN_TALLY_NUMERAL_H
#define DPN_TALLY_NUMERAL_H

#include "release/tally/short-digits.h"

#include <dpnoise/field.h>

/* |value| = lead 10^exponent; if there is more, it lies strictly between that and (lead + 1) 10^exponent. Of zero all is 0.
 * Exponents beyond 10^17 in size are cut to that. */
enum { DPN_NUMERAL_DIGITS = 18 };
extern const uint64_t dpn_tens[DPN_NUMERAL_DIGITS + 1]; /* 10^i */

typedef struct dpn_numeral {
    bool negative, more;
    uint64_t lead; /* below 10^18; with more, 18 digits */
    int64_t exponent;
    const char *digits,
        *end; /* if there is more: from the first digit of lead to the last that is not zero, with perhaps a
                                 point between */
} dpn_numeral;

typedef enum dpn_content {
    DPN_CONTENT_NUMBER,
    DPN_CONTENT_MISSING, /* NULL, empty or blank */
    DPN_CONTENT_OTHER,
} dpn_content;

/* [+-] digits [. digits] [e [+-] digits], with at least one digit before the exponent, in ASCII, between spaces and tabs. A
 * number of any size and length is one; "inf", "nan", "0x1p3" and "1,5" are none. *out is written for a number only, and points
 * into the text. */
dpn_content dpn_numeral_read_any(dpn_numeral *out, dpn_field field);

/* The sign of a - b, exactly, unless both exponents are cut. */
int dpn_numeral_compare_any(const dpn_numeral *a, const dpn_numeral *b);

/* The same. Numbers with equally many places, neither of them negative, are compared here. */
static inline int dpn_numeral_compare(const dpn_numeral *a, const dpn_numeral *b) {
    bool simple = a->exponent == b->exponent && !(a->negative | b->negative | a->more | b->more);
    return simple ? (a->lead > b->lead) - (a->lead < b->lead) : dpn_numeral_compare_any(a, b);
}

/* The same as dpn_numeral_read_any. Up to 18 characters with no exponent, which are most numbers, are read here. */
static inline dpn_content dpn_numeral_read(dpn_numeral *out, dpn_field field) {
    uint64_t lead;
    int places;
    if (!field.text || field.length - 1 >= DPN_NUMERAL_DIGITS) return dpn_numeral_read_any(out, field);
    bool negative = *field.text == '-';
    if (!dpn_short_digits(&lead, &places, field.text + negative, field.length - negative))
        return dpn_numeral_read_any(out, field);
    *out = (dpn_numeral){.negative = negative && lead > 0, .lead = lead, .exponent = lead > 0 ? -places : 0};
    return DPN_CONTENT_NUMBER;
}

#endif
