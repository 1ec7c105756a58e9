/* Noise of polytopes and blocks: the law of the norm, its independence of the direction, variances against random
 * points of the ball, exact choice of simplices, fast against slow decisions, failing sources. Seeded; the rate of
 * false alarms over all seeds is 1e-6 for all tests together. */
#include "geometry/ball.h"
#include "random/vector.h"
#include "reference/draw.h"
#include "unit/random/fit.h"
#include "unit/random/gamma-law.h"
#include "unit/random/seeded.h"
#include "unit/random/tape.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 20, BINS = 40, OCTILES = 8 };
static const double alarm = 1e-6 / 50;

/* Axes and some random points, in tenths so that whole columns are long. */
static dpn_norm_ball *random_hull(size_t m, size_t more, uint64_t seed) {
    draw_source source = {.state = seed};
    double point[20 * 10] = {0};
    dpn_norm_ball *ball;
    for (size_t i = 0; i < m; i++) point[i * m + i] = 0.1 * (double)(5 + i);
    for (size_t i = m * m; i < (m + more) * m; i++) point[i] = draw_uniform(&source, -1, 1);
    assert_int_equal(dpn_ball_hull(&ball, m, point, m + more, NULL), DPN_OK);
    return ball;
}

static dpn_ball_sampler *sampler_of(const dpn_norm_ball *ball, double rate, int grid) {
    int exponent[MOST];
    dpn_ball_sampler *sampler;
    for (size_t i = 0; i < MOST; i++) exponent[i] = grid;
    assert_int_equal(dpn_ball_sampler_new(&sampler, ball, rate, exponent, NULL), DPN_OK);
    return sampler;
}

static void check_norm(const dpn_norm_ball *ball, double rate, int grid, int n, uint64_t seed) {
    size_t m = ball->dimension;
    dpn_ball_sampler *sampler = sampler_of(ball, rate, grid);
    seeded source;
    seeded_begin(&source, seed);
    uint64_t count[BINS] = {0}, pair[OCTILES * 4] = {0}, share[4] = {0};
    double probability[BINS], joint[OCTILES * 4], variance[MOST], square = 0, fourth = 0;
    for (int k = 0; k < n; k++) {
        int64_t steps[MOST];
        double v[MOST];
        assert_int_equal(dpn_ball_sampler_draw(steps, sampler, &source.rng, NULL), DPN_OK);
        for (size_t i = 0; i < m; i++) v[i] = ldexp((double)steps[i], grid);
        double tail = gamma_sf((int)m, dpn_ball_norm(ball, v) * rate);
        int bin = (int)(BINS * tail), octile = (int)(OCTILES * tail);
        count[bin < BINS ? bin : BINS - 1]++;
        octile = octile < OCTILES ? octile : OCTILES - 1;
        int sector = (v[0] > 0) + 2 * (fabs(v[m - 1]) > fabs(v[0]));
        pair[octile * 4 + sector]++;
        share[sector]++;
        square += v[0] * v[0] / n;
        fourth += v[0] * v[0] * v[0] * v[0] / n;
    }
    for (int i = 0; i < BINS; i++) probability[i] = 1.0 / BINS;
    assert_true(fit_pearson(count, probability, BINS, n) <= fit_pearson_limit(BINS, alarm));
    for (int i = 0; i < OCTILES * 4; i++) joint[i] = (double)share[i % 4] / n / OCTILES;
    if (m > 1) assert_true(fit_pearson(pair, joint, OCTILES * 4, n) <= fit_pearson_limit(OCTILES * 4, alarm));
    bool known = ball->kind->variance(ball, variance);
    if (known && fabs(square * rate * rate - variance[0]) > 6 * sqrt(fourth / n) * rate * rate)
        fail_msg("variance %g, not %g", square * rate * rate, variance[0]);
    dpn_ball_sampler_free(sampler);
}

static void test_norm(void **state) {
    (void)state;
    static const size_t dimension[] = {1, 2, 3, 5, 8};
    for (size_t d = 0; d < 5; d++) {
        dpn_norm_ball *ball = random_hull(dimension[d], dimension[d] > 5 ? 2 : 6, d + 1);
        check_norm(ball, 0.8, -20, dimension[d] > 5 ? points(3000, 30000) : points(15000, 150000), d + 10);
        dpn_ball_free(ball);
    }
    dpn_norm_ball *k3;
    assert_int_equal(dpn_ball_k3(&k3, NULL), DPN_OK);
    check_norm(k3, 2, -20, points(15000, 150000), 99);
    dpn_ball_free(k3);
}

/* Doubles decide nothing on so fine a grid. */
static void test_norm_the_slow_way(void **state) {
    (void)state;
    dpn_norm_ball *ball = random_hull(3, 5, 4);
    check_norm(ball, 1, -50, points(2000, 20000), 1);
    dpn_ball_free(ball);
}

/* Corners cut off a box; and on a grid where doubles decide no rounding. */
static void test_k2_and_regression(void **state) {
    (void)state;
    dpn_norm_ball *ball;
    assert_int_equal(dpn_ball_k2(&ball, NULL), DPN_OK);
    check_norm(ball, 0.7, -20, points(20000, 200000), 3);
    check_norm(ball, 0.7, -50, points(1000, 10000), 4);
    dpn_ball_free(ball);
    for (size_t p = 1; p <= 3; p++) {
        assert_int_equal(dpn_ball_regression(&ball, p, NULL), DPN_OK);
        check_norm(ball, 1.5, -20, points(10000, 100000), 5 + p);
        dpn_ball_free(ball);
    }
}

/* Points on the edge of a constraint to many words: only the bits that follow decide, and as they say. */
static void test_corners_on_the_edge(void **state) {
    (void)state;
    dpn_norm_ball *ball;
    assert_int_equal(dpn_ball_regression(&ball, 1, NULL), DPN_OK); /* x, y, 2 x^2, x y */
    dpn_ball_sampler *sampler = sampler_of(ball, 1, -20);
    /* The radius takes four words: piece 0, a place, y, a fraction. Then x = y = 3/4; 2 x^2 almost 0; and xy a last bit
     * below 1/2, so that 63 bits leave the sum of three open. What follows belongs to xy, x, y in turn. */
    const uint64_t three_quarters = UINT64_C(0xc) << 60, half = UINT64_C(1) << 63, ones = UINT64_MAX;
    static const struct {
        uint64_t xy, x;
        size_t taken;      /* words, if the first refinement decides */
        dpn_status status; /* on the edge for ever: undecided at last */
    } row[] = {{UINT64_MAX - 10, 0, 11, DPN_OK}, {UINT64_MAX, 5, 0, DPN_OK}, {UINT64_MAX, 0, 0, DPN_EACCURACY}};
    for (int k = 0; k < 3; k++) {
        uint64_t word[80] = {1, half, 0, half, three_quarters, three_quarters, 2, half - 2, row[k].xy, row[k].x};
        for (int i = 11; i < 80 && row[k].status; i++) word[i] = (i - 8) % 3 == 0 ? ones : 0;
        tape words;
        int64_t steps[4];
        tape_begin(&words, word, 80);
        assert_int_equal(dpn_ball_sampler_draw(steps, sampler, &words.rng, NULL), row[k].status);
        if (row[k].taken) assert_int_equal(tape_taken(&words), row[k].taken);
        /* Above the edge the point is tried again, and zeros make one at the origin. */
        if (k < 2) assert_true((steps[0] != 0) == (k == 0));
    }
    dpn_ball_sampler_free(sampler);
    dpn_ball_free(ball);
}

static void test_blocks(void **state) {
    (void)state;
    const double side[] = {1, 2, 0.5};
    dpn_norm_ball *part[3], *sum;
    part[0] = random_hull(2, 4, 6);
    assert_int_equal(dpn_ball_lp(&part[1], 3, INFINITY, side, NULL), DPN_OK);
    assert_int_equal(dpn_ball_lp(&part[2], 2, 2, side, NULL), DPN_OK);
    assert_int_equal(dpn_ball_sum(&sum, part, 3, NULL), DPN_OK);
    check_norm(sum, 0.5, -16, points(10000, 100000), 7);
    dpn_ball_free(sum);
}

/* Variances of the hull by random points of its box that lie in it: (m+1)(m+2) E U_i^2. */
static void test_variance_by_points(void **state) {
    (void)state;
    draw_source source = {.state = 31};
    for (size_t m = 2; m <= 4; m++) {
        dpn_norm_ball *ball = random_hull(m, 5, m);
        double half[MOST], variance[MOST], sum[MOST] = {0}, squares[MOST] = {0}, u[MOST];
        dpn_ball_half_widths(half, ball);
        int n = points(40000, 400000), inside = 0;
        for (int k = 0; k < n; k++) {
            for (size_t i = 0; i < m; i++) u[i] = draw_uniform(&source, -half[i], half[i]);
            if (dpn_ball_norm(ball, u) > 1) continue;
            inside++;
            for (size_t i = 0; i < m; i++) {
                sum[i] += u[i] * u[i];
                squares[i] += pow(u[i], 4);
            }
        }
        assert_true(ball->kind->variance(ball, variance));
        for (size_t i = 0; i < m; i++) {
            double mean = sum[i] / inside, error = sqrt((squares[i] / inside - mean * mean) / inside);
            double expected = variance[i] / (double)((m + 1) * (m + 2));
            if (fabs(mean - expected) > 6 * error) fail_msg("%g, not %g", mean, expected);
        }
        dpn_ball_free(ball);
    }
}

/* Weights of very different size, which doubles could not tell from 0, are met: a hull with a sliver of a share of
 * 2^-70 never gives it here, and cones of shares 1 : 2 : 5 are drawn so. */
static void test_cones_by_weight(void **state) {
    (void)state;
    enum { CONES = 4, LIMBS = 2 };
    static const uint64_t cumulated[CONES * LIMBS] = {1, 0, 3, 0, 3, 1, 8, 1}; /* 1, 2, 2^-64, 5 in units of 2^64 */
    int n = points(40000, 400000);
    dpn_cones cones = {.cones = CONES, .vertices = CONES, .limbs = LIMBS};
    cones.cumulated = malloc(sizeof cumulated);
    cones.corner = calloc(CONES, sizeof *cones.corner);
    cones.vertex = calloc(CONES, sizeof *cones.vertex);
    assert_true(cones.cumulated && cones.corner && cones.vertex);
    memcpy(cones.cumulated, cumulated, sizeof cumulated);
    for (uint32_t i = 0; i < CONES; i++) {
        cones.corner[i] = i;
        cones.vertex[i] = ldexp(1, (int)(20 * i)); /* sizes that tell the cones apart: E is between 2^-9 and 2^9 */
    }
    int grid = -10;
    dpn_vector_sampler *sampler;
    assert_int_equal(dpn_vector_sampler_cones(&sampler, 1, &cones, 1, &grid, NULL),
                     DPN_EDOMAIN); /* 2^61 steps and more */
    cones = (dpn_cones){.cones = CONES, .vertices = CONES, .limbs = LIMBS};
    cones.cumulated = malloc(sizeof cumulated);
    cones.corner = calloc(CONES, sizeof *cones.corner);
    cones.vertex = calloc(CONES, sizeof *cones.vertex);
    assert_true(cones.cumulated && cones.corner && cones.vertex);
    memcpy(cones.cumulated, cumulated, sizeof cumulated);
    for (uint32_t i = 0; i < CONES; i++) {
        cones.corner[i] = i;
        cones.vertex[i] = ldexp(1, (int)(14 * i));
    }
    assert_int_equal(dpn_vector_sampler_cones(&sampler, 1, &cones, 1, &grid, NULL), DPN_OK);
    seeded source;
    seeded_begin(&source, 5);
    uint64_t count[3] = {0};
    static const double share[3] = {1.0 / 8, 2.0 / 8, 5.0 / 8};
    for (int k = 0; k < n; k++) {
        int64_t steps;
        assert_int_equal(dpn_vector_sampler_draw(&steps, sampler, &source.rng, NULL), DPN_OK);
        double size = fabs((double)steps) * 0x1p-10;
        count[size < 0x1p5 ? 0 : size < 0x1p20 ? 1 : 2]++;
    }
    /* E exceeds 2^5 or is below 2^-9 with a probability of 0.2 percent: the limit is for shares up to that. */
    for (int i = 0; i < 3; i++) assert_true(fabs((double)count[i] / n - share[i]) < 0.003 + 6 * sqrt(0.25 / n));
    dpn_vector_sampler_free(sampler);
}

static void test_fast_and_slow_agree(void **state) {
    (void)state;
    dpn_norm_ball *ball = random_hull(4, 5, 21);
    dpn_ball_sampler *fast = sampler_of(ball, 0.5, -12), *slow = sampler_of(ball, 0.5, -48);
    for (int seed = 0; seed < points(100, 1000); seed++) {
        seeded one, two;
        int64_t coarse[4], fine[4];
        seeded_begin(&one, (uint64_t)seed + 1);
        seeded_begin(&two, (uint64_t)seed + 1);
        assert_int_equal(dpn_ball_sampler_draw(coarse, fast, &one.rng, NULL), DPN_OK);
        assert_int_equal(dpn_ball_sampler_draw(fine, slow, &two.rng, NULL), DPN_OK);
        for (size_t i = 0; i < 4; i++)
            assert_true(fabs(ldexp((double)fine[i], -36) - (double)coarse[i]) <= 0.5 + 0x1p-36);
    }
    dpn_ball_sampler_free(fast);
    dpn_ball_sampler_free(slow);
    dpn_ball_free(ball);
}

static void test_source_that_ends(void **state) {
    (void)state;
    dpn_norm_ball *ball = random_hull(3, 4, 2);
    dpn_ball_sampler *sampler = sampler_of(ball, 1, -50);
    uint64_t word[200];
    draw_source random = {.state = 9};
    for (int i = 0; i < 200; i++) word[i] = draw_bits(&random);
    for (size_t length = 0;; length++) {
        tape end;
        int64_t steps[3] = {1, 1, 1};
        tape_begin(&end, word, length);
        dpn_status status = dpn_ball_sampler_draw(steps, sampler, &end.rng, NULL);
        if (status == DPN_OK) break;
        assert_int_equal(status, DPN_EENTROPY);
        for (int i = 0; i < 3; i++) assert_int_equal(steps[i], 0);
        assert_true(length < 200);
    }
    dpn_ball_sampler_free(sampler);
    dpn_ball_free(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_norm),
        cmocka_unit_test(test_norm_the_slow_way),
        cmocka_unit_test(test_k2_and_regression),
        cmocka_unit_test(test_corners_on_the_edge),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_variance_by_points),
        cmocka_unit_test(test_cones_by_weight),
        cmocka_unit_test(test_fast_and_slow_agree),
        cmocka_unit_test(test_source_that_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
