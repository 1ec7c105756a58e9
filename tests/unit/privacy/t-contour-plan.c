/* What the plan of a contour promises: bounds of aliasing, of the tail left out, and of the sum's own error. For Gaussian
 * losses all of them can be computed: the trapezoid sum is the sum over k of e^(theta k T) delta(epsilon + k T).
 */
#include "privacy/compose/contour-plan.h"

#include "case.h"
#include "slow.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define TAU 6.283185307179586477

static dpn_part gaussian_part(double mu) {
    dpn_part part = {.times = 1};
    dpn_law law = case_law("gaussian(sigma=1)");
    if (dpn_loss_law(&part.loss, &law, mu, NULL)) fail();
    return part;
}

static dpn_contour_plan plan_of(dpn_sum *sum, const dpn_part *part, double epsilon, double accuracy) {
    dpn_contour_plan plan = {.epsilon = epsilon, .accuracy = accuracy, .work = 1e8, .log_infinite = -INFINITY};
    dpn_error why;
    if (dpn_sum_make(sum, part, 1, false, &why) || dpn_plan_line(&plan, sum, &why) || dpn_plan_nodes(&plan, sum, &why))
        fail_msg("%s", why.sentence);
    return plan;
}

/* delta(epsilon + shift), on the middle line 1 - delta, times e^(theta shift) in the unit e^scale. */
static double term_at(const dpn_contour_plan *plan, const dpn_part *part, double shift) {
    slow_delta delta = slow_gaussian(part, 1, plan->epsilon + shift);
    double log_delta = 0.5 * (delta.log_lower + delta.log_upper);
    if (plan->line == DPN_LINE_MIDDLE) log_delta = log(-expm1(log_delta));
    return exp(log_delta + plan->theta * shift - plan->scale);
}

/* The bounds are of the right size if they are not far above what they bound. */
static void check_alias(const dpn_contour_plan *plan, const dpn_part *part, double *tightest) {
    double period = TAU / plan->step, alias = 0;
    for (int k = 1; k < 4; k++) alias += term_at(plan, part, k * period) + term_at(plan, part, -k * period);
    if (!(alias <= plan->alias * (1 + 1e-9)))
        fail_msg("epsilon %g: alias %g above %g", plan->epsilon, alias, plan->alias);
    if (alias > 0) *tightest = fmin(*tightest, plan->alias / alias);
}

static dpn_node_sum sum_of(dpn_sum *sum, const dpn_contour_plan *plan, double nodes) {
    dpn_nodes all = {plan->theta, plan->epsilon, plan->step, (size_t)nodes, plan->lattice, false, false};
    dpn_node_sum out = {0};
    dpn_error why;
    if (dpn_sum_tilt(sum, plan->theta, nodes * plan->step, 1e-12, &why) || dpn_nodes_sum(&out, sum, &all, false, &why))
        fail_msg("%s", why.sentence);
    return out;
}

static void check_tail(const dpn_contour_plan *plan, dpn_sum *sum, double *tightest) {
    double nodes = ceil(plan->omega / plan->step);
    dpn_node_sum some = sum_of(sum, plan, nodes), all = sum_of(sum, plan, 4 * nodes + 40);
    double tail = fabs(all.value - some.value), error = all.error + some.error;
    if (!(tail <= plan->tail + error)) fail_msg("epsilon %g: tail %g above %g", plan->epsilon, tail, plan->tail);
    if (tail > 10 * error) *tightest = fmin(*tightest, plan->tail / tail);
}

static void gaussian_plans(void **state) {
    (void)state;
    double alias = INFINITY, tail = INFINITY;
    for (double mu = 0.2; mu < 20; mu *= 2.3)
        for (double z = -6; z < 12; z += 1.9)
            for (double accuracy = 1e-10; accuracy < 0.1; accuracy *= 1e7) {
                dpn_part part = gaussian_part(mu);
                dpn_sum sum;
                double epsilon = 0.5 * mu * mu + z * mu;
                if (epsilon < 0) continue;
                dpn_contour_plan plan = plan_of(&sum, &part, epsilon, accuracy);
                check_alias(&plan, &part, &alias);
                check_tail(&plan, &sum, &tail);
                double exact = term_at(&plan, &part, 0);
                if (!(exact <= plan.most))
                    fail_msg("epsilon %g: %g exceeds the largest, %g", epsilon, exact, plan.most);
                if (!(plan.alias + plan.tail <= 0.5 * plan.tolerance))
                    fail_msg("epsilon %g: too much is lost", epsilon);
                dpn_sum_free(&sum);
            }
    print_message("# the bounds are at least %.3g times the alias and %.3g times the tail\n", alias, tail);
}

/* The kernel of a lattice is the sum over its points above epsilon, and its bound holds within the half period. */
static void check_kernel(double step, double gap, double theta, double omega) {
    dpn_lattice lattice = {step, gap};
    double complex z = theta + I * omega, sum = 0;
    for (double above = gap; theta * above < 60; above += step) sum += step * cexp(-z * above) * -expm1(-above);
    double bound = dpn_lattice_kernel_bound(&lattice, theta) / (omega * omega + theta * theta);
    if (!(cabs(dpn_lattice_kernel(&lattice, z) - sum) <= 1e-11 * (step + cabs(sum))))
        fail_msg("kernel at step %g, gap %g, theta %g, omega %g", step, gap, theta, omega);
    if (!(cabs(sum) <= bound * (1 + 1e-11))) fail_msg("its bound at step %g, theta %g, omega %g", step, theta, omega);
}

static void lattice_kernels(void **state) {
    (void)state;
    for (double step = 0.1; step < 3; step *= 1.9)
        for (double share = 0; share <= 1; share += 0.23)
            for (double theta = 0.3; theta < 9; theta *= 2.1)
                for (double turn = 0; turn < 0.5; turn += 0.07)
                    check_kernel(step, share * step, theta, turn * TAU / step);
}

/* Bounds of |phi| of losses on a lattice against the sum itself, which is made anew from the law: the loss of discrete Laplace noise at shift D is
 * (|k - D| - |k|)/scale with the mass of k. At the end of the half period atoms two steps apart turn together, and |phi| is nearly 1 again. */
static double phi_of(double scale, int shift, double theta, double omega) {
    double complex sum = 0;
    double total = 0,
           beyond =
               1 /
               -expm1(-1 / scale); /* what is at 0 and to its left has one loss, and what is at D and to its right */
    for (int k = 0; k <= shift; k++) {
        double loss = (shift - 2 * k) / scale,
               mass = exp(-k / scale + theta * loss) * (k == 0 || k == shift ? beyond : 1);
        total += mass;
        sum += mass * cexp(I * omega * loss);
    }
    return cabs(sum) / total;
}

static void lattice_bounds(void **state) {
    (void)state;
    static const struct {
        double scale;
        int shift;
    } cases[] = {{200, 2}, {50, 2}, {3, 2}, {200, 4}, {5, 7}, {1, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[60];
        snprintf(text, sizeof text, "discrete-laplace(scale=%.17g)", cases[i].scale);
        dpn_law law = case_law(text);
        dpn_part part = {.times = 1};
        dpn_sum sum;
        dpn_error why;
        if (dpn_loss_law(&part.loss, &law, cases[i].shift, &why) || dpn_sum_make(&sum, &part, 1, false, &why))
            fail_msg("%s", why.sentence);
        for (double theta = 0.3; theta < 9; theta *= 4) {
            dpn_lattice_decay decay;
            if (dpn_sum_tilt(&sum, theta, 0, 1e-12, &why)) fail_msg("%s", why.sentence);
            dpn_lattice lattice = dpn_lattice_find(&sum, 0.1);
            assert_true(fabs(lattice.step * cases[i].scale / 2 - 1) < 1e-12);
            dpn_lattice_decays(&decay, &sum, &lattice);
            double half = 0.5 * TAU / lattice.step, most = 0;
            for (int j = 100; j >= 0; j--) { /* from the end: the bound is one from omega on */
                double omega = half * j / 100;
                most = fmax(most, phi_of(cases[i].scale, cases[i].shift, theta, omega));
                double bound = dpn_lattice_log_bound(&decay, &sum.term[0], &lattice, omega);
                if (!(log(most) <= bound + 1e-12 && bound <= 0))
                    fail_msg("%s at %d, theta %g, omega %g of %g: |phi| is %.10g from there on, the bound %.10g", text,
                             cases[i].shift, theta, omega, half, most, exp(bound));
                double promised = fmin(decay.far, decay.variation / sin(0.5 * omega * lattice.step));
                if (omega >= decay.last && !(bound <= log(fmin(1, promised)) + 1e-12))
                    fail_msg("%s at %d, theta %g, omega %g: the bound is %.10g, not %.10g", text, cases[i].shift, theta,
                             omega, exp(bound), promised);
            }
        }
        dpn_sum_free(&sum);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gaussian_plans), cmocka_unit_test(lattice_kernels),
                                       cmocka_unit_test(lattice_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
