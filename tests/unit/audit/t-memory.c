/* Memory that fails at the k-th request, for every k: an audit then gives no verdict, no crash and no leak.
 *
 * This program has its own malloc, which the linker takes for all libraries; sanitizers have theirs, and then only the
 * audits themselves are tried. */
#include "unit/failing-memory.h"

#include <dpnoise/audit.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Audits ---- */

static const struct {
    const char *law;
    dpn_sensitivity set;
} cases[] = {
    {"laplace(scale=1)", {.dimension = 1, .linf = 1}},
    {"gaussian(sigma=2)", {.dimension = 3, .l2 = 1}},
    {"discrete-laplace(scale=2)", {.dimension = 2, .linf = 1}},
    {"[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=box,epsilon=1)\", \"sensitivities\": 1},"
     " {\"coordinates\": \"2\", \"noise\": \"none\", \"sensitivities\": 0}]",
     {.dimension = 3, .bound = (const double[]){1, 1, 0}}}, /* a plan */
};

static dpn_status audit(size_t which, dpn_rng *rng, dpn_error *why) {
    dpn_law law;
    dpn_audit verdict = {.samples = 7};
    const char *text = cases[which].law;
    dpn_plan plan = {0};
    bool planned = text[0] == '[';
    dpn_status status = planned ? dpn_plan_read(&plan, text, strlen(text), why) : dpn_law_parse(&law, text, why);
    dpn_audit_options options = {.size = sizeof(dpn_audit_options), .set = &cases[which].set, .samples = 1000};
    if (planned) {
        options.plan = &plan;
    } else {
        options.law = &law;
        options.laws = 1;
    }
    if (!status) status = dpn_audit_run(&verdict, &options, rng, why);
    dpn_plan_free(&plan);
    assert_true(verdict.samples == (status ? 7 : 1000));
    return status;
}

static void with_memory_there_are_verdicts(void **state) {
    (void)state;
    dpn_error why;
    dpn_rng *rng;
    if (dpn_rng_new(&rng, &why)) fail_msg("%s", why.sentence);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (audit(i, rng, &why)) fail_msg("%s", why.sentence);
    dpn_rng_free(rng);
}

#ifndef SANITIZED

static void fail_everywhere(size_t which, dpn_rng *rng, bool on) {
    long k = 0;
    for (;; k++) {
        dpn_error why = {DPN_OK, ""};
        long before = memory.live;
        memory.requests = 0;
        memory.fail_at = k;
        memory.on = on;
        memory.armed = true;
        dpn_status status = audit(which, rng, &why);
        memory.armed = false;
        assert_true(memory.live == before);
        if (memory.requests <= k) break; /* nothing failed */
        if (status) assert_true(status == DPN_ENOMEM && why.status == status && why.sentence[0]);
        if (!status && on) fail_msg("%s: without memory from request %ld on there is a verdict", cases[which].law, k);
    }
    assert_true(k > 8);
}

static void every_request_fails_once(void **state) {
    (void)state;
    dpn_rng *rng;
    assert_int_equal(dpn_rng_new(&rng, NULL), DPN_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fail_everywhere(i, rng, false);
        fail_everywhere(i, rng, true);
    }
    dpn_rng_free(rng);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_there_are_verdicts),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails_once),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
