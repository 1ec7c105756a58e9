/* Sums over the points of a privacy loss that give its Renyi divergences. */
#include "privacy/renyi/tilt.h"

#include <float.h>
#include <math.h>

#define ROUND (0.5 * DBL_EPSILON)

dpn_tilt dpn_tilt_begin(double theta, bool symmetric) {
    return (dpn_tilt){.theta = theta, .symmetric = symmetric};
}

/* (e^(theta L) - 1)/theta. */
static double relative_growth(double theta, double loss) {
    double exponent = theta * loss;
    if (fabs(exponent) < 1e-200) return loss; /* theta itself may be 0 */
    return expm1(exponent) / theta;
}

double dpn_tilt_gain(double theta, double loss) {
    return relative_growth(theta, loss) * -expm1(-(1 + theta) * loss);
}

/* Make the unit at least e^exponent. */
static void raise(dpn_tilt *tilt, double exponent) {
    if (exponent <= tilt->top) return;
    double factor = exp(tilt->top - exponent);
    tilt->tilted = dpn_two_times(tilt->tilted, factor);
    tilt->tilted_error *= factor;
    tilt->top = exponent;
}

void dpn_tilt_add(dpn_tilt *tilt, double loss, double log_mass, double weight, double magnitude) {
    double theta = tilt->theta, exponent = log_mass + theta * loss;
    raise(tilt, exponent);
    double plus = weight * exp(exponent - tilt->top), gain;
    if (tilt->symmetric) {
        plus += weight * exp(log_mass - (1 + theta) * loss - tilt->top);
        gain = dpn_tilt_gain(theta, loss);
    } else {
        gain = relative_growth(theta, loss);
    }
    /* Far out the mass may underflow while its tilted self does not: there e^(theta L) - 1 is e^(theta L). */
    gain = theta * loss > 40 ? weight * exp(exponent) / theta : gain * weight * exp(log_mass);
    /* Each exponential has the error of its argument and of exp; the sums are exact to twice the precision. */
    double relative = ROUND * (32 + 16 * (magnitude + (1 + theta) * fabs(loss)));
    tilt->tilted = dpn_two_add(tilt->tilted, dpn_two(plus));
    tilt->gain = dpn_two_add(tilt->gain, dpn_two(gain));
    tilt->tilted_error += relative * plus;
    tilt->gain_error += relative * fabs(gain);
}

double dpn_tilt_of_gain(double theta, double gain) {
    double above = theta * gain;
    return above < 1e-200 ? gain : gain * (log1p(above) / above);
}

dpn_growth dpn_tilt_divergence(const dpn_tilt *tilt, double plain, double plain_error) {
    double gain = dpn_two_value(tilt->gain) / plain, theta = tilt->theta;
    if (theta * gain < DPN_WEAK) {
        double error = tilt->gain_error / fabs(dpn_two_value(tilt->gain)) + plain_error + 16 * ROUND;
        return (dpn_growth){dpn_tilt_of_gain(theta, gain), error};
    }
    double tilted = dpn_two_value(tilt->tilted), log_mass = log(tilted / plain), cumulant = tilt->top + log_mass;
    double error = tilt->tilted_error / tilted + plain_error + 8 * ROUND * (1 + fabs(tilt->top) + fabs(log_mass));
    return (dpn_growth){cumulant / theta, 1.5 * error / cumulant + 4 * ROUND};
}
