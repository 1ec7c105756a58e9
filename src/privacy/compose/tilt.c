/* A discrete loss under an exponential tilt. */
#include "privacy/compose/tilt.h"

#include <math.h>

dpn_moments dpn_tilted_moments(const dpn_dots *dots, double theta) {
    double top = -INFINITY, sum = 0, first = 0, second = 0;
    for (size_t j = 0; j < dots->grid.count; j++)
        top = fmax(top, dots->log_mass[j] + theta * dpn_dot_grid_value(&dots->grid, j));
    for (size_t j = 0; j < dots->grid.count; j++) {
        if (dots->log_mass[j] == -INFINITY) continue;
        double value = dpn_dot_grid_value(&dots->grid, j), weight = exp(dots->log_mass[j] + theta * value - top);
        sum += weight;
        first += weight * value;
        second += weight * value * value;
    }
    double mean = first / sum;
    return (dpn_moments){top + log(sum), mean, fmax(0, second / sum - mean * mean)};
}

dpn_moments dpn_tilt(double *mass, const dpn_dots *dots, double theta) {
    size_t count = dots->grid.count;
    double top = -INFINITY, sum = 0, first = 0, second = 0;
    for (size_t j = 0; j < count; j++) {
        mass[j] = dots->log_mass[j] + theta * dpn_dot_grid_value(&dots->grid, j);
        top = fmax(top, mass[j]);
    }
    for (size_t j = 0; j < count; j++) sum += mass[j] = mass[j] > -INFINITY ? exp(mass[j] - top) : 0;
    for (size_t j = 0; j < count; j++) {
        double value = dpn_dot_grid_value(&dots->grid, j);
        mass[j] /= sum;
        first += mass[j] * value;
        second += mass[j] * value * value;
    }
    return (dpn_moments){top + log(sum), first, fmax(0, second - first * first)};
}

/* exp(lambda value) is a geometric sequence on the grid, begun anew often enough to keep its digits, and before a factor that
 * underflows at the beginning of a run could matter at its end: the sum is 1 at least, by Jensen's inequality. */
double dpn_log_mgf(const double *mass, const dpn_dot_grid *grid, double lambda, double centre) {
    const size_t run = fabs(lambda) * grid->step < 8 ? 64 : 1;
    double ratio = exp(lambda * grid->step), sum = 0;
    for (size_t j = 0; j < grid->count; j += run) {
        double factor = exp(lambda * (dpn_dot_grid_value(grid, j) - centre));
        for (size_t k = j; k < j + run && k < grid->count; k++, factor *= ratio)
            if (mass[k] > 0) sum += mass[k] * factor;
    }
    return log(sum);
}
