/* Quantiles on public edges, against the law computed from rows: who is below an edge is counted anew for each. */
#include "release/noise/quantile.h"
#include "reference/real.h"
#include "unit/random/tape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 6 }; /* edges */

static dpn_quantile prepared(const char *q, double epsilon, size_t intervals, uint64_t rows, dpn_relation relation) {
    dpn_quantile_options options = {sizeof(dpn_quantile_options), q, epsilon, intervals, rows, relation};
    dpn_quantile out;
    dpn_error why;
    if (dpn_quantile_prepare(&out, &options, &why)) fail_msg("%s: %s", q, why.sentence);
    return out;
}

/* ---- The law by its definition ---- */

/* |denominator B_k - numerator n|: a row counts denominator - numerator below an edge and numerator above it. */
static int64_t score_of_edge(const dpn_quantile *quantile, const uint64_t *count, size_t edge) {
    int64_t a = (int64_t)quantile->numerator, b = (int64_t)quantile->denominator, sum = 0;
    for (size_t j = 0; j < quantile->intervals; j++)
        for (uint64_t row = 0; row < count[j]; row++) sum += j < edge ? b - a : -a;
    return sum < 0 ? -sum : sum;
}

static void log_law(long double *out, const dpn_quantile *quantile, const uint64_t *count) {
    long double sum = 0, largest = -INFINITY;
    for (size_t k = 0; k <= quantile->intervals; k++) {
        out[k] = -(long double)quantile->rate * (long double)score_of_edge(quantile, count, k);
        if (out[k] > largest) largest = out[k];
    }
    for (size_t k = 0; k <= quantile->intervals; k++) sum += expl(out[k] - largest);
    for (size_t k = 0; k <= quantile->intervals; k++) out[k] -= largest + logl(sum);
}

/* ---- The draw has this law, to the last of 64 bits ---- */

static dpn_rng_pool pool;
static bool fill_zeros(dpn_rng *rng) {
    rng->pool->word[0] = 0;
    rng->pool->left = 1;
    return true;
}
static dpn_rng source = {.pool = &pool, .refill = fill_zeros};

static size_t edge_at(const dpn_quantile *quantile, const uint64_t *count, uint64_t word) {
    size_t edge = SIZE_MAX;
    pool.word[0] = word;
    pool.left = 1;
    assert_int_equal(dpn_quantile_draw(&edge, quantile, &source, count, NULL), DPN_OK);
    return edge;
}

static void check_draw(const dpn_quantile *quantile, const uint64_t *count) {
    size_t mark = r_mark();
    real sum = r_num(0), boundary[MOST];
    for (size_t k = 0; k <= quantile->intervals; k++) {
        double score = (double)score_of_edge(quantile, count, k);
        boundary[k] = sum = r_add(sum, r_exp(r_neg(r_times(r_num(score), quantile->rate))));
    }
    for (size_t k = 0; k < quantile->intervals; k++) {
        real words = r_times(r_div(boundary[k], sum), 0x1p64);
        uint64_t word = mpfr_get_uj(words, MPFR_RNDD);
        if (edge_at(quantile, count, word) > k && r_less(r_floor(words), words)) fail_msg("edge %zu has too little", k);
        if (word < UINT64_MAX && edge_at(quantile, count, word + 1) <= k) fail_msg("edge %zu has too much", k);
    }
    r_release(mark);
}

static void draws_have_the_law(void **state) {
    (void)state;
    static const uint64_t count[][4] = {{3, 1, 4, 1}, {0, 0, 9, 0}, {1, 0, 0, 2}, {50, 70, 20, 11}, {2, 7, 1, 8}};
    static const char *const q[] = {"0.5", "0.25", "0.9", "0", "1", "0.123456789"};
    mpfr_prec_t before = r_precision(400);
    for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
        for (size_t j = 0; j < sizeof count / sizeof *count; j++) {
            dpn_quantile quantile = prepared(q[i], 0.7, 4, 1, DPN_ADD_REMOVE);
            check_draw(&quantile, count[j]);
        }
    }
    r_precision(before);
}

/* ---- Every pair of small neighbours: the largest loss is at most epsilon, and near it ---- */

enum { INTERVALS = 3, SIZES = 6, MOST_ROWS = 2, SETS = 10 };

/* How many rows an interval has; with many in one the scores of its edges differ much and the loss of extreme quantiles
 * comes near epsilon. */
static const uint64_t size[SIZES] = {0, 1, 2, 3, 4, 60};

/* The sets of at most two rows, those of at most one first. */
static const uint64_t few_rows[SETS][INTERVALS] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0},
                                                   {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};

static long double largest_loss(const dpn_quantile *quantile, uint64_t rows, dpn_relation relation) {
    size_t sets = rows == 1 ? 4 : SETS;
    long double worst = 0;
    for (int base = 0; base < SIZES * SIZES * SIZES; base++) {
        const uint64_t common[INTERVALS] = {size[base % SIZES], size[base / SIZES % SIZES], size[base / SIZES / SIZES]};
        long double law[SETS][INTERVALS + 1];
        for (size_t s = 0; s < sets; s++) {
            uint64_t count[INTERVALS];
            for (int j = 0; j < INTERVALS; j++) count[j] = common[j] + few_rows[s][j];
            log_law(law[s], quantile, count);
        }
        for (size_t s = 0; s < (relation == DPN_ADD_REMOVE ? 1 : sets); s++)
            for (size_t t = s + 1; t < sets; t++)
                for (size_t k = 0; k <= INTERVALS; k++) worst = fmaxl(worst, fabsl(law[s][k] - law[t][k]));
    }
    return worst;
}

static void check_loss(const char *q, double epsilon, uint64_t rows, dpn_relation relation) {
    dpn_quantile quantile = prepared(q, epsilon, INTERVALS, rows, relation);
    double share = (double)largest_loss(&quantile, rows, relation) / epsilon;
    const char *words = relation == DPN_REPLACE ? "replaced" : "added or removed";
    if (share > 1 + 1e-15) fail_msg("q %s, epsilon %g, %d rows %s: %.17g of it", q, epsilon, (int)rows, words, share);
    if (epsilon >= 30 && share < 0.999)
        fail_msg("q %s, %d rows %s: %.17g of epsilon says little", q, (int)rows, words, share);
}

static void neighbours_differ_by_epsilon(void **state) {
    (void)state;
    static const char *const q[] = {"0.5", "0.25", "0.75", "0.9", "0.4", "0.05", "0", "1", "0.333333333"};
    static const double epsilon[] = {0.1, 1, 30};
    for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
        for (size_t e = 0; e < sizeof epsilon / sizeof *epsilon; e++) {
            for (uint64_t rows = 1; rows <= MOST_ROWS; rows++) {
                check_loss(q[i], epsilon[e], rows, DPN_REPLACE);
                check_loss(q[i], epsilon[e], rows, DPN_ADD_REMOVE);
            }
        }
    }
}

/* ---- The error ---- */

/* P(the chosen edge is off by more than `more` rows beyond the best). */
static long double beyond(const dpn_quantile *quantile, const uint64_t *count, double more) {
    long double law[MOST], sum = 0;
    int64_t best = INT64_MAX;
    log_law(law, quantile, count);
    for (size_t k = 0; k <= quantile->intervals; k++) {
        int64_t score = score_of_edge(quantile, count, k);
        if (score < best) best = score;
    }
    for (size_t k = 0; k <= quantile->intervals; k++) {
        double excess = (double)(score_of_edge(quantile, count, k) - best);
        if (excess > more * (double)quantile->denominator) sum += expl(law[k]);
    }
    return sum;
}

/* All tables with up to `full` rows in each of four intervals. */
static long double most_beyond(const dpn_quantile *quantile, uint64_t full, double more) {
    long double most = 0;
    uint64_t count[4];
    for (count[0] = 0; count[0] <= full; count[0]++)
        for (count[1] = 0; count[1] <= full; count[1]++)
            for (count[2] = 0; count[2] <= full; count[2]++)
                for (count[3] = 0; count[3] <= full; count[3]++) most = fmaxl(most, beyond(quantile, count, more));
    return most;
}

static void error_holds_for_all_data(void **state) {
    (void)state;
    static const char *const q[] = {"0.5", "0.25", "0.9", "0", "1", "0.4"};
    for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
        dpn_quantile quantile = prepared(q[i], 2, 4, 1, DPN_ADD_REMOVE);
        double error = quantile.error95_upper;
        long double at = most_beyond(&quantile, 7, error), below = most_beyond(&quantile, 7, error - 1);
        if (at > 0.05L) fail_msg("q %s: %g rows do not hold: %.6Lg", q[i], error, at);
        if (below <= 0.05L) fail_msg("q %s: %g rows hold with one less: %.6Lg", q[i], error, below);
    }
}

/* The formula of the page, once more: the least whole T with 19 m <= exp(rate (T + 1)). */
static void error_is_the_least_whole_number(void **state) {
    (void)state;
    static const char *const q[] = {"0.5", "0.123", "0.999999999", "0"};
    static const size_t intervals[] = {1, 2, 10, 10000, DPN_QUANTILE_INTERVALS_MOST};
    static const double epsilon[] = {1e-9, 0.01, 0.3, 1, 7, 1e6};
    for (size_t i = 0; i < 4 * 5 * 6; i++) {
        dpn_quantile quantile = prepared(q[i % 4], epsilon[i / 20], intervals[i / 4 % 5], 1, DPN_REPLACE);
        size_t mark = r_mark();
        real log_19m = r_log(r_num(19 * (double)quantile.intervals));
        real whole = r_times(r_num(quantile.error95_upper), (double)quantile.denominator);
        if (r_less(r_times(r_plus(r_times(whole, 1 + 0x1p-52), 1), quantile.rate), log_19m))
            fail_msg("an error of %.17g is too small", quantile.error95_upper);
        if (r_less(r_times(log_19m, 1 + 1e-9), r_times(r_times(whole, 1 - 1e-9), quantile.rate)))
            fail_msg("an error of %.17g is too large", quantile.error95_upper);
        r_release(mark);
    }
}

/* ---- Requests ---- */

typedef struct reading {
    const char *q;
    uint64_t numerator, denominator, range[2]; /* of a row, under replace and under add-remove */
} reading;

/* rate range rows <= epsilon, and the next double is above. */
static void rates_are_rounded_down(void **state) {
    (void)state;
    static const reading readings[] = {
        {"0.5", 1, 2, {4, 2}},    {".25", 1, 4, {8, 6}},
        {"7.5e-1", 3, 4, {8, 6}}, {"0.999999999", 999999999, 1000000000, {2000000000, 1999999998}},
        {"0", 0, 1, {1, 1}},      {"1.000", 1, 1, {1, 1}},
        {"0.6", 3, 5, {10, 6}},
    };
    static const uint64_t rows[] = {0, 1, 3, 1000, DPN_QUANTILE_ROWS_MOST};
    static const double epsilon[] = {1e-9, 0.1, 1, 2.0 / 3, 1e6};
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        for (size_t j = 0; j < 50; j++) {
            uint64_t unit = rows[j / 2 % 5], range = readings[i].range[j % 2] * (unit > 0 ? unit : 1);
            dpn_relation relation = j % 2 ? DPN_ADD_REMOVE : DPN_REPLACE;
            dpn_quantile got = prepared(readings[i].q, epsilon[j / 10], 3, unit, relation);
            size_t mark = r_mark();
            real asked = r_num(epsilon[j / 10]);
            assert_true(got.numerator == readings[i].numerator && got.denominator == readings[i].denominator);
            assert_false(r_less(asked, r_times(r_num(got.rate), (double)range)));
            assert_true(r_less(asked, r_times(r_num(nextafter(got.rate, INFINITY)), (double)range)));
            r_release(mark);
        }
    }
}

static void bad_requests(void **state) {
    (void)state;
    const struct {
        dpn_quantile_options options;
        dpn_status status;
    } bad[] = {
        {{sizeof(dpn_quantile_options), "", 1, 3, 1, DPN_REPLACE}, DPN_EPARSE},
        {{sizeof(dpn_quantile_options), "median", 1, 3, 1, DPN_REPLACE}, DPN_EPARSE},
        {{sizeof(dpn_quantile_options), "nan", 1, 3, 1, DPN_REPLACE}, DPN_EPARSE},
        {{sizeof(dpn_quantile_options), "1/2", 1, 3, 1, DPN_REPLACE}, DPN_EPARSE},
        {{sizeof(dpn_quantile_options), "-0.5", 1, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "1.000000001", 1, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.1234567891", 1, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "1e9", 1, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "1e999999999", 1, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), NULL, 1, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", 0, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", -1, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", NAN, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", INFINITY, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", 1e-10, 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", nextafter(1e-9, 0), 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", nextafter(1e6, INFINITY), 3, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", 1, 0, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", 1, DPN_QUANTILE_INTERVALS_MOST + 1, 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", 1, 3, DPN_QUANTILE_ROWS_MOST + 1, DPN_REPLACE}, DPN_EDOMAIN},
        {{sizeof(dpn_quantile_options), "0.5", 1, 3, 1, (dpn_relation)2}, DPN_EDOMAIN},
    };
    dpn_quantile before, out;
    memset(&before, 0x5a, sizeof before);
    memcpy(&out, &before, sizeof out);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_error why = {DPN_OK, ""};
        assert_int_equal(dpn_quantile_prepare(&out, &bad[i].options, &why), bad[i].status);
        assert_true(why.status == bad[i].status && why.sentence[0]);
        assert_memory_equal(&out, &before, sizeof out);
    }
    assert_int_equal(dpn_quantile_prepare(&out, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_quantile_prepare(NULL, &bad[0].options, NULL), DPN_EDOMAIN);
}

/* ---- Draws that fail, and counts of any size ---- */

static void failures_write_nothing(void **state) {
    (void)state;
    static const uint64_t count[3] = {1, 2, 3}, half[1] = {UINT64_C(1) << 63};
    dpn_quantile quantile = prepared("0.5", 1, 3, 1, DPN_ADD_REMOVE), spoilt[8];
    size_t edge = 77;
    dpn_error why = {DPN_OK, ""};
    tape words;
    tape_begin(&words, NULL, 0);
    assert_int_equal(dpn_quantile_draw(&edge, &quantile, &words.rng, count, &why), DPN_EENTROPY);
    assert_true(edge == 77 && why.status == DPN_EENTROPY && why.sentence[0]);
    tape_begin(&words, half, 1);
    for (int i = 0; i < 8; i++) spoilt[i] = quantile;
    spoilt[0].rate = NAN;
    spoilt[1].rate = INFINITY;
    spoilt[2].denominator = 0;
    spoilt[3].numerator = 3;
    spoilt[4].intervals = 0;
    spoilt[5].intervals = DPN_QUANTILE_INTERVALS_MOST + 1;
    spoilt[6].denominator = 1000000001;
    spoilt[7].rate = 0;
    for (int i = 0; i < 8; i++)
        assert_int_equal(dpn_quantile_draw(&edge, &spoilt[i], &words.rng, count, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_quantile_draw(&edge, NULL, &words.rng, count, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_quantile_draw(&edge, &quantile, NULL, count, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_quantile_draw(&edge, &quantile, &words.rng, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_quantile_draw(NULL, &quantile, &words.rng, count, &why), DPN_EDOMAIN);
    assert_true(edge == 77 && tape_taken(&words) == 0);
    assert_int_equal(dpn_quantile_draw(&edge, &quantile, &words.rng, count, &why), DPN_OK);
    assert_int_equal(tape_taken(&words), 1);
    tape_begin(&words, half, 1);
    quantile.denominator = quantile.numerator = 1000000000; /* as large as they get, and one interval */
    quantile.intervals = 1;
    assert_int_equal(dpn_quantile_draw(&edge, &quantile, &words.rng, count, &why), DPN_OK);
    assert_int_equal(edge, 1);
}

static void no_count_is_too_large(void **state) {
    (void)state;
    static const uint64_t full[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    static const uint64_t some[4] = {UINT64_MAX / 4, 1, UINT64_MAX / 4, 0};
    dpn_quantile quantile = prepared("0.5", 1, 4, 1, DPN_ADD_REMOVE);
    uint64_t score[5];
    dpn_quantile_scores(score, &quantile, full);
    assert_true(score[0] == UINT64_MAX && score[1] == UINT64_MAX && score[2] == 0 && score[4] == UINT64_MAX);
    dpn_quantile_scores(score, &quantile, some);
    assert_true(score[0] == UINT64_MAX / 2 && score[1] == 1 && score[2] == 1 && score[3] == UINT64_MAX / 2);
    assert_int_equal(edge_at(&quantile, full, UINT64_C(1) << 62), 2);
    quantile = prepared("0.000000001", 1, 4, 1, DPN_ADD_REMOVE);
    dpn_quantile_scores(score, &quantile, full);
    assert_true(score[0] == UINT64_MAX && score[4] == UINT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_have_the_law),       cmocka_unit_test(neighbours_differ_by_epsilon),
        cmocka_unit_test(error_holds_for_all_data), cmocka_unit_test(error_is_the_least_whole_number),
        cmocka_unit_test(rates_are_rounded_down),   cmocka_unit_test(bad_requests),
        cmocka_unit_test(failures_write_nothing),   cmocka_unit_test(no_count_is_too_large),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
