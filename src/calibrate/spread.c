/* The best spread by the saddle-point approximation: for each tilt theta and each price of privacy the best noise of one
 * coordinate (the frontier), then the price that gives delta, then the theta with the least error. */
#include "calibrate/spread.h"

#include "base/error.h"
#include "calibrate/golden.h"
#include "law/facts.h"
#include "privacy/compose/saddle.h"

#include <math.h>

#define PITCH 0.5 /* of the frontier, in the logarithm of the price */

enum { NODES = 256, SHAPE_SCAN = 6, SHAPE_STEPS = 8, TILT_STEPS = 12 };

/* The noise that minimises error + price * K on a coordinate of sensitivity 1. */
typedef struct noise {
    double log_ratio, log_shape;             /* of the sensitivity to the scale */
    double log_error, log_k, log_k1, log_k2; /* K and its derivatives at the tilt */
} noise;

typedef struct frontier {
    const dpn_problem *problem;
    const struct dpn_family *family;
    double from, to; /* of the logarithm of the shape */
    double power;    /* the error is that of scale 1 times this power of the scale */
    double theta;
    double first; /* logarithm of the price at node 0 */
    bool known[NODES];
    noise node[NODES];
} frontier;

/* ---- one coordinate ---- */

static dpn_status look(noise *n, const frontier *f, dpn_error *why) {
    dpn_law law;
    dpn_part part = {.times = 1};
    double shape = f->family->shape ? exp(n->log_shape) : 0;
    dpn_status status = dpn_family_tune(&law, f->family, shape, exp(-n->log_ratio), 1, why);
    if (!status) status = dpn_loss_law(&part.loss, &law, 1, why);
    dpn_sum sum;
    if (!status) status = dpn_sum_make(&sum, &part, 1, false, why);
    if (status) return status;
    status = dpn_sum_tilt(&sum, f->theta, 0, 1e-6, why);
    if (!status) {
        n->log_error = log(dpn_law_error(&law, f->problem->options.objective));
        n->log_k = log(dpn_two_value(sum.cumulants.value));
        n->log_k1 = log(sum.cumulants.mean);
        n->log_k2 = log(sum.cumulants.variance);
    }
    dpn_sum_free(&sum);
    if (!status && !(isfinite(n->log_k) && isfinite(n->log_k1) && isfinite(n->log_error)))
        return dpn_fail(why, DPN_EACCURACY, "the saddle point is out of reach");
    return status;
}

/* The best ratio for a shape. Where the derivative of error + price K vanishes, power * error = price * K * elasticity;
 * the elasticity of K, between 1 and 2 or so, is taken from the last two looks. */
static dpn_status best_ratio(noise *n, const frontier *f, double log_price, dpn_error *why) {
    double elasticity = 2, last_ratio = NAN, last_k = NAN;
    for (int round = 0; round < 12; round++) {
        dpn_status status = look(n, f, why);
        if (status) return status;
        double seen = (n->log_k - last_k) / (n->log_ratio - last_ratio);
        if (seen > 0.2 && seen < 8) elasticity = seen;
        double step = (log(f->power / elasticity) + n->log_error - log_price - n->log_k) / (f->power + elasticity);
        if (fabs(step) < 1e-4) return DPN_OK;
        last_ratio = n->log_ratio;
        last_k = n->log_k;
        n->log_ratio += fmin(fmax(step, -2), 2);
    }
    return look(n, f, why);
}

/* What is looked for at one price, over the shapes: the noise with the least error + price K. */
typedef struct quest {
    const frontier *frontier;
    double log_price;
    noise best;
    double least;
} quest;

/* log(error + price K) for the best ratio at a shape, +inf if there is none. */
static double cost_at(void *context, double log_shape) {
    quest *q = context;
    noise n = q->best;
    n.log_shape = log_shape;
    if (best_ratio(&n, q->frontier, q->log_price, NULL)) return INFINITY;
    double a = n.log_error, b = q->log_price + n.log_k, top = fmax(a, b);
    double cost = top + log(exp(a - top) + exp(b - top));
    if (cost < q->least) {
        q->least = cost;
        q->best = n;
    }
    return cost;
}

static dpn_status best_noise(noise *out, const frontier *f, noise start, double log_price, dpn_error *why) {
    quest q = {f, log_price, start, INFINITY};
    double width = (f->to - f->from) / (SHAPE_SCAN - 1);
    int shapes = f->family->shape && width > 0 ? SHAPE_SCAN : 1;
    for (int i = 0; i < shapes; i++) cost_at(&q, f->from + width * i);
    if (!isfinite(q.least)) return dpn_fail(why, DPN_EACCURACY, "the saddle point is out of reach");
    double middle = q.best.log_shape;
    if (shapes > 1) dpn_golden(cost_at, &q, fmax(f->from, middle - width), fmin(f->to, middle + width), SHAPE_STEPS);
    *out = q.best;
    return DPN_OK;
}

/* ---- the frontier ---- */

/* Node i, computed when it is first asked for, starting from the nearest known one or from Gaussian noise. */
static dpn_status node_at(const noise **out, frontier *f, int i, dpn_error *why) {
    if (!f->known[i]) {
        double log_price = f->first + PITCH * i;
        noise start = {.log_ratio = 0.25 * (log(2 / (f->theta * (1 + f->theta))) - log_price), .log_shape = f->from};
        for (int j = 1; j < NODES; j++) {
            int near = i - j >= 0 && f->known[i - j] ? i - j : i + j < NODES && f->known[i + j] ? i + j : -1;
            if (near < 0) continue;
            start = f->node[near];
            break;
        }
        dpn_status status = best_noise(&f->node[i], f, start, log_price, why);
        if (status) return status;
        f->known[i] = true;
    }
    *out = &f->node[i];
    return DPN_OK;
}

static dpn_status noise_for(noise *out, frontier *f, double log_price, dpn_error *why) {
    double place = (log_price - f->first) / PITCH;
    int i = (int)fmin(fmax(floor(place), 0), NODES - 2);
    const noise *a, *b;
    dpn_status status = node_at(&a, f, i, why);
    if (!status) status = node_at(&b, f, i + 1, why);
    if (status) return status;
    double t = place - i;
    *out = (noise){a->log_ratio + t * (b->log_ratio - a->log_ratio), a->log_shape + t * (b->log_shape - a->log_shape),
                   a->log_error + t * (b->log_error - a->log_error), a->log_k + t * (b->log_k - a->log_k),
                   a->log_k1 + t * (b->log_k1 - a->log_k1),          a->log_k2 + t * (b->log_k2 - a->log_k2)};
    return DPN_OK;
}

/* ---- all coordinates ---- */

/* The error, and by how much the approximate log delta exceeds what is asked for, at a price. */
static dpn_status at_price(double *error, double *excess, dpn_spread *spread, frontier *f, double log_price,
                           dpn_error *why) {
    const dpn_problem *p = f->problem;
    double k = 0, k2 = 0, x = f->theta;
    *error = 0;
    for (size_t g = 0; g < p->groups; g++) {
        const dpn_coordinates *group = &p->group[g];
        noise n;
        double log_bound = log(group->bound), count = (double)group->count * (double)p->times;
        dpn_status status = noise_for(&n, f, log_price - log(group->weight) - f->power * log_bound, why);
        if (status) return status;
        k += count * exp(n.log_k);
        k2 += count * exp(n.log_k2);
        *error += (double)group->count * group->weight * exp(n.log_error + f->power * log_bound);
        spread->shape[g] = f->family->shape ? exp(n.log_shape) : 0;
        spread->scale[g] = group->bound * exp(-n.log_ratio);
    }
    double curvature = k2 + 1 / (x * x) + 1 / ((1 + x) * (1 + x));
    *excess = k - x * p->epsilon - log(x * (1 + x)) - 0.5 * log(2 * 3.141592653589793 * curvature) - log(p->delta);
    return DPN_OK;
}

/* What is looked for over the tilts: the spread with the least error. */
typedef struct tilts {
    frontier *frontier;
    dpn_spread *spread;
    dpn_error why;
} tilts;

/* The least error at a tilt, by the price at which delta is what is asked for; +inf if there is none. */
static double error_at_tilt(void *context, double log_theta) {
    tilts *t = context;
    frontier *f = t->frontier;
    const dpn_problem *p = f->problem;
    double theta = f->theta = exp(log_theta);
    for (int i = 0; i < NODES; i++) f->known[i] = false;
    /* The middle of the frontier, as if all noise were Gaussian and K were about what delta allows. */
    double budget = fmax(theta * p->epsilon + log(p->delta), 0.1 * theta * p->epsilon + 0.1);
    double log_ratio = 0.5 * log(2 * budget / (theta * (1 + theta) * p->most));
    double log_price = log(2 / (theta * (1 + theta))) - 4 * log_ratio + f->power * log(p->largest);
    double low = log_price - 30, high = log_price + 30, error = INFINITY, excess = INFINITY;
    f->first = log_price - f->power * log(p->largest) - 0.5 * NODES * PITCH;
    for (int round = 0; round < 30 && fabs(excess) > 1e-3; round++) {
        if (at_price(&error, &excess, t->spread, f, log_price, &t->why)) return INFINITY;
        *(excess > 0 ? &low : &high) = log_price;
        double next = log_price + 2 * excess / fmax(budget, 1); /* K is about the price to the power -1/2 */
        log_price = next > low && next < high ? next : 0.5 * (low + high);
    }
    return fabs(excess) < 0.05 ? error : INFINITY;
}

dpn_status dpn_spread_find(dpn_spread *out, const dpn_problem *p, const struct dpn_family *family, double from,
                           double to, dpn_error *why) {
    frontier f = {.problem = p, .family = family, .from = fmin(from, to), .to = fmax(from, to)};
    f.power = p->options.objective == DPN_OBJECTIVE_MSE ? 2 : 1;
    tilts t = {&f, out, {DPN_EACCURACY, "the saddle point is out of reach"}};
    double guess = log(2 * fmax(-log(p->delta), 1) / fmax(p->epsilon, 0.05)); /* that of Gaussian noise */
    double best = dpn_golden(error_at_tilt, &t, guess - 2, guess + 4, TILT_STEPS);
    if (isfinite(error_at_tilt(&t, best))) return DPN_OK;
    return dpn_fail(why, DPN_EACCURACY, "%s", t.why.sentence);
}
