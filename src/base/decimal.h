/* What the library itself does with exact decimals, beyond dpnoise/decimal.h. */
#ifndef DPN_BASE_DECIMAL_H
#define DPN_BASE_DECIMAL_H

#include <dpnoise/decimal.h>
#include <stdbool.h>

/* Whether a >= 10^-places, for places from 0 to DPN_DECIMAL_FRACTION. */
bool dpn_decimal_reaches(const dpn_decimal *a, int places);

/* a times hundredths/100, hundredths at most 100, rounded down in the last of all digits. */
dpn_decimal dpn_decimal_hundredths_down(const dpn_decimal *a, uint32_t hundredths);

/* a times tenths/10, likewise. */
static inline dpn_decimal dpn_decimal_tenths_down(const dpn_decimal *a, uint32_t tenths) {
    return dpn_decimal_hundredths_down(a, 10 * tenths);
}

/* a times 10^9, if that is a whole number below 10^18; else false, and *out is not written. */
bool dpn_decimal_billionths(uint64_t *out, const dpn_decimal *a);

/* a divided by parts >= 1; false, and nothing is written, if the quotient is no decimal of this size. */
bool dpn_decimal_divide(dpn_decimal *out, const dpn_decimal *a, uint32_t parts);

#endif
