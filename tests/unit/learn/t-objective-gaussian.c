/* Gaussian noise in the objective: delta of the exact minimum by integrating both densities for one coefficient, against what is claimed of
 * it; the shares of epsilon and delta from the recorded releases; and what the fit is worth. */
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

static dpn_fit *planned(dpn_fit_kind kind, dpn_relation relation, const char *epsilon, const char *delta,
                        double share) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "objective-gaussian";
    options.kind = kind;
    options.no_intercept = true;
    options.share = share;
    if (kind == DPN_FIT_LINEAR) options.within = 1;
    dpn_declaration declared = data_declared(1, kind, epsilon, delta);
    declared.relation = relation;
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_declaration_free(&declared);
    return fit;
}

static double told(const dpn_fit *fit, const char *name) {
    const char *at = strstr(fit->announced[0].detail, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

/* ---- Densities of one coefficient ---- */

typedef struct row {
    double z, y;
} row;

/* Squares go on as straight lines where t is beyond 1, the most on the box. */
static double slope(dpn_fit_kind kind, row of, double b, double *second) {
    double t = b * of.z, p = 1 / (1 + exp(-t));
    *second = kind == DPN_FIT_LINEAR ? fabs(t) <= 1 : p * (1 - p);
    return kind == DPN_FIT_LINEAR ? fmin(fmax(t, -1), 1) - of.y : p - of.y;
}

/* Of the minimum: that of V, times what V changes by with b. */
static double density(dpn_fit_kind kind, const row *table, size_t rows, double gamma, double sigma, double b) {
    double v = gamma * b, change = gamma, second;
    for (size_t i = 0; i < rows; i++) {
        v += slope(kind, table[i], b, &second) * table[i].z;
        change += second * table[i].z * table[i].z;
    }
    return exp(-0.5 * v * v / (sigma * sigma)) / (sigma * sqrt(2 * 3.14159265358979323846)) * change;
}

static double delta_between(dpn_fit_kind kind, const row *from, size_t n, const row *to, size_t m, double gamma,
                            double sigma, double epsilon) {
    enum { POINTS = 40000 };
    double sum = 0, far = (12 * sigma + 8) / gamma, width = 2 * far / POINTS;
    for (int i = 0; i < POINTS; i++) {
        double b = -far + (i + 0.5) * width;
        sum += fmax(density(kind, from, n, gamma, sigma, b) - exp(epsilon) * density(kind, to, m, gamma, sigma, b), 0);
    }
    return sum * width;
}

static double normal_tail(double x) {
    return 0.5 * erfc(x / sqrt(2));
}

static double analytic(double mu, double epsilon) {
    return normal_tail(epsilon / mu - mu / 2) - exp(epsilon) * normal_tail(epsilon / mu + mu / 2);
}

/* Corners of the derivatives, as the proof counts them. */
static double corners(dpn_fit_kind kind, dpn_relation relation) {
    if (kind == DPN_FIT_LINEAR) return relation == DPN_REPLACE ? 4 : 2;
    return relation == DPN_REPLACE ? 3 : 1;
}

static void expect_guarantee(dpn_fit_kind kind, dpn_relation relation, const char *epsilon, const char *delta,
                             double q) {
    dpn_fit *fit = planned(kind, relation, epsilon, delta, q);
    dpn_fit_release noise = dpn_fit_release_at(fit, 0), output = dpn_fit_release_at(fit, 1);
    assert_true(noise.plan && output.plan && output.plan->pure && !dpn_fit_release_at(fit, 2).plan);
    double sigma = sqrt(noise.plan->variance[0]), gamma = told(fit, "\"gamma\": ");
    double lambda = kind == DPN_FIT_LINEAR ? 1 : 0.25, most = kind == DPN_FIT_LINEAR ? 2 : 1;
    double move = relation == DPN_REPLACE ? 2 * most : most, distance = output.plan->pure_epsilon;
    double left = atof(epsilon) - distance - log1p(lambda / gamma);
    double claimed = corners(kind, relation) * analytic(move / sigma, left) * exp(distance / 2);
    assert_true(claimed <= atof(delta) * (1 + 1e-6));
    assert_true(claimed > 0.5 * atof(delta) || q > 0); /* and little is left over */
    /* Every pair of neighbours tried is within that, without the part of the distance. With one coefficient the gradients of two rows
     * differ by less than 2, and replaced rows are far from the worst. */
    static const row tried[] = {{1, 1}, {1, 0}, {-1, 1}, {0.5, 0}, {-0.7, 1}};
    double worst = 0;
    for (size_t others = 0; others < 3; others++)
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j < (relation == DPN_REPLACE ? 5u : 1u); j++) {
                row one[] = {{0.3, 1}, {-1, 1}, tried[i]}, two[] = {{0.3, 1}, {-1, 1}, tried[j]};
                size_t from = 2 - others, n = 3 - from, m = relation == DPN_REPLACE ? n : n - 1;
                worst = fmax(worst,
                             delta_between(kind, one + from, n, two + from, m, gamma, sigma, atof(epsilon) - distance));
                worst = fmax(worst,
                             delta_between(kind, two + from, m, one + from, n, gamma, sigma, atof(epsilon) - distance));
            }
    printf("# epsilon %s, delta %s: %.3g of it in the worst pair tried\n", epsilon, delta, worst / atof(delta));
    assert_true(worst <= atof(delta) * exp(-distance / 2) && (worst > 0.01 * atof(delta) || relation == DPN_REPLACE));
    /* Less noise, or another factor, is refused. */
    fit->announced[0].delta_times *= 1.01 * atof(delta) / (claimed > 0 ? claimed : 1);
    assert_int_equal(dpn_fit_certify(fit, NULL), DPN_EDOMAIN);
    fit->announced[0].delta_times = 0;
    assert_int_equal(dpn_fit_certify(fit, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
}

static void test_guarantee(void **state) {
    (void)state;
    expect_guarantee(DPN_FIT_LOGISTIC, DPN_ADD_REMOVE, "1", "0.01", 0);
    expect_guarantee(DPN_FIT_LOGISTIC, DPN_ADD_REMOVE, "0.2", "0.001", 0);
    expect_guarantee(DPN_FIT_LOGISTIC, DPN_REPLACE, "1", "0.01", 0);
    expect_guarantee(DPN_FIT_LINEAR, DPN_ADD_REMOVE, "1", "0.01", 0);
    expect_guarantee(DPN_FIT_LINEAR, DPN_REPLACE, "2", "0.001", 0);
}

static void test_needs_delta(void **state) {
    (void)state;
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "objective-gaussian";
    options.kind = DPN_FIT_LOGISTIC;
    dpn_declaration declared = data_declared(1, DPN_FIT_LOGISTIC, "1", NULL);
    dpn_fit *fit;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

/* Nearly as good as without noise. */
static void test_accuracy(void **state) {
    (void)state;
    enum { ROWS = 8000, RUNS = 3 };
    double lost[RUNS];
    for (uint64_t run = 0; run < RUNS; run++) {
        dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LOGISTIC, "0.5", "1e-6");
        double *value = data_logistic(ROWS, 60 + run);
        dpn_fit_options options = dpn_fit_options_init();
        options.kind = DPN_FIT_LOGISTIC;
        options.method = "objective-gaussian";
        dpn_model *model = data_fitted(&options, &declared, value, ROWS, run);
        options.method = "non-private";
        dpn_model *plain = data_fitted(&options, &declared, value, ROWS, run);
        lost[run] = data_accuracy(plain, value, ROWS) - data_accuracy(model, value, ROWS);
        dpn_model_free(model);
        dpn_model_free(plain);
        dpn_declaration_free(&declared);
        free(value);
    }
    printf("# accuracy lost: %.4f\n", data_median(lost, RUNS));
    assert_true(data_median(lost, RUNS) <= 0.004);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guarantee), cmocka_unit_test(test_needs_delta),
                                       cmocka_unit_test(test_accuracy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
