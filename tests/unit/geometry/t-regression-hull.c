/* The hull of linear regression with one predictor: it holds all moves, lies close to a polytope inside, and in all but name
 * inside the ball of Awan and Slavkovic. And hit-and-run, which is near the law that exact draws have. */
#include "geometry/ball.h"
#include "knorm/hit-and-run.c" /* of the tool, which alone has it */
#include "reference/draw.h"
#include "unit/random/seeded.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

dpn_status refuse(dpn_error *why, dpn_status status, const char *format, ...) {
    (void)why;
    (void)format;
    return status;
}

static double volume_of(const dpn_norm_ball *ball) {
    dpn_volume volume;
    assert_int_equal(dpn_ball_volume(&volume, ball, NULL, 0, NULL), DPN_OK);
    assert_true(volume.exact);
    return exp(volume.log);
}

static void answer(double *out, double x, double y) {
    out[0] = x;
    out[1] = y;
    out[2] = 2 * x * x;
    out[3] = x * y;
}

/* The hull of the moves between records on a grid of x, y = 1 or -1: inside the true one. */
static dpn_norm_ball *inside(size_t pieces) {
    enum { MOST = 34 };
    double record[MOST][4], move[MOST * MOST][4];
    size_t count = 0, moves = 0;
    for (size_t i = 0; i <= pieces; i++)
        for (int y = -1; y <= 1; y += 2) answer(record[count++], -1 + 2 * (double)i / (double)pieces, y);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++, moves++)
            for (int k = 0; k < 4; k++) move[moves][k] = record[i][k] - record[j][k];
    dpn_norm_ball *ball;
    assert_int_equal(dpn_ball_hull(&ball, 4, &move[0][0], moves, NULL), DPN_OK);
    return ball;
}

static void test_volumes(void **state) {
    (void)state;
    double truth = 1360.0 / 9;
    for (size_t pieces = 2; pieces <= 16; pieces *= 2) {
        dpn_norm_ball *outer, *inner = inside(pieces);
        assert_int_equal(dpn_ball_regression_hull(&outer, pieces, NULL), DPN_OK);
        double square = (double)(pieces * pieces), above = volume_of(outer), below = volume_of(inner);
        assert_true(fabs(above - truth - 512.0 / 9 / square) < 1e-9);
        assert_true(below < truth && truth < above);
        /* The true hull lies between: nothing inside sticks out. */
        assert_int_equal(dpn_ball_inside(inner, 1, outer, 1), DPN_ORDER_INSIDE);
        dpn_norm_ball *all;
        assert_int_equal(dpn_ball_regression(&all, 1, NULL), DPN_OK);
        assert_int_equal(dpn_ball_inside(inner, 1 - 1e-8, all, 1), DPN_ORDER_INSIDE);
        assert_int_equal(dpn_ball_inside(outer, 1, all, 1 + 1 / square), DPN_ORDER_INSIDE);
        dpn_ball_free(all);
        dpn_ball_free(outer);
        dpn_ball_free(inner);
    }
    dpn_norm_ball *none = NULL;
    for (size_t pieces = 0; pieces < 40; pieces += 3)
        assert_int_equal(dpn_ball_regression_hull(&none, pieces, NULL), DPN_EDOMAIN);
    assert_null(none);
}

/* No move is longer than 1; and the ball of Awan and Slavkovic has 936/5, by integrals of its constraints. */
static void test_moves(void **state) {
    (void)state;
    draw_source source = {.state = 3};
    for (size_t pieces = 1; pieces <= 16; pieces *= 2) {
        dpn_norm_ball *ball;
        assert_int_equal(dpn_ball_regression_hull(&ball, pieces, NULL), DPN_OK);
        double longest = 0;
        for (int k = 0; k < points(1000, 10000); k++) {
            double a[4], b[4], upper;
            bool edge = draw_bits(&source) % 2;
            answer(a, draw_uniform(&source, -1, 1), edge ? 1 : draw_uniform(&source, -1, 1));
            answer(b, draw_uniform(&source, -1, 1), edge ? -1 : draw_uniform(&source, -1, 1));
            for (int i = 0; i < 4; i++) a[i] -= b[i];
            longest = fmax(longest, dpn_ball_norm(ball, a));
            assert_int_equal(dpn_ball_norm_upper(&upper, ball, a, NULL), DPN_OK);
            assert_true(upper <= 1 + 1e-12);
        }
        assert_true(longest > 0.9);
        dpn_ball_free(ball);
    }
    seeded random;
    seeded_begin(&random, 4);
    dpn_norm_ball *all;
    dpn_volume volume;
    assert_int_equal(dpn_ball_regression(&all, 1, NULL), DPN_OK);
    assert_int_equal(dpn_ball_volume(&volume, all, &random.rng, (size_t)points(20000, 400000), NULL), DPN_OK);
    assert_true(volume.log_lower <= log(936.0 / 5) && log(936.0 / 5) <= volume.log_upper);
    dpn_ball_free(all);
}

/* ---- Hit-and-run ---- */

/* Variances within a tenth of those of the law, which is what an approximation is worth. */
static void test_hit_and_run(void **state) {
    (void)state;
    enum { MOST = 20000 };
    static const double weight[] = {1, 2, 0.5}, corners[] = {1, 0, 0, 2};
    static double value[3 * MOST];
    int n = points_needed(1500, MOST);
    for (int kind = 0; kind < 3; kind++) {
        dpn_norm_ball *ball;
        double variance[3] = {6, 24, 0}; /* of the rhombus, which points describe without facets: 2 scale^2 each */
        if (kind == 2)
            assert_int_equal(dpn_ball_points(&ball, 2, corners, 2, NULL), DPN_OK);
        else
            assert_int_equal(dpn_ball_lp(&ball, 3, kind ? 2 : INFINITY, weight, NULL), DPN_OK);
        if (kind == 2) {
            variance[0] = 2;
            variance[1] = 8;
        } else {
            assert_true(ball->kind->variance(ball, variance));
        }
        size_t m = ball->dimension;
        seeded source;
        seeded_begin(&source, 17);
        double rate = 0.5;
        assert_int_equal(hit_and_run(value, (size_t)n, ball, rate, 12, &source.rng, NULL), DPN_OK);
        for (size_t i = 0; i < m; i++) {
            double square = 0;
            for (int k = 0; k < n; k++) square += value[(size_t)k * m + i] * value[(size_t)k * m + i] / n;
            double ratio = square * rate * rate / variance[i];
            if (fabs(ratio - 1) > points_needed(30, 10) * 0.01) fail_msg("kind %d: %g of the variance", kind, ratio);
        }
        dpn_ball_free(ball);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_hit_and_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
