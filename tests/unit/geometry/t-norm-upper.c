/* Norms that are rounded up: not below the exact norm of the very doubles that are given, by no last place, for balls of every
 * kind; and above it by no more than their margin. The exact norm is computed in multiple precision from the definition. */
#include <dpnoise/geometry.h>

#include "reference/draw.h"
#include "reference/real.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 6 };

static real larger(real a, real b) {
    return r_less(a, b) ? b : a;
}

/* (sum |u_i/w_i|^p)^(1/p) */
static real lp_norm(const real *u, const double *weight, size_t count, double p) {
    real sum = r_num(0);
    for (size_t i = 0; i < count; i++) {
        real x = r_over(r_abs(u[i]), weight[i]);
        sum = isinf(p) ? larger(sum, x) : r_add(sum, r_pow(x, r_num(p)));
    }
    return isinf(p) ? sum : r_pow(sum, r_div(r_num(1), r_num(p)));
}

static void exactly(real *out, const double *u, size_t count) {
    for (size_t i = 0; i < count; i++) out[i] = r_num(u[i]);
}

static void check_within(double margin, const dpn_norm_ball *ball, const double *u, real truth, const char *what) {
    double upper, sensitivity;
    assert_int_equal(dpn_ball_norm_upper(&upper, ball, u, NULL), DPN_OK);
    assert_int_equal(dpn_sensitivity_upper(&sensitivity, ball, u, 1, NULL), DPN_OK);
    if (r_less(r_num(upper), truth)) fail_msg("%s: %.17g is below the norm", what, upper);
    if (r_less(r_times(truth, 1 + margin), r_num(upper))) fail_msg("%s: %.17g is far above the norm", what, upper);
    assert_true(sensitivity == upper);
}

static void check(const dpn_norm_ball *ball, const double *u, real truth, const char *what) {
    check_within(1e-9, ball, u, truth, what);
}

static dpn_norm_ball *lp(size_t count, double p, const double *weight) {
    dpn_norm_ball *ball;
    assert_int_equal(dpn_ball_lp(&ball, count, p, weight, NULL), DPN_OK);
    return ball;
}

static void draw_vector(double *u, size_t count, double least, draw_source *random) {
    for (size_t i = 0; i < count; i++) u[i] = draw_log_uniform(random, least, 1) * (draw_chance(random, 0.5) ? -1 : 1);
}

static void test_lp(void **state) {
    (void)state;
    static const double p[] = {1, 1.5, 2, 3, 7.3, INFINITY};
    draw_source random = {.state = 1};
    for (size_t k = 0; k < sizeof p / sizeof *p; k++)
        for (int n = 0; n < 60; n++) {
            size_t mark = r_mark(), count = 1 + draw_bits(&random) % MOST;
            double weight[MOST], u[MOST];
            real x[MOST];
            for (size_t i = 0; i < count; i++) weight[i] = draw_log_uniform(&random, 0.1, 10);
            draw_vector(u, count, 1e-3, &random);
            exactly(x, u, count);
            dpn_norm_ball *ball = lp(count, p[k], weight);
            check(ball, u, lp_norm(x, weight, count, p[k]), "l_p");
            dpn_ball_free(ball);
            r_release(mark);
        }
}

/* Two blocks of an l2 and an l1 ball; and both on the same coordinates. */
static void test_parts(void **state) {
    (void)state;
    typedef dpn_status (*maker)(dpn_norm_ball **, dpn_norm_ball *const *, size_t, dpn_error *);
    static const maker make[] = {dpn_ball_sum, dpn_ball_product, dpn_ball_intersection};
    static const char *const what[] = {"sum", "product", "intersection"};
    draw_source random = {.state = 2};
    for (size_t k = 0; k < 3; k++)
        for (int n = 0; n < 60; n++) {
            size_t mark = r_mark(), second = k == 2 ? 0 : 3;
            double weight[6], u[6];
            real x[6];
            for (size_t i = 0; i < 6; i++) weight[i] = draw_log_uniform(&random, 0.1, 10);
            draw_vector(u, 6, 1e-3, &random);
            exactly(x, u, 6);
            dpn_norm_ball *part[2] = {lp(3, 2, weight), lp(3, 1, weight + 3)}, *ball;
            assert_int_equal(make[k](&ball, part, 2, NULL), DPN_OK);
            real one = lp_norm(x, weight, 3, 2), other = lp_norm(x + second, weight + 3, 3, 1);
            check(ball, u, k == 0 ? r_add(one, other) : larger(one, other), what[k]);
            dpn_ball_free(ball);
            r_release(mark);
        }
}

/* |u| of the image of an l2 ball under a matrix is the l2 norm of its inverse times u. Matrices that are nearly singular
 * have an inverse that doubles know little of. */
static void test_image(void **state) {
    (void)state;
    draw_source random = {.state = 3};
    for (int n = 0; n < 120; n++) {
        size_t mark = r_mark();
        double a[4], u[2], ones[2] = {1, 1}, bend = n % 2 ? draw_log_uniform(&random, 1e-7, 0.1) : 0.7;
        for (int i = 0; i < 3; i++) a[i] = draw_uniform(&random, 0.5, 1);
        a[3] = a[1] * a[2] / a[0] * (1 + bend);
        draw_vector(u, 2, 1e-3, &random);
        real r[4], x[2], v[2];
        exactly(r, a, 4);
        exactly(x, u, 2);
        real determinant = r_sub(r_mul(r[0], r[3]), r_mul(r[1], r[2]));
        v[0] = r_div(r_sub(r_mul(r[3], x[0]), r_mul(r[1], x[1])), determinant);
        v[1] = r_div(r_sub(r_mul(r[0], x[1]), r_mul(r[2], x[0])), determinant);
        dpn_norm_ball *ball;
        assert_int_equal(dpn_ball_image(&ball, lp(2, 2, NULL), a, NULL), DPN_OK);
        check_within(n % 2 ? 1 : 1e-9, ball, u, lp_norm(v, ones, 2, 2), "image");
        dpn_ball_free(ball);
        r_release(mark);
    }
}

/* The hull of two points and their negatives, given as a hull and as points: u = s a + t b has the norm |s| + |t|. */
static void test_hulls(void **state) {
    (void)state;
    draw_source random = {.state = 4};
    for (int n = 0; n < 120; n++) {
        size_t mark = r_mark();
        double point[4], u[2];
        do
            for (int i = 0; i < 4; i++) point[i] = draw_uniform(&random, -1, 1);
        while (fabs(point[0] * point[3] - point[1] * point[2]) < 0.05);
        draw_vector(u, 2, 1e-3, &random);
        real a[4], x[2];
        exactly(a, point, 4);
        exactly(x, u, 2);
        real determinant = r_sub(r_mul(a[0], a[3]), r_mul(a[1], a[2]));
        real s = r_div(r_sub(r_mul(x[0], a[3]), r_mul(x[1], a[2])), determinant);
        real t = r_div(r_sub(r_mul(a[0], x[1]), r_mul(a[1], x[0])), determinant);
        dpn_norm_ball *ball;
        real truth = r_add(r_abs(s), r_abs(t));
        assert_int_equal(dpn_ball_hull(&ball, 2, point, 2, NULL), DPN_OK);
        check(ball, u, truth, "hull");
        dpn_ball_free(ball);
        assert_int_equal(dpn_ball_points(&ball, 2, point, 2, NULL), DPN_OK);
        check(ball, u, truth, "points");
        dpn_ball_free(ball);
        r_release(mark);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lp),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_image),
        cmocka_unit_test(test_hulls),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
