/* Coordinate descent: its derivatives against differences of the loss; how far a row moves what is released; the guarantee from the
 * recorded releases; an attack on neighbouring tables; that exact accounting needs the least noise; and what the fit is worth. */
#include "unit/learn/data.h"

#include "learn/adaptive.h"
#include "learn/derivatives.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_fit_options by_descent(dpn_fit_kind kind) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "cd";
    options.kind = kind;
    return options;
}

/* ---- Derivatives ---- */

static double loss(dpn_fit_kind kind, double y, double t) {
    return kind == DPN_FIT_LINEAR ? 0.5 * (t - y) * (t - y) : fmax(t, 0) + log1p(exp(-fabs(t))) - y * t;
}

/* The summed loss of rows at b, from the rows as they were given. */
static double total(dpn_fit_kind kind, const double *value, size_t rows, const double *b) {
    double sum = 0;
    for (size_t r = 0; r < rows; r++) {
        const double *row = value + r * DATA_WIDTH;
        double t = b[0];
        for (size_t j = 1; j < DATA_WIDTH; j++) t += b[j] * row[j];
        sum += loss(kind, row[0], t);
    }
    return sum;
}

/* Without clipping the sums are those of the loss's differences: rows are rounded to 2^-17, and each derivative to 2^-18 of the
 * unit 8, so that 5000 rows agree to 5000 (2^-15 + a few 2^-17). */
static void expect_derivatives(dpn_fit_kind kind) {
    enum { ROWS = 5000 };
    const double unit = 8, step = 1e-4, b[] = {0.2, -0.7, 0.4, 0.9, -0.3, 0.1};
    dpn_fit_options options = by_descent(kind);
    dpn_declaration declared = data_declared(DATA_FEATURES, kind, "1", NULL);
    double *value = kind == DPN_FIT_LINEAR ? data_linear(ROWS, 5) : data_logistic(ROWS, 5);
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_derivatives at;
    assert_int_equal(dpn_fit_numbers(fit, value, ROWS, NULL), DPN_OK);
    assert_int_equal(dpn_derivatives_begin(&at, fit, NULL), DPN_OK);
    for (size_t j = 0; j < DATA_WIDTH; j++) dpn_derivatives_move(&at, j, b[j]);
    for (size_t j = 0; j < DATA_WIDTH; j++) {
        double up[DATA_WIDTH], down[DATA_WIDTH];
        memcpy(up, b, sizeof up);
        memcpy(down, b, sizeof down);
        up[j] += step;
        down[j] -= step;
        double slope = (total(kind, value, ROWS, up) - total(kind, value, ROWS, down)) / (2 * step);
        int64_t steps = dpn_derivatives_sum(&at, j, unit, DPN_DERIVATIVE_UNIT);
        double found = ldexp((double)steps, -DPN_DERIVATIVE_LOG) * unit;
        assert_true(fabs(found - slope) < 1e-4 * ROWS && fabs(slope) > 1);
    }
    dpn_derivatives_end(&at);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    free(value);
}

static void test_derivatives(void **state) {
    (void)state;
    expect_derivatives(DPN_FIT_LINEAR);
    expect_derivatives(DPN_FIT_LOGISTIC);
}

/* ---- How far a row moves a sum ---- */

static double hostile(draw_source *source) {
    static const double worst[] = {-1, 1, 0, -1e300, 1e300, 0.5, NAN};
    uint64_t word = draw_bits(source);
    return word % 4 ? worst[(word >> 8) % 7] : draw_uniform(source, -1.5, 1.5);
}

/* One row alone, at coefficients that are far off or not numbers at all: the sum over it is the row's share. */
static void expect_moves(dpn_fit_kind kind, int32_t clip) {
    static const double far[] = {0, 1, -1, 1024, -1024, 1e308, INFINITY, NAN};
    dpn_fit_options options = by_descent(kind);
    dpn_declaration declared = data_declared(DATA_FEATURES, kind, "1", NULL);
    draw_source source = {17};
    dpn_fit *fit = data_planned(&options, &declared);
    int64_t farthest = 0, squares = 0;
    for (int trial = 0; trial < 400; trial++) {
        double row[DATA_WIDTH];
        for (size_t j = 0; j < DATA_WIDTH; j++) row[j] = hostile(&source);
        dpn_derivatives at;
        assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_OK);
        assert_int_equal(dpn_derivatives_begin(&at, fit, NULL), DPN_OK);
        for (size_t j = 0; j < DATA_WIDTH; j++) {
            dpn_derivatives_move(&at, j, far[draw_bits(&source) % 8]);
            int64_t sum = llabs(dpn_derivatives_sum(&at, j, 1, clip));
            int64_t square = llabs(dpn_derivatives_squares(fit, j, clip));
            assert_true(sum <= clip && square <= clip);
            farthest = sum > farthest ? sum : farthest;
            squares = square > squares ? square : squares;
        }
        dpn_derivatives_end(&at);
        dpn_rows_free(&fit->rows);
        fit->rows.columns = dpn_fit_width(fit);
    }
    dpn_fit_free(fit);
    assert_true(farthest == clip && squares == clip); /* bounds that are reached */
    dpn_declaration_free(&declared);
}

static void test_moves(void **state) {
    (void)state;
    expect_moves(DPN_FIT_LINEAR, DPN_DERIVATIVE_UNIT / 5);
    expect_moves(DPN_FIT_LOGISTIC, DPN_DERIVATIVE_UNIT / 3);
}

/* ---- The guarantee ---- */

/* The recorded plan, as text, for bounds that are written down here. Five features and the constant; the clips of these are as 1 to
 * sqrt(1/3) and the largest is the unit. What is bought besides has their root mean square. */
static void expect_guarantee(dpn_relation relation, const char *noise, dpn_fit_accounting accounting,
                             const char *epsilon, const char *delta) {
    enum { PASSES = 3, NUMBERS = 1 + 5 + PASSES * 6 };
    dpn_fit_options options = by_descent(DPN_FIT_LOGISTIC);
    options.passes = PASSES;
    options.noise = noise;
    options.accounting = accounting;
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LOGISTIC, epsilon, delta);
    declared.relation = relation;
    double *value = data_logistic(100, 3);
    dpn_model *model = data_fitted(&options, &declared, value, 100, 4);
    const char *text = strstr(model->releases, "\"plan\": "), *end = strstr(model->releases, ", \"detail\": ");
    assert_true(text && end);
    assert_null(strstr(text + 1, "\"plan\": ")); /* one release */
    assert_non_null(strstr(model->releases, "\"times\": 1,"));
    text += strlen("\"plan\": ");
    dpn_plan plan;
    dpn_error why;
    if (dpn_plan_read(&plan, text, (size_t)(end - text), &why)) fail_msg("%s", why.sentence);
    assert_int_equal(plan.dimension, NUMBERS);
    /* With laws of their own all coordinates have the unit of the largest clip; with one law for all each has its own. */
    double steps = ldexp(1, 18), small = floor(steps * sqrt(1.0 / 3)) / steps, bound[NUMBERS];
    if (accounting != DPN_FIT_EXACT) small = 1;
    double both = relation == DPN_REPLACE ? 2 : 1, square = (1 + 5 * small * small) / 6;
    for (size_t k = 0; k < NUMBERS; k++)
        bound[k] = both * (k < 6 ? floor(steps * sqrt(square)) / steps : (k - 6) % 6 == 0 ? 1 : small);
    bound[0] /= both;
    for (size_t k = 0; k < NUMBERS; k++)
        if (!(relation == DPN_REPLACE && k == 0)) assert_true(fabs(plan.sensitivity[k] - bound[k]) <= 2 / steps);
    dpn_sensitivity set = {.dimension = NUMBERS, .bound = plan.sensitivity};
    dpn_delta reached;
    if (dpn_plan_delta(&reached, NULL, NULL, &plan, &set, 1, atof(epsilon), NULL, &why)) fail_msg("%s", why.sentence);
    assert_true(reached.upper <= (delta ? atof(delta) : 0));
    /* And hardly more noise than that, by exact accounting. */
    assert_int_equal(dpn_plan_delta(&reached, NULL, NULL, &plan, &set, 1, 0.98 * atof(epsilon), NULL, &why), DPN_OK);
    if (accounting == DPN_FIT_EXACT) assert_true(reached.lower > (delta ? atof(delta) : 0) || plan.blocks == 0);
    dpn_plan_free(&plan);
    dpn_model_free(model);
    dpn_declaration_free(&declared);
    free(value);
}

static void test_guarantee(void **state) {
    (void)state;
    expect_guarantee(DPN_ADD_REMOVE, "gaussian", DPN_FIT_EXACT, "1", "1e-5");
    expect_guarantee(DPN_REPLACE, "gaussian", DPN_FIT_EXACT, "0.3", "1e-6");
    expect_guarantee(DPN_ADD_REMOVE, NULL, DPN_FIT_EXACT, "1", NULL);
    expect_guarantee(DPN_ADD_REMOVE, "laplace", DPN_FIT_EXACT, "1", NULL);
    expect_guarantee(DPN_ADD_REMOVE, "flipped-huber", DPN_FIT_ZCDP, "1", "1e-5");
    expect_guarantee(DPN_ADD_REMOVE, "gaussian", DPN_FIT_PAPER, "1", "1e-5");
}

/* Joint noise that spends delta is not certified for questions that follow each other; the method takes pure noise instead. */
static void test_joint(void **state) {
    (void)state;
    dpn_fit_options options = by_descent(DPN_FIT_LINEAR);
    options.noise = "k-norm";
    options.passes = 1;
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, "1", "0.01");
    dpn_fit *fit = data_planned(&options, &declared);
    assert_true(dpn_fit_release_at(fit, 0).plan->pure && dpn_plan_serves_adaptively(dpn_fit_release_at(fit, 0).plan));
    dpn_fit_free(fit);
    options.method = "moments";
    options.passes = 0;
    options.noise = "blocks";
    fit = data_planned(&options, &declared);
    assert_false(dpn_fit_release_at(fit, 0).plan->pure);
    assert_int_equal(dpn_fit_certify(fit, NULL), DPN_OK);
    fit->announced[0].adaptive = true;
    assert_int_equal(dpn_fit_certify(fit, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

/* ---- An attack ---- */

enum { ATTACKS = 4000 };

/* The difference of the two noisy sums over the number of rows, from what the model tells: b_i = -step_i sum_i/rows. */
static double difference(const dpn_model *model) {
    double slope[2] = {0};
    const char *at = model->releases;
    for (size_t j = 0; j < 2; j++) {
        at = strstr(at + 1, "\"step\": ");
        assert_non_null(at);
        slope[j] = model->coefficient[j].value / strtod(at + strlen("\"step\": "), NULL);
    }
    return slope[0] - slope[1];
}

/* Run a planned fit of two coefficients again and again: these, and the difference of the sums. */
static void attack(double (*out)[3], const dpn_fit_options *options, const dpn_declaration *declared, const double *row,
                   size_t rows, uint64_t seed) {
    seeded random;
    seeded_begin(&random, seed);
    dpn_fit *fit = data_planned(options, declared);
    assert_int_equal(dpn_fit_numbers(fit, row, rows, NULL), DPN_OK);
    for (size_t i = 0; i < ATTACKS; i++) {
        dpn_model *model;
        fit->ran = false;
        fit->announced[0].drawn = 0;
        free(fit->announced[0].detail);
        fit->announced[0].detail = NULL;
        assert_int_equal(dpn_fit_run(&model, fit, &random.rng, NULL), DPN_OK);
        for (size_t j = 0; j < 2; j++) out[i][j] = model->coefficient[j].value;
        out[i][2] = difference(model);
        dpn_model_free(model);
    }
    dpn_fit_free(fit);
}

/* Shares of an event on both tables differ from its probabilities by more than `slack` with probability 1e-9 at most (Hoeffding). */
static void expect_hidden(double with, double without, double epsilon) {
    const double slack = sqrt(log(4e9) / (2.0 * ATTACKS));
    assert_true(with - slack <= exp(epsilon) * (without + slack));
    assert_true(without - slack <= exp(epsilon) * (with + slack));
}

/* A row with the largest derivatives, there or not. Clips are a tenth of what it has, so that a missing clip shows. */
static void test_attack(void **state) {
    (void)state;
    static double with[ATTACKS][3], without[ATTACKS][3];
    const double row[] = {1, 1, -1}, epsilon = 0.1;
    dpn_fit_options options = by_descent(DPN_FIT_LINEAR);
    options.no_intercept = true;
    options.passes = 1;
    options.rows = 1000;
    options.clip = 0.1 * sqrt(2);
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "0.1", NULL);
    attack(with, &options, &declared, row, 1, 1);
    attack(without, &options, &declared, row, 0, 2);
    double up[2] = {0}, apart[2] = {0}, equal[2] = {0};
    for (size_t i = 0; i < ATTACKS; i++) {
        const double *pair[] = {with[i], without[i]};
        for (size_t k = 0; k < 2; k++) {
            up[k] += (pair[k][0] > 0) / (double)ATTACKS;
            apart[k] += (pair[k][0] > 0 && pair[k][1] < 0) / (double)ATTACKS;
            equal[k] += (fabs(pair[k][2]) < 1e-9) / (double)ATTACKS;
        }
    }
    expect_hidden(up[0], up[1], epsilon);
    expect_hidden(apart[0], apart[1], epsilon);
    expect_hidden(equal[0], equal[1], epsilon);
    dpn_declaration_free(&declared);
}

/* ---- Which accounting needs how much ---- */

static double planned_error(const char *noise, dpn_fit_accounting accounting, dpn_fit_kind kind, uint64_t passes,
                            double clip) {
    dpn_fit_options options = by_descent(kind);
    options.noise = noise;
    options.accounting = accounting;
    options.passes = passes;
    options.clip = clip;
    dpn_declaration declared = data_declared(DATA_FEATURES, kind, "1", "1e-6");
    dpn_fit *fit = data_planned(&options, &declared);
    double error = dpn_fit_release_at(fit, 0).plan->error;
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return error;
}

static void test_accounting(void **state) {
    (void)state;
    static const char *const noise[] = {"gaussian", "flipped-huber"};
    for (size_t i = 0; i < 2; i++)
        for (uint64_t passes = 1; passes <= 16; passes *= 4) {
            double exact = planned_error(noise[i], DPN_FIT_EXACT, DPN_FIT_LINEAR, passes, 1),
                   zcdp = planned_error(noise[i], DPN_FIT_ZCDP, DPN_FIT_LINEAR, passes, 1),
                   paper = planned_error(noise[i], DPN_FIT_PAPER, DPN_FIT_LINEAR, passes, 1);
            assert_true(exact <= zcdp && zcdp <= paper * (1 + 1e-4)); /* clips are rounded to steps */
            assert_true(exact < 0.95 * paper);
        }
}

/* ---- What it is worth ---- */

static double accuracy(const char *method, const char *delta, const char *epsilon, uint64_t run, size_t rows) {
    dpn_fit_options options = by_descent(DPN_FIT_LOGISTIC);
    options.method = method;
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LOGISTIC, epsilon, delta);
    double *value = data_logistic(rows, 100 + run);
    dpn_model *model = data_fitted(&options, &declared, value, rows, 200 + run);
    double share = data_accuracy(model, value, rows);
    dpn_model_free(model);
    dpn_declaration_free(&declared);
    free(value);
    return share;
}

/* 10000 rows at epsilon 1 and delta 1e-3, as accurate as without noise but for 0.0035. */
static void test_accuracy(void **state) {
    (void)state;
    enum { RUNS = 5, ROWS = 10000 };
    double lost[RUNS], pure[RUNS];
    for (uint64_t run = 0; run < RUNS; run++) {
        double plain = accuracy("non-private", NULL, "1", run, ROWS);
        lost[run] = plain - accuracy("cd", "1e-3", "1", run, ROWS);
        pure[run] = plain - accuracy("cd", NULL, "0.2", run, ROWS);
    }
    printf("# accuracy lost: %.4f at (1, 1e-3), %.4f at 0.2\n", data_median(lost, RUNS), data_median(pure, RUNS));
    assert_true(data_median(lost, RUNS) <= 0.0035);
    assert_true(data_median(pure, RUNS) <= 0.01);
}

static void test_refusals(void **state) {
    (void)state;
    dpn_fit_options options = by_descent(DPN_FIT_LINEAR);
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, "1", NULL);
    dpn_fit *fit;
    options.passes = UINT64_MAX;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    options.passes = 1;
    options.noise = "gaussian"; /* without delta */
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EUNSUPPORTED);
    dpn_fit_free(fit);
    options.clip = NAN;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_EDOMAIN);
    dpn_declaration_free(&declared);
}

/* No rows, one row, constant columns: a model all the same. */
static void test_few_rows(void **state) {
    (void)state;
    for (int kind = DPN_FIT_LINEAR; kind <= DPN_FIT_LOGISTIC; kind++)
        for (size_t rows = 0; rows <= 2; rows++) {
            const double value[] = {0, 1, 1, 0, 1, NAN};
            dpn_fit_options options = by_descent((dpn_fit_kind)kind);
            options.l1 = 0.01;
            dpn_declaration declared = data_declared(2, (dpn_fit_kind)kind, "1", NULL);
            dpn_model *model = data_fitted(&options, &declared, value, rows, 8);
            for (size_t i = 0; i < model->coefficients; i++) assert_true(isfinite(model->coefficient[i].value));
            dpn_model_free(model);
            dpn_declaration_free(&declared);
        }
}

/* Who declares a number of rows that is far off has nearly the fit of one who declares the right one; more of them are the same passes here, 40 at most. */
static void test_wrong_rows(void **state) {
    (void)state;
    enum { N = 8000, RUNS = 5 };
    const double said[] = {0.3, 0.6, 1, 1.5, 4};
    double *row = data_linear(N, 3);
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "1", "1e-6");
    for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
        dpn_fit_options options = dpn_fit_options_init();
        double r2[RUNS];
        options.method = "cd";
        options.rows = said[k] * N;
        for (uint64_t i = 0; i < RUNS; i++) {
            dpn_model *model = data_fitted(&options, &declared, row, N, 60 + i);
            r2[i] = data_r2(model, row, N);
            dpn_model_free(model);
        }
        printf("# %g times as many rows declared as there are: R^2 %.4f\n", said[k], data_median(r2, RUNS));
        assert_true(r2[RUNS / 2] > 0.84);
    }
    dpn_declaration_free(&declared);
    free(row);
}

/* ---- Where it begins ---- */

/* With steps of next to nothing a descent ends where it was told to begin, in the data's units, whatever the bounds of the columns are. */
static void test_start(void **state) {
    static const double linear[] = {3000, 20, -0.5}, logistic[] = {-4, 0.05, 0.001};
    (void)state;
    for (int i = 0; i < 4; i++) {
        bool no_intercept = i & 1, labels = i & 2;
        const double *told = (labels ? logistic : linear) + no_intercept;
        dpn_fit_options options = by_descent(labels ? DPN_FIT_LOGISTIC : DPN_FIT_LINEAR);
        dpn_declaration declared;
        dpn_error why;
        seeded random;
        dpn_fit *fit;
        dpn_model *model;
        options.no_intercept = no_intercept;
        options.start = told;
        options.starts = (size_t)(3 - no_intercept);
        options.passes = 1;
        options.step = 1e-12;
        options.rows = 4;
        assert_int_equal(dpn_declaration_read(&declared, "{\"epsilon\": 9}", 14, &why), DPN_OK);
        const char *const column[] = {labels ? "y:0:1" : "y:-1000:9000", "x:10:110", "z:-500:3500"};
        for (size_t k = 0; k < 3; k++)
            if (dpn_declare_statistic(&declared, DPN_STATISTIC_MEAN, column[k], &why)) fail_msg("%s", why.sentence);
        static const double row[] = {1, 20, 30, 0, 100, 3000, 1, 50, 0, 0, 60, 2000};
        seeded_begin(&random, 1);
        fit = data_planned(&options, &declared);
        assert_int_equal(dpn_fit_numbers(fit, row, 4, NULL), DPN_OK);
        if (dpn_fit_run(&model, fit, &random.rng, &why)) fail_msg("%s", why.sentence);
        assert_int_equal(model->coefficients, options.starts);
        for (size_t k = 0; k < options.starts; k++)
            if (!(fabs(model->coefficient[k].value - told[k]) < 1e-4 * (1 + fabs(told[k]))))
                fail_msg("%s: %g, told %g", model->coefficient[k].name, model->coefficient[k].value, told[k]);
        dpn_model_free(model);
        dpn_fit_free(fit);
        dpn_declaration_free(&declared);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_moves),    cmocka_unit_test(test_guarantee),
        cmocka_unit_test(test_joint),       cmocka_unit_test(test_attack),   cmocka_unit_test(test_accounting),
        cmocka_unit_test(test_accuracy),    cmocka_unit_test(test_refusals), cmocka_unit_test(test_few_rows),
        cmocka_unit_test(test_wrong_rows),  cmocka_unit_test(test_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
