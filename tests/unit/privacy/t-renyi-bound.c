/* Bounds of Renyi divergences by name: their formulas, and that they lie above the divergences. */
#include "case.h"

#include <dpnoise/renyi.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static double bound(const char *name, const dpn_law *law, const dpn_sensitivity *set, double order) {
    double out = NAN;
    dpn_error why;
    if (dpn_renyi_bound(&out, name, law, set, order, &why)) fail_msg("%s: %s", name, why.sentence);
    return out;
}

/* The value of OSGT's example, k = 8, by mpmath with 40 digits. */
static void the_formulas(void **state) {
    (void)state;
    dpn_law law = case_law("osgt(m=15,sigma=25.099800796022265)");
    dpn_sensitivity set = {.dimension = 8, .linf = 1};
    assert_true(fabs(bound("osgt-16", &law, &set, 10) / 0.9249645211255452381267091 - 1) < 1e-13);
    for (double order = 1.5; order < 100; order *= 2) {
        double expected = (15 * 8 + order * 8 / 2) / (25.099800796022265 * 25.099800796022265);
        assert_true(fabs(bound("osgt-constant", &law, &set, order) / expected - 1) < 1e-13);
    }
    law = case_law("flipped-huber(alpha=2,gamma=3)");
    set = (dpn_sensitivity){.dimension = 5, .linf = 1};
    assert_true(fabs(bound("fh-theorem-9", &law, &set, 7) / ((5 * 3 + 7 * 5) / 18.0) - 1) < 1e-13);
}

static void they_lie_above(void **state) {
    (void)state;
    draw_source source = {71};
    static const char *const names[] = {"osgt-16", "osgt-constant", "fh-theorem-9"};
    for (int i = 0; i < case_count(120); i++) {
        const char *name = names[i % 3], *family = i % 3 == 2 ? "flipped-huber" : "osgt";
        double scale = draw_log_uniform(&source, 0.3, 30);
        double parameter[] = {scale * draw_log_uniform(&source, 0.01, 5), scale},
               order = 1 + draw_log_uniform(&source, 1e-2, 100);
        dpn_law law;
        dpn_divergence exact = {0, 0};
        dpn_error why;
        assert_int_equal(dpn_law_make(&law, family, parameter, 2, &why), DPN_OK);
        double bounds[] = {1, 0.5, 2};
        dpn_sensitivity set = {.dimension = 3};
        if (i % 2) set.bound = bounds;
        if (i % 2 == 0) set.linf = draw_log_uniform(&source, 0.1, 10);
        if (i % 4 == 1) set.l1 = 2.5;
        if (dpn_renyi_sensitivity(&exact, NULL, &law, 1, &set, &order, 1, &why)) fail_msg("%s", why.sentence);
        if (!(bound(name, &law, &set, order) >= exact.lower))
            fail_msg("%s, %s(%g, %g), order %g: below the divergence %g", name, family, parameter[0], parameter[1],
                     order, exact.lower);
    }
}

static void others_are_refused(void **state) {
    (void)state;
    double out = 7;
    dpn_error why;
    dpn_law law = case_law("laplace(scale=1)"), osgt = case_law("osgt(m=1,sigma=1)");
    dpn_sensitivity set = {.dimension = 1, .linf = 1}, still = {.dimension = 1, .bound = (const double[]){0}};
    assert_int_equal(dpn_renyi_bound(&out, "osgt-16", &law, &set, 2, &why), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_renyi_bound(&out, "osgt-17", &osgt, &set, 2, &why), DPN_EPARSE);
    assert_int_equal(dpn_renyi_bound(&out, "osgt-16", &osgt, &set, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_renyi_bound(&out, "osgt-constant", &osgt, &set, NAN, &why), DPN_EDOMAIN);
    assert_true(out == 7);
    assert_int_equal(dpn_renyi_bound(&out, "osgt-16", &osgt, &still, 2, &why), DPN_OK);
    assert_true(out == 0);
    size_t count = 0;
    while (dpn_renyi_bound_name(count)) assert_true(strlen(dpn_renyi_bound_describe(count++)) > 10);
    assert_true(count == 3 && !dpn_renyi_bound_describe(count));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_formulas),
        cmocka_unit_test(they_lie_above),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
