/* The contour sum around its nodes: how many there are, what doubt and rounding add to an end, and from an integral to an interval, each against the definition. */
#include "privacy/compose/contour.h"
#include "privacy/compose/contour.c" /* to see each piece */

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

/* Nodes up to omega; on a lattice no more than make up a period, of which the last two coincide if they are even in number. */
static void numbers_of_nodes(void **state) {
    (void)state;
    for (double omega = 0.05; omega < 40; omega *= 1.7) {
        dpn_contour_plan plan = {.theta = 0.7, .epsilon = 3, .step = 0.31, .omega = omega, .smooth = omega > 3};
        dpn_nodes nodes = nodes_of(&plan);
        assert_true(nodes.theta == 0.7 && nodes.epsilon == 3 && nodes.step == 0.31 && !nodes.last_once);
        assert_true((double)nodes.count * 0.31 >= omega && (double)(nodes.count - 1) * 0.31 < omega);
        assert_int_equal(nodes.density, omega > 3);
        for (size_t all = 5; all < 40; all++) {
            plan.lattice = (dpn_lattice){2 * acos(-1) / (0.31 * (double)all), 0.1};
            nodes = nodes_of(&plan);
            size_t wanted = (size_t)ceil(omega / 0.31), half = all / 2;
            assert_true(nodes.lattice.step == plan.lattice.step && nodes.count == (wanted < half ? wanted : half));
            assert_int_equal(nodes.last_once, wanted >= half && all % 2 == 0);
        }
    }
}

/* ---- doubt ---- */

/* Losses that err in the same direction by what they may: the tilted mean of (e^a - 1) e^(theta a) at most, for a positive move on either line. */
static void doubt_covers_moves(void **state) {
    (void)state;
    static const double value[] = {-1, 0.4, 0.9}, probability[] = {0.15, 0.35, 0.5};
    static const dpn_doubt doubts[] = {{1e-4, 1e-5, 0}, {0, 1e-3, 0}, {1e-2, 0, 1e-3}, {0, 0, 1e-2}};
    dpn_part part = {.times = 7};
    if (dpn_loss_explicit(&part.loss, value, probability, 3, NULL)) fail();
    for (int i = 0; i < 4; i++)
        for (double theta = -0.75; theta < 4; theta += 0.5) {
            dpn_sum sum;
            double mean = 0, most = 0, total = 0;
            assert_int_equal(dpn_sum_make(&sum, &part, 1, false, NULL), DPN_OK);
            assert_int_equal(dpn_sum_tilt(&sum, theta, 0, 1e-12, NULL), DPN_OK);
            for (int k = 0; k < 3; k++) total += probability[k] * exp(theta * value[k]);
            for (int k = 0; k < 3; k++) {
                double off = doubts[i].relative * fabs(value[k]) + doubts[i].absolute;
                mean += 7 * off * probability[k] * exp(theta * value[k]) / total;
                most = fmax(most, 7 * off);
            }
            dpn_contour_plan plan = {.theta = theta, .unsure = &doubts[i]};
            answer a = {.above = 0.25, .below = 0.5, .scale_error = 0.125};
            add_doubt(&a, &plan, &sum);
            double least = mean * (1 + most) * exp(fmax(0, theta) * most), above = a.above - 0.25;
            double highest = 1.01 * mean * exp(2 * (1 + fabs(theta)) * most); /* the proof, section 9 */
            if (!(above >= least * (1 - 1e-9) && fabs(above - highest) <= 1e-9 * highest + 1e-15))
                fail_msg("theta %g: %g for a move of %g to %g", theta, above, least, highest);
            assert_true(fabs(a.below - 0.5 - above) < 1e-15 &&
                        fabs(a.scale_error - 0.125 - 7 * doubts[i].mass) < 1e-15);
            plan.unsure = NULL;
            a = (answer){.above = 0.25};
            add_doubt(&a, &plan, &sum);
            assert_true(a.above == 0.25 && a.below == 0 && a.scale_error == 0);
            dpn_sum_free(&sum);
        }
}

/* ---- ends ---- */

static void ends_are_rounded_away(void **state) {
    (void)state;
    for (double scale = -900; scale < 100; scale += 123)
        for (double x = 1e-9; x < 1e5; x *= 30)
            for (double error = 0; error < 1e-2; error = 10 * error + 1e-6) {
                answer a = {.scale = scale, .scale_error = error};
                long double exact = scale + logl(x), unit = 2 * DBL_EPSILON * (fabs(scale) + fabs(log(x)));
                double low = log_end(&a, x, -1), high = log_end(&a, x, 1), room = (double)(1e-15L + unit);
                assert_true(low <= exact - error && low >= exact - error - 2 * room);
                assert_true(high >= exact + error && high <= exact + error + 2 * room);
                assert_true(high - low >= 2 * error + (double)unit);
            }
    answer a = {.scale = 1, .scale_error = 0.5};
    assert_true(log_end(&a, 0, 1) == -INFINITY && log_end(&a, -1, 1) == -INFINITY && log_end(&a, 0, -1) == -INFINITY);
    a.scale = -INFINITY;
    assert_true(log_end(&a, 3, 1) == -INFINITY);
}

static void near(double found, double wanted, double share) {
    if (!(fabs(found - wanted) <= share * fabs(wanted))) fail_msg("%.17g, not %.17g", found, wanted);
}

static void intervals_of_both_lines(void **state) {
    (void)state;
    dpn_contour_plan plan = {.line = DPN_LINE_RIGHT, .log_infinite = -INFINITY};
    answer a = {.scale = log(0.01), .value = 5, .below = 0.5, .above = 0.25};
    dpn_delta delta = interval(&a, &plan);
    near(delta.lower, 0.045, 1e-13);
    near(delta.upper, 0.0525, 1e-13);
    assert_true(delta.log_lower < log(0.045) && delta.log_upper > log(0.0525));
    plan.log_infinite = log(0.1);
    delta = interval(&a, &plan);
    near(delta.lower, 0.145, 1e-13);
    near(delta.upper, 0.1525, 1e-13);
    double slack = 8 * DBL_EPSILON * (1 + log(10));
    a = (answer){.scale = -INFINITY}; /* the mass at infinity alone, up to its own rounding */
    delta = interval(&a, &plan);
    near(log(0.1) - delta.log_lower, slack, 0.2);
    near(delta.log_upper - log(0.1), slack, 0.2);
    plan.log_infinite = -INFINITY;
    delta = interval(&a, &plan);
    assert_true(delta.lower == 0 && delta.upper == 0);
    /* On the middle line the integral is 1 - delta. */
    plan.line = DPN_LINE_MIDDLE;
    a = (answer){.scale = log(0.01), .value = 5, .below = 0.5, .above = 0.25};
    delta = interval(&a, &plan);
    near(delta.lower, 1 - 0.0525, 1e-13);
    near(delta.upper, 1 - 0.045, 1e-13);
    a.above = 96; /* more than 1 */
    delta = interval(&a, &plan);
    assert_true(delta.lower == 0 && delta.log_lower == -INFINITY);
    near(delta.upper, 0.955, 1e-13);
    a.value = 500;
    delta = interval(&a, &plan);
    assert_true(delta.upper == 0 && delta.lower == 0);
}

/* ---- what is refused ---- */

static void sizes_of_losses(void **state) {
    (void)state;
    static const struct {
        double size;
        bool moderate;
    } row[] = {{0, true}, {1e-61, false},  {0.99e-60, false}, {1.01e-60, true},
               {1, true}, {0.99e60, true}, {1.01e60, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_part pure = pure_part(row[i].size, 1);
        assert_int_equal(moderate(&pure.loss), row[i].moderate);
        if (row[i].size == 0) continue;
        dpn_part law = law_part("gaussian(sigma=2)", 2 * row[i].size, 1);
        assert_int_equal(moderate(&law.loss), row[i].moderate);
        law = law_part("laplace(scale=1)", sqrt(2) * row[i].size, 1);
        assert_int_equal(moderate(&law.loss), row[i].moderate);
    }
    dpn_part small[2] = {pure_part(1, 1), pure_part(1e-70, 3)};
    dpn_delta delta = {7, 7, 7, 7};
    dpn_error why;
    assert_int_equal(dpn_contour_delta(&delta, small, 2, 0.1, 1e-6, 0, 1e9, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the losses are too small or too large for the contour sum");
    assert_int_equal(dpn_contour_delta(&delta, small, 1, 0.1, 1e-6, 0, 1e9, &why), DPN_OK);
    /* Too many nodes whatever the work. */
    dpn_part part = law_part("laplace(scale=1)", 1, 1);
    dpn_sum sum;
    assert_int_equal(dpn_sum_make(&sum, &part, 1, false, &why), DPN_OK);
    dpn_contour_plan plan = {.theta = 1, .omega = 1.001e9, .step = 1, .tolerance = 1, .estimate = 1};
    answer a;
    assert_int_equal(integrate(&a, &plan, &sum, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the contour sum needs too many nodes");
    plan.omega = NAN;
    assert_int_equal(integrate(&a, &plan, &sum, &why), DPN_EACCURACY);
    dpn_sum_free(&sum);
    static const double value[] = {-0.31, 0.2}, probability[] = {0.3, 0.7};
    if (dpn_loss_explicit(&part.loss, value, probability, 2, NULL)) fail();
    part.times = 9;
    delta = (dpn_delta){7, 7, 7, 7};
    assert_int_equal(dpn_contour_delta(&delta, &part, 1, 0.3, 1e-6, 0, 1e9, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "the losses have atoms only, on no lattice: not for the contour sum");
    assert_true(delta.lower == 7);
}

/* ---- answers ---- */

/* What the integral's errors are: the tail on both sides, the alias below alone. */
static void errors_of_the_integral(void **state) {
    (void)state;
    dpn_part part = law_part("laplace(scale=1)", 1, 60);
    dpn_sum sum;
    answer a = {0}, b = {0};
    assert_int_equal(dpn_sum_make(&sum, &part, 1, false, NULL), DPN_OK);
    dpn_contour_plan plan = {.epsilon = 30, .accuracy = 1e-6, .log_infinite = -INFINITY, .work = 1e9};
    assert_int_equal(dpn_plan_line(&plan, &sum, NULL), DPN_OK);
    assert_int_equal(dpn_plan_nodes(&plan, &sum, NULL), DPN_OK);
    assert_int_equal(integrate(&a, &plan, &sum, NULL), DPN_OK);
    assert_true(a.above >= plan.tail && a.above < plan.tail + 1e-8 * a.value);
    near(a.below - a.above, plan.alias, 1e-6);
    near(a.scale, plan.scale, 1e-3);
    near(a.scale_error, 2 * sum.cumulants.error + 2 * DBL_EPSILON * fabs(a.scale), 1e-9);
    plan.tail += 0.25;
    plan.alias += 0.5;
    assert_int_equal(integrate(&b, &plan, &sum, NULL), DPN_OK);
    assert_true(b.value == a.value && fabs(b.above - a.above - 0.25) < 1e-12 && fabs(b.below - a.below - 0.75) < 1e-12);
    /* With a weak Gaussian loss in it the sum is the upper end, on the right line. */
    for (int middle = 0; middle < 2; middle++) {
        plan.smooth = 1e-3;
        plan.density_tail = 100;
        plan.line = middle ? DPN_LINE_MIDDLE : DPN_LINE_RIGHT;
        answer c = {0};
        assert_int_equal(integrate(&c, &plan, &sum, NULL), DPN_OK);
        double rise = 1e-3 * (1 + sqrt(1e-3)) * 100, below = c.below - b.below, above = c.above - b.above;
        assert_true((middle ? above : below) >= rise && (middle ? above : below) < rise + 1e-2 &&
                    fabs(middle ? below : above) < 1e-9);
    }
    dpn_sum_free(&sum);
}

/* Negative epsilons are those of the reversed pair, and an integral that does not matter is left out. */
static void reflected_and_left_out(void **state) {
    (void)state;
    dpn_part part = law_part("logistic(scale=1)", 1, 12);
    for (double epsilon = 0.5; epsilon < 8; epsilon += 0.9) {
        dpn_delta there, here;
        assert_int_equal(dpn_contour_delta(&there, &part, 1, epsilon, 1e-8, 0, 1e9, NULL), DPN_OK);
        assert_int_equal(dpn_contour_delta(&here, &part, 1, -epsilon, 1e-8, 0, 1e9, NULL), DPN_OK);
        double low = -expm1(-epsilon) + exp(-epsilon) * there.lower,
               high = -expm1(-epsilon) + exp(-epsilon) * there.upper;
        assert_true(here.lower <= high && low <= here.upper && here.log_lower < here.log_upper);
        assert_true(here.lower >= low * (1 - 1e-14) - (high - low) && here.upper <= high * (1 + 1e-14) + (high - low));
        assert_true(here.log_lower <= log(low) - 4 * DBL_EPSILON && here.log_upper >= log(high) + 4 * DBL_EPSILON);
        assert_int_equal(dpn_contour_delta(&here, &part, 1, -epsilon, 1e-8, 1, 1e9, NULL), DPN_OK);
        assert_true(here.lower >= low * (1 - 1e-7)); /* enough is for positive ones */
    }
    /* With anything enough the upper end is the best Chernoff bound. */
    for (double epsilon = 3; epsilon < 11; epsilon += 2) {
        dpn_delta found;
        dpn_sum sum;
        double least = INFINITY;
        assert_int_equal(dpn_contour_delta(&found, &part, 1, epsilon, 1e-8, 1, 1e9, NULL), DPN_OK);
        assert_int_equal(dpn_sum_make(&sum, &part, 1, false, NULL), DPN_OK);
        for (double theta = 0.05; theta < 200; theta *= 1.1) {
            assert_int_equal(dpn_sum_tilt(&sum, theta, 0, 1e-9, NULL), DPN_OK);
            double log_c = theta * log(theta) - (1 + theta) * log1p(theta);
            least = fmin(least, dpn_two_value(sum.cumulants.value) - theta * epsilon + log_c);
        }
        if (!(found.log_upper <= least + 0.3 && found.log_upper >= least - 0.02))
            fail_msg("%g, not %g", found.log_upper, least);
        dpn_sum_free(&sum);
    }
    static const double value[] = {-0.5, 0.25, INFINITY}, probability[] = {0.2, 0.7, 0.1};
    dpn_part list[2] = {law_part("gaussian(sigma=1)", 1, 2), {.times = 3}};
    if (dpn_loss_explicit(&list[1].loss, value, probability, 3, NULL)) fail();
    dpn_delta delta;
    dpn_error why;
    if (dpn_contour_delta(&delta, list, 2, 60, 1e-6, 0, 1e9, &why)) fail_msg("%s", why.sentence);
    double mass = 1 - pow(0.9, 3);
    assert_true(delta.lower <= mass && mass <= delta.upper && delta.upper - delta.lower < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_nodes),       cmocka_unit_test(doubt_covers_moves),
        cmocka_unit_test(ends_are_rounded_away),  cmocka_unit_test(intervals_of_both_lines),
        cmocka_unit_test(sizes_of_losses),        cmocka_unit_test(errors_of_the_integral),
        cmocka_unit_test(reflected_and_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
