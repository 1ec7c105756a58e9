/* Texts: UTF-8 against an encoder of all code points, strings of JSON against the reader, hexadecimal back and forth, excerpts. */
#include "base/text/excerpt.h"
#include "base/text/hex.h"
#include "base/text/json-write.h"
#include "base/text/json.h"
#include "base/text/utf8.h"

#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The letter of a code point, by the table of RFC 3629. Returns its length. */
static size_t encode(unsigned char out[4], unsigned long code) {
    if (code < 0x80) {
        out[0] = (unsigned char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned first[] = {0, 0, 192, 224, 240};
    for (size_t i = length - 1; i > 0; i--, code /= 64) out[i] = (unsigned char)(128 + code % 64);
    out[0] = (unsigned char)(first[length] + code);
    return length;
}

static void every_letter_is_utf8(void **state) {
    (void)state;
    for (unsigned long code = 0; code <= 0x10ffff; code++) {
        unsigned char bytes[4];
        size_t length = encode(bytes, code);
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        assert_int_equal(dpn_utf8_length((const char *)bytes, length), surrogate ? 0 : length);
        if (length > 1) assert_int_equal(dpn_utf8_length((const char *)bytes, length - 1), 0);
    }
}

/* Bytes that are taken for a letter are the ones that the encoder gives for its code point. */
static void nothing_else_is_utf8(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 2000000; i++) {
        unsigned char bytes[4], again[4];
        uint64_t bits = draw_bits(&source);
        for (int j = 0; j < 4; j++) bytes[j] = bits >> 8 * j & 255;
        bytes[0] |= 128;
        for (int j = 1; j < 4; j++)
            if (bits >> (40 + j) & 1) bytes[j] = (unsigned char)(128 | (bytes[j] & 63)); /* else hardly ever one */
        size_t length = dpn_utf8_length((const char *)bytes, 4);
        if (length == 0) continue;
        assert_true(length >= 2);
        unsigned long code = bytes[0] & (length == 2 ? 31 : length == 3 ? 15 : 7);
        for (size_t j = 1; j < length; j++) code = 64 * code + (bytes[j] & 63);
        assert_int_equal(encode(again, code), length);
        assert_memory_equal(again, bytes, length);
        assert_true(code <= 0x10ffff);
    }
    assert_true(dpn_utf8_is("", 0) && dpn_utf8_is("a\xc3\xa9", 3));
    assert_false(dpn_utf8_is("a\xc3\xa9", 2));
    assert_false(dpn_utf8_is("\xff", 1));
}

/* What is quoted reads back; bytes that are not UTF-8 as U+FFFD, one each. */
static void strings_read_back(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 3000; i++) {
        char text[40], expected[120] = "", back[200];
        size_t length = draw_bits(&source) % sizeof text, used = 0;
        for (size_t j = 0; j < length; j++) text[j] = (char)(1 + draw_bits(&source) % (i % 2 ? 255 : 127));
        text[length] = '\0';
        for (size_t j = 0; j < length;) {
            size_t step = dpn_utf8_length(text + j, length - j);
            memcpy(expected + used, step ? text + j : "\xef\xbf\xbd", step ? step : 3);
            used += step ? step : 3;
            j += step ? step : 1;
        }
        expected[used] = '\0';
        dpn_text written = {0};
        dpn_json json;
        dpn_error why;
        dpn_text_quote(&written, text);
        assert_false(written.failed);
        if (dpn_json_read(&json, written.at, written.length, &why)) fail_msg("%s: %s", written.at, why.sentence);
        if (dpn_json_string(back, sizeof back, &json, json.value, &why)) fail_msg("%s", why.sentence);
        assert_string_equal(back, expected);
        dpn_json_free(&json);
        free(written.at);
    }
}

static void values_of_json(void **state) {
    (void)state;
    dpn_text text = {0};
    const double numbers[] = {0.1, -3, INFINITY, -INFINITY, NAN, 1e300};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        dpn_text_number(&text, numbers[i]);
        dpn_text_put(&text, " ");
    }
    dpn_text_quote(&text, NULL);
    dpn_text_quote(&text, "a\"\\\n\x7f");
    assert_string_equal(text.at, "0.1 -3 \"inf\" \"-inf\" null 1e+300 null\"a\\\"\\\\\\u000a\\u007f\"");
    assert_int_equal(text.length, strlen(text.at));
    free(text.at);
}

static void hexadecimal_reads_back(void **state) {
    (void)state;
    unsigned char bytes[256], back[256];
    char text[513];
    for (size_t i = 0; i < 256; i++) bytes[i] = (unsigned char)i;
    dpn_hex_write(text, bytes, 256);
    assert_int_equal(strlen(text), 512);
    assert_memory_equal(text, "000102", 6);
    assert_memory_equal(text + 506, "fdfeff", 7);
    assert_true(dpn_hex_read(back, 256, text, 512));
    assert_memory_equal(back, bytes, 256);
    assert_false(dpn_hex_read(back, 255, text, 512));
    assert_false(dpn_hex_read(back, 2, "00FF", 4)); /* there is one form */
    assert_false(dpn_hex_read(back, 1, "0\0", 2));
    assert_string_equal(dpn_hex_write(text, bytes, 0), "");
}

static void excerpts_are_letters(void **state) {
    (void)state;
    char out[DPN_SHOWN_SIZE];
    assert_string_equal(dpn_show(out, "short"), "short");
    assert_string_equal(dpn_show(out, "a\x1b[31m\xff"), "a?[31m?");
    assert_string_equal(dpn_show(out, "0123456789012345678901234567890123456789"),
                        "0123456789012345678901234567890123456789");
    assert_string_equal(dpn_show(out, "01234567890123456789012345678901234567890"),
                        "0123456789012345678901234567890123456789...");
    assert_string_equal(dpn_show(out, "012345678901234567890123456789012345678\xc3\xa9"),
                        "012345678901234567890123456789012345678...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_letter_is_utf8),   cmocka_unit_test(nothing_else_is_utf8),
        cmocka_unit_test(strings_read_back),      cmocka_unit_test(values_of_json),
        cmocka_unit_test(hexadecimal_reads_back), cmocka_unit_test(excerpts_are_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
