/* The laws and grids that samplers are tested with: every family, three sets of parameters, extreme ones among them. */
#ifndef TESTS_UNIT_RANDOM_LAWS_H
#define TESTS_UNIT_RANDOM_LAWS_H

#include <dpnoise/law.h>

#include "reference/reference.h"

typedef struct test_law {
    const char *text;
    int grid_exponent;
} test_law;

/* Ended by a NULL text. */
extern const test_law test_laws[];

/* The law of a text; fails if there is none. */
dpn_law law_of(const char *text);

/* Its reference, in the pool of numbers, at so many bits more than usual. */
void reference_of(ref_law *reference, const dpn_law *law, mpfr_prec_t more);

#endif
