/* Norms of a sensitivity set: those of its moves, listed by brute force on small sets; rounded up, and by no more than the sums lose. */
#include "privacy/sensitivity/norms.h"

#include "privacy/sensitivity/moves.h"
#include "reference/draw.h"
#include "unit/failing-memory.h"

#include <dpnoise/privacy.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 5 };

static dpn_norms norms_of(const dpn_sensitivity *set) {
    dpn_norms out;
    dpn_error why;
    if (dpn_norms_of(&out, set, &why)) fail_msg("%s", why.sentence);
    return out;
}

/* got is not below the truth, and above it by some ulps for each coordinate. */
static void just_above(double got, double truth, size_t n, const char *what) {
    if (!(got >= truth * (1 - 1e-15) && got <= truth * (1 + (4 * (double)n + 24) * DBL_EPSILON)))
        fail_msg("%s: %.17g, not %.17g", what, got, truth);
}

/* Boxes of which some coordinates may move: the corner of the largest bounds has every norm. */
static void corners_have_all_norms(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 3000; i++) {
        size_t n = 1 + draw_bits(&source) % MOST, changed = 1 + draw_bits(&source) % n, moved = 0;
        double bound[MOST], left[MOST], scale = draw_log_uniform(&source, 1e-200, 1e200), l1 = 0, square = 0, linf = 0;
        bool given = draw_chance(&source, 0.7);
        for (size_t k = 0; k < n; k++) {
            bound[k] = draw_chance(&source, 0.2) ? 0 : scale * draw_uniform(&source, 0.1, 1);
            left[k] = given ? bound[k] : scale;
        }
        for (size_t k = 0; k < changed; k++) {
            size_t best = 0;
            for (size_t j = 1; j < n; j++)
                if (left[j] > left[best]) best = j;
            linf = fmax(linf, left[best]);
            l1 += left[best];
            square += left[best] / scale * (left[best] / scale);
            moved += left[best] > 0;
            left[best] = 0;
        }
        dpn_sensitivity set = {
            .dimension = n, .bound = given ? bound : NULL, .linf = given ? 0 : scale, .max_changed = changed};
        dpn_norms got = norms_of(&set);
        double l2 = sqrt(square) * scale;
        assert_true(got.corner && got.changed == (double)(given ? moved : changed) && got.linf == linf);
        just_above(got.l1, l1, n, "l1");
        just_above(got.l2, l2, n, "l2");
        assert_true(l1 == 0 || (got.l1 >= l1 && got.l2 >= l2 * (1 - DBL_EPSILON)));
        assert_true(dpn_set_is_box(&set, &got) == (changed == n));
        if (l1 == 0) continue;
        /* l1 or l2 bounds that bind: then no one move has all norms, and one bounds the other by Cauchy's inequality. */
        dpn_sensitivity cut = set;
        cut.l1 = l1 * draw_uniform(&source, 0.3, 0.999);
        got = norms_of(&cut);
        assert_true(got.l1 <= cut.l1 && !(got.corner && moved > 1));
        assert_true(got.l2 <= l2 * (1 + 1e-13) && got.l2 * got.l2 >= 0 && got.linf <= fmin(linf, cut.l1));
        double most = sqrt(got.linf) * sqrt(got.l1), least = fmin(cut.l1, linf);
        assert_true(got.l2 <= most * (1 + 1e-14) && got.l2 >= least * (1 - 1e-15));
        cut = set;
        cut.l2 = l2 * draw_uniform(&source, 0.3, 0.999);
        got = norms_of(&cut);
        assert_true(got.l2 <= cut.l2 && !(got.corner && moved > 1));
        assert_true(got.l1 <= fmin(l1 * (1 + 1e-13), sqrt(got.changed) * cut.l2 * (1 + 1e-14)));
        assert_true(got.l1 >= fmin(l1, cut.l2) * (1 - 1e-15));
        cut.l1 = 2 * l1; /* bounds that do not bind leave the corner */
        cut.l2 = 2 * l2;
        got = norms_of(&cut);
        assert_true(got.corner && dpn_set_is_box(&cut, &got) == (changed == n));
    }
}

/* Sums of squares and of sizes on the way to the other norm: of an l1 ball in a cube sqrt(linf l1), of an l2 ball sqrt(n) l2. */
static void balls(void **state) {
    (void)state;
    dpn_norms got = norms_of(&(dpn_sensitivity){.dimension = 9, .l2 = 2});
    assert_true(got.l2 == 2 && got.linf == 2 && got.changed == 9 && !got.corner);
    just_above(got.l1, 6, 9, "l1 of an l2 ball");
    assert_true(got.l1 >= 6);
    got = norms_of(&(dpn_sensitivity){.dimension = 9, .l2 = 2, .max_changed = 4});
    just_above(got.l1, 4, 9, "l1 of four");
    assert_true(got.changed == 4);
    got = norms_of(&(dpn_sensitivity){.dimension = 16, .l1 = 9, .linf = 1});
    assert_true(got.l1 == 9 && got.linf == 1 && !got.corner);
    just_above(got.l2, 3, 16, "l2 of an l1 ball");
    assert_true(got.l2 >= 3);
    got = norms_of(&(dpn_sensitivity){.dimension = 1, .l1 = 9});
    assert_true(got.corner && got.linf == 9 && got.l1 == 9);
    just_above(got.l2, 9, 1, "l2 of a number");
    got = norms_of(&(dpn_sensitivity){.dimension = 4, .linf = 1, .max_changed = 9}); /* more than there are */
    assert_true(got.changed == 4 && got.corner && got.l2 >= 2 && got.l1 >= 4);
    assert_true(dpn_set_is_box(&(dpn_sensitivity){.dimension = 4, .linf = 1, .max_changed = 4}, &got));
    assert_true(dpn_set_is_box(&(dpn_sensitivity){.dimension = 4, .linf = 1}, &got));
    assert_false(dpn_set_is_box(&(dpn_sensitivity){.dimension = 4, .linf = 1, .max_changed = 3}, &got));
}

/* Rows: the largest norms of any, and the box of all coordinates. */
static void rows(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 2000; i++) {
        size_t n = 1 + draw_bits(&source) % MOST, count = 1 + draw_bits(&source) % 4;
        double row[4 * MOST], l1 = 0, l2 = 0, box = 0, bound[MOST], linf = 0,
                              size = draw_log_uniform(&source, 1e-150, 1e150);
        double largest[MOST] = {0};
        size_t moved = 0;
        for (size_t v = 0; v < count; v++) {
            double sum = 0, square = 0;
            for (size_t k = 0; k < n; k++) {
                double x = draw_chance(&source, 0.3) ? 0 : draw_uniform(&source, -1, 1);
                row[v * n + k] = x * size;
                sum += fabs(x), square += x * x;
                largest[k] = fmax(largest[k], fabs(x));
            }
            l1 = fmax(l1, sum * size), l2 = fmax(l2, sqrt(square) * size);
        }
        for (size_t k = 0; k < n; k++) {
            bound[k] = size * draw_uniform(&source, 0.05, 2);
            moved += largest[k] > 0, linf = fmax(linf, largest[k] * size), box += largest[k] * size;
        }
        dpn_sensitivity set = {.dimension = n, .vertex = row, .vertices = count};
        dpn_norms got = norms_of(&set);
        assert_true(!got.corner && !dpn_set_is_box(&set, &got) && got.linf == linf && got.changed == (double)moved);
        /* one norm is a bound of the other; with rows those are seldom smaller than what the rows have */
        double l1_most = fmin(l1, sqrt((double)moved) * l2), l2_most = fmin(l2, sqrt(linf) * sqrt(l1));
        just_above(got.l1, l1_most, 8 * n, "l1 of rows");
        just_above(got.l2, l2_most, 8 * n, "l2 of rows");
        assert_true(l1 == 0 || (got.l1 >= l1 && got.l2 >= l2 * (1 - 1e-15)));
        for (size_t k = 0; k < n; k++) assert_true(dpn_coordinate_bound(&set, k) == largest[k] * size);
        set.bound = bound;
        for (size_t k = 0; k < n; k++) assert_true(dpn_coordinate_bound(&set, k) == fmin(largest[k] * size, bound[k]));
        got = norms_of(&set);
        double sum = 0;
        for (size_t k = 0; k < n; k++) sum += fmin(bound[k], largest[k] * size);
        assert_true(got.l1 <= fmin(sum, l1) * (1 + 1e-13) && got.l1 <= box * (1 + 1e-13));
        set.linf = size * 0.25;
        for (size_t k = 0; k < n; k++)
            assert_true(dpn_coordinate_bound(&set, k) == fmin(fmin(largest[k] * size, bound[k]), size * 0.25));
    }
    dpn_sensitivity open = {.dimension = 2};
    assert_true(isinf(dpn_coordinate_bound(&open, 1)));
    open.l1 = 3;
    open.l2 = 2;
    assert_true(dpn_coordinate_bound(&open, 0) == 2);
    open.linf = 1;
    assert_true(dpn_coordinate_bound(&open, 0) == 1);
}

static void refusals(void **state) {
    (void)state;
    dpn_norms out = {.changed = 77};
    dpn_error why;
    dpn_sensitivity open = {.dimension = 2, .max_changed = 1};
    assert_int_equal(dpn_norms_of(&out, &open, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "the sensitivity is unbounded: give sensitivities, l1, l2, linf or vertices");
    const double wide[] = {1, INFINITY};
    open.bound = wide;
    assert_int_equal(dpn_norms_of(&out, &open, &why), DPN_EDOMAIN);
    assert_true(out.changed == 77);
#ifndef SANITIZED
    const double bound[] = {1, 2};
    dpn_sensitivity set = {.dimension = 2, .bound = bound};
    memory.requests = 0;
    memory.fail_at = 0;
    memory.armed = true;
    dpn_status status = dpn_norms_of(&out, &set, &why);
    memory.armed = false;
    assert_int_equal(status, DPN_ENOMEM);
    assert_string_equal(why.sentence, "no memory for 2 coordinates");
    assert_true(out.changed == 77);
#endif
}

/* A histogram: rows of a unit in bins, of which one or two move for each. */
static void histograms(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 77};
    dpn_error why;
    for (uint64_t rows = 1; rows < 6; rows++)
        for (size_t bins = 1; bins < 9; bins++)
            for (int replace = 0; replace < 2; replace++) {
                dpn_relation relation = replace ? DPN_REPLACE : DPN_ADD_REMOVE;
                assert_int_equal(dpn_sensitivity_histogram(&set, bins, rows, relation, NULL), DPN_OK);
                size_t moved = (size_t)(replace ? 2 * rows : rows);
                assert_true(set.dimension == bins && set.linf == (double)rows && set.relation == relation);
                assert_true(set.max_changed == (moved < bins ? moved : bins) &&
                            set.l1 == (rows > 1 ? (double)moved : 0));
                assert_true(set.l2 == 0 && !set.bound && !set.vertices);
            }
    set.dimension = 77;
    assert_int_equal(dpn_sensitivity_histogram(&set, 0, 1, DPN_REPLACE, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "a histogram has at least one bin");
    assert_int_equal(dpn_sensitivity_histogram(&set, 1, 0, DPN_REPLACE, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "a unit has 1 to 1000000000 rows in a histogram");
    assert_int_equal(dpn_sensitivity_histogram(&set, 1, 1000000001, DPN_REPLACE, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_sensitivity_histogram(&set, 1, 1, (dpn_relation)2, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "there is no such relation");
    assert_true(set.dimension == 77);
    assert_int_equal(dpn_sensitivity_histogram(&set, 3, 1000000000, DPN_REPLACE, NULL), DPN_OK);
    assert_true(set.l1 == 2e9);
    static const char *const arguments[] = {"corner",     "vertices",  "one-hot", "l2-Gaussian", "bound",
                                            "directions", "theorem-8", "zcdp",    "renyi",       "?"};
    for (unsigned i = 0; i < 10; i++) assert_string_equal(dpn_argument_name((dpn_argument)i), arguments[i]);
    assert_string_equal(dpn_unit_name(DPN_PERSON), "person");
    assert_null(dpn_unit_name((dpn_unit)2));
}

/* Moves that bound from above alone say nothing from below but what every mechanism has; what cannot be had is passed over if it is no worst. */
static void moves_have_profiles(void **state) {
    (void)state;
    dpn_workspace *workspace;
    dpn_law law;
    dpn_loss loss, wide;
    dpn_moves moves = {0};
    dpn_delta delta;
    dpn_epsilon epsilon;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_law_parse(&law, "laplace(scale=2)", NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&loss, &law, 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&wide, &law, 2, NULL), DPN_OK);
    assert_int_equal(dpn_moves_begin(&moves, DPN_MOVE_WORST, NULL), DPN_OK);
    assert_int_equal(dpn_moves_add(&moves, &loss, 1, NULL), DPN_OK);
    assert_int_equal(dpn_moves_begin(&moves, DPN_MOVE_WORST, NULL), DPN_OK);
    assert_int_equal(dpn_moves_add(&moves, &wide, 1, NULL), DPN_OK);
    double one = -expm1((0.2 - 0.5) / 2), two = -expm1((0.2 - 1) / 2); /* 1 - e^((e - d/s)/2) */
    assert_int_equal(dpn_moves_delta(&delta, &moves, workspace, 0.2, NULL, NULL), DPN_OK);
    assert_true(fabs(delta.lower - two) < 1e-9 && fabs(delta.upper - two) < 1e-9);
    assert_int_equal(dpn_moves_epsilon(&epsilon, &moves, workspace, two, NULL, NULL), DPN_OK);
    assert_true(fabs(epsilon.lower - 0.2) < 1e-6 && fabs(epsilon.upper - 0.2) < 1e-6);
    moves.move[0].role = DPN_MOVE_POSSIBLE;
    moves.move[1].role = DPN_MOVE_ABOVE;
    assert_int_equal(dpn_moves_delta(&delta, &moves, workspace, 0.2, NULL, NULL), DPN_OK);
    assert_true(fabs(delta.lower - one) < 1e-9 && fabs(delta.upper - two) < 1e-9);
    assert_int_equal(dpn_moves_epsilon(&epsilon, &moves, workspace, two, NULL, NULL), DPN_OK);
    assert_true(epsilon.lower < 0.1 && fabs(epsilon.upper - 0.2) < 1e-6);
    moves.upper_only = true;
    assert_int_equal(dpn_moves_delta(&delta, &moves, workspace, 0.2, NULL, NULL), DPN_OK);
    assert_true(delta.lower == 0 && delta.log_lower == -INFINITY && fabs(delta.upper - two) < 1e-9);
    assert_int_equal(dpn_moves_delta(&delta, &moves, workspace, -0.2, NULL, NULL), DPN_OK);
    assert_true(fabs(delta.lower - (1 - exp(-0.2))) < 1e-15 && fabs(delta.log_lower - log(1 - exp(-0.2))) < 1e-15);
    assert_int_equal(dpn_moves_epsilon(&epsilon, &moves, workspace, two, NULL, NULL), DPN_OK);
    assert_true(epsilon.lower == 0 && fabs(epsilon.upper - 0.2) < 1e-6);
    delta = (dpn_delta){7, 7, 7, 7};
    assert_int_equal(dpn_moves_delta(&delta, &moves, workspace, NAN, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_moves_epsilon(&epsilon, &moves, workspace, 2, NULL, NULL), DPN_EDOMAIN);
    assert_true(delta.lower == 7 && epsilon.lower == 0);
    dpn_moves_free(&moves);
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_have_all_norms),
        cmocka_unit_test(balls),
        cmocka_unit_test(rows),
        cmocka_unit_test(refusals),
        cmocka_unit_test(histograms),
        cmocka_unit_test(moves_have_profiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
