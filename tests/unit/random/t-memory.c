/* Memory that fails at the k-th request, for every k: samplers of every kind and their draws give the status, write no number and leave nothing behind. Sanitizers have a
 * malloc of their own, and then only the session itself is tried. */
#include "unit/failing-memory.h"

#include "random/vector.h"

#include <dpnoise/sampler.h>

#include "unit/random/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 150 };
static double scale[MOST], offset[MOST], beta[MOST];
static int grid[MOST], whole[MOST];

/* ---- a session ---- */

typedef dpn_status (*maker)(dpn_vector_sampler **out, dpn_error *why);

static dpn_status make_l1(dpn_vector_sampler **out, dpn_error *why) {
    return dpn_vector_sampler_lp(out, 3, 1, scale, 0.7, grid, why);
}

/* As many coordinates as need memory for a draw. */
static dpn_status make_l2(dpn_vector_sampler **out, dpn_error *why) {
    return dpn_vector_sampler_lp(out, MOST, 2, scale, 0.7, grid, why);
}

static dpn_status make_box(dpn_vector_sampler **out, dpn_error *why) {
    return dpn_vector_sampler_lp(out, MOST, INFINITY, scale, 0.7, grid, why);
}

static dpn_status make_start(dpn_vector_sampler **out, dpn_error *why) {
    return dpn_vector_sampler_start(out, 3, scale, offset, false, 0.7, grid, why);
}

static dpn_status make_spherical(dpn_vector_sampler **out, dpn_error *why) {
    return dpn_vector_sampler_spherical(out, MOST, scale, 0.5, 0.1, grid, why);
}

static dpn_status make_random_box(dpn_vector_sampler **out, dpn_error *why) {
    return dpn_vector_sampler_random_box(out, 3, scale, 0.2, offset, beta, grid, why);
}

static dpn_status make_line(dpn_vector_sampler **out, dpn_error *why) {
    return dpn_vector_sampler_staircase(out, 2, scale, 0, 0.7, 1.5, 3.25, 0.4, grid, why);
}

static dpn_status make_whole(dpn_vector_sampler **out, dpn_error *why) {
    return dpn_vector_sampler_staircase(out, 2, scale, 3, 0.7, 4, 9, 0.4, whole, why);
}

static dpn_status make_corners(dpn_vector_sampler **out, dpn_error *why) {
    static const dpn_constraint constraint[] = {{false, 2, 0, 1}};
    return dpn_vector_sampler_corners(out, 3, scale, constraint, 1, 0.7, grid, why);
}

/* The arrays of the cones are made here and taken over, also on failure. */
static dpn_status make_cones(dpn_vector_sampler **out, dpn_error *why) {
    static const double vertex[] = {1, 0.25, -1, 0.5, 0, -1};
    static const uint32_t corner[] = {0, 1, 1, 2, 2, 0};
    static const uint64_t cumulated[] = {3, 7, 12};
    dpn_cones cones = {.cones = 3, .vertices = 3, .limbs = 1};
    cones.corner = malloc(sizeof corner);
    cones.vertex = malloc(sizeof vertex);
    cones.cumulated = malloc(sizeof cumulated);
    if (!cones.corner || !cones.vertex || !cones.cumulated) {
        dpn_cones_free(&cones);
        *why = (dpn_error){DPN_ENOMEM, "the arrays"};
        return DPN_ENOMEM;
    }
    memcpy(cones.corner, corner, sizeof corner);
    memcpy(cones.vertex, vertex, sizeof vertex);
    memcpy(cones.cumulated, cumulated, sizeof cumulated);
    return dpn_vector_sampler_cones(out, 2, &cones, 0.7, grid, why);
}

static const maker makers[] = {make_l1,         make_l2,   make_box,   make_start,   make_spherical,
                               make_random_box, make_line, make_whole, make_corners, make_cones};
enum { MAKERS = sizeof makers / sizeof *makers };

static dpn_status session(maker make, dpn_error *why) {
    static seeded random;
    int64_t steps[MOST];
    dpn_vector_sampler *sampler = NULL;
    for (int i = 0; i < MOST; i++) steps[i] = 7;
    seeded_begin(&random, 3);
    dpn_status status = make(&sampler, why);
    if (status) {
        assert_null(sampler);
        return status;
    }
    size_t count = dpn_vector_sampler_dimension(sampler);
    status = dpn_vector_sampler_draw(steps, sampler, &random.rng, why);
    for (size_t i = 0; i < MOST; i++)
        if (status || i >= count) assert_int_equal(steps[i], i < count ? 0 : 7);
    dpn_vector_sampler_free(sampler);
    return status;
}

static void with_memory_there_are_numbers(void **state) {
    (void)state;
    dpn_error why;
    for (size_t m = 0; m < MAKERS; m++)
        if (session(makers[m], &why)) fail_msg("sampler %zu: %s", m, why.sentence);
}

#ifndef SANITIZED

static void every_request_fails_once(void **state) {
    (void)state;
    for (size_t m = 0; m < MAKERS; m++)
        for (int on = 0; on < 2; on++) {
            long k = 0;
            for (; k < 1000; k++) {
                dpn_error why = {DPN_OK, ""};
                long before = memory.live;
                memory.requests = 0;
                memory.fail_at = k;
                memory.on = on;
                memory.armed = true;
                dpn_status status = session(makers[m], &why);
                memory.armed = false;
                if (memory.requests <= k) break; /* nothing failed */
                if (status != DPN_ENOMEM) fail_msg("sampler %zu, request %ld: %s", m, k, why.sentence);
                assert_true(why.status == status && why.sentence[0]);
                if (memory.live != before) fail_msg("sampler %zu, request %ld leaks %ld", m, k, memory.live - before);
            }
            assert_true(k >= 4 && k < 1000);
        }
}

/* A sampler that is freed, or refused after all has been made, leaves nothing behind. */
static void nothing_is_left_behind(void **state) {
    (void)state;
    dpn_error why;
    for (size_t m = 0; m < MAKERS; m++) {
        long before = memory.live;
        assert_int_equal(session(makers[m], &why), DPN_OK);
        assert_int_equal(memory.live, before);
    }
    const int fine[2] = {-70, -70};
    dpn_vector_sampler *out = NULL;
    long before = memory.live;
    assert_int_equal(dpn_vector_sampler_staircase(&out, 2, scale, 0, 0.7, 1.5, 3.25, 0.4, (int[]){-46, -50}, &why),
                     DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_staircase(&out, 2, scale, 3, 0.7, 4, 9, 0.4, fine, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_random_box(&out, 2, scale, 0.2, offset, beta, (int[]){-40, -52}, &why),
                     DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_spherical(&out, 2, scale, 0.5, 0.1, fine, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_vector_sampler_start(&out, 2, scale, offset, true, 0x1p-39, (int[]){-20, -40}, &why),
                     DPN_EDOMAIN);
    assert_null(out);
    assert_int_equal(memory.live, before);
}

/* The same for the sampler of a law. */
static void samplers_of_laws(void **state) {
    (void)state;
    dpn_law law;
    dpn_error why = {DPN_OK, ""};
    dpn_sampler *sampler = NULL;
    assert_int_equal(dpn_law_parse(&law, "laplace(scale=1)", &why), DPN_OK);
    long before = memory.live;
    memory.requests = memory.fail_at = 0;
    memory.on = false;
    memory.armed = true;
    dpn_status status = dpn_sampler_new(&sampler, &law, -10, &why);
    memory.armed = false;
    assert_int_equal(status, DPN_ENOMEM);
    assert_true(sampler == NULL && why.status == DPN_ENOMEM && memory.live == before);
    assert_int_equal(dpn_sampler_new(&sampler, &law, -70, &why), DPN_EDOMAIN);
    assert_true(sampler == NULL && memory.live == before);
}

#endif

int main(void) {
    for (int i = 0; i < MOST; i++) {
        scale[i] = 1 + 0.25 * i;
        offset[i] = 0.5 + i;
        beta[i] = 0.1 * (1 + i);
        grid[i] = -10;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_there_are_numbers),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails_once),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(samplers_of_laws),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
