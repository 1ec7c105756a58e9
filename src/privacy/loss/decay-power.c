/* The densities of a loss made of powers: what dpn_decay_add adds for them.
 *
 * With the larger tilt kappa = max(theta, -1 - theta) >= -1/2 the density of the loss at L(s) is exp(q(s))/|L'(s)|,
 * and that at -L(s) is exp(-(1 + 2 kappa) L) times as much. A product of a unimodal function g and another function h
 * is a mixture, over the levels of g, of h on intervals, so where those are unimodal its peaks sum to the integral over
 * the levels of the largest h on them (docs/proofs/privacy/contour.md, section 5).
 */
#include "privacy/loss/decay.h"

#include "privacy/loss/power.h"

#include <math.h>

/* ---- p > 2 ----
 * |L'| grows with the distance from the centre s = -1/2, where it may be tiny, and q has one peak on the whole line, to
 * the right of the centre. 1/|L'| is cut at its value at some distance: what is cut off is the excess, and of the rest
 * it counts how exp(q) rises from there to its peak. Sums over cells bound both from above.
 */
enum { LEFT_CELLS = 4 };

/* A distance from the centre as a segment sees it: s on the first segment falls from 1/2 to 0, on the second it rises. */
typedef struct place {
    const dpn_power *power;
    double s;
} place;

static place place_of(const dpn_shape *shape, int i, double ratio) {
    if (i <= LEFT_CELLS) return (place){&shape->segment[0].power, 0.5 - 0.5 * i / LEFT_CELLS};
    return (place){&shape->segment[1].power, 0.1 * pow(ratio, i - LEFT_CELLS - 1)};
}

static double distance(place x) {
    return 0.5 + x.power->side * x.s;
}

static void add_cuts(dpn_decay *decay, const dpn_shape *shape, double kappa, double top, double total) {
    const dpn_power *right = &shape->segment[1].power;
    double unit = pow(right->weight, -1 / right->p);
    double reach = fmax(1, fmax(dpn_power_top(right, kappa, 0, INFINITY), 3 * unit));
    double ratio = pow(reach / 0.1, 1.0 / (DPN_MAX_CUTS - LEFT_CELLS - 2)), mass = 0, weighed = 0;
    double rise[DPN_MAX_CUTS], peak = 0;
    for (int i = 0; i < DPN_MAX_CUTS; i++) {
        place x = place_of(shape, i, ratio), next = place_of(shape, i + 1, ratio);
        double slope = dpn_power_loss_slope(x.power, x.s), here = exp(dpn_power_tilted(x.power, kappa, x.s) - top);
        peak = fmax(peak, here);
        decay->cut[i] = (dpn_cut){fmax(0, mass - weighed / slope), peak / slope};
        /* The cell from here to the next place, and its mirror image. */
        double low = fmin(x.s, next.s), high = fmax(x.s, next.s), mirror = dpn_power_tilted(x.power, -1 - kappa, x.s);
        double most = dpn_power_tilted(next.power, kappa, dpn_power_top(next.power, kappa, low, high));
        double cell = (distance(next) - distance(x)) * (exp(most - top) + exp(mirror - top));
        mass += cell;
        weighed += cell * slope;
        rise[i] = fmax(0, exp(most - top) - here) / slope;
        peak = fmax(peak, exp(most - top));
    }
    double beyond = 0;
    for (int i = DPN_MAX_CUTS - 1; i >= 0; i--) {
        beyond += rise[i];
        decay->cut[i].peaks = (decay->cut[i].peaks + beyond) / total * (1 + DPN_DECAY_MARGIN);
        decay->cut[i].excess *= (1 + DPN_DECAY_MARGIN) / total;
    }
    decay->cuts = DPN_MAX_CUTS;
}

/* ---- p < 2 ---- */

/* On side 1 the logarithm of the density, which is concave, and its slope. */
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

/* The mirror image of side 1 is smaller by the least loss there. On side -1 |L'| is at least its value at s = 0; the
 * mirror image is largest in the centre, and the density itself continues that of side 1 if it rises towards it. */
static double falling_peaks(const dpn_shape *shape, double kappa, double top) {
    const dpn_power *left = &shape->segment[0].power, *right = &shape->segment[1].power;
    double slope = dpn_power_loss_slope(left, 0), highest = dpn_power_top(left, kappa, 0, 0.5);
    double sum = largest_density(right, kappa, top) * (1 + exp(-(1 + 2 * kappa) * dpn_power_loss(right, 0)));
    sum += exp(dpn_power_tilted(left, -1 - kappa, 0.5) - top) / slope;
    return kappa >= 0 ? sum : sum + exp(dpn_power_tilted(left, kappa, highest) - top) / slope;
}

void dpn_decay_add_powers(dpn_decay *decay, const dpn_shape *shape, double theta, double top, double total) {
    double kappa = fmax(theta, -1 - theta);
    if (shape->segment[0].power.p > 2)
        add_cuts(decay, shape, kappa, top, total);
    else
        decay->peaks += falling_peaks(shape, kappa, top) / total * (1 + DPN_DECAY_MARGIN);
}
