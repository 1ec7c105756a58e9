/* Draws by rejection: intersections, products, linear images, members. The norm has its gamma law and is independent of the
 * direction, whose law is that of random points of the ball; spans decide as doubles do; sources that end; balls that fill
 * too little of their envelope. Seeded; the rate of false alarms over all seeds is 1e-6 for all tests together. */
#include "geometry/gauge.h"
#include "geometry/rejection.h"
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

enum { MOST = 10, BINS = 40, OCTILES = 8, SECTORS = 8 };
static const double alarm = 1e-6 / 60;

/* ---- Balls ---- */

static dpn_norm_ball *lp(size_t m, double p, const double *weight) {
    dpn_norm_ball *ball;
    assert_int_equal(dpn_ball_lp(&ball, m, p, weight, NULL), DPN_OK);
    return ball;
}

static dpn_norm_ball *hull(size_t m, size_t more, uint64_t seed) {
    draw_source source = {.state = seed};
    double point[12 * 8] = {0};
    dpn_norm_ball *ball;
    for (size_t i = 0; i < m; i++) point[i * m + i] = 0.1 * (double)(5 + i);
    for (size_t i = m * m; i < (m + more) * m; i++) point[i] = draw_uniform(&source, -1, 1);
    assert_int_equal(dpn_ball_hull(&ball, m, point, m + more, NULL), DPN_OK);
    return ball;
}

static dpn_norm_ball *k2(void) {
    dpn_norm_ball *ball;
    assert_int_equal(dpn_ball_k2(&ball, NULL), DPN_OK);
    return ball;
}

typedef dpn_status (*maker)(dpn_norm_ball **, dpn_norm_ball *const *, size_t, dpn_error *);

static dpn_norm_ball *made_of(maker make, dpn_norm_ball *a, dpn_norm_ball *b, dpn_norm_ball *c) {
    dpn_norm_ball *part[] = {a, b, c}, *ball;
    assert_int_equal(make(&ball, part, c ? 3 : 2, NULL), DPN_OK);
    return ball;
}

static dpn_norm_ball *image(dpn_norm_ball *ball) {
    static const double two[] = {1, 0.3, -0.2, 0.7}, three[] = {1, 0.5, 0, -0.3, 0.8, 0.1, 0.2, 0, 0.6};
    dpn_norm_ball *out;
    assert_int_equal(dpn_ball_image(&out, ball, ball->dimension == 2 ? two : three, NULL), DPN_OK);
    return out;
}

static bool in_k2(void *context, const double *u) {
    (void)context;
    double a = fabs(u[0]), c = fabs(u[1]);
    return c <= 2 && a <= 2 && (a <= 1 || c <= 2 - 2 * (a - 1) * (a - 1));
}

static dpn_norm_ball *members(void) {
    static const double half[] = {2, 2};
    dpn_norm_ball *ball;
    assert_int_equal(dpn_ball_members(&ball, 2, half, 1, in_k2, NULL, NULL), DPN_OK);
    return ball;
}

static const double tenths[] = {0.6, 0.6, 0.6}, wide[] = {1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5},
                    sides[] = {1, 2, 0.75, 1.25};

enum { KINDS = 15 };

static dpn_norm_ball *ball_of(int kind) {
    switch (kind) {
    case 0: /* an octagon */
        return made_of(dpn_ball_intersection, lp(2, INFINITY, NULL), lp(2, 1, wide), NULL);
    case 1:
        return made_of(dpn_ball_intersection, lp(4, 2, NULL), lp(4, INFINITY, (double[]){0.5, 2, 0.75, 0.5}), NULL);
    case 2:
        return image(lp(3, 2, sides));
    case 3:
        return image(hull(3, 3, 5));
    case 4:
        return image(lp(2, 1.5, sides));
    case 5:
        return made_of(dpn_ball_product, lp(2, 2, sides), hull(3, 2, 6), lp(2, 1, NULL));
    case 6:
        return made_of(dpn_ball_product, k2(), lp(2, 3, NULL), NULL);
    case 7: /* the inverse of a matrix has a part */
        return made_of(dpn_ball_intersection, image(lp(3, INFINITY, tenths)), lp(3, 2, tenths), hull(3, 2, 7));
    case 8: /* blocks */
        return made_of(dpn_ball_sum,
                       made_of(dpn_ball_intersection, lp(2, 2, NULL), lp(2, 1, (double[]){1.2, 1.2}), NULL),
                       lp(3, INFINITY, sides), NULL);
    case 9: /* a sum within something else */
        return made_of(dpn_ball_intersection, made_of(dpn_ball_sum, lp(2, 2, NULL), lp(1, 1, NULL), NULL),
                       lp(3, INFINITY, (double[]){0.8, 0.8, 0.8}), NULL);
    case 10:
        return members();
    case 11:
        return made_of(dpn_ball_intersection, hull(8, 2, 8), lp(8, 2, NULL), NULL);
    case 12: /* an image of an intersection with an image */
        return image(made_of(dpn_ball_intersection, image(lp(2, 2, NULL)), lp(2, 1.25, NULL), NULL));
    case 13:
        return made_of(dpn_ball_intersection, lp(8, 1, wide), lp(8, 2, NULL), NULL);
    default: /* an octagon whose diamond is smaller than its box */
        return made_of(dpn_ball_intersection, lp(2, INFINITY, NULL), lp(2, 1, (double[]){1.3, 1.3}), NULL);
    }
}

static dpn_ball_sampler *sampler_of(const dpn_norm_ball *ball, double rate, int grid) {
    int exponent[MOST];
    dpn_ball_sampler *sampler;
    dpn_error why;
    for (size_t i = 0; i < MOST; i++) exponent[i] = grid;
    if (dpn_ball_sampler_new(&sampler, ball, rate, exponent, &why)) fail_msg("%s", why.sentence);
    return sampler;
}

/* ---- The law ---- */

static int sector_of(const double *v, size_t m) {
    double turn = 0;
    for (size_t i = 0; i < m; i++) turn += v[i] * (i % 3 == 1 ? -0.7 : 1);
    return (v[0] > 0) + 2 * (fabs(v[m - 1]) > fabs(v[0])) + 4 * (turn > 0);
}

/* The shares of sectors among random points of the box that lie in the ball, with floating-point numbers. */
static void reference_shares(double *share, const dpn_norm_ball *ball, int n, uint64_t seed) {
    draw_source source = {.state = seed};
    double half[MOST], u[MOST];
    dpn_ball_half_widths(half, ball);
    for (int i = 0; i < SECTORS; i++) share[i] = 0;
    for (int k = 0; k < n;) {
        for (size_t i = 0; i < ball->dimension; i++) u[i] = draw_uniform(&source, -half[i], half[i]);
        if (dpn_ball_norm(ball, u) > 1) continue;
        share[sector_of(u, ball->dimension)] += 1.0 / n;
        k++;
    }
}

static void check_law(const dpn_norm_ball *ball, double rate, int grid, int n, uint64_t seed) {
    size_t m = ball->dimension;
    dpn_ball_sampler *sampler = sampler_of(ball, rate, grid);
    seeded source;
    seeded_begin(&source, seed);
    uint64_t count[BINS] = {0}, pair[OCTILES * SECTORS] = {0}, seen[SECTORS] = {0};
    double probability[BINS], joint[OCTILES * SECTORS], share[SECTORS];
    for (int k = 0; k < n; k++) {
        int64_t steps[MOST];
        double v[MOST];
        assert_int_equal(dpn_ball_sampler_draw(steps, sampler, &source.rng, NULL), DPN_OK);
        for (size_t i = 0; i < m; i++) v[i] = ldexp((double)steps[i], grid);
        double tail = gamma_sf((int)m, dpn_ball_norm(ball, v) * rate);
        int bin = (int)(BINS * tail), octile = (int)(OCTILES * tail), sector = sector_of(v, m);
        count[bin < BINS ? bin : BINS - 1]++;
        octile = octile < OCTILES ? octile : OCTILES - 1;
        pair[octile * SECTORS + sector]++;
        seen[sector]++;
    }
    for (int i = 0; i < BINS; i++) probability[i] = 1.0 / BINS;
    double fit = fit_pearson(count, probability, BINS, n);
    if (fit > fit_pearson_limit(BINS, alarm)) fail_msg("norm: %g", fit);
    size_t cells = 0; /* sectors that are not empty; where two are never met together the rest are fewer */
    uint64_t met[OCTILES * SECTORS];
    for (int i = 0; i < OCTILES * SECTORS; i++)
        if (seen[i % SECTORS] > 0) {
            met[cells] = pair[i];
            joint[cells++] = (double)seen[i % SECTORS] / n / OCTILES;
        }
    fit = fit_pearson(met, joint, cells, n);
    if (fit > fit_pearson_limit(cells, alarm)) fail_msg("norm and direction: %g", fit);
    /* Two samples: the expectation is known within the error of 4 n points. In many dimensions the box has too few of them. */
    if (m < 8) reference_shares(share, ball, 4 * n, seed + 1);
    for (int i = 0; i < SECTORS && m < 8; i++) {
        double error = sqrt(share[i] * (1 - share[i]) * 1.25 / n) + 1.0 / n;
        if (fabs((double)seen[i] / n - share[i]) > 6.5 * error)
            fail_msg("direction: %g, not %g", (double)seen[i] / n, share[i]);
    }
    dpn_ball_sampler_free(sampler);
}

static void test_law(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        dpn_norm_ball *ball = ball_of(kind);
        print_message("# kind %d\n", kind);
        check_law(ball, 0.8, -18, kind == 11 ? points(2000, 20000) : points(5000, 50000), (uint64_t)kind + 100);
        dpn_ball_free(ball);
    }
}

/* Doubles decide no rounding on so fine a grid. */
static void test_law_the_slow_way(void **state) {
    (void)state;
    static const int kind[] = {0, 2, 5};
    for (int k = 0; k < 3; k++) {
        dpn_norm_ball *ball = ball_of(kind[k]);
        check_law(ball, 1, -48, points(400, 4000), (uint64_t)kind[k] + 200);
        dpn_ball_free(ball);
    }
}

/* ---- Doubles and spans ---- */

/* The same words, decided by doubles where they can, and by spans alone, come to the same verdicts. */
static void test_spans_decide_as_doubles(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        dpn_norm_ball *ball = ball_of(kind);
        dpn_interior *fast, *slow;
        dpn_point_work one, two;
        if (ball->kind == &dpn_norm_ball_kind_sum || !dpn_gauge_exists(ball)) {
            dpn_ball_free(ball);
            continue;
        }
        assert_int_equal(dpn_interior_new(&fast, ball, NULL), DPN_OK);
        assert_int_equal(dpn_interior_new(&slow, ball, NULL), DPN_OK);
        assert_true(dpn_point_work_new(&one, fast) && dpn_point_work_new(&two, slow));
        slow->evaluation = INFINITY;
        bool slowly = kind == 4 || kind == 6 || kind == 11 || kind == 12; /* roots, many facets */
        for (uint64_t seed = 1; seed <= (uint64_t)points(slowly ? 10 : 100, slowly ? 100 : 1000); seed++) {
            seeded a, b;
            seeded_begin(&a, seed);
            seeded_begin(&b, seed);
            dpn_try verdict = dpn_interior_try(fast, &one, &a.rng);
            if (dpn_interior_try(slow, &two, &b.rng) != verdict) fail_msg("kind %d, seed %d", kind, (int)seed);
            /* And the doubles err by no more than they say. */
            dpn_span span[MOST];
            int limbs = dpn_interior_limbs(slow, &two);
            assert_true(dpn_interior_spans(span, slow, &two, limbs));
            for (size_t i = 0; i < ball->dimension; i++) {
                dpn_span low = dpn_span_double(limbs, two.value[slow->value + i] - two.error[slow->value + i]);
                dpn_span high = dpn_span_double(limbs, two.value[slow->value + i] + two.error[slow->value + i]);
                assert_int_equal(dpn_span_compare(limbs, &span[i], &low), 1);
                assert_int_equal(dpn_span_compare(limbs, &span[i], &high), -1);
            }
        }
        dpn_point_work_free(&one, fast);
        dpn_point_work_free(&two, slow);
        dpn_interior_free(fast);
        dpn_interior_free(slow);
        dpn_ball_free(ball);
    }
}

static void test_fast_and_slow_roundings_agree(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind += 3) {
        dpn_norm_ball *ball = ball_of(kind);
        dpn_ball_sampler *fast = sampler_of(ball, 0.5, -12), *slow = sampler_of(ball, 0.5, -48);
        for (int seed = 0; seed < points(40, 400); seed++) {
            seeded one, two;
            int64_t coarse[MOST], fine[MOST];
            seeded_begin(&one, (uint64_t)seed + 1);
            seeded_begin(&two, (uint64_t)seed + 1);
            assert_int_equal(dpn_ball_sampler_draw(coarse, fast, &one.rng, NULL), DPN_OK);
            assert_int_equal(dpn_ball_sampler_draw(fine, slow, &two.rng, NULL), DPN_OK);
            for (size_t i = 0; i < ball->dimension; i++)
                assert_true(fabs(ldexp((double)fine[i], -36) - (double)coarse[i]) <= 0.5 + 0x1p-36);
        }
        dpn_ball_sampler_free(fast);
        dpn_ball_sampler_free(slow);
        dpn_ball_free(ball);
    }
}

/* A point of the octagon's edge to 63 bits: only the bits that follow decide, and as they say. */
static void test_on_the_edge(void **state) {
    (void)state;
    dpn_norm_ball *ball = ball_of(0); /* |u1|, |u2| <= 1, |u1| + |u2| <= 1.5; the envelope is the box */
    dpn_interior *interior;
    dpn_point_work work;
    assert_int_equal(dpn_interior_new(&interior, ball, NULL), DPN_OK);
    assert_int_equal(interior->envelope, DPN_ENVELOPE_BOX);
    assert_true(dpn_point_work_new(&work, interior));
    const uint64_t three_quarters = UINT64_C(0xc) << 60, ones = UINT64_MAX;
    static const struct {
        uint64_t first, second;
        dpn_try verdict;
    } row[] = {{0, 5, DPN_DRAWN}, {6, UINT64_MAX - 4, DPN_AGAIN}, {0, UINT64_MAX, DPN_GIVEN_UP}};
    for (int k = 0; k < 3; k++) {
        /* u1 = 3/4 and u2 = 3/4 less a last bit; then words for both in turn. */
        uint64_t word[80] = {three_quarters, three_quarters - 2, row[k].first, row[k].second};
        for (int i = 4; i < 80; i++) word[i] = row[k].verdict == DPN_GIVEN_UP && i % 2 ? ones : 0;
        tape words;
        tape_begin(&words, word, 80);
        assert_int_equal(dpn_interior_try(interior, &work, &words.rng), row[k].verdict);
        assert_false(work.no_memory);
    }
    /* Points that lie 2^-61 inside or outside, which the rounding of doubles does not tell. */
    draw_source random = {.state = 77};
    for (int k = 0; k < 500; k++) {
        /* A word is a sign, its lowest bit, and the 63 bits of a number: those of 3/2 are 3 2^63, less the first. */
        const uint64_t half = UINT64_C(1) << 63;
        uint64_t first = (half | draw_bits(&random) >> 1) & ~UINT64_C(1), second = half - first;
        bool outside = k % 2;
        second = outside ? second + 8 : second - 8;
        uint64_t word[10] = {first, second};
        tape words;
        tape_begin(&words, word, 10);
        assert_int_equal(dpn_interior_try(interior, &work, &words.rng), outside ? DPN_AGAIN : DPN_DRAWN);
    }
    dpn_point_work_free(&work, interior);
    dpn_interior_free(interior);
    dpn_ball_free(ball);
}

/* ---- Acceptance, failures ---- */

static bool needle(void *context, const double *u) {
    (void)context;
    return fabs(u[0]) < 1e-9;
}

static void test_acceptance(void **state) {
    (void)state;
    dpn_norm_ball *ball = ball_of(0), *thin;
    dpn_ball_sampler *sampler = sampler_of(ball, 1, -10);
    double share = dpn_ball_sampler_acceptance(sampler);
    assert_true(fabs(share - 3.5 / 4) < 0.15 && dpn_ball_sampler_exact(sampler));
    dpn_ball_sampler_free(sampler);
    dpn_ball_free(ball);
    ball = k2();
    sampler = sampler_of(ball, 1, -10);
    assert_true(fabs(dpn_ball_sampler_acceptance(sampler) - 40.0 / 3 / 16) < 0.01);
    dpn_ball_sampler_free(sampler);
    dpn_ball_free(ball);
    ball = members();
    sampler = sampler_of(ball, 1, -10);
    assert_false(dpn_ball_sampler_exact(sampler));
    dpn_ball_sampler_free(sampler);
    dpn_ball_free(ball);
    ball = lp(2, 2, NULL);
    sampler = sampler_of(ball, 1, -10);
    assert_true(dpn_ball_sampler_acceptance(sampler) == 1 && dpn_ball_sampler_exact(sampler));
    dpn_ball_sampler_free(sampler);
    dpn_ball_free(ball);
    /* Balls that fill too little of the box around them. */
    int grid[5000] = {0};
    dpn_error why;
    sampler = NULL;
    assert_int_equal(dpn_ball_members(&thin, 1, (double[]){1}, 1e-10, needle, NULL, NULL), DPN_OK);
    assert_int_equal(dpn_ball_sampler_new(&sampler, thin, 1, grid, &why), DPN_EACCURACY);
    assert_non_null(strstr(why.sentence, "take a ball that contains it"));
    dpn_ball_free(thin);
    assert_int_equal(dpn_ball_regression(&thin, 60, NULL), DPN_OK);
    assert_int_equal(dpn_ball_sampler_new(&sampler, thin, 1, grid, &why), DPN_EACCURACY);
    dpn_ball_free(thin);
    /* Hulls without facets have no draws, alone or within something. */
    assert_int_equal(dpn_ball_points(&thin, 2, (double[]){1, 0, 0, 1}, 2, NULL), DPN_OK);
    assert_int_equal(dpn_ball_sampler_new(&sampler, thin, 1, grid, NULL), DPN_EUNSUPPORTED);
    assert_null(sampler);
    dpn_ball_free(thin);
}

static void test_source_that_ends(void **state) {
    (void)state;
    dpn_norm_ball *ball = ball_of(7);
    dpn_ball_sampler *sampler = sampler_of(ball, 1, -50);
    uint64_t word[400];
    draw_source random = {.state = 9};
    for (int i = 0; i < 400; i++) word[i] = draw_bits(&random);
    for (size_t length = 0;; length++) {
        tape end;
        int64_t steps[3] = {1, 1, 1};
        tape_begin(&end, word, length);
        dpn_status status = dpn_ball_sampler_draw(steps, sampler, &end.rng, NULL);
        if (status == DPN_OK) break;
        assert_int_equal(status, DPN_EENTROPY);
        for (int i = 0; i < 3; i++) assert_int_equal(steps[i], 0);
        assert_true(length < 400);
    }
    dpn_ball_sampler_free(sampler);
    dpn_ball_free(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_law_the_slow_way),
        cmocka_unit_test(test_spans_decide_as_doubles),
        cmocka_unit_test(test_fast_and_slow_roundings_agree),
        cmocka_unit_test(test_on_the_edge),
        cmocka_unit_test(test_acceptance),
        cmocka_unit_test(test_source_that_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
