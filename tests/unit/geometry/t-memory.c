/* Memory that fails at the k-th request, for every k: balls, hulls, samplers, losses and comparisons give the status,
 * leave nothing behind and write no number. As in the room release: sanitizers have a malloc of their own, and then
 * only the session itself is tried. */
#include "unit/failing-memory.h"

#include <dpnoise/geometry.h>

#include "unit/random/seeded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- A session ---- */

static const double corner[] = {1, 2, 0.5, 1, 2, -0.5, 1, -2, 0.5, 1, -2, -0.5, 3, 0, 0, 0.1, 0.2, 0.3};
static const double side[] = {1, 2, 4}, matrix[] = {1, 2, 3, 0, 1, 4, 0, 0, 1};

static dpn_status draw_from(const dpn_norm_ball *ball, dpn_rng *rng, dpn_error *why) {
    int grid[20] = {0};
    int64_t steps[20];
    dpn_ball_sampler *sampler = NULL;
    for (int i = 0; i < 20; i++) steps[i] = 7;
    dpn_status status = dpn_ball_sampler_new(&sampler, ball, 0.01, grid, why);
    if (!status) status = dpn_ball_sampler_draw(steps, sampler, rng, why);
    for (size_t i = 0; i < dpn_ball_dimension(ball) && status; i++) assert_true(steps[i] == 7 || steps[i] == 0);
    dpn_ball_sampler_free(sampler);
    return status;
}

/* A hull, a block of it and an l_p ball of 17 dimensions, an image and its intersection, a cut box; each is used. */
static dpn_status session(dpn_error *why) {
    dpn_norm_ball *hull = NULL, *wide = NULL, *sum = NULL, *image = NULL, *both = NULL, *cut = NULL;
    double variance[20];
    dpn_mean_norms losses;
    dpn_volume volume;
    seeded random;
    seeded_begin(&random, 3);
    dpn_status status = dpn_ball_hull(&hull, 3, corner, 6, why);
    if (!status) status = dpn_ball_lp(&wide, 17, 2, NULL, why);
    if (!status) {
        dpn_norm_ball *part[] = {hull, wide};
        status = dpn_ball_sum(&sum, part, 2, why);
        if (!status) hull = wide = NULL;
    }
    if (!status) status = draw_from(sum, &random.rng, why);
    if (!status) status = dpn_ball_mean_norms(&losses, variance, sum, 1, &random.rng, 2, why);
    if (!status) status = dpn_ball_lp(&wide, 3, INFINITY, side, why);
    if (!status) status = dpn_ball_image(&image, wide, matrix, why);
    if (!status) wide = NULL;
    if (!status) status = dpn_ball_mean_norms(&losses, variance, image, 1, &random.rng, 2, why);
    if (!status) status = draw_from(image, &random.rng, why);
    if (!status) status = dpn_ball_lp(&wide, 3, 2, side, why);
    if (!status) {
        dpn_norm_ball *part[] = {image, wide};
        status = dpn_ball_intersection(&both, part, 2, why);
        if (!status) image = wide = NULL;
    }
    if (!status) status = draw_from(both, &random.rng, why);
    if (!status) status = dpn_ball_regression(&cut, 2, why);
    if (!status) status = draw_from(cut, &random.rng, why);
    if (!status) status = dpn_ball_volume(&volume, cut, &random.rng, 100, why);
    dpn_ball_free(hull);
    dpn_ball_free(wide);
    dpn_ball_free(sum);
    dpn_ball_free(image);
    dpn_ball_free(both);
    dpn_ball_free(cut);
    return status;
}

static void with_memory_there_are_numbers(void **state) {
    (void)state;
    dpn_error why;
    if (session(&why)) fail_msg("%s", why.sentence);
}

#ifndef SANITIZED

static void every_request_fails_once(void **state) {
    (void)state;
    for (int on = 0; on < 2; on++) {
        long k = 0;
        for (; k < 100000; k++) {
            dpn_error why = {DPN_OK, ""};
            long before = memory.live;
            memory.requests = 0;
            memory.fail_at = k;
            memory.on = on;
            memory.armed = true;
            dpn_status status = session(&why);
            memory.armed = false;
            if (memory.requests <= k) break; /* nothing failed */
            if (status && status != DPN_ENOMEM) fail_msg("request %ld: %s", k, why.sentence);
            if (status) assert_true(why.status == status && why.sentence[0]);
            if (memory.live != before) fail_msg("request %ld leaks %ld", k, memory.live - before);
        }
        assert_true(k > 100 && k < 100000);
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_there_are_numbers),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails_once),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
