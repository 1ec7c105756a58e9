/* Numerical integration over an interval at whose ends the integrand may have singular derivatives. */
#ifndef DPN_LAW_TANH_SINH_H
#define DPN_LAW_TANH_SINH_H

/* int_0^width f(x) dx for f >= 0, by the double-exponential rule of Takahasi and Mori 1974. f is asked at points that
 * keep their relative accuracy near 0, never at 0 itself.
 * Accuracy measured, tests/unit/law/t-tanh-sinh.c: for functions that are analytic inside the interval, fall there by
 *          no more than e^-100, and change fast near the ends alone.
 */
double dpn_integrate(double (*f)(const void *context, double x), const void *context, double width);

#endif
