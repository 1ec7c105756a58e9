/* What a fit is charged covers what it does to a person: all rows that one may have move what is released, and the divergences, or
 * the epsilon, of such a move are no more than those of the charge. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "learn/method.h"
#include "unit/learn/data.h"

#include <dpnoise/filter.h>
#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_decimal decimal(const char *text) {
    dpn_decimal out;
    assert_int_equal(dpn_decimal_parse(&out, text, NULL), DPN_OK);
    return out;
}

static dpn_filter *filter_of(const char *epsilon, const char *delta) {
    dpn_filter *filter;
    dpn_decimal e = decimal(epsilon), d = decimal(delta);
    assert_int_equal(dpn_filter_new_default(&filter, &e, &d, NULL), DPN_OK);
    return filter;
}

/* N numbers as many times as large; NULL for NULL. */
static double *larger(const double *x, size_t count, double by) {
    double *out = x ? malloc(count * sizeof *out) : NULL;
    for (size_t i = 0; out && i < count; i++) out[i] = x[i] * by;
    return out;
}

/* The largest divergence that is certain: so many rows move the release that many times as far as one. */
static void expect_divergences(const dpn_charge *charge, dpn_fit_release one, const dpn_filter *filter, double rows) {
    dpn_filter_plan plan = dpn_filter_plan_of(filter);
    dpn_sensitivity set = *one.set;
    double *bound = larger(set.bound, set.dimension, rows),
           *vertex = larger(set.vertex, set.vertices * set.dimension, rows);
    dpn_divergence divergence[DPN_FILTER_ORDERS];
    dpn_error why;
    set.bound = bound;
    set.vertex = vertex;
    set.l1 *= rows, set.l2 *= rows, set.linf *= rows;
    if (dpn_plan_renyi(divergence, NULL, one.plan, &set, one.times, plan.order, plan.orders, &why))
        fail_msg("%s", why.sentence);
    for (size_t i = 0; i < plan.orders; i++)
        if (!(divergence[i].lower <= charge->divergence[i]))
            fail_msg("%s: %g rows have the divergence %g of order %g, charged as %g", one.what, rows,
                     divergence[i].lower, plan.order[i], charge->divergence[i]);
    free(bound);
    free(vertex);
}

/* The epsilons of the releases of a way add up, with those of none, times the rows. */
static void expect_epsilon(const dpn_charge *charge, const dpn_fit *fit, double rows) {
    for (size_t way = 1; way == 1 || way <= 4; way++) {
        double sum = 0;
        for (size_t i = 0; i < fit->releases; i++) {
            dpn_fit_release one = dpn_fit_release_at(fit, i);
            size_t of = dpn_fit_alternative(fit, i);
            if (of > 0 && of != way) continue;
            sum += (double)one.times * one.plan->pure_epsilon + fit->announced[i].elsewhere;
            if (!one.plan->pure && dpn_decimal_is_zero(&charge->delta))
                fail_msg("%s: '%s' is not pure, and no delta is charged", fit->method->name, one.what);
        }
        if (!(sum * rows * (1 - 1e-9) <= dpn_decimal_upper(&charge->epsilon)))
            fail_msg("%s: epsilon %g of %g rows, charged as %g", fit->method->name, sum, rows,
                     dpn_decimal_upper(&charge->epsilon));
    }
}

/* How many charges fit into a budget, up to 60. */
static int copies(const dpn_filter *filter, const dpn_charge *charge) {
    dpn_filter *copy;
    int count = 0;
    assert_int_equal(dpn_filter_copy(&copy, filter, NULL), DPN_OK);
    while (count < 60 && dpn_filter_admit(copy, charge, NULL) == DPN_OK) count++;
    dpn_filter_free(copy);
    return count;
}

/* Whether it had a charge of its own, which was held to what it does. */
static bool try_fit(const char *method, double known, dpn_relation relation, uint64_t rows, const char *delta) {
    dpn_fit_options options = dpn_fit_options_init();
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "0.5", delta);
    dpn_fit *fit = NULL;
    dpn_charge charge;
    options.method = method;
    options.rows = known;
    if (strncmp(method, "objective", 9) == 0 || strcmp(method, "output") == 0) options.within = 1;
    if (strcmp(method, "output") == 0) options.l2 = 0.5;
    declared.relation = relation;
    declared.max_rows = rows;
    if (rows > 0) declared.person = strdup("id");
    if (rows == 0) declared.max_rows = 1;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    bool planned = dpn_fit_plan(fit, &declared, NULL) == DPN_OK, charged = false;
    dpn_filter *filter = filter_of("8", "0.01");
    if (planned) charged = dpn_fit_charge(&charge, fit, filter, NULL) == DPN_OK;
    if (charged) {
        double all = (double)declared.max_rows;
        if (charge.pure && fit->releases > 0 && dpn_fit_release_at(fit, 0).plan->pure)
            expect_epsilon(&charge, fit, all);
        else if (dpn_fit_sample_rate(fit, 0) == 1) {
            assert_int_equal(fit->releases, 1);
            expect_divergences(&charge, dpn_fit_release_at(fit, 0), filter, all);
        }
        /* It never costs more than what was declared. */
        dpn_decimal e = decimal("0.5"), d = decimal(delta ? delta : "0");
        dpn_charge plain = dpn_charge_pure(filter, &e, &d);
        if (copies(filter, &charge) < copies(filter, &plain)) fail_msg("%s costs more than was declared", method);
    }
    dpn_filter_free(filter);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return charged;
}

static void test_charges(void **state) {
    (void)state;
    size_t charged = 0;
    for (size_t m = 0; dpn_fit_method_name(m); m++) {
        const char *method = dpn_fit_method_name(m);
        if (strcmp(method, "non-private") == 0) continue;
        for (size_t k = 0; k < 2; k++) {
            const char *delta = k ? "1e-5" : NULL;
            charged += try_fit(method, 1000, DPN_ADD_REMOVE, 0, delta);
            charged += try_fit(method, 1000, DPN_ADD_REMOVE, 1, delta);
            charged += try_fit(method, 1000, DPN_ADD_REMOVE, 4, delta);
            charged += try_fit(method, 0, DPN_ADD_REMOVE, 0, delta); /* their number is bought where it is needed */
            if (k == 1) charged += try_fit(method, 1000, DPN_REPLACE, 0, delta);
        }
    }
    printf("# %zu charges\n", charged);
    assert_true(charged >= 20);
}

/* Whether how many rows there are moves what a fit releases: a release of its own, or a number that counts them. */
static bool buys_rows(const char *method, const char *missing, const char *where, double known) {
    dpn_fit_options options = dpn_fit_options_init();
    bool spends = strcmp(method, "sgd") == 0 || strcmp(method, "adassp") == 0;
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", spends ? "1e-5" : NULL);
    dpn_fit *fit = NULL;
    dpn_error why;
    options.method = method;
    options.rows = known;
    declared.relation = DPN_REPLACE;
    if (dpn_declare_missing(&declared, missing, &why) || (where && dpn_declare_where(&declared, where, &why)))
        fail_msg("%s", why.sentence);
    if (dpn_fit_new(&fit, &options, &why) || dpn_fit_plan(fit, &declared, &why))
        fail_msg("%s: %s", method, why.sentence);
    bool bought = false;
    for (size_t i = 0; i < fit->releases; i++) {
        dpn_fit_release one = dpn_fit_release_at(fit, i);
        bool counts = strcmp(one.what, "number of rows") == 0 || strstr(one.what, "moments") ||
                      strcmp(one.what, "derivatives") == 0;
        bought |= counts && one.plan->sensitivity[0] > 0;
    }
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return bought;
}

/* A row that gives way to another changes how many are used, if one of them need not be: by a field that is no number, or a predicate.
 * Only where neither can be is their number public, and not bought. */
static void test_numbers_of_rows(void **state) {
    static const char *const methods[] = {"sgd", "cd", "gd", "auto", "moments", "adassp"};
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        assert_true(buys_rows(methods[m], "skip", NULL, 0));
        assert_true(buys_rows(methods[m], "value:0", "x1>0", 0));
        assert_true(buys_rows(methods[m], "skip", "x1>0", 0));
        assert_false(buys_rows(methods[m], "value:0", NULL, 0));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_charges), cmocka_unit_test(test_numbers_of_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
