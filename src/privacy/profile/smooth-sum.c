/* The trapezoidal sum of a smooth f over a stretch, with step m, is by Euler and Maclaurin a power series in m^2.
 * Romberg's rule extrapolates it to m = 0, the integral. Extrapolated to m = 1 instead, with whole m, it is the sum
 * over the whole numbers of the stretch, whatever their count, and f is asked at whole numbers only.
 */
#include "privacy/profile/smooth-sum.h"

#include <math.h>

enum { LEVELS = 5, CELLS = 1 << LEVELS };

/* What two orders may differ by rounding alone, relative to the sum. */
#define ROUNDING 1e-13

/* Neville's scheme in m^2: row[i] is the trapezoidal sum with the step finest * 2^(LEVELS-i). Returns the value at m
 * = target and in *difference by how much the two values differ that the last order combines: where f bends, so much
 * may be wrong; where it is smooth, the result is better by far. */
static double extrapolate(double *row, double finest, double target, double *difference) {
    for (int order = 1; order <= LEVELS; order++) {
        for (int i = LEVELS; i >= order; i--) {
            double near = target / ldexp(finest, LEVELS - i), apart = row[i] - row[i - 1];
            row[i] += apart * (1 - near * near) / (ldexp(1, 2 * order) - 1);
            if (i == LEVELS) *difference = fabs(apart);
        }
    }
    return row[LEVELS];
}

/* The sum over low <= x < low + CELLS * step. */
static double romberg(const dpn_summand *summand, double low, double step, double *difference) {
    double value[CELLS + 1], row[LEVELS + 1];
    for (int i = 0; i <= CELLS; i++) value[i] = summand->f(summand->context, low + i * step);
    double ends = 0.5 * (value[0] + value[CELLS]), inner = 0;
    for (int level = 0; level <= LEVELS; level++) {
        int stride = CELLS >> level;
        for (int i = stride; i < CELLS; i += 2 * stride) inner += value[i];
        row[level] = (ends + inner) * stride * step;
    }
    double result = extrapolate(row, step, summand->whole ? 1 : 0, difference);
    return summand->whole ? result + 0.5 * (value[0] - value[CELLS]) : result;
}

static double add_up(const dpn_summand *summand, double low, double high) {
    double sum = 0;
    for (double x = low; x < high; x++) sum += summand->f(summand->context, x);
    return sum;
}

void dpn_smooth_add(dpn_smooth_total *total, const dpn_summand *summand, double low, double high, double goal) {
    if (!(high > low)) return;
    if (summand->whole && high - low <= 2 * CELLS) {
        total->sum += add_up(summand, low, high);
        return;
    }
    total->budget--;
    double step = (high - low) / CELLS, difference;
    if (summand->whole) step = floor(step);
    double sum = romberg(summand, low, step, &difference), middle = low + CELLS / 2 * step;
    if (difference <= goal || difference <= ROUNDING * sum || total->budget <= 0 || !(middle > low && middle < high)) {
        /* What does not fill the cells is added one by one. */
        if (summand->whole) sum += add_up(summand, low + CELLS * step, high);
        total->sum += sum;
        total->error += difference;
        return;
    }
    dpn_smooth_add(total, summand, low, middle, goal);
    dpn_smooth_add(total, summand, middle, high, goal);
}
