/* The moment generating function of a loss at complex arguments, in closed form. */
#include "privacy/loss/mgf.h"

#include "privacy/loss/gauss-legendre.h"

#include <cerf.h>
#include <math.h>

#define SQRT_PI 1.772453850905516027298167483341145183

/* A + B s + C s^2 on [0, length]. */
typedef struct complex_quadratic {
    double complex A, B, C;
    double length;
} complex_quadratic;

static double complex value_at(const complex_quadratic *q, double s) {
    return cexp(q->A + s * (q->B + s * q->C));
}

/* Where the exponent hardly varies the closed form would cancel, and 16 points are exact. */
static double complex by_points(const complex_quadratic *q) {
    const dpn_gauss *gauss = &dpn_gauss_rule[1];
    double h = 0.5 * q->length;
    double complex sum = 0;
    for (size_t i = 0; i < gauss->half; i++)
        sum += gauss->weight[i] * (value_at(q, h - h * gauss->node[i]) + value_at(q, h + h * gauss->node[i]));
    return h * sum;
}

static double complex linear_integral(const complex_quadratic *q) {
    return (value_at(q, q->length) - value_at(q, 0)) / q->B;
}

/* With r = sqrt(-C), Re r >= 0, and x = r s - B/2r the exponent is A + B^2/4r^2 - x^2. From an end with Re x >= 0 to
 * the right the integral is (sqrt pi/2r) times the integrand there times w(ix); from an end with Re x < 0 to the left
 * it is the same with w(-ix); between two such ends the two and the whole line are put together. */
static double complex gaussian_integral(const complex_quadratic *q) {
    double complex r = csqrt(-q->C), from = -q->B / (2 * r), to = isinf(q->length) ? 0 : from + r * q->length;
    bool from_right = creal(from) >= 0, to_right = isinf(q->length) || creal(to) >= 0;
    double complex at_from = value_at(q, 0) * w_of_z((from_right ? I : -I) * from);
    double complex at_to = isinf(q->length) ? 0 : value_at(q, q->length) * w_of_z((to_right ? I : -I) * to);
    double complex sum;
    if (from_right)
        sum = at_from - at_to;
    else if (!to_right)
        sum = at_to - at_from;
    else
        sum = 2 * cexp(q->A - q->B * q->B / (4 * q->C)) - at_from - at_to;
    return SQRT_PI / (2 * r) * sum;
}

static double complex segment_integral(const dpn_segment *segment, double complex kappa, double top) {
    complex_quadratic q = {segment->log_density.c[0] + kappa * segment->loss.c[0] - top,
                           segment->log_density.c[1] + kappa * segment->loss.c[1],
                           segment->log_density.c[2] + kappa * segment->loss.c[2], segment->length};
    if (cabs(q.B) * q.length + cabs(q.C) * q.length * q.length < 2) return by_points(&q);
    return q.C == 0 ? linear_integral(&q) : gaussian_integral(&q);
}

bool dpn_mgf_is_closed(const dpn_shape *shape) {
    return shape->segments > 0 && shape->segment[0].power.p == 0;
}

double complex dpn_mgf_segments(const dpn_shape *shape, double complex z, double top) {
    double complex sum = 0;
    for (size_t i = 0; i < shape->segments; i++)
        sum += segment_integral(&shape->segment[i], z, top) + segment_integral(&shape->segment[i], -(1 + z), top);
    return sum;
}

double complex dpn_mgf_atoms(const dpn_shape *shape, double complex z, double top) {
    double complex sum = 0;
    for (size_t i = 0; i < shape->atoms; i++) {
        const dpn_atom *atom = &shape->atom[i];
        sum += cexp(atom->log_mass + z * atom->value - top) + cexp(atom->log_mass - (1 + z) * atom->value - top);
    }
    return sum;
}
