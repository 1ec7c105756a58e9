/* Wide numbers beside those of the reference. */
#ifndef TESTS_UNIT_BASE_WIDE_REAL_H
#define TESTS_UNIT_BASE_WIDE_REAL_H

#include "base/wide.h"
#include "reference/real.h"

/* A wide number of so many limbs, exactly; the working precision must hold it. */
real wide_real(const dpn_wide *a, int limbs);

/* The number of these limbs, least first, times 2^exponent. */
real limbs_real(const uint64_t *limb, int count, long exponent);

#endif
