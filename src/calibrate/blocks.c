/* Plans of K-norm noise. */
#include "calibrate/blocks.h"

#include "base/error.h"
#include "calibrate/ball.h"
#include "calibrate/box-noise.h"
#include "calibrate/partition.h"
#include "calibrate/plan.h"
#include "calibrate/search.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The coordinates that move: first those that are to be alone, each of which is a block; then the others, the largest keys
 * first. The error of a block at epsilon E is E^-degree times its cost: the unit of its size times the sum of its keys. */
typedef struct layout {
    const dpn_problem *problem;
    double degree;
    size_t count, alone, *coordinate;
    double *rest, *unit; /* as in dpn_partition_task */
} layout;

/* ---- the layout ---- */

typedef struct keyed {
    double key;
    size_t coordinate;
    bool alone;
} keyed;

static int larger_first(const void *x, const void *y) {
    const keyed *a = x, *b = y;
    if (a->alone != b->alone) return a->alone ? -1 : 1;
    if (a->key != b->key) return a->key < b->key ? 1 : -1;
    return (a->coordinate > b->coordinate) - (a->coordinate < b->coordinate);
}

static void layout_free(layout *l) {
    free(l->coordinate);
    free(l->rest);
    free(l->unit);
}

/* unit[m] for m = 1 .. count. A half-width takes time, and is smooth in m: for a search, among many, the ones between some
 * are near enough on a line. */
static void fill_units(double *unit, size_t count, dpn_objective objective) {
    size_t last = 0, step = 1;
    for (size_t m = 1; m <= count; last = m, m += step) {
        if (objective == DPN_OBJECTIVE_INTERVAL95 && m >= 256) step = m / 64;
        if (m + step > count && m < count) step = count - m;
        unit[m] = dpn_box_noise_error((double)m, objective);
        for (size_t i = last + 1; i < m; i++)
            unit[i] = unit[last] + (unit[m] - unit[last]) * (double)(i - last) / (double)(m - last);
    }
}

static dpn_status layout_make(layout *out, const dpn_problem *p, dpn_error *why) {
    size_t dimension = p->set->dimension;
    layout l = {.problem = p, .degree = p->options.objective == DPN_OBJECTIVE_MSE ? 2 : 1};
    keyed *all = malloc(dimension * sizeof *all);
    l.coordinate = malloc(dimension * sizeof *l.coordinate);
    l.rest = malloc((dimension + 1) * sizeof *l.rest);
    l.unit = malloc((dimension + 1) * sizeof *l.unit);
    if (!all || !l.coordinate || !l.rest || !l.unit) {
        free(all);
        layout_free(&l);
        return dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", dimension);
    }
    for (size_t i = 0; i < dimension; i++) {
        double weight = p->options.weight ? p->options.weight[i] : 1;
        if (!(p->sensitivity[i] > 0)) continue;
        bool alone = p->options.alone && p->options.alone[i];
        l.alone += alone;
        all[l.count++] = (keyed){weight * pow(p->sensitivity[i], l.degree), i, alone};
    }
    qsort(all, l.count, sizeof *all, larger_first);
    l.rest[l.count] = l.unit[0] = 0;
    for (size_t i = l.count; i-- > 0;) {
        l.coordinate[i] = all[i].coordinate;
        l.rest[i] = l.rest[i + 1] + all[i].key;
    }
    fill_units(l.unit, l.count, p->options.objective);
    free(all);
    *out = l;
    return DPN_OK;
}

static double block_cost(const layout *l, const dpn_partition *partition, size_t b) {
    size_t from = b ? partition->end[b - 1] : 0, to = partition->end[b];
    return l->unit[to - from] * (l->rest[from] - l->rest[to]);
}

/* ---- the split of the guarantee over blocks ---- */

/* Laplace noise with the same error as each block's: of scale s it has the mean square 2 s^2 and the mean absolute
 * value s. */
static void fill_bounds(double *bound, const layout *l, const dpn_partition *partition) {
    for (size_t b = 0; b < partition->blocks; b++) {
        double cost = block_cost(l, partition, b);
        bound[b] = l->degree == 2 ? sqrt(0.5 * cost) : cost;
    }
}

/* The laws of the groups of coordinates, by the search that calibrates Laplace noise. */
static dpn_status search_laws(dpn_law *law, size_t *stride, const dpn_problem *q, bool loose, dpn_error *why) {
    double *number = calloc(2 * DPN_SEARCH_SPREADS * (q->groups + 1), sizeof *number);
    if (!number) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu blocks", q->groups);
    dpn_spread room[DPN_SEARCH_SPREADS];
    for (size_t i = 0; i < DPN_SEARCH_SPREADS; i++)
        room[i] = (dpn_spread){number + 2 * i * q->groups, number + (2 * i + 1) * q->groups};
    dpn_candidate best;
    dpn_status status = dpn_search(&best, law, room, q, &dpn_laplace, loose, why);
    if (!status) *stride = dpn_candidate_stride(&best);
    free(number);
    return status;
}

/* epsilon[b] for each block: the sensitivity/scale of that noise. */
static dpn_status split(double *epsilon, const layout *l, const dpn_partition *partition, bool loose, dpn_error *why) {
    const dpn_problem *p = l->problem;
    size_t blocks = partition->blocks, stride = 0;
    double *bound = malloc(blocks * sizeof *bound);
    dpn_law *law = calloc(blocks, sizeof *law);
    dpn_sensitivity box = {.dimension = blocks, .bound = bound};
    dpn_calibration_options options = {.size = sizeof(dpn_calibration_options),
                                       .objective = l->degree == 2 ? DPN_OBJECTIVE_MSE : DPN_OBJECTIVE_MAE,
                                       .times = p->times,
                                       .workspace = p->options.workspace,
                                       .context = p->options.context,
                                       .cancelled = p->options.cancelled};
    dpn_problem q = {0};
    dpn_status status = bound && law ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for %zu blocks", blocks);
    if (!status) {
        fill_bounds(bound, l, partition);
        status = dpn_problem_make(&q, &dpn_laplace, p->epsilon, p->delta, &box, &options,
                                  p->delta == 0 ? SIZE_MAX : DPN_GROUPS_SAFE, why);
    }
    if (!status) status = search_laws(law, &stride, &q, loose, why);
    for (size_t b = 0; b < blocks && !status; b++) {
        bool moves = q.group_of[b] < q.groups;
        epsilon[b] = moves ? bound[b] / dpn_law_parameter(&law[stride * q.group_of[b]], "scale") : 0;
        if (!(epsilon[b] > 0)) status = dpn_fail(why, DPN_EACCURACY, "a block's share of the guarantee underflows");
    }
    dpn_problem_free(&q);
    free(law);
    free(bound);
    return status;
}

static double error_of(const layout *l, const dpn_partition *partition, const double *epsilon) {
    double error = 0;
    for (size_t b = 0; b < partition->blocks; b++) error += block_cost(l, partition, b) / pow(epsilon[b], l->degree);
    return error;
}

/* ---- the search over partitions ---- */

typedef struct division {
    dpn_partition partition;
    double *epsilon, error;
    dpn_ball_choice choice; /* of one block; several are boxes */
} division;

static void division_free(division *d) {
    free(d->partition.end);
    free(d->epsilon);
    dpn_ball_choice_free(&d->choice);
    *d = (division){0};
}

/* Put the blocks of the coordinates that are alone before the others. */
static dpn_status put_alone(dpn_partition *partition, size_t alone, dpn_error *why) {
    if (alone == 0) return DPN_OK;
    size_t *end = realloc(partition->end, (partition->blocks + alone) * sizeof *end);
    if (!end) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu blocks", partition->blocks + alone);
    for (size_t b = partition->blocks; b-- > 0;) end[b + alone] = end[b] + alone;
    for (size_t b = 0; b < alone; b++) end[b] = b + 1;
    *partition = (dpn_partition){end, partition->blocks + alone};
    return DPN_OK;
}

/* Keep the better of *best and the partition into N blocks (0: any number), costs added with this power; of coordinates
 * that are not alone. */
static dpn_status try_blocks(division *best, const layout *l, size_t blocks, double power, dpn_error *why) {
    dpn_partition_task task = {l->count - l->alone, l->rest + l->alone, l->unit, power};
    division one = {.error = INFINITY};
    dpn_status status = task.count > 0 ? dpn_partition_find(&one.partition, &task, blocks, why) : DPN_OK;
    if (!status) status = put_alone(&one.partition, l->alone, why);
    if (status) {
        division_free(&one);
        return status;
    }
    one.epsilon = malloc(one.partition.blocks * sizeof *one.epsilon);
    if (!one.epsilon) status = dpn_fail(why, DPN_ENOMEM, "no memory for %zu blocks", one.partition.blocks);
    if (!status) status = split(one.epsilon, l, &one.partition, true, why);
    if (!status) one.error = error_of(l, &one.partition, one.epsilon);
    if (status || (best->epsilon && !(one.error < best->error))) {
        division_free(&one);
    } else {
        division_free(best);
        *best = one;
    }
    return status;
}

/* Under a pure guarantee epsilons add: with the best split the error is (sum of costs^r)^(1/r)/epsilon^degree,
 * r = 1/(degree + 1), which the dynamic program minimises. With a delta nearly their squares add, and more blocks may be
 * better: walk up and down in the number of blocks from there while the error falls, with the powers of both, as far as
 * the accountant is quick. */
static dpn_status search(division *best, const layout *l, dpn_error *why) {
    enum { STEPS = 8, MANY_BLOCKS = 8, MOST_BLOCKS = 24 }; /* many different losses are slow, and differ little */
    const dpn_problem *p = l->problem;
    double pure = 1 / (l->degree + 1), squares = 2 / (l->degree + 2);
    dpn_status status = try_blocks(best, l, 0, pure, why);
    size_t together = l->count - l->alone;
    if (status || p->delta == 0 || together == 0) return status;
    size_t first = best->partition.blocks - l->alone;
    for (int direction = -1; direction <= 1; direction += 2) {
        size_t blocks = first;
        for (int step = 0; step < (blocks > MANY_BLOCKS ? 1 : STEPS) && !status; step++) {
            double before = best->error;
            if (direction < 0 ? blocks == 1 : blocks >= together || blocks >= MOST_BLOCKS) break;
            blocks = direction < 0 ? blocks - 1 : blocks + 1;
            for (int i = 0; i < 2 && !status; i++) status = try_blocks(best, l, blocks, i ? squares : pure, why);
            if (status == DPN_EACCURACY) status = DPN_OK;
            if (!(best->error < before * (1 - 1e-6))) break;
        }
    }
    return status;
}

/* The split of the best partition to the last digit; a pure one if that is asked for, or better, or the other out of
 * reach. The epsilons of a pure one, as they round, are sure to add up to no more than is asked for. */
static dpn_status finish(division *best, const layout *l, dpn_error *why) {
    const dpn_problem *p = l->problem;
    size_t blocks = best->partition.blocks;
    dpn_status status = p->delta == 0 ? DPN_EACCURACY : split(best->epsilon, l, &best->partition, false, why);
    double sum = 0, power = 1 / (l->degree + 1),
           error = status ? INFINITY : error_of(l, &best->partition, best->epsilon);
    double *pure = malloc(blocks * sizeof *pure);
    if (!pure) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu blocks", blocks);
    for (size_t b = 0; b < blocks; b++) sum += pure[b] = pow(block_cost(l, &best->partition, b), power);
    double share = p->epsilon / (sum * (double)p->times) * (1 - (8 + (double)blocks) * DBL_EPSILON);
    for (size_t b = 0; b < blocks; b++) pure[b] *= share;
    if (blocks == 1 && p->times == 1) pure[0] = p->epsilon;
    if (error_of(l, &best->partition, pure) < error && (!status || status == DPN_EACCURACY)) {
        memcpy(best->epsilon, pure, blocks * sizeof *pure);
        status = DPN_OK;
    }
    free(pure);
    return status;
}

/* The ball of one block, whose coordinates rise. */
static dpn_status choose_ball(division *best, const layout *l, dpn_error *why) {
    const dpn_problem *p = l->problem;
    size_t *moving = malloc(l->count * sizeof *moving), count = 0;
    if (!moving) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", l->count);
    for (size_t i = 0; i < p->set->dimension; i++)
        if (p->sensitivity[i] > 0) moving[count++] = i;
    dpn_status status = dpn_ball_choose(&best->choice, p, moving, count, best->epsilon[0], why);
    if (!status && best->choice.epsilon > 0) best->epsilon[0] = best->choice.epsilon;
    free(moving);
    return status;
}

/* ---- the plan ---- */

/* Which block each coordinate is in, in the order of their first coordinates; after them the one without noise. */
static void number_blocks(size_t *block_of, size_t *first_seen, const layout *l, const dpn_partition *partition,
                          size_t dimension) {
    for (size_t i = 0; i < dimension; i++) block_of[i] = partition->blocks;
    for (size_t b = 0, i = 0; b < partition->blocks; b++)
        for (; i < partition->end[b]; i++) block_of[l->coordinate[i]] = b;
    size_t used = 0;
    for (size_t b = 0; b <= partition->blocks; b++) first_seen[b] = SIZE_MAX;
    for (size_t i = 0; i < dimension; i++)
        if (first_seen[block_of[i]] == SIZE_MAX) first_seen[block_of[i]] = used++;
}

/* The block takes over the arrays of the choice. */
static void give_ball(dpn_block *block, dpn_ball_choice *choice) {
    block->ball = choice->ball;
    block->side = choice->side;
    block->hull_error = choice->hull_error;
    choice->side = choice->hull_error = NULL;
}

static dpn_status fill_blocks(dpn_plan *plan, const layout *l, division *d, dpn_error *why) {
    size_t blocks = d->partition.blocks, dimension = plan->dimension;
    size_t *block_of = malloc(dimension * sizeof *block_of), *place = malloc((blocks + 1) * sizeof *place);
    plan->block = calloc(blocks + 1, sizeof *plan->block);
    dpn_status status = DPN_OK;
    if (!block_of || !place || !plan->block) status = dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    if (!status) number_blocks(block_of, place, l, &d->partition, dimension);
    for (size_t b = 0; b <= blocks && !status; b++) {
        size_t from = b ? d->partition.end[b - 1] : 0;
        size_t count = b < blocks ? d->partition.end[b] - from : dimension - l->count;
        if (count == 0) continue;
        dpn_block *block = &plan->block[place[b]];
        plan->blocks++;
        block->kind = b < blocks ? DPN_BLOCK_K_NORM : DPN_BLOCK_NONE;
        block->epsilon = b < blocks ? d->epsilon[b] : 0;
        if (b < blocks) give_ball(block, &d->choice);
        block->coordinate = malloc(count * sizeof *block->coordinate);
        if (!block->coordinate) status = dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    }
    for (size_t i = 0; i < dimension && !status; i++) {
        dpn_block *block = &plan->block[place[block_of[i]]];
        block->coordinate[block->count++] = i;
    }
    free(block_of);
    free(place);
    return status;
}

/* Boxes hold whatever moves no coordinate further than its sensitivity; other balls hold the set. The corner of a box is out of
 * reach on a smaller set, whose delta is not known from below. */
static dpn_status delta_of(dpn_plan *plan, const dpn_problem *p, bool boxes, dpn_error *why) {
    const dpn_sensitivity box = {.dimension = plan->dimension, .bound = plan->sensitivity};
    dpn_status status = dpn_plan_delta(&plan->delta, &plan->argument, p->options.workspace, plan, boxes ? &box : p->set,
                                       p->times, p->epsilon, NULL, why);
    if (status || !boxes || dpn_plan_box(p->set)) return status;
    plan->delta.lower = 0;
    plan->delta.log_lower = -INFINITY;
    plan->argument = DPN_ARGUMENT_BOUND;
    return DPN_OK;
}

/* The delta of the plan. The split may be short by some ulps, or by what the accountant's intervals differ: then
 * every epsilon is less by a little. */
static dpn_status certify(dpn_plan *plan, const dpn_problem *p, bool boxes, dpn_error *why) {
    for (double less = p->delta == 0 ? 2 * DBL_EPSILON : 1e-10; less < 1e-4; less *= 8) {
        dpn_status status = delta_of(plan, p, boxes, why);
        if (status || plan->delta.upper <= p->delta) return status;
        for (size_t b = 0; b < plan->blocks; b++) plan->block[b].epsilon *= 1 - less;
    }
    return dpn_fail(why, DPN_EACCURACY, "the split over blocks cannot be certified: delta is at most %g",
                    plan->delta.upper);
}

static void measure(dpn_plan *plan, const dpn_problem *p) {
    double largest = 0;
    dpn_plan_measure(plan);
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        double error = 0, sensitivity = -1;
        largest += block->epsilon;
        for (size_t i = 0; i < block->count; i++) { /* a half-width takes a while: once for equal sensitivities */
            size_t c = block->coordinate[i];
            bool same = plan->sensitivity[c] == sensitivity && block->ball != DPN_BALL_HULL;
            if (!same) error = dpn_plan_error(plan, block, c, p->options.objective);
            sensitivity = plan->sensitivity[c];
            plan->error += (p->options.weight ? p->options.weight[c] : 1) * error;
        }
    }
    plan->pure = plan->delta.upper == 0;
    plan->pure_epsilon = largest * (double)p->times * (1 + (4 + (double)plan->blocks) * DBL_EPSILON);
    if (plan->pure) plan->pure_epsilon = fmin(plan->pure_epsilon, p->epsilon); /* the accountant has said so */
}

/* A coordinate that is alone gets Laplace noise, of a scale that does not exceed its epsilon by rounding: the same to the accountant. */
static dpn_status name_laws(dpn_plan *plan, const bool *alone, dpn_error *why) {
    for (size_t b = 0; alone && b < plan->blocks; b++) {
        dpn_block *block = &plan->block[b];
        size_t c = block->coordinate[0];
        if (block->kind != DPN_BLOCK_K_NORM || block->count != 1 || !alone[c]) continue;
        double scale = nextafter(plan->sensitivity[c] / block->epsilon, INFINITY);
        dpn_status status = dpn_law_make(&block->law, "laplace", &scale, 1, why);
        if (status) return status;
        block->kind = DPN_BLOCK_LAW;
        block->epsilon = 0;
    }
    return DPN_OK;
}

/* What a ball other than a box rests on: the set, with its vertices if the ball is their hull. */
static dpn_status keep_set(dpn_plan *plan, const dpn_sensitivity *set, bool hull, dpn_error *why) {
    plan->max_changed = set->max_changed;
    plan->l1 = set->l1;
    plan->l2 = set->l2;
    plan->vertices = set->vertices;
    if (!hull) return DPN_OK;
    size_t size = set->vertices * set->dimension * sizeof *plan->vertex;
    plan->vertex = malloc(size);
    if (!plan->vertex) return dpn_fail(why, DPN_ENOMEM, "no memory for the vertices of the plan");
    memcpy(plan->vertex, set->vertex, size);
    return DPN_OK;
}

static void write_note(dpn_plan *plan, const dpn_ball_choice *choice) {
    if (choice->ball == DPN_BALL_L1)
        snprintf(plan->note, sizeof plan->note, "K-norm noise of an l1 ball is independent laplace noise");
    else if (choice->ball != DPN_BALL_HULL && choice->hull.status)
        snprintf(plan->note, sizeof plan->note, "no hull: %.220s", choice->hull.sentence);
}

static dpn_status plan_of(dpn_plan *out, const layout *l, division *d, const char *family, dpn_error *why) {
    const dpn_problem *p = l->problem;
    bool box = d->choice.ball == DPN_BALL_BOX, hull = d->choice.ball == DPN_BALL_HULL;
    dpn_plan plan;
    dpn_status status = dpn_plan_begin(&plan, p, family, why);
    if (!status) status = fill_blocks(&plan, l, d, why);
    if (!status && !box) status = keep_set(&plan, p->set, hull, why);
    if (!status) status = certify(&plan, p, box, why);
    if (!status) measure(&plan, p);
    if (!status) status = name_laws(&plan, p->options.alone, why);
    if (status) {
        dpn_plan_free(&plan);
        return status;
    }
    write_note(&plan, &d->choice);
    *out = plan;
    return DPN_OK;
}

dpn_status dpn_blocks_plan(dpn_plan *out, const dpn_problem *p, bool several, dpn_error *why) {
    if (p->options.condition != DPN_CONDITION_EXACT)
        return dpn_fail(why, DPN_EUNSUPPORTED, "K-norm noise has the exact condition only");
    if (p->options.shape_min != 0 || p->options.shape_max != 0)
        return dpn_fail(why, DPN_EDOMAIN, "K-norm noise has no shape that could be kept in a range");
    if (p->options.identical && p->groups > 1 && p->group[0].bound != p->group[p->groups - 1].bound)
        return dpn_fail(why, DPN_EUNSUPPORTED, "K-norm noise of a box with different sides is not identical");
    if (p->options.identical && p->options.alone)
        return dpn_fail(why, DPN_EUNSUPPORTED, "coordinates that are alone have other noise than the joint ones");
    if (several && p->options.has_ball && p->options.ball != DPN_BALL_BOX)
        return dpn_fail(why, DPN_EUNSUPPORTED, "blocks have boxes as balls; one %s ball is k-norm noise",
                        dpn_ball_kind_name(p->options.ball));
    if (!several && p->options.alone)
        return dpn_fail(why, DPN_EUNSUPPORTED, "k-norm noise is joint on all coordinates; blocks can leave some alone");
    layout l = {0};
    dpn_status status = layout_make(&l, p, why);
    if (status) return status;
    division best = {0};
    bool divided = several && !p->options.identical; /* weights alone would part equal sensitivities */
    if (l.count > 0) status = divided ? search(&best, &l, why) : try_blocks(&best, &l, 1, 1, why);
    if (!status && l.count > 0) status = finish(&best, &l, why);
    if (!status && l.count > 0 && !several) status = choose_ball(&best, &l, why);
    if (!status) status = plan_of(out, &l, &best, several ? "blocks" : "k-norm", why);
    division_free(&best);
    layout_free(&l);
    return status;
}
