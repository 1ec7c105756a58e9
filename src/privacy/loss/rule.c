/* A loss under a tilt, as points and weights. */
#include "privacy/loss/rule.h"

#include "base/error.h"
#include "base/twofold.h"
#include "privacy/loss/atoms.h"
#include "privacy/loss/panels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define ROUND (0.5 * DBL_EPSILON)

void dpn_tilt_rule_free(dpn_tilt_rule *rule) {
    free(rule->value);
    *rule = (dpn_tilt_rule){0};
}

static dpn_status grow(dpn_tilt_rule *rule) {
    size_t capacity = rule->capacity ? 2 * rule->capacity : 512;
    if (rule->count >= DPN_MAX_POINTS) return DPN_EACCURACY;
    double *room = malloc(4 * capacity * sizeof *room);
    if (!room) return DPN_ENOMEM;
    double *old[4] = {rule->value, rule->sum, rule->difference, rule->minus};
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < rule->count; i++) room[k * capacity + i] = old[k][i];
    free(rule->value);
    rule->value = room;
    rule->sum = room + capacity;
    rule->difference = room + 2 * capacity;
    rule->minus = room + 3 * capacity;
    rule->capacity = capacity;
    return DPN_OK;
}

dpn_status dpn_tilt_rule_add(dpn_tilt_rule *rule, double value, double log_mass, double weight, double magnitude) {
    if (rule->count == rule->capacity) {
        dpn_status status = grow(rule);
        if (status) return status;
    }
    size_t i = rule->count++;
    rule->value[i] = value;
    rule->sum[i] = log_mass;
    rule->difference[i] = weight;
    rule->minus[i] = magnitude;
    return DPN_OK;
}

/* ---- the sums over the points ---- */

typedef struct totals {
    dpn_twofold plain, tilted, gain; /* of m (1 + e^-L); of the tilted masses; of those minus the plain ones */
    double plain_error, tilted_error, gain_error;
    double tilted_error_loss; /* tilted error times |L| */
} totals;

/* The two tilted masses of point i in the unit e^top, and what they exceed the plain ones by. */
static void add_point(totals *t, dpn_tilt_rule *rule, size_t i, bool symmetric, double top) {
    double theta = rule->theta, L = rule->value[i], weight = rule->difference[i], tilt = theta * L;
    double plain = weight * exp(rule->sum[i]), unit = exp(-top);
    double plus = weight * exp(rule->sum[i] + tilt - top), minus = 0, difference = plus, gain;
    double excess = fabs(tilt) < 1 ? plain * unit * expm1(tilt) : plus - plain * unit;
    if (symmetric) {
        minus = weight * exp(rule->sum[i] - (1 + theta) * L - top);
        double tilts = (1 + 2 * theta) * L; /* plus = minus e^tilts */
        difference = tilts > 0 ? plus * -expm1(-tilts) : minus * expm1(tilts);
        gain = excess * -expm1(-(1 + theta) * L);
        plain *= 1 + exp(-L);
    } else {
        gain = excess;
    }
    /* Each exponential has the error of its argument and of exp; the sums are exact to twice the precision. */
    double relative = ROUND * (32 + 16 * (rule->minus[i] + (1 + fabs(theta)) * fabs(L)));
    t->plain = dpn_two_add(t->plain, dpn_two(plain));
    t->tilted = dpn_two_add(t->tilted, dpn_two(plus + minus));
    t->gain = dpn_two_add(t->gain, dpn_two(gain));
    t->plain_error += relative * plain;
    t->tilted_error += relative * (plus + minus);
    t->tilted_error_loss += relative * (plus + minus) * fabs(L);
    t->gain_error += relative * (fabs(tilt) < 1 ? fabs(gain) : plus + plain * unit);
    rule->sum[i] = plus + minus;
    rule->difference[i] = difference;
    rule->minus[i] = minus;
}

/* K = log M, M = 1 + e^top gain/plain. */
static void set_cumulant(dpn_tilt_rule *rule, const totals *t, double top, double lost, double lost_base) {
    double plain = dpn_two_value(t->plain), gain = dpn_two_value(t->gain) / plain;
    double mass = gain + exp(-top);                        /* M in the unit e^top */
    double above = top < 700 ? exp(top) * gain : INFINITY; /* M - 1 */
    rule->cumulant = above < 1 ? log1p(above) : top + log(mass);
    double error =
        (t->gain_error + fabs(gain) * (t->plain_error + lost_base) + 2 * (lost + lost_base * exp(-top))) / plain;
    rule->error = 2 * error / mass + 4 * ROUND * (above < 1 ? fabs(rule->cumulant) : top + fabs(log(mass)));
}

/* The moments of the normalised tilted masses. */
static void set_moments(dpn_tilt_rule *rule, bool symmetric, double total) {
    double mean = 0;
    for (size_t i = 0; i < rule->count; i++) {
        rule->sum[i] /= total;
        rule->difference[i] /= total;
        rule->minus[i] /= total;
        mean += rule->difference[i] * rule->value[i];
    }
    double variance = 0, fourth = 0, atoms = 0, rest = 0;
    for (size_t i = 0; i < rule->count; i++) {
        double minus = rule->minus[i], plus = rule->sum[i] - minus;
        double up = rule->value[i] - mean, down = -rule->value[i] - mean;
        variance += plus * up * up + minus * down * down;
        fourth += plus * up * up * up * up + minus * down * down * down * down;
        *(i < rule->atoms ? &atoms : &rest) += rule->sum[i];
    }
    rule->mean = mean;
    rule->variance = variance;
    rule->decay = (dpn_decay){.variance = variance,
                              .fourth = fourth,
                              .atoms = fmin(1, atoms * (1 + DPN_DECAY_MARGIN)),
                              .rest = fmin(1, rest * (1 + DPN_DECAY_MARGIN))};
    if (symmetric && rule->atoms == 1) {
        rule->decay.pair = rule->value[0];
        rule->decay.lesser = fmin(rule->minus[0], rule->sum[0] - rule->minus[0]) * (1 - DPN_DECAY_MARGIN);
    }
}

static dpn_status fill(dpn_tilt_rule *rule, const dpn_shape *shape, const dpn_loss *loss, bool reversed, double omega,
                       double log_goal, double *top, double *lost, double *lost_base) {
    double theta = rule->theta, tilt = fmax(theta, 0);
    dpn_status status = DPN_OK;
    rule->count = 0;
    *lost = *lost_base = 0;
    for (size_t i = 0; i < shape->atoms && !status; i++)
        status =
            dpn_tilt_rule_add(rule, shape->atom[i].value, shape->atom[i].log_mass, 1, fabs(shape->atom[i].log_mass));
    if (shape->listed && !status) status = dpn_atoms_add(rule, loss, reversed, theta, log_goal, lost);
    if (status) return status;
    *lost_base = *lost;
    rule->atoms = rule->count;

    *top = 0; /* 1 is among the terms of M */
    for (size_t i = 0; i < rule->count; i++) *top = fmax(*top, rule->sum[i] + tilt * rule->value[i]);
    for (size_t i = 0; i < shape->segments; i++) *top = fmax(*top, dpn_panels_top(&shape->segment[i], tilt));
    dpn_panels panels = {.theta = theta, .high = tilt, .omega = omega, .top = *top, .log_goal = log_goal};
    for (size_t i = 0; i < shape->segments && !status; i++) status = dpn_panels_add(&panels, rule, &shape->segment[i]);
    *lost += panels.lost;
    *lost_base += panels.lost_base;
    return status;
}

dpn_status dpn_tilt_rule_make(dpn_tilt_rule *rule, const dpn_shape *shape, const dpn_loss *loss, bool reversed,
                              double theta, double omega, double goal, dpn_error *why) {
    rule->theta = theta;
    double top, lost, lost_base, log_goal = log(goal * shape->scale / 64);
    dpn_status status = fill(rule, shape, loss, reversed, omega, log_goal, &top, &lost, &lost_base);
    if (status == DPN_ENOMEM) return dpn_fail(why, status, "no memory for the points of a loss");
    if (status) return dpn_fail(why, status, "a loss of the composition needs too many points for the contour sum");

    totals t = {0};
    for (size_t i = 0; i < rule->count; i++) add_point(&t, rule, i, shape->symmetric, top);
    double total = dpn_two_value(t.tilted);
    set_cumulant(rule, &t, top, lost, lost_base);
    set_moments(rule, shape->symmetric, total);
    rule->flat = 2 * lost / total;
    rule->relative = t.tilted_error / total;
    rule->relative_loss = t.tilted_error_loss / total;
    dpn_decay_add(&rule->decay, shape, theta, top, total);
    rule->top = top;
    rule->total = total;
    return DPN_OK;
}
