/* Sensitivity sets: the argument that each rests on, its value a second way, and random moves that never exceed it. */
#include <dpnoise/privacy.h>

#include "privacy/sensitivity/moves.h"
#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dpn_workspace *workspace;

static int open_workspace(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) ? -1 : 0;
}

static int close_workspace(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    return 0;
}

static dpn_law law_of(const char *text) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why)) fail_msg("%s", why.sentence);
    return law;
}

static dpn_delta of_set(const char *text, const dpn_sensitivity *set, double epsilon, const char *argument) {
    dpn_law law = law_of(text);
    dpn_delta delta;
    dpn_argument found;
    dpn_error why;
    if (dpn_sensitivity_delta(&delta, &found, workspace, &law, 1, set, epsilon, NULL, &why))
        fail_msg("%s", why.sentence);
    assert_string_equal(dpn_argument_name(found), argument);
    return delta;
}

/* The composition of the law at the shifts. */
static dpn_delta of_shifts(const char *text, const double *shift, size_t count, double epsilon) {
    dpn_law law = law_of(text);
    dpn_part part[16];
    dpn_delta delta;
    dpn_error why;
    assert_true(count <= 16);
    for (size_t i = 0; i < count; i++) {
        part[i].times = 1;
        assert_int_equal(dpn_loss_law(&part[i].loss, &law, shift[i], NULL), DPN_OK);
    }
    if (dpn_compose_delta(&delta, workspace, part, count, epsilon, NULL, &why)) fail_msg("%s", why.sentence);
    return delta;
}

static void assert_same(dpn_delta a, dpn_delta b) {
    if (!(a.lower <= b.upper && b.lower <= a.upper && a.upper <= b.upper * 1.0001 && b.upper <= a.upper * 1.0001))
        fail_msg("[%.17g, %.17g] is not [%.17g, %.17g]", a.lower, a.upper, b.lower, b.upper);
    if (a.upper > 0 && !(fabs(a.log_upper - log(a.upper)) < 1e-9 && fabs(a.log_lower - log(a.lower)) < 1e-9))
        fail_msg("[%.17g, %.17g] has the logarithms %.17g and %.17g", a.lower, a.upper, a.log_lower, a.log_upper);
}

static void boxes(void **state) {
    (void)state;
    const double bound[] = {1, 0.5, 2, 0, 0.5}, moving[] = {1, 0.5, 2, 0.5}, largest[] = {2, 1};
    dpn_sensitivity set = {.dimension = 5, .bound = bound};
    assert_same(of_set("osgt(m=2,sigma=5)", &set, 0.7, "corner"), of_shifts("osgt(m=2,sigma=5)", moving, 4, 0.7));
    set.max_changed = 2;
    assert_same(of_set("osgt(m=2,sigma=5)", &set, 0.7, "corner"), of_shifts("osgt(m=2,sigma=5)", largest, 2, 0.7));
    set.linf = 0.5;
    const double capped[] = {0.5, 0.5};
    assert_same(of_set("osgt(m=2,sigma=5)", &set, 0.2, "corner"), of_shifts("osgt(m=2,sigma=5)", capped, 2, 0.2));
}

/* A histogram of 1000 cells in which two may change is the two-fold composition. */
static void histograms(void **state) {
    (void)state;
    const double twice[] = {1, 1};
    dpn_sensitivity set = {.dimension = 1000, .linf = 1, .max_changed = 2};
    assert_same(of_set("osgt(m=3,sigma=6)", &set, 1, "corner"), of_shifts("osgt(m=3,sigma=6)", twice, 2, 1));
    set = (dpn_sensitivity){.dimension = 1000, .linf = 1, .l1 = 2};
    assert_same(of_set("osgt(m=3,sigma=6)", &set, 1, "vertices"), of_shifts("osgt(m=3,sigma=6)", twice, 2, 1));
    assert_same(of_set("discrete-laplace(scale=3)", &set, 0.5, "vertices"),
                of_shifts("discrete-laplace(scale=3)", twice, 2, 0.5));
}

/* The counts of a unit in three bins, a number from 0 in base rows + 1, of which some have more rows than it may have. */
enum { BINS = 3 };

static bool unit_of(int64_t count[BINS], uint64_t number, uint64_t rows) {
    uint64_t sum = 0;
    for (size_t i = 0; i < BINS; i++, number /= rows + 1)
        sum += number % (rows + 1), count[i] = (int64_t)(number % (rows + 1));
    return sum <= rows;
}

/* The largest delta over all units, or pairs of them, whose moves must lie in the set. */
static dpn_delta worst_of_tables(const char *law, const dpn_sensitivity *set, uint64_t rows, double epsilon) {
    dpn_delta worst = {0};
    uint64_t all = (rows + 1) * (rows + 1) * (rows + 1), others = set->relation == DPN_REPLACE ? all : 1;
    for (uint64_t pair = 0; pair < all * others; pair++) {
        int64_t one[BINS], other[BINS];
        if (!unit_of(one, pair % all, rows) || !unit_of(other, pair / all, rows)) continue;
        double moved[BINS], sum = 0, most = 0;
        size_t count = 0;
        for (size_t i = 0; i < BINS; i++) {
            double by = fabs((double)(one[i] - other[i]));
            if (by > 0) moved[count++] = by;
            sum += by, most = fmax(most, by);
        }
        assert_true(count <= set->max_changed && most <= set->linf && (set->l1 == 0 || sum <= set->l1));
        if (count == 0) continue;
        dpn_delta delta = of_shifts(law, moved, count, epsilon);
        worst.upper = fmax(worst.upper, delta.upper);
        worst.lower = fmax(worst.lower, delta.lower);
    }
    return worst;
}

/* A histogram moves as tables that differ by one unit say: nothing of the set is left out, and its worst is one of theirs. */
static void histograms_of_tables(void **state) {
    (void)state;
    const struct {
        const char *law;
        uint64_t rows;
        dpn_relation relation;
    } cases[] = {{"laplace(scale=2)", 1, DPN_ADD_REMOVE},
                 {"laplace(scale=2)", 1, DPN_REPLACE},
                 {"staircase(epsilon=1,sensitivity=1,gamma=0.4)", 1, DPN_REPLACE},
                 {"gaussian(sigma=3)", 2, DPN_ADD_REMOVE},
                 {"gaussian(sigma=3)", 2, DPN_REPLACE},
                 {"osgt(m=1,sigma=4)", 3, DPN_REPLACE},
                 {"discrete-laplace(scale=2)", 1, DPN_REPLACE},
                 {"discrete-gaussian(sigma=2)", 2, DPN_ADD_REMOVE},
                 {"discrete-gaussian(sigma=2)", 2, DPN_REPLACE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_sensitivity set;
        dpn_law law = law_of(cases[i].law);
        dpn_delta delta;
        assert_int_equal(dpn_sensitivity_histogram(&set, BINS, cases[i].rows, cases[i].relation, NULL), DPN_OK);
        assert_true(set.dimension == BINS && set.relation == cases[i].relation && set.unit == DPN_ROW);
        assert_int_equal(dpn_sensitivity_delta(&delta, NULL, workspace, &law, 1, &set, 0.3, NULL, NULL), DPN_OK);
        assert_same(delta, worst_of_tables(cases[i].law, &set, cases[i].rows, 0.3));
    }
    dpn_sensitivity set = {.dimension = 77};
    assert_int_equal(dpn_sensitivity_histogram(&set, 0, 1, DPN_REPLACE, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_sensitivity_histogram(&set, 2, 0, DPN_REPLACE, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_sensitivity_histogram(&set, 2, 1000000001, DPN_REPLACE, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_sensitivity_histogram(&set, 2, 1, (dpn_relation)2, NULL), DPN_EDOMAIN);
    assert_true(set.dimension == 77);
}

static void l1_balls(void **state) {
    (void)state;
    const double whole[] = {1.5}, part[] = {1, 1, 0.5};
    dpn_sensitivity set = {.dimension = 20, .l1 = 1.5};
    assert_same(of_set("flipped-huber(alpha=2,gamma=3)", &set, 0.4, "one-hot"),
                of_shifts("flipped-huber(alpha=2,gamma=3)", whole, 1, 0.4));
    set = (dpn_sensitivity){.dimension = 20, .l1 = 2.5, .linf = 1};
    assert_same(of_set("flipped-huber(alpha=2,gamma=3)", &set, 0.4, "vertices"),
                of_shifts("flipped-huber(alpha=2,gamma=3)", part, 3, 0.4));
    /* Bounds of 1e-9 leave the integers no room. */
    set = (dpn_sensitivity){.dimension = 3, .linf = 0.5};
    assert_true(of_set("discrete-gaussian(sigma=1)", &set, 0, "corner").upper == 0);
}

static void gaussian_needs_l2_only(void **state) {
    (void)state;
    const double two[] = {2};
    dpn_sensitivity set = {.dimension = 100, .l2 = 2};
    assert_same(of_set("gaussian(sigma=5)", &set, 1, "l2-Gaussian"), of_shifts("gaussian(sigma=5)", two, 1, 1));
    set = (dpn_sensitivity){.dimension = 4, .linf = 1};
    assert_same(of_set("gaussian(sigma=5)", &set, 1, "corner"), of_shifts("gaussian(sigma=5)", two, 1, 1));
    const double bound[] = {3, 1, 1}, norm[] = {sqrt(9 + 0.25)};
    set = (dpn_sensitivity){.dimension = 3, .bound = bound, .l1 = 3.5};
    assert_same(of_set("gaussian(sigma=5)", &set, 1, "corner"), of_shifts("gaussian(sigma=5)", norm, 1, 1));
}

static void vertices(void **state) {
    (void)state;
    const double rows[] = {2, 0, -1, 1, 1.2, 1.2}, one[] = {2}, two[] = {1, 1}, three[] = {1.2, 1.2};
    dpn_sensitivity set = {.dimension = 2, .vertex = rows, .vertices = 3};
    for (double epsilon = 0; epsilon < 2; epsilon += 0.3) {
        dpn_delta delta = of_set("flipped-huber(alpha=1,gamma=2)", &set, epsilon, "vertices");
        double largest = fmax(of_shifts("flipped-huber(alpha=1,gamma=2)", one, 1, epsilon).lower,
                              fmax(of_shifts("flipped-huber(alpha=1,gamma=2)", two, 2, epsilon).lower,
                                   of_shifts("flipped-huber(alpha=1,gamma=2)", three, 2, epsilon).lower));
        assert_true(delta.lower >= largest * (1 - 1e-6) && delta.upper <= largest * 1.0001);
    }
    set.linf = 1; /* a smaller set: the vertices bound it */
    dpn_delta delta = of_set("flipped-huber(alpha=1,gamma=2)", &set, 0.5, "bound");
    assert_true(delta.lower == 0 && delta.upper > 0);
}

/* Known through l2 only: an interior direction is the worst here (3.9336e-4 near 15 degrees). */
static void l2_alone_is_a_bound(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 2, .l2 = 1};
    dpn_delta delta = of_set("flipped-huber(alpha=0.5,gamma=2)", &set, 1.5, "directions");
    assert_true(delta.upper >= 3.9339e-4 && delta.lower <= 3.9342e-4 && delta.lower > 3.93e-4);
    for (int degree = 0; degree <= 45; degree += 3) {
        const double shift[] = {cos(degree * 0.017453292519943295), sin(degree * 0.017453292519943295)};
        assert_true(of_shifts("flipped-huber(alpha=0.5,gamma=2)", shift, degree ? 2 : 1, 1.5).lower <= delta.upper);
    }
}

/* No random move of a set exceeds the claimed worst case. */
static void random_moves_stay_below(void **state) {
    (void)state;
    static const char *const texts[] = {"osgt(m=1,sigma=3)", "flipped-huber(alpha=1,gamma=3)", "laplace(scale=4)",
                                        "logistic(scale=2)", "staircase(epsilon=0.4,sensitivity=1,gamma=0.5)"};
    draw_source source = {7};
    for (int i = 0; i < 40; i++) {
        const char *text = texts[i % 5];
        double epsilon = 1.5 * draw_uniform(&source, 0, 1), bound[3], shift[3], l1 = 0, l2 = 0;
        size_t changed = 0;
        for (int k = 0; k < 3; k++) {
            bound[k] = draw_uniform(&source, 0.3, 1);
            shift[k] = bound[k] * draw_uniform(&source, 0.3, 1);
            if (draw_uniform(&source, 0, 1) < 0.3) shift[k] = 0;
            l1 += shift[k];
            l2 += shift[k] * shift[k];
            changed += shift[k] > 0;
        }
        if (changed == 0) continue;
        dpn_sensitivity set = {.dimension = 3, .bound = bound};
        if (i % 2) set.max_changed = changed;
        if (i % 3 == 0) set.l1 = l1 * (1 + 1e-12);
        if (i % 7 == 0) set.l2 = sqrt(l2) * (1 + 1e-12);
        dpn_law law = law_of(text);
        dpn_delta whole;
        dpn_error why;
        if (dpn_sensitivity_delta(&whole, NULL, workspace, &law, 1, &set, epsilon, NULL, &why))
            fail_msg("%s", why.sentence);
        dpn_delta move = of_shifts(text, shift, 3, epsilon);
        if (!(move.lower <= whole.upper))
            fail_msg("%s, epsilon %g: the move has %.17g, the set %.17g", text, epsilon, move.lower, whole.upper);
    }
}

/* Noise that differs from coordinate to coordinate, some of it large where the bound is large, and norms that bind: each of the
 * coordinates alone, each two of them and all three, as far as the set lets them go, cost no more than the set. */
static void moves_of_different_laws_stay_below(void **state) {
    static const char *const family[] = {"laplace(scale=%.17g)", "gaussian(sigma=%.17g)", "logistic(scale=%.17g)",
                                         "staircase(epsilon=%.17g,sensitivity=1,gamma=0.5)"};
    (void)state;
    draw_source source = {41};
    size_t tried = 0;
    for (int i = 0; i < 48; i++) {
        dpn_law law[3];
        double bound[3], epsilon = draw_uniform(&source, 0, 1);
        for (int k = 0; k < 3; k++) {
            char text[120];
            size_t which = draw_bits(&source) % (i % 2 ? 4 : 3); /* every other set has none that is not log-concave */
            bound[k] = draw_uniform(&source, 0.2, 1.5);
            double scale = exp(draw_uniform(&source, -1, 2));
            snprintf(text, sizeof text, family[which], which == 3 ? 1 / scale : scale);
            law[k] = law_of(text);
        }
        dpn_sensitivity set = {.dimension = 3, .bound = bound};
        if (i % 3) set.max_changed = (size_t)(i % 3);
        if (i % 4 == 1) set.l1 = draw_uniform(&source, 0.3, 2);
        if (i % 4 >= 2) set.l2 = draw_uniform(&source, 0.3, 1.5);
        dpn_delta whole, move;
        dpn_error why;
        dpn_status status = dpn_sensitivity_delta(&whole, NULL, workspace, law, 3, &set, epsilon, NULL, &why);
        if (status == DPN_EUNSUPPORTED || status == DPN_EACCURACY) continue;
        if (status) fail_msg("%s", why.sentence);
        for (unsigned moved = 1; moved < 8; moved++) {
            dpn_part part[3];
            size_t parts = 0;
            double l1 = 0, square = 0, share = 1;
            for (unsigned k = 0; k < 3; k++) l1 += moved >> k & 1 ? bound[k] : 0;
            for (unsigned k = 0; k < 3; k++) square += moved >> k & 1 ? bound[k] * bound[k] : 0;
            if (set.l1 > 0) share = fmin(share, set.l1 / l1);
            if (set.l2 > 0) share = fmin(share, set.l2 / sqrt(square));
            for (unsigned k = 0; k < 3; k++) {
                if (!(moved >> k & 1)) continue;
                part[parts].times = 1;
                double shift = bound[k] * share * (1 - 1e-12);
                assert_int_equal(dpn_loss_law(&part[parts++].loss, &law[k], shift, NULL), DPN_OK);
            }
            if (set.max_changed && parts > set.max_changed) continue;
            if (dpn_compose_delta(&move, workspace, part, parts, epsilon, NULL, &why)) fail_msg("%s", why.sentence);
            if (!(move.lower <= whole.upper))
                fail_msg("set %d: the move %u has %.17g, the set %.17g", i, moved, move.lower, whole.upper);
            tried++;
        }
    }
    assert_true(tried > 100);
}

/* The moves that a set is told by, held to the set itself: what is worst or possible lies in it and would not if it were longer, and what
 * bounds it has an l1 norm that no move of the set exceeds. */
static void moves_lie_in_their_set(void **state) {
    (void)state;
    static const char *const texts[] = {"laplace(scale=4)", "osgt(m=1,sigma=3)", "logistic(scale=2)",
                                        "discrete-laplace(scale=3)", "discrete-gaussian(sigma=2)"};
    draw_source source = {19};
    int possible = 0, bounds = 0;
    for (int i = 0; i < 4000; i++) {
        dpn_law law = law_of(texts[i % 5]);
        bool whole = i % 5 >= 3;
        size_t dimension = 1 + (size_t)draw_uniform(&source, 0, 9);
        dpn_sensitivity set = {.dimension = dimension,
                               .linf =
                                   whole ? 1 + floor(draw_uniform(&source, 0, 4)) : draw_log_uniform(&source, 0.1, 3)};
        if (draw_chance(&source, 0.5)) set.max_changed = 1 + (size_t)draw_uniform(&source, 0, (double)dimension);
        if (draw_chance(&source, 0.5)) set.l1 = set.linf * draw_log_uniform(&source, 1, 12);
        if (draw_chance(&source, 0.6)) set.l2 = set.linf * draw_log_uniform(&source, 1, 4);
        double changed = set.max_changed ? (double)set.max_changed : (double)dimension;
        double l1_most = set.l1 > 0 ? set.l1 : INFINITY, l2_most = set.l2 > 0 ? set.l2 : INFINITY;
        dpn_moves moves;
        dpn_error why;
        if (dpn_moves_make(&moves, &law, 1, &set, &why)) fail_msg("%s", why.sentence);
        for (size_t m = 0; m < moves.moves; m++) {
            double l1 = 0, l2 = 0, linf = 0, count = 0;
            const dpn_part *part = dpn_moves_parts(&moves, m);
            bool lists = false;
            for (size_t k = 0; k < moves.move[m].count; k++) {
                double times = (double)part[k].times, size = part[k].loss.sensitivity;
                lists = lists || !(size > 0);
                count += times;
                l1 += times * size;
                l2 += times * size * size;
                linf = fmax(linf, size);
            }
            l2 = sqrt(l2);
            if (lists || moves.upper_only) continue;
            if (moves.move[m].role == DPN_MOVE_ABOVE) {
                bounds++;
                double least = whole ? 0 : fmin(fmin(l1_most, sqrt(changed) * l2_most), changed * set.linf);
                if (!(l1 >= least * (1 - 1e-12)))
                    fail_msg("%s, case %d: a bound of l1 norm %g, the set has %g", texts[i % 5], i, l1, least);
                continue;
            }
            possible++;
            double slack = 1 + 1e-12, length = fmax(fmax(linf / set.linf, l1 / l1_most), l2 / l2_most);
            if (!(length <= slack && count <= changed))
                fail_msg("%s, case %d: a move of %g coordinates, l1 %g, l2 %g, linf %g is outside of %g, %g, %g, %g",
                         texts[i % 5], i, count, l1, l2, linf, changed, l1_most, l2_most, set.linf);
            if (!whole && count > 0 && !(length >= 1 - 1e-9))
                fail_msg("%s, case %d: a move of %g of what it may be", texts[i % 5], i, length);
        }
        dpn_moves_free(&moves);
    }
    print_message("# %d moves, %d bounds\n", possible, bounds);
    assert_true(possible > 2000 && bounds > 500);
}

static void different_laws(void **state) {
    (void)state;
    const dpn_law laws[] = {law_of("laplace(scale=4)"), law_of("gaussian(sigma=3)"), law_of("laplace(scale=4)")};
    const double bound[] = {1, 2, 1};
    dpn_sensitivity set = {.dimension = 3, .bound = bound};
    dpn_part part[2];
    assert_int_equal(dpn_loss_law(&part[0].loss, &laws[0], 1, NULL), DPN_OK);
    assert_int_equal(dpn_loss_law(&part[1].loss, &laws[1], 2, NULL), DPN_OK);
    part[0].times = 2;
    part[1].times = 1;
    dpn_delta delta, expected;
    dpn_argument argument;
    assert_int_equal(dpn_sensitivity_delta(&delta, &argument, workspace, laws, 3, &set, 0.8, NULL, NULL), DPN_OK);
    assert_int_equal(argument, DPN_ARGUMENT_CORNER);
    assert_int_equal(dpn_compose_delta(&expected, workspace, part, 2, 0.8, NULL, NULL), DPN_OK);
    assert_same(delta, expected);
    set.max_changed = 1; /* the worse of the two kinds */
    assert_int_equal(dpn_sensitivity_delta(&delta, &argument, workspace, laws, 3, &set, 0.1, NULL, NULL), DPN_OK);
    assert_int_equal(argument, DPN_ARGUMENT_ONE_HOT);
    dpn_delta first, second;
    assert_int_equal(dpn_profile_delta(&first, &laws[0], 1, 0.1, NULL), DPN_OK);
    assert_int_equal(dpn_profile_delta(&second, &laws[1], 2, 0.1, NULL), DPN_OK);
    assert_same(delta, first.upper > second.upper ? first : second);
}

/* The reference value inid_gauss_profile of tests/vectors/privacy-inid.csv: bounds and sigmas of each coordinate. */
static void non_identical_gaussian(void **state) {
    (void)state;
    const char *root = getenv("DPN_SOURCE_ROOT");
    char path[1024], line[512];
    snprintf(path, sizeof path, "%s/tests/vectors/privacy-inid.csv", root ? root : ".");
    FILE *table = fopen(path, "r");
    if (!table) fail_msg("%s is not there", path);
    int rows = 0;
    while (fgets(line, sizeof line, table)) {
        double epsilon, bound[5], sigma[5], value, tolerance;
        dpn_law laws[5];
        if (line[0] == '#') continue;
        if (sscanf(line, "inid_gauss_profile;%lf;%lf %lf %lf %lf %lf;%lf %lf %lf %lf %lf;%lf;%lf", &epsilon, &bound[0],
                   &bound[1], &bound[2], &bound[3], &bound[4], &sigma[0], &sigma[1], &sigma[2], &sigma[3], &sigma[4],
                   &value, &tolerance) != 13)
            fail_msg("cannot read: %s", line);
        for (int i = 0; i < 5; i++) assert_int_equal(dpn_law_make(&laws[i], "gaussian", &sigma[i], 1, NULL), DPN_OK);
        dpn_sensitivity set = {.dimension = 5, .bound = bound};
        dpn_delta delta;
        dpn_argument argument;
        assert_int_equal(dpn_sensitivity_delta(&delta, &argument, workspace, laws, 5, &set, epsilon, NULL, NULL),
                         DPN_OK);
        assert_int_equal(argument, DPN_ARGUMENT_CORNER);
        assert_true(fabs(delta.lower - value) <= tolerance * value && fabs(delta.upper - value) <= tolerance * value);
        rows++;
    }
    fclose(table);
    assert_int_equal(rows, 1);
}

/* The most steps of a move of whole multiples of `part`, at most `total` of them on `count` coordinates, a step having `parts`. */
static int most_steps(int total, int count, int parts) {
    int most = 0;
    for (int one = 1; one <= total && count > 0; one++) {
        int steps = (one + parts - 1) / parts + most_steps(total - one, count - 1, parts);
        if (steps > most) most = steps;
    }
    return most;
}

/* What l1 and l2 balls cost is counted in steps, where the corner of the box costs as much for each answer. */
static void staircases_count_steps(void **state) {
    (void)state;
    for (int parts = 3; parts <= 4; parts++)
        for (int total = 4; total <= 12; total++) {
            const double epsilon = 0.125, step = parts, count = 3;
            dpn_law law;
            dpn_epsilon found;
            dpn_argument argument;
            const double parameter[] = {epsilon, step, 0.5};
            dpn_sensitivity set = {.dimension = 3, .l1 = total};
            assert_int_equal(dpn_law_make(&law, "staircase", parameter, 3, NULL), DPN_OK);
            assert_int_equal(dpn_sensitivity_epsilon(&found, &argument, workspace, &law, 1, &set, 0, NULL, NULL),
                             DPN_OK);
            double steps = most_steps(total, (int)count, parts), corner = count * ceil(total / step);
            assert_int_equal(argument, DPN_ARGUMENT_BOUND);
            assert_true(found.upper >= epsilon * fmin(steps, corner) && found.lower <= found.upper);
            assert_true(found.upper <= epsilon * fmin(ceil(total / step) + 2, corner) * (1 + 1e-12));
        }
    dpn_sensitivity l1 = {.dimension = 20, .l1 = 1}, l2 = {.dimension = 20, .l2 = 1};
    dpn_law law = law_of("staircase(epsilon=0.002,sensitivity=0.01,gamma=0.5)");
    dpn_epsilon found;
    assert_int_equal(dpn_sensitivity_epsilon(&found, NULL, workspace, &law, 1, &l1, 0, NULL, NULL), DPN_OK);
    assert_true(fabs(found.upper / (119 * 0.002) - 1) < 1e-12);
    assert_int_equal(dpn_sensitivity_epsilon(&found, NULL, workspace, &law, 1, &l2, 0, NULL, NULL), DPN_OK);
    assert_true(fabs(found.upper / ((448 + 19) * 0.002) - 1) < 1e-12);
}

/* Moves of many small parts and a large one, whose losses are composed: none exceeds what is said of the set. */
static void no_move_of_staircases_costs_more(void **state) {
    (void)state;
    const char *text = "staircase(epsilon=0.1,sensitivity=0.25,gamma=0.3)";
    dpn_law law = law_of(text);
    dpn_sensitivity set = {.dimension = 4, .l1 = 1};
    for (int i = 0; i < 4; i++) {
        double small = ldexp(1, -2 * i - 3), epsilon = 0.1 + 0.15 * i;
        dpn_part part[2] = {{.times = 3}, {.times = 1}};
        dpn_delta of_move, all = of_set(text, &set, epsilon, "bound");
        assert_int_equal(dpn_loss_law(&part[0].loss, &law, small, NULL), DPN_OK);
        assert_int_equal(dpn_loss_law(&part[1].loss, &law, 1 - 3 * small, NULL), DPN_OK);
        assert_int_equal(dpn_compose_delta(&of_move, workspace, part, 2, epsilon, NULL, NULL), DPN_OK);
        assert_true(of_move.lower <= all.upper);
    }
}

static void epsilon_of_a_set(void **state) {
    (void)state;
    dpn_law law = law_of("osgt(m=3,sigma=6)");
    dpn_sensitivity set = {.dimension = 50, .linf = 1, .max_changed = 3};
    dpn_epsilon epsilon;
    dpn_delta delta;
    assert_int_equal(dpn_sensitivity_epsilon(&epsilon, NULL, workspace, &law, 1, &set, 1e-6, NULL, NULL), DPN_OK);
    assert_true(epsilon.lower <= epsilon.upper && epsilon.upper < epsilon.lower * 1.001);
    assert_int_equal(dpn_sensitivity_delta(&delta, NULL, workspace, &law, 1, &set, epsilon.upper, NULL, NULL), DPN_OK);
    assert_true(delta.lower <= 1e-6 && delta.upper > 0.99e-6);
}

/* Noise on the integers moves by whole steps: every whole move of the set, listed one by one, stays below what is claimed for it. */
static void whole_moves(void **state) {
    (void)state;
    const double rows[] = {1.5, 0.5, 0.5, 1.5}, cross[] = {1, 0, 0, 1};
    const struct {
        dpn_sensitivity set;
        const char *argument;
    } cases[] = {
        {{.dimension = 3, .linf = 1.5, .l1 = 3}, "corner"},
        {{.dimension = 3, .linf = 3, .l1 = 4}, "vertices"},
        {{.dimension = 3, .linf = 2.7, .l1 = 5.2}, "vertices"},
        {{.dimension = 3, .l1 = 4}, "vertices"},
        {{.dimension = 2, .vertex = rows, .vertices = 2}, "bound"},
        {{.dimension = 2, .vertex = cross, .vertices = 2}, "vertices"},
    };
    static const char *const texts[] = {"discrete-laplace(scale=1)", "discrete-gaussian(sigma=2)"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t t = 0; t < 2; t++)
            for (double epsilon = 0.25; epsilon < 5; epsilon *= 2) {
                const dpn_sensitivity *set = &cases[c].set;
                dpn_delta claimed = of_set(texts[t], set, epsilon, cases[c].argument);
                for (int code = 0; code < 125; code++) {
                    double move[] = {code % 5, code / 5 % 5, code / 25}, sum = move[0] + move[1] + move[2];
                    double most = fmax(fmax(move[0], move[1]), move[2]);
                    if (set->vertices ? move[2] > 0 || most > 1 || sum > (set->vertex == rows ? 2 : 1)
                                      : sum > set->l1 || (set->linf > 0 && most > set->linf))
                        continue;
                    dpn_delta delta = of_shifts(texts[t], move, set->dimension, epsilon);
                    if (!(delta.lower <= claimed.upper))
                        fail_msg("case %zu, %s: %g %g %g at %g: %.15g above %.15g", c, texts[t], move[0], move[1],
                                 move[2], epsilon, delta.lower, claimed.upper);
                }
            }
}

static void refusals(void **state) {
    (void)state;
    const double bad[] = {1, -1}, good[] = {1, 1}, hole[] = {1, NAN};
    const struct {
        dpn_sensitivity set;
        const char *names;
    } cases[] = {
        {{.dimension = 0, .linf = 1}, "dimension"},
        {{.dimension = 2}, "unbounded"},
        {{.dimension = 2, .max_changed = 1}, "unbounded"},
        {{.dimension = 2, .bound = bad}, "sensitivity 1"},
        {{.dimension = 2, .l1 = -1}, "l1"},
        {{.dimension = 2, .l2 = NAN}, "l2"},
        {{.dimension = 2, .vertex = hole, .vertices = 1}, "vertices"},
        {{.dimension = 2, .vertices = 1}, "vertices"},
    };
    dpn_law law = law_of("laplace(scale=1)");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_delta delta = {-1, -1, -1, -1};
        dpn_error why;
        assert_int_equal(dpn_sensitivity_delta(&delta, NULL, workspace, &law, 1, &cases[i].set, 1, NULL, &why),
                         DPN_EDOMAIN);
        if (!strstr(why.sentence, cases[i].names)) fail_msg("case %zu: %s", i, why.sentence);
        assert_true(delta.lower == -1 && delta.upper == -1);
    }
    const dpn_law mixed[] = {law_of("laplace(scale=1)"), law_of("discrete-laplace(scale=1)")};
    dpn_sensitivity set = {.dimension = 2, .bound = good};
    dpn_delta delta;
    assert_int_equal(dpn_sensitivity_delta(&delta, NULL, workspace, mixed, 2, &set, 1, NULL, NULL), DPN_EDOMAIN);
    set.dimension = 3;
    assert_int_equal(dpn_sensitivity_delta(&delta, NULL, workspace, mixed, 2, &set, 1, NULL, NULL), DPN_EDOMAIN);
}

/* A structure of zeros has the relation and unit that every front has by default. */
static void zeros_are_add_remove_of_a_row(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 1};
    assert_string_equal(dpn_relation_name(set.relation), "add-remove");
    assert_string_equal(dpn_relation_name(DPN_REPLACE), "replace");
    assert_null(dpn_relation_name((dpn_relation)2));
    assert_string_equal(dpn_unit_name(set.unit), "row");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_are_add_remove_of_a_row),
        cmocka_unit_test(boxes),
        cmocka_unit_test(histograms),
        cmocka_unit_test(histograms_of_tables),
        cmocka_unit_test(l1_balls),
        cmocka_unit_test(gaussian_needs_l2_only),
        cmocka_unit_test(vertices),
        cmocka_unit_test(l2_alone_is_a_bound),
        cmocka_unit_test(random_moves_stay_below),
        cmocka_unit_test(moves_of_different_laws_stay_below),
        cmocka_unit_test(moves_lie_in_their_set),
        cmocka_unit_test(different_laws),
        cmocka_unit_test(non_identical_gaussian),
        cmocka_unit_test(staircases_count_steps),
        cmocka_unit_test(no_move_of_staircases_costs_more),
        cmocka_unit_test(epsilon_of_a_set),
        cmocka_unit_test(whole_moves),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, open_workspace, close_workspace);
}
