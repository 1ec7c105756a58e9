/* One calibration: the coordinates in groups, the moves that decide, and the certified delta. */
#include "calibrate/problem.h"

#include "base/error.h"
#include "calibrate/tuning.h"
#include "law/facts.h"
#include "privacy/ball/ball.h"
#include "privacy/compose/compose.h"
#include "privacy/loss/largest.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double or_unbounded(double x) {
    return x == 0 ? INFINITY : x;
}

/* ---- the coordinates ---- */

typedef struct sorted {
    double bound, weight;
    size_t index;
} sorted;

/* Larger bounds first, then by weight. */
static int compare(const void *x, const void *y) {
    const sorted *a = x, *b = y;
    if (a->bound != b->bound) return a->bound < b->bound ? 1 : -1;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

static dpn_status check(const dpn_problem *p, dpn_error *why) {
    const dpn_sensitivity *set = p->set;
    if (!(p->epsilon >= 0 && isfinite(p->epsilon)))
        return dpn_fail(why, DPN_EDOMAIN, "epsilon must be finite and not negative");
    if (!(p->delta >= 0 && p->delta < 1)) return dpn_fail(why, DPN_EDOMAIN, "delta must lie in [0, 1)");
    if (p->epsilon == 0 && p->delta == 0)
        return dpn_fail(why, DPN_EDOMAIN, "epsilon and delta must not both be 0: no noise hides everything");
    if (!set || set->dimension == 0) return dpn_fail(why, DPN_EDOMAIN, "the dimension must be at least 1");
    if (p->options.objective < DPN_OBJECTIVE_MSE || p->options.objective > DPN_OBJECTIVE_INTERVAL95)
        return dpn_fail(why, DPN_EDOMAIN, "objective must be one of DPN_OBJECTIVE_*");
    if (p->options.condition < DPN_CONDITION_EXACT || p->options.condition > DPN_CONDITION_ZCDP)
        return dpn_fail(why, DPN_EDOMAIN, "condition must be one of DPN_CONDITION_*");
    if (p->options.has_ball && !dpn_ball_kind_name(p->options.ball))
        return dpn_fail(why, DPN_EDOMAIN, "ball must be one of DPN_BALL_*");
    for (size_t i = 0; p->options.weight && i < set->dimension; i++)
        if (!(p->options.weight[i] > 0 && isfinite(p->options.weight[i])))
            return dpn_fail(why, DPN_EDOMAIN, "weight %zu must be positive and finite", i);
    for (size_t i = 0; set->bound && i < set->dimension; i++)
        if (!(set->bound[i] >= 0)) return dpn_fail(why, DPN_EDOMAIN, "sensitivity %zu must not be negative", i);
    if (!(set->l1 >= 0) || !(set->l2 >= 0) || !(set->linf >= 0))
        return dpn_fail(why, DPN_EDOMAIN, "the bounds l1, l2 and linf must not be negative");
    if ((set->vertex == NULL) != (set->vertices == 0))
        return dpn_fail(why, DPN_EDOMAIN, "vertices and their number must be given together");
    if (p->times > (UINT64_C(1) << 62) / set->dimension)
        return dpn_fail(why, DPN_EDOMAIN, "times is too large for %zu coordinates", set->dimension);
    return DPN_OK;
}

static bool whole(double x) {
    return x == floor(x);
}

/* Whole answers that move by at most 1/2 do not move. Who gives such a bound has other answers, to which noise on the integers
 * would be none at all. An l2 norm is a root, whole or not, and at least 1 if anything moves. */
bool dpn_set_is_whole(const dpn_sensitivity *set) {
    if (!whole(set->linf) || !whole(set->l1) || (set->l2 > 0 && set->l2 < 1)) return false;
    for (size_t i = 0; set->bound && i < set->dimension; i++)
        if (!whole(set->bound[i])) return false;
    for (size_t i = 0; i < set->vertices * set->dimension; i++)
        if (!whole(set->vertex[i])) return false;
    return true;
}

static dpn_status check_whole(const dpn_sensitivity *set, dpn_error *why) {
    if (dpn_set_is_whole(set)) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN,
                    "noise on the integers needs sensitivities that are whole numbers, and an l2 norm of at least 1");
}

static double bound_of(const dpn_sensitivity *set, size_t i) {
    double bound = fmin(fmin(or_unbounded(set->l1), or_unbounded(set->l2)), or_unbounded(set->linf));
    if (set->bound) bound = fmin(bound, set->bound[i]);
    double reach = 0;
    for (size_t v = 0; v < set->vertices; v++) reach = fmax(reach, fabs(set->vertex[v * set->dimension + i]));
    return set->vertices ? fmin(bound, reach) : bound;
}

/* Put similar sensitivities together, each group at its largest, until there are few enough groups. */
static size_t merge(dpn_problem *p, size_t most) {
    double ratio = 1.0 + 1e-6;
    size_t count = p->groups;
    size_t *target = malloc(p->groups * sizeof *target);
    if (!target) return 0;
    for (; count > most; ratio = 1 + 2 * (ratio - 1)) {
        count = 0;
        double top = 0, weight = 0;
        for (size_t g = 0; g < p->groups; g++) {
            bool fresh = count == 0 || p->group[g].bound * ratio < top || p->group[g].weight != weight;
            if (fresh) {
                top = p->group[g].bound;
                weight = p->group[g].weight;
                count++;
            }
            target[g] = count - 1;
        }
        if (ratio > 1e6) break;
    }
    for (size_t i = 0; i < p->set->dimension; i++)
        if (p->group_of[i] < p->groups)
            p->group_of[i] = target[p->group_of[i]];
        else
            p->group_of[i] = count;
    size_t last = SIZE_MAX;
    for (size_t g = 0; g < p->groups; g++) {
        dpn_coordinates one = p->group[g];
        if (target[g] == last) {
            p->group[last].count += one.count;
        } else {
            last = target[g];
            p->group[last] = one;
        }
    }
    free(target);
    p->merged = true;
    return count;
}

static dpn_status make_groups(dpn_problem *p, bool integer, size_t most, dpn_error *why) {
    size_t dimension = p->set->dimension;
    sorted *all = malloc(dimension * sizeof *all);
    p->sensitivity = malloc(dimension * sizeof *p->sensitivity);
    p->group_of = malloc(dimension * sizeof *p->group_of);
    p->group = malloc(dimension * sizeof *p->group);
    dpn_status status = DPN_OK;
    if (!all || !p->sensitivity || !p->group_of || !p->group)
        status = dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", dimension);
    bool ordered = true;
    for (size_t i = 0; i < dimension && !status; i++) {
        double bound = bound_of(p->set, i);
        if (!isfinite(bound))
            status = dpn_fail(why, DPN_EDOMAIN,
                              "the sensitivity is unbounded: give sensitivities, l1, l2, linf or vertices");
        p->sensitivity[i] = bound;
        if (integer) bound = floor(bound);
        all[i] = (sorted){bound, p->options.weight ? p->options.weight[i] : 1, i};
        if (i > 0 && compare(&all[i - 1], &all[i]) > 0) ordered = false;
    }
    if (!status && !ordered) qsort(all, dimension, sizeof *all, compare);
    for (size_t i = 0; i < dimension && !status; i++) {
        if (all[i].bound > 0) {
            if (i == 0 || compare(&all[i], &all[i - 1]) != 0)
                p->group[p->groups++] = (dpn_coordinates){all[i].bound, all[i].weight, 0};
            p->group[p->groups - 1].count++;
            p->group_of[all[i].index] = p->groups - 1;
        }
    }
    for (size_t i = 0; i < dimension && !status; i++)
        if (!(all[i].bound > 0)) p->group_of[all[i].index] = p->groups;
    free(all);
    if (status) return status;
    if (p->groups > most) {
        p->groups = merge(p, most);
        if (p->groups == 0) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", dimension);
        if (p->groups > most)
            return dpn_fail(why, DPN_EUNSUPPORTED, "there are too many different weights and sensitivities");
    }
    return DPN_OK;
}

/* ---- the moves ---- */

static dpn_status corner(dpn_problem *p, dpn_error *why) {
    p->shifts = p->groups;
    p->moves = 1;
    p->argument = DPN_ARGUMENT_CORNER;
    p->move = malloc(sizeof *p->move);
    p->shift = malloc((p->groups + 1) * sizeof *p->shift);
    if (!p->move || !p->shift) return dpn_fail(why, DPN_ENOMEM, "no memory for the moves of the sensitivity set");
    *p->move = (dpn_move){DPN_MOVE_WORST, 0, p->groups};
    for (size_t g = 0; g < p->groups; g++)
        p->shift[g] = (dpn_shift){g, p->group[g].bound, p->group[g].count * p->times};
    return DPN_OK;
}

/* Which moves decide depends on the family of one common law, not on its parameters. */
static dpn_status listed_moves(dpn_problem *p, const struct dpn_family *family, dpn_error *why) {
    dpn_law law;
    double shape = family->shape ? fmax(family->shape->least, family->shape->step) : 0;
    dpn_status status = dpn_family_tune(&law, family, shape, p->largest, p->largest, why);
    if (status) return status;
    dpn_moves moves;
    status = dpn_moves_make(&moves, &law, 1, p->set, why);
    if (!status) {
        p->argument = moves.argument;
        p->upper_only = moves.upper_only;
        p->shift = malloc((moves.parts + 1) * sizeof *p->shift);
        if (!p->shift) status = dpn_fail(why, DPN_ENOMEM, "no memory for the moves of the sensitivity set");
    }
    for (size_t i = 0; i < moves.parts && !status; i++)
        p->shift[i] = (dpn_shift){0, moves.part[i].loss.sensitivity, moves.part[i].times * p->times};
    if (!status) {
        p->shifts = moves.parts;
        p->move = moves.move;
        p->moves = moves.moves;
        moves.move = NULL;
    }
    dpn_moves_free(&moves);
    return status;
}

static void measure_moves(dpn_problem *p) {
    bool bounded = false;
    for (size_t m = 0; m < p->moves; m++) {
        if (p->move[m].role == DPN_MOVE_POSSIBLE) continue;
        double l1 = 0, square = 0, most = 0;
        for (size_t i = p->move[m].first; i < p->move[m].first + p->move[m].count; i++) {
            double n = (double)p->shift[i].times, d = p->shift[i].distance;
            l1 += n * d;
            square += n * d * d;
            most += n;
        }
        bool above = p->move[m].role == DPN_MOVE_ABOVE;
        p->l1 = above && bounded ? fmin(p->l1, l1) : fmax(p->l1, l1);
        p->l2 = above && bounded ? fmin(p->l2, sqrt(square)) : fmax(p->l2, sqrt(square));
        p->most = fmax(p->most, most);
        bounded = above;
    }
}

/* Where moves are only bounded, what is known of all of them are the norms of the set. */
static dpn_status measure_norms(dpn_problem *p, dpn_error *why) {
    dpn_norms norms;
    dpn_status status = dpn_norms_of(&norms, p->set, why);
    double times = (double)p->times;
    if (status) return status;
    p->l1 = norms.l1 * times;
    p->l2 = norms.l2 * sqrt(times);
    p->most = norms.changed * times;
    return DPN_OK;
}

dpn_status dpn_problem_make(dpn_problem *out, const struct dpn_family *family, double epsilon, double delta,
                            const dpn_sensitivity *set, const dpn_calibration_options *options, size_t most,
                            dpn_error *why) {
    *out = (dpn_problem){.epsilon = epsilon, .delta = delta, .set = set, .rival = INFINITY};
    if (options) out->options = *options;
    out->times = out->options.times ? out->options.times : 1;
    dpn_status status = check(out, why);
    bool integer = family->integer;
    if (!status && integer) status = check_whole(set, why);
    if (dpn_family_is_gaussian(family)) most = SIZE_MAX; /* their losses are one */
    if (!status) status = make_groups(out, integer, most, why);
    if (status) return status;
    out->largest = out->groups ? out->group[0].bound : 0;
    out->box =
        !set->vertices && set->l1 == 0 && set->l2 == 0 && (set->max_changed == 0 || set->max_changed >= set->dimension);
    status = out->box || out->groups == 0 ? corner(out, why) : listed_moves(out, family, why);
    if (status) return status;
    measure_moves(out);
    if (out->argument == DPN_ARGUMENT_BOUND && set->l2 > 0) status = measure_norms(out, why);
    if (status) return status;
    out->part = malloc((out->shifts + 1) * sizeof *out->part);
    out->order = calloc(1, sizeof *out->order);
    return out->part && out->order ? DPN_OK
                                   : dpn_fail(why, DPN_ENOMEM, "no memory for the moves of the sensitivity set");
}

void dpn_problem_free(dpn_problem *p) {
    free(p->group);
    free(p->group_of);
    free(p->sensitivity);
    free(p->move);
    free(p->shift);
    free(p->part);
    free(p->order);
    *p = (dpn_problem){0};
}

/* ---- what laws give ---- */

static dpn_status fill_parts(const dpn_problem *p, const dpn_law *law, size_t stride, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < p->shifts && !status; i++) {
        status = dpn_loss_law(&p->part[i].loss, &law[stride * p->shift[i].group], p->shift[i].distance, why);
        p->part[i].times = p->shift[i].times;
    }
    return status;
}

static bool all_gaussian(const dpn_problem *p) {
    for (size_t i = 0; i < p->shifts; i++)
        if (!(dpn_law_gaussian(&p->part[i].loss.law) > 0)) return false;
    return true;
}

/* Gaussian losses of one move are one loss: the squares of distance/sigma add. */
static dpn_status gaussian_delta(dpn_delta *out, const dpn_problem *p, const dpn_move *move, dpn_error *why) {
    double square = 0;
    for (size_t i = move->first; i < move->first + move->count; i++) {
        double ratio = p->part[i].loss.sensitivity / dpn_law_gaussian(&p->part[i].loss.law);
        square += (double)p->part[i].times * (ratio * ratio);
    }
    double root = sqrt(square), slack = (4 + (double)move->count) * DBL_EPSILON;
    dpn_law unit;
    dpn_delta lower, upper;
    dpn_status status = dpn_law_make(&unit, "gaussian", (const double[]){1}, 1, why);
    if (!status) status = dpn_profile_delta(&lower, &unit, root * (1 - slack), p->epsilon, why);
    if (!status) status = dpn_profile_delta(&upper, &unit, root * (1 + slack), p->epsilon, why);
    if (!status) *out = (dpn_delta){lower.lower, upper.upper, lower.log_lower, upper.log_upper};
    return status;
}

static dpn_status move_delta(dpn_delta *out, const dpn_problem *p, const dpn_move *move, bool gaussian,
                             dpn_effort effort, dpn_error *why) {
    if (gaussian && move->count > 0) return gaussian_delta(out, p, move, why);
    if (move->count == 1 && p->part[move->first].times == 1) {
        const dpn_loss *loss = &p->part[move->first].loss;
        return dpn_profile_delta(out, &loss->law, loss->sensitivity, p->epsilon, why);
    }
    dpn_accounting_options options = {.size = sizeof(dpn_accounting_options), .accuracy = effort.accuracy};
    dpn_composition composition;
    dpn_status status = dpn_composition_open(&composition, p->options.workspace,
                                             move->count ? &p->part[move->first] : NULL, move->count, &options, why);
    if (status) return status;
    composition.reader.brief = effort.brief;
    status = dpn_composition_delta(out, &composition, p->epsilon, why);
    dpn_composition_close(&composition);
    return status;
}

/* Whether a move is a bound of moves that are far shorter, as the corner of the box around an l2 ball is: other bounds are less,
 * and its composition may be slow. */
static bool is_far(const dpn_problem *p, const dpn_move *move) {
    double square = 0;
    if (move->role != DPN_MOVE_ABOVE || move->count == 0) return false;
    for (size_t i = move->first; i < move->first + move->count; i++)
        square += (double)p->shift[i].times * (p->shift[i].distance * p->shift[i].distance);
    bool alone = move->count == 1 && p->shift[move->first].times == p->times;
    return !alone && square > 2 * p->l2 * p->l2;
}

dpn_status dpn_problem_end(dpn_error *why) {
    return dpn_fail(why, DPN_ECANCELLED, "the search for the noise was cancelled");
}

bool dpn_problem_is_cancelled(const dpn_problem *p) {
    return p->options.cancelled && p->options.cancelled(p->options.context);
}

dpn_status dpn_problem_delta(dpn_delta *out, dpn_argument *rests_on, const dpn_problem *p, const dpn_law *law,
                             size_t stride, dpn_effort effort, dpn_error *why) {
    if (dpn_problem_is_cancelled(p)) return dpn_problem_end(why);
    dpn_status status = p->groups ? fill_parts(p, law, stride, why) : DPN_OK;
    bool gaussian = !status && p->groups && all_gaussian(p);
    dpn_delta all = dpn_moves_start(p->move, p->moves);
    dpn_ball ball;
    dpn_argument argument = p->argument;
    bool in_ball = p->groups && dpn_ball_make(&ball, argument, law, stride ? p->groups : 1, p->set, p->times);
    for (size_t m = 0; m < p->moves && !status; m++) {
        dpn_delta one;
        if (effort.middle && p->move[m].role == DPN_MOVE_POSSIBLE) continue; /* nobody asks for the lower end */
        if (in_ball && effort.brief && is_far(p, &p->move[m])) continue;
        status = move_delta(&one, p, &p->move[m], gaussian, effort, why);
        if (!status) dpn_moves_join_delta(&all, &one, p->move[m].role);
        if (dpn_moves_may_miss(status, p->move[m].role)) status = DPN_OK;
    }
    if (status) return status;
    if (in_ball) {
        if (effort.middle) ball.order = *p->order; /* a certificate is the same whatever was looked at before */
        dpn_ball_improve_delta(&all, &argument, &ball, NULL, p->epsilon, NULL);
        *p->order = ball.order;
    }
    if (rests_on) *rests_on = argument;
    if (p->upper_only || p->merged) {
        all.lower = 0;
        all.log_lower = -INFINITY;
    }
    *out = all;
    return DPN_OK;
}

double dpn_problem_largest_loss(const dpn_problem *p, const dpn_law *law, size_t stride) {
    if (p->groups == 0) return 0;
    if (fill_parts(p, law, stride, NULL)) return INFINITY;
    double worst = 0, above = INFINITY;
    bool bounded = false;
    for (size_t m = 0; m < p->moves; m++) {
        if (p->move[m].role == DPN_MOVE_POSSIBLE || p->move[m].count == 0) continue;
        double one = dpn_largest_loss(&p->part[p->move[m].first], p->move[m].count, false).hi * (1 + 2 * DBL_EPSILON);
        for (size_t i = p->move[m].first; i < p->move[m].first + p->move[m].count; i++)
            if (isfinite(dpn_law_support(&p->part[i].loss.law))) one = INFINITY;
        if (p->move[m].role == DPN_MOVE_ABOVE) {
            bounded = true;
            above = fmin(above, one);
        } else {
            worst = fmax(worst, one);
        }
    }
    return bounded ? above : worst;
}

bool dpn_problem_within_epsilon(const dpn_problem *p, const dpn_law *law, size_t stride) {
    if (p->groups == 0) return true;
    if (fill_parts(p, law, stride, NULL)) return false;
    bool all = true, bounded = false, above = false;
    for (size_t m = 0; m < p->moves; m++) {
        double slack;
        if (p->move[m].role == DPN_MOVE_POSSIBLE || p->move[m].count == 0) continue;
        bool one = dpn_largest_reached(&p->part[p->move[m].first], p->move[m].count, false, p->epsilon, &slack);
        if (p->move[m].role == DPN_MOVE_ABOVE) {
            bounded = true;
            above = above || one;
        } else {
            all = all && one;
        }
    }
    return bounded ? above : all;
}

double dpn_problem_deviation(const dpn_problem *p, double *gauss, double *laplace) {
    double log_term = fmax(-log(p->delta), 0.05), root = sqrt(log_term + p->epsilon) - sqrt(log_term);
    *gauss = p->epsilon > 0 ? p->l2 / (root * 1.4142135623730951) : INFINITY;
    *gauss = fmin(*gauss, 0.4 * p->l2 / p->delta);
    *laplace = p->l1 / fmax(p->epsilon - 2 * log1p(-p->delta), DBL_MIN);
    return fmin(*gauss, 1.4142135623730951 * *laplace);
}

bool dpn_problem_is_wide(const dpn_problem *p, const struct dpn_family *family) {
    double gauss, laplace;
    return family->integer && p->groups > 1 && p->delta > 0 && dpn_problem_deviation(p, &gauss, &laplace) > 100;
}

double dpn_law_error(const dpn_law *law, dpn_objective objective) {
    switch (objective) {
    case DPN_OBJECTIVE_MAE:
        return dpn_law_mean_abs(law);
    case DPN_OBJECTIVE_INTERVAL95:
        return dpn_law_isf(law, 0.025);
    default:
        return dpn_law_variance(law);
    }
}

double dpn_problem_error(const dpn_problem *p, const dpn_law *law, size_t stride) {
    double sum = 0;
    for (size_t g = 0; g < p->groups; g++)
        sum += (double)p->group[g].count * p->group[g].weight * dpn_law_error(&law[stride * g], p->options.objective);
    return sum;
}
