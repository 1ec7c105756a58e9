/* Steps that see everybody: gathered into one composition, and what they say of steps that see only some. */
#include "privacy/sampling/everybody.c" /* to see each piece */

#include "reference/draw.h"

#include <dpnoise/sampling.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_workspace *workspace;

static int make_workspace(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) ? -1 : 0;
}

static int free_workspace(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    return 0;
}

static dpn_part pure_part(double epsilon, uint64_t times) {
    dpn_part part = {.times = times};
    assert_int_equal(dpn_loss_pure(&part.loss, epsilon, NULL), DPN_OK);
    return part;
}

static void steps_that_see_everybody(void **state) {
    (void)state;
    dpn_part part[2] = {pure_part(0.5, 3), pure_part(0.25, 1)};
    dpn_step step[3] = {{part, 2, 1, 2}, {part, 1, 0, 5}, {part, 1, 1, 7}};
    assert_true(dpn_everybody_seen(step, 3) && dpn_everybody_seen(step, 1) && !dpn_everybody_seen(step + 1, 1) &&
                !dpn_everybody_seen(step, 0));
    step[1].rate = 0.5;
    assert_true(!dpn_everybody_seen(step, 3));
    step[1].times = 0;
    assert_true(dpn_everybody_seen(step, 3) && !dpn_everybody_seen(step + 1, 1));
    dpn_part *all;
    size_t parts;
    dpn_error why;
    assert_int_equal(gather_parts(&all, &parts, step, 3, &why), DPN_OK);
    assert_int_equal(parts, 3);
    assert_true(all[0].times == 6 && all[1].times == 2 && all[2].times == 21);
    assert_true(all[0].loss.epsilon == 0.5 && all[1].loss.epsilon == 0.25 && all[2].loss.epsilon == 0.5);
    free(all);
    assert_int_equal(gather_parts(&all, &parts, NULL, 0, &why), DPN_OK);
    assert_int_equal(parts, 0);
    free(all);
    part[0].times = UINT64_MAX / 7; /* as often as can be counted */
    assert_int_equal(gather_parts(&all, &parts, step + 2, 1, &why), DPN_OK);
    assert_true(all[0].times == UINT64_MAX / 7 * 7);
    free(all);
    part[0].times++;
    assert_int_equal(gather_parts(&all, &parts, step + 2, 1, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "a loss occurs more than 2^64 times");
    free(all);
    dpn_step nothing = {NULL, 1, 1, 1};
    assert_int_equal(gather_parts(&all, &parts, &nothing, 1, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "part must not be NULL");
    free(all);
    nothing.times = 0;
    assert_int_equal(gather_parts(&all, &parts, &nothing, 1, &why), DPN_OK);
    free(all);
    nothing = (dpn_step){NULL, 0, 1, 1};
    assert_int_equal(gather_parts(&all, &parts, &nothing, 1, &why), DPN_OK);
    assert_int_equal(parts, 0);
    free(all);
    part[0].times = 3; /* the same as the composition */
    dpn_delta delta, whole;
    dpn_epsilon least, other;
    dpn_part both[] = {pure_part(0.5, 6 + 21), pure_part(0.25, 2)};
    assert_int_equal(dpn_sampling_delta(&delta, workspace, step, 3, 2, NULL, &why), DPN_OK);
    assert_int_equal(dpn_compose_delta(&whole, workspace, both, 2, 2, NULL, &why), DPN_OK);
    assert_true(fabs(delta.lower - whole.lower) <= 1e-6 * whole.lower &&
                fabs(delta.upper - whole.upper) <= 1e-6 * whole.upper);
    assert_int_equal(dpn_sampling_epsilon(&least, workspace, step, 3, 1e-3, NULL, &why), DPN_OK);
    assert_int_equal(dpn_compose_epsilon(&other, workspace, both, 2, 1e-3, NULL, &why), DPN_OK);
    assert_true(fabs(least.lower - other.lower) < 1e-5 && fabs(least.upper - other.upper) < 1e-5);
}

/* 1 - prod (1-q)^n, rounded up by some units at most. */
static void the_chance_to_be_seen(void **state) {
    (void)state;
    draw_source source = {5};
    for (int trial = 0; trial < 2000; trial++) {
        dpn_step step[3];
        long double never = 0;
        for (int i = 0; i < 3; i++) {
            step[i] =
                (dpn_step){NULL, 0, draw_log_uniform(&source, 1e-9, 0.9), (uint64_t)draw_log_uniform(&source, 1, 1e4)};
            if (trial % 5 == i) step[i].times = 0;
            never += (long double)step[i].times * log1pl(-(long double)step[i].rate);
        }
        long double seen = -expm1l(never);
        double upper = ever_seen_upper(step, 3);
        assert_true(upper >= seen && upper <= seen * (1 + 64 * DBL_EPSILON) && upper <= 1);
    }
    dpn_step all[] = {{NULL, 0, 0.1, 4}, {NULL, 0, 1, 1}};
    assert_true(ever_seen_upper(all, 2) == 1 && ever_seen_upper(all, 0) == 0);
    all[1].times = 0; /* nobody is seen in no step */
    assert_true(ever_seen_upper(all, 2) < 0.35);
}

/* Two steps of randomised response, one sampled: every outcome of who is in which sample, and of the answers. */
static double by_outcomes(double x, double first, double second, double rate) {
    double delta = 0, p[2] = {1 / (1 + exp(first)), 1 / (1 + exp(second))};
    for (int outcome = 0; outcome < 4; outcome++) {
        double of_q = 1, of_p = 1;
        for (int i = 0; i < 2; i++) {
            double with = outcome >> i & 1 ? p[i] : 1 - p[i], without = 1 - with;
            of_q *= without;
            of_p *= rate * with + (1 - rate) * without;
        }
        delta += fmax(0, of_p - x * of_q);
    }
    return delta;
}

static void samples_lose_less(void **state) {
    (void)state;
    draw_source source = {6};
    for (int trial = 0; trial < 300; trial++) {
        double first = draw_uniform(&source, 0.1, 3), second = draw_uniform(&source, 0.1, 3),
               rate = trial % 9 ? draw_log_uniform(&source, 1e-3, 1) : 1,
               epsilon = draw_uniform(&source, trial % 2 ? -1 : 0, 3);
        dpn_part part[] = {pure_part(first, 1), pure_part(second, 1)};
        dpn_step step[] = {{&part[0], 1, rate, 1}, {&part[1], 1, rate, 1}};
        double log_upper, least, share = epsilon >= 0 ? 1 - (1 - rate) * (1 - rate) : 1;
        dpn_error why;
        assert_int_equal(dpn_everybody_log_upper(&log_upper, workspace, step, 2, epsilon, &why), DPN_OK);
        double bound = share * by_outcomes(exp(epsilon), first, second, 1);
        assert_true(exp(log_upper) >= by_outcomes(exp(epsilon), first, second, rate) - 1e-15);
        assert_true(exp(log_upper) >= bound * (1 - 1e-12) - 1e-15 && exp(log_upper) <= bound * (1 + 1e-6) + 1e-15);
        if (epsilon < 0 || bound < 1e-6) continue;
        assert_int_equal(dpn_everybody_epsilon_upper(&least, workspace, step, 2, bound, &why), DPN_OK);
        assert_true(least >= epsilon * (1 - 1e-9) && least <= epsilon + 1e-2);
    }
}

/* A wide answer about one step of randomised response ends where that without samples does, if that is less: q (e - e^epsilon)/(e + 1), and the
 * epsilon at which it is delta; one whose ends are a hundredth apart stays, and no upper end falls below the lower one. */
static void wide_answers_are_undercut(void **state) {
    (void)state;
    const double rate = 0.5, epsilon = 0.25;
    dpn_part part = pure_part(1, 1);
    dpn_step step = {&part, 1, rate, 1};
    double truth = rate * (exp(1) - exp(epsilon)) / (exp(1) + 1);
    dpn_delta wide = dpn_delta_between(-20, 0), less = dpn_delta_between(-20, log(0.5 * truth)),
              narrow = dpn_delta_between(-0.009, 0), above = dpn_delta_between(log(2 * truth), 0);
    dpn_delta none = {0, 0, -INFINITY, -INFINITY};
    assert_true(dpn_delta_is_narrow(&narrow) && dpn_delta_is_narrow(&none) && !dpn_delta_is_narrow(&wide));
    assert_true(!dpn_delta_is_narrow(&(dpn_delta){0.9, 1, -0.011, 0}));
    assert_int_equal(dpn_everybody_undercut_delta(&wide, workspace, &step, 1, epsilon, NULL), DPN_OK);
    assert_true(wide.upper >= truth && wide.upper <= truth * (1 + 1e-9) && wide.log_lower == -20);
    assert_int_equal(dpn_everybody_undercut_delta(&less, workspace, &step, 1, epsilon, NULL), DPN_OK);
    assert_true(less.log_upper == log(0.5 * truth));
    assert_int_equal(dpn_everybody_undercut_delta(&narrow, workspace, &step, 1, epsilon, NULL), DPN_OK);
    assert_true(narrow.log_upper == 0);
    assert_int_equal(dpn_everybody_undercut_delta(&above, workspace, &step, 1, epsilon, NULL), DPN_OK);
    assert_true(above.log_upper == above.log_lower);

    dpn_epsilon open = {0.1, INFINITY}, near = {2, 2.0199}, both = {INFINITY, INFINITY}, high = {0.9, 2};
    assert_true(dpn_epsilon_is_narrow(&near) && dpn_epsilon_is_narrow(&both) && !dpn_epsilon_is_narrow(&open));
    assert_true(!dpn_epsilon_is_narrow(&(dpn_epsilon){2, 2.021}) && dpn_epsilon_is_narrow(&(dpn_epsilon){0, 0.0099}));
    assert_int_equal(dpn_everybody_undercut_epsilon(&open, workspace, &step, 1, truth, NULL), DPN_OK);
    assert_true(open.lower == 0.1 && open.upper >= epsilon * (1 - 1e-9) && open.upper <= epsilon * (1 + 1e-6));
    assert_int_equal(dpn_everybody_undercut_epsilon(&near, workspace, &step, 1, truth, NULL), DPN_OK);
    assert_true(near.upper == 2.0199);
    assert_int_equal(dpn_everybody_undercut_epsilon(&high, workspace, &step, 1, truth, NULL), DPN_OK);
    assert_true(high.upper == 0.9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_that_see_everybody),
        cmocka_unit_test(the_chance_to_be_seen),
        cmocka_unit_test(samples_lose_less),
        cmocka_unit_test(wide_answers_are_undercut),
    };
    return cmocka_run_group_tests(tests, make_workspace, free_workspace);
}
