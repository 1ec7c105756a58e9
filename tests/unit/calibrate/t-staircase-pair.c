/* Staircases that end, two of them mixed: errors, deltas and compositions against sums over all cells by the definition, and the plan against all pairs of ends. */
#include <dpnoise/calibrate.h>
#include <dpnoise/plan.h>

#include "calibrate/noise/kind.h"
#include "calibrate/stairs-pair.h"
#include "reference/draw.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include <string.h>

/* ---- by the definition ---- */

/* P(k) for |k| < room of noise with shells of D points and the end E, added to p with a share. On the line points are the middles of cells, without one at 0. */
static void add_staircase(long double *p, int room, int d, int end, double epsilon, double share, bool line) {
    int first = line ? (end - 1) % d + 1 : end % d;
    long double total = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = line ? 1 : 0; k <= end; k++) {
            int level = k <= first ? 0 : (k - first + d - 1) / d;
            long double weight = expl(-(long double)epsilon * level);
            if (pass == 0) {
                total += (k > 0 ? 2 : 1) * weight;
            } else {
                p[room + k] += share * weight / total;
                if (k > 0) p[room - k] += share * weight / total;
            }
        }
}

/* sum of (p(k) - e^epsilon p(k + shift))_+, to some 1e-19; on the line index 0 stands for nothing and is left out of the count. */
static long double delta_by_sum(const long double *p, int room, int shift, double epsilon, bool line) {
    long double sum = 0, factor = expl(epsilon);
    for (int k = -room; k <= room; k++) {
        if (line && k == 0) continue;
        int to = k + shift;
        if (line && k < 0 && to >= 0) to++; /* there is no cell 0 */
        long double there = to >= -room && to <= room ? p[room + to] : 0;
        sum += fmaxl(0, p[room + k] - factor * there);
    }
    return sum;
}

static long double moment_by_sum(const long double *p, int room, dpn_objective objective) {
    long double sum = 0;
    for (int k = -room; k <= room; k++)
        sum += p[room + k] * (objective == DPN_OBJECTIVE_MSE ? (long double)k * k : abs(k));
    return sum;
}

/* The same on the line, where cell k > 0 is (k - 1, k)/4096. */
static long double moment_on_line(const long double *p, int room, dpn_objective objective) {
    long double sum = 0;
    for (int k = 1; k <= room; k++) {
        long double a = (k - 1) / 4096.0L, b = k / 4096.0L;
        sum += 2 * p[room + k] * (objective == DPN_OBJECTIVE_MSE ? (a * a + a * b + b * b) / 3 : (a + b) / 2);
    }
    return sum;
}

static dpn_plan plan_of_several(const char *noise, double sensitivity, size_t count) {
    char text[512];
    dpn_plan plan;
    dpn_error why;
    snprintf(text, sizeof text, "[{\"coordinates\": \"0-%zu\", \"noise\": \"%s\", \"sensitivities\": %.17g}]",
             count - 1, noise, sensitivity);
    if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s: %s", noise, why.sentence);
    return plan;
}

static dpn_plan plan_of_text(const char *noise, double sensitivity) {
    return plan_of_several(noise, sensitivity, 1);
}

static double delta_of(const dpn_plan *plan, double sensitivity, uint64_t times, double epsilon, double *lower) {
    dpn_sensitivity set = {.dimension = 1, .linf = sensitivity};
    dpn_delta delta;
    dpn_error why;
    if (dpn_plan_delta(&delta, NULL, NULL, plan, &set, times, epsilon, NULL, &why)) fail_msg("%s", why.sentence);
    *lower = delta.lower;
    return delta.upper;
}

/* ---- on the integers ---- */

static void integers(void **state) {
    (void)state;
    enum { ROOM = 400 };
    draw_source source = {41};
    int trials = points(300, 3000);
    for (int i = 0; i < trials; i++) {
        int d = 1 + (int)(draw_bits(&source) % 9), low = (int)(draw_bits(&source) % 60),
            high = low + 1 + (int)(draw_bits(&source) % 60);
        double epsilon = draw_log_uniform(&source, 0.02, 5), theta = draw_uniform(&source, 0.001, 1);
        char noise[200];
        snprintf(noise, sizeof noise, "discrete-staircase(epsilon=%.17g,step=%d,low=%d,high=%d,theta=%.17g)", epsilon,
                 d, low, high, theta);
        long double *p = calloc(2 * ROOM + 1, sizeof *p);
        assert_non_null(p);
        add_staircase(p, ROOM, d, low, epsilon, 1 - theta, false);
        add_staircase(p, ROOM, d, high, epsilon, theta, false);
        dpn_plan plan = plan_of_text(noise, d);
        assert_true(plan.integer && plan.bounded && plan.sub_gaussian);
        for (int objective = 0; objective < 2; objective++) {
            double error = dpn_plan_error(&plan, &plan.block[0], 0, (dpn_objective)objective);
            double known = (double)moment_by_sum(p, ROOM, (dpn_objective)objective);
            if (!(fabs(error - known) <= 1e-12 * known)) fail_msg("%s: error %g, not %g", noise, error, known);
        }
        double width = dpn_plan_error(&plan, &plan.block[0], 0, DPN_OBJECTIVE_INTERVAL95), tail = 0;
        for (int k = ROOM; k > (int)width; k--) tail += (double)p[ROOM + k];
        assert_true(tail <= 0.025 + 1e-12);
        assert_true(width == 0 || tail + (double)p[ROOM + (int)width] > 0.025 - 1e-12);
        for (int j = 0; j < 4; j++) {
            double at = j == 0 ? epsilon : draw_uniform(&source, -1, 2.5) * epsilon, lower, upper;
            double known = (double)delta_by_sum(p, ROOM, d, at, false);
            upper = delta_of(&plan, d, 1, at, &lower);
            if (!(lower <= known * (1 + 1e-13) + 1e-18 && known <= upper * (1 + 1e-13) + 1e-18 &&
                  upper <= known * (1 + 2e-5) + 1e-12))
                fail_msg("%s at %.17g: [%.17g, %.17g] misses %.17g", noise, at, lower, upper, known);
            if (!(lower >= known * (1 - 1e-9) - 1e-13))
                fail_msg("%s at %g: %g is far below %g", noise, at, lower, known);
            /* smaller shifts lose less */
            int less = 1 + (int)(draw_bits(&source) % (unsigned)d);
            assert_true((double)delta_by_sum(p, ROOM, less, at, false) <= upper * (1 + 1e-13) + 1e-18);
        }
        dpn_plan_free(&plan);
        free(p);
    }
}

/* ---- on the line ---- */

static void line(void **state) {
    (void)state;
    enum { ROOM = 30000 };
    draw_source source = {43};
    int trials = points(30, 300);
    long double *p = malloc((2 * ROOM + 1) * sizeof *p);
    assert_non_null(p);
    for (int i = 0; i < trials; i++) {
        int low = 1 + (int)(draw_bits(&source) % 12000), high = low + 1 + (int)(draw_bits(&source) % 12000);
        double epsilon = draw_log_uniform(&source, 0.1, 5), theta = draw_uniform(&source, 0.001, 1), side = 2.5;
        char noise[200];
        snprintf(noise, sizeof noise, "truncated-staircase(epsilon=%.17g,low=%.17g,high=%.17g,theta=%.17g)", epsilon,
                 low / 4096.0, high / 4096.0, theta);
        memset(p, 0, (2 * ROOM + 1) * sizeof *p);
        add_staircase(p, ROOM, 4096, low, epsilon, 1 - theta, true);
        add_staircase(p, ROOM, 4096, high, epsilon, theta, true);
        dpn_plan plan = plan_of_text(noise, side);
        assert_true(!plan.integer && plan.bounded);
        for (int objective = 0; objective < 2; objective++) {
            double error = dpn_plan_error(&plan, &plan.block[0], 0, (dpn_objective)objective);
            double known = (double)moment_on_line(p, ROOM, (dpn_objective)objective) * (objective ? side : side * side);
            if (!(fabs(error / known - 1) <= 1e-11)) fail_msg("%s: error %g, not %g", noise, error, known);
        }
        double width = dpn_plan_error(&plan, &plan.block[0], 0, DPN_OBJECTIVE_INTERVAL95) / side * 4096, tail = 0;
        for (int k = ROOM; k > (int)width + 1; k--) tail += (double)p[ROOM + k];
        tail += (double)p[ROOM + (int)width + 1] * ((int)width + 1 - width);
        assert_true(fabs(tail - 0.025) < 1e-9);
        for (int j = 0; j < 3; j++) {
            double at = j == 0 ? epsilon : draw_uniform(&source, -1, 2.5) * epsilon, lower, upper;
            double known = (double)delta_by_sum(p, ROOM, 4096, at, true);
            upper = delta_of(&plan, side, 1, at, &lower);
            if (!(lower <= known * (1 + 1e-13) + 1e-18 && known <= upper * (1 + 1e-13) + 1e-18 &&
                  upper <= known * (1 + 2e-5) + 1e-12))
                fail_msg("%s at %.17g: [%.17g, %.17g] misses %.17g", noise, at, lower, upper, known);
            if (!(lower >= known * (1 - 1e-9) - 1e-13))
                fail_msg("%s at %g: %g is far below %g", noise, at, lower, known);
        }
        dpn_plan_free(&plan);
    }
    free(p);
}

/* ---- compositions ---- */

/* A loss that rounds to epsilon, or to 0, is above it all the same: the narrow staircase gives the data away with its whole share. */
static void shares_that_rounding_hides(void **state) {
    (void)state;
    enum { ROOM = 200 };
    static const struct {
        double epsilon;
        int step, low, high;
    } row[] = {{3, 2, 3, 119}, {8, 2, 3, 79}, {3, 4, 5, 149}, {5, 4, 4, 120}, {2, 3, 5, 188}, {3, 2, 1, 119}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int bits = 50; bits <= 53; bits++) {
            double theta = 1 - ldexp(1, -bits), lower;
            char noise[200];
            snprintf(noise, sizeof noise, "discrete-staircase(epsilon=%.17g,step=%d,low=%d,high=%d,theta=%.17g)",
                     row[i].epsilon, row[i].step, row[i].low, row[i].high, theta);
            long double p[2 * ROOM + 1] = {0}, q[2 * ROOM + 1] = {0}, known = 0;
            add_staircase(p, ROOM, row[i].step, row[i].high, row[i].epsilon, theta, false);
            add_staircase(q, ROOM, row[i].step, row[i].low, row[i].epsilon, 1 - theta, false);
            /* where the narrow one has ended: p(k) - e^epsilon p(k + step) = q(k), for the wide one falls by a level */
            for (int k = 0; k <= row[i].low; k++)
                if (k + row[i].step > row[i].low) known += q[ROOM + k];
            dpn_plan plan = plan_of_text(noise, row[i].step);
            double upper = delta_of(&plan, row[i].step, 1, row[i].epsilon, &lower);
            if (!(lower <= (double)known * (1 + 1e-9) + 1e-25 && (double)known <= upper &&
                  upper <= (double)known + 1e-13))
                fail_msg("%s: [%.12g, %.12g] misses %.12g", noise, lower, upper, (double)known);
            dpn_plan_free(&plan);
        }
}

/* What a plan of several coordinates says of a box of which at most `most` move, 0: all may. */
static dpn_delta delta_of_several(const dpn_plan *plan, size_t most, double epsilon) {
    dpn_sensitivity set = {.dimension = plan->dimension, .bound = plan->sensitivity, .max_changed = most};
    dpn_delta delta;
    dpn_error why;
    if (dpn_plan_delta(&delta, NULL, NULL, plan, &set, 1, epsilon, NULL, &why)) fail_msg("%s", why.sentence);
    return delta;
}

/* Two releases of one answer, and one of two: every pair of outputs. Of two answers of which one moves it is as of one. */
static void two_releases(void **state) {
    (void)state;
    enum { ROOM = 40 };
    draw_source source = {47};
    for (int i = 0; i < 20; i++) {
        int d = 2 + (int)(draw_bits(&source) % 4), low = 3 + (int)(draw_bits(&source) % 10),
            high = low + 1 + (int)(draw_bits(&source) % 8);
        double epsilon = draw_uniform(&source, 0.2, 2), theta = draw_uniform(&source, 0.1, 1), at = 1.3 * epsilon;
        char noise[200];
        snprintf(noise, sizeof noise, "discrete-staircase(epsilon=%.17g,step=%d,low=%d,high=%d,theta=%.17g)", epsilon,
                 d, low, high, theta);
        long double p[2 * ROOM + 1] = {0}, known = 0;
        add_staircase(p, ROOM, d, low, epsilon, 1 - theta, false);
        add_staircase(p, ROOM, d, high, epsilon, theta, false);
        for (int a = -ROOM; a <= ROOM; a++)
            for (int b = -ROOM; b <= ROOM; b++) {
                long double here = p[ROOM + a] * p[ROOM + b];
                long double there = a + d > ROOM || b + d > ROOM ? 0 : p[ROOM + a + d] * p[ROOM + b + d];
                known += fmaxl(0, here - expl(at) * there);
            }
        dpn_plan plan = plan_of_text(noise, d);
        double lower, upper = delta_of(&plan, d, 2, at, &lower);
        if (!(lower <= (double)known && (double)known <= upper && upper <= (double)known * (1 + 1e-4)))
            fail_msg("%s twice at %g: [%.12g, %.12g] misses %.12g", noise, at, lower, upper, (double)known);
        dpn_plan both = plan_of_several(noise, d, 2);
        dpn_delta delta = delta_of_several(&both, 0, at), one = delta_of_several(&both, 1, at);
        double alone = (double)delta_by_sum(p, ROOM, d, at, false);
        if (!(delta.lower <= (double)known && (double)known <= delta.upper &&
              delta.upper <= (double)known * (1 + 1e-4)))
            fail_msg("%s on two at %g: [%.12g, %.12g] misses %.12g", noise, at, delta.lower, delta.upper,
                     (double)known);
        if (!(alone <= one.upper * (1 + 1e-13) && one.upper <= alone * (1 + 1e-4)))
            fail_msg("%s on one of two at %g: %.12g, not %.12g", noise, at, one.upper, alone);
        dpn_plan_free(&both);
        dpn_plan_free(&plan);
    }
}

/* Staircases without an end lose epsilon for each coordinate that moves: by their profile, and by zCDP, which is no less than the
 * divergence of order 1, that of randomised response, for each. */
static void several_without_an_end(void **state) {
    (void)state;
    const double epsilon = 0.75;
    for (size_t count = 1; count <= 4; count++) {
        dpn_plan plan = plan_of_several("discrete-staircase(epsilon=0.75,step=3,start=1)", 3, count);
        double all = epsilon * (double)count, least = (double)count * epsilon * tanh(epsilon / 2);
        assert_true(delta_of_several(&plan, 0, all).upper == 0 && delta_of_several(&plan, 0, 0.99 * all).upper > 0);
        dpn_sensitivity set = {.dimension = count, .bound = plan.sensitivity};
        dpn_zcdp zcdp;
        assert_int_equal(dpn_plan_zcdp(&zcdp, &plan, &set, 1, NULL), DPN_OK);
        if (!(zcdp.xi + zcdp.rho >= least)) fail_msg("%zu coordinates: %g + %g", count, zcdp.xi, zcdp.rho);
        dpn_plan_free(&plan);
    }
}

/* No more coordinates move than the block has, though three of the set may: two have a staircase, the others stand still. */
static void a_block_moves_no_more_than_it_has(void **state) {
    (void)state;
    const char text[] = "[{\"coordinates\": \"0-1\", \"noise\": \"discrete-staircase(epsilon=0.75,step=3,start=1)\", "
                        "\"sensitivities\": 3}, {\"coordinates\": \"2-3\", \"noise\": \"none\"}]";
    dpn_plan plan;
    dpn_error why;
    if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s", why.sentence);
    assert_true(delta_of_several(&plan, 3, 1.5).upper == 0 && delta_of_several(&plan, 1, 0.75).upper == 0);
    assert_true(delta_of_several(&plan, 3, 1.49).upper > 0 && delta_of_several(&plan, 1, 0.74).upper > 0);
    dpn_plan_free(&plan);
}

/* ---- plans ---- */

static dpn_plan calibrated(const char *family, double epsilon, double delta, double sensitivity,
                           dpn_objective objective) {
    dpn_sensitivity set = {.dimension = 1, .linf = sensitivity};
    dpn_calibration_options options = {.size = sizeof options, .objective = objective};
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, family, epsilon, delta, &set, &options, &why))
        fail_msg("%s at %g, %g: %s", family, epsilon, delta, why.sentence);
    return plan;
}

/* The least error of all mixtures of two ends, each by the definition. */
static double best_of_all(int d, double epsilon, double delta, dpn_objective objective) {
    enum { ROOM = 900 };
    static double delta_of_end[ROOM], error_of_end[ROOM];
    static long double p[2 * ROOM + 1];
    int ends = 0;
    for (int few = 0; ends < ROOM - 1 && few < 3 * d; ends++) {
        memset(p, 0, sizeof p);
        add_staircase(p, ROOM, d, ends, epsilon, 1, false);
        delta_of_end[ends] = (double)delta_by_sum(p, ROOM, d, epsilon, false);
        error_of_end[ends] = (double)moment_by_sum(p, ROOM, objective);
        few += delta_of_end[ends] <= delta;
    }
    double least = INFINITY;
    for (int a = 0; a < ends; a++)
        for (int b = 0; b < ends; b++) {
            if (!(delta_of_end[a] > delta && delta_of_end[b] <= delta)) continue;
            double theta = (delta_of_end[a] - delta) / (delta_of_end[a] - delta_of_end[b]);
            least = fmin(least, theta * error_of_end[b] + (1 - theta) * error_of_end[a]);
        }
    return least;
}

static void plans_are_the_best_pairs(void **state) {
    (void)state;
    draw_source source = {53};
    int trials = points(20, 200);
    for (int i = 0; i < trials; i++) {
        int d = 2 + (int)(draw_bits(&source) % 7);
        double epsilon = draw_log_uniform(&source, 0.2, 5), delta = draw_log_uniform(&source, 1e-7, 0.1);
        dpn_objective objective = i % 3 == 0 ? DPN_OBJECTIVE_MAE : DPN_OBJECTIVE_MSE;
        dpn_plan plan = calibrated("discrete-staircase", epsilon, delta, d, objective);
        double known = best_of_all(d, epsilon, delta, objective);
        assert_true(plan.delta.upper <= delta && plan.delta.lower >= delta * (1 - 1e-6));
        if (!(fabs(plan.error / known - 1) < 1e-7))
            fail_msg("step %d, (%g, %g): %.12g, not %.12g", d, epsilon, delta, plan.error, known);
        dpn_plan_free(&plan);
    }
}

/* Sums of the definition in another language, and what the linear program over all noise has (docs/limit.md). */
/* Where hardly anything loses less than epsilon. */
static void large_epsilons(void **state) {
    (void)state;
    for (double epsilon = 25; epsilon <= 100; epsilon += 15) {
        static const char *const family[] = {"truncated-staircase", "discrete-staircase"};
        for (int i = 0; i < 2; i++) {
            dpn_plan plan = calibrated(family[i], epsilon, 1e-10, 5, DPN_OBJECTIVE_MSE);
            assert_true(plan.delta.upper <= 1e-10 && plan.delta.lower <= plan.delta.upper);
            dpn_plan_free(&plan);
        }
    }
}

static void known_values(void **state) {
    (void)state;
    static const struct {
        double sensitivity, epsilon, delta, variance;
    } row[] = {{2, 1, 0.01, 6.399639128960968},  {3, 3, 0.01, 1.3407874813172034}, {8, 0.3, 0.01, 835.8607932207676},
               {5, 5, 1e-6, 0.7226417466415516}, {8, 1, 1e-6, 122.68672992970372}, {2, 3, 1e-6, 0.5277505784999474}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_plan plan =
            calibrated("discrete-staircase", row[i].epsilon, row[i].delta, row[i].sensitivity, DPN_OBJECTIVE_MSE);
        if (!(fabs(plan.mse / row[i].variance - 1) < 1e-9)) fail_msg("row %zu: %.12g", i, plan.mse);
        dpn_plan_free(&plan);
    }
}

/* With delta 0 the staircase goes on: of all first levels the best, by a sum so long that what is left out is nothing. */
static void without_an_end(void **state) {
    (void)state;
    for (int d = 2; d <= 8; d += 3)
        for (double epsilon = 0.4; epsilon < 100; epsilon *= 2.3) {
            dpn_plan plan = calibrated("discrete-staircase", epsilon, 0, d, DPN_OBJECTIVE_MSE);
            double least = INFINITY;
            for (int c = 0; c < d; c++) {
                long double sum = 0, total = 0;
                for (int k = 0; k < 200 * d; k++) {
                    int level = k <= c ? 0 : (k - c + d - 1) / d;
                    long double weight = (k > 0 ? 2 : 1) * expl(-(long double)epsilon * level);
                    total += weight;
                    sum += weight * k * k;
                }
                least = fmin(least, (double)(sum / total));
            }
            assert_true(plan.pure && plan.delta.upper == 0 && plan.pure_epsilon == epsilon && !plan.bounded &&
                        plan.integer);
            if (!(fabs(plan.mse / least - 1) < 1e-11))
                fail_msg("step %d, %g: %.12g, not %.12g", d, epsilon, plan.mse, least);
            dpn_plan_free(&plan);
        }
}

/* On the line the ends are as fine as 1/4096: no mixture of ends that are 1/1024 apart is better. */
static void on_the_line(void **state) {
    (void)state;
    static const struct {
        double epsilon, delta, at_most;
    } row[] = {{1, 0.01, 1.5905}, {3, 0.01, 0.1477}, {0.3, 0.01, 13.065}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_plan plan = calibrated("truncated-staircase", row[i].epsilon, row[i].delta, 1, DPN_OBJECTIVE_MSE);
        if (!(plan.mse < row[i].at_most)) fail_msg("(%g, %g): %g", row[i].epsilon, row[i].delta, plan.mse);
        dpn_plan wide = calibrated("truncated-staircase", row[i].epsilon, row[i].delta, 3, DPN_OBJECTIVE_MSE);
        assert_true(fabs(wide.mse / 9 / plan.mse - 1) < 1e-9);
        dpn_plan_free(&wide);
        dpn_plan_free(&plan);
    }
}

/* One of many counts moves. */
static void one_of_many(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 5, .linf = 3, .max_changed = 1};
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, "discrete-staircase", 1, 0.01, &set, NULL, &why)) fail_msg("%s", why.sentence);
    assert_true(plan.blocks == 1 && plan.block[0].count == 5 && plan.delta.upper <= 0.01 && plan.delta.lower > 0.0099);
    assert_true(fabs(plan.mse / (5 * 14.313339364345905) - 1) < 1e-9);
    dpn_plan_free(&plan);
    set.max_changed = 2;
    assert_int_equal(dpn_calibrate(&plan, "discrete-staircase", 1, 0.01, &set, NULL, &why), DPN_EUNSUPPORTED);
    const double different[] = {2, 3};
    dpn_sensitivity two = {.dimension = 2, .bound = different, .max_changed = 1};
    assert_int_equal(dpn_calibrate(&plan, "discrete-staircase", 1, 0.01, &two, NULL, &why), DPN_EUNSUPPORTED);
}

static void refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"discrete-staircase(epsilon=1,step=3,start=3)",
                                        "discrete-staircase(epsilon=1,step=3,start=0.5)",
                                        "discrete-staircase(epsilon=1,step=0,start=0)",
                                        "discrete-staircase(epsilon=1,step=2.5,low=1,high=2,theta=1)",
                                        "discrete-staircase(epsilon=0,step=3,low=1,high=2,theta=1)",
                                        "discrete-staircase(epsilon=1,step=3,low=2,high=2,theta=1)",
                                        "discrete-staircase(epsilon=1,step=3,low=2,high=3,theta=0)",
                                        "discrete-staircase(epsilon=1,step=3,low=2,high=3,theta=1.5)",
                                        "discrete-staircase(epsilon=1,step=1,low=2,high=900,theta=0.5)",
                                        "truncated-staircase(epsilon=1,low=0,high=3,theta=0.5)",
                                        "truncated-staircase(epsilon=1,low=0.1,high=3,theta=0.5)"},
                             *const unread[] = {"truncated-staircase(epsilon=1,low=1,high=3)",
                                                "truncated-staircase(epsilon=1,high=3,low=1,theta=1)",
                                                "truncated-staircase(epsilon=1,low=1,high=3,theta=1) ",
                                                "truncated-staircase(epsilon=1,low=1,high=3,theta=one)",
                                                "discrete-staircase(epsilon=1,start=1)",
                                                "discrete-staircase(epsilon=1,step=3,low=2,high=inf,theta=0.5)"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dpn_block block = {0};
        if (dpn_noise_parse(&block, wrong[i], NULL) != DPN_EDOMAIN) fail_msg("%s is read", wrong[i]);
    }
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
        dpn_block block = {0};
        if (dpn_noise_parse(&block, unread[i], NULL) != DPN_EPARSE) fail_msg("%s is read", unread[i]);
    }
    /* a set that moves further than the step */
    dpn_plan plan = plan_of_text("discrete-staircase(epsilon=1,step=3,low=5,high=9,theta=0.5)", 3);
    dpn_sensitivity set = {.dimension = 1, .linf = 4};
    dpn_delta delta;
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &set, 1, 1, NULL, NULL), DPN_EDOMAIN);
    dpn_plan_free(&plan);
    plan = plan_of_text("discrete-staircase(epsilon=1,step=3,low=5,high=9,theta=0.5)", 4);
    assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, &plan, &set, 1, 1, NULL, NULL), DPN_EDOMAIN);
    dpn_plan_free(&plan);
    dpn_sensitivity one = {.dimension = 1, .linf = 1}, three = {.dimension = 1, .linf = 3};
    assert_int_equal(dpn_calibrate(&plan, "discrete-staircase", 1, 0.01, &one, NULL, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_calibrate(&plan, "truncated-staircase", 1, 0, &three, NULL, NULL), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_calibrate(&plan, "discrete-staircase", 1e-6, 0.01, &three, NULL, NULL), DPN_EUNSUPPORTED);
    /* Both ends of the range of epsilon belong to it. */
    static const double end[] = {1e-4, 100}, outside[] = {0.99e-4, 100.1};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dpn_calibrate(&plan, "discrete-staircase", end[i], 0.01, &three, NULL, NULL), DPN_OK);
        dpn_plan_free(&plan);
        assert_int_equal(dpn_calibrate(&plan, "discrete-staircase", outside[i], 0.01, &three, NULL, NULL),
                         DPN_EUNSUPPORTED);
    }
    /* Either end of a range of shapes alone is refused. */
    dpn_calibration_options least = {.size = sizeof least, .shape_min = 0.5},
                            most = {.size = sizeof most, .shape_max = 2};
    assert_int_equal(dpn_calibrate(&plan, "discrete-staircase", 1, 0.01, &three, &least, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_calibrate(&plan, "discrete-staircase", 1, 0.01, &three, &most, NULL), DPN_EDOMAIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(integers),
                                       cmocka_unit_test(line),
                                       cmocka_unit_test(shares_that_rounding_hides),
                                       cmocka_unit_test(large_epsilons),
                                       cmocka_unit_test(two_releases),
                                       cmocka_unit_test(several_without_an_end),
                                       cmocka_unit_test(a_block_moves_no_more_than_it_has),
                                       cmocka_unit_test(plans_are_the_best_pairs),
                                       cmocka_unit_test(known_values),
                                       cmocka_unit_test(without_an_end),
                                       cmocka_unit_test(on_the_line),
                                       cmocka_unit_test(one_of_many),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
