/* Sums over the points of a privacy loss that give its Renyi divergences. */
#include "privacy/renyi/tilted.h"

#include <float.h>
#include <math.h>

#define ROUND (0.5 * DBL_EPSILON)

dpn_tilted dpn_tilted_begin(double theta, bool symmetric) {
    return (dpn_tilted){.theta = theta, .symmetric = symmetric};
}

/* (e^(theta L) - 1)/theta. */
static double relative_growth(double theta, double loss) {
    double exponent = theta * loss;
    if (fabs(exponent) < 1e-200) return loss; /* theta itself may be 0 */
    return expm1(exponent) / theta;
}

double dpn_tilted_gain(double theta, double loss) {
    return relative_growth(theta, loss) * -expm1(-(1 + theta) * loss);
}

/* Make the unit at least e^exponent. */
static void raise(dpn_tilted *tilt, double exponent) {
    if (exponent <= tilt->top) return;
    double factor = exp(tilt->top - exponent);
    tilt->tilted = dpn_two_times(tilt->tilted, factor);
    tilt->tilted_error *= factor;
    tilt->top = exponent;
}

/* The unit is 1 and nothing overflows or underflows: three exponentials give everything. */
static void add_ordinary(dpn_tilted *tilt, double loss, double log_mass, double weight, double relative) {
    double theta = tilt->theta, mass = weight * exp(log_mass), growth = relative_growth(theta, loss);
    double plus = mass * (1 + theta * growth), gain = mass * growth;
    if (tilt->symmetric) {
        double fall = expm1(-(1 + theta) * loss);
        plus += mass * (1 + fall);
        gain *= -fall;
    }
    tilt->tilted = dpn_two_add(tilt->tilted, dpn_two(plus));
    tilt->gain = dpn_two_add(tilt->gain, dpn_two(gain));
    tilt->tilted_error += relative * plus;
    tilt->gain_error += relative * fabs(gain);
}

/* Masses that are far from 1: the gain is then not used, unless it is theirs by a hair. */
static void add_extreme(dpn_tilted *tilt, double loss, double log_mass, double weight, double relative) {
    double theta = tilt->theta, exponent = log_mass + theta * loss;
    raise(tilt, exponent);
    double plus = weight * exp(exponent - tilt->top);
    if (tilt->symmetric) plus += weight * exp(log_mass - (1 + theta) * loss - tilt->top);
    /* Where the mass underflows its tilted self may not: there e^(theta L) - 1 is e^(theta L). */
    double gain =
        theta * loss > 40 ? weight * exp(exponent) / theta : weight * exp(log_mass) * relative_growth(theta, loss);
    if (tilt->symmetric) gain *= -expm1(-(1 + theta) * loss);
    tilt->tilted = dpn_two_add(tilt->tilted, dpn_two(plus));
    tilt->gain = dpn_two_add(tilt->gain, dpn_two(gain));
    tilt->tilted_error += relative * plus;
    tilt->gain_error += relative * fabs(gain);
}

void dpn_tilted_add(dpn_tilted *tilt, double loss, double log_mass, double weight, double magnitude) {
    /* Each exponential has the error of its argument and of exp; the sums are exact to twice the precision. The error of
     * e^(-(1+theta) L), relative to 1 or to e^(theta L), is at most that of exp, since x e^-x < 1. */
    double relative = ROUND * (32 + 16 * (magnitude + tilt->theta * fabs(loss)));
    bool ordinary = tilt->top == 0 && tilt->theta * loss < 300 && log_mass > -300 && log_mass < 300;
    (ordinary ? add_ordinary : add_extreme)(tilt, loss, log_mass, weight, relative);
}

double dpn_tilted_of_gain(double theta, double gain) {
    double above = theta * gain;
    return above < 1e-200 ? gain : gain * (log1p(above) / above);
}

dpn_growth dpn_tilted_divergence(const dpn_tilted *tilt, double plain, double plain_error) {
    double gain = dpn_two_value(tilt->gain) / plain, theta = tilt->theta;
    if (theta * gain < DPN_WEAK) {
        double error = tilt->gain_error / fabs(dpn_two_value(tilt->gain)) + plain_error + 16 * ROUND;
        return (dpn_growth){dpn_tilted_of_gain(theta, gain), error};
    }
    double tilted = dpn_two_value(tilt->tilted), log_mass = log(tilted / plain), cumulant = tilt->top + log_mass;
    double error = tilt->tilted_error / tilted + plain_error + 8 * ROUND * (1 + fabs(tilt->top) + fabs(log_mass));
    return (dpn_growth){cumulant / theta, 1.5 * error / cumulant + 4 * ROUND};
}
