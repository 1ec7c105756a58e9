/* zCDP of losses that are no law's, and OSGT Theorem 2 against its formula. */
#include "reference/draw.h"

#include <dpnoise/renyi.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_law law_of(const char *text) {
    dpn_law law;
    assert_int_equal(dpn_law_parse(&law, text, NULL), DPN_OK);
    return law;
}

static void coins_and_lists(void **state) {
    (void)state;
    dpn_part coin = {.times = 1}, listed = {.times = 1};
    const double value[] = {-0.5, 0.6}, probability[] = {0.3, 0.7};
    dpn_zcdp got = {-7, -7};
    dpn_error why;
    assert_int_equal(dpn_loss_pure(&coin.loss, 0.7, NULL), DPN_OK);
    assert_int_equal(dpn_zcdp_compose(&got, &coin, 1, NULL), DPN_OK);
    assert_true(got.xi == 0 && got.rho == dpn_zcdp_pure(0.7).rho);
    got.rho = -7;
    assert_int_equal(dpn_loss_explicit(&listed.loss, value, probability, 2, NULL), DPN_OK);
    assert_int_equal(dpn_zcdp_compose(&got, &listed, 1, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "no zCDP is computed for an explicit loss");
    assert_true(got.rho == -7);
}

/* K log((1 - Q(b))/Q(b))/(a - 1) + a l2^2/2 sigma^2 */
static void theorem_2(void **state) {
    (void)state;
    draw_source source = {362};
    for (int trial = 0; trial < 500; trial++) {
        double m = draw_log_uniform(&source, 1e-9, 10), sigma = draw_log_uniform(&source, 0.3, 5),
               l2 = trial % 9 ? draw_log_uniform(&source, 1e-3, 9) : 0;
        double order = 1 + draw_log_uniform(&source, 1e-3, 50), got, parameter[] = {m, sigma};
        size_t k = 1 + (size_t)trial % 40;
        dpn_law law;
        assert_int_equal(dpn_law_make(&law, "osgt", parameter, 2, NULL), DPN_OK);
        assert_int_equal(dpn_renyi_osgt_theorem_2(&got, &law, k, l2, order, NULL), DPN_OK);
        long double b = (long double)m / sigma, tail = 0.5L * erfcl(b / sqrtl(2)), move = (long double)l2 / sigma;
        long double exact =
            (long double)k * log1pl(erfl(b / sqrtl(2)) / tail) / ((long double)order - 1) + 0.5L * order * move * move;
        long double over = (got - exact) / exact;
        assert_true(over >= 0 && over > 0.7e-14L && over < 1.3e-14L); /* 1e-14 of it is added for all roundings */
    }
    dpn_law osgt = law_of("osgt(m=1,sigma=1)"), other = law_of("gaussian(sigma=1)");
    double got = -7;
    dpn_error why;
    assert_int_equal(dpn_renyi_osgt_theorem_2(&got, &other, 1, 1, 2, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "OSGT Theorem 2 is about osgt noise, not gaussian");
    assert_int_equal(dpn_renyi_osgt_theorem_2(&got, &osgt, 0, 1, 2, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "the dimension must be at least 1");
    const double bad[] = {-1e-300, INFINITY, NAN}, orders[] = {1, 0.5, NAN};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dpn_renyi_osgt_theorem_2(&got, &osgt, 1, bad[i], 2, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "l2 must be finite and not negative");
        assert_int_equal(dpn_renyi_osgt_theorem_2(&got, &osgt, 1, 1, orders[i], &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "the order must be more than 1");
    }
    assert_true(got == -7);
    assert_int_equal(dpn_renyi_osgt_theorem_2(&got, &osgt, 1, 0, INFINITY, &why), DPN_OK);
    assert_true(got > 0 && got <= 2 * DBL_MIN); /* what underflowed is not 0 */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(coins_and_lists), cmocka_unit_test(theorem_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
