/* The functions of the flipped Huber papers: each against its definition in many bits, and the cases of Theorem 3 against where the loss reaches epsilon. */
#include "privacy/renyi/flipped-huber.h"

#include "case.h"
#include "reference/special.h"

#include <dpnoise/loss.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void near(double got, real wanted, double relative, const char *what) {
    double error = fabs(r_double(r_div(r_sub(r_num(got), wanted), wanted)));
    if (!(error <= relative)) fail_msg("%s: %.17g is off by %g", what, got, error);
}

/* alpha^2 - [alpha - D]_+^2, and its inverse in alpha. */
static void squares(void **state) {
    (void)state;
    for (double d = 1e-3; d < 1e3; d *= 1.9)
        for (double alpha = 1e-4; alpha < 1e4; alpha *= 1.7) {
            size_t mark = r_mark();
            real rest = alpha > d ? r_sub(r_num(alpha), r_num(d)) : r_num(0);
            near(dpn_fh_r(d, alpha), r_sub(r_square(r_num(alpha)), r_square(rest)), 1e-15, "R");
            r_release(mark);
            assert_true(dpn_flipped_huber_r(d, alpha) == dpn_fh_r(d, alpha));
            double back = dpn_fh_r_inverse(d, dpn_fh_r(d, alpha));
            assert_true(fabs(back - alpha) <= 1e-14 * alpha &&
                        dpn_flipped_huber_r_inverse(d, alpha) == dpn_fh_r_inverse(d, alpha));
        }
    assert_true(dpn_fh_r(2, 2) == 4 && dpn_fh_r_inverse(2, 4) == 2 && dpn_flipped_huber_r(1, 0) == 0 &&
                dpn_flipped_huber_r_inverse(1, 0) == 0);
    const double bad[] = {-1e-300, INFINITY, NAN};
    for (int i = 0; i < 3; i++) {
        assert_true(isnan(dpn_flipped_huber_r(bad[i], 1)) && isnan(dpn_flipped_huber_r(1, bad[i])));
        assert_true(isnan(dpn_flipped_huber_r_inverse(bad[i], 1)) && isnan(dpn_flipped_huber_r_inverse(1, bad[i])));
    }
    assert_true(isnan(dpn_flipped_huber_r(0, 1)) && isnan(dpn_flipped_huber_r_inverse(0, 1)));
}

/* omega = e^(b^2/2) 2 (M(b) e^(-b^2) + (1 - e^(-b^2))/b), the mass of the law in units of gamma e^(-b^2/2). */
static real omega_of(double b) {
    real square = r_square(r_num(b)), fall = r_exp(r_neg(square));
    real sum = r_add(r_mul(r_mills(r_num(b)), fall), r_over(r_sub(r_num(1), fall), b));
    return r_mul(r_times(sum, 2), r_exp(r_over(square, 2)));
}

static void masses(void **state) {
    (void)state;
    double gamma = 2;
    for (double b = 1e-20; b < 37; b *= b < 1e-3 ? 1e3 : 1.09) {
        size_t mark = r_mark();
        real omega = omega_of(b), root = r_sqrt(r_times(r_pi(), 2));
        double parameter[] = {b * gamma, gamma};
        dpn_law law;
        dpn_flipped_huber_terms terms;
        assert_int_equal(dpn_law_make(&law, "flipped-huber", parameter, 2, NULL), DPN_OK);
        if (dpn_flipped_huber_terms_of(&terms, &law, NULL) == DPN_OK) {
            near(terms.omega, omega, 3e-13, "omega");
            near(terms.log_omega, r_log(omega), 1e-14, "log omega");
            assert_true(terms.theta == dpn_fh_theta(b * gamma, gamma));
            /* Q(theta/gamma) = sqrt(pi/2)/omega, by its distance from 1/2: erf(theta/gamma sqrt 2)/2 */
            real distance = r_over(r_erf(r_div(r_num(terms.theta / gamma), r_sqrt(r_num(2)))), 2),
                 wanted = r_sub(r_num(0.5), r_div(r_over(root, 2), omega));
            if (b < 4) near(r_double(distance), wanted, 3e-13, "theta");
            if (b >= 0.7) {
                real tail = r_over(r_erfc(r_div(r_num(terms.theta / gamma), r_sqrt(r_num(2)))), 2);
                near(r_double(r_log(tail)), r_log(r_div(r_over(root, 2), omega)), 2e-14, "theta by its tail");
            }
        }
        r_release(mark);
    }
    assert_true(dpn_fh_theta(0, 3) == 0);
    dpn_law gaussian = case_law("flipped-huber(alpha=0,gamma=2)");
    dpn_flipped_huber_terms terms;
    assert_int_equal(dpn_flipped_huber_terms_of(&terms, &gaussian, NULL), DPN_OK);
    assert_true(fabs(terms.omega - 2.5066282746310002) < 1e-15 && fabs(terms.log_omega - 0.91893853320467274) < 1e-15 &&
                terms.theta == 0);
}

static double psi(double b, double u) {
    u = fabs(u);
    return u <= b ? b * u : 0.5 * (u * u + b * b);
}

/* Where the loss reaches epsilon: u1, and u2 = u1 + d. */
static int case_by_threshold(double b, double d, double epsilon) {
    double low = -0.5 * d, high = 1e4;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        *(psi(b, middle + d) - psi(b, middle) <= epsilon ? &low : &high) = middle;
    }
    double u1 = low, u2 = u1 + d;
    if (u1 >= b) return 5;
    if (u1 >= 0) return 4;
    if (u1 < -b && u2 > b) return 1;
    return u2 > b ? 3 : 2;
}

static void cases(void **state) {
    (void)state;
    draw_source source = {401};
    int seen[6] = {0};
    for (int trial = 0; trial < 4000; trial++) {
        double b = draw_log_uniform(&source, 0.05, 5), d = b * draw_log_uniform(&source, 0.1, 20),
               gamma = draw_log_uniform(&source, 0.3, 3);
        double epsilon = draw_uniform(&source, 0, 1.3) * (0.5 * d * d + b * d);
        double parameter[] = {b * gamma, gamma};
        dpn_law law;
        int got;
        assert_int_equal(dpn_law_make(&law, "flipped-huber", parameter, 2, NULL), DPN_OK);
        assert_int_equal(dpn_flipped_huber_case(&got, &law, d * gamma, epsilon, NULL), DPN_OK);
        int wanted = case_by_threshold(b, d, epsilon), below = case_by_threshold(b, d, epsilon * (1 - 1e-9)),
            above = case_by_threshold(b, d, epsilon * (1 + 1e-9));
        if (below != above || fabs(epsilon - b * d) < 1e-6) continue; /* where the loss is constant, and at ends */
        if (got != wanted) fail_msg("b %g, d %g, epsilon %g: case %d, not %d", b, d, epsilon, got, wanted);
        seen[got]++;
    }
    for (int i = 1; i <= 5; i++) assert_true(seen[i] > 50);
    /* Each case begins where it says, alpha = gamma = 1. */
    static const struct {
        double d, begin;
        int from, before;
    } ends[] = {{3, 1.5, 3, 1},     {3, 5, 4, 3}, {3, 7.5, 5, 4}, {1.5, 0.5, 3, 2}, {1.5, 1.625, 4, 3},
                {1.5, 2.625, 5, 4}, {1, 1, 4, 2}, {1, 1.5, 5, 4}, {0.5, 0.5, 4, 2}, {2, 0, 3, 3}};
    dpn_law law = case_law("flipped-huber(alpha=1,gamma=1)"), other = case_law("gaussian(sigma=1)");
    int got = -7;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        assert_int_equal(dpn_flipped_huber_case(&got, &law, ends[i].d, ends[i].begin, NULL), DPN_OK);
        assert_int_equal(got, ends[i].from);
        if (ends[i].begin == 0) continue;
        assert_int_equal(dpn_flipped_huber_case(&got, &law, ends[i].d, nextafter(ends[i].begin, 0), NULL), DPN_OK);
        assert_int_equal(got, ends[i].before);
    }
    dpn_error why;
    got = -7;
    const double bad[] = {0, -1, INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(dpn_flipped_huber_case(&got, &law, bad[i], 1, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "sensitivity must be positive, epsilon not negative, and both finite");
        if (i) assert_int_equal(dpn_flipped_huber_case(&got, &law, 1, bad[i], &why), DPN_EDOMAIN);
    }
    assert_int_equal(dpn_flipped_huber_case(&got, &law, 1, 0, NULL), DPN_OK);
    got = -7;
    dpn_flipped_huber_terms terms = {-7, -7, -7};
    assert_int_equal(dpn_flipped_huber_case(&got, &other, 1, 1, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "this is about flipped-huber noise, not gaussian");
    assert_int_equal(dpn_flipped_huber_terms_of(&terms, &other, &why), DPN_EUNSUPPORTED);
    assert_true(got == -7 && terms.omega == -7);
}

int main(void) {
    r_precision(400);
    const struct CMUnitTest tests[] = {cmocka_unit_test(squares), cmocka_unit_test(masses), cmocka_unit_test(cases)};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
