/* Plans of random boxes. */
#include "calibrate/random-box.h"

#include "base/error.h"
#include "calibrate/box-search.h"
#include "calibrate/mechanism.h"
#include "calibrate/plan.h"
#include "privacy/compose/box-lower.h"
#include "privacy/loss/random-box.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- clusters of coordinates ---- */

/* The coordinates that move, those of large keys first. */
typedef struct keyed {
    double key, log_ratio;
    size_t place; /* in the block */
} keyed;

static int by_ratio(const void *x, const void *y) {
    const keyed *a = x, *b = y;
    if (a->log_ratio != b->log_ratio) return a->log_ratio < b->log_ratio ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static double weight_of(const dpn_problem *p, size_t coordinate) {
    return p->options.weight ? p->options.weight[coordinate] : 1;
}

/* A cluster for each key, or at most `most` of them: equal shares of the list and of the span of the ratios, half of each; end[] are their
 * ends in the list. */
static size_t cluster(dpn_box_cluster *out, size_t *end, const keyed *list, size_t count, size_t most) {
    size_t clusters = 0, different = 1;
    double share = 0;
    for (size_t i = 1; i < count; i++) different += list[i].log_ratio != list[i - 1].log_ratio;
    for (size_t i = 0; i < count; i++) {
        double span = list[count - 1].log_ratio > 0 ? list[i].log_ratio / list[count - 1].log_ratio : 0;
        double at = floor((double)most * 0.5 * (((double)i + 0.5) / (double)count + span) * (1 - 1e-12));
        bool same = i > 0 && list[i].log_ratio == list[i - 1].log_ratio;
        if (i == 0 || (!same && (different <= most || at != share))) {
            out[clusters++] = (dpn_box_cluster){0};
            share = at;
        }
        dpn_box_cluster *one = &out[clusters - 1];
        one->key += list[i].key;
        one->log_ratio += list[i].log_ratio;
        one->times++;
        end[clusters - 1] = i + 1;
    }
    for (size_t g = 0; g < clusters; g++) out[g].log_ratio /= out[g].times;
    return clusters;
}

/* ---- certified ---- */

static dpn_status delta_of(dpn_delta *out, const dpn_plan *plan, const dpn_block *block, const dpn_problem *p,
                           double accuracy, dpn_error *why) {
    dpn_loss loss;
    (void)plan;
    dpn_status status =
        dpn_loss_random_box(&loss, block->epsilon, block->box_start, block->box_beta, block->beta, block->count, why);
    return status ? status : loss.kind->repeated(out, &loss, p->times, p->epsilon, accuracy, why);
}

/* Delta grows with alpha: secants from the estimate, until the upper end is just below what is asked; halves where they leave the bracket. */
static dpn_status find_alpha(dpn_plan *plan, dpn_block *block, const dpn_problem *p, dpn_error *why) {
    const double aim = -3e-6, near = -1e-5;
    double x = log(block->epsilon), low = -INFINITY, high = INFINITY, best = -INFINITY, slope = 30, before = NAN,
           at = x;
    for (int i = 0; i < 60 && !(best > near) && high - low > 1e-13; i++) {
        dpn_delta delta;
        if (dpn_problem_is_cancelled(p)) return dpn_problem_end(why);
        block->epsilon = exp(x);
        dpn_status status = delta_of(&delta, plan, block, p, 1e-7, why);
        if (status) return status;
        double height = fmax(delta.upper > 0 ? delta.log_upper : -800, -800) - log(p->delta);
        if (delta.upper <= p->delta) {
            low = x;
            best = height;
            plan->delta = delta;
        } else {
            high = x;
        }
        if (i > 0 && x != at) slope = (height - before) / (x - at);
        if (!(slope > 0.1)) slope = 0.1;
        at = x;
        before = height;
        x = at - fmin(fmax((height - aim) / slope, -0.1), 0.1);
        bool inside = x > low && x < high;
        if (!inside || i % 8 == 7) x = isinf(low) ? high - 0.05 : isinf(high) ? low + 0.05 : 0.5 * (low + high);
    }
    if (isinf(low)) return dpn_fail(why, DPN_EACCURACY, "the random box cannot be certified");
    block->epsilon = exp(low);
    return DPN_OK;
}

/* ---- the plan ---- */

/* From about log2(1/delta) answers on random boxes gain over the box, 1% at four answers and delta 0.001; with fewer the gain vanishes, and
 * the contour of few coordinates takes long. */
static bool are_too_few(const dpn_problem *p) {
    double answers = 0;
    for (size_t i = 0; i < p->set->dimension; i++) answers += p->sensitivity[i] > 0;
    return answers < 4 || answers < 0.4 * log2(1 / p->delta);
}

static dpn_status check(const dpn_problem *p, dpn_error *why) {
    if (p->delta == 0) return dpn_fail(why, DPN_EUNSUPPORTED, "a random box needs a delta above 0");
    if (p->options.condition != DPN_CONDITION_EXACT)
        return dpn_fail(why, DPN_EUNSUPPORTED, "random boxes have the exact condition only");
    if (p->options.shape_min != 0 || p->options.shape_max != 0)
        return dpn_fail(why, DPN_EDOMAIN, "random boxes have no shape that could be kept in a range");
    if (p->options.alone) return dpn_fail(why, DPN_EUNSUPPORTED, "a random box is joint noise on all coordinates");
    if (!dpn_plan_box(p->set))
        return dpn_fail(why, DPN_EUNSUPPORTED, "random boxes are for answers that may all move at once");
    if (p->options.identical && p->groups > 1)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a random box with different sides is not identical noise");
    if (are_too_few(p))
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "a random box gains next to nothing on so few answers; k-norm noise serves them");
    return DPN_OK;
}

static dpn_status make_blocks(dpn_plan *plan, dpn_error *why) {
    plan->block = calloc(2, sizeof *plan->block);
    if (!plan->block) return dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    for (int silent = 0; silent < 2; silent++) {
        size_t count = 0;
        for (size_t i = 0; i < plan->dimension; i++) count += (plan->sensitivity[i] > 0) == !silent;
        if (count == 0) continue;
        dpn_block *block = &plan->block[plan->blocks++];
        block->kind = silent ? DPN_BLOCK_NONE : DPN_BLOCK_RANDOM_BOX;
        block->coordinate = malloc(count * sizeof *block->coordinate);
        if (!silent) {
            block->box_start = malloc(count * sizeof(double));
            block->box_beta = malloc(count * sizeof(double));
        }
        if (!block->coordinate || (!silent && (!block->box_start || !block->box_beta)))
            return dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
        for (size_t i = 0; i < plan->dimension; i++)
            if ((plan->sensitivity[i] > 0) == !silent) block->coordinate[block->count++] = i;
    }
    return DPN_OK;
}

/* The search is over few clusters; what it finds is a function of the sensitivity, taken at more of them. */
static dpn_status find_box(dpn_block *block, const dpn_problem *p, dpn_error *why) {
    dpn_box_cluster coarse[DPN_BOX_CLUSTERS], fine[DPN_BOX_FINE];
    size_t end[DPN_BOX_FINE], count = block->count;
    keyed *list = malloc(count * sizeof *list);
    if (!list) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", count);
    for (size_t i = 0; i < count; i++) {
        size_t c = block->coordinate[i];
        double key = weight_of(p, c) * p->sensitivity[c] * p->sensitivity[c];
        list[i] = (keyed){key, -0.5 * log(key), i};
    }
    qsort(list, count, sizeof *list, by_ratio);
    double largest = list[0].log_ratio;
    for (size_t i = 0; i < count; i++) list[i].log_ratio -= largest;
    size_t few = cluster(coarse, end, list, count, DPN_BOX_CLUSTERS);
    size_t more = cluster(fine, end, list, count, DPN_BOX_FINE);
    dpn_status status =
        dpn_box_search(&block->epsilon, coarse, few, fine, more, p->epsilon, p->delta, (double)p->times, why);
    for (size_t i = 0, g = 0; i < count && !status; i++) {
        while (i >= end[g]) g++;
        block->box_start[list[i].place] = fine[g].c;
        block->box_beta[list[i].place] = fine[g].beta;
        block->beta = fmax(block->beta, fine[g].beta);
    }
    free(list);
    return status;
}

static void measure(dpn_plan *plan, const dpn_block *block, const dpn_problem *p) {
    double error = 0, sensitivity = -1, c = 0, beta = 0;
    dpn_plan_measure(plan);
    for (size_t i = 0; i < block->count; i++) { /* once for equal coordinates in a row */
        size_t at = block->coordinate[i];
        bool same = plan->sensitivity[at] == sensitivity && block->box_start[i] == c && block->box_beta[i] == beta;
        if (!same)
            error = p->options.objective == DPN_OBJECTIVE_MSE ? plan->variance[at]
                                                              : dpn_plan_error(plan, block, at, p->options.objective);
        sensitivity = plan->sensitivity[at];
        c = block->box_start[i];
        beta = block->box_beta[i];
        plan->error += weight_of(p, at) * error;
    }
    double largest = block->epsilon;
    for (size_t i = 0; i < block->count; i++) largest += 0.5 * block->box_beta[i];
    plan->pure = plan->delta.upper == 0;
    plan->pure_epsilon = largest * (double)p->times * (1 + (4 + (double)block->count) * DBL_EPSILON);
    /* What find_alpha knows is the delta of the pair that dominates the noise. */
    plan->delta.lower = fmin(dpn_box_delta_lower(block->box_sizes, p->epsilon), plan->delta.upper);
    plan->delta.log_lower = nextafter(log(plan->delta.lower), -INFINITY);
    plan->argument = DPN_ARGUMENT_BOUND;
}

dpn_status dpn_random_box_plan(dpn_plan *out, const dpn_problem *p, dpn_error *why) {
    dpn_status status = check(p, why);
    if (status) return status;
    dpn_plan plan;
    status = dpn_plan_begin(&plan, p, DPN_MECHANISM_RANDOM_BOX, why);
    if (!status) status = make_blocks(&plan, why);
    dpn_block *block = plan.block;
    if (!status && (block->kind != DPN_BLOCK_RANDOM_BOX || block->count > DPN_RANDOM_BOX_MOST))
        status = dpn_fail(why, DPN_EUNSUPPORTED, "random boxes are for 1 to %d answers that move", DPN_RANDOM_BOX_MOST);
    if (!status) status = find_box(block, p, why);
    if (!status) status = find_alpha(&plan, block, p, why);
    if (!status) status = dpn_box_block_measure(block, why);
    if (!status) measure(&plan, block, p);
    if (status) {
        dpn_plan_free(&plan);
        return status;
    }
    *out = plan;
    return DPN_OK;
}
