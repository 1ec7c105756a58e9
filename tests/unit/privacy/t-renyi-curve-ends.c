/* The divergences of one loss: lists, coins, Gaussian noise and noise that ends, against sums and integrals; and what is refused. */
#include "privacy/renyi/curve.h"

#include "case.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_loss loss_of(const char *text, double sensitivity) {
    dpn_loss loss;
    dpn_law law = case_law(text);
    assert_int_equal(dpn_loss_law(&loss, &law, sensitivity, NULL), DPN_OK);
    return loss;
}

static dpn_divergence at_order(const dpn_loss *loss, double order, bool finite) {
    dpn_curve curve;
    dpn_divergence out = {NAN, NAN};
    dpn_error why;
    if (finite ? dpn_curve_make_finite(&curve, loss, &why) : dpn_curve_make(&curve, loss, &why))
        fail_msg("%s", why.sentence);
    if (dpn_curve_at(&out, &curve, order, &why)) fail_msg("%s", why.sentence);
    dpn_curve_free(&curve);
    return out;
}

/* A list of two losses: its divergence is a sum of two. */
static void lists(void **state) {
    (void)state;
    const double value[] = {-0.5, 0.6}, probability[] = {0.3, 0.7};
    dpn_loss loss;
    assert_int_equal(dpn_loss_explicit(&loss, value, probability, 2, NULL), DPN_OK);
    for (double order = 1; order < 1e4; order = 2 * order - 0.5) {
        long double theta = order - 1,
                    truth = theta > 0 ? logl(0.3L * expl(-0.5L * theta) + 0.7L * expl(0.6L * theta)) / theta
                                      : 0.7L * 0.6L - 0.3L * 0.5L;
        if (theta * 0.6L > 11000) continue;
        dpn_divergence got = at_order(&loss, order, false);
        long double room = 1e-9L * (1 + fabsl(truth));
        assert_true(got.lower <= fmaxl(truth, 0) + 1e-15L && got.upper >= truth - 1e-15L &&
                    got.upper - got.lower <= room);
    }
    assert_true(at_order(&loss, INFINITY, false).lower == 0.6 && at_order(&loss, INFINITY, false).upper == 0.6);
}

static void gaussian_noise(void **state) {
    (void)state;
    for (double theta = 0; theta < 1e4; theta = 3 * theta + 0.2) {
        dpn_loss loss = loss_of("gaussian(sigma=2)", 3);
        dpn_divergence ends = at_order(&loss, 1 + theta, false);
        long double truth = (1 + (long double)theta) * 9 / 8;
        assert_true(ends.lower <= truth && ends.upper >= truth && ends.upper - ends.lower <= 18 * DBL_EPSILON * truth);
    }
}

/* Given that the loss is finite both distributions are what they share, scaled: of noise that ends, against a sum or an integral of that. */
static void finite_parts(void **state) {
    (void)state;
    dpn_law law = case_law("truncated-laplace(scale=2,bound=5)");
    dpn_loss loss = loss_of("truncated-laplace(scale=2,bound=5)", 3);
    for (double order = 1; order < 40; order = 2 * order + 0.3) {
        enum { CELLS = 60000 };
        double theta = order - 1, mass = 0, sum = 0, step = 7.0 / CELLS; /* from -5 to 2, where t and t + 3 both live */
        for (int i = 0; i < CELLS; i++) {
            double t = -5 + (i + 0.5) * step, f = exp(dpn_law_log_pdf(&law, t)), l = (fabs(t + 3) - fabs(t)) / 2;
            mass += f;
            sum += f * (theta > 0 ? exp(theta * l) : l);
        }
        double truth = theta > 0 ? log(sum / mass) / theta : sum / mass;
        dpn_divergence got = at_order(&loss, order, true);
        assert_true(fabs(got.lower - truth) <= 1e-6 * truth && fabs(got.upper - truth) <= 1e-6 * truth &&
                    got.lower < got.upper && got.upper - got.lower < 1e-10);
        assert_true(isinf(at_order(&loss, order, false).lower));
    }
    dpn_divergence most = at_order(&loss, INFINITY, true);
    assert_true(most.lower <= 1.5 && most.upper >= 1.5 && most.upper - most.lower <= 12 * DBL_EPSILON * 1.5);
    dpn_loss whole = loss_of("truncated-geometric(epsilon=0.5,n=4,theta=1)", 3),
             still = loss_of("truncated-laplace(scale=2,bound=5)", 0),
             apart = loss_of("truncated-laplace(scale=2,bound=5)", 11);
    law = case_law("truncated-geometric(epsilon=0.5,n=4,theta=1)");
    for (double order = 1.5; order < 30; order *= 2) {
        double mass = 0, sum = 0;
        for (int k = -4; k <= 1; k++) {
            mass += exp(dpn_law_log_pdf(&law, k));
            sum += exp(order * dpn_law_log_pdf(&law, k) + (1 - order) * dpn_law_log_pdf(&law, k + 3));
        }
        dpn_divergence got = at_order(&whole, order, true);
        double truth = log(sum / mass) / (order - 1);
        assert_true(fabs(got.lower / truth - 1) < 1e-9 && fabs(got.upper / truth - 1) < 1e-9);
    }
    assert_true(at_order(&still, 2, true).upper == 0 && at_order(&still, 2, false).upper == 0 &&
                at_order(&still, INFINITY, false).upper == 0);
    dpn_curve curve;
    dpn_error why;
    dpn_status status = dpn_curve_make_finite(&curve, &apart, &why);
    assert_int_equal(status, DPN_EACCURACY);
    dpn_curve_free(&curve);
}

static void coins_and_largest_losses(void **state) {
    (void)state;
    dpn_loss coin, none;
    assert_int_equal(dpn_loss_pure(&coin, 0.8, NULL), DPN_OK);
    assert_int_equal(dpn_loss_pure(&none, 0, NULL), DPN_OK);
    for (double order = 1; order < 500; order = 2 * order + 0.25) {
        long double theta = order - 1, p = 1 / (1 + expl(-0.8L));
        long double truth =
            theta > 0 ? logl(p * expl(theta * 0.8L) + (1 - p) * expl(-theta * 0.8L)) / theta : 0.8L * (2 * p - 1);
        dpn_divergence got = at_order(&coin, order, false);
        assert_true(got.lower <= truth * (1 + 1e-15L) && got.upper >= truth * (1 - 1e-15L) &&
                    got.upper - got.lower <= 1e-10L);
        assert_true(at_order(&none, order, false).upper == 0 && got.upper <= 0.8);
    }
    assert_true(at_order(&coin, INFINITY, false).lower == 0.8 && at_order(&coin, INFINITY, false).upper == 0.8);
    dpn_loss laplace = loss_of("laplace(scale=4)", 3), gauss = loss_of("gaussian(sigma=1)", 1),
             bounded = loss_of("truncated-laplace(scale=2,bound=5)", 3);
    assert_true(at_order(&laplace, INFINITY, false).lower == 0.75 && at_order(&laplace, INFINITY, false).upper == 0.75);
    assert_true(isinf(at_order(&gauss, INFINITY, false).lower) && isinf(at_order(&bounded, INFINITY, false).lower));
}

static void refusals(void **state) {
    (void)state;
    dpn_error why;
    dpn_divergence out = {-7, -7};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(dpn_order_check((const double[]){0.9999999, -1, -INFINITY, NAN}[i], &why), DPN_EDOMAIN);
        assert_string_equal(
            why.sentence, "the order must be at least 1 (1 is the Kullback-Leibler divergence, inf the largest loss)");
    }
    assert_int_equal(dpn_order_check(1, NULL), DPN_OK);
    assert_int_equal(dpn_order_check(INFINITY, NULL), DPN_OK);
    /* An unknown largest loss; and an error that is too large to be shown. */
    dpn_loss gauss = loss_of("gaussian(sigma=1)", 1);
    dpn_curve curve;
    assert_int_equal(dpn_curve_make(&curve, &gauss, NULL), DPN_OK);
    curve.largest = (dpn_divergence){0, INFINITY};
    assert_int_equal(dpn_curve_at(&out, &curve, INFINITY, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "the largest loss of gaussian noise is not known");
    assert_int_equal(dpn_curve_at(&out, &curve, 2, &why), DPN_OK);
    out = (dpn_divergence){-7, -7};
    curve.doubt = 5.01e-9;
    assert_int_equal(dpn_curve_at(&out, &curve, 2, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the divergence of order 2 cannot be computed to one part in 10^8 here");
    assert_true(out.lower == -7 && out.upper == -7);
    curve.doubt = 5e-9 - 4 * DBL_EPSILON; /* with the four units of Gaussian noise just what is shown */
    assert_true(4 * DBL_EPSILON + curve.doubt == 5e-9);
    assert_int_equal(dpn_curve_at(&out, &curve, 2, &why), DPN_OK);
    curve.doubt = 4.99e-9;
    assert_int_equal(dpn_curve_at(&out, &curve, 2, &why), DPN_OK);
    assert_true(out.lower <= 1 - 4.99e-9 && out.lower >= 1 - 4.991e-9 && out.upper >= 1 + 4.99e-9 &&
                out.upper <= 1 + 4.991e-9);
    curve.largest = (dpn_divergence){0.5, 0.5}; /* cut at the largest loss, from below too */
    assert_int_equal(dpn_curve_at(&out, &curve, 2, &why), DPN_OK);
    assert_true(out.lower == 0.5 && out.upper == 0.5);
    dpn_curve_free(&curve);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),        cmocka_unit_test(gaussian_noise),
        cmocka_unit_test(finite_parts), cmocka_unit_test(coins_and_largest_losses),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
