/* The loss of Gaussian noise on a Poisson sample. */
#include "privacy/sampling/mixture.h"

#include "base/twofold.h"
#include "privacy/interval.h"

#include <stdlib.h>

#define ROUND (0.5 * DBL_EPSILON)
#define LOG_ROOT_2_PI 0.91893853320467274178
#define LOG_2 0.69314718055994530942

/* Width of the panels on which the integrand is bounded, and how many strips are tried. */
#define PANEL 0.25
enum { STRIPS = 24 };

/* Strips stay where the window turns by at most this angle: its cosine is 0.36, so that V along the side is at most the window with the
 * cut further right by 1.03/steep. */
#define WINDOW_ANGLE 1.2
#define WINDOW_MOVES 1.03

/* L(t), and v = e^L - 1 = q (e^u - 1), q e^u and the share of it. One exponential serves all: e^u - 1 is a difference where e^u is not near 1. */
static double loss_of(const dpn_mixture *m, double t, double *v, double *weight, double *share) {
    double c = m->ratio, q = m->rate, u = c * (t - 0.5 * c);
    if (u > 600) {
        *share = 1;
        *v = *weight = INFINITY;
        return log(q) + u + (1 - q) / q * exp(-u);
    }
    bool near = fabs(u) < 1;
    double e = near ? expm1(u) : exp(u);
    *v = q * (near ? e : e - 1);
    *weight = q * (near ? 1 + e : e);
    *share = *weight / ((1 - q) + *weight);
    return *v > -0.5 ? log1p(*v) : log((1 - q) + *weight);
}

double dpn_mixture_loss(const dpn_mixture *m, double t, double *share) {
    double v, weight;
    return loss_of(m, t, &v, &weight, share);
}

/* -log of the window that ends at `at`. */
static double window(const dpn_mixture *m, double t, double at) {
    return m->steep > 0 ? exp(m->steep * (t - at)) : 0;
}

/* What of V is not S: S/V = exp(-this), real; times e^(i steep a) at t + ia. */
static double split_exponent(const dpn_mixture *m, double t) {
    return m->steep > 0 && m->split > -INFINITY ? window(m, t, m->split) * -expm1(m->steep * (m->split - m->cut))
                                                : INFINITY;
}

/* log of n(t) V(t) e^(xL(t)). */
static double log_density(const dpn_mixture *m, double x, double t) {
    double share;
    return -0.5 * t * t - LOG_ROOT_2_PI + x * dpn_mixture_loss(m, t, &share) - window(m, t, m->cut);
}

/* ---- the range ---- */

/* log of a bound of the normal tail beyond y. */
static double log_normal_tail(double y) {
    return y > 1 ? -0.5 * y * y - LOG_ROOT_2_PI - log(y) : 0;
}

/* How fast log(n V e^(xL)) rises towards the centre, at least, at t and further out: to the left, and to the right. */
static double left_rate(const dpn_mixture *m, double x, double t) {
    double share;
    dpn_mixture_loss(m, t, &share);
    return -t - fmax(-x, 0) * m->ratio * share - m->steep * window(m, t, m->cut);
}

static double right_rate(const dpn_mixture *m, double x, double t) {
    return t - fmax(x, 0) * m->ratio + m->steep * window(m, t, m->cut);
}

/* log of a bound of what lies beyond t, to the right (side 1) or the left (-1), of n V e^(xL) and of n (1 + |x| q (e^u + 1)): the former
 * falls there at a rate that is known and does not fall further out. +inf where it may rise. */
static double log_beyond(const dpn_mixture *m, double x, double t, double side, bool both) {
    double c = m->ratio, rate = side > 0 ? right_rate(m, x, t) : left_rate(m, x, t);
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
    double log_left, log_right;
} range;

/* Where the density is more than log_goal below its largest value, on both sides, also with the window of the sides of a strip. `both`: see
 * log_beyond. */
static range find_range(const dpn_mixture *given, double x, double log_goal, bool both) {
    dpn_mixture wide = *given, *m = &wide;
    double slope = fmax(0, x * m->ratio), right = slope, left = -1;
    if (m->steep > 0) {
        wide.cut += WINDOW_MOVES / m->steep;
        right = fmin(right, fmax(wide.cut, 0) + fmax(0, log((slope + 1) / m->steep)) / m->steep);
    }
    if (!(right < DPN_MIXTURE_POINTS)) return (range){.top = NAN}; /* steps are at most 1: too many points */
    double step = fmax(0.1, right / 400);
    range r = {.top = log_density(given, x, right)};
    while (left_rate(m, x, left) < 1 && left > -1e4) left -= 0.25;
    for (double t = left; t <= right; t += t < 0 ? 0.1 : step) r.top = fmax(r.top, log_density(given, x, t));
    double goal = log_goal + (both ? fmin(r.top, 0) : r.top);
    for (r.low = left; !(log_beyond(m, x, r.low, -1, both) < goal) && r.low > left - 100;) r.low -= PANEL;
    for (r.high = right + PANEL; !(log_beyond(m, x, r.high, 1, both) < goal) && r.high < right + 100;) r.high += PANEL;
    r.log_left = log_beyond(m, x, r.low, -1, both);
    r.log_right = log_beyond(m, x, r.high, 1, both);
    r.log_lost = dpn_log_add(r.log_left, r.log_right);
    return r;
}

/* ---- the step ---- */

/* log of a bound of |e^(xL(t + ib))| relative to e^(xL(t)), for every t. */
static double log_turned(const dpn_mixture *m, double x, double b) {
    return x < 0 ? x * log(cos(0.5 * m->ratio * b)) : 0;
}

/* Re L(t + ia) - L(t), which is not positive, where w(1 - w) is `spread`: |A + B e^(iy)|^2 = (A + B)^2 - 4AB sin^2(y/2). */
static double real_part(const dpn_mixture *m, double a, double spread) {
    double sine = sin(0.5 * m->ratio * a);
    return 0.5 * log1p(-4 * spread * sine * sine);
}

/* Im L(t + ib). */
static double imaginary_part(const dpn_mixture *m, double t, double b) {
    double c = m->ratio, u = c * (t - 0.5 * c), angle = c * b;
    if (u > 600) return angle;
    double weight = m->rate * exp(u);
    return atan2(weight * sin(angle), (1 - m->rate) + weight * cos(angle));
}

/* log of a bound of what is outside the range along t + ib. For x < 0 the factor of e^(xL) is that of the largest w(1 - w) on either side;
 * or it is at most (1 - q)^x, if the real part of e^(u + icb) is not negative. */
static double log_lost_along(const dpn_mixture *m, double x, double b, const range *r) {
    if (x >= 0) return 0.5 * b * b + r->log_lost;
    double low, high;
    dpn_mixture_loss(m, r->low, &low);
    dpn_mixture_loss(m, r->high, &high);
    double left = r->log_left + x * real_part(m, b, low > 0.5 ? 0.25 : low * (1 - low));
    double right = r->log_right + x * real_part(m, b, high < 0.5 ? 0.25 : high * (1 - high));
    if (m->ratio * b < 0.5 * DPN_PI) right = fmin(right, log_normal_tail(r->high) + x * log1p(-m->rate));
    return 0.5 * b * b + dpn_log_add(left, right);
}

/* log of a bound of the integral of |n V e^(xL)| along t + ib. On a panel each factor is largest at one of the ends, n at that nearer to
 * 0, w(1 - w) perhaps between them. */
static double log_side(const dpn_mixture *m, double x, double b, const range *r) {
    double width = m->steep > 0 ? 0.5 * PANEL : PANEL, sum = 0, share, next_share;
    dpn_mixture side = *m;
    if (m->steep > 0) side.cut -= log(cos(m->steep * b)) / m->steep;
    double loss = dpn_mixture_loss(m, r->low, &share);
    for (double t = r->low; t < r->high; t += width, share = next_share) {
        double next = dpn_mixture_loss(m, t + width, &next_share), near = t > 0 ? t : fmin(t + width, 0);
        double spread =
            share < 0.5 && next_share > 0.5 ? 0.25 : fmax(share * (1 - share), next_share * (1 - next_share));
        double exponent = -0.5 * near * near + x * (x > 0 ? next : loss) - window(&side, t, side.cut);
        if (x < 0) exponent += x * real_part(m, b, spread);
        sum += exp(fmin(700, exponent - r->top));
        loss = next;
    }
    return dpn_log_add(0.5 * b * b + r->top + log(sum * width), log_lost_along(m, x, b, r)) + 1e-9;
}

/* The strip |Im t| <= b whose lines carry at most e^log_side, a line at `height` in it, and the step. */
typedef struct strip {
    double b, height, step, log_side;
    bool relative; /* log_side is relative to G(x) */
} strip;

/* The largest step that reaches the goal, over the strips: with exponents 2 pi b/step of the error of the real line, and 2 pi height/step
 * downwards and 2 pi (b - height)/step upwards of the line above. */
static strip choose_strip(const dpn_mixture *m, double x, double log_goal, const range *r, bool turned) {
    double widest = fmin((x < 0 ? 0.49 : 0.97) * DPN_PI / m->ratio, turned ? 4 : 12), need = fmax(1, 0.7 - log_goal);
    strip best = {0};
    if (m->steep > 0) widest = fmin(widest, WINDOW_ANGLE / m->steep);
    for (int k = 0; k < STRIPS; k++) {
        strip s = {.b = widest * pow(0.8, k), .relative = m->steep == 0 && log_turned(m, x, widest * pow(0.8, k)) < 2};
        s.log_side = s.relative ? 0.5 * s.b * s.b + log_turned(m, x, s.b) : log_side(m, x, s.b, r);
        double above = fmax(0, s.relative ? s.log_side : s.log_side - r->top);
        above = dpn_log_add(above, 0.5 * s.b * s.b + log1p(2 * m->rate * fabs(x)) + LOG_2);
        s.step = fmin(1, 2 * DPN_PI * s.b / (turned ? 2 * need + above : need + above));
        s.height = turned ? s.b * need / (2 * need + above) : 0;
        if (s.step <= best.step) {
            if (s.step < 0.9 * best.step) break;
            continue;
        }
        best = s;
    }
    return best;
}

/* log of 1/(e^(2 pi distance/step) - 1): the share of what a line at that distance carries that a trapezoid sum errs by. */
static double log_leak(double distance, double step) {
    double decay = 2 * DPN_PI * distance / step;
    return -decay - log1p(-exp(-decay));
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
        double *room = malloc(9 * whole * sizeof *room);
        if (!room) return DPN_ENOMEM;
        free(rule->t);
        rule->capacity = whole;
        rule->t = room;
        double **column[] = {&rule->loss,    &rule->mass,    &rule->re,     &rule->im,
                             &rule->mass_re, &rule->mass_im, &rule->big_re, &rule->big_im};
        for (size_t i = 0; i < sizeof column / sizeof *column; i++) *column[i] = room + (i + 1) * whole;
    }
    rule->count = whole;
    return DPN_OK;
}

/* Sums over the points, in units of e^top: of the masses and their errors, and of G(x) - 1 as the integral of n (V e^(xL) - 1 - x v), v =
 * e^L - 1, whose own integral is 0. Without a window and outside 0 < x < 1 no term is negative, so nothing cancels. */
typedef struct totals {
    dpn_twofold mass, gain;
    double mass_error, gain_error;
} totals;

/* What is known of the errors at t: of u, and relative ones of V = exp(-E). */
static double u_error_at(const dpn_mixture *m, double t, double height) {
    double c = m->ratio;
    return (4 * ROUND + m->doubt) * (fabs(c * t) + c * c + c * height);
}

static double window_error_at(const dpn_mixture *m, double t, double E) {
    return E > 0 ? 4 * ROUND * E * (2 + m->steep * (fabs(t) + fabs(m->cut))) : 0;
}

static void add_point(totals *s, dpn_mixture_rule *rule, size_t i, const dpn_mixture *m, double top) {
    double x = rule->x, t = rule->t[i], v, odds, share, L = loss_of(m, t, &v, &odds, &share);
    double log_n = -0.5 * t * t - LOG_ROOT_2_PI - top, tilt = x * L, E = window(m, t, m->cut);
    double plain = rule->step * exp(log_n), mass, weight, xv, gain;
    double less = E < 1e-17 ? -E : expm1(-E); /* V - 1 */
    if (log_n > -600 && odds < 1e250)
        weight = plain * odds;
    else
        weight = rule->step * m->rate * exp(log_n + m->ratio * (t - 0.5 * m->ratio));
    if (fabs(tilt) < 1 && odds < 1e250) {
        double slope = x * v, more = expm1(tilt);
        xv = plain * slope;
        gain = plain * (more - slope) * (1 + less) + plain * less * (1 + slope);
        mass = plain * (1 + more) * (E < 1 ? 1 + less : exp(-E));
    } else {
        xv = x * (weight - m->rate * plain);
        mass = rule->step * exp(log_n + tilt - E);
        gain = mass - plain - xv;
    }
    double u_error = u_error_at(m, t, 0), L_error = share * u_error + 16 * ROUND * fabs(L);
    double V_error = window_error_at(m, t, E);
    double relative = fabs(x) * L_error + ROUND * (8 + t * t + fabs(top) + fabs(tilt)) + V_error;
    s->mass = dpn_two_add(s->mass, dpn_two(mass));
    s->gain = dpn_two_add(s->gain, dpn_two(gain));
    s->mass_error += relative * mass;
    s->gain_error += mass * fabs(x) * L_error + fabs(x) * weight * u_error + 8 * ROUND * (fabs(xv) + fabs(gain)) +
                     (fabs(tilt) < 1 ? 8 * ROUND * plain * fabs(tilt) +
                                           (V_error * (1 + less) + 8 * ROUND * -less) * (plain + fabs(xv))
                                     : relative * mass + 8 * ROUND * plain) +
                     ROUND * (8 + t * t + fabs(top)) * fabs(gain);
    rule->loss[i] = L;
    rule->mass[i] = mass;
}

static void set_moments(dpn_mixture_rule *rule, const dpn_mixture *m, double total) {
    bool split = m->steep > 0 && m->split > -INFINITY;
    double mean = 0, small = 0, small_mean = 0, big = 0, variance = 0, small_variance = 0, *share = rule->re;
    for (size_t i = 0; i < rule->count; i++) {
        rule->mass[i] /= total;
        mean += rule->mass[i] * rule->loss[i];
        if (!split) continue;
        double exponent = split_exponent(m, rule->t[i]);
        share[i] = rule->mass[i] * exp(-exponent); /* of the small losses; the line above is made later */
        small += share[i];
        small_mean += share[i] * rule->loss[i];
        big += exponent < 0.5 ? rule->mass[i] * -expm1(-exponent) : rule->mass[i] - share[i];
    }
    rule->mean = mean;
    rule->big = split ? big : 1;
    rule->small_mean = small > 0 ? small_mean / small : 0;
    for (size_t i = 0; i < rule->count; i++) {
        double away = rule->loss[i] - mean, small_away = rule->loss[i] - rule->small_mean;
        variance += rule->mass[i] * away * away;
        if (split) small_variance += share[i] * small_away * small_away;
    }
    rule->variance = variance;
    rule->small_variance = small > 0 ? small_variance / small : 0;
}

/* The point t_i + i height: n V e^(xL)/G and its big part. */
static void turn_point(dpn_mixture_rule *rule, size_t i, const dpn_mixture *m) {
    double a = rule->height, t = rule->t[i], x = rule->x, share, L = dpn_mixture_loss(m, t, &share);
    double E = window(m, t, m->cut), turn = m->steep * a, re = L + real_part(m, a, share * (1 - share));
    double im = imaginary_part(m, t, a);
    double log_size = 0.5 * (a * a - t * t) - LOG_ROOT_2_PI + x * re - E * cos(turn) - rule->cumulant;
    double angle = x * im - t * a - (E > 0 ? E * sin(turn) : 0);
    double size = rule->step * exp(log_size), sizes = t * t + fabs(a * t) + fabs(x) * (fabs(re) + im);
    rule->re[i] = re;
    rule->im[i] = im;
    rule->mass_re[i] = size > 0 ? size * cos(angle) : 0;
    rule->mass_im[i] = size > 0 ? size * sin(angle) : 0;

    double Z = split_exponent(m, t), z = Z * cos(turn), y = Z * sin(turn), less = exp(-z);
    double part_re = z < 700 ? -expm1(-z) * cos(y) + 2 * sin(0.5 * y) * sin(0.5 * y) : 1;
    double part_im = z < 700 ? less * sin(y) : 0, part = hypot(part_re, part_im);
    rule->big_re[i] = rule->mass_re[i] * part_re - rule->mass_im[i] * part_im;
    rule->big_im[i] = rule->mass_re[i] * part_im + rule->mass_im[i] * part_re;

    double modulus = hypot(re, im);
    double L_error =
        share / cos(0.5 * m->ratio * a) * u_error_at(m, t, a) + 16 * ROUND * modulus; /* |w(t + ia)| cos <= w */
    double relative = fabs(x) * L_error + ROUND * (16 + sizes + fabs(rule->cumulant)) + window_error_at(m, t, E);
    double split_relative = ROUND * 4 * (4 + m->steep * (fabs(t) + fabs(m->split) + fabs(m->cut)));
    if (m->steep == 0 || !isfinite(m->split)) split_relative = 0;
    rule->relative += size * relative;
    rule->relative_loss += size * relative * modulus;
    rule->loss_error += size * L_error;
    rule->size += size * modulus;
    rule->big_size += size * part;
    rule->big_relative += size * part * (relative + 4 * split_relative);
    rule->big_loss_error += size * part * L_error;
}

static void turn_all(dpn_mixture_rule *rule, const dpn_mixture *m) {
    rule->relative = rule->relative_loss = rule->loss_error = rule->size = 0;
    rule->big_size = rule->big_relative = rule->big_loss_error = 0;
    for (size_t i = 0; i < rule->count; i++) turn_point(rule, i, m);
}

dpn_status dpn_mixture_rule_make(dpn_mixture_rule *rule, const dpn_mixture *m, double x, double goal, bool turned) {
    double log_goal = log(goal) - 3;
    range r = find_range(m, x, log_goal, true);
    rule->effort = 0;
    if (!isfinite(r.top)) return DPN_EACCURACY;
    strip s = choose_strip(m, x, log_goal, &r, turned);
    rule->effort = s.relative ? 0 : 4 * (r.high - r.low) / PANEL;
    if (!(s.step > 0)) return DPN_EACCURACY;
    rule->step = s.step;
    dpn_status status = reserve(rule, ceil((r.high - r.low) / rule->step) + 1);
    if (status) return status;
    rule->effort += (double)rule->count;
    rule->x = x;
    double top = r.top > 1 ? r.top : 0;
    totals sum = {0};
    for (size_t i = 0; i < rule->count; i++) {
        rule->t[i] = r.low + (double)i * rule->step;
        add_point(&sum, rule, i, m, top);
    }
    double total = dpn_two_value(sum.mass), gain = dpn_two_value(sum.gain);
    bool near_1 = top == 0 && fabs(gain) < 0.5;
    rule->cumulant = near_1 ? log1p(gain) : top + log(total);
    double log_g = rule->cumulant - LOG_2; /* a lower bound, as long as the errors are below 1/2 */
    double side = s.relative ? s.log_side : s.log_side - log_g;
    double outside = exp(r.log_lost - log_g), plain = 0.5 * s.b * s.b + log1p(2 * m->rate * fabs(x)) - log_g;
    double quadrature = 2 * exp(dpn_log_add(side, plain) + log_leak(s.b, s.step));
    rule->error = 2 * (outside + quadrature) + 4 * ROUND * fabs(rule->cumulant);
    rule->error += near_1 ? 2 * sum.gain_error : 2 * sum.mass_error / total + 4 * ROUND * top;
    rule->mass_relative = sum.mass_error / total;
    set_moments(rule, m, total);
    rule->big_error = 3 * (outside + quadrature) + 1e-6 * rule->big;
    rule->height = s.height;
    rule->strip = s.b;
    rule->log_strip = side;
    if (turned) {
        double beyond = exp(log_lost_along(m, x, s.b, &r) - log_g);
        rule->flat = 2 * (beyond + exp(log_leak(s.height, s.step)) + exp(side + log_leak(s.b - s.height, s.step)));
        turn_all(rule, m);
    }
    return isfinite(rule->cumulant) && rule->error < 0.5 ? DPN_OK : DPN_EACCURACY;
}

/* ---- decay ---- */

void dpn_mixture_decay_free(dpn_mixture_decay *decay) {
    free(decay->imaginary);
    *decay = (dpn_mixture_decay){0};
}

/* The error of a mean over the points of what is analytic up to Im t = distance, where it is at most as large as the density is on the
 * sides of the strip. */
static double mean_error(const dpn_mixture_rule *rule, double distance) {
    return 2 * exp(rule->log_strip + log_leak(distance, rule->step)) + 2 * rule->flat;
}

dpn_status dpn_mixture_decay_make(dpn_mixture_decay *decay, const dpn_mixture *m, const dpn_mixture_rule *rule) {
    size_t count = rule->count;
    double *room = malloc((3 * DPN_MIXTURE_SHIFTS + 2) * count * sizeof *room);
    if (!room) return DPN_ENOMEM;
    dpn_mixture_decay_free(decay);
    decay->mixture = *m;
    decay->x = rule->x;
    decay->imaginary = room;
    decay->real = room + DPN_MIXTURE_SHIFTS * count;
    decay->big = room + 2 * DPN_MIXTURE_SHIFTS * count;
    decay->square = room + 3 * DPN_MIXTURE_SHIFTS * count;
    decay->lifted = room + (3 * DPN_MIXTURE_SHIFTS + 1) * count;
    decay->count = count;
    decay->shifts = DPN_MIXTURE_SHIFTS;
    decay->best = 0;
    double a = 0.5 * rule->strip;
    decay->curve_sine = m->ratio * a < 1.1 ? sin(m->ratio * a) : 0.9;
    decay->curve_error = mean_error(rule, fmin(a, 0.25 * DPN_PI / m->ratio)) + 4 * rule->mass_relative + 64 * ROUND;
    for (size_t i = 0; i < count; i++) {
        double share;
        dpn_mixture_loss(m, rule->t[i], &share);
        decay->square[i] = share * share * (1 - 1e-9);
        double E = window(m, rule->t[i], m->cut);
        decay->lifted[i] = rule->mass[i] > 0 ? E * (1 - cos(m->steep * a)) : 0;
    }
    for (size_t k = 0; k < DPN_MIXTURE_SHIFTS; k++, a *= 0.6) {
        decay->shift[k] = a;
        decay->error[k] = mean_error(rule, rule->strip - a);
    }
    return DPN_OK;
}

/* The k-th line, if it is not there yet. */
static void prepare_line(dpn_mixture_decay *decay, const dpn_mixture_rule *rule, size_t k) {
    const dpn_mixture *m = &decay->mixture;
    double a = decay->shift[k], cosine = cos(m->steep * a);
    for (size_t i = 0; i < decay->count && !decay->ready[k]; i++) {
        double share, t = rule->t[i], E = window(m, t, m->cut);
        dpn_mixture_loss(m, t, &share);
        decay->imaginary[k * decay->count + i] = imaginary_part(m, t, a) * (1 - 1e-9);
        double lifted = rule->mass[i] > 0 ? E * (1 - cosine) : 0;
        decay->real[k * decay->count + i] = rule->x * real_part(m, a, share * (1 - share)) + lifted;
        decay->big[k * decay->count + i] = -expm1(-cosine * split_exponent(m, t)) / cosine;
    }
    decay->ready[k] = true;
}

/* log of a mean of e^exponent; the exponents are real - factor * imaginary. */
static double log_mean(const dpn_mixture_rule *rule, const double *real, const double *imaginary, double factor,
                       double error) {
    double sum = error, size = 0;
    for (size_t i = 0; i < rule->count; i++) {
        double change = rule->mass[i] * expm1(real[i] - factor * imaginary[i]);
        sum += change;
        size += fabs(change);
    }
    sum += 1e-12 * size;
    return sum > -1 ? log1p(sum) : 0;
}

/* The largest lambda over curves c Im t = arcsin(S w). */
static double curve_rate(const dpn_mixture_decay *decay, double omega) {
    double best = 0, c = decay->mixture.ratio;
    for (double S = fmin(0.9, decay->curve_sine); S > 1e-9 && S > 1e-6 * omega; S *= 0.8) {
        double y = asin(S), half = cos(0.5 * y), cost = y * y / (S * S * c * c) + 1 / (1 - S * S);
        double most = 0.11 * S * S / (half * half); /* of 4 w (1 - w) sin^2(y/2) */
        if (decay->x < 0) cost += -decay->x / (4 * half * half * (1 - most));
        best = fmax(best, omega * S - 0.5 * S * S * cost * (1 + 1e-9));
    }
    return best;
}

static double bound_along(const dpn_mixture_decay *decay, const dpn_mixture_rule *rule, size_t k, double omega) {
    size_t start = k * decay->count;
    double slack = decay->error[k] + 4 * rule->mass_relative + 64 * ROUND;
    double log_bound = log_mean(rule, decay->real + start, decay->imaginary + start, omega, slack);
    return log_bound + 0.5 * decay->shift[k] * decay->shift[k];
}

static double big_bound_along(const dpn_mixture_decay *decay, const dpn_mixture_rule *rule, size_t k, double omega) {
    size_t start = k * decay->count;
    double sum = 8 * decay->error[k];
    for (size_t i = 0; i < rule->count; i++)
        sum += rule->mass[i] * decay->big[start + i] *
               exp(decay->real[start + i] - omega * decay->imaginary[start + i]) * (1 + 1e-9);
    return log(sum) + 0.5 * decay->shift[k] * decay->shift[k];
}

/* The least bound along the lines: the best one is looked for from that which was best before. */
static double least_along(dpn_mixture_decay *decay, const dpn_mixture_rule *rule, double omega,
                          double (*along)(const dpn_mixture_decay *, const dpn_mixture_rule *, size_t, double)) {
    prepare_line(decay, rule, decay->best);
    double best = along(decay, rule, decay->best, omega);
    for (int direction = -1; direction <= 1; direction += 2)
        for (;;) {
            if (direction < 0 ? decay->best == 0 : decay->best + 1 >= decay->shifts) break;
            size_t other = direction < 0 ? decay->best - 1 : decay->best + 1;
            prepare_line(decay, rule, other);
            double next = along(decay, rule, other, omega);
            if (!(next < best)) break;
            best = next;
            decay->best = other;
        }
    return best;
}

double dpn_mixture_log_bound(dpn_mixture_decay *decay, const dpn_mixture_rule *rule, double omega) {
    double curve = log_mean(rule, decay->lifted, decay->square, curve_rate(decay, omega), decay->curve_error);
    return fmin(fmin(0, curve), least_along(decay, rule, omega, bound_along));
}

double dpn_mixture_log_bound_big(dpn_mixture_decay *decay, const dpn_mixture_rule *rule, double omega) {
    return fmin(0, least_along(decay, rule, omega, big_bound_along));
}
