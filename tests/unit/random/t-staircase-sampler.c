/* Staircases that end, drawn: on the integers each probability, on the line moments and cells, against the definition; and the same draws when wide numbers decide everything. */
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

static dpn_vector_sampler *make(double scale, double step, double epsilon, double low, double high, double theta,
                                int grid) {
    dpn_vector_sampler *sampler;
    dpn_error why;
    if (dpn_vector_sampler_staircase(&sampler, 1, &scale, step, epsilon, low, high, theta, &grid, &why))
        fail_msg("%s", why.sentence);
    return sampler;
}

/* P(k) of one staircase on the integers, E < 0: without an end and with the first level c. */
static double probability(int d, int c, int end, double epsilon, int k) {
    double total = 0, here = 0;
    int most = end < 0 ? 4000 : end;
    for (int j = 0; j <= most; j++) {
        double weight = exp(-epsilon * (j <= c ? 0 : (j - c + d - 1) / d));
        total += (j > 0 ? 2 : 1) * weight;
        if (j == abs(k)) here = weight;
    }
    return here / total;
}

/* Six standard deviations of each of at most 100 counts: a false alarm in 2e-7 of all seeds, and this one is fixed. */
static void check_counts(const dpn_vector_sampler *sampler, int d, int low, int high, double epsilon, double theta,
                         uint64_t seed) {
    enum { REACH = 45 };
    int draws = points(200000, 2000000);
    double count[2 * REACH + 1] = {0};
    seeded source;
    seeded_begin(&source, seed);
    for (int n = 0; n < draws; n++) {
        int64_t k;
        assert_int_equal(dpn_vector_sampler_draw(&k, sampler, &source.rng, NULL), DPN_OK);
        if (k >= -REACH && k <= REACH) count[REACH + k]++;
    }
    for (int k = -REACH; k <= REACH; k++) {
        double p = high < 0 ? probability(d, low, -1, epsilon, k)
                            : (1 - theta) * probability(d, low % d, low, epsilon, k) +
                                  theta * probability(d, high % d, high, epsilon, k);
        double deviation = sqrt(draws * p * (1 - p));
        if (!(fabs(count[REACH + k] - draws * p) <= 6 * deviation + (p > 0)))
            fail_msg("%d: %g times, not %g +- %g", k, count[REACH + k], draws * p, deviation);
    }
}

static void integers(void **state) {
    (void)state;
    dpn_vector_sampler *sampler = make(1, 3, 0.7, 7, 12, 0.3, 0);
    check_counts(sampler, 3, 7, 12, 0.7, 0.3, 11);
    dpn_vector_sampler_free(sampler);
    sampler = make(1, 2, 2, 0, 3, 0.6, 0); /* one of them is no noise at all */
    check_counts(sampler, 2, 0, 3, 2, 0.6, 12);
    dpn_vector_sampler_free(sampler);
    sampler = make(1, 4, 0.9, 1, INFINITY, 1, 0);
    check_counts(sampler, 4, 1, -1, 0.9, 1, 13);
    dpn_vector_sampler_free(sampler);
}

/* On a grid of half the scale: P(k) is the mass of ((k - 1/2)/2, (k + 1/2)/2), and moments on a fine grid. */
static double mass(double a, double b, double end,
                   double epsilon) { /* of 0 <= a < x < b, by small steps; both signs have it */
    enum { CELLS = 4096 };
    double last = ceil(end) - 1, first = end - last, total = 0, sum = 0;
    for (int i = 0; i < end * CELLS; i++) {
        double x = (i + 0.5) / CELLS, weight = exp(-epsilon * (x < first ? 0 : floor(x - first) + 1));
        total += 2 * weight;
        if (x > a && x < b) sum += weight;
    }
    return sum / total;
}

static void on_the_line(void **state) {
    (void)state;
    enum { REACH = 12 };
    int draws = points(200000, 2000000);
    const double low = 1.625, high = 3.25, theta = 0.4, epsilon = 0.8;
    dpn_vector_sampler *sampler = make(3, 0, epsilon, low, high, theta, -1),
                       *fine = make(3, 0, epsilon, low, high, theta, -30);
    double count[4 * REACH + 1] = {0}, first = 0, square = 0;
    seeded source;
    seeded_begin(&source, 21);
    for (int n = 0; n < draws; n++) {
        int64_t k;
        assert_int_equal(dpn_vector_sampler_draw(&k, sampler, &source.rng, NULL), DPN_OK);
        assert_true(k >= -20 && k <= 20);
        count[2 * REACH + k]++;
        assert_int_equal(dpn_vector_sampler_draw(&k, fine, &source.rng, NULL), DPN_OK);
        double x = ldexp((double)k, -30) / 3;
        assert_true(fabs(x) <= high);
        first += x;
        square += x * x;
    }
    for (int k = -20; k <= 20; k++) {
        double a = (abs(k) - 0.5) / 6, b = (abs(k) + 0.5) / 6, p = 0;
        for (int i = 0; i < 2; i++) {
            double share = i ? theta : 1 - theta, end = i ? high : low;
            p += share * (k == 0 ? 2 * mass(0, b, end, epsilon) : mass(a, b, end, epsilon));
        }
        double deviation = sqrt(draws * p * (1 - p));
        if (!(fabs(count[2 * REACH + k] - draws * p) <=
              6 * deviation + draws * 1e-3 * p + 1)) /* sums of cells are not exact */
            fail_msg("%d: %g times, not %g +- %g", k, count[2 * REACH + k], draws * p, deviation);
    }
    double known = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4000; j++) {
            double a = (i ? high : low) * j / 4000, b = (i ? high : low) * (j + 1) / 4000;
            known += 2 * (i ? theta : 1 - theta) * mass(a, b, i ? high : low, epsilon) * 0.25 * (a + b) * (a + b);
        }
    assert_true(fabs(first / draws) < 6 * sqrt(known / draws));
    assert_true(fabs(square / draws - known) < 6 * high * sqrt(known / draws) + 1e-3 * known);
    dpn_vector_sampler_free(sampler);
    dpn_vector_sampler_free(fine);
}

static void wide_numbers_agree(void **state) {
    (void)state;
    int draws = points(40, 400);
    const double step[] = {3, 5, 0, 0}, low[] = {7, 2, 0.75, 2.5}, high[] = {13, INFINITY, 4.125, 3.5},
                 theta[] = {0.4, 1, 0.25, 1};
    for (int i = 0; i < 4; i++) {
        int grid = step[i] > 0 ? 0 : -12;
        dpn_vector_sampler *quick = make(1.5, step[i], 0.9, low[i], high[i], theta[i], grid),
                           *slow = make(1.5, step[i], 0.9, low[i], high[i], theta[i], grid);
        slow->stairs.one[0].shells.guard = slow->stairs.one[1].shells.guard = slow->stairs.theta_guard = 2;
        for (int n = 0; n < draws; n++) {
            seeded one, two;
            int64_t fast, sure;
            seeded_begin(&one, 300 + (uint64_t)n);
            seeded_begin(&two, 300 + (uint64_t)n);
            assert_int_equal(dpn_vector_sampler_draw(&fast, quick, &one.rng, NULL), DPN_OK);
            assert_int_equal(dpn_vector_sampler_draw(&sure, slow, &two.rng, NULL), DPN_OK);
            assert_int_equal(fast, sure);
        }
        dpn_vector_sampler_free(quick);
        dpn_vector_sampler_free(slow);
    }
}

static void domain(void **state) {
    (void)state;
    static const struct {
        double step, epsilon, low, high, theta;
        int grid;
    } wrong[] = {
        {3, 0, 1, 2, 1, 0},          {3, 1, 2, 2, 1, 0},   {3, 1, 0.5, 2, 1, 0},      {3, 1, 1, 2.5, 1, 0},
        {3, 1, 1, 2, 0, 0},          {3, 1, 1, 2, 1.1, 0}, {3, 1, 3, INFINITY, 1, 0}, {3, 1, 1, INFINITY, 0.5, 0},
        {3, 1, 1, 2, 1, -1},         {2.5, 1, 1, 2, 1, 0}, {0, 1, 0, 2, 1, -10},      {0, 1, 0.1, 2, 1, -10},
        {0, 1, 1, INFINITY, 1, -10}, {0, 1, 1, 2, 1, -60}, {-1, 1, 1, 2, 1, 0},       {3, 1e-5, 1, 2, 1, 0}};
    const double scale = 1;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dpn_vector_sampler *sampler;
        if (dpn_vector_sampler_staircase(&sampler, 1, &scale, wrong[i].step, wrong[i].epsilon, wrong[i].low,
                                         wrong[i].high, wrong[i].theta, &wrong[i].grid, NULL) != DPN_EDOMAIN)
            fail_msg("row %zu is taken", i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(integers), cmocka_unit_test(on_the_line),
                                       cmocka_unit_test(wide_numbers_agree), cmocka_unit_test(domain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
