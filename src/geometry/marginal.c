/* One coordinate of the K-norm noise of a hull.
 *
 * In the cone of a facet with the corners v_1 .. v_m the noise is sum E_k v_k, E_k independent exponentials, and the cone has the
 * probability of its share of the volume. So coordinate i has the moment generating function
 *     M(z) = sum_f share_f prod_k 1/(1 - z v_ki),
 * all of whose poles are real, none nearer to 0 than 1/reach. For 0 < Re z < 1/reach
 *     P(X > t) = 1/(2 pi i) int M(z) e^(-z t)/z dz,    E |X| = 1/(pi i) int M(z)/z^2 dz
 * along a vertical line. For the tail the line is bent to a hyperbola around the poles to its right, on which e^(-z t) decays; the
 * trapezoidal rule converges geometrically on both (docs/proofs/geometry/joint.md). */
#include "geometry/joint.h"

#include <complex.h>
#include <math.h>

#include "geometry/ball.h"

static const double pi = 3.14159265358979323846;

/* M at N places, in units of 1/reach. */
static void moments(double complex *out, const double complex *z, size_t places, const dpn_norm_ball *hull, size_t i,
                    double reach) {
    size_t m = hull->dimension;
    dpn_integer total, one;
    dpn_integer_set(&total, 0);
    for (size_t f = 0; f < hull->hull.facets; f++) {
        dpn_hull_offset(&hull->hull, &hull->hull.facet[f], &one);
        dpn_integer_add(&total, &total, &one);
    }
    for (size_t n = 0; n < places; n++) out[n] = 0;
    for (size_t f = 0; f < hull->hull.facets; f++) {
        const dpn_facet *facet = &hull->hull.facet[f];
        dpn_hull_offset(&hull->hull, facet, &one);
        double share = dpn_integer_ratio(&one, &total), corner[DPN_HULL_DIMENSION];
        for (size_t k = 0; k < m; k++) corner[k] = hull->vertex[hull->vertex_of[facet->corner[k]] * m + i] / reach;
        for (size_t n = 0; n < places; n++) {
            double complex product = 1;
            for (size_t k = 0; k < m; k++) product *= 1 - z[n] * corner[k];
            out[n] += share / product;
        }
    }
}

/* z = 1 + mu (sin a cosh u - 1) + i mu cos a sinh u with a = pi/4: a hyperbola around the poles from 1 on that crosses the axis at
 * 1/2. The strip in which the integrand is analytic is 0.358 wide on the side of the pole at 0, so that steps of 0.07 err by
 * e^(-2 pi 0.358/0.07) = 1e-14, and from u = 3.85 on e^(-z t) is below e^-70 for t >= 2. */
static void fill_tail(dpn_marginal *out, const dpn_norm_ball *hull, size_t i) {
    const double step = 0.07, slope = sqrt(0.5), mu = 0.5 / (1 - slope);
    double complex z[DPN_MARGINAL_NODES], moment[DPN_MARGINAL_NODES];
    for (int n = 0; n < DPN_MARGINAL_NODES; n++)
        z[n] = 1 + mu * (slope * cosh(n * step) - 1) + I * (mu * slope * sinh(n * step));
    moments(moment, z, DPN_MARGINAL_NODES, hull, i, out->reach);
    for (int n = 0; n < DPN_MARGINAL_NODES; n++) {
        double complex speed = mu * slope * (sinh(n * step) + I * cosh(n * step));
        double complex weight = moment[n] / z[n] * speed * ((n ? 1 : 0.5) * step / pi);
        out->node[n][0] = creal(z[n]);
        out->node[n][1] = cimag(z[n]);
        out->weight[n][0] = creal(weight);
        out->weight[n][1] = cimag(weight);
    }
}

/* On z = (1 + i sinh u)/2 the integrand falls as e^(-2u) or faster and is analytic in a strip of pi/2: steps of 0.14 err by
 * e^(-pi^2/0.14) = 1e-30 times what poles of order up to 2 m at its edge add, 1e14 for m = 10, and 140 of them reach e^-39. */
static double absolute_of(const dpn_norm_ball *hull, size_t i, double reach) {
    enum { NODES = 140 };
    const double step = 0.14;
    double complex z[NODES], moment[NODES];
    double sum = 0;
    for (int n = 0; n < NODES; n++) z[n] = 0.5 + I * (0.5 * sinh(n * step));
    moments(moment, z, NODES, hull, i, reach);
    for (int n = 0; n < NODES; n++) sum += (n ? 1 : 0.5) * creal(moment[n] / (z[n] * z[n])) * (0.5 * cosh(n * step));
    return 2 * step / pi * sum * reach;
}

void dpn_marginal_make(dpn_marginal *out, const dpn_norm_ball *hull, size_t coordinate) {
    double each[DPN_HULL_DIMENSION];
    hull->kind->half_widths(hull, each);
    out->reach = each[coordinate];
    hull->kind->variance(hull, each);
    out->variance = each[coordinate];
    out->absolute = absolute_of(hull, coordinate, out->reach);
    fill_tail(out, hull, coordinate);
}

double dpn_marginal_sf(const dpn_marginal *marginal, double t) {
    double sum = 0, x = t / marginal->reach;
    for (int n = 0; n < DPN_MARGINAL_NODES; n++) {
        const double *z = marginal->node[n], *weight = marginal->weight[n];
        double angle = -z[1] * x;
        sum += exp(-z[0] * x) * (weight[0] * sin(angle) + weight[1] * cos(angle));
    }
    return sum;
}

/* Of all hulls of this reach the double cone has the least tail, that of Laplace noise: P(|X| > t) >= e^(-t/reach). */
double dpn_marginal_interval95(const dpn_marginal *marginal) {
    double low = log(20) * marginal->reach * (1 - 1e-9), high = 2 * low;
    while (dpn_marginal_sf(marginal, high) > 0.025) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < 60 && high - low > 1e-15 * high; i++) {
        double middle = 0.5 * (low + high);
        if (dpn_marginal_sf(marginal, middle) > 0.025)
            low = middle;
        else
            high = middle;
    }
    return high;
}
