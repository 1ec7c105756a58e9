/* Half sums of Gaussians over the integers. */
#include "law/gaussian-sum.h"

#include "law/special.h"

#include <math.h>

#define STEP law->constant[DPN_STEP]
#define RATE law->constant[DPN_RATE_HI]
#define SERIES (law->constant + DPN_SERIES)

/* Terms below this share of the sum are left out. */
#define CUT 0x1p-57

/* Euler-Maclaurin summation with p terms errs by a small multiple of ((c^2 + (p+1) h^2)/4 pi^2)^(p+1), c = h y. */
#define ORDER (DPN_BERNOULLI_TERMS + 1)
#define SMOOTH_SUM (2.0 / 3) /* error below 2^-49 of T */
#define SMOOTH_POWERS 0.3    /* error below 2^-48 of the sums with j and j^2, whose bounds are larger */

static double roughness(const dpn_law *law, double y) {
    double c = y * STEP;
    return c * c + ORDER * RATE;
}

/* The polynomial is sum_p B_2p/(2p)! h^(2p-1) He_(2p-1)(c/h) = sum_i a_i c^(2i+1) with Hermite's He_n; this is a_i. */
static double series_coefficient(double rate, int i) {
    double sum = 0, factor = 1; /* (2i+1+2m)!/((2i+1)! m!) (-h^2/2)^m */
    for (int m = 0; i + m < DPN_BERNOULLI_TERMS; m++) {
        sum += dpn_bernoulli[i + m] * factor;
        factor *= -(2 * (i + m) + 2) * (2 * (i + m) + 3) * 0.5 * rate / (m + 1);
    }
    return sum;
}

void dpn_half_sum_prepare(dpn_law *law, double sigma) {
    dpn_twofold square = dpn_two_product(sigma, sigma);
    double rate = 1 / square.hi;
    law->constant[DPN_RATE_HI] = rate;
    law->constant[DPN_RATE_LO] = (fma(-rate, square.hi, 1) - rate * square.lo) * rate;
    law->constant[DPN_STEP] = 1 / sigma;
    law->constant[DPN_DECAY] = exp(-0.5 * rate);
    if (dpn_half_sum_is_smooth(law, 0))
        for (int i = 0; i < DPN_BERNOULLI_TERMS; i++) law->constant[DPN_SERIES + i] = series_coefficient(rate, i);
}

bool dpn_half_sum_is_smooth(const dpn_law *law, double y) {
    return roughness(law, y) < SMOOTH_SUM;
}

/* Four terms at a time, each by its own recurrence w_(j+4) = w_j r_j, r_(j+4) = r_j exp(-16 h^2), so that the
 * processor need not wait for one product to begin the next. */
double dpn_half_sum_direct(const dpn_law *law, double y) {
    double q = exp(-y * STEP), d = law->constant[DPN_DECAY];
    double d2 = d * d, d4 = d2 * d2, d8 = d4 * d4, d16 = d8 * d8, d32 = d16 * d16;
    double q2 = q * q, q4 = q2 * q2;
    double w0 = 1, w1 = q * d, w2 = q2 * d4, w3 = q * q2 * (d8 * d);
    double r0 = q4 * d16, r1 = r0 * d8, r2 = r1 * d8, r3 = r2 * d8;
    double sum = (w0 + w1) + (w2 + w3);
    while (w3 > CUT) {
        w0 *= r0, w1 *= r1, w2 *= r2, w3 *= r3;
        r0 *= d32, r1 *= d32, r2 *= d32, r3 *= d32;
        sum += (w0 + w1) + (w2 + w3);
    }
    return sum;
}

/* The polynomial divided by c, at x = c^2. Below 2^-9 its first three terms are enough. */
static double series(const double *a, double x) {
    if (x < 0x1p-9) return a[0] + x * (a[1] + x * a[2]);
    double x2 = x * x, x4 = x2 * x2;
    return ((a[0] + x * a[1]) + x2 * (a[2] + x * a[3])) + x4 * ((a[4] + x * a[5]) + x2 * (a[6] + x * a[7]));
}

double dpn_half_sum_smooth(const dpn_law *law, double y) {
    double c = y * STEP;
    return dpn_mills(y) / STEP + (0.5 + c * series(SERIES, c * c));
}

double dpn_half_sum(const dpn_law *law, double y) {
    return dpn_half_sum_is_smooth(law, y) ? dpn_half_sum_smooth(law, y) : dpn_half_sum_direct(law, y);
}

static dpn_power_sums powers_direct(const dpn_law *law, double y) {
    double d = law->constant[DPN_DECAY], d2 = d * d;
    double w = 1, r = exp(-y * STEP) * d;
    dpn_power_sums s = {1, 0, 0};
    for (double j = 1;; j++) {
        w *= r;
        r *= d2;
        s.zeroth += w;
        s.first += j * w;
        s.second += j * j * w;
        if (j * j * w <= CUT * s.second) return s; /* also when w has vanished */
    }
}

/* Derivatives of T with respect to -y bring down powers of h j, those of the Mills ratio its moments. */
static dpn_power_sums powers_smooth(const dpn_law *law, double y) {
    const double *a = SERIES;
    double h = STEP, c = y * h, x = c * c;
    double value = 0, slope = 0, bend = 0; /* of the polynomial, over c, 1 and c */
    for (int i = DPN_BERNOULLI_TERMS - 1; i >= 0; i--) {
        value = value * x + a[i];
        slope = slope * x + (2 * i + 1) * a[i];
        if (i > 0) bend = bend * x + (2 * i + 1) * (2 * i) * a[i];
    }
    double mills = dpn_mills(y);
    return (dpn_power_sums){
        mills / h + (0.5 + c * value),
        dpn_mills_gap(y) / h / h - slope,
        mills * dpn_mills_square(y) / h / h / h + c * bend,
    };
}

dpn_power_sums dpn_half_sum_powers(const dpn_law *law, double y) {
    return roughness(law, y) < SMOOTH_POWERS ? powers_smooth(law, y) : powers_direct(law, y);
}

/* sum over 1 <= i <= last of exp(-i d - i^2 h^2/2) for |d| <= h^2/2, where no term is above 1. Both may be large and
 * all but cancel. */
static double few_terms(dpn_twofold rate, dpn_twofold d, double last) {
    double sum = 0;
    for (double i = 1; i <= last; i++) {
        dpn_twofold slope = dpn_two_add(d, dpn_two_multiply(dpn_two(0.5 * i), rate));
        double term = fmin(1, dpn_two_exp_minus(dpn_two_multiply(dpn_two(i), slope)));
        sum += term;
        if (term <= CUT * sum) break;
    }
    return sum;
}

/* d + r h^2. */
static dpn_twofold slope_at(dpn_twofold rate, dpn_twofold d, double r) {
    return dpn_two_add(d, dpn_two_multiply(dpn_two(r), rate));
}

/* The sum around its largest term, at the whole number r next to -d/h^2. As a quotient of doubles this may be the
 * wrong one of two that are all but equally near, and the terms may still differ by a large factor. */
static dpn_tail tilted_coarse(dpn_twofold rate, dpn_twofold d) {
    double r = floor(0.5 - d.hi / rate.hi);
    /* An exponent above 2^97 leaves no room for the rest. */
    if (r > 0x1p50) return (dpn_tail){1, dpn_two(-0.5 * d.hi * (d.hi / rate.hi))};
    if (slope_at(rate, d, r + 0.5).hi < 0) r++;
    if (r > 0 && slope_at(rate, d, r - 0.5).hi > 0) r--;
    dpn_twofold slope = slope_at(rate, d, r);
    double sum = 1 + few_terms(rate, slope, INFINITY) + few_terms(rate, dpn_two_negate(slope), r);
    return (dpn_tail){sum, dpn_two_multiply(dpn_two(r), slope_at(rate, d, 0.5 * r))};
}

/* For h <= 1/2 the sum over all integers is sqrt(2 pi)/h exp(y^2/2), y = -d/h, to 1e-34 (Poisson); those below 0 are
 * taken off, at most half of it. */
static dpn_tail tilted_smooth(const dpn_law *law, double sigma, dpn_twofold d) {
    dpn_twofold y = dpn_two_multiply(d, dpn_two(-sigma));
    dpn_twofold exponent = dpn_two_multiply(dpn_two_scale(y, -0.5), y);
    double below = exponent.hi < -100 ? 0 : exp(exponent.hi) * (dpn_half_sum(law, y.hi) - 1);
    return (dpn_tail){sigma * DPN_SQRT_2PI - below, exponent};
}

dpn_tail dpn_half_sum_tilted(const dpn_law *law, double sigma, dpn_twofold d) {
    if (d.hi >= 0) return (dpn_tail){dpn_half_sum(law, d.hi * sigma), dpn_two(0)};
    return sigma >= 2 ? tilted_smooth(law, sigma, d) : tilted_coarse(dpn_rate(law), d);
}
