/* Releases with noise that the caller draws: what is asked of it, where it goes, and what the plan says. */
#include <dpnoise/plan.h>
#include <dpnoise/release.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "unit/random/seeded.h"

#include <cmocka.h>

static dpn_status draw(int64_t *steps, const void *context, dpn_rng *rng, dpn_error *why) {
    (void)rng;
    (void)why;
    for (int i = 0; i < 2; i++) steps[i] = ((const int64_t *)context)[i];
    return DPN_OK;
}

static int freed;
static void count_free(void *context) {
    (void)context;
    freed++;
}

typedef struct counted {
    const int64_t *add;
    size_t count;
} counted;

static dpn_status draw_counted(int64_t *steps, const void *context, dpn_rng *rng, dpn_error *why) {
    const counted *of = context;
    (void)rng;
    (void)why;
    for (size_t i = 0; i < of->count; i++) steps[i] = of->add[i];
    return DPN_OK;
}

static dpn_status draw_nothing(int64_t *steps, const void *context, dpn_rng *rng, dpn_error *why) {
    (void)context;
    (void)rng;
    (void)why;
    steps[0] = 77;
    return DPN_EENTROPY;
}

static dpn_given_noise given(int64_t *context) {
    static const double bound[] = {2, 0, 1}, width[] = {7, 0, 5};
    static const int exponent[] = {-3, 0, 1};
    dpn_given_noise noise = dpn_given_noise_init();
    noise.dimension = 3;
    noise.bound = bound;
    noise.grid_exponents = exponent;
    noise.epsilon = 0.5;
    noise.half_width = width;
    noise.context = context;
    noise.draw = draw;
    noise.free = count_free;
    return noise;
}

static void test_noise_goes_to_what_moves(void **state) {
    (void)state;
    int64_t add[] = {10, -20}, value[] = {1, 2, 3};
    dpn_given_noise noise = given(add);
    dpn_release *release;
    dpn_error why;
    if (dpn_release_given(&release, &noise, &why)) fail_msg("%s", why.sentence);
    seeded random;
    seeded_begin(&random, 1);
    assert_int_equal(dpn_release_draw(value, release, &random.rng, value, NULL), DPN_OK);
    assert_true(value[0] == 11 && value[1] == 2 && value[2] == -17);
    const dpn_plan *plan = dpn_release_plan(release);
    assert_true(plan->blocks == 2 && plan->block[0].kind == DPN_BLOCK_PURE && plan->block[0].epsilon == 0.5);
    assert_true(plan->pure && plan->pure_epsilon == 0.5 && plan->delta.upper == 0);
    assert_true(isnan(plan->variance[0]) && plan->variance[1] == 0);
    assert_true(dpn_release_interval95(release, 0) > 7 && dpn_release_interval95(release, 0) < 7.2);
    dpn_delta less;
    assert_int_equal(dpn_plan_delta(&less, NULL, NULL, plan, dpn_release_sensitivity(release), 1, 0.4, NULL, NULL),
                     DPN_OK);
    assert_true(less.upper > 0);
    int before = freed;
    dpn_release_free(release);
    assert_int_equal(freed, before + 1);
}

/* Any answers may move, each with its own grid and numbers; what moves is one block, in its order, what does not another, and the block of the first answer comes first. */
static void test_everything_stands_where_it_was_given(void **state) {
    (void)state;
    enum { ANSWERS = 5 };
    static const double variance[ANSWERS] = {3, 50, 700, 11, 13}, width[ANSWERS] = {3.5, 20, 55, 7, 8.25};
    static const int exponent[ANSWERS] = {-3, 2, 0, -5, 1};
    seeded random;
    seeded_begin(&random, 3);
    for (int moving = 1; moving < 1 << ANSWERS; moving++)
        for (int known = 0; known < 4; known++) { /* variances and widths, or neither */
            double bound[ANSWERS], sum = 0;
            int64_t add[ANSWERS], value[ANSWERS], noisy[ANSWERS];
            size_t count[2] = {0};
            int finest[2] = {99, 99};
            for (size_t i = 0; i < ANSWERS; i++) {
                bool moves = moving >> i & 1;
                bound[i] = moves ? (double)(i + 1) : 0;
                add[i] = 1000 + (int64_t)i;
                value[i] = -(int64_t)(i * i) - 7;
                count[moves]++;
                if (exponent[i] < finest[moves]) finest[moves] = exponent[i];
                if (moves) sum += variance[i];
            }
            dpn_given_noise noise = dpn_given_noise_init();
            noise.dimension = ANSWERS;
            noise.bound = bound;
            noise.grid_exponents = exponent;
            noise.epsilon = 0.25 + moving;
            noise.whole = known == 3;
            noise.variance = known & 1 ? variance : NULL;
            noise.half_width = known & 2 ? width : NULL;
            noise.relation = known & 1 ? DPN_REPLACE : DPN_ADD_REMOVE;
            noise.unit = known & 2 ? DPN_PERSON : DPN_ROW;
            noise.context = &(counted){add, count[1]};
            noise.draw = draw_counted;
            dpn_release *release;
            dpn_error why;
            if (dpn_release_given(&release, &noise, &why)) fail_msg("%s", why.sentence);
            const dpn_plan *plan = dpn_release_plan(release);
            const dpn_sensitivity *set = dpn_release_sensitivity(release);
            assert_int_equal(plan->dimension, ANSWERS);
            assert_int_equal(plan->blocks, (count[0] > 0) + (count[1] > 0));
            assert_true(plan->pure && plan->epsilon == noise.epsilon && plan->pure_epsilon == noise.epsilon);
            assert_true(plan->times == 1 && plan->relation == noise.relation && plan->unit == noise.unit);
            assert_true(plan->delta.upper == 0 && plan->delta.lower == 0);
            assert_true(known & 1 ? plan->mse == sum && plan->error == sum : isnan(plan->mse) && isnan(plan->error));
            assert_true(set->dimension == ANSWERS && set->relation == noise.relation && set->unit == noise.unit);
            bool seen[ANSWERS] = {false};
            for (size_t b = 0; b < plan->blocks; b++) {
                const dpn_block *block = &plan->block[b];
                bool moves = block->kind == DPN_BLOCK_PURE;
                assert_true(moves || block->kind == DPN_BLOCK_NONE);
                assert_true(block->epsilon == (moves ? noise.epsilon : 0) && block->count == count[moves]);
                assert_true(block->grid == ldexp(1, finest[moves]));
                if (b == 0) assert_int_equal(block->coordinate[0], 0);
                for (size_t i = 0; i < block->count; i++) {
                    assert_true(i == 0 || block->coordinate[i] > block->coordinate[i - 1]);
                    assert_true((bound[block->coordinate[i]] > 0) == moves && !seen[block->coordinate[i]]);
                    seen[block->coordinate[i]] = true;
                }
            }
            assert_int_equal(dpn_release_draw(noisy, release, &random.rng, value, NULL), DPN_OK);
            int64_t next = 0;
            for (size_t i = 0; i < ANSWERS; i++) {
                bool moves = bound[i] > 0;
                double step = ldexp(1, exponent[i]), interval = dpn_release_interval95(release, i);
                assert_true(noisy[i] == value[i] + (moves ? add[next++] : 0));
                assert_int_equal(dpn_release_grid_exponent(release, i), exponent[i]);
                assert_true(plan->sensitivity[i] == bound[i] && set->bound[i] == bound[i]);
                if (!moves)
                    assert_true(plan->variance[i] == 0 && interval == (noise.whole ? 0 : step / 2));
                else if (!(known & 2))
                    assert_true(isnan(interval));
                else if (!noise.whole)
                    assert_true(fabs(interval / (width[i] + step) - 1 - 1e-9) < 1e-11);
                else
                    assert_true(interval == step * floor(width[i] / step + 0.5 + 1e-8));
                if (moves) assert_true(known & 1 ? plan->variance[i] == variance[i] : isnan(plan->variance[i]));
            }
            dpn_release_free(release);
        }
}

/* An error of the noise is that of the release, and nothing is told. */
static void test_errors_of_the_noise(void **state) {
    (void)state;
    int64_t add[] = {10, -20}, value[] = {1, 2, 3};
    dpn_given_noise noise = given(add);
    noise.draw = draw_nothing;
    noise.free = NULL;
    dpn_release *release;
    dpn_error why;
    if (dpn_release_given(&release, &noise, &why)) fail_msg("%s", why.sentence);
    seeded random;
    seeded_begin(&random, 1);
    assert_int_equal(dpn_release_draw(value, release, &random.rng, value, &why), DPN_EENTROPY);
    assert_true(value[0] == 1 && value[1] == 2 && value[2] == 3);
    dpn_release_free(release);
}

static void test_refused(void **state) {
    (void)state;
    int64_t add[2] = {0};
    int before = freed;
    const double still[] = {0, 0, 0}, negative[] = {1, -1, 1}, endless[] = {1, 0, INFINITY}, unknown[] = {NAN, 0, 1};
    static const char *const says[] = {"epsilon", "move",    "answer 2", "function", "bounds", "epsilon",
                                       "epsilon", "epsilon", "answer 3", "answer 1", "bounds", "grids"};
    for (int i = 0; i < 12; i++) {
        dpn_given_noise noise = given(add);
        dpn_release *release = NULL;
        dpn_error why = {DPN_OK, ""};
        if (i == 0) noise.epsilon = 0;
        if (i == 1) noise.bound = still;
        if (i == 2) noise.bound = negative;
        if (i == 3) noise.draw = NULL;
        if (i == 4) noise.dimension = 0;
        if (i == 5) noise.epsilon = -1;
        if (i == 6) noise.epsilon = INFINITY;
        if (i == 7) noise.epsilon = NAN;
        if (i == 8) noise.bound = endless;
        if (i == 9) noise.bound = unknown;
        if (i == 10) noise.bound = NULL;
        if (i == 11) noise.grid_exponents = NULL;
        assert_int_equal(dpn_release_given(&release, &noise, &why), DPN_EDOMAIN);
        if (!strstr(why.sentence, says[i])) fail_msg("%d: %s", i, why.sentence);
        assert_null(release);
    }
    dpn_given_noise noise = given(add);
    dpn_release *release = NULL;
    assert_int_equal(dpn_release_given(NULL, &noise, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_release_given(&release, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(freed, before); /* the context stays the caller's */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_noise_goes_to_what_moves),
                                       cmocka_unit_test(test_everything_stands_where_it_was_given),
                                       cmocka_unit_test(test_errors_of_the_noise), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
