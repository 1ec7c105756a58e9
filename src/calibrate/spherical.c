/* Plans of spherical noise. */
#include "calibrate/spherical.h"

#include "base/error.h"
#include "calibrate/ball.h"
#include "calibrate/golden.h"
#include "calibrate/mechanism.h"
#include "calibrate/plan.h"
#include "calibrate/spherical-noise.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <stdlib.h>

/* ---- the search ----
 * alpha = h/s and beta = (1 - h)/(m s^2): h = 1 is K-norm noise and h = 0 Gaussian noise, both of about the same width. For every h there is a
 * scale s with the delta that is asked for, and one h has the least error.
 */
typedef struct trial {
    const dpn_problem *problem;
    double m, log_scale; /* where the last look ended */
    double near;         /* of log delta */
} trial;

static void parameters(double *alpha, double *beta, const trial *t, double h, double log_scale) {
    double s = exp(log_scale);
    *alpha = h / s;
    *beta = (1 - h) / (t->m * s * s);
}

/* log delta over the one asked for; NaN if it is not to be had. */
static double height(const trial *t, double h, double log_scale) {
    double alpha, beta;
    dpn_loss loss;
    dpn_delta delta;
    parameters(&alpha, &beta, t, h, log_scale);
    if (dpn_problem_is_cancelled(t->problem) || dpn_loss_spherical(&loss, alpha, beta, (size_t)t->m, NULL)) return NAN;
    dpn_part part = {loss, 1};
    if (dpn_compose_delta(&delta, t->problem->options.workspace, &part, 1, t->problem->epsilon, NULL, NULL)) return NAN;
    return fmax(delta.log_upper, -1e3) - log(t->problem->delta);
}

/* The least scale, nearly: delta falls as it grows. Secants, or halves where they leave the bracket. False if there is none. */
static bool find_scale(trial *t, double h) {
    double x = t->log_scale, low = -INFINITY, high = INFINITY, best = -INFINITY, slope = -8, before = NAN, at = x;
    for (int i = 0; i < 80 && !(best > -t->near) && !(high - low < 1e-14); i++) {
        double here = height(t, h, x);
        if (isnan(here)) return false;
        if (here <= 0)
            high = x, best = here;
        else
            low = x;
        if (x != at) slope = fmin((here - before) / (x - at), -0.2); /* not at first */
        at = x;
        before = here;
        x = at - fmin(fmax((here + 0.4 * t->near) / slope, -0.3), 0.3);
        if (!(x > low && x < high) || i % 8 == 7)
            x = isinf(low) ? high - 0.1 : isinf(high) ? low + 0.1 : 0.5 * (low + high);
    }
    t->log_scale = high;
    return isfinite(high);
}

/* In x = -log(1 - h). */
static double error_at(void *context, double x) {
    trial *t = context;
    double h = -expm1(-x), alpha, beta, start = t->log_scale;
    if (!find_scale(t, h)) {
        t->log_scale = start;
        return INFINITY;
    }
    parameters(&alpha, &beta, t, h, t->log_scale);
    return log(dpn_spherical_error(t->m, alpha, beta, t->problem->options.objective));
}

/* Where the least error seems to lie at the end next to Gaussian noise, nearer to it. The other end is within some thousandths of K-norm noise, which
 * compare shows beside it, and deltas take long next to it. */
static double find_shape(trial *t) {
    enum { LOOKS = 15, NEARER = 3 };
    static const double first = 0.05, last = 9, nearer[NEARER] = {0.01, 0.001, 1e-4};
    double x = dpn_golden(error_at, t, first, last, LOOKS);
    if (x > 2 * first) return x;
    double least = error_at(t, x);
    for (int i = 0; i < NEARER; i++) {
        double here = error_at(t, nearer[i]);
        if (!(here < least)) continue;
        least = here;
        x = nearer[i];
    }
    return x;
}

static dpn_status find_noise(dpn_block *block, const dpn_problem *p, double start, dpn_error *why) {
    trial t = {.problem = p, .m = (double)block->count, .log_scale = log(start), .near = 1e-6};
    double x = find_shape(&t), h = -expm1(-x);
    t.near = 1e-8;
    if (dpn_problem_is_cancelled(p)) return dpn_problem_end(why);
    if (!find_scale(&t, h)) return dpn_fail(why, DPN_EACCURACY, "no spherical noise was found");
    parameters(&block->epsilon, &block->beta, &t, h, t.log_scale);
    return DPN_OK;
}

/* ---- the plan ---- */

static dpn_status check(const dpn_problem *p, size_t moving, dpn_error *why) {
    if (p->delta == 0) return dpn_fail(why, DPN_EUNSUPPORTED, "spherical noise needs a delta above 0");
    if (p->options.condition != DPN_CONDITION_EXACT)
        return dpn_fail(why, DPN_EUNSUPPORTED, "spherical noise has the exact condition only");
    if (p->options.shape_min != 0 || p->options.shape_max != 0)
        return dpn_fail(why, DPN_EDOMAIN, "spherical noise has no shape that could be kept in a range");
    if (p->options.alone) return dpn_fail(why, DPN_EUNSUPPORTED, "spherical noise is joint noise on all coordinates");
    if (p->options.has_ball && p->options.ball != DPN_BALL_L2)
        return dpn_fail(why, DPN_EUNSUPPORTED, "spherical noise has an l2 ball");
    if (p->times > 1)
        return dpn_fail(why, DPN_EUNSUPPORTED, "spherical noise is calibrated for one release, not for %llu",
                        (unsigned long long)p->times);
    if (moving < 2 || moving > DPN_SPHERICAL_CALIBRATED)
        return dpn_fail(why, DPN_EUNSUPPORTED, "spherical noise is for 2 to %d answers that move",
                        DPN_SPHERICAL_CALIBRATED);
    return DPN_OK;
}

static dpn_status make_blocks(dpn_plan *plan, size_t moving, dpn_error *why) {
    plan->block = calloc(2, sizeof *plan->block);
    if (!plan->block) return dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    bool silent_first = !(plan->sensitivity[0] > 0);
    for (int b = 0; b < 2; b++) {
        bool silent = silent_first == (b == 0);
        size_t count = silent ? plan->dimension - moving : moving;
        if (count == 0) continue;
        dpn_block *block = &plan->block[plan->blocks++];
        block->kind = silent ? DPN_BLOCK_NONE : DPN_BLOCK_SPHERICAL;
        if (!silent) block->ball = DPN_BALL_L2;
        block->coordinate = malloc(count * sizeof *block->coordinate);
        if (!block->coordinate) return dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
        for (size_t i = 0; i < plan->dimension; i++)
            if ((plan->sensitivity[i] > 0) == !silent) block->coordinate[block->count++] = i;
    }
    return DPN_OK;
}

/* The sides are those of K-norm noise of the same ball, and its epsilon a place to begin at. */
static dpn_status choose_sides(dpn_block *block, double *start, const dpn_problem *p, dpn_error *why) {
    dpn_problem of_ball = *p;
    dpn_ball_choice choice;
    of_ball.options.has_ball = true;
    of_ball.options.ball = DPN_BALL_L2;
    dpn_status status = dpn_ball_choose(&choice, &of_ball, block->coordinate, block->count, p->epsilon, why);
    if (status) return status;
    *start = 1 / fmax(choice.epsilon > 0 ? choice.epsilon : p->epsilon, 0.5 * p->delta);
    block->side = choice.side;
    choice.side = NULL;
    dpn_ball_choice_free(&choice);
    return DPN_OK;
}

static void measure(dpn_plan *plan, const dpn_block *block, const dpn_problem *p) {
    double unit = dpn_spherical_error((double)block->count, block->epsilon, block->beta, p->options.objective);
    dpn_plan_measure(plan);
    for (size_t i = 0; i < block->count; i++) {
        double weight = p->options.weight ? p->options.weight[block->coordinate[i]] : 1, side = block->side[i];
        plan->error += weight * unit * (p->options.objective == DPN_OBJECTIVE_MSE ? side * side : side);
    }
    plan->pure = false;
    plan->pure_epsilon = INFINITY;
}

dpn_status dpn_spherical_plan(dpn_plan *out, const dpn_problem *p, dpn_error *why) {
    size_t moving = 0;
    for (size_t i = 0; i < p->set->dimension; i++) moving += p->sensitivity[i] > 0;
    dpn_status status = check(p, moving, why);
    if (status) return status;
    dpn_plan plan;
    double start = 1;
    status = dpn_plan_begin(&plan, p, DPN_MECHANISM_SPHERICAL, why);
    if (status) return status;
    plan.max_changed = p->set->max_changed;
    plan.l1 = p->set->l1;
    plan.l2 = p->set->l2;
    plan.vertices = p->set->vertices;
    status = make_blocks(&plan, moving, why);
    dpn_block *block = status ? NULL : &plan.block[plan.sensitivity[0] > 0 ? 0 : 1];
    if (!status) status = choose_sides(block, &start, p, why);
    if (!status) status = find_noise(block, p, start, why);
    if (!status)
        status = dpn_plan_delta(&plan.delta, &plan.argument, p->options.workspace, &plan, p->set, p->times, p->epsilon,
                                NULL, why);
    if (!status && plan.delta.upper > p->delta)
        status = dpn_fail(why, DPN_EACCURACY, "the spherical noise found cannot be certified: delta is at most %g",
                          plan.delta.upper);
    if (status) {
        dpn_plan_free(&plan);
        return status;
    }
    measure(&plan, block, p);
    *out = plan;
    return DPN_OK;
}
