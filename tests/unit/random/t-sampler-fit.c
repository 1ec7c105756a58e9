/* A million draws of every law (ten million in a long run) against its distribution: chi-squared and
 * Kolmogorov-Smirnov on bins of about equal probability with narrow ones in both tails, pairs of neighbouring draws,
 * and the last bits of draws on fine grids. The source is seeded, so that a run is repeatable; the rate of false
 * alarms over all seeds is 1e-6 for all tests together. */
#include "random/sampler.h"
#include "unit/random/fit.h"
#include "unit/random/laws.h"
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

enum { BINS = 1000, TAILS = 4, MOST = BINS + 2 * TAILS, COARSE = 16, LOW = 64, TESTS = 42 * 4 };
static const double alarm = 1e-6 / TESTS;

/* Bins are (edge[i-1], edge[i]] in grid steps, the last one without end. */
typedef struct histogram {
    int64_t edge[MOST];
    double probability[MOST];
    uint64_t count[MOST];
    size_t bins;
    uint16_t coarse[MOST]; /* which of COARSE groups a bin belongs to */
    double coarse_probability[COARSE];
    uint64_t pair[COARSE * COARSE];
    uint64_t low[LOW];
} histogram;

/* P(draw <= k) and P(draw > k), both with all their digits where they are small. */
static double below(const dpn_law *law, int64_t k, int grid_exponent, bool above) {
    double t = dpn_law_is_integer(law) ? (double)k : ldexp((double)k + 0.5, grid_exponent);
    return above ? dpn_law_sf(law, t) : dpn_law_cdf(law, t);
}

static double between(const dpn_law *law, int64_t left, int64_t right, int grid_exponent) {
    if (left >= 0) return below(law, left, grid_exponent, true) - below(law, right, grid_exponent, true);
    return below(law, right, grid_exponent, false) - below(law, left, grid_exponent, false);
}

/* Edges at quantiles, as far as they differ; a bin has 10 expected draws at least. */
static void make_bins(histogram *to, const dpn_law *law, int grid_exponent, double n) {
    memset(to, 0, sizeof *to);
    int64_t left = INT64_MIN;
    for (int i = 1; i < MOST; i++) {
        int from_end = MOST - i;
        double p = (double)(i - TAILS) / BINS;
        if (i <= TAILS) p = ldexp(16 / n, i - 1);
        if (from_end <= TAILS) p = ldexp(16 / n, from_end - 1);
        double t = from_end <= TAILS ? dpn_law_isf(law, p) : dpn_law_quantile(law, p);
        int64_t k = (int64_t)round(ldexp(t, -grid_exponent));
        if (k <= left && left != INT64_MIN) continue;
        double mass = left == INT64_MIN ? below(law, k, grid_exponent, false) : between(law, left, k, grid_exponent);
        if (mass * n < 10 || below(law, k, grid_exponent, true) * n < 10) continue;
        to->edge[to->bins] = k;
        to->probability[to->bins++] = mass;
        left = k;
    }
    to->edge[to->bins] = INT64_MAX;
    to->probability[to->bins] = to->bins == 0 ? 1 : below(law, left, grid_exponent, true);
    to->bins++;
    double sum = 0;
    for (size_t i = 0; i < to->bins; i++) {
        int group = (int)(sum * COARSE);
        to->coarse[i] = (uint16_t)(group < COARSE ? group : COARSE - 1);
        to->coarse_probability[to->coarse[i]] += to->probability[i];
        sum += to->probability[i];
    }
    assert_true(fabs(sum - 1) < 1e-12);
}

static size_t bin_of(const histogram *at, int64_t steps) {
    size_t low = 0, high = at->bins - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (steps <= at->edge[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void count_draws(histogram *to, const int64_t *steps, size_t count) {
    size_t previous = 0;
    for (size_t i = 0; i < count; i++) {
        size_t bin = bin_of(to, steps[i]);
        to->count[bin]++;
        if (i % 2) to->pair[to->coarse[previous] * COARSE + to->coarse[bin]]++;
        to->low[(uint64_t)steps[i] % LOW]++;
        previous = bin;
    }
}

static void expect_below(const char *text, const char *what, double got, double limit) {
    if (!(got <= limit)) fail_msg("%s: %s is %g, above %g", text, what, got, limit);
}

/* Independent draws have pairs of product probability; empty groups are left out. */
static void check_pairs(const char *text, const histogram *at, double pairs) {
    uint64_t count[COARSE * COARSE];
    double probability[COARSE * COARSE];
    size_t bins = 0;
    for (int i = 0; i < COARSE * COARSE; i++) {
        double p = at->coarse_probability[i / COARSE] * at->coarse_probability[i % COARSE];
        if (p == 0) continue;
        count[bins] = at->pair[i];
        probability[bins++] = p;
    }
    expect_below(text, "chi-squared of pairs", fit_pearson(count, probability, bins, pairs),
                 fit_pearson_limit(bins, alarm));
}

/* A thousand and more steps in the scale leave the last six bits uniform, to far less than a million draws can tell
 * if the density is continuous. */
static void check_low_bits(const char *text, const histogram *at, double n) {
    double probability[LOW];
    for (int i = 0; i < LOW; i++) probability[i] = 1.0 / LOW;
    expect_below(text, "chi-squared of the last bits", fit_pearson(at->low, probability, LOW, n),
                 fit_pearson_limit(LOW, alarm));
}

static void fit(const test_law *at, uint64_t seed) {
    enum { BATCH = 4000 };
    static histogram histogram_of_law;
    static seeded source;
    static int64_t steps[BATCH];
    histogram *got = &histogram_of_law;
    int batches = points(250, 2500);
    double n = (double)BATCH * batches;
    dpn_law law = law_of(at->text);
    dpn_sampler *sampler;
    dpn_error why;
    if (dpn_sampler_new(&sampler, &law, at->grid_exponent, &why)) fail_msg("%s: %s", at->text, why.sentence);
    make_bins(got, &law, at->grid_exponent, n);
    seeded_begin(&source, seed);
    for (int i = 0; i < batches; i++) {
        assert_int_equal(dpn_sampler_draw(steps, sampler, &source.rng, BATCH, NULL), DPN_OK);
        count_draws(got, steps, BATCH);
    }
    dpn_sampler_free(sampler);
    expect_below(at->text, "chi-squared", fit_pearson(got->count, got->probability, got->bins, n),
                 fit_pearson_limit(got->bins, alarm));
    expect_below(at->text, "Kolmogorov-Smirnov", fit_kolmogorov(got->count, got->probability, got->bins, n),
                 fit_kolmogorov_limit(n, alarm));
    check_pairs(at->text, got, n / 2);
    if (ldexp(dpn_law_mean_abs(&law), -at->grid_exponent) > 1e9) check_low_bits(at->text, got, n);
}

static void draws(void **state) {
    (void)state;
    uint64_t laws = 0;
    for (const test_law *at = test_laws; at->text; at++) fit(at, ++laws);
    assert_true(4 * laws <= TESTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
