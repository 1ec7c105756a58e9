/* Curves of divergences, piece by piece: ends that lie outside, sums and multiples that are rounded outwards by one double at most, and what joint noise is
 * asked and what stands in for it. */
#include "privacy/renyi/curve.c" /* to see each piece */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ---- intervals ---- */

static void ends_move_by_four_units(void **state) {
    (void)state;
    for (double x = 1e-280; x < 1e300; x *= 1e7)
        for (double error = 0; error < 1e-3; error = 10 * error + 1e-13) {
            long double units = (up(x, error) - (long double)x * (1 + (long double)error)) / (x * DBL_EPSILON);
            assert_true(units > 2.4L && units < 5.6L);
            units = ((long double)x * (1 - (long double)error) - down(x, error)) / (x * DBL_EPSILON);
            assert_true(units > 2.4L && units < 5.6L);
        }
    assert_true(up(0, 0) == DBL_MIN && up(0, 1) == DBL_MIN && down(0, 1) == 0 &&
                down(1, 2) == 0); /* what underflowed is not 0 */
    assert_true(isinf(up(INFINITY, 0.1)) && isinf(down(INFINITY, 0.1)));
}

/* The doubles around exact sums and products. */
static void sums_and_multiples(void **state) {
    (void)state;
    draw_source source = {391};
    int exact = 0, inexact = 0;
    for (int trial = 0; trial < 3000; trial++) {
        double few = floor(draw_log_uniform(&source, 1, trial % 2 ? 1e15 : 100));
        dpn_divergence a = {draw_log_uniform(&source, 1e-9, 1e9), 0}, b = {draw_log_uniform(&source, 1e-9, 1e9), 0};
        if (trial % 3 == 0)
            a.lower = ldexp(floor(draw_uniform(&source, 1, 64)), trial % 40 - 20), b.lower = ldexp(1, trial % 30 - 15);
        a.upper = a.lower * 1.25, b.upper = b.lower * 1.5;
        size_t mark = r_mark();
        for (int product = 0; product < 2; product++) {
            dpn_divergence got = product ? dpn_divergence_times(a, few) : dpn_divergence_add(a, b);
            real low = product ? r_mul(r_num(a.lower), r_num(few)) : r_add(r_num(a.lower), r_num(b.lower));
            real high = product ? r_mul(r_num(a.upper), r_num(few)) : r_add(r_num(a.upper), r_num(b.upper));
            assert_true(!r_less(low, r_num(got.lower)) && r_less(low, r_num(nextafter(got.lower, INFINITY))));
            assert_true(!r_less(r_num(got.upper), high) && r_less(r_num(nextafter(got.upper, 0)), high));
            bool same = !r_less(r_num(got.lower), low);
            exact += same;
            inexact += !same;
        }
        r_release(mark);
    }
    assert_true(exact > 500 && inexact > 500);
    dpn_divergence one = {1, 1}, got = dpn_divergence_times(one, 0x1p53), more = dpn_divergence_times(one, 0x1p60);
    assert_true(got.lower == 0x1p53 && got.upper == 0x1p53);
    assert_true(more.lower < 0x1p60 && more.upper > 0x1p60); /* the count was rounded itself */
    dpn_divergence all = {2, INFINITY};
    assert_true(isinf(dpn_divergence_add(all, one).upper) && isinf(dpn_divergence_times(all, 3).upper) &&
                dpn_divergence_times(all, 3).lower == 6);
}

/* Explicit losses: their error is absolute, either way, and they are never below 0. Gaussian noise by its formula. */
static void errors_of_single_values(void **state) {
    (void)state;
    for (double truth = -1e-9; truth < 1e3; truth = 3 * fabs(truth)) {
        dpn_divergence wide = explicit_interval((dpn_growth){truth, 1e-6});
        double error = fabs(truth) * 1e-6;
        assert_true(fabs(wide.upper - fmax(0, truth) - error) <= 1e-9 * error + 2e-16 * fabs(truth));
        assert_true(fabs(wide.lower - fmax(0, truth - error)) <= 1e-9 * error + 2e-16 * fabs(truth));
    }
    dpn_divergence negative = explicit_interval((dpn_growth){-2e-9, -0.5}); /* what cancelled below 0 */
    assert_true(negative.lower == 0 && fabs(negative.upper - 1e-9) < 1e-20);
    for (double theta = 0; theta < 1e4; theta = 3 * theta + 0.2) {
        dpn_growth got = gaussian(1.7, theta);
        assert_true(fabsl(got.value - (1 + (long double)theta) * 1.7 * 1.7 / 2) <= 2 * DBL_EPSILON * got.value);
        assert_true(got.error == 4 * DBL_EPSILON);
    }
}

static void families_that_tell_too_little(void **state) {
    (void)state;
    dpn_error why;
    dpn_law law = case_law("gaussian(sigma=1)"); /* a family that tells too little */
    struct dpn_family family = *law.family;
    family.pieces = NULL;
    family.irregular = true;
    law.family = &family;
    dpn_loss loss = {.kind = &dpn_loss_kind_law, .law = law, .sensitivity = 1};
    assert_int_equal(check_known(&loss, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "no Renyi divergences are known for gaussian noise");
    family.irregular = false;
    assert_int_equal(check_known(&loss, &why), DPN_OK);
    family.not_log_concave = true;
    assert_int_equal(check_known(&loss, &why), DPN_EUNSUPPORTED);
}

/* ---- joint noise ---- */

static struct {
    double largest, fail_above;
    dpn_status failure;
    int asked;
    double highest;
} told;

static double joint_largest(const dpn_loss *loss) {
    (void)loss;
    return told.largest;
}

/* D_a = log(1 + a) and, of order 1, log 2. */
static dpn_status joint_cumulant(double *lower, double *upper, const dpn_loss *loss, double theta, dpn_error *why) {
    (void)loss;
    told.asked++;
    told.highest = fmax(told.highest, theta);
    if (theta > told.fail_above) return dpn_fail(why, told.failure, "too far");
    *lower = *upper = (theta > 0 ? theta : 1) * log(2 + theta);
    return DPN_OK;
}

static double joint_upper(const dpn_loss *loss, double order) {
    (void)loss;
    return 2 * log(1 + order);
}

static void joint_noise(void **state) {
    (void)state;
    struct dpn_loss_kind kind = {
        .name = "joint", .largest = joint_largest, .cumulant = joint_cumulant, .divergence_upper = joint_upper};
    dpn_loss loss = {.kind = &kind};
    dpn_curve curve;
    dpn_divergence got = {-7, -7};
    dpn_error why;
    told.largest = INFINITY, told.fail_above = INFINITY, told.failure = DPN_EACCURACY;
    assert_int_equal(dpn_curve_make(&curve, &loss, NULL), DPN_OK);
    for (double order = 1; order < 1e6; order = 3 * order - 1) {
        assert_int_equal(of_cumulant(&got, &curve, order, NULL), DPN_OK);
        double truth = log(1 + order);
        assert_true(got.lower <= truth && got.upper >= truth && got.upper - got.lower <= 14 * DBL_EPSILON * truth);
    }
    /* Where it fails the bound counts from above, and from below the order 100, 10 or what is left below. */
    for (double limit = 0.5; limit < 1000; limit *= 3) {
        told.fail_above = limit;
        for (double order = 2; order < 3000; order *= 1.7) {
            if (order - 1 <= limit) continue;
            assert_int_equal(of_cumulant(&got, &curve, order, NULL), DPN_OK);
            double lesser = 100;
            while (lesser > 1 && !(lesser < order && lesser - 1 <= limit)) lesser /= 10;
            double wanted = lesser > 1 ? log(1 + lesser) : 0;
            assert_true(got.lower <= wanted && got.lower >= wanted * (1 - 8 * DBL_EPSILON) &&
                        got.upper == 2 * log(1 + order));
        }
    }
    /* Noise whose moments take long is not asked far out at all. */
    told.fail_above = INFINITY, told.highest = 0;
    kind.remembered = true;
    assert_int_equal(of_cumulant(&got, &curve, 10001, NULL), DPN_OK);
    assert_true(told.highest == 99 && got.upper == 2 * log(10002));
    assert_int_equal(of_cumulant(&got, &curve, 1e4, NULL), DPN_OK);
    assert_true(told.highest == 9999 && got.upper < 1.01 * log(10001));
    kind.remembered = false;
    /* No more than the largest loss, also from below. */
    dpn_curve_free(&curve);
    told.largest = 1;
    assert_int_equal(dpn_curve_make(&curve, &loss, NULL), DPN_OK);
    assert_int_equal(dpn_curve_at(&got, &curve, 50, NULL), DPN_OK);
    assert_true(got.lower == 1 && got.upper == 1);
    assert_int_equal(dpn_curve_at(&got, &curve, INFINITY, NULL), DPN_OK);
    assert_true(got.lower == 1 && got.upper == 1);
    /* Other failures, and those without a bound, are told. */
    told.fail_above = 5, told.failure = DPN_ENOMEM;
    assert_int_equal(of_cumulant(&got, &curve, 50, &why), DPN_ENOMEM);
    told.failure = DPN_EACCURACY;
    kind.divergence_upper = NULL;
    assert_int_equal(of_cumulant(&got, &curve, 50, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "too far");
    dpn_curve_free(&curve);
}

int main(void) {
    r_precision(200);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_move_by_four_units),       cmocka_unit_test(sums_and_multiples),
        cmocka_unit_test(errors_of_single_values),       cmocka_unit_test(joint_noise),
        cmocka_unit_test(families_that_tell_too_little),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
