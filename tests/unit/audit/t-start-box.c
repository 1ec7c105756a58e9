/* Audits of start boxes: what is shipped passes, with most of its epsilon seen,
 * and faults that were planted are found. Seeded: a verdict is the same each
 * time. A long run tries 10^6 samples and a scale that is four percent too small.
 */
#include "audit/audit.h"
#include "random/start-size.h"
#include "unit/random/seeded.h"
#include "unit/points.h"

#include <dpnoise/plan.h>
#include <dpnoise/vector-sampler.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ANSWERS = 2 };

static dpn_plan plan_of(bool stairs) {
    char text[200];
    dpn_plan plan = {0};
    dpn_error why;
    snprintf(text, sizeof text,
             "[{\"coordinates\": \"0-1\", \"noise\": \"%s(epsilon=1)\", "
             "\"sensitivities\": [1, 0.25], \"c\": [0.45, 2.6]}]",
             stairs ? "start-staircase" : "start-box");
    if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s", why.sentence);
    return plan;
}

/* Both kinds have events of the loss epsilon: it is seen within what so many
 * samples can tell. */
static void what_is_shipped_passes(void **state) {
    (void)state;
    double samples = points_needed(100000, 1000000);
    for (int stairs = 0; stairs < 2; stairs++) {
        static seeded source;
        dpn_plan plan = plan_of(stairs);
        dpn_sensitivity set;
        assert_int_equal(dpn_plan_sensitivity(&set, &plan, NULL), DPN_OK);
        dpn_audit_options options = {
            .size = sizeof(dpn_audit_options), .plan = &plan, .set = &set, .samples = (uint64_t)samples};
        dpn_audit audit;
        dpn_error why;
        seeded_begin(&source, 31);
        if (dpn_audit_run(&audit, &options, &source.rng, &why)) fail_msg("%s", why.sentence);
        print_message("# epsilon at least %g of 1\n", audit.at.epsilon_lower);
        assert_true(audit.pass && audit.at.epsilon == 1 && audit.at.delta == 0);
        assert_true(audit.at.epsilon_lower > 1 - 25 / sqrt(samples) && audit.at.epsilon_lower <= 1);
        dpn_plan_free(&plan);
    }
}

/* ---- faults ---- */

/* The size is drawn for these offsets and rate, the sides have those of the
 * plan: what a careless hand does that gives the two parts of the noise
 * different parameters. */
typedef struct careless {
    seeded source;
    dpn_start_size size;
    bool twice; /* a size for each answer */
} careless;

static dpn_status run_careless(void *context, int64_t *out, const int64_t *input, size_t count, dpn_error *why) {
    static const double c[ANSWERS] = {0.45, 2.6}, scale[ANSWERS] = {1, 0.25};
    careless *self = context;
    (void)why;
    for (size_t n = 0; n < count; n++, out += ANSWERS) {
        double t = 0;
        for (size_t i = 0; i < ANSWERS; i++) {
            if (i == 0 || self->twice) {
                dpn_lazy r;
                assert_int_equal(dpn_start_size_draw(&r, &self->size, &self->source.rng), DPN_DRAWN);
                t = self->size.stairs ? (double)r.whole[0] : dpn_lazy_double(&r) / self->size.rate;
            }
            double side = scale[i] * (c[i] + t);
            out[i] = llround(0x1p16 * side * draw_uniform(&self->source.source, -1, 1)) + input[i];
        }
    }
    return DPN_OK;
}

static bool passes(bool stairs, double rate, const double *c, bool twice, double samples) {
    static careless self;
    dpn_plan plan = plan_of(stairs);
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
    self = (careless){.twice = twice};
    seeded_begin(&self.source, 32);
    assert_int_equal(dpn_start_size_make(&self.size, stairs, rate, c, ANSWERS, NULL), DPN_OK);
    if (dpn_audit_mechanism(&audit, &options, &(dpn_mechanism){run_careless, &self}, &why))
        fail_msg("%s", why.sentence);
    dpn_start_size_free(&self.size);
    dpn_plan_free(&plan);
    return audit.pass;
}

static void planted_faults_are_found(void **state) {
    (void)state;
    const double right[] = {0.45, 2.6}, larger[] = {0.45, 5}, smaller[] = {0.1, 2.6};
    double samples = points_needed(40000, 1000000), many = points_needed(200000, 1000000),
           rate = 1 / (points_are_many() ? 0.96 : 0.92);
    for (int stairs = 0; stairs < 2; stairs++) {
        assert_true(passes(stairs, 1, right, false, samples));
        assert_false(passes(stairs, 1, larger, false, many));   /* offsets that the accountant did not see */
        assert_false(passes(stairs, rate, right, false, many)); /* it grows too little */
        assert_false(passes(stairs, 1, right, true, many));     /* a hidden size drawn twice */
        /* A size that is drawn as if the start were smaller falls slower: that costs error, not privacy. */
        assert_true(passes(stairs, 1, smaller, false, samples));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shipped_passes),
        cmocka_unit_test(planted_faults_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
