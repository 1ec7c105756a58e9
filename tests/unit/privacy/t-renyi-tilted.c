/* Sums over points of a loss against sums of long doubles, and their errors: those of the exponents, added up, and what they make of a divergence. */
#include "privacy/renyi/tilted.h"

#include "reference/draw.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define UNIT (0.5 * DBL_EPSILON)

typedef struct point {
    double loss, log_mass, weight, magnitude;
} point;

/* (e^(theta L) - 1)/theta */
static long double growth(double theta, double loss) {
    return theta > 0 ? expm1l((long double)theta * loss) / theta : loss;
}

static long double fall(double theta, double loss) {
    return -expm1l(-(1 + (long double)theta) * loss);
}

typedef struct sums {
    long double tilted, gain, tilted_error, gain_error;
} sums;

/* Errors: of each point 32 units of rounding, and 16 of the numbers that its exponents are made of. */
static sums truth_of(const point *p, int count, double theta, bool symmetric) {
    sums out = {0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        long double mass = p[i].weight * expl(p[i].log_mass), tilted = mass * expl((long double)theta * p[i].loss);
        long double gain = mass * growth(theta, p[i].loss);
        if (symmetric) {
            tilted += mass * expl(-(1 + (long double)theta) * p[i].loss);
            gain *= fall(theta, p[i].loss);
        }
        double relative = UNIT * (32 + 16 * (p[i].magnitude + theta * fabs(p[i].loss)));
        out.tilted += tilted;
        out.gain += gain;
        out.tilted_error += relative * tilted;
        out.gain_error += relative * fabsl(gain);
    }
    return out;
}

static dpn_tilted sum_of(const point *p, int count, double theta, bool symmetric) {
    dpn_tilted tilt = dpn_tilted_begin(theta, symmetric);
    assert_true(tilt.theta == theta && tilt.symmetric == symmetric && tilt.top == 0);
    for (int i = 0; i < count; i++) dpn_tilted_add(&tilt, p[i].loss, p[i].log_mass, p[i].weight, p[i].magnitude);
    return tilt;
}

static void near(long double got, long double wanted, double relative, const char *what) {
    if (!(fabsl(got - wanted) <= relative * fabsl(wanted))) fail_msg("%s: %.17Lg, not %.17Lg", what, got, wanted);
}

static void check(const point *p, int count, double theta, bool symmetric, double relative) {
    sums truth = truth_of(p, count, theta, symmetric);
    dpn_tilted got = sum_of(p, count, theta, symmetric);
    long double unit = expl(got.top);
    near(dpn_two_value(got.tilted) * unit, truth.tilted, relative, "tilted");
    near(got.tilted_error * unit, truth.tilted_error, 1e-6, "error of tilted");
    if (fabsl(truth.gain) > 1e-290L && fabsl(truth.gain) < 1e290L) {
        near(dpn_two_value(got.gain), truth.gain, relative, "gain");
        near(got.gain_error, truth.gain_error, 1e-6, "error of gain");
    }
}

static void ordinary_points_are_added(void **state) {
    (void)state;
    draw_source source = {301};
    for (int trial = 0; trial < 400; trial++) {
        point p[6];
        int count = 1 + trial % 6;
        bool symmetric = trial % 2;
        double theta = trial % 5 ? draw_log_uniform(&source, 1e-3, 30) : 0;
        for (int i = 0; i < count; i++) {
            p[i] = (point){.loss = draw_log_uniform(&source, 1e-3, 5), .log_mass = draw_uniform(&source, -5, 1)};
            if (trial % 7 == 0) p[i].log_mass = draw_uniform(&source, -290, 290);
            if (!symmetric && i > 0 && trial % 3 == 0) p[i].loss *= -1e-6; /* of one sign, or nearly: nothing cancels */
            p[i].weight = draw_log_uniform(&source, 0.01, 10);
            p[i].magnitude = draw_log_uniform(&source, 0.01, 1e4);
        }
        check(p, count, theta, symmetric, trial % 7 ? 4e-15 : 1e-13);
    }
}

/* Masses and exponents in any order of size; the unit is the largest tilted mass, if it exceeds 1. */
static void extreme_points_are_added(void **state) {
    (void)state;
    draw_source source = {302};
    for (int trial = 0; trial < 400; trial++) {
        point p[6];
        int count = 1 + trial % 6;
        double theta = draw_log_uniform(&source, 0.3, 1e3), top = 0;
        bool symmetric = trial % 2;
        for (int i = 0; i < count; i++) {
            p[i] = (point){.loss = draw_uniform(&source, 0, 900) / theta, .log_mass = draw_uniform(&source, -900, 400)};
            if (trial % 4 == 0) p[i].log_mass = draw_uniform(&source, -theta * p[i].loss - 3, -theta * p[i].loss + 3);
            if (trial % 8 == 4 && i > 0) p[i] = (point){.loss = 0.3 / theta, .log_mass = -350};
            p[i].weight = draw_log_uniform(&source, 0.01, 10);
            p[i].magnitude = draw_log_uniform(&source, 0.01, 1e4);
            double exponent = p[i].log_mass + theta * p[i].loss;
            if (top > 0 || theta * p[i].loss >= 300 || fabs(p[i].log_mass) >= 300) top = fmax(top, exponent);
        }
        dpn_tilted got = sum_of(p, count, theta, symmetric);
        near(got.top, top, 1e-15, "the unit");
        check(p, count, theta, symmetric, 1e-12);
    }
}

/* What has underflowed as a plain mass counts as a tilted one; a small one after a large one keeps its gain. */
static void masses_may_underflow(void **state) {
    (void)state;
    for (double mass = -1600; mass < -300; mass += 100)
        for (double above = -60; above < 8; above += 7) {
            double theta = 50;
            point p[] = {{(above - mass) / theta, mass, 2, 1}, {0.001, -400, 1, 1}};
            check(p, 1, theta, true, 1e-12);
            check(p, 2, theta, true, 1e-12);
            check(p, 2, theta, false, 1e-12);
        }
}

/* The gain of one point, also where theta or the loss is nothing beside 1. */
static void gains_of_points(void **state) {
    (void)state;
    for (double loss = 1e-290; loss < 600; loss *= 37)
        for (double theta = 1e-310; theta < 1e5; theta *= 1e4) {
            if (theta * loss > 700 || loss * loss * (1 + theta) < 1e-290) continue;
            near(dpn_tilted_gain(theta, loss), growth(theta, loss) * fall(theta, loss), 2e-13, "gain");
            near(dpn_tilted_gain(0, loss), loss * fall(0, loss), 1e-15, "gain of order 1");
        }
    assert_true(dpn_tilted_gain(2, 0) == 0 && dpn_tilted_gain(0, 0) == 0);
}

static void divergences_of_gains(void **state) {
    (void)state;
    for (double theta = 1e-300; theta < 1e6; theta *= 1e3)
        for (double gain = 1e-280; gain < 1e200; gain *= 1e4)
            near(dpn_tilted_of_gain(theta, gain), log1pl((long double)theta * gain) / theta, 1e-15, "divergence");
    assert_true(dpn_tilted_of_gain(0, 0.3) == 0.3);
}

/* An error as it is claimed covers the values at both of its ends, and is no larger than they ask for. */
static void errors_become_those_of_divergences(void **state) {
    (void)state;
    draw_source source = {303};
    for (int trial = 0; trial < 300; trial++) {
        double theta = draw_log_uniform(&source, 1e-2, 50), plain = draw_log_uniform(&source, 0.1, 10);
        double error = trial % 3 ? draw_log_uniform(&source, 1e-9, 0.5) : 0.58,
               own = trial % 2 ? draw_uniform(&source, 0, error) : 0;
        /* M near 1: the gain moves by its error. */
        double gain = draw_log_uniform(&source, 1e-6, 0.99) / theta;
        dpn_tilted tilt = {.theta = theta, .gain = dpn_two(gain * plain), .gain_error = own * gain * plain};
        dpn_growth got = dpn_tilted_divergence(&tilt, plain, error - own);
        long double value = log1pl((long double)theta * gain) / theta;
        near(got.value, value, 1e-14, "value");
        near(got.error, error + 16 * UNIT, 1e-12, "error");
        assert_true(got.error * value >= value - log1pl((long double)theta * gain * (1 - error)) / theta);
        tilt.gain = dpn_two(-gain * plain); /* of listed losses */
        near(dpn_tilted_divergence(&tilt, plain, error - own).error, error + 16 * UNIT, 1e-12, "error");
        /* Else the logarithm does: it falls by -log(1 - error), for an error up to 0.58 at most 1.5 of it. */
        double mass = draw_log_uniform(&source, 2.1, 1e3), top = trial % 5 ? 0 : draw_uniform(&source, 1, 3000);
        tilt = (dpn_tilted){.theta = theta, .top = top, .tilted = dpn_two(mass * plain)};
        tilt.gain = dpn_two(fmin(mass - 1, 1e300) * plain / theta);
        tilt.tilted_error = own * mass * plain;
        got = dpn_tilted_divergence(&tilt, plain, error - own);
        long double cumulant = top + logl(mass), moved = -log1pl(-(long double)error);
        near(got.value, cumulant / theta, 2e-15, "value of a logarithm");
        assert_true(got.error * cumulant >= moved);
        assert_true(got.error * cumulant <=
                    1.5 * (1 + 1e-12) * (error + 8 * UNIT * (1 + top + logl(mass))) + 5 * UNIT * cumulant);
        /* Without other errors: eight units of 1, of the unit and of the logarithm, and four of the quotient. */
        tilt.tilted_error = 0;
        got = dpn_tilted_divergence(&tilt, plain, 0);
        near(got.error * cumulant, 12 * UNIT * (1 + top + logl(mass)) + 4 * UNIT * cumulant, 1e-9, "roundings");
        tilt = (dpn_tilted){.theta = theta, .top = 300, .tilted = dpn_two(plain / mass), .gain = dpn_two(1e100)};
        got = dpn_tilted_divergence(&tilt, plain, 0); /* a logarithm below 0 */
        cumulant = 300 - logl(mass);
        near(got.value, cumulant / theta, 2e-15, "value below the unit");
        near(got.error * cumulant, 12 * UNIT * (301 + logl(mass)) + 4 * UNIT * cumulant, 1e-9, "roundings");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_points_are_added), cmocka_unit_test(extreme_points_are_added),
        cmocka_unit_test(masses_may_underflow),      cmocka_unit_test(gains_of_points),
        cmocka_unit_test(divergences_of_gains),      cmocka_unit_test(errors_become_those_of_divergences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
