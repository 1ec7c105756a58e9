/* Renyi divergences of noise on the reals, from its psi alone.
 *
 * In the half t >= -D/2 of a loss (loss/shape.h) let e^Q, Q = theta psi(t + D) - (1+theta) psi(t), be the tilted density.
 * It rises up to t = 0. Where psi' is log-concave, psi'(t + D)/psi'(t) does not rise with t > 0, and neither does
 *
 *     Q'/psi' = theta psi'(t + D)/psi'(t) - (1+theta):
 *
 * e^Q rises up to one point t* >= 0, and from there on Q is concave. psi is smooth but at 0. So between -D/2, 0, t* and
 * the end of the tail the integrands are smooth and change fast near the ends only: a case for the double-exponential
 * rule (Takahasi and Mori 1974). docs/proofs/privacy/renyi.md, section 4.
 */
#include "privacy/renyi/integral.h"

#include "privacy/profile/closed-forms.h"
#include "privacy/profile/loss-at.h"
#include "privacy/renyi/segments.h"

#include <float.h>
#include <math.h>

/* The rule halves its step until two sums agree to AGREEMENT; the error of the last is then about the square of their
 * difference. CLAIM is a thousand times the largest error seen (tests/unit/privacy/t-renyi.c, t-any-family.c). */
#define AGREEMENT 1e-8
#define CLAIM 1e-10
#define REACH 3.25
#define PI 3.141592653589793238462643383279502884
enum { LEVELS = 6 };

/* From here on the logarithm of the integral of e^Q is the largest Q: what the width of the peak adds, at most 800, is less than CLAIM of it. */
#define ALL_HEIGHT 1e13

/* What the density at zero may err by if it is an integral too (law/generic.h): a thousand times what was seen. */
#define INTEGRATED_ERROR 1e-10

typedef struct subject {
    const dpn_law *law;
    const struct dpn_closed_form *form;
    double shift, theta;
} subject;

static double psi_at(const subject *s, double t) {
    return dpn_two_value(s->law->family->psi(s->law, fabs(t)));
}

static double loss_at(const subject *s, double t) {
    return fmax(0, dpn_two_value(dpn_psi_difference(s->law, s->form, dpn_two(t), dpn_two_sum(t, s->shift))));
}

/* What the loss may err by. */
static double doubt_of(const subject *s, double t, double loss) {
    if (s->form && s->form->psi_difference) return s->form->difference_error * loss;
    return DPN_PSI_ERROR * (2 * psi_at(s, t) + loss);
}

static double tilted_at(const subject *s, double t) {
    return s->theta * loss_at(s, t) - psi_at(s, t);
}

/* The points of the rule on [low, high] at x = from, from + step, ...; points near `low` keep the digits of their
 * distance from it only where low is 0. */
static void add_points(dpn_tilted *tilt, const subject *s, double low, double high, double from, double step) {
    for (double x = from; x <= REACH; x += step) {
        double e = exp(x), fall = exp(-0.5 * PI * (e - 1 / e)), part = 1 / (1 + fall);
        double weight = 0.5 * PI * (e + 1 / e) * fall * part * part * (high - low) * step;
        double t = high == 0 ? low * fall * part : low + (high - low) * part; /* high - t = (high - low) (1 - part) */
        double psi = psi_at(s, t);
        dpn_tilted_add(tilt, loss_at(s, t), -psi, weight, 3 * psi);
    }
}

static void merge(dpn_tilted *into, const dpn_tilted *part) {
    double top = fmax(into->top, part->top);
    double mine = exp(into->top - top), theirs = exp(part->top - top);
    into->tilted = dpn_two_add(dpn_two_times(into->tilted, mine), dpn_two_times(part->tilted, theirs));
    into->tilted_error = into->tilted_error * mine + part->tilted_error * theirs;
    into->gain = dpn_two_add(into->gain, part->gain);
    into->gain_error += part->gain_error;
    into->top = top;
}

static void halve(dpn_tilted *tilt) {
    tilt->tilted = dpn_two_scale(tilt->tilted, 0.5);
    tilt->gain = dpn_two_scale(tilt->gain, 0.5);
    tilt->tilted_error *= 0.5;
    tilt->gain_error *= 0.5;
}

/* A rule with the given step on all pieces. */
static dpn_tilted one_rule(const subject *s, const double *end, size_t ends, double from, double step) {
    dpn_tilted tilt = dpn_tilted_begin(s->theta, true);
    for (size_t i = 1; i < ends; i++) add_points(&tilt, s, end[i - 1], end[i], from, step);
    return tilt;
}

/* How far from t, in the direction of the sign of `unit`, e^Q has fallen by e^-60 to e^-150 or so from its value at t,
 * where it is largest. */
static double reach_of(const subject *s, double t, double unit) {
    double top = tilted_at(s, t), step = unit;
    while (tilted_at(s, t + step) < top - 120 && fabs(step) > 1e-300) step *= 0.5;
    while (tilted_at(s, t + step) > top - 60) step *= 1.25;
    return step;
}

/* A point near t*: e^Q is looked at in powers of two, and then in thirds. What rounding makes of a flat top does no harm. */
static double peak_of(const subject *s, double unit) {
    if (s->theta == 0) return 0;
    double to = unit;
    while (tilted_at(s, 2 * to) > tilted_at(s, to)) /* not if it has become infinite less infinite */
        if ((to *= 2) > 1e300) return INFINITY;
    double from = 0;
    to *= 2;
    for (int i = 0; i < 100; i++) {
        double left = from + (to - from) / 3, right = to - (to - from) / 3;
        if (tilted_at(s, left) < tilted_at(s, right))
            from = left;
        else
            to = right;
    }
    return from + 0.5 * (to - from);
}

/* The relative error of the gain, and of M, that those of the losses make: (e^(theta L) - 1)/theta (1 - e^(-(1+theta) L))
 * changes by at most the relative part (theta + 2/L) dL. A coarse rule is enough to average it. */
static double doubt_of_losses(const subject *s, const double *end, size_t ends, double top) {
    double doubt = 0, total = 0;
    for (size_t i = 1; i < ends; i++)
        for (double x = 0.5 / 64; x < 1; x += 1.0 / 64) {
            double t = end[i - 1] + (end[i] - end[i - 1]) * x, loss = loss_at(s, t);
            double growth = s->theta * loss > 1e-200 ? -expm1(-s->theta * loss) / s->theta : loss;
            double mass = (end[i] - end[i - 1]) * exp(tilted_at(s, t) - top) * growth * -expm1(-(1 + s->theta) * loss);
            if (!(mass > 0)) continue;
            total += mass;
            doubt += mass * (s->theta + 2 / loss) * doubt_of(s, t, loss);
        }
    return total > 0 ? 4 * doubt / total : INFINITY;
}

/* The ends of the pieces: -D/2, 0, t* and the end of the tail, or what lies around t* if that is all that counts. */
static size_t find_ends(const subject *s, double *end, double peak, double unit) {
    double last = peak + reach_of(s, peak, unit);
    if (tilted_at(s, 0) < tilted_at(s, peak) - 120) {
        end[0] = peak + reach_of(s, peak, -peak);
        end[1] = peak;
        end[2] = last;
        return 3;
    }
    end[0] = -0.5 * s->shift;
    end[1] = 0;
    end[2] = end[3] = last;
    if (peak < 0.02 * last) return 3; /* too near to 0 to be worth a piece of its own */
    end[2] = peak;
    return 4;
}

static dpn_growth height_alone(const subject *s, double peak) {
    double loss = loss_at(s, peak), psi = psi_at(s, peak), height = s->theta * loss - psi;
    double doubt = s->theta * doubt_of(s, peak, loss) + 8 * DBL_EPSILON * (s->theta * loss + psi);
    return (dpn_growth){height / s->theta, CLAIM + doubt / height};
}

dpn_growth dpn_integral_divergence(const dpn_law *law, double shift, double theta) {
    const dpn_growth unknown = {INFINITY, INFINITY};
    subject s = {law, dpn_closed_form_of(law), shift, theta};
    double unit = 1 / law->constant[DPN_PDF0], peak = peak_of(&s, unit), end[4];
    if (!isfinite(peak) || !isfinite(tilted_at(&s, peak))) return unknown;
    if (tilted_at(&s, peak) > ALL_HEIGHT) return height_alone(&s, peak);
    size_t ends = find_ends(&s, end, peak, unit);
    if (!isfinite(end[ends - 1])) return unknown;
    double plain_error = law->family->tail ? DPN_PLAIN_ERROR : INTEGRATED_ERROR;
    double doubt = doubt_of_losses(&s, end, ends, tilted_at(&s, peak)), step = 0.25;
    dpn_tilted tilt = one_rule(&s, end, ends, -REACH, step);
    dpn_growth before = dpn_tilted_divergence(&tilt, unit, 0);
    for (int level = 0; level < LEVELS; level++) {
        dpn_tilted finer = one_rule(&s, end, ends, -REACH + 0.5 * step, step);
        merge(&tilt, &finer);
        halve(&tilt);
        step *= 0.5;
        dpn_growth now = dpn_tilted_divergence(&tilt, unit, plain_error);
        double goal = AGREEMENT * fmin(now.value, 1 / theta) + 1e-14 * now.value; /* of M, or of M - 1 */
        if (fabs(now.value - before.value) <= goal)
            return (dpn_growth){now.value, now.error + CLAIM + doubt / fmax(1, theta * now.value)};
        before = now;
    }
    return unknown;
}
