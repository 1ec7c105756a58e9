/* The loss of noise whose density falls with the l2 norm. */
#include "privacy/loss/l2-noise.h"

#include "base/error.h"
#include "privacy/interval.h"
#include "privacy/loss/gauss-legendre.h"

#include <stdbool.h>

#define ROUND (0.5 * DBL_EPSILON)

/* ---- the Bessel functions ---- */

/* K_1(z)/K_0(z), both as integrals of exp(-z (cosh t - 1)) cosh(v t) over t > 0. The trapezoid sums err by less than e^-49 of
 * them: the functions are analytic for |Im t| < pi/2. */
static double first_ratio(double z) {
    double step = fmin(0.1, 0.6 / sqrt(z)), one = 0.5, zero = 0.5;
    for (double t = step;; t += step) {
        double half = sinh(0.5 * t), weight = exp(-2 * z * half * half);
        zero += weight;
        one += weight * cosh(t);
        if (weight * cosh(t) < 1e-18 * zero) return one / zero;
    }
}

/* K_(v+1) = K_(v-1) + 2v/z K_v: upwards all terms are positive and errors shrink. */
double dpn_bessel_ratio(double twice, double z) {
    bool half = fmod(twice, 2) == 1;
    double ratio = half ? 1 + 1 / z : first_ratio(z);
    for (double v = half ? 3 : 2; v <= twice; v += 2) ratio = v / z + 1 / ratio;
    return ratio;
}

/* ---- what is integrated: w(x) times a factor, over [0, end] ---- */

typedef enum factors {
    PLAIN,   /* 1, over [0, pi] */
    EXCESS,  /* 1 - exp(-(L - L(end))), L = rate cos x: the profile at the epsilon L(end) */
    TILTED,  /* (e^(theta (L - rate)) - e^(-theta rate)) (1 - e^(-(1 + theta) L)), over [0, pi/2] */
    BEYOND,  /* e^(-(L - L(end))): Q(L > L(end)) e^L(end) */
    FORWARD, /* (L/rate) (1 - e^-L), over [0, pi/2] */
} factors;

typedef struct integrand {
    double rate, power, excess; /* power is m - 2 */
    factors factor;
    double end, theta;
} integrand;

/* The logarithm of w and the factor at a point, and the factor's sign is +. */
static double log_at(const integrand *f, double x) {
    double half = sin(0.5 * x), sine = sin(x), loss = f->rate * cos(x), more = 0;
    if (!(sine > 0)) return -INFINITY;
    if (f->factor == EXCESS) /* L(x) - L(end) without cancellation */
        more = log(-expm1(-2 * f->rate * sin(0.5 * (f->end + x)) * sin(0.5 * (f->end - x))));
    if (f->factor == TILTED)
        more =
            -f->theta * 2 * f->rate * half * half + log(-expm1(-f->theta * loss)) + log(-expm1(-(1 + f->theta) * loss));
    if (f->factor == BEYOND) more = -2 * f->rate * sin(0.5 * (f->end + x)) * sin(0.5 * (f->end - x));
    if (f->factor == FORWARD) more = log(cos(x)) + log(-expm1(-loss));
    return -f->rate * half * half + f->power * log(sine) + log(f->excess + sine * sine) + more;
}

/* At x = u + iv, from <= u <= to and |v| <= high: |sin x|^2 = sin^2 u + sinh^2 v and Re cos x = cos u cosh v. */
typedef struct region {
    double sine_square; /* most of |sin x|^2 */
    double least, most; /* of Re cos x */
    double modulus;     /* most of |cos x| */
} region;

static region region_of(double from, double to, double high) {
    double u[2] = {from, to}, sine = 0, least = INFINITY, most = -INFINITY, sinh_square = sinh(high) * sinh(high);
    for (int i = 0; i < 2; i++) {
        sine = fmax(sine, sin(u[i]) * sin(u[i]));
        least = fmin(least, cos(u[i]));
        most = fmax(most, cos(u[i]));
    }
    for (double k = ceil(2 * from / DPN_PI); k <= floor(2 * to / DPN_PI); k++) { /* multiples of pi/2 between */
        if (fmod(k, 2) != 0) sine = 1;
        if (fmod(k, 4) == 0) most = 1;
        if (fmod(k, 4) == 2 || fmod(k, 4) == -2) least = -1;
    }
    double cosh_high = cosh(high);
    return (region){sine + sinh_square, least < 0 ? least * cosh_high : least, most > 0 ? most * cosh_high : most,
                    cosh_high};
}

/* log |w times the factor| is at most this. */
static double log_bound(const integrand *f, const region *r) {
    double least = f->rate * r->least, most = f->rate * r->most, more = 0;
    if (f->factor == EXCESS) more = log1p(exp(f->rate * cos(f->end) - least));
    if (f->factor == TILTED)
        more = dpn_log_add(f->theta * (most - f->rate), -f->theta * f->rate) + log1p(exp(-(1 + f->theta) * least));
    if (f->factor == BEYOND) more = f->rate * cos(f->end) - least;
    if (f->factor == FORWARD) more = log(r->modulus) + log1p(exp(-least));
    double power = f->power > 0 ? 0.5 * f->power * log(r->sine_square) : 0;
    return -0.5 * (f->rate - most) + power + log(f->excess + r->sine_square) + more;
}

/* ---- panels of Gauss-Legendre rules, as in loss/ellipse.h ---- */

/* About where it is largest. */
static double log_top(const integrand *f) {
    enum { LOOKS = 64, STEPS = 60 };
    double best = -INFINITY, at = 0.5 * f->end, width = f->end / LOOKS;
    for (int i = 0; i < LOOKS; i++) {
        double x = (i + 0.5) * width, value = log_at(f, x);
        if (value > best) best = value, at = x;
    }
    for (int i = 0; i < STEPS; i++, width *= 0.7)
        for (int side = -1; side <= 1; side += 2) {
            double x = at + side * width, value = x > 0 && x < f->end ? log_at(f, x) : -INFINITY;
            if (value > best) best = value, at = x;
        }
    return best;
}

/* The integral in the unit e^top and a bound of its error; all terms are positive. */
typedef struct integral {
    double log_unit, value, error;
} integral;

/* The logarithm of a bound of the error of a rule on [a, b]; of 16 points and of 32. */
static void rule_errors(double out[2], const integrand *f, double a, double b) {
    static const double rho[] = {2, 3, 5, 9, 17, 33};
    double c = 0.5 * (a + b), h = 0.5 * (b - a);
    out[0] = out[1] = INFINITY;
    for (size_t i = 0; i < sizeof rho / sizeof *rho; i++) {
        double wide = 0.5 * h * (rho[i] + 1 / rho[i]), high = 0.5 * h * (rho[i] - 1 / rho[i]);
        if (high > 30) break;
        region r = region_of(c - wide, c + wide, high);
        double constant = log(64.0 / 15 * h) + log_bound(f, &r) - log1p(-1 / (rho[i] * rho[i]));
        out[0] = fmin(out[0], constant - 32 * log(rho[i]));
        out[1] = fmin(out[1], constant - 64 * log(rho[i]));
    }
}

/* A term errs by the rounding of its exponents, and by that of x, some units of b, which the slope of the logarithm magnifies: by
 * power cot x, by the rates, and by 1/(end - x) for each of the two terms that may vanish there. */
static void add_points(integral *out, const integrand *f, const dpn_gauss *rule, double a, double b) {
    double c = 0.5 * (a + b), h = 0.5 * (b - a), sum = 0, error = 0;
    for (size_t i = 0; i < 2 * rule->half; i++) {
        size_t j = i < rule->half ? i : i - rule->half;
        double x = c + (i < rule->half ? -h : h) * rule->node[j], log_term = log_at(f, x);
        double term = rule->weight[j] * exp(log_term - out->log_unit);
        double slope = f->power / fmin(x, DPN_PI - x) + (2 + f->theta) * f->rate + 2 / (f->end - x);
        sum += term;
        error += term * ROUND * (64 + 8 * b * slope + 4 * (fabs(log_term) + fabs(out->log_unit)));
    }
    out->value += h * sum;
    out->error += h * error;
}

/* A panel whose bound exceeds the goal is cut in two. Rates at which rounding keeps all bounds above it would cut for ever: their error is
 * infinite. */
static integral integrate(const integrand *f) {
    enum { DEPTH = 100 };
    enum { MOST = 20000 };
    int looks = 0;
    const double log_goal = -43; /* of the largest value */
    integral out = {.log_unit = log_top(f)};
    double from[DEPTH + 2] = {0}, to[DEPTH + 2] = {f->end};
    for (int waiting = 1; waiting > 0;) {
        double a = from[--waiting], b = to[waiting], c = 0.5 * (a + b), error[2];
        if (++looks > MOST) {
            out.error = INFINITY;
            break;
        }
        region here = region_of(a, b, 0);
        double whole = log_bound(f, &here) + log(b - a) - out.log_unit;
        if (whole <= log_goal) {
            out.error += exp(whole);
            continue;
        }
        rule_errors(error, f, a, b);
        int k = error[0] - out.log_unit <= log_goal ? 0 : 1;
        if (error[k] - out.log_unit <= log_goal || waiting + 2 > DEPTH) {
            add_points(&out, f, &dpn_gauss_rule[k + 1], a, b);
            out.error += 2 * exp(error[k] - out.log_unit);
            continue;
        }
        from[waiting] = c, to[waiting++] = b;
        from[waiting] = a, to[waiting++] = c;
    }
    return out;
}

/* ---- the kind ---- */

static integrand integrand_of(const dpn_loss *loss, factors factor, double end, double theta) {
    double m = (double)loss->count, rate = loss->epsilon;
    return (integrand){.rate = rate,
                       .power = m - 2,
                       .excess = 2 * (m - 1) / rate * dpn_bessel_ratio(m - 2, 0.5 * rate),
                       .factor = factor,
                       .end = end,
                       .theta = theta};
}

/* Bounds of the logarithm of the quotient of an integral and that of w; both ratios of the Bessel functions err alike. */
static dpn_status log_quotient(double *lower, double *upper, const integrand *f, dpn_error *why) {
    integrand plain = *f;
    plain.factor = PLAIN;
    plain.end = DPN_PI;
    plain.theta = 0;
    integral top = integrate(f), bottom = integrate(&plain);
    double error = top.error / top.value + bottom.error / bottom.value + 1e-13;
    if (!(error < 1e-4 && top.value > 0))
        return dpn_fail(why, DPN_EACCURACY, "the loss of l2 noise at epsilon %g is too large or too small to compute",
                        f->rate);
    double middle = log(top.value) - log(bottom.value) + (top.log_unit - bottom.log_unit);
    error = 2 * error + 4 * DBL_EPSILON * (fabs(middle) + fabs(top.log_unit) + fabs(bottom.log_unit));
    *lower = middle - error;
    *upper = middle + error;
    return DPN_OK;
}

static dpn_status l2_delta(dpn_delta *out, const dpn_loss *loss, double epsilon, dpn_error *why) {
    double rate = loss->epsilon, least, most, size = fabs(epsilon);
    if (size >= rate) {
        *out = dpn_delta_near(epsilon > 0 ? 0 : -expm1(epsilon), 4 * DBL_EPSILON);
        return DPN_OK;
    }
    /* cos(end) = epsilon/rate. */
    integrand f = integrand_of(loss, EXCESS, 2 * asin(sqrt(0.5 * (rate - size) / rate)), 0);
    dpn_status status = log_quotient(&least, &most, &f, why);
    if (status) return status;
    /* The end is known up to some units in the last place. With x = end u the logarithm of the integrand changes with that of the end by
     * at most m + 6 + 4 rate. */
    double doubt = 8 * DBL_EPSILON * ((double)loss->count + 6 + 4 * rate);
    least -= doubt;
    most += doubt;
    if (epsilon >= 0) {
        *out = dpn_delta_between(least, most);
        return DPN_OK;
    }
    double rest = log(-expm1(epsilon)); /* delta(-e) = 1 - e^-e + e^-e delta(e) */
    *out = dpn_delta_between(dpn_log_add(rest, epsilon + least) - 8 * DBL_EPSILON,
                             dpn_log_add(rest, epsilon + most) + 8 * DBL_EPSILON);
    return DPN_OK;
}

static dpn_status l2_log_tail(double *lower, double *upper, const dpn_loss *loss, double nu) {
    double rate = loss->epsilon;
    if (fabs(nu) >= rate) {
        *lower = *upper = nu < 0 ? 0 : -INFINITY;
        return DPN_OK;
    }
    double end = 2 * (nu > 0 ? asin(sqrt(0.5 * (rate - nu) / rate)) : acos(sqrt(0.5 * (rate + nu) / rate)));
    integrand f = integrand_of(loss, BEYOND, end, 0);
    dpn_status status = log_quotient(lower, upper, &f, NULL);
    double doubt = 8 * DBL_EPSILON * ((double)loss->count + 6 + 4 * rate + fabs(nu));
    *lower -= nu + doubt;
    *upper += doubt - nu;
    return status;
}

static double l2_largest(const dpn_loss *loss) {
    return loss->epsilon;
}

/* M - 1 is the integral of (e^(theta L) - 1) (1 - e^(-(1 + theta) L)) over L > 0. */
static dpn_status l2_cumulant(double *lower, double *upper, const dpn_loss *loss, double theta, dpn_error *why) {
    double least, most, rate = loss->epsilon;
    integrand f = integrand_of(loss, theta == 0 ? FORWARD : TILTED, 0.5 * DPN_PI, theta);
    dpn_status status = log_quotient(&least, &most, &f, why);
    if (status) return status;
    double log_size = theta == 0 ? log(rate) : theta * rate, slack = 4 * DBL_EPSILON * (1 + fabs(log_size));
    least += log_size - slack;
    most += log_size + slack;
    *lower = theta == 0 ? exp(least) : dpn_log_add(0, least);
    *upper = theta == 0 ? exp(most) : dpn_log_add(0, most);
    if (theta > 0 && most < 0) { /* log1p keeps the digits of what is small */
        *lower = log1p(exp(least));
        *upper = log1p(exp(most));
    }
    *lower = fmax(0, *lower * (1 - 16 * DBL_EPSILON));
    *upper *= 1 + 16 * DBL_EPSILON;
    return DPN_OK;
}

const struct dpn_loss_kind dpn_loss_kind_l2 = {.name = "l2",
                                               .delta = l2_delta,
                                               .largest = l2_largest,
                                               .cumulant = l2_cumulant,
                                               .log_tail = l2_log_tail,
                                               .symmetric = true,
                                               .remembered = true};

dpn_status dpn_loss_l2(dpn_loss *out, double epsilon, size_t dimension, dpn_error *why) {
    if (!(epsilon >= 0 && isfinite(epsilon)))
        return dpn_fail(why, DPN_EDOMAIN, "epsilon of a block must be finite and not negative");
    if (dimension == 0) return dpn_fail(why, DPN_EDOMAIN, "the dimension must be at least 1");
    if (dimension == 1 || epsilon < 1e-9) return dpn_loss_block(out, epsilon, why);
    *out = (dpn_loss){.kind = &dpn_loss_kind_l2, .epsilon = epsilon, .count = dimension};
    return DPN_OK;
}
