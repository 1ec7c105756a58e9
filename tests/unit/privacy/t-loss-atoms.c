/* Atoms of losses against sums over all outcomes, and what the lists leave out against what is left. */
#include "privacy/loss/atoms.c" /* to see each list */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static dpn_loss loss_of(const char *text, double shift) {
    dpn_law law;
    dpn_loss loss = {0};
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) || dpn_loss_law(&loss, &law, shift, &why))
        fail_msg("%s: %s", text, why.sentence);
    return loss;
}

/* The sums of some functions over the masses: of 1 + e^-L, e^(tilt L) and two waves. */
enum { FUNCTIONS = 5 };
typedef struct sums {
    long double of[FUNCTIONS];
} sums;

static void add_to(sums *s, long double loss, long double mass, double tilt) {
    s->of[0] += mass;
    s->of[1] += mass * (1 + expl(-loss));
    s->of[2] += mass * expl(tilt * loss);
    s->of[3] += mass * cosl(2 * loss);
    s->of[4] += mass * expl(-(1 + tilt) * loss);
}

static sums of_rule(const dpn_tilt_rule *rule, double tilt) {
    sums s = {{0}};
    for (size_t i = 0; i < rule->count; i++) {
        add_to(&s, rule->value[i], rule->difference[i] * expl(rule->sum[i]), tilt);
        assert_true(rule->difference[i] > 0 && (i == 0 || rule->value[i] >= rule->value[i - 1] - 1e-12));
    }
    return s;
}

static void same_sums(const sums *a, const sums *b, double relative, const char *text, double shift) {
    for (int i = 0; i < FUNCTIONS; i++)
        if (!(fabsl(a->of[i] - b->of[i]) <= relative * fabsl(b->of[i]) + (i == 3 ? relative * b->of[0] : 0)))
            fail_msg("%s by %g, sum %d: %.15Lg, not %.15Lg", text, shift, i, a->of[i], b->of[i]);
}

/* ---- laws on the integers: the half of the noise right of -shift/2, the middle one in halves ---- */

static long double log_share(const dpn_loss *loss, double k) { /* relative to the mass at 0 */
    return (long double)dpn_law_log_pdf(&loss->law, k) - dpn_law_log_pdf(&loss->law, 0);
}

static sums by_outcomes(const dpn_loss *loss, double last, double tilt) {
    sums s = {{0}};
    double shift = loss->sensitivity;
    for (double k = -floor(0.5 * shift); k <= last; k++) {
        long double here = log_share(loss, k), there = log_share(loss, k + shift);
        if (isinf(there)) continue;
        add_to(&s, here - there, (2 * k == -shift ? 0.5L : 1) * expl(here), tilt);
    }
    return s;
}

static void integer_laws_are_added_up(void **state) {
    (void)state;
    static const char *const laws[] = {"discrete-laplace(scale=2.5)",
                                       "discrete-laplace(scale=0.7)",
                                       "discrete-gaussian(sigma=1.7)",
                                       "discrete-gaussian(sigma=6)",
                                       "discrete-osgt(m=1.5,sigma=2)",
                                       "discrete-flipped-huber(alpha=4,gamma=2)",
                                       "truncated-geometric(epsilon=0.3,n=6,theta=0.4)",
                                       "truncated-geometric(epsilon=0.2,n=20,theta=1)",
                                       "truncated-geometric(epsilon=1,n=1,theta=0.2)",
                                       "truncated-geometric(epsilon=0.7,n=9,theta=0.05)"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        for (double shift = 1; shift <= 12; shift += shift < 4 ? 1 : 4)
            for (double tilt = 0; tilt < 2; tilt += 0.9) {
                dpn_loss loss = loss_of(laws[i], shift);
                dpn_tilt_rule rule = {0};
                double lost = 0;
                assert_int_equal(dpn_atoms_add(&rule, &loss, false, tilt, -45, &lost), DPN_OK);
                sums got = of_rule(&rule, tilt), truth = by_outcomes(&loss, 400, tilt);
                same_sums(&got, &truth, 2e-12, laws[i], shift);
                assert_true(lost < 1e-16 && rule.count < 200);
                for (size_t k = 0; k < rule.count; k++) /* what the logarithm of the mass was made of */
                    assert_true(rule.minus[k] >= -rule.sum[k] && rule.minus[k] <= -rule.sum[k] + 1);
                dpn_tilt_rule_free(&rule);
            }
}

/* Discrete Laplace noise has an atom for each whole number left of 0 and one for the others; a straight part is one atom. */
static void atoms_that_are_many(void **state) {
    (void)state;
    dpn_tilt_rule rule = {0};
    double lost = 0;
    dpn_loss loss = loss_of("discrete-laplace(scale=4)", 6);
    assert_int_equal(dpn_atoms_add(&rule, &loss, false, 0, -45, &lost), DPN_OK);
    assert_int_equal(rule.count, 4);
    assert_true(fabs(rule.value[3] - 1.5) < 1e-15 && rule.sum[3] == 0 &&
                fabs(rule.difference[3] - 1 / (1 - exp(-0.25))) < 1e-14);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(rule.value[k] - 0.5 * k) < 1e-15 && fabs(rule.sum[k] + 0.25 * (3 - k)) < 1e-15 &&
                    rule.difference[k] == (k ? 1 : 0.5));
    dpn_tilt_rule_free(&rule);
    loss = loss_of("truncated-geometric(epsilon=0.25,n=100,theta=0.5)", 5);
    assert_int_equal(dpn_atoms_add(&rule, &loss, false, 0, -45, &lost), DPN_OK);
    assert_int_equal(rule.count, 4); /* -2, -1, 0 to 94 in one, and 95 with the last step */
    assert_true(fabs(rule.value[2] - 1.25) < 1e-15 &&
                fabs(rule.difference[2] - (1 - exp(-0.25 * 95)) / (1 - exp(-0.25))) < 1e-13);
    dpn_tilt_rule_free(&rule);
}

/* Where a list ends early: what it leaves out is below the bound, and that is not far above it. */
static void the_rest_of_a_list_is_bounded(void **state) {
    (void)state;
    static const char *const laws[] = {"discrete-gaussian(sigma=3)", "discrete-osgt(m=2,sigma=4)",
                                       "discrete-flipped-huber(alpha=3,gamma=2)",
                                       "discrete-flipped-huber(alpha=30,gamma=5)"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        for (double shift = 1; shift <= 7; shift += 3)
            for (double theta = -0.5; theta < 2.2; theta += 0.5)
                for (double goal = -3; goal > -30; goal -= 6) {
                    dpn_loss loss = loss_of(laws[i], shift);
                    dpn_tilt_rule rule = {0};
                    double lost = 0.125, tilt = fmax(theta, 0);
                    assert_int_equal(dpn_atoms_add(&rule, &loss, false, theta, goal, &lost), DPN_OK);
                    double end = -floor(0.5 * shift) + (double)rule.count - 1;
                    long double top = -INFINITY, left = 0, left_plain = 0, last[2] = {0, 0};
                    for (double k = -floor(0.5 * shift); k < 300; k++) {
                        long double here = log_share(&loss, k), value = here - log_share(&loss, k + shift);
                        top = fmaxl(top, here + tilt * value);
                        if (k > end) {
                            left += expl(here + tilt * value - top) + expl(here - (1 + tilt) * value - top);
                            left_plain += expl(here) * (1 + expl(-value));
                        }
                        if (k >= end - 1 && k <= end) last[(int)(end - k)] = fmaxl(here + tilt * value - top, here);
                    }
                    double bound = lost - 0.125;
                    if (!(bound >= left + left_plain - 1e-12 && bound <= 5 * (left + left_plain) + 1e-12))
                        fail_msg("%s by %g, theta %g, to e^%g: %Lg is left, bound %g", laws[i], shift, theta, goal,
                                 left + left_plain, bound);
                    assert_true(last[0] < goal);
                    /* One point sooner the goal was not met, or the law still changed its formula. */
                    double corner = i == 2 ? 3 : i == 3 ? 30 : 0;
                    if (!(last[1] >= goal - 1e-9 || end - 1 <= corner + 1))
                        fail_msg("%s by %g, theta %g, to e^%g: one sooner e^%Lg, at %g", laws[i], shift, theta, goal,
                                 last[1], end);
                    dpn_tilt_rule_free(&rule);
                }
}

/* Rather than half-way a list of too many atoms is refused at once. */
static void long_lists_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *law;
        double shift;
        bool too_many;
    } rows[] = {{"discrete-gaussian(sigma=9000)", 1, true},
                {"discrete-gaussian(sigma=1000)", 57600, true},
                {"discrete-gaussian(sigma=100)", 64800, true},
                {"discrete-gaussian(sigma=100)", 64600, false},
                {"discrete-gaussian(sigma=3000)", 41000, false},
                {"truncated-geometric(epsilon=0.001,n=200000,theta=0.5)", 131200, true},
                {"truncated-geometric(epsilon=0.001,n=200000,theta=0.5)", 131000, false},
                {"truncated-geometric(epsilon=0.001,n=131090,theta=0.5)", 65536, false},
                {"staircase(epsilon=0.1,sensitivity=1,gamma=0.5)", 1000, false},
                {"staircase(epsilon=0.1,sensitivity=1,gamma=0.5)", 1000.5, true},
                {"staircase(epsilon=0.1,sensitivity=2,gamma=0.5)", 2000, false},
                {"staircase(epsilon=0.1,sensitivity=2,gamma=0.5)", 2002, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_loss loss = loss_of(rows[i].law, rows[i].shift);
        dpn_tilt_rule rule = {0};
        double lost = 0;
        dpn_status status = dpn_atoms_add(&rule, &loss, false, 0, -2, &lost);
        if (status != (rows[i].too_many ? DPN_EACCURACY : DPN_OK))
            fail_msg("%s by %g: %d", rows[i].law, rows[i].shift, (int)status);
        assert_true(rows[i].too_many ? rule.count == 0 && lost == 0 : rule.count > 10);
        dpn_tilt_rule_free(&rule);
    }
}

/* ---- the staircase, cell by cell ---- */

static void stairs_are_added_up(void **state) {
    (void)state;
    enum { CELLS = 400000 };
    for (int i = 0; i < 18; i++) {
        char text[100];
        static const double gammas[] = {0, 0.3, 0.8}, shifts[] = {0.35, 1, 1.5, 2.7, 4, 9.2};
        double period = i % 2 ? 1 : 2.5, epsilon = 0.6, shift = shifts[i / 3] * period, step = 0;
        snprintf(text, sizeof text, "staircase(epsilon=%g,sensitivity=%g,gamma=%g)", epsilon, period, gammas[i % 3]);
        dpn_loss loss = loss_of(text, shift);
        dpn_tilt_rule rule = {0};
        double lost = 0, masses[40] = {0}, end = 60 * period;
        assert_int_equal(dpn_atoms_add(&rule, &loss, false, 0, -45, &lost), DPN_OK);
        step = (end + 0.5 * shift) / CELLS;
        for (int k = 0; k < CELLS; k++) {
            double t = -0.5 * shift + (k + 0.5) * step, here = dpn_law_log_pdf(&loss.law, t),
                   there = dpn_law_log_pdf(&loss.law, t + shift);
            masses[(int)lround(fmax(0, here - there) / epsilon)] +=
                step / period * exp(here - dpn_law_log_pdf(&loss.law, 1e-9) - (i % 3 ? 0 : epsilon));
        }
        size_t seen = 0;
        for (int j = 0; j < 40; j++) {
            if (masses[j] < 1e-4) continue;
            assert_true(seen < rule.count && fabs(rule.value[seen] - j * epsilon) < 1e-12);
            double mass = rule.difference[seen] * exp(rule.sum[seen]);
            if (!(fabs(mass - masses[j]) < 2e-4))
                fail_msg("%s by %g, %d steps: %.9g, seen %.9g", text, shift, j, mass, masses[j]);
            assert_true(rule.minus[seen] == fabs(rule.sum[seen]));
            seen++;
        }
        assert_true(seen == rule.count && lost == 0);
        dpn_tilt_rule_free(&rule);
    }
}

static void steps_and_levels(void **state) {
    (void)state;
    draw_source source = {151};
    for (int trial = 0; trial < 300; trial++) {
        double period = draw_log_uniform(&source, 0.1, 10), gamma = trial % 4 ? draw_uniform(&source, 0, 1) : 0,
               shift = trial % 2 ? draw_uniform(&source, 0, 9) * period : 0;
        double from = draw_uniform(&source, -9, 1) * period, to = from + draw_uniform(&source, 0, 9) * period;
        static dpn_twofold steps[2000];
        size_t count = find_steps(steps, period, gamma, shift, from, to), expected = 0;
        double sum = 0, expected_sum = 0;
        for (int k = -100; k <= 100; k++)
            for (int i = 0; i < 2; i++) { /* the steps of psi(|t + shift|); that at 0 counts twice */
                double place = (abs(k) + (i ? gamma : 0)) * (k < 0 ? -period : period) - shift;
                for (int twice = 0; twice < (k == 0 ? 2 : 1); twice++) {
                    double at = twice ? -(place + shift) - shift : place;
                    if (at > from && at < to) expected++, expected_sum += at;
                }
            }
        for (size_t i = 0; i < count; i++) sum += steps[i].hi;
        if (count != expected || !(fabs(sum - expected_sum) <= 1e-9 * period))
            fail_msg("%zu steps, not %zu", count, expected);
        double x = draw_uniform(&source, 0, 20) * period;
        int below = 0; /* at k period for k >= 1, and at (k + gamma) period */
        for (int k = 0; k < 30; k++) below += (k > 0 && k * period <= x) + ((k + gamma) * period <= x);
        /* level counts k + (upper part): each period has two steps, by one level together */
        int whole = (int)floor(x / period), upper = x >= (whole + gamma) * period;
        assert_true(level(x, period, gamma) == whole + upper && below == 2 * whole + upper);
    }
    const dpn_twofold a = {1, 0}, b = {1, 1e-20}, c = {2, -1e-20};
    assert_true(compare_twofold(&a, &b) < 0 && compare_twofold(&b, &a) > 0 && compare_twofold(&a, &a) == 0 &&
                compare_twofold(&b, &b) == 0);
    assert_true(compare_twofold(&b, &c) < 0 && compare_twofold(&c, &b) > 0 && compare_twofold(&c, &a) > 0 &&
                compare_twofold(&a, &c) < 0);
}

/* ---- lists ---- */

static void lists_are_taken_as_they_are(void **state) {
    (void)state;
    const double value[] = {-1, 0.25, 2, INFINITY}, probability[] = {0.125, 0.25, 0.5, 0.125};
    dpn_loss loss;
    assert_int_equal(dpn_loss_explicit(&loss, value, probability, 4, NULL), DPN_OK);
    for (int reversed = 0; reversed < 2; reversed++) {
        dpn_tilt_rule rule = {0};
        double lost = 0.5;
        assert_int_equal(dpn_atoms_add(&rule, &loss, reversed, 1, -45, &lost), DPN_OK);
        assert_true(rule.count == 3 && lost == 0.5);
        for (int i = 0; i < 3; i++) {
            assert_true(rule.value[i] == (reversed ? -value[i] : value[i]) && rule.difference[i] == probability[i]);
            assert_true(rule.sum[i] == (reversed ? -value[i] : 0) && rule.minus[i] == (reversed ? fabs(value[i]) : 0));
        }
        dpn_tilt_rule_free(&rule);
    }
    dpn_tilt_rule full = {.count = DPN_MAX_POINTS,
                          .capacity = DPN_MAX_POINTS}; /* each kind says so where there is no room */
    double lost = 0;
    assert_int_equal(dpn_atoms_add(&full, &loss, false, 1, -45, &lost), DPN_EACCURACY);
    static const char *const laws[] = {"discrete-laplace(scale=2)", "discrete-gaussian(sigma=2)",
                                       "truncated-geometric(epsilon=1,n=5,theta=0.5)",
                                       "staircase(epsilon=1,sensitivity=1,gamma=0.5)"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        loss = loss_of(laws[i], 3);
        assert_int_equal(dpn_atoms_add(&full, &loss, false, 1, -45, &lost), DPN_EACCURACY);
        assert_true(full.count == DPN_MAX_POINTS && lost == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_laws_are_added_up),     cmocka_unit_test(atoms_that_are_many),
        cmocka_unit_test(the_rest_of_a_list_is_bounded), cmocka_unit_test(long_lists_are_refused),
        cmocka_unit_test(stairs_are_added_up),           cmocka_unit_test(steps_and_levels),
        cmocka_unit_test(lists_are_taken_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
