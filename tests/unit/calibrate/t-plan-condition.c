/* Conditions about plans: INID Theorem 4 from its formula, and what is refused. */
#include <dpnoise/plan.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static double q(double x) {
    return 0.5 * erfc(x / sqrt(2));
}

static void theorem_4(void **state) {
    (void)state;
    static const double lambda[] = {1, 2, 0, 3, 0.25};
    dpn_sensitivity set = {.dimension = 5, .bound = lambda};
    dpn_plan plan;
    dpn_error why;
    dpn_conditioned got;
    assert_int_equal(dpn_calibrate(&plan, "gaussian", 0.5, 1e-6, &set, NULL, &why), DPN_OK);
    double square = 0;
    for (size_t i = 0; i < 5; i++)
        if (lambda[i] > 0) square += lambda[i] * lambda[i] / plan.variance[i];
    double m = sqrt(square);
    for (double epsilon = 0; epsilon < 0.8; epsilon += 0.25) {
        double expected =
            epsilon == 0 ? erf(m / sqrt(8)) : q(epsilon / m - m / 2) - exp(epsilon) * q(epsilon / m + m / 2);
        assert_int_equal(dpn_plan_condition(&got, "inid-theorem-4", NULL, &plan, &set, epsilon, &why), DPN_OK);
        assert_true(got.exact && fabs(got.delta / expected - 1) < 1e-7 && got.delta <= 1);
    }
    assert_int_equal(dpn_plan_condition(&got, "inid-theorem-4", NULL, &plan, &set, 0.5, &why), DPN_OK);
    assert_true(got.delta <= 1e-6 * (1 + 1e-9) && got.delta > 0.999e-6);
    assert_int_equal(dpn_plan_condition(&got, "probabilistic", NULL, &plan, &set, 0.5, &why), DPN_OK);
    assert_true(got.delta > 1e-6);
    assert_int_equal(dpn_plan_condition(&got, "fh-theorem-8", NULL, &plan, &set, 0.5, &why), DPN_EUNSUPPORTED);
    /* The third has no noise: a set that moves it is refused. */
    dpn_sensitivity more = {.dimension = 5, .linf = 1}, less = {.dimension = 4, .linf = 1};
    assert_int_equal(dpn_plan_condition(&got, "inid-theorem-4", NULL, &plan, &more, 0.5, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_plan_condition(&got, "inid-theorem-4", NULL, &plan, &less, 0.5, &why), DPN_EDOMAIN);
    dpn_plan_free(&plan);
}

/* One law on all coordinates that move is one law: FH Theorem 8 takes it. */
static void one_law(void **state) {
    (void)state;
    static const double lambda[] = {1, 1, 0};
    dpn_sensitivity set = {.dimension = 3, .bound = lambda};
    dpn_calibration_options options = dpn_calibration_options_init();
    dpn_plan plan;
    dpn_error why;
    dpn_conditioned got, law;
    options.shape_min = options.shape_max = 0.5;
    assert_int_equal(dpn_calibrate(&plan, "flipped-huber", 2, 1e-5, &set, &options, &why), DPN_OK);
    assert_int_equal(dpn_plan_condition(&got, "fh-theorem-8", NULL, &plan, &set, 2, &why), DPN_OK);
    assert_int_equal(dpn_condition_delta(&law, "fh-theorem-8", NULL, dpn_plan_law(&plan, 0), 1, &set, 2, &why), DPN_OK);
    assert_true(got.delta == law.delta && got.delta >= plan.delta.lower);
    dpn_plan_free(&plan);
}

static void joint_noise_is_refused(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 3, .linf = 1}, still = {.dimension = 2, .bound = (const double[]){0, 0}};
    dpn_plan plan;
    dpn_error why;
    dpn_conditioned got;
    assert_int_equal(dpn_calibrate(&plan, "k-norm", 1, 0, &set, NULL, &why), DPN_OK);
    assert_int_equal(dpn_plan_condition(&got, "probabilistic", NULL, &plan, &set, 1, &why), DPN_EUNSUPPORTED);
    dpn_plan_free(&plan);
    assert_int_equal(dpn_calibrate(&plan, "gaussian", 1, 1e-6, &still, NULL, &why), DPN_OK);
    assert_int_equal(dpn_plan_condition(&got, "probabilistic", NULL, &plan, &still, 1, &why), DPN_EUNSUPPORTED);
    dpn_plan_free(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theorem_4),
        cmocka_unit_test(one_law),
        cmocka_unit_test(joint_noise_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
