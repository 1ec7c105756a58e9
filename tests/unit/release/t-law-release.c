/* A release with noise of a given law: what its plan says of the noise, by closed forms, and that it draws this noise. */
#include "release/noise/law-release.h"

#include "unit/random/seeded.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_law law_of(const char *text) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why)) fail_msg("%s", why.sentence);
    return law;
}

static double normal(double x) {
    return erfc(-x / sqrt(2)) / 2;
}

/* Of Gaussian noise of deviation s on what moves by l (Balle and Wang 2018). */
static double gaussian_delta(double epsilon, double l, double s) {
    return normal(l / (2 * s) - epsilon * s / l) - exp(epsilon) * normal(-l / (2 * s) - epsilon * s / l);
}

static void plans_tell_what_the_noise_is(void **state) {
    (void)state;
    static const double sigma[] = {0.75, 3, 40}, l2[] = {1, 2.5, 0.125};
    dpn_law law[3] = {law_of("gaussian(sigma=0.75)"), law_of("gaussian(sigma=3)"), law_of("gaussian(sigma=40)")};
    for (size_t i = 0; i < 27; i++) {
        size_t n = 1 + i / 9, k = i % 3;
        double s = sigma[k], l = l2[i / 3 % 3], epsilon = 0.25 * (double)(1 + i % 4);
        dpn_relation relation = i % 2 ? DPN_REPLACE : DPN_ADD_REMOVE;
        dpn_release *release = NULL;
        dpn_error why = {DPN_OK, ""};
        if (dpn_release_of_law(&release, &law[k], n, l, -8, relation, epsilon, &why)) fail_msg("%s", why.sentence);
        const dpn_plan *plan = dpn_release_plan(release);
        assert_true(fabs(plan->mse / ((double)n * s * s) - 1) < 1e-12 && plan->error == plan->mse);
        assert_true(plan->dimension == n && plan->blocks == 1 && plan->block->count == n && plan->times == 1);
        assert_true(plan->l2 == l && plan->epsilon == epsilon && plan->relation == relation);
        assert_true(plan->block->kind == DPN_BLOCK_LAW && plan->block->grid == 0x1p-8);
        assert_string_equal(plan->family, "gaussian");
        assert_true(isinf(plan->pure_epsilon));
        for (size_t c = 0; c < n; c++) {
            assert_true(fabs(plan->variance[c] / (s * s) - 1) < 1e-12 && plan->sensitivity[c] == l);
            assert_int_equal(plan->block->coordinate[c], c);
            assert_int_equal(dpn_release_grid_exponent(release, c), -8);
        }
        double delta = gaussian_delta(epsilon, l, s);
        if (!(plan->delta.upper >= delta * (1 - 1e-9) - 1e-15 && plan->delta.upper <= delta * (1 + 1e-6) + 1e-12))
            fail_msg("delta %.17g, not %.17g: sigma %g, l2 %g, epsilon %g", plan->delta.upper, delta, s, l, epsilon);
        dpn_release_free(release);
    }
}

/* The mean square of 4000 Gaussian numbers deviates by 2.3%; seven of that are the limit, and the seed is fixed. */
static void it_draws_this_noise(void **state) {
    (void)state;
    enum { COUNT = 3, DRAWS = 4000 };
    const int64_t value[COUNT] = {5, -70000, 0};
    dpn_law law = law_of("gaussian(sigma=3)");
    dpn_release *release = NULL;
    dpn_error why = {DPN_OK, ""};
    double square[COUNT] = {0}, product = 0;
    seeded source;
    seeded_begin(&source, 12);
    if (dpn_release_of_law(&release, &law, COUNT, 1, -6, DPN_ADD_REMOVE, 1, &why)) fail_msg("%s", why.sentence);
    for (int n = 0; n < DRAWS; n++) {
        int64_t noisy[COUNT];
        if (dpn_release_draw(noisy, release, &source.rng, value, &why)) fail_msg("%s", why.sentence);
        for (size_t i = 0; i < COUNT; i++) square[i] += pow(ldexp((double)(noisy[i] - value[i]), -6), 2) / DRAWS;
        product += ldexp((double)(noisy[0] - value[0]) * (double)(noisy[2] - value[2]), -12) / DRAWS;
    }
    for (size_t i = 0; i < COUNT; i++) assert_true(fabs(square[i] / 9 - 1) < 7 * sqrt(2.0 / DRAWS));
    assert_true(fabs(product / 9) < 7 / sqrt(DRAWS));
    dpn_release_free(release);
}

static void nothing_to_move_is_refused(void **state) {
    (void)state;
    static const double bad[] = {0, -1, INFINITY, NAN};
    dpn_law law = law_of("laplace(scale=1)");
    for (size_t i = 0; i <= sizeof bad / sizeof *bad; i++) {
        dpn_release *release = NULL;
        dpn_error why = {DPN_OK, ""};
        size_t dimension = i < sizeof bad / sizeof *bad ? 2 : 0;
        double l2 = dimension ? bad[i] : 1;
        dpn_status status = dpn_release_of_law(&release, &law, dimension, l2, 0, DPN_ADD_REMOVE, 1, &why);
        assert_true(status == DPN_EDOMAIN && !release && strlen(why.sentence) > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_tell_what_the_noise_is),
        cmocka_unit_test(it_draws_this_noise),
        cmocka_unit_test(nothing_to_move_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
