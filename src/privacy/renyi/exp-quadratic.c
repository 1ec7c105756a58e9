/* Integrals of exponentials of quadratics in closed form. */
#include "privacy/renyi/exp-quadratic.h"

#include "law/special.h"
#include "privacy/loss/gauss-legendre.h"

#include <cerf.h>
#include <math.h>

static double size_at(const dpn_quadratic *q, double s) {
    return fabs(q->c[0]) + s * (fabs(q->c[1]) + s * fabs(q->c[2]));
}

/* A sum of terms coefficient * exp(exponent) at the places s where the exponents are values of q. */
static dpn_scaled two_terms(const dpn_quadratic *q, double s0, double factor0, double s1, double factor1) {
    double e0 = dpn_quadratic_at(q, s0), e1 = factor1 == 0 ? -INFINITY : dpn_quadratic_at(q, s1);
    bool second = e1 > e0;
    double top = second ? e1 : e0;
    return (dpn_scaled){factor0 * exp(e0 - top) + (factor1 == 0 ? 0 : factor1 * exp(e1 - top)), top,
                        size_at(q, second ? s1 : s0)};
}

/* Where the exponent varies by less than 2 the closed forms would cancel, and 16 points are exact. */
static dpn_scaled by_points(const dpn_quadratic *q, double length) {
    const dpn_gauss *gauss = &dpn_gauss_rule[1];
    double h = 0.5 * length, sum = 0;
    for (size_t i = 0; i < gauss->half; i++) {
        double low = h - h * gauss->node[i], high = h + h * gauss->node[i];
        sum += gauss->weight[i] * (exp(low * (q->c[1] + low * q->c[2])) + exp(high * (q->c[1] + high * q->c[2])));
    }
    return (dpn_scaled){h * sum, q->c[0], size_at(q, length)};
}

static dpn_scaled linear(const dpn_quadratic *q, double length) {
    double slope = q->c[1], end = slope > 0 ? length : 0;
    double width = isinf(length) ? -1 / slope : length * dpn_exprel_minus(fabs(slope) * length);
    return (dpn_scaled){width, q->c[0] + slope * end, size_at(q, end)};
}

/* With r = sqrt(-2 c2) and x = r s - c1/r the integrand is e^(peak - x^2/2). From x >= 0 to the right the integral is the
 * integrand there times M(x)/r, M the Mills ratio, and to the left of x <= 0 it is that times M(-x)/r. */
static dpn_scaled concave(const dpn_quadratic *q, double length) {
    double r = sqrt(-2 * q->c[2]), x0 = -q->c[1] / r, x1 = isinf(length) ? INFINITY : r * length + x0;
    double end = isinf(length) ? 0 : length;
    if (x0 >= 0) return two_terms(q, 0, dpn_mills(x0) / r, end, isinf(x1) ? 0 : -dpn_mills(x1) / r);
    if (x1 <= 0) return two_terms(q, 0, -dpn_mills(-x0) / r, end, dpn_mills(-x1) / r);
    double place = -x0 / r, peak = dpn_quadratic_at(q, place);
    double whole = DPN_SQRT_2PI - exp(-0.5 * x0 * x0) * dpn_mills(-x0);
    if (!isinf(x1)) whole -= exp(-0.5 * x1 * x1) * dpn_mills(x1);
    return (dpn_scaled){whole / r, peak, size_at(q, place)};
}

/* With x = slope/(2 sqrt c2), slope = c1 + 2 c2 s, an antiderivative is the integrand times F(x)/sqrt c2, F Dawson's function.
 * From |x| = 7 on its asymptotic series ends below all digits, and in terms of the slope it needs no root. */
static double antiderivative(const dpn_quadratic *q, double s) {
    double slope = q->c[1] + 2 * q->c[2] * s, ratio = 2 * q->c[2] / (slope * slope), root = sqrt(q->c[2]);
    if (!(ratio < 1 / 98.0)) return dawson(0.5 * slope / root) / root;
    double sum = 0, term = 1;
    for (int n = 1; term > 1e-18; n++) {
        term *= (2 * n - 1) * ratio;
        sum += term;
    }
    return (1 + sum) / slope;
}

static dpn_scaled convex(const dpn_quadratic *q, double length) {
    return two_terms(q, 0, -antiderivative(q, 0), length, antiderivative(q, length));
}

dpn_scaled dpn_exp_quadratic(const dpn_quadratic *q, double length) {
    double bend = isinf(length) ? (q->c[2] == 0 ? 0 : INFINITY) : fabs(q->c[2]) * length * length;
    if (fabs(q->c[1]) * length + bend < 2) return by_points(q, length);
    if (bend < 1e-17) return linear(q, length);
    return q->c[2] < 0 ? concave(q, length) : convex(q, length);
}
