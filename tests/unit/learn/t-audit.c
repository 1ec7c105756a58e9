/* Whole fits of neighbouring tables against what is claimed: every private method keeps its guarantee and is seen to break a smaller one, so
 * that the audit has power against each. Seeds are fixed; a right program fails with a probability below 1e-6 over all of them. */
#include "unit/learn/data.h"
#include "unit/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The fewest that an audit takes walk through all of the code, but have no power. */
enum { SAMPLES = 2500, FEWEST = 1000 };

static dpn_audit audited(const dpn_fit_options *fit, const dpn_declaration *declared, double claim, uint64_t samples) {
    dpn_audit_fit_options options = dpn_audit_fit_options_init();
    dpn_audit out;
    dpn_error why;
    seeded random;
    seeded_begin(&random, 11);
    options.fit = fit;
    options.declaration = declared;
    options.samples = samples;
    options.confidence = 1 - 1e-8;
    options.claimed = claim > 0;
    options.epsilon = claim;
    if (dpn_audit_fit(&out, &options, &random.rng, &why)) fail_msg("%s: %s", fit->method, why.sentence);
    return out;
}

/* Noise that needs a delta gets one. */
static const char *delta_for(const char *method) {
    bool needs =
        strcmp(method, "objective-gaussian") == 0 || strcmp(method, "adassp") == 0 || strcmp(method, "sgd") == 0;
    return needs ? "0.001" : NULL;
}

/* The claim stands, and one of 0.05 would be refuted. */
static void expect_honest(const dpn_fit_options *fit, size_t features, dpn_relation relation) {
    const char *delta = delta_for(fit->method);
    dpn_declaration declared = data_declared(features, fit->kind, "2", delta);
    declared.relation = relation;
    dpn_audit found = audited(fit, &declared, 0, points_are_few() ? FEWEST : SAMPLES);
    printf("# %s %s %s: epsilon is at least %.4g, claimed 2\n", fit->method, dpn_fit_kind_name(fit->kind),
           dpn_relation_name(relation), found.at.epsilon_lower);
    assert_true(found.pass);
    /* Gaussian noise at this delta hides a row well: its small losses are rare. */
    assert_true(points_are_few() || found.at.epsilon_lower > (delta ? 0.001 : 0.05));
    dpn_declaration_free(&declared);
}

/* A method may refuse the fit, and a fit that is refused tells nothing. */
static bool serves(const dpn_fit_options *options) {
    dpn_fit *fit = NULL;
    dpn_error why;
    dpn_declaration declared = data_declared(1, options->kind, "2", delta_for(options->method));
    bool can = strcmp(options->method, "non-private") != 0 && !dpn_fit_new(&fit, options, NULL);
    if (can && dpn_fit_plan(fit, &declared, &why)) {
        printf("# %s %s: %s\n", options->method, dpn_fit_kind_name(options->kind), why.sentence);
        can = false;
    }
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return can;
}

/* Methods that come later are tried too. "auto" is one of the others. */
static void test_every_method(void **state) {
    (void)state;
    for (size_t i = 0; dpn_fit_method_name(i); i++)
        for (unsigned kind = DPN_FIT_LINEAR; kind <= DPN_FIT_QUANTILE; kind++) {
            dpn_fit_options options = dpn_fit_options_init();
            options.method = dpn_fit_method_name(i);
            options.kind = (dpn_fit_kind)kind;
            options.no_intercept = true;
            options.passes = dpn_fit_method_takes(options.method, "passes");
            options.points = dpn_fit_method_takes(options.method, "points") ? 9 : 0;
            options.blocks = dpn_fit_method_takes(options.method, "blocks");
            options.sample_rate = dpn_fit_method_takes(options.method, "sample_rate") ? 0.9 : 0;
            if (strcmp(options.method, "sgd") == 0) { /* as many as there are, and a clip that rows reach */
                options.rows = 7;
                options.clip = 0.4;
            }
            options.within = dpn_fit_method_takes(options.method, "within"); /* some need it */
            if (strcmp(options.method, "kng") == 0) options.within = 4;      /* so far that losses reach their clip */
            if (strcmp(options.method, "aggregate") == 0) options.within = 0.1;
            if (strcmp(options.method, "output") == 0) { /* a penalty that leaves gradients near what they are at 0 */
                options.l2 = 100;
                options.rows = 1;
                options.within = 0.1;
            }
            if (strcmp(options.method, "auto") == 0 || !serves(&options)) continue;
            expect_honest(&options, 1, DPN_ADD_REMOVE);
        }
}

static void test_replaced_and_many(void **state) {
    (void)state;
    static const char *const methods[] = {"moments", "two-step", "cd"};
    for (size_t i = 0; i < 3; i++) {
        dpn_fit_options options = dpn_fit_options_init();
        options.method = methods[i];
        options.passes = dpn_fit_method_takes(options.method, "passes");
        expect_honest(&options, 1, DPN_REPLACE);
    }
}

/* Two coefficients in a ball that the rows reach the end of. */
static void test_in_a_ball(void **state) {
    (void)state;
    static const char *const methods[] = {"objective", "output"};
    for (size_t i = 0; i < 3; i++) {
        dpn_fit_options options = dpn_fit_options_init();
        options.method = methods[i % 2];
        options.kind = i < 2 ? DPN_FIT_LINEAR : DPN_FIT_LOGISTIC;
        options.no_intercept = true;
        options.within = 0.3;
        options.within_l2 = true;
        if (i % 2 == 1) {
            options.l2 = 30;
            options.rows = 1;
        }
        expect_honest(&options, 2, DPN_ADD_REMOVE);
    }
}

/* The same fits against a claim that they do not keep. */
static void test_refutes(void **state) {
    (void)state;
    dpn_fit_options options = dpn_fit_options_init();
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, "4", NULL);
    options.method = "moments";
    options.no_intercept = true;
    dpn_audit found = audited(&options, &declared, 2, SAMPLES);
    assert_false(found.pass);
    assert_true(found.at.epsilon_lower > 2);
    dpn_declaration_free(&declared);
}

static void test_refused(void **state) {
    (void)state;
    dpn_fit_options fit = dpn_fit_options_init();
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, "1", NULL);
    dpn_audit_fit_options options = dpn_audit_fit_options_init();
    dpn_audit out;
    seeded random;
    seeded_begin(&random, 1);
    options.declaration = &declared;
    options.samples = 1000;
    assert_int_equal(dpn_audit_fit(&out, &options, &random.rng, NULL), DPN_EDOMAIN);
    options.fit = &fit;
    options.samples = 10;
    assert_int_equal(dpn_audit_fit(&out, &options, &random.rng, NULL), DPN_EDOMAIN);
    options.samples = 1000;
    fit.method = "non-private";
    assert_int_equal(dpn_audit_fit(&out, &options, &random.rng, NULL), DPN_EUNSUPPORTED);
    fit.method = "moments";
    assert_int_equal(dpn_declare_where(&declared, "x1>0", NULL), DPN_OK);
    assert_int_equal(dpn_audit_fit(&out, &options, &random.rng, NULL), DPN_EUNSUPPORTED);
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method), cmocka_unit_test(test_replaced_and_many), cmocka_unit_test(test_in_a_ball),
        cmocka_unit_test(test_refutes),      cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
