/* The nodes of the contour sum, piece by piece: powers, points of a rule, atoms and kernels against complex arithmetic in long double, and every error against what the
 * data may be moved by: never less, and not more than the proof counts (docs/proofs/privacy/contour.md, section 6). */
#include "privacy/compose/contour-nodes.h"
#include "privacy/compose/contour-nodes.c" /* to see each piece */

#include "case.h"
#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 300, TURNS = 16, NODES = 70 };

#define UNIT 0x1p-53

typedef long double complex exact;

/* ---- a rule made by hand ---- */

typedef struct handmade {
    double value[MOST], sum[MOST], difference[MOST], minus[MOST];
    dpn_term term;
} handmade;

/* Masses at the losses +-value[i], of which `lean` at most are on one side; they add up to 1. */
static void make_rule(handmade *out, draw_source *source, size_t count, double times) {
    double all = 0;
    *out = (handmade){.term = {.times = times}};
    for (size_t i = 0; i < count; i++) {
        out->value[i] = draw_log_uniform(source, 0.01, 4);
        out->sum[i] = draw_uniform(source, 0.1, 1);
        all += out->sum[i];
    }
    for (size_t i = 0; i < count; i++) {
        out->sum[i] /= all;
        out->minus[i] = out->sum[i] * draw_uniform(source, 0.05, 0.5);
        out->difference[i] = out->sum[i] - 2 * out->minus[i];
    }
    out->term.rule = (dpn_tilt_rule){.count = count,
                                     .atoms = 1,
                                     .value = out->value,
                                     .sum = out->sum,
                                     .difference = out->difference,
                                     .minus = out->minus};
}

static exact phi_of(const dpn_tilt_rule *rule, size_t count, long double omega) {
    exact sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += rule->sum[i] * cosl(omega * rule->value[i]) + I * (rule->difference[i] * sinl(omega * rule->value[i]));
    return sum;
}

/* What the points lack of the mass 1 by the rounding of their masses. */
static exact whole_phi(const dpn_tilt_rule *rule, long double omega) {
    exact sum = 1;
    for (size_t i = 0; i < rule->count; i++)
        sum += rule->sum[i] * (cosl(omega * rule->value[i]) - 1) +
               I * (rule->difference[i] * sinl(omega * rule->value[i]));
    return sum;
}

static double mean_size_of(const dpn_tilt_rule *rule) {
    double sum = 0;
    for (size_t i = 0; i < rule->count; i++) sum += rule->sum[i] * rule->value[i];
    return sum;
}

static exact value_of(const node *n) {
    return expl((long double)n->log_size) * cexpl(I * (long double)n->angle);
}

/* ---- powers ---- */

static double complex direction(int i) {
    return cexp(I * (2 * DPN_PI * i / TURNS));
}

static void sizes_keep_their_digits(void **state) {
    (void)state;
    draw_source source = {11};
    for (int i = 0; i < 4000; i++) {
        double away = draw_log_uniform(&source, 1e-17, 1), turn = draw_uniform(&source, 0, 2 * DPN_PI);
        double re = away * cos(turn), im = away * sin(turn);
        if (i % 2) { /* near 0 instead of near 1 */
            re = -1 + re;
        } else if (i % 5 == 0) { /* where |phi|^2 - 1 cancels */
            im = sqrt(fmax(0, -re * (2 + re)));
        }
        long double size = 0.5L * log1pl((long double)re * (2 + (long double)re) + (long double)im * im);
        if (i % 2) size = logl(hypotl(1 + (long double)re, im));
        double found = log_size(re, im), allowed = 4 * DBL_EPSILON * (fabs((double)size) + 0.25 * away * (i % 2 == 0));
        if (i % 2) allowed = 4 * DBL_EPSILON * (1 + fabs((double)size)); /* 1 + re itself is rounded */
        if (!(fabsl(found - size) <= allowed))
            fail_msg("log |1 + %.17g + %.17g i|: %.17g, not %.17Lg", re, im, found, size);
    }
}

/* The error is what a move of phi in the worst direction does, to first order twice that, and 4 ulp for the logarithm and the angle. */
static void powers_are_within_their_errors(void **state) {
    (void)state;
    draw_source source = {12};
    size_t lost = 0;
    for (int trial = 0; trial < 400; trial++) {
        double complex away = draw_log_uniform(&source, 1e-9, 0.9) * direction(trial);
        double times = floor(draw_log_uniform(&source, 1, 1e4)), error = draw_log_uniform(&source, 1e-14, 0.3),
               worst = 0;
        exact phi = 1 + (exact)away;
        node product = {0};
        multiply(&product, creal(away), cimag(away), error, times);
        for (int i = 0; i < TURNS; i++)
            worst = fmax(worst, (double)cabsl(times * clogl(1 + error * (exact)direction(i) / phi)));
        if (!(times * log1p(error / (double)cabsl(phi)) < 0.5)) { /* then only how large it may be is known */
            double largest = times * log((double)cabsl(phi) + error);
            assert_true(isinf(product.error) && fabs(product.log_size - largest) <= 1e-12 * (1 + fabs(largest)));
            assert_true(product.angle == 0);
            lost++;
            continue;
        }
        double rounding = 4 * DBL_EPSILON * times * (fabs(product.log_size / times) + fabs(product.angle / times));
        if (!(product.error >= worst && product.error >= rounding))
            fail_msg("error %g, moved by %g and rounded by %g", product.error, worst, rounding);
        if (!(product.error <= 2.1 * worst + 1.01 * rounding))
            fail_msg("error %g for a move of %g and a rounding of %g", product.error, worst, rounding);
        long double re = creal(away), im = cimag(away), size = 0.5L * log1pl(re * (2 + re) + im * im);
        exact distance = times * (size + I * atan2l(im, 1 + re)) - (product.log_size + I * (long double)product.angle);
        if (!(cabsl(distance) <= rounding)) fail_msg("the power is off by %Lg, not %g", cabsl(distance), rounding);
    }
    if (!(lost > 10 && lost < 350)) fail_msg("%zu lost", lost);
    /* A product adds up. */
    node one = {0}, both = {0};
    multiply(&one, -0.1, 0.2, 1e-5, 3);
    both = one;
    multiply(&both, -0.1, 0.2, 1e-5, 3);
    assert_true(both.log_size == 2 * one.log_size && both.angle == 2 * one.angle && both.error == 2 * one.error);
    multiply(&both, -0.5, 0, 0.4, 9);
    assert_true(isinf(both.error) && fabs(both.log_size - 2 * one.log_size - 9 * log(0.9)) < 1e-14);
    node edge = {0}; /* half is not less than half */
    multiply(&edge, 0, 0, expm1(0.5), 1);
    assert_true(isinf(edge.error));
}

/* ---- the points ---- */

static void points_turn_as_they_should(void **state) {
    (void)state;
    static const size_t counts[] = {1, 2, 63, 64, 65, 129, 300};
    draw_source source = {13};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (double step = 1e-4; step < 3; step *= 9) {
            handmade made;
            make_rule(&made, &source, counts[k], 1);
            dpn_nodes nodes = {.theta = 1, .step = step, .count = NODES};
            node all[NODES + 1] = {{0}};
            assert_int_equal(add_rule(all, &nodes, &made.term), DPN_OK);
            assert_true(all[0].log_size == 0 && all[0].error == 0);
            for (size_t j = 1; j <= NODES; j++) {
                long double omega = (double)j * step, mean = mean_size_of(&made.term.rule);
                exact phi = whole_phi(&made.term.rule, omega);
                if (cabsl(phi) < 1e-3) continue;
                double off = (double)cabsl(value_of(&all[j]) / phi - 1);
                /* Angles, the turning from the last node that was computed, and sums in blocks. */
                long double turned = fminl(2, omega * mean);
                double counted = (double)(UNIT * (64 * omega * mean + (256 + 64 + (double)(counts[k] / 64)) * turned));
                double known =
                    2 * counted / (double)cabsl(phi) + 8 * UNIT * (fabs(all[j].log_size) + fabs(all[j].angle));
                if (!(off <= all[j].error))
                    fail_msg("node %zu of step %g is off by %g, not %g", j, step, off, all[j].error);
                if (!(fabs(all[j].error - known) <= 1e-6 * known))
                    fail_msg("node %zu of step %g: the error is %g, not %g", j, step, all[j].error, known);
            }
        }
}

/* What each source of doubt adds to the error of phi: not less than moving the masses does, and as much as the proof counts. */
static void doubt_of_a_rule_is_counted(void **state) {
    (void)state;
    draw_source source = {14};
    for (int trial = 0; trial < 100; trial++) {
        handmade made, moved;
        make_rule(&made, &source, 5, 1);
        dpn_tilt_rule *rule = &made.term.rule;
        double mean = mean_size_of(rule), omega = draw_log_uniform(&source, 1e-3, 20),
               none = phi_error(rule, mean, omega);
        double share = draw_log_uniform(&source, 1e-6, 1e-3), most = 0, masses;
        rule->relative = share;
        rule->relative_loss = share * mean;
        masses = phi_error(rule, mean, omega) - none;
        for (int signs = 0; signs < 1 << 5;
             signs++) { /* masses that err by this share, taken relative to what they add up to */
            moved = made;
            double total = 0;
            for (int i = 0; i < 5; i++) {
                double factor = signs >> i & 1 ? 1 + share : 1 - share;
                moved.sum[i] *= factor;
                moved.difference[i] *= factor;
                total += moved.sum[i];
            }
            moved.term.rule.sum = moved.sum;
            moved.term.rule.difference = moved.difference;
            moved.term.rule.value = moved.value;
            most = fmax(most, (double)cabsl(phi_of(&moved.term.rule, 5, omega) / total - phi_of(rule, 5, omega)));
        }
        if (!(masses >= most && masses <= 4 * share * (1 + 1e-9) && masses <= 2 * omega * share * mean * (1 + 1e-9)))
            fail_msg("omega %g: masses that err by %g count %g, moved by %g", omega, share, masses, most);
        /* All of it where masses err alike and phi - 1 is small: then they do nothing, but the proof lets each err. */
        assert_true(masses >= 2 * fmin(2 * share, omega * share * mean) * (1 - 1e-9));
        rule->relative = rule->relative_loss = 0;
        rule->flat = share; /* of the integral above and of the one below */
        assert_true(fabs(phi_error(rule, mean, omega) - none - 2 * share) <= 1e-12 * share + 1e-20);
    }
}

/* One pair of atoms, the first point. */
static void atoms_alone(void **state) {
    (void)state;
    draw_source source = {15};
    for (int trial = 0; trial < 40; trial++) {
        handmade made;
        make_rule(&made, &source, 3, 1 + trial % 3);
        dpn_tilt_rule *rule = &made.term.rule;
        double own = trial % 2 ? draw_log_uniform(&source, 1e-9, 1e-6) : 0, step = draw_log_uniform(&source, 1e-3, 2);
        if (trial % 4 > 1)
            rule->flat = own;
        else
            rule->relative = own;
        dpn_nodes nodes = {.theta = 1, .step = step, .count = NODES};
        node all[NODES + 1] = {{0}};
        add_atoms(all, &nodes, &made.term);
        for (size_t j = 1; j <= NODES; j++) {
            long double omega = (double)j * step;
            exact phi = phi_of(rule, 1, omega);
            double size = (double)cabsl(phi), times = made.term.times, angle = (double)omega * made.value[0];
            if (size < 1e-2) continue;
            double off = (double)cabsl(value_of(&all[j]) / cpowl(phi, times) - 1);
            if (!(off <= all[j].error)) fail_msg("atoms at node %zu are off by %g, not %g", j, off, all[j].error);
            /* Errors of the mass in both parts, and 16 u of the angle. */
            double least = 2 * times * 2 * (own + UNIT * (4 + 16 * angle)) / size;
            double rounding = 8 * UNIT * (fabs(all[j].log_size) + fabs(all[j].angle));
            if (!(all[j].error >= 0.99 * least && all[j].error <= 1.001 * (least + rounding)))
                fail_msg("atoms at node %zu: error %g, not %g", j, all[j].error, least);
        }
    }
}

/* ---- the kernel and the sum ---- */

static void kernels_have_the_sign_of_the_line(void **state) {
    (void)state;
    dpn_nodes nodes = {.theta = 0.7, .step = 0.3, .count = 5};
    for (int middle = 0; middle < 2; middle++)
        for (size_t j = 0; j <= 5; j++)
            for (int once = 0; once < 2; once++) {
                nodes.theta = middle ? -0.4 : 0.7;
                nodes.last_once = once;
                double complex z = nodes.theta + I * (0.3 * (double)j);
                double weight = (j == 0 || (once && j == 5) ? 1 : 2) * (middle ? -1 : 1);
                assert_true(cabs(kernel_at(&nodes, j) * z * (z + 1) - weight) < 1e-15);
            }
    assert_true(creal(kernel_at(&nodes, 0)) > 0);
    nodes.lattice = (dpn_lattice){0.5, 0.2};
    nodes.theta = 0.7;
    double sum = 0; /* over the points above */
    for (double above = 0.2; above < 100; above += 0.5) sum += 0.5 * exp(-0.7 * above) * -expm1(-above);
    assert_true(fabs(creal(kernel_at(&nodes, 0)) - sum) < 1e-12);
}

/* M(theta + i omega) e^(-i omega epsilon)/M(theta), without what all losses at atoms make up. */
static exact integrand(const dpn_sum *sum, double theta, double epsilon, long double omega, bool without_atoms,
                       exact move) {
    exact all = 1, atoms = 1;
    exact outer = cexpl(-0.5L * sum->gaussian * omega * omega + I * omega * ((theta + 0.5L) * sum->gaussian - epsilon));
    for (size_t i = 0; i < sum->terms; i++) {
        all *= cpowl(whole_phi(&sum->term[i].rule, omega) + move, sum->term[i].times);
        atoms *= cpowl(phi_of(&sum->term[i].rule, 1, omega), sum->term[i].times);
    }
    return outer * (without_atoms ? all - atoms : all);
}

static void sums_are_within_their_errors(void **state) {
    (void)state;
    draw_source source = {16};
    for (int trial = 0; trial < 60; trial++) {
        handmade made[2];
        dpn_term term[2];
        for (int i = 0; i < 2; i++) {
            make_rule(&made[i], &source, 4, 1 + 2 * i);
            term[i] = made[i].term;
        }
        bool without = trial % 3 == 1, middle = !without && trial % 2, lattice = trial % 5 == 4 && !middle;
        double flat = trial % 4 < 2 ? 1e-7 : 0;
        for (int i = 0; i < 2; i++) term[i].rule.flat = flat;
        dpn_sum sum = {.terms = 2, .term = term, .gaussian = trial % 2 ? 0.3 : 0};
        dpn_nodes nodes = {.theta = middle ? -0.4 : draw_uniform(&source, 0.3, 3),
                           .epsilon = draw_uniform(&source, 0, 5),
                           .step = 0.21,
                           .count = 40,
                           .last_once = trial % 7 == 3,
                           .density = trial % 2};
        if (trial % 6 == 5) nodes.epsilon *= 1e7; /* whose phase turns fast */
        if (lattice) nodes.lattice = (dpn_lattice){0.02, 0.011};
        dpn_node_sum found;
        assert_int_equal(dpn_nodes_sum(&found, &sum, &nodes, without, NULL), DPN_OK);
        long double value = 0, density = 0, doubt = 0, sizes = 0, phases = 0, unit = 0.21L / (2 * acosl(-1)),
                    dense_doubt = 0, dense_phases = 0, first = 0;
        for (size_t j = 0; j <= nodes.count; j++) {
            long double omega = (double)j * 0.21;
            exact term_here = integrand(&sum, nodes.theta, nodes.epsilon, omega, without, 0),
                  kernel = kernel_at(&nodes, j);
            long double drift = fabsl((nodes.theta + 0.5L) * sum.gaussian * omega);
            value += creall(term_here * kernel);
            density += (j == 0 ? 1 : 2) * creall(term_here);
            sizes += cabsl(term_here * kernel);
            if (j == 0) {
                if (without) first += 2 * creall(kernel) * (4 * flat);
                continue;
            }
            dense_phases += 2 * cabsl(term_here) * 8 * UNIT * nodes.epsilon * omega;
            phases +=
                cabsl(term_here * kernel) * (4 + 0.5L * sum.gaussian * omega * omega + drift + nodes.epsilon * omega);
            /* phi_i may move by twice flat, each copy of it. */
            exact all = integrand(&sum, nodes.theta, nodes.epsilon, omega, false, 0);
            for (int i = 0; i < 2; i++) {
                long double here = term[i].times * 2 * flat * cabsl(all / whole_phi(&term[i].rule, omega));
                if (without)
                    here += term[i].times * 2 * flat * cabsl((all - term_here) / phi_of(&term[i].rule, 1, omega));
                doubt += here * cabsl(kernel);
                dense_doubt += 2 * here;
            }
        }
        value *= unit;
        doubt = unit * (doubt + first);
        if (!(fabsl(found.value - value) <= found.error))
            fail_msg("trial %d: %.17g is off by %Lg, not %g", trial, found.value, found.value - value, found.error);
        long double rounding = unit * UNIT * 8 * phases;
        if (!(found.error >= 0.99999L * (doubt + rounding)))
            fail_msg("trial %d: error %g is below %Lg and %Lg", trial, found.error, doubt, rounding);
        if (!(found.error <= 2.01L * doubt + 1.01L * rounding + 5e4 * UNIT * unit * (sizes + 1)))
            fail_msg("trial %d: error %g, where phi counts %Lg and the phase %Lg", trial, found.error, doubt, rounding);
        if (!nodes.density || without) continue;
        long double exceeds = found.density - unit * fabsl(density), room = unit * dense_doubt;
        if (!(exceeds >= 0.9999L * room && exceeds <= 2.01L * room + 2 * unit * dense_phases + 1e-12L))
            fail_msg("trial %d: the density exceeds the sum by %Lg, its doubt is %Lg", trial, exceeds, room);
    }
}

/* A node that is known not at all counts as 0, with twice the largest size that it may have. */
static void a_lost_node_counts_twice_its_size(void **state) {
    (void)state;
    draw_source source = {17};
    handmade made;
    make_rule(&made, &source, 4, 2);
    made.term.rule.flat = 2;
    dpn_sum sum = {.terms = 1, .term = &made.term};
    dpn_nodes nodes = {.theta = 1, .step = 0.5, .count = 3};
    dpn_node_sum found;
    assert_int_equal(dpn_nodes_sum(&found, &sum, &nodes, false, NULL), DPN_OK);
    double unit = 0.5 / (2 * DPN_PI), error = 0;
    for (int j = 1; j <= 3; j++) {
        double size = (double)cabsl(whole_phi(&made.term.rule, 0.5L * j)) + 4;
        error += 2 * size * size * cabs(kernel_at(&nodes, (size_t)j));
    }
    assert_true(fabs(found.value - unit * 0.5) < 1e-15);
    assert_true(fabs(found.error - unit * error) < 1e-9 * error);
    nodes.count = 0; /* the node on the axis alone, which is 1 */
    assert_int_equal(dpn_nodes_sum(&found, &sum, &nodes, false, NULL), DPN_OK);
    assert_true(fabs(found.value - unit * 0.5) < 1e-15 && found.error > 0 && found.error < 1e-14);
}

/* The node on the axis is 1 but for the atoms, whose mass is known as well as the rule. */
static void the_axis_without_atoms(void **state) {
    (void)state;
    draw_source source = {18};
    handmade made;
    make_rule(&made, &source, 3, 5);
    made.term.rule.flat = 1e-6;
    made.term.rule.relative = 1e-7;
    dpn_sum sum = {.terms = 1, .term = &made.term};
    dpn_nodes nodes = {.theta = 1, .step = 0.5};
    dpn_node_sum found;
    assert_int_equal(dpn_nodes_sum(&found, &sum, &nodes, true, NULL), DPN_OK);
    double unit = 0.25 / (2 * DPN_PI), atoms = pow(made.sum[0], 5);
    assert_true(fabs(found.value - unit * (1 - atoms)) <= 1e-15);
    double moved = unit * (pow(made.sum[0] + 1.1e-6, 5) - atoms); /* the mass, moved by what is not known of it */
    assert_true(found.error >= moved && fabs(found.error - unit * 2 * 5 * 1.1e-6) <= 1e-12);
}

/* The closed form and the rule of one law agree, to the error of the former. */
static void closed_forms_and_rules_agree(void **state) {
    (void)state;
    static const char *const texts[] = {"laplace(scale=1)", "huber(alpha=0.5,gamma=1)", "osgt(m=0.5,sigma=1)"};
    for (int i = 0; i < 3; i++) {
        dpn_law law = case_law(texts[i]);
        dpn_part part = {.times = 5};
        dpn_sum sum;
        dpn_error why;
        node rule[NODES + 1] = {{0}}, closed[NODES + 1] = {{0}};
        dpn_nodes nodes = {.theta = 1.3, .step = 0.1, .count = NODES};
        assert_int_equal(dpn_loss_law(&part.loss, &law, 1, &why), DPN_OK);
        assert_int_equal(dpn_sum_make(&sum, &part, 1, false, &why), DPN_OK);
        assert_int_equal(dpn_sum_tilt(&sum, 1.3, 0.1 * NODES, 1e-13, &why), DPN_OK);
        assert_int_equal(add_rule(rule, &nodes, &sum.term[0]), DPN_OK);
        add_closed(closed, &nodes, &sum.term[0]);
        for (size_t j = 1; j <= NODES; j++) {
            double off = (double)cabsl(value_of(&closed[j]) / value_of(&rule[j]) - 1),
                   size = exp(closed[j].log_size / 5);
            double known = 2 * 5 * DPN_MGF_ERROR / size;
            if (!(off <= rule[j].error + 1e-3 * closed[j].error))
                fail_msg("%s at %zu: they are %g apart", texts[i], j, off);
            if (!(closed[j].error >= 0.999 * known && closed[j].error <= 1.001 * known))
                fail_msg("%s at %zu: the error is %g, not %g", texts[i], j, closed[j].error, known);
        }
        dpn_node_sum one, other;
        assert_int_equal(dpn_nodes_sum(&one, &sum, &nodes, false, &why), DPN_OK);
        sum.term[0].closed = true;
        assert_int_equal(dpn_nodes_sum(&other, &sum, &nodes, false, &why), DPN_OK);
        assert_true(fabs(one.value - other.value) <= one.error + other.error && other.error > 10 * one.error);
        dpn_sum_free(&sum);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_keep_their_digits),
        cmocka_unit_test(powers_are_within_their_errors),
        cmocka_unit_test(points_turn_as_they_should),
        cmocka_unit_test(doubt_of_a_rule_is_counted),
        cmocka_unit_test(atoms_alone),
        cmocka_unit_test(kernels_have_the_sign_of_the_line),
        cmocka_unit_test(sums_are_within_their_errors),
        cmocka_unit_test(a_lost_node_counts_twice_its_size),
        cmocka_unit_test(closed_forms_and_rules_agree),
        cmocka_unit_test(the_axis_without_atoms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
