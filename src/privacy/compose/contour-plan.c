/* Where the contour runs and at which nodes. */
#include "privacy/compose/contour-plan.h"

#include "base/error.h"
#include "privacy/compose/contour-atoms.h"
#include "privacy/interval.h"
#include "privacy/loss/mgf.h"

/* Cumulants that only guide the choice are computed with this error. */
#define ROUGH 1e-3

/* A period of more than so many deviations of the losses is long. */
#define FAR 60

double dpn_contour_scale(const dpn_sum *sum, double epsilon) {
    return dpn_two_value(dpn_two_subtract(sum->cumulants.value, dpn_two_product(sum->theta, epsilon)));
}

/* The supremum over y of (1 - e^-y)_+ e^(-rho y): times e^(K(rho) - rho x) it bounds delta(x). Between -1 and 0 the
 * function is min(1, e^-y), the supremum 1, and the bound that of 1 - delta(x). */
static double chernoff(dpn_line line, double rho) {
    if (line == DPN_LINE_MIDDLE || rho == 0) return 1;
    return exp(-rho * log1p(1 / rho)) / (1 + rho);
}

/* ---- the line ---- */

static bool on_lattice(const dpn_contour_plan *plan) {
    return plan->lattice.step > 0;
}

/* Right of 0 the saddle point makes delta easy, unless epsilon is far below the mean loss: then the pole at 0 is
 * near. */
dpn_status dpn_plan_line(dpn_contour_plan *plan, dpn_sum *sum, dpn_error *why) {
    dpn_status status = dpn_sum_tilt(sum, 0, 0, ROUGH, why);
    if (status) return status;
    bool right = plan->epsilon >= sum->cumulants.mean - 3 * sqrt(sum->cumulants.variance);
    plan->line = right ? DPN_LINE_RIGHT : DPN_LINE_MIDDLE;
    status = dpn_sum_saddle(&plan->theta, sum, plan->line, plan->epsilon,
                            plan->enough < 1 ? log(plan->enough) : -INFINITY, ROUGH, why);
    if (status) return status;

    double theta = plan->theta, kernel = 1 / fabs(theta * (1 + theta)), bell = sqrt(2 * DPN_PI);
    plan->scale = dpn_contour_scale(sum, plan->epsilon);
    plan->doubt = sum->cumulants.error + 4 * DBL_EPSILON * (1 + fabs(plan->scale));
    plan->most = chernoff(plan->line, theta) * exp(plan->doubt);
    plan->width = 1 / sqrt(sum->cumulants.variance + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta)));
    plan->estimate = kernel * plan->width / bell;
    if (on_lattice(plan)) {
        kernel = fabs(creal(dpn_lattice_kernel(&plan->lattice, theta)));
        plan->estimate = kernel * fmin(plan->width / bell, 1 / plan->lattice.step);
    }
    double log_answer = right ? dpn_log_add(plan->scale + log(plan->estimate), plan->log_infinite) : 0;
    plan->tolerance = plan->accuracy * exp(fmin(700, log_answer - plan->scale));
    return DPN_OK;
}

/* ---- aliasing ---- */

/* The terms k T on one side of epsilon sum to at most exp(log_first - rate T)/(1 - exp(-rate T)). */
typedef struct side {
    double log_first, rate;
} side;

static dpn_status make_side(side *out, const dpn_contour_plan *plan, dpn_sum *sum, double rho, dpn_error *why) {
    dpn_status status = dpn_sum_tilt(sum, rho, 0, ROUGH, why);
    if (status) return status;
    out->log_first = dpn_contour_scale(sum, plan->epsilon) - plan->scale + log(chernoff(plan->line, rho));
    out->log_first += sum->cumulants.error + plan->doubt;
    out->rate = fabs(rho - plan->theta);
    return DPN_OK;
}

static double alias_of(side s, double period) {
    return exp(s.log_first - s.rate * period) / -expm1(-s.rate * period);
}

/* The period that brings them to the goal. */
static double period_of(side s, double log_goal) {
    return (s.log_first - log_goal) / s.rate;
}

static dpn_status choose_step(dpn_contour_plan *plan, dpn_sum *sum, dpn_error *why) {
    bool right = plan->line == DPN_LINE_RIGHT;
    double below = plan->theta - 6 * plan->width, above = plan->theta + 6 * plan->width, margin = 0.02 * plan->width;
    if (below < (right ? 0 : -1) + margin) below = right ? 0 : -1;
    if (!right && above > -margin) above = 0;
    side lower, upper;
    dpn_status status = make_side(&lower, plan, sum, below, why);
    if (!status) status = make_side(&upper, plan, sum, above, why);
    double log_goal = log(1e-4 * plan->tolerance), period = 2 / plan->width;
    /* Rare losses beyond all others make K rise steeply a few widths away; then a nearer point serves. */
    for (int i = 0; plan->smooth > 0 && i < 4 && !status && period_of(upper, log_goal) > FAR / plan->width; i++) {
        side nearer;
        above = 0.5 * (plan->theta + above);
        status = make_side(&nearer, plan, sum, above, why);
        if (!status && period_of(nearer, log_goal) < period_of(upper, log_goal)) upper = nearer;
    }
    if (status) return status;
    period = fmax(period, period_of(lower, log_goal));
    period = fmax(period, period_of(upper, log_goal));
    if (on_lattice(plan)) period = ceil(period / plan->lattice.step) * plan->lattice.step;
    plan->step = 2 * DPN_PI / period;
    plan->alias = alias_of(lower, period) + alias_of(upper, period);
    return DPN_OK;
}

/* ---- truncation ---- */

/* The logarithm of a bound, from omega on, of the product of all |phi| to their powers. */
static double log_product(const dpn_contour_plan *plan, const dpn_sum *sum, double omega) {
    double smooth = on_lattice(plan) ? fmin(omega, dpn_lattice_smooth(&plan->lattice)) : omega;
    double log_bound = -0.5 * sum->gaussian * smooth * smooth;
    for (size_t i = 0; i < sum->terms; i++) {
        const dpn_term *term = &sum->term[i];
        log_bound +=
            term->times * (on_lattice(plan) ? dpn_lattice_log_bound(&plan->decay[i], term, &plan->lattice, omega)
                                            : dpn_decay_log_bound(&term->rule.decay, omega));
    }
    return log_bound;
}

/* The same for the product without that of the atoms: prod (q + r)^n - prod q^n, q the atoms' masses and r a bound of
 * the rest. Where the atoms are the smaller part, and may be too small for a double, the first product is a bound. */
static double product_without_atoms(const dpn_sum *sum, double omega) {
    double log_atoms = 0, log_ratio = 0, log_all = 0;
    for (size_t i = 0; i < sum->terms; i++) {
        const dpn_decay *decay = &sum->term[i].rule.decay;
        double times = sum->term[i].times, rest = dpn_decay_rest(decay, omega);
        log_atoms += times * log(decay->atoms);
        log_ratio += times * log1p(rest / decay->atoms);
        log_all += times * log(decay->atoms + rest);
    }
    return log_ratio < 1 ? exp(log_atoms) * expm1(log_ratio) : exp(log_all);
}

/* A bound of the trapezoid sum beyond omega, on both sides of the axis (on a lattice to the end of the period). The
 * kernel is at most 1/(omega^2 + near^2) with near the distance to the nearer pole. */
static double tail_beyond(const dpn_contour_plan *plan, const dpn_sum *sum, double omega) {
    double near = plan->line == DPN_LINE_RIGHT ? plan->theta : fmin(-plan->theta, 1 + plan->theta);
    double kernel = atan(near / omega) / (DPN_PI * near);
    if (on_lattice(plan)) kernel *= dpn_lattice_kernel_bound(&plan->lattice, plan->theta);
    return kernel * (plan->without_atoms ? product_without_atoms(sum, omega) : exp(log_product(plan, sum, omega)));
}

/* The least omega with a tail below the goal, to a few percent; false if that is beyond the last. */
static bool find_omega(dpn_contour_plan *plan, const dpn_sum *sum, double goal, double last) {
    double low = 0, high = plan->width;
    while (tail_beyond(plan, sum, high) > goal) {
        low = high;
        high *= 2;
        if (low > last) return false;
    }
    for (int i = 0; i < 6; i++) {
        double middle = 0.5 * (low + high);
        if (tail_beyond(plan, sum, middle) > goal)
            low = middle;
        else
            high = middle;
    }
    plan->omega = high;
    plan->tail = tail_beyond(plan, sum, high);
    /* The integral of e^(-v omega^2/2) from omega on is at most its first value over v omega. */
    if (plan->smooth > 0) plan->density_tail = exp(log_product(plan, sum, high)) / (DPN_PI * high * plan->smooth);
    return high <= last;
}

/* Look at the characteristic functions of losses that occur often, for a better bound of their decay. */
static void scan(dpn_sum *sum) {
    for (size_t i = 0; i < sum->terms; i++) {
        dpn_term *term = &sum->term[i];
        if (term->times < 50 || !dpn_mgf_is_closed(&term->shape)) continue;
        dpn_decay_scan(&term->rule.decay, &term->shape, term->rule.theta, term->rule.top, term->rule.total);
    }
}

/* A thousandth of the tolerance costs little where the integrand falls fast. Where it does not seem to, the bounds
 * may be too weak; or the atoms are in the way: take them out, if they are few. */
static bool truncate_line(dpn_contour_plan *plan, dpn_sum *sum) {
    plan->without_atoms = false;
    if (find_omega(plan, sum, 1e-3 * plan->tolerance, 60 * plan->step)) return true;
    scan(sum);
    if (find_omega(plan, sum, 1e-3 * plan->tolerance, 500 * plan->step)) return true;
    plan->without_atoms = plan->line == DPN_LINE_RIGHT && dpn_atoms_few(sum);
    return find_omega(plan, sum, plan->tolerance / 6, plan->work * plan->step);
}

/* On a lattice there is always the whole period, and then no tail. */
static void truncate_period(dpn_contour_plan *plan, dpn_sum *sum) {
    double half = DPN_PI / plan->lattice.step;
    dpn_lattice_decays(plan->decay, sum, &plan->lattice);
    if (find_omega(plan, sum, 1e-3 * plan->tolerance, half)) return;
    plan->omega = half;
    plan->tail = 0;
}

/* What a node costs, in the cost of a point of a rule: the closed form takes a hundred for each exponential or w(z),
 * a rule about one point for each unit of omega times the width of the losses that matter, those within 8 deviations of the mean,
 * unless it has atoms alone; -L and L are one point. */
static double term_cost(dpn_term *term, double omega, double tolerance) {
    const dpn_shape *shape = &term->shape;
    double reach = 8 * sqrt(term->rule.variance), width = reach + fmin(reach, fabs(term->rule.mean));
    double points = (double)term->rule.count + (shape->segments > 0 ? omega * width : 0), closed = 0;
    for (size_t i = 0; i < shape->segments; i++) closed += shape->segment[i].log_density.c[2] == 0 ? 200 : 400;
    term->closed = dpn_mgf_is_closed(shape) && closed < points && term->times * DPN_MGF_ERROR < 1e-2 * tolerance;
    return term->closed ? closed : points;
}

dpn_status dpn_plan_nodes(dpn_contour_plan *plan, dpn_sum *sum, dpn_error *why) {
    dpn_status status = choose_step(plan, sum, why);
    if (!status) status = dpn_sum_tilt(sum, plan->theta, 0, DPN_DECAY_GOAL * sum->times, why);
    if (status) return status;
    bool found = true;
    if (on_lattice(plan))
        truncate_period(plan, sum);
    else
        found = truncate_line(plan, sum);
    double cost = 100;
    for (size_t i = 0; i < sum->terms; i++)
        cost += term_cost(&sum->term[i], plan->omega, plan->tolerance / plan->estimate);
    if (!found || plan->omega / plan->step * cost > plan->work)
        return dpn_fail(why, DPN_EACCURACY, "the contour sum takes too many nodes");
    return DPN_OK;
}
