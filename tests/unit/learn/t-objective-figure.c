/* KN Fig. 3: how far logistic fits by objective perturbation are from the truth, for three balls and two shares of epsilon. Seven features,
 * 10^4 rows, medians of 100 replicates with DPN_LONG=1, else a few points of 15. */
#include "unit/learn/data.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FEATURES = 7, ROWS = 10000, MOST = 100 };
static const double truth[] = {0, -1, -0.5, -0.25, 0, 0.75, 1.5};

static double uniform(draw_source *source) {
    return ((double)(draw_bits(source) >> 11) + 0.5) * 0x1p-53;
}

/* Rows of the label and seven features. */
static double *table(uint64_t seed) {
    draw_source source = {seed};
    double *value = malloc(ROWS * (FEATURES + 1) * sizeof *value);
    assert_non_null(value);
    for (size_t r = 0; r < ROWS; r++) {
        double *row = value + r * (FEATURES + 1), t = 0, u = uniform(&source);
        for (size_t j = 0; j < FEATURES; j++) {
            row[j + 1] = 2 * uniform(&source) - 1;
            t += truth[j] * row[j + 1];
        }
        row[0] = t + log(u / (1 - u)) > 0;
    }
    return value;
}

static double error_of(const dpn_model *model) {
    double squares = 0;
    for (size_t j = 0; j < FEATURES; j++) squares += pow(model->coefficient[j].value - truth[j], 2);
    return sqrt(squares);
}

/* The median error; the same tables for every method. */
static double median_error(const char *ball, double share, const char *epsilon, size_t replicates) {
    double error[MOST];
    for (size_t i = 0; i < replicates; i++) {
        dpn_fit_options options = dpn_fit_options_init();
        options.kind = DPN_FIT_LOGISTIC;
        options.method = "objective";
        options.no_intercept = true;
        options.ball = ball;
        options.share = share;
        dpn_declaration declared = data_declared(FEATURES, DPN_FIT_LOGISTIC, epsilon, NULL);
        declared.relation = DPN_REPLACE;
        double *value = table(1000 + i);
        dpn_model *model = data_fitted(&options, &declared, value, ROWS, i);
        error[i] = error_of(model);
        dpn_model_free(model);
        dpn_declaration_free(&declared);
        free(value);
    }
    return data_median(error, replicates);
}

/* The lines and points of the figure, with our references of 100 replicates. */
enum { LINES = 4, POINTS = 4, L1 = 0, L2, LINF, LINF_STAR };
static const char *const epsilons[] = {"0.03125", "0.0625", "0.125", "0.25"};
static const struct {
    const char *ball;
    double share, reference[POINTS];
} lines[] = {{"l1", 0.5, {8.24, 2.37, 1.20, 0.57}},
             {"l2", 0.5, {4.42, 1.91, 0.93, 0.43}},
             {"linf", 0.5, {2.50, 1.13, 0.57, 0.33}},
             {"linf", 0.85, {1.07, 0.69, 0.43, 0.25}}};

static size_t replicates(void) {
    return (size_t)points(15, MOST);
}

/* Each point is computed once. */
static double median_at(int line, int point) {
    static double known[LINES][POINTS];
    double *kept = &known[line][point];
    if (*kept == 0) *kept = median_error(lines[line].ball, lines[line].share, epsilons[point], replicates());
    return *kept;
}

/* Errors of one fit have a standard deviation of about a third of their median, so medians of N one of 0.42 N^(-1/2) of it: 4% of 100, as those
 * of the references. */
#define SPREAD 0.42

static void expect_near(int line, int point) {
    double median = median_at(line, point), reference = lines[line].reference[point];
    double slack = 5 * SPREAD * sqrt(1.0 / (double)replicates() + 1.0 / 100);
    printf("# %s, q %g, epsilon %s: %.3f, reference %.2f\n", lines[line].ball, lines[line].share, epsilons[point],
           median, reference);
    assert_true(fabs(median / reference - 1) < slack);
}

static void test_references(void **state) {
    (void)state;
    bool is_long = points_are_many();
    for (int line = 0; line < LINES; line++)
        for (int point = 0; point < POINTS; point++)
            if (is_long || (line + point == 3 && line > 0)) expect_near(line, point);
}

/* What l1 needs some epsilon for linf has with half of it, within Monte-Carlo error; and the share that is chosen is no worse than q = 1/2. */
static void test_half(void **state) {
    (void)state;
    double slack = 5 * SPREAD * sqrt(2.0 / (double)replicates());
    for (int point = 1; point < POINTS; point++)
        if (point == 2 || points_are_many()) {
            double ratio = median_at(LINF, point - 1) / median_at(L1, point);
            printf("# linf at %s over l1 at %s: %.3f\n", epsilons[point - 1], epsilons[point], ratio);
            assert_true(fabs(ratio - 1) < slack);
        }
    double chosen = median_error("linf", 0, epsilons[1], replicates());
    printf("# linf at 1/16 with the share that is chosen: %.3f\n", chosen);
    assert_true(chosen < median_at(LINF, 1));
}

/* l2 is better than l1 and worse than linf: of balls that hold a gradient's reach the cube is the least, the l2 ball is about it, and the l1
 * ball about that. On the same tables, so that the order is told with less noise than the medians are. How much more epsilon it needs than linf: between
 * the powers of 2 the medians fall like a power of epsilon. */
static void test_between(void **state) {
    (void)state;
    for (int point = 0; point < POINTS; point++)
        if (point == 2 || points_are_many()) {
            double l1 = median_at(L1, point), l2 = median_at(L2, point), linf = median_at(LINF, point);
            printf("# epsilon %s: l1 %.3f, l2 %.3f, linf %.3f\n", epsilons[point], l1, l2, linf);
            assert_true(linf < l2 && linf < l1);
            if (points_are_many()) assert_true(l2 < l1); /* 15 replicates do not tell these apart */
        }
    if (!points_are_many()) return;
    for (int point = 0; point + 1 < POINTS; point++) {
        double fall = log2(median_at(L2, point) / median_at(L2, point + 1));
        double more = pow(median_at(L2, point) / median_at(LINF, point), 1 / fall);
        printf("# l2 needs %.2f times the epsilon of linf at %s\n", more, epsilons[point]);
        assert_true(more > 1.2 && more < 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_references), cmocka_unit_test(test_half),
                                       cmocka_unit_test(test_between)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
