/* Hulls: known ones, random ones against every supporting plane and against random points, flat ones, and broken ones
 * that the second look must refuse. */
#include "geometry/ball.h"
#include "reference/draw.h"
#include "unit/geometry/brute.h"
#include "unit/random/seeded.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_norm_ball *hull_of(size_t m, const double *point, size_t count) {
    dpn_norm_ball *out;
    dpn_error why = {DPN_OK, ""};
    if (dpn_ball_hull(&out, m, point, count, &why)) fail_msg("%s", why.sentence);
    return out;
}

static double volume_of(const dpn_norm_ball *ball) {
    dpn_volume volume;
    assert_int_equal(dpn_ball_volume(&volume, ball, NULL, 0, NULL), DPN_OK);
    assert_true(volume.exact);
    return exp(volume.log);
}

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance * fabs(b))) fail_msg("%.17g is not %.17g", a, b);
}

/* Cubes and cross-polytopes, with sides of awkward sizes. */
static void test_known(void **state) {
    (void)state;
    for (size_t m = 1; m <= 6; m++) {
        double corner[32 * 6], unit[36] = {0}, sides = 1, u[6];
        for (size_t j = 0; j < m; j++) {
            double side = 0.1 + (double)j;
            sides *= side;
            unit[j * m + j] = side;
            u[j] = j % 2 ? -0.3 : 0.7;
            for (size_t c = 0; c < (size_t)1 << (m - 1); c++) corner[c * m + j] = c >> j & 1 ? -side : side;
        }
        dpn_norm_ball *cube = hull_of(m, corner, (size_t)1 << (m - 1)), *cross = hull_of(m, unit, m);
        assert_near(volume_of(cube), ldexp(sides, (int)m), 1e-13);
        assert_near(volume_of(cross), ldexp(sides, (int)m) / tgamma((double)m + 1), 1e-13);
        assert_int_equal(dpn_ball_vertices(cube), 1u << m);
        assert_int_equal(dpn_ball_vertices(cross), 2 * m);
        assert_int_equal(dpn_ball_facets(cross), 1u << m);
        double largest = 0, sum = 0;
        for (size_t j = 0; j < m; j++) {
            double part = fabs(u[j]) / (0.1 + (double)j);
            largest = fmax(largest, part);
            sum += part;
        }
        assert_near(dpn_ball_norm(cube, u), largest, 1e-14);
        assert_near(dpn_ball_norm(cross, u), sum, 1e-14);
        dpn_ball_free(cube);
        dpn_ball_free(cross);
    }
}

/* ---- Random sets ---- */

/* Points of one of several characters: small whole numbers (many coincidences), fractions, points on a sphere, points
 * far apart in scale, and points of a subspace. */
static size_t draw_points(draw_source *source, size_t m, double *point, int *character) {
    size_t count = m + draw_bits(source) % 9;
    *character = (int)(draw_bits(source) % 5);
    for (size_t i = 0; i < count * m; i++) {
        double x = draw_uniform(source, -1, 1);
        if (*character == 0) x = floor(x * 3.999);
        if (*character == 3) x = ldexp(x, (int)(i % m) * 7 - 12);
        point[i] = x;
    }
    for (size_t i = 0; i < count && *character == 2; i++) {
        double length = 0;
        for (size_t j = 0; j < m; j++) length = hypot(length, point[i * m + j]);
        for (size_t j = 0; j < m; j++) point[i * m + j] /= length;
    }
    for (size_t i = 0; i < count && *character == 4 && m > 1; i++) point[i * m + m - 1] = point[i * m] * 2;
    return count;
}

/* A mixture of the points and their negatives lies in the hull, and beyond the surface in its direction nothing does; the
 * volume is at most that of the box around it. */
static void check_members(const dpn_norm_ball *ball, const double *point, size_t count, draw_source *source) {
    size_t m = ball->dimension;
    double u[8] = {0}, half[8], total = 0, box = 0;
    for (size_t i = 0; i < count; i++) {
        double share = draw_uniform(source, -1, 1);
        total += fabs(share);
        for (size_t j = 0; j < m; j++) u[j] += share * point[i * m + j];
    }
    for (size_t j = 0; j < m; j++) u[j] /= total * (1 + 1e-12);
    double norm = dpn_ball_norm(ball, u);
    assert_true(norm <= 1 && dpn_ball_contains(ball, (double[8]){0}));
    for (size_t j = 0; j < m; j++) u[j] *= 0.999 / norm;
    assert_true(norm == 0 || dpn_ball_contains(ball, u));
    for (size_t j = 0; j < m; j++) u[j] *= 1.001 / 0.999;
    assert_false(norm > 0 && dpn_ball_contains(ball, u));
    dpn_volume volume;
    assert_int_equal(dpn_ball_volume(&volume, ball, NULL, 0, NULL), DPN_OK);
    dpn_ball_half_widths(half, ball);
    for (size_t j = 0; j < m; j++) box += log(2 * half[j]);
    assert_true(volume.exact && isfinite(volume.log) && volume.log <= box + 1e-12);
}

/* What holds of every hull: the points lie in it, the vertices on its surface, and it is symmetric and convex. */
static void check_ball(const dpn_norm_ball *ball, const double *point, size_t count, draw_source *source) {
    size_t m = ball->dimension;
    double u[8], v[8], w[8], upper;
    for (size_t i = 0; i < count; i++) {
        double norm = dpn_ball_norm(ball, point + i * m);
        assert_true(norm <= 1 + 1e-13);
        assert_int_equal(dpn_ball_norm_upper(&upper, ball, point + i * m, NULL), DPN_OK);
        assert_true(upper >= norm && upper <= 1 + 1e-9);
    }
    for (size_t i = 0; i < dpn_ball_vertices(ball); i++) {
        dpn_ball_vertex(u, ball, i);
        assert_near(dpn_ball_norm(ball, u), 1, 1e-12);
    }
    check_members(ball, point, count, source);
    for (size_t j = 0; j < m; j++) {
        u[j] = draw_uniform(source, -1, 1);
        v[j] = draw_uniform(source, -1, 1);
        w[j] = u[j] + v[j];
    }
    assert_true(dpn_ball_norm(ball, w) <= (dpn_ball_norm(ball, u) + dpn_ball_norm(ball, v)) * (1 + 1e-12));
    for (size_t j = 0; j < m; j++) w[j] = -u[j];
    assert_true(dpn_ball_norm(ball, w) == dpn_ball_norm(ball, u));
    /* The dual inequality is sharp at a vertex. */
    assert_true(dpn_ball_support(ball, u) * dpn_ball_norm(ball, v) >= -1e-12);
    double inner = 0;
    for (size_t j = 0; j < m; j++) inner += u[j] * v[j];
    assert_true(fabs(inner) <= dpn_ball_support(ball, u) * dpn_ball_norm(ball, v) * (1 + 1e-12));
}

static void check_sampler(const dpn_norm_ball *ball, dpn_rng *rng) {
    int grid[8];
    int64_t steps[8];
    dpn_ball_sampler *sampler;
    for (size_t j = 0; j < ball->dimension; j++) grid[j] = -20;
    assert_int_equal(dpn_ball_sampler_new(&sampler, ball, 1, grid, NULL), DPN_OK);
    for (int k = 0; k < 3; k++) assert_int_equal(dpn_ball_sampler_draw(steps, sampler, rng, NULL), DPN_OK);
    dpn_ball_sampler_free(sampler);
}

static void test_random_sets(void **state) {
    (void)state;
    draw_source source = {.state = 2024};
    seeded random;
    seeded_begin(&random, 4);
    int sets = points(1500, 15000), balls = 0, flat = 0;
    for (int s = 0; s < sets; s++) {
        size_t m = 1 + draw_bits(&source) % 5, rank, kept[10];
        double point[14 * 5];
        int character;
        size_t count = draw_points(&source, m, point, &character);
        dpn_norm_ball *ball;
        dpn_error why = {DPN_OK, ""};
        dpn_status status = dpn_ball_hull(&ball, m, point, count, &why);
        assert_int_equal(dpn_points_span(&rank, kept, m, point, count, NULL), DPN_OK);
        if (status) { /* flat: in the kept coordinates it is a ball */
            if (status != DPN_EDOMAIN || rank == m) fail_msg("%s", why.sentence);
            flat++;
            double reduced[14 * 5];
            for (size_t i = 0; i < count; i++)
                for (size_t k = 0; k < rank; k++) reduced[i * rank + k] = point[i * m + kept[k]];
            if (rank > 0) dpn_ball_free(hull_of(rank, reduced, count));
            continue;
        }
        assert_int_equal(rank, m);
        balls++;
        check_ball(ball, point, count, &source);
        if (s % 4 == 0) check_sampler(ball, &random.rng);
        if (character == 0 && m <= 4 && s % 3 == 0) {
            double u[4];
            for (size_t j = 0; j < m; j++) u[j] = draw_uniform(&source, -1, 1);
            assert_near(dpn_ball_norm(ball, u), brute_norm((int)m, point, count, u), 1e-12);
        }
        dpn_ball_free(ball);
    }
    assert_true(balls > sets / 3 && flat > sets / 20);
}

/* The share of random points of the box that lie in the hull, by the norm, is that of the exact volume. */
static void test_volume_by_points(void **state) {
    (void)state;
    draw_source source = {.state = 77};
    int n = points(20000, 200000);
    for (int s = 0; s < 12; s++) {
        size_t m = 2 + (size_t)s % 4;
        double point[14 * 5], half[5], u[5], box = 1;
        int character, inside = 0;
        dpn_norm_ball *ball;
        do {
            size_t count = draw_points(&source, m, point, &character);
            if (character != 4 && dpn_ball_hull(&ball, m, point, count, NULL) == DPN_OK) break;
        } while (true);
        dpn_ball_half_widths(half, ball);
        for (size_t j = 0; j < m; j++) box *= 2 * half[j];
        for (int k = 0; k < n; k++) {
            for (size_t j = 0; j < m; j++) u[j] = draw_uniform(&source, -half[j], half[j]);
            inside += dpn_ball_norm(ball, u) <= 1;
        }
        double p = volume_of(ball) / box, found = (double)inside / n;
        assert_true(fabs(found - p) <= 6 * sqrt(p * (1 - p) / n)); /* false alarm 2e-9 */
        dpn_ball_free(ball);
    }
}

/* Needles: normals so long that products cancel or overflow. The norm is known by construction. */
static void test_needles(void **state) {
    (void)state;
    const double thin[] = {1, 1, 1, 1 + 0x1p-52}, u[] = {0, 0x1p-52}, v[] = {3, 3 + 0x1p-51};
    dpn_norm_ball *ball = hull_of(2, thin, 2);
    double upper;
    /* (0, 2^-52) is the difference of the two points, v the sum of the first and twice the second. */
    assert_near(dpn_ball_norm(ball, u), 2, 1e-14);
    assert_near(dpn_ball_norm(ball, v), 3, 1e-14);
    assert_int_equal(dpn_ball_norm_upper(&upper, ball, v, NULL), DPN_OK);
    assert_true(upper >= 3 && upper <= 3 * (1 + 1e-14));
    assert_near(volume_of(ball), 0x1p-51, 1e-13);
    dpn_ball_free(ball);
    /* In 10 dimensions: points that differ little. */
    enum { M = 10 };
    double point[M * M] = {0}, at[M];
    for (size_t i = 0; i < M; i++) {
        for (size_t j = 0; j < M; j++) point[i * M + j] = i == j ? 0x1p19 : 0x1p19 - 1;
        point[i * M + i] += 0x1p-33;
    }
    ball = hull_of(M, point, M);
    for (size_t j = 0; j < M; j++) at[j] = point[j] - point[M + j]; /* two points of one facet, with different signs */
    assert_near(dpn_ball_norm(ball, at), 2, 1e-12);
    assert_int_equal(dpn_ball_norm_upper(&upper, ball, at, NULL), DPN_OK);
    assert_true(upper >= 2 && upper <= 2 * (1 + 1e-11));
    dpn_ball_free(ball);
    const double tiny[] = {0x1p-1074, 0};
    ball = hull_of(2, thin, 2);
    assert_int_equal(dpn_ball_norm_upper(&upper, ball, tiny, NULL), DPN_OK);
    assert_true(upper > 0);
    dpn_ball_free(ball);
}

/* ---- Refusals ---- */

static void expect(dpn_status status, size_t m, const double *point, size_t count, const char *words) {
    dpn_norm_ball *ball = NULL;
    dpn_error why = {DPN_OK, ""};
    assert_int_equal(dpn_ball_hull(&ball, m, point, count, &why), status);
    assert_null(ball);
    if (!strstr(why.sentence, words)) fail_msg("'%s' does not say '%s'", why.sentence, words);
}

static void test_refusals(void **state) {
    (void)state;
    const double flat[] = {1, 2, 3, 2, 4, 7}, nan[] = {1, NAN}, inf[] = {INFINITY, 1}, zero[] = {0, 0};
    const double spread[] = {0x1p-100, 1, 0x1p100, 2}, tiny[] = {1e-300, 1};
    expect(DPN_EDOMAIN, 3, flat, 2, "release coordinates 0,2 alone");
    expect(DPN_EDOMAIN, 2, nan, 1, "not finite");
    expect(DPN_EDOMAIN, 2, inf, 1, "not finite");
    expect(DPN_EDOMAIN, 2, zero, 1, "nothing can move");
    expect(DPN_EDOMAIN, 2, spread, 2, "round it to a grid");
    expect(DPN_EDOMAIN, 2, tiny, 1, "2^-400");
    expect(DPN_EDOMAIN, 2, flat, 0, "needs points");
    expect(DPN_EUNSUPPORTED, 11, flat, 1, "up to 10 dimensions");
}

/* ---- The second look ---- */

static void test_broken_hulls_are_refused(void **state) {
    (void)state;
    const double point[] = {2, 0, 0, 0, 3, 0, 0, 0, 1, 1, 1, 1, 2, 2, -1};
    for (int damage = 0; damage < 4; damage++) {
        dpn_hull hull;
        bool no_memory;
        assert_int_equal(dpn_hull_make(&hull, 3, point, 5, NULL), DPN_OK);
        assert_true(dpn_hull_verify(&hull, &no_memory));
        if (damage == 0) free(hull.facet[--hull.facets].exact); /* a hole */
        if (damage == 1) hull.facet[2].sign = -hull.facet[2].sign;
        if (damage == 2) hull.facet[1].corner[0] = (hull.facet[1].corner[0] + 2) % 10;
        if (damage == 3) hull.whole[3 * 2] = 5; /* a point that the facets do not support */
        assert_false(dpn_hull_verify(&hull, &no_memory));
        assert_false(no_memory);
        dpn_hull_free(&hull);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_random_sets),
        cmocka_unit_test(test_volume_by_points),
        cmocka_unit_test(test_needles),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_broken_hulls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
