/* The ball of K-norm noise with the least error. */
#include "calibrate/ball.h"

#include "base/error.h"
#include "calibrate/box-noise.h"
#include "calibrate/golden.h"
#include "calibrate/l2-noise.h"
#include "calibrate/plan.h"
#include "calibrate/set-norm.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

double dpn_ball_unit_error(dpn_ball_kind ball, double m, dpn_objective objective) {
    switch (ball) {
    case DPN_BALL_BOX:
    case DPN_BALL_LINF:
        return dpn_box_noise_error(m, objective);
    case DPN_BALL_L1: /* independent Laplace noise */
        return objective == DPN_OBJECTIVE_MSE ? 2 : objective == DPN_OBJECTIVE_MAE ? 1 : log(20);
    case DPN_BALL_L2:
        return dpn_l2_noise_error(m, objective);
    default:
        return NAN;
    }
}

void dpn_ball_choice_free(dpn_ball_choice *choice) {
    free(choice->side);
    free(choice->hull_error);
    *choice = (dpn_ball_choice){0};
}

/* A ball on trial. */
typedef struct trial {
    const dpn_problem *problem;
    const size_t *coordinate;
    size_t count;
    dpn_ball_kind ball;
    double epsilon; /* of balls known by it alone */
    double unit;    /* error of a side of 1 */
    double *side;   /* room */
    bool no_memory;
} trial;

static double weight_of(const trial *t, size_t k) {
    return t->problem->options.weight ? t->problem->options.weight[t->coordinate[k]] : 1;
}

static double power_of(double x, dpn_objective objective) {
    return objective == DPN_OBJECTIVE_MSE ? x * x : x;
}

static double error_of(const trial *t) {
    double sum = 0;
    for (size_t k = 0; k < t->count; k++) sum += weight_of(t, k) * power_of(t->side[k], t->problem->options.objective);
    return t->unit * sum;
}

/* Sides in proportion to a power of the sensitivities, as short as the set allows: the bound of its norm, once more computed with
 * these sides, is at most 1. False if there is no memory, or no such ball. */
static bool fit(trial *t, double power) {
    const dpn_problem *p = t->problem;
    for (size_t k = 0; k < t->count; k++) t->side[k] = pow(p->sensitivity[t->coordinate[k]] / p->largest, power);
    double factor = dpn_set_norm_upper(p->set, t->ball, t->coordinate, t->count, t->side);
    for (int i = 0; i < 8 && factor > 0 && isfinite(factor); i++) {
        for (size_t k = 0; k < t->count; k++) t->side[k] *= factor;
        double norm = dpn_set_norm_upper(p->set, t->ball, t->coordinate, t->count, t->side);
        if (norm >= 0 && norm <= 1) return true;
        factor = norm * (1 + DBL_EPSILON);
    }
    if (factor < 0) t->no_memory = true;
    return false;
}

static double error_at(void *context, double power) {
    trial *t = context;
    return fit(t, power) ? error_of(t) : INFINITY;
}

static bool equal_sensitivities(const trial *t) {
    for (size_t k = 1; k < t->count; k++)
        if (t->problem->sensitivity[t->coordinate[k]] != t->problem->sensitivity[t->coordinate[0]]) return false;
    return true;
}

/* The power with the least error: 0, one norm for all, 1, in units of the sensitivities, or between. */
static double best_power(trial *t) {
    enum { LOOKS = 16 };
    if (equal_sensitivities(t)) return 0;
    double between = dpn_golden(error_at, t, 0, 1, LOOKS), best = 0, least = error_at(t, 0);
    const double others[] = {1, between};
    for (int i = 0; i < 2; i++) {
        double error = error_at(t, others[i]);
        if (!(error < least)) continue;
        least = error;
        best = others[i];
    }
    return best;
}

/* ---- The candidates ---- */

/* Keep what is better by more than rounding: among equals the first one tried stays. */
static bool better(double error, const dpn_ball_choice *best) {
    return error < best->error * (1 - 1e-9);
}

static dpn_status try_sides(dpn_ball_choice *best, const trial *like, dpn_ball_kind ball, dpn_error *why) {
    trial t = *like;
    t.ball = ball;
    t.unit = dpn_ball_unit_error(ball, (double)t.count, t.problem->options.objective);
    double epsilon = ball == DPN_BALL_L2 ? dpn_l2_noise_epsilon(t.problem, t.count, t.epsilon) : 0;
    if (epsilon > 0) t.unit *= power_of(t.epsilon / epsilon, t.problem->options.objective);
    t.side = malloc(t.count * sizeof *t.side);
    if (!t.side) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", t.count);
    double power = ball == DPN_BALL_LINF ? 0 : best_power(&t), error = error_at(&t, power);
    if (t.no_memory || !better(error, best)) {
        free(t.side);
        return t.no_memory ? dpn_fail(why, DPN_ENOMEM, "no memory for the moves of the sensitivity set") : DPN_OK;
    }
    free(best->side);
    best->side = t.side;
    best->ball = ball;
    best->error = error;
    best->epsilon = epsilon;
    return DPN_OK;
}

static void try_box(dpn_ball_choice *best, const trial *like) {
    const dpn_problem *p = like->problem;
    double sum = 0;
    for (size_t k = 0; k < like->count; k++)
        sum += weight_of(like, k) * power_of(p->sensitivity[like->coordinate[k]], p->options.objective);
    best->ball = DPN_BALL_BOX;
    best->error = dpn_ball_unit_error(DPN_BALL_BOX, (double)like->count, p->options.objective) * sum;
}

/* The vertices without the coordinates that do not move. */
static double *moved_columns(const trial *like) {
    const dpn_sensitivity *set = like->problem->set;
    double *row = malloc(set->vertices * like->count * sizeof *row);
    for (size_t v = 0; row && v < set->vertices; v++)
        for (size_t k = 0; k < like->count; k++)
            row[v * like->count + k] = set->vertex[v * set->dimension + like->coordinate[k]];
    return row;
}

static dpn_status try_hull(dpn_ball_choice *best, const trial *like, dpn_error *why) {
    const dpn_problem *p = like->problem;
    if (!p->options.hulls)
        return dpn_fail(why, DPN_EUNSUPPORTED, "hulls need the geometry of libdpnoise (dpn_exact_hulls)");
    if (p->set->vertices == 0) return dpn_fail(why, DPN_EDOMAIN, "the ball hull needs the vertices of the set");
    if (p->options.identical && like->count > 1)
        return dpn_fail(why, DPN_EUNSUPPORTED, "K-norm noise of a hull is not identical");
    double *row = moved_columns(like), *error = malloc(DPN_OBJECTIVES * like->count * sizeof *error), sum = 0;
    dpn_status status = row && error ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the vertices");
    if (!status) status = p->options.hulls->errors(error, like->count, row, p->set->vertices, why);
    free(row);
    for (size_t k = 0; k < like->count && !status; k++)
        sum += weight_of(like, k) * error[DPN_OBJECTIVES * k + p->options.objective];
    if (status || !better(sum, best)) {
        free(error);
        return status;
    }
    free(best->side);
    best->side = NULL;
    best->hull_error = error;
    best->ball = DPN_BALL_HULL;
    best->error = sum;
    best->epsilon = 0;
    return DPN_OK;
}

static dpn_status try_asked(dpn_ball_choice *best, const trial *like, dpn_error *why) {
    dpn_ball_kind ball = like->problem->options.ball;
    if (ball == DPN_BALL_HULL) return try_hull(best, like, why);
    if (ball != DPN_BALL_BOX) return try_sides(best, like, ball, why);
    try_box(best, like);
    return DPN_OK;
}

/* On a box its own noise has less error than that of l1 and l2 balls around it, unless the sides differ much, where blocks are
 * better still, or a delta lets the l2 ball take a larger epsilon. On other sets all compete. */
static dpn_status try_all(dpn_ball_choice *best, const trial *like, dpn_error *why) {
    const dpn_sensitivity *set = like->problem->set;
    dpn_status status = DPN_OK;
    try_box(best, like);
    if (like->count == 1) return DPN_OK;
    if (dpn_plan_box(set)) return like->problem->delta > 0 ? try_sides(best, like, DPN_BALL_L2, why) : DPN_OK;
    const dpn_ball_kind sides[] = {DPN_BALL_L1, DPN_BALL_L2};
    for (int i = 0; i < 2 && !status; i++) status = try_sides(best, like, sides[i], why);
    if (status || set->vertices == 0 || !like->problem->options.hulls) return status;
    status = try_hull(best, like, &best->hull);
    if (status != DPN_ENOMEM) return DPN_OK;
    return dpn_fail(why, status, "%s", best->hull.sentence);
}

dpn_status dpn_ball_choose(dpn_ball_choice *out, const dpn_problem *p, const size_t *coordinate, size_t count,
                           double epsilon, dpn_error *why) {
    dpn_ball_choice best = {.error = INFINITY};
    trial like = {.problem = p, .coordinate = coordinate, .count = count, .epsilon = epsilon};
    dpn_status status = p->options.has_ball ? try_asked(&best, &like, why) : try_all(&best, &like, why);
    if (!status && isinf(best.error))
        status = dpn_fail(why, DPN_EACCURACY, "no %s ball around the set is certain to hold it",
                          dpn_ball_kind_name(p->options.ball));
    if (status)
        dpn_ball_choice_free(&best);
    else
        *out = best;
    return status;
}
