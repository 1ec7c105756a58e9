/* The lower bound of docs/proofs/calibrate/box-optimal.md: the field F by its formula, its divergence by differences, at random points. */
#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 7, POINTS = 3000 };

static size_t largest(const double *y, size_t count) {
    size_t at = 0;
    for (size_t i = 1; i < count; i++)
        if (fabs(y[i]) > fabs(y[at])) at = i;
    return at;
}

static void field(double *out, const double *y, size_t count) {
    double n = (double)count - 1, t2 = fmin(1, (n + 2) / 3), q1 = n + 2 - 3 * t2, p1 = n + 2 + n * t2,
           t1 = (n + 1) * q1 / 3;
    size_t top = largest(y, count);
    double side = fabs(y[top]), s = -1;
    for (size_t i = 0; i < count; i++) s += y[i] * y[i] / (side * side);
    double first = side * side * (1 + s) + side * (p1 + q1 * s);
    for (size_t i = 0; i < count; i++) {
        double u = y[i] / side;
        out[i] = u * first + u * (1 - u * u) * (t2 * side * side + t1 * side);
    }
}

/* The largest component over that of the largest coordinate; *error is how far |F|_inf - div F is from |y|^2 - K(K+1)(K+2)/3, taking that component. */
static double look(double *error, draw_source *source, size_t count) {
    const double h = 1e-4;
    double y[MOST], f[MOST], near[MOST], divergence = 0, square = 0, most = 0, k = (double)count;
    bool apart;
    do { /* differences do not cross a wall */
        apart = true;
        for (size_t i = 0; i < count; i++) y[i] = draw_uniform(source, -4, 4);
        size_t top = largest(y, count);
        for (size_t i = 0; i < count; i++) apart = apart && (i == top || fabs(y[i]) < fabs(y[top]) - 1e-3);
    } while (!apart || fabs(y[largest(y, count)]) < 0.1);
    field(f, y, count);
    for (size_t i = 0; i < count; i++) {
        double at = y[i];
        square += at * at;
        y[i] = at + h;
        field(near, y, count);
        divergence += near[i] / (2 * h);
        y[i] = at - h;
        field(near, y, count);
        divergence -= near[i] / (2 * h);
        y[i] = at;
        most = fmax(most, fabs(f[i]));
    }
    double first = fabs(f[largest(y, count)]);
    *error = fabs(first - divergence - (square - k * (k + 1) * (k + 2) / 3));
    return most / first;
}

static void the_field_is_a_certificate(void **state) {
    (void)state;
    draw_source source = {17};
    for (size_t count = 1; count <= MOST; count++) {
        double above = 0;
        for (int i = 0; i < POINTS; i++) {
            double error;
            above = fmax(above, look(&error, &source, count));
            assert_true(error < 1e-4);
        }
        /* For seven answers the corner has |F_i| above F_1: near it, by 2 t1 > p1 + q1. */
        if (count <= 6) assert_true(above <= 1 + 1e-12);
    }
    double y[MOST] = {1e-3, 0.9e-3}, f[MOST];
    field(f, y, MOST);
    assert_true(f[1] > f[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_field_is_a_certificate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
