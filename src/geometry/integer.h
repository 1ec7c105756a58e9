/* Exact whole numbers of bounded size, for the signs and volumes that a hull rests on.
 *
 * Sums and products alone, no division: determinants are expanded by minors. The size is bounded by what the callers
 * check, 10 rows of 128 bits, so that no memory is taken and nothing can fail.
 */
#ifndef DPN_GEOMETRY_INTEGER_H
#define DPN_GEOMETRY_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

enum { DPN_INTEGER_LIMBS = 32 };

/* sign times the integer of the limbs, least first; the highest one in use is not 0. Zero has length 0 and sign 0. */
typedef struct dpn_integer {
    int sign, length;
    uint64_t limb[DPN_INTEGER_LIMBS];
} dpn_integer;

/* A double that is whole and below 2^1000. */
void dpn_integer_set(dpn_integer *out, double value);

/* out may be an operand, except of a product. */
void dpn_integer_add(dpn_integer *out, const dpn_integer *a, const dpn_integer *b);
void dpn_integer_subtract(dpn_integer *out, const dpn_integer *a, const dpn_integer *b);
void dpn_integer_multiply(dpn_integer *out, const dpn_integer *a, const dpn_integer *b);

/* out += a b and out -= a b. */
void dpn_integer_accumulate(dpn_integer *out, const dpn_integer *a, const dpn_integer *b, bool minus);

/* The number as m 2^*exponent with 1/2 <= |m| < 1, m within 2^-52 of it; 0 for zero. */
double dpn_integer_scaled(const dpn_integer *a, int *exponent);

/* a/b, b not 0, within 2^-50 of it. */
double dpn_integer_ratio(const dpn_integer *a, const dpn_integer *b);

#endif
