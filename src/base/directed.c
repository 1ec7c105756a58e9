/* Decimal texts and doubles, compared exactly, and the doubles on either side of a decimal. */
#include "base/digits.h"

#include <dpnoise/number.h>
#include <math.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* An exponent, cut to 10^9: far beyond, the size no longer matters. */
static long read_exponent(const char *s) {
    bool negative = *s == '-';
    long exponent = 0;
    for (s += *s == '-' || *s == '+'; is_digit(*s); s++)
        if (exponent < 100000000) exponent = 10 * exponent + (*s - '0');
    return negative ? -exponent : exponent;
}

dpn_digits dpn_digits_read(const char *text) {
    dpn_digits out = {.negative = *text == '-'};
    const char *s = text + (*text == '-' || *text == '+');
    bool after_point = false;
    for (; is_digit(*s) || *s == '.'; s++) {
        if (*s == '.') {
            after_point = true;
            continue;
        }
        if (!out.next && *s != '0') out.next = s;
        if (out.next && !after_point) out.exponent++;
        if (!out.next && after_point) out.exponent--;
    }
    if (!out.next) return (dpn_digits){.next = ""};
    if (*s == 'e' || *s == 'E') out.exponent += read_exponent(s + 1);
    return out;
}

char dpn_digits_take(dpn_digits *digits) {
    if (*digits->next == '.') digits->next++;
    return is_digit(*digits->next) ? *digits->next++ : '\0';
}

static bool is_zero(const dpn_digits *digits) {
    return !is_digit(*digits->next);
}

static int compare_size(dpn_digits a, dpn_digits b) {
    if (is_zero(&a) || is_zero(&b)) return !is_zero(&a) - !is_zero(&b);
    if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
    for (;;) {
        char x = dpn_digits_take(&a), y = dpn_digits_take(&b);
        if (!x && !y) return 0;
        /* A number that has ended goes on with zeros. */
        int difference = (x ? x : '0') - (y ? y : '0');
        if (difference) return difference < 0 ? -1 : 1;
    }
}

/* Append digits from s on; may wrap, when there are more than 17. Returns where they end. */
static const char *take_few(dpn_shortest *few, const char *s) {
    const char *start = s;
    for (; is_digit(*s); s++) few->digits = 10 * few->digits + (uint64_t)(*s - '0');
    few->count += (int)(s - start);
    return s;
}

static const char *skip_zeros(const char *s) {
    while (*s == '0') s++;
    return s;
}

/* Read [+-] up to 3 digits and nothing after them, and add them to the exponent. */
static bool take_exponent(dpn_shortest *few, const char *s) {
    bool minus = *s == '-';
    s += minus || *s == '+';
    const char *first = s;
    int size = 0;
    for (; is_digit(*s) && s < first + 3; s++) size = 10 * size + (*s - '0');
    few->exponent += minus ? -size : size;
    return s > first && !*s;
}

bool dpn_number_few(dpn_shortest *out, bool *negative, const char *text) {
    dpn_shortest few = {0};
    bool below = *text == '-';
    const char *s = take_few(&few, skip_zeros(text + below));
    few.exponent = few.count - 1;
    if (*s == '.') {
        const char *first = few.count > 0 ? s + 1 : skip_zeros(s + 1);
        few.exponent -= (int)(first - (s + 1));
        s = take_few(&few, first);
    }
    if (few.count == 0 || few.count > 17) return false;
    if (*s == 'e' || *s == 'E' ? !take_exponent(&few, s + 1) : *s) return false;
    *out = few;
    *negative = below;
    return true;
}

int dpn_number_compare(const char *text, double x) {
    int sign;
    bool negative;
    dpn_shortest few;
    if (isinf(x)) return x > 0 ? -1 : 1;
    /* Most texts have few digits: those need no expansion. */
    if (dpn_number_few(&few, &negative, text) && negative == (x < 0) && dpn_shortest_compare(&sign, &few, fabs(x)))
        return negative ? -sign : sign;
    dpn_digits a = dpn_digits_read(text);
    char expansion[DPN_EXPANSION_SIZE];
    dpn_number_expand(expansion, x);
    dpn_digits b = dpn_digits_read(expansion);
    if (a.negative != b.negative && !is_zero(&a) && !is_zero(&b)) return a.negative ? -1 : 1;
    int size = compare_size(a, b);
    return a.negative || b.negative ? -size : size;
}

dpn_status dpn_number_parse_down(double *out, const char *text, dpn_error *why) {
    double x;
    dpn_status status = dpn_number_parse(&x, text, why);
    if (!status) *out = dpn_number_compare(text, x) < 0 ? nextafter(x, -INFINITY) : x;
    return status;
}

dpn_status dpn_number_parse_up(double *out, const char *text, dpn_error *why) {
    double x;
    dpn_status status = dpn_number_parse(&x, text, why);
    if (!status) *out = dpn_number_compare(text, x) > 0 ? nextafter(x, INFINITY) : x;
    return status;
}
