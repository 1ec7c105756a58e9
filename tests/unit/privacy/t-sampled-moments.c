/* Moments of sampled losses from profiles, against integrals over the noise; and the bounds that rest on them. */
#include "privacy/sampling/sampled-moments.h"

#include "case.h"

#include <dpnoise/sampling.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static dpn_part part_of(const char *text, double sensitivity) {
    dpn_part part = {.times = 1};
    dpn_law law = case_law(text);
    assert_int_equal(dpn_loss_law(&part.loss, &law, sensitivity, NULL), DPN_OK);
    return part;
}

static void make(dpn_sampled_moments *out, const dpn_part *part, double rate, double times) {
    dpn_base base;
    assert_int_equal(dpn_base_open(&base, part, 1, NULL), DPN_OK);
    assert_int_equal(dpn_sampled_moments_make(out, &base, rate, times, NULL), DPN_OK);
    dpn_base_close(&base);
}

/* ---- the second way: Simpson's rule over the noise, from the densities ---- */

/* log E x^power where the record is absent, x = 1 - q + q f(t - shift)/f(t). Pieces end where densities have kinks. */
static double integral(const dpn_law *law, double shift, double q, double power, double reach) {
    enum { CELLS = 2000 };
    double from[] = {-reach, 0, shift, shift + reach}, sum = 0;
    for (int piece = 0; piece < 3; piece++) {
        double step = (from[piece + 1] - from[piece]) / CELLS;
        for (int i = 0; i <= CELLS; i++) {
            double t = from[piece] + i * step, f = dpn_law_log_pdf(law, t), g = dpn_law_log_pdf(law, t - shift);
            double weight = i == 0 || i == CELLS ? 1 : i % 2 ? 4 : 2;
            double tilt = power * (g - f > 30 ? log(q) + g - f : log1p(q * expm1(g - f)));
            sum += weight * step / 3 * (tilt > 30 ? exp(f + tilt) : exp(f) * expm1(tilt));
        }
    }
    return log1p(sum);
}

static const struct setting {
    const char *law;
    double shift, q, reach;
} settings[] = {
    {"gaussian(sigma=1.1)", 1, 0.01, 30},  {"gaussian(sigma=0.7)", 1, 0.3, 34}, {"gaussian(sigma=4)", 1, 0.001, 60},
    {"laplace(scale=2)", 1, 0.05, 100},    {"laplace(scale=1)", 1, 1, 60},      {"logistic(scale=1)", 1, 0.2, 60},
    {"subbotin(p=3,scale=4)", 1, 0.1, 90},
};

/* Never below the integral, in either direction, and not far above. */
static void moments_are_above_integrals(void **state) {
    (void)state;
    static dpn_sampled_moments moments;
    const double theta[] = {0x1p-10, 0.1, 0.5, 1, 1.5, 2.5, 4};
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        const struct setting *at = &settings[s];
        dpn_law law = case_law(at->law);
        dpn_part part = part_of(at->law, at->shift);
        make(&moments, &part, at->q, 1);
        for (size_t i = 0; i < sizeof theta / sizeof *theta; i++)
            for (int direction = 0; direction < 2; direction++) {
                double power = direction ? -theta[i] : 1 + theta[i];
                double wanted = integral(&law, at->shift, at->q, power, at->reach);
                double found = dpn_sampled_moments_cumulant(&moments, direction, theta[i]);
                if (!(found >= wanted * (1 - 1e-8) && found <= wanted * 1.01))
                    fail_msg("%s, rate %g, theta %g, direction %d: %.12g, not %.12g", at->law, at->q, theta[i],
                             direction, found, wanted);
            }
    }
}

/* One step of Gaussian noise with everybody in the sample: no conversion is below delta, whose closed form is that of the base, and what is
 * lost at the best order is a known factor, c of a Gaussian tilted sum, of some ten. An epsilon found is one whose delta is found. */
static void bounds_are_above_delta(void **state) {
    (void)state;
    static dpn_sampled_moments moments[2];
    dpn_part part = part_of("gaussian(sigma=2)", 1), sum = {part.loss, 200};
    dpn_workspace *workspace;
    dpn_delta delta;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    make(&moments[0], &part, 1, 150);
    make(&moments[1], &part, 1, 50);
    for (double epsilon = 30; epsilon < 100; epsilon += 23) {
        double found = dpn_sampled_moments_log_upper(moments, 2, epsilon);
        assert_int_equal(dpn_compose_delta(&delta, workspace, &sum, 1, epsilon, NULL, NULL), DPN_OK);
        assert_true(found >= delta.log_lower && found <= delta.log_upper + 5);
        double back = dpn_sampled_moments_epsilon_upper(moments, 2, found);
        if (!(fabs(back - epsilon) <= 0.01 * epsilon))
            fail_msg("%g, not %g, for %g (%g)", back, epsilon, found, delta.log_upper);
    }
    dpn_workspace_free(workspace);
}

/* Truncated noise gives a person away with the probability m: in 500 samples with 1 - (1 - q m)^500, nearly 5 m, and the rest is next to nothing. */
static void infinite_losses_are_added(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_delta delta, one;
    dpn_part part = part_of("truncated-laplace(scale=1,bound=20)", 1);
    static dpn_sampled_moments moments;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_compose_delta(&one, workspace, &part, 1, INFINITY, NULL, NULL), DPN_OK);
    dpn_step step = {&part, 1, 0.01, 500};
    assert_int_equal(dpn_sampling_delta(&delta, workspace, &step, 1, 2, NULL, NULL), DPN_OK);
    if (!(delta.upper >= 4.999 * one.lower && delta.upper <= 5.001 * one.upper && delta.lower <= delta.upper))
        fail_msg("[%g, %g]", delta.lower, delta.upper);
    make(&moments, &part, 0.01, 500);
    assert_true(isinf(dpn_sampled_moments_epsilon_upper(&moments, 1, log(4.99 * one.lower))));
    double epsilon = dpn_sampled_moments_epsilon_upper(&moments, 1, log(6 * one.upper));
    assert_true(epsilon < 2 && dpn_sampled_moments_log_upper(&moments, 1, epsilon) <= log(6 * one.upper) + 1e-9);
    dpn_workspace_free(workspace);
}

/* Long runs where sums of samples are known next to nothing: the conversion of order about 1.1 of ten million steps of Laplace noise, and of noise
 * whose losses are as large as 10^4. The figures are those of the best order from another program's moments, and of the Gaussian they are near to. */
static void long_runs(void **state) {
    (void)state;
    static dpn_sampled_moments moments;
    const struct {
        const char *law;
        double times, delta, low, high;
    } run[] = {{"laplace(scale=1)", 1e7, 1e-9, 273, 614},
               {"flipped-huber(alpha=3,gamma=1)", 1e6, 1e-8, 391, 801},
               {"subbotin(p=12,scale=1)", 1e5, 1e-9, 4927, 155921}};
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        dpn_part part = part_of(run[i].law, 1);
        make(&moments, &part, 0.01, run[i].times);
        double found = dpn_sampled_moments_epsilon_upper(&moments, 1, log(run[i].delta));
        if (!(found >= run[i].low && found <= run[i].high)) fail_msg("%s: %g", run[i].law, found);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_above_integrals),
        cmocka_unit_test(bounds_are_above_delta),
        cmocka_unit_test(infinite_losses_are_added),
        cmocka_unit_test(long_runs),
    };
    return cmocka_run_group_tests_name("sampled-moments", tests, NULL, NULL);
}
