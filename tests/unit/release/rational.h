/* Fields as rational numbers in GMP: a second reading of what a tally reads, for tests. */
#ifndef TESTS_UNIT_RELEASE_RATIONAL_H
#define TESTS_UNIT_RELEASE_RATIONAL_H

#include <dpnoise/field.h>
#include <gmp.h>
#include <stdint.h>

typedef enum rational_kind { RATIONAL_NUMBER, RATIONAL_MISSING, RATIONAL_BAD } rational_kind;

/* The number of a field, by a regular expression; exponents up to a few thousand, lengths up to 2000. */
rational_kind rational_read(mpq_t out, dpn_field field);

/* floor(x/2^exponent + 1/2), clamped. */
int64_t rational_step(const mpq_t x, int exponent, int64_t lower, int64_t upper);

/* The same of a number that is a fraction already: floor(n/2^shift + 1/2). */
int64_t rational_shift(int64_t a, int64_t b, int shift);

#endif
