/* Losses on a lattice, piece by piece: which are on one, what comes before epsilon, kernels, and bounds of characteristic functions against sums over all points. */
#include "privacy/compose/contour-lattice.h"
#include "privacy/compose/contour-lattice.c" /* to see each piece */

#include "case.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_part law_part(const char *text, double shift, uint64_t times) {
    dpn_law law = case_law(text);
    dpn_part part = {.times = times};
    if (dpn_loss_law(&part.loss, &law, shift, NULL)) fail();
    return part;
}

static dpn_part pure_part(double epsilon, uint64_t times) {
    dpn_part part = {.times = times};
    if (dpn_loss_pure(&part.loss, epsilon, NULL)) fail();
    return part;
}

static void make_sum(dpn_sum *sum, const dpn_part *part, size_t parts) {
    dpn_error why;
    if (dpn_sum_make(sum, part, parts, false, &why)) fail_msg("%s", why.sentence);
}

static dpn_lattice lattice_of(const dpn_part *part, size_t parts, double epsilon) {
    dpn_sum sum;
    make_sum(&sum, part, parts);
    dpn_lattice lattice = dpn_lattice_find(&sum, epsilon);
    dpn_sum_free(&sum);
    return lattice;
}

/* ---- which losses are ---- */

/* A lattice with this step that holds `point`, seen from epsilon: in units of the step. */
static void check_lattice(const dpn_part *part, size_t parts, double step, double point, double epsilon) {
    dpn_lattice lattice = lattice_of(part, parts, epsilon);
    if (!(fabs(lattice.step - step) <= 4 * DBL_EPSILON * step)) fail_msg("step %.17g, not %.17g", lattice.step, step);
    double whole = (epsilon + lattice.gap - point) / step;
    if (!(lattice.gap >= 0 && lattice.gap <= lattice.step && fabs(whole - round(whole)) < 1e-9))
        fail_msg("epsilon %g: a gap of %.17g with steps of %g, a point at %g", epsilon, lattice.gap, step, point);
}

static void lattices_hold_the_values(void **state) {
    (void)state;
    for (double epsilon = 0; epsilon < 3; epsilon += 0.173) {
        dpn_part pure[3] = {pure_part(0.25, 3), pure_part(0.5, 2), pure_part(1, 1)};
        check_lattice(pure, 1, 0.5, 3 * 0.25, epsilon);
        check_lattice(pure, 2, 0.5, 3 * 0.25 + 2 * 0.5, epsilon);
        check_lattice(pure, 3, 0.5, 3 * 0.25 + 2 * 0.5 + 1, epsilon);
        check_lattice(pure + 1, 2, 1, 1 + 2 * 0.5, epsilon);
        /* (2k + D)/scale, k = -D .. 0 */
        dpn_part whole = law_part("discrete-laplace(scale=3)", 2, 5);
        check_lattice(&whole, 1, 2.0 / 3, 5 * 2.0 / 3, epsilon);
        /* D (2k + D)/(2 sigma^2) */
        dpn_part round = law_part("discrete-gaussian(sigma=4)", 3, 1);
        check_lattice(&round, 1, 3.0 / 16, 9.0 / 32, epsilon);
        dpn_part stairs = law_part("staircase(epsilon=0.5,sensitivity=1,gamma=0.3)", 1, 4);
        check_lattice(&stairs, 1, 0.5, 0, epsilon);
        dpn_part both[2] = {stairs, pure[0]};
        check_lattice(both, 2, 0.5, 0.25 * 3, epsilon);
    }
    /* A lattice point at epsilon itself is no step away. */
    dpn_part pure = pure_part(0.25, 3);
    assert_true(lattice_of(&pure, 1, 0.25).gap == 0);
    assert_true(fabs(lattice_of(&pure, 1, 0.24).gap - 0.01) < 1e-15);
    assert_true(fabs(lattice_of(&pure, 1, 0.26).gap - 0.49) < 1e-15);
}

static void others_are_on_none(void **state) {
    (void)state;
    static const double value[] = {-0.5, 0.5}, probability[] = {0.3, 0.7};
    dpn_part part[2] = {pure_part(0.25, 3), law_part("laplace(scale=1)", 1, 1)};
    assert_true(lattice_of(part, 2, 1).step == 0);
    part[1] = law_part("gaussian(sigma=1)", 1, 1); /* which the sum keeps aside */
    assert_true(lattice_of(part, 2, 1).step == 0);
    if (dpn_loss_explicit(&part[1].loss, value, probability, 2, NULL)) fail();
    assert_true(lattice_of(part, 2, 1).step == 0);
    assert_true(lattice_of(part, 0, 1).step == 0);
    part[1] = pure_part(0.25 * (1 + 1e-14), 1); /* next to a whole multiple */
    assert_true(lattice_of(part, 2, 1).step == 0);
    part[1] = pure_part(0.3, 1);
    assert_true(lattice_of(part, 2, 1).step == 0);
    part[1] = pure_part(0.25 * 1e6, 1);
    assert_true(lattice_of(part, 2, 1).step == 0.5);
    part[1] = pure_part(0.25 * (1e6 + 1), 1); /* too many points */
    assert_true(lattice_of(part, 2, 1).step == 0);
    part[1] = part[0];
    part[0] = pure_part(0.25 * (1e6 + 1), 1); /* in either order */
    assert_true(lattice_of(part, 2, 1).step == 0);
}

static void wide_gaussians_are_folded(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double shift, other; /* a pure loss beside it, if not 0 */
        bool folded;
    } row[] = {{"discrete-gaussian(sigma=8)", 3, 0, true},
               {"discrete-gaussian(sigma=7.99)", 3, 0, false},
               {"discrete-gaussian(sigma=16)", 2, 2.0 / 256 / 2, true},
               {"discrete-gaussian(sigma=16)", 2, 1.0 / 256 / 2, false}, /* the lattice is finer */
               {"discrete-laplace(scale=20)", 3, 0, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_part part[2] = {law_part(row[i].text, row[i].shift, 6)};
        size_t parts = 1;
        if (row[i].other > 0) part[parts++] = pure_part(row[i].other, 2);
        dpn_sum sum;
        make_sum(&sum, part, parts);
        dpn_lattice lattice = dpn_lattice_find(&sum, 0.1);
        assert_true(lattice.step > 0);
        sum.goal = 1;
        dpn_lattice_fold(&sum, &lattice);
        double ratio = row[i].shift / dpn_psi_gaussian(&part[0].loss.law),
               square = row[i].folded ? 6 * ratio * ratio : 0;
        assert_int_equal(sum.terms, parts - row[i].folded);
        assert_true(fabs(sum.gaussian - square) <= 1e-15 * square && sum.goal == 0);
        if (sum.terms > 0) assert_ptr_equal(sum.term[0].loss, &part[row[i].folded ? 1 : 0].loss);
        dpn_sum_free(&sum);
        make_sum(&sum, part, parts);
        dpn_lattice none = {0, 0};
        dpn_lattice_fold(&sum, &none);
        assert_int_equal(sum.terms, parts);
        dpn_sum_free(&sum);
    }
}

/* What folding leaves out: discrete noise next to the Gaussian value, up to where the bound is said to hold. */
static void folded_noise_is_gaussian(void **state) {
    (void)state;
    dpn_lattice lattice = {3.0 / 64, 0};
    double most = dpn_lattice_smooth(&lattice);
    assert_true(most < 0.5 * acos(-1) / lattice.step && most > 0.4 * acos(-1) / lattice.step);
    for (double omega = 0.1; omega < 2 * most; omega *= 1.3) { /* sigma = 8, D = 3 */
        long double re = 0, im = 0, all = 0, loss;
        for (int k = -120; k <= 120; k++) {
            long double mass = expl(-k * k / 128.0L);
            loss = 3.0L * (2 * k + 3) / 128;
            all += mass;
            re += mass * cosl(omega * loss);
            im += mass * sinl(omega * loss);
        }
        double x = fmin(omega, most), bound = exp(-0.5 * 9.0 / 64 * x * x);
        assert_true((double)(hypotl(re, im) / all) <= bound * (1 + 1e-9) + 1e-17);
        if (omega < most) assert_true((double)(hypotl(re, im) / all) >= bound * (1 - 1e-9) - 1e-17);
    }
}

/* ---- the kernel ---- */

static void no_digits_are_lost_near_0(void **state) {
    (void)state;
    for (double x = -3; x < 3; x += 0.37)
        for (double size = 1e-12; size < 4; size *= 30)
            for (double turn = 0; turn < 6; turn += 0.7) {
                double re = x * size, im = size * turn;
                /* (1 - cos y) + cos y (1 - e^-x) + i e^-x sin y */
                long double s = sinl(0.5L * im), c = 1 - 2 * s * s;
                long double wanted_re = 2 * s * s - c * expm1l(-(long double)re),
                            wanted_im = expl(-(long double)re) * sinl(im);
                double complex found = one_minus_exp(re + I * im);
                long double sizes = 2 * s * s + fabsl(c * expm1l(-(long double)re));
                assert_true(fabsl(creal(found) - wanted_re) <= 4e-16L * sizes + 1e-300L);
                assert_true(fabsl(cimag(found) - wanted_im) <= 4e-16L * fabsl(wanted_im));
            }
}

/* For small steps the bound of the kernel is about (pi/2)^2 of it at the end of the half period, where sin y = 2 y/pi, and e^|theta| h more. */
static void the_kernel_nearly_meets_its_bound(void **state) {
    (void)state;
    static const double thetas[] = {-0.9, -0.5, -0.1, 0.2, 1, 4};
    for (int i = 0; i < 6; i++)
        for (double step = 0.01; step < 2; step *= 3) {
            double theta = thetas[i], nearest = theta > 0 ? theta : fmin(-theta, 1 + theta), most = 0;
            for (double share = 0; share <= 1; share += 0.1)
                for (double turn = 1e-3; turn <= 1; turn *= 1.05) {
                    dpn_lattice lattice = {step, share * step};
                    double omega = turn * acos(-1) / step;
                    double here =
                        cabs(dpn_lattice_kernel(&lattice, theta + I * omega)) * (omega * omega + nearest * nearest);
                    most = fmax(most, here / dpn_lattice_kernel_bound(&lattice, theta));
                }
            double far =
                fabs(theta + 0.5) + 0.5; /* what the proof lets go: e^|theta| h above, and both factors below */
            if (!(most <= 1 + 1e-9 && most >= 0.9 * exp(-4 * far * step)))
                fail_msg("theta %g, step %g: the kernel is %g of its bound", theta, step, most);
        }
}

/* ---- decay ---- */

enum { POINTS = 30, REACH = 80 };

typedef struct handmade {
    double value[POINTS], sum[POINTS], difference[POINTS], minus[POINTS], line[2 * REACH + 1];
    dpn_tilt_rule rule;
} handmade;

/* Random masses at +-(first + k) step, where some places are left out. */
static void make_rule(handmade *out, draw_source *source, double step, bool zero, double gaps) {
    double all = 0, mean = 0, variance = 0, fourth = 0;
    size_t count = 0;
    *out = (handmade){.rule = {.atoms = 0}};
    for (int k = 0; k < POINTS; k++) {
        if (k > 0 && draw_chance(source, gaps)) continue;
        double plus = draw_uniform(source, 0.1, 1) * exp(-0.02 * k * k), minus = plus * draw_uniform(source, 0.1, 0.9);
        out->value[count] = (k + (zero ? 0 : 0.5)) * step;
        if (zero && k == 0) minus = plus;
        out->sum[count] = plus + minus;
        out->minus[count++] = minus;
        all += plus + minus;
        out->line[REACH + k] += plus; /* in the order of the values */
        out->line[REACH - k - (zero ? 0 : 1)] += minus;
    }
    for (int k = 0; k <= 2 * REACH; k++) out->line[k] /= all;
    for (size_t i = 0; i < count; i++) {
        out->sum[i] /= all;
        out->minus[i] /= all;
        out->difference[i] = out->sum[i] - 2 * out->minus[i];
        mean += out->difference[i] * out->value[i];
    }
    for (size_t i = 0; i < count; i++) {
        double up = out->value[i] - mean, down = -out->value[i] - mean, plus = out->sum[i] - out->minus[i];
        variance += plus * up * up + out->minus[i] * down * down;
        fourth += plus * pow(up, 4) + out->minus[i] * pow(down, 4);
    }
    out->rule = (dpn_tilt_rule){.count = count,
                                .value = out->value,
                                .sum = out->sum,
                                .difference = out->difference,
                                .minus = out->minus,
                                .variance = variance,
                                .decay = {.variance = variance, .fourth = fourth}};
}

static double phi_at(const handmade *made, double omega) {
    double complex sum = 0;
    for (size_t i = 0; i < made->rule.count; i++)
        sum += (made->sum[i] - made->minus[i]) * cexp(I * omega * made->value[i]) +
               made->minus[i] * cexp(-I * omega * made->value[i]);
    return cabs(sum);
}

static void variations_are_those_of_the_sequence(void **state) {
    (void)state;
    draw_source source = {21};
    for (int trial = 0; trial < 200; trial++) {
        handmade made;
        double step = draw_log_uniform(&source, 1e-3, 10), variation = 0;
        bool zero = trial % 2;
        make_rule(&made, &source, step, zero, trial % 3 * 0.3);
        for (int k = 0; k <= 2 * REACH; k++) variation += fabs(made.line[k] - (k > 0 ? made.line[k - 1] : 0));
        variation += made.line[2 * REACH];
        double found = half_variation(&made.rule, step), wanted = 0.5 * variation;
        /* The loss 0 comes as two points, the second of which counts whole: at most twice its half. */
        double both = zero ? made.sum[0] : 0;
        if (!(found >= wanted && found <= (wanted + both) * (1 + 1.01e-7) + 2e-13))
            fail_msg("trial %d: half the variation is %.17g, not %.17g", trial, found, wanted);
        if (!zero) assert_true(found - wanted * (1 + 1e-7) >= 0.9e-13); /* with its margins */
        assert_true(fabs(square_at(&made.rule, 0.7 / step) - pow(phi_at(&made, 0.7 / step), 2)) < 1e-14);
    }
}

static void samples_bound_what_lies_between(void **state) {
    (void)state;
    draw_source source = {22};
    for (int trial = 0; trial < 32; trial++) {
        handmade made;
        double unit = trial % 4 == 1 ? 5 : trial % 4 == 2 ? 0.2 : 1;
        make_rule(&made, &source, 0.1 * unit, false, trial % 3 * 0.3);
        double from = draw_uniform(&source, 0, 6) / unit, to = from + draw_log_uniform(&source, 0.01, 30) / unit,
               most = 0;
        for (double x = from; x <= to; x += (to - from) / 1500) most = fmax(most, phi_at(&made, x));
        double found = scan(&made.rule, from, to), room = sqrt(most * most + 0.0101) + 1.1e-7;
        if (!(found >= fmin(1, most) && found <= fmin(1, room)))
            fail_msg("trial %d: %.17g for %.17g", trial, found, most);
        /* Between samples it may be higher by the bend that the variance allows. */
        double spacing = (to - from) / ceil((to - from) / (0.2 / sqrt(made.rule.variance))), highest = 0;
        for (double x = from; x <= to + 1e-9; x += spacing) highest = fmax(highest, phi_at(&made, x));
        assert_true(found >= fmin(1, sqrt(highest * highest + made.rule.variance * spacing * spacing / 4)));
    }
    handmade made;
    make_rule(&made, &source, 0.1, false, 0);
    double most = 1e5 / (double)made.rule.count * 0.2 / sqrt(made.rule.variance);
    assert_true(scan(&made.rule, 3, 3 + 1.01 * most) == 1); /* too much work */
    assert_true(scan(&made.rule, 15, 16) < 1 && scan(&made.rule, 15, 15 + 0.001 * most) <= 1);
}

/* The moments' bound is valid and about as good as its theorem, up to where it stops falling. */
static void bounds_of_the_moments(void **state) {
    (void)state;
    draw_source source = {23};
    dpn_lattice lattice = {0.1, 0};
    double half = acos(-1) / 0.1;
    for (int trial = 0; trial < 60; trial++) {
        handmade made;
        make_rule(&made, &source, 0.1, false, trial % 3 * 0.3);
        dpn_part part = pure_part(0.05, 1);
        dpn_term term = {.loss = &part.loss, .times = 1, .rule = made.rule};
        dpn_sum sum = {.terms = 1, .term = &term};
        dpn_lattice_decay decay;
        dpn_lattice_decays(&decay, &sum, &lattice);
        double v = made.rule.variance, q = 2 * made.rule.decay.fourth + 6 * v * v, turn = sqrt(12 * v / q);
        assert_true(decay.last <= turn && decay.last >= turn * (1 - 2e-7));
        double variation = half_variation(&made.rule, 0.1);
        assert_true(decay.variation == variation);
        double end = decay.last; /* from where the variation bounds by a half */
        while (end < half && variation > 0.5 * sin(0.05 * end)) end += 1e-4;
        double looked_at = fmax(0.5, end > decay.last ? scan(&made.rule, decay.last, end) : 0);
        if (end < half) assert_true(decay.far >= 0.5 && fabs(decay.far - looked_at) < 1e-3);
        for (int i = 1; i < 40; i++) {
            double omega = decay.last * i / 40, square = omega * omega;
            double moments = 0.5 * log1p(-square * v + square * square * q / 24);
            double bound = dpn_lattice_log_bound(&decay, &term, &lattice, omega), far = log(decay.far);
            assert_true(bound >= log(phi_at(&made, omega)) && bound >= moments);
            if (moments > far + 1e-6)
                assert_true(bound <= moments + 1e-6 * square * v * (1 + square * q / v) / exp(2 * moments));
        }
        /* Beyond, the least of both bounds, each of which holds. */
        double most = 0;
        for (int i = 400; i >= 0; i--) {
            double omega = decay.last + (half - decay.last) * i / 400;
            most = fmax(most, phi_at(&made, omega));
            double bound = exp(dpn_lattice_log_bound(&decay, &term, &lattice, omega));
            double parts = fmin(1, variation / sin(fmin(0.05 * omega, 0.5 * acos(-1))));
            if (!(bound >= most * (1 - 1e-12) && bound <= fmin(decay.far, parts) * (1 + 1e-12)))
                fail_msg("trial %d at %g: |phi| %g, bounded by %g", trial, omega, most, bound);
        }
        double room = fmax(0.5, sqrt(most * most + 0.0101) + 2e-3);
        if (!(decay.far <= room))
            fail_msg("trial %d: %g from %g to %g, not %g", trial, decay.far, decay.last, half, room);
    }
}

/* Where the moments' bound ends within the half period the other bounds it from there on, and so from before; where it does not it stands alone. */
static void which_bound_counts(void **state) {
    (void)state;
    dpn_lattice lattice = {2, 0};
    dpn_term term = {.times = 1, .rule = {.decay = {.variance = 0.3}}};
    double half = acos(-1) / 2, near = 0.5 * log1p(-1.44 * 0.3 + 1.44 * 1.44 * 6 * 0.09 / 24);
    static const double far[] = {1, 0.95};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            dpn_lattice_decay decay = {0.9, i ? half : 1.3, far[k]};
            double varies = log(fmin(far[k], 0.9 / sin(decay.last))),
                   found = dpn_lattice_log_bound(&decay, &term, &lattice, 1.2);
            double wanted = i == 1 && k == 0 ? near : varies;
            assert_true(near < varies && fabs(found - wanted) < 1e-6);
        }
}

/* Terms whose own lattice is coarser come back to 1 within the half period. */
static void coarser_terms_have_no_bound(void **state) {
    (void)state;
    dpn_part part[2] = {pure_part(0.25, 1), pure_part(0.5, 1)};
    dpn_sum sum;
    dpn_lattice_decay decay[2];
    make_sum(&sum, part, 2);
    assert_int_equal(dpn_sum_tilt(&sum, 0.4, 0, 1e-12, NULL), DPN_OK);
    dpn_lattice lattice = dpn_lattice_find(&sum, 0.1);
    dpn_lattice_decays(decay, &sum, &lattice);
    assert_true(decay[0].last > 0 && decay[0].variation < 1);
    assert_true(decay[1].variation == 1 && decay[1].last == 0 && decay[1].far == 1);
    assert_true(dpn_lattice_log_bound(&decay[1], &sum.term[1], &lattice, 3) == 0);
    /* Where all of the half period is before `last` the moments alone count. */
    lattice.step = 100;
    dpn_lattice_decays(decay, &sum, &lattice);
    assert_true(decay[0].far == 1 && fabs(decay[0].last / (acos(-1) / 100) - 1) < 1e-12);
    double omega = 0.5 * decay[0].last, v = sum.term[0].rule.variance;
    double bound = dpn_lattice_log_bound(&decay[0], &sum.term[0], &lattice, omega);
    assert_true(bound < 0 && fabs(bound / (-0.5 * v * omega * omega) - 1) < 1e-3);
    dpn_sum_free(&sum);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_hold_the_values),
        cmocka_unit_test(others_are_on_none),
        cmocka_unit_test(wide_gaussians_are_folded),
        cmocka_unit_test(folded_noise_is_gaussian),
        cmocka_unit_test(no_digits_are_lost_near_0),
        cmocka_unit_test(the_kernel_nearly_meets_its_bound),
        cmocka_unit_test(variations_are_those_of_the_sequence),
        cmocka_unit_test(samples_bound_what_lies_between),
        cmocka_unit_test(bounds_of_the_moments),
        cmocka_unit_test(which_bound_counts),
        cmocka_unit_test(coarser_terms_have_no_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
