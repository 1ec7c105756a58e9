/* Objective perturbation: the shares of epsilon from the recorded releases, with the largest gradient and Hessian of a row written down
 * and tried; that it finds the minimum; an attack on neighbouring tables; and what the fit is worth. */
#include "unit/learn/data.h"

#include "learn/fit.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_fit_options by_objective(void) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "objective";
    options.kind = DPN_FIT_LOGISTIC;
    return options;
}

static double told(const char *text, const char *name) {
    const char *at = strstr(text, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

/* ---- The guarantee ---- */

static const char *const balls[] = {"linf", "l1", "l2"};

/* Five features and the constant. A row's gradient (p - y) z is at most 1 in each coordinate, so at most 6 in the sum of sizes and 6^(1/2) in
 * length, and twice that if it is replaced; its Hessian p(1-p) z z' has one eigenvalue, at most |z|^2/4 = 6/4. So the determinant grows by at
 * most 1 + 1.5/gamma. Of squares within 2 the derivative is at most 1 + 2 * 6, in a ball of radius 2 1 + 2 * 6^(1/2), and the second one 1. */
static void expect_noise(const dpn_fit_release *noise, const char *ball, double most) {
    const dpn_sensitivity *set = noise->set;
    if (strcmp(ball, "l1") == 0)
        assert_true(set->l1 >= 6 * most && set->l1 < 6 * most + 1e-6);
    else if (strcmp(ball, "l2") == 0)
        assert_true(set->l2 >= sqrt(6) * most && set->l2 < sqrt(6) * most + 1e-6);
    else
        assert_true(set->linf >= most && set->linf < most + 1e-6);
    assert_int_equal(noise->plan->blocks, 1);
    assert_string_equal(dpn_ball_kind_name(noise->plan->block[0].ball), ball);
}

static void expect_spent(dpn_fit *fit, const char *epsilon) {
    dpn_fit_release each[] = {dpn_fit_release_at(fit, 0), dpn_fit_release_at(fit, 1)};
    double spent = fit->announced[0].elsewhere;
    for (size_t i = 0; i < 2; i++) {
        dpn_error why;
        dpn_delta reached;
        double share = each[i].plan->pure_epsilon;
        if (dpn_plan_delta(&reached, NULL, NULL, each[i].plan, each[i].set, 1, share, NULL, &why))
            fail_msg("%s", why.sentence);
        assert_true(reached.upper == 0);
        spent += share;
    }
    assert_true(spent <= atof(epsilon) && spent > 0.999 * atof(epsilon));
    /* More elsewhere than was left is refused. */
    fit->announced[0].elsewhere *= 1.001;
    assert_int_equal(dpn_fit_certify(fit, NULL), DPN_EDOMAIN);
}

static void expect_guarantee(dpn_fit_kind kind, const char *ball, bool in_ball, dpn_relation relation,
                             const char *epsilon) {
    dpn_fit_options options = by_objective();
    options.within_l2 = in_ball;
    options.ball = ball;
    options.kind = kind;
    if (kind == DPN_FIT_LINEAR || in_ball) options.within = 2;
    dpn_declaration declared = data_declared(DATA_FEATURES, kind, epsilon, NULL);
    declared.relation = relation;
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_fit_release noise = dpn_fit_release_at(fit, 0), output = dpn_fit_release_at(fit, 1);
    assert_true(noise.plan && output.plan && !dpn_fit_release_at(fit, 2).plan);
    double slope = kind == DPN_FIT_LOGISTIC ? 1
                   : in_ball                ? 1 + 2 * sqrt(6)
                                            : 13,
           lambda = kind == DPN_FIT_LINEAR ? 6 : 1.5;
    double gamma = told(fit->announced[0].detail, "\"gamma\": ");
    assert_true(gamma > 0 && log1p(lambda / gamma) <= fit->announced[0].elsewhere);
    expect_noise(&noise, ball, slope * (relation == DPN_REPLACE ? 2 : 1));
    assert_true(output.set->l2 >=
                (in_ball ? 2e-6 : 2e-7) / gamma); /* twice the distance of a gradient of 1e-6 or 1e-7 */
    expect_spent(fit, epsilon);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

static void test_guarantee(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++) {
        expect_guarantee(DPN_FIT_LOGISTIC, balls[i], false, DPN_ADD_REMOVE, "1");
        expect_guarantee(DPN_FIT_LOGISTIC, balls[i], false, DPN_ADD_REMOVE, "0.01");
        expect_guarantee(DPN_FIT_LOGISTIC, balls[i], false, DPN_REPLACE, "0.5");
        expect_guarantee(DPN_FIT_LOGISTIC, balls[i], false, DPN_REPLACE, "3");
        expect_guarantee(DPN_FIT_LINEAR, balls[i], false, DPN_ADD_REMOVE, "2");
        expect_guarantee(DPN_FIT_LINEAR, balls[i], false, DPN_REPLACE, "0.1");
        expect_guarantee(DPN_FIT_LOGISTIC, balls[i], true, DPN_ADD_REMOVE, "1");
        expect_guarantee(DPN_FIT_LINEAR, balls[i], true, DPN_REPLACE, "2");
    }
}

enum { ATTACKS = 2500 };

/* One coefficient, of a table of one row or none. Shares of an event differ from probabilities by more than the slack with
 * probability 1e-9 at most (Hoeffding). */
static void attack(double *out, const char *ball, double l1, const double *row, size_t rows, uint64_t seed) {
    dpn_fit_options options = by_objective();
    options.no_intercept = true;
    options.ball = ball;
    options.l1 = l1;
    options.rows = 1;
    options.within = l1 > 0 ? 2 : 0;
    dpn_declaration declared = data_declared(1, DPN_FIT_LOGISTIC, "0.3", NULL);
    seeded random;
    seeded_begin(&random, seed);
    dpn_fit *fit = data_planned(&options, &declared);
    assert_int_equal(dpn_fit_numbers(fit, row, rows, NULL), DPN_OK);
    for (size_t i = 0; i < ATTACKS; i++) {
        dpn_model *model;
        fit->ran = false;
        fit->announced[0].drawn = fit->announced[1].drawn = 0;
        assert_int_equal(dpn_fit_run(&model, fit, &random.rng, NULL), DPN_OK);
        out[i] = model->coefficient[0].value;
        dpn_model_free(model);
    }
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

static double share(const double *x, double above) {
    double count = 0;
    for (size_t i = 0; i < ATTACKS; i++) count += x[i] > above;
    return count / ATTACKS;
}

/* With a penalty and a box the answer is at 0 or at an end, but for the noise on the distance, with a probability that the row may change. */
static void test_attack(void **state) {
    (void)state;
    static double with[ATTACKS], without[ATTACKS];
    const double row[] = {1, 1}, slack = sqrt(log(1e10) / (2.0 * ATTACKS));
    for (size_t i = 0; i < 4; i++) {
        attack(with, balls[i % 3], i < 3 ? 0 : 1, row, 1, 1 + 2 * i);
        attack(without, balls[i % 3], i < 3 ? 0 : 1, row, 0, 2 + 2 * i);
        for (double at = -4.005; at <= 4; at += 0.5) {
            double a = share(with, at), b = share(without, at);
            assert_true(a - slack <= exp(0.3) * (b + slack) && b - slack <= exp(0.3) * (a + slack));
        }
    }
}

/* ---- What it is worth ---- */

/* At a large epsilon it is the minimum without noise, but for a gamma of 0.03. */
static void test_minimum(void **state) {
    (void)state;
    enum { ROWS = 3000 };
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LOGISTIC, "100000", NULL);
    double *value = data_logistic(ROWS, 9);
    dpn_fit_options options = by_objective();
    dpn_model *model = data_fitted(&options, &declared, value, ROWS, 1);
    options.method = "non-private";
    dpn_model *plain = data_fitted(&options, &declared, value, ROWS, 1);
    for (size_t j = 0; j < 6; j++) assert_true(fabs(model->coefficient[j].value - plain->coefficient[j].value) < 2e-3);
    dpn_model_free(model);
    dpn_model_free(plain);
    dpn_declaration_free(&declared);
    free(value);
}

/* In a ball that is too small for it, what is found has its length, and is no farther from the rows than any other point of the sphere. */
static void test_ball(void **state) {
    (void)state;
    enum { ROWS = 500 };
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1000000", NULL);
    dpn_fit_options options = by_objective();
    double *value = calloc(3 * ROWS, sizeof *value), least = INFINITY, at = 0;
    assert_non_null(value);
    draw_source source = {6};
    for (size_t i = 0; i < 3 * ROWS; i++) value[i] = 2 * (double)(draw_bits(&source) >> 11) * 0x1p-53 - 1;
    for (size_t r = 0; r < ROWS; r++)
        value[3 * r] = 0.5 * value[3 * r + 1] - 0.4 * value[3 * r + 2] + 0.1 * value[3 * r];
    options.kind = DPN_FIT_LINEAR;
    options.no_intercept = true;
    options.within = 0.3;
    options.within_l2 = true;
    dpn_model *model = data_fitted(&options, &declared, value, ROWS, 2);
    double x = model->coefficient[0].value, y = model->coefficient[1].value;
    assert_true(fabs(hypot(x, y) - 0.3) < 1e-5);
    for (double angle = 0; angle < 6.283; angle += 0.001) {
        double squares = 0;
        for (size_t r = 0; r < ROWS; r++)
            squares += pow(0.3 * cos(angle) * value[3 * r + 1] + 0.3 * sin(angle) * value[3 * r + 2] - value[3 * r], 2);
        if (squares < least) at = angle;
        least = fmin(least, squares);
    }
    assert_true(hypot(0.3 * cos(at) - x, 0.3 * sin(at) - y) < 0.001);
    dpn_model_free(model);
    dpn_declaration_free(&declared);
    free(value);
}

/* One coefficient of rows that a threshold separates: the root of rows x/(1 + exp(x b)) = gamma b, found by halving. Newton's full steps go
 * astray here, and b is large. */
static double separated_root(double rows, double x, double gamma) {
    double low = 0, high = 1e9;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        *(rows * x / (1 + exp(x * middle)) > gamma * middle ? &low : &high) = middle;
    }
    return low;
}

static void expect_separated(size_t rows, double x) {
    dpn_declaration declared = data_declared(1, DPN_FIT_LOGISTIC, "1000000", NULL);
    dpn_fit_options options = by_objective();
    options.no_intercept = true;
    double *value = calloc(2 * rows, sizeof *value);
    assert_non_null(value);
    for (size_t r = 0; r < rows; r++) {
        value[2 * r] = (double)(r % 2);
        value[2 * r + 1] = r % 2 ? x : -x;
    }
    dpn_model *model = data_fitted(&options, &declared, value, rows, 3);
    double root = separated_root((double)rows, x, 0.02 * 0.25); /* the least gamma */
    assert_true(fabs(model->coefficient[0].value - root) < 0.01);
    dpn_model_free(model);
    dpn_declaration_free(&declared);
    free(value);
}

static void test_separated(void **state) {
    (void)state;
    expect_separated(1000, 1);
    expect_separated(1000, 0x1p-5);
    expect_separated(1000, 0x1p-10);
    expect_separated(1000, 0x1p-17);
}

/* What rows hold does not decide whether there is an answer: no row, one label, a constant column, fewer rows than coefficients. */
static void test_always_answers(void **state) {
    (void)state;
    static const char *const epsilon[] = {"0.0001", "1", "1000000"};
    for (size_t e = 0; e < 3; e++)
        for (size_t rows = 0; rows <= 64; rows += 4)
            for (int kind = 0; kind < 4; kind++) {
                double value[64 * DATA_WIDTH];
                for (size_t r = 0; r < rows; r++)
                    for (size_t j = 0; j < DATA_WIDTH; j++)
                        value[r * DATA_WIDTH + j] = kind == 0     ? 1
                                                    : kind == 1   ? (double)(r % 2)
                                                    : kind == 2   ? (j == 0        ? 1
                                                                     : (r + j) % 3 ? 0x1p-17
                                                                                   : -1e300)
                                                    : (r + j) % 5 ? NAN
                                                                  : 0.5;
                dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LOGISTIC, epsilon[e], NULL);
                dpn_fit_options options = by_objective();
                dpn_model *model =
                    data_fitted(&options, &declared, value, rows, rows + 1); /* fails the test if it fails */
                for (size_t j = 0; j < model->coefficients; j++) assert_true(isfinite(model->coefficient[j].value));
                dpn_model_free(model);
                dpn_declaration_free(&declared);
            }
}

static void test_accuracy(void **state) {
    (void)state;
    enum { RUNS = 3, ROWS = 16000 };
    static const char *const epsilon[] = {"0.1", "1"};
    static const double most[] = {0.004, 0.002};
    for (size_t e = 0; e < 2; e++) {
        double lost[RUNS];
        for (uint64_t run = 0; run < RUNS; run++) {
            dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LOGISTIC, epsilon[e], NULL);
            double *value = data_logistic(ROWS, 40 + run);
            dpn_fit_options options = by_objective();
            dpn_model *model = data_fitted(&options, &declared, value, ROWS, run);
            options.method = "non-private";
            dpn_model *plain = data_fitted(&options, &declared, value, ROWS, run);
            lost[run] = data_accuracy(plain, value, ROWS) - data_accuracy(model, value, ROWS);
            dpn_model_free(model);
            dpn_model_free(plain);
            dpn_declaration_free(&declared);
            free(value);
        }
        printf("# accuracy lost at epsilon %s: %.4f\n", epsilon[e], data_median(lost, RUNS));
        assert_true(data_median(lost, RUNS) <= most[e]);
    }
}

static void test_refusals(void **state) {
    (void)state;
    dpn_declaration declared = data_declared(1, DPN_FIT_LOGISTIC, "1", NULL);
    dpn_fit_options options = by_objective();
    dpn_fit *fit;
    options.l2 = 0.1; /* per row, and nobody says how many */
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    options.rows = 1e8; /* and such a penalty of so many is beyond what the minimum is proved to be found for */
    options.l2 = 100;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    dpn_declaration many = data_declared(100, DPN_FIT_LOGISTIC, "1", NULL);
    options = by_objective();
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &many, NULL), DPN_EUNSUPPORTED);
    dpn_fit_free(fit);
    dpn_declaration_free(&many);
    options.kind = DPN_FIT_LINEAR; /* whose derivatives no box bounds */
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    options.within_l2 = true; /* a ball without a radius, and too small a one */
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_EDOMAIN);
    options.within = 0x1p-7;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_EDOMAIN);
    options.within = 1;
    options.share = 1;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_EDOMAIN);
    options = by_objective();
    options.ball = "l3";
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EPARSE);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guarantee), cmocka_unit_test(test_attack),
                                       cmocka_unit_test(test_minimum),   cmocka_unit_test(test_accuracy),
                                       cmocka_unit_test(test_separated), cmocka_unit_test(test_always_answers),
                                       cmocka_unit_test(test_refusals),  cmocka_unit_test(test_ball)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
