/* Composition by the tilted FFT: against closed forms, exact sums, nested integrals and 25-digit vectors. */
#include <dpnoise/privacy.h>

#include "nested.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

static const dpn_accounting_options fft = {sizeof(dpn_accounting_options), 0, DPN_METHOD_FFT};

static dpn_part part_of(const char *text, double sensitivity, uint64_t times) {
    dpn_law law;
    dpn_part part = {.times = times};
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) || dpn_loss_law(&part.loss, &law, sensitivity, &why))
        fail_msg("%s", why.sentence);
    return part;
}

static dpn_delta compose(const dpn_part *part, size_t parts, double epsilon, const dpn_accounting_options *options) {
    dpn_workspace *workspace;
    dpn_delta delta;
    dpn_error why;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    dpn_status status = dpn_compose_delta(&delta, workspace, part, parts, epsilon, options, &why);
    dpn_workspace_free(workspace);
    if (status) fail_msg("epsilon %g: %s", epsilon, why.sentence);
    double accuracy = options->accuracy > 0 ? options->accuracy : 1e-5;
    assert_true(delta.log_upper - delta.log_lower <= log1p(accuracy) + 1e-15 || delta.upper == 0);
    return delta;
}

/* truth is known up to a relative error of `slack`. */
static void assert_contains(dpn_delta delta, double truth, double slack, const char *what) {
    if (!(delta.lower <= truth * (1 + slack) && truth * (1 - slack) <= delta.upper))
        fail_msg("%s: [%.17g, %.17g] does not contain %.17g", what, delta.lower, delta.upper, truth);
}

/* 25-digit values (tests/vectors: computed with mpmath); Laplace with sensitivity/scale 0.1 to 9 digits. */
static void vectors(void **state) {
    (void)state;
    static const struct {
        const char *law;
        uint64_t times;
        double epsilon, delta, slack;
    } known[] = {
        {"laplace(scale=10)", 20, 1, 2.29433634e-3, 3e-9},
        {"laplace(scale=10)", 100, 1, 1.21251788e-1, 4e-9},
        {"laplace(scale=10)", 1000, 1, 8.09199628e-1, 1e-9},
        {"laplace(scale=1)", 2, 0.5, 0.3504959899811562, 2e-7},
        {"laplace(scale=8)", 10, 0.9, 0.0016078235829133855, 2e-7},
        {"laplace(scale=30)", 20, 0.3, 0.0013061448363226157, 2e-7},
        {"flipped-huber(alpha=80,gamma=20)", 3, 0.3, 0.04004163559036985, 2e-7},
        {"flipped-huber(alpha=16.04,gamma=22.913)", 5, 0.3, 4.219627634961166e-05, 2e-7},
        {"flipped-huber(alpha=40,gamma=20)", 10, 1, 3.2143588505070387e-06, 2e-7},
        {"flipped-huber(alpha=4,gamma=2)", 2, 1.5, 0.1260113277201973, 2e-7},
        {"osgt(m=15,sigma=25.099800796022265)", 8, 0.9, 1.6746392134081506e-15, 2e-7},
        {"osgt(m=3.5,sigma=6)", 20, 5, 2.495595525882594e-08, 2e-7},
        {"staircase(epsilon=0.3,sensitivity=1,gamma=0.45)", 5, 0.7, 0.07459372073888693, 1e-11},
        {"staircase(epsilon=0.25,sensitivity=1,gamma=0.48)", 20, 1, 0.16277497608347374, 1e-11},
        {"truncated-laplace(scale=1.2,bound=8)", 2, 1, 0.16529108213471058, 1e-5},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        dpn_part part = part_of(known[i].law, 1, known[i].times);
        assert_contains(compose(&part, 1, known[i].epsilon, &fft), known[i].delta, known[i].slack, known[i].law);
    }
}

/* n Gaussian releases are one with sensitivity sqrt(n). */
static void gaussian_has_a_closed_form(void **state) {
    (void)state;
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "gaussian", (double[]){10}, 1, NULL), DPN_OK);
    const uint64_t times[] = {2, 20, 100};
    const double epsilons[] = {-0.5, 0, 0.3, 1, 4};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++) {
            dpn_delta truth;
            dpn_part part = part_of("gaussian(sigma=10)", 1, times[i]);
            assert_int_equal(dpn_profile_delta(&truth, &law, sqrt((double)times[i]), epsilons[j], NULL), DPN_OK);
            assert_contains(compose(&part, 1, epsilons[j], &fft), exp(0.5 * (truth.log_lower + truth.log_upper)), 1e-9,
                            "gaussian");
        }
}

/* Randomised response n times: a binomial sum. */
static void pure_is_a_binomial_sum(void **state) {
    (void)state;
    const int n = 40;
    const double e = 0.2, p = 1 / (1 + exp(-e));
    dpn_part part = {.times = (uint64_t)n};
    assert_int_equal(dpn_loss_pure(&part.loss, e, NULL), DPN_OK);
    for (double epsilon = -1; epsilon < 8; epsilon += 0.37) {
        double sum = 0;
        for (int k = 0; k <= n; k++) {
            double loss = (2 * k - n) * e;
            if (loss <= epsilon) continue;
            double log_mass = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p);
            sum += exp(log_mass) * -expm1(epsilon - loss);
        }
        if (sum > 0) assert_contains(compose(&part, 1, epsilon, &fft), sum, 1e-11, "pure");
    }
}

/* An explicit loss with an infinite value, composed with itself by hand. */
static void explicit_losses_convolve(void **state) {
    (void)state;
    const double value[] = {-0.7, 0.1, 0.5, INFINITY}, probability[] = {0.15, 0.5, 0.3, 0.05};
    dpn_part part = {.times = 2};
    assert_int_equal(dpn_loss_explicit(&part.loss, value, probability, 4, NULL), DPN_OK);
    dpn_accounting_options coarse = {sizeof(dpn_accounting_options), 1e-2,
                                     DPN_METHOD_FFT}; /* its atoms lie on no grid */
    for (double epsilon = -0.3; epsilon < 1.2; epsilon += 0.13) {
        double sum = 1 - 0.95 * 0.95;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sum += probability[i] * probability[j] * fmax(0, -expm1(epsilon - value[i] - value[j]));
        assert_contains(compose(&part, 1, epsilon, &coarse), sum, 1e-12, "explicit");
    }
}

/* Truncated Laplace just below its largest finite loss: with u the distance of a loss from the atom at D/s, the losses of k
 * coordinates that are not at the atom have the density c e^(-u/2), and the rest is one integral for each k. */
static void truncated_laplace_near_its_end(void **state) {
    (void)state;
    const double s = 16.5, bound = 150, epsilon = 0.3, a = 1 / s, eta = 5 * a - epsilon;
    const double norm = 2 * s * -expm1(-bound / s), infinite = s * (exp(-(bound - 1) / s) - exp(-bound / s)) / norm;
    const double atom = s * -expm1(-(bound - 1) / s) / norm, c = s / (2 * norm);
    double truth = -expm1(5 * log1p(-infinite)) + pow(atom, 5) * -expm1(-eta), choose = 1, factorial = 1;
    for (int k = 1; k <= 5; k++) {
        choose = choose * (6 - k) / k;
        if (k > 1) factorial *= k - 1;
        double integral = 0;
        const int steps = 20000;
        for (int i = 0; i < steps; i++) { /* midpoint rule */
            double y = (i + 0.5) * eta / steps;
            integral += pow(y, k - 1) / factorial * exp(-y / 2) * -expm1(y - eta) * eta / steps;
        }
        truth += choose * pow(atom, 5 - k) * pow(c, k) * integral;
    }
    dpn_part part = part_of("truncated-laplace(scale=16.5,bound=150)", 1, 5);
    assert_contains(compose(&part, 1, epsilon, &fft), truth, 1e-8, "truncated Laplace");
}

/* Two and three different losses by nested integrals. */
static void nested_integrals_agree(void **state) {
    (void)state;
    static const char *const texts[] = {"laplace(scale=2)",       "flipped-huber(alpha=3,gamma=2)",
                                        "osgt(m=1,sigma=2)",      "logistic(scale=1.5)",
                                        "huber(alpha=1,gamma=2)", "subbotin(p=1.5,scale=2)"};
    for (int i = 0; i < 6; i++)
        for (int j = i; j < 6; j++) {
            dpn_part part[2] = {part_of(texts[i], 1, 1), part_of(texts[j], 0.7, 1)};
            nested_loss loss[2] = {{part[0].loss.law, 1}, {part[1].loss.law, 0.7}};
            double epsilon = 0.2 + 0.1 * i + 0.05 * j;
            double truth = nested_delta(loss, 2, epsilon, 1e-18, 1e-9);
            assert_contains(compose(part, 2, epsilon, &fft), truth, 1e-8, texts[j]);
        }
}

/* The engine and the contour sum know nothing of each other. */
static void contour_agrees(void **state) {
    (void)state;
    const dpn_accounting_options contour = {sizeof(dpn_accounting_options), 0, DPN_METHOD_CONTOUR};
    dpn_part part[3] = {part_of("osgt(m=2,sigma=10)", 1, 30), part_of("gaussian(sigma=7)", 1, 10),
                        part_of("flipped-huber(alpha=2,gamma=9)", 1, 20)};
    for (double epsilon = 0; epsilon < 12; epsilon += 1.7) {
        dpn_delta a = compose(part, 3, epsilon, &fft), b = compose(part, 3, epsilon, &contour);
        assert_true(a.log_lower <= b.log_upper && b.log_lower <= a.log_upper);
    }
}

/* Laws on the integers: against the sum over all pairs of outcomes. */
static void integers_by_brute_force(void **state) {
    (void)state;
    static const char *const texts[] = {"discrete-gaussian(sigma=2)", "discrete-laplace(scale=1.5)",
                                        "discrete-osgt(m=1,sigma=2)", "discrete-flipped-huber(alpha=2,gamma=1.5)"};
    for (int i = 0; i < 4; i++) {
        dpn_part part = part_of(texts[i], 1, 2);
        const dpn_law *law = &part.loss.law;
        for (double epsilon = 0; epsilon < 2; epsilon += 0.31) {
            double sum = 0;
            for (int k = -60; k <= 60; k++)
                for (int l = -60; l <= 60; l++) {
                    double loss = dpn_privacy_loss(law, 1, k) + dpn_privacy_loss(law, 1, l);
                    if (loss > epsilon) sum += dpn_law_pdf(law, k) * dpn_law_pdf(law, l) * -expm1(epsilon - loss);
                }
            assert_contains(compose(&part, 1, epsilon, &fft), sum, 1e-11, texts[i]);
        }
    }
}

/* What cannot be reached is an error, and nothing is written. */
/* Whole curves: in any order, each point as good as if it were asked for alone. Gaussian losses have a closed form. */
static void curves(void **state) {
    (void)state;
    enum { POINTS = 41 };
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    double epsilon[POINTS];
    for (int i = 0; i < POINTS; i++) epsilon[i] = 0.15 * ((i * 17) % POINTS) - 1;
    const char *const text[] = {"gaussian(sigma=4)", "laplace(scale=3)", "flipped-huber(alpha=2,gamma=3)",
                                "truncated-laplace(scale=3,bound=20)", "discrete-osgt(m=2.3,sigma=4)"};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        dpn_part part = part_of(text[k], 1, 9);
        dpn_delta curve[POINTS];
        dpn_error why;
        if (dpn_compose_curve(curve, workspace, &part, 1, epsilon, POINTS, &fft, &why))
            fail_msg("%s: %s", text[k], why.sentence);
        for (int i = 0; i < POINTS; i++) {
            dpn_delta alone;
            assert_int_equal(dpn_compose_delta(&alone, workspace, &part, 1, epsilon[i], NULL, &why), DPN_OK);
            if (!(curve[i].log_upper - curve[i].log_lower <= log1p(1e-5) + 1e-15 || curve[i].upper == 0))
                fail_msg("%s at %g: log delta in [%.17g, %.17g]", text[k], epsilon[i], curve[i].log_lower,
                         curve[i].log_upper);
            if (!(curve[i].lower <= alone.upper && alone.lower <= curve[i].upper))
                fail_msg("%s at %g: [%.17g, %.17g] and [%.17g, %.17g]", text[k], epsilon[i], curve[i].lower,
                         curve[i].upper, alone.lower, alone.upper);
        }
    }
    dpn_delta untouched = {-1, -1, -1, -1};
    dpn_error why;
    dpn_part part = part_of("laplace(scale=3)", 1, 2);
    assert_int_equal(dpn_compose_curve(&untouched, workspace, &part, 1, (double[]){0, NAN}, 2, NULL, &why),
                     DPN_EDOMAIN);
    assert_true(untouched.upper == -1);
    assert_int_equal(dpn_compose_curve(NULL, workspace, &part, 1, NULL, 0, NULL, &why), DPN_OK);
    dpn_workspace_free(workspace);
}

static void out_of_reach(void **state) {
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    dpn_part part = part_of("gaussian(sigma=1000)", 1, 1000000000);
    dpn_delta delta = {-1, -2, -3, -4};
    dpn_error why;
    assert_int_equal(dpn_compose_delta(&delta, workspace, &part, 1, 30, &fft, &why), DPN_EACCURACY);
    assert_true(delta.lower == -1 && delta.upper == -2 && delta.log_lower == -3 && delta.log_upper == -4);
    assert_int_equal(dpn_compose_delta(&delta, NULL, &part, 1, 30, &fft, &why), DPN_EDOMAIN);
    dpn_workspace_free(workspace);
    dpn_workspace_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors),
        cmocka_unit_test(gaussian_has_a_closed_form),
        cmocka_unit_test(pure_is_a_binomial_sum),
        cmocka_unit_test(explicit_losses_convolve),
        cmocka_unit_test(truncated_laplace_near_its_end),
        cmocka_unit_test(nested_integrals_agree),
        cmocka_unit_test(contour_agrees),
        cmocka_unit_test(integers_by_brute_force),
        cmocka_unit_test(curves),
        cmocka_unit_test(out_of_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
