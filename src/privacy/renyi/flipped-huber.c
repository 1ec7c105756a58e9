/* The functions of the flipped Huber papers that bound its privacy loss by an affine function. */
#include "privacy/renyi/flipped-huber.h"

#include "law/special.h"

#include <math.h>

double dpn_fh_r(double sensitivity, double alpha) {
    return alpha < sensitivity ? alpha * alpha : sensitivity * (2 * alpha - sensitivity);
}

double dpn_fh_r_inverse(double sensitivity, double nu) {
    double square = sensitivity * sensitivity;
    return nu < square ? sqrt(nu) : 0.5 * (nu + square) / sensitivity;
}

/* (omega - sqrt(2 pi))/2 = int_0^b (1 - e^(-s^2/2)) ds + (2/b)(sinh x - x), x = b^2/2, by series; b < 0.7. */
static double half_excess(double b) {
    double x = 0.5 * b * b, sum = 0, term = b;
    for (int n = 1; n < 30; n++) { /* -(-x)^n/n! b/(2n+1) */
        term *= -x / n;
        sum -= term / (2 * n + 1);
        if (fabs(term) < 1e-18 * fabs(sum)) break;
    }
    double odd = x;
    for (int n = 3; n < 30; n += 2) {
        odd *= x * x / (n * (n - 1));
        sum += 2 / b * odd;
        if (odd < 1e-18 * b * sum) break;
    }
    return sum;
}

/* log(omega e^-x), omega e^-x = 2 (M(b) e^(-b^2) + (1 - e^(-b^2))/b). */
static double log_w(double b) {
    return log(2 * (dpn_mills(b) * exp(-b * b) - expm1(-b * b) / b));
}

double dpn_fh_theta(double alpha, double gamma) {
    double b = alpha / gamma;
    if (b == 0) return 0;
    /* Q(z) = sqrt(pi/2)/omega; near 1/2 the distance from it is what counts: (d/2)/(sqrt(2 pi) + d), d = omega - sqrt(2 pi). */
    if (b < 0.7) {
        double d = 2 * half_excess(b);
        return gamma * dpn_q_central_inverse(0.5 * d / (DPN_SQRT_2PI + d));
    }
    return gamma * dpn_log_q_inverse(log(DPN_SQRT_PI_2) - log_w(b) - 0.5 * b * b);
}
