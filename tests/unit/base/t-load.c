/* A library that is loaded when it is needed: found, missing, and one that lacks a function. */
#include "base/load.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct functions {
    double (*cosine)(double);
    double (*sine)(double);
} functions;

static const dpn_load_function wanted[] = {{"cos", offsetof(functions, cosine)}, {"sin", offsetof(functions, sine)}};
static const dpn_load_function absent[] = {{"sin", offsetof(functions, sine)},
                                           {"no_such_function", offsetof(functions, cosine)}};

static double nothing(double x) {
    return x;
}

static void loaded(void **state) {
    (void)state;
    const dpn_load_library library = {"libm.so.6", "the mathematics", "libc6", wanted, 2, NULL};
    functions f = {0};
    dpn_error why;
    assert_int_equal(dpn_load(&f, sizeof f, &library, &why), DPN_OK);
    for (int again = 0; again < 2; again++) {
        assert_true(f.sine(1) == sin(1));
        assert_true(f.cosine(1) == cos(1));
        assert_int_equal(dpn_load(&f, sizeof f, &library, &why), DPN_OK);
    }
}

static void missing(void **state) {
    (void)state;
    const struct {
        dpn_load_library library;
        const char *told;
    } cases[] = {{{"libnowhere.so.7", "the other side", "libnowhere7", wanted, 2, NULL}, "libnowhere7"},
                 {{"libnowhere.so.7", "the other side", NULL, wanted, 2, "look elsewhere"}, "look elsewhere"},
                 {{"libm.so.6", "the mathematics", "libc6", absent, 2, NULL}, "no_such_function"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        functions f = {nothing, nothing};
        dpn_error why;
        assert_int_equal(dpn_load(&f, sizeof f, &cases[i].library, &why), DPN_EUNSUPPORTED);
        assert_non_null(strstr(why.sentence, cases[i].told));
        assert_true(f.sine == nothing && f.cosine == nothing); /* nothing is half-loaded */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loaded), cmocka_unit_test(missing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
