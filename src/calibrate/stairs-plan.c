#include "calibrate/stairs-plan.h"

#include "base/error.h"
#include "calibrate/mechanism.h"
#include "calibrate/plan.h"
#include "calibrate/stairs-pair.h"

#include <math.h>
#include <stdlib.h>

/* ---- what is refused ---- */

static dpn_status check(const dpn_problem *p, bool whole, dpn_error *why) {
    size_t moving = 0;
    for (size_t i = 0; i < p->set->dimension; i++) {
        moving += p->sensitivity[i] > 0;
        if (p->sensitivity[i] > 0 && p->sensitivity[i] != p->largest)
            return dpn_fail(why, DPN_EUNSUPPORTED, "staircases that end are for answers of one sensitivity");
    }
    if (p->options.condition != DPN_CONDITION_EXACT)
        return dpn_fail(why, DPN_EUNSUPPORTED, "staircases that end have the exact condition only");
    if (p->options.shape_min != 0 || p->options.shape_max != 0)
        return dpn_fail(why, DPN_EDOMAIN, "staircases that end have no shape that could be kept in a range");
    if (p->options.has_ball) return dpn_fail(why, DPN_EDOMAIN, "staircases that end have no ball");
    if (p->times != 1) return dpn_fail(why, DPN_EUNSUPPORTED, "staircases that end are calibrated for one release");
    if (moving != 1 && !(moving > 0 && p->set->max_changed == 1))
        return dpn_fail(why, DPN_EUNSUPPORTED, "staircases that end are for one answer that moves");
    if (!whole && p->delta == 0)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "the privacy loss of truncated-staircase noise is unbounded: it needs a "
                        "delta above 0");
    if (whole && p->largest == 1)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "for a sensitivity of 1 this is discrete-laplace or truncated-geometric noise");
    if (whole && !(p->largest <= 1e9))
        return dpn_fail(why, DPN_EUNSUPPORTED, "with so many steps truncated-staircase noise is as good");
    if (!(p->epsilon >= 1e-4 && p->epsilon <= 100))
        return dpn_fail(why, DPN_EUNSUPPORTED, "staircases that end are for an epsilon from 1e-4 to 100");
    return DPN_OK;
}

/* ---- the two ends ---- */

/* Shells around the one that would do alone, and ends in each of them: the others are tried by smaller and smaller steps. */
enum { SHELLS = 3, FINENESS = 256 };

typedef struct candidate {
    double end, delta, error; /* the end in cells */
} candidate;

typedef struct search {
    const dpn_problem *p;
    dpn_stairs_pair pair; /* its numbers, without staircases */
    double cell;          /* ends are whole multiples of this, and on the integers odd ones */
    dpn_objective objective;
} search;

/* What is beyond the reach of the noise moved by P: to the right of end - P. */
static candidate candidate_of(const search *s, double end) {
    double period = s->pair.period;
    dpn_stairs_one one = dpn_stairs_make(s->pair.epsilon, period, 0, end);
    double beyond = dpn_stairs_mass(&s->pair, &one, fmax(0, end - period), end);
    if (end < period) beyond += dpn_stairs_mass(&s->pair, &one, 0, period - end);
    return (candidate){end, beyond, dpn_stairs_moment(&s->pair, &one, s->objective)};
}

/* The share of the wider and the error of the mixture that has the delta asked for. */
static double share_of(const search *s, const candidate *low, const candidate *high) {
    return (low->delta - s->p->delta) / (low->delta - high->delta);
}

static double mixed(const search *s, const candidate *low, const candidate *high) {
    if (!(low->delta > s->p->delta && high->delta <= s->p->delta && low->end < high->end)) return INFINITY;
    double theta = share_of(s, low, high);
    return theta * high->error + (1 - theta) * low->error;
}

/* The least n such that the staircase of the end (n + 1) P is enough; -1 if there is none within what a block may be. */
static double least_level(const search *s) {
    double low = -1, high = 0, period = s->pair.period;
    while (candidate_of(s, (high + 1) * period).delta > s->p->delta) {
        low = high;
        high = 2 * high + 1;
        if (!(high <= 1e6 && s->pair.epsilon * high <= 600)) return -1;
    }
    while (high - low > 1) {
        double middle = floor(0.5 * (low + high));
        *(candidate_of(s, (middle + 1) * period).delta > s->p->delta ? &low : &high) = middle;
    }
    return high;
}

static void try_pair(const search *s, candidate best[2], double *least, candidate low, candidate high) {
    double error = mixed(s, &low, &high);
    if (!(error < *least)) return;
    *least = error;
    best[0] = low;
    best[1] = high;
}

/* Ends are moved by strides that halve, each as long as that helps. */
static void refine(const search *s, candidate best[2], double *least, double stride) {
    for (; stride >= s->cell; stride = s->cell * floor(0.5 * stride / s->cell))
        for (int i = 0; i < 64; i++) {
            double before = *least;
            for (int way = -1; way <= 1; way += 2) {
                double low = best[0].end + way * stride, high = best[1].end + way * stride;
                if (low > 0) try_pair(s, best, least, candidate_of(s, low), best[1]);
                try_pair(s, best, least, best[0], candidate_of(s, high));
            }
            if (!(*least < before)) break;
        }
}

static dpn_status find_ends(const search *s, candidate best[2], dpn_error *why) {
    double least = INFINITY, period = s->pair.period, level = least_level(s);
    if (level < 0)
        return dpn_fail(why, DPN_EUNSUPPORTED, "so wide a staircase is not searched; noise without steps is as good");
    double stride = s->cell * fmax(1, floor(period / FINENESS / s->cell)), from = fmax(0, level - SHELLS) * period,
           first = s->pair.whole ? 1 : stride;
    size_t most = (size_t)((2 * SHELLS + 2) * period / stride) + 2, count = 0;
    candidate *all = malloc(most * sizeof *all);
    if (!all) return dpn_fail(why, DPN_ENOMEM, "no memory for the ends of staircases");
    for (double end = from + first; end <= (level + SHELLS + 1) * period + first && count < most; end += stride)
        all[count++] = candidate_of(s, end);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) try_pair(s, best, &least, all[i], all[j]);
    free(all);
    if (isinf(least)) return dpn_fail(why, DPN_EUNSUPPORTED, "no staircase that ends has this delta");
    refine(s, best, &least, stride);
    return DPN_OK;
}

/* Without an end: the best first level. */
static double best_start(const search *s) {
    double steps = s->p->largest, best = 0, least = INFINITY;
    double stride = fmax(1, floor(steps / FINENESS));
    for (bool wide = true;; stride = floor(stride / 2), wide = false) {
        double from = wide ? 0 : fmax(0, best - 2 * stride), to = wide ? steps - 1 : fmin(steps - 1, best + 2 * stride);
        for (double c = from; c <= to && stride >= 1; c += stride) {
            dpn_stairs_one one = dpn_stairs_make(s->pair.epsilon, s->pair.period, 2 * c + 1, INFINITY);
            double error = dpn_stairs_moment(&s->pair, &one, s->objective);
            if (error < least) {
                least = error;
                best = c;
            }
        }
        if (!(stride > 1)) return best;
    }
}

static dpn_status find_stairs(dpn_block *block, const dpn_problem *p, bool whole, dpn_error *why) {
    search s = {.p = p, .objective = p->options.objective, .cell = whole ? 2 : 1};
    s.pair = (dpn_stairs_pair){.epsilon = p->epsilon,
                               .period = whole ? 2 * p->largest : DPN_STAIRS_CELLS,
                               .unit = whole ? 0.5 : 1 / DPN_STAIRS_CELLS,
                               .whole = whole};
    if (s.objective == DPN_OBJECTIVE_INTERVAL95) s.objective = DPN_OBJECTIVE_MAE; /* it is not that of a mixture */
    *block = (dpn_block){.kind = whole ? DPN_BLOCK_DISCRETE_STAIRCASE : DPN_BLOCK_TRUNCATED_STAIRCASE,
                         .epsilon = p->epsilon,
                         .step = whole ? p->largest : 0,
                         .high = INFINITY,
                         .theta = 1};
    if (p->delta == 0) {
        block->low = best_start(&s);
        return DPN_OK;
    }
    candidate best[2] = {{0, 0, 0}, {0, 0, 0}};
    dpn_status status = find_ends(&s, best, why);
    if (status) return status;
    block->low = whole ? (best[0].end - 1) / 2 : best[0].end / DPN_STAIRS_CELLS;
    block->high = whole ? (best[1].end - 1) / 2 : best[1].end / DPN_STAIRS_CELLS;
    block->theta = fmax(share_of(&s, &best[0], &best[1]), 1e-15);
    const char *reason = dpn_stairs_refuse(block);
    return reason ? dpn_fail(why, DPN_EUNSUPPORTED, "%s", reason) : DPN_OK;
}

/* ---- the plan ---- */

static dpn_status add_block(dpn_plan *plan, bool moving, const dpn_block *noise, dpn_error *why) {
    size_t count = 0;
    for (size_t i = 0; i < plan->dimension; i++) count += (plan->sensitivity[i] > 0) == moving;
    if (count == 0) return DPN_OK;
    dpn_block *block = &plan->block[plan->blocks++];
    *block = moving ? *noise : (dpn_block){.kind = DPN_BLOCK_NONE};
    block->coordinate = malloc(count * sizeof *block->coordinate);
    if (!block->coordinate) return dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    for (size_t i = 0; i < plan->dimension; i++)
        if ((plan->sensitivity[i] > 0) == moving) block->coordinate[block->count++] = i;
    return DPN_OK;
}

static dpn_block *noisy_block(dpn_plan *plan) {
    return dpn_block_is_silent(&plan->block[0]) ? &plan->block[1] : &plan->block[0];
}

static dpn_status delta_of(dpn_plan *plan, const dpn_problem *p, dpn_error *why) {
    const dpn_sensitivity set = {
        .dimension = plan->dimension, .bound = plan->sensitivity, .max_changed = plan->max_changed};
    return dpn_plan_delta(&plan->delta, &plan->argument, p->options.workspace, plan, &set, 1, p->epsilon, NULL, why);
}

/* A little more of the wider one where rounding asks for it. */
static dpn_status certify(dpn_plan *plan, const dpn_problem *p, dpn_error *why) {
    dpn_block *block = noisy_block(plan);
    double theta = block->theta;
    for (double more = 0; more<0.1; more = more> 0 ? 4 * more : 1e-15) {
        block->theta = fmin(1, theta * (1 + more) + more);
        dpn_status status = delta_of(plan, p, why);
        if (status || plan->delta.upper <= p->delta) return status;
    }
    return dpn_fail(why, DPN_EACCURACY, "the staircases cannot be certified: delta is at most %g", plan->delta.upper);
}

static void measure(dpn_plan *plan, const dpn_problem *p) {
    const dpn_block *block = noisy_block(plan);
    dpn_plan_measure(plan);
    for (size_t i = 0; i < block->count; i++) {
        size_t c = block->coordinate[i];
        double weight = p->options.weight ? p->options.weight[c] : 1;
        plan->error += weight * dpn_plan_error(plan, block, c, p->options.objective);
    }
    plan->pure = plan->delta.upper == 0;
    plan->pure_epsilon = isinf(block->high) ? p->epsilon : INFINITY;
}

dpn_status dpn_stairs_plan(dpn_plan *out, const dpn_problem *p, bool whole, dpn_error *why) {
    dpn_block noise;
    dpn_plan plan = {0};
    dpn_status status = check(p, whole, why);
    if (!status) status = find_stairs(&noise, p, whole, why);
    if (!status)
        status =
            dpn_plan_begin(&plan, p, whole ? DPN_MECHANISM_DISCRETE_STAIRCASE : DPN_MECHANISM_TRUNCATED_STAIRCASE, why);
    if (status) return status;
    plan.max_changed = p->set->max_changed;
    plan.block = calloc(2, sizeof *plan.block);
    if (!plan.block) status = dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    bool first = plan.sensitivity[0] > 0;
    if (!status) status = add_block(&plan, first, &noise, why);
    if (!status) status = add_block(&plan, !first, &noise, why);
    if (!status) status = certify(&plan, p, why);
    if (status) {
        dpn_plan_free(&plan);
        return status;
    }
    measure(&plan, p);
    *out = plan;
    return DPN_OK;
}
