/* e^-x by x = k log 2 + r and Taylor's series of e^-r, in 64-bit fixed point. docs/proofs/learn/objective.md, O6. */
#include "learn/sigmoid.h"

/* log 2 in steps of 2^-64, to the nearest. */
#define LOG_2 0xB17217F7D1CF79ACu

/* e^-r in steps of 2^-63, r below log 2 in steps of 2^-64: 1 - r(1 - r/2(1 - r/3(...))). What is left out is below 2^-76. */
static uint64_t exp_minus(uint64_t r) {
    const uint64_t one = (uint64_t)1 << 63;
    uint64_t sum = one;
    for (uint64_t i = 20; i > 0; i--) sum = one - (uint64_t)(((dpn_uint128)r * sum) >> 64) / i;
    return sum;
}

int64_t dpn_sigmoid_tail(dpn_uint128 x) {
    if (x >> 70) return 0; /* x >= 64, and e^-64 < 2^-92 */
    uint64_t k = (uint64_t)(x / LOG_2);
    if (k >= 63) return 0;
    uint64_t e = exp_minus((uint64_t)(x - (dpn_uint128)k * LOG_2)) >> (k + 1); /* in steps of 2^-62 */
    return (int64_t)(((dpn_uint128)e << DPN_SIGMOID_LOG) / (((uint64_t)1 << DPN_SIGMOID_LOG) + e));
}
