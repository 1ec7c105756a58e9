/* Special functions that the laws share. */
#include "law/special.h"

static dpn_twofold half_square(double x) {
    return dpn_two_product(x, 0.5 * x);
}

double dpn_q(double x) {
    if (x < 0) return 1 - dpn_q(-x);
    return dpn_mills(x) / DPN_SQRT_2PI * dpn_two_exp_minus(half_square(x));
}

double dpn_log_q(double x) {
    if (x < 0) return log1p(-dpn_q(-x));
    dpn_twofold y = half_square(x);
    return (log(dpn_mills(x) / DPN_SQRT_2PI) - y.hi) - y.lo;
}

/* Newton's method, whose error after a step is of the order of the square of the step, ends at a step this small. */
#define LAST_STEP 1e-9

/* log Q is concave and decreasing with slope -1/M, so Newton's method converges from any start, after the first step
 * from the right. */
double dpn_log_q_inverse(double l) {
    if (l == -INFINITY) return INFINITY;
    double s = sqrt(2) * sqrt(fmax(0, -(l + DPN_LOG_SQRT_2PI)));
    double x = s > 2 ? s - log(s) / s : 0;
    for (int i = 0; i < 50; i++) {
        double next = fmax(0, x + (dpn_log_q(x) - l) * dpn_mills(x));
        if (fabs(next - x) <= LAST_STEP * next) return next;
        x = next;
    }
    return x;
}

/* Newton's method on 1/2 - Q, which is concave: from the left it stays there. */
double dpn_q_central_inverse(double mass) {
    if (mass > 0.3) return dpn_log_q_inverse(log(0.5 - mass));
    double x = mass * DPN_SQRT_2PI;
    for (int i = 0; i < 50; i++) {
        double step = (mass - 0.5 * erf(x * DPN_SQRT_1_2)) * DPN_SQRT_2PI * exp(0.5 * x * x);
        x += step;
        if (fabs(step) <= LAST_STEP * x) break;
    }
    return x;
}

double dpn_q_inverse(double p) {
    return p >= 0.25 ? dpn_q_central_inverse(0.5 - p) : dpn_log_q_inverse(log(p));
}

/* e^-y sum_{n>=k} y^n/n!: all terms positive. */
static double gamma_series(double y, int k) {
    double term = 1;
    for (int n = 1; n <= k; n++) term *= y / n;
    double sum = 0;
    for (int n = k + 1; term > 1e-18 * sum; n++) {
        sum += term;
        term *= y / n;
    }
    return exp(-y) * sum;
}

/* From y = 50 on both functions round to 1. */
double dpn_gamma_p2(double y) {
    if (y < 2) return gamma_series(y, 2);
    return y > 50 ? 1 : 1 - exp(-y) * (1 + y);
}

double dpn_gamma_p3(double y) {
    if (y < 3) return gamma_series(y, 3);
    return y > 50 ? 1 : 1 - exp(-y) * (1 + y * (1 + 0.5 * y));
}

double dpn_exprel_minus(double x) {
    if (x == 0) return 1;
    return x == -INFINITY ? INFINITY : -expm1(-x) / x;
}

/* Below 1 by sum_n (-x)^n/(n+2)!. */
double dpn_exprel2_minus(double x) {
    if (!(x < 1)) return (1 - dpn_exprel_minus(x)) / x;
    double term = 0.5, sum = 0;
    for (int n = 3; fabs(term) > 1e-18; n++) {
        sum += term;
        term *= -x / n;
    }
    return sum;
}
