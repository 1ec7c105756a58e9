/* A workspace whose memory fails at the k-th request, for every k: no crash, no leak, no number, and it works afterwards. And one
 * workspace for each of many threads: they share nothing. */
#include "unit/failing-memory.h"

#include <dpnoise/sampling.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Two parts at first, then a longer transform. */
static dpn_status compose(dpn_delta *out, dpn_workspace *workspace, dpn_error *why) {
    static const char *const text[] = {"laplace(scale=10)", "truncated-laplace(scale=10,bound=60)"};
    const dpn_accounting_options options = {
        .size = sizeof(dpn_accounting_options), .method = DPN_METHOD_FFT, .accuracy = 1e-3};
    dpn_part part[2] = {{.times = 20}, {.times = 3}};
    dpn_status status = DPN_OK;
    for (int i = 0; i < 2 && !status; i++) {
        dpn_law law;
        status = dpn_law_parse(&law, text[i], why);
        if (!status) status = dpn_loss_law(&part[i].loss, &law, 1, why);
    }
    if (!status) status = dpn_compose_delta(&out[0], workspace, part, 2, 0.5, &options, why);
    part[0].times = 1000;
    if (!status) status = dpn_compose_delta(&out[1], workspace, part, 1, 0.5, &options, why);
    return status;
}

static void compose_alone(dpn_delta *out) {
    dpn_workspace *workspace;
    dpn_error why;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    if (compose(out, workspace, &why)) fail_msg("%s", why.sentence);
    assert_true(out[0].lower > 0 && out[1].lower > 0);
    dpn_workspace_free(workspace);
}

#ifndef SANITIZED

/* A sampled loss with atoms, at two rates. */
static dpn_status sample(dpn_delta *out, dpn_workspace *workspace, dpn_error *why) {
    const dpn_accounting_options options = {.size = sizeof(dpn_accounting_options), .accuracy = 1e-2};
    dpn_law law;
    dpn_part part = {.times = 1};
    dpn_step step = {.part = &part, .parts = 1, .rate = 0.1, .times = 3};
    dpn_status status = dpn_law_parse(&law, "laplace(scale=2)", why);
    if (!status) status = dpn_loss_law(&part.loss, &law, 1, why);
    if (!status) status = dpn_sampling_delta(&out[0], workspace, &step, 1, 0.1, &options, why);
    step.rate = 0.5;
    if (!status) status = dpn_sampling_delta(&out[1], workspace, &step, 1, 0.1, &options, why);
    return status;
}

static void fail_every_request(dpn_status (*ask)(dpn_delta *out, dpn_workspace *workspace, dpn_error *why)) {
    dpn_delta want[2];
    dpn_workspace *first;
    dpn_error none;
    assert_int_equal(dpn_workspace_new(&first), DPN_OK);
    if (ask(want, first, &none)) fail_msg("%s", none.sentence);
    dpn_workspace_free(first);
    for (int on = 0; on < 2; on++) {
        long k = 0;
        for (;; k++) {
            dpn_workspace *workspace = NULL;
            dpn_delta out[2];
            dpn_error why = {DPN_OK, ""};
            long before = memory.live;
            memory.requests = 0;
            memory.fail_at = k;
            memory.on = on;
            memory.armed = true;
            dpn_status status = dpn_workspace_new(&workspace);
            if (!status) status = ask(out, workspace, &why);
            memory.armed = false;
            if (memory.requests <= k) {
                dpn_workspace_free(workspace);
                break; /* nothing failed */
            }
            if (status != DPN_ENOMEM) fail_msg("request %ld: status %d, %s", k, (int)status, why.sentence);
            if (workspace) { /* what is left of it serves as if nothing had happened */
                assert_true(why.status == status && why.sentence[0]);
                if (ask(out, workspace, &why)) fail_msg("request %ld, later: %s", k, why.sentence);
                assert_memory_equal(out, want, sizeof want);
            }
            dpn_workspace_free(workspace);
            if (memory.live != before) fail_msg("request %ld leaks %ld", k, memory.live - before);
        }
        assert_true(k > 20);
    }
}

static void every_request_of_a_composition_fails_once(void **state) {
    (void)state;
    fail_every_request(compose);
}

static void every_request_of_sampling_fails_once(void **state) {
    (void)state;
    fail_every_request(sample);
}

#endif

static void *in_thread(void *out) {
    dpn_workspace *workspace;
    dpn_error why;
    if (dpn_workspace_new(&workspace)) return NULL;
    dpn_status status = compose(out, workspace, &why);
    dpn_workspace_free(workspace);
    return status ? NULL : out;
}

static void threads_share_nothing(void **state) {
    (void)state;
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    dpn_delta want[2], found[THREADS][2];
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, in_thread, found[i]), 0);
    compose_alone(want);
    for (int i = 0; i < THREADS; i++) {
        void *done;
        assert_int_equal(pthread_join(thread[i], &done), 0);
        assert_non_null(done);
        assert_memory_equal(found[i], want, sizeof want);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#ifndef SANITIZED
        cmocka_unit_test(every_request_of_a_composition_fails_once),
        cmocka_unit_test(every_request_of_sampling_fails_once),
#endif
        cmocka_unit_test(threads_share_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
