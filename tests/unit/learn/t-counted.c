/* Ways that are taken by the number of rows: that the way has the law of a noisy count, on neighbouring tables too, which a count without noise or a choice by the true number has not; that a
 * public number is not paid for; that no release of two ways is drawn; and that no table makes the run fail. t-releases.c derives the guarantee from what is recorded. */
#include "learn/method.h"
#include "unit/learn/data.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WAYS = 9 }; /* of a pure fit: descent with these passes, then moments */
static const double passes[WAYS - 1] = {1, 2, 4, 7, 11, 16, 24, 40};

static dpn_fit *planned(const char *epsilon, const char *delta, dpn_relation relation, bool every) {
    dpn_fit_options options = dpn_fit_options_init();
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, epsilon, delta);
    declared.relation = relation;
    if (every) assert_int_equal(dpn_declare_missing(&declared, "value:0", NULL), DPN_OK);
    options.method = "auto";
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_declaration_free(&declared);
    return fit;
}

static void give(dpn_fit *fit, size_t rows) {
    const double row[] = {0.25, 0.5};
    for (size_t r = 0; r < rows; r++) assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_OK);
}

/* One run, and the way that it took: all that the way has announced is drawn, and nothing of the others. */
static size_t taken(dpn_fit *fit, dpn_rng *rng) {
    double b[2] = {0}, covariance[4] = {0};
    dpn_fit_estimate found = {.b = b, .covariance = covariance, .interval = ""};
    dpn_error why;
    size_t way = 0;
    if (fit->method->run(&found, fit, fit->state, rng, &why)) fail_msg("%s", why.sentence);
    for (size_t i = 0; i < fit->releases; i++)
        if (fit->announced[i].drawn > 0 && fit->announced[i].alternative > 0) way = fit->announced[i].alternative;
    for (size_t i = 0; i < fit->releases; i++) {
        dpn_announced *of = &fit->announced[i];
        bool on = of->alternative == 0 || of->alternative == way;
        assert_int_equal(of->drawn, on ? of->times : 0);
        of->drawn = 0;
        free(of->detail);
        of->detail = NULL;
    }
    assert_true(way > 0);
    assert_string_equal(found.method, way < WAYS ? "cd" : "two-step");
    assert_true(isfinite(b[0]) && isfinite(b[1]));
    return way - 1;
}

/* The rows from which on a way is taken, of a pure fit of two coefficients with so much epsilon: 4 m^1.5 rows a pass bear one, and 500 for each of five moments. */
static double first_of(size_t way, double epsilon) {
    if (way == 0) return -INFINITY;
    if (way == WAYS - 1) return 500 * 5 / epsilon;
    return sqrt(passes[way - 1] * passes[way]) * 4 * pow(2, 1.5) / epsilon;
}

/* P(N + Z >= first) with P(Z = k) = (1 - a)/(1 + a) a^|k|, by the sum. */
static double reached(double rows, double first, double a) {
    if (first == -INFINITY) return 1;
    double sum = 0;
    for (int k = -2000; k <= 2000; k++)
        if (rows + k >= first) sum += (1 - a) / (1 + a) * pow(a, abs(k));
    return sum;
}

static void law_of(double law[WAYS], double rows, double whole) {
    double a = exp(-0.03 * whole), left = 0.97 * whole;
    for (size_t way = 0; way < WAYS; way++)
        law[way] =
            reached(rows, first_of(way, left), a) - (way + 1 < WAYS ? reached(rows, first_of(way + 1, left), a) : 0);
}

/* The law of ways follows from the noise that was announced, and a row more changes no probability by more than the factor that its share of epsilon allows: the law from its
 * definition, and how often the ways are taken, by seven standard deviations. A choice by the true number goes one way alone. */
static void test_law(void **state) {
    (void)state;
    enum { RUNS = 4000 };
    static const size_t rows[] = {10, 11};
    double law[2][WAYS];
    seeded random;
    seeded_begin(&random, 5);
    for (size_t t = 0; t < 2; t++) {
        dpn_fit *fit = planned("8", NULL, DPN_ADD_REMOVE, false);
        dpn_fit_release count = dpn_fit_release_at(fit, 0);
        assert_string_equal(count.what, "number of rows");
        assert_true(count.plan->pure && fabs(count.plan->pure_epsilon - 0.24) < 1e-9 && count.set->bound[0] == 1);
        double often[WAYS] = {0};
        give(fit, rows[t]);
        for (size_t run = 0; run < RUNS; run++) often[taken(fit, &random.rng)]++;
        law_of(law[t], (double)rows[t], 8);
        for (size_t way = 0; way < WAYS; way++) {
            double want = law[t][way] * RUNS, off = often[way] - want;
            printf("# %zu rows, way %zu: %g times, %.1f are expected\n", rows[t], way + 1, often[way], want);
            assert_true(fabs(off) <= 7 * sqrt(want) + 7);
        }
        assert_true(often[0] > 100 && often[3] > 100 && often[5] > 50);
        dpn_fit_free(fit);
    }
    for (size_t way = 0; way < WAYS; way++) assert_true(fabs(log(law[0][way] / law[1][way])) <= 0.24 * (1 + 1e-9));
}

/* Where every row is used and one takes another's place the number is public: it is not bought, and decides as it is. */
static void test_public(void **state) {
    (void)state;
    seeded random;
    seeded_begin(&random, 6);
    for (size_t way = 0; way < WAYS; way++) {
        double first = first_of(way, 8);
        dpn_fit *fit = planned("8", NULL, DPN_REPLACE, true);
        assert_int_equal(dpn_fit_alternative(fit, 0), 1);
        give(fit, way == 0 ? 0 : (size_t)ceil(first) - 1);
        assert_int_equal(taken(fit, &random.rng), way == 0 ? 0 : way - 1);
        give(fit, 1);
        for (int run = 0; run < 20; run++) assert_int_equal(taken(fit, &random.rng), way);
        dpn_fit_free(fit);
    }
    dpn_fit *fit = planned("8", NULL, DPN_REPLACE, false); /* a row may be left out: the number is bought */
    assert_int_equal(dpn_fit_alternative(fit, 0), 0);
    assert_int_equal(dpn_fit_alternative(fit, 1), 1);
    assert_int_equal(dpn_fit_alternative(fit, 100), 0);
    dpn_fit_free(fit);
}

/* Empty tables, one row, and so little epsilon that the noisy number is below 0 in half of the runs. */
static void test_never_fails(void **state) {
    (void)state;
    static const char *const delta[] = {NULL, "1e-6"}, *const epsilon[] = {"0.0001", "1", "1000"};
    seeded random;
    seeded_begin(&random, 7);
    for (size_t e = 0; e < 3; e++)
        for (size_t d = 0; d < 2; d++)
            for (size_t rows = 0; rows < 3; rows++) {
                double b[2], covariance[4];
                dpn_fit *fit = planned(epsilon[e], delta[d], DPN_ADD_REMOVE, false);
                dpn_error why;
                give(fit, rows);
                for (int run = 0; run < 20; run++) {
                    if (dpn_fit_run_again(b, covariance, fit, &random.rng, &why)) fail_msg("%s", why.sentence);
                    assert_true(isfinite(b[0]) && isfinite(b[1]));
                }
                dpn_fit_free(fit);
            }
}

/* Who has drawn of one way draws of no other, and what a way saw of the fit is put back. */
static void test_one_way(void **state) {
    (void)state;
    dpn_fit *fit = planned("1", NULL, DPN_ADD_REMOVE, false);
    dpn_error why;
    assert_true(fit->epsilon == 1 && fit->options.rows == 0 && fit->options.passes == 0 && fit->settled.passes == 0);
    assert_int_equal(dpn_fit_take(fit, 2, &why), DPN_OK);
    assert_int_equal(dpn_fit_take(fit, 0, &why), DPN_OK);
    assert_int_equal(dpn_fit_take(fit, 1, &why), DPN_EDOMAIN);
    assert_non_null(strstr(why.sentence, "another way"));
    assert_int_equal(dpn_fit_take(fit, 2, &why), DPN_EDOMAIN);
    assert_non_null(strstr(why.sentence, "more often"));
    dpn_fit_free(fit);
}

/* A way that has more than the others is refused, whichever it is. */
static void test_certified(void **state) {
    (void)state;
    static const char *const delta[] = {NULL, "1e-6"};
    for (size_t d = 0; d < 2; d++) {
        dpn_fit *fit = planned("1", delta[d], DPN_ADD_REMOVE, false);
        assert_int_equal(dpn_fit_certify(fit, NULL), DPN_OK);
        for (size_t i = 0; i < fit->releases; i++) {
            fit->announced[i].times = 2;
            assert_int_equal(dpn_fit_certify(fit, NULL), DPN_EDOMAIN);
            fit->announced[i].times = 1;
        }
        fit->announced[0].elsewhere = 0.001;
        assert_int_equal(dpn_fit_certify(fit, NULL), DPN_EDOMAIN);
        dpn_fit_free(fit);
    }
}

/* The whole of it on neighbouring tables, the noisy number among what is seen. */
static void test_audit(void **state) {
    (void)state;
    dpn_fit_options fit = dpn_fit_options_init();
    dpn_audit_fit_options options = dpn_audit_fit_options_init();
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, "2", NULL);
    dpn_audit found;
    dpn_error why;
    seeded random;
    seeded_begin(&random, 8);
    fit.method = "auto";
    options.fit = &fit;
    options.declaration = &declared;
    options.samples = 1500;
    options.confidence = 1 - 1e-8;
    if (dpn_audit_fit(&found, &options, &random.rng, &why)) fail_msg("%s", why.sentence);
    printf("# epsilon is at least %.4g, claimed 2\n", found.at.epsilon_lower);
    assert_true(found.pass);
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_law),         cmocka_unit_test(test_public),
                                       cmocka_unit_test(test_never_fails), cmocka_unit_test(test_one_way),
                                       cmocka_unit_test(test_certified),   cmocka_unit_test(test_audit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
