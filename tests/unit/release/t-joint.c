/* Releases with joint noise: balls other than the box, whose noise has the errors that the plan tells, and which hold the moves of
 * the gridded answers.
 *
 * Statistical tests raise a false alarm with probability below 1e-8 each, and are not repeated. */
#include <dpnoise/geometry.h>
#include <dpnoise/plan.h>
#include <dpnoise/release.h>

#include "reference/draw.h"
#include "unit/random/seeded.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 20 };

static dpn_release *made(const dpn_release_options *options) {
    dpn_release *release = NULL;
    dpn_error why;
    if (dpn_release_new(&release, options, &why)) fail_msg("%s", why.sentence);
    return release;
}

/* Sums over draws of one answer. */
typedef struct tally {
    double square, fourth, beyond;
} tally;

static void draw_many(tally *out, const dpn_release *release, uint64_t seed, int draws) {
    const dpn_plan *plan = dpn_release_plan(release);
    int64_t value[MOST] = {0}, noisy[MOST];
    seeded random;
    seeded_begin(&random, seed);
    memset(out, 0, plan->dimension * sizeof *out);
    double width[MOST];
    for (size_t i = 0; i < plan->dimension; i++) width[i] = dpn_release_interval95(release, i);
    for (int k = 0; k < draws; k++) {
        assert_int_equal(dpn_release_draw(noisy, release, &random.rng, value, NULL), DPN_OK);
        for (size_t i = 0; i < plan->dimension; i++) {
            double x = ldexp((double)noisy[i], dpn_release_grid_exponent(release, i));
            out[i].square += x * x;
            out[i].fourth += x * x * x * x;
            out[i].beyond += fabs(x) > width[i];
        }
    }
}

/* The mean squares of the draws are the variances of the plan, and a twentieth is beyond the half-width: within 6 standard errors,
 * and 1e-4 for the grid. */
static void expect_plan(const dpn_release *release, uint64_t seed, int draws) {
    const dpn_plan *plan = dpn_release_plan(release);
    tally seen[MOST];
    double n = draws;
    draw_many(seen, release, seed, draws);
    for (size_t i = 0; i < plan->dimension; i++) {
        double mean = seen[i].square / n, error = sqrt((seen[i].fourth / n - mean * mean) / n);
        if (plan->variance[i] == 0) {
            assert_true(mean == 0);
            continue;
        }
        if (fabs(mean - plan->variance[i]) > 6 * error + 1e-4 * plan->variance[i])
            fail_msg("answer %zu: variance %g, not %g", i, mean, plan->variance[i]);
        if (fabs(seen[i].beyond / n - 0.05) > 6 * sqrt(0.05 * 0.95 / n) + 1e-4)
            fail_msg("answer %zu: %g of %g draws are beyond the half-width", i, seen[i].beyond, n);
    }
}

static const double vertex[] = {2, 0, 0,  1, 1,   0, 2,    0,
                                1, 0, -2, 1, 0.5, 0, 0.25, 3}; /* the second answer does not move */
static const dpn_sensitivity hull = {.dimension = 4, .vertex = vertex, .vertices = 4};

static void noise_of_every_ball(void **state) {
    (void)state;
    const double bound[] = {1, 3, 2, 0.25};
    dpn_sensitivity few = {.dimension = 4, .bound = bound, .max_changed = 2};
    const struct {
        dpn_ball_kind ball;
        const dpn_sensitivity *set;
    } rows[] = {{DPN_BALL_L1, &few},  {DPN_BALL_L2, &few},  {DPN_BALL_LINF, &few},
                {DPN_BALL_BOX, &few}, {DPN_BALL_L2, &hull}, {DPN_BALL_HULL, &hull}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_calibration_options calibration = {.size = sizeof(dpn_calibration_options),
                                               .has_ball = true,
                                               .ball = rows[i].ball,
                                               .hulls = dpn_exact_hulls()};
        dpn_release *release = made(&(dpn_release_options){.size = sizeof(dpn_release_options),
                                                           .epsilon = 0.5,
                                                           .set = rows[i].set,
                                                           .family = "k-norm",
                                                           .calibration = &calibration});
        const dpn_plan *plan = dpn_release_plan(release);
        assert_int_equal(plan->block[0].ball, rows[i].ball);
        assert_true(plan->pure && plan->delta.upper == 0);
        expect_plan(release, i + 1, 10000);
        dpn_delta delta; /* once more, on the set of the gridded answers */
        assert_int_equal(dpn_plan_delta(&delta, NULL, NULL, plan, dpn_release_sensitivity(release), 1, 0.5, NULL, NULL),
                         DPN_OK);
        assert_true(delta.upper == 0);
        dpn_release_free(release);
    }
}

/* The hull grows with the grid: answers that move by a vertex move, once they are rounded, within the hull of the plan. */
static void gridded_moves_stay_in_the_hull(void **state) {
    (void)state;
    enum { TRIALS = 2000 };
    const double point[] = {2.1, 0.1, 1.1, 2.05, 0.9, -2.2}, grid = 0.25;
    dpn_sensitivity set = {.dimension = 2, .vertex = point, .vertices = 3};
    dpn_calibration_options calibration = {
        .size = sizeof(dpn_calibration_options), .has_ball = true, .ball = DPN_BALL_HULL, .hulls = dpn_exact_hulls()};
    dpn_release *release = made(&(dpn_release_options){.size = sizeof(dpn_release_options),
                                                       .epsilon = 1,
                                                       .set = &set,
                                                       .family = "k-norm",
                                                       .has_grid = true,
                                                       .grid_exponent = -2,
                                                       .calibration = &calibration});
    const dpn_plan *plan = dpn_release_plan(release);
    dpn_norm_ball *ball, *old;
    assert_int_equal(dpn_ball_hull(&ball, 2, plan->vertex, plan->vertices, NULL), DPN_OK);
    assert_int_equal(dpn_ball_hull(&old, 2, point, 3, NULL), DPN_OK);
    draw_source source = {4};
    int outside_the_old_one = 0;
    for (int k = 0; k < TRIALS; k++) {
        size_t v = draw_bits(&source) % 3;
        double move[2];
        for (size_t i = 0; i < 2; i++) {
            double x = draw_uniform(&source, -5, 5), y = x + point[2 * v + i];
            move[i] = grid * (floor(y / grid + 0.5) - floor(x / grid + 0.5));
        }
        assert_true(dpn_ball_norm(ball, move) <= 1 + 1e-12);
        outside_the_old_one += dpn_ball_norm(old, move) > 1 + 1e-12;
    }
    assert_true(outside_the_old_one > TRIALS / 10);
    dpn_ball_free(ball);
    dpn_ball_free(old);
    dpn_release_free(release);
}

/* Without a family the least noise is taken: that of the hull where it is the least. */
static void the_least_noise_is_chosen(void **state) {
    (void)state;
    dpn_calibration_options calibration = {.size = sizeof(dpn_calibration_options), .hulls = dpn_exact_hulls()};
    dpn_release *release = made(&(dpn_release_options){
        .size = sizeof(dpn_release_options), .epsilon = 1, .set = &hull, .calibration = &calibration});
    dpn_release *core = made(&(dpn_release_options){.size = sizeof(dpn_release_options), .epsilon = 1, .set = &hull});
    assert_int_equal(dpn_release_plan(release)->block[0].ball, DPN_BALL_HULL);
    assert_true(dpn_release_plan(release)->mse < dpn_release_plan(core)->mse);
    dpn_release_free(release);
    dpn_release_free(core);
}

/* The errors of blocks at epsilon 1, sensitivities that sum to 1, twenty answers: 8.6453 (linear), 8.0725 (quadratic), 4.5440
 * (exponential), from releases; a hundred thousand of them in a long run. */
static void blocks_have_the_errors_of_the_table(void **state) {
    (void)state;
    int draws = points_needed(2000, 100000);
    const double total[] = {8.6453, 8.0725, 4.5440};
    for (int profile = 0; profile < 3; profile++) {
        double bound[MOST], sum = 0;
        for (int i = 0; i < MOST; i++) {
            double x = i + 1;
            sum += bound[i] = profile == 0 ? x : profile == 1 ? x * x : exp(x - MOST);
        }
        for (int i = 0; i < MOST; i++) bound[i] /= sum;
        dpn_sensitivity set = {.dimension = MOST, .bound = bound};
        dpn_release *release = made(
            &(dpn_release_options){.size = sizeof(dpn_release_options), .epsilon = 1, .set = &set, .family = "blocks"});
        tally seen[MOST];
        double mse = 0, error = 0, n = draws;
        draw_many(seen, release, (uint64_t)profile + 9, draws);
        for (int i = 0; i < MOST; i++) {
            double mean = seen[i].square / n;
            mse += mean;
            error += sqrt((seen[i].fourth / n - mean * mean) / n); /* at least that of the sum: answers err together */
        }
        if (points_are_many())
            print_message("profile %d: %.5f of %d releases, %.4f by formula\n", profile, mse, draws, total[profile]);
        if (fabs(mse - total[profile]) > 6 * error + 1e-3)
            fail_msg("profile %d: %g, not %g", profile, mse, total[profile]);
        dpn_release_free(release);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_of_every_ball),
        cmocka_unit_test(gridded_moves_stay_in_the_hull),
        cmocka_unit_test(the_least_noise_is_chosen),
        cmocka_unit_test(blocks_have_the_errors_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
