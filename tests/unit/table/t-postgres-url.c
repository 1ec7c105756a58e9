/* Addresses of a PostgreSQL server that cannot be reached: no password is repeated, and no server is needed. */
#include "place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void out_of_reach(void **state) {
    (void)state;
    dpn_table *table;
    dpn_error why;
    static const struct {
        const char *url;
        dpn_status status;
    } urls[] = {{"postgresql://me:hush-hush@localhost:1/x?host=/nowhere", DPN_EIO},
                {"postgres://me:hush-hush@/x?host=/nowhere&port=1", DPN_EIO},
                {"postgres://me:hush-hush@/x?nonsense=1", DPN_EDOMAIN},
                {"postgresql://me:hush-hush@[::", DPN_EDOMAIN}};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        assert_int_equal(dpn_table_open(&table, urls[i].url, NULL, &why), urls[i].status);
        if (strstr(why.sentence, "hush")) fail_msg("%s", why.sentence);
        assert_null(strchr(why.sentence, '\n'));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(out_of_reach)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
