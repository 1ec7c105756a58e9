/* Releases with the noise of a ball: moves of gridded answers against their bound, the law of the norm of what is drawn, coverage of the
 * intervals, variances. Seeded, with a rate of false alarms over all seeds below 1e-8. */
#include "reference/draw.h"
#include "unit/random/seeded.h"

#include <dpnoise/geometry.h>
#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8, DRAWS = 4000 };

typedef struct made {
    dpn_norm_ball *ball; /* the same once more, for norms */
    dpn_release *release;
    size_t dimension;
    double largest; /* norm of a move of the gridded answers, from the bounds that the plan tells */
} made;

static dpn_norm_ball *ball_of(const char *name) {
    static const double weight[] = {1, 3, 0.25};
    dpn_norm_ball *ball = NULL, *part[2];
    dpn_error why;
    dpn_status status = strcmp(name, "k2") == 0           ? dpn_ball_k2(&ball, &why)
                        : strcmp(name, "k3") == 0         ? dpn_ball_k3(&ball, &why)
                        : strcmp(name, "regression") == 0 ? dpn_ball_regression(&ball, 2, &why)
                        : strcmp(name, "l2") == 0         ? dpn_ball_lp(&ball, 3, 2, weight, &why)
                                                          : DPN_EDOMAIN;
    if (strcmp(name, "product") == 0) {
        status = dpn_ball_k2(&part[0], &why);
        if (!status) status = dpn_ball_lp(&part[1], 3, 1, weight, &why);
        if (!status) status = dpn_ball_product(&ball, part, 2, &why);
    }
    if (status) fail_msg("%s: %s", name, why.sentence);
    return ball;
}

static made make(const char *name, dpn_ball_release_options options) {
    made out = {.ball = ball_of(name)};
    dpn_error why;
    if (dpn_ball_release(&out.release, ball_of(name), &options, &why)) fail_msg("%s: %s", name, why.sentence);
    out.dimension = dpn_ball_dimension(out.ball);
    double half[MOST];
    dpn_ball_half_widths(half, out.ball);
    out.largest = dpn_release_plan(out.release)->sensitivity[0] / half[0];
    return out;
}

static void drop(made *of) {
    dpn_ball_free(of->ball);
    dpn_release_free(of->release);
}

/* What one record adds to the sums that the balls are about, by their definitions. */
static void sums(double *out, const char *name, draw_source *source) {
    double x = draw_uniform(source, -1, 1), y = draw_uniform(source, -1, 1), z = draw_uniform(source, -1, 1);
    if (draw_uniform(source, 0, 1) < 0.5) x = x < 0 ? -1 : 1, y = y < 0 ? -1 : 1, z = z < 0 ? -1 : 1;
    const double k2[] = {x, 2 * x * x}, k3[] = {x, y, x * y};
    const double regression[] = {x, y, z, 2 * x * x, 2 * y * y, x * y, x * z, y * z};
    if (strcmp(name, "k2") == 0) memcpy(out, k2, sizeof k2);
    if (strcmp(name, "k3") == 0) memcpy(out, k3, sizeof k3);
    if (strcmp(name, "regression") == 0) memcpy(out, regression, sizeof regression);
}

static const char *const balls[] = {"k2", "k3", "regression"};

/* Neighbours, through their texts, stay within the bound; on a coarse grid some are beyond the ball itself. */
static void test_moves(void **state) {
    (void)state;
    for (size_t b = 0; b < 3; b++)
        for (int coarse = 0; coarse < 2; coarse++) {
            dpn_ball_release_options options = dpn_ball_release_options_init();
            options.epsilon = 1;
            options.has_grid = coarse;
            options.grid_exponent = -3;
            made of = make(balls[b], options);
            draw_source source = {.state = 7 + b};
            double furthest = 0;
            for (int n = 0; n < 3000; n++) {
                double base[MOST], one[MOST], other[MOST], moved[MOST];
                sums(one, balls[b], &source);
                sums(other, balls[b], &source);
                for (size_t i = 0; i < of.dimension; i++) {
                    char text[64];
                    int64_t from, to;
                    base[i] = draw_uniform(&source, -50, 50);
                    snprintf(text, sizeof text, "%.17g", base[i] + one[i]);
                    assert_int_equal(dpn_release_parse(&from, of.release, i, text, NULL), DPN_OK);
                    snprintf(text, sizeof text, "%.17g", base[i] + other[i]);
                    assert_int_equal(dpn_release_parse(&to, of.release, i, text, NULL), DPN_OK);
                    moved[i] = ldexp((double)(to - from), dpn_release_grid_exponent(of.release, i));
                }
                furthest = fmax(furthest, dpn_ball_norm(of.ball, moved));
            }
            if (!(furthest <= of.largest)) fail_msg("%s: %.17g above %.17g", balls[b], furthest, of.largest);
            assert_true(furthest > (coarse ? 1.01 : 0.99));
            assert_true(coarse ? of.largest > 1.1 : of.largest < 1 + 0x1p-15);
            drop(&of);
        }
}

/* |V| has the law Gamma(m) of scale largest/epsilon: its mean and mean square. Each coordinate has the variance and half-width that are told. */
static void expect_law(const char *name, dpn_ball_release_options options, uint64_t seed) {
    made of = make(name, options);
    const dpn_plan *plan = dpn_release_plan(of.release);
    seeded source;
    seeded_begin(&source, seed);
    double m = (double)of.dimension, scale = of.largest / options.epsilon, mean = 0, square[MOST] = {0};
    double fourth[MOST] = {0}, step = 0;
    size_t inside[MOST] = {0};
    const int64_t zero[MOST] = {0};
    for (size_t i = 0; i < of.dimension; i++) {
        double unit[MOST] = {0};
        unit[i] = ldexp(0.5, dpn_release_grid_exponent(of.release, i));
        step += dpn_ball_norm(of.ball, unit); /* by which rounding moves the norm at most */
    }
    for (int n = 0; n < DRAWS; n++) {
        int64_t out[MOST];
        double v[MOST];
        assert_int_equal(dpn_release_draw(out, of.release, &source.rng, zero, NULL), DPN_OK);
        for (size_t i = 0; i < of.dimension; i++) {
            v[i] = ldexp((double)out[i], dpn_release_grid_exponent(of.release, i));
            square[i] += v[i] * v[i] / DRAWS;
            fourth[i] += v[i] * v[i] * v[i] * v[i] / DRAWS;
            inside[i] += fabs(v[i]) <= dpn_release_interval95(of.release, i);
        }
        mean += dpn_ball_norm(of.ball, v) / DRAWS;
    }
    double error = 6.5 * scale * sqrt(m / DRAWS);
    if (fabs(mean - m * scale) > error + step)
        fail_msg("%s: %g, not %g within %g", name, mean, m * scale, error + step);
    for (size_t i = 0; i < of.dimension; i++) {
        double noise = 6.5 * sqrt((fourth[i] - square[i] * square[i]) / DRAWS) + 0.1 * square[i];
        if (fabs(square[i] - plan->variance[i]) > noise)
            fail_msg("%s: variance %g, not %g", name, square[i], plan->variance[i]);
        double share = (double)inside[i] / DRAWS;
        if (!(share > 0.95 - 6.5 * sqrt(0.95 * 0.05 / DRAWS))) fail_msg("%s: covers %g", name, share);
        if (!options.has_grid && !options.whole) assert_true(share < 0.985); /* and is not idle */
    }
    assert_true(plan->pure && plan->pure_epsilon == options.epsilon && plan->delta.upper == 0);
    drop(&of);
}

static void test_law(void **state) {
    (void)state;
    static const char *const all[] = {"k2", "k3", "regression", "l2", "product"};
    for (size_t b = 0; b < 5; b++) {
        dpn_ball_release_options options = dpn_ball_release_options_init();
        options.epsilon = 0.5;
        expect_law(all[b], options, 11 + b);
        options.whole = true;
        expect_law(all[b], options, 21 + b);
        options.whole = false;
        options.has_grid = true;
        options.grid_exponent = -1;
        expect_law(all[b], options, 31 + b);
    }
}

static bool anywhere(void *context, const double *u) {
    (void)context;
    return u[0] * u[0] + u[1] * u[1] <= 1;
}

static void test_refused(void **state) {
    (void)state;
    dpn_ball_release_options options = dpn_ball_release_options_init();
    dpn_norm_ball *ball = ball_of("k2"), *members;
    dpn_release *release = NULL;
    dpn_error why;
    static const double bad[] = {0, -1, NAN, INFINITY}, half[] = {1, 1};
    for (size_t i = 0; i < 4; i++) {
        options.epsilon = bad[i];
        assert_int_equal(dpn_ball_release(&release, ball, &options, &why), DPN_EDOMAIN);
    }
    options.epsilon = 1;
    options.has_grid = true;
    options.grid_exponent = 61;
    assert_int_equal(dpn_ball_release(&release, ball, &options, &why), DPN_EDOMAIN);
    options.grid_exponent = 1;
    options.whole = true;
    assert_int_equal(dpn_ball_release(&release, ball, &options, &why), DPN_EDOMAIN);
    options = dpn_ball_release_options_init();
    options.epsilon = 1;
    assert_int_equal(dpn_ball_members(&members, 2, half, 0.5, anywhere, NULL, &why), DPN_OK);
    assert_int_equal(dpn_ball_release(&release, members, &options, &why), DPN_EUNSUPPORTED);
    assert_null(release);
    dpn_ball_free(members);
    dpn_ball_free(ball); /* which stayed ours */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("geometry/release", tests, NULL, NULL);
}
