/* What other programs rely on: the version in its three places, and statuses by value. */
#include <dpnoise/version.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Programs that were compiled long ago, logs and other languages know these numbers. */
_Static_assert(DPN_OK == 0 && DPN_EDOMAIN == 1 && DPN_EPARSE == 2 && DPN_EBUDGET == 3 && DPN_EACCURACY == 4, "");
_Static_assert(DPN_EENTROPY == 5 && DPN_ENOMEM == 6 && DPN_EIO == 7 && DPN_EUNSUPPORTED == 8, "");
_Static_assert(DPN_ECANCELLED == 9, "");

static void statuses_have_their_names(void **state) {
    (void)state;
    static const char *const names[] = {"DPN_OK",           "DPN_EDOMAIN",   "DPN_EPARSE", "DPN_EBUDGET",
                                        "DPN_EACCURACY",    "DPN_EENTROPY",  "DPN_ENOMEM", "DPN_EIO",
                                        "DPN_EUNSUPPORTED", "DPN_ECANCELLED"};
    for (int i = 0; i < 10; i++) assert_string_equal(dpn_status_name((dpn_status)i), names[i]);
    assert_string_equal(dpn_status_name((dpn_status)10), "DPN_?");
    assert_string_equal(dpn_status_name((dpn_status)-1), "DPN_?");
}

/* DPN_VERSION is the version of the project in meson.build. */
static void the_version_is_that_of_the_project(void **state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", DPN_VERSION_MAJOR, DPN_VERSION_MINOR, DPN_VERSION_PATCH);
    assert_string_equal(text, DPN_VERSION);
    assert_string_equal(DPN_VERSION_TEXT, DPN_VERSION);
    assert_string_equal(dpn_version(), DPN_VERSION);
    assert_int_equal(DPN_VERSION_NUMBER, DPN_VERSION_MAJOR * 10000 + DPN_VERSION_MINOR * 100 + DPN_VERSION_PATCH);
#if DPN_VERSION_NUMBER < 100
    fail_msg("the number cannot be compared by the preprocessor");
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_have_their_names),
        cmocka_unit_test(the_version_is_that_of_the_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
