/* The pieces of a quantile from a tree: the isotonic fit by pooling neighbours, the ends of the interval by asking every candidate, widths by counting draws. */
#include "release/compile/tree-interval.c" /* to see its pieces */

#include "reference/draw.h"
#include "unit/random/seeded.h"
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { BINS = 40 };

/* ---- Inversion ---- */

/* How many values of the isotonic fit to these numbers are below 0: means of neighbours are pooled while they fall. */
static size_t negatives_of_fit(const double *d, size_t count) {
    double sum[BINS];
    size_t size[BINS], blocks = 0, found = 0;
    for (size_t k = 0; k < count; k++) {
        sum[blocks] = d[k];
        size[blocks++] = 1;
        while (blocks > 1 && sum[blocks - 2] / (double)size[blocks - 2] >= sum[blocks - 1] / (double)size[blocks - 1]) {
            sum[blocks - 2] += sum[blocks - 1];
            size[blocks - 2] += size[blocks - 1];
            blocks--;
        }
    }
    for (size_t b = 0; b < blocks && sum[b] < 0; b++) found += size[b];
    return found;
}

/* Noisy nodes of every level, kept for themselves: whole numbers, so that sums are exact. */
typedef struct noisy_tree {
    dpn_tree tree;
    double node[DPN_TREE_LEVELS][BINS], prefix[DPN_TREE_LEVELS * (BINS + 1)];
} noisy_tree;

static void fill_tree(noisy_tree *out, draw_source *source, size_t bins, bool few) {
    double *prefix = out->prefix;
    double count[BINS];
    out->tree = dpn_tree_make(bins, (size_t)draw_uniform(source, 0, 3));
    for (size_t k = 0; k < bins; k++) count[k] = few ? 0 : floor(draw_log_uniform(source, 1, 60));
    for (size_t level = 0; level < out->tree.levels; level++) {
        size_t stride = dpn_tree_stride(&out->tree, level);
        *prefix = 0;
        for (size_t i = 0; i * stride < bins; i++, prefix++) {
            double whole = floor(draw_uniform(source, -6, 7));
            for (size_t k = i * stride; k < (i + 1) * stride && k < bins; k++) whole += count[k];
            out->node[level][i] = whole;
            prefix[1] = prefix[0] + whole;
        }
        prefix++;
    }
}

/* Sums of nodes to the left of the end of a bin, below the parents of the way to it, and to the right. */
static void sides_of(const noisy_tree *of, size_t bin, double *left, double *right, size_t *lefts) {
    *left = *right = 0;
    *lefts = 0;
    for (size_t level = 0; level < of->tree.levels; level++) {
        size_t stride = dpn_tree_stride(&of->tree, level), wide = stride * of->tree.radix[level];
        bool last = level + 1 == of->tree.levels;
        for (size_t i = 0; i * stride < of->tree.bins; i++) {
            if (i * stride / wide != bin / wide) continue; /* another parent */
            bool own = i == bin / stride;
            if (i < bin / stride || (own && last)) {
                *left += of->node[level][i];
                ++*lefts;
            } else if (!own) {
                *right += of->node[level][i];
            }
        }
    }
}

static void quantiles_are_those_of_the_isotonic_fit(void **state) {
    (void)state;
    draw_source source = {1};
    static const double qs[] = {0.25, 0.5, 0.75, 0.03125};
    int inside = 0, moved = 0;
    for (int i = 0; i < 3000; i++) {
        noisy_tree noisy;
        size_t bins = 1 + (size_t)draw_uniform(&source, 0, BINS);
        fill_tree(&noisy, &source, bins, i % 5 == 0);
        double q = qs[i % 4], width[BINS * DPN_TREE_LEVELS + 1], fit[BINS];
        for (size_t k = 0; k <= dpn_tree_beside(&noisy.tree); k++) width[k] = floor(draw_uniform(&source, 0, 40)) / 4;
        size_t low = bins - 1, high = 0;
        for (size_t k = 0; k + 1 < bins; k++) {
            double left, right;
            size_t lefts;
            sides_of(&noisy, k, &left, &right, &lefts);
            dpn_tree_place place = dpn_tree_look(&noisy.tree, noisy.prefix, k);
            assert_true(place.left == left && place.right == right && place.lefts == lefts);
            double d = (1 - q) * left - q * right, w = width[lefts];
            fit[k] = left - q * fmax(left + right, 0);
            if (d >= -w && k < low) low = k; /* all of it are eighths of whole numbers: nothing is rounded */
            if (d <= w) high = k + 1;
        }
        size_t value = negatives_of_fit(fit, bins - 1);
        dpn_tree_quantile found = dpn_tree_invert(&noisy.tree, noisy.prefix, q, width);
        assert_int_equal(found.value, value);
        assert_int_equal(found.low, low < value ? low : value);
        assert_int_equal(found.high, high > value ? high : value);
        inside += value > 0 && value + 1 < bins;
        moved += low > value || high < value;
    }
    assert_true(inside > 500 && moved > 2);
}

/* What is just as far off as the noise may be is not refuted, whatever is rounded; what is farther by a millionth is. */
static void just_as_far_is_not_refuted(void **state) {
    (void)state;
    draw_source source = {6};
    dpn_tree tree = dpn_tree_make(2, 1);
    int sides[2] = {0};
    assert_true(tree.bins == 2 && dpn_tree_beside(&tree) <= 3);
    for (int i = 0; i < 4000; i++) {
        double q = i % 3 == 0 ? 0.3 : draw_uniform(&source, 0.05, 0.95), prefix[3] = {0}, width[4], far;
        double left = floor(draw_log_uniform(&source, 1, 1e13)), right = floor(draw_log_uniform(&source, 1, 1e13));
        if (i % 5 == 0) left = -left;
        if (i % 7 == 0) right = -right;
        prefix[1] = left;
        prefix[2] = left + right;
        long double d = (1 - (long double)q) * left - q * (long double)right;
        far = (double)fabsl(d);
        if (far < 0.01 * (fabs(left) + fabs(right)) || far < 1 || left + right < 0) continue;
        sides[d > 0]++;
        for (int beyond = 0; beyond < 2; beyond++) {
            for (int k = 0; k < 4; k++) width[k] = far * (beyond ? 1 - 1e-6 : 1);
            dpn_tree_quantile found = dpn_tree_invert(&tree, prefix, q, width);
            assert_int_equal(d > 0 ? found.high : 1 - found.low, !beyond);
        }
    }
    assert_true(sides[0] > 500 && sides[1] > 500);
}

/* ---- Simulated noise ---- */

/* Of the draws at least 95% and three standard deviations of that share are within the width, and fewer within less. */
static void widths_are_shares_of_the_draws(void **state) {
    (void)state;
    enum { DRAWN = 3000, BESIDE = 5 };
    static double sum[DRAWN * (BESIDE + 1)], room[DRAWN];
    draw_source source = {2};
    for (size_t d = 0; d < DRAWN; d++)
        for (size_t k = 0; k <= BESIDE; k++)
            sum[d * (BESIDE + 1) + k] = k == 0 ? 0 : sum[d * (BESIDE + 1) + k - 1] + draw_uniform(&source, -1, 1);
    simulation all = {.draws = DRAWN, .beside = BESIDE, .sum = sum, .room = room};
    dpn_output output = {0};
    dpn_error why;
    assert_int_equal(fill_width(&all, &output, 0.3, &why), DPN_OK);
    double share = 0.95 + 3 * sqrt(0.95 * 0.05 / DRAWN);
    for (size_t lefts = 0; lefts <= BESIDE; lefts++) {
        size_t within = 0, below = 0;
        for (size_t d = 0; d < DRAWN; d++) {
            const double *of = sum + d * (BESIDE + 1); /* (1 - q) to the left, q to the right */
            double size = fabs(0.7 * of[lefts] - 0.3 * (of[BESIDE] - of[lefts]));
            within += size <= output.width[lefts] + 1e-12;
            below += size < output.width[lefts] - 1e-12;
        }
        assert_true((double)within >= share * DRAWN && (double)below < share * DRAWN);
        assert_true((double)within < share * DRAWN + 2);
    }
    free(output.width);
}

/* Of one draw all of it is the width, whatever the room held before; and no number counts that is beyond it. */
static void one_draw_is_the_width(void **state) {
    (void)state;
    double sum[] = {0, 3, -4, 7}, room[] = {1e300, 1e300};
    simulation all = {.draws = 1, .beside = 3, .sum = sum, .room = room};
    dpn_output output = {0};
    dpn_error why;
    assert_int_equal(fill_width(&all, &output, 0.25, &why), DPN_OK);
    for (size_t lefts = 0; lefts <= 3; lefts++) assert_true(output.width[lefts] == fabs(sum[lefts] - 0.25 * 7));
    assert_true(room[1] == 1e300);
    free(output.width);
    assert_true(fabs(share_upper(1000) - (0.95 + 3 * sqrt(0.0475 / 1000))) < 1e-15);
}

/* The level of a tree with the most noise, all of them where they are alike. */
static void the_largest_noise_serves_for_all(void **state) {
    (void)state;
    dpn_moment moment[] = {{.kind = DPN_MOMENT_ROWS},
                           {.kind = DPN_MOMENT_BINS, .a = 0},
                           {.kind = DPN_MOMENT_BINS, .a = 1},
                           {.kind = DPN_MOMENT_BINS, .a = 1, .b = 1},
                           {.kind = DPN_MOMENT_BINS, .a = 2}};
    dpn_query_cell cell[5] = {{.variance = 99}, {.variance = 98}, {.variance = 4}, {.variance = 4}, {.variance = 97}};
    dpn_query query = {.moment = moment, .moments = 5, .cell = cell};
    for (double second = 3; second <= 5; second++) {
        cell[3].variance = second;
        assert_false(is_largest(&query, 1, 0) || is_largest(&query, 1, 1) || is_largest(&query, 1, 4));
        assert_true(is_largest(&query, 1, 2) == (second <= 4) && is_largest(&query, 1, 3) == (second >= 4));
    }
    assert_true(is_largest(&query, 0, 1) && is_largest(&query, 2, 4));
}

static dpn_query *compiled(const char *words) {
    char json[DECLARED_SIZE];
    dpn_declaration declaration = declared_read(declared_quotes(json, words));
    dpn_query *query = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

/* Sums of 0, 1, ... nodes' noise, each of which is a draw of one level, on its grid and with its variance, and no two the same draw. */
static void sums_are_of_independent_nodes(void **state) {
    (void)state;
    enum { DRAWN = 4000 };
    dpn_query *query = compiled("{'statistics': [{'kind': 'count'}, {'kind': 'quantile', 'column': 'x', 'quantile': "
                                "'0.5', 'lower': '0', 'upper': "
                                "'90', 'step': '1'}], 'noise': 'laplace', 'epsilon': '0.5'}");
    assert_true(query->trees == 1 && query->histograms == 0 && query->bins[0].tree.levels > 1);
    size_t beside = dpn_tree_beside(&query->bins[0].tree), moment = 0;
    while (query->moment[moment].kind != DPN_MOMENT_BINS) moment++;
    double variance = query->cell[moment].variance, square = 0, product = 0;
    int64_t zero[16] = {0}, steps[16];
    assert_true(query->moments <= 16);
    simulation all = {.draws = DRAWN, .beside = beside, .sum = malloc(DRAWN * (beside + 1) * sizeof(double))};
    assert_non_null(all.sum);
    seeded rng;
    dpn_error why;
    seeded_begin(&rng, 5);
    assert_int_equal(simulate(&all, query, 0, &rng.rng, zero, steps, &why), DPN_OK);
    for (size_t d = 0; d < DRAWN; d++) {
        const double *sum = all.sum + d * (beside + 1);
        assert_true(sum[0] == 0);
        for (size_t k = 0; k < beside; k++) {
            double own = sum[k + 1] - sum[k];
            assert_true(own == floor(own)); /* counts */
            square += own * own;
            if (k > 0) product += own * (sum[k] - sum[k - 1]);
        }
    }
    double nodes = (double)(DRAWN * beside), error = sqrt(6 / nodes); /* of Laplace noise: its kurtosis is 6 */
    assert_true(fabs(square / nodes / (variance + 1 / 12.0) - 1) < 6 * error);
    assert_true(fabs(product / nodes / variance) < 6 / sqrt(nodes - DRAWN));
    free(all.sum);
    dpn_query_free(query);
}

/* Each quantile has widths for every number of nodes to the left: none at 0 and all for q = 1/2 as for 1 - q. */
static void each_quantile_has_its_widths(void **state) {
    (void)state;
    dpn_query *query =
        compiled("{'statistics': [{'kind': 'histogram', 'column': 'y', 'edges': ['0', '1']}, {'kind': 'quantile', "
                 "'column': 'x', "
                 "'quantile': '0.5', 'lower': '0', 'upper': '30', 'step': '1'}, {'kind': 'quantile', 'column': 'x', "
                 "'quantile': '0.9', "
                 "'lower': '0', 'upper': '30', 'step': '1'}], 'noise': 'gaussian', 'delta': '1e-6', 'epsilon': '0.1'}");
    size_t beside = dpn_tree_beside(&query->bins[1].tree), moment = 0;
    while (query->moment[moment].kind != DPN_MOMENT_BINS || query->moment[moment].a != 1) moment++;
    double deviation = sqrt(query->cell[moment].variance);
    assert_true(query->outputs == 3 && !query->outputs_of[0].width);
    for (size_t i = 1; i < 3; i++)
        for (size_t lefts = 0; lefts <= beside; lefts++) {
            double q = i == 1 ? 0.5 : 0.9, left = (double)lefts, right = (double)(beside - lefts);
            double gauss = 1.96 * deviation * sqrt((1 - q) * (1 - q) * left + q * q * right);
            double width = query->outputs_of[i].width[lefts]; /* 95.46% of Gaussian noise, in steps */
            assert_true(width > 0.96 * gauss && width < 1.09 * gauss + 1);
        }
    assert_true(quantile_of(query, &query->outputs_of[1]) == 0.5 && quantile_of(query, &query->outputs_of[2]) == 0.9);
    dpn_query_free(query);
}

/* Noise that is counted, of whole numbers from one on. */
static dpn_status draw_counted(int64_t *steps, const void *context, dpn_rng *rng, dpn_error *why) {
    size_t *at = *(size_t *const *)context;
    (void)rng;
    (void)why;
    for (size_t i = 0; i < at[1]; i++) steps[i] = 1;
    at[0]++;
    return DPN_OK;
}

/* Four million numbers at most, of which each draw has one for each node and a zero, in 20000 draws at most and 1000 at least; all levels of a release serve. */
static void draws_are_as_many_as_there_is_room_for(void **state) {
    (void)state;
    enum { LEVELS = 100 };
    static const struct {
        size_t beside, draws; /* 0: refused */
    } some[] = {{3, 20000}, {199, 20000}, {200, 19900}, {3999, 1000}, {4000, 0}};
    static double bound[LEVELS];
    static int exponent[LEVELS];
    static dpn_moment moment[LEVELS];
    static dpn_query_cell cell[LEVELS];
    for (size_t i = 0; i < LEVELS; i++) {
        bound[i] = 1;
        moment[i] = (dpn_moment){.kind = DPN_MOMENT_BINS, .a = 0};
        cell[i].variance = 5;
    }
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        size_t at[2] = {0, LEVELS}, *place = at, beside = some[k].beside;
        dpn_given_noise noise = dpn_given_noise_init();
        noise.dimension = LEVELS;
        noise.bound = bound;
        noise.grid_exponents = exponent;
        noise.epsilon = 1;
        noise.context = &place;
        noise.draw = draw_counted;
        dpn_error why = {DPN_OK, ""};
        char sentence[80], *names[] = {"x"};
        char half[] = "0.5";
        dpn_statistic statistic = {.kind = DPN_STATISTIC_QUANTILE, .quantile = half};
        dpn_bins bins = {.tree = {.bins = beside, .levels = 1, .radix = {beside}}};
        dpn_output output = {.bins = 0};
        dpn_query query = {.declaration = {.statistic = &statistic, .statistics = 1},
                           .column = names,
                           .moments = LEVELS,
                           .moment = moment,
                           .cell = cell,
                           .bins = &bins,
                           .trees = 1,
                           .outputs = beside < 100 || beside > 300,
                           .outputs_of = &output};
        assert_int_equal(dpn_tree_beside(&bins.tree), beside);
        if (dpn_release_given(&query.release, &noise, &why)) fail_msg("%s", why.sentence);
        dpn_status status = tree_widths(&query, 0, &why);
        assert_int_equal(status, some[k].draws ? DPN_OK : DPN_EDOMAIN);
        snprintf(sentence, sizeof sentence, "a tree with %zu nodes beside a way is too large", beside);
        if (status) assert_string_equal(why.sentence, sentence);
        assert_int_equal(at[0], (some[k].draws * beside + LEVELS - 1) / LEVELS);
        for (size_t lefts = 0; lefts <= beside && output.width; lefts++) /* every node has noise of one */
            assert_true(output.width[lefts] == fabs((double)lefts - 0.5 * (double)beside));
        assert_true((output.width != NULL) == (query.outputs > 0 && !status));
        free(output.width);
        dpn_release_free(query.release);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_isotonic_fit),
        cmocka_unit_test(just_as_far_is_not_refuted),
        cmocka_unit_test(widths_are_shares_of_the_draws),
        cmocka_unit_test(one_draw_is_the_width),
        cmocka_unit_test(the_largest_noise_serves_for_all),
        cmocka_unit_test(sums_are_of_independent_nodes),
        cmocka_unit_test(each_quantile_has_its_widths),
        cmocka_unit_test(draws_are_as_many_as_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
