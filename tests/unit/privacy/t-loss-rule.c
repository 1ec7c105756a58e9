/* A loss under a tilt: masses, cumulants and moments against sums in long double, and the errors that are claimed for them. */
#include "privacy/loss/rule.c" /* to see each sum */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define UNIT (0.5L * DBL_EPSILON)

static bool near(long double x, long double y, long double relative) {
    return fabsl(x - y) <= relative * fmaxl(fabsl(x), fabsl(y));
}

/* ---- points ---- */

static void rules_grow_to_their_limit(void **state) {
    (void)state;
    dpn_tilt_rule rule = {0};
    for (size_t i = 0; i < DPN_MAX_POINTS; i++)
        assert_int_equal(dpn_tilt_rule_add(&rule, (double)i, -(double)i, 1 + (double)i, 0.5 * (double)i), DPN_OK);
    assert_int_equal(dpn_tilt_rule_add(&rule, 7, 7, 7, 7), DPN_EACCURACY);
    assert_int_equal(rule.count, DPN_MAX_POINTS);
    for (size_t i = 0; i < DPN_MAX_POINTS; i++)
        assert_true(rule.value[i] == (double)i && rule.sum[i] == -(double)i && rule.difference[i] == 1 + (double)i &&
                    rule.minus[i] == 0.5 * (double)i);
    assert_true(rule.capacity >= rule.count && rule.capacity <= DPN_MAX_POINTS);
    dpn_tilt_rule_free(&rule);
    assert_true(!rule.value && rule.count == 0 && rule.capacity == 0 && rule.theta == 0);
}

/* One point, with the mass weight e^log_mass at L and e^-L times as much at -L. */
static void masses_of_a_point(void **state) {
    (void)state;
    draw_source source = {141};
    size_t weak = 0;
    for (int trial = 0; trial < 3000; trial++) {
        double theta = trial % 4 ? draw_uniform(&source, -1, 4) : draw_uniform(&source, -0.5, -0.49),
               top = draw_uniform(&source, 0, 3), L = draw_log_uniform(&source, 1e-6, 20),
               log_mass = draw_uniform(&source, -5, 1), weight = draw_log_uniform(&source, 0.1, 10),
               size = draw_log_uniform(&source, 1e-3, 100);
        bool symmetric = trial % 3;
        if (!symmetric && trial % 2) L = -L;
        if (trial % 50 == 0) L = 0;
        dpn_tilt_rule rule = {.theta = theta};
        totals t = {0};
        assert_int_equal(dpn_tilt_rule_add(&rule, L, log_mass, weight, size), DPN_OK);
        add_point(&t, &rule, 0, symmetric, top);
        long double m = weight * expl(log_mass), unit = expl(-(long double)top), tilt = (long double)theta * L,
                    both = (1 + (long double)theta) * L;
        long double plus = m * unit * expl(tilt), minus = symmetric ? m * unit * expl(-both) : 0,
                    plain = m * (symmetric ? 1 + expl(-L) : 1);
        long double gain = m * unit * expm1l(tilt) * (symmetric ? -expm1l(-both) : 1);
        long double difference = symmetric ? m * unit * expl(-both) * expm1l(tilt + both) : plus;
        /* As docs/proofs/privacy/contour.md says, section 6: what each exponential errs by. */
        long double relative = UNIT * (32 + 16 * (size + (1 + fabsl(theta)) * fabsl(L)));
        long double allowed = UNIT * (32 + 4 * (fabsl(log_mass) + fabsl(top) + (1 + fabsl(theta)) * fabsl(L)));
        assert_true(near(rule.sum[0], plus + minus, allowed) && fabsl(rule.minus[0] - minus) <= allowed * minus);
        if (!(fabsl(rule.difference[0] - difference) <= 4 * allowed * fabsl(difference)))
            fail_msg("difference %.17g, not %.17Lg", rule.difference[0], difference);
        assert_true(near(dpn_two_value(t.plain), plain, allowed) &&
                    near(dpn_two_value(t.tilted), plus + minus, allowed));
        long double got = dpn_two_value(t.gain), doubt = fabsl(tilt) < 1 ? fabsl(gain) : plus + m * unit;
        if (!(fabsl(got - gain) <= allowed * doubt)) fail_msg("gain %.17Lg, not %.17Lg", got, gain);
        weak += fabsl(tilt) < 1e-3L;
        assert_true(near(t.plain_error, relative * plain, 1e-9L) &&
                    near(t.tilted_error, relative * (plus + minus), 1e-9L));
        assert_true(near(t.tilted_error_loss, relative * (plus + minus) * fabsl(L), 1e-9L));
        long double of_gain = fabsl(tilt) < 1 ? relative * fabsl(gain) : relative * (plus + plain * unit);
        assert_true(near(t.gain_error, of_gain, 1e-9L));
        /* They are added to what was there. */
        rule.sum[0] = log_mass, rule.difference[0] = weight, rule.minus[0] = size;
        add_point(&t, &rule, 0, symmetric, top);
        assert_true(near(t.plain_error, 2 * relative * plain, 1e-9L) &&
                    near(t.tilted_error, 2 * relative * (plus + minus), 1e-9L) &&
                    near(t.gain_error, 2 * of_gain, 1e-9L));
        assert_true(near(t.tilted_error_loss, 2 * relative * (plus + minus) * fabsl(L), 1e-9L) &&
                    near(dpn_two_value(t.plain), 2 * plain, allowed) &&
                    near(dpn_two_value(t.tilted), 2 * (plus + minus), allowed) &&
                    fabsl(dpn_two_value(t.gain) - 2 * gain) <= 2 * allowed * doubt);
        dpn_tilt_rule_free(&rule);
    }
    assert_true(weak > 100);
}

/* ---- the cumulant: its error is that of a quotient whose parts err as they say, twice ---- */

static long double cumulant_of(long double gain, long double plain, long double top) {
    return log1pl(expl(top) * gain / plain);
}

static void errors_of_cumulants(void **state) {
    (void)state;
    draw_source source = {142};
    for (int trial = 0; trial < 2000; trial++) {
        double top = trial % 3 ? draw_uniform(&source, 0, 20) : 0, plain = draw_log_uniform(&source, 0.1, 10),
               share = 1e-7;
        double gain = plain * exp(-top) *
                      (trial % 5 == 0 ? -draw_uniform(&source, 0, 0.9)
                                      : draw_log_uniform(&source, 1e-4, trial % 2 ? 1 : exp(top) + 1));
        /* One of the errors, or all. */
        double error[5] = {0};
        for (int i = 0; i < 5; i++)
            if (trial % 6 == i || trial % 6 == 5)
                error[i] = share * draw_uniform(&source, 0.5, 1) *
                           (i == 0             ? fabs(gain)
                            : i == 1 || i == 4 ? plain
                            : gain == 0        ? 1
                                               : fabs(gain));
        totals t = {.plain = dpn_two(plain), .gain = dpn_two(gain), .gain_error = error[0], .plain_error = error[1]};
        double lost = error[2], lost_base = trial % 6 == 3 || trial % 6 == 5 ? error[4] + error[3] : error[4];
        dpn_tilt_rule rule = {0};
        set_cumulant(&rule, &t, top, lost, lost_base);
        long double truth = cumulant_of(gain, plain, top);
        assert_true(fabsl(rule.cumulant - truth) <= 8 * UNIT * (fabsl(truth) + (trial % 3 ? top : 0)) + 1e-30L);
        /* The gain misses what was lost of the tilted masses and of the plain ones in its unit, for both are in it. */
        long double of_gain = error[0] + 2 * (lost + lost_base * expl(-top)), of_plain = error[1] + lost_base;
        long double worst = 0;
        for (int i = 0; i < 4; i++) {
            long double other =
                cumulant_of(gain + (i % 2 ? 1 : -1) * of_gain, plain + (i / 2 ? 1 : -1) * of_plain, top);
            worst = fmaxl(worst, fabsl(other - truth));
        }
        long double rounding = 4 * UNIT * (fabsl(truth) + 2 * top);
        if (!(rule.error >= 1.9L * worst && rule.error <= 2.1L * worst + rounding + 1e-30L))
            fail_msg("trial %d: %g, the quotient moves by %Lg", trial, rule.error, worst);
        /* Without any of them the rounding of the logarithm is left. */
        totals exact = {.plain = dpn_two(plain), .gain = dpn_two(gain)};
        set_cumulant(&rule, &exact, top, 0, 0);
        long double above = expl(top) * gain / plain, sizes = above < 1 ? fabsl(truth) : top + fabsl(truth - top);
        if (!(near(rule.error, 4 * UNIT * sizes, 1e-6L) || sizes < 1e-12L))
            fail_msg("%g, not %Lg", rule.error, 4 * UNIT * sizes);
    }
    totals t = {.plain = dpn_two(2), .gain = dpn_two(3)};
    dpn_tilt_rule rule = {0};
    set_cumulant(&rule, &t, 5000, 0, 0); /* far beyond what a double holds */
    assert_true(near(rule.cumulant, 5000 + logl(1.5L), 1e-15L));
}

/* ---- moments ---- */

static void moments_and_the_pair(void **state) {
    (void)state;
    draw_source source = {143};
    for (int trial = 0; trial < 200; trial++) {
        size_t count = 1 + (size_t)trial % 9;
        bool symmetric = trial % 2;
        dpn_tilt_rule rule = {.atoms = (size_t)trial % 3 == 0 ? 1 : count / 2};
        long double total = 0, mean = 0, variance = 0, fourth = 0, atoms = 0;
        double plus[10], minus[10], value[10];
        for (size_t i = 0; i < count; i++) {
            value[i] = draw_uniform(&source, symmetric ? 0 : -2, 3);
            plus[i] = draw_uniform(&source, 0.1, 1);
            minus[i] = symmetric ? draw_uniform(&source, 0.05, 1.2) : 0;
            total += plus[i] + minus[i];
            assert_int_equal(dpn_tilt_rule_add(&rule, value[i], plus[i] + minus[i], plus[i] - minus[i], minus[i]),
                             DPN_OK);
        }
        for (size_t i = 0; i < count; i++) {
            mean += (plus[i] - minus[i]) * (long double)value[i] / total;
            if (i < rule.atoms) atoms += (plus[i] + minus[i]) / total;
        }
        for (size_t i = 0; i < count; i++) {
            long double up = value[i] - mean, down = -value[i] - mean;
            variance += (plus[i] * up * up + minus[i] * down * down) / total;
            fourth += (plus[i] * powl(up, 4) + minus[i] * powl(down, 4)) / total;
        }
        set_moments(&rule, symmetric, (double)total);
        const long double small = 1e-12L;
        assert_true(fabsl(rule.mean - mean) < small && fabsl(rule.variance - variance) < small * (1 + variance) &&
                    fabsl(rule.decay.fourth - fourth) < small * (1 + fourth));
        assert_true(rule.decay.variance == rule.variance);
        for (size_t i = 0; i < count; i++)
            assert_true(near(rule.sum[i], (plus[i] + minus[i]) / total, small) &&
                        near(rule.minus[i], minus[i] / total, small) &&
                        fabsl(rule.difference[i] - (plus[i] - minus[i]) / total) < small);
        /* At least the masses, by the margin at most, and no more than all. */
        const double margin = DPN_DECAY_MARGIN * 1.0001;
        assert_true(rule.decay.atoms >= (double)atoms * (1 + 0.99 * DPN_DECAY_MARGIN) || rule.decay.atoms == 1);
        assert_true(rule.decay.atoms <= fminl(1, atoms * (1 + margin) + small) &&
                    rule.decay.rest <= fminl(1, (1 - atoms) * (1 + margin) + small));
        assert_true(rule.decay.rest >= (double)(1 - atoms - small) * (1 + 0.99 * DPN_DECAY_MARGIN) ||
                    rule.decay.rest == 1);
        assert_true(rule.decay.edges == 0 && rule.decay.cuts == 0 && rule.decay.peaks == 0 && rule.decay.scanned == 0);
        if (symmetric && rule.atoms == 1) {
            long double lesser = fminl(plus[0], minus[0]) / total;
            assert_true(rule.decay.pair == value[0] && rule.decay.lesser <= lesser * (1 - 0.99L * DPN_DECAY_MARGIN) &&
                        rule.decay.lesser >= lesser * (1 - margin));
        } else {
            assert_true(rule.decay.pair == 0 && rule.decay.lesser == 0);
        }
        dpn_tilt_rule_free(&rule);
    }
}

/* ---- a whole rule ---- */

static void lists_become_rules(void **state) {
    (void)state;
    enum { COUNT = 5 };
    const double value[COUNT] = {-1.5, -0.25, 0.5, 1, 2}, probability[COUNT] = {0.125, 0.25, 0.25, 0.25, 0.125};
    dpn_loss loss;
    dpn_shape shape;
    dpn_error why;
    double q = 0, chances[COUNT];
    for (int i = 0; i < COUNT; i++) q += probability[i] * exp(-value[i]);
    for (int i = 0; i < COUNT; i++) chances[i] = probability[i];
    double moved = fmax(0, log(q)) + 0.1; /* so that the masses under Q sum to less than 1 */
    double values[COUNT];
    for (int i = 0; i < COUNT; i++) values[i] = value[i] + moved;
    assert_int_equal(dpn_loss_explicit(&loss, values, chances, COUNT, &why), DPN_OK);
    for (int k = 0; k < 8; k++)
        for (int reversed = 0; reversed < 2; reversed++) {
            double theta = k < 4 ? -0.9 + 0.3 * k : 0.7 * k;
            assert_int_equal(dpn_shape_make(&shape, &loss, reversed, &why), DPN_OK);
            dpn_tilt_rule rule = {0};
            assert_int_equal(dpn_tilt_rule_make(&rule, &shape, &loss, reversed, theta, 3, 1e-12, &why), DPN_OK);
            assert_true(rule.count == COUNT && rule.atoms == COUNT && rule.flat == 0 && rule.theta == theta);
            long double mass = 0, tilted = 0, relative = 0, with_loss = 0, top = 0;
            for (int i = 0; i < COUNT; i++) {
                long double L = reversed ? -values[i] : values[i], p = chances[i] * (reversed ? expl(-values[i]) : 1);
                mass += p;
                tilted += p * expl(theta * L);
                top = fmaxl(top, (reversed ? -values[i] : 0) + fmax(theta, 0) * L);
            }
            for (int i = 0; i < COUNT; i++) {
                long double L = reversed ? -values[i] : values[i],
                            share = chances[i] * (reversed ? expl(-values[i]) : 1) * expl(theta * L) / tilted;
                long double error =
                    UNIT * (32 + 16 * ((reversed ? fabs(values[i]) : 0) + (1 + fabsl(theta)) * fabsl(L)));
                relative += share * error;
                with_loss += share * error * fabsl(L);
                assert_true(near(rule.sum[i], share, 1e-13L));
            }
            assert_true(fabsl(rule.cumulant - logl(tilted / mass)) < 1e-14L && near(rule.relative, relative, 1e-9L) &&
                        near(rule.relative_loss, with_loss, 1e-9L));
            assert_true(fabsl(rule.top - top) < 1e-12L && near(rule.total * expl(rule.top), tilted, 1e-12L));
            dpn_tilt_rule_free(&rule);
        }
}

/* The goal is relative to all: what the panels lose is below it, and the points are made anew each time. */
static void rules_reach_their_goal(void **state) {
    (void)state;
    static const char *const laws[] = {"huber(alpha=1,gamma=1)", "logistic(scale=1)", "osgt(m=1,sigma=2)",
                                       "subbotin(p=1.5,scale=1)", "discrete-gaussian(sigma=3)"};
    dpn_tilt_rule rule = {0};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        for (double goal = 1e-4; goal > 1e-13; goal *= 1e-3) {
            dpn_law law;
            dpn_loss loss;
            dpn_shape shape;
            dpn_error why;
            assert_int_equal(dpn_law_parse(&law, laws[i], &why), DPN_OK);
            assert_int_equal(dpn_loss_law(&loss, &law, 1, &why), DPN_OK);
            assert_int_equal(dpn_shape_make(&shape, &loss, false, &why), DPN_OK);
            double cumulant = NAN;
            for (int k = 0; k < 2; k++) {
                assert_int_equal(dpn_tilt_rule_make(&rule, &shape, &loss, false, k ? 1.5 : 1.5, 2, goal, &why), DPN_OK);
                if (k) assert_true(rule.cumulant == cumulant);
                cumulant = rule.cumulant;
            }
            if (!(rule.flat > 0 && rule.flat < goal && (i == 1 || rule.flat > 1e-9 * goal)))
                fail_msg("%s: %g of %g", laws[i], rule.flat, goal);
            long double sum = 0, mean = 0;
            for (size_t k = 0; k < rule.count; k++) {
                sum += rule.sum[k];
                mean += (long double)rule.difference[k] * rule.value[k];
            }
            assert_true(near(sum, 1, 1e-12L) && near(mean, rule.mean, 1e-12L));
            double fine = rule.cumulant, claimed = rule.error;
            assert_int_equal(dpn_tilt_rule_make(&rule, &shape, &loss, false, 1.5, 2, 1e-16, &why), DPN_OK);
            assert_true(fabs(rule.cumulant - fine) <= claimed + rule.error);
        }
    dpn_tilt_rule_free(&rule);
}

/* Logistic noise moved by 5 of its scales: the loss has the density e^(L/2) up to 5. Laplace noise has an atom and a segment, and at the tilt
 * 0 all that is lost counts four times: of the tilted masses and of the plain ones, each twice. */
static void tops_atoms_and_what_is_lost(void **state) {
    (void)state;
    dpn_law law;
    dpn_loss loss;
    dpn_shape shape;
    dpn_error why;
    dpn_tilt_rule rule = {0};
    assert_int_equal(dpn_law_parse(&law, "logistic(scale=2)", &why), DPN_OK);
    assert_int_equal(dpn_loss_law(&loss, &law, 10, &why), DPN_OK);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, &why), DPN_OK);
    assert_int_equal(dpn_tilt_rule_make(&rule, &shape, &loss, false, 2, 1, 1e-9, &why), DPN_OK);
    assert_true(fabs(rule.top - 10) < 1e-12 && rule.atoms == 0 && rule.decay.atoms == 0 && rule.decay.rest == 1);
    assert_int_equal(dpn_law_parse(&law, "laplace(scale=2)", &why), DPN_OK);
    assert_int_equal(dpn_loss_law(&loss, &law, 3, &why), DPN_OK);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, &why), DPN_OK);
    assert_int_equal(dpn_tilt_rule_make(&rule, &shape, &loss, false, 2, 1, 1e-9, &why), DPN_OK);
    assert_true(rule.atoms == 1 && rule.count > 8 && rule.value[0] == 1.5 && rule.decay.pair == 1.5);
    assert_true(rule.minus[0] < rule.sum[0] &&
                fabs((rule.sum[0] - rule.minus[0]) / rule.minus[0] / exp(7.5) - 1) < 1e-12);
    assert_true(fabs(rule.top - 3) < 1e-12); /* in units of the scale the atom holds all right of 0, which is 1 */
    assert_int_equal(dpn_law_parse(&law, "huber(alpha=1,gamma=1)", &why), DPN_OK);
    assert_int_equal(dpn_loss_law(&loss, &law, 3, &why), DPN_OK);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, &why), DPN_OK);
    assert_int_equal(dpn_tilt_rule_make(&rule, &shape, &loss, false, 0, 0, 1e-5, &why), DPN_OK);
    if (!(rule.error >= 3.9 * rule.flat && rule.error <= 4.1 * rule.flat)) fail_msg("%g for %g", rule.error, rule.flat);
    dpn_tilt_rule_free(&rule);
}

static void what_is_too_much(void **state) {
    (void)state;
    dpn_law law;
    dpn_loss loss;
    dpn_shape shape;
    dpn_error why = {0};
    dpn_tilt_rule rule = {0};
    assert_int_equal(dpn_law_parse(&law, "logistic(scale=1)", &why), DPN_OK);
    assert_int_equal(dpn_loss_law(&loss, &law, 1, &why), DPN_OK);
    assert_int_equal(dpn_shape_make(&shape, &loss, false, &why), DPN_OK);
    assert_int_equal(dpn_tilt_rule_make(&rule, &shape, &loss, false, 1, 1e9, 1e-12, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "a loss of the composition needs too many points for the contour sum");
    dpn_tilt_rule_free(&rule);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_grow_to_their_limit),   cmocka_unit_test(masses_of_a_point),
        cmocka_unit_test(errors_of_cumulants),         cmocka_unit_test(moments_and_the_pair),
        cmocka_unit_test(lists_become_rules),          cmocka_unit_test(rules_reach_their_goal),
        cmocka_unit_test(tops_atoms_and_what_is_lost), cmocka_unit_test(what_is_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
