/* Compositions of guarantees, step by step (docs/proofs/privacy/guarantees.md): failures, what is left of delta, sums of divergences and the
 * search over orders, each by its formula in many bits or by a fine walk. */
#include "privacy/convert/known.c" /* to see each step */

#include "reference/draw.h"
#include "reference/real.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static dpn_workspace *workspace;

static double excess(double got, real truth, double size) {
    return r_double(r_sub(r_num(got), truth)) / (size * 0x1p-46);
}

static void is_margin(double share, const char *what, double a, double b) {
    if (!(share > 0.8 && share < 1.2)) fail_msg("%s, %.17g, %.17g: %g of its margin", what, a, b, share);
}

/* ---- Failures ---- */

static void failures_add(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 1000; i++) {
        size_t mark = r_mark();
        sorted s = {0};
        double log_all = 0;
        real exact = r_num(0);
        int count = 1 + i % 4;
        for (int k = 0; k < count; k++) {
            dpn_guarantee one = {
                .notion = DPN_APPROXIMATE, .epsilon = 1, .delta = draw_log_uniform(&source, 1e-12, 0.5)};
            uint64_t times = 1 + draw_bits(&source) % (k ? 3 : 40);
            add_failure(&s, &log_all, &one, times);
            exact = r_sub(exact, r_times(r_log(r_sub(r_num(1), r_num(one.delta))), (double)times));
        }
        real fails = r_neg(r_expm1(r_neg(exact)));
        /* moved twice: the exponent, which moves it by so much of itself, and the probability */
        double x = r_double(exact), f = r_double(fails), share = 1 + x * exp(-x) / f;
        is_margin(-excess(s.fail_lower, fails, f * share), "lower", x, f);
        if (s.fail_upper < 1) is_margin(excess(s.fail_upper, fails, f * share), "upper", x, f);
        assert_true(s.fail_upper <= 1);
        sorted before = s;
        const dpn_guarantee none[] = {{.notion = DPN_APPROXIMATE, .epsilon = 1},
                                      {.notion = DPN_GDP, .mu = 1, .delta = 0.1}};
        for (int k = 0; k < 2; k++) add_failure(&s, &log_all, &none[k], 5);
        add_failure(&s, &log_all, &(dpn_guarantee){.notion = DPN_APPROXIMATE, .delta = 0.1}, 0);
        assert_memory_equal(&s, &before, sizeof s);
        /* F + (1 - F) x, and back */
        double rest = -draw_log_uniform(&source, 1e-3, 50), got = log_after(s.fail_upper, rest);
        real truth = r_log(r_add(r_num(s.fail_upper), r_mul(r_sub(r_num(1), r_num(s.fail_upper)), r_exp(r_num(rest)))));
        assert_true(fabs(r_double(r_sub(r_num(got), truth))) <= 8 * DBL_EPSILON * (1 + fabs(got) + fabs(rest)));
        double delta = f + (1 - f) * draw_log_uniform(&source, 1e-6, 0.9);
        if (s.fail_upper < 0.999 && delta > s.fail_upper) {
            real down = r_div(r_sub(r_num(delta), r_num(s.fail_upper)), r_sub(r_num(1), r_num(s.fail_lower)));
            real up = r_div(r_sub(r_num(delta), r_num(s.fail_lower)), r_sub(r_num(1), r_num(s.fail_upper)));
            double low = left_lower(delta, s.fail_lower, s.fail_upper),
                   high = left_upper(delta, s.fail_lower, s.fail_upper);
            is_margin(-excess(low, down, r_double(down)), "left below", delta, f);
            if (high < 1) is_margin(excess(high, up, r_double(up)), "left above", delta, f);
        }
        r_release(mark);
    }
    assert_true(left_upper(1, 0.25, 0.5) == 1 && left_lower(0.5, 0.25, 0.5) == 0);
    /* of both ends, with the margin of their logarithms */
    sorted s = {.fail_lower = 0.1, .fail_upper = 0.2};
    dpn_delta rest = dpn_delta_between(log(0.01), log(0.02)), both = with_failure(&s, &rest);
    double lower = log(0.1 + 0.9 * 0.01), upper = log(0.2 + 0.8 * 0.02);
    assert_true(both.log_lower < lower - 0.8 * 0x1p-46 * (1 - lower) &&
                both.log_lower > lower - 1.2 * 0x1p-46 * (1 - lower));
    assert_true(both.log_upper > upper + 0.8 * 0x1p-46 * (1 - upper) &&
                both.log_upper < upper + 1.2 * 0x1p-46 * (1 - upper));
    s.fail_lower = s.fail_upper = 0;
    both = with_failure(&s, &rest);
    assert_memory_equal(&both, &rest, sizeof rest);
}

/* ---- Divergences ---- */

static void every_notion_has_its_divergence(void **state) {
    (void)state;
    const dpn_guarantee zcdp = {.notion = DPN_ZCDP, .xi = 0.1, .rho = 0.25},
                        renyi = {.notion = DPN_RENYI, .order = 8, .divergence = 0.5};
    const dpn_guarantee gdp = {.notion = DPN_GDP, .mu = 0.5},
                        approximate = {.notion = DPN_APPROXIMATE, .epsilon = 1, .delta = 1e-3};
    const dpn_guarantee bad = {.notion = DPN_GDP, .mu = -1}, pure = {.notion = DPN_PURE, .epsilon = 1};
    dpn_divergence out;
    assert_int_equal(divergence_of(&out, &zcdp, 4, NULL), DPN_OK);
    assert_true(out.upper >= 1.1 && out.upper < 1.1 * (1 + 1e-13) && out.lower <= 1.1 && out.lower > 1.1 * (1 - 1e-13));
    assert_int_equal(divergence_of(&out, &zcdp, 1, NULL), DPN_OK); /* the limit, from above */
    assert_true(out.upper >= 0.35 && out.upper < 0.35 * (1 + 1e-13));
    assert_int_equal(divergence_of(&out, &renyi, 8, NULL), DPN_OK);
    assert_true(out.upper == 0.5 && out.lower < 0.5 && out.lower > 0.5 * (1 - 1e-13));
    assert_int_equal(divergence_of(&out, &renyi, 7, NULL), DPN_OK);
    assert_true(out.upper == 0.5 && out.lower == 0);
    assert_int_equal(divergence_of(&out, &renyi, 9, NULL), DPN_OK);
    assert_true(isinf(out.upper) && out.lower == 0);
    assert_int_equal(divergence_of(&out, &gdp, 4, NULL), DPN_OK);
    assert_true(out.upper >= 0.5 && out.upper < 0.5 * (1 + 1e-13) && out.lower > 0.5 * (1 - 1e-13));
    assert_int_equal(divergence_of(&out, &approximate, 4, NULL), DPN_OK);
    assert_true(isinf(out.upper) && out.lower == 0);
    assert_int_equal(divergence_of(&out, &pure, INFINITY, NULL), DPN_OK);
    assert_true(out.upper == 1);
    assert_int_equal(divergence_of(&out, &bad, 4, NULL), DPN_EDOMAIN);
    assert_true(isinf(out.upper) && out.lower == 0);
    for (double rho = 1e-6; rho < 1e6; rho *= 3.7) {
        size_t mark = r_mark();
        double order = 1 + rho, mu = stand_in_mu(&(dpn_guarantee){.notion = DPN_ZCDP, .rho = rho});
        is_margin(-excess(mu, r_sqrt(r_times(r_num(rho), 2)), sqrt(2 * rho)), "mu", rho, 0);
        mu = stand_in_mu(&(dpn_guarantee){.notion = DPN_RENYI, .order = order, .divergence = 3, .rho = 77});
        real truth = r_sqrt(r_div(r_num(6), r_num(order)));
        is_margin(-excess(mu, truth, r_double(truth)), "mu of an order", order, 0);
        r_release(mark);
    }
}

/* Sums over guarantees, each so many times: one after the other, with the margin of the sum. */
static void sums_of_divergences(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 300; i++) {
        size_t mark = r_mark();
        dpn_known known[3];
        double order[2] = {2, 1 + draw_log_uniform(&source, 0.1, 50)};
        real truth[2] = {r_num(0), r_num(0)}, xi = r_num(0), rho = r_num(0);
        for (int k = 0; k < 3; k++) {
            uint64_t times = draw_bits(&source) % 5;
            dpn_guarantee one = {.notion = DPN_ZCDP,
                                 .xi = k == 1 ? 0 : draw_log_uniform(&source, 1e-3, 1),
                                 .rho = draw_log_uniform(&source, 1e-3, 1)};
            known[k] = (dpn_known){one, times};
            xi = r_add(xi, r_times(r_num(one.xi), (double)times));
            rho = r_add(rho, r_times(r_num(one.rho), (double)times));
            for (int j = 0; j < 2; j++)
                truth[j] = r_add(truth[j], r_times(r_plus(r_times(r_num(one.rho), order[j]), one.xi), (double)times));
        }
        dpn_divergence got[2];
        assert_int_equal(dpn_compose_known_renyi(got, NULL, 0, known, 3, order, 2, NULL), DPN_OK);
        for (int j = 0; j < 2; j++) {
            double size = r_double(truth[j]);
            if (size == 0) {
                assert_true(got[j].upper == 0 && got[j].lower == 0);
                continue;
            }
            double above = excess(got[j].upper, truth[j], size), below = -excess(got[j].lower, truth[j], size);
            if (!(above > 0.9 && above < 5 && below > 0.9 && below < 5))
                fail_msg("case %d: %g above, %g below", i, above, below);
        }
        dpn_zcdp zcdp;
        assert_int_equal(dpn_compose_known_zcdp(&zcdp, NULL, 0, known, 3, NULL), DPN_OK);
        double least_xi = r_double(xi), least_rho = r_double(rho);
        assert_true(least_xi == 0 ? zcdp.xi == 0
                                  : excess(zcdp.xi, xi, least_xi) > 0.9 && excess(zcdp.xi, xi, least_xi) < 4);
        assert_true(least_rho == 0 ? zcdp.rho == 0
                                   : excess(zcdp.rho, rho, least_rho) > 0.9 && excess(zcdp.rho, rho, least_rho) < 4);
        r_release(mark);
    }
    /* pure ones of nothing add nothing, not even a margin */
    dpn_known none = {{.notion = DPN_PURE}, 3};
    dpn_zcdp zcdp;
    dpn_divergence sum;
    double order = 2;
    assert_int_equal(dpn_compose_known_zcdp(&zcdp, NULL, 0, &none, 1, NULL), DPN_OK);
    assert_true(zcdp.xi == 0 && zcdp.rho == 0);
    assert_int_equal(dpn_compose_known_renyi(&sum, NULL, 0, &none, 1, &order, 1, NULL), DPN_OK);
    assert_true(sum.upper == 0 && sum.lower == 0);
}

/* ---- The best order ---- */

static double proposition_12(double a, double d, double epsilon) {
    double less = a - 1;
    return less * (d - epsilon) + less * log(less) - a * log(a);
}

/* zCDP and Renyi guarantees beside each other: no order of a fine walk, up to the last that all of them know, does better. */
static void the_best_order_is_found(void **state) {
    (void)state;
    draw_source source = {3};
    int at_the_end = 0, within = 0;
    for (int i = 0; i < 80; i++) {
        sorted s;
        double most = i % 2 ? 1 + draw_log_uniform(&source, 0.3, 200) : INFINITY;
        double rho = draw_log_uniform(&source, i % 5 ? 1e-4 : 1e-16, 1), v = draw_uniform(&source, 0.1, 2) * rho * most;
        dpn_known known[2] = {{{.notion = DPN_ZCDP, .rho = rho}, 2},
                              {{.notion = DPN_RENYI, .order = most, .divergence = v}, 3}};
        size_t count = i % 2 ? 2 : 1;
        assert_int_equal(sort_out(&s, NULL, 0, known, count, NULL), DPN_OK);
        assert_true(s.bounds == count && s.losses == 0 && s.stand_ins == count && s.most_order == most);
        double whole = 2 * rho + (i % 2 ? 3 * v / most : 0),
               epsilon = whole * 1.5 + sqrt(whole) * draw_uniform(&source, 0.5, 8);
        double delta = draw_log_uniform(&source, 1e-12, 1e-2), least = 0, smallest = INFINITY, best = 0;
        for (double x = -20; x <= 60; x += 0.01) {
            double a = 1 + exp2(x);
            if (a > most) a = most;
            double d = 2 * a * rho + (i % 2 ? 3 * v : 0), c = (a - 1) * log(a - 1) - a * log(a);
            double value = proposition_12(a, d, epsilon);
            if (value < least) least = value, best = a;
            smallest = fmin(smallest, d + (c - log(delta)) / (a - 1));
            if (a == most) break;
        }
        smallest = fmax(0, smallest);
        at_the_end += best == most;
        within += best > 0 && best < most;
        wanted w = {.s = &s, .at = epsilon, .least = 0};
        search_orders(&w);
        if (!(w.least <= least + 1e-6 * (1 + fabs(least)) && w.fatal == DPN_OK))
            fail_msg("case %d: %.17g, not %.17g", i, w.least, least);
        wanted e = {.s = &s, .of_delta = true, .at = delta, .least = INFINITY};
        search_orders(&e);
        if (!(e.least <= smallest * (1 + 1e-6) + 1e-9)) fail_msg("case %d: %.17g, not %.17g", i, e.least, smallest);
        /* one order alone: the rule's value at it, and +inf beyond what all of them know */
        wanted one = {.s = &s, .at = epsilon, .least = INFINITY};
        double order = 1 + fmin(1, most - 1) / 2, at = at_order(&one, order, DPN_RULE_CANONNE_KAMATH_STEINKE);
        double exact = fmin(0, proposition_12(order, 2 * order * rho + (i % 2 ? 3 * v : 0), epsilon));
        assert_true(at >= exact - 1e-12 * (1 + fabs(exact)) && at <= exact + 1e-11 * (1 + fabs(exact)) &&
                    one.least == at);
        if (isfinite(most))
            assert_true(isinf(at_order(&one, most * 1.01, DPN_RULE_CANONNE_KAMATH_STEINKE)) && one.least == at);
        release(&s);
    }
    assert_true(at_the_end > 5 && within > 20);
    assert_true(order_of(0) == 2 && order_of(-1) == 1.5 && order_of(10) == 1025);
}

/* ---- Countless ones ---- */

static void what_is_countless(void **state) {
    (void)state;
    const dpn_guarantee pure = {.notion = DPN_PURE, .epsilon = 0.5}, gdp = {.notion = DPN_GDP, .mu = 1};
    const uint64_t much = UINT64_C(1) << 50;
    const struct {
        dpn_known known[2];
        bool countless;
    } row[] = {{{{pure, much}, {pure, 0}}, false},    {{{pure, much + 1}, {pure, 0}}, true},
               {{{pure, much}, {pure, 1}}, true},     {{{pure, much / 2}, {pure, much / 2}}, false},
               {{{pure, 2 * much}, {gdp, 1}}, false}, {{{gdp, 2 * much}, {gdp, 1}}, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        sorted s;
        assert_int_equal(sort_out(&s, NULL, 0, row[i].known, 2, NULL), DPN_OK);
        if (are_countless(&s) != row[i].countless) fail_msg("row %zu", i);
        release(&s);
    }
    /* no loss exceeds the sum of all epsilons */
    dpn_known known = {pure, much + 1};
    dpn_argument argument;
    dpn_epsilon epsilon;
    dpn_delta delta;
    double most = 0.5 * (double)(much + 1);
    assert_int_equal(dpn_compose_known_epsilon(&epsilon, &argument, workspace, NULL, 0, &known, 1, 0, NULL, NULL),
                     DPN_OK);
    assert_true(epsilon.lower == 0 && epsilon.upper >= most && epsilon.upper < most * (1 + 1e-12) &&
                argument == DPN_ARGUMENT_BOUND);
    assert_int_equal(
        dpn_compose_known_delta(&delta, &argument, workspace, NULL, 0, &known, 1, most * (1 + 1e-14), NULL, NULL),
        DPN_OK);
    assert_true(delta.upper == 0 && argument == DPN_ARGUMENT_BOUND);
    assert_int_equal(
        dpn_compose_known_delta(&delta, &argument, workspace, NULL, 0, &known, 1, most * (1 - 1e-9), NULL, NULL),
        DPN_OK);
    assert_true(delta.upper > 0 || delta.log_upper > -INFINITY);
    assert_true(delta.lower == 0);
    known.times = much;
    assert_int_equal(dpn_compose_known_delta(&delta, &argument, workspace, NULL, 0, &known, 1, most * 2, NULL, NULL),
                     DPN_OK);
    assert_int_equal(argument, DPN_ARGUMENT_CORNER);
}

/* ---- Words ---- */

static void refusals(void **state) {
    (void)state;
    dpn_divergence sum = {7, 7};
    dpn_delta delta = {7, 7, 7, 7};
    dpn_epsilon epsilon = {7, 7};
    dpn_zcdp zcdp = {.xi = 7};
    dpn_argument argument = DPN_ARGUMENT_RENYI;
    dpn_error why;
    dpn_part part = {.times = 1};
    dpn_known known = {{.notion = DPN_ZCDP, .rho = 1}, 1}, bad = {{.notion = DPN_ZCDP, .rho = -1}, 1};
    double order = 2, low = 0.5;
#define REFUSED(call, status, text)              \
    do {                                         \
        assert_int_equal(call, status);          \
        assert_string_equal(why.sentence, text); \
    } while (0)
    REFUSED(dpn_compose_known_renyi(&sum, NULL, 1, NULL, 0, &order, 1, &why), DPN_EDOMAIN,
            "part, known and order must not be NULL");
    REFUSED(dpn_compose_known_renyi(&sum, NULL, 0, NULL, 1, &order, 1, &why), DPN_EDOMAIN,
            "part, known and order must not be NULL");
    REFUSED(dpn_compose_known_renyi(&sum, NULL, 0, &known, 1, NULL, 1, &why), DPN_EDOMAIN,
            "part, known and order must not be NULL");
    assert_int_equal(dpn_compose_known_renyi(&sum, NULL, 0, &known, 1, &low, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_compose_known_renyi(&sum, NULL, 0, &bad, 1, &order, 1, &why), DPN_EDOMAIN);
    REFUSED(dpn_compose_known_zcdp(&zcdp, NULL, 0, NULL, 1, &why), DPN_EDOMAIN, "known must not be NULL");
    assert_int_equal(dpn_compose_known_zcdp(&zcdp, NULL, 0, &bad, 1, &why), DPN_EDOMAIN);
    REFUSED(dpn_compose_known_delta(&delta, &argument, workspace, NULL, 1, NULL, 0, 1, NULL, &why), DPN_EDOMAIN,
            "part and known must not be NULL");
    REFUSED(dpn_compose_known_delta(&delta, &argument, workspace, NULL, 0, NULL, 1, 1, NULL, &why), DPN_EDOMAIN,
            "part and known must not be NULL");
    REFUSED(dpn_compose_known_delta(&delta, &argument, workspace, &part, 1, &known, 1, 1, NULL, &why), DPN_EDOMAIN,
            "part 0 of the composition has no loss");
    REFUSED(dpn_compose_known_delta(&delta, &argument, workspace, NULL, 0, &known, 1, NAN, NULL, &why), DPN_EDOMAIN,
            "epsilon must be a number");
    static const double none[] = {-1e-300, 1.0000001, NAN};
    for (int i = 0; i < 3; i++)
        REFUSED(dpn_compose_known_epsilon(&epsilon, &argument, workspace, NULL, 0, &known, 1, none[i], NULL, &why),
                DPN_EDOMAIN, "delta must lie in [0, 1]");
    REFUSED(dpn_compose_known_epsilon(&epsilon, &argument, workspace, NULL, 0, &bad, 1, 0.1, NULL, &why), DPN_EDOMAIN,
            "zcdp: rho must lie in [0, 1e100]");
    static const double value[] = {-1, 1}, probability[] = {0.2689414213699951, 0.7310585786300049};
    assert_int_equal(dpn_loss_explicit(&part.loss, value, probability, 2, NULL), DPN_OK);
    REFUSED(dpn_compose_known_delta(&delta, &argument, workspace, &part, 1, &known, 1, 1, NULL, &why), DPN_EUNSUPPORTED,
            "an explicit loss has one direction and cannot stand beside a zCDP or Renyi guarantee");
    assert_true(sum.upper == 7 && delta.upper == 7 && epsilon.upper == 7 && zcdp.xi == 7 &&
                argument == DPN_ARGUMENT_RENYI);
    /* what is used no times is nowhere in the way */
    known.times = 0;
    assert_int_equal(dpn_compose_known_delta(&delta, &argument, workspace, &part, 1, &known, 1, 0.5, NULL, &why),
                     DPN_OK);
    assert_true(argument == DPN_ARGUMENT_CORNER && delta.upper < 0.5);
    /* a delta next to the probability of a failure */
    dpn_known fails = {{.notion = DPN_APPROXIMATE, .epsilon = 1, .delta = 0.1}, 1};
    REFUSED(dpn_compose_known_epsilon(&epsilon, &argument, workspace, NULL, 0, &fails, 1, 0.1, NULL, &why),
            DPN_EACCURACY, "delta is too close to the probability that a guarantee fails");
    assert_int_equal(dpn_compose_known_epsilon(&epsilon, NULL, workspace, NULL, 0, &fails, 1, 0.0999, NULL, &why),
                     DPN_OK);
    assert_true(isinf(epsilon.lower) && isinf(epsilon.upper));
#undef REFUSED
}

/* Below 0: delta(-e) = 1 - e^-e + e^-e delta(e), for guarantees of both directions. */
static void negative_epsilons(void **state) {
    (void)state;
    dpn_known known[2] = {{{.notion = DPN_ZCDP, .rho = 0.05}, 1},
                          {{.notion = DPN_APPROXIMATE, .epsilon = 0.3, .delta = 0.01}, 1}};
    for (size_t count = 1; count <= 2; count++)
        for (double epsilon = 0.1; epsilon < 3; epsilon += 0.4) {
            dpn_delta here, there;
            assert_int_equal(
                dpn_compose_known_delta(&here, NULL, workspace, NULL, 0, known, count, epsilon, NULL, NULL), DPN_OK);
            assert_int_equal(
                dpn_compose_known_delta(&there, NULL, workspace, NULL, 0, known, count, -epsilon, NULL, NULL), DPN_OK);
            double x = exp(-epsilon), upper = 1 - x + x * here.upper, lower = 1 - x + x * here.lower;
            assert_true(there.upper >= upper * (1 - 1e-14) && there.upper <= upper * (1 + 1e-12));
            assert_true(there.lower <= lower * (1 + 1e-14) && there.lower >= lower * (1 - 1e-12));
        }
}

int main(void) {
    if (dpn_workspace_new(&workspace)) return 1;
    r_precision(300);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_add),        cmocka_unit_test(every_notion_has_its_divergence),
        cmocka_unit_test(sums_of_divergences), cmocka_unit_test(the_best_order_is_found),
        cmocka_unit_test(what_is_countless),   cmocka_unit_test(refusals),
        cmocka_unit_test(negative_epsilons),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    dpn_workspace_free(workspace);
    r_free_all();
    return failures;
}
