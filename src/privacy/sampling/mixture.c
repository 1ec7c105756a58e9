/* The loss of Gaussian noise on a Poisson sample. */
#include "privacy/sampling/mixture.h"

#include "base/twofold.h"
#include "privacy/interval.h"

#include <stdlib.h>

#define ROUND (0.5 * DBL_EPSILON)
#define LOG_ROOT_2_PI 0.91893853320467274178

/* Width of the panels on which the integrand is bounded, and how many positions of the strip are tried. */
#define PANEL 0.25
enum { STRIPS = 16 };

double dpn_mixture_loss(const dpn_mixture *m, double t, double *share) {
    double c = m->ratio, q = m->rate, u = c * (t - 0.5 * c);
    if (u > 600) {
        *share = 1;
        return log(q) + u + (1 - q) / q * exp(-u);
    }
    double v = q * expm1(u), weight = q * exp(u);
    *share = weight / ((1 - q) + weight);
    return v > -0.5 ? log1p(v) : log((1 - q) + weight);
}

/* log of n(t) e^(xL(t)). */
static double log_density(const dpn_mixture *m, double x, double t) {
    double share;
    return -0.5 * t * t - LOG_ROOT_2_PI + x * dpn_mixture_loss(m, t, &share);
}

/* ---- the range ---- */

/* log of a bound of the normal tail beyond y. */
static double log_normal_tail(double y) {
    return y > 1 ? -0.5 * y * y - LOG_ROOT_2_PI - log(y) : 0;
}

/* How fast log(n e^(xL)) rises towards the centre, at least, at t and further out to the left. */
static double left_rate(const dpn_mixture *m, double x, double t) {
    double share;
    dpn_mixture_loss(m, t, &share);
    return -t - fmax(-x, 0) * m->ratio * share;
}

/* log of a bound of what lies beyond t, to the right (side 1) or the left (-1), of n e^(xL) and of n (1 + |x| q (e^u + 1)): the former
 * falls there at a rate that is known and does not fall further out. +inf where it may rise. */
static double log_beyond(const dpn_mixture *m, double x, double t, double side, bool both) {
    double c = m->ratio, rate = side > 0 ? t - fmax(x, 0) * c : left_rate(m, x, t);
    if (!(rate >= 1)) return INFINITY;
    double beyond = log_density(m, x, t) - log(rate);
    if (!both) return beyond;
    double size = fabs(x) * m->rate;
    beyond = dpn_log_add(beyond, log1p(size) + log_normal_tail(side * t));
    return dpn_log_add(beyond, log(size + DBL_MIN) + log_normal_tail(side * (t - c)));
}

typedef struct range {
    double low, high; /* of t */
    double top;       /* the largest log density, to a few tenths */
    double log_lost;  /* of what is outside */
} range;

/* Where the density is more than log_goal below its largest value, on both sides. `both`: see log_beyond. */
static range find_range(const dpn_mixture *m, double x, double log_goal, bool both) {
    double right = fmax(0, x * m->ratio), step = fmax(0.05, right / 400), left = -1;
    range r = {.top = log_density(m, x, right)};
    while (left_rate(m, x, left) < 1) left -= 0.25;
    for (double t = left; t <= right; t += t < 0 ? 0.05 : step) r.top = fmax(r.top, log_density(m, x, t));
    double goal = log_goal + (both ? fmin(r.top, 0) : r.top);
    for (r.low = left; !(log_beyond(m, x, r.low, -1, both) < goal) && r.low > left - 100;) r.low -= PANEL;
    for (r.high = right + 1; !(log_beyond(m, x, r.high, 1, both) < goal) && r.high < right + 100;) r.high += PANEL;
    r.log_lost = dpn_log_add(log_beyond(m, x, r.low, -1, both), log_beyond(m, x, r.high, 1, both));
    return r;
}

/* ---- the step ---- */

/* log of a bound of |e^(xL(t + ib))| relative to e^(xL(t)). */
static double log_turned(const dpn_mixture *m, double x, double b) {
    return x < 0 ? x * log(cos(0.5 * m->ratio * b)) : 0;
}

/* Im L(t + ib). */
static double imaginary_part(const dpn_mixture *m, double t, double b) {
    double c = m->ratio, u = c * (t - 0.5 * c), angle = c * b;
    if (u > 600) return angle;
    double weight = m->rate * exp(u);
    return atan2(weight * sin(angle), (1 - m->rate) + weight * cos(angle));
}

/* log of a bound of the integral of |n e^((x + i omega) L)| along t + ib, for the worse sign of b. On a panel n is largest at the end
 * that is nearer to 0, the other factors at one of the ends. */
static double log_strip(const dpn_mixture *m, double x, double omega, double b, const range *r) {
    double log_sum = -INFINITY, edge = 0.5 * b * b + log_turned(m, x, b);
    double fast = omega * m->ratio * b, low = r->low, high = r->high;
    while (log_beyond(m, x, low, -1, false) + omega * imaginary_part(m, low, b) > r->top - 40 && low > r->low - 100)
        low -= 1;
    while (log_beyond(m, x, high, 1, false) + fast > r->top - 40 && high < r->high + 100) high += 1;
    for (double t = low; t < high; t += PANEL) {
        double near = t > 0 ? t : t + PANEL < 0 ? t + PANEL : 0, share;
        double loss = dpn_mixture_loss(m, x > 0 ? t + PANEL : t, &share);
        double exponent = -0.5 * near * near - LOG_ROOT_2_PI + x * loss + omega * imaginary_part(m, t + PANEL, b);
        log_sum = dpn_log_add(log_sum, exponent);
    }
    double rest = dpn_log_add(log_beyond(m, x, low, -1, false) + omega * imaginary_part(m, low, b),
                              log_beyond(m, x, high, 1, false) + fast);
    return edge + dpn_log_add(log_sum + log(PANEL), rest) + 1e-9;
}

/* log of the error of the trapezoid rule with this step, relative to G(x), with the strip of half-width b: the integrals along its two
 * sides, log_sides, over e^(2 pi b/step) - 1. */
static double log_trapezoid(double log_sides, double b, double step) {
    double decay = 2 * DPN_PI * b / step;
    return log_sides + 0.69314718056 - decay - log1p(-exp(-decay));
}

/* The largest step that reaches the goal, over the strips; *log_error becomes its error. log_g is about log G(x), not more than 1 above it. */
static double choose_step(const dpn_mixture *m, double x, double omega, double log_goal, const range *r, double log_g,
                          double *log_error) {
    double widest = fmin(0.97 * DPN_PI / m->ratio, 12), best = 0;
    for (int k = 1; k <= STRIPS; k++) {
        double b = widest * k / STRIPS, sides = 0.5 * b * b + log_turned(m, x, b);
        if (omega > 0) sides = log_strip(m, x, omega, b, r) - log_g + 1;
        sides = dpn_log_add(sides, 0.5 * b * b + log1p(2 * m->rate * fabs(x)) +
                                       0.69314718056); /* of 1 + xv, for the cumulant */
        double step = fmin(1, 2 * DPN_PI * b / fmax(1, sides + 0.7 - log_goal));
        if (step <= best) continue;
        best = step;
        *log_error = log_trapezoid(sides, b, step);
    }
    return best;
}

/* ---- the rule ---- */

void dpn_mixture_rule_free(dpn_mixture_rule *rule) {
    free(rule->t);
    *rule = (dpn_mixture_rule){0};
}

static dpn_status reserve(dpn_mixture_rule *rule, double count) {
    if (!(count < DPN_MIXTURE_POINTS)) return DPN_EACCURACY;
    size_t whole = (size_t)count;
    if (whole > rule->capacity) {
        double *room = malloc(3 * whole * sizeof *room);
        if (!room) return DPN_ENOMEM;
        free(rule->t);
        rule->capacity = whole;
        rule->t = room;
        rule->loss = room + whole;
        rule->mass = room + 2 * whole;
    }
    rule->count = whole;
    return DPN_OK;
}

/* Sums over the points, in units of e^top: of the masses and their errors, and of G(x) - 1 as the integral of n (e^(xL) - 1 - x v), v =
 * e^L - 1, whose own integral is 0. Outside 0 < x < 1 no term is negative, so nothing cancels. */
typedef struct totals {
    dpn_twofold mass, gain;
    double mass_error, mass_error_loss, loss_error, gain_error;
} totals;

static void add_point(totals *s, dpn_mixture_rule *rule, size_t i, const dpn_mixture *m, double top) {
    double c = m->ratio, x = rule->x, t = rule->t[i], share, L = dpn_mixture_loss(m, t, &share);
    double u = c * (t - 0.5 * c), log_n = -0.5 * t * t - LOG_ROOT_2_PI - top, tilt = x * L;
    double mass = rule->step * exp(log_n + tilt), plain = rule->step * exp(log_n);
    double weight = rule->step * m->rate * exp(log_n + u), xv = x * (weight - m->rate * plain), gain;
    if (fabs(tilt) < 1 && u < 600) {
        xv = plain * x * m->rate * expm1(u);
        gain = plain * (expm1(tilt) - x * m->rate * expm1(u));
    } else {
        gain = mass - plain - xv;
    }
    double u_error = (4 * ROUND + m->doubt) * (fabs(c * t) + c * c), L_error = share * u_error + 16 * ROUND * fabs(L);
    double relative = fabs(x) * L_error + ROUND * (8 + t * t + fabs(top) + fabs(tilt));
    s->mass = dpn_two_add(s->mass, dpn_two(mass));
    s->gain = dpn_two_add(s->gain, dpn_two(gain));
    s->mass_error += relative * mass;
    s->mass_error_loss += relative * mass * fabs(L);
    s->loss_error += L_error * mass;
    s->gain_error += mass * fabs(x) * L_error + fabs(x) * weight * u_error + 8 * ROUND * (fabs(xv) + fabs(gain)) +
                     (fabs(tilt) < 1 ? 8 * ROUND * plain * fabs(tilt) : relative * mass + 8 * ROUND * plain) +
                     ROUND * (8 + t * t + fabs(top)) * fabs(gain);
    rule->loss[i] = L;
    rule->mass[i] = mass;
}

static void set_moments(dpn_mixture_rule *rule, double total) {
    double mean = 0, size = 0, variance = 0;
    for (size_t i = 0; i < rule->count; i++) {
        rule->mass[i] /= total;
        mean += rule->mass[i] * rule->loss[i];
        size += rule->mass[i] * fabs(rule->loss[i]);
    }
    for (size_t i = 0; i < rule->count; i++) {
        double away = rule->loss[i] - mean;
        variance += rule->mass[i] * away * away;
    }
    rule->mean = mean;
    rule->mean_size = size;
    rule->variance = variance;
}

dpn_status dpn_mixture_rule_make(dpn_mixture_rule *rule, const dpn_mixture *m, double x, double omega, double goal) {
    double log_goal = log(goal) - 3, log_error = 0;
    range r = find_range(m, x, log_goal, true);
    if (omega > 0 && !(rule->x == x && rule->count > 0)) { /* log G(x) is needed first */
        dpn_status status = dpn_mixture_rule_make(rule, m, x, 0, goal);
        if (status) return status;
    }
    rule->step = choose_step(m, x, omega, log_goal, &r, rule->cumulant, &log_error);
    dpn_status status = reserve(rule, ceil((r.high - r.low) / rule->step) + 1);
    if (status) return status;
    rule->x = x;
    rule->omega = omega;
    double top = r.top > 1 ? r.top : 0;
    totals s = {0};
    for (size_t i = 0; i < rule->count; i++) {
        rule->t[i] = r.low + (double)i * rule->step;
        add_point(&s, rule, i, m, top);
    }
    double total = dpn_two_value(s.mass), gain = dpn_two_value(s.gain);
    bool near_1 = top == 0 && fabs(gain) < 0.5;
    rule->cumulant = near_1 ? log1p(gain) : top + log(total);
    double outside = exp(r.log_lost - rule->cumulant), quadrature = exp(log_error);
    rule->error = 2 * (outside + quadrature) + 4 * ROUND * fabs(rule->cumulant);
    rule->error += near_1 ? 2 * s.gain_error : 2 * s.mass_error / total + 4 * ROUND * top;
    rule->flat = 2 * (outside + quadrature);
    rule->relative = s.mass_error / total;
    rule->relative_loss = s.mass_error_loss / total;
    rule->loss_error = s.loss_error / total;
    set_moments(rule, total);
    return isfinite(rule->cumulant) && isfinite(rule->error) ? DPN_OK : DPN_EACCURACY;
}

/* ---- decay ---- */

void dpn_mixture_decay_free(dpn_mixture_decay *decay) {
    free(decay->imaginary);
    *decay = (dpn_mixture_decay){0};
}

/* The error of a mean over the points of what is analytic up to Im t = widest and there, moved by a, not larger than the tilted density: of
 * several strips the best. */
static double strip_error(const dpn_mixture *m, const dpn_mixture_rule *rule, double a, double widest) {
    double log_error = INFINITY;
    for (int k = 1; k <= STRIPS; k++) {
        double b = fmin(2 * DPN_PI / rule->step, widest) * k / STRIPS;
        log_error = fmin(log_error, log_trapezoid(0.5 * b * b + log_turned(m, rule->x, a + b), b, rule->step));
    }
    return exp(log_error) + (rule->flat + 4 * rule->relative) * exp(log_turned(m, rule->x, a)) + 64 * ROUND;
}

/* Re L(t + ia) - L(t), which is not positive. */
static double real_part(const dpn_mixture *m, double a, double share) {
    double sine = sin(0.5 * m->ratio * a);
    return 0.5 * log1p(-4 * share * (1 - share) * sine * sine); /* |A + B e^(iy)|^2 = (A + B)^2 - 4AB sin^2(y/2) */
}

dpn_status dpn_mixture_decay_make(dpn_mixture_decay *decay, const dpn_mixture *m, const dpn_mixture_rule *rule) {
    size_t count = rule->count;
    double *room = malloc((2 * DPN_MIXTURE_SHIFTS + 1) * count * sizeof *room);
    if (!room) return DPN_ENOMEM;
    dpn_mixture_decay_free(decay);
    decay->ratio = m->ratio;
    decay->x = rule->x;
    decay->imaginary = room;
    decay->real = room + DPN_MIXTURE_SHIFTS * count;
    decay->square = room + 2 * DPN_MIXTURE_SHIFTS * count;
    decay->count = count;
    decay->shifts = DPN_MIXTURE_SHIFTS;
    for (size_t i = 0; i < count; i++) {
        double share;
        dpn_mixture_loss(m, rule->t[i], &share);
        decay->square[i] = share * share * (1 - 1e-9);
    }
    decay->curve_error = strip_error(m, rule, 0, 0.25 * DPN_PI / m->ratio);
    double a = fmin(0.9 * DPN_PI / m->ratio, 8);
    for (size_t k = 0; k < DPN_MIXTURE_SHIFTS; k++, a *= 0.65) {
        decay->shift[k] = a;
        decay->error[k] = strip_error(m, rule, a, 0.97 * DPN_PI / m->ratio - a);
        for (size_t i = 0; i < count; i++) {
            double share;
            dpn_mixture_loss(m, rule->t[i], &share);
            decay->imaginary[k * count + i] = imaginary_part(m, rule->t[i], a) * (1 - 1e-9);
            decay->real[k * count + i] = rule->x * real_part(m, a, share);
        }
    }
    return DPN_OK;
}

/* log of a mean of e^exponent; the exponents are real - factor * imaginary, real may be NULL. */
static double log_mean(const dpn_mixture_rule *rule, const double *real, const double *imaginary, double factor,
                       double error) {
    double sum = error, size = 0;
    for (size_t i = 0; i < rule->count; i++) {
        double change = rule->mass[i] * expm1((real ? real[i] : 0) - factor * imaginary[i]);
        sum += change;
        size += fabs(change);
    }
    sum += 1e-12 * size;
    return sum > -1 ? log1p(sum) : 0;
}

/* The largest lambda over curves c Im t = arcsin(S w). */
static double curve_rate(const dpn_mixture_decay *decay, double omega) {
    double best = 0, c = decay->ratio;
    for (double S = 0.9; S > 1e-9 && S > 1e-6 * omega; S *= 0.8) {
        double y = asin(S), half = cos(0.5 * y), cost = y * y / (S * S * c * c) + 1 / (1 - S * S);
        double most = 0.11 * S * S / (half * half); /* of 4 w (1 - w) sin^2(y/2) */
        if (decay->x < 0) cost += -decay->x / (4 * half * half * (1 - most));
        best = fmax(best, omega * S - 0.5 * S * S * cost * (1 + 1e-9));
    }
    return best;
}

double dpn_mixture_log_bound(const dpn_mixture_decay *decay, const dpn_mixture_rule *rule, double omega) {
    double best = fmin(0, log_mean(rule, NULL, decay->square, curve_rate(decay, omega), decay->curve_error));
    for (size_t k = 0; k < decay->shifts; k++) {
        size_t start = k * decay->count;
        double log_bound = log_mean(rule, decay->real + start, decay->imaginary + start, omega, decay->error[k]);
        best = fmin(best, log_bound + 0.5 * decay->shift[k] * decay->shift[k]);
    }
    return best;
}
