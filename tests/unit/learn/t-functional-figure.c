/* KN Fig. 4: how many slopes of the functional mechanism lie in the 95% interval of the fit without noise, for two balls. Five features,
 * 10^4 rows, shares over 200 replicates with DPN_LONG=1, and 10^6 rows, as the paper prints, over 20; else a few points of 40.
 *
 * The paper's l1 noise is Laplace noise of 2d/epsilon, d = 26; here Delta_1 is exact, 32 in place of 52 (t-functional.c), so that the same noise
 * is had with 32/52 of epsilon. Most of the paper's factor of two between l1 and linf is this: at epsilon 1 the shares are 0.26 and 0.34, and 0.40
 * with the exact Delta_1. Y is divided by the largest of the table, which is not private: so the paper must have done it. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "unit/learn/data.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FEATURES = 5, WIDTH = FEATURES + 1 };
static const double truth[] = {0, -1.5, -0.75, 0, 0.75, 1.5};

static double uniform(draw_source *source) {
    return ((double)(draw_bits(source) >> 11) + 0.5) * 0x1p-53;
}

static double normal(draw_source *source) {
    double radius = sqrt(-2 * log(uniform(source)));
    return radius * cos(2 * 3.14159265358979323846 * uniform(source));
}

/* Rows of y and five features; y divided by the largest in size. */
static double *table(size_t rows, uint64_t seed) {
    draw_source source = {seed};
    double *value = malloc(rows * WIDTH * sizeof *value), most = 0;
    assert_non_null(value);
    for (size_t r = 0; r < rows; r++) {
        double *row = value + r * WIDTH;
        row[0] = truth[0] + normal(&source);
        for (size_t j = 1; j <= FEATURES; j++) {
            row[j] = 2 * uniform(&source) - 1;
            row[0] += truth[j] * row[j];
        }
        most = fmax(most, fabs(row[0]));
    }
    for (size_t r = 0; r < rows; r++) value[r * WIDTH] /= most;
    return value;
}

static dpn_declaration declared_at(double epsilon) {
    char text[40];
    snprintf(text, sizeof text, "%.12g", epsilon);
    dpn_declaration out = data_declared(FEATURES, DPN_FIT_LINEAR, text, NULL);
    out.relation = DPN_REPLACE;
    free(out.missing_value);
    out.missing_value = strdup("0");
    out.missing = DPN_MISSING_VALUE;
    return out;
}

/* A line of the figure, or one beside it. */
typedef struct line {
    const char *name, *ball;
    double cost; /* the paper's epsilon over the one that gives the same noise here */
} line;
static const line l1 = {"l1", "l1", 52.0 / 32}, exact_l1 = {"l1 with the exact Delta", "l1", 1},
                  linf = {"linf", "linf", 1};

typedef struct share {
    double mean, error;
} share;

static double held_at(const line *of, double epsilon, const double *value, size_t rows, const dpn_model *plain,
                      uint64_t seed) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "functional";
    options.ball = of->ball;
    options.raw = true;
    dpn_declaration declared = declared_at(epsilon / of->cost);
    dpn_model *model = data_fitted(&options, &declared, value, rows, seed);
    double held = 0;
    for (size_t j = 1; j <= FEATURES; j++)
        held += plain->coefficient[j].low <= model->coefficient[j].value &&
                model->coefficient[j].value <= plain->coefficient[j].high;
    dpn_model_free(model);
    dpn_declaration_free(&declared);
    return held / FEATURES;
}

/* The same tables for every line and epsilon. */
static share share_at(const line *of, double epsilon, size_t rows, int replicates) {
    double sum = 0, squares = 0, n = replicates;
    for (int i = 0; i < replicates; i++) {
        dpn_fit_options options = dpn_fit_options_init();
        options.method = "non-private";
        dpn_declaration declared = declared_at(1);
        double *value = table(rows, 5000 + (uint64_t)i);
        dpn_model *plain = data_fitted(&options, &declared, value, rows, 1);
        assert_string_equal(plain->interval, "sampling");
        double held = held_at(of, epsilon, value, rows, plain, 100 + (uint64_t)i);
        sum += held;
        squares += held * held;
        dpn_model_free(plain);
        dpn_declaration_free(&declared);
        free(value);
    }
    share out = {sum / n, sqrt(fmax(squares / n - sum / n * (sum / n), 0) / (n - 1))};
    printf("# %s, epsilon %g, %zu rows: %.3f +- %.3f\n", of->name, epsilon, rows, out.mean, out.error);
    return out;
}

/* Five standard errors of both: the reference's is ours for as many replicates. A hundredth because shares near 1 have nearly none. */
static share expect_share(const line *of, double epsilon, size_t rows, double reference, int replicates, int its) {
    share found = share_at(of, epsilon, rows, replicates);
    double slack = 5 * found.error * sqrt(1 + (double)replicates / its) + 0.01;
    printf("#   reference %.2f, allowed %.2f\n", reference, slack);
    assert_true(fabs(found.mean - reference) < slack);
    return found;
}

static void test_references(void **state) {
    (void)state;
    static const double epsilon[] = {0.5, 1, 2, 4}, l1_is[] = {0.14, 0.25, 0.44, 0.72},
                        linf_is[] = {0.16, 0.37, 0.68, 0.99};
    bool is_long = points_are_many();
    int replicates = points(40, 200);
    for (size_t e = is_long ? 0 : 2; e < (is_long ? 4 : 3); e++) {
        share one = expect_share(&l1, epsilon[e], 10000, l1_is[e], replicates, 200);
        share all = expect_share(&linf, epsilon[e], 10000, linf_is[e], replicates, 200);
        share exact = share_at(&exact_l1, epsilon[e], 10000, replicates);
        if (e > 0 && replicates >= 40) assert_true(all.mean > one.mean && exact.mean > one.mean);
    }
}

/* What l1 has at 4, linf has at half of it. */
static void test_half(void **state) {
    (void)state;
    int replicates = points(40, 200);
    share one = share_at(&l1, 4, 10000, replicates), all = share_at(&linf, 2, 10000, replicates);
    assert_true(fabs(one.mean - all.mean) < 5 * hypot(one.error, all.error));
}

/* As printed: l1 has about 0.7 at 1/2, linf at 1/4; our reference of 20 replicates, 0.74 and 0.72. */
static void test_printed(void **state) {
    (void)state;
    if (!points_are_many()) return; /* cmocka says "not ok" of a test that is skipped */
    expect_share(&l1, 0.5, 1000000, 0.74, 20, 20);
    expect_share(&linf, 0.25, 1000000, 0.72, 20, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_references), cmocka_unit_test(test_half),
                                       cmocka_unit_test(test_printed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
