/* Training runs as text: written and read back, refused where they are not understood, and charged as their steps. */
#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char whole[] =
    "{\"training\": [{\"law\": \"gaussian(sigma=1.1)\", \"sensitivity\": 1, \"sample_rate\": 0.01, \"steps\": 1000}, "
    "{\"law\": \"laplace(scale=3)\", \"sensitivity\": 0.3, \"sample_rate\": 0.1, \"steps\": 7}], "
    "\"relation\": \"add-remove\", \"unit\": \"person\"}";

static void test_round_trip(void **state) {
    (void)state;
    dpn_training_plan plan;
    char *text;
    size_t length;
    assert_int_equal(dpn_training_plan_read(&plan, whole, strlen(whole), NULL), DPN_OK);
    assert_int_equal(plan.phases, 2);
    assert_true(plan.phase[0].steps == 1000 && plan.phase[0].rate == 0.01 && plan.phase[0].sensitivity == 1);
    assert_true(plan.phase[1].steps == 7 && plan.phase[1].rate == 0.1 && plan.phase[1].sensitivity == 0.3);
    assert_string_equal(dpn_law_family(&plan.phase[1].law), "laplace");
    assert_int_equal(plan.unit, DPN_PERSON);
    assert_int_equal(dpn_training_plan_write(&text, &length, &plan, NULL), DPN_OK);
    assert_string_equal(text, whole);
    assert_int_equal(length, strlen(whole));
    free(text);
    dpn_training_plan_free(&plan);
    dpn_training_plan_free(&plan);
    dpn_training_plan_free(NULL);
}

/* A plan of noise alone is not a training run, and a training run none: whoever took it for one would forget the steps. */
static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text;
        dpn_status status;
    } bad[] = {
        {"[]", DPN_EPARSE},
        {"{\"training\": []}", DPN_EPARSE},
        {"{\"training\": [1]}", DPN_EPARSE},
        {"{\"plan\": []}", DPN_EPARSE},
        {"{\"training\": [{\"law\": \"gaussian(sigma=1)\", \"sensitivity\": 1, \"sample_rate\": 0.1}]}", DPN_EPARSE},
        {"{\"training\": [{\"law\": \"gaussian(sigma=1)\", \"sensitivity\": 1, \"sample_rate\": 2, \"steps\": 1}]}",
         DPN_EDOMAIN},
        {"{\"training\": [{\"law\": \"gaussian(sigma=1)\", \"sensitivity\": 0, \"sample_rate\": 1, \"steps\": 1}]}",
         DPN_EDOMAIN},
        {"{\"training\": [{\"law\": \"gaussian(sigma=1)\", \"sensitivity\": 1, \"sample_rate\": 0, \"steps\": 1}]}",
         DPN_EDOMAIN},
        {"{\"training\": [{\"law\": \"gaussian(sigma=1)\", \"sensitivity\": 1, \"sample_rate\": 1, \"steps\": 0}]}",
         DPN_EDOMAIN},
        {"{\"training\": [{\"law\": \"gaussian(sigma=1)\", \"sensitivity\": 1, \"sample_rate\": 1, \"steps\": 1.5}]}",
         DPN_EDOMAIN},
        {"{\"training\": [{\"law\": \"gauss(sigma=1)\", \"sensitivity\": 1, \"sample_rate\": 1, \"steps\": 1}]}",
         DPN_EPARSE},
        {"{\"training\": [{\"law\": \"gaussian(sigma=1)\", \"sensitivity\": 1, \"sample_rate\": 1, \"steps\": 1, "
         "\"batch\": 3}]}",
         DPN_EPARSE},
        {"{\"training\": [{\"law\": \"gaussian(sigma=1)\", \"sensitivity\": 1, \"sample_rate\": 1, \"steps\": 1}], "
         "\"relation\": \"replace\"}",
         DPN_EUNSUPPORTED},
    };
    dpn_training_plan plan;
    dpn_plan noise;
    dpn_error why;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (dpn_training_plan_read(&plan, bad[i].text, strlen(bad[i].text), &why) != bad[i].status)
            fail_msg("%s: %s", bad[i].text, why.sentence);
    assert_int_equal(dpn_plan_read(&noise, whole, strlen(whole), NULL), DPN_EPARSE);
}

/* The charge is that of the sum of the phases, each with its own steps and rate. */
static void test_charge(void **state) {
    (void)state;
    dpn_training_plan plan;
    dpn_decimal epsilon, delta;
    dpn_filter *filter;
    dpn_workspace *workspace;
    dpn_charge both, one[2];
    assert_int_equal(dpn_training_plan_read(&plan, whole, strlen(whole), NULL), DPN_OK);
    assert_int_equal(dpn_decimal_parse(&epsilon, "8", NULL), DPN_OK);
    assert_int_equal(dpn_decimal_parse(&delta, "1e-5", NULL), DPN_OK);
    assert_int_equal(dpn_filter_new_default(&filter, &epsilon, &delta, NULL), DPN_OK);
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_training_plan_charge(&both, &plan, filter, NULL, workspace, NULL), DPN_OK);
    for (size_t i = 0; i < 2; i++) {
        dpn_training_plan phase = {.phase = &plan.phase[i], .phases = 1};
        assert_int_equal(dpn_training_plan_charge(&one[i], &phase, filter, NULL, workspace, NULL), DPN_OK);
    }
    assert_true(!both.pure && !one[0].pure && one[1].pure);
    for (size_t k = 0; k < dpn_filter_plan_of(filter).orders; k++) {
        double sum = one[0].divergence[k] + one[1].divergence[k];
        assert_true(one[1].divergence[k] > 0 && both.divergence[k] >= sum * (1 - 1e-12));
        assert_true(both.divergence[k] <= sum + 1e-3);
    }
    plan.relation = DPN_REPLACE;
    assert_int_equal(dpn_training_plan_charge(&both, &plan, filter, NULL, workspace, NULL), DPN_EUNSUPPORTED);
    dpn_workspace_free(workspace);
    dpn_filter_free(filter);
    dpn_training_plan_free(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_charge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
