/* P(L > epsilon) and Q(L > epsilon), with and without the points where the loss equals epsilon: what the engines take
 * the slopes of profiles from. */
#include "case.h"
#include "privacy/profile/generic.h"
#include "truth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance;
}

/* delta(epsilon) = P(L > epsilon) - e^epsilon Q(L > epsilon), and the same with >=. */
static void tails_make_the_profile(void **state) {
    (void)state;
    draw_source source = {21};
    for (size_t i = 0; dpn_family_name(i); i++) {
        for (int n = case_count(30); n > 0; n--) {
            profile_case at = case_draw(&source, dpn_family_name(i));
            if (n % 4 == 0) at.epsilon = -at.epsilon;
            if (fabs(at.epsilon) > 30) continue;
            dpn_profile profile;
            dpn_profile_prepare(&profile, &at.law, at.sensitivity);
            double delta = dpn_estimate_value(dpn_profile_at(&profile, at.epsilon));
            if (delta < 1e-290) continue;
            for (int at_least = 0; at_least <= 1; at_least++) {
                dpn_loss_tails tails = dpn_profile_tails(&profile, at.epsilon, at_least);
                double p = dpn_estimate_value(tails.p), q = exp(at.epsilon) * dpn_estimate_value(tails.q);
                if (!near(p - q, delta, 1e-12 * (p + q) + 1e-9 * delta)) {
                    char text[DPN_LAW_TEXT_SIZE];
                    fail_msg("%s, sensitivity %.17g, epsilon %.17g, %s: %.17g - %.17g is not %.17g",
                             dpn_law_print(text, &at.law), at.sensitivity, at.epsilon, at_least ? ">=" : ">", p, q,
                             delta);
                }
            }
        }
    }
}

/* Atoms, where they are known: the loss equals epsilon with probability `mass` under P. */
static void atoms(void **state) {
    (void)state;
    const double q = exp(-0.5);
    const struct {
        const char *law;
        double sensitivity, epsilon, mass;
    } atom[] = {
        {"laplace(scale=2)", 1, 0.5, 0.5},
        {"laplace(scale=2)", 1, -0.5, 0.5 * q},
        {"laplace(scale=2)", 1, 0.25, 0},
        {"discrete-laplace(scale=2)", 1, 0.5, 1 / (1 + q)},
        {"discrete-laplace(scale=2)", 1, -0.5, q / (1 + q)},
        {"discrete-laplace(scale=2)", 2, 0, (1 - q) / (1 + q) * q},
        {"gaussian(sigma=2)", 1, 0.5, 0},
    };
    for (size_t i = 0; i < sizeof atom / sizeof *atom; i++) {
        dpn_law law = case_law(atom[i].law);
        dpn_profile profile;
        dpn_profile_prepare(&profile, &law, atom[i].sensitivity);
        dpn_loss_tails above = dpn_profile_tails(&profile, atom[i].epsilon, false);
        dpn_loss_tails from = dpn_profile_tails(&profile, atom[i].epsilon, true);
        double p = dpn_estimate_value(from.p) - dpn_estimate_value(above.p);
        double other = dpn_estimate_value(from.q) - dpn_estimate_value(above.q);
        assert_true(near(p, atom[i].mass, 1e-14) && near(other, atom[i].mass * exp(-atom[i].epsilon), 1e-14));
    }
    /* Flipped Huber with alpha > D: the loss is constant while both points lie in the linear part on one side. */
    dpn_law law = case_law("flipped-huber(alpha=2,gamma=1)");
    dpn_profile profile;
    dpn_profile_prepare(&profile, &law, 1);
    double p = dpn_estimate_value(dpn_profile_tails(&profile, 2, true).p) -
               dpn_estimate_value(dpn_profile_tails(&profile, 2, false).p);
    assert_true(near(p, dpn_law_sf(&law, 0) - dpn_law_sf(&law, 1), 1e-15));
    /* The staircase at its own sensitivity: e0, 0 and -e0. */
    dpn_law steps = case_law("staircase(epsilon=1,sensitivity=1,gamma=0.25)");
    dpn_profile_prepare(&profile, &steps, 1);
    double variation = 1 - 2 * dpn_law_sf(&steps, 0.5), top = variation / -expm1(-1);
    assert_true(near(dpn_estimate_value(dpn_profile_tails(&profile, 1, true).p), top, 1e-15));
    assert_true(dpn_profile_tails(&profile, 1, false).p.mantissa == 0);
    assert_true(near(dpn_estimate_value(dpn_profile_tails(&profile, 0, false).p), top, 1e-15));
    assert_true(near(dpn_estimate_value(dpn_profile_tails(&profile, 0, true).p), 1 - top * exp(-1), 1e-15));
    assert_true(near(dpn_estimate_value(dpn_profile_tails(&profile, -1, true).q), 1, 1e-15));
    assert_true(near(dpn_estimate_value(dpn_profile_tails(&profile, -1, false).q), 1 - top, 1e-15));
}

/* Deep tails in logarithms. */
static void deep_tails(void **state) {
    (void)state;
    dpn_law law = case_law("gaussian(sigma=2)");
    dpn_profile profile;
    dpn_profile_prepare(&profile, &law, 1);
    dpn_loss_tails tails = dpn_profile_tails(&profile, 40, false);
    assert_true(near(dpn_estimate_log(tails.p), dpn_law_log_sf(&law, 159.5), 1e-12 * 3200));
    assert_true(near(dpn_estimate_log(tails.q), dpn_law_log_sf(&law, 160.5), 1e-12 * 3200));
}

/* What a tail claims to err is a thousand times what it is seen to: the margin of the generic path. */
static void tails_against_references(void **state) {
    (void)state;
    draw_source source = {22};
    for (size_t i = 0; dpn_family_name(i); i++) {
        double worst = 0;
        for (int n = case_count(strcmp(dpn_family_name(i), "subbotin") == 0 ? 20 : 60); n > 0; n--) {
            profile_case at = case_draw(&source, dpn_family_name(i));
            double t = draw_log_uniform(&source, 1e-3, 30) / at.law.constant[DPN_PDF0];
            if (at.family->integer) t = floor(t);
            dpn_profile profile;
            dpn_profile_prepare(&profile, &at.law, at.sensitivity);
            size_t mark = r_mark();
            ref_law reference;
            case_reference(&reference, &at);
            dpn_estimate tail = dpn_tail_estimate(&profile, dpn_two(t));
            real truth = ref_sf(&reference, r_num(t));
            if (r_sign(truth) > 0) worst = fmax(worst, case_compare(&at, tail, truth, "tail"));
            r_release(mark);
        }
        if (!(worst < 1e-3)) fail_msg("%s: error %.3g of what is claimed", dpn_family_name(i), worst);
        print_message("# %s: largest error %.3g of what is claimed\n", dpn_family_name(i), worst);
    }
}

/* Q(L >= 0) = 1 - P(L > 0) of a staircase moved by 60 of its widths is P(X > 30 - 1/4) = e^-30 or so: what is left of a
 * difference, and known no better than that. */
static void small_tail_of_a_staircase(void **state) {
    (void)state;
    dpn_law law = case_law("staircase(epsilon=1,sensitivity=1,gamma=0.25)");
    dpn_profile profile;
    dpn_profile_prepare(&profile, &law, 60);
    dpn_estimate tail = dpn_profile_tails(&profile, 0, true).q;
    double truth = dpn_law_sf(&law, 29.75), value = dpn_estimate_value(tail);
    assert_true(value * (1 - tail.error) <= truth && truth <= value * (1 + tail.error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_make_the_profile),
        cmocka_unit_test(atoms),
        cmocka_unit_test(deep_tails),
        cmocka_unit_test(tails_against_references),
        cmocka_unit_test(small_tail_of_a_staircase),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
