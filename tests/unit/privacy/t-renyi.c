/* Renyi divergences of one law: against integrals and sums of many bits, closed forms against quadrature, and the order
 * and shift that they increase with.
 */
#include "case.h"
#include "privacy/loss/loss.h"
#include "privacy/renyi/integral.h"
#include "privacy/renyi/segments.h"
#include "privacy/renyi/terms.h"
#include "renyi-truth.h"

#include "unit/points.h"

#include <dpnoise/renyi.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const families[] = {"gaussian",
                                       "laplace",
                                       "flipped-huber",
                                       "osgt",
                                       "huber",
                                       "subbotin",
                                       "logistic",
                                       "staircase",
                                       "discrete-gaussian",
                                       "discrete-laplace",
                                       "discrete-osgt",
                                       "discrete-flipped-huber"};
enum { FAMILIES = sizeof families / sizeof *families };

static double draw_order(draw_source *source) {
    if (draw_chance(source, 0.1)) return 1;
    if (draw_chance(source, 0.1)) return 1 + draw_log_uniform(source, 1e-15, 1e-3);
    if (draw_chance(source, 0.1)) return draw_log_uniform(source, 100, 1e6);
    return 1 + draw_log_uniform(source, 1e-3, 100);
}

static double bend_of(const profile_case *at) {
    const char *name = at->family->name;
    return strstr(name, "huber") ? at->parameter[0] : 0;
}

static dpn_divergence divergence(const dpn_law *law, double sensitivity, double order) {
    dpn_divergence out = {NAN, NAN};
    dpn_error why;
    char text[DPN_LAW_TEXT_SIZE];
    if (dpn_renyi(&out, law, sensitivity, order, &why))
        fail_msg("%s at %.17g, order %.17g: %s", dpn_law_print(text, law), sensitivity, order, why.sentence);
    return out;
}

/* Fail unless the interval holds the truth; the distance of its middle from the truth, relative. */
static double hold(const dpn_law *law, double sensitivity, double order, dpn_divergence got, real truth) {
    char text[DPN_LAW_TEXT_SIZE], expected[64];
    real slack = r_abs(r_times(truth, 1e-19));
    if (r_less(truth, r_sub(r_num(got.lower), slack)) || r_less(r_add(r_num(got.upper), slack), truth)) {
        mpfr_snprintf(expected, sizeof expected, "%.25Rg", truth);
        fail_msg("%s at %.17g, order %.17g: [%.17g, %.17g] without %s", dpn_law_print(text, law), sensitivity, order,
                 got.lower, got.upper, expected);
    }
    return fabs(r_double(r_div(r_sub(r_num(0.5 * (got.lower + got.upper)), truth), truth)));
}

static real truth_of(const profile_case *at, double order) {
    ref_law law;
    if (!strcmp(at->family->name, "staircase")) {
        r_precision(400);
        return truth_renyi_staircase(at->parameter, r_num(at->sensitivity), r_num(order));
    }
    double weak = fabs(log2(at->sensitivity * at->law.constant[DPN_PDF0])) + fabs(log2(order - (order > 1)));
    ref_make(&law, at->family, at->parameter, 100 + (mpfr_prec_t)(6 * fmin(weak, 200)));
    return truth_renyi(&law, r_num(at->sensitivity), r_num(order), r_num(bend_of(at)), 4000);
}

static void intervals_hold_the_truth(void **state) {
    (void)state;
    for (size_t f = 0; f < FAMILIES; f++) {
        draw_source source = {41 + f};
        double worst = 0, width = 0;
        int wanted = points(5, 20), done = 0;
        for (int tries = 0; done < wanted && tries < 100 * wanted; tries++) {
            profile_case at = case_draw(&source, families[f]);
            double order = draw_order(&source);
            size_t mark = r_mark();
            dpn_divergence got;
            if (at.sensitivity * at.law.constant[DPN_PDF0] > 100) continue;            /* the width that is promised */
            bool listed = at.family->integer || !strcmp(at.family->name, "staircase"); /* too many atoms are refused */
            if (dpn_renyi(&got, &at.law, at.sensitivity, order, NULL) == DPN_EACCURACY && listed) continue;
            got = divergence(&at.law, at.sensitivity, order);
            real truth = truth_of(&at, order);
            if (truth && r_double(truth) < 1e250) {
                done++;
                double error = hold(&at.law, at.sensitivity, order, got, truth);
                bool cut =
                    got.upper == divergence(&at.law, at.sensitivity, INFINITY).upper; /* its middle says nothing */
                if (!cut) worst = fmax(worst, error);
                width = fmax(width, got.upper / got.lower - 1);
            }
            r_release(mark);
        }
        print_message("# %-22s %4d cases: largest error %.1e, largest width %.1e\n", families[f], done, worst, width);
        assert_int_equal(done, wanted);
        assert_true(width < (strcmp(families[f], "subbotin") ? 2e-11 : 3e-10)); /* as dpnoise/renyi.h promises */
        assert_true(worst < 2e-13);
    }
}

/* ---- closed form against quadrature ---- */

static void closed_forms_agree_with_quadrature(void **state) {
    (void)state;
    const char *const shaped[] = {"laplace", "flipped-huber", "osgt", "huber", "logistic"};
    draw_source source = {77};
    double worst = 0;
    int compared = 0;
    for (int i = 0; i < case_count(1000); i++) {
        profile_case at = case_draw(&source, shaped[i % 5]);
        double theta = draw_log_uniform(&source, 1e-2, 1e3);
        dpn_loss loss;
        dpn_shape shape;
        if (dpn_loss_law(&loss, &at.law, at.sensitivity, NULL) || dpn_shape_make(&shape, &loss, false, NULL))
            fail_msg("no shape");
        if (shape.gaussian != 0) continue;
        dpn_growth closed = dpn_segments_closed(&shape, theta), points = dpn_segments_quadrature(&shape, theta);
        if (!(closed.error < 1e-7 && points.error < 1e-7)) continue;
        compared++;
        double apart = fabs(closed.value - points.value);
        if (!(apart <= closed.error * closed.value + points.error * points.value)) {
            char text[DPN_LAW_TEXT_SIZE];
            fail_msg("%s at %.17g, theta %.17g: %.17g and %.17g", dpn_law_print(text, &at.law), at.sensitivity, theta,
                     closed.value, points.value);
        }
        if (theta * closed.value > DPN_WEAK) worst = fmax(worst, apart / closed.value);
    }
    print_message("# %d compared: apart by at most %.1e where the closed form serves\n", compared, worst);
    assert_true(compared > case_count(300));
    assert_true(worst < 1e-13);
}

/* The double-exponential rule by itself, at orders at which all that counts lies around the top: Gaussian noise has the divergence
 * order D^2/2. */
static void the_rule_finds_the_top(void **state) {
    (void)state;
    dpn_law gaussian = case_law("gaussian(sigma=1)");
    for (double shift = 0.01; shift < 30; shift *= 2.9)
        for (double theta = 1e-3; theta < 1e5; theta *= 3.7) {
            dpn_growth found = dpn_integral_divergence(&gaussian, shift, theta);
            double truth = 0.5 * (1 + theta) * shift * shift;
            if (!(fabs(found.value - truth) <= found.error * truth && found.error < 1e-9))
                fail_msg("shift %g, order 1 + %g: %.17g +- %g, not %.17g", shift, theta, found.value, found.error,
                         truth);
        }
}

/* One atom of mass e^-665 or so at a loss L, theta L about 660: M - 1 = e^-a (e^(theta L) - 1)(1 - e^(-(1+theta) L)) is below 1 and has as many
 * digits as theta L has after its point. What the rounding of that product may do is claimed, apart from what a density at zero may err by. */
static void rounding_of_large_exponents_is_claimed(void **state) {
    (void)state;
    draw_source source = {79};
    double worst = 0;
    for (int i = 0; i < 40; i++) {
        double theta = draw_uniform(&source, 100, 1000), loss = draw_uniform(&source, 650, 660) / theta;
        double log_mass = draw_uniform(&source, -666, -665);
        dpn_shape shape = {.symmetric = true, .atoms = 1, .scale = 1};
        shape.atom[0] = (dpn_atom){.value = loss, .log_mass = log_mass};
        dpn_growth got = dpn_segments_quadrature(&shape, theta);
        r_precision(300);
        size_t mark = r_mark();
        real up = r_sub(r_exp(r_mul(r_num(theta), r_num(loss))), r_num(1)), one = r_num(1);
        real down = r_sub(one, r_exp(r_neg(r_mul(r_add(one, r_num(theta)), r_num(loss)))));
        real grown = r_mul(r_mul(up, down), r_exp(r_num(log_mass)));
        real truth = r_div(r_log(r_add(one, grown)), r_num(theta));
        double apart = fabs(r_double(r_div(r_sub(r_num(got.value), truth), truth)));
        r_release(mark);
        worst = fmax(worst, apart);
        if (!(apart <= got.error - DPN_PLAIN_ERROR))
            fail_msg("theta %.17g, loss %.17g: off by %g, claimed %g", theta, loss, apart, got.error - DPN_PLAIN_ERROR);
    }
    assert_true(worst > 1e-14); /* so that it means something */
}

/* ---- wide noise on the integers ---- */

static void wide_sums_agree_with_terms(void **state) {
    (void)state;
    draw_source source = {90};
    double worst = 0;
    for (int i = 0; i < case_count(30); i++) {
        double width = draw_log_uniform(&source, 100, 1500), ratio = draw_log_uniform(&source, 1e-3, 5);
        const double parameter[] = {ratio * width, width};
        double shift = ceil(width * draw_log_uniform(&source, 1e-3, 3)), theta = draw_order(&source) - 1;
        dpn_law law;
        if (dpn_law_make(&law, i % 2 ? "discrete-osgt" : "discrete-flipped-huber", parameter, 2, NULL))
            fail_msg("no law");
        dpn_growth few = dpn_terms_few(&law, shift, theta), many = dpn_terms_many(&law, shift, theta);
        double apart = fabs(few.value - many.value) / few.value;
        if (!(apart <= 1e-3 * DPN_SMOOTH_ERROR))
            fail_msg("%s(%.17g, %.17g) at %g, theta %.17g: %.17g and %.17g", i % 2 ? "osgt" : "fh", parameter[0], width,
                     shift, theta, few.value, many.value);
        worst = fmax(worst, apart);
    }
    print_message("# apart by at most %.1e\n", worst);
    dpn_law gaussian = case_law("discrete-gaussian(sigma=1e9)"), osgt = case_law("discrete-osgt(m=0,sigma=1e9)");
    dpn_law laplace = case_law("discrete-laplace(scale=1e8)"), smooth = case_law("laplace(scale=1e8)");
    for (double order = 1; order < 1e4; order = 4 * order + 0.5) {
        dpn_divergence a = divergence(&gaussian, 3e8, order), b = divergence(&osgt, 3e8, order);
        assert_true(a.lower <= b.upper && b.lower <= a.upper);
        a = divergence(&laplace, 3e6, order), b = divergence(&smooth, 3e6, order); /* apart by 1/shift^2 or so */
        assert_true(a.lower <= b.upper * (1 + 1e-10) && b.lower <= a.upper * (1 + 1e-10));
    }
}

/* ---- monotone ---- */

static void it_increases_with_order_and_shift(void **state) {
    (void)state;
    draw_source source = {5};
    for (int i = 0; i < case_count(1000); i++) {
        profile_case at = case_draw(&source, families[i % FAMILIES]);
        double order = draw_order(&source), more = order + draw_log_uniform(&source, 1e-6, 10);
        double further = at.family->integer ? at.sensitivity + 1 : at.sensitivity * draw_uniform(&source, 1, 2);
        dpn_divergence low, high, far;
        if (dpn_renyi(&low, &at.law, at.sensitivity, order, NULL) ||
            dpn_renyi(&high, &at.law, at.sensitivity, more, NULL) || dpn_renyi(&far, &at.law, further, order, NULL))
            continue;
        dpn_divergence most = divergence(&at.law, at.sensitivity, INFINITY);
        assert_true(low.lower <= low.upper && low.lower >= 0);
        assert_true(low.lower <= high.upper);
        assert_true(low.lower <= far.upper);
        assert_true(low.upper <= most.upper);
    }
}

/* ---- known values ---- */

static void near(double got, double value, double relative) {
    if (!(fabs(got - value) <= relative * fabs(value))) fail_msg("%.17g is not %.17g", got, value);
}

static void known_values(void **state) {
    (void)state;
    dpn_law gaussian = case_law("gaussian(sigma=2)"), laplace = case_law("laplace(scale=1)");
    near(divergence(&gaussian, 3, 5).upper, 5.625, 1e-14);
    near(divergence(&laplace, 2, 1).upper, 1 + exp(-2), 1e-11); /* D + e^-D - 1 */
    double a = 3, d = 0.7;
    near(divergence(&laplace, d, a).upper,
         log(a / (2 * a - 1) * exp((a - 1) * d) + (a - 1) / (2 * a - 1) * exp(-a * d)) / (a - 1), 1e-11);
    dpn_divergence largest = divergence(&laplace, 2, INFINITY);
    assert_true(largest.lower == 2 && largest.upper == 2);
    near(divergence(&laplace, 2, 1e12).upper, 2, 1e-11);
    assert_true(divergence(&laplace, 2, 1e300).upper <= 2);
    dpn_law truncated = case_law("truncated-laplace(scale=1,bound=9)");
    assert_true(isinf(divergence(&truncated, 1e-9, 1).lower) && divergence(&truncated, 0, 2).upper == 0);
    assert_true(isinf(divergence(&gaussian, 1, INFINITY).lower));
    /* At a large order all but the 14th digit is the largest exponent (theta |t + D|^p - (1 + theta) |t|^p)/p. */
    double p = 5.925271915043099, shift = 17.757077742143604, theta = 431446;
    dpn_law steep = case_law("subbotin(p=5.925271915043099,scale=1)");
    double ratio = expm1(log1p(1 / theta) / (p - 1)); /* ((1 + theta)/theta)^(1/(p-1)) - 1 = D/t */
    near(divergence(&steep, shift, 1 + theta).upper, pow(shift, p) * (1 + theta) / (p * theta * pow(ratio, p - 1)),
         3e-10);
    for (size_t f = 0; f < FAMILIES; f++) { /* nothing moves, nothing is lost */
        draw_source source = {f};
        profile_case at = case_draw(&source, families[f]);
        assert_true(divergence(&at.law, 0, 7).upper == 0 && divergence(&at.law, 0, INFINITY).upper == 0);
    }
}

/* Around sigma = 1/2, where the formula changes and the ratio of theta functions shows, against the sum itself. */
static void discrete_gaussian_by_its_sum(void **state) {
    (void)state;
    for (double sigma = 0.3; sigma < 1.1; sigma += 0.05)
        for (double order = 1.1; order < 4; order += 0.3)
            for (double d = 1; d < 4; d++) {
                double parameter[] = {sigma}, tilted = 0, plain = 0;
                dpn_law law;
                if (dpn_law_make(&law, "discrete-gaussian", parameter, 1, NULL)) fail_msg("no law");
                for (double k = -40; k <= 40; k++) {
                    tilted += exp(-(order * k * k + (1 - order) * (k + d) * (k + d)) / (2 * sigma * sigma));
                    plain += exp(-k * k / (2 * sigma * sigma));
                }
                near(divergence(&law, d, order).upper, log(tilted / plain) / (order - 1), 1e-12);
            }
}

/* D_a ~ a I d^2/2 with the Fisher information I. */
static void small_shifts_follow_fisher(void **state) {
    (void)state;
    const char *const laws[] = {"gaussian(sigma=3)", "flipped-huber(alpha=2,gamma=1)", "osgt(m=1,sigma=2)",
                                "logistic(scale=2)", "huber(alpha=1,gamma=2)",         "subbotin(p=3,scale=1)"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        dpn_law law = case_law(laws[i]);
        for (double d = 1e-7; d > 1e-130; d *= 1e-20)
            near(divergence(&law, d, 4).upper, 2 * dpn_law_fisher(&law) * d * d, 1e-5);
    }
}

static void orders_near_one_approach_kullback_leibler(void **state) {
    (void)state;
    draw_source source = {12};
    for (size_t f = 0; f < FAMILIES; f++) {
        profile_case at = case_draw(&source, families[f]);
        dpn_divergence first, second;
        if (dpn_renyi(&first, &at.law, at.sensitivity, 1, NULL) ||
            dpn_renyi(&second, &at.law, at.sensitivity, 1 + DBL_EPSILON, NULL))
            continue;
        near(second.upper, first.upper, 1e-10);
    }
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    dpn_law law = case_law("gaussian(sigma=1)"), integer = case_law("discrete-laplace(scale=1)");
    dpn_divergence out = {7, 7};
    dpn_error why;
    const double orders[] = {0.999, 0, -1, NAN};
    for (size_t i = 0; i < 4; i++) assert_int_equal(dpn_renyi(&out, &law, 1, orders[i], &why), DPN_EDOMAIN);
    assert_non_null(strstr(why.sentence, "order"));
    assert_int_equal(dpn_renyi(&out, &law, -1, 2, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_renyi(&out, &law, INFINITY, 2, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_renyi(&out, &integer, 0.5, 2, &why), DPN_EDOMAIN);
    dpn_law narrow = case_law("osgt(m=1,sigma=1e150)"); /* the divergence underflows */
    assert_int_equal(dpn_renyi(&out, &narrow, 1e-10, 2, NULL), DPN_EACCURACY);
    assert_true(out.lower == 7 && out.upper == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(closed_forms_agree_with_quadrature),
        cmocka_unit_test(the_rule_finds_the_top),
        cmocka_unit_test(rounding_of_large_exponents_is_claimed),
        cmocka_unit_test(wide_sums_agree_with_terms),
        cmocka_unit_test(it_increases_with_order_and_shift),
        cmocka_unit_test(known_values),
        cmocka_unit_test(discrete_gaussian_by_its_sum),
        cmocka_unit_test(small_shifts_follow_fisher),
        cmocka_unit_test(orders_near_one_approach_kullback_leibler),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
