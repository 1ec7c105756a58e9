/* The profile of a start box. With E the epsilon of the block, s = epsilon/E, |s| <= 1, and b the lesser of (1 - |s|)/2 and the least
 * offset,
 *     1 - delta(epsilon) = e^(-E (1-s)/2) (1 + rho(b)),   rho(b) = f(0) int_0^b e^(E u) prod (1 - u/c_i) du,
 * f(0) the density of the hidden size at 0. */
#include "calibrate/start-profile.h"

#include "base/error.h"
#include "calibrate/start-law.h"
#include "privacy/loss/gauss-legendre.h"

#include <math.h>
#include <stdlib.h>

enum { HALF = 128 }; /* points on each side of 0 */
#define MARGIN 1e-9  /* of rho: 1000 times its measured error */

static double least_offset(const dpn_block *block) {
    double least = block->start[0];
    for (size_t i = 1; i < block->count; i++) least = fmin(least, block->start[i]);
    return least;
}

/* e^(E u) prod (1 - u/c_i). */
static double weight(const dpn_block *block, double u) {
    double product = 1, log_sum = block->epsilon * u;
    for (size_t i = 0; i < block->count; i++) {
        product *= 1 - u / block->start[i];
        if (product < 0x1p-900) {
            log_sum += log(product);
            product = 1;
        }
    }
    return exp(log_sum) * product;
}

/* Its integral over an interval that is short beside the offsets and 1/E: a polynomial times an exponential, by eight points in panels. */
static double integral(const dpn_block *block, double from, double to) {
    const dpn_gauss *rule = &dpn_gauss_rule[0];
    double sum = 0, panels = ceil((to - from) * (block->epsilon + 1) * 2) + 1, half = 0.5 * (to - from) / panels;
    for (double p = 0; p < panels; p++)
        for (size_t i = 0; i < rule->half; i++) {
            double middle = from + (2 * p + 1) * half, away = half * rule->node[i];
            sum += half * rule->weight[i] * (weight(block, middle - away) + weight(block, middle + away));
        }
    return sum;
}

static double reach(double s, double least) {
    return fmin(0.5 * (1 - fabs(s)), least);
}

double dpn_start_delta_upper(const dpn_block *block, double epsilon) {
    double s = epsilon / block->epsilon;
    if (s >= 1) return 0;
    if (s <= -1) return -expm1(epsilon);
    double rho = 0;
    if (block->start_law && block->start_law->at_start > 0) {
        double b = reach(s, least_offset(block));
        rho = block->start_law->at_start * integral(block, 0, b) * (1 - MARGIN);
    }
    double laplace = -expm1(0.5 * (epsilon - block->epsilon));
    return fmax(0, laplace - rho * exp(0.5 * (epsilon - block->epsilon)));
}

/* delta at the values E k/HALF, k = -HALF .. HALF. rho is added up from the ends, where b is 0, to the middle. */
static void fill_deltas(double *delta, const dpn_block *block, double least) {
    double rho = 0, before = 0, epsilon = block->epsilon;
    delta[0] = -expm1(-epsilon);
    delta[2 * HALF] = 0;
    for (int k = HALF - 1; k >= 0; k--) {
        double s = (double)k / HALF, b = reach(s, least);
        if (b > before) rho += block->start_law->at_start * integral(block, before, b);
        before = b;
        for (int sign = -1; sign <= 1; sign += 2) {
            double half = 0.5 * epsilon * (sign * s - 1);
            delta[HALF + sign * k] = fmax(0, -expm1(half) - rho * (1 - MARGIN) * exp(half));
        }
    }
}

/* The profile that is linear in e^epsilon between the points: its slope there jumps by the probability of each value under the second
 * distribution. False if rounding makes a jump negative. */
static bool fill_loss(double *numbers, size_t count, const double *delta, double epsilon) {
    double before = -1;
    for (size_t k = 0; k < count; k++) {
        double value = k == HALF ? 0 : epsilon * ((double)k - HALF) / HALF, slope = 0;
        if (k + 1 < count) {
            double next = epsilon * ((double)k + 1 - HALF) / HALF;
            slope = (delta[k + 1] - delta[k]) / (exp(value) * expm1(next - value));
        }
        numbers[k] = value;
        numbers[count + k] = exp(value) * (slope - before);
        if (!(numbers[count + k] > 0)) return false;
        before = slope;
    }
    numbers[count - 1] = epsilon;
    return true;
}

dpn_status dpn_start_loss(double **numbers, size_t *count, const dpn_block *block, dpn_error *why) {
    const double worth = 1e-3;
    *numbers = NULL;
    *count = 2 * HALF + 1;
    if (!block->start_law || !(block->start_law->at_start > 0) || !(block->epsilon > 1e-6 && block->epsilon < 100))
        return DPN_OK;
    double least = least_offset(block), delta[2 * HALF + 1];
    double most = block->start_law->at_start * integral(block, 0, reach(0, least));
    if (!(most > worth)) return DPN_OK;
    double *made = malloc(2 * *count * sizeof *made);
    if (!made) return dpn_fail(why, DPN_ENOMEM, "no memory for the profile of a start box");
    fill_deltas(delta, block, least);
    if (!fill_loss(made, *count, delta, block->epsilon)) {
        free(made);
        return DPN_OK;
    }
    *numbers = made;
    return DPN_OK;
}
