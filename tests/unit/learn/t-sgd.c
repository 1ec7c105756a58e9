/* Gradient descent on batches: that no row adds a longer vector than the clip, whatever it and the coefficients hold; that rows are in batches as often as the plan
 * says, each by itself; that the recorded noise, rate and number of steps give the guarantee, by sums over a plane that know nothing of the accountant; and that it fits. */
#include "learn/gradient-batch.h"
#include "unit/learn/data.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_fit_options by_sgd(dpn_fit_kind kind) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "sgd";
    options.kind = kind;
    return options;
}

/* ---- What a row adds ---- */

/* e z/C, shortened, in doubles. */
static double expected(const dpn_gradient_batch *batch, const double *b, const double *row, size_t j) {
    const double z[3] = {1, row[1], row[2]};
    double t = 0, square = 0;
    for (size_t i = 0; i < 3; i++) {
        t += b[i] * z[i];
        square += z[i] * z[i];
    }
    double e = batch->fit->options.kind == DPN_FIT_LINEAR ? t - row[0] : 1 / (1 + exp(-t)) - (row[0] > 0.5);
    if (batch->each) return fmin(fmax(e * z[j] / batch->clip, -1), 1);
    return e * z[j] / fmax(fabs(e) * sqrt(square), batch->clip);
}

static void expect_clipped(dpn_fit_kind kind, bool each, double clip) {
    dpn_fit_options options = by_sgd(kind);
    options.method = "non-private"; /* rows are all that is looked at */
    dpn_declaration declared = data_declared(2, kind, "1", "1e-6");
    draw_source source = {3};
    int64_t sum[3];
    double longest = 0;
    for (int trial = 0; trial < 300; trial++) {
        dpn_fit *fit = data_planned(&options, &declared);
        double row[3], b[4] = {0}; /* the target has no coefficient */
        for (size_t i = 0; i < 3; i++) {
            row[i] = draw_bits(&source) % 2 ? (draw_bits(&source) % 2 ? 1 : -1) : draw_uniform(&source, -1, 1);
            row[i] = rint(row[i] * DPN_UNIT) / DPN_UNIT;
            b[i] = draw_uniform(&source, -3, 3);
        }
        if (kind == DPN_FIT_LOGISTIC) row[0] = draw_bits(&source) % 2 ? 1 : 0;
        assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_OK);
        const dpn_gradient_batch batch = {.fit = fit, .m = 3, .clip = clip, .each = each, .rate = DPN_BATCH_RATE_UNIT};
        assert_int_equal(dpn_gradient_batch_sum(sum, &batch, b, NULL, NULL), DPN_OK);
        int64_t squares = 0, most = 0;
        for (size_t j = 0; j < 3; j++) {
            squares += sum[j] * sum[j];
            most = llabs(sum[j]) > most ? llabs(sum[j]) : most;
            assert_true(fabs((double)sum[j] - 0x1p18 * expected(&batch, b, row, j)) < 1.01);
        }
        assert_true(each ? most <= 1 << 18 : squares <= (int64_t)1 << 36);
        longest = fmax(longest, each ? (double)most : sqrt((double)squares));
        /* Coefficients that are no numbers, and infinite ones. */
        const double bad[2][4] = {{NAN, 1, 1}, {INFINITY, -INFINITY, 1e308}};
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(dpn_gradient_batch_sum(sum, &batch, bad[k], NULL, NULL), DPN_OK);
            squares = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
            assert_true(squares <= (each ? 3 : 1) * ((int64_t)1 << 36));
        }
        dpn_fit_free(fit);
    }
    assert_true(longest > 0x1p18 - 3);
    dpn_declaration_free(&declared);
}

static void test_clipped(void **state) {
    (void)state;
    expect_clipped(DPN_FIT_LINEAR, false, 0.7);
    expect_clipped(DPN_FIT_LINEAR, true, 0.3);
    expect_clipped(DPN_FIT_LOGISTIC, false, 0.5);
}

/* ---- Which rows ---- */

/* Rows whose gradients at 0 are powers of eight: the sum tells which of them were in the batch. With rate p the numbers of times that each, and each pair, is in are
 * binomial; seven standard deviations have a probability below 1e-10 for all of them. */
static void test_batches(void **state) {
    (void)state;
    enum { ROWS = 6, DRAWS = 20000 };
    dpn_fit_options options = by_sgd(DPN_FIT_LINEAR);
    options.no_intercept = true;
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, "1", "1e-6");
    dpn_fit *fit = data_planned(&options, &declared);
    for (int r = 0; r < ROWS; r++) {
        const double row[2] = {-ldexp(1, -3 * r), 1};
        assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_OK);
    }
    const dpn_gradient_batch batch = {.fit = fit, .from = 1, .m = 1, .clip = 2, .rate = 20000};
    double p = 20000.0 / 65536, count[ROWS] = {0}, both[ROWS][ROWS] = {{0}};
    const double b[3] = {0};
    seeded random;
    seeded_begin(&random, 4);
    for (int i = 0; i < DRAWS; i++) {
        int64_t sum;
        bool in[ROWS];
        assert_int_equal(dpn_gradient_batch_sum(&sum, &batch, b, &random.rng, NULL), DPN_OK);
        for (int r = 0; r < ROWS; r++) in[r] = (sum >> (17 - 3 * r)) & 1;
        for (int r = 0; r < ROWS; r++)
            for (int s = 0; s < r; s++) both[r][s] += in[r] && in[s];
        for (int r = 0; r < ROWS; r++) count[r] += in[r];
    }
    for (int r = 0; r < ROWS; r++) {
        assert_true(fabs(count[r] - DRAWS * p) < 7 * sqrt(DRAWS * p * (1 - p)));
        for (int s = 0; s < r; s++)
            assert_true(fabs(both[r][s] - DRAWS * p * p) < 7 * sqrt(DRAWS * p * p * (1 - p * p)));
    }
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

/* ---- The guarantee ---- */

/* delta of two steps: the positive part of p(x) p(y) - e^epsilon q(x) q(y), summed over a fine lattice; p and q are the laws of one answer of a step with and without the
 * person, either way around. */
static double two_steps(double sigma, double move, double rate, double epsilon, bool turned) {
    enum { N = 700 };
    static double p[N], q[N];
    double from = -9 * sigma, step = (18 * sigma + move) / N, sum = 0;
    for (int i = 0; i < N; i++) {
        double x = from + (i + 0.5) * step, scale = step / sigma / sqrt(2 * acos(-1));
        double without = exp(-0.5 * pow(x / sigma, 2)) * scale, with = exp(-0.5 * pow((x - move) / sigma, 2)) * scale;
        double mixed = rate * with + (1 - rate) * without;
        p[i] = turned ? without : mixed;
        q[i] = turned ? mixed : without;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum += fmax(p[i] * p[j] - exp(epsilon) * q[i] * q[j], 0);
    return sum;
}

static void expect_guarantee(const char *ball, double move) {
    dpn_fit_options options = by_sgd(DPN_FIT_LINEAR);
    options.sample_rate = 0.5;
    options.passes = 1;
    options.rows = 1000;
    options.ball = ball;
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "0.7", "1e-3");
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_fit_release one = dpn_fit_release_at(fit, 0);
    assert_null(dpn_fit_release_at(fit, 1).plan);
    assert_int_equal(one.times, 2);
    assert_true(dpn_fit_sample_rate(fit, 0) == 0.5);
    assert_true(fabs(one.set->l2 - move) < 1e-12 && fma(one.set->l2, one.set->l2, -rint(move * move)) >= 0);
    double sigma = sqrt(one.plan->variance[0]);
    double delta = fmax(two_steps(sigma, move, 0.5, 0.7, false), two_steps(sigma, move, 0.5, 0.7, true));
    printf("# sigma %.4f: delta %.6g of 1e-3\n", sigma, delta);
    assert_true(delta < 1.002e-3 && delta > 0.99e-3);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

/* A vector of three coordinates that are each at most 1. */
static void test_guarantee(void **state) {
    (void)state;
    expect_guarantee(NULL, 1);
    expect_guarantee("linf", sqrt(3));
}

/* Where the number of rows is bought its epsilon is taken off, and a row that is replaced moves twice as much. */
static void test_shares(void **state) {
    (void)state;
    dpn_fit_options options = by_sgd(DPN_FIT_LINEAR);
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", "1e-6");
    dpn_fit *fit = data_planned(&options, &declared);
    assert_true(fabs(dpn_fit_release_at(fit, 0).plan->pure_epsilon - 0.03) < 1e-12);
    double sigma = sqrt(dpn_fit_release_at(fit, 1).plan->variance[0]);
    assert_int_equal(dpn_fit_certify(fit, NULL), DPN_OK);
    fit->announced[1].delta_times *= 2; /* all of delta is spent already */
    assert_int_equal(dpn_fit_certify(fit, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    declared.relation = DPN_REPLACE;
    fit = data_planned(&options, &declared);
    assert_true(dpn_fit_release_at(fit, 1).set->l2 == 2);
    assert_true(sqrt(dpn_fit_release_at(fit, 1).plan->variance[0]) > 1.5 * sigma);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

static void test_refused(void **state) {
    (void)state;
    dpn_fit_options options = by_sgd(DPN_FIT_LINEAR);
    dpn_declaration pure = data_declared(2, DPN_FIT_LINEAR, "1", NULL), declared = data_declared(2, 0, "1", "1e-6");
    dpn_fit *fit;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &pure, NULL), DPN_EUNSUPPORTED);
    dpn_fit_free(fit);
    options.noise = "laplace";
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EUNSUPPORTED);
    dpn_fit_free(fit);
    options.sample_rate = 1.5;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_EDOMAIN);
    dpn_declaration_free(&pure);
    dpn_declaration_free(&declared);
}

/* ---- What it is worth ---- */

static void test_fits(void **state) {
    (void)state;
    enum { ROWS = 8000, RUNS = 5 };
    double *line = data_linear(ROWS, 3), *label = data_logistic(ROWS, 3), r2[RUNS], right[RUNS];
    dpn_fit_options linear = by_sgd(DPN_FIT_LINEAR), logistic = by_sgd(DPN_FIT_LOGISTIC);
    dpn_declaration of_line = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "1", "1e-6"),
                    of_label = data_declared(DATA_FEATURES, DPN_FIT_LOGISTIC, "1", "1e-6");
    for (uint64_t i = 0; i < RUNS; i++) {
        dpn_model *model = data_fitted(&linear, &of_line, line, ROWS, i);
        r2[i] = data_r2(model, line, ROWS);
        dpn_model_free(model);
        model = data_fitted(&logistic, &of_label, label, ROWS, i);
        right[i] = data_accuracy(model, label, ROWS);
        dpn_model_free(model);
    }
    printf("# R^2 %.4f, accuracy %.4f\n", data_median(r2, RUNS), data_median(right, RUNS));
    assert_true(r2[RUNS / 2] > 0.84 && right[RUNS / 2] > 0.8);
    dpn_declaration_free(&of_line);
    dpn_declaration_free(&of_label);
    free(line);
    free(label);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clipped),   cmocka_unit_test(test_batches),
                                       cmocka_unit_test(test_guarantee), cmocka_unit_test(test_shares),
                                       cmocka_unit_test(test_refused),   cmocka_unit_test(test_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
