/* Laws as text: what is read, what is refused, and that nothing is written on failure. */
#define _DEFAULT_SOURCE /* mkdtemp, setenv */
#include <dpnoise/law.h>
#include <dpnoise/number.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void spellings(void **state) {
    (void)state;
    static const char *const same[] = {
        "flipped-huber(alpha=3,gamma=1)",       " flipped-huber ( alpha = 3 , gamma = 1 ) ",
        "flipped-huber(gamma=1,alpha=3)",       "flipped-huber(alpha=3.0,gamma=+1e0)",
        "flipped-huber(\talpha=.3E1,gamma=1.)",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        dpn_law law;
        char text[DPN_LAW_TEXT_SIZE];
        assert_int_equal(dpn_law_parse(&law, same[i], NULL), DPN_OK);
        assert_string_equal(dpn_law_print(text, &law), "flipped-huber(alpha=3,gamma=1)");
        assert_true(dpn_law_parameter(&law, "alpha") == 3 && dpn_law_parameter(&law, "gamma") == 1);
        assert_true(isnan(dpn_law_parameter(&law, "sigma")));
    }
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *text;
        dpn_status status;
        const char *names; /* what the sentence must name */
    } bad[] = {
        {"", DPN_EPARSE, "empty"},
        {"   ", DPN_EPARSE, "empty"},
        {NULL, DPN_EPARSE, "empty"},
        {"gauss(sigma=1)", DPN_EPARSE, "'gauss'"},
        {"(sigma=1)", DPN_EPARSE, "family"},
        {"gaussian", DPN_EPARSE, "sigma is missing"},
        {"gaussian()", DPN_EPARSE, "sigma is missing"},
        {"gaussian(sigma=1", DPN_EPARSE, "')'"},
        {"gaussian(sigma=1)x", DPN_EPARSE, "'x'"},
        {"gaussian(sigma=1) laplace(scale=1)", DPN_EPARSE, "'laplace(scale=1)'"},
        {"gaussian(sigma=1,)", DPN_EPARSE, "name=value"},
        {"gaussian(,sigma=1)", DPN_EPARSE, "name=value"},
        {"gaussian(1)", DPN_EPARSE, "name=value"},
        {"gaussian(sigma)", DPN_EPARSE, "name=value"},
        {"gaussian(sigma=)", DPN_EPARSE, "sigma"},
        {"gaussian(sigma=1,sigma=2)", DPN_EPARSE, "twice"},
        {"gaussian(scale=1)", DPN_EPARSE, "'scale'"},
        {"gaussian(sigma=nan)", DPN_EPARSE, "sigma"},
        {"gaussian(sigma=inf)", DPN_EPARSE, "sigma"},
        {"gaussian(sigma=0x1p3)", DPN_EPARSE, "sigma"},
        {"gaussian(sigma=1e)", DPN_EPARSE, "sigma"},
        {"gaussian(sigma=1,5)", DPN_EPARSE, "name=value"},
        {"gaussian(sigma=1e400)", DPN_EDOMAIN, "sigma"},
        {"gaussian(sigma=1e999999999)", DPN_EDOMAIN, "sigma"},
        {"gaussian(sigma=1e-400)", DPN_EDOMAIN, "sigma"},
        {"gaussian(sigma=0)", DPN_EDOMAIN, "sigma"},
        {"gaussian(sigma=-1)", DPN_EDOMAIN, "sigma"},
        {"laplace(scale=-0.1)", DPN_EDOMAIN, "scale"},
        {"staircase(epsilon=1,sensitivity=1,gamma=1.5)", DPN_EDOMAIN, "gamma"},
        {"staircase(epsilon=1,sensitivity=1)", DPN_EPARSE, "gamma is missing"},
        {"truncated-laplace(scale=1,bound=-9)", DPN_EDOMAIN, "bound"},
        {"subbotin(p=0.5,scale=1)", DPN_EDOMAIN, "p "},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_law law, untouched;
        dpn_error why = {DPN_OK, ""};
        memset(&law, 0x5a, sizeof law);
        untouched = law;
        dpn_status status = dpn_law_parse(&law, bad[i].text, &why);
        if (status != bad[i].status || why.status != status || !strstr(why.sentence, bad[i].names))
            fail_msg("'%s': %s, '%s'", bad[i].text ? bad[i].text : "NULL", dpn_status_name(status), why.sentence);
        assert_memory_equal(&law, &untouched, sizeof law);
        assert_int_equal(dpn_law_parse(&law, bad[i].text, NULL), bad[i].status);
    }
}

static void constructors(void **state) {
    (void)state;
    dpn_law made, read;
    dpn_error why;
    assert_int_equal(dpn_law_make(&made, "osgt", (double[]){3, 6}, 2, NULL), DPN_OK);
    assert_int_equal(dpn_law_parse(&read, "osgt(m=3,sigma=6)", NULL), DPN_OK);
    assert_memory_equal(&made, &read, sizeof made);
    assert_int_equal(dpn_law_make(&made, "osgt", (double[]){3}, 1, &why), DPN_EPARSE);
    assert_int_equal(dpn_law_make(&made, "osg", (double[]){3, 6}, 2, &why), DPN_EPARSE);
    assert_int_equal(dpn_law_make(&made, NULL, NULL, 0, &why), DPN_EPARSE);
    assert_int_equal(dpn_law_make(&made, "osgt", (double[]){NAN, 6}, 2, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_law_make(&made, "osgt", (double[]){3, INFINITY}, 2, &why), DPN_EDOMAIN);
    assert_memory_equal(&made, &read, sizeof made);
}

/* Random doubles of every size go through text unchanged. */
static void numbers_round_trip(void **state) {
    (void)state;
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        double x, y;
        char text[DPN_NUMBER_SIZE];
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) continue;
        assert_int_equal(dpn_number_parse(&y, dpn_number_print(text, x), NULL), DPN_OK);
        assert_memory_equal(&x, &y, sizeof x);
    }
    static const struct {
        double x;
        const char *text;
    } known[] = {{0.1, "0.1"},
                 {1, "1"},
                 {-2.5, "-2.5"},
                 {1e-300, "1e-300"},
                 {DBL_MAX, "1.7976931348623157e+308"},
                 {0x1p-1074, "5e-324"},
                 {1e6, "1000000"},
                 {1e15, "1000000000000000"},
                 {1e16, "1e+16"},
                 {1e-5, "0.00001"},
                 {1.5e-6, "1.5e-06"},
                 {123456.789, "123456.789"},
                 {-0.0, "-0"},
                 {INFINITY, "inf"},
                 {-INFINITY, "-inf"},
                 {NAN, "nan"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[DPN_NUMBER_SIZE];
        assert_string_equal(dpn_number_print(text, known[i].x), known[i].text);
    }
}

/* In a locale with a decimal comma nothing changes. The locale is made for the test, so that it is there on every machine. */
static void locale_does_not_matter(void **state) {
    (void)state;
    char directory[] = "/tmp/dpnoise-locale-XXXXXX", command[128];
    assert_non_null(mkdtemp(directory));
    snprintf(command, sizeof command, "localedef --no-archive -i de_DE -f UTF-8 %s/de_DE.UTF-8", directory);
    assert_int_equal(system(command), 0);
    assert_int_equal(setenv("LOCPATH", directory, 1), 0);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
    double x;
    char text[DPN_NUMBER_SIZE];
    assert_string_equal(localeconv()->decimal_point, ",");
    assert_string_equal(dpn_number_print(text, 0.25), "0.25");
    assert_int_equal(dpn_number_parse(&x, "0.25", NULL), DPN_OK);
    assert_true(x == 0.25);
    assert_int_equal(dpn_number_parse(&x, "0,25", NULL), DPN_EPARSE);
    setlocale(LC_ALL, "C");
}

static void statuses(void **state) {
    (void)state;
    assert_string_equal(dpn_status_name(DPN_EBUDGET), "DPN_EBUDGET");
    assert_int_equal(dpn_status_exit_code(DPN_EBUDGET), 1);
    assert_int_equal(dpn_status_exit_code(DPN_EPARSE), 2);
    assert_int_equal(dpn_status_exit_code(DPN_EACCURACY), 4);
    for (int i = DPN_OK; i <= DPN_EUNSUPPORTED; i++) {
        assert_int_equal(strlen(dpn_status_sqlstate((dpn_status)i)), 5);
        assert_true(strlen(dpn_status_text((dpn_status)i)) > 3);
    }
    assert_string_equal(dpn_status_name((dpn_status)99), "DPN_?");
    assert_int_equal(dpn_status_exit_code((dpn_status)99), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings),
        cmocka_unit_test(refusals),
        cmocka_unit_test(constructors),
        cmocka_unit_test(numbers_round_trip),
        cmocka_unit_test(locale_does_not_matter),
        cmocka_unit_test(statuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
