/* The segments of a loss whose noise has psi(s) = weight |s|^p. */
#include "privacy/loss/power.h"

#include <float.h>
#include <math.h>

double dpn_power_psi(const dpn_power *power, double s) {
    return power->weight * pow(s, power->p);
}

/* 1 + side s with what its rounding leaves out. */
static double far_point(const dpn_power *power, double s, double *left_out) {
    double t = power->side * s, sum = 1 + t, part = sum - 1;
    *left_out = (1 - (sum - part)) + (t - part);
    return sum;
}

static double far_psi(const dpn_power *power, double s) {
    double left_out, t = far_point(power, s, &left_out);
    return power->weight * pow(t, power->p) * (1 + power->p * (left_out / t));
}

/* Where far and near are close, near (far/near - 1), without cancellation: 1 - 2 s is exact there. */
double dpn_power_loss(const dpn_power *power, double s) {
    double gap = power->side > 0 ? 1 : 1 - 2 * s;
    double growth = s > 0 ? power->p * log1p(gap / s) : INFINITY;
    if (growth < 0.7) return dpn_power_psi(power, s) * expm1(growth);
    return far_psi(power, s) - dpn_power_psi(power, s);
}

double dpn_power_loss_slope(const dpn_power *power, double s) {
    double a = power->p - 1, steep = power->p * power->weight;
    if (power->side < 0) return steep * (pow(1 - s, a) + pow(s, a));
    if (s < 1) return steep * (pow(1 + s, a) - pow(s, a));
    return steep * pow(s, a) * expm1(a * log1p(1 / s));
}

double dpn_power_tilted(const dpn_power *power, double kappa, double s) {
    return kappa * dpn_power_loss(power, s) - dpn_power_psi(power, s);
}

double dpn_power_tilted_slope(const dpn_power *power, double kappa, double s) {
    double near = power->p * power->weight * pow(s, power->p - 1);
    return power->side * kappa * dpn_power_loss_slope(power, s) - near;
}

/* kappa and the slope of the loss decide. Side 1: q' = 0 where (1 + 1/s)^(p-1) = 1 + 1/kappa, if kappa > 0, and q falls
 * if not. Side -1: q' = 0 where (1/s - 1)^(p-1) = -1 - 1/kappa if -1 < kappa < 0, a maximum; else q falls if kappa >=
 * 0 and rises if kappa <= -1. */
static double peak(const dpn_power *power, double kappa) {
    double a = power->p - 1;
    if (power->side > 0) return kappa > 0 ? 1 / expm1(log1p(1 / kappa) / a) : 0;
    if (kappa >= 0) return 0;
    return kappa <= -1 ? INFINITY : 1 / (1 + pow(-1 - 1 / kappa, 1 / a));
}

double dpn_power_top(const dpn_power *power, double kappa, double a, double b) {
    return fmin(fmax(peak(power, kappa), a), b);
}

/* q is concave beyond its peak, so the integral beyond s is at most exp(q)/|q'|. */
static double log_beyond(const dpn_power *power, double kappa, double s) {
    double slope = dpn_power_tilted_slope(power, kappa, s);
    return slope < 0 ? dpn_power_tilted(power, kappa, s) - log(-slope) : INFINITY;
}

double dpn_power_cut(const dpn_power *power, double kappa, double log_goal, double *log_mass) {
    enum { DOUBLINGS = 200 };
    double from = peak(power, kappa), far = pow(power->weight, -1 / power->p);
    int i = 0;
    while (i < DOUBLINGS && !(log_beyond(power, kappa, from + far) <= log_goal)) far *= 2, i++;
    if (i == DOUBLINGS || !(from < 1e280)) return INFINITY;
    for (i = 0; i < DOUBLINGS && log_beyond(power, kappa, from + 0.5 * far) <= log_goal; i++) far *= 0.5;
    for (double step = 0.25 * far; step > 0.05 * far; step *= 0.5)
        if (log_beyond(power, kappa, from + (far - step)) <= log_goal) far -= step;
    *log_mass = log_beyond(power, kappa, from + far);
    return from + far;
}
