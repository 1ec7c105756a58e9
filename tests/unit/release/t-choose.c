/* Which noise a release takes: what may be taken, by the table of the families; what each costs; and that nothing that was passed over is better by more than a
 * margin. */
#include "release/noise/choose.c" /* to see its steps */

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- What may be taken ---- */

static void families_that_may_be_taken(void **state) {
    (void)state;
    double same[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, differ[10] = {1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
    int taken = 0;
    for (size_t i = 0; dpn_mechanism_name(i); i++) {
        const char *family = dpn_mechanism_name(i);
        dpn_mechanism_traits is = dpn_mechanism_traits_of(family);
        bool start = strncmp(family, "start-", 6) == 0, blocks = strcmp(family, "blocks") == 0;
        for (int bits = 0; bits < 1 << 9; bits++) {
            bool alone[10] = {true};
            dpn_calibration_options calibration = {.alone = bits & 1 ? alone : NULL};
            dpn_sensitivity set = {.dimension = bits & 2 ? 1 : 10, .bound = bits & 4 ? differ : same};
            dpn_release_options options = {.set = &set, .delta = bits & 8 ? 1e-6 : 0, .whole = bits & 16};
            if (bits & 32) options.calibration = &calibration;
            options.exclude = (unsigned)(bits >> 6) & 7;
            bool many = bits & 4 && !(bits & 2);
            for (int all = 0; all < 2; all++) {
                bool expected = true;
                if (start && (options.delta > 0 || set.dimension == 1)) expected = false;
                if (!is.quick && !all) expected = false;
                if (is.integer && !options.whole) expected = false;
                if (is.not_log_concave && options.exclude & DPN_EXCLUDE_INTEGER) expected = false;
                if ((is.joint || is.lawless) && options.exclude & DPN_EXCLUDE_JOINT) expected = false;
                if (is.slow_apart && options.exclude & DPN_EXCLUDE_SLOW) expected = false;
                if (is.slow_many && many && options.delta > 0 && !all) expected = false;
                if (blocks && bits & 32 && bits & 1) expected = true; /* they leave alone what must be */
                if (may_take(family, &options, all) != expected) fail_msg("%s, %d", family, bits);
                taken += expected;
            }
        }
    }
    assert_true(taken > 1000);
    dpn_release_options none = {0};
    assert_false(may_take("start-box", &none, true));
}

/* More than eight bounds that are not that of the answer before. */
static void many_bounds_differ(void **state) {
    (void)state;
    double bound[30];
    assert_false(many_differ(NULL) || many_differ(&(dpn_sensitivity){.dimension = 30}));
    for (size_t different = 0; different < 12; different++) {
        for (size_t i = 0; i < 30; i++) bound[i] = (double)(i < different ? i : different);
        assert_true(many_differ(&(dpn_sensitivity){.dimension = 30, .bound = bound}) == (different > 8));
    }
}

static void families_in_their_order(void **state) {
    (void)state;
    bool alone = true;
    dpn_calibration_options calibration = {.alone = &alone}, plain = {0};
    dpn_release_options apart = {.calibration = &calibration}, without = {.calibration = &plain}, bare = {0};
    size_t count = 0;
    for (; dpn_mechanism_name(count); count++) {
        const char *name = dpn_mechanism_name(count);
        assert_string_equal(family_at(count, &bare, false), name);
        assert_string_equal(family_at(count, &without, false), name);
        assert_string_equal(family_at(count, &apart, true), name);
        assert_string_equal(family_at(count + 1, &apart, false), name);
        assert_true(is_apart(&apart, name) == (strcmp(name, "blocks") == 0));
        assert_false(is_apart(&without, name) || is_apart(&bare, name));
    }
    assert_string_equal(family_at(0, &apart, false), "blocks");
    assert_null(family_at(count, &bare, false));
    assert_null(family_at(count + 1, &apart, false));
}

/* ---- What it costs ---- */

static void what_ends_a_search(void **state) {
    (void)state;
    for (dpn_status status = DPN_OK; status <= DPN_ECANCELLED; status++)
        assert_true(final(status) == (status != DPN_OK && status != DPN_EUNSUPPORTED && status != DPN_EACCURACY));
    assert_true(margin_of("laplace") == 1e-4 && margin_of("start-box") == 1e-4 && margin_of("start-staircase") == 0.01);
}

/* A twelfth of a squared step for each answer with noise on the line, taken off where a staircase is uniform on whole steps, and nothing where steps differ, where
 * answers are no whole numbers or where another error is asked for. */
static void rounding_costs_a_twelfth(void **state) {
    (void)state;
    int exponent[5] = {-1, -1, -1, -1, -1};
    double sensitivity[5] = {1, 1, 2, 2, 1}, start[2] = {0.625, 0.5}, weight[5] = {1, 10, 100, 1000, 10000};
    size_t first[2] = {0, 2}, second[1] = {1}, third[2] = {3, 4};
    dpn_block block[3] = {{.kind = DPN_BLOCK_START_STAIRCASE, .count = 2, .coordinate = first, .start = start},
                          {.kind = DPN_BLOCK_NONE, .count = 1, .coordinate = second},
                          {.kind = DPN_BLOCK_K_NORM, .count = 2, .coordinate = third}};
    dpn_plan plan = {
        .dimension = 5, .blocks = 3, .block = block, .sensitivity = sensitivity, .objective = DPN_OBJECTIVE_MSE};
    dpn_grid grid = {.exponent = exponent};
    dpn_calibration_options calibration = {.weight = weight};
    dpn_release_options options = {.whole = true};
    double step = 0.25 / 12; /* sides of 1.25 and 2 steps: neither is half an odd number */
    assert_false(is_whole_side(&plan, &block[0], 0, 0.5) || is_whole_side(&plan, &block[0], 1, 0.5));
    assert_true(fabs(rounding_of(&plan, &grid, &options) - 4 * step) < 1e-15);
    start[0] = 0.75; /* 1.5 steps */
    assert_true(is_whole_side(&plan, &block[0], 0, 0.5));
    assert_true(fabs(rounding_of(&plan, &grid, &options) - 2 * step) < 1e-15);
    options.calibration = &calibration;
    assert_true(fabs(rounding_of(&plan, &grid, &options) - (-1 + 100 + 1000 + 10000) * step) < 1e-12);
    plan.error = 7;
    assert_true(fabs(cost_of(&plan, &grid, &options) - (7 + 11099 * step)) < 1e-12);
    plan.bounded = true; /* noise that ends must be better by 1% */
    assert_true(fabs(cost_of(&plan, &grid, &options) - (7 + 11099 * step) / 0.99) < 1e-12);
    exponent[4] = 0;
    assert_true(rounding_of(&plan, &grid, &options) == 0);
    exponent[4] = -1;
    exponent[1] = -2;
    assert_true(rounding_of(&plan, &grid, &options) == 0);
    exponent[1] = -1;
    plan.objective = DPN_OBJECTIVE_INTERVAL95;
    assert_true(rounding_of(&plan, &grid, &options) == 0);
    plan.objective = DPN_OBJECTIVE_MSE;
    options.whole = false;
    assert_true(rounding_of(&plan, &grid, &options) == 0);
    for (int odd = 1; odd < 9; odd += 2)
        for (int off = -1; off <= 1; off++) {
            start[0] = odd / 4.0 + off * 1e-6;
            assert_true(is_whole_side(&plan, &block[0], 0, 0.5) == (off == 0));
        }
}

/* ---- The choice ---- */

typedef struct question {
    size_t dimension;
    double epsilon, delta;
    bool whole;
    unsigned exclude;
} question;

/* The least cost among the families that may be taken: what is taken is within the margins of it, and what was asked by name is that. */
static void nothing_better_is_passed_over(void **state) {
    (void)state;
    static const question questions[] = {{1, 1, 0, false, 0},
                                         {2, 1, 0, false, 0},
                                         {3, 0.5, 0, true, 0},
                                         {1, 0.7, 1e-6, true, 0},
                                         {6, 1, 1e-6, false, 0},
                                         {3, 2, 0, true, DPN_EXCLUDE_JOINT},
                                         {2, 1, 0.01, true, DPN_EXCLUDE_INTEGER},
                                         {6, 0.1, 0.1, false, 0},
                                         {3, 4, 0.2, true, 0},
                                         {6, 6, 0.05, false, 0},
                                         {1, 6, 0, true, DPN_EXCLUDE_INTEGER}};
    int spent = 0, saved = 0;
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
        double bound[6] = {1, 1, 1, 1, 1, 1}, least = INFINITY, pure = INFINITY;
        dpn_sensitivity set = {.dimension = questions[q].dimension, .bound = bound};
        dpn_release_options options = {.size = sizeof options,
                                       .epsilon = questions[q].epsilon,
                                       .delta = questions[q].delta,
                                       .set = &set,
                                       .whole = questions[q].whole,
                                       .exclude = questions[q].exclude};
        dpn_grid grid, chosen_grid;
        dpn_plan plan, chosen;
        dpn_error why = {DPN_OK, ""};
        for (size_t i = 0; dpn_mechanism_name(i); i++)
            for (int without = 0; without < 2; without++) {
                dpn_release_options own = options;
                if (without) own.delta = 0;
                if (!may_take(dpn_mechanism_name(i), &own, false)) continue;
                if (calibrate(&grid, &plan, &own, dpn_mechanism_name(i), &why)) continue;
                least = fmin(least, cost_of(&plan, &grid, &own));
                if (without || options.delta == 0) pure = fmin(pure, plan.error + rounding_of(&plan, &grid, &own));
                dpn_grid_free(&grid);
                dpn_plan_free(&plan);
            }
        if (dpn_release_choose(&chosen_grid, &chosen, &options, &why)) fail_msg("%s", why.sentence);
        double cost = cost_of(&chosen, &chosen_grid, &options);
        if (!(cost <= least / 0.99 * (1 + 1e-3)))
            fail_msg("question %zu: %s costs %g, not %g", q, chosen.family, cost, least);
        /* what spends delta is better than what does not by a hundredth */
        spent += chosen.delta.upper > 0;
        saved += options.delta > 0 && chosen.delta.upper == 0;
        if (chosen.delta.upper > 0)
            assert_true(chosen.error + rounding_of(&chosen, &chosen_grid, &options) < 0.99 * pure);
        dpn_grid_free(&chosen_grid);
        dpn_plan_free(&chosen);
        options.family = "laplace";
        assert_int_equal(dpn_release_choose(&chosen_grid, &chosen, &options, &why), DPN_OK);
        assert_string_equal(chosen.family, "laplace");
        dpn_grid_free(&chosen_grid);
        dpn_plan_free(&chosen);
    }
    if (!(spent > 1 && saved > 0)) fail_msg("%d, %d", spent, saved);
}

/* The first family that has a reason tells it; what is wrong with the question ends the search at once. */
static void refusals_are_told(void **state) {
    (void)state;
    double bound = 1;
    dpn_sensitivity set = {.dimension = 1, .bound = &bound}, nothing = {0};
    dpn_grid grid = {0};
    dpn_plan plan = {0};
    dpn_error why;
    dpn_release_options options = {.size = sizeof options, .epsilon = 1, .set = &nothing};
    assert_int_equal(dpn_release_choose(&grid, &plan, &options, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "there is no answer to release");
    options.delta = 1e-6;
    assert_int_equal(dpn_release_choose(&grid, &plan, &options, &why), DPN_EDOMAIN);
    options = (dpn_release_options){.size = sizeof options, .epsilon = -1, .set = &set};
    assert_int_equal(dpn_release_choose(&grid, &plan, &options, &why), DPN_EDOMAIN);
    options = (dpn_release_options){.size = sizeof options, .epsilon = 1, .set = &set, .family = "gaussian"};
    assert_true(dpn_release_choose(&grid, &plan, &options, &why) != DPN_OK); /* it is not pure */
    assert_true(!grid.exponent && !plan.block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_that_may_be_taken), cmocka_unit_test(many_bounds_differ),
        cmocka_unit_test(families_in_their_order),    cmocka_unit_test(what_ends_a_search),
        cmocka_unit_test(rounding_costs_a_twelfth),   cmocka_unit_test(nothing_better_is_passed_over),
        cmocka_unit_test(refusals_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
