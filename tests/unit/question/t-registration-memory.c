/* Memory that fails at the k-th request, for every k: a registration is read, settled, applied and written, or it is not, and
 * nothing leaks. */
#include "unit/failing-memory.h"
#include "unit/question/registered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char question[] = "{'statistics': [{'kind': 'mean', 'column': 'income'}, {'kind': 'covariance', "
                               "'columns': ['age', 'income']}], 'by': "
                               "[{'column': 'region'}, {'column': 'education'}], 'epsilon': '1'}";

static dpn_status run(dpn_error *why) {
    char text[REGISTERED_SIZE], asked[REGISTERED_SIZE], *out = NULL, *place = NULL;
    dpn_registration registration;
    dpn_declaration declaration;
    dpn_decimal total = {{0}};
    registered_quotes(text, registered_people);
    strcpy(strrchr(text, '}'), ", \"missing\": \"value:0\", \"na\": [\"NA\", \"?\"]}");
    registered_quotes(asked, question);
    dpn_status status = dpn_registration_read(&registration, text, strlen(text), why);
    if (status) return status;
    status = dpn_declaration_read(&declaration, asked, strlen(asked), why);
    if (!status) {
        status = dpn_registration_check(&registration, why);
        if (!status) status = dpn_registration_settle(&registration, &total, why);
        if (!status) status = dpn_registration_apply(&declaration, &registration, why);
        if (!status) status = dpn_registration_write(&out, NULL, &registration, why);
        if (!status) status = dpn_place_write(&place, NULL, &registration.source, why);
        dpn_declaration_free(&declaration);
    }
    dpn_registration_free(&registration);
    free(out);
    free(place);
    return status;
}

static void with_memory_it_works(void **state) {
    (void)state;
    dpn_error why;
    if (run(&why)) fail_msg("%s", why.sentence);
}

#ifndef SANITIZED

static void every_request_fails_once(void **state) {
    (void)state;
    for (int round = 0; round < 2; round++) {
        long k = 0;
        for (bool failed = true; failed; k++) {
            dpn_error why = {DPN_OK, ""};
            long before = memory.live;
            memory.requests = 0;
            memory.fail_at = k;
            memory.on = round;
            memory.armed = true;
            dpn_status status = run(&why);
            memory.armed = false;
            failed = memory.requests > k;
            if (memory.live != before) fail_msg("request %ld leaks %ld", k, memory.live - before);
            /* Sorting asks for memory too, and does without. */
            if (status && status != DPN_ENOMEM) fail_msg("request %ld: %s", k, why.sentence);
            assert_true(failed || !status);
        }
        assert_true(k > 40);
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_it_works),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails_once),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
