/* The functions of the flipped Huber papers that bound its privacy loss by an affine function. */
#include "privacy/renyi/flipped-huber.h"

#include "base/error.h"
#include "law/family.h"
#include "law/special.h"

#include <dpnoise/loss.h>

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
    if (b == 0) return 0;
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

/* ---- By name ---- */

static bool is_size(double x) {
    return x >= 0 && isfinite(x);
}

double dpn_flipped_huber_r(double sensitivity, double alpha) {
    return is_size(sensitivity) && sensitivity > 0 && is_size(alpha) ? dpn_fh_r(sensitivity, alpha) : NAN;
}

double dpn_flipped_huber_r_inverse(double sensitivity, double nu) {
    return is_size(sensitivity) && sensitivity > 0 && is_size(nu) ? dpn_fh_r_inverse(sensitivity, nu) : NAN;
}

static dpn_status check_law(const dpn_law *law, dpn_error *why) {
    static const struct dpn_family *const family = &dpn_flipped_huber;
    if (law->family == family) return DPN_OK;
    return dpn_fail(why, DPN_EUNSUPPORTED, "this is about %s noise, not %s", family->name, law->family->name);
}

dpn_status dpn_flipped_huber_terms_of(dpn_flipped_huber_terms *out, const dpn_law *law, dpn_error *why) {
    dpn_status status = check_law(law, why);
    if (status) return status;
    double alpha = law->parameter[0], gamma = law->parameter[1], b = alpha / gamma;
    double excess = b < 0.7 ? 2 * half_excess(b) : 0;
    double log_omega = b < 0.7 ? DPN_LOG_SQRT_2PI + log1p(excess / DPN_SQRT_2PI) : log_w(b) + 0.5 * b * b;
    double root = exp(0.25 * b * b); /* its square may overflow where omega does not */
    double omega = b < 0.7 ? DPN_SQRT_2PI + excess : exp(log_w(b)) * root * root;
    *out = (dpn_flipped_huber_terms){omega, log_omega, dpn_fh_theta(alpha, gamma)};
    return DPN_OK;
}

/* In units of gamma: where the cases begin, as functions of d = D/gamma and b. */
dpn_status dpn_flipped_huber_case(int *out, const dpn_law *law, double sensitivity, double epsilon, dpn_error *why) {
    dpn_status status = check_law(law, why);
    if (status) return status;
    if (!(is_size(sensitivity) && sensitivity > 0 && is_size(epsilon)))
        return dpn_fail(why, DPN_EDOMAIN, "sensitivity must be positive, epsilon not negative, and both finite");
    double b = law->parameter[0] / law->parameter[1], d = sensitivity / law->parameter[1];
    double third = b < 0.5 * d ? 0.5 * d * (d - 2 * b) : b * fmin(2 * b - d, d);
    double gap = fmax(d - b, 0), fourth = 0.5 * gap * gap + b * d, fifth = 0.5 * d * (d + 2 * b);
    *out = epsilon >= fifth ? 5 : epsilon >= fourth ? 4 : epsilon >= third ? 3 : b < 0.5 * d ? 1 : 2;
    return DPN_OK;
}
