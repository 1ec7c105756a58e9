/* Answers for guarantees of each kind, and from one kind to another: the formulas of docs/proofs/privacy/convert.md in many bits with their
 * margins, what may be called exact, which rule is named, and what is refused in which words. */
#include "privacy/convert/convert.c" /* to see each step */
#include "privacy/convert/notions.c"

#include "reference/draw.h"
#include "reference/special.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static double excess(double got, real truth, double size) {
    return r_double(r_sub(r_num(got), truth)) / (size * 0x1p-46);
}

static void is_margin(double share, const char *what, double a, double b) {
    if (!(share > 0.8 && share < 1.2)) fail_msg("%s, %.17g, %.17g: %g of its margin", what, a, b, share);
}

/* ---- Pure and approximate: step 1 ---- */

static void responses_have_their_margins(void **state) {
    (void)state;
    draw_source source = {1};
    int inside = 0, nothing = 0;
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        double e = draw_log_uniform(&source, 1e-3, i % 4 ? 20 : 300),
               d = draw_chance(&source, 0.5) ? 0 : draw_log_uniform(&source, 1e-12, 0.9);
        double x = e * draw_uniform(&source, 0, 1);
        dpn_guarantee from = {.notion = DPN_APPROXIMATE, .epsilon = e, .delta = d};
        real top = r_exp(r_num(e)), left = r_sub(r_num(1), r_num(d));
        real jump = r_mul(left, r_div(r_sub(top, r_exp(r_num(x))), r_plus(top, 1))), truth = r_plus(jump, d);
        is_margin(excess(approximate_delta(&from, x), truth, r_double(truth)), "delta", e, x);
        assert_true(approximate_delta(&from, e) == d && approximate_delta(&from, 2 * e) == d);
        /* e^x = e^e - (delta - d)(1 + e^e)/(1 - d); the share is rounded down twice, and what it takes away with it */
        double share = draw_uniform(&source, 1e-3, 1.1), asked = d + (1 - d) * share * (e > 1 ? 1 : e / 2);
        if (!(asked < 1)) asked = 0.999 + 0.001 * d;
        real fall = r_div(r_mul(r_sub(r_num(asked), r_num(d)), r_plus(top, 1)), r_mul(left, top));
        double f = r_double(fall), got = approximate_epsilon(&from, asked);
        if (f < 1 - 1e-9) {
            real exact = r_add(r_num(e), r_log1p(r_neg(fall)));
            double size = e + fabs(r_double(r_log1p(r_neg(fall)))) + 2 * f / (1 - f), value = r_double(exact);
            if (value > 4 * size * 0x1p-46 && got < e) {
                is_margin(excess(got, exact, size), "epsilon", e, asked);
                inside++;
            }
        } else if (f > 1 + 1e-9) {
            assert_true(got == 0);
            nothing++;
        }
        assert_true(approximate_epsilon(&from, d) == e);
        if (d > 0) assert_true(isinf(approximate_epsilon(&from, nextafter(d, 0))));
        assert_true(approximate_epsilon(&from, d + 1e-17) <= e);
        question q = {.epsilon = x};
        answer out = from_approximate(&from, &q);
        assert_true(out.exact && out.rule == DPN_RULE_RANDOMISED_RESPONSE && out.delta == approximate_delta(&from, x));
        double log_delta = log(out.delta);
        if (fabs(log_delta) > 1e-6) is_margin(excess(out.value, r_log(r_num(out.delta)), fabs(log_delta)), "log", e, x);
        r_release(mark);
    }
    assert_true(inside > 800 && nothing > 50);
    question q = {.epsilon = 3};
    assert_true(from_approximate(&(dpn_guarantee){.notion = DPN_APPROXIMATE, .epsilon = 3}, &q).value == -INFINITY);
}

/* ---- Which rule, which order, exact or not ---- */

static dpn_conversion delta_of(const dpn_guarantee *from, size_t count, double epsilon, dpn_rule rule) {
    dpn_conversion out;
    dpn_error why;
    if (dpn_convert_to_delta(&out, from, count, epsilon, rule, &why)) fail_msg("%s", why.sentence);
    assert_true(out.guarantee.notion == DPN_APPROXIMATE && out.guarantee.epsilon == epsilon);
    return out;
}

static dpn_conversion epsilon_of(const dpn_guarantee *from, size_t count, double delta, dpn_rule rule) {
    dpn_conversion out;
    dpn_error why;
    if (dpn_convert_to_epsilon(&out, from, count, delta, rule, &why)) fail_msg("%s", why.sentence);
    assert_true(out.guarantee.notion == DPN_APPROXIMATE && out.guarantee.delta == delta && out.log_delta == log(delta));
    return out;
}

static void rules_say_who_they_are(void **state) {
    (void)state;
    const dpn_guarantee renyi = {.notion = DPN_RENYI, .order = 4, .divergence = 0.5},
                        zcdp = {.notion = DPN_ZCDP, .rho = 0.1};
    const dpn_guarantee mixed = {.notion = DPN_ZCDP, .xi = 0.01, .rho = 0.1}, gdp = {.notion = DPN_GDP, .mu = 1};
    for (dpn_rule rule = DPN_RULE_CANONNE_KAMATH_STEINKE; rule <= DPN_RULE_OPTIMAL; rule++) {
        dpn_conversion d = delta_of(&renyi, 1, 1, rule), e = epsilon_of(&renyi, 1, 1e-5, rule);
        assert_true(d.rule == rule && e.rule == rule && d.order == 4 && e.order == 4);
        assert_true(d.exact == (rule == DPN_RULE_OPTIMAL) && e.exact == (rule == DPN_RULE_OPTIMAL));
        assert_true(d.log_delta == dpn_renyi_log_delta_upper(4, 0.5, 1, rule));
        double l = dpn_above(-log(1e-5), -log(1e-5));
        assert_true(e.guarantee.epsilon == dpn_renyi_epsilon_upper(4, 0.5, l, rule));
    }
    dpn_conversion tight = delta_of(&renyi, 1, 1, DPN_RULE_TIGHTEST);
    assert_true(tight.rule == DPN_RULE_OPTIMAL && tight.exact && tight.order == 4);
    for (dpn_rule rule = DPN_RULE_BUN_STEINKE; rule <= DPN_RULE_OPTIMAL; rule++) {
        dpn_conversion d = delta_of(&zcdp, 1, 2, rule), e = epsilon_of(&zcdp, 1, 1e-5, rule);
        double order = -1;
        assert_true(d.rule == rule && e.rule == rule && !d.exact && !e.exact);
        assert_true(d.log_delta == dpn_zcdp_log_delta_upper(0, 0.1, 2, rule, &order) && d.order == order);
        double l = dpn_above(-log(1e-5), -log(1e-5));
        assert_true(e.guarantee.epsilon == dpn_zcdp_epsilon_upper(0, 0.1, l, rule, &order) && e.order == order);
    }
    /* Next to epsilon = 0 both directions decide, by order 1 for zCDP, exactly if xi = 0; only if the optimal rule may be asked. */
    dpn_conversion both = delta_of(&zcdp, 1, 0.01, DPN_RULE_TIGHTEST),
                   other = delta_of(&mixed, 1, 0.01, DPN_RULE_OPTIMAL);
    assert_true(both.rule == DPN_RULE_OPTIMAL && both.order == 1 && both.exact && other.order == 1 && !other.exact);
    assert_true(both.guarantee.delta == dpn_both_delta_upper(1, dpn_upper(0.1), 0.01));
    assert_true(other.guarantee.delta == dpn_both_delta_upper(1, dpn_upper(0.11), 0.01));
    assert_true(delta_of(&zcdp, 1, 0.01, DPN_RULE_CANONNE_KAMATH_STEINKE).order != 1);
    both = epsilon_of(&zcdp, 1, 0.215, DPN_RULE_TIGHTEST);
    assert_true(both.order == 1 && both.exact &&
                both.guarantee.epsilon == dpn_both_epsilon_upper(1, dpn_upper(0.1), 0.215));
    const dpn_guarantee high = {.notion = DPN_RENYI, .order = 10, .divergence = 0.5};
    both = delta_of(&high, 1, 0.3, DPN_RULE_TIGHTEST);
    assert_true(both.exact && both.order == 10 && both.guarantee.delta == dpn_both_delta_upper(10, 0.5, 0.3));
    assert_true(delta_of(&high, 1, 0.3, DPN_RULE_CANONNE_KAMATH_STEINKE).guarantee.delta > both.guarantee.delta);
    assert_true(both.log_delta > log(both.guarantee.delta) * (1 - 1e-14) &&
                both.log_delta < log(both.guarantee.delta) * (1 - 2e-14));
    /* Gaussian noise: its own profile. */
    dpn_conversion gaussian = delta_of(&gdp, 1, 0.5, DPN_RULE_TIGHTEST);
    double truth = 0.5 * erfc((0.5 - 0.5) / sqrt(2)) - exp(0.5) * 0.5 * erfc((0.5 + 0.5) / sqrt(2));
    assert_true(gaussian.exact && gaussian.order == 0 && gaussian.rule == DPN_RULE_GAUSSIAN);
    assert_true(gaussian.guarantee.delta >= truth * (1 - 1e-15) && gaussian.guarantee.delta <= truth * (1 + 1e-9));
    assert_true(fabs(gaussian.log_delta - log(gaussian.guarantee.delta)) < 1e-12);
    gaussian = epsilon_of(&gdp, 1, truth, DPN_RULE_TIGHTEST);
    assert_true(gaussian.exact && fabs(gaussian.guarantee.epsilon - 0.5) < 1e-9 &&
                gaussian.guarantee.epsilon >= 0.5 - 1e-12);
    /* The best of several, which is then exact no longer; whichever comes first. */
    const dpn_guarantee list[] = {renyi, gdp, {.notion = DPN_PURE, .epsilon = 30}, zcdp};
    for (size_t shift = 0; shift < 4; shift++) {
        dpn_guarantee turned[4];
        double least = INFINITY, smallest = INFINITY;
        for (size_t k = 0; k < 4; k++) {
            turned[k] = list[(k + shift) % 4];
            least = fmin(least, delta_of(&turned[k], 1, 1.5, DPN_RULE_TIGHTEST).log_delta);
            smallest = fmin(smallest, epsilon_of(&turned[k], 1, 1e-4, DPN_RULE_TIGHTEST).guarantee.epsilon);
        }
        dpn_conversion d = delta_of(turned, 4, 1.5, DPN_RULE_TIGHTEST),
                       e = epsilon_of(turned, 4, 1e-4, DPN_RULE_TIGHTEST);
        assert_true(d.log_delta == least && e.guarantee.epsilon == smallest && !d.exact && !e.exact);
    }
    /* a rule goes by those that it applies to */
    assert_true(delta_of(list, 4, 1.5, DPN_RULE_BUN_STEINKE).log_delta ==
                delta_of(&zcdp, 1, 1.5, DPN_RULE_BUN_STEINKE).log_delta);
}

/* Where a rule applies and proves nothing finite the answer is infinite, or delta 1; where none applies it is refused. */
static void nothing_follows(void **state) {
    (void)state;
    const dpn_guarantee renyi = {.notion = DPN_RENYI, .order = 4, .divergence = 0.5},
                        zcdp = {.notion = DPN_ZCDP, .rho = 0.1};
    const dpn_guarantee pure = {.notion = DPN_PURE, .epsilon = 1}, gdp = {.notion = DPN_GDP, .mu = 1},
                        none = {.notion = DPN_RENYI, .order = 3};
    for (dpn_rule rule = DPN_RULE_TIGHTEST; rule <= DPN_RULE_OPTIMAL; rule++) {
        assert_true(isinf(epsilon_of(&zcdp, 1, 0, rule).guarantee.epsilon) &&
                    epsilon_of(&zcdp, 1, 0, rule).rule == rule);
        assert_false(epsilon_of(&zcdp, 1, 0, rule).exact);
        dpn_conversion out = {.order = 7};
        dpn_error why;
        dpn_status status = dpn_convert_to_epsilon(&out, &renyi, 1, 0, rule, &why);
        assert_int_equal(status, rule == DPN_RULE_BUN_STEINKE ? DPN_EUNSUPPORTED : DPN_OK);
        if (status) assert_string_equal(why.sentence, "the rule bun-steinke does not apply to renyi");
        if (!status) assert_true(isinf(out.guarantee.epsilon));
        if (rule != DPN_RULE_BUN_STEINKE) assert_true(epsilon_of(&none, 1, 0, rule).guarantee.epsilon == 0);
        if (rule == DPN_RULE_TIGHTEST) continue;
        out.order = 7;
        assert_int_equal(dpn_convert_to_delta(&out, &pure, 1, 0.5, rule, &why), DPN_EUNSUPPORTED);
        assert_non_null(strstr(why.sentence, "does not apply to pure"));
        assert_int_equal(dpn_convert_to_epsilon(&out, &gdp, 1, 0.5, rule, &why), DPN_EUNSUPPORTED);
        assert_non_null(strstr(why.sentence, "does not apply to gdp"));
        assert_true(out.order == 7);
        dpn_guarantee two[] = {pure, zcdp};
        assert_true(isinf(epsilon_of(two, 2, 0, rule).guarantee.epsilon));
    }
    const dpn_guarantee approximate = {.notion = DPN_APPROXIMATE, .epsilon = 1, .delta = 1e-3};
    dpn_conversion out = epsilon_of(&approximate, 1, 1e-4, DPN_RULE_TIGHTEST);
    assert_true(isinf(out.guarantee.epsilon) && out.rule == DPN_RULE_RANDOMISED_RESPONSE);
    out = delta_of(&(dpn_guarantee){.notion = DPN_ZCDP, .rho = 100}, 1, 0.5, DPN_RULE_BUN_STEINKE);
    assert_true(out.guarantee.delta == 1 && out.log_delta == 0);
    assert_true(delta_of(&pure, 1, 1e100, DPN_RULE_TIGHTEST).guarantee.delta == 0);
    dpn_error why;
    out = (dpn_conversion){.order = 7};
    static const double bad[] = {-1e-300, 1.1e100, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(dpn_convert_to_delta(&out, &pure, 1, bad[i], DPN_RULE_TIGHTEST, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "epsilon must lie in [0, 1e100]");
        assert_int_equal(dpn_convert_to_epsilon(&out, &pure, 1, i == 1 ? 1 : bad[i], DPN_RULE_TIGHTEST, &why),
                         DPN_EDOMAIN);
        assert_string_equal(why.sentence, "delta must be at least 0 and less than 1");
    }
    assert_int_equal(dpn_convert_to_delta(&out, &pure, 0, 1, DPN_RULE_TIGHTEST, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "a guarantee to convert is missing");
    assert_int_equal(dpn_convert_to_delta(&out, &zcdp, 1, 1, DPN_RULE_RANDOMISED_RESPONSE, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "no such rule can be asked for");
    assert_int_equal(dpn_convert_to_delta(&out, &zcdp, 1, 1, (dpn_rule)-1, &why), DPN_EDOMAIN);
    assert_int_equal(
        dpn_convert_to_epsilon(&out, &(dpn_guarantee){.notion = DPN_GDP, .mu = -1}, 1, 0.1, DPN_RULE_TIGHTEST, &why),
        DPN_EDOMAIN);
    dpn_guarantee second[] = {pure, {.notion = DPN_RENYI, .order = 1}};
    assert_int_equal(dpn_convert_to_delta(&out, second, 2, 1, DPN_RULE_TIGHTEST, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "renyi: order must be more than 1");
    assert_true(out.order == 7);
    for (dpn_rule rule = DPN_RULE_TIGHTEST; rule <= DPN_RULE_NEEDED; rule++)
        assert_true(dpn_rule_name(rule) && dpn_rule_theorem(rule) && strlen(dpn_rule_theorem(rule)) > 10);
    assert_true(!dpn_rule_name((dpn_rule)-1) && !dpn_rule_theorem((dpn_rule)(DPN_RULE_NEEDED + 1)));
}

/* ---- zCDP ---- */

/* Bun and Steinke's: xi + rho + 2 sqrt(rho l), and -(epsilon - xi - rho)^2/(4 rho). */
static void bun_and_steinke(void **state) {
    (void)state;
    draw_source source = {2};
    int seen = 0;
    for (int i = 0; i < 2000; i++) {
        size_t mark = r_mark();
        double xi = draw_chance(&source, 0.3) ? 0 : draw_log_uniform(&source, 1e-4, 10),
               rho = draw_log_uniform(&source, 1e-6, 10);
        double l = draw_log_uniform(&source, 1e-3, 700), epsilon = (xi + rho) * draw_log_uniform(&source, 0.2, 50),
               order = 5;
        real truth = r_plus(r_plus(r_times(r_mul(r_sqrt(r_num(rho)), r_sqrt(r_num(l))), 2), xi), rho);
        double got = dpn_zcdp_epsilon_upper(xi, rho, l, DPN_RULE_BUN_STEINKE, &order);
        is_margin(excess(got, truth, r_double(truth)), "epsilon", xi, rho);
        assert_true(order == 0 && dpn_zcdp_epsilon_upper(xi, rho, l, DPN_RULE_BUN_STEINKE, NULL) == got);
        real beyond = r_sub(r_sub(r_num(epsilon), r_num(xi)), r_num(rho)),
             exact = r_over(r_over(r_square(beyond), -4), rho);
        got = dpn_zcdp_log_delta_upper(xi, rho, epsilon, DPN_RULE_BUN_STEINKE, &(double){0});
        double b = r_double(beyond), size = (epsilon + xi + rho) * 0x1p-46;
        if (b > 2 * size) { /* twice what `beyond` loses, and once more of the square */
            double lost = r_double(r_sub(r_num(got), exact)) / fabs(r_double(exact));
            double margin = 2 * size / b + 0x1p-46;
            if (!(lost > 0.8 * margin && lost < 1.2 * margin))
                fail_msg("xi %g, rho %g, epsilon %g: %g of %g", xi, rho, epsilon, lost, margin);
            seen++;
        } else {
            assert_true(got == 0 || got >= r_double(exact));
        }
        r_release(mark);
    }
    assert_true(seen > 1000);
    assert_true(dpn_zcdp_log_delta_upper(0, 1e-300, 1e100, DPN_RULE_BUN_STEINKE, NULL) == -DBL_MAX);
    assert_true(dpn_zcdp_log_delta_upper(1, 1, 2, DPN_RULE_BUN_STEINKE, NULL) == 0);
    assert_true(dpn_zcdp_log_delta_upper(1, 0, 2, DPN_RULE_BUN_STEINKE, NULL) == -INFINITY);
}

/* No order of a walk does better by Proposition 12 than the one that was found; the optimal rule goes by the same order. */
static void the_best_order(void **state) {
    (void)state;
    draw_source source = {3};
    for (int i = 0; i < 150; i++) {
        double xi = i % 2 ? 0 : draw_log_uniform(&source, 1e-6, 3),
               rho = draw_log_uniform(&source, i % 3 ? 1e-4 : 1e-14, i % 3 ? 30 : 1e6);
        double l = draw_log_uniform(&source, 1, 300),
               epsilon = (xi + rho) * 1.01 + sqrt(rho) * draw_uniform(&source, 0, 10), order = 0;
        double best = INFINITY, least = 0;
        for (double t = log(1e-9); t < log(1e12); t += 0.02) {
            double less = exp(t), a = 1 + less, c = less * t - a * log1p(less);
            best = fmin(best, xi + a * rho + (l + c) / less);
            least = fmin(least, less * (xi + a * rho - epsilon) + c);
        }
        double got = dpn_zcdp_epsilon_upper(xi, rho, l, DPN_RULE_CANONNE_KAMATH_STEINKE, &order);
        if (!(got <= fmax(0, best) * (1 + 1e-9) + 1e-12 && got >= best - 2e-4 * (best + sqrt(rho)) - 1e-12))
            fail_msg("%g, %g, %g: %.17g not %.17g", xi, rho, l, got, best);
        assert_true(got ==
                    dpn_renyi_epsilon_upper(order, dpn_upper(xi + order * rho), l, DPN_RULE_CANONNE_KAMATH_STEINKE));
        double optimal = dpn_zcdp_epsilon_upper(xi, rho, l, DPN_RULE_OPTIMAL, &order);
        assert_true(optimal <= got * (1 + 1e-12) + 1e-12 &&
                    optimal == dpn_renyi_epsilon_upper(order, dpn_upper(xi + order * rho), l, DPN_RULE_OPTIMAL));
        got = dpn_zcdp_log_delta_upper(xi, rho, epsilon, DPN_RULE_CANONNE_KAMATH_STEINKE, &order);
        if (!(got <= least + 1e-9 * fabs(least) + 1e-12 && got >= least - 1e-3 * (1 + fabs(least))))
            fail_msg("%g, %g at %g: %.17g not %.17g", xi, rho, epsilon, got, least);
        assert_true(got == dpn_renyi_log_delta_upper(order, dpn_upper(xi + order * rho), epsilon,
                                                     DPN_RULE_CANONNE_KAMATH_STEINKE));
        assert_true(dpn_zcdp_log_delta_upper(xi, rho, epsilon, DPN_RULE_CANONNE_KAMATH_STEINKE, NULL) == got);
    }
}

/* ---- Between the notions ---- */

static void halves_of_squares(void **state) {
    (void)state;
    draw_source source = {4};
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        double x = draw_log_uniform(&source, 1e-149, 1e100), got = half_square_upper(x);
        real exact = r_over(r_square(r_num(x)), 2);
        assert_true(!r_less(r_num(got), exact) && r_less(r_num(nextafter(got, 0)), exact));
        r_release(mark);
    }
    assert_true(half_square_upper(0) == 0 && half_square_upper(3) == 4.5 && half_square_upper(0x1p-30) == 0x1p-61);
    assert_true(half_square_upper(1e-160) >= 5e-321 && half_square_upper(1e-160) < 1e-299);
    assert_true(half_square_upper(nextafter(1e-150, 0)) >= 5e-301 &&
                half_square_upper(nextafter(1e-150, 0)) <= 1.5e-300);
}

static void the_notions(void **state) {
    (void)state;
    draw_source source = {5};
    dpn_conversion out;
    for (int i = 0; i < 1000; i++) {
        size_t mark = r_mark();
        double e = draw_log_uniform(&source, 1e-6, 600), order = 1 + draw_log_uniform(&source, 1e-3, 1e3);
        dpn_guarantee pure = {.notion = DPN_PURE, .epsilon = e}, gdp = {.notion = DPN_GDP, .mu = e};
        dpn_guarantee zcdp = {.notion = DPN_ZCDP, .xi = i % 2 ? e : 0, .rho = draw_log_uniform(&source, 1e-6, 10)};
        assert_int_equal(dpn_convert_to_zcdp(&out, &pure, DPN_RULE_TIGHTEST, NULL), DPN_OK);
        real half = r_exp(r_num(e)), truth = r_times(r_div(r_plus(half, -1), r_plus(half, 1)), e); /* e tanh(e/2) */
        is_margin(excess(out.guarantee.rho, truth, r_double(truth)), "rho", e, 0);
        assert_true(out.exact && out.rule == DPN_RULE_RANDOMISED_RESPONSE && out.log_delta == -INFINITY &&
                    out.guarantee.xi == 0);
        assert_int_equal(dpn_convert_to_zcdp(&out, &pure, DPN_RULE_BUN_STEINKE, NULL), DPN_OK);
        assert_true(!out.exact && out.rule == DPN_RULE_BUN_STEINKE && out.guarantee.rho == half_square_upper(e));
        assert_int_equal(dpn_convert_to_zcdp(&out, &gdp, DPN_RULE_TIGHTEST, NULL), DPN_OK);
        assert_true(out.exact && out.rule == DPN_RULE_DEFINITION && out.guarantee.rho == half_square_upper(e) &&
                    out.guarantee.notion == DPN_ZCDP);
        assert_int_equal(dpn_convert_to_zcdp(&out, &zcdp, DPN_RULE_TIGHTEST, NULL), DPN_OK);
        assert_true(out.exact && out.rule == DPN_RULE_DEFINITION && out.guarantee.rho == zcdp.rho &&
                    out.guarantee.xi == zcdp.xi);
        assert_int_equal(dpn_convert_to_renyi(&out, &zcdp, order, NULL), DPN_OK);
        truth = r_plus(r_times(r_num(zcdp.rho), order), zcdp.xi);
        is_margin(excess(out.guarantee.divergence, truth, r_double(truth)), "divergence", zcdp.rho, order);
        assert_true(out.exact && out.rule == DPN_RULE_DEFINITION && out.guarantee.order == order &&
                    out.guarantee.notion == DPN_RENYI);
        assert_int_equal(dpn_convert_to_renyi(&out, &gdp, order, NULL), DPN_OK);
        truth = r_over(r_times(r_square(r_num(e)), order), 2);
        is_margin(excess(out.guarantee.divergence, truth, r_double(truth)), "divergence", e, order);
        assert_true(out.exact && out.rule == DPN_RULE_DEFINITION);
        assert_int_equal(dpn_convert_to_renyi(&out, &pure, order, NULL), DPN_OK);
        assert_true(out.exact && out.rule == DPN_RULE_RANDOMISED_RESPONSE &&
                    out.guarantee.divergence == dpn_pure_renyi_upper(e, order));
        assert_int_equal(dpn_convert_to_gdp(&out, &pure, NULL), DPN_OK);
        if (e < 100 && i < 200) { /* P(N > mu/2) = 1/(1 + e^e): 64 units more, and no more than the density says */
            real z = r_over(r_num(out.guarantee.mu), 2), tail = r_over(r_erfc(r_div(z, r_sqrt(r_num(2)))), 2);
            real asked = r_div(r_num(1), r_plus(r_exp(r_num(e)), 1));
            double density = r_double(r_exp(r_over(r_square(z), -2))) / 2.5066282746310002;
            double units = 2 * r_double(r_sub(asked, tail)) / density / 0x1p-46;
            if (!(units > 60 && units < 68)) fail_msg("epsilon %g: %g units", e, units);
        }
        assert_true(out.exact && out.rule == DPN_RULE_GAUSSIAN && out.guarantee.notion == DPN_GDP);
        r_release(mark);
    }
    dpn_guarantee renyi = {.notion = DPN_RENYI, .order = 3, .divergence = 1},
                  dressed = {.notion = DPN_RENYI, .order = INFINITY, .divergence = 2};
    assert_int_equal(dpn_convert_to_renyi(&out, &renyi, 3, NULL), DPN_OK);
    assert_true(out.exact && out.guarantee.divergence == 1 && out.rule == DPN_RULE_DEFINITION);
    assert_int_equal(dpn_convert_to_renyi(&out, &renyi, 2, NULL), DPN_OK);
    assert_true(!out.exact && out.guarantee.divergence == 1 && out.guarantee.order == 2);
    assert_int_equal(dpn_convert_to_zcdp(&out, &dressed, DPN_RULE_BUN_STEINKE, NULL), DPN_OK);
    assert_true(out.guarantee.rho == 2);
    assert_int_equal(dpn_convert_to_renyi(&out, &dressed, INFINITY, NULL), DPN_OK);
    assert_true(out.guarantee.divergence == 2 && out.exact);
    dpn_guarantee still = {.notion = DPN_GDP}, zero = {.notion = DPN_PURE};
    assert_int_equal(dpn_convert_to_renyi(&out, &still, INFINITY, NULL), DPN_OK);
    assert_true(out.guarantee.divergence == 0);
    assert_int_equal(dpn_convert_to_renyi(&out, &still, 2, NULL), DPN_OK);
    assert_true(out.guarantee.divergence == 0);
    assert_int_equal(dpn_convert_to_zcdp(&out, &zero, DPN_RULE_TIGHTEST, NULL), DPN_OK);
    assert_true(out.guarantee.rho == 0);
    assert_int_equal(dpn_convert_to_gdp(&out, &(dpn_guarantee){.notion = DPN_PURE, .epsilon = 680}, NULL), DPN_OK);
    assert_int_equal(dpn_convert_to_gdp(&out, &(dpn_guarantee){.notion = DPN_GDP, .mu = 0.3}, NULL), DPN_OK);
    assert_true(out.guarantee.mu == 0.3 && out.exact && out.rule == DPN_RULE_DEFINITION);
}

static void notions_that_do_not_follow(void **state) {
    (void)state;
    dpn_conversion out = {.order = 7};
    dpn_error why;
    const dpn_guarantee approximate = {.notion = DPN_APPROXIMATE, .epsilon = 1, .delta = 1e-3},
                        renyi = {.notion = DPN_RENYI, .order = 3, .divergence = 1};
    const dpn_guarantee zcdp = {.notion = DPN_ZCDP, .rho = 1}, gdp = {.notion = DPN_GDP, .mu = 1},
                        pure = {.notion = DPN_PURE, .epsilon = 1};
    const dpn_guarantee bad = {.notion = DPN_PURE, .epsilon = -1};
#define REFUSED(call, status, text)              \
    do {                                         \
        assert_int_equal(call, status);          \
        assert_string_equal(why.sentence, text); \
        assert_true(out.order == 7);             \
    } while (0)
    REFUSED(dpn_convert_to_zcdp(&out, &approximate, DPN_RULE_TIGHTEST, &why), DPN_EUNSUPPORTED,
            "approximate does not imply zcdp");
    REFUSED(dpn_convert_to_zcdp(&out, &renyi, DPN_RULE_TIGHTEST, &why), DPN_EUNSUPPORTED, "renyi does not imply zcdp");
    REFUSED(dpn_convert_to_zcdp(&out, &gdp, DPN_RULE_BUN_STEINKE, &why), DPN_EUNSUPPORTED,
            "this rule does not lead from gdp to zcdp");
    REFUSED(dpn_convert_to_zcdp(&out, &pure, DPN_RULE_OPTIMAL, &why), DPN_EUNSUPPORTED,
            "this rule does not lead from pure to zcdp");
    REFUSED(dpn_convert_to_zcdp(&out, &bad, DPN_RULE_TIGHTEST, &why), DPN_EDOMAIN,
            "pure: epsilon must lie in [0, 1e100]");
    REFUSED(dpn_convert_to_renyi(&out, &bad, 2, &why), DPN_EDOMAIN, "pure: epsilon must lie in [0, 1e100]");
    REFUSED(dpn_convert_to_gdp(&out, &bad, &why), DPN_EDOMAIN, "pure: epsilon must lie in [0, 1e100]");
    REFUSED(dpn_convert_to_renyi(&out, &pure, 1, &why), DPN_EDOMAIN, "order must be more than 1");
    REFUSED(dpn_convert_to_renyi(&out, &pure, NAN, &why), DPN_EDOMAIN, "order must be more than 1");
    const char *none = "%s does not imply a finite Renyi divergence of this order";
    char text[100];
    const dpn_guarantee *each[] = {&approximate, &renyi, &zcdp, &gdp};
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, none, dpn_notion_name(each[i]->notion));
        REFUSED(dpn_convert_to_renyi(&out, each[i], i == 0 ? 2 : INFINITY, &why), DPN_EUNSUPPORTED, text);
    }
    REFUSED(dpn_convert_to_renyi(&out, &renyi, nextafter(3, 4), &why), DPN_EUNSUPPORTED,
            "renyi does not imply a finite Renyi divergence of this order");
    REFUSED(dpn_convert_to_gdp(&out, &zcdp, &why), DPN_EUNSUPPORTED, "zcdp does not imply Gaussian DP");
    REFUSED(dpn_convert_to_gdp(&out, &(dpn_guarantee){.notion = DPN_PURE, .epsilon = 680.5}, &why), DPN_EDOMAIN,
            "epsilon must be at most 680 to give Gaussian DP");
    assert_int_equal(dpn_convert_to_gdp(&out, &(dpn_guarantee){.notion = DPN_APPROXIMATE, .delta = 1e-302}, &why),
                     DPN_EACCURACY);
#undef REFUSED
}

/* The largest mu that is proved to have the profile, to fourteen digits; small and large ones too. */
static void needed_mu(void **state) {
    (void)state;
    draw_source source = {6};
    double sigma = 1;
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "gaussian", &sigma, 1, NULL), DPN_OK);
    for (int i = 0; i < 40; i++) {
        double epsilon = i % 5 == 0 ? 0 : draw_log_uniform(&source, 1e-6, i % 7 ? 10 : 1e8), mu = 0;
        double delta = i % 3 ? draw_log_uniform(&source, 1e-12, 0.99) : draw_log_uniform(&source, 1e-250, 1e-100);
        dpn_delta at;
        assert_int_equal(gdp_needed(&mu, epsilon, delta, NULL), DPN_OK);
        assert_int_equal(dpn_profile_delta(&at, &law, mu, epsilon, NULL), DPN_OK);
        assert_true(at.upper <= delta);
        assert_int_equal(dpn_profile_delta(&at, &law, mu * (1 + 1.1e-14), epsilon, NULL), DPN_OK);
        if (!(at.upper > delta)) fail_msg("epsilon %g, delta %g: %.17g is not the largest", epsilon, delta, mu);
    }
}

int main(void) {
    r_precision(700);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_have_their_margins),
        cmocka_unit_test(rules_say_who_they_are),
        cmocka_unit_test(nothing_follows),
        cmocka_unit_test(bun_and_steinke),
        cmocka_unit_test(the_best_order),
        cmocka_unit_test(halves_of_squares),
        cmocka_unit_test(the_notions),
        cmocka_unit_test(notions_that_do_not_follow),
        cmocka_unit_test(needed_mu),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
