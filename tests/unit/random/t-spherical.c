/* Vectors of spherical noise: lengths and directions against their laws, on grids where doubles decide and where they decide nothing, fast against slow
 * decisions, heights on the edge, and sources that fail. Seeded: a run is repeatable; the rate of false alarms over all seeds is 1e-6. */
#include "random/radius.h"
#include "random/vector.h"
#include "unit/random/fit.h"
#include "unit/random/seeded.h"
#include "unit/random/tape.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 40, LENGTHS = 8, ANGLES = 4, TESTS = 20 };
static const double alarm = 1e-6 / TESTS;

typedef struct subject {
    size_t m;
    double alpha, beta, scale;
} subject;

static const subject subjects[] = {
    {2, 1, 0.5, 1}, {3, 0.01, 2, 4}, {5, 0.99, 0.095, 1}, {20, 1.5, 0.03, 0.25}, {40, 8, 1e-6, 1}, {2, 3, 1e-9, 1},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static dpn_vector_sampler *sampler_of(const subject *s, int grid) {
    double scale[MOST];
    int exponent[MOST];
    dpn_vector_sampler *out;
    dpn_error why;
    for (size_t i = 0; i < s->m; i++) {
        scale[i] = s->scale * (i == 0 ? 2 : 1);
        exponent[i] = grid;
    }
    if (dpn_vector_sampler_spherical(&out, s->m, scale, s->alpha, s->beta, exponent, &why))
        fail_msg("%s", why.sentence);
    return out;
}

/* ---- the laws ---- */

static double log_weight(const subject *s, double r) {
    return ((double)s->m - 1) * log(r) - s->alpha * r - 0.5 * s->beta * r * r;
}

/* Edges of equal probability of the length, by Simpson's rule on many points. */
static void length_edges(double edge[LENGTHS + 1], const subject *s) {
    enum { STEPS = 40000 };
    double power = (double)s->m - 1, mode = 2 * power / (s->alpha + sqrt(s->alpha * s->alpha + 4 * s->beta * power)),
           wide = 1 / sqrt(power / (mode * mode) + s->beta), end = mode + 60 * wide, h = end / STEPS, sum = 0;
    static double cumulated[STEPS / 2 + 1];
    for (int i = 0; i < STEPS / 2; i++) {
        double part = 0;
        for (int k = 0; k < 3; k++) {
            double r = (2 * i + k) * h;
            if (r > 0) part += (k == 1 ? 4 : 1) * exp(log_weight(s, r) - log_weight(s, mode));
        }
        cumulated[i + 1] = sum += part * h / 3;
    }
    edge[0] = 0;
    edge[LENGTHS] = INFINITY;
    for (int k = 1, i = 0; k < LENGTHS; k++) {
        while (cumulated[i + 1] < sum * k / LENGTHS) i++;
        double part = (sum * k / LENGTHS - cumulated[i]) / (cumulated[i + 1] - cumulated[i]);
        edge[k] = 2 * h * (i + part);
    }
}

/* P(|U_1| < u) on the sphere: sin^(m-2) of the angle. */
static double angle_share(size_t m, double u) {
    enum { STEPS = 2000 };
    double part = 0, all = 0;
    for (int i = 0; i < STEPS; i++) {
        double angle = 1.5707963267948966 * (i + 0.5) / STEPS, from = asin(u) * (i + 0.5) / STEPS;
        all += 1.5707963267948966 * pow(cos(angle), (double)m - 2);
        part += asin(u) * pow(cos(from), (double)m - 2);
    }
    return part / all;
}

/* Lengths and the first coordinate of the direction together: they are independent. */
static void check_cells(const subject *s, int grid, int n, uint64_t seed) {
    dpn_vector_sampler *sampler = sampler_of(s, grid);
    seeded source;
    seeded_begin(&source, seed);
    double edge[LENGTHS + 1], turn[ANGLES + 1] = {0}, probability[LENGTHS * ANGLES], unit = ldexp(1 / s->scale, grid);
    uint64_t count[LENGTHS * ANGLES] = {0}, negative = 0;
    length_edges(edge, s);
    for (int k = 1; k <= ANGLES; k++) turn[k] = k == ANGLES ? INFINITY : 0.6 * k / sqrt((double)s->m);
    for (int i = 0; i < LENGTHS; i++)
        for (int j = 0; j < ANGLES; j++)
            probability[i * ANGLES + j] =
                ((j + 1 == ANGLES ? 1 : angle_share(s->m, turn[j + 1])) - angle_share(s->m, turn[j])) / LENGTHS;
    for (int k = 0; k < n; k++) {
        int64_t steps[MOST];
        double square = 0, first = 0;
        int i = 0, j = 0;
        assert_int_equal(dpn_vector_sampler_draw(steps, sampler, &source.rng, NULL), DPN_OK);
        for (size_t c = 0; c < s->m; c++) {
            double x = (double)steps[c] * unit / (c == 0 ? 2 : 1);
            square += x * x;
            if (c == 0) first = fabs(x);
        }
        negative += steps[1] < 0;
        while (sqrt(square) > edge[i + 1]) i++;
        while (first / sqrt(square) > turn[j + 1]) j++;
        count[i * ANGLES + j]++;
    }
    double found = fit_pearson(count, probability, LENGTHS * ANGLES, n),
           limit = fit_pearson_limit(LENGTHS * ANGLES, alarm);
    if (found > limit) fail_msg("m = %zu, alpha = %g: chi-squared %g, limit %g", s->m, s->alpha, found, limit);
    assert_true(fabs((double)negative - 0.5 * n) < 3 * sqrt(n));
    dpn_vector_sampler_free(sampler);
}

static void lengths_and_directions(void **state) {
    (void)state;
    for (size_t i = 0; i < SUBJECTS; i++) check_cells(&subjects[i], -20, points(8000, 200000), 10 + i);
}

/* On a grid so fine that doubles decide nothing. */
static void the_slow_way(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) check_cells(&subjects[i], -49, points(800, 8000), 30 + i);
}

/* The same words, decided by doubles and by wide numbers. */
static void fast_and_slow_agree(void **state) {
    (void)state;
    dpn_vector_sampler *fast = sampler_of(&subjects[2], -12), *slow = sampler_of(&subjects[2], -48);
    for (uint64_t seed = 1; seed < 100; seed++) {
        seeded one, two;
        int64_t coarse[5], fine[5];
        seeded_begin(&one, seed);
        seeded_begin(&two, seed);
        assert_int_equal(dpn_vector_sampler_draw(coarse, fast, &one.rng, NULL), DPN_OK);
        assert_int_equal(dpn_vector_sampler_draw(fine, slow, &two.rng, NULL), DPN_OK);
        for (int i = 0; i < 5; i++) assert_true(fabs(ldexp((double)fine[i], -36) - (double)coarse[i]) <= 0.5 + 0x1p-36);
    }
    dpn_vector_sampler_free(fast);
    dpn_vector_sampler_free(slow);
}

/* ---- the radius ---- */

/* In long doubles. */
static long double log_f(const dpn_radius *radius, long double r) {
    long double unit = ldexpl(1, radius->exponent), top = (long double)radius->top * unit, x = r * unit;
    return radius->power * logl(x / top) - (x - top) * (radius->alpha + radius->beta * (x + top) / 2);
}

static void the_staircase_is_above(void **state) {
    (void)state;
    draw_source source = {21};
    for (int trial = 0; trial < points(300, 3000); trial++) {
        double power = floor(draw_log_uniform(&source, 1, 1e6));
        dpn_radius radius =
            dpn_radius_make(power, draw_log_uniform(&source, 1e-15, 1e15), draw_log_uniform(&source, 1e-15, 1e15));
        assert_true(radius.top >= 128 && radius.top < UINT64_C(1) << 40);
        for (int k = -400; k < 400; k++) {
            long double s = ldexpl(1, radius.width_log2), r = (long double)radius.top + k * s / 40;
            if (r <= 0) continue;
            if (log_f(&radius, r) > logl(1.25) - abs(k) / 40 * logl(2) + 1e-9)
                fail_msg("trial %d: log f %Lg at %d/40", trial, log_f(&radius, r), k);
        }
    }
}

/* Heights that doubles cannot tell from the weight: the verdict must be that of long doubles, which know 2^-55 of it. */
static void heights_on_the_edge(void **state) {
    (void)state;
    draw_source source = {22};
    for (int trial = 0; trial < points(200, 2000); trial++) {
        double power = floor(draw_log_uniform(&source, 1, 300));
        dpn_radius radius =
            dpn_radius_make(power, draw_log_uniform(&source, 0.01, 10), draw_log_uniform(&source, 0.01, 10));
        uint64_t where = draw_bits(&source), rest = draw_bits(&source);
        int k = radius.width_log2;
        int64_t whole =
            (int64_t)radius.top + (where & 1 ? -1 : 0) * (INT64_C(1) << k) + (int64_t)((where >> 1) >> (63 - k));
        if (whole <= 0) continue;
        long double f = expl(log_f(&radius, (long double)whole + ldexpl((long double)rest, -64))),
                    edge = f / 1.25L * 0x1p64L;
        if (edge > 0x1p63L * 1.9L || edge < 0x1p40L) continue;
        for (int side = -1; side <= 1; side += 2) {
            uint64_t near = (uint64_t)(edge * (1 + side * 0x1p-44L)), word[] = {1, where, near, rest, 5, 7, 0, 0};
            tape tried;
            dpn_lazy r;
            tape_begin(&tried, word, sizeof word / sizeof *word);
            dpn_try result = dpn_radius_draw(&r, &radius, &tried.rng);
            bool accepted = result == DPN_DRAWN && r.whole[0] == (uint64_t)whole &&
                            r.part.word[r.part.words - 1] != 0 && tape_taken(&tried) <= 6;
            if (accepted != (side < 0)) fail_msg("trial %d, side %d: the verdict is wrong", trial, side);
        }
    }
}

static void sources_that_end(void **state) {
    (void)state;
    uint64_t word[600];
    draw_source random = {.state = 9};
    for (int i = 0; i < 600; i++) word[i] = draw_bits(&random);
    dpn_vector_sampler *sampler = sampler_of(&subjects[1], -49);
    for (size_t length = 0;; length++) {
        tape end;
        int64_t steps[3] = {1, 1, 1};
        tape_begin(&end, word, length);
        dpn_status status = dpn_vector_sampler_draw(steps, sampler, &end.rng, NULL);
        if (status == DPN_OK) break;
        assert_int_equal(status, DPN_EENTROPY);
        for (int i = 0; i < 3; i++) assert_int_equal(steps[i], 0);
        assert_true(length < 600);
    }
    dpn_vector_sampler_free(sampler);
}

static void refusals(void **state) {
    (void)state;
    const double ones[] = {1, 1}, zero[] = {0, 1};
    const int grid[] = {0, 0}, fine[] = {-70, -70};
    dpn_vector_sampler *out = NULL;
    assert_int_equal(dpn_vector_sampler_spherical(NULL, 2, ones, 1, 1, grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_spherical(&out, 1, ones, 1, 1, grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_spherical(&out, 2, zero, 1, 1, grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_spherical(&out, 2, ones, 0, 1, grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_spherical(&out, 2, ones, 1, NAN, grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_spherical(&out, 2, ones, 1, 1, fine, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_spherical(&out, 2, ones, 0x1p-59, 0x1p-59, (int[]){-20, -40}, NULL),
                     DPN_EDOMAIN);
    assert_null(out);
    /* The ends of alpha and beta, on a grid that suits both: radii are about 1/alpha or 1/beta^(1/2). */
    static const struct {
        double alpha, beta;
        bool right;
    } rows[] = {{0x1p60, 1, true},  {0x1.01p60, 1, false},  {1, 0x1p60, true},  {1, 0x1.01p60, false},
                {0x1p-60, 1, true}, {0x1.ffp-61, 1, false}, {1, 0x1p-60, true}, {1, 0x1.ffp-61, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int suits[] = {-10, -10};
        dpn_status status = dpn_vector_sampler_spherical(&out, 2, ones, rows[i].alpha, rows[i].beta, suits, NULL);
        assert_int_equal(status, rows[i].right ? DPN_OK : DPN_EDOMAIN);
        if (!status) dpn_vector_sampler_free(out);
    }
}

/* The finest grid is the one on which the longest vector has at most 2^61 steps: one step finer is refused. */
static void grids_end_where_draws_would_not_fit(void **state) {
    (void)state;
    static const double alphas[] = {0.001, 0.01, 0.03}, betas[] = {1e-9, 1e-8, 1e-7}, scales[] = {1, 3.7, 1e-5};
    for (int i = 0; i < 27; i++) {
        double alpha = alphas[i % 3], beta = betas[i / 3 % 3], scale[2] = {scales[i / 9], scales[i / 9]};
        dpn_radius radius = dpn_radius_make(1, alpha, beta);
        int finest = (int)ceil(log2(scale[0] * dpn_radius_most(&radius))) - 61;
        for (int finer = 0; finer < 3; finer++) {
            dpn_vector_sampler *made = NULL;
            int grid[2] = {finest + 1, finest + 1 - finer};
            dpn_error why = {0};
            dpn_status status = dpn_vector_sampler_spherical(&made, 2, scale, alpha, beta, grid, &why);
            if (status != (finer < 2 ? DPN_OK : DPN_EDOMAIN))
                fail_msg("scale %g, alpha %g, beta %g, grid 2^%d: %s", scale[0], alpha, beta, grid[1], why.sentence);
            dpn_vector_sampler_free(made);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_and_directions),
        cmocka_unit_test(the_slow_way),
        cmocka_unit_test(fast_and_slow_agree),
        cmocka_unit_test(the_staircase_is_above),
        cmocka_unit_test(heights_on_the_edge),
        cmocka_unit_test(sources_that_end),
        cmocka_unit_test(refusals),
        cmocka_unit_test(grids_end_where_draws_would_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
