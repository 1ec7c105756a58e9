/* Decimal text to steps of a grid and back, against rational numbers in GMP. */
#include "base/dyadic.h"

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

/* ---- Rational numbers ---- */

/* The number that a text [-]digits[.digits][e[-]digits] writes. */
static void rational_from_text(mpq_t out, const char *text) {
    char digits[2000] = "", *end = digits;
    long exponent = 0;
    bool after_point = false;
    const char *s = text;
    for (; *s && *s != 'e'; s++) {
        if (*s == '.')
            after_point = true;
        else if (*s != '+')
            *end++ = *s;
        if (after_point && *s != '.') exponent--;
    }
    *end = '\0';
    if (*s == 'e') exponent += strtol(s + 1, NULL, 10);
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
    assert_int_equal(mpz_set_str(mpq_numref(out), digits, 10), 0);
    mpz_set_ui(mpq_denref(out), 1);
    if (exponent < 0)
        mpz_set(mpq_denref(out), power);
    else
        mpz_mul(mpq_numref(out), mpq_numref(out), power);
    mpq_canonicalize(out);
    mpz_clear(power);
}

static void scale(mpq_t x, int exponent) {
    if (exponent < 0)
        mpq_div_2exp(x, x, (unsigned long)-exponent);
    else
        mpq_mul_2exp(x, x, (unsigned long)exponent);
}

static void integer_from(mpz_t out, dpn_int128 n) {
    bool negative = n < 0;
    unsigned __int128 size = negative ? -(unsigned __int128)n : (unsigned __int128)n;
    uint64_t limb[2] = {(uint64_t)size, (uint64_t)(size >> 64)};
    mpz_import(out, 2, -1, sizeof *limb, 0, 0, limb);
    if (negative) mpz_neg(out, out);
}

/* floor(x/2^exponent + 1/2), from the definition. */
static void nearest(mpz_t out, const char *text, int exponent) {
    mpq_t x, half;
    mpq_inits(x, half, NULL);
    rational_from_text(x, text);
    scale(x, -exponent);
    mpq_set_ui(half, 1, 2);
    mpq_add(x, x, half);
    mpz_fdiv_q(out, mpq_numref(x), mpq_denref(x));
    mpq_clears(x, half, NULL);
}

static void expect_same(const char *text, int exponent) {
    dpn_int128 steps = 0;
    bool exact = false;
    dpn_error why;
    if (dpn_dyadic_nearest(&steps, &exact, text, exponent, &why)) fail_msg("%s: %s", text, why.sentence);
    mpz_t got, expected;
    mpz_inits(got, expected, NULL);
    integer_from(got, steps);
    nearest(expected, text, exponent);
    if (mpz_cmp(got, expected) != 0) fail_msg("%s on a grid of 2^%d", text, exponent);

    /* The printed text is the number of steps, exactly; and it is the text's own number exactly if `exact` says so. */
    char printed[DPN_DYADIC_TEXT_SIZE];
    dpn_dyadic_print(printed, steps, exponent);
    mpq_t x, back;
    mpq_inits(x, back, NULL);
    mpq_set_z(x, got);
    scale(x, exponent);
    rational_from_text(back, printed);
    if (!mpq_equal(x, back)) fail_msg("%s on a grid of 2^%d is printed as %s", text, exponent, printed);
    rational_from_text(x, text);
    assert_true((mpq_equal(x, back) != 0) == exact);
    /* There is one text for a number, whichever way it is written. */
    dpn_decimal same;
    char canonical[DPN_DECIMAL_TEXT_SIZE];
    assert_int_equal(dpn_decimal_parse(&same, printed + (*printed == '-'), NULL), DPN_OK);
    assert_string_equal(dpn_decimal_print(canonical, &same), printed + (*printed == '-'));
    mpq_clears(x, back, NULL);
    mpz_clears(got, expected, NULL);
}

/* ---- Cases ---- */

static void rounded_and_printed_by_hand(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int exponent;
        const char *printed;
    } cases[] = {
        {"0", 0, "0"},          {"-0", -3, "0"},
        {"0.5", 0, "1"},        {"-0.5", 0, "0"},
        {"1.5", 0, "2"},        {"-1.5", 0, "-1"},
        {"2.5", 0, "3"},        {"0.4999999999999999999999", 0, "0"},
        {"3", -2, "3"},         {"0.1", -4, "0.125"},
        {"-0.1", -4, "-0.125"}, {"5", 2, "4"},
        {"6", 2, "8"},          {"-6", 2, "-4"},
        {"-6.0001", 2, "-8"},   {"1e3", 3, "1000"},
        {"-1e-300", 0, "0"},    {"1e22", 60, "1.0000441130959790669824e22"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_int128 steps;
        char text[DPN_DYADIC_TEXT_SIZE];
        assert_int_equal(dpn_dyadic_nearest(&steps, NULL, cases[i].text, cases[i].exponent, NULL), DPN_OK);
        assert_string_equal(dpn_dyadic_print(text, steps, cases[i].exponent), cases[i].printed);
        expect_same(cases[i].text, cases[i].exponent);
    }
}

static void nonsense_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int exponent;
        dpn_status status;
    } bad[] = {
        {NULL, 0, DPN_EPARSE},
        {"", 0, DPN_EPARSE},
        {"-", 0, DPN_EPARSE},
        {"--1", 0, DPN_EPARSE},
        {"-+1", 0, DPN_EPARSE},
        {"nan", 0, DPN_EPARSE},
        {"-inf", 0, DPN_EPARSE},
        {"0x10", 0, DPN_EPARSE},
        {"1 2", 0, DPN_EPARSE},
        {"1e45", 0, DPN_EDOMAIN},
        {"-1e999999999", 0, DPN_EDOMAIN},
        {"1e-406", 0, DPN_EDOMAIN},
        {"1e37", 0, DPN_EDOMAIN},
        {"1e40", 20, DPN_EDOMAIN},
        {"2e38", 60, DPN_EDOMAIN},
        {"1e30", -40, DPN_EDOMAIN},
        {"1e-80", -400, DPN_EDOMAIN},
        {"1e99999999999999999999", 60, DPN_EDOMAIN},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_int128 steps = 7;
        dpn_error why = {0};
        if (dpn_dyadic_nearest(&steps, NULL, bad[i].text, bad[i].exponent, &why) != bad[i].status)
            fail_msg("'%s' on a grid of 2^%d", bad[i].text, bad[i].exponent);
        assert_true(steps == 7 && why.sentence[0]);
    }
}

/* Ties, neighbours of ties, and what lies between, of all sizes. */
static void agrees_with_rational_numbers(void **state) {
    (void)state;
    draw_source source = {20261116};
    for (int i = 0; i < 20000; i++) {
        int exponent = DPN_DYADIC_LEAST + (int)(draw_bits(&source) % (DPN_DYADIC_MOST - DPN_DYADIC_LEAST + 1));
        if (i % 2) exponent = (int)(draw_bits(&source) % 61) - 40;
        char text[DPN_DYADIC_TEXT_SIZE + 4];
        int bits = (int)(draw_bits(&source) % (exponent > 0 ? 60 : 100));
        dpn_int128 steps = (dpn_int128)(draw_bits(&source) >> 1) + ((dpn_int128)(draw_bits(&source) >> 28) << 63);
        steps &= ((dpn_int128)1 << bits) - 1;
        if (draw_chance(&source, 0.5)) steps = -steps;
        if (exponent > DPN_DYADIC_LEAST) exponent--; /* half steps of the grid that is used below */
        dpn_dyadic_print(text, steps, exponent);
        if (draw_chance(&source, 0.3) && !strpbrk(text, "e") && strchr(text, '.')) strcat(text, "001");
        expect_same(text, exponent);
        if (exponent < DPN_DYADIC_MOST) expect_same(text, exponent + 1);
        if (exponent < DPN_DYADIC_MOST - 7) expect_same(text, exponent + 7);
    }
}

/* The rule for ties commutes with whole steps, so that sensitivities in steps are those of the header. */
static void moves_of_whole_steps_stay_whole(void **state) {
    (void)state;
    for (int quarter = -40; quarter <= 40; quarter++)
        for (int move = 0; move <= 12; move++) { /* in quarters of a step of 1 */
            char text[32];
            dpn_int128 a, b;
            snprintf(text, sizeof text, "%.2f", quarter / 4.0);
            assert_int_equal(dpn_dyadic_nearest(&a, NULL, text, 0, NULL), DPN_OK);
            snprintf(text, sizeof text, "%.2f", (quarter + move) / 4.0);
            assert_int_equal(dpn_dyadic_nearest(&b, NULL, text, 0, NULL), DPN_OK);
            assert_true(b - a >= 0 && b - a <= (move + 3) / 4);
        }
}

/* Where the two ways of writing meet: powers of ten from 1e-5 to 1e16 and the steps on either side. */
static void short_and_long_texts(void **state) {
    (void)state;
    static const char *const powers[] = {"1e-6", "1e-5", "0.0001",           "1",   "10",
                                         "1e15", "1e16", "9999999999999999", "1e17"};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        for (int exponent = -62; exponent <= 1; exponent++) {
            dpn_int128 at;
            assert_int_equal(dpn_dyadic_nearest(&at, NULL, powers[i], exponent, NULL), DPN_OK);
            for (dpn_int128 steps = at - 2; steps <= at + 2; steps++) {
                char text[DPN_DYADIC_TEXT_SIZE];
                expect_same(dpn_dyadic_print(text, steps, exponent), exponent);
                expect_same(dpn_dyadic_print(text, -steps, exponent), exponent);
            }
        }
    char text[DPN_STEPS_TEXT_SIZE];
    assert_string_equal(dpn_steps_print(text, INT64_MIN, 0), "-9.223372036854775808e18");
    assert_string_equal(dpn_steps_print(text, -3, -2), "-0.75");
    assert_null(dpn_steps_print(text, 1, 61));
    assert_null(dpn_steps_print(text, 1, -401));
}

/* The largest numbers, and as many steps more. */
static void limits(void **state) {
    (void)state;
    for (int exponent = DPN_DYADIC_LEAST; exponent <= DPN_DYADIC_MOST; exponent++) {
        dpn_int128 limit = dpn_dyadic_limit(exponent);
        assert_true(limit >= (dpn_int128)1 << 67);
        for (int sign = -1; sign <= 1; sign += 2) {
            char text[DPN_DYADIC_TEXT_SIZE];
            mpq_t x, back;
            mpz_t n;
            mpq_inits(x, back, NULL);
            mpz_init(n);
            dpn_dyadic_print(text, 2 * sign * limit, exponent);
            integer_from(n, 2 * sign * limit);
            mpq_set_z(x, n);
            scale(x, exponent);
            rational_from_text(back, text);
            assert_true(mpq_equal(x, back));
            dpn_int128 steps;
            assert_int_equal(dpn_dyadic_nearest(&steps, NULL, text, exponent, NULL), DPN_EDOMAIN);
            dpn_dyadic_print(text, sign * (limit - 1) / 2, exponent);
            expect_same(text, exponent);
            mpq_clears(x, back, NULL);
            mpz_clear(n);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounded_and_printed_by_hand),  cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(agrees_with_rational_numbers), cmocka_unit_test(moves_of_whole_steps_stay_whole),
        cmocka_unit_test(short_and_long_texts),         cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
