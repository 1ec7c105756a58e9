/* The cumulants and characteristic functions of tilted losses: rules and closed form against 60-digit references
 * (tests/vectors/loss-mgf.csv), against each other, and the bounds of decay against the function itself.
 */
#include "privacy/loss/mgf.h"
#include "privacy/loss/rule.h"

#include "reference/draw.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
    dpn_loss loss;
    dpn_shape shape;
    dpn_tilt_rule rule;
} subject;

static subject make(const char *text, double shift) {
    subject s = {0};
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) || dpn_loss_law(&s.loss, &law, shift, &why) ||
        dpn_shape_make(&s.shape, &s.loss, false, &why))
        fail_msg("%s at %g: %s", text, shift, why.sentence);
    return s;
}

static void tilt(subject *s, double theta, double omega, double goal) {
    dpn_error why;
    if (dpn_tilt_rule_make(&s->rule, &s->shape, &s->loss, false, theta, omega, goal, &why))
        fail_msg("theta %g, omega %g: %s", theta, omega, why.sentence);
}

/* phi(omega) - 1 of the points, term by term. */
static double complex rule_phi_minus_1(const dpn_tilt_rule *rule, double omega) {
    double re = 0, im = 0;
    for (size_t i = 0; i < rule->count; i++) {
        double half = sin(0.5 * omega * rule->value[i]);
        re -= 2 * rule->sum[i] * half * half;
        im += rule->difference[i] * sin(omega * rule->value[i]);
    }
    return re + I * im;
}

/* What contour-nodes.c claims of that, without the part of the turning. */
static double claimed(const dpn_tilt_rule *rule, double omega) {
    double mean_size = 0;
    for (size_t i = 0; i < rule->count; i++) mean_size += rule->sum[i] * fabs(rule->value[i]);
    double masses = fmin(2 * rule->relative, omega * rule->relative_loss);
    return 2 * rule->flat + 2 * masses + 4e-15 * omega * mean_size + 2e-14;
}

/* ---- the reference table ---- */

typedef struct row {
    char law[128];
    double shift, theta, omega, re, im, real;
} row;

static FILE *open_table(void) {
    const char *root = getenv("DPN_SOURCE_ROOT");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/vectors/loss-mgf.csv", root ? root : ".");
    FILE *table = fopen(path, "r");
    if (!table) fail_msg("%s is not there", path);
    return table;
}

static bool next_row(FILE *table, row *r) {
    char line[512];
    while (fgets(line, sizeof line, table))
        if (line[0] != '#')
            return sscanf(line, "%127[^;];%lf;%lf;%lf;%lf;%lf;%lf", r->law, &r->shift, &r->theta, &r->omega, &r->re,
                          &r->im, &r->real) == 7;
    return false;
}

static void rules_meet_the_reference(void **state) {
    (void)state;
    FILE *table = open_table();
    row r;
    int rows = 0;
    double worst = 0, worst_phi = 0;
    while (next_row(table, &r)) {
        subject s = make(r.law, r.shift);
        rows++;
        if (s.shape.gaussian != 0) { /* K(z) = z (z + 1) a^2/2 */
            double complex z = r.theta + I * r.omega, k = 0.5 * z * (z + 1) * s.shape.gaussian * s.shape.gaussian;
            assert_true(cabs(cexp(k - r.real) - cexp(r.re - r.real + I * r.im)) <= 1e-14 * (1 + cabs(k)));
            continue;
        }
        tilt(&s, r.theta, r.omega, 1e-18);
        double error = fabs(s.rule.cumulant - r.real);
        if (!(error <= s.rule.error))
            fail_msg("%s at %g: K(%g) off by %g, claimed %g", r.law, r.shift, r.theta, error, s.rule.error);
        worst = fmax(worst, error / fmax(fabs(r.real), 1e-300));
        double complex truth = cexp(r.re - r.real + I * r.im), got = 1 + rule_phi_minus_1(&s.rule, r.omega);
        if (!(cabs(got - truth) <= claimed(&s.rule, r.omega)))
            fail_msg("%s at %g: phi(%g + i %g) off by %g", r.law, r.shift, r.theta, r.omega, cabs(got - truth));
        worst_phi = fmax(worst_phi, cabs(got - truth));
        dpn_tilt_rule_free(&s.rule);
    }
    fclose(table);
    print_message("# %d rows: largest relative error of K %.1e, absolute error of phi %.1e\n", rows, worst, worst_phi);
    assert_int_equal(rows, 136);
    assert_true(worst < 4e-15 && worst_phi < 1e-13);
}

/* A thousandth of DPN_MGF_ERROR. */
static void closed_forms_meet_the_reference(void **state) {
    (void)state;
    FILE *table = open_table();
    row r;
    int rows = 0;
    double worst = 0;
    while (next_row(table, &r)) {
        subject s = make(r.law, r.shift);
        if (s.shape.gaussian != 0 || s.shape.listed || s.shape.segment[0].power.p != 0) continue;
        rows++;
        double top = fmax(0, r.real);
        double complex z = r.theta + I * r.omega;
        double complex value = dpn_mgf_segments(&s.shape, z, top) + dpn_mgf_atoms(&s.shape, z, top);
        double size = creal(dpn_mgf_segments(&s.shape, r.theta, top) + dpn_mgf_atoms(&s.shape, r.theta, top));
        double complex truth = cexp(r.re - r.real + I * r.im);
        double error = cabs(value / size - truth);
        if (!(error <= 1e-3 * DPN_MGF_ERROR))
            fail_msg("%s at %g: M(%g + i %g) off by %g", r.law, r.shift, r.theta, r.omega, error);
        worst = fmax(worst, error);
        /* And the size itself, through the quotient that is M(theta). */
        double plain = creal(dpn_mgf_segments(&s.shape, 0, 0) + dpn_mgf_atoms(&s.shape, 0, 0));
        assert_true(fabs(log(size / plain) + top - r.real) <= 1e-14 * (1 + fabs(r.real)) * 20);
    }
    fclose(table);
    print_message("# %d rows: largest error of the closed form %.1e\n", rows, worst);
    assert_int_equal(rows, 84);
}

/* ---- random laws ---- */

static const char *random_law(char *text, size_t size, draw_source *source, double *scale) {
    *scale = draw_log_uniform(source, 0.1, 10);
    double ratio = draw_log_uniform(source, 0.01, 30);
    switch (draw_bits(source) % 6) {
    case 0:
        snprintf(text, size, "laplace(scale=%.17g)", *scale);
        break;
    case 1:
        snprintf(text, size, "flipped-huber(alpha=%.17g,gamma=%.17g)", ratio * *scale, *scale);
        break;
    case 2:
        snprintf(text, size, "osgt(m=%.17g,sigma=%.17g)", ratio * *scale, *scale);
        break;
    case 3:
        snprintf(text, size, "huber(alpha=%.17g,gamma=%.17g)", ratio * *scale, *scale);
        break;
    case 4:
        snprintf(text, size, "truncated-laplace(scale=%.17g,bound=%.17g)", *scale, 5 * *scale);
        break;
    default:
        snprintf(text, size, "logistic(scale=%.17g)", *scale);
    }
    return text;
}

/* The two ways to phi agree, at any tilt and frequency. */
static void rule_and_closed_form_agree(void **state) {
    (void)state;
    draw_source source = {11};
    double worst = 0;
    for (int i = 0; i < 400; i++) {
        char text[128];
        double scale;
        random_law(text, sizeof text, &source, &scale);
        subject s = make(text, scale * draw_log_uniform(&source, 1e-4, 5));
        double deviation = sqrt(0.01 + s.loss.sensitivity * s.loss.sensitivity / dpn_law_variance(&s.loss.law));
        double theta = draw_chance(&source, 0.3) ? draw_uniform(&source, -0.95, 0)
                                                 : draw_log_uniform(&source, 0.01, 20) / deviation;
        double omega = draw_log_uniform(&source, 0.01, 60) / deviation;
        tilt(&s, theta, omega, 1e-16);
        double complex z = theta + I * omega;
        double complex closed = dpn_mgf_segments(&s.shape, z, s.rule.top) + dpn_mgf_atoms(&s.shape, z, s.rule.top);
        double error = cabs(closed / s.rule.total - 1 - rule_phi_minus_1(&s.rule, omega));
        if (!(error <= 1e-3 * DPN_MGF_ERROR + claimed(&s.rule, omega)))
            fail_msg("%s at %g, theta %g, omega %g: %g", text, s.loss.sensitivity, theta, omega, error);
        worst = fmax(worst, error);
        dpn_tilt_rule_free(&s.rule);
    }
    print_message("# largest difference %.1e\n", worst);
}

/* |phi| stays below its bound from every omega on. */
static void decay_bounds_hold(void **state) {
    (void)state;
    draw_source source = {12};
    double closest = 0;
    for (int i = 0; i < 300; i++) {
        char text[128];
        double scale;
        random_law(text, sizeof text, &source, &scale);
        subject s = make(text, scale * draw_log_uniform(&source, 1e-2, 5));
        tilt(&s, draw_uniform(&source, -0.9, 5), 0, 1e-9);
        double unit = 1 / sqrt(s.rule.variance);
        for (int j = 0; j < 40; j++) {
            double omega = unit * draw_log_uniform(&source, 0.01, 200),
                   later = omega * draw_log_uniform(&source, 1, 10);
            if (j % 4 == 0 && s.rule.decay.pair > 0) { /* where a pair of atoms comes back to phase */
                later = acos(-1) / s.rule.decay.pair;
                omega = later * draw_uniform(&source, 0, 1);
            }
            double complex z = s.rule.theta + I * later;
            double complex rest = dpn_mgf_segments(&s.shape, z, s.rule.top) / s.rule.total;
            double complex all = rest + dpn_mgf_atoms(&s.shape, z, s.rule.top) / s.rule.total;
            double bound = exp(dpn_decay_log_bound(&s.rule.decay, omega)),
                   rest_bound = dpn_decay_rest(&s.rule.decay, omega);
            if (!(cabs(all) <= bound + 1e-9 && cabs(rest) <= rest_bound + 1e-9))
                fail_msg("%s at %g, theta %g: |phi(%g)| = %g, bound %g; rest %g, bound %g", text, s.loss.sensitivity,
                         s.rule.theta, later, cabs(all), bound, cabs(rest), rest_bound);
            closest = fmax(closest, bound > 0.01 ? cabs(all) / bound : 0);
        }
        dpn_tilt_rule_free(&s.rule);
    }
    print_message("# largest |phi|/bound %.3f\n", closest);
    assert_true(closest > 0.9); /* the bounds are not empty */
}

/* ---- powers ---- */

/* The tilt moves the loss by a few of its deviations; unit is one over that of the tilted loss. */
static subject random_power(draw_source *source, double *theta, double *unit) {
    char text[128];
    double p = draw_chance(source, 0.5) ? draw_uniform(source, 1.02, 3) : draw_log_uniform(source, 1.02, 20);
    if (draw_chance(source, 0.2)) p = ceil(p) + (ceil(p) == 2);
    double scale = draw_log_uniform(source, 0.1, 10);
    snprintf(text, sizeof text, "subbotin(p=%.17g,scale=%.17g)", p, scale);
    subject s = make(text, scale * draw_log_uniform(source, 1e-4, p < 4 ? 2 : 0.2));
    tilt(&s, 0, 0, 1e-12);
    double strength = draw_uniform(source, 0, p < 4 ? 3 : 0.1);
    *theta = draw_chance(source, 0.3) ? draw_uniform(source, -1, 0) : strength / sqrt(s.rule.variance);
    tilt(&s, *theta, 0, 1e-14);
    *unit = 1 / sqrt(s.rule.variance);
    return s;
}

/* Without a closed form a rule checks another: both are proven, so they may differ by their errors alone. */
static void power_rules_agree(void **state) {
    (void)state;
    draw_source source = {13};
    double worst = 0, worst_phi = 0;
    for (int i = 0; i < 200; i++) {
        double theta, unit;
        subject s = random_power(&source, &theta, &unit), fine = {.loss = s.loss, .shape = s.shape};
        double omega = draw_log_uniform(&source, 0.01, 30) * unit;
        tilt(&s, theta, omega, 1e-9);
        tilt(&fine, theta, 2 * omega, 1e-16);
        double error = fabs(s.rule.cumulant - fine.rule.cumulant);
        double phi = cabs(rule_phi_minus_1(&s.rule, omega) - rule_phi_minus_1(&fine.rule, omega));
        if (!(error <= s.rule.error + fine.rule.error && s.rule.flat < 1e-7 &&
              phi <= claimed(&s.rule, omega) + claimed(&fine.rule, omega)))
            fail_msg("p %g, weight %g, theta %g, omega %g: K off by %g of %g, phi by %g of %g",
                     s.shape.segment[0].power.p, s.shape.segment[0].power.weight, theta, omega, error, s.rule.error,
                     phi, claimed(&s.rule, omega));
        worst = fmax(worst, error / s.rule.error);
        worst_phi = fmax(worst_phi, phi / claimed(&s.rule, omega));
        dpn_tilt_rule_free(&s.rule);
        dpn_tilt_rule_free(&fine.rule);
    }
    print_message("# largest part of the error claimed for K %.1e, for phi %.1e\n", worst, worst_phi);
}

static void power_decay_bounds_hold(void **state) {
    (void)state;
    draw_source source = {14};
    double closest = 0;
    for (int i = 0; i < 150; i++) {
        double theta, unit;
        subject s = random_power(&source, &theta, &unit);
        dpn_decay decay = s.rule.decay;
        tilt(&s, theta, 60 * unit, 1e-10);
        for (int j = 0; j < 20; j++) {
            double omega = unit * draw_log_uniform(&source, 0.01, 60),
                   later = fmin(60 * unit, omega * draw_log_uniform(&source, 1, 4));
            double size = cabs(1 + rule_phi_minus_1(&s.rule, later)), bound = exp(dpn_decay_log_bound(&decay, omega));
            if (!(size <= bound + 1e-9 && size <= dpn_decay_rest(&decay, omega) + 1e-9))
                fail_msg("p %g, weight %g, theta %g: |phi(%g)| = %g, bound %g from %g on", s.shape.segment[0].power.p,
                         s.shape.segment[0].power.weight, theta, later, size, bound, omega);
            closest = fmax(closest, bound > 0.01 && bound < 0.9 ? size / bound : 0);
        }
        dpn_tilt_rule_free(&s.rule);
    }
    print_message("# largest |phi|/bound %.3f\n", closest);
    assert_true(closest > 0.8);
}

/* M(0) = M(-1) = 1 and M(z) = M(-1 - z) for a symmetric law without infinite loss. */
static void cumulants_are_symmetric(void **state) {
    (void)state;
    static const char *const texts[] = {
        "flipped-huber(alpha=2,gamma=1)", "osgt(m=1,sigma=2)",
        "discrete-osgt(m=1,sigma=2)",     "staircase(epsilon=1,sensitivity=1,gamma=0.4)",
        "huber(alpha=1,gamma=1)",         "subbotin(p=1.3,scale=1)",
        "subbotin(p=2.7,scale=1)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        subject s = make(texts[i], 1);
        tilt(&s, 0, 0, 1e-16);
        assert_true(s.rule.cumulant == 0);
        tilt(&s, -1, 0, 1e-16);
        assert_true(s.rule.cumulant == 0);
        tilt(&s, -0.3, 0, 1e-16);
        double one = s.rule.cumulant;
        assert_true(one < 0);
        tilt(&s, -0.7, 0, 1e-16);
        assert_true(fabs(s.rule.cumulant - one) <= 4e-15 * fabs(one));
        dpn_tilt_rule_free(&s.rule);
    }
}

/* The mean and the second and fourth central moments of L = log p(x)/p(x - 1) under e^(theta L) p(x) dx, by the midpoint rule. */
static void moments_meet_the_definition(void **state) {
    (void)state;
    enum { POINTS = 60000 };
    static const char *const texts[] = {
        "laplace(scale=1)",  "huber(alpha=1,gamma=1)",  "flipped-huber(alpha=2,gamma=1)",
        "osgt(m=1,sigma=2)", "subbotin(p=1.3,scale=1)", "subbotin(p=2.7,scale=1)"};
    static const double thetas[] = {-0.4, 0.5, 3};
    static double loss[POINTS], weight[POINTS];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t j = 0; j < sizeof thetas / sizeof *thetas; j++) {
            subject s = make(texts[i], 1);
            double total = 0, mean = 0, variance = 0, fourth = 0;
            tilt(&s, thetas[j], 1, 1e-16);
            for (size_t k = 0; k < POINTS; k++) {
                double x = 60 * (((double)k + 0.5) / POINTS - 0.5), log_p = dpn_law_log_pdf(&s.loss.law, x);
                loss[k] = log_p - dpn_law_log_pdf(&s.loss.law, x - 1);
                weight[k] = exp(log_p + thetas[j] * loss[k]);
                total += weight[k];
                mean += weight[k] * loss[k];
            }
            mean /= total;
            for (size_t k = 0; k < POINTS; k++) {
                double square = (loss[k] - mean) * (loss[k] - mean);
                variance += weight[k] / total * square;
                fourth += weight[k] / total * square * square;
            }
            if (!(fabs(s.rule.mean - mean) <= 1e-5 && fabs(s.rule.variance - variance) <= 1e-5 * variance &&
                  fabs(s.rule.decay.variance - variance) <= 1e-5 * variance &&
                  fabs(s.rule.decay.fourth - fourth) <= 1e-5 * fourth))
                fail_msg("%s at theta %g: %.9g, %.9g, %.9g, not %.9g, %.9g, %.9g", texts[i], thetas[j], s.rule.mean,
                         s.rule.variance, s.rule.decay.fourth, mean, variance, fourth);
            dpn_tilt_rule_free(&s.rule);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_meet_the_definition),
        cmocka_unit_test(rules_meet_the_reference),
        cmocka_unit_test(closed_forms_meet_the_reference),
        cmocka_unit_test(rule_and_closed_form_agree),
        cmocka_unit_test(decay_bounds_hold),
        cmocka_unit_test(power_rules_agree),
        cmocka_unit_test(power_decay_bounds_hold),
        cmocka_unit_test(cumulants_are_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
