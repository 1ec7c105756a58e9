/* Random boxes: moments and hidden sizes of many draws, and the same draws when wide numbers decide everything. */
#include "random/vector.h"
#include "unit/points.h"
#include "unit/random/seeded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { COUNT = 4 };
static const double scale[COUNT] = {1, 0.5, 2, 3}, c[COUNT] = {1, 1, 2.5, 0.75}, beta[COUNT] = {0.2, 0.2, 0.1, 0.4};
static const int grid[COUNT] = {-20, -20, -20, -20};
static const double alpha = 0.8;

/* The law by sums: P(J = j), and of each coordinate E V^2, E V^4; and E V_0^2 V_2^2, which a size drawn twice would make less. */
typedef struct law {
    double square[COUNT], fourth[COUNT], cross, cross_square;
} law;

static double power_mean(double q, int power) {
    double sum = 0, mass = 0;
    for (int k = 0; k < 2000; k++) {
        double t = (k + 0.5) / 2000, weight = exp(-q * t * t);
        sum += weight * pow(t, power);
        mass += weight;
    }
    return sum / mass;
}

static law law_of(void) {
    law out = {0};
    double total = 0;
    for (int j = 0; j < 200; j++) {
        double weight = exp(-alpha * j), square[COUNT], fourth[COUNT];
        for (int i = 0; i < COUNT; i++) {
            double s = c[i] + j, q = 0.5 * beta[i] * s;
            weight *= sqrt(s) * erf(sqrt(q));
            square[i] = pow(scale[i] * s, 2) * power_mean(q, 2);
            fourth[i] = pow(scale[i] * s, 4) * power_mean(q, 4);
        }
        total += weight;
        for (int i = 0; i < COUNT; i++) {
            out.square[i] += weight * square[i];
            out.fourth[i] += weight * fourth[i];
        }
        out.cross += weight * square[0] * square[2];
        out.cross_square += weight * fourth[0] * fourth[2];
    }
    for (int i = 0; i < COUNT; i++) {
        out.square[i] /= total;
        out.fourth[i] /= total;
    }
    out.cross /= total;
    out.cross_square /= total;
    return out;
}

static dpn_vector_sampler *make(void) {
    dpn_vector_sampler *sampler;
    dpn_error why;
    if (dpn_vector_sampler_random_box(&sampler, COUNT, scale, alpha, c, beta, grid, &why) != DPN_OK)
        fail_msg("%s", why.sentence);
    return sampler;
}

/* Six standard deviations: a false alarm of 10^-8 with this seed's stead. */
static void check_mean(const char *what, double sum, double mean, double square, double draws) {
    double deviation = sqrt((square - mean * mean) / draws);
    if (!(fabs(sum / draws - mean) < 6 * deviation))
        fail_msg("%s: %g, not %g +- %g", what, sum / draws, mean, deviation);
}

static void moments(void **state) {
    (void)state;
    enum { DRAWS = 250000 };
    law expected = law_of();
    dpn_vector_sampler *sampler = make();
    seeded source;
    seeded_begin(&source, 5);
    double square[COUNT] = {0}, first[COUNT] = {0}, cross = 0;
    for (int n = 0; n < DRAWS; n++) {
        int64_t steps[COUNT];
        assert_int_equal(dpn_vector_sampler_draw(steps, sampler, &source.rng, NULL), DPN_OK);
        double v[COUNT];
        for (int i = 0; i < COUNT; i++) {
            v[i] = ldexp((double)steps[i], grid[i]);
            first[i] += v[i];
            square[i] += v[i] * v[i];
        }
        cross += v[0] * v[0] * v[2] * v[2];
    }
    for (int i = 0; i < COUNT; i++) {
        check_mean("mean", first[i], 0, expected.square[i], DRAWS);
        check_mean("mean square", square[i], expected.square[i], expected.fourth[i], DRAWS);
    }
    check_mean("mean of squares of two", cross, expected.cross, expected.cross_square, DRAWS);
    /* One size for all: two of them would have the product of the means. */
    assert_true(expected.cross > 1.2 * expected.square[0] * expected.square[2]);
    dpn_vector_sampler_free(sampler);
}

/* P(a < V < b) of one coordinate of scale 1, 0 <= a < b: sizes j by their weight e^(-j) z(s), whose z(s) is the integral of e^(-beta x^2/2s) up to s. */
static double mass(double start, double steepness, double a, double b) {
    double sum = 0, total = 0;
    for (int j = 0; j < 100; j++) {
        double s = start + j, unit = sqrt(0.5 * steepness / s), weight = exp(-j) / unit;
        sum += weight * fmax(0, erf(unit * fmin(b, s)) - erf(unit * fmin(a, s)));
        total += 2 * weight * erf(unit * s);
    }
    return sum / total;
}

/* Each cell of the grid 1/4, for sizes whose q are small, large, and both: six standard deviations. */
static void cells(void **state) {
    (void)state;
    enum { DRAWS = 200000, REACH = 40 };
    static const double start[] = {0.6, 1.5, 0.7}, steepness[] = {0.05, 4, 0.9}, one = 1;
    const int quarter = -2;
    for (int k = 0; k < 3; k++) {
        dpn_vector_sampler *sampler;
        double count[2 * REACH + 1] = {0};
        seeded source;
        seeded_begin(&source, 40 + (uint64_t)k);
        assert_int_equal(dpn_vector_sampler_random_box(&sampler, 1, &one, 1, &start[k], &steepness[k], &quarter, NULL),
                         DPN_OK);
        for (int n = 0; n < DRAWS; n++) {
            int64_t step;
            assert_int_equal(dpn_vector_sampler_draw(&step, sampler, &source.rng, NULL), DPN_OK);
            if (step >= -REACH && step <= REACH) count[step + REACH]++;
        }
        for (int n = -REACH; n <= REACH; n++) {
            double low = 0.25 * (abs(n) - 0.5), high = 0.25 * (abs(n) + 0.5);
            double p = n == 0 ? 2 * mass(start[k], steepness[k], 0, high) : mass(start[k], steepness[k], low, high);
            if (!(fabs(count[n + REACH] - DRAWS * p) <= 6 * sqrt(DRAWS * p) + 6))
                fail_msg("beta %g, cell %d: %g times, not %g", steepness[k], n, count[n + REACH], DRAWS * p);
        }
        dpn_vector_sampler_free(sampler);
    }
}

/* With guards so wide that doubles decide nothing, wide numbers make the same draws of the same bits as long as they need no more of
 * them; and they have the same law. */
static void wide_numbers_agree(void **state) {
    (void)state;
    int same = points(20, 60), draws = points(1000, 4000);
    dpn_vector_sampler *quick = make(), *slow = make();
    slow->box.sizes.guard = 2;
    for (int n = 0; n < same; n++) {
        seeded one, two;
        int64_t fast[COUNT], sure[COUNT];
        seeded_begin(&one, 100 + (uint64_t)n);
        seeded_begin(&two, 100 + (uint64_t)n);
        assert_int_equal(dpn_vector_sampler_draw(fast, quick, &one.rng, NULL), DPN_OK);
        assert_int_equal(dpn_vector_sampler_draw(sure, slow, &two.rng, NULL), DPN_OK);
        for (int i = 0; i < COUNT; i++) assert_int_equal(fast[i], sure[i]);
    }
    /* Whether a point is kept, by wide numbers: bits of u are refined, so that the draws differ, and their law does not. */
    law expected = law_of();
    seeded source;
    seeded_begin(&source, 9);
    quick->box.guard = 2;
    double square = 0;
    for (int n = 0; n < draws; n++) {
        int64_t steps[COUNT];
        assert_int_equal(dpn_vector_sampler_draw(steps, quick, &source.rng, NULL), DPN_OK);
        double v = ldexp((double)steps[3], grid[3]);
        square += v * v;
    }
    check_mean("mean square by wide numbers", square, expected.square[3], expected.fourth[3], draws);
    dpn_vector_sampler_free(quick);
    dpn_vector_sampler_free(slow);
}

static void domain(void **state) {
    (void)state;
    dpn_vector_sampler *sampler;
    const double bad[COUNT] = {1, 1, 0, 1};
    assert_int_equal(dpn_vector_sampler_random_box(&sampler, COUNT, scale, alpha, bad, beta, grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_random_box(&sampler, COUNT, scale, alpha, c, bad, grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_random_box(&sampler, COUNT, scale, 0, c, beta, grid, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_random_box(&sampler, COUNT, scale, alpha, NULL, beta, grid, NULL), DPN_EDOMAIN);
    const struct {
        double alpha, start, beta;
    } outside[] = {{1e-3, 1, 1},    {1024, 1, 1}, {1, 0x1p-40, 1}, {1, 0x1p40, 1},
                   {1, 1, 0x1p-60}, {1, 1, 1024}, {NAN, 1, 1}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_int_equal(dpn_vector_sampler_random_box(&sampler, 1, scale, outside[i].alpha, &outside[i].start,
                                                       &outside[i].beta, grid, NULL),
                         DPN_EDOMAIN);
    const int fine[COUNT] = {-50, -50, -50, -50};
    assert_int_equal(dpn_vector_sampler_random_box(&sampler, COUNT, scale, alpha, c, beta, fine, NULL), DPN_EDOMAIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(moments), cmocka_unit_test(cells),
                                       cmocka_unit_test(wide_numbers_agree), cmocka_unit_test(domain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
