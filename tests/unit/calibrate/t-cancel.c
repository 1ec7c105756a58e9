/* A search that is cancelled ends: at once, or at the k-th question for every k, with nothing written and nothing leaked; and
 * one that is not cancelled finds what it finds without being asked. */
#include <dpnoise/calibrate.h>
#include <dpnoise/statistics.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct patience {
    int asked, most;
};

static bool is_over(void *context) {
    struct patience *patience = context;
    return ++patience->asked > patience->most;
}

static const dpn_sensitivity two = {.dimension = 2, .bound = (const double[]){1, 3}, .relation = DPN_ADD_REMOVE};

static dpn_status find(dpn_plan *plan, const char *family, struct patience *patience, dpn_error *why) {
    dpn_calibration_options options = dpn_calibration_options_init();
    if (patience) options.cancelled = is_over;
    options.context = patience;
    return dpn_calibrate(plan, family, 1, 1e-6, &two, &options, why);
}

static void a_search_ends_when_it_is_told(void **state) {
    (void)state;
    static const char *const family[] = {"gaussian", "laplace", "osgt", "blocks"};
    for (size_t f = 0; f < sizeof family / sizeof *family; f++) {
        dpn_plan alone, plan;
        dpn_error why;
        if (find(&alone, family[f], NULL, &why)) fail_msg("%s: %s", family[f], why.sentence);
        struct patience patience = {0, INT32_MAX};
        if (find(&plan, family[f], &patience, &why)) fail_msg("%s: %s", family[f], why.sentence);
        assert_true(plan.error == alone.error);
        dpn_plan_free(&plan);
        dpn_plan_free(&alone);
        int all = patience.asked;
        assert_true(all > 0);
        for (int most = 0; most < all; most += 1 + all / 3) {
            patience = (struct patience){0, most};
            assert_int_equal(find(&plan, family[f], &patience, &why), DPN_ECANCELLED);
            assert_true(strstr(why.sentence, "cancelled") && why.status == DPN_ECANCELLED);
        }
    }
}

/* A comparison asks with its own context too, and stops at the first family. */
static void a_comparison_ends_too(void **state) {
    (void)state;
    dpn_comparison comparison;
    dpn_error why;
    struct patience patience = {0, 2};
    dpn_calibration_options options = dpn_calibration_options_init();
    options.cancelled = is_over;
    options.context = &patience;
    assert_int_equal(dpn_compare(&comparison, 1, 1e-6, &two, &options, &why), DPN_ECANCELLED);
    assert_in_range(patience.asked, 3, 50);
}

struct course {
    double last;
    int reports;
};

static void note(void *context, double done) {
    struct course *course = context;
    assert_true(done >= course->last && done >= 0 && done <= 1);
    course->last = done;
    course->reports++;
}

/* The share done grows from 0 to 1 and never falls: of a comparison each family has a share of its own, in which its search goes on. */
static void progress_goes_from_0_to_1(void **state) {
    (void)state;
    dpn_comparison comparison;
    dpn_plan plan;
    dpn_error why;
    struct course course = {0, 0};
    dpn_calibration_options options = dpn_calibration_options_init();
    options.progress = note;
    options.context = &course;
    assert_int_equal(dpn_calibrate(&plan, "flipped-huber", 1, 1e-6, &two, &options, &why), DPN_OK);
    assert_true(course.reports > 10 && course.last > 0.3);
    dpn_plan_free(&plan);
    course = (struct course){0, 0};
    assert_int_equal(dpn_compare(&comparison, 1, 0, &two, &options, &why), DPN_OK);
    size_t last = 0; /* the last family whose search reports */
    for (size_t i = 0; i < comparison.rows; i++)
        for (size_t place = 0; dpn_mechanism_name(place); place++)
            if (!comparison.row[i].status && !strcmp(dpn_mechanism_name(place), "osgt")) last = place;
    assert_true(course.reports > 30 && last > 0 && course.last > (double)last / (double)comparison.rows);
    dpn_comparison_free(&comparison);
}

/* A whole query is planned, or is not: whichever of its searches is under way, that for pure noise too, which a delta may not be worth. */
static void a_query_ends_too(void **state) {
    (void)state;
    static const char text[] =
        "{\"statistics\": [{\"kind\": \"count\"}, {\"kind\": \"mean\", \"column\": \"x\", \"lower\": 0, "
        "\"upper\": 1}], \"epsilon\": 1, \"delta\": 1e-6, \"missing\": \"skip\"}";
    dpn_query *query = NULL;
    dpn_declaration declaration;
    dpn_error why;
    struct patience patience = {0, INT32_MAX};
    dpn_calibration_options options = dpn_calibration_options_init();
    options.cancelled = is_over;
    options.context = &patience;
    assert_int_equal(dpn_declaration_read(&declaration, text, strlen(text), &why), DPN_OK);
    assert_int_equal(dpn_query_new(&query, &declaration, &options, &why), DPN_OK);
    dpn_query_free(query);
    query = NULL;
    int all = patience.asked;
    for (int most = 0; most < all; most += 1 + all / 3) {
        patience = (struct patience){0, most};
        assert_int_equal(dpn_query_new(&query, &declaration, &options, &why), DPN_ECANCELLED);
        assert_null(query);
    }
    patience = (struct patience){0, all - 1};
    assert_int_equal(dpn_query_new(&query, &declaration, &options, &why), DPN_ECANCELLED);
    dpn_declaration_free(&declaration);
}

/* One look at what noise guarantees, on a grid of thousands of points, ends too, and nobody is asked afterwards. */
static void a_look_ends_too(void **state) {
    (void)state;
    const dpn_sensitivity ten = {.dimension = 10, .linf = 1};
    dpn_workspace *workspace;
    dpn_delta alone, delta = {.upper = 7};
    dpn_epsilon epsilon;
    dpn_law law;
    dpn_plan plan;
    dpn_error why;
    struct patience patience = {0, INT32_MAX};
    assert_int_equal(dpn_law_parse(&law, "discrete-osgt(m=3,sigma=40.5)", &why), DPN_OK);
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    assert_int_equal(dpn_sensitivity_delta(&alone, NULL, workspace, &law, 1, &ten, 0.5, NULL, &why), DPN_OK);
    dpn_workspace_watch(workspace, is_over, &patience);
    assert_int_equal(dpn_sensitivity_delta(&delta, NULL, workspace, &law, 1, &ten, 0.5, NULL, &why), DPN_OK);
    assert_true(delta.upper == alone.upper && delta.lower == alone.lower);
    int all = patience.asked;
    assert_true(all > 1000);
    delta.upper = 7;
    for (int most = 0; most < all; most += 1 + all / 5) {
        patience = (struct patience){0, most};
        assert_int_equal(dpn_sensitivity_delta(&delta, NULL, workspace, &law, 1, &ten, 0.5, NULL, &why),
                         DPN_ECANCELLED);
        assert_true(delta.upper == 7 && patience.asked <= most + 3);
        patience = (struct patience){0, most};
        assert_int_equal(dpn_sensitivity_epsilon(&epsilon, NULL, workspace, &law, 1, &ten, 1e-9, NULL, &why),
                         DPN_ECANCELLED);
    }
    dpn_workspace_watch(workspace, NULL, NULL);
    patience = (struct patience){0, INT32_MAX};
    dpn_calibration_options options = dpn_calibration_options_init();
    options.cancelled = is_over;
    options.context = &patience;
    options.workspace = workspace;
    assert_int_equal(dpn_calibrate(&plan, "discrete-osgt", 0.5, 1e-6, &ten, &options, &why), DPN_OK);
    dpn_plan_free(&plan);
    assert_true(patience.asked > 1000); /* within looks, and not only between them */
    all = patience.asked;
    assert_int_equal(dpn_sensitivity_delta(&delta, NULL, workspace, &law, 1, &ten, 0.5, NULL, &why), DPN_OK);
    assert_int_equal(patience.asked, all);
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_ends_when_it_is_told),
        cmocka_unit_test(a_comparison_ends_too),
        cmocka_unit_test(progress_goes_from_0_to_1),
        cmocka_unit_test(a_query_ends_too),
        cmocka_unit_test(a_look_ends_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
