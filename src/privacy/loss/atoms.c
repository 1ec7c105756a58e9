/* The atoms of losses that have nothing else. */
#include "privacy/loss/atoms.h"

#include "law/facts.h"
#include "privacy/loss/loss.h"

#include <math.h>
#include <stdlib.h>

/* ---- laws on the integers ---- */

/* Beyond this point psi is one quadratic, so that the masses, plain or tilted, form a log-concave sequence. Those of a
 * regular law without pieces do from the largest on (docs/proofs/privacy/renyi.md, section 4). */
static double last_corner(const dpn_law *law) {
    dpn_pieces psi;
    return dpn_law_pieces(&psi, law) ? psi.piece[psi.count - 1].from : 0;
}

static double psi_difference(const dpn_law *law, double t, double moved) {
    const struct dpn_family *family = law->family;
    return dpn_two_value(dpn_two_subtract(family->psi(law, fabs(moved)), family->psi(law, fabs(t))));
}

/* At k >= 0 the loss of discrete Laplace noise is its largest: one atom with the mass of a geometric series. */
static dpn_status add_laplace(dpn_tilt_rule *rule, const dpn_loss *loss) {
    double shift = loss->sensitivity, rate = 1 / dpn_psi_laplace(&loss->law);
    dpn_status status = DPN_OK;
    for (double k = ceil(-0.5 * shift); k < 0 && !status; k++)
        status = dpn_tilt_rule_add(rule, (2 * k + shift) * rate, k * rate, 2 * k == -shift ? 0.5 : 1, -k * rate);
    return status ? status : dpn_tilt_rule_add(rule, shift * rate, 0, -1 / expm1(-rate), 1);
}

/* A law whose support ends: the losses are finite up to end - D, and all of these points count, since the last of them may
 * have by far the largest loss. Where psi is straight at both ends of the move the loss is one atom. */
static dpn_status add_bounded(dpn_tilt_rule *rule, const dpn_loss *loss) {
    const dpn_law *law = &loss->law;
    double shift = loss->sensitivity, last = dpn_law_support(law) - shift, flat = dpn_law_straight(law) - shift;
    double rate = dpn_two_value(law->family->psi(law, 1));
    if (last - fmax(flat, 0) + 0.5 * shift > DPN_MAX_POINTS) return DPN_EACCURACY; /* rather than half-way */
    dpn_status status = DPN_OK;
    for (double k = ceil(-0.5 * shift); k <= last && !status; k++) {
        double plain = -dpn_two_value(law->family->psi(law, fabs(k))), value = psi_difference(law, k, k + shift);
        bool many = k == 0 && flat > 0;
        double weight = many ? expm1(-(flat + 1) * rate) / expm1(-rate) : 2 * k == -shift ? 0.5 : 1;
        if (many) value = shift * rate;
        status = dpn_tilt_rule_add(rule, value, plain, weight, fabs(plain));
        if (many) k = flat;
    }
    return status;
}

static dpn_status add_integers(dpn_tilt_rule *rule, const dpn_loss *loss, double theta, double log_goal, double *lost) {
    const dpn_law *law = &loss->law;
    double shift = loss->sensitivity, corner = last_corner(law), tilt = fmax(theta, 0);
    if (!dpn_law_is_regular(law)) return DPN_EACCURACY;
    if (8 * sqrt(dpn_law_variance(law)) + shift > DPN_MAX_POINTS) return DPN_EACCURACY; /* rather than half-way */
    double top = -INFINITY, before = -INFINITY, plain_before = -INFINITY;
    for (double k = ceil(-0.5 * shift);; k++) {
        double plain = -dpn_two_value(law->family->psi(law, fabs(k))), value = psi_difference(law, k, k + shift);
        double tilted = plain + tilt * value;
        dpn_status status = dpn_tilt_rule_add(rule, value, plain, 2 * k == -shift ? 0.5 : 1, fabs(plain));
        if (status) return status;
        top = fmax(top, tilted);
        /* Past the corner the ratios of successive masses fall: what is left is below a geometric series. */
        double ratio = exp(fmax(tilted - before, plain - plain_before));
        if (k > corner + 1 && tilted - top < log_goal && plain < log_goal && ratio < 1) {
            *lost += (exp(tilted - top) + exp(plain)) * 2 * ratio / (1 - ratio);
            return DPN_OK;
        }
        before = tilted;
        plain_before = plain;
    }
}

/* ---- the staircase ----
 * In the half t >= -D/2 the loss is a multiple j epsilon, j >= 0, of the law's epsilon. It is constant between the
 * steps of psi(t) and of psi(t + D). For t >= 0 the picture repeats itself in every period, e^-epsilon lower.
 */
enum { MAX_STEPS = 1000 };

/* The level of x >= 0 that is not a step itself: floor(x/period), and one more in the lower part of the period. */
static double level(double x, double period, double gamma) {
    double k = floor(x / period);
    return k + (x >= (k + gamma) * period);
}

static int compare_twofold(const void *a, const void *b) {
    const dpn_twofold *x = a, *y = b;
    if (x->hi != y->hi) return x->hi < y->hi ? -1 : 1;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* The steps +-k period - shift and +-(k + gamma) period - shift between from and to. */
static size_t find_steps(dpn_twofold *steps, double period, double gamma, double shift, double from, double to) {
    size_t count = 0;
    double last = ceil((fabs(from) + fabs(to) + shift) / period) + 1;
    for (double k = 0; k <= last; k++)
        for (int i = 0; i < 4; i++) {
            dpn_twofold step = dpn_two_times(dpn_two_sum(k, i < 2 ? 0 : gamma), i % 2 ? period : -period);
            step = dpn_two_subtract(step, dpn_two(shift));
            if (step.hi > from && step.hi < to) steps[count++] = step;
        }
    return count;
}

/* The masses of j = 0, 1, ... on [from, to], relative to the density at zero. Intervals that only rounding made are
 * dropped. */
static dpn_status add_masses(double *mass, const dpn_stairs *stairs, double shift, double from, double to,
                             double factor) {
    double epsilon = stairs->height, period = stairs->period, gamma = stairs->part;
    size_t room = (size_t)(16 * (shift / period + 4)) + 64;
    dpn_twofold *steps = malloc(room * sizeof *steps);
    if (!steps) return DPN_ENOMEM;
    steps[0] = dpn_two(from);
    size_t count = 1;
    count += find_steps(steps + count, period, gamma, 0, from, to);
    count += find_steps(steps + count, period, gamma, shift, from, to);
    steps[count++] = dpn_two(to);
    qsort(steps, count, sizeof *steps, compare_twofold);
    for (size_t i = 1; i < count; i++) {
        double length = dpn_two_value(dpn_two_subtract(steps[i], steps[i - 1]));
        if (length <= 1e-28 * period) continue;
        double middle = steps[i - 1].hi + 0.5 * length;
        double here = level(fabs(middle), period, gamma), there = level(middle + shift, period, gamma);
        mass[(size_t)fmax(0, there - here)] += factor * length * exp(-epsilon * here);
    }
    free(steps);
    return DPN_OK;
}

static dpn_status add_staircase(dpn_tilt_rule *rule, const dpn_stairs *stairs, double shift) {
    double epsilon = stairs->height, period = stairs->period;
    if (shift / period > MAX_STEPS) return DPN_EACCURACY;
    double mass[MAX_STEPS + 4] = {0};
    dpn_status status = add_masses(mass, stairs, shift, -0.5 * shift, 0, 1 / period);
    if (!status) status = add_masses(mass, stairs, shift, 0, period, 1 / period / -expm1(-epsilon));
    for (size_t j = 0; j < MAX_STEPS + 4 && !status; j++)
        if (mass[j] > 0) status = dpn_tilt_rule_add(rule, (double)j * epsilon, log(mass[j]), 1, fabs(log(mass[j])));
    return status;
}

/* ---- an explicit list ---- */

static dpn_status add_explicit(dpn_tilt_rule *rule, const dpn_loss *loss, bool reversed) {
    for (size_t i = 0; i < loss->count; i++) {
        double value = loss->value[i];
        if (isinf(value)) continue;
        dpn_status status = reversed ? dpn_tilt_rule_add(rule, -value, -value, loss->probability[i], fabs(value))
                                     : dpn_tilt_rule_add(rule, value, 0, loss->probability[i], 0);
        if (status) return status;
    }
    return DPN_OK;
}

dpn_status dpn_atoms_add(dpn_tilt_rule *rule, const dpn_loss *loss, bool reversed, double theta, double log_goal,
                         double *lost) {
    if (loss->kind == &dpn_loss_kind_explicit) return add_explicit(rule, loss, reversed);
    dpn_stairs stairs;
    if (dpn_law_stairs(&stairs, &loss->law)) return add_staircase(rule, &stairs, loss->sensitivity);
    if (isfinite(dpn_law_support(&loss->law))) return add_bounded(rule, loss);
    if (dpn_psi_laplace(&loss->law) > 0) return add_laplace(rule, loss);
    return add_integers(rule, loss, theta, log_goal, lost);
}
