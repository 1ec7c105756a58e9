/* How much noise descent needs by its three accountings, over random settings; the paper's rule from its formulas; every family of noise;
 * and what is declared instead of bought: where to begin, the smoothness, the same noise for all. */
#include "unit/learn/data.h"
#include "unit/points.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Exact, zcdp, paper ---- */

typedef struct setting {
    dpn_fit_options options;
    size_t features;
    double smoothness[DATA_WIDTH];
    char epsilon[32], delta[32];
    dpn_relation relation;
} setting;

static uint64_t pick(draw_source *source, uint64_t count) {
    return draw_bits(source) % count;
}

static void random_setting(setting *out, draw_source *source, const char *noise) {
    *out = (setting){.options = dpn_fit_options_init()};
    dpn_fit_options *options = &out->options;
    options->method = pick(source, 2) ? "cd" : "gd";
    options->kind = pick(source, 2) ? DPN_FIT_LINEAR : DPN_FIT_LOGISTIC;
    options->noise = noise;
    options->passes = 1 + pick(source, 12);
    options->clip = exp(draw_uniform(source, -4, 3));
    options->no_intercept = pick(source, 2);
    options->rows = pick(source, 2) ? 1000 : 0;
    out->features = 1 + (size_t)pick(source, DATA_FEATURES);
    out->relation = pick(source, 2) ? DPN_REPLACE : DPN_ADD_REMOVE;
    options->smoothnesses = out->features + !options->no_intercept;
    if (pick(source, 2)) options->smoothness = out->smoothness;
    for (size_t i = 0; i < DATA_WIDTH; i++) out->smoothness[i] = 0.25 * exp(draw_uniform(source, -6, 0));
    snprintf(out->epsilon, sizeof out->epsilon, "%.6f", exp(draw_uniform(source, -2.5, 2)));
    snprintf(out->delta, sizeof out->delta, "%.3e", exp(draw_uniform(source, -23, -7)));
}

/* The weighted sum of variances of all that is released, in the data's scale; and the largest variance in units of the paper's. */
static double error_of(setting *of, dpn_fit_accounting accounting) {
    of->options.accounting = accounting;
    dpn_declaration declared = data_declared(of->features, of->options.kind, of->epsilon, of->delta);
    declared.relation = of->relation;
    dpn_fit *fit = data_planned(&of->options, &declared);
    dpn_fit_release release = dpn_fit_release_at(fit, 0);
    double error = release.plan->error;
    assert_int_equal(release.times, 1);
    assert_true(release.plan->delta.upper <= strtod(of->delta, NULL));
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return error;
}

/* Clips are rounded to steps of 2^-18, in units that differ: 1e-4. */
static void expect_order(setting *of, double *least) {
    double exact = error_of(of, DPN_FIT_EXACT), zcdp = error_of(of, DPN_FIT_ZCDP), paper = error_of(of, DPN_FIT_PAPER);
    if (!(exact <= zcdp * (1 + 1e-4) && zcdp <= paper * (1 + 1e-4)))
        fail_msg("%s, %s, %zu features, %llu passes, (%s, %s): exact %g, zcdp %g, paper %g", of->options.method,
                 of->options.noise, of->features, (unsigned long long)of->options.passes, of->epsilon, of->delta, exact,
                 zcdp, paper);
    *least = fmin(*least, exact / paper);
}

/* Noise other than Gaussian takes seconds to calibrate for many different bounds. */
static void make_quick(setting *of) {
    of->options.passes = 1 + of->options.passes % 3;
    of->options.rows = 1000;
    of->options.no_intercept = true;
    of->options.smoothness = of->smoothness;
    of->features = 1 + of->features % 2;
    of->options.smoothnesses = of->features;
}

static void test_order(void **state) {
    (void)state;
    static const struct {
        const char *noise;
        int quick, settings;
    } all[] = {{"gaussian", 100, 400}, {"flipped-huber", 2, 5}, {"laplace", 2, 8}, {"osgt", 2, 4}, {"logistic", 2, 8}};
    draw_source source = {2026};
    for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
        double least = 1;
        for (int i = 0; i < points(all[f].quick, all[f].settings); i++) {
            setting one;
            random_setting(&one, &source, all[f].noise);
            one.options.kind = i % 2 ? DPN_FIT_LOGISTIC : DPN_FIT_LINEAR; /* both losses with every family */
            if (f > 0 && !points_are_many()) make_quick(&one);
            expect_order(&one, &least);
        }
        printf("# %s: exact needs down to %.3f of the paper's variance\n", all[f].noise, least);
    }
}

/* ---- The paper's rule ---- */

/* The variance of flipped-huber(alpha, gamma), FH (11); x cosh x - sinh x and sinh x over omega cosh-free for large x. */
static double variance(double alpha, double gamma) {
    dpn_law law;
    const double parameter[] = {alpha, gamma};
    assert_int_equal(dpn_law_make(&law, "flipped-huber", parameter, 2, NULL), DPN_OK);
    return dpn_law_variance(&law);
}

/* xi on a grid of [0, epsilon), eta = (sqrt(l + epsilon - xi) - sqrt l)^2, alpha = R^-1(xi/eta), gamma = (n/2 eta)^(1/2) for n numbers of
 * bound 1: the least variance. */
static double paper_variance(double epsilon, double delta, double numbers) {
    double l = log(1 / delta), least = INFINITY;
    for (int i = 0; i < 2000; i++) {
        double xi = epsilon * i / 2000, root = sqrt(l + epsilon - xi) - sqrt(l), eta = root * root, nu = xi / eta;
        double alpha = nu < 1 ? sqrt(nu) : (nu + 1) / 2;
        least = fmin(least, variance(alpha, sqrt(numbers / (2 * eta))));
    }
    return least;
}

/* Unequal clips: every coordinate has the bound 1 in its unit, and alpha_i, gamma_i are in proportion to lambda_i. */
static void expect_paper(const char *epsilon, const char *delta, uint64_t passes) {
    const double smoothness[] = {0.9, 0.1, 0.4}, clip = 0.7;
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "cd";
    options.noise = "flipped-huber";
    options.accounting = DPN_FIT_PAPER;
    options.raw = true;
    options.passes = passes;
    options.clip = clip;
    options.rows = 100;
    options.smoothness = smoothness;
    options.smoothnesses = 3;
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, epsilon, delta);
    const double row[] = {0.5, 0.5, 0.5};
    dpn_model *model = data_fitted(&options, &declared, row, 1, 1);
    double want = sqrt(paper_variance(strtod(epsilon, NULL), strtod(delta, NULL), 3 * (double)passes));
    for (size_t i = 0; i < 3; i++) {
        double c = clip * sqrt(smoothness[i] / 1.4), lambda = c / 100;
        assert_true(fabs(dpn_model_detail(model, i, "sensitivity") / lambda - 1) < 1e-4);
        assert_true(fabs(dpn_model_detail(model, i, "clip") / c - 1) < 1e-4);
        assert_true(fabs(dpn_model_detail(model, i, "smoothness") - smoothness[i]) < 1e-12);
        assert_true(fabs(dpn_model_detail(model, i, "step") * smoothness[i] - 1) < 1e-12);
        double ratio = dpn_model_detail(model, i, "noise") / (lambda * want);
        if (!(ratio > 0.99 && ratio < 1 + 1e-3)) /* a grid does not find the optimum at its end */
            fail_msg("coefficient %zu: noise %g of the paper's", i, ratio);
    }
    assert_true(isnan(dpn_model_detail(model, 3, "noise")) && isnan(dpn_model_detail(model, 0, "colour")));
    dpn_model_free(model);
    dpn_declaration_free(&declared);
}

static void test_paper(void **state) {
    (void)state;
    expect_paper("1", "1e-8", 1); /* Laplace is the best there */
    expect_paper("1", "1e-4", 20);
    expect_paper("0.3", "1e-6", 5);
}

/* ---- Families ---- */

/* Noise of every family: the guarantee is derived again from the plan as the model tells it. */
static void expect_family(const char *noise) {
    const double smoothness = 0.3;
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "cd";
    options.noise = noise;
    options.passes = 2;
    options.no_intercept = true;
    options.rows = 50;
    options.smoothness = &smoothness;
    options.smoothnesses = 1;
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, "1", "1e-3");
    dpn_error why;
    dpn_plan plan;
    dpn_delta reached;
    double *value = data_linear(50, 3);
    dpn_model *model = data_fitted(&options, &declared, value, 100, 4);
    assert_true(isfinite(model->coefficient[0].value));
    const char *text = strstr(model->releases, "\"plan\": ") + strlen("\"plan\": "),
               *end = strstr(model->releases, ", \"detail\": ");
    if (dpn_plan_read(&plan, text, (size_t)(end - text), &why)) fail_msg("%s", why.sentence);
    dpn_sensitivity set = {.dimension = plan.dimension, .bound = plan.sensitivity};
    if (dpn_plan_delta(&reached, NULL, NULL, &plan, &set, 1, 1, NULL, &why)) fail_msg("%s: %s", noise, why.sentence);
    assert_true(reached.upper <= 1e-3);
    dpn_plan_free(&plan);
    dpn_model_free(model);
    free(value);
    dpn_declaration_free(&declared);
}

static void test_families(void **state) {
    (void)state;
    for (size_t i = 0; dpn_mechanism_name(i); i++) {
        const char *name = dpn_mechanism_name(i);
        if (strcmp(name, "random-box") == 0) continue; /* there is none for two answers */
        if (strcmp(name, "spherical") == 0)
            continue; /* joint noise that is not pure does not serve questions that follow each other */
        if (strcmp(name, "truncated-staircase") == 0 || strcmp(name, "discrete-staircase") == 0)
            continue; /* nor these */
        bool slow = strncmp(name, "discrete-", 9) == 0 && dpn_family_shape(name);
        if (!slow || points_are_many()) expect_family(name);
    }
}

/* ---- What is declared ---- */

static void test_declared(void **state) {
    (void)state;
    const double start[] = {0.25, -0.5, 0.125}, smoothness[] = {1, 0.3, 0.35};
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "cd";
    options.start = start;
    options.starts = 3;
    options.passes = 10;
    options.step = 1e-12;
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", "1e-6");
    const double row[] = {0.5, 0.5, 0.5};
    dpn_model *model = data_fitted(&options, &declared, row, 1, 1);
    for (size_t i = 0; i < 3; i++) assert_true(fabs(model->coefficient[i].value - start[i]) < 1e-6);
    dpn_model_free(model);
    /* Nothing is bought that is declared, and the noise is less. */
    dpn_fit *fit = data_planned(&options, &declared);
    double bought = dpn_fit_release_at(fit, 0).plan->error;
    assert_int_equal(dpn_fit_release_at(fit, 0).plan->dimension, 1 + 2 + 10 * 3);
    dpn_fit_free(fit);
    options.smoothness = smoothness;
    options.smoothnesses = 3;
    options.rows = 1;
    fit = data_planned(&options, &declared);
    assert_int_equal(dpn_fit_release_at(fit, 0).plan->dimension, 1 + 10 * 3);
    assert_true(dpn_fit_release_at(fit, 0).plan->error < bought);
    double own = dpn_fit_release_at(fit, 0).plan->error;
    dpn_fit_free(fit);
    /* The same noise for all is more of it. */
    options.identical = true;
    fit = data_planned(&options, &declared);
    const dpn_plan *plan = dpn_fit_release_at(fit, 0).plan;
    assert_true(plan->error > own * 1.01 && plan->variance[1] == plan->variance[3]);
    dpn_fit_free(fit);
    /* As many as there are coefficients, and within what columns in [-1, 1] can have. */
    options.smoothnesses = 2;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    options.smoothness = (const double[]){1, 1.5, 1};
    options.smoothnesses = 3;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    options.start = (const double[]){0, 0, 0, 0};
    options.starts = 4;
    options.smoothness = NULL;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EDOMAIN);
    dpn_fit_free(fit);
    options.start = (const double[]){0, NAN, 0};
    options.starts = 3;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_EDOMAIN);
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_paper),
                                       cmocka_unit_test(test_families), cmocka_unit_test(test_declared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
