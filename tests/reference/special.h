/* Functions that MPFR does not have in the form the references need. */
#ifndef DPN_TEST_SPECIAL_H
#define DPN_TEST_SPECIAL_H

#include "reference/real.h"

real r_erfc(real x);
real r_erf(real x);
real r_erfcx(real x);                   /* exp(x^2) erfc(x) */
real r_mills(real u);                   /* integral over t > 0 of exp(-t^2/2 - u t): Q(u)/phi(u) */
real r_log_mills(real u);               /* its logarithm, for u of any size and sign */
real r_log_upper_gamma(real a, real z); /* log of the integral over t > z of t^(a-1) exp(-t); 0 < a <= 1, z >= 0 */

/* log(sum of c_i exp(e_i)) for terms whose exponents lie beyond any range: collect, then ask. */
enum { R_TERMS = 8 };
typedef struct r_sum {
    int count;
    real coefficient[R_TERMS], exponent[R_TERMS];
} r_sum;
void r_sum_term(r_sum *sum, real coefficient, real exponent);
real r_sum_log(const r_sum *sum);

#endif
