/* The bound of a hull's norm from both sides: it is the sum of the inverse's entries for vertices that were chosen by the largest pivot, worked out in long doubles, and
 * hardly more; flat and too large hulls have none. */
#include "release/noise/hull.c" /* to see which vertices are chosen */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 5 };

/* The sum of |inverse of V^T| for n vertices in n coordinates, by elimination; infinity if they are flat. */
static long double sum_of_inverse(const long double from[MOST][MOST], size_t n) {
    long double a[MOST][2 * MOST], sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) a[i][j] = from[j][i], a[i][n + j] = i == j;
    for (size_t step = 0; step < n; step++) {
        size_t best = step;
        for (size_t i = step; i < n; i++)
            if (fabsl(a[i][step]) > fabsl(a[best][step])) best = i;
        if (a[best][step] == 0) return INFINITY;
        for (size_t j = 0; j < 2 * n; j++) {
            long double swap = a[step][j];
            a[step][j] = a[best][j];
            a[best][j] = swap;
        }
        for (size_t i = 0; i < n; i++) {
            long double factor = i == step ? 0 : a[i][step] / a[step][step];
            for (size_t j = 0; j < 2 * n; j++) a[i][j] -= factor * a[step][j];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) sum += fabsl(a[i][n + j] / a[i][i]);
    return sum;
}

/* As many vertices as coordinates: the bound is the sum and a billionth. With a coordinate that never moves, and in any order. */
static void the_bound_is_the_sum_of_the_inverse(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 2000; i++) {
        size_t n = 1 + (size_t)draw_uniform(&source, 0, MOST), still = (size_t)draw_uniform(&source, 0, (double)n + 1);
        long double v[MOST][MOST];
        double vertex[MOST * (MOST + 1)] = {0};
        for (size_t r = 0; r < n; r++)
            for (size_t c = 0; c < n; c++) {
                double x = draw_uniform(&source, -1, 1) * draw_log_uniform(&source, 0.1, 10);
                v[r][c] = x;
                vertex[r * (n + 1) + (c < still ? c : c + 1)] = x;
            }
        long double sum = sum_of_inverse(v, n);
        if (sum > 1e4L) continue; /* nearly flat */
        double upper = dpn_hull_norm_upper(vertex, n, n + 1);
        assert_true(upper >= sum * (1 + 1e-11L) && upper <= sum * (1 + 3e-9L));
    }
}

/* Of more vertices those with the largest pivots are chosen: small ones beside them change nothing. */
static void the_largest_pivots_are_chosen(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 1000; i++) {
        size_t n = 2 + (size_t)draw_uniform(&source, 0, MOST - 1), rows = n + 3;
        long double v[MOST][MOST];
        double vertex[(MOST + 3) * MOST];
        size_t place[MOST + 3];
        for (size_t r = 0; r < rows; r++) place[r] = r;
        for (size_t r = rows; r-- > 1;) {
            size_t other = (size_t)draw_uniform(&source, 0, (double)r + 1), swap = place[r];
            place[r] = place[other];
            place[other] = swap;
        }
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < n; c++) {
                double x = r < n ? (r == c ? 100 : 0) + draw_uniform(&source, -5, 5) : draw_uniform(&source, -1, 1);
                if (r < n) v[r][c] = x;
                vertex[place[r] * n + c] = x;
            }
        long double sum = sum_of_inverse(v, n);
        double upper = dpn_hull_norm_upper(vertex, rows, n);
        assert_true(upper >= sum && upper <= sum * (1 + 3e-9L));
    }
}

/* Of two vertices that are nearly the same one is enough, wherever they stand: the other has next to nothing left once it is taken. */
static void twins_are_not_chosen_both(void **state) {
    (void)state;
    const long double apart[MOST][MOST] = {{10.1L, 10}, {1, -1}};
    for (int first = 0; first < 3; first++) {
        double vertex[6];
        const double rows[3][2] = {{10, 9.9}, {10.1, 10}, {1, -1}};
        for (int r = 0; r < 3; r++) memcpy(vertex + 2 * ((r + first) % 3), rows[r], sizeof rows[r]);
        double upper = dpn_hull_norm_upper(vertex, 3, 2);
        assert_true(fabsl(upper / sum_of_inverse(apart, 2) - 1) < 1e-8L);
    }
}

static void hulls_without_a_bound(void **state) {
    (void)state;
    static double wide[401 * 401];
    double nothing[4] = {0}, few[3] = {1, 2, 3}, flat[8] = {1, 2, 2, 4, -3, -6, 0.5, 1};
    assert_true(dpn_hull_norm_upper(nothing, 2, 2) == 0);
    assert_true(isinf(dpn_hull_norm_upper(few, 1, 3)) && isinf(dpn_hull_norm_upper(flat, 4, 2)));
    size_t column[MOST_COORDINATES];
    for (size_t n = 398; n <= 401;
         n++) { /* 400 coordinates that move, and no more; one that does not is none of them */
        for (size_t k = 0; k < n * n; k++) wide[k] = k % (n + 1) == 0;
        size_t moved = moved_columns(column, wide, n, n);
        assert_int_equal(moved, n);
        for (size_t k = 0; k < n && k < 400; k++) assert_int_equal(column[k], k);
    }
    for (size_t k = 0; k < 401 * 401; k++) wide[k] = k % 402 == 0;
    assert_true(isinf(dpn_hull_norm_upper(wide, 401, 401)));
    for (size_t k = 0; k < 60 * 60; k++) wide[k] = k % 61 == 0 ? 2 : 0;
    assert_true(fabs(dpn_hull_norm_upper(wide, 60, 60) / 30 - 1) < 1e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_the_sum_of_the_inverse),
        cmocka_unit_test(the_largest_pivots_are_chosen),
        cmocka_unit_test(twins_are_not_chosen_both),
        cmocka_unit_test(hulls_without_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
