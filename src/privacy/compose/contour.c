/* delta(epsilon) of a composition by a sum along a contour. */
#include "privacy/compose/contour.h"

#include "base/error.h"
#include "privacy/compose/contour-atoms.h"
#include "privacy/compose/contour-smooth.h"
#include "privacy/interval.h"
#include "privacy/loss/largest.h"
#include "privacy/loss/loss.h"

#include <stdlib.h>

/* The integral is e^scale x with x from value - below to value + above, and scale is known up to its error. */
typedef struct answer {
    double scale, scale_error, value, below, above;
} answer;

static dpn_nodes nodes_of(const dpn_contour_plan *plan) {
    dpn_nodes nodes = {.theta = plan->theta,
                       .epsilon = plan->epsilon,
                       .step = plan->step,
                       .count = (size_t)ceil(plan->omega / plan->step),
                       .lattice = plan->lattice,
                       .density = plan->smooth > 0};
    if (plan->lattice.step > 0) { /* a whole number of nodes makes up the period */
        size_t all = (size_t)round(2 * DPN_PI / (plan->step * plan->lattice.step));
        if (nodes.count >= all / 2) {
            nodes.count = all / 2;
            nodes.last_once = all % 2 == 0;
        }
    }
    return nodes;
}

/* Losses that err by e_i in all move delta by at most E of their sum, tilted, in the unit e^scale (contour.md, section 9). */
static void add_doubt(answer *out, const dpn_contour_plan *plan, const dpn_sum *sum) {
    double mean = 0, most = 0;
    for (size_t i = 0; plan->unsure && i < sum->terms; i++) {
        const dpn_tilt_rule *rule = &sum->term[i].rule;
        double times = sum->term[i].times, size = 0, largest = 0;
        for (size_t k = 0; k < rule->count; k++) {
            size += rule->sum[k] * fabs(rule->value[k]);
            largest = fmax(largest, fabs(rule->value[k]));
        }
        mean += times * (plan->unsure[i].relative * size + plan->unsure[i].absolute);
        most += times * (plan->unsure[i].relative * largest + plan->unsure[i].absolute);
        out->scale_error += times * plan->unsure[i].mass;
    }
    double moved = 1.01 * mean * exp(2 * (1 + fabs(plan->theta)) * most);
    out->above += moved;
    out->below += moved;
}

static dpn_status integrate(answer *out, const dpn_contour_plan *plan, dpn_sum *sum, dpn_error *why) {
    if (!(plan->omega / plan->step < 1e9)) return dpn_fail(why, DPN_EACCURACY, "the contour sum needs too many nodes");
    dpn_nodes nodes = nodes_of(plan);
    dpn_node_sum main_sum, atoms = {0};
    double goal = fmin(1e-9, 1e-4 * plan->tolerance / plan->estimate);
    dpn_status status = dpn_sum_tilt(sum, plan->theta, (double)nodes.count * plan->step, goal, why);
    if (!status) status = dpn_nodes_sum(&main_sum, sum, &nodes, plan->without_atoms, why);
    if (status) return status;
    if (plan->without_atoms) atoms = dpn_atoms_sum(sum, plan->theta, plan->epsilon);
    out->scale = dpn_contour_scale(sum, plan->epsilon);
    out->scale_error = 2 * sum->cumulants.error + 2 * DBL_EPSILON * fabs(out->scale);
    out->value = main_sum.value + atoms.value;
    out->above = main_sum.error + atoms.error + plan->tail;
    out->below = out->above + plan->alias;
    add_doubt(out, plan, sum);
    if (plan->smooth > 0) /* delta without the weak loss is less, and 1 - delta more */
        *(plan->line == DPN_LINE_RIGHT ? &out->below : &out->above) += dpn_smooth_rise(plan, &main_sum);
    return DPN_OK;
}

/* log of e^scale x, moved down (sign -1) or up (sign 1) by the errors. */
static double log_end(const answer *a, double x, double sign) {
    if (x <= 0 || a->scale == -INFINITY) return -INFINITY;
    double log_x = log(x);
    return a->scale + log_x + sign * (a->scale_error + 2 * DBL_EPSILON * (fabs(a->scale) + fabs(log_x)));
}

/* Right of 0 delta is the integral and the mass at infinity. */
static dpn_delta right_interval(const answer *a, double log_infinite) {
    double slack = log_infinite == -INFINITY ? 0 : 8 * DBL_EPSILON * (1 + fabs(log_infinite));
    return dpn_delta_between(dpn_log_add(log_end(a, a->value - a->below, -1), log_infinite - slack),
                             dpn_log_add(log_end(a, a->value + a->above, 1), log_infinite + slack));
}

/* On the middle line the integral is 1 - delta. */
static dpn_delta middle_interval(const answer *a) {
    double least = exp(log_end(a, a->value - a->below, -1)), most = exp(log_end(a, a->value + a->above, 1));
    return dpn_delta_between(most < 1 ? log1p(-most) : -INFINITY, log1p(-fmin(least, 1)));
}

static dpn_delta interval(const answer *a, const dpn_contour_plan *plan) {
    return plan->line == DPN_LINE_RIGHT ? right_interval(a, plan->log_infinite) : middle_interval(a);
}

static dpn_status solve(dpn_delta *out, dpn_contour_plan *plan, dpn_sum *sum, bool smooth, dpn_error *why) {
    dpn_status status = dpn_plan_line(plan, sum, why);
    if (status) return status;
    answer a = {.scale = plan->scale, .value = 0, .above = plan->most};
    double known = plan->line == DPN_LINE_RIGHT ? plan->log_infinite : 0;
    double log_most = plan->scale + log(plan->most);
    add_doubt(&a, plan, sum);
    bool enough = plan->line == DPN_LINE_RIGHT && interval(&a, plan).log_upper <= log(plan->enough);
    if (log_most < known + log(plan->accuracy) - 10 || enough) { /* the integral does not matter */
        *out = interval(&a, plan);
        return DPN_OK;
    }
    if (smooth) status = dpn_smooth_line(plan, sum, 1, why);
    if (status) return status;
    for (int i = 0; i < (smooth ? 8 : 3); i++) { /* again, if the estimate of the answer was too large */
        status = dpn_plan_nodes(plan, sum, why);
        if (!status) status = integrate(&a, plan, sum, why);
        if (status) return status;
        dpn_delta delta = interval(&a, plan);
        if (delta.log_upper - delta.log_lower <= log1p(plan->accuracy)) {
            *out = delta;
            return DPN_OK;
        }
        if (smooth) {
            double excess = (delta.log_upper - delta.log_lower) / log1p(plan->accuracy);
            double weaker = fmin(fmax(0.5 / excess, 0.02), 0.5), tolerance = weaker * plan->tolerance;
            status = dpn_smooth_line(plan, sum, weaker, why);
            if (status) return status;
            plan->tolerance = tolerance;
        } else {
            plan->tolerance *= 0.02;
        }
    }
    return dpn_fail(why, DPN_EACCURACY, "the contour sum does not reach the accuracy");
}

/* For epsilon >= 0. */
static dpn_status right_half(dpn_delta *out, dpn_sum *sum, const dpn_part *part, size_t parts,
                             const dpn_contour_plan *asked, bool smooth, dpn_error *why) {
    double epsilon = asked->epsilon;
    double slack, log_infinite = log(-expm1(sum->log_finite));
    if (dpn_largest_reached(part, parts, sum->reversed, epsilon, &slack)) {
        answer beyond = {.scale = slack > 0 ? log(slack) : -INFINITY, .above = 1};
        *out = right_interval(&beyond, log_infinite);
        return DPN_OK;
    }
    dpn_lattice lattice = dpn_lattice_find(sum, epsilon);
    dpn_lattice_fold(sum, &lattice);
    bool atoms = dpn_smooth_needed(sum, &lattice);
    if (atoms && !smooth)
        return dpn_fail(why, DPN_EACCURACY, "the losses have atoms only, on no lattice: not for the contour sum");
    dpn_lattice_decay *decay = calloc(sum->terms + 1, sizeof *decay);
    if (!decay) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu losses", parts);
    dpn_contour_plan plan = *asked;
    plan.log_infinite = log_infinite;
    plan.lattice = lattice;
    plan.decay = decay;
    dpn_status status = solve(out, &plan, sum, atoms, why);
    free(decay);
    return status;
}

/* The bounds use fourth powers of the losses, which must not underflow, nor overflow. */
static bool moderate(const dpn_loss *loss) {
    double size = 1;
    if (loss->kind == &dpn_loss_kind_law) size = loss->sensitivity / sqrt(dpn_law_variance(&loss->law));
    if (loss->kind == &dpn_loss_kind_pure) size = loss->epsilon;
    return size == 0 || (size > 1e-60 && size < 1e60);
}

static dpn_status contour_delta(dpn_delta *out, const dpn_part *part, size_t parts, const dpn_contour_plan *asked,
                                bool smooth, dpn_error *why) {
    double epsilon = asked->epsilon;
    dpn_contour_plan right = *asked;
    right.epsilon = fabs(epsilon);
    if (epsilon < 0) right.enough = 0;
    dpn_sum sum;
    dpn_delta delta;
    for (size_t i = 0; i < parts; i++)
        if (!moderate(&part[i].loss))
            return dpn_fail(why, DPN_EACCURACY, "the losses are too small or too large for the contour sum");
    dpn_status status = dpn_sum_make(&sum, part, parts, epsilon < 0, why);
    if (status) return status;
    double surplus = expm1(sum.log_surplus);
    status = right_half(&delta, &sum, part, parts, &right, smooth, why);
    dpn_sum_free(&sum);
    if (status) return status;
    if (epsilon < 0) { /* delta(-e) = 1 - e^-e + e^-e delta'(e) with P and Q exchanged */
        double rest = log(-expm1(epsilon)), less = log(fmax(0, -expm1(epsilon) - exp(epsilon) * surplus));
        delta = dpn_delta_between(dpn_log_add(surplus > 0 ? less : rest, epsilon + delta.log_lower) - 8 * DBL_EPSILON,
                                  dpn_log_add(rest, epsilon + delta.log_upper) + 8 * DBL_EPSILON);
    }
    *out = delta;
    return DPN_OK;
}

dpn_status dpn_contour_delta(dpn_delta *out, const dpn_part *part, size_t parts, double epsilon, double accuracy,
                             double enough, double work, dpn_error *why) {
    dpn_contour_plan asked = {.epsilon = epsilon, .accuracy = accuracy, .work = work, .enough = enough};
    return contour_delta(out, part, parts, &asked, false, why);
}

dpn_status dpn_contour_smooth_delta(dpn_delta *out, const dpn_part *part, const dpn_doubt *doubt, size_t parts,
                                    double epsilon, double accuracy, double enough, double work, dpn_error *why) {
    dpn_contour_plan asked = {
        .epsilon = epsilon, .accuracy = accuracy, .work = work, .enough = enough, .unsure = doubt};
    return contour_delta(out, part, parts, &asked, true, why);
}
