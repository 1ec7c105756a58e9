/* A fit in a question is the fit of the same options, and the rest is the declaration as it was. */
#include <dpnoise/learn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define REST                                                                                                       \
    "\"statistics\": [{\"kind\": \"mean\", \"column\": \"a\", \"lower\": \"0\", \"upper\": \"1\"}], \"epsilon\": " \
    "\"1\""

static const char rest[] = "{" REST "}";

static void expect_rest(const char *text, size_t length) {
    dpn_declaration split, alone;
    char *one, *other;
    dpn_error why;
    if (dpn_declaration_read(&split, text, length, &why)) fail_msg("%s: %s", text, why.sentence);
    assert_int_equal(dpn_declaration_read(&alone, rest, strlen(rest), &why), DPN_OK);
    assert_int_equal(dpn_declaration_write(&one, NULL, &split, &why), DPN_OK);
    assert_int_equal(dpn_declaration_write(&other, NULL, &alone, &why), DPN_OK);
    assert_string_equal(one, other);
    free(one), free(other);
    dpn_declaration_free(&split), dpn_declaration_free(&alone);
}

/* The settings that the text says, against those that are set in C. */
static void same(const char *settings, dpn_fit_options options) {
    static const char *const around[][2] = {
        {"{\"fit\": ", ", " REST "}"}, {"{" REST ",\n\"fit\" :\n", "\n}"}, {"{" REST ", \"fit\":", "}"}};
    for (size_t i = 0; i < 3; i++) {
        char question[2000], *text;
        size_t length;
        dpn_fit *read = NULL, *made = NULL;
        dpn_error why;
        snprintf(question, sizeof question, "%s%s%s", around[i][0], settings, around[i][1]);
        if (dpn_fit_split(&read, &text, &length, question, strlen(question), &why)) fail_msg("%s", why.sentence);
        if (dpn_fit_new(&made, &options, &why)) fail_msg("%s", why.sentence);
        assert_non_null(read);
        assert_string_equal(dpn_fit_inquiry(read)->text, dpn_fit_inquiry(made)->text);
        assert_int_equal(length, strlen(text));
        expect_rest(text, length);
        free(text);
        dpn_fit_free(read), dpn_fit_free(made);
    }
}

static void test_every_setting(void **state) {
    (void)state;
    static const double start[] = {0.5, -1e-3}, smoothness[] = {1, 0.25};
    dpn_fit_options options = dpn_fit_options_init();
    same("{\"kind\": \"linear\"}", options);
    options = dpn_fit_options_init();
    options.kind = DPN_FIT_LOGISTIC, options.method = "cd", options.no_intercept = options.raw = true;
    options.noise = "gaussian", options.l1 = 0.125, options.l2 = 0.5, options.passes = 7, options.rows = 1e4;
    options.accounting = DPN_FIT_ZCDP, options.clip = 2, options.step = 0.75, options.identical = true;
    options.start = start, options.starts = 2, options.smoothness = smoothness, options.smoothnesses = 2;
    same("{\"kind\": \"logistic\", \"method\": \"cd\", \"no_intercept\": true, \"raw\": true, \"noise\": \"gaussian\", "
         "\"l1\": 0.125, \"l2\": 5e-1, \"passes\": 7, \"rows\": 10000, \"accounting\": \"zcdp\", \"clip\": 2, "
         "\"step\": 0.75, \"identical\": true, \"start\": [0.5, -0.001], \"smoothness\": [1, 0.25]}",
         options);
    options = dpn_fit_options_init();
    options.method = "objective", options.ball = "l1", options.within = 3, options.share = 0.25;
    same("{\"share\": 0.25, \"within\": 3, \"ball\": \"l1\", \"method\": \"objective\", \"kind\": \"linear\"}",
         options);
    options = dpn_fit_options_init();
    options.kind = DPN_FIT_QUANTILE, options.method = "kng", options.quantile = 0.9, options.points = 33;
    same("{\"kind\": \"quantile\", \"method\": \"kng\", \"quantile\": 0.9, \"points\": 33}", options);
    options = dpn_fit_options_init();
    options.method = "sgd", options.sample_rate = 0.125;
    same("{\"kind\": \"linear\", \"method\": \"sgd\", \"sample_rate\": 0.125}", options);
    options = dpn_fit_options_init();
    options.method = "aggregate", options.blocks = 40;
    same("{\"kind\": \"linear\", \"method\": \"aggregate\", \"blocks\": 40, \"raw\": false}", options);
    options = dpn_fit_options_init();
    options.tune = true;
    same("{\"kind\": \"linear\", \"tune\": true}", options);
}

static void test_no_fit(void **state) {
    (void)state;
    dpn_fit *fit = (dpn_fit *)(uintptr_t)1;
    char *text;
    size_t length;
    dpn_error why;
    assert_int_equal(dpn_fit_split(&fit, &text, &length, rest, strlen(rest), &why), DPN_OK);
    assert_null(fit);
    assert_string_equal(text, rest);
    assert_int_equal(length, strlen(rest));
    free(text);
}

/* Nothing is written, and the sentence says which setting. */
static void test_refused(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"{\"fit\": [1]}", "object"},
        {"{\"fit\": {}}", "kind"},
        {"{\"fit\": {\"kind\": \"linear\", \"kind\": \"linear\"}}", "twice"},
        {"{\"fit\": {\"kind\": \"linear\"}, \"fit\": {\"kind\": \"linear\"}}", "twice"},
        {"{\"fit\": {\"kind\": \"linear\", \"st\\u0061rt\": [1], \"start\": [1]}}", "plain"},
        {"{\"fit\": {\"kind\": \"linear\", \"within\": -1}}", "within"},
        {"{\"fit\": {\"kind\": \"linear\", \"blocks\": 1e300}}", "blocks"},
        {"{\"fit\": {\"kind\": \"linear\", \"start\": {}}}", "start"},
        {"{\"fit\": {\"kind\": \"linear\", \"smoothness\": [null]}}", "smoothness"},
        {"{\"fit\": {\"kind\": \"linear\", \"tune\": \"private\"}}", "tune"},
        {"{\"fit\": {\"kind\": \"linear\", \"quantile\": 0.5}}", "quantile"},
        {"{\"fit\": {\"kind\": \"linear\"", ""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_fit *fit = NULL;
        char *text = NULL;
        dpn_error why = {DPN_OK, ""};
        assert_int_not_equal(dpn_fit_split(&fit, &text, NULL, bad[i][0], strlen(bad[i][0]), &why), DPN_OK);
        if (!strstr(why.sentence, bad[i][1])) fail_msg("%s: %s", bad[i][0], why.sentence);
        assert_true(!fit && !text && why.status);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_setting),
        cmocka_unit_test(test_no_fit),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("learn/split", tests, NULL, NULL);
}
