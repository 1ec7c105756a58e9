/* What the densities of powers add to the bound of a decay, against sums over fine grids of what it stands for (docs/proofs/privacy/contour.md, 5 c'). */
#include "privacy/loss/decay-power.c" /* to see each part */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_shape shape_of(double p, double weight) {
    dpn_shape shape = {.symmetric = true, .segments = 2};
    shape.segment[0] = (dpn_segment){.length = 0.5, .power = {p, weight, -1}};
    shape.segment[1] = (dpn_segment){.length = INFINITY, .power = {p, weight, 1}};
    return shape;
}

/* ---- the definition: the noise at the distance r from the centre, psi(s) = weight |s|^p, the neighbour one further ---- */

typedef struct law {
    double p, weight, kappa, top;
} law;

static double psi(const law *x, double t) {
    return x->weight * pow(fabs(t), x->p);
}

static double loss_at(const law *x, double r) {
    return psi(x, r + 0.5) - psi(x, r - 0.5);
}

static double slope_at(const law *x, double r) {
    double a = x->p - 1, t = r - 0.5;
    return x->p * x->weight * (pow(r + 0.5, a) - (t < 0 ? -1 : 1) * pow(fabs(t), a));
}

/* e^(kappa L - psi) in the unit e^top; of the mirror image with -1 - kappa. */
static double mass(const law *x, double kappa, double r) {
    return exp(kappa * loss_at(x, r) - psi(x, r - 0.5) - x->top);
}

/* ---- p > 2 ---- */

static void cuts_are_bounded(void **state) {
    (void)state;
    enum { POINTS = 600 };
    draw_source source = {121};
    double widest = 0, steepest = 0;
    for (int trial = 0; trial < 14; trial++) {
        law x = {draw_uniform(&source, 2.2, 5), draw_log_uniform(&source, 0.05, 20),
                 trial % 3 ? draw_uniform(&source, 0, 1.5) : draw_uniform(&source, -0.5, 0),
                 draw_uniform(&source, -1, 1)};
        double total = draw_log_uniform(&source, 0.2, 5);
        dpn_shape shape = shape_of(x.p, x.weight);
        const dpn_power *right = &shape.segment[1].power;
        x.top += dpn_power_tilted(right, x.kappa, dpn_power_top(right, x.kappa, 0, INFINITY));
        dpn_decay got = {0}, also = {0};
        add_cuts(&got, &shape, x.kappa, x.top, total);
        dpn_decay_add_powers(&also, &shape, trial % 2 ? x.kappa : -1 - x.kappa, x.top, total);
        assert_true(got.cuts == DPN_MAX_CUTS && also.cuts == DPN_MAX_CUTS && got.peaks == 0 && also.peaks == 0);
        double reach = fmax(fmax(1, 3 * pow(x.weight, -1 / x.p)), dpn_power_top(right, x.kappa, 0, INFINITY)),
               ratio = pow(10 * reach, 1.0 / 26);
        double before = -1;
        for (int i = 0; i < DPN_MAX_CUTS; i++) {
            double r = distance(place_of(&shape, i, ratio)), height = 1 / slope_at(&x, r), excess = 0, most = 0,
                   rise = 0;
            assert_true(r > before);
            before = r;
            for (int k = 0; k < POINTS && r > 0; k++) {
                double at = r * (k + 0.5) / POINTS, cut = 1 - slope_at(&x, at) * height;
                excess += cut * (mass(&x, x.kappa, at) + mass(&x, -1 - x.kappa, at)) * r / POINTS;
                most = fmax(most, mass(&x, x.kappa, at));
            }
            most = fmax(most, mass(&x, x.kappa, r));
            double unit = pow((0.5 + reach) / fmax(r, 1e-3), 1.0 / POINTS), high = mass(&x, x.kappa, r),
                   start = fmax(r, 1e-3);
            for (int k = 0; k < POINTS; k++) {
                double here = start * pow(unit, k), next = mass(&x, x.kappa, here * unit);
                rise += fmax(0, next - high) / slope_at(&x, here * sqrt(unit));
                high = next;
            }
            double sum = (most * height + rise) / total;
            excess /= total;
            const dpn_cut *cut = &got.cut[i];
            if (!(cut->excess >= excess * (1 - 1e-3) && cut->peaks >= sum * (1 - 3e-3)))
                fail_msg("p %g, cut at %g: %.9g of %.9g, %.9g of %.9g", x.p, r, cut->excess, excess, cut->peaks, sum);
            if (excess > 0.05 * got.cut[DPN_MAX_CUTS - 1].excess) widest = fmax(widest, cut->excess / excess);
            steepest = fmax(steepest, cut->peaks / sum);
            assert_true(i > 0 || cut->excess == 0);
            assert_true(fabs(also.cut[i].excess - cut->excess) <= 1e-9 * (1 + cut->excess));
            if (!(fabs(also.cut[i].peaks - cut->peaks) <= 1e-7 * cut->peaks))
                fail_msg("%g %g", also.cut[i].peaks, cut->peaks);
        }
        assert_true(fabs(before - 0.5 - reach) < 1e-9 * reach);
    }
    print_message("# at most %.3f times the excess, %.3f times the peaks\n", widest, steepest);
    assert_true(widest < 3.5 && steepest < 1.6);
}

/* One cell: by hand, the largest mass and the least slope of it. */
static void the_first_cell(void **state) {
    (void)state;
    const double p = 3, weight = 2, kappa = 0.4, top = 0.3, total = 1.7;
    dpn_shape shape = shape_of(p, weight);
    dpn_decay got = {0};
    add_cuts(&got, &shape, kappa, top, total);
    law x = {p, weight, kappa, top};
    /* From the centre to 1/8: the mass grows towards the middle of the law, the mirror image falls. */
    double cell = 0.125 * (mass(&x, kappa, 0.125) + mass(&x, -1 - kappa, 0)),
           left = 1 - slope_at(&x, 0) / slope_at(&x, 0.125);
    assert_true(fabs(got.cut[1].excess / (cell * left / total) - 1) <= 2.1 * DPN_DECAY_MARGIN);
    assert_true(got.cut[1].excess > cell * left / total);
    double next = 0.125 * (mass(&x, kappa, 0.25) + mass(&x, -1 - kappa, 0.125)), steep = slope_at(&x, 0.25);
    double both = cell * (1 - slope_at(&x, 0) / steep) + next * (1 - slope_at(&x, 0.125) / steep);
    assert_true(fabs(got.cut[2].excess / (both / total) - 1) <= 2.1 * DPN_DECAY_MARGIN);
}

/* ---- p < 2 ---- */

static double log_density_at(const law *x, double s) { /* right of the middle */
    return x->kappa * loss_at(x, s + 0.5) - psi(x, s) - log(slope_at(x, s + 0.5));
}

static void largest_densities_are_bounded(void **state) {
    (void)state;
    draw_source source = {122};
    for (int trial = 0; trial < 60; trial++) {
        law x = {draw_uniform(&source, 1.05, 1.95), draw_log_uniform(&source, 0.05, 20),
                 trial % 3 ? draw_uniform(&source, 0, 2) : draw_uniform(&source, -0.5, 0),
                 draw_uniform(&source, -1, 1)};
        double total = draw_log_uniform(&source, 0.2, 5);
        dpn_shape shape = shape_of(x.p, x.weight);
        const dpn_power *right = &shape.segment[1].power;
        double most = 0, mirror = 0, least = INFINITY, left = 0, centre = 0, steep = INFINITY;
        for (double s = 1e-9; s < 1e4; s *= 1.002) {
            double here = exp(log_density_at(&x, s) - x.top);
            most = fmax(most, here);
            mirror = fmax(mirror, here * exp(-(1 + 2 * x.kappa) * loss_at(&x, s + 0.5)));
            least = fmin(least, loss_at(&x, s + 0.5));
            if (s < 50 && s > 0.01) {
                double h = 1e-5 * s, slope = (log_density_at(&x, s + h) - log_density_at(&x, s - h)) / (2 * h);
                assert_true(fabs(log_density(right, x.kappa, s) - log_density_at(&x, s)) <
                            1e-9 * (1 + fabs(log_density_at(&x, s))));
                if (!(fabs(log_density_slope(right, x.kappa, s) - slope) <= 1e-4 * (1 + fabs(slope))))
                    fail_msg("slope %.9g, not %.9g", log_density_slope(right, x.kappa, s), slope);
            }
        }
        for (int k = 0; k <= 4000; k++) { /* left of the middle */
            double r = 0.5 * k / 4000;
            left = fmax(left, mass(&x, x.kappa, r));
            centre = fmax(centre, mass(&x, -1 - x.kappa, r));
            if (k < 4000) steep = fmin(steep, slope_at(&x, r));
        }
        double got = largest_density(right, x.kappa, x.top);
        if (!(got >= most * (1 - 1e-9) && got <= most * 1.0102))
            fail_msg("p %g, kappa %g: %.9g, seen %.9g", x.p, x.kappa, got, most);
        double peaks = falling_peaks(&shape, x.kappa, x.top);
        assert_true(steep >= x.p * x.weight * (1 - 1e-12) && least >= x.weight * (1 - 1e-6) &&
                    least <= x.weight * 1.001);
        double by_middle =
            got * (1 + exp(-(1 + 2 * x.kappa) * x.weight)) + (centre + (x.kappa < 0 ? left : 0)) / (x.p * x.weight);
        if (!(fabs(peaks / by_middle - 1) < 1e-5)) fail_msg("kappa %g: %.9g, not %.9g", x.kappa, peaks, by_middle);
        assert_true(peaks >= most + mirror);
        dpn_decay decay = {.peaks = 0.25};
        dpn_decay_add_powers(&decay, &shape, trial % 2 ? x.kappa : -1 - x.kappa, x.top, total);
        double added = (decay.peaks - 0.25) * total / peaks;
        assert_true(added >= 1 && added <= 1 + 2.1 * DPN_DECAY_MARGIN && decay.cuts == 0 && decay.edges == 0);
    }
}

/* Where no point on either side of the peak is found among numbers of a reasonable size there is no bound. */
static void out_of_reach(void **state) {
    (void)state;
    const dpn_power flat = {1.5, 1e-280, 1}, steep = {1.999, 1e290, 1};
    assert_true(largest_density(&flat, 1e280, 0) == INFINITY);
    assert_true(largest_density(&steep, 0, 0) == INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_are_bounded),
        cmocka_unit_test(the_first_cell),
        cmocka_unit_test(largest_densities_are_bounded),
        cmocka_unit_test(out_of_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
