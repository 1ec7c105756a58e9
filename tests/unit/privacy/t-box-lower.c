/* What a random box loses at least: against the integral of its density on the plane, and against the bound from above. */
#include "privacy/compose/box-lower.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_box_sizes sizes_of(double alpha, const double *c, const double *beta, double one_beta, size_t count) {
    dpn_box_sizes z;
    dpn_error why;
    if (dpn_box_sizes_make(&z, alpha, c, beta, one_beta, count, -60, &why)) fail_msg("%s", why.sentence);
    return z;
}

/* ---- two coordinates on the plane ---- */

enum { SIZES = 40, CELLS = 8, HALF_SIDE = 16, SIDE = 2 * HALF_SIDE * CELLS };

/* The density in the middles of cells of 1/8. */
static void fill_plane(double *density, double alpha, const double *c, const double *beta) {
    double total = 0;
    memset(density, 0, (size_t)SIDE * SIDE * sizeof *density);
    for (int j = 0; j < SIZES; j++) {
        double axis[2][SIDE], weight = exp(-alpha * j);
        for (int i = 0; i < 2; i++) {
            double s = c[i] + j;
            total += i == 0 ? 0
                            : weight * 2 * acos(-1) * sqrt((c[0] + j) * s / beta[0] / beta[1]) *
                                  erf(sqrt(beta[0] * (c[0] + j) / 2)) * erf(sqrt(beta[1] * s / 2));
            for (int k = 0; k < SIDE; k++) {
                double y = (k + 0.5) / CELLS - HALF_SIDE;
                axis[i][k] = fabs(y) <= s ? exp(-beta[i] * y * y / (2 * s)) : 0;
            }
        }
        for (int k = 0; k < SIDE * SIDE; k++) density[k] += weight * axis[0][k / SIDE] * axis[1][k % SIDE];
    }
    for (int k = 0; k < SIDE * SIDE; k++) density[k] /= total;
}

static double delta_on_plane(const double *density, double epsilon) {
    double sum = 0;
    for (int a = 0; a < SIDE; a++)
        for (int b = 0; b < SIDE; b++) {
            double there = a >= CELLS && b >= CELLS ? density[(a - CELLS) * SIDE + b - CELLS] : 0;
            sum += fmax(0, density[a * SIDE + b] - exp(epsilon) * there) / (CELLS * CELLS);
        }
    return sum;
}

/* Sides of boxes lie on the edges of cells. */
static void below_the_integral(void **state) {
    (void)state;
    static const double c[2][2] = {{1, 1}, {0.75, 2.5}}, beta[2][2] = {{0.3, 0.3}, {0.5, 0.2}};
    static double density[SIDE * SIDE];
    for (int k = 0; k < 2; k++) {
        dpn_box_sizes z = sizes_of(1.2, c[k], beta[k], 0, 2);
        fill_plane(density, 1.2, c[k], beta[k]);
        for (double epsilon = -0.5; epsilon < 1.3; epsilon += 0.4) {
            double lower = dpn_box_delta_lower(&z, epsilon), known = delta_on_plane(density, epsilon);
            print_message("# at %g: at least %g, it is %g\n", epsilon, lower, known);
            if (!(lower <= known * 1.01 + 1e-4 && lower >= 0.4 * known - 1e-3))
                fail_msg("box %d at %g: at least %g, it is %g", k, epsilon, lower, known);
        }
        dpn_box_sizes_free(&z);
    }
}

/* ---- many coordinates: not far below the bound from above ---- */

static void near_the_upper_end(void **state) {
    (void)state;
    static const struct {
        size_t count;
        double alpha, beta, epsilon, delta, share; /* of delta that is found at least */
    } row[] = {{50, 0.626967, 0.050458, 1, 1e-6, 0.4},
               {100, 0.480701, 0.064209, 1, 1e-6, 0.4},
               {50, 2.136536, 0.100731, 3, 1e-6, 0.2}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_loss loss;
        dpn_delta upper;
        dpn_box_sizes z = sizes_of(row[i].alpha, NULL, NULL, row[i].beta, row[i].count);
        double lower = dpn_box_delta_lower(&z, row[i].epsilon);
        assert_int_equal(dpn_loss_random_box(&loss, row[i].alpha, NULL, NULL, row[i].beta, row[i].count, NULL), DPN_OK);
        assert_int_equal(loss.kind->repeated(&upper, &loss, 1, row[i].epsilon, 1e-6, NULL), DPN_OK);
        print_message("# %zu coordinates: at least %g, at most %g\n", row[i].count, lower, upper.upper);
        if (!(lower <= upper.upper && lower >= row[i].share * row[i].delta))
            fail_msg("%zu coordinates: at least %g, at most %g", row[i].count, lower, upper.upper);
        dpn_box_sizes_free(&z);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(below_the_integral), cmocka_unit_test(near_the_upper_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
