/* Memory that fails at the k-th request, for every k: no edge, no leak. */
#include "unit/failing-memory.h"

#include <dpnoise/quantile.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const uint64_t count[4] = {10, 20, 30, 40};

/* Everything from nothing to an edge. */
static dpn_status session(dpn_error *why) {
    dpn_quantile_options options = {
        .size = sizeof(dpn_quantile_options), .q = "0.5", .epsilon = 1, .intervals = 4, .relation = DPN_ADD_REMOVE};
    dpn_quantile quantile;
    dpn_rng *rng = NULL;
    size_t edge = 77;
    dpn_status status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_quantile_prepare(&quantile, &options, why);
    if (!status) status = dpn_quantile_draw(&edge, &quantile, rng, count, why);
    assert_true(status ? edge == 77 : edge <= 4);
    dpn_rng_free(rng);
    return status;
}

static void with_memory_there_is_an_edge(void **state) {
    (void)state;
    dpn_error why;
    if (session(&why)) fail_msg("%s", why.sentence);
}

#ifndef SANITIZED

/* The first round lets libcrypto make what it keeps for good; the second must leave nothing. */
static void every_request_fails_once(void **state) {
    (void)state;
    for (int round = 0; round < 2; round++) {
        long k = 0, refusals = 0;
        for (; k < 10000; k++) {
            dpn_error why = {DPN_OK, ""};
            long before = memory.live;
            memory.requests = 0;
            memory.fail_at = k;
            memory.on = true;
            memory.armed = true;
            dpn_status status = session(&why);
            memory.armed = false;
            if (memory.requests <= k) break; /* nothing failed */
            if (status != DPN_ENOMEM && status != DPN_EENTROPY) fail_msg("request %ld: status %d", k, (int)status);
            assert_true(why.status == status && why.sentence[0]);
            if (round == 1 && memory.live != before) fail_msg("request %ld leaks %ld", k, memory.live - before);
            refusals++;
        }
        assert_true(refusals >= 2 && k < 10000); /* one of them for the scores */
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_there_is_an_edge),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails_once),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
