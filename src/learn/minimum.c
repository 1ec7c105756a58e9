/* The search for a minimum. Newton's steps are tried first, and taken where they shorten the subgradient or are sure to lower the
 * objective; where none does, a step of proximal descent, which is sure to. docs/proofs/learn/objective.md, O5 and O10, proves that this ends. */
#include "learn/minimum.h"

#include "base/error.h"
#include "learn/newton.h"
#include "learn/sphere.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    const dpn_minimum_problem *of;
    dpn_int128 *b, *trial;
    bool on, trial_on;  /* the sphere of a ball */
    double *high, *low; /* the gradient of all that is smooth, at the point last looked at, with pull times the point */
    dpn_twofold pull;   /* what holds that point on the sphere; 0 elsewhere */
    dpn_twofold *x;
    double *hessian, *work, *value, *d;
    dpn_newton_end *end;
    double error, curvature; /* of the smooth part: what its gradient is off by, and its largest eigenvalue */
} search;

/* ---- Subgradients ---- */

/* high + low becomes high + low + x, exactly but for a relative 2^-106 or so of what was added. */
static void add(double *high, double *low, double x) {
    double sum = *high + x, part = sum - *high;
    *low += (*high - (sum - part)) + (x - part);
    *high = sum;
}

static void add_product(double *high, double *low, double x, double y) {
    double product = x * y;
    add(high, low, product);
    add(high, low, fma(x, y, -product));
}

/* The gradient of the sum becomes that of all that is smooth. */
static void add_smooth(const search *s, const dpn_int128 *b, size_t j) {
    const dpn_minimum_problem *of = s->of;
    double high = 0, low = 0, near = (double)b[j];
    add(&high, &low, s->high[j]);
    add(&high, &low, s->low[j]);
    add_product(&high, &low, of->weight[j], ldexp(near, -DPN_POINT_LOG));
    add_product(&high, &low, of->weight[j], ldexp((double)(b[j] - (dpn_int128)near), -DPN_POINT_LOG));
    if (of->v) {
        double steps = (double)of->v[j];
        add(&high, &low, ldexp(steps, of->v_exponent));
        add(&high, &low, ldexp((double)(of->v[j] - (int64_t)steps), of->v_exponent));
    }
    s->high[j] = high + low;
    s->low[j] = (high - s->high[j]) + low;
}

/* The smallest entry of a subgradient in coordinate j. */
static double smallest(const search *s, const dpn_int128 *b, size_t j) {
    double l1 = s->of->l1[j], up = (s->high[j] + l1) + s->low[j], down = (s->high[j] - l1) + s->low[j];
    if (b[j] >= s->of->box) return fmax(up, 0);
    if (b[j] <= -s->of->box) return fmin(down, 0);
    if (b[j] != 0) return b[j] > 0 ? up : down;
    return up < 0 ? up : down > 0 ? down : 0;
}

/* On the sphere, what holds the point there makes the subgradient as short as it can, and is added to the gradient. */
static void add_pull(search *s, const dpn_int128 *b) {
    size_t m = s->of->m;
    for (size_t j = 0; j < m; j++) {
        double l1 = b[j] > 0 ? s->of->l1[j] : -s->of->l1[j];
        s->x[j] = dpn_two_add((dpn_twofold){s->high[j], s->low[j]}, dpn_two(l1));
    }
    s->pull = dpn_sphere_pull(s->x, b, m);
    for (size_t j = 0; j < m; j++) {
        dpn_twofold held = dpn_two_multiply(s->pull, dpn_point_twofold(b[j]));
        held = dpn_two_add((dpn_twofold){s->high[j], s->low[j]}, held);
        s->high[j] = held.hi;
        s->low[j] = held.lo;
    }
}

/* Look at b or at the trial: its gradient, and the length of its smallest subgradient. */
static dpn_status look(double *length, search *s, const dpn_int128 *b, double *hessian, dpn_error *why) {
    const dpn_minimum_problem *of = s->of;
    dpn_status status = of->sum.differentiate(s->high, s->low, hessian, of->sum.context, b, why);
    if (status) return status;
    double squares = 0;
    for (size_t j = 0; j < of->m; j++) {
        add_smooth(s, b, j);
        if (!isfinite(s->high[j])) return dpn_fail(why, DPN_EDOMAIN, "the gradient is not finite");
        if (hessian) hessian[j * of->m + j] += of->weight[j];
    }
    s->pull = dpn_two(0);
    if (b == s->b ? s->on : s->trial_on) add_pull(s, b);
    for (size_t j = 0; j < of->m; j++) squares += smallest(s, b, j) * smallest(s, b, j);
    *length = sqrt(squares);
    return DPN_OK;
}

/* ---- Steps ---- */

static dpn_int128 within(const search *s, dpn_int128 x) {
    dpn_int128 box = s->of->box;
    return x > box ? box : x < -box ? -box : x;
}

/* Half a step or less from x, which is cut where it would leave the box anyhow. */
static dpn_int128 in_steps(double x) {
    return (dpn_int128)nearbyint(ldexp(fmin(fmax(x, -0x1p30), 0x1p30), DPN_POINT_LOG));
}

/* To the sphere if the model's minimum is there. */
static void place_in_ball(search *s, double share, bool held) {
    for (size_t j = 0; j < s->of->m; j++) {
        double d = fmin(fmax(share * s->d[j], -0x1p60), 0x1p60);
        bool zero = share == 1 && s->end[j] == DPN_NEWTON_ZERO;
        s->x[j] = zero ? dpn_two(0) : dpn_two_add(dpn_point_twofold(s->b[j]), dpn_two(d));
    }
    s->trial_on = dpn_sphere_place(s->trial, s->x, s->of->m, s->of->radius, held && share == 1);
}

static void place(search *s, double share, bool held) {
    if (s->of->radius > 0) return place_in_ball(s, share, held);
    for (size_t j = 0; j < s->of->m; j++) {
        s->trial[j] = within(s, s->b[j] + in_steps(share * s->d[j]));
        if (share < 1) continue;
        if (s->end[j] == DPN_NEWTON_ZERO) s->trial[j] = 0;
        if (s->end[j] == DPN_NEWTON_TOP) s->trial[j] = s->of->box;
        if (s->end[j] == DPN_NEWTON_BOTTOM) s->trial[j] = -s->of->box;
    }
}

/* The least that the objective is lower at the trial than at b: the objective at b is above the line that a subgradient at the
 * trial makes. High and low are those of the trial. */
static double certain_gain(const search *s) {
    double gain = 0, sizes = 0, squares = 0, slopes = 0;
    for (size_t j = 0; j < s->of->m; j++) {
        double back = ldexp((double)(s->b[j] - s->trial[j]), -DPN_POINT_LOG), l1 = s->of->l1[j];
        double pull = s->trial[j] > 0 ? l1 : s->trial[j] < 0 ? -l1 : copysign(l1, back);
        double slope = (s->high[j] + pull) + s->low[j];
        gain += slope * back;
        sizes += fabs(slope * back);
        squares += back * back;
        slopes += slope * slope;
    }
    gain -= 0x1p-40 * sizes + s->error * sqrt(squares);
    if (!(s->of->radius > 0)) return gain;
    /* What stands for points of the sphere is as far from them as steps are. */
    return gain - ldexp(sqrt((double)s->of->m), 1 - DPN_POINT_LOG) * (s->error + sqrt(slopes));
}

/* Newton's step or a share of it: true if one was found that shortens the subgradient, as it was at its shortest, by a tenth, or
 * that certainly lowers the objective by as much as a step of proximal descent. */
static dpn_status try_newton(bool *found, search *s, double shortest, dpn_error *why) {
    const dpn_minimum_problem *of = s->of;
    dpn_newton_model model = {.m = of->m,
                              .b = s->value,
                              .gradient = s->high,
                              .hessian = s->hessian,
                              .l1 = of->l1,
                              .box = dpn_point_value(of->box)};
    bool held = false;
    *found = false;
    for (size_t j = 0; j < of->m; j++) s->value[j] = dpn_point_value(s->b[j]);
    if (of->radius > 0) {
        const dpn_newton_ball ball = {.radius = of->radius, .pull = s->pull.hi, .on = s->on};
        if (!dpn_newton_step_in_ball(s->d, s->end, &held, &model, &ball, s->work)) return DPN_OK;
    } else if (!dpn_newton_step(s->d, s->end, &model, s->work))
        return DPN_OK;
    double least = 4 * s->error * s->error / s->curvature;
    for (double share = 1; share > 0x1p-40; share *= 0.5) {
        double length;
        place(s, share, held);
        dpn_status status = look(&length, s, s->trial, NULL, why);
        if (status) return status;
        *found = length <= 0.9 * shortest || certain_gain(s) >= least;
        if (*found) return DPN_OK;
    }
    return DPN_OK;
}

/* The minimum of the model that has the largest curvature in every direction. High and low are those of b. */
static void descend_in_ball(search *s) {
    for (size_t j = 0; j < s->of->m; j++) {
        dpn_twofold at = dpn_point_twofold(s->b[j]), g = {s->high[j], s->low[j]}, l1 = dpn_two(s->of->l1[j]);
        g = dpn_two_subtract(g, dpn_two_multiply(s->pull, at));
        dpn_twofold right = dpn_two_subtract(at, dpn_two_divide(dpn_two_add(g, l1), s->curvature));
        dpn_twofold left = dpn_two_subtract(at, dpn_two_divide(dpn_two_subtract(g, l1), s->curvature));
        s->x[j] = dpn_two_value(right) > 0 ? right : dpn_two_value(left) < 0 ? left : dpn_two(0);
    }
    s->trial_on = dpn_sphere_place(s->trial, s->x, s->of->m, s->of->radius, false);
}

static void descend(search *s) {
    if (s->of->radius > 0) return descend_in_ball(s);
    for (size_t j = 0; j < s->of->m; j++) {
        /* The slopes on both sides of 0, each added up before it is rounded: next to the minimum they are small where their parts are not. */
        double l1 = s->of->l1[j], up = (s->high[j] + l1) + s->low[j], down = (s->high[j] - l1) + s->low[j];
        dpn_int128 right = s->b[j] - in_steps(up / s->curvature), left = s->b[j] - in_steps(down / s->curvature);
        s->trial[j] = within(s, right > 0 ? right : left < 0 ? left : 0);
    }
}

static dpn_status minimise(search *s, dpn_error *why) {
    double length, shortest = INFINITY;
    for (;;) {
        dpn_status status = look(&length, s, s->b, s->hessian, why);
        if (status || length * (1 + 0x1p-40) + s->error <= s->of->eta) return status;
        shortest = fmin(shortest, length);
        bool found;
        status = try_newton(&found, s, shortest, why);
        if (!status && !found) status = look(&length, s, s->b, NULL, why);
        if (status) return status;
        if (!found) descend(s);
        memcpy(s->b, s->trial, s->of->m * sizeof *s->b);
        s->on = s->trial_on;
    }
}

/* ---- The whole ---- */

static double largest(const double *x, size_t m) {
    double most = 0;
    for (size_t j = 0; j < m; j++) most = fmax(most, x[j]);
    return most;
}

static double curvature_of(const dpn_minimum_problem *of) {
    return (of->sum.curvature + largest(of->weight, of->m)) * (1 + 0x1p-40);
}

/* The most that holds a point on the sphere: the longest gradient over the radius, V being a whole number of 64 bits. */
static double most_pull(const dpn_minimum_problem *of) {
    double noise = of->v ? sqrt((double)of->m) * ldexp(1, 63 + of->v_exponent) : 0;
    return (of->sum.longest + noise) / of->radius + largest(of->weight, of->m);
}

/* The sum, the rounding of V, and that of points at the largest curvature: three roundings, on a ball more. */
static double error_of(const dpn_minimum_problem *of) {
    double root = sqrt((double)of->m), curvature = curvature_of(of);
    double points = ldexp(of->radius > 0 ? 4 * curvature + 2 * most_pull(of) : 2 * curvature, -DPN_POINT_LOG);
    return of->sum.error + (of->v ? ldexp(root, of->v_exponent) : 0) + root * points;
}

double dpn_minimum_least_eta(const dpn_minimum_problem *of) {
    return 12 * error_of(of);
}

dpn_status dpn_minimum_find(dpn_int128 *b, const dpn_minimum_problem *problem, dpn_error *why) {
    size_t m = problem->m;
    double *room = calloc(7 * m + 3 * m * m, sizeof *room);
    dpn_int128 *trial = calloc(m, sizeof *trial);
    dpn_twofold *x = calloc(m, sizeof *x);
    dpn_newton_end *end = calloc(m, sizeof *end);
    dpn_status status = DPN_OK;
    if (!room || !trial || !x || !end) status = dpn_fail(why, DPN_ENOMEM, "no memory for the minimum");
    if (!status) {
        search s = {.of = problem, .b = b, .trial = trial, .x = x, .end = end};
        s.high = room;
        s.low = room + m;
        s.value = room + 2 * m;
        s.d = room + 3 * m;
        s.work = room + 4 * m; /* 2 m^2 + 3 m */
        s.hessian = room + 7 * m + 2 * m * m;
        s.error = error_of(problem);
        s.curvature = curvature_of(problem);
        status = minimise(&s, why);
    }
    free(room);
    free(trial);
    free(x);
    free(end);
    return status;
}
