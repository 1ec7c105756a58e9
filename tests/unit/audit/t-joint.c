/* Audits of K-norm noise: boxes meet the profile of Laplace noise with equality at their corner, other balls stay below it,
 * and faults that were planted are found. Seeded: a verdict is the same each time. A long run tries 10^6 samples and a scale
 * that is three percent too small. */
#include "audit/audit.h"
#include "unit/random/seeded.h"
#include "unit/points.h"

#include <dpnoise/geometry.h>
#include <dpnoise/vector-sampler.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };

static dpn_plan plan_of(const char *text) {
    dpn_plan plan = {0};
    dpn_error why;
    if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s", why.sentence);
    return plan;
}

static dpn_sensitivity set_of(const dpn_plan *plan) {
    dpn_sensitivity set;
    assert_int_equal(dpn_plan_sensitivity(&set, plan, NULL), DPN_OK);
    return set;
}

/* ---- What is shipped ---- */

static dpn_audit audit_of(const char *text, double samples, uint64_t seed) {
    static seeded source;
    dpn_plan plan = plan_of(text);
    dpn_sensitivity set = set_of(&plan);
    dpn_audit_options options = {
        .size = sizeof(dpn_audit_options), .plan = &plan, .set = &set, .samples = (uint64_t)samples};
    dpn_audit audit;
    dpn_error why;
    seeded_begin(&source, seed);
    if (dpn_audit_run(&audit, &options, &source.rng, &why)) fail_msg("%s: %s", text, why.sentence);
    dpn_plan_free(&plan);
    return audit;
}

/* The bounds are about ten standard deviations below the truth: both ends of an event, at five each. */
static void boxes_meet_the_profile_at_their_corner(void **state) {
    (void)state;
    static const struct {
        const char *plan;
        double epsilon;
    } cases[] = {
        {"[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=box,epsilon=1)\", \"sensitivities\": [1, 2]}]", 1},
        {"[{\"coordinates\": \"0-4\", \"noise\": \"k-norm(ball=box,epsilon=1)\", \"sensitivities\": [1, 1, 2, 0.5, "
         "3]}]",
         1},
        {"[{\"coordinates\": \"0-4\", \"noise\": \"k-norm(ball=box,epsilon=0.25)\", \"sensitivities\": 1}]", 0.25},
    };
    double samples = points_needed(100000, 1000000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double epsilon = cases[i].epsilon;
        dpn_audit audit = audit_of(cases[i].plan, samples, i + 1);
        assert_true(audit.pass && audit.at.delta == 0 && audit.at.epsilon == epsilon);
        print_message("# %g samples: epsilon at least %g of %g\n", samples, audit.at.epsilon_lower, epsilon);
        assert_true(audit.at.epsilon_lower <= epsilon && audit.at.epsilon_lower > epsilon - 15 / sqrt(samples));
        for (int k = 0; k < DPN_AUDIT_POINTS; k++) {
            const dpn_audit_point *point = &audit.point[k];
            double truth = -expm1((point->epsilon - epsilon) / 2); /* of Laplace noise */
            assert_true(fabs(point->delta - truth) < 1e-9);
            assert_true(point->delta_lower <= truth && point->delta_lower > truth - 8 / sqrt(samples));
        }
    }
}

/* Blocks compose: two boxes and a law together have the loss of three Laplace laws. */
static void blocks_and_laws_compose(void **state) {
    (void)state;
    dpn_audit audit =
        audit_of("[{\"coordinates\": \"0,3\", \"noise\": \"k-norm(ball=box,epsilon=0.5)\", \"sensitivities\": [1, 2]},"
                 " {\"coordinates\": \"1-2\", \"noise\": \"k-norm(ball=box,epsilon=0.25)\", \"sensitivities\": 1},"
                 " {\"coordinates\": \"4\", \"noise\": \"laplace(scale=4)\", \"sensitivities\": 1},"
                 " {\"coordinates\": \"5\", \"noise\": \"none\", \"sensitivities\": 0}]",
                 points_needed(100000, 1000000), 5);
    double truth = audit.point[0].delta, seen = audit.point[0].delta_lower;
    assert_true(audit.pass && audit.at.epsilon == 1 && audit.at.epsilon_lower > 0.9);
    if (!(seen <= truth && seen > truth - 8 / sqrt(points_needed(100000, 1000000))))
        fail_msg("%g, not %g", seen, truth);
}

/* In an l2 ball the loss is smaller than that of the accountant almost everywhere. */
static void l2_balls_stay_below(void **state) {
    (void)state;
    dpn_audit audit = audit_of("{\"plan\": [{\"coordinates\": \"0-2\", \"noise\": \"k-norm(ball=l2,epsilon=1)\","
                               " \"sensitivities\": 1}], \"sensitivity\": {\"l2\": 1}}",
                               points_needed(100000, 1000000), 6);
    assert_true(audit.pass && audit.at.epsilon == 1);
    assert_true(audit.at.epsilon_lower > 0.75 && audit.point[0].delta_lower < 0.3); /* of 0.39 */
}

/* A weighted l1 ball at a vertex: Laplace noise, with equality. */
static void l1_balls_meet_the_profile_at_a_vertex(void **state) {
    (void)state;
    double samples = points_needed(100000, 1000000);
    dpn_audit audit = audit_of("{\"plan\": [{\"coordinates\": \"0-2\", \"noise\": \"k-norm(ball=l1,epsilon=1)\","
                               " \"sensitivities\": 2, \"sides\": 2}], \"sensitivity\": {\"l1\": 2}}",
                               samples, 8);
    assert_true(audit.pass && audit.at.epsilon == 1 && audit.at.epsilon_lower > 1 - 15 / sqrt(samples));
}

/* ---- Noise that the caller draws ---- */

static dpn_status draw_hull(int64_t *steps, const void *sampler, dpn_rng *rng, dpn_error *why) {
    return dpn_ball_sampler_draw(steps, sampler, rng, why);
}

static double hull_norm(const void *ball, const double *v) {
    return dpn_ball_norm(ball, v);
}

/* With the axes for vertices the hull is the l1 ball, and a move to a vertex has the loss of Laplace noise. The logarithm of a ratio of shares
 * near 1/2 and 1/(2e) of N samples has a standard deviation of 2.3/sqrt(N); the bound is four below the estimate, and that
 * six below the truth once in 10^9. */
static void hulls_at_a_vertex(void **state) {
    (void)state;
    static seeded source;
    static const double axes[] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, more[] = {2, 0, 0, 0, 1, 0, 0, 0, 1, 1.5, 0.5, 0.75};
    const int grid[] = {-12, -12, -12};
    double samples = points_needed(100000, 1000000);
    for (int k = 0; k < 2; k++) {
        dpn_sensitivity set = {.dimension = 3, .vertex = k ? more : axes, .vertices = k ? 4 : 3};
        dpn_norm_ball *ball;
        dpn_ball_sampler *sampler;
        dpn_audit audit;
        dpn_error why;
        assert_int_equal(dpn_ball_hull(&ball, 3, set.vertex, set.vertices, NULL), DPN_OK);
        assert_int_equal(dpn_ball_sampler_new(&sampler, ball, 1, grid, NULL), DPN_OK);
        dpn_audit_joint joint = {draw_hull, hull_norm, sampler, ball, 1, 1};
        dpn_audit_options options = {.size = sizeof(dpn_audit_options),
                                     .joint = &joint,
                                     .set = &set,
                                     .samples = (uint64_t)samples,
                                     .has_grid = true,
                                     .grid_exponent = -12};
        seeded_begin(&source, 7);
        if (dpn_audit_run(&audit, &options, &source.rng, &why)) fail_msg("%s", why.sentence);
        double seen = audit.point[0].delta_lower, most = -expm1(-0.5);
        assert_true(audit.pass && audit.at.epsilon == 1 && audit.pairs == 1 && seen <= most);
        if (k == 0 && !(audit.at.epsilon_lower > 1 - 25 / sqrt(samples) && seen > most - 8 / sqrt(samples)))
            fail_msg("epsilon at least %g, delta(0) at least %g of %g", audit.at.epsilon_lower, seen, most);
        options.has_grid = false;
        assert_int_equal(dpn_audit_run(&audit, &options, &source.rng, NULL), DPN_EDOMAIN);
        dpn_ball_sampler_free(sampler);
        dpn_ball_free(ball);
    }
}

/* ---- Faults ---- */

enum fault { NO_FAULT, RADIUS_OF_THE_SURFACE, RADII_APART };

/* Noise of the box of sides 1, in steps of 2^-16, that a careless hand wrote: floating-point uniform numbers and gamma
 * variables as sums of exponentials, of the wrong shape or one for each coordinate (Laplace noise). Or the shipped noise at another rate. */
typedef struct careless {
    dpn_vector_sampler *sampler;
    seeded source;
    size_t dimension;
    enum fault fault;
} careless;

static double gamma_of(careless *self, size_t shape) {
    double sum = 0;
    for (size_t i = 0; i < shape; i++) sum -= log(draw_uniform(&self->source.source, 0x1p-60, 1));
    return sum;
}

static dpn_status run_careless(void *context, int64_t *out, const int64_t *input, size_t count, dpn_error *why) {
    careless *self = context;
    size_t m = self->dimension;
    for (size_t n = 0; n < count; n++, out += m) {
        if (self->fault == NO_FAULT) {
            dpn_status status = dpn_vector_sampler_draw(out, self->sampler, &self->source.rng, why);
            if (status) return status;
        }
        double radius = gamma_of(self, self->fault == RADIUS_OF_THE_SURFACE ? m : m + 1);
        for (size_t i = 0; i < m; i++) {
            if (self->fault == RADII_APART) radius = gamma_of(self, 2);
            if (self->fault != NO_FAULT) out[i] = llround(0x1p16 * radius * draw_uniform(&self->source.source, -1, 1));
            out[i] += input[i];
        }
    }
    return DPN_OK;
}

static dpn_audit audit_careless(size_t m, double rate, enum fault fault, double samples, uint64_t seed) {
    static careless self;
    char text[200];
    double side[MOST];
    int grid[MOST];
    snprintf(text, sizeof text,
             "[{\"coordinates\": \"0-%zu\", \"noise\": \"k-norm(ball=box,epsilon=1)\", \"sensitivities\": 1}]", m - 1);
    dpn_plan plan = plan_of(text);
    dpn_sensitivity set = set_of(&plan);
    dpn_audit_options options = {.size = sizeof(dpn_audit_options),
                                 .plan = &plan,
                                 .set = &set,
                                 .samples = (uint64_t)samples,
                                 .has_grid = true,
                                 .grid_exponent = -16};
    dpn_audit audit;
    dpn_error why;
    for (size_t i = 0; i < m; i++) {
        side[i] = 1;
        grid[i] = -16;
    }
    self = (careless){.dimension = m, .fault = fault};
    seeded_begin(&self.source, seed);
    assert_int_equal(dpn_vector_sampler_lp(&self.sampler, m, INFINITY, side, rate, grid, NULL), DPN_OK);
    if (dpn_audit_mechanism(&audit, &options, &(dpn_mechanism){run_careless, &self}, &why))
        fail_msg("%s", why.sentence);
    dpn_vector_sampler_free(self.sampler);
    dpn_plan_free(&plan);
    return audit;
}

static void planted_faults_are_found(void **state) {
    (void)state;
    double rate = 1 / (points_are_many() ? 0.97 : 0.94), samples = points_needed(200000, 1000000);
    static const size_t dimension[] = {2, 5};
    for (int i = 0; i < 2; i++) {
        size_t m = dimension[i];
        assert_true(audit_careless(m, 1, NO_FAULT, points_needed(50000, 1000000), 11).pass);
        dpn_audit narrow = audit_careless(m, rate, NO_FAULT, samples, 12);
        print_message("# scale too small by %g: epsilon at least %g of %g\n", 1 - 1 / rate, narrow.at.epsilon_lower,
                      rate);
        assert_true(!narrow.pass && narrow.at.epsilon_lower > narrow.at.epsilon && narrow.at.epsilon_lower < rate);
        assert_false(audit_careless(m, 1, RADIUS_OF_THE_SURFACE, points_needed(50000, 1000000), 13).pass);
        assert_false(audit_careless(m, 1, RADII_APART, points_needed(50000, 1000000), 14).pass);
    }
}

/* ---- Refusals ---- */

static void requests_that_are_refused(void **state) {
    (void)state;
    static seeded source;
    seeded_begin(&source, 9);
    static const char still_though_it_moves[] =
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=box,epsilon=1)\", \"sensitivities\": 1},"
        " {\"coordinates\": \"2\", \"noise\": \"none\", \"sensitivities\": 1}]";
    static const char *const text[] = {
        "[{\"coordinates\": \"0\", \"noise\": \"pure(epsilon=1)\", \"sensitivities\": 1}]",
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=l1,epsilon=1)\", \"sensitivities\": 1}]",
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=hull,epsilon=1)\", \"sensitivities\": 1}]",
        "[{\"coordinates\": \"0-1\", \"noise\": \"k-norm(ball=l2,epsilon=1)\", \"sensitivities\": 1}]",
        still_though_it_moves,
    };
    static const dpn_status expected[] = {DPN_EUNSUPPORTED, DPN_EDOMAIN, DPN_EUNSUPPORTED, DPN_EDOMAIN, DPN_EDOMAIN};
    dpn_law law;
    assert_int_equal(dpn_law_parse(&law, "laplace(scale=1)", NULL), DPN_OK);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        dpn_plan plan = plan_of(text[i]);
        dpn_sensitivity set = set_of(&plan), other = {.dimension = 7, .linf = 1};
        dpn_audit_options options = {.size = sizeof(dpn_audit_options), .plan = &plan, .set = &set, .samples = 1000};
        dpn_audit audit = {.samples = 7};
        dpn_error why = {0};
        dpn_status status = dpn_audit_run(&audit, &options, &source.rng, &why);
        if (status != expected[i]) fail_msg("plan %zu: status %d, %s", i, (int)status, why.sentence);
        options.law = &law;
        assert_int_equal(dpn_audit_run(&audit, &options, &source.rng, NULL), DPN_EDOMAIN); /* two kinds of noise */
        options = (dpn_audit_options){.size = sizeof(dpn_audit_options), .plan = &plan, .set = &other, .samples = 1000};
        assert_int_equal(dpn_audit_run(&audit, &options, &source.rng, NULL), DPN_EDOMAIN);
        assert_int_equal(audit.samples, 7);
        dpn_plan_free(&plan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_meet_the_profile_at_their_corner),
        cmocka_unit_test(blocks_and_laws_compose),
        cmocka_unit_test(l2_balls_stay_below),
        cmocka_unit_test(l1_balls_meet_the_profile_at_a_vertex),
        cmocka_unit_test(hulls_at_a_vertex),
        cmocka_unit_test(planted_faults_are_found),
        cmocka_unit_test(requests_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
