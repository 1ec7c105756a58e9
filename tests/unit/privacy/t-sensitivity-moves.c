/* The moves that a sensitivity set is told by, against the set itself: all of its vertices listed by brute force, all of its whole moves, its
 * longest move; and what is refused, each with its sentence. */
#include "privacy/sensitivity/moves.c" /* to see each list */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { MOST_DIMENSION = 4, MOST_LISTED = 4096 };

/* What moves, by law and size; equal coordinates are the same to everybody. */
typedef struct vector {
    double size[2][MOST_DIMENSION]; /* of each law, largest first */
} vector;

static int compare_vectors(const void *a, const void *b) {
    return memcmp(a, b, sizeof(vector));
}

static void put(vector *out, int law, double size) {
    double *row = out->size[law];
    size_t i = MOST_DIMENSION - 1;
    assert_true(row[i] == 0);
    for (; i > 0 && row[i - 1] < size; i--) row[i] = row[i - 1];
    row[i] = size;
}

static vector vector_of(const dpn_moves *moves, size_t m, const dpn_law *first) {
    vector out = {0};
    for (size_t k = 0; k < moves->move[m].count; k++) {
        const dpn_part *part = &moves->part[moves->move[m].first + k];
        for (uint64_t t = 0; t < part->times; t++)
            put(&out, memcmp(&part->loss.law, first, sizeof *first) != 0, part->loss.sensitivity);
    }
    return out;
}

static size_t sort_out(vector *list, size_t count) {
    size_t kept = 0;
    qsort(list, count, sizeof *list, compare_vectors);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare_vectors(&list[i], &list[i - 1]) != 0) list[kept++] = list[i];
    return kept;
}

/* Whether b is no smaller in any coordinate of either law, and larger in one. */
static bool dominates(const vector *b, const vector *a) {
    for (int law = 0; law < 2; law++)
        for (int i = 0; i < MOST_DIMENSION; i++)
            if (b->size[law][i] < a->size[law][i]) return false;
    return compare_vectors(a, b) != 0;
}

/* All of {0, bound}^n with one coordinate between that takes up the rest of l1, which are in the set. */
static size_t brute_vertices(size_t *raw, vector *list, const double *bound, const int *law, size_t n, size_t changed,
                             double l1) {
    size_t count = 0;
    for (unsigned at = 0; at < 1u << n; at++)
        for (size_t between = 0; between <= n; between++) {
            vector v = {0};
            double sum = 0;
            size_t moved = between < n;
            if (between < n && at >> between & 1) continue;
            for (size_t i = 0; i < n; i++) {
                if (!(at >> i & 1)) continue;
                put(&v, law[i], bound[i]);
                sum += bound[i];
                moved++;
            }
            if (sum > l1 || moved > changed) continue;
            if (between < n) {
                if (!(l1 - sum > 0 && l1 - sum < bound[between])) continue;
                put(&v, law[between], l1 - sum);
            }
            list[count++] = v;
        }
    *raw = count;
    return sort_out(list, count);
}

static void lists_are_those_of_all_vertices(void **state) {
    (void)state;
    draw_source source = {1};
    dpn_law law[2] = {case_law("laplace(scale=4)"), case_law("logistic(scale=2)")};
    static vector wanted[1024], got[MOST_LISTED];
    int corners = 0, lists = 0, hot = 0;
    for (int i = 0; i < 3000; i++) {
        size_t n = 1 + draw_bits(&source) % MOST_DIMENSION;
        double bound[MOST_DIMENSION], sum = 0;
        dpn_law each[MOST_DIMENSION];
        int which[MOST_DIMENSION];
        bool two = draw_chance(&source, 0.5), same = true;
        for (size_t k = 0; k < n; k++) {
            bound[k] = 0.5 * (double)(1 + draw_bits(&source) % 4);
            which[k] = two && draw_chance(&source, 0.5);
            each[k] = law[which[k]];
            same = same && which[k] == which[0];
            sum += bound[k];
        }
        for (size_t k = 0; same && k < n; k++) which[k] = 0;
        size_t changed = 1 + draw_bits(&source) % n;
        double l1 = 0.25 * (double)(1 + draw_bits(&source) % 24);
        dpn_sensitivity set = {.dimension = n, .bound = bound, .l1 = l1, .max_changed = changed};
        double cut[MOST_DIMENSION];
        for (size_t k = 0; k < n; k++) cut[k] = fmin(bound[k], l1);
        dpn_moves moves;
        dpn_error why;
        if (dpn_moves_make(&moves, each, n, &set, &why)) fail_msg("%s", why.sentence);
        size_t raw, all = brute_vertices(&raw, wanted, cut, which, n, changed, l1), listed = moves.moves;
        for (size_t m = 0; m < listed; m++) {
            assert_int_equal(moves.move[m].role, DPN_MOVE_WORST);
            got[m] = vector_of(&moves, m, same ? &each[0] : &law[0]);
        }
        size_t distinct = sort_out(got, listed);
        /* the same sizes may come from coordinates of other bounds, not more often than there are such coordinates */
        if (listed > raw) fail_msg("case %d: %zu vertices are listed, and there are %zu", i, listed, raw);
        for (size_t m = 0; m < distinct; m++)
            if (!bsearch(&got[m], wanted, all, sizeof *got, compare_vectors)) fail_msg("case %d: not a vertex", i);
        for (size_t w = 0; w < all; w++) {
            bool beaten = false;
            for (size_t v = 0; v < all && !beaten; v++) beaten = dominates(&wanted[v], &wanted[w]);
            if (!beaten && !bsearch(&wanted[w], got, distinct, sizeof *got, compare_vectors))
                fail_msg("case %d: a vertex is missing", i);
        }
        corners += moves.argument == DPN_ARGUMENT_CORNER;
        hot += moves.argument == DPN_ARGUMENT_ONE_HOT;
        lists += moves.argument == DPN_ARGUMENT_VERTICES;
        bool one_hot = true;
        for (size_t m = 0; m < distinct; m++) {
            int moved = 0;
            for (int k = 0; k < MOST_DIMENSION; k++) moved += (got[m].size[0][k] > 0) + (got[m].size[1][k] > 0);
            one_hot = one_hot && moved <= 1;
        }
        if (moves.argument == DPN_ARGUMENT_VERTICES) assert_false(one_hot);
        if (moves.argument == DPN_ARGUMENT_ONE_HOT) assert_true(one_hot);
        /* One move says all exactly where one law has as many of its largest bounds as may move, or where all may. */
        if (sum <= l1 && changed == n) assert_int_equal(moves.argument, DPN_ARGUMENT_CORNER);
        if (moves.argument == DPN_ARGUMENT_CORNER) assert_true(same || changed == n);
        dpn_moves_free(&moves);
        assert_true(!moves.move && !moves.part && moves.moves == 0);
    }
    assert_true(corners > 500 && lists > 500 && hot > 100);
}

/* ---- Whole moves ---- */

static size_t brute_partitions(vector *list, size_t n, int bound, size_t changed, int l1) {
    size_t count = 0, all = 1;
    for (size_t i = 0; i < n; i++) all *= (size_t)bound + 1;
    for (size_t code = 0; code < all; code++) {
        vector v = {0};
        int sum = 0;
        size_t moved = 0, rest = code;
        for (size_t i = 0; i < n; i++, rest /= (size_t)bound + 1) {
            int x = (int)(rest % ((size_t)bound + 1));
            if (x > 0) put(&v, 0, x);
            sum += x;
            moved += x > 0;
        }
        if (sum <= l1 && moved <= changed) list[count++] = v;
    }
    count = sort_out(list, count);
    static vector kept[1024];
    size_t most = 0;
    for (size_t w = 0; w < count; w++) {
        bool beaten = false;
        for (size_t v = 0; v < count && !beaten; v++) beaten = dominates(&list[v], &list[w]);
        if (!beaten) kept[most++] = list[w];
    }
    memcpy(list, kept, most * sizeof *kept);
    return most;
}

static void whole_moves_are_all_listed(void **state) {
    (void)state;
    draw_source source = {2};
    dpn_law law = case_law("discrete-laplace(scale=3)");
    static vector wanted[4096], got[MOST_LISTED];
    int lists = 0;
    for (int i = 0; i < 400; i++) {
        size_t n = 1 + draw_bits(&source) % MOST_DIMENSION, changed = 1 + draw_bits(&source) % n;
        int bound = 1 + (int)(draw_bits(&source) % 4), l1 = 1 + (int)(draw_bits(&source) % 14);
        dpn_sensitivity set = {.dimension = n, .linf = bound + 0.25, .l1 = l1 + 0.5, .max_changed = changed};
        dpn_moves moves;
        assert_int_equal(dpn_moves_make(&moves, &law, 1, &set, NULL), DPN_OK);
        size_t all = brute_partitions(wanted, n, bound, changed, l1);
        for (size_t m = 0; m < moves.moves; m++) got[m] = vector_of(&moves, m, &law);
        size_t distinct = sort_out(got, moves.moves);
        assert_true(distinct == moves.moves);
        for (size_t w = 0; w < all; w++)
            if (!bsearch(&wanted[w], got, distinct, sizeof *got, compare_vectors))
                fail_msg("case %d: a move is missing", i);
        if (distinct != all) fail_msg("case %d: %zu moves, not %zu", i, distinct, all);
        lists += all > 1;
        dpn_moves_free(&moves);
    }
    assert_true(lists > 30);
    /* An l2 bound allows as many coordinates as its square: one at least. */
    for (int square = 1; square < 9; square++) {
        dpn_sensitivity set = {.dimension = 12, .l2 = sqrt(square), .linf = 1};
        dpn_moves moves;
        assert_int_equal(dpn_moves_make(&moves, &law, 1, &set, NULL), DPN_OK);
        assert_true(moves.moves == 1 && moves.move[0].count == 1 && moves.part[0].times == (uint64_t)square);
        assert_int_equal(moves.argument, DPN_ARGUMENT_CORNER);
        dpn_moves_free(&moves);
    }
    dpn_sensitivity none = {.dimension = 3, .l2 = 0.5};
    dpn_moves moves;
    assert_int_equal(dpn_moves_make(&moves, &law, 1, &none, NULL), DPN_OK);
    assert_true(moves.moves == 1 && moves.move[0].count == 0 && !dpn_moves_parts(&moves, 0));
    dpn_moves_free(&moves);
}

/* ---- Too many ---- */

static void long_lists_become_bounds(void **state) {
    (void)state;
    dpn_law law = case_law("laplace(scale=4)"), whole = case_law("discrete-laplace(scale=4)");
    double bound[80];
    dpn_moves moves;
    dpn_error why;
    for (int i = 0; i < 80; i++) bound[i] = 1 + i / 64.0;
    /* subsets of 13 different bounds: 2^13 vertices and more, of 11: fewer than 4096 with an l1 bound beyond all but the whole */
    dpn_sensitivity set = {.dimension = 13, .bound = bound, .l1 = 13};
    assert_int_equal(dpn_moves_make(&moves, &law, 1, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_BOUND && moves.moves < 20 && moves.move[0].role == DPN_MOVE_ABOVE);
    assert_true(moves.move[0].count == 13 && moves.move[1].role == DPN_MOVE_ABOVE && moves.move[1].count == 1);
    double reach = moves.part[moves.move[1].first].loss.sensitivity;
    assert_true(reach == 13); /* l1 is less than sqrt(13) l2, which is not set */
    for (size_t m = 2; m < moves.moves; m++) assert_int_equal(moves.move[m].role, DPN_MOVE_POSSIBLE);
    assert_true(moves.moves == 2 + 13 + 1);
    const dpn_part *even = &moves.part[moves.move[15].first];
    assert_true(even->times == 13 && even->loss.sensitivity <= 1 && even->loss.sensitivity > 1 - 4e-13);
    for (size_t m = 2; m < 15; m++) /* the largest bounds first */
        assert_true(moves.part[moves.move[m].first].loss.sensitivity == bound[14 - m] && moves.move[m].count == 1);
    dpn_moves_free(&moves);
    set.dimension = 11;
    set.l1 = 14.5;
    assert_int_equal(dpn_moves_make(&moves, &law, 1, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_CORNER); /* 11 + 55/64 is not reached by l1 */
    dpn_moves_free(&moves);
    set.l1 = 3;
    assert_int_equal(dpn_moves_make(&moves, &law, 1, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_VERTICES && moves.moves <= MOST_MOVES);
    dpn_moves_free(&moves);
    /* groups: 64 are room enough, 65 are not */
    set = (dpn_sensitivity){.dimension = 64, .bound = bound};
    assert_int_equal(dpn_moves_make(&moves, &law, 1, &set, NULL), DPN_OK);
    assert_true(moves.moves == 1 && moves.move[0].count == 64);
    dpn_moves_free(&moves);
    set.dimension = 65;
    assert_int_equal(dpn_moves_make(&moves, &law, 1, &set, &why), DPN_EUNSUPPORTED);
    assert_string_equal(why.sentence, "the coordinates have more than 64 different laws or bounds");
    dpn_moves_free(&moves);
    /* whole moves: partitions of 60 into at most 60 parts are a million */
    set = (dpn_sensitivity){.dimension = 80, .l1 = 60};
    assert_int_equal(dpn_moves_make(&moves, &whole, 1, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_BOUND && moves.move[0].role == DPN_MOVE_ABOVE &&
                moves.part[0].times == 80);
    for (size_t m = 1; m < moves.moves; m++)
        assert_int_equal(moves.move[m].role, DPN_MOVE_POSSIBLE); /* no l1 bound of T3 */
    dpn_moves_free(&moves);
    set.l1 = 20; /* 627 partitions */
    assert_int_equal(dpn_moves_make(&moves, &whole, 1, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_VERTICES && moves.moves == 627);
    dpn_moves_free(&moves);
    set.l1 = 27; /* 3010 of them; 28 has 3718, and 29 has 4565 */
    assert_int_equal(dpn_moves_make(&moves, &whole, 1, &set, NULL), DPN_OK);
    assert_true(moves.moves == 3010);
    dpn_moves_free(&moves);
    set.l1 = 29;
    assert_int_equal(dpn_moves_make(&moves, &whole, 1, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_BOUND);
    dpn_moves_free(&moves);
}

/* ---- Bounds ---- */

/* With an l2 bound and noise that is not Gaussian: the corner and one coordinate above, moves of the set below. */
static void bounds_of_l2(void **state) {
    (void)state;
    draw_source source = {3};
    static const char *const texts[] = {"laplace(scale=4)", "staircase(epsilon=1,sensitivity=1,gamma=0.3)",
                                        "discrete-laplace(scale=3)"};
    for (int i = 0; i < 600; i++) {
        dpn_law law = case_law(texts[i % 3]);
        bool whole = i % 3 == 2, concave = i % 3 != 1;
        size_t n = 2 + draw_bits(&source) % 9, changed = 2 + draw_bits(&source) % (n - 1);
        double linf = whole ? (double)(2 + draw_bits(&source) % 3) : draw_uniform(&source, 0.5, 2);
        double l2 = linf * draw_uniform(&source, 1.05, 0.98 * sqrt((double)changed)), l1 = 0;
        if (draw_chance(&source, 0.5)) l1 = l2 * draw_uniform(&source, 1.01, sqrt((double)changed));
        if (!(l2 > linf)) continue;
        dpn_sensitivity set = {.dimension = n, .linf = linf, .l2 = l2, .l1 = l1, .max_changed = changed};
        uint64_t movable = whole ? (uint64_t)fmin((double)changed, floor(l2 * l2)) : changed;
        double reach = fmin(l1 > 0 ? l1 : INFINITY, sqrt((double)movable) * l2);
        double longest = 0, rest = l1 > 0 ? l1 : INFINITY; /* greedily, without l2 */
        for (uint64_t k = 0; k < movable; k++) {
            double step = fmin(linf, rest);
            longest += step * step, rest -= step;
        }
        if (!(sqrt(longest) > l2 * (1 + 1e-9))) continue; /* l2 must bind */
        dpn_moves moves;
        assert_int_equal(dpn_moves_make(&moves, &law, 1, &set, NULL), DPN_OK);
        assert_int_equal(moves.argument, DPN_ARGUMENT_BOUND);
        const dpn_move *move = moves.move;
        const dpn_part *part = moves.part;
        size_t next = 1;
        assert_true(move[0].role == DPN_MOVE_ABOVE && move[0].count == 1 && part[0].times == movable);
        assert_true(part[0].loss.sensitivity == (whole ? floor(linf) : linf));
        if (concave && !whole) {
            double got = part[move[next].first].loss.sensitivity;
            assert_true(move[next].role == DPN_MOVE_ABOVE && move[next].count == 1 &&
                        part[move[next].first].times == 1);
            if (!(got >= reach * (1 - 1e-15) && got <= reach * (1 + 2e-13)))
                fail_msg("case %d: %.17g, not %.17g", i, got, reach);
            if (l1 == 0) assert_true(got > reach); /* the root and the product are rounded */
            next++;
        }
        assert_true(move[next].role == DPN_MOVE_POSSIBLE &&
                    part[move[next].first].loss.sensitivity == part[0].loss.sensitivity);
        assert_true(part[move[next].first].times == 1);
        next++;
        double even = fmin(reach / (double)movable, l2 / sqrt((double)movable)) * (1 - 1e-13);
        if (whole) even = floor(even);
        if (even > 0 && even <= linf) {
            assert_int_equal(move[next].role, DPN_MOVE_POSSIBLE);
            double got = part[move[next].first].loss.sensitivity, least = whole ? even : even * (1 - 3e-13);
            assert_true(part[move[next].first].times == movable && got <= even * (1 + 1e-13) && got >= least);
            assert_true(got * sqrt((double)movable) <= l2);
            next++;
        } else if (even == 0) {
            next++; /* a move of nothing */
        }
        assert_true(moves.moves == next);
        dpn_moves_free(&moves);
    }
}

/* Gaussian noise: one move, of the largest l2 norm that a greedy filling of random bounds has. */
static void gaussian_noise_has_one_length(void **state) {
    (void)state;
    draw_source source = {4};
    dpn_law law = case_law("gaussian(sigma=2)");
    for (int i = 0; i < 2000; i++) {
        size_t n = 1 + draw_bits(&source) % 8, changed = 1 + draw_bits(&source) % n;
        double bound[8], scale = draw_log_uniform(&source, 1e-180, 1e140);
        for (size_t k = 0; k < n; k++)
            bound[k] = scale * (draw_chance(&source, 0.3) ? 1 : draw_log_uniform(&source, 1e-3, 1));
        double l1 = draw_chance(&source, 0.5) ? scale * draw_uniform(&source, 0.2, 4) : 0;
        double l2 = draw_chance(&source, 0.5) ? scale * draw_uniform(&source, 0.2, 2) : 0;
        dpn_sensitivity set = {.dimension = n, .bound = bound, .l1 = l1, .l2 = l2, .max_changed = changed};
        double cut[8], square = 0, rest = l1 > 0 ? l1 : INFINITY, cap = fmin(rest, l2 > 0 ? l2 : INFINITY);
        for (size_t k = 0; k < n; k++) cut[k] = fmin(bound[k], cap);
        for (size_t k = 0; k < changed; k++) { /* the largest of those left */
            size_t best = 0;
            for (size_t j = 1; j < n; j++)
                if (cut[j] > cut[best]) best = j;
            double step = fmin(cut[best], rest);
            square += step / scale * (step / scale), rest -= step;
            cut[best] = 0;
        }
        double longest = sqrt(square) * scale;
        bool binds = l2 > 0 && longest > l2 * (1 + 1e-9), near = l2 > 0 && fabs(longest / l2 - 1) < 1e-9;
        dpn_moves moves;
        assert_int_equal(dpn_moves_make(&moves, &law, 1, &set, NULL), DPN_OK);
        if (binds) {
            assert_true(moves.moves == 1 && moves.argument == DPN_ARGUMENT_L2_GAUSSIAN &&
                        moves.move[0].role == DPN_MOVE_WORST);
            assert_true(moves.part[0].loss.sensitivity == l2 && moves.part[0].times == 1);
        } else if (!near && changed == 1) {
            assert_true(moves.moves == 1 && moves.argument == DPN_ARGUMENT_CORNER &&
                        moves.move[0].role == DPN_MOVE_WORST);
            assert_true(fabs(moves.part[0].loss.sensitivity / longest - 1) < 4e-16);
        } else if (!near) {
            assert_true(moves.moves == 2 && moves.argument == DPN_ARGUMENT_CORNER);
            assert_true(moves.move[0].role == DPN_MOVE_ABOVE && moves.move[1].role == DPN_MOVE_POSSIBLE);
            double above = moves.part[0].loss.sensitivity / longest - 1,
                   below = 1 - moves.part[1].loss.sensitivity / longest;
            if (!(above > 3e-15 && above < 15e-15 && below > 3e-15 && below < 15e-15))
                fail_msg("case %d: %g and %g", i, above, below);
        }
        dpn_moves_free(&moves);
    }
    /* Beside other noise, or of two widths, it goes by the lists. */
    dpn_law two[2] = {law, case_law("gaussian(sigma=3)")};
    dpn_sensitivity set = {.dimension = 2, .linf = 1, .l1 = 1.5};
    dpn_moves moves;
    assert_int_equal(dpn_moves_make(&moves, two, 2, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_VERTICES);
    dpn_moves_free(&moves);
    set = (dpn_sensitivity){.dimension = 2, .l2 = 1};
    assert_int_equal(dpn_moves_make(&moves, two, 2, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_BOUND && moves.moves == 3 && moves.move[0].count == 2);
    dpn_moves_free(&moves);
}

/* ---- Rows ---- */

static void rows_and_boxes(void **state) {
    (void)state;
    static const double row[] = {1, -0.5, 0, 2, 0.25, -0.5}, ones[] = {1, -1, 0, 0, 1, 1}, bound[] = {0.75, 3, 3};
    dpn_law laplace = case_law("laplace(scale=4)"), steps = case_law("staircase(epsilon=1,sensitivity=1,gamma=0.3)");
    dpn_law whole = case_law("discrete-laplace(scale=3)"), each[3] = {laplace, case_law("logistic(scale=2)"), laplace};
    dpn_sensitivity set = {.dimension = 3, .vertex = row, .vertices = 2};
    dpn_moves moves;
    assert_int_equal(dpn_moves_make(&moves, each, 3, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_VERTICES && !moves.upper_only && moves.moves == 2);
    assert_true(moves.move[0].count == 2 && moves.move[1].count == 3 && moves.part[0].loss.sensitivity == 1);
    assert_true(moves.part[1].loss.sensitivity == 0.5 &&
                memcmp(&moves.part[1].loss.law, &each[1], sizeof each[1]) == 0);
    assert_true(moves.part[2].loss.sensitivity == 2 && moves.part[4].loss.sensitivity == 0.5 &&
                moves.part[4].times == 1);
    dpn_moves_free(&moves);
    /* other bounds, and which coordinates may move, shrink the hull */
    const dpn_sensitivity smaller[] = {{.dimension = 3, .vertex = row, .vertices = 2, .linf = 1},
                                       {.dimension = 3, .vertex = row, .vertices = 2, .bound = bound},
                                       {.dimension = 3, .vertex = row, .vertices = 2, .max_changed = 2},
                                       {.dimension = 3, .vertex = row, .vertices = 2, .l1 = 2},
                                       {.dimension = 3, .vertex = row, .vertices = 2, .l2 = 2}};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(dpn_moves_make(&moves, &laplace, 1, &smaller[i], NULL), DPN_OK);
        assert_true(moves.argument == DPN_ARGUMENT_BOUND && moves.upper_only && moves.moves == 2);
        dpn_moves_free(&moves);
    }
    /* noise to which rows say no more than their box: the largest of each coordinate */
    assert_int_equal(dpn_moves_make(&moves, &steps, 1, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_BOUND && moves.upper_only && moves.moves == 1 &&
                moves.move[0].count == 2);
    assert_true(moves.part[0].loss.sensitivity == 2 && moves.part[0].times == 1 &&
                moves.part[1].loss.sensitivity == 0.5);
    assert_true(moves.part[1].times == 2);
    dpn_moves_free(&moves);
    assert_int_equal(dpn_moves_make(&moves, &steps, 1, &smaller[1], NULL), DPN_OK);
    assert_true(moves.part[0].loss.sensitivity == 0.75 && moves.part[1].loss.sensitivity == 0.5 &&
                moves.part[1].times == 2);
    dpn_moves_free(&moves);
    /* whole moves: rows of 0, 1 and -1 decide, others do not */
    set.vertex = ones;
    assert_int_equal(dpn_moves_make(&moves, &whole, 1, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_VERTICES && moves.moves == 2 && moves.move[0].count == 2);
    dpn_moves_free(&moves);
    set.vertex = row;
    assert_int_equal(dpn_moves_make(&moves, &whole, 1, &set, NULL), DPN_OK);
    assert_true(moves.argument == DPN_ARGUMENT_BOUND && moves.upper_only && moves.move[0].count == 1);
    assert_true(moves.part[0].loss.sensitivity == 2 && moves.part[0].times == 1);
    dpn_moves_free(&moves);
}

static void coordinates_are_grouped(void **state) {
    (void)state;
    static const double bound[] = {1, 2, 1, 0, 2, 3};
    dpn_law a = case_law("laplace(scale=4)"), b = case_law("laplace(scale=5)"), each[6] = {a, a, b, a, a, b};
    dpn_sensitivity set = {.dimension = 6};
    group groups[MOST_GROUPS];
    size_t count;
    assert_int_equal(make_groups(groups, &count, each, 6, &set, bound, 2.5, NULL), DPN_OK);
    assert_true(count == 4 && groups[0].bound == 2.5 && groups[0].count == 1 && groups[1].bound == 2);
    assert_true(groups[1].count == 2 && groups[2].bound == 1 && groups[2].count == 1 && groups[3].bound == 1);
    assert_true(groups[3].count == 1 && coordinates_in(groups, count) == 5 && !one_law(groups, count));
    assert_true(corner_l1(groups, count, 1) == 2.5 && corner_l1(groups, count, 2) == 4.5);
    assert_true(corner_l1(groups, count, 4) == 7.5 && corner_l1(groups, count, 50) == 8.5 &&
                corner_l1(groups, count, 0) == 0);
    assert_int_equal(make_groups(groups, &count, &a, 1, &set, NULL, 2.5, NULL), DPN_OK);
    assert_true(count == 1 && groups[0].count == 6 && groups[0].bound == 2.5 && one_law(groups, count));
    assert_int_equal(make_groups(groups, &count, &a, 1, &set, NULL, 0, NULL), DPN_OK);
    assert_true(count == 0);
    dpn_law whole = case_law("discrete-laplace(scale=3)");
    assert_int_equal(make_groups(groups, &count, &whole, 1, &set, NULL, 2.75, NULL), DPN_OK);
    assert_true(count == 1 && groups[0].bound == 2);
    assert_int_equal(make_groups(groups, &count, &whole, 1, &set, NULL, 0.75, NULL), DPN_OK);
    assert_true(count == 0);
    static const double broken[] = {1.5, 1.75, 0.5, 2.5, 2, 0};
    assert_int_equal(make_groups(groups, &count, &whole, 1, &set, broken, INFINITY, NULL), DPN_OK);
    assert_true(count == 2 && groups[0].bound == 2 && groups[0].count == 2 && groups[1].bound == 1 &&
                groups[1].count == 2);
}

static void refused(const dpn_law *law, size_t laws, const dpn_sensitivity *set, const char *sentence) {
    dpn_moves moves;
    dpn_error why;
    assert_int_equal(dpn_moves_make(&moves, law, laws, set, &why), DPN_EDOMAIN);
    if (strcmp(why.sentence, sentence) != 0) fail_msg("'%s', not '%s'", why.sentence, sentence);
    dpn_moves_free(&moves);
}

static void sets_are_checked(void **state) {
    (void)state;
    static const double hole[] = {0, -0.5, 1}, none[] = {0, NAN, 1}, wide[] = {1, INFINITY, 1}, zero[] = {0, 0, 0};
    static const double row[] = {1, 2, 3, 4, 5, INFINITY};
    dpn_law law = case_law("laplace(scale=4)"), mixed[3] = {law, law, case_law("discrete-laplace(scale=4)")};
    const char *unbounded = "the sensitivity is unbounded: give sensitivities, l1, l2, linf or vertices";
    const char *negative = "the bounds l1, l2 and linf must not be negative";
    refused(&law, 1, &(dpn_sensitivity){.linf = 1}, "the dimension must be at least 1");
    refused(mixed, 2, &(dpn_sensitivity){.dimension = 3, .linf = 1}, "there are 2 laws for 3 coordinates");
    refused(mixed, 3, &(dpn_sensitivity){.dimension = 3, .linf = 1},
            "noise on the integers and on the reals cannot share a sensitivity set");
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3, .linf = -1}, negative);
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3, .l1 = -1e-300, .linf = 1}, negative);
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3, .l2 = NAN, .linf = 1}, negative);
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3, .bound = hole}, "sensitivity 1 must not be negative");
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3, .bound = none}, "sensitivity 1 must not be negative");
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3, .bound = wide}, unbounded);
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3}, unbounded);
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3, .max_changed = 1}, unbounded);
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3, .vertices = 1, .linf = 1},
            "vertices and their number must be given together");
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3, .vertex = row, .linf = 1},
            "vertices and their number must be given together");
    refused(&law, 1, &(dpn_sensitivity){.dimension = 3, .vertex = row, .vertices = 2},
            "the vertices must be finite numbers");
    dpn_moves moves;
    assert_int_equal(dpn_moves_make(&moves, &law, 1, &(dpn_sensitivity){.dimension = 3, .bound = zero}, NULL), DPN_OK);
    assert_true(moves.moves == 1 && moves.move[0].count == 0 && moves.argument == DPN_ARGUMENT_CORNER);
    dpn_argument argument = DPN_ARGUMENT_BOUND;
    assert_int_equal(dpn_moves_done(&moves, &argument, DPN_EACCURACY), DPN_EACCURACY);
    assert_true(argument == DPN_ARGUMENT_BOUND && !moves.move);
    moves = (dpn_moves){.argument = DPN_ARGUMENT_ONE_HOT};
    assert_int_equal(dpn_moves_done(&moves, &argument, DPN_OK), DPN_OK);
    assert_true(argument == DPN_ARGUMENT_ONE_HOT);
    assert_int_equal(dpn_moves_done(&moves, NULL, DPN_OK), DPN_OK);
}

/* What moves say together: the largest of the worst, at least each that is possible, at most each that bounds. */
static void moves_are_joined(void **state) {
    (void)state;
    dpn_move move[3] = {{.role = DPN_MOVE_WORST}, {.role = DPN_MOVE_POSSIBLE}, {.role = DPN_MOVE_ABOVE}};
    assert_true(dpn_moves_bounded(move, 3) && !dpn_moves_bounded(move, 2) && dpn_moves_bounded(move + 2, 1) &&
                !dpn_moves_bounded(move, 0));
    dpn_delta all = dpn_moves_start(move, 2), one = {0.1, 0.2, log(0.1), log(0.2)},
              two = {0.15, 0.3, log(0.15), log(0.3)};
    assert_true(all.lower == 0 && all.upper == 0 && all.log_upper == -INFINITY && all.log_lower == -INFINITY);
    dpn_moves_join_delta(&all, &two, DPN_MOVE_WORST);
    dpn_moves_join_delta(&all, &one, DPN_MOVE_WORST);
    assert_true(all.lower == 0.15 && all.upper == 0.3 && all.log_lower == log(0.15) && all.log_upper == log(0.3));
    all = dpn_moves_start(move, 3);
    assert_true(all.lower == 0 && all.upper == 1 && all.log_upper == 0 && all.log_lower == -INFINITY);
    dpn_moves_join_delta(&all, &two, DPN_MOVE_ABOVE);
    dpn_moves_join_delta(&all, &one, DPN_MOVE_POSSIBLE);
    assert_true(all.lower == 0.1 && all.upper == 0.3 && all.log_lower == log(0.1) && all.log_upper == log(0.3));
    assert_true(dpn_moves_may_miss(DPN_EACCURACY, DPN_MOVE_ABOVE) &&
                dpn_moves_may_miss(DPN_EUNSUPPORTED, DPN_MOVE_POSSIBLE));
    assert_true(!dpn_moves_may_miss(DPN_EACCURACY, DPN_MOVE_WORST) && !dpn_moves_may_miss(DPN_ENOMEM, DPN_MOVE_ABOVE));
    assert_true(!dpn_moves_may_miss(DPN_OK, DPN_MOVE_ABOVE));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_those_of_all_vertices),
        cmocka_unit_test(whole_moves_are_all_listed),
        cmocka_unit_test(long_lists_become_bounds),
        cmocka_unit_test(bounds_of_l2),
        cmocka_unit_test(gaussian_noise_has_one_length),
        cmocka_unit_test(rows_and_boxes),
        cmocka_unit_test(coordinates_are_grouped),
        cmocka_unit_test(sets_are_checked),
        cmocka_unit_test(moves_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
