/* Audits of random boxes: what is shipped passes, and faults that were planted are found. Seeded: a verdict is the same each time. A long run tries
 * 10^6 samples and a scale that is five percent too small.
 *
 * The faults are of a hand that draws the noise itself, in doubles: J from its table, the coordinates by keeping uniform numbers. Without a fault
 * it passes, so that what is found is the fault.
 */
#include "audit/audit.h"
#include "unit/points.h"
#include "unit/random/seeded.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ANSWERS = 4, SIZES = 400 };
static const double scale[ANSWERS] = {1, 1, 0.5, 0.25}, plain[ANSWERS] = {0.5, 0.5, 1.5, 3},
                    beta[ANSWERS] = {0.1, 0.1, 0.05, 0.02};
static const double alpha = 0.9;

static dpn_plan read_plan(void) {
    static const char text[] = "[{\"coordinates\": \"0-3\", \"noise\": \"random-box(alpha=0.9,beta=0.1)\", "
                               "\"sensitivities\": [1, 1, 0.5, 0.25], \"c\": [0.5, 0.5, 1.5, 3], "
                               "\"beta\": [0.1, 0.1, 0.05, 0.02]}]";
    dpn_plan plan = {0};
    dpn_error why;
    if (dpn_plan_read(&plan, text, sizeof text - 1, &why)) fail_msg("%s", why.sentence);
    return plan;
}

/* ---- a hand that draws ---- */

typedef struct hand {
    seeded source;
    double boundary[SIZES];
    double shrink;
    bool twice; /* a size for each answer */
} hand;

/* P(J <= j) for these sides. */
static void fill_sizes(double boundary[SIZES], const double *c) {
    double sum = 0;
    for (int j = 0; j < SIZES; j++) {
        double log_weight = -alpha * j;
        for (int i = 0; i < ANSWERS; i++)
            log_weight += 0.5 * log(c[i] + j) + log(erf(sqrt(0.5 * beta[i] * (c[i] + j))));
        boundary[j] = sum += exp(log_weight);
    }
    for (int j = 0; j < SIZES; j++) boundary[j] /= sum;
}

static double draw_size(hand *self) {
    double u = draw_uniform(&self->source.source, 0, 1);
    int j = 0;
    while (j < SIZES - 1 && self->boundary[j] < u) j++;
    return j;
}

static dpn_status run(void *context, int64_t *out, const int64_t *input, size_t count, dpn_error *why) {
    hand *self = context;
    (void)why;
    for (size_t n = 0; n < count; n++, out += ANSWERS) {
        double size = 0;
        for (int i = 0; i < ANSWERS; i++) {
            if (i == 0 || self->twice) size = draw_size(self);
            double s = plain[i] + size, u;
            do u = draw_uniform(&self->source.source, -1, 1);
            while (draw_uniform(&self->source.source, 0, 1) > exp(-0.5 * beta[i] * s * u * u));
            out[i] = llround(0x1p16 * self->shrink * scale[i] * s * u) + input[i];
        }
    }
    return DPN_OK;
}

/* The sizes are drawn for the sides c, and the sides are those of the plan. */
static bool passes(const double *c, double shrink, bool twice, double samples) {
    static hand self;
    dpn_plan plan = read_plan();
    dpn_sensitivity set;
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, NULL), DPN_OK);
    dpn_audit_options options = {.size = sizeof(dpn_audit_options),
                                 .plan = &plan,
                                 .set = &set,
                                 .samples = (uint64_t)samples,
                                 .has_grid = true,
                                 .grid_exponent = -16};
    dpn_audit audit;
    dpn_error why;
    self = (hand){.shrink = shrink, .twice = twice};
    seeded_begin(&self.source, 33);
    fill_sizes(self.boundary, c);
    if (dpn_audit_mechanism(&audit, &options, &(dpn_mechanism){run, &self}, &why)) fail_msg("%s", why.sentence);
    print_message("# epsilon at least %.4f of %.4f at delta %g\n", audit.at.epsilon_lower, audit.at.epsilon,
                  audit.at.delta);
    dpn_plan_free(&plan);
    return audit.pass;
}

/* ---- verdicts ---- */

static void what_is_shipped_passes(void **state) {
    (void)state;
    static seeded source;
    dpn_plan plan = read_plan();
    dpn_sensitivity set;
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, NULL), DPN_OK);
    dpn_audit_options options = {.size = sizeof(dpn_audit_options),
                                 .plan = &plan,
                                 .set = &set,
                                 .samples = (uint64_t)points_needed(20000, 500000)};
    dpn_audit audit;
    dpn_error why;
    seeded_begin(&source, 34);
    if (dpn_audit_run(&audit, &options, &source.rng, &why)) fail_msg("%s", why.sentence);
    print_message("# epsilon at least %.4f of %.4f at delta %g\n", audit.at.epsilon_lower, audit.at.epsilon,
                  audit.at.delta);
    assert_true(audit.pass && audit.at.epsilon_lower > 0.5 * audit.at.epsilon);
    dpn_plan_free(&plan);
}

static void planted_faults_are_found(void **state) {
    (void)state;
    const double larger[ANSWERS] = {0.5, 0.5, 1.5, 40};
    double samples = points_needed(40000, 1000000);
    assert_true(passes(plain, 1, false, samples));
    assert_false(passes(larger, 1, false, samples)); /* sides that the accountant did not see */
    assert_false(passes(plain, points_are_many() ? 0.95 : 0.8, false, samples));
    assert_false(passes(plain, 1, true, points_needed(80000, 1000000))); /* a hidden size drawn twice */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_shipped_passes),
                                       cmocka_unit_test(planted_faults_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
