/* How far one row moves all sums together, by a search over pairs of rows that knows nothing of the formulas: cells are made from the definition, and
 * each coordinate of either row is moved over a grid of [-1, 1], and each indicator, until nothing improves. */
#include "learn/reach.h"
#include "unit/learn/data.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12, STEPS = 40 };

/* A row: numbers, the target last, and for each group which indicator is 1; 0: none of them. */
typedef struct shape {
    size_t numbers, groups, indicators[4]; /* of each group */
    bool intercept, full;                  /* full: of the first group one is always 1 */
} shape;

typedef struct row {
    double x[MOST];
    size_t level[4];
} row;

/* All columns of a row: the constant, numbers, indicators, the target. */
static size_t columns_of(double *out, bool *indicator, const shape *s, const row *r) {
    size_t at = 0;
    indicator[at] = true; /* 0 or 1, like them */
    out[at++] = 1;
    for (size_t j = 0; j < s->numbers; j++) {
        indicator[at] = false;
        out[at++] = r->x[j];
    }
    for (size_t g = 0; g < s->groups; g++)
        for (size_t l = 1; l <= s->indicators[g]; l++) {
            indicator[at] = true;
            out[at++] = r->level[g] == l;
        }
    indicator[at] = false;
    out[at++] = r->x[s->numbers];
    return at;
}

/* The sums over cells of |difference|, and of its square. Pairs of levels of one column are 0 in every row, squares of indicators the same as
 * the indicators: the first are never moved, the second are passed over. */
static double moved(const shape *s, const row *a, const row *b, bool squared) {
    double one[MOST + 12], two[MOST + 12], sum = 0;
    bool indicator[MOST + 12];
    size_t width = columns_of(one, indicator, s, a);
    columns_of(two, indicator, s, b);
    for (size_t i = 0; i + 1 < width; i++)
        for (size_t j = i; j < width; j++) {
            if (i == j && indicator[i]) continue;
            if (i == 0 && !s->intercept && !indicator[j]) continue;
            bool positive = i == j || (indicator[i] && indicator[j]);
            double by = (positive ? 2 : 1) * fabs(one[i] * one[j] - two[i] * two[j]);
            sum += squared ? by * by : by;
        }
    return sum;
}

static bool improve_number(const shape *s, row *own, row pair[2], size_t j, bool squared, double *best) {
    double at = own->x[j], found = at;
    for (int i = 0; i <= STEPS; i++) {
        own->x[j] = -1 + 2.0 * i / STEPS;
        double now = moved(s, &pair[0], &pair[1], squared);
        if (!(now > *best + 1e-12)) continue;
        *best = now;
        found = own->x[j];
    }
    own->x[j] = found;
    return found != at;
}

static bool improve_level(const shape *s, row *own, row pair[2], size_t g, bool squared, double *best) {
    size_t at = own->level[g], found = at;
    for (size_t l = s->full && g == 0; l <= s->indicators[g]; l++) {
        own->level[g] = l;
        double now = moved(s, &pair[0], &pair[1], squared);
        if (!(now > *best + 1e-12)) continue;
        *best = now;
        found = l;
    }
    own->level[g] = found;
    return found != at;
}

static void random_row(row *out, const shape *s, draw_source *source) {
    for (size_t j = 0; j <= s->numbers; j++) out->x[j] = (double)(draw_bits(source) % 3) - 1;
    for (size_t g = 0; g < s->groups; g++) {
        size_t least = s->full && g == 0;
        out->level[g] = least + draw_bits(source) % (s->indicators[g] + 1 - least);
    }
}

/* The best of many ascents. */
static double searched(const shape *s, bool squared, size_t starts, uint64_t seed) {
    draw_source source = {seed};
    double most = 0;
    for (size_t start = 0; start < starts; start++) {
        row pair[2];
        random_row(&pair[0], s, &source);
        random_row(&pair[1], s, &source);
        double best = moved(s, &pair[0], &pair[1], squared);
        for (bool better = true; better;) {
            better = false;
            for (size_t g = 0; g < s->groups; g++)
                for (int side = 0; side < 2; side++) better |= improve_level(s, &pair[side], pair, g, squared, &best);
            for (size_t j = 0; j <= s->numbers; j++)
                for (int side = 0; side < 2; side++) better |= improve_number(s, &pair[side], pair, j, squared, &best);
        }
        most = fmax(most, best);
    }
    return most;
}

static dpn_row_shape formal(const shape *s) {
    dpn_row_shape out = {.numbers = s->numbers, .intercept = s->intercept, .full = s->full};
    for (size_t g = 0; g < s->groups; g++)
        if (s->full && g == 0)
            out.full_many = s->indicators[g] > 1;
        else {
            out.groups++;
            out.many += s->indicators[g] > 1;
        }
    return out;
}

/* Nothing that is found is larger, and the grid of the search misses the largest by little. */
static void expect_reach(const shape *s, size_t starts) {
    dpn_row_shape of = formal(s);
    dpn_row_reach reach = dpn_row_reach_replaced(&of);
    double l1 = searched(s, false, starts, 11), square = searched(s, true, starts, 12);
    if (!(l1 <= reach.l1 && square <= reach.square && l1 > 0.999 * reach.l1 - 0.002 &&
          square > 0.998 * reach.square - 0.004))
        fail_msg("%zu numbers, %zu groups, intercept %d, full %d: l1 %.9g of %.9g, square %.9g of %.9g", s->numbers,
                 s->groups, s->intercept, s->full, l1, reach.l1, square, reach.square);
}

static void test_against_a_search(void **state) {
    (void)state;
    static const size_t groups[][4] = {{0}, {1}, {2}, {1, 1}, {2, 1}, {3, 2}, {1, 1, 1}, {2, 2, 1}};
    size_t starts = (size_t)points(40, 400);
    for (size_t numbers = 0; numbers <= (size_t)points(2, 3); numbers++)
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
            for (int how = 0; how < 3; how++) {
                shape s = {.numbers = numbers, .intercept = how == 0, .full = how == 2};
                memcpy(s.indicators, groups[g], sizeof s.indicators);
                while (s.groups < 4 && s.indicators[s.groups] > 0) s.groups++;
                if (s.full && s.groups == 0) continue;
                if (numbers + s.groups > 0) expect_reach(&s, starts * (1 + s.groups * numbers));
            }
}

/* What can be worked out by hand. (x y, 2 x^2) with y = 1 is Example 2.10 of Awan and Slavkovic; with an intercept and p numbers the l1 norm is (p +
 * 2)^2/2 + 3p/2, and the square of the l2 norm that of corners, 4 floor((p + 2)^2/4), as soon as these are best. */
static void test_by_hand(void **state) {
    (void)state;
    for (size_t p = 1; p <= 60; p++) {
        dpn_row_shape with = {.numbers = p, .intercept = true}, without = {.numbers = p};
        double d = (double)p;
        assert_true(fabs(dpn_row_reach_replaced(&with).l1 / ((d + 2) * (d + 2) / 2 + 1.5 * d) - 1) < 1e-11);
        assert_true(fabs(dpn_row_reach_replaced(&without).l1 / (d * d / 2 + 2.5 * d + d / (2 * (d + 3))) - 1) < 1e-11);
        double corners = 4 * floor((d + 2) * (d + 2) / 4), square = dpn_row_reach_replaced(&with).square;
        assert_true(square > corners && (p < 15 || square < corners * (1 + 1e-11)));
    }
    dpn_row_shape one = {.numbers = 1};
    assert_true(fabs(dpn_row_reach_replaced(&one).l1 - 3.125) < 1e-10);
    assert_true(fabs(dpn_row_reach_replaced(&one).square - (71 + 8 * sqrt(2)) / 16) < 1e-10);
}

/* Tables that differ by a row, through all of the code: texts with levels, some of them unknown, so that rows are left out. */
static void expect_tables(dpn_relation relation, bool no_intercept, const char *declared, uint64_t seed) {
    enum { CELLS = 80 };
    static const char *const word[] = {"a", "b", "c", "?"}, *const number[] = {"-1", "1", "0", "-0.2", "9", "0.3"};
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "moments";
    options.no_intercept = no_intercept;
    dpn_declaration declaration;
    dpn_error why;
    if (dpn_declaration_read(&declaration, declared, strlen(declared), &why)) fail_msg("%s", why.sentence);
    declaration.relation = relation;
    dpn_fit *fit = data_planned(&options, &declaration);
    dpn_cells cells;
    assert_int_equal(dpn_cells_make(&cells, fit, NULL), DPN_OK);
    assert_true(cells.count <= CELLS);
    dpn_row_reach reach = dpn_cells_reach(&cells, fit);
    double l1 = 0, square = 0;
    draw_source source = {seed};
    for (int trial = 0; trial < points(4000, 4000); trial++) {
        int64_t cell[2][CELLS], moments[400];
        for (int side = 0; side < 2; side++) {
            dpn_field field[8];
            size_t fields = 0;
            for (; dpn_fit_column(fit, fields); fields++) {
                bool level = dpn_fit_column(fit, fields)[0] == 'g';
                const char *text = level ? word[draw_bits(&source) % 4] : number[draw_bits(&source) % 6];
                field[fields] = (dpn_field){text, strlen(text)};
            }
            if (side == 0 || relation == DPN_REPLACE) assert_int_equal(dpn_fit_rows(fit, field, 1, NULL), DPN_OK);
            assert_int_equal(dpn_rows_moments(moments, &fit->rows, NULL), DPN_OK);
            dpn_cells_sum(cell[side], &cells, moments, dpn_fit_width(fit));
            dpn_rows_free(&fit->rows);
            fit->rows.columns = dpn_fit_width(fit);
        }
        double sum = 0, squares = 0;
        for (size_t k = 0; k < cells.count; k++) {
            double by = ldexp(fabs((double)(cell[0][k] - cell[1][k])), -2 * DPN_UNIT_LOG);
            sum += by;
            squares += by * by;
        }
        l1 = fmax(l1, sum);
        square = fmax(square, squares);
    }
    if (!(l1 <= reach.l1 && square <= reach.square && l1 > 0.85 * reach.l1 && square > 0.8 * reach.square))
        fail_msg("%s: l1 %.9g of %.9g, square %.9g of %.9g", declared, l1, reach.l1, square, reach.square);
    dpn_cells_free(&cells);
    dpn_fit_free(fit);
    dpn_declaration_free(&declaration);
}

#define MEAN(name) "{\"kind\": \"mean\", \"column\": \"" name "\", \"lower\": \"-1\", \"upper\": \"1\"}"
#define GROUPS(g) "{\"statistics\": [" MEAN("y") ", " MEAN("x") ", " MEAN("z") "], \"by\": [" g "], \"epsilon\": \"1\"}"
static void test_tables(void **state) {
    (void)state;
    static const char *const declared[] = {GROUPS(""),
                                           GROUPS("{\"column\": \"g1\", \"levels\": [\"a\", \"b\", \"c\"]}"),
                                           GROUPS("{\"column\": \"g1\", \"levels\": [\"a\", \"b\"]}, {\"column\": "
                                                  "\"g2\", \"levels\": [\"a\", \"b\", \"c\"]}")};
    for (uint64_t i = 0; i < 3; i++)
        for (uint64_t how = 0; how < 4; how++)
            expect_tables(how & 1 ? DPN_REPLACE : DPN_ADD_REMOVE, how & 2, declared[i], 10 * i + how);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_a_search), cmocka_unit_test(test_by_hand),
                                       cmocka_unit_test(test_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
