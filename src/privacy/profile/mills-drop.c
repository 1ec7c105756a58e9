/* M(y) - M(y + a) = int_0^inf e^(-cu - u^2/2) 2 sinh(hu) du with c = y + h, h = a/2, since M(x) is the Laplace
 * transform of e^(-u^2/2). With I_n = int_0^inf u^n e^(-cu - u^2/2) du this is 2h [I_1 + h^2 I_3/3! + h^4 I_5/5! +
 * ...]: all terms are positive. I_0 = M(c), I_1 = 1 - c M(c), I_(n+1) = n I_(n-1) - c I_n.
 */
#include "privacy/profile/mills-drop.h"

#include "law/special.h"

/* (1 - x M(x)) (x + 1)^2 as a polynomial in q = (x - 5)/(x + 5), which maps [0, inf] to [-1, 1]: the Chebyshev series
 * of 27 terms, computed with 45 digits from 120 nodes and written in powers. The function lies between 0.9 and 1.6,
 * and the magnitudes of the coefficients sum to 2.5. */
static const double coefficient[] = {
    1.2945411512431624,      -0.36872296454501824,   -0.02803069962751519,   0.26116700784716246,
    -0.27354820376339606,    0.15402166231123107,    -0.02931098245941795,   -0.03186187270803922,
    0.034746226760707245,    -0.016131705895756486,  0.002328315612845713,   0.0015767756175029339,
    -0.0008527350887620751,  -3.5818170996182e-05,   0.00014695214465133784, -1.7203931061125266e-05,
    -2.3404251451748432e-05, 4.971636920474042e-06,  4.0148061855887895e-06, -9.985214771598005e-07,
    -7.59346786017823e-07,   1.6601511154204576e-07, 1.4464403282898365e-07, -2.1184998715660543e-08,
    -2.2672476012801747e-08, 1.5294186063516205e-09, 1.998220033195663e-09,
};

/* Three interleaved Horner schemes in q^3. */
double dpn_mills_slope(double x) {
    const double *c = coefficient;
    double q = x < INFINITY ? (x - 5) / (x + 5) : 1, q3 = q * q * q;
    double a0 = c[24], a1 = c[25], a2 = c[26];
    for (int i = 21; i >= 0; i -= 3) {
        a0 = a0 * q3 + c[i];
        a1 = a1 * q3 + c[i + 1];
        a2 = a2 * q3 + c[i + 2];
    }
    return (a0 + q * (a1 + q * a2)) / (x + 1) / (x + 1);
}

/* Below this c the recurrence is run upwards, where what it loses does not yet count; from it on downwards. */
#define DOWNWARD_FROM 3

static double series_upward(double c, double h) {
    double before = dpn_mills(c), odd = dpn_mills_slope(c), square = h * h;
    double sum = odd, factor = 1;
    for (int n = 1; n < 25; n += 2) {
        double even = n * before - c * odd; /* I_(n+1) */
        before = even;
        odd = (n + 1) * odd - c * even; /* I_(n+2) */
        factor *= square / ((n + 1) * (n + 2));
        if (!(factor * odd > 1e-17 * sum)) break;
        sum += factor * odd;
    }
    return 2 * h * sum;
}

/* The ratios I_n/I_(n-1) = n/(c + I_(n+1)/I_n) from deep inside, where the fixed point of r = n/(c + r) starts them.
 * The series, whose terms fall like (h/c)^2, is summed by Horner's rule on the way. The depth was found by trial. */
static double series_downward(double c, double h) {
    double square = h * h, sum = 1;
    if (square > 1e-17 * c * c) {
        int terms = square > 1e-4 * c * c ? 7 : square > 1e-8 * c * c ? 4 : 2;
        int n = 2 * (terms + (int)((9 + 120 / c) / c)) + 1;
        double ratio = 2 * (n + 1) / (c + sqrt(c * c + 4 * (n + 1)));
        for (; n > 1; n -= 2) {
            double odd = n / (c + ratio);
            ratio = (n - 1) / (c + odd);
            sum = 1 + square * ratio * odd / ((n - 1) * n) * sum;
        }
    }
    return 2 * h * dpn_mills_slope(c) * sum;
}

double dpn_mills_drop(double y, double a) {
    if (a > (y < 1 ? 0.5 : 0.25) * (1 + y)) return dpn_mills(y) - dpn_mills(y + a);
    double h = 0.5 * a, c = y + h;
    return c < DOWNWARD_FROM ? series_upward(c, h) : series_downward(c, h);
}
