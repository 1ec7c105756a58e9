/* Offsets of start staircases on whole answers: sides of half an odd number of steps, of which no neighbour is better, by the formula of the noise added up once more. */
#include "release/noise/whole-start.c" /* to see its steps */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* The size t = 0, 1, ... has a probability proportional to e^(-epsilon t) (c_1 + t) (c_2 + t) ..., and given that, coordinate i is uniform within s_i (c_i + t). */
static long double error_by_sum(double *variance, double epsilon, const double *c, const double *side,
                                const double *weight, size_t count) {
    long double whole = 0, square[4] = {0}, error = 0;
    for (int t = 0; t < 3000; t++) {
        long double share = expl(-(long double)epsilon * t);
        for (size_t i = 0; i < count; i++) share *= c[i] + t;
        whole += share;
        for (size_t i = 0; i < count; i++) square[i] += share * (c[i] + t) * (c[i] + t) / 3;
    }
    for (size_t i = 0; i < count; i++) {
        long double own = side[i] * (long double)side[i] * square[i] / whole;
        if (variance) variance[i] = (double)own;
        error += (weight ? weight[i] : 1) * own;
    }
    return error;
}

/* A plan and its grid, with sides that are so many steps each. */
static void made(dpn_plan *plan, dpn_grid *grid, int *exponent, double *bound, const double *steps, const int *step,
                 size_t count, double epsilon, const double *weight) {
    dpn_error why;
    for (size_t i = 0; i < count; i++) bound[i] = ldexp(steps[i], exponent[i] = step[i]);
    dpn_sensitivity set = {.dimension = count, .bound = bound};
    dpn_calibration_options calibration = {.size = sizeof calibration, .weight = weight};
    *plan = (dpn_plan){0};
    if (dpn_calibrate(plan, "start-staircase", epsilon, 0, &set, &calibration, &why)) fail_msg("%s", why.sentence);
    *grid = (dpn_grid){.exponent = exponent};
}

static void no_neighbour_is_better(void **state) {
    (void)state;
    draw_source source = {1};
    int moved = 0, kept = 0;
    for (int trial = 0; trial < 60; trial++) {
        size_t count = 1 + (size_t)draw_uniform(&source, 0, 3);
        double epsilon = draw_uniform(&source, 0.3, 3), steps[4], bound[4], weights[4], before[4], c[4], variance[4];
        const double *weight = trial % 2 ? weights : NULL;
        int step[4], exponent[4];
        for (size_t i = 0; i < count; i++) {
            steps[i] = draw_chance(&source, 0.2)   ? 65
                       : draw_chance(&source, 0.1) ? 64
                                                   : 1 + floor(draw_uniform(&source, 0, 12));
            if (draw_chance(&source, 0.1)) steps[i] += 0.5;
            step[i] = -(int)draw_uniform(&source, 0, 3);
            weights[i] = draw_log_uniform(&source, 0.2, 5);
        }
        dpn_plan plan;
        dpn_grid grid;
        dpn_error why;
        made(&plan, &grid, exponent, bound, steps, step, count, epsilon, weight);
        dpn_block *block = NULL;
        for (size_t b = 0; b < plan.blocks; b++)
            if (plan.block[b].kind == DPN_BLOCK_START_STAIRCASE) block = &plan.block[b];
        if (!block || block->count != count) fail_msg("no start staircase of all answers");
        for (size_t i = 0; i < count; i++) before[i] = block->start[i];
        assert_int_equal(dpn_whole_start(&plan, &grid, weight, &why), DPN_OK);
        bool few = false;
        for (size_t i = 0; i < count; i++) {
            bool whole = steps[i] == floor(steps[i]) && steps[i] <= 64;
            double side = block->start[i] * steps[i];
            few |= whole;
            c[i] = block->start[i];
            if (whole)
                assert_true(side > 0 && fabs(side - floor(side) - 0.5) < 1e-9);
            else
                assert_true(block->start[i] == before[i]);
            moved += whole;
            kept += !whole;
        }
        double own_weights[4], sides[4];
        for (size_t i = 0; i < count; i++)
            sides[i] = bound[block->coordinate[i]], own_weights[i] = weights[block->coordinate[i]];
        long double least = error_by_sum(variance, epsilon, c, sides, weight ? own_weights : NULL, count);
        assert_true(fabsl(plan.error / least - 1) < 1e-9L || !few);
        double mse = 0;
        for (size_t i = 0; i < count && few; i++) {
            assert_true(fabs(plan.variance[block->coordinate[i]] / variance[i] - 1) < 1e-9);
            mse += variance[i];
            for (int way = -1; way <= 1; way += 2) { /* one step more or less of one side */
                double other = c[i] + way / steps[i], here = c[i];
                if (steps[i] != floor(steps[i]) || steps[i] > 64 || !(other > 1e-12)) continue;
                c[i] = other;
                assert_true(error_by_sum(NULL, epsilon, c, sides, weight ? own_weights : NULL, count) >=
                            least * (1 - 1e-9L));
                c[i] = here;
            }
        }
        if (few) assert_true(fabs(plan.mse / mse - 1) < 1e-9);
        dpn_plan_free(&plan);
    }
    assert_true(moved > 50 && kept > 10);
}

/* Another kind of noise, or no few steps, is left as it is. */
static void other_noise_stays(void **state) {
    (void)state;
    double bound[2] = {1, 1};
    int exponent[2] = {0, 0};
    dpn_sensitivity set = {.dimension = 2, .bound = bound};
    dpn_grid grid = {.exponent = exponent};
    dpn_plan plan = {0};
    dpn_error why;
    assert_int_equal(dpn_calibrate(&plan, "laplace", 1, 0, &set, NULL, &why), DPN_OK);
    double error = plan.error;
    assert_int_equal(dpn_whole_start(&plan, &grid, NULL, &why), DPN_OK);
    assert_true(plan.error == error);
    dpn_plan_free(&plan);
    plan = (dpn_plan){0};
    exponent[0] = exponent[1] = -7; /* 128 steps */
    assert_int_equal(dpn_calibrate(&plan, "start-staircase", 1, 0, &set, NULL, &why), DPN_OK);
    double start = plan.block[0].start[0];
    assert_int_equal(dpn_whole_start(&plan, &grid, NULL, &why), DPN_OK);
    assert_true(plan.block[0].start[0] == start);
    dpn_plan_free(&plan);
}

/* Of more answers than are searched each takes the nearest half of an odd number of steps, however many steps it has, and of no few steps its own. */
static void many_take_the_nearest(void **state) {
    (void)state;
    enum { MANY = MOST_ANSWERS + 1 };
    double sensitivity[MANY], start[MANY];
    size_t coordinate[MANY];
    int exponent[MANY];
    dpn_start_group group[MANY];
    draw_source source = {3};
    for (int trial = 0; trial < 20; trial++) {
        dpn_plan plan = {.dimension = MANY, .sensitivity = sensitivity};
        dpn_block block = {.count = MANY, .coordinate = coordinate, .start = start, .epsilon = 1};
        dpn_grid grid = {.exponent = exponent};
        offsets o = {.plan = &plan, .block = &block, .grid = &grid, .group = group};
        for (size_t i = 0; i < MANY; i++) {
            coordinate[i] = MANY - 1 - i;
            exponent[MANY - 1 - i] = (int)draw_uniform(&source, -3, 3);
            double steps = trial % 2 ? 1 + floor(draw_uniform(&source, 0, 70)) : draw_uniform(&source, 0.5, 3);
            sensitivity[MANY - 1 - i] = ldexp(steps, exponent[MANY - 1 - i]);
            start[i] = draw_uniform(&source, 0, draw_chance(&source, 0.3) ? 0.6 / steps : 3);
        }
        settle(&o);
        dpn_start_law_free(&o.law);
        for (size_t i = 0; i < MANY; i++) {
            double steps = ldexp(sensitivity[MANY - 1 - i], -exponent[MANY - 1 - i]);
            assert_true(group[i].count == 1);
            if (steps > 64 || steps != floor(steps)) {
                assert_true(group[i].c == start[i]);
                continue;
            }
            double side = group[i].c * steps, odd = floor(side) + 0.5;
            assert_true(fabs(side - odd) < 1e-9 && odd > 0);
            if (!(fabs(start[i] * steps - odd) <= 0.5 + 1e-9))
                fail_msg("%.17g of %.17g steps becomes %.17g", start[i], steps, group[i].c);
        }
    }
}

/* From offsets that are up to two steps off the way leads to where no neighbour is better, also with weights and sides that differ. */
static void worse_offsets_are_left(void **state) {
    (void)state;
    draw_source source = {4};
    int moved = 0;
    for (int trial = 0; trial < 40; trial++) {
        enum { COUNT = 3 };
        double steps[COUNT], bound[COUNT], weights[COUNT], c[COUNT], sides[COUNT], own[COUNT];
        int exponent[COUNT], step[COUNT];
        const double *weight = trial % 2 ? weights : NULL;
        double epsilon = draw_uniform(&source, 0.3, 1.5);
        for (size_t i = 0; i < COUNT; i++) {
            steps[i] = 2 + floor(draw_uniform(&source, 0, 4));
            step[i] = (int)draw_uniform(&source, -2, 3);
            weights[i] = draw_log_uniform(&source, 0.05, 20);
        }
        dpn_plan plan;
        dpn_grid grid;
        made(&plan, &grid, exponent, bound, steps, step, COUNT, epsilon, weight);
        dpn_block *block = &plan.block[0];
        dpn_start_group group[COUNT];
        offsets o = {.plan = &plan, .block = block, .grid = &grid, .weight = weight, .group = group};
        assert_int_equal(block->kind, DPN_BLOCK_START_STAIRCASE);
        assert_int_equal(block->count, COUNT);
        double worse[COUNT];
        for (size_t i = 0; i < COUNT; i++)
            worse[i] = block->start[i] += floor(draw_uniform(&source, 0, 3)) / steps[block->coordinate[i]];
        settle(&o);
        for (size_t i = 0; i < COUNT; i++) {
            size_t at = block->coordinate[i];
            sides[i] = bound[at];
            own[i] = weights[at];
            c[i] = group[i].c;
            moved += fabs(c[i] - worse[i]) > 0.6 / steps[at];
        }
        long double least = error_by_sum(NULL, epsilon, c, sides, weight ? own : NULL, COUNT);
        assert_true(fabsl(error_of(&o) / least - 1) < 1e-9L);
        for (size_t i = 0; i < COUNT; i++)
            for (int way = -1; way <= 1; way += 2) {
                double here = c[i], other = here + way / steps[block->coordinate[i]];
                if (!(other > 1e-12)) continue;
                c[i] = other;
                assert_true(error_by_sum(NULL, epsilon, c, sides, weight ? own : NULL, COUNT) >= least * (1 - 1e-9L));
                c[i] = here;
            }
        dpn_start_law_free(&o.law);
        dpn_plan_free(&plan);
    }
    assert_true(moved > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_neighbour_is_better),
        cmocka_unit_test(other_noise_stays),
        cmocka_unit_test(many_take_the_nearest),
        cmocka_unit_test(worse_offsets_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
