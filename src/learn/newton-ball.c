/* Newton's step in a ball: with l/2 |b + d|^2 added to the model its minimum is the shorter the larger l is, and the l at which it is as long as the
 * radius is looked for between two that are too small and too large. */
#include "learn/newton.h"

#include <math.h>

enum { TRIES = 100 };

typedef struct seeker {
    const dpn_newton_model *of;
    const dpn_newton_ball *ball;
    double *d, *work, *hessian, *gradient;
    dpn_newton_end *end;
    double slack; /* radius^2 - |b|^2 */
    double step;  /* |d| */
} seeker;

/* How much longer than the radius b + d is, in a scale in which that is nearly straight in l: 1/radius - 1/|b + d|. Near the sphere it is made of
 * d, so that no digits are lost. False if there is no step. */
static bool excess(double *out, seeker *s, double t) {
    const dpn_newton_model *of = s->of;
    size_t m = of->m;
    dpn_newton_model with = *of;
    with.gradient = s->gradient;
    with.hessian = s->hessian;
    for (size_t i = 0; i < m * m; i++) s->hessian[i] = of->hessian[i] + (i % (m + 1) == 0 ? s->ball->pull + t : 0);
    for (size_t j = 0; j < m; j++) s->gradient[j] = of->gradient[j] + t * of->b[j];
    if (!dpn_newton_step(s->d, s->end, &with, s->work)) return false;
    double further = 0, squares = 0, steps = 0;
    for (size_t j = 0; j < m; j++) {
        double at = of->b[j] + s->d[j];
        further += s->d[j] * (2 * of->b[j] + s->d[j]);
        squares += at * at;
        steps += s->d[j] * s->d[j];
    }
    s->step = sqrt(steps);
    double length = sqrt(squares), radius = s->ball->radius;
    *out = length > 0 ? (further - s->slack) / (radius * length * (radius + length)) : -INFINITY;
    return isfinite(length);
}

static double trace_of(const dpn_newton_model *of) {
    double sum = 0;
    for (size_t j = 0; j < of->m; j++) sum += of->hessian[j * of->m + j];
    return sum;
}

/* A t of more than `low` at which the step ends within the ball. */
static bool find_high(double *high, double *above, seeker *s, double low) {
    double by = fmax(trace_of(s->of) / (double)s->of->m, 1e-300);
    for (int i = 0; i < TRIES; i++, by *= 8) {
        *high = low + by;
        if (!excess(above, s, *high)) return false;
        if (*above <= 0) return true;
    }
    return false;
}

/* By false position, the end that stays being made to count less (Illinois). */
static bool narrow(seeker *s, double low, double below, double high, double above) {
    double kept = 0, square = s->ball->radius * s->ball->radius;
    for (int i = 0; i < TRIES; i++) {
        double t = isfinite(above) ? (low * above - high * below) / (above - below) : 0.5 * (low + high), now;
        if (!(t > low && t < high)) t = 0.5 * (low + high);
        if (!(t > low && t < high)) return true;
        if (!excess(&now, s, t)) return false;
        if (fabs(now) <= 0x1p-40 * s->step / square) return true;
        if (now > 0) {
            low = t;
            below = now;
            if (kept > 0) above *= 0.5;
        } else {
            high = t;
            above = now;
            if (kept < 0) below *= 0.5;
        }
        kept = now;
    }
    return true;
}

bool dpn_newton_step_in_ball(double *d, dpn_newton_end *end, bool *held, const dpn_newton_model *model,
                             const dpn_newton_ball *ball, double *work) {
    size_t m = model->m;
    seeker s = {.of = model, .ball = ball, .d = d, .work = work, .end = end};
    s.hessian = work + m * m + 2 * m;
    s.gradient = s.hessian + m * m;
    double squares = 0, now, least, above;
    for (size_t j = 0; j < m; j++) squares += model->b[j] * model->b[j];
    s.slack = ball->on ? 0 : (ball->radius - sqrt(squares)) * (ball->radius + sqrt(squares));
    /* Nothing holds b + d if it is within the ball without that. */
    *held = false;
    if (!excess(&least, &s, -ball->pull)) return false;
    if (least <= 0) return true;
    *held = true;
    if (!(ball->pull > 0)) {
        double high;
        return find_high(&high, &above, &s, 0) && narrow(&s, 0, least, high, above);
    }
    if (!excess(&now, &s, 0)) return false;
    if (now <= 0) return narrow(&s, -ball->pull, least, 0, now);
    double high;
    return find_high(&high, &above, &s, 0) && narrow(&s, 0, now, high, above);
}
