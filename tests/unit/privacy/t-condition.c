/* The papers' conditions at single points: against tables, against the printed formulas, and what they refuse. */
#include "case.h"
#include "reference/special.h"

#include <dpnoise/condition.h>
#include <dpnoise/renyi.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VECTORS = 8 };

static dpn_workspace *workspace;

static int setup(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) ? -1 : 0;
}

static int teardown(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    r_free_all();
    return 0;
}

static void near(double got, double value, double relative) {
    if (!(fabs(got - value) <= relative * fabs(value))) fail_msg("%.17g is not %.17g", got, value);
}

/* An upper bound of the value, and no more than that much above it. */
static void just_above(double got, double value, double relative) {
    if (!(got >= value * (1 - 4e-16) && got <= value * (1 + relative)))
        fail_msg("%.17g is not just above %.17g", got, value);
}

static dpn_conditioned ask(const char *name, const char *text, const dpn_sensitivity *set, double epsilon) {
    dpn_conditioned out = {0};
    dpn_error why;
    dpn_law law = case_law(text);
    if (dpn_condition_delta(&out, name, workspace, &law, 1, set, epsilon, &why))
        fail_msg("%s of %s: %s", name, text, why.sentence);
    if (out.delta > 1e-300) near(log(out.delta), out.log_delta, 1e-14);
    return out;
}

static double exact(const char *text, const dpn_sensitivity *set, double epsilon) {
    dpn_delta out = {0, 0, 0, 0};
    dpn_error why;
    dpn_law law = case_law(text);
    if (dpn_sensitivity_delta(&out, NULL, workspace, &law, 1, set, epsilon, NULL, &why)) fail_msg("%s", why.sentence);
    return out.upper;
}

static dpn_sensitivity box(size_t dimension, double bound) {
    return (dpn_sensitivity){.dimension = dimension, .linf = bound};
}

/* ---- tables and printed numbers ---- */

static void every_vector_holds(void **state) {
    (void)state;
    const char *root = getenv("DPN_SOURCE_ROOT");
    char path[4096], line[512], function[32], text[128];
    snprintf(path, sizeof path, "%s/tests/vectors/condition.csv", root ? root : ".");
    FILE *table = fopen(path, "r");
    if (!table) fail_msg("%s is not there; DPN_SOURCE_ROOT names the source tree", path);
    int count = 0;
    while (fgets(line, sizeof line, table)) {
        size_t dimension;
        double bound, at, value, tolerance;
        if (line[0] == '#') continue;
        if (sscanf(line, "%31[^;];%127[^;];%zu;%lf;%lf;%lf;%lf", function, text, &dimension, &bound, &at, &value,
                   &tolerance) != 7)
            fail_msg("the line cannot be read: %s", line);
        if (!strcmp(function, "fh_thm8_lhs")) {
            dpn_sensitivity set = box(dimension, bound);
            just_above(ask("fh-theorem-8", text, &set, at).delta, value, tolerance);
        } else {
            dpn_law law = case_law(text);
            double got = 0;
            assert_int_equal(dpn_renyi_osgt_theorem_2(&got, &law, dimension, bound, at, NULL), DPN_OK);
            near(got, value, tolerance);
        }
        count++;
    }
    fclose(table);
    assert_int_equal(count, VECTORS);
}

/* OSGT, figure 6: eight answers with noise of the same variance, 398.217. */
static void the_example_of_osgt(void **state) {
    (void)state;
    char gaussian[64];
    const char *osgt = "osgt(m=15,sigma=25.099800796022265)";
    dpn_law law = case_law(osgt);
    dpn_sensitivity set = box(8, 1);
    near(dpn_law_variance(&law), 398.217, 2e-6);
    snprintf(gaussian, sizeof gaussian, "gaussian(sigma=%.17g)", sqrt(dpn_law_variance(&law)));
    dpn_conditioned by_20 = ask("osgt-20", osgt, &set, 0.9), by_21 = ask("osgt-21", osgt, &set, 0.9);
    near(by_20.delta, 1.2287e-14, 5e-5);
    near(by_20.order, 71.66, 1e-4);
    assert_true(by_20.delta == by_21.delta && !by_20.exact);
    near(exact(osgt, &set, 0.9), 1.6746e-15, 5e-5);
    near(ask("osgt-22", gaussian, &set, 0.9).delta, 2.2297e-11, 5e-5);
    near(ask("inid-theorem-4", gaussian, &set, 0.9).delta, 3.598e-12, 2e-4);
    near(exact(gaussian, &set, 0.9), 3.598e-12, 2e-4);
    assert_true(ask("osgt-theorem-2", osgt, &set, 0.9).delta > by_20.delta);
}

/* The formula of INID and the truth: far apart for boxes, the same where one answer may take the whole norm. */
static void laplace_formula(void **state) {
    (void)state;
    dpn_sensitivity two = box(2, 1), twenty = box(20, 1), ball = {.dimension = 3, .l1 = 2};
    dpn_conditioned formula = ask("inid-laplace", "laplace(scale=1)", &two, 0.5);
    just_above(formula.delta, -expm1((0.5 - 2) / 2), 1e-11);
    near(formula.delta, 0.5276, 1e-4);
    assert_false(formula.exact);
    near(exact("laplace(scale=1)", &two, 0.5), 0.3505, 1e-4);
    near(ask("inid-laplace", "laplace(scale=30)", &twenty, 0.3).delta, 0.1675, 1e-4);
    near(exact("laplace(scale=30)", &twenty, 0.3), 0.001306, 2e-4);
    formula = ask("inid-laplace", "laplace(scale=1)", &ball, 0.5);
    assert_true(formula.exact);
    near(formula.delta, exact("laplace(scale=1)", &ball, 0.5), 1e-10);
    assert_true(ask("inid-laplace", "laplace(scale=4)", &ball, 0.5000001).log_delta == -INFINITY);
}

/* The box of tests/vectors/privacy-inid.csv; and where the moves share an l2 norm, the box around them is not needed. */
static void different_noise_on_each_answer(void **state) {
    (void)state;
    static const double bound[] = {1, 2, 3, 4, 5};
    dpn_sensitivity set = {.dimension = 5, .bound = bound};
    dpn_law law[5], laplace[2] = {case_law("laplace(scale=2)"), case_law("laplace(scale=5)")};
    for (int i = 0; i < 5; i++) {
        double sigma = 20 + 5 * i;
        assert_int_equal(dpn_law_make(&law[i], "gaussian", &sigma, 1, NULL), DPN_OK);
    }
    dpn_conditioned out = {0};
    assert_int_equal(dpn_condition_delta(&out, "inid-theorem-4", workspace, law, 5, &set, 0.5, NULL), DPN_OK);
    just_above(out.delta, 0.001044585403265205037383055, 1e-9);
    assert_true(out.exact);
    set.l2 = 6; /* it is no longer all of its box, of norm 7.4 */
    assert_int_equal(dpn_condition_delta(&out, "inid-theorem-4", workspace, law, 5, &set, 0.5, NULL), DPN_OK);
    just_above(out.delta, 0.001044585403265205037383055, 1e-9);
    assert_false(out.exact);
    dpn_sensitivity pair = {.dimension = 2, .bound = bound};
    assert_int_equal(dpn_condition_delta(&out, "inid-laplace", workspace, laplace, 2, &pair, 0.5, NULL), DPN_OK);
    just_above(out.delta, -expm1((0.5 - (1.0 / 2 + 2.0 / 5)) / 2), 1e-11);
}

static void exact_ones(void **state) {
    (void)state;
    dpn_sensitivity one = box(1, 1);
    dpn_conditioned out = ask("osgt-theorem-1", "osgt(m=3,sigma=6.324555320336759)", &one, 1);
    just_above(out.delta, 7.847361017748750189931492e-12, 1e-10);
    assert_true(out.exact);
    out = ask("fh-theorem-3", "flipped-huber(alpha=3,gamma=6)", &one, 1);
    near(out.delta, exact("flipped-huber(alpha=3,gamma=6)", &one, 1), 1e-10);
    assert_true(out.exact);
}

/* xi + eta + 2 sqrt(eta log(1/delta)) = epsilon with xi = K R/2 gamma^2, R = 2 alpha - 1, eta = K/2 gamma^2. */
static void theorem_9(void **state) {
    (void)state;
    dpn_sensitivity set = box(3, 1);
    double xi = 3 * 5 / 72.0, eta = 3 / 72.0, rest = 1 - xi - eta;
    just_above(ask("fh-theorem-9", "flipped-huber(alpha=3,gamma=6)", &set, 1).delta, exp(-rest * rest / (4 * eta)),
               1e-11);
    assert_true(ask("fh-theorem-9", "flipped-huber(alpha=3,gamma=6)", &set, 0.2).delta == 1);
}

/* No order of a fine list does better than the one that was found. */
static void the_order_is_the_best(void **state) {
    (void)state;
    static const char *const laws[] = {"laplace(scale=2)",  "osgt(m=1,sigma=3)", "flipped-huber(alpha=1,gamma=3)",
                                       "gaussian(sigma=3)", "logistic(scale=2)", "discrete-gaussian(sigma=4)"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        dpn_sensitivity set = box(4, 1);
        dpn_law law = case_law(laws[i]);
        double epsilon = 0.9, found = ask("osgt-20", laws[i], &set, epsilon).log_delta, least = 0;
        for (double t = -7; t < 15; t += 0.003) {
            double a = 1 + exp(t);
            dpn_divergence tau;
            if (dpn_renyi_sensitivity(&tau, NULL, &law, 1, &set, &a, 1, NULL)) continue;
            least = fmin(least, (a - 1) * (tau.lower - epsilon) + a * log1p(-1 / a) - log(a - 1));
        }
        if (!(found < least + 1e-5 && found > least - 1e-3)) fail_msg("%s: %.17g not %.17g", laws[i], found, least);
    }
}

/* ---- the probability of a large loss ---- */

static double q(double x) {
    return 0.5 * erfc(x * sqrt(0.5));
}

static void probabilistic(void **state) {
    (void)state;
    /* The loss of Gaussian noise is N(mu^2/2, mu^2). osgt with m = 0 is Gaussian, but goes by the composition. */
    for (double epsilon = 0; epsilon < 4; epsilon += 0.25) {
        dpn_sensitivity set = box(5, 1);
        double mu = sqrt(5) / 3, truth = q(epsilon / mu - mu / 2);
        just_above(ask("probabilistic", "gaussian(sigma=3)", &set, epsilon).delta, truth, 1e-9);
        just_above(ask("probabilistic", "osgt(m=0,sigma=3)", &set, epsilon).delta, truth, 1e-2);
    }
    /* One answer with Laplace noise: the loss reaches epsilon where t >= -(D - scale epsilon)/2. */
    dpn_sensitivity one = box(1, 1);
    just_above(ask("probabilistic", "laplace(scale=0.5)", &one, 0.5).delta, 1 - exp(-(1 - 0.25)) / 2, 1e-9);
    just_above(ask("probabilistic", "laplace(scale=0.5)", &one, 2).delta, 0.5, 1e-9); /* the atom counts */
    assert_true(ask("probabilistic", "laplace(scale=0.5)", &one, 2.000001).log_delta == -INFINITY);
    /* Three answers with staircase noise: atoms +-e0 and 0, P(e0) = TV/(1 - e^-e0) (T2). */
    dpn_sensitivity three = box(3, 1);
    double e0 = 1, shape = 0.3, a = -expm1(-e0) / (2 * (shape + exp(-e0) * (1 - shape)));
    double up = 2 * a * (shape + (0.5 - shape) * exp(-e0)) / -expm1(-e0), down = up * exp(-e0), still = 1 - up - down;
    double two_or_three = up * up * up + 3 * up * up * still;
    just_above(ask("probabilistic", "staircase(epsilon=1,sensitivity=1,gamma=0.3)", &three, 1.5).delta, two_or_three,
               1e-2);
    /* 1-dimensional laws by tails of the reference: P(T > t) where psi(t + 1) - psi(t) = epsilon, t > 0 here. */
    just_above(ask("probabilistic", "osgt(m=1,sigma=2)", &one, 1.5).delta, q((5 - 0.5 + 1 - 0) / 2) / (2 * q(0.5)),
               1e-9);
}

/* ---- Theorem 8 as printed, in 320 bits ---- */

static real r_q(real x) {
    return r_over(r_erfc(r_div(x, r_sqrt(r_num(2)))), 2);
}

/* x with Q(x) = p by bisection. */
static real r_q_inverse(real p) {
    real low = r_num(0), high = r_num(100);
    for (int i = 0; i < 200; i++) {
        real middle = r_over(r_add(low, high), 2);
        if (r_less(p, r_q(middle)))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Q(gamma eps/D2 - D2/2gamma - K R/2gamma D2) - e^eps Q(gamma eps/D2 + D2/2gamma + K R/2gamma D2 + theta D1/gamma D2). */
static double printed_theorem_8(double alpha, double gamma, double epsilon, double k, double linf, real d1, real d2) {
    real a = r_num(alpha), g = r_num(gamma), b = r_div(a, g), root = r_sqrt(r_times(r_pi(), 2));
    real omega = r_times(r_add(r_mul(root, r_q(b)), r_mul(r_div(r_num(2), b), r_sinh(r_over(r_square(b), 2)))), 2);
    real theta = r_mul(g, r_q_inverse(r_div(r_over(root, 2), omega)));
    real less = alpha > linf ? r_square(r_sub(a, r_num(linf))) : r_num(0);
    real kr = r_times(r_sub(r_square(a), less), k);
    real first = r_div(r_times(g, epsilon), d2), second = r_div(d2, r_times(g, 2));
    real third = r_div(kr, r_mul(r_times(g, 2), d2)), fourth = r_div(r_mul(theta, d1), r_mul(g, d2));
    real plus = r_add(r_add(first, second), r_add(third, fourth)), minus = r_sub(r_sub(first, second), third);
    if (r_sign(minus) < 0) return 1;
    return r_double(r_sub(r_q(minus), r_mul(r_exp(r_num(epsilon)), r_q(plus))));
}

static void theorem_8_is_as_printed(void **state) {
    (void)state;
    draw_source source = {5};
    int useful = 0;
    r_precision(320);
    for (int i = 0; i < case_count(100); i++) {
        size_t mark = r_mark(), k = 1 + draw_bits(&source) % 6;
        double bound[6], gamma = draw_log_uniform(&source, 0.3, 30), alpha = gamma * draw_log_uniform(&source, 1e-3, 5);
        double linf = 0, scale = gamma * draw_log_uniform(&source, 1e-3, 1);
        real d1 = r_num(0), d2 = r_num(0);
        for (size_t j = 0; j < k; j++) {
            bound[j] = scale * draw_uniform(&source, 0.3, 1);
            linf = fmax(linf, bound[j]);
            d1 = r_plus(d1, bound[j]);
            d2 = r_add(d2, r_square(r_num(bound[j])));
        }
        d2 = r_sqrt(d2);
        double r = alpha < linf ? alpha * alpha : linf * (2 * alpha - linf), norm = r_double(d2);
        double epsilon =
            ((double)k * r + norm * norm) / (2 * gamma * gamma) + norm / gamma * draw_uniform(&source, -0.1, 9);
        if (epsilon < 0) epsilon = 0;
        char text[128];
        snprintf(text, sizeof text, "flipped-huber(alpha=%.17g,gamma=%.17g)", alpha, gamma);
        dpn_sensitivity set = {.dimension = k, .bound = bound};
        double truth = printed_theorem_8(alpha, gamma, epsilon, (double)k, linf, d1, d2);
        dpn_conditioned got = ask("fh-theorem-8", text, &set, epsilon);
        if (got.delta < 1) just_above(got.delta, truth, 1e-9);
        if (truth == 1) assert_true(got.delta == 1);
        useful += got.delta < 1;
        r_release(mark);
    }
    assert_true(useful > case_count(80));
}

/* Outside boxes, where B does not increase: the largest of B over the norms that a move can have. */
static void theorem_8_is_repaired(void **state) {
    (void)state;
    const double alpha = 0.3, gamma = 1, d2 = 0.1, epsilon = 0.035, k = 1; /* one of two answers moves */
    r_precision(320);
    dpn_sensitivity set = {.dimension = 2, .l2 = d2, .max_changed = 1}, cut = {.dimension = 2, .l2 = 0.1, .linf = 0.09};
    double corner = printed_theorem_8(alpha, gamma, epsilon, k, d2, r_num(d2), r_num(d2));
    just_above(ask("fh-theorem-8", "flipped-huber(alpha=0.3,gamma=1)", &set, epsilon).delta, corner, 1e-9);
    double largest = 0, at = 0;
    for (double e = 0.052; e < 0.08; e += 0.01) {
        largest = 0;
        for (double s = 0.1; s > 1e-3; s *= 0.97) {
            size_t mark = r_mark();
            double b = printed_theorem_8(alpha, gamma, e, 2, 0.09, r_num(sqrt(2) * s), r_num(s));
            if (b > largest) {
                largest = b;
                at = s;
            }
            r_release(mark);
        }
        dpn_conditioned got = ask("fh-theorem-8", "flipped-huber(alpha=0.3,gamma=1)", &cut, e);
        if (!(got.delta >= largest * (1 - 1e-12) && got.delta <= largest * 1.001))
            fail_msg("epsilon %g: %.17g not %.17g at %g", e, got.delta, largest, at);
    }
    double there = printed_theorem_8(alpha, gamma, 0.052, 2, 0.09, r_num(sqrt(2) * 0.1), r_num(0.1));
    assert_true(ask("fh-theorem-8", "flipped-huber(alpha=0.3,gamma=1)", &cut, 0.052).delta > 1.05 * there);
}

/* Also where next to all of x2 - x1 is that of Gaussian noise, however small the move. */
static void theorem_8_of_nearly_gaussian_noise(void **state) {
    (void)state;
    const double alphas[] = {1e-3, 1e-9, 1e-30}, moves[] = {1e-2, 1e-6, 1e-12};
    r_precision(320);
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++)
        for (size_t j = 0; j < sizeof moves / sizeof *moves; j++) {
            double d2 = moves[j], r = alphas[i] < d2 ? alphas[i] * alphas[i] : d2 * (2 * alphas[i] - d2);
            double epsilon = 0.5 * d2 + r, largest = 0; /* x1 is 1/2 at the longest move */
            dpn_sensitivity set = {.dimension = 2, .l2 = d2};
            char text[64];
            snprintf(text, sizeof text, "flipped-huber(alpha=%.17g,gamma=1)", alphas[i]);
            for (double s = d2; s > 0.2 * d2; s *= 0.97) {
                size_t mark = r_mark();
                largest = fmax(largest, printed_theorem_8(alphas[i], 1, epsilon, 2, d2, r_num(sqrt(2) * s), r_num(s)));
                r_release(mark);
            }
            double got = ask("fh-theorem-8", text, &set, epsilon).delta;
            if (!(got >= largest * (1 - 1e-12) && got <= largest * 1.001))
                fail_msg("alpha %g, move %g: %.17g not %.17g", alphas[i], d2, got, largest);
        }
}

/* ---- the list, refusals ---- */

static void the_list(void **state) {
    (void)state;
    size_t count = dpn_condition_count();
    assert_true(count >= 8);
    for (size_t i = 0; i < count; i++) {
        const char *sentence = dpn_condition_describe(i);
        assert_non_null(dpn_condition_name(i));
        assert_true(sentence[strlen(sentence) - 1] == '.');
        for (size_t j = 0; j < i; j++) assert_string_not_equal(dpn_condition_name(i), dpn_condition_name(j));
    }
    assert_null(dpn_condition_name(count));
    assert_null(dpn_condition_describe(count));
}

static void refused(dpn_status status, const char *name, const char *text, size_t laws, const dpn_sensitivity *set,
                    double epsilon) {
    dpn_conditioned out = {.delta = -7};
    dpn_error why = {0};
    dpn_law law[2] = {case_law(text), case_law(text)};
    assert_int_equal(dpn_condition_delta(&out, name, workspace, law, laws, set, epsilon, &why), status);
    assert_true(out.delta == -7);
    assert_int_equal(why.status, status);
    assert_true(strlen(why.sentence) > 10);
}

static void refusals(void **state) {
    (void)state;
    dpn_sensitivity two = box(2, 1), nothing = {.dimension = 2}, one = box(1, 1);
    const char *gaussian = "gaussian(sigma=1)", *osgt = "osgt(m=1,sigma=1)", *huber = "flipped-huber(alpha=1,gamma=1)";
    refused(DPN_EPARSE, "fh-theorem-88", huber, 1, &two, 1);
    refused(DPN_EPARSE, "", huber, 1, &two, 1);
    refused(DPN_EUNSUPPORTED, "fh-theorem-8", gaussian, 1, &two, 1);
    refused(DPN_EUNSUPPORTED, "fh-theorem-8", "discrete-flipped-huber(alpha=1,gamma=1)", 1, &two, 1);
    refused(DPN_EUNSUPPORTED, "fh-theorem-8", huber, 2, &two, 1);
    refused(DPN_EUNSUPPORTED, "osgt-theorem-1", osgt, 1, &two, 1);
    refused(DPN_EUNSUPPORTED, "osgt-theorem-2", gaussian, 1, &two, 1);
    refused(DPN_EUNSUPPORTED, "osgt-22", osgt, 1, &two, 1);
    refused(DPN_EUNSUPPORTED, "inid-theorem-4", osgt, 2, &two, 1);
    refused(DPN_EUNSUPPORTED, "inid-laplace", gaussian, 1, &one, 1);
    for (size_t i = 0; i < dpn_condition_count(); i++) {
        refused(DPN_EDOMAIN, dpn_condition_name(i), gaussian, 1, &two, -1);
        refused(DPN_EDOMAIN, dpn_condition_name(i), gaussian, 1, &two, INFINITY);
        refused(DPN_EDOMAIN, dpn_condition_name(i), gaussian, 1, &two, NAN);
    }
    refused(DPN_EDOMAIN, "fh-theorem-8", huber, 1, &nothing, 1);
    refused(DPN_EDOMAIN, "inid-theorem-4", gaussian, 1, &nothing, 1);
    refused(DPN_EDOMAIN, "probabilistic", gaussian, 1, &nothing, 1);
    nothing.linf = NAN;
    refused(DPN_EDOMAIN, "osgt-20", gaussian, 1, &nothing, 1);
}

/* Nothing moves, or nothing can be said. */
static void the_ends(void **state) {
    (void)state;
    static const double zero[2] = {0, 0};
    dpn_sensitivity still = {.dimension = 2, .bound = zero}, wide = box(1000000000, 1);
    const char *huber = "flipped-huber(alpha=1,gamma=1)", *osgt = "osgt(m=1,sigma=1)";
    assert_true(ask("fh-theorem-8", huber, &still, 1).delta == 0);
    assert_true(ask("fh-theorem-9", huber, &still, 1).delta == 0);
    assert_true(ask("fh-theorem-3", huber, &still, 1).delta == 0);
    assert_true(ask("osgt-theorem-2", osgt, &still, 1).delta == 0);
    assert_true(ask("osgt-20", osgt, &still, 1).delta == 0);
    assert_true(ask("inid-theorem-4", "gaussian(sigma=1)", &still, 1).delta == 0);
    assert_true(ask("inid-laplace", "laplace(scale=1)", &still, 1).delta == 0);
    assert_true(ask("probabilistic", osgt, &still, 1).delta == 0);
    assert_true(ask("fh-theorem-8", huber, &wide, 1).delta == 1);
    assert_true(ask("osgt-20", "truncated-laplace(scale=1,bound=10)", &wide, 1).delta == 1);
    assert_true(ask("inid-theorem-4", "gaussian(sigma=1)", &wide, 1).delta == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vector_holds),
        cmocka_unit_test(the_example_of_osgt),
        cmocka_unit_test(laplace_formula),
        cmocka_unit_test(different_noise_on_each_answer),
        cmocka_unit_test(exact_ones),
        cmocka_unit_test(theorem_9),
        cmocka_unit_test(the_order_is_the_best),
        cmocka_unit_test(probabilistic),
        cmocka_unit_test(theorem_8_is_as_printed),
        cmocka_unit_test(theorem_8_is_repaired),
        cmocka_unit_test(theorem_8_of_nearly_gaussian_noise),
        cmocka_unit_test(the_list),
        cmocka_unit_test(refusals),
        cmocka_unit_test(the_ends),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
