/* Balls against tests/vectors/geometry.csv, the examples of Awan and Slavkovic (2021), and each other. */
#include <dpnoise/geometry.h>

#include "reference/draw.h"
#include "unit/random/seeded.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VECTORS = 21 };

static dpn_norm_ball *lp(size_t m, double p, const double *weight) {
    dpn_norm_ball *out;
    assert_int_equal(dpn_ball_lp(&out, m, p, weight, NULL), DPN_OK);
    return out;
}

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance * fabs(b))) fail_msg("%.17g is not %.17g", a, b);
}

static double volume_of(const dpn_norm_ball *ball) {
    dpn_volume volume;
    assert_int_equal(dpn_ball_volume(&volume, ball, NULL, 0, NULL), DPN_OK);
    return exp(volume.log);
}

/* ---- The table ---- */

static double evaluate(const char *function, double a, double b, double c) {
    dpn_norm_ball *ball = NULL;
    double value = NAN, variance[8], u[3] = {a, b, c};
    dpn_volume volume;
    dpn_mean_norms losses;
    if (!strcmp(function, "knorm_entropy")) return dpn_knorm_entropy((size_t)a, b, c);
    if (!strcmp(function, "k2_gauge")) assert_int_equal(dpn_ball_k2(&ball, NULL), DPN_OK);
    if (!strcmp(function, "k3_gauge")) assert_int_equal(dpn_ball_k3(&ball, NULL), DPN_OK);
    if (ball) value = dpn_ball_norm(ball, u);
    if (!strncmp(function, "lp_", 3)) ball = lp((size_t)a, b, NULL);
    if (!strcmp(function, "lp_ball_log_volume")) {
        assert_int_equal(dpn_ball_volume(&volume, ball, NULL, 0, NULL), DPN_OK);
        value = volume.log;
    }
    if (!strcmp(function, "lp_mech_coord_variance")) {
        seeded random;
        seeded_begin(&random, 1);
        assert_int_equal(dpn_ball_mean_norms(&losses, variance, ball, c, &random.rng, 10, NULL), DPN_OK);
        assert_true(losses.variance_error == 0);
        value = variance[0];
    }
    dpn_ball_free(ball);
    return value;
}

static void test_vectors(void **state) {
    (void)state;
    char path[512], line[256], function[32];
    const char *root = getenv("DPN_SOURCE_ROOT");
    snprintf(path, sizeof path, "%s/tests/vectors/geometry.csv", root ? root : ".");
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    int seen = 0;
    double a, b, c, value, relative, absolute;
    while (fgets(line, sizeof line, table)) {
        if (line[0] == '#') continue;
        assert_int_equal(
            sscanf(line, "%31[^,],%lf,%lf,%lf,%lf,%lf,%lf", function, &a, &b, &c, &value, &relative, &absolute), 7);
        double found = evaluate(function, a, b, c);
        if (!(fabs(found - value) <= absolute + relative * fabs(value)))
            fail_msg("%s: %.17g is not %.17g", line, found, value);
        seen++;
    }
    fclose(table);
    assert_int_equal(seen, VECTORS);
}

/* ---- Example 2.10 ---- */

static void test_example_2_10(void **state) {
    (void)state;
    dpn_norm_ball *k2, *one = lp(2, 1, NULL), *two = lp(2, 2, NULL), *infinite = lp(2, INFINITY, NULL), *k3;
    assert_int_equal(dpn_ball_k2(&k2, NULL), DPN_OK);
    assert_int_equal(dpn_ball_k3(&k3, NULL), DPN_OK);
    enum { POINTS = 20001 };
    double *point = calloc(2 * POINTS, sizeof *point), delta1, delta2, delta_inf;
    for (size_t i = 0; i < POINTS; i++) { /* the upper edge of the space, a quarter of it by symmetry */
        double u = 2.0 * (double)i / (POINTS - 1);
        point[2 * i] = u;
        point[2 * i + 1] = 2 - 2 * (1 - u) * (1 - u);
        assert_true(dpn_ball_norm(k2, point + 2 * i) <= 1 + 1e-12);
    }
    assert_int_equal(dpn_sensitivity_upper(&delta1, one, point, POINTS, NULL), DPN_OK);
    assert_int_equal(dpn_sensitivity_upper(&delta2, two, point, POINTS, NULL), DPN_OK);
    assert_int_equal(dpn_sensitivity_upper(&delta_inf, infinite, point, POINTS, NULL), DPN_OK);
    assert_near(delta1, 3.125, 1e-8);
    assert_near(delta2, sqrt(71 + 8 * sqrt(2)) / 4, 1e-8);
    assert_near(delta_inf, 2, 1e-14);
    assert_near(volume_of(one) * delta1 * delta1, 19.53125, 1e-7);
    assert_near(volume_of(two) * delta2 * delta2, 16.16226, 1e-6);
    assert_near(volume_of(infinite) * delta_inf * delta_inf, 16, 1e-13);
    assert_near(volume_of(k2), 40.0 / 3, 1e-14);
    assert_near(volume_of(k3), 160.0 / 3, 1e-13);
    /* Exact sensitivities: none of the three lies in another. Those of the coordinates: l-inf in l2 in l1. */
    const dpn_norm_ball *ball[] = {one, two, infinite};
    const double exact[] = {3.125, 2.2681686, 2}, loose[] = {4 + 1e-7, sqrt(8) + 1e-8, 2};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            bool same = i == j;
            assert_int_equal(dpn_ball_inside(ball[i], exact[i], ball[j], exact[j]),
                             same ? DPN_ORDER_INSIDE : DPN_ORDER_NOT_INSIDE);
            assert_int_equal(dpn_ball_inside(ball[i], loose[i], ball[j], loose[j]),
                             i >= j ? DPN_ORDER_INSIDE : DPN_ORDER_NOT_INSIDE);
        }
    free(point);
    dpn_ball_free(one);
    dpn_ball_free(two);
    dpn_ball_free(infinite);
    dpn_ball_free(k2);
    dpn_ball_free(k3);
}

/* K_2 by its definition, K_3 by its inequalities, and the support functions by the points of the balls. */
static bool in_k2(void *context, const double *u) {
    (void)context;
    double a = fabs(u[0]);
    return a <= 2 && fabs(u[1]) <= (a <= 1 ? 2 : 2 - 2 * (a - 1) * (a - 1));
}

static void test_k2_a_second_time(void **state) {
    (void)state;
    dpn_norm_ball *k2, *members;
    const double half[] = {2, 2};
    draw_source source = {.state = 3};
    assert_int_equal(dpn_ball_k2(&k2, NULL), DPN_OK);
    assert_int_equal(dpn_ball_members(&members, 2, half, 1, in_k2, NULL, NULL), DPN_OK);
    for (int i = 0; i < 500; i++) {
        double u[2] = {draw_uniform(&source, -3, 3), draw_uniform(&source, -3, 3)}, most = 0, upper;
        assert_near(dpn_ball_norm(members, u), dpn_ball_norm(k2, u), 1e-12);
        for (int k = 0; k <= 1000; k++) {
            double a = 1 + k / 1000.0;
            most = fmax(most, fabs(u[0]) * a + fabs(u[1]) * (2 - 2 * (a - 1) * (a - 1)));
        }
        assert_near(dpn_ball_support(k2, u), most, 1e-6);
        assert_int_equal(dpn_ball_norm_upper(&upper, members, u, NULL), DPN_EUNSUPPORTED);
    }
    /* The volume by points: an interval that holds the truth, and is narrow. */
    seeded random;
    seeded_begin(&random, 8);
    dpn_volume volume;
    assert_int_equal(dpn_ball_volume(&volume, members, &random.rng, 20000, NULL), DPN_OK);
    assert_false(volume.exact);
    assert_true(volume.log_lower <= log(40.0 / 3) && log(40.0 / 3) <= volume.log_upper);
    assert_true(volume.log_upper - volume.log_lower < 0.06);
    assert_near(volume.acceptance, 40.0 / 48, 0.02);
    assert_int_equal(dpn_ball_volume(&volume, members, NULL, 0, NULL), DPN_EDOMAIN);
    dpn_ball_free(k2);
    dpn_ball_free(members);
}

/* ---- Regression ---- */

/* Moves of the statistic stay within the ball, for random pairs of records and extreme ones. */
static void test_regression(void **state) {
    (void)state;
    static const double acceptance[] = {0, 0, 0.511, 0, 0, 0.146};
    draw_source source = {.state = 12};
    for (size_t p = 1; p <= 5; p++) {
        dpn_norm_ball *ball;
        assert_int_equal(dpn_ball_regression(&ball, p, NULL), DPN_OK);
        assert_int_equal(dpn_ball_dimension(ball), (p + 1) * (p + 2) / 2 - 1 + p + 1);
        double most = 0;
        for (int t = 0; t < 2000; t++) {
            double u[30] = {0};
            for (int side = 0; side < 2; side++) {
                double x[6], sign = side ? -1 : 1;
                for (size_t j = 0; j <= p; j++)
                    x[j] = t % 2 ? draw_uniform(&source, -1, 1) : draw_chance(&source, 0.5) ? 1 : -1;
                size_t at = p + 1;
                for (size_t j = 0; j <= p; j++) u[j] += sign * x[j];
                for (size_t j = 0; j < p; j++) u[at++] += sign * 2 * x[j] * x[j];
                for (size_t j = 0; j < p; j++)
                    for (size_t k = j + 1; k < p; k++) u[at++] += sign * x[j] * x[k];
                for (size_t j = 0; j < p; j++) u[at++] += sign * x[j] * x[p];
            }
            most = fmax(most, dpn_ball_norm(ball, u));
            assert_true(dpn_ball_norm(ball, u) <= 1 + 1e-12);
        }
        assert_near(most, 1, 1e-12);
        if (acceptance[p] > 0) {
            seeded random;
            seeded_begin(&random, p);
            dpn_volume volume;
            assert_int_equal(dpn_ball_volume(&volume, ball, &random.rng, 30000, NULL), DPN_OK);
            assert_near(volume.acceptance, acceptance[p], 0.08);
        }
        if (p == 1) { /* what the ball has and the hull has not: the hull reaches 4.5 in this direction */
            const double beyond[] = {0, 0, 2, 2};
            assert_true(dpn_ball_norm(ball, beyond) <= 1);
        }
        dpn_ball_free(ball);
    }
}

/* ---- The cautionary example ---- */

static void test_cautionary_example(void **state) {
    (void)state;
    const double k_side[] = {100, 1}, h_side[] = {110, 11};
    dpn_norm_ball *k = lp(2, INFINITY, k_side), *h = lp(2, 1, h_side);
    dpn_mean_norms at_k, at_h;
    double of_k[2], of_h[2];
    assert_int_equal(dpn_ball_mean_norms(&at_k, of_k, k, 1, NULL, 0, NULL), DPN_OK);
    assert_int_equal(dpn_ball_mean_norms(&at_h, of_h, h, 1, NULL, 0, NULL), DPN_OK);
    assert_near(of_k[0], 40000, 1e-12);
    assert_near(of_k[1], 4, 1e-12);
    assert_near(of_h[0], 24200, 1e-12);
    assert_near(of_h[1], 242, 1e-12);
    assert_near(at_k.linf, 150.005, 1e-9);
    assert_near(at_k.l2, 150.031, 4e-6);
    assert_near(at_k.l1, 151.5, 1e-9);
    assert_near(at_h.linf, 111, 1e-9);
    assert_near(at_h.l2, 112.377, 4e-6);
    assert_near(at_h.l1, 121, 1e-9);
    assert_int_equal(dpn_ball_inside(k, 1, h, 1), DPN_ORDER_INSIDE); /* it touches: exact arithmetic decides */
    assert_int_equal(dpn_ball_inside(k, 1 + 0x1p-52, h, 1), DPN_ORDER_NOT_INSIDE);
    assert_int_equal(dpn_ball_inside(h, 1, k, 1), DPN_ORDER_NOT_INSIDE);
    /* And by sampling. */
    seeded random;
    seeded_begin(&random, 3);
    const dpn_norm_ball *ball[] = {k, h};
    const double *expected[] = {of_k, of_h};
    const dpn_mean_norms *losses[] = {&at_k, &at_h};
    int n = 20000, grid[] = {-8, -12};
    for (int b = 0; b < 2; b++) {
        dpn_ball_sampler *sampler;
        double square[2] = {0, 0}, l2 = 0;
        assert_int_equal(dpn_ball_sampler_new(&sampler, ball[b], 1, grid, NULL), DPN_OK);
        for (int i = 0; i < n; i++) {
            int64_t steps[2];
            assert_int_equal(dpn_ball_sampler_draw(steps, sampler, &random.rng, NULL), DPN_OK);
            double x = ldexp((double)steps[0], -8), y = ldexp((double)steps[1], -12);
            square[0] += x * x / n;
            square[1] += y * y / n;
            l2 += hypot(x, y) / n;
        }
        /* The fourth moment of these laws is below 10 variances^2: six standard errors. */
        for (int i = 0; i < 2; i++) assert_near(square[i], expected[b][i], 6 * 3.2 / sqrt(n));
        assert_near(l2, losses[b]->l2, 6 * 1.1 / sqrt(n));
        dpn_ball_sampler_free(sampler);
    }
    dpn_ball_free(k);
    dpn_ball_free(h);
}

/* ---- The same ball twice ---- */

/* Each row: a ball, and the same ball made in another way. */
static void check_same(dpn_norm_ball *a, dpn_norm_ball *b) {
    draw_source source = {.state = 5};
    size_t m = dpn_ball_dimension(a);
    assert_int_equal(m, dpn_ball_dimension(b));
    for (int i = 0; i < 200; i++) {
        double u[8], ua, ub;
        for (size_t j = 0; j < m; j++) u[j] = draw_uniform(&source, -2, 2);
        assert_near(dpn_ball_norm(a, u), dpn_ball_norm(b, u), 1e-12);
        assert_near(dpn_ball_support(a, u), dpn_ball_support(b, u), 1e-12);
        assert_int_equal(dpn_ball_norm_upper(&ua, a, u, NULL), DPN_OK);
        assert_int_equal(dpn_ball_norm_upper(&ub, b, u, NULL), DPN_OK);
        assert_true(ua >= dpn_ball_norm(b, u) * (1 - 1e-15) && ua <= dpn_ball_norm(b, u) * (1 + 1e-9));
        assert_true(ub >= dpn_ball_norm(a, u) * (1 - 1e-15) && ub <= dpn_ball_norm(a, u) * (1 + 1e-9));
    }
    assert_near(volume_of(a), volume_of(b), 1e-12);
    seeded random;
    seeded_begin(&random, 9);
    dpn_mean_norms la, lb;
    double va[8], vb[8];
    assert_int_equal(dpn_ball_mean_norms(&la, va, a, 1.5, &random.rng, 3000, NULL), DPN_OK);
    assert_int_equal(dpn_ball_mean_norms(&lb, vb, b, 1.5, &random.rng, 3000, NULL), DPN_OK);
    double margin = 1e-9 + 6 * (la.variance_error + lb.variance_error);
    for (size_t j = 0; j < m; j++) assert_near(va[j], vb[j], margin);
    assert_true(fabs(la.l1 - lb.l1) <= 6 * (la.l1_error + lb.l1_error) + 1e-8 * la.l1);
    assert_true(fabs(la.l2 - lb.l2) <= 6 * (la.l2_error + lb.l2_error) + 1e-8 * la.l2);
    assert_true(fabs(la.linf - lb.linf) <= 6 * (la.linf_error + lb.linf_error) + 1e-8 * la.linf);
    dpn_ball_free(a);
    dpn_ball_free(b);
}

static void test_same_ball_twice(void **state) {
    (void)state;
    const double side[] = {1, 2, 0.5}, corner[] = {1, 2, .5, 1, 2, -.5, 1, -2, .5, 1, -2, -.5},
                 axis[] = {1, 0, 0, 0, 2, 0, 0, 0, .5};
    const double turn[] = {2, 1, 0.5, 3}, turned[] = {2 + 1, 0.5 + 3, 2 - 1, 0.5 - 3},
                 scale[] = {1, 0, 0, 0, 2, 0, 0, 0, 0.5};
    dpn_norm_ball *hull, *part[3], *made;
    assert_int_equal(dpn_ball_hull(&hull, 3, corner, 4, NULL), DPN_OK);
    check_same(lp(3, INFINITY, side), hull);
    assert_int_equal(dpn_ball_hull(&hull, 3, axis, 3, NULL), DPN_OK);
    check_same(lp(3, 1, side), hull);
    for (int sum = 0; sum < 2; sum++) { /* l1 is a sum of lines, a box their product */
        for (size_t i = 0; i < 3; i++) part[i] = lp(1, 2, side + i);
        assert_int_equal((sum ? dpn_ball_sum : dpn_ball_product)(&made, part, 3, NULL), DPN_OK);
        check_same(lp(3, sum ? 1 : INFINITY, side), made);
    }
    assert_int_equal(dpn_ball_image(&made, lp(2, INFINITY, NULL), turn, NULL), DPN_OK);
    assert_int_equal(dpn_ball_hull(&hull, 2, turned, 2, NULL), DPN_OK);
    check_same(hull, made);
    assert_int_equal(dpn_ball_image(&made, lp(3, 1.7, NULL), scale, NULL), DPN_OK);
    check_same(lp(3, 1.7, side), made);
}

/* ---- Hulls by linear programming ---- */

/* Against facets, on sets with coincidences and without. */
static void test_points_and_facets(void **state) {
    (void)state;
    draw_source source = {.state = 15};
    for (int s = 0; s < 60; s++) {
        size_t m = 2 + draw_bits(&source) % 5, count = m + 2 + draw_bits(&source) % 12;
        double point[6 * 20], u[6], upper;
        for (size_t i = 0; i < count * m; i++)
            point[i] = s % 3 ? draw_uniform(&source, -1, 1) : floor(draw_uniform(&source, -3, 4));
        dpn_norm_ball *hull, *points;
        if (dpn_ball_hull(&hull, m, point, count, NULL)) continue;
        assert_int_equal(dpn_ball_points(&points, m, point, count, NULL), DPN_OK);
        for (int k = 0; k < 20; k++) {
            for (size_t j = 0; j < m; j++)
                u[j] = k % 4 ? draw_uniform(&source, -1, 1) : floor(draw_uniform(&source, -2, 3));
            double truth = dpn_ball_norm(hull, u);
            assert_int_equal(dpn_ball_norm_upper(&upper, points, u, NULL), DPN_OK);
            assert_true(upper >= truth * (1 - 1e-15) && upper <= truth * (1 + 1e-9));
            if (truth > 0) assert_near(dpn_ball_norm(points, u), truth, 1e-10);
            assert_near(dpn_ball_support(points, u), dpn_ball_support(hull, u), 1e-12);
        }
        assert_int_equal(dpn_ball_inside(points, 1 - 1e-6, hull, 1), DPN_ORDER_INSIDE);
        assert_int_equal(dpn_ball_inside(hull, 1 - 1e-6, points, 1), DPN_ORDER_INSIDE);
        dpn_ball_free(hull);
        dpn_ball_free(points);
    }
}

/* Where there are no facets: a known norm, points in their hull, and the dual inequality. */
static void test_points_in_40_dimensions(void **state) {
    (void)state;
    enum { M = 40, COUNT = 150 };
    static double axes[M * M], many[COUNT * M];
    draw_source source = {.state = 16};
    double u[M], c[M], sum = 0, upper;
    for (size_t i = 0; i < M; i++) {
        axes[i * M + i] = 1 + (double)i;
        u[i] = draw_uniform(&source, -1, 1);
        sum += fabs(u[i]) / (1 + (double)i);
    }
    dpn_norm_ball *cross, *cloud, *out = NULL;
    assert_int_equal(dpn_ball_points(&cross, M, axes, M, NULL), DPN_OK);
    assert_near(dpn_ball_norm(cross, u), sum, 1e-12);
    for (size_t i = 0; i < COUNT * M; i++) many[i] = draw_uniform(&source, -1, 1);
    assert_int_equal(dpn_ball_points(&cloud, M, many, COUNT, NULL), DPN_OK);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(dpn_ball_norm_upper(&upper, cloud, many + i * M, NULL), DPN_OK);
        assert_true(upper <= 1 + 1e-9);
    }
    double norm = dpn_ball_norm(cloud, u);
    for (int k = 0; k < 200; k++) {
        double inner = 0;
        for (size_t i = 0; i < M; i++) inner += u[i] * (c[i] = draw_uniform(&source, -1, 1));
        assert_true(fabs(inner) <= norm * dpn_ball_support(cloud, c) * (1 + 1e-9));
    }
    memset(axes, 0, sizeof *axes * M); /* one axis less */
    assert_int_equal(dpn_ball_points(&out, M, axes, M, NULL), DPN_EDOMAIN);
    assert_null(out);
    dpn_ball_free(cross);
    dpn_ball_free(cloud);
}

static void test_intersection_and_refusals(void **state) {
    (void)state;
    const double half = 0.5, flat[] = {1, 2, 2, 4}, zero = 0;
    /* The octagon: a square and a diamond. */
    double wide[] = {1.5, 1.5};
    dpn_norm_ball *part[] = {lp(2, INFINITY, NULL), lp(2, 1, wide)}, *octagon, *out = NULL, *other = lp(3, 1, NULL);
    assert_int_equal(dpn_ball_intersection(&octagon, part, 2, NULL), DPN_OK);
    seeded random;
    seeded_begin(&random, 2);
    dpn_volume volume;
    assert_int_equal(dpn_ball_volume(&volume, octagon, &random.rng, 20000, NULL), DPN_OK);
    assert_true(volume.log_lower <= log(3.5) && log(3.5) <= volume.log_upper);
    const double u[] = {0.9, 0.9};
    assert_near(dpn_ball_norm(octagon, u), 1.2, 1e-14);
    assert_false(dpn_ball_contains(octagon, u));
    assert_true(isnan(dpn_ball_support(octagon, u)));
    dpn_norm_ball *pair[] = {octagon, other};
    assert_int_equal(dpn_ball_intersection(&out, pair, 2, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_ball_sum(&out, pair, 0, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_ball_lp(&out, 1, half, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_ball_lp(&out, 0, 1, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_ball_lp(&out, 1, 1, &zero, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_ball_image(&out, octagon, flat, NULL), DPN_EDOMAIN);
    const double first[] = {1e200, 1e200, 0, 1e-200},
                 last[] = {1e-200, 0, 1e200, 1e200}; /* a row of the residual is NaN */
    assert_int_equal(dpn_ball_image(&out, octagon, first, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_ball_image(&out, octagon, last, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_ball_regression(&out, 0, NULL), DPN_EDOMAIN);
    int grid[2] = {0, 0};
    dpn_ball_sampler *sampler = NULL;
    assert_int_equal(dpn_ball_sampler_new(&sampler, octagon, 0, grid, NULL), DPN_EDOMAIN);
    assert_null(out);
    assert_null(sampler);
    dpn_ball_free(octagon);
    dpn_ball_free(other);
}

/* Hoelder's inequality is sharp at |u_i| = |c_i|^(q-1), 1/p + 1/q = 1: then c.u is the product of norm and support. */
static void test_support_of_lp(void **state) {
    (void)state;
    static const double p[] = {1.25, 1.5, 2, 3, 10}, side[] = {1, 2, 0.5}, c[] = {0.3, -2, 1};
    for (int k = 0; k < 5; k++) {
        dpn_norm_ball *ball = lp(3, p[k], side);
        double u[3], inner = 0, q = p[k] / (p[k] - 1);
        for (int i = 0; i < 3; i++) {
            u[i] = copysign(pow(fabs(c[i]) * side[i], q - 1), c[i]) * side[i];
            inner += c[i] * u[i];
        }
        assert_near(dpn_ball_support(ball, c) * dpn_ball_norm(ball, u), inner, 1e-13);
        dpn_ball_free(ball);
    }
}

/* ---- Blocks of boxes ---- */

/* The norm sum_B (epsilon_B/epsilon) max_{i in B} |v_i|/lambda_i, epsilon_B proportional to a_B^(1/3): total MSE by
 * formula, and by releases. The numbers are those of a separate computation for 20 sensitivities that sum to 1. */
static void check_blocks(const double *lambda, const size_t *size, size_t blocks, double expected, double laplace) {
    dpn_norm_ball *part[10], *sum;
    double share[10], total = 0, weight[20], variance[20], mse = 0, thirds = 0;
    for (size_t b = 0, at = 0; b < blocks; at += size[b++]) {
        double squares = 0, m = (double)size[b];
        for (size_t i = 0; i < size[b]; i++) squares += lambda[at + i] * lambda[at + i];
        share[b] = cbrt((m + 1) * (m + 2) / 3 * squares);
        total += share[b];
    }
    for (size_t b = 0, at = 0; b < blocks; at += size[b++]) {
        for (size_t i = 0; i < size[b]; i++) weight[at + i] = lambda[at + i] * total / share[b];
        part[b] = lp(size[b], INFINITY, weight + at);
    }
    assert_int_equal(dpn_ball_sum(&sum, part, blocks, NULL), DPN_OK);
    /* The corner of all sensitivities has norm 1: the plan has epsilon 1. */
    assert_near(dpn_ball_norm(sum, lambda), 1, 1e-14);
    seeded random;
    seeded_begin(&random, blocks);
    dpn_mean_norms losses;
    assert_int_equal(dpn_ball_mean_norms(&losses, variance, sum, 1, &random.rng, 10, NULL), DPN_OK);
    for (size_t i = 0; i < 20; i++) mse += variance[i];
    assert_near(mse, expected, 1e-5);
    /* Independent Laplace noise with scales proportional to lambda^(2/3). */
    for (size_t i = 0; i < 20; i++) thirds += cbrt(lambda[i] * lambda[i]);
    assert_near(2 * thirds * thirds * thirds, laplace, 1e-5);
    dpn_ball_sampler *sampler;
    int grid[20], n = points(5000, 100000);
    double found = 0, squared = 0;
    for (int i = 0; i < 20; i++) grid[i] = -24;
    assert_int_equal(dpn_ball_sampler_new(&sampler, sum, 1, grid, NULL), DPN_OK);
    for (int k = 0; k < n; k++) {
        int64_t steps[20];
        double one = 0;
        assert_int_equal(dpn_ball_sampler_draw(steps, sampler, &random.rng, NULL), DPN_OK);
        for (int i = 0; i < 20; i++) one += pow(ldexp((double)steps[i], -24), 2);
        found += one / n;
        squared += one * one / n;
    }
    assert_true(fabs(found - mse) <= 6 * sqrt((squared - found * found) / n));
    dpn_ball_sampler_free(sampler);
    dpn_ball_free(sum);
}

static void test_blocks(void **state) {
    (void)state;
    static const size_t linear[] = {14, 6}, quadratic[] = {9, 6, 4, 1}, exponential[] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    static const double expected[] = {8.6453, 8.0725, 4.5440}, laplace[] = {35.2756, 29.0472, 6.9368};
    for (int profile = 0; profile < 3; profile++) {
        double lambda[20], sum = 0;
        for (int i = 0; i < 20; i++) {
            double k = 20 - i; /* the largest first */
            lambda[i] = profile == 0 ? k : profile == 1 ? k * k : exp(k);
            sum += lambda[i];
        }
        for (int i = 0; i < 20; i++) lambda[i] /= sum;
        check_blocks(lambda,
                     profile == 0   ? linear
                     : profile == 1 ? quadratic
                                    : exponential,
                     profile == 0   ? 2
                     : profile == 1 ? 4
                                    : 10,
                     expected[profile], laplace[profile]);
    }
}

/* ---- Spaces ---- */

static void square_of(double *out, void *context, const double *record) {
    (void)context;
    out[0] = record[0];
    out[1] = 2 * record[0] * record[0];
}

static void test_spaces(void **state) {
    (void)state;
    /* T = (x + y, x - y) of x in [0, 1], y in [0, 3]: moves are the hull of (4, -2) and (2, -4), up to sign. */
    const double map[] = {1, 1, 1, -1}, low[] = {0, 0}, high[] = {1, 3}, fine[] = {0.1, 0.3}, third[] = {1.0 / 3, 1.1};
    double point[4];
    assert_int_equal(dpn_space_linear(point, 2, map, 2, low, high, NULL), DPN_OK);
    assert_true(point[0] == 4 && point[1] == -2 && point[2] == 2 && point[3] == -4);
    double keep = point[0];
    assert_int_equal(dpn_space_linear(point, 2, map, 2, fine, third, NULL), DPN_EACCURACY);
    assert_true(point[0] == keep);
    assert_int_equal(dpn_space_linear(point, 2, map, 2, high, low, NULL), DPN_EDOMAIN);
    /* What is missing of this product, about 2^-1101, is no double: it must not pass for nothing. */
    double small = 0x1.0000000000001p-600, width = 0x1.0000000000001p-450, zero = 0;
    assert_int_equal(dpn_space_linear(point, 1, &small, 1, &zero, &width, NULL), DPN_EACCURACY);
    assert_int_equal(dpn_space_linear(point, 1, &zero, 1, &zero, &width, NULL), DPN_OK);
    assert_true(point[0] == 0);
    /* A sampled space lies in the true one and comes near it. */
    seeded random;
    seeded_begin(&random, 6);
    double sampled[4000], minus = -1, one = 1, delta;
    dpn_norm_ball *k2;
    assert_int_equal(dpn_ball_k2(&k2, NULL), DPN_OK);
    assert_int_equal(dpn_space_sampled(sampled, 2000, 2, 1, &minus, &one, square_of, NULL, &random.rng, NULL), DPN_OK);
    assert_int_equal(dpn_sensitivity_upper(&delta, k2, sampled, 2000, NULL), DPN_OK);
    assert_true(delta <= 1 + 1e-12 && delta > 0.98);
    dpn_ball_free(k2);
}

/* The variance of the noise given that it lies on a line, by formula: Gamma(m) along the line has E = m(m+1)/|e|^2. */
static void test_conditional_variance(void **state) {
    (void)state;
    const double along[] = {3, 4};
    dpn_norm_ball *two = lp(2, 2, NULL), *infinite = lp(2, INFINITY, NULL);
    assert_near(dpn_knorm_conditional_variance(two, 2, along), 2 * 3 * 4, 1e-14);
    assert_near(dpn_knorm_conditional_variance(infinite, 2, along), 2 * 3 * 4 / (0.8 * 0.8), 1e-14);
    dpn_ball_free(two);
    dpn_ball_free(infinite);
}

/* l_p balls of any weights, and in a hull: by the longest of many vectors on the surface, which is not beyond the truth. */
static void test_containment_of_lp(void **state) {
    (void)state;
    static const double power[] = {1, 1.5, 2, 3, INFINITY}, weight[][2] = {{1, 1}, {0.5, 2}, {3, 0.7}};
    enum { BALLS = 15, ANGLES = 4000 };
    dpn_norm_ball *ball[BALLS + 1];
    for (int i = 0; i < BALLS; i++)
        assert_int_equal(dpn_ball_lp(&ball[i], 2, power[i % 5], weight[i / 5], NULL), DPN_OK);
    assert_int_equal(dpn_ball_hull(&ball[BALLS], 2, (double[]){1, 0, 0, 1, 0.75, 0.75}, 3, NULL), DPN_OK);
    for (int i = 0; i < BALLS; i++)
        for (int j = 0; j <= BALLS; j++) {
            double longest = 0;
            for (int k = 0; k < ANGLES; k++) {
                double u[] = {cos(k * 3.14159265358979 / ANGLES), sin(k * 3.14159265358979 / ANGLES)};
                longest = fmax(longest, dpn_ball_norm(ball[j], u) / dpn_ball_norm(ball[i], u));
            }
            assert_int_equal(dpn_ball_inside(ball[i], 1, ball[j], longest * (1 + 1e-3)), DPN_ORDER_INSIDE);
            assert_int_equal(dpn_ball_inside(ball[i], 1, ball[j], longest * (1 - 1e-6)), DPN_ORDER_NOT_INSIDE);
        }
    dpn_norm_ball *wide; /* they touch */
    assert_int_equal(dpn_ball_lp(&wide, 2, 3, (double[]){1, 7}, NULL), DPN_OK);
    assert_int_equal(dpn_ball_inside(ball[2], 1, wide, 1), DPN_ORDER_INSIDE);
    assert_int_equal(dpn_ball_inside(wide, 1, ball[3], 1), DPN_ORDER_NOT_INSIDE);
    dpn_ball_free(wide);
    for (int i = 0; i <= BALLS; i++) dpn_ball_free(ball[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_containment_of_lp),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_example_2_10),
        cmocka_unit_test(test_k2_a_second_time),
        cmocka_unit_test(test_regression),
        cmocka_unit_test(test_cautionary_example),
        cmocka_unit_test(test_same_ball_twice),
        cmocka_unit_test(test_points_and_facets),
        cmocka_unit_test(test_points_in_40_dimensions),
        cmocka_unit_test(test_intersection_and_refusals),
        cmocka_unit_test(test_support_of_lp),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_conditional_variance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
