/* compare on random sensitivities with a delta: the best row is never above what is known without it, from formulas that share nothing with the searches.
 *
 * - One box, pure: sum of lambda^2 (K + 1)(K + 2)/(3 epsilon^2).
 * - Blocks of boxes, pure, over all partitions: blocks of the cost c share epsilon in proportion to c^(1/3), which gives (sum c^(1/3))^3/epsilon^2.
 * - Independent Laplace noise, pure: blocks of one coordinate each.
 * - Independent Gaussian noise: (sum of lambda)^2 sigma^2, sigma that of one answer of sensitivity 1, by halving its profile in closed form.
 *
 * And every row is certified again, by the profile of its plan alone. A long run tries 100 vectors; that of every day a few, with the families that are quick alone.
 */
#include "reference/draw.h"
#include "unit/points.h"

#include <dpnoise/plan.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 5, QUICK = 7 };

/* The least over all partitions of the coordinates from `at` on, blocks so far having these sums and sizes. */
static double least_blocks(const double *lambda, size_t count, size_t at, double *sum, size_t *size, size_t blocks) {
    if (at == count) {
        double roots = 0;
        for (size_t b = 0; b < blocks; b++) {
            double m = (double)size[b];
            roots += cbrt(sum[b] * (m + 1) * (m + 2) / 3);
        }
        return roots * roots * roots;
    }
    double least = INFINITY;
    for (size_t b = 0; b <= blocks; b++) {
        if (b == blocks) sum[b] = 0, size[b] = 0;
        sum[b] += lambda[at] * lambda[at];
        size[b]++;
        least = fmin(least, least_blocks(lambda, count, at + 1, sum, size, b == blocks ? blocks + 1 : blocks));
        sum[b] -= lambda[at] * lambda[at];
        size[b]--;
    }
    return least;
}

static double normal_above(double x) {
    return 0.5 * erfc(x / sqrt(2));
}

/* delta = Q(epsilon sigma - 1/2 sigma) - e^epsilon Q(epsilon sigma + 1/2 sigma). */
static double gaussian_variance(double epsilon, double delta) {
    double low = 1e-3, high = 1e4;
    for (int i = 0; i < 200; i++) {
        double s = sqrt(low * high),
               found = normal_above(epsilon * s - 0.5 / s) - exp(epsilon) * normal_above(epsilon * s + 0.5 / s);
        *(found > delta ? &low : &high) = s;
    }
    return high * high;
}

/* What compare ranks, for every tenth vector of a long run, because it takes 10 seconds and more; else the families that take a moment each. The best first. */
static void fill(dpn_comparison *out, dpn_comparison_row row[], double epsilon, double delta,
                 const dpn_sensitivity *set, int number) {
    static const char *const quick[] = {"gaussian",  "laplace",         "k-norm",   "blocks",
                                        "start-box", "start-staircase", "spherical"};
    dpn_error why;
    if (points_are_many() && number % 10 == 0) {
        if (dpn_compare(out, epsilon, delta, set, NULL, &why)) fail_msg("vector %d: %s", number, why.sentence);
        assert_true(out->plans >= 8);
        return;
    }
    *out = (dpn_comparison){.row = row, .rows = QUICK, .plans = QUICK};
    for (int i = 0; i < QUICK; i++) {
        row[i] = (dpn_comparison_row){.family = quick[i]};
        if (dpn_calibrate(&row[i].plan, quick[i], epsilon, delta, set, NULL, &why))
            fail_msg("vector %d, %s: %s", number, quick[i], why.sentence);
        for (int j = i; j > 0 && row[j].plan.error < row[j - 1].plan.error; j--) {
            dpn_comparison_row other = row[j];
            row[j] = row[j - 1];
            row[j - 1] = other;
        }
    }
}

static void expect_certified(const dpn_comparison_row *row, const dpn_sensitivity *set, double epsilon, double delta,
                             int number) {
    dpn_workspace *workspace;
    dpn_delta again;
    dpn_error why;
    assert_int_equal(row->status, DPN_OK);
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    if (dpn_plan_delta(&again, NULL, workspace, &row->plan, set, 1, epsilon, NULL, &why))
        fail_msg("vector %d, %s: %s", number, row->family, why.sentence);
    dpn_workspace_free(workspace);
    if (!(again.upper <= delta * (1 + 1e-6)))
        fail_msg("vector %d, %s: delta %.10g, not %.10g", number, row->family, again.upper, delta);
}

static void compare_one(draw_source *source, int number) {
    size_t count = 2 + (size_t)draw_bits(source) % (MOST - 1), size[MOST + 1];
    double lambda[MOST], sum[MOST + 1], squares = 0, total = 0, epsilon = draw_log_uniform(source, 0.2, 3),
                                        delta = draw_log_uniform(source, 1e-8, 1e-2);
    for (size_t i = 0; i < count; i++) {
        lambda[i] = draw_log_uniform(source, 0.05, 5);
        squares += lambda[i] * lambda[i];
        total += lambda[i];
    }
    dpn_sensitivity set = {.dimension = count, .bound = lambda};
    dpn_comparison all;
    dpn_comparison_row room[QUICK];
    fill(&all, room, epsilon, delta, &set, number);
    double k = (double)count, squared = epsilon * epsilon, best = all.row[0].plan.mse;
    const struct {
        const char *what;
        double mse;
    } known[] = {{"the box", squares * (k + 1) * (k + 2) / (3 * squared)},
                 {"blocks", least_blocks(lambda, count, 0, sum, size, 0) / squared},
                 {"gaussian noise", total * total * gaussian_variance(epsilon, delta)}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!(best <= known[i].mse * (1 + 1e-6)))
            fail_msg("vector %d: the best, %s, has %.10g, and %s %.10g", number, all.row[0].family, best, known[i].what,
                     known[i].mse);
    for (size_t i = 0; i < all.plans; i++) {
        if (i > 0) assert_true(all.row[i].plan.error >= all.row[i - 1].plan.error);
        if (i == 0 || points_are_many()) expect_certified(&all.row[i], &set, epsilon, delta, number);
    }
    if (all.row != room) {
        dpn_comparison_free(&all);
        return;
    }
    for (int i = 0; i < QUICK; i++) dpn_plan_free(&room[i].plan);
}

static void the_best_is_never_above(void **state) {
    (void)state;
    draw_source source = {190};
    for (int i = 0; i < points(4, 100); i++) compare_one(&source, i);
}

/* The formulas, at what the page of choices and the papers have. */
static void formulas(void **state) {
    (void)state;
    const double pair[] = {1, 0.3}, five[] = {1, 1, 1, 1, 1};
    double sum[MOST + 1];
    size_t size[MOST + 1];
    assert_true(fabs(least_blocks(pair, 2, 0, sum, size, 0) - 4.36) < 1e-12);
    assert_true(fabs(least_blocks(five, 5, 0, sum, size, 0) - 70) < 1e-10);
    assert_true(fabs(sqrt(gaussian_variance(1, 1e-6)) - 4.22468) < 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(formulas), cmocka_unit_test(the_best_is_never_above)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
