/* From one Renyi divergence to (epsilon, delta), step by step (docs/proofs/privacy/convert.md, sections 2 to 4): each formula in many bits,
 * with the margin that the proof page gives it, and the search against another one. */
#include "privacy/convert/renyi.c" /* to see each step */

#include "reference/draw.h"
#include "reference/real.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* That got exceeds the truth by the margin of the sizes of all terms, but for a few of its 64 ulps. */
static void has_margin(double got, real truth, double size, const char *what) {
    double excess = r_double(r_sub(r_num(got), truth)) / (size * 0x1p-46);
    if (!(excess > 0.85 && excess < 1.15)) fail_msg("%s: %.17g exceeds by %.3g of its margin", what, got, excess);
}

/* log(1 - 1/a), not as it is computed. */
static real log_less_over(double a) {
    return r_sub(r_log(r_plus(r_num(a), -1)), r_log(r_num(a)));
}

static void proposition_12_keeps_its_margin(void **state) {
    (void)state;
    draw_source source = {1};
    int of_delta = 0, of_epsilon = 0, none = 0;
    for (int i = 0; i < 2000; i++) {
        size_t mark = r_mark();
        double a = 1 + draw_log_uniform(&source, 1e-6, 1e5), d = draw_log_uniform(&source, 1e-6, 30);
        double epsilon = draw_chance(&source, 0.1) ? 0 : draw_log_uniform(&source, 1e-6, 60), less = a - 1;
        real tail = log_less_over(a), moved = r_times(r_sub(r_num(d), r_num(epsilon)), less);
        real truth = r_add(moved, r_sub(r_times(tail, less), r_log(r_num(a))));
        double size = fabs(r_double(moved)) - less * r_double(tail) + log(a);
        double got = log_delta_by_proposition_12(a, d, epsilon);
        if (r_double(truth) < -2 * size * 0x1p-46) {
            has_margin(got, truth, size, "log delta");
            of_delta++;
        } else {
            assert_true(got <= 0 && (r_sign(truth) < 0 || got == 0));
            none++;
        }
        double l = draw_log_uniform(&source, 1e-6, 1000);
        truth = r_add(r_add(r_num(d), tail), r_over(r_sub(r_num(l), r_log(r_num(a))), less));
        size = d - r_double(tail) + (l + log(a)) / less;
        got = epsilon_by_proposition_12(a, d, l);
        if (r_double(truth) > 2 * size * 0x1p-46) {
            has_margin(got, truth, size, "epsilon");
            of_epsilon++;
        } else {
            assert_true(got >= 0 && (r_sign(truth) > 0 || got <= 2 * size * 0x1p-46));
        }
        r_release(mark);
    }
    assert_true(of_delta > 500 && of_epsilon > 500 && none > 100);
}

static void complements_keep_their_digits(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 2000; i++) {
        size_t mark = r_mark();
        double x = i % 2 ? draw_log_uniform(&source, 1e-300, 200) : draw_uniform(&source, 0.3, 1.5);
        real truth = r_log(r_neg(r_expm1(r_num(-x))));
        double off = r_double(r_sub(r_num(log_complement(x)), truth)) / r_double(truth);
        if (!(fabs(off) <= 8 * DBL_EPSILON)) fail_msg("x %.17g: %g off", x, off);
        r_release(mark);
    }
}

/* ---- Step 3 ---- */

/* log kappa for the v = 1 - h of one's choice, by the formulas of the proof; *size are the sizes of its terms, *of_u those of the terms of
 * log u, from which log kappa moves no faster. */
static real stolarsky(double a, double d, double l, double h, double *size, double *of_u) {
    double less = a - 1;
    real v = r_sub(r_num(1), r_num(h)), moment = r_times(r_num(d), less), log_v = r_log(v);
    real power_v = h < 1 ? r_exp(r_times(log_v, less)) : r_num(0);
    real slope = r_mul(power_v, r_sub(r_num(a), r_times(v, less)));
    real n = r_sub(r_exp(moment), slope); /* N = C - v^(a-1)(a - (a-1) v) */
    real rise = r_mul(r_div(n, r_num(a)), r_exp(r_num(l))), power_u = r_add(power_v, rise);
    real log_u = r_over(r_log(power_u), less), tail = log_less_over(a);
    double log_rise = r_double(r_log(rise));
    *of_u = (1 + fabs(log_rise) + l + log(a)) / less + (1 + fabs(r_double(r_log(n))) + r_double(moment)) / less;
    *size = fabs(r_double(log_u)) - r_double(tail);
    if (h == 1) return r_add(log_u, tail);
    *of_u += -r_double(log_v);
    /* what is lost of 1 - v^(a-1)(a - (a-1) v) by taking the logarithm of the second part from that of the first */
    double parts = -less * r_double(log_v) + log1p(less * h);
    *of_u += parts * r_double(slope) / r_double(n) / less;
    real apart = r_sub(log_u, log_v);
    real above = r_log(r_neg(r_expm1(r_times(r_neg(apart), a))));
    real below = r_log(r_neg(r_expm1(r_times(r_neg(apart), less))));
    *size += 2 + fabs(r_double(above)) + fabs(r_double(below)) + fabs(r_double(log_u)) - r_double(log_v);
    return r_add(r_add(log_u, tail), r_sub(above, below));
}

static void every_ratio_gives_its_epsilon(void **state) {
    (void)state;
    draw_source source = {3};
    int seen = 0, certain = 0, large = 0;
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        double a = 1 + draw_log_uniform(&source, 1e-3, i % 4 ? 1e2 : 1e4), d = draw_log_uniform(&source, 1e-5, 10);
        double l = draw_log_uniform(&source, 1e-3, 500), t = draw_uniform(&source, -7, 7), size, of_u;
        double h = i % 10 == 0 ? 1 : 1 / (1 + pow(10, -t));
        real truth = stolarsky(a, d, l, h, &size, &of_u);
        double got = epsilon_at(a, d, l, h), value = r_double(truth);
        if (isinf(got)) fail_msg("no epsilon at h %g", h);
        if (value > 4 * (size + of_u) * 0x1p-46) {
            double excess = (r_double(r_sub(r_num(got), truth))) / 0x1p-46;
            if (!(excess > 0.8 * size && excess < 1.2 * (size + 2 * of_u)))
                fail_msg("order %g, divergence %g, l %g, h %g: %.17g exceeds by %g of %g and %g", a, d, l, h, got,
                         excess, size, of_u);
            if (i % 10 != 0) assert_true(epsilon_at_logit(a, d, l, t) == got);
            seen++;
            large += (a - 1) * d > 700;
        } else {
            assert_true(got >= 0 && got <= fmax(0, value) + 8 * (size + of_u) * 0x1p-46);
        }
        r_release(mark);
    }
    assert_true(seen > 1500 && large > 20);
    /* step 4: above delta = 1/a, and not next to it */
    for (int i = 0; i < 1000; i++) {
        size_t mark = r_mark();
        double a = 1 + draw_log_uniform(&source, 1e-3, 1e6), d = draw_log_uniform(&source, 1e-3, 30);
        double last = log(a), l = last * (i % 2 ? draw_uniform(&source, 0, 0.999) : 1 - 0x1p-44);
        real fall = r_log(r_neg(r_expm1(r_num(-l)))), truth = r_add(r_num(d), fall);
        double size = 1 + d - r_double(fall), got = epsilon_of_certainty(a, d, l);
        if (r_double(truth) > 1e-12 * size) {
            has_margin(got, truth, size, "certainty");
            certain++;
        } else {
            assert_true(got >= 0 && got <= 2e-12 * size);
        }
        assert_true(isinf(epsilon_of_certainty(a, d, last)) && isinf(epsilon_of_certainty(a, d, last * (1 - 0x1p-48))));
        assert_true(isinf(epsilon_of_certainty(a, d, 2 * last)));
        r_release(mark);
    }
    assert_true(certain > 300);
}

/* ---- The search over ratios ---- */

static double epsilon_of_ratio(double a, double d, double l, double t) {
    double size, of_u;
    size_t mark = r_mark();
    real h = r_div(r_num(1), r_plus(r_exp(r_times(r_log(r_num(10)), -t)), 1));
    double value = r_double(stolarsky(a, d, l, r_double(h), &size, &of_u));
    r_release(mark);
    return value;
}

/* The least over the ratios by steps that are halved, from the best point of a grid; or by step 4. */
static double least_epsilon(double a, double d, double l) {
    double best = INFINITY, at = 0;
    for (double t = -20; t <= 16; t += 0.75) {
        double value = epsilon_of_ratio(a, d, l, t);
        if (value < best) {
            best = value;
            at = t;
        }
    }
    for (double step = 0.4; step > 1e-4; step *= 0.5)
        for (int side = -1; side <= 1; side += 2) {
            double value = epsilon_of_ratio(a, d, l, at + side * step);
            if (value < best) {
                best = value;
                at += side * step;
            }
        }
    best = fmin(best, d + log((a - 1) / a) + (l - log(a)) / (a - 1));
    if (l < log(a)) best = fmin(best, d + log(-expm1(-l)));
    return fmax(0, best);
}

static void the_best_ratio_is_found(void **state) {
    (void)state;
    draw_source source = {4};
    r_precision(160);
    int positive = 0;
    for (int i = 0; i < 60; i++) {
        double a = 1 + draw_log_uniform(&source, 0.02, 50), d = draw_log_uniform(&source, 1e-3, 6);
        double l = draw_log_uniform(&source, 0.05, 40);
        if (i % 3 == 0) { /* little divergence: both sides of the event are alike, h down to 1e-15 */
            d = draw_log_uniform(&source, 1e-27, 1e-6);
            l = draw_uniform(&source, 0.5, 3) - 0.5 * log(d);
        }
        if (i % 3 == 1) { /* much: off the event next to nothing is left */
            a = 1 + draw_log_uniform(&source, 0.5, 4);
            d = draw_uniform(&source, 3, 25);
            l = draw_log_uniform(&source, 0.01, 2);
        }
        double least = least_epsilon(a, d, l), got = dpn_renyi_epsilon_upper(a, d, l, DPN_RULE_OPTIMAL);
        double slack = 1e-6 * least + 2e-12 * (1 + d + (1 + l) / (a - 1));
        if (!(got >= least * (1 - 1e-9) && got <= least + slack))
            fail_msg("order %.17g, divergence %.17g, l %.17g: %.17g, not %.17g", a, d, l, got, least);
        positive += least > 0;
        if (least < 1e-3) continue;
        /* There and back: l is the largest whose epsilon is no more. */
        double back = -dpn_renyi_log_delta_upper(a, d, got, DPN_RULE_OPTIMAL);
        assert_true(dpn_renyi_epsilon_upper(a, d, back, DPN_RULE_OPTIMAL) <= got + slack);
        double more = dpn_renyi_epsilon_upper(a, d, back * (1 + 1e-9), DPN_RULE_OPTIMAL);
        if (!(more > got - slack))
            fail_msg("order %.17g, divergence %.17g, l %.17g: %.17g still at %.17g", a, d, l, got, back);
        assert_true(back >= l * (1 - 1e-10));
    }
    assert_true(positive > 40);
    r_precision(400);
}

static void ends(void **state) {
    (void)state;
    for (dpn_rule rule = DPN_RULE_CANONNE_KAMATH_STEINKE; rule <= DPN_RULE_OPTIMAL; rule++) {
        assert_true(dpn_renyi_epsilon_upper(2, 0, 5, rule) == 0);
        assert_true(dpn_renyi_log_delta_upper(2, 0, 0, rule) == -INFINITY);
        assert_true(dpn_renyi_epsilon_upper(2, 1e-300, 1e-3, rule) == 0);
        /* far out Proposition 12 is all that is left: (a-1)(D - epsilon) + (a-1) log(1 - 1/a) - log a */
        double far = dpn_renyi_log_delta_upper(3, 1, 1e100, rule);
        assert_true(far >= -2e100 && far <= -2e100 * (1 - 1e-12));
    }
    assert_true(epsilon_by_duality(2, 1, 3) <= epsilon_by_proposition_12(2, 1, 3));
    assert_true(dpn_renyi_epsilon_upper(2, 1, 3, DPN_RULE_OPTIMAL) == epsilon_by_duality(2, 1, 3));
    assert_true(dpn_renyi_epsilon_upper(2, 1, 3, DPN_RULE_CANONNE_KAMATH_STEINKE) ==
                epsilon_by_proposition_12(2, 1, 3));
}

int main(void) {
    r_precision(400);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proposition_12_keeps_its_margin),
        cmocka_unit_test(complements_keep_their_digits),
        cmocka_unit_test(every_ratio_gives_its_epsilon),
        cmocka_unit_test(the_best_ratio_is_found),
        cmocka_unit_test(ends),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
