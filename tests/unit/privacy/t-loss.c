/* Privacy losses: against references, with their digits where psi hardly changes, and their inverses. */
#include "case.h"
#include "privacy/profile/loss-at.h"
#include "truth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double draw_point(draw_source *source, const profile_case *at) {
    double scale = 1 / at->law.constant[DPN_PDF0], t = scale * draw_log_uniform(source, 1e-6, 1e3);
    if (draw_chance(source, 0.2)) t = at->parameter[0];
    if (draw_chance(source, 0.5)) t = -t;
    return at->family->integer ? floor(t) : t;
}

/* Relative error below 1e-13: also where the loss is 1e-9 of psi and the points t and t + d round to neighbours. */
static void losses_against_references(void **state) {
    (void)state;
    draw_source source = {1};
    for (size_t i = 0; dpn_family_name(i); i++) {
        for (int n = case_count(60); n > 0; n--) {
            profile_case at = case_draw(&source, dpn_family_name(i));
            double t = draw_point(&source, &at), shift = draw_chance(&source, 0.5) ? at.sensitivity : -at.sensitivity;
            size_t mark = r_mark();
            ref_law reference;
            case_reference(&reference, &at);
            bool integer = at.family->integer, centred = draw_chance(&source, 0.5) && !integer;
            real from = centred ? r_sub(r_num(t), r_over(r_num(shift), 2)) : r_num(t);
            real value = truth_loss(&reference, r_num(shift), from);
            double got = centred ? dpn_privacy_loss_centred(&at.law, shift, t) : dpn_privacy_loss(&at.law, shift, t);
            double expected = r_double(value);
            bool same = mpfr_number_p(value) ? fabs(r_double(r_sub(r_num(got), value))) <= 1e-13 * fabs(expected)
                                             : (isnan(expected) ? isnan(got) : got == expected);
            if (!same) {
                char text[DPN_LAW_TEXT_SIZE];
                fail_msg("%s loss of %s, shift %.17g, t %.17g: %.17g, not %.17g", centred ? "centred" : "plain",
                         dpn_law_print(text, &at.law), shift, t, got, expected);
            }
            r_release(mark);
        }
    }
}

/* At a bend of psi, and with a shift of 1e-25 of t: the digits are those of the shift. */
static void losses_of_the_smallest_shifts(void **state) {
    (void)state;
    static const struct {
        const char *law;
        double shift, t;
    } point[] = {{"flipped-huber(alpha=565099.7793093987,gamma=1)", 8.9686784823440982e-17, 565099.7793093987},
                 {"flipped-huber(alpha=2,gamma=1)", 1e-24, 2},
                 {"gaussian(sigma=0.8807462931209139)", -1.4408751341740175e-27, 0.8807462931209139},
                 {"osgt(m=136.31550458815943,sigma=4.128839989436147)", -3.6e-27, 136.31550458815943},
                 {"huber(alpha=2,gamma=1)", -1e-24, 2},
                 /* 10^25 steps out, where no double tells neighbouring steps apart */
                 {"staircase(epsilon=248.6588391623398,sensitivity=2.399807038710958e-23,gamma=1)", -2.1e-19,
                  248.6588391623398}};
    for (size_t i = 0; i < sizeof point / sizeof *point; i++) {
        dpn_law law = case_law(point[i].law);
        size_t mark = r_mark();
        ref_law reference;
        ref_make(&reference, ref_find(dpn_law_family(&law)), law.parameter, 400);
        real value = truth_loss(&reference, r_num(point[i].shift), r_num(point[i].t));
        double got = dpn_privacy_loss(&law, point[i].shift, point[i].t);
        if (!(fabs(r_double(r_div(r_num(got), value)) - 1) < 1e-13)) fail_msg("%s: %.17g", point[i].law, got);
        r_release(mark);
    }
}

static void centred_loss_is_odd(void **state) {
    (void)state;
    draw_source source = {2};
    for (size_t i = 0; dpn_family_name(i); i++) {
        for (int n = 0; n < 40; n++) {
            profile_case at = case_draw(&source, dpn_family_name(i));
            double shift = at.sensitivity, t = draw_point(&source, &at);
            if (at.family->integer) t += 0.5 * shift;
            double loss = dpn_privacy_loss_centred(&at.law, shift, t);
            if (isnan(loss)) continue;
            assert_true(dpn_privacy_loss_centred(&at.law, shift, -t) == -loss);
            assert_true(dpn_privacy_loss_centred(&at.law, -shift, t) == -loss);
            assert_true(dpn_privacy_loss_centred(&at.law, 0, at.family->integer ? floor(t) : t) == 0 || isinf(loss));
        }
    }
}

/* The inverse is the last point with loss <= nu: the loss there is, the loss a little beyond is not. */
static void inverse_inverts(void **state) {
    (void)state;
    draw_source source = {3};
    for (size_t i = 0; dpn_family_name(i); i++) {
        for (int n = case_count(40); n > 0; n--) {
            profile_case at = case_draw(&source, dpn_family_name(i));
            if (!dpn_law_is_log_concave(&at.law)) break;
            double nu = n % 2 ? at.epsilon : -at.epsilon, shift = at.sensitivity;
            double t = dpn_privacy_loss_centred_inverse(&at.law, shift, nu);
            if (isinf(t)) {
                double lower, upper;
                dpn_profile profile;
                dpn_profile_prepare(&profile, &at.law, shift);
                dpn_profile_supremum(&profile, &lower, &upper);
                assert_true(t > 0 ? nu >= lower : nu <= -lower);
                continue;
            }
            double step = at.family->integer ? 1 : 4e-15 * fabs(t) + 1e-300;
            double before = dpn_privacy_loss_centred(&at.law, shift, at.family->integer ? t : t - step);
            double after = dpn_privacy_loss_centred(&at.law, shift, t + step), slack = 1e-13 * fabs(nu);
            if (!(before <= nu + slack && !(after < nu - slack))) {
                char text[DPN_LAW_TEXT_SIZE];
                fail_msg("inverse of %s, shift %.17g, nu %.17g: %.17g, where the loss goes from %.17g to %.17g",
                         dpn_law_print(text, &at.law), shift, nu, t, before, after);
            }
        }
    }
}

/* The closed forms of the inverse and the bisection that serves the others. */
static void inverse_by_bisection(void **state) {
    (void)state;
    static const char *const families[] = {"gaussian", "laplace",           "flipped-huber",
                                           "osgt",     "truncated-laplace", "logistic"};
    draw_source source = {4};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        for (int n = 0; n < 40; n++) {
            profile_case at = case_draw(&source, families[i]);
            if (2 * dpn_law_support(&at.law) <= at.sensitivity) continue; /* no loss is finite */
            dpn_profile profile;
            dpn_profile_prepare(&profile, &at.law, at.sensitivity);
            double closed = dpn_two_value(dpn_profile_centre(&profile, at.epsilon));
            double found = dpn_centre_by_bisection(&profile, at.epsilon, false);
            if (isinf(closed) || isinf(found)) continue; /* at the largest loss psi alone cannot decide */
            double loss = dpn_privacy_loss_centred(&at.law, at.sensitivity, fmin(closed, found));
            bool flat =
                fabs(loss - at.epsilon) <= 1e-14 * at.epsilon; /* where the loss hardly rises, any point will do */
            if (!(fabs(closed - found) <= 1e-12 * fabs(found) || flat)) {
                char text[DPN_LAW_TEXT_SIZE];
                fail_msg("%s, shift %.17g, nu %.17g: %.17g in closed form, %.17g by bisection",
                         dpn_law_print(text, &at.law), at.sensitivity, at.epsilon, closed, found);
            }
        }
    }
}

/* The right ends of the stretches where the loss is constant, and the ends of the line. */
static void constant_stretches(void **state) {
    (void)state;
    dpn_law laplace = case_law("laplace(scale=2)"), huber = case_law("flipped-huber(alpha=2,gamma=1)");
    assert_true(dpn_privacy_loss_centred_inverse(&laplace, 1, 0.5) == INFINITY);
    assert_true(dpn_privacy_loss_centred_inverse(&laplace, 1, 0.25) == 0.25);
    assert_true(dpn_privacy_loss_centred_inverse(&laplace, 1, -0.5) == -0.5);
    assert_true(dpn_privacy_loss_centred_inverse(&laplace, 1, -0.75) == -INFINITY);
    assert_true(dpn_privacy_loss_centred_inverse(&huber, 1, 2) == 1.5);
    assert_true(dpn_privacy_loss_centred_inverse(&huber, 1, -2) == -0.5);
    dpn_law truncated = case_law("truncated-laplace(scale=2,bound=4)");
    assert_true(dpn_privacy_loss_centred_inverse(&truncated, 1, 0.5) == 3.5);
    assert_true(dpn_privacy_loss_centred_inverse(&truncated, 1, 100) == 3.5);
    assert_true(dpn_privacy_loss_centred_inverse(&truncated, 1, -0.5) == -0.5);
    assert_true(dpn_privacy_loss_centred_inverse(&truncated, 1, -100) == -3.5);
    assert_true(dpn_privacy_loss_centred_inverse(&truncated, 1, INFINITY) == INFINITY);
    assert_true(dpn_privacy_loss_centred_inverse(&truncated, 1, -INFINITY) == -3.5);
    assert_true(dpn_privacy_loss_centred_inverse(&huber, 1, -INFINITY) == -INFINITY);
    dpn_law linear_ends = case_law("huber(alpha=2,gamma=4)");
    assert_true(dpn_privacy_loss_centred_inverse(&linear_ends, 3, 0.375) == INFINITY);
    assert_true(dpn_privacy_loss_centred_inverse(&linear_ends, 3, -0.375) == -3.5);
    assert_true(dpn_privacy_loss_centred_inverse(&linear_ends, 3, -0.376) == -INFINITY);
    dpn_law integer = case_law("discrete-laplace(scale=2)");
    assert_true(dpn_privacy_loss_centred_inverse(&integer, 3, 0.5) == 0.5);
    assert_true(dpn_privacy_loss_centred_inverse(&integer, 3, 0.49) == -0.5);
    assert_true(dpn_privacy_loss_centred_inverse(&integer, 3, 1.5) == INFINITY);
    assert_true(dpn_privacy_loss_centred_inverse(&integer, 3, -1.5) == -1.5);
}

/* Beyond the bound of one density, of the other, of both; t + shift beyond the bound by less than a double can show. */
static void ends_of_the_support(void **state) {
    (void)state;
    dpn_law law = case_law("truncated-laplace(scale=1,bound=3)");
    assert_true(dpn_privacy_loss(&law, 1, 2.5) == INFINITY);
    assert_true(dpn_privacy_loss(&law, -1, 3.5) == -INFINITY);
    assert_true(isnan(dpn_privacy_loss(&law, 1, 3.5)));
    assert_true(dpn_privacy_loss(&law, 1e-17, 3) == INFINITY);
    assert_true(dpn_privacy_loss(&law, -1e-17, 3) < 0 && dpn_privacy_loss(&law, 1, 2) == 1);
}

static void bad_arguments_are_nan(void **state) {
    (void)state;
    dpn_law law = case_law("gaussian(sigma=1)"), integer = case_law("discrete-gaussian(sigma=1)");
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        assert_true(isnan(dpn_privacy_loss(&law, bad[i], 0)) && isnan(dpn_privacy_loss(&law, 1, bad[i])));
        assert_true(isnan(dpn_privacy_loss_centred(&law, bad[i], 0)) &&
                    isnan(dpn_privacy_loss_centred(&law, 1, bad[i])));
        assert_true(isnan(dpn_privacy_loss_centred_inverse(&law, bad[i], 0)));
    }
    assert_true(isnan(dpn_privacy_loss_centred_inverse(&law, 1, NAN)));
    assert_true(isnan(dpn_privacy_loss_centred_inverse(&law, 0, 1)) &&
                isnan(dpn_privacy_loss_centred_inverse(&law, -1, 1)));
    assert_true(isnan(dpn_privacy_loss(&integer, 0.5, 0)) && isnan(dpn_privacy_loss(&integer, 1, 0.5)));
    assert_true(isnan(dpn_privacy_loss_centred(&integer, 1, 0)) && !isnan(dpn_privacy_loss_centred(&integer, 1, 0.5)));
    assert_true(isnan(dpn_privacy_loss_centred(&integer, 2, 0.5)) && !isnan(dpn_privacy_loss_centred(&integer, 2, 0)));
    assert_true(isnan(dpn_privacy_loss_centred_inverse(&integer, 1.5, 1)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_against_references), cmocka_unit_test(losses_of_the_smallest_shifts),
        cmocka_unit_test(centred_loss_is_odd),       cmocka_unit_test(inverse_inverts),
        cmocka_unit_test(inverse_by_bisection),      cmocka_unit_test(constant_stretches),
        cmocka_unit_test(ends_of_the_support),       cmocka_unit_test(bad_arguments_are_nan),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
