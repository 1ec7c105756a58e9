/* Depth and concentration sets against the Gamma law in multiple precision, and against draws. */
#include <dpnoise/geometry.h>

#include "reference/draw.h"
#include "reference/real.h"
#include "unit/random/seeded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* P(Gamma(m) > x) = e^-x sum_(k < m) x^k/k!, with 400 bits. */
static real upper_tail(size_t m, double x) {
    real sum = r_num(0), term = r_num(1);
    for (size_t k = 0; k < m; k++) {
        sum = r_add(sum, term);
        term = r_over(r_times(term, x), (double)(k + 1));
    }
    return r_mul(sum, r_exp(r_neg(r_num(x))));
}

static void depth_is_the_tail(void **state) {
    (void)state;
    draw_source source = {51};
    double worst = 0;
    r_precision(400);
    for (int i = 0; i < 400; i++) {
        size_t mark = r_mark(), m = (size_t)draw_log_uniform(&source, 1, 300);
        double scale = draw_log_uniform(&source, 0.1, 10), x = (double)m * draw_log_uniform(&source, 0.1, 4);
        double u[300] = {0};
        u[m - 1] = x * scale;
        dpn_norm_ball *ball;
        assert_int_equal(dpn_ball_lp(&ball, m, 2, NULL, NULL), DPN_OK);
        double got = dpn_knorm_depth(ball, scale, u), expected = r_double(upper_tail(m, u[m - 1] / scale));
        double error = fabs(got - expected) / fmax(expected, 1e-300);
        if (!(error < 1e-11)) fail_msg("m = %zu, x = %g: %.17g, not %.17g", m, x, got, expected);
        worst = fmax(worst, error);
        dpn_ball_free(ball);
        r_release(mark);
    }
    print_message("# largest relative error %.1e\n", worst);
}

static void the_radius_inverts_it(void **state) {
    (void)state;
    draw_source source = {52};
    r_precision(400);
    for (int i = 0; i < 400; i++) {
        size_t mark = r_mark(), m = (size_t)draw_log_uniform(&source, 1, 200);
        double scale = draw_log_uniform(&source, 0.1, 10), p = draw_log_uniform(&source, 1e-6, 1);
        if (i % 2) p = 1 - p;
        double t = dpn_knorm_radius(m, scale, p);
        double upper = r_double(upper_tail(m, t / scale)), lower = r_double(r_sub(r_num(1), upper_tail(m, t / scale)));
        bool met = p < 0.5 ? fabs(lower / p - 1) < 1e-10 : fabs(upper / (1 - p) - 1) < 1e-10;
        if (!met) fail_msg("m = %zu, p = %.17g: the radius %.17g has %.17g", m, p, t, lower);
        r_release(mark);
    }
    assert_true(fabs(dpn_knorm_radius(1, 2, 0.5) - 2 * log(2)) < 1e-14); /* exponential */
    assert_true(dpn_knorm_radius(3, 1, 0) == 0 && isinf(dpn_knorm_radius(3, 1, 1)));
    assert_true(isnan(dpn_knorm_radius(0, 1, 0.5)) && isnan(dpn_knorm_radius(1, 0, 0.5)) &&
                isnan(dpn_knorm_radius(1, 1, 2)));
}

/* Theorem 3.11 and Corollary 3.12: 1 at the centre, falling on rays, 0 far away, and unchanged by linear maps. */
static void depth_is_a_depth(void **state) {
    (void)state;
    const double matrix[] = {2, 1, 0.5, 3}, weight[] = {1, 4};
    dpn_norm_ball *ball, *image, *same;
    assert_int_equal(dpn_ball_lp(&ball, 2, 1, weight, NULL), DPN_OK);
    assert_int_equal(dpn_ball_lp(&same, 2, 1, weight, NULL), DPN_OK);
    assert_int_equal(dpn_ball_image(&image, same, matrix, NULL), DPN_OK);
    double before = 1;
    assert_true(dpn_knorm_depth(ball, 1, (const double[]){0, 0}) == 1);
    for (double s = 0.25; s < 100; s *= 1.5) {
        double u[] = {s, -0.7 * s}, v[] = {2 * u[0] + u[1], 0.5 * u[0] + 3 * u[1]};
        double depth = dpn_knorm_depth(ball, 1, u);
        assert_true(depth < before);
        assert_true(fabs(depth - dpn_knorm_depth(image, 1, v)) <= 1e-10 * depth);
        before = depth;
    }
    assert_true(before < 1e-30 && isnan(dpn_knorm_depth(ball, 0, (const double[]){1, 1})));
    dpn_ball_free(ball);
    dpn_ball_free(image);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The depth of exact draws is uniform, within what the inequality of Dvoretzky, Kiefer and Wolfowitz allows with a rate of
 * false alarms of 1e-7 for each ball; and the sets of the radius have their shares. */
static void draws_have_a_uniform_depth(void **state) {
    (void)state;
    enum { N = 4000, BALLS = 3 };
    static double depth[N];
    for (int kind = 0; kind < BALLS; kind++) {
        dpn_norm_ball *ball = NULL;
        const double weight[] = {1, 3, 0.5};
        if (kind == 0) assert_int_equal(dpn_ball_k2(&ball, NULL), DPN_OK);
        if (kind == 1) assert_int_equal(dpn_ball_k3(&ball, NULL), DPN_OK);
        if (kind == 2) assert_int_equal(dpn_ball_lp(&ball, 3, INFINITY, weight, NULL), DPN_OK);
        size_t m = dpn_ball_dimension(ball);
        const int grid[] = {-30, -30, -30};
        double scale = 0.7, allowed = sqrt(log(2e7) / (2 * N)), radius = dpn_knorm_radius(m, scale, 0.8), inside = 0;
        dpn_ball_sampler *sampler;
        seeded source;
        seeded_begin(&source, 77 + (uint64_t)kind);
        assert_int_equal(dpn_ball_sampler_new(&sampler, ball, 1 / scale, grid, NULL), DPN_OK);
        for (int k = 0; k < N; k++) {
            int64_t steps[3];
            double v[3] = {0};
            assert_int_equal(dpn_ball_sampler_draw(steps, sampler, &source.rng, NULL), DPN_OK);
            for (size_t i = 0; i < m; i++) v[i] = ldexp((double)steps[i], -30);
            depth[k] = dpn_knorm_depth(ball, scale, v);
            inside += dpn_ball_norm(ball, v) <= radius;
        }
        qsort(depth, N, sizeof *depth, ascending);
        for (int k = 0; k < N; k++) assert_true(fabs(depth[k] - (k + 0.5) / N) <= allowed + 0.5 / N);
        assert_true(fabs(inside / N - 0.8) <= allowed);
        dpn_ball_sampler_free(sampler);
        dpn_ball_free(ball);
    }
}

/* Proposition 2.3, and the bound from the other side. A test of power p and level a is private only if p <= e^eps a and
 * 1 - a <= e^eps (1 - p). */
static void power(void **state) {
    (void)state;
    dpn_test_power at = dpn_knorm_power(0.5, 0.05);
    assert_true(fabs(at.printed - 0.05 * exp(0.5)) < 1e-16 && at.both == at.printed);
    at = dpn_knorm_power(2, 0.5);
    assert_true(at.printed == 1 && fabs(at.both - (1 - 0.5 * exp(-2))) < 1e-15);
    assert_true(isnan(dpn_knorm_power(-1, 0.1).printed) && isnan(dpn_knorm_power(1, 1.1).both));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_is_the_tail),
        cmocka_unit_test(the_radius_inverts_it),
        cmocka_unit_test(depth_is_a_depth),
        cmocka_unit_test(draws_have_a_uniform_depth),
        cmocka_unit_test(power),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
