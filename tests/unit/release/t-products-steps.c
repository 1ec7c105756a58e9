/* The steps of an interval of a variance or covariance, one by one, with laws of real questions: what refutes a value, where that ends, what so many numbers of rows
 * leave, and the nearest possible value. The pivot is written down once more, in long doubles. */
#include "release/compile/products.c" /* to see its steps */

#include "reference/draw.h"
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

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

/* A variance, a covariance; with a noisy number of rows and with a known one. */
static const char *const questions[] = {
    "{'statistics': [{'kind': 'variance', 'column': 'x', 'lower': '-1', 'upper': '3'}], 'epsilon': '1'}",
    "{'statistics': [{'kind': 'covariance', 'columns': ['x', 'y'], 'lower': ['-1', '0'], 'upper': ['3', '16']}], "
    "'epsilon': '2'}",
    "{'statistics': [{'kind': 'variance', 'column': 'x', 'lower': '-1', 'upper': '3'}], 'relation': 'replace', "
    "'missing': 'value:0', 'epsilon': '1'}",
    "{'statistics': [{'kind': 'covariance', 'columns': ['x', 'y'], 'lower': ['-1', '0'], 'upper': ['3', '16']}], "
    "'relation': 'replace', 'missing': 'value:0', 'epsilon': '2'}"};
enum { QUESTIONS = sizeof questions / sizeof *questions };

/* Each is made once, for all tests. */
static dpn_query *asked[QUESTIONS];

static dpn_query *question(size_t q) {
    if (!asked[q]) asked[q] = compiled(questions[q]);
    return asked[q];
}

static int free_all(void **state) {
    (void)state;
    for (size_t q = 0; q < QUESTIONS; q++) dpn_query_free(asked[q]);
    return 0;
}

static const dpn_output *output_of(const dpn_query *query, bool square) {
    for (size_t i = 0; i < query->outputs; i++)
        if ((query->outputs_of[i].first == query->outputs_of[i].second) == square) return &query->outputs_of[i];
    fail_msg("no such output");
    return NULL;
}

static dpn_noisy_sums some_sums(draw_source *source, bool square) {
    double n = draw_log_uniform(source, 2.5, 500), s = draw_uniform(source, -1.3, 1.3),
           t = draw_uniform(source, -1.3, 1.3);
    dpn_noisy_sums out = {
        .rows = n, .x = n * s, .y = n * t, .product = n * draw_uniform(source, -0.6, 0.9), .offset = square ? 0.5 : 0};
    if (square) out.y = out.x;
    return out;
}

static long double told(long double sum, long double rows) {
    return sum > rows ? 1 : sum < -rows ? -1 : sum / rows;
}

/* P - s Y - t X + N s t - (N - 1) c, where P has its offset back. */
static long double pivot_by_hand(const dpn_noisy_sums *of, long double c) {
    long double s = told(of->x, of->rows), t = told(of->y, of->rows), n = of->rows;
    return of->product + n * of->offset - s * of->y - t * of->x + n * s * t - (n - 1) * c;
}

static double width_by_hand(const law_of_pivot *law, const dpn_noisy_sums *of, double c) {
    double s = (double)told(of->x, of->rows), t = (double)told(of->y, of->rows);
    return dpn_product_width(&law->widths, s, t, s * t - c + of->offset);
}

/* ---- One value, and where it is refuted ---- */

static void values_are_refuted_by_their_pivot(void **state) {
    (void)state;
    draw_source source = {1};
    for (size_t q = 0; q < 2; q++) {
        dpn_query *query = question(q);
        const dpn_output *output = output_of(query, q == 0);
        const law_of_pivot *law = &output->products->noisy;
        int left = 0, empty = 0, cut = 0;
        for (int i = 0; i < 2000; i++) {
            dpn_noisy_sums sums = some_sums(&source, q == 0);
            dpn_reach reach = {draw_uniform(&source, 0.2, 3), draw_uniform(&source, 0.2, 3)};
            pivot p = pivot_of(law, &sums, reach);
            double c = draw_uniform(&source, -1, 1), width = width_by_hand(law, &sums, c),
                   size = fabs(sums.product) + 4 * sums.rows;
            long double at = pivot_by_hand(&sums, c);
            assert_true(fabsl(refutes(&p, c, 1) - (-at - reach.low * (long double)width)) < 1e-12L * size);
            assert_true(fabsl(refutes(&p, c, -1) - (at - reach.high * (long double)width)) < 1e-12L * size);
            /* the ends of what is left of a range: what lies beyond them is refuted, what lies within is not */
            range all = {q == 0 ? 0 : -1, 1};
            for (int side = -1; side <= 1; side += 2) {
                double end = 77, outer = side > 0 ? all.high : all.low, inner = side > 0 ? all.low : all.high;
                bool found = find_end(&end, &p, all, side);
                bool refuted = refutes(&p, outer, side) > 0, other = refutes(&p, inner, side) > 0;
                assert_true(found == !(refuted && other));
                empty += !found;
                if (!found) continue;
                if (!refuted) assert_true(end == outer);
                left += !refuted;
                cut += refuted;
                if (!refuted) continue;
                assert_true(end >= all.low && end <= all.high && refutes(&p, end, side) >= -1e-9 * size);
                assert_true(refutes(&p, end - side * 1e-9, side) < 1e-7 * size);
                for (double beyond = end; side > 0 ? beyond <= outer : beyond >= outer; beyond += side * 0.05)
                    assert_true(refutes(&p, beyond, side) >= -1e-9 * size);
            }
        }
        assert_true(left > 200 && empty > 100 && cut > 200);
    }
}

/* ---- So many rows ---- */

/* What one number of rows leaves: the centred sum less or more some widths, a share of n - 1, within what is possible. */
static range by_hand(const law_of_pivot *law, const dpn_noisy_sums *sums, double n, const dpn_reach *reach) {
    dpn_noisy_sums own = *sums;
    own.rows = n;
    facts known = facts_of(law, &own, n);
    if (!reach) reach = &known.reach;
    long double s = told(own.x, n), t = told(own.y, n), centred = pivot_by_hand(&own, 0);
    double width = dpn_product_width(&law->widths, (double)s, (double)t, 0);
    range out = {(double)((centred - reach->high * (long double)width) / (n - 1)),
                 (double)((centred + reach->low * (long double)width) / (n - 1))};
    if (out.low > known.covariance.high || out.high < known.covariance.low) return (range){INFINITY, -INFINITY};
    out.low = fmax(out.low, known.covariance.low);
    out.high = fmin(out.high, known.covariance.high);
    return out;
}

static void known_rows_leave_what_each_of_them_leaves(void **state) {
    (void)state;
    draw_source source = {2};
    int some = 0, none = 0;
    for (size_t q = 2; q < 4; q++) {
        dpn_query *query = question(q);
        const law_of_pivot *law = &output_of(query, q == 2)->products->known;
        for (int i = 0; i < 600; i++) {
            dpn_noisy_sums sums = some_sums(&source, q == 2);
            double n = fmax(floor(sums.rows), 2), most = n + floor(draw_uniform(&source, 0, i % 2 ? 40 : 4));
            range one = {INFINITY, -INFINITY}, all = one, made = one, expected = by_hand(law, &sums, n, NULL);
            add_known(&one, law, &sums, (range){n, n});
            assert_true((one.low > one.high) == (expected.low > expected.high));
            if (one.low <= one.high)
                assert_true(fabs(one.low - expected.low) < 1e-9 && fabs(one.high - expected.high) < 1e-9);
            for (double k = n; k <= most; k++) {
                range here = by_hand(law, &sums, k, NULL);
                all.low = fmin(all.low, here.low);
                all.high = fmax(all.high, here.high);
            }
            add_known_rows(&made, law, &sums, (range){n, most});
            if (all.low <= all.high) {
                /* reach and width are taken from the ends of a part, and are linear between nodes of simulated numbers: they may be short of those
                   within by what draws tell */
                double short_by = 0.03 * (all.high - all.low) + 1e-3;
                assert_true(made.low <= all.low + short_by && made.high >= all.high - short_by);
                /* parts of which each is a twelfth more: not much wider than the rows are one by one */
                double slack = 0.2 * (all.high - all.low) + 0.25 * fmax(fabs(all.low), fabs(all.high)) + 0.02;
                if (n > 20 && q == 3) assert_true(made.low > all.low - slack && made.high < all.high + slack);
                some++;
            } else {
                none++;
            }
            range few = {INFINITY, -INFINITY}, two = few; /* below two rows there are none */
            add_known_rows(&few, law, &sums, (range){1, 2});
            add_known_rows(&two, law, &sums, (range){2, 2});
            assert_true(few.low == two.low && few.high == two.high);
        }
    }
    assert_true(some > 400 && none > 20);
}

/* Of one draw all of it is the range, whatever the room held before. */
static void one_draw_is_the_range(void **state) {
    (void)state;
    dpn_noisy_sums noise[] = {{.rows = 5, .x = -3, .y = 20, .product = 77}, {.rows = 1e9, .x = 1e9, .y = -1e9}};
    static law_of_pivot law;
    double room[] = {1e300, 1e300};
    fill_far(&law, noise, 1, room);
    assert_true(law.far[0][0] == 3 && law.far[0][1] == 8 && law.far[1][0] == 20 && law.far[1][1] == 15);
    assert_true(room[1] == 1e300);
}

/* Many rows are taken in parts that begin where the one before has ended, each at most a twelfth and one row longer than its beginning says: no wider than what those
 * parts leave, of which none has more than that. */
static void known_rows_are_taken_in_twelfths(void **state) {
    (void)state;
    draw_source source = {7};
    int less = 0;
    for (size_t q = 2; q < 4; q++) {
        dpn_query *query = question(q);
        const law_of_pivot *law = &output_of(query, q == 2)->products->known;
        for (int i = 0; i < 300; i++) {
            dpn_noisy_sums sums = some_sums(&source, q == 2);
            double n = 2 + floor(draw_uniform(&source, 0, 60)), most = n + floor(draw_uniform(&source, 0, 200));
            range made = {INFINITY, -INFINITY}, parts = made, once = made;
            add_known_rows(&made, law, &sums, (range){n, most});
            for (double from = n; from <= most;) {
                double to = from; /* the last whole number that is at most 13/12 of it and one more */
                while (to + 1 <= most && 12 * (to - from) <= from) to++;
                add_known(&parts, law, &sums, (range){from, to});
                from = to + 1;
            }
            add_known(&once, law, &sums, (range){n, most});
            assert_true(made.low == parts.low && made.high == parts.high);
            less += made.low <= made.high && (once.low < made.low || once.high > made.high);
        }
    }
    assert_true(less > 100);
}

/* ---- What is possible ---- */

/* |c| <= n/(n - 1) sqrt((1 - s^2)(1 - t^2)), with the smallest means that are left; no variance is below 0. */
static void covariances_are_bounded_by_their_means(void **state) {
    (void)state;
    draw_source source = {3};
    for (size_t q = 0; q < 2; q++) {
        dpn_query *query = question(q);
        const law_of_pivot *law = &output_of(query, q == 0)->products->noisy;
        for (int i = 0; i < 500; i++) {
            dpn_noisy_sums sums = some_sums(&source, q == 0);
            double fewest = fmax(2, floor(sums.rows - 3)), s[2], t[2];
            facts known = facts_of(law, &sums, fewest);
            sizes_of(s, sums.x, law->far[0], sums.rows);
            sizes_of(t, sums.y, law->far[1], sums.rows);
            long double most =
                fewest / (fewest - 1.0L) * sqrtl((1 - (long double)s[0] * s[0]) * (1 - (long double)t[0] * t[0]));
            dpn_reach reach = dpn_tails_of(&law->tails, fewest, s, t);
            assert_true(fabsl(known.covariance.high - most) < 1e-9L &&
                        known.covariance.low == (q == 0 ? 0 : -known.covariance.high));
            assert_true(known.reach.low == reach.low && known.reach.high == reach.high);
        }
    }
}

static void the_nearest_value_has_its_width(void **state) {
    (void)state;
    draw_source source = {4};
    for (size_t q = 0; q < 2; q++) {
        dpn_query *query = question(q);
        const law_of_pivot *law = &output_of(query, q == 0)->products->noisy;
        for (int i = 0; i < 500; i++) {
            dpn_noisy_sums sums = some_sums(&source, q == 0);
            double fewest = fmax(2, floor(sums.rows - 3)), most = fewest / (fewest - 1), least = q == 0 ? 0 : -most;
            sums.product *= draw_uniform(&source, -20, 20);
            range found = nearest(law, &sums, fewest);
            double c = fmin(fmax((double)(pivot_by_hand(&sums, 0) / (sums.rows - 1)), least), most);
            double width = width_by_hand(law, &sums, c) / (sums.rows - 1);
            assert_true(fabs(found.low - fmax(c - width, least)) < 1e-9 &&
                        fabs(found.high - fmin(c + width, most)) < 1e-9);
            for (double rows = -3; rows <= 1; rows += 0.5) { /* one row or less says nothing */
                sums.rows = rows;
                found = nearest(law, &sums, fewest);
                assert_true(found.low == least && found.high == most);
            }
        }
    }
}

/* ---- Rows that were selected ---- */

/* Where a shown count is near the threshold both are told, what its noise leaves and what the numbers of rows leave that it does not refute; elsewhere the first alone. Where
 * neither leaves anything it is the nearest value of those that the fewest rows of either allow. */
static void selected_rows_are_told_of_both(void **state) {
    (void)state;
    static const char *const asked_of_groups[] = {
        "{'statistics': [{'kind': 'variance', 'column': 'x', 'lower': '-1', 'upper': '3'}], 'by': [{'column': 'g'}], "
        "'epsilon': '2', 'delta': '1e-4'}",
        "{'statistics': [{'kind': 'covariance', 'columns': ['x', 'y'], 'lower': ['-1', '0'], 'upper': ['3', '16']}], "
        "'by': [{'column': 'g'}], 'epsilon': '2', 'delta': '1e-4'}"};
    draw_source source = {8};
    for (int q = 0; q < 2; q++) {
        dpn_query *query = compiled(asked_of_groups[q]);
        const dpn_output *output = output_of(query, q == 0);
        const struct dpn_products *of = output->products;
        const dpn_moment *moment = &query->moment[output->product];
        double x = dpn_half_width(query, output->first), y = dpn_half_width(query, output->second), unit = x * y;
        double slack = (moment->shift > 0 ? ldexp(1, moment->exponent) : 0) + unit * 0x1p-40;
        int near = 0, far = 0, none = 0, fewer = 0;
        assert_true(dpn_is_selected(query, output));
        for (int i = 0; i < 800; i++) {
            double n = (double)query->threshold + 1 + floor(draw_log_uniform(&source, 1, 400)) - 1, sum[16], low, high;
            dpn_noisy_sums sums = some_sums(&source, q == 0);
            sums.x *= n / sums.rows, sums.y *= n / sums.rows, sums.product *= n / sums.rows, sums.rows = n;
            if (i % 4 == 0) sums.product *= 40;
            sums.offset = ldexp((double)moment->offset, moment->exponent) / unit;
            assert_true(query->moments <= 16);
            sum[output->rows] = n;
            sum[output->first] = sums.x * x;
            sum[output->second] = sums.y * y;
            sum[output->product] = sums.product * unit;
            dpn_products_interval(&low, &high, query, output, sum);
            range made = {INFINITY, -INFINITY}, rows;
            double fewest = fmax(ceil(n - of->rows), 2);
            add_noisy(&made, &of->noisy, &sums, fewest);
            if (dpn_selection_is_near(query, n)) {
                dpn_selection_interval(&rows.low, &rows.high, query, n, DPN_LEVEL_SELECTED);
                add_known_rows(&made, &of->known, &sums, rows);
                fewer += fmax(rows.low, 2) < fewest;
                if (fmax(rows.low, 2) < fewest) fewest = fmax(rows.low, 2);
                near++;
            } else {
                far++;
            }
            if (made.low > made.high) {
                made = nearest(&of->noisy, &sums, fewest);
                none++;
            }
            double least = made.low * unit - slack, most = made.high * unit + slack;
            if (q == 0) least = fmax(least, 0);
            assert_true(fabs(low - least) < 1e-9 * unit && fabs(high - most) < 1e-9 * unit);
        }
        if (!(near > 100 && far > 100 && none > 20 && fewer > 20)) fail_msg("%d %d %d %d", near, far, none, fewer);
        dpn_query_free(query);
    }
}

/* ---- What is prepared ---- */

/* Widths of the first third of the draws, tails of those after them, ranges of all: where rows are known, of noise without rows. */
static void laws_are_made_of_the_draws(void **state) {
    (void)state;
    for (size_t q = 0; q < QUESTIONS; q += 3) {
        dpn_query *query = question(q);
        bool square = q % 2 == 0, known = q >= 2;
        const dpn_output *output = output_of(query, square);
        const law_of_pivot *law = known ? &output->products->known : &output->products->noisy;
        size_t count = query->draws;
        dpn_noisy_sums *noise = malloc(count * sizeof *noise);
        double *room = malloc(count * sizeof *room);
        assert_true(noise && room && count == 20000);
        for (size_t d = 0; d < count; d++) {
            noise[d] = sums_of(query, output, query->noise + d * query->moments);
            assert_true(noise[d].x * dpn_half_width(query, output->first) ==
                        query->noise[d * query->moments + output->first]);
            if (known) noise[d].rows = 0;
        }
        for (int side = 0; side < 2; side++)
            for (int mean = 0; mean < 2; mean++) {
                for (size_t d = 0; d < count; d++)
                    room[d] = fabs((side ? noise[d].y : noise[d].x) - mean * noise[d].rows);
                assert_true(law->far[side][mean] == dpn_range_of(room, count, 0.999));
            }
        static dpn_widths widths;
        static dpn_tails tails;
        dpn_widths_fill(&widths, square, known, noise, 4000, room);
        assert_memory_equal(widths.at, law->widths.at,
                            widths.means * widths.others * widths.factors * sizeof *widths.at);
        for (size_t d = 0; d < count; d++) room[d] = noise[d].rows;
        double rows = known ? 0 : dpn_range_of(room, count, 0.995);
        assert_true(output->products->rows == rows);
        double scale = fmax(rows, fmax(law->far[0][1], law->far[1][1]) / 2);
        dpn_tails_fill(&tails, &widths, noise + 4000, 8000, scale, known ? 0.0245 : 0.022, room);
        assert_true(tails.scale == law->tails.scale && tails.means == law->tails.means);
        for (size_t size = 0; size < DPN_TAIL_SIZES; size++) {
            assert_memory_equal(tails.low[size], law->tails.low[size], tails.means * tails.others * sizeof(double));
            assert_memory_equal(tails.high[size], law->tails.high[size], tails.means * tails.others * sizeof(double));
        }
        free(noise);
        free(room);
    }
}

/* Of fewer draws a third makes the widths, and the others the tails: up to 4000 and 8000. */
static void few_draws_are_divided(void **state) {
    (void)state;
    static const size_t counts[][3] = {{900, 300, 600}, {11999, 3999, 8000}, {12001, 4000, 8000}};
    dpn_query *query = question(0);
    const dpn_output *output = output_of(query, true);
    static dpn_noisy_sums noise[12001];
    static double room[12001];
    static law_of_pivot law;
    static dpn_widths widths;
    static dpn_tails tails;
    for (size_t d = 0; d < 12001; d++) noise[d] = sums_of(query, output, query->noise + d * query->moments);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        double rows = k % 2 ? 0.01 : 5000;
        fill(&law, true, false, rows, noise, counts[k][0], 0.022, room);
        dpn_widths_fill(&widths, true, false, noise, counts[k][1], room);
        assert_memory_equal(widths.at, law.widths.at,
                            widths.means * widths.others * widths.factors * sizeof *widths.at);
        double scale = fmax(rows, fmax(law.far[0][1], law.far[1][1]) / 2);
        dpn_tails_fill(&tails, &widths, noise + counts[k][1], counts[k][2], scale, 0.022, room);
        assert_true(tails.scale == law.tails.scale);
        for (size_t size = 0; size < DPN_TAIL_SIZES; size++) {
            assert_memory_equal(tails.low[size], law.tails.low[size], tails.means * tails.others * sizeof(double));
            assert_memory_equal(tails.high[size], law.tails.high[size], tails.means * tails.others * sizeof(double));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_refuted_by_their_pivot),
        cmocka_unit_test(known_rows_leave_what_each_of_them_leaves),
        cmocka_unit_test(one_draw_is_the_range),
        cmocka_unit_test(known_rows_are_taken_in_twelfths),
        cmocka_unit_test(covariances_are_bounded_by_their_means),
        cmocka_unit_test(the_nearest_value_has_its_width),
        cmocka_unit_test(selected_rows_are_told_of_both),
        cmocka_unit_test(laws_are_made_of_the_draws),
        cmocka_unit_test(few_draws_are_divided),
    };
    return cmocka_run_group_tests(tests, NULL, free_all);
}
