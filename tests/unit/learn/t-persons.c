/* Persons: which of their rows are fitted, what a row may have, and that more rows of one person do not count. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "learn/fit.h"
#include "learn/persons.h"
#include "unit/learn/data.h"

#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add(dpn_rows *rows, dpn_person_ids *ids, const char *person, int32_t step) {
    assert_int_equal(dpn_rows_add(rows, &step, NULL), DPN_OK);
    assert_int_equal(dpn_person_ids_add(ids, (dpn_field){person, person ? strlen(person) : 0}, NULL), DPN_OK);
}

/* Of six rows of one person two are kept, each of the 15 pairs as often: 15000 draws, and a count of a pair is off from 1000 by 200
 * (6.5 standard deviations) with a probability below 1e-9. Others keep theirs, in order. */
static void test_choices(void **state) {
    (void)state;
    enum { RUNS = 15000 };
    size_t pair[6][6] = {{0}};
    seeded random;
    seeded_begin(&random, 3);
    for (size_t run = 0; run < RUNS; run++) {
        dpn_rows rows = {.columns = 1};
        dpn_person_ids ids = {0};
        for (int32_t i = 0; i < 6; i++) {
            add(&rows, &ids, "ada", i);
            if (i % 3 == 0) add(&rows, &ids, "ad", 10 + i);
            if (i == 4) add(&rows, &ids, NULL, 20);
            if (i == 5) add(&rows, &ids, "", 21);
        }
        assert_int_equal(dpn_rows_of_persons(&rows, &ids, 2, &random.rng, NULL), DPN_OK);
        const int32_t *left = dpn_rows_column(&rows, 0, 0);
        size_t of[2], found = 0, others = 0;
        assert_int_equal(rows.count, 6);
        for (size_t r = 0; r < rows.count; r++)
            if (left[r] < 10)
                of[found++] = (size_t)left[r];
            else
                others += (size_t)left[r];
        assert_int_equal(found, 2);
        assert_int_equal(others, 10 + 13 + 20 + 21);
        pair[of[0]][of[1]]++;
        dpn_rows_free(&rows);
        dpn_person_ids_free(&ids);
    }
    for (size_t i = 0; i < 6; i++)
        for (size_t j = i + 1; j < 6; j++) assert_in_range(pair[i][j], 800, 1200);
}

/* More than a block of rows, persons in no order. */
static void test_many(void **state) {
    (void)state;
    enum { ROWS = 3 * DPN_ROWS_A_BLOCK + 5, PERSONS = 1000 };
    dpn_rows rows = {.columns = 1};
    dpn_person_ids ids = {0};
    char name[16];
    seeded random;
    size_t count[PERSONS] = {0};
    seeded_begin(&random, 4);
    for (size_t r = 0; r < ROWS; r++) {
        snprintf(name, sizeof name, "%zu", r * 7919 % PERSONS);
        add(&rows, &ids, name, (int32_t)(r * 7919 % PERSONS));
    }
    assert_int_equal(dpn_rows_of_persons(&rows, &ids, 3, &random.rng, NULL), DPN_OK);
    assert_int_equal(rows.count, 3 * PERSONS);
    for (size_t r = 0; r < rows.count; r++)
        count[dpn_rows_column(&rows, r / DPN_ROWS_A_BLOCK, 0)[r % DPN_ROWS_A_BLOCK]]++;
    for (size_t p = 0; p < PERSONS; p++) assert_int_equal(count[p], 3);
    dpn_rows_free(&rows);
    dpn_person_ids_free(&ids);
}

/* m steps of a row in 200 bits, rounded up: they stay within what was declared, and use it but for a relative 1e-9. */
static void test_shares(void **state) {
    (void)state;
    static const double epsilons[] = {1e-6, 0.1, 1, 5, 40};
    static const uint64_t mosts[] = {1, 2, 3, 17, 1000};
    mpfr_t each, factor, sum, all;
    mpfr_inits2(200, each, factor, sum, all, (mpfr_ptr)0);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            double epsilon = epsilons[i], delta = 1e-6;
            dpn_group_shares(&epsilon, &delta, mosts[j]);
            mpfr_set_d(each, epsilon, MPFR_RNDU);
            mpfr_mul_ui(all, each, mosts[j], MPFR_RNDU);
            assert_true(mpfr_get_d(all, MPFR_RNDU) <= epsilons[i] &&
                        mpfr_get_d(all, MPFR_RNDD) > epsilons[i] * (1 - 1e-9));
            mpfr_exp(each, each, MPFR_RNDU);
            mpfr_set_d(factor, delta, MPFR_RNDU);
            mpfr_set_ui(sum, 0, MPFR_RNDU);
            for (uint64_t k = 0; k < mosts[j]; k++) {
                mpfr_add(sum, sum, factor, MPFR_RNDU);
                mpfr_mul(factor, factor, each, MPFR_RNDU);
            }
            assert_true(mpfr_get_d(sum, MPFR_RNDU) <= 1e-6 && mpfr_get_d(sum, MPFR_RNDD) > 1e-6 * (1 - 1e-9));
        }
    double huge = 1e6, delta = 0.1;
    dpn_group_shares(&huge, &delta, 2);
    assert_true(delta >= 0 && delta < 1e-300);
    mpfr_clears(each, factor, sum, all, (mpfr_ptr)0);
}

/* One person with ten thousand rows far from the line of the others moves it as one row does; and persons who are replaced are refused. */
static void test_fit(void **state) {
    (void)state;
    const char declared[] =
        "{\"statistics\": [{\"kind\": \"mean\", \"column\": \"y\", \"lower\": \"-1\", \"upper\": \"1\"}, {\"kind\": "
        "\"mean\", "
        "\"column\": \"x\", \"lower\": \"-1\", \"upper\": \"1\"}], \"person\": \"id\", \"epsilon\": \"1000000\"}";
    dpn_declaration declaration;
    dpn_fit_options options = dpn_fit_options_init();
    dpn_fit *fit = NULL;
    dpn_model *model = NULL;
    dpn_error why;
    seeded random;
    seeded_begin(&random, 5);
    options.method = "moments";
    assert_int_equal(dpn_declaration_read(&declaration, declared, sizeof declared - 1, &why), DPN_OK);
    fit = data_planned(&options, &declaration);
    assert_string_equal(dpn_fit_column(fit, 0), "id");
    for (int r = 0; r < 12000; r++) {
        char id[16], y[16], x[16];
        bool loud = r % 6 != 0;
        snprintf(id, sizeof id, "%d", loud ? -1 : r);
        snprintf(x, sizeof x, "%.3f", (r % 101) / 50.0 - 1);
        snprintf(y, sizeof y, "%.4f", loud ? 1 : 0.5 * ((r % 101) / 50.0 - 1));
        dpn_field row[] = {{id, strlen(id)}, {y, strlen(y)}, {x, strlen(x)}};
        assert_int_equal(dpn_fit_rows(fit, row, 1, &why), DPN_OK);
    }
    /* Nobody's rows are left out: nothing bounds how many of them one has. */
    static const dpn_field nobody[] = {{NULL, 0}, {"", 0}, {" \t", 2}};
    for (size_t i = 0; i < 3; i++) {
        dpn_field row[] = {nobody[i], {"1", 1}, {"1", 1}};
        assert_int_equal(dpn_fit_rows(fit, row, 1, &why), DPN_OK);
    }
    assert_int_equal(fit->rows.count, 12000);
    assert_int_equal(dpn_fit_run(&model, fit, &random.rng, &why), DPN_OK);
    assert_true(fabs(model->coefficient[0].value) < 2e-3);
    assert_true(fabs(model->coefficient[1].value - 0.5) < 4e-3);
    dpn_model_free(model);
    dpn_fit_free(fit);
    declaration.relation = DPN_REPLACE;
    assert_int_equal(dpn_fit_new(&fit, &options, &why), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declaration, &why), DPN_EUNSUPPORTED);
    dpn_fit_free(fit);
    dpn_declaration_free(&declaration);
}

/* What is announced is for one row of a person: with m of them a m-th of epsilon. */
static void test_announced(void **state) {
    (void)state;
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", NULL);
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "functional";
    declared.person = strdup("id");
    declared.max_rows = 4;
    dpn_fit *fit = data_planned(&options, &declared);
    double epsilon = dpn_fit_release_at(fit, 0).plan->pure_epsilon;
    assert_true(epsilon <= 0.25 && epsilon > 0.2499);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choices), cmocka_unit_test(test_many),      cmocka_unit_test(test_shares),
        cmocka_unit_test(test_fit),     cmocka_unit_test(test_announced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
