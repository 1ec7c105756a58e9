/* The kinds of noise of a block: their names, texts and facts, each against what the kind is by its definition. */
#include <dpnoise/number.h>
#include <dpnoise/plan.h>

#include "calibrate/noise/kind.h"
#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A text of each kind, in the order of the table. */
static const char *const texts[] = {"osgt(m=3,sigma=6.3)",
                                    "none",
                                    "k-norm(ball=l2,epsilon=0.25)",
                                    "pure(epsilon=0.7)",
                                    "start-box(epsilon=0.5)",
                                    "start-staircase(epsilon=2)",
                                    "random-box(alpha=0.5,beta=0.0625)",
                                    "truncated-staircase(epsilon=0.5,low=2.25,high=3.5,theta=0.75)",
                                    "discrete-staircase(epsilon=0.5,step=3,low=7,high=11,theta=0.75)",
                                    "spherical(alpha=0.5,beta=0.0625)"};
enum { KINDS = sizeof texts / sizeof *texts };

static void names_and_texts_agree(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        char text[DPN_BLOCK_TEXT_SIZE];
        dpn_block block = {0};
        assert_int_equal(dpn_noise_parse(&block, texts[kind], NULL), DPN_OK);
        assert_int_equal(block.kind, kind);
        assert_string_equal(dpn_block_print(text, &block, 0), texts[kind]);
        assert_string_equal(dpn_noise_kind_of(&block)->name, dpn_block_kind_name(block.kind));
        if (kind != DPN_BLOCK_LAW)
            assert_int_equal(
                strncmp(texts[kind], dpn_block_kind_name(block.kind), strlen(dpn_block_kind_name(block.kind))), 0);
        assert_int_equal(dpn_block_is_silent(&block), kind == DPN_BLOCK_NONE);
        assert_true((dpn_block_law(&block) == &block.law) == (kind == DPN_BLOCK_LAW));
    }
    assert_null(dpn_block_kind_name((dpn_block_kind)KINDS));
}

/* What each kind may be told as besides: the text comes back as it was read, with all its numbers. */
static void other_texts_come_back(void **state) {
    (void)state;
    static const char *const other[] = {"discrete-staircase(epsilon=0.75,step=3,start=1)",
                                        "k-norm(ball=box,epsilon=1)",
                                        "k-norm(ball=l1,epsilon=0.1)",
                                        "k-norm(ball=linf,epsilon=3)",
                                        "k-norm(ball=hull,epsilon=2)",
                                        "discrete-osgt(m=1.5,sigma=2)"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        char text[DPN_BLOCK_TEXT_SIZE];
        dpn_block block = {0}, again = {0};
        assert_int_equal(dpn_noise_parse(&block, other[i], NULL), DPN_OK);
        assert_string_equal(dpn_block_print(text, &block, 0), other[i]);
        assert_int_equal(dpn_noise_parse(&again, text, NULL), DPN_OK);
        assert_true(again.kind == block.kind && again.epsilon == block.epsilon && again.low == block.low);
    }
}

/* With fewer digits an epsilon is never told as less than it is, nor as more than a unit of the last digit above. */
static void epsilons_for_people_are_not_below(void **state) {
    (void)state;
    draw_source source = {20261};
    for (int i = 0; i < 1500; i++) {
        char text[DPN_BLOCK_TEXT_SIZE];
        int digits = 1 + (int)(draw_bits(&source) % 15);
        dpn_block block = {.kind = DPN_BLOCK_K_NORM, .epsilon = draw_log_uniform(&source, 1e-300, 1e300)}, read = {0};
        assert_int_equal(dpn_noise_parse(&read, dpn_block_print(text, &block, digits), NULL), DPN_OK);
        double unit = block.epsilon * pow(10, 1 - digits);
        if (!(read.epsilon >= block.epsilon && read.epsilon <= block.epsilon + 1.01 * unit))
            fail_msg("%.17g is told as %s", block.epsilon, text);
        assert_int_equal(dpn_noise_parse(&read, dpn_block_print(text, &block, 0), NULL), DPN_OK);
        assert_true(read.epsilon == block.epsilon);
    }
}

/* Nothing is written where the text is wrong, and the longest text is no special case. */
static void long_texts(void **state) {
    (void)state;
    char text[4200] = "pure(epsilon=0.";
    dpn_block block = {.epsilon = 5};
    memset(text + 15, '1', sizeof text - 17);
    text[sizeof text - 2] = ')';
    assert_int_equal(dpn_noise_parse(&block, text, NULL), DPN_EPARSE);
    assert_true(block.epsilon == 5);
    strcpy(text + 4000, ")");
    assert_int_equal(dpn_noise_parse(&block, text, NULL), DPN_OK);
    assert_true(fabs(block.epsilon - 1.0 / 9) < 1e-15);
}

/* The errors of independent noise, by the formulas of the laws; those of none; and of a mechanism nobody knows. */
static void errors(void **state) {
    (void)state;
    const char text[] = "[{\"coordinates\": \"0,2\", \"noise\": \"laplace(scale=3)\", \"sensitivities\": 1},"
                        " {\"coordinates\": \"1\", \"noise\": \"none\"},"
                        " {\"coordinates\": \"3\", \"noise\": \"pure(epsilon=1)\", \"sensitivities\": 1},"
                        " {\"coordinates\": \"4\", \"noise\": \"k-norm(ball=box,epsilon=0.5)\", \"sensitivities\": 2}]";
    dpn_plan plan;
    assert_int_equal(dpn_plan_read(&plan, text, strlen(text), NULL), DPN_OK);
    const dpn_block *block = plan.block;
    assert_true(dpn_plan_error(&plan, &block[0], 2, DPN_OBJECTIVE_MSE) == 18);
    assert_true(fabs(dpn_plan_error(&plan, &block[0], 0, DPN_OBJECTIVE_INTERVAL95) - 3 * log(20)) < 1e-14);
    assert_true(dpn_plan_error(&plan, &block[1], 1, DPN_OBJECTIVE_MAE) == 0);
    assert_true(isnan(dpn_plan_error(&plan, &block[2], 3, DPN_OBJECTIVE_MSE)));
    assert_true(fabs(dpn_plan_error(&plan, &block[3], 4, DPN_OBJECTIVE_MSE) - 2 * 16) < 1e-12); /* Laplace, scale 4 */
    assert_true(isnan(dpn_plan_error(&plan, &block[3], 0, DPN_OBJECTIVE_MSE)));                 /* of another block */
    dpn_plan_free(&plan);
}

/* A ball is certified by itself, not beside other noise: together their moves are no longer those of the ball. */
static void balls_stand_alone(void **state) {
    (void)state;
    static const char ball[] = "\"noise\": \"k-norm(ball=l2,epsilon=1)\", \"sides\": 1, \"sensitivities\": 1}";
    static const char *const others[] = {"none", "laplace(scale=1)", "pure(epsilon=1)", "k-norm(ball=box,epsilon=1)",
                                         "k-norm(ball=l2,epsilon=1)"};
    for (size_t i = 0; i < 2 * sizeof others / sizeof *others; i++) {
        char text[600], other[200];
        bool first = i % 2, none = i < 2;
        snprintf(other, sizeof other, "\"noise\": \"%s\", \"sides\": 1, \"sensitivities\": %d}", others[i / 2], !none);
        snprintf(text, sizeof text, "[{\"coordinates\": \"0\", %s, {\"coordinates\": \"1\", %s]", first ? ball : other,
                 first ? other : ball);
        dpn_plan plan;
        dpn_delta delta;
        dpn_sensitivity set = {.dimension = 2, .bound = (double[]){first || !none, !first || !none}, .l2 = 1};
        assert_int_equal(dpn_plan_read(&plan, text, strlen(text), NULL), DPN_OK);
        dpn_status status = dpn_plan_delta(&delta, NULL, NULL, &plan, &set, 1, 0.5, NULL, NULL);
        assert_int_equal(status, none ? DPN_OK : DPN_EUNSUPPORTED);
        if (none) /* as Laplace noise of sensitivity/scale 1 */
            assert_true(fabs(delta.upper - (1 - exp(-0.25))) < 1e-12);
        dpn_plan_free(&plan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_texts_agree),
        cmocka_unit_test(other_texts_come_back),
        cmocka_unit_test(epsilons_for_people_are_not_below),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(errors),
        cmocka_unit_test(balls_stand_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
