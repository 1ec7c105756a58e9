/* Options of callers that were compiled against an older or a newer header, or that began with nothing. */
#include "base/options.h"

#include <dpnoise/calibrate.h>
#include <dpnoise/table.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The same options as three versions know them. */
typedef struct old {
    size_t size;
    double a;
} old;
typedef struct now {
    size_t size;
    double a;
    const char *b;
} now;
typedef struct later {
    size_t size;
    double a;
    const char *b;
    uint64_t c, d;
} later;

static void what_is_missing_is_zero(void **state) {
    (void)state;
    now own;
    memset(&own, 0x5a, sizeof own);
    assert_int_equal(dpn_options_take(&own, sizeof own, NULL, NULL), DPN_OK);
    assert_true(own.size == sizeof own && own.a == 0 && own.b == NULL);
    old given = {sizeof given, 2.5};
    memset(&own, 0x5a, sizeof own);
    assert_int_equal(dpn_options_take(&own, sizeof own, &given, NULL), DPN_OK);
    assert_true(own.size == sizeof own && own.a == 2.5 && own.b == NULL);
    now same = {sizeof same, -1, "b"};
    assert_int_equal(dpn_options_take(&own, sizeof own, &same, NULL), DPN_OK);
    assert_true(own.size == sizeof own && own.a == -1 && own.b == same.b);
}

static void what_is_not_known_must_be_zero(void **state) {
    (void)state;
    now own;
    later given = {sizeof given, 3, "b", 0, 0};
    assert_int_equal(dpn_options_take(&own, sizeof own, &given, NULL), DPN_OK);
    assert_true(own.size == sizeof own && own.a == 3 && own.b == given.b);
    for (int i = 0; i < 128; i++) { /* every bit of it */
        dpn_error why;
        now before = own;
        given.c = i < 64 ? (uint64_t)1 << i : 0;
        given.d = i < 64 ? 0 : (uint64_t)1 << (i - 64);
        assert_int_equal(dpn_options_take(&own, sizeof own, &given, &why), DPN_EDOMAIN);
        assert_memory_equal(&own, &before, sizeof own);
    }
}

static void a_size_that_was_not_set_is_refused(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, (1 << 16) + 1, SIZE_MAX};
    now own = {1, 1, "x"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        old given = {sizes[i], 1};
        dpn_error why;
        assert_int_equal(dpn_options_take(&own, sizeof own, &given, &why), DPN_EDOMAIN);
        assert_non_null(strstr(why.sentence, "_init"));
    }
    assert_true(own.size == 1 && own.a == 1);
    dpn_calibration_options forgotten = {.times = 2};
    dpn_table_options nothing = {.buffer = 100};
    dpn_sensitivity set = {.dimension = 1, .linf = 1};
    dpn_plan plan;
    dpn_table *table;
    assert_int_equal(dpn_calibrate(&plan, "laplace", 1, 0, &set, &forgotten, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_table_open(&table, "nowhere.csv", &nothing, NULL), DPN_EDOMAIN);
    forgotten = dpn_calibration_options_init();
    forgotten.times = 2;
    assert_int_equal(dpn_calibrate(&plan, "laplace", 1, 0, &set, &forgotten, NULL), DPN_OK);
    assert_int_equal(plan.times, 2);
    dpn_plan_free(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_zero),
        cmocka_unit_test(what_is_not_known_must_be_zero),
        cmocka_unit_test(a_size_that_was_not_set_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
