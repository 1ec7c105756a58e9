/* The sizes from which a grid is chosen, and what becomes of each bound on it, one by one: exactly, in GMP and long doubles. */
#include "release/noise/grid.c" /* to see its steps */

#include "reference/draw.h"

#include <gmp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* ---- Rounding ---- */

/* Whether x is the least double that is not below a + b. */
static bool is_sum_up(double x, double a, double b) {
    mpq_t sum, term, bound;
    mpq_inits(sum, term, bound, NULL);
    mpq_set_d(sum, a);
    mpq_set_d(term, b);
    mpq_add(sum, sum, term);
    mpq_set_d(bound, x);
    bool above = mpq_cmp(bound, sum) >= 0;
    mpq_set_d(bound, nextafter(x, 0));
    bool least = x == 0 || mpq_cmp(bound, sum) < 0;
    mpq_clears(sum, term, bound, NULL);
    return above && least;
}

static void sums_and_steps_are_rounded_up(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 5000; i++) {
        double a = draw_log_uniform(&source, 1e-9, 1e9),
               b = draw_chance(&source, 0.1) ? 0 : draw_log_uniform(&source, 1e-20, 1e20);
        assert_true(is_sum_up(add_up(a, b), a, b) && is_sum_up(add_up(b, a), a, b));
        int exponent = (int)draw_uniform(&source, -30, 30);
        double whole = floor(draw_uniform(&source, 1, 1000));
        assert_true(steps_up(ldexp(whole, exponent), exponent) == whole);
        assert_true(steps_up(ldexp(nextafter(whole, INFINITY), exponent), exponent) == whole + 1);
        assert_true(steps_up(ldexp(nextafter(whole, 0), exponent), exponent) == whole);
        assert_true(round_up(ldexp(whole - 0.25, exponent), exponent) == ldexp(whole, exponent));
    }
    assert_true(add_up(0, 0) == 0 && add_up(3, 4) == 7 && steps_up(0, 3) == 0 && steps_up(5e-324, 60) == 1 &&
                steps_up(1e-300, 60) == 1);
    assert_true(isinf(steps_up(1e300, -400)));
}

/* The largest power of two of which 2^16 are at most the size. */
static void grids_are_fine_beside_what_moves(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 2000; i++) {
        double size = i < 50 ? ldexp(1, i - 25) : draw_log_uniform(&source, 1e-12, 1e12);
        int exponent = exponent_for(size);
        assert_true(ldexp(1, exponent + 16) <= size && ldexp(1, exponent + 17) > size);
    }
}

/* ---- Sizes ---- */

static void sizes_are_the_least_of_what_bounds(void **state) {
    (void)state;
    draw_source source = {3};
    for (int i = 0; i < 3000; i++) {
        double bound[5], least = INFINITY;
        size_t count = 1 + (size_t)draw_uniform(&source, 0, 5), moving = 0;
        dpn_sensitivity set = {.dimension = count, .bound = draw_chance(&source, 0.7) ? bound : NULL};
        if (draw_chance(&source, 0.4)) set.linf = draw_log_uniform(&source, 0.01, 100);
        if (draw_chance(&source, 0.4))
            set.l1 = draw_chance(&source, 0.1) ? INFINITY : draw_log_uniform(&source, 0.01, 100);
        if (draw_chance(&source, 0.4)) set.l2 = draw_log_uniform(&source, 0.01, 100);
        if (draw_chance(&source, 0.4)) set.max_changed = (size_t)draw_uniform(&source, 0, 7);
        double hull = draw_chance(&source, 0.3) ? draw_log_uniform(&source, 0.01, 100) : 0;
        for (size_t k = 0; k < count; k++) {
            bound[k] = draw_chance(&source, 0.3)   ? 0
                       : draw_chance(&source, 0.1) ? INFINITY
                                                   : draw_log_uniform(&source, 0.01, 100);
            double own = set.bound ? bound[k] : INFINITY;
            moving += own > 0;
            if (set.linf > 0 && set.linf < own) own = set.linf;
            assert_true(reach(&set, k) == own);
            if (own > 0 && own < least) least = own;
        }
        size_t together = set.max_changed && set.max_changed < moving ? set.max_changed : moving;
        assert_int_equal(movers(&set), together);
        assert_true(is_box(&set) == ((set.l1 == 0 || isinf(set.l1)) && set.l2 == 0));
        if (moving == 0) continue;
        if (set.l1 > 0 && !isinf(set.l1)) least = fmin(least, set.l1 / (double)together);
        if (set.l2 > 0) least = fmin(least, set.l2 / sqrt((double)together));
        if (hull > 0) least = fmin(least, 1 / hull);
        assert_true(least_size(&set, hull) == least);
    }
    double vertex[2] = {1, 2};
    dpn_sensitivity hull = {.dimension = 2, .vertex = vertex, .vertices = 1};
    assert_false(is_box(&hull));
}

/* ---- Bounds on the grid ---- */

/* A move of d is less than d/g + 1 steps: a sum of m moves less than l1/g + m in all, and a length at most l2 + g sqrt(m). */
static void bounds_are_whole_steps_up(void **state) {
    (void)state;
    draw_source source = {4};
    for (int i = 0; i < 3000; i++) {
        double bound[4], kept[4];
        int exponent[4], e = (int)draw_uniform(&source, -6, 3);
        double g = ldexp(1, e);
        dpn_sensitivity set = {.dimension = 4, .bound = i % 4 ? bound : NULL};
        for (size_t k = 0; k < 4; k++) {
            exponent[k] = e;
            kept[k] = bound[k] = draw_chance(&source, 0.2)   ? 0
                                 : draw_chance(&source, 0.2) ? g * floor(draw_uniform(&source, 1, 9))
                                                             : draw_uniform(&source, 0.01, 9);
        }
        bound[3] = kept[3] = 1.25;
        if (draw_chance(&source, 0.5)) set.l1 = draw_uniform(&source, 0.1, 9);
        if (draw_chance(&source, 0.5)) set.l2 = draw_uniform(&source, 0.1, 9);
        if (draw_chance(&source, 0.5)) set.linf = draw_uniform(&source, 0.1, 9);
        if (draw_chance(&source, 0.2)) set.l1 = INFINITY;
        if (draw_chance(&source, 0.3)) set.max_changed = 1 + (size_t)draw_uniform(&source, 0, 3);
        dpn_grid out = {.exponent = exponent, .set = set, .bound = kept};
        out.set.bound = set.bound ? kept : NULL;
        size_t m = movers(&set);
        bool box = set.l2 == 0 && (set.l1 == 0 || isinf(set.l1));
        grow(&out, &set);
        for (size_t k = 0; k < 4 && set.bound; k++) {
            double own = box && set.linf > 0 ? fmin(bound[k], set.linf) : bound[k];
            assert_true(kept[k] == ceil(own / g) * g);
        }
        if (set.linf > 0)
            assert_true(out.set.linf ==
                        (box && set.bound ? 0 : ceil(set.linf / g) * g)); /* the bounds say it already */
        else
            assert_true(out.set.linf == 0);
        if (isinf(set.l1) || set.l1 == 0)
            assert_true(out.set.l1 == set.l1);
        else
            assert_true(out.set.l1 == (ceil(set.l1 / g) + (double)m - 1) * g);
        if (set.l2 == 0) {
            assert_true(out.set.l2 == 0);
        } else {
            long double exact = set.l2 + g * sqrtl((long double)m);
            assert_true(out.set.l2 >= exact && out.set.l2 <= exact * (1 + 0x1p-51L));
        }
    }
}

static void hulls_grow_by_their_norm_of_a_step(void **state) {
    (void)state;
    draw_source source = {5};
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
        double vertex[6], kept[6], largest = 0, hull = draw_log_uniform(&source, 1e-3, 1e3);
        int exponent[2] = {-(int)draw_uniform(&source, 0, 30), 0};
        for (size_t k = 0; k < 6; k++)
            largest = fmax(largest, fabs(vertex[k] = draw_uniform(&source, -1, 1) * draw_log_uniform(&source, 1, 1e9)));
        dpn_sensitivity set = {.dimension = 2, .vertex = vertex, .vertices = 3};
        dpn_grid out = {.exponent = exponent, .vertex = kept};
        bool grown = grow_hull(&out, &set, hull);
        double moved = 0x1p-53 * largest * hull; /* what rounding moves a vertex by, in the norm of the hull */
        assert_true(grown || 8 * moved > 0.99e-6);
        refused += !grown;
        for (size_t k = 0; k < 6 && grown; k++) {
            long double least = (1 + ldexpl(hull, exponent[0])) * (1 + (long double)moved) * fabsl(vertex[k]);
            long double most =
                (1 + ldexpl(hull, exponent[0])) * (1 + 8 * (long double)moved + 1e-15L) * fabsl(vertex[k]);
            assert_true(fabs(kept[k]) >= least && fabs(kept[k]) <= most * (1 + 0x1p-51L) && kept[k] * vertex[k] > 0);
        }
    }
    assert_true(refused > 20);
}

/* ---- Refusals ---- */

static dpn_status try_set(dpn_sensitivity set, bool whole, bool integer, const int *exponents, int grid,
                          dpn_error *why) {
    dpn_release_options options = {.size = sizeof options, .set = &set, .whole = whole, .grid_exponents = exponents};
    if (grid != INT16_MIN) {
        options.has_grid = true;
        options.grid_exponent = grid;
    }
    dpn_grid made;
    dpn_status status = dpn_grid_make(&made, &options, integer, why);
    dpn_grid_free(&made);
    assert_true(!made.exponent && !made.bound && !made.vertex);
    return status;
}

static void what_has_no_grid(void **state) {
    (void)state;
    double good[2] = {1, 3}, bad[2] = {1, -1}, nan[2] = {NAN, 1}, still[2] = {0, 0}, endless[2] = {1, INFINITY},
           halves[2] = {1.5, 2};
    double far[4] = {1, 0, INFINITY, 1}, flat[4] = {1, 2, 2, 4}, square[4] = {1, 0, 0, 1};
    int zero[2] = {0, 0}, half[2] = {-1, 0}, low[2] = {0, -401}, least[2] = {0, -400}, high[2] = {61, 0};
    enum { NONE = INT16_MIN };
    const struct {
        dpn_sensitivity set;
        bool whole, integer;
        const int *exponents;
        int grid;
        dpn_status status;
        const char *part;
    } some[] = {
        {{.dimension = 2, .bound = good}, false, false, NULL, NONE, DPN_OK, ""},
        {{.dimension = 0}, false, false, NULL, NONE, DPN_EDOMAIN, "there is no answer"},
        {{.dimension = SIZE_MAX / 64 + 1}, false, false, NULL, NONE, DPN_EDOMAIN, "are too many"},
        {{.dimension = 2, .l1 = -1}, false, false, NULL, NONE, DPN_EDOMAIN, "l1, l2 and linf"},
        {{.dimension = 2, .l2 = NAN}, false, false, NULL, NONE, DPN_EDOMAIN, "l1, l2 and linf"},
        {{.dimension = 2, .linf = -0.5}, false, false, NULL, NONE, DPN_EDOMAIN, "l1, l2 and linf"},
        {{.dimension = 2, .bound = bad}, false, false, NULL, NONE, DPN_EDOMAIN, "sensitivity of answer 2 "},
        {{.dimension = 2, .bound = nan}, false, false, NULL, NONE, DPN_EDOMAIN, "sensitivity of answer 1 "},
        {{.dimension = 2, .bound = endless}, false, false, NULL, NONE, DPN_EDOMAIN, "answer 2 can move without bound"},
        {{.dimension = 2, .bound = endless, .l1 = 1}, false, false, NULL, NONE, DPN_OK, ""},
        {{.dimension = 2, .bound = endless, .linf = 4}, false, false, NULL, NONE, DPN_OK, ""},
        {{.dimension = 2}, false, false, NULL, NONE, DPN_EDOMAIN, "is unbounded"},
        {{.dimension = 2, .bound = still}, false, false, NULL, NONE, DPN_OK, ""},
        {{.dimension = 2, .vertices = 2},
         false,
         false,
         NULL,
         NONE,
         DPN_EDOMAIN,
         "vertices of the sensitivity set are missing"},
        {{.dimension = 2, .vertex = square},
         false,
         false,
         NULL,
         NONE,
         DPN_EDOMAIN,
         "vertices of the sensitivity set are missing"},
        {{.dimension = 2, .vertex = far, .vertices = 2},
         false,
         false,
         NULL,
         NONE,
         DPN_EDOMAIN,
         "vertices must be finite"},
        {{.dimension = 2, .vertex = square, .vertices = 2}, false, false, NULL, NONE, DPN_OK, ""},
        {{.dimension = 2, .vertex = square, .vertices = 2},
         false,
         true,
         NULL,
         NONE,
         DPN_EUNSUPPORTED,
         "out of the hull of vertices"},
        {{.dimension = 2, .vertex = square, .vertices = 2}, true, true, NULL, NONE, DPN_OK, ""},
        {{.dimension = 2, .vertex = flat, .vertices = 2},
         false,
         false,
         NULL,
         NONE,
         DPN_EUNSUPPORTED,
         "out of a hull that is flat"},
        {{.dimension = 2, .vertex = flat, .vertices = 2}, true, false, NULL, NONE, DPN_OK, ""},
        {{.dimension = 1, .linf = 1}, false, true, NULL, 0, DPN_OK, ""},
        {{.dimension = 1, .linf = 1}, false, true, NULL, 1, DPN_EDOMAIN, "the grid of noise on the integers is 1"},
        {{.dimension = 1, .linf = 1}, true, false, NULL, -1, DPN_EDOMAIN, "the grid of whole answers is 1"},
        {{.dimension = 1, .linf = 1}, false, false, NULL, 60, DPN_OK, ""},
        {{.dimension = 1, .linf = 1},
         false,
         false,
         NULL,
         61,
         DPN_EDOMAIN,
         "a grid of step 2^61 is outside 2^-400 to 2^60"},
        {{.dimension = 1, .linf = 1}, false, false, NULL, -400, DPN_OK, ""},
        {{.dimension = 1, .linf = 1}, false, false, NULL, -401, DPN_EDOMAIN, "a grid of step 2^-401"},
        {{.dimension = 1, .linf = 0x1p76}, false, false, NULL, NONE, DPN_OK, ""},
        {{.dimension = 1, .linf = 0x1p77}, false, false, NULL, NONE, DPN_EDOMAIN, "a grid of step 2^61"},
        {{.dimension = 2, .bound = good}, true, false, zero, NONE, DPN_OK, ""},
        {{.dimension = 2, .bound = good}, false, false, zero, NONE, DPN_EDOMAIN, "grids of their own are for whole"},
        {{.dimension = 2, .linf = 1}, true, false, zero, NONE, DPN_EDOMAIN, "grids of their own are for whole"},
        {{.dimension = 2, .bound = good, .linf = 1},
         true,
         false,
         zero,
         NONE,
         DPN_EDOMAIN,
         "grids of their own are for whole"},
        {{.dimension = 2, .bound = good}, true, false, zero, 0, DPN_EDOMAIN, "grids of their own are for whole"},
        {{.dimension = 2, .bound = halves}, true, false, half, NONE, DPN_OK, ""},
        {{.dimension = 2, .bound = halves},
         true,
         false,
         zero,
         NONE,
         DPN_EDOMAIN,
         "sensitivity of answer 1 is not a whole number"},
        {{.dimension = 2, .bound = good},
         true,
         true,
         half,
         NONE,
         DPN_EUNSUPPORTED,
         "noise on the integers is for answers on the grid 1"},
        {{.dimension = 2, .bound = good}, true, false, low, NONE, DPN_EDOMAIN, "a grid of step 2^-401"},
        {{.dimension = 2, .bound = good}, true, false, least, NONE, DPN_OK, ""},
        {{.dimension = 2, .bound = still}, true, false, high, NONE, DPN_EDOMAIN, "a grid of step 2^61"},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        dpn_error why = {DPN_OK, ""};
        dpn_status status = try_set(some[i].set, some[i].whole, some[i].integer, some[i].exponents, some[i].grid, &why);
        if (status != some[i].status || !strstr(why.sentence, some[i].part))
            fail_msg("case %zu: %d %s", i, (int)status, why.sentence);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_steps_are_rounded_up),      cmocka_unit_test(grids_are_fine_beside_what_moves),
        cmocka_unit_test(sizes_are_the_least_of_what_bounds), cmocka_unit_test(bounds_are_whole_steps_up),
        cmocka_unit_test(hulls_grow_by_their_norm_of_a_step), cmocka_unit_test(what_has_no_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
