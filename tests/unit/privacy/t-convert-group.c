/* Groups, step by step: products and sums with the margins that docs/proofs/privacy/convert.md gives them, and what each notion may say. */
#include "privacy/convert/group.c" /* to see each step */
#include "privacy/convert/group-pure.c"

#include "reference/draw.h"
#include "reference/special.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static double excess(double got, real truth, double size) {
    return r_double(r_sub(r_num(got), truth)) / (size * 0x1p-46);
}

static void is_margin(double share, const char *what, double a, double b) {
    if (!(share > 0.8 && share < 1.2)) fail_msg("%s of %.17g and %.17g: %g of its margin", what, a, b, share);
}

static void products_are_the_least_doubles(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 5000; i++) {
        size_t mark = r_mark();
        double k = floor(draw_log_uniform(&source, 1, 1e9)), x = draw_log_uniform(&source, 1e-240, 1e100);
        double got = times_upper(k, x);
        real exact = r_times(r_num(x), k);
        assert_true(!r_less(r_num(got), exact) && r_less(r_num(nextafter(got, 0)), exact));
        x = draw_log_uniform(&source, 1e-320, 1e-280) / k;
        got = times_upper(k, x);
        exact = r_times(r_num(x), k);
        assert_true(!r_less(r_num(got), exact) && got <= r_double(exact) * (1 + 0x1p-45) + DBL_MIN);
        if (x > 0x1p-900) is_margin(excess(got, exact, r_double(exact)), "product", k, x);
        r_release(mark);
    }
    assert_true(times_upper(7, 0) == 0 && times_upper(3, 0.5) == 1.5 && times_upper(1, 1e-200) == 1e-200);
    assert_true(times_upper(4, 0x1p-829) == 0x1p-827);
}

static void harmonic_numbers(void **state) {
    (void)state;
    size_t mark = r_mark();
    real sum = r_num(0);
    for (int k = 1; k <= 3000; k++) {
        sum = r_keep(mark, r_add(sum, r_div(r_num(1), r_num(k))));
        size_t inner = r_mark();
        double got = harmonic_upper(k), over = r_double(r_sub(r_num(got), sum)), exact = r_double(sum);
        if (k <= 100) {
            if (!(over > 1.7 * 0x1p-46 * exact && over < 2.3 * 0x1p-46 * exact))
                fail_msg("H(%d) exceeds by %g", k, over);
        } else {
            /* log(k/100) less 1/101 + ... + 1/k: by Euler and Maclaurin 1/200 - 1/2k, but for less than 1e-5 */
            double tail = 0.5 / 100 - 0.5 / k;
            if (!(over > 1.7 * 0x1p-46 * exact && fabs(over - tail) < 1e-5)) fail_msg("H(%d) exceeds by %g", k, over);
        }
        r_release(inner);
    }
    r_release(mark);
    assert_true(fabs(harmonic_upper(1e9) - (log(1e9) + 0.57721566490153286 + 0.005)) < 1e-4);
}

/* delta (e^(k e) - 1)/(e^e - 1): its logarithm, to the margins of the fraction and of the sum. */
static void deltas_of_groups(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        double e = i % 9 == 0 ? 0 : draw_log_uniform(&source, 1e-9, i % 3 ? 29 : 200),
               k = floor(draw_log_uniform(&source, 1, 1e4));
        if (i % 5 == 0 && e > 0) k = fmax(1, floor(30 / e) + (i % 2)); /* about the place where the formula changes */
        double delta = draw_log_uniform(&source, 1e-300, 1), size = 1 - log(delta);
        real rest = r_log(r_num(k));
        if (e > 0) {
            real top = r_log(r_expm1(r_times(r_num(e), k))), bottom = r_log(r_expm1(r_num(e)));
            rest = r_sub(top, bottom);
            size += 1 + fabs(r_double(top)) + fabs(r_double(bottom));
        }
        size += fabs(r_double(rest));
        real truth = r_add(r_log(r_num(delta)), rest);
        double got = group_log_delta(e, delta, k), dropped = e * k > 30 ? exp(-e * k) : 0;
        double share = excess(got, truth, size);
        if (!(share > 0.8 && share < 1.2 + dropped / (size * 0x1p-46)))
            fail_msg("epsilon %.17g, delta %g, %g members: %g of the margin", e, delta, k, share);
        r_release(mark);
    }
    /* The guarantee itself, as a fraction or from the logarithm; and the way back. */
    for (int i = 0; i < 2000; i++) {
        size_t mark = r_mark();
        double e = draw_log_uniform(&source, 1e-6, 300), delta = draw_log_uniform(&source, 1e-280, 1e-3);
        uint64_t k = 2 + draw_bits(&source) % 6;
        dpn_guarantee from = {.notion = DPN_APPROXIMATE, .epsilon = e, .delta = delta};
        dpn_conversion got = {.order = 7};
        real all = r_times(r_num(e), (double)k), truth = r_times(r_div(r_expm1(all), r_expm1(r_num(e))), delta);
        dpn_error why;
        dpn_status status = dpn_convert_to_group(&got, &from, k, &why);
        if (r_double(truth) > 1 + 1e-9) {
            assert_int_equal(status, DPN_EDOMAIN);
            assert_string_equal(why.sentence, "nothing is left for such groups: delta would be 1 or more");
            assert_true(got.order == 7);
        } else {
            assert_int_equal(status, DPN_OK);
            assert_true(got.rule == DPN_RULE_GROUP && !got.exact && got.order == 0);
            if (got.guarantee.epsilon < 690) { /* the product k epsilon itself is rounded up */
                real rounded = r_times(r_div(r_expm1(r_num(got.guarantee.epsilon)), r_expm1(r_num(e))), delta);
                is_margin(excess(got.guarantee.delta, rounded, r_double(rounded)), "delta", e, delta);
            } else {
                assert_true(!r_less(r_num(got.guarantee.delta), truth) &&
                            got.guarantee.delta <= r_double(truth) * (1 + 1e-10));
            }
        }
        dpn_conversion need;
        assert_int_equal(dpn_convert_to_add_remove(&need, &from, NULL), DPN_OK);
        assert_true(need.rule == DPN_RULE_NEEDED && !need.exact && need.guarantee.epsilon == e / 2);
        real half = r_plus(r_exp(r_num(e / 2)), 1), needed = r_div(r_num(delta), half);
        if (r_double(needed) > 1e-290)
            is_margin(-excess(need.guarantee.delta, needed, r_double(needed)), "needed", e, delta);
        is_margin(-excess(need.log_delta, r_log(needed), 1 - log(delta) + e / 2), "needed log", e, delta);
        r_release(mark);
    }
}

static dpn_conversion group_of(dpn_guarantee from, uint64_t k) {
    dpn_conversion out;
    dpn_error why;
    if (dpn_convert_to_group(&out, &from, k, &why)) fail_msg("%s", why.sentence);
    return out;
}

static void refused(dpn_guarantee from, uint64_t k, dpn_status status, const char *sentence) {
    dpn_conversion out = {.order = 7};
    dpn_error why;
    assert_int_equal(dpn_convert_to_group(&out, &from, k, &why), status);
    if (!strstr(why.sentence, sentence)) fail_msg("'%s'", why.sentence);
    assert_true(out.order == 7);
}

static void every_notion_has_its_group(void **state) {
    (void)state;
    const dpn_guarantee pure = {.notion = DPN_PURE, .epsilon = 0.5}, gdp = {.notion = DPN_GDP, .mu = 0.5};
    const dpn_guarantee zcdp = {.notion = DPN_ZCDP, .xi = 0.5, .rho = 0.25}, rho = {.notion = DPN_ZCDP, .rho = 0.25};
    const dpn_guarantee xi = {.notion = DPN_ZCDP, .xi = 0.5},
                        renyi = {.notion = DPN_RENYI, .order = 2, .divergence = 1};
    dpn_conversion got = group_of(pure, 3);
    assert_true(got.exact && got.guarantee.epsilon == 1.5 && got.log_delta == -INFINITY && got.guarantee.delta == 0);
    got = group_of(gdp, 4);
    assert_true(got.exact && got.guarantee.mu == 2);
    got = group_of(rho, 3);
    assert_true(got.exact && got.guarantee.rho == 2.25 && got.guarantee.xi == 0);
    got = group_of(zcdp, 2);
    assert_true(!got.exact && got.guarantee.rho == 1 && got.guarantee.xi >= 1.5 && got.guarantee.xi < 1.5 + 1e-12);
    got = group_of(xi, 3); /* pure in the dress of zCDP: its losses add */
    assert_true(got.exact && got.guarantee.xi == 1.5 && got.guarantee.rho == 0);
    got = group_of(zcdp, 1);
    assert_true(got.exact && got.guarantee.xi == 0.5 && got.guarantee.rho == 0.25);
    dpn_guarantee approximate = {.notion = DPN_APPROXIMATE, .epsilon = 0.3, .delta = 0.1};
    got = group_of(approximate, 1);
    assert_true(got.exact && got.guarantee.delta == 0.1 && got.guarantee.epsilon == 0.3);
    assert_true(got.log_delta >= log(0.1) && got.log_delta < log(0.1) + 1e-12);
    assert_true(group_of(pure, 1000000000).guarantee.epsilon == 5e8);
    refused(pure, 0, DPN_EDOMAIN, "a group has 1 to 1e9 members");
    refused(pure, 1000000001, DPN_EDOMAIN, "a group has 1 to 1e9 members");
    refused(renyi, 2, DPN_EUNSUPPORTED, "a Renyi divergence of one order does not bound those of groups");
    refused((dpn_guarantee){.notion = DPN_PURE, .epsilon = 1e99}, 11, DPN_EDOMAIN,
            "pure: epsilon must lie in [0, 1e100]");
    refused((dpn_guarantee){.notion = DPN_PURE, .epsilon = -1}, 1, DPN_EDOMAIN, "pure: epsilon");
    refused((dpn_guarantee){.notion = DPN_APPROXIMATE, .epsilon = 0, .delta = 0.5}, 2, DPN_EDOMAIN, "nothing is left");
    dpn_conversion need = {.order = 7};
    dpn_error why;
    assert_int_equal(dpn_convert_to_add_remove(&need, &renyi, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "no such guarantee is known that would give renyi(...)");
    assert_int_equal(dpn_convert_to_add_remove(&need, &xi, &why), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_to_add_remove(&need, &(dpn_guarantee){.notion = DPN_GDP, .mu = -1}, &why),
                     DPN_EDOMAIN);
    assert_true(need.order == 7);
    assert_int_equal(dpn_convert_to_add_remove(&need, &rho, NULL), DPN_OK);
    assert_true(need.guarantee.rho == 0.0625 && need.log_delta == -INFINITY && need.rule == DPN_RULE_NEEDED);
    assert_int_equal(dpn_convert_to_add_remove(&need, &gdp, NULL), DPN_OK);
    assert_true(need.guarantee.mu == 0.25 && !need.exact);
    assert_int_equal(dpn_convert_to_add_remove(&need, &pure, NULL), DPN_OK);
    assert_true(need.guarantee.epsilon == 0.25 && need.guarantee.delta == 0);
    assert_int_equal(dpn_convert_to_replace(&need, &pure, NULL), DPN_OK);
    assert_true(need.guarantee.epsilon == 1 && need.rule == DPN_RULE_GROUP);
}

/* What may be called exact, by notion and group: pure guarantees by the noise that is the worst, Gaussian ones, and whatever is alone. */
static void answers_for_groups(void **state) {
    (void)state;
    static const struct {
        dpn_guarantee from;
        uint64_t k;
        double epsilon, delta;
        bool exact, noise;
    } row[] = {{{.notion = DPN_PURE, .epsilon = 1}, 1, 0.5, 0.1, true, false},
               {{.notion = DPN_PURE, .epsilon = 1}, 2, 0.5, 0.1, true, true},
               {{.notion = DPN_PURE, .epsilon = 1}, 2, 2, 0, true, true},
               {{.notion = DPN_PURE, .epsilon = 0}, 2, 0, 0, false, false},
               {{.notion = DPN_ZCDP, .xi = 1}, 2, 1.5, 0.1, true, true},
               {{.notion = DPN_ZCDP, .xi = 1}, 3, 3, 0, true, true},
               {{.notion = DPN_ZCDP, .rho = 0.1}, 1, 0.01, 0.215, true, false},
               {{.notion = DPN_ZCDP, .rho = 0.1}, 2, 0.01, 0.42, false, false},
               {{.notion = DPN_GDP, .mu = 1}, 1, 0.5, 0.1, true, false},
               {{.notion = DPN_GDP, .mu = 1}, 3, 0.5, 0.1, true, false},
               {{.notion = DPN_APPROXIMATE, .epsilon = 1, .delta = 1e-6}, 1, 0.5, 0.1, true, false},
               {{.notion = DPN_APPROXIMATE, .epsilon = 1, .delta = 1e-6}, 2, 0.5, 0.1, false, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_conversion delta, epsilon;
        assert_int_equal(
            dpn_convert_group_to_delta(&delta, &row[i].from, row[i].k, row[i].epsilon, DPN_RULE_TIGHTEST, NULL),
            DPN_OK);
        assert_int_equal(
            dpn_convert_group_to_epsilon(&epsilon, &row[i].from, row[i].k, row[i].delta, DPN_RULE_TIGHTEST, NULL),
            DPN_OK);
        if (delta.exact != row[i].exact || epsilon.exact != row[i].exact)
            fail_msg("row %zu: exact %d, %d", i, delta.exact, epsilon.exact);
        if ((delta.rule == DPN_RULE_GROUP) != row[i].noise || (epsilon.rule == DPN_RULE_GROUP) != row[i].noise)
            fail_msg("row %zu: rules %d, %d", i, (int)delta.rule, (int)epsilon.rule);
        if (row[i].delta == 0) assert_true(delta.guarantee.delta == 0 && epsilon.guarantee.epsilon == row[i].epsilon);
        if (row[i].noise && row[i].delta > 0) /* no more than of the group's own guarantee */
            assert_true(fabs(delta.log_delta - log(delta.guarantee.delta)) < 1e-9 && delta.guarantee.delta < 0.6);
    }
    const dpn_guarantee pure = row[0].from;
    dpn_conversion out = {.order = 7};
    assert_int_equal(dpn_convert_group_to_delta(&out, &pure, 0, 1, DPN_RULE_TIGHTEST, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_group_to_epsilon(&out, &pure, 0, 0.1, DPN_RULE_TIGHTEST, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_group_to_gdp(&out, &pure, 0, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_group_to_delta(&out, &pure, 2, -1, DPN_RULE_TIGHTEST, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_group_to_epsilon(&out, &pure, 2, 2, DPN_RULE_TIGHTEST, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_convert_group_to_delta(&out, &pure, 2, 1, DPN_RULE_BUN_STEINKE, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_group_to_epsilon(&out, &pure, 2, 0.1, DPN_RULE_BUN_STEINKE, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_group_to_gdp(&out, &(dpn_guarantee){.notion = DPN_ZCDP, .rho = 1}, 2, NULL),
                     DPN_EUNSUPPORTED);
    assert_int_equal(dpn_convert_group_to_gdp(&out, &(dpn_guarantee){.notion = DPN_PURE, .epsilon = 400}, 2, NULL),
                     DPN_EDOMAIN);
    assert_true(out.order == 7);
    /* A rule that is asked for speaks for itself, also of what is pure in another dress. */
    const dpn_guarantee dressed = {.notion = DPN_ZCDP, .xi = 1};
    assert_int_equal(dpn_convert_group_to_delta(&out, &dressed, 2, 1, DPN_RULE_BUN_STEINKE, NULL), DPN_OK);
    assert_true(out.rule == DPN_RULE_BUN_STEINKE && out.guarantee.delta == 1 && !out.exact);
    assert_int_equal(dpn_convert_group_to_epsilon(&out, &dressed, 2, 0.1, DPN_RULE_BUN_STEINKE, NULL), DPN_OK);
    assert_true(out.rule == DPN_RULE_BUN_STEINKE && isinf(out.guarantee.epsilon) && !out.exact);
    /* Gaussian DP of groups: Gaussian noise, and one member, as it is. */
    assert_int_equal(dpn_convert_group_to_gdp(&out, &(dpn_guarantee){.notion = DPN_GDP, .mu = 0.5}, 3, NULL), DPN_OK);
    assert_true(out.exact && out.guarantee.mu == 1.5 && out.rule == DPN_RULE_DEFINITION);
    assert_int_equal(dpn_convert_group_to_gdp(&out, &pure, 1, NULL), DPN_OK);
    assert_true(out.exact && out.rule == DPN_RULE_GAUSSIAN);
    assert_int_equal(dpn_convert_group_to_gdp(&out, &row[11].from, 2, NULL), DPN_OK);
    assert_true(!out.exact && out.rule == DPN_RULE_NEEDED);
}

/* P(N > z) of the quantiles is no more than asked; z has a margin of 64 units, and what the tail loses on the way. */
static void quantiles_of_steps(void **state) {
    (void)state;
    draw_source source = {4};
    double sigma = 1;
    dpn_law normal;
    assert_int_equal(dpn_law_make(&normal, "gaussian", &sigma, 1, NULL), DPN_OK);
    r_precision(1200);
    for (int i = 0; i < 60; i++) {
        size_t mark = r_mark();
        double e = draw_log_uniform(&source, 1e-3, 300), j = floor(draw_uniform(&source, 1, fmin(50, 700 / e) + 1));
        if (!(e * j < 700)) continue;
        double z = quantile_upper(&normal, e, j);
        real asked = r_div(r_exp(r_times(r_num(-e), j)), r_plus(r_exp(r_num(-e)), 1));
        real tail = r_over(r_erfc(r_div(r_num(z), r_sqrt(r_num(2)))), 2);
        /* to first order the tail falls by the density for each unit of z */
        double density = r_double(r_exp(r_over(r_square(r_num(z)), -2))) / 2.5066282746310002,
               mills = r_double(asked) / density;
        double units = r_double(r_sub(asked, tail)) / density / 0x1p-46;
        if (!(units > 64 + 15 * mills - 3 && units < 64 + 19 * mills + 3))
            fail_msg("epsilon %g, step %g: %g units, Mills' ratio %g", e, j, units, mills);
        r_release(mark);
    }
    r_precision(400);
    assert_true(isfinite(quantile_upper(&normal, 1, 707)) && isinf(quantile_upper(&normal, 1, 709)));
}

int main(void) {
    r_precision(400);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_the_least_doubles),
        cmocka_unit_test(harmonic_numbers),
        cmocka_unit_test(deltas_of_groups),
        cmocka_unit_test(every_notion_has_its_group),
        cmocka_unit_test(answers_for_groups),
        cmocka_unit_test(quantiles_of_steps),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
