/* The functions that the references are made of, each against another way. */
#include "reference/lattice.h"
#include "reference/reference.h"
#include "reference/special.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/agree.h"

static void euler_maclaurin_equals_direct_sums(void **state) {
    (void)state;
    size_t mark = r_mark();
    r_precision(320);
    const double widths[] = {30, 47.5, 200, 1234.5}, slopes[] = {0, 1e-9, 1e-4, 0.01, 0.1, 0.3};
    for (int n = 0; n < 3; n++) {
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
            for (size_t j = 0; j < sizeof slopes / sizeof *slopes; j++) {
                real square = r_square(r_num(widths[i])), c = r_num(slopes[j]);
                HOLDS("lattice", r_lattice_euler_maclaurin(n, square, c), r_lattice_direct(n, square, c), 300, 0);
            }
            real square = r_square(r_num(widths[i])), c = r_div(r_num(-0.4375), square);
            HOLDS("lattice", r_lattice_euler_maclaurin(n, square, c), r_lattice_direct(n, square, c), 300, 0);
        }
    }
    r_release(mark);
}

/* E exp(sX) of the Subbotin law as the series of its moments. */
static void subbotin_mgf_equals_series(void **state) {
    (void)state;
    const double cases[][2] = {{1.5, 0.5}, {1.25, 1.125}, {2, 3}, {2.75, 2}, {12, 6}, {1.0009765625, 0.75}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t mark = r_mark();
        ref_law law;
        ref_make(&law, ref_find("subbotin"), (const double[]){cases[i][0], 1}, 0);
        real order = r_div(r_num(1), law.parameter[0]), sum = r_num(0), s = r_num(cases[i][1]);
        for (double n = 0;; n += 2) {
            real log_moment = r_sub(r_log_gamma(r_times(order, n + 1)), r_log_gamma(order));
            real log_power = r_times(r_add(r_log(s), r_mul(order, r_log(law.parameter[0]))), n);
            real term = r_exp(r_sub(r_add(log_moment, log_power), r_log_gamma(r_num(n + 1))));
            sum = r_add(sum, term);
            if (r_exponent(term) < r_exponent(sum) - 300) break;
        }
        HOLDS("subbotin", ref_log_mgf(&law, s), r_log(sum), 200, 1);
        r_release(mark);
    }
}

static void incomplete_gamma_equals_mpfr(void **state) {
    (void)state;
    r_precision(320);
    const double orders[] = {1, 0.75, 0.5, 0.01}, at[] = {0, 1e-10, 0.5, 3, 50, 300, 340, 2000};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        for (size_t j = 0; j < sizeof at / sizeof *at; j++) {
            size_t mark = r_mark();
            mpfr_t upper;
            mpfr_init2(upper, 320);
            mpfr_gamma_inc(upper, r_num(orders[i]), r_num(at[j]), MPFR_RNDN);
            HOLDS("gamma", r_log_upper_gamma(r_num(orders[i]), r_num(at[j])), r_log(upper), 250, 1);
            mpfr_clear(upper);
            r_release(mark);
        }
    }
}

static void error_function_equals_mpfr(void **state) {
    (void)state;
    r_precision(320);
    for (double x = -20; x<40; x += x> 14 && x < 17 ? 0.0625 : 0.8125) {
        size_t mark = r_mark();
        mpfr_t erfc;
        mpfr_init2(erfc, 320);
        mpfr_erfc(erfc, r_num(x), MPFR_RNDN);
        HOLDS("erfc", r_erfc(r_num(x)), erfc, 300, 0);
        HOLDS("erfcx", r_erfcx(r_num(x)), r_mul(r_exp(r_square(r_num(x))), erfc), 300, 0);
        HOLDS("erf", r_erf(r_num(x)), r_sub(r_num(1), erfc), 300, 0.01);
        mpfr_clear(erfc);
        r_release(mark);
    }
}

static int clean(void **state) {
    (void)state;
    r_free_all();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(euler_maclaurin_equals_direct_sums),
        cmocka_unit_test(subbotin_mgf_equals_series),
        cmocka_unit_test(incomplete_gamma_equals_mpfr),
        cmocka_unit_test(error_function_equals_mpfr),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
