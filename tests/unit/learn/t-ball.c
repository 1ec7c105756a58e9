/* Minima in a ball: points on the sphere against multiple precision; what is found against a solver that knows the multiplier by halving, and against the
 * conditions of a minimum with gradients of its own; that it is found soon, and without Newton's method too. */
#include "unit/learn/data.h"

#include "learn/perturbed.h"
#include "learn/row-loss.h"
#include "learn/sphere.h"

#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 6, BITS = 300 };

static double uniform(draw_source *source) {
    return 2 * (double)(draw_bits(source) >> 11) * 0x1p-53 - 1;
}

/* ---- Points ---- */

static void set_point(mpfr_t out, dpn_int128 b) {
    mpfr_set_si(out, (long)(b >> 64), MPFR_RNDN);
    mpfr_mul_2ui(out, out, 64, MPFR_RNDN);
    mpfr_add_ui(out, out, (unsigned long)(uint64_t)b, MPFR_RNDN);
    mpfr_div_2ui(out, out, DPN_POINT_LOG, MPFR_RNDN);
}

/* How many steps the farthest coordinate of b is from x times radius over |x|, or from x itself. */
static double steps_off(const dpn_int128 *b, const dpn_twofold *x, size_t m, double radius, bool on) {
    mpfr_t squares, at, part;
    mpfr_inits2(BITS, squares, at, part, (mpfr_ptr)0);
    mpfr_set_zero(squares, 1);
    double most = 0;
    for (size_t j = 0; j < m; j++) {
        mpfr_set_d(at, x[j].hi, MPFR_RNDN);
        mpfr_add_d(at, at, x[j].lo, MPFR_RNDN);
        mpfr_fma(squares, at, at, squares, MPFR_RNDN);
    }
    mpfr_sqrt(squares, squares, MPFR_RNDN);
    for (size_t j = 0; j < m; j++) {
        mpfr_set_d(at, x[j].hi, MPFR_RNDN);
        mpfr_add_d(at, at, x[j].lo, MPFR_RNDN);
        if (on) mpfr_mul_d(at, at, radius, MPFR_RNDN);
        if (on) mpfr_div(at, at, squares, MPFR_RNDN);
        set_point(part, b[j]);
        mpfr_sub(at, at, part, MPFR_RNDN);
        mpfr_mul_2ui(at, at, DPN_POINT_LOG, MPFR_RNDN);
        most = fmax(most, fabs(mpfr_get_d(at, MPFR_RNDN)));
    }
    mpfr_clears(squares, at, part, (mpfr_ptr)0);
    return most;
}

static void test_points(void **state) {
    (void)state;
    draw_source source = {3};
    double most = 0;
    size_t on_sphere = 0;
    for (int i = 0; i < 20000; i++) {
        dpn_twofold x[MOST];
        dpn_int128 b[MOST];
        size_t m = 1 + (size_t)i % MOST;
        double radius = ldexp(1.5 + 0.5 * uniform(&source), i % 68 - 40), squares = 0;
        for (size_t j = 0; j < m; j++) {
            double size = radius * ldexp(uniform(&source), i / 7 % 40 - 20);
            x[j] = i % 11 == 10 && j > 0 ? dpn_two(0) : dpn_two_sum(size, 0x1p-54 * size * uniform(&source));
            squares += x[j].hi * x[j].hi;
        }
        bool forced = i % 3 == 0, on = dpn_sphere_place(b, x, m, radius, forced);
        on_sphere += on;
        if (forced || sqrt(squares) > 1.001 * radius) assert_true(on);
        if (!forced && sqrt(squares) < 0.999 * radius && radius > 0x1p-30) assert_false(on);
        most = fmax(most, steps_off(b, x, m, radius, on));
    }
    printf("# points are off by %.6f steps, %zu on the sphere\n", most, on_sphere);
    assert_true(most < 0.5 + 0x1p-20);
    assert_true(on_sphere > 5000 && on_sphere < 19000);
    dpn_int128 none[2] = {1, 1};
    const dpn_twofold nothing[2] = {{0, 0}, {0, 0}};
    assert_false(dpn_sphere_place(none, nothing, 2, 1, true));
    assert_true(none[0] == 0 && none[1] == 0);
}

/* g + l b is orthogonal to b for the multiplier, to far below one rounding of g. */
static void test_pull(void **state) {
    (void)state;
    draw_source source = {4};
    for (int i = 0; i < 2000; i++) {
        dpn_twofold g[MOST], x[MOST];
        dpn_int128 b[MOST];
        size_t m = 2 + (size_t)i % (MOST - 1);
        double size = ldexp(1, i % 60 - 20);
        for (size_t j = 0; j < m; j++) x[j] = dpn_two(uniform(&source));
        dpn_sphere_place(b, x, m, 2, true);
        for (size_t j = 0; j < m; j++)
            g[j] = dpn_two(-size * ldexp((double)b[j], -DPN_POINT_LOG) + 0x1p-30 * size * uniform(&source));
        dpn_twofold pull = dpn_sphere_pull(g, b, m);
        mpfr_t sum, at, part;
        mpfr_inits2(BITS, sum, at, part, (mpfr_ptr)0);
        mpfr_set_zero(sum, 1);
        for (size_t j = 0; j < m; j++) {
            set_point(at, b[j]);
            mpfr_mul_d(part, at, pull.hi, MPFR_RNDN);
            mpfr_add_d(part, part, g[j].hi, MPFR_RNDN);
            mpfr_fma(sum, part, at, sum, MPFR_RNDN);
            mpfr_mul_d(part, at, pull.lo, MPFR_RNDN);
            mpfr_fma(sum, part, at, sum, MPFR_RNDN);
        }
        assert_true(fabs(mpfr_get_d(sum, MPFR_RNDN)) < 0x1p-75 * size);
        mpfr_clears(sum, at, part, (mpfr_ptr)0);
        for (size_t j = 0; j < m; j++) g[j] = dpn_two_negate(g[j]);
        assert_true(dpn_sphere_pull(g, b, m).hi == 0); /* nothing holds what is drawn inwards */
    }
}

/* ---- Sums of squares and of logistic losses, in long double ---- */

typedef struct table {
    size_t m, rows;
    bool linear, misled;
    double z[200][MOST], y[200];
    size_t calls;
} table;

static long double slope(const table *of, const long double *b, size_t r, long double *second) {
    long double t = 0;
    for (size_t j = 0; j < of->m; j++) t += b[j] * of->z[r][j];
    long double p = 1 / (1 + expl(-t));
    *second = of->linear ? 1 : p * (1 - p);
    return of->linear ? t - of->y[r] : p - (of->y[r] > 0);
}

static void gradient_of(long double *out, const table *of, const long double *b) {
    for (size_t j = 0; j < of->m; j++) out[j] = 0;
    for (size_t r = 0; r < of->rows; r++) {
        long double second, e = slope(of, b, r, &second);
        for (size_t j = 0; j < of->m; j++) out[j] += e * of->z[r][j];
    }
}

static dpn_status differentiate(double *high, double *low, double *hessian, void *context, const dpn_int128 *b,
                                dpn_error *why) {
    table *of = context;
    long double at[MOST] = {0}, g[MOST];
    (void)why;
    of->calls++;
    for (size_t j = 0; j < of->m; j++) at[j] = ldexpl((long double)b[j], -DPN_POINT_LOG);
    gradient_of(g, of, at);
    for (size_t j = 0; j < of->m; j++) {
        high[j] = (double)g[j];
        low[j] = (double)(g[j] - high[j]);
    }
    if (!hessian) return DPN_OK;
    memset(hessian, 0, of->m * of->m * sizeof *hessian);
    for (size_t r = 0; r < of->rows; r++) {
        long double second;
        slope(of, at, r, &second);
        for (size_t k = 0; k < of->m * of->m; k++)
            hessian[k] += (of->misled ? -100 : 1) * (double)second * of->z[r][k / of->m] * of->z[r][k % of->m];
    }
    return DPN_OK;
}

typedef struct problem {
    table data;
    double weight[MOST], l1[MOST];
    int64_t v[MOST];
    dpn_minimum_problem of;
} problem;

static void begin(problem *p, bool linear, double radius, double l1, double gamma, double noise, size_t rows,
                  uint64_t seed) {
    draw_source source = {seed};
    *p = (problem){.data = {.m = 2 + seed % 5, .rows = rows, .linear = linear}};
    size_t m = p->data.m;
    for (size_t r = 0; r < rows; r++) {
        for (size_t j = 0; j < m; j++) p->data.z[r][j] = j == 0 ? 1 : uniform(&source);
        p->data.y[r] = uniform(&source) + p->data.z[r][1];
    }
    for (size_t j = 0; j < m; j++) {
        p->weight[j] = gamma * (1 + (double)(j % 2));
        p->l1[j] = j > 0 ? l1 : 0;
        p->v[j] = (int64_t)ldexp(noise * uniform(&source), 34);
    }
    p->of = (dpn_minimum_problem){
        .m = m,
        .sum = {differentiate, &p->data, (double)(rows * m), 1e-12, (double)rows * (2 + 3 * radius) * 3},
        .v = p->v,
        .v_exponent = -34,
        .weight = p->weight,
        .l1 = p->l1,
        .box = (dpn_int128)1 << (28 + DPN_POINT_LOG),
        .radius = radius,
        .eta = DPN_PERTURBED_BALL_ETA};
    assert_true(dpn_minimum_least_eta(&p->of) <= p->of.eta);
}

/* The length of the shortest subgradient at the point of the ball that b stands for, and *held whether that is on the sphere. */
static double shortest(const problem *p, const dpn_int128 *b, bool *held) {
    size_t m = p->of.m;
    long double at[MOST] = {0}, g[MOST], squares = 0, along = 0, left = 0;
    for (size_t j = 0; j < m; j++) {
        at[j] = ldexpl((long double)b[j], -DPN_POINT_LOG);
        squares += at[j] * at[j];
    }
    long double length = sqrtl(squares);
    assert_true(length <= p->of.radius * (1 + 0x1p-58L));
    *held = length >= p->of.radius * (1 - 0x1p-58L);
    for (size_t j = 0; j < m && *held; j++) at[j] *= p->of.radius / length;
    gradient_of(g, &p->data, at);
    for (size_t j = 0; j < m; j++) {
        g[j] += ldexpl((long double)p->v[j], -34) + p->weight[j] * at[j];
        g[j] += at[j] > 0 ? p->l1[j] : at[j] < 0 ? -p->l1[j] : 0;
        along += g[j] * at[j];
    }
    long double pull = *held && along < 0 ? -along / (length * length) : 0;
    for (size_t j = 0; j < m; j++) {
        long double r = g[j] + pull * at[j];
        if (at[j] == 0) r = fmaxl(fabsl(g[j]) - p->l1[j], 0);
        left += r * r;
    }
    return (double)sqrtl(left);
}

static void test_optimal(void **state) {
    (void)state;
    static const double radius[] = {0x1p-6, 0.4, 3, 1000}, l1[] = {0, 1, 20}, gamma[] = {0.03, 1, 300},
                        noise[] = {0, 5, 3000, 1e8};
    size_t most = 0, held = 0, problems = 4 * 3 * 3 * 4 * 2;
    for (size_t i = 0; i < problems; i++) {
        problem p;
        dpn_int128 b[MOST] = {0};
        size_t k = i / 2;
        bool on;
        begin(&p, i % 2, radius[k % 4], l1[k / 4 % 3], gamma[k / 12 % 3], noise[k / 36 % 4], i % 5 ? 200 : i % 7, i);
        assert_int_equal(dpn_minimum_find(b, &p.of, NULL), DPN_OK);
        double left = shortest(&p, b, &on);
        if (!(left <= p.of.eta)) fail_msg("problem %zu: a subgradient of %g", i, left);
        held += on;
        most = p.data.calls > most ? p.data.calls : most;
    }
    printf("# at most %zu looks at the rows, %zu of %zu on the sphere\n", most, held, problems);
    assert_true(most < 200);
    assert_true(held > problems / 4 && held < problems);
}

/* Proximal descent alone, where the Hessian is told wrongly. */
static void test_descent(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 12; i++) {
        problem p;
        dpn_int128 b[MOST] = {0};
        bool on;
        begin(&p, i % 2, i % 3 ? 0.1 : 0.7, i % 4 < 2 ? 0 : 2, 10, 1, 20, i);
        p.data.misled = true;
        assert_int_equal(dpn_minimum_find(b, &p.of, NULL), DPN_OK);
        assert_true(shortest(&p, b, &on) <= p.of.eta);
    }
}

/* ---- A second solver: the multiplier by halving, in multiple precision ---- */

/* Solve (A + (w + l) I) b = -c by elimination; returns |b|. */
static double solve_with(double *b, const problem *p, mpfr_t l, mpfr_t length) {
    size_t m = p->of.m;
    static mpfr_t a[MOST][MOST + 1];
    static bool made;
    mpfr_t part;
    mpfr_init2(part, BITS);
    for (size_t i = 0; i < MOST && !made; i++)
        for (size_t j = 0; j <= MOST; j++) mpfr_init2(a[i][j], BITS);
    made = true;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j <= m; j++) mpfr_set_zero(a[i][j], 1);
        for (size_t r = 0; r < p->data.rows; r++)
            for (size_t j = 0; j <= m; j++) {
                mpfr_set_d(part, p->data.z[r][i], MPFR_RNDN);
                mpfr_mul_d(part, part, j < m ? p->data.z[r][j] : p->data.y[r], MPFR_RNDN);
                mpfr_add(a[i][j], a[i][j], part, MPFR_RNDN);
            }
        mpfr_add_d(a[i][i], a[i][i], p->weight[i], MPFR_RNDN);
        mpfr_add(a[i][i], a[i][i], l, MPFR_RNDN);
        mpfr_set_si_2exp(part, (long)p->v[i], -34, MPFR_RNDN);
        mpfr_sub(a[i][m], a[i][m], part, MPFR_RNDN);
    }
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < m; k++) {
            if (k == i) continue;
            mpfr_div(part, a[k][i], a[i][i], MPFR_RNDN);
            for (size_t j = i; j <= m; j++)
                mpfr_fms(a[k][j], part, a[i][j], a[k][j], MPFR_RNDN), mpfr_neg(a[k][j], a[k][j], MPFR_RNDN);
        }
    mpfr_set_zero(length, 1);
    for (size_t i = 0; i < m; i++) {
        mpfr_div(part, a[i][m], a[i][i], MPFR_RNDN);
        b[i] = mpfr_get_d(part, MPFR_RNDN);
        mpfr_fma(length, part, part, length, MPFR_RNDN);
    }
    mpfr_sqrt(length, length, MPFR_RNDN);
    mpfr_clear(part);
    return mpfr_get_d(length, MPFR_RNDN);
}

/* The minimum of the squares in the ball. */
static bool solve_by_halving(double *b, const problem *p) {
    mpfr_t low, high, middle, length;
    mpfr_inits2(BITS, low, high, middle, length, (mpfr_ptr)0);
    mpfr_set_zero(low, 1);
    mpfr_set_d(high, 1e9, MPFR_RNDN);
    bool held = solve_with(b, p, low, length) > p->of.radius;
    for (int i = 0; i < 130 && held; i++) {
        mpfr_add(middle, low, high, MPFR_RNDN);
        mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
        solve_with(b, p, middle, length);
        mpfr_set(mpfr_cmp_d(length, p->of.radius) > 0 ? low : high, middle, MPFR_RNDN);
    }
    mpfr_clears(low, high, middle, length, (mpfr_ptr)0);
    return held;
}

static void test_second_solver(void **state) {
    (void)state;
    double most = 0;
    size_t held = 0;
    for (uint64_t i = 0; i < 12; i++) {
        problem p;
        dpn_int128 found[MOST] = {0};
        double b[MOST], squares = 0;
        begin(&p, true, i % 3 ? 0.3 : 0.9, 0, i % 2 ? 0.5 : 20, (double)(i % 4 * 10), 20, i);
        held += solve_by_halving(b, &p);
        assert_int_equal(dpn_minimum_find(found, &p.of, NULL), DPN_OK);
        for (size_t j = 0; j < p.of.m; j++) squares += pow(dpn_point_value(found[j]) - b[j], 2);
        most = fmax(most, sqrt(squares) * p.weight[0] / p.of.eta);
    }
    printf("# %.3f of the distance that is certified, %zu of 12 on the sphere\n", most, held);
    assert_true(most <= 1 + 1e-6);
    assert_true(held > 2 && held < 12);
    mpfr_free_cache();
}

/* ---- Sizes ---- */

/* The largest problems that fits accept, in the smallest ball and in large ones, for both losses: 2^27 rows, 100 coefficients. */
static void test_least_eta(void **state) {
    (void)state;
    double weight[100];
    for (size_t j = 0; j < 100; j++) weight[j] = 0x1p30 + 1e6;
    const int64_t v[100] = {0};
    static const double radius[] = {0x1p-6, 1, 0x1p13};
    for (size_t i = 0; i < 6; i++) {
        bool linear = i % 2;
        dpn_minimum_problem p = {.m = 100, .v = v, .v_exponent = -34, .weight = weight, .radius = radius[i / 2]};
        p.sum.curvature = 0x1p27 * (linear ? 100 : 25);
        p.sum.error = 0x1p27 * 10 * 0x1p-58;
        p.sum.longest = 0x1p27 * 10 * (linear ? 1 + 10 * p.radius : 1);
        assert_true(dpn_minimum_least_eta(&p) <= 0.6 * DPN_PERTURBED_BALL_ETA);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points),        cmocka_unit_test(test_pull),
                                       cmocka_unit_test(test_optimal),       cmocka_unit_test(test_descent),
                                       cmocka_unit_test(test_second_solver), cmocka_unit_test(test_least_eta)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
