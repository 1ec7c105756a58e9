/* Divergences of randomised response, and what both directions of a divergence imply where delta is large (docs/proofs/privacy/convert.md,
 * sections 5 and 6): the formulas in many bits, with the margin that the proof page gives them. */
#include "privacy/convert/both.c" /* to see each step */
#include "privacy/convert/pure.c"

#include "reference/draw.h"
#include "reference/real.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* By how much of the margin of a size got exceeds the truth. */
static double excess(double got, real truth, double size) {
    return r_double(r_sub(r_num(got), truth)) / (size * 0x1p-46);
}

static void is_margin(double share, const char *what, double order, double x) {
    if (!(share > 0.8 && share < 1.2)) fail_msg("%s, order %.17g, %.17g: %g of its margin", what, order, x, share);
}

/* The divergence of the coin e^e/(1 + e^e), from its probabilities; of order 1 the relative entropy. */
static real coin(double e, double order) {
    real odds = r_exp(r_num(e)), p = r_div(odds, r_plus(odds, 1)), q = r_div(r_num(1), r_plus(odds, 1));
    if (order == 1) return r_times(r_sub(p, q), e);
    double less = order - 1;
    real sum = r_add(r_mul(p, r_exp(r_times(r_num(e), less))), r_mul(q, r_exp(r_times(r_num(e), -less))));
    return r_over(r_log(sum), less);
}

static void divergences_of_coins(void **state) {
    (void)state;
    draw_source source = {1};
    int cut = 0, quick = 0;
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        double e = draw_log_uniform(&source, i % 5 ? 1e-6 : 1, i % 5 ? 30 : 1000);
        double order = 1 + draw_log_uniform(&source, 1e-6, 1e4);
        if (i % 7 == 0) order = 60 / e * draw_uniform(&source, 0.9, 1.1); /* the formula changes */
        if (i % 11 == 0) order = 1;
        if (!(order >= 1)) order = 2;
        real truth = coin(e, order);
        double size = r_double(truth), low = dpn_pure_renyi_lower(e, order), high = dpn_pure_renyi_upper(e, order);
        is_margin(-excess(low, truth, size), "lower", order, e);
        if (order > 1 && high < e) is_margin(excess(high, truth, size), "upper", order, e);
        if (order > 1 && high == e) {
            cut++;
            assert_true(size * (1 + 0x1p-45) >= e);
        }
        quick += order * e > 60;
        r_release(mark);
    }
    assert_true(cut > 0 && quick > 300);
    assert_true(dpn_pure_renyi_upper(0, 2) == 0 && dpn_pure_renyi_lower(0, 2) == 0 && dpn_pure_renyi_lower(0, 1) == 0);
    assert_true(dpn_pure_renyi_upper(3, INFINITY) == 3 && dpn_pure_renyi_upper(INFINITY, 2) == INFINITY);
    assert_true(dpn_pure_renyi_upper(1e-200, 2) > 0 && dpn_pure_renyi_lower(1e-200, 2) == 0);
}

/* The coin of a divergence is the least double that is proved to have it; there is one for all divergences and orders. */
static void the_coin_of_a_divergence(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        double order = i % 4 ? 1 + draw_log_uniform(&source, 1e-4, 1e4) : 1;
        double d = i % 3 ? draw_log_uniform(&source, 1e-12, 100) : draw_uniform(&source, 0.3, 3);
        double e = response(order, d);
        assert_true(isfinite(e) && e > 0);
        assert_true(dpn_pure_renyi_lower(e, order) >= d && dpn_pure_renyi_lower(nextafter(e, 0), order) < d);
        assert_false(r_less(coin(e, order), r_num(d)));
        assert_true(r_less(coin(e * (1 - 0x1p-43), order), r_num(d)));
        r_release(mark);
    }
    assert_true(isinf(response(2, INFINITY)));
}

/* log kappa, kappa = ((a-1)/a) sinh(a t)/sinh((a-1) t), or sinh(t)/t. */
static real log_kappa(double order, double e) {
    if (order == 1) return r_log(r_over(r_sinh(r_num(e)), e));
    double less = order - 1;
    real ratio = r_div(r_sinh(r_times(r_num(e), order)), r_sinh(r_times(r_num(e), less)));
    return r_log(r_div(r_times(ratio, less), r_num(order)));
}

static void how_far_the_coin_is_the_worst(void **state) {
    (void)state;
    draw_source source = {3};
    int seen = 0;
    for (int i = 0; i < 2000; i++) {
        size_t mark = r_mark();
        double order = i % 3 ? 1 + draw_log_uniform(&source, 1e-3, 1e3) : 1, e = draw_log_uniform(&source, 1e-3, 500);
        real truth = log_kappa(order, e);
        double less = order - 1, size = 1 + e + fabs(log(-expm1(-2 * order * e)));
        size += order == 1 ? fabs(log(2 * e)) : fabs(log(-expm1(-2 * less * e))) + log(order / less);
        double got = reach(order, e), value = r_double(truth);
        if (value > 2 * size * 0x1p-46) {
            is_margin(-excess(got, truth, size), "reach", order, e);
            seen++;
        } else {
            assert_true(got == 0 || got <= value);
        }
        r_release(mark);
    }
    assert_true(seen > 1500);
}

/* (e^t - e^epsilon)/(1 + e^t), and solved for epsilon, for the t of the divergence; nothing beyond kappa. */
static void both_directions_give_the_coin(void **state) {
    (void)state;
    draw_source source = {4};
    int seen = 0, beyond = 0, nothing = 0, all = 0;
    for (int i = 0; i < 2000; i++) {
        size_t mark = r_mark();
        double order = i % 3 ? 1 + draw_log_uniform(&source, 1e-2, 1e3) : 1, d = draw_log_uniform(&source, 1e-4, 30);
        double e = response(order, d), limit = r_double(log_kappa(order, e));
        double epsilon = i % 10 == 0 ? 0 : limit * draw_uniform(&source, 0, 1.2);
        if (i % 9 == 0) epsilon = limit * (1 + (i % 2 ? 1e-9 : -1e-9));
        real top = r_exp(r_num(e)), delta = r_div(r_sub(top, r_exp(r_num(epsilon))), r_plus(top, 1));
        double got = dpn_both_delta_upper(order, d, epsilon), room = 1e-10 * (1 + e);
        if (epsilon > limit + room * 0.1) {
            assert_true(isinf(got));
            beyond++;
        } else if (epsilon < limit - room * 0.1 || epsilon == 0) {
            is_margin(excess(got, delta, r_double(delta)), "delta", order, epsilon);
            seen++;
        }
        /* and from delta */
        double share = draw_uniform(&source, 0, i % 8 ? 1 : 2),
               at_zero = r_double(r_div(r_plus(top, -1), r_plus(top, 1)));
        double asked = share * at_zero, f = asked * (1 + exp(-e)), back = dpn_both_epsilon_upper(order, d, asked);
        if (share > 1 + 1e-9) {
            assert_true(back == 0);
            nothing++;
        } else if (share < 1 - 1e-9) {
            real truth = r_log(r_sub(top, r_times(r_plus(top, 1), asked)));
            double size = e + fabs(log1p(-f)) + f / (1 - f), value = r_double(truth);
            if (value > limit + room) assert_true(isinf(back));
            if (value < limit - room && value > 1e-10 * size) {
                is_margin(excess(back, truth, size), "epsilon", order, asked);
                all++;
            }
        }
        r_release(mark);
    }
    assert_true(seen > 500 && beyond > 100 && nothing > 50 && all > 300);
    assert_true(dpn_both_epsilon_upper(2, 1, 1) == 0 && isinf(dpn_both_epsilon_upper(2, INFINITY, 0.5)));
    assert_true(isinf(dpn_both_delta_upper(2, INFINITY, 0.5)));
    /* All of the order is in the last digits: the coin has no delta at its own epsilon, but there it is no longer the worst. */
    assert_true(isinf(dpn_both_delta_upper(2, 1, 50)));
}

int main(void) {
    r_precision(300);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divergences_of_coins),
        cmocka_unit_test(the_coin_of_a_divergence),
        cmocka_unit_test(how_far_the_coin_is_the_worst),
        cmocka_unit_test(both_directions_give_the_coin),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
