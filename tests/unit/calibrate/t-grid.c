/* No shape of a dense grid has noise that is private and better than what calibration found, by more than 1e-4.
 *
 * delta falls as the scale grows, so one look is enough for each shape: at the scale where the error is less than the one
 * found by 1e-4. If calibration is right the composition of that noise, computed anew, exceeds delta.
 */
#include "settings.h"

#include "unit/points.h"

#include <dpnoise/calibrate.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct family {
    const char *name;
    double from, to; /* of the shape */
} families[] = {
    {"flipped-huber", 0.01, 50}, {"osgt", 0.005, 2000},      {"huber", 0.02, 20},
    {"subbotin", 1.001, 30},     {"staircase", 1e-3, 0.999}, {"truncated-laplace", 1e-2, 1e3},
};
enum { FAMILIES = sizeof families / sizeof *families };

static dpn_law law_of(const char *family, double shape, double scale) {
    double parameter[3] = {shape * scale, scale, 0};
    size_t count = 2;
    if (!strcmp(family, "subbotin")) {
        parameter[0] = shape;
    } else if (!strcmp(family, "staircase")) {
        parameter[0] = 1 / scale;
        parameter[1] = 1;
        parameter[2] = shape;
        count = 3;
    } else if (!strcmp(family, "truncated-laplace")) {
        parameter[0] = scale;
        parameter[1] = shape * scale;
    }
    dpn_law law;
    dpn_error why;
    if (dpn_law_make(&law, family, parameter, count, &why))
        fail_msg("%s %g %g: %s", family, shape, scale, why.sentence);
    return law;
}

/* The law of a shape with this error, by bisection. */
static dpn_law law_with_error(const char *family, double shape, double error, dpn_objective objective) {
    double low = log(strcmp(family, "staircase") ? 1e-4 : 1.0 / 299), high = log(1e9); /* staircase takes up to 300 */
    while (high - low > 1e-9) {
        dpn_law law = law_of(family, shape, exp(0.5 * (low + high)));
        *(error_of_law(&law, objective) < error ? &low : &high) = 0.5 * (low + high);
    }
    return law_of(family, shape, exp(high));
}

typedef struct search {
    const char *family;
    double epsilon, delta, found; /* error of one coordinate */
    size_t dimension;
    dpn_objective objective;
    dpn_workspace *workspace;
} search;

static void look_at(const search *s, double shape) {
    dpn_law law = law_with_error(s->family, shape, s->found * (1 - 1e-4), s->objective);
    dpn_part part = {.times = s->dimension};
    dpn_delta delta = {0};
    dpn_status status = dpn_loss_law(&part.loss, &law, 1, NULL);
    if (!status && s->dimension == 1) status = dpn_profile_delta(&delta, &law, 1, s->epsilon, NULL);
    for (double accuracy = 0.3; s->dimension > 1 && !status && accuracy > 3e-4; accuracy *= 0.06) {
        status = dpn_compose_delta(
            &delta, s->workspace, &part, 1, s->epsilon,
            &(dpn_accounting_options){.size = sizeof(dpn_accounting_options), .accuracy = accuracy}, NULL);
        if (!status && delta.lower > s->delta) return; /* most shapes are out of the question */
    }
    if (!status && delta.upper <= s->delta)
        fail_msg("%s, K = %zu, (%.17g, %.17g), %s: shape %.10g is better than %.10g", s->family, s->dimension,
                 s->epsilon, s->delta, dpn_objective_name(s->objective), shape, s->found);
}

static void search_grid(search *s, const struct family *family, int points) {
    dpn_sensitivity set = {.dimension = s->dimension, .linf = 1};
    dpn_calibration_options options = {
        .size = sizeof(dpn_calibration_options), .objective = s->objective, .workspace = s->workspace};
    dpn_plan plan;
    dpn_error why;
    s->family = family->name;
    if (dpn_calibrate(&plan, family->name, s->epsilon, s->delta, &set, &options, &why))
        fail_msg("%s, K = %zu, (%.17g, %.17g): %s", s->family, s->dimension, s->epsilon, s->delta, why.sentence);
    s->found = plan.error / (double)s->dimension;
    for (int i = 0; i < points; i++) look_at(s, family->from * pow(family->to / family->from, i / (points - 1.0)));
    const dpn_law *law = dpn_plan_law(&plan, 0);
    if (!strcmp(dpn_law_family(law), family->name)) { /* and closely around the shape that was found */
        double shape = shape_of_law(law);
        for (int i = 0; i < 8; i++) {
            double near = shape * (1 + (i % 2 ? -1 : 1) * pow(10, -4.5 + i / 2));
            if (near > family->from && near < family->to) look_at(s, near);
        }
    }
    dpn_plan_free(&plan);
}

/* Settings in which the shape matters, for each number of coordinates. */
static void no_shape_is_better(void **state) {
    (void)state;
    static const size_t dimensions[] = {1, 2, 3, 5, 10, 20};
    bool thorough = points_are_many();
    uint64_t seed = 20261116;
    search s = {0};
    assert_int_equal(dpn_workspace_new(&s.workspace), DPN_OK);
    for (size_t k = 0; k < sizeof dimensions / sizeof *dimensions; k++)
        for (int i = 0; i < (thorough ? 4 : k == 0 ? 3 : 1); i++)
            for (size_t f = 0; f < FAMILIES; f++) {
                s.dimension = dimensions[k];
                s.epsilon = exp(log(0.05) + log(100) * uniform(&seed));
                s.delta = pow(10, -2 - 8 * uniform(&seed));
                s.objective = i % 4 == 3 ? (dpn_objective)(1 + i / 4 % 2) : DPN_OBJECTIVE_MSE;
                if (f >= 4 && s.dimension > 1) continue; /* staircase and truncated-laplace: one coordinate */
                if (f == 0 && s.dimension == 2 && !thorough) continue; /* seconds; the corner below stands for it */
                search_grid(&s, &families[f], thorough ? 50 : s.dimension == 1 ? 100 : f == 3 ? 4 : 30);
            }
    dpn_workspace_free(s.workspace);
}

/* The corner of flipped Huber noise where the atoms and the tails bind at once: 4944.31 in the reference, which an earlier
 * search missed by 3e-4. */
static void the_corner_of_five_coordinates(void **state) {
    (void)state;
    search s = {.epsilon = 0.1, .delta = 1e-6, .dimension = 5};
    assert_int_equal(dpn_workspace_new(&s.workspace), DPN_OK);
    search_grid(&s, &families[0], 200);
    assert_true(s.found <= 4944.3126 * (1 + 1e-6));
    dpn_workspace_free(s.workspace);
}

/* Powers near 1, where noise is almost Laplace noise: 4e-4 better than that, and once given up as too long to certify. Shapes that
 * are given have an answer from any first guess. */
static void near_laplace_noise(void **state) {
    (void)state;
    search s = {.epsilon = 0.29672893210579809, .delta = 5.4705559259393027e-07, .dimension = 3};
    assert_int_equal(dpn_workspace_new(&s.workspace), DPN_OK);
    search_grid(&s, &families[3], 6);
    look_at(&s, 1.0011);
    assert_true(s.found <= 204.33957 * (1 + 1e-6));
    static const double shapes[] = {1.0006, 1.01};
    for (int i = 0; i < 2; i++) {
        dpn_sensitivity set = {.dimension = 3, .linf = 1};
        dpn_calibration_options options = {.size = sizeof(dpn_calibration_options),
                                           .shape_min = shapes[i],
                                           .shape_max = shapes[i],
                                           .workspace = s.workspace};
        dpn_plan plan;
        dpn_error why;
        if (dpn_calibrate(&plan, "subbotin", s.epsilon, s.delta, &set, &options, &why))
            fail_msg("p = %g: %s", shapes[i], why.sentence);
        assert_true(plan.delta.upper <= s.delta && plan.delta.lower > 0.999 * s.delta);
        dpn_plan_free(&plan);
    }
    dpn_workspace_free(s.workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_shape_is_better),
        cmocka_unit_test(the_corner_of_five_coordinates),
        cmocka_unit_test(near_laplace_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
