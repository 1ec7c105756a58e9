/* Both pairs of ends of every function that returns a delta: lower and upper, log_lower and log_upper hold the truth, and say
 * the same where doubles can. The truth is computed in multiple precision from the closed form of Gaussian noise and of
 * randomised response, from delta near 1 to far below the smallest double, where the logarithms alone tell anything. */
#include <dpnoise/calibrate.h>
#include <dpnoise/guarantees.h>
#include <dpnoise/sampling.h>

#include "reference/real.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_workspace *workspace;

/* ---- The truth ---- */

/* P(N(0, 1) > x) */
static real tail(real x) {
    mpfr_t value;
    mpfr_init2(value, r_bits());
    mpfr_erfc(value, r_div(x, r_sqrt(r_num(2))), MPFR_RNDN);
    real out = r_times(value, 0.5);
    mpfr_clear(value);
    return out;
}

/* delta of Gaussian noise whose sensitivity is mu standard deviations. */
static real gaussian(real mu, real epsilon) {
    real ratio = r_div(epsilon, mu), half = r_times(mu, 0.5);
    return r_sub(tail(r_sub(ratio, half)), r_mul(r_exp(epsilon), tail(r_add(ratio, half))));
}

/* One step that sees the record with probability q: q H(1 + (e^epsilon - 1)/q), the worse direction. */
static real sampled(real mu, real epsilon, double q) {
    real inner = r_log(r_plus(r_over(r_expm1(epsilon), q), 1));
    return r_times(gaussian(mu, inner), q);
}

/* Randomised response: (e^local - e^epsilon)/(1 + e^local), or 0. */
static real response(double local, double epsilon) {
    if (epsilon >= local) return r_num(0);
    real top = r_exp(r_num(local));
    return r_div(r_sub(top, r_exp(r_num(epsilon))), r_plus(top, 1));
}

/* ---- The ends ---- */

/* -1, 0, 1 as a double is below, equal to or above a number. */
static int order(double a, real b) {
    return isinf(a) ? (a > 0 ? 1 : -1) : mpfr_cmp_d(b, a) > 0 ? -1 : mpfr_cmp_d(b, a) < 0;
}

static void check_ends(const dpn_delta *got, real truth, const char *what, double epsilon) {
    if (order(got->lower, truth) > 0 || order(got->upper, truth) < 0)
        fail_msg("%s at %g: %.17g is not in [%.17g, %.17g]", what, epsilon, r_double(truth), got->lower, got->upper);
    if (r_sign(truth) == 0) {
        assert_true(got->lower == 0 && got->log_lower == -INFINITY);
    } else {
        real log = r_log(truth);
        if (order(got->log_lower, log) > 0 || order(got->log_upper, log) < 0)
            fail_msg("%s at %g: log %.17g is not in [%.17g, %.17g]", what, epsilon, r_double(log), got->log_lower,
                     got->log_upper);
    }
    /* The same interval twice, to the rounding of each of its ends. */
    double far = 1e-9 * fmax(1, fabs(got->log_upper));
    if (got->upper >= DBL_MIN && !(fabs(log(got->upper) - got->log_upper) <= far))
        fail_msg("%s at %g: upper %.17g, but log_upper %.17g", what, epsilon, got->upper, got->log_upper);
    if (got->lower >= DBL_MIN && !(fabs(log(got->lower) - got->log_lower) <= far))
        fail_msg("%s at %g: lower %.17g, but log_lower %.17g", what, epsilon, got->lower, got->log_lower);
    if (got->upper == 0) assert_true(got->log_upper == -INFINITY);
    assert_true(got->lower <= got->upper && got->log_lower <= got->log_upper);
}

/* ---- Everything that has one standard deviation of sensitivity ---- */

typedef dpn_status (*maker)(dpn_delta *out, double epsilon, dpn_error *why);

static dpn_law law_of(double sigma) {
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "gaussian", &sigma, 1, NULL), DPN_OK);
    return law;
}

static dpn_part part_of(double sigma, double sensitivity, uint64_t times) {
    dpn_part part = {.times = times};
    dpn_law law = law_of(sigma);
    assert_int_equal(dpn_loss_law(&part.loss, &law, sensitivity, NULL), DPN_OK);
    return part;
}

static dpn_status profile(dpn_delta *out, double epsilon, dpn_error *why) {
    dpn_law law = law_of(2);
    return dpn_profile_delta(out, &law, 2, epsilon, why);
}

static dpn_status compose(dpn_delta *out, double epsilon, dpn_error *why) {
    dpn_part part = part_of(4, 2, 4);
    return dpn_compose_delta(out, workspace, &part, 1, epsilon, NULL, why);
}

static dpn_status by_fft(dpn_delta *out, double epsilon, dpn_error *why) {
    dpn_part part = part_of(4, 2, 4);
    dpn_accounting_options options = dpn_accounting_options_init();
    options.method = DPN_METHOD_FFT;
    return dpn_compose_delta(out, workspace, &part, 1, epsilon, &options, why);
}

static dpn_status curve(dpn_delta *out, double epsilon, dpn_error *why) {
    dpn_part part = part_of(4, 2, 4);
    return dpn_compose_curve(out, workspace, &part, 1, &epsilon, 1, NULL, why);
}

static dpn_status sensitivity_set(dpn_delta *out, double epsilon, dpn_error *why) {
    dpn_law law = law_of(2);
    dpn_sensitivity set = {.dimension = 3, .l2 = 2};
    return dpn_sensitivity_delta(out, NULL, workspace, &law, 1, &set, epsilon, NULL, why);
}

static dpn_status known(dpn_delta *out, double epsilon, dpn_error *why) {
    dpn_known vendor = {.times = 4};
    assert_int_equal(dpn_guarantee_parse(&vendor.guarantee, "gdp(mu=0.5)", NULL), DPN_OK);
    return dpn_compose_known_delta(out, NULL, workspace, NULL, 0, &vendor, 1, epsilon, NULL, why);
}

static dpn_status all_in_the_sample(dpn_delta *out, double epsilon, dpn_error *why) {
    dpn_part part = part_of(4, 2, 1);
    dpn_step step = {.part = &part, .parts = 1, .rate = 1, .times = 4};
    return dpn_sampling_delta(out, workspace, &step, 1, epsilon, NULL, why);
}

static dpn_status replaced(dpn_delta *out, double epsilon, dpn_error *why) {
    dpn_replace_step step = {
        .replaced = part_of(2, 2, 1).loss, .present = part_of(2, 1, 1).loss, .rate = 1, .times = 1};
    return dpn_sampling_replace_delta(out, NULL, workspace, &step, 1, epsilon, NULL, why);
}

/* Functions that refuse where delta is below doubles are asked no further. */
static void one_standard_deviation(void **state) {
    (void)state;
    static const struct {
        const char *what;
        maker make;
        double furthest;
    } row[] = {
        {"profile", profile, 200},           {"composition", compose, 200},
        {"composition by FFT", by_fft, 7},   {"curve", curve, 38.6},
        {"set", sensitivity_set, 200},       {"gdp", known, 200},
        {"samples", all_in_the_sample, 200}, {"replaced", replaced, 7},
    };
    static const double epsilons[] = {0, 0.25, 1, 3, 7, 26, 37, 38.6, 70, 200};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons && epsilons[i] <= row[k].furthest; i++) {
            size_t mark = r_mark();
            dpn_delta got = {NAN, NAN, NAN, NAN};
            dpn_error why;
            if (row[k].make(&got, epsilons[i], &why)) fail_msg("%s at %g: %s", row[k].what, epsilons[i], why.sentence);
            check_ends(&got, gaussian(r_num(1), r_num(epsilons[i])), row[k].what, epsilons[i]);
            r_release(mark);
        }
}

/* ---- Others ---- */

static void a_sample(void **state) {
    (void)state;
    static const double epsilons[] = {0, 0.5, 2, 5, 20, 30, 60};
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        size_t mark = r_mark();
        dpn_part part = part_of(2, 2, 1);
        dpn_step step = {.part = &part, .parts = 1, .rate = 0.25, .times = 1};
        dpn_delta got;
        dpn_error why;
        if (dpn_sampling_delta(&got, workspace, &step, 1, epsilons[i], NULL, &why))
            fail_msg("sample at %g: %s", epsilons[i], why.sentence);
        check_ends(&got, sampled(r_num(1), r_num(epsilons[i]), 0.25), "sample", epsilons[i]);
        r_release(mark);
    }
}

/* A pure guarantee, and one report that a shuffler has nothing to hide behind. */
static void responses(void **state) {
    (void)state;
    static const double epsilons[] = {0, 0.5, 1, 2, 3};
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        size_t mark = r_mark();
        dpn_known vendor = {.times = 1};
        dpn_delta got;
        dpn_error why;
        assert_int_equal(dpn_guarantee_parse(&vendor.guarantee, "pure(epsilon=2)", NULL), DPN_OK);
        if (dpn_compose_known_delta(&got, NULL, workspace, NULL, 0, &vendor, 1, epsilons[i], NULL, &why))
            fail_msg("pure at %g: %s", epsilons[i], why.sentence);
        check_ends(&got, response(2, epsilons[i]), "pure", epsilons[i]);
        if (dpn_shuffle_delta(&got, 1, 2, epsilons[i], &why)) fail_msg("shuffle at %g: %s", epsilons[i], why.sentence);
        check_ends(&got, response(2, epsilons[i]), "shuffle", epsilons[i]);
        r_release(mark);
    }
}

/* Plans: what is certified when they are made, and what is said of them afterwards, at their epsilon and far beyond. */
static void plans(void **state) {
    (void)state;
    static const double epsilons[] = {1, 3, 20, 60};
    dpn_sensitivity set = {.dimension = 2, .l2 = 2};
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, "gaussian", 1, 1e-5, &set, NULL, &why)) fail_msg("%s", why.sentence);
    real mu = r_div(r_num(2), r_num(dpn_plan_law(&plan, 0)->parameter[0]));
    check_ends(&plan.delta, gaussian(mu, r_num(1)), "certified", 1);
    assert_true(plan.delta.upper <= 1e-5);
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        dpn_delta got;
        if (dpn_plan_delta(&got, NULL, workspace, &plan, &set, 1, epsilons[i], NULL, &why))
            fail_msg("plan at %g: %s", epsilons[i], why.sentence);
        check_ends(&got, gaussian(mu, r_num(epsilons[i])), "plan", epsilons[i]);
    }
    dpn_plan_free(&plan);
    dpn_training training = dpn_training_init();
    training.sensitivity = 2;
    training.rate = 1;
    training.steps = 4;
    dpn_law law;
    dpn_delta certified;
    if (dpn_calibrate_training(&law, &certified, "gaussian", 1, 1e-5, &training, workspace, &why))
        fail_msg("%s", why.sentence);
    check_ends(&certified, gaussian(r_div(r_num(4), r_num(law.parameter[0])), r_num(1)), "training", 1);
    assert_true(certified.upper <= 1e-5);
    r_release(0);
}

/* Joint noise, whose lower end is that of one block: the logarithm says no more than the number, and hardly less. */
static void joint_noise(void **state) {
    (void)state;
    static const struct {
        const char *family;
        double epsilon, delta, bound;
        size_t dimension;
    } row[] = {{"spherical", 1, 1e-6, 1, 4},
               {"random-box", 1, 1e-3, 1, 12},
               {"truncated-staircase", 1, 1e-5, 1, 1},
               {"discrete-staircase", 0.5, 1e-3, 40, 1}};
    size_t known = 0;
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        dpn_sensitivity set = {.dimension = row[k].dimension, .linf = row[k].bound};
        dpn_plan plan;
        dpn_error why;
        if (dpn_calibrate(&plan, row[k].family, row[k].epsilon, row[k].delta, &set, NULL, &why))
            fail_msg("%s: %s", row[k].family, why.sentence);
        for (int i = 0; i < 12; i++) {
            size_t mark = r_mark();
            dpn_delta got;
            double epsilon = row[k].epsilon * (0.5 + 0.045 * i);
            if (dpn_plan_delta(&got, NULL, workspace, &plan, &set, 1, epsilon, NULL, &why))
                fail_msg("%s at %g: %s", row[k].family, epsilon, why.sentence);
            if (got.lower > 0) {
                real log = r_log(r_num(got.lower)), less = r_log(r_num(got.lower * (1 - 1e-13)));
                if (order(got.log_lower, log) > 0 || order(got.log_lower, less) < 0)
                    fail_msg("%s at %g: lower %.17g, but log_lower %.17g", row[k].family, epsilon, got.lower,
                             got.log_lower);
                known++;
            }
            if (order(got.log_upper, r_log(r_num(got.upper * (1 - 1e-13)))) < 0)
                fail_msg("%s at %g: upper %.17g, but log_upper %.17g", row[k].family, epsilon, got.upper,
                         got.log_upper);
            r_release(mark);
        }
        dpn_plan_free(&plan);
    }
    if (known < 30) fail_msg("%zu lower ends are known", known);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_standard_deviation),
        cmocka_unit_test(a_sample),
        cmocka_unit_test(responses),
        cmocka_unit_test(plans),
        cmocka_unit_test(joint_noise),
    };
    r_precision(800);
    if (dpn_workspace_new(&workspace)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dpn_workspace_free(workspace);
    r_free_all();
    return failed;
}
