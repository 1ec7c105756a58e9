#include "reference/special.h"

#include <math.h>
#include <stdlib.h>

/* The asymptotic series of erfcx is enveloping and its least term is about exp(-x^2): it serves where that is below the
 * working precision. */
static bool asymptotic(double square) {
    return square > 1.1 * log(2) * (double)(r_bits() + 16);
}

/* sum over n of (-1)^n (2n-1)!!/(2x^2)^n, divided by x sqrt(pi). */
static real erfcx_asymptotic(real x) {
    size_t mark = r_mark();
    real step = r_div(r_num(-0.5), r_square(x)), term = r_num(1), sum = term;
    for (int n = 1; r_exponent(term) > -(long)r_bits() - 8; n++) {
        term = r_mul(term, r_times(step, 2 * n - 1));
        sum = r_add(sum, term);
    }
    return r_keep(mark, r_div(sum, r_mul(x, r_sqrt(r_pi()))));
}

/* exp(x^2) - (2/sqrt pi) sum over n of 2^n x^(2n+1)/(2n+1)!!, a sum of positive terms that nearly is exp(x^2): about
 * 2.9 x^2 bits more keep the difference. (MPFR's own erfc takes milliseconds for x between 5 and 20.) */
static real erfcx_series(real x) {
    size_t mark = r_mark();
    double square = r_double(x) * r_double(x);
    mpfr_prec_t before = r_precision(r_bits() + (mpfr_prec_t)(3 * square) + 64);
    mpfr_t term, sum, step;
    mpfr_inits2(r_bits(), term, sum, step, (mpfr_ptr)0);
    mpfr_set(step, r_times(r_square(x), 2), MPFR_RNDN);
    mpfr_set(term, x, MPFR_RNDN);
    mpfr_set(sum, x, MPFR_RNDN);
    for (unsigned long n = 1; mpfr_get_exp(term) > mpfr_get_exp(sum) - (long)r_bits() - 8; n++) {
        mpfr_mul(term, term, step, MPFR_RNDN);
        mpfr_div_ui(term, term, 2 * n + 1, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    real scaled = r_times(r_div(sum, r_sqrt(r_pi())), 2);
    mpfr_clears(term, sum, step, (mpfr_ptr)0);
    real difference = r_sub(r_exp(r_square(x)), scaled);
    r_precision(before);
    return r_keep(mark, difference);
}

real r_erfcx(real x) {
    double xd = r_double(x);
    if (xd > 0 && asymptotic(xd * xd)) return erfcx_asymptotic(x);
    if (xd > 3) return erfcx_series(x);
    /* For large negative x the exponential multiplies the rounding error of its argument: only to the size of its
     * logarithm, which is all that is wanted of such values. */
    size_t mark = r_mark();
    mpfr_prec_t before = r_precision(r_bits() + 32);
    real product = r_mul(r_exp(r_square(x)), r_erfc(x));
    r_precision(before);
    return r_keep(mark, product);
}

real r_erfc(real x) {
    double xd = r_double(x);
    if (xd > 3) return r_mul(r_exp(r_neg(r_square(x))), r_erfcx(x));
    if (xd < -3) return r_sub(r_num(2), r_erfc(r_neg(x)));
    size_t mark = r_mark();
    mpfr_t value;
    mpfr_init2(value, r_bits());
    mpfr_erfc(value, x, MPFR_RNDN);
    real kept = r_keep(mark, value);
    mpfr_clear(value);
    return kept;
}

real r_erf(real x) {
    double xd = r_double(x);
    if (xd > 3) return r_sub(r_num(1), r_erfc(x));
    if (xd < -3) return r_neg(r_erf(r_neg(x)));
    size_t mark = r_mark();
    mpfr_t value;
    mpfr_init2(value, r_bits());
    mpfr_erf(value, x, MPFR_RNDN);
    real kept = r_keep(mark, value);
    mpfr_clear(value);
    return kept;
}

real r_mills(real u) {
    return r_mul(r_sqrt(r_over(r_pi(), 2)), r_erfcx(r_div(u, r_sqrt(r_num(2)))));
}

real r_log_mills(real u) {
    if (r_sign(u) >= 0) return r_log(r_mills(u));
    real half = r_over(r_square(u), 2), mass = r_sqrt(r_over(r_pi(), 2));
    return r_add(half, r_log(r_mul(mass, r_erfc(r_div(u, r_sqrt(r_num(2)))))));
}

/* z^(a-1) exp(-z) (1 + (a-1)/z + (a-1)(a-2)/z^2 + ...); its least term is about exp(-z). */
static real log_upper_gamma_asymptotic(real a, real z) {
    real factor = r_plus(a, -1), term = r_num(1), sum = r_num(1);
    for (int n = 1; r_exponent(term) > -(long)r_bits() - 8; n++) {
        term = r_div(r_mul(term, r_plus(a, -n)), z);
        sum = r_add(sum, term);
        if (r_sign(term) == 0) break;
    }
    return r_add(r_sub(r_mul(factor, r_log(z)), z), r_log(sum));
}

/* Gamma(a) minus z^a exp(-z) (1/a + z/a(a+1) + ...). The difference is about exp(-z) of its terms. */
static real log_upper_gamma_series(real a, real z) {
    mpfr_prec_t before = r_precision(r_bits() + (mpfr_prec_t)(1.5 * r_double(z)) + 64);
    real term = r_div(r_num(1), a), sum = term;
    for (int n = 1; r_exponent(term) > r_exponent(sum) - (long)r_bits(); n++) {
        term = r_mul(term, r_div(z, r_plus(a, n)));
        sum = r_add(sum, term);
    }
    real lower = r_sign(z) > 0 ? r_mul(r_exp(r_sub(r_mul(a, r_log(z)), z)), sum) : r_num(0);
    real difference = r_log(r_sub(r_gamma(a), lower));
    r_precision(before);
    return difference;
}

real r_log_upper_gamma(real a, real z) {
    size_t mark = r_mark();
    bool far = asymptotic(r_double(z));
    return r_keep(mark, far ? log_upper_gamma_asymptotic(a, z) : log_upper_gamma_series(a, z));
}

void r_sum_term(r_sum *sum, real coefficient, real exponent) {
    if (sum->count == R_TERMS) abort();
    sum->coefficient[sum->count] = coefficient;
    sum->exponent[sum->count++] = exponent;
}

real r_sum_log(const r_sum *sum) {
    real top = sum->exponent[0];
    for (int i = 1; i < sum->count; i++) {
        if (r_less(top, sum->exponent[i])) top = sum->exponent[i];
    }
    real total = r_num(0);
    for (int i = 0; i < sum->count; i++) {
        total = r_add(total, r_mul(sum->coefficient[i], r_exp(r_sub(sum->exponent[i], top))));
    }
    return r_add(top, r_log(total));
}
