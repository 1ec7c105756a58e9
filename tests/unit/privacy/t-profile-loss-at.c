/* Losses at points of twice the precision: differences of psi from pieces, closed forms and psi alone, against psi with many bits; and the ends of their
 * inverses. */
#include "privacy/profile/loss-at.h"

#include "case.h"
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/integer.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static real twofold(dpn_twofold x) {
    return r_add(r_num(x.hi), r_num(x.lo));
}

static const char *const families[] = {"gaussian", "laplace",  "flipped-huber", "osgt",
                                       "huber",    "logistic", "subbotin",      "staircase"};
enum { FAMILIES = sizeof families / sizeof *families };

/* psi(to) - psi(from), which cancels; Claimed: what the closed form says, 2^-94 of pieces. */
static void differences_of_psi(void **state) {
    (void)state;
    for (int f = 0; f < FAMILIES; f++) {
        draw_source source = {411 + (uint64_t)f};
        for (int i = 0; i < 150; i++) {
            profile_case at = case_draw(&source, families[f]);
            size_t mark = r_mark();
            ref_law law;
            case_reference(&law, &at);
            r_precision(500);
            const struct dpn_closed_form *form = dpn_closed_form_of(&at.law);
            double unit = 1 / at.law.constant[DPN_PDF0], t = draw_uniform(&source, -3, 3) * unit,
                   gap = unit * draw_log_uniform(&source, 1e-9, 5);
            if (i % 5 == 0) t = -0.5 * gap; /* the middle: no loss */
            if (i % 7 == 0) t = ldexp(round(ldexp(t / unit, 8)), -8) * unit;
            dpn_twofold from = dpn_two(t), to = dpn_two_sum(t, gap); /* as losses ask for them */
            if (i % 5 == 0) to = dpn_two(-t);
            dpn_twofold got = dpn_psi_difference(&at.law, form, from, to);
            real truth = r_sub(ref_psi(&law, twofold(to)), ref_psi(&law, twofold(from)));
            double error = form && form->psi_difference ? form->difference_error : DPN_PIECES_ERROR;
            if (!(form && form->psi_difference)) assert_true(dpn_psi_piecewise(&at.law));
            real room = r_times(r_abs(truth), error);
            if (!r_less(r_abs(r_sub(twofold(got), truth)), r_plus(room, 1e-290)))
                fail_msg("%s at %.17g, gap %.17g: %.17g, not %.17g, off by %g of %g", families[f], t, gap, got.hi,
                         r_double(truth), r_double(r_abs(r_div(r_sub(twofold(got), truth), truth))), error);
            dpn_twofold back = dpn_psi_difference(&at.law, form, to, from);
            assert_true(back.hi == -got.hi && back.lo == -got.lo);
            r_release(mark);
        }
    }
}

/* From psi alone: to a few ulps of psi, and the digits that a double leaves out by its slope. */
static void differences_of_psi_alone(void **state) {
    (void)state;
    draw_source source = {421};
    for (int i = 0; i < 200; i++) {
        profile_case at = case_draw(&source, i % 2 ? "logistic" : "subbotin");
        double unit = 1 / at.law.constant[DPN_PDF0], t = draw_uniform(&source, 0.3, 4) * unit;
        struct dpn_family bare = *at.law.family;
        bare.pieces = NULL;
        at.law.family = &bare;
        dpn_twofold low = {t, 0.45 * (nextafter(t, INFINITY) - t)},
                    low2 = {2 * t, -0.4 * (2 * t - nextafter(2 * t, 0))};
        dpn_twofold got = dpn_psi_difference(&at.law, NULL, low, low2),
                    plain = dpn_psi_difference(&at.law, NULL, dpn_two(t), dpn_two(2 * t));
        double step = 1e-6 * t; /* what the digits change: psi' times them */
        double slope =
            dpn_two_value(dpn_two_subtract(bare.psi(&at.law, t + step), bare.psi(&at.law, t - step))) / (2 * step);
        double slope2 =
            dpn_two_value(dpn_two_subtract(bare.psi(&at.law, 2 * t + step), bare.psi(&at.law, 2 * t - step))) /
            (2 * step);
        double change = dpn_two_value(dpn_two_subtract(got, plain)), wanted = slope2 * low2.lo - slope * low.lo;
        assert_true(fabs(change - wanted) <= 0.1 * (fabs(slope * low.lo) + fabs(slope2 * low2.lo)));
        dpn_twofold mirrored = dpn_psi_difference(&at.law, NULL, dpn_two_negate(low), low2);
        assert_true(mirrored.hi == got.hi && mirrored.lo == got.lo);
    }
}

/* Where densities end: a loss without bound, or none. */
static void where_densities_end(void **state) {
    (void)state;
    dpn_law law = case_law("truncated-laplace(scale=2,bound=3)"), gaussian = case_law("gaussian(sigma=1)");
    dpn_law steep = case_law("subbotin(p=9,scale=1)"),
            staircase = case_law("staircase(epsilon=1,sensitivity=1,gamma=0.4)");
    dpn_twofold in = dpn_two(1), out = dpn_two(4), edge = {3, 1e-17}, end = {3, 0}, before = {3, -1e-17};
    assert_true(dpn_psi_difference(&law, NULL, in, out).hi == INFINITY &&
                dpn_psi_difference(&law, NULL, out, in).hi == -INFINITY);
    assert_true(dpn_psi_difference(&law, NULL, in, edge).hi == INFINITY);
    assert_true(dpn_psi_difference(&law, NULL, dpn_two_negate(edge), in).hi == -INFINITY);
    assert_true(dpn_psi_difference(&law, NULL, in, end).hi == 1 &&
                isfinite(dpn_psi_difference(&law, NULL, in, before).hi));
    assert_true(isnan(dpn_psi_difference(&law, NULL, dpn_two(-4), dpn_two(5)).hi)); /* both have ended */
    assert_true(isnan(dpn_psi_difference(&law, NULL, dpn_two(4), dpn_two(4)).hi));
    dpn_twofold far = dpn_two(1e40),
                farther = dpn_two(-2e40); /* beyond all numbers, without an end: the farther one has less */
    assert_true(dpn_psi_difference(&steep, NULL, far, farther).hi == INFINITY);
    assert_true(dpn_psi_difference(&steep, NULL, farther, far).hi == -INFINITY);
    assert_true(dpn_psi_difference(&steep, NULL, far, dpn_two_negate(far)).hi == 0);
    assert_true(dpn_psi_difference(&steep, NULL, in, farther).hi == INFINITY);
    assert_true(dpn_psi_piecewise(&gaussian) && !dpn_psi_piecewise(&steep) && !dpn_psi_piecewise(&staircase) &&
                !dpn_psi_piecewise(&law));
}

static void losses_by_name(void **state) {
    (void)state;
    dpn_law law = case_law("laplace(scale=2)"), whole = case_law("discrete-gaussian(sigma=2)"),
            staircase = case_law("staircase(epsilon=1,sensitivity=1,gamma=0.4)");
    assert_true(dpn_privacy_loss(&law, 3, 1) == 1.5 && dpn_privacy_loss(&law, -3, -1) == 1.5 &&
                dpn_privacy_loss(&law, 3, -3) == -1.5);
    assert_true(dpn_privacy_loss_centred(&law, 3, 0) == 0 && dpn_privacy_loss_centred(&law, 3, 0.5) == 0.5 &&
                dpn_privacy_loss_centred(&law, 3, 9) == 1.5);
    assert_true(dpn_privacy_loss(&whole, 2, 1) == 1 && dpn_privacy_loss_centred(&whole, 3, 0.5) == 0.375);
    const double bad[] = {INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 3; i++) {
        assert_true(isnan(dpn_privacy_loss(&law, bad[i], 1)) && isnan(dpn_privacy_loss(&law, 1, bad[i])));
        assert_true(isnan(dpn_privacy_loss_centred(&law, bad[i], 1)) &&
                    isnan(dpn_privacy_loss_centred(&law, 1, bad[i])));
        assert_true(isnan(dpn_privacy_loss_centred_inverse(&law, bad[i], 0.1)));
    }
    assert_true(isnan(dpn_privacy_loss(&whole, 1.5, 1)) && isnan(dpn_privacy_loss(&whole, 1, 1.5)) &&
                isnan(dpn_privacy_loss_centred(&whole, 1.5, 0.25)));
    assert_true(isnan(dpn_privacy_loss_centred(&whole, 3, 1)) && !isnan(dpn_privacy_loss_centred(&whole, 2, 1)) &&
                isnan(dpn_privacy_loss_centred_inverse(&whole, 1.5, 0.1)));
    assert_true(isnan(dpn_privacy_loss_centred_inverse(&law, 0, 0.1)) &&
                isnan(dpn_privacy_loss_centred_inverse(&law, -1, 0.1)) &&
                isnan(dpn_privacy_loss_centred_inverse(&law, 1, NAN)));
    assert_true(isnan(dpn_privacy_loss_centred_inverse(&staircase, 1, 0.1)));
    /* +inf bounds every loss; -inf is a loss where the first density has ended alone. */
    dpn_law cut = case_law("truncated-laplace(scale=2,bound=3)");
    assert_true(dpn_privacy_loss_centred_inverse(&law, 1, INFINITY) == INFINITY &&
                dpn_privacy_loss_centred_inverse(&law, 1, -INFINITY) == -INFINITY);
    assert_true(dpn_privacy_loss_centred_inverse(&cut, 2, -INFINITY) == -2 &&
                dpn_privacy_loss_centred_inverse(&cut, 8, -INFINITY) == -1);
    assert_true(dpn_privacy_loss_centred_inverse(&law, 3, 0.5) == 0.5 &&
                dpn_privacy_loss_centred_inverse(&law, 3, -0.5) == -0.5);
    assert_true(dpn_privacy_loss_centred_inverse(&law, 3, 2) == INFINITY &&
                dpn_privacy_loss_centred_inverse(&law, 3, -2) == -INFINITY);
}

/* sup{t : centred loss at t <= nu}, with and without the closed form, on the integers by walking. */
static void inverses(void **state) {
    (void)state;
    draw_source source = {431};
    for (int i = 0; i < 300; i++) {
        dpn_law law = case_law((const char *const[]){"gaussian(sigma=1.5)", "flipped-huber(alpha=1,gamma=2)",
                                                     "osgt(m=1,sigma=2)", "logistic(scale=1)"}[i % 4]);
        dpn_profile profile;
        double shift = draw_log_uniform(&source, 0.1, 6), t = draw_uniform(&source, -4, 4), nu;
        dpn_profile_prepare(&profile, &law, shift);
        nu = dpn_privacy_loss_centred(&law, shift, t);
        double found = dpn_two_value(dpn_generic_centre(&profile, nu)),
               closed = dpn_two_value(dpn_profile_centre(&profile, nu));
        double back = dpn_privacy_loss_centred(&law, shift, found);
        assert_true(fabs(back - nu) <= 1e-13 * (1 + fabs(nu)) && found >= t - 1e-11);
        assert_true(fabs(found - closed) <= 1e-9 * (1 + fabs(found)) ||
                    fabs(dpn_privacy_loss_centred(&law, shift, closed) - nu) < 1e-13);
        assert_true(dpn_privacy_loss_centred_inverse(&law, shift, nu) == closed);
    }
    dpn_law law = case_law("discrete-osgt(m=1,sigma=3)");
    for (double shift = 1; shift < 7; shift++)
        for (double nu = -2; nu < 2; nu += 0.17) {
            dpn_profile profile;
            dpn_profile_prepare(&profile, &law, shift);
            double k = -60;
            while (dpn_privacy_loss(&law, shift, k + 1) <= nu) k++;
            assert_true(dpn_two_value(dpn_generic_centre(&profile, nu)) == k + 0.5 * shift);
            assert_true(dpn_integer_threshold(&profile, nu) == k + 1);
        }
    dpn_law bounded = case_law("logistic(scale=2)"); /* losses below 1/2 in size */
    dpn_profile profile;
    dpn_profile_prepare(&profile, &bounded, 1);
    assert_true(dpn_generic_centre(&profile, 0.5).hi == INFINITY &&
                dpn_generic_centre(&profile, -0.51).hi == -INFINITY &&
                dpn_generic_centre(&profile, 0.6).hi == INFINITY);
    assert_true(isfinite(dpn_generic_centre(&profile, 0.499).hi) && isfinite(dpn_generic_centre(&profile, -0.499).hi) &&
                dpn_generic_centre(&profile, 0).hi == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_of_psi),
        cmocka_unit_test(differences_of_psi_alone),
        cmocka_unit_test(where_densities_end),
        cmocka_unit_test(losses_by_name),
        cmocka_unit_test(inverses),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
