/* Choices of a setting: that the number of trials follows the logarithmic law; that a private choice has the law of the proof and keeps to twice the epsilon of a trial; that every trial's fit
 * and score have half of epsilon; that costs stay within their bounds; and that a setting that is plainly better is chosen, privately and by public rows. */
#include "learn/tune.h"
#include "unit/learn/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Costs ---- */

static void test_costs(void **state) {
    (void)state;
    for (unsigned kind = DPN_FIT_LINEAR; kind <= DPN_FIT_QUANTILE; kind++) {
        dpn_fit_options options = dpn_fit_options_init();
        options.kind = (dpn_fit_kind)kind;
        options.method = kind == DPN_FIT_QUANTILE ? "kng" : "cd";
        dpn_declaration declared = data_declared(1, options.kind, "1", NULL);
        dpn_fit *fit = data_planned(&options, &declared);
        const double row[] = {0.75, 0.5, 0, -1};
        assert_int_equal(dpn_fit_numbers(fit, row, 2, NULL), DPN_OK);
        const double b[][2] = {{0.5, 0.25}, {NAN, 0}, {INFINITY, -INFINITY}, {1e300, 1e300}};
        for (size_t i = 0; i < 4; i++)
            for (size_t r = 0; r < 2; r++) {
                int64_t cost = dpn_row_cost(fit, b[i], &fit->rows, r);
                assert_true(cost >= 0 && cost <= 1 << DPN_LOSS_LOG);
            }
        /* t = 0.625 of y = 0.75; labels are 1 and 0, and t is above 0 for both. */
        static const double expected[] = {4 * 0.015625, 0, 0.5 * 0.125};
        assert_true(fabs(ldexp((double)dpn_row_cost(fit, b[0], &fit->rows, 0), -DPN_LOSS_LOG) - expected[kind]) < 1e-4);
        if (kind == DPN_FIT_LOGISTIC) assert_true(dpn_row_cost(fit, b[0], &fit->rows, 1) == 1 << DPN_LOSS_LOG);
        dpn_fit_free(fit);
        dpn_declaration_free(&declared);
    }
}

/* ---- How many trials ---- */

/* P(K = k) = p^k/(k c) with p = 63/64 and c = log 64. Pearson's statistic of 1 .. 20 and the rest: 20 degrees of freedom, 80 has a probability below 1e-8. */
static void test_number(void **state) {
    (void)state;
    enum { DRAWS = 20000, MOST = 20 };
    double count[MOST + 1] = {0}, statistic = 0, rest = 1, p = 63.0 / 64, c = log(64);
    seeded random;
    seeded_begin(&random, 12);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t k;
        assert_int_equal(dpn_tuned_trials(&k, &random.rng, NULL), DPN_OK);
        assert_true(k >= 1);
        count[k <= MOST ? k - 1 : MOST]++;
    }
    for (int k = 1; k <= MOST + 1; k++) {
        double share = k <= MOST ? pow(p, k) / (k * c) : rest, expected = DRAWS * share;
        rest -= share;
        statistic += pow(count[k - 1] - expected, 2) / expected;
    }
    printf("# chi-square %.1f\n", statistic);
    assert_true(statistic < 80);
}

/* The best of K of two outcomes, of which the better one has the probability q: 1 - G(1 - q) with G(s) = -log(1 - ps)/c. With q' = q e^e, or 1 - q' = (1 - q) e^-e, as neighbouring
 * tables may have at most, the probabilities are within e^2e of each other, and come near to that. */
static void test_proof(void **state) {
    (void)state;
    double p = 63.0 / 64, c = log(64), most = 0;
    for (double e = 0.05; e < 2; e *= 1.5)
        for (double q = 1e-6; q < 1; q = q < 0.5 ? 1.3 * q : 1 - (1 - q) / 1.3) {
            if (1 - q < 1e-9) break;
            const double other[] = {q * exp(-e), 1 - (1 - q) * exp(e)};
            for (size_t i = 0; i < 2; i++) {
                if (1 - other[i] > exp(e) * (1 - q) || q > exp(e) * other[i] * (1 + 1e-12))
                    continue; /* no neighbours */
                double worst = log1p(-p * (1 - q)) / -c, worst_other = log1p(-p * (1 - other[i])) / -c;
                double loss = fmax(fabs(log(worst / worst_other)), fabs(log((1 - worst) / (1 - worst_other))));
                assert_true(loss <= 2 * e * (1 + 1e-9));
                most = fmax(most, loss / e);
            }
        }
    printf("# loss up to %.3f of one trial's\n", most);
    assert_true(most > 1.2);
}

/* ---- The plan ---- */

static dpn_fit_options tuned(const char *method) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = method;
    options.tune = true;
    return options;
}

static void test_plan(void **state) {
    (void)state;
    dpn_fit_options options = tuned("cd");
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", NULL);
    dpn_fit *fit = data_planned(&options, &declared), *trial;
    dpn_fit_release one = dpn_fit_release_at(fit, 0);
    assert_true(one.plan->pure && one.plan->pure_epsilon == 1 && one.times == 1);
    assert_null(dpn_fit_release_at(fit, 1).plan);
    size_t i = 0;
    for (; (trial = dpn_tuned_trial(fit, i)); i++) {
        double sum = 0;
        for (size_t k = 0; dpn_fit_release_at(trial, k).plan; k++)
            sum += dpn_fit_release_at(trial, k).plan->pure_epsilon * (double)dpn_fit_release_at(trial, k).times;
        assert_true(sum <= 0.5 && sum > 0.49);
    }
    assert_int_equal(i, 10);
    const dpn_plan *score = dpn_release_plan(dpn_tuned_score(fit));
    assert_true(score->pure && score->pure_epsilon <= 0.5 && score->pure_epsilon > 0.49);
    assert_true(dpn_release_sensitivity(dpn_tuned_score(fit))->bound[0] == 1);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    declared = data_declared(2, DPN_FIT_LINEAR, "1", "1e-6");
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EUNSUPPORTED);
    dpn_fit_free(fit);
    options = tuned("non-private");
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_EUNSUPPORTED);
    dpn_declaration_free(&declared);
}

/* ---- What is chosen ---- */

/* The fit is as good as one with half of epsilon, and what was chosen is told. */
static void test_private_choice(void **state) {
    (void)state;
    enum { ROWS = 3000, RUNS = 4 };
    dpn_fit_options options = tuned(NULL);
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "2", NULL);
    double *row = data_linear(ROWS, 3), r2[RUNS];
    for (uint64_t i = 0; i < RUNS; i++) {
        dpn_model *model = data_fitted(&options, &declared, row, ROWS, i);
        assert_string_equal(model->method, "tuned");
        assert_non_null(strstr(model->releases, "\"chosen\": {\"fit\": \"linear\""));
        r2[i] = data_r2(model, row, ROWS);
        dpn_model_free(model);
    }
    printf("# R^2 %.3f\n", data_median(r2, RUNS));
    assert_true(data_median(r2, RUNS) > 0.6);
    dpn_declaration_free(&declared);
    free(row);
}

/* With a clip of 2 given and passes free the choice has that clip; the choice is the least of all costs; twice the same. */
static void test_public_choice(void **state) {
    (void)state;
    enum { ROWS = 400 };
    dpn_fit_options options = dpn_fit_options_init(), chosen, again;
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "0.5", NULL);
    double *row = data_linear(ROWS, 3), cost, same;
    options.method = "moments";
    options.raw = true;
    dpn_fit *rows = data_planned(&options, &declared);
    assert_int_equal(dpn_fit_tune(&chosen, &cost, rows, &options, &declared, NULL), DPN_EDOMAIN); /* no rows */
    assert_int_equal(dpn_fit_numbers(rows, row, ROWS, NULL), DPN_OK);
    assert_int_equal(dpn_fit_tune(&chosen, &cost, rows, &options, &declared, NULL), DPN_OK);
    assert_int_equal(dpn_fit_tune(&again, &same, rows, &options, &declared, NULL), DPN_OK);
    assert_true(chosen.l2 == again.l2 && cost == same);
    /* Settings that are given are the only ones: the least of their costs is that of the choice, unless that is no ridge at all. */
    double least = INFINITY;
    static const double ridge[] = {0.003, 0.03, 0.3};
    for (size_t i = 0; i < 3; i++) {
        options.l2 = ridge[i];
        assert_int_equal(dpn_fit_tune(&again, &same, rows, &options, &declared, NULL), DPN_OK);
        assert_true(again.l2 == ridge[i] && same >= cost && (chosen.l2 != ridge[i] || same == cost));
        least = fmin(least, same);
    }
    printf("# l2 %g, cost %.4f, others from %.4f on\n", chosen.l2, cost, least);
    assert_true(chosen.l2 == 0 || least == cost);
    options.l2 = 0;
    options.method = "cd";
    options.raw = false;
    options.clip = 2;
    assert_int_equal(dpn_fit_tune(&chosen, &cost, rows, &options, &declared, NULL), DPN_OK);
    assert_true(chosen.clip == 2);
    dpn_fit_free(rows);
    dpn_declaration_free(&declared);
    free(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_costs),          cmocka_unit_test(test_number),
                                       cmocka_unit_test(test_proof),          cmocka_unit_test(test_plan),
                                       cmocka_unit_test(test_private_choice), cmocka_unit_test(test_public_choice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
