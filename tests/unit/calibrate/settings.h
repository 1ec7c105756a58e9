/* What the tests of calibration share: random settings, and a law's error and shape computed here. */
#ifndef DPN_TESTS_CALIBRATE_SETTINGS_H
#define DPN_TESTS_CALIBRATE_SETTINGS_H

#include <dpnoise/calibrate.h>

/* In [0, 1): the same numbers on every machine. */
double uniform(uint64_t *seed);

/* E X^2, E |X| or the upper 2.5% point. */
double error_of_law(const dpn_law *law, dpn_objective objective);

/* The number called the shape of its family (dpn_family_shape); NaN if there is none. */
double shape_of_law(const dpn_law *law);

#endif
