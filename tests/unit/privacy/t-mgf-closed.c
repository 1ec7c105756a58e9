/* Transforms of segments in closed form against sums of very many points, in every branch. */
#include "privacy/loss/mgf-closed.c" /* to see each branch */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The integral of e^(A + B s + C s^2) by rules of 8 points on many panels, and that of its size. */
static double complex by_sum(const complex_quadratic *q, double end, double *size) {
    enum { PANELS = 400 };
    static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363},
                        weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    double complex sum = 0;
    *size = 0;
    for (int i = 0; i < PANELS; i++)
        for (int k = 0; k < 8; k++) {
            double s = end * (i + 0.5 + (k % 2 ? 0.5 : -0.5) * node[k / 2]) / PANELS;
            double complex value = cexp(q->A + q->B * s + q->C * s * s);
            sum += 0.5 * end / PANELS * weight[k / 2] * value;
            *size += 0.5 * end / PANELS * weight[k / 2] * cabs(value);
        }
    return sum;
}

static void near_enough(double complex got, double complex truth, double size, const char *what) {
    if (!(cabs(got - truth) <= 1e-13 * size)) fail_msg("%s: off by %g of %g", what, cabs(got - truth), size);
}

static void integrals_of_each_kind(void **state) {
    (void)state;
    draw_source source = {201};
    size_t turned[3] = {0};
    for (int trial = 0; trial < 600; trial++) {
        complex_quadratic q = {draw_uniform(&source, -2, 2) + I * draw_uniform(&source, -3, 3),
                               draw_uniform(&source, -6, 6) + I * draw_uniform(&source, -15, 15),
                               -draw_log_uniform(&source, 0.05, 4) + I * draw_uniform(&source, -4, 4),
                               draw_uniform(&source, 0.3, 4)};
        double size;
        double complex r = csqrt(-q.C), from = -q.B / (2 * r), to = from + r * q.length;
        turned[creal(from) >= 0 ? 0 : creal(to) < 0 ? 1 : 2]++;
        double complex truth = by_sum(&q, q.length, &size);
        near_enough(gaussian_integral(&q), truth, size, "a quadratic");
        complex_quadratic endless = q;
        endless.length = INFINITY;
        double end = (fabs(creal(q.B)) + sqrt(creal(q.B) * creal(q.B) - 160 * creal(q.C))) / (-2 * creal(q.C));
        if (end < 8) {
            truth = by_sum(&q, end, &size);
            near_enough(gaussian_integral(&endless), truth, size, "an endless quadratic");
        }
        q.C = 0;
        truth = by_sum(&q, q.length, &size);
        if (cabs(q.B) > 0.5)
            near_enough(linear_integral(&q), truth, size * (1 + 4 / (cabs(q.B) * q.length)), "a straight one");
        complex_quadratic weak = {q.A, q.B * (1.9 / q.length / cabs(q.B)) * draw_uniform(&source, 0, 0.5),
                                  draw_uniform(&source, -1, 1) * 0.9 / (q.length * q.length), q.length};
        truth = by_sum(&weak, weak.length, &size);
        near_enough(by_points(&weak), truth, size, "a weak one");
    }
    for (int i = 0; i < 3; i++) assert_true(turned[i] > 30);
}

/* Each segment at z and, for its mirror image, at -1 - z; each atom likewise. */
static void transforms_are_sums_over_segments(void **state) {
    (void)state;
    draw_source source = {202};
    for (int trial = 0; trial < 100; trial++) {
        dpn_shape shape = {.symmetric = true, .segments = 3, .atoms = 2};
        for (int i = 0; i < 3; i++) {
            double scale = i == 0 ? 0.05 : 1; /* the first is weak */
            shape.segment[i] =
                (dpn_segment){.length = draw_uniform(&source, 0.3, 2),
                              .log_density = {{draw_uniform(&source, -1, 1), scale * draw_uniform(&source, -3, 1),
                                               -scale * draw_uniform(&source, 0, 2)}},
                              .loss = {{draw_uniform(&source, 0, 1), scale * draw_uniform(&source, 0.2, 3),
                                        i == 2 ? draw_uniform(&source, 0, 1) : 0}}};
            if (trial % 3 == 0 && i == 1) shape.segment[i].log_density.c[2] = 0;
        }
        for (int i = 0; i < 2; i++)
            shape.atom[i] = (dpn_atom){draw_uniform(&source, 0, 2), draw_uniform(&source, -3, 0)};
        double theta = draw_uniform(&source, -1, 2), omega = draw_uniform(&source, -20, 20),
               top = draw_uniform(&source, -2, 2), size = 0;
        double complex z = theta + I * omega, truth = 0, atoms = 0;
        for (int side = 0; side < 2; side++) {
            double complex kappa = side ? -1 - z : z;
            for (int i = 0; i < 3; i++) {
                const dpn_segment *x = &shape.segment[i];
                complex_quadratic q = {x->log_density.c[0] + kappa * x->loss.c[0] - top,
                                       x->log_density.c[1] + kappa * x->loss.c[1],
                                       x->log_density.c[2] + kappa * x->loss.c[2], x->length};
                double own;
                truth += by_sum(&q, x->length, &own);
                size += own;
            }
            for (int i = 0; i < 2; i++) atoms += exp(shape.atom[i].log_mass - top) * cexp(kappa * shape.atom[i].value);
        }
        near_enough(dpn_mgf_segments(&shape, z, top), truth, 6 * size, "segments");
        assert_true(cabs(dpn_mgf_atoms(&shape, z, top) - atoms) <= 1e-14 * exp(7 - top));
    }
    dpn_shape none = {.atoms = 1}, powers = {.segments = 2}, closed = {.segments = 1};
    powers.segment[0].power.p = 1.5;
    assert_true(!dpn_mgf_is_closed(&none) && !dpn_mgf_is_closed(&powers) && dpn_mgf_is_closed(&closed));
    assert_true(dpn_mgf_segments(&none, 1, 0) == 0 && dpn_mgf_atoms(&closed, 1, 0) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_of_each_kind),
        cmocka_unit_test(transforms_are_sums_over_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
