/* Vectors of start boxes: pairs of coordinates against the law of the hidden size, the hidden size itself, fast against slow decisions,
 * whole sides, and sources that fail. Seeded: a run is repeatable; the rate of false alarms over all seeds is 1e-6. */
#include "calibrate/start-law.h"
#include "random/start-size.h"
#include "random/vector.h"
#include "unit/random/fit.h"
#include "unit/random/laws.h"
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

enum { MOST = 60, CELLS = 7, TESTS = 100 };
static const double alarm = 1e-6 / TESTS;

typedef struct box {
    bool stairs;
    double rate;
    size_t count;
    double c[MOST], scale[MOST];
} box;

static dpn_vector_sampler *sampler_of(const box *b, int grid) {
    int exponent[MOST];
    dpn_vector_sampler *out;
    for (size_t i = 0; i < b->count; i++) exponent[i] = grid;
    assert_int_equal(dpn_vector_sampler_start(&out, b->count, b->scale, b->c, b->stairs, b->rate, exponent, NULL),
                     DPN_OK);
    return out;
}

static dpn_start_law law_of_box(const box *b) {
    dpn_start_group group[MOST] = {{0}};
    dpn_start_law law = {0};
    for (size_t i = 0; i < b->count; i++) group[i] = (dpn_start_group){b->c[i], 1};
    assert_int_equal(dpn_start_law_make(&law, b->stairs, b->rate, group, b->count, NULL), DPN_OK);
    return law;
}

static void check_fit(const uint64_t *count, const double *probability, size_t bins, double n, const char *what) {
    double found = fit_pearson(count, probability, bins, n), limit = fit_pearson_limit(bins, alarm);
    if (found > limit) fail_msg("%s: chi-squared %g, limit %g", what, found, limit);
}

/* P(|y_0| > u, |y_last| > v). */
static double both_above(const box *b, const dpn_start_law *law, double u, double v) {
    double sum = 0;
    for (size_t k = 0; k < law->points; k++) {
        double first = 1 - u / (b->c[0] + law->size[k]), last = 1 - v / (b->c[b->count - 1] + law->size[k]);
        sum += law->share[k] * fmax(0, first) * fmax(0, last);
    }
    return sum;
}

/* The sizes of the first and the last coordinate, each in cells of about a third of its deviation; the last cell is all beyond. */
static void check_pairs(const box *b, int grid, int n, uint64_t seed) {
    dpn_vector_sampler *sampler = sampler_of(b, grid);
    dpn_start_law law = law_of_box(b);
    seeded source;
    seeded_begin(&source, seed);
    size_t last = b->count - 1;
    double g = ldexp(1, grid), edge[2][CELLS + 1], probability[CELLS * CELLS], moment = 0, fourth = 0;
    uint64_t count[CELLS * CELLS] = {0};
    for (int side = 0; side < 2; side++) {
        size_t i = side ? last : 0;
        double unit = b->scale[i] * (b->c[i] + law.mean) / 5;
        for (int k = 0; k < CELLS; k++) edge[side][k] = k == 0 ? 0 : (ceil(k * unit / g) - 0.5) * g / b->scale[i];
        edge[side][CELLS] = INFINITY;
    }
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            double sum = 0;
            for (int corner = 0; corner < 4; corner++) {
                double u = edge[0][i + (corner & 1)], v = edge[1][j + (corner >> 1)];
                if (isinf(u) || isinf(v)) continue;
                sum += (corner == 0 || corner == 3 ? 1 : -1) * both_above(b, &law, u, v);
            }
            probability[i * CELLS + j] = sum;
        }
    for (int k = 0; k < n; k++) {
        int64_t steps[MOST];
        int cell[2] = {0, 0};
        assert_int_equal(dpn_vector_sampler_draw(steps, sampler, &source.rng, NULL), DPN_OK);
        for (int side = 0; side < 2; side++) {
            size_t i = side ? last : 0;
            double y = fabs((double)steps[i]) * g / b->scale[i];
            while (y > edge[side][cell[side] + 1]) cell[side]++;
        }
        count[cell[0] * CELLS + cell[1]]++;
        double x = (double)steps[last] * g;
        moment += x * x;
        fourth += x * x * x * x;
    }
    check_fit(count, probability, CELLS * CELLS, n, "pairs of coordinates");
    double variance = b->scale[last] * b->scale[last] * dpn_start_law_error(&law, b->c[last], DPN_OBJECTIVE_MSE);
    double error = sqrt((fourth / n - moment / n * moment / n) / n);
    if (fabs(moment / n - variance) > 6 * error + g * g / 6) fail_msg("mean square %g, not %g", moment / n, variance);
    dpn_start_law_free(&law);
    dpn_vector_sampler_free(sampler);
}

static const box boxes[] = {
    {false, 1, 2, {0, 2.1}, {1, 0.3}},
    {false, 0.3, 3, {0.2, 4, 50}, {1, 0.5, 0.1}},
    {false, 20, 2, {3, 9}, {1, 2}}, /* it hardly grows: the weight falls from 0 on */
    {false, 1, 2, {0, 0}, {1, 1}},  /* the box */
    {true, 1, 2, {0.45, 2.62}, {1, 0.3}},
    {true, 3, 2, {0.488, 0.488}, {1, 1}},
    {true, 0.4, 3, {0.3, 2, 30}, {1, 0.5, 0.1}},
    {true, 0.15, 4, {0.3, 2, 30, 1e-3}, {1, 0.5, 0.1, 1}},
};
enum { BOXES = sizeof boxes / sizeof *boxes };

static void pairs(void **state) {
    (void)state;
    for (size_t i = 0; i < BOXES; i++) check_pairs(&boxes[i], -14, points(20000, 200000), 100 + i);
    for (int stairs = 0; stairs < 2; stairs++) {
        box many = {.stairs = stairs, .rate = 2, .count = MOST};
        for (size_t i = 0; i < MOST; i++) {
            many.c[i] = 0.25 * (double)(i * i) + (stairs ? 0.5 : 0);
            many.scale[i] = 1 / (1 + (double)i);
        }
        check_pairs(&many, -16, points(4000, 40000), 200 + (uint64_t)stairs);
    }
}

/* On a grid so fine that doubles decide nothing. */
static void pairs_the_slow_way(void **state) {
    (void)state;
    for (size_t i = 0; i < BOXES; i++) check_pairs(&boxes[i], -49, points(1500, 15000), 300 + i);
}

/* Staircases with half-integer sides give whole numbers uniform on {-n-j .. n+j}, with no rounding beside. */
static void whole_sides(void **state) {
    (void)state;
    enum { DRAWS = 40000, REACH = 8 };
    box b = {true, 1, 2, {0.5, 1.25}, {1, 2}}; /* sides 1/2 + j and 5/2 + 2j */
    dpn_start_law law = law_of_box(&b);
    dpn_vector_sampler *sampler = sampler_of(&b, 0);
    seeded source;
    seeded_begin(&source, 17);
    int n = points(DRAWS, 10 * DRAWS);
    double probability[2 * REACH + 1] = {0}, mass = 0;
    uint64_t count[2 * REACH + 1] = {0};
    for (int i = 0; i < n; i++) {
        int64_t steps[2];
        assert_int_equal(dpn_vector_sampler_draw(steps, sampler, &source.rng, NULL), DPN_OK);
        int64_t at = steps[1] + REACH;
        count[at < 0 ? 0 : at > 2 * REACH ? 2 * REACH : at]++;
    }
    for (int k = -REACH + 1; k < REACH; k++) {
        for (size_t j = 0; j < law.points; j++)
            if (abs(k) <= 2 + 2 * law.size[j]) probability[k + REACH] += law.share[j] / (5 + 4 * law.size[j]);
        mass += probability[k + REACH];
    }
    probability[0] = probability[2 * REACH] = (1 - mass) / 2;
    check_fit(count, probability, 2 * REACH + 1, n, "whole numbers");
    dpn_start_law_free(&law);
    dpn_vector_sampler_free(sampler);
}

/* The width is enough, and the staircase above the weight, at many points of the weight. */
static void the_staircase_is_above(void **state) {
    (void)state;
    draw_source random = {.state = 5};
    for (int trial = 0; trial < points(400, 4000); trial++) {
        bool stairs = trial % 2;
        double rate = draw_log_uniform(&random, 1e-3, 30), c[20];
        size_t count = 1 + (size_t)(draw_bits(&random) % 20);
        for (size_t i = 0; i < count; i++) c[i] = draw_log_uniform(&random, 1e-6, 1e4);
        dpn_start_size size;
        assert_int_equal(dpn_start_size_make(&size, stairs, rate, c, count, NULL), DPN_OK);
        double s = ldexp(1, size.width_log2), top = (double)size.top, speed = stairs ? rate : 1;
        for (int k = 0; k < 60; k++) {
            double d = (-8 + 0.3 * k) * s, r = top + d;
            if (stairs) r = nearbyint(r);
            d = r - top;
            if (r < 0) continue;
            double log_f = -speed * d, j = floor(d >= 0 ? d / s : -d / s - (stairs ? 0.5 / s : 0));
            for (size_t i = 0; i < count; i++) {
                double a = stairs ? c[i] : rate * c[i];
                log_f += log((a + r) / (a + top));
            }
            if (log_f > log(1.25) - j * log(2) + 1e-9) fail_msg("trial %d: log f %g at piece %g", trial, log_f, j);
        }
        dpn_start_size_free(&size);
    }
}

/* The same words, decided by doubles and by wide numbers. */
static void fast_and_slow_agree(void **state) {
    (void)state;
    for (int stairs = 0; stairs < 2; stairs++) {
        box b = {stairs, 0.7, 1, {1.3}, {1}};
        dpn_vector_sampler *fast = sampler_of(&b, -12), *slow = sampler_of(&b, -48);
        for (uint64_t seed = 1; seed < 300; seed++) {
            seeded one, two;
            int64_t coarse, fine;
            seeded_begin(&one, seed);
            seeded_begin(&two, seed);
            assert_int_equal(dpn_vector_sampler_draw(&coarse, fast, &one.rng, NULL), DPN_OK);
            assert_int_equal(dpn_vector_sampler_draw(&fine, slow, &two.rng, NULL), DPN_OK);
            assert_true(fabs(ldexp((double)fine, -36) - (double)coarse) <= 0.5 + 0x1p-36);
        }
        dpn_vector_sampler_free(fast);
        dpn_vector_sampler_free(slow);
    }
}

/* Heights that doubles cannot tell from the weight: words of y as near to it as words can be. The verdict must be that of exact
 * arithmetic, which the next word decides. */
static void heights_on_the_edge(void **state) {
    (void)state;
    const double c = 1;
    dpn_start_size size;
    assert_int_equal(dpn_start_size_make(&size, true, 1, &c, 1, NULL), DPN_OK);
    assert_int_equal(size.top, 0); /* e^-1 (1 + 1)/1 < 1 */
    assert_int_equal(size.width_log2, 1);
    /* r = 1 in the first piece: f = 2/e, y = 5/4 0.word; the edge is 8/(5e). */
    const uint64_t edge = UINT64_C(0x96AAA2DCCD5A2800); /* near it */
    long double value = 8 / (5 * expl(1)) * 0x1p64L;
    uint64_t near = (uint64_t)value;
    assert_true(near > edge - (UINT64_C(1) << 60) && near < edge + (UINT64_C(1) << 60));
    for (int side = -1; side <= 1; side += 2) {
        uint64_t word[] = {1, UINT64_C(1) << 63, near + (uint64_t)(int64_t)(side * 4096), 1, 0, 0, 0, 0};
        tape source;
        dpn_lazy r;
        tape_begin(&source, word, sizeof word / sizeof *word);
        assert_int_equal(dpn_start_size_draw(&r, &size, &source.rng), DPN_DRAWN);
        assert_int_equal(tape_taken(&source) == 3, side < 0); /* accepted below the edge, tried again above */
        if (side < 0) assert_int_equal(r.whole[0], 1);
    }
    dpn_start_size_free(&size);
}

static void sources_that_end(void **state) {
    (void)state;
    uint64_t word[400];
    draw_source random = {.state = 9};
    for (int i = 0; i < 400; i++) word[i] = draw_bits(&random);
    for (size_t k = 0; k < BOXES; k++) {
        dpn_vector_sampler *sampler = sampler_of(&boxes[k], -49);
        size_t count = boxes[k].count;
        for (size_t length = 0;; length++) {
            tape end;
            int64_t steps[MOST];
            for (size_t i = 0; i < count; i++) steps[i] = 1;
            tape_begin(&end, word, length);
            dpn_status status = dpn_vector_sampler_draw(steps, sampler, &end.rng, NULL);
            if (status == DPN_OK) break;
            assert_int_equal(status, DPN_EENTROPY);
            for (size_t i = 0; i < count; i++) assert_int_equal(steps[i], 0);
            assert_true(length < 400);
        }
        dpn_vector_sampler_free(sampler);
    }
}

static void refusals(void **state) {
    (void)state;
    const double one = 1, zero = 0, negative = -1, huge = 1e300;
    const int grid = 0, fine = -62;
    dpn_vector_sampler *out = NULL;
    assert_int_equal(dpn_vector_sampler_start(&out, 1, &one, NULL, false, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_start(&out, 1, &one, &negative, false, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_start(&out, 1, &one, &zero, true, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_start(&out, 1, &one, &huge, true, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_start(&out, 1, &one, &one, false, 0, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_start(&out, 1, &one, &one, false, NAN, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_start(&out, 1, &zero, &one, false, 1, &grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_start(&out, 1, &one, &one, false, 1, &fine, NULL), DPN_EDOMAIN);
    assert_null(out);
    /* At the ends of the domain, and a little beyond. */
    static const struct {
        double rate, offset;
        bool stairs, right;
        int grid;
    } rows[] = {
        {0x1p40, 1, false, true, -10},       {0x1.01p40, 1, false, false, -10},  {0x1p-30, 1, false, true, 0},
        {0x1.ffp-41, 1, false, false, 10},   {1, 0x1p400, false, true, 400},     {1, 0x1.01p400, false, false, 400},
        {1, 0x1p-400, true, true, -10},      {1, 0x1.ffp-401, true, false, -10}, {1, 0x1p-400, false, true, -10},
        {1, 0x1.ffp-401, false, false, -10}, {1, 0, false, true, -10},           {1, 0, true, false, -10}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_status status =
            dpn_vector_sampler_start(&out, 1, &one, &rows[i].offset, rows[i].stairs, rows[i].rate, &rows[i].grid, NULL);
        if (status != (rows[i].right ? DPN_OK : DPN_EDOMAIN))
            fail_msg("row %zu is %s", i, status ? "refused" : "taken");
        if (!status) dpn_vector_sampler_free(out);
    }
}

/* The finest grid is the one on which the offset and (2 d + 400)/rate, which is exceeded with a probability below 2^-200, have at most 2^61 steps. */
static void grids_end_where_draws_would_not_fit(void **state) {
    (void)state;
    static const double rates[] = {0x1p-20, 0.3, 1, 0x1p20}, offsets[] = {1e-3, 1, 1e9}, scales[] = {1, 0.7, 1e6};
    for (int i = 0; i < 36; i++) {
        double rate = rates[i % 4], offset[2] = {offsets[i / 4 % 3], 1}, scale[2] = {scales[i / 12], 1e-9};
        double most = scale[0] * (offset[0] + 404 / rate);
        int finest = (int)ceil(log2(most)) - 61;
        for (int finer = 0; finer < 3; finer++) {
            dpn_vector_sampler *made = NULL;
            int grid[2] = {finest + 1 - finer, 0};
            dpn_status status = dpn_vector_sampler_start(&made, 2, scale, offset, false, rate, grid, NULL);
            assert_int_equal(status, finer < 2 ? DPN_OK : DPN_EDOMAIN);
            dpn_vector_sampler_free(made);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs),
        cmocka_unit_test(pairs_the_slow_way),
        cmocka_unit_test(whole_sides),
        cmocka_unit_test(the_staircase_is_above),
        cmocka_unit_test(fast_and_slow_agree),
        cmocka_unit_test(heights_on_the_edge),
        cmocka_unit_test(sources_that_end),
        cmocka_unit_test(refusals),
        cmocka_unit_test(grids_end_where_draws_would_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
