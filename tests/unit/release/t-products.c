/* Intervals of variances and covariances: those that are left when every value is held against the pivot, one after the other, by the formula at the head of
 * products.c. Widths and tails are those of t-product-tails.c. */
#include "release/compile/products.c" /* to see what an output holds, and how it is made */

#include "reference/draw.h"
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static dpn_query *compiled(const char *words) {
    char json[DECLARED_SIZE];
    dpn_declaration declaration = declared_read(declared_quotes(json, words));
    dpn_query *query = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

static size_t within(const double *x, size_t count, double most, bool strictly) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += strictly ? x[i] < most : x[i] <= most;
    return found;
}

/* ---- What noise rarely exceeds ---- */

/* A share of the draws, raised by two standard deviations of what so many of them tell. */
static void assert_share(const double *x, size_t count, double most, double level) {
    double raised = level + 2 * sqrt(level * (1 - level) / (double)count);
    assert_true((double)within(x, count, most, false) >= raised * (double)count - 1e-6);
    assert_true((double)within(x, count, most, true) < raised * (double)count + 1e-6);
}

static void sums_are_as_far_as_noise_takes_them(void **state) {
    (void)state;
    enum { DRAWS = 20000 };
    static dpn_noisy_sums noise[DRAWS];
    static double room[DRAWS];
    draw_source source = {4};
    law_of_pivot law;
    for (size_t d = 0; d < DRAWS; d++)
        noise[d] = (dpn_noisy_sums){.rows = draw_uniform(&source, -3, 3),
                                    .x = draw_uniform(&source, -1, 1),
                                    .y = draw_uniform(&source, -20, 20)};
    for (size_t d = 0; d < DRAWS; d++) room[d] = 0;
    fill_far(&law, noise, DRAWS, room);
    for (int side = 0; side < 2; side++)
        for (int mean = 0; mean < 2; mean++) {
            for (size_t d = 0; d < DRAWS; d++)
                room[d] = fabs((side == 0 ? noise[d].x : noise[d].y) - (mean == 0 ? 0 : noise[d].rows));
            assert_share(room, DRAWS, law.far[side][mean], 0.999);
        }
}

/* Of all sizes from 0 to 1 those that |sum - s rows| <= far[0] + s (far[1] - far[0]) leaves. */
static void sizes_are_those_that_are_left(void **state) {
    (void)state;
    enum { STEPS = 2000 };
    draw_source source = {5};
    int some = 0;
    for (int i = 0; i < 400; i++) {
        double rows = draw_uniform(&source, -5, 40), sum = draw_uniform(&source, -40, 40);
        double far[2] = {draw_uniform(&source, 0, 9), draw_uniform(&source, 0, 20)}, found[2];
        double least = 2, most = -1, more = far[1] > far[0] ? far[1] - far[0] : 0;
        for (int k = 0; k <= STEPS; k++) {
            double s = (double)k / STEPS;
            if (fabs(fabs(sum) - s * rows) > far[0] + s * more) continue;
            least = fmin(least, s);
            most = fmax(most, s);
        }
        if (most < 0) continue;
        sizes_of(found, sum, far, rows);
        assert_true(found[0] <= least &&
                    found[1] >= most); /* no table has fewer rows than none: there any bound will do */
        if (rows > 0) assert_true(found[0] > least - 1.01 / STEPS && found[1] < most + 1.01 / STEPS);
        some++;
    }
    assert_true(some > 200);
}

/* ---- Intervals ---- */

static const char noisy_variance[] =
    "{'statistics': [{'kind': 'variance', 'column': 'x', 'lower': '-1', 'upper': '3'}], 'epsilon': '1'}";
static const char noisy_covariance[] =
    "{'statistics': [{'kind': 'covariance', 'columns': ['x', 'y'], 'lower': ['-1', '0'], 'upper': ['3', '16']}], "
    "'epsilon': '2'}";
static const char known_variance[] =
    "{'statistics': [{'kind': 'variance', 'column': 'x', 'lower': '-1', 'upper': '3'}], 'relation': 'replace', "
    "'missing': 'value:0', 'epsilon': '1'}";
static const char known_covariance[] =
    "{'statistics': [{'kind': 'covariance', 'columns': ['x', 'y'], 'lower': ['-1', '0'], 'upper': ['3', '16']}], "
    "'relation': 'replace', 'missing': 'value:0', 'epsilon': '2'}";

/* Halves of the bounds, by the declarations above. */
static double half_of(const dpn_query *query, size_t moment) {
    return strcmp(query->column[query->measure[query->moment[moment].a].column], "x") == 0 ? 2 : 8;
}

/* Sums of a table of n rows whose values have these means and deviations, and noise of a few of its own sizes. */
static dpn_noisy_sums some_sums(draw_source *source, bool square, bool known, double offset) {
    double n = floor(draw_log_uniform(source, 4, 3000)), s = draw_uniform(source, -1, 1);
    double t = square ? s : draw_uniform(source, -1, 1), noise = draw_chance(source, 0.2) ? 30 : 3;
    double c =
        square ? draw_uniform(source, 0, 1 - s * s) : draw_uniform(source, -1, 1) * sqrt((1 - s * s) * (1 - t * t));
    dpn_noisy_sums out = {.rows = known ? n : fmax(n + draw_uniform(source, -noise, noise), 3),
                          .x = n * s + draw_uniform(source, -noise, noise),
                          .y = n * t + draw_uniform(source, -noise, noise),
                          .product = n * (c + s * t - offset) + draw_uniform(source, -noise, noise),
                          .offset = offset};
    if (square) out.y = out.x;
    return out;
}

/* The numbers that a query has, of sums in halves of the bounds. */
static void put_sums(double *sum, const dpn_query *query, const dpn_output *output, const dpn_noisy_sums *of) {
    double x = half_of(query, output->first), y = half_of(query, output->second);
    sum[output->rows] = of->rows;
    sum[output->first] = of->x * x;
    sum[output->second] = of->y * y;
    sum[output->product] = of->product * x * y;
}

static void left_sizes(double out[2], double sum, const double far[2], double rows) {
    double more = fmax(far[1] - far[0], 0);
    out[0] = fmin(fmax((fabs(sum) - far[0]) / (rows + more), 0), 1);
    out[1] = rows > more ? fmin((fabs(sum) + far[0]) / (rows - more), 1) : 1;
}

static double told(double sum, double rows) {
    return fmin(fmax(sum / rows, -1), 1);
}

typedef struct trial {
    double low, high; /* what is left of the values c */
    double step;      /* between those that were tried */
} trial;

/* Every c between the ends of what is possible. */
static trial by_trial(const dpn_output *output, const dpn_noisy_sums *of, bool known) {
    enum { STEPS = 4000 };
    const law_of_pivot *law = known ? &output->products->known : &output->products->noisy;
    bool square = output->first == output->second;
    double n = of->rows, fewest = known ? n : fmax(ceil(n - output->products->rows), 2), s[2], t[2];
    left_sizes(s, of->x, law->far[0], n);
    left_sizes(t, of->y, law->far[1], n);
    dpn_reach reach = dpn_tails_of(&law->tails, fewest, s, t);
    double most = fewest / (fewest - 1) * sqrt(1 - s[0] * s[0]) * sqrt(1 - t[0] * t[0]), least = square ? 0 : -most;
    double a = told(of->x, n), b = told(of->y, n);
    trial out = {INFINITY, -INFINITY, (most - least) / STEPS};
    for (int k = 0; k <= STEPS; k++) {
        double c = least + out.step * k, factor = known ? 0 : a * b - c + of->offset;
        double off = of->product + n * of->offset - a * of->y - b * of->x + n * a * b - (n - 1) * c;
        double width = dpn_product_width(&law->widths, a, b, factor);
        if (off < -reach.low * width || off > reach.high * width) continue;
        out.low = fmin(out.low, c);
        out.high = fmax(out.high, c);
    }
    return out;
}

static void check_intervals(const char *words, bool known, uint64_t seed) {
    dpn_query *query = compiled(words);
    draw_source source = {seed};
    int held = 0, empty = 0;
    for (int i = 0; i < 120; i++) {
        const dpn_output *output = &query->outputs_of[(size_t)i % query->outputs];
        bool square = output->first == output->second;
        double unit = half_of(query, output->first) * half_of(query, output->second), low, high, sum[8] = {0};
        double offset =
            ldexp((double)query->moment[output->product].offset, query->moment[output->product].exponent) / unit;
        assert_true(query->moments <= 8 && (square ? fabs(offset - 0.5) < 1e-3 : offset == 0));
        dpn_noisy_sums sums = some_sums(&source, square, known, offset);
        put_sums(sum, query, output, &sums);
        dpn_products_interval(&low, &high, query, output, sum);
        trial tried = by_trial(output, &sums, known);
        assert_true(low <= high && (!square || low >= 0));
        if (tried.low > tried.high) { /* the nearest possible value: see below */
            empty++;
            continue;
        }
        double slack = (1.01 * tried.step + 1e-6) * unit;
        if (!(fabs(low - tried.low * unit) <= slack && fabs(high - tried.high * unit) <= slack))
            fail_msg("%s: %g to %g, not %g to %g: rows %g, x %g, y %g, product %g",
                     query->output[(size_t)i % query->outputs], low, high, tried.low * unit, tried.high * unit,
                     sums.rows, sums.x, sums.y, sums.product);
        held++;
    }
    assert_true(held > 3 * empty && held > 60);
    dpn_query_free(query);
}

static void intervals_hold_what_is_not_refuted(void **state) {
    (void)state;
    check_intervals(noisy_variance, false, 6);
    check_intervals(noisy_covariance, false, 7);
    check_intervals(known_variance, true, 8);
    check_intervals(known_covariance, true, 9);
}

/* Squares whose sum is far below 0, or above what n of them have: the least variance and the largest, with one width. */
static void the_nearest_where_nothing_fits(void **state) {
    (void)state;
    dpn_query *query = compiled(noisy_variance);
    const dpn_output *output = &query->outputs_of[0];
    const law_of_pivot *law = &output->products->noisy;
    for (int side = -1; side <= 1; side += 2) {
        double low, high, sum[8] = {0}, n = 500, far = 5000;
        dpn_noisy_sums sums = {.rows = n, .product = side * far, .offset = 0.5};
        double fewest = ceil(n - output->products->rows), most = fewest / (fewest - 1), c = side < 0 ? 0 : most;
        put_sums(sum, query, output, &sums);
        dpn_products_interval(&low, &high, query, output, sum);
        double width = dpn_product_width(&law->widths, 0, 0, 0.5 - c) / (n - 1);
        assert_true(fabs(low - 4 * fmax(c - width, 0)) < 1e-4 && fabs(high - 4 * fmin(c + width, most)) < 1e-4);
        sums.rows = sum[output->rows] = 0.5; /* and one row or less tells nothing */
        dpn_products_interval(&low, &high, query, output, sum);
        assert_true(low == 0 && fabs(high - 4 * 2) < 1e-4);
    }
    dpn_query_free(query);
}

/* ---- What is simulated ---- */

static void noise_is_simulated_where_it_is_needed(void **state) {
    (void)state;
    static const struct {
        const char *statistics;
        bool needed;
    } some[] = {{"{'kind': 'count'}", false},
                {"{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '1'}", false},
                {"{'kind': 'histogram', 'column': 'x', 'edges': ['0', '1', '2']}", false},
                {"{'kind': 'count'}, {'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '1'}", true},
                {"{'kind': 'mean', 'column': 'x', 'lower': '0', 'upper': '1'}", true}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char words[300];
        snprintf(words, sizeof words, "{'statistics': [%s], 'epsilon': '1'}", some[i].statistics);
        dpn_query *query = compiled(words);
        assert_true((query->draws > 0) == some[i].needed && (query->noise != NULL) == some[i].needed);
        dpn_query_free(query);
    }
}

/* The rows of a noisy count are rarely more than this above the truth, and nothing is made of what is not asked. */
static void rows_are_as_far_as_noise_takes_them(void **state) {
    (void)state;
    dpn_query *query = compiled(noisy_variance);
    const dpn_output *output = &query->outputs_of[0];
    double *room = malloc(query->draws * sizeof *room);
    assert_non_null(room);
    for (size_t d = 0; d < query->draws; d++) room[d] = query->noise[d * query->moments + output->rows];
    assert_share(room, query->draws, output->products->rows, 0.995);
    assert_true(output->products->square && output->products->known.tails.scale == 0);
    free(room);
    dpn_query_free(query);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_as_far_as_noise_takes_them),   cmocka_unit_test(sizes_are_those_that_are_left),
        cmocka_unit_test(intervals_hold_what_is_not_refuted),    cmocka_unit_test(the_nearest_where_nothing_fits),
        cmocka_unit_test(noise_is_simulated_where_it_is_needed), cmocka_unit_test(rows_are_as_far_as_noise_takes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
