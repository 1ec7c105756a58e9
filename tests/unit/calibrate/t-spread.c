/* Noise of its own for each coordinate against a search by brute force: coordinate descent over the logarithms of all scales
 * and shapes, each look scaled to the boundary by the composition's certified delta. */
#include "settings.h"

#include "unit/points.h"

#include <dpnoise/calibrate.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 3 };

typedef struct brute {
    const char *family;
    double epsilon, delta;
    size_t dimension;
    double bound[MOST];
    double x[2 * MOST]; /* logarithms: of the scales, then of the shapes */
    double common;      /* added to those of the scales, at the boundary */
    dpn_workspace *workspace;
} brute;

static bool shaped(const brute *b) {
    return !strcmp(b->family, "osgt");
}

static double log_delta(const brute *b, double common, double *error) {
    dpn_part part[MOST];
    dpn_delta delta;
    *error = 0;
    for (size_t i = 0; i < b->dimension; i++) {
        double scale = exp(b->x[i] + common), parameter[2] = {scale, 0};
        if (shaped(b)) {
            parameter[0] = scale * exp(b->x[MOST + i]);
            parameter[1] = scale;
        }
        dpn_law law;
        part[i].times = 1;
        assert_int_equal(dpn_law_make(&law, b->family, parameter, shaped(b) ? 2 : 1, NULL), DPN_OK);
        assert_int_equal(dpn_loss_law(&part[i].loss, &law, b->bound[i], NULL), DPN_OK);
        *error += dpn_law_variance(&law);
    }
    dpn_accounting_options options = {.size = sizeof(dpn_accounting_options), .accuracy = 2e-4};
    if (dpn_compose_delta(&delta, b->workspace, part, b->dimension, b->epsilon, &options, NULL)) return INFINITY;
    return delta.log_upper;
}

/* The mean squared error at the boundary; +inf where the composition refuses. */
static double error_at_boundary(brute *b) {
    double low = b->common, high = b->common, error, target = log(b->delta),
           at_low = log_delta(b, low, &error) - target;
    double at_high = at_low;
    for (double step = 0.02; !(at_low > 0); step *= 2) at_low = log_delta(b, low -= step, &error) - target;
    for (double step = 0.02; !(at_high <= 0); step *= 2) {
        at_high = log_delta(b, high += step, &error) - target;
        if (high > b->common + 5) return INFINITY;
    }
    for (int round = 0; high - low > 3e-6 && round < 40; round++) {
        double x = isfinite(at_low) && isfinite(at_high) ? low + (high - low) * at_low / (at_low - at_high) : low;
        if (!(x > low && x < high) || round % 3 == 2) x = 0.5 * (low + high);
        double at = log_delta(b, x, &error) - target;
        *(at > 0 ? &low : &high) = x;
        *(at > 0 ? &at_low : &at_high) = at;
    }
    log_delta(b, high, &error);
    b->common = high;
    return error;
}

static double golden(brute *b, size_t at, double middle, double width) {
    const double ratio = 0.6180339887498949;
    double low = middle - width, high = middle + width, best = middle, least = INFINITY;
    double x = high - ratio * (high - low), y = low + ratio * (high - low), value[2];
    for (int look = 0; look < 9; look++) {
        if (look < 2) value[look] = (b->x[at] = look ? y : x, error_at_boundary(b));
        if (value[look > 0] < least) least = value[look > 0], best = b->x[at];
        if (look == 0) continue;
        bool left = value[0] <= value[1];
        if (left) {
            high = y, y = x, value[1] = value[0];
            b->x[at] = x = high - ratio * (high - low);
        } else {
            low = x, x = y, value[0] = value[1];
            b->x[at] = y = low + ratio * (high - low);
        }
        value[!left] = error_at_boundary(b);
        if (value[!left] < least) least = value[!left], best = b->x[at];
    }
    b->x[at] = best;
    return error_at_boundary(b);
}

static double descend(brute *b, int rounds) {
    double error = error_at_boundary(b), width = 0.6;
    for (int round = 0; round < rounds; round++, width *= 0.6)
        for (size_t i = 1; i < (shaped(b) ? 2 : 1) * b->dimension; i++) {
            size_t at = i < b->dimension ? i : MOST + i - b->dimension;
            brute saved = *b;
            double lower = golden(b, at, b->x[at], width);
            if (lower < error)
                error = lower;
            else
                *b = saved;
        }
    return error;
}

/* From INID's powers for Laplace noise, and from those of Gaussian noise. */
static double by_brute_force(brute *b, int rounds) {
    double least = INFINITY;
    for (int start = 0; start < 2; start++) {
        for (size_t i = 0; i < b->dimension; i++) {
            b->x[i] = log(b->bound[i]) / (start ? 2 : 3);
            b->x[MOST + i] = start ? -1 : 2;
        }
        b->common = log(2 * (double)b->dimension / b->epsilon);
        least = fmin(least, descend(b, rounds));
    }
    return least;
}

static void check(const char *family, double epsilon, double delta, size_t dimension, const double *bound, int rounds,
                  dpn_workspace *workspace) {
    brute b = {.family = family, .epsilon = epsilon, .delta = delta, .dimension = dimension, .workspace = workspace};
    memcpy(b.bound, bound, dimension * sizeof *bound);
    dpn_sensitivity set = {.dimension = dimension, .bound = bound};
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, family, epsilon, delta, &set, NULL, &why)) fail_msg("%s: %s", family, why.sentence);
    double least = by_brute_force(&b, rounds);
    if (getenv("DPN_SPREAD"))
        print_message("# %-8s (%g, %g) %g %g %g: %.6g, brute force %.6g, ratio %.5f\n", family, epsilon, delta,
                      bound[0], bound[1], dimension > 2 ? bound[2] : 0, plan.mse, least, plan.mse / least);
    if (!(plan.mse <= least * (1 + 1e-3)))
        fail_msg("%s (%g, %g), %g %g: %.10g, brute force finds %.10g", family, epsilon, delta, bound[0], bound[1],
                 plan.mse, least);
    dpn_plan_free(&plan);
}

static void brute_force_finds_nothing_better(void **state) {
    (void)state;
    static const char *const families[] = {"logistic", "laplace", "osgt"};
    bool thorough = points_are_many();
    uint64_t seed = 8;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (int i = 0; i < (thorough ? 12 : 3); i++) {
        double bound[MOST] = {1, exp(3 * uniform(&seed)), exp(4 * uniform(&seed) - 2)};
        double epsilon = exp(log(0.2) + log(15) * uniform(&seed)), delta = pow(10, -1.5 - 6 * uniform(&seed));
        check(families[i % 3], epsilon, delta, 2 + (size_t)(i / 3 % 2), bound, thorough ? 4 : 2, workspace);
    }
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(brute_force_finds_nothing_better)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
