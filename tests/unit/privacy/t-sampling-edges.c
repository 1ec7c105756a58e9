/* Poisson sampling: a published figure, the ends of the line, and what is refused. */
#include "case.h"
#include "privacy/sampling/sampled.h"

#include <dpnoise/sampling.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static dpn_part gaussian_part(void) {
    dpn_part part = {.times = 1};
    dpn_law law = case_law("gaussian(sigma=1)");
    assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
    return part;
}

/* The best public accountants print 2.1245 for these thousand steps. */
static void published_figure(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_epsilon epsilon;
    dpn_part part = gaussian_part();
    dpn_step step = {&part, 1, 0.01, 1000};
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_sampling_epsilon(&epsilon, workspace, &step, 1, 1e-6, NULL, NULL), DPN_OK);
    assert_true(epsilon.lower > 2.12445 && epsilon.upper < 2.12455 && epsilon.lower <= epsilon.upper);
    dpn_workspace_free(workspace);
}

static void nothing_sampled(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_delta delta;
    dpn_part part = gaussian_part();
    dpn_step step = {&part, 1, 0, 1000};
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (size_t steps = 0; steps < 2; steps++) {
        assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, steps, 0, NULL, NULL), DPN_OK);
        assert_true(delta.upper == 0);
        assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, steps, -1, NULL, NULL), DPN_OK);
        assert_true(delta.lower <= -expm1(-1) && delta.upper >= -expm1(-1) && delta.upper < delta.lower * (1 + 1e-12));
    }
    dpn_workspace_free(workspace);
}

/* Rates that nobody would choose: delta(0) of 1000 steps lies between that of one and their sum, q erf(c/sqrt 8) each, and at epsilon 1
 * next to nothing is left. */
static void tiny_rates(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_delta delta;
    dpn_part part = gaussian_part();
    const double rate[] = {1e-12, 1e-100};
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (int i = 0; i < 2; i++) {
        double one = rate[i] * erf(1 / sqrt(8));
        dpn_step step = {&part, 1, rate[i], 1000};
        assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, 0, NULL, NULL), DPN_OK);
        assert_true(delta.upper >= one && delta.upper <= 1000 * one * (1 + 1e-6));
        assert_true(delta.lower <= 1000 * one && delta.lower >= one * (1 - 1e-6));
        assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, 1, NULL, NULL), DPN_OK);
        assert_true(delta.log_lower <= delta.log_upper && delta.log_upper < -200);
    }
    dpn_workspace_free(workspace);
}

/* A person who is seen once in a thousand runs: losses are next to atoms. A discretised sum of losses (connected dots, 10^5 of them) puts
 * delta at 0.9987e-7; where the accuracy that is wanted cannot be had, a bound near that is due and not the sum of the steps. */
static void seldom_seen(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_delta delta;
    dpn_part part = {.times = 1};
    dpn_law law = case_law("gaussian(sigma=0.7)");
    assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
    dpn_step step = {&part, 1, 1e-6, 1000};
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, 0.00038741075306443257, NULL, NULL), DPN_OK);
    assert_true(delta.lower <= 0.9988e-7 && delta.upper >= 0.9986e-7 && delta.upper <= 1.01e-7 &&
                delta.lower >= 0.98e-7);
    dpn_workspace_free(workspace);
}

/* A million million steps of noise that is not Gaussian, which no transform holds. Each tells the person's presence apart by a loss of mean
 * square (q/scale)^2, nearly, and all together as a Gaussian move of m = q sqrt(steps)/scale = 1/1000 does: at epsilon = 10 m delta is
 * m (phi(x) - x Q(x)), x = 10, to a few digits, or 7.5e-28. That is what must lie between the ends, though one step alone loses nothing. */
static void too_many_steps(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_delta delta;
    dpn_part part = {.times = 1};
    dpn_law law = case_law("laplace(scale=1000000)");
    assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
    dpn_step step = {&part, 1, 1e-3, 1e12};
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, 0.01, NULL, NULL), DPN_OK);
    if (!(delta.lower <= 8e-28 && delta.upper >= 7e-28)) fail_msg("[%g, %g]", delta.lower, delta.upper);
    dpn_workspace_free(workspace);
}

/* Losses too large for a sample's grid: a person who is in none of ten samples loses nothing, which has the chance 1 - 1e-5 each, and else no
 * more than if all ten had seen everybody, whose epsilon has a closed form. */
static void losses_beyond_the_grid(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_delta delta, all;
    dpn_epsilon epsilon;
    dpn_part part = {.times = 1};
    dpn_law law = case_law("gaussian(sigma=0.001)");
    double seen = -expm1(10 * log1p(-1e-5));
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
    dpn_step step = {&part, 1, 1e-5, 10};
    assert_int_equal(dpn_sampling_epsilon(&epsilon, workspace, &step, 1, 1e-12, NULL, NULL), DPN_OK);
    assert_true(epsilon.lower >= 0 && epsilon.lower <= 2e6 && epsilon.upper >= 1e6 && epsilon.upper < 5.03e6);
    assert_int_equal(dpn_sampling_epsilon(&epsilon, workspace, &step, 1, 1e-3, NULL, NULL), DPN_OK);
    assert_true(epsilon.upper == 0);
    for (double e = -1; e < 5.1e6; e = e < 1 ? e + 1 : e + 1.02e6) {
        part.times = 1;
        assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, e, NULL, NULL),
                         e < 0 ? DPN_EACCURACY : DPN_OK);
        part.times = 10;
        assert_int_equal(dpn_compose_delta(&all, workspace, &part, 1, e, NULL, NULL), DPN_OK);
        if (e >= 0 && !(fabs(delta.log_upper - log(seen) - all.log_upper) <= 1e-9 * (1 - all.log_upper)))
            fail_msg("%g: %g, not %g", e, delta.log_upper, log(seen) + all.log_upper);
    }
    dpn_workspace_free(workspace);
}

/* Far out, where the noise ends, delta is hard to have; near by it is not, and epsilon is found as narrowly as delta is. The law differs from Laplace noise by
 * what is beyond its end, 9e-14 in all steps, and epsilon by as little. */
static void noise_that_ends(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_epsilon ends, laplace;
    dpn_delta delta;
    dpn_part part[2] = {{.times = 1}, {.times = 1}};
    dpn_law law = case_law("truncated-laplace(scale=4.586898949601985,bound=131.29818294742495)"),
            endless = case_law("laplace(scale=4.586898949601985)");
    const double target = 4.0757517226716063e-4;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_loss_law(&part[0].loss, &law, 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&part[1].loss, &endless, 1, NULL), DPN_OK);
    dpn_step step[2] = {{&part[0], 1, 0.20915105095402084, 9}, {&part[1], 1, 0.20915105095402084, 9}};
    assert_int_equal(dpn_sampling_epsilon(&ends, workspace, &step[0], 1, target, NULL, NULL), DPN_OK);
    assert_int_equal(dpn_sampling_epsilon(&laplace, workspace, &step[1], 1, target, NULL, NULL), DPN_OK);
    if (!(ends.lower <= laplace.upper && ends.upper >= laplace.lower && ends.upper - ends.lower < 1e-5))
        fail_msg("[%.10g, %.10g], Laplace [%.10g, %.10g]", ends.lower, ends.upper, laplace.lower, laplace.upper);
    assert_int_equal(dpn_sampling_delta(&delta, workspace, &step[0], 1, ends.upper, NULL, NULL), DPN_OK);
    assert_true(delta.lower <= target);
    assert_int_equal(dpn_sampling_delta(&delta, workspace, &step[0], 1, ends.lower, NULL, NULL), DPN_OK);
    assert_true(delta.upper >= target);
    dpn_workspace_free(workspace);
}

static void refused(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_part part = gaussian_part();
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    const double bad[] = {-0.1, 1.1, NAN};
    dpn_delta delta = {7, 7, 7, 7};
    dpn_error why;
    for (int i = 0; i < 3; i++) {
        dpn_step step = {&part, 1, bad[i], 1};
        assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, 1, NULL, &why), DPN_EDOMAIN);
        assert_non_null(strstr(why.sentence, "rate"));
    }
    dpn_step step = {&part, 1, 0.1, 1};
    assert_int_equal(dpn_sampling_delta(&delta, NULL, &step, 1, 1, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, NAN, NULL, &why), DPN_EDOMAIN);
    dpn_accounting_options contour = {.size = sizeof(dpn_accounting_options), .method = DPN_METHOD_CONTOUR};
    assert_int_equal(dpn_loss_pure(&part.loss, 1, &why), DPN_OK);
    assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, 1, &contour, &why), DPN_EUNSUPPORTED);
    const double value[] = {-1, 1}, probability[] = {0.25, 0.75};
    assert_int_equal(dpn_loss_explicit(&part.loss, value, probability, 2, &why), DPN_OK);
    for (int i = 0; i < 2; i++) {
        step.rate = i ? 1 : 0.1;
        assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, 1, NULL, &why), DPN_EUNSUPPORTED);
    }
    assert_true(delta.lower == 7 && delta.upper == 7 && delta.log_lower == 7 && delta.log_upper == 7);
    dpn_workspace_free(workspace);
}

/* The upper bound alone, which coarse looks ask for, is the upper one of both. */
static void upper_bounds_alone(void **state) {
    (void)state;
    static const char *const text[] = {"gaussian(sigma=1)", "subbotin(p=1.5,scale=2)",
                                       "truncated-laplace(scale=1,bound=9)"};
    for (int k = 0; k < 3; k++)
        for (double rate = 1e-4; rate <= 1; rate *= 10) {
            dpn_part part = {.times = 1};
            dpn_base base;
            dpn_law law = case_law(text[k]);
            assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
            assert_int_equal(dpn_base_open(&base, &part, 1, NULL), DPN_OK);
            dpn_sampled sampled = {&base, rate};
            dpn_loss_view view[2] = {dpn_sampled_present(&sampled), dpn_sampled_absent(&sampled)};
            for (int i = 0; i < 2; i++)
                for (double nu = -2; nu<40; nu = nu> 20 ? INFINITY : nu + 0.037) {
                    double lower, upper, alone;
                    assert_int_equal(view[i].source->log_delta(&lower, &upper, &view[i], nu, NULL), DPN_OK);
                    assert_int_equal(view[i].source->log_upper(&alone, &view[i], nu, NULL), DPN_OK);
                    if (alone != upper)
                        fail_msg("%s, rate %g, side %d at %g: %g, %g", text[k], rate, i, nu, alone, upper);
                    if (isinf(nu)) break;
                }
            dpn_base_close(&base);
        }
}

/* Few grid points or profiles allow an interval that is wide, and refuse one that is narrow; what they allow holds the narrow one. */
static void limits_of_the_grid(void **state) {
    (void)state;
    static dpn_fft_plan plan;
    dpn_part part = {.times = 1};
    dpn_base base;
    dpn_delta narrow, wide;
    dpn_law law = case_law("laplace(scale=1)");
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_loss_law(&part.loss, &law, 1, NULL), DPN_OK);
    assert_int_equal(dpn_base_open(&base, &part, 1, NULL), DPN_OK);
    dpn_sampled sampled = {&base, 0.1};
    assert_int_equal(dpn_fft_add(&plan, dpn_sampled_present(&sampled), 20, NULL), DPN_OK);
    assert_int_equal(dpn_fft_solve(&narrow, &(dpn_fft_reader){0}, &plan, workspace, 1, 1e-5, NULL), DPN_OK);
    for (int i = 0; i < 2; i++) {
        plan.most = i == 0 ? 400 : 0;
        plan.most_nodes = i == 0 ? 0 : 400;
        assert_int_equal(dpn_fft_solve(&wide, &(dpn_fft_reader){0}, &plan, workspace, 1, 1e-5, NULL), DPN_EACCURACY);
        assert_int_equal(dpn_fft_solve(&wide, &(dpn_fft_reader){0}, &plan, workspace, 1, 0.3, NULL), DPN_OK);
        assert_true(wide.lower <= narrow.lower && wide.upper >= narrow.upper);
    }
    dpn_base_close(&base);
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upper_bounds_alone), cmocka_unit_test(limits_of_the_grid),
        cmocka_unit_test(published_figure),   cmocka_unit_test(nothing_sampled),
        cmocka_unit_test(tiny_rates),         cmocka_unit_test(seldom_seen),
        cmocka_unit_test(too_many_steps),     cmocka_unit_test(losses_beyond_the_grid),
        cmocka_unit_test(noise_that_ends),    cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("sampling-edges", tests, NULL, NULL);
}
