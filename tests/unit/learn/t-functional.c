/* The functional mechanism: the recorded noise is that of the ball that was asked for and enough for one row, and KN's finding
 * that the l-infinity ball needs about half the noise of l1. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "unit/learn/data.h"

#include "learn/cells.h"

#include <dpnoise/geometry.h>
#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS = 1 + 5 + 1 + 15 + 5 };

/* The mean square of a coordinate of V with density proportional to exp(-epsilon |v|_p/Delta_p), Delta_p = d^(1/p): V is R U, where R is a
 * Gamma(d + 1) variable times Delta/epsilon, of mean square (d+1)(d+2), and U uniform in the unit ball, whose coordinates have the mean square
 * 2/((d+1)(d+2)) for l1, 1/(d+2) for l2 and 1/3 for the cube. */
static double variance_of(const char *ball, double epsilon) {
    double d = CELLS, radius = (d + 1) * (d + 2) / (epsilon * epsilon);
    if (strcmp(ball, "l1") == 0) return radius * d * d * 2 / ((d + 1) * (d + 2));
    return strcmp(ball, "l2") == 0 ? radius * d / (d + 2) : radius / 3;
}

static double expect_ball(const char *ball, double epsilon, const char *text) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "functional";
    options.ball = ball;
    dpn_declaration declared = data_declared(5, DPN_FIT_LINEAR, text, NULL);
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_fit_release release = dpn_fit_release_at(fit, 0);
    double one[CELLS], mse = release.plan->variance[3];
    for (size_t i = 0; i < CELLS; i++) one[i] = 1;
    dpn_sensitivity set = {.dimension = CELLS, .bound = one};
    dpn_delta delta;
    dpn_error why;
    assert_null(dpn_fit_release_at(fit, 1).plan);
    assert_int_equal(release.times, 1);
    assert_int_equal(release.plan->dimension, CELLS);
    if (dpn_plan_delta(&delta, NULL, NULL, release.plan, &set, 1, epsilon, NULL, &why)) fail_msg("%s", why.sentence);
    assert_true(delta.upper == 0);
    for (size_t i = 0; i < CELLS; i++)
        assert_true(fabs(release.plan->variance[i] / variance_of(ball, epsilon) - 1) < 1e-6);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return mse;
}

static void test_balls(void **state) {
    (void)state;
    double l1 = expect_ball("l1", 0.5, "0.5"), linf = expect_ball("linf", 0.5, "0.5"),
           l2 = expect_ball("l2", 0.5, "0.5");
    assert_true(linf < l2 && l2 < l1);
    assert_true(sqrt(l1 / linf) > 2 && sqrt(l1 / linf) < 2.5); /* about half the epsilon for the same error */
}

/* One row in place of another: the exact Delta_1 of five features is 7^2/2 + 15/2 = 32, not the 52 of a box, and Delta_2 is the root of less than the
 * 104 of a box; Delta_inf is 2. The number of rows is public. */
static void test_replaced(void **state) {
    (void)state;
    const char *const balls[] = {"l1", "l2", "linf"};
    double variance[3];
    for (int i = 0; i < 3; i++) {
        dpn_fit_options options = dpn_fit_options_init();
        options.method = "functional";
        options.ball = balls[i];
        dpn_declaration declared = data_declared(5, DPN_FIT_LINEAR, "1", NULL);
        declared.relation = DPN_REPLACE;
        free(declared.missing_value);
        declared.missing_value = strdup("0");
        declared.missing = DPN_MISSING_VALUE;
        dpn_fit *fit = data_planned(&options, &declared);
        const dpn_plan *plan = dpn_fit_release_at(fit, 0).plan;
        assert_true(plan->variance[0] == 0);
        variance[i] = plan->variance[3];
        dpn_fit_free(fit);
        dpn_declaration_free(&declared);
    }
    double d = CELLS - 1;
    assert_true(fabs(variance[0] / (2 * 32 * 32) - 1) < 1e-9);
    assert_true(variance[1] > 48 * (d + 1) && variance[1] < 60 * (d + 1)); /* Delta_2^2 (d + 1) */
    assert_true(fabs(variance[2] / (4 * (d + 1) * (d + 2) / 3) - 1) < 1e-9);
}

/* ---- K_T and the hull ---- */

static dpn_fit *planned(const char *ball, size_t features, bool replaced, bool no_intercept) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "functional";
    options.ball = ball;
    options.no_intercept = no_intercept;
    dpn_declaration declared = data_declared(features, DPN_FIT_LINEAR, "1", NULL);
    if (replaced) {
        declared.relation = DPN_REPLACE;
        declared.missing_value = strdup("0");
        declared.missing = DPN_MISSING_VALUE;
    }
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_declaration_free(&declared);
    return fit;
}

/* The norm of K_T from the words of the paper, for cells in their own order. */
static double paper_norm(const dpn_cells *cells, size_t p, const double *u) {
    double sum[DATA_WIDTH + 1] = {0}, most = 0;
    for (size_t k = 1; k < cells->count; k++)
        if (cells->cell[k].i == 0) sum[cells->cell[k].j] = fabs(u[k]);
    for (size_t k = 1; k < cells->count; k++) {
        size_t i = cells->cell[k].i, j = cells->cell[k].j;
        double own = fabs(u[k]), a = sum[i], b = sum[j];
        if (i == 0) continue;
        if (i == j) /* |u2| <= 2c, and <= 2c - 2 (|u1| - c)^2/c where |u1| > c */
            most = fmax(most, own <= 2 * a && a > 0 ? 2 * a * a / (4 * a - own) : own / 2);
        else
            most = fmax(most, fmax(fmax(fmax(a, b), own) / 2, (a + b + own) / 4));
    }
    assert_true(p + 1 <= DATA_WIDTH);
    return most;
}

/* |V| in the norm has a Gamma law of d degrees: a mean of d and a variance of d, so that the mean of 3000 draws is within 6 standard errors but
 * with a probability of 2e-9. Noise in another order, or of another ball, has a larger norm. And no two rows are farther apart than 1. */
static void test_paper_ball(void **state) {
    (void)state;
    for (size_t p = 1; p <= 4; p++) {
        enum { DRAWS = 3000, MOST = 30 };
        dpn_fit *fit = planned("kt", p, true, false);
        dpn_cells cells;
        assert_int_equal(dpn_cells_make(&cells, fit, NULL), DPN_OK);
        seeded random;
        seeded_begin(&random, p);
        double mean = 0, square[MOST] = {0}, d = (double)(cells.count - 1);
        for (int i = 0; i < DRAWS; i++) {
            int64_t steps[MOST] = {0};
            double v[MOST];
            assert_int_equal(dpn_release_draw(steps, fit->announced[0].release, &random.rng, steps, NULL), DPN_OK);
            assert_true(steps[0] == 0);
            for (size_t k = 0; k < cells.count; k++) {
                v[k] = ldexp((double)steps[k], -2 * DPN_UNIT_LOG);
                square[k] += v[k] * v[k] / DRAWS;
            }
            mean += paper_norm(&cells, p, v) / DRAWS;
        }
        assert_true(fabs(mean - d) < 6 * sqrt(d / DRAWS));
        const dpn_plan *plan = dpn_fit_release_at(fit, 0).plan;
        for (size_t k = 1; k < cells.count; k++) assert_true(fabs(square[k] / plan->variance[k] - 1) < 0.5);
        draw_source source = {p};
        for (int i = 0; i < 3000; i++) {
            double row[2][DATA_WIDTH + 1], u[MOST];
            for (size_t j = 0; j < 2 * (DATA_WIDTH + 1); j++)
                row[j / (DATA_WIDTH + 1)][j % (DATA_WIDTH + 1)] =
                    draw_bits(&source) % 2 ? (double)(draw_bits(&source) % 3) - 1 : draw_uniform(&source, -1, 1);
            row[0][0] = row[1][0] = 1;
            for (size_t k = 0; k < cells.count; k++) {
                const dpn_cell *cell = &cells.cell[k];
                u[k] =
                    (cell->doubled ? 2 : 1) * (row[0][cell->i] * row[0][cell->j] - row[1][cell->i] * row[1][cell->j]);
            }
            assert_true(paper_norm(&cells, p, u) <= 1 + 1e-12);
        }
        dpn_cells_free(&cells);
        dpn_fit_free(fit);
    }
}

/* No two rows are farther apart than 1 in the norm of the hull of the plan's vertices, and these are hardly larger than they have to be: with one feature
 * the volume is that of the hull of regression-hull(8). */
static void expect_hull(size_t p, bool replaced, bool no_intercept) {
    enum { MOST = 8 };
    dpn_fit *fit = planned("hull", p, replaced, no_intercept);
    dpn_cells cells;
    assert_int_equal(dpn_cells_make(&cells, fit, NULL), DPN_OK);
    const dpn_plan *plan = dpn_fit_release_at(fit, 0).plan;
    const dpn_block *block = &plan->block[plan->blocks - 1];
    double *point = malloc(plan->vertices * block->count * sizeof *point);
    for (size_t v = 0; v < plan->vertices; v++)
        for (size_t k = 0; k < block->count; k++)
            point[v * block->count + k] = plan->vertex[v * plan->dimension + block->coordinate[k]];
    dpn_norm_ball *hull;
    dpn_error why;
    if (dpn_ball_hull(&hull, block->count, point, plan->vertices, &why)) fail_msg("%s", why.sentence);
    assert_true(block->ball == DPN_BALL_HULL && block->epsilon <= 1);
    draw_source source = {p};
    double largest = 0;
    for (int i = 0; i < 2000; i++) {
        double row[2][DATA_WIDTH + 1], u[MOST];
        for (size_t j = 0; j < 2 * (DATA_WIDTH + 1); j++)
            row[j / (DATA_WIDTH + 1)][j % (DATA_WIDTH + 1)] =
                draw_bits(&source) % 2 ? (double)(draw_bits(&source) % 3) - 1 : draw_uniform(&source, -1, 1);
        row[0][0] = row[1][0] = 1;
        for (size_t k = 0; k < block->count; k++) {
            const dpn_cell *cell = &cells.cell[block->coordinate[k]];
            double one = row[0][cell->i] * row[0][cell->j], other = row[1][cell->i] * row[1][cell->j];
            if (cell->doubled) {
                one = 2 * one - 1;
                other = 2 * other - 1;
            }
            u[k] = replaced ? one - other : one;
        }
        largest = fmax(largest, dpn_ball_norm(hull, u));
    }
    assert_true(largest <= 1 + 1e-12 && largest > 0.99);
    if (p == 1 && replaced && !no_intercept) {
        dpn_norm_ball *other;
        dpn_volume one, two;
        assert_int_equal(dpn_ball_regression_hull(&other, 8, NULL), DPN_OK);
        assert_int_equal(dpn_ball_volume(&one, hull, NULL, 0, NULL), DPN_OK);
        assert_int_equal(dpn_ball_volume(&two, other, NULL, 0, NULL), DPN_OK);
        assert_true(fabs(one.log - two.log) < 1e-9);
        dpn_ball_free(other);
    }
    dpn_ball_free(hull);
    free(point);
    dpn_cells_free(&cells);
    dpn_fit_free(fit);
}

static void test_hull(void **state) {
    (void)state;
    expect_hull(1, true, false);
    expect_hull(1, false, false);
    expect_hull(1, true, true);
    expect_hull(1, false, true);
}

/* Where a ball cannot be had the sentence says so. */
static void test_refused(void **state) {
    (void)state;
    const struct {
        const char *ball;
        size_t features;
        bool no_intercept;
    } no[] = {{"kt", 2, false}, {"kt", 2, true}, {"hull", 2, false}};
    for (size_t i = 0; i < 3; i++) {
        dpn_fit_options options = dpn_fit_options_init();
        options.method = "functional";
        options.ball = no[i].ball;
        options.no_intercept = no[i].no_intercept;
        dpn_declaration declared = data_declared(no[i].features, DPN_FIT_LINEAR, "1", NULL);
        dpn_fit *fit;
        assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
        assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EUNSUPPORTED);
        dpn_fit_free(fit);
        dpn_declaration_free(&declared);
    }
}

static void test_unknown_ball(void **state) {
    (void)state;
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "functional";
    options.ball = "l3";
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", NULL);
    dpn_fit *fit;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EPARSE);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_balls),      cmocka_unit_test(test_replaced),
                                       cmocka_unit_test(test_paper_ball), cmocka_unit_test(test_hull),
                                       cmocka_unit_test(test_refused),    cmocka_unit_test(test_unknown_ball)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
