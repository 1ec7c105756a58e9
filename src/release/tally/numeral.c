/* Decimal numbers of any length in fields, and their order. */
#include "release/tally/numeral.h"

const uint64_t dpn_tens[DPN_NUMERAL_DIGITS + 1] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
};

/* ---- Reading ---- */

static bool blank(char c) {
    return c == ' ' || c == '\t';
}

static bool digit(char c) {
    return c >= '0' && c <= '9';
}

/* The digits and the point from p on. Returns the end, NULL if there is no digit. */
static const char *read_significand(dpn_numeral *out, const char *p, const char *end) {
    bool any = false, point = false;
    for (int taken = 0; p < end && (digit(*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        any = true;
        if (taken < DPN_NUMERAL_DIGITS) {
            out->lead = 10 * out->lead + (uint64_t)(*p - '0');
            out->exponent -= point;
            taken += out->lead > 0;
            if (taken == 1 && !out->digits) out->digits = p;
        } else {
            out->more |= *p != '0';
            out->exponent += !point;
        }
        if (*p != '0') out->end = p + 1;
    }
    return any ? p : NULL;
}

/* Digits with a sign from p on, into *exponent. Returns the end, NULL if there is no digit. */
static const char *read_exponent(int64_t *exponent, const char *p, const char *end) {
    const int64_t most = 100000000000000000; /* 10^17 */
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    const char *first = p;
    int64_t size = 0;
    for (; p < end && digit(*p); p++) size = size < most ? 10 * size + (*p - '0') : size;
    if (size > most) size = most;
    *exponent = negative ? -size : size;
    return p == first ? NULL : p;
}

dpn_content dpn_numeral_read_any(dpn_numeral *out, dpn_field field) {
    if (!field.text) return DPN_CONTENT_MISSING;
    const char *p = field.text, *end = p + field.length;
    while (p < end && blank(*p)) p++;
    while (p < end && blank(end[-1])) end--;
    if (p == end) return DPN_CONTENT_MISSING;
    dpn_numeral read = {.negative = *p == '-'};
    if (*p == '-' || *p == '+') p++;
    p = read_significand(&read, p, end);
    int64_t exponent = 0;
    if (p && p < end && (*p == 'e' || *p == 'E')) p = read_exponent(&exponent, p + 1, end);
    if (p != end) return DPN_CONTENT_OTHER;
    read.exponent += exponent;
    if (!read.more) read.digits = read.end = NULL;
    *out = read.lead > 0 ? read : (dpn_numeral){0};
    return DPN_CONTENT_NUMBER;
}

/* ---- Order ---- */

enum { LEAD_TEXT = 20 };

/* The digits of a number that is not 0, as text with perhaps a point in it; the place of the first one is returned: |value|
 * lies in [10^(place-1), 10^place). `text` is room for the digits of the lead. */
static int64_t digits_of(const char **first, const char **end, char text[LEAD_TEXT], const dpn_numeral *a) {
    char *p = text + LEAD_TEXT; /* cppcheck-suppress ctuPointerArith ; the end of an array is a pointer, too */
    for (uint64_t lead = a->lead; lead > 0; lead /= 10) *--p = (char)('0' + lead % 10);
    *first = a->more ? a->digits : p;
    *end = a->more ? a->end : text + LEAD_TEXT;
    return a->exponent + (text + LEAD_TEXT - p);
}

/* The next digit, 0 after the last one. */
static char take(const char **p, const char *end) {
    if (*p < end && **p == '.') ++*p;
    return *p < end ? *(*p)++ : '0';
}

static int compare_by_digits(const dpn_numeral *a, const dpn_numeral *b) {
    char a_text[LEAD_TEXT], b_text[LEAD_TEXT];
    const char *p, *p_end, *q, *q_end;
    int64_t a_place = digits_of(&p, &p_end, a_text, a), b_place = digits_of(&q, &q_end, b_text, b);
    if (a_place != b_place) return a_place < b_place ? -1 : 1;
    while (p < p_end || q < q_end) {
        char c = take(&p, p_end), d = take(&q, q_end);
        if (c != d) return c < d ? -1 : 1;
    }
    return 0;
}

__extension__ typedef unsigned __int128 uint128;

/* The sign of |a| - |b|. Leads have 60 bits, and so has a power of ten up to 10^18. */
static int compare_sizes(const dpn_numeral *a, const dpn_numeral *b) {
    if (a->lead == 0 || b->lead == 0) return (a->lead > 0) - (b->lead > 0);
    int64_t shift = a->exponent - b->exponent;
    if (a->more || b->more || shift > DPN_NUMERAL_DIGITS || shift < -DPN_NUMERAL_DIGITS) return compare_by_digits(a, b);
    uint128 x = (uint128)a->lead * dpn_tens[shift > 0 ? shift : 0],
            y = (uint128)b->lead * dpn_tens[shift < 0 ? -shift : 0];
    return (x > y) - (x < y);
}

int dpn_numeral_compare_any(const dpn_numeral *a, const dpn_numeral *b) {
    if (a->negative != b->negative) return a->negative ? -1 : 1;
    int sizes = compare_sizes(a, b);
    return a->negative ? -sizes : sizes;
}
