/* Closed forms of segments and atoms: integrals of exponentials of quadratics against Gauss rules on many panels, sums of them, and the errors that they
 * claim. */
#include "privacy/renyi/exp-quadratic.h"
#include "privacy/renyi/segments.c" /* to see the sums */

#include "privacy/loss/gauss-legendre.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void near(long double got, long double wanted, double relative, const char *what) {
    if (!(fabsl(got - wanted) <= relative * fabsl(wanted))) fail_msg("%s: %.17Lg, not %.17Lg", what, got, wanted);
}

static long double at(const dpn_quadratic *q, long double s) {
    return q->c[0] + s * (q->c[1] + s * q->c[2]);
}

/* The integral of e^(q - top) over [from, to], by 32 points on each of 64 panels. */
static long double integral(const dpn_quadratic *q, double from, double to, double top) {
    enum { PANELS = 64 };
    const dpn_gauss *rule = &dpn_gauss_rule[2];
    long double sum = 0, h = ((long double)to - from) / (2 * PANELS);
    for (int p = 0; p < PANELS; p++)
        for (size_t i = 0; i < 2 * rule->half; i++) {
            long double x = i < rule->half ? rule->node[i] : -rule->node[i - rule->half];
            sum += h * rule->weight[i % rule->half] * expl(at(q, from + h * (2 * p + 1 + x)) - top);
        }
    return sum;
}

/* From 0 to an end, which may be infinite: then to where all but e^-50 of it is counted. */
static long double whole(const dpn_quadratic *q, double length, double top) {
    double vertex = q->c[2] < 0 ? fmax(0, -q->c[1] / (2 * q->c[2])) : 0, end = length;
    if (isinf(length)) {
        double slope = -(q->c[1] + 2 * q->c[2] * vertex), bend = -2 * q->c[2];
        end = vertex + 100 / (slope + sqrt(slope * slope + 100 * bend));
    }
    if (vertex <= 0) return integral(q, 0, end, top);
    double wide = sqrt(-60 / q->c[2]), from = fmax(0, vertex - wide);
    if (vertex >= end) return integral(q, fmax(0, vertex - hypot(vertex - end, wide)), end, top);
    return integral(q, from, vertex, top) + integral(q, vertex, fmin(end, vertex + wide), top);
}

/* ---- one integral ---- */

static double size_at(const dpn_quadratic *q, double s) {
    return fabs(q->c[0]) + s * fabs(q->c[1]) + s * s * fabs(q->c[2]);
}

/* The exponent is that of an end or of the vertex, and its size is that of the terms there (or, of short integrals, at the end). */
static void check_exponent(const dpn_quadratic *q, double length, dpn_scaled got) {
    double place[3] = {0, isinf(length) ? 0 : length, 0};
    if (q->c[2] != 0) place[2] = fmax(0, fmin(place[1] > 0 ? length : INFINITY, -q->c[1] / (2 * q->c[2])));
    bool fits = false;
    for (int i = 0; i < 3; i++) {
        double size = size_at(q, place[i]);
        fits = fits || (fabsl(at(q, place[i]) - got.exponent) <= 1e-15 * size && fabs(got.size - size) <= 1e-15 * size);
    }
    if (got.exponent == q->c[0] && isfinite(length))
        fits = fits || fabs(got.size - size_at(q, length)) <= 1e-15 * got.size;
    if (!fits) fail_msg("exponent %.17g of size %.17g", got.exponent, got.size);
}

static void one_integral_is_exact(void **state) {
    (void)state;
    draw_source source = {311};
    int infinite = 0;
    for (int trial = 0; trial < 1200; trial++) {
        int kind = trial % 6; /* concave, convex, straight, nearly straight; the hump inside, or to one side */
        double length = trial % 4 ? draw_log_uniform(&source, 1e-3, 100) : INFINITY;
        double bend = draw_log_uniform(&source, 1e-4, kind == 5 ? 9 : 300),
               slope = draw_uniform(&source, -1, 1) * draw_log_uniform(&source, 1e-3, 300);
        double l = isinf(length) ? draw_log_uniform(&source, 1e-3, 100) : length;
        dpn_quadratic q = {{draw_uniform(&source, -30, 30), slope / l, (kind == 1 ? bend : -bend) / l / l}};
        if (kind == 2) q.c[2] = 0;
        if (kind == 3) q.c[2] = (trial % 2 ? 1 : -1) * draw_log_uniform(&source, 1e-19, 1e-12) / l / l;
        if (kind == 4) q.c[1] = 0;
        if (isinf(length)) { /* it must fall */
            if (q.c[2] > 0) q.c[2] = kind == 3 ? 0 : -q.c[2];
            if (q.c[2] == 0) q.c[1] = -fabs(q.c[1]);
            infinite++;
        }
        dpn_scaled got = dpn_exp_quadratic(&q, length);
        near(got.mantissa, whole(&q, length, got.exponent), 3e-15 + 3e-16 * got.size, "integral");
        check_exponent(&q, length, got);
    }
    assert_true(infinite > 200);
}

/* Dawson's function and its asymptotic series: slopes on both sides of where one gives way to the other. */
static void convex_integrals_of_all_slopes(void **state) {
    (void)state;
    for (double x = 0.3; x < 40; x *= 1.07) /* slope/(2 sqrt c2) at one end */
        for (double y = -12; y < 12; y += 1.3) {
            dpn_quadratic q = {{0, 2 * x, 1}};
            double length = fabs(y);
            if (y < 0) q.c[1] = -2 * (x + length); /* it falls to the end, or rises */
            dpn_scaled got = dpn_exp_quadratic(&q, length);
            near(got.mantissa, integral(&q, 0, length, got.exponent), 1e-14 + 3e-16 * got.size, "convex");
        }
}

/* ---- sums ---- */

/* An atom has the error of an integral and four units of rounding of the terms of its exponent. */
static void atoms_are_added(void **state) {
    (void)state;
    draw_source source = {312};
    for (int trial = 0; trial < 300; trial++) {
        double theta = draw_log_uniform(&source, 0.1, 30), size = trial % 3 ? 5 : 1e5,
               base = trial % 5 ? 0 : draw_uniform(&source, -3e4, 3e4);
        dpn_shape shape = {.symmetric = true, .scale = draw_log_uniform(&source, 0.1, 10)};
        shape.atoms = 1 + (size_t)trial % 5;
        long double sum = 0, error = 0, top = -INFINITY;
        for (size_t i = 0; i < shape.atoms; i++) {
            double value = draw_uniform(&source, 0, size);
            shape.atom[i] = (dpn_atom){value, base - theta * value + draw_uniform(&source, 0, 5)};
        }
        for (int side = 0; side < 2; side++) {
            double kappa = side ? -(1 + theta) : theta;
            for (size_t i = 0; i < shape.atoms; i++) {
                long double exponent = shape.atom[i].log_mass + (long double)kappa * shape.atom[i].value;
                top = fmaxl(top, exponent);
                sum += expl(exponent - base);
                error += expl(exponent - base) *
                         (1e-12 + 4 * DBL_EPSILON * (fabs(shape.atom[i].log_mass) + fabs(kappa * shape.atom[i].value)));
            }
        }
        total t = {-INFINITY, 0, 0};
        add_moment(&t, &shape, theta);
        add_moment(&t, &shape, -(1 + theta));
        assert_true(fabsl(t.top - top) <= 1e-8);
        near(t.sum, sum * expl(base - top), 1e-8, "sum");
        near(t.error, error * expl(base - top), 1e-8, "error of the sum");
        dpn_growth got = dpn_segments_closed(&shape, theta);
        long double mass = logl(sum / shape.scale) + base - top, cumulant = top + mass;
        near(got.value * theta, cumulant, 1e-9,
             "divergence"); /* plus the error of the density at zero, and of the logarithm's parts */
        long double parts = error / sum + 1e-12 + 4 * DBL_EPSILON * (1 + fabsl(top) + fabsl(mass));
        near(got.error, 1.5 * parts / fabsl(cumulant) + 2 * DBL_EPSILON, 1e-6, "error of the divergence");
        dpn_growth all = dpn_segments_total(&shape);
        long double plain = 0, lost = 0, highest = -INFINITY;
        for (int side = 0; side < 2; side++)
            for (size_t i = 0; i < shape.atoms; i++) {
                long double exponent = shape.atom[i].log_mass - side * (long double)shape.atom[i].value;
                highest = fmaxl(highest, exponent);
                plain += expl(exponent);
                lost += expl(exponent) *
                        (1e-12 + 4 * DBL_EPSILON * (fabs(shape.atom[i].log_mass) + side * shape.atom[i].value));
            }
        if (plain < 1e-300L || plain > 1e300L) continue;
        near(all.value, plain, 1e-10, "total");
        near(all.error, lost / plain + 4 * DBL_EPSILON * (1 + fabsl(highest)), 1e-6, "error of the total");
    }
}

static dpn_shape some_shape(draw_source *source, int trial) {
    dpn_shape shape = {.symmetric = true,
                       .segments = 1 + (size_t)trial % 3,
                       .atoms = (size_t)trial % 2,
                       .scale = draw_log_uniform(source, 0.1, 10)};
    double from = 0;
    for (size_t i = 0; i < shape.segments; i++) {
        dpn_segment *s = &shape.segment[i];
        bool last = i + 1 == shape.segments && trial % 5;
        s->length = last ? INFINITY : draw_uniform(source, 0.1, 3);
        s->log_density = (dpn_quadratic){
            {draw_uniform(source, -2, 0), draw_uniform(source, -1, 0.3), -draw_uniform(source, 0.1, 1)}};
        s->loss = (dpn_quadratic){{from, draw_uniform(source, 0.1, 0.8), last ? 0 : draw_uniform(source, 0, 0.1)}};
        from += 0.5;
    }
    shape.atom[0] = (dpn_atom){1.3, draw_uniform(source, -2, 0)};
    return shape;
}

/* The integral of f over a segment by 2000 cells of Simpson's rule. */
static long double simpson(const dpn_segment *s, double kappa) {
    enum { CELLS = 2000 };
    double end = isinf(s->length) ? 20 + 4 * fabs(kappa) : s->length;
    long double step = (long double)end / CELLS, sum = 0;
    for (int i = 0; i <= CELLS; i++)
        sum += (i == 0 || i == CELLS ? 1
                : i % 2              ? 4
                                     : 2) *
               expl(at(&s->log_density, i * step) + kappa * at(&s->loss, i * step));
    return sum * step / 3;
}

static long double moment(const dpn_shape *shape, double kappa) {
    long double sum = 0;
    for (size_t i = 0; i < shape->segments; i++) sum += simpson(&shape->segment[i], kappa);
    for (size_t i = 0; i < shape->atoms; i++)
        sum += expl(shape->atom[i].log_mass + (long double)kappa * shape->atom[i].value);
    return sum;
}

static void segments_are_added(void **state) {
    (void)state;
    draw_source source = {313};
    int closed = 0, points = 0;
    for (int trial = 0; trial < 120; trial++) {
        dpn_shape shape = some_shape(&source, trial);
        double theta = trial % 4 ? draw_log_uniform(&source, 0.05, 8) : draw_log_uniform(&source, 4, 20);
        dpn_growth all = dpn_segments_total(&shape);
        near(all.value, moment(&shape, 0) + moment(&shape, -1), 1e-9, "total");
        assert_true(all.error >= 1e-12 && all.error < 1e-12 + 200 * DBL_EPSILON);
        shape.scale = all.value;
        dpn_growth got = dpn_segments_closed(&shape, theta);
        long double cumulant = logl((moment(&shape, theta) + moment(&shape, -(1 + theta))) / shape.scale);
        if (!(fabsl(got.value * theta - cumulant) <= 1e-8))
            fail_msg("cumulant %.12g, not %.12Lg", got.value * theta, cumulant);
        assert_true(got.error * cumulant >= 1.5 * 2e-12 && got.error * cumulant <= 1.5 * (2e-12 + 4000 * DBL_EPSILON));
        /* Which way is taken. */
        dpn_growth taken = dpn_segments_divergence(&shape, theta), other = dpn_segments_quadrature(&shape, theta);
        const dpn_growth *right = theta * got.value >= 1 ? &got : &other;
        assert_true(taken.value == right->value && taken.error == right->error);
        closed += right == &got;
        points += right == &other;
        assert_true(fabs(got.value - other.value) <= got.error * got.value + other.error * other.value);
        dpn_growth first = dpn_segments_divergence(&shape, 0), same = dpn_segments_quadrature(&shape, 0);
        assert_true(first.value == same.value && first.error == same.error && first.error < 1e-10);
    }
    assert_true(closed > 30 && points > 30);
    /* Terms of an exponent that cancel still count for its error. */
    dpn_shape shape = {.symmetric = true, .segments = 1, .scale = 1};
    shape.segment[0] = (dpn_segment){.length = 1, .log_density = {{-4e6, 0.5, -0.1}}, .loss = {{2e6, 0.3, 0}}};
    dpn_growth got = dpn_segments_closed(&shape, 2);
    near(got.error * fabs(got.value * 2), 1.5 * 4 * DBL_EPSILON * 8e6, 0.01, "error by cancelled terms");
    shape.segment[0].length = 200; /* of a closed form, whose exponent has terms itself */
    shape.segment[0].log_density = (dpn_quadratic){{0, 2e4, -50}};
    shape.segment[0].loss = (dpn_quadratic){{1, 0.3, 0}};
    got = dpn_segments_closed(&shape, 2);
    near(got.error * got.value * 2, DBL_EPSILON * (1.5 * 4 * (6e6 + 2e6) + 2 * 2e6), 0.01,
         "error by the terms at the top");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_integral_is_exact),
        cmocka_unit_test(convex_integrals_of_all_slopes),
        cmocka_unit_test(atoms_are_added),
        cmocka_unit_test(segments_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
