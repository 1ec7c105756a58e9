/* With r = dP/dQ cut off at S, x = 1 - q + q min(r,S), f(x) = x^a for the person present and x^(1-a) for absent, a = 1 + theta, and p = a-2 or -a-1,
 *
 *     E_Q f(x) <= 1 + a (a-1) q^2 (integral_1^S (1-q+qs)^p (h(s)-h(S)) ds + integral_1^inf s^-3 (1-q+q/s)^p h(s) ds)
 *
 * and theta q h(S) for absent: a sum of positive terms, nothing cancels. h - h(S) and h/s^3 are convex and below their chords, and the powers are
 * largest at an end of a cell. docs/proofs/privacy/sampling.md, section 5. */
#include "privacy/sampling/sampled-moments.h"

#include "privacy/interval.h"
#include "privacy/sampling/sampled.h"

#define LOG_2 0.69314718055994530942

/* Nodes are this dense near 0, and further out as dense as their logarithms. */
#define DENSITY 4.0

static double node(double last, int i) {
    return i == DPN_SAMPLED_CELLS ? last : expm1(log1p(DENSITY * last) * i / DPN_SAMPLED_CELLS) / DENSITY;
}

/* log(e^a - e^b), at least. */
static double log_less(double a, double b) {
    return b >= a ? -INFINITY : b == -INFINITY ? a : a + log(-expm1(b - a)) + 8 * DBL_EPSILON;
}

/* log of the width of a cell, s_(i+1) - s_i. */
static double log_width(const dpn_sampled_moments *m, int i) {
    double apart = m->nu[i + 1] - m->nu[i];
    return m->nu[i] + (apart > 40 ? apart : log(expm1(apart)));
}

dpn_status dpn_sampled_moments_make(dpn_sampled_moments *out, const dpn_base *base, double rate, double times,
                                    dpn_error *why) {
    /* Just beyond the largest loss only the infinite one is left, whatever rounding says of the place itself. */
    double last = base->reach * (1 + 0x1p-40), least, log_h[DPN_SAMPLED_CELLS + 1];
    out->rate = rate;
    out->times = times;
    dpn_status status = dpn_base_log_delta(&least, &out->log_rest, base, last, why);
    for (int i = 0; i <= DPN_SAMPLED_CELLS && !status; i++) {
        double unused;
        out->nu[i] = node(last, i);
        out->log_x[i] = dpn_sampled_loss(rate, out->nu[i]);
        out->log_y[i] = dpn_sampled_loss(rate, -out->nu[i]);
        status = dpn_base_log_delta(&unused, &log_h[i], base, out->nu[i], why);
        if (!status) out->log_g[i] = log_less(log_h[i], least);
    }
    for (int i = 0; i < DPN_SAMPLED_CELLS && !status; i++) {
        double width = log_width(out, i);
        out->log_right[i] = width + out->log_g[i];
        out->fall[i] = out->log_g[i] > -INFINITY ? exp(out->log_g[i + 1] - out->log_g[i]) : 0;
        out->log_left[i] = width - LOG_2 + dpn_log_add(log_h[i] - 3 * out->nu[i], log_h[i + 1] - 3 * out->nu[i + 1]);
    }
    return status;
}

/* log of the integral of (1-q+qs)^p (h - h(S)) over a cell. Both factors are below their chords, but for 0 < p < 1 the power, which is then below its
 * right end; or, as cells far out are wide, the integral of the power times the largest height. */
static double right_cell(const dpn_sampled_moments *m, double p, int i) {
    double x = m->log_x[i], next = m->log_x[i + 1], fall = m->fall[i], b = fabs(p + 1);
    double rise = exp(p * (next - x)), first = p > 0 && p < 1 ? rise : 1;
    double by_chords = p * x + m->log_right[i] + log((first * (2 + fall) + rise * (1 + 2 * fall)) / 6);
    if (m->nu[i + 1] - m->nu[i] < 0.05) return by_chords;
    double power = fmax((p + 1) * x, (p + 1) * next) + log(-expm1(-b * (next - x))) - log(m->rate) - log(b);
    /* What the difference of two logarithms loses. */
    double lost = 64 * DBL_EPSILON * (1 + next) / (next - x);
    return fmin(by_chords, m->log_g[i] + power + lost);
}

/* Beyond S h is at most h(S), and the power lies between its values there and at infinity; at the rate 1 it is s^-p, p > -1. */
static double left_rest(const dpn_sampled_moments *m, double p) {
    if (m->log_rest == -INFINITY) return -INFINITY;
    double last = m->nu[DPN_SAMPLED_CELLS];
    if (m->rate == 1) return m->log_rest - (2 + p) * last - log(2 + p);
    double power = fmax(p * m->log_y[DPN_SAMPLED_CELLS], p * log1p(-m->rate));
    return power + m->log_rest - 2 * last - LOG_2;
}

double dpn_sampled_moments_cumulant(const dpn_sampled_moments *m, int direction, double theta) {
    if (m->rate == 1) direction = 0; /* the base is symmetric */
    double p = direction ? -theta - 2 : theta - 1, sum = left_rest(m, p);
    for (int i = 0; i < DPN_SAMPLED_CELLS; i++) {
        double left = fmax(p * m->log_y[i], p * m->log_y[i + 1]) + m->log_left[i];
        sum = dpn_log_add(sum, dpn_log_add(left, right_cell(m, p, i)));
    }
    sum += log(theta) + log1p(theta) + 2 * log(m->rate);
    if (direction) sum = dpn_log_add(sum, log(theta) + log(m->rate) + m->log_rest);
    if (sum == -INFINITY) return 0;
    double power = (fabs(p) + 4) * (m->nu[DPN_SAMPLED_CELLS] - m->log_y[DPN_SAMPLED_CELLS]);
    sum += 1e-11 + 256 * DBL_EPSILON * (fabs(sum) + power - log(m->rate));
    return sum > 600 ? sum + 1e-12 : log1p(exp(sum)) * (1 + 1e-12);
}

/* ---- all steps ---- */

/* One of two: log delta at an epsilon, or the epsilon for log delta. */
typedef struct goal {
    const dpn_sampled_moments *step;
    size_t steps;
    int direction;
    bool inverse;
    double at;
} goal;

/* (x - e^epsilon)_+ <= c e^(-theta epsilon) x^(1+theta), log c = -theta log(1+1/theta) - log(1+theta). */
static double bound_at(const goal *g, double theta) {
    double sum = 0, log_c = -theta * log1p(1 / theta) - log1p(theta);
    for (size_t i = 0; i < g->steps; i++)
        sum += g->step[i].times * dpn_sampled_moments_cumulant(&g->step[i], g->direction, theta);
    double terms[3] = {sum, log_c, g->inverse ? g->at : theta * g->at};
    double value = terms[0] + terms[1] - terms[2], size = terms[0] + fabs(terms[1]) + fabs(terms[2]);
    value += (double)(g->steps + 16) * DBL_EPSILON * size;
    return isnan(value) ? INFINITY : g->inverse ? value / theta * (1 + (value > 0 ? 1 : -1) * 4 * DBL_EPSILON) : value;
}

/* The least over theta, by doublings and then closer from both sides. Any theta gives a true bound. */
static double least_bound(const goal *g) {
    double best = INFINITY, at = 1;
    for (double theta = 0x1p-24; theta < 0x1p17; theta *= 2) {
        double bound = bound_at(g, theta);
        if (bound < best) best = bound, at = theta;
    }
    for (double step = 1.5; step > 1.005; step = sqrt(step))
        for (int side = -1; side <= 1; side += 2) {
            double theta = side > 0 ? at * step : at / step, bound = bound_at(g, theta);
            if (bound < best) best = bound, at = theta;
        }
    return best;
}

/* log of the mass of infinite loss. Of absent against present it is that of steps that see everybody alone: else x is only made less by cutting
 * r off. */
static double infinite_upper(const dpn_sampled_moments *step, size_t steps, int direction) {
    double sum = -INFINITY;
    for (size_t i = 0; i < steps; i++)
        if (direction == 0 || step[i].rate == 1)
            sum = dpn_log_add(sum, step[i].log_rest + log(step[i].times) + log(step[i].rate));
    return sum == -INFINITY ? sum : sum + (double)(steps + 8) * 4 * DBL_EPSILON * (1 + fabs(sum));
}

/* In one direction. */
static double log_upper(const dpn_sampled_moments *step, size_t steps, int direction, double epsilon) {
    double finite = least_bound(&(goal){step, steps, direction, false, epsilon});
    return fmin(0, dpn_log_add(finite, infinite_upper(step, steps, direction)) + 1e-13);
}

/* What is left of delta is rounded down by what its logarithm may have lost. */
static double epsilon_upper(const dpn_sampled_moments *step, size_t steps, int direction, double log_delta) {
    double infinite = infinite_upper(step, steps, direction), rest = log_delta;
    if (infinite >= log_delta) return INFINITY;
    if (infinite > -INFINITY) rest += log(-expm1(infinite - log_delta));
    double lost = 1e-13 * (1 + fabs(log_delta)) * (1 + exp(infinite - rest));
    return fmax(0, least_bound(&(goal){step, steps, direction, true, rest - lost}));
}

double dpn_sampled_moments_log_upper(const dpn_sampled_moments *step, size_t steps, double epsilon) {
    return fmax(log_upper(step, steps, 0, epsilon), log_upper(step, steps, 1, epsilon));
}

double dpn_sampled_moments_epsilon_upper(const dpn_sampled_moments *step, size_t steps, double log_delta) {
    return fmax(epsilon_upper(step, steps, 0, log_delta), epsilon_upper(step, steps, 1, log_delta));
}
