/* The bound of a random box from below, piece by piece: masses against the density itself, convolutions term by term, and each error that is subtracted. */
#include "privacy/compose/box-lower.h"
#include "privacy/compose/box-lower.c" /* to see each piece */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SAMPLES = 100000 };

static void near(double found, double wanted, double share, const char *what) {
    if (!(fabs(found - wanted) <= share * fabs(wanted))) fail_msg("%s: %.17g, not %.17g", what, found, wanted);
}

/* Gaussian of the variance side/beta, cut to [-side, side]: the density of y at the middles of equal pieces, as shares. */
static double share_at(const dpn_box_group *group, double side, int k, double *y) {
    *y = side * ((2 * k + 1.0) / SAMPLES - 1);
    return exp(-group->beta * *y * *y / (2 * side)) * 2 * side / SAMPLES;
}

/* E y^2 and P(y < limit). */
static double square_of(const dpn_box_group *group, double side) {
    double all = 0, sum = 0, y;
    for (int k = 0; k < SAMPLES; k++) {
        double mass = share_at(group, side, k, &y);
        all += mass;
        sum += mass * y * y;
    }
    return sum / all;
}

static void masses_below(void **state) {
    (void)state;
    for (double beta = 0.01; beta < 9; beta *= 5)
        for (double side = 0.5; side < 9; side *= 3) {
            dpn_box_group group = {1, beta, 1};
            double root = sqrt(0.5 * beta * side), whole = erf(root), all = 0, sum = 0, y;
            for (int k = 0; k < SAMPLES; k++) all += share_at(&group, side, k, &y);
            for (int k = 0; k < SAMPLES; k++) {
                double mass = share_at(&group, side, k, &y);
                if (k % 9999 == 0) assert_true(fabs(below(y - side / SAMPLES, side, root, whole) - sum / all) < 1e-8);
                sum += mass;
            }
            assert_true(below(-side, side, root, whole) == 0 && below(-9 * side, side, root, whole) == 0);
            assert_true(below(side, side, root, whole) == 1 && below(9 * side, side, root, whole) == 1);
            assert_true(below(0, side, root, whole) == 0.5);
        }
    assert_true(below(1, 4, 1e-7, erf(1e-7)) == 0.625 && below(-2, 4, 1e-9, 0) == 0.25); /* as good as even */
    near(below(1, 4, 1.0001e-6, erf(1.0001e-6)), 0.625, 1e-12, "nearly even");
}

static void likeliest_sizes(void **state) {
    (void)state;
    double weight[5] = {-3, -1, -2, -1, -4};
    dpn_box_sizes z = {.sizes = 5, .log_weight = weight};
    assert_true(top_size(&z) == 1);
    weight[4] = -0.5;
    assert_true(top_size(&z) == 4);
    z.sizes = 1;
    assert_true(top_size(&z) == 0);
    dpn_box_group group = {2, 0.6, 3};
    near(lam(&group, 3), 0.3 / 30, 1e-15, "lam");
}

/* Four cells in the widest deviation; twice as many residues only where they are needed. */
static void cells_are_as_wide_as_they_should(void **state) {
    (void)state;
    dpn_box_group group[2] = {{1, 0.3, 5}, {2.5, 0.1, 40}};
    static const double factors[] = {0.001, 1, 20, 3000};
    for (int i = 0; i < 4; i++)
        for (double top = 2; top < 30; top *= 3) {
            group[1].times = 40 * factors[i];
            dpn_box_sizes z = {.groups = 2, .group = group};
            sums s = {.z = &z, .rho = 0.6 * top};
            double widest = 0, variance = 0, mean = 0;
            for (int g = 0; g < 2; g++) {
                double r = group[g].c + 0.6 * top, factor = 0.5 * group[g].beta / (r * (r + 1)),
                       square = square_of(&group[g], group[g].c + top);
                double deviation = factor * 2 * r * sqrt(square);
                widest = fmax(widest, deviation);
                variance += group[g].times * deviation * deviation;
                mean += group[g].times * factor * square;
            }
            choose(&s, top);
            near(s.h, widest / 4, 1e-6, "cells");
            double needed = (24 * sqrt(variance) + 3 * mean) / s.h;
            assert_true(s.log2 >= 8 && s.log2 <= 13);
            if (s.log2 < 13) assert_true(ldexp(1, s.log2) >= needed * (1 - 1e-6));
            if (s.log2 > 8) assert_true(ldexp(1, s.log2 - 1) < needed * (1 + 1e-6));
        }
}

/* The rounded statistic of one coordinate, residue by residue, before the move and after it. */
static void masses_of_residues(void **state) {
    (void)state;
    static double real[1 << 13], wanted[1 << 13];
    for (int i = 0; i < 12; i++) {
        dpn_box_group group = {1 + 0.7 * (i % 3), i % 2 ? 0.3 : 2, 1};
        double size = i, move = i % 4 / 2, h = i < 6 ? 0.02 : 0.003, all = 0, y, total = 0;
        sums s = {.rho = 0.6 * i + 0.5, .h = h, .log2 = i % 3 ? 8 : 6, .real = real, .mass_error = i == 3 ? 1 : 0};
        size_t length = (size_t)1 << s.log2;
        double r = group.c + s.rho, side = group.c + size, factor = 0.5 * group.beta / (r * (r + 1));
        memset(wanted, 0, sizeof wanted);
        for (int k = 0; k < SAMPLES; k++) {
            double mass = share_at(&group, side, k, &y), v = y + move + r;
            wanted[(size_t)floor(factor * v * v / h) % length] += mass;
            all += mass;
        }
        real[0] = real[length - 1] = 77;
        assert_true(fill_masses(&s, &group, size, move));
        for (size_t m = 0; m < length; m++) {
            total += real[m];
            if (!(fabs(real[m] - wanted[m] / all) <= 2e-4))
                fail_msg("case %d: residue %zu has %g, not %g", i, m, real[m], wanted[m] / all);
        }
        assert_true(fabs(total - 1) < 1e-12);
        /* Each cell has two pieces with two ends. */
        double cells = ceil((side + r + move) * (side + r + move) * factor / h) + 1;
        near(s.mass_error, i == 3 ? 1 : 4 * cells * 1e-15, 1e-9, "what masses may err by");
    }
    dpn_box_group group = {1, 1, 1};
    sums s = {.rho = 1, .log2 = 6, .real = real};
    double factor = 0.5 / 6, most = 4; /* as far as v goes */
    s.h = factor * most * most / (65535 - 0.5);
    assert_true(fill_masses(&s, &group, 1, 0));
    s.h = factor * most * most / (65536 + 0.5);
    assert_false(fill_masses(&s, &group, 1, 0));
}

/* ---- the answer ---- */

enum { RESIDUES = 256 };

static void convolve(double *out, const double *a, const double *b) {
    double sum[RESIDUES] = {0};
    for (int i = 0; i < RESIDUES; i++)
        for (int k = 0; k < RESIDUES; k++) sum[(i + k) % RESIDUES] += a[i] * b[k];
    memcpy(out, sum, sizeof sum);
}

/* The probabilities of all residues, of the hidden sizes that count. */
static void residues(double *out, const dpn_box_sizes *z, double rho, double h, int which) {
    double real[RESIDUES];
    memset(out, 0, RESIDUES * sizeof *out);
    for (size_t j = 0; j < z->sizes; j++) {
        double product[RESIDUES] = {1};
        if (z->log_weight[j] <= -36) continue;
        for (size_t g = 0; g < z->groups; g++) {
            sums s = {.rho = rho, .h = h, .log2 = 8, .real = real};
            assert_true(fill_masses(&s, &z->group[g], (double)j, which));
            for (int k = 0; k < (int)z->group[g].times; k++) convolve(product, product, real);
        }
        for (int m = 0; m < RESIDUES; m++) out[m] += exp(z->log_weight[j]) * product[m];
    }
}

static void answers(void **state) {
    (void)state;
    dpn_box_group group[2] = {{1, 0.3, 2}, {2, 0.2, 1}};
    static const double left_out[] = {1e-20, 1e-4};
    for (int i = 0; i < 2; i++)
        for (double epsilon = -0.6; epsilon < 1.4; epsilon += 0.25) {
            double weight[4] = {log(0.5), log(0.3), log(0.2), i ? -36.5 : -1e3};
            dpn_box_sizes z = {
                .groups = 2, .group = group, .sizes = 4, .log_weight = weight, .log_rest = log(left_out[i])};
            double p[RESIDUES], q[RESIDUES], sum_p = 0, sum_q = 0, factor = exp(epsilon), rho = 1.2;
            sums s = {.z = &z, .rho = rho};
            choose(&s, 1);
            assert_int_equal(s.log2, 8);
            residues(p, &z, rho, s.h, 0);
            residues(q, &z, rho, s.h, 1);
            for (int m = 0; m < RESIDUES; m++)
                if (p[m] > factor * q[m]) {
                    sum_p += p[m];
                    sum_q += q[m];
                }
            /* Transforms of 256, powers, weights; masses of the coordinate with most cells. */
            double side = 4, r = 2 + rho, cells = 0, each = dpn_fft_error(8);
            for (int g = 0; g < 2; g++) {
                side = group[g].c + 2;
                r = group[g].c + rho;
                cells = fmax(cells, ceil((side + r + 1) * (side + r + 1) * lam(&group[g], rho) / s.h) + 1);
            }
            double error =
                16 * 2 * (3 * (each + 64 * DPN_FFT_PRODUCT_ERROR) + each + 4 * 0x1p-52) + 3 * 4 * cells * 1e-15;
            double gone = left_out[i] + (i ? exp(-36.5) : 0);
            double subtracted = 1e-10 * (sum_p + factor * sum_q) + (1 + factor) * error + factor * gone;
            double found = at_place(&z, rho, 1, epsilon), wanted = sum_p - factor * sum_q - subtracted;
            if (!(fabs(found - fmax(0, wanted)) <= 1e-3 * subtracted + 2e-15))
                fail_msg("epsilon %g: %.17g, not %.17g; %g is subtracted", epsilon, found, wanted, subtracted);
        }
}

/* The best of the four places, and nothing where there is none. */
static void the_best_place(void **state) {
    (void)state;
    dpn_box_sizes z;
    dpn_error why;
    double c[9], beta[9];
    for (int i = 0; i < 9; i++) {
        c[i] = 1 + 0.1 * i;
        beta[i] = 0.3 + 0.1 * i;
    }
    assert_int_equal(dpn_box_sizes_make(&z, 1.2, c, beta, 0, 3, -60, &why), DPN_OK);
    double top = top_size(&z);
    static const double shares[] = {0.4, 0.6, 0.8, 1};
    for (double epsilon = -0.4; epsilon < 2; epsilon += 0.4) {
        double best = 0;
        for (int i = 0; i < 4; i++) best = fmax(best, at_place(&z, shares[i] * top, top, epsilon));
        assert_true(dpn_box_delta_lower(&z, epsilon) == best && (best > 0 || epsilon > 1));
    }
    assert_true(dpn_box_delta_lower(&z, 599) == 0 && dpn_box_delta_lower(&z, 600) == 0);
    assert_true(dpn_box_delta_lower(&z, INFINITY) == 0 && dpn_box_delta_lower(&z, NAN) == 0);
    assert_true(dpn_box_delta_lower(&z, -INFINITY) <= 1 && dpn_box_delta_lower(&z, -INFINITY) >= 0.999);
    dpn_box_sizes_free(&z);
    for (size_t count = 8; count < 10; count++) { /* as many different coordinates */
        assert_int_equal(dpn_box_sizes_make(&z, 1.2, c, beta, 0, count, -60, &why), DPN_OK);
        assert_int_equal(z.groups, count);
        assert_int_equal(dpn_box_delta_lower(&z, 0.1) > 0, count == 8);
        dpn_box_sizes_free(&z);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_below),
        cmocka_unit_test(likeliest_sizes),
        cmocka_unit_test(cells_are_as_wide_as_they_should),
        cmocka_unit_test(masses_of_residues),
        cmocka_unit_test(answers),
        cmocka_unit_test(the_best_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
