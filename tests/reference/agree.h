/* Two numbers of many bits that a test holds equal. Include after cmocka.h. */
#ifndef DPN_TEST_AGREE_H
#define DPN_TEST_AGREE_H

#include "reference/real.h"

/* |a - b| <= 2^-bits max(|b|, floor), or both the same infinity. */
static inline bool agree(real a, real b, int bits, double floor_value) {
    if (!mpfr_number_p(a) || !mpfr_number_p(b)) return mpfr_equal_p(a, b) || (mpfr_nan_p(a) && mpfr_nan_p(b));
    real size = r_abs(b), least = r_num(floor_value);
    if (r_less(size, least)) size = least;
    return !r_less(r_mul(size, r_exp(r_times(r_log(r_num(2)), -bits))), r_abs(r_sub(a, b)));
}

#define HOLDS(what, a, b, bits, floor_value)                                                      \
    do {                                                                                          \
        real left = (a), right = (b);                                                             \
        if (!agree(left, right, bits, floor_value)) {                                             \
            fail_msg("%s: %.25g and %.25g differ by %.3g", what, r_double(left), r_double(right), \
                     r_double(r_sub(left, right)));                                               \
        }                                                                                         \
    } while (0)

#endif
