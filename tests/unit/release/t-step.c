/* Fields as numbers, their order, and their steps on a grid, against rational numbers in GMP. */
#include "base/dyadic.h"
#include "release/tally/short-digits.h"
#include "release/tally/step.h"

#include "reference/draw.h"
#include "unit/release/rational.h"
#include "unit/points.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_field field_of(const char *text) {
    return (dpn_field){text, strlen(text)};
}

static uint64_t below(draw_source *source, uint64_t count) {
    return draw_bits(source) % count;
}

/* ---- Random numbers as text ---- */

static char *put_digits(char *p, draw_source *source, uint64_t count) {
    for (; count > 0; count--) *p++ = (char)('0' + (draw_chance(source, 0.2) ? 0 : below(source, 10)));
    return p;
}

/* Mostly short, at times with many digits, zeros in front, an exponent, blanks. */
static void random_text(char *text, draw_source *source) {
    char *p = text;
    uint64_t longest = draw_chance(source, 0.9) ? 9 : draw_chance(source, 0.8) ? 20 : 60;
    if (draw_chance(source, 0.05)) *p++ = ' ';
    if (draw_chance(source, 0.5)) *p++ = draw_chance(source, 0.9) ? '-' : '+';
    if (draw_chance(source, 0.1)) p = p + sprintf(p, "000000000000000000000");
    uint64_t whole = below(source, longest + 1), places = draw_chance(source, 0.5) ? below(source, longest + 1) : 0;
    p = put_digits(p, source, whole);
    if (places > 0 || draw_chance(source, 0.05)) *p++ = '.';
    if (draw_chance(source, 0.05) && places > 0) p = p + sprintf(p, "00000000000000000000000000");
    p = put_digits(p, source, places);
    if (draw_chance(source, 0.2))
        p += sprintf(p, "%c%d", draw_chance(source, 0.5) ? 'e' : 'E', (int)below(source, 81) - 40);
    if (draw_chance(source, 0.05)) *p++ = '\t';
    *p = '\0';
}

/* Exactly half way between two steps, or as near to it as many more digits are. */
static void half_way_text(char *text, draw_source *source, int64_t step, int exponent) {
    char digits[DPN_DYADIC_TEXT_SIZE];
    dpn_dyadic_print(digits, 2 * (dpn_int128)step - 1, exponent - 1);
    char *power = strchr(digits, 'e');
    bool point = strchr(digits, '.') != NULL;
    size_t length = power ? (size_t)(power - digits) : strlen(digits);
    memcpy(text, digits, length);
    char *p = text + length;
    if (draw_chance(source, 0.7)) {
        if (!point) *p++ = '.';
        for (uint64_t zeros = below(source, 40); zeros > 0; zeros--) *p++ = '0';
        if (draw_chance(source, 0.5)) *p++ = '1';
        for (uint64_t zeros = below(source, 3); zeros > 0; zeros--) *p++ = '0';
    }
    strcpy(p, power ? power : "");
}

static dpn_measure random_measure(draw_source *source) {
    int exponent = draw_chance(source, 0.9) ? (int)below(source, 60) - 40 : (int)below(source, 461) - 400;
    int64_t lower = draw_chance(source, 0.3) ? 0 : (int64_t)below(source, 1 << 26) - (1 << 25);
    if (draw_chance(source, 0.1)) lower = (int64_t)below(source, INT64_C(1) << 50) - (INT64_C(1) << 49);
    int64_t width = draw_chance(source, 0.9) ? 1 << 26 : (int64_t)below(source, 10) + 1;
    return (dpn_measure){.exponent = exponent, .lower = lower, .upper = lower + width, .middle = lower + width / 2};
}

/* ---- Steps ---- */

static void check_step(const dpn_measure *measure, const char *text, mpq_t exact) {
    dpn_numeral number;
    dpn_content content = dpn_numeral_read(&number, field_of(text));
    rational_kind kind = rational_read(exact, field_of(text));
    if ((int)content != (int)kind) fail_msg("'%s' is taken for %d, not %d", text, (int)content, (int)kind);
    if (content != DPN_CONTENT_NUMBER) return;
    int64_t step = dpn_step_nearest(measure, &number);
    int64_t truth = rational_step(exact, measure->exponent, measure->lower, measure->upper);
    if (step != truth)
        fail_msg("'%s' on 2^%d in [%lld, %lld]: %lld, not %lld", text, measure->exponent, (long long)measure->lower,
                 (long long)measure->upper, (long long)step, (long long)truth);
}

static void random_numbers_have_the_nearest_step(void **state) {
    (void)state;
    draw_source source = {1};
    mpq_t exact;
    mpq_init(exact);
    char text[400];
    for (long i = 0; i < points(30000, 300000); i++) {
        dpn_measure measure = random_measure(&source);
        random_text(text, &source);
        check_step(&measure, text, exact);
    }
    mpq_clear(exact);
}

static void half_way_goes_up(void **state) {
    (void)state;
    draw_source source = {2};
    mpq_t exact;
    mpq_init(exact);
    char text[DPN_DYADIC_TEXT_SIZE + 60];
    for (long i = 0; i < points(10000, 100000); i++) {
        dpn_measure measure = random_measure(&source);
        int64_t step = measure.lower + (int64_t)below(&source, (uint64_t)(measure.upper - measure.lower + 2));
        half_way_text(text, &source, step, measure.exponent);
        check_step(&measure, text, exact);
    }
    mpq_clear(exact);
    dpn_measure whole = {.exponent = 0, .lower = -10, .upper = 10}, tens = {.exponent = 1, .lower = -10, .upper = 10};
    static const struct {
        const char *text;
        int64_t step, of_two;
    } ties[] = {{"0.5", 1, 0},    {"-0.5", 0, 0},
                {"1.5", 2, 1},    {"-1.5", -1, -1},
                {"-2.5", -2, -1}, {"1", 1, 1},
                {"-1", -1, 0},    {"3", 3, 2},
                {"-3", -3, -1},   {"0.49999999999999999999999999999999999999", 0, 0},
                {"-0", 0, 0},     {"-0.50000000000000000000000000000000000001", -1, 0}};
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++) {
        dpn_numeral number;
        assert_int_equal(dpn_numeral_read(&number, field_of(ties[i].text)), DPN_CONTENT_NUMBER);
        assert_int_equal(dpn_step_nearest(&whole, &number), ties[i].step);
        assert_int_equal(dpn_step_nearest(&tens, &number), ties[i].of_two);
    }
}

static void numbers_of_any_size_are_clamped(void **state) {
    (void)state;
    dpn_measure measure = {.exponent = -8, .lower = -1000, .upper = 2000};
    static const struct {
        const char *text;
        int64_t step;
    } cases[] = {{"1e999999999", 2000},
                 {"-1e999999999", -1000},
                 {"1e-999999999", 0},
                 {"-1e-999999999", 0},
                 {"0e999999999", 0},
                 {"1e99999999999999999999999999999", 2000},
                 {"-1e99999999999999999999999999999", -1000},
                 {"-1e-99999999999999999999999999999", 0},
                 {"1e18446744073709551616", 2000},
                 {"999999999999999999999999999999999999999999999999999999999999999999999", 2000},
                 {"18446744073709551616", 2000},
                 {"-9223372036854775808", -1000},
                 {"7.8125", 2000},
                 {"7.81249999999999999999999999999", 2000},
                 {"-3.90625", -1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_numeral number;
        assert_int_equal(dpn_numeral_read(&number, field_of(cases[i].text)), DPN_CONTENT_NUMBER);
        assert_int_equal(dpn_step_nearest(&measure, &number), cases[i].step);
    }
    /* Longer than any buffer: the digits are looked at where they stand. */
    size_t length = 1 << 20;
    char *text = malloc(length);
    memset(text, '0', length);
    text[1] = '.';
    text[3] = '1';
    text[length - 1] = '1';
    dpn_numeral number;
    assert_int_equal(dpn_numeral_read(&number, (dpn_field){text, length}), DPN_CONTENT_NUMBER);
    assert_int_equal(dpn_step_nearest(&measure, &number), 3); /* 0.01 256 */
    memset(text, '0', length);
    memcpy(text, "0.001953125", 11); /* half a step, and a little more */
    text[0] = '-';
    assert_int_equal(dpn_numeral_read(&number, (dpn_field){text, length}), DPN_CONTENT_NUMBER);
    assert_int_equal(dpn_step_nearest(&measure, &number), 0);
    text[length - 1] = '1';
    assert_int_equal(dpn_numeral_read(&number, (dpn_field){text, length}), DPN_CONTENT_NUMBER);
    assert_int_equal(dpn_step_nearest(&measure, &number), -1);
    free(text);
}

/* ---- What is a number ---- */

static void other_texts_are_none(void **state) {
    (void)state;
    static const char *const others[] = {
        "inf",   "-inf", "nan",  "NaN", "Infinity", "0x10", "0x1p3", "1,5",       "1 000",        "1e",
        "e5",    "1e+",  ".",    "-",   "+",        "--1",  "+-1",   "- 1",       "1.2.3",        "1..2",
        "1e1.5", "1e5e", "1f",   "1_0", "$1",       "1%",   "a",     "1\n",       "1\r",          "1e 5",
        ".e1",   "1\"",  "null", "NA",  "true",     "-.",   "1e--5", "\302\2401", "\xef\xbc\x91",
    };
    static const char *const missing[] = {"", " ", "\t", "   \t  "};
    static const char *const numbers[] = {"1",   " 1",  "1 ",    "\t1\t", "1.",   ".5", "+1",
                                          "-.5", "1E5", "1e+05", "007",   "1e-5", "-0"};
    dpn_numeral number = {.exponent = 77};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (dpn_numeral_read(&number, field_of(others[i])) != DPN_CONTENT_OTHER) fail_msg("'%s'", others[i]);
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (dpn_numeral_read(&number, field_of(missing[i])) != DPN_CONTENT_MISSING) fail_msg("'%s'", missing[i]);
    assert_int_equal(dpn_numeral_read(&number, (dpn_field){NULL, 0}), DPN_CONTENT_MISSING);
    assert_int_equal(dpn_numeral_read(&number, (dpn_field){"1\0002", 3}), DPN_CONTENT_OTHER);
    assert_int_equal(dpn_numeral_read(&number, (dpn_field){"\0", 1}), DPN_CONTENT_OTHER);
    assert_int_equal(number.exponent, 77);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (dpn_numeral_read(&number, field_of(numbers[i])) != DPN_CONTENT_NUMBER) fail_msg("'%s'", numbers[i]);
}

/* Every text of up to four of these characters, in a field that is followed by another digit. */
static void short_texts_are_judged_alike(void **state) {
    (void)state;
    static const char alphabet[] = "07.-+eE x";
    mpq_t exact;
    mpq_init(exact);
    dpn_measure measure = {.exponent = -3, .lower = -4000, .upper = 5000};
    for (size_t length = 0; length <= 4; length++) {
        size_t count = 1;
        for (size_t i = 0; i < length; i++) count *= sizeof alphabet - 1;
        for (size_t code = 0; code < count; code++) {
            char text[8] = "999999";
            size_t rest = code;
            for (size_t i = 0; i < length; i++, rest /= sizeof alphabet - 1)
                text[i] = alphabet[rest % (sizeof alphabet - 1)];
            text[length] = '\0';
            check_step(&measure, text, exact);
            dpn_numeral number;
            text[length] = '9';
            dpn_content content = dpn_numeral_read(&number, (dpn_field){text, length});
            assert_int_equal((int)content, (int)rational_read(exact, (dpn_field){text, length}));
        }
    }
    mpq_clear(exact);
}

/* A number of each length up to 20 with each byte at each place, at the very end of its memory. */
static void every_byte_at_every_place(void **state) {
    (void)state;
    mpq_t exact;
    mpq_init(exact);
    dpn_measure measure = {.exponent = -5, .lower = -(1 << 25), .upper = 1 << 25};
    for (size_t length = 1; length <= 20; length++)
        for (size_t point = 0; point <= length; point += 1 + length / 4)
            for (size_t place = 0; place < length; place++) {
                char *text = malloc(length);
                memcpy(text, "98076543210123456789", length);
                if (point < length) text[point] = '.';
                for (int byte = 0; byte < 256; byte++) {
                    if (byte == 'e' || byte == 'E') continue; /* 10^76543210 is too large for rational numbers */
                    text[place] = (char)byte;
                    dpn_numeral number;
                    dpn_field field = {text, length};
                    dpn_content content = dpn_numeral_read(&number, field);
                    if ((int)content != (int)rational_read(exact, field))
                        fail_msg("length %zu, byte %d at %zu", length, byte, place);
                    if (content != DPN_CONTENT_NUMBER) continue;
                    int64_t truth = rational_step(exact, measure.exponent, measure.lower, measure.upper);
                    assert_int_equal(dpn_step_nearest(&measure, &number), truth);
                }
                free(text);
            }
    mpq_clear(exact);
}

/* ---- Order ---- */

static void numbers_are_compared_exactly(void **state) {
    (void)state;
    draw_source source = {3};
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    char first[400], second[400];
    for (long i = 0; i < points(30000, 300000); i++) {
        dpn_numeral x, y;
        random_text(first, &source);
        random_text(second, &source);
        if (draw_chance(&source, 0.5)) { /* nearly the same number, written otherwise */
            strcpy(second, first);
            size_t length = strlen(first);
            if (length > 0 && draw_chance(&source, 0.5))
                second[below(&source, length)] = (char)('0' + below(&source, 10));
            if (!strpbrk(second, "eE \t") && strchr(second, '.'))
                strcat(second, draw_chance(&source, 0.5) ? "000" : "0001");
        }
        if (rational_read(a, field_of(first)) || rational_read(b, field_of(second))) continue;
        assert_int_equal(dpn_numeral_read(&x, field_of(first)), DPN_CONTENT_NUMBER);
        assert_int_equal(dpn_numeral_read(&y, field_of(second)), DPN_CONTENT_NUMBER);
        int truth = mpq_cmp(a, b), sign = dpn_numeral_compare(&x, &y);
        if (sign != (truth > 0) - (truth < 0)) fail_msg("'%s' against '%s': %d", first, second, sign);
        assert_int_equal(dpn_numeral_compare(&y, &x), -sign);
    }
    mpq_clears(a, b, NULL);
}

/* Eight characters at a time say the same as one by one, wherever the point stands and whatever else is no digit. */
static void digits_by_eight_are_those_one_by_one(void **state) {
    (void)state;
    uint64_t chance = 87;
    for (int i = 0; i < 200000; i++) {
        char text[17];
        chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t bits = chance >> 20;
        size_t length = 4 + bits % 13;
        for (size_t k = 0; k < length; k++) {
            chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            text[k] = (char)('0' + (chance >> 33) % 10);
        }
        text[length] = '\0';
        if (bits >> 8 & 3) text[(bits >> 10) % length] = '.';
        if ((bits >> 20) % 16 == 0) text[(bits >> 24) % length] = "./:e -\n"[(bits >> 30) % 8];
        uint64_t one = 0, eight = 0;
        int one_places = 0, eight_places = 0;
        bool is = dpn_digits_one_by_one(&one, &one_places, text, length);
        if (dpn_digits_by_eight(&eight, &eight_places, text, length) != is) fail_msg("%s: read by one of both", text);
        if (is && (one != eight || one_places != eight_places)) fail_msg("%s is read as %" PRIu64, text, eight);
    }
}

/* Points and bytes that are no digits at every place, of every length, with digits that are odd and even beside them; by sscanf. */
static void every_place_of_a_point_is_read(void **state) {
    (void)state;
    static const char *const digits[] = {"9876543210123456", "1111111111111111", "9999999999999999", "0000000000000000",
                                         "2727272727272727"};
    static const char odd[] = {'/',    ':',    '.',    'e',    ' ',  '-',  '\0', '\x80',
                               '\xae', '\xb0', '\xb9', '\xff', 0x1e, 0x2f, 0x0f};
    for (size_t d = 0; d < sizeof digits / sizeof *digits; d++)
        for (size_t length = 4; length <= 16; length++)
            for (size_t point = 0; point <= length; point++) { /* length: none */
                char text[17] = "", without[17] = "";
                memcpy(text, digits[d], length);
                if (point < length) text[point] = '.';
                memcpy(without, text, length);
                if (point < length) memmove(without + point, without + point + 1, length - point);
                unsigned long long expected;
                uint64_t number = 1;
                int places = -1;
                assert_int_equal(sscanf(without, "%llu", &expected), 1);
                assert_true(dpn_short_digits(&number, &places, text, length));
                if (number != expected || places != (point < length ? (int)(length - point) - 1 : 0))
                    fail_msg("%s is read as %" PRIu64 " with %d places", text, number, places);
                for (size_t at = 0; at < length && d < 3; at++)
                    for (size_t k = 0; k < sizeof odd; k++) {
                        char kept = text[at];
                        text[at] = odd[k];
                        bool is = odd[k] == '.' && (point == length || at == point);
                        if (dpn_short_digits(&number, &places, text, length) != is)
                            fail_msg("%s with byte %d at %zu", text, odd[k], at);
                        text[at] = kept;
                    }
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_numbers_have_the_nearest_step), cmocka_unit_test(half_way_goes_up),
        cmocka_unit_test(numbers_of_any_size_are_clamped),      cmocka_unit_test(other_texts_are_none),
        cmocka_unit_test(short_texts_are_judged_alike),         cmocka_unit_test(every_byte_at_every_place),
        cmocka_unit_test(numbers_are_compared_exactly),         cmocka_unit_test(digits_by_eight_are_those_one_by_one),
        cmocka_unit_test(every_place_of_a_point_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
