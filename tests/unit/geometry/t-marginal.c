/* One coordinate of the K-norm noise of hulls: against closed forms of boxes and l1 balls, against polygons cut by hand, and against
 * draws.
 *
 * Statistical tests raise a false alarm with probability below 1e-8 each, and are not repeated. */
#include <dpnoise/calibrate.h>
#include <dpnoise/geometry.h>

#include "calibrate/box-noise.h"
#include "geometry/joint.h"
#include "reference/draw.h"
#include "unit/random/seeded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect(double got, double value, double relative) {
    if (!(fabs(got - value) <= relative * fabs(value))) fail_msg("%.15g is not %.15g", got, value);
}

static dpn_norm_ball *hull_of(size_t dimension, const double *point, size_t count) {
    dpn_norm_ball *hull;
    dpn_error why;
    if (dpn_ball_hull(&hull, dimension, point, count, &why)) fail_msg("%s", why.sentence);
    return hull;
}

/* ---- closed forms ---- */

static void boxes_are_boxes(void **state) {
    (void)state;
    for (size_t m = 1; m <= 6; m++) {
        double point[32 * 6], side[6];
        size_t count = (size_t)1 << (m - 1);
        for (size_t i = 0; i < m; i++) side[i] = ldexp(1 + (double)i, (int)i - 2);
        for (size_t v = 0; v < count; v++)
            for (size_t i = 0; i < m; i++) point[v * m + i] = v >> i & 1 ? -side[i] : side[i];
        dpn_norm_ball *hull = hull_of(m, point, count);
        for (size_t i = 0; i < m; i++) {
            dpn_marginal one;
            dpn_marginal_make(&one, hull, i);
            expect(one.reach, side[i], 0);
            expect(one.variance, side[i] * side[i] * dpn_box_noise_error((double)m, DPN_OBJECTIVE_MSE), 1e-13);
            expect(one.absolute, side[i] * dpn_box_noise_error((double)m, DPN_OBJECTIVE_MAE), 1e-12);
            expect(dpn_marginal_interval95(&one), side[i] * dpn_box_noise_error((double)m, DPN_OBJECTIVE_INTERVAL95),
                   1e-12);
            for (double t = 2; t < 40; t *= 1.3)
                if (fabs(dpn_marginal_sf(&one, t * side[i]) - dpn_box_noise_sf((double)m, t)) > 1e-13)
                    fail_msg("m = %zu: the tail beyond %g sides", m, t);
        }
        dpn_ball_free(hull);
    }
}

static void l1_balls_are_laplace_noise(void **state) {
    (void)state;
    for (size_t m = 1; m <= 7; m++) {
        double point[7 * 7] = {0};
        for (size_t i = 0; i < m; i++) point[i * m + i] = pow(3, (double)i);
        dpn_norm_ball *hull = hull_of(m, point, m);
        for (size_t i = 0; i < m; i++) {
            dpn_marginal one;
            double side = pow(3, (double)i);
            dpn_marginal_make(&one, hull, i);
            expect(one.variance, 2 * side * side, 1e-14);
            expect(one.absolute, side, 1e-13);
            expect(dpn_marginal_interval95(&one), side * log(20), 1e-12);
            for (double t = 2; t < 40; t *= 1.3)
                if (fabs(dpn_marginal_sf(&one, t * side) - 0.5 * exp(-t)) > 1e-13) fail_msg("the tail beyond %g", t);
        }
        dpn_ball_free(hull);
    }
}

/* ---- polygons ---- */

/* a E_1 + b E_2, E exponential: its tail and its mean absolute value. */
static double pair_sf(double a, double b, double t) {
    if (a < b) return pair_sf(b, a, t);
    if (a <= 0) return 0;
    if (b <= 0) return a * exp(-t / a) / (a - b);
    if (a == b) return (1 + t / a) * exp(-t / a);
    return (a * exp(-t / a) - b * exp(-t / b)) / (a - b);
}

static double pair_absolute(double a, double b) {
    return a * b >= 0 ? fabs(a + b) : (a * a + b * b) / fabs(a - b);
}

/* Points of a circle, pressed flat and turned: all are corners, in their order, and the polygon is the triangles between them. */
enum { CORNERS = 7 };
static void draw_polygon(double corner[2 * CORNERS + 1][2], draw_source *source) {
    const double pi = acos(-1);
    double turn = pi * draw_uniform(source, 0, 1), flat = draw_log_uniform(source, 0.05, 1);
    for (int k = 0; k < CORNERS; k++) {
        double angle = pi * (k + 0.9 * draw_uniform(source, 0, 1)) / CORNERS, x = cos(angle), y = flat * sin(angle);
        corner[k][0] = x * cos(turn) - y * sin(turn);
        corner[k][1] = x * sin(turn) + y * cos(turn);
    }
    for (int k = 0; k <= CORNERS; k++)
        for (int i = 0; i < 2; i++) corner[CORNERS + k][i] = k < CORNERS ? -corner[k][i] : corner[0][i];
}

static void polygons_cut_by_hand(void **state) {
    (void)state;
    draw_source source = {1};
    for (int trial = 0; trial < 200; trial++) {
        double corner[2 * CORNERS + 1][2];
        draw_polygon(corner, &source);
        dpn_norm_ball *hull = hull_of(2, &corner[0][0], CORNERS);
        for (size_t i = 0; i < 2; i++) {
            dpn_marginal one;
            dpn_marginal_make(&one, hull, i);
            double t = one.reach * (2 + 8 * draw_uniform(&source, 0, 1)), area = 0, sf = 0, absolute = 0, square = 0;
            for (int k = 0; k < 2 * CORNERS; k++) {
                double share = corner[k][0] * corner[k + 1][1] - corner[k][1] * corner[k + 1][0];
                double a = corner[k][i], b = corner[k + 1][i];
                area += share;
                sf += share * pair_sf(a, b, t);
                absolute += share * pair_absolute(a, b);
                square += share * 2 * (a * a + a * b + b * b);
            }
            expect(one.variance, square / area, 1e-12);
            expect(one.absolute, absolute / area, 1e-11);
            if (fabs(dpn_marginal_sf(&one, t) - sf / area) > 1e-12) fail_msg("trial %d: the tail beyond %g", trial, t);
            expect(dpn_marginal_sf(&one, dpn_marginal_interval95(&one)), 0.025, 1e-11);
        }
        dpn_ball_free(hull);
    }
}

/* ---- draws ---- */

/* Random hulls with many corners in three to six dimensions: the share of draws beyond the half-width, their mean absolute value and
 * mean square, each within 6 standard errors. */
static void draws_agree(void **state) {
    (void)state;
    enum { DRAWS = 20000, POINTS = 20 };
    draw_source source = {2};
    seeded random;
    seeded_begin(&random, 3);
    for (size_t m = 3; m <= 6; m++) {
        double point[POINTS * 6], beyond[6] = {0}, absolute[6] = {0}, square[6] = {0}, fourth[6] = {0};
        int grid[6];
        int64_t steps[6];
        for (size_t i = 0; i < POINTS * m; i++) point[i] = (draw_uniform(&source, 0, 1) - 0.5) * (double)(1 + i % m);
        for (size_t i = 0; i < m; i++) grid[i] = -20;
        dpn_norm_ball *hull = hull_of(m, point, POINTS);
        dpn_marginal one[6];
        double width[6];
        for (size_t i = 0; i < m; i++) {
            dpn_marginal_make(&one[i], hull, i);
            width[i] = dpn_marginal_interval95(&one[i]);
        }
        dpn_vector_sampler *sampler;
        assert_int_equal(dpn_hull_vector_sampler(&sampler, hull, 1, grid, NULL), DPN_OK);
        for (int k = 0; k < DRAWS; k++) {
            assert_int_equal(dpn_vector_sampler_draw(steps, sampler, &random.rng, NULL), DPN_OK);
            for (size_t i = 0; i < m; i++) {
                double x = ldexp((double)steps[i], grid[i]);
                beyond[i] += fabs(x) > width[i];
                absolute[i] += fabs(x) / DRAWS;
                square[i] += x * x / DRAWS;
                fourth[i] += x * x * x * x / DRAWS;
            }
        }
        for (size_t i = 0; i < m; i++) {
            double mean = one[i].variance, count = DRAWS;
            if (fabs(beyond[i] - 0.05 * count) > 6 * sqrt(count * 0.05 * 0.95))
                fail_msg("%g of %g draws are beyond the half-width", beyond[i], count);
            if (fabs(absolute[i] - one[i].absolute) > 6 * sqrt((mean - one[i].absolute * one[i].absolute) / count))
                fail_msg("mean absolute value %g, not %g", absolute[i], one[i].absolute);
            if (fabs(square[i] - mean) > 6 * sqrt((fourth[i] - mean * mean) / count))
                fail_msg("variance %g, not %g", square[i], mean);
        }
        dpn_vector_sampler_free(sampler);
        dpn_ball_free(hull);
    }
}

/* ---- the table ---- */

static void the_table_lists_all_errors(void **state) {
    (void)state;
    const double point[] = {2, 0, 1, 2, 1, -2}, flat[] = {1, 2, 2, 4};
    const dpn_hulls *hulls = dpn_exact_hulls();
    double error[2 * DPN_OBJECTIVES];
    assert_int_equal(hulls->errors(error, 2, point, 3, NULL), DPN_OK);
    expect(error[DPN_OBJECTIVE_MSE], 10, 1e-15); /* 2 (a^2 + ab + b^2) over the three triangles */
    expect(error[DPN_OBJECTIVES + DPN_OBJECTIVE_MSE], 40.0 / 3, 1e-15);
    assert_true(error[DPN_OBJECTIVES + DPN_OBJECTIVE_INTERVAL95] > error[DPN_OBJECTIVE_INTERVAL95]);
    dpn_error why;
    error[0] = -1;
    assert_int_equal(hulls->errors(error, 2, flat, 2, &why), DPN_EDOMAIN);
    assert_true(error[0] == -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_boxes),
        cmocka_unit_test(l1_balls_are_laplace_noise),
        cmocka_unit_test(polygons_cut_by_hand),
        cmocka_unit_test(draws_agree),
        cmocka_unit_test(the_table_lists_all_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
