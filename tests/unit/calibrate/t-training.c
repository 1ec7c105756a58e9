/* The least noise and the most steps for releases from samples: the guarantee holds for exactly the law returned, by the inverse question, and
 * less noise or one more step breaks it. */
#include <dpnoise/calibrate.h>
#include <dpnoise/sampling.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static dpn_workspace *workspace;

static int make_workspace(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) != DPN_OK;
}

static int free_workspace(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    return 0;
}

static dpn_training training(double sensitivity, double rate, uint64_t steps) {
    dpn_training out = dpn_training_init();
    out.sensitivity = sensitivity;
    out.rate = rate;
    out.steps = steps;
    return out;
}

/* The least epsilon of a law for the delta: another search than that for the scale. */
static dpn_epsilon epsilon_of(const dpn_law *law, const dpn_training *of, double delta) {
    dpn_part part = {.times = 1};
    dpn_epsilon out = {0};
    dpn_error why;
    assert_int_equal(dpn_loss_law(&part.loss, law, of->sensitivity, NULL), DPN_OK);
    dpn_step step = {&part, 1, of->rate, of->steps};
    if (dpn_sampling_epsilon(&out, workspace, &step, 1, delta, NULL, &why)) fail_msg("%s", why.sentence);
    return out;
}

static void least_noise(void **state) {
    (void)state;
    static const struct {
        const char *family;
        double epsilon, delta, sensitivity, rate, steps, shape, tolerance;
    } cases[] = {{"gaussian", 2, 1e-6, 1, 0.01, 1000, 0, 1e-6}, {"gaussian", 0.8, 1e-5, 3, 0.004, 3600, 0, 1e-6},
                 {"gaussian", 8, 1e-8, 0.5, 0.1, 1e6, 0, 1e-6}, {"gaussian", 1, 1e-3, 1, 1, 30, 0, 1e-6},
                 {"laplace", 0.5, 1e-5, 1, 0.1, 5, 0, 2e-3},    {"osgt", 0.5, 1e-5, 1, 0.2, 4, 0.5, 2e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_training run = training(cases[i].sensitivity, cases[i].rate, (uint64_t)cases[i].steps);
        run.shape = cases[i].shape;
        dpn_law law;
        dpn_delta delta;
        dpn_error why;
        if (dpn_calibrate_training(&law, &delta, cases[i].family, cases[i].epsilon, cases[i].delta, &run, workspace,
                                   &why))
            fail_msg("%s: %s", cases[i].family, why.sentence);
        dpn_epsilon least = epsilon_of(&law, &run, cases[i].delta);
        assert_true(delta.upper <= cases[i].delta);
        if (least.lower > cases[i].epsilon || least.upper < cases[i].epsilon * (1 - cases[i].tolerance))
            fail_msg("%s, epsilon %g: the law's is [%.12g, %.12g]", cases[i].family, cases[i].epsilon, least.lower,
                     least.upper);
    }
}

static void most_steps(void **state) {
    (void)state;
    dpn_law law;
    uint64_t steps;
    dpn_training run = training(1, 0.01, 1);
    assert_int_equal(dpn_law_make(&law, "gaussian", (const double[]){1}, 1, NULL), DPN_OK);
    assert_int_equal(dpn_training_steps(&steps, &law, 2.1245151715, 1e-6, &run, workspace, NULL), DPN_OK);
    assert_true(steps == 999 || steps == 1000); /* 1000 steps have the epsilon 2.12451517 */
    run.steps = steps;
    assert_true(epsilon_of(&law, &run, 1e-6).lower <= 2.1245151715);
    run.steps = steps + 1;
    assert_true(epsilon_of(&law, &run, 1e-6).upper > 2.1245151715);
    run.steps = 1;
    run.rate = 1;
    assert_int_equal(dpn_training_steps(&steps, &law, 0.1, 1e-6, &run, workspace, NULL), DPN_OK);
    assert_int_equal(steps, 0);
}

static void refused(void **state) {
    (void)state;
    dpn_law law;
    dpn_delta delta = {7, 7, 7, 7};
    dpn_error why;
    dpn_training good = training(1, 0.1, 10), bad = good;
    bad.rate = 1.5;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    bad = good;
    bad.size = 0;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 1, 1e-5, &bad, workspace, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", 1, 0, &good, workspace, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate_training(&law, &delta, "gaussian", -1, 1e-5, &good, workspace, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate_training(&law, &delta, "none", 1, 1e-5, &good, workspace, &why), DPN_EPARSE);
    assert_int_equal(dpn_calibrate_training(&law, &delta, "osgt", 1, 1e-5, &good, workspace, &why), DPN_EUNSUPPORTED);
    assert_non_null(strstr(why.sentence, "shape"));
    bad = good;
    bad.vector = true;
    assert_int_equal(dpn_calibrate_training(&law, &delta, "laplace", 1, 1e-5, &bad, workspace, &why), DPN_EUNSUPPORTED);
    assert_true(delta.upper == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(least_noise), cmocka_unit_test(most_steps),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, make_workspace, free_workspace);
}
