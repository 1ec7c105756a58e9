/* The densities of a loss made of powers: what dpn_decay_add adds for its segments.
 *
 * With the larger tilt kappa = max(theta, -1 - theta) >= -1/2 the density of the loss at L(s) is exp(q(s))/|L'(s)|,
 * and that at -L(s) is exp(-(1 + 2 kappa) L) times as much. A product of a unimodal function g and another function h
 * is a mixture, over the levels of g, of h on intervals, so where those are unimodal its peaks sum to the integral over
 * the levels of the largest h on them (docs/proofs/privacy/contour.md, section 5).
 */
#include "privacy/loss/decay.h"

#include "privacy/loss/power.h"

#include <math.h>

/* p > 2: |L'| grows with the distance from the centre, q has one peak on the whole line, and what counts is how exp(q)
 * rises from the centre to it. An upper sum, since 1/|L'| falls. */
static double rising_sum(const dpn_power *power, double kappa, double top) {
    enum { STEPS = 32 };
    double centre = power->side < 0 ? 0.5 : 0;
    double end = dpn_power_top(power, kappa, 0, power->side < 0 ? 0.5 : INFINITY);
    double before = exp(dpn_power_tilted(power, kappa, centre) - top), slope = dpn_power_loss_slope(power, centre);
    double sum = power->side < 0 ? before / slope : 0;
    for (int i = 1; i <= STEPS; i++) {
        double s = centre + (end - centre) * i / STEPS, after = exp(dpn_power_tilted(power, kappa, s) - top);
        sum += fmax(0, after - before) / slope;
        before = after;
        slope = dpn_power_loss_slope(power, s);
    }
    return sum;
}

/* p < 2, side 1: the logarithm of the density, which is concave, and its slope. */
static double log_density(const dpn_power *power, double kappa, double s) {
    return dpn_power_tilted(power, kappa, s) - log(dpn_power_loss_slope(power, s));
}

static double log_density_slope(const dpn_power *power, double kappa, double s) {
    double a = power->p - 1, growth = log1p(1 / s);
    return dpn_power_tilted_slope(power, kappa, s) - a / s * (expm1((a - 1) * growth) / expm1(a * growth));
}

/* Its largest value is below the tangent at a point where it rises, as far as one where it falls. */
static double largest_density(const dpn_power *power, double kappa, double top) {
    double high = 1, low;
    while (high < 1e280 && log_density_slope(power, kappa, high) > 0) high *= 2;
    for (low = 0.5 * high; low > 1e-280 && !(log_density_slope(power, kappa, low) > 0); low *= 0.5) high = low;
    if (!(low > 1e-280 && high < 1e280)) return INFINITY;
    for (int i = 0; i < 100; i++) {
        double rise = log_density_slope(power, kappa, low) * (high - low), middle = 0.5 * (low + high);
        if (rise < 0.01) return exp(log_density(power, kappa, low) + rise - top);
        if (log_density_slope(power, kappa, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return INFINITY;
}

/* p < 2: on side 1 as above, on the other |L'| is at least its value at s = 0. */
static double falling_peaks(const dpn_power *power, double kappa, double top) {
    double mirror = 1 + 2 * kappa;
    if (power->side > 0)
        return largest_density(power, kappa, top) * (1 + exp(-mirror * dpn_power_loss(power, 0)));
    double least = dpn_power_loss_slope(power, 0), highest = dpn_power_top(power, kappa, 0, 0.5);
    /* The mirror image is largest in the centre; the density itself continues that of side 1, if it rises. */
    double sum = exp(dpn_power_tilted(power, -1 - kappa, 0.5) - top) / least;
    return kappa >= 0 ? sum : sum + exp(dpn_power_tilted(power, kappa, highest) - top) / least;
}

double dpn_decay_power_peaks(const dpn_segment *segment, double theta, double top) {
    double kappa = fmax(theta, -1 - theta);
    const dpn_power *power = &segment->power;
    return power->p > 2 ? rising_sum(power, kappa, top) : falling_peaks(power, kappa, top);
}
