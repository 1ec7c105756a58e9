#include "unit/release/rational.h"

#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether the text is a number; blanks around it are allowed. */
static bool is_number(const char *text) {
    static const char pattern[] = "^[ \t]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?[ \t]*$";
    static regex_t expression;
    static bool compiled;
    if (!compiled && regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB)) abort();
    compiled = true;
    return regexec(&expression, text, 0, NULL, 0) == 0;
}

rational_kind rational_read(mpq_t out, dpn_field field) {
    char text[2001], digits[2001];
    if (!field.text) return RATIONAL_MISSING;
    if (field.length > 2000) abort();
    memcpy(text, field.text, field.length);
    text[field.length] = '\0';
    if (strlen(text) != field.length) return RATIONAL_BAD; /* a zero byte */
    if (strspn(text, " \t") == field.length) return RATIONAL_MISSING;
    if (!is_number(text)) return RATIONAL_BAD;

    size_t count = 0;
    long exponent = 0;
    char *point = strchr(text, '.'), *power = strpbrk(text, "eE");
    for (char *s = text; *s && s != power; s++) {
        if (*s < '0' || *s > '9') continue;
        digits[count++] = *s;
        exponent -= point && s > point;
    }
    digits[count] = '\0';
    if (power) exponent += strtol(power + 1, NULL, 10);
    mpz_t tens;
    mpz_init(tens);
    mpz_ui_pow_ui(tens, 10, (unsigned long)labs(exponent));
    if (mpz_set_str(mpq_numref(out), digits, 10)) abort();
    mpz_set_ui(mpq_denref(out), 1);
    mpz_mul(exponent < 0 ? mpq_denref(out) : mpq_numref(out), exponent < 0 ? mpq_denref(out) : mpq_numref(out), tens);
    mpq_canonicalize(out);
    if (strchr(text, '-') && (!power || strchr(text, '-') < power)) mpq_neg(out, out);
    mpz_clear(tens);
    return RATIONAL_NUMBER;
}

/* floor(x + 1/2) */
static void nearest(mpz_t out, mpq_t x) {
    mpq_t half;
    mpq_init(half);
    mpq_set_ui(half, 1, 2);
    mpq_add(x, x, half);
    mpz_fdiv_q(out, mpq_numref(x), mpq_denref(x));
    mpq_clear(half);
}

int64_t rational_step(const mpq_t x, int exponent, int64_t lower, int64_t upper) {
    mpq_t scaled;
    mpz_t whole;
    mpq_init(scaled);
    mpz_init(whole);
    if (exponent < 0)
        mpq_mul_2exp(scaled, x, (mp_bitcnt_t)-exponent);
    else
        mpq_div_2exp(scaled, x, (mp_bitcnt_t)exponent);
    nearest(whole, scaled);
    int64_t steps = mpz_cmp_si(whole, lower) < 0 ? lower : mpz_cmp_si(whole, upper) > 0 ? upper : mpz_get_si(whole);
    mpq_clear(scaled);
    mpz_clear(whole);
    return steps;
}

int64_t rational_shift(int64_t a, int64_t b, int shift) {
    mpq_t product, other;
    mpz_t whole;
    mpq_inits(product, other, NULL);
    mpz_init(whole);
    mpq_set_si(product, a, 1);
    mpq_set_si(other, b, 1);
    mpq_mul(product, product, other);
    mpq_div_2exp(product, product, (mp_bitcnt_t)shift);
    nearest(whole, product);
    int64_t steps = mpz_get_si(whole);
    mpq_clears(product, other, NULL);
    mpz_clear(whole);
    return steps;
}
