/* Losses on a lattice. */
#include "privacy/compose/contour-lattice.h"

#include "law/facts.h"
#include "privacy/interval.h"
#include "privacy/loss/loss.h"

/* ---- which losses are ---- */

typedef struct points {
    dpn_twofold offset, step;
} points;

static bool find_points(points *out, const dpn_loss *loss) {
    if (loss->kind == &dpn_loss_kind_pure) {
        *out = (points){dpn_two(loss->epsilon), dpn_two(2 * loss->epsilon)};
        return true;
    }
    if (loss->kind != &dpn_loss_kind_law) return false;
    dpn_stairs stairs;
    bool integer = dpn_law_is_integer(&loss->law);
    double sigma = dpn_psi_gaussian(&loss->law), scale = dpn_psi_laplace(&loss->law), shift = loss->sensitivity;
    if (dpn_law_stairs(&stairs, &loss->law)) {
        *out = (points){dpn_two(0), dpn_two(stairs.height)};
    } else if (integer && scale > 0) { /* (|k + D| - |k|)/scale = (2k + D)/scale for -D <= k <= 0 */
        *out = (points){dpn_two_quotient(shift, scale), dpn_two_quotient(2, scale)};
    } else if (integer && sigma > 0) { /* D (2k + D)/2 sigma^2 */
        out->step = dpn_two_divide(dpn_two_quotient(shift, sigma), sigma);
        out->offset = dpn_two_times(out->step, 0.5 * shift);
    } else {
        return false;
    }
    return true;
}

/* The steps of all terms must be whole multiples of the least. */
dpn_lattice dpn_lattice_find(const dpn_sum *sum, double epsilon) {
    const dpn_lattice none = {0, 0};
    dpn_twofold step = {INFINITY, 0}, start = {0, 0};
    if (sum->terms == 0 || sum->gaussian != 0) return none;
    for (size_t i = 0; i < sum->terms; i++) {
        points p;
        if (!find_points(&p, sum->term[i].loss)) return none;
        if (p.step.hi < step.hi) step = p.step;
        start = dpn_two_add(start, dpn_two_times(p.offset, sum->term[i].times));
    }
    for (size_t i = 0; i < sum->terms; i++) {
        points p;
        if (!find_points(&p, sum->term[i].loss)) return none;
        double multiple = round(p.step.hi / step.hi);
        dpn_twofold rest = dpn_two_subtract(p.step, dpn_two_times(step, multiple));
        if (multiple > 1e6 || fabs(rest.hi) > 0x1p-95 * p.step.hi) return none;
    }
    dpn_twofold above = dpn_two_subtract(start, dpn_two(epsilon)); /* a lattice point, seen from epsilon */
    double whole = floor(above.hi / step.hi);
    double gap = dpn_two_value(dpn_two_subtract(above, dpn_two_times(step, whole)));
    return (dpn_lattice){step.hi, fmin(fmax(gap, 0), step.hi)};
}

static bool is_smooth(const dpn_term *term, const dpn_lattice *lattice) {
    points p;
    return find_points(&p, term->loss) && p.step.hi == lattice->step && term->loss->kind == &dpn_loss_kind_law &&
           dpn_psi_gaussian(&term->loss->law) >= 8;
}

void dpn_lattice_fold(dpn_sum *sum, const dpn_lattice *lattice) {
    size_t kept = 0;
    for (size_t i = 0; i < sum->terms; i++) {
        dpn_term *term = &sum->term[i];
        if (lattice->step > 0 && is_smooth(term, lattice)) {
            double ratio = term->loss->sensitivity / dpn_psi_gaussian(&term->loss->law);
            sum->gaussian += term->times * (ratio * ratio);
            dpn_tilt_rule_free(&term->rule);
        } else {
            sum->term[kept++] = *term;
        }
    }
    sum->terms = kept;
    sum->goal = 0;
}

double dpn_lattice_smooth(const dpn_lattice *lattice) {
    return 0.45 * DPN_PI / lattice->step;
}

/* ---- the kernel ---- */

/* 1 - e^-z, without cancellation for small z. */
static double complex one_minus_exp(double complex z) {
    double x = creal(z), y = cimag(z), s = sin(0.5 * y);
    return -expm1(-x) * cos(y) + 2 * s * s + I * exp(-x) * sin(y);
}

/* With h the step and g the gap, S = e^(-zg)/(1 - e^(-zh)) - e^(-(1+z)g)/(1 - e^(-(1+z)h)); over the common
 * denominator the numerator is e^(-zg) [(1 - e^-g) + e^(-zh) (e^-g - e^-h)], a sum of positive terms for real z. */
double complex dpn_lattice_kernel(const dpn_lattice *lattice, double complex z) {
    double h = lattice->step, g = lattice->gap;
    double complex top = -expm1(-g) + cexp(-z * h) * (exp(-g) * -expm1(g - h));
    return h * cexp(-z * g) * top / (one_minus_exp(z * h) * one_minus_exp((1 + z) * h));
}

/* |1 - e^(-zh)| = e^(-theta h/2) 2 |sinh(zh/2)|, and |sinh(x + iy)|^2 = sinh^2 x + sin^2 y >= (2/pi)^2 (x^2 + y^2)
 * for |y| <= pi/2; the numerator is at most h (1 - e^-h) e^(|theta| h). */
double dpn_lattice_kernel_bound(const dpn_lattice *lattice, double theta) {
    double h = lattice->step;
    return 0.25 * DPN_PI * DPN_PI * -expm1(-h) / h * exp((2 * fabs(theta) + 1) * h);
}

/* ---- decay ---- */

/* Half of the total variation of the sequence of masses along the lattice, points without mass included. The losses of
 * the rule rise; those at -L, from the largest L down, come before those at L. */
static double half_variation(const dpn_tilt_rule *rule, double step) {
    double variation = 0, before = 0, value_before = -INFINITY;
    for (size_t i = 0; i < 2 * rule->count; i++) {
        bool mirror = i < rule->count;
        size_t j = mirror ? rule->count - 1 - i : i - rule->count;
        double value = mirror ? -rule->value[j] : rule->value[j];
        double mass = mirror ? rule->minus[j] : rule->sum[j] - rule->minus[j];
        if (value == value_before) { /* the loss 0, which is its own mirror image */
            variation += mass;       /* not less than what the sum of both adds */
            before += mass;
            continue;
        }
        variation += value - value_before > 1.5 * step ? before + mass : fabs(mass - before);
        before = mass;
        value_before = value;
    }
    return 0.5 * (variation + before) * (1 + DPN_DECAY_MARGIN) + 1e-13;
}

/* |phi|^2 at omega. */
static double square_at(const dpn_tilt_rule *rule, double omega) {
    double re = 0, im = 0;
    for (size_t i = 0; i < rule->count; i++) {
        re += rule->sum[i] * cos(omega * rule->value[i]);
        im += rule->difference[i] * sin(omega * rule->value[i]);
    }
    return re * re + im * im;
}

/* A bound of |phi| on [from, to] by samples: the second derivative of |phi|^2 = E cos(omega (L - L')) is at most 2
 * variance in size, so between samples it is at most the larger plus variance * spacing^2/4. */
static double scan(const dpn_tilt_rule *rule, double from, double to) {
    double spacing = 0.2 / sqrt(rule->variance), count = ceil((to - from) / spacing), top = 0;
    if (count * (double)rule->count > 1e5) return 1;
    for (double i = 0; i <= count; i++) top = fmax(top, square_at(rule, from + i * (to - from) / count));
    return fmin(1, sqrt(top + 0.01 * (1 + DPN_DECAY_MARGIN)) + DPN_DECAY_MARGIN);
}

static double variation_bound(const dpn_lattice_decay *decay, double step, double omega) {
    return fmin(1, decay->variation / sin(fmin(0.5 * omega * step, 0.5 * DPN_PI)));
}

void dpn_lattice_decays(dpn_lattice_decay *out, const dpn_sum *sum, const dpn_lattice *lattice) {
    double half = DPN_PI / lattice->step;
    for (size_t i = 0; i < sum->terms; i++) {
        const dpn_tilt_rule *rule = &sum->term[i].rule;
        points p;
        dpn_lattice_decay d = {1, 0, 1};
        if (find_points(&p, sum->term[i].loss) && p.step.hi < 1.5 * lattice->step) {
            d.variation = half_variation(rule, lattice->step);
            d.last = fmin(half, sqrt(12 / (2 * rule->decay.fourth / rule->variance + 6 * rule->variance)) *
                                    (1 - DPN_DECAY_MARGIN));
            /* Where the variation bounds by a half, the scan may end. */
            double end = d.variation < 0.5 ? fmin(half, 2 / lattice->step * asin(2 * d.variation)) : half;
            d.far = d.last >= half ? 1 : fmax(end > d.last ? scan(rule, d.last, end) : 0, end < half ? 0.5 : 0);
        }
        out[i] = d;
    }
}

double dpn_lattice_log_bound(const dpn_lattice_decay *decay, const dpn_term *term, const dpn_lattice *lattice,
                             double omega) {
    double far = log(fmin(decay->far, variation_bound(decay, lattice->step, fmax(omega, decay->last))));
    if (omega >= decay->last) return far;
    const dpn_decay *moments = &term->rule.decay;
    double square = omega * omega, quartic = 2 * moments->fourth + 6 * moments->variance * moments->variance;
    double near =
        0.5 *
        log1p(-square * (moments->variance * (1 - DPN_DECAY_MARGIN) - square * quartic * (1 + DPN_DECAY_MARGIN) / 24));
    return decay->far >= 1 && decay->last >= DPN_PI / lattice->step ? near : fmax(near, far);
}
