/* Sensitivity spaces. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "geometry/ball.h"
#include "random/source.h"

dpn_status dpn_sensitivity_upper(double *out, const dpn_norm_ball *ball, const double *point, size_t count,
                                 dpn_error *why) {
    double most = 0;
    if (ball == NULL || point == NULL || count == 0)
        return dpn_fail(why, DPN_EDOMAIN, "a sensitivity needs a ball and points");
    for (size_t i = 0; i < count; i++) {
        double one;
        dpn_status status = dpn_ball_norm_upper(&one, ball, point + i * ball->dimension, why);
        if (status) return status;
        most = fmax(most, one);
    }
    *out = most;
    return DPN_OK;
}

/* a + b if that is exact (Knuth's two-sum), and a b likewise: from 2^-960 on what is missing of a product is a double. */
static bool exact_sum(double *sum, double a, double b) {
    double s = a + b, t = s - a;
    *sum = s;
    return isfinite(s) && (a - (s - t)) + (b - t) == 0;
}

static bool exact_product(double *product, double a, double b) {
    *product = a * b;
    if (a == 0 || b == 0) return isfinite(*product);
    return isfinite(*product) && fabs(*product) >= 0x1p-960 && fma(a, b, -*product) == 0;
}

static dpn_status refuse_inexact(dpn_error *why) {
    return dpn_fail(why, DPN_EACCURACY,
                    "a vertex of the space is not exactly a double: round the map or the box to fewer digits");
}

dpn_status dpn_space_linear(double *point, size_t dimension, const double *matrix, size_t inputs, const double *low,
                            const double *high, dpn_error *why) {
    if (!point || !matrix || !low || !high || dimension == 0 || inputs == 0 || inputs > 20)
        return dpn_fail(why, DPN_EDOMAIN, "a linear space has a map and a box of 1 to 20 inputs");
    for (size_t j = 0; j < inputs; j++)
        if (!(isfinite(low[j]) && isfinite(high[j]) && low[j] <= high[j]))
            return dpn_fail(why, DPN_EDOMAIN, "the bounds of input %zu must be finite, the lower one first", j);
    size_t numbers = dimension << (inputs - 1);
    for (size_t k = 0; k < 2 * numbers; k++) { /* once to see that all is exact, and once to write */
        size_t at = k % numbers, signs = at / dimension, i = at % dimension;
        double sum = 0;
        for (size_t j = 0; j < inputs; j++) {
            double width, term;
            if (!exact_sum(&width, high[j], -low[j]) || !exact_product(&term, matrix[i * inputs + j], width) ||
                !exact_sum(&sum, sum, signs >> j & 1 ? -term : term))
                return refuse_inexact(why);
        }
        if (k >= numbers) point[at] = sum;
    }
    return DPN_OK;
}

static bool draw_record(double *record, size_t inputs, const double *low, const double *high, dpn_rng *rng) {
    for (size_t j = 0; j < inputs; j++) {
        double x;
        if (!dpn_uniform(rng, &x)) return false;
        record[j] = low[j] + x * (high[j] - low[j]);
    }
    return true;
}

dpn_status dpn_space_sampled(double *point, size_t count, size_t dimension, size_t inputs, const double *low,
                             const double *high, void (*statistic)(double *out, void *context, const double *record),
                             void *context, dpn_rng *rng, dpn_error *why) {
    if (!point || !low || !high || !statistic || !rng || dimension == 0 || inputs == 0)
        return dpn_fail(why, DPN_EDOMAIN, "a sampled space needs a statistic, a box and a random source");
    double *work = calloc(inputs + dimension, sizeof *work);
    if (work == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a space");
    dpn_status status = DPN_OK;
    for (size_t k = 0; k < count && !status; k++) {
        double *to = point + k * dimension, *other = work + inputs;
        if (!draw_record(work, inputs, low, high, rng)) status = dpn_rng_failure(rng, why);
        if (!status) statistic(to, context, work);
        if (!status && !draw_record(work, inputs, low, high, rng)) status = dpn_rng_failure(rng, why);
        if (!status) statistic(other, context, work);
        for (size_t i = 0; i < dimension && !status; i++) to[i] -= other[i];
    }
    free(work);
    return status;
}
