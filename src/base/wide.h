/* Real numbers >= 0 in many digits, every operation rounded in the direction asked.
 *
 * The samplers fall back on these numbers when doubles cannot decide. A bound is computed by asking every operation
 * that leads to it for the same direction: sums, products, quotients by exact numbers and roots are increasing
 * functions, so the result is a bound by construction, whatever the precision. No memory is taken and nothing can
 * fail.
 */
#ifndef DPN_BASE_WIDE_H
#define DPN_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

enum { DPN_WIDE_LIMBS = 16, DPN_WIDE_LIMB_BITS = 64 };

/* significand * 2^exponent; the significand is the integer of the limbs, least first, as many as the rounding says,
 * with its highest bit set; zero has no limb set. */
typedef struct dpn_wide {
    uint64_t limb[DPN_WIDE_LIMBS];
    int64_t exponent;
} dpn_wide;

/* How to round: to N limbs, 2 to DPN_WIDE_LIMBS of them, up or down. The operands of an operation have as many
 * limbs as its result. */
typedef struct dpn_rounding {
    int limbs;
    bool up;
} dpn_rounding;

dpn_wide dpn_wide_integer(dpn_rounding how, uint64_t value);
dpn_wide dpn_wide_double(dpn_rounding how, double value); /* finite, >= 0 */

/* The integer of count limbs, at most 2 DPN_WIDE_LIMBS + 2, times 2^exponent, plus something in (0, 1) times that if
 * more. */
dpn_wide dpn_wide_pack(dpn_rounding how, const uint64_t *limb, int count, int64_t exponent, bool more);

dpn_wide dpn_wide_add(dpn_rounding how, const dpn_wide *a, const dpn_wide *b);
dpn_wide dpn_wide_subtract(dpn_rounding how, const dpn_wide *a, const dpn_wide *b); /* a >= b */
dpn_wide dpn_wide_multiply(dpn_rounding how, const dpn_wide *a, const dpn_wide *b);
dpn_wide dpn_wide_divide(dpn_rounding how, const dpn_wide *a, const dpn_wide *b); /* b > 0 */
dpn_wide dpn_wide_divide_small(dpn_rounding how, const dpn_wide *a, uint64_t b);  /* b > 0 */
dpn_wide dpn_wide_root(dpn_rounding how, const dpn_wide *a);
dpn_wide dpn_wide_floor(dpn_rounding how, const dpn_wide *a); /* exact */
dpn_wide dpn_wide_scale(dpn_wide a, int64_t power_of_two);    /* exact */

/* -1, 0, 1 as a is below, equal to, above b. */
int dpn_wide_compare(dpn_rounding how, const dpn_wide *a, const dpn_wide *b);
bool dpn_wide_is_zero(dpn_rounding how, const dpn_wide *a);

/* e^a. From 2^40 on it is e^(2^40) rounded down; there is no value to round up to, and *out is not written. */
bool dpn_wide_exp(dpn_wide *out, dpn_rounding how, const dpn_wide *a);

/* a^power for a double 1 <= power < 2^31, read as the exact number it is. */
dpn_wide dpn_wide_power(dpn_rounding how, const dpn_wide *a, double power);

#endif
