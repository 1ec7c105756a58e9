#include "unit/random/gamma-law.h"

#include <math.h>

double gamma_sf(int shape, double x) {
    double term = 1, sum = 1; /* e^-x sum_{k < shape} x^k/k!, from the largest term downwards in effect */
    if (x <= 0) return 1;
    int top = shape - 1;
    for (int k = top; k > 0; k--) {
        term *= k / x;
        sum += term;
    }
    return exp(top * log(x) - x - lgamma(shape) + log(sum));
}

double box_coordinate_sf(int dimension, double t) {
    return gamma_sf(dimension + 1, t) - t / dimension * gamma_sf(dimension, t);
}
