/* Memory that fails at the k-th request, for every k: a release of a random source, a plan, samplers and noise never yields a
 * number, a crash or a leak.
 *
 * This program has its own malloc, which the linker takes for all libraries; sanitizers have theirs, and then only
 * the sessions themselves are tried. */
#include "unit/failing-memory.h"

#include <dpnoise/geometry.h>
#include <dpnoise/release.h>
#include <dpnoise/sampler.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- A session ---- */

/* Everything from nothing to a released number. Returns the status; on failure nothing was written. */
static dpn_status session(const dpn_release_options *options, dpn_error *why) {
    dpn_rng *rng = NULL;
    dpn_release *release = NULL;
    int64_t value[4] = {0}, noisy[4] = {7, 7, 7, 7};
    dpn_status status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_release_new(&release, options, why);
    for (size_t i = 0; i < options->set->dimension && !status; i++)
        status = dpn_release_parse(&value[i], release, i, "123.0", why);
    if (!status) status = dpn_release_draw(noisy, release, rng, value, why);
    if (status)
        for (int i = 0; i < 4; i++) assert_true(noisy[i] == 7);
    dpn_release_free(release);
    dpn_rng_free(rng);
    return status;
}

static const double bounds[] = {1, 0, 2};
static const double vertices[] = {1, 0, 0.5, 1};
static const dpn_sensitivity hull = {.dimension = 2, .vertex = vertices, .vertices = 2};
static const dpn_sensitivity box = {.dimension = 3, .bound = bounds}, ball = {.dimension = 4, .l2 = 1};
static const dpn_release_options requests[] = {
    {.size = sizeof(dpn_release_options), .epsilon = 1, .set = &box, .family = "laplace"},
    {.size = sizeof(dpn_release_options), .epsilon = 1, .delta = 1e-6, .set = &ball, .family = "gaussian"},
    {.size = sizeof(dpn_release_options), .epsilon = 1, .set = &box, .family = "discrete-laplace", .whole = true},
    {.size = sizeof(dpn_release_options), .epsilon = 1, .delta = 1e-6, .set = &hull, .family = "gaussian"},
};

static void with_memory_there_are_numbers(void **state) {
    (void)state;
    dpn_error why;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (session(&requests[i], &why)) fail_msg("%s", why.sentence);
}

#ifndef SANITIZED

/* Fail at every request in turn. The first round lets libcrypto make what it keeps for good; the second must leave nothing. */
static void fail_everywhere(const dpn_release_options *options, bool on) {
    for (int round = 0; round < 2; round++) {
        dpn_status status = DPN_ENOMEM;
        long k = 0;
        for (; status && k < 100000; k++) {
            dpn_error why = {DPN_OK, ""};
            long before = memory.live;
            memory.requests = 0;
            memory.fail_at = k;
            memory.on = on;
            memory.armed = true;
            status = session(options, &why);
            memory.armed = false;
            if (memory.requests <= k) break; /* nothing failed */
            if (status && status != DPN_ENOMEM && status != DPN_EENTROPY) fail_msg("request %ld: %s", k, why.sentence);
            if (status) assert_true(why.status == status && why.sentence[0]);
            if (!status && on) fail_msg("without memory from request %ld on there is a number", k);
            if (round == 1 && memory.live != before) fail_msg("request %ld leaks %ld", k, memory.live - before);
            status = DPN_ENOMEM;
        }
        assert_true(k > 10 && k < 100000);
    }
}

static void every_request_fails_once(void **state) {
    (void)state;
    /* libcrypto sets itself up once a process, and for good if that fails: it then never gives a cipher, which is safe. The
     * test before this one did that. */
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        fail_everywhere(&requests[i], false);
        fail_everywhere(&requests[i], true);
    }
}

/* The balls of joint noise, hulls among them. */
static void joint_noise_without_memory(void **state) {
    (void)state;
    const double three[] = {1, 2, 3};
    dpn_sensitivity few = {.dimension = 3, .bound = three, .max_changed = 2};
    dpn_calibration_options calibration = {.size = sizeof(dpn_calibration_options), .hulls = dpn_exact_hulls()};
    const dpn_sensitivity *sets[] = {&hull, &few};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        dpn_release_options options = {.size = sizeof(dpn_release_options),
                                       .epsilon = 1,
                                       .set = sets[i],
                                       .family = "k-norm",
                                       .calibration = &calibration};
        fail_everywhere(&options, false);
        fail_everywhere(&options, true);
    }
}

/* A sampler of every family. */
static void samplers_without_memory(void **state) {
    (void)state;
    static const char *const laws[] = {
        "gaussian(sigma=3)",       "laplace(scale=2)",       "flipped-huber(alpha=3,gamma=1)",
        "osgt(m=1,sigma=2)",       "huber(alpha=1,gamma=1)", "staircase(epsilon=1,sensitivity=1,gamma=0.4)",
        "subbotin(p=1.5,scale=1)", "logistic(scale=1)",      "truncated-laplace(scale=1,bound=9)",
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        dpn_law law;
        dpn_error why;
        if (dpn_law_parse(&law, laws[i], &why)) fail_msg("%s", why.sentence);
        long k = 0;
        for (dpn_status status = DPN_ENOMEM; status; k++) {
            dpn_sampler *sampler = NULL;
            long before = memory.live;
            memory.requests = 0;
            memory.fail_at = k;
            memory.on = false;
            memory.armed = true;
            status = dpn_sampler_new(&sampler, &law, -10, &why);
            memory.armed = false;
            if (status && status != DPN_ENOMEM) fail_msg("%s: %s", laws[i], why.sentence);
            assert_true((status == DPN_OK) == (sampler != NULL));
            dpn_sampler_free(sampler);
            assert_true(memory.live == before);
        }
        assert_true(k > 1);
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_there_are_numbers),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails_once),
        cmocka_unit_test(joint_noise_without_memory),
        cmocka_unit_test(samplers_without_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
