/* Atoms of all losses at once, the sum of all losses, and its saddle point: against outcomes added up one by one and against formulas of Gaussian and pure losses. */
#include "privacy/compose/contour-atoms.h"
#include "privacy/compose/contour-atoms.c" /* to see each piece */
#include "privacy/compose/saddle.h"
#include "privacy/compose/saddle.c"

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_part law_part(const char *text, double shift, uint64_t times) {
    dpn_law law = case_law(text);
    dpn_part part = {.times = times};
    if (dpn_loss_law(&part.loss, &law, shift, NULL)) fail();
    return part;
}

static dpn_part pure_part(double epsilon, uint64_t times) {
    dpn_part part = {.times = times};
    if (dpn_loss_pure(&part.loss, epsilon, NULL)) fail();
    return part;
}

static void make_sum(dpn_sum *sum, const dpn_part *part, size_t parts) {
    dpn_error why;
    if (dpn_sum_make(sum, part, parts, false, &why)) fail_msg("%s", why.sentence);
}

/* ---- atoms ---- */

/* Every loss by itself is at +L or -L. */
static void outcome(long double *sum, const dpn_sum *of, size_t term, double left, long double mass, long double value,
                    double theta, double epsilon) {
    if (left == 0) {
        if (++term == of->terms) {
            if (value > epsilon) *sum += mass * expl(-theta * (value - epsilon)) * -expm1l(epsilon - value);
            return;
        }
        left = of->term[term].times;
    }
    const dpn_tilt_rule *rule = &of->term[term].rule;
    outcome(sum, of, term, left - 1, mass * (rule->sum[0] - rule->minus[0]), value + rule->value[0], theta, epsilon);
    outcome(sum, of, term, left - 1, mass * rule->minus[0], value - rule->value[0], theta, epsilon);
}

static void all_outcomes(void **state) {
    (void)state;
    for (int pair = 0; pair < 2; pair++)
        for (double theta = 0.2; theta < 5; theta *= 2)
            for (double epsilon = 0; epsilon < 7; epsilon += 0.37) {
                dpn_part part[2] = {law_part("laplace(scale=1)", 0.7, 7),
                                    law_part("flipped-huber(alpha=2,gamma=1)", 0.5, 4)};
                dpn_sum sum;
                make_sum(&sum, part, pair ? 2 : 1);
                assert_int_equal(dpn_sum_tilt(&sum, theta, 0, 1e-12, NULL), DPN_OK);
                assert_true(dpn_atoms_few(&sum));
                long double wanted = 0;
                outcome(&wanted, &sum, 0, sum.term[0].times, 1, 0, theta, epsilon);
                dpn_node_sum found = dpn_atoms_sum(&sum, theta, epsilon);
                if (!(fabsl(found.value - wanted) <= found.error))
                    fail_msg("epsilon %g, theta %g: %.17g, not %.17Lg", epsilon, theta, found.value, wanted);
                assert_true(found.error <= 1e-10 * found.value + 1e-13);
                /* Twice as much is not known if the masses are known twice as badly. */
                double flat = 1e-6, before = found.error, own = 0;
                for (size_t i = 0; i < sum.terms; i++) own += sum.term[i].times * (2 * flat + flat);
                for (size_t i = 0; i < sum.terms; i++) {
                    sum.term[i].rule.flat += flat;
                    sum.term[i].rule.relative += 2 * flat;
                }
                found = dpn_atoms_sum(&sum, theta, epsilon);
                assert_true(fabs(found.error - before - own * found.value) <= 1e-6 * own * found.value);
                dpn_sum_free(&sum);
            }
}

/* The values near epsilon are known up to their rounding: one that may be above counts as doubt. */
static void values_at_epsilon(void **state) {
    (void)state;
    const double u = DBL_EPSILON;
    for (int i = -18; i <= 20; i += 4) {
        dpn_node_sum out = {0};
        double epsilon = 3, value = 3 + i * 4 * u; /* the values may be off by 48 u */
        add_value(&out, log(0.25), value, 1e-3, 2, epsilon);
        double doubt = 8 * u * 6, above = value - 3;
        if (above < -doubt) {
            assert_true(out.value == 0 && out.error == 0);
            continue;
        }
        double exact = 0.25 * fmax(0, above);
        assert_true(fabs(out.value - exact) <= 1e-12 * exact);
        assert_true(out.error >= 0.25 * doubt && out.error <= 0.25 * doubt * 1.0001 + exact * 1.1e-3);
    }
    dpn_node_sum out = {0};
    add_value(&out, -50, 8, 1e-3, 2, 3); /* far above */
    double mass = exp(-50 - 2 * 5) * -expm1(-5);
    assert_true(fabs(out.value - mass) < 1e-14 * mass);
    double doubt = 8 * u * 11, error = mass * (1e-3 + 2 * doubt + u * 58) + exp(-60) * doubt;
    assert_true(fabs(out.error - 1e-3 * mass - (error - 1e-3 * mass)) <= 1e-3 * (error - 1e-3 * mass));
    double before = out.error;
    add_value(&out, -50, 8, 0, 2, 3);
    assert_true(out.error - before >= mass * (2 * doubt + u * 50) &&
                out.error - before < mass * (3.2 * doubt + u * 59));
}

static void atoms_that_are_few(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double shift;
        uint64_t times;
        bool few;
    } row[] = {{"laplace(scale=1)", 1, 1, true},
               {"laplace(scale=1)", 1, 49999, true},
               {"laplace(scale=1)", 1, 50000, false},
               {"truncated-laplace(scale=1,bound=4)", 1, 3, true},
               {"flipped-huber(alpha=2,gamma=1)", 0.5, 3, true},
               {"logistic(scale=1)", 1, 1, false},
               {"gaussian(sigma=1)", 1, 1, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_part part[2] = {law_part(row[i].text, row[i].shift, row[i].times), law_part("logistic(scale=1)", 1, 1)};
        dpn_sum sum;
        make_sum(&sum, part, 1);
        assert_int_equal(dpn_sum_tilt(&sum, 0.5, 0, 1e-9, NULL), DPN_OK);
        assert_int_equal(dpn_atoms_few(&sum), row[i].few);
        sum.gaussian = 0.1;
        assert_false(dpn_atoms_few(&sum));
        dpn_sum_free(&sum);
        make_sum(&sum, part, 2); /* one term without atoms is enough */
        assert_int_equal(dpn_sum_tilt(&sum, 0.5, 0, 1e-9, NULL), DPN_OK);
        assert_false(dpn_atoms_few(&sum));
        dpn_sum_free(&sum);
    }
    dpn_part part[2] = {law_part("laplace(scale=1)", 1, 199), law_part("laplace(scale=1)", 0.5, 249)};
    for (int more = 0; more < 2; more++) { /* 200 times 250 values */
        dpn_sum sum;
        part[1].times += (uint64_t)more;
        make_sum(&sum, part, 2);
        assert_int_equal(dpn_sum_tilt(&sum, 0.5, 0, 1e-9, NULL), DPN_OK);
        assert_int_equal(dpn_atoms_few(&sum), !more);
        dpn_sum_free(&sum);
    }
}

/* Masses below the least number leave no more than that; the lower one of a pair may vanish. */
static void atoms_that_underflow(void **state) {
    (void)state;
    double value[1] = {2}, sum_mass[1] = {1e-320}, minus[1] = {1e-320};
    dpn_term term = {.times = 3, .rule = {.count = 1, .atoms = 1, .value = value, .sum = sum_mass, .minus = minus}};
    dpn_sum sum = {.terms = 1, .term = &term};
    dpn_node_sum found = dpn_atoms_sum(&sum, 1, 0.5);
    assert_true(found.value == 0 && found.error == DBL_MIN);
    sum_mass[0] = 0.5;
    minus[0] = 0;
    found = dpn_atoms_sum(&sum, 1, 0.5);
    double wanted = 0.125 * exp(-5.5) * -expm1(-5.5);
    assert_true(fabs(found.value - wanted) < 1e-14 * wanted && found.error < 1e-9 * wanted);
}

/* Powers of a mass are known less well the more there are: 16 units each, and as many as its logarithm has, eightfold. */
static void powers_of_atoms(void **state) {
    (void)state;
    double value[1] = {1e-3}, sum_mass[1] = {1}, minus[1] = {1e-3};
    dpn_term term = {.times = 40000, .rule = {.count = 1, .atoms = 1, .value = value, .sum = sum_mass, .minus = minus}};
    dpn_sum sum = {.terms = 1, .term = &term};
    dpn_node_sum found = dpn_atoms_sum(&sum, 1, 40 - 1e-3);
    double units = found.error / found.value / DBL_EPSILON, known = 40000 * (16 + 8 * 1e-3) + 50000,
           value_doubt = 8 * 80 / 1e-3;
    assert_true(fabs(found.value / (pow(0.999, 40000) * exp(-1e-3) * -expm1(-1e-3)) - 1) < 1e-9);
    assert_true(units >= known + value_doubt && units <= 1.01 * (known + value_doubt));
    sum_mass[0] = 0.3;
    minus[0] = 0.1;
    term.times = 300;
    found = dpn_atoms_sum(&sum, 1, 0.3 - 1e-3);
    units = found.error / found.value / DBL_EPSILON;
    known = 300 * (16 + 8 * -log(0.2)) + 50000 + 300 * -log(0.2) + 8 * 0.6 / 1e-3;
    assert_true(units >= known && units <= known + 20);
}

/* ---- the sum of all losses ---- */

static void sums_of_parts(void **state) {
    (void)state;
    dpn_part part[6] = {pure_part(0.3, 5), law_part("gaussian(sigma=2)", 1, 7), law_part("laplace(scale=1)", 1, 0),
                        pure_part(0, 4),   law_part("laplace(scale=1)", 0, 4),  law_part("gaussian(sigma=1)", 1, 2)};
    dpn_sum sum;
    make_sum(&sum, part, 6);
    assert_true(sum.terms == 1 && sum.times == 14 && fabs(sum.gaussian - (7 * 0.25 + 2)) < 1e-15);
    assert_true(sum.log_finite == 0 && sum.log_surplus == 0 && !sum.reversed && sum.goal == 0);
    assert_ptr_equal(sum.term[0].loss, &part[0].loss);
    /* K of pure losses is log((e^(t e + e) + e^-(t e))/(1 + e^e)); of Gaussian ones t (t + 1)/2 of their squares. */
    for (double t = -1; t < 4; t += 0.31) {
        dpn_error why;
        assert_int_equal(dpn_sum_tilt(&sum, t, 0, 1e-12, &why), DPN_OK);
        double e = 0.3, p = 1 / (1 + exp(-e)), up = p * exp(t * e), down = (1 - p) * exp(-t * e);
        double value = 5 * log(up + down) + 0.5 * t * (t + 1) * sum.gaussian;
        double share = up / (up + down), mean = 5 * e * (2 * share - 1) + (t + 0.5) * sum.gaussian;
        double variance = 5 * 4 * e * e * share * (1 - share) + sum.gaussian;
        assert_true(fabs(dpn_two_value(sum.cumulants.value) - value) < 1e-13 &&
                    fabs(sum.cumulants.mean - mean) < 1e-12);
        assert_true(fabs(sum.cumulants.variance - variance) < 1e-12 && sum.theta == t && sum.goal == 1e-12);
        double own = 4 * DBL_EPSILON * fabs(0.5 * t * (t + 1) * sum.gaussian) + 5 * sum.term[0].rule.error;
        assert_true(fabs(sum.cumulants.error - own) <= 1e-9 * own + 1e-30);
    }
    /* A rule is made once, unless more is asked. */
    double *kept = sum.term[0].rule.value;
    sum.cumulants.mean = 77;
    assert_int_equal(dpn_sum_tilt(&sum, sum.theta, 0, 1e-12, NULL), DPN_OK);
    assert_int_equal(dpn_sum_tilt(&sum, sum.theta, 0, 1e-11, NULL), DPN_OK);
    assert_true(sum.cumulants.mean == 77 && sum.term[0].rule.value == kept);
    assert_int_equal(dpn_sum_tilt(&sum, sum.theta, 1, 1e-12, NULL), DPN_OK);
    assert_true(sum.cumulants.mean != 77);
    sum.cumulants.mean = 77;
    assert_int_equal(dpn_sum_tilt(&sum, sum.theta, 0.5, 1e-12, NULL), DPN_OK);
    assert_true(sum.cumulants.mean == 77 && sum.omega == 1);
    assert_int_equal(dpn_sum_tilt(&sum, sum.theta, 0.5, 1e-13, NULL), DPN_OK);
    assert_true(sum.cumulants.mean != 77 && sum.goal == 1e-13);
    sum.cumulants.mean = 77;
    assert_int_equal(dpn_sum_tilt(&sum, 0.125, 0.5, 1e-13, NULL), DPN_OK);
    assert_true(sum.cumulants.mean != 77);
    dpn_sum_free(&sum);
    assert_true(sum.terms == 0 && !sum.term);
}

static void mass_at_infinity_and_surplus(void **state) {
    (void)state;
    static const double value[] = {-0.5, 0.3, INFINITY}, probability[] = {0.2, 0.7, 0.1};
    dpn_part part = {.times = 3};
    if (dpn_loss_explicit(&part.loss, value, probability, 3, NULL)) fail();
    dpn_sum sum;
    make_sum(&sum, &part, 1);
    assert_true(fabs(sum.log_finite - 3 * log(0.9)) < 1e-15 && sum.log_surplus == 0);
    assert_int_equal(dpn_sum_tilt(&sum, 0, 0, 1e-12, NULL), DPN_OK);
    assert_true(fabs(dpn_two_value(sum.cumulants.value) - 3 * log(0.9)) < 1e-14);
    assert_true(sum.cumulants.error >= 4 * DBL_EPSILON * 3 * fabs(log(0.9)));
    dpn_sum_free(&sum);
    assert_int_equal(dpn_sum_make(&sum, &part, 1, true, NULL), DPN_OK);
    double q = 0.2 * exp(0.5) + 0.7 * exp(-0.3); /* what Q has on the finite values */
    assert_true(sum.reversed && fabs(sum.log_finite - 3 * log(q)) < 1e-14);
    dpn_sum_free(&sum);
}

static void too_many_losses(void **state) {
    (void)state;
    dpn_part part[2] = {pure_part(0.3, (uint64_t)1 << 53), pure_part(0.2, 2)};
    dpn_sum sum = {.times = 7};
    dpn_error why;
    assert_int_equal(dpn_sum_make(&sum, part, 2, false, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the composition has more than 2^53 losses");
    assert_true(sum.times == 7);
    assert_int_equal(dpn_sum_make(&sum, part, 1, false, &why), DPN_OK);
    dpn_sum_free(&sum);
}

/* ---- the saddle point ---- */

/* The exponent is least there, to a tenth of its width, on either side of the pole. */
static void saddles(void **state) {
    (void)state;
    dpn_part parts[3] = {pure_part(0.3, 50), law_part("gaussian(sigma=2)", 1, 7), law_part("laplace(scale=1)", 1, 9)};
    for (int i = 0; i < 3; i++)
        for (int line = 0; line < 2; line++)
            for (double epsilon = 0; epsilon < 9; epsilon += 0.7) {
                dpn_sum sum;
                double theta;
                dpn_line which = line ? DPN_LINE_MIDDLE : DPN_LINE_RIGHT;
                make_sum(&sum, &parts[i], 1);
                if (i == 2 && epsilon >= 9) continue;
                assert_int_equal(dpn_sum_saddle(&theta, &sum, which, epsilon, -INFINITY, 1e-12, NULL), DPN_OK);
                assert_true(sum.theta == theta && (line ? theta > -1 && theta < 0 : theta > 0));
                double mean = sum.cumulants.mean, variance = sum.cumulants.variance;
                double slope = mean - epsilon - 1 / theta - 1 / (1 + theta);
                double bend = variance + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta));
                if (!(fabs(slope) <= 0.1 * sqrt(bend)))
                    fail_msg("loss %d, line %d, epsilon %g: theta %g has the slope %g", i, line, epsilon, theta, slope);
                dpn_sum_free(&sum);
            }
}

/* The guess is right where K is quadratic: variance x = gap + 3/(2 x). */
static void first_guesses(void **state) {
    (void)state;
    for (double variance = 1e-3; variance < 1e3; variance *= 10)
        for (double gap = -50; gap <= 50; gap += 10) {
            dpn_cumulants at = {.mean = 1, .variance = variance};
            double x = first_guess(&at, 1 + gap);
            assert_true(x > 0 && fabs(variance * x - gap - 1.5 / x) <= 1e-9 * (variance * x + fabs(gap) + 1.5 / x));
        }
}

/* Next to the largest loss nothing varies any more; the search ends all the same, and early where that is enough. */
static void ends_of_the_search(void **state) {
    (void)state;
    dpn_part part = pure_part(0.3, 1);
    dpn_sum sum;
    double theta;
    make_sum(&sum, &part, 1);
    for (double away = 1e-1; away > 1e-16; away *= 1e-2) {
        assert_int_equal(dpn_sum_saddle(&theta, &sum, DPN_LINE_RIGHT, 0.3 - away, -INFINITY, 1e-12, NULL), DPN_OK);
        assert_true(theta > 0.01 / away && isfinite(theta) && sum.theta == theta);
    }
    dpn_sum_free(&sum);
    part = law_part("laplace(scale=1)", 1, 300);
    double last = INFINITY;
    for (double enough = 0; enough > -400; enough -= 20) {
        make_sum(&sum, &part, 1);
        assert_int_equal(dpn_sum_saddle(&theta, &sum, DPN_LINE_RIGHT, 290, enough, 1e-12, NULL), DPN_OK);
        double log_bound = dpn_two_value(sum.cumulants.value) - theta * 290;
        double slope = sum.cumulants.mean - 290 - 1 / theta - 1 / (1 + theta);
        assert_true(log_bound < enough || fabs(slope) < 0.2 * sqrt(sum.cumulants.variance + 2 / (theta * theta)));
        assert_true(log_bound <= last);
        last = log_bound;
        dpn_sum_free(&sum);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_outcomes),
        cmocka_unit_test(values_at_epsilon),
        cmocka_unit_test(atoms_that_are_few),
        cmocka_unit_test(atoms_that_underflow),
        cmocka_unit_test(powers_of_atoms),
        cmocka_unit_test(sums_of_parts),
        cmocka_unit_test(mass_at_infinity_and_surplus),
        cmocka_unit_test(too_many_losses),
        cmocka_unit_test(saddles),
        cmocka_unit_test(first_guesses),
        cmocka_unit_test(ends_of_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
