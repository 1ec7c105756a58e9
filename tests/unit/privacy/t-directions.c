/* The worst direction in a ball, piece by piece: cones against linear algebra by hand, the search against quantities whose supremum is known, and how much it looks. */
#include "privacy/ball/directions.h"
#include "privacy/ball/directions.c" /* to see each piece */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- cones ---- */

static double product(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void the_first_cone(void **state) {
    (void)state;
    for (size_t n = 1; n <= MOST; n++) {
        cone c = first_cone(n);
        assert_true(c.upper == INFINITY && !c.seen);
        for (size_t i = 0; i < n; i++) {
            assert_true(fabs(product(c.side[i], c.side[i], n) - 1) < 1e-15);
            for (size_t j = 0; j < MOST; j++)
                assert_true(j <= i ? c.side[i][j] == c.side[i][0] && c.side[i][0] > 0 : c.side[i][j] == 0);
        }
    }
}

/* The distance of the plane through the unit vectors from 0, by Gram and Schmidt: it is 1/|n|. */
static double distance_of(const cone *c, size_t n) {
    double base[MOST][MOST], point[MOST];
    for (size_t i = 1; i < n; i++) {
        for (size_t k = 0; k < n; k++) base[i][k] = c->side[i][k] - c->side[0][k];
        for (int twice = 0; twice < 2; twice++)
            for (size_t j = 1; j < i; j++) {
                double along = product(base[i], base[j], n);
                for (size_t k = 0; k < n; k++) base[i][k] -= along * base[j][k];
            }
        double size = sqrt(product(base[i], base[i], n));
        for (size_t k = 0; k < n; k++) base[i][k] /= size;
    }
    for (size_t k = 0; k < n; k++) point[k] = c->side[0][k];
    for (size_t i = 1; i < n; i++) {
        double along = product(point, base[i], n);
        for (size_t k = 0; k < n; k++) point[k] -= along * base[i][k];
    }
    return sqrt(product(point, point, n));
}

static void stretches_are_distances(void **state) {
    (void)state;
    draw_source source = {41};
    for (int trial = 0; trial < 2000; trial++) {
        size_t n = 1 + (size_t)trial % MOST;
        cone c = first_cone(n);
        if (trial >= 8)
            for (size_t i = 0; i < n; i++) {
                for (size_t k = 0; k < n; k++)
                    c.side[i][k] = draw_chance(&source, 0.2) ? 0 : draw_uniform(&source, -0.3, 1);
                double size = sqrt(product(c.side[i], c.side[i], n));
                for (size_t k = 0; k < n; k++) c.side[i][k] /= size;
            }
        double wanted = 1 / distance_of(&c, n), found = stretch(&c, n);
        if (!(wanted < 1e3)) continue; /* too thin, or none */
        if (!(found >= wanted * (1 + 1e-10) && found <= wanted * (1 + 2e-9)))
            fail_msg("%zu dimensions: %.17g, not %.17g", n, found, wanted);
    }
}

static void edges(void **state) {
    (void)state;
    draw_source source = {42};
    for (int trial = 0; trial < 300; trial++) {
        size_t n = 2 + (size_t)trial % (MOST - 1), from = 9, to = 9;
        cone c = first_cone(n);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++) c.side[i][k] = draw_uniform(&source, 0, 1);
        for (size_t i = 0; i < n; i++) {
            double size = sqrt(product(c.side[i], c.side[i], n));
            for (size_t k = 0; k < n; k++) c.side[i][k] /= size;
        }
        longest_edge(&from, &to, &c, n);
        assert_true(from < n && to < n && from != to);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                assert_true(product(c.side[i], c.side[j], n) >= product(c.side[from], c.side[to], n) - 1e-15);
    }
}

/* ---- the search ---- */

typedef struct record {
    int looks, fail_at;
    double power, radius, longest, doubt, less;
    const double *weight;
} record;

/* The p-norm, or with weights a sum that is largest along them; known up to a doubt. */
static dpn_status norm_of(double *lower, double *upper, const double *move, size_t dimension, void *context,
                          dpn_error *why) {
    record *r = context;
    double sum = 0, square = 0;
    (void)why;
    if (++r->looks == r->fail_at) return DPN_EACCURACY;
    for (size_t i = 0; i < dimension; i++) {
        assert_true(move[i] >= 0 && (i == 0 || move[i] <= move[i - 1] * (1 + 1e-12)));
        sum += r->weight ? r->weight[i] * move[i] : pow(move[i], r->power);
        square += move[i] * move[i];
    }
    r->longest = fmax(r->longest, sqrt(square));
    *lower = (r->weight ? sum : pow(sum, 1 / r->power)) - r->doubt - r->less;
    *upper = *lower + 2 * r->doubt;
    return DPN_OK;
}

static void suprema_are_found(void **state) {
    (void)state;
    static const double weights[] = {0.8, 0.5, 0.3, 0.1}, powers[] = {1, 1.5, 2, 4, 8};
    for (size_t n = 1; n <= MOST; n++)
        for (int i = 0; i < 6; i++)
            for (double close = 0.3; close > 1e-2; close *= 0.3) {
                record r = {.power = i < 5 ? powers[i] : 0,
                            .weight = i < 5 ? NULL : weights,
                            .radius = 1.7,
                            .less = i % 2 ? 9 : 0};
                double lower = 7, upper = 7, size = (double)n, wanted;
                wanted = 1.7 * (i < 5 ? fmax(1, pow(size, 1 / powers[i] - 0.5)) : sqrt(product(weights, weights, n)));
                wanted -= r.less; /* logarithms are negative */
                assert_int_equal(dpn_directions(&lower, &upper, n, 1.7, norm_of, &r, close, 4000, NULL), DPN_OK);
                if (!(lower <= wanted && wanted <= upper && upper - lower <= close))
                    fail_msg("%zu dimensions, %d: %.17g to %.17g, not %.17g", n, i, lower, upper, wanted);
                assert_true(r.looks >= (int)n && r.longest < 1.7 * 2.5);
            }
}

/* With few looks the bounds are wider and true, and the looks are few. */
static void looks_are_limited(void **state) {
    (void)state;
    static const double weights[] = {0.8, 0.5, 0.3, 0.1};
    double wanted = sqrt(product(weights, weights, 4)), last = INFINITY;
    for (int looks = 0; looks < 90; looks += 3) {
        record r = {.weight = weights};
        double lower, upper;
        assert_int_equal(dpn_directions(&lower, &upper, 4, 1, norm_of, &r, 0, looks, NULL), DPN_OK);
        assert_true(lower <= wanted && wanted <= upper);
        /* One in each direction of the first cone, one cone at least, and what a cone takes beyond. */
        assert_true(r.looks >= 8 && r.looks <= (looks > 8 ? looks + 8 : 8));
        assert_true(upper <= last + 1e-12);
        last = fmin(last, upper);
    }
    record r = {.weight = weights};
    double lower, upper;
    assert_int_equal(dpn_directions(&lower, &upper, 4, 1, norm_of, &r, 0, 1000000, NULL), DPN_OK);
    assert_true(lower <= wanted && wanted <= upper && r.looks <= 9 * MOST_CONES && r.looks > 2 * MOST_CONES);
}

/* What is known at a direction badly widens the bounds by that. */
static void doubtful_values(void **state) {
    (void)state;
    record r = {.power = 2, .doubt = 0.1};
    double lower, upper;
    assert_int_equal(dpn_directions(&lower, &upper, 3, 1, norm_of, &r, 1e-3, 500, NULL), DPN_OK);
    assert_true(fabs(lower - 0.9) < 1e-9 && upper >= 1.1 && upper < 1.2);
    assert_true(lower < 0.9 + 1e-15); /* within the ball, not beyond */
}

/* Whichever look fails, it ends and nothing is told. */
static void failures_are_passed_on(void **state) {
    (void)state;
    static const double weights[] = {0.8, 0.5, 0.3};
    record whole = {.weight = weights};
    double lower, upper;
    assert_int_equal(dpn_directions(&lower, &upper, 3, 1, norm_of, &whole, 1e-2, 500, NULL), DPN_OK);
    for (int at = 1; at <= whole.looks; at++) {
        record r = {.weight = weights, .fail_at = at};
        lower = upper = 7;
        assert_int_equal(dpn_directions(&lower, &upper, 3, 1, norm_of, &r, 1e-2, 500, NULL), DPN_EACCURACY);
        assert_true(lower == 7 && upper == 7 && r.looks == at);
    }
}

/* A cone is cut through its longest edge: both halves have the middle for the end that the other keeps. */
static void cuts(void **state) {
    (void)state;
    static search s;
    record r = {.power = 2};
    s = (search){
        .dimension = 3, .radius = 2, .value = norm_of, .context = &r, .lower = -INFINITY, .looks = 9, .cones = 1};
    cone whole = first_cone(3);
    whole.upper = 5;
    whole.seen = true;
    s.cone[0] = whole;
    assert_int_equal(cut(&s, &s.cone[0], NULL), DPN_OK);
    size_t from = 9, to = 9, kept[2] = {0, 0};
    longest_edge(&from, &to, &whole, 3);
    assert_true(s.cones == 2 && s.looks == 8 && !s.cone[0].seen && !s.cone[1].seen);
    assert_true(s.cone[0].upper == 5 && s.cone[1].upper == 5 && fabs(s.lower - 2) < 1e-11 && s.lower < 2);
    for (int half = 0; half < 2; half++)
        for (size_t i = 0; i < 3; i++) {
            bool same = !memcmp(s.cone[half].side[i], whole.side[i], sizeof whole.side[i]);
            kept[half] += same;
            if (same) continue;
            assert_int_equal(i, half ? to : from);
            const double *middle = s.cone[half].side[i];
            assert_true(fabs(product(middle, middle, 3) - 1) < 1e-15);
            assert_true(fabs(product(middle, whole.side[from], 3) - product(middle, whole.side[to], 3)) < 1e-15);
        }
    assert_true(kept[0] == 2 && kept[1] == 2);
    s.cone[1].upper = 6;
    assert_ptr_equal(worst(&s), &s.cone[1]);
    s.cone[0].upper = 6;
    assert_ptr_equal(worst(&s), &s.cone[0]);
    /* A look at a cone is at its sides, stretched beyond the ball; it lowers its bound and no other, and says nothing of the ball. */
    s.lower = -INFINITY;
    r.longest = 0;
    assert_int_equal(look_at_cone(&s, &s.cone[0], NULL), DPN_OK);
    double length = 2 / distance_of(&s.cone[0], 3);
    assert_true(fabs(s.cone[0].upper - length) < 1e-8 && s.cone[0].seen && s.lower == -INFINITY && s.looks == 5);
    assert_true(r.longest >= length);
    s.cone[0].upper = 0.1;
    assert_int_equal(look_at_cone(&s, &s.cone[0], NULL), DPN_OK);
    assert_true(s.cone[0].upper == 0.1); /* that of the cone it was cut from holds too */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_cone),
        cmocka_unit_test(stretches_are_distances),
        cmocka_unit_test(edges),
        cmocka_unit_test(suprema_are_found),
        cmocka_unit_test(looks_are_limited),
        cmocka_unit_test(doubtful_values),
        cmocka_unit_test(failures_are_passed_on),
        cmocka_unit_test(cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
