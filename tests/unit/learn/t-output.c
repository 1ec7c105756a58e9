/* Output perturbation: how far neighbouring tables move the minimum, tried against what the noise is for. */
#include "unit/learn/data.h"

#include "learn/method.h"
#include "learn/perturbed.h"
#include "learn/row-loss.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_fit_options by_output(dpn_fit_kind kind) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "output";
    options.kind = kind;
    options.rows = 100;
    options.l2 = 0.05;
    if (kind == DPN_FIT_LINEAR) options.within = 1;
    return options;
}

enum { ROWS = 4 };

static double eta, grid; /* of the latest minimum: it is found within eta/5, and rounded to the grid */

static void minimum(dpn_int128 *b, dpn_fit_kind kind, dpn_relation relation, const double *value, size_t rows,
                    double *noise_for) {
    dpn_fit_options options = by_output(kind);
    dpn_declaration declared = data_declared(DATA_FEATURES, kind, "1", NULL);
    declared.relation = relation;
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_row_loss loss;
    memset(b, 0, DATA_WIDTH * sizeof *b);
    assert_int_equal(dpn_fit_numbers(fit, value, rows, NULL), DPN_OK);
    assert_int_equal(dpn_row_loss_make(&loss, fit, NULL), DPN_OK);
    assert_int_equal(dpn_perturbed_minimum(b, &loss, 5, 0, NULL, NULL), DPN_OK);
    *noise_for = dpn_fit_release_at(fit, 0).set->l2;
    eta = dpn_perturbed_eta(&loss);
    grid = ldexp(1, dpn_release_grid_exponent(fit->announced[0].release, 0));
    dpn_row_loss_free(&loss);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

/* Rows at corners; the one that changes pulls as hard as it can. */
static double largest_move(dpn_fit_kind kind, dpn_relation relation, double *noise_for) {
    double most = 0;
    for (unsigned bits = 0; bits < 64; bits++) {
        double value[ROWS * DATA_WIDTH], other[ROWS * DATA_WIDTH];
        for (size_t r = 0; r < ROWS; r++)
            for (size_t j = 0; j < DATA_WIDTH; j++) {
                value[r * DATA_WIDTH + j] = (bits >> (r + j) % 6) & 1 ? 1 : j == 0 && kind == DPN_FIT_LOGISTIC ? 0 : -1;
                other[r * DATA_WIDTH + j] = value[r * DATA_WIDTH + j];
            }
        for (size_t j = 0; j < DATA_WIDTH; j++) value[j] = 1;
        for (size_t j = 0; j < DATA_WIDTH; j++) other[j] = j == 0 ? (kind == DPN_FIT_LINEAR ? -1 : 0) : 1;
        dpn_int128 a[DATA_WIDTH], b[DATA_WIDTH];
        bool replace = relation == DPN_REPLACE;
        size_t rows = 1 + bits % ROWS;
        minimum(a, kind, relation, value, rows, noise_for);
        minimum(b, kind, relation, replace ? other : other + DATA_WIDTH, replace ? rows : rows - 1, noise_for);
        double squares = 0;
        for (size_t j = 0; j < DATA_WIDTH; j++) squares += pow(dpn_point_value(a[j] - b[j]), 2);
        most = fmax(most, sqrt(squares));
    }
    return most;
}

static void test_moves(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        double noise_for = 0;
        double most =
            largest_move(i % 2 ? DPN_FIT_LINEAR : DPN_FIT_LOGISTIC, i / 2 ? DPN_REPLACE : DPN_ADD_REMOVE, &noise_for);
        printf("# moved by %.3f, noise for %.3f\n", most, noise_for);
        assert_true(most <= noise_for && most > 0.02 * noise_for);
        /* (1 or 7) 6^(1/2)/5, twice if rows are replaced; what is found may be eta/5 beside the minimum, of both tables, and is rounded by
         * half a step of the grid in each of six coordinates. */
        double least = (i % 2 ? 7 : 1) * (i / 2 ? 2 : 1) * sqrt(6) / 5;
        double beside = 2 * eta / 5 + sqrt(6) * grid;
        assert_true(eta > 0 && eta < 1e-3 && grid < 1e-3 * noise_for);
        assert_true(noise_for >= (least + beside) * (1 - 1e-13) && noise_for <= (least + 1.01 * beside) * (1 + 1e-12));
    }
}

static void test_fits(void **state) {
    (void)state;
    enum { MANY = 4000 };
    double *value = data_logistic(MANY, 3);
    static const char *const delta[] = {NULL, "1e-6"};
    for (int i = 0; i < 2; i++) {
        dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LOGISTIC, "1", delta[i]);
        dpn_fit_options options = by_output(DPN_FIT_LOGISTIC);
        options.rows = MANY;
        dpn_model *model = data_fitted(&options, &declared, value, MANY, 1);
        options.method = "non-private";
        dpn_model *plain = data_fitted(&options, &declared, value, MANY, 1);
        double lost = data_accuracy(plain, value, MANY) - data_accuracy(model, value, MANY);
        printf("# accuracy lost: %.4f\n", lost);
        assert_true(lost < 0.02);
        dpn_model_free(model);
        dpn_model_free(plain);
        dpn_declaration_free(&declared);
    }
    free(value);
}

static void test_refusals(void **state) {
    (void)state;
    dpn_declaration declared = data_declared(1, DPN_FIT_LOGISTIC, "1", NULL);
    for (int i = 0; i < 3; i++) {
        dpn_fit_options options = by_output(DPN_FIT_LOGISTIC);
        dpn_fit *fit;
        if (i == 0) options.l2 = 0;
        if (i == 1) options.l1 = 1;
        if (i == 2) options.rows = 0;
        assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
        assert_int_equal(dpn_fit_plan(fit, &declared, NULL), i == 1 ? DPN_EUNSUPPORTED : DPN_EDOMAIN);
        dpn_fit_free(fit);
    }
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moves), cmocka_unit_test(test_fits),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
