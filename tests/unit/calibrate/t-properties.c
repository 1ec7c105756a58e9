/* What must hold for every calibration, over random guarantees, sets, weights and objectives: certified, computed a second
 * way from parts built here; on the boundary; monotone; equivariant; never worse than what it includes. */
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

enum { MOST = 30, FEW = 4 };

typedef struct setting {
    char name[160]; /* to tell it apart */
    double epsilon, delta;
    const char *family;
    dpn_sensitivity set;
    dpn_calibration_options options;
    double bound[MOST], weight[MOST];
} setting;

static size_t below(uint64_t *seed, size_t n) {
    return (size_t)(uniform(seed) * (double)n);
}

/* A box of few different sides, some of them 0, or a cube of which only some sides move at once. */
static void random_set(setting *s, uint64_t *seed, bool integer, bool cube) {
    double side[FEW];
    s->set = (dpn_sensitivity){.dimension = 1 + below(seed, 3) * below(seed, 11) + below(seed, 9)};
    for (int i = 0; i < FEW; i++) side[i] = integer ? (double)(1 + below(seed, 5)) : exp(3 * uniform(seed) - 1.5);
    size_t kind = below(seed, cube ? 2 : 3);
    if (kind == 0) {
        s->set.linf = side[0];
    } else if (kind == 1) {
        s->set.linf = side[0];
        s->set.max_changed = 1 + below(seed, s->set.dimension);
    } else {
        s->set.bound = s->bound;
        for (size_t i = 0; i < s->set.dimension; i++) s->bound[i] = below(seed, 8) ? side[below(seed, FEW)] : 0;
        s->bound[0] = side[0];
    }
}

static setting *random_setting(setting *s, uint64_t *seed, const char *const *families, size_t count) {
    unsigned long long first = *seed;
    *s = (setting){.family = families[below(seed, count)], .options = dpn_calibration_options_init()};
    bool alone = !strcmp(s->family, "staircase") || !strcmp(s->family, "truncated-laplace");
    /* Wide discrete Gaussian noise of different sigmas takes the accountant a second for each look. */
    random_set(s, seed, !strncmp(s->family, "discrete-", 9), !strcmp(s->family, "discrete-gaussian"));
    if (alone) s->set = (dpn_sensitivity){.dimension = 1, .linf = 1};
    s->epsilon = exp(log(0.05) + log(100) * uniform(seed));
    s->delta = pow(10, -1 - 8 * uniform(seed));
    s->options.objective = (dpn_objective)(below(seed, 2) * below(seed, 3));
    if (below(seed, 3) == 0) {
        for (size_t i = 0; i < s->set.dimension; i++) s->weight[i] = (double)(1 + below(seed, 3));
        s->options.weight = s->weight;
    }
    snprintf(s->name, sizeof s->name, "%s (%.6g, %.6g) K = %zu, %s%s, %s, seed %llu", s->family, s->epsilon, s->delta,
             s->set.dimension,
             s->set.bound         ? "box"
             : s->set.max_changed ? "max-changed"
                                  : "cube",
             s->options.weight ? " weighted" : "", dpn_objective_name(s->options.objective), first);
    return s;
}

static dpn_plan plan_of(const setting *s) {
    dpn_plan plan;
    dpn_error why;
    if (dpn_calibrate(&plan, s->family, s->epsilon, s->delta, &s->set, &s->options, &why) != DPN_OK)
        fail_msg("%s: %s", s->name, why.sentence);
    if (!(plan.delta.upper <= s->delta)) fail_msg("%s: delta %.17g", s->name, plan.delta.upper);
    return plan;
}

static double error_of(const setting *s) {
    dpn_plan plan = plan_of(s);
    double error = plan.error;
    dpn_plan_free(&plan);
    return error;
}

/* ---- certified ---- */

/* delta of the plan's laws at the worst move of the set, from parts built here: all sides of a box, or max_changed sides
 * of a cube, whose coordinates have one law. narrow < 1 makes the noise narrower. */
static dpn_delta delta_by_parts(const setting *s, const dpn_plan *plan, double narrow) {
    dpn_part part[MOST];
    size_t parts = 0, moving = s->set.max_changed ? s->set.max_changed : s->set.dimension;
    dpn_error why;
    for (size_t i = 0; i < moving; i++) {
        double side = s->set.bound ? s->set.bound[i] : s->set.linf, parameter[DPN_LAW_PARAMETERS] = {0};
        if (side == 0) continue;
        dpn_law law = *dpn_plan_law(plan, i);
        for (size_t f = 0; dpn_family_name(f) && narrow < 1; f++) {
            if (strcmp(dpn_family_name(f), dpn_law_family(&law)) != 0) continue;
            size_t count = 0;
            for (const char *name; count < DPN_LAW_PARAMETERS && (name = dpn_family_parameter(f, count)); count++)
                parameter[count] = dpn_law_parameter(&law, name) * (strcmp(name, "p") ? narrow : 1);
            assert_int_equal(dpn_law_make(&law, dpn_family_name(f), parameter, count, NULL), DPN_OK);
            break;
        }
        part[parts].times = 1;
        assert_int_equal(dpn_loss_law(&part[parts++].loss, &law, side, NULL), DPN_OK);
    }
    dpn_delta delta;
    dpn_status status = dpn_compose_delta(&delta, s->options.workspace, part, parts, s->epsilon, NULL, &why);
    if (status == DPN_EACCURACY)
        status = dpn_compose_delta(&delta, s->options.workspace, part, parts, s->epsilon,
                                   &(dpn_accounting_options){.size = sizeof(dpn_accounting_options), .accuracy = 1e-3},
                                   &why);
    if (status) fail_msg("%s: %s", s->name, why.sentence);
    return delta;
}

static void check_certificate(const setting *s, const dpn_plan *plan) {
    dpn_delta again, parts = delta_by_parts(s, plan, 1);
    dpn_error why;
    dpn_status status =
        dpn_plan_delta(&again, NULL, s->options.workspace, plan, &s->set, 1, s->epsilon,
                       &(dpn_accounting_options){.size = sizeof(dpn_accounting_options), .accuracy = 1e-3}, &why);
    if (status) fail_msg("%s: %s", s->name, why.sentence);
    /* An interval computed in another way may end a little higher, but not begin above delta. */
    if (!(parts.lower <= s->delta && parts.upper <= s->delta * (1 + 2e-3)))
        fail_msg("%s: delta of the parts is %.17g to %.17g", s->name, parts.lower, parts.upper);
    if (!(again.lower <= s->delta && again.upper <= s->delta * (1 + 2e-3)))
        fail_msg("%s: delta of the plan is %.17g to %.17g", s->name, again.lower, again.upper);
}

/* Where the interval is narrow the same noise narrower by 1e-6 is not private. */
static void check_boundary(const setting *s, const dpn_plan *plan) {
    if (plan->integer || !strcmp(s->family, "staircase") || plan->delta.upper > plan->delta.lower * (1 + 1e-6)) return;
    dpn_delta narrower = delta_by_parts(s, plan, 1 - 1e-6);
    if (!(narrower.upper > s->delta)) fail_msg("%s: a narrower plan has delta %.17g", s->name, narrower.upper);
}

/* ---- compared with other settings ---- */

static void check_monotone(const setting *s, double error) {
    double slack = s->set.dimension > 1 ? 1e-4 : 1e-7, bound[MOST];
    setting other = *s;
    other.epsilon *= 1.1;
    double more_epsilon = error_of(&other);
    if (!(more_epsilon <= error * (1 + slack))) fail_msg("%s: %.10g, more epsilon %.10g", s->name, error, more_epsilon);
    other.epsilon = s->epsilon;
    other.delta *= 2;
    double more_delta = error_of(&other);
    if (!(more_delta <= error * (1 + slack))) fail_msg("%s: %.10g, more delta %.10g", s->name, error, more_delta);
    other.delta = s->delta;
    other.set.linf *= 2;
    for (size_t i = 0; s->set.bound && i < s->set.dimension; i++) bound[i] = 2 * s->set.bound[i];
    if (s->set.bound) other.set.bound = bound;
    double wider = error_of(&other), power = s->options.objective == DPN_OBJECTIVE_MSE ? 2 : 1;
    if (!(wider > error)) fail_msg("%s: %.10g, at twice the sensitivity %.10g", s->name, error, wider);
    if (strncmp(s->family, "discrete-", 9) != 0 && fabs(wider / error / pow(2, power) - 1) > slack)
        fail_msg("%s: %.10g, scaled %.10g", s->name, error, wider);
}

/* Noise for each coordinate, against common noise and INID's closed forms. */
static void check_spread(const setting *s, double error) {
    if (!s->set.bound) return;
    setting same = *s;
    same.options.identical = true;
    double identical = error_of(&same);
    if (!(error <= identical * (1 + 1e-6))) fail_msg("%s: %.10g, identical %.10g", s->name, error, identical);
    if (s->options.objective != DPN_OBJECTIVE_MSE) return;
    double root = 0, cubes = 0;
    for (size_t i = 0; i < s->set.dimension; i++) {
        double w = s->options.weight ? s->options.weight[i] : 1;
        root += s->bound[i] * sqrt(w);
        cubes += cbrt(s->bound[i] * s->bound[i] * w);
    }
    if (!strcmp(s->family, "gaussian")) { /* INID Theorem 5 */
        setting one = *s;
        one.set = (dpn_sensitivity){.dimension = 1, .linf = 1};
        one.options.weight = NULL;
        double theorem = root * root * error_of(&one);
        if (fabs(error / theorem - 1) > 1e-9) fail_msg("%s: %.10g, Theorem 5 %.10g", s->name, error, theorem);
    }
    if (!strcmp(s->family, "laplace")) { /* INID Theorem 8, which is pure */
        double theorem = 2 * pow(cubes, 3) / (s->epsilon * s->epsilon);
        if (!(error <= theorem * (1 + 1e-9))) fail_msg("%s: %.10g, Theorem 8 %.10g", s->name, error, theorem);
    }
}

/* Coordinates that cannot move get no noise, and only they. */
static void check_silence(const setting *s, const dpn_plan *plan) {
    for (size_t i = 0; i < s->set.dimension; i++) {
        bool still = s->set.bound && s->set.bound[i] == 0;
        if ((plan->variance[i] == 0) != still || (dpn_plan_law(plan, i) == NULL) != still)
            fail_msg("%s: coordinate %zu has the variance %g", s->name, i, plan->variance[i]);
    }
}

static void every_calibration(void **state) {
    (void)state;
    static const char *const families[] = {
        "gaussian",          "laplace",          "logistic",      "osgt",  "staircase", "truncated-laplace",
        "discrete-gaussian", "discrete-laplace", "flipped-huber", "huber", "subbotin"};
    bool thorough = points_are_many();
    const char *only = getenv("DPN_SEED"); /* of a failure, to look at it alone */
    uint64_t seed = only ? strtoull(only, NULL, 10) : 11;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (int i = 0; i < (only ? 1 : thorough ? 36 : 24); i++) {
        setting s;
        random_setting(&s, &seed, families, thorough ? 11 : 8);
        s.options.workspace = workspace;
        dpn_plan plan = plan_of(&s);
        check_certificate(&s, &plan);
        check_boundary(&s, &plan);
        check_silence(&s, &plan);
        check_spread(&s, plan.error);
        check_monotone(&s, plan.error);
        dpn_plan_free(&plan);
    }
    dpn_workspace_free(workspace);
}

/* ---- comparisons ---- */

static double row_error(const dpn_comparison *c, const char *family) {
    for (size_t i = 0; i < c->plans; i++)
        if (!strcmp(c->row[i].family, family)) return c->row[i].plan.error;
    return INFINITY;
}

static double alone_error(const setting *s, const char *family) {
    dpn_plan plan;
    if (dpn_calibrate(&plan, family, s->epsilon, s->delta, &s->set, &s->options, NULL)) return INFINITY;
    double error = plan.error;
    dpn_plan_free(&plan);
    return error;
}

static void check_limit(const setting *s, const char *const pair[2], double inner, double outer) {
    if (isfinite(outer) && !(inner <= outer * (1 + 1e-6)))
        fail_msg("%s: %s %.10g, %s %.10g", s->name, pair[0], inner, pair[1], outer);
}

/* The rows ascend; a family is never worse than its limits and its members, whose rows are computed on their own. */
static void no_family_is_worse_than_its_limits(void **state) {
    (void)state;
    static const char *const limits[][2] = {{"flipped-huber", "gaussian"},
                                            {"flipped-huber", "laplace"},
                                            {"osgt", "gaussian"},
                                            {"osgt", "laplace"},
                                            {"huber", "gaussian"},
                                            {"huber", "laplace"},
                                            {"subbotin", "gaussian"},
                                            {"subbotin", "laplace"},
                                            {"truncated-laplace", "laplace"},
                                            {"discrete-flipped-huber", "discrete-laplace"},
                                            {"discrete-osgt", "discrete-gaussian"},
                                            {"discrete-flipped-huber", "discrete-gaussian"},
                                            {"discrete-osgt", "discrete-laplace"}};
    enum { PAIRS = sizeof limits / sizeof *limits };
    static const char *const any[] = {"gaussian"};
    uint64_t seed = 3;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    for (int i = 0; i < (points_are_many() ? 5 : 2); i++) {
        setting s;
        dpn_comparison c;
        dpn_error why;
        random_setting(&s, &seed, any, 1);
        if (i == 0) s.set = (dpn_sensitivity){.dimension = 20, .linf = 1};
        if (i == 1) s.set = (dpn_sensitivity){.dimension = 1, .linf = 1};
        s.options.workspace = workspace;
        if (s.set.bound && s.set.dimension > 4) { /* 17 sides of four lengths: a random box takes three minutes */
            for (size_t j = 0; j < PAIRS; j++)
                check_limit(&s, limits[j], alone_error(&s, limits[j][0]), alone_error(&s, limits[j][1]));
            continue;
        }
        if (dpn_compare(&c, s.epsilon, s.delta, &s.set, &s.options, &why)) fail_msg("%s: %s", s.name, why.sentence);
        for (size_t r = 1; r < c.plans; r++) assert_true(c.row[r - 1].plan.error <= c.row[r].plan.error);
        for (size_t j = 0; j < PAIRS; j++)
            check_limit(&s, limits[j], row_error(&c, limits[j][0]), row_error(&c, limits[j][1]));
        dpn_comparison_free(&c);
    }
    dpn_workspace_free(workspace);
}

/* ---- many coordinates ---- */

/* Few different sensitivities among a million coordinates: as the same sensitivities on few coordinates many times. */
static void a_million_coordinates_of_three_kinds(void **state) {
    (void)state;
    enum { MANY = 1000000 };
    double *bound = malloc(MANY * sizeof *bound);
    assert_non_null(bound);
    for (size_t i = 0; i < MANY; i++) bound[i] = i % 10 == 0 ? 3 : i % 2 ? 1 : 0;
    setting s = {.name = "a million",
                 .epsilon = 1,
                 .delta = 1e-6,
                 .set = {.dimension = MANY, .bound = bound},
                 .options = dpn_calibration_options_init()};
    static const char *const families[] = {"gaussian", "laplace", "osgt"};
    for (int f = 0; f < 3; f++) {
        s.family = families[f];
        dpn_plan plan = plan_of(&s);
        assert_int_equal(plan.blocks, 3);
        assert_true(plan.variance[2] == 0 && dpn_plan_law(&plan, 2) == NULL);
        assert_true(plan.variance[0] > plan.variance[1] && plan.variance[1] > 0);
        dpn_plan_free(&plan);
    }
    free(bound);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_calibration),
        cmocka_unit_test(no_family_is_worse_than_its_limits),
        cmocka_unit_test(a_million_coordinates_of_three_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
