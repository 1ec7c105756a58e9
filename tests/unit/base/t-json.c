/* The strict JSON reader: what is JSON and what is not, how values lie, numbers and strings, and bounds. */
#include "base/text/json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Read from memory of exactly this size, so that a read beyond the end is seen. */
static dpn_status try(const char *text, size_t length, dpn_error *why) {
    char *copy = malloc(length + !length);
    dpn_json json;
    assert_non_null(copy);
    memcpy(copy, text, length);
    dpn_status status = dpn_json_read(&json, copy, length, why);
    if (!status) dpn_json_free(&json);
    free(copy);
    return status;
}

static void what_is_json(void **state) {
    (void)state;
    static const char *const good[] = {
        "0",
        "-0",
        "1e5",
        "1E+5",
        "0.25e-3",
        "true",
        "false",
        " null ",
        "\"\"",
        "\"a\\u00e9\\\"\"",
        "[]",
        "{}",
        "[1, [2, {\"a\": []}]]",
        "\t[\r\n1 ]",
        "{\"a\":1,\"a\":2}",
        "\"\\ud83d\\ude00\"",
        "\"\xc3\xa9\"",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        dpn_error why;
        if (try(good[i], strlen(good[i]), &why)) fail_msg("%s: %s", good[i], why.sentence);
    }
}

static void what_is_not(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",
        " ",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "1e+",
        "-",
        "nan",
        "inf",
        "tru",
        "nul",
        "True",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[",
        "]",
        "{",
        "}",
        "{1:2}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\" 1}",
        "[1}",
        "{\"a\":1]",
        "1 2",
        "[] []",
        "'a'",
        "\"",
        "\"a",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "\"\\ud83dx\"",
        "\"\\ud83d\\u0041\"",
        "\"\n\"",
        "\"\x80\"",
        "\"\xc0\x80\"",
        "\"\xed\xa0\x80\"",
        "\"\xf4\x90\x80\x80\"",
        "\"\xe2\x82\"",
        "// c\n1",
        "\xef\xbb\xbf[]",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_error why = {DPN_OK, ""};
        assert_int_equal(try(bad[i], strlen(bad[i]), &why), DPN_EPARSE);
        assert_int_equal(strncmp(why.sentence, "line ", 5), 0);
    }
    dpn_error why;
    assert_int_equal(try("[0]\0", 4, &why), DPN_EPARSE); /* a zero byte is no blank */
    assert_int_equal(try("[1,\n2,\nx]", 9, &why), DPN_EPARSE);
    assert_string_equal(why.sentence, "line 3: a value is expected");
}

static void every_prefix_is_refused(void **state) {
    (void)state;
    static const char whole[] = "{\"a\": [1.5e-3, \"x\\u00e9\\ud83d\\ude00\", {\"b\": null}], \"c\": [true, false]}";
    assert_int_equal(try(whole, strlen(whole), NULL), DPN_OK);
    for (size_t length = 0; length < strlen(whole); length++) assert_int_equal(try(whole, length, NULL), DPN_EPARSE);
}

static void depth_is_bounded(void **state) {
    (void)state;
    char text[4 * DPN_JSON_DEPTH];
    memset(text, '[', DPN_JSON_DEPTH);
    memset(text + DPN_JSON_DEPTH, ']', DPN_JSON_DEPTH);
    assert_int_equal(try(text, 2 * DPN_JSON_DEPTH, NULL), DPN_OK);
    memset(text, '[', DPN_JSON_DEPTH + 1);
    memset(text + DPN_JSON_DEPTH + 1, ']', DPN_JSON_DEPTH + 1);
    dpn_error why;
    assert_int_equal(try(text, 2 * DPN_JSON_DEPTH + 2, &why), DPN_EPARSE);
    assert_string_equal(why.sentence, "line 1: the values are nested too deeply");
    assert_int_equal(dpn_json_read(&(dpn_json){0}, "", (size_t)DPN_JSON_SIZE + 1, &why), DPN_EPARSE);
}

static void members_and_elements(void **state) {
    (void)state;
    static const char text[] = "{\"skip\": [{\"n\": 1}, 2], \"n\": [10, [20, 21], \"30\"], \"m\": 1, \"m\": 2}";
    dpn_json json;
    bool twice = false;
    assert_int_equal(dpn_json_read(&json, text, strlen(text), NULL), DPN_OK);
    assert_int_equal(json.value[0].count, 4);
    assert_int_equal(json.value[0].after, json.values);
    const dpn_json_value *n = dpn_json_member(&json, json.value, "n", &twice);
    assert_non_null(n);
    assert_false(twice);
    assert_int_equal(n->kind, DPN_JSON_ARRAY);
    assert_int_equal(n->count, 3);
    double x = 0;
    const dpn_json_value *element = dpn_json_first(n);
    assert_int_equal(dpn_json_number(&x, &json, element, NULL), DPN_OK);
    assert_true(x == 10);
    element = dpn_json_next(&json, dpn_json_next(&json, element));
    assert_int_equal(element->kind, DPN_JSON_STRING);
    assert_int_equal(dpn_json_number(&x, &json, element, NULL), DPN_EPARSE);
    assert_null(dpn_json_member(&json, json.value, "no", &twice));
    dpn_json_member(&json, json.value, "m", &twice);
    assert_true(twice);
    dpn_json_free(&json);
}

static dpn_status number(double *out, const char *text) {
    dpn_json json;
    assert_int_equal(dpn_json_read(&json, text, strlen(text), NULL), DPN_OK);
    dpn_status status = dpn_json_number(out, &json, json.value, NULL);
    dpn_json_free(&json);
    return status;
}

static void numbers(void **state) {
    (void)state;
    double x = 7;
    assert_int_equal(number(&x, "1e400"), DPN_EDOMAIN);
    assert_int_equal(number(&x, "1e-400"), DPN_EDOMAIN);
    assert_int_equal(number(&x, "\"nan\""), DPN_EPARSE);
    assert_int_equal(number(&x, "null"), DPN_EPARSE);
    assert_true(x == 7);
    assert_int_equal(number(&x, "\"inf\""), DPN_OK);
    assert_true(isinf(x) && x > 0);
    assert_int_equal(number(&x, "\"-inf\""), DPN_OK);
    assert_true(isinf(x) && x < 0);
    assert_int_equal(number(&x, "0.1"), DPN_OK);
    assert_true(x == 0.1);
}

static void expect_words(const char *text, const char *expected) {
    char out[16];
    dpn_json json;
    assert_int_equal(dpn_json_read(&json, text, strlen(text), NULL), DPN_OK);
    dpn_status status = dpn_json_string(out, sizeof out, &json, json.value, NULL);
    if (expected) {
        assert_int_equal(status, DPN_OK);
        assert_string_equal(out, expected);
    } else {
        assert_int_equal(status, DPN_EPARSE);
    }
    dpn_json_free(&json);
}

static void strings(void **state) {
    (void)state;
    expect_words("\"a\\n\\\\\\/\\\"b\"", "a\n\\/\"b");
    expect_words("\"\\u00e9\\u20ac\"", "\xc3\xa9\xe2\x82\xac");
    expect_words("\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80");
    expect_words("\"\xc3\xa9\"", "\xc3\xa9");
    expect_words("\"123456789012345\"", "123456789012345");
    expect_words("\"1234567890123456\"", NULL);
    expect_words("\"12345678901234\\u00e9\"", NULL);
    expect_words("\"a\\u0000b\"", NULL);
    expect_words("12", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_json),
        cmocka_unit_test(what_is_not),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(members_and_elements),
        cmocka_unit_test(numbers),
        cmocka_unit_test(strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
