/* The filter: its arithmetic, what it admits and refuses, its accounts. Its rule is attacked in
 * t-filter-adversary.c. */
#include "privacy/filter/filter.h"

#include "privacy/convert/pure.h"
#include "privacy/filter/sum.h"
#include "reference/draw.h"
#include "reference/real.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static dpn_decimal decimal(const char *text) {
    dpn_decimal out;
    dpn_error why;
    if (dpn_decimal_parse(&out, text, &why)) fail_msg("%s: %s", text, why.sentence);
    return out;
}

static dpn_filter_terms default_plan(const char *epsilon, const char *delta) {
    dpn_decimal e = decimal(epsilon), d = decimal(delta);
    dpn_filter_terms plan;
    assert_int_equal(dpn_filter_terms_default(&plan, &e, &d, NULL), DPN_OK);
    return plan;
}

static dpn_filter begin(const dpn_filter_terms *plan) {
    dpn_filter filter;
    dpn_error why;
    if (dpn_filter_begin(&filter, plan, &why)) fail_msg("%s", why.sentence);
    return filter;
}

static dpn_filter begin_default(const char *epsilon, const char *delta) {
    dpn_filter_terms plan = default_plan(epsilon, delta);
    return begin(&plan);
}

static dpn_charge pure(const dpn_filter *filter, const char *epsilon, const char *delta) {
    dpn_decimal e = decimal(epsilon), d = decimal(delta);
    return dpn_charge_pure(filter, &e, &d);
}

static dpn_charge gaussian(const dpn_filter *filter, double rho) {
    dpn_charge charge;
    dpn_decimal none = {{0}};
    assert_int_equal(dpn_charge_zcdp(&charge, filter, 0, rho, &none, NULL), DPN_OK);
    return charge;
}

static void expect_refused(dpn_filter *filter, const dpn_charge *charge, dpn_status status) {
    dpn_filter before = *filter;
    dpn_error why = {DPN_OK, ""};
    assert_int_equal(dpn_filter_admit(filter, charge, &why), status);
    assert_true(why.status == status && why.sentence[0]);
    assert_memory_equal(&before, filter, sizeof before);
}

static void expect_decimal(dpn_decimal a, const char *expected) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    assert_string_equal(dpn_decimal_print(text, &a), expected);
}

/* ---- Pure charges ---- */

static void ten_tenths_fit_one(void **state) {
    (void)state;
    dpn_filter filter = begin_default("1", "0");
    dpn_charge tenth = pure(&filter, "0.1", "0");
    for (int i = 0; i < 10; i++) assert_int_equal(dpn_filter_admit(&filter, &tenth, NULL), DPN_OK);
    dpn_charge least = pure(&filter, "1e-300", "0"), nothing = pure(&filter, "0", "0"),
               leak = pure(&filter, "0", "1e-300");
    expect_refused(&filter, &tenth, DPN_EBUDGET);
    expect_refused(&filter, &least, DPN_EBUDGET);
    expect_refused(&filter, &leak, DPN_EBUDGET);
    assert_int_equal(dpn_filter_admit(&filter, &nothing, NULL), DPN_OK);
    assert_true(dpn_filter_spent(&filter).epsilon == 1);
    dpn_remaining left = dpn_filter_remaining(&filter);
    expect_decimal(left.epsilon, "0");
    assert_true(left.best == 0 && left.rho == 0);
}

/* What is told to be left fits, and hardly more does, whoever spent before. */
static void expect_largest(const dpn_filter *filter, bool more_than_nothing) {
    dpn_decimal largest = dpn_filter_largest_pure(filter);
    char text[64];
    assert_int_equal(!dpn_decimal_is_zero(&largest), more_than_nothing);
    dpn_filter own = *filter;
    dpn_charge all = pure(filter, "1e-300", "0");
    if (more_than_nothing) {
        all = dpn_charge_pure(filter, &largest, &(dpn_decimal){{0}});
        assert_int_equal(dpn_filter_admit(&own, &all, NULL), DPN_OK);
    }
    own = *filter;
    double beyond =
        more_than_nothing ? dpn_decimal_upper(&largest) * (1 + 1e-5) : dpn_decimal_upper(&filter->plan.epsilon) * 2e-9;
    snprintf(text, sizeof text, "%.17g", beyond);
    all = pure(filter, text, "0");
    expect_refused(&own, &all, DPN_EBUDGET);
}

static void the_largest_pure_charge(void **state) {
    (void)state;
    dpn_filter filter = begin_default("1", "1e-6");
    dpn_charge tenth = pure(&filter, "0.1", "0"), noise = gaussian(&filter, 1e-3);
    expect_decimal(dpn_filter_largest_pure(&filter), "1");
    assert_int_equal(dpn_filter_admit(&filter, &tenth, NULL), DPN_OK);
    expect_decimal(dpn_filter_largest_pure(&filter), "0.9");
    expect_largest(&filter, true);
    assert_int_equal(dpn_filter_admit(&filter, &noise, NULL), DPN_OK);
    expect_decimal(dpn_filter_remaining(&filter).epsilon, "0"); /* the sum of pure charges is over, they are not */
    expect_largest(&filter, true);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(dpn_filter_admit(&filter, &noise, NULL), DPN_OK);
        expect_largest(&filter, true);
    }
    /* Many small pure charges: the sum is spent, and Renyi sums have room. */
    filter = begin_default("10", "1e-6");
    tenth = pure(&filter, "0.1", "0");
    for (int i = 0; i < 100; i++) assert_int_equal(dpn_filter_admit(&filter, &tenth, NULL), DPN_OK);
    expect_decimal(dpn_filter_remaining(&filter).epsilon, "0");
    expect_largest(&filter, true);
    /* Without delta there is nothing but the sum. */
    filter = begin_default("0.1", "0");
    tenth = pure(&filter, "0.1", "0");
    assert_int_equal(dpn_filter_admit(&filter, &tenth, NULL), DPN_OK);
    expect_largest(&filter, false);
}

static void delta_is_counted_exactly(void **state) {
    (void)state;
    dpn_filter filter = begin_default("1", "1e-6"); /* 5e-7 for the orders, 5e-7 for the charges */
    dpn_charge leak = pure(&filter, "0.01", "1e-8");
    for (int i = 0; i < 49; i++) assert_int_equal(dpn_filter_admit(&filter, &leak, NULL), DPN_OK);
    dpn_remaining left = dpn_filter_remaining(&filter);
    expect_decimal(left.delta, "1e-8");
    expect_decimal(left.epsilon, "0.51");
    dpn_charge more = pure(&filter, "0", "1.0000000000000000000001e-8");
    expect_refused(&filter, &more, DPN_EBUDGET);
    assert_int_equal(dpn_filter_admit(&filter, &leak, NULL), DPN_OK);
    expect_decimal(dpn_filter_spent(&filter).delta, "5e-7");
}

/* A release of exactly the budget fits; delta is then a plain sum, and no order counts any more. */
static void the_first_charge_may_take_all_of_delta(void **state) {
    (void)state;
    dpn_filter filter = begin_default("1", "1e-6"), empty = filter;
    expect_decimal(dpn_filter_remaining(&filter).delta, "1e-6");
    expect_decimal(dpn_filter_spent(&filter).aside, "0");
    dpn_charge all = pure(&filter, "1", "1e-6"), half = pure(&filter, "0.5", "5e-7"), none = pure(&filter, "1e-9", "0"),
               leak = pure(&filter, "0.1", "1.0000000000000000001e-6"), noise = gaussian(&filter, 1e-9);
    expect_refused(&filter, &leak, DPN_EBUDGET);
    assert_int_equal(dpn_filter_admit(&filter, &all, NULL), DPN_OK);
    assert_true(dpn_filter_spent(&filter).epsilon == 1 && dpn_filter_spent(&filter).order == filter.plan.orders);
    expect_refused(&filter, &none, DPN_EBUDGET);
    filter = empty;
    for (int i = 0; i < 2; i++) {
        dpn_cost cost;
        assert_int_equal(dpn_filter_preview(&cost, &filter, &half, NULL), DPN_OK);
        assert_true(cost.fits && cost.after.epsilon == 0.5 * (i + 1));
        assert_int_equal(dpn_filter_admit(&filter, &half, NULL), DPN_OK);
        dpn_remaining left = dpn_filter_remaining(&filter);
        expect_decimal(left.epsilon, i ? "0" : "0.5");
        expect_decimal(left.delta, i ? "0" : "5e-7");
        expect_decimal(dpn_filter_spent(&filter).aside, "0");
        assert_true(left.rho == 0 && left.best == filter.plan.orders && left.divergence[0] == 0);
        expect_refused(&filter, &noise, DPN_EBUDGET);
    }
    expect_refused(&filter, &none, DPN_EBUDGET);
    /* The second charge comes too late, however little the first one was. */
    filter = empty;
    assert_int_equal(dpn_filter_admit(&filter, &none, NULL), DPN_OK);
    half.delta = decimal("5.000000001e-7");
    expect_refused(&filter, &half, DPN_EBUDGET);
    expect_decimal(dpn_filter_remaining(&filter).delta, "5e-7");
    expect_decimal(dpn_filter_spent(&filter).aside, "5e-7");
    /* What is not pure needs delta', so that it takes none of it. */
    noise.delta = decimal("5.000000001e-7");
    expect_refused(&empty, &noise, DPN_EBUDGET);
    noise.delta = decimal("5e-7");
    assert_int_equal(dpn_filter_admit(&empty, &noise, NULL), DPN_OK);
}

/* A pure first charge of more than delta_first gives up the orders, and nothing else does: not one that is not pure, not a
 * later one, and none in a plan that says nothing of it. */
static void the_first_charge_chooses(void **state) {
    (void)state;
    static const char *const amounts[] = {"5e-8", "5.00000000000001e-8"};
    for (int more = 0; more < 2; more++) {
        dpn_filter filter = begin_default("1", "1e-6");
        dpn_charge first = pure(&filter, "0.05", amounts[more]), noise = gaussian(&filter, 1e-9);
        assert_int_equal(dpn_filter_admit(&filter, &first, NULL), DPN_OK);
        expect_decimal(dpn_filter_spent(&filter).aside, more ? "0" : "5e-7");
        if (more) expect_refused(&filter, &noise, DPN_EBUDGET);
        if (!more) assert_int_equal(dpn_filter_admit(&filter, &noise, NULL), DPN_OK);
        filter = begin_default("1", "1e-6");
        noise.delta = decimal(amounts[more]);
        assert_int_equal(dpn_filter_admit(&filter, &noise, NULL), DPN_OK);
        expect_decimal(dpn_filter_spent(&filter).aside, "5e-7");
        filter = begin_default("1", "1e-6");
        filter.plan.delta_first = decimal("0"); /* plans of before */
        assert_int_equal(dpn_filter_admit(&filter, &first, NULL), DPN_OK);
        expect_decimal(dpn_filter_spent(&filter).aside, "5e-7");
    }
    /* n equal parts of a budget fit it, up to 19. */
    for (int n = 1; n < 20; n++) {
        char epsilon[16], delta[16];
        snprintf(epsilon, sizeof epsilon, "%d", n);
        snprintf(delta, sizeof delta, "%de-6", n);
        dpn_filter filter = begin_default(epsilon, delta);
        dpn_charge part = pure(&filter, "1", "1e-6");
        for (int i = 0; i < n; i++) assert_int_equal(dpn_filter_admit(&filter, &part, NULL), DPN_OK);
        expect_refused(&filter, &part, DPN_EBUDGET);
    }
}

/* A charge that is not pure closes the pure rule for good; many small pure charges go on by an order. */
static void rules_mix(void **state) {
    (void)state;
    dpn_filter filter = begin_default("1", "1e-6");
    dpn_charge small = gaussian(&filter, 1e-9), most = pure(&filter, "0.9", "0"), fine = pure(&filter, "0.001", "0");
    assert_int_equal(dpn_filter_admit(&filter, &small, NULL), DPN_OK);
    expect_decimal(dpn_filter_remaining(&filter).epsilon, "0");
    expect_refused(&filter, &most, DPN_EBUDGET);
    filter = begin_default("1", "1e-6");
    assert_int_equal(dpn_filter_admit(&filter, &most, NULL), DPN_OK);
    expect_refused(&filter, &small, DPN_EBUDGET);
    filter = begin_default("1", "1e-6");
    int admitted = 0;
    while (!dpn_filter_admit(&filter, &fine, NULL)) admitted++;
    assert_in_range(admitted, 40000, 50000); /* the pure rule would end at 1000 */
}

/* Sums beyond all decimals are more than any budget. */
static void sums_without_end_do_not_fit(void **state) {
    (void)state;
    dpn_filter filter = begin_default("9e44", "0");
    dpn_charge most = pure(&filter, "9e44", "0");
    dpn_cost cost;
    assert_int_equal(dpn_filter_admit(&filter, &most, NULL), DPN_OK);
    expect_refused(&filter, &most, DPN_EBUDGET);
    assert_int_equal(dpn_filter_preview(&cost, &filter, &most, NULL), DPN_OK);
    assert_true(!cost.fits && isinf(cost.after.epsilon) && cost.before.epsilon <= 9e44);
}

/* ---- Plans ---- */

static void bad_plans_are_refused(void **state) {
    (void)state;
    dpn_filter filter;
    dpn_error why;
    for (int fault = 0; fault < 8; fault++) {
        dpn_filter_terms plan = default_plan("1", "1e-6");
        if (fault == 0) plan.delta = decimal("1");
        if (fault == 1) plan.delta_renyi = decimal("1.1e-6");
        if (fault == 2) plan.weight[0] = decimal("0.0200000000000000000000000001"); /* more than 1 by 1e-28 */
        if (fault == 3) plan.weight[0] = decimal("0");
        if (fault == 4) plan.order[0] = 1;
        if (fault == 5) plan.order[1] = plan.order[0];
        if (fault == 6) plan.order[3] = NAN;
        if (fault == 7) plan.orders = DPN_FILTER_ORDERS + 1;
        why.sentence[0] = '\0';
        if (dpn_filter_begin(&filter, &plan, &why) != DPN_EDOMAIN || !why.sentence[0]) fail_msg("fault %d", fault);
    }
    dpn_decimal one = decimal("1");
    dpn_filter_terms plan;
    assert_int_equal(dpn_filter_terms_default(&plan, &one, &one, NULL), DPN_EDOMAIN);
}

static void bad_charges_are_refused(void **state) {
    (void)state;
    dpn_filter filter = begin_default("1", "1e-6");
    dpn_charge charge = gaussian(&filter, 1e-9);
    charge.divergence[3] = NAN;
    expect_refused(&filter, &charge, DPN_EDOMAIN);
    charge.divergence[3] = -1e-300;
    expect_refused(&filter, &charge, DPN_EDOMAIN);
    charge.divergence[3] = 0;
    charge.epsilon = decimal("0.1");
    expect_refused(&filter, &charge, DPN_EDOMAIN);
    dpn_decimal none = {{0}};
    assert_int_equal(dpn_charge_zcdp(&charge, &filter, 0, -1, &none, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_charge_zcdp(&charge, &filter, NAN, 1, &none, NULL), DPN_EDOMAIN);
    /* No claim at any order, and not pure: nothing covers it. */
    charge = (dpn_charge){.pure = false};
    for (int i = 0; i < DPN_FILTER_ORDERS; i++) charge.divergence[i] = INFINITY;
    expect_refused(&filter, &charge, DPN_EBUDGET);
    /* Pure, with no claim at any order: only the pure rule remains. */
    charge.pure = true;
    charge.epsilon = decimal("1");
    assert_int_equal(dpn_filter_admit(&filter, &charge, NULL), DPN_OK);
}

/* log(1/(w delta))/(a-1) + log((a-1)^(a-1)/a^a)/(a-1), from the definition. */
static void costs_are_rounded_up(void **state) {
    (void)state;
    static const char *const budgets[][2] = {{"1", "1e-6"},    {"0.1", "1e-12"}, {"8", "1e-3"},
                                             {"1e-4", "1e-9"}, {"100", "0.5"},   {"2", "1e-300"}};
    for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
        dpn_filter filter = begin_default(budgets[b][0], budgets[b][1]);
        assert_int_equal(filter.plan.orders, 13);
        dpn_decimal sum = {{0}};
        for (size_t i = 0; i < filter.plan.orders; i++) {
            size_t mark = r_mark();
            char weight[DPN_DECIMAL_TEXT_SIZE];
            real a = r_num(filter.plan.order[i]), less = r_plus(a, -1);
            real w = r_text(dpn_decimal_print(weight, &filter.plan.weight[i]));
            real d = r_times(r_over(r_text(budgets[b][1]), 100), 50);
            real c = r_sub(r_mul(less, r_log(less)), r_mul(a, r_log(a)));
            real truth = r_div(r_sub(c, r_add(r_log(w), r_log(d))), less);
            double miss = r_double(r_sub(r_num(filter.cost[i]), truth));
            if (!(miss >= 0 && miss <= 1e-10 * (1 + r_double(r_abs(truth)))))
                fail_msg("order %g: cost %.17g misses by %g", filter.plan.order[i], filter.cost[i], miss);
            assert_true(filter.limit[i] <= r_double(r_sub(r_text(budgets[b][0]), truth)));
            assert_int_equal(dpn_decimal_add(&sum, &sum, &filter.plan.weight[i], NULL), DPN_OK);
            r_release(mark);
        }
        expect_decimal(sum, "1");
    }
}

/* Orders next to 1, where 1 - 1/a has few digits of 1/a. */
static void costs_next_to_one(void **state) {
    (void)state;
    draw_source source = {4};
    for (int i = 0; i < 500; i++) {
        size_t mark = r_mark();
        double order = 1 + draw_log_uniform(&source, 1.001e-6, 1e-2);
        dpn_filter_terms plan = {.epsilon = decimal("1"),
                                 .delta = decimal("0.5"),
                                 .delta_renyi = decimal("0.5"),
                                 .orders = 1,
                                 .order = {order},
                                 .weight = {decimal("1")}};
        dpn_filter filter = begin(&plan);
        real a = r_num(order), less = r_plus(a, -1);
        real truth = r_div(r_sub(r_sub(r_mul(less, r_log(less)), r_mul(a, r_log(a))), r_log(r_num(0.5))), less);
        double miss = r_double(r_sub(r_num(filter.cost[0]), truth));
        if (!(miss >= 0 && miss <= 1e-12 * filter.cost[0])) fail_msg("order %.17g misses by %g", order, miss);
        r_release(mark);
    }
}

/* ---- Sums ---- */

static void sums_are_rounded_up_and_tight(void **state) {
    (void)state;
    mpfr_t exact;
    mpfr_init2(exact, 2200);
    for (int kind = 0; kind < 3; kind++) {
        draw_source source = {(uint64_t)kind + 1};
        mpfr_set_zero(exact, 1);
        dpn_twofold sum = {0, 0};
        for (int i = 0; i < 300000; i++) {
            double x = kind == 0   ? 0.1
                       : kind == 1 ? draw_uniform(&source, 0, 1)
                                   : draw_log_uniform(&source, 1e-310, 1e3);
            sum = dpn_sum_upper(sum, x);
            mpfr_add_d(exact, exact, x, MPFR_RNDN);
        }
        double value = dpn_sum_value(sum);
        if (mpfr_cmp_d(exact, value) > 0) fail_msg("kind %d: the sum is below the truth", kind);
        assert_true(value <= nextafter(mpfr_get_d(exact, MPFR_RNDU), INFINITY));
        mpfr_sub_d(exact, exact, sum.hi, MPFR_RNDN);
        if (mpfr_cmp_d(exact, sum.lo) > 0) fail_msg("kind %d: the twofold sum is below the truth", kind);
    }
    mpfr_clear(exact);
    dpn_twofold none = dpn_sum_upper((dpn_twofold){1, 0}, INFINITY);
    assert_true(isinf(dpn_sum_value(dpn_sum_upper(none, 1))));
}

/* Randomised response has probabilities 1/(1+e^eps) and its complement; both orders of the pair are the same. */
static void pure_divergence_is_rounded_up(void **state) {
    (void)state;
    draw_source source = {5};
    for (int i = 0; i < 3000; i++) {
        size_t mark = r_mark();
        double epsilon = draw_log_uniform(&source, 1e-9, 1e3), order = 1 + draw_log_uniform(&source, 1e-4, 1e4);
        real e = r_num(epsilon), a = r_num(order), less = r_plus(a, -1);
        real norm = r_log(r_plus(r_exp(e), 1));
        real large = r_exp(r_sub(r_mul(a, e), norm)), small = r_exp(r_sub(r_neg(r_mul(less, e)), norm));
        real truth = r_div(r_log(r_add(large, small)), less);
        double miss = r_double(r_sub(r_div(r_num(dpn_pure_renyi_upper(epsilon, order)), truth), r_num(1)));
        if (!(miss >= -1e-40 && miss < 1e-10)) fail_msg("epsilon %.17g order %.17g misses by %g", epsilon, order, miss);
        r_release(mark);
    }
    assert_true(dpn_pure_renyi_upper(0, 2) == 0 && dpn_pure_renyi_upper(3, INFINITY) == 3);
}

/* ---- Accounts ---- */

static void previews_and_remainders_agree_with_admission(void **state) {
    (void)state;
    draw_source source = {11};
    static const char *const epsilons[] = {"0.1", "1", "8"};
    for (int n = 0; n < 200; n++) {
        dpn_filter filter = begin_default(epsilons[n % 3], "1e-6");
        double total = dpn_decimal_lower(&filter.plan.epsilon);
        for (int i = 0; i < 20; i++) {
            dpn_remaining left = dpn_filter_remaining(&filter);
            dpn_charge charge = gaussian(&filter, left.rho * draw_uniform(&source, 0, 0.9));
            if (draw_chance(&source, 0.3)) charge = pure(&filter, "0.01", "1e-9");
            dpn_cost cost;
            assert_int_equal(dpn_filter_preview(&cost, &filter, &charge, NULL), DPN_OK);
            dpn_filter before = filter;
            bool fits = dpn_filter_admit(&filter, &charge, NULL) == DPN_OK;
            assert_true(fits == cost.fits);
            assert_true(cost.before.epsilon == dpn_filter_spent(&before).epsilon);
            if (!fits) continue;
            assert_true(cost.after.epsilon == dpn_filter_spent(&filter).epsilon &&
                        cost.after.epsilon <= total * (1 + 1e-9));
        }
        dpn_remaining left = dpn_filter_remaining(&filter);
        if (!(left.rho > 0)) continue;
        dpn_charge last = gaussian(&filter, left.rho), too_much = gaussian(&filter, left.rho * 1.0001);
        dpn_filter copy = filter;
        assert_int_equal(dpn_filter_admit(&copy, &too_much, NULL), DPN_EBUDGET);
        assert_int_equal(dpn_filter_admit(&filter, &last, NULL), DPN_OK);
    }
}

/* Whatever was spent, and by whichever of the rules a charge fits or not: what a preview says is what admission does. */
static void a_preview_fits_where_the_charge_is_admitted(void **state) {
    (void)state;
    draw_source source = {29};
    size_t fitting = 0, refused = 0;
    for (int run = 0; run < 60; run++) {
        dpn_filter filter = begin_default("1", "1e-5");
        for (int step = 0; step < 25; step++) {
            char epsilon[40], delta[40];
            dpn_cost cost;
            snprintf(epsilon, sizeof epsilon, "%.3e", draw_uniform(&source, 0, 0.5));
            snprintf(delta, sizeof delta, "%.3e",
                     draw_bits(&source) % 3 ? 0 : exp(draw_uniform(&source, log(1e-9), log(3e-5))));
            dpn_charge charge = pure(&filter, epsilon, delta);
            if (draw_bits(&source) % 2) {
                dpn_decimal apart = charge.delta;
                charge = gaussian(&filter, draw_uniform(&source, 0, 0.02));
                charge.delta = apart;
            }
            assert_int_equal(dpn_filter_preview(&cost, &filter, &charge, NULL), DPN_OK);
            dpn_status status = dpn_filter_admit(&filter, &charge, NULL);
            if (cost.fits != (status == DPN_OK)) fail_msg("epsilon %s, delta %s: %d", epsilon, delta, status);
            fitting += cost.fits;
            refused += !cost.fits;
        }
    }
    assert_true(fitting > 100 && refused > 100);
}

static void replay_gives_the_same_state(void **state) {
    (void)state;
    dpn_filter first = begin_default("1", "1e-6"), second = begin_default("1", "1e-6");
    dpn_filter *both[] = {&first, &second};
    for (int f = 0; f < 2; f++) {
        draw_source source = {12};
        for (int i = 0; i < 100; i++) {
            dpn_charge charge = gaussian(both[f], draw_log_uniform(&source, 1e-7, 1e-4));
            assert_int_equal(dpn_filter_admit(both[f], &charge, NULL), DPN_OK);
        }
    }
    assert_memory_equal(&first, &second, sizeof first);
}

/* How much Gaussian noise the default plan admits, against the best single order that one could have named in advance:
 * the price of being prepared for all of them, and for charges with a delta of their own, is 7 to 16 percent of rho here. */
static void defaults_lose_little(void **state) {
    (void)state;
    static const char *const budgets[][2] = {
        {"0.1", "1e-6"}, {"1", "1e-6"}, {"1", "1e-10"}, {"4", "1e-8"}, {"10", "1e-5"}};
    for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
        dpn_filter filter = begin_default(budgets[b][0], budgets[b][1]);
        double epsilon = dpn_decimal_lower(&filter.plan.epsilon), l = -log(dpn_decimal_lower(&filter.plan.delta));
        double best = 0;
        for (double less = 1e-2; less < 1e4; less *= 1.001) {
            double cost = (l - log(1 + less)) / less + log(less / (1 + less));
            best = fmax(best, (epsilon - cost) / (1 + less));
        }
        double share = dpn_filter_remaining(&filter).rho / best;
        if (!(share > 0.84 && share < 0.93)) fail_msg("(%s, %s): %g", budgets[b][0], budgets[b][1], share);
    }
}

/* ---- Handles ---- */

static void handles_hold_what_values_hold(void **state) {
    (void)state;
    dpn_decimal epsilon = decimal("1"), delta = decimal("1e-6"), one = decimal("1");
    dpn_filter value = begin_default("1", "1e-6"), *handle, *again, *copy;
    assert_int_equal(dpn_filter_new_default(&handle, &epsilon, &delta, NULL), DPN_OK);
    dpn_filter_plan plan = dpn_filter_plan_of(handle);
    assert_int_equal(dpn_filter_new(&again, &plan, NULL), DPN_OK);
    const dpn_filter *both[] = {handle, again};
    for (int i = 0; i < 2; i++) {
        assert_memory_equal(&both[i]->plan, &value.plan, sizeof value.plan);
        assert_memory_equal(both[i]->limit, value.limit, sizeof value.limit);
    }
    assert_true(plan.order != dpn_filter_plan_of(again).order); /* each has its own */
    dpn_charge charge = pure(handle, "0.25", "0");
    assert_int_equal(dpn_filter_admit(handle, &charge, NULL), DPN_OK);
    assert_int_equal(dpn_filter_copy(&copy, handle, NULL), DPN_OK);
    assert_int_equal(dpn_filter_admit(copy, &charge, NULL), DPN_OK);
    assert_int_equal(dpn_filter_spent(handle).charges, 1);
    assert_int_equal(dpn_filter_spent(copy).charges, 2);
    assert_int_equal(dpn_filter_spent(again).charges, 0);
    dpn_filter_free(copy);
    dpn_filter_free(again);
    dpn_filter_free(handle);
    dpn_filter_free(NULL);
    assert_int_equal(dpn_filter_new_default(&handle, &epsilon, &one, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_filter_new_default(NULL, &epsilon, &delta, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_filter_copy(&handle, NULL, NULL), DPN_EDOMAIN);
}

static void plans_without_their_arrays_are_refused(void **state) {
    (void)state;
    double order[] = {2};
    dpn_decimal weight[] = {decimal("1")};
    dpn_filter_plan plan = {.epsilon = decimal("1"), .delta = decimal("1e-6"), .orders = 1};
    dpn_filter *filter = NULL;
    assert_int_equal(dpn_filter_new(&filter, &plan, NULL), DPN_EDOMAIN);
    plan.order = order;
    assert_int_equal(dpn_filter_new(&filter, &plan, NULL), DPN_EDOMAIN);
    plan.weight = weight;
    plan.orders = DPN_FILTER_ORDERS + 1; /* the arrays are not looked at */
    assert_int_equal(dpn_filter_new(&filter, &plan, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_filter_new(&filter, NULL, NULL), DPN_EDOMAIN);
    assert_null(filter);
    plan.orders = 1;
    assert_int_equal(dpn_filter_new(&filter, &plan, NULL), DPN_OK);
    dpn_filter_free(filter);
}

/* (xi, rho)-zCDP is a divergence of at most xi + a rho at every order a > 1: not less is charged, and hardly more. */
static void zcdp_is_charged_by_its_definition(void **state) {
    (void)state;
    static const double some[][2] = {{0, 0}, {0.25, 0}, {0, 0.1}, {0.3, 0.1}, {1e-9, 3}, {0.1, 1e-12}, {7, 1e-300}};
    dpn_filter filter = begin_default("1", "1e-6");
    dpn_decimal part = decimal("1e-7");
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        dpn_charge charge;
        assert_int_equal(dpn_charge_zcdp(&charge, &filter, some[k][0], some[k][1], &part, NULL), DPN_OK);
        assert_false(charge.pure);
        expect_decimal(charge.delta, "1e-7");
        for (size_t i = 0; i < filter.plan.orders; i++) {
            size_t mark = r_mark();
            real truth = r_add(r_num(some[k][0]), r_mul(r_num(filter.plan.order[i]), r_num(some[k][1])));
            double miss = r_double(r_sub(r_num(charge.divergence[i]), truth));
            if (!(miss >= 0 && miss <= 1e-12 * r_double(truth)))
                fail_msg("(%g, %g)-zCDP at order %g: %.17g misses by %g", some[k][0], some[k][1], filter.plan.order[i],
                         charge.divergence[i], miss);
            r_release(mark);
        }
    }
}

int main(void) {
    r_precision(3000);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_tenths_fit_one),
        cmocka_unit_test(the_largest_pure_charge),
        cmocka_unit_test(delta_is_counted_exactly),
        cmocka_unit_test(the_first_charge_may_take_all_of_delta),
        cmocka_unit_test(the_first_charge_chooses),
        cmocka_unit_test(rules_mix),
        cmocka_unit_test(sums_without_end_do_not_fit),
        cmocka_unit_test(bad_plans_are_refused),
        cmocka_unit_test(bad_charges_are_refused),
        cmocka_unit_test(costs_are_rounded_up),
        cmocka_unit_test(costs_next_to_one),
        cmocka_unit_test(sums_are_rounded_up_and_tight),
        cmocka_unit_test(pure_divergence_is_rounded_up),
        cmocka_unit_test(previews_and_remainders_agree_with_admission),
        cmocka_unit_test(a_preview_fits_where_the_charge_is_admitted),
        cmocka_unit_test(replay_gives_the_same_state),
        cmocka_unit_test(defaults_lose_little),
        cmocka_unit_test(handles_hold_what_values_hold),
        cmocka_unit_test(plans_without_their_arrays_are_refused),
        cmocka_unit_test(zcdp_is_charged_by_its_definition),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
