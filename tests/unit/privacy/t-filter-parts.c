/* What a filter is made of, piece by piece: its default orders, what a charge gives up, and what is said to be left, each against its definition. */
#include "privacy/filter/filter.h"
#include "privacy/filter/filter.c" /* to see each piece */
#include "privacy/filter/largest.c"
#include "privacy/filter/plan.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_decimal decimal(const char *text) {
    dpn_decimal out;
    if (dpn_decimal_parse(&out, text, NULL)) fail();
    return out;
}

static dpn_filter begin_of(const char *epsilon, const char *delta, const char *aside, const char *first) {
    dpn_filter_terms terms = {.epsilon = decimal(epsilon),
                              .delta = decimal(delta),
                              .delta_renyi = decimal(aside),
                              .delta_first = decimal(first),
                              .orders = 3,
                              .order = {2, 8, 32},
                              .weight = {decimal("0.25"), decimal("0.5"), decimal("0.25")}};
    dpn_filter filter;
    if (dpn_filter_begin(&filter, &terms, NULL)) fail();
    return filter;
}

/* ---- the plan ---- */

static void three_digits_are_the_nearest(void **state) {
    (void)state;
    for (double x = 1.2345e-9; x < 1e9; x *= 1.237) {
        char text[40];
        double found = three_digits(x);
        snprintf(text, sizeof text, "%.2e", x);
        assert_true(fabs(found - strtod(text, NULL)) <= 1e-15 * found);
    }
    assert_true(three_digits(1) == 1 && three_digits(999.4) == 999 && three_digits(0.001) == 0.001 &&
                three_digits(99950) == 100000);
}

/* The room for charges of a rho at a full budget, (epsilon - K_a)/a with the weight 0.4, is within a little of the most. */
static void the_middle_order_has_the_most_room(void **state) {
    (void)state;
    for (double epsilon = 0.03; epsilon < 30; epsilon *= 4)
        for (double l = 3; l < 60; l *= 2) {
            double most = -INFINITY, found = best_distance(epsilon, l), here = 0;
            for (double less = 1e-2; less < 1e5 || here == 0; less *= 1.003) {
                double order = 1 + less; /* c_a = (a-1)^(a-1)/a^a */
                double log_c = less * log(less) - order * log(order);
                most = fmax(most, (epsilon - (log_c + l - log(0.4)) / less) / order);
                here = 1;
            }
            double order = 1 + found, log_c = found * log(found) - order * log(order);
            double room = (epsilon - (log_c + l - log(0.4)) / found) / order;
            if (!(room >= most - 1e-3 * fabs(most)))
                fail_msg("epsilon %g, l %g: %g at %g, not %g", epsilon, l, room, order, most);
        }
}

static void default_terms(void **state) {
    (void)state;
    dpn_filter_terms terms;
    dpn_error why;
    dpn_decimal epsilon = decimal("1.5"), delta = decimal("1e-6"), half = decimal("5e-7"), twentieth = decimal("5e-8"),
                zero = decimal("0"), one = decimal("1");
    assert_int_equal(dpn_filter_terms_default(&terms, &epsilon, &delta, &why), DPN_OK);
    assert_true(terms.orders == 13 && dpn_decimal_compare(&terms.delta_renyi, &half) == 0 &&
                dpn_decimal_compare(&terms.delta_first, &twentieth) == 0);
    double distance = best_distance(1.5, -log(5e-7));
    for (int i = 0; i < 13; i++)
        assert_true(fabs((terms.order[i] - 1) / (distance * pow(2, 0.5 * (i - 8))) - 1) < 5e-3);
    terms.orders = 77;
    assert_int_equal(dpn_filter_terms_default(&terms, &epsilon, &one, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "delta must be less than 1");
    assert_true(terms.orders == 77);
    assert_int_equal(dpn_filter_terms_default(&terms, &epsilon, &zero, &why), DPN_OK);
    assert_true(terms.orders == 0 && dpn_decimal_is_zero(&terms.delta_renyi));
    assert_int_equal(dpn_filter_terms_default(&terms, &zero, &delta, &why), DPN_OK);
    assert_true(terms.orders == 0);
}

/* ---- costs and limits ---- */

static void costs_and_limits(void **state) {
    (void)state;
    for (double order = 1.5; order < 1e4; order *= 3)
        for (double weight = 1e-3; weight < 1; weight *= 7)
            for (double delta = 1e-300; delta < 1; delta = delta < 1e-30 ? delta * 1e20 : delta < 0.5 ? 0.9 : 2) {
                long double less = order - 1, c = less * logl(less) - order * logl(order);
                long double exact = (c - logl(weight) - logl(delta)) / less,
                            sizes = (-logl(weight) - logl(delta) + logl(order)) / less + logl(order / less);
                double miss = (double)(conversion_cost(order, weight, delta) - exact);
                assert_true(miss >= 0.8 * (double)sizes * 0x1p-46 && miss <= 1.2 * (double)sizes * 0x1p-46);
            }
    assert_true(conversion_cost(2, 0, 0.5) == INFINITY && conversion_cost(2, 0.5, 0) == INFINITY);
    dpn_filter filter = begin_of("3", "1e-5", "5e-6", "0");
    for (int i = 0; i < 3; i++) {
        double limit = 3 - filter.cost[i];
        assert_true(filter.limit[i] < limit && filter.limit[i] >= limit - 4 * DBL_EPSILON * (3 + fabs(limit)));
    }
    filter = begin_of("3", "1e-5", "0", "0");
    for (int i = 0; i < 3; i++) assert_true(filter.limit[i] == -INFINITY && filter.cost[i] == INFINITY);
    /* What is left at an order is rounded down, fits, and not much more does. */
    filter = begin_of("3", "1e-5", "5e-6", "0");
    dpn_remaining left = dpn_filter_remaining(&filter);
    double rho = 0;
    for (size_t i = 0; i < 3; i++) {
        double room = left.divergence[i];
        assert_true(filter.limit[i] > 0 ? room > 0 && room < filter.limit[i] && room >= filter.limit[i] * (1 - 1e-13)
                                        : room == 0);
        if (room / filter.plan.order[i] > rho * (1 + 1e-9)) {
            rho = room / filter.plan.order[i];
            assert_true(left.rho >= rho * (1 - 1e-13));
        }
    }
    assert_true(left.rho <= rho && left.best < 3 &&
                left.rho * filter.plan.order[left.best] <= left.divergence[left.best]);
    for (int more = 0; more < 2; more++) {
        dpn_charge charge;
        dpn_cost cost;
        dpn_decimal none = decimal("0");
        assert_int_equal(dpn_charge_zcdp(&charge, &filter, 0, left.rho * (1 + 1e-12 * more), &none, NULL), DPN_OK);
        assert_int_equal(dpn_filter_preview(&cost, &filter, &charge, NULL), DPN_OK);
        assert_int_equal(cost.fits, !more);
        dpn_filter spent = filter; /* what is left after a part of it */
        for (size_t i = 0; i < 3; i++) charge.divergence[i] *= 0.75;
        assert_int_equal(dpn_filter_admit(&spent, &charge, NULL), DPN_OK);
        dpn_remaining rest = dpn_filter_remaining(&spent);
        for (size_t i = 0; i < 3; i++) {
            double room = fmax(0, filter.limit[i] - charge.divergence[i]);
            assert_true(rest.divergence[i] <= room && rest.divergence[i] >= room - 1e-12 * fabs(filter.limit[i]));
        }
        for (size_t i = 0; i < 3; i++) charge.divergence[i] /= 0.75;
        /* What would be spent: the sum and the cost at the best order, rounded up. */
        double least = INFINITY;
        for (int i = 0; i < 3; i++) least = fmin(least, charge.divergence[i] + filter.cost[i]);
        assert_true(cost.after.epsilon >= least && cost.after.epsilon <= least + 3 * DBL_EPSILON * least &&
                    cost.after.charges == 1);
        assert_true(cost.before.charges == 0 && cost.before.epsilon == 0 && cost.before.order == 3);
    }
}

/* ---- charges ---- */

static void first_charges_give_up(void **state) {
    (void)state;
    static const struct {
        const char *first, *delta;
        bool pure, gives_up;
    } row[] = {
        {"0", "5e-6", true, false},    {"0", "5.0000001e-6", true, true},    {"0", "5.0000001e-6", false, true},
        {"1e-6", "1e-6", true, false}, {"1e-6", "1.0000001e-6", true, true}, {"1e-6", "1.0000001e-6", false, false},
        {"1e-6", "0", true, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_filter filter = begin_of("3", "1e-5", "5e-6", row[i].first);
        dpn_charge charge = {.delta = decimal(row[i].delta), .pure = row[i].pure};
        assert_int_equal(gives_up(&filter, &charge), row[i].gives_up);
        dpn_filter_sums sums;
        assert_int_equal(add_charge(&sums, &filter, &charge, NULL), DPN_OK);
        assert_true(sums.plain == row[i].gives_up && sums.charges == 1 && sums.pure == row[i].pure);
        assert_true(open_orders(&filter, &sums) == (row[i].gives_up ? 0 : 3));
        filter.sums.charges = 1; /* later ones do not */
        assert_int_equal(add_charge(&sums, &filter, &charge, NULL), DPN_OK);
        assert_true(!sums.plain && sums.charges == 2);
    }
}

static void what_is_said_of_refusals(void **state) {
    (void)state;
    dpn_error why;
    dpn_filter filter = begin_of("1", "1e-5", "5e-6", "0");
    dpn_decimal none = decimal("0"), small = decimal("1e-6"), most = decimal("6e-6"), third = decimal("0.3"),
                more = decimal("0.8");
    dpn_charge charge = dpn_charge_pure(&filter, &third, &small);
    assert_int_equal(dpn_filter_admit(&filter, &charge, &why), DPN_OK);
    dpn_filter before = filter;
    charge = dpn_charge_pure(&filter, &third, &most);
    assert_int_equal(dpn_filter_admit(&filter, &charge, &why), DPN_EBUDGET);
    assert_string_equal(why.sentence, "the charge exceeds what is left of delta: 6e-6 asked, 4e-6 left");
    charge = dpn_charge_pure(&filter, &more, &none);
    assert_int_equal(dpn_filter_admit(&filter, &charge, &why), DPN_EBUDGET);
    assert_string_equal(why.sentence, "the charge exceeds what is left of epsilon: 0.8 asked, 0.7 left");
    assert_int_equal(dpn_charge_zcdp(&charge, &filter, 0, 9, &none, &why), DPN_OK);
    assert_int_equal(dpn_filter_admit(&filter, &charge, &why), DPN_EBUDGET);
    assert_non_null(strstr(why.sentence, "of 1 would be spent"));
    charge.divergence[2] = NAN;
    assert_int_equal(dpn_filter_admit(&filter, &charge, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "the Renyi divergences of a charge must not be negative or NaN");
    charge.divergence[2] = 0;
    charge.epsilon = third;
    assert_int_equal(dpn_filter_admit(&filter, &charge, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "a charge with an epsilon must be pure");
    assert_int_equal(dpn_charge_zcdp(&charge, &filter, -1e-9, 1, &none, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "xi and rho of zCDP must be finite and not negative");
    assert_memory_equal(&before.sums, &filter.sums, sizeof filter.sums);
    /* Numbers that are too long for a sentence are rounded so that both stay true. */
    char text[DPN_DECIMAL_TEXT_SIZE];
    dpn_decimal thirds = decimal("0.333333333333333333333333333333");
    double up = strtod(brief(text, &thirds, true), NULL);
    assert_true(strlen(text) <= 24 && up > 1.0 / 3 && up < 0.33334);
    double down = strtod(brief(text, &thirds, false), NULL);
    assert_true(down < 1.0 / 3 && down > 0.33333 - 1e-9);
    assert_string_equal(brief(text, &third, true), "0.3");
    dpn_decimal left = positive_difference(&third, &more);
    assert_true(dpn_decimal_is_zero(&left));
}

/* The largest pure charge fits, and a millionth more does not. */
static void the_largest_pure(void **state) {
    (void)state;
    static const char *const spent[] = {"0", "0.5", "0.999", "1"};
    for (int i = 0; i < 4; i++)
        for (int wide = 0; wide < 2; wide++) {
            dpn_filter filter = begin_of(wide ? "40" : "1", "1e-5", "5e-6", "0");
            dpn_decimal first = decimal(spent[i]), none = decimal("0");
            dpn_charge charge = dpn_charge_pure(&filter, &first, &none);
            if (i > 0) assert_int_equal(dpn_filter_admit(&filter, &charge, NULL), DPN_OK);
            dpn_decimal largest = dpn_filter_largest_pure(&filter), above = largest, tiny = decimal("1e-12");
            double value = dpn_decimal_lower(&largest);
            dpn_cost cost;
            charge = dpn_charge_pure(&filter, &largest, &none);
            assert_int_equal(dpn_filter_preview(&cost, &filter, &charge, NULL), DPN_OK);
            assert_true(cost.fits);
            char text[40];
            snprintf(text, sizeof text, "%.9e", value * (1 + 4e-6));
            above = value > 0 ? decimal(text) : tiny;
            if (dpn_decimal_compare(&above, &largest) <= 0)
                assert_int_equal(dpn_decimal_add(&above, &largest, &tiny, NULL), DPN_OK);
            charge = dpn_charge_pure(&filter, &above, &none);
            assert_int_equal(dpn_filter_preview(&cost, &filter, &charge, NULL), DPN_OK);
            assert_false(cost.fits);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_digits_are_the_nearest),
        cmocka_unit_test(the_middle_order_has_the_most_room),
        cmocka_unit_test(default_terms),
        cmocka_unit_test(costs_and_limits),
        cmocka_unit_test(first_charges_give_up),
        cmocka_unit_test(what_is_said_of_refusals),
        cmocka_unit_test(the_largest_pure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
