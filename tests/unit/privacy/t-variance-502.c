/* Flipped Huber noise of variance 502 on five answers of sensitivity 1, at epsilon = 0.3: whatever alpha, delta exceeds 4e-5.
 * (It has been printed that 502 suffices for delta = 1e-8.) gamma follows from alpha/gamma and the variance; alpha/gamma runs
 * from 0, Gaussian noise, to where the law is Laplace's to fifteen digits, and Laplace noise itself is the end.
 */
#include <dpnoise/privacy.h>

#include "case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#define VARIANCE 502.0
#define EPSILON 0.3

/* gamma^2 times the variance of gamma = 1. */
static dpn_law law_of_ratio(double ratio) {
    dpn_law law;
    if (dpn_law_make(&law, "flipped-huber", (const double[]){ratio, 1}, 2, NULL)) fail();
    double gamma = sqrt(VARIANCE / dpn_law_variance(&law));
    if (dpn_law_make(&law, "flipped-huber", (const double[]){ratio * gamma, gamma}, 2, NULL)) fail();
    assert_true(fabs(dpn_law_variance(&law) - VARIANCE) < 1e-9 * VARIANCE);
    return law;
}

static double least_delta(dpn_workspace *workspace, const dpn_law *law) {
    dpn_part part = {.times = 5};
    dpn_delta delta;
    dpn_error why;
    if (dpn_loss_law(&part.loss, law, 1, &why) || dpn_compose_delta(&delta, workspace, &part, 1, EPSILON, NULL, &why))
        fail_msg("%s", why.sentence);
    return delta.lower;
}

static void no_alpha_suffices(void **state) {
    (void)state;
    dpn_workspace *workspace;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    double least = INFINITY, best = 0, before = -1, steepest = 0;
    for (double ratio = 0; ratio < 40; ratio += ratio < 2 ? 0.02 : 0.1 * ratio) {
        dpn_law law = law_of_ratio(ratio);
        double delta = least_delta(workspace, &law);
        if (!(delta > 4e-5)) fail_msg("alpha/gamma %.17g: delta is only %g", ratio, delta);
        if (delta < least) best = dpn_law_parameter(&law, "alpha");
        least = fmin(least, delta);
        if (before > 0 && delta < 6e-5) steepest = fmax(steepest, fabs(log(delta / before)));
        before = delta;
    }
    dpn_law laplace = case_law("laplace(scale=15.84297951775486)");
    assert_true(fabs(dpn_law_variance(&laplace) - VARIANCE) < 1e-9 * VARIANCE);
    assert_true(least_delta(workspace, &laplace) > 4e-5);
    print_message(
        "# least delta %.4g at alpha %.3g; where it is below 6e-5 neighbours differ by a factor of at most %.3g\n",
        least, best, exp(steepest));
    assert_true(steepest < log(1.05)); /* so nothing between the points of the scan is below 4e-5 either */
    assert_true(least > 4.2e-5 && least < 4.24e-5 && fabs(best - 16) < 1.5);
    dpn_workspace_free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_alpha_suffices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
