/* Numbers of many bits as values: an expression of MPFR numbers that reads like its formula.
 *
 * Every function returns a new number in a pool, rounded to the working precision. The pool grows as needed; a caller
 * that computes in a loop takes a mark before and releases to it after. One thread only: this serves tests.
 */
#ifndef DPN_TEST_REAL_H
#define DPN_TEST_REAL_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>

typedef mpfr_srcptr real;

/* The working precision in bits; returns the one before. The widest exponent range of MPFR comes with it. */
mpfr_prec_t r_precision(mpfr_prec_t bits);
mpfr_prec_t r_bits(void);

size_t r_mark(void);
void r_release(size_t mark);
real r_keep(size_t mark, real a); /* release to the mark, but keep a */
void r_free_all(void);

real r_num(double a); /* exact: the precision is never below 53 bits */
real r_text(const char *decimal);
real r_pi(void);

real r_neg(real a);
real r_abs(real a);
real r_floor(real a);
real r_round(real a);
real r_square(real a);
real r_sqrt(real a);
real r_exp(real a);
real r_expm1(real a);
real r_log(real a);
real r_log1p(real a);
real r_sin(real a);
real r_sinh(real a);
real r_cosh(real a);
real r_gamma(real a);
real r_log_gamma(real a);

real r_add(real a, real b);
real r_sub(real a, real b);
real r_mul(real a, real b);
real r_div(real a, real b);
real r_pow(real a, real b);

real r_plus(real a, double b);
real r_times(real a, double b);
real r_over(real a, double b);

int r_sign(real a);
bool r_less(real a, real b);
double r_double(real a);
long r_exponent(real a); /* e with 2^(e-1) <= |a| < 2^e; very negative for 0 */

#endif
