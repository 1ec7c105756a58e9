/* The grid and the sensitivity set of gridded answers: neighbours are drawn at random from sets of every kind, near ties and
 * away from them, put on the grid through their decimal text, and their moves must lie in the gridded set. */
#include "release/noise/grid.h"
#include "release/noise/hull.h"

#include "base/dyadic.h"
#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 6 };

/* ---- Sets ---- */

static double draw_size(draw_source *source) {
    double size = draw_log_uniform(source, 1e-3, 1e3);
    return draw_chance(source, 0.3) ? ceil(size) : size;
}

typedef struct problem {
    dpn_sensitivity set;
    double bound[MOST];
    dpn_release_options options;
} problem;

static void draw_problem(problem *p, draw_source *source) {
    memset(p, 0, sizeof *p);
    p->set.dimension = 1 + draw_bits(source) % MOST;
    bool box = draw_chance(source, 0.4);
    if (draw_chance(source, 0.5)) {
        for (size_t i = 0; i < p->set.dimension; i++)
            p->bound[i] = i > 0 && draw_chance(source, 0.2) ? 0 : draw_size(source);
        p->set.bound = p->bound;
    }
    if (!p->set.bound || draw_chance(source, 0.3)) p->set.linf = draw_size(source);
    if (!box && draw_chance(source, 0.6)) p->set.l1 = draw_size(source);
    if (!box && draw_chance(source, 0.6)) p->set.l2 = draw_size(source);
    if (draw_chance(source, 0.4)) p->set.max_changed = 1 + draw_bits(source) % MOST;
    p->options =
        (dpn_release_options){.size = sizeof(dpn_release_options), .epsilon = 1, .delta = 1e-6, .set = &p->set};
    if (draw_chance(source, 0.6)) { /* coarse grids, on which rounding matters */
        p->options.has_grid = true;
        p->options.grid_exponent = (int)(draw_bits(source) % 12) - 6;
    }
}

/* Whether a move lies in a set, to a relative 1e-12: what is looked for is a step too much. */
static bool inside(const double *move, const dpn_sensitivity *set) {
    const double slack = 1 + 1e-12;
    double l1 = 0, l2 = 0;
    size_t moved = 0;
    for (size_t i = 0; i < set->dimension; i++) {
        double size = fabs(move[i]);
        if (set->bound && size > set->bound[i] * slack) return false;
        if (set->linf > 0 && size > set->linf * slack) return false;
        l1 += size;
        l2 += size * size;
        moved += size > 0;
    }
    if (set->l1 > 0 && l1 > set->l1 * slack) return false;
    if (set->l2 > 0 && sqrt(l2) > set->l2 * slack) return false;
    return set->max_changed == 0 || moved <= set->max_changed;
}

/* A move of the set that goes as far as it can in some direction. */
static void draw_move(double *move, const dpn_sensitivity *set, draw_source *source) {
    memset(move, 0, MOST * sizeof *move);
    size_t may = set->max_changed ? set->max_changed : MOST;
    double l1 = 0, l2 = 0, shrink = 1;
    for (size_t i = 0; i < set->dimension && may > 0; i++) {
        double most = set->bound ? set->bound[i] : INFINITY;
        if (set->linf > 0) most = fmin(most, set->linf);
        if (most == 0 || draw_chance(source, 0.2)) continue;
        move[i] = draw_chance(source, 0.3) ? most * draw_uniform(source, 0, 1) : most;
        if (draw_chance(source, 0.5)) move[i] = -move[i];
        may--;
        l1 += fabs(move[i]);
        l2 += move[i] * move[i];
    }
    if (set->l1 > 0 && l1 > set->l1) shrink = set->l1 / l1;
    if (set->l2 > 0 && sqrt(l2) * shrink > set->l2) shrink = set->l2 / sqrt(l2);
    for (size_t i = 0; i < set->dimension; i++) move[i] *= shrink * (1 - 1e-14);
}

/* ---- Moves on the grid ---- */

static dpn_int128 on_grid(double x, int exponent) {
    char text[400];
    snprintf(text, sizeof text, "%.60f", x); /* all digits of the doubles that occur here */
    dpn_int128 steps;
    dpn_error why;
    if (dpn_dyadic_nearest(&steps, NULL, text, exponent, &why)) fail_msg("%s", why.sentence);
    return steps;
}

static void try_move(const problem *p, const dpn_grid *grid, draw_source *source) {
    double move[MOST], gridded[MOST] = {0};
    draw_move(move, &p->set, source);
    if (!inside(move, &p->set)) fail_msg("the test draws moves outside the set");
    for (size_t i = 0; i < p->set.dimension; i++) {
        double g = ldexp(1, grid->exponent[i]), x = draw_uniform(source, -50, 50) * g;
        if (draw_chance(source, 0.5))
            x = (floor(x / g) + 0.5) * g; /* a tie, or just below the next one after the move */
        if (draw_chance(source, 0.3)) x -= move[i];
        gridded[i] = (double)(on_grid(x + move[i], grid->exponent[i]) - on_grid(x, grid->exponent[i])) * g;
        if (move[i] == 0) assert_true(gridded[i] == 0);
    }
    if (!inside(gridded, &grid->set)) fail_msg("a move leaves the gridded set");
}

/* No bound grows by more than 2^-16 of it unless the grid was given. */
static void costs_little(const problem *p, const dpn_grid *grid) {
    const double most = 1 + 0x1p-16;
    if (p->options.has_grid) return;
    for (size_t i = 0; p->set.bound && i < p->set.dimension; i++) assert_true(grid->bound[i] <= p->set.bound[i] * most);
    assert_true(grid->set.linf <= p->set.linf * most);
    assert_true(grid->set.l1 <= p->set.l1 * most);
    assert_true(grid->set.l2 <= p->set.l2 * most * (1 + 1e-15));
}

static void moves_stay_inside(void **state) {
    (void)state;
    draw_source source = {6};
    for (int i = 0; i < 4000; i++) {
        problem p;
        draw_problem(&p, &source);
        dpn_grid grid;
        dpn_error why;
        if (dpn_grid_make(&grid, &p.options, false, &why)) fail_msg("%s", why.sentence);
        costs_little(&p, &grid);
        for (int j = 0; j < 20; j++) try_move(&p, &grid, &source);
        dpn_grid_free(&grid);
    }
}

/* ---- By hand ---- */

static dpn_grid made(dpn_release_options options, bool integer) {
    dpn_grid grid;
    dpn_error why;
    if (dpn_grid_make(&grid, &options, integer, &why)) fail_msg("%s", why.sentence);
    return grid;
}

static void grids_by_hand(void **state) {
    (void)state;
    double bound[] = {1, 0.75, 0, 3e5};
    dpn_sensitivity box = {.dimension = 4, .bound = bound};
    dpn_grid grid = made((dpn_release_options){.size = sizeof(dpn_release_options), .set = &box}, false);
    assert_int_equal(grid.exponent[0], -16);
    assert_int_equal(grid.exponent[1], -17);
    assert_int_equal(grid.exponent[2], -17); /* cannot move: the finest of the others */
    assert_int_equal(grid.exponent[3], 2);
    assert_true(grid.bound[0] == 1 && grid.bound[1] == 0.75 && grid.bound[2] == 0 && grid.bound[3] == 3e5);
    dpn_grid_free(&grid);
    grid = made((dpn_release_options){.size = sizeof(dpn_release_options), .set = &box}, true);
    for (int i = 0; i < 4; i++) assert_int_equal(grid.exponent[i], 0);
    assert_true(grid.bound[0] == 1 && grid.bound[1] == 1 && grid.bound[2] == 0 && grid.bound[3] == 3e5);
    dpn_grid_free(&grid);
    grid = made(
        (dpn_release_options){.size = sizeof(dpn_release_options), .set = &box, .has_grid = true, .grid_exponent = 1},
        false);
    assert_true(grid.bound[0] == 2 && grid.bound[1] == 2 && grid.bound[2] == 0 && grid.bound[3] == 3e5);
    dpn_grid_free(&grid);
    dpn_sensitivity norms = {.dimension = 10, .l1 = 2.5, .l2 = 3, .max_changed = 4};
    grid = made((dpn_release_options){.size = sizeof(dpn_release_options), .set = &norms, .has_grid = true}, false);
    assert_true(grid.set.l1 == 6 && grid.set.l2 >= 5 && grid.set.l2 < 5 + 1e-14); /* 3 + 4 - 1, 3 + sqrt(4) */
    dpn_grid_free(&grid);
    grid = made((dpn_release_options){.size = sizeof(dpn_release_options), .set = &norms, .whole = true}, false);
    assert_true(grid.set.l1 == 2.5 && grid.set.l2 == 3 && grid.exponent[9] == 0);
    dpn_grid_free(&grid);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    double negative[] = {1, -1}, nan[] = {NAN, 1}, endless[] = {1, INFINITY}, tiny[] = {1e-200, 1}, vertex[] = {1, 2};
    dpn_sensitivity none = {0}, open = {.dimension = 2}, set = {.dimension = 2};
    const struct {
        const dpn_sensitivity *set;
        const double *bound;
        bool has_grid;
        int exponent;
        bool whole;
        dpn_status status;
    } bad[] = {
        {NULL, NULL, false, 0, false, DPN_EDOMAIN},      {&none, NULL, false, 0, false, DPN_EDOMAIN},
        {&open, NULL, false, 0, false, DPN_EDOMAIN},     {&set, negative, false, 0, false, DPN_EDOMAIN},
        {&set, nan, false, 0, false, DPN_EDOMAIN},       {&set, endless, false, 0, false, DPN_EDOMAIN},
        {&set, tiny, false, 0, false, DPN_EDOMAIN},      {&set, endless, true, 61, false, DPN_EDOMAIN},
        {&set, endless, true, -401, false, DPN_EDOMAIN}, {&set, endless, true, 1, true, DPN_EDOMAIN},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        set.bound = bad[i].bound;
        dpn_release_options options = {.size = sizeof(dpn_release_options),
                                       .set = bad[i].set,
                                       .has_grid = bad[i].has_grid,
                                       .grid_exponent = bad[i].exponent,
                                       .whole = bad[i].whole};
        dpn_grid grid;
        dpn_error why = {0};
        if (dpn_grid_make(&grid, &options, false, &why) != bad[i].status) fail_msg("case %zu", i);
        assert_true(why.sentence[0]);
        dpn_grid_free(&grid);
    }
    dpn_sensitivity hull = {.dimension = 2, .vertex = vertex, .vertices = 1}; /* flat */
    dpn_release_options options = {.size = sizeof(dpn_release_options), .set = &hull};
    dpn_grid grid;
    assert_int_equal(dpn_grid_make(&grid, &options, false, NULL), DPN_EUNSUPPORTED);
    dpn_grid_free(&grid);
    options.whole = true;
    hull.vertex = NULL;
    assert_int_equal(dpn_grid_make(&grid, &options, false, NULL), DPN_EDOMAIN);
    hull.vertex = vertex;
    assert_int_equal(dpn_grid_make(&grid, &options, false, NULL), DPN_OK);
    assert_memory_equal(grid.set.vertex, vertex, sizeof vertex);
    dpn_grid_free(&grid);
}

/* ---- Hulls ---- */

/* Whether a point of the plane lies in the hull of vertices and their negatives: the normals of its sides are among those of
 * all lines through two of the points. */
static bool in_plane_hull(const double *point, const double *vertex, size_t vertices) {
    for (size_t i = 0; i < 2 * vertices; i++)
        for (size_t j = 0; j < i; j++) {
            const double *a = vertex + 2 * (i / 2), *b = vertex + 2 * (j / 2);
            double sign_a = i % 2 ? -1 : 1, sign_b = j % 2 ? -1 : 1, most = 0;
            double normal[2] = {sign_b * b[1] - sign_a * a[1], sign_a * a[0] - sign_b * b[0]};
            for (size_t k = 0; k < vertices; k++)
                most = fmax(most, fabs(normal[0] * vertex[2 * k] + normal[1] * vertex[2 * k + 1]));
            if (fabs(normal[0] * point[0] + normal[1] * point[1]) > most * (1 + 1e-12)) return false;
        }
    return true;
}

/* Random moves of a random hull, on coarse grids, stay in the larger hull; a hull that is not enlarged would not hold them. */
static void moves_stay_in_the_hull(void **state) {
    (void)state;
    draw_source source = {8};
    int outside_the_old_one = 0;
    for (int i = 0; i < 2000; i++) {
        enum { VERTICES = 3 };
        double vertex[2 * VERTICES];
        for (int k = 0; k < 2 * VERTICES; k++) vertex[k] = draw_uniform(&source, -3, 3);
        dpn_sensitivity set = {.dimension = 2, .vertex = vertex, .vertices = VERTICES};
        dpn_release_options options = {.size = sizeof(dpn_release_options),
                                       .set = &set,
                                       .has_grid = i % 2 == 0,
                                       .grid_exponent = -(int)(draw_bits(&source) % 4)};
        dpn_grid grid = made(options, false);
        if (!options.has_grid) assert_true(fabs(grid.vertex[0] / vertex[0] - 1) < 0x1p-15);
        for (int j = 0; j < 20; j++) {
            double weight = draw_uniform(&source, 0, 1), move[2], gridded[2];
            size_t first = draw_bits(&source) % VERTICES, second = draw_bits(&source) % VERTICES;
            if (draw_chance(&source, 0.3)) weight = 1;
            double other = draw_chance(&source, 0.5) ? 1 - weight : weight - 1;
            for (size_t c = 0; c < 2; c++) {
                double g = ldexp(1, grid.exponent[c]), x = draw_uniform(&source, -9, 9) * g;
                move[c] = (weight * vertex[2 * first + c] + other * vertex[2 * second + c]) * (1 - 1e-14);
                gridded[c] = (double)(on_grid(x + move[c], grid.exponent[c]) - on_grid(x, grid.exponent[c])) * g;
            }
            if (!in_plane_hull(gridded, grid.vertex, VERTICES)) fail_msg("a move leaves the larger hull");
            outside_the_old_one += !in_plane_hull(gridded, vertex, VERTICES);
        }
        dpn_grid_free(&grid);
    }
    assert_true(outside_the_old_one > 1000);
}

/* A hull of vertices on the axes is an l1 ball of sides a and b, and (g, g) has the norm g/a + g/b in it: each side becomes larger by at least that share, however
 * little that is. */
static void larger_hulls_are_not_rounded_down(void **state) {
    (void)state;
    draw_source source = {10};
    for (int i = 0; i < 500; i++) {
        double a = draw_log_uniform(&source, 1e-3, 1e3), b = draw_log_uniform(&source, 0.1, 10) * a;
        double vertex[4] = {a, 0, 0, b};
        dpn_sensitivity set = {.dimension = 2, .vertex = vertex, .vertices = 2};
        dpn_release_options options = {.size = sizeof(dpn_release_options),
                                       .set = &set,
                                       .has_grid = true,
                                       .grid_exponent = ilogb(a) - 24 - (int)(draw_bits(&source) % 28)};
        dpn_grid grid = made(options, false);
        long double g = ldexpl(1, options.grid_exponent), share = 1 + g / a + g / b;
        assert_true(grid.vertex[0] >= a * share && grid.vertex[3] >= b * share);
        assert_true(grid.vertex[0] < a * (share + 1e-13L) && grid.vertex[3] < b * (share + 1e-13L));
        assert_true(grid.vertex[1] == 0 && grid.vertex[2] == 0);
        dpn_grid_free(&grid);
    }
}

/* The bound of the norm: for boxes and l1 balls by hand, and never below |u e|/max |u v| for any u. */
static void norms_of_sign_vectors(void **state) {
    (void)state;
    double unit[9] = {2, 0, 0, 0, 4, 0, 0, 0, 0.5}, flat[6] = {1, 2, 3, 2, 4, 6}, still[4] = {3, 0, 5, 0};
    assert_true(fabs(dpn_hull_norm_upper(unit, 3, 3) - (0.5 + 0.25 + 2)) < 1e-7); /* an l1 ball: exact */
    assert_true(isinf(dpn_hull_norm_upper(flat, 2, 3)));
    assert_true(fabs(dpn_hull_norm_upper(still, 2, 2) - 0.2) < 1e-8); /* the second answer never moves */
    double thin[4] = {1, 1, 1, 1 + 0x1p-52};
    assert_true(isinf(dpn_hull_norm_upper(thin, 2, 2)));
    double twice[6] = {
        2, 2, 1,
        1, 0, 0.125}; /* of the first two one alone counts: (1, 1) = (2, 2)/2, (1, -1) = (2, 2)/2 - 16 (0, 1/8) */
    assert_true(fabs(dpn_hull_norm_upper(twice, 3, 2) / 16.5 - 1) < 1e-7);
    /* The residual overflows to NaN in the row of one answer and is small in that of the other. */
    double first[4] = {1e200, 0, 1e200, 1e-200}, last[4] = {0, 1e200, 1e-200, 1e200};
    assert_true(isinf(dpn_hull_norm_upper(first, 2, 2)));
    assert_true(isinf(dpn_hull_norm_upper(last, 2, 2)));
    draw_source source = {9};
    for (int i = 0; i < 3000; i++) {
        double vertex[8 * 5];
        size_t n = 1 + draw_bits(&source) % 5, count = n + draw_bits(&source) % (8 - n + 1);
        double scale = draw_log_uniform(&source, 1e-6, 1e6);
        for (size_t k = 0; k < count * n; k++) vertex[k] = scale * draw_uniform(&source, -1, 1);
        double upper = dpn_hull_norm_upper(vertex, count, n);
        assert_true(upper > 0);
        for (int j = 0; j < 50; j++) {
            double direction[5], of_signs = 0, most = 0;
            for (size_t c = 0; c < n; c++) {
                direction[c] = draw_uniform(&source, -1, 1);
                of_signs += fabs(direction[c]); /* the best e for this direction */
            }
            for (size_t k = 0; k < count; k++) {
                double product = 0;
                for (size_t c = 0; c < n; c++) product += direction[c] * vertex[k * n + c];
                most = fmax(most, fabs(product));
            }
            assert_true(of_signs <= upper * most * (1 + 1e-12));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_stay_inside),      cmocka_unit_test(grids_by_hand),
        cmocka_unit_test(moves_stay_in_the_hull), cmocka_unit_test(norms_of_sign_vectors),
        cmocka_unit_test(nonsense_is_refused),    cmocka_unit_test(larger_hulls_are_not_rounded_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
