/* Exact decimals against schoolbook arithmetic on rows of digits, and their doubles against MPFR. */
#include <dpnoise/decimal.h>
#include <dpnoise/number.h>

#include "base/decimal.h"
#include "reference/draw.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

enum { WHOLE = 45, PLACES = 450 };

static dpn_decimal read(const char *text) {
    dpn_decimal out;
    dpn_error why;
    if (dpn_decimal_parse(&out, text, &why)) fail_msg("%s: %s", text, why.sentence);
    return out;
}

static void expect_text(const dpn_decimal *a, const char *expected) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    assert_string_equal(dpn_decimal_print(text, a), expected);
}

static void one_text_for_each_number(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"0", "0"},
        {"0.000e5", "0"},
        {"+00.10", "0.1"},
        {"1e-1", "0.1"},
        {".5", "0.5"},
        {"5.", "5"},
        {"100E-2", "1"},
        {"1e-5", "0.00001"},
        {"0.000001", "1e-6"},
        {"1.25e-300", "1.25e-300"},
        {"1e15", "1000000000000000"},
        {"12345678901234567", "1.2345678901234567e16"},
        {"999999999.999999999", "999999999.999999999"},
        {"1e44", "1e44"},
        {"1e-405", "1e-405"},
        {"0.0e999999999999999999999", "0"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        dpn_decimal a = read(pairs[i][0]), b = read(pairs[i][1]);
        expect_text(&a, pairs[i][1]);
        assert_int_equal(dpn_decimal_compare(&a, &b), 0);
    }
}

static void nonsense_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        dpn_status status;
    } bad[] = {
        {"", DPN_EPARSE},
        {"nan", DPN_EPARSE},
        {"inf", DPN_EPARSE},
        {"0x1p3", DPN_EPARSE},
        {"1 ", DPN_EPARSE},
        {" 1", DPN_EPARSE},
        {"1,5", DPN_EPARSE},
        {"1e", DPN_EPARSE},
        {".", DPN_EPARSE},
        {"-1", DPN_EDOMAIN},
        {"-0", DPN_EDOMAIN},
        {"1e45", DPN_EDOMAIN},
        {"1e-406", DPN_EDOMAIN},
        {"1e400", DPN_EDOMAIN},
        {"1e999999999", DPN_EDOMAIN},
        {"1e-999999999", DPN_EDOMAIN},
        {"1e99999999999999999999999999", DPN_EDOMAIN},
        {NULL, DPN_EPARSE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_decimal out = read("7");
        dpn_error why = {DPN_OK, ""};
        if (dpn_decimal_parse(&out, bad[i].text, &why) != bad[i].status) fail_msg("'%s' was not refused", bad[i].text);
        assert_true(why.status == bad[i].status && why.sentence[0]);
        expect_text(&out, "7");
    }
}

static void ten_tenths_are_one(void **state) {
    (void)state;
    dpn_decimal sum = {{0}}, tenth = read("0.1"), one = read("1");
    for (int i = 0; i < 10; i++) assert_int_equal(dpn_decimal_add(&sum, &sum, &tenth, NULL), DPN_OK);
    assert_int_equal(dpn_decimal_compare(&sum, &one), 0);
    for (int i = 0; i < 10; i++) assert_int_equal(dpn_decimal_subtract(&sum, &sum, &tenth, NULL), DPN_OK);
    assert_true(dpn_decimal_is_zero(&sum));
}

static void limits_of_sums(void **state) {
    (void)state;
    dpn_decimal most = read("999999999999999999999999999999999999999999999"), one = read("1"), least = read("1e-405");
    dpn_decimal out = read("7");
    assert_int_equal(dpn_decimal_add(&out, &most, &one, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_decimal_subtract(&out, &one, &most, NULL), DPN_EDOMAIN);
    dpn_decimal zero = {{0}};
    assert_int_equal(dpn_decimal_subtract(&out, &zero, &least, NULL), DPN_EDOMAIN);
    expect_text(&out, "7");
    assert_int_equal(dpn_decimal_subtract(&out, &one, &least, NULL), DPN_OK); /* 405 nines */
    assert_int_equal(dpn_decimal_add(&out, &out, &least, NULL), DPN_OK);
    expect_text(&out, "1");
}

static void billionths_are_whole(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t billionths;
    } whole[] = {{"0", 0},
                 {"1e-9", 1},
                 {"0.123456789", 123456789},
                 {"1", 1000000000},
                 {"999999999.999999999", UINT64_C(999999999999999999)}};
    static const char *const not_whole[] = {"1e-10", "1.0000000001", "1e9", "1e44", "1e-405"};
    uint64_t got = 7;
    for (size_t i = 0; i < sizeof not_whole / sizeof *not_whole; i++) {
        dpn_decimal a = read(not_whole[i]);
        assert_false(dpn_decimal_billionths(&got, &a));
        assert_true(got == 7);
    }
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        dpn_decimal a = read(whole[i].text);
        assert_true(dpn_decimal_billionths(&got, &a));
        assert_true(got == whole[i].billionths);
    }
}

/* ---- Against rows of digits ---- */

typedef struct row {
    int digit[PLACES];
} row;

/* Digits here and there, often nines and zeros, so that carries run far. */
static row draw_row(draw_source *source) {
    row out = {{0}};
    int first = 1 + (int)(draw_bits(source) % PLACES), count = (int)(draw_bits(source) % 60);
    int kind = (int)(draw_bits(source) % 3);
    for (int i = first; i < PLACES && i < first + count; i++)
        out.digit[i] = kind == 0 ? (int)(draw_bits(source) % 10) : kind == 1 ? 9 : draw_chance(source, 0.1);
    return out;
}

static dpn_decimal from_row(const row *a) {
    char text[PLACES + 2], *end = text;
    for (int i = 0; i < PLACES; i++) {
        if (i == WHOLE) *end++ = '.';
        *end++ = (char)('0' + a->digit[i]);
    }
    *end = '\0';
    return read(text);
}

static int compare_rows(const row *a, const row *b) {
    for (int i = 0; i < PLACES; i++)
        if (a->digit[i] != b->digit[i]) return a->digit[i] < b->digit[i] ? -1 : 1;
    return 0;
}

static void sums_agree_with_schoolbook(void **state) {
    (void)state;
    draw_source source = {20261115};
    for (int n = 0; n < 3000; n++) {
        row a = draw_row(&source), b = draw_row(&source), sum = {{0}}, scaled = {{0}};
        for (int i = PLACES - 1, carry = 0; i >= 0; i--) {
            int s = a.digit[i] + b.digit[i] + carry;
            sum.digit[i] = s % 10;
            carry = s / 10;
        }
        for (int i = PLACES - 1, carry = 0; i > 0; i--) { /* 9 a, moved by one digit */
            int s = 9 * a.digit[i - 1] + carry;
            scaled.digit[i] = s % 10;
            carry = s / 10;
        }
        dpn_decimal x = from_row(&a), y = from_row(&b), expected = from_row(&sum), got;
        assert_int_equal(dpn_decimal_compare(&x, &y), compare_rows(&a, &b));
        assert_int_equal(dpn_decimal_add(&got, &x, &y, NULL), DPN_OK);
        assert_int_equal(dpn_decimal_compare(&got, &expected), 0);
        assert_int_equal(dpn_decimal_subtract(&got, &got, &x, NULL), DPN_OK);
        assert_int_equal(dpn_decimal_compare(&got, &y), 0);
        char text[DPN_DECIMAL_TEXT_SIZE];
        got = read(dpn_decimal_print(text, &x));
        assert_int_equal(dpn_decimal_compare(&got, &x), 0);
        if (a.digit[PLACES - 1]) continue; /* a digit would fall off the end */
        got = dpn_decimal_hundredths_down(&x, 90);
        /* The row lost the carry beyond its end, which is no more than the last digit. */
        expected = from_row(&scaled);
        if (dpn_decimal_compare(&got, &expected)) fail_msg("9/10 of %s", text);
    }
    dpn_decimal million = read("1e-6"), odd = read("999999999.999999999"), got, expected;
    got = dpn_decimal_hundredths_down(&million, 49), expected = read("4.9e-7");
    assert_int_equal(dpn_decimal_compare(&got, &expected), 0);
    got = dpn_decimal_hundredths_down(&odd, 51), expected = read("509999999.99999999949");
    assert_int_equal(dpn_decimal_compare(&got, &expected), 0);
    got = dpn_decimal_hundredths_down(&odd, 100);
    assert_int_equal(dpn_decimal_compare(&got, &odd), 0);
}

/* ---- Doubles ---- */

static void check_doubles(const char *text, double lower, double upper) {
    mpfr_t truth;
    mpfr_init2(truth, 4000);
    mpfr_set_str(truth, text, 10, MPFR_RNDD);
    if (lower != mpfr_get_d(truth, MPFR_RNDD)) fail_msg("%s: lower is %.17g", text, lower);
    mpfr_set_str(truth, text, 10, MPFR_RNDU);
    if (upper != mpfr_get_d(truth, MPFR_RNDU)) fail_msg("%s: upper is %.17g", text, upper);
    mpfr_clear(truth);
}

static void doubles_are_directed(void **state) {
    (void)state;
    draw_source source = {7};
    char text[DPN_DECIMAL_TEXT_SIZE];
    for (int n = 0; n < 2000; n++) {
        row a = draw_row(&source);
        dpn_decimal x = from_row(&a);
        check_doubles(dpn_decimal_print(text, &x), dpn_decimal_lower(&x), dpn_decimal_upper(&x));
    }
    /* A number that is a double, and ties between two doubles. */
    static const char *const special[] = {"0.5", "9007199254740993", "4.9e-324", "1e-330", "1e-405", "0"};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        dpn_decimal x = read(special[i]);
        check_doubles(special[i], dpn_decimal_lower(&x), dpn_decimal_upper(&x));
    }
}

static void numbers_of_any_sign_are_directed(void **state) {
    (void)state;
    draw_source source = {8};
    for (int n = 0; n < 2000; n++) {
        char text[64];
        snprintf(text, sizeof text, "%s%.*e", draw_chance(&source, 0.5) ? "-" : "", (int)(draw_bits(&source) % 30),
                 draw_log_uniform(&source, 1e-300, 1e300));
        double lower, upper;
        assert_int_equal(dpn_number_parse_down(&lower, text, NULL), DPN_OK);
        assert_int_equal(dpn_number_parse_up(&upper, text, NULL), DPN_OK);
        check_doubles(text, lower, upper);
        assert_int_equal(dpn_number_compare(text, lower), lower == upper ? 0 : 1);
        assert_int_equal(dpn_number_compare(text, upper), lower == upper ? 0 : -1);
    }
    double x = 7;
    assert_int_equal(dpn_number_parse_down(&x, "1e400", NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_number_parse_up(&x, "abc", NULL), DPN_EPARSE);
    assert_true(x == 7);
}

static void an_upper_bound_becomes_a_charge(void **state) {
    (void)state;
    draw_source source = {9};
    for (int n = 0; n < 2000; n++) {
        double x = n < 1000 ? draw_log_uniform(&source, 1e-320, 1e44) : (double)(draw_bits(&source) % 1000) / 64;
        dpn_decimal a;
        char text[DPN_DECIMAL_TEXT_SIZE];
        assert_int_equal(dpn_decimal_from_upper(&a, x, NULL), DPN_OK);
        int sign = dpn_number_compare(dpn_decimal_print(text, &a), x);
        if (n < 1000 ? sign < 0 : sign != 0) fail_msg("%s is not above %.17g", text, x);
        if (x > 1e-300) assert_true(dpn_decimal_upper(&a) <= nextafter(x, INFINITY));
    }
    dpn_decimal a = read("7");
    assert_int_equal(dpn_decimal_from_upper(&a, -1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_decimal_from_upper(&a, NAN, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_decimal_from_upper(&a, 1e45, NULL), DPN_EDOMAIN);
    expect_text(&a, "7");
    assert_int_equal(dpn_decimal_from_upper(&a, 0.1, NULL), DPN_OK);
    expect_text(&a, "0.10000000000000001"); /* the double is 0.1000000000000000055... */
}

/* Adding up so many parts gives the whole; a part that is no decimal is refused. */
static void equal_parts(void **state) {
    (void)state;
    static const char *const wholes[] = {"0", "1", "100", "0.3", "7e-400", "999999999.999999999", "1e44", "1e-405"};
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        for (uint32_t parts = 1; parts <= 200; parts++) {
            dpn_decimal whole = read(wholes[i]), part = read("7"), sum = {{0}};
            uint32_t rest = parts;
            while (rest % 2 == 0) rest /= 2;
            while (rest % 5 == 0) rest /= 5;
            if (!dpn_decimal_divide(&part, &whole, parts)) {
                expect_text(&part, "7");
                assert_true(rest > 1 ||
                            i >= 4); /* else it is a decimal, for which there is room unless the whole is tiny */
                continue;
            }
            for (uint32_t n = 0; n < parts; n++) assert_int_equal(dpn_decimal_add(&sum, &sum, &part, NULL), DPN_OK);
            assert_int_equal(dpn_decimal_compare(&sum, &whole), 0);
        }
    dpn_decimal part, whole = read("1e-405");
    assert_false(dpn_decimal_divide(&part, &whole, 2));
    whole = read("1");
    assert_false(dpn_decimal_divide(&part, &whole, 3));
    whole = read("4294967295");
    assert_true(dpn_decimal_divide(&part, &whole, UINT32_MAX));
    expect_text(&part, "1");
}

/* Against the comparison with the decimal itself, next to it on both sides. */
static void powers_of_ten_are_reached(void **state) {
    (void)state;
    for (int places = 0; places <= 405; places++) {
        char text[16];
        snprintf(text, sizeof text, "1e-%d", places);
        dpn_decimal at = read(text), tiny = read("1e-405"), below, above;
        assert_int_equal(dpn_decimal_subtract(&below, &at, &tiny, NULL), DPN_OK);
        assert_int_equal(dpn_decimal_add(&above, &at, &tiny, NULL), DPN_OK);
        assert_true(dpn_decimal_reaches(&at, places) && dpn_decimal_reaches(&above, places));
        assert_false(dpn_decimal_reaches(&below, places));
        dpn_decimal large = read("1e44"), none = {{0}};
        assert_true(dpn_decimal_reaches(&large, places) && !dpn_decimal_reaches(&none, places));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_text_for_each_number),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(ten_tenths_are_one),
        cmocka_unit_test(limits_of_sums),
        cmocka_unit_test(billionths_are_whole),
        cmocka_unit_test(sums_agree_with_schoolbook),
        cmocka_unit_test(doubles_are_directed),
        cmocka_unit_test(numbers_of_any_sign_are_directed),
        cmocka_unit_test(an_upper_bound_becomes_a_charge),
        cmocka_unit_test(equal_parts),
        cmocka_unit_test(powers_of_ten_are_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
