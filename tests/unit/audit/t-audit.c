/* Audits: what is shipped passes, and faults that were planted are found. Faults of one percent need 10^7 draws: two seconds.
 *
 * Random words come from a seeded source: a verdict is the same each time. */
#include "audit/audit.h"
#include "audit/judge.h"
#include "audit/proportion.h"
#include "unit/random/seeded.h"
#include "unit/points.h"

#include <dpnoise/sampler.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_law law_of(const char *text) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why)) fail_msg("%s", why.sentence);
    return law;
}

/* ---- What is shipped ---- */

static void what_is_shipped_passes(void **state) {
    (void)state;
    static const struct {
        const char *law;
        size_t dimension;
        double linf, l1, l2;
        size_t max_changed;
    } cases[] = {
        {"laplace(scale=1)", 1, 1, 0, 0, 0},
        {"gaussian(sigma=2)", 3, 1, 0, 0, 0},
        {"gaussian(sigma=2)", 3, 0, 0, 1.5, 0},
        {"laplace(scale=2)", 5, 0, 1.5, 0, 0},
        {"laplace(scale=3)", 4, 0, 0, 1, 0},
        {"flipped-huber(alpha=3,gamma=1)", 1, 1, 0, 0, 0},
        {"osgt(m=3,sigma=6.3)", 4, 2, 0, 0, 2},
        {"staircase(epsilon=1,sensitivity=1,gamma=0.4)", 1, 1, 0, 0, 0},
        {"truncated-laplace(scale=1,bound=3)", 1, 1, 0, 0, 0},
        {"logistic(scale=1)", 1, 0.3, 0, 0, 0},
        {"subbotin(p=1.5,scale=1)", 1, 1, 0, 0, 0},
        {"huber(alpha=1,gamma=1)", 1, 1, 0, 0, 0},
        {"discrete-laplace(scale=0.7)", 2, 1, 0, 0, 1},
        {"discrete-gaussian(sigma=3)", 1, 2, 0, 0, 0},
        {"discrete-osgt(m=1,sigma=2)", 1, 1, 0, 0, 0},
        {"discrete-flipped-huber(alpha=3,gamma=2)", 1, 1, 0, 0, 0},
    };
    static seeded source;
    uint64_t samples = (uint64_t)points_needed(100000, 1000000);
    seeded_begin(&source, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_law law = law_of(cases[i].law);
        dpn_sensitivity set = {.dimension = cases[i].dimension,
                               .linf = cases[i].linf,
                               .l1 = cases[i].l1,
                               .l2 = cases[i].l2,
                               .max_changed = cases[i].max_changed};
        dpn_audit_options options = {
            .size = sizeof(dpn_audit_options), .law = &law, .laws = 1, .set = &set, .samples = samples};
        dpn_audit audit;
        dpn_error why;
        if (dpn_audit_run(&audit, &options, &source.rng, &why)) fail_msg("%s: %s", cases[i].law, why.sentence);
        if (!audit.pass)
            fail_msg("%s: %g at delta %g, not %g", cases[i].law, audit.at.epsilon_lower, audit.at.delta,
                     audit.at.epsilon);
        assert_true(audit.at.epsilon_lower <= audit.at.epsilon && audit.at.epsilon < audit.at.power);
        assert_true(audit.confidence == 0.999 && audit.samples == samples);
        /* It sees the guarantee from below, wherever the claim is exact: not for Laplace noise on an l2 ball. */
        double seen = audit.point[0].delta_lower, claimed = audit.point[0].delta;
        bool exact = set.l2 == 0 || strcmp(dpn_law_family(&law), "gaussian") == 0;
        if (exact && !(seen <= claimed && seen > 0.9 * claimed - 0.01))
            fail_msg("%s: delta(0) at least %g, claimed %g", cases[i].law, seen, claimed);
    }
}

/* ---- Faults ---- */

enum fault {
    NO_FAULT,
    MOVED_TOO_FAR, /* the input, by a step of the grid */
    DOUBLED_ZERO,
    NO_SIGN,
    SAME_NOISE, /* on two answers */
    OPPOSITE_NOISE,
    LOW_BIT_STUCK,
    SIGN_BIT_AGAIN,
};

/* The mechanism of a test: the law that is really drawn, and what goes wrong. */
typedef struct faulty {
    dpn_sampler *sampler;
    seeded source;
    size_t dimension;
    enum fault fault;
    double zero; /* the probability of 0 */
} faulty;

static int64_t spoil(faulty *self, int64_t noise) {
    switch (self->fault) {
    case DOUBLED_ZERO: /* 0 has twice its share, the others what is left */
        return draw_chance(&self->source.source, self->zero / (1 + self->zero)) ? 0 : noise;
    case NO_SIGN:
        return llabs(noise);
    case LOW_BIT_STUCK:
        return noise & ~INT64_C(1);
    case SIGN_BIT_AGAIN: /* the bit of the sign serves as the lowest one too */
        return (noise & ~INT64_C(1)) | (noise < 0);
    default:
        return noise;
    }
}

static dpn_status run_faulty(void *context, int64_t *out, const int64_t *input, size_t count, dpn_error *why) {
    faulty *self = context;
    size_t dimension = self->dimension;
    dpn_status status = dpn_sampler_draw(out, self->sampler, &self->source.rng, count * dimension, why);
    for (size_t n = 0; n < count && !status; n++, out += dimension) {
        if (self->fault == SAME_NOISE) out[1] = out[0];
        if (self->fault == OPPOSITE_NOISE) out[1] = -out[0];
        for (size_t i = 0; i < dimension; i++)
            out[i] = input[i] + spoil(self, out[i]) + (self->fault == MOVED_TOO_FAR && input[i] > 0);
    }
    return status;
}

typedef struct planted {
    const char *claimed, *real; /* laws */
    double sensitivity, samples;
    int grid;
    size_t dimension;
    enum fault fault;
} planted;

static dpn_audit audit_of(const planted *plan, uint64_t seed) {
    static faulty mechanism;
    dpn_law claimed = law_of(plan->claimed), real = law_of(plan->real);
    dpn_sensitivity set = {.dimension = plan->dimension, .linf = plan->sensitivity};
    dpn_audit_options options = {.size = sizeof(dpn_audit_options),
                                 .law = &claimed,
                                 .laws = 1,
                                 .set = &set,
                                 .samples = (uint64_t)plan->samples,
                                 .has_grid = true,
                                 .grid_exponent = plan->grid};
    dpn_error why;
    mechanism = (faulty){.dimension = plan->dimension, .fault = plan->fault};
    seeded_begin(&mechanism.source, seed);
    double half = dpn_law_is_integer(&real) ? 0.5 : ldexp(0.5, plan->grid);
    mechanism.zero = dpn_law_cdf(&real, half) - dpn_law_cdf(&real, -half);
    if (dpn_sampler_new(&mechanism.sampler, &real, plan->grid, &why)) fail_msg("%s", why.sentence);
    dpn_audit audit;
    if (dpn_audit_mechanism(&audit, &options, &(dpn_mechanism){run_faulty, &mechanism}, &why))
        fail_msg("%s", why.sentence);
    dpn_sampler_free(mechanism.sampler);
    return audit;
}

static const planted faults[] = {
    {"laplace(scale=1)", "laplace(scale=0.99)", 1, 1e7, -16, 1, NO_FAULT},
    {"gaussian(sigma=1)", "gaussian(sigma=0.99)", 1, 1e7, -16, 1, NO_FAULT},
    {"laplace(scale=1)", "laplace(scale=1)", 1, 2e6, -5, 1, MOVED_TOO_FAR},
    {"discrete-gaussian(sigma=6)", "discrete-gaussian(sigma=6)", 4, 1e5, 0, 1, MOVED_TOO_FAR},
    {"discrete-laplace(scale=1)", "discrete-laplace(scale=1)", 1, 1e5, 0, 1, DOUBLED_ZERO},
    {"laplace(scale=1)", "laplace(scale=1)", 1, 2e6, -10, 1, DOUBLED_ZERO},
    {"gaussian(sigma=1)", "gaussian(sigma=1)", 1, 1e5, -16, 1, NO_SIGN},
    {"laplace(scale=9)", "laplace(scale=9)", 1, 1e5, -16, 1, NO_SIGN},
    {"laplace(scale=9)", "laplace(scale=9)", 1, 1e5, -16, 2, SAME_NOISE},
    {"laplace(scale=9)", "laplace(scale=9)", 1, 1e5, -16, 2, OPPOSITE_NOISE},
    {"laplace(scale=9)", "laplace(scale=9)", 1, 1e5, -16, 1, LOW_BIT_STUCK},
    {"laplace(scale=9)", "laplace(scale=9)", 1, 1e5, -16, 1, SIGN_BIT_AGAIN},
};

static void planted_faults_are_found(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        dpn_audit audit = audit_of(&faults[i], i + 1);
        if (audit.pass) fail_msg("fault %zu was not found", i);
        assert_true(audit.at.epsilon_lower > audit.at.epsilon && audit.at.delta_lower > audit.at.delta);
    }
}

/* The same mechanisms without their fault pass: it is the fault that was found. */
static void without_the_fault_they_pass(void **state) {
    (void)state;
    for (size_t i = 2; i < sizeof faults / sizeof *faults; i++) {
        planted honest = faults[i];
        honest.real = honest.claimed;
        honest.fault = NO_FAULT;
        honest.samples = fmin(honest.samples, 1e5);
        if (!audit_of(&honest, i + 1).pass) fail_msg("fault %zu was found where it is not", i);
    }
}

/* A fault as large as the power that is told is found nine times in ten, and a tenth of it hardly ever. */
static void the_power_is_as_told(void **state) {
    (void)state;
    enum { ROUNDS = 40 };
    planted honest = {"laplace(scale=1)", "laplace(scale=1)", 1, 20000, -16, 1, NO_FAULT};
    double power = audit_of(&honest, 1).at.power, found[2] = {0};
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < 2; k++) {
            char text[64];
            snprintf(text, sizeof text, "laplace(scale=%.17g)", 1 / (1 + (power - 1) * (k ? 0.1 : 1)));
            planted shrunk = honest;
            shrunk.real = text;
            found[k] += !audit_of(&shrunk, (uint64_t)(1000 * k + i + 2)).pass;
        }
    print_message("# power %.4g: found %g of %d, a tenth of it %g\n", power, found[0], ROUNDS, found[1]);
    assert_true(found[0] >= 30); /* of 36 expected, with a standard deviation of 2 */
    assert_true(found[1] <= 2);
}

/* ---- Claims ---- */

static void claims_that_are_given(void **state) {
    (void)state;
    static seeded source;
    seeded_begin(&source, 5);
    static const struct {
        const char *law;
        double epsilon, delta;
        bool pass;
    } cases[] = {
        {"laplace(scale=1)", 1, 0, true},       {"laplace(scale=1)", 0.9, 0, false},
        {"laplace(scale=1)", 0.9, 0.06, true},  {"laplace(scale=1)", 0.9, 0.03, false},
        {"laplace(scale=1)", 5, 0, true},       {"gaussian(sigma=1)", 1, 0.13, true},
        {"gaussian(sigma=1)", 1, 0.11, false},  {"gaussian(sigma=1)", 0, 0.39, true},
        {"gaussian(sigma=1)", 0, 0.37, false},  {"gaussian(sigma=1)", 2, 1e-6, false},
        {"laplace(scale=1e-3)", 1000, 0, true}, {"laplace(scale=1e-3)", 1, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpn_law law = law_of(cases[i].law);
        dpn_sensitivity set = {.dimension = 1, .linf = 1};
        dpn_audit_options options = {.size = sizeof(dpn_audit_options),
                                     .law = &law,
                                     .laws = 1,
                                     .set = &set,
                                     .samples = 500000,
                                     .claimed = true,
                                     .epsilon = cases[i].epsilon,
                                     .at_delta = true,
                                     .delta = cases[i].delta};
        dpn_audit audit;
        dpn_error why;
        if (dpn_audit_run(&audit, &options, &source.rng, &why)) fail_msg("%s", why.sentence);
        if (audit.pass != cases[i].pass)
            fail_msg("case %zu: %g against %g", i, audit.at.epsilon_lower, audit.at.epsilon);
    }
}

/* ---- Refusals ---- */

static void requests_that_are_refused(void **state) {
    (void)state;
    static seeded source;
    seeded_begin(&source, 6);
    dpn_law law = law_of("laplace(scale=1)"), whole = law_of("discrete-laplace(scale=1)");
    double halves[] = {1.5, 1}, third[] = {1, 1.0 / 3, 0, 1}, rows[] = {1, 1, 1, -1};
    dpn_sensitivity set = {.dimension = 1, .linf = 1}, open = {.dimension = 2}, many = {.dimension = 257, .linf = 1},
                    still = {.dimension = 1, .linf = 0.25}, vertices = {.dimension = 2, .vertex = rows, .vertices = 2},
                    thirds = {.dimension = 2, .vertex = third, .vertices = 2},
                    fractions = {.dimension = 2, .vertex = halves, .vertices = 1},
                    mixed = {.dimension = 2, .vertex = rows, .vertices = 1, .linf = 1};
    const struct {
        dpn_audit_options options;
        dpn_status status;
    } bad[] = {
        {{.law = &law, .laws = 1, .set = &set, .samples = 999}, DPN_EDOMAIN},
        {{.law = &law, .laws = 1, .set = &set, .samples = 1000000000001}, DPN_EDOMAIN},
        {{.law = &law, .laws = 2, .set = &set, .samples = 1000}, DPN_EDOMAIN},
        {{.laws = 1, .set = &set, .samples = 1000}, DPN_EDOMAIN},
        {{.law = &law, .laws = 1, .samples = 1000}, DPN_EDOMAIN},
        {{.law = &law, .laws = 1, .set = &open, .samples = 1000}, DPN_EDOMAIN},
        {{.law = &law, .laws = 1, .set = &many, .samples = 1000}, DPN_EUNSUPPORTED},
        {{.law = &whole, .laws = 1, .set = &still, .samples = 1000}, DPN_EDOMAIN},
        {{.law = &law, .laws = 1, .set = &set, .samples = 1000, .has_grid = true, .grid_exponent = 1}, DPN_EDOMAIN},
        {{.law = &law, .laws = 1, .set = &set, .samples = 1000, .has_grid = true, .grid_exponent = -70}, DPN_EDOMAIN},
        {{.law = &law, .laws = 1, .set = &thirds, .samples = 1000}, DPN_EUNSUPPORTED},
        {{.law = &whole, .laws = 1, .set = &fractions, .samples = 1000}, DPN_EUNSUPPORTED},
        {{.law = &whole, .laws = 1, .set = &mixed, .samples = 1000}, DPN_EUNSUPPORTED},
        {{.law = &law, .laws = 1, .set = &set, .samples = 1000, .claimed = true, .epsilon = -1}, DPN_EDOMAIN},
        {{.law = &law, .laws = 1, .set = &set, .samples = 1000, .claimed = true, .epsilon = INFINITY}, DPN_EDOMAIN},
        {{.law = &law, .laws = 1, .set = &set, .samples = 1000, .at_delta = true, .delta = 1}, DPN_EDOMAIN},
        {{.law = &law, .laws = 1, .set = &set, .samples = 1000, .at_delta = true, .delta = NAN}, DPN_EDOMAIN},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_audit audit, before;
        dpn_error why = {0};
        memset(&audit, 0x5a, sizeof audit);
        before = audit;
        dpn_audit_options options = bad[i].options;
        options.size = sizeof options;
        dpn_status status = dpn_audit_run(&audit, &options, &source.rng, &why);
        if (status != bad[i].status) fail_msg("case %zu: status %d, %s", i, (int)status, why.sentence);
        assert_memory_equal(&audit, &before, sizeof audit);
        assert_true(why.sentence[0]);
    }
    dpn_audit audit;
    dpn_audit_options good = {
        .size = sizeof(dpn_audit_options), .law = &whole, .laws = 1, .set = &vertices, .samples = 1000};
    assert_int_equal(dpn_audit_run(&audit, &good, &source.rng, NULL), DPN_OK);
    good.law = &law;
    assert_int_equal(dpn_audit_run(&audit, &good, &source.rng, NULL), DPN_OK);
    assert_true(audit.pass && audit.pairs == 1);
    assert_int_equal(dpn_audit_run(&audit, &good, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_audit_run(NULL, &good, &source.rng, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_audit_run(&audit, NULL, &source.rng, NULL), DPN_EDOMAIN);
}

/* A mechanism that fails, fails the audit. */
static dpn_status fails_later(void *context, int64_t *out, const int64_t *input, size_t count, dpn_error *why) {
    int *left = context;
    for (size_t i = 0; i < count; i++) out[i] = *input;
    if ((*left)-- > 0) return DPN_OK;
    *why = (dpn_error){DPN_EENTROPY, "no more"};
    return DPN_EENTROPY;
}

static void a_failing_source_gives_no_verdict(void **state) {
    (void)state;
    dpn_law law = law_of("laplace(scale=1)");
    dpn_sensitivity set = {.dimension = 1, .linf = 1};
    dpn_audit_options options = {
        .size = sizeof(dpn_audit_options), .law = &law, .laws = 1, .set = &set, .samples = 3000};
    for (int k = 0; k <= 9; k++) { /* three batches of three inputs */
        dpn_audit audit = {.pass = true, .samples = 7};
        dpn_error why;
        int left = k;
        dpn_status status = dpn_audit_mechanism(&audit, &options, &(dpn_mechanism){fails_later, &left}, &why);
        assert_int_equal(status, k < 9 ? DPN_EENTROPY : DPN_OK);
        assert_true(k < 9 ? audit.samples == 7 : !audit.pass); /* no noise at all is found too */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shipped_passes),
        cmocka_unit_test(planted_faults_are_found),
        cmocka_unit_test(without_the_fault_they_pass),
        cmocka_unit_test(the_power_is_as_told),
        cmocka_unit_test(claims_that_are_given),
        cmocka_unit_test(requests_that_are_refused),
        cmocka_unit_test(a_failing_source_gives_no_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
