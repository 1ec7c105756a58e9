/* The neighbouring inputs: within the set, as far as it goes, different from each other. */
#include "audit/neighbours.h"
#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };

static double limit(double x) {
    return x > 0 ? x : INFINITY;
}

/* Whether a move lies in a set, by the definition of dpn_sensitivity. */
static bool lies_in(const dpn_sensitivity *set, const int64_t *move, int exponent) {
    double l1 = 0, l2 = 0, linf = 0;
    size_t changed = 0;
    bool within = true;
    for (size_t i = 0; i < set->dimension; i++) {
        double size = ldexp(fabs((double)move[i]), exponent);
        within = within && (!set->bound || size <= set->bound[i]);
        l1 += size;
        l2 += size * size;
        linf = fmax(linf, size);
        changed += size > 0;
    }
    return within && l1 <= limit(set->l1) && sqrt(l2) <= limit(set->l2) * (1 + 1e-14) && linf <= limit(set->linf) &&
           (!set->max_changed || changed <= set->max_changed);
}

/* Whether another step in some coordinate that moves leaves the set. */
static bool as_far_as_it_goes(const dpn_sensitivity *set, const int64_t *move, int exponent) {
    int64_t farther[MOST];
    bool far = true;
    for (size_t i = 0; i < set->dimension; i++) {
        memcpy(farther, move, sizeof *move * set->dimension);
        farther[i]++;
        far = far && !lies_in(set, farther, exponent);
    }
    return far;
}

static void moves_of_random_sets(void **state) {
    (void)state;
    draw_source source = {1};
    int made = 0;
    for (int round = 0; round < 5000; round++) {
        double bound[MOST];
        int exponent[MOST], e = (int)draw_uniform(&source, -8, 3);
        dpn_sensitivity set = {.dimension = 1 + draw_bits(&source) % MOST};
        for (size_t i = 0; i < set.dimension; i++) {
            bound[i] = draw_chance(&source, 0.2) ? 0 : draw_log_uniform(&source, 0.01, 100);
            exponent[i] = e;
        }
        if (draw_chance(&source, 0.5)) set.bound = bound;
        if (draw_chance(&source, 0.4)) set.l1 = draw_log_uniform(&source, 0.1, 100);
        if (draw_chance(&source, 0.4)) set.l2 = draw_log_uniform(&source, 0.1, 100);
        if (draw_chance(&source, 0.4) || !(set.bound || set.l1 > 0 || set.l2 > 0))
            set.linf = draw_log_uniform(&source, 0.1, 100);
        if (draw_chance(&source, 0.4)) set.max_changed = 1 + draw_bits(&source) % MOST;
        dpn_neighbours neighbours;
        dpn_error why;
        dpn_status status = dpn_neighbours_make(&neighbours, &set, exponent, &why);
        if (status) {
            assert_int_equal(status, DPN_EDOMAIN); /* no step fits */
            for (size_t i = 0; i < set.dimension; i++) {
                int64_t one[MOST] = {0};
                one[i] = 1;
                assert_false(lies_in(&set, one, e));
            }
            dpn_neighbours_free(&neighbours);
            continue;
        }
        made++;
        assert_true(neighbours.count >= 1 && neighbours.count <= DPN_AUDIT_PAIRS);
        assert_true(as_far_as_it_goes(&set, neighbours.move[0], e));
        for (size_t i = 0; i < neighbours.count; i++) {
            int64_t farthest = neighbours.move[i][neighbours.first[i]];
            assert_true(farthest > 0 && lies_in(&set, neighbours.move[i], e));
            for (size_t j = 0; j < set.dimension; j++) assert_true(neighbours.move[i][j] <= farthest);
            for (size_t j = 0; j < i; j++)
                assert_memory_not_equal(neighbours.move[i], neighbours.move[j], set.dimension * sizeof(int64_t));
        }
        dpn_neighbours_free(&neighbours);
    }
    assert_true(made > 3000);
}

static void moves_of_known_sets(void **state) {
    (void)state;
    int fine[] = {-2, -2, -2}, mixed[] = {0, -1, -2};
    double bound[] = {3, 0.5, 1};
    dpn_neighbours neighbours;
    dpn_sensitivity one = {.dimension = 1, .linf = 1}, box = {.dimension = 3, .bound = bound},
                    ball = {.dimension = 3, .l2 = 3}, diamond = {.dimension = 3, .l1 = 1};
    assert_int_equal(dpn_neighbours_make(&neighbours, &one, fine, NULL), DPN_OK);
    assert_int_equal(neighbours.count, 2);
    assert_true(neighbours.move[0][0] == 4 && neighbours.move[1][0] == 3);
    dpn_neighbours_free(&neighbours);

    assert_int_equal(dpn_neighbours_make(&neighbours, &box, mixed, NULL), DPN_OK);
    assert_int_equal(neighbours.count, 3);
    assert_memory_equal(neighbours.move[0], ((int64_t[]){3, 1, 4}), 3 * sizeof(int64_t));
    assert_memory_equal(neighbours.move[2], ((int64_t[]){3, 0, 0}), 3 * sizeof(int64_t));
    assert_int_equal(neighbours.first[0], 2);
    dpn_neighbours_free(&neighbours);

    assert_int_equal(dpn_neighbours_make(&neighbours, &ball, fine, NULL), DPN_OK);
    assert_int_equal(neighbours.count, 3);
    assert_memory_equal(neighbours.move[0], ((int64_t[]){12, 0, 0}), 3 * sizeof(int64_t));
    assert_memory_equal(neighbours.move[2], ((int64_t[]){6, 6, 6}), 3 * sizeof(int64_t)); /* floor(12/3^(1/2)) */
    dpn_neighbours_free(&neighbours);

    assert_int_equal(dpn_neighbours_make(&neighbours, &diamond, fine, NULL), DPN_OK);
    assert_memory_equal(neighbours.move[0], ((int64_t[]){4, 0, 0}), 3 * sizeof(int64_t));
    assert_memory_equal(neighbours.move[2], ((int64_t[]){1, 1, 1}), 3 * sizeof(int64_t));
    dpn_neighbours_free(&neighbours);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_of_random_sets),
        cmocka_unit_test(moves_of_known_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
