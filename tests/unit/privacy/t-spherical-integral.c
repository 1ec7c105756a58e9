/* Integrals over the loss of spherical noise: the function and its bounds at complex places against the formula in s and t, in which the header states it. */
#include "privacy/loss/spherical-integral.c" /* to see each bound */

#include "reference/draw.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static double log_size(double complex z) {
    return log(cabs(z));
}

/* log |Phi(L)|, as the header has it. */
static double log_factor(const dpn_spherical *is, double complex L) {
    switch (is->factor) {
    case DPN_SPHERICAL_ALL:
        return log_size(cexp(0.5 * L) + cexp(-0.5 * L));
    case DPN_SPHERICAL_EXCESS:
        return log_size(cexp(0.5 * L) - cexp(is->epsilon - 0.5 * L));
    case DPN_SPHERICAL_ABOVE:
        return 0.5 * creal(L);
    case DPN_SPHERICAL_BEYOND:
        return -0.5 * creal(L);
    case DPN_SPHERICAL_TILTED:
        return 0.5 * creal(L) + log_size(cexp(is->theta * L) - 1) + log_size(1 - cexp(-(1 + is->theta) * L));
    default:
        return log_size(L * (cexp(0.5 * L) - cexp(-0.5 * L)));
    }
}

/* log of the size of what is integrated over s and t, times (ds/dy)(dt/dw)/4, at s = start + y^2 and t = 1 - (G/g) w^2. */
static double log_formula(const dpn_spherical *is, double complex y, double complex w) {
    double m = is->dimension, least = fmax(1, 2 * (is->epsilon - is->alpha) / is->beta);
    double complex s = least + y * y, g = is->alpha + 0.5 * is->beta * s, ratio = (g - is->epsilon) / g;
    double complex t = 1 - ratio * w * w, L = t * g;
    double sides = m == 3 ? 0 : 0.5 * (m - 3) * (log_size(s * s - 1) + log_size(1 - t * t));
    return log_size(y * w * ratio) + log_size(s * s - t * t) + sides -
           creal(0.5 * is->alpha * s + 0.125 * is->beta * (s * s + t * t)) + log_factor(is, L);
}

static dpn_spherical some_integral(draw_source *source, int trial) {
    dpn_spherical is = {.alpha = trial % 4 ? draw_uniform(source, 0, 3) : 0, .beta = draw_log_uniform(source, 0.05, 3)};
    is.dimension = 2 + trial % 7;
    is.factor = (dpn_spherical_factor)(trial % 6);
    bool whole =
        is.factor == DPN_SPHERICAL_ALL || is.factor == DPN_SPHERICAL_TILTED || is.factor == DPN_SPHERICAL_FORWARD;
    is.epsilon = whole ? 0 : draw_uniform(source, 0.05, 2 * (is.alpha + is.beta));
    is.theta = is.factor == DPN_SPHERICAL_TILTED ? draw_log_uniform(source, 0.1, 6) : 0;
    return is;
}

static void values_are_those_of_the_formula(void **state) {
    (void)state;
    draw_source source = {81};
    for (int trial = 0; trial < 600; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        integrand f = prepare(&is);
        double y = draw_log_uniform(&source, 0.05, 4), w = draw_uniform(&source, 0.05, 0.95);
        double got = log_once(&f, y, w), truth = log_formula(&is, y, w);
        if (!(fabs(got - truth) <= 1e-8 * (1 + fabs(truth))))
            fail_msg("factor %d: %.12g, not %.12g", (int)is.factor, got, truth);
    }
}

static double complex within(draw_source *source, const region *z) {
    /* Corners and edges are where the bounds are met. */
    double x = draw_chance(source, 0.3)   ? z->from
               : draw_chance(source, 0.4) ? z->to
                                          : draw_uniform(source, z->from, z->to);
    return x + I * (draw_chance(source, 0.5) ? z->high : draw_uniform(source, -z->high, z->high));
}

static bool holds(const region *z, double complex at) {
    double slack = 1e-12 * (1 + cabs(at));
    return creal(at) >= z->from - slack && creal(at) <= z->to + slack && fabs(cimag(at)) <= z->high + slack;
}

static void regions_hold_what_they_say(void **state) {
    (void)state;
    draw_source source = {82};
    for (int trial = 0; trial < 200; trial++) {
        region a = {draw_uniform(&source, -2, 1), 0, trial % 5 ? draw_uniform(&source, 0, 1) : 0}, b = a;
        a.to = a.from + draw_uniform(&source, 0, 2);
        b = (region){draw_uniform(&source, -2, 1), 0, draw_uniform(&source, 0, 1)};
        b.to = b.from + draw_uniform(&source, 0, 2);
        double by = draw_uniform(&source, -2, 2), times = draw_uniform(&source, -2, 2),
               power = floor(draw_uniform(&source, 1, 5));
        region both = product(&a, &b), square = square_of(&a), other = shifted(by, times, &a);
        region right = {0.1 + fabs(a.from), 0.2 + fabs(a.from) + fabs(a.to), a.high};
        for (int i = 0; i < 60; i++) {
            double complex x = within(&source, &a), z = within(&source, &b), far = within(&source, &right);
            assert_true(holds(&both, x * z) && holds(&square, x * x) && holds(&other, by + times * x));
            assert_true(cabs(x) <= modulus(&a) + 1e-12 && fabs(creal(x)) <= most(&a) + 1e-12 &&
                        fabs(creal(x)) >= least(&a) - 1e-12);
            assert_true(power * log_size(x) <= log_power(&a, power) + 1e-9);
            assert_true(-0.5 * log_size(far) <= log_power(&right, -0.5) + 1e-9);
            assert_true(1.5 * log_size(far) <= log_power(&right, 1.5) + 1e-9);
        }
        if (a.from <= 0) assert_true(log_power(&a, 0.5) == INFINITY);
        assert_true(log_power(&a, 0) == 0);
    }
}

/* The bound is the product of bounds of the factors, each over the whole region: the largest of each that is seen, and those of Phi by its terms. */
enum { FACTORS = 16 };
typedef struct factors {
    double log_most[FACTORS];
} factors;

static void see(factors *out, const dpn_spherical *is, double complex y, double complex w) {
    double m = is->dimension, least_s = fmax(1, 2 * (is->epsilon - is->alpha) / is->beta);
    double complex yy = y * y, s = least_s + yy, g = is->alpha + 0.5 * is->beta * s, ratio = (g - is->epsilon) / g;
    double complex t = 1 - ratio * w * w, L = t * g;
    const double log_here[FACTORS] = {log_size(w),
                                      log_size(y),
                                      log_size(least_s - 1 + yy),
                                      log_size(ratio),
                                      log_size(s + 1),
                                      log_size(1 + t),
                                      log_size(s),
                                      log_size(t),
                                      -creal(s),
                                      -creal(s * s),
                                      -creal(t * t),
                                      creal(L),
                                      -creal(L),
                                      log_size(L),
                                      m > 3 ? 0 : -log_size(s + 1),
                                      m > 3 ? 0 : -log_size(1 + t)};
    for (int i = 0; i < FACTORS; i++) out->log_most[i] = fmax(out->log_most[i], log_here[i]);
}

static double log_all(const dpn_spherical *is, const factors *of) {
    const double *most_of = of->log_most;
    double m = is->dimension, high = most_of[11], low = -most_of[12], epsilon = is->epsilon, theta = is->theta, phi;
    bool apart = 2 * (epsilon - is->alpha) > is->beta;
    double sum_of = (m - 2) * most_of[0] + (apart ? most_of[1] + 0.5 * (m - 3) * most_of[2] : (m - 2) * most_of[1]);
    sum_of +=
        0.5 * (m - 1) * most_of[3] + 0.5 * (m - 3) * (m > 3 ? most_of[4] + most_of[5] : -most_of[14] - most_of[15]);
    sum_of += log(exp(most_of[2]) + exp(most_of[3] + 2 * most_of[0])) + log(exp(most_of[6]) + exp(most_of[7]));
    sum_of += 0.5 * is->alpha * most_of[8] + 0.125 * is->beta * (most_of[9] + most_of[10]);
    if (is->factor == DPN_SPHERICAL_ABOVE)
        phi = 0.5 * high;
    else if (is->factor == DPN_SPHERICAL_BEYOND)
        phi = -0.5 * low;
    else if (is->factor == DPN_SPHERICAL_EXCESS)
        phi = log(exp(0.5 * high) + exp(epsilon - 0.5 * low));
    else if (is->factor == DPN_SPHERICAL_TILTED)
        phi = log(exp((0.5 + theta) * high) + exp(0.5 * high)) + log1p(exp(-(1 + theta) * low));
    else
        phi = log(exp(0.5 * high) + exp(-0.5 * low)) + (is->factor == DPN_SPHERICAL_FORWARD ? most_of[13] : 0);
    return sum_of + phi;
}

/* One of the two is real, as along the rules. */
static void bounds_hold_on_regions(void **state) {
    (void)state;
    draw_source source = {83};
    size_t finite = 0, near = 0;
    for (int trial = 0; trial < 900; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        integrand f = prepare(&is);
        double size = draw_log_uniform(&source, 1e-3, 0.4), y = draw_uniform(&source, 0.1, 3),
               w = draw_uniform(&source, 0.05, 0.95);
        bool along_y = trial % 2;
        region moved = {(along_y ? y : w) - size, (along_y ? y : w) + size,
                        trial % 3 ? draw_uniform(&source, 0, 1) * size : 0};
        region still = {fmax(0, (along_y ? w : y) - 0.2 * size), fmin((along_y ? w : y) + 0.2 * size, along_y ? 1 : 9),
                        0};
        double bound = log_bound(&f, along_y ? &moved : &still, along_y ? &still : &moved), top = -INFINITY;
        if (isinf(bound)) continue;
        factors seen;
        for (int i = 0; i < FACTORS; i++) seen.log_most[i] = -INFINITY;
        finite++;
        for (int i = 0; i < 40; i++) {
            double complex a = within(&source, &moved), b = within(&source, &still);
            top = fmax(top, log_formula(&is, along_y ? a : b, along_y ? b : a));
            see(&seen, &is, along_y ? a : b, along_y ? b : a);
        }
        double by_factors = log_all(&is, &seen);
        if (moved.high > 0 && !(bound >= by_factors - 1e-9 * (1 + fabs(by_factors))))
            fail_msg("factor %d: %.12g, by its factors %.12g", (int)is.factor, bound, by_factors);
        if (!(bound >= top - 1e-9 * (1 + fabs(top))))
            fail_msg("factor %d: %.12g, seen %.12g", (int)is.factor, bound, top);
        near += size < 0.003 && bound < top + 0.6;
    }
    assert_true(finite > 600 && near > 30);
}

static void what_lies_beyond_is_bounded(void **state) {
    (void)state;
    enum { ROWS = 400, COLUMNS = 60 };
    draw_source source = {84};
    for (int trial = 0; trial < 18; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        integrand f = prepare(&is);
        double s = fmax(2, f.start) + draw_uniform(&source, 0, 20), bound = log_tail(&f, s);
        if (isinf(bound)) continue;
        double low = sqrt(s - f.start), step = 6 / (double)ROWS, added = 0, unit = log_formula(&is, low, 0.5);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                added += exp(log_formula(&is, low + (i + 0.5) * step, (j + 0.5) / COLUMNS) - unit);
        double log_integral = unit + log(4 * added * step / COLUMNS); /* ds dt is 4 (y w G/g) dy dw */
        if (!(bound >= log_integral - 1e-3))
            fail_msg("factor %d beyond %g: %g, bound %g", (int)is.factor, s, log_integral, bound);
    }
}

/* The theorem of Gauss rules on a few ellipses, by the largest value around them. */
static void errors_of_rules_are_bounded(void **state) {
    (void)state;
    static const double rho[] = {1.5, 2, 3, 5, 9, 17};
    draw_source source = {85};
    for (int trial = 0; trial < 120; trial++) {
        dpn_spherical is = some_integral(&source, trial);
        integrand f = prepare(&is);
        double y = draw_uniform(&source, 0.1, 3), w = draw_uniform(&source, 0.05, 0.8), out[2],
               seen[2] = {INFINITY, INFINITY};
        cell c = {{y, y + draw_uniform(&source, 0.01, 0.5)}, {w, w + draw_uniform(&source, 0.01, 0.2)}};
        bool along_y = trial % 2;
        rule_errors(out, &f, &c, along_y);
        if (isinf(out[1])) continue;
        const double *at = along_y ? c.y : c.w, *other = along_y ? c.w : c.y;
        double centre = 0.5 * (at[0] + at[1]), half = 0.5 * (at[1] - at[0]);
        for (size_t i = 0; i < sizeof rho / sizeof *rho; i++) {
            double top = -INFINITY;
            for (int k = 0; k < 60; k++)
                for (int side = 0; side < 2; side++) {
                    double complex x =
                        centre +
                        half * 0.5 * (rho[i] * cexp(I * 0.104719755 * k) + cexp(-I * 0.104719755 * k) / rho[i]);
                    top = fmax(top, log_formula(&is, along_y ? x : other[side], along_y ? other[side] : x));
                }
            double constant = log(64.0 / 15 * half * (other[1] - other[0])) + top - log1p(-1 / (rho[i] * rho[i]));
            seen[0] = fmin(seen[0], constant - 32 * log(rho[i]));
            seen[1] = fmin(seen[1], constant - 64 * log(rho[i]));
        }
        for (int k = 0; k < 2; k++)
            if (!(out[k] >= seen[k] - 1e-6))
                fail_msg("factor %d: %g, the theorem has %g", (int)is.factor, out[k], seen[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_formula), cmocka_unit_test(regions_hold_what_they_say),
        cmocka_unit_test(bounds_hold_on_regions),          cmocka_unit_test(what_lies_beyond_is_bounded),
        cmocka_unit_test(errors_of_rules_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
