/* Plans as text, and what they guarantee: round trips, hostile text, and profiles against compositions written by hand. */
#include <dpnoise/plan.h>

#include "calibrate/plan.h"
#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_plan plan_of(const char *text) {
    dpn_plan plan;
    dpn_error why;
    if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s: %s", text, why.sentence);
    return plan;
}

static void expect_refused(const char *text, const char *sentence) {
    dpn_plan plan;
    dpn_error why = {DPN_OK, ""};
    dpn_status status = dpn_plan_read(&plan, text, strlen(text), &why);
    if (status == DPN_OK) fail_msg("%s is accepted", text);
    assert_int_equal(status, why.status);
    assert_string_equal(why.sentence, sentence);
}

/* ---- text ---- */

static void a_plan_is_read(void **state) {
    (void)state;
    dpn_plan plan = plan_of(" {\"delta\": 0, \"relation\": \"add-remove\", \"unit\": \"person\", \"times\": 3, "
                            "\"sensitivity\": {\"max_changed\": 2},\n"
                            "  \"plan\": [{\"coordinates\": \"0-2,5\", \"noise\": \"laplace(scale=2)\", "
                            "\"sensitivities\": [1, 2, 1, 0.5]},\n"
                            "  {\"noise\": \"none\", \"coordinates\": \"3\", \"grid\": null},\n"
                            "  {\"coordinates\": \"4\", \"noise\": \"k-norm(ball=l2,epsilon=0.5)\", \"sensitivities\": "
                            "7, \"more\": [{}]}]}");
    assert_int_equal(plan.dimension, 6);
    assert_int_equal(plan.blocks, 3);
    assert_int_equal(plan.relation, DPN_ADD_REMOVE);
    assert_int_equal(plan.unit, DPN_PERSON);
    assert_int_equal(plan.times, 3);
    assert_int_equal(plan.max_changed, 2);
    assert_int_equal(plan.block[0].count, 4);
    assert_int_equal(plan.block[0].coordinate[3], 5);
    assert_true(plan.sensitivity[1] == 2 && plan.sensitivity[5] == 0.5 && plan.sensitivity[3] == 0);
    assert_true(plan.variance[0] == 8 && plan.variance[3] == 0 && isnan(plan.variance[4]));
    assert_int_equal(plan.block[2].kind, DPN_BLOCK_K_NORM);
    assert_int_equal(plan.block[2].ball, DPN_BALL_L2);
    assert_true(plan.block[2].epsilon == 0.5 && plan.family == NULL);
    assert_true(plan.delta.lower == 0 && plan.delta.upper == 1); /* nothing is claimed */
    assert_true(plan.delta.log_lower == -INFINITY && plan.delta.log_upper == 0);
    assert_null(dpn_plan_law(&plan, 3));
    dpn_plan often =
        plan_of("{\"plan\": [{\"coordinates\": \"0\", \"noise\": \"none\"}], \"times\": 999999999999999999}");
    assert_true(often.times == UINT64_C(999999999999999999)); /* no double holds that */
    assert_int_equal(often.relation, DPN_REPLACE);            /* what a text that is silent has always meant */
    dpn_plan_free(&often);
    dpn_plan neighbours = plan_of("[{\"coordinates\": \"0,1-2,3,4-4,5\", \"noise\": \"none\"}]");
    assert_int_equal(neighbours.dimension, 6); /* one that follows at once may be written apart */
    for (size_t i = 0; i < 6; i++) assert_int_equal(neighbours.block[0].coordinate[i], i);
    dpn_plan_free(&neighbours);
    assert_non_null(dpn_plan_law(&plan, 5));
    dpn_plan_free(&plan);
}

static void hostile_text_is_refused(void **state) {
    (void)state;
#define ONE(coordinates, noise) "[{\"coordinates\": \"" coordinates "\", \"noise\": \"" noise "\"}]"
#define LAW "laplace(scale=1)"
    expect_refused("", "line 1: the text ends too early");
    expect_refused("3", "a plan is a list of blocks, or an object with one as its member 'plan'");
    expect_refused("[]", "the plan has no blocks");
    expect_refused("{}", "there is no member 'plan' that is a list of blocks");
    expect_refused("{\"plan\": {}}", "there is no member 'plan' that is a list of blocks");
    expect_refused("{\"plan\": [], \"plan\": []}", "the member 'plan' is given twice");
    expect_refused("[1]", "block 0 of the plan: an object is expected");
    expect_refused("[{}]", "block 0 of the plan: coordinates: a string as \"0-4,7\" is expected");
    static const char *const lists[] = {"",      "a",      "1-0", "0,0",      "1,0",
                                        "0-2,1", "0-",     "-1",  "0,",       ",0",
                                        "0 ,1",  "0--1",   "0x1", "10000000", "0-99999999999999999999",
                                        "1e3",   "\\u0030"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char text[120];
        snprintf(text, sizeof text, "[{\"coordinates\": \"%s\", \"noise\": \"" LAW "\"}]", lists[i]);
        expect_refused(
            text, "block 0 of the plan: coordinates: ascending numbers and ranges below 1e7, as 0-4,7, are expected");
    }
    expect_refused(ONE("1", LAW), "coordinate 0 is in no block of the plan");
    expect_refused(ONE("0,2-4", LAW), "coordinate 1 is in no block of the plan");
    expect_refused("[{\"coordinates\": \"0-1\", \"noise\": \"" LAW
                   "\"}, {\"coordinates\": \"1\", \"noise\": \"none\"}]",
                   "coordinate 1 is in two blocks of the plan");
    expect_refused("[{\"coordinates\": \"1\", \"noise\": \"" LAW "\"}, {\"coordinates\": \"0\", \"noise\": \"none\"}]",
                   "block 1 of the plan: coordinates: the block with the first coordinate must come first");
    expect_refused("[{\"coordinates\": \"0\"}]", "block 0 of the plan: noise: it is missing");
    expect_refused("[{\"coordinates\": \"0\", \"noise\": 3}]", "block 0 of the plan: noise: a string is expected");
    expect_refused(ONE("0", ""), "block 0 of the plan: noise: the law is empty; write for example gaussian(sigma=1)");
    expect_refused(ONE("0", "none()"), "block 0 of the plan: noise: there is no family 'none'");
    expect_refused(ONE("0", "laplace(scale=-1)"),
                   "block 0 of the plan: noise: laplace: scale must lie in [1e-150, 1e150]");
    expect_refused(ONE("0", "pure(epsilon=)"), "block 0 of the plan: noise: a number is missing");
    expect_refused(ONE("0", "pure(epsilon=1"), "block 0 of the plan: noise: epsilon=E) is expected");
    expect_refused(ONE("0", "pure(epsilon=-1)"), "block 0 of the plan: noise: epsilon must not be negative");
    expect_refused(ONE("0", "pure(epsilon=inf)"), "block 0 of the plan: noise: 'inf' is not a decimal number");
    expect_refused(
        ONE("0", "k-norm(ball=l3,epsilon=1)"),
        "block 0 of the plan: noise: k-norm(ball=B,epsilon=E) is expected, B one of box, l1, l2, linf, hull");
    expect_refused("[{\"coordinates\": \"0-1\", \"noise\": \"" LAW "\", \"sensitivities\": [1]}]",
                   "block 0 of the plan: sensitivities: there must be one for each coordinate");
    expect_refused("[{\"coordinates\": \"0\", \"noise\": \"" LAW "\", \"sensitivities\": [-1]}]",
                   "block 0 of the plan: sensitivities: they must be finite and not negative");
    expect_refused("[{\"coordinates\": \"0\", \"noise\": \"" LAW "\", \"sensitivities\": [\"inf\"]}]",
                   "block 0 of the plan: sensitivities: they must be finite and not negative");
    expect_refused("[{\"coordinates\": \"0\", \"noise\": \"" LAW "\", \"sensitivities\": \"one\"}]",
                   "block 0 of the plan: sensitivities: a number is expected");
    expect_refused("{\"plan\": " ONE("0", LAW) ", \"relation\": \"swap\"}", "relation must be add-remove or replace");
    expect_refused("{\"plan\": " ONE("0", LAW) ", \"unit\": 3}", "unit must be row or person");
    static const char *const times[] = {"1.5",  "-1", "1e3", "1000000000000000001", "18446744073709551617",
                                        "\"3\""}; /* 2^64 + 1 */
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char text[160];
        snprintf(text, sizeof text, "{\"plan\": " ONE("0", LAW) ", \"times\": %s}", times[i]);
        expect_refused(text, "times must be a whole number from 0 to 1e18, in digits");
    }
    expect_refused("{\"plan\": " ONE("0", LAW) ", \"sensitivity\": 1}", "sensitivity must be an object");
    expect_refused("{\"plan\": " ONE("0", LAW) ", \"sensitivity\": {\"l1\": -1}}",
                   "l1 must be a number that is not negative");
}

/* A law of any family. */
static dpn_law draw_law(draw_source *source) {
    static const char *const families[] = {"gaussian", "laplace",  "flipped-huber",
                                           "osgt",     "logistic", "discrete-laplace"};
    dpn_law law;
    double parameter[] = {draw_log_uniform(source, 1e-3, 1e6), draw_log_uniform(source, 1e-3, 1e6)};
    size_t family = draw_bits(source) % 6, count = family == 2 || family == 3 ? 2 : 1;
    if (dpn_law_make(&law, families[family], parameter, count, NULL)) fail_msg("a law of %s", families[family]);
    return law;
}

/* A plan of up to 5 blocks on up to 30 coordinates, each coordinate in a block of its own choice. */
static dpn_plan draw_plan(draw_source *source) {
    size_t dimension = 1 + draw_bits(source) % 30, most = 1 + draw_bits(source) % 5, place[5];
    dpn_plan plan = {.dimension = dimension};
    plan.block = calloc(most, sizeof *plan.block);
    plan.sensitivity = calloc(dimension, sizeof *plan.sensitivity);
    plan.variance = calloc(dimension, sizeof *plan.variance);
    assert_true(plan.block && plan.sensitivity && plan.variance);
    for (size_t i = 0; i < most; i++) place[i] = SIZE_MAX;
    for (size_t i = 0; i < dimension; i++) {
        size_t choice = draw_bits(source) % most;
        if (place[choice] == SIZE_MAX) {
            dpn_block *block = &plan.block[place[choice] = plan.blocks++];
            block->kind = (dpn_block_kind)(draw_bits(source) % 4);
            if (block->kind == DPN_BLOCK_LAW) block->law = draw_law(source);
            if (block->kind == DPN_BLOCK_K_NORM) block->ball = (dpn_ball_kind)(draw_bits(source) % 5);
            if (block->kind == DPN_BLOCK_K_NORM || block->kind == DPN_BLOCK_PURE)
                block->epsilon = draw_log_uniform(source, 1e-9, 1e3);
            block->coordinate = calloc(dimension, sizeof *block->coordinate);
            assert_non_null(block->coordinate);
        }
        dpn_block *block = &plan.block[place[choice]];
        block->coordinate[block->count++] = i;
        plan.sensitivity[i] = block->kind == DPN_BLOCK_NONE ? 0
                              : draw_chance(source, 0.5)
                                  ? (double)(1 + draw_bits(source) % 2) /* often like one before */
                                  : draw_log_uniform(source, 1e-5, 1e5);
    }
    return plan;
}

/* Answers on a grid move by whole steps: a block that says it moves by a part of one is not the block of any such answers. */
static void steps_of_a_grid_are_whole(void **state) {
    static const double sensitivity[] = {0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3}, grid[] = {0.25, 0.5, 1, 2};
    (void)state;
    for (size_t g = 0; g < sizeof grid / sizeof *grid; g++)
        for (size_t i = 0; i < sizeof sensitivity / sizeof *sensitivity; i++) {
            char text[300];
            dpn_plan plan;
            dpn_error why;
            snprintf(text, sizeof text,
                     "[{\"coordinates\": \"0-1\", \"noise\": \"laplace(scale=4)\", \"grid\": %g, \"sensitivities\": "
                     "[2, %g]}]",
                     grid[g], sensitivity[i]);
            dpn_status status = dpn_plan_read(&plan, text, strlen(text), &why);
            bool whole = floor(sensitivity[i] / grid[g]) * grid[g] == sensitivity[i];
            if (status != (whole ? DPN_OK : DPN_EDOMAIN)) fail_msg("%s", text);
            if (!status) dpn_plan_free(&plan);
        }
}

/* Blocks of one family with different scales, in sets that are no boxes: no coordinate that moves alone, as far as it may, costs more than the plan. */
static void every_block_has_its_own_law(void **state) {
    static const char *const noise[][2] = {{"gaussian(sigma=8)", "gaussian(sigma=2)"},
                                           {"laplace(scale=9)", "laplace(scale=3)"},
                                           {"gaussian(sigma=2)", "gaussian(sigma=8)"},
                                           {"logistic(scale=6)", "logistic(scale=2)"}};
    static const char *const set[] = {"\"l1\": 1", "\"l2\": 1", "\"max_changed\": 1", "\"l2\": 1, \"max_changed\": 2"};
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (size_t n = 0; n < 4; n++)
        for (size_t k = 0; k < 4; k++) {
            char text[400];
            snprintf(text, sizeof text,
                     "{\"plan\": [{\"coordinates\": \"0\", \"noise\": \"%s\", \"sensitivities\": 1}, {\"coordinates\": "
                     "\"1-2\", "
                     "\"noise\": \"%s\", \"sensitivities\": 1}], \"sensitivity\": {%s}}",
                     noise[n][0], noise[n][1], set[k]);
            dpn_plan plan = plan_of(text);
            dpn_sensitivity of;
            dpn_delta whole, alone;
            dpn_error why;
            if (dpn_plan_sensitivity(&of, &plan, &why) ||
                dpn_plan_delta(&whole, NULL, workspace, &plan, &of, 1, 0.1, NULL, &why))
                fail_msg("%s: %s", text, why.sentence);
            for (size_t b = 0; b < 2; b++) {
                dpn_law law;
                assert_int_equal(dpn_law_parse(&law, noise[n][b], &why), DPN_OK);
                assert_int_equal(dpn_profile_delta(&alone, &law, 1, 0.1, &why), DPN_OK);
                if (!(alone.lower <= whole.upper))
                    fail_msg("%s: %g, and block %zu alone %g", text, whole.upper, b, alone.lower);
            }
            dpn_plan_free(&plan);
        }
    dpn_workspace_free(workspace);
}

/* What a set says of a coordinate may be less than what its block says, never more. */
static void blocks_move_as_far_as_the_set(void **state) {
    (void)state;
    static const struct {
        const char *set;
        int refused; /* this coordinate, -1: none */
    } row[] = {{"{\"dimension\": 2, \"linf\": 1}", -1},
               {"{\"dimension\": 2, \"linf\": 1.0000001}", 0},
               {"{\"bounds\": [1, 2]}", -1},
               {"{\"bounds\": [0.5, 2]}", -1},
               {"{\"bounds\": [1, 2.0000001]}", 1},
               {"{\"bounds\": [3, 3], \"linf\": 1}", -1},
               {"{\"linf\": 5, \"l2\": 1}", -1},
               {"{\"linf\": 5, \"l2\": 1.5}", 0},
               {"{\"l1\": 1.5}", 0},
               {"{\"l1\": 2.5, \"l2\": 1}", -1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[400], where[40];
        dpn_plan plan;
        dpn_error why;
        snprintf(
            text, sizeof text,
            "{\"plan\": [{\"coordinates\": \"0-1\", \"noise\": \"gaussian(sigma=4)\", \"sensitivities\": [1, 2]}], "
            "\"sensitivity\": %s}",
            row[i].set);
        dpn_status status = dpn_plan_read(&plan, text, strlen(text), &why);
        if (status != (row[i].refused < 0 ? DPN_OK : DPN_EDOMAIN)) fail_msg("%s: %d", row[i].set, status);
        if (status == DPN_OK) {
            dpn_plan_free(&plan);
            continue;
        }
        snprintf(where, sizeof where, "of coordinate %d is", row[i].refused);
        if (!strstr(why.sentence, where)) fail_msg("%s: %s", row[i].set, why.sentence);
    }
    expect_refused("{\"plan\": [{\"coordinates\": \"0-1\", \"noise\": \"laplace(scale=4)\", \"sensitivities\": 1}], "
                   "\"sensitivity\": {\"bounds\": [1]}}",
                   "bounds must be a list of one number for each coordinate");
}

static void expect_same(const dpn_plan *a, const dpn_plan *b) {
    assert_int_equal(a->dimension, b->dimension);
    assert_int_equal(a->blocks, b->blocks);
    for (size_t i = 0; i < a->dimension; i++) assert_true(a->sensitivity[i] == b->sensitivity[i]);
    for (size_t i = 0; i < a->blocks; i++) {
        const dpn_block *x = &a->block[i], *y = &b->block[i];
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->count, y->count);
        assert_true(x->epsilon == y->epsilon && x->ball == y->ball);
        assert_memory_equal(x->coordinate, y->coordinate, x->count * sizeof *x->coordinate);
        if (x->kind == DPN_BLOCK_LAW) assert_memory_equal(&x->law, &y->law, sizeof x->law);
    }
}

static void random_plans_survive(void **state) {
    (void)state;
    draw_source source = {20261116};
    for (int round = 0; round < 1000; round++) {
        dpn_plan plan = draw_plan(&source), again;
        char *text, *twice;
        size_t length = 0;
        dpn_error why;
        assert_int_equal(dpn_plan_write(&text, &length, &plan, NULL), DPN_OK);
        assert_int_equal(length, strlen(text));
        if (dpn_plan_read(&again, text, length, &why)) fail_msg("%s: %s", text, why.sentence);
        expect_same(&plan, &again);
        assert_int_equal(dpn_plan_write(&twice, NULL, &again, NULL), DPN_OK);
        assert_string_equal(text, twice);
        free(text);
        free(twice);
        dpn_plan_free(&plan);
        dpn_plan_free(&again);
    }
}

/* Damaged text is refused or a plan that can be written again; nothing else happens (the sanitizers watch). */
static void damaged_plans(void **state) {
    (void)state;
    draw_source source = {7};
    static const char bytes[] = "{}[]\",:0123456789-.eE\\u nul";
    for (int round = 0; round < 3000; round++) {
        dpn_plan plan = draw_plan(&source), again;
        char *text, *twice;
        assert_int_equal(dpn_plan_write(&text, NULL, &plan, NULL), DPN_OK);
        size_t length = strlen(text);
        for (size_t i = draw_bits(&source) % 3 + 1; i > 0; i--)
            text[draw_bits(&source) % length] = bytes[draw_bits(&source) % (sizeof bytes - 1)];
        if (draw_chance(&source, 0.2)) length = draw_bits(&source) % length;
        dpn_error why = {DPN_OK, ""};
        dpn_status status = dpn_plan_read(&again, text, length, &why);
        if (status) {
            assert_true(why.sentence[0] && why.status == status);
        } else {
            assert_int_equal(dpn_plan_write(&twice, NULL, &again, NULL), DPN_OK);
            free(twice);
            dpn_plan_free(&again);
        }
        free(text);
        dpn_plan_free(&plan);
    }
}

/* An epsilon of a mechanism is not read below its decimal. */
static void epsilons_are_rounded_up(void **state) {
    (void)state;
    dpn_plan plan = plan_of(ONE("0", "pure(epsilon=0.3)"));
    char *text;
    assert_true(plan.block[0].epsilon == nextafter(0.3, 1)); /* the double nearest to 0.3 is below it */
    assert_int_equal(dpn_plan_write(&text, NULL, &plan, NULL), DPN_OK);
    assert_non_null(strstr(text, "pure(epsilon=0.3)"));
    free(text);
    dpn_plan_free(&plan);
}

/* ---- guarantees ---- */

static dpn_part part_law(const char *text, double sensitivity, uint64_t times) {
    dpn_law law;
    dpn_part part = {.times = times};
    assert_int_equal(dpn_law_parse(&law, text, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&part.loss, &law, sensitivity, NULL), DPN_OK);
    return part;
}

/* No lower end exceeds the truth: 1 - exp(-e/2) at epsilon 0 for moves that reach e of the box, and less for an l1 ball around
 * the same moves, whose noise is that of two Laplace laws. */
static void lower_ends_are_reached(void **state) {
    (void)state;
    static const struct {
        const char *ball;
        double bound[2], truth;
        bool exact;
    } cases[] = {
        {"box", {1, 2}, 0.3934693402873666, true},   {"box", {0.5, 1}, 0.22119922, false}, {"box", {0, 0}, 0, false},
        {"linf", {1, 2}, 0.3934693402873666, false}, {"l1", {1, 2}, 0.2418, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=%s,epsilon=1)\", \"sensitivities\": [1, 2]}]",
                 cases[i].ball);
        dpn_plan plan = plan_of(text);
        dpn_sensitivity set = {.dimension = 2, .bound = cases[i].bound};
        dpn_delta delta;
        dpn_argument argument;
        assert_int_equal(dpn_plan_delta(&delta, &argument, NULL, &plan, &set, 1, 0, NULL, NULL), DPN_OK);
        assert_true(delta.lower <= cases[i].truth && delta.upper >= cases[i].truth);
        assert_int_equal(argument, cases[i].exact ? DPN_ARGUMENT_CORNER : DPN_ARGUMENT_BOUND);
        if (cases[i].exact) assert_true(delta.lower > cases[i].truth - 1e-6);
        dpn_plan_free(&plan);
    }
}

/* The largest loss of a block that moves by its sensitivities, from the definition: the sum of the distances in units of the scale, of as many
 * coordinates as may move at once; without end for Gaussian noise and for noise that ends. */
static void blocks_know_their_largest_losses(void **state) {
    (void)state;
    static const struct {
        const char *noise, *sensitivities, *set;
        double largest; /* NaN: not known */
    } row[] = {
        {"laplace(scale=4)", "[1, 2, 1]", "{}", 1},
        {"laplace(scale=4)", "[1, 3, 2]", "{\"max_changed\": 2}", 1.25},
        {"laplace(scale=4)", "[1, 3, 2]", "{\"max_changed\": 1}", 0.75},
        {"laplace(scale=4)", "[1, 3, 2]", "{\"max_changed\": 3}", 1.5},
        {"discrete-laplace(scale=4)", "[1, 3, 2]", "{\"max_changed\": 2}", 1.25},
        {"staircase(epsilon=0.5,sensitivity=1,gamma=0.25)", "[1, 2, 1]", "{}", 2},
        {"gaussian(sigma=4)", "[1, 2, 1]", "{}", INFINITY},
        {"truncated-laplace(scale=4,bound=40)", "[1, 2, 1]", "{}", INFINITY},
        {"k-norm(ball=box,epsilon=0.25)", "[1, 1, 1]", "{}", 0.25},
        {"pure(epsilon=0.125)", "[1, 2, 1]", "{}", 0.125},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "{\"plan\": [{\"coordinates\": \"0-2\", \"noise\": \"%s\", \"sensitivities\": %s}], \"sensitivity\": %s}",
            row[i].noise, row[i].sensitivities, row[i].set);
        dpn_plan plan = plan_of(text);
        double largest = dpn_block_largest_loss(&plan, &plan.block[0]);
        if (!(largest >= row[i].largest &&
              (isinf(largest) ? isinf(row[i].largest) : largest <= row[i].largest * (1 + 1e-14))))
            fail_msg("%s: %.17g, not %g", text, largest, row[i].largest);
        dpn_plan_free(&plan);
    }
    dpn_plan unknown = plan_of("[{\"coordinates\": \"0-2\", \"noise\": \"laplace(scale=4)\"}]");
    assert_true(isnan(dpn_block_largest_loss(&unknown, &unknown.block[0])));
    dpn_plan_free(&unknown);
}

/* pure_epsilon from the definition: the sum of the distances of the farthest move in scales, times the releases; none for noise whose loss is
 * unbounded, or that ends, whatever delta was asked for. */
static void plans_know_their_largest_losses(void **state) {
    (void)state;
    static const double bound[] = {1, 2, 2};
    static const struct {
        const char *family;
        bool pure;
    } row[] = {{"laplace", true},   {"discrete-laplace", true},     {"logistic", true},
               {"gaussian", false}, {"truncated-laplace", false},   {"flipped-huber", false},
               {"osgt", false},     {"truncated-geometric", false}, {"discrete-gaussian", false}};
    static const dpn_sensitivity sets[] = {{.dimension = 1, .linf = 2},
                                           {.dimension = 3, .bound = bound},
                                           {.dimension = 3, .bound = bound, .max_changed = 2},
                                           {.dimension = 3, .bound = bound, .l1 = 2}};
    static const double farthest[] = {2, 5, 4, 2};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (size_t k = 0; k < 4; k++)
            for (uint64_t times = 1; times <= 3; times += 2) {
                dpn_calibration_options options = dpn_calibration_options_init();
                options.identical = true;
                options.times = times;
                dpn_plan plan;
                if (dpn_calibrate(&plan, row[i].family, 1, 1e-3, &sets[k], &options, NULL)) continue;
                const dpn_law *law = dpn_plan_law(&plan, 0);
                if (!row[i].pure && !strcmp(dpn_law_family(law), row[i].family)) {
                    if (isfinite(plan.pure_epsilon)) fail_msg("%s: %g", row[i].family, plan.pure_epsilon);
                } else if (row[i].pure) {
                    double truth = farthest[k] * (double)times / dpn_law_parameter(law, "scale");
                    if (!(plan.pure_epsilon >= truth * (1 - 1e-15) &&
                          (k == 3 || plan.pure_epsilon <= truth * (1 + 1e-9)))) /* of an l1 ball a bound */
                        fail_msg("%s, set %zu, %d times: %.17g, not %.17g", row[i].family, k, (int)times,
                                 plan.pure_epsilon, truth);
                }
                dpn_plan_free(&plan);
            }
}

/* On a ball the divergences of one release count once for each: a l2^2/2 sigma^2 of Gaussian noise, both ends. */
static void releases_on_a_ball_add_up(void **state) {
    (void)state;
    dpn_plan plan =
        plan_of("{\"plan\": [{\"coordinates\": \"0-4\", \"noise\": \"gaussian(sigma=4)\", \"sensitivities\": 2}], "
                "\"sensitivity\": {\"l2\": 2}}");
    dpn_sensitivity set;
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, NULL), DPN_OK);
    for (uint64_t times = 1; times <= 1000; times *= 10) {
        double order[] = {2, 17};
        dpn_divergence got[2];
        assert_int_equal(dpn_plan_renyi(got, NULL, &plan, &set, times, order, 2, NULL), DPN_OK);
        for (int i = 0; i < 2; i++) {
            double truth = (double)times * order[i] / 8;
            assert_true(got[i].lower <= truth && got[i].upper >= truth);
            assert_true(got[i].lower >= truth * (1 - 1e-12) && got[i].upper <= truth * (1 + 1e-12));
        }
    }
    dpn_plan_free(&plan);
}

/* Blocks of every kind on a box are the composition of their losses. */
static void blocks_compose(void **state) {
    (void)state;
    dpn_plan plan =
        plan_of("[{\"coordinates\": \"0-2\", \"noise\": \"laplace(scale=4)\", \"sensitivities\": [1, 2, 1]},"
                " {\"coordinates\": \"3-4\", \"noise\": \"gaussian(sigma=5)\", \"sensitivities\": 3},"
                " {\"coordinates\": \"5-7\", \"noise\": \"k-norm(ball=box,epsilon=0.25)\", \"sensitivities\": 1},"
                " {\"coordinates\": \"8\", \"noise\": \"pure(epsilon=0.125)\", \"sensitivities\": 9},"
                " {\"coordinates\": \"9\", \"noise\": \"none\"}]");
    dpn_part part[5] = {part_law("laplace(scale=4)", 2, 2),
                        part_law("laplace(scale=4)", 1, 4),
                        part_law("gaussian(sigma=5)", 3, 4),
                        {.times = 2},
                        {.times = 2}};
    assert_int_equal(dpn_loss_block(&part[3].loss, 0.25, NULL), DPN_OK);
    assert_int_equal(dpn_loss_pure(&part[4].loss, 0.125, NULL), DPN_OK);
    dpn_sensitivity set;
    dpn_workspace *workspace;
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, NULL), DPN_OK);
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (double epsilon = -1; epsilon < 5; epsilon += 0.75) {
        dpn_delta ours, theirs;
        dpn_argument argument;
        assert_int_equal(dpn_plan_delta(&ours, &argument, workspace, &plan, &set, 2, epsilon, NULL, NULL), DPN_OK);
        assert_int_equal(dpn_compose_delta(&theirs, workspace, part, 5, epsilon, NULL, NULL), DPN_OK);
        assert_true(fabs(ours.upper / theirs.upper - 1) < 2e-5 && ours.upper >= theirs.lower &&
                    theirs.upper >= ours.lower);
        assert_int_equal(argument, DPN_ARGUMENT_BOUND); /* of the pure mechanism nothing is known from below */
        assert_true(ours.lower == 0 || epsilon < 0);
        dpn_epsilon back;
        if (epsilon <= 0) continue;
        assert_int_equal(dpn_plan_epsilon(&back, NULL, workspace, &plan, &set, 2, ours.upper, NULL, NULL), DPN_OK);
        assert_true(back.lower <= epsilon * (1 + 1e-4) && back.upper >= epsilon * (1 - 1e-4));
    }
    dpn_divergence ours, theirs;
    dpn_zcdp zcdp, sum;
    double order = 3;
    assert_int_equal(dpn_plan_renyi(&ours, NULL, &plan, &set, 2, &order, 1, NULL), DPN_OK);
    assert_int_equal(dpn_renyi_compose(&theirs, part, 5, &order, 1, NULL), DPN_OK);
    assert_true(fabs(ours.upper / theirs.upper - 1) < 1e-12);
    assert_int_equal(dpn_plan_zcdp(&zcdp, &plan, &set, 2, NULL), DPN_OK);
    assert_int_equal(dpn_zcdp_compose(&sum, part, 5, NULL), DPN_OK);
    assert_true(fabs(zcdp.rho / sum.rho - 1) < 1e-12);

    /* What is refused: a coordinate that moves without noise, a set that is no box, another dimension. */
    dpn_error why;
    dpn_delta untouched = {3, 3, 3, 3};
    dpn_sensitivity bad = {.dimension = 10, .linf = 1};
    assert_int_equal(dpn_plan_delta(&untouched, NULL, workspace, &plan, &bad, 1, 1, NULL, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "coordinate 9 can move and has no noise");
    dpn_delta box, all;
    dpn_sensitivity every = set;
    every.max_changed = 10; /* no bound, as all may */
    assert_int_equal(dpn_plan_delta(&box, NULL, workspace, &plan, &set, 1, 0.5, NULL, NULL), DPN_OK);
    assert_int_equal(dpn_plan_delta(&all, NULL, workspace, &plan, &every, 1, 0.5, NULL, NULL), DPN_OK);
    assert_true(box.lower == all.lower && box.upper == all.upper);
    bad = set;
    bad.max_changed = 2;
    assert_int_equal(dpn_plan_delta(&untouched, NULL, workspace, &plan, &bad, 1, 1, NULL, &why), DPN_EUNSUPPORTED);
    double wide[] = {1, 2, 1, 3, 3, 1, 1, 1.5, 9, 0};
    bad = (dpn_sensitivity){.dimension = 10, .bound = wide};
    assert_int_equal(dpn_plan_delta(&untouched, NULL, workspace, &plan, &bad, 1, 1, NULL, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "coordinate 7 moves further than the plan says, whose epsilon would not hold");
    plan.l1 = 5; /* the epsilons are those of a smaller set */
    assert_int_equal(dpn_plan_delta(&untouched, NULL, workspace, &plan, &set, 1, 1, NULL, &why), DPN_EUNSUPPORTED);
    plan.l1 = 0;
    bad = (dpn_sensitivity){.dimension = 9, .linf = 1};
    assert_int_equal(dpn_plan_delta(&untouched, NULL, workspace, &plan, &bad, 1, 1, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_plan_delta(&untouched, NULL, workspace, &plan, &set, UINT64_MAX, 1, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_plan_delta(&untouched, NULL, workspace, &plan, &set, 1, NAN, NULL, &why), DPN_EDOMAIN);
    assert_true(untouched.upper == 3);
    dpn_workspace_free(workspace);
    dpn_plan_free(&plan);
}

/* Where the norm is bounded the laws decide: rho = n l2^2/2 sigma^2 for n releases, and that of the laws themselves for one. */
static void zcdp_of_several_releases(void **state) {
    (void)state;
    const char text[] = "[{\"coordinates\": \"0-2\", \"noise\": \"gaussian(sigma=2)\", \"sensitivities\": 1}]";
    const dpn_sensitivity set = {.dimension = 3, .linf = 1, .l2 = 1};
    dpn_plan plan;
    dpn_zcdp one, alone;
    assert_int_equal(dpn_plan_read(&plan, text, strlen(text), NULL), DPN_OK);
    assert_int_equal(dpn_zcdp_sensitivity(&alone, NULL, &plan.block[0].law, 1, &set, NULL), DPN_OK);
    assert_int_equal(dpn_plan_zcdp(&one, &plan, &set, 1, NULL), DPN_OK);
    assert_true(one.rho == alone.rho && one.xi == alone.xi);
    for (uint64_t times = 2; times < 100; times = 2 * times + 1) {
        dpn_zcdp all;
        assert_int_equal(dpn_plan_zcdp(&all, &plan, &set, times, NULL), DPN_OK);
        double truth = (double)times / 8;
        assert_true(all.rho >= truth && all.rho <= truth * (1 + 1e-12) && all.xi == 0);
    }
    dpn_plan_free(&plan);
}

/* A calibrated plan that went through text has the delta that it was certified with, on sets of several kinds. */
static void calibrated_plans_are_certified_anew(void **state) {
    (void)state;
    static const double bounds[] = {1, 2, 2, 5, 0};
    static const double vertex[] = {1, 0, 0, 1};
    const dpn_sensitivity sets[] = {
        {.dimension = 1, .linf = 1},
        {.dimension = 5, .bound = bounds, .relation = DPN_ADD_REMOVE},
        {.dimension = 50, .linf = 1, .max_changed = 2},
        {.dimension = 3, .l1 = 2},
        {.dimension = 2, .vertex = vertex, .vertices = 2},
    };
    static const char *const families[] = {"gaussian", "laplace"};
    for (size_t f = 0; f < 2; f++)
        for (size_t s = 0; s < 5; s++) {
            dpn_plan plan;
            dpn_error why;
            dpn_delta again;
            dpn_sensitivity set;
            dpn_calibration_options options = {.size = sizeof(dpn_calibration_options), .times = 1 + s % 2};
            if (dpn_calibrate(&plan, families[f], 1, 1e-5, &sets[s], &options, &why)) fail_msg("%s", why.sentence);
            char *list, text[4096];
            assert_int_equal(dpn_plan_write(&list, NULL, &plan, NULL), DPN_OK);
            snprintf(text, sizeof text,
                     "{\"plan\": %s, \"sensitivity\": {\"max_changed\": %zu, \"l1\": %g, \"vertices\": %zu}}", list,
                     plan.max_changed, plan.l1, plan.vertices);
            dpn_plan read = plan_of(text);
            assert_true(fabs(read.mse / plan.mse - 1) < 1e-15);
            assert_int_equal(dpn_plan_sensitivity(&set, &read, NULL), plan.vertices ? DPN_EUNSUPPORTED : DPN_OK);
            if (plan.vertices) set = sets[s];
            if (dpn_plan_delta(&again, NULL, NULL, &read, &set, options.times, 1, NULL, &why))
                fail_msg("%s", why.sentence);
            assert_true(again.upper <= 1e-5 * (1 + 1e-6) && again.upper >= plan.delta.lower * (1 - 1e-6));
            free(list);
            dpn_plan_free(&plan);
            dpn_plan_free(&read);
        }
}

/* More different bounds than a composition takes: rounded up to the largest of the block. */
static void many_bounds_are_rounded_up(void **state) {
    (void)state;
    char text[2000] = "[{\"coordinates\": \"0-99\", \"noise\": \"laplace(scale=50)\", \"sensitivities\": [1";
    for (int i = 1; i < 100; i++) snprintf(text + strlen(text), sizeof text - strlen(text), ", %g", 1 - i / 1000.0);
    snprintf(text + strlen(text), sizeof text - strlen(text), "]}]");
    dpn_plan plan = plan_of(text);
    dpn_sensitivity set;
    dpn_delta ours, all;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    dpn_part part = part_law("laplace(scale=50)", 1, 100);
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, NULL), DPN_OK);
    assert_int_equal(dpn_plan_delta(&ours, NULL, workspace, &plan, &set, 0, 0.5, NULL, NULL), DPN_OK);
    assert_int_equal(dpn_compose_delta(&all, workspace, &part, 1, 0.5, NULL, NULL), DPN_OK);
    assert_true(ours.upper == all.upper && ours.lower == 0);
    dpn_workspace_free(workspace);
    dpn_plan_free(&plan);
}

/* Bounds of noise on the integers are whole steps, also for a coordinate that therefore cannot move. */
static void integers_move_by_whole_steps(void **state) {
    (void)state;
    dpn_plan plan =
        plan_of("[{\"coordinates\": \"0\", \"noise\": \"discrete-laplace(scale=4)\", \"sensitivities\": 1.5},"
                " {\"coordinates\": \"1\", \"noise\": \"none\", \"sensitivities\": 0.5}]");
    dpn_sensitivity set;
    dpn_epsilon epsilon;
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, NULL), DPN_OK);
    assert_int_equal(dpn_plan_epsilon(&epsilon, NULL, NULL, &plan, &set, 1, 0, NULL, NULL), DPN_OK);
    assert_true(epsilon.lower <= 0.25 && epsilon.upper >= 0.25 && epsilon.upper < 0.25 + 1e-12);
    dpn_plan_free(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_read),
        cmocka_unit_test(hostile_text_is_refused),
        cmocka_unit_test(steps_of_a_grid_are_whole),
        cmocka_unit_test(every_block_has_its_own_law),
        cmocka_unit_test(blocks_move_as_far_as_the_set),
        cmocka_unit_test(random_plans_survive),
        cmocka_unit_test(damaged_plans),
        cmocka_unit_test(epsilons_are_rounded_up),
        cmocka_unit_test(lower_ends_are_reached),
        cmocka_unit_test(blocks_know_their_largest_losses),
        cmocka_unit_test(plans_know_their_largest_losses),
        cmocka_unit_test(releases_on_a_ball_add_up),
        cmocka_unit_test(blocks_compose),
        cmocka_unit_test(zcdp_of_several_releases),
        cmocka_unit_test(calibrated_plans_are_certified_anew),
        cmocka_unit_test(many_bounds_are_rounded_up),
        cmocka_unit_test(integers_move_by_whole_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
