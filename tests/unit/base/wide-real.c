#include "unit/base/wide-real.h"

real limbs_real(const uint64_t *limb, int count, long exponent) {
    real sum = r_num(0);
    for (int i = 0; i < count; i++) {
        mpfr_t part;
        mpfr_init2(part, 64);
        mpfr_set_uj_2exp(part, limb[i], exponent + 64 * i, MPFR_RNDN);
        sum = r_add(sum, part);
        mpfr_clear(part);
    }
    return sum;
}

real wide_real(const dpn_wide *a, int limbs) {
    return limbs_real(a->limb, limbs, (long)a->exponent);
}
