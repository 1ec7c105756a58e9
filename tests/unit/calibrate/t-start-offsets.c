/* The search for the offsets of a start box in its parts: groups of keys, the error and its gradient, directions, and that no offset nearby is better. */
#include "calibrate/start-offsets.c" /* to see its parts */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static search *search_of(bool stairs, int degree, const double *key, size_t count, double factor) {
    search *s = calloc(1, sizeof *s);
    ranked *all = calloc(count, sizeof *all);
    assert_true(s && all);
    for (size_t i = 0; i < count; i++) all[i] = (ranked){key[i], i};
    qsort(all, count, sizeof *all, larger_first);
    s->stairs = stairs;
    s->epsilon = 0.7;
    s->degree = degree;
    s->unit = 3;
    s->least = stairs ? LEAST_STEP : 0;
    assert_true(form_groups(s, all, count, factor));
    free(all);
    return s;
}

static void drop(search *s) {
    dpn_start_law_free(&s->law);
    free(s);
}

/* A group for each key, the largest first, its sum in units of the largest; with a factor keys within it are together. */
static void keys_make_groups(void **state) {
    (void)state;
    const double key[] = {2, 8, 2, 4, 8, 8, 0.5};
    search *s = search_of(false, 2, key, 7, 1);
    const double expected[][3] = {{1, 3, 3}, {0.5, 0.5, 1}, {0.25, 0.5, 2}, {0.0625, 0.0625, 1}};
    assert_int_equal(s->groups, 4);
    for (size_t g = 0; g < 4; g++) {
        assert_true(fabs(s->key[g] - expected[g][0]) < 1e-15 && fabs(s->sum[g] - expected[g][1]) < 1e-15);
        assert_true(s->group[g].count == expected[g][2]);
    }
    drop(s);
    s = search_of(false, 2, key, 7, 0.4); /* 8 and 4, 2, 0.5 */
    assert_int_equal(s->groups, 3);
    assert_true(s->group[0].count == 4 && fabs(s->sum[0] - 3.5) < 1e-15);
    assert_true(fabs(s->key[0] - pow(0.5, 0.25)) < 1e-15); /* the geometric mean */
    drop(s);
    double many[MOST_GROUPS + 1];
    ranked all[MOST_GROUPS + 1];
    for (size_t i = 0; i <= MOST_GROUPS; i++) all[i] = (ranked){many[i] = pow(0.9, (double)i), i};
    search *full = calloc(1, sizeof *full);
    assert_non_null(full);
    assert_true(form_groups(full, all, MOST_GROUPS, 1) && full->groups == MOST_GROUPS);
    assert_false(form_groups(full, all, MOST_GROUPS + 1, 1));
    free(full);
}

/* The error is that of the law of the size, and the gradient is its derivative. */
static void gradients_are_derivatives(void **state) {
    (void)state;
    draw_source random = {.state = 61};
    for (int n = 0; n < 40; n++) {
        double key[9];
        bool stairs = n % 2;
        int degree = n % 4 < 2 ? 2 : 1;
        for (int i = 0; i < 9; i++) key[i] = i % 3 ? draw_log_uniform(&random, 0.1, 10) : 1;
        search *s = search_of(stairs, degree, key, 9, 1);
        station at, near[2];
        for (size_t g = 0; g < s->groups; g++) at.u[g] = draw_uniform(&random, 0.05, 1.5);
        assert_int_equal(evaluate(&at, s), DPN_OK);
        double error = 0;
        for (size_t g = 0; g < s->groups; g++) {
            double c = s->least + s->unit * (exp(at.u[g]) - 1);
            assert_true(fabs(s->group[g].c / c - 1) < 1e-12);
            error += s->sum[g] * dpn_start_law_error(&s->law, c, degree == 2 ? DPN_OBJECTIVE_MSE : DPN_OBJECTIVE_MAE);
        }
        assert_true(fabs(exp(at.error) / error - 1) < 1e-12);
        const double h = 1e-4;
        for (size_t g = 0; g < s->groups; g++) {
            for (int side = 0; side < 2; side++) {
                near[side] = at;
                near[side].u[g] += side ? h : -h;
                assert_int_equal(evaluate(&near[side], s), DPN_OK);
            }
            double slope = (near[1].error - near[0].error) / (2 * h);
            if (!(fabs(slope - at.gradient[g]) < 1e-6))
                fail_msg("%d, group %zu: %g, not %g", n, g, at.gradient[g], slope);
            assert_true(at.scale[g] > 0 && at.scale[g] < 10);
        }
        /* A first direction goes down, and a step along it leads to less; what would have to be less than 0 stays. */
        double direction[MOST_GROUPS];
        at.u[0] = 0;
        assert_int_equal(evaluate(&at, s), DPN_OK);
        find_direction(direction, &at, NULL, 0, s->groups);
        for (size_t g = 0; g < s->groups; g++) {
            bool stays = at.u[g] == 0 && at.gradient[g] > 0;
            assert_true(stuck(&at, g) == stays);
            assert_true(stays ? direction[g] == 0 : fabs(direction[g] * at.scale[g] + at.gradient[g]) < 1e-12);
        }
        double down = dot(direction, at.gradient, s->groups);
        assert_true(down < 0);
        static station to;
        assert_int_equal(step_down(&to, &at, direction, 1, s), DPN_OK);
        assert_true(to.error < at.error);
        drop(s);
    }
}

/* Of a quadratic with the matrix A each pair has change = A step; with as many pairs as dimensions, each conjugate to the others, the direction is Newton's. */
static void directions_are_newtons_on_quadratics(void **state) {
    (void)state;
    enum { N = 3 };
    const double matrix[N] = {2, 5, 0.5};
    pair memory[MEMORY] = {{{0}, {0}, 0}};
    station at = {.u = {1, 1, 1}, .gradient = {0.3, -2, 0.7}, .scale = {1, 1, 1}};
    for (int k = 0; k < N; k++) {
        station from = at, to = at;
        to.u[k] += 0.25;
        to.gradient[k] += 0.25 * matrix[k];
        assert_true(remember(&memory[k], &to, &from, N));
        assert_true(fabs(memory[k].product - 0.0625 * matrix[k]) < 1e-15);
    }
    double direction[MOST_GROUPS];
    find_direction(direction, &at, memory, N, N);
    for (int i = 0; i < N; i++) assert_true(fabs(direction[i] + at.gradient[i] / matrix[i]) < 1e-12);
    station low = at, high = at; /* a gradient that falls along the step tells nothing */
    high.u[0] += 1;
    high.gradient[0] -= 1;
    assert_false(remember(&memory[0], &high, &low, N));
}

/* Each offset a little larger or smaller has no less error. */
static void no_offset_nearby_is_better(void **state) {
    (void)state;
    draw_source random = {.state = 62};
    for (int n = 0; n < 24; n++) {
        enum { COUNT = 6 };
        double key[COUNT], c[COUNT], epsilon = draw_log_uniform(&random, 0.3, 3);
        bool stairs = n % 2;
        int degree = n % 4 < 2 ? 2 : 1;
        dpn_objective objective = degree == 2 ? DPN_OBJECTIVE_MSE : DPN_OBJECTIVE_MAE;
        for (int i = 0; i < COUNT; i++) key[i] = draw_log_uniform(&random, 0.01, 1);
        dpn_error why;
        if (dpn_start_offsets(c, stairs, epsilon, key, COUNT, degree, &why)) fail_msg("%s", why.sentence);
        double least = 0;
        for (int moved = -1; moved < 2 * COUNT; moved++) {
            dpn_start_group group[COUNT];
            dpn_start_law law = {0};
            double error = 0;
            for (int i = 0; i < COUNT; i++) group[i] = (dpn_start_group){c[i], 1};
            if (moved >= 0) {
                double *one = &group[moved / 2].c, by = moved % 2 ? 0.01 : -0.01;
                *one = fmax(stairs ? LEAST_STEP : 0, *one + by / epsilon);
            }
            assert_int_equal(dpn_start_law_make(&law, stairs, epsilon, group, COUNT, NULL), DPN_OK);
            for (int i = 0; i < COUNT; i++) error += key[i] * dpn_start_law_error(&law, group[i].c, objective);
            if (moved < 0)
                least = error;
            else if (!(error > least * (1 - 1e-9)))
                fail_msg("%d: offset %d moved gives %.15g, not %.15g", n, moved / 2, error, least);
            dpn_start_law_free(&law);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_make_groups),
        cmocka_unit_test(gradients_are_derivatives),
        cmocka_unit_test(directions_are_newtons_on_quadratics),
        cmocka_unit_test(no_offset_nearby_is_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
