/* The affine bound of the loss against the loss itself in multiple precision, and the functions of FH against their
 * definitions. */
#include "case.h"

#include <dpnoise/loss.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const bounded[] = {"gaussian", "laplace", "flipped-huber", "osgt", "huber"};
enum { BOUNDED = sizeof bounded / sizeof *bounded };

/* slope t + offset - centred loss, at 320 bits. */
static real slack(const ref_law *law, const dpn_affine *bound, double shift, double t) {
    real half = r_times(r_num(shift), 0.5);
    real loss = r_sub(ref_psi(law, r_add(r_num(t), half)), ref_psi(law, r_sub(r_num(t), half)));
    return r_sub(r_plus(r_times(r_num(t), bound->slope), bound->offset), loss);
}

static void the_bound_holds_and_touches(void **state) {
    (void)state;
    draw_source source = {81};
    for (int i = 0; i < case_count(600); i++) {
        size_t mark = r_mark();
        profile_case at = case_draw(&source, bounded[i % BOUNDED]);
        if (at.sensitivity == 0) continue;
        double shift = draw_chance(&source, 0.3) ? -at.sensitivity : at.sensitivity;
        dpn_affine bound;
        assert_int_equal(dpn_privacy_loss_affine(&bound, &at.law, shift, NULL), DPN_OK);
        ref_law law;
        case_reference(&law, &at);
        for (int k = 0; k < 20; k++) {
            double t = draw_uniform(&source, -3, 3) * fabs(shift) + (k % 2 ? dpn_law_isf(&at.law, 0.3) : 0);
            /* The slope is a rounded number: its part of the bound may err by an ulp. */
            double least = -2e-16 * fabs(bound.slope * t);
            if (r_double(slack(&law, &bound, shift, t)) < least)
                fail_msg("%s, shift %g: the loss at %g exceeds the bound", at.family->name, shift, t);
        }
        double ridge = r_double(slack(&law, &bound, shift, 0.5 * shift));
        double size = bound.offset + fabs(bound.slope * 0.5 * shift);
        if (bound.touches && !(fabs(ridge) <= 2e-14 * size))
            fail_msg("%s, shift %g: the bound is off by %g at its ridge", at.family->name, shift, ridge);
        r_release(mark);
    }
}

/* shift/sigma^2 to the nearest double, but for ties that the sixteenth digit after it decides. */
static void the_slope_is_the_nearest_double(void **state) {
    (void)state;
    draw_source source = {83};
    for (int i = 0; i < 2000; i++) {
        size_t mark = r_mark();
        double sigma = draw_log_uniform(&source, 1e-3, 1e3), shift = draw_log_uniform(&source, 1e-3, 1e3);
        dpn_law law;
        dpn_affine bound;
        assert_int_equal(dpn_law_make(&law, "gaussian", &sigma, 1, NULL), DPN_OK);
        assert_int_equal(dpn_privacy_loss_affine(&bound, &law, shift, NULL), DPN_OK);
        real exact = r_div(r_num(shift), r_square(r_num(sigma)));
        double error = fabs(r_double(r_sub(r_num(bound.slope), exact))),
               ulp = nextafter(bound.slope, INFINITY) - bound.slope;
        if (!(error <= 0.5000001 * ulp)) fail_msg("sigma %.17g, shift %.17g: off by %g ulp", sigma, shift, error / ulp);
        r_release(mark);
    }
}

/* FH (18): the offset is R_D(alpha)/2 gamma^2; OSGT: m D/sigma^2; on the integers the same. */
static void the_offsets_are_those_of_the_papers(void **state) {
    (void)state;
    dpn_affine bound;
    dpn_law law = case_law("flipped-huber(alpha=2,gamma=1.5)");
    for (double shift = 0.5; shift < 5; shift += 0.5) {
        assert_int_equal(dpn_privacy_loss_affine(&bound, &law, shift, NULL), DPN_OK);
        assert_true(fabs(bound.offset - dpn_flipped_huber_r(shift, 2) / 4.5) <= 1e-14);
        assert_true(fabs(bound.slope - shift / 2.25) <= 1e-15);
    }
    law = case_law("discrete-osgt(m=3,sigma=2)");
    assert_int_equal(dpn_privacy_loss_affine(&bound, &law, -2, NULL), DPN_OK);
    assert_true(bound.slope == -0.5 && fabs(bound.offset - 1.5) < 1e-13);
    law = case_law("huber(alpha=1,gamma=2)");
    assert_int_equal(dpn_privacy_loss_affine(&bound, &law, 3, NULL), DPN_OK);
    assert_true(bound.slope == 0 && fabs(bound.offset - 0.75) < 1e-13 && !bound.touches);
}

static void others_are_refused(void **state) {
    (void)state;
    dpn_affine bound = {1, 2, true};
    dpn_error why;
    static const char *const none[] = {"truncated-laplace(scale=1,bound=3)", "subbotin(p=3,scale=1)",
                                       "staircase(epsilon=1,sensitivity=1,gamma=0.3)"};
    for (size_t i = 0; i < 3; i++) {
        dpn_law law = case_law(none[i]);
        assert_int_equal(dpn_privacy_loss_affine(&bound, &law, 1, &why), DPN_EUNSUPPORTED);
    }
    dpn_law law = case_law("gaussian(sigma=1)");
    dpn_flipped_huber_terms terms;
    int table_case;
    assert_int_equal(dpn_privacy_loss_affine(&bound, &law, NAN, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_flipped_huber_terms_of(&terms, &law, &why), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_flipped_huber_case(&table_case, &law, 1, 1, &why), DPN_EUNSUPPORTED);
    law = case_law("flipped-huber(alpha=1,gamma=1)");
    assert_int_equal(dpn_flipped_huber_case(&table_case, &law, 0, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_flipped_huber_case(&table_case, &law, 1, -1, &why), DPN_EDOMAIN);
    assert_true(bound.slope == 1 && bound.offset == 2);
    assert_true(isnan(dpn_flipped_huber_r(0, 1)) && isnan(dpn_flipped_huber_r(1, -1)));
    assert_true(isnan(dpn_flipped_huber_r_inverse(1, NAN)) && isnan(dpn_flipped_huber_r_inverse(-1, 1)));
}

/* kappa = gamma omega e^(-b^2/2) is the mass of the density, which the reference has from its definition. */
static void omega_is_that_of_the_mass(void **state) {
    (void)state;
    draw_source source = {82};
    for (int i = 0; i < case_count(200); i++) {
        size_t mark = r_mark();
        double gamma = draw_log_uniform(&source, 1e-3, 1e3), b = draw_log_uniform(&source, 1e-6, 1e3);
        double parameter[] = {b * gamma, gamma};
        dpn_law law;
        ref_law truth;
        dpn_flipped_huber_terms got;
        assert_int_equal(dpn_law_make(&law, "flipped-huber", parameter, 2, NULL), DPN_OK);
        ref_make(&truth, ref_find("flipped-huber"), parameter, 0);
        assert_int_equal(dpn_flipped_huber_terms_of(&got, &law, NULL), DPN_OK);
        real ratio = r_div(r_num(parameter[0]), r_num(gamma)), half = r_times(r_square(ratio), 0.5);
        real log_omega = r_add(r_sub(truth.constant[REF_LOG_MASS], r_log(r_num(gamma))), half);
        double expected = r_double(log_omega), allowed = 4e-15 * fmax(1, fabs(expected));
        if (!(fabs(got.log_omega - expected) <= allowed)) fail_msg("b = %g: log omega %.17g", b, got.log_omega);
        double omega = r_double(r_exp(log_omega));
        if (isfinite(omega)) /* exp amplifies the rounding of b^2/2 */
            assert_true(fabs(got.omega / omega - 1) <= 4e-15 + 4e-16 * b * b);
        r_release(mark);
    }
    dpn_law law = case_law("flipped-huber(alpha=5,gamma=1)");
    dpn_flipped_huber_terms got;
    assert_int_equal(dpn_flipped_huber_terms_of(&got, &law, NULL), DPN_OK);
    assert_true(fabs(got.omega / 107334.9146082961793838400 - 1) < 2e-14);
    law = case_law("flipped-huber(alpha=37.68,gamma=1)"); /* omega is a double, e^(b^2/2) is none */
    assert_int_equal(dpn_flipped_huber_terms_of(&got, &law, NULL), DPN_OK);
    assert_true(fabs(log(got.omega) - got.log_omega) < 1e-12);
    law = case_law("flipped-huber(alpha=0,gamma=2)");
    assert_int_equal(dpn_flipped_huber_terms_of(&got, &law, NULL), DPN_OK);
    assert_true(fabs(got.omega - 2.506628274631000502) < 1e-15 && got.theta == 0);
}

/* The t1 that Table I prints for each case, from its formula, is that of the inverse of the loss. */
static double table_t1(int number, double alpha, double gamma, double d, double epsilon) {
    double r = gamma * gamma * epsilon;
    switch (number) {
    case 1:
    case 5:
        return r / d - d / 2;
    case 2:
        return r / (2 * alpha) - d / 2;
    case 3:
        return sqrt(2 * (r + alpha * d)) - alpha - d;
    default:
        return sqrt(2 * (r - alpha * d)) + alpha - d;
    }
}

static void the_cases_are_those_of_the_table(void **state) {
    (void)state;
    draw_source source = {83};
    int seen[6] = {0};
    for (int i = 0; i < 4000; i++) {
        double parameter[] = {draw_log_uniform(&source, 0.05, 20), draw_log_uniform(&source, 0.2, 5)};
        double d = draw_log_uniform(&source, 0.05, 20), epsilon = draw_log_uniform(&source, 1e-3, 50);
        dpn_law law;
        int number = 0;
        assert_int_equal(dpn_law_make(&law, "flipped-huber", parameter, 2, NULL), DPN_OK);
        assert_int_equal(dpn_flipped_huber_case(&number, &law, d, epsilon, NULL), DPN_OK);
        assert_true(number >= 1 && number <= 5);
        seen[number]++;
        double t1 = dpn_privacy_loss_centred_inverse(&law, d, epsilon) - 0.5 * d;
        double expected = table_t1(number, parameter[0], parameter[1], d, epsilon);
        if (!(fabs(t1 - expected) <= 1e-11 * (fabs(expected) + d + parameter[0])))
            fail_msg("alpha %g gamma %g D %g epsilon %g: case %d says %g, not %g", parameter[0], parameter[1], d,
                     epsilon, number, expected, t1);
    }
    for (int number = 1; number <= 5; number++) assert_true(seen[number] > 50);
}

static void r_and_its_inverse(void **state) {
    (void)state;
    draw_source source = {84};
    for (int i = 0; i < 1000; i++) {
        double d = draw_log_uniform(&source, 1e-3, 1e3), alpha = draw_log_uniform(&source, 1e-3, 1e3);
        double beyond = fmax(alpha - d, 0), r = dpn_flipped_huber_r(d, alpha);
        assert_true(fabs(r - (alpha * alpha - beyond * beyond)) <= 1e-14 * alpha * alpha);
        assert_true(fabs(dpn_flipped_huber_r_inverse(d, r) / alpha - 1) <= 1e-14);
        assert_true(fabs(dpn_flipped_huber_r(3 * d, 3 * alpha) / (9 * r) - 1) <= 1e-14);
    }
}

/* As printed delta_2(nu) is one number, the mean of delta_1(epsilon - L(t)), and so are all that follow: by the trapezoidal rule. */
static double mean_of_profile(const dpn_law *law, double d, double epsilon) {
    enum { POINTS = 20001 };
    double reach = 14 * dpn_law_parameter(law, "gamma"), step = 2 * reach / (POINTS - 1), sum = 0;
    for (int i = 0; i < POINTS; i++) {
        double t = -reach + i * step;
        dpn_delta delta;
        assert_int_equal(dpn_profile_delta(&delta, law, d, epsilon - dpn_privacy_loss(law, d, t), NULL), DPN_OK);
        sum += step * dpn_law_pdf(law, t) * delta.upper;
    }
    return sum;
}

static void algorithm_2_as_printed_stops_at_two(void **state) {
    (void)state;
    dpn_law law = case_law("flipped-huber(alpha=1,gamma=1.5)");
    dpn_delta right, wrong;
    double two = mean_of_profile(&law, 1, 1.2), before = 0;
    for (uint64_t k = 1; k <= 6; k++) {
        assert_int_equal(dpn_flipped_huber_algorithm_2(&right, &wrong, NULL, &law, 1, k, 1.2, NULL), DPN_OK);
        assert_true(right.lower > before); /* more answers, more delta */
        before = right.upper;
        if (k < 3) assert_true(wrong.upper == right.upper);
        if (k >= 2) assert_true(fabs(wrong.upper / two - 1) < 1e-5);
        if (k == 2) assert_true(fabs(right.upper / two - 1) < 1e-5);
    }
    law = case_law("laplace(scale=1)");
    assert_int_equal(dpn_flipped_huber_algorithm_2(&right, &wrong, NULL, &law, 1, 2, 1, NULL), DPN_EUNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_holds_and_touches),
        cmocka_unit_test(the_slope_is_the_nearest_double),
        cmocka_unit_test(the_offsets_are_those_of_the_papers),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(omega_is_that_of_the_mass),
        cmocka_unit_test(the_cases_are_those_of_the_table),
        cmocka_unit_test(r_and_its_inverse),
        cmocka_unit_test(algorithm_2_as_printed_stops_at_two),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
