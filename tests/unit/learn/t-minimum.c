/* The minimum of losses with penalties and noise: the logistic function against multiple precision; the optimality of what is found, with
 * gradients computed a second way; and that every table has an answer soon. */
#include "unit/learn/data.h"

#include "learn/perturbed.h"
#include "learn/row-loss.h"
#include "learn/sigmoid.h"

#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- The logistic function ---- */

static double tail_error(dpn_uint128 x) {
    mpfr_t at, low;
    mpfr_inits2(300, at, low, (mpfr_ptr)0);
    mpfr_set_ui(at, (unsigned long)(x >> 64), MPFR_RNDN);
    mpfr_set_ui(low, (unsigned long)x, MPFR_RNDN);
    mpfr_div_2ui(low, low, 64, MPFR_RNDN);
    mpfr_add(at, at, low, MPFR_RNDN);
    mpfr_exp(at, at, MPFR_RNDN);
    mpfr_add_ui(at, at, 1, MPFR_RNDN);
    mpfr_ui_div(at, 1, at, MPFR_RNDN);
    mpfr_mul_2ui(at, at, DPN_SIGMOID_LOG, MPFR_RNDN);
    mpfr_sub_si(at, at, (long)dpn_sigmoid_tail(x), MPFR_RNDN);
    double error = fabs(mpfr_get_d(at, MPFR_RNDN));
    mpfr_clears(at, low, (mpfr_ptr)0);
    return error;
}

static void test_sigmoid(void **state) {
    (void)state;
    draw_source source = {5};
    double most = 0;
    assert_int_equal(dpn_sigmoid_tail(0), (int64_t)1 << (DPN_SIGMOID_LOG - 1));
    for (int i = 0; i < 20000; i++) {
        dpn_uint128 x = ((dpn_uint128)draw_bits(&source) << 64 | draw_bits(&source)) >> (57 + i % 71);
        most = fmax(most, tail_error(x));
    }
    for (dpn_uint128 x = 0; x < 100; x++) { /* near whole numbers of log 2, where the reduction turns over */
        most = fmax(most, tail_error(x * 0xB17217F7D1CF79ACu));
        most = fmax(most, tail_error((x + 1) * 0xB17217F7D1CF79ACu - 1));
        most = fmax(most, tail_error(x << 64));
    }
    most = fmax(most, tail_error(~(dpn_uint128)0 >> 1));
    printf("# the logistic function is off by at most %.2f steps of 2^-62\n", most);
    assert_true(most < 8); /* 2^-59 */
}

/* ---- Problems ---- */

typedef struct problem {
    dpn_fit *fit;
    dpn_declaration declared;
    dpn_row_loss loss;
    double weight[8], l1[8];
    int64_t v[8];
    dpn_minimum_problem of;
    dpn_smooth counted; /* what differentiate counts for */
    size_t calls;
    bool misled; /* the Hessian is told wrongly */
} problem;

static dpn_status count(double *high, double *low, double *hessian, void *context, const dpn_int128 *b,
                        dpn_error *why) {
    problem *p = context;
    p->calls++;
    dpn_status status = p->counted.differentiate(high, low, hessian, p->counted.context, b, why);
    for (size_t i = 0; hessian && p->misled && i < p->of.m * p->of.m; i++) hessian[i] = -100 * hessian[i];
    return status;
}

static void begin(problem *p, dpn_fit_kind kind, double box, const double *value, size_t rows) {
    dpn_fit_options options = dpn_fit_options_init();
    *p = (problem){.calls = 0};
    options.method = "non-private";
    options.kind = kind;
    p->declared = data_declared(DATA_FEATURES, kind, "1", NULL);
    p->fit = data_planned(&options, &p->declared);
    p->fit->options.within = box; /* which this method does not take, and the loss does */
    assert_int_equal(dpn_fit_numbers(p->fit, value, rows, NULL), DPN_OK);
    assert_int_equal(dpn_row_loss_make(&p->loss, p->fit, NULL), DPN_OK);
    p->counted = dpn_row_loss_sum(&p->loss);
    p->of = (dpn_minimum_problem){.m = p->loss.m,
                                  .sum = p->counted,
                                  .v = p->v,
                                  .v_exponent = -34,
                                  .weight = p->weight,
                                  .l1 = p->l1,
                                  .box = (dpn_int128)ldexp(p->loss.box, DPN_POINT_LOG),
                                  .eta = DPN_PERTURBED_ETA};
    p->of.sum.differentiate = count;
    p->of.sum.context = p;
    assert_true(dpn_minimum_least_eta(&p->of) <= p->of.eta);
}

static void end(problem *p) {
    dpn_row_loss_free(&p->loss);
    dpn_fit_free(p->fit);
    dpn_declaration_free(&p->declared);
}

/* ---- A second way to the gradient ---- */

/* From the table's numbers, in long double, with its own logistic function. */
static long double slope_of(const problem *p, const double *row, const dpn_int128 *b, bool linear, size_t j) {
    long double t = 0;
    for (size_t i = 0; i < p->of.m; i++)
        t += ldexpl((long double)b[i], -DPN_POINT_LOG) * (i == 0 ? 1 : (long double)row[i]);
    long double e = linear ? t - row[0] : 1 / (1 + expl(-t)) - (row[0] > 0.5);
    return e * (j == 0 ? 1 : (long double)row[j]);
}

static long double gradient_at(const problem *p, const double *value, size_t rows, const dpn_int128 *b, size_t j) {
    bool linear = p->fit->options.kind == DPN_FIT_LINEAR;
    long double sum = ldexpl((long double)p->v[j], -34);
    sum += (long double)p->weight[j] * ldexpl((long double)b[j], -DPN_POINT_LOG);
    for (size_t r = 0; r < rows; r++) sum += slope_of(p, value + r * DATA_WIDTH, b, linear, j);
    return sum;
}

/* At a minimum the gradient is 0, or opposed by the kink of |b_j| or by the end of the box. */
static void expect_optimal(const problem *p, const double *value, size_t rows, const dpn_int128 *b) {
    double squares = 0;
    for (size_t j = 0; j < p->of.m; j++) {
        double g = (double)gradient_at(p, value, rows, b, j), l1 = p->l1[j], left;
        if (b[j] == p->of.box)
            left = fmax(g + l1, 0);
        else if (b[j] == -p->of.box)
            left = fmin(g - l1, 0);
        else if (b[j] == 0)
            left = fmax(fabs(g) - l1, 0);
        else
            left = b[j] > 0 ? g + l1 : g - l1;
        squares += left * left;
    }
    assert_true(sqrt(squares) <= p->of.eta * 1.01);
}

/* Numbers that are whole steps of the fit, so that both ways see the same table. */
static void round_table(double *value, size_t rows, dpn_fit_kind kind) {
    for (size_t r = 0; r < rows; r++)
        for (size_t j = kind == DPN_FIT_LOGISTIC; j < DATA_WIDTH; j++)
            value[r * DATA_WIDTH + j] = ldexp(nearbyint(ldexp(value[r * DATA_WIDTH + j], 17)), -17);
}

static size_t solve(dpn_fit_kind kind, double box, double l1, double gamma, double noise, double *value, size_t rows,
                    uint64_t seed) {
    problem p;
    draw_source source = {seed};
    dpn_int128 b[8] = {0};
    round_table(value, rows, kind);
    begin(&p, kind, box, value, rows);
    for (size_t j = 0; j < p.of.m; j++) {
        p.weight[j] = gamma * (1 + (double)(j % 2));
        p.l1[j] = j > 0 ? l1 : 0;
        p.v[j] = (int64_t)ldexp(noise * (2 * (double)(draw_bits(&source) >> 11) * 0x1p-53 - 1), 34);
    }
    assert_int_equal(dpn_minimum_find(b, &p.of, NULL), DPN_OK);
    expect_optimal(&p, value, rows, b);
    size_t calls = p.calls;
    end(&p);
    return calls;
}

static void test_optimal(void **state) {
    (void)state;
    enum { ROWS = 300 };
    static const double box[] = {0, 0.25, 3}, l1[] = {0, 1, 20, 500}, gamma[] = {0.03, 1, 300}, noise[] = {0, 5, 3000};
    size_t most = 0;
    for (size_t i = 0; i < 3 * 4 * 3 * 3 * 2; i++) {
        dpn_fit_kind kind = i % 2 ? DPN_FIT_LINEAR : DPN_FIT_LOGISTIC;
        size_t k = i / 2;
        double within = box[k % 3];
        if (kind == DPN_FIT_LINEAR && within == 0) within = 1000;
        double *value = kind == DPN_FIT_LINEAR ? data_linear(ROWS, i) : data_logistic(ROWS, i);
        size_t calls =
            solve(kind, within, l1[k / 3 % 4], gamma[k / 12 % 3], noise[k / 36 % 3], value, i % 5 ? ROWS : i % 11, i);
        most = calls > most ? calls : most;
        free(value);
    }
    printf("# at most %zu looks at the rows\n", most);
    assert_true(most < 200);
}

/* Proximal descent alone finds the minimum too, where the Hessian is no help; what it takes for large tables nobody has to wait for. */
static void test_descent(void **state) {
    (void)state;
    enum { ROWS = 20 };
    static const double box[] = {0, 0.05}, l1[] = {0, 2};
    for (size_t i = 0; i < 8; i++) {
        problem p;
        dpn_int128 b[8] = {0};
        dpn_fit_kind kind = i < 4 ? DPN_FIT_LOGISTIC : DPN_FIT_LINEAR;
        double *value = i < 4 ? data_logistic(ROWS, i) : data_linear(ROWS, i);
        round_table(value, ROWS, kind);
        begin(&p, kind, i < 4 ? box[i % 2] : 10, value, ROWS);
        p.misled = true;
        for (size_t j = 0; j < p.of.m; j++) {
            p.weight[j] = 10;
            p.l1[j] = l1[i / 2 % 2];
            p.v[j] = (int64_t)j << 33;
        }
        assert_int_equal(dpn_minimum_find(b, &p.of, NULL), DPN_OK);
        expect_optimal(&p, value, ROWS, b);
        end(&p);
        free(value);
    }
}

/* Tables that mislead Newton's method: separable, of tiny numbers, of one label, with columns that are equal or nearly. */
static void test_hard_tables(void **state) {
    (void)state;
    enum { ROWS = 200 };
    size_t most = 0;
    double *value = calloc(ROWS * DATA_WIDTH, sizeof *value);
    assert_non_null(value);
    for (size_t i = 0; i < 240; i++) {
        draw_source source = {i};
        double tiny = ldexp(1, -(int)(i / 8 % 18));
        for (size_t r = 0; r < ROWS; r++) {
            double *row = value + r * DATA_WIDTH, side = r % 2 ? 1 : -1;
            row[0] = i % 8 == 0 || r % 2 ? 1 : 0;
            for (size_t j = 1; j < DATA_WIDTH; j++) {
                double u = 2 * (double)(draw_bits(&source) >> 11) * 0x1p-53 - 1;
                row[j] = i % 8 < 2   ? tiny * side
                         : i % 8 < 4 ? fmin(fmax(side * tiny + 0x1p-17 * (double)j, -1), 1)
                         : i % 8 < 6 ? (j == 1 ? side : tiny * u)
                         : i % 8 < 7 ? (r < 2 ? side : 0) * tiny
                                     : (r % j == 0 ? side : -side);
            }
        }
        size_t calls = solve(DPN_FIT_LOGISTIC, i % 3 ? 0 : 10, i % 4 ? 0 : 2, i % 5 ? 0.03 : 1e-3, i % 7 ? 0 : 1e6,
                             value, ROWS, i);
        most = calls > most ? calls : most;
    }
    printf("# at most %zu looks at the rows\n", most);
    assert_true(most < 400);
    free(value);
}

/* The largest problems that are accepted leave room between what the gradient is off by and what is asked of it. */
static void test_least_eta(void **state) {
    (void)state;
    double weight[100];
    for (size_t j = 0; j < 100; j++) weight[j] = 0x1p30 + 1e6;
    const int64_t v[100] = {0};
    dpn_minimum_problem p = {.m = 100, .v = v, .v_exponent = -34, .weight = weight};
    p.sum.curvature = 0x1p27 * 100; /* of squares; logistic losses have a quarter */
    p.sum.error = 0x1p27 * 10 * 0x1p-58;
    assert_true(dpn_minimum_least_eta(&p) <= 0.75 * DPN_PERTURBED_ETA);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sigmoid), cmocka_unit_test(test_optimal),
                                       cmocka_unit_test(test_descent), cmocka_unit_test(test_hard_tables),
                                       cmocka_unit_test(test_least_eta)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
