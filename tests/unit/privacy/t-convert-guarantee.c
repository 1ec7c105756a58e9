/* Guarantees as text: every notion there and back, which way each number is rounded, every limit of words and numbers, and what is said of
 * texts that are none. */
#include "privacy/convert/guarantee.h"

#include <dpnoise/convert.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static dpn_guarantee read(const char *text) {
    dpn_guarantee out;
    dpn_error why;
    if (dpn_guarantee_parse(&out, text, &why)) fail_msg("%s: %s", text, why.sentence);
    return out;
}

static void every_notion_there_and_back(void **state) {
    (void)state;
    static const char *const texts[] = {"pure(epsilon=0.5)",
                                        "approximate(epsilon=0.5,delta=0.25)",
                                        "zcdp(xi=0.5,rho=0.25)",
                                        "zcdp(xi=0,rho=1)",
                                        "renyi(order=2,divergence=3)",
                                        "renyi(order=inf,divergence=3)",
                                        "gdp(mu=0.5)",
                                        "pure(epsilon=0)",
                                        "pure(epsilon=1e+100)",
                                        "approximate(epsilon=0,delta=0)",
                                        "renyi(order=1.5,divergence=0)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[DPN_GUARANTEE_TEXT_SIZE], spaced[400], *at = spaced;
        dpn_guarantee one = read(texts[i]), again;
        assert_ptr_equal(dpn_guarantee_print(text, &one), text);
        again = read(text);
        assert_memory_equal(&one, &again, sizeof one);
        if (i != 8) assert_string_equal(text, texts[i]);
        for (const char *c = texts[i]; *c; c++) /* blanks everywhere but within words */
            at += sprintf(at, strchr("(,=)", *c) ? " \t%c\t " : "%c", *c);
        again = read(spaced);
        assert_memory_equal(&one, &again, sizeof one);
        dpn_guarantee target;
        assert_int_equal(dpn_guarantee_parse_target(&target, texts[i], NULL), DPN_OK);
        if (i != 8) assert_memory_equal(&one, &target, sizeof one);
    }
    dpn_guarantee turned = read("zcdp(rho=0.25,xi=0.5)"), straight = read("zcdp(xi=0.5,rho=0.25)");
    assert_memory_equal(&turned, &straight, sizeof turned);
    char text[DPN_GUARANTEE_TEXT_SIZE];
    dpn_guarantee longest = {
        .notion = DPN_APPROXIMATE, .epsilon = -1.2345678901234568e-300, .delta = -1.2345678901234568e-300};
    assert_string_equal(dpn_guarantee_print(text, &longest),
                        "approximate(epsilon=-1.2345678901234568e-300,delta=-1.2345678901234568e-300)");
}

/* 0.3 is no double: a promise is not smaller than its text, and the order of a divergence not larger; of a target the other way round. */
static void numbers_are_rounded_to_their_side(void **state) {
    (void)state;
    const double up = nextafter(0.3, 1), down = 0.3, above = 1.1,
                 below = nextafter(1.1, 0); /* 0.3 as a double is below, 1.1 above */
    static const struct {
        const char *text;
        size_t offset;
    } row[] = {{"pure(epsilon=0.3)", offsetof(dpn_guarantee, epsilon)},
               {"approximate(epsilon=0.3,delta=0)", offsetof(dpn_guarantee, epsilon)},
               {"approximate(epsilon=0,delta=0.3)", offsetof(dpn_guarantee, delta)},
               {"zcdp(xi=0.3,rho=0)", offsetof(dpn_guarantee, xi)},
               {"zcdp(rho=0.3)", offsetof(dpn_guarantee, rho)},
               {"renyi(order=2,divergence=0.3)", offsetof(dpn_guarantee, divergence)},
               {"gdp(mu=0.3)", offsetof(dpn_guarantee, mu)}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_guarantee promise = read(row[i].text), target;
        double value;
        assert_int_equal(dpn_guarantee_parse_target(&target, row[i].text, NULL), DPN_OK);
        memcpy(&value, (char *)&promise + row[i].offset, sizeof value);
        assert_true(value == up);
        memcpy(&value, (char *)&target + row[i].offset, sizeof value);
        assert_true(value == down);
    }
    dpn_guarantee promise = read("renyi(order=1.1,divergence=1)"), target;
    assert_int_equal(dpn_guarantee_parse_target(&target, "renyi(order=1.1,divergence=1)", NULL), DPN_OK);
    assert_true(promise.order == below && target.order == above);
}

static void refused(const char *text, dpn_status status, const char *sentence) {
    dpn_guarantee out, before;
    dpn_error why = {DPN_OK, ""};
    memset(&out, 0x55, sizeof out);
    before = out;
    assert_int_equal(dpn_guarantee_parse(&out, text, &why), status);
    if (strcmp(why.sentence, sentence) != 0) fail_msg("%s: '%s', not '%s'", text, why.sentence, sentence);
    assert_int_equal(dpn_guarantee_parse_target(&out, text, &why), status);
    assert_memory_equal(&out, &before, sizeof out);
}

static void texts_that_are_none(void **state) {
    (void)state;
    char text[200], sentence[300];
    const char *write = "is not a guarantee: write pure(epsilon=E), approximate(epsilon=E,delta=D), zcdp(xi=X,rho=R), "
                        "renyi(order=A,divergence=V) or gdp(mu=M)";
    static const char *const none[] = {"",
                                       "pure",
                                       "(epsilon=1)",
                                       "pur(epsilon=1)",
                                       "puree(epsilon=1)",
                                       "PURE(epsilon=1)",
                                       "pure=1",
                                       "p ure(epsilon=1)"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        snprintf(sentence, sizeof sentence, "'%s' %s", none[i], write);
        refused(none[i], DPN_EPARSE, sentence);
    }
    snprintf(sentence, sizeof sentence, "'' %s", write);
    refused(NULL, DPN_EPARSE, sentence);
    refused("pure()", DPN_EPARSE, "pure: write name=value, not ')'");
    refused("pure(epsilon 1)", DPN_EPARSE, "pure: write name=value, not 'epsilon 1)'");
    refused("pure(epsilon=1", DPN_EPARSE, "pure: the closing bracket is missing");
    refused("zcdp(xi=1,rho=", DPN_EPARSE, "zcdp: the closing bracket is missing");
    refused("zcdp(xi=1,)", DPN_EPARSE, "zcdp: write name=value, not ')'");
    refused("zcdp(xi=1)", DPN_EPARSE, "zcdp: rho is missing");
    refused("approximate(delta=0)", DPN_EPARSE, "approximate: epsilon is missing");
    refused("approximate(epsilon=0)", DPN_EPARSE, "approximate: delta is missing");
    refused("renyi(order=2)", DPN_EPARSE, "renyi: divergence is missing");
    refused("gdp(mu=1,mu=1)", DPN_EPARSE, "gdp: mu is given twice");
    refused("zcdp(xi=1,rho=2,xi=1)", DPN_EPARSE, "zcdp: xi is given twice");
    refused("zcdp(rho=2,rho=1)", DPN_EPARSE, "zcdp: rho is given twice");
    refused("pure(delta=1)", DPN_EPARSE, "pure has no parameter 'delta'");
    refused("pure(epsilon=1) and", DPN_EPARSE, "pure: ' and' stands after it");
    refused("pure(epsilon=-1)", DPN_EDOMAIN, "pure: epsilon must lie in [0, 1e100]");
    refused("pure(epsilon=1.1e100)", DPN_EDOMAIN, "pure: epsilon must lie in [0, 1e100]");
    refused("approximate(epsilon=1,delta=-1)", DPN_EDOMAIN, "approximate: delta must lie in [0, 1e100]");
    refused("approximate(epsilon=1,delta=1)", DPN_EDOMAIN, "approximate: delta must be less than 1");
    refused("renyi(order=1,divergence=1)", DPN_EDOMAIN, "renyi: order must be more than 1");
    refused("renyi(order=2,divergence=-1)", DPN_EDOMAIN, "renyi: divergence must lie in [0, 1e100]");
    refused("zcdp(xi=-1,rho=1)", DPN_EDOMAIN, "zcdp: xi must lie in [0, 1e100]");
    refused("gdp(mu=-1)", DPN_EDOMAIN, "gdp: mu must lie in [0, 1e100]");
    /* inf is an order, and nothing else */
    dpn_guarantee out;
    assert_true(dpn_guarantee_parse(&out, "pure(epsilon=inf)", NULL) &&
                dpn_guarantee_parse(&out, "renyi(order=2,divergence=inf)", NULL));
    assert_true(dpn_guarantee_parse(&out, "renyi(order=infinity,divergence=1)", NULL) &&
                dpn_guarantee_parse(&out, "pure(epsilon=)", NULL));
    assert_true(dpn_guarantee_parse(&out, "renyi(order=2,divergence=nan)", NULL));
    /* numbers of up to 63 letters, words of up to 15, and 40 letters of what is not understood */
    for (int digits = 1; digits < 80; digits++) {
        snprintf(text, sizeof text, "pure(epsilon=1.%0*d \t)", digits, 0);
        if (digits + 2 < 64)
            assert_true(read(text).epsilon == 1);
        else
            refused(text, DPN_EPARSE, "epsilon: the number is too long");
    }
    refused("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", DPN_EPARSE,
            (snprintf(sentence, sizeof sentence, "'abcdefghijklmnopqrstuvwxyzabcdefghijklmn' %s", write), sentence));
    refused("pure(abcdefghijklmno=1)", DPN_EPARSE, "pure has no parameter 'abcdefghijklmno'");
    refused("pure(abcdefghijklmnop=1)", DPN_EPARSE, "pure: write name=value, not 'abcdefghijklmnop=1)'");
}

static void domains(void **state) {
    (void)state;
    dpn_error why;
    assert_int_equal(dpn_guarantee_check(&(dpn_guarantee){.notion = (dpn_notion)5}, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "there is no such notion of privacy");
    assert_int_equal(dpn_guarantee_check(&(dpn_guarantee){.notion = (dpn_notion)-1}, &why), DPN_EDOMAIN);
    for (int notion = DPN_PURE; notion <= DPN_GDP; notion++) {
        dpn_guarantee most = {.notion = (dpn_notion)notion,
                              .epsilon = 1e100,
                              .xi = 1e100,
                              .rho = 1e100,
                              .order = INFINITY,
                              .divergence = 1e100,
                              .mu = 1e100};
        assert_int_equal(dpn_guarantee_check(&most, NULL), DPN_OK);
        dpn_guarantee least = {.notion = (dpn_notion)notion, .order = nextafter(1, 2)};
        assert_int_equal(dpn_guarantee_check(&least, NULL), DPN_OK);
    }
    dpn_guarantee next = {.notion = DPN_APPROXIMATE, .delta = nextafter(1, 0)};
    assert_int_equal(dpn_guarantee_check(&next, NULL), DPN_OK);
    next = (dpn_guarantee){.notion = DPN_PURE, .epsilon = nextafter(1e100, INFINITY)};
    assert_int_equal(dpn_guarantee_check(&next, NULL), DPN_EDOMAIN);
    next.epsilon = NAN;
    assert_int_equal(dpn_guarantee_check(&next, NULL), DPN_EDOMAIN);
    next = (dpn_guarantee){.notion = DPN_RENYI, .order = NAN};
    assert_int_equal(dpn_guarantee_check(&next, NULL), DPN_EDOMAIN);
    /* in the simplest dress */
    dpn_guarantee simple = dpn_guarantee_simplest(&(dpn_guarantee){.notion = DPN_PURE, .epsilon = 2, .delta = 9});
    assert_true(simple.notion == DPN_APPROXIMATE && simple.epsilon == 2 && simple.delta == 0);
    simple = dpn_guarantee_simplest(&(dpn_guarantee){.notion = DPN_ZCDP, .xi = 2});
    assert_true(simple.notion == DPN_APPROXIMATE && simple.epsilon == 2);
    simple = dpn_guarantee_simplest(&(dpn_guarantee){.notion = DPN_ZCDP, .xi = 2, .rho = 1e-300});
    assert_true(simple.notion == DPN_ZCDP && simple.rho == 1e-300);
    simple = dpn_guarantee_simplest(&(dpn_guarantee){.notion = DPN_RENYI, .order = INFINITY, .divergence = 3});
    assert_true(simple.notion == DPN_APPROXIMATE && simple.epsilon == 3);
    simple = dpn_guarantee_simplest(&(dpn_guarantee){.notion = DPN_RENYI, .order = 1e300, .divergence = 3});
    assert_true(simple.notion == DPN_RENYI);
    simple = dpn_guarantee_simplest(&(dpn_guarantee){.notion = DPN_GDP, .mu = 3});
    assert_true(simple.notion == DPN_GDP && simple.mu == 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_notion_there_and_back),
        cmocka_unit_test(numbers_are_rounded_to_their_side),
        cmocka_unit_test(texts_that_are_none),
        cmocka_unit_test(domains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
