/* The pieces of an interval, one by one: ranks of simulated numbers against sorted ones, the interval of a mean against every mean between the
 * bounds, covariances against long doubles. t-intervals.c says what comes of them. */
#include "release/compile/interval.c" /* to see its pieces */

#include "reference/draw.h"
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- Ranks ---- */

/* With many ties and with none, ascending, descending, and neither. */
static void fill_some(double *x, size_t count, int kind, draw_source *source) {
    for (size_t i = 0; i < count; i++)
        x[i] = kind == 0   ? (double)i
               : kind == 1 ? -(double)i
               : kind == 2 ? floor(draw_uniform(source, 0, 4))
               : kind == 3 ? 7
                           : draw_uniform(source, -1, 1);
}

static void ranks_are_those_of_sorted_numbers(void **state) {
    (void)state;
    enum { MOST = 40 };
    draw_source source = {1};
    for (size_t count = 1; count <= MOST; count++)
        for (int kind = 0; kind < 5; kind++)
            for (size_t rank = 0; rank < count; rank++) {
                double x[MOST], sorted[MOST];
                fill_some(x, count, kind, &source);
                memcpy(sorted, x, sizeof sorted);
                qsort(sorted, count, sizeof *sorted, by_size);
                assert_true(at_rank(x, count, rank) == sorted[rank]);
                qsort(x, count, sizeof *x, by_size); /* nothing was lost */
                assert_memory_equal(x, sorted, count * sizeof *x);
            }
}

/* The least number that the share does not exceed: so many are at most it, and fewer below it. */
static void shares_are_of_all_numbers(void **state) {
    (void)state;
    double x[20];
    for (size_t count = 1; count <= 20; count++)
        for (int part = -2; part <= 2 * (int)count + 3; part++) {
            for (size_t i = 0; i < count; i++) x[i] = (double)(count - 1 - i);
            double share = part / (2.0 * (double)count), found = dpn_share_of(x, count, share);
            double least = fmin(fmax(ceil(share * (double)count), 1), (double)count) - 1;
            assert_true(found == least);
        }
}

/* A share is told by N draws to sqrt(l (1 - l)/N): it is raised by two of these, or by 6.5 less 0.01 where that is more, and by less than one
 * draw besides. */
static void ranges_are_raised_by_what_draws_tell(void **state) {
    (void)state;
    static const double levels[] = {0.5, 0.95, 0.98, 0.995, 0.999};
    static const size_t counts[] = {1000, 1300, 4000, 20000};
    double *x = malloc(20000 * sizeof *x);
    assert_non_null(x);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
            size_t count = counts[c];
            double level = levels[l], told = sqrt(level * (1 - level) / (double)count);
            for (size_t i = 0; i < count; i++) x[(i * 7919) % count] = (double)i + 1; /* how many are at most it */
            double share = dpn_range_of(x, count, level) / (double)count;
            double raised = fmin(fmax(level + 2 * told, level + 6.5 * told - 0.01), 1), one = 1 / (double)count;
            assert_true(share >= raised - 1e-12 && share < raised + one + 1e-12);
        }
    free(x);
}

/* ---- A query made by hand: rows, and a sum of values about the middle ---- */

enum { DRAWN = 2000 };

typedef struct by_hand {
    dpn_query query;
    dpn_measure measure[2];
    dpn_moment moment[4];
    dpn_output output;
    double noise[4 * DRAWN], width[NODES];
} by_hand;

static void make_by_hand(by_hand *out, int64_t lower, int64_t upper, int exponent) {
    int64_t middle = lower + (upper - lower) / 2;
    *out = (by_hand){.query = {.measures = 2, .moments = 4, .draws = DRAWN}};
    out->measure[0] = (dpn_measure){0, exponent, lower, upper, middle};
    out->measure[1] = (dpn_measure){1, exponent - 1, 3 * lower, 3 * upper, 3 * middle};
    out->moment[0] = (dpn_moment){.kind = DPN_MOMENT_ROWS, .bound = 1};
    out->moment[1] = (dpn_moment){.kind = DPN_MOMENT_VALUE, .a = 0, .exponent = exponent, .offset = middle};
    out->moment[2] = (dpn_moment){.kind = DPN_MOMENT_VALUE, .a = 1, .exponent = exponent - 1, .offset = 3 * middle};
    out->moment[3] =
        (dpn_moment){.kind = DPN_MOMENT_PRODUCT, .a = 0, .b = 0, .exponent = 2 * exponent + 3, .offset = 9};
    out->output = (dpn_output){.rows = 0, .first = 1, .second = 2, .product = 3, .width = out->width};
}

static void point_at(by_hand *hand) {
    hand->query.measure = hand->measure;
    hand->query.moment = hand->moment;
    hand->query.noise = hand->noise;
    hand->output.width = hand->width;
}

static void widths_are_ranges_of_the_noise(void **state) {
    (void)state;
    static by_hand hand;
    draw_source source = {2};
    make_by_hand(&hand, -24, 40, -2);
    point_at(&hand);
    assert_true(dpn_half_width(&hand.query, 1) == 8 && dpn_half_width(&hand.query, 2) == 12);
    assert_true(dpn_half_width(&hand.query, 3) == 8);
    for (size_t d = 0; d < DRAWN; d++)
        for (size_t i = 0; i < 4; i++) hand.noise[4 * d + i] = draw_uniform(&source, -1, 1) * pow(3, (double)i);
    static double room[DRAWN], x[DRAWN];
    for (double t = -8; t <= 8; t += 2) {
        for (size_t d = 0; d < DRAWN; d++) x[d] = fabs(hand.noise[4 * d + 1] - t * hand.noise[4 * d]);
        double width = dpn_width_at(&hand.query, &hand.output, t, 0.9, room);
        assert_true(width == dpn_range_of(x, DRAWN, 0.9));
    }
    dpn_output prepared = {.rows = 0, .first = 1, .row = NULL};
    hand.query.known_keys = true;
    dpn_error why;
    assert_int_equal(dpn_interval_mean_prepare(&hand.query, &prepared, room, &why), DPN_OK);
    for (int i = 0; i < NODES; i++) /* at 65 means from one end to the other */
        assert_true(prepared.width[i] == dpn_width_at(&hand.query, &hand.output, -8 + i / 4.0, 0.95, room));
    free(prepared.width);
}

/* Of one draw all of it is the width, whatever the room held before; and no number counts that is beyond it. */
static void one_draw_is_the_width(void **state) {
    (void)state;
    static by_hand hand;
    make_by_hand(&hand, -24, 40, -2);
    point_at(&hand);
    hand.query.draws = 1;
    hand.noise[0] = 3, hand.noise[1] = -5, hand.noise[2] = 11, hand.noise[3] = 13;
    for (double t = -8; t <= 8; t += 4) {
        double room[] = {1e300, 1e300};
        assert_true(dpn_width_at(&hand.query, &hand.output, t, 0.95, room) == fabs(-5 - 3 * t));
        assert_true(room[1] == 1e300);
    }
}

/* ---- Means ---- */

/* What of [a, b] a line leaves. */
static void lines_cut_what_is_above(void **state) {
    (void)state;
    static const struct {
        double at_a, at_b, a, b;
    } some[] = {{-1, -3, 2, 6}, {0, 0, 2, 6},  {0, -1, 2, 6}, {-1, 0, 2, 6}, {1, -1, 4, 6},
                {-1, 1, 2, 4},  {3, -1, 5, 6}, {-1, 3, 2, 3}, {0, 2, 2, 2},  {2, 0, 6, 6}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        double a = 2, b = 6;
        cut(&a, &b, some[i].at_a, some[i].at_b);
        assert_true(fabs(a - some[i].a) < 1e-12 && fabs(b - some[i].b) < 1e-12);
    }
    double a = 2, b = 6;
    cut(&a, &b, 1, 1e-3);
    assert_true(a > b);
}

static double width_between(const double *width, double half, double t) {
    double at = (t / half + 1) / 2 * (NODES - 1), whole = fmin(floor(at), NODES - 2);
    return width[(int)whole] + (at - whole) * (width[(int)whole + 1] - width[(int)whole]);
}

/* All t between the ends for which |sum - t rows| is within the width at t: by trial of many, and at the ends exactly. */
static void means_are_those_that_noise_allows(void **state) {
    (void)state;
    enum { STEPS = 3000 };
    static by_hand hand;
    draw_source source = {3};
    int inside = 0, ends = 0, none = 0;
    for (int i = 0; i < 1500; i++) {
        int64_t lower = (int64_t)draw_uniform(&source, -50, 50);
        make_by_hand(&hand, lower, lower + 2 * (int64_t)draw_uniform(&source, 1, 40), -2);
        point_at(&hand);
        double half = dpn_half_width(&hand.query, 1), a = draw_uniform(&source, 0, 5), b = draw_uniform(&source, 0, 5);
        double skew = draw_uniform(&source, -half, half);
        for (int k = 0; k < NODES; k++)
            hand.width[k] = 0.1 + a * half + b * fabs(half * (2.0 * k / (NODES - 1) - 1) - skew); /* convex */
        double rows = draw_chance(&source, 0.2) ? draw_uniform(&source, -5, 2) : draw_uniform(&source, 0, 60);
        double sum = draw_uniform(&source, -1.3, 1.3) * half * fmax(fabs(rows), 5), low, high;
        double least = INFINITY, most = -INFINITY;
        for (int k = 0; k <= STEPS; k++) {
            double t = half * (2.0 * k / STEPS - 1);
            if (fabs(sum - t * rows) > width_between(hand.width, half, t)) continue;
            least = fmin(least, t);
            most = fmax(most, t);
        }
        dpn_interval_mean(&low, &high, &hand.query, &hand.output, rows, sum);
        assert_true(low >= -half && high <= half && low <= high);
        if (least <= most) {
            double step = 2.01 * half / STEPS;
            assert_true(low <= least + 1e-9 && low > least - step && high >= most - 1e-9 && high < most + step);
            for (int side = 0; side < 2; side++) {
                double t = side ? high : low, off = fabs(sum - t * rows) - width_between(hand.width, half, t);
                bool end = side ? t == half : t == -half;
                assert_true(off < 1e-9 * (1 + fabs(sum)) && (end || off > -1e-9 * (1 + fabs(sum))));
                ends += end;
                inside += !end;
            }
        } else if (low == -half ||
                   high == half) { /* the end that is nearer, and the width that it has, a row at least */
            bool upper = sum * rows >= 0;
            double width = hand.width[upper ? NODES - 1 : 0] / fmax(rows, 1);
            assert_true(fabs(low - (upper ? fmax(half - width, -half) : -half)) < 1e-9);
            assert_true(fabs(high - (upper ? half : fmin(width - half, half))) < 1e-9);
            none++;
        }
    }
    assert_true(inside > 300 && ends > 300 && none > 50);
}

/* ---- Covariances ---- */

static void covariances_are_those_of_the_sums(void **state) {
    (void)state;
    static by_hand hand;
    draw_source source = {4};
    int clamped = 0, within = 0;
    make_by_hand(&hand, -24, 40, -2); /* half widths 8 and 12; the offset of a product is 9/2 */
    point_at(&hand);
    for (int i = 0; i < 3000; i++) {
        bool square = i % 2;
        hand.output.second = square ? 1 : 2;
        double rows = draw_chance(&source, 0.1) ? draw_uniform(&source, -3, 2) : draw_uniform(&source, 2, 50);
        double x = draw_uniform(&source, -200, 200), y = square ? x : draw_uniform(&source, -200, 200);
        double product = draw_uniform(&source, -9000, 9000), unit = square ? 64 : 96;
        if (i % 3 == 0) product = draw_uniform(&source, -1, 1) * unit * fmax(rows, 2);
        long double n = rows < 2 ? 2 : rows, whole = product + n * 4.5L;
        long double value = (whole - (long double)x * y / n) / (n - 1), most = unit * n / (n - 1);
        long double least = square ? 0 : -most, expected = value < least ? least : value > most ? most : value;
        double found = dpn_covariance(&hand.query, &hand.output, rows, x, y, product);
        assert_true(fabsl(found - expected) < 1e-12L * (fabsl(whole) + fabsl((long double)x * y / n) + 1));
        if (value == expected)
            within++;
        else
            clamped++;
    }
    assert_true(clamped > 200 && within > 200);
}

/* ---- Selected counts ---- */

static double told_of(double rows, double sum, double middle) {
    return middle + sum / rows - 0.01 * rows;
}

/* Of all rows and sums that are not refuted the corners decide, and what was known before stays. */
static void selected_answers_hold_all_corners(void **state) {
    (void)state;
    dpn_declaration declaration = declared_read(
        "{\"statistics\": [{\"kind\": \"mean\", \"column\": \"x\", \"lower\": \"0\", \"upper\": \"10\"}], "
        "\"by\": [{\"column\": \"key\"}], \"epsilon\": \"2\", \"delta\": \"1e-6\"}");
    dpn_query *query = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_declaration_free(&declaration);
    const dpn_output *output = &query->outputs_of[0];
    assert_true(dpn_is_selected(query, output) && output->alone > 0);
    double *room = malloc(query->draws * sizeof *room);
    assert_non_null(room);
    assert_true(output->alone == dpn_width_at(query, output, 0, 0.98, room));
    free(room);
    int near = 0, far = 0;
    for (double x = (double)query->threshold + 1; x < 3 * (double)query->threshold; x++)
        for (int wide = 0; wide < 2; wide++) {
            double low = wide ? -1e6 : 40, high = wide ? 1e6 : 41, fewest, most;
            double least = low, largest = high;
            dpn_interval_selected(&low, &high, query, output, x, 30, told_of, 2);
            if (dpn_selection_is_near(query, x)) {
                dpn_selection_interval(&fewest, &most, query, x, 0.98);
                for (int corner = 0; corner < 4; corner++) {
                    double value = told_of(corner & 1 ? fewest : most, 30 + (corner & 2 ? -1 : 1) * output->alone, 2);
                    least = fmin(least, value);
                    largest = fmax(largest, value);
                }
                near++;
            } else {
                far++;
            }
            assert_true(low == least && high == largest);
        }
    assert_true(near > 4 && far > 4);
    dpn_query_free(query);
}

/* ---- Simulated noise ---- */

/* As many draws as the numbers allow, up to 20000, each in its unit; groups of more than 4000 sums are refused. */
static void noise_is_that_of_the_release(void **state) {
    (void)state;
    dpn_query *query = calloc(1, sizeof *query);
    dpn_error why;
    assert_non_null(query);
    query->moments = 4001;
    assert_int_equal(simulate(query, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "4001 sums in a group are too many");
    assert_true(!query->noise && query->draws == 0);
    free(query);

    dpn_declaration declaration = declared_read(
        "{\"statistics\": [{\"kind\": \"mean\", \"column\": \"x\", \"lower\": \"0\", \"upper\": \"1e-3\"}, "
        "{\"kind\": \"mean\", \"column\": \"y\", \"lower\": \"0\", \"upper\": \"1e6\"}], \"epsilon\": \"0.5\"}");
    assert_int_equal(dpn_query_new(&query, &declaration, NULL, &why), DPN_OK);
    dpn_declaration_free(&declaration);
    assert_int_equal(query->draws, 20000);
    for (size_t i = 0; i < query->moments; i++) {
        double sum = 0, variance = query->cell[i].variance, grid = query->cell[i].grid;
        size_t rest = 0;
        for (size_t d = 0; d < query->draws; d++) {
            double x = query->noise[d * query->moments + i];
            rest += fmod(x, grid) != 0;
            sum += x * x;
        }
        sum /= (double)query->draws;
        assert_true(rest == 0 && sum > 0.8 * variance && sum < 1.25 * variance + grid * grid);
    }
    for (size_t i = 0; i < query->outputs; i++) assert_true(isnan(query->outputs_of[i].half));
    dpn_query_free(query);
}

/* Noise that is known: the number of the draw and of the sum. */
static dpn_status draw_known(int64_t *steps, const void *context, dpn_rng *rng, dpn_error *why) {
    size_t *at = *(size_t *const *)context;
    (void)rng;
    (void)why;
    for (size_t i = 0; i < at[1]; i++) steps[i] = (int64_t)(10000 * at[0] + i);
    at[0]++;
    return DPN_OK;
}

/* Four million numbers at most, in 20000 draws at most and 1000 at least, each draw with all sums in their units. */
static void draws_are_as_many_as_there_is_room_for(void **state) {
    (void)state;
    static const struct {
        size_t moments, draws;
    } some[] = {{1, 20000}, {199, 20000}, {200, 20000}, {201, 19900}, {3999, 1000}, {4000, 1000}};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        size_t count = some[k].moments, at[2] = {0, count}, *place = at;
        double *bound = malloc(count * sizeof *bound);
        int *exponent = malloc(count * sizeof *exponent);
        dpn_query *query = calloc(1, sizeof *query);
        assert_true(bound && exponent && query);
        for (size_t i = 0; i < count; i++) bound[i] = 64, exponent[i] = (int)(i % 5) - 2;
        dpn_given_noise noise = dpn_given_noise_init();
        noise.dimension = count;
        noise.bound = bound;
        noise.grid_exponents = exponent;
        noise.epsilon = 1;
        noise.context = &place;
        noise.draw = draw_known;
        dpn_error why;
        if (dpn_release_given(&query->release, &noise, &why)) fail_msg("%s", why.sentence);
        query->moments = count;
        if (simulate(query, &why)) fail_msg("%s", why.sentence);
        assert_int_equal(query->draws, some[k].draws);
        assert_int_equal(at[0], some[k].draws);
        for (size_t d = 0; d < query->draws; d += d + 100 < query->draws ? 97 : 1)
            for (size_t i = 0; i < count; i++)
                assert_true(query->noise[d * count + i] == ldexp((double)(10000 * d + i), exponent[i]));
        free(query->noise);
        dpn_release_free(query->release);
        free(query);
        free(bound);
        free(exponent);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_those_of_sorted_numbers),
        cmocka_unit_test(shares_are_of_all_numbers),
        cmocka_unit_test(ranges_are_raised_by_what_draws_tell),
        cmocka_unit_test(widths_are_ranges_of_the_noise),
        cmocka_unit_test(one_draw_is_the_width),
        cmocka_unit_test(lines_cut_what_is_above),
        cmocka_unit_test(means_are_those_that_noise_allows),
        cmocka_unit_test(covariances_are_those_of_the_sums),
        cmocka_unit_test(selected_answers_hold_all_corners),
        cmocka_unit_test(noise_is_that_of_the_release),
        cmocka_unit_test(draws_are_as_many_as_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
