/* FH Theorem 8, step by step (docs/proofs/privacy/conditions.md, section 2): the bound of one pair of norms in many bits, that of an interval
 * over a walk through it, and the largest over all moves against a finer walk. */
#include "privacy/condition/theorem-8.c" /* to see each step */

#include "reference/draw.h"
#include "reference/special.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static real r_q(real x) {
    return r_over(r_erfc(r_div(x, r_sqrt(r_num(2)))), 2);
}

/* x1 = (epsilon - K R/2)/s - s/2, in units of gamma. */
static real exact_x1(const bound *b, double s) {
    return r_sub(r_over(r_sub(r_num(b->epsilon), r_over(r_num(b->kr), 2)), s), r_over(r_num(s), 2));
}

/* B = Q(x1) - e^epsilon Q(x2), x2 = (epsilon + K R/2 + theta l)/s + s/2. */
static real exact_bound(const bound *b, double l, double s) {
    real top = r_add(r_plus(r_over(r_num(b->kr), 2), b->epsilon), r_times(r_num(b->theta), l));
    real x2 = r_add(r_over(top, s), r_over(r_num(s), 2));
    return r_sub(r_q(exact_x1(b, s)), r_mul(r_exp(r_num(b->epsilon)), r_q(x2)));
}

static bound draw_bound(draw_source *source) {
    bound b = {.kr = draw_chance(source, 0.2) ? 0 : draw_log_uniform(source, 1e-8, 2),
               .theta = draw_chance(source, 0.2) ? 0 : draw_log_uniform(source, 1e-8, 1)};
    double changed = (double)(1 + draw_bits(source) % 6);
    b.root = sqrt(changed);
    b.l2 = draw_log_uniform(source, 1e-3, 2);
    b.l1 = b.l2 * draw_uniform(source, 0.7, 1.1) * b.root;
    b.epsilon = 0.5 * b.kr + b.l2 * (0.5 * b.l2 + draw_uniform(source, 0, 8));
    return b;
}

/* One pair of norms: not below the theorem's value, and 1e-11 above it but for the margin of x1. */
static void one_move_has_the_value_of_the_theorem(void **state) {
    (void)state;
    draw_source source = {1};
    int seen = 0;
    for (int i = 0; i < 1500; i++) {
        size_t mark = r_mark();
        bound b = draw_bound(&source);
        double s = b.l2 * draw_uniform(&source, 0.05, 1), l = fmin(b.l1, b.root * s);
        real x1 = exact_x1(&b, s);
        double low = x1_lower(&b, s), off = r_double(r_sub(x1, r_num(low))), error = error_of_x1(&b, s);
        /* rounded down by 2^-49 of the sizes of its terms, less the rounding of three of them */
        double size = (b.epsilon + 0.5 * b.kr) / s + s;
        assert_true(error >= 0.99 * 0x1p-49 * size && error <= 1.01 * 0x1p-49 * size);
        if (!(off >= 0.5 * error && off <= 1.5 * error)) fail_msg("x1 %.17g is %g below, %g", low, off, error);
        if (r_double(x1) < 1e-10) {
            if (low < 0) assert_true(log_bound(&b, s, s) == 0);
        } else {
            double got = log_bound(&b, s, s), x = r_double(x1);
            real truth = r_log(exact_bound(&b, l, s));
            double above = r_double(r_sub(r_num(got), truth));
            /* d log B/dx1 is at most x1 + 2 in size for B near Q; up to 1/gap where B is small */
            if (!(above > 0 && above < 1.3e-11 + 40 * error * (2 + x) + 3e-15 * (1 + fabs(got))))
                fail_msg("case %d: exceeds by %g", i, above);
            if (x > 0.1) assert_true(above > 0.7e-11);
            seen++;
        }
        r_release(mark);
    }
    assert_true(seen > 1000);
}

/* An interval of norms: no value within it is larger, and the bound is within 1 + w (2 + x1)^2 of them. */
static void intervals_are_bounded(void **state) {
    (void)state;
    draw_source source = {2};
    int seen = 0;
    for (int i = 0; i < 4000; i++) {
        bound b = draw_bound(&source);
        double w = draw_log_uniform(&source, 1e-6, 0.5), to = b.l2 * draw_uniform(&source, 0.1, 1), from = to * (1 - w);
        double upper = log_bound(&b, from, to), x1 = x1_lower(&b, to), most = -INFINITY;
        if (!(x1 >= 0)) {
            assert_true(upper == 0);
            continue;
        }
        for (int k = 0; k <= 20; k++)
            most = fmax(most, log_bound(&b, from + (to - from) * k / 20, from + (to - from) * k / 20));
        if (!(upper >= most - 1e-11)) fail_msg("case %d: %.17g below %.17g", i, upper, most);
        if (w * (2 + x1) * (2 + x1) < 0.3 && !(upper <= most + 3 * w * (2 + x1) * (2 + x1) + 1e-9))
            fail_msg("case %d: %.17g is %g above, width %g, x1 %g", i, upper, upper - most, w, x1);
        seen++;
    }
    assert_true(seen > 2000);
}

/* Over all moves: no s of a fine walk has more, and the answer is within the 1e-4 that ends the halving. */
static void the_largest_over_all_moves(void **state) {
    (void)state;
    draw_source source = {3};
    int inside = 0;
    for (int i = 0; i < 160; i++) {
        bound b = draw_bound(&source);
        if (i % 2)
            b.epsilon = 0.5 * b.kr +
                        b.l2 * (0.5 * b.l2 + draw_uniform(&source, 0, 0.6)); /* where the largest is not at the end */
        if (!(x1_lower(&b, b.l2) >= 0)) continue;
        double got = log_largest(&b), most = -INFINITY, at = 0;
        for (double s = b.l2; s > 1e-6 * b.l2; s *= 0.997) {
            double value = log_bound(&b, s, s);
            if (value > most) most = value, at = s;
        }
        for (int k = -200; k <= 200; k++) { /* and around the best, which may be a corner */
            double s = fmin(b.l2, at * (1 + 2e-5 * k));
            most = fmax(most, log_bound(&b, s, s));
        }
        if (!(got >= most && got <= fmin(0, most + 1.5e-4) + 1e-9)) fail_msg("case %d: %.17g, not %.17g", i, got, most);
        inside += at < 0.99 * b.l2;
    }
    assert_true(inside > 10);
}

/* From the law and the norms, each rounded up: in units of gamma, K R and sqrt K by their definitions. */
static void bounds_of_questions(void **state) {
    (void)state;
    draw_source source = {4};
    for (int i = 0; i < 500; i++) {
        size_t mark = r_mark();
        double gamma = draw_log_uniform(&source, 0.1, 10), alpha = gamma * draw_log_uniform(&source, 1e-2, 3);
        double parameter[] = {alpha, gamma}, linf = gamma * draw_log_uniform(&source, 1e-3, 5);
        dpn_law law;
        assert_int_equal(dpn_law_make(&law, "flipped-huber", parameter, 2, NULL), DPN_OK);
        double changed = (double)(1 + draw_bits(&source) % 9);
        dpn_condition_question q = {
            .law = &law,
            .laws = 1,
            .epsilon = 0.7,
            .norms = {.changed = changed, .linf = linf, .l1 = changed * linf, .l2 = sqrt(changed) * linf}};
        bound b = make_bound(&q);
        real a = r_over(r_num(alpha), gamma), d = r_over(r_num(linf), gamma),
             less = alpha > linf ? r_square(r_sub(a, d)) : r_num(0);
        real kr = r_times(r_sub(r_square(a), less), changed), root = r_sqrt(r_num(changed));
        const struct {
            double got;
            real truth;
        } row[] = {{b.kr, kr},
                   {b.root, root},
                   {b.l1, r_over(r_num(q.norms.l1), gamma)},
                   {b.l2, r_over(r_num(q.norms.l2), gamma)}};
        for (int k = 0; k < 4; k++) {
            double units = r_double(r_sub(r_num(row[k].got), row[k].truth)) / (r_double(row[k].truth) * DBL_EPSILON);
            if (!(units > 8 && units < 24)) fail_msg("number %d: %g units above", k, units);
        }
        assert_true(b.epsilon == 0.7);
        double share = b.theta / dpn_fh_theta(alpha / gamma, 1) - 1;
        assert_true(share > 3.9e-12 && share < 4.1e-12);
        r_release(mark);
    }
}

/* Which of the three ways is taken: nothing moves, the theorem is silent, corners and far moves, or the search. */
static void which_way_is_taken(void **state) {
    (void)state;
    double parameter[] = {0.3, 1};
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "flipped-huber", parameter, 2, NULL), DPN_OK);
    dpn_condition_question q = {.law = &law,
                                .laws = 1,
                                .epsilon = 0.052,
                                .norms = {.changed = 2, .linf = 0.09, .l1 = 0.1 * sqrt(2), .l2 = 0.1}};
    dpn_conditioned out;
    bound b = make_bound(&q);
    assert_int_equal(dpn_condition_theorem_8(&out, &q, NULL), DPN_OK);
    assert_true(out.log_delta == log_largest(&b) && !out.exact && out.log_delta > log_bound(&b, b.l2, b.l2) + 1e-3);
    q.norms.corner = true;
    assert_int_equal(dpn_condition_theorem_8(&out, &q, NULL), DPN_OK);
    assert_true(out.log_delta == log_bound(&b, b.l2, b.l2) && !out.exact);
    q.norms.corner = false;
    q.epsilon = b.l2 + 0.5 * b.kr + 1e-9; /* far enough: B increases */
    b = make_bound(&q);
    assert_int_equal(dpn_condition_theorem_8(&out, &q, NULL), DPN_OK);
    assert_true(out.log_delta == log_bound(&b, b.l2, b.l2));
    q.epsilon = 0.5 * b.kr + 0.4 * b.l2 * b.l2; /* x1 < 0 */
    assert_int_equal(dpn_condition_theorem_8(&out, &q, NULL), DPN_OK);
    assert_true(out.log_delta == 0 && !out.exact);
    q.norms = (dpn_norms){0};
    assert_int_equal(dpn_condition_theorem_8(&out, &q, NULL), DPN_OK);
    assert_true(out.log_delta == -INFINITY && out.exact);
}

int main(void) {
    r_precision(300);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_move_has_the_value_of_the_theorem),
        cmocka_unit_test(intervals_are_bounded),
        cmocka_unit_test(the_largest_over_all_moves),
        cmocka_unit_test(bounds_of_questions),
        cmocka_unit_test(which_way_is_taken),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
