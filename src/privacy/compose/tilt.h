/* A discrete loss under an exponential tilt: masses times exp(theta loss), normalised. */
#ifndef DPN_PRIVACY_TILT_H
#define DPN_PRIVACY_TILT_H

#include "privacy/compose/dots.h"

/* log of the sum of mass * exp(theta loss), and mean and variance of the tilted loss. */
typedef struct dpn_moments {
    double log_sum, mean, variance;
} dpn_moments;

dpn_moments dpn_tilted_moments(const dpn_dots *dots, double theta);

/* The same, and the normalised tilted masses into mass[0 .. grid.count-1]. */
dpn_moments dpn_tilt(double *mass, const dpn_dots *dots, double theta);

/* log of the sum of mass * exp(lambda (value - centre)); +inf if it is too large for a double. */
double dpn_log_mgf(const double *mass, const dpn_dot_grid *grid, double lambda, double centre);

#endif
