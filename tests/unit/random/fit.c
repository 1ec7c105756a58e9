#include "unit/random/fit.h"

#include <math.h>

double fit_pearson(const uint64_t *count, const double *probability, size_t bins, double n) {
    double sum = 0;
    for (size_t i = 0; i < bins; i++) {
        double expected = n * probability[i], off = (double)count[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

double fit_pearson_limit(size_t bins, double alarm) {
    double d = (double)bins - 1, x = -log(alarm);
    return d + 2 * sqrt(d * x) + 2 * x;
}

double fit_kolmogorov(const uint64_t *count, const double *probability, size_t bins, double n) {
    double largest = 0, ours = 0, theirs = 0;
    for (size_t i = 0; i < bins; i++) {
        ours += (double)count[i] / n;
        theirs += probability[i];
        largest = fmax(largest, fabs(ours - theirs));
    }
    return largest;
}

double fit_kolmogorov_limit(double n, double alarm) {
    return sqrt(-log(alarm / 2) / (2 * n));
}
