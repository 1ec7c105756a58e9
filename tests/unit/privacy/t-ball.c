/* Bounds over l2 balls: never below the truth, which is integrated here from densities, and close to it where that is claimed. */
#include "case.h"

#include "privacy/ball/directions.h"
#include "privacy/renyi/ball.h"

#include <dpnoise/renyi.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_workspace *workspace;

/* ---- one coordinate, by the trapezoid rule ---- */

/* The divergence of a law on the reals against itself moved by d: log of the integral of f^a g^(1-a). */
static double divergence(const dpn_law *law, double d, double order) {
    double wide = 18 * sqrt(dpn_law_variance(law)) + order * d, step = wide / 12000, sum = 0;
    for (int i = -12000; i <= 12000; i++) {
        double x = i * step;
        sum += exp(order * dpn_law_log_pdf(law, x) + (1 - order) * dpn_law_log_pdf(law, x - d));
    }
    return log(sum * step) / (order - 1);
}

/* The largest sum of divergences of n coordinates of which some move by a, and the others share the rest: the optimum of a sum
 * of equal functions has two sizes, or three where the count of one is no whole number. */
static double largest_of_two_sizes(const dpn_law *law, int n, double l2, double order) {
    enum { SIZES = 40 };
    double size[SIZES + 1], value[SIZES + 1], best = 0;
    for (int i = 0; i <= SIZES; i++) {
        size[i] = l2 * i / SIZES;
        value[i] = i ? divergence(law, size[i], order) : 0;
    }
    for (int k = 1; k <= n; k++)
        for (int i = 1; i <= SIZES && k * size[i] * size[i] <= l2 * l2 * (1 + 1e-12); i++) {
            double rest = n > k ? sqrt(fmax(0, l2 * l2 - k * size[i] * size[i]) / (n - k)) : 0;
            int below = (int)(rest / l2 * SIZES);
            best = fmax(best, k * value[i] + (n - k) * value[below]);
        }
    return best;
}

/* n times the concave envelope of s -> D(sqrt s) at l2^2/n, from below: the highest chord of points of a grid. No bound that
 * separates the coordinates is less. */
static double envelope(const dpn_law *law, int n, double l2, double order) {
    enum { SIZES = 40 };
    double square[SIZES + 1] = {0}, value[SIZES + 1] = {0}, at = l2 * l2 / n, best = 0;
    for (int i = 1; i <= SIZES; i++) {
        square[i] = pow(l2 * i / SIZES, 2);
        value[i] = divergence(law, l2 * i / SIZES, order);
    }
    for (int i = 0; i <= SIZES && square[i] <= at; i++)
        for (int j = i + 1; j <= SIZES; j++)
            if (square[j] >= at)
                best = fmax(best, value[i] + (value[j] - value[i]) * (at - square[i]) / (square[j] - square[i]));
    return n * best;
}

static double ball_upper_by(const char *text, double n, double linf, double l2, double order, double close) {
    dpn_law law = case_law(text);
    dpn_norms norms = {.changed = n, .linf = linf, .l1 = INFINITY, .l2 = l2};
    double upper = NAN;
    dpn_error why;
    if (dpn_renyi_ball_upper(&upper, &law, &norms, order, close, &why)) fail_msg("%s: %s", text, why.sentence);
    return upper;
}

static double ball_upper(const char *text, double n, double linf, double l2, double order) {
    return ball_upper_by(text, n, linf, l2, order, 1e-4);
}

/* Neither equal shares nor one coordinate alone is the worst for every order. */
static void divergences_over_a_ball(void **state) {
    (void)state;
    dpn_law law = case_law("flipped-huber(alpha=3,gamma=1)");
    double equal5 = 20 * divergence(&law, sqrt(0.05), 5), alone5 = divergence(&law, 1, 5);
    double equal30 = 20 * divergence(&law, sqrt(0.05), 30), alone30 = divergence(&law, 1, 30);
    assert_true(fabs(equal5 - 10.49) < 0.01 && fabs(alone5 - 2.86) < 0.01);
    assert_true(fabs(equal30 - 13.36) < 0.01 && fabs(alone30 - 14.89) < 0.01);
    double at5 = ball_upper("flipped-huber(alpha=3,gamma=1)", 20, 1, 1, 5);
    double at30 = ball_upper("flipped-huber(alpha=3,gamma=1)", 20, 1, 1, 30);
    assert_true(at5 >= equal5 * (1 - 1e-5) && at5 <= equal5 * 1.001);
    assert_true(at30 > alone30 * 1.1); /* three or so coordinates share it */
    /* One coordinate moved by 0.9 and the others by equal shares of the rest have 17.297626081156 (mpmath, at 20 digits). */
    dpn_sensitivity set = {.dimension = 20, .l2 = 1};
    dpn_divergence ends;
    assert_int_equal(dpn_renyi_sensitivity(&ends, NULL, &law, 1, &set, &(double){30}, 1, NULL), DPN_OK);
    assert_true(ends.lower > 17.2976 && ends.lower < 17.2978 && ends.upper >= at30 * (1 - 1e-12));
    /* Sets that are less than the ball: of a convex D a coordinate has at most its share of D(1); two that go far, and the others hardly. */
    double bound[20] = {0.9, 0.9};
    double few = ball_upper("flipped-huber(alpha=3,gamma=1)", 2, 0.9, 1, 30) + 18 * divergence(&law, 0.01, 30);
    for (int i = 2; i < 20; i++) bound[i] = 0.01;
    set.l1 = 1.1;
    assert_int_equal(dpn_renyi_sensitivity(&ends, NULL, &law, 1, &set, &(double){30}, 1, NULL), DPN_OK);
    assert_true(ends.lower > alone30 * (1 - 1e-6) && ends.lower < 1.1 * alone30 * (1 + 1e-6));
    set = (dpn_sensitivity){.dimension = 20, .l2 = 1, .bound = bound};
    assert_int_equal(dpn_renyi_sensitivity(&ends, NULL, &law, 1, &set, &(double){30}, 1, NULL), DPN_OK);
    assert_true(ends.lower > 0 && ends.lower < few * (1 + 1e-6) && few < 17.2);
    static const struct {
        const char *text;
        int n;
        double order;
    } cases[] = {
        {"flipped-huber(alpha=3,gamma=1)", 20, 30},
        {"osgt(m=1,sigma=1)", 7, 3},
        {"laplace(scale=0.5)", 10, 20},
        {"logistic(scale=0.5)", 12, 4},
        {"subbotin(p=3,scale=1)", 6, 2.5},
        {"huber(alpha=0.4,gamma=0.5)", 9, 6},
        {"subbotin(p=1.3,scale=0.4)", 5, 8},
        {"gaussian(sigma=2)", 50, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        law = case_law(cases[i].text);
        double least = largest_of_two_sizes(&law, cases[i].n, 1, cases[i].order);
        double upper = ball_upper(cases[i].text, cases[i].n, 1, 1, cases[i].order);
        if (!(upper >= least * (1 - 1e-6) && upper <= least * 1.08))
            fail_msg("%s, %d coordinates, order %g: %.10g, some move has %.10g", cases[i].text, cases[i].n,
                     cases[i].order, upper, least);
        double limit = envelope(&law, cases[i].n, 1, cases[i].order);
        if (!(upper >= limit * (1 - 1e-6) && upper <= limit * 1.01))
            fail_msg("%s: %.10g, the envelope has %.10g", cases[i].text, upper, limit);
        dpn_norms norms = {.changed = cases[i].n, .linf = 1, .l1 = INFINITY, .l2 = 1};
        double lower = dpn_renyi_ball_lower(&law, &norms, cases[i].order);
        if (!(lower <= upper && lower >= least * (1 - 1e-3)))
            fail_msg("%s: %.10g at least, some move has %.10g", cases[i].text, lower, least);
        double rough = ball_upper_by(cases[i].text, cases[i].n, 1, 1, cases[i].order, INFINITY); /* few, long chords */
        if (!(rough >= upper * (1 - 1e-9))) fail_msg("%s: %.10g by long chords", cases[i].text, rough);
    }
    /* Gaussian noise has no other worst move: exact but for the chords. */
    double gauss = ball_upper("gaussian(sigma=2)", 50, 1, 1, 7);
    assert_true(gauss >= 7 / 8.0 && gauss <= 7 / 8.0 * 1.002);
}

/* On the integers all moves can be tried: whole d with a sum of squares of at most l2^2. */
static double largest_whole(const double *value, int n, int left, int most) {
    double best = 0;
    for (int d = 1; d <= most && d * d <= left && n > 0; d++)
        best = fmax(best, value[d] + largest_whole(value, n - 1, left - d * d, d));
    return best;
}

static void divergences_over_whole_moves(void **state) {
    (void)state;
    static const char *const texts[] = {"discrete-gaussian(sigma=1.5)", "discrete-laplace(scale=0.7)",
                                        "discrete-flipped-huber(alpha=3,gamma=1)"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (int square = 1; square <= 30; square += 7) {
            double value[8] = {0}, order = 3;
            dpn_law law = case_law(texts[t]);
            for (int d = 1; d < 8; d++) { /* the sum itself */
                double sum = 0;
                for (int x = -400; x <= 400; x++)
                    sum += exp(order * dpn_law_log_pdf(&law, x) + (1 - order) * dpn_law_log_pdf(&law, x - d));
                value[d] = log(sum) / (order - 1);
            }
            double truth = largest_whole(value, 6, square, 7), l2 = sqrt(square) * (1 + 1e-15);
            double upper = ball_upper(texts[t], 6, l2, l2, order);
            if (!(upper >= truth * (1 - 1e-9) && upper <= truth * 1.5))
                fail_msg("%s, %d: %.10g, true %.10g", texts[t], square, upper, truth);
            dpn_norms norms = {.changed = 6, .linf = l2, .l1 = INFINITY, .l2 = l2};
            double lower = dpn_renyi_ball_lower(&law, &norms, order);
            if (!(lower <= truth * (1 + 1e-9) && lower >= truth * 0.7))
                fail_msg("%s, %d: %.10g at least, true %.10g", texts[t], square, lower, truth);
        }
}

/* ---- two coordinates, by a sum over a square ---- */

static double delta_of_two(const dpn_law *law, double a, double b, double epsilon) {
    enum { HALF = 400 };
    double step = 12 * sqrt(dpn_law_variance(law)) / HALF, sum = 0, f[2 * HALF + 1], ga[2 * HALF + 1], gb[2 * HALF + 1];
    for (int i = 0; i <= 2 * HALF; i++) {
        double x = (i - HALF) * step;
        f[i] = exp(dpn_law_log_pdf(law, x));
        ga[i] = exp(epsilon + dpn_law_log_pdf(law, x - a));
        gb[i] = exp(dpn_law_log_pdf(law, x - b));
    }
    for (int i = 0; i <= 2 * HALF; i++)
        for (int j = 0; j <= 2 * HALF; j++) sum += fmax(0, f[i] * f[j] - ga[i] * gb[j]);
    return sum * step * step;
}

static dpn_delta of_set(const char *text, const dpn_sensitivity *set, double epsilon, dpn_argument *argument) {
    dpn_law law = case_law(text);
    dpn_delta delta = {0};
    dpn_error why;
    if (dpn_sensitivity_delta(&delta, argument, workspace, &law, 1, set, epsilon, NULL, &why))
        fail_msg("%s: %s", text, why.sentence);
    return case_ends(delta);
}

static void directions_of_two_coordinates(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double epsilon;
    } cases[] = {{"flipped-huber(alpha=0.5,gamma=2)", 1.5}, {"osgt(m=1,sigma=2)", 0.6}, {"logistic(scale=1)", 0.9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_sensitivity set = {.dimension = 2, .l2 = 1};
        dpn_argument argument;
        dpn_delta delta = of_set(cases[i].text, &set, cases[i].epsilon, &argument);
        dpn_law law = case_law(cases[i].text);
        double most = 0;
        for (int degree = 0; degree <= 45; degree += 5) {
            double angle = degree * 0.017453292519943295;
            most = fmax(most, delta_of_two(&law, cos(angle), sin(angle), cases[i].epsilon));
        }
        assert_string_equal(dpn_argument_name(argument), "directions");
        if (!(delta.upper >= most * (1 - 1e-3) && delta.lower <= most * (1 + 2e-3) &&
              delta.lower >= most * (1 - 5e-3) && delta.upper <= 1.003 * delta.lower))
            fail_msg("%s: %.10g to %.10g, integrated %.10g", cases[i].text, delta.lower, delta.upper, most);
    }
}

/* ---- the search over directions by itself ---- */

/* A support function, which is convex, of points that are all in the cone; its supremum over the ball is the longest. */
static dpn_status of_points(double *lower, double *upper, const double *move, size_t dimension, void *context,
                            dpn_error *why) {
    (void)why;
    const double(*point)[DPN_DIRECTIONS_MOST] = context;
    *lower = -INFINITY;
    for (size_t i = 0; i < 3; i++) {
        double sum = 0;
        for (size_t k = 0; k < dimension; k++) sum += point[i][k] * move[k];
        *lower = fmax(*lower, sum);
    }
    *upper = *lower;
    return DPN_OK;
}

static void the_search_finds_the_longest(void **state) {
    (void)state;
    static const double point[3][DPN_DIRECTIONS_MOST] = {{3, 1, 0.5, 0.1}, {2, 1.9, 1.5, 0.9}, {1.7, 1.65, 1.6, 1.55}};
    for (size_t dimension = 2; dimension <= DPN_DIRECTIONS_MOST; dimension++) {
        double lower, upper, longest = 0;
        for (size_t i = 0; i < 3; i++) {
            double square = 0;
            for (size_t k = 0; k < dimension; k++) square += point[i][k] * point[i][k];
            longest = fmax(longest, sqrt(square));
        }
        for (int looks = 10; looks <= 2000; looks *= 4) {
            assert_int_equal(
                dpn_directions(&lower, &upper, dimension, 2, of_points, (void *)(uintptr_t)point, 2e-3, looks, NULL),
                DPN_OK);
            assert_true(lower <= 2 * longest && upper >= 2 * longest);
        }
        if (!(upper - lower <= (dimension < 4 ? 2e-3 : 3e-2)))
            fail_msg("%zu dimensions: %.10g to %.10g", dimension, lower, upper);
    }
}

/* ---- many coordinates ---- */

/* A composition at a move of the ball, on its own. */
static double delta_at(const char *text, const double *move, size_t n, double epsilon) {
    dpn_part part[32];
    dpn_delta delta = {0};
    dpn_error why;
    dpn_law law = case_law(text);
    size_t parts = 0;
    for (size_t i = 0; i < n; i++) {
        if (parts > 0 && move[i] == move[i - 1]) {
            part[parts - 1].times++;
            continue;
        }
        part[parts].times = 1;
        assert_int_equal(dpn_loss_law(&part[parts++].loss, &law, move[i], NULL), DPN_OK);
    }
    if (dpn_compose_delta(&delta, workspace, part, parts, epsilon,
                          &(dpn_accounting_options){.size = sizeof(dpn_accounting_options), .accuracy = 1e-2}, &why))
        fail_msg("%s: %s", text, why.sentence);
    return delta.lower;
}

/* k coordinates share the norm: no such move exceeds the bound, which names what it rests on. */
static void no_move_exceeds_the_bound(void **state) {
    (void)state;
    static const struct {
        const char *text, *argument;
        double epsilon;
    } cases[] = {
        {"osgt(m=1,sigma=5)", "renyi", 1},
        {"flipped-huber(alpha=3,gamma=1)", "renyi", 15},
        {"flipped-huber(alpha=0.01,gamma=5)", "theorem-8", 1},
        {"laplace(scale=4)", "renyi", 1},
        {"logistic(scale=2.5)", "renyi", 1},
        {"laplace(scale=0.5)", "bound", 8.95},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_sensitivity set = {.dimension = 20, .l2 = 1};
        dpn_argument argument;
        dpn_delta delta = of_set(cases[i].text, &set, cases[i].epsilon, &argument);
        assert_string_equal(dpn_argument_name(argument), cases[i].argument);
        double most = 0;
        for (size_t k = 1; k <= 20; k += k < 4 ? 1 : 4) {
            double move[20];
            for (size_t j = 0; j < k; j++) move[j] = (1 - 1e-12) / sqrt((double)k);
            most = fmax(most, delta_at(cases[i].text, move, k, cases[i].epsilon));
        }
        if (!(most <= delta.upper && delta.lower <= delta.upper))
            fail_msg("%s: a move has %.10g, the bound is %.10g", cases[i].text, most, delta.upper);
    }
}

/* epsilon for delta and delta for epsilon agree; a set of twice the coordinates of which half move is no worse. */
static void epsilon_over_a_ball(void **state) {
    (void)state;
    static const char *const texts[] = {"osgt(m=1,sigma=5)", "flipped-huber(alpha=1,gamma=5)",
                                        "flipped-huber(alpha=0.01,gamma=5)", "laplace(scale=4)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dpn_law law = case_law(texts[i]);
        dpn_sensitivity set = {.dimension = 20, .l2 = 1}, half = {.dimension = 40, .l2 = 1, .max_changed = 20};
        dpn_epsilon epsilon, other;
        assert_int_equal(dpn_sensitivity_epsilon(&epsilon, NULL, workspace, &law, 1, &set, 1e-6, NULL, NULL), DPN_OK);
        assert_int_equal(dpn_sensitivity_epsilon(&other, NULL, workspace, &law, 1, &half, 1e-6, NULL, NULL), DPN_OK);
        dpn_delta delta = of_set(texts[i], &set, epsilon.upper, NULL);
        if (!(delta.upper <= 1e-6 * (1 + 2e-2) && delta.upper > 0.9e-6 && epsilon.lower <= epsilon.upper))
            fail_msg("%s: epsilon %.10g, delta there %.10g", texts[i], epsilon.upper, delta.upper);
        assert_true(fabs(other.upper / epsilon.upper - 1) < 1e-9);
    }
}

/* For few coordinates the search over directions ends close to the delta that is asked for: there a little less epsilon would not do. */
static void epsilon_by_directions(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t dimension;
        double delta;
    } cases[] = {{"logistic(scale=1)", 2, 0.05}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_sensitivity set = {.dimension = cases[i].dimension, .l2 = 1};
        dpn_law law = case_law(cases[i].text);
        dpn_epsilon epsilon;
        dpn_argument argument;
        assert_int_equal(
            dpn_sensitivity_epsilon(&epsilon, &argument, workspace, &law, 1, &set, cases[i].delta, NULL, NULL), DPN_OK);
        assert_string_equal(dpn_argument_name(argument), "directions");
        dpn_delta there = of_set(cases[i].text, &set, epsilon.upper, NULL);
        dpn_delta before = of_set(cases[i].text, &set, epsilon.upper * (1 - 2e-3), NULL);
        if (!(there.lower <= cases[i].delta && before.upper > cases[i].delta && epsilon.lower <= epsilon.upper))
            fail_msg("%s: epsilon %.10g for %g, where delta is %.10g, and just before %.10g", cases[i].text,
                     epsilon.upper, cases[i].delta, there.upper, before.upper);
    }
}

/* Members that are Gaussian noise have its profile, whatever their family. */
static void members_that_are_gaussian(void **state) {
    (void)state;
    static const char *const texts[] = {"osgt(m=0,sigma=4)", "flipped-huber(alpha=0,gamma=4)", "subbotin(p=2,scale=4)"};
    dpn_sensitivity set = {.dimension = 20, .l2 = 1};
    dpn_argument argument;
    dpn_delta truth = of_set("gaussian(sigma=4)", &set, 1, &argument);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dpn_delta delta = of_set(texts[i], &set, 1, &argument);
        assert_string_equal(dpn_argument_name(argument), "l2-Gaussian");
        assert_true(fabs(delta.upper / truth.upper - 1) < 1e-8);
    }
}

/* A whole move of l2 norm 1 changes one coordinate: exact. Of norm 2, one by 2 or four by 1. */
static void whole_moves_of_a_ball(void **state) {
    (void)state;
    dpn_sensitivity one = {.dimension = 20, .l2 = 1}, two = {.dimension = 20, .l2 = 2};
    dpn_argument argument;
    const double step[] = {1, 1, 1, 1}, far[] = {2};
    dpn_delta delta = of_set("discrete-gaussian(sigma=4)", &one, 1, &argument);
    assert_string_equal(dpn_argument_name(argument), "corner");
    assert_true(fabs(delta.upper / delta_at("discrete-gaussian(sigma=4)", step, 1, 1) - 1) < 1e-4);
    one.l2 = 1.5; /* two by 1 */
    delta = of_set("discrete-gaussian(sigma=4)", &one, 1, &argument);
    assert_true(fabs(delta.upper / delta_at("discrete-gaussian(sigma=4)", step, 2, 1) - 1) < 1e-2);
    delta = of_set("discrete-gaussian(sigma=4)", &two, 1, &argument);
    assert_true(delta.upper >= delta_at("discrete-gaussian(sigma=4)", step, 4, 1));
    assert_true(delta.upper >= delta_at("discrete-gaussian(sigma=4)", far, 1, 1));
}

static int open_workspace(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) ? 1 : 0;
}

static int close_workspace(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    return 0;
}

/* On the integers a coordinate moves by whole steps: norms between two of them say the same as the lesser, and less than 1 is nothing. */
static void integers_move_by_whole_steps(void **state) {
    (void)state;
    static const char *const laws[] = {"discrete-gaussian(sigma=2)", "discrete-laplace(scale=3)",
                                       "discrete-osgt(m=2,sigma=3)"};
    for (int i = 0; i < 3; i++)
        for (double order = 1.5; order < 50; order *= 3) {
            for (double l2 = 1.25; l2 < 4; l2 += 0.5) {
                double whole = ball_upper(laws[i], 4, floor(l2), l2, order);
                assert_true(ball_upper(laws[i], 4, l2, l2, order) == whole);
                assert_true(ball_upper(laws[i], 4, fmin(floor(l2) + 0.9, l2), l2, order) == whole);
            }
            assert_true(ball_upper(laws[i], 4, 0.9, 2, order) == 0 && ball_upper(laws[i], 4, 1, 0.9, order) == 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divergences_over_a_ball),       cmocka_unit_test(divergences_over_whole_moves),
        cmocka_unit_test(directions_of_two_coordinates), cmocka_unit_test(the_search_finds_the_longest),
        cmocka_unit_test(no_move_exceeds_the_bound),     cmocka_unit_test(epsilon_over_a_ball),
        cmocka_unit_test(epsilon_by_directions),         cmocka_unit_test(members_that_are_gaussian),
        cmocka_unit_test(whole_moves_of_a_ball),         cmocka_unit_test(integers_move_by_whole_steps),
    };
    return cmocka_run_group_tests(tests, open_workspace, close_workspace);
}
