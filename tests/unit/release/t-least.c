/* The noise that is least for each of some questions, by name and drawn: what a release takes unasked has the error that its plan tells, and draws
 * confirm it: 10^6 of each with DPN_LONG, 10^4 without. Six standard deviations of the mean, seeded. */
#include <dpnoise/plan.h>
#include <dpnoise/release.h>

#include "unit/points.h"
#include "unit/random/seeded.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 100 };

/* Sensitivities as 1, 2^power, 3^power ..., of the sum 1, or all 1. */
typedef struct question {
    const char *family; /* NULL: whatever a release takes */
    double epsilon, delta, power;
    size_t count;
    double bound[2];
    double least; /* the error of all that is to be shown, or less */
} question;

static const question questions[] = {
    {"start-staircase", 1, 0, 0, 2, {1, 0.3}, 3.6118},
    {"start-box", 1, 0, 1, 20, {0, 0}, 7.0434},
    {"start-staircase", 1, 0, 2, 20, {0, 0}, 6.1194},
    {NULL, 1, 0, 2, 100, {0, 0}, 24.96},
    {NULL, 3, 0, 0, 2, {1, 1}, 2 * 0.3803},
    {NULL, 1, 1e-6, 0, 50, {0, 0}, 50 * 715.2},
    {"random-box", 1, 1e-6, 1, 50, {0, 0}, 13.2},
    {NULL, 1, 1e-2, 0, 5, {0, 0}, 5 * 12.41},
};

static void fill(double bound[MOST], const question *q) {
    double sum = 0;
    for (size_t i = 0; i < q->count; i++) {
        bound[i] = q->bound[0] > 0 ? q->bound[i] : pow((double)i + 1, q->power);
        sum += bound[i];
    }
    for (size_t i = 0; i < q->count && q->power > 0; i++) bound[i] /= sum;
}

static void draws_confirm_it(void **state) {
    (void)state;
    for (size_t r = 0; r < sizeof questions / sizeof *questions; r++) {
        const question *q = &questions[r];
        int draws = points(200000, 1000000) / (int)(q->count < 20 ? 20 : q->count);
        static seeded source;
        double bound[MOST], sum = 0, square = 0;
        fill(bound, q);
        dpn_sensitivity set = {.dimension = q->count, .bound = bound};
        dpn_release_options options = {.size = sizeof(dpn_release_options),
                                       .epsilon = q->epsilon,
                                       .delta = q->delta,
                                       .set = &set,
                                       .family = q->family};
        dpn_release *release;
        dpn_error why;
        if (dpn_release_new(&release, &options, &why)) fail_msg("row %zu: %s", r, why.sentence);
        const dpn_plan *plan = dpn_release_plan(release);
        assert_true(plan->delta.upper <= q->delta);
        /* The grid adds at most 2^-15 to the error. */
        if (!(plan->mse <= q->least * (1 + 5e-5))) fail_msg("row %zu: %.9g, not %.9g", r, plan->mse, q->least);
        seeded_begin(&source, 60 + r);
        for (int n = 0; n < draws; n++) {
            int64_t zero[MOST] = {0}, out[MOST];
            double error = 0;
            assert_int_equal(dpn_release_draw(out, release, &source.rng, zero, NULL), DPN_OK);
            for (size_t i = 0; i < q->count; i++) {
                double v = ldexp((double)out[i], dpn_release_grid_exponent(release, i));
                error += v * v;
            }
            sum += error;
            square += error * error;
        }
        double mean = sum / draws, deviation = sqrt((square / draws - mean * mean) / draws);
        print_message("# %s: %.6g, of %d draws %.6g +- %.2g\n", plan->family, plan->mse, draws, mean, deviation);
        if (!(fabs(mean - plan->mse) < 6 * deviation && deviation < 0.05 * mean))
            fail_msg("row %zu: %.9g +- %.2g, not %.9g", r, mean, deviation, plan->mse);
        dpn_release_free(release);
    }
}

/* Whole answers: sides of half an odd number of steps, and the error of the best noise on the integers, which is a linear program
 * (docs/limit.md): 7.80562 at epsilon 1; rounding a start staircase with its usual offsets has 8.1. */
static void whole_answers(void **state) {
    (void)state;
    enum { DRAWS = 150000 };
    static seeded source;
    double bound[2] = {1, 1}, sum = 0, square = 0;
    dpn_sensitivity set = {.dimension = 2, .bound = bound};
    dpn_release_options options = {
        .size = sizeof(dpn_release_options), .epsilon = 1, .set = &set, .whole = true, .family = "start-staircase"};
    dpn_release *release;
    dpn_error why;
    if (dpn_release_new(&release, &options, &why)) fail_msg("%s", why.sentence);
    const dpn_block *block = dpn_release_plan(release)->block;
    assert_true(block->start[0] == 0.5 && block->start[1] == 0.5);
    assert_true(dpn_release_grid_exponent(release, 0) == 0);
    seeded_begin(&source, 90);
    for (int n = 0; n < DRAWS; n++) {
        int64_t zero[2] = {0}, out[2];
        assert_int_equal(dpn_release_draw(out, release, &source.rng, zero, NULL), DPN_OK);
        double error = (double)(out[0] * out[0] + out[1] * out[1]);
        sum += error;
        square += error * error;
    }
    double mean = sum / DRAWS, deviation = sqrt((square / DRAWS - mean * mean) / DRAWS);
    if (!(fabs(mean - 7.80562) < 6 * deviation && 6 * deviation < 0.03 * mean))
        fail_msg("%.6g +- %.2g, not 7.80562", mean, deviation);
    dpn_release_free(release);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws_confirm_it), cmocka_unit_test(whole_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
