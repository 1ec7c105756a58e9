/* Numbers as text, against the digits that printf writes and strtod reads, one more at a time until they read back. */
#include "base/digits.h"

#include "reference/draw.h"

#include <dpnoise/number.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void print_by_trying(char text[64], double x) {
    int digits = 0;
    do snprintf(text, 64, "%.*e", digits++, x);
    while (strtod(text, NULL) != x);
    long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);
    if (exponent >= -5 && exponent < 16)
        snprintf(text, 64, "%.*f", digits - 1 > exponent ? digits - 1 - (int)exponent : 0, x);
}

static void check(double x) {
    char text[DPN_NUMBER_SIZE], tried[64];
    if (!isfinite(x)) return;
    print_by_trying(tried, x);
    assert_string_equal(dpn_number_print(text, x), tried);
}

/* A number and its neighbours, on both sides of zero. */
static void check_around(double x) {
    double up = x, down = x;
    for (int i = 0; i < 4; i++) {
        check(up);
        check(-down);
        up = nextafter(up, INFINITY);
        down = nextafter(down, -INFINITY);
    }
}

static double any_bits(draw_source *source) {
    uint64_t bits = draw_bits(source);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void numbers_of_all_sizes(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 15000; i++) {
        check(any_bits(&source));
        check(ldexp((double)(draw_bits(&source) >> 11), -(int)(draw_bits(&source) % 170)));
        check(ldexp((double)(draw_bits(&source) >> (11 + draw_bits(&source) % 52)), -(int)(draw_bits(&source) % 120)));
        check((double)(draw_bits(&source) >> draw_bits(&source) % 64));
    }
    for (int i = 0; i < 20000; i++) {
        check(i);
        check(i / 8.0);
        check(i / 1000.0);
    }
    check(0.0);
    check(-0.0);
}

/* Where the number of digits changes: doubles near short decimals, near powers of two, near the ends of the quick way. */
static void numbers_next_to_short_ones(void **state) {
    (void)state;
    draw_source source = {2};
    char text[64];
    for (int i = 0; i < 8000; i++) {
        double x = ldexp((double)(draw_bits(&source) >> 11), -(int)(draw_bits(&source) % 170));
        snprintf(text, sizeof text, "%.*e", (int)(draw_bits(&source) % 17), x);
        check_around(strtod(text, NULL));
    }
    for (int exponent = -323; exponent < 309; exponent++) {
        snprintf(text, sizeof text, "1e%d", exponent);
        check_around(strtod(text, NULL));
        snprintf(text, sizeof text, "9.5e%d", exponent);
        check_around(strtod(text, NULL));
    }
    for (int exponent = -1074; exponent < 1024; exponent++) check_around(ldexp(1, exponent));
}

/* All the digits, and not a digit less. */
static void expansions_are_complete(void **state) {
    (void)state;
    draw_source source = {3};
    for (int i = 0; i < 20000; i++) {
        double x = i < 2098 ? ldexp(1 + (i % 2) * 0x1p-52, i - 1074) : any_bits(&source);
        char text[DPN_EXPANSION_SIZE], all[900];
        if (!isfinite(x)) continue;
        dpn_number_expand(text, x);
        snprintf(all, sizeof all, "%.800e", x);
        char *end = strchr(text, 'e'), *end_of_all = strchr(all, 'e');
        assert_string_equal(end, end_of_all);
        size_t digits = (size_t)(end - text);
        assert_memory_equal(text, all, digits);
        assert_int_equal(strspn(all + digits, "0"), end_of_all - all - (long)digits);
    }
}

/* Few digits are compared with whole numbers, many with the expansion; zeros make few digits many. */
static void check_compare(const char *text, double x) {
    char many[200];
    const char *e = strchr(text, 'e');
    snprintf(many, sizeof many, "%.*s%s%020d%s", (int)(e - text), text, strchr(text, '.') ? "" : ".", 0, e);
    int sign = dpn_number_compare(text, x);
    assert_int_equal(sign, dpn_number_compare(many, x));
    double read = strtod(text, NULL);
    if (read != x) assert_int_equal(sign, read < x ? -1 : 1);
}

static void few_digits_compare_as_many_do(void **state) {
    (void)state;
    draw_source source = {4};
    char text[64];
    int equal = 0, different = 0;
    for (int i = 0; i < 30000; i++) {
        uint64_t bits = draw_bits(&source) >> (11 + draw_bits(&source) % 53);
        double x = ldexp((double)bits, i % 3 ? -(int)(draw_bits(&source) % 60) : -(int)(draw_bits(&source) % 170));
        if (i % 5 == 0) x = -x;
        snprintf(text, sizeof text, "%.*e", (int)(draw_bits(&source) % 17), x);
        check_compare(text, x);
        check_compare(text, nextafter(x, INFINITY));
        check_compare(text, nextafter(x, -INFINITY));
        check_compare(text, -x);
        check_compare(text, 10 * x);
        *(dpn_number_compare(text, x) ? &different : &equal) += 1;
    }
    assert_true(equal > 1000 && different > 1000);
}

/* The quick way to read few digits, against strtod: decimals of all lengths near doubles of all sizes, and half-way between two. */
static void few_digits_read_as_strtod_does(void **state) {
    (void)state;
    draw_source source = {5};
    char text[64];
    int odd = 0;
    for (int i = 0; i < 20000; i++) {
        double x = ldexp((double)(draw_bits(&source) >> 11), -(int)(draw_bits(&source) % 175));
        if (i % 4 == 0) x = ldexp((double)(draw_bits(&source) >> (11 + draw_bits(&source) % 53)), i % 61 - 60);
        long double middle = ((long double)x + (long double)nextafter(x, INFINITY)) / 2;
        int places = i % 2 ? 16 : (int)(draw_bits(&source) % 17);
        snprintf(text, sizeof text, "%.*Le", places, i % 3 ? middle : (long double)x);
        double read = dpn_number_nearest(text);
        assert_true(read == strtod(text, NULL));
        odd += read != x;
        snprintf(text, sizeof text, "-%.*Lf", (int)(draw_bits(&source) % 12), (long double)x);
        assert_true(dpn_number_nearest(text) == strtod(text, NULL));
    }
    assert_true(odd > 3000);
    for (int exponent = -330; exponent < 310; exponent++) {
        static const char *const digits[] = {"1",    "2",     "9.9999999999999999", "1.0000000000000001",
                                             "00.5", "10000", "4.5035996273704960"};
        for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
            snprintf(text, sizeof text, "%se%d", digits[i], exponent);
            assert_true(dpn_number_nearest(text) == strtod(text, NULL));
        }
    }
}

static void few_digits_are_taken_in_one_pass(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t digits;
        int count, exponent;
    } few[] = {{"1", 1, 1, 0},
               {"-0.050", 50, 2, -2},
               {"00120.5e-3", 1205, 4, -1},
               {"5.", 5, 1, 0},
               {".5E+2", 5, 1, 1},
               {"12345678901234567", 12345678901234567, 17, 16},
               {"0.00012345678901234567e999", 12345678901234567, 17, 995}};
    static const char *const others[] = {"",      "-",      ".",    "0",     "0.0e5", "e5",  "1e",
                                         "1e+",   "1e1000", "1e5x", "1x",    "0x10",  "inf", "1..2",
                                         "1.2.3", "+1",     "--1",  "1e--5", " 1",    "1 ",  "123456789012345678"};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        dpn_shortest made = {0};
        bool negative = true;
        assert_true(dpn_number_few(&made, &negative, few[i].text));
        assert_true(made.digits == few[i].digits && made.count == few[i].count && made.exponent == few[i].exponent);
        assert_true(negative == (few[i].text[0] == '-'));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        dpn_shortest made = {.digits = 7};
        bool negative = true;
        assert_false(dpn_number_few(&made, &negative, others[i]));
        assert_true(made.digits == 7 && negative);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_all_sizes),           cmocka_unit_test(numbers_next_to_short_ones),
        cmocka_unit_test(expansions_are_complete),        cmocka_unit_test(few_digits_compare_as_many_do),
        cmocka_unit_test(few_digits_read_as_strtod_does), cmocka_unit_test(few_digits_are_taken_in_one_pass),
    };
    return cmocka_run_group_tests_name("base/number", tests, NULL, NULL);
}
