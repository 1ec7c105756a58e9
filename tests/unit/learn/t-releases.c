/* What a fit guarantees, derived by a stranger: from the text of its releases alone, through the engine, for every method, kind and relation. */
#include "base/text/json.h"
#include "unit/learn/data.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- The reader ---- */

typedef struct release {
    dpn_plan plan;
    dpn_sensitivity set;
    double elsewhere, delta_times, sample_rate, present;
    size_t alternative;
} release;

static double number(const dpn_json *json, const dpn_json_value *object, const char *name, double otherwise) {
    bool twice = false;
    const dpn_json_value *value = dpn_json_member(json, object, name, &twice);
    assert_false(twice);
    if (value) assert_int_equal(dpn_json_number(&otherwise, json, value, NULL), DPN_OK);
    return otherwise;
}

static release read_release(const dpn_json *json, const dpn_json_value *object) {
    release out = {.elsewhere = number(json, object, "elsewhere", 0),
                   .delta_times = number(json, object, "delta_times", 1),
                   .sample_rate = number(json, object, "sample_rate", 1),
                   .present = number(json, object, "present", 0),
                   .alternative = (size_t)number(json, object, "alternative", 0)};
    dpn_error why;
    if (dpn_plan_read(&out.plan, json->text + object->start, object->length, &why)) fail_msg("%s", why.sentence);
    if (dpn_plan_sensitivity(&out.set, &out.plan, &why)) fail_msg("%s", why.sentence);
    assert_true(out.plan.times >= 1);
    assert_true(number(json, object, "numbers", 0) == (double)out.plan.dimension);
    return out;
}

/* delta of all draws of a release at epsilon. */
static double delta_of(const release *of, double epsilon) {
    dpn_delta delta;
    dpn_error why;
    if (of->sample_rate == 1) {
        if (dpn_plan_delta(&delta, NULL, NULL, &of->plan, &of->set, of->plan.times, epsilon, NULL, &why))
            fail_msg("%s", why.sentence);
        return delta.upper;
    }
    dpn_training training = dpn_training_init();
    dpn_workspace *workspace;
    training.sensitivity = of->set.l2;
    training.rate = of->sample_rate;
    training.steps = of->plan.times;
    training.vector = true;
    training.relation = of->plan.relation;
    training.present = of->present;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    if (dpn_training_delta(&delta, NULL, &of->plan.block[0].law, epsilon, &training, workspace, &why))
        fail_msg("%s", why.sentence);
    dpn_workspace_free(workspace);
    return delta.upper;
}

/* The epsilon of all draws of a release that is pure; infinite otherwise. */
static double pure_epsilon(const release *of) {
    dpn_epsilon epsilon;
    dpn_error why;
    if (of->sample_rate < 1) return INFINITY;
    if (dpn_plan_epsilon(&epsilon, NULL, NULL, &of->plan, &of->set, of->plan.times, 0, NULL, &why)) return INFINITY;
    return epsilon.upper;
}

/* One block says of itself what is derived. */
static void check_block(const dpn_json *json, const dpn_json_value *object, const release *of, double derived,
                        const char *name) {
    bool twice = false;
    const dpn_json_value *plan = dpn_json_member(json, object, "plan", &twice);
    if (of->plan.blocks != 1 || of->set.l1 > 0 || of->set.l2 > 0 || of->set.vertices > 0) return;
    double said = number(json, dpn_json_first(plan), "epsilon", NAN) * (double)of->plan.times;
    if (!(fabs(said - derived) <= 1e-9 * derived))
        fail_msg("%s: a block says %.12g, %.12g is derived", name, said, derived);
}

typedef struct whole {
    double pure; /* the sum of pure epsilons */
    release impure;
    bool has_impure;
    size_t ways; /* of which this is one; 0: there is no choice */
} whole;

/* What is released if one of several ways is taken. */
static whole derive(const char *text, size_t way, const char *name) {
    dpn_json json;
    whole out = {0};
    assert_int_equal(dpn_json_read(&json, text, strlen(text), NULL), DPN_OK);
    const dpn_json_value *list = &json.value[0], *object = dpn_json_first(list);
    assert_true(list->count >= 1);
    for (size_t i = 0; i < list->count; i++, object = dpn_json_next(&json, object)) {
        release one = read_release(&json, object);
        out.ways = one.alternative > out.ways ? one.alternative : out.ways;
        if (one.alternative != 0 && one.alternative != way) {
            dpn_plan_free(&one.plan);
            continue;
        }
        double epsilon = pure_epsilon(&one);
        out.pure += one.elsewhere;
        if (isfinite(epsilon)) {
            out.pure += epsilon;
            check_block(&json, object, &one, epsilon, name);
            dpn_plan_free(&one.plan);
        } else {
            assert_false(out.has_impure);
            out.has_impure = true;
            out.impure = one;
        }
    }
    dpn_json_free(&json);
    return out;
}

/* What was announced holds, and is no more than a little too much: a text that says less noise or a larger set fails one, one that says more the other. */
static void check_way(const whole *found, double epsilon, double delta, const char *name) {
    if (!found->has_impure) {
        if (!(found->pure <= epsilon * (1 + 1e-9) && found->pure >= epsilon * (1 - 1e-4)))
            fail_msg("%s: epsilon %.12g is derived, %g was announced", name, found->pure, epsilon);
        return;
    }
    double times = found->impure.delta_times, left = epsilon - found->pure;
    double has = times * delta_of(&found->impure, left), near = times * delta_of(&found->impure, 0.97 * left);
    if (!(has <= delta * (1 + 1e-9) && near > delta))
        fail_msg("%s: delta %g is derived, %g at a smaller epsilon; %g was announced", name, has, near, delta);
}

/* Each way has it. Returns how many there are. */
static size_t check_whole(const char *text, double epsilon, double delta, const char *name) {
    size_t way = 1, ways = 0;
    do {
        whole found = derive(text, way, name);
        check_way(&found, epsilon, delta, name);
        if (found.has_impure) dpn_plan_free(&found.impure.plan);
        ways = found.ways;
    } while (way++ < ways);
    return ways;
}

/* ---- Every method ---- */

static const char *delta_for(const char *method) {
    static const char *const with[] = {"adassp", "objective-gaussian", "sgd", "cd", "gd"};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (strcmp(method, with[i]) == 0) return "0.00001";
    return NULL;
}

/* Settings that a method cannot do without. */
static dpn_fit_options options_for(const char *method, dpn_fit_kind kind) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = method;
    options.kind = kind;
    options.rows = 1000;
    bool minimises = strncmp(method, "objective", 9) == 0 || strcmp(method, "output") == 0;
    if (minimises && kind == DPN_FIT_LINEAR) options.within = 2;
    if (strcmp(method, "output") == 0) options.l2 = 0.1;
    if (strcmp(method, "cd") == 0 || strcmp(method, "gd") == 0) options.passes = 3;
    if (strcmp(method, "sgd") == 0) options.passes = 1;
    return options;
}

static size_t check_planned(const dpn_fit_options *options, const char *delta, dpn_relation relation,
                            const char *missing) {
    enum { FEATURES = 2 };
    char name[100], *text;
    dpn_declaration declared = data_declared(FEATURES, options->kind, "0.7", delta);
    declared.relation = relation;
    if (missing) assert_int_equal(dpn_declare_missing(&declared, missing, NULL), DPN_OK);
    dpn_fit *fit = data_planned(options, &declared);
    snprintf(name, sizeof name, "%s, %s, %s", options->method, dpn_fit_kind_name(options->kind),
             dpn_relation_name(relation));
    size_t length;
    assert_int_equal(dpn_fit_releases_write(&text, &length, fit, NULL), DPN_OK);
    assert_int_equal(length, strlen(text));
    size_t ways = check_whole(text, 0.7, delta ? strtod(delta, NULL) : 0, name);
    free(text);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return ways;
}

static void check_fit(const dpn_fit_options *options, const char *delta, dpn_relation relation) {
    assert_int_equal(check_planned(options, delta, relation, NULL), 0);
}

static void test_every_method(void **state) {
    (void)state;
    size_t checked = 0;
    for (size_t m = 0; dpn_fit_method_name(m); m++)
        for (int kind = DPN_FIT_LINEAR; kind <= DPN_FIT_QUANTILE; kind++) {
            const char *method = dpn_fit_method_name(m);
            dpn_fit_options options = options_for(method, (dpn_fit_kind)kind);
            dpn_fit *can;
            if (strcmp(method, "non-private") == 0 || dpn_fit_new(&can, &options, NULL)) continue;
            dpn_fit_free(can);
            check_fit(&options, delta_for(method), DPN_ADD_REMOVE);
            check_fit(&options, delta_for(method), DPN_REPLACE);
            checked++;
        }
    assert_true(checked >= 20);
}

/* The private choice of a setting is one release. */
static void test_chosen(void **state) {
    (void)state;
    dpn_fit_options options = options_for("moments", DPN_FIT_LINEAR);
    options.tune = true;
    check_fit(&options, NULL, DPN_ADD_REMOVE);
}

/* Where the number of rows decides, every way is announced and has the guarantee, with the noisy number if that is not public. */
static void test_ways(void **state) {
    (void)state;
    dpn_fit_options options = options_for("auto", DPN_FIT_LINEAR);
    options.rows = 0;
    for (int penalised = 0; penalised < 2; penalised++) {
        options.l2 = penalised ? 0.01 : 0;
        assert_int_equal(check_planned(&options, NULL, DPN_ADD_REMOVE, NULL), 9);
        assert_int_equal(check_planned(&options, NULL, DPN_REPLACE, NULL), 9);
        assert_int_equal(check_planned(&options, NULL, DPN_REPLACE, "value:0"), 9);
        assert_int_equal(check_planned(&options, "0.00001", DPN_ADD_REMOVE, NULL), 8);
        assert_int_equal(check_planned(&options, "0.00001", DPN_REPLACE, NULL), 8);
        assert_int_equal(check_planned(&options, "0.00001", DPN_REPLACE, "value:0"), 8);
    }
}

/* A model says what its plan said. */
static void test_model(void **state) {
    (void)state;
    static const char *const methods[] = {"two-step", "auto"};
    for (size_t i = 0; i < 2; i++) {
        dpn_fit_options options = options_for(methods[i], DPN_FIT_LINEAR);
        options.rows = 0;
        dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "1", NULL);
        double *value = data_linear(100, 3);
        dpn_model *model = data_fitted(&options, &declared, value, 100, 4);
        assert_int_equal(check_whole(model->releases, 1, 0, "the model"), i == 0 ? 0 : 9);
        dpn_model_free(model);
        dpn_declaration_free(&declared);
        free(value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_method), cmocka_unit_test(test_chosen),
                                       cmocka_unit_test(test_ways), cmocka_unit_test(test_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
