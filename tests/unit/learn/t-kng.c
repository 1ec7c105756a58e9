/* Points of a grid, chosen by losses or by gradients: that coefficients are chosen by exactly the law that the plan speaks of, worked out here from the definition; that neighbouring tables
 * then have probabilities within the epsilon that was announced, and nearly as far apart; that it refuses what it cannot do; and what it is worth. */
#include "unit/learn/data.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 9, GRID = POINTS * POINTS };

static dpn_fit_options by_kng(dpn_fit_kind kind) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "kng";
    options.kind = kind;
    options.points = POINTS;
    options.passes = 1;
    options.within = 1;
    return options;
}

/* ---- The law, from its definition ---- */

static double derivative(dpn_fit_kind kind, double q, double t, double y) {
    if (kind == DPN_FIT_LINEAR) return t - y;
    if (kind == DPN_FIT_LOGISTIC) return 1 / (1 + exp(-t)) - (y > 0.5);
    return (y < t ? 1 : 0) - q;
}

static double loss(dpn_fit_kind kind, double q, double t, double y) {
    if (kind == DPN_FIT_LINEAR) return (t - y) * (t - y) / 2;
    if (kind == DPN_FIT_LOGISTIC) return log(1 + exp(t)) - (y > 0.5) * t;
    return y < t ? (1 - q) * (t - y) : q * (y - t);
}

typedef struct setting {
    dpn_fit_kind kind;
    double q, clip, used; /* the clip that is asked for, 0: none, and the one that is used */
    bool raw;             /* by gradients */
} setting;

/* Probabilities of intercept and slope on the grid, with `rows` of target and feature. What a row adds is clipped to C. One row adds 0 to C to all losses; or it moves the
 * largest sum of derivatives by C to either side. */
static void law(double p[GRID], const setting *of, double epsilon, const double *row, size_t rows) {
    double sum = 0, clip = of->used;
    for (size_t k = 0; k < GRID; k++) {
        double b[2] = {-1 + 2.0 * (double)(k % POINTS) / (POINTS - 1), -1 + 2.0 * (double)(k / POINTS) / (POINTS - 1)},
               g[2] = {0}, all = 0;
        for (size_t r = 0; r < rows; r++) {
            const double z[2] = {1, row[2 * r + 1]};
            double t = b[0] + b[1] * z[1], e = derivative(of->kind, of->q, t, row[2 * r]);
            all += fmin(loss(of->kind, of->q, t, row[2 * r]), clip);
            for (size_t i = 0; i < 2; i++) g[i] += fmin(fmax(e * z[i], -clip), clip);
        }
        p[k] = exp(-epsilon * (of->raw ? fmax(fabs(g[0]), fabs(g[1])) / 2 : all) / clip);
        sum += p[k];
    }
    for (size_t k = 0; k < GRID; k++) p[k] /= sum;
}

/* No value of the target meets a point of the grid exactly. */
static const double table[] = {0.31, 0.5, -0.7, -0.75, 0.9, 0.25, 0.13, -0.5, 0.77, 1, 0.99, 1};
enum { ROWS = sizeof table / sizeof *table / 2 };

static const setting settings[] = {{DPN_FIT_LINEAR, 0, 0.25, 0.25, true},   {DPN_FIT_LINEAR, 0, 0, 0.5, true},
                                   {DPN_FIT_LOGISTIC, 0, 0, 1, true},       {DPN_FIT_QUANTILE, 0.5, 0, 0.5, true},
                                   {DPN_FIT_QUANTILE, 0.9, 0, 0.9, true},   {DPN_FIT_LINEAR, 0, 0.25, 0.25, false},
                                   {DPN_FIT_LOGISTIC, 0, 0, 2, false},      {DPN_FIT_QUANTILE, 0.5, 0, 0.5, false},
                                   {DPN_FIT_QUANTILE, 0.9, 0.3, 0.3, false}};

static size_t point_of(const dpn_model *model) {
    double place[2];
    for (size_t i = 0; i < 2; i++) {
        place[i] = (model->coefficient[i].value + 1) * (POINTS - 1) / 2;
        assert_true(fabs(place[i] - rint(place[i])) < 1e-6);
    }
    return (size_t)rint(place[0]) + POINTS * (size_t)rint(place[1]);
}

/* Pearson's statistic of points that are likely enough, the others together. 80 degrees of freedom: 175 has a probability below 1e-8. */
static void expect_law(const setting *of) {
    enum { DRAWS = 1500 };
    dpn_fit_options options = by_kng(of->kind);
    options.quantile = of->kind == DPN_FIT_QUANTILE ? of->q : 0;
    options.clip = of->clip;
    options.raw = of->raw;
    dpn_declaration declared = data_declared(1, of->kind, "3", NULL);
    double p[GRID], rest_p = 1, statistic = 0;
    size_t count[GRID] = {0}, rest = DRAWS;
    /* A logistic target has bounds 0 and 1, so that its rows have the same scaled features. */
    law(p, of, 3, table, ROWS);
    for (uint64_t i = 0; i < DRAWS; i++) {
        dpn_model *model = data_fitted(&options, &declared, table, ROWS, i);
        count[point_of(model)]++;
        dpn_model_free(model);
    }
    for (size_t k = 0; k < GRID; k++) {
        if (p[k] * DRAWS < 10) continue;
        statistic += pow((double)count[k] - p[k] * DRAWS, 2) / (p[k] * DRAWS);
        rest_p -= p[k];
        rest -= count[k];
    }
    if (rest_p * DRAWS >= 10) statistic += pow((double)rest - rest_p * DRAWS, 2) / (rest_p * DRAWS);
    printf("# %s %g%s: chi-square %.1f\n", dpn_fit_kind_name(of->kind), of->q, of->raw ? " raw" : "", statistic);
    assert_true(statistic < 175 && statistic > 2);
    dpn_declaration_free(&declared);
}

static void test_law(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) expect_law(&settings[i]);
}

/* The largest log ratio of probabilities over random tables without and with a row, or with another one in its place. */
static double loss_of(const setting *of, double epsilon, bool replace) {
    draw_source source = {7};
    double most = 0;
    for (int trial = 0; trial < 1500; trial++) {
        enum { MOST = 4 };
        double row[2 * MOST], p[GRID], other[GRID];
        for (size_t i = 0; i < 2 * MOST; i++)
            row[i] = draw_bits(&source) % 2 ? (draw_bits(&source) % 2 ? 1 : -1) : draw_uniform(&source, -1, 1);
        law(p, of, epsilon, row, MOST);
        if (replace)
            for (size_t i = 0; i < 2; i++) row[2 * MOST - 2 + i] = draw_bits(&source) % 2 ? 1 : -1;
        law(other, of, epsilon, row, replace ? MOST : MOST - 1);
        for (size_t k = 0; k < GRID; k++) most = fmax(most, fabs(log(p[k] / other[k])));
    }
    return most;
}

/* Under replace a row goes and another comes: the announced move is twice as long, so that the same epsilon is for half the rate. */
static void test_guarantee(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        dpn_fit_options options = by_kng(settings[i].kind);
        options.quantile = settings[i].kind == DPN_FIT_QUANTILE ? settings[i].q : 0;
        options.clip = settings[i].clip;
        options.raw = settings[i].raw;
        for (int replace = 0; replace < 2; replace++) {
            dpn_declaration declared = data_declared(1, settings[i].kind, "1", NULL);
            declared.relation = replace ? DPN_REPLACE : DPN_ADD_REMOVE;
            dpn_fit *fit = data_planned(&options, &declared);
            dpn_fit_release one = dpn_fit_release_at(fit, 0);
            assert_true(one.plan->pure && one.plan->pure_epsilon == 1 && one.times == 1);
            assert_null(dpn_fit_release_at(fit, 1).plan);
            double move = settings[i].raw ? 0x1p18 : 0x1p17; /* of a row that comes or goes, losses being one-sided */
            double rate = one.plan->pure_epsilon / one.set->bound[0] * move; /* in place of epsilon over C */
            double loss = loss_of(&settings[i], rate, replace);
            printf("# %s %g%s %s: loss %.4f\n", dpn_fit_kind_name(settings[i].kind), settings[i].q,
                   settings[i].raw ? " raw" : "", dpn_relation_name(declared.relation), loss);
            assert_true(loss <= 1 + 1e-9 && loss > 0.35);
            dpn_fit_free(fit);
            dpn_declaration_free(&declared);
        }
    }
}

/* Later passes have more of epsilon, and all of them together no more than all of it. */
static void test_passes(void **state) {
    (void)state;
    dpn_fit_options options = by_kng(DPN_FIT_QUANTILE);
    options.passes = 3;
    dpn_declaration declared = data_declared(1, DPN_FIT_QUANTILE, "1", NULL);
    dpn_fit *fit = data_planned(&options, &declared);
    double sum = 0, before = 0;
    for (size_t i = 0; i < 3; i++) {
        dpn_fit_release one = dpn_fit_release_at(fit, i);
        assert_int_equal(one.times, 1);
        assert_true(one.plan->pure_epsilon > 1.5 * before);
        before = one.plan->pure_epsilon;
        sum += before;
    }
    assert_null(dpn_fit_release_at(fit, 3).plan);
    assert_true(sum <= 1 && sum > 0.999999);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

static void expect_refused(dpn_fit_options options, size_t features, dpn_status expected) {
    dpn_declaration declared = data_declared(features, options.kind, "1", NULL);
    dpn_fit *fit = NULL;
    dpn_status status = dpn_fit_new(&fit, &options, NULL);
    if (!status) status = dpn_fit_plan(fit, &declared, NULL);
    assert_int_equal(status, expected);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

static void test_refused(void **state) {
    (void)state;
    dpn_fit_options options = by_kng(DPN_FIT_QUANTILE);
    expect_refused(options, 1, DPN_OK);
    expect_refused(options, 6, DPN_EUNSUPPORTED);
    options.points = 4;
    expect_refused(options, 1, DPN_EDOMAIN);
    options.points = 1025;
    expect_refused(options, 1, DPN_EDOMAIN);
    options = by_kng(DPN_FIT_QUANTILE);
    options.quantile = 0.12345;
    expect_refused(options, 1, DPN_EDOMAIN);
    options.quantile = 1;
    expect_refused(options, 1, DPN_EDOMAIN);
    options = by_kng(DPN_FIT_LINEAR);
    options.quantile = 0.5;
    expect_refused(options, 1, DPN_EDOMAIN);
    options = by_kng(DPN_FIT_QUANTILE);
    options.method = "moments";
    expect_refused(options, 1, DPN_EUNSUPPORTED);
    options = by_kng(DPN_FIT_LINEAR);
    options.l2 = 1;
    expect_refused(options, 1, DPN_EUNSUPPORTED);
}

/* ---- What it is worth ---- */

/* y = 0.3 x + 0.1 and noise that is uniform on +-0.2, but a tenth of the rows are at the upper bound: the median hardly sees them. */
static void test_fits(void **state) {
    (void)state;
    enum { N = 2000, RUNS = 5 };
    static double row[2 * N];
    double slope[RUNS], below = 0;
    draw_source source = {9};
    for (size_t r = 0; r < N; r++) {
        row[2 * r + 1] = draw_uniform(&source, -1, 1);
        row[2 * r] = 0.3 * row[2 * r + 1] + 0.1 + draw_uniform(&source, -0.2, 0.2);
        if (r % 10 == 0) row[2 * r] = 1;
    }
    dpn_fit_options options = dpn_fit_options_init();
    options.kind = DPN_FIT_QUANTILE;
    dpn_declaration declared = data_declared(1, DPN_FIT_QUANTILE, "1", NULL);
    for (uint64_t i = 0; i < RUNS; i++) {
        dpn_model *model = data_fitted(&options, &declared, row, N, i);
        assert_string_equal(model->method, "kng");
        slope[i] = model->coefficient[1].value;
        for (size_t r = 0; r < N; r++)
            below += (row[2 * r] < model->coefficient[0].value + slope[i] * row[2 * r + 1]) / (double)(N * RUNS);
        dpn_model_free(model);
    }
    printf("# median slope %.3f, %.3f of the rows below\n", data_median(slope, RUNS), below);
    assert_true(fabs(slope[RUNS / 2] - 0.3) < 0.04 && fabs(below - 0.5) < 0.03);
    dpn_declaration_free(&declared);
}

/* ---- Against quantile regression that knows of no grid ---- */

enum { LITTLE = 24, MOST_M = 4 };

/* The solution of m equations by elimination; false if there is none. */
static bool solve(double *b, double a[MOST_M][MOST_M + 1], size_t m) {
    for (size_t i = 0; i < m; i++) {
        size_t best = i;
        for (size_t r = i; r < m; r++)
            if (fabs(a[r][i]) > fabs(a[best][i])) best = r;
        if (fabs(a[best][i]) < 1e-9) return false;
        for (size_t c = 0; c <= m; c++) {
            double kept = a[i][c];
            a[i][c] = a[best][c];
            a[best][c] = kept;
        }
        for (size_t r = 0; r < m; r++) {
            double by = r == i ? 0 : a[r][i] / a[i][i];
            for (size_t c = i; c <= m; c++) a[r][c] -= by * a[i][c];
        }
    }
    for (size_t i = 0; i < m; i++) b[i] = a[i][m] / a[i][i];
    return true;
}

static double check_sum(const double *b, const double *row, size_t k, double q) {
    double sum = 0;
    for (size_t r = 0; r < LITTLE; r++) {
        double t = b[0];
        for (size_t j = 0; j < k; j++) t += b[j + 1] * row[r * (k + 1) + 1 + j];
        sum += loss(DPN_FIT_QUANTILE, q, t, row[r * (k + 1)]);
    }
    return sum;
}

/* A least sum of check losses goes through as many rows as there are coefficients: all choices of rows are tried. */
static double least_sum(const double *row, size_t k, double q) {
    size_t m = k + 1, at[MOST_M];
    double least = INFINITY;
    for (size_t i = 0; i < m; i++) at[i] = i;
    for (;;) {
        double a[MOST_M][MOST_M + 1], b[MOST_M];
        for (size_t i = 0; i < m; i++) {
            a[i][0] = 1;
            for (size_t j = 0; j < k; j++) a[i][j + 1] = row[at[i] * m + 1 + j];
            a[i][m] = row[at[i] * m];
        }
        if (solve(b, a, m)) least = fmin(least, check_sum(b, row, k, q));
        size_t i = m;
        while (i > 0 && at[i - 1] == LITTLE - m + i - 1) i--;
        if (i == 0) return least;
        at[i - 1]++;
        for (; i < m; i++) at[i] = at[i - 1] + 1;
    }
}

/* With next to no noise the grids end near the least sum, narrow residuals or not: by 2% of what all coefficients at 0 cost. */
static void test_least(void **state) {
    (void)state;
    draw_source source = {12};
    const double quantile[] = {0.5, 0.8}, width[] = {0.02, 0.5};
    for (size_t k = 1; k < MOST_M; k++)
        for (size_t of = 0; of < 4; of++) {
            double row[LITTLE * MOST_M], b[MOST_M] = {0}, q = quantile[of % 2];
            for (size_t r = 0; r < LITTLE; r++) {
                double *at = row + r * (k + 1);
                at[0] = 0.1 + draw_uniform(&source, -width[of / 2], width[of / 2]);
                for (size_t j = 1; j <= k; j++) at[0] += (at[j] = draw_uniform(&source, -1, 1)) * (j % 2 ? 0.3 : -0.4);
                at[0] = fmin(fmax(at[0], -1), 1);
            }
            dpn_fit_options options = dpn_fit_options_init();
            options.kind = DPN_FIT_QUANTILE;
            options.quantile = q;
            dpn_declaration declared = data_declared(k, DPN_FIT_QUANTILE, "100000", NULL);
            dpn_model *model = data_fitted(&options, &declared, row, LITTLE, of);
            double nothing = check_sum(b, row, k, q), least = least_sum(row, k, q);
            for (size_t j = 0; j <= k; j++) b[j] = model->coefficient[j].value;
            double found = check_sum(b, row, k, q);
            printf("# %zu features, quantile %g, residuals within %g: %.4f, least %.4f, at 0 %.4f\n", k, q,
                   width[of / 2], found, least, nothing);
            assert_true(found >= least - 1e-9 && found <= least + 0.02 * nothing);
            dpn_model_free(model);
            dpn_declaration_free(&declared);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_law),    cmocka_unit_test(test_guarantee),
                                       cmocka_unit_test(test_passes), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_fits),   cmocka_unit_test(test_least)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
