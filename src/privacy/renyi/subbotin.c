/* Renyi divergences of subbotin noise, psi(t) = |t|^p/(p scale^p).
 *
 * In the half t >= -D/2 of a loss (loss/shape.h) the tilted density e^Q, Q = theta psi(t + D) - (1+theta) psi(t), rises
 * up to the one point t* where ((t + D)/t)^(p-1) = (1 + theta)/theta, and falls from there on. psi is singular at 0
 * alone. So between -D/2, 0, t* and the end of the tail the integrands are analytic and change fast near the ends
 * only: a case for the double-exponential rule (Takahasi and Mori 1974).
 */
#include "privacy/renyi/subbotin.h"

#include "privacy/renyi/segments.h"

#include <float.h>
#include <math.h>

/* The rule halves its step until two sums agree to AGREEMENT; the error of the last is then about the square of their
 * difference. CLAIM is a thousand times the largest error seen (tests/unit/privacy/t-renyi.c). */
#define AGREEMENT 1e-8
#define CLAIM 1e-10
#define REACH 3.25
#define PI 3.141592653589793238462643383279502884
enum { LEVELS = 6 };

typedef struct subject {
    const dpn_law *law;
    double shift, theta;
} subject;

static double psi_at(const subject *s, double t) {
    return dpn_two_value(s->law->family->psi(s->law, fabs(t)));
}

/* psi(t + D) - psi(t) = psi(t + D) (1 - (|t|/(t + D))^p) for t >= -D/2: the digits of a small difference are those of
 * the ratio's distance from 1. */
static double loss_at(const subject *s, double t) {
    double moved = t + s->shift, gap = t < 0 ? fma(2, t, s->shift) : s->shift; /* t + D - |t| */
    return psi_at(s, moved) * -expm1(s->law->parameter[0] * log1p(-fmin(1, gap / moved)));
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
        dpn_tilted_add(tilt, loss_at(s, t), -psi, weight, psi);
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

static double peak_of(const subject *s, double p) {
    double ratio = s->theta == 0 ? INFINITY : expm1(log1p(1 / s->theta) / (p - 1));
    return s->shift / ratio;
}

dpn_growth dpn_subbotin_divergence(const dpn_law *law, double shift, double theta) {
    const dpn_growth unknown = {INFINITY, INFINITY};
    subject s = {law, shift, theta};
    double p = law->parameter[0], peak = peak_of(&s, p), unit = 1 / law->constant[DPN_PDF0];
    if (!isfinite(peak) || !isfinite(tilted_at(&s, peak))) return unknown;
    double end[4] = {-0.5 * shift, 0, peak, peak + reach_of(&s, peak, unit)};
    size_t ends = 4;
    if (!isfinite(end[3])) return unknown;
    if (tilted_at(&s, 0) < tilted_at(&s, peak) - 120) { /* all that counts lies around the peak */
        end[0] = peak + reach_of(&s, peak, -peak);
        end[1] = end[2];
        end[2] = end[3];
        ends = 3;
    } else if (peak < 0.02 * end[3]) { /* too near to 0 to be worth a piece of its own */
        end[2] = end[3];
        ends = 3;
    }
    double step = 0.25;
    dpn_tilted tilt = one_rule(&s, end, ends, -REACH, step);
    dpn_growth before = dpn_tilted_divergence(&tilt, unit, 0);
    for (int level = 0; level < LEVELS; level++) {
        dpn_tilted finer = one_rule(&s, end, ends, -REACH + 0.5 * step, step);
        merge(&tilt, &finer);
        halve(&tilt);
        step *= 0.5;
        dpn_growth now = dpn_tilted_divergence(&tilt, unit, DPN_PLAIN_ERROR);
        double goal = AGREEMENT * fmin(now.value, 1 / theta) + 1e-14 * now.value; /* of M, or of M - 1 */
        if (fabs(now.value - before.value) <= goal) return (dpn_growth){now.value, now.error + CLAIM};
        before = now;
    }
    return unknown;
}
