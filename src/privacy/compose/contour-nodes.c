/* The integrand at the nodes of the contour. */
#include "privacy/compose/contour-nodes.h"

#include "base/error.h"
#include "privacy/interval.h"
#include "privacy/loss/mgf.h"

#include <complex.h>
#include <float.h>
#include <stdlib.h>

#define ROUND (0.5 * DBL_EPSILON)

/* Sines and cosines follow from those of the node before, by one complex product; every RESET nodes they are
 * computed. */
enum { RESET = 16, BLOCK = 64 };

/* The logarithm of a product of powers of characteristic functions at one node, and a bound of the relative error. */
typedef struct node {
    double log_size, angle, error;
} node;

/* log|phi|: near 1 from |phi|^2 - 1, elsewhere without the cancellation that this would mean. */
static double log_size(double re_minus_1, double im) {
    double excess = re_minus_1 * (2 + re_minus_1) + im * im;
    return excess > -0.5 ? 0.5 * log1p(excess) : log(hypot(1 + re_minus_1, im));
}

/* phi^times enters the product; phi has the error given. */
static void multiply(node *product, double re_minus_1, double im, double error, double times) {
    double size = log_size(re_minus_1, im);
    double angle = atan2(im, 1 + re_minus_1);
    double loss = times * log1p(error / exp(size));
    if (!(loss < 0.5)) { /* nothing is known but the size of the largest possible value */
        product->log_size += times * log(exp(size) + error);
        product->error = INFINITY;
        return;
    }
    product->log_size += times * size;
    product->angle += times * angle;
    product->error += 2 * loss + 8 * ROUND * times * (fabs(size) + fabs(angle));
}

/* ---- the points of one rule ---- */

/* turn = e^(i omega L) - 1 of each point, spin the same for omega = step. */
typedef struct wheel {
    double *turn_re, *turn_im, *spin_re, *spin_im;
} wheel;

static void set_turn(double *re, double *im, double angle) {
    double s = sin(0.5 * angle);
    *re = -2 * s * s;
    *im = sin(angle);
}

static void turn_to(wheel *w, const dpn_tilt_rule *rule, double omega) {
    for (size_t i = 0; i < rule->count; i++) set_turn(&w->turn_re[i], &w->turn_im[i], omega * rule->value[i]);
}

static void turn_on(wheel *w, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double a = w->turn_re[i], b = w->turn_im[i], c = w->spin_re[i], d = w->spin_im[i];
        w->turn_re[i] = a + c + (a * c - b * d);
        w->turn_im[i] = b + d + (a * d + b * c);
    }
}

/* phi - 1, summed in blocks so that the rounding of the sum grows slowly with the number of points. */
static void weigh(double *re, double *im, const wheel *w, const dpn_tilt_rule *rule) {
    *re = *im = 0;
    for (size_t start = 0; start < rule->count; start += BLOCK) {
        size_t end = start + BLOCK < rule->count ? start + BLOCK : rule->count;
        double x = 0, y = 0;
        for (size_t i = start; i < end; i++) {
            x += rule->sum[i] * w->turn_re[i];
            y += rule->difference[i] * w->turn_im[i];
        }
        *re += x;
        *im += y;
    }
}

/* Bounds of the errors of phi at omega (docs/proofs/privacy/contour.md, section 6): of the quadrature; of the points'
 * masses, of which only e^(i omega L) - 1 is touched; of the angles omega L; of the turning and the summation. */
static double phi_error(const dpn_tilt_rule *rule, double mean_size, double omega) {
    double masses = fmin(2 * rule->relative, omega * rule->relative_loss), angles = 64 * ROUND * omega * mean_size;
    double turning = ROUND * (16 * RESET + BLOCK + (double)(rule->count / BLOCK));
    return 2 * rule->flat + 2 * masses + angles + turning * fmin(2, omega * mean_size);
}

static dpn_status add_rule(node *out, const dpn_nodes *nodes, const dpn_term *term) {
    const dpn_tilt_rule *rule = &term->rule;
    size_t count = rule->count;
    double *room = malloc(4 * count * sizeof *room);
    if (!room) return DPN_ENOMEM;
    wheel w = {room, room + count, room + 2 * count, room + 3 * count};
    for (size_t i = 0; i < count; i++) set_turn(&w.spin_re[i], &w.spin_im[i], nodes->step * rule->value[i]);
    double mean_size = 0; /* E|L| */
    for (size_t i = 0; i < count; i++) mean_size += rule->sum[i] * fabs(rule->value[i]);
    for (size_t j = 1; j <= nodes->count; j++) {
        double omega = (double)j * nodes->step, re, im;
        if (j % RESET == 1)
            turn_to(&w, rule, omega);
        else
            turn_on(&w, count);
        weigh(&re, &im, &w, rule);
        multiply(&out[j], re, im, phi_error(rule, mean_size, omega), term->times);
    }
    free(room);
    return DPN_OK;
}

/* ---- the closed form of one loss ---- */

static void add_closed(node *out, const dpn_nodes *nodes, const dpn_term *term) {
    for (size_t j = 1; j <= nodes->count; j++) {
        double complex z = nodes->theta + I * ((double)j * nodes->step);
        double complex sum =
            dpn_mgf_segments(&term->shape, z, term->rule.top) + dpn_mgf_atoms(&term->shape, z, term->rule.top);
        double complex phi = sum / term->rule.total;
        multiply(&out[j], creal(phi) - 1, cimag(phi), DPN_MGF_ERROR, term->times);
    }
}

/* ---- the product of the atoms ---- */

/* Every term has one pair of atoms, the first point of its rule. */
static void add_atoms(node *out, const dpn_nodes *nodes, const dpn_term *term) {
    const dpn_tilt_rule *rule = &term->rule;
    for (size_t j = 1; j <= nodes->count; j++) {
        double angle = (double)j * nodes->step * rule->value[0];
        double re = rule->sum[0] * cos(angle), im = rule->difference[0] * sin(angle);
        multiply(&out[j], re - 1, im, 2 * (rule->flat + rule->relative + ROUND * (4 + 16 * fabs(angle))), term->times);
    }
}

/* ---- the sum ---- */

/* exp(node) e^(i phase), with the bound of its error. */
static double complex term_value(const node *n, double log_factor, double angle, double *error) {
    double size = exp(log_factor + n->log_size);
    *error += isinf(n->error) ? 2 * size : size * n->error;
    return isinf(n->error) ? 0 : size * cexp(I * (angle + n->angle));
}

/* The kernel at one node and its mirror image, so that the real part counts. */
static double complex kernel_at(const dpn_nodes *nodes, size_t j) {
    double complex z = nodes->theta + I * ((double)j * nodes->step);
    double weight = j == 0 || (j == nodes->count && nodes->last_once) ? 1 : 2, sign = nodes->theta > 0 ? 1 : -1;
    double complex kernel = nodes->lattice.step > 0 ? dpn_lattice_kernel(&nodes->lattice, z) : 1 / (z * (1 + z));
    return weight * sign * kernel;
}

dpn_status dpn_nodes_sum(dpn_node_sum *out, const dpn_sum *sum, const dpn_nodes *nodes, bool without_atoms,
                         dpn_error *why) {
    double atoms_only = 0, first_error = 0;
    node *all = calloc(2 * (nodes->count + 1), sizeof *all), *atoms = all ? all + nodes->count + 1 : NULL;
    dpn_status status = all ? DPN_OK : DPN_ENOMEM;
    for (size_t i = 0; i < sum->terms && !status; i++) {
        const dpn_term *term = &sum->term[i];
        if (term->closed)
            add_closed(all, nodes, term);
        else
            status = add_rule(all, nodes, term);
        if (!without_atoms || status) continue;
        add_atoms(atoms, nodes, term);
        atoms_only += term->times * log(term->rule.sum[0]);
        first_error += term->times * (term->rule.flat + term->rule.relative + 4 * ROUND);
    }
    double first = creal(kernel_at(nodes, 0)) * (without_atoms ? -expm1(atoms_only) : 1);
    double error = without_atoms ? 2 * creal(kernel_at(nodes, 0)) * first_error : 0, sizes = first;
    dpn_twofold value = dpn_two(first), density = dpn_two(1);
    double density_error = 0;
    for (size_t j = 1; j <= nodes->count && !status; j++) {
        double omega = (double)j * nodes->step;
        double complex kernel = kernel_at(nodes, j);
        /* The Gaussian part, and e^(-i omega epsilon). */
        double log_factor = -0.5 * sum->gaussian * omega * omega;
        double drift = (nodes->theta + 0.5) * sum->gaussian * omega, phase = nodes->epsilon * omega, node_error = 0;
        double complex term = term_value(&all[j], log_factor, drift - phase, &node_error);
        if (without_atoms) term -= term_value(&atoms[j], log_factor, drift - phase, &node_error);
        node_error += cabs(term) * 8 * ROUND * (4 + fabs(log_factor) + fabs(drift) + fabs(phase));
        value = dpn_two_add(value, dpn_two(creal(term * kernel)));
        error += cabs(kernel) * node_error;
        sizes += cabs(kernel) * cabs(term);
        if (!nodes->density) continue;
        density = dpn_two_add(density, dpn_two(2 * creal(term)));
        density_error += 2 * node_error;
    }
    free(all);
    if (status) return dpn_fail(why, status, "no memory for %zu nodes", nodes->count);
    double unit = nodes->step / (2 * DPN_PI);
    *out = (dpn_node_sum){unit * dpn_two_value(value), unit * (error + 64 * ROUND * sizes),
                          unit * (fabs(dpn_two_value(density)) + density_error) * (1 + 64 * ROUND)};
    return DPN_OK;
}
