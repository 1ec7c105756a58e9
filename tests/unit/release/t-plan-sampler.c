/* The noise of plans: of every kind that is drawn, each coordinate has the width that its own sensitivity asks for, in whatever order they stand, and the variance
 * that the plan tells. */
#include <dpnoise/plan.h>
#include <dpnoise/release.h>

#include "unit/points.h"
#include "unit/random/seeded.h"
#include "unit/random/tape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 3 };

/* Kinds whose coordinates differ by their sensitivities alone. Integers have a step for all. */
static const char *const kinds[] = {
    "\"k-norm(ball=box,epsilon=0.5)\"",
    "\"start-box(epsilon=0.5)\", \"c\": [1.5, 1.5, 1.5]",
    "\"start-staircase(epsilon=1)\", \"c\": [0.5, 0.5, 0.5]",
    "\"random-box(alpha=0.5,beta=0.0625)\"",
    "\"random-box(alpha=0.5,beta=0.0625)\", \"c\": [2, 2, 2], \"beta\": [0.0625, 0.0625, 0.0625]",
    "\"truncated-staircase(epsilon=0.5,low=2.25,high=3.5,theta=0.75)\"",
};

static const double orders[][COUNT] = {{1, 8, 0.25}, {8, 0.25, 1}};

static dpn_plan plan_of(const char *noise, const double *side) {
    char text[512];
    dpn_plan plan;
    dpn_error why;
    snprintf(text, sizeof text, "[{\"coordinates\": \"0-2\", \"sensitivities\": [%g, %g, %g], \"noise\": %s}]", side[0],
             side[1], side[2], noise);
    if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s: %s", text, why.sentence);
    return plan;
}

/* Mean squares of draws. Those of one coordinate have a relative deviation of (kurtosis - 1)^(1/2)/draws^(1/2), at most 0.02 for a kurtosis of 9, more than that
 * of any noise here; seven of them are the limit: a false alarm in 1e-10 of all seeds, and this one is fixed. */
static void widths_are_those_of_each_coordinate(void **state) {
    (void)state;
    int draws = points(20000, 200000);
    double limit = 7 * sqrt(8.0 / draws);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            dpn_plan plan = plan_of(kinds[k], orders[o]);
            dpn_plan_sampler *sampler;
            dpn_error why;
            double square[COUNT] = {0};
            seeded source;
            seeded_begin(&source, 31 + k);
            if (dpn_plan_sampler_new(&sampler, &plan, false, 0, NULL, &why)) fail_msg("%s: %s", kinds[k], why.sentence);
            for (int n = 0; n < draws; n++) {
                int64_t steps[COUNT];
                if (dpn_plan_sampler_draw(steps, sampler, &source.rng, &why)) fail_msg("%s", why.sentence);
                for (size_t i = 0; i < COUNT; i++)
                    square[i] += pow(ldexp((double)steps[i], dpn_plan_sampler_grid_exponent(sampler, i)), 2) / draws;
            }
            for (size_t i = 0; i < COUNT; i++) {
                double side = orders[o][i], unit = square[i] / (side * side), first = square[0] / pow(orders[o][0], 2);
                if (!(fabs(square[i] / plan.variance[i] - 1) < limit && fabs(unit / first - 1) < 2 * limit))
                    fail_msg("%s: %g of coordinate %zu, not %g", kinds[k], square[i], i, plan.variance[i]);
            }
            dpn_plan_sampler_free(sampler);
            dpn_plan_free(&plan);
        }
}

/* Offsets and steepnesses of their own: the coordinate of the wider box, and of the flatter middle, has the wider noise, wherever it stands. */
static void offsets_are_those_of_each_coordinate(void **state) {
    (void)state;
    static const char *const noise[][2] = {
        {"\"start-box(epsilon=2)\", \"c\": [0.5, 4, 1]", "\"start-box(epsilon=2)\", \"c\": [4, 1, 0.5]"},
        {"\"start-staircase(epsilon=2)\", \"c\": [0.5, 4, 1]", "\"start-staircase(epsilon=2)\", \"c\": [4, 1, 0.5]"},
        {"\"random-box(alpha=2,beta=0.5)\", \"c\": [0.5, 4, 1], \"beta\": [0.5, 0.125, 0.5]",
         "\"random-box(alpha=2,beta=0.5)\", \"c\": [4, 1, 0.5], \"beta\": [0.125, 0.5, 0.5]"}};
    static const size_t place[2][COUNT] = {{0, 1, 2}, {2, 0, 1}}; /* of the offsets 0.5, 4, 1 */
    const double side[COUNT] = {1, 1, 1};
    int draws = points(20000, 200000);
    double limit = 7 * sqrt(8.0 / draws);
    for (size_t k = 0; k < sizeof noise / sizeof *noise; k++) {
        double square[2][COUNT] = {{0}};
        for (int o = 0; o < 2; o++) {
            dpn_plan plan = plan_of(noise[k][o], side);
            dpn_plan_sampler *sampler;
            dpn_error why;
            seeded source;
            seeded_begin(&source, 71 + k);
            if (dpn_plan_sampler_new(&sampler, &plan, false, 0, NULL, &why)) fail_msg("%s", why.sentence);
            for (int n = 0; n < draws; n++) {
                int64_t steps[COUNT];
                if (dpn_plan_sampler_draw(steps, sampler, &source.rng, &why)) fail_msg("%s", why.sentence);
                for (size_t i = 0; i < COUNT; i++) {
                    size_t at = place[o][i];
                    square[o][i] +=
                        pow(ldexp((double)steps[at], dpn_plan_sampler_grid_exponent(sampler, at)), 2) / draws;
                }
            }
            dpn_plan_sampler_free(sampler);
            dpn_plan_free(&plan);
        }
        for (size_t i = 0; i < COUNT; i++)
            if (!(fabs(square[1][i] / square[0][i] - 1) < 2 * limit))
                fail_msg("%s: %g and %g", noise[k][0], square[0][i], square[1][i]);
        assert_true(square[0][1] > 2 * square[0][2] && square[0][2] > 1.1 * square[0][0]);
    }
}

/* Noise is on the grid that the block is for; on the given one, if there is one; on the integers, if it is a law of these; and else on one of at least 2^16 and
 * fewer than 2^17 steps in its standard deviation. */
static void grids_are_those_of_the_blocks(void **state) {
    (void)state;
    static const char text[] =
        "[{\"coordinates\": \"0\", \"noise\": \"laplace(scale=3)\", \"grid\": 0.25, \"sensitivities\": [1]},"
        " {\"coordinates\": \"1\", \"noise\": \"gaussian(sigma=70)\", \"grid\": 0.0009765625, \"sensitivities\": [1]},"
        " {\"coordinates\": \"2\", \"noise\": \"laplace(scale=100)\", \"grid\": 4, \"sensitivities\": [8]},"
        " {\"coordinates\": \"3\", \"noise\": \"laplace(scale=5)\", \"sensitivities\": [1]},"
        " {\"coordinates\": \"4\", \"noise\": \"discrete-laplace(scale=5)\", \"sensitivities\": [1]}]";
    static const int own[] = {-2, -10, 2};
    dpn_plan plan;
    dpn_plan_sampler *sampler;
    dpn_error why;
    if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s", why.sentence);
    if (dpn_plan_sampler_new(&sampler, &plan, false, 0, NULL, &why)) fail_msg("%s", why.sentence);
    for (size_t i = 0; i < 3; i++) assert_int_equal(dpn_plan_sampler_grid_exponent(sampler, i), own[i]);
    double steps = ldexp(sqrt(2) * 5, -dpn_plan_sampler_grid_exponent(sampler, 3));
    assert_true(steps >= 0x1p16 && steps < 0x1p17);
    assert_int_equal(dpn_plan_sampler_grid_exponent(sampler, 4), 0);
    dpn_plan_sampler_free(sampler);
    plan.blocks--; /* integers have a step of their own */
    plan.dimension--;
    if (dpn_plan_sampler_new(&sampler, &plan, true, -7, NULL, &why)) fail_msg("%s", why.sentence);
    for (size_t i = 0; i < 4; i++) assert_int_equal(dpn_plan_sampler_grid_exponent(sampler, i), -7);
    dpn_plan_sampler_free(sampler);
    plan.blocks++;
    plan.dimension++;
    dpn_plan_free(&plan);
}

/* When random words end, after however many, nothing of what was drawn is told; answers without noise are 0, and the others stand where the plan has them. */
static void without_words_all_is_zero(void **state) {
    (void)state;
    enum { ANSWERS = 5, WORDS = 400 };
    static const char text[] =
        "[{\"coordinates\": \"0\", \"noise\": \"none\", \"sensitivities\": [0]},"
        " {\"coordinates\": \"1\", \"noise\": \"laplace(scale=1000)\", \"grid\": 0.25, \"sensitivities\": [1]},"
        " {\"coordinates\": \"2,4\", \"noise\": \"start-box(epsilon=0.01)\", \"c\": [1, 1], \"sensitivities\": [1000, "
        "1]},"
        " {\"coordinates\": \"3\", \"noise\": \"none\", \"sensitivities\": [0]}]";
    static uint64_t words[WORDS];
    static tape source;
    uint64_t state_of_words = 5;
    dpn_plan plan;
    dpn_plan_sampler *sampler;
    dpn_error why = {DPN_OK, ""};
    if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s", why.sentence);
    if (dpn_plan_sampler_new(&sampler, &plan, false, 0, NULL, &why)) fail_msg("%s", why.sentence);
    for (size_t i = 0; i < WORDS; i++) {
        state_of_words = state_of_words * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        words[i] = state_of_words ^ state_of_words >> 29;
    }
    size_t k = 0;
    for (;; k++) {
        int64_t steps[ANSWERS] = {7, 7, 7, 7, 7};
        tape_begin(&source, words, k);
        dpn_status status = dpn_plan_sampler_draw(steps, sampler, &source.rng, &why);
        assert_true(steps[0] == 0 && steps[3] == 0);
        if (!status) {
            assert_true(steps[1] != 0 && steps[2] != 0 && steps[4] != 0);
            break;
        }
        assert_int_equal(status, DPN_EENTROPY);
        for (size_t i = 0; i < ANSWERS; i++) assert_true(steps[i] == 0);
        assert_true(k + 1 < WORDS);
    }
    assert_true(k >= 3);
    assert_int_equal(dpn_plan_sampler_grid_exponent(sampler, 0), 0);
    assert_int_equal(dpn_plan_sampler_grid_exponent(sampler, 1), -2);
    assert_int_equal(dpn_plan_sampler_grid_exponent(sampler, 3), 0);
    assert_int_equal(dpn_plan_sampler_draw(NULL, sampler, &source.rng, NULL), DPN_EDOMAIN);
    int64_t steps[ANSWERS];
    assert_int_equal(dpn_plan_sampler_draw(steps, NULL, &source.rng, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_plan_sampler_draw(steps, sampler, NULL, NULL), DPN_EDOMAIN);
    dpn_plan_sampler_free(sampler);
    dpn_plan_sampler_free(NULL);
    dpn_plan_free(&plan);
}

/* Without a grid one is needed that is 2^-16 of the least width, whose answers are known; given ones reach as far as those of numbers. */
static void grids_that_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool has_grid;
        int grid;
        const char *says; /* NULL: it is made */
    } some[] = {
        {"laplace(scale=1e-115)", true, -400, NULL}, {"laplace(scale=1e-115)", true, -401, "outside 2^-400 to 2^60"},
        {"laplace(scale=1e30)", true, 60, NULL},     {"laplace(scale=1e30)", true, 61, "outside 2^-400 to 2^60"},
        {"laplace(scale=1e-115)", false, 0, NULL},   {"laplace(scale=1e-116)", false, 0, "outside 2^-400"},
        {"laplace(scale=1e23)", false, 0, NULL},     {"laplace(scale=2e23)", false, 0, "2^61 is outside"},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char text[200];
        dpn_plan plan;
        dpn_plan_sampler *sampler = NULL;
        dpn_error why = {DPN_OK, ""};
        snprintf(text, sizeof text, "[{\"coordinates\": \"0\", \"noise\": \"%s\"}]", some[i].text);
        if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s: %s", text, why.sentence);
        dpn_status status = dpn_plan_sampler_new(&sampler, &plan, some[i].has_grid, some[i].grid, NULL, &why);
        if (!some[i].says && status) fail_msg("%s: %s", text, why.sentence);
        if (some[i].says && (!status || sampler || !strstr(why.sentence, some[i].says)))
            fail_msg("%s with %d: %s", text, some[i].grid, why.sentence);
        dpn_plan_sampler_free(sampler);
        dpn_plan_free(&plan);
    }
    static const double unknown[] = {0, -1, NAN, INFINITY};
    static const char three[] = "[{\"coordinates\": \"0-2\", \"noise\": \"laplace(scale=2)\"}]";
    dpn_plan plan;
    dpn_plan_sampler *sampler = NULL;
    assert_int_equal(dpn_plan_read(&plan, three, strlen(three), NULL), DPN_OK);
    for (size_t i = 0; i < 3; i++) /* of one of the answers, or of all */
        for (size_t k = 0; k < 8; k++) {
            for (size_t at = 0; at < 3; at++) plan.variance[at] = at == i || k >= 4 ? unknown[k % 4] : 8;
            dpn_error why = {DPN_OK, ""};
            bool one_is_infinite = k == 3; /* the others are not, and the least of them decides */
            dpn_status status = dpn_plan_sampler_new(&sampler, &plan, false, 0, NULL, &why);
            assert_int_equal(status, one_is_infinite ? DPN_OK : DPN_EDOMAIN);
            if (!one_is_infinite) assert_non_null(strstr(why.sentence, "a grid must be given"));
            if (one_is_infinite) assert_int_equal(dpn_plan_sampler_grid_exponent(sampler, 0), 1 - 16);
            dpn_plan_sampler_free(sampler);
            sampler = NULL;
        }
    for (size_t i = 0; i < 3; i++) { /* the narrowest decides, wherever it stands */
        for (size_t at = 0; at < 3; at++) plan.variance[at] = at == i ? 4.1 : 5000;
        assert_int_equal(dpn_plan_sampler_new(&sampler, &plan, false, 0, NULL, NULL), DPN_OK);
        for (size_t at = 0; at < 3; at++) assert_int_equal(dpn_plan_sampler_grid_exponent(sampler, at), 1 - 16);
        dpn_plan_sampler_free(sampler);
        sampler = NULL;
    }
    dpn_plan_free(&plan);
    dpn_plan none = {0};
    assert_int_equal(dpn_plan_sampler_new(&sampler, &none, false, 0, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_plan_sampler_new(&sampler, NULL, false, 0, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_plan_sampler_new(NULL, &none, false, 0, NULL, NULL), DPN_EDOMAIN);
    assert_null(sampler);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_are_those_of_each_coordinate), cmocka_unit_test(offsets_are_those_of_each_coordinate),
        cmocka_unit_test(grids_are_those_of_the_blocks), cmocka_unit_test(without_words_all_is_zero),
        cmocka_unit_test(grids_that_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
